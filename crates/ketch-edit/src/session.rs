//! An editing session: the text, and what is known of it between operations.

use super::aliases::NameCounts;
use super::anchored::{Anchored, anchored};
use super::error::{EditError, EditErrorKind};
use super::expand::expanded;
use super::habits::Counts;
use super::index::{Root, Scan, Spans, Target, Way, dotted, scan};
use super::json::json_comment;
use super::lines::has_lone_return;
use super::operation::{Action, CommentPlace, Destination, IfAbsent, Operation, Transfer};
use super::pieces::{Patch, Pieces};
use super::place::Place;
use super::remark::Remark;
use super::scene::{Habit, Scene};
use super::store::{NearLines, Store};
use super::tree::{Interrupt, Shape, Token, Tree, reading};
use super::window::{Window, has_stand_in};
use ketch_bytes::encoding::{Encoding, Progress, Transcoder};
use ketch_yaml::EventKind;
use ketch_yaml::path::{Documents, Step};
use std::borrow::Cow;
use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// The length in bytes above which operations that are refused in a window are not tried again on
/// the whole text.
const WHOLE_MAX: usize = 64 << 20;

/// A text that is being edited.
///
/// The first operation parses the whole text. Later operations parse only the text around their
/// entries.
///
/// ```
/// use ketch_edit::{Action, Edit, Operation};
/// use ketch_yaml::path::Path;
///
/// let mut edit = Edit::open("image:\n  tag: '1.9'   # pinned\n")?;
/// let path: Path = "image.tag".parse().unwrap();
/// edit.apply(&[Operation::new(Action::set("'1.10'"), path.steps())])?;
/// assert_eq!(edit.text(), "image:\n  tag: '1.10'   # pinned\n");
/// # Ok::<(), ketch_edit::EditError>(())
/// ```
#[derive(Debug)]
pub struct Edit {
    pub(super) original: String,
    pub(super) pieces: Pieces,
    pub(super) encoding: Encoding,
    /// The opened text, if all its line breaks are carriage returns. In `original`, they are then
    /// replaced by line feeds, which have the same meaning and length.
    pub(super) with_returns: Option<String>,
    /// Whether only the lenient parser accepts the text; `None` if it has not been parsed.
    lenient: Option<bool>,
    pub(super) docs: Spans,
    /// The roots of documents, with their tables, by the index of the document.
    pub(super) tables: HashMap<usize, Root>,
    /// Whether the tables contain only the entries near one way.
    are_near: bool,
    pub(super) counts: Option<Counts>,
    /// While the second part of a move runs, the style before the move.
    pub(super) habit_before: Option<Habit>,
    /// The counts of the names of anchors and aliases, once they are needed.
    names: Option<NameCounts>,
    /// What anchors name, once a path leads into a mapping with keys that are aliases.
    pub(super) anchored: Option<Arc<Anchored>>,
    pub(super) near_lines: NearLines,
    pub(super) text: OnceLock<String>,
    /// Whether every operation runs on the whole text.
    checks_whole: bool,
    pub(super) interrupt: Interrupt,
    /// Whether the interrupt has stopped the current operation in [`Edit::poll`].
    pub(super) is_stopped: bool,
    /// Whether the text is treated as JSON, whatever it looks like.
    pub(super) is_named_json: bool,
    /// Whether the first line of the original text ends with CRLF.
    pub(super) has_crlf: bool,
    remarks: Vec<Remark>,
}

impl Edit {
    /// Opens `text`, and parses it to check it.
    ///
    /// # Errors
    ///
    /// The parser's first error.
    pub fn open(text: &str) -> Result<Edit, EditError> {
        let mut edit = Edit::deferred(text.to_owned());
        edit.check()?;
        Ok(edit)
    }

    /// Parses the text, unless it has been parsed already.
    ///
    /// # Errors
    ///
    /// The parser's first error.
    pub fn check(&mut self) -> Result<(), EditError> {
        match self.lenient {
            None => self.parse(Way::new(&[], 0)),
            Some(_) => Ok(()),
        }
    }

    /// Opens `text` without parsing it, which the first operation does. For one edit of a long
    /// text, this is faster than [`Edit::open`].
    #[must_use]
    pub fn deferred(text: String) -> Edit {
        let first = memchr::memchr(b'\n', text.as_bytes());
        let has_crlf = first.is_some_and(|at| text[..at].ends_with('\r'));
        let has_returns = first.is_none() && memchr::memchr(b'\r', text.as_bytes()).is_some();
        let (original, with_returns) = match has_returns {
            true => (text.replace('\r', "\n"), Some(text)),
            false => (text, None),
        };
        Edit {
            // Windows start and end at line feeds, so they cannot be used if there are other line
            // breaks too.
            checks_whole: first.is_some() && has_lone_return(original.as_bytes()),
            has_crlf,
            pieces: Pieces::new(original.len()),
            original,
            with_returns,
            encoding: Encoding::Utf8,
            lenient: None,
            docs: Spans::default(),
            tables: HashMap::new(),
            are_near: false,
            counts: None,
            habit_before: None,
            names: None,
            anchored: None,
            near_lines: NearLines::default(),
            text: OnceLock::new(),
            interrupt: None,
            is_stopped: false,
            is_named_json: false,
            remarks: Vec::new(),
        }
    }

    /// Opens bytes in any encoding that YAML allows. Text and patches are in UTF-8;
    /// [`Edit::to_bytes`] returns bytes in the original encoding.
    ///
    /// ```
    /// use ketch_edit::{Action, Edit, Operation};
    /// use ketch_yaml::path::Step;
    ///
    /// let mut edit = Edit::from_bytes(b"\xFE\xFF\0a\0:\0 \x001".to_vec())?;
    /// edit.apply(&[Operation::new(Action::set("2"), &[Step::Name("a".into())])])?;
    /// assert_eq!(edit.to_bytes(), b"\xFE\xFF\0a\0:\0 \x002");
    /// # Ok::<(), ketch_edit::EditError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The parser's first error, if the bytes are malformed in their encoding. Other errors are
    /// reported by the first operation, as with [`Edit::deferred`].
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Edit, EditError> {
        let (encoding, _) = Encoding::detect(&bytes);
        let text = match encoding {
            Encoding::Utf8 => String::from_utf8(bytes).map_err(|error| error.into_bytes()),
            _ => decoded(bytes, encoding),
        };
        match text {
            Ok(text) => Ok(Edit { encoding, ..Edit::deferred(text) }),
            // The parser reports the position of the error.
            Err(bytes) => Err(match Tree::parse(&bytes) {
                Err(error) => error,
                Ok(_) => EditError::plain(EditErrorKind::Invalid),
            }),
        }
    }

    /// Makes every operation parse the whole text instead of a window. This is meant for tests: the
    /// same edits are accepted and refused.
    #[must_use]
    pub fn checking_whole(self) -> Edit {
        Edit { checks_whole: true, ..self }
    }

    /// Applies `operations` in turn, each to the result of the one before: either all of them or
    /// none.
    ///
    /// # Errors
    ///
    /// If an operation is refused. In that case, the text does not change.
    pub fn apply(&mut self, operations: &[Operation]) -> Result<(), EditError> {
        let is_one = operations.len() == 1 && !is_many(&operations[0]);
        let before = (!is_one).then(|| (self.pieces.clone(), self.remarks.len()));
        for (index, operation) in operations.iter().enumerate() {
            let done = self.run(operation, is_one);
            if std::mem::take(&mut self.are_near) {
                self.tables.clear();
            }
            if self.docs.is_partial() {
                self.tables.clear();
                self.docs = Spans::default();
            }
            self.text.take();
            if let Err(error) = done {
                if let Some((pieces, remarks)) = before {
                    self.pieces = pieces;
                    self.remarks.truncate(remarks);
                    self.forget();
                }
                return Err(error.of_operation(index));
            }
        }
        Ok(())
    }

    /// Returns what the edits so far did that may not have been intended.
    ///
    /// ```
    /// use ketch_edit::{Action, Edit, Operation, Remark};
    ///
    /// let mut edit = Edit::open("count: !Ref Nodes\n")?;
    /// let path = "count".parse().unwrap();
    /// edit.apply(&[Operation::at(Action::set("2"), &path)])?;
    /// assert_eq!(edit.text(), "count: 2\n");
    /// assert_eq!(edit.remarks(), [Remark::TagDropped("!Ref".to_owned())]);
    /// # Ok::<(), ketch_edit::EditError>(())
    /// ```
    #[must_use]
    pub fn remarks(&self) -> &[Remark] {
        &self.remarks
    }

    /// Returns the current text in a form that can be searched.
    pub(super) fn store(&self) -> Store<'_> {
        Store { original: &self.original, pieces: &self.pieces }
    }

    /// Drops everything that is known of the current text.
    fn forget(&mut self) {
        self.docs = Spans::default();
        self.tables.clear();
        self.counts = None;
        self.names = None;
        self.anchored = None;
        self.near_lines = NearLines::default();
        self.text.take();
    }

    /// Parses the whole text, and creates the tables on the way `way`.
    fn parse(&mut self, way: Way<'_>) -> Result<(), EditError> {
        if self.lenient.is_none() {
            self.refuse_json_comments()?;
        }
        let whole = self.store().bytes(0..self.pieces.len());
        let mut found = match scan(&whole, way, self.interrupt) {
            Ok(found) => found,
            Err(error) if error.is_interrupted() => return Err(error),
            Err(error) => {
                let is_lenient =
                    self.lenient != Some(false) && Tree::parse_as(&whole, true).is_ok();
                drop(whole);
                if !is_lenient {
                    return Err(error);
                }
                self.lenient = Some(true);
                return Ok(());
            }
        };
        drop(whole);
        self.lenient = Some(false);
        self.docs = found.spans(way.doc);
        let Scan { table, plain_keys, is_unclear, .. } = found;
        if way.doc < self.docs.len() && !is_unclear {
            self.tables.insert(way.doc, Root { table, plain_keys });
            self.are_near = way.is_near;
        }
        Ok(())
    }

    /// Parses the text, unless its documents are known. The tables are limited to entries near the
    /// way only the first time: if there is a second time, more edits are likely.
    pub(super) fn ensure_parsed(&mut self, way: Way<'_>) -> Result<(), EditError> {
        if self.docs.is_empty() && self.lenient != Some(true) {
            self.parse(Way { is_near: way.is_near && self.lenient.is_none(), ..way })?;
        }
        Ok(())
    }

    /// Returns whether the layout of the text is one that only other parsers accept.
    pub(super) fn is_lenient(&self) -> bool {
        self.lenient == Some(true)
    }

    /// Returns the extents of the documents.
    pub(super) fn spans(&self) -> &Spans {
        &self.docs
    }

    /// Runs one operation, in a window if possible. If `is_only` is set, it is the only operation,
    /// so the tables may be limited to what it needs.
    fn run(&mut self, operation: &Operation, is_only: bool) -> Result<(), EditError> {
        let operation = &*in_one_document(operation);
        let way = Way::new(&operation.path, operation.doc);
        let (is_near, is_typed) = (is_only && needs_near(operation), operation.is_typed);
        self.ensure_parsed(Way { is_near, is_typed, ..way })?;
        let is_everywhere = operation.everywhere && (self.docs.len() > 1 || self.is_lenient());
        if is_many(operation) || is_everywhere {
            if self.interrupt.is_some_and(|stop| stop()) {
                return Err(EditError::interrupted());
            }
            let is_lenient = self.lenient == Some(true);
            let read = reading(is_lenient, self.interrupt);
            let all = expanded(&self.current(), read, operation)?;
            if let Some(all) = all {
                return self.run_all(&all);
            }
        }
        let is_long = self.pieces.len() > WHOLE_MAX;
        // The check of a typed path may need the whole text.
        let untyped = (is_long && operation.is_typed)
            .then(|| Operation { is_typed: false, ..operation.clone() });
        let operation = untyped.as_ref().unwrap_or(operation);
        let done = self.run_in_window(operation);
        if self.takes_stop() {
            return Err(EditError::interrupted());
        }
        match done {
            Some(Ok(())) => Ok(()),
            // The error for the whole text would be more accurate, but parsing a long text takes
            // too long.
            Some(Err(error)) if is_long || error.is_interrupted() => Err(error),
            _ => self.run_on_whole(operation),
        }
    }

    /// Runs the operations `all`, into which another operation was expanded.
    fn run_all(&mut self, all: &[Operation]) -> Result<(), EditError> {
        // The end of the flow entry whose line has already got the comment that these operations
        // write.
        let mut commented = None;
        for operation in all {
            if self.interrupt.is_some_and(|stop| stop()) {
                return Err(EditError::interrupted());
            }
            let target = Some(operation).filter(|operation| is_trailing_comment(operation));
            let target = target.filter(|_| !self.checks_whole).and_then(|_| self.target(operation));
            let target = target.filter(|target| target.at.len() == operation.path.len());
            let end = target.and_then(|target| self.flow_end(&target));
            let is_done = end.zip(commented).is_some_and(|(end, from)| self.is_in_line(end, from));
            if !is_done {
                self.run(operation, false)?;
                self.text.take();
            }
            commented = end;
        }
        Ok(())
    }

    /// Returns whether `at` is not after `after`, and both are on the same line.
    fn is_in_line(&self, at: usize, after: usize) -> bool {
        at <= after && !self.store().has_break(at..after)
    }

    /// Runs an operation on the whole text, which is parsed again.
    fn run_on_whole(&mut self, operation: &Operation) -> Result<(), EditError> {
        if self.interrupt.is_some_and(|stop| stop()) {
            return Err(EditError::interrupted());
        }
        let mut scene = Scene::new(self.current().into_owned(), self.interrupt)?;
        scene.has_crlf = self.has_crlf;
        scene.is_named_json = self.is_named_json;
        match operation.if_absent {
            IfAbsent::Skip if !scene.exists(operation)? => return Ok(()),
            IfAbsent::Fail => drop(scene.existing(operation, &operation.path)?),
            _ => {}
        }
        let result = scene.run(operation);
        if let Some(error) = scene.interrupted.take() {
            return Err(error);
        }
        result?;
        self.remarks.append(&mut scene.remarks);
        let done = std::mem::take(&mut scene.done);
        if !done.is_empty() {
            done.iter().for_each(|patch| self.pieces.apply(patch));
            self.forget();
        }
        Ok(())
    }

    /// Runs an operation on the text around its entry. Returns `None` if that is not enough.
    pub(super) fn run_in_window(&mut self, operation: &Operation) -> Option<Result<(), EditError>> {
        if self.checks_whole || self.lenient == Some(true) || has_stand_in_step(operation) {
            return None;
        }
        if operation.action.transfer().is_some() {
            return self.carry(operation);
        }
        // An alias in the value may refer to an anchor outside of the window.
        let new = operation.action.value();
        let may_have_alias = new.is_some_and(|new| new.source.contains(['*', '&']));
        if !is_local(operation) || may_have_alias {
            return None;
        }
        let mut target = self.target(operation)?;
        if !is_found(operation, &target) || self.has_dotted_key(operation) {
            return None;
        }
        if is_trailing_comment(operation) {
            self.reach_line_end(&mut target);
        }
        let done = self.run_at(&target, operation, |scene, moved| scene.run(moved))?;
        Some(done.map(|_| ()))
    }

    /// Returns whether there is a key like a name of the typed path of `operation`, with a dot before
    /// it. With such a key, the tables contain all entries.
    fn has_dotted_key(&mut self, operation: &Operation) -> bool {
        let is_searched = operation.is_typed && !self.are_near;
        let steps = if is_searched { &operation.path[..] } else { &[] };
        steps.iter().enumerate().any(|(index, step)| {
            let Some(key) = dotted(step).map(Step::Key) else { return false };
            let other = Operation::to_find(operation.doc, &[&steps[..index], &[key]].concat());
            self.target(&other).is_some_and(|target| target.at.len() == index + 1)
        })
    }

    /// Calls `run` with the window around `target`, and applies the result to the text. Returns
    /// `None`, with the text unchanged, if the window is not enough.
    pub(super) fn run_at(
        &mut self,
        target: &Target,
        operation: &Operation,
        mut run: impl FnMut(&mut Scene, &Operation) -> Result<(), EditError>,
    ) -> Option<Result<Done, EditError>> {
        let window = self.window(target)?;
        let moved = window.operation(operation, &self.levels(target)?, target.is_new);
        if has_stand_in(window.inner()) {
            return None;
        }
        let is_json = self.is_json(target.doc)?;
        let mut scene = match self.scene(&window, is_json) {
            Err(error) if error.is_interrupted() => return Some(Err(error)),
            found => found.ok()?,
        };
        // Two keys with the same hash may differ.
        if !target.is_new && !scene.leads_to(&moved, target.at.len()) {
            return None;
        }
        let before = Before::of(&scene);
        let mut result = run(&mut scene, &moved);
        if scene.wants_counts() || scene.wants_whole() {
            let is_apart = self.find_outside(&scene, target)?;
            scene = self.scene(&window, is_json).ok()?.within(is_apart);
            result = run(&mut scene, &moved);
        }
        if let Some(error) = scene.interrupted.take() {
            return Some(Err(error));
        }
        if let Err(error) = result {
            return Some(Err(error.moved(window.before, window.range.start, &self.current())));
        }
        let is_enough = is_inside(&scene, &window) && !scene.wants_whole();
        if !is_enough || !self.keeps_aliases(&before, &scene) {
            return None;
        }
        self.take(target, &window, &scene, &before);
        let len = scene.text.len() - window.before - window.after;
        let at = window.range.start..window.range.start + len;
        Some(Ok(Done { window, at }))
    }

    /// Undoes an edit that was made in a window.
    pub(super) fn undo(&mut self, Done { window, at }: Done) {
        self.pieces.apply(&Patch { at, new: window.inner().to_owned() });
        self.forget();
    }

    /// Returns whether an edit in a window keeps the meaning of the aliases outside it. This is so
    /// if its anchors are unchanged, or if no alias outside has the name of an anchor that was
    /// added, removed or moved past another.
    fn keeps_aliases(&mut self, before: &Before, scene: &Scene) -> bool {
        let after = anchors(&scene.tree);
        if before.anchors == after {
            return true;
        }
        let now = NameCounts::of(&scene.tree);
        let Some(all) = self.names() else { return false };
        let is_same = |name: &String| {
            let count = before.names.anchors(name);
            count == now.anchors(name) && count < 2
        };
        let mut names = before.anchors.iter().chain(&after).filter(|name| !is_same(name));
        names.all(|name| all.aliases(name) == before.names.aliases(name))
    }

    /// Returns the counts of the names of anchors and aliases. Returns `None` if the text is not
    /// valid, or the interrupt has stopped the operation.
    pub(super) fn names(&mut self) -> Option<&NameCounts> {
        if self.names.is_none() {
            self.poll()?;
            self.names = NameCounts::of_text(self.current().as_bytes());
        }
        self.names.as_ref()
    }

    /// Parses the text of `window`.
    fn scene(&self, window: &Window, is_json: bool) -> Result<Scene, EditError> {
        let habit = self.habit_before.unwrap_or(Habit { is_json, counts: self.counts });
        let margins = (window.before, window.after);
        let mut scene = Scene::in_window(window.text.clone(), margins, habit, self.interrupt)?;
        scene.has_crlf = window.has_crlf;
        scene.is_named_json = self.is_named_json;
        scene.anchored = self.anchored.clone();
        Ok(scene)
    }

    /// Counts what decides about the style of the whole text, unless that is known.
    pub(super) fn count(&mut self) -> Result<(), EditError> {
        if self.counts.is_none() {
            self.poll().ok_or_else(EditError::interrupted)?;
            self.counts = Some(Counts::of_text(self.current().as_bytes())?);
        }
        Ok(())
    }

    /// Applies the patches that were made in a window to the text, and updates what is known of it.
    fn take(&mut self, target: &Target, window: &Window, scene: &Scene, before: &Before) {
        self.remarks.extend_from_slice(&scene.remarks);
        for patch in &scene.done {
            let to = |at: usize| at - window.before + window.range.start;
            let at = to(patch.at.start)..to(patch.at.end);
            let store = Store { original: &self.original, pieces: &self.pieces };
            self.near_lines.patched(&store, &at, &patch.new);
            self.pieces.apply(&Patch { at, new: patch.new.clone() });
        }
        let delta = scene.text.len() as i64 - window.text.len() as i64;
        let after = Counts::of(scene.text.as_bytes(), &scene.tree);
        if let Some(counts) = &mut self.counts {
            counts.change(&before.counts, &after);
        }
        if let Some(names) = &mut self.names {
            names.change(&before.names, &NameCounts::of(&scene.tree));
        }
        if before.anchored != anchored(&scene.tree, scene.text.as_bytes()) {
            self.anchored = None;
        }
        let Some(base) = self.docs.get(target.doc).map(|span| span.start) else { return };
        self.docs.grow(target.doc, delta);
        let Some(root) = self.tables.get_mut(&target.doc) else { return };
        root.plain_keys = (root.plain_keys + plain_keys(&scene.tree)) - before.plain_keys;
        let place = Place { at: &target.at, window, scene, base, delta };
        if target.at.is_empty() || !root.table.as_mut().is_some_and(|table| place.update(table)) {
            self.tables.remove(&target.doc);
        }
    }
}

/// Returns whether an operation needs only the text around its entry.
fn is_local(operation: &Operation) -> bool {
    let is_document = matches!(operation.action, Action::Delete) && operation.path.is_empty();
    !matches!(operation.action, Action::RenameAnchor { .. }) && !is_document
}

/// Returns whether an operation needs only the entries near its path. Other operations look for a
/// second key, count entries, or need the text up to the end of a line.
fn needs_near(operation: &Operation) -> bool {
    use Action::*;
    matches!(
        operation.action,
        Append(_) | Set { .. } | Replace(_) | Delete | Merge(_) | MergePatch(_) | Test(_)
    )
}

/// Returns whether an operation writes or removes a trailing comment.
fn is_trailing_comment(operation: &Operation) -> bool {
    matches!(operation.action, Action::Comment { place: CommentPlace::Trailing, .. })
}

/// Returns whether a step or a key of an operation looks like the key of a stand-in.
fn has_stand_in_step(operation: &Operation) -> bool {
    let is_stand_in = |step: &Step| match step {
        Step::Name(name) | Step::Key(name) => has_stand_in(name),
        _ => false,
    };
    let transfer = operation.action.transfer();
    let other = transfer.map(|Transfer { to, .. }| match to {
        Destination::Into(path) | Destination::At(path) => path,
    });
    [&operation.path].into_iter().chain(other).any(|path| path.iter().any(is_stand_in))
        || operation.action.key().is_some_and(has_stand_in)
}

/// Returns whether `target` is enough for an operation. If the operation would follow aliases, none
/// may be on the path; if it does nothing without a node, the node must have been found.
fn is_found(operation: &Operation, target: &Target) -> bool {
    let is_whole = target.at.len() >= operation.path.len();
    let inserts = operation.action.inserts();
    let has_no_alias = target.is_new || is_whole;
    let is_node = !target.is_new && is_whole || inserts && target.at.len() > operation.path.len();
    (operation.alias.is_none() || has_no_alias) && (operation.if_absent == IfAbsent::Add || is_node)
}

/// Returns whether an operation may have to be expanded into several ones.
fn is_many(operation: &Operation) -> bool {
    let is_one = matches!(operation.documents, None | Some(Documents::Index(_)));
    !is_one || operation.path.iter().any(Step::is_wildcard)
}

/// Returns `operation`, with its index as `doc` if its path selects a single document by index.
fn in_one_document(operation: &Operation) -> Cow<'_, Operation> {
    match operation.documents {
        Some(Documents::Index(index)) if !is_many(operation) => {
            let doc = usize::try_from(index).unwrap_or(usize::MAX);
            Cow::Owned(Operation { doc, documents: None, everywhere: false, ..operation.clone() })
        }
        _ => Cow::Borrowed(operation),
    }
}

/// An edit that was made in a window.
pub(super) struct Done {
    /// The window as it was before the edit.
    window: Window,
    /// The range that its text has now.
    at: std::ops::Range<usize>,
}

/// What was known of a window before an edit.
struct Before {
    counts: Counts,
    anchors: Vec<String>,
    anchored: Vec<(String, Option<Token>)>,
    names: NameCounts,
    plain_keys: usize,
}

impl Before {
    fn of(scene: &Scene) -> Before {
        Before {
            counts: Counts::of(scene.text.as_bytes(), &scene.tree),
            anchors: anchors(&scene.tree),
            anchored: anchored(&scene.tree, scene.text.as_bytes()),
            names: NameCounts::of(&scene.tree),
            plain_keys: plain_keys(&scene.tree),
        }
    }
}

/// Returns the names of the anchors in `tree`, in order.
fn anchors(tree: &Tree) -> Vec<String> {
    let name = |token: &Token| match token {
        Token::Anchor(name) => Some(name.clone()),
        _ => None,
    };
    tree.tokens.iter().filter_map(name).collect()
}

/// Returns the number of keys of the first root that are not in double quotes.
fn plain_keys(tree: &Tree) -> usize {
    let root = tree.docs.first().and_then(|doc| doc.root).map(|root| &tree.nodes[root]);
    let Some(root) = root.filter(|root| root.shape == Shape::Mapping) else { return 0 };
    let is_plain = |key: &&usize| tree.nodes[**key].event.kind != EventKind::DoubleQuoted;
    root.children.iter().step_by(2).filter(is_plain).count()
}

/// Returns whether all patches of `scene` are between the stand-ins of `window`.
fn is_inside(scene: &Scene, window: &Window) -> bool {
    let mut len = window.text.len();
    scene.done.iter().all(|patch| {
        let is_inside = patch.at.start >= window.before && patch.at.end <= len - window.after;
        len = len - patch.at.len() + patch.new.len();
        is_inside
    })
}

/// Transcodes bytes to UTF-8. If they are malformed, returns them unchanged as the error.
fn decoded(bytes: Vec<u8>, encoding: Encoding) -> Result<String, Vec<u8>> {
    let mut text = Vec::new();
    match Transcoder::new(encoding).push(&bytes, &mut text) {
        Progress::Used(read) if read == bytes.len() => String::from_utf8(text).map_err(|_| bytes),
        _ => Err(bytes),
    }
}

impl Edit {
    /// Treats the text as JSON, even if it does not look like JSON: `{}` gets its first entry on
    /// the same line and in quotes, and no comments are written. If the text contains comments
    /// (`//` or `/*`), which in YAML would be part of a key or value, operations fail.
    ///
    /// ```
    /// use ketch_edit::{Action, Edit, Operation};
    ///
    /// let mut edit = Edit::deferred("{}\n".to_owned()).as_json();
    /// edit.apply(&[Operation::at(Action::set("x"), &".a".parse()?)])?;
    /// assert_eq!(edit.text(), "{\"a\": \"x\"}\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn as_json(mut self) -> Edit {
        self.is_named_json = true;
        self
    }

    /// Treats the text as JSON if the file name `name` ends in `.json` or `.jsonc`.
    #[must_use]
    pub fn of_file(self, name: &str) -> Edit {
        let extension = Path::new(name).extension();
        let is = |name: &str| extension.is_some_and(|found| found.eq_ignore_ascii_case(name));
        if is("json") || is("jsonc") { self.as_json() } else { self }
    }

    /// Returns an error if the text is treated as JSON and contains comments.
    pub(super) fn refuse_json_comments(&self) -> Result<(), EditError> {
        if !self.is_named_json {
            return Ok(());
        }
        let text = self.store().bytes(0..self.pieces.len());
        let Some(at) = json_comment(&text) else { return Ok(()) };
        let error = EditError::at(EditErrorKind::Invalid, &text, at);
        let message = "this looks like JSON with comments, which is not YAML";
        Err(error.with_detail(message.to_owned()))
    }

    /// Sets a function that can stop operations. It is called regularly while a text is parsed, and
    /// between the nodes that a path leads to. If it returns true, the operation fails with an
    /// error whose cause is [`Problem::Interrupted`](ketch_yaml::Problem::Interrupted), and the text
    /// stays as it was.
    #[must_use]
    pub fn interruptible(mut self, stop: fn() -> bool) -> Edit {
        self.interrupt = Some(stop);
        self
    }

    /// Polls the interrupt before the whole text is read. Returns `None` if the operation must
    /// stop.
    pub(super) fn poll(&mut self) -> Option<()> {
        self.is_stopped |= self.interrupt.is_some_and(|stop| stop());
        (!self.is_stopped).then_some(())
    }

    /// Returns whether the interrupt has stopped the operation, and resets this.
    pub(super) fn takes_stop(&mut self) -> bool {
        std::mem::take(&mut self.is_stopped)
    }
}

#[cfg(test)]
mod tests {
    use super::super::operation::{Action, Operation, Style, Transfer};
    use super::super::session::Edit;
    use ketch_yaml::Problem;
    use ketch_yaml::path::Step;
    use std::cell::Cell;

    thread_local! {
        /// The number of polls that let the operation continue before one stops it.
        static LEFT: Cell<usize> = const { Cell::new(0) };
    }

    fn stop() -> bool {
        LEFT.replace(LEFT.get().saturating_sub(1)) == 0
    }

    #[test]
    fn an_operation_can_be_interrupted_at_any_poll() {
        let text = format!("big: [{}]\nx: &a 1\ny: *a\nz: {{}}\n", "12, ".repeat(10_000));
        let at = |action, path: &str| Operation::at(action, &path.parse().expect("a path"));
        for operation in [
            at(Action::set("7"), "big[*]"),
            at(Action::Append("7".into()), "big"),
            at(Action::Anchor(Some("b".into())), "x"),
            at(Action::Copy(Transfer::to(vec![Step::Key("z".into())])), "x"),
            at(Action::Style(Style::Block), "big"),
        ] {
            let mut stopped = 0;
            for left in (0..8).chain([20, 9000]) {
                LEFT.set(left);
                let mut edit = Edit::deferred(text.clone()).interruptible(stop);
                match edit.apply(std::slice::from_ref(&operation)) {
                    Ok(()) => break,
                    Err(error) => {
                        let problem = error.cause().map(ketch_yaml::Error::problem);
                        assert_eq!(problem, Some(Problem::Interrupted), "{error} {operation:?}");
                        assert_eq!(edit.text(), text, "{operation:?} {left}");
                        stopped += 1;
                    }
                }
            }
            assert!(stopped > 2, "{operation:?}");
        }
    }
}

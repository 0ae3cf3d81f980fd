//! A text while it is edited.

use super::error::{EditError, EditErrorKind};
use super::expand::expanded;
use super::index::{Scan, Span, Table, Way, scan, token_hash};
use super::operation::Operation;
use super::pieces::{Patch, Pieces, inverse};
use super::place::Place;
use super::scene::{Habit, Scene};
use super::shifted::{Shift, Shifted};
use super::store::Store;
use super::tree::{Token, Tree};
use super::window::{Level, Window, has_stand_in, window};
use super::write::{Counts, Value};
use crate::path::Step;
use ketch_bytes::encoding::{Encoding, Progress, Transcoder};
use std::borrow::Cow;
use std::collections::HashMap;
use std::io::{self, Write};
use std::sync::OnceLock;

/// Operations on longer texts that are refused in a window are not tried on the whole text.
const WHOLE_MAX: usize = 64 << 20;

/// A text while it is edited.
///
/// The first operation parses the whole text. Later ones parse only the text around their entry.
///
/// ```
/// use ketch_yaml::edit::{Edit, Operation};
/// use ketch_yaml::path::Path;
///
/// let mut edit = Edit::open("image:\n  tag: '1.9'   # pinned\n")?;
/// let path: Path = "image.tag".parse().unwrap();
/// edit.apply(&[Operation::new("set", path.steps()).with_value("'1.10'")])?;
/// assert_eq!(edit.text(), "image:\n  tag: '1.10'   # pinned\n");
/// # Ok::<(), ketch_yaml::edit::EditError>(())
/// ```
#[derive(Debug)]
pub struct Edit {
    original: String,
    pieces: Pieces,
    encoding: Encoding,
    /// Whether only the lenient parser accepts the text; `None` before the first parse.
    lenient: Option<bool>,
    docs: Shifted<Span>,
    tables: HashMap<usize, Root>,
    counts: Option<Counts>,
    text: OnceLock<String>,
    checks_whole: bool,
    /// Whether the first line of the original ends with CRLF.
    has_crlf: bool,
}

/// The root of a document.
#[derive(Debug)]
struct Root {
    table: Option<Table>,
    is_json: bool,
}

/// The entry that an operation acts on.
pub(super) struct Target {
    pub doc: usize,
    /// The entry of each collection on the way to it.
    pub at: Vec<usize>,
    /// Whether a new entry comes before the last of these.
    pub is_new: bool,
}

impl Edit {
    /// Starts with a text, which is parsed once.
    ///
    /// # Errors
    ///
    /// The parser's first error.
    pub fn open(text: &str) -> Result<Edit, EditError> {
        let mut edit = Edit::deferred(text.to_owned());
        edit.check()?;
        Ok(edit)
    }

    /// Parses the text, unless an operation has.
    ///
    /// # Errors
    ///
    /// The parser's first error.
    pub fn check(&mut self) -> Result<(), EditError> {
        match self.lenient {
            None => self.parse(&[], 0),
            Some(_) => Ok(()),
        }
    }

    /// Starts with a text, which the first operation parses. For one edit of a long text, this is
    /// faster than [`Edit::open`].
    #[must_use]
    pub fn deferred(text: String) -> Edit {
        let first = memchr::memchr(b'\n', text.as_bytes());
        let has_crlf = first.is_some_and(|at| text[..at].ends_with('\r'));
        Edit {
            has_crlf,
            pieces: Pieces::new(text.len()),
            original: text,
            encoding: Encoding::Utf8,
            lenient: None,
            docs: Shifted::default(),
            tables: HashMap::new(),
            counts: None,
            text: OnceLock::new(),
            checks_whole: false,
        }
    }

    /// Starts with bytes in any encoding of YAML. Texts and patches are in UTF-8;
    /// [`Edit::to_bytes`] returns to the encoding.
    ///
    /// ```
    /// use ketch_yaml::edit::{Edit, Operation};
    /// use ketch_yaml::path::Step;
    ///
    /// let mut edit = Edit::from_bytes(b"\xFE\xFF\0a\0:\0 \x001".to_vec())?;
    /// edit.apply(&[Operation::new("set", &[Step::Name("a".into())]).with_value("2")])?;
    /// assert_eq!(edit.to_bytes(), b"\xFE\xFF\0a\0:\0 \x002");
    /// # Ok::<(), ketch_yaml::edit::EditError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The parser's first error, if the bytes are not a text. As with [`Edit::deferred`], the first
    /// operation reports others.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Edit, EditError> {
        let (encoding, _) = Encoding::detect(&bytes);
        let text = match encoding {
            Encoding::Utf8 => String::from_utf8(bytes).map_err(|error| error.into_bytes()),
            _ => decoded(bytes, encoding),
        };
        match text {
            Ok(text) => Ok(Edit { encoding, ..Edit::deferred(text) }),
            // The parser knows the position.
            Err(bytes) => Err(match Tree::parse(&bytes) {
                Err(error) => error,
                Ok(_) => EditError::plain(EditErrorKind::Invalid),
            }),
        }
    }

    /// Checks the result of each edit by parsing the whole text. For tests: it accepts and refuses
    /// the same edits.
    #[must_use]
    pub fn checking_whole(self) -> Edit {
        Edit { checks_whole: true, ..self }
    }

    /// Applies operations in turn, each to the result of the one before: all of them, or none.
    ///
    /// # Errors
    ///
    /// If an operation is refused. Then nothing changes.
    pub fn apply(&mut self, operations: &[Operation]) -> Result<(), EditError> {
        let is_one = operations.len() == 1 && !is_many(&operations[0]);
        let before = (!is_one).then(|| self.pieces.clone());
        for (index, operation) in operations.iter().enumerate() {
            let done = self.run(operation);
            self.text.take();
            if let Err(error) = done {
                if let Some(before) = before {
                    self.pieces = before;
                    self.forget();
                }
                return Err(error.of_operation(index));
            }
        }
        Ok(())
    }

    /// Returns the current text for searches.
    pub(super) fn store(&self) -> Store<'_> {
        Store { original: &self.original, pieces: &self.pieces }
    }

    /// Forgets what is known about the text.
    fn forget(&mut self) {
        self.docs = Shifted::default();
        self.tables.clear();
        self.counts = None;
        self.text.take();
    }

    /// Parses the whole text.
    fn parse(&mut self, steps: &[Step], doc: usize) -> Result<(), EditError> {
        let whole = self.store().bytes(0..self.pieces.len());
        let found = match scan(&whole, Way { steps, doc }) {
            Ok(found) => found,
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
        let Scan { docs, table, is_json } = found;
        if doc < docs.len() {
            self.tables.insert(doc, Root { table, is_json });
        }
        self.docs = docs.into();
        Ok(())
    }

    /// Parses the text, if nothing has yet.
    pub(super) fn ensure_parsed(&mut self, steps: &[Step], doc: usize) -> Result<(), EditError> {
        if self.docs.is_empty() && self.lenient != Some(true) {
            self.parse(steps, doc)?;
        }
        Ok(())
    }

    /// Whether its layout is one that only other readers accept.
    pub(super) fn is_lenient(&self) -> bool {
        self.lenient == Some(true)
    }

    /// The documents.
    pub(super) fn spans(&self) -> &Shifted<Span> {
        &self.docs
    }

    /// Runs one operation, in a window if possible.
    fn run(&mut self, operation: &Operation) -> Result<(), EditError> {
        self.ensure_parsed(&operation.path, operation.doc)?;
        if is_many(operation) {
            let is_lenient = self.lenient == Some(true);
            if let Some(all) = expanded(self.text(), is_lenient, operation)? {
                return all.iter().try_for_each(|each| {
                    let done = self.run(each);
                    self.text.take();
                    done
                });
            }
        }
        let is_long = self.pieces.len() > WHOLE_MAX;
        match self.run_in_window(operation) {
            Some(Ok(())) => Ok(()),
            // The error in the whole text is more accurate, but parsing a long text takes too long.
            Some(Err(error)) if is_long => Err(error),
            _ => self.run_on_whole(operation),
        }
    }

    /// Runs an operation on the whole text, which is parsed again.
    fn run_on_whole(&mut self, operation: &Operation) -> Result<(), EditError> {
        let mut scene = Scene::new(self.text().to_owned())?;
        scene.has_crlf = self.has_crlf;
        if operation.if_exists && !scene.exists(operation)? {
            return Ok(());
        }
        scene.run(operation)?;
        let done = std::mem::take(&mut scene.done);
        if !done.is_empty() {
            done.iter().for_each(|patch| self.pieces.apply(patch));
            self.forget();
        }
        Ok(())
    }

    /// Runs an operation on the text around its entry. `None` if that is not enough.
    fn run_in_window(&mut self, operation: &Operation) -> Option<Result<(), EditError>> {
        if self.checks_whole || self.lenient == Some(true) || !is_local(operation) {
            return None;
        }
        let target = self.target(operation)?;
        let span = self.docs.get(target.doc)?;
        let (window, moved) = {
            let levels = self.levels(&target)?;
            let window = window(&self.store(), &levels, &span)?;
            let moved = window.operation(operation, &levels, target.is_new);
            (window, moved)
        };
        let inner = &window.text[window.before..window.text.len() - window.after];
        if has_stand_in(inner) {
            return None;
        }
        let is_json = self.tables.get(&target.doc)?.is_json;
        let mut scene = self.scene(&window, is_json).ok()?;
        // Keys with the same hash may differ.
        if !target.is_new && !scene.leads_to(&moved, target.at.len()) {
            return None;
        }
        let before = Counts::of(scene.text.as_bytes(), &scene.tree);
        let anchors = anchors(&scene.tree);
        let mut result = scene.run(&moved);
        if scene.wants_counts() {
            self.count().ok()?;
            scene = self.scene(&window, is_json).ok()?;
            result = scene.run(&moved);
        }
        if let Err(error) = result {
            return Some(Err(error.moved(window.before, window.range.start, self.text())));
        }
        if anchors != self::anchors(&scene.tree) || !is_inside(&scene, &window) {
            return None;
        }
        self.take(&target, &window, &scene, &before);
        Some(Ok(()))
    }

    /// Parses the text of a window.
    fn scene(&self, window: &Window, is_json: bool) -> Result<Scene, EditError> {
        let mut scene =
            Scene::in_window(window.text.clone(), Habit { is_json, counts: self.counts })?;
        scene.has_crlf = self.has_crlf;
        Ok(scene)
    }

    /// Computes the style of the whole text.
    fn count(&mut self) -> Result<(), EditError> {
        if self.counts.is_none() {
            self.counts = Some(Counts::of_text(self.text().as_bytes())?);
        }
        Ok(())
    }

    /// Takes the patches of a window.
    fn take(&mut self, target: &Target, window: &Window, scene: &Scene, before: &Counts) {
        for patch in &scene.done {
            let to = |at: usize| at - window.before + window.range.start;
            let at = to(patch.at.start)..to(patch.at.end);
            self.pieces.apply(&Patch { at, new: patch.new.clone() });
        }
        let delta = scene.text.len() as i64 - window.text.len() as i64;
        let after = Counts::of(scene.text.as_bytes(), &scene.tree);
        if let Some(counts) = &mut self.counts {
            counts.change(before, &after);
        }
        let span = self.docs.at(target.doc);
        self.docs.set(target.doc, Span { start: span.start, ..span.shifted(delta) });
        self.docs.shift_from(target.doc + 1, delta);
        let base = span.start;
        let Some(root) = self.tables.get_mut(&target.doc) else { return };
        let place = Place { at: &target.at, window, scene, base, delta };
        if !root.table.as_mut().is_some_and(|table| place.update(table)) {
            self.tables.remove(&target.doc);
        }
    }

    /// The table of each collection on the way to a target.
    pub(super) fn levels(&self, target: &Target) -> Option<Vec<Level<'_>>> {
        let mut base = self.docs.get(target.doc)?.start;
        let mut table = self.tables.get(&target.doc)?.table.as_ref()?;
        let mut levels = Vec::with_capacity(target.at.len());
        for (index, &at) in target.at.iter().enumerate() {
            levels.push(Level { table, base, at });
            if index + 1 < target.at.len() {
                base += table.cuts.at(at) as usize;
                table = table.below.get(&at)?;
            }
        }
        Some(levels)
    }

    /// Makes the table of the collection that the entry `at` is, if it is one.
    pub(super) fn reach(&mut self, doc: usize, at: &[usize], steps: &[Step]) -> Option<()> {
        let target = Target { doc, at: at.to_vec(), is_new: false };
        let span = self.docs.get(doc)?;
        let levels = self.levels(&target)?;
        let last = *levels.last()?;
        if last.table.below.contains_key(&last.at) {
            return Some(());
        }
        let window = window(&self.store(), &levels, &span)?;
        let way = window.steps(&levels, steps);
        let found = scan(window.text.as_bytes(), Way { steps: &way, doc: 0 }).ok()?;
        let (mut table, mut base) = (found.table?, found.docs.first()?.start);
        for step in &way[..levels.len()] {
            let at = table.find(step).ok()??;
            base += table.cuts.at(at) as usize;
            table = table.below.remove(&at)?;
        }
        let actual = last.base + last.table.cuts.at(last.at) as usize;
        let delta = (base + window.range.start) as i64 - (window.before + actual) as i64;
        table.shift_all(delta);
        drop(levels);
        let mut parent = self.tables.get_mut(&doc)?.table.as_mut()?;
        let (&key, above) = at.split_last()?;
        for step in above {
            parent = parent.below.get_mut(step)?;
        }
        parent.below.insert(key, table);
        Some(())
    }

    /// Makes the table of the root of a document, if there is none.
    pub(super) fn root_table(&mut self, doc: usize, steps: &[Step]) -> Option<()> {
        let span = self.docs.get(doc)?;
        if !self.tables.contains_key(&doc) {
            let text = self.store().bytes(span.start..span.end);
            let Scan { mut table, is_json, docs } = scan(&text, Way { steps, doc: 0 }).ok()?;
            drop(text);
            let start = docs.first()?.start as i64;
            if let Some(table) = &mut table {
                table.shift_all(start);
            }
            self.tables.insert(doc, Root { table, is_json });
        }
        Some(())
    }

    /// Returns where an operation acts; `None` if finding that takes the whole text.
    pub(super) fn target(&mut self, operation: &Operation) -> Option<Target> {
        let doc = operation.doc;
        self.root_table(doc, &operation.path)?;
        let inserts = matches!(operation.op.as_str(), "insert" | "append");
        let mut at: Vec<usize> = Vec::new();
        for (index, step) in operation.path.iter().enumerate() {
            if index > 0 && self.reach(doc, &at, &operation.path).is_none() {
                // A scalar, perhaps a null: its entry is the place.
                return self.entry(doc, at);
            }
            let levels =
                self.levels(&Target { doc, at: [&at[..], &[0]].concat(), is_new: false })?;
            let table = levels.last()?.table;
            let is_last = index + 1 == operation.path.len();
            if operation.op == "add" && is_last && !table.is_mapping {
                let place = match step {
                    Step::Name(name) | Step::Key(name) if name == "-" => table.len(),
                    step => usize::try_from(super::index::index_of(step)?).ok()?,
                };
                let count = table.len();
                return self.new_entry(doc, at, (place <= count).then_some(place)?);
            }
            match table.find(step).ok()? {
                Some(found) => at.push(found),
                None if table.is_mapping && adds(operation) => {
                    let count = table.len();
                    return self.new_entry(doc, at, count);
                }
                None => return None,
            }
        }
        if operation.op == "rename" {
            let name = Step::Key(operation.to.clone()?);
            let levels = self.levels(&Target { doc, at: at.clone(), is_new: false })?;
            // Another entry may have the new key.
            levels.last()?.table.find(&name).ok()?.is_none().then_some(())?;
        }
        if !inserts {
            return self.entry(doc, at);
        }
        if !at.is_empty() && self.reach(doc, &at, &operation.path).is_none() {
            return self.entry(doc, at);
        }
        let levels = self.levels(&Target { doc, at: [&at[..], &[0]].concat(), is_new: false })?;
        let place = place_in(levels.last()?.table, operation)?;
        self.new_entry(doc, at, place)
    }

    /// Returns the target that is the entry at `at`; `None` for a root.
    fn entry(&self, doc: usize, at: Vec<usize>) -> Option<Target> {
        (!at.is_empty()).then_some(Target { doc, at, is_new: false })
    }

    /// A new entry of the collection at `at`; of an empty one, that itself is the place.
    fn new_entry(&self, doc: usize, mut at: Vec<usize>, place: usize) -> Option<Target> {
        let mut target = Target { doc, at: at.clone(), is_new: true };
        target.at.push(0);
        let levels = self.levels(&target)?;
        if levels.last()?.table.len() == 0 {
            return self.entry(doc, at);
        }
        at.push(place);
        Some(Target { doc, at, is_new: true })
    }

    /// The text with all edits.
    #[must_use]
    pub fn text(&self) -> &str {
        if self.pieces.is_original(&self.original) {
            return &self.original;
        }
        self.text.get_or_init(|| self.store().text(0..self.pieces.len()).into_owned())
    }

    /// Whether the text differs from the original.
    #[must_use]
    pub fn is_changed(&self) -> bool {
        !self.patches().is_empty()
    }

    /// Writes the text with all edits, in the encoding of the bytes that were opened. What is not
    /// edited is copied, part by part.
    ///
    /// # Errors
    ///
    /// If `out` fails.
    pub fn write_to(&self, out: &mut impl Write) -> io::Result<()> {
        if self.encoding != Encoding::Utf8 {
            return out.write_all(&encoded(self.text(), self.encoding));
        }
        self.pieces.chunks(&self.original).try_for_each(|chunk| out.write_all(chunk))
    }

    /// The bytes that were opened.
    #[must_use]
    pub fn original_bytes(&self) -> Cow<'_, [u8]> {
        match self.encoding {
            Encoding::Utf8 => Cow::Borrowed(self.original.as_bytes()),
            encoding => Cow::Owned(encoded(&self.original, encoding)),
        }
    }

    /// The text with all edits, in the encoding of the bytes that were opened.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        match self.encoding {
            Encoding::Utf8 => self.pieces.chunks(&self.original).collect::<Vec<_>>().concat(),
            encoding => encoded(self.text(), encoding),
        }
    }

    /// Returns the patches that turn the original into the current text. They are sorted and do not
    /// overlap.
    #[must_use]
    pub fn patches(&self) -> Vec<Patch> {
        self.pieces.patches(&self.original)
    }

    /// The original text, in UTF-8.
    #[must_use]
    pub fn original(&self) -> &str {
        &self.original
    }

    /// Returns the patches that turn the current text back into the original.
    #[must_use]
    pub fn inverse(&self) -> Vec<Patch> {
        inverse(&self.original, &self.patches())
    }
}

/// Whether an operation only needs the text around its entry.
fn is_local(operation: &Operation) -> bool {
    let is_known = matches!(
        operation.op.as_str(),
        "set"
            | "replace"
            | "insert"
            | "append"
            | "add"
            | "delete"
            | "remove"
            | "rename"
            | "sort"
            | "comment"
            | "style"
            | "merge"
            | "merge_patch"
            | "test"
    );
    let is_stand_in = |step: &Step| match step {
        Step::Name(name) | Step::Key(name) => has_stand_in(name),
        _ => false,
    };
    is_known
        && !operation.if_exists
        && operation.alias.is_none()
        && operation.anchors.is_none()
        && !operation.path.iter().any(is_stand_in)
        && !operation.key.as_ref().is_some_and(|key| has_stand_in(key))
}

/// Returns whether an operation may have to be expanded into several.
fn is_many(operation: &Operation) -> bool {
    operation.documents.is_some() || operation.path.iter().any(Step::is_wildcard)
}

/// Whether an operation adds the keys that its path lacks.
fn adds(operation: &Operation) -> bool {
    matches!(operation.op.as_str(), "set" | "add" | "merge" | "append")
}

/// Where `insert` and `append` put a new entry of a collection.
fn place_in(table: &Table, operation: &Operation) -> Option<usize> {
    if operation.key.is_some() != table.is_mapping {
        return None;
    }
    if let Some(key) = &operation.key {
        let hash = token_hash(&Value::parse(key).ok()?.tokens());
        // Perhaps the key is there.
        let may_be_there = table.keys.find(&[0, hash]).1 > 0;
        (hash != 0 && !may_be_there).then_some(())?;
    }
    let count = table.len();
    if let Some(neighbor) = operation.before.as_ref().or(operation.after.as_ref()) {
        let found = match table.is_mapping {
            true => table.find(&Step::Name(neighbor.clone())).ok()??,
            false => neighbor.parse().ok().filter(|&at: &usize| at < count)?,
        };
        return Some(found + usize::from(operation.before.is_none()));
    }
    let place = if operation.first { 0 } else { operation.index.unwrap_or(count) };
    (place <= count).then_some(place)
}

/// The anchors of a tree, in order.
fn anchors(tree: &Tree) -> Vec<Token> {
    let tokens = tree.tokens.iter();
    tokens.filter(|token| matches!(token, Token::Anchor(_))).cloned().collect()
}

/// Whether all patches are between the stand-ins.
fn is_inside(scene: &Scene, window: &Window) -> bool {
    let mut len = window.text.len();
    scene.done.iter().all(|patch| {
        let is_inside = patch.at.start >= window.before && patch.at.end <= len - window.after;
        len = len - patch.at.len() + patch.new.len();
        is_inside
    })
}

/// Transcodes bytes to UTF-8. If they are malformed, returns them unchanged as an error.
fn decoded(bytes: Vec<u8>, encoding: Encoding) -> Result<String, Vec<u8>> {
    let mut text = Vec::new();
    match Transcoder::new(encoding).push(&bytes, &mut text) {
        Progress::Used(read) if read == bytes.len() => String::from_utf8(text).map_err(|_| bytes),
        _ => Err(bytes),
    }
}

/// Transcodes a text from UTF-8 to an encoding.
fn encoded(text: &str, encoding: Encoding) -> Vec<u8> {
    let wide = || text.encode_utf16();
    match encoding {
        Encoding::Utf16Le => wide().flat_map(u16::to_le_bytes).collect(),
        Encoding::Utf16Be => wide().flat_map(u16::to_be_bytes).collect(),
        Encoding::Utf32Le => text.chars().flat_map(|ch| u32::from(ch).to_le_bytes()).collect(),
        Encoding::Utf32Be => text.chars().flat_map(|ch| u32::from(ch).to_be_bytes()).collect(),
        Encoding::Utf8 => text.as_bytes().to_vec(),
    }
}

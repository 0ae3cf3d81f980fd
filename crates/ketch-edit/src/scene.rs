//! The part of a text that an operation works on, and the check of each change to it.

use super::anchored::Anchored;
use super::error::{EditError, EditErrorKind};
use super::habits::{Counts, Habits};
use super::lines::{block_start, skip_trivia, starts_as_json};
use super::pieces::{Patch, apply_patches};
use super::remark::Remark;
use super::tree::{Interrupt, Node, Shape, Token, Tree, reading};
use ketch_yaml::EventKind;
use ketch_yaml::path::Step;
use std::cell::{Cell, OnceCell};
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

/// A text or a window of it, with its nodes and the patches that were applied so far.
#[derive(Debug)]
pub(super) struct Scene {
    pub text: String,
    pub tree: Tree,
    /// The patches that were applied, each to the result of those before it.
    pub done: Vec<Patch>,
    /// Whether the layout of the text is one that YAML 1.2 forbids but other parsers accept.
    pub lenient: bool,
    /// The style of the whole text, if the scene is only a window of it.
    habit: Option<Habit>,
    /// The style of the text, if the scene is the whole text; computed on first use.
    counted: OnceCell<Habit>,
    /// Whether new text depended on counts that were not known.
    wants_counts: Cell<bool>,
    /// Whether the operation depended on text outside of the window.
    wants_whole: Cell<bool>,
    /// The numbers of bytes of the stand-ins before and after the window.
    margins: (usize, usize),
    /// Whether blank lines separated the two entries of a collection of which one is being moved.
    pub was_apart: bool,
    /// Whether a blank line separates every two entries of the collection that the window is a part
    /// of, if that is known.
    is_apart: Option<bool>,
    /// Whether new lines end with CRLF if the text has no line break.
    pub has_crlf: bool,
    /// Whether the text is treated as JSON, whatever it looks like.
    pub is_named_json: bool,
    /// The index of the document that the operation edits.
    pub doc: usize,
    /// Whether aliases may lose their anchors for now, because the caller checks them later.
    pub are_aliases_loose: bool,
    /// What anchors of the whole text name, if the scene is a window in which keys may be aliases.
    pub anchored: Option<Arc<Anchored>>,
    /// What the operation did that may not have been intended.
    pub remarks: Vec<Remark>,
    /// The text that the value comes from.
    pub foreign: Option<Box<Scene>>,
    pub interrupt: Interrupt,
    /// The error of an interrupt, which ends the operation regardless of its own result.
    pub interrupted: Option<EditError>,
}

/// The style of the whole text, which new text in a window follows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Habit {
    pub is_json: bool,
    /// The counts that decide about the style; `None` if they are not known yet.
    pub counts: Option<Counts>,
}

/// Patches of the current text, and the changes that they make to its tokens.
#[derive(Debug, Default)]
pub(super) struct Plan {
    pub patches: Vec<Patch>,
    /// The changes to the tokens, in order and without overlap.
    pub splices: Vec<Splice>,
}

/// A range of tokens, and the tokens that replace it.
#[derive(Debug)]
pub(super) struct Splice {
    pub at: Range<usize>,
    pub new: Vec<Part>,
}

/// A part of the tokens that should result from an edit.
#[derive(Debug)]
pub(super) enum Part {
    /// Old tokens, whose meaning is kept.
    Kept(Range<usize>),
    New(Vec<Token>),
}

impl Splice {
    /// Creates a splice whose new tokens have no counterpart in the old text.
    pub fn new(at: Range<usize>, new: Vec<Token>) -> Splice {
        Splice { at, new: vec![Part::New(new)] }
    }
}

impl Plan {
    /// Creates a plan with patches that change no token.
    pub fn of_layout(patches: Vec<Patch>) -> Plan {
        Plan { patches, splices: Vec::new() }
    }
}

/// For each token, the index that it had in the old list; `None` for a new token.
type Origins = Vec<Option<usize>>;

/// The place that a node gets: the path of its new collection, and its key there.
pub(super) struct Place {
    pub parents: Vec<Step>,
    /// The new key; `None` in a sequence.
    pub key: Option<String>,
}

/// The place of a new entry in a collection.
#[derive(Clone, Copy)]
pub(super) struct Slot {
    /// The index of the existing entry that will follow it; `None` if it comes last.
    pub at: Option<usize>,
    /// Whether it goes directly below the entry before it, rather than above the comments of the
    /// entry after it.
    pub is_after: bool,
}

impl Scene {
    /// Parses a whole text; leniently, if the strict parser rejects it.
    pub fn new(text: String, interrupt: Interrupt) -> Result<Scene, EditError> {
        let options = reading(false, interrupt);
        let strict = Tree::parse_with(text.as_bytes(), &options);
        let lenient = strict.is_err();
        let tree = match strict {
            Ok(tree) => tree,
            Err(error) if error.is_interrupted() => return Err(error),
            Err(error) => Tree::parse_as(text.as_bytes(), true).map_err(|_| error)?,
        };
        Ok(Scene {
            text,
            tree,
            anchored: None,
            interrupt,
            interrupted: None,
            remarks: Vec::new(),
            foreign: None,
            done: Vec::new(),
            lenient,
            habit: None,
            counted: OnceCell::new(),
            wants_counts: Cell::new(false),
            wants_whole: Cell::new(false),
            margins: (0, 0),
            was_apart: false,
            is_apart: None,
            has_crlf: false,
            is_named_json: false,
            doc: 0,
            are_aliases_loose: false,
        })
    }

    /// Parses the text of a window, in which stand-ins replace the rest of the whole text. Before
    /// and after the window, they have as many bytes as `margins` says.
    pub fn in_window(
        text: String,
        margins: (usize, usize),
        habit: Habit,
        interrupt: Interrupt,
    ) -> Result<Scene, EditError> {
        let scene = Scene::new(text, interrupt)?;
        if scene.lenient {
            return Err(EditError::plain(EditErrorKind::Invalid));
        }
        Ok(Scene { habit: Some(habit), margins, ..scene })
    }

    /// Returns the scene of a window that is part of a collection in which `is_apart` says, if known,
    /// whether a blank line separates every two entries.
    pub fn within(self, is_apart: Option<bool>) -> Scene {
        Scene { is_apart, ..self }
    }

    /// Returns whether the operation depended on text outside of the window, so that it must be run
    /// on the whole text.
    pub fn wants_whole(&self) -> bool {
        self.wants_whole.get()
    }

    /// Returns whether the scene has all entries of the collection `node`.
    pub fn has_all_of(&self, node: usize) -> bool {
        let (before, after) = self.margins;
        let node = &self.tree.nodes[node];
        node.content >= before && node.end <= self.text.len() - after
    }

    /// Returns whether the entry that starts at `start` is the first one of a window.
    pub fn starts_window(&self, start: usize) -> bool {
        self.margins.0 > 0 && block_start(self.text.as_bytes(), start) <= self.margins.0
    }

    /// Returns whether a blank line separates every two entries of the collection `node` also outside
    /// of the window. If that is not known, notes that the operation depends on it.
    pub fn is_apart_outside(&self, node: usize) -> bool {
        if self.has_all_of(node) {
            return true;
        }
        self.wants_whole.set(self.wants_whole.get() || self.is_apart.is_none());
        self.is_apart == Some(true)
    }

    /// Returns whether new text depended on counts that were not known, so that the operation must
    /// be run again.
    pub fn wants_counts(&self) -> bool {
        self.wants_counts.get()
    }

    /// Returns the style of the document as it was before the operation.
    pub fn habits(&self) -> Habits<'_> {
        let habit = self.habit.unwrap_or_else(|| {
            *self.counted.get_or_init(|| Habit {
                is_json: self.is_json(),
                counts: Some(Counts::of(self.text.as_bytes(), &self.tree)),
            })
        });
        Habits { is_json: habit.is_json, counts: habit.counts, is_wanted: Some(&self.wants_counts) }
    }

    /// Returns whether the document looks like JSON: a mapping in braces whose keys are all in
    /// double quotes, or a sequence in brackets whose first item looks like JSON.
    fn is_json(&self) -> bool {
        if self.is_named_json {
            return true;
        }
        let Some(root) = self.tree.docs.get(self.doc).and_then(|doc| doc.root) else {
            return false;
        };
        let node = &self.tree.nodes[root];
        if node.is_flow && node.shape == Shape::Sequence {
            let text = self.text.as_bytes();
            return starts_as_json(&text[skip_trivia(text, node.content + 1)..]);
        }
        let is_quoted = |&key: &usize| self.tree.nodes[key].event.kind == EventKind::DoubleQuoted;
        node.is_flow
            && node.shape == Shape::Mapping
            && !node.children.is_empty()
            && node.children.iter().step_by(2).all(is_quoted)
    }

    /// Returns an error of the kind `kind` at the offset `at` of the text.
    pub fn refuse(&self, kind: EditErrorKind, at: usize) -> EditError {
        EditError::at(kind, self.text.as_bytes(), at)
    }

    /// Applies `plan`. It is an error if the resulting text does not have the intended tokens; the
    /// text then stays as it was.
    pub fn commit(&mut self, mut plan: Plan) -> Result<(), EditError> {
        plan.patches.sort_by_key(|patch| (patch.at.start, patch.at.end));
        plan.patches.retain(|patch| !patch.at.is_empty() || !patch.new.is_empty());
        let place = plan.patches.first().map_or(0, |patch| patch.at.start);
        let is_part = |patch: &Patch| self.text.get(patch.at.clone()).is_some();
        let overlaps = plan.patches.windows(2).any(|two| two[0].at.end > two[1].at.start);
        if overlaps || !plan.patches.iter().all(is_part) {
            return Err(self.refuse(EditErrorKind::WouldChangeMeaning, place));
        }
        for patch in &mut plan.patches {
            let has_crlf = line_break_is_crlf(&self.text, patch.at.start);
            if patch.new.contains('\n') && has_crlf.unwrap_or(self.has_crlf) {
                patch.new = patch.new.replace("\r\n", "\n").replace('\n', "\r\n");
            }
        }
        plan.patches.retain(|patch| self.text[patch.at.clone()] != *patch.new);
        let text = apply_patches(&self.text, &plan.patches);
        let tree = self.parse_result(&text, place)?;
        // The style must be determined before the text changes.
        if self.habit.is_none() {
            self.habits();
        }
        let (tokens, origins) = self.intended(&plan.splices);
        if tree.tokens != tokens {
            return Err(self.refuse(EditErrorKind::WouldChangeMeaning, place));
        }
        if !self.are_aliases_loose {
            self.check_aliases(&tokens, &origins)?;
            check_loops(&tree, &origins)?;
        }
        if ends_open(&text, &tree) && !ends_open(&self.text, &self.tree) {
            return self.commit(with_last_break(plan, self.text.len()));
        }
        self.done.extend(plan.patches.into_iter().rev());
        (self.text, self.tree) = (text, tree);
        Ok(())
    }

    /// Parses `text`, the result of patches of which the first is at `place`. It is a
    /// `WouldChangeMeaning` error if that fails.
    fn parse_result(&mut self, text: &str, place: usize) -> Result<Tree, EditError> {
        let options = reading(self.lenient, self.interrupt);
        match Tree::parse_with(text.as_bytes(), &options) {
            Err(error) if error.is_interrupted() => {
                // The operation must not try another plan.
                self.interrupted = Some(error);
                Err(EditError::interrupted())
            }
            Err(_) => Err(self.refuse(EditErrorKind::WouldChangeMeaning, place)),
            tree => tree,
        }
    }

    /// Returns the intended tokens and, for each one that is kept, its old index.
    fn intended(&self, splices: &[Splice]) -> (Vec<Token>, Origins) {
        let old = &self.tree.tokens;
        let (mut tokens, mut origins) = (Vec::with_capacity(old.len()), Vec::new());
        let keep = |tokens: &mut Vec<Token>, origins: &mut Origins, range: Range<usize>| {
            tokens.extend_from_slice(&old[range.clone()]);
            origins.extend(range.map(Some));
        };
        let mut at = 0;
        for splice in splices {
            keep(&mut tokens, &mut origins, at..splice.at.start);
            for part in &splice.new {
                match part {
                    Part::Kept(range) => keep(&mut tokens, &mut origins, range.clone()),
                    Part::New(new) => {
                        tokens.extend_from_slice(new);
                        origins.resize(tokens.len(), None);
                    }
                }
            }
            at = splice.at.end;
        }
        keep(&mut tokens, &mut origins, at..old.len());
        (tokens, origins)
    }

    /// Returns an error if an alias that existed before the edit would refer to another node, or if
    /// an alias would refer to none.
    fn check_aliases(&self, tokens: &[Token], origins: &Origins) -> Result<(), EditError> {
        if !tokens.iter().any(|token| matches!(token, Token::Alias(_))) {
            return Ok(());
        }
        let before: HashMap<usize, Option<usize>> =
            aliases(&self.tree.tokens).into_iter().collect();
        for (alias, target) in aliases(tokens) {
            let Some(origin) = origins[alias] else {
                if target.is_some() {
                    continue;
                }
                let Token::Alias(name) = &tokens[alias] else { continue };
                let message = format!("there is no anchor `&{name}` before the alias `*{name}`");
                return Err(
                    EditError::plain(EditErrorKind::WouldChangeMeaning).with_detail(message)
                );
            };
            // A renamed alias is a new token, so it is not checked here.
            let old = before.get(&origin).copied().flatten();
            let now = target.and_then(|target| origins[target]);
            if old == now && old.is_some() || old.is_none() && target.is_none() {
                continue;
            }
            let at = self.alias_offset(origin);
            let is_gone = old.is_some_and(|old| !origins.contains(&Some(old)));
            let kind = if is_gone && target.is_none() {
                EditErrorKind::AnchorInUse
            } else {
                EditErrorKind::WouldChangeMeaning
            };
            return Err(self.refuse(kind, at));
        }
        Ok(())
    }

    /// Returns the offset of the alias whose token has the index `token`.
    fn alias_offset(&self, token: usize) -> usize {
        let nodes = &self.tree.nodes;
        nodes.iter().find(|node| node.content_tokens == token).map_or(0, |node| node.content)
    }
}

/// Returns an error if an alias in `tree` that has no origin is inside the node that it refers to.
fn check_loops(tree: &Tree, origins: &Origins) -> Result<(), EditError> {
    let is_new =
        |node: &&Node| node.shape == Shape::Alias && origins[node.content_tokens].is_none();
    for node in tree.nodes.iter().filter(is_new) {
        let Token::Alias(name) = &tree.tokens[node.content_tokens] else { continue };
        let parent = |&at: &usize| tree.nodes[at].parent;
        let mut outer = std::iter::successors(node.parent, parent).map(|at| &tree.nodes[at]);
        let is_named = |outer: &Node| {
            let mut properties = outer.tokens.start..outer.content_tokens;
            properties.any(|at| matches!(&tree.tokens[at], Token::Anchor(anchor) if anchor == name))
        };
        if outer.any(is_named) {
            let message = format!("the alias `*{name}` would be inside the node that it refers to");
            return Err(EditError::plain(EditErrorKind::WouldChangeMeaning).with_detail(message));
        }
    }
    Ok(())
}

/// Returns the indices of the alias tokens, each with the index of the anchor token that it refers
/// to.
pub(super) fn aliases(tokens: &[Token]) -> Vec<(usize, Option<usize>)> {
    let mut names: HashMap<&str, usize> = HashMap::new();
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::Document => names.clear(),
            Token::Anchor(name) => drop(names.insert(name, at)),
            Token::Alias(name) => found.push((at, names.get(name.as_str()).copied())),
            _ => {}
        }
    }
    found
}

/// Returns whether the next line break after `at` is a CRLF. If there is none, the line break
/// before `at` decides; without both, the result is `None`.
fn line_break_is_crlf(text: &str, at: usize) -> Option<bool> {
    let bytes = text.as_bytes();
    let after = memchr::memchr(b'\n', &bytes[at..]).map(|len| at + len);
    let found = after.or_else(|| memchr::memrchr(b'\n', &bytes[..at]))?;
    Some(found > 0 && bytes[found - 1] == b'\r')
}

/// Returns whether `text` ends with a block scalar whose value ends with a line break, although the
/// text does not. Many parsers add such a line break to the value only if the text has it.
fn ends_open(text: &str, tree: &Tree) -> bool {
    let last = tree.nodes.last().filter(|_| !text.ends_with('\n'));
    last.is_some_and(|last| {
        matches!(last.event.kind, EventKind::Literal | EventKind::Folded)
            && last.event.start + last.event.len == text.len()
            && matches!(&tree.tokens[last.content_tokens], Token::Text(text) if text.ends_with('\n'))
    })
}

/// Returns `plan` with a line break added at the end of the text, whose length is `len`.
fn with_last_break(mut plan: Plan, len: usize) -> Plan {
    match plan.patches.last_mut() {
        Some(last) if last.at.end == len => last.new.push('\n'),
        _ => plan.patches.push(Patch { at: len..len, new: "\n".to_owned() }),
    }
    plan
}

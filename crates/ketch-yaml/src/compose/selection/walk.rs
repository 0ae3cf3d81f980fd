//! The walk through the events.

use super::at::At;
use super::cut::{Cut, Sight, word_count};
use super::found::Found;
use super::frame::{Frame, Held, Role};
use super::make::Maker;
use super::options::SelectionOptions;
use crate::compose::composer::{Lines, Part};
use crate::compose::document::Document;
use crate::compose::key::{ScalarKey, with_text};
use crate::compose::merge::is_merge_key;
use crate::compose::options::DuplicateKeys;
use crate::compose::select::{Many, Match, Reached, Wanted};
use crate::compose::view::Kind;
use crate::error::Error;
use crate::event::{Chunk, Event, EventKind, Events, KIND_SHIFT};
use crate::path::{self, Path};
use crate::problem::Problem;
use crate::scalar;
use crate::schema::ScalarTag;
use std::borrow::Cow;
use std::collections::VecDeque;

/// Walks through events and adds results to `found`.
#[derive(Debug)]
pub(super) struct Walker {
    pub(super) options: SelectionOptions,
    pub(super) wanted: Vec<Wanted>,
    /// The role of the root, which is an entry if the first of `wanted` is a filter of documents.
    pub(super) root: Role,
    pub found: VecDeque<Found>,
    /// Whether the rest of the stream is not needed.
    pub is_done: bool,
    pub(super) maker: Maker,
    pub(super) lines: Lines,
    /// The number of chunks so far.
    pub(super) chunks: u64,
    pub(super) document: OpenDocument,
    /// The number of open collections.
    pub(super) depth: usize,
    /// The open collections on the path.
    pub(super) frames: Vec<Frame>,
    /// The node whose properties were read, but not its content.
    pub(super) begun: Option<Begun>,
    /// Whether the last key is on the path.
    pub(super) verdict: Verdict,
    pub(super) kept: Option<Kept>,
    pub(super) cut: Cut,
    pub(super) has_found: bool,
    pub(super) reached: Option<Reached>,
}

/// The open or next document.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct OpenDocument {
    pub index: u64,
    /// Its start in the stream, once it is known.
    pub start: Option<u64>,
}

/// A node whose properties were read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Begun {
    role: Role,
    has_tag: bool,
    /// Its start in the kept events of anchored nodes.
    start: usize,
}

/// A node that is being kept.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kept {
    purpose: Purpose,
    depth: usize,
    pub has_alias: bool,
}

/// Why a node is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// This many steps lead to it; the rest are followed in its document.
    Node(usize),
    /// An entry that a filter has to accept: the index of the step with the filter, and that of the
    /// entry.
    Entry(usize, u64),
    /// A key of a mapping on the path, which has to be composed to be compared.
    Key,
    /// A merge key and its value.
    Merge,
}

/// Whether a key of a mapping is the one that the path selects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Verdict {
    #[default]
    Other,
    Wanted(Match),
    Merge,
}

impl Walker {
    /// Creates a walker that follows `path` and is before the first document.
    pub fn new(path: &Path, options: &SelectionOptions) -> Walker {
        let mut options = *options;
        let (documents, mut root) = (path.documents(), Role::At(0));
        match documents {
            Some(path::Documents::Index(index)) => {
                options.document.get_or_insert(*index);
            }
            Some(path::Documents::Filter(_)) => root = Role::Entry(0),
            _ => {}
        }
        let mut wanted = Wanted::in_stream(path, options.compose.schema);
        if options.text_keys {
            Wanted::only_text(&mut wanted);
        }
        Walker {
            options,
            wanted,
            root,
            found: VecDeque::new(),
            is_done: false,
            maker: Maker::new(&options.compose),
            lines: Lines::default(),
            chunks: 0,
            document: OpenDocument::default(),
            depth: 0,
            frames: Vec::new(),
            begun: None,
            verdict: Verdict::Other,
            kept: None,
            cut: Cut::default(),
            has_found: false,
            reached: None,
        }
    }

    /// Returns how far the path has led, or `None` once something was found.
    pub fn reached(&self) -> Option<&Reached> {
        self.reached.as_ref().filter(|_| !self.has_found)
    }

    /// Takes `document` back, to reuse its memory for a later one.
    pub fn recycle(&mut self, document: Box<Document<'static>>) {
        self.maker.recycle(document);
    }

    /// Walks through the events of `chunk`.
    pub fn take(&mut self, chunk: &Chunk<'_, '_>) -> Result<(), Error> {
        let part = Part::of(chunk);
        let sight = Sight { chunk: self.chunks, part, stream_end: chunk.stream_end() };
        self.chunks += 1;
        let mut at = 0;
        while at < part.words.len() && !self.is_done {
            if self.is_passing_by() {
                at += self.pass_by(&part.words[at..]);
            }
            let Some(&word) = part.words.get(at) else { break };
            let words = &part.words[at..at + word_count(word)];
            at += words.len();
            // The iterator skips only NOPs.
            if let Some(event) = Events::new(words).next() {
                self.event(At { sight: &sight, words, event })?;
            }
        }
        Ok(())
    }

    /// Returns whether the current collection is skipped, so that only its anchors and tags matter.
    fn is_passing_by(&self) -> bool {
        self.depth > self.floor()
            && self.kept.is_none()
            && self.begun.is_none()
            && !self.maker.anchored.is_keeping()
    }

    /// Returns the depth of nodes that may be on the path, which is that of the children of the
    /// innermost collection on it.
    fn floor(&self) -> usize {
        self.frames.last().map_or(0, |frame| frame.depth)
    }

    /// Skips `words` up to an anchor, a tag, or the end of the skipped collection. Returns the
    /// number of words skipped.
    fn pass_by(&mut self, words: &[u64]) -> usize {
        let floor = self.floor();
        for (at, &word) in words.iter().enumerate() {
            // A second word looks like a NOP.
            match word >> KIND_SHIFT & 15 {
                SEQUENCE_START | MAPPING_START => self.depth += 1,
                SEQUENCE_END | MAPPING_END if self.depth == floor + 1 => return at,
                SEQUENCE_END | MAPPING_END => self.depth -= 1,
                ANCHOR | TAG => return at,
                _ => {}
            }
        }
        words.len()
    }

    /// Handles the event `at`, which could not be skipped.
    fn event(&mut self, at: At<'_>) -> Result<(), Error> {
        match at.event.kind {
            EventKind::Directive => {
                self.start_document(at);
                let (words, event) = (at.words, &at.event);
                self.maker.directive((at.sight, words, event), at.bytes(), &mut self.lines);
            }
            EventKind::DocumentStart => self.start_document(at),
            EventKind::DocumentEnd => self.end_document(),
            EventKind::Anchor | EventKind::Tag => self.property(at),
            EventKind::SequenceStart | EventKind::MappingStart => self.start(at)?,
            EventKind::SequenceEnd | EventKind::MappingEnd => {
                self.keep(at);
                self.depth -= 1;
                self.close()?;
                self.end(at)?;
            }
            EventKind::Alias => self.alias(at)?,
            _ => self.scalar(at)?,
        }
        Ok(())
    }

    /// Records that the document starts at `at`, unless an earlier event has started it.
    fn start_document(&mut self, at: At<'_>) {
        self.document.start.get_or_insert(at.offset());
    }

    /// Clears the state of the document. If it was the only one wanted, the walk is done.
    fn end_document(&mut self) {
        self.maker.clear();
        self.is_done = self.options.document == Some(self.document.index);
        self.document = OpenDocument { index: self.document.index + 1, start: None };
    }

    /// Returns whether results may be in the current document.
    fn is_wanted_document(&self) -> bool {
        self.options.document.is_none_or(|wanted| wanted == self.document.index)
    }

    /// Handles the anchor or tag `at`. The first one begins a node.
    fn property(&mut self, at: At<'_>) {
        if !self.is_wanted_document() {
            return;
        }
        let mut begun = match self.begun {
            Some(begun) => begun,
            None => {
                let role = self.choose();
                if role == Role::Key {
                    self.start_keeping(Purpose::Key);
                }
                self.maker.anchored.start_node(self.depth);
                Begun { role, has_tag: false, start: self.maker.anchored.cut.len() }
            }
        };
        begun.has_tag |= at.event.kind == EventKind::Tag;
        self.begun = Some(begun);
        if at.event.kind == EventKind::Anchor {
            self.maker.anchored.define(at.bytes(), at.offset(), begun.start, self.depth);
        }
        self.keep(at);
    }

    /// Begins the content of a node at the event `at`, with or without properties before it.
    /// Returns the node's role. Fails if the options require a sequence here and the node is not
    /// one.
    fn begin(&mut self, at: At<'_>) -> Result<Role, Error> {
        let role = match self.begun.take() {
            Some(begun) => {
                self.maker.anchored.end_properties(self.depth);
                begun.role
            }
            None => self.choose(),
        };
        let is_wrong = match at.event.kind {
            // The target of an alias is checked when the alias is composed.
            EventKind::SequenceStart | EventKind::Alias => false,
            _ => self.has_to_be_sequence(role),
        };
        if is_wrong {
            return Err(Error::at(Problem::NotASequence, at.location()));
        }
        Ok(role)
    }

    /// Returns whether a node with the role `role` has to be a sequence: the last step applies to
    /// it, and the options require one.
    pub fn has_to_be_sequence(&self, role: Role) -> bool {
        let Role::At(steps) = role else { return false };
        self.options.is_sequence && steps + 1 == self.wanted.len()
    }

    /// Returns the role of the next node, and starts to keep the node if it has to be composed
    /// regardless of its kind.
    fn choose(&mut self) -> Role {
        if self.kept.is_some_and(|kept| kept.depth < self.depth) {
            return Role::Off;
        }
        let is_root = self.depth == 0 && self.is_wanted_document();
        let role = match self.frames.last_mut() {
            None if is_root => self.root,
            Some(frame) if frame.depth == self.depth => match frame.is_mapping {
                true => frame.expected,
                false => frame.entry(&self.wanted[frame.steps]),
            },
            _ => Role::Off,
        };
        match role {
            Role::At(steps) if self.is_kept_at(steps) => self.start_keeping(Purpose::Node(steps)),
            Role::Entry(steps) => {
                let entries =
                    self.frames.last().map_or(self.document.index, |frame| frame.count - 1);
                self.start_keeping(Purpose::Entry(steps, entries));
            }
            _ => {}
        }
        role
    }

    /// Returns whether a node to which `steps` steps lead is kept as a whole, regardless of its
    /// kind.
    fn is_kept_at(&self, steps: usize) -> bool {
        self.wanted.get(steps).is_none_or(|wanted| matches!(wanted.many, Many::Descend))
    }

    /// Keeps the events from here on, until the node ends, for `purpose`.
    fn start_keeping(&mut self, purpose: Purpose) {
        self.cut.clear();
        self.cut.break_run();
        self.kept = Some(Kept { purpose, depth: self.depth, has_alias: false });
    }

    /// Keeps the event `at` if a node around it is kept or anchored.
    fn keep(&mut self, at: At<'_>) {
        let At { sight, words, event } = at;
        self.maker.anchored.push(sight, words, &event, &mut self.lines);
        if let Some(kept) = &mut self.kept {
            kept.has_alias |= event.kind == EventKind::Alias;
            self.cut.push(sight, words, &event, &mut self.lines);
        }
    }

    /// Starts a collection at the event `at`. If it is on the path, its children are examined, or
    /// the whole collection is kept.
    fn start(&mut self, at: At<'_>) -> Result<(), Error> {
        let role = self.begin(at)?;
        let is_mapping = at.event.kind == EventKind::MappingStart;
        if let (Role::At(steps), None) = (role, self.kept) {
            if self.is_needed_whole(&self.wanted[steps], is_mapping) {
                self.start_keeping(Purpose::Node(steps));
            } else {
                let policy = self.options.compose.duplicate_keys;
                let wanted = &self.wanted[steps];
                self.frames.push(Frame::new(steps, self.depth + 1, is_mapping, wanted, policy));
            }
        }
        self.keep(at);
        self.depth += 1;
        Ok(())
    }

    /// Returns whether the children that the step `wanted` selects are known only at the end of
    /// their collection, which is a mapping or a sequence.
    fn is_needed_whole(&self, wanted: &Wanted, is_mapping: bool) -> bool {
        let is_negative = |bound: &Option<i64>| bound.is_some_and(|bound| bound < 0);
        match &wanted.many {
            Many::All => is_mapping && self.has_hidden_pairs(),
            Many::Slice(from, to) => !is_mapping && (is_negative(from) || is_negative(to)),
            Many::Filter(_) => is_mapping,
            Many::No | Many::Descend => false,
        }
    }

    /// Returns whether mappings may have pairs that are overridden or merged.
    fn has_hidden_pairs(&self) -> bool {
        let policy = self.options.compose.duplicate_keys;
        self.options.compose.merges()
            || matches!(policy, DuplicateKeys::First | DuplicateKeys::Last)
    }

    /// Handles the end of a collection. If it is on the path, yields the results that it held.
    fn close(&mut self) -> Result<(), Error> {
        let depth = self.depth + 1;
        let Some(mut frame) = self.frames.pop_if(|frame| frame.depth == depth) else {
            return Ok(());
        };
        let found = frame.finish();
        let is_open = found.iter().all(|held| matches!(held, Held::Later(_)));
        if is_open && frame.is_dead_end(&self.wanted[frame.steps]) {
            let kind = if frame.is_mapping { Kind::Mapping } else { Kind::Sequence };
            let (steps, len, keys) = (frame.steps, frame.count, frame.keys.into_vec());
            let reached = Reached { steps, kind, len, keys };
            if self.options.dead_ends {
                return self.deliver_dead_end(reached);
            }
            self.note_reached(reached);
        }
        found.into_iter().try_for_each(|found| self.deliver(found))
    }

    /// Handles the alias `at`. If it is on the path, it is kept, to be followed in the composed
    /// document.
    fn alias(&mut self, at: At<'_>) -> Result<(), Error> {
        match self.begin(at)? {
            Role::Key => self.start_keeping(Purpose::Key),
            Role::At(steps) if self.kept.is_none() => self.start_keeping(Purpose::Node(steps)),
            _ => {}
        }
        self.keep(at);
        self.end(at)
    }

    /// Handles the scalar `at`, which ends a path unless it is the result.
    fn scalar(&mut self, at: At<'_>) -> Result<(), Error> {
        let role = self.begin(at)?;
        if let (Role::At(steps), None, true) = (role, self.kept, self.options.dead_ends) {
            self.start_keeping(Purpose::Node(steps));
        }
        self.keep(at);
        match (role, self.kept) {
            (Role::Key, None) => self.verdict = self.judge(at),
            (Role::At(steps), None) => {
                self.note_reached(Reached { steps, kind: Kind::Scalar, len: 0, keys: Vec::new() });
            }
            _ => {}
        }
        self.end(at)
    }

    /// Classifies the key `at`, a scalar without properties.
    fn judge(&mut self, at: At<'_>) -> Verdict {
        let Some(frame) = self.frames.last_mut() else { return Verdict::Other };
        let wanted = &self.wanted[frame.steps];
        let event = Event { start: at.start_in_text(), ..at.event };
        let content = scalar::content(at.sight.part.text, &event);
        let is_plain = event.kind == EventKind::Plain;
        if is_plain && *content == *b"<<" && self.options.compose.merges() {
            return Verdict::Merge;
        }
        let schema = self.options.compose.schema;
        let tag = if is_plain { schema.resolve(&content) } else { ScalarTag::Str };
        let matched = match tag {
            ScalarTag::Str => wanted.matches_text(&content),
            tag => {
                let value = with_text(schema.convert(tag, &*content), Cow::Borrowed);
                wanted.matches(&ScalarKey::from_value(value, &content, schema))
            }
        };
        if !self.has_found || self.options.dead_ends {
            frame.keys.note(&content);
        }
        matched.map_or(Verdict::Other, Verdict::Wanted)
    }

    /// Classifies the key `kept`, which has to be composed to be compared.
    fn judge_kept(&mut self, kept: Kept) -> Result<Verdict, Error> {
        let (document, at) = self.make(kept, false)?;
        let Some(frame) = self.frames.last_mut() else { return Ok(Verdict::Other) };
        let view = document.view();
        let target = view.resolved(at);
        if !view.nodes[target].is_scalar() {
            return Ok(Verdict::Other);
        }
        if self.options.compose.merges() && is_merge_key(view, at) {
            return Ok(Verdict::Merge);
        }
        let key = ScalarKey::of(view, target, self.options.compose.schema);
        let matched = self.wanted[frame.steps].matches(&key);
        if !self.has_found || self.options.dead_ends {
            match view.tag(target) {
                None => frame.keys.note(&view.content(target)),
                Some(tag) => {
                    let content = view.content(target);
                    frame.keys.note(&[tag.as_bytes(), b" ", &content[..]].concat());
                }
            }
        }
        self.maker.recycle(document);
        Ok(matched.map_or(Verdict::Other, Verdict::Wanted))
    }

    /// Handles the end of a node of any kind, at the event `at`.
    fn end(&mut self, at: At<'_>) -> Result<(), Error> {
        self.maker.anchored.end_node(self.depth);
        let is_child = |frame: &&Frame| frame.is_mapping && frame.depth == self.depth;
        let expected = self.frames.last().filter(is_child).map(|frame| frame.expected);
        let is_key = expected == Some(Role::Key);
        let kept = self.kept.filter(|kept| kept.depth == self.depth);
        if let Some(kept) = kept {
            self.kept = None;
            match kept.purpose {
                Purpose::Node(steps) => self.find(kept, steps, None)?,
                Purpose::Entry(steps, index) => self.find(kept, steps, Some(index))?,
                Purpose::Key => self.verdict = self.judge_kept(kept)?,
                Purpose::Merge => self.find_merged(kept)?,
            }
        }
        if is_key {
            let role = self.key_ended(at, kept)?;
            self.expect(role);
        } else if expected.is_some() {
            self.expect(Role::Key);
        }
        Ok(())
    }

    /// Sets the role of the next node of the innermost mapping to `role`. If that is a key, a pair
    /// has just ended, and is counted.
    fn expect(&mut self, role: Role) {
        let Some(frame) = self.frames.last_mut() else { return };
        frame.count += u64::from(role == Role::Key);
        frame.expected = role;
    }

    /// Returns the role of the value after the key that has just ended with the event `at`. Fails
    /// if the key is a duplicate and duplicate keys are an error.
    fn key_ended(&mut self, at: At<'_>, kept: Option<Kept>) -> Result<Role, Error> {
        let verdict = std::mem::take(&mut self.verdict);
        let policy = self.options.compose.duplicate_keys;
        let Some(frame) = self.frames.last_mut() else { return Ok(Role::Off) };
        let on_path = Role::At(frame.steps + 1);
        if matches!(self.wanted[frame.steps].many, Many::All) {
            return Ok(on_path);
        }
        match (verdict, frame.matched) {
            // The mapping's own keys win.
            (Verdict::Merge, None) => {
                self.keep_merge_key(at, kept);
                Ok(Role::Merge)
            }
            (Verdict::Wanted(matched), first) => {
                match (first, policy) {
                    (None, _) => frame.matched = Some((matched, at.offset())),
                    (Some((same, offset)), DuplicateKeys::Error) if same == matched => {
                        return Err(at.duplicate(offset));
                    }
                    (_, DuplicateKeys::Last) => {}
                    _ => return Ok(Role::Off),
                }
                frame.hold();
                Ok(on_path)
            }
            _ => Ok(Role::Off),
        }
    }

    /// Keeps the merge key that ends with the event `at`, together with its value, which comes
    /// next.
    fn keep_merge_key(&mut self, at: At<'_>, kept: Option<Kept>) {
        match kept {
            Some(kept) => self.kept = Some(Kept { purpose: Purpose::Merge, ..kept }),
            None => {
                self.start_keeping(Purpose::Merge);
                self.cut.push(at.sight, at.words, &at.event, &mut self.lines);
            }
        }
    }

    /// Yields `reached`, a collection in which the path ends too early.
    fn deliver_dead_end(&mut self, reached: Reached) -> Result<(), Error> {
        let found = Found {
            document: Box::default(),
            nodes: Vec::new(),
            document_index: self.document.index,
            dead_end: Some(reached),
        };
        self.deliver(Held::Ready(Box::new(Ok(found))))
    }

    /// Records `reached`, a node to which the path led and below which it found nothing. The first
    /// of the farthest such nodes is reported.
    pub fn note_reached(&mut self, mut reached: Reached) {
        // A filter of documents is not a step of the path.
        reached.steps -= usize::from(self.root != Role::At(0));
        let is_farther = self.reached.as_ref().is_none_or(|last| last.steps < reached.steps);
        if !self.has_found && is_farther {
            self.reached = Some(reached);
        }
    }
}

const SEQUENCE_START: u64 = EventKind::SequenceStart as u64;
const SEQUENCE_END: u64 = EventKind::SequenceEnd as u64;
const MAPPING_START: u64 = EventKind::MappingStart as u64;
const MAPPING_END: u64 = EventKind::MappingEnd as u64;
const ANCHOR: u64 = EventKind::Anchor as u64;
const TAG: u64 = EventKind::Tag as u64;

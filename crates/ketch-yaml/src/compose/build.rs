//! Builds nodes from events, in a loop that every document goes through.
//!
//! A scalar is appended. The start of a collection is appended as well, and becomes the open collection.
//! The end of a collection completes it and returns to its parent. Properties go into the side tables
//! and set flags for the next node.
//!
//! The open collections are linked through their unfinished nodes; see [`super::node`].

use super::duplicates::KeyCheck;
use super::key::hasher;
use super::node::{ANCHORED, HAS_OVERRIDDEN, INDENT_MAX, LONG, Open, Packed, TAGGED};
use super::options::{ComposeOptions, DuplicateKeys};
use super::tree::{Alias, Anchor, Close, Side, Tag, Tree, View};
use crate::event::{Event, EventKind, Events, Flags, KIND_SHIFT, LEN_SHIFT};
use crate::fault::Fault;
use crate::limits::Limits;
use crate::problem::Problem;
use crate::tag::TagHandles;
use hashbrown::HashTable;
use std::hash::BuildHasher;

/// Mappings with more pairs than this get an index when they are looked up.
pub(super) const LINEAR_PAIRS_MAX: usize = 8;

/// The state of the loop between two runs of events of one document.
#[derive(Clone, Copy, Debug)]
struct Cursor {
    /// The index of the next node.
    at: usize,
    /// The open collection.
    open: Open,
    /// Flags of the next node.
    properties: u64,
}

impl Cursor {
    /// Returns the state before the first node of a document.
    fn start() -> Cursor {
        Cursor { at: 0, open: Open::NONE, properties: 0 }
    }
}

/// A run of events of one document, and the text that they point into.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run<'a> {
    pub words: &'a [u64],
    /// The document's text so far.
    pub text: &'a [u8],
    /// The number to add to an event's offset, modulo 2^32, to get an offset in `text`.
    pub shift: u32,
}

impl Run<'_> {
    /// Estimates the number of words from the start of this run to the end of the document, by the
    /// words per byte of this run. The estimate may be far too high, because the text may hold
    /// further documents.
    fn likely_words(self) -> usize {
        let offset = |word: &u64| (*word as u32).wrapping_add(self.shift) as usize;
        let start = self.words.first().map_or(0, offset);
        let end = self.words.last().map_or(0, offset);
        let bytes = end.saturating_sub(start).max(1) as u128;
        let rest = self.text.len().saturating_sub(start) as u128;
        (self.words.len() as u128 * rest / bytes) as usize
    }
}

/// Where a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Built {
    /// All words were consumed; the document goes on.
    All,
    /// The document ended after this many words; `explicit` says whether it ended with `...`.
    Document { words: usize, explicit: bool },
}

/// Builds one tree after another, reusing its tables.
#[derive(Debug)]
pub(super) struct Builder {
    pub options: ComposeOptions,
    pub handles: TagHandles,
    cursor: Cursor,
    names: Names,
    keys: KeyCheck,
}

/// Returns the maximum number of nodes in the document that `run` continues.
pub(super) fn nodes_max(limits: &Limits, run: Run<'_>) -> u64 {
    let bytes = run.text.len() as u64;
    limits.max_nodes.at(bytes).min(u64::from(u32::MAX) - run.words.len() as u64)
}

/// Returns the fault for the first node beyond the limit of `max` nodes, which starts at `at`.
pub(super) fn too_many_nodes(max: u64, at: usize) -> Fault {
    Fault { problem: Problem::TooManyNodes(max), at: at as u64, len: 1, related: None }
}

/// The names seen in the document, by the hash of their text.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// Indices of anchors; for a name used again, the last one.
    anchors: HashTable<u32>,
    /// Indices of tags: for each spelling, the first tag.
    tags: HashTable<u32>,
    /// Indices of resolved tags, so that different spellings of a tag share one.
    resolved: HashTable<u32>,
    /// The number of bytes of all resolved tags.
    resolved_bytes: u64,
}

impl Builder {
    /// Creates a builder with `options` and without an open document.
    pub fn new(options: ComposeOptions) -> Builder {
        Builder {
            options,
            handles: TagHandles::default(),
            cursor: Cursor::start(),
            names: Names::default(),
            keys: KeyCheck::new(&options),
        }
    }

    /// Clears the state of the last document, for the next one.
    pub fn start(&mut self) {
        self.cursor = Cursor::start();
        self.handles.clear();
        self.names.clear();
        self.keys.clear();
    }

    /// Adds the nodes of `run` to `tree`, up to the end of the document.
    pub fn run(&mut self, tree: &mut Tree, run: Run<'_>) -> Result<Built, Fault> {
        self.check_count(tree, run)?;
        if !tree.has_room(run.words.len()) {
            // A chunk may hold many documents: reserve only what this one needs.
            let is_end = |&word: &u64| kind(word) == KIND_DOCUMENT_END;
            match run.words.iter().position(is_end) {
                Some(words) => tree.make_room(words, words),
                None => tree.make_room(run.words.len(), run.likely_words()),
            }
        }
        let built = if self.options.duplicate_keys == DuplicateKeys::Off {
            self.build::<false>(tree, run)
        } else {
            self.build::<true>(tree, run)
        }?;
        self.check_count(tree, Run { words: &[], ..run })?;
        Ok(built)
    }

    /// Adds the nodes of `run` to `tree`, event by event. `KEYS` says whether keys are checked.
    fn build<const KEYS: bool>(&mut self, tree: &mut Tree, run: Run<'_>) -> Result<Built, Fault> {
        let Run { words, text, shift } = run;
        let Tree { storage, count, side } = tree;
        let nodes = storage.as_mut_slice();
        let mut cursor = Cursor { at: *count, ..self.cursor };
        let mut next = 0;
        let mut built = Built::All;
        while let Some(&word) = words.get(next) {
            next += 1;
            if is_short_node(word) {
                cursor.add(nodes, word, shift);
                continue;
            }
            match kind(word) {
                ending @ (KIND_MAPPING_END | KIND_SEQUENCE_END) => {
                    let len = (word >> LEN_SHIFT) as u32;
                    if len > 0 {
                        let end = (word as u32).wrapping_add(shift).wrapping_add(len);
                        side.closes.push(Close { node: cursor.open.node() as u32, end });
                    }
                    let closed = cursor.close(nodes);
                    if ending == KIND_MAPPING_END && closed.count() > 2 {
                        let nodes = &mut nodes[..cursor.at];
                        let is_large = closed.count() > 2 * LINEAR_PAIRS_MAX as u32;
                        if is_large || KEYS && !self.keys.are_distinct(nodes, text, closed.node()) {
                            self.mapping(nodes, side, text, closed)?;
                        }
                    }
                }
                KIND_DOCUMENT_END => {
                    let explicit = Event::unpack(word).flags.has(Flags::EXPLICIT);
                    built = Built::Document { words: next, explicit };
                    break;
                }
                KIND_NOP => {}
                // The cursor is passed by value, so that the compiler keeps it in registers.
                _ => (cursor, next) = self.rare(cursor, nodes, side, run, next - 1)?,
            }
        }
        *count = cursor.at;
        self.cursor = cursor;
        Ok(built)
    }

    /// Handles the event at `index` of the run's words: an anchor, a tag, an alias or a scalar of
    /// two words. Returns the new cursor and the index of the next word.
    #[inline(never)]
    fn rare(
        &mut self,
        mut cursor: Cursor,
        nodes: &mut [Packed],
        side: &mut Side,
        run: Run<'_>,
        index: usize,
    ) -> Result<(Cursor, usize), Fault> {
        let Run { words, text, shift } = run;
        let packed = Event::unpack(words[index]);
        // The iterator skips only NOPs, and this event is not one.
        let event = Events::new(&words[index..]).next().unwrap_or(packed);
        let offset = (event.start as u32).wrapping_add(shift);
        let len = event.len as u32;
        match event.kind {
            EventKind::Anchor => {
                self.names.anchor(side, text, cursor.at, offset, len);
                cursor.properties |= ANCHORED;
            }
            EventKind::Tag => {
                self.tag(side, text, cursor.at, offset, len)?;
                cursor.properties |= TAGGED;
            }
            EventKind::Alias => {
                let entry = self.names.alias(side, text, offset, len)?;
                let word = in_text(words[index], shift);
                cursor.push(nodes, Packed::with_extra(word & !LONG, cursor.at, entry));
            }
            kind if kind.is_scalar() => {
                if event.indent >= INDENT_MAX {
                    side.deep_indents.push((cursor.at as u32, event.indent));
                }
                let word = Packed::long_word(&event, offset) | cursor.properties;
                cursor.push(nodes, Packed::with_extra(word, cursor.at, len));
            }
            _ => {}
        }
        Ok((cursor, index + if packed.flags.has(Flags::EXTENDED) { 2 } else { 1 }))
    }

    /// Checks the number of nodes of `tree` against the limit, which is never more than 32-bit ids
    /// can count.
    fn check_count(&self, tree: &Tree, run: Run<'_>) -> Result<(), Fault> {
        let max = nodes_max(&self.options.limits, run);
        if tree.count as u64 <= max {
            return Ok(());
        }
        let first_too_many = tree.nodes().get(max as usize).or(tree.nodes().last());
        Err(too_many_nodes(max, first_too_many.map_or(0, |node| node.offset())))
    }

    /// Adds the tag of `len` bytes at `start` to the next node, whose index is `node`. Fails if the
    /// document's tags are too long in total.
    fn tag(
        &mut self,
        side: &mut Side,
        text: &[u8],
        node: usize,
        start: u32,
        len: u32,
    ) -> Result<(), Fault> {
        self.names.tag(side, text, &self.handles, node, start, len);
        self.names.check_tags(&self.options.limits, text, start, len)
    }

    /// Completes the mapping `closed`, which has many pairs, or keys that may be equal. Fails if
    /// duplicate keys are an error and it has some.
    #[cold]
    #[inline(never)]
    fn mapping(
        &mut self,
        nodes: &mut [Packed],
        side: &mut Side,
        text: &[u8],
        closed: Open,
    ) -> Result<(), Fault> {
        let at = closed.node();
        if closed.count() > 2 * LINEAR_PAIRS_MAX as u32 {
            side.large.push(at as u32);
        }
        if self.options.duplicate_keys == DuplicateKeys::Off {
            return Ok(());
        }
        self.keys.check(View { nodes, side, text }, at)?;
        side.has_float_keys |= std::mem::take(&mut self.keys.has_floats);
        if self.keys.has_overridden() {
            nodes[at].set(HAS_OVERRIDDEN);
            side.has_overridden = true;
            for key in self.keys.overridden() {
                nodes[key as usize].override_key();
            }
        }
        Ok(())
    }
}

impl Cursor {
    /// Adds the node for `word`, an event of one word: a scalar, or the start of a collection.
    /// `shift` is added to its offset.
    ///
    /// The branch predictor cannot guess which comes next, so both take the same path, with
    /// selected values instead of branches.
    #[inline(always)]
    fn add(&mut self, nodes: &mut [Packed], word: u64, shift: u32) {
        let Cursor { at, open, properties } = *self;
        let is_start = kind(word) < KIND_PLAIN;
        let first = in_text(word, shift) | properties;
        let (scalar, start) = (Packed::scalar(first, at), Packed::start(first, open));
        nodes[at] = if is_start { start } else { scalar };
        let open = if is_start { Open::new(at) } else { open.with_child() };
        *self = Cursor { at: at + 1, open, properties: 0 };
    }

    /// Adds `node`, which is an alias or a scalar of two words.
    fn push(&mut self, nodes: &mut [Packed], node: Packed) {
        nodes[self.at] = node;
        *self = Cursor { at: self.at + 1, open: self.open.with_child(), properties: 0 };
    }

    /// Completes the open collection, makes its parent the open one, and returns the last state of
    /// the closed collection.
    #[inline(always)]
    fn close(&mut self, nodes: &mut [Packed]) -> Open {
        let closed = self.open;
        self.open = nodes[closed.node()].close(closed, self.at).with_child();
        closed
    }
}

/// Returns the event `word` with `shift` added to its offset, so that the offset is relative to the
/// document's text.
#[inline(always)]
pub(super) fn in_text(word: u64, shift: u32) -> u64 {
    let offset = (word as u32).wrapping_add(shift);
    word & !u64::from(u32::MAX) | u64::from(offset)
}

pub(super) const KIND_PLAIN: u64 = EventKind::Plain as u64;
pub(super) const KIND_NOP: u64 = EventKind::Nop as u64;
pub(super) const KIND_DOCUMENT_END: u64 = EventKind::DocumentEnd as u64;
pub(super) const KIND_SEQUENCE_END: u64 = EventKind::SequenceEnd as u64;
pub(super) const KIND_MAPPING_END: u64 = EventKind::MappingEnd as u64;

/// Returns the kind of the event `word`, as one of the `KIND_` numbers.
#[inline(always)]
pub(super) fn kind(word: u64) -> u64 {
    word >> KIND_SHIFT & 15
}

/// Returns whether the event `word` has no second word and becomes a node directly: a scalar, or
/// the start of a collection.
#[inline(always)]
pub(super) fn is_short_node(word: u64) -> bool {
    const KINDS: u32 = 1 << EventKind::SequenceStart as u32
        | 1 << EventKind::MappingStart as u32
        | 1 << EventKind::Plain as u32
        | 1 << EventKind::SingleQuoted as u32
        | 1 << EventKind::DoubleQuoted as u32
        | 1 << EventKind::Literal as u32
        | 1 << EventKind::Folded as u32;
    // These five bits are the kind and, above it, the flag that a second word follows.
    KINDS >> (word >> KIND_SHIFT & 31) & 1 != 0
}

/// Returns the `len` bytes of `text` from `start` on.
fn bytes(text: &[u8], start: u32, len: u32) -> &[u8] {
    &text[start as usize..start as usize + len as usize]
}

impl Names {
    /// Adds the anchor of `len` bytes at `start` to the next node, whose index is `node`.
    pub fn anchor(&mut self, side: &mut Side, text: &[u8], node: usize, start: u32, len: u32) {
        let index = side.anchors.len() as u32;
        side.anchors.push(Anchor { node: node as u32, start, len });
        let name = &bytes(text, start, len)[1..];
        let anchors = &side.anchors;
        let name_of = |index: u32| {
            let Anchor { start, len, .. } = anchors[index as usize];
            &bytes(text, start, len)[1..]
        };
        let hasher = hasher();
        let hash = hasher.hash_one(name);
        let rehash = |&index: &u32| hasher.hash_one(name_of(index));
        let entry = self.anchors.entry(hash, |&other| name_of(other) == name, rehash);
        *entry.or_insert(index).into_mut() = index;
    }

    /// Adds the alias of `len` bytes at `start` to the table of aliases and returns its index.
    /// Fails if no earlier node has its anchor.
    pub fn alias(
        &mut self,
        side: &mut Side,
        text: &[u8],
        start: u32,
        len: u32,
    ) -> Result<u32, Fault> {
        let name = &bytes(text, start, len)[1..];
        let found = self.anchors.find(hasher().hash_one(name), |&index| {
            let Anchor { start, len, .. } = side.anchors[index as usize];
            &bytes(text, start, len)[1..] == name
        });
        let Some(&anchor) = found else {
            let at = u64::from(start);
            return Err(Fault {
                problem: Problem::UnknownAlias,
                at,
                len: len as usize,
                related: None,
            });
        };
        let index = side.aliases.len() as u32;
        side.aliases.push(Alias { target: side.anchors[anchor as usize].node, len });
        Ok(index)
    }

    /// Adds the tag of `len` bytes at `start` to the next node, whose index is `node`. Returns
    /// false if an earlier tag has the same spelling.
    pub fn tag(
        &mut self,
        side: &mut Side,
        text: &[u8],
        handles: &TagHandles,
        node: usize,
        start: u32,
        len: u32,
    ) -> bool {
        let written = bytes(text, start, len);
        let tags = &side.tags;
        let written_of = |index: u32| {
            let Tag { start, len, .. } = tags[index as usize];
            bytes(text, start, len)
        };
        let hasher = hasher();
        let hash = hasher.hash_one(written);
        let rehash = |&index: &u32| hasher.hash_one(written_of(index));
        let is_same = |&other: &u32| written_of(other) == written;
        let entry = self.tags.entry(hash, is_same, rehash);
        let first = *entry.or_insert(tags.len() as u32).get();
        let known = side.tags.get(first as usize).map(|tag| tag.name);
        let name = known.unwrap_or_else(|| self.resolve(side, &handles.resolve(written)));
        side.tags.push(Tag { node: node as u32, start, len, name });
        known.is_none()
    }

    /// Returns the index of the resolved tag `tag` in the table of tags, and adds the tag if it is
    /// new.
    fn resolve(&mut self, side: &mut Side, tag: &str) -> u32 {
        let hasher = hasher();
        let names = &*side;
        let rehash = |&name: &u32| hasher.hash_one(names.tag_name(name));
        let is_same = |&name: &u32| names.tag_name(name) == tag;
        let next = side.tag_ends.len() as u32;
        let hash = hasher.hash_one(tag);
        self.resolved_bytes += tag.len() as u64;
        let name = *self.resolved.entry(hash, is_same, rehash).or_insert(next).get();
        if name == next {
            side.tag_hashes.push(hash);
            side.tag_text.push_str(tag);
            side.tag_ends.push(side.tag_text.len() as u32);
        }
        name
    }

    /// Checks the total length of the resolved tags against the limit. A fault is located at the
    /// tag of `len` bytes at `start`, which was added last.
    pub fn check_tags(
        &self,
        limits: &Limits,
        text: &[u8],
        start: u32,
        len: u32,
    ) -> Result<(), Fault> {
        let allowed = limits.max_tag_bytes.at(text.len() as u64);
        if self.resolved_bytes <= allowed {
            return Ok(());
        }
        let (problem, at) = (Problem::TooMuchTagText(allowed), u64::from(start));
        Err(Fault { problem, at, len: len as usize, related: None })
    }

    /// Removes the names of the last document.
    pub fn clear(&mut self) {
        self.anchors.clear();
        self.tags.clear();
        self.resolved.clear();
        self.resolved_bytes = 0;
    }
}

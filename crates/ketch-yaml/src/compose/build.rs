//! From events to nodes: the loop that every document goes through.
//!
//! Pseudo code: a scalar is written behind the last node; a start is written, too, and becomes the
//! open collection; an end completes the open collection and goes back to its parent. Properties
//! set flags for the node to come and go to the tables beside the nodes.
//!
//! The open collections are a list through the unfinished nodes themselves; see [`super::node`].

use super::duplicates::KeyCheck;
use super::key::hasher;
use super::node::{ANCHORED, FLOW, OVERRIDDEN, Packed, Shape, TAGGED};
use super::options::{ComposeOptions, DuplicateKeys};
use super::tree::{Alias, Anchor, Close, Side, Tag, Tree, View};
use crate::error::{Fault, Problem};
use crate::event::{Event, EventKind, Events, Flags, KIND_SHIFT, LEN_SHIFT};
use crate::tag::TagHandles;
use hashbrown::HashTable;
use std::hash::BuildHasher;

/// Mappings with more pairs than this get an index when they are looked up.
pub(super) const LINEAR_PAIRS_MAX: usize = 8;

/// No open collection: the next node is the root.
const NONE: u32 = u32::MAX;

/// Where the loop stands between two runs of events of one document.
#[derive(Clone, Copy, Debug)]
struct Cursor {
    /// The open collection.
    open: u32,
    /// How many children it has so far.
    count: u32,
    /// Flags of the node to come.
    properties: u32,
}

const START: Cursor = Cursor { open: NONE, count: 0, properties: 0 };

/// A run of events of one document, and the text that they point into.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run<'a> {
    pub words: &'a [u64],
    /// The document's text so far.
    pub text: &'a [u8],
    /// What to add to an event's offset to get one into `text`, modulo 2^32.
    pub shift: u32,
}

/// How far a run went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Built {
    /// All words were taken, and the document goes on.
    All,
    /// The document ended behind so many words; the flag tells a `...`.
    Document { words: usize, explicit: bool },
}

/// Builds trees, one after the other.
#[derive(Debug)]
pub(super) struct Builder {
    pub options: ComposeOptions,
    pub handles: TagHandles,
    cursor: Cursor,
    names: Names,
    keys: KeyCheck,
}

/// The names that the document has met, each by the hash of its text.
#[derive(Debug, Default)]
struct Names {
    /// Indices into the anchors; of several with one name, the last.
    anchors: HashTable<u32>,
    /// Indices into the tags, of the first that is written so.
    tags: HashTable<u32>,
    /// Indices of resolved tags, so that two spellings of one tag become one.
    resolved: HashTable<u32>,
    /// How many bytes resolving has made.
    resolved_bytes: u64,
}

impl Builder {
    pub fn new(options: ComposeOptions) -> Builder {
        Builder {
            options,
            handles: TagHandles::default(),
            cursor: START,
            names: Names::default(),
            keys: KeyCheck::new(&options),
        }
    }

    /// Forgets all about the last document.
    pub fn start(&mut self) {
        self.cursor = START;
        self.handles.clear();
        self.names.clear();
        self.keys.clear();
    }

    /// Adds the nodes of `run` to `tree`, up to the end of the document.
    pub fn run(&mut self, tree: &mut Tree, run: Run<'_>) -> Result<Built, Fault> {
        self.check_count(tree, run)?;
        tree.make_room(run.words.len());
        let Run { words, text, shift, .. } = run;
        let Tree { storage, count: node_count, side } = tree;
        let nodes = storage.as_mut_slice();
        let mut at = *node_count;
        let Cursor { mut open, mut count, mut properties } = self.cursor;
        let mut next = 0;
        let mut built = Built::All;
        while let Some(&word) = words.get(next) {
            next += 1;
            if is_short_scalar(word) {
                nodes[at] = Packed::short_scalar(word, shift, at, properties);
                at += 1;
                count += 1;
                properties = 0;
                continue;
            }
            let offset = (word as u32).wrapping_add(shift);
            match kind(word) {
                KIND_MAPPING_START | KIND_SEQUENCE_START => {
                    nodes[at] = Packed::new(start_head(word) | properties, count, offset, open);
                    open = at as u32;
                    at += 1;
                    count = 0;
                    properties = 0;
                }
                ending @ (KIND_MAPPING_END | KIND_SEQUENCE_END) => {
                    let len = (word >> LEN_SHIFT) as u32;
                    if len > 0 {
                        side.closes.push(Close { node: open, end: offset.wrapping_add(len) });
                    }
                    let node = &mut nodes[open as usize];
                    let (closed, parent, before) = (open as usize, node.end(), node.len());
                    node.set_len(count);
                    node.set_end(at as u32);
                    if ending == KIND_MAPPING_END && count > 2 {
                        self.mapping(&mut nodes[..at], side, text, closed)?;
                    }
                    open = parent as u32;
                    count = before as u32 + 1;
                }
                KIND_DOCUMENT_END => {
                    let explicit = Event::unpack(word).flags.has(Flags::EXPLICIT);
                    built = Built::Document { words: next, explicit };
                    break;
                }
                KIND_NOP => {}
                _ => {
                    let event = rare_event(words, next - 1);
                    next += usize::from(event.is_long);
                    let event = event.event;
                    match event.kind {
                        EventKind::Anchor => {
                            self.names.anchor(side, text, at, offset, event.len as u32);
                            properties |= ANCHORED;
                        }
                        EventKind::Tag => {
                            self.tag(side, text, at, offset, event.len as u32)?;
                            properties |= TAGGED;
                        }
                        EventKind::Alias => {
                            let len = event.len as u32;
                            let index = self.names.alias(side, text, offset, len)?;
                            let head = Shape::Alias as u32;
                            nodes[at] = Packed::new(head, index, offset, at as u32 + 1);
                            at += 1;
                            count += 1;
                        }
                        kind if kind.is_scalar() => {
                            nodes[at] = Packed::scalar(&event, offset, at, properties);
                            at += 1;
                            count += 1;
                            properties = 0;
                        }
                        _ => {}
                    }
                }
            }
        }
        *node_count = at;
        self.cursor = Cursor { open, count, properties };
        Ok(built)
    }

    /// Node indices have 32 bits, one of which values means none; and there is a limit to obey.
    fn check_count(&self, tree: &Tree, run: Run<'_>) -> Result<(), Fault> {
        let least = tree.count as u64;
        let limits = &self.options.limits;
        let bytes = run.text.len() as u64;
        let max = limits.max_nodes.at(bytes).min(u64::from(NONE) - run.words.len() as u64);
        if least <= max {
            return Ok(());
        }
        let last = tree.nodes().last().map_or(0, |node| node.offset());
        let at = last as u64;
        Err(Fault { problem: Problem::TooManyNodes(max), at, len: 1, related: None })
    }

    /// The node to come, `node`, has the tag at `start`.
    fn tag(
        &mut self,
        side: &mut Side,
        text: &[u8],
        node: usize,
        start: u32,
        len: u32,
    ) -> Result<(), Fault> {
        self.names.tag(side, text, &self.handles, node, start, len);
        let allowed = self.options.limits.max_tag_bytes.at(text.len() as u64);
        if self.names.resolved_bytes <= allowed {
            return Ok(());
        }
        let (problem, at) = (Problem::TooMuchTagText(allowed), u64::from(start));
        Err(Fault { problem, at, len: len as usize, related: None })
    }

    /// A mapping of several pairs is complete.
    #[inline(never)]
    fn mapping(
        &mut self,
        nodes: &mut [Packed],
        side: &mut Side,
        text: &[u8],
        at: usize,
    ) -> Result<(), Fault> {
        if nodes[at].len() > 2 * LINEAR_PAIRS_MAX {
            side.large.push(at as u32);
        }
        if self.options.duplicate_keys == DuplicateKeys::Off {
            return Ok(());
        }
        self.keys.check(View { nodes, side, text }, at)?;
        if self.keys.has_overridden() {
            nodes[at].set(OVERRIDDEN);
            for key in self.keys.overridden() {
                nodes[key as usize].set(OVERRIDDEN);
            }
        }
        Ok(())
    }
}

const KIND_NOP: u64 = EventKind::Nop as u64;
const KIND_DOCUMENT_END: u64 = EventKind::DocumentEnd as u64;
const KIND_SEQUENCE_START: u64 = EventKind::SequenceStart as u64;
const KIND_SEQUENCE_END: u64 = EventKind::SequenceEnd as u64;
const KIND_MAPPING_START: u64 = EventKind::MappingStart as u64;
const KIND_MAPPING_END: u64 = EventKind::MappingEnd as u64;

#[inline(always)]
fn kind(word: u64) -> u64 {
    word >> KIND_SHIFT & 15
}

/// Whether the event is a scalar of one word.
#[inline(always)]
fn is_short_scalar(word: u64) -> bool {
    // Kind and, as the bit above it, the flag that a second word follows.
    const PLAIN: u64 = EventKind::Plain as u64;
    const COUNT: u64 = EventKind::Folded as u64 - PLAIN + 1;
    (word >> KIND_SHIFT & 31).wrapping_sub(PLAIN) < COUNT
}

/// Shape and style of a collection.
#[inline(always)]
fn start_head(word: u64) -> u32 {
    let is_mapping = kind(word) == KIND_MAPPING_START;
    let is_flow = (word >> crate::event::FLAGS_SHIFT) as u8 & Flags::FLOW.bits() != 0;
    let shape = if is_mapping { Shape::Mapping } else { Shape::Sequence };
    shape as u32 | if is_flow { FLOW } else { 0 }
}

struct RareEvent {
    event: Event,
    is_long: bool,
}

/// The event at `at`, which may have two words.
fn rare_event(words: &[u64], at: usize) -> RareEvent {
    let event = Event::unpack(words[at]);
    let is_long = event.flags.has(Flags::EXTENDED);
    // Only NOPs are passed over, and this is none.
    RareEvent { event: Events::new(&words[at..]).next().unwrap_or(event), is_long }
}

fn bytes(text: &[u8], start: u32, len: u32) -> &[u8] {
    &text[start as usize..start as usize + len as usize]
}

impl Names {
    /// The node to come, `node`, has the anchor at `start`.
    fn anchor(&mut self, side: &mut Side, text: &[u8], node: usize, start: u32, len: u32) {
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

    /// The index of the alias at `start` in the table of aliases.
    fn alias(&mut self, side: &mut Side, text: &[u8], start: u32, len: u32) -> Result<u32, Fault> {
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

    /// The node to come, `node`, has the tag at `start`.
    fn tag(
        &mut self,
        side: &mut Side,
        text: &[u8],
        handles: &TagHandles,
        node: usize,
        start: u32,
        len: u32,
    ) {
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
    }

    /// The index of a resolved tag.
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

    fn clear(&mut self) {
        self.anchors.clear();
        self.tags.clear();
        self.resolved.clear();
        self.resolved_bytes = 0;
    }
}

//! Checks one document, event by event.
//!
//! A scalar that is a key is pushed on the stack of keys, and any other scalar is dropped. The start of a
//! collection opens it. The end of a mapping compares its keys, and the end of any collection returns to
//! the parent. Rare nodes, such as those with properties, take a slower path, and so do nodes in a
//! collection that needs a digest.

use super::digest::{Child, Digests};
use super::faults::Faults;
use super::keys::{Keys, Odd, Place, Suspects};
use super::meaning::{Context, Digest, Meaning, ScalarNode, digest_of};
use super::values::NEAR_BYTES;
use crate::compose::build::{
    Built, KIND_DOCUMENT_END, KIND_MAPPING_END, KIND_PLAIN, KIND_SEQUENCE_END, Names, Run, in_text,
    is_short_node, kind, nodes_max, too_many_nodes,
};
use crate::compose::key::TagKey;
use crate::compose::node::Shape;
use crate::compose::options::{ComposeOptions, DuplicateKeys};
use crate::compose::tree::{Side, alias_cycle};
use crate::event::{Event, EventKind, Events, Flags, LEN_SHIFT};
use crate::fault::Fault;
use crate::problem::Problem;
use crate::tag::TagHandles;

/// The next node that is expected in an open collection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Awaits {
    /// An entry of a sequence, the root, or a child of a mapping whose keys are not checked.
    Entry,
    Key,
    Value,
}

impl Awaits {
    /// Returns the state after the node.
    #[inline(always)]
    fn next(self) -> Awaits {
        match self {
            Awaits::Entry => Awaits::Entry,
            Awaits::Key => Awaits::Value,
            Awaits::Value => Awaits::Key,
        }
    }
}

/// An open collection, or the root.
#[derive(Clone, Copy, Debug)]
struct Open {
    /// The index of its first key on the stack. A document has fewer keys than bytes, so 32 bits
    /// are enough.
    from: u32,
    awaits: Awaits,
}

const ROOT: Open = Open { from: 0, awaits: Awaits::Entry };

/// The node of an anchor.
#[derive(Clone, Copy, Debug)]
enum Target {
    /// The node has not started yet.
    Awaited,
    /// A scalar, by its number.
    Scalar(u32),
    /// A collection that is open, by its offset.
    Open(u32),
    /// A collection that is complete, by the number of its digest.
    Collection(u32),
}

/// The properties of the next node.
#[derive(Clone, Copy, Debug, Default)]
struct Properties {
    anchor: Option<u32>,
    tag: Option<u32>,
}

/// A complete node that is about to be added to the keys and digests.
#[derive(Clone, Copy, Debug)]
struct Node {
    start: usize,
    len: usize,
    is_alias: bool,
    meaning: Meaning,
}

/// A document that is being read.
#[derive(Debug)]
pub(super) struct Walk {
    options: ComposeOptions,
    pub faults: Faults,
    /// Whether a limit was exceeded, so that the rest of the document is not checked.
    is_over: bool,
    handles: TagHandles,
    names: Names,
    /// The document's anchors and its different tags.
    side: Side,
    /// The node of each anchor.
    targets: Vec<Target>,
    scalars: Vec<ScalarNode>,
    collections: Vec<Result<Digest, Fault>>,
    open: Open,
    parents: Vec<Open>,
    nodes: u64,
    properties: Properties,
    /// Whether the next node has properties, or needs a digest.
    is_special: bool,
    pub keys: Keys,
    digests: Digests,
}

impl Walk {
    /// Creates a walk that finds the first `max` faults of a document.
    pub fn new(options: &ComposeOptions, max: usize) -> Walk {
        Walk {
            options: *options,
            faults: Faults::new(max),
            is_over: false,
            handles: TagHandles::default(),
            names: Names::default(),
            side: Side::default(),
            targets: Vec::new(),
            scalars: Vec::new(),
            collections: Vec::new(),
            open: ROOT,
            parents: Vec::new(),
            nodes: 0,
            properties: Properties::default(),
            is_special: false,
            keys: Keys::new(options),
            digests: Digests::new(options.duplicate_keys),
        }
    }

    /// Clears the state of the last document.
    pub fn start(&mut self) {
        self.is_over = false;
        self.handles.clear();
        self.names.clear();
        self.side.clear();
        self.targets.clear();
        self.scalars.clear();
        self.collections.clear();
        self.open = ROOT;
        self.parents.clear();
        self.nodes = 0;
        self.properties = Properties::default();
        self.is_special = false;
        self.keys.clear();
        self.digests.clear();
    }

    /// Prepares the second reading of a document. It compares the keys of large mappings that have
    /// the fingerprints `suspects`.
    pub fn know(&mut self, suspects: Suspects) {
        self.keys.know(suspects);
    }

    /// Takes the fingerprints of the keys that a second reading has to compare.
    pub fn take_suspects(&mut self) -> Suspects {
        self.keys.take_suspects()
    }

    /// Checks the events of `run`, up to the end of the document, and the number of nodes.
    pub fn run(&mut self, run: Run<'_>) -> Built {
        let before = self.nodes;
        let built = self.events(run);
        let max = nodes_max(&self.options.limits, Run { words: &[], ..run });
        if self.nodes > max && !self.is_over {
            let at = nth_node(run, max.saturating_sub(before));
            self.end_with(too_many_nodes(max, at));
        }
        built
    }

    /// Compares the keys of all open mappings, because a syntax error ends the document here.
    pub fn abandon(&mut self, text: &[u8]) {
        loop {
            if self.open.awaits != Awaits::Entry {
                let Walk { keys, side, faults, .. } = self;
                let context = Context { text, side, schema: self.options.schema };
                keys.close(context, place(self.open, &self.parents), faults);
            }
            let Some(parent) = self.parents.pop() else { return };
            self.open = parent;
        }
    }

    /// Adds `fault`, an exceeded limit, after which the rest of the document is not checked.
    fn end_with(&mut self, fault: Fault) {
        self.faults.push(fault);
        self.is_over = true;
    }

    /// Processes the events of `run`, up to the end of the document.
    fn events(&mut self, run: Run<'_>) -> Built {
        let Run { words, text, shift } = run;
        let mut next = 0;
        // The end of the last key.
        let mut end = self.keys.key_end.wrapping_sub(shift);
        while let Some(&word) = words.get(next) {
            if is_short_node(word) && !self.is_special {
                next += 1;
                let is_scalar = kind(word) >= KIND_PLAIN;
                match self.open.awaits {
                    Awaits::Key if is_scalar => {
                        self.nodes += 1;
                        self.keys.push(in_text(word, shift));
                        self.open.awaits = Awaits::Value;
                        end = (word as u32).wrapping_add((word >> LEN_SHIFT) as u32);
                        if self.keys.is_full(self.open.from as usize) {
                            self.pack(text);
                        }
                    }
                    awaits if is_scalar => {
                        self.nodes += 1;
                        self.open.awaits = awaits.next();
                        // At least a `:`, a line break and two spaces.
                        let is_far = (word as u32).wrapping_sub(end) > 3;
                        if is_far && awaits == Awaits::Value && kind(word) == KIND_PLAIN {
                            self.add_below(Event::unpack(word), end, run);
                        }
                        if awaits == Awaits::Entry {
                            let start = in_text(word, shift) as u32 as usize;
                            if text.get(start) == Some(&b'n') && text[start..].starts_with(b"name:")
                            {
                                self.keys.below.push(Event::unpack(word));
                            }
                        }
                    }
                    // A collection that is a key.
                    Awaits::Key => {
                        self.node(words, next - 1, run);
                    }
                    _ => {
                        self.nodes += 1;
                        self.enter(kind(word) == EventKind::MappingStart as u64);
                    }
                }
                continue;
            }
            match kind(word) {
                KIND_MAPPING_END | KIND_SEQUENCE_END => {
                    next += 1;
                    self.close(word, run);
                }
                KIND_DOCUMENT_END => {
                    let explicit = Event::unpack(word).flags.has(Flags::EXPLICIT);
                    return Built::Document { words: next + 1, explicit };
                }
                _ => next = self.node(words, next, run),
            }
        }
        self.keys.key_end = end.wrapping_add(shift);
        Built::All
    }

    /// Adds the value `event`, whose key ends at `end`, to those that are not on the line of their key.
    #[cold]
    #[inline(never)]
    fn add_below(&mut self, event: Event, end: u32, run: Run<'_>) {
        let in_document = |at: u32| at.wrapping_add(run.shift) as usize;
        let between = run.text.get(in_document(end)..in_document(event.start as u32));
        let between = between.filter(|text| text.len() <= NEAR_BYTES).unwrap_or_default();
        if event.len > 0 && between.starts_with(b":") && between.contains(&b'\n') {
            self.keys.below.push(event);
        }
    }

    /// Opens a collection inside the open one. `is_mapping` says whether it is a mapping or a
    /// sequence.
    #[inline(always)]
    fn enter(&mut self, is_mapping: bool) {
        let looks_at_keys = self.options.duplicate_keys != DuplicateKeys::Off;
        let awaits = if is_mapping && looks_at_keys { Awaits::Key } else { Awaits::Entry };
        self.parents.push(self.open);
        self.open = Open { from: self.keys.len() as u32, awaits };
    }

    /// Completes the open collection, whose end is the event `word`.
    #[inline(always)]
    fn close(&mut self, word: u64, run: Run<'_>) {
        if self.open.awaits != Awaits::Entry {
            let Walk { keys, side, faults, .. } = self;
            let context = Context { text: run.text, side, schema: self.options.schema };
            keys.close(context, place(self.open, &self.parents), faults);
        }
        self.open = self.parents.pop().unwrap_or(ROOT);
        if self.digests.is_active() {
            self.close_digest(word, run);
        }
        self.open.awaits = self.open.awaits.next();
    }

    /// Completes the digest of a collection that has just been closed by the event `word`. Its
    /// parent is now the open collection.
    #[cold]
    #[inline(never)]
    fn close_digest(&mut self, word: u64, run: Run<'_>) {
        let len = (word >> LEN_SHIFT) as usize;
        if len > 0 {
            self.digests.last_end = in_text(word, run.shift) as u32 as usize + len;
        }
        let Some(frame) = self.digests.close() else { return };
        let shape = if frame.is_mapping { Shape::Mapping } else { Shape::Sequence };
        let digest = frame.digest(frame.tag.and_then(|tag| TagKey::named(&self.side, tag, shape)));
        if let Some(anchor) = frame.anchor {
            self.targets[anchor as usize] = Target::Collection(self.collections.len() as u32);
            self.collections.push(digest);
        }
        let len = self.digests.last_end.saturating_sub(frame.start);
        let meaning = Meaning::Collection(digest);
        self.add(Node { start: frame.start, len, is_alias: false, meaning }, run.text);
        self.is_special = self.digests.is_active();
    }

    /// Packs the keys of the open mapping, which are very many, to save memory.
    #[cold]
    #[inline(never)]
    fn pack(&mut self, text: &[u8]) {
        let Walk { keys, side, faults, .. } = self;
        let context = Context { text, side, schema: self.options.schema };
        keys.pack(context, place(self.open, &self.parents), faults);
    }

    /// Handles the event at `index` of `words`, which is not an end, and returns the index of the
    /// word after the event.
    #[inline(never)]
    fn node(&mut self, words: &[u64], index: usize, run: Run<'_>) -> usize {
        let packed = Event::unpack(words[index]);
        let next = index + if packed.flags.has(Flags::EXTENDED) { 2 } else { 1 };
        if packed.kind == EventKind::Nop {
            return next;
        }
        let mut event = Events::new(&words[index..]).next().unwrap_or(packed);
        event.start = (event.start as u32).wrapping_add(run.shift) as usize;
        match event.kind {
            EventKind::Directive => self.handles.directive(&run.text[event.range()]),
            EventKind::Anchor if !self.is_over => self.anchor(event, run.text),
            EventKind::Tag if !self.is_over => self.tag(event, run.text),
            EventKind::Alias => self.alias(event, run.text),
            EventKind::SequenceStart | EventKind::MappingStart => self.collection(event),
            kind if kind.is_scalar() => self.scalar(event, in_text(words[index], run.shift), run),
            _ => {}
        }
        next
    }

    /// Records the anchor of the next node, given by `event`.
    fn anchor(&mut self, event: Event, text: &[u8]) {
        let index = self.targets.len();
        let (start, len) = (event.start as u32, event.len as u32);
        self.names.anchor(&mut self.side, text, index, start, len);
        self.targets.push(Target::Awaited);
        self.properties.anchor = Some(index as u32);
        self.is_special = true;
    }

    /// Records the tag of the next node, given by `event`, and checks the total length of tags.
    fn tag(&mut self, event: Event, text: &[u8]) {
        let (start, len) = (event.start as u32, event.len as u32);
        let is_new = self.names.tag(&mut self.side, text, &self.handles, 0, start, len);
        self.properties.tag = self.side.tags.last().map(|tag| tag.name);
        if !is_new {
            self.side.tags.pop();
        }
        self.is_special = true;
        if let Err(fault) = self.names.check_tags(&self.options.limits, text, start, len) {
            self.end_with(fault);
        }
    }

    /// Handles the alias `event`. If it is a key, it has the meaning of its target.
    fn alias(&mut self, event: Event, text: &[u8]) {
        self.nodes += 1;
        let (start, len) = (event.start as u32, event.len as u32);
        let target = match self.names.alias(&mut self.side, text, start, len) {
            Ok(_) => self.side.aliases.pop().map(|alias| self.targets[alias.target as usize]),
            Err(fault) if !self.is_over => {
                self.faults.push(fault);
                None
            }
            Err(_) => None,
        };
        let meaning = match target {
            Some(Target::Scalar(index)) => Meaning::Scalar(self.scalars[index as usize]),
            Some(Target::Collection(index)) => {
                Meaning::Collection(self.collections[index as usize])
            }
            Some(Target::Open(start)) => {
                Meaning::Collection(Err(alias_cycle(event.range(), start as usize)))
            }
            // The meaning is unknown, so the alias equals nothing else.
            Some(Target::Awaited) | None => Meaning::Collection(Ok(digest_of(event.start))),
        };
        self.digests.last_end = event.start + event.len;
        self.add(Node { start: event.start, len: event.len, is_alias: true, meaning }, text);
        self.open.awaits = self.open.awaits.next();
    }

    /// Handles `event`, the start of a collection that has properties, is inside a collection that
    /// needs a digest, or is a key.
    fn collection(&mut self, event: Event) {
        self.nodes += 1;
        let is_mapping = event.kind == EventKind::MappingStart;
        let Properties { anchor, tag } = std::mem::take(&mut self.properties);
        if let Some(anchor) = anchor {
            self.targets[anchor as usize] = Target::Open(event.start as u32);
        }
        let looks_at_keys = self.options.duplicate_keys != DuplicateKeys::Off;
        let is_wanted = anchor.is_some() || self.open.awaits == Awaits::Key;
        if looks_at_keys && (is_wanted || self.digests.is_active()) {
            self.digests.open(event.start, anchor, tag, is_mapping);
        }
        self.is_special = self.digests.is_active();
        self.enter(is_mapping);
    }

    /// Handles `event`, a scalar that has properties, is in a collection that needs a digest, or
    /// takes two words. `word` is its first word.
    fn scalar(&mut self, event: Event, word: u64, run: Run<'_>) {
        self.nodes += 1;
        let Properties { anchor, tag } = std::mem::take(&mut self.properties);
        self.is_special = self.digests.is_active();
        let node = ScalarNode { event, tag };
        let context = Context { text: run.text, side: &self.side, schema: self.options.schema };
        if tag.is_some() && !self.is_over && !context.is_valid(node) {
            let (at, len) = (event.start as u64, event.len);
            self.faults.push(Fault { problem: Problem::TagMismatch, at, len, related: None });
        }
        if let Some(anchor) = anchor {
            self.targets[anchor as usize] = Target::Scalar(self.scalars.len() as u32);
            self.scalars.push(node);
        }
        self.digests.last_end = event.start + event.len;
        let meaning = Meaning::Scalar(node);
        if is_short_node(word) && tag.is_none() {
            // Its word is enough to compare it as a key, even inside a collection that needs a digest.
            self.add_to_digest(meaning, false, run.text);
            if self.open.awaits == Awaits::Key {
                self.keys.push(word);
                self.pack_if_full(run.text);
            }
        } else {
            self.add(
                Node { start: event.start, len: event.len, is_alias: false, meaning },
                run.text,
            );
        }
        self.open.awaits = self.open.awaits.next();
    }

    /// Adds `node`, which is complete, to the digest and to the keys of the open collection.
    fn add(&mut self, node: Node, text: &[u8]) {
        let Node { start, len, is_alias, meaning } = node;
        self.add_to_digest(meaning, is_alias, text);
        if self.open.awaits == Awaits::Key {
            self.keys.push_odd(Odd { start: start as u32, len: len as u32, is_alias, meaning });
            self.pack_if_full(text);
        }
    }

    /// Adds a node with the meaning `meaning` to the digest of the open collection, if that
    /// collection needs a digest.
    fn add_to_digest(&mut self, meaning: Meaning, is_alias: bool, text: &[u8]) {
        if !self.digests.is_active() {
            return;
        }
        let Walk { keys, side, .. } = self;
        let context = Context { text, side, schema: self.options.schema };
        let (digest, is_merge_key) = match meaning {
            Meaning::Collection(digest) => (digest, false),
            Meaning::Scalar(scalar) => {
                let digest = keys.long_scalars.digest(context, scalar);
                (Ok(digest), !is_alias && context.is_merge_key(scalar))
            }
        };
        let is_merge_key = is_merge_key && self.options.merges();
        self.digests.add(Child { digest, is_merge_key });
    }

    /// Packs the keys of the open mapping if they are very many, to save memory.
    fn pack_if_full(&mut self, text: &[u8]) {
        if self.keys.is_full(self.open.from as usize) {
            self.pack(text);
        }
    }
}

/// Returns the form in which [`Keys`] refers to the open mapping `open`, which is inside the
/// collections `parents`.
fn place(open: Open, parents: &[Open]) -> Place {
    Place { from: open.from as usize, depth: parents.len() }
}

/// Returns the offset, in the document's text, of the node that comes after the first `count` nodes
/// of `run`.
#[cold]
fn nth_node(run: Run<'_>, count: u64) -> usize {
    let is_node = |event: &Event| {
        event.kind.is_scalar()
            || matches!(
                event.kind,
                EventKind::Alias | EventKind::SequenceStart | EventKind::MappingStart
            )
    };
    let node = Events::new(run.words).filter(is_node).nth(count as usize);
    node.map_or(0, |node| (node.start as u32).wrapping_add(run.shift) as usize)
}

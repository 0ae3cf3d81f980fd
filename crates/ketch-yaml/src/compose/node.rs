//! The stored form of nodes: 16 bytes each, in document order. The first word is almost that of the
//! node's event, so composing does little more than copy it.
//!
//! | bits of the first word | field |
//! |---|---|
//! | 0..32 | offset of the first byte in the document's text |
//! | 32..36 | the [`EventKind`] that it was |
//! | 36 | a long scalar: its length is in the second word, its indentation in bits 42..64 |
//! | 37 | flow style (collection); the key is overridden by another one (all others) |
//! | 38 | has an anchor |
//! | 39 | several lines (scalar); the key is overridden by another one (collection) |
//! | 40 | escapes (scalar); has keys that are overridden (mapping) |
//! | 41 | has a tag |
//! | 42..64 | length in bytes (scalar, unless it is long) |
//!
//! | bits of the second word | field |
//! |---|---|
//! | 0..32 | index of the first node after the subtree |
//! | 32..64 | number of children (collection), length in bytes (long scalar), index into the table of aliases (alias) |
//!
//! While a collection is open, its second word is the [`Open`] state of its parent, so that no separate
//! stack is needed.

use crate::event::{Event, EventKind, FLAGS_SHIFT, Flags, KIND_SHIFT, LEN_SHIFT};
use std::fmt;

/// Identifies a node in its document. Ids count from 0 in document order, in which a collection
/// comes before its children.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub(super) u32);

impl NodeId {
    /// The root of every document.
    pub const ROOT: NodeId = NodeId(0);

    /// Stands for no node. It is greater than the id of every node.
    pub const NONE: NodeId = NodeId(u32::MAX);

    /// Returns the number as an index, which is below
    /// [`Document::node_count`](super::Document::node_count).
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Debug for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.0)
    }
}

/// The kind of a node and, for a scalar, its style.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Shape {
    Sequence,
    Mapping,
    Alias,
    Plain,
    SingleQuoted,
    DoubleQuoted,
    Literal,
    Folded,
}

/// Returns `flags` shifted to their position in the first word.
const fn flag(flags: Flags) -> u64 {
    (flags.bits() as u64) << FLAGS_SHIFT
}

pub(super) const LONG: u64 = flag(Flags::EXTENDED);
pub(super) const FLOW: u64 = flag(Flags::FLOW);
pub(super) const ANCHORED: u64 = flag(Flags::EXPLICIT);
pub(super) const MULTILINE: u64 = flag(Flags::MULTILINE);
pub(super) const ESCAPES: u64 = flag(Flags::ESCAPES);
pub(super) const TAGGED: u64 = 1 << 41;
/// Set in a mapping if some of its keys are overridden.
pub(super) const HAS_OVERRIDDEN: u64 = ESCAPES;
const KIND: u64 = 15 << KIND_SHIFT;
const FIRST_SCALAR: u64 = (EventKind::Plain as u64) << KIND_SHIFT;
const OFFSET: u64 = u32::MAX as u64;

// Each flag has a bit of its own, between the kind and the length.
const _: () = assert!(LONG | FLOW | ANCHORED | MULTILINE | ESCAPES | TAGGED == 0x3F << FLAGS_SHIFT);
const _: () = assert!(LEN_SHIFT == FLAGS_SHIFT + 6);

/// The largest indentation that fits into a node. Larger ones are in [`Side::deep_indents`].
///
/// [`Side::deep_indents`]: super::tree::Side::deep_indents
pub(super) const INDENT_MAX: u32 = (1 << (64 - LEN_SHIFT)) - 1;

/// A node in its stored form, which is two words.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Packed {
    first: u64,
    second: u64,
}

/// The open collection, as stored in the cursor and in the collections inside it: its index and its
/// number of children so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Open(u64);

impl Open {
    /// No open collection: the next node is the root.
    pub const NONE: Open = Open(OFFSET);

    /// Creates a collection without children yet, at index `at`.
    #[inline(always)]
    pub fn new(at: usize) -> Open {
        Open(at as u64)
    }

    /// Returns the index of the open collection.
    #[inline(always)]
    pub fn node(self) -> usize {
        (self.0 & OFFSET) as usize
    }

    /// Returns the number of children so far, with keys and values counted separately.
    #[inline(always)]
    pub fn count(self) -> u32 {
        (self.0 >> 32) as u32
    }

    /// Returns the state after one more child.
    #[inline(always)]
    pub fn with_child(self) -> Open {
        Open(self.0.wrapping_add(1 << 32))
    }
}

impl Packed {
    /// An empty plain scalar.
    pub const EMPTY: Packed = Packed { first: FIRST_SCALAR, second: 1 };

    /// Returns the node at index `at` for a scalar event of one word, `word`, whose offset is
    /// already relative to the document's text.
    #[inline(always)]
    pub fn scalar(word: u64, at: usize) -> Packed {
        Packed { first: word, second: at as u64 + 1 }
    }

    /// Returns the node for the start of a collection inside `parent`. `word` is its event, with
    /// the offset relative to the document's text.
    #[inline(always)]
    pub fn start(word: u64, parent: Open) -> Packed {
        Packed { first: word, second: parent.0 }
    }

    /// Returns the node at index `at` that stores `extra` in its second word: the length of a long
    /// scalar, or the index of an alias in its table. `word` is the first word.
    pub fn with_extra(word: u64, at: usize, extra: u32) -> Packed {
        Packed { first: word, second: (at as u64 + 1) | u64::from(extra) << 32 }
    }

    /// Returns the first word of the node for `event`, a long scalar at `offset` of the document's
    /// text.
    pub fn long_word(event: &Event, offset: u32) -> u64 {
        let indent = event.indent.min(INDENT_MAX);
        u64::from(offset)
            | (event.kind as u64) << KIND_SHIFT
            | flag(event.flags)
            | LONG
            | u64::from(indent) << LEN_SHIFT
    }

    /// Completes a collection whose state is `open` and whose last child is before `end`, and
    /// returns the parent's state.
    #[inline(always)]
    pub fn close(&mut self, open: Open, end: usize) -> Open {
        let parent = Open(self.second);
        self.second = open.0 & !OFFSET | end as u64;
        parent
    }

    /// Returns the first word, which is almost the first word of the node's event, and is enough to
    /// compute the fingerprint of a key.
    #[inline(always)]
    pub fn first_word(self) -> u64 {
        self.first
    }

    /// Returns the kind and style, looked up by the event kind.
    #[inline(always)]
    pub fn shape(self) -> Shape {
        const SHAPES: [Shape; 16] = {
            let mut shapes = [Shape::Plain; 16];
            shapes[EventKind::SequenceStart as usize] = Shape::Sequence;
            shapes[EventKind::MappingStart as usize] = Shape::Mapping;
            shapes[EventKind::Alias as usize] = Shape::Alias;
            shapes[EventKind::SingleQuoted as usize] = Shape::SingleQuoted;
            shapes[EventKind::DoubleQuoted as usize] = Shape::DoubleQuoted;
            shapes[EventKind::Literal as usize] = Shape::Literal;
            shapes[EventKind::Folded as usize] = Shape::Folded;
            shapes
        };
        SHAPES[(self.first >> KIND_SHIFT & 15) as usize]
    }

    /// Returns whether the node is a scalar. Scalars have the highest event kinds, so one
    /// comparison is enough.
    #[inline(always)]
    pub fn is_scalar(self) -> bool {
        self.first & KIND >= FIRST_SCALAR
    }

    /// Returns whether the node is a sequence or mapping, and not an alias.
    fn is_collection(self) -> bool {
        matches!(self.shape(), Shape::Sequence | Shape::Mapping)
    }

    /// Returns whether any bit of `flag` is set. Some bits mean different things for different
    /// shapes; see the table above.
    #[inline(always)]
    pub fn has(self, flag: u64) -> bool {
        self.first & flag != 0
    }

    /// Sets the bits of `flag` in the first word.
    pub fn set(&mut self, flag: u64) {
        self.first |= flag;
    }

    /// Returns whether the node is an overridden key.
    #[inline]
    pub fn is_overridden(self) -> bool {
        self.has(self.overridden())
    }

    /// Marks the node as a key that a duplicate overrides.
    pub fn override_key(&mut self) {
        self.set(self.overridden());
    }

    /// Returns the flag that marks an overridden key. It depends on the shape, since the same bits
    /// are not free in all shapes.
    #[inline]
    fn overridden(self) -> u64 {
        if self.is_collection() { MULTILINE } else { FLOW }
    }

    /// Returns the length in bytes of a scalar.
    #[inline(always)]
    pub fn scalar_len(self) -> usize {
        if self.has(LONG) { self.extra() } else { (self.first >> LEN_SHIFT) as usize }
    }

    /// Returns the number of children of a collection.
    #[inline(always)]
    pub fn count(self) -> usize {
        self.extra()
    }

    /// Returns the number of children of a collection, or the index into the table of aliases.
    #[inline(always)]
    pub fn extra(self) -> usize {
        (self.second >> 32) as usize
    }

    /// Returns the offset of the first byte in the document's text.
    #[inline(always)]
    pub fn offset(self) -> usize {
        (self.first & OFFSET) as usize
    }

    /// Returns the index of the first node after the subtree. The result is not valid while the
    /// collection is open.
    #[inline(always)]
    pub fn end(self) -> usize {
        (self.second & OFFSET) as usize
    }

    /// Returns the event of a scalar, but without an indentation that is too deep for the node.
    pub fn event(self) -> Event {
        let mut event = Event::unpack(self.first & !(FLOW | ANCHORED | TAGGED | LONG));
        if self.has(LONG) {
            event.indent = event.len as u32;
            event.len = self.extra();
        }
        event
    }
}

impl fmt::Debug for Packed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (shape, offset, extra, end) = (self.shape(), self.offset(), self.extra(), self.end());
        write!(f, "{shape:?} at {offset}, end {end}, extra {extra}")
    }
}

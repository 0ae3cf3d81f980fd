//! The node as it is stored: 16 bytes, in document order.
//!
//! | bits of the first word | field |
//! |---|---|
//! | 0..3 | [`Shape`] |
//! | 3 | several lines (scalar), flow style (collection) |
//! | 4 | escapes (scalar) |
//! | 5 | has an anchor |
//! | 6 | has a tag |
//! | 7 | a key that another of the same mapping overrides |
//! | 8..32 | indentation of a block scalar's content, in columns |
//! | 32..64 | length in bytes (scalar), number of children (collection), index into the table of aliases (alias) |
//!
//! | bits of the second word | field |
//! |---|---|
//! | 0..32 | offset of the first byte in the document's text |
//! | 32..64 | index of the first node behind the subtree |
//!
//! While a collection is open, its second field of the first word holds its parent's count of
//! children, and the last one its parent's index: so the nodes themselves are the stack.

use crate::event::{self, Event, EventKind, Flags};
use std::fmt;

/// The number of a node in its document, counted from 0 in document order: each collection comes
/// before its children.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub(super) u32);

impl NodeId {
    /// The root of every document.
    pub const ROOT: NodeId = NodeId(0);

    /// As an index, below [`Document::node_count`](super::Document::node_count).
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

/// What a node is and, for a scalar, its style.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub(super) enum Shape {
    Sequence = 0,
    Mapping = 1,
    Alias = 2,
    Plain = 3,
    SingleQuoted = 4,
    DoubleQuoted = 5,
    Literal = 6,
    Folded = 7,
}

const SHAPES: [Shape; 8] = [
    Shape::Sequence,
    Shape::Mapping,
    Shape::Alias,
    Shape::Plain,
    Shape::SingleQuoted,
    Shape::DoubleQuoted,
    Shape::Literal,
    Shape::Folded,
];

pub(super) const SHAPE_BITS: u32 = 7;
pub(super) const MULTILINE: u32 = 1 << 3;
pub(super) const FLOW: u32 = 1 << 3;
pub(super) const ESCAPES: u32 = 1 << 4;
pub(super) const ANCHORED: u32 = 1 << 5;
pub(super) const TAGGED: u32 = 1 << 6;
pub(super) const OVERRIDDEN: u32 = 1 << 7;
const INDENT_SHIFT: u32 = 8;

// What `short_scalar` relies on.
const _: () = assert!(EventKind::Plain as u32 - KIND_TO_SHAPE as u32 == Shape::Plain as u32);
const _: () = assert!(EventKind::Folded as u32 - KIND_TO_SHAPE as u32 == Shape::Folded as u32);
const _: () = assert!(Flags::MULTILINE.bits() as u32 == MULTILINE);
const _: () = assert!(Flags::ESCAPES.bits() as u32 == ESCAPES);
const _: () = assert!(event::LEN_SHIFT > 32);
const KIND_TO_SHAPE: u64 = 7;

/// A node, packed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Packed {
    first: u64,
    second: u64,
}

impl Packed {
    /// An empty plain scalar.
    pub const EMPTY: Packed = Packed::new(Shape::Plain as u32, 0, 0, 1);

    #[inline(always)]
    pub const fn new(head: u32, len: u32, offset: u32, end: u32) -> Packed {
        Packed {
            first: head as u64 | (len as u64) << 32,
            second: offset as u64 | (end as u64) << 32,
        }
    }

    /// The scalar of an event of one word, the node at index `at`.
    #[inline(always)]
    pub fn short_scalar(word: u64, shift: u32, at: usize, properties: u32) -> Packed {
        let flags = (MULTILINE | ESCAPES) as u64;
        let head = ((word >> event::KIND_SHIFT & 15) - KIND_TO_SHAPE)
            | (word >> event::FLAGS_SHIFT & flags)
            | u64::from(properties);
        let len = (word >> (event::LEN_SHIFT - 32)) & (u64::MAX << 32);
        let offset = (word as u32).wrapping_add(shift);
        Packed { first: head | len, second: u64::from(offset) | (at as u64 + 1) << 32 }
    }

    /// The scalar of any event, the node at index `at`.
    pub fn scalar(event: &Event, offset: u32, at: usize, properties: u32) -> Packed {
        let flags = u32::from(event.flags.bits()) & (MULTILINE | ESCAPES);
        let shape = event.kind as u32 - KIND_TO_SHAPE as u32;
        let head = shape | flags | properties | event.indent << INDENT_SHIFT;
        Packed::new(head, event.len as u32, offset, at as u32 + 1)
    }

    #[inline(always)]
    pub fn head(self) -> u32 {
        self.first as u32
    }

    #[inline(always)]
    pub fn shape(self) -> Shape {
        SHAPES[(self.head() & SHAPE_BITS) as usize]
    }

    #[inline(always)]
    pub fn is_scalar(self) -> bool {
        self.head() & SHAPE_BITS >= Shape::Plain as u32
    }

    #[inline(always)]
    pub fn has(self, flag: u32) -> bool {
        self.head() & flag != 0
    }

    /// Length in bytes, number of children, or index into the table of aliases.
    #[inline(always)]
    pub fn len(self) -> usize {
        (self.first >> 32) as usize
    }

    #[inline(always)]
    pub fn offset(self) -> usize {
        self.second as u32 as usize
    }

    /// The first node behind the subtree.
    #[inline(always)]
    pub fn end(self) -> usize {
        (self.second >> 32) as usize
    }

    #[inline(always)]
    pub fn indent(self) -> u32 {
        self.head() >> INDENT_SHIFT
    }

    #[inline(always)]
    pub fn set_len(&mut self, len: u32) {
        self.first = u64::from(self.head()) | u64::from(len) << 32;
    }

    #[inline(always)]
    pub fn set_end(&mut self, end: u32) {
        self.second = self.second & u64::from(u32::MAX) | u64::from(end) << 32;
    }

    pub fn set(&mut self, flag: u32) {
        self.first |= u64::from(flag);
    }

    /// The event that a scalar was.
    pub fn event(self) -> Event {
        let kind = match self.shape() {
            Shape::SingleQuoted => EventKind::SingleQuoted,
            Shape::DoubleQuoted => EventKind::DoubleQuoted,
            Shape::Literal => EventKind::Literal,
            Shape::Folded => EventKind::Folded,
            _ => EventKind::Plain,
        };
        let mut flags = Flags::NONE;
        if self.has(MULTILINE) {
            flags = flags.with(Flags::MULTILINE);
        }
        if self.has(ESCAPES) {
            flags = flags.with(Flags::ESCAPES);
        }
        Event { kind, flags, start: self.offset(), len: self.len(), indent: self.indent() }
    }
}

impl fmt::Debug for Packed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} len {} at {} end {}", self.shape(), self.len(), self.offset(), self.end())
    }
}

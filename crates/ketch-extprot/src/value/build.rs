//! Builds a value from events, in the order in which a reader of another format yields them.

use super::{Node, Value, write};
use crate::wire::{Prefix, WireType, Writer};
use std::borrow::Cow;

/// Builds a [`Value`]. Scalars are added one after another, and blocks are begun and ended.
///
/// Counts and lengths do not have to be known beforehand. They are determined when the value is written.
///
/// ```
/// use ketch_extprot::value::Builder;
/// use ketch_extprot::wire::WireType;
/// let mut builder = Builder::new();
/// builder.begin(0, WireType::Assoc);
/// builder.bytes(0, b"id");
/// builder.vint(0, 7);
/// builder.end();
/// let value = builder.finish().expect("one whole value");
/// assert_eq!(value.encode(), [0x07, 0x07, 0x01, 0x03, 0x02, b'i', b'd', 0x00, 0x0e]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Builder {
    nodes: Vec<Node>,
    bytes: Vec<u8>,
    open: Vec<usize>,
    /// The number of values outside of all blocks.
    roots: usize,
}

impl Builder {
    /// Creates an empty builder.
    pub fn new() -> Builder {
        Builder::default()
    }

    /// Adds a node to the innermost open block, or outside of all blocks if none is open.
    fn push(&mut self, tag: u64, wire_type: WireType, a: u64, b: u64) {
        match self.open.last() {
            Some(&index) => self.nodes[index].a += 1,
            None => self.roots += 1,
        }
        self.nodes.push(Node { prefix: Prefix::new(tag, wire_type), a, b });
    }

    /// Adds a vint. `value` is the number before zigzag encoding.
    pub fn vint(&mut self, tag: u64, value: i64) {
        self.push(tag, WireType::Vint, value as u64, 0);
    }

    /// Adds one byte.
    pub fn bits8(&mut self, tag: u64, value: u8) {
        self.push(tag, WireType::Bits8, u64::from(value), 0);
    }

    /// Adds four bytes.
    pub fn bits32(&mut self, tag: u64, value: i32) {
        self.push(tag, WireType::Bits32, value as u64, 0);
    }

    /// Adds eight bytes as an integer.
    pub fn bits64_long(&mut self, tag: u64, value: i64) {
        self.push(tag, WireType::Bits64Long, value as u64, 0);
    }

    /// Adds eight bytes as a float.
    pub fn bits64_float(&mut self, tag: u64, value: f64) {
        self.push(tag, WireType::Bits64Float, value.to_bits(), 0);
    }

    /// Adds a constant.
    pub fn enum_tag(&mut self, tag: u64) {
        self.push(tag, WireType::Enum, 0, 0);
    }

    /// Adds a string of bytes.
    pub fn bytes(&mut self, tag: u64, value: &[u8]) {
        let offset = self.bytes.len();
        self.bytes.extend_from_slice(value);
        self.push(tag, WireType::Bytes, offset as u64, value.len() as u64);
    }

    /// Begins a block. In an Assoc, add keys and values alternately.
    ///
    /// # Panics
    /// Panics if `wire_type` is not a block.
    pub fn begin(&mut self, tag: u64, wire_type: WireType) {
        assert!(wire_type.is_block(), "{wire_type} is not a block");
        self.push(tag, wire_type, 0, 0);
        self.open.push(self.nodes.len() - 1);
    }

    /// Ends the innermost open block.
    ///
    /// # Panics
    /// Panics if no block is open, or if it is an Assoc whose last key has no value.
    pub fn end(&mut self) {
        let Some(index) = self.open.pop() else { panic!("no block is open") };
        let end = self.nodes.len() as u64;
        let node = &mut self.nodes[index];
        let paired = node.wire_type() != WireType::Assoc || node.a.is_multiple_of(2);
        assert!(paired, "the last key of the Assoc has no value");
        node.b = end;
    }

    /// Drops the content, but keeps the memory for the next value.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.bytes.clear();
        self.open.clear();
        self.roots = 0;
    }

    /// Returns whether there is exactly one value and all blocks have ended.
    pub fn is_whole(&self) -> bool {
        self.roots == 1 && self.open.is_empty()
    }

    /// Writes the canonical bytes of the value before the existing content of `writer`, and keeps the
    /// value.
    ///
    /// # Panics
    /// Panics if the value is not [whole](Builder::is_whole).
    pub fn write(&self, writer: &mut Writer) {
        assert!(self.is_whole(), "exactly one value, every block of it ended");
        write(&self.nodes, &self.bytes, writer);
    }

    /// Returns the value, or `None` if there is not exactly one value or a block has not ended.
    pub fn finish(self) -> Option<Value<'static>> {
        self.is_whole().then_some(Value { nodes: self.nodes, bytes: Cow::Owned(self.bytes) })
    }
}

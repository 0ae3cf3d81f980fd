//! Values without a schema: the tree that the bytes themselves describe (specification 14).
//!
//! A [`Value`] is a flat vector of nodes in the order of the bytes, together with the input that strings
//! refer to. Decoding therefore needs no allocation per node, and cloning, comparing, dropping and
//! printing are loops that never recurse.
//!
//! ```text
//! bytes   01 0c 02  00 02  05 07 02  03 01 61  02 01
//! nodes   Tuple     Vint   Htuple    Bytes     Bits8
//!         count 2   1      count 2   "a"       1
//!         end 5            end 5
//! ```

mod build;
mod print;
pub mod tags;

pub use build::Builder;

use crate::error::{Error, Problem, Result};
use crate::limits::{DEFAULT_LIMITS, Limits};
use crate::wire::{Prefix, TokenKind, Tokens, WireType, Writer, vint};
use std::borrow::Cow;

/// A value without a schema, as its bytes describe it.
///
/// Decoding borrows the input, and [`Value::into_owned`] copies it. Encoding is canonical: equal values
/// have equal bytes. Decoding and encoding the output of a writer yields the same bytes.
///
/// ```
/// use ketch_extprot::Value;
/// let bytes = [0x01, 0x08, 0x02, 0x00, 0x02, 0x03, 0x03, 0x41, 0x6e, 0x6e];
/// let value = Value::decode(&bytes)?;
/// assert_eq!(value.to_string(), r#"{ 1; "Ann" }"#);
/// assert_eq!(value.encode(), bytes);
/// # Ok::<(), ketch_extprot::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Value<'a> {
    nodes: Vec<Node>,
    bytes: Cow<'a, [u8]>,
}

/// A node, which takes 24 bytes. The content of `a` and `b` depends on the wire type. For a scalar, `a` is
/// its bits; for a string, `a` is its offset and `b` its length; for a block, `a` is the number of children
/// (not of pairs), and `b` the index after the last descendant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Node {
    prefix: Prefix,
    a: u64,
    b: u64,
}

impl Node {
    /// Returns the wire type.
    fn wire_type(&self) -> WireType {
        // Every node is created with a valid wire type, so the default is never used.
        self.prefix.wire_type().unwrap_or(WireType::Enum)
    }
}

/// One node of a [`Value`], with all its descendants.
#[derive(Clone, Copy, Debug)]
pub struct ValueRef<'v> {
    nodes: &'v [Node],
    bytes: &'v [u8],
    index: usize,
}

impl<'a> Value<'a> {
    /// Decodes `input`, which must be a single value.
    ///
    /// # Errors
    /// Fails if the value is corrupt or exceeds a default limit, or if other bytes follow it.
    pub fn decode(input: &'a [u8]) -> Result<Value<'a>> {
        let (value, length) = Value::decode_first(input, &DEFAULT_LIMITS)?;
        if length < input.len() {
            return Err(Error::new(Problem::TrailingBytes, length as u64));
        }
        Ok(value)
    }

    /// Decodes the value at the start of `input`, and returns it with its length in bytes. Takes linear time
    /// in that length, and at most 24 bytes of memory per byte.
    pub fn decode_first(input: &'a [u8], limits: &Limits) -> Result<(Value<'a>, usize)> {
        let mut tokens = Tokens::with_limits(input, limits);
        let mut nodes = Vec::with_capacity(input.len().min(4096) / 4 + 1);
        let mut open: Vec<usize> = Vec::new();
        loop {
            let Some(token) = tokens.next() else {
                return Err(Error::new(Problem::Eof, tokens.offset_bytes() as u64));
            };
            let token = token?;
            let (wire_type, a, b) = match token.kind {
                TokenKind::Vint(n) => (WireType::Vint, n as u64, 0),
                TokenKind::Bits8(n) => (WireType::Bits8, u64::from(n), 0),
                TokenKind::Bits32(n) => (WireType::Bits32, n as u64, 0),
                TokenKind::Bits64Long(n) => (WireType::Bits64Long, n as u64, 0),
                TokenKind::Bits64Float(x) => (WireType::Bits64Float, x.to_bits(), 0),
                TokenKind::Enum => (WireType::Enum, 0, 0),
                TokenKind::Bytes(bytes) => {
                    let end = tokens.offset_bytes();
                    (WireType::Bytes, (end - bytes.len()) as u64, bytes.len() as u64)
                }
                TokenKind::Begin(wire_type, count) => {
                    open.push(nodes.len());
                    (wire_type, count << u32::from(wire_type == WireType::Assoc), 0)
                }
                TokenKind::End(_) => {
                    let end = nodes.len() as u64;
                    if let Some(index) = open.pop() {
                        let node: &mut Node = &mut nodes[index];
                        node.b = end;
                    }
                    if open.is_empty() {
                        break;
                    }
                    continue;
                }
            };
            nodes.push(Node { prefix: Prefix::new(token.tag, wire_type), a, b });
            if open.is_empty() {
                break;
            }
        }
        let length = tokens.offset_bytes();
        Ok((Value { nodes, bytes: Cow::Borrowed(&input[..length]) }, length))
    }

    /// Copies all borrowed data.
    pub fn into_owned(self) -> Value<'static> {
        Value { nodes: self.nodes, bytes: Cow::Owned(self.bytes.into_owned()) }
    }

    /// Returns the whole value as a node.
    pub fn root(&self) -> ValueRef<'_> {
        ValueRef { nodes: &self.nodes, bytes: &self.bytes, index: 0 }
    }

    /// Encodes the value in canonical form, with the shortest vints, and no bytes between the last element
    /// and the end of a block.
    pub fn encode(&self) -> Vec<u8> {
        let mut writer = Writer::new();
        self.write(&mut writer);
        writer.into_written()
    }

    /// Writes the value before the present content of `writer`.
    pub fn write(&self, writer: &mut Writer) {
        write(&self.nodes, &self.bytes, writer);
    }
}

/// Writes the nodes of one value before the existing content of `writer`.
///
/// The nodes are visited from the last to the first, so a block comes after all its descendants.
/// For each value that is written but not yet in a block, `ends` contains the length that the writer had
/// before the value.
fn write(nodes: &[Node], bytes: &[u8], writer: &mut Writer) {
    let mut ends: Vec<usize> = Vec::new();
    for node in nodes.iter().rev() {
        let mark = writer.mark();
        match node.wire_type() {
            WireType::Vint => {
                writer.vint(vint::zigzag(node.a as i64));
                writer.prefix(node.prefix);
            }
            WireType::Bits8 => {
                writer.raw(&[node.a as u8]);
                writer.prefix(node.prefix);
            }
            WireType::Bits32 => {
                writer.raw(&(node.a as u32).to_le_bytes());
                writer.prefix(node.prefix);
            }
            WireType::Bits64Long | WireType::Bits64Float => {
                writer.raw(&node.a.to_le_bytes());
                writer.prefix(node.prefix);
            }
            WireType::Enum => writer.prefix(node.prefix),
            WireType::Bytes => {
                writer.raw(bytes_of(node, bytes));
                writer.vint(node.b);
                writer.prefix(node.prefix);
            }
            block => {
                let children = node.a as usize;
                let first = ends.len() - children;
                let mark = ends.get(first).copied().unwrap_or(mark);
                ends.truncate(first);
                let count = node.a >> u32::from(block == WireType::Assoc);
                writer.close_block(mark, count, node.prefix.tag(), block);
                ends.push(mark);
                continue;
            }
        }
        ends.push(mark);
    }
}

/// Returns the bytes of the string `node`.
fn bytes_of<'v>(node: &Node, bytes: &'v [u8]) -> &'v [u8] {
    &bytes[node.a as usize..(node.a + node.b) as usize]
}

/// Values are equal if their canonical bytes are equal, so floats are compared by their bits.
impl PartialEq for Value<'_> {
    fn eq(&self, other: &Value<'_>) -> bool {
        self.nodes.len() == other.nodes.len()
            && self.nodes.iter().zip(&other.nodes).all(|(a, b)| {
                a.prefix == b.prefix
                    && if a.wire_type() == WireType::Bytes {
                        bytes_of(a, &self.bytes) == bytes_of(b, &other.bytes)
                    } else {
                        (a.a, a.b) == (b.a, b.b)
                    }
            })
    }
}

impl Eq for Value<'_> {}

impl<'v> ValueRef<'v> {
    fn node(&self) -> &'v Node {
        &self.nodes[self.index]
    }

    /// Returns the tag of the node.
    pub fn tag(&self) -> u64 {
        self.node().prefix.tag()
    }

    /// Returns the wire type of the node.
    pub fn wire_type(&self) -> WireType {
        self.node().wire_type()
    }

    /// Returns the kind of the token at the start of the node: a scalar with its value, or the
    /// start of a block with its count (of pairs, for an Assoc).
    pub fn kind(&self) -> TokenKind<&'v [u8]> {
        let node = self.node();
        match node.wire_type() {
            WireType::Vint => TokenKind::Vint(node.a as i64),
            WireType::Bits8 => TokenKind::Bits8(node.a as u8),
            WireType::Bits32 => TokenKind::Bits32(node.a as i32),
            WireType::Bits64Long => TokenKind::Bits64Long(node.a as i64),
            WireType::Bits64Float => TokenKind::Bits64Float(f64::from_bits(node.a)),
            WireType::Enum => TokenKind::Enum,
            WireType::Bytes => TokenKind::Bytes(bytes_of(node, self.bytes)),
            block => TokenKind::Begin(block, node.a >> u32::from(block == WireType::Assoc)),
        }
    }

    /// Returns the elements of a block. For an Assoc, these are alternating keys and values. A
    /// scalar has none.
    pub fn children(&self) -> Children<'v> {
        let node = self.node();
        let end = if node.wire_type().is_block() { node.b as usize } else { self.index };
        let next = ValueRef { index: self.index + 1, ..*self };
        Children { next, end }
    }

    /// Returns the number of children, which is 0 for a scalar.
    pub fn len(&self) -> usize {
        if self.wire_type().is_block() { self.node().a as usize } else { 0 }
    }

    /// Returns whether there are no children.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the index after this node and its descendants.
    fn end(&self) -> usize {
        if self.wire_type().is_block() { self.node().b as usize } else { self.index + 1 }
    }
}

/// Iterates over the children of a block, by skipping the descendants of each.
#[derive(Clone, Debug)]
pub struct Children<'v> {
    next: ValueRef<'v>,
    end: usize,
}

impl<'v> Iterator for Children<'v> {
    type Item = ValueRef<'v>;

    fn next(&mut self) -> Option<ValueRef<'v>> {
        if self.next.index >= self.end {
            return None;
        }
        let child = self.next;
        self.next.index = child.end();
        Some(child)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decoded_values_encode_to_the_same_bytes() {
        let table: [&[u8]; 6] = [
            &[0x01, 0x01, 0x00],
            &[0x07, 0x0e, 0x02, 3, 1, 0x61, 0, 2, 3, 1, 0x62, 5, 3, 1, 2, 1],
            &[0xf2, 0x07, 0x10],
            &[0x04, 0xff, 0xff, 0xff, 0xff],
            &[0x8a, 0x80, 0x01],
            &[0x01, 0x0c, 0x03, 0x01, 0x01, 0x00, 0x05, 0x05, 0x02, 0x0a, 0x01, 0x01, 0x00, 0x1a],
        ];
        for bytes in table {
            let value = Value::decode(bytes).unwrap();
            assert_eq!(value.encode(), bytes, "{value}");
            assert_eq!(value, value.clone().into_owned());
        }
    }

    #[test]
    fn deep_values_do_not_overflow_the_stack() {
        let mut writer = Writer::new();
        for _ in 0..300_000 {
            writer.close_block(0, u64::from(!writer.is_empty()), 0, WireType::Htuple);
        }
        let bytes = writer.into_vec().unwrap();
        let limits = Limits { depth: u64::MAX, ..Limits::default() };
        let (value, _) = Value::decode_first(&bytes, &limits).unwrap();
        assert_eq!(value.clone(), value);
        assert_eq!(value.encode(), bytes);
        assert_eq!(value.to_string().len(), 300_000 * 4 - 2 + 2);
    }

    #[test]
    fn decode_requires_exactly_one_value() {
        assert!(matches!(Value::decode(&[]).unwrap_err().problem(), Problem::Eof));
        let error = Value::decode(&[0x0a, 0x0a]).unwrap_err();
        assert!(matches!(error.problem(), Problem::TrailingBytes));
        assert_eq!(error.offset_bytes(), Some(1));
    }
}

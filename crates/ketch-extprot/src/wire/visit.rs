//! Pushes tokens into a receiver.

use super::tokens::{TokenKind, Tokens};
use crate::error::Result;
use crate::limits::Limits;
use crate::prefix::WireType;

/// A receiver of tokens. Each method does nothing unless it is overridden. An error from a method
/// ends [`visit`].
pub trait Visitor {
    /// The type of errors from the methods. Errors in the bytes are converted into it.
    type Error: From<crate::Error>;

    /// Receives a vint, after zigzag decoding.
    fn vint(&mut self, tag: u64, value: i64) -> Result<(), Self::Error> {
        let _ = (tag, value);
        Ok(())
    }
    /// Receives one byte.
    fn bits8(&mut self, tag: u64, value: u8) -> Result<(), Self::Error> {
        let _ = (tag, value);
        Ok(())
    }
    /// Receives four bytes.
    fn bits32(&mut self, tag: u64, value: i32) -> Result<(), Self::Error> {
        let _ = (tag, value);
        Ok(())
    }
    /// Receives eight bytes as an integer.
    fn bits64_long(&mut self, tag: u64, value: i64) -> Result<(), Self::Error> {
        let _ = (tag, value);
        Ok(())
    }
    /// Receives eight bytes as a float.
    fn bits64_float(&mut self, tag: u64, value: f64) -> Result<(), Self::Error> {
        let _ = (tag, value);
        Ok(())
    }
    /// Receives a constant.
    fn enum_tag(&mut self, tag: u64) -> Result<(), Self::Error> {
        let _ = tag;
        Ok(())
    }
    /// Receives a string of bytes.
    fn bytes(&mut self, tag: u64, value: &[u8]) -> Result<(), Self::Error> {
        let _ = (tag, value);
        Ok(())
    }
    /// Receives the start of a block: a Tuple, Htuple or Assoc, with its count (of pairs, for an
    /// Assoc).
    fn begin(&mut self, tag: u64, wire_type: WireType, count: u64) -> Result<(), Self::Error> {
        let _ = (tag, wire_type, count);
        Ok(())
    }
    /// Receives the end of the innermost open block.
    fn end(&mut self, wire_type: WireType) -> Result<(), Self::Error> {
        let _ = wire_type;
        Ok(())
    }
}

/// Pushes every token of `input`, which may contain any number of values, into `visitor`.
///
/// ```
/// use ketch_extprot::wire::{visit, Visitor};
/// struct Sum(i64);
/// impl Visitor for Sum {
///     type Error = ketch_extprot::Error;
///     fn vint(&mut self, _tag: u64, value: i64) -> Result<(), Self::Error> {
///         self.0 += value;
///         Ok(())
///     }
/// }
/// let mut sum = Sum(0);
/// visit(&[0x05, 0x05, 0x02, 0x00, 0x02, 0x00, 0x04], &Default::default(), &mut sum)?;
/// assert_eq!(sum.0, 3);
/// # Ok::<(), ketch_extprot::Error>(())
/// ```
pub fn visit<V: Visitor>(input: &[u8], limits: &Limits, visitor: &mut V) -> Result<(), V::Error> {
    for token in Tokens::with_limits(input, limits) {
        let token = token?;
        let tag = token.tag;
        match token.kind {
            TokenKind::Vint(value) => visitor.vint(tag, value)?,
            TokenKind::Bits8(value) => visitor.bits8(tag, value)?,
            TokenKind::Bits32(value) => visitor.bits32(tag, value)?,
            TokenKind::Bits64Long(value) => visitor.bits64_long(tag, value)?,
            TokenKind::Bits64Float(value) => visitor.bits64_float(tag, value)?,
            TokenKind::Enum => visitor.enum_tag(tag)?,
            TokenKind::Bytes(value) => visitor.bytes(tag, value)?,
            TokenKind::Begin(wire_type, count) => visitor.begin(tag, wire_type, count)?,
            TokenKind::End(wire_type) => visitor.end(wire_type)?,
        }
    }
    Ok(())
}

//! The data model that YAML documents share with extprot values without a schema.

use crate::error::Problem;
use ketch_yaml::schema::Timestamp;

/// One step of a value, in document order.
///
/// A collection is its start, its entries (alternating keys and values for a mapping) and its end.
/// A tag precedes its value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Item<'a> {
    /// Null.
    Null,
    /// A boolean.
    Bool(bool),
    /// An integer of 64 bits.
    Int(i64),
    /// A wider integer: decimal digits without leading zeros, with a sign if it is negative.
    BigInt(&'a str),
    /// A float.
    Float(f64),
    /// Text.
    Str(&'a str),
    /// Bytes.
    Binary(&'a [u8]),
    /// A point in time, or a day.
    Timestamp(Timestamp),
    /// The tag of the next value, if it is not one of YAML's own.
    Tag(&'a str),
    /// The start of a sequence with this many entries.
    SequenceStart(u64),
    /// The end of the innermost sequence.
    SequenceEnd,
    /// The start of a mapping with this many pairs.
    MappingStart(u64),
    /// The end of the innermost mapping.
    MappingEnd,
}

/// Receives values, one item at a time.
pub trait Sink {
    /// Receives the next item.
    ///
    /// # Errors
    ///
    /// Fails if the sink cannot represent the item. The caller knows its location.
    fn item(&mut self, item: Item<'_>) -> Result<(), Problem>;
}

/// Discards all items, for validation.
impl Sink for () {
    fn item(&mut self, _item: Item<'_>) -> Result<(), Problem> {
        Ok(())
    }
}

/// The extprot tags of the values in `docs/data-model.md` that have no wire type of their own.
pub(crate) mod tags {
    /// A Tuple of the decimal digits of an integer wider than 64 bits.
    pub const BIG_INT: u64 = 1;
    /// A Tuple of the bytes of a binary.
    pub const BINARY: u64 = 2;
    /// A Tuple of seconds, nanoseconds and offset.
    pub const TIMESTAMP: u64 = 3;
    /// A Tuple of a tag and its value.
    pub const TAGGED: u64 = 15;
    /// An Enum, which is null, or means in a timestamp that there is no offset.
    pub const NULL: u64 = 0;
    /// An Enum in place of a timestamp's offset, which means a date without a time.
    pub const DATE_ONLY: u64 = 1;
}

/// The range of integers that fit in the 63 bits of a portable Vint.
pub(crate) const VINT_RANGE: std::ops::Range<i64> = -(1 << 62)..1 << 62;

/// The bits of the canonical NaN.
pub(crate) const NAN_BITS: u64 = 0x7ff8_0000_0000_0000;

/// Returns whether text that was converted to an infinity is a number too large for `f64`.
#[cold]
pub(crate) fn has_digits(text: &str) -> bool {
    text.bytes().any(|byte| byte.is_ascii_digit())
}

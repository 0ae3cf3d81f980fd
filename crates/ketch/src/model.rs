//! The data model: what YAML documents and extprot values without a schema have in common.

use crate::error::Problem;
use ketch_yaml::schema::Timestamp;

/// One step of a value, in document order.
///
/// A collection is its start, its entries (of a mapping keys and values in turn) and its end. A tag
/// comes in front of the value that has it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Item<'a> {
    /// Nothing.
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
    /// The tag of the value that comes next: one that YAML does not know.
    Tag(&'a str),
    /// A sequence of so many entries starts.
    SequenceStart(u64),
    /// The innermost sequence ends.
    SequenceEnd,
    /// A mapping of so many pairs starts.
    MappingStart(u64),
    /// The innermost mapping ends.
    MappingEnd,
}

/// Takes values, an item at a time.
pub trait Sink {
    /// Takes the next item.
    ///
    /// # Errors
    ///
    /// What the sink cannot hold; its caller knows where the item stands.
    fn item(&mut self, item: Item<'_>) -> Result<(), Problem>;
}

/// Keeps nothing: for checking.
impl Sink for () {
    fn item(&mut self, _item: Item<'_>) -> Result<(), Problem> {
        Ok(())
    }
}

/// The wire's words for the rows of the table that have no wire type of their own.
pub(crate) mod tags {
    /// Tuple of the decimal digits of an integer wider than 64 bits.
    pub const BIG_INT: u64 = 1;
    /// Tuple of the bytes of a binary.
    pub const BINARY: u64 = 2;
    /// Tuple of seconds, nanoseconds, and offset.
    pub const TIMESTAMP: u64 = 3;
    /// Tuple of a tag and the value that has it.
    pub const TAGGED: u64 = 15;
    /// Enum: null; in a timestamp, no offset.
    pub const NULL: u64 = 0;
    /// Enum in the place of a timestamp's offset: a day without a time.
    pub const DATE_ONLY: u64 = 1;
}

/// The integers that fit the 63 bits of a portable Vint.
pub(crate) const VINT_RANGE: std::ops::Range<i64> = -(1 << 62)..1 << 62;

/// The bits of the one NaN there is.
pub(crate) const NAN_BITS: u64 = 0x7ff8_0000_0000_0000;

/// Whether text that was read as an infinity is a number too large for `f64`.
#[cold]
pub(crate) fn has_digits(text: &str) -> bool {
    text.bytes().any(|byte| byte.is_ascii_digit())
}

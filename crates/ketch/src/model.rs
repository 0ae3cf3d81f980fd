//! The data model that YAML documents share with extprot values that have no schema.

use crate::error::Problem;
use ketch_yaml::schema::Timestamp;

/// One step of a value, in document order.
///
/// A collection consists of an item for its start, its entries (in a mapping, keys and values
/// alternate) and an item for its end. A tag comes before its value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Item<'a> {
    /// Null.
    Null,
    /// A boolean.
    Bool(bool),
    /// An integer that fits in 64 bits.
    Int(i64),
    /// An integer that does not fit in 64 bits, as decimal digits without leading zeros, after `-`
    /// if it is negative.
    BigInt(&'a str),
    /// A float.
    Float(f64),
    /// Text.
    Str(&'a str),
    /// Bytes.
    Binary(&'a [u8]),
    /// A point in time, or a date.
    Timestamp(Timestamp),
    /// The tag of the next value. YAML's own tags, such as `!!int`, are omitted.
    Tag(&'a str),
    /// The start of a sequence with this number of items.
    SequenceStart(u64),
    /// The end of the innermost sequence.
    SequenceEnd,
    /// The start of a mapping with this number of entries.
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
    /// Fails if the sink cannot represent the item. The caller adds the location to the error.
    fn item(&mut self, item: Item<'_>) -> Result<(), Problem>;
}

/// A sink that discards all items, for validation.
impl Sink for () {
    fn item(&mut self, _item: Item<'_>) -> Result<(), Problem> {
        Ok(())
    }
}

/// The integers that fit in the 63 bits of a portable Vint.
pub(crate) const VINT_RANGE: std::ops::Range<i64> = -(1 << 62)..1 << 62;

/// The bits of the canonical NaN, as a 64-bit float.
pub(crate) const NAN_BITS: u64 = 0x7ff8_0000_0000_0000;

/// Returns whether `text`, which was converted to an infinity, is a number that is too large for
/// `f64`, rather than `.inf`.
#[cold]
pub(crate) fn has_digits(text: &str) -> bool {
    text.bytes().any(|byte| byte.is_ascii_digit())
}

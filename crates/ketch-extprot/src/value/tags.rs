//! The tags that `docs/data-model.md` gives to values that have no wire type of their own.

/// The tag of a Tuple that contains the decimal digits of an integer that needs more than 64
/// bits.
pub const BIG_INT: u64 = 1;
/// The tag of a Tuple that contains the bytes of a binary.
pub const BINARY: u64 = 2;
/// The tag of a Tuple of seconds, nanoseconds and offset.
pub const TIMESTAMP: u64 = 3;
/// The tag of a Tuple of a YAML tag and its value.
pub const TAGGED: u64 = 15;
/// The tag of an Enum that is null or, in a timestamp, means that there is no offset.
pub const NULL: u64 = 0;
/// The tag of an Enum that takes the place of a timestamp's offset, for a date without a time.
pub const DATE_ONLY: u64 = 1;

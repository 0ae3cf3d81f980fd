//! Prefixes, which are `tag << 4 | wire type` as a vint (specification 2.2).

use std::fmt;

/// The ten ways to encode a value in bytes, with their numbers in the format. Values with odd
/// numbers start with their length in bytes, so that a reader can skip them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum WireType {
    /// A zigzag vint.
    Vint = 0,
    /// A block of elements: a tuple, a constructor with arguments, a record or a message.
    Tuple = 1,
    /// One byte.
    Bits8 = 2,
    /// A length, followed by bytes.
    Bytes = 3,
    /// Four bytes, little endian. Not used for any schema type.
    Bits32 = 4,
    /// A block of elements: a list or an array.
    Htuple = 5,
    /// Eight bytes, little endian, two's complement.
    Bits64Long = 6,
    /// A block of pairs of a key and a value. Not used for any schema type.
    Assoc = 7,
    /// Eight bytes, little endian, IEEE-754 binary64.
    Bits64Float = 8,
    /// Nothing: the tag is the value.
    Enum = 10,
}

impl WireType {
    /// Returns the wire type with this number, or `None` for 9 and 11 to 15.
    #[inline]
    pub fn from_number(number: u8) -> Option<WireType> {
        Some(match number {
            0 => WireType::Vint,
            1 => WireType::Tuple,
            2 => WireType::Bits8,
            3 => WireType::Bytes,
            4 => WireType::Bits32,
            5 => WireType::Htuple,
            6 => WireType::Bits64Long,
            7 => WireType::Assoc,
            8 => WireType::Bits64Float,
            10 => WireType::Enum,
            _ => return None,
        })
    }

    /// Returns whether the value is a block of other values.
    #[inline]
    pub fn is_block(self) -> bool {
        matches!(self, WireType::Tuple | WireType::Htuple | WireType::Assoc)
    }

    /// Returns the name of the wire type in the specification.
    pub fn name(self) -> &'static str {
        match self {
            WireType::Vint => "Vint",
            WireType::Tuple => "Tuple",
            WireType::Bits8 => "Bits8",
            WireType::Bytes => "Bytes",
            WireType::Bits32 => "Bits32",
            WireType::Htuple => "Htuple",
            WireType::Bits64Long => "Bits64_long",
            WireType::Assoc => "Assoc",
            WireType::Bits64Float => "Bits64_float",
            WireType::Enum => "Enum",
        }
    }
}

impl fmt::Display for WireType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A prefix: a tag of up to 60 bits, and the number of a wire type, which can be any of 0 to 15.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Prefix(pub u64);

impl Prefix {
    /// Creates a prefix from a tag and a wire type. Only the lower 60 bits of `tag` are used.
    #[inline]
    pub const fn new(tag: u64, wire_type: WireType) -> Prefix {
        Prefix(tag << 4 | wire_type as u64)
    }

    /// Returns the tag.
    #[inline]
    pub const fn tag(self) -> u64 {
        self.0 >> 4
    }

    /// Returns the number of the wire type, 0 to 15.
    #[inline]
    pub const fn wire_number(self) -> u8 {
        (self.0 & 15) as u8
    }

    /// Returns whether the value starts with its length in bytes, as those with odd wire types do.
    #[inline]
    pub const fn has_length(self) -> bool {
        self.0 & 1 == 1
    }

    /// Returns the wire type, or `None` if the number is not valid.
    #[inline]
    pub fn wire_type(self) -> Option<WireType> {
        WireType::from_number(self.wire_number())
    }
}

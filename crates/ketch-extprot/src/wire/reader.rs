//! Reads values of known types from a slice.
//!
//! [`Reader::enter`] limits the reader to a block, and [`Reader::leave`] jumps past the block. Inside a
//! block, its end is therefore the end of the input (specification 4.1), and values that were not read are
//! skipped. The typed reads (`read_int` and the others) implement specification 4.2, including widening
//! and reading the first element of a tuple.
//!
//! `enter`, `bytes` and the functions that read vints are always inlined. Otherwise, the compiler
//! would call them, and generated decoders would be 7 to 18% slower (rows `extprot.decode`, fastest runs).

use super::vint::{self, VintError};
use crate::error::{Error, Problem, Result, Shortage};
use crate::limits::{DEFAULT_LIMITS, Limits};
use crate::prefix::{Prefix, WireType};

/// A reader of a slice. It is cheap to clone and allocates nothing.
///
/// ```
/// use ketch_extprot::wire::Reader;
/// // message user = { id : int; name : string }
/// let mut reader = Reader::new(&[0x01, 0x08, 0x02, 0x00, 0x02, 0x03, 0x03, 0x41, 0x6e, 0x6e]);
/// assert_eq!(reader.prefix()?.tag(), 0);
/// let block = reader.enter()?;
/// assert_eq!(block.count(), 2);
/// assert_eq!(reader.read_int()?, 1);
/// assert_eq!(reader.read_string()?, b"Ann");
/// reader.leave(block);
/// assert!(reader.is_empty());
/// # Ok::<(), ketch_extprot::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Reader<'a, 'l> {
    rest: &'a [u8],
    /// The offset at which `rest` ends, in bytes from the start of the whole input.
    end_bytes: u64,
    limits: &'l Limits,
}

/// The place of an error. It is passed by value: a reader whose address is taken, even for an error,
/// cannot stay in registers.
#[derive(Clone, Copy, Debug)]
struct Place {
    offset_bytes: u64,
    /// The number of bytes that are left in the block or input.
    available: u64,
}

impl Place {
    /// Returns the error for a vint that cannot be read.
    #[cold]
    #[inline(never)]
    fn vint_error(self, error: VintError) -> Error {
        let problem = match error {
            VintError::Eof => Problem::Eof,
            VintError::TooLong => Problem::VintTooLong,
        };
        Error::new(problem, self.offset_bytes)
    }

    /// Returns the error for a value that needs more bytes than remain.
    #[cold]
    #[inline(never)]
    fn too_short(self, needed: u64) -> Error {
        let available = self.available;
        Error::too_short(Shortage::Value { needed, available }, self.offset_bytes)
    }

    /// Returns the error for a declared length that exceeds the rest of the block.
    #[cold]
    #[inline(never)]
    fn length_error(self, declared: u64) -> Error {
        let available = self.available;
        Error::too_short(Shortage::Length { declared, available }, self.offset_bytes)
    }

    /// Returns the error for a block that declares more elements than it has bytes.
    #[cold]
    #[inline(never)]
    fn count_error(self, declared: u64) -> Error {
        let available = self.available;
        Error::too_short(Shortage::Count { declared, available }, self.offset_bytes)
    }

    /// Returns the error for a limit that was exceeded: `n` is more than `max`.
    #[cold]
    #[inline(never)]
    fn limit_error(self, limit: &'static str, n: u64, max: u64) -> Error {
        Error::new(Problem::LimitExceeded { limit, n, max }, self.offset_bytes)
    }

    /// Returns the error for a block that exceeds the limit on its count or its length. `count_first` says
    /// which of the two is reported if both are exceeded.
    #[cold]
    #[inline(never)]
    fn block_limit_error(
        self,
        count: u64,
        length: u64,
        limits: &Limits,
        count_first: bool,
    ) -> Error {
        let (count_max, length_max) = (limits.num_elements, limits.message_length);
        match count > count_max && (count_first || length <= length_max) {
            true => self.limit_error("num_elements", count, count_max),
            false => self.limit_error("message_length", length, length_max),
        }
    }
}

/// An open block, which is passed to [`Reader::leave`].
#[derive(Debug)]
#[must_use = "leave the block to go on after it"]
pub struct Block<'a> {
    after: &'a [u8],
    end_bytes: u64,
    length_bytes: u64,
    count: u64,
}

impl Block<'_> {
    /// Returns the number of elements (pairs, for an Assoc) that the block declares.
    #[inline]
    pub fn count(&self) -> u64 {
        self.count
    }
}

impl<'a> Reader<'a, 'static> {
    /// Creates a reader of `bytes` with the default limits.
    #[inline]
    pub fn new(bytes: &'a [u8]) -> Reader<'a, 'static> {
        Reader::with_limits(bytes, &DEFAULT_LIMITS)
    }
}

impl<'a, 'l> Reader<'a, 'l> {
    /// Creates a reader of `bytes` with the given limits.
    #[inline]
    pub fn with_limits(bytes: &'a [u8], limits: &'l Limits) -> Reader<'a, 'l> {
        Reader { rest: bytes, end_bytes: bytes.len() as u64, limits }
    }

    /// Adds `offset_bytes` to the position of the reader, and thus to all offsets in errors.
    #[must_use]
    pub fn with_offset(mut self, offset_bytes: u64) -> Reader<'a, 'l> {
        self.end_bytes += offset_bytes;
        self
    }

    /// Returns the position of the reader, in bytes from the start of the input.
    #[inline]
    pub fn offset_bytes(&self) -> u64 {
        self.end_bytes - self.rest.len() as u64
    }

    /// Returns the offset at which the block that the reader is in, or the input, ends.
    #[doc(hidden)]
    #[inline]
    pub fn end_bytes(&self) -> u64 {
        self.end_bytes
    }

    /// Returns whether the reader is at the end of the input, or of the block that it is in.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// Returns the rest of the input, or of the block that the reader is in.
    #[inline]
    pub fn remaining(&self) -> &'a [u8] {
        self.rest
    }

    /// Returns the limits of the reader.
    #[inline]
    pub fn limits(&self) -> &'l Limits {
        self.limits
    }

    /// Creates an error at the position of the reader.
    #[cold]
    #[inline(never)]
    pub fn error(&self, problem: Problem) -> Error {
        Error::new(problem, self.offset_bytes())
    }

    /// Creates the error for a value whose prefix has a different wire type than the `expected` one.
    #[cold]
    #[inline(never)]
    pub fn bad_wire_type(&self, prefix: Prefix, expected: &'static str) -> Error {
        let found = prefix.wire_number();
        self.error(Problem::BadWireType { found, expected: expected.into() })
    }

    /// Returns the error for a block that declares more elements than it has bytes.
    #[inline]
    pub(crate) fn count_error(&self, declared: u64) -> Error {
        self.place().count_error(declared)
    }

    /// Returns the place for an error at the position of the reader.
    #[inline(always)]
    fn place(&self) -> Place {
        Place { offset_bytes: self.offset_bytes(), available: self.rest.len() as u64 }
    }

    /// Reads a vint without a prefix, such as a length or a count.
    #[inline(always)]
    pub fn vint(&mut self) -> Result<u64> {
        match vint::read(self.rest) {
            Ok((n, rest)) => {
                self.rest = rest;
                Ok(n)
            }
            Err(error) => Err(self.place().vint_error(error)),
        }
    }

    /// Reads a prefix.
    #[inline]
    pub fn prefix(&mut self) -> Result<Prefix> {
        self.vint().map(Prefix)
    }

    /// Reads a prefix without moving past it.
    #[inline]
    pub fn peek_prefix(&self) -> Result<Prefix> {
        match vint::read(self.rest) {
            Ok((n, _)) => Ok(Prefix(n)),
            Err(error) => Err(self.place().vint_error(error)),
        }
    }

    /// Moves past the next prefix if it is the single byte `prefix`. Returns whether it did.
    #[inline]
    pub fn opt_prefix(&mut self, prefix: Prefix) -> bool {
        match self.rest {
            [byte, rest @ ..] if u64::from(*byte) == prefix.0 => {
                self.rest = rest;
                true
            }
            _ => false,
        }
    }

    /// Reads exactly `N` bytes.
    #[inline]
    pub fn fixed<const N: usize>(&mut self) -> Result<[u8; N]> {
        match self.rest.split_first_chunk::<N>() {
            Some((chunk, rest)) => {
                self.rest = rest;
                Ok(*chunk)
            }
            None => Err(self.place().too_short(N as u64)),
        }
    }

    /// Reads a length, and then bytes of this length.
    #[inline(always)]
    pub fn bytes(&mut self) -> Result<&'a [u8]> {
        let length = self.vint()?;
        if length > self.limits.string_length {
            let max = self.limits.string_length;
            return Err(self.place().limit_error("string_length", length, max));
        }
        match usize::try_from(length).ok().and_then(|length| self.rest.split_at_checked(length)) {
            Some((bytes, rest)) => {
                self.rest = rest;
                Ok(bytes)
            }
            None => Err(self.place().length_error(length)),
        }
    }

    /// Enters the block whose prefix was just read, by reading its length and count.
    #[inline(always)]
    pub fn enter(&mut self) -> Result<Block<'a>> {
        let length_bytes = self.vint()?;
        let split = usize::try_from(length_bytes).ok().and_then(|l| self.rest.split_at_checked(l));
        let Some((inner, after)) = split else {
            return Err(self.place().length_error(length_bytes));
        };
        let end_bytes = self.end_bytes;
        self.end_bytes -= after.len() as u64;
        self.rest = inner;
        let count = self.vint()?;
        Ok(Block { after, end_bytes, length_bytes, count })
    }

    /// Continues after `block`, and skips the part of it that was not read.
    #[inline]
    pub fn leave(&mut self, block: Block<'a>) {
        self.rest = block.after;
        self.end_bytes = block.end_bytes;
    }

    /// Leaves the block that the reader is in for the block around it, which ends at the offset
    /// `end_bytes` of `input`. The reader must be one of the whole `input`.
    #[doc(hidden)]
    #[inline(always)]
    pub fn leave_for(&mut self, input: &'a [u8], end_bytes: u64) {
        self.rest = &input[self.end_bytes as usize..end_bytes as usize];
        self.end_bytes = end_bytes;
    }

    /// Checks a message or record against the limits, first its count and then its length.
    #[inline]
    pub fn check_message(&self, block: &Block<'a>) -> Result<()> {
        self.check_limits(block, true)
    }

    /// Checks a list or array against the limits, first its length and then its count, and checks
    /// the count against the bytes of the block. Returns the count, which is at most the number of
    /// bytes left in the block.
    #[inline]
    pub fn check_list(&self, block: &Block<'a>) -> Result<usize> {
        self.check_limits(block, false)?;
        if block.count > self.rest.len() as u64 {
            return Err(self.place().count_error(block.count));
        }
        Ok(block.count as usize)
    }

    /// Checks a block against the limits. If both are exceeded, `count_first` says which is reported.
    #[inline(always)]
    fn check_limits(&self, block: &Block<'a>, count_first: bool) -> Result<()> {
        let (count, length, limits) = (block.count, block.length_bytes, self.limits);
        if count > limits.num_elements || length > limits.message_length {
            return Err(self.place().block_limit_error(count, length, limits, count_first));
        }
        Ok(())
    }

    /// Moves past the next value without decoding it. Fails if its wire type is invalid.
    #[inline]
    pub fn skip(&mut self) -> Result<()> {
        let prefix = self.prefix()?;
        self.skip_payload(prefix)
    }

    /// Moves past the payload of the value whose prefix was just read.
    #[inline]
    pub fn skip_payload(&mut self, prefix: Prefix) -> Result<()> {
        let bytes = match prefix.wire_type() {
            Some(WireType::Vint) => {
                self.vint()?;
                return Ok(());
            }
            Some(WireType::Enum) => return Ok(()),
            Some(WireType::Bits8) => 1,
            Some(WireType::Bits32) => 4,
            Some(WireType::Bits64Long | WireType::Bits64Float) => 8,
            Some(WireType::Tuple | WireType::Bytes | WireType::Htuple | WireType::Assoc) => {
                self.vint()?
            }
            None => return Err(self.bad_wire_type(prefix, "a value")),
        };
        match usize::try_from(bytes).ok().and_then(|bytes| self.rest.get(bytes..)) {
            Some(rest) => {
                self.rest = rest;
                Ok(())
            }
            None if prefix.has_length() => Err(self.place().length_error(bytes)),
            None => Err(self.place().too_short(bytes)),
        }
    }

    /// Returns the bytes of the next value, including its prefix, and moves past it.
    #[inline]
    pub fn raw(&mut self) -> Result<&'a [u8]> {
        let before = self.rest;
        self.skip()?;
        Ok(&before[..before.len() - self.rest.len()])
    }

    /// Reads a vint as an `int`, which has 63 bits unless wide ints are allowed.
    #[inline(always)]
    fn vint_as_int(&mut self) -> Result<i64> {
        let n = self.vint()?;
        if n >> 63 != 0 && !self.limits.wide_ints {
            return Err(self.error(Problem::IntRange { value: vint::unzigzag(n) }));
        }
        Ok(vint::unzigzag(n))
    }

    // The following functions implement the tables of specification 4.2: the wire types that each
    // primitive accepts.

    /// Reads a `bool` after its prefix.
    fn bool_payload(&mut self, prefix: Prefix) -> Result<bool> {
        match prefix.wire_type() {
            Some(WireType::Bits8) => Ok(self.fixed::<1>()?[0] != 0),
            _ => Err(self.bad_wire_type(prefix, "bool")),
        }
    }

    /// Reads a `byte` after its prefix.
    fn byte_payload(&mut self, prefix: Prefix) -> Result<u8> {
        match prefix.wire_type() {
            Some(WireType::Bits8) => Ok(self.fixed::<1>()?[0]),
            _ => Err(self.bad_wire_type(prefix, "byte")),
        }
    }

    /// Reads an `int` after its prefix.
    fn int_payload(&mut self, prefix: Prefix) -> Result<i64> {
        match prefix.wire_type() {
            Some(WireType::Vint) => self.vint_as_int(),
            Some(WireType::Bits8) => Ok(i64::from(self.fixed::<1>()?[0])),
            _ => Err(self.bad_wire_type(prefix, "int")),
        }
    }

    /// Reads a `long` after its prefix.
    fn long_payload(&mut self, prefix: Prefix) -> Result<i64> {
        match prefix.wire_type() {
            Some(WireType::Bits64Long) => self.fixed().map(i64::from_le_bytes),
            Some(WireType::Vint) => self.vint_as_int(),
            Some(WireType::Bits8) => Ok(i64::from(self.fixed::<1>()?[0])),
            Some(WireType::Bits32) => Ok(i64::from(i32::from_le_bytes(self.fixed()?))),
            _ => Err(self.bad_wire_type(prefix, "long")),
        }
    }

    /// Reads a `float` after its prefix.
    fn float_payload(&mut self, prefix: Prefix) -> Result<f64> {
        match prefix.wire_type() {
            Some(WireType::Bits64Float) => self.fixed().map(f64::from_le_bytes),
            Some(WireType::Bits64Long) => Ok(i64::from_le_bytes(self.fixed()?) as f64),
            Some(WireType::Vint) => Ok(self.vint_as_int()? as f64),
            Some(WireType::Bits32) => Ok(f64::from(i32::from_le_bytes(self.fixed()?))),
            Some(WireType::Bits8) => Ok(f64::from(self.fixed::<1>()?[0])),
            _ => Err(self.bad_wire_type(prefix, "float")),
        }
    }

    /// Reads a `string` after its prefix.
    fn string_payload(&mut self, prefix: Prefix) -> Result<&'a [u8]> {
        match prefix.wire_type() {
            Some(WireType::Bytes) => self.bytes(),
            _ => Err(self.bad_wire_type(prefix, "string")),
        }
    }

    /// Reads a primitive on the slow path, which checks the tag, and which takes the first element of a
    /// tuple. `payload` reads the value after its prefix.
    #[inline(never)]
    fn primitive<T>(
        &mut self,
        expected: &'static str,
        payload: fn(&mut Self, Prefix) -> Result<T>,
    ) -> Result<T> {
        let prefix = self.untagged_prefix()?;
        if prefix.wire_type() != Some(WireType::Tuple) {
            return payload(self, prefix);
        }
        let block = self.enter()?;
        if block.count == 0 {
            return Err(self.bad_wire_type(prefix, expected));
        }
        let prefix = self.untagged_prefix()?;
        let value = payload(self, prefix)?;
        self.leave(block);
        Ok(value)
    }

    /// Reads a prefix whose tag must be 0.
    fn untagged_prefix(&mut self) -> Result<Prefix> {
        let prefix = self.prefix()?;
        match prefix.tag() {
            0 => Ok(prefix),
            tag => Err(self.error(Problem::UnknownTag { tag })),
        }
    }

    /// Reads a `bool` by the rules of specification 4.2.
    #[inline]
    pub fn read_bool(&mut self) -> Result<bool> {
        if let [2, byte, rest @ ..] = self.rest {
            self.rest = rest;
            return Ok(*byte != 0);
        }
        self.primitive("bool", Reader::bool_payload)
    }

    /// Reads a `byte` by the rules of specification 4.2.
    #[inline]
    pub fn read_byte(&mut self) -> Result<u8> {
        if let [2, byte, rest @ ..] = self.rest {
            self.rest = rest;
            return Ok(*byte);
        }
        self.primitive("byte", Reader::byte_payload)
    }

    /// Reads an `int` by the rules of specification 4.2. Values outside -2^62 ..= 2^62-1 are errors unless
    /// [`Limits::wide_ints`] is set.
    #[inline]
    pub fn read_int(&mut self) -> Result<i64> {
        if let [0, rest @ ..] = self.rest {
            self.rest = rest;
            return self.vint_as_int();
        }
        self.primitive("int", Reader::int_payload)
    }

    /// Reads a `long` by the rules of specification 4.2.
    #[inline]
    pub fn read_long(&mut self) -> Result<i64> {
        if let [6, rest @ ..] = self.rest
            && let Some((chunk, rest)) = rest.split_first_chunk()
        {
            self.rest = rest;
            return Ok(i64::from_le_bytes(*chunk));
        }
        self.primitive("long", Reader::long_payload)
    }

    /// Reads a `float` by the rules of specification 4.2.
    #[inline]
    pub fn read_float(&mut self) -> Result<f64> {
        if let [8, rest @ ..] = self.rest
            && let Some((chunk, rest)) = rest.split_first_chunk()
        {
            self.rest = rest;
            return Ok(f64::from_le_bytes(*chunk));
        }
        self.primitive("float", Reader::float_payload)
    }

    /// Reads a `string`, which may contain any bytes, by the rules of specification 4.2.
    #[inline]
    pub fn read_string(&mut self) -> Result<&'a [u8]> {
        if let [3, rest @ ..] = self.rest {
            self.rest = rest;
            return self.bytes();
        }
        self.primitive("string", Reader::string_payload)
    }

    /// Reads a `string` that must be UTF-8.
    #[inline]
    pub fn read_str(&mut self) -> Result<&'a str> {
        let bytes = self.read_string()?;
        match ketch_bytes::utf8::checked(bytes) {
            Some(text) => Ok(text),
            None => Err(self.error(Problem::NotUtf8)),
        }
    }

    // Promotion accepts only the primitive's own wire type and ignores the tag (specification 4.4
    // to 4.6). The caller has read the prefix and checked the wire type.

    /// Reads the payload of a promoted `bool`.
    pub fn promoted_bool(&mut self) -> Result<bool> {
        Ok(self.fixed::<1>()?[0] != 0)
    }

    /// Reads the payload of a promoted `byte`.
    pub fn promoted_byte(&mut self) -> Result<u8> {
        Ok(self.fixed::<1>()?[0])
    }

    /// Reads the payload of a promoted `int`.
    pub fn promoted_int(&mut self) -> Result<i64> {
        self.vint_as_int()
    }

    /// Reads the payload of a promoted `long`.
    pub fn promoted_long(&mut self) -> Result<i64> {
        self.fixed().map(i64::from_le_bytes)
    }

    /// Reads the payload of a promoted `float`.
    pub fn promoted_float(&mut self) -> Result<f64> {
        self.fixed().map(f64::from_le_bytes)
    }

    /// Reads the payload of a promoted `string`.
    pub fn promoted_string(&mut self) -> Result<&'a [u8]> {
        self.bytes()
    }

    /// Reads the payload of a promoted `string` that must be UTF-8.
    pub fn promoted_str(&mut self) -> Result<&'a str> {
        let bytes = self.bytes()?;
        ketch_bytes::utf8::checked(bytes).ok_or_else(|| self.error(Problem::NotUtf8))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(bytes: &[u8]) -> Result<i64> {
        Reader::new(bytes).read_int()
    }

    #[test]
    fn an_int_can_be_read_from_a_byte_or_the_first_element_of_a_tuple() {
        assert_eq!(int(&[0x00, 0x09]).unwrap(), -5);
        assert_eq!(int(&[0x02, 0xc8]).unwrap(), 200);
        assert_eq!(int(&[0x01, 0x03, 0x01, 0x00, 0x09]).unwrap(), -5);
        assert!(int(&[0x01, 0x06, 0x01, 0x01, 0x03, 0x01, 0x00, 0x09]).is_err(), "two levels");
        assert!(matches!(
            int(&[0x10, 0x02]).unwrap_err().problem(),
            Problem::UnknownTag { tag: 1 }
        ));
        assert!(matches!(
            int(&[0x01, 0x01, 0x00]).unwrap_err().problem(),
            Problem::BadWireType { .. }
        ));
    }

    #[test]
    fn the_end_of_a_block_is_the_end_of_input() {
        let mut reader = Reader::new(&[0x01, 0x02, 0x01, 0x00, 0x02]);
        reader.prefix().unwrap();
        let block = reader.enter().unwrap();
        let error = reader.read_int().unwrap_err();
        assert!(matches!(error.problem(), Problem::Eof));
        assert_eq!(error.offset_bytes(), Some(4));
        reader.leave(block);
        assert_eq!(reader.offset_bytes(), 4);
    }

    #[test]
    fn wide_ints_are_rejected_unless_allowed() {
        let bytes = [0, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01];
        assert!(matches!(int(&bytes).unwrap_err().problem(), Problem::IntRange { .. }));
        let limits = Limits { wide_ints: true, ..Limits::default() };
        assert_eq!(Reader::with_limits(&bytes, &limits).read_int().unwrap(), 1 << 62);
    }

    #[test]
    fn every_wire_type_can_be_skipped() {
        let values: [&[u8]; 10] = [
            &[0x00, 0xac, 0x02],
            &[0x02, 0x01],
            &[0x04, 1, 2, 3, 4],
            &[0x06, 1, 2, 3, 4, 5, 6, 7, 8],
            &[0x08, 1, 2, 3, 4, 5, 6, 7, 8],
            &[0x8a, 0x01],
            &[0x01, 0x03, 0x01, 0x00, 0x09],
            &[0x03, 0x02, 0x61, 0x62],
            &[0x05, 0x01, 0x00],
            &[0x07, 0x05, 0x01, 0x00, 0x02, 0x00, 0x04],
        ];
        for value in values {
            let mut reader = Reader::new(value);
            assert_eq!(reader.raw().unwrap(), value);
            for end in 0..value.len() {
                assert!(Reader::new(&value[..end]).skip().is_err(), "{value:?} cut at {end}");
            }
        }
        for invalid in [9, 11, 12, 13, 14, 15] {
            let error = Reader::new(&[invalid, 0]).skip().unwrap_err();
            assert!(matches!(error.problem(), Problem::BadWireType { .. }));
        }
    }
}

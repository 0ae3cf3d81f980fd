//! The position of a reader without a schema. Inside a block, the end of the block is treated like
//! the end of the input.

use ketch_extprot::wire::vint::{self, VintError};
use ketch_extprot::{Error, Limits, Problem, Result, Shortage};

/// A position in the input, and the end of the innermost block that contains it.
#[derive(Clone, Copy, Debug)]
pub struct Cursor<'a> {
    input: &'a [u8],
    /// The bytes from the position up to the end of the block.
    rest: &'a [u8],
    /// The offset of the end of the block.
    end: usize,
}

impl<'a> Cursor<'a> {
    /// Creates a cursor at the beginning of the input.
    pub fn new(input: &'a [u8]) -> Cursor<'a> {
        Cursor { input, rest: input, end: input.len() }
    }

    /// Returns the offset of the next byte in the input.
    #[inline(always)]
    pub fn offset(&self) -> usize {
        self.end - self.rest.len()
    }

    /// Returns whether the position is at the end of the innermost block or, outside all blocks, at
    /// the end of the input.
    #[inline(always)]
    pub fn is_at_end(&self) -> bool {
        self.rest.is_empty()
    }

    /// Returns the number of bytes left in the innermost block.
    fn left(&self) -> u64 {
        self.rest.len() as u64
    }

    /// Returns the error for a value that needs more bytes than remain.
    #[cold]
    #[inline(never)]
    fn too_short(&self, shortage: Shortage) -> Error {
        Error::too_short(shortage, self.offset() as u64)
    }

    /// Reads a vint.
    #[inline(always)]
    pub fn vint(&mut self) -> Result<u64> {
        match vint::read(self.rest) {
            Ok((number, rest)) => {
                self.rest = rest;
                Ok(number)
            }
            Err(VintError::Eof) => Err(self.error(Problem::Eof)),
            Err(VintError::TooLong) => Err(self.error(Problem::VintTooLong)),
        }
    }

    /// Reads exactly `N` bytes.
    #[inline(always)]
    pub fn fixed<const N: usize>(&mut self) -> Result<[u8; N]> {
        match self.rest.split_first_chunk() {
            Some((bytes, rest)) => {
                self.rest = rest;
                Ok(*bytes)
            }
            None => {
                Err(self.too_short(Shortage::Value { needed: N as u64, available: self.left() }))
            }
        }
    }

    /// Reads a length, and returns as many bytes as it says.
    #[inline(always)]
    pub fn bytes(&mut self, limits: &Limits) -> Result<&'a [u8]> {
        let length = self.vint()?;
        if length > limits.string_length {
            return Err(self.beyond("string_length", length, limits.string_length));
        }
        match usize::try_from(length).ok().and_then(|length| self.rest.split_at_checked(length)) {
            Some((bytes, rest)) => {
                self.rest = rest;
                Ok(bytes)
            }
            None => {
                Err(self.too_short(Shortage::Length { declared: length, available: self.left() }))
            }
        }
    }

    /// Enters the block whose prefix was just read, and whose elements consist of `values_each`
    /// values each. Returns the number of values in the block and, for [`Cursor::leave`], the end
    /// of the enclosing block.
    #[inline(always)]
    pub fn enter(&mut self, values_each: usize, limits: &Limits) -> Result<(usize, usize)> {
        let length = self.vint()?;
        let (outer, start) = (self.end, self.offset());
        match usize::try_from(length).ok().and_then(|length| self.rest.get(..length)) {
            Some(block) => self.rest = block,
            None => {
                let shortage = Shortage::Length { declared: length, available: self.left() };
                return Err(self.too_short(shortage));
            }
        }
        self.end = start + self.rest.len();
        let count = self.vint()?;
        if length > limits.message_length {
            return Err(self.beyond("message_length", length, limits.message_length));
        }
        if count > limits.num_elements {
            return Err(self.beyond("num_elements", count, limits.num_elements));
        }
        // Each value takes at least one byte.
        match usize::try_from(count).ok().and_then(|count| count.checked_mul(values_each)) {
            Some(values) if values <= self.rest.len() => Ok((values, outer)),
            _ => Err(self.too_short(Shortage::Count { declared: count, available: self.left() })),
        }
    }

    /// Leaves the innermost block for the enclosing one, which ends at the offset `outer`.
    #[inline(always)]
    pub fn leave(&mut self, outer: usize) {
        self.rest = &self.input[self.end..outer];
        self.end = outer;
    }

    /// Returns the error for a value `n` that exceeds the maximum `max` of `limit`.
    #[cold]
    #[inline(never)]
    pub fn beyond(self, limit: &'static str, n: u64, max: u64) -> Error {
        self.error(Problem::LimitExceeded { limit, n, max })
    }

    /// Returns an error for `problem` at the current offset.
    #[cold]
    #[inline(never)]
    pub fn error(self, problem: Problem) -> Error {
        Error::new(problem, self.offset() as u64)
    }
}

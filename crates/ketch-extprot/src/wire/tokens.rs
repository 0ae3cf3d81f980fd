//! Reads all tokens of a slice, without a schema.
//!
//! Open blocks are on a stack on the heap. A block with a million levels needs a million small frames,
//! but no space on the call stack.

use super::reader::Reader;
use super::vint;
use crate::error::{Error, Problem, Result};
use crate::limits::{DEFAULT_LIMITS, Limits};
use crate::prefix::{Prefix, WireType};

/// One token: a scalar, or the start or end of a block. `B` is the type of the content of a string:
/// its bytes in [`Tokens`], and its length in [`StreamTokens`](super::StreamTokens).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Token<B> {
    /// The offset in bytes of the token's prefix or, for the end of a block, of the byte after the
    /// block.
    pub offset_bytes: u64,
    /// The tag, or 0 for the end of a block.
    pub tag: u64,
    /// The kind of the token.
    pub kind: TokenKind<B>,
}

/// The kinds of tokens. Everything between the start and the end of a block belongs to the block.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TokenKind<B> {
    /// A vint, after zigzag decoding.
    Vint(i64),
    /// One byte.
    Bits8(u8),
    /// Four bytes.
    Bits32(i32),
    /// Eight bytes as an integer.
    Bits64Long(i64),
    /// Eight bytes as a float.
    Bits64Float(f64),
    /// A constant, whose value is its tag.
    Enum,
    /// A string of bytes.
    Bytes(B),
    /// A block starts. It is a Tuple, Htuple or Assoc, with its count (of pairs, for an Assoc).
    Begin(WireType, u64),
    /// The innermost open block ends.
    End(WireType),
}

#[derive(Clone, Debug)]
struct Frame {
    /// The number of bytes of the input after the end of the enclosing block.
    after_bytes: usize,
    /// The number of values that remain in the enclosing block.
    remaining: u64,
    wire_type: WireType,
}

/// Iterates over the tokens of all values in a slice. After an error, it yields nothing more.
///
/// ```
/// use ketch_extprot::wire::{TokenKind, Tokens};
/// let mut tokens = Tokens::new(&[0x01, 0x03, 0x01, 0x00, 0x09]);
/// assert!(matches!(tokens.next().unwrap()?.kind, TokenKind::Begin(_, 1)));
/// assert_eq!(tokens.next().unwrap()?.kind, TokenKind::Vint(-5));
/// assert!(matches!(tokens.next().unwrap()?.kind, TokenKind::End(_)));
/// assert!(tokens.next().is_none());
/// # Ok::<(), ketch_extprot::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Tokens<'a, 'l> {
    input: &'a [u8],
    /// The rest of the innermost open block, or of the input, is from `position` to `end`.
    position: usize,
    end: usize,
    frames: Vec<Frame>,
    /// The number of values that remain in the innermost open block.
    remaining: u64,
    limits: &'l Limits,
    failed: bool,
}

impl<'a> Tokens<'a, 'static> {
    /// Creates an iterator over the tokens of `input` with the default limits.
    pub fn new(input: &'a [u8]) -> Tokens<'a, 'static> {
        Tokens::with_limits(input, &DEFAULT_LIMITS)
    }
}

impl<'a, 'l> Tokens<'a, 'l> {
    /// Creates an iterator over the tokens of `input` with the given limits.
    pub fn with_limits(input: &'a [u8], limits: &'l Limits) -> Tokens<'a, 'l> {
        Tokens {
            input,
            position: 0,
            end: input.len(),
            frames: Vec::new(),
            remaining: 0,
            limits,
            failed: false,
        }
    }

    /// Returns the number of open blocks.
    pub fn depth(&self) -> usize {
        self.frames.len()
    }

    /// Returns the offset in bytes of the next token.
    pub fn offset_bytes(&self) -> usize {
        self.position
    }

    /// Returns an error for `problem`, and makes sure that no more tokens follow.
    #[cold]
    #[inline(never)]
    fn fail(&mut self, problem: Problem, offset: usize) -> Error {
        self.failed = true;
        Error::new(problem, offset as u64)
    }

    /// Leaves a block, and skips the bytes after its last element.
    #[inline]
    fn close(&mut self, frame: Frame) -> Result<Token<&'a [u8]>> {
        if self.limits.strict && self.position != self.end {
            let problem =
                Problem::NotCanonical("bytes between the last element and the block's end");
            return Err(self.fail(problem, self.position));
        }
        self.position = self.end;
        self.end = self.input.len() - frame.after_bytes;
        self.remaining = frame.remaining;
        let kind = TokenKind::End(frame.wire_type);
        Ok(Token { offset_bytes: self.position as u64, tag: 0, kind })
    }

    /// Reads the length and the count of a block, and enters it.
    #[inline]
    fn open(
        &mut self,
        wire_type: WireType,
        reader: &mut Reader<'a, '_>,
    ) -> Result<TokenKind<&'a [u8]>> {
        let block = reader.enter()?;
        let count = reader.check_list(&block)?;
        let values = count * (1 + usize::from(wire_type == WireType::Assoc));
        if values > reader.remaining().len() {
            return Err(reader.count_error(values as u64));
        }
        if self.frames.len() as u64 >= self.limits.depth {
            let (n, max) = (self.frames.len() as u64 + 1, self.limits.depth);
            return Err(reader.error(Problem::LimitExceeded { limit: "depth", n, max }));
        }
        let after_bytes = self.input.len() - self.end;
        self.frames.push(Frame { after_bytes, remaining: self.remaining, wire_type });
        self.position = reader.offset_bytes() as usize;
        self.end = self.position + reader.remaining().len();
        self.remaining = values as u64;
        Ok(TokenKind::Begin(wire_type, count as u64))
    }

    /// Reads the next token.
    #[inline]
    fn token(&mut self) -> Result<Token<&'a [u8]>> {
        let start = self.position;
        let rest = &self.input[start..self.end];
        let mut reader = Reader::with_limits(rest, self.limits).with_offset(start as u64);
        let prefix = reader.prefix()?;
        self.remaining = self.remaining.wrapping_sub(1);
        let Some(wire_type) = prefix.wire_type() else {
            return Err(Error::new(invalid(prefix), start as u64));
        };
        let kind = match wire_type {
            WireType::Vint => TokenKind::Vint(vint::unzigzag(reader.vint()?)),
            WireType::Bits8 => TokenKind::Bits8(reader.fixed::<1>()?[0]),
            WireType::Bits32 => TokenKind::Bits32(i32::from_le_bytes(reader.fixed()?)),
            WireType::Bits64Long => TokenKind::Bits64Long(i64::from_le_bytes(reader.fixed()?)),
            WireType::Bits64Float => TokenKind::Bits64Float(f64::from_le_bytes(reader.fixed()?)),
            WireType::Enum => TokenKind::Enum,
            WireType::Bytes => TokenKind::Bytes(reader.bytes()?),
            block => self.open(block, &mut reader)?,
        };
        if self.limits.strict {
            self.check_canonical(rest, &reader, prefix, &kind, start)?;
        }
        if !wire_type.is_block() {
            self.position = reader.offset_bytes() as usize;
        }
        Ok(Token { offset_bytes: start as u64, tag: prefix.tag(), kind })
    }

    /// Checks, for strict reading, that all vints of the token are as short as possible.
    fn check_canonical(
        &self,
        rest: &[u8],
        reader: &Reader<'_, '_>,
        prefix: Prefix,
        kind: &TokenKind<&[u8]>,
        start: usize,
    ) -> Result<()> {
        let used = reader.offset_bytes() as usize - start;
        let shortest = vint::length(prefix.0)
            + match *kind {
                TokenKind::Vint(n) => vint::length(vint::zigzag(n)),
                TokenKind::Bits8(_) => 1,
                TokenKind::Bits32(_) => 4,
                TokenKind::Bits64Long(_) | TokenKind::Bits64Float(_) => 8,
                TokenKind::Enum | TokenKind::End(_) => 0,
                TokenKind::Bytes(bytes) => vint::length(bytes.len() as u64) + bytes.len(),
                TokenKind::Begin(_, count) => {
                    let length = reader.remaining().len() + vint::length(count);
                    vint::length(length as u64) + vint::length(count)
                }
            };
        if used != shortest || rest.len() < used {
            return Err(Error::new(Problem::NotCanonical("a padded vint"), start as u64));
        }
        Ok(())
    }
}

/// Returns the problem for a prefix with an invalid wire type.
#[cold]
fn invalid(prefix: Prefix) -> Problem {
    Problem::BadWireType { found: prefix.wire_number(), expected: "a value".into() }
}

impl<'a> Iterator for Tokens<'a, '_> {
    type Item = Result<Token<&'a [u8]>>;

    #[inline]
    fn next(&mut self) -> Option<Result<Token<&'a [u8]>>> {
        if self.failed {
            return None;
        }
        if self.remaining == 0
            && let Some(frame) = self.frames.pop()
        {
            return Some(self.close(frame));
        }
        if self.frames.is_empty() && self.position == self.end {
            return None;
        }
        let token = self.token();
        self.failed = token.is_err();
        Some(token)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_million_levels_do_not_overflow_the_stack() {
        let mut writer = crate::wire::Writer::new();
        for _ in 0..1_000_000 {
            writer.close_block(0, u64::from(!writer.is_empty()), 0, WireType::Tuple);
        }
        let bytes = writer.into_vec().unwrap();
        let limits = Limits { depth: u64::MAX, ..Limits::default() };
        let tokens = Tokens::with_limits(&bytes, &limits);
        assert_eq!(tokens.filter(|token| token.is_ok()).count(), 2_000_000);
        let error = Tokens::new(&bytes).find_map(Result::err).unwrap();
        assert!(matches!(error.problem(), Problem::LimitExceeded { limit: "depth", .. }));
    }

    #[test]
    fn strict_reading_refuses_bytes_that_no_writer_produces() {
        let limits = Limits { strict: true, ..Limits::default() };
        let padded: [&[u8]; 5] = [
            &[0x01, 0x83, 0x00, 0x01, 0x00, 0x02],
            &[0x81, 0x00, 0x03, 0x01, 0x00, 0x02],
            &[0x01, 0x04, 0x81, 0x00, 0x00, 0x02],
            &[0x00, 0x82, 0x00],
            &[0x01, 0x04, 0x01, 0x00, 0x02, 0xff],
        ];
        for bytes in padded {
            assert!(Tokens::new(bytes).all(|token| token.is_ok()));
            let error = Tokens::with_limits(bytes, &limits).find_map(Result::err).unwrap();
            assert!(matches!(error.problem(), Problem::NotCanonical(_)), "{bytes:02x?}: {error}");
        }
    }

    #[test]
    fn counts_beyond_the_block_are_refused_before_reading() {
        let error = Tokens::new(&[0x05, 0x03, 0xff, 0x7f, 0x0a]).find_map(Result::err).unwrap();
        assert!(matches!(error.problem(), Problem::Eof));
        let pairs = Tokens::new(&[0x07, 0x03, 0x02, 0x0a, 0x0a]).find_map(Result::err).unwrap();
        assert!(matches!(pairs.problem(), Problem::Eof));
    }
}

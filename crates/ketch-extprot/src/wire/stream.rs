//! Reads the tokens of a stream in constant memory, even if its messages are large.

use super::tokens::{Token, TokenKind};
use super::vint::{self, VintError};
use crate::error::{Error, Problem, Result, Shortage};
use crate::limits::Limits;
use crate::prefix::{Prefix, WireType};
use std::io::Read;

#[derive(Clone, Debug)]
struct Frame {
    /// The offset in the stream at which the block around this one ends.
    outer_end_bytes: u64,
    outer_remaining: u64,
    wire_type: WireType,
}

/// Reads the tokens of a stream. The token of a string, [`TokenKind::Bytes`], contains only its
/// length. [`StreamTokens::chunk`] returns the bytes; if it is not called, they are skipped. The
/// reader needs a buffer of 64 KiB, and a few words of memory per open block.
///
/// ```
/// use ketch_extprot::wire::{StreamTokens, TokenKind};
/// let mut tokens = StreamTokens::new(&[0x03, 0x02, 0x68, 0x69][..], Default::default());
/// let token = tokens.next_token()?.expect("one value");
/// assert_eq!((token.offset_bytes, token.tag, token.kind), (0, 0, TokenKind::Bytes(2)));
/// assert_eq!(tokens.chunk()?, Some(&b"hi"[..]));
/// assert_eq!(tokens.chunk()?, None);
/// # Ok::<(), ketch_extprot::Error>(())
/// ```
#[derive(Debug)]
pub struct StreamTokens<R> {
    stream: R,
    buffer: Box<[u8]>,
    start: usize,
    filled: usize,
    /// The offset of `buffer[start]` in the stream.
    offset_bytes: u64,
    /// The offset in the stream at which the innermost open block ends, or `u64::MAX` outside of
    /// blocks.
    end_bytes: u64,
    remaining: u64,
    frames: Vec<Frame>,
    /// The number of bytes of the last string that were not yet returned.
    pending_bytes: u64,
    limits: Limits,
    failed: bool,
}

const BUFFER_BYTES: usize = 64 * 1024;

impl<R: Read> StreamTokens<R> {
    /// Creates a reader of the tokens of `stream`.
    pub fn new(stream: R, limits: Limits) -> StreamTokens<R> {
        StreamTokens {
            stream,
            buffer: vec![0; BUFFER_BYTES].into(),
            start: 0,
            filled: 0,
            offset_bytes: 0,
            end_bytes: u64::MAX,
            remaining: 0,
            frames: Vec::new(),
            pending_bytes: 0,
            limits,
            failed: false,
        }
    }

    /// Returns the number of open blocks.
    pub fn depth(&self) -> usize {
        self.frames.len()
    }

    /// Returns the offset in the stream of the next byte to be read.
    pub fn offset_bytes(&self) -> u64 {
        self.offset_bytes
    }

    /// Returns the number of bytes that remain in the innermost open block, or `None` outside of
    /// blocks.
    pub fn block_bytes(&self) -> Option<u64> {
        (!self.frames.is_empty()).then(|| self.end_bytes - self.offset_bytes)
    }

    /// Returns the next token, or `None` at the end and after an error.
    pub fn next_token(&mut self) -> Result<Option<Token<u64>>> {
        if self.failed {
            return Ok(None);
        }
        let token = self.token();
        self.failed = token.is_err();
        token
    }

    /// Returns the next bytes of the string whose token was returned last, or `None` after its end.
    pub fn chunk(&mut self) -> Result<Option<&[u8]>> {
        if self.pending_bytes == 0 {
            return Ok(None);
        }
        if self.start == self.filled && !self.refill()? {
            self.failed = true;
            return Err(self.too_short(self.pending_bytes));
        }
        let length = (self.filled - self.start)
            .min(usize::try_from(self.pending_bytes).unwrap_or(usize::MAX));
        let start = self.start;
        self.start += length;
        self.offset_bytes += length as u64;
        self.pending_bytes -= length as u64;
        Ok(Some(&self.buffer[start..start + length]))
    }

    /// Creates an error at the current position in the stream.
    fn error(&self, problem: Problem) -> Error {
        Error::new(problem, self.offset_bytes)
    }

    /// Returns the number of bytes of the innermost block that are in the buffer.
    fn available(&self) -> u64 {
        ((self.filled - self.start) as u64).min(self.end_bytes - self.offset_bytes)
    }

    /// Returns the error for a value that needs more bytes than remain.
    #[cold]
    fn too_short(&self, needed: u64) -> Error {
        let available = self.available();
        Error::too_short(Shortage::Value { needed, available }, self.offset_bytes)
    }

    /// Returns the error for a declared length that exceeds the block. Outside of blocks, only the
    /// buffered bytes are known to be available.
    #[cold]
    fn length_error(&self, declared: u64) -> Error {
        let available = match self.end_bytes {
            u64::MAX => self.available(),
            end_bytes => end_bytes - self.offset_bytes,
        };
        Error::too_short(Shortage::Length { declared, available }, self.offset_bytes)
    }

    /// Reads more bytes after those in the buffer. Returns whether there were any.
    fn refill(&mut self) -> Result<bool> {
        self.buffer.copy_within(self.start..self.filled, 0);
        self.filled -= self.start;
        self.start = 0;
        loop {
            match self.stream.read(&mut self.buffer[self.filled..]) {
                Ok(got) => {
                    self.filled += got;
                    return Ok(got > 0);
                }
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Returns the buffered bytes of the innermost block. These are at least `wanted` bytes, unless
    /// the input or the block ends earlier.
    fn peek(&mut self, wanted: usize) -> Result<&[u8]> {
        while self.filled - self.start < wanted && self.refill()? {}
        let in_block = self.end_bytes - self.offset_bytes;
        let length =
            (self.filled - self.start).min(usize::try_from(in_block).unwrap_or(usize::MAX));
        Ok(&self.buffer[self.start..self.start + length])
    }

    /// Moves past `bytes` buffered bytes.
    fn advance(&mut self, bytes: usize) {
        self.start += bytes;
        self.offset_bytes += bytes as u64;
    }

    /// Reads a vint.
    fn vint(&mut self) -> Result<u64> {
        let strict = self.limits.strict;
        let bytes = self.peek(vint::VINT_BYTES_MAX)?;
        match vint::read(bytes) {
            Ok((n, rest)) => {
                let length = bytes.len() - rest.len();
                if strict && length != vint::length(n) {
                    return Err(self.error(Problem::NotCanonical("a padded vint")));
                }
                self.advance(length);
                Ok(n)
            }
            Err(VintError::Eof) => Err(self.error(Problem::Eof)),
            Err(VintError::TooLong) => Err(self.error(Problem::VintTooLong)),
        }
    }

    /// Reads exactly `N` bytes.
    fn fixed<const N: usize>(&mut self) -> Result<[u8; N]> {
        match self.peek(N)?.first_chunk::<N>().copied() {
            Some(chunk) => {
                self.advance(N);
                Ok(chunk)
            }
            None => Err(self.too_short(N as u64)),
        }
    }

    /// Moves past `bytes` bytes without keeping them.
    fn discard(&mut self, mut bytes: u64) -> Result<()> {
        while bytes > 0 {
            if self.start == self.filled && !self.refill()? {
                return Err(self.too_short(bytes));
            }
            let step = (self.filled - self.start).min(usize::try_from(bytes).unwrap_or(usize::MAX));
            self.advance(step);
            bytes -= step as u64;
        }
        Ok(())
    }

    /// Reads the next token, or the end of a block.
    fn token(&mut self) -> Result<Option<Token<u64>>> {
        let pending = std::mem::take(&mut self.pending_bytes);
        self.discard(pending)?;
        if self.remaining == 0
            && let Some(frame) = self.frames.pop()
        {
            return self.close(&frame).map(Some);
        }
        if self.frames.is_empty() && self.peek(1)?.is_empty() {
            return Ok(None);
        }
        let offset = self.offset_bytes;
        let prefix = Prefix(self.vint()?);
        self.remaining = self.remaining.wrapping_sub(1);
        let Some(wire_type) = prefix.wire_type() else {
            let found = prefix.wire_number();
            let problem = Problem::BadWireType { found, expected: "a value".into() };
            return Err(Error::new(problem, offset));
        };
        let kind = match wire_type {
            WireType::Vint => TokenKind::Vint(vint::unzigzag(self.vint()?)),
            WireType::Bits8 => TokenKind::Bits8(self.fixed::<1>()?[0]),
            WireType::Bits32 => TokenKind::Bits32(i32::from_le_bytes(self.fixed()?)),
            WireType::Bits64Long => TokenKind::Bits64Long(i64::from_le_bytes(self.fixed()?)),
            WireType::Bits64Float => TokenKind::Bits64Float(f64::from_le_bytes(self.fixed()?)),
            WireType::Enum => TokenKind::Enum,
            WireType::Bytes => TokenKind::Bytes(self.open_bytes()?),
            block => self.open(block)?,
        };
        Ok(Some(Token { offset_bytes: offset, tag: prefix.tag(), kind }))
    }

    /// Fails if `n` is more than `max`, the maximum for `limit`.
    fn limit(&self, limit: &'static str, n: u64, max: u64) -> Result<()> {
        if n > max {
            return Err(self.error(Problem::LimitExceeded { limit, n, max }));
        }
        Ok(())
    }

    /// Reads the length of a string, whose bytes are then pending.
    fn open_bytes(&mut self) -> Result<u64> {
        let length = self.vint()?;
        self.limit("string_length", length, self.limits.string_length)?;
        if length > self.end_bytes - self.offset_bytes {
            return Err(self.length_error(length));
        }
        self.pending_bytes = length;
        Ok(length)
    }

    /// Reads the length and the count of a block, and enters it.
    fn open(&mut self, wire_type: WireType) -> Result<TokenKind<u64>> {
        let length = self.vint()?;
        self.limit("message_length", length, self.limits.message_length)?;
        if length > self.end_bytes - self.offset_bytes {
            return Err(self.length_error(length));
        }
        let outer_end_bytes = std::mem::replace(&mut self.end_bytes, self.offset_bytes + length);
        let count = self.vint()?;
        self.limit("num_elements", count, self.limits.num_elements)?;
        self.limit("depth", self.frames.len() as u64 + 1, self.limits.depth)?;
        let values = count.saturating_mul(1 + u64::from(wire_type == WireType::Assoc));
        let rest = self.end_bytes - self.offset_bytes;
        if values > rest {
            let shortage = Shortage::Count { declared: values, available: rest };
            return Err(Error::too_short(shortage, self.offset_bytes));
        }
        let outer_remaining = std::mem::replace(&mut self.remaining, values);
        self.frames.push(Frame { outer_end_bytes, outer_remaining, wire_type });
        Ok(TokenKind::Begin(wire_type, count))
    }

    /// Leaves a block, and skips the bytes after its last element.
    fn close(&mut self, frame: &Frame) -> Result<Token<u64>> {
        let junk = self.end_bytes - self.offset_bytes;
        if junk > 0 && self.limits.strict {
            let problem =
                Problem::NotCanonical("bytes between the last element and the block's end");
            return Err(self.error(problem));
        }
        self.discard(junk)?;
        self.end_bytes = frame.outer_end_bytes;
        self.remaining = frame.outer_remaining;
        let kind = TokenKind::End(frame.wire_type);
        Ok(Token { offset_bytes: self.offset_bytes, tag: 0, kind })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::Tokens;

    /// A stream that yields three bytes at a time.
    struct Trickle<'a>(&'a [u8]);

    impl Read for Trickle<'_> {
        fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
            let n = self.0.len().min(out.len()).min(3);
            out[..n].copy_from_slice(&self.0[..n]);
            self.0 = &self.0[n..];
            Ok(n)
        }
    }

    /// Checks that a stream that yields three bytes at a time has the same tokens as the slice.
    fn compare(bytes: &[u8]) {
        let mut stream = StreamTokens::new(Trickle(bytes), Limits::default());
        for token in Tokens::new(bytes) {
            let got = stream.next_token();
            let Ok(token) = token else {
                // A stream notices a truncated block only when the bytes are missing.
                while let Ok(got) = stream.next_token() {
                    if got.is_none() {
                        return;
                    }
                }
                return;
            };
            let got = got.unwrap().unwrap();
            assert_eq!((got.offset_bytes, got.tag), (token.offset_bytes, token.tag));
            match (got.kind, token.kind) {
                (TokenKind::Bytes(length), TokenKind::Bytes(bytes)) => {
                    let mut all = Vec::new();
                    while let Some(chunk) = stream.chunk().unwrap() {
                        all.extend_from_slice(chunk);
                    }
                    assert_eq!((length, &all[..]), (bytes.len() as u64, bytes));
                }
                (a, b) => assert_eq!(format!("{a:?}"), format!("{b:?}")),
            }
        }
        assert!(stream.next_token().unwrap().is_none());
    }

    #[test]
    fn a_stream_yields_the_same_tokens_as_a_slice() {
        let mut writer = crate::wire::Writer::new();
        writer.write_string(&[b'x'; 100_000]);
        writer.write_int(-77777);
        writer.close_block(0, 2, 9, WireType::Tuple);
        let mark = writer.mark();
        writer.write_float(0.5);
        writer.write_enum(300);
        writer.close_block(mark, 1, 0, WireType::Assoc);
        let bytes = writer.into_vec().unwrap();
        compare(&bytes);
        compare(&[0x01, 0x05, 0x01, 0x00, 0x02, 0xff, 0xff, 0x0a]);
        for end in (0..bytes.len()).step_by(997).chain(0..40) {
            compare(&bytes[..end]);
        }
    }
}

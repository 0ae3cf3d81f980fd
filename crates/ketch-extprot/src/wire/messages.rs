//! Splits streams into messages. A stream is a sequence of messages with nothing between them.

use super::reader::Reader;
use super::vint;
use crate::error::{Error, Problem, Result, Shortage};
use crate::prefix::{Prefix, WireType};
use std::io::Read;

/// Returns the length in bytes of the value at the start of `bytes`, including its prefix.
///
/// # Errors
/// Fails if the value is incomplete or its wire type is invalid. In that case, it is not known
/// where the next value starts.
pub fn value_length(bytes: &[u8]) -> Result<usize> {
    Reader::new(bytes).raw().map(<[u8]>::len)
}

/// Iterates over the bytes of the messages of a slice, each with its offset. If the data is corrupt, it
/// yields all complete messages before that point, then the error, and then nothing.
///
/// ```
/// use ketch_extprot::wire::Messages;
/// let stream = [0x01, 0x03, 0x01, 0x00, 0x02, 0x01, 0x03, 0x01, 0x00];
/// let mut messages = Messages::new(&stream);
/// assert_eq!(messages.next().unwrap()?, (0, &stream[..5]));
/// assert_eq!(messages.next().unwrap().unwrap_err().offset_bytes(), Some(7));
/// assert!(messages.next().is_none());
/// # Ok::<(), ketch_extprot::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Messages<'a> {
    reader: Reader<'a, 'static>,
    failed: bool,
}

impl<'a> Messages<'a> {
    /// Creates an iterator over the messages of `input`.
    pub fn new(input: &'a [u8]) -> Messages<'a> {
        Messages { reader: Reader::new(input), failed: false }
    }
}

impl<'a> Iterator for Messages<'a> {
    type Item = Result<(u64, &'a [u8])>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed || self.reader.is_empty() {
            return None;
        }
        let offset_bytes = self.reader.offset_bytes();
        let message = self.reader.raw();
        self.failed = message.is_err();
        Some(message.map(|message| (offset_bytes, message)))
    }
}

/// The default for the maximum length of a message in a [`MessageReader`]: 1 GiB.
pub const MESSAGE_LENGTH_MAX: u64 = 1 << 30;

/// The minimum free space in the buffer before a read from the stream. The buffer grows with the bytes
/// that were read, and not by a length in the input, which may be wrong.
const STEP_BYTES: usize = 64 * 1024;

/// Reads the messages of a stream, with one message in memory at a time.
///
/// It has its own buffer, so the stream does not have to be buffered.
///
/// ```
/// use ketch_extprot::wire::MessageReader;
/// let stream = [0x01, 0x03, 0x01, 0x00, 0x02, 0x01, 0x03, 0x01, 0x00, 0x03];
/// let mut reader = MessageReader::new(&stream[..]);
/// let mut lengths = Vec::new();
/// while let Some(message) = reader.next_message()? {
///     lengths.push(message.len());
/// }
/// assert_eq!(lengths, [5, 5]);
/// # Ok::<(), ketch_extprot::Error>(())
/// ```
#[derive(Debug)]
pub struct MessageReader<R> {
    stream: R,
    buffer: Vec<u8>,
    /// The offset in the buffer at which the last message, or the next one, starts.
    start: usize,
    /// The offset in the buffer at which the bytes that were read end.
    filled: usize,
    /// The length of the last message, which the next call removes.
    used: usize,
    /// The offset of `start` in the stream.
    offset_bytes: u64,
    length_max: u64,
    stream_ended: bool,
    failed: bool,
}

impl<R: Read> MessageReader<R> {
    /// Creates a reader of the messages of `stream`.
    pub fn new(stream: R) -> MessageReader<R> {
        MessageReader {
            stream,
            buffer: Vec::new(),
            start: 0,
            filled: 0,
            used: 0,
            offset_bytes: 0,
            length_max: MESSAGE_LENGTH_MAX,
            stream_ended: false,
            failed: false,
        }
    }

    /// Sets the maximum length of a message in bytes, not counting its header.
    #[must_use]
    pub fn with_length_max(mut self, bytes: u64) -> MessageReader<R> {
        self.length_max = bytes;
        self
    }

    /// Returns the offset in the stream of the message that was returned last. Before the first call
    /// and at the end, this is the offset at which the next message would start.
    pub fn offset_bytes(&self) -> u64 {
        self.offset_bytes
    }

    /// Returns the next message, or `None` at the end of the stream and after an error.
    pub fn next_message(&mut self) -> Result<Option<&[u8]>> {
        if self.failed {
            return Ok(None);
        }
        self.start += self.used;
        self.offset_bytes += self.used as u64;
        self.used = 0;
        match self.message_length() {
            Ok(0) => Ok(None),
            Ok(length) => {
                self.used = length;
                Ok(Some(&self.buffer[self.start..self.start + length]))
            }
            Err(error) => {
                self.failed = true;
                Err(error)
            }
        }
    }

    /// Buffers at least `bytes` bytes if the stream has as many. Returns whether it has.
    fn fill(&mut self, bytes: usize) -> Result<bool> {
        while self.filled - self.start < bytes && !self.stream_ended {
            // The buffered bytes are moved to the front only before a read. If they were moved for each
            // of many small messages, the time would be quadratic.
            if self.start > 0 {
                self.buffer.copy_within(self.start..self.filled, 0);
                self.filled -= self.start;
                self.start = 0;
            }
            if self.buffer.len() - self.filled < STEP_BYTES {
                self.buffer.resize(self.filled + self.filled / 2 + 2 * STEP_BYTES, 0);
            }
            match self.stream.read(&mut self.buffer[self.filled..]) {
                Ok(0) => self.stream_ended = true,
                Ok(got) => self.filled += got,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(self.filled - self.start >= bytes)
    }

    /// Buffers the next message completely, and returns its length, or 0 at the end of the stream.
    fn message_length(&mut self) -> Result<usize> {
        self.fill(2 * vint::VINT_BYTES_MAX)?;
        if self.filled == self.start {
            return Ok(0);
        }
        let mut reader =
            Reader::new(&self.buffer[self.start..self.filled]).with_offset(self.offset_bytes);
        let prefix = reader.prefix()?;
        let length = payload_length(&mut reader, prefix)?;
        let header = (reader.offset_bytes() - self.offset_bytes) as usize;
        if length > self.length_max {
            let problem =
                Problem::LimitExceeded { limit: "message_length", n: length, max: self.length_max };
            return Err(Error::new(problem, self.offset_bytes));
        }
        let total = usize::try_from(length).ok().and_then(|length| length.checked_add(header));
        match total {
            Some(total) if self.fill(total)? => Ok(total),
            _ => {
                let end = self.offset_bytes + (self.filled - self.start) as u64;
                let available = (self.filled - self.start) as u64 - header as u64;
                let shortage = match prefix.has_length() {
                    true => Shortage::Length { declared: length, available },
                    false => Shortage::Value { needed: length, available },
                };
                Err(Error::too_short(shortage, end))
            }
        }
    }
}

/// Returns the number of bytes after the header of a value whose prefix was just read. Reads the length
/// if there is one. A vint is read as part of the header, so the result for it is 0.
fn payload_length(reader: &mut Reader<'_, '_>, prefix: Prefix) -> Result<u64> {
    Ok(match prefix.wire_type() {
        Some(WireType::Vint) => {
            reader.vint()?;
            0
        }
        Some(WireType::Enum) => 0,
        Some(WireType::Bits8) => 1,
        Some(WireType::Bits32) => 4,
        Some(WireType::Bits64Long | WireType::Bits64Float) => 8,
        Some(_) => reader.vint()?,
        None => return Err(reader.bad_wire_type(prefix, "a message")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A stream that yields one byte at a time.
    struct Trickle<'a>(&'a [u8]);

    impl Read for Trickle<'_> {
        fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
            let n = self.0.len().min(out.len()).min(1);
            out[..n].copy_from_slice(&self.0[..n]);
            self.0 = &self.0[n..];
            Ok(n)
        }
    }

    /// Returns a stream of 1,000 messages of growing length.
    fn stream() -> Vec<u8> {
        let mut stream = Vec::new();
        for n in 0..1000usize {
            let mut writer = crate::wire::Writer::new();
            writer.write_string(&vec![b'x'; n * 7]);
            writer.close_block(0, 1, 0, WireType::Tuple);
            stream.extend(writer.finish().unwrap());
        }
        stream
    }

    #[test]
    fn messages_are_the_same_from_streams_in_pieces() {
        let stream = stream();
        let whole: Vec<_> = Messages::new(&stream).map(|m| m.unwrap().1).collect();
        assert_eq!(whole.len(), 1000);
        let mut reader = MessageReader::new(Trickle(&stream));
        let mut n = 0;
        while let Some(message) = reader.next_message().unwrap() {
            assert_eq!(message, whole[n]);
            n += 1;
        }
        assert_eq!(n, 1000);
    }

    #[test]
    fn values_before_corrupt_data_are_yielded() {
        let stream = stream();
        let cut = stream.len() - 3;
        let mut reader = MessageReader::new(&stream[..cut]);
        let mut n = 0;
        let error = loop {
            match reader.next_message() {
                Ok(Some(_)) => n += 1,
                Ok(None) => panic!("the error was not noticed"),
                Err(error) => break error,
            }
        };
        assert_eq!((n, error.offset_bytes()), (999, Some(cut as u64)));
        assert!(reader.next_message().unwrap().is_none());
    }

    #[test]
    fn a_large_length_does_not_allocate_memory() {
        let mut reader = MessageReader::new(&[0x01, 0x80, 0x80, 0x80, 0x80, 0x02, 0x00][..]);
        assert!(matches!(reader.next_message().unwrap_err().problem(), Problem::Eof));
        assert!(reader.buffer.capacity() < 1 << 20);
    }
}

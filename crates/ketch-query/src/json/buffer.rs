//! The text that is read, of which only a part is in memory.

use super::index::Index;
use std::io::{self, Read};

/// A text with its marks.
pub(super) struct Buffer {
    pub bytes: Vec<u8>,
    /// What follows the bytes; none at the end.
    input: Option<Box<dyn Read + Send>>,
    index: Index,
    /// The offset of the first byte that is still needed.
    pub start: usize,
    /// The number of lines in the text that is not needed any more, and of bytes after the last of them.
    dropped: (usize, usize),
    /// The number of bytes that are not needed any more.
    dropped_bytes: u64,
    has_begun: bool,
}

/// The number of bytes that are read at once.
const CHUNK_BYTES: usize = 64 << 10;
const BOM: &[u8] = b"\xef\xbb\xbf";

impl Buffer {
    /// Creates a buffer of a text and what follows it.
    pub fn new(bytes: Vec<u8>, input: Option<Box<dyn Read + Send>>) -> Buffer {
        let index = Index::new(0);
        Buffer {
            bytes,
            input,
            index,
            start: 0,
            dropped: (0, 0),
            dropped_bytes: 0,
            has_begun: false,
        }
    }

    /// Returns the offset of the next mark.
    #[inline]
    pub fn mark(&mut self) -> io::Result<Option<usize>> {
        match self.index.next() {
            Some(mark) => Ok(Some(mark)),
            None => self.find_mark(),
        }
    }

    /// Finds the next mark.
    #[inline(never)]
    fn find_mark(&mut self) -> io::Result<Option<usize>> {
        if !self.has_begun {
            self.begin()?;
        }
        while !self.index.find(&self.bytes) {
            if !self.fill()? {
                return Ok(None);
            }
        }
        Ok(self.index.next())
    }

    /// Skips a byte order mark.
    fn begin(&mut self) -> io::Result<()> {
        self.has_begun = true;
        while self.bytes.len() < BOM.len() && self.fill()? {}
        if self.bytes.starts_with(BOM) {
            self.start = BOM.len();
            self.index = Index::new(BOM.len());
        }
        Ok(())
    }

    /// Reads more. Returns false at the end. Only what is from `start` on keeps its place, counted from there.
    pub fn fill(&mut self) -> io::Result<bool> {
        let Some(input) = &mut self.input else { return Ok(false) };
        let unneeded = self.start.min(self.index.kept());
        if unneeded * 2 > self.bytes.len() {
            self.dropped = after(self.dropped, &self.bytes[..unneeded]);
            self.dropped_bytes += unneeded as u64;
            self.bytes.drain(..unneeded);
            self.start -= unneeded;
            self.index.shift(unneeded);
        }
        let length = self.bytes.len();
        self.bytes.resize(length + CHUNK_BYTES, 0);
        let count = loop {
            match input.read(&mut self.bytes[length..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                result => break result,
            }
        };
        self.bytes.truncate(length + *count.as_ref().unwrap_or(&0));
        if count? == 0 {
            self.input = None;
        }
        Ok(self.input.is_some())
    }

    /// Takes the bytes from `start` to `end`, if they are many, and most of all. Otherwise, they can be copied.
    pub fn take(&mut self, end: usize) -> Option<Vec<u8>> {
        let count = end - self.start;
        if count < CHUNK_BYTES || count * 2 < self.bytes.len() {
            return None;
        }
        self.dropped = after(self.dropped, &self.bytes[..end]);
        self.dropped_bytes += end as u64;
        let rest = self.bytes.split_off(end);
        self.bytes.drain(..self.start);
        self.start = 0;
        self.index = Index::new(0);
        Some(std::mem::replace(&mut self.bytes, rest))
    }

    /// Returns the offset of `start` in the whole text.
    pub fn offset(&self) -> u64 {
        self.dropped_bytes + self.start as u64
    }

    /// Returns the line and the column of an offset, counted in bytes from 0.
    pub fn place(&self, offset: usize) -> (usize, usize) {
        after(self.dropped, &self.bytes[..offset])
    }
}

/// Returns the line and column after more bytes.
fn after((lines, columns): (usize, usize), bytes: &[u8]) -> (usize, usize) {
    // A byte holds the count of so few bytes.
    let count = |bytes: &[u8]| bytes.iter().map(|byte| u8::from(*byte == b'\n')).sum::<u8>();
    let more: usize = bytes.chunks(255).map(|bytes| usize::from(count(bytes))).sum();
    let last = bytes.iter().rposition(|byte| *byte == b'\n');
    (lines + more, last.map_or(columns + bytes.len(), |last| bytes.len() - last - 1))
}

//! A growing buffer for the writers. The output of a chunk is built in memory and written at once.
//!
//! All of `bytes` is initialized, so that a block of fixed size can be copied as a whole. The bytes after
//! its content are overwritten later.

#[derive(Debug, Default)]
pub(crate) struct Buffer {
    bytes: Vec<u8>,
    len: usize,
}

/// The initial capacity, which doubles as needed. It is small because many documents are.
const GROWTH_BYTES: usize = 512;
/// A larger buffer is freed when it is cleared, so that one long scalar does not occupy memory for the
/// rest of the stream.
const KEPT_BYTES_MAX: usize = 1024 * 1024;

impl Buffer {
    /// Returns the number of bytes written.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns the bytes written so far.
    #[inline(always)]
    pub fn written(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    /// Empties the buffer, and frees its memory if there is a lot.
    pub fn clear(&mut self) {
        self.len = 0;
        if self.bytes.len() > KEPT_BYTES_MAX {
            self.bytes = Vec::new();
        }
    }

    /// Returns spare capacity for the next `N` bytes. After writing to it, call [`Buffer::advance`]
    /// with the number of bytes written.
    #[inline(always)]
    pub fn spare<const N: usize>(&mut self) -> &mut [u8] {
        if self.bytes.len() - self.len < N {
            self.grow(N);
        }
        &mut self.bytes[self.len..self.len + N]
    }

    /// Counts `count` bytes that were written to the spare capacity.
    #[inline(always)]
    pub fn advance(&mut self, count: usize) {
        debug_assert!(count <= self.bytes.len() - self.len);
        self.len += count;
    }

    /// Reserves capacity for `count` more bytes, at least doubling the buffer.
    #[cold]
    #[inline(never)]
    fn grow(&mut self, count: usize) {
        let least = self.len + count;
        self.bytes.resize(least.max(self.bytes.len() * 2).next_multiple_of(GROWTH_BYTES), 0);
    }

    /// Appends `byte`.
    #[inline(always)]
    pub fn put_byte(&mut self, byte: u8) {
        if self.len == self.bytes.len() {
            self.grow(1);
        }
        self.bytes[self.len] = byte;
        self.len += 1;
    }

    /// Appends `bytes`.
    #[inline]
    pub fn put(&mut self, bytes: &[u8]) {
        if self.bytes.len() - self.len < bytes.len() {
            self.grow(bytes.len());
        }
        self.bytes[self.len..self.len + bytes.len()].copy_from_slice(bytes);
        self.len += bytes.len();
    }

    /// Appends `byte` `count` times.
    #[inline]
    pub fn fill(&mut self, byte: u8, count: usize) {
        if self.bytes.len() - self.len < count {
            self.grow(count);
        }
        self.bytes[self.len..self.len + count].fill(byte);
        self.len += count;
    }

    /// Removes the first `count` bytes.
    pub fn discard(&mut self, count: usize) {
        self.bytes.copy_within(count..self.len, 0);
        self.len -= count;
    }

    /// Inserts `bytes` at `at`.
    pub fn insert(&mut self, at: usize, bytes: &[u8]) {
        let end = self.len;
        self.fill(0, bytes.len());
        self.bytes.copy_within(at..end, at + bytes.len());
        self.bytes[at..at + bytes.len()].copy_from_slice(bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_way_of_appending_adds_its_bytes() {
        let mut buffer = Buffer::default();
        buffer.put(b"ab");
        buffer.spare::<4>().copy_from_slice(b"cdef");
        buffer.advance(1);
        buffer.fill(b'-', 2);
        buffer.put_byte(b'z');
        buffer.insert(1, b"XY");
        assert_eq!(buffer.written(), b"aXYbc--z");
        buffer.discard(1);
        buffer.insert(0, b"a");
        assert_eq!(buffer.written(), b"aXYbc--z");
        buffer.fill(b'x', 2 * KEPT_BYTES_MAX);
        assert_eq!(buffer.len(), 8 + 2 * KEPT_BYTES_MAX);
        buffer.clear();
        assert_eq!((buffer.written(), buffer.bytes.capacity()), (&b""[..], 0));
    }
}

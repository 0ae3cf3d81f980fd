//! Cuts a long stream into pieces that several threads check, as long as they find nothing. The rest is
//! left to one thread, which alone decides what is reported.

use crate::input::Stream;
use ketch_bytes::encoding::Encoding;
use ketch_yaml::compose::internal::{PIECE_BYTES, next_start};
use ketch_yaml::internal::{LineCounter, in_order};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::{self, Read};
use std::sync::Arc;

/// The size of a piece in bytes from which on the stream is not cut any more, because its documents
/// are long.
pub const PIECE_BYTES_MAX: usize = 8 << 20;

/// The number of bytes read at once.
const READ_BYTES: usize = 64 << 10;

/// Documents of a stream.
pub struct Piece {
    pub text: Vec<u8>,
    /// The offset of the text in the stream.
    pub offset: u64,
}

/// Checks pieces of `stream` by `jobs` threads, as long as `is_fine` returns true for each. Calls `reached`
/// with the number of bytes that have been read.
///
/// Returns `None` at the end of the stream. Otherwise, what is left to check can be read from the stream,
/// and is returned with its offset and the lines before it. It starts with a piece that is fine, because
/// messages depend on the text before an error.
pub fn check(
    stream: &mut Stream,
    jobs: usize,
    is_fine: impl Fn(&Piece) -> bool + Sync,
    reached: impl Fn(u64),
) -> Option<(u64, LineCounter)> {
    let (text, offset, error) = (Vec::new(), 0, None);
    let mut cutter = Cutter { stream, text, offset, error, is_over: false, is_at_end: false };
    // The last piece that is fine, and those after it.
    let kept = RefCell::new(VecDeque::new());
    let pieces = std::iter::from_fn(|| {
        let piece = Arc::new(cutter.cut()?);
        reached(cutter.stream.read_bytes());
        kept.borrow_mut().push_back(Arc::clone(&piece));
        Some(piece)
    });
    let work = |piece: Arc<Piece>| {
        let mut lines = LineCounter::default();
        lines.count(&piece.text);
        is_fine(&piece).then_some(lines.lines)
    };
    let (mut lines, mut last) = (LineCounter::default(), None);
    let all_fine = in_order(pieces, jobs, work, |counted| {
        let counted = counted.ok_or(())?;
        if let Some(before) = last.replace(counted) {
            lines.lines += before;
            kept.borrow_mut().pop_front();
        }
        Ok::<(), ()>(())
    });
    if all_fine.is_ok() && cutter.is_at_end && cutter.text.is_empty() {
        return None;
    }
    let kept = kept.into_inner();
    let offset = kept.front().map_or(cutter.offset, |piece| piece.offset);
    let mut left = Vec::new();
    kept.iter().for_each(|piece| left.extend_from_slice(&piece.text));
    left.append(&mut cutter.text);
    cutter.stream.put_back(left, cutter.error);
    Some((offset, lines))
}

/// A stream that is cut into pieces.
struct Cutter<'s> {
    stream: &'s mut Stream,
    /// What was read after the last piece.
    text: Vec<u8>,
    /// The offset of `text` in the stream.
    offset: u64,
    /// Why reading has failed.
    error: Option<io::Error>,
    /// Whether nothing more is read.
    is_over: bool,
    /// Whether the stream is at its end.
    is_at_end: bool,
}

impl Cutter<'_> {
    /// Returns the next piece, or `None` if there is none that several threads can check.
    fn cut(&mut self) -> Option<Piece> {
        let mut from = PIECE_BYTES;
        while !self.is_over {
            // The byte after a `---` decides whether it is a marker.
            let found = next_start(&self.text, from).filter(|at| at + 3 < self.text.len());
            if let Some(at) = found {
                return Some(self.take(at));
            }
            from = from.max(self.text.len().saturating_sub(3));
            let is_utf8 = self.offset > 0 || Encoding::detect(&self.text).0 == Encoding::Utf8;
            self.is_over = !is_utf8 || self.text.len() > PIECE_BYTES_MAX || !self.read();
        }
        let is_last = self.error.is_none() && self.is_at_end && !self.text.is_empty();
        is_last.then(|| self.take(self.text.len()))
    }

    /// Reads some bytes. Returns false at the end of the stream, or if reading fails.
    fn read(&mut self) -> bool {
        let len = self.text.len();
        self.text.resize(len + READ_BYTES, 0);
        let read = self.stream.read(&mut self.text[len..]);
        self.text.truncate(len + *read.as_ref().unwrap_or(&0));
        self.is_at_end = matches!(read, Ok(0));
        self.error = read.err().filter(|error| error.kind() != io::ErrorKind::Interrupted);
        self.error.is_none() && !self.is_at_end
    }

    /// Takes the first `len` bytes of the text as a piece.
    fn take(&mut self, len: usize) -> Piece {
        let mut rest = Vec::with_capacity(PIECE_BYTES + 2 * READ_BYTES);
        rest.extend_from_slice(&self.text[len..]);
        self.text.truncate(len);
        let piece = Piece { text: std::mem::replace(&mut self.text, rest), offset: self.offset };
        self.offset += len as u64;
        piece
    }
}

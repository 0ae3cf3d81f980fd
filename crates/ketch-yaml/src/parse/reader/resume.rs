//! Resumes parsing at the next document marker after an error. A `---` or `...` at the start of a
//! line is never content, so what follows can be parsed regardless of the document before it.

use super::{PendingProblem, READ_BYTES, ReadParser, SourceError};
use crate::location::{LineCounter, line_start};
use crate::parse::engine::Engine;
use crate::problem::Problem;
use std::io::Read;

/// The text in a parser's buffer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window<'b> {
    pub text: &'b [u8],
    /// The offset of the text in the stream.
    pub base: u64,
    /// The lines before the text.
    pub passed: LineCounter,
}

impl<R: Read> ReadParser<R> {
    /// Returns a reference to the reader.
    pub(crate) fn get_ref(&self) -> &R {
        &self.source.reader
    }

    /// Makes this a parser, which has not read anything yet, of the rest of a stream that starts with a
    /// document at `offset`, after `lines`.
    pub(crate) fn start_after(&mut self, offset: u64, lines: LineCounter) {
        self.engine.base = offset;
        self.started = offset;
        self.passed = lines;
    }

    /// Returns whether tags so far have used prefixes of more than 256 bytes.
    pub(crate) fn has_long_prefixes(&self) -> bool {
        self.engine.prefixes.bytes > 0
    }

    /// Makes the buffer keep the text from the offset `from` of the stream on or, if `from` is
    /// `None`, only what the parser needs.
    #[doc(hidden)]
    pub fn retain(&mut self, from: Option<u64>) {
        self.retained = from;
    }

    /// Returns the buffered text with its offset in the stream.
    #[doc(hidden)]
    pub fn buffered(&self) -> (&[u8], u64) {
        (&self.buffer[..self.filled], self.engine.base)
    }

    /// Returns the buffered text with its position in the stream.
    pub(crate) fn window(&self) -> Window<'_> {
        let text = &self.buffer[..self.filled];
        Window { text, base: self.engine.base, passed: self.passed }
    }

    /// Resumes after an error at `error_offset`, at the next document marker or at the directives
    /// directly above a `---`. Returns false if there is none. Offsets and lines continue to count
    /// from the start of the stream.
    pub(crate) fn resume(&mut self, error_offset: u64) -> bool {
        self.retained = None;
        let Some(start) = self.next_document(error_offset) else {
            // If reading failed, the parser goes on, so that the next call reports this error.
            let is_broken = matches!(self.pending_problem, Some(PendingProblem::Io(_)));
            if is_broken {
                self.engine.fail(Problem::Io, self.filled, 1);
            }
            return is_broken;
        };
        let Engine { settings, base, prefixes, .. } = self.engine;
        self.engine = Engine::new(settings, READ_BYTES);
        self.engine.base = base;
        self.engine.prefixes = prefixes;
        self.engine.pos = start;
        self.engine.awaited_at = start;
        self.started = base + start as u64;
        self.is_ended = false;
        self.restart(start);
        if start > self.checked {
            self.checked = start;
            self.pending_problem = None;
        }
        if self.pending_problem.is_none() {
            self.check();
        }
        true
    }

    /// Finds the first document that starts after `error_offset`, reading more of the stream if
    /// needed. Returns the offset in the buffer at which it starts, or `None` if there is none.
    fn next_document(&mut self, error_offset: u64) -> Option<usize> {
        let error = (error_offset.saturating_sub(self.engine.base) as usize).min(self.filled);
        // The error may itself be at a marker, for example one inside quotes. This marker must come
        // after the point where parsing began, or resuming would never end.
        let is_line_start = error > 0 && matches!(self.buffer[error - 1], b'\n' | b'\r');
        let is_marker_at_error = is_line_start
            && error_offset > self.started
            && any_marker(&self.buffer[error..self.filled]);
        let mut line = if is_marker_at_error { error } else { self.next_line(error, false)? };
        // Directives, and comments between them, belong to the document that follows.
        let mut head: Option<usize> = None;
        loop {
            // Directives are short. Text that is too long for them is not kept.
            head = head.filter(|head| line - head < READ_BYTES);
            let dropped = self.drop_before(head.unwrap_or(line));
            line -= dropped;
            head = head.map(|head| head - dropped);
            while self.filled - line < 4 && self.read_more() {}
            let rest = &self.buffer[line..self.filled];
            if is_marker(rest, b"...") {
                return Some(line);
            }
            if is_marker(rest, b"---") {
                return Some(head.unwrap_or(line));
            }
            match rest.first()? {
                b'%' => head = head.or(Some(line)),
                b'#' | b'\n' | b'\r' => {}
                _ => head = None,
            }
            line = self.next_line(line, head.is_some())?;
        }
    }

    /// Returns the start of the line that follows the line containing `at`, or `None` if there is
    /// none. Unless `is_kept`, that line is dropped while it is read, so it may be longer than the
    /// buffer.
    fn next_line(&mut self, at: usize, is_kept: bool) -> Option<usize> {
        let mut from = at;
        loop {
            let rest = &self.buffer[from..self.filled];
            if let Some(len) = memchr::memchr2(b'\n', b'\r', rest) {
                return Some(self.after_break(from + len));
            }
            from = self.filled;
            if !is_kept {
                from -= self.drop_before(from);
            }
            if !self.read_more() {
                return None;
            }
        }
    }

    /// Returns the offset after the line break at `at`, reading more of the stream if the break may
    /// be a CRLF.
    fn after_break(&mut self, at: usize) -> usize {
        if self.buffer[at] == b'\r' && at + 1 == self.filled {
            self.read_more();
        }
        let is_pair = self.buffer[at..self.filled].starts_with(b"\r\n");
        at + if is_pair { 2 } else { 1 }
    }

    /// Drops the bytes before `at` once they are most of the buffer, and returns the number of
    /// dropped bytes. The line that ends before `at` is kept, so that `at` can be recognized as the
    /// start of a line.
    fn drop_before(&mut self, at: usize) -> usize {
        let count = line_start(&self.buffer, at.saturating_sub(1));
        if count < READ_BYTES || count < self.filled / 2 {
            return 0;
        }
        self.drop_bytes(count);
        self.checked = self.checked.saturating_sub(count);
        self.engine.base += count as u64;
        count
    }

    /// Reads more of the stream into the buffer without checking its characters. Returns false at
    /// the end of the stream or if reading fails.
    fn read_more(&mut self) -> bool {
        let filled = self.filled;
        if self.buffer.len() < filled + READ_BYTES {
            self.buffer.resize(filled + READ_BYTES, 0);
        }
        match self.source.read(&mut self.buffer[filled..filled + READ_BYTES]) {
            Ok(count) => {
                self.filled += count;
                count > 0
            }
            Err(SourceError::Io(error)) => {
                self.pending_problem = Some(PendingProblem::Io(error));
                false
            }
            Err(SourceError::Malformed) => false,
        }
    }
}

/// Returns whether `line` starts with a document marker of either kind.
fn any_marker(line: &[u8]) -> bool {
    is_marker(line, b"---") || is_marker(line, b"...")
}

/// Returns whether `line` starts with `marker`, followed by white space or the end of the line.
// [206] c-forbidden.
fn is_marker(line: &[u8], marker: &[u8]) -> bool {
    let rest = line.strip_prefix(marker);
    rest.is_some_and(|rest| rest.first().is_none_or(u8::is_ascii_whitespace))
}

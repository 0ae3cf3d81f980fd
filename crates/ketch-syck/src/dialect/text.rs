//! Access to the bytes of the text. Reading past its end yields NUL, which ends the input.

/// The text of the input, up to the first NUL.
#[derive(Clone, Copy, Debug)]
pub(super) struct Text<'t>(pub &'t [u8]);

impl Text<'_> {
    /// Returns the byte at `pos`, or NUL if that is past the end.
    #[inline(always)]
    pub fn at(self, pos: usize) -> u8 {
        match self.0.get(pos) {
            Some(&byte) => byte,
            None => 0,
        }
    }

    /// Returns whether the input ends at `pos`.
    #[inline]
    pub fn is_end(self, pos: usize) -> bool {
        pos >= self.0.len()
    }

    /// Returns the length of the line break at `pos` in bytes, or 0 if there is none. A lone
    /// carriage return is not a line break.
    #[inline]
    pub fn line_break(self, pos: usize) -> usize {
        match self.at(pos) {
            b'\n' => 1,
            b'\r' if self.at(pos + 1) == b'\n' => 2,
            _ => 0,
        }
    }

    /// Returns the end of the spaces or the line break at `pos`, one of which must follow an
    /// indicator. Returns `None` if there is neither.
    #[inline]
    pub fn after_indicator(self, pos: usize) -> Option<usize> {
        match self.at(pos) {
            b' ' => Some(self.spaces(pos)),
            _ => Some(pos + self.line_break(pos)).filter(|&end| end > pos),
        }
    }

    /// Returns the end of the spaces at `pos`, or `pos` if there are none.
    #[inline]
    pub fn spaces(self, mut pos: usize) -> usize {
        while self.at(pos) == b' ' {
            pos += 1;
        }
        pos
    }

    /// Returns the offset of the text on the line after the line break at `pos` if that line is
    /// indented by `spaces`. Also returns `None` if this cannot be determined fast: near the end of
    /// the input, or after many spaces.
    #[inline(always)]
    pub fn next_line(self, pos: usize, spaces: i64) -> Option<usize> {
        const SPACES: u64 = u64::from_le_bytes([b' '; 8]);
        let bytes = self.0.get(pos + 1..)?.first_chunk()?;
        // The lowest bit that differs from spaces is in the first byte that is not a space.
        let found = (u64::from_le_bytes(*bytes) ^ SPACES).trailing_zeros() / 8;
        (found < 8 && i64::from(found) == spaces).then_some(pos + 1 + found as usize)
    }

    /// Returns the end of the comment at `pos`: the offset of the line break after it, or the end
    /// of the input.
    pub fn comment(self, pos: usize) -> usize {
        let rest = self.0.get(pos..).unwrap_or_default();
        let Some(at) = memchr::memchr(b'\n', rest) else { return self.0.len().max(pos) };
        let has_return = at > 0 && rest[at - 1] == b'\r';
        pos + at - usize::from(has_return)
    }

    /// Returns the line breaks at `pos`, including the spaces after each of them.
    #[inline(always)]
    pub fn lines(self, pos: usize) -> Lines {
        let line = pos + 1;
        if self.at(pos) == b'\n' {
            let end = self.spaces(line);
            // The line has text: neither another line break nor the end of the input follows.
            if !matches!(self.at(end), b'\n' | b'\r' | 0) {
                return Lines { end, line, count: 1, indent: (end - line) as i64 };
            }
        }
        self.more_lines(pos)
    }

    /// Does the same as [`Text::lines`] for any number of line breaks, and at the end of the input.
    #[inline(never)]
    fn more_lines(self, pos: usize) -> Lines {
        let (mut at, mut line, mut count) = (pos, pos, 0);
        loop {
            let len = self.line_break(at);
            if len > 0 {
                at += len;
                line = at;
                count += 1;
            } else if self.at(at) == b' ' {
                at = self.spaces(at);
            } else {
                break;
            }
        }
        let indent = match () {
            () if self.is_end(at) => -1,
            () => (at - line) as i64,
        };
        Lines { end: at, line, count, indent }
    }
}

/// One or more line breaks, including the spaces after each of them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lines {
    /// The offset of the text after the line breaks.
    pub end: usize,
    /// The start of the line that contains this text.
    pub line: usize,
    /// The number of line breaks.
    pub count: usize,
    /// The indentation of this text in columns; -1 at the end of the input.
    pub indent: i64,
}

impl Lines {
    /// Appends the folded line breaks to `out`: a space for a single one, and otherwise one less
    /// than their number.
    pub fn fold(self, out: &mut impl Sink) {
        match self.count {
            0 | 1 => out.put(b' '),
            more => out.repeat(b'\n', more - 1),
        }
    }
}

/// A destination for the content of a scalar.
pub(super) trait Sink {
    fn put(&mut self, byte: u8);
    fn append(&mut self, bytes: &[u8]);
    fn repeat(&mut self, byte: u8, count: usize);
}

impl Sink for Vec<u8> {
    fn put(&mut self, byte: u8) {
        self.push(byte);
    }

    fn append(&mut self, bytes: &[u8]) {
        self.extend_from_slice(bytes);
    }

    fn repeat(&mut self, byte: u8, count: usize) {
        self.extend(std::iter::repeat_n(byte, count));
    }
}

/// A sink that drops the content, for a scanner that needs only the end of a scalar.
pub(super) struct Nowhere;

impl Sink for Nowhere {
    #[inline(always)]
    fn put(&mut self, _: u8) {}

    #[inline(always)]
    fn append(&mut self, _: &[u8]) {}

    #[inline(always)]
    fn repeat(&mut self, _: u8, _: usize) {}
}

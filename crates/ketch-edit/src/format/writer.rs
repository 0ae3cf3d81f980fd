//! Writing the output, and keeping track of its lines and its indentation.

/// The output, which has only one kind of line break.
pub(super) struct Writer {
    /// The text from the offset `base` on.
    out: Vec<u8>,
    base: usize,
    line_break: &'static [u8],
    /// The offset where the current line starts.
    line: usize,
    /// The number of lines before the current one.
    lines: usize,
    /// The indentation of the current line, in columns.
    pub indent: usize,
    max_bytes: u64,
    is_full: bool,
}

impl Writer {
    /// Creates an empty writer. It becomes full when indentation would make the text longer than
    /// `max_bytes`.
    pub fn new(line_break: &'static [u8], max_bytes: u64) -> Writer {
        Writer {
            out: Vec::new(),
            base: 0,
            line_break,
            line: 0,
            lines: 0,
            indent: 0,
            max_bytes,
            is_full: false,
        }
    }

    /// Returns whether indentation would have made the output too long.
    pub fn is_full(&self) -> bool {
        self.is_full
    }

    /// Moves the lines before the current one to the end of `lines`, which must be empty.
    pub fn take_lines(&mut self, lines: &mut Vec<u8>) {
        let tail = self.out.split_off(self.line - self.base);
        *lines = std::mem::replace(&mut self.out, tail);
        self.base = self.line;
    }

    /// Moves the text that is left to `lines`.
    pub fn take_rest(&mut self, lines: &mut Vec<u8>) {
        self.base = self.len();
        *lines = std::mem::take(&mut self.out);
    }

    /// Returns the length of the complete lines that were not taken.
    pub fn untaken(&self) -> usize {
        self.line - self.base
    }

    /// Returns the length of the text in bytes.
    pub fn len(&self) -> usize {
        self.base + self.out.len()
    }

    /// Returns the number of the current line, counted from 0.
    pub fn line_number(&self) -> usize {
        self.lines
    }

    /// Returns whether the current line is empty.
    pub fn is_line_start(&self) -> bool {
        self.line == self.len()
    }

    /// Returns whether the current line is the first.
    pub fn is_first_line(&self) -> bool {
        self.line == 0
    }

    /// Returns the number of bytes on the current line.
    pub fn line_bytes(&self) -> usize {
        self.len() - self.line
    }

    /// Returns the number of characters on the current line.
    pub fn column(&self) -> usize {
        columns(&self.out[self.line - self.base..])
    }

    /// Appends `bytes`, which have no line breaks, to the current line.
    pub fn put(&mut self, bytes: &[u8]) {
        self.out.extend_from_slice(bytes);
    }

    /// Ends the current line.
    pub fn end_line(&mut self) {
        self.out.extend_from_slice(self.line_break);
        self.line = self.len();
        self.lines += 1;
        self.indent = 0;
    }

    /// Indents the current line by `columns`. The line must be empty, or contain only a byte order
    /// mark.
    pub fn indent(&mut self, columns: usize) {
        if (self.len() + columns) as u64 > self.max_bytes {
            self.is_full = true;
            return;
        }
        self.indent = columns;
        self.out.resize(self.out.len() + columns, b' ');
    }

    /// Returns whether there is a space at the offset `at`.
    pub fn has_space_at(&self, at: usize) -> bool {
        self.out.get(at - self.base) == Some(&b' ')
    }

    /// Replaces the space at the offset `at`, which is on the current line, by a line break and an
    /// indentation of `columns`.
    pub fn break_at(&mut self, at: usize, columns: usize) {
        let tail = self.out.split_off(at + 1 - self.base);
        self.out.pop();
        self.end_line();
        self.indent(columns);
        self.out.extend_from_slice(&tail);
    }

    /// Replaces the text from the offset `start` on, which is on the current line, by `bytes`.
    pub fn replace_from(&mut self, start: usize, bytes: &[u8]) {
        self.out.truncate(start - self.base);
        self.out.extend_from_slice(bytes);
    }
}

/// Returns the number of Unicode scalar values in `text`, which is UTF-8. This is the number of
/// bytes that are not continuation bytes.
pub(super) fn columns(text: &[u8]) -> usize {
    text.iter().filter(|&&byte| byte & 0xC0 != 0x80).count()
}

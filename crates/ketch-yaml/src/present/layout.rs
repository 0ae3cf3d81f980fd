//! The line layout of a scalar.

use super::broken::Broken;
use crate::buffer::Buffer;

/// The line layout of a scalar that may have several lines.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lines {
    /// The indentation of continuation lines, in columns.
    indent: usize,
    /// The number of columns already used on the first line.
    column: usize,
    /// The maximum line width in columns.
    width: usize,
}

impl Lines {
    /// Creates a layout of lines that are indented by `indent` and broken at `width` columns. With
    /// `None`, they are not broken.
    pub fn new(indent: usize, width: Option<usize>) -> Lines {
        Lines { indent, column: indent, width: width.unwrap_or(usize::MAX) }
    }

    /// Returns the same layout with a first line that starts at `column`.
    pub fn starting_at(self, column: usize) -> Lines {
        Lines { column, ..self }
    }

    /// Returns the same layout, in which lines are not broken.
    pub fn unbroken(self) -> Lines {
        Lines { width: usize::MAX, ..self }
    }

    /// Returns whether lines are not broken.
    pub fn are_unbroken(self) -> bool {
        self.width == usize::MAX
    }

    /// Returns the number of columns for text after the indentation.
    pub fn text_width(self) -> usize {
        // However deep the text is, there is space for a few words.
        const LEAST: usize = 20;
        match self.width {
            usize::MAX => usize::MAX,
            width => width.saturating_sub(self.indent).max(LEAST.min(width)),
        }
    }

    /// Splits `text` into the parts that go on separate lines.
    pub fn broken(self, text: &[u8]) -> Broken<'_> {
        let first_width = match self.width {
            usize::MAX => usize::MAX,
            width => width.saturating_sub(self.column),
        };
        Broken::new(text, first_width, self.text_width())
    }

    /// Ends the current line, and indents the next one.
    pub fn start_next(self, out: &mut Buffer) {
        out.put_byte(b'\n');
        self.indent(out);
    }

    /// Indents the current line.
    pub fn indent(self, out: &mut Buffer) {
        out.fill(b' ', self.indent);
    }
}

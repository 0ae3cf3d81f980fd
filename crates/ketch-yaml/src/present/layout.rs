//! The line layout of one scalar.

use super::broken::Broken;
use crate::buffer::Buffer;

/// The layout of a scalar that may span lines.
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
    /// Creates a layout of lines indented by `indent` and broken at `width`.
    pub fn new(indent: usize, width: Option<usize>) -> Lines {
        Lines { indent, column: indent, width: width.unwrap_or(usize::MAX) }
    }

    /// Returns the same layout with the first line starting at `column`.
    pub fn starting_at(self, column: usize) -> Lines {
        Lines { column, ..self }
    }

    /// Returns the same layout without added line breaks.
    pub fn unbroken(self) -> Lines {
        Lines { width: usize::MAX, ..self }
    }

    /// Returns whether no line breaks are added.
    pub fn are_unbroken(self) -> bool {
        self.width == usize::MAX
    }

    /// Returns the number of columns available for text after the indentation.
    pub fn text_width(self) -> usize {
        // There is always space for a few words, no matter how deep the text is.
        const LEAST: usize = 20;
        match self.width {
            usize::MAX => usize::MAX,
            width => width.saturating_sub(self.indent).max(LEAST.min(width)),
        }
    }

    /// Splits `text` into parts, one per line.
    pub fn broken(self, text: &[u8]) -> Broken<'_> {
        let first_width = match self.width {
            usize::MAX => usize::MAX,
            width => width.saturating_sub(self.column),
        };
        Broken::new(text, first_width, self.text_width())
    }

    /// Ends a line and indents the next one.
    pub fn start_next(self, out: &mut Buffer) {
        out.put_byte(b'\n');
        self.indent(out);
    }

    /// Indents a line.
    pub fn indent(self, out: &mut Buffer) {
        out.fill(b' ', self.indent);
    }
}

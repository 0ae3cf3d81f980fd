//! The lines of one scalar: where they start, and where they should end.

use super::broken::Broken;
use crate::buffer::Buffer;

/// The layout of a scalar that may stand on several lines.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lines {
    /// Columns that further lines are indented by.
    indent: usize,
    /// Columns that are taken on the first line.
    column: usize,
    /// The column that lines should not reach.
    width: usize,
}

impl Lines {
    /// Lines indented by `indent`, which are broken at `width`.
    pub fn new(indent: usize, width: Option<usize>) -> Lines {
        Lines { indent, column: indent, width: width.unwrap_or(usize::MAX) }
    }

    /// The same, the first of them starting at `column`.
    pub fn starting_at(self, column: usize) -> Lines {
        Lines { column, ..self }
    }

    /// The same, broken nowhere but where the text is.
    pub fn unbroken(self) -> Lines {
        Lines { width: usize::MAX, ..self }
    }

    /// Whether lines are broken nowhere but where the text is.
    pub fn are_unbroken(self) -> bool {
        self.width == usize::MAX
    }

    /// Columns that a line has room for behind its indentation.
    pub fn room(self) -> usize {
        // A few words fit in any case, however deep the text stands.
        const LEAST: usize = 20;
        match self.width {
            usize::MAX => usize::MAX,
            width => width.saturating_sub(self.indent).max(LEAST.min(width)),
        }
    }

    /// The parts of `text`, a line each.
    pub fn broken(self, text: &[u8]) -> Broken<'_> {
        let first_room = match self.width {
            usize::MAX => usize::MAX,
            width => width.saturating_sub(self.column),
        };
        Broken::new(text, first_room, self.room())
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

//! Where a part of an input starts, so that what is wrong in the part is told by its place in the
//! whole.

use crate::diagnostic::Diagnostic;
use ketch_yaml::Place;

/// The start of a part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Position {
    /// In bytes from the start.
    pub offset: usize,
    /// Line breaks in front of it.
    pub lines: u64,
    /// Characters in front of it on its line.
    pub columns: u64,
}

impl Position {
    /// `diagnostic` of the text from here on, with places in the whole text.
    pub fn seen_from_start(self, mut diagnostic: Diagnostic) -> Diagnostic {
        let related = diagnostic.related.as_mut().map(|related| &mut related.place);
        for place in diagnostic.place.as_mut().into_iter().chain(related) {
            self.shift(place);
        }
        diagnostic
    }

    fn shift(self, place: &mut Place) {
        place.offset += self.offset as u64;
        if place.line == 1 {
            place.column += self.columns;
        }
        if place.line > 0 {
            place.line += self.lines;
        }
    }

    /// Moves on behind `text`, which starts here.
    pub fn pass(&mut self, text: &[u8]) {
        self.offset += text.len();
        self.lines += line_breaks(text);
        let last = text.iter().rposition(|byte| matches!(byte, b'\n' | b'\r'));
        let rest = &text[last.map_or(0, |at| at + 1)..];
        let chars = rest.iter().filter(|&&byte| byte & 0xC0 != 0x80).count() as u64;
        self.columns = if last.is_some() { chars } else { self.columns + chars };
    }
}

/// How many lines end in `text`.
pub fn line_breaks(text: &[u8]) -> u64 {
    let ends = |at: usize| match text[at] {
        b'\n' => true,
        b'\r' => text.get(at + 1) != Some(&b'\n'),
        _ => false,
    };
    (0..text.len()).filter(|&at| ends(at)).count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_moves_by_lines_and_columns() {
        let mut position = Position::default();
        position.pass("a\u{e9}".as_bytes());
        assert_eq!(position, Position { offset: 3, lines: 0, columns: 2 });
        position.pass(b"\r\nb\rcd");
        assert_eq!(position, Position { offset: 9, lines: 2, columns: 2 });
        position.pass(b"e");
        assert_eq!(position, Position { offset: 10, lines: 2, columns: 3 });
    }
}

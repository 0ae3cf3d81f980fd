//! Goes on behind an error: a `---` at the start of a line is never content, in no context, so the
//! next document can be read whatever the one before has come to.

use crate::diagnostic::Diagnostic;
use ketch_bytes::encoding::Encoding;
use ketch_yaml::Place;

/// Where reading went on in a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Position {
    /// In bytes from the start.
    pub offset: usize,
    /// Line breaks in front of it.
    lines: u64,
}

impl Position {
    /// The position of the first document that starts behind an error, which stands `error_offset`
    /// bytes behind this position. None in UTF-16 and UTF-32, whose offsets are those of the UTF-8
    /// that it was turned into.
    pub fn next_document(self, text: &[u8], error_offset: u64) -> Option<Position> {
        if Encoding::detect(text).0 != Encoding::Utf8 {
            return None;
        }
        let error = self.offset.checked_add(usize::try_from(error_offset).ok()?)?;
        // A marker may be the error itself, as inside of quotes. Later than where reading began it
        // must be, or there would be no end.
        let is_line_start = error > self.offset
            && text.get(error).is_some()
            && matches!(text[error - 1], b'\n' | b'\r');
        let mut start = if is_line_start { error } else { next_line(text, error)? };
        // Directives belong to the document below them, with the comments between.
        let mut head = None;
        loop {
            let line = &text[start..next_line(text, start).unwrap_or(text.len())];
            match line.first() {
                _ if is_marker(line) => break,
                Some(b'%') => head = head.or(Some(start)),
                Some(b'#' | b'\n' | b'\r') => {}
                _ => head = None,
            }
            start = next_line(text, start)?;
        }
        let offset = head.unwrap_or(start);
        let lines = self.lines + line_breaks(&text[self.offset..offset]);
        Some(Position { offset, lines })
    }

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
        if place.line > 0 {
            place.line += self.lines;
        }
    }
}

/// `---` and a blank or nothing, at the start of a line.
fn is_marker(line: &[u8]) -> bool {
    line.strip_prefix(b"---").is_some_and(|rest| rest.first().is_none_or(u8::is_ascii_whitespace))
}

/// The start of the line behind the one that `at` is in.
fn next_line(text: &[u8], at: usize) -> Option<usize> {
    let end = at + text.get(at..)?.iter().position(|byte| matches!(byte, b'\n' | b'\r'))?;
    let next = end + if text[end..].starts_with(b"\r\n") { 2 } else { 1 };
    (next < text.len()).then_some(next)
}

fn line_breaks(text: &[u8]) -> u64 {
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

    fn next(text: &str, error_offset: u64) -> Option<(usize, u64)> {
        let next = Position::default().next_document(text.as_bytes(), error_offset)?;
        Some((next.offset, next.lines))
    }

    #[test]
    fn the_next_marker() {
        assert_eq!(next("a: ]\nb\n---\nc\n", 3), Some((7, 2)));
        assert_eq!(next("a: ]\r\nb\r\r\n--- c", 3), Some((10, 3)));
        assert_eq!(next("--- ]\n --- \n---a\n----\n", 4), None);
        assert_eq!(next("]\n---", 0), Some((2, 1)));
        assert_eq!(next("]", 0), None);
        assert_eq!(next("]\n", 2), None);
    }

    #[test]
    fn with_its_directives() {
        assert_eq!(next("]\n...\n%TAG ! x\n# c\n\n%YAML 1.2\n---\n", 0), Some((6, 2)));
        assert_eq!(next("]\n%TAG ! x\na\n---\n", 0), Some((13, 3)));
    }
}

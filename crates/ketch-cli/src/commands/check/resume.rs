//! Goes on behind an error: a `---` at the start of a line is never content, in no context, so the
//! next document can be read whatever the one before has come to.

use crate::position::{Position, line_breaks};
use ketch_bytes::encoding::Encoding;

/// The position of the first document that starts behind an error, which stands `error_offset` bytes
/// behind `from`. None in UTF-16 and UTF-32, whose offsets are those of the UTF-8
/// that it was turned into.
pub fn next_document(from: Position, text: &[u8], error_offset: u64) -> Option<Position> {
    if Encoding::detect(text).0 != Encoding::Utf8 {
        return None;
    }
    let error = from.offset.checked_add(usize::try_from(error_offset).ok()?)?;
    // A marker may be the error itself, as inside of quotes. Later than where reading began it
    // must be, or there would be no end.
    let is_line_start = error > from.offset
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
    let lines = from.lines + line_breaks(&text[from.offset..offset]);
    Some(Position { offset, lines, columns: 0 })
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

#[cfg(test)]
mod tests {
    use super::*;

    fn next(text: &str, error_offset: u64) -> Option<(usize, u64)> {
        let next = next_document(Position::default(), text.as_bytes(), error_offset)?;
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

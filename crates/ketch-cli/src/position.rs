//! The start of a part of an input, with which locations in the part are converted to locations in
//! the input.

use crate::diagnostic::Diagnostic;
use ketch_yaml::Location;
use ketch_yaml::is_masked;

/// The position where a part of an input starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Position {
    /// The offset from the start of the input in bytes.
    pub offset: usize,
    /// The number of line breaks before the part.
    pub lines: u64,
    /// The number of characters before the part on its first line.
    pub columns: u64,
}

impl Position {
    /// Converts the locations in `diagnostic`, which is about the text that starts here, to
    /// locations in the whole input. `head` is the part of the first line that is before the text.
    pub fn seen_from_start(self, mut diagnostic: Diagnostic, head: &str) -> Diagnostic {
        let related = diagnostic.related.as_mut().map(|related| &mut related.location);
        for location in diagnostic.location.as_mut().into_iter().chain(related) {
            self.shift(location, head);
        }
        if self.lines > 0 {
            diagnostic.message = with_lines_moved(&diagnostic.message, self.lines);
            diagnostic.help = diagnostic.help.map(|help| with_lines_moved(&help, self.lines));
        }
        diagnostic
    }

    /// Converts a location in the text that starts here to one in the whole input. `head` is as for
    /// [`Position::seen_from_start`].
    fn shift(self, location: &mut Location, head: &str) {
        location.offset += self.offset as u64;
        if location.line == 1 {
            // If the start of the excerpt is cut off, the excerpt does not start at the end of
            // `head`.
            if location.column == location.text_column as u64 + 1 {
                let head = head.replace(|ch: char| ch != '\t' && is_masked(ch), "\u{fffd}");
                location.text_column += head.chars().count();
                location.text.insert_str(0, &head);
            }
            location.column += self.columns;
        }
        if location.line > 0 {
            location.line += self.lines;
        }
    }

    /// Moves the position to the end of `text`, which starts here.
    pub fn pass(&mut self, text: &[u8]) {
        self.offset += text.len();
        self.lines += line_breaks(text);
        let last = text.iter().rposition(|byte| matches!(byte, b'\n' | b'\r'));
        let rest = &text[last.map_or(0, |at| at + 1)..];
        let chars = rest.iter().filter(|&&byte| byte & 0xC0 != 0x80).count() as u64;
        self.columns = if last.is_some() { chars } else { self.columns + chars };
    }
}

/// A number of bytes of a line before a location that is greater than what an excerpt shows.
const LINE_HEAD_BYTES: u64 = 1024;

/// If the excerpt in `location` lacks the start or end of its line, replaces it with one from
/// `head`, the start of the input. Does nothing if `head` does not contain the line or has a
/// different encoding.
pub fn extend_excerpt(location: &mut Location, head: &[u8]) {
    let from = location.offset.saturating_sub(LINE_HEAD_BYTES);
    let Some(near) = head.get(from as usize..) else { return };
    let whole = Location::in_text(near, location.offset - from, location.len);
    let rest =
        |location: &Location| location.text.chars().skip(location.text_column).collect::<String>();
    if whole.text_column >= location.text_column && rest(&whole).starts_with(&rest(location)) {
        location.text = whole.text;
        location.text_column = whole.text_column;
    }
}

/// Adds `lines` to the line numbers in `words`, a message or help of the engine, such as those in
/// "line 2" and "lines 2, 4 and 6". Text between backticks is quoted input, so it is not changed.
fn with_lines_moved(words: &str, lines: u64) -> String {
    let mut out = String::with_capacity(words.len() + 8);
    for (index, part) in words.split('`').enumerate() {
        if index > 0 {
            out.push('`');
        }
        if index % 2 == 1 {
            out.push_str(part);
            continue;
        }
        let mut is_number = false;
        for word in part.split_inclusive(' ') {
            let digits = word.trim_end_matches([' ', ',', '.', ':', ';']);
            let number = digits.parse::<u64>().ok().filter(|_| is_number);
            is_number = number.is_some()
                || matches!(digits, "line" | "lines")
                || digits == "and" && is_number;
            match number {
                Some(number) => {
                    out.push_str(&(number + lines).to_string());
                    out.push_str(&word[digits.len()..]);
                }
                None => out.push_str(word),
            }
        }
    }
    out
}

/// Returns the number of line breaks in `text`.
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
    fn line_numbers_in_messages_are_shifted() {
        let words = "Delete lines 2, 4 and 6 of `line 7`, and 8; end line 9: `x`.";
        let moved = "Delete lines 12, 14 and 16 of `line 7`, and 8; end line 19: `x`.";
        assert_eq!(with_lines_moved(words, 10), moved);
    }

    #[test]
    fn excerpts_are_completed_to_the_whole_line() {
        let head = b"x: 1\nkey: [1, 2] # c\n";
        let mut location = Location::in_text(b"[1, 2]", 0, 6);
        location.offset = 10;
        extend_excerpt(&mut location, head);
        assert_eq!((location.text.as_str(), location.text_column), ("key: [1, 2] # c", 5));

        // The text at this offset is not the one in the excerpt.
        let before = location.clone();
        location.offset = 2;
        extend_excerpt(&mut location, head);
        assert_eq!((location.text, location.text_column), (before.text, before.text_column));
    }

    #[test]
    fn positions_are_shifted_by_lines_and_columns() {
        let mut position = Position::default();
        position.pass("a\u{e9}".as_bytes());
        assert_eq!(position, Position { offset: 3, lines: 0, columns: 2 });
        position.pass(b"\r\nb\rcd");
        assert_eq!(position, Position { offset: 9, lines: 2, columns: 2 });
        position.pass(b"e");
        assert_eq!(position, Position { offset: 10, lines: 2, columns: 3 });
    }
}

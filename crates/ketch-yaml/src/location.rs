//! Locations in the input: line, column and an excerpt.

use std::fmt;

/// A location in the input.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Location {
    /// The offset in bytes from the start of the stream's UTF-8 form.
    pub offset: u64,
    /// The length in bytes; zero for a point.
    pub len: usize,
    /// The line, counted from 1, or zero if it is unknown because the text is no longer available.
    pub line: u64,
    /// The column, counted from 1 in Unicode scalar values, or zero if the line is unknown.
    pub column: u64,
    /// The line without its break. Of a long line, only about a hundred bytes before and after the
    /// location are included.
    pub text: String,
    /// The number of Unicode scalar values of `text` before the location.
    pub text_column: usize,
}

impl Location {
    /// Returns the location of `len` bytes at `offset` of a complete text. This takes time linear
    /// in `offset`.
    ///
    /// ```
    /// use ketch_yaml::Location;
    ///
    /// let location = Location::in_text(b"a: 1\nb: 2\n", 8, 1);
    /// assert_eq!((location.line, location.column, location.text.as_str()), (2, 4, "b: 2"));
    /// ```
    pub fn in_text(text: &[u8], offset: u64, len: usize) -> Location {
        LineCounter::default().location(text, 0, offset, len)
    }

    /// Returns a message about this location, in the form of an [`Error`](crate::Error): file, line
    /// and column, `problem`, the line with a caret, `help`.
    ///
    /// ```
    /// use ketch_yaml::Location;
    ///
    /// let location = Location::in_text(b"a: 1\nb: 2\n", 8, 1);
    /// let message = location.message(Some("a.yaml"), "too small", "Write 3 or more.");
    /// assert_eq!(message, "a.yaml:2:4: too small\n    b: 2\n       ^\nWrite 3 or more.");
    /// ```
    pub fn message(&self, file: Option<&str>, problem: &str, help: &str) -> String {
        let file = file.map_or(String::new(), |file| format!("{file}:"));
        format!("{file}{}:{}: {problem}{}\n{help}", self.line, self.column, Excerpt(self))
    }

    /// Returns a location of `len` bytes at `offset`, whose line and column are not known and
    /// therefore zero.
    pub fn at_offset(offset: u64, len: usize) -> Location {
        Location { offset, len, line: 0, column: 0, text: String::new(), text_column: 0 }
    }
}

/// Displays the line of a location and a caret under it, each after a line break, or nothing if the
/// line is not known.
pub(crate) struct Excerpt<'a>(pub &'a Location);

impl fmt::Display for Excerpt<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Excerpt(Location { text, text_column, .. }) = self;
        if text.is_empty() {
            return Ok(());
        }
        // A tab stays a tab, so that the caret is where a terminal shows the location.
        let blank = |ch| if ch == '\t' { '\t' } else { ' ' };
        let pad: String = text.chars().take(*text_column).map(blank).collect();
        write!(f, "\n    {text}\n    {pad}^")
    }
}

/// The lines of the stream before the buffered text.
#[derive(Clone, Copy, Debug, Default)]
pub struct LineCounter {
    /// The number of lines.
    pub lines: u64,
    /// The number of Unicode scalar values since the last line break.
    pub columns: u64,
    /// Whether the last byte was a carriage return, whose line feed may still follow.
    after_cr: bool,
}

impl LineCounter {
    /// Counts the lines and columns in `bytes`, which follow the bytes counted before.
    pub fn count(&mut self, bytes: &[u8]) {
        let Some(&last) = bytes.last() else { return };
        let feeds = memchr::memchr_iter(b'\n', bytes).count();
        let has_returns = memchr::memchr(b'\r', bytes).is_some();
        let returns = if has_returns { self.lone_returns(bytes) } else { 0 };
        let split = self.after_cr && bytes[0] == b'\n';
        self.lines += (feeds + returns) as u64 - u64::from(split);
        let tail = match bytes.iter().rposition(|&byte| byte == b'\n' || byte == b'\r') {
            Some(at) => {
                self.columns = 0;
                &bytes[at + 1..]
            }
            None => bytes,
        };
        self.columns += chars(tail);
        self.after_cr = last == b'\r';
    }

    /// Counts the carriage returns in `bytes` without a line feed after them. One at the very end
    /// counts; if its line feed follows later, [`LineCounter::count`] corrects this.
    fn lone_returns(self, bytes: &[u8]) -> usize {
        let next = bytes[1..].iter().copied().chain([b'\r']);
        bytes.iter().zip(next).filter(|&(&byte, next)| byte == b'\r' && next != b'\n').count()
    }

    /// Returns the location of `len` bytes at offset `at` of the stream. `text` is the part of the
    /// stream from offset `base` on, and the lines before it have been counted.
    pub fn location(mut self, text: &[u8], base: u64, at: u64, len: usize) -> Location {
        if at < base {
            return Location::at_offset(at, len);
        }
        let index = ((at - base) as usize).min(text.len());
        self.count(&text[..index]);
        let (line, text_column) = excerpt(text, index);
        Location {
            offset: at,
            len,
            line: self.lines + 1,
            column: self.columns + 1,
            text: line,
            text_column,
        }
    }
}

/// Returns the number of Unicode scalar values in `bytes`, which are UTF-8. It is the number of all
/// bytes except continuation bytes.
fn chars(bytes: &[u8]) -> u64 {
    bytes.iter().filter(|&&byte| byte & 0xC0 != 0x80).count() as u64
}

/// The maximum number of bytes of a line that an excerpt shows before and after the location.
const BEFORE_BYTES: usize = 120;
const AFTER_BYTES: usize = 120;

/// Returns the start of the excerpt that shows the location `at`: the start of its line or, if the
/// line is long, the point where it is cut off.
pub fn line_start(text: &[u8], at: usize) -> usize {
    let is_break = |byte: &u8| *byte == b'\n' || *byte == b'\r';
    let least = at.saturating_sub(BEFORE_BYTES);
    text[least..at].iter().rposition(is_break).map_or(least, |i| least + i + 1)
}

/// Returns the end of the excerpt that shows the location `at`: the end of its line or, if the line
/// is long, the point where it is cut off.
pub fn line_end(text: &[u8], at: usize) -> usize {
    let is_break = |byte: &u8| *byte == b'\n' || *byte == b'\r';
    let most = (at + AFTER_BYTES).min(text.len());
    text[at..most].iter().position(is_break).map_or(most, |i| at + i)
}

/// Returns the line around `at`, shortened to fit a screen, and the number of its characters before
/// `at`.
fn excerpt(text: &[u8], at: usize) -> (String, usize) {
    let mut start = line_start(text, at);
    let end = line_end(text, at);
    while start < at && text[start] & 0xC0 == 0x80 {
        start += 1;
    }
    let clean = |bytes: &[u8]| masked(String::from_utf8_lossy(bytes));
    let before = clean(&text[start..at]);
    let column = before.chars().count();
    (before + &clean(&text[at..end]), column)
}

/// Returns `text` without characters that a terminal must not print, because they move the cursor
/// or change the direction of text.
///
/// ```
/// assert_eq!(ketch_yaml::masked("a\u{202e}b"), "a\u{fffd}b");
/// ```
pub fn masked(text: impl Into<String>) -> String {
    let text = text.into();
    let is_plain = |ch: char| ch == '\t' || !is_masked(ch);
    if text.chars().all(is_plain) {
        return text;
    }
    text.chars().map(|ch| if is_plain(ch) { ch } else { '\u{fffd}' }).collect()
}

/// Returns whether `ch` should not be printed in a terminal, because it is a control character or
/// changes the direction of text, which can make a line look like a different one.
///
/// ```
/// use ketch_yaml::is_masked;
///
/// assert!(is_masked('\u{1b}') && is_masked('\u{202e}'));
/// assert!(!is_masked('\u{5d0}'));
/// ```
pub fn is_masked(ch: char) -> bool {
    const DIRECTIONS: [std::ops::RangeInclusive<char>; 3] =
        ['\u{200e}'..='\u{200f}', '\u{202a}'..='\u{202e}', '\u{2066}'..='\u{2069}'];
    ch.is_control() || ch == '\u{61c}' || DIRECTIONS.iter().any(|range| range.contains(&ch))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_and_every_line_break_counts() {
        let text = "a\r\nb\rc\n\u{e9}\u{20ac}x".as_bytes();
        let at = text.len() as u64 - 1;
        let location = LineCounter::default().location(text, 0, at, 1);
        assert_eq!((location.line, location.column), (4, 3));
        assert_eq!((location.text.as_str(), location.text_column), ("\u{e9}\u{20ac}x", 2));
    }

    #[test]
    fn excerpts_mask_bidirectional_controls() {
        let text = "a: \u{202e}b\u{2066}c\u{61c}\t\u{5d0}".as_bytes();
        let location = Location::in_text(text, 0, 1);
        assert_eq!(location.text, "a: \u{fffd}b\u{fffd}c\u{fffd}\t\u{5d0}");
    }

    #[test]
    fn counting_lines_in_parts_equals_counting_them_at_once() {
        let text = b"a\r\nb\r\rc\n\n\xc3\xa9\r\n";
        let mut whole = LineCounter::default();
        whole.count(text);
        for cut in 0..=text.len() {
            let mut parts = LineCounter::default();
            parts.count(&text[..cut]);
            parts.count(&text[cut..]);
            assert_eq!((parts.lines, parts.columns), (whole.lines, whole.columns), "cut at {cut}");
        }
    }
}

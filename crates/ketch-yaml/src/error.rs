//! Errors for people: where, what was expected, and how to mend it.
//!
//! A [`Problem`] is found deep in the engine, where only offsets are known; a fault carries it out.
//! An [`Error`] adds what a person needs: file, line, column and the line itself.

use crate::diagnose::{self, Advice};
use crate::problem::Class;
pub use crate::problem::Problem;
use std::borrow::Cow;
use std::fmt;
use std::io;

/// A problem and its place in the stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub problem: Problem,
    /// Offset in the UTF-8 form of the stream.
    pub at: u64,
    pub len: usize,
    /// The place that explains it: where a quote was opened, where a key stood first.
    pub related: Option<u64>,
}

/// A place in the input.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Place {
    /// Offset in bytes from the start of the stream's UTF-8 form, 0-based.
    pub offset: u64,
    /// Length in bytes of what is pointed at; zero for a point.
    pub len: usize,
    /// Line, 1-based. Zero when the text has passed by and was not kept.
    pub line: u64,
    /// Column in Unicode scalar values, 1-based.
    pub column: u64,
    /// The line, without its break; at most some hundred bytes of it around the place.
    pub text: String,
    /// How many Unicode scalar values of `text` stand in front of the place.
    pub text_column: usize,
}

impl Place {
    /// The place of `len` bytes at `offset` of a text that is wholly at hand; linear in `offset`.
    ///
    /// ```
    /// use ketch_yaml::Place;
    ///
    /// let place = Place::in_text(b"a: 1\nb: 2\n", 8, 1);
    /// assert_eq!((place.line, place.column, place.text.as_str()), (2, 4, "b: 2"));
    /// ```
    pub fn in_text(text: &[u8], offset: u64, len: usize) -> Place {
        Passed::default().place(text, 0, offset, len)
    }

    /// A place of which only the offset is known: the line is zero.
    pub fn at_offset(offset: u64, len: usize) -> Place {
        Place { offset, len, line: 0, column: 0, text: String::new(), text_column: 0 }
    }
}

/// What went wrong, and where. As large as a pointer.
#[derive(Debug)]
pub struct Error(Box<Inner>);

#[derive(Debug)]
struct Inner {
    problem: Problem,
    place: Place,
    related: Option<Place>,
    /// What the text around it says about the mistake; otherwise the problem's own words do.
    advice: Option<Advice>,
    file: Option<String>,
    io: Option<io::Error>,
}

impl Error {
    pub(crate) fn new(problem: Problem, place: Place, related: Option<Place>) -> Error {
        Error(Box::new(Inner { problem, place, related, advice: None, file: None, io: None }))
    }

    /// An error that a receiver finds in what it takes.
    pub fn at(problem: Problem, place: Place) -> Error {
        Error::new(problem, place, None)
    }

    /// The same with the place that explains it.
    pub(crate) fn with_related(mut self, related: Place) -> Error {
        self.0.related = Some(related);
        self
    }

    pub(crate) fn io(error: io::Error, place: Place) -> Error {
        let mut new = Error::new(Problem::Io, place, None);
        new.0.io = Some(error);
        new
    }

    /// The error of `fault` in a text that is wholly at hand.
    pub(crate) fn in_text(fault: Fault, text: &[u8]) -> Error {
        Error::in_buffer(fault, text, 0, Passed::default())
    }

    /// The error of `fault` in a stream that is buffered as `text` from offset `base` on.
    pub(crate) fn in_buffer(fault: Fault, text: &[u8], base: u64, passed: Passed) -> Error {
        let place = |at, len| passed.place(text, base, at, len);
        let advice = diagnose::diagnose(&fault, text, base, passed);
        let advised = advice.as_ref().and_then(|advice| advice.related.as_ref());
        let related = match advised {
            Some(related) => Some(place(related.at, related.len)),
            None => fault.related.map(|at| place(at, 1)),
        };
        Error::new(fault.problem, place(fault.at, fault.len), related).with_advice(advice)
    }

    /// The same with what the text around it says about the mistake.
    pub(crate) fn with_advice(mut self, advice: Option<Advice>) -> Error {
        self.0.advice = advice;
        self
    }

    /// Names the file, which [`Display`](fmt::Display) then puts in front.
    pub fn with_file(mut self, file: impl Into<String>) -> Error {
        self.0.file = Some(file.into());
        self
    }

    /// What is wrong.
    pub fn problem(&self) -> Problem {
        self.0.problem
    }

    /// Where.
    pub fn place(&self) -> &Place {
        &self.0.place
    }

    /// The place that explains it, where there is one: [`Error::related_label`] says what it is.
    pub fn related(&self) -> Option<&Place> {
        self.0.related.as_ref()
    }

    /// What is wrong, in words: the mistake where the text around it shows one, otherwise the
    /// problem.
    ///
    /// ```
    /// use ketch_yaml::Parser;
    ///
    /// let mut parser = Parser::new(b"host: a\nport:80\n");
    /// let error = loop {
    ///     match parser.next_chunk() {
    ///         Ok(chunk) => assert!(chunk.is_some()),
    ///         Err(error) => break error,
    ///     }
    /// };
    /// assert_eq!(error.message(), "a space is missing after the `:` of `port:80`");
    /// assert_eq!(error.help(), "Write `port: 80`.");
    /// ```
    pub fn message(&self) -> Cow<'_, str> {
        match &self.0.advice {
            Some(advice) => Cow::Borrowed(&advice.message),
            None => Cow::Owned(self.0.problem.to_string()),
        }
    }

    /// What to type to fix it.
    pub fn help(&self) -> &str {
        let advice = self.0.advice.as_ref().map(|advice| advice.help.as_str());
        advice.unwrap_or_else(|| self.0.problem.mend())
    }

    /// A few words for the location itself, where [`Error::message`] has more of them.
    pub fn label(&self) -> Option<&str> {
        let label = self.0.advice.as_ref().map(|advice| advice.label.as_str());
        label.filter(|label| !label.is_empty())
    }

    /// A few words for the location that explains it, if there is one.
    pub fn related_label(&self) -> Option<&str> {
        self.0.related.as_ref()?;
        let related = self.0.advice.as_ref().and_then(|advice| advice.related.as_ref());
        related.map(|related| related.label.as_str()).or_else(|| self.0.problem.related())
    }

    /// The file it is in, if it was named.
    pub fn file(&self) -> Option<&str> {
        self.0.file.as_deref()
    }

    /// Line, 1-based.
    pub fn line(&self) -> u64 {
        self.0.place.line
    }

    /// Column in Unicode scalar values, 1-based.
    pub fn column(&self) -> u64 {
        self.0.place.column
    }

    /// Offset in bytes, 0-based.
    pub fn offset(&self) -> u64 {
        self.0.place.offset
    }

    /// Which kind of problem it is.
    pub fn class(&self) -> Class {
        self.0.problem.class()
    }

    /// The error of the reader, when [`Error::class`] is [`Class::Io`].
    pub fn io_error(&self) -> Option<&io::Error> {
        self.0.io.as_ref()
    }
}

impl fmt::Display for Error {
    /// `file:line:column: message`, the line with a caret under the place, and the mend.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { place, related, file, io, .. } = &*self.0;
        if let Some(file) = file {
            write!(f, "{file}:")?;
        }
        if let Some(error) = io {
            return write!(f, " could not be read: {error}");
        }
        write!(f, "{}:{}: {}", place.line, place.column, self.message())?;
        draw(f, place)?;
        if let (Some(related), Some(words)) = (related, self.related_label()) {
            match related.line {
                0 => write!(f, "\n{words}, at byte {}", related.offset)?,
                line => write!(f, "\n{words}, line {line} column {}:", related.column)?,
            }
            draw(f, related)?;
        }
        write!(f, "\n{}", self.help())
    }
}

/// The line of `place` and a caret under it.
fn draw(f: &mut fmt::Formatter<'_>, place: &Place) -> fmt::Result {
    if place.text.is_empty() {
        return Ok(());
    }
    // A tab stays a tab, so that the caret stands where a terminal shows the place.
    let pad: String = place
        .text
        .chars()
        .take(place.text_column)
        .map(|ch| if ch == '\t' { '\t' } else { ' ' })
        .collect();
    write!(f, "\n    {}\n    {pad}^", place.text)
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.io.as_ref().map(|error| error as _)
    }
}

/// How much of the stream lies in front of the text at hand.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Passed {
    pub lines: u64,
    /// Unicode scalar values since the last line break.
    pub columns: u64,
    /// The last byte was a carriage return, whose line feed may still come.
    after_cr: bool,
}

impl Passed {
    /// Counts `bytes`, which follow what was counted before.
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

    /// Carriage returns without a line feed behind them; one at the very end counts.
    fn lone_returns(self, bytes: &[u8]) -> usize {
        let next = bytes[1..].iter().copied().chain([b'\r']);
        bytes.iter().zip(next).filter(|&(&byte, next)| byte == b'\r' && next != b'\n').count()
    }

    /// The place at offset `at` of the stream, `text` being at offset `base`.
    pub fn place(mut self, text: &[u8], base: u64, at: u64, len: usize) -> Place {
        if at < base {
            return Place::at_offset(at, len);
        }
        let at_hand = ((at - base) as usize).min(text.len());
        self.count(&text[..at_hand]);
        let (line, text_column) = excerpt(text, at_hand);
        Place {
            offset: at,
            len,
            line: self.lines + 1,
            column: self.columns + 1,
            text: line,
            text_column,
        }
    }
}

/// Unicode scalar values in UTF-8: all bytes but continuation bytes.
fn chars(bytes: &[u8]) -> u64 {
    bytes.iter().filter(|&&byte| byte & 0xC0 != 0x80).count() as u64
}

/// How much of a line an excerpt shows before and after the place.
const BEFORE_BYTES: usize = 120;
const AFTER_BYTES: usize = 120;

/// Where an excerpt of the place `at` starts: at the start of its line, or where the line is cut.
pub(crate) fn line_start(text: &[u8], at: usize) -> usize {
    let is_break = |byte: &u8| *byte == b'\n' || *byte == b'\r';
    let least = at.saturating_sub(BEFORE_BYTES);
    text[least..at].iter().rposition(is_break).map_or(least, |i| least + i + 1)
}

/// Where an excerpt of the place `at` ends.
pub(crate) fn line_end(text: &[u8], at: usize) -> usize {
    let is_break = |byte: &u8| *byte == b'\n' || *byte == b'\r';
    let most = (at + AFTER_BYTES).min(text.len());
    text[at..most].iter().position(is_break).map_or(most, |i| at + i)
}

/// The line around `at`, cut to what fits a screen, and how many characters of it stand before.
fn excerpt(text: &[u8], at: usize) -> (String, usize) {
    let mut start = line_start(text, at);
    let end = line_end(text, at);
    while start < at && text[start] & 0xC0 == 0x80 {
        start += 1;
    }
    let clean = |bytes: &[u8]| -> String {
        let text = String::from_utf8_lossy(bytes);
        text.chars().map(|ch| if ch != '\t' && is_masked(ch) { '\u{fffd}' } else { ch }).collect()
    };
    let before = clean(&text[start..at]);
    let column = before.chars().count();
    (before + &clean(&text[at..end]), column)
}

/// Whether a terminal would do something else with `ch` than show it: control characters, and those
/// that change the direction of the text around them, so that a line reads as what it is not.
///
/// ```
/// use ketch_yaml::error::is_masked;
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
    fn places_are_counted_in_characters_and_all_kinds_of_lines() {
        let text = "a\r\nb\rc\n\u{e9}\u{20ac}x".as_bytes();
        let at = text.len() as u64 - 1;
        let place = Passed::default().place(text, 0, at, 1);
        assert_eq!((place.line, place.column), (4, 3));
        assert_eq!((place.text.as_str(), place.text_column), ("\u{e9}\u{20ac}x", 2));
    }

    #[test]
    fn an_excerpt_masks_what_reorders_it() {
        let text = "a: \u{202e}b\u{2066}c\u{61c}\t\u{5d0}".as_bytes();
        let place = Place::in_text(text, 0, 1);
        assert_eq!(place.text, "a: \u{fffd}b\u{fffd}c\u{fffd}\t\u{5d0}");
    }

    #[test]
    fn counting_in_parts_is_counting_the_whole() {
        let text = b"a\r\nb\r\rc\n\n\xc3\xa9\r\n";
        let mut whole = Passed::default();
        whole.count(text);
        for cut in 0..=text.len() {
            let mut parts = Passed::default();
            parts.count(&text[..cut]);
            parts.count(&text[cut..]);
            assert_eq!((parts.lines, parts.columns), (whole.lines, whole.columns), "cut at {cut}");
        }
    }

    #[test]
    fn an_error_is_as_large_as_a_pointer() {
        assert_eq!(size_of::<Error>(), size_of::<usize>());
    }
}

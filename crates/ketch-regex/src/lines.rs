//! Splits a text or a stream into lines, by Ruby's rules or with patterns as separators.

use std::fmt;
use std::io::{self, Read};
use std::ops::Range;

use memchr::memmem::Finder;

use crate::error::Error;
use crate::regex::Regex;
use crate::stream::{Ends, Found};

/// The end of a line.
#[derive(Clone, Debug)]
pub enum Separator {
    /// A text, as in Ruby's `each_line(text)`. If lines are chomped, `"\n"` is removed together with a
    /// `"\r"` before it.
    Text(Vec<u8>),
    /// Two or more line breaks, as in Ruby's `each_line("")`.
    Paragraphs,
    /// Nothing, so that the whole text is one line, as in Ruby's `each_line(nil)`.
    Nothing,
    /// A match of a pattern. Empty matches do not count.
    Pattern(Regex),
}

impl Default for Separator {
    fn default() -> Separator {
        Separator::Text(b"\n".to_vec())
    }
}

/// The options for splitting a stream into lines.
#[derive(Clone, Debug)]
pub struct LineOptions {
    /// The separator that ends a line. Default: a line feed.
    pub separator: Separator,
    /// Whether to leave out the separator. Default: no.
    pub chomp: bool,
    /// The maximum length of a line in bytes. Default: unlimited.
    pub max_line_bytes: usize,
}

impl Default for LineOptions {
    fn default() -> LineOptions {
        LineOptions { separator: Separator::default(), chomp: false, max_line_bytes: usize::MAX }
    }
}

/// The reason why there is no next line.
#[derive(Debug)]
#[non_exhaustive]
pub enum LineError {
    /// The stream cannot be read.
    Io(io::Error),
    /// A search for a separator has exceeded a limit.
    Search(Error),
    /// The line that starts at this offset is longer than [`LineOptions::max_line_bytes`].
    TooLong(u64, usize),
}

impl fmt::Display for LineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LineError::Io(error) => error.fmt(f),
            LineError::Search(error) => error.fmt(f),
            LineError::TooLong(at, max) => {
                write!(f, "the line at byte {at} has more than {max} bytes: raise max_line_bytes")
            }
        }
    }
}

impl std::error::Error for LineError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            LineError::Io(error) => Some(error),
            LineError::Search(error) => Some(error),
            LineError::TooLong(..) => None,
        }
    }
}

/// A reader of the lines of a stream. One line is in memory at a time, and each byte is read only
/// once.
///
/// If the separator is a pattern with look-around, back-references or the like, the whole text is
/// in memory, because such patterns can only be searched for in a complete text.
///
/// ```
/// use ketch_regex::{LineOptions, Lines};
/// let mut lines = Lines::new(&b"one\r\ntwo"[..], LineOptions { chomp: true, ..Default::default() });
/// assert_eq!(lines.next_line().unwrap(), Some(&b"one"[..]));
/// assert_eq!(lines.next_line().unwrap(), Some(&b"two"[..]));
/// assert_eq!(lines.next_line().unwrap(), None);
/// ```
pub struct Lines<R> {
    reader: R,
    max_line_bytes: usize,
    cutter: Cutter,
    chomp: bool,
    buffer: Vec<u8>,
    /// The number of bytes in the buffer that are filled.
    filled: usize,
    /// The offset in the buffer at which the next line starts.
    start: usize,
    /// The number of bytes that were removed from the buffer.
    gone: u64,
    eof: bool,
}

/// The minimum free space in the buffer for a read.
const READ_BYTES: usize = 64 << 10;
/// The number of bytes that are kept before a line, because patterns look back by one character.
const CONTEXT: usize = 4;

impl<R: Read> Lines<R> {
    /// Creates a reader of lines from the current position of the stream.
    pub fn new(reader: R, options: LineOptions) -> Lines<R> {
        Lines {
            reader,
            max_line_bytes: options.max_line_bytes,
            cutter: Cutter::new(options.separator),
            chomp: options.chomp,
            buffer: Vec::new(),
            filled: 0,
            start: 0,
            gone: 0,
            eof: false,
        }
    }

    /// Returns the next line, or `None` at the end.
    ///
    /// # Errors
    ///
    /// Fails if the stream does, if a line is too long, or if the search for a separator exceeds a limit.
    pub fn next_line(&mut self) -> Result<Option<&[u8]>, LineError> {
        Ok(self.next_at()?.map(|(_, line)| line))
    }

    /// Returns the next line with its offset in the stream.
    ///
    /// # Errors
    ///
    /// Fails as [`Lines::next_line`] does.
    pub fn next_at(&mut self) -> Result<Option<(u64, &[u8])>, LineError> {
        loop {
            let text = &self.buffer[..self.filled];
            match self.cutter.cut(text, &mut self.start, self.eof).map_err(LineError::Search)? {
                Cut::Line { content, end } => {
                    let line = self.start..end;
                    self.check(line.len())?;
                    let offset = self.offset();
                    self.start = end;
                    let shown = if self.chomp { line.start..content } else { line };
                    return Ok(Some((offset, &self.buffer[shown])));
                }
                Cut::End => return Ok(None),
                Cut::More => self.fill()?,
            }
        }
    }

    /// Reads the rest of the stream, and returns the number of its lines. If the separator is one
    /// byte, and the length of lines is not limited, this only counts bytes, and holds no line in
    /// memory.
    ///
    /// ```
    /// use ketch_regex::Lines;
    /// let mut lines = Lines::new(&b"one\n\ntwo"[..], Default::default());
    /// assert_eq!(lines.next_line().unwrap(), Some(&b"one\n"[..]));
    /// assert_eq!(lines.count_lines().unwrap(), 2);
    /// ```
    ///
    /// # Errors
    ///
    /// Fails as [`Lines::next_line`] does.
    pub fn count_lines(&mut self) -> Result<u64, LineError> {
        let mut count = 0;
        let (Kind::Byte(byte), usize::MAX) = (&self.cutter.kind, self.max_line_bytes) else {
            while self.next_at()?.is_some() {
                count += 1;
            }
            return Ok(count);
        };
        let byte = *byte;
        let mut ended = true;
        loop {
            let text = &self.buffer[self.start..self.filled];
            count += memchr::memchr_iter(byte, text).count() as u64;
            ended = text.last().map_or(ended, |last| *last == byte);
            self.gone += self.filled as u64;
            (self.start, self.filled, self.cutter.searched) = (0, 0, 0);
            if self.eof {
                return Ok(count + u64::from(!ended));
            }
            self.fill()?;
        }
    }

    /// Returns the offset in the stream of the next line.
    fn offset(&self) -> u64 {
        self.gone + self.start as u64
    }

    /// Fails if a line of `length` bytes is too long.
    fn check(&self, length: usize) -> Result<(), LineError> {
        if length > self.max_line_bytes {
            return Err(LineError::TooLong(self.offset(), self.max_line_bytes));
        }
        Ok(())
    }

    /// Reads more of the stream into the buffer.
    fn fill(&mut self) -> Result<(), LineError> {
        self.check(self.filled - self.start)?;
        if self.buffer.len() - self.filled < READ_BYTES.min(self.buffer.len() / 2 + 1) {
            let moved = self.start.saturating_sub(CONTEXT);
            // Moving the rest is only efficient if this frees half of the buffer. Otherwise, the buffer
            // grows.
            if moved >= self.buffer.len() / 2 && moved > 0 {
                self.buffer.copy_within(moved..self.filled, 0);
                self.start -= moved;
                self.filled -= moved;
                self.gone += moved as u64;
                self.cutter.moved(moved);
            } else {
                let size = (2 * self.buffer.len()).max(READ_BYTES);
                self.buffer.resize(size, 0);
            }
        }
        loop {
            match self.reader.read(&mut self.buffer[self.filled..]) {
                Ok(0) => self.eof = true,
                Ok(n) => self.filled += n,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(LineError::Io(error)),
            }
            return Ok(());
        }
    }
}

/// Returns an iterator over the lines of a text. Each item has the range of the line, and its range
/// without the separator.
///
/// ```
/// use ketch_regex::{Separator, lines};
/// let found: Vec<_> = lines(b"a\n\n\nb", Separator::Paragraphs).map(Result::unwrap).collect();
/// assert_eq!(found, [(0..3, 0..2), (4..5, 4..5)]);
/// ```
pub fn lines(
    text: &[u8],
    separator: Separator,
) -> impl Iterator<Item = Result<(Range<usize>, Range<usize>), Error>> {
    let mut cutter = Cutter::new(separator);
    let mut start = 0;
    let mut failed = false;
    std::iter::from_fn(move || {
        if failed {
            return None;
        }
        match cutter.cut(text, &mut start, true) {
            Ok(Cut::Line { content, end }) => {
                let begin = std::mem::replace(&mut start, end);
                Some(Ok((begin..end, begin..content)))
            }
            Ok(_) => None,
            Err(error) => {
                failed = true;
                Some(Err(error))
            }
        }
    })
}

enum Cut {
    /// A line, with the end of its content and the end of its separator.
    Line { content: usize, end: usize },
    /// There is no line.
    End,
    /// The text so far does not contain the end of the line.
    More,
}

/// Finds the ends of lines. Each search continues where the last one stopped.
struct Cutter {
    kind: Kind,
    /// The number of bytes that have been searched.
    searched: usize,
}

enum Kind {
    Byte(u8),
    Text(Box<Finder<'static>>),
    /// Paragraphs, and whether line breaks before the next one have to be skipped.
    Paragraphs(bool),
    Nothing,
    Pattern(Box<Ends>),
}

impl Cutter {
    fn new(separator: Separator) -> Cutter {
        let kind = match separator {
            Separator::Text(text) => match *text {
                [] => Kind::Paragraphs(false),
                [byte] => Kind::Byte(byte),
                _ => Kind::Text(Box::new(Finder::new(&text).into_owned())),
            },
            Separator::Paragraphs => Kind::Paragraphs(false),
            Separator::Nothing => Kind::Nothing,
            Separator::Pattern(regex) => Kind::Pattern(Box::new(Ends::new(regex))),
        };
        Cutter { kind, searched: 0 }
    }

    /// Records that the text in the buffer was moved `by` bytes toward its start.
    fn moved(&mut self, by: usize) {
        self.searched = self.searched.saturating_sub(by);
        if let Kind::Pattern(ends) = &mut self.kind {
            ends.moved(by);
        }
    }

    /// Finds the end of the line at `start`. Moves `start` past text that does not belong to a line.
    /// `eof` says whether the text is complete.
    fn cut(&mut self, text: &[u8], start: &mut usize, eof: bool) -> Result<Cut, Error> {
        if let Kind::Paragraphs(skips @ true) = &mut self.kind {
            while let Some(length) = break_at(text, *start) {
                *start += length;
            }
            // A "\r" may be half of a line break.
            if !eof && text.len() - *start < 2 {
                return Ok(Cut::More);
            }
            *skips = false;
        }
        let from = self.searched.max(*start);
        let found = match &mut self.kind {
            Kind::Byte(byte) => {
                let found = memchr::memchr(*byte, &text[from..]).map(|at| from + at);
                self.searched = text.len();
                found.map(|at| match byte {
                    b'\n' if at > *start && text[at - 1] == b'\r' => (at - 1, at + 1),
                    _ => (at, at + 1),
                })
            }
            Kind::Text(finder) => {
                let length = finder.needle().len();
                let found = finder.find(&text[from..]).map(|at| (from + at, from + at + length));
                self.searched = (text.len() + 1).saturating_sub(length);
                found
            }
            Kind::Paragraphs(skips) => {
                let found = paragraph(text, from, &mut self.searched);
                *skips = found.is_some();
                found
            }
            Kind::Nothing => None,
            Kind::Pattern(ends) => match ends.next(text, *start, eof)? {
                Found::Match(found) => Some((found.start, found.end)),
                Found::None => None,
            },
        };
        if let Some((content, end)) = found {
            self.searched = end;
            // With `\K` or look-behind, the match of a pattern may start before the line.
            return Ok(Cut::Line { content: content.max(*start), end });
        }
        Ok(match eof {
            false => Cut::More,
            true if *start < text.len() => Cut::Line { content: text.len(), end: text.len() },
            true => Cut::End,
        })
    }
}

/// Returns the length of the line break at the position `at`, or `None` if there is none.
fn break_at(text: &[u8], at: usize) -> Option<usize> {
    match text.get(at..)? {
        [b'\n', ..] => Some(1),
        [b'\r', b'\n', ..] => Some(2),
        _ => None,
    }
}

/// Finds two adjacent line breaks, and returns the offsets between and after them, because Ruby chomps
/// only the second one. If there are none yet, returns `None`, and sets `searched` to the offset at which
/// the next search has to start.
fn paragraph(text: &[u8], from: usize, searched: &mut usize) -> Option<(usize, usize)> {
    let mut at = from;
    while let Some(found) = memchr::memchr(b'\n', &text[at..]) {
        let first = at + found + 1;
        if let Some(length) = break_at(text, first) {
            return Some((first, first + length));
        }
        // The second line break might not have been read yet.
        let rest = &text[first..];
        if rest.is_empty() || rest == b"\r" {
            *searched = first - 1;
            return None;
        }
        at = first;
    }
    *searched = text.len();
    None
}

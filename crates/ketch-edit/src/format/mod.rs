//! Formatting YAML without losing comments.
//!
//! ```text
//! text ──▶ lexer: events and gaps ──▶ layout: columns and spaces ──▶ text
//!                                       frame, scalar, writer          └─▶ verify: same meaning
//! ```
//!
//! There is no recursion, and each pass takes time linear in the lengths of its input and output.
//! The output is specified in `docs/format.md`.

use ketch_yaml::{Error, EventKind, Parser, ReadParser};
mod frame;
mod layout;
mod lexer;
mod options;
mod scalar;
mod sequences;
#[cfg(test)]
mod tests;
mod verify;
mod writer;

pub use options::FormatOptions;

use ketch_bytes::encoding::Encoding;
use layout::Layout;
use lexer::{Kind, Lexer, Whole};
use std::borrow::Cow;
use std::fmt;
use std::io::{self, Read, Write};
use writer::Writer;

/// The reason why a text could not be formatted.
#[derive(Debug)]
#[non_exhaustive]
pub enum FormatError {
    /// The input is not valid YAML.
    Yaml(Error),
    /// The output would be longer than this number of bytes, which is set by
    /// [`FormatOptions::max_output_bytes`].
    TooLong(u64),
    /// The output would have another meaning than the input from this byte offset of the input on,
    /// which is a bug in the formatter. The output is discarded.
    Changed(u64),
    /// The output could not be written.
    Io(io::Error),
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FormatError::Yaml(error) => error.fmt(f),
            FormatError::TooLong(max) => {
                write!(f, "the formatted text exceeds {max} bytes: raise `max_output_bytes`")
            }
            FormatError::Io(error) => write!(f, "could not be written: {error}"),
            FormatError::Changed(offset) => write!(
                f,
                "internal error: formatting would have changed the meaning of the text, at byte {offset}"
            ),
        }
    }
}

impl std::error::Error for FormatError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            FormatError::Yaml(error) => Some(error),
            FormatError::Io(error) => Some(error),
            _ => None,
        }
    }
}

impl From<Error> for FormatError {
    fn from(error: Error) -> FormatError {
        FormatError::Yaml(error)
    }
}

/// Formats `input` with default options. If nothing changes, the result is borrowed from `input`.
///
/// ```
/// let formatted = ketch_edit::format::format(b"a:   [1 ,2]   # two\n\n\n\nb : x")?;
/// assert_eq!(*formatted, *b"a: [1, 2] # two\n\nb: x\n");
/// # Ok::<(), ketch_edit::format::FormatError>(())
/// ```
pub fn format(input: &[u8]) -> Result<Cow<'_, [u8]>, FormatError> {
    format_with_options(input, &FormatOptions::default())
}

/// Formats `input`. Events and comments stay on their lines, but get new columns and spaces. The
/// encoding is kept, and all lines get the kind of line break that ends the first line. If nothing
/// changes, the result is borrowed from `input`.
///
/// # Errors
///
/// Fails with the parser's first error, if a limit is exceeded, or if the output would have another
/// meaning than the input.
pub fn format_with_options<'i>(
    input: &'i [u8],
    options: &FormatOptions,
) -> Result<Cow<'i, [u8]>, FormatError> {
    let (encoding, mark) = Encoding::detect(input);
    let mut out = Vec::new();
    if encoding == Encoding::Utf8 {
        let differs = format_to(input, options, &mut out)?;
        return Ok(if differs { Cow::Owned(out) } else { Cow::Borrowed(input) });
    }
    let text = Parser::with_options(input, &options.read).text().to_vec();
    let parser = || Parser::with_options(input, &options.read);
    let differs = format_text(&text, parser, options, &mut out)?;
    let wide = encoded(if differs { &out } else { &text }, encoding, mark > 0);
    Ok(if wide == input { Cow::Borrowed(input) } else { Cow::Owned(wide) })
}

/// Formats `input` as [`format_with_options`] does, but writes the result to `out`, a few lines at a
/// time, and only if it differs. Returns whether it differs.
///
/// # Errors
///
/// Fails as [`format_with_options`] does, or if `out` fails. What was written then is not the result.
pub fn format_to(
    input: &[u8],
    options: &FormatOptions,
    out: &mut impl Write,
) -> Result<bool, FormatError> {
    if Encoding::detect(input).0 == Encoding::Utf8 {
        return format_text(input, || Parser::with_options(input, &options.read), options, out);
    }
    let formatted = format_with_options(input, options)?;
    let differs = *formatted != *input;
    if differs {
        out.write_all(&formatted).map_err(FormatError::Io)?;
    }
    Ok(differs)
}

/// Formats `text`, which is the input in UTF-8, and writes the result to `out` if it differs. `parser`
/// returns a new parser of the input.
fn format_text<'t>(
    text: &'t [u8],
    parser: impl Fn() -> Parser<'t>,
    options: &FormatOptions,
    out: &mut impl Write,
) -> Result<bool, FormatError> {
    let lexer = || Lexer::new(Whole { parser: parser(), text });
    let max_bytes = options.max_output_bytes.at(text.len() as u64);
    let writer = Writer::new(line_break_of(text), max_bytes);
    let is_root_indented = has_mark(text) && has_marker_text(parser(), text)?;
    let styles = match options.sequences {
        Some(style) => vec![style],
        None => sequences::styles(lexer())?,
    };
    let layout = Layout::new(text, options, styles, writer, is_root_indented);
    let mut lines = FormattedLines { lexer: lexer(), layout, max_bytes, is_done: false };
    let (mut same, mut piece) = (0, Vec::new());
    while text[same..].starts_with(&piece) {
        same += piece.len();
        if !lines.next(&mut piece)? {
            if same == text.len() {
                return Ok(false);
            }
            break;
        }
    }
    // From here on, the result differs: it is parsed while it is written.
    let mut written = Formatted { same: &text[..same], piece, at: 0, lines, out, error: None };
    written.start();
    let mut read = options.read;
    read.limits.max_buffer_bytes = u64::MAX;
    let new = Lexer::new(ReadParser::with_options(&mut written, &read));
    let difference = verify::difference(lexer(), new);
    match (written.rest(), difference) {
        (Err(error), _) => Err(error),
        (Ok(()), Some(offset)) => Err(FormatError::Changed(offset)),
        (Ok(()), None) => Ok(true),
    }
}

/// The lines of the result.
struct FormattedLines<'t> {
    lexer: Lexer<Whole<'t>>,
    layout: Layout<'t>,
    max_bytes: u64,
    is_done: bool,
}

/// The number of bytes of complete lines that are taken at a time.
const PIECE_BYTES: usize = 64 * 1024;

impl FormattedLines<'_> {
    /// Replaces `piece` by the next lines. Returns false, with an empty piece, at the end.
    fn next(&mut self, piece: &mut Vec<u8>) -> Result<bool, FormatError> {
        piece.clear();
        while !self.is_done && self.layout.out.untaken() < PIECE_BYTES {
            let lexeme = self.lexer.next()?;
            self.layout.lexeme(&lexeme);
            if self.layout.out.is_full() {
                return Err(FormatError::TooLong(self.max_bytes));
            }
            self.is_done = lexeme.kind == Kind::Eof;
        }
        match self.is_done {
            true => self.layout.out.take_rest(piece),
            false => self.layout.out.take_lines(piece),
        }
        Ok(!piece.is_empty())
    }
}

/// A result that is written to `out` while it is read, to verify it.
struct Formatted<'t, W> {
    /// The start of the result that is the same as that of the input, and has not been read yet.
    same: &'t [u8],
    /// The next lines, of which `at` bytes have been read.
    piece: Vec<u8>,
    at: usize,
    lines: FormattedLines<'t>,
    out: W,
    error: Option<FormatError>,
}

impl<W: Write> Formatted<'_, W> {
    /// Writes what is known of the result.
    fn start(&mut self) {
        let written = self.out.write_all(self.same).and_then(|()| self.out.write_all(&self.piece));
        self.error = written.err().map(FormatError::Io);
    }

    /// Formats and writes the next lines. Returns false at the end.
    fn advance(&mut self) -> Result<bool, FormatError> {
        self.at = 0;
        let is_there = self.lines.next(&mut self.piece)?;
        self.out.write_all(&self.piece).map_err(FormatError::Io)?;
        Ok(is_there)
    }

    /// Formats what has not been read, since errors in it come first.
    fn rest(&mut self) -> Result<(), FormatError> {
        match self.error.take() {
            Some(error) => Err(error),
            None => {
                while self.advance()? {}
                Ok(())
            }
        }
    }
}

impl<W: Write> Read for Formatted<'_, W> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.error.is_some() {
            return Err(io::ErrorKind::Other.into());
        }
        if !self.same.is_empty() {
            return self.same.read(buffer);
        }
        if self.at == self.piece.len()
            && let Err(error) = self.advance()
        {
            self.error = Some(error);
            return Err(io::ErrorKind::Other.into());
        }
        let count = (&self.piece[self.at..]).read(buffer)?;
        self.at += count;
        Ok(count)
    }
}

/// Returns the line break that ends the first line of `text`, or a line feed if there is none.
fn line_break_of(text: &[u8]) -> &'static [u8] {
    match memchr::memchr2(b'\n', b'\r', text) {
        Some(at) if text[at..].starts_with(b"\r\n") => b"\r\n",
        Some(at) if text[at] == b'\r' => b"\r",
        _ => b"\n",
    }
}

/// Document markers and the byte order mark, which are recognized only at the start of a line or of
/// the text.
const MARKS: [&[u8]; 3] = [b"---", b"...", b"\xEF\xBB\xBF"];

/// Returns whether `text` contains one of the `MARKS` after white space.
fn has_mark(text: &[u8]) -> bool {
    let is_inside = |at: usize| at > 0 && matches!(text[at - 1], b' ' | b'\t' | b'\n' | b'\r');
    MARKS.iter().any(|mark| memchr::memmem::find_iter(text, mark).any(is_inside))
}

/// Returns whether only blanks and byte order marks precede `at` on its line.
fn starts_line(text: &[u8], at: usize) -> bool {
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t') || MARKS[2].contains(byte);
    matches!(text[..at].iter().rev().find(|byte| !is_blank(byte)), None | Some(b'\n' | b'\r'))
}

/// Returns whether `text` has a plain scalar, which is a root or a key of a block mapping at the
/// root, that starts a line and would be read as a marker if it were not indented. The scalar's
/// indentation is ignored, so formatting the text does not change the result.
fn has_marker_text(parser: Parser<'_>, text: &[u8]) -> Result<bool, Error> {
    let mut lexer = Lexer::new(Whole { parser, text });
    let (mut depth, mut brackets) = (0, 0);
    // Whether the last lexeme is such a scalar if a colon follows and makes it a key.
    let mut may_be_key = false;
    loop {
        let lexeme = lexer.next()?;
        let span = &text[lexeme.event.range()];
        let was_text = std::mem::take(&mut may_be_key);
        match lexeme.kind {
            Kind::Eof => return Ok(false),
            Kind::Colon if was_text => return Ok(true),
            Kind::Event(EventKind::Plain) if brackets == 0 && depth < 2 => {
                may_be_key = starts_as_marker(span) && starts_line(text, lexeme.event.start);
                if may_be_key && depth == 0 {
                    return Ok(true);
                }
            }
            Kind::Event(EventKind::SequenceStart | EventKind::MappingStart) => {
                depth += 1;
                brackets += span.len();
            }
            Kind::Event(EventKind::SequenceEnd | EventKind::MappingEnd) => {
                depth -= 1;
                brackets -= span.len();
            }
            _ => {}
        }
    }
}

/// Returns whether `span` starts with a byte order mark or a document marker. Such text must be
/// indented.
fn starts_as_marker(span: &[u8]) -> bool {
    let [start, end, mark] = MARKS;
    let rest = span.strip_prefix(start).or_else(|| span.strip_prefix(end));
    span.starts_with(mark)
        || rest.is_some_and(|rest| rest.first().is_none_or(u8::is_ascii_whitespace))
}

/// Transcodes `text` from UTF-8 to `encoding`. Writes a byte order mark if `is_marked` is set, or
/// if the encoding could not be recognized without one.
fn encoded(text: &[u8], encoding: Encoding, is_marked: bool) -> Vec<u8> {
    // The parser has checked that the text is UTF-8.
    let text = String::from_utf8_lossy(text);
    let is_recognizable = text.as_bytes().first().is_some_and(u8::is_ascii);
    let mark = (is_marked || !is_recognizable).then_some('\u{feff}');
    let mut out = Vec::with_capacity(text.len() * encoding.unit_bytes());
    for ch in mark.into_iter().chain(text.chars()) {
        let mut units = [0; 2];
        match encoding {
            Encoding::Utf8 => out.extend_from_slice(ch.encode_utf8(&mut [0; 4]).as_bytes()),
            Encoding::Utf16Le => {
                out.extend(ch.encode_utf16(&mut units).iter().flat_map(|unit| unit.to_le_bytes()));
            }
            Encoding::Utf16Be => {
                out.extend(ch.encode_utf16(&mut units).iter().flat_map(|unit| unit.to_be_bytes()));
            }
            Encoding::Utf32Le => out.extend(u32::from(ch).to_le_bytes()),
            Encoding::Utf32Be => out.extend(u32::from(ch).to_be_bytes()),
        }
    }
    out
}

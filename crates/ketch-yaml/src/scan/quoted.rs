//! Finds the ends of quoted scalars (YAML 1.2.2, sections 7.3.1 and 7.3.2) and checks that they are
//! valid. They are decoded only when their content is read.

use super::class::is_blank;
use super::text::Text;
use crate::event::Flags;
use crate::problem::Problem;
use ketch_bytes::{BLOCK_BYTES, Kernel, Lanes};

/// A quoted scalar.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Quoted {
    /// The offset after the closing quote.
    pub end: usize,
    pub flags: Flags,
    /// The start of the line with the closing quote, if that is not the first line.
    pub last_line: Option<usize>,
}

/// The reason why a quoted scalar could not be scanned.
#[derive(Clone, Copy, Debug)]
pub(crate) enum QuotedError {
    /// The buffer ends before the scalar does.
    NeedMoreInput,
    /// The scalar is not valid.
    Bad { problem: Problem, at: usize, len: usize },
}

impl QuotedError {
    /// Returns the error for `problem` in the `len` bytes at `at`.
    fn bad(problem: Problem, at: usize, len: usize) -> QuotedError {
        QuotedError::Bad { problem, at, len }
    }
}

/// Scans the quoted scalar whose opening quote is at `open`, and returns its end, its flags and the
/// start of its last line. Continuation lines must be indented by at least `indent` columns. Fails
/// if the scalar is invalid, or if its end is not buffered.
// [109] c-double-quoted, [117] c-quoted-quote, [118] nb-single-char, [120] c-single-quoted.
#[inline(always)]
pub(crate) fn quoted<L: Lanes>(
    lanes: L,
    text: Text<'_>,
    open: usize,
    indent: usize,
) -> Result<Quoted, QuotedError> {
    let quote = text.byte(open);
    let escape = if quote == b'"' { b'\\' } else { b'\'' };
    let mut quoted = Quoted { end: 0, flags: Flags::NONE, last_line: None };
    let mut at = open + 1;
    loop {
        let block = text.load(lanes, at);
        let stops = lanes.eq_any(block, [quote, escape, b'\n', b'\r']);
        if stops == 0 {
            at += BLOCK_BYTES;
            continue;
        }
        at += stops.trailing_zeros() as usize;
        let byte = text.byte(at);
        if byte == quote {
            if quote == b'\'' && text.byte(at + 1) == b'\'' {
                quoted.flags = quoted.flags.with(Flags::ESCAPES);
                at += 2;
                continue;
            }
            if at + 1 >= text.bytes.len() && !text.is_last {
                return Err(QuotedError::NeedMoreInput);
            }
            quoted.end = at + 1;
            return Ok(quoted);
        }
        if byte == escape && at + 1 < text.bytes.len() && !is_line_break(text.byte(at + 1)) {
            quoted.flags = quoted.flags.with(Flags::ESCAPES);
            at = match text.byte(at + 1) {
                b'"' | b'\\' | b'n' | b'/' | b't' => at + 2,
                _ => skip_escape(text, at)?,
            };
            continue;
        }
        if byte == escape {
            quoted.flags = quoted.flags.with(Flags::ESCAPES);
            at += 1;
        }
        at = next_line(text, at, indent)?;
        quoted.flags = quoted.flags.with(Flags::MULTILINE);
        quoted.last_line = Some(line_start(text, at));
    }
}

/// Scans a quoted scalar that may be too long for the fast path's window or have escapes. Returns
/// its end and its flags, or `None` if it is not on one line, not valid or not complete.
pub(crate) struct LongQuoted<'t> {
    pub text: Text<'t>,
    pub open: usize,
}

impl Kernel for LongQuoted<'_> {
    type Output = Option<(usize, Flags)>;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Option<(usize, Flags)> {
        let quoted = quoted(lanes, self.text, self.open, 0).ok()?;
        quoted.last_line.is_none().then_some((quoted.end, quoted.flags))
    }
}

/// Scans a quoted scalar whose continuation lines may have any indentation.
pub(crate) struct Unindented<'t> {
    pub text: Text<'t>,
    pub open: usize,
}

impl Kernel for Unindented<'_> {
    type Output = Result<Quoted, QuotedError>;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Result<Quoted, QuotedError> {
        quoted(lanes, self.text, self.open, 0)
    }
}

/// Returns whether `byte` is LF or CR.
fn is_line_break(byte: u8) -> bool {
    byte == b'\n' || byte == b'\r'
}

/// Returns the start of the line whose first non-blank character is at `at`.
fn line_start(text: Text<'_>, mut at: usize) -> usize {
    while at > 0 && is_blank(text.byte(at - 1)) {
        at -= 1;
    }
    at
}

/// Skips from the line break at `at` to the next line that is not empty, and returns the offset of
/// its first character that is not blank. Fails if that line starts with a document marker or is
/// indented by fewer than `indent` columns.
// [69] s-flow-line-prefix, [115] s-double-next-line, [206] c-forbidden.
#[inline(never)]
fn next_line(text: Text<'_>, mut at: usize, indent: usize) -> Result<usize, QuotedError> {
    loop {
        if at >= text.bytes.len() {
            return Err(QuotedError::NeedMoreInput);
        }
        let line = text.after_break(at);
        let mut start = line;
        while text.byte(start) == b' ' {
            start += 1;
        }
        let spaces = start - line;
        at = text.skip_blanks(start);
        // Recognizing a marker takes four bytes, which may not be buffered yet.
        if at + 3 >= text.bytes.len() && !text.is_last {
            return Err(QuotedError::NeedMoreInput);
        }
        if is_line_break(text.byte(at)) {
            continue;
        }
        if text.is_marker(line) {
            return Err(QuotedError::bad(Problem::MarkerInQuotes, line, 3));
        }
        if spaces < indent {
            let problem = if text.byte(start) == b'\t' {
                Problem::TabIndentation
            } else {
                Problem::QuotedIndentation
            };
            return Err(QuotedError::bad(problem, start, 1));
        }
        return Ok(at);
    }
}

/// Skips the escape sequence at `at`, which is not an escaped line break (productions 41 to 62),
/// and returns the offset after it.
// [62] c-ns-esc-char, [107] nb-double-char.
#[inline(never)]
fn skip_escape(text: Text<'_>, at: usize) -> Result<usize, QuotedError> {
    let digits = match text.byte(at + 1) {
        b'0' | b'a' | b'b' | b't' | b'\t' | b'n' | b'v' | b'f' | b'r' | b'e' | b' ' | b'"'
        | b'/' | b'\\' | b'N' | b'_' | b'L' | b'P' => return Ok(at + 2),
        b'x' => 2,
        b'u' => 4,
        b'U' => 8,
        _ => {
            let rest = text.bytes.get(at + 1..).unwrap_or(&[]);
            let char_len = rest
                .utf8_chunks()
                .next()
                .map_or(1, |chunk| chunk.valid().chars().next().map_or(1, char::len_utf8));
            return Err(QuotedError::bad(Problem::UnknownEscape, at, 1 + char_len));
        }
    };
    let end = at + 2 + digits;
    let Some(code) = hex(text, at + 2, digits)? else {
        return Err(QuotedError::bad(Problem::EscapeDigits(digits as u8), at, 2));
    };
    if char::from_u32(code).is_some() {
        return Ok(end);
    }
    // JSON encodes characters beyond the basic multilingual plane as two `\u` escapes.
    if digits == 4 && (0xD800..0xDC00).contains(&code) {
        if end + 6 > text.bytes.len() && !text.is_last {
            return Err(QuotedError::NeedMoreInput);
        }
        if (text.byte(end), text.byte(end + 1)) == (b'\\', b'u')
            && let Some(0xDC00..0xE000) = hex(text, end + 2, 4)?
        {
            return Ok(end + 6);
        }
    }
    Err(QuotedError::bad(Problem::EscapeNotACharacter, at, 2 + digits))
}

/// Parses a number of `digits` hexadecimal digits at `at`. Returns `None` if one of the characters
/// is not a digit.
fn hex(text: Text<'_>, at: usize, digits: usize) -> Result<Option<u32>, QuotedError> {
    if at + digits > text.bytes.len() && !text.is_last {
        return Err(QuotedError::NeedMoreInput);
    }
    Ok(text.bytes.get(at..at + digits).and_then(parse_hex))
}

/// Parses `digits`, which are at most eight hexadecimal digits. Returns `None` if one of the
/// characters is not a digit.
pub(crate) fn parse_hex(digits: &[u8]) -> Option<u32> {
    digits.iter().try_fold(0u32, |code, &digit| Some(code << 4 | (digit as char).to_digit(16)?))
}

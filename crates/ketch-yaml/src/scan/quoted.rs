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
    let mut quoted = Quoted { end: 0, flags: Flags::NONE, last_line: None };
    let mut at = open + 1;
    loop {
        let block = text.load(lanes, at);
        let quotes = lanes.eq(block, quote);
        let breaks = lanes.eq_any(block, [b'\n', b'\r']);
        let (next, flags) = match quote {
            b'"' => past_escapes(lanes, block, quotes, breaks),
            _ => past_pairs(quotes, breaks),
        };
        quoted.flags = quoted.flags.with(flags);
        at += match next {
            Next::Block(bytes) | Next::End(bytes) | Next::Escape(bytes) => bytes,
        };
        match next {
            Next::Block(_) => continue,
            Next::Escape(_) => {
                at = skip_escape(text, at)?;
                continue;
            }
            Next::End(_) if text.byte(at) == quote => {
                if at + 1 >= text.bytes.len() && !text.is_last {
                    return Err(QuotedError::NeedMoreInput);
                }
                quoted.end = at + 1;
                return Ok(quoted);
            }
            Next::End(_) => {}
        }
        at = next_line(text, at, indent)?;
        quoted.flags = quoted.flags.with(Flags::MULTILINE);
        quoted.last_line = Some(line_start(text, at));
    }
}

/// What follows the part of a block that is scanned, with its offset in the block.
enum Next {
    /// More of the scalar.
    Block(usize),
    /// The closing quote or a line break.
    End(usize),
    /// A backslash. What follows it has to be checked byte by byte.
    Escape(usize),
}

/// The bits with even numbers.
const EVEN: u64 = 0x5555_5555_5555_5555;

/// Returns the first, third, fifth... bit of each run of set bits. The run at bit 0, too, starts
/// there.
#[inline(always)]
pub(crate) fn odd_in_runs(bits: u64) -> u64 {
    let starts = bits & !(bits << 1);
    // Adding its first bit clears a run. The carry is in the gap after it.
    let from_even = bits & !bits.wrapping_add(starts & EVEN);
    (from_even & EVEN) | (bits & !from_even & !EVEN)
}

/// Returns the bits below the lowest one of `ends`.
#[inline(always)]
pub(crate) fn below(ends: u64) -> u64 {
    !ends & ends.wrapping_sub(1)
}

/// Finds the end of a single-quoted scalar in a block that does not start within a pair of quotes.
#[inline(always)]
fn past_pairs(quotes: u64, breaks: u64) -> (Next, Flags) {
    if quotes | breaks == 0 {
        return (Next::Block(BLOCK_BYTES), Flags::NONE);
    }
    let firsts = odd_in_runs(quotes);
    // Whether the last quote is one of a pair, only the next block shows.
    let last = firsts & !(u64::MAX >> 1);
    let ends = (firsts & !(quotes >> 1) & !last) | breaks;
    let flags = if firsts & below(ends) & !last == 0 { Flags::NONE } else { Flags::ESCAPES };
    match (ends, last) {
        (0, 0) => (Next::Block(BLOCK_BYTES), flags),
        // A block that starts with the quote shows what follows it.
        (0, _) => (Next::Block(BLOCK_BYTES - 1), flags),
        _ => (Next::End(ends.trailing_zeros() as usize), flags),
    }
}

/// Finds the end of a double-quoted scalar in `block`, which does not start within an escape, or
/// the first escape before it that masks do not show to be valid.
// [62] c-ns-esc-char.
#[inline(always)]
fn past_escapes<L: Lanes>(lanes: L, block: L::Block, quotes: u64, breaks: u64) -> (Next, Flags) {
    let slashes = lanes.eq(block, b'\\');
    if slashes == 0 {
        return match quotes | breaks {
            0 => (Next::Block(BLOCK_BYTES), Flags::NONE),
            ends => (Next::End(ends.trailing_zeros() as usize), Flags::NONE),
        };
    }
    let escapes = odd_in_runs(slashes);
    let escaped = escapes << 1;
    let ends = quotes & !escaped | breaks;
    let escapes = escapes & below(ends);
    let mut checked = quotes | slashes | breaks | lanes.eq(block, b'n');
    if escaped & below(ends) & !checked != 0 {
        checked |= lanes.eq_any(block, [b't', b'r', b'/', b'b', b'f']);
        checked |= numbers(lanes, block, escaped);
        if escaped & below(ends) & !checked != 0 {
            let letters = [b'0', b'a', b'v', b'e', b' ', b'\t', b'N', b'_', b'L', b'P'];
            checked |= lanes.eq_any(block, letters);
        }
    }
    // What follows the last byte is in the next block, which starts with it.
    let last = escapes & !(u64::MAX >> 1);
    let unchecked = escapes & !(checked >> 1) & !last;
    let flags = if escapes & !last == 0 { Flags::NONE } else { Flags::ESCAPES };
    match (unchecked, ends, last) {
        (0, 0, 0) => (Next::Block(BLOCK_BYTES), flags),
        (0, 0, _) => (Next::Block(BLOCK_BYTES - 1), flags),
        (0, _, _) => (Next::End(ends.trailing_zeros() as usize), flags),
        _ => (Next::Escape(unchecked.trailing_zeros() as usize), flags),
    }
}

/// Returns the places in `block` of an `x` or `u` that is `escaped` and followed by the digits of a
/// character or of one of a pair of surrogates.
#[inline(always)]
fn numbers<L: Lanes>(lanes: L, block: L::Block, escaped: u64) -> u64 {
    // Not a closure, which would be compiled without the instruction set.
    let after_x = (lanes.eq(block, b'x') & escaped) << 1;
    let after_u = (lanes.eq(block, b'u') & escaped) << 1;
    let up_to_slash = lanes.le(block, b'/');
    let up_to_7 = lanes.le(block, b'7');
    let up_to_9 = lanes.le(block, b'9');
    let letters = lanes.le(block, b'f') & !lanes.le(block, b'`')
        | lanes.le(block, b'F') & !lanes.le(block, b'@');
    let digits = up_to_9 & !up_to_slash | letters;
    let two = digits & digits >> 1;
    let codes = after_u & two & two >> 2;
    let surrogates = codes & lanes.eq_any(block, [b'd', b'D']) & !(up_to_7 >> 1);
    let mut valid = after_x & two | codes & !surrogates;
    if surrogates != 0 {
        // JSON encodes characters beyond the basic multilingual plane as two `\u` escapes.
        let up_to_b = up_to_9 | lanes.eq_any(block, [b'a', b'b', b'A', b'B']);
        let high = surrogates & up_to_b >> 1;
        let low = surrogates & !high & high << 6;
        valid |= low | high & low >> 6;
    }
    valid >> 1
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

#[cfg(test)]
mod tests {
    use super::*;
    use ketch_bytes::{Level, Tail, dispatch};
    use proptest::prelude::*;

    /// Scans a quoted scalar byte by byte.
    fn naive(text: Text<'_>) -> Result<(usize, Flags), (Option<Problem>, usize)> {
        let quote = text.byte(0);
        let (mut at, mut flags) = (1, Flags::NONE);
        let error = |error| match error {
            QuotedError::NeedMoreInput => (None, 0),
            QuotedError::Bad { problem, at, .. } => (Some(problem), at),
        };
        loop {
            match (text.byte(at), text.byte(at + 1)) {
                (b'\'', b'\'') if quote == b'\'' => {
                    flags = flags.with(Flags::ESCAPES);
                    at += 2;
                }
                (byte, _) if byte == quote && at + 1 >= text.bytes.len() && !text.is_last => {
                    return Err((None, 0));
                }
                (byte, _) if byte == quote => return Ok((at + 1, flags)),
                (b'\\', next) if quote == b'"' => {
                    flags = flags.with(Flags::ESCAPES);
                    at = match is_line_break(next) {
                        true => at + 1,
                        false => skip_escape(text, at).map_err(error)?,
                    };
                }
                (b'\n' | b'\r', _) => {
                    at = next_line(text, at, 0).map_err(error)?;
                    flags = flags.with(Flags::MULTILINE);
                }
                _ => at += 1,
            }
        }
    }

    fn agrees(text: &str, is_last: bool) {
        let bytes = text.as_bytes();
        let tail = Tail::of(bytes);
        let text = Text { bytes, tail: &tail, lines_end: bytes.len(), is_last };
        let expected = naive(text);
        for level in Level::available() {
            let found = match dispatch(level, Unindented { text, open: 0 }) {
                Ok(quoted) => Ok((quoted.end, quoted.flags)),
                Err(QuotedError::NeedMoreInput) => Err((None, 0)),
                Err(QuotedError::Bad { problem, at, .. }) => Err((Some(problem), at)),
            };
            assert_eq!(found, expected, "{level}: {bytes:?}");
        }
    }

    #[test]
    fn runs_of_quotes_and_escapes_are_split_at_every_offset() {
        let units =
            ["''", "'", "\\\\", "\\\"", "\"", "\\n", "\\x41", "\\u00e9", "\\\n", "\\", "\\q"];
        let more = [
            "\\ud83d\\uDE00",
            "\\ud83d",
            "\\ude00",
            "\\uD7FF",
            "\\ue000",
            "\\ud8zz",
            "\\ud83d\\ue000",
        ];
        for before in 0..if cfg!(miri) { 3 } else { 70 } {
            for unit in units.iter().chain(&more) {
                for count in [1, 2, 7, 40] {
                    for quote in ["'", "\""] {
                        let text = "x".repeat(before) + &unit.repeat(count);
                        agrees(&format!("{quote}{text}{quote}"), true);
                        agrees(&format!("{quote}{text}"), false);
                    }
                }
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 4 } else { 2048 }))]
        #[test]
        fn all_levels_scan_as_byte_by_byte(
            text in r#"["'](\\["\\ntux0UL ]|''|[0-9a-fA-F]{1,4}|\\u[dD][89abcDEF]0[0-9]|[\\"' \n\r\tx]|y{9}){0,40}["']?"#,
            is_last: bool,
        ) {
            agrees(&text, is_last);
        }
    }
}

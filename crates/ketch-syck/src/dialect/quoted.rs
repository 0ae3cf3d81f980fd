//! Quoted scalars. Unlike in YAML, blanks before a line break are kept, and the closing quote may
//! be missing at the end of the input.

use super::text::{Sink, Text};

/// What was found in a quoted scalar, and where it ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quoted {
    /// The offset after the closing quote, or the end of the input.
    pub end: usize,
    pub is_closed: bool,
    /// The start of the last line, if there is a line break in the scalar.
    pub line: Option<usize>,
    /// Whether the content differs from the bytes between the quotes.
    pub is_changed: bool,
    /// The offset of the first backslash that does not start an escape.
    pub unknown_escape: Option<usize>,
}

/// Folds the line breaks at `pos`, and returns the offset where the text continues.
fn fold(text: Text<'_>, pos: usize, quoted: &mut Quoted, out: &mut impl Sink) -> usize {
    let lines = text.lines(pos);
    quoted.line = Some(lines.line);
    quoted.is_changed = true;
    match lines.indent {
        // At the end of the input, all line breaks together become one space.
        -1 => out.put(b' '),
        _ => lines.fold(out),
    }
    lines.end
}

impl Quoted {
    /// Creates the state at the start of a scalar.
    fn open() -> Quoted {
        Quoted { end: 0, is_closed: false, line: None, is_changed: false, unknown_escape: None }
    }

    /// Returns the state at the end of a scalar, which is at `pos`.
    fn ended(mut self, pos: usize, is_closed: bool) -> Quoted {
        self.end = pos;
        self.is_closed = is_closed;
        self.is_changed |= !is_closed;
        self
    }
}

/// Scans single-quoted text from the offset `pos` on, which is after the opening quote.
pub(super) fn single(text: Text<'_>, mut pos: usize, out: &mut impl Sink) -> Quoted {
    let mut quoted = Quoted::open();
    loop {
        let rest = text.0.get(pos..).unwrap_or_default();
        let Some(at) = memchr::memchr3(b'\'', b'\n', b'\r', rest) else {
            out.append(rest);
            return quoted.ended(pos + rest.len(), false);
        };
        out.append(&rest[..at]);
        pos += at;
        if text.at(pos) == b'\'' {
            if text.at(pos + 1) != b'\'' {
                return quoted.ended(pos + 1, true);
            }
            quoted.is_changed = true;
            out.put(b'\'');
            pos += 2;
        } else if text.line_break(pos) > 0 {
            pos = fold(text, pos, &mut quoted, out);
        } else {
            out.put(b'\r');
            pos += 1;
        }
    }
}

/// Scans double-quoted text from the offset `pos` on, which is after the opening quote.
pub(super) fn double(text: Text<'_>, mut pos: usize, out: &mut impl Sink) -> Quoted {
    let mut quoted = Quoted::open();
    loop {
        let rest = text.0.get(pos..).unwrap_or_default();
        let is_special = |byte: &u8| matches!(byte, b'"' | b'\\' | b'\n' | b'\r');
        let Some(at) = rest.iter().position(is_special) else {
            out.append(rest);
            return quoted.ended(pos + rest.len(), false);
        };
        out.append(&rest[..at]);
        pos += at;
        match text.at(pos) {
            b'"' => return quoted.ended(pos + 1, true),
            b'\\' => {
                quoted.is_changed = true;
                pos = escape(text, pos, &mut quoted, out);
            }
            _ if text.line_break(pos) > 0 => pos = fold(text, pos, &mut quoted, out),
            _ => {
                out.put(b'\r');
                pos += 1;
            }
        }
    }
}

/// Writes what the backslash at `pos` stands for, and returns the offset where the text continues.
fn escape(text: Text<'_>, pos: usize, quoted: &mut Quoted, out: &mut impl Sink) -> usize {
    if let Some((byte, end)) = escaped_byte(text, pos) {
        out.put(byte);
        return end;
    }
    // If only spaces and a line break follow the backslash, these and the blank lines and spaces
    // after them are dropped.
    let after = text.spaces(pos + 1);
    let len = text.line_break(after);
    if len > 0 {
        let lines = text.lines(after + len - 1);
        quoted.line = Some(lines.line);
        return lines.end;
    }
    quoted.unknown_escape.get_or_insert(pos);
    out.put(b'\\');
    pos + 1
}

/// Returns the byte that the escape sequence at `pos` stands for, and the end of the sequence. The
/// same escapes are allowed in tags.
pub(super) fn escaped_byte(text: Text<'_>, pos: usize) -> Option<(u8, usize)> {
    let byte = match text.at(pos + 1) {
        b'0' => 0,
        b'a' => 7,
        b'b' => 8,
        b'e' => 0x1B,
        b'f' => 0xC,
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        b'v' => 0xB,
        code @ (b'"' | b'\\') => code,
        b'x' => {
            let digits = text.0.get(pos + 2..pos + 4)?;
            let digits = digits.iter().all(u8::is_ascii_hexdigit).then_some(digits)?;
            let code = u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
            return Some((code, pos + 4));
        }
        _ => return None,
    };
    Some((byte, pos + 2))
}

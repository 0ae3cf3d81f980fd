//! Writing quoted scalars (YAML 1.2.2, sections 7.3.1 and 7.3.2).

use super::analysis::special_len;
use super::layout::Lines;
use crate::buffer::Buffer;

/// Writes `text` as a single-quoted scalar (\[120\] c-single-quoted). Because parsers fold line
/// breaks, one is added to each run of them.
pub(super) fn single_quoted(out: &mut Buffer, text: &[u8], lines: Lines) {
    out.put_byte(b'\'');
    for (i, part) in lines.broken(text).enumerate() {
        if i > 0 {
            lines.start_next(out);
        }
        single_part(out, part, lines);
    }
    out.put_byte(b'\'');
}

/// Writes a part of a single-quoted scalar. Quotes in it are doubled.
fn single_part(out: &mut Buffer, text: &[u8], lines: Lines) {
    let mut rest = text;
    while let Some(at) = memchr::memchr2(b'\'', b'\n', rest) {
        out.put(&rest[..at]);
        rest = &rest[at..];
        if rest[0] == b'\'' {
            out.put(b"''");
            rest = &rest[1..];
        } else {
            let breaks = rest.iter().take_while(|&&byte| byte == b'\n').count();
            out.fill(b'\n', breaks + 1);
            lines.indent(out);
            rest = &rest[breaks..];
        }
    }
    out.put(rest);
}

/// Writes `text` as a double-quoted scalar (\[109\] c-double-quoted). Line breaks become escapes.
/// If `ascii` is set, so do characters outside ASCII.
pub(super) fn double_quoted(out: &mut Buffer, text: &[u8], lines: Lines, ascii: bool) {
    out.put_byte(b'"');
    for (i, part) in lines.broken(text).enumerate() {
        if i > 0 {
            lines.start_next(out);
        }
        double_part(out, part, ascii);
    }
    out.put_byte(b'"');
}

/// Writes a part of a double-quoted scalar, in which some characters become escapes.
fn double_part(out: &mut Buffer, text: &[u8], ascii: bool) {
    let mut rest = text;
    while let Some(at) = find_escaped(rest, ascii) {
        out.put(&rest[..at]);
        rest = &rest[at..];
        let used = escape(out, rest);
        rest = &rest[used..];
    }
    out.put(rest);
}

/// Returns the offset of the first character of `text` that has to be escaped, if there is one.
fn find_escaped(text: &[u8], ascii: bool) -> Option<usize> {
    let mut at = 0;
    loop {
        at += text[at..].iter().position(|&byte| ESCAPED[byte as usize] != 0)?;
        if text[at] < 0x80 || ascii || special_len(&text[at..]) > 0 {
            return Some(at);
        }
        at += 1;
    }
}

/// Writes the escape of the first character of `text` (productions 42 to 62), and returns the
/// length of the character in bytes. Does not use `\L` and `\P`, which SnakeYAML Engine does not
/// support.
fn escape(out: &mut Buffer, text: &[u8]) -> usize {
    let (code, len) = first_char(text);
    let letter = match code {
        0x00 => b'0',
        0x07 => b'a',
        0x08 => b'b',
        0x09 => b't',
        0x0A => b'n',
        0x0B => b'v',
        0x0C => b'f',
        0x0D => b'r',
        0x1B => b'e',
        0x22 => b'"',
        0x5C => b'\\',
        0x85 => b'N',
        0xA0 => b'_',
        _ => {
            hexadecimal(out, code);
            return len;
        }
    };
    out.put(&[b'\\', letter]);
    len
}

/// Writes the character `code` as an escape with two, four or eight hexadecimal digits.
fn hexadecimal(out: &mut Buffer, code: u32) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    let (letter, digits) = match code {
        0..=0xFF => (b'x', 2),
        0x100..=0xFFFF => (b'u', 4),
        _ => (b'U', 8),
    };
    out.put(&[b'\\', letter]);
    for digit in (0..digits).rev() {
        out.put_byte(DIGITS[(code >> (4 * digit) & 15) as usize]);
    }
}

/// Returns the first character of `text`, and its length in bytes.
fn first_char(text: &[u8]) -> (u32, usize) {
    let len = match text[0] {
        0..=0x7F => 1,
        0x80..=0xDF => 2,
        0xE0..=0xEF => 3,
        _ => 4,
    };
    let len = len.min(text.len());
    let ch = std::str::from_utf8(&text[..len]).ok().and_then(|text| text.chars().next());
    (ch.unwrap_or(char::REPLACEMENT_CHARACTER).into(), len)
}

/// For each byte, a nonzero value if it is escaped, or may start a character that is. Characters
/// outside ASCII are checked again.
static ESCAPED: [u8; 256] = escaped();

/// Computes the table [`ESCAPED`].
const fn escaped() -> [u8; 256] {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = (byte < 0x20 || byte == 0x7F || byte >= 0xC2) as u8;
        byte += 1;
    }
    table[b'"' as usize] = 1;
    table[b'\\' as usize] = 1;
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(write: impl Fn(&mut Buffer)) -> String {
        let mut out = Buffer::default();
        write(&mut out);
        String::from_utf8(out.written().to_vec()).expect("UTF-8")
    }

    #[test]
    fn special_characters_are_escaped() {
        let text = "\0\x01\x07\u{8}\t\n\x0B\x0C\r\x1B\"\\/\x7F\u{85}\u{a0}\u{e9}\u{2028}\u{2029}\u{feff}\u{ffff}\u{1F600}";
        let double =
            |ascii| written(|out| double_quoted(out, text.as_bytes(), Lines::new(0, None), ascii));
        let start = r#""\0\x01\a\b\t\n\v\f\r\e\"\\/\x7F\N"#;
        assert_eq!(
            double(false),
            format!("{start}\u{a0}\u{e9}\\u2028\\u2029\\uFEFF\\uFFFF\u{1F600}\"")
        );
        assert_eq!(double(true), format!(r#"{start}\_\xE9\u2028\u2029\uFEFF\uFFFF\U0001F600""#));
    }

    #[test]
    fn single_quotes_fold() {
        let single =
            |text: &str| written(|out| single_quoted(out, text.as_bytes(), Lines::new(2, None)));
        assert_eq!(single("it's"), "'it''s'");
        assert_eq!(single("a\nb\n\nc"), "'a\n\n  b\n\n\n  c'");
        assert_eq!(single("\n"), "'\n\n  '");
    }
}

//! Decodes flow scalars: line folding (section 6.5), `''`, and the escapes of double quotes
//! (section 5.7).

use crate::scan::class::is_blank;
use crate::scan::quoted::parse_hex;

/// Appends the content of the plain scalar `bytes` to `out`, with its lines folded (\[74\]
/// s-flow-folded).
pub(super) fn fold(bytes: &[u8], out: &mut Vec<u8>) {
    let mut start = 0;
    for at in memchr::memchr2_iter(b'\n', b'\r', bytes) {
        // If this is false, an earlier fold has already consumed the break.
        if at >= start {
            out.extend_from_slice(trim_end(&bytes[start..at]));
            start = bytes.len() - fold_breaks(&bytes[at..], out).len();
        }
    }
    out.extend_from_slice(&bytes[start..]);
}

/// Appends the content of a single-quoted scalar to `out`. `bytes` is the text between the quotes
/// (\[125\] ns-single-multi-line).
// [124] s-single-next-line.
pub(super) fn single_quoted(bytes: &[u8], out: &mut Vec<u8>) {
    let mut rest = bytes;
    while let Some(at) = memchr::memchr3(b'\'', b'\n', b'\r', rest) {
        if rest[at] == b'\'' {
            out.extend_from_slice(&rest[..=at]);
            rest = rest.get(at + 2..).unwrap_or(&[]);
        } else {
            let floor = out.len();
            out.extend_from_slice(&rest[..at]);
            // Trimming stops at an escaped quote, because it is not a blank.
            trim_blanks(out, floor);
            rest = fold_breaks(&rest[at..], out);
        }
    }
    out.extend_from_slice(rest);
}

/// Appends the content of a double-quoted scalar to `out`. `bytes` is the text between the quotes
/// (\[116\] nb-double-multi-line).
// [113] s-double-break, [114] nb-ns-double-in-line.
pub(super) fn double_quoted(bytes: &[u8], out: &mut Vec<u8>) {
    let mut rest = bytes;
    // Blanks produced by escapes are not trimmed.
    let mut floor = out.len();
    while let Some(at) = memchr::memchr3(b'\\', b'\n', b'\r', rest) {
        out.extend_from_slice(&rest[..at]);
        if rest[at] != b'\\' {
            trim_blanks(out, floor);
            rest = fold_breaks(&rest[at..], out);
        } else if matches!(rest.get(at + 1), Some(b'\n' | b'\r')) {
            rest = escaped_break(&rest[at + 1..], out);
        } else {
            rest = escape(&rest[at + 1..], out);
        }
        floor = out.len();
    }
    out.extend_from_slice(rest);
}

/// Skips the escaped line break at the start of `bytes` and returns what follows it. The break
/// itself adds nothing to `out`, but empty lines after it are kept.
// [112] s-double-escaped.
fn escaped_break<'b>(bytes: &'b [u8], out: &mut Vec<u8>) -> &'b [u8] {
    let (breaks, rest) = count_breaks(bytes);
    out.extend(std::iter::repeat_n(b'\n', breaks - 1));
    rest
}

/// Folds the line breaks at the start of `bytes` into `out`, and returns what follows them. A
/// single line break becomes a space, and n line breaks become n - 1 line feeds.
// [71] b-l-trimmed, [72] b-as-space, [73] b-l-folded.
fn fold_breaks<'b>(bytes: &'b [u8], out: &mut Vec<u8>) -> &'b [u8] {
    let (breaks, rest) = count_breaks(bytes);
    match breaks {
        1 => out.push(b' '),
        more => out.extend(std::iter::repeat_n(b'\n', more - 1)),
    }
    rest
}

/// Counts the line breaks at the start of `bytes`, and skips them and the blanks among them.
/// Returns the count and the rest.
// [70] l-empty.
fn count_breaks(bytes: &[u8]) -> (usize, &[u8]) {
    let mut breaks = 0;
    let mut at = 0;
    let mut end = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            // Most blanks are indentation, so eight spaces are skipped at once.
            b' ' if bytes[at..].first_chunk() == Some(b"        ") => {
                at += 8;
                end = at;
            }
            b'\r' if bytes.get(at + 1) == Some(&b'\n') => at += 1,
            b'\n' | b'\r' => {
                breaks += 1;
                at += 1;
                end = at;
            }
            b' ' | b'\t' => {
                at += 1;
                end = at;
            }
            _ => break,
        }
    }
    (breaks, &bytes[end..])
}

/// Returns `bytes` without the blanks at the end.
fn trim_end(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().rposition(|&byte| !is_blank(byte)).map_or(0, |last| last + 1);
    &bytes[..end]
}

/// Removes the blanks at the end of `out`, but nothing before index `floor`.
// [108] ns-double-char.
fn trim_blanks(out: &mut Vec<u8>, floor: usize) {
    while out.len() > floor && out.last().is_some_and(|&byte| is_blank(byte)) {
        out.pop();
    }
}

/// Decodes the escape sequence whose backslash is just before `bytes` (productions 42 to 62), and
/// returns what follows the sequence. The scanner has validated it.
fn escape<'b>(bytes: &'b [u8], out: &mut Vec<u8>) -> &'b [u8] {
    let Some((&code, rest)) = bytes.split_first() else { return bytes };
    let digits = match code {
        b'x' => 2,
        b'u' => 4,
        b'U' => 8,
        _ => {
            push_char(simple_escape(code), out);
            return rest;
        }
    };
    let (digits, rest) = rest.split_at(digits.min(rest.len()));
    let code = parse_hex(digits).unwrap_or(0);
    if !(0xD800..0xDC00).contains(&code) {
        push_char(code, out);
        return rest;
    }
    // A high surrogate is combined with the low one after it.
    let low = rest.get(2..6).and_then(parse_hex).unwrap_or(0xDC00);
    push_char(0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00), out);
    rest.get(6..).unwrap_or(&[])
}

/// Returns the code point that `code` stands for after a backslash.
fn simple_escape(code: u8) -> u32 {
    match code {
        b'0' => 0,
        b'a' => 7,
        b'b' => 8,
        b't' => 9,
        b'n' => 0xA,
        b'v' => 0xB,
        b'f' => 0xC,
        b'r' => 0xD,
        b'e' => 0x1B,
        b'N' => 0x85,
        b'_' => 0xA0,
        b'L' => 0x2028,
        b'P' => 0x2029,
        // Space, tab, slash, backslash and quote stand for themselves.
        other => u32::from(other),
    }
}

/// Appends the character with the code point `code` to `out`, as UTF-8.
fn push_char(code: u32, out: &mut Vec<u8>) {
    let ch = char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
    let mut utf8 = [0; 4];
    out.extend_from_slice(ch.encode_utf8(&mut utf8).as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(decode: fn(&[u8], &mut Vec<u8>), text: &str) -> String {
        let mut out = Vec::new();
        decode(text.as_bytes(), &mut out);
        String::from_utf8(out).expect("UTF-8")
    }

    #[test]
    fn lines_fold() {
        assert_eq!(decoded(fold, "a \t\n  b\n\n \n c\r\nd\re"), "a b\n\nc d e");
        assert_eq!(decoded(single_quoted, " it''s \n\n folded '' "), " it's\nfolded ' ");
        assert_eq!(decoded(single_quoted, "''\n x"), "' x");
    }

    #[test]
    fn escapes_are_decoded() {
        assert_eq!(
            decoded(double_quoted, r#"\0\a\b\t\n\v\f\r\e\ \"\/\\\N\_\L\P"#),
            "\0\x07\x08\t\n\x0B\x0C\r\x1B \"/\\\u{85}\u{a0}\u{2028}\u{2029}"
        );
        assert_eq!(
            decoded(double_quoted, r"\x41\u00e9\U0001F600\uD83D\uDE00"),
            "A\u{e9}\u{1F600}\u{1F600}"
        );
    }

    #[test]
    fn line_breaks_in_double_quotes_are_folded_or_escaped() {
        assert_eq!(decoded(double_quoted, "a \\\n  b"), "a b");
        assert_eq!(decoded(double_quoted, "a\\t \n b"), "a\t b");
        assert_eq!(decoded(double_quoted, "a\\\n\n  \\ b \r\n c"), "a\n b c");
        assert_eq!(decoded(double_quoted, " \n a \n "), " a ");
    }
}

//! Writing block scalars (YAML 1.2.2, section 8.1).

use super::analysis::is_blank;
use super::broken::Broken;
use super::layout::Lines;
use crate::buffer::Buffer;

/// Writes the header of a block scalar with the value `text`, without a line break. `step` is the
/// number of columns by which its lines will be deeper than the parent.
pub(super) fn block_header(out: &mut Buffer, text: &[u8], is_folded: bool, step: usize) {
    out.put_byte(if is_folded { b'>' } else { b'|' });
    if needs_indicator(text) {
        out.put_byte(b'0' + step as u8);
    }
    let chomping = chomping(text);
    if chomping != b' ' {
        out.put_byte(chomping);
    }
}

/// Writes the lines of a block scalar with the value `text`, which must not be empty. Returns
/// whether its trailing line breaks are kept, in which case empty lines after it would become part
/// of it.
pub(super) fn block_scalar(out: &mut Buffer, text: &[u8], is_folded: bool, lines: Lines) -> bool {
    if is_folded {
        folded(out, text, lines);
    } else {
        literal(out, text, lines);
    }
    chomping(text) == b'+'
}

/// Returns the chomping indicator (\[164\] c-chomping-indicator) for `text`, or a space if none is
/// needed.
fn chomping(text: &[u8]) -> u8 {
    match text {
        [b'\n'] => b'+',
        [.., b'\n', b'\n'] => b'+',
        [.., b'\n'] => b' ',
        _ => b'-',
    }
}

/// Returns whether the header of `text` needs an indentation indicator. It does if the first
/// non-empty line starts with a space, or with a tab, because libyaml does not detect indentation
/// before a tab.
fn needs_indicator(text: &[u8]) -> bool {
    text.iter().find(|&&byte| byte != b'\n').is_some_and(|&byte| is_blank(byte))
}

/// Returns the lines of `text`, without their line breaks. A line break at the end does not start
/// another line.
fn lines_of(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        let line = &rest[..end];
        rest = rest.get(end + 1..).unwrap_or(&[]);
        Some(line)
    })
}

/// Writes the lines of a literal scalar (\[173\] l-literal-content(n,t)).
fn literal(out: &mut Buffer, text: &[u8], lines: Lines) {
    for line in lines_of(text) {
        if !line.is_empty() {
            lines.indent(out);
            out.put(line);
        }
        out.put_byte(b'\n');
    }
}

/// Writes the lines of a folded scalar (\[182\] l-folded-content(n,t)). Between two lines that do
/// not start with a blank, one more line break is written than the text contains. All other line
/// breaks are written as they are.
fn folded(out: &mut Buffer, text: &[u8], lines: Lines) {
    let mut empty = 0;
    let mut previous_starts_blank = true;
    for line in lines_of(text) {
        let Some(&first) = line.first() else {
            empty += 1;
            continue;
        };
        let starts_blank = is_blank(first);
        out.fill(b'\n', empty + usize::from(!previous_starts_blank && !starts_blank));
        empty = 0;
        previous_starts_blank = starts_blank;
        folded_line(out, line, lines);
    }
    out.fill(b'\n', empty);
}

/// Writes one line, which is broken if it is too long. A line that starts with a blank is never
/// broken, because parsers do not fold it.
fn folded_line(out: &mut Buffer, line: &[u8], lines: Lines) {
    let width = if is_blank(line[0]) { usize::MAX } else { lines.text_width() };
    for part in Broken::new(line, width, width) {
        lines.indent(out);
        out.put(part);
        out.put_byte(b'\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns `text` as a literal or folded scalar that is indented by two columns.
    fn written(text: &str, is_folded: bool) -> String {
        let mut out = Buffer::default();
        block_header(&mut out, text.as_bytes(), is_folded, 2);
        out.put_byte(b'\n');
        block_scalar(&mut out, text.as_bytes(), is_folded, Lines::new(2, None));
        String::from_utf8(out.written().to_vec()).expect("UTF-8")
    }

    #[test]
    fn literal_scalars_are_written() {
        let cases = [
            ("a", "|-\n  a\n"),
            ("a\n", "|\n  a\n"),
            ("a\n\n", "|+\n  a\n\n"),
            ("\n", "|+\n\n"),
            ("\n\n", "|+\n\n\n"),
            (" a\n", "|2\n   a\n"),
            ("\n\ta", "|2-\n\n  \ta\n"),
            ("a\n \nb\n", "|\n  a\n   \n  b\n"),
        ];
        for (text, expected) in cases {
            assert_eq!(written(text, false), expected, "{text:?}");
        }
    }

    #[test]
    fn folded_scalars_are_written() {
        let cases = [
            ("a\nb\n", ">\n  a\n\n  b\n"),
            ("a\n\nb", ">-\n  a\n\n\n  b\n"),
            ("a\n b\nc\n", ">\n  a\n   b\n  c\n"),
            ("\na\n\n", ">+\n\n  a\n\n"),
            ("\n\n", ">+\n\n\n"),
        ];
        for (text, expected) in cases {
            assert_eq!(written(text, true), expected, "{text:?}");
        }
    }
}

//! Block scalars (section 8.1): indentation, folding and chomping.

use super::split_line;
use crate::scan::block::{Chomping, header};
use crate::scan::class::is_blank;

/// \[170\] c-l+literal.
pub(super) fn literal(span: &[u8], indent: usize, out: &mut Vec<u8>) {
    let chomping = header(span, 0).chomping;
    let mut lines = Lines::new(span, indent);
    let mut breaks = 0;
    let mut has_text = false;
    while let Some(line) = lines.next() {
        if !line.is_empty() {
            push_breaks(breaks, out);
            breaks = 0;
            out.extend_from_slice(line);
            has_text = true;
        }
        breaks += 1;
    }
    chomp(chomping, has_text, breaks, out);
}

/// \[174\] c-l+folded.
pub(super) fn folded(span: &[u8], indent: usize, out: &mut Vec<u8>) {
    let chomping = header(span, 0).chomping;
    let mut lines = Lines::new(span, indent);
    let mut breaks = 0;
    // Whether the last line of text started with a blank: then its breaks are kept.
    let mut is_spaced = None;
    while let Some(line) = lines.next() {
        if let Some(&first) = line.first() {
            let spaced = is_blank(first);
            match is_spaced {
                None => push_breaks(breaks, out),
                Some(before) if before || spaced => push_breaks(breaks, out),
                Some(_) if breaks == 1 => out.push(b' '),
                Some(_) => push_breaks(breaks - 1, out),
            }
            breaks = 0;
            out.extend_from_slice(line);
            is_spaced = Some(spaced);
        }
        breaks += 1;
    }
    chomp(chomping, is_spaced.is_some(), breaks, out);
}

fn push_breaks(count: usize, out: &mut Vec<u8>) {
    out.extend(std::iter::repeat_n(b'\n', count));
}

/// Writes the `breaks` that stand behind the last text (section 8.1.1.2).
fn chomp(chomping: Chomping, has_text: bool, breaks: usize, out: &mut Vec<u8>) {
    match chomping {
        Chomping::Strip => {}
        Chomping::Clip => push_breaks(usize::from(has_text), out),
        Chomping::Keep => push_breaks(breaks, out),
    }
}

/// The content lines, without indentation and break. A last line without a break counts as one
/// with it, as for a line of spaces at the end of the input.
struct Lines<'s> {
    rest: &'s [u8],
    indent: usize,
}

impl<'s> Lines<'s> {
    fn new(span: &'s [u8], indent: usize) -> Self {
        let (_header, rest) = split_line(span);
        Lines { rest, indent }
    }

    fn next(&mut self) -> Option<&'s [u8]> {
        if self.rest.is_empty() {
            return None;
        }
        let (line, rest) = split_line(self.rest);
        self.rest = rest;
        // Only an empty line has fewer spaces than the indentation.
        Some(line.get(self.indent..).unwrap_or(&[]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(decode: fn(&[u8], usize, &mut Vec<u8>), text: &str, indent: usize) -> String {
        let mut out = Vec::new();
        decode(text.as_bytes(), indent, &mut out);
        String::from_utf8(out).expect("UTF-8")
    }

    #[test]
    fn literals() {
        assert_eq!(decoded(literal, "|\n  a\r\n   b\n\n  c\n", 2), "a\n b\n\nc\n");
        assert_eq!(decoded(literal, "|-\n\n a\n\n", 1), "\na");
        assert_eq!(decoded(literal, "|+ # keep\n a\n\n", 1), "a\n\n");
        assert_eq!(decoded(literal, "|+\n   ", 3), "\n");
    }

    #[test]
    fn folds() {
        assert_eq!(decoded(folded, ">\n a\n b\n\n c\n", 1), "a b\nc\n");
        assert_eq!(decoded(folded, ">\n\n a\n  * b\n\n  * c\n d\n", 1), "\na\n * b\n\n * c\nd\n");
        assert_eq!(decoded(folded, ">-\n a\n\n\n b\n\n", 1), "a\n\nb");
    }
}

//! Decodes block scalars (section 8.1): indentation, folding and chomping.

use super::lines::Body;
use super::split::split_line;
use crate::scan::block::{Chomping, header};
use crate::scan::class::is_blank;
use ketch_bytes::{Level, dispatch};
use std::ops::Range;

/// Appends the content of the block scalar at `span` of `text`, whose lines are indented by
/// `indent` columns (\[170\] c-l+literal or \[174\] c-l+folded). If `is_unbroken`, the content does not
/// end with the line break that its last line does not have.
// [173] l-literal-content, [182] l-folded-content.
pub(super) fn decode(
    text: &[u8],
    span: Range<usize>,
    indent: usize,
    is_unbroken: bool,
    out: &mut Vec<u8>,
) {
    let header = header(text, span.start);
    let is_folded = text[span.start] == b'>';
    let lines = &text[header.end..span.end];
    let (_comment, lines) = match lines.strip_prefix(b"\n") {
        Some(lines) => (&[][..], lines),
        None => split_line(lines),
    };
    let floor = out.len();
    let start = span.end - lines.len();
    let body = Body { text, start, end: span.end, indent, is_folded, out };
    if !body.fits() || !dispatch(Level::detect(), body) {
        match is_folded {
            false => literal(lines, indent, out),
            true => folded(lines, indent, out),
        }
    }
    chomp(header.chomping, floor, out);
    if is_unbroken {
        out.pop();
    }
}

/// Appends the lines of a literal scalar to `out`, without their indentation of `indent` columns.
// [171] l-nb-literal-text, [172] b-nb-literal-next.
fn literal(lines: &[u8], indent: usize, out: &mut Vec<u8>) {
    for line in (Lines { rest: lines, indent }) {
        out.extend_from_slice(line);
        out.push(b'\n');
    }
}

/// Appends the lines of a folded scalar to `out`, without their indentation of `indent` columns. A
/// single line break between two lines becomes a space, unless one of them starts with a blank.
// [73] b-l-folded, [175] s-nb-folded-text, [176] l-nb-folded-lines, [177] s-nb-spaced-text,
// [178] b-l-spaced, [179] l-nb-spaced-lines, [180] l-nb-same-lines, [181] l-nb-diff-lines.
fn folded(lines: &[u8], indent: usize, out: &mut Vec<u8>) {
    let mut breaks = 0;
    // Whether the last line with text started with a blank, so that the line breaks after it are
    // kept.
    let mut was_spaced = true;
    for line in (Lines { rest: lines, indent }) {
        if let Some(&first) = line.first() {
            let is_spaced = is_blank(first);
            match was_spaced || is_spaced {
                true => push_breaks(breaks, out),
                false if breaks == 1 => out.push(b' '),
                false => push_breaks(breaks - 1, out),
            }
            breaks = 0;
            out.extend_from_slice(line);
            was_spaced = is_spaced;
        }
        breaks += 1;
    }
    push_breaks(breaks, out);
}

/// Appends `count` line feeds.
fn push_breaks(count: usize, out: &mut Vec<u8>) {
    out.extend(std::iter::repeat_n(b'\n', count));
}

/// Removes the final line breaks that `chomping` drops (section 8.1.1.2). The scalar's content
/// starts at `floor` in `out`, and each of its lines still has its break.
// [165] b-chomped-last, [166] l-chomped-empty, [167] l-strip-empty, [168] l-keep-empty.
fn chomp(chomping: Chomping, floor: usize, out: &mut Vec<u8>) {
    let text = out[floor..].iter().rposition(|&byte| byte != b'\n').map(|last| floor + last + 1);
    match (chomping, text) {
        (Chomping::Keep, _) => {}
        (Chomping::Strip | Chomping::Clip, None) => out.truncate(floor),
        (Chomping::Strip, Some(end)) => out.truncate(end),
        (Chomping::Clip, Some(end)) => out.truncate(end + 1),
    }
}

/// Iterates over the content lines, without indentation and break. A last line without a break
/// counts as one with a break, even if it has only spaces.
struct Lines<'s> {
    rest: &'s [u8],
    indent: usize,
}

impl<'s> Iterator for Lines<'s> {
    type Item = &'s [u8];

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
    use crate::{ComposeOptions, Documents, Options, Parser, ReadParser};

    /// Decodes `text` both at the end of the input and followed by other text.
    fn decoded(text: &str, indent: usize) -> String {
        let at_end = [b"- ", text.as_bytes()].concat();
        let amid = [&at_end[..], &[b'-'; 200]].concat();
        let [at_end, amid] = [at_end, amid].map(|whole| {
            let mut out = b"before".to_vec();
            decode(&whole, 2..2 + text.len(), indent, false, &mut out);
            String::from_utf8(out).unwrap().strip_prefix("before").unwrap().to_owned()
        });
        assert_eq!(at_end, amid, "{text:?}");
        amid
    }

    #[test]
    fn literal_scalars_keep_their_lines() {
        assert_eq!(decoded("|\n  a\r\n   b\n\n  c\n", 2), "a\n b\n\nc\n");
        assert_eq!(decoded("|-\n\n a\n\n", 1), "\na");
        assert_eq!(decoded("|+ # keep\n a\n\n", 1), "a\n\n");
        assert_eq!(decoded("|+\n   ", 3), "\n");
        assert_eq!(decoded("|\n  a\n \n    \n", 2), "a\n\n  \n");
        assert_eq!(decoded("|\n\n  \n", 2), "");
        assert_eq!(decoded("|\n  last", 2), "last\n");
    }

    /// Returns the content of the only scalar of `text`, which is the same in events of a slice and
    /// of a reader, and in documents.
    fn read(text: &str, options: &Options) -> String {
        let mut parser = Parser::with_options(text.as_bytes(), options);
        let chunk = parser.next_chunk().unwrap().unwrap();
        let event = chunk.events().find(|event| event.kind.is_scalar()).unwrap();
        let content = crate::scalar::content(chunk.text(), &event).into_owned();
        let mut parser = ReadParser::with_options(text.as_bytes(), options);
        while let Some(chunk) = parser.next_chunk().unwrap() {
            if let Some(event) = chunk.events().find(|event| event.kind.is_scalar()) {
                assert_eq!(crate::scalar::content(chunk.text(), &event), content);
            }
        }
        let compose = ComposeOptions::default();
        let mut documents = Documents::with_options(text.as_bytes(), options, &compose);
        let document = documents.next().unwrap().unwrap();
        assert_eq!(document.root().content(), content);
        String::from_utf8(content).unwrap()
    }

    #[test]
    fn the_input_decides_on_the_final_break_on_request() {
        let (core, other) =
            (Options::default(), Options { final_break: false, ..Options::default() });
        // The text, its content as yaml-test-suite has it, and as libyaml has it.
        for (text, expected, unbroken) in [
            ("|\n x", "x\n", "x"),
            ("|\n x\r y", "x\ny\n", "x\ny"),
            ("|+\n x", "x\n", "x"),
            ("|-\n x", "x", "x"),
            (">\n x\n y", "x y\n", "x y"),
            ("|\n x\n", "x\n", "x\n"),
            ("|\n x\n ", "x\n", "x\n"),
            ("|\n x\n  ", "x\n \n", "x\n "),
            ("|+\n x\n ", "x\n\n", "x\n"),
            ("|-\n x\n  ", "x\n ", "x\n "),
            ("|+\n  ", "\n", ""),
            ("|+", "", ""),
            ("|\n", "", ""),
            ("|\n x\n# comment", "x\n", "x\n"),
            ("|\n x\n...", "x\n", "x\n"),
        ] {
            assert_eq!(read(text, &core), expected, "{text:?}");
            assert_eq!(read(text, &other), unbroken, "{text:?}");
            let mut parser = Parser::with_options(text.as_bytes(), &core);
            parser.push_into(&mut crate::Counter::default()).unwrap();
            assert_eq!(parser.warnings().len(), usize::from(expected != unbroken), "{text:?}");
        }
    }

    #[test]
    fn folded_scalars_join_their_lines() {
        assert_eq!(decoded(">\n a\n b\n\n c\n", 1), "a b\nc\n");
        assert_eq!(decoded(">\n\n a\n  * b\n\n  * c\n d\n", 1), "\na\n * b\n\n * c\nd\n");
        assert_eq!(decoded(">-\n a\n\n\n b\n\n", 1), "a\n\nb");
        assert_eq!(decoded(">+\n a\n b\n\n\n", 1), "a b\n\n\n");
        assert_eq!(decoded(">+\n\n\n", 1), "\n\n");
        assert_eq!(decoded(">\n a\n last", 1), "a last\n");
    }

    #[test]
    fn line_breaks_of_any_kind_become_line_feeds() {
        let long = "x".repeat(130);
        let bodies = [
            "\n\n  a\n   b \n \n\n  c\n  d\n\n".to_owned(),
            "\n    \n  a\n\n".to_owned(),
            "\n\n\n".to_owned(),
            "\n  a\n  b".to_owned(),
            format!("\n  {long}\n\n   {long}\n  {}\n  {}\n", &long[1..63], &long[1..65]),
        ];
        for body in bodies {
            for header in ["|", "|-", "|+", ">", ">-", ">+"] {
                let text = format!("{header}{body}");
                for breaks in ["\r\n", "\r"] {
                    let other = text.replace('\n', breaks);
                    assert_eq!(decoded(&other, 2), decoded(&text, 2), "{text:?}");
                }
            }
        }
    }
}

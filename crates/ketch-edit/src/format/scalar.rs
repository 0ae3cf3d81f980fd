//! Reindenting the lines of scalars with several lines, without changing their values.

use super::writer::{Writer, columns};
use ketch_yaml::internal::{Chomping, header, is_blank};
use ketch_yaml::{Event, EventKind};

/// The line layout of a scalar.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lines {
    /// The indentation of continuation lines, in columns.
    pub column: usize,
    /// The digit that replaces an indentation indicator.
    pub step: usize,
    /// The maximum line width in columns.
    pub width: Option<usize>,
}

/// Returns the lines of `span`, without their line breaks. If `span` ends with a line break, the
/// last line is empty.
fn lines_of(span: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = Some(span);
    std::iter::from_fn(move || {
        let text = rest?;
        let Some(at) = memchr::memchr2(b'\n', b'\r', text) else {
            rest = None;
            return Some(text);
        };
        let used = if text[at..].starts_with(b"\r\n") { 2 } else { 1 };
        rest = Some(&text[at + used..]);
        Some(&text[..at])
    })
}

/// Writes a plain or quoted scalar without the blanks around its line breaks, which are not part of
/// its value. A blank after a backslash is kept.
pub(super) fn flow(out: &mut Writer, span: &[u8], kind: EventKind, lines: Lines) {
    for (i, line) in lines_of(span).enumerate() {
        let is_last = line.as_ptr_range().end == span.as_ptr_range().end;
        let start = if i == 0 { 0 } else { blanks(line) };
        let line = &line[start..];
        let line = if is_last { line } else { without_blanks(line, kind) };
        if i > 0 {
            out.end_line();
            if !line.is_empty() {
                out.indent(lines.column);
            }
        }
        match lines.width {
            Some(width) => broken(out, line, kind, lines, width),
            None => out.put(line),
        }
    }
}

/// Returns the number of blanks at the start of `line`.
fn blanks(line: &[u8]) -> usize {
    line.iter().take_while(|&&byte| is_blank(byte)).count()
}

/// Returns `line` without those blanks at its end that are not part of the value.
fn without_blanks(line: &[u8], kind: EventKind) -> &[u8] {
    let len = line.iter().rposition(|&byte| !is_blank(byte)).map_or(0, |last| last + 1);
    let backslashes = line[..len].iter().rev().take_while(|&&byte| byte == b'\\').count();
    let is_escaped = kind == EventKind::DoubleQuoted && backslashes % 2 == 1;
    &line[..line.len().min(len + usize::from(is_escaped))]
}

/// Writes `line`, and breaks it at single spaces where it would exceed `width` columns.
fn broken(out: &mut Writer, line: &[u8], kind: EventKind, lines: Lines, width: usize) {
    let mut column = out.column();
    let (mut written, mut word) = (0, 0);
    let mut spaces = memchr::memchr_iter(b' ', line).filter(|&at| may_break(line, at, kind));
    loop {
        let space = spaces.next();
        let end = space.unwrap_or(line.len());
        let len = columns(&line[word..end]);
        // A space at which the line may be broken precedes this word.
        if word > written && column + 1 + len > width {
            out.put(&line[written..word - 1]);
            out.end_line();
            out.indent(lines.column);
            (written, column) = (word, lines.column + len);
        } else {
            column += len + usize::from(word > 0);
        }
        match space {
            Some(at) => word = at + 1,
            None => break,
        }
    }
    out.put(&line[written..]);
}

/// Returns whether a line break may replace the space at `at`, so that folding would turn it into a
/// space again.
fn may_break(line: &[u8], at: usize, kind: EventKind) -> bool {
    let (Some(&before), Some(&after)) = (line[..at].last(), line.get(at + 1)) else { return false };
    if is_blank(before) || is_blank(after) {
        return false;
    }
    match kind {
        EventKind::DoubleQuoted => before != b'\\' && !(at == 1 && before == b'"'),
        EventKind::SingleQuoted => at > 1,
        EventKind::Folded => true,
        // The next line must not look like anything but text to any parser. 0xEF may start a byte
        // order mark.
        _ => !b"-?:#%&*!|>'\"@`{}[],.\xEF".contains(&after),
    }
}

/// Writes a literal or folded scalar up to the end of its last line. Empty lines at the end that
/// are not part of the value are not written, but their number is returned.
pub(super) fn block(out: &mut Writer, span: &[u8], event: &Event, lines: Lines) -> usize {
    let mut rest = lines_of(span);
    let first = rest.next().unwrap_or(span);
    let chomping = block_header(out, first, lines.step);
    out.end_line();
    let mut empty = 0;
    let count = count_lines(span) - 1;
    for line in rest.take(count) {
        let line = line.get(event.indent as usize..).unwrap_or(&[]);
        if line.is_empty() {
            empty += 1;
            continue;
        }
        end_lines(out, empty);
        empty = 0;
        out.indent(lines.column);
        match lines.width {
            Some(width) if event.kind == EventKind::Folded && !is_blank(line[0]) => {
                broken(out, line, event.kind, lines, width);
            }
            _ => out.put(line),
        }
        out.end_line();
    }
    if chomping == Chomping::Keep {
        end_lines(out, empty);
        return 0;
    }
    empty
}

/// Returns the number of lines of `span`. A line break at its end does not start another line.
fn count_lines(span: &[u8]) -> usize {
    let ends_with_break = matches!(span.last(), Some(b'\n' | b'\r'));
    lines_of(span).count() - usize::from(ends_with_break)
}

/// Writes `count` line breaks.
fn end_lines(out: &mut Writer, count: usize) {
    (0..count).for_each(|_| out.end_line());
}

/// Writes the header of a block scalar (\[162\] c-b-block-header): its `|` or `>`, the indicators
/// in the order that they have in `line`, and the comment. A digit is replaced by `step`, the
/// indentation in the formatted text. Returns the chomping that the header specifies.
fn block_header(out: &mut Writer, line: &[u8], step: usize) -> Chomping {
    let header = header(line, 0);
    for &byte in &line[..header.end] {
        out.put(&[if byte.is_ascii_digit() { b'0' + step as u8 } else { byte }]);
    }
    let rest = line[header.end..].trim_ascii();
    if !rest.is_empty() {
        out.put(b" ");
        out.put(rest);
    }
    header.chomping
}

/// Returns the comment after the header of the block scalar `span`, or an empty slice.
pub(super) fn header_comment(span: &[u8]) -> &[u8] {
    let line = lines_of(span).next().unwrap_or(span);
    line[header(line, 0).end..].trim_ascii()
}

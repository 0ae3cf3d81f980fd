//! The text around an error, split into lines.

use crate::fault::Fault;
use crate::location::LineCounter;
use crate::problem::Problem;
use std::slice::SliceIndex;

/// The number of bytes before an error that its diagnosis may examine. A reader keeps at least this
/// many.
pub(crate) const LOOKBACK_BYTES: usize = 8 * 1024;
/// The number of bytes that its diagnosis may examine on the line of an error, from the error on.
pub(crate) const LINE_BYTES: usize = 256;
/// The number of lines, and of bytes, after the line of an error that its diagnosis may examine if
/// the problem depends on them.
const BELOW_LINES: usize = 16;
const BELOW_BYTES: usize = 2048;
/// The maximum distance in bytes from an error back to an opening bracket or quote that its
/// diagnosis examines.
const OPENER_BYTES: usize = 256 * 1024;
const BOM: &[u8] = "\u{feff}".as_bytes();

/// An error with the text around it. Offsets count from the start of `text`, which is the start of
/// a line.
pub(super) struct Scene<'t> {
    pub problem: Problem,
    pub text: &'t str,
    pub at: usize,
    /// The number of bytes that the parser reports.
    pub len: usize,
    /// The related location that the parser reports, if it is in `text`.
    pub related: Option<usize>,
    /// The offset of `text` in the stream.
    pub base: u64,
    first_line: u64,
}

impl<'t> Scene<'t> {
    /// Creates the scene of an error. Returns `None` if the line of the error starts too far before
    /// it.
    pub fn new(
        fault: &Fault,
        text: &'t [u8],
        base: u64,
        mut passed: LineCounter,
    ) -> Option<Scene<'t>> {
        let at = (fault.at.checked_sub(base)? as usize).min(text.len());
        let related = fault.related.and_then(|related| related.checked_sub(base));
        let related = related.map(|related| related as usize).filter(|&related| related <= at);
        let mut least = at.saturating_sub(LOOKBACK_BYTES);
        if let Some(related) = related.filter(|&related| at - related <= OPENER_BYTES) {
            least = least.min(related);
        }
        let mut start = line_start_in(text, least, at, base == 0)?;
        // A slice starts after the byte order mark, a reader keeps it.
        if base == 0 && start == 0 && at >= BOM.len() && text.starts_with(BOM) {
            start = BOM.len();
        }
        let mut end = line_end(text, at, text.len().min(at + LINE_BYTES));
        if depends_on_below(fault.problem) {
            end += below(&text[end..]).unwrap_or(text.len() - end);
        }
        let part = match std::str::from_utf8(&text[start..end]) {
            Ok(part) => part,
            Err(error) => {
                std::str::from_utf8(&text[start..start + error.valid_up_to()]).unwrap_or_default()
            }
        };
        passed.count(&text[..start]);
        let at = at - start;
        let is_inside = part.is_char_boundary(at);
        is_inside.then(|| Scene {
            problem: fault.problem,
            text: part,
            at,
            len: fault.len,
            related: related
                .and_then(|related| related.checked_sub(start))
                .filter(|&related| part.is_char_boundary(related)),
            base: base + start as u64,
            first_line: passed.lines + 1,
        })
    }

    /// Returns the line that contains the offset `at`.
    pub fn line_at(&self, at: usize) -> Line<'t> {
        let at = at.min(self.text.len());
        let start = cut(self.text, ..at).rfind(is_break).map_or(0, |found| found + 1);
        let end = cut(self.text, start..).find(is_break).map_or(self.text.len(), |len| start + len);
        Line { start, text: &self.text[start..end] }
    }

    /// Returns the line that contains the error.
    pub fn line(&self) -> Line<'t> {
        self.line_at(self.at)
    }

    /// Returns the lines with content above the line that starts at `start`, the nearest one first.
    pub fn lines_above(&self, start: usize) -> impl Iterator<Item = Line<'t>> + '_ {
        let mut end = start;
        let lines = std::iter::from_fn(move || {
            let at = end.checked_sub(1)?;
            let line = self.line_at(at);
            end = line.start;
            Some(line)
        });
        lines.filter(Line::has_content)
    }

    /// Returns the nearest line with content above `line`.
    pub fn line_above(&self, line: Line<'_>) -> Option<Line<'t>> {
        self.lines_above(line.start).next()
    }

    /// Returns the line with the text that the line of the error goes on, if there is one. A comment
    /// may be between the two.
    pub fn text_above(&self) -> Option<Line<'t>> {
        let related = self.line_at(self.related?);
        if related.has_content() { Some(related) } else { self.line_above(related) }
    }

    /// Returns the lines with content from the one that contains `from` up to and including the one
    /// that contains `to`.
    pub fn lines_between(&self, from: usize, to: usize) -> impl Iterator<Item = Line<'t>> + '_ {
        let mut at = Some(self.line_at(from).start);
        let lines = std::iter::from_fn(move || {
            let line = self.line_at(at?);
            let next = line.end() + 1;
            at = (next <= to && next <= self.text.len()).then_some(next);
            Some(line)
        });
        lines.filter(Line::has_content)
    }

    /// Returns the lines with content below `line`, as far as they are examined.
    pub fn lines_below(&self, line: Line<'t>) -> impl Iterator<Item = Line<'t>> + '_ {
        let below = self.lines_between(line.end() + 1, self.text.len());
        below.filter(move |below| below.start > line.start)
    }

    /// Returns the number of the line that contains `at`, counted from 1.
    pub fn number(&self, at: usize) -> u64 {
        let before = cut(self.text, ..at).as_bytes();
        let returns = before.iter().enumerate();
        let returns = returns.filter(|&(i, &b)| b == b'\r' && before.get(i + 1) != Some(&b'\n'));
        let feeds = memchr::memchr_iter(b'\n', before).count();
        self.first_line + (feeds + returns.count()) as u64
    }

    /// Returns whether a document marker is between `at` and the error. Errors are reported in the
    /// order of their documents, so an error must not be located in an earlier one.
    pub fn is_in_earlier_document(&self, at: usize) -> bool {
        let between = cut(self.text, at..self.at);
        between.match_indices(is_break).any(|(found, _)| {
            let line = &between[found + 1..];
            let rest = line.strip_prefix("---").or_else(|| line.strip_prefix("..."));
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t', '\r', '\n']))
        })
    }

    /// Returns the character at the error, or `None` at the end of the text.
    pub fn found(&self) -> Option<char> {
        cut(self.text, self.at..).chars().next()
    }
}

/// Returns the part of `text` in `range`, or an empty text if the range is out of bounds. Text may
/// be cut off anywhere, and a wrong guess must not panic.
pub(super) fn cut(text: &str, range: impl SliceIndex<str, Output = str>) -> &str {
    text.get(range).unwrap_or_default()
}

/// A line without its line break.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Line<'t> {
    pub start: usize,
    pub text: &'t str,
}

impl<'t> Line<'t> {
    /// Returns the end of the line, before its line break.
    pub fn end(self) -> usize {
        self.start + self.text.len()
    }

    /// Returns the number of spaces at the start of the line.
    pub fn indent(self) -> usize {
        self.text.len() - self.text.trim_start_matches(' ').len()
    }

    /// Returns the text of the line without blanks at its ends.
    pub fn body(self) -> &'t str {
        self.text.trim_matches([' ', '\t'])
    }

    /// Returns the start of the line's body.
    pub fn body_at(self) -> usize {
        self.start + self.text.len() - self.text.trim_start_matches([' ', '\t']).len()
    }

    /// Returns whether the line contains anything but blanks and a comment.
    pub fn has_content(&self) -> bool {
        let body = self.body();
        !body.is_empty() && !body.starts_with('#')
    }
}

/// Returns whether the diagnosis of `problem` examines the lines below it.
fn depends_on_below(problem: Problem) -> bool {
    use Problem::*;
    matches!(
        problem,
        SequenceNotHere | QuotedIndentation | BadIndentation | ExpectedDocumentEnd | TabIndentation
    )
}

/// Returns the length of the lines below that a diagnosis examines. `text` starts at the end of the
/// line of an error. Returns `None` if there may be more of them after `text`.
fn below(text: &[u8]) -> Option<usize> {
    let shown = &text[..text.len().min(BELOW_BYTES)];
    let last = memchr::memchr_iter(b'\n', shown).nth(BELOW_LINES);
    last.or((shown.len() == BELOW_BYTES).then_some(BELOW_BYTES))
}

/// Returns whether the diagnosis of `problem` at `at` needs more text than `text`, because it
/// examines the lines below.
pub(crate) fn wants_lines_below(problem: Problem, text: &[u8], at: usize) -> bool {
    let end = line_end(text, at, text.len().min(at + LINE_BYTES));
    depends_on_below(problem) && below(&text[end..]).is_none()
}

/// Returns whether `ch` is LF or CR.
fn is_break(ch: char) -> bool {
    ch == '\n' || ch == '\r'
}

/// Returns whether `byte` is LF or CR.
fn is_break_byte(byte: &u8) -> bool {
    *byte == b'\n' || *byte == b'\r'
}

/// Returns the start of the first line in `text` with which a scene can begin: the line that
/// contains `least` if it starts there or shortly before, or else the next line up to `at`.
/// `is_start` says whether `text` starts the stream.
fn line_start_in(text: &[u8], least: usize, at: usize, is_start: bool) -> Option<usize> {
    if least == 0 && is_start {
        return Some(0);
    }
    if least > 0 && is_break_byte(&text[least - 1]) {
        return Some(least);
    }
    // An opening bracket or quote may be at `least`, so the start of its line is included if it is
    // near.
    let from = least.saturating_sub(LINE_BYTES);
    if let Some(found) = text[from..least].iter().rposition(is_break_byte) {
        return Some(from + found + 1);
    }
    if from == 0 && is_start {
        return Some(0);
    }
    text[least..at].iter().position(is_break_byte).map(|found| least + found + 1)
}

/// Returns the end of the line that contains `at`, or `most` if that comes first.
fn line_end(text: &[u8], at: usize, most: usize) -> usize {
    text[at..most].iter().position(is_break_byte).map_or(most, |len| at + len)
}

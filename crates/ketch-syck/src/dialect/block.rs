//! Literal and folded scalars. Their text may begin on the line of the indicator.

use super::text::{Lines, Sink, Text};

/// What happens to line breaks at the end of a block scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Chomp {
    Clip,
    Strip,
    Keep,
}

/// The indicators of a block scalar, with the place where its text starts.
#[derive(Clone, Copy, Debug)]
struct Header {
    is_folded: bool,
    chomp: Chomp,
    /// The digit in the header, which determines the indentation; negative if there is none.
    digit: i64,
    /// The offset where the text starts.
    end: usize,
}

/// Returns the offset of what follows the block scalar indicator at `start`: text on the same line
/// or, if there is none, the line break. Returns `None` if there is no such indicator.
pub(super) fn indicator(text: Text<'_>, start: usize) -> Option<usize> {
    let mut pos = start + 1;
    while matches!(text.at(pos), b'0'..=b'9' | b'-' | b'+') {
        pos += 1;
    }
    let end = text.after_indicator(pos)?;
    // If a line break follows, its line feed is not consumed.
    Some(if text.at(end - 1) == b'\n' { end - 1 } else { end })
}

/// Reads the indicator from `start` to `end`.
fn header(text: Text<'_>, start: usize, end: usize) -> Header {
    let is_folded = text.at(start) == b'>';
    let mut header = Header { is_folded, chomp: Chomp::Clip, digit: -1, end };
    // Like Syck, this also reads the first byte of the text.
    for pos in start + 1..=end {
        match text.at(pos) {
            b'-' => header.chomp = Chomp::Strip,
            b'+' => header.chomp = Chomp::Keep,
            digit @ b'0'..=b'9' => header.digit = i64::from(digit - b'0'),
            _ => {}
        }
    }
    header
}

/// The extent of a block scalar.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    /// The end of the bytes that decoding reads.
    pub end: usize,
    /// The offset where scanning continues.
    pub resume: usize,
    /// The start of the last line that was scanned, if there was a line break.
    pub line: Option<usize>,
    /// The indentation of its lines; `None` if it has no lines below the indicator.
    pub indent: Option<i64>,
    /// Whether it ends before a document marker at its own indentation.
    pub before_marker: bool,
    /// Whether the input ends in its last line.
    pub at_end: bool,
}

/// Returns whether the document marker `---` is at `pos`.
fn is_marker(text: Text<'_>, pos: usize) -> bool {
    text.0.get(pos..).is_some_and(|rest| rest.starts_with(b"---"))
        && text.after_indicator(pos + 3).is_some()
}

/// The state of decoding a block scalar line by line.
struct Walk {
    /// The indentation of its lines; `None` before the first line.
    spaces: Option<i64>,
    /// The number of columns by which the last line is indented more deeply than that.
    deeper: i64,
}

impl Walk {
    /// Writes what the line breaks `lines` before a line add to the content, and returns the offset
    /// where the text continues. The line either belongs to the scalar or is the one that ends it.
    /// `first` is the indentation of the first line.
    fn lines(&mut self, lines: Lines, header: Header, first: i64, out: &mut impl Sink) -> usize {
        let begins = self.spaces.is_none();
        let spaces = *self.spaces.get_or_insert(first);
        if begins {
            self.deeper = lines.indent - spaces;
        }
        let folds = header.is_folded && self.deeper == 0 && lines.indent == spaces;
        let count = lines.count - usize::from(folds || begins);
        match count {
            0 if !begins => out.put(b' '),
            count => out.repeat(b'\n', count),
        }
        self.deeper = lines.indent - spaces;
        // Spaces beyond the indentation are content. At the end of the input, there are none.
        match self.deeper {
            1.. => lines.end - self.deeper as usize,
            _ => lines.end,
        }
    }
}

/// Scans the block scalar whose indicator starts at `start` and ends at `end`, where the text
/// starts. `parent` returns the indentation of the collection that contains the scalar. Its
/// arguments are the offset of the first text below the indicator, and the start of the line with
/// that text.
pub(super) fn scan(
    text: Text<'_>,
    start: usize,
    end: usize,
    parent: impl Fn(usize, usize) -> i64,
) -> Block {
    let header = header(text, start, end);
    let mut block =
        Block { end, resume: end, line: None, indent: None, before_marker: false, at_end: false };
    let mut pos = header.end;
    loop {
        if block.indent.is_none() {
            pos = after_comment(text, pos);
        }
        if block.line == Some(pos) && is_marker(text, pos) {
            block.before_marker = true;
            return Block { end: pos, resume: pos, ..block };
        }
        let rest = text.0.get(pos..).unwrap_or_default();
        let Some(at) = memchr::memchr(b'\n', rest) else {
            let end = pos + rest.len();
            return Block { end, resume: end, at_end: true, ..block };
        };
        let has_return = at > 0 && rest[at - 1] == b'\r';
        let stop = pos + at - usize::from(has_return);
        let lines = text.lines(stop);
        block.line = Some(lines.line);
        let indent = block.indent.or_else(|| first_indent(lines, header, &parent));
        let Some(spaces) = indent else { return Block { end: stop, resume: stop, ..block } };
        block.indent = indent;
        if lines.indent < spaces {
            return Block { end: lines.end, resume: stop, ..block };
        }
        pos = lines.end - (lines.indent - spaces) as usize;
    }
}

/// Returns the offset after the comment on the line of the indicator, or `pos` if there is none.
fn after_comment(text: Text<'_>, pos: usize) -> usize {
    let rest = text.0.get(pos..).unwrap_or_default();
    match memchr::memchr2(b'#', b'\n', rest) {
        Some(at) if rest[at] == b'#' => text.comment(pos + at + 1),
        _ => pos,
    }
}

/// Returns the indentation of a scalar's lines, which the first line determines. Returns `None` if
/// the first line is not part of the scalar.
fn first_indent(lines: Lines, header: Header, parent: impl Fn(usize, usize) -> i64) -> Option<i64> {
    let parent = parent(lines.end, lines.line);
    if lines.indent <= parent {
        return None;
    }
    let forced = if header.digit > 0 { header.digit + parent } else { header.digit };
    Some(if forced > 0 { forced } else { lines.indent })
}

/// Appends the content of the block scalar in `bytes`, which start with its indicator, to `out`.
/// Its lines are indented by `indent`.
pub(super) fn decode(bytes: &[u8], indent: i64, before_marker: bool, out: &mut Vec<u8>) {
    let text = Text(bytes);
    let Some(end) = indicator(text, 0) else { return };
    let header = header(text, 0, end);
    let floor = out.len();
    let mut walk = Walk { spaces: None, deeper: 0 };
    let mut pos = header.end;
    while pos < bytes.len() {
        let rest = &bytes[pos..];
        let at = memchr::memchr(b'\n', rest);
        let mut stop =
            at.map_or(bytes.len(), |at| pos + at - usize::from(at > 0 && rest[at - 1] == b'\r'));
        if walk.spaces.is_none()
            && let Some(at) = bytes[pos..stop].iter().position(|&byte| byte == b'#')
        {
            stop = pos + at;
        }
        out.extend_from_slice(&bytes[pos..stop]);
        if walk.spaces.is_none() {
            stop = text.comment(stop);
        }
        if text.is_end(stop) {
            break;
        }
        let mut lines = text.lines(stop);
        if before_marker && lines.end == bytes.len() {
            lines.indent = (lines.end - lines.line) as i64;
        }
        pos = walk.lines(lines, header, indent, out);
    }
    if before_marker {
        if header.is_folded && out.len() > floor {
            out.pop();
        }
        out.push(b'\n');
    }
    chomp(header.chomp, floor, out);
}

/// Removes line breaks at the end of `out` that `chomp` does not keep. The text of the scalar
/// starts at the offset `floor`.
fn chomp(chomp: Chomp, floor: usize, out: &mut Vec<u8>) {
    if chomp == Chomp::Keep {
        return;
    }
    let content = &out[floor..];
    let text = content.iter().rposition(|&byte| byte != b'\n').map_or(0, |last| last + 1);
    let has_break = text < content.len();
    let keeps = chomp == Chomp::Clip && has_break;
    out.truncate(floor + text + usize::from(keeps));
}

//! Plain scalars. One function finds the end of a scalar, and another one decodes its content. Both
//! take the same steps.

use super::text::Text;

/// The extent of a plain scalar.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plain {
    /// The end of its content. Scanning continues there, unless a comment follows.
    pub end: usize,
    /// The offset where scanning continues.
    pub resume: usize,
    /// The start of the last line that was scanned, if there was a line break.
    pub line: Option<usize>,
    /// Whether the content spans several lines.
    pub is_multiline: bool,
    /// Whether the scalar ends in brackets, so that blanks at its end are dropped.
    pub is_trimmed: bool,
}

/// What directly surrounds a plain scalar: a block, or the brackets of a collection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Around {
    Block,
    Sequence,
    Mapping,
}

/// What is found in plain text at an offset.
enum Step {
    /// Content up to this offset.
    Content(usize),
    /// A blank, which is content only if more content follows.
    Blank,
    /// A line break.
    Break,
    /// The end of the scalar.
    End,
    /// The end of a scalar in brackets, from which blanks at its end are dropped.
    Closed,
    Comment,
}

/// Returns what is found in plain text at the offset `pos`.
fn step(text: Text<'_>, pos: usize, around: Around) -> Step {
    let byte = text.at(pos);
    match byte {
        b'\n' => Step::Break,
        b'\r' if text.at(pos + 1) == b'\n' => Step::Break,
        0 if text.is_end(pos) => Step::End,
        b' ' if text.at(pos + 1) == b'#' => Step::Comment,
        b' ' | b'\t' => Step::Blank,
        b'}' if around == Around::Mapping => Step::Closed,
        b']' if around == Around::Sequence => Step::Closed,
        b':' if text.after_indicator(pos + 1).is_some() => Step::End,
        b',' => match text.after_indicator(pos + 1) {
            // Outside brackets, all of the blanks after a comma except for the last are content.
            Some(end) if around == Around::Block => Step::Content(end - 1),
            Some(_) => Step::Closed,
            None => Step::Content(pos + 1),
        },
        _ => Step::Content(pos + 1),
    }
}

/// Returns whether `byte` is content wherever it occurs in plain text.
const fn is_ordinary(byte: u8) -> bool {
    !matches!(byte, 0 | b'\n' | b'\r' | b' ' | b'\t' | b'}' | b']' | b':' | b',')
}

const ORDINARY: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = is_ordinary(byte as u8);
        byte += 1;
    }
    table
};

/// Returns the end of the run of ordinary bytes at `pos`.
#[inline]
fn ordinary(text: Text<'_>, pos: usize) -> usize {
    let rest = text.0.get(pos..).unwrap_or_default();
    let len = rest.iter().position(|&byte| !ORDINARY[byte as usize]);
    pos + len.unwrap_or(rest.len())
}

/// Scans the plain scalar at `start`. Lines that are indented more deeply than `parent` continue
/// it.
pub(super) fn scan(text: Text<'_>, start: usize, around: Around, parent: i64) -> Plain {
    let mut plain =
        Plain { end: start, resume: start, line: None, is_multiline: false, is_trimmed: false };
    let mut pos = start;
    loop {
        let from = pos;
        pos = ordinary(text, pos);
        if pos > from {
            plain.end = pos;
        }
        match step(text, pos, around) {
            Step::Content(end) => {
                pos = end;
                plain.end = end;
            }
            Step::Blank => pos += 1,
            Step::Break => {
                let lines = text.lines(pos);
                plain.line = Some(lines.line);
                if lines.indent <= parent {
                    break;
                }
                plain.is_multiline = true;
                pos = lines.end;
                plain.end = pos;
            }
            Step::End => break,
            Step::Closed => {
                plain.is_trimmed = true;
                break;
            }
            Step::Comment => {
                plain.resume = text.comment(pos + 2);
                return plain;
            }
        }
    }
    plain.resume = plain.end;
    plain
}

/// Appends the content of plain text that spans several lines, or from which blanks at the end are
/// dropped.
pub(super) fn decode(bytes: &[u8], is_trimmed: bool, out: &mut Vec<u8>) {
    let text = Text(bytes);
    let floor = out.len();
    // Everything before this offset has been copied or dropped.
    let mut from = 0;
    let mut pos = 0;
    while pos < bytes.len() {
        match step(text, pos, Around::Block) {
            Step::Content(end) => {
                // If the text ends with the blanks after a comma, all of them are content.
                let is_cut = text.at(pos + 1) == b' ' && end + 1 == bytes.len();
                let end = end + usize::from(is_cut && text.at(pos) == b',');
                out.extend_from_slice(&bytes[from..end]);
                (pos, from) = (end, end);
            }
            Step::Blank | Step::Comment if out.len() > floor => pos += 1,
            Step::Blank | Step::Comment => {
                pos += 1;
                from = pos;
            }
            Step::Break => {
                let lines = text.lines(pos);
                lines.fold(out);
                (pos, from) = (lines.end, lines.end);
            }
            // This is possible only at the end of the bytes.
            Step::End | Step::Closed => {
                out.extend_from_slice(&bytes[from..=pos]);
                pos += 1;
                from = pos;
            }
        }
    }
    if is_trimmed {
        let content = &out[floor..];
        let last = content.iter().rposition(|byte| !matches!(byte, b'\n' | b' ' | b'\t'));
        let least = content.len().min(1);
        out.truncate(floor + last.map_or(least, |last| (last + 1).max(least)));
    }
}

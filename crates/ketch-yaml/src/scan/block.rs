//! Scans block scalars (YAML 1.2.2, section 8.1): their headers, the indentation of their content,
//! and where they end.

use super::class::is_blank;
use super::text::{Text, whole_lines};
use super::window::Window;
use crate::event::INDENT_MAX;
use crate::problem::Problem;
use ketch_bytes::{BLOCK_BYTES, Kernel, Lanes};

/// The treatment of the final line breaks of a block scalar (\[164\] c-chomping-indicator).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chomping {
    /// None is kept: `-`.
    Strip,
    /// One is kept.
    Clip,
    /// All are kept: `+`.
    Keep,
}

/// The header of a block scalar (\[162\] c-b-block-header).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// The indentation indicator, if present.
    pub indent: Option<u8>,
    /// The treatment of the final line breaks.
    pub chomping: Chomping,
    /// The offset after the indicators.
    pub end: usize,
}

/// Scans the block scalar header in `bytes` whose `|` or `>` is at `start`, and returns its
/// indicators and their end. The indicators may come in either order.
// [162] c-b-block-header, [164] c-chomping-indicator.
pub fn header(bytes: &[u8], start: usize) -> Header {
    let mut header = Header { indent: None, chomping: Chomping::Clip, end: start + 1 };
    while let Some(&byte) = bytes.get(header.end) {
        match byte {
            b'1'..=b'9' if header.indent.is_none() => header.indent = Some(byte - b'0'),
            b'-' if header.chomping == Chomping::Clip => header.chomping = Chomping::Strip,
            b'+' if header.chomping == Chomping::Clip => header.chomping = Chomping::Keep,
            _ => break,
        }
        header.end += 1;
    }
    header
}

/// The extent of a block scalar's content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Body {
    /// The indentation of the lines, in columns.
    pub indent: usize,
    /// The start of the first line after the content.
    pub end: usize,
}

/// The reason why the content could not be scanned.
#[derive(Clone, Copy, Debug)]
pub(crate) enum BodyError {
    /// The buffered lines end before the content does.
    NeedMoreInput,
    /// The content is not valid.
    Bad { problem: Problem, at: usize, len: usize },
}

/// Scans the content of a block scalar that starts at `body`, the start of a line, and returns its
/// indentation and its end. The parent is indented by `parent` columns, which is -1 at the root. If
/// `header` has no indentation indicator, the first line with text sets the indentation. The
/// content ends before the first line that is indented less.
// [163] c-indentation-indicator.
// [169] l-trail-comments.
#[inline(always)]
pub(crate) fn body<L: Lanes>(
    lanes: L,
    text: Text<'_>,
    body: usize,
    header: Header,
    parent: isize,
) -> Result<Body, BodyError> {
    let indent = match header.indent {
        Some(indicator) => parent.max(0) as usize + usize::from(indicator),
        None => match detect_indent(text, body, (parent + 1) as usize)? {
            Detected::Indent(indent) => indent,
            Detected::NoContent(body) => return Ok(body),
        },
    };
    let mut line = body;
    if (1..BLOCK_BYTES).contains(&indent) {
        match lanes.outline(SimpleBody { text, body, indent }) {
            Ok(end) => return Ok(Body { indent, end }),
            Err(next) => line = next,
        }
    }
    while line < text.bytes.len() {
        if line >= text.lines_end {
            return Err(BodyError::NeedMoreInput);
        }
        let window = Window::load(lanes, text, line);
        let spaces = (!window.space).trailing_zeros() as usize;
        if spaces < indent && spaces < BLOCK_BYTES {
            let at = line + spaces;
            if !matches!(text.byte(at), b'\n' | b'\r') {
                return end_at(text, line, at, indent);
            }
            line = text.after_break(at);
            continue;
        }
        if indent >= BLOCK_BYTES && wide_line_ends(text, line, indent) {
            return end_at(text, line, line + text_indent(text, line), indent);
        }
        if indent == 0 && text.is_marker(line) {
            break;
        }
        line = text.after_break(line_break(lanes, text, &window));
    }
    if line >= text.bytes.len() && !text.is_last {
        return Err(BodyError::NeedMoreInput);
    }
    Ok(Body { indent, end: line })
}

/// Finds the end of the content that starts at `body`. Its lines are indented by `indent` columns, from
/// 1 to 63. Returns as an error the start of the line from which [`body`] has to continue line by line:
/// one that starts with a tab, is not buffered completely, or ends the text without a line break.
///
/// This works on blocks of 64 bytes instead of lines. Adding the first bit of a line to the mask of
/// spaces carries it through the indentation, to the first character that is not a space.
/// Subtracting two shifted masks gives the columns in which that character is indented too little.
/// Both steps handle all lines of a block at once. The masks are two blocks wide, to cover the
/// indentation of a line that starts at the end of the first block.
#[derive(Clone, Copy)]
pub(crate) struct SimpleBody<'t> {
    pub text: Text<'t>,
    pub body: usize,
    pub indent: usize,
}

impl Kernel for SimpleBody<'_> {
    type Output = Result<usize, usize>;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Result<usize, usize> {
        let SimpleBody { text, body, indent } = self;
        let (mut space, mut newline) = spaces_and_breaks(lanes, text, body);
        // Whether a line starts at the start of the block; in the first block, one does.
        let mut is_start = 1;
        let mut base = body;
        while base < text.lines_end {
            let (next_space, next_newline) = spaces_and_breaks(lanes, text, base + BLOCK_BYTES);
            let spaces = wide(space, next_space);
            // Empty lines are part of the content.
            let starts = u128::from((newline << 1 | is_start) & !newline);
            let first_chars = starts.wrapping_add(spaces) & !spaces;
            if first_chars & wide(newline, next_newline) != 0 {
                // A line of only spaces would run into the next line in the subtraction below.
                if let Some(end) = self.end_at_shallow(lanes, base, starts as u64) {
                    return end;
                }
            } else {
                let shallow = first_chars & (starts << indent).wrapping_sub(starts);
                if shallow != 0 {
                    let at = shallow.trailing_zeros();
                    let line = 127 - (starts & !(u128::MAX << at << 1)).leading_zeros();
                    return self.end_at(base + line as usize, base + at as usize);
                }
            }
            is_start = newline >> (BLOCK_BYTES - 1);
            (space, newline) = (next_space, next_newline);
            base += BLOCK_BYTES;
        }
        if !text.is_last {
            return Err(text.lines_end);
        }
        let end = text.bytes.len();
        match whole_lines(text.bytes) {
            line if line < end => Err(line.max(body)),
            _ => Ok(end),
        }
    }
}

impl SimpleBody<'_> {
    /// Looks for the first line that is indented too little, which ends the content, and returns
    /// its start. Bit `i` of `starts` is set if a line starts at `base + i`. Returns `None` if all
    /// of these lines belong to the content, and as an error what [`SimpleBody`] does.
    #[inline(always)]
    fn end_at_shallow<L: Lanes>(
        self,
        lanes: L,
        base: usize,
        mut starts: u64,
    ) -> Option<Result<usize, usize>> {
        let SimpleBody { text, indent, .. } = self;
        while starts != 0 {
            let line = base + starts.trailing_zeros() as usize;
            let spaces = (!lanes.eq(text.load(lanes, line), b' ')).trailing_zeros() as usize;
            let at = line + spaces;
            if spaces < indent && !matches!(text.byte(at), b'\n' | b'\r') {
                return Some(self.end_at(line, at));
            }
            starts &= starts - 1;
        }
        None
    }

    /// Returns `line`, the end of the content, because its first character, at `at`, is indented
    /// too little. Returns it as an error if that character is a tab, or if `line` is not buffered
    /// completely.
    #[inline(always)]
    fn end_at(self, line: usize, at: usize) -> Result<usize, usize> {
        let is_end = line < self.text.lines_end && self.text.byte(at) != b'\t';
        if is_end { Ok(line) } else { Err(line) }
    }
}

/// Joins the masks of two adjacent blocks into one. `low` is the mask of the first block, and
/// `high` that of the second.
#[inline(always)]
fn wide(low: u64, high: u64) -> u128 {
    u128::from(low) | u128::from(high) << BLOCK_BYTES
}

/// Returns the masks of the spaces and of the line breaks among the 64 bytes from `base` on.
#[inline(always)]
fn spaces_and_breaks<L: Lanes>(lanes: L, text: Text<'_>, base: usize) -> (u64, u64) {
    let block = text.load(lanes, base);
    (lanes.eq(block, b' '), lanes.eq_any(block, [b'\n', b'\r']))
}

/// Returns the offset of the first line break in `window` or after it.
#[inline(always)]
fn line_break<L: Lanes>(lanes: L, text: Text<'_>, window: &Window) -> usize {
    let mut newline = window.newline;
    let mut base = window.base;
    while newline == 0 {
        base += BLOCK_BYTES;
        newline = Window::load(lanes, text, base).newline;
    }
    base + newline.trailing_zeros() as usize
}

/// Returns the content that is indented by `indent` columns and ends before `line`, whose first
/// character after the spaces is at `at`. Fails if that character is a tab.
#[inline(never)]
fn end_at(text: Text<'_>, line: usize, at: usize, indent: usize) -> Result<Body, BodyError> {
    if text.byte(at) == b'\t' {
        return Err(BodyError::Bad { problem: Problem::TabIndentation, at, len: 1 });
    }
    Ok(Body { indent, end: line })
}

/// Returns the number of spaces at the start of the line that starts at `line`.
fn text_indent(text: Text<'_>, line: usize) -> usize {
    let rest = text.bytes.get(line..).unwrap_or(&[]);
    rest.iter().take_while(|&&byte| byte == b' ').count()
}

/// Returns whether the line that starts at `line` ends content that is indented by `indent`
/// columns. This is used if the indentation is at least as wide as a window.
#[cold]
fn wide_line_ends(text: Text<'_>, line: usize, indent: usize) -> bool {
    let spaces = text_indent(text, line);
    spaces < indent && !matches!(text.byte(line + spaces), b'\n' | b'\r')
}

/// The result of detecting the indentation of a block scalar's content: a number of columns, or the
/// whole content if it has no text.
enum Detected {
    Indent(usize),
    NoContent(Body),
}

/// Detects the indentation of the content that starts at `body`, which is that of the first line
/// with text. If that line is indented by fewer than `least` columns, or no line has text, the
/// content has no text and is returned instead. Fails if an empty line before the text has more
/// spaces than the text.
// [163] c-indentation-indicator.
#[inline(never)]
fn detect_indent(text: Text<'_>, body: usize, least: usize) -> Result<Detected, BodyError> {
    let mut line = body;
    let mut deepest = (0, 0);
    while line < text.bytes.len() {
        if line >= text.lines_end {
            return Err(BodyError::NeedMoreInput);
        }
        let spaces = text_indent(text, line);
        let at = line + spaces;
        if matches!(text.byte(at), b'\n' | b'\r') {
            if spaces > deepest.0 {
                deepest = (spaces, line);
            }
            line = text.after_break(at);
            continue;
        }
        if spaces < least || (spaces == 0 && text.is_marker(line)) {
            return end_at(text, line, at, deepest.0.max(least)).map(Detected::NoContent);
        }
        if deepest.0 > spaces {
            let (len, at) = deepest;
            return Err(BodyError::Bad { problem: Problem::LeadingBlankTooDeep, at, len });
        }
        if spaces > INDENT_MAX as usize {
            let problem = Problem::IndentTooDeep;
            return Err(BodyError::Bad { problem, at: line, len: spaces });
        }
        return Ok(Detected::Indent(spaces));
    }
    if !text.is_last {
        return Err(BodyError::NeedMoreInput);
    }
    let indent = deepest.0.max(least).min(INDENT_MAX as usize);
    Ok(Detected::NoContent(Body { indent, end: line }))
}

/// Skips the blanks after a header's indicators, which end at `end`. Returns the offset after the
/// blanks, and whether a comment or the end of the line follows, as it must.
// [162] c-b-block-header.
pub(crate) fn header_rest(text: Text<'_>, end: usize) -> (usize, bool) {
    let at = text.skip_blanks(end);
    let is_valid = match text.byte(at) {
        b'\n' | b'\r' => true,
        b'#' => is_blank(text.byte(at - 1)),
        _ => false,
    };
    (at, is_valid)
}

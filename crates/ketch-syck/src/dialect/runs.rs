//! The fast path for runs of lines: consecutive lines of a block that consist of words, or of a key
//! and a value that are words. Most lines of most files are in such runs.

use super::builder::{Builder, Entry};
use super::grammar::Name;
use super::lines::{LINES_MAX, Step, TOPS, Top, Written, after_name, of};
use super::scanner::{Scanner, Status};
use super::simple::{
    SCALAR_BYTES_MAX, breaks_after, rest_of_words, starts_word, starts_words, to_break, words,
};
use super::text::Text;
use ketch_yaml::{Event, EventKind, Flags};

impl Builder {
    /// Reads a run of lines in the block on top of the stack, or the first lines of a block that
    /// was just opened. Adds one less than the number of lines read to `count`.
    #[inline(always)]
    pub(super) fn run(
        &mut self,
        scanner: &mut Scanner,
        text: Text<'_>,
        pos: usize,
        count: &mut u32,
    ) -> Step {
        let Some(&Entry { state, value }) = self.stack.last() else { return Step::Refused };
        let (level, first) = (scanner.top(), self.index());
        let top = TOPS[state as usize];
        let is_mapping = match top {
            Top::Entries => false,
            Top::Pairs if value.replaced == 0 && level.status == Status::Mapping => true,
            Top::Opened if !level.status.is_flow() => text.at(pos) != b'-',
            _ => return Step::Refused,
        };
        let last = match is_mapping {
            true => self.run_of::<true>(text, pos, level.spaces),
            false => self.run_of::<false>(text, pos, level.spaces),
        };
        let Some(last) = last else { return Step::Refused };
        if top == Top::Opened && self.start_block(scanner, first, is_mapping).is_none() {
            self.words.truncate(first as usize);
            return Step::Refused;
        }
        let mut lines = self.index() - first;
        if is_mapping {
            lines /= 2;
            let value = self.index() - 1;
            if let Some(top) = self.stack.last_mut() {
                top.value.last = value;
            }
        }
        *count += lines - 1;
        self.after_value(scanner, last)
    }

    /// Pushes the first entries or pairs of a block on the stack. Their events start at the index
    /// `first`.
    fn start_block(&mut self, scanner: &mut Scanner, first: u32, is_mapping: bool) -> Option<()> {
        let &Entry { state, .. } = self.stack.last()?;
        let name = if is_mapping { Name::Pairs } else { Name::Entries };
        let state = after_name(state, name)?;
        if is_mapping {
            scanner.set_status(Status::Mapping);
        }
        self.stack.push(Entry { state, value: of(first) });
        Some(())
    }

    /// Reads a run of lines from the offset `pos` on, and returns its last value.
    #[inline(always)]
    fn run_of<const PAIRS: bool>(
        &mut self,
        text: Text<'_>,
        pos: usize,
        spaces: i64,
    ) -> Option<Written> {
        let (base, len) = (self.base, self.words.len());
        let pos = similar_lines::<PAIRS>(&mut self.words, text, base, pos, spaces);
        let line = Line::at::<PAIRS>(text, pos);
        if let Some(line) = line
            && let Some(lines) = breaks_after(text, line.end, spaces)
        {
            line.write::<PAIRS>(&mut self.words, base);
            let Line { start, end, .. } = line;
            return Some(Written { start, end, line_break: end, lines });
        }
        // The last value is that of the last similar line.
        let last = Event::unpack(*self.words.get(len..)?.last()?);
        let start = base + last.start;
        let end = start + last.len;
        Some(Written { start, end, line_break: end, lines: text.lines(end) })
    }
}

/// A line of words. If it is a pair, a key of words precedes them.
#[derive(Clone, Copy, Debug)]
struct Line {
    key_start: usize,
    key_end: usize,
    start: usize,
    end: usize,
}

impl Line {
    /// Finds the parts of the line at `pos`. Returns `None` if it has any other parts.
    #[inline(always)]
    fn at<const PAIRS: bool>(text: Text<'_>, pos: usize) -> Option<Line> {
        let key_end = if PAIRS { words(text, pos)?.end } else { pos };
        let &[indicator, space, first] = text.0.get(key_end..)?.first_chunk()?;
        let is_indicator = indicator == if PAIRS { b':' } else { b'-' };
        if !is_indicator || space != b' ' || !starts_word(first) || key_end - pos > SCALAR_BYTES_MAX
        {
            return None;
        }
        let start = key_end + 2;
        let end = to_break(start, rest_of_words(text, start + 1))?;
        Some(Line { key_start: pos, key_end, start, end })
    }

    /// Writes the events of the line.
    #[inline(always)]
    fn write<const PAIRS: bool>(self, words: &mut Vec<u64>, base: usize) {
        let plain = |start: usize, end: usize| {
            Event::first_word(EventKind::Plain, Flags::NONE, start - base, end - start)
        };
        if PAIRS {
            words.push(plain(self.key_start, self.key_end));
        }
        words.push(plain(self.start, self.end));
    }
}

/// Reads the lines at `pos` that are followed by a similar line: one with the same indentation,
/// without a blank line between them. Returns the offset of the first line that was not read.
///
/// This loop reads most of the bytes. It is a separate function so that everything that it needs is
/// in registers.
#[inline(never)]
fn similar_lines<const PAIRS: bool>(
    words: &mut Vec<u64>,
    text: Text<'_>,
    base: usize,
    mut pos: usize,
    spaces: i64,
) -> usize {
    for _ in 0..LINES_MAX {
        let Some(line) = Line::at::<PAIRS>(text, pos) else { break };
        let Some(next) = text.next_line(line.end, spaces) else { break };
        let is_similar = if PAIRS { starts_words(text, next) } else { text.at(next) == b'-' };
        if !is_similar {
            break;
        }
        line.write::<PAIRS>(words, base);
        pos = next;
    }
    pos
}

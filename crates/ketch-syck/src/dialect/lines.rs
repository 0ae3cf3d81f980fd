//! The fast path for the lines that most files consist of: entries and pairs of block collections
//! whose keys and values are on one line, and nested block collections.
//!
//! It changes the parser's stack, the scanner's levels and the events in one step, in the same way
//! as the tokens of a line would. Therefore, it can stop before any line or nested block, and the
//! tables of the grammar continue there.

use super::block;
use super::builder::{Builder, Entry, Value};
use super::grammar::Name;
use super::plain::{self, Around};
use super::scanner::{Scanner, Status, blanks, name};
use super::simple::{
    Key, SCALAR_BYTES_MAX, VERBATIM, key, line_break, next_line, quoted, starts_plain, words,
    words_of_line,
};
use super::table::{ACTIONS, GOTOS};
use super::text::{Lines, Text};
use super::token::{Kind, ScalarToken, Style};
use ketch_yaml::{Event, EventKind, Flags, Limits};

/// The maximum length of a document in bytes. Longer documents are left to the tables, which check
/// that offsets and indices fit into 32 bits.
const DOCUMENT_BYTES_MAX: usize = 1 << 30;

/// The maximum number of lines that are read at once. After them, the interrupt is polled.
pub(super) const LINES_MAX: u32 = 4096;

/// The symbol that was read last before a state of the parser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Top {
    /// The start of a block that has no content yet.
    Opened,
    Entries,
    Pairs,
    Separator,
    Key,
    Colon,
    Dash,
    Other,
}

/// For each state, the symbol that leads to it.
pub(super) static TOPS: [Top; 256] = {
    let mut tops = [Top::Other; 256];
    let mut state = 0;
    while state < GOTOS.len() {
        tops[GOTOS[state][Name::Opened as usize] as usize] = Top::Opened;
        tops[GOTOS[state][Name::Entries as usize] as usize] = Top::Entries;
        tops[GOTOS[state][Name::Pairs as usize] as usize] = Top::Pairs;
        tops[GOTOS[state][Name::Separator as usize] as usize] = Top::Separator;
        tops[GOTOS[state][Name::Key as usize] as usize] = Top::Key;
        if ACTIONS[state][Kind::Colon as usize] > 0 {
            tops[ACTIONS[state][Kind::Colon as usize] as usize - 1] = Top::Colon;
        }
        if ACTIONS[state][Kind::Dash as usize] > 0 {
            tops[ACTIONS[state][Kind::Dash as usize] as usize - 1] = Top::Dash;
        }
        state += 1;
    }
    // No symbol leads to the first state.
    tops[0] = Top::Other;
    tops
};

/// Returns the state that follows `state` after the symbol `name`, if that is allowed.
pub(super) fn after_name(state: u8, name: Name) -> Option<u8> {
    Some(GOTOS[state as usize][name as usize]).filter(|&next| next > 0)
}

/// Returns the state that follows `state` after a token of the kind `kind`, if the token can be
/// shifted.
fn after_token(state: u8, kind: Kind) -> Option<u8> {
    let action = ACTIONS[state as usize][kind as usize];
    (action > 0).then(|| (action - 1) as u8)
}

/// Returns the kinds of the start event and the end event of a block that consists of `parts`.
fn block_events(parts: Top) -> Option<(EventKind, EventKind)> {
    match parts {
        Top::Entries => Some((EventKind::SequenceStart, EventKind::SequenceEnd)),
        Top::Pairs => Some((EventKind::MappingStart, EventKind::MappingEnd)),
        _ => None,
    }
}

/// Creates a value whose first event has the index `first`, without a last part.
pub(super) fn of(first: u32) -> Value {
    Value { first, ..Value::default() }
}

/// The result of a step of the fast path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// The step is done. The next line, or the content of the block that was just opened, is at
    /// this offset.
    Next(usize),
    /// The step is done, but the tables must continue.
    Stop,
    /// The line is not simple, and nothing has changed.
    Refused,
}

/// A value whose events have been written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Written {
    /// The start of the last token of the value.
    pub start: usize,
    /// The end of that token.
    pub end: usize,
    /// The last line break after it that is not followed by a comment.
    pub line_break: usize,
    /// That line break and those after it.
    pub lines: Lines,
}

/// The value of a key.
enum PairValue {
    Written(Written),
    /// A block that starts on the line after these line breaks.
    Block(Lines),
}

/// The entries or pairs to which another one is added.
#[derive(Clone, Copy, Debug)]
struct Collected {
    /// The length of the stack without them.
    len: usize,
    /// The value of their symbol; `None` if there are none yet.
    before: Option<Value>,
    is_mapping: bool,
    /// The state after the new one has been added.
    state: u8,
}

impl Builder {
    /// Returns whether [`Builder::lines`] may read the document that starts at the offset `base`.
    pub fn reads_lines(text: Text<'_>, base: usize, limits: &Limits) -> bool {
        limits.max_scalar_bytes >= SCALAR_BYTES_MAX as u64
            && text.0.len().saturating_sub(base) <= DOCUMENT_BYTES_MAX
    }

    /// Reads simple lines, starting at the scanner's position. This must be the start of a line in
    /// a block, or the content of a block that was just opened. Returns the number of lines read,
    /// or 0 if nothing has changed.
    pub fn lines(&mut self, scanner: &mut Scanner, text: Text<'_>) -> u32 {
        let mut pos = scanner.pos();
        let mut count = 0;
        while count < LINES_MAX {
            let step = match self.run(scanner, text, pos, &mut count) {
                Step::Refused => self.simple_line(scanner, text, pos),
                step => step,
            };
            match step {
                Step::Next(next) => pos = next,
                Step::Stop => return count + 1,
                Step::Refused => return count,
            }
            count += 1;
        }
        count
    }

    /// Reads the line at `pos`, or the content of a block that was just opened.
    fn simple_line(&mut self, scanner: &mut Scanner, text: Text<'_>, pos: usize) -> Step {
        let Some(&Entry { state, value }) = self.stack.last() else { return Step::Refused };
        let (level, byte) = (scanner.top(), text.at(pos));
        match TOPS[state as usize] {
            Top::Entries if byte == b'-' => self.entry(scanner, text, pos),
            Top::Opened if byte == b'-' && !level.status.is_flow() => {
                self.entry(scanner, text, pos)
            }
            Top::Pairs if byte == b'-' && self.is_replaceable(value) => {
                self.entry(scanner, text, pos)
            }
            Top::Pairs if byte != b'-' && level.status == Status::Mapping => {
                self.pair(scanner, text, pos)
            }
            Top::Opened if !level.status.is_flow() => self.pair(scanner, text, pos),
            _ => Step::Refused,
        }
    }

    /// Returns whether a sequence may replace the last value of `pairs`: whether a sequence
    /// replaces it already, or it is empty.
    fn is_replaceable(&self, pairs: Value) -> bool {
        let is_empty = |&word: &u64| {
            word == Event::first_word(EventKind::Plain, Flags::NONE, word as u32 as usize, 0)
        };
        let is_last = pairs.last as usize + 1 == self.words.len();
        pairs.replaced > 0 || is_last && self.words.last().is_some_and(is_empty)
    }

    /// Reads the entry of a block sequence at `pos`.
    fn entry(&mut self, scanner: &mut Scanner, text: Text<'_>, pos: usize) -> Step {
        if text.at(pos + 1) != b' ' {
            return Step::Refused;
        }
        let spaces = scanner.top().spaces;
        let content = text.spaces(pos + 2);
        if text.at(content) == b'-' && text.at(content + 1) == b' ' {
            let is_open = self.open_entry(scanner, pos, content).is_some();
            return if is_open { Step::Next(content) } else { Step::Refused };
        }
        let mark = self.words.len();
        match self.value(text, content, spaces) {
            Some(written) if self.end_entry(pos, mark).is_some() => {
                self.after_value(scanner, written)
            }
            _ => {
                self.words.truncate(mark);
                self.entry_with_pair(scanner, text, pos, content)
            }
        }
    }

    /// Completes the entry at `pos`. The events of its value are the words from the index `mark`
    /// on.
    #[inline(always)]
    fn end_entry(&mut self, pos: usize, mark: usize) -> Option<()> {
        let words = self.index();
        let top = self.stack.last_mut()?;
        match TOPS[top.state as usize] {
            Top::Opened => {
                let state = after_name(top.state, Name::Entries)?;
                self.stack.push(Entry { state, value: of(mark as u32) });
            }
            Top::Pairs => {
                let Value { last, replaced, .. } = top.value;
                top.value.replaced = words;
                if replaced == 0 {
                    let start = pos - self.base;
                    self.words[last as usize] =
                        Event::first_word(EventKind::SequenceStart, Flags::NONE, start, 0);
                }
            }
            _ => {}
        }
        Some(())
    }

    /// Reads the entry at `pos` whose content, at `content`, is the first pair of a mapping.
    fn entry_with_pair(
        &mut self,
        scanner: &mut Scanner,
        text: Text<'_>,
        pos: usize,
        content: usize,
    ) -> Step {
        if key(text, content).is_none() || self.open_entry(scanner, pos, content).is_none() {
            return Step::Refused;
        }
        match self.pair(scanner, text, content) {
            // The block is open, so the step is done.
            Step::Refused => Step::Stop,
            step => step,
        }
    }

    /// Opens the block at `content` that is the content of the entry at `pos`.
    fn open_entry(&mut self, scanner: &mut Scanner, pos: usize, content: usize) -> Option<()> {
        let &Entry { state, .. } = self.stack.last()?;
        let top = TOPS[state as usize];
        let separator = match top {
            Top::Opened => None,
            _ => Some(after_name(state, Name::Separator)?),
        };
        let dash = after_token(separator.unwrap_or(state), Kind::Dash)?;
        let opened = after_name(dash, Name::Opened)?;
        let first = self.index();
        if let Some(state) = separator {
            self.stack.push(Entry { state, value: of(first) });
        }
        self.stack.push(Entry { state: dash, value: of(first) });
        if top == Top::Pairs {
            // The sequence that replaces the value starts here.
            self.push(EventKind::Nop, Flags::NONE, pos, 0);
        }
        self.stack.push(Entry { state: opened, value: of(self.index()) });
        self.measure();
        self.push(EventKind::Nop, Flags::NONE, content, 0);
        (self.last_start, self.last_end) = (pos, pos + 1);
        let line = pos - scanner.top().spaces as usize;
        scanner.push((content - line) as i64, Status::Entry);
        scanner.continue_at(content, line);
        Some(())
    }

    /// Reads the pair at `pos`.
    fn pair(&mut self, scanner: &mut Scanner, text: Text<'_>, pos: usize) -> Step {
        let mark = self.words.len();
        let step = key(text, pos).and_then(|key| self.pair_of(scanner, text, pos, key));
        if step.is_none() {
            self.words.truncate(mark);
        }
        step.unwrap_or(Step::Refused)
    }

    /// Reads the pair at `pos`, whose key is `key`. Returns `None` if the pair is not simple; the
    /// words that were appended then have to be removed.
    #[inline(always)]
    fn pair_of(
        &mut self,
        scanner: &mut Scanner,
        text: Text<'_>,
        pos: usize,
        key: Key,
    ) -> Option<Step> {
        let spaces = scanner.top().spaces;
        let &Entry { state, value: before } = self.stack.last()?;
        let is_first = TOPS[state as usize] == Top::Opened;
        let state = if is_first { after_name(state, Name::Pairs)? } else { state };
        if before.replaced > 0 {
            self.push(EventKind::SequenceEnd, Flags::NONE, pos, 0);
        }
        let first = self.index();
        match key.is_words {
            true => self.push(EventKind::Plain, Flags::NONE, key.start, key.end - key.start),
            false => self.write(text, key.scalar, key.start, key.end)?,
        }
        let last = self.index();
        let written = match self.pair_value(text, key, spaces)? {
            PairValue::Block(lines) => {
                self.open_value(scanner, key, first, lines)?;
                return Some(Step::Next(lines.end));
            }
            PairValue::Written(written) => written,
        };
        scanner.set_status(Status::Mapping);
        let value = Value { first, last, replaced: 0 };
        match self.stack.last_mut() {
            Some(top) if !is_first => top.value = Value { first: before.first, ..value },
            _ => self.stack.push(Entry { state, value }),
        }
        Some(self.after_value(scanner, written))
    }

    /// Writes the value of a key, unless it is a block that starts on the next line.
    #[inline(always)]
    fn pair_value(&mut self, text: Text<'_>, key: Key, spaces: i64) -> Option<PairValue> {
        let content = text.spaces(key.colon + 1);
        let Some(at) = line_break(text, content) else {
            return self.value(text, content, spaces).map(PairValue::Written);
        };
        let (line_break, lines) = next_line(text, at)?;
        if lines.indent > spaces {
            return Some(PairValue::Block(lines));
        }
        let (start, end) = (key.colon, key.colon + 1);
        self.push(EventKind::Plain, Flags::NONE, end, 0);
        Some(PairValue::Written(Written { start, end, line_break, lines }))
    }

    /// Opens the block that starts on the line after a key and is the value of the key. `first` is
    /// the index of the key's first event.
    fn open_value(
        &mut self,
        scanner: &mut Scanner,
        key: Key,
        first: u32,
        lines: Lines,
    ) -> Option<()> {
        let top = self.stack.last_mut()?;
        let is_first = TOPS[top.state as usize] == Top::Opened;
        let before = match is_first {
            true => top.state,
            false => after_name(top.state, Name::Separator)?,
        };
        let after_key = after_name(before, Name::Key)?;
        let colon = after_token(after_key, Kind::Colon)?;
        let opened = after_name(colon, Name::Opened)?;
        top.value.replaced = 0;
        if !is_first {
            self.stack.push(Entry { state: before, value: of(first) });
        }
        self.stack.push(Entry { state: after_key, value: of(first) });
        self.stack.push(Entry { state: colon, value: of(first) });
        self.stack.push(Entry { state: opened, value: of(self.index()) });
        self.measure();
        self.push(EventKind::Nop, Flags::NONE, lines.end, 0);
        (self.last_start, self.last_end) = (key.colon, key.colon + 1);
        scanner.set_status(Status::Mapping);
        scanner.push(lines.indent, Status::Block);
        scanner.continue_at(lines.end, lines.line);
        Some(())
    }

    /// Continues after an entry or a pair: closes the blocks that are indented more deeply than the
    /// next line.
    #[inline(always)]
    pub(super) fn after_value(&mut self, scanner: &mut Scanner, written: Written) -> Step {
        let Written { start, end, line_break, lines } = written;
        (self.last_start, self.last_end) = (start, end);
        // If the tables continue, they scan the line breaks again.
        scanner.continue_at(line_break, lines.line);
        let is_next = match scanner.top().spaces {
            spaces if spaces > lines.indent => self.close(scanner, line_break, lines),
            spaces => spaces == lines.indent,
        };
        if is_next { Step::Next(lines.end) } else { Step::Stop }
    }

    /// Closes the blocks that are indented more deeply than the next line. Returns whether the next
    /// line continues the block around them.
    fn close(&mut self, scanner: &mut Scanner, line_break: usize, lines: Lines) -> bool {
        while scanner.top().spaces > lines.indent {
            let is_last = scanner.outer_spaces() <= lines.indent;
            let pos = if is_last { lines.end } else { line_break };
            if self.close_block(pos).is_none() {
                return false;
            }
            scanner.pop();
        }
        scanner.top().spaces == lines.indent
    }

    /// Closes the innermost block, and the entry or pair whose value it is. Its end event is at the
    /// offset `pos`.
    fn close_block(&mut self, pos: usize) -> Option<()> {
        let &[.., under, below, opened, top] = &self.stack[..] else { return None };
        let (start, end) = block_events(TOPS[top.state as usize])?;
        if TOPS[opened.state as usize] != Top::Opened {
            return None;
        }
        // These are the number of symbols on the stack from the entry or pair on, its name, and its
        // value.
        let (count, name, inner) = match (TOPS[below.state as usize], TOPS[under.state as usize]) {
            (Top::Colon, Top::Key) => {
                let (first, last) = (under.value.first, opened.value.first);
                (4, Name::Pairs, Value { first, last, replaced: 0 })
            }
            (Top::Dash, _) => (3, Name::Entries, of(below.value.first)),
            _ => return None,
        };
        let around = self.around(self.stack.len() - count, name)?;
        if top.value.replaced > 0 {
            self.push(EventKind::SequenceEnd, Flags::NONE, pos, 0);
        }
        self.block(start, opened.value.first, None);
        self.push(end, Flags::NONE, pos, 0);
        self.stack.truncate(around.len);
        let value = match (around.before, name) {
            (None, _) => inner,
            (Some(pairs), Name::Pairs) => self.next_pair(pairs, inner),
            (Some(pairs), _) if around.is_mapping => self.replace(pairs, inner),
            (Some(entries), _) => entries,
        };
        self.stack.push(Entry { state: around.state, value });
        Some(())
    }

    /// Returns the entries or pairs to which a new one is added. `at` is the index of its first
    /// symbol on the stack, and `name` the kind of symbols.
    fn around(&self, at: usize, name: Name) -> Option<Collected> {
        let last = *self.stack.get(at.checked_sub(1)?)?;
        if TOPS[last.state as usize] == Top::Opened {
            let state = after_name(last.state, name)?;
            return Some(Collected { len: at, before: None, is_mapping: false, state });
        }
        let before = *self.stack.get(at.checked_sub(2)?)?;
        let top = TOPS[before.state as usize];
        let is_mapping = top == Top::Pairs;
        let fits = is_mapping || top == Top::Entries && name == Name::Entries;
        (fits && TOPS[last.state as usize] == Top::Separator).then_some(Collected {
            len: at - 2,
            before: Some(before.value),
            is_mapping,
            state: before.state,
        })
    }

    /// Writes the value at `pos`. `spaces` is the indentation of the block around it. Returns
    /// `None` if the value is not simple.
    #[inline(always)]
    fn value(&mut self, text: Text<'_>, pos: usize, spaces: i64) -> Option<Written> {
        if let Some((end, lines)) = words_of_line(text, pos, spaces) {
            self.push(EventKind::Plain, Flags::NONE, pos, end - pos);
            return Some(Written { start: pos, end, line_break: end, lines });
        }
        self.other_value(text, pos, spaces)
    }

    /// Writes a value that does not consist only of words. It may have an anchor.
    #[inline(never)]
    fn other_value(&mut self, text: Text<'_>, mut pos: usize, spaces: i64) -> Option<Written> {
        if text.at(pos) == b'&' {
            let end = name(text, pos + 1)?;
            self.property(EventKind::Anchor, pos, end);
            pos = blanks(text, end);
        }
        let (start, end, resume) = match text.at(pos) {
            b'*' => {
                let end = name(text, pos + 1)?;
                self.property(EventKind::Alias, pos, end);
                (pos, end, end)
            }
            b'[' => self.flow_sequence(text, pos)?,
            b'{' => self.flow_mapping(text, pos)?,
            b'|' | b'>' => self.block_scalar(text, pos, spaces)?,
            b'-' | b'.' if text.after_indicator(pos + 1).is_none() => {
                self.plain(text, pos, spaces)?
            }
            b'"' | b'\'' => {
                let (end, scalar) = quoted(text, pos)?;
                self.write(text, scalar, pos, end)?;
                (pos, end, end)
            }
            _ if starts_plain(text, pos) => self.plain(text, pos, spaces)?,
            _ => return None,
        };
        let (line_break, lines) = next_line(text, line_break(text, resume)?)?;
        // Errors on lines that are indented more deeply are left to the tables.
        (lines.indent <= spaces).then_some(Written { start, end, line_break, lines })
    }

    /// Writes the plain scalar at `pos`. Returns its start, its end, and the offset where scanning
    /// continues.
    fn plain(&mut self, text: Text<'_>, pos: usize, spaces: i64) -> Option<(usize, usize, usize)> {
        let found = plain::scan(text, pos, Around::Block, spaces);
        let scalar = ScalarToken {
            is_verbatim: !found.is_multiline,
            is_trimmed: found.is_trimmed,
            ..VERBATIM
        };
        self.write(text, scalar, pos, found.end)?;
        Some((pos, found.end, found.resume))
    }

    /// Writes the literal or folded scalar at `pos`. Returns its start, its end, and the offset
    /// where scanning continues.
    fn block_scalar(
        &mut self,
        text: Text<'_>,
        pos: usize,
        spaces: i64,
    ) -> Option<(usize, usize, usize)> {
        let found = block::scan(text, pos, block::indicator(text, pos)?, |_, _| spaces);
        if found.at_end || found.before_marker {
            return None;
        }
        let is_literal = text.at(pos) == b'|';
        let scalar = ScalarToken {
            style: if is_literal { Style::Literal } else { Style::Folded },
            is_verbatim: false,
            indent: u32::try_from(found.indent.unwrap_or(0)).ok()?,
            ..VERBATIM
        };
        self.write(text, scalar, pos, found.end)?;
        Some((pos, found.end, found.resume))
    }

    /// Writes the sequence in brackets at `pos` if it is on one line and contains only scalars.
    /// Returns the start and the end of its closing bracket, and the offset where scanning
    /// continues.
    fn flow_sequence(&mut self, text: Text<'_>, pos: usize) -> Option<(usize, usize, usize)> {
        self.push(EventKind::SequenceStart, Flags::FLOW, pos, 1);
        let mut at = text.spaces(pos + 1);
        let mut is_first = true;
        while !(is_first && text.at(at) == b']') {
            at = self.flow_scalar(text, at)?;
            if text.at(at) == b']' {
                break;
            }
            at = comma(text, at)?;
            is_first = false;
        }
        self.push(EventKind::SequenceEnd, Flags::FLOW, at, 1);
        Some((at, at + 1, at + 1))
    }

    /// Writes the mapping in brackets at `pos` if it is on one line and contains only scalars.
    /// Returns the same as [`Builder::flow_sequence`].
    fn flow_mapping(&mut self, text: Text<'_>, pos: usize) -> Option<(usize, usize, usize)> {
        self.push(EventKind::MappingStart, Flags::FLOW, pos, 1);
        let mut at = text.spaces(pos + 1);
        let mut is_first = true;
        while !(is_first && text.at(at) == b'}') {
            at = self.flow_scalar(text, at)?;
            if text.at(at) != b':' || text.at(at + 1) != b' ' {
                return None;
            }
            at = self.flow_scalar(text, text.spaces(at + 1))?;
            if text.at(at) == b'}' {
                break;
            }
            at = comma(text, at)?;
            is_first = false;
        }
        self.push(EventKind::MappingEnd, Flags::FLOW, at, 1);
        Some((at, at + 1, at + 1))
    }

    /// Writes the scalar at `pos`, which is in brackets. Returns the offset after it and the spaces
    /// that follow it.
    fn flow_scalar(&mut self, text: Text<'_>, pos: usize) -> Option<usize> {
        let (end, scalar) = match text.at(pos) {
            b'"' | b'\'' => quoted(text, pos)?,
            _ => (words(text, pos)?.end, VERBATIM),
        };
        self.write(text, scalar, pos, end)?;
        Some(text.spaces(end))
    }

    /// Writes a scalar. Returns `None` if the scalar is so long that its length has to be checked.
    #[inline(always)]
    fn write(
        &mut self,
        text: Text<'_>,
        scalar: ScalarToken,
        start: usize,
        end: usize,
    ) -> Option<()> {
        (end - start <= SCALAR_BYTES_MAX).then(|| self.write_scalar(text, start, end, scalar))?
    }
}

/// Returns the offset after the comma at `pos` and the spaces that follow it. Returns `None` if
/// there is no comma with a space after it.
fn comma(text: Text<'_>, pos: usize) -> Option<usize> {
    let is_comma = text.at(pos) == b',' && text.at(pos + 1) == b' ';
    is_comma.then(|| text.spaces(pos + 1))
}

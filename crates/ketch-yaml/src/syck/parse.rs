//! The parser, which turns tokens into the events of a document with the tables of the grammar.
//!
//! Events are appended to one list in the order of the text. Where a collection may start, a no-op is
//! written as a placeholder; it becomes the start once a rule of the grammar says so. Nothing recurses:
//! the parser's stack and the scanner's levels are vectors.

use super::grammar::{Action, RULES, Rule};
use super::scanner::Scanner;
use super::simple::{self, BLOCKS, Block, Line};
use super::table::{ACTIONS, GOTOS};
use super::text::Text;
use super::token::{Kind, ScalarToken, Style, Token};
use crate::event::{Event, EventKind, Flags, LEN_SHIFT};
use crate::fault::Fault;
use crate::limits::Limits;
use crate::location::line_start;
use crate::problem::Problem;
use std::ops::Range;

/// A value on the parser's stack.
#[derive(Clone, Copy, Debug, Default)]
struct Value {
    /// The index of the first event that belongs to it.
    first: u32,
    /// For pairs, the index of the first event of the last value. For tags or anchors above entries, the
    /// index after the last of them.
    last: u32,
    /// For pairs whose last value is being replaced by a sequence, the index of the no-op that will end
    /// it, plus one.
    replaced: u32,
}

/// An entry of the parser's stack.
#[derive(Clone, Copy, Debug)]
struct Entry {
    state: u8,
    value: Value,
}

/// The result of parsing up to the end of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// A document, with the offset of its `---` if it has one.
    Document { marker: Option<usize> },
    /// The end of the stream.
    Nothing,
}

/// Marks a lone `!` in the events of a document that is not finished.
pub(super) const IMPLICIT: Flags = Flags::FLOW;

/// The number of tokens and simple lines between two polls of the interrupt.
const POLL_STEPS: u32 = 4096;

/// The number of events for which memory is reserved at the start of a document.
const FIRST_WORDS: usize = 1024;

/// Longer texts are not simple, so that an event of one word can hold their length.
const MAX_SIMPLE_BYTES: u64 = 1 << 12;

/// What the parser does in a state with a token.
#[derive(Clone, Copy, Debug)]
enum Move {
    /// Takes the token, and goes to a state.
    Shift(u8),
    /// Reduces a rule, given by its action, its number of symbols and its name.
    Reduce(Action, u8, u8),
    Accept,
    /// The grammar does not allow the token here.
    Refuse,
}

/// The moves by state and token: [`ACTIONS`] and [`RULES`] in one table. Its size allows lookups without
/// bounds checks.
static MOVES: [[Move; 32]; 128] = {
    let mut moves = [[Move::Refuse; 32]; 128];
    let mut state = 0;
    while state < ACTIONS.len() {
        let mut kind = 0;
        while kind < ACTIONS[state].len() {
            let action = ACTIONS[state][kind];
            let rule = (-1 - action) as usize;
            moves[state][kind] = if action > 0 {
                Move::Shift((action - 1) as u8)
            } else if action == 0 {
                Move::Refuse
            } else if rule < RULES.len() {
                let Rule { name, symbols, action } = RULES[rule];
                Move::Reduce(action, symbols.len() as u8, name as u8)
            } else {
                Move::Accept
            };
            kind += 1;
        }
        state += 1;
    }
    moves
};

/// Parses documents.
#[derive(Debug, Default)]
pub(super) struct Parser {
    stack: Vec<Entry>,
    /// The events, with offsets from the start of the text from `base` on.
    pub words: Vec<u64>,
    pub base: usize,
    /// Expanded tags; events of tags refer to it instead of to the text.
    pub side: Vec<u8>,
    /// The open brackets.
    brackets: Vec<usize>,
    marker: Option<usize>,
    /// The span of the last token that has text.
    last_start: usize,
    last_end: usize,
}

impl Parser {
    /// Prepares for the next document.
    fn begin(&mut self, scanner: &mut Scanner, text: Text<'_>) {
        scanner.start_document();
        self.stack.clear();
        self.words.clear();
        self.side.clear();
        self.brackets.clear();
        self.marker = None;
        self.stack.push(Entry { state: 0, value: Value::default() });
        self.base = line_start(text.0, scanner.pos().min(text.0.len()));
        self.words.reserve((text.0.len().saturating_sub(self.base) / 8).min(FIRST_WORDS));
        (self.last_start, self.last_end) = (scanner.pos(), scanner.pos());
    }

    /// Parses the next document of `text`.
    pub fn document(
        &mut self,
        scanner: &mut Scanner,
        text: Text<'_>,
        limits: &Limits,
        interrupt: Option<fn() -> bool>,
    ) -> Result<Found, Fault> {
        self.begin(scanner, text);
        let mut last = Token::new(Kind::End, scanner.pos(), scanner.pos());
        let mut steps = 0u32;
        let mut token = scanner.next(text);
        loop {
            let Some(&Entry { state, .. }) = self.stack.last() else { return Ok(Found::Nothing) };
            match MOVES[state as usize & 127][token.kind as usize & 31] {
                Move::Shift(next) => {
                    if steps >= POLL_STEPS {
                        steps = 0;
                        if interrupt.is_some_and(|poll| poll()) {
                            return Err(fault(Problem::Interrupted, token.start, 0));
                        }
                    }
                    steps += 1;
                    if token.kind == Kind::Line
                        && let Some(block) = BLOCKS[state as usize]
                        && let Some(count) = self.simple_lines(scanner, text, block, limits)
                    {
                        steps += count;
                        last = Token::new(Kind::Close, scanner.pos(), scanner.pos());
                        token = scanner.next(text);
                        continue;
                    }
                    let value = self.shift(scanner, text, token, limits)?;
                    self.stack.push(Entry { state: next, value });
                    last = token;
                    token = scanner.next(text);
                }
                Move::Reduce(Action::Nothing, ..) => return Ok(Found::Nothing),
                Move::Reduce(action, count, name) => self.reduce(action, count, name, token),
                Move::Accept => return Ok(Found::Document { marker: self.marker }),
                Move::Refuse => return Err(self.unexpected(last, token, text)),
            }
        }
    }

    /// Parses simple lines of a block, whose first line break has been scanned. Returns their number,
    /// or `None` if the next line is not simple.
    fn simple_lines(
        &mut self,
        scanner: &mut Scanner,
        text: Text<'_>,
        block: Block,
        limits: &Limits,
    ) -> Option<u32> {
        let top = self.stack.last_mut().filter(|entry| entry.value.replaced == 0)?;
        let spaces = scanner.indent_of(block)?;
        let max = limits.max_scalar_bytes.min(MAX_SIMPLE_BYTES) as usize;
        let mut pos = scanner.pos();
        let mut count = 0;
        while count < POLL_STEPS
            && let Some(Line { key, value, breaks }) = simple::line(text, pos, block, spaces)
            && value.end - self.base < u32::MAX as usize
            && self.words.len() < (u32::MAX - 8) as usize
            && key.len().max(value.len()) <= max
        {
            let plain = |span: &Range<usize>| {
                Event::first_word(EventKind::Plain, Flags::NONE, span.start - self.base, span.len())
            };
            if block == Block::Pairs {
                self.words.push(plain(&key));
                top.value.last = self.words.len() as u32;
            }
            self.words.push(plain(&value));
            (self.last_start, self.last_end) = (value.start, value.end);
            // The breaks are scanned again unless the next line belongs to the block.
            scanner.continue_at(value.end, breaks.line);
            count += 1;
            if breaks.indent < spaces {
                break;
            }
            pos = breaks.end;
        }
        (count > 0).then_some(count)
    }

    /// Returns the index of the next event.
    fn index(&self) -> u32 {
        self.words.len() as u32
    }

    /// Writes an event of any length.
    fn push(&mut self, kind: EventKind, flags: Flags, start: usize, len: usize) {
        let start = start.saturating_sub(self.base);
        if len < 1 << (64 - LEN_SHIFT) {
            self.words.push(Event::first_word(kind, flags, start, len));
        } else {
            self.push_long(kind, flags, start, len, 0);
        }
    }

    /// Writes an event of two words. `extra` is its indentation or code.
    fn push_long(&mut self, kind: EventKind, flags: Flags, start: usize, len: usize, extra: u32) {
        self.words.push(Event::first_word(kind, flags.with(Flags::EXTENDED), start, 0));
        self.words.push(len as u64 | u64::from(extra) << crate::event::LONG_LEN_BITS);
    }

    /// Handles a token: writes its events, or a no-op where a collection may start.
    fn shift(
        &mut self,
        scanner: &mut Scanner,
        text: Text<'_>,
        token: Token,
        limits: &Limits,
    ) -> Result<Value, Fault> {
        let Token { kind, start, end, scalar } = token;
        let value = Value { first: self.index(), ..Value::default() };
        if (start - self.base) > u32::MAX as usize || self.words.len() > (u32::MAX - 8) as usize {
            return Err(fault(Problem::DocumentTooLarge, start, 1));
        }
        match kind {
            Kind::Anchor => self.push(EventKind::Anchor, Flags::NONE, start, end - start),
            Kind::Alias => self.push(EventKind::Alias, Flags::NONE, start, end - start),
            Kind::Tag => self.tag(scanner, start, end, limits)?,
            Kind::Implicit => self.push(EventKind::Tag, IMPLICIT, start, 1),
            Kind::Scalar | Kind::Block => {
                if let Some(scalar) = scalar {
                    self.scalar(text, start, end, scalar, limits)?;
                }
            }
            Kind::Marker => self.marker = Some(start),
            Kind::SequenceOpen | Kind::SequenceClose | Kind::MappingOpen | Kind::MappingClose => {
                self.bracket(kind, start)
            }
            Kind::Comma | Kind::Open => self.push(EventKind::Nop, Flags::NONE, end, 0),
            Kind::Line => self.line(end),
            Kind::Dash => {
                self.warn_if_replacing(scanner, start);
                self.push(EventKind::Nop, Flags::NONE, start, 0);
            }
            Kind::Question | Kind::Colon | Kind::Close | Kind::End => {}
        }
        if !matches!(kind, Kind::Open | Kind::Line | Kind::Close | Kind::End) {
            (self.last_start, self.last_end) = (start, end);
        }
        Ok(value)
    }

    /// Handles a bracket. A pair may start after the opening bracket of a sequence.
    fn bracket(&mut self, kind: Kind, start: usize) {
        let event = match kind {
            Kind::SequenceOpen => EventKind::SequenceStart,
            Kind::SequenceClose => EventKind::SequenceEnd,
            Kind::MappingOpen => EventKind::MappingStart,
            _ => EventKind::MappingEnd,
        };
        self.push(event, Flags::FLOW, start, 1);
        match kind {
            Kind::SequenceOpen | Kind::MappingOpen => self.brackets.push(start),
            _ => drop(self.brackets.pop()),
        }
        if kind == Kind::SequenceOpen {
            self.push(EventKind::Nop, Flags::NONE, start + 1, 0);
        }
    }

    /// Handles the start of a line in a mapping where a sequence replaces a value: writes a no-op, which
    /// ends the sequence if a key follows.
    fn line(&mut self, pos: usize) {
        let index = self.index();
        if let Some(Entry { value, .. }) = self.stack.last_mut()
            && value.replaced > 0
        {
            value.replaced = index + 1;
            self.push(EventKind::Nop, Flags::NONE, pos, 0);
        }
    }

    /// Warns if the `-` at `start` replaces the value of a key. The topmost entries of the stack are then
    /// the pairs and the separator.
    fn warn_if_replacing(&self, scanner: &mut Scanner, start: usize) {
        let Some(pairs) = self.stack.len().checked_sub(2).map(|at| self.stack[at].value) else {
            return;
        };
        if pairs.last > 0 && pairs.replaced == 0 {
            let value = self.words.get(pairs.last as usize).map(|&word| Event::unpack(word));
            let is_empty =
                value.is_some_and(|event| event.kind == EventKind::Plain && event.len == 0);
            if !is_empty {
                scanner.warn(Problem::SyckReplaced, start, 1);
            }
        }
    }

    /// Writes a tag. Its text is kept separately until the document is finished.
    fn tag(
        &mut self,
        scanner: &Scanner,
        start: usize,
        end: usize,
        limits: &Limits,
    ) -> Result<(), Fault> {
        let from = self.side.len();
        self.side.extend_from_slice(b"!<");
        escape_tag(&scanner.tag, &mut self.side);
        self.side.push(b'>');
        let max = limits.max_tag_bytes.at((end - self.base) as u64);
        if self.side.len() as u64 > max {
            return Err(fault(Problem::TooMuchTagText(max), start, end - start));
        }
        let len = self.side.len() - from;
        // The offset refers to the separate text until the document is finished.
        self.push_long(EventKind::Tag, Flags::NONE, from, len, 0);
        Ok(())
    }

    /// Writes a scalar. Fails if it is too long.
    fn scalar(
        &mut self,
        text: Text<'_>,
        start: usize,
        end: usize,
        scalar: ScalarToken,
        limits: &Limits,
    ) -> Result<(), Fault> {
        let len = end - start;
        let max = limits.max_scalar_bytes.min(crate::limits::SCALAR_BYTES_CEILING);
        if len as u64 > max {
            return Err(fault(Problem::ScalarTooLong(max), start, len.min(1)));
        }
        let kind = match scalar.style {
            Style::Plain => EventKind::Plain,
            Style::SingleQuoted => EventKind::SingleQuoted,
            Style::DoubleQuoted => EventKind::DoubleQuoted,
            Style::Literal => EventKind::Literal,
            Style::Folded => EventKind::Folded,
        };
        let bytes = &text.0[start..end];
        if scalar.is_verbatim && super::decode::is_usual(kind, bytes) {
            self.push(kind, Flags::NONE, start, len);
            return Ok(());
        }
        let Some(extra) = super::decode::extra(kind, scalar) else {
            return Err(fault(Problem::IndentTooDeep, start, 1));
        };
        let flags = super::decode::flags(scalar);
        let start = start.saturating_sub(self.base);
        self.push_long(kind, flags, start, len, extra);
        Ok(())
    }

    /// Reduces a rule: replaces its symbols on the stack by its name.
    #[inline]
    fn reduce(&mut self, action: Action, count: u8, name: u8, token: Token) {
        let count = usize::from(count);
        let from = self.stack.len() - count;
        let symbols = &self.stack[from..];
        let at = |index: usize| symbols.get(index).map_or(Value::default(), |entry| entry.value);
        let value = match action {
            Action::First | Action::Marked | Action::Nothing => at(0),
            Action::Second => Value { first: at(0).first, ..at(1) },
            _ => self.reduced(action, count, [at(0), at(1), at(2)], token.start),
        };
        self.stack.truncate(from);
        let state = self.stack.last().map_or(0, |entry| entry.state);
        self.stack.push(Entry { state: GOTOS[state as usize][name as usize], value });
    }

    /// Performs the action of a rule on the values of its symbols. The next token starts at `pos`.
    fn reduced(&mut self, action: Action, count: usize, values: [Value; 3], pos: usize) -> Value {
        let [value, second, third] = values;
        let of = |first: u32| Value { first, ..Value::default() };
        match action {
            Action::Sequence | Action::HeadedSequence => {
                let head = (action == Action::HeadedSequence).then_some(second.last);
                let value = self.block(EventKind::SequenceStart, value.first, head);
                self.push(EventKind::SequenceEnd, Flags::NONE, pos, 0);
                value
            }
            Action::Mapping | Action::HeadedMapping => {
                if second.replaced > 0 {
                    self.push(EventKind::SequenceEnd, Flags::NONE, pos, 0);
                }
                let head = (action == Action::HeadedMapping).then_some(second.last);
                let value = self.block(EventKind::MappingStart, value.first, head);
                self.push(EventKind::MappingEnd, Flags::NONE, pos, 0);
                value
            }
            // The second symbol is the separator, or the head below this one.
            Action::Head | Action::HeadPairs => {
                let last = if count == 3 { second.first } else { second.last };
                let replaced = if count == 3 { third.replaced } else { second.replaced };
                Value { first: value.first, last, replaced }
            }
            Action::Pair => Value { first: value.first, last: third.first, replaced: 0 },
            Action::Replace => self.replace(value, third),
            Action::NextPair => self.next_pair(value, third),
            Action::SinglePair => self.single_pair(value),
            Action::Empty => {
                let first = self.index();
                self.push(EventKind::Plain, Flags::NONE, self.last_end, 0);
                of(first)
            }
            Action::KeyOnly => {
                self.push(EventKind::Plain, Flags::NONE, self.last_end, 0);
                value
            }
            _ => of(value.first),
        }
    }

    /// Adds a pair to others, which ends a sequence that replaced the value before it.
    fn next_pair(&mut self, pairs: Value, pair: Value) -> Value {
        if let Some(end) = pairs.replaced.checked_sub(1) {
            let nop = &mut self.words[end as usize];
            *nop = of_kind(*nop, EventKind::SequenceEnd, Flags::NONE);
        }
        Value { first: pairs.first, last: pair.last, replaced: 0 }
    }

    /// Makes a mapping of a pair in a sequence. The word before the key is the no-op of the bracket or
    /// comma.
    fn single_pair(&mut self, pair: Value) -> Value {
        let slot = pair.first - 1;
        let nop = &mut self.words[slot as usize];
        *nop = of_kind(*nop, EventKind::MappingStart, Flags::FLOW);
        self.push(EventKind::MappingEnd, Flags::FLOW, self.last_end, 0);
        Value { first: slot, ..Value::default() }
    }

    /// Makes the no-op at `slot` the start of a collection. The properties up to `head` go before
    /// it.
    fn block(&mut self, kind: EventKind, slot: u32, head: Option<u32>) -> Value {
        let slot = slot as usize;
        let end = head.map_or(slot + 1, |head| head as usize);
        self.words[slot] = of_kind(self.words[slot], kind, Flags::NONE);
        self.words[slot..end].rotate_left(1);
        Value { first: slot as u32, ..Value::default() }
    }

    /// Replaces the last value of `pairs` by a sequence, whose next entry is `entry`.
    fn replace(&mut self, pairs: Value, entry: Value) -> Value {
        if pairs.replaced > 0 {
            return Value { replaced: self.index(), ..pairs };
        }
        let (from, to) = (pairs.last as usize, entry.first as usize);
        let nop = self.words[to];
        self.words[from..to].fill(nop);
        self.words[from] = of_kind(nop, EventKind::SequenceStart, Flags::NONE);
        Value { replaced: self.index(), ..pairs }
    }

    /// Returns the fault for a token that the grammar does not allow here.
    fn unexpected(&self, last: Token, token: Token, text: Text<'_>) -> Fault {
        let bracket = self.brackets.last().copied();
        let is_sequence = bracket.is_some_and(|at| text.at(at) == b'[');
        let len = (token.end - token.start).clamp(1, 64);
        let problem = match (token.kind, bracket) {
            (Kind::SequenceClose | Kind::MappingClose, Some(_)) if last.kind == Kind::Comma => {
                return fault(Problem::SyckTrailingComma, last.start, 1);
            }
            (Kind::SequenceClose, Some(at)) if !is_sequence => {
                return related(Problem::SyckWrongBracket, token.start, 1, at);
            }
            (Kind::MappingClose, Some(at)) if is_sequence => {
                return related(Problem::SyckWrongBracket, token.start, 1, at);
            }
            (Kind::End | Kind::Close, Some(at)) => {
                return related(Problem::SyckOpenBracket, token.start, 1, at);
            }
            (Kind::Comma, Some(_)) => Problem::SyckComma,
            (_, Some(at)) => return related(Problem::SyckInBrackets, token.start, len, at),
            (Kind::SequenceClose | Kind::MappingClose | Kind::Comma, None) => {
                Problem::SyckStrayIndicator
            }
            (Kind::Colon, None) => Problem::SyckColon,
            (Kind::Dash | Kind::Question, None) => Problem::SyckEntry,
            (Kind::Line | Kind::Close | Kind::End, None) => {
                let len = (self.last_end - self.last_start).clamp(1, 64);
                return fault(Problem::SyckNoColon, self.last_start, len);
            }
            (Kind::Open, None) => Problem::SyckIndentation,
            _ => Problem::SyckUnexpected,
        };
        fault(problem, token.start, len)
    }
}

/// Turns a no-op into an event at the same offset.
fn of_kind(nop: u64, kind: EventKind, flags: Flags) -> u64 {
    Event::first_word(kind, flags, Event::unpack(nop).start, 0)
}

/// Creates a fault without a related location.
fn fault(problem: Problem, at: usize, len: usize) -> Fault {
    Fault { problem, at: at as u64, len, related: None }
}

/// Creates a fault with a related location.
fn related(problem: Problem, at: usize, len: usize, related: usize) -> Fault {
    Fault { problem, at: at as u64, len, related: Some(related as u64) }
}

/// Appends a tag so that it reads back the same: `%` and invalid UTF-8 are escaped.
fn escape_tag(tag: &[u8], out: &mut Vec<u8>) {
    for chunk in tag.utf8_chunks() {
        for byte in chunk.valid().bytes() {
            match byte {
                b'%' => out.extend_from_slice(b"%25"),
                byte => out.push(byte),
            }
        }
        // As in Syck, other bytes are read as Latin-1.
        for &byte in chunk.invalid() {
            let mut utf8 = [0; 4];
            out.extend_from_slice(char::from(byte).encode_utf8(&mut utf8).as_bytes());
        }
    }
}

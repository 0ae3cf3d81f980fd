//! The stack of the parser, and the effects of tokens and rules on the stack and the events.
//!
//! Events are appended to one list in the order of the text. Where a collection may start, a no-op
//! is written as a placeholder. It becomes the start of a collection when a rule of the grammar is
//! reduced that says so.

use super::grammar::Action;
use super::scanner::Scanner;
use super::table::GOTOS;
use super::text::Text;
use super::token::{Kind, ScalarToken, Style, Token};
use ketch_yaml::internal::{Fault, LEN_SHIFT, line_start};
use ketch_yaml::{Event, EventKind, Flags, Limits, Problem};

/// The value of a symbol on the parser's stack.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Value {
    /// The index of the first event that belongs to the symbol.
    pub first: u32,
    /// For pairs, the index of the first event of the last value. For tags or anchors above
    /// entries, the index after the last of these.
    pub last: u32,
    /// For pairs whose last value is being replaced by a sequence, one more than the index of the
    /// no-op that will become the end of that sequence. Otherwise 0.
    pub replaced: u32,
}

/// An entry of the parser's stack: a state and the value of the symbol that led to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub state: u8,
    pub value: Value,
}

/// The flag of the tag event for a lone `!`, until the document is finished.
pub(super) const IMPLICIT: Flags = Flags::FLOW;

/// The maximum number of events for which memory is reserved at the start of a document.
const FIRST_WORDS: usize = 1024;

/// The length of the stack for which memory is reserved. It is enough for a few nested collections.
const STACK: usize = 32;

/// The maximum number of open collections without a symbol on the stack.
const UNSTACKED: usize = 2;

/// The stack of the parser, and the events of the document so far.
#[derive(Debug, Default)]
pub(super) struct Builder {
    pub stack: Vec<Entry>,
    /// The events, with offsets relative to `base`. The first word is a no-op, which the start of
    /// the document replaces.
    pub words: Vec<u64>,
    /// The offset in the text of the line on which the document starts.
    pub base: usize,
    /// The expanded tags. Tag events refer to them instead of to the text.
    pub side: Vec<u8>,
    /// The offsets of the open brackets.
    pub brackets: Vec<usize>,
    /// The offset of the document's `---`, if it has one.
    pub marker: Option<usize>,
    /// Whether the document contains anchors, aliases or tags.
    pub has_properties: bool,
    /// The greatest length of the stack so far. The depth of nesting exceeds it by at most
    /// [`UNSTACKED`].
    pub deepest: usize,
    /// The start of the last token that has text.
    pub last_start: usize,
    /// The end of that token.
    pub last_end: usize,
}

impl Builder {
    /// Prepares for the next document, which starts at the offset `pos`.
    pub fn begin(&mut self, text: Text<'_>, pos: usize) {
        self.stack.clear();
        self.words.clear();
        self.side.clear();
        self.brackets.clear();
        self.marker = None;
        self.has_properties = false;
        self.deepest = 0;
        self.stack.reserve(STACK);
        self.stack.push(Entry { state: 0, value: Value::default() });
        self.base = line_start(text.0, pos.min(text.0.len()));
        self.words.reserve((text.0.len().saturating_sub(self.base) / 4).min(FIRST_WORDS));
        self.words.push(0);
        (self.last_start, self.last_end) = (pos, pos);
    }

    /// Records the length of the stack if it is the greatest so far.
    #[inline(always)]
    pub fn measure(&mut self) {
        self.deepest = self.deepest.max(self.stack.len());
    }

    /// Returns whether the events need no last pass. This is so if there are no properties, and
    /// collections are certainly not nested more deeply than `limits` allow.
    pub fn is_finished(&self, limits: &Limits) -> bool {
        !self.has_properties && limits.max_depth.allows((self.deepest + UNSTACKED) as u64, 0)
    }

    /// Returns the index that the next event will have.
    pub fn index(&self) -> u32 {
        self.words.len() as u32
    }

    /// Appends an event with `len` bytes, in one or two words.
    pub fn push(&mut self, kind: EventKind, flags: Flags, start: usize, len: usize) {
        let start = start.saturating_sub(self.base);
        if len < 1 << (64 - LEN_SHIFT) {
            self.words.push(Event::first_word(kind, flags, start, len));
        } else {
            self.push_long(kind, flags, start, len, 0);
        }
    }

    /// Appends an event of two words. `extra` is its indentation or code.
    pub fn push_long(
        &mut self,
        kind: EventKind,
        flags: Flags,
        start: usize,
        len: usize,
        extra: u32,
    ) {
        self.words.push(Event::first_word(kind, flags.with(Flags::EXTENDED), start, 0));
        self.words.push(len as u64 | u64::from(extra) << ketch_yaml::internal::LONG_LEN_BITS);
    }

    /// Processes a token: appends its events, or a no-op where a collection may start. Returns the
    /// value of its symbol.
    pub fn shift(
        &mut self,
        scanner: &mut Scanner,
        text: Text<'_>,
        token: Token,
        limits: &Limits,
    ) -> Result<Value, Fault> {
        let Token { kind, start, end, scalar } = token;
        self.measure();
        let value = Value { first: self.index(), ..Value::default() };
        if (start - self.base) > u32::MAX as usize || self.words.len() > (u32::MAX - 8) as usize {
            return Err(fault(Problem::DocumentTooLarge, start, 1));
        }
        match kind {
            Kind::Anchor => self.property(EventKind::Anchor, start, end),
            Kind::Alias => self.property(EventKind::Alias, start, end),
            Kind::Tag => self.tag(scanner, start, end, limits)?,
            Kind::Implicit => self.implicit(start),
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

    /// Appends the event of a lone `!`.
    fn implicit(&mut self, start: usize) {
        self.has_properties = true;
        self.push(EventKind::Tag, IMPLICIT, start, 1);
    }

    /// Appends the event of an anchor or an alias.
    pub fn property(&mut self, kind: EventKind, start: usize, end: usize) {
        self.has_properties = true;
        self.push(kind, Flags::NONE, start, end - start);
    }

    /// Appends the event of a bracket. After the opening bracket of a sequence, also appends a
    /// no-op, because a pair may start there.
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

    /// Processes the start of a line. In a mapping in which a sequence replaces a value, appends a
    /// no-op, which becomes the end of the sequence if a key follows.
    fn line(&mut self, pos: usize) {
        let index = self.index();
        if let Some(Entry { value, .. }) = self.stack.last_mut()
            && value.replaced > 0
        {
            value.replaced = index + 1;
            self.push(EventKind::Nop, Flags::NONE, pos, 0);
        }
    }

    /// Warns if the `-` at `start` replaces the value of a key. If it does, the topmost entries of
    /// the stack are the pairs and the separator.
    fn warn_if_replacing(&self, scanner: &mut Scanner, start: usize) {
        let Some(pairs) = self.stack.len().checked_sub(2).map(|at| self.stack[at].value) else {
            return;
        };
        if pairs.last > 0 && pairs.replaced == 0 {
            let value = self.words.get(pairs.last as usize).map(|&word| Event::unpack(word));
            let is_empty = value.is_some_and(|event| {
                event.kind == EventKind::Plain
                    && event.len == 0
                    && !event.flags.has(Flags::EXTENDED)
            });
            if !is_empty {
                scanner.warn(Problem::SyckReplaced, start, 1);
            }
        }
    }

    /// Appends the event of a tag. The expanded tag is kept in `side` until the document is
    /// finished.
    fn tag(
        &mut self,
        scanner: &Scanner,
        start: usize,
        end: usize,
        limits: &Limits,
    ) -> Result<(), Fault> {
        self.has_properties = true;
        let from = self.side.len();
        self.side.extend_from_slice(b"!<");
        escape_tag(&scanner.tag, &mut self.side);
        self.side.push(b'>');
        let max = limits.max_tag_bytes.at((end - self.base) as u64);
        if self.side.len() as u64 > max {
            return Err(fault(Problem::TooMuchTagText(max), start, end - start));
        }
        let len = self.side.len() - from;
        // Until the document is finished, the offset is one in `side`.
        self.push_long(EventKind::Tag, Flags::NONE, from, len, 0);
        Ok(())
    }

    /// Appends the event of a scalar. Fails if the scalar is too long.
    pub fn scalar(
        &mut self,
        text: Text<'_>,
        start: usize,
        end: usize,
        scalar: ScalarToken,
        limits: &Limits,
    ) -> Result<(), Fault> {
        let len = end - start;
        let max = limits.max_scalar_bytes.min(ketch_yaml::internal::SCALAR_BYTES_CEILING);
        if len as u64 > max {
            return Err(fault(Problem::ScalarTooLong(max), start, len.min(1)));
        }
        let written = self.write_scalar(text, start, end, scalar);
        written.ok_or_else(|| fault(Problem::IndentTooDeep, start, 1))
    }

    /// Appends the event of a scalar. Returns `None` if the scalar is indented too deeply for an
    /// event.
    #[inline]
    pub fn write_scalar(
        &mut self,
        text: Text<'_>,
        start: usize,
        end: usize,
        scalar: ScalarToken,
    ) -> Option<()> {
        let kind = match scalar.style {
            Style::Plain => EventKind::Plain,
            Style::SingleQuoted => EventKind::SingleQuoted,
            Style::DoubleQuoted => EventKind::DoubleQuoted,
            Style::Literal => EventKind::Literal,
            Style::Folded => EventKind::Folded,
        };
        let bytes = &text.0[start..end];
        if scalar.is_verbatim && super::decode::is_usual(kind, bytes) {
            self.push(kind, Flags::NONE, start, end - start);
            return Some(());
        }
        let extra = super::decode::extra(kind, scalar)?;
        let flags = super::decode::flags(scalar);
        self.push_long(kind, flags, start.saturating_sub(self.base), end - start, extra);
        Some(())
    }

    /// Reduces a rule: replaces its `count` symbols on the stack by the symbol `name`. `token` is
    /// the next token.
    #[inline]
    pub fn reduce(&mut self, action: Action, count: u8, name: u8, token: Token) {
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

    /// Performs the action of a rule on the values of its first symbols, and returns the value of
    /// its result. The next token starts at `pos`.
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

    /// Adds `pair` to `pairs`. If a sequence replaced the last value of `pairs`, the sequence ends
    /// here.
    pub fn next_pair(&mut self, pairs: Value, pair: Value) -> Value {
        if let Some(end) = pairs.replaced.checked_sub(1) {
            let nop = &mut self.words[end as usize];
            *nop = of_kind(*nop, EventKind::SequenceEnd, Flags::NONE);
        }
        Value { first: pairs.first, last: pair.last, replaced: 0 }
    }

    /// Makes `pair`, which is in a sequence, a mapping. The word before its key is the no-op of the
    /// bracket or the comma.
    fn single_pair(&mut self, pair: Value) -> Value {
        let slot = pair.first - 1;
        let nop = &mut self.words[slot as usize];
        *nop = of_kind(*nop, EventKind::MappingStart, Flags::FLOW);
        self.push(EventKind::MappingEnd, Flags::FLOW, self.last_end, 0);
        Value { first: slot, ..Value::default() }
    }

    /// Makes the no-op at `slot` the start event of a collection. The properties between it and
    /// `head` are moved before it.
    pub fn block(&mut self, kind: EventKind, slot: u32, head: Option<u32>) -> Value {
        let slot = slot as usize;
        let end = head.map_or(slot + 1, |head| head as usize);
        self.words[slot] = of_kind(self.words[slot], kind, Flags::NONE);
        self.words[slot..end].rotate_left(1);
        Value { first: slot as u32, ..Value::default() }
    }

    /// Adds `entry` to the sequence that replaces the last value of `pairs`. If there is no such
    /// sequence yet, starts it.
    pub fn replace(&mut self, pairs: Value, entry: Value) -> Value {
        if pairs.replaced > 0 {
            return Value { replaced: self.index(), ..pairs };
        }
        let (from, to) = (pairs.last as usize, entry.first as usize);
        let nop = self.words[to];
        self.words[from..to].fill(nop);
        self.words[from] = of_kind(nop, EventKind::SequenceStart, Flags::NONE);
        Value { replaced: self.index(), ..pairs }
    }
}

/// Returns the word of an event that replaces the no-op `nop`, at the same offset.
fn of_kind(nop: u64, kind: EventKind, flags: Flags) -> u64 {
    Event::first_word(kind, flags, Event::unpack(nop).start, 0)
}

/// Creates a fault without a related location. `at` and `len` are its place in the text.
pub(super) fn fault(problem: Problem, at: usize, len: usize) -> Fault {
    Fault { problem, at: at as u64, len, related: None }
}

/// Appends `tag` in a form that is read as the same tag: `%` is escaped, and invalid UTF-8 is
/// converted.
fn escape_tag(tag: &[u8], out: &mut Vec<u8>) {
    for chunk in tag.utf8_chunks() {
        for byte in chunk.valid().bytes() {
            match byte {
                b'%' => out.extend_from_slice(b"%25"),
                byte => out.push(byte),
            }
        }
        // As in Syck, bytes that are not UTF-8 are read as Latin-1.
        for &byte in chunk.invalid() {
            let mut utf8 = [0; 4];
            out.extend_from_slice(char::from(byte).encode_utf8(&mut utf8).as_bytes());
        }
    }
}

//! Flow collections (YAML 1.2.2, section 7.4), one token at a time.
//!
//! A flow collection may turn out to be a key, which is known only at the `:` behind it. So a
//! [`EventKind::Nop`] is written in front of each one that stands where a key may; the `:` makes it
//! the start of a mapping. Such keys end on their line and fit 1,024 characters, so the events that
//! must be held back for it are few.

use super::engine::{Context, Engine, Frame, Halt, Rest, State, Step};
use crate::error::{Fault, Problem};
use crate::event::{EventKind, Flags};
use crate::scan::class::{is_blank_or_break, is_flow_indicator};
use crate::scan::plain::{PlainLine, plain_line_in_flow};
use crate::scan::quoted::{self, QuotedError};
use crate::scan::text::Text;
use crate::scan::window::Window;
use ketch_bytes::{BLOCK_BYTES, Kernel, Lanes};

/// What an open flow collection waits for. A pair is a mapping of one entry in a sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FlowState {
    SequenceEntry,
    SequenceAfterEntry,
    MappingKey,
    MappingExplicitKey,
    MappingAfterKey,
    MappingValue,
    MappingAfterValue,
    PairExplicitKey,
    PairAfterKey,
    PairValue,
    PairAfterValue,
}

impl FlowState {
    #[inline(always)]
    fn awaits_node(self) -> bool {
        use FlowState::*;
        matches!(
            self,
            SequenceEntry
                | MappingKey
                | MappingExplicitKey
                | MappingValue
                | PairExplicitKey
                | PairValue
        )
    }

    /// The state once the awaited node is there.
    #[inline(always)]
    fn done(self) -> FlowState {
        use FlowState::*;
        match self {
            SequenceEntry => SequenceAfterEntry,
            MappingKey | MappingExplicitKey => MappingAfterKey,
            MappingValue => MappingAfterValue,
            PairExplicitKey => PairAfterKey,
            PairValue => PairAfterValue,
            done => done,
        }
    }

    fn is_pair(self) -> bool {
        use FlowState::*;
        matches!(self, PairExplicitKey | PairAfterKey | PairValue | PairAfterValue)
    }

    fn is_sequence(self) -> bool {
        matches!(self, FlowState::SequenceEntry | FlowState::SequenceAfterEntry)
    }
}

/// An open flow collection. Offsets and indices count from the start of the stream, so that
/// neither a moved text nor a taken chunk touches them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FlowFrame {
    pub state: FlowState,
    /// The last node was quoted or a flow collection: its `:` needs no blank behind it.
    pub adjacent: bool,
    pub start: u64,
    /// Index of its first word: the no-op, where there is one.
    pub first_word: u64,
}

/// A flow collection that has just been closed in a sequence, and may yet be the key of a pair.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KeyCandidate {
    pub start: u64,
    pub first_word: u64,
}

/// What has to be known of the outermost flow collection when it closes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FlowRoot {
    context: Context,
    tabbed: bool,
    /// Start of the block line that it opens on.
    line: u64,
    /// Column of the mapping whose first key it would be.
    column: isize,
    /// Properties of an earlier line that it can share only with a key.
    conflict: Option<Fault>,
    /// Start of the line that is being read.
    pub current_line: u64,
    /// How many words were handed over before those at hand.
    words_taken: u64,
    pub closed: Option<KeyCandidate>,
}

impl FlowRoot {
    /// The outermost collection opens at `column` of the line at `line`, without properties.
    #[inline(always)]
    pub fn simple(context: Context, line: u64, column: isize) -> FlowRoot {
        FlowRoot { context, line, column, current_line: line, ..FlowRoot::default() }
    }

    /// The index in the stream of the word that comes behind `words` words at hand.
    #[inline(always)]
    pub fn word_index(&self, words: usize) -> u64 {
        self.words_taken + words as u64
    }

    /// Whether it need not be a key.
    #[inline(always)]
    pub fn is_simple(&self) -> bool {
        self.conflict.is_none() && self.context != Context::Entry
    }
}

impl Default for FlowRoot {
    #[inline(always)]
    fn default() -> Self {
        FlowRoot {
            context: Context::Inline,
            tabbed: false,
            line: 0,
            column: 0,
            conflict: None,
            current_line: 0,
            words_taken: 0,
            closed: None,
        }
    }
}

/// Stands for the line of properties in flow context, where lines make no difference to them.
pub(super) const FLOW_LINE: usize = usize::MAX;

/// The next line of a plain scalar, as a call of its own.
struct FurtherLine<'t> {
    text: Text<'t>,
    start: usize,
}

impl Kernel for FurtherLine<'_> {
    type Output = Option<PlainLine>;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Option<PlainLine> {
        plain_line_in_flow(lanes, self.text, self.start)
    }
}

/// One token of any kind, as a call of its own.
struct OneToken<'e, 't> {
    engine: &'e mut Engine,
    text: Text<'t>,
}

impl Kernel for OneToken<'_, '_> {
    type Output = Step;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Step {
        self.engine.flow_token(lanes, self.text)
    }
}

impl Engine {
    pub(super) fn absolute(&self, at: usize) -> u64 {
        self.base + at as u64
    }

    pub(super) fn word_index(&self) -> u64 {
        self.flow_root.word_index(self.events.len())
    }

    /// Opens the outermost flow collection, at `at` in block context.
    #[inline(never)]
    pub(super) fn open_flow_root(
        &mut self,
        text: Text<'_>,
        line: usize,
        at: usize,
        context: Context,
        tabbed: bool,
    ) -> Step {
        let on_line = self.properties.on_line(line);
        let key_start = if on_line { self.properties.inner_start } else { at };
        self.flow_root = FlowRoot {
            context,
            tabbed,
            line: self.absolute(line),
            column: (key_start - line) as isize,
            conflict: None,
            current_line: self.absolute(line),
            words_taken: 0,
            closed: None,
        };
        let first_word;
        if context == Context::Block {
            if self.properties.any {
                self.flow_root.conflict = self.properties_conflict(line);
                self.emit_outer_properties(line)?;
            }
            first_word = self.word_index();
            // With properties that one node cannot have, it must be a key.
            let kind = match self.flow_root.conflict {
                Some(_) => EventKind::MappingStart,
                None => EventKind::Nop,
            };
            self.events.push_short(kind, Flags::NONE, key_start, 0);
        } else {
            first_word = self.word_index();
        }
        self.emit_all_properties()?;
        self.rest = Rest::Flow;
        self.push_flow(text, at, first_word)?;
        self.awaited_at = at + 1;
        Ok(at + 1)
    }

    /// The two sets of properties that only a key and its mapping can share out.
    fn properties_conflict(&self, line: usize) -> Option<Fault> {
        if self.properties.inner_line != line {
            return None;
        }
        let (outer, inner) = (self.properties.outer, self.properties.inner);
        let (problem, first, second) = match (outer.anchor, inner.anchor, outer.tag, inner.tag) {
            (Some(first), Some(second), ..) => (Problem::TwoAnchors, first, second),
            (_, _, Some(first), Some(second)) => (Problem::TwoTags, first, second),
            _ => return None,
        };
        let related = Some(self.absolute(first.start));
        Some(Fault { problem, at: self.absolute(second.start), len: second.len, related })
    }

    /// Writes the start of the collection at `at` and opens its frame.
    // [137] c-flow-sequence, [140] c-flow-mapping.
    //
    // example: flow_collections
    //     [a, {b: c}]
    // events: +SEQ [] =VAL :a +MAP {} =VAL :b =VAL :c -MAP -SEQ
    #[inline(always)]
    fn push_flow(&mut self, text: Text<'_>, at: usize, first_word: u64) -> Result<(), Halt> {
        let (kind, state) = if text.byte(at) == b'[' {
            (EventKind::SequenceStart, FlowState::SequenceEntry)
        } else {
            (EventKind::MappingStart, FlowState::MappingKey)
        };
        self.events.push_short(kind, Flags::FLOW, at, 1);
        let start = self.absolute(at);
        self.flow.push(FlowFrame { state, adjacent: false, start, first_word });
        self.check_depth(at)
    }

    /// Tokens until the chunk is full or the outermost collection is closed.
    #[inline(always)]
    pub(super) fn flow_tokens<L: Lanes>(&mut self, lanes: L, text: Text<'_>) -> Step {
        loop {
            if !self.properties.any && self.settings.has_fast_lanes {
                self.fast_flow(lanes, text);
                if self.rest != Rest::Flow {
                    return Ok(self.pos);
                }
            }
            self.pos = lanes.outline(OneToken { engine: self, text })?;
            if self.rest != Rest::Flow || self.is_chunk_full() {
                return Ok(self.pos);
            }
        }
    }

    /// One token of any kind.
    // [157] c-flow-json-content.
    //
    // example: quotes_and_brackets_end_themselves
    //     ["a",[b]]
    // events: +SEQ [] =VAL "a +SEQ [] =VAL :b -SEQ -SEQ
    #[inline(always)]
    fn flow_token<L: Lanes>(&mut self, lanes: L, text: Text<'_>) -> Step {
        self.pos = self.flow_blanks(lanes, text, self.pos)?;
        let pos = self.pos;
        match text.byte(pos) {
            b'"' | b'\'' => self.flow_quoted(lanes, text, pos),
            b',' => self.flow_comma(pos),
            b'[' | b'{' => self.flow_open(text, pos),
            b']' | b'}' => self.flow_close(lanes, text, pos),
            b':' if self.is_flow_value(text, pos)? => self.flow_value(text, pos),
            _ => self.flow_other(lanes, text, pos),
        }
    }

    /// The first character from `pos` on that is no white space and in no comment.
    #[inline(always)]
    fn flow_blanks<L: Lanes>(&mut self, lanes: L, text: Text<'_>, pos: usize) -> Step {
        let byte = text.byte(pos);
        if pos < text.bytes.len() && !is_blank_or_break(byte) && byte != b'#' {
            return Ok(pos);
        }
        if byte == b' ' && !is_blank_or_break(text.byte(pos + 1)) && text.byte(pos + 1) != b'#' {
            return Ok(pos + 1);
        }
        // Most often a line break and the indentation of the next line.
        let window = Window::load(lanes, text, pos);
        let run = (!window.blank).trailing_zeros() as usize;
        let end = pos + run;
        if run == BLOCK_BYTES || end >= text.bytes.len() || text.byte(end) == b'#' {
            return self.flow_blanks_slowly(text, pos);
        }
        let breaks = window.newline & !(u64::MAX << run);
        if breaks != 0 {
            let line = pos + BLOCK_BYTES - breaks.leading_zeros() as usize;
            if window.between(line, end) & window.tab() != 0
                || end - line < self.flow_indent()
                || end == line
            {
                return self.flow_blanks_slowly(text, pos);
            }
            self.flow_root.current_line = self.absolute(line);
        }
        Ok(end)
    }

    /// The same with comments, tabs, ends and errors.
    // [80] s-separate.
    //
    // example: comment_between_tokens
    //     [a, # b
    //       c]
    // events: +SEQ [] =VAL :a =VAL :c -SEQ
    #[inline(never)]
    fn flow_blanks_slowly(&mut self, text: Text<'_>, mut pos: usize) -> Step {
        loop {
            let at = text.skip_blanks(pos);
            if at >= text.bytes.len() {
                return Err(self.flow_end_of_text(text));
            }
            match text.byte(at) {
                b'#' if at > pos
                    || self.is_line_start(at)
                    || (at > 0 && is_blank_or_break(text.byte(at - 1))) =>
                {
                    pos = text.line_end(at);
                    if pos >= text.bytes.len() {
                        return Err(self.flow_end_of_text(text));
                    }
                }
                b'#' => return Err(self.fail(Problem::CommentNotSeparated, at, 1)),
                b'\n' | b'\r' => {
                    let line = text.after_break(at);
                    if line + 4 > text.bytes.len() && !text.is_last {
                        return Err(Halt::Unfinished);
                    }
                    self.flow_root.current_line = self.absolute(line);
                    self.check_flow_line(text, line)?;
                    pos = line;
                }
                _ => return Ok(at),
            }
        }
    }

    fn is_line_start(&self, at: usize) -> bool {
        self.flow_root.current_line == self.absolute(at)
    }

    /// A new line of a flow collection must be deeper than the block collection around it.
    // [69] s-flow-line-prefix, [206] c-forbidden.
    //
    // example: flow_line_at_the_column_of_its_key
    //     a: [b,
    //     c]
    // error: FlowIndentation
    fn check_flow_line(&mut self, text: Text<'_>, line: usize) -> Result<(), Halt> {
        let mut start = line;
        while text.byte(start) == b' ' {
            start += 1;
        }
        let at = text.skip_blanks(start);
        if at >= text.bytes.len() || matches!(text.byte(at), b'\n' | b'\r' | b'#') {
            return Ok(());
        }
        if text.is_marker(line) {
            return Err(self.fail_in_flow(Problem::MarkerInFlow, line, 3));
        }
        if start - line >= self.flow_indent() {
            return Ok(());
        }
        let problem = match text.byte(start) {
            b'\t' => Problem::TabIndentation,
            b']' | b'}' => Problem::FlowEndIndentation,
            _ => Problem::FlowIndentation,
        };
        if !self.settings.lenient {
            return Err(self.fail_in_flow(problem, start, 1));
        }
        self.warn_or_fail(problem, start, 1)
    }

    /// Fails with the place where the innermost collection opens.
    #[cold]
    #[inline(never)]
    fn fail_in_flow(&mut self, problem: Problem, at: usize, len: usize) -> Halt {
        let open = self.flow.last().map_or(self.base, |frame| frame.start);
        self.fail_with_offset(problem, at, len, open)
    }

    /// The bytes at hand end in a flow collection.
    #[cold]
    fn flow_end_of_text(&mut self, text: Text<'_>) -> Halt {
        if !text.is_last {
            return Halt::Unfinished;
        }
        let is_mapping = self.flow.iter().rev().find(|frame| !frame.state.is_pair());
        let problem = match is_mapping {
            Some(frame) if frame.state.is_sequence() => Problem::UnclosedSequence,
            _ => Problem::UnclosedMapping,
        };
        self.fail_in_flow(problem, text.bytes.len(), 0)
    }

    #[inline(always)]
    fn flow_state(&self) -> FlowState {
        match self.flow.last() {
            Some(frame) => frame.state,
            None => FlowState::SequenceAfterEntry,
        }
    }

    #[inline(always)]
    fn set_flow_state(&mut self, state: FlowState, adjacent: bool) {
        if let Some(frame) = self.flow.last_mut() {
            frame.state = state;
            frame.adjacent = adjacent;
        }
    }

    /// The state, if a node may stand at `at`.
    #[inline(always)]
    fn expect_flow_node(&mut self, at: usize) -> Result<FlowState, Halt> {
        let state = self.flow_state();
        if state.awaits_node() { Ok(state) } else { Err(self.fail_flow_node(state, at)) }
    }

    #[cold]
    #[inline(never)]
    fn fail_flow_node(&mut self, state: FlowState, at: usize) -> Halt {
        let problem = match state {
            FlowState::MappingAfterKey | FlowState::PairAfterKey => Problem::ExpectedFlowValue,
            FlowState::MappingAfterValue => Problem::ExpectedCommaInMapping,
            _ => Problem::ExpectedCommaInSequence,
        };
        self.fail_in_flow(problem, at, 1)
    }

    /// A quoted scalar.
    // [148] c-ns-flow-map-json-key-entry.
    //
    // example: quoted_key_over_lines
    //     {"a
    //       b": c}
    // events: +MAP {} =VAL "a b =VAL :c -MAP
    #[inline(always)]
    fn flow_quoted<L: Lanes>(&mut self, lanes: L, text: Text<'_>, at: usize) -> Step {
        let quoted = match quoted::quoted(lanes, text, at, self.flow_indent()) {
            Ok(quoted) => quoted,
            Err(error) => return Err(self.flow_quoted_halt(text, error, at)),
        };
        if let Some(line) = quoted.last_line {
            self.flow_root.current_line = self.absolute(line);
        }
        let kind =
            if text.byte(at) == b'"' { EventKind::DoubleQuoted } else { EventKind::SingleQuoted };
        let end = quoted.end;
        let state = self.expect_flow_node(at)?;
        match state {
            FlowState::MappingKey => {
                self.flow_scalar(kind, quoted.flags, at, end)?;
                if text.byte(end) == b':' {
                    self.set_flow_state(FlowState::MappingValue, false);
                    self.awaited_at = end + 1;
                    return Ok(end + 1);
                }
                self.set_flow_state(FlowState::MappingAfterKey, true);
                Ok(end)
            }
            FlowState::SequenceEntry => {
                let next = text.skip_blanks(end);
                if next >= text.bytes.len() && !text.is_last {
                    return Err(Halt::Unfinished);
                }
                if text.byte(next) == b':' {
                    return self.flow_pair(text, kind, quoted.flags, (at, end), next);
                }
                self.flow_scalar(kind, quoted.flags, at, end)?;
                self.set_flow_state(state.done(), true);
                Ok(end)
            }
            _ => {
                self.flow_scalar(kind, quoted.flags, at, end)?;
                self.set_flow_state(state.done(), true);
                Ok(end)
            }
        }
    }

    #[cold]
    #[inline(never)]
    fn flow_quoted_halt(&mut self, text: Text<'_>, error: QuotedError, at: usize) -> Halt {
        match error {
            QuotedError::Unfinished if text.is_last => self.fail_unclosed_quote(text, at),
            QuotedError::Unfinished => Halt::Unfinished,
            QuotedError::Bad { problem, at: place, len } => self.fail_with(problem, place, len, at),
        }
    }

    /// Writes a scalar with its properties.
    #[inline(always)]
    fn flow_scalar(
        &mut self,
        kind: EventKind,
        flags: Flags,
        start: usize,
        end: usize,
    ) -> Result<(), Halt> {
        self.check_scalar_len(start, end - start)?;
        self.emit_all_properties()?;
        self.events.push(kind, flags, start, end - start);
        Ok(())
    }

    /// Writes the start of a pair and its key, whose `:` is at `colon`.
    // [139] ns-flow-seq-entry, [151] ns-flow-pair-entry.
    //
    // example: pair_in_a_sequence
    //     [a: b, c]
    // events: +SEQ [] +MAP {} =VAL :a =VAL :b -MAP =VAL :c -SEQ
    #[inline(never)]
    fn flow_pair(
        &mut self,
        text: Text<'_>,
        kind: EventKind,
        flags: Flags,
        (start, end): (usize, usize),
        colon: usize,
    ) -> Step {
        if flags.has(Flags::MULTILINE) {
            return Err(self.fail_with(Problem::MultilineKey, colon, 1, start));
        }
        self.check_key_len(text, start, end)?;
        let first = self.pair_start(start, colon)?;
        self.open_pair(first, FlowState::PairValue)?;
        self.flow_scalar(kind, flags, start, end)?;
        self.awaited_at = colon + 1;
        Ok(colon + 1)
    }

    /// Where the pair starts whose key's own text is at `start` and whose `:` is at `colon`:
    /// properties are part of the key, and stand on its line (\[154\] ns-s-implicit-yaml-key).
    // example: tag_on_the_line_before_its_key
    //     [!!str
    //       a: b]
    // error: MultilineKey
    fn pair_start(&mut self, start: usize, colon: usize) -> Result<usize, Halt> {
        if !self.properties.any {
            return Ok(start);
        }
        let first = self.properties.first_start();
        if self.absolute(first) < self.flow_root.current_line {
            return Err(self.fail_with(Problem::MultilineKey, colon, 1, first));
        }
        Ok(first)
    }

    /// Opens a mapping of one pair in a sequence.
    // [150] ns-flow-pair.
    //
    // example: explicit_pair
    //     [? a : b]
    // events: +SEQ [] +MAP {} =VAL :a =VAL :b -MAP -SEQ
    fn open_pair(&mut self, at: usize, state: FlowState) -> Result<(), Halt> {
        let first_word = self.word_index();
        self.events.push_short(EventKind::MappingStart, Flags::FLOW, at, 0);
        self.push_pair(at, first_word, state)
    }

    fn push_pair(&mut self, at: usize, first_word: u64, state: FlowState) -> Result<(), Halt> {
        self.set_flow_state(FlowState::SequenceAfterEntry, false);
        let start = self.absolute(at);
        self.flow.push(FlowFrame { state, adjacent: false, start, first_word });
        self.check_depth(at)
    }

    /// `,`: \[7\] c-collect-entry.
    // [141] ns-s-flow-map-entries.
    //
    // example: comma_after_the_last_entry
    //     [a, b,]
    // events: +SEQ [] =VAL :a =VAL :b -SEQ
    #[inline(always)]
    fn flow_comma(&mut self, at: usize) -> Step {
        self.flow_root.closed = None;
        match self.flow_state() {
            FlowState::SequenceAfterEntry => self.set_flow_state(FlowState::SequenceEntry, false),
            FlowState::MappingAfterValue => self.set_flow_state(FlowState::MappingKey, false),
            _ => self.flow_comma_after_less(at)?,
        }
        self.awaited_at = at + 1;
        Ok(at + 1)
    }

    /// A comma where a node is still awaited, or that ends a pair.
    // [138] ns-s-flow-seq-entries.
    //
    // example: comma_without_an_entry
    //     [a, , b]
    // error: EmptyFlowEntry
    #[inline(never)]
    fn flow_comma_after_less(&mut self, at: usize) -> Result<(), Halt> {
        self.complete_pair(at)?;
        match self.flow_state() {
            FlowState::SequenceEntry | FlowState::MappingKey if !self.properties.any => {
                return Err(self.fail_in_flow(Problem::EmptyFlowEntry, at, 1));
            }
            FlowState::SequenceEntry => self.flow_empty(at)?,
            FlowState::SequenceAfterEntry => {}
            _ => self.complete_entry(at)?,
        }
        let state = match self.flow_state() {
            FlowState::SequenceEntry | FlowState::SequenceAfterEntry => FlowState::SequenceEntry,
            _ => FlowState::MappingKey,
        };
        self.set_flow_state(state, false);
        Ok(())
    }

    /// Gives the entry of the innermost mapping the empty nodes it lacks.
    // [142] ns-flow-map-entry.
    //
    // example: flow_key_without_a_value
    //     {a, b: c}
    // events: +MAP {} =VAL :a =VAL : =VAL :b =VAL :c -MAP
    fn complete_entry(&mut self, at: usize) -> Result<(), Halt> {
        while !matches!(self.flow_state(), FlowState::MappingAfterValue | FlowState::PairAfterValue)
        {
            match self.flow_state() {
                FlowState::MappingAfterKey => {
                    self.awaited_at = at;
                    self.set_flow_state(FlowState::MappingValue, false);
                }
                FlowState::PairAfterKey => {
                    self.awaited_at = at;
                    self.set_flow_state(FlowState::PairValue, false);
                }
                _ => {}
            }
            self.flow_empty(at)?;
        }
        Ok(())
    }

    /// Ends the pair, if the innermost mapping is one.
    fn complete_pair(&mut self, at: usize) -> Result<(), Halt> {
        if self.flow_state().is_pair() {
            self.complete_entry(at)?;
            self.events.push_short(EventKind::MappingEnd, Flags::FLOW, at, 0);
            self.flow.pop();
        }
        Ok(())
    }

    /// The awaited node is empty; properties may have been written for it.
    // [106] e-node.
    //
    // example: empty_nodes_in_flow
    //     {a: , ? }
    // events: +MAP {} =VAL :a =VAL : =VAL : =VAL : -MAP
    fn flow_empty(&mut self, at: usize) -> Result<(), Halt> {
        let place = self.empty_place(at);
        self.emit_all_properties()?;
        self.events.push_short(EventKind::Plain, Flags::NONE, place, 0);
        self.set_flow_state(self.flow_state().done(), false);
        Ok(())
    }

    /// `[` or `{`.
    #[inline(always)]
    fn flow_open(&mut self, text: Text<'_>, at: usize) -> Step {
        let state = self.expect_flow_node(at)?;
        let first_word = self.word_index();
        if state == FlowState::SequenceEntry {
            let start = if self.properties.any { self.properties.first_start() } else { at };
            self.events.push_short(EventKind::Nop, Flags::NONE, start, 0);
        }
        self.emit_all_properties()?;
        self.set_flow_state(state.done(), true);
        self.push_flow(text, at, first_word)?;
        self.awaited_at = at + 1;
        Ok(at + 1)
    }

    /// `]` or `}`.
    #[inline(always)]
    fn flow_close<L: Lanes>(&mut self, lanes: L, text: Text<'_>, at: usize) -> Step {
        // What follows the outermost one decides whether it is a key.
        let is_outermost = self.flow.len() - usize::from(self.flow_state().is_pair()) == 1;
        if is_outermost && at >= text.lines_end && !text.is_last {
            return Err(Halt::Unfinished);
        }
        let is_sequence = text.byte(at) == b']';
        match (self.flow_state(), is_sequence) {
            (FlowState::SequenceAfterEntry, true) | (FlowState::MappingAfterValue, false) => {}
            _ => self.complete_collection(at, is_sequence)?,
        }
        let kind = if is_sequence { EventKind::SequenceEnd } else { EventKind::MappingEnd };
        self.events.push_short(kind, Flags::FLOW, at, 1);
        let Some(frame) = self.flow.pop() else { return Ok(at) };
        if self.flow.is_empty() {
            return self.close_flow_root(lanes, text, frame, at + 1);
        }
        self.flow_root.closed =
            Some(KeyCandidate { start: frame.start, first_word: frame.first_word });
        Ok(at + 1)
    }

    // [137] c-flow-sequence.
    //
    // example: bracket_of_the_other_kind
    //     [a}
    // error: MismatchedMappingEnd
    #[inline(never)]
    fn complete_collection(&mut self, at: usize, is_sequence: bool) -> Result<(), Halt> {
        self.complete_pair(at)?;
        let state = self.flow_state();
        if state.is_sequence() != is_sequence {
            let problem = if is_sequence {
                Problem::MismatchedSequenceEnd
            } else {
                Problem::MismatchedMappingEnd
            };
            return Err(self.fail_in_flow(problem, at, 1));
        }
        match state {
            FlowState::SequenceAfterEntry => Ok(()),
            FlowState::SequenceEntry | FlowState::MappingKey if !self.properties.any => Ok(()),
            FlowState::SequenceEntry => self.flow_empty(at),
            _ => self.complete_entry(at),
        }
    }

    /// The outermost collection has ended in front of `end`: is it a key?
    // [155] c-s-implicit-json-key.
    //
    // example: flow_collection_as_a_key
    //     [a]: b
    // events: +MAP +SEQ [] =VAL :a -SEQ =VAL :b -MAP
    //
    // example: flow_collection_of_two_lines_as_a_key
    //     [a,
    //       b]: c
    // error: MultilineKey
    #[inline(never)]
    fn close_flow_root<L: Lanes>(
        &mut self,
        lanes: L,
        text: Text<'_>,
        frame: FlowFrame,
        end: usize,
    ) -> Step {
        let root = self.flow_root;
        let colon = text.skip_blanks(end);
        if text.byte(colon) != b':' {
            if root.context == Context::Entry {
                return Err(self.fail(Problem::ExpectedColon, end, 1));
            }
            if let Some(conflict) = root.conflict {
                // Told here: the doubled property may have passed by.
                return Err(self.fail_with_offset(conflict.problem, end, 1, conflict.at));
            }
            self.top.state = self.top.state.done();
            self.rest = Rest::Line;
            return self.line_rest(lanes, text, end);
        }
        if !text.is_blank_or_break(colon + 1) {
            return Err(self.fail(Problem::NoBlankAfterColon, colon, 1));
        }
        if frame.start < root.current_line {
            return Err(self.fail_with_offset(Problem::MultilineKey, colon, 1, frame.start));
        }
        let start = self.key_start(frame.start);
        if root.context != Context::Entry {
            if root.context != Context::Block {
                return Err(self.fail(Problem::MappingNotHere, colon, 1));
            }
            if root.tabbed {
                return Err(self.fail(Problem::TabIndentation, start, 1));
            }
        }
        self.check_key_len(text, start, end)?;
        if root.context == Context::Block {
            self.patch_key(frame.first_word, Flags::NONE);
            self.open_block(end, Frame { indent: root.column, state: State::MappingKey })?;
        }
        self.top.state = State::MappingAwaitsValue;
        self.awaited_at = colon + 1;
        let line = root.line.saturating_sub(self.base) as usize;
        self.rest = Rest::Node { line, context: Context::Inline, tabbed: false };
        Ok(colon + 1)
    }

    /// The offset of a key in the text at hand; a key that has passed by is too long anyway.
    fn key_start(&self, start: u64) -> usize {
        start.saturating_sub(self.base) as usize
    }

    fn patch_key(&mut self, first_word: u64, flags: Flags) {
        let index = (first_word - self.flow_root.words_taken) as usize;
        self.events.patch_to_mapping(index, flags);
    }

    /// Whether the `:` at `at` is an indicator: behind a quoted or flow key always, otherwise in
    /// front of a blank or a flow indicator.
    // [147] c-ns-flow-map-separate-value, [149] c-ns-flow-map-adjacent-value.
    //
    // example: adjacent_value
    //     {"a":b, c:d}
    // events: +MAP {} =VAL "a =VAL :b =VAL :c:d =VAL : -MAP
    #[inline(always)]
    fn is_flow_value(&self, text: Text<'_>, at: usize) -> Result<bool, Halt> {
        if at + 1 >= text.bytes.len() && !text.is_last {
            return Err(Halt::Unfinished);
        }
        let next = text.byte(at + 1);
        if is_blank_or_break(next) || is_flow_indicator(next) {
            return Ok(true);
        }
        Ok(match self.flow.last() {
            Some(frame) => match frame.state {
                FlowState::MappingAfterKey | FlowState::PairAfterKey => frame.adjacent,
                FlowState::SequenceAfterEntry => self.flow_root.closed.is_some(),
                _ => false,
            },
            None => false,
        })
    }

    /// `:`: \[6\] c-mapping-value.
    // [144] ns-flow-map-implicit-entry.
    //
    // example: key_and_value_in_flow
    //     {a: b}
    // events: +MAP {} =VAL :a =VAL :b -MAP
    #[inline(always)]
    fn flow_value(&mut self, text: Text<'_>, at: usize) -> Step {
        match self.flow_state() {
            FlowState::MappingAfterKey => self.set_flow_state(FlowState::MappingValue, false),
            _ => self.flow_value_of_less(text, at)?,
        }
        self.awaited_at = at + 1;
        Ok(at + 1)
    }

    /// A colon behind an empty key, or behind the key of a pair.
    // [146] c-ns-flow-map-empty-key-entry.
    //
    // example: empty_key_in_flow
    //     {: a}
    // events: +MAP {} =VAL : =VAL :a -MAP
    #[inline(never)]
    fn flow_value_of_less(&mut self, text: Text<'_>, at: usize) -> Result<(), Halt> {
        match self.flow_state() {
            FlowState::MappingKey | FlowState::MappingExplicitKey => {
                self.flow_empty(at)?;
                self.set_flow_state(FlowState::MappingValue, false);
            }
            FlowState::PairExplicitKey => {
                self.flow_empty(at)?;
                self.set_flow_state(FlowState::PairValue, false);
            }
            FlowState::PairAfterKey => self.set_flow_state(FlowState::PairValue, false),
            FlowState::SequenceEntry => {
                let first = self.pair_start(at, at)?;
                self.open_pair(first, FlowState::PairExplicitKey)?;
                self.awaited_at = at;
                self.flow_empty(at)?;
                self.set_flow_state(FlowState::PairValue, false);
            }
            FlowState::SequenceAfterEntry => self.pair_of_closed(text, at)?,
            _ => {
                return Err(self.fail_in_flow(Problem::UnexpectedColon, at, 1));
            }
        }
        Ok(())
    }

    /// The collection that was closed just now is the key of a pair.
    // [153] c-ns-flow-pair-json-key-entry.
    //
    // example: collection_as_the_key_of_a_pair
    //     [[a]: b]
    // events: +SEQ [] +MAP {} +SEQ [] =VAL :a -SEQ =VAL :b -MAP -SEQ
    fn pair_of_closed(&mut self, text: Text<'_>, at: usize) -> Result<(), Halt> {
        let Some(key) = self.flow_root.closed.take() else {
            return Err(self.fail_in_flow(Problem::UnexpectedColon, at, 1));
        };
        if key.start < self.flow_root.current_line {
            return Err(self.fail_with_offset(Problem::MultilineKey, at, 1, key.start));
        }
        let index = (key.first_word - self.flow_root.words_taken) as usize;
        if let Some(first) = self.events.start_at(index)
            && self.absolute(first) < self.flow_root.current_line
        {
            return Err(self.fail_with(Problem::MultilineKey, at, 1, first));
        }
        let start = self.key_start(key.start);
        self.check_key_len(text, start, at)?;
        self.patch_key(key.first_word, Flags::FLOW);
        self.push_pair(start, key.first_word, FlowState::PairValue)
    }

    /// All that starts neither with a quote nor with a bracket.
    // [126] ns-plain-first.
    //
    // example: colon_that_starts_a_plain_scalar
    //     [:a]
    // events: +SEQ [] =VAL ::a -SEQ
    #[inline(always)]
    fn flow_other<L: Lanes>(&mut self, lanes: L, text: Text<'_>, at: usize) -> Step {
        let byte = text.byte(at);
        if matches!(byte, b'?' | b'-' | b':') {
            if at + 1 >= text.bytes.len() && !text.is_last {
                return Err(Halt::Unfinished);
            }
            let next = text.byte(at + 1);
            if is_blank_or_break(next) || is_flow_indicator(next) {
                return self.flow_indicator(text, at);
            }
        }
        match byte {
            b'&' | b'!' | b'*' => self.flow_property_or_alias(text, at),
            b'|' | b'>' | b'%' | b'@' | b'`' => Err(self.fail(Problem::ReservedIndicator, at, 1)),
            _ => self.flow_plain(lanes, text, at),
        }
    }

    /// `?` in front of a blank, and `-` where it cannot be.
    // [143] ns-flow-map-explicit-entry.
    //
    // example: dash_in_flow
    //     [-]
    // error: IndicatorInFlow
    #[inline(never)]
    fn flow_indicator(&mut self, text: Text<'_>, at: usize) -> Step {
        let is_key = text.byte(at) == b'?' && is_blank_or_break(text.byte(at + 1));
        self.awaited_at = at + 1;
        match self.flow_state() {
            FlowState::MappingKey if is_key && !self.properties.any => {
                self.set_flow_state(FlowState::MappingExplicitKey, false);
            }
            FlowState::SequenceEntry if is_key && !self.properties.any => {
                self.open_pair(at, FlowState::PairExplicitKey)?;
            }
            _ => return Err(self.fail(Problem::IndicatorInFlow, at, 1)),
        }
        Ok(at + 1)
    }

    /// `&`, `!` and `*`: their text has to be whole.
    // [104] c-ns-alias-node, [161] ns-flow-node.
    //
    // example: properties_and_alias_in_flow
    //     [&a b, *a]
    // events: +SEQ [] =VAL &a :b =ALI *a -SEQ
    #[inline(never)]
    fn flow_property_or_alias(&mut self, text: Text<'_>, at: usize) -> Step {
        let rest = &text.bytes[at..];
        let is_verbatim = rest.starts_with(b"!<");
        let end = rest.iter().skip(1).position(|&b| {
            is_blank_or_break(b) || (if is_verbatim { b == b'>' } else { is_flow_indicator(b) })
        });
        // What follows a verbatim tag's bracket counts, too.
        let is_whole = match end {
            Some(end) => rest[end + 1] != b'>' || end + 2 < rest.len(),
            None => false,
        };
        // So does what follows a colon that ends the name of an alias.
        let follows = end.map_or(rest.len(), |end| text.skip_blanks(at + 1 + end) - at);
        let is_seen = rest[0] != b'*' || !self.settings.lenient || follows < rest.len();
        if !(is_whole && is_seen || text.is_last) {
            return Err(Halt::Unfinished);
        }
        let state = self.expect_flow_node(at)?;
        if text.byte(at) != b'*' {
            let end = self.property(text, FLOW_LINE, at)?;
            self.awaited_at = end;
            return Ok(end);
        }
        let end = self.alias_end(text, at)?;
        let next = text.skip_blanks(end);
        // A colon is looked at with what follows it.
        let seen = next + usize::from(text.byte(next) == b':');
        if state == FlowState::SequenceEntry && seen >= text.bytes.len() && !text.is_last {
            return Err(Halt::Unfinished);
        }
        self.refuse_properties(at, end - at)?;
        let is_pair = state == FlowState::SequenceEntry
            && text.byte(next) == b':'
            && (is_blank_or_break(text.byte(next + 1)) || is_flow_indicator(text.byte(next + 1)));
        if is_pair {
            return self.flow_pair(text, EventKind::Alias, Flags::NONE, (at, end), next);
        }
        self.events.push(EventKind::Alias, Flags::NONE, at, end - at);
        self.set_flow_state(state.done(), false);
        Ok(end)
    }

    /// A plain scalar, which may go on over several lines.
    // [136] in-flow, [145] ns-flow-map-yaml-key-entry, [152] ns-flow-pair-yaml-key-entry.
    //
    // example: plain_key_over_lines
    //     {a
    //       b: c}
    // events: +MAP {} =VAL :a b =VAL :c -MAP
    //
    // example: plain_key_of_a_pair_over_lines
    //     [a
    //       b: c]
    // error: MultilineKey
    #[inline(always)]
    fn flow_plain<L: Lanes>(&mut self, lanes: L, text: Text<'_>, at: usize) -> Step {
        let state = self.expect_flow_node(at)?;
        let Some(mut part) = plain_line_in_flow(lanes, text, at) else {
            return Err(Halt::Unfinished);
        };
        let mut flags = Flags::NONE;
        let line = self.flow_root.current_line;
        while matches!(text.byte(part.stop), b'\n' | b'\r') {
            let next = self.flow_next_line(lanes, text, part.stop)?;
            match next {
                Some(more) => part = more,
                None => break,
            }
            flags = Flags::MULTILINE;
        }
        let (start, end) = (at, part.end);
        if state == FlowState::SequenceEntry && text.byte(part.stop) == b':' {
            if flags.has(Flags::MULTILINE) {
                return Err(self.fail_with(Problem::MultilineKey, part.stop, 1, start));
            }
            return self.flow_pair(text, EventKind::Plain, flags, (start, end), part.stop);
        }
        if flags == Flags::NONE {
            // Looking at the next line may have moved it.
            self.flow_root.current_line = line;
        }
        self.flow_scalar(EventKind::Plain, flags, start, end)?;
        self.set_flow_state(state.done(), false);
        Ok(end)
    }

    /// The next line of a plain scalar, whose line break is at `at`; `None` when it does not go on.
    // [134] s-ns-plain-next-line.
    //
    // example: plain_scalar_over_lines_in_flow
    //     [a
    //       b]
    // events: +SEQ [] =VAL :a b -SEQ
    #[inline(never)]
    fn flow_next_line<L: Lanes>(
        &mut self,
        lanes: L,
        text: Text<'_>,
        at: usize,
    ) -> Result<Option<PlainLine>, Halt> {
        let mut next = at;
        loop {
            let line = text.after_break(next);
            next = text.skip_blanks(line);
            if next + 1 >= text.bytes.len() && !text.is_last {
                return Err(Halt::Unfinished);
            }
            if next >= text.bytes.len() {
                return Ok(None);
            }
            if !matches!(text.byte(next), b'\n' | b'\r') {
                break;
            }
        }
        let byte = text.byte(next);
        let behind = text.byte(next + 1);
        let is_value = byte == b':' && (is_blank_or_break(behind) || is_flow_indicator(behind));
        if byte == b'#' || is_flow_indicator(byte) || is_value {
            return Ok(None);
        }
        // Checks the indentation and moves the current line.
        let start = self.flow_blanks_slowly(text, at)?;
        match lanes.outline(FurtherLine { text, start }) {
            Some(part) => Ok(Some(part)),
            None => Err(Halt::Unfinished),
        }
    }

    /// The first byte that flow context may look at again: the start of what may be a key.
    pub(super) fn flow_keep_from(&self) -> usize {
        let live = self.first_live_frame().map(|frame| frame.start);
        let closed = self.flow_root.closed.map(|key| key.start);
        match (self.rest, live.into_iter().chain(closed).min()) {
            (Rest::Flow, Some(start)) if start >= self.base => (start - self.base) as usize,
            _ => usize::MAX,
        }
    }

    /// The outermost open collection that may still turn out to be a key.
    fn first_live_frame(&self) -> Option<&FlowFrame> {
        let oldest = self.oldest_key_start();
        let index = self.flow.partition_point(|frame| frame.start < oldest);
        self.flow.get(index)
    }

    /// What starts before this is no key: it is on an earlier line, or too long.
    fn oldest_key_start(&self) -> u64 {
        const CHAR_BYTES_MAX: u64 = 4;
        let longest = self.settings.limits.max_implicit_key_chars.saturating_mul(CHAR_BYTES_MAX);
        let pos = self.absolute(self.pos);
        self.flow_root.current_line.max(pos.saturating_sub(longest.saturating_add(64)))
    }

    /// How many of the words may be handed over: those in front of what may be a key.
    pub(super) fn flow_ready_words(&self, len: usize) -> usize {
        let oldest = self.oldest_key_start();
        let live = self.first_live_frame().map(|frame| frame.first_word);
        let closed =
            self.flow_root.closed.filter(|key| key.start >= oldest).map(|key| key.first_word);
        match live.into_iter().chain(closed).min() {
            Some(word) => (word.saturating_sub(self.flow_root.words_taken) as usize).min(len),
            None => len,
        }
    }

    /// Notes that `count` words were handed over.
    pub(super) fn take_words(&mut self, count: usize) {
        self.flow_root.words_taken += count as u64;
    }
}

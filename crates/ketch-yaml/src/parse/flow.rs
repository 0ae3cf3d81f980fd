//! Flow collections (YAML 1.2.2, section 7.4), one token at a time, also as keys, and pairs in
//! sequences.
//!
//! Only the `:` after a flow collection shows that it is a key. Therefore an [`EventKind::Nop`] is
//! written before each collection that may be a key, and a `:` turns it into the start of a
//! mapping. Such keys are on one line and have at most 1,024 characters, so only a few events have
//! to be held back.

use super::engine::Engine;
use super::fast_flow::fast_flow;
use super::state::{
    Checkpoint, Context, FLOW_LINE, FlowFrame, FlowRoot, FlowState, Frame, Halt, KeyCandidate,
    NodeStart, State, Step,
};
use crate::event::{EventKind, Flags};
use crate::fault::Fault;
use crate::problem::Problem;
use crate::scan::class::{is_blank_or_break, is_flow_indicator};
use crate::scan::plain::{PlainLine, plain_line_in_flow};
use crate::scan::quoted::{self, QuotedError};
use crate::scan::text::Text;
use ketch_bytes::{Kernel, Lanes};

/// Scans the next line of a plain scalar, which starts at `start`. This is a separate kernel so
/// that its code is not inlined.
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

/// Parses one token of any kind, in a separate kernel so that its code is not inlined.
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
    /// Returns the offset in the stream of `at`, which is an offset in the buffered text.
    pub(super) fn absolute(&self, at: usize) -> u64 {
        self.base + at as u64
    }

    /// Returns the index in the stream of the next word to be written.
    pub(super) fn word_index(&self) -> u64 {
        self.flow_root.word_index(self.events.len())
    }

    /// Writes the start of the collection at `at` and opens its frame. `first_word` is the index in
    /// the stream of the collection's first word. Fails if the collection is nested too deeply.
    // [137] c-flow-sequence, [140] c-flow-mapping.
    //
    // example: flow_collections
    //     [a, {b: c}]
    // events: +SEQ [] =VAL :a +MAP {} =VAL :b =VAL :c -MAP -SEQ
    #[inline(always)]
    pub(super) fn push_flow(
        &mut self,
        text: Text<'_>,
        at: usize,
        first_word: u64,
    ) -> Result<(), Halt> {
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

    /// Parses tokens of flow collections until the chunk is full or the outermost collection is
    /// closed. Returns the offset at which to continue.
    #[inline(always)]
    pub(super) fn flow_tokens<L: Lanes>(&mut self, lanes: L, text: Text<'_>) -> Step {
        loop {
            if !self.properties.any && self.settings.has_fast_path {
                fast_flow(self, lanes, text);
                if self.checkpoint != Checkpoint::Flow {
                    return Ok(self.pos);
                }
            }
            self.pos = lanes.outline(OneToken { engine: self, text })?;
            if self.checkpoint != Checkpoint::Flow || self.is_chunk_full() {
                return Ok(self.pos);
            }
        }
    }

    /// Skips white space and parses one token of any kind. Returns the offset after what was
    /// parsed.
    // [157] c-flow-json-content.
    //
    // example: quotes_and_brackets_end_themselves
    //     ["a",[b]]
    // events: +SEQ [] =VAL "a +SEQ [] =VAL :b -SEQ -SEQ
    #[inline(always)]
    pub(super) fn flow_token<L: Lanes>(&mut self, lanes: L, text: Text<'_>) -> Step {
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

    /// Returns the state of the innermost flow collection, or [`FlowState::SequenceAfterEntry`] if
    /// no flow collection is open.
    #[inline(always)]
    pub(super) fn flow_state(&self) -> FlowState {
        match self.flow.last() {
            Some(frame) => frame.state,
            None => FlowState::SequenceAfterEntry,
        }
    }

    /// Sets the state of the innermost flow collection to `state`. `adjacent` says whether a `:`
    /// that comes next is an indicator even if no blank follows it.
    #[inline(always)]
    pub(super) fn set_flow_state(&mut self, state: FlowState, adjacent: bool) {
        if let Some(frame) = self.flow.last_mut() {
            frame.state = state;
            frame.adjacent = adjacent;
        }
    }

    /// Returns the state of the innermost flow collection if a node may start at `at`, and fails
    /// otherwise.
    #[inline(always)]
    pub(super) fn expect_flow_node(&mut self, at: usize) -> Result<FlowState, Halt> {
        let state = self.flow_state();
        if state.awaits_node() { Ok(state) } else { Err(self.fail_flow_node(state, at)) }
    }

    /// Records the fault for a node at `at`, where `state` does not allow one, and returns the
    /// halt.
    #[cold]
    #[inline(never)]
    pub(super) fn fail_flow_node(&mut self, state: FlowState, at: usize) -> Halt {
        let problem = match state {
            FlowState::MappingAfterKey | FlowState::PairAfterKey => Problem::ExpectedFlowValue,
            FlowState::MappingAfterValue => Problem::ExpectedCommaInMapping,
            _ => Problem::ExpectedCommaInSequence,
        };
        self.fail_in_flow(problem, at, 1)
    }

    /// Parses the quoted scalar at `at`, and the `:` after it if it is a key. Returns the offset
    /// after what was parsed.
    // [148] c-ns-flow-map-json-key-entry.
    //
    // example: quoted_key_over_lines
    //     {"a
    //       b": c}
    // events: +MAP {} =VAL "a b =VAL :c -MAP
    #[inline(always)]
    pub(super) fn flow_quoted<L: Lanes>(&mut self, lanes: L, text: Text<'_>, at: usize) -> Step {
        let quoted = quoted::quoted(lanes, text, at, self.flow_indent())
            .or_else(|error| self.quoted_again(lanes, text, error, at))
            .map_err(|error| self.flow_quoted_halt(text, error, at))?;
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
                    return Err(Halt::NeedMoreInput);
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

    /// Turns `error`, found in scanning the quoted scalar at `at`, into a halt: a request for more
    /// input or, if the scalar is invalid or the input has ended, a recorded fault.
    #[cold]
    #[inline(never)]
    pub(super) fn flow_quoted_halt(
        &mut self,
        text: Text<'_>,
        error: QuotedError,
        at: usize,
    ) -> Halt {
        match error {
            QuotedError::NeedMoreInput if text.is_last => self.fail_unclosed_quote(text, at),
            QuotedError::NeedMoreInput => Halt::NeedMoreInput,
            QuotedError::Bad { problem, at: start, len } => self.fail_with(problem, start, len, at),
        }
    }

    /// Writes the scalar from `start` to `end`, of the style `kind`, with its properties. Fails if
    /// it is longer than the limit.
    #[inline(always)]
    pub(super) fn flow_scalar(
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

    /// Parses the `,` at `at` (\[7\] c-collect-entry), and returns the offset after it.
    // [141] ns-s-flow-map-entries.
    //
    // example: comma_after_the_last_entry
    //     [a, b,]
    // events: +SEQ [] =VAL :a =VAL :b -SEQ
    #[inline(always)]
    pub(super) fn flow_comma(&mut self, at: usize) -> Step {
        self.flow_root.closed = None;
        match self.flow_state() {
            FlowState::SequenceAfterEntry => self.set_flow_state(FlowState::SequenceEntry, false),
            FlowState::MappingAfterValue => self.set_flow_state(FlowState::MappingKey, false),
            _ => self.flow_comma_incomplete(at)?,
        }
        self.awaited_at = at + 1;
        Ok(at + 1)
    }

    /// Handles the comma at `at` if it ends a pair, or an entry that still awaits a node. Fails if
    /// there is no entry before it.
    // [138] ns-s-flow-seq-entries.
    //
    // example: comma_without_an_entry
    //     [a, , b]
    // error: EmptyFlowEntry
    #[inline(never)]
    pub(super) fn flow_comma_incomplete(&mut self, at: usize) -> Result<(), Halt> {
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

    /// Adds the empty nodes that the last entry of the innermost mapping lacks before the token at
    /// `at`.
    // [142] ns-flow-map-entry.
    //
    // example: flow_key_without_a_value
    //     {a, b: c}
    // events: +MAP {} =VAL :a =VAL : =VAL :b =VAL :c -MAP
    pub(super) fn complete_entry(&mut self, at: usize) -> Result<(), Halt> {
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

    /// If the innermost collection is a pair in a sequence, completes and ends it before the token
    /// at `at`, because a pair has no bracket of its own.
    pub(super) fn complete_pair(&mut self, at: usize) -> Result<(), Halt> {
        if self.flow_state().is_pair() {
            self.complete_entry(at)?;
            self.events.push_short(EventKind::MappingEnd, Flags::FLOW, at, 0);
            self.flow.pop();
        }
        Ok(())
    }

    /// Writes the awaited node as an empty node before the token at `at`, with its properties if
    /// there are any.
    // [106] e-node.
    //
    // example: empty_nodes_in_flow
    //     {a: , ? }
    // events: +MAP {} =VAL :a =VAL : =VAL : =VAL : -MAP
    pub(super) fn flow_empty(&mut self, at: usize) -> Result<(), Halt> {
        let start = super::engine::empty_node_offset(self.awaited_at, at);
        self.emit_all_properties()?;
        self.events.push_short(EventKind::Plain, Flags::NONE, start, 0);
        self.set_flow_state(self.flow_state().done(), false);
        Ok(())
    }

    /// Parses the `[` or `{` at `at`, which opens a collection, and returns the offset after it.
    #[inline(always)]
    pub(super) fn flow_open(&mut self, text: Text<'_>, at: usize) -> Step {
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

    /// Parses the `]` or `}` at `at`, which closes the innermost collection. Returns the offset
    /// after what was parsed.
    #[inline(always)]
    pub(super) fn flow_close<L: Lanes>(&mut self, lanes: L, text: Text<'_>, at: usize) -> Step {
        // Whether the outermost collection is a key depends on what follows it, so the line must be
        // complete.
        let is_outermost = self.flow.len() - usize::from(self.flow_state().is_pair()) == 1;
        if is_outermost && at >= text.lines_end && !text.is_last {
            return Err(Halt::NeedMoreInput);
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
        let FlowFrame { start, first_word, .. } = frame;
        if self.flow_state() == FlowState::SequenceAfterEntry {
            self.flow_root.closed = Some(KeyCandidate { start, first_word });
        }
        Ok(at + 1)
    }

    /// Completes the last entry of the collection that the bracket at `at` closes. `is_sequence`
    /// says whether that bracket is a `]`. Fails if the bracket is of the wrong kind or something
    /// is missing.
    // [137] c-flow-sequence.
    //
    // example: bracket_of_the_other_kind
    //     [a}
    // error: MismatchedMappingEnd
    #[inline(never)]
    pub(super) fn complete_collection(&mut self, at: usize, is_sequence: bool) -> Result<(), Halt> {
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

    /// Returns whether the `:` at `at` is an indicator. After a key that is quoted or a flow
    /// collection, it always is one; otherwise, only if a blank, a line break or a flow indicator
    /// follows it.
    // [147] c-ns-flow-map-separate-value, [149] c-ns-flow-map-adjacent-value.
    //
    // example: adjacent_value
    //     {"a":b, c:d}
    // events: +MAP {} =VAL "a =VAL :b =VAL :c:d =VAL : -MAP
    #[inline(always)]
    pub(super) fn is_flow_value(&self, text: Text<'_>, at: usize) -> Result<bool, Halt> {
        if at + 1 >= text.bytes.len() && !text.is_last {
            return Err(Halt::NeedMoreInput);
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

    /// Parses the `:` at `at` (\[6\] c-mapping-value), and returns the offset after it.
    // [144] ns-flow-map-implicit-entry.
    //
    // example: key_and_value_in_flow
    //     {a: b}
    // events: +MAP {} =VAL :a =VAL :b -MAP
    #[inline(always)]
    pub(super) fn flow_value(&mut self, text: Text<'_>, at: usize) -> Step {
        match self.flow_state() {
            FlowState::MappingAfterKey => self.set_flow_state(FlowState::MappingValue, false),
            _ => self.flow_value_incomplete(text, at)?,
        }
        self.awaited_at = at + 1;
        Ok(at + 1)
    }

    /// Handles the `:` at `at` if it follows an empty key or the key of a pair. Fails if no `:` may
    /// be there.
    // [146] c-ns-flow-map-empty-key-entry.
    //
    // example: empty_key_in_flow
    //     {: a}
    // events: +MAP {} =VAL : =VAL :a -MAP
    #[inline(never)]
    pub(super) fn flow_value_incomplete(&mut self, text: Text<'_>, at: usize) -> Result<(), Halt> {
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

    /// Parses the token at `at`, which is neither a quoted scalar, a bracket, a comma nor the `:`
    /// of a value. Returns the offset after what was parsed.
    // [126] ns-plain-first.
    //
    // example: colon_that_starts_a_plain_scalar
    //     [:a]
    // events: +SEQ [] =VAL ::a -SEQ
    #[inline(always)]
    pub(super) fn flow_other<L: Lanes>(&mut self, lanes: L, text: Text<'_>, at: usize) -> Step {
        let byte = text.byte(at);
        if matches!(byte, b'?' | b'-' | b':') {
            if at + 1 >= text.bytes.len() && !text.is_last {
                return Err(Halt::NeedMoreInput);
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

    /// Parses the `?`, `-` or `:` at `at`, which a blank or a flow indicator follows. Only the `?`
    /// of an explicit key is valid here; anything else is rejected.
    // [143] ns-flow-map-explicit-entry.
    //
    // example: dash_in_flow
    //     [-]
    // error: IndicatorInFlow
    #[inline(never)]
    pub(super) fn flow_indicator(&mut self, text: Text<'_>, at: usize) -> Step {
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

    /// Parses the anchor, tag or alias at `at`. Requests more input unless all of it is buffered.
    // [104] c-ns-alias-node, [161] ns-flow-node.
    //
    // example: properties_and_alias_in_flow
    //     [&a b, *a]
    // events: +SEQ [] =VAL &a :b =ALI *a -SEQ
    #[inline(never)]
    pub(super) fn flow_property_or_alias(&mut self, text: Text<'_>, at: usize) -> Step {
        let rest = &text.bytes[at..];
        let is_verbatim = rest.starts_with(b"!<");
        let end = rest.iter().skip(1).position(|&b| {
            is_blank_or_break(b) || (if is_verbatim { b == b'>' } else { is_flow_indicator(b) })
        });
        // The byte after the bracket of a verbatim tag must also be buffered.
        let is_complete = match end {
            Some(end) => rest[end + 1] != b'>' || end + 2 < rest.len(),
            None => false,
        };
        // In lenient mode, what follows an alias decides where it ends.
        let follows = end.map_or(rest.len(), |end| text.skip_blanks(at + 1 + end) - at);
        let is_seen = rest[0] != b'*' || !self.settings.lenient || follows < rest.len();
        if !(is_complete && is_seen || text.is_last) {
            return Err(Halt::NeedMoreInput);
        }
        let state = self.expect_flow_node(at)?;
        if text.byte(at) != b'*' {
            let end = self.property(text, FLOW_LINE, at)?;
            self.awaited_at = end;
            return Ok(end);
        }
        let end = self.alias_end(text, at)?;
        let next = text.skip_blanks(end);
        // A colon is examined together with the byte after it.
        let seen = next + usize::from(text.byte(next) == b':');
        if state == FlowState::SequenceEntry && seen >= text.bytes.len() && !text.is_last {
            return Err(Halt::NeedMoreInput);
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

    /// Parses the plain scalar at `at`, which may span several lines, and the `:` after it if it is
    /// the key of a pair. Returns the offset after what was parsed.
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
    pub(super) fn flow_plain<L: Lanes>(&mut self, lanes: L, text: Text<'_>, at: usize) -> Step {
        let state = self.expect_flow_node(at)?;
        let Some(mut part) = plain_line_in_flow(lanes, text, at) else {
            return Err(Halt::NeedMoreInput);
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
            // Scanning the next line may have changed the current line.
            self.flow_root.current_line = line;
        }
        self.flow_scalar(EventKind::Plain, flags, start, end)?;
        self.set_flow_state(state.done(), false);
        Ok(end)
    }

    /// Scans the next line of a plain scalar after the line break at `at`. Returns `None` if the
    /// scalar has ended.
    // [134] s-ns-plain-next-line.
    //
    // example: plain_scalar_over_lines_in_flow
    //     [a
    //       b]
    // events: +SEQ [] =VAL :a b -SEQ
    #[inline(never)]
    pub(super) fn flow_next_line<L: Lanes>(
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
                return Err(Halt::NeedMoreInput);
            }
            if next >= text.bytes.len() {
                return Ok(None);
            }
            if !matches!(text.byte(next), b'\n' | b'\r') {
                break;
            }
        }
        let byte = text.byte(next);
        let after_colon = text.byte(next + 1);
        let is_value =
            byte == b':' && (is_blank_or_break(after_colon) || is_flow_indicator(after_colon));
        if byte == b'#' || is_flow_indicator(byte) || is_value {
            return Ok(None);
        }
        // This checks the indentation and updates the current line.
        let start = self.flow_blanks_slowly(text, at)?;
        match lanes.outline(FurtherLine { text, start }) {
            Some(part) => Ok(Some(part)),
            None => Err(Halt::NeedMoreInput),
        }
    }
}

impl Engine {
    /// Opens the outermost flow collection, whose bracket is at `node` in block context, and
    /// returns the offset after the bracket.
    #[inline(never)]
    pub(super) fn open_flow_root(&mut self, text: Text<'_>, node: NodeStart) -> Step {
        let NodeStart { line, at, context, tabbed } = node;
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
            // If the properties cannot all belong to one node, the collection must be a key.
            let kind = match self.flow_root.conflict {
                Some(_) => EventKind::MappingStart,
                None => EventKind::Nop,
            };
            self.events.push_short(kind, Flags::NONE, key_start, 0);
        } else {
            first_word = self.word_index();
        }
        self.emit_all_properties()?;
        self.checkpoint = Checkpoint::Flow;
        self.push_flow(text, at, first_word)?;
        self.awaited_at = at + 1;
        Ok(at + 1)
    }

    /// Returns a fault if there are two anchors or two tags before the node on the line that starts
    /// at `line`, so that they cannot all belong to one node, but only to a mapping and its first
    /// key.
    pub(super) fn properties_conflict(&self, line: usize) -> Option<Fault> {
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

    /// Ends the outermost flow collection, `frame`, whose last bracket is just before `end`. If a
    /// `:` follows, the collection is an implicit key of a block mapping. Otherwise it is a value,
    /// an entry or the root. Returns the offset at which to continue.
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
    pub(super) fn close_flow_root<L: Lanes>(
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
                // The collection is not a key, so two of its properties conflict. The error is at the
                // end of the collection, because the second property may no longer be buffered.
                return Err(self.fail_with_offset(conflict.problem, end, 1, conflict.at));
            }
            self.top.state = self.top.state.done();
            self.checkpoint = Checkpoint::Line;
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
        self.checkpoint = Checkpoint::Node { line, context: Context::Inline, tabbed: false };
        Ok(colon + 1)
    }

    /// Converts `start`, the offset of a key in the stream, to an offset in the buffered text. The
    /// result is 0 if the key is no longer buffered; it is too long anyway.
    pub(super) fn key_start(&self, start: u64) -> usize {
        start.saturating_sub(self.base) as usize
    }

    /// Turns a no-op into the start of a mapping with `flags`, whose key is the collection after
    /// the no-op. `first_word` is the index of the no-op in the stream.
    pub(super) fn patch_key(&mut self, first_word: u64, flags: Flags) {
        let index = (first_word - self.flow_root.words_taken) as usize;
        self.events.patch_to_mapping(index, flags);
    }

    /// Turns the collection that was just closed into the key of a pair, whose `:` is at `at`.
    /// Fails if no collection was just closed.
    // [153] c-ns-flow-pair-json-key-entry.
    //
    // example: collection_as_the_key_of_a_pair
    //     [[a]: b]
    // events: +SEQ [] +MAP {} +SEQ [] =VAL :a -SEQ =VAL :b -MAP -SEQ
    pub(super) fn pair_of_closed(&mut self, text: Text<'_>, at: usize) -> Result<(), Halt> {
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

    /// Returns the start of the pair whose key has its text at `start` and its `:` at `colon`.
    /// Properties are part of the key. Fails if they are on an earlier line than the key (\[154\]
    /// ns-s-implicit-yaml-key).
    // example: tag_on_the_line_before_its_key
    //     [!!str
    //       a: b]
    // error: MultilineKey
    pub(super) fn pair_start(&mut self, start: usize, colon: usize) -> Result<usize, Halt> {
        if !self.properties.any {
            return Ok(start);
        }
        let first = self.properties.first_start();
        if self.absolute(first) < self.flow_root.current_line {
            return Err(self.fail_with(Problem::MultilineKey, colon, 1, first));
        }
        Ok(first)
    }

    /// Opens a mapping of one pair at `at` in a flow sequence, with `state` as the mapping's state.
    // [150] ns-flow-pair.
    //
    // example: explicit_pair
    //     [? a : b]
    // events: +SEQ [] +MAP {} =VAL :a =VAL :b -MAP -SEQ
    pub(super) fn open_pair(&mut self, at: usize, state: FlowState) -> Result<(), Halt> {
        let first_word = self.word_index();
        self.events.push_short(EventKind::MappingStart, Flags::FLOW, at, 0);
        self.push_pair(at, first_word, state)
    }

    /// Opens a frame with the state `state` for a pair that starts at `at` and whose first word,
    /// with the index `first_word` in the stream, has been written.
    pub(super) fn push_pair(
        &mut self,
        at: usize,
        first_word: u64,
        state: FlowState,
    ) -> Result<(), Halt> {
        self.set_flow_state(FlowState::SequenceAfterEntry, false);
        let start = self.absolute(at);
        self.flow.push(FlowFrame { state, adjacent: false, start, first_word });
        self.check_depth(at)
    }

    /// Writes the start of a pair and its key, whose `:` is at `colon`. The key is a scalar or an
    /// alias, given by `kind`, from `start` to `end`. Returns the offset after the `:`.
    // [139] ns-flow-seq-entry, [151] ns-flow-pair-entry.
    //
    // example: pair_in_a_sequence
    //     [a: b, c]
    // events: +SEQ [] +MAP {} =VAL :a =VAL :b -MAP =VAL :c -SEQ
    #[inline(never)]
    pub(super) fn flow_pair(
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

    /// Returns the offset of the first byte that is still needed in flow context: the start of the
    /// first collection that may be a key, or `usize::MAX` if there is none.
    pub(super) fn flow_keep_from(&self) -> usize {
        let live = self.first_live_frame().map(|frame| frame.start);
        let closed = self.flow_root.closed.map(|key| key.start);
        match (self.checkpoint, live.into_iter().chain(closed).min()) {
            (Checkpoint::Flow, Some(start)) if start >= self.base => (start - self.base) as usize,
            _ => usize::MAX,
        }
    }

    /// Returns the frame of the outermost open collection that may still be a key, or `None` if
    /// there is none.
    pub(super) fn first_live_frame(&self) -> Option<&FlowFrame> {
        let oldest = self.oldest_key_start();
        let index = self.flow.partition_point(|frame| frame.start < oldest);
        self.flow.get(index)
    }

    /// Returns the offset in the stream before which no key can start, because a collection that
    /// starts before it is on an earlier line, or too long for a key.
    pub(super) fn oldest_key_start(&self) -> u64 {
        const CHAR_BYTES_MAX: u64 = 4;
        let longest = self.settings.limits.max_implicit_key_chars.saturating_mul(CHAR_BYTES_MAX);
        let pos = self.absolute(self.pos);
        self.flow_root.current_line.max(pos.saturating_sub(longest.saturating_add(64)))
    }

    /// Returns how far the `len` words in the buffer may be yielded: the number of words before the
    /// first collection that may still be a key.
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

    /// Records that `count` words have been yielded and are no longer buffered.
    pub(super) fn take_words(&mut self, count: usize) {
        self.flow_root.words_taken += count as u64;
    }
}

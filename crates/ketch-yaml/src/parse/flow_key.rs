//! Parses flow collections as keys (YAML 1.2.2, sections 7.4.1 and 7.4.2), and pairs in sequences.
//!
//! The events of a collection that may be a key are held back; see [`super::flow`].

use super::engine::Engine;
use super::state::{
    Checkpoint, Context, FlowFrame, FlowRoot, FlowState, Frame, Halt, NodeStart, State, Step,
};
use crate::event::{EventKind, Flags};
use crate::fault::Fault;
use crate::problem::Problem;
use crate::scan::text::Text;
use ketch_bytes::Lanes;

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

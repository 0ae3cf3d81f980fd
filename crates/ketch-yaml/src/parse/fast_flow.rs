//! The fast lane of flow collections: the tokens of JSON, and of YAML that is as simple.
//!
//! A token that ends within a block of 64 bytes is read from the masks of that block, with the
//! innermost collection's state in a register. Whatever is not quite so simple is left to
//! [`Engine::flow_token`], with the state as it would have left it; so nothing is decided here to be
//! wrong. Flow collections as keys, pairs in sequences, properties, aliases, comments and scalars of
//! several lines are among what is left.

use super::engine::{Engine, Rest};
use super::flow::{FlowFrame, FlowState, KeyCandidate};
use crate::event::{EventKind, Flags};
use crate::scan::class::{Class, class, is_blank};
use crate::scan::text::Text;
use ketch_bytes::{BLOCK_BYTES, Lanes};

impl Engine {
    /// Simple tokens from `pos` on, until one is not or the chunk is full.
    #[inline(always)]
    pub(super) fn fast_flow<L: Lanes>(&mut self, lanes: L, text: Text<'_>) {
        let Some(&FlowFrame { mut state, .. }) = self.flow.last() else { return };
        let mut pos = self.pos;
        let chunk_words = self.settings.chunk_words;
        while self.events.len() < chunk_words {
            let Some(block) = text.bytes.get(pos..).and_then(|rest| rest.first_chunk()) else {
                break;
            };
            let used = match class(block[0]) {
                Class::Blank | Class::Break => self.fast_blanks(lanes, block, pos),
                Class::DoubleQuote => self.fast_quoted(lanes, text, block, pos, &mut state),
                Class::FlowEnd if block[0] == b',' => self.fast_comma(block, &mut state),
                Class::FlowEnd if self.flow.len() == 1 => {
                    if self.fast_close_root(block, pos, state) {
                        self.pos = pos + 2;
                        return;
                    }
                    0
                }
                Class::FlowEnd => self.fast_close_flow(block[0], pos, &mut state),
                Class::FlowOpen => self.fast_open_flow(block, pos, &mut state),
                Class::Plain => self.fast_plain(lanes, block, pos, &mut state),
                Class::Dash if block[1].is_ascii_digit() => {
                    self.fast_plain(lanes, block, pos, &mut state)
                }
                _ => 0,
            };
            if used == 0 {
                break;
            }
            pos += used;
        }
        self.pos = pos;
        if let Some(frame) = self.flow.last_mut() {
            if frame.state != state {
                frame.state = state;
                frame.adjacent = false;
            }
        }
    }

    /// White space, perhaps with line breaks; a token follows in the block.
    #[inline(always)]
    fn fast_blanks<L: Lanes>(
        &mut self,
        lanes: L,
        block: &[u8; BLOCK_BYTES],
        pos: usize,
    ) -> usize {
        let loaded = lanes.load(block);
        let ink = !lanes.le(loaded, b' ');
        let run = ink.trailing_zeros() as usize;
        if run == BLOCK_BYTES || block[run] == b'#' {
            return 0;
        }
        let breaks = lanes.eq_any(loaded, [b'\n', b'\r']) & !(u64::MAX << run);
        if breaks != 0 {
            let line = BLOCK_BYTES - breaks.leading_zeros() as usize;
            let tabs = lanes.eq(loaded, b'\t') & !(u64::MAX << run);
            if run - line < self.flow_indent() || tabs != 0 || run == line {
                return 0;
            }
            self.flow_root.current_line = self.absolute(pos + line);
        }
        run
    }

    /// How many bytes a token of `used` bytes has with the one space that most often follows.
    #[inline(always)]
    fn with_space(block: &[u8; BLOCK_BYTES], used: usize) -> usize {
        used + usize::from(block[used & 63] == b' ' && used < BLOCK_BYTES)
    }

    /// Where the double-quoted scalar at the start of the block closes, if it does so in the block
    /// and has no escapes. A byte of the block follows it.
    #[inline(always)]
    fn simple_quoted<L: Lanes>(lanes: L, block: &[u8; BLOCK_BYTES]) -> Option<usize> {
        let loaded = lanes.load(block);
        let stops = lanes.eq_any(loaded, [b'"', b'\\']) & !1;
        let close = stops.trailing_zeros() as usize;
        if close >= BLOCK_BYTES - 1 || block[close] != b'"' {
            return None;
        }
        let breaks = lanes.eq_any(loaded, [b'\n', b'\r']) & !(u64::MAX << close);
        (breaks == 0).then_some(close)
    }

    /// A double-quoted scalar; behind a key its colon and, where that is one too, the value.
    #[inline(always)]
    fn fast_quoted<L: Lanes>(
        &mut self,
        lanes: L,
        text: Text<'_>,
        block: &[u8; BLOCK_BYTES],
        pos: usize,
        state: &mut FlowState,
    ) -> usize {
        let Some(close) = Self::simple_quoted(lanes, block) else { return 0 };
        let next = block[close + 1];
        match *state {
            FlowState::MappingKey if next == b':' => {}
            FlowState::MappingValue => {
                self.events.push_short(EventKind::DoubleQuoted, Flags::NONE, pos, close + 1);
                return Self::after_value(block, close + 1, state);
            }
            FlowState::SequenceEntry if next == b',' || next == b']' => {
                self.events.push_short(EventKind::DoubleQuoted, Flags::NONE, pos, close + 1);
                return Self::after_value(block, close + 1, state);
            }
            _ => return 0,
        }
        self.events.push_short(EventKind::DoubleQuoted, Flags::NONE, pos, close + 1);
        *state = FlowState::MappingValue;
        self.awaited_at = pos + close + 2;
        let value = Self::with_space(block, close + 2);
        let rest = text.bytes.get(pos + value..).and_then(|rest| rest.first_chunk());
        let Some(block) = rest else { return value };
        if block[0] != b'"' {
            return value;
        }
        let Some(close) = Self::simple_quoted(lanes, block) else { return value };
        self.events.push_short(EventKind::DoubleQuoted, Flags::NONE, pos + value, close + 1);
        value + Self::after_value(block, close + 1, state)
    }

    /// A node of `used` bytes is there: takes the comma behind it, too.
    #[inline(always)]
    fn after_value(block: &[u8; BLOCK_BYTES], used: usize, state: &mut FlowState) -> usize {
        let is_mapping = *state == FlowState::MappingValue;
        if block[used & 63] == b',' && used < BLOCK_BYTES {
            *state = if is_mapping { FlowState::MappingKey } else { FlowState::SequenceEntry };
            return Self::with_space(block, used + 1);
        }
        *state = if is_mapping {
            FlowState::MappingAfterValue
        } else {
            FlowState::SequenceAfterEntry
        };
        used
    }

    #[inline(always)]
    fn fast_comma(&mut self, block: &[u8; BLOCK_BYTES], state: &mut FlowState) -> usize {
        *state = match *state {
            FlowState::MappingAfterValue => FlowState::MappingKey,
            FlowState::SequenceAfterEntry => FlowState::SequenceEntry,
            _ => return 0,
        };
        self.flow_root.closed = None;
        Self::with_space(block, 1)
    }

    /// `]` or `}` of what is not the outermost collection.
    #[inline(always)]
    fn fast_close_flow(&mut self, byte: u8, pos: usize, state: &mut FlowState) -> usize {
        use FlowState::*;
        let kind = match (*state, byte) {
            (SequenceAfterEntry | SequenceEntry, b']') => EventKind::SequenceEnd,
            (MappingAfterValue | MappingKey, b'}') => EventKind::MappingEnd,
            _ => return 0,
        };
        let [.., outer, inner] = self.flow[..] else { return 0 };
        self.events.push_short(kind, Flags::FLOW, pos, 1);
        self.flow.pop();
        *state = outer.state;
        if outer.state == SequenceAfterEntry {
            let FlowFrame { start, first_word, .. } = inner;
            self.flow_root.closed = Some(KeyCandidate { start, first_word });
        }
        1
    }

    /// `]` or `}` of the outermost collection at the end of its line.
    #[inline(always)]
    fn fast_close_root(
        &mut self,
        block: &[u8; BLOCK_BYTES],
        pos: usize,
        state: FlowState,
    ) -> bool {
        let kind = match (state, block[0]) {
            (FlowState::SequenceAfterEntry, b']') => EventKind::SequenceEnd,
            (FlowState::MappingAfterValue, b'}') => EventKind::MappingEnd,
            _ => return false,
        };
        if block[1] != b'\n' || !self.flow_root.is_simple() {
            return false;
        }
        self.events.push_short(kind, Flags::FLOW, pos, 1);
        self.flow.clear();
        self.top.state = self.top.state.done();
        self.rest = Rest::Line;
        true
    }

    /// `[` or `{` as an entry or a value.
    #[inline(always)]
    fn fast_open_flow(
        &mut self,
        block: &[u8; BLOCK_BYTES],
        pos: usize,
        state: &mut FlowState,
    ) -> usize {
        let depth = (self.frames.len() + self.flow.len()) as u64;
        if depth >= self.settings.limits.max_depth.base {
            return 0;
        }
        let first_word = self.word_index();
        let outer = match *state {
            FlowState::MappingValue => FlowState::MappingAfterValue,
            FlowState::SequenceEntry => {
                self.events.push_short(EventKind::Nop, Flags::NONE, pos, 0);
                FlowState::SequenceAfterEntry
            }
            _ => return 0,
        };
        if let Some(frame) = self.flow.last_mut() {
            frame.state = outer;
            frame.adjacent = true;
        }
        let (kind, inner) = if block[0] == b'[' {
            (EventKind::SequenceStart, FlowState::SequenceEntry)
        } else {
            (EventKind::MappingStart, FlowState::MappingKey)
        };
        self.events.push_short(kind, Flags::FLOW, pos, 1);
        let start = self.absolute(pos);
        self.flow.push(FlowFrame { state: inner, adjacent: false, start, first_word });
        *state = inner;
        self.awaited_at = pos + 1;
        Self::with_space(block, 1)
    }

    /// A plain scalar that ends in the block, in front of an indicator.
    #[inline(always)]
    fn fast_plain<L: Lanes>(
        &mut self,
        lanes: L,
        block: &[u8; BLOCK_BYTES],
        pos: usize,
        state: &mut FlowState,
    ) -> usize {
        let stops = lanes.eq_any(
            lanes.load(block),
            [b',', b'[', b']', b'{', b'}', b':', b'#', b'\n', b'\r'],
        );
        let stop = (stops & !1).trailing_zeros() as usize;
        if stop >= BLOCK_BYTES - 1 {
            return 0;
        }
        let mut end = stop;
        while is_blank(block[end - 1]) {
            end -= 1;
        }
        match (block[stop], *state) {
            (b':', FlowState::MappingKey) if block[stop + 1] == b' ' => {
                self.events.push_short(EventKind::Plain, Flags::NONE, pos, end);
                *state = FlowState::MappingValue;
                self.awaited_at = pos + stop + 1;
                Self::with_space(block, stop + 1)
            }
            (b',' | b'}', FlowState::MappingValue) | (b',' | b']', FlowState::SequenceEntry) => {
                self.events.push_short(EventKind::Plain, Flags::NONE, pos, end);
                Self::after_value(block, stop, state)
            }
            _ => 0,
        }
    }
}

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
use crate::scan::class::{Class, class, is_blank, is_blank_or_break};
use crate::scan::quoted::LongQuoted;
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
            // A single space, first of all.
            let used = match class(block[0]) {
                Class::Blank if !is_blank_or_break(block[1]) && block[1] != b'#' => 1,
                Class::Blank | Class::Break => self.fast_blanks(lanes, block, pos),
                Class::DoubleQuote | Class::SingleQuote => {
                    self.fast_quoted(lanes, text, block, pos, &mut state)
                }
                Class::FlowEnd if block[0] == b',' => self.fast_comma(block, pos, &mut state),
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
                Class::Alias => self.fast_alias(lanes, block, pos, &mut state),
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
        if let Some(frame) = self.flow.last_mut()
            && frame.state != state
        {
            frame.state = state;
            frame.adjacent = false;
        }
    }

    /// White space, perhaps with line breaks; a token follows in the block.
    #[inline(always)]
    fn fast_blanks<L: Lanes>(&mut self, lanes: L, block: &[u8; BLOCK_BYTES], pos: usize) -> usize {
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

    /// Where the quoted scalar at the start of the block closes, if it does so in the block and has
    /// no escapes. A byte of the block follows it.
    #[inline(always)]
    fn simple_quoted<L: Lanes>(lanes: L, block: &[u8; BLOCK_BYTES]) -> Option<usize> {
        let loaded = lanes.load(block);
        let quote = block[0];
        let escape = if quote == b'"' { b'\\' } else { quote };
        let stops = lanes.eq_any(loaded, [quote, escape]) & !1;
        let close = stops.trailing_zeros() as usize;
        if close >= BLOCK_BYTES - 1 || block[close] != quote {
            return None;
        }
        if quote == b'\'' && block[close + 1] == quote {
            return None;
        }
        let breaks = lanes.eq_any(loaded, [b'\n', b'\r']) & !(u64::MAX << close);
        (breaks == 0).then_some(close)
    }

    /// Writes the quoted scalar at `pos`, if it is on one line; answers its length, zero if not, and
    /// the block that starts behind it.
    #[inline(always)]
    fn write_quoted<'t, L: Lanes>(
        &mut self,
        lanes: L,
        text: Text<'t>,
        block: &[u8; BLOCK_BYTES],
        pos: usize,
        may_follow: impl Fn(u8) -> bool,
    ) -> (usize, u8) {
        let (len, flags) = match Self::simple_quoted(lanes, block) {
            Some(close) => (close + 1, Flags::NONE),
            None => match lanes.outline(LongQuoted { text, open: pos }) {
                Some((end, flags)) => (end - pos, flags),
                None => return (0, 0),
            },
        };
        // What follows must be there to be looked at.
        let next = match text.bytes.get(pos + len) {
            Some(&next) if may_follow(next) => next,
            _ => return (0, 0),
        };
        let kind = match block[0] {
            b'"' => EventKind::DoubleQuoted,
            _ => EventKind::SingleQuoted,
        };
        if len as u64 > self.settings.limits.max_scalar_bytes {
            return (0, 0);
        }
        self.events.push(kind, flags, pos, len);
        (len, next)
    }

    /// A quoted scalar; behind a key its colon and, where that is quoted too, the value.
    #[inline(always)]
    fn fast_quoted<L: Lanes>(
        &mut self,
        lanes: L,
        text: Text<'_>,
        block: &[u8; BLOCK_BYTES],
        pos: usize,
        state: &mut FlowState,
    ) -> usize {
        match *state {
            FlowState::MappingKey => {}
            FlowState::MappingValue => {
                let (len, next) = self.write_quoted(lanes, text, block, pos, |_| true);
                return if len == 0 { 0 } else { self.after_value(pos, len, next, state) };
            }
            FlowState::SequenceEntry => {
                let ends = |next| next == b',' || next == b']';
                let (len, next) = self.write_quoted(lanes, text, block, pos, ends);
                return if len == 0 { 0 } else { self.after_value(pos, len, next, state) };
            }
            _ => return 0,
        }
        let (len, _) = self.write_quoted(lanes, text, block, pos, |next| next == b':');
        if len == 0 {
            return 0;
        }
        *state = FlowState::MappingValue;
        self.awaited_at = pos + len + 1;
        let value = len + 1 + usize::from(text.byte(pos + len + 1) == b' ');
        if text.byte(pos + value) != b'"' {
            return value;
        }
        let block = text.block(pos + value);
        let (len, next) = self.write_quoted(lanes, text, block, pos + value, |_| true);
        if len == 0 { value } else { value + self.after_value(pos + value, len, next, state) }
    }

    /// A node of `used` bytes is there, with `next` behind it: takes that too, if it is a comma.
    #[inline(always)]
    fn after_value(&mut self, pos: usize, used: usize, next: u8, state: &mut FlowState) -> usize {
        let is_mapping = *state == FlowState::MappingValue;
        if next == b',' {
            self.awaited_at = pos + used + 1;
            self.flow_root.closed = None;
            *state = if is_mapping { FlowState::MappingKey } else { FlowState::SequenceEntry };
            return used + 1;
        }
        *state =
            if is_mapping { FlowState::MappingAfterValue } else { FlowState::SequenceAfterEntry };
        used
    }

    #[inline(always)]
    fn fast_comma(
        &mut self,
        block: &[u8; BLOCK_BYTES],
        pos: usize,
        state: &mut FlowState,
    ) -> usize {
        *state = match *state {
            FlowState::MappingAfterValue => FlowState::MappingKey,
            FlowState::SequenceAfterEntry => FlowState::SequenceEntry,
            _ => return 0,
        };
        self.flow_root.closed = None;
        self.awaited_at = pos + 1;
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
    fn fast_close_root(&mut self, block: &[u8; BLOCK_BYTES], pos: usize, state: FlowState) -> bool {
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

    /// An alias as an entry or a value, in front of an indicator.
    #[inline(always)]
    fn fast_alias<L: Lanes>(
        &mut self,
        lanes: L,
        block: &[u8; BLOCK_BYTES],
        pos: usize,
        state: &mut FlowState,
    ) -> usize {
        let loaded = lanes.load(block);
        let ends = lanes.eq_any(loaded, [b',', b'[', b']', b'{', b'}']) | lanes.le(loaded, b' ');
        let end = ends.trailing_zeros() as usize;
        if end < 2 || end == BLOCK_BYTES {
            return 0;
        }
        match (block[end], *state) {
            (b',' | b']', FlowState::SequenceEntry) | (b',' | b'}', FlowState::MappingValue) => {
                self.events.push_short(EventKind::Alias, Flags::NONE, pos, end);
                self.after_value(pos, end, block[end], state)
            }
            _ => 0,
        }
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
        let loaded = lanes.load(block);
        // A tab stops it, too, for want of a cheaper test of line breaks.
        let stops = lanes.eq_any(loaded, [b',', b'[', b']', b'{', b'}', b':', b'#'])
            | lanes.le(loaded, 0x1F);
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
                self.after_value(pos, stop, block[stop], state)
            }
            _ => 0,
        }
    }
}

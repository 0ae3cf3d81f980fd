//! The fast lane of flow collections: JSON, and YAML that is as simple.
//!
//! The grammar leads: behind a key comes a value, behind a value a comma or a bracket, so most
//! tokens are met where they are expected, and each is read from the masks of the 64 bytes that
//! start with it. Whatever is not so simple is left to [`Engine::flow_token`], with the state as it
//! would have left it; so nothing is decided here to be wrong. Flow collections as keys, pairs in
//! sequences, properties, comments and scalars of several lines are among what is left.

use super::engine::{Context, Engine, Rest};
use super::fast::{Front, Lane, Line};
use super::flow::{FlowFrame, FlowRoot, FlowState, KeyCandidate};
use crate::event::{EventKind, Flags, Room};
use crate::scan::class::{Class, class, is_blank};
use crate::scan::quoted::LongQuoted;
use crate::scan::text::Text;
use ketch_bytes::{BLOCK_BYTES, Kernel, Lanes};

/// So many words an entry may take: a key, a no-op, and a value of two words.
const ENTRY_WORDS: usize = 8;

/// The fast lane in flow collections, as a call of its own.
struct FlowLane<'e, 't> {
    text: Text<'t>,
    out: Room<'e>,
    /// It ends when there are so many words.
    words: usize,
    flow: &'e mut Vec<FlowFrame>,
    root: &'e mut FlowRoot,
    /// Of the innermost collection; its frame learns of it at the end.
    state: FlowState,
    pos: usize,
    /// See [`Engine::base`].
    base: u64,
    /// The least column of further lines.
    indent: usize,
    /// How many flow collections may be open.
    depth_max: u64,
    scalar_bytes_max: u64,
    awaited_at: usize,
}

/// How the lane was left.
struct FlowEnd {
    pos: usize,
    /// Words written, with those before.
    words: usize,
    awaited_at: usize,
    /// The outermost collection ended, and its line, too.
    is_closed: bool,
}

impl Kernel for FlowLane<'_, '_> {
    type Output = FlowEnd;

    #[inline(always)]
    fn run<L: Lanes>(mut self, lanes: L) -> FlowEnd {
        while self.out.len() < self.words && self.step(lanes) {}
        let is_closed = self.flow.is_empty();
        if let Some(frame) = self.flow.last_mut()
            && frame.state != self.state
        {
            frame.state = self.state;
            frame.adjacent = false;
        }
        let FlowLane { pos, out, awaited_at, .. } = self;
        FlowEnd { pos, words: out.len(), awaited_at, is_closed }
    }
}

impl Engine {
    /// Simple tokens from `pos` on, until one is not, the chunk is full or the collection ends.
    #[inline(always)]
    pub(super) fn fast_flow<L: Lanes>(&mut self, lanes: L, text: Text<'_>) {
        let Some(frame) = self.flow.last() else { return };
        let state = frame.state;
        let indent = self.flow_indent();
        let out = self.events.room(ENTRY_WORDS);
        let words = self.settings.chunk_words.min(out.capacity().saturating_sub(ENTRY_WORDS - 1));
        let limits = &self.settings.limits;
        let end = lanes.outline(FlowLane {
            text,
            out,
            words,
            flow: &mut self.flow,
            root: &mut self.flow_root,
            state,
            pos: self.pos,
            base: self.base,
            indent,
            depth_max: limits.max_depth.base.saturating_sub(self.frames.len() as u64),
            scalar_bytes_max: limits.max_scalar_bytes,
            awaited_at: self.awaited_at,
        });
        self.events.set_len(end.words);
        self.awaited_at = end.awaited_at;
        self.pos = end.pos;
        if end.is_closed {
            self.top.state = self.top.state.done();
            self.rest = Rest::Line;
        }
    }
}

impl Lane<'_, '_> {
    /// A flow collection at `at`, as far as it is simple.
    #[inline(always)]
    pub(super) fn flow_value<L: Lanes>(
        &mut self,
        lanes: L,
        front: &Front<'_, L>,
        at: usize,
        context: Context,
    ) -> Line {
        let line = front.window.base;
        if context == Context::Entry || self.frames.len() as u64 >= self.depth_max {
            return Line::Node { at: line + at, context };
        }
        let base = self.base;
        *self.flow_root = FlowRoot::simple(context, base + line as u64, at as isize);
        let first_word = self.out.len() as u64;
        // It may be a key.
        if context == Context::Block {
            self.out.push(EventKind::Nop, Flags::NONE, line + at, 0);
        }
        let (kind, state) = opened(front.byte(at));
        self.out.push(kind, Flags::FLOW, line + at, 1);
        let start = base + (line + at) as u64;
        self.flow.push(FlowFrame { state, adjacent: false, start, first_word });
        let end = lanes.outline(FlowLane {
            text: self.text,
            out: self.out.reborrow(),
            words: self.words,
            flow: &mut *self.flow,
            root: &mut *self.flow_root,
            state,
            pos: line + at + 1,
            base,
            indent: (self.top.indent + 1) as usize,
            depth_max: self.depth_max - self.frames.len() as u64,
            scalar_bytes_max: self.scalar_bytes_max,
            awaited_at: line + at + 1,
        });
        self.out.set_len(end.words);
        self.awaited_at = end.awaited_at;
        if !end.is_closed {
            return Line::Flow { at: end.pos };
        }
        self.top.state = self.top.state.done();
        Line::Done(end.pos)
    }
}

/// What the bracket `open` starts.
#[inline(always)]
fn opened(open: u8) -> (EventKind, FlowState) {
    if open == b'[' {
        (EventKind::SequenceStart, FlowState::SequenceEntry)
    } else {
        (EventKind::MappingStart, FlowState::MappingKey)
    }
}

/// A scalar that has been scanned, not yet written.
struct Scanned {
    kind: EventKind,
    flags: Flags,
    len: usize,
    /// What follows it, white space behind a plain scalar left out.
    next: usize,
}

impl FlowLane<'_, '_> {
    /// An entry, or as much of it as is simple. `false`: what follows is for the general lane.
    #[inline(always)]
    fn step<L: Lanes>(&mut self, lanes: L) -> bool {
        if !self.skip_blanks(lanes) {
            return false;
        }
        match self.state {
            FlowState::MappingKey => self.key(lanes) && self.value_behind_key(lanes),
            FlowState::MappingValue | FlowState::SequenceEntry => self.value(lanes),
            FlowState::MappingAfterValue | FlowState::SequenceAfterEntry => self.after_value(),
            _ => false,
        }
    }

    /// White space, perhaps with line breaks, in front of a token. `false` if it is not simple.
    #[inline(always)]
    fn skip_blanks<L: Lanes>(&mut self, lanes: L) -> bool {
        let block = self.text.block(self.pos);
        if block[0] > b' ' {
            return block[0] != b'#';
        }
        if block[0] == b' ' && block[1] > b' ' {
            self.pos += 1;
            return block[1] != b'#';
        }
        let loaded = lanes.load(block);
        let blank = lanes.le(loaded, b' ');
        let run = (!blank).trailing_zeros() as usize;
        if run == BLOCK_BYTES || block[run] == b'#' {
            return false;
        }
        let within = !(u64::MAX << run);
        let breaks = within & blank & !lanes.eq(loaded, b' ');
        if breaks != 0 {
            let last = BLOCK_BYTES - 1 - breaks.leading_zeros() as usize;
            let line = last + 1;
            // Tabs anywhere are for the general lane; so is a token at the start of a line.
            if run == line || run - line < self.indent || lanes.eq(loaded, b'\t') & within != 0 {
                return false;
            }
            self.root.current_line = self.base + (self.pos + line) as u64;
        }
        self.pos += run;
        true
    }

    /// The key of an entry and its colon, or the end of the mapping: then there is no value to come.
    #[inline(always)]
    fn key<L: Lanes>(&mut self, lanes: L) -> bool {
        let block = self.text.block(self.pos);
        let first = block[0];
        let scanned = if first == b'"' || first == b'\'' {
            self.quoted(lanes, block)
        } else if class(first) == Class::Plain {
            self.plain(lanes, block)
        } else {
            // `{}`, and a comma in front of the bracket.
            return first == b'}' && self.close(first) && self.after_close();
        };
        let Some(key) = scanned else { return false };
        if self.text.byte(self.pos + key.next) != b':' {
            return false;
        }
        let behind = self.text.byte(self.pos + key.next + 1);
        if key.kind == EventKind::Plain && behind != b' ' {
            return false;
        }
        self.out.push_any(key.kind, key.flags, self.pos, key.len);
        self.pos += key.next + 1;
        self.awaited_at = self.pos;
        self.state = FlowState::MappingValue;
        true
    }

    #[inline(always)]
    fn value_behind_key<L: Lanes>(&mut self, lanes: L) -> bool {
        if self.state != FlowState::MappingValue {
            return true;
        }
        if self.text.byte(self.pos) == b' ' {
            self.pos += 1;
        }
        if self.text.byte(self.pos) <= b' ' {
            return true;
        }
        self.value(lanes)
    }

    /// The value of a key, or an entry of a sequence, and what follows it.
    #[inline(always)]
    fn value<L: Lanes>(&mut self, lanes: L) -> bool {
        let block = self.text.block(self.pos);
        let first = block[0];
        let is_plain = class(first) == Class::Plain;
        let scanned = if first == b'"' || first == b'\'' {
            self.quoted(lanes, block)
        } else if is_plain || (first == b'-' && block[1].is_ascii_digit()) {
            self.plain(lanes, block)
        } else if first == b'[' || first == b'{' {
            return self.open(first);
        } else if first == b'*' {
            self.alias(lanes, block)
        } else {
            return first == b']' && self.close(first) && self.after_close();
        };
        let Some(value) = scanned else { return false };
        let next = self.text.byte(self.pos + value.next);
        let is_mapping = self.state == FlowState::MappingValue;
        // In a sequence it could be a key. Elsewhere white space may follow what is quoted.
        let may_follow = match next {
            b',' => true,
            b']' => !is_mapping,
            b'}' => is_mapping,
            _ => is_mapping && value.kind != EventKind::Plain && value.kind != EventKind::Alias,
        };
        if !may_follow {
            return false;
        }
        self.out.push_any(value.kind, value.flags, self.pos, value.len);
        self.pos += value.next;
        self.state =
            if is_mapping { FlowState::MappingAfterValue } else { FlowState::SequenceAfterEntry };
        if next <= b' ' { true } else { self.after_value() }
    }

    /// A comma, or closing brackets and what follows them.
    #[inline(always)]
    fn after_value(&mut self) -> bool {
        let byte = self.text.byte(self.pos);
        if byte == b',' {
            self.root.closed = None;
            self.state = if self.state == FlowState::MappingAfterValue {
                FlowState::MappingKey
            } else {
                FlowState::SequenceEntry
            };
            self.pos += 1;
            self.awaited_at = self.pos;
            return true;
        }
        self.close(byte) && self.after_close()
    }

    /// Behind a closed collection: more to do unless it was the outermost.
    #[inline(always)]
    fn after_close(&mut self) -> bool {
        !self.flow.is_empty()
    }

    /// `]` or `}`, if it closes the innermost collection.
    #[inline(always)]
    fn close(&mut self, byte: u8) -> bool {
        use FlowState::*;
        let kind = match (self.state, byte) {
            (SequenceAfterEntry | SequenceEntry, b']') => EventKind::SequenceEnd,
            (MappingAfterValue | MappingKey, b'}') => EventKind::MappingEnd,
            _ => return false,
        };
        let Some(outer) = self.flow.len().checked_sub(2) else { return self.close_root(kind) };
        let FlowFrame { start, first_word, .. } = self.flow[outer + 1];
        self.state = self.flow[outer].state;
        self.flow.truncate(outer + 1);
        self.out.push(kind, Flags::FLOW, self.pos, 1);
        self.pos += 1;
        if self.state == SequenceAfterEntry {
            self.root.closed = Some(KeyCandidate { start, first_word });
        }
        true
    }

    /// The end of the outermost collection, if its line ends there, too.
    #[inline(always)]
    fn close_root(&mut self, kind: EventKind) -> bool {
        let behind = self.pos + 1;
        let is_end = match self.text.bytes.get(behind) {
            Some(&byte) => byte == b'\n',
            None => self.text.is_last,
        };
        if !is_end || !self.root.is_simple() {
            return false;
        }
        self.out.push(kind, Flags::FLOW, self.pos, 1);
        self.flow.clear();
        self.pos = (behind + 1).min(self.text.bytes.len());
        true
    }

    /// `[` or `{` as an entry or a value.
    #[inline(always)]
    fn open(&mut self, open: u8) -> bool {
        if self.flow.len() as u64 >= self.depth_max {
            return false;
        }
        let first_word = self.root.word_index(self.out.len());
        let outer = if self.state == FlowState::MappingValue {
            FlowState::MappingAfterValue
        } else {
            self.out.push(EventKind::Nop, Flags::NONE, self.pos, 0);
            FlowState::SequenceAfterEntry
        };
        if let Some(frame) = self.flow.last_mut() {
            frame.state = outer;
            frame.adjacent = true;
        }
        let (kind, state) = opened(open);
        self.out.push(kind, Flags::FLOW, self.pos, 1);
        let start = self.base + self.pos as u64;
        self.flow.push(FlowFrame { state, adjacent: false, start, first_word });
        self.state = state;
        self.pos += 1;
        self.awaited_at = self.pos;
        true
    }

    /// The quoted scalar at the start of the block, if it is on one line.
    #[inline(always)]
    fn quoted<L: Lanes>(&self, lanes: L, block: &[u8; BLOCK_BYTES]) -> Option<Scanned> {
        let loaded = lanes.load(block);
        let quote = block[0];
        let (kind, escape) = match quote {
            b'"' => (EventKind::DoubleQuoted, b'\\'),
            _ => (EventKind::SingleQuoted, quote),
        };
        let stops = lanes.eq_any(loaded, [quote, escape, b'\n', b'\r']) & !1;
        let close = stops.trailing_zeros() as usize;
        let is_simple = close < BLOCK_BYTES - 1
            && block[close] == quote
            && (escape != quote || block[close + 1] != quote);
        if is_simple {
            let len = close + 1;
            return Some(Scanned { kind, flags: Flags::NONE, len, next: len });
        }
        let (end, flags) = lanes.outline(LongQuoted { text: self.text, open: self.pos })?;
        let len = end - self.pos;
        (len as u64 <= self.scalar_bytes_max).then_some(Scanned { kind, flags, len, next: len })
    }

    /// The plain scalar at the start of the block, if it ends there in front of an indicator.
    #[inline(always)]
    fn plain<L: Lanes>(&self, lanes: L, block: &[u8; BLOCK_BYTES]) -> Option<Scanned> {
        let loaded = lanes.load(block);
        // A tab stops it, too, for want of a cheaper test of line breaks.
        let stops = lanes.eq_any(loaded, [b',', b'[', b']', b'{', b'}', b':', b'#'])
            | lanes.le(loaded, 0x1F);
        let stop = (stops & !1).trailing_zeros() as usize;
        if stop >= BLOCK_BYTES - 1 {
            return None;
        }
        let mut len = stop;
        while is_blank(block[len - 1]) {
            len -= 1;
        }
        Some(Scanned { kind: EventKind::Plain, flags: Flags::NONE, len, next: stop })
    }

    /// The alias at the start of the block, if it ends there in front of an indicator.
    #[inline(always)]
    fn alias<L: Lanes>(&self, lanes: L, block: &[u8; BLOCK_BYTES]) -> Option<Scanned> {
        let loaded = lanes.load(block);
        let ends = lanes.eq_any(loaded, [b',', b'[', b']', b'{', b'}']) | lanes.le(loaded, b' ');
        let len = ends.trailing_zeros() as usize;
        let is_simple = (2..BLOCK_BYTES).contains(&len);
        is_simple.then_some(Scanned { kind: EventKind::Alias, flags: Flags::NONE, len, next: len })
    }
}

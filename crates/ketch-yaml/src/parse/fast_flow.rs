//! The fast path of flow collections, for JSON and YAML that is as simple.
//!
//! The code follows the grammar: a key is followed by a value, and a value by a comma or a bracket.
//! It rarely has to guess the next token, and parses tokens from the masks of the next 64 bytes.
//! The rest is left to [`Engine::flow_token`]: flow collections as keys, pairs in sequences,
//! properties, comments and multiline scalars. The state is then the same as if that function had
//! parsed everything before. Nothing is rejected here.

use super::engine::{Engine, empty_node_offset};
use super::fast::{FastPath, Front, Line, Lines, RARE, SHORT_WORDS};
use super::fast_value::{name_end, property_end, simple_property};
use super::state::{Checkpoint, Context, FlowFrame, FlowRoot, FlowState, KeyCandidate};
use crate::event::{EventKind, Flags, Room};
use crate::scan::class::{Class, class};
use crate::scan::quoted::LongQuoted;
use crate::scan::text::Text;
use ketch_bytes::{BLOCK_BYTES, Kernel, Lanes};

/// The maximum number of words of an entry: a key, a no-op, and a value of two words.
const ENTRY_WORDS: usize = 8;

/// Runs the fast path in flow collections, in a separate kernel so that its code is not inlined.
struct FlowFastPath<'e, 't> {
    text: Text<'t>,
    out: Room<'e>,
    /// The fast path ends once there are this many words.
    words: usize,
    flow: &'e mut Vec<FlowFrame>,
    root: &'e mut FlowRoot,
    /// The state of the innermost collection, which is stored in its frame at the end.
    state: FlowState,
    pos: usize,
    /// See [`Engine::base`].
    base: u64,
    /// The minimum indentation of continuation lines.
    indent: usize,
    /// The maximum number of open flow collections.
    depth_max: u64,
    scalar_bytes_max: u64,
    awaited_at: usize,
    /// Whether the document has no directives.
    is_bare: bool,
}

/// Parses a flow sequence of scalars that ends in the window in which it starts. Most flow
/// collections in block context are like this, and need no frame. A separate kernel is not inlined.
struct ShortSequence<'e, 't> {
    text: Text<'t>,
    out: Room<'e>,
    open: usize,
}

impl Kernel for ShortSequence<'_, '_> {
    /// The total number of words and the offset after the bracket, or `None` if it is not simple.
    type Output = Option<(usize, usize)>;

    #[inline(always)]
    fn run<L: Lanes>(mut self, lanes: L) -> Self::Output {
        let ahead = Ahead::load(lanes, &self.text, self.open);
        let end = short_sequence(lanes, &mut self.out, &ahead, self.open, 0)?;
        Some((self.out.len(), self.open + end))
    }
}

/// Writes the sequence that opens at `at` of the window at `base`, and returns the offset in the
/// window after it. Returns `None` if it does not end there, or has anything but simple scalars and
/// aliases. The caller then has to discard the words that were written.
#[inline(always)]
fn short_sequence<L: Lanes>(
    lanes: L,
    out: &mut Room<'_>,
    ahead: &Ahead<'_, L>,
    base: usize,
    mut at: usize,
) -> Option<usize> {
    out.push(EventKind::SequenceStart, Flags::FLOW, base + at, 1);
    at += 1;
    // An entry and the byte after it take at least two bytes.
    while at < BLOCK_BYTES - 1 {
        let first = ahead.byte(at);
        let scanned = if first == b'"' || first == b'\'' {
            ahead.quoted(at)
        } else if class(first) == Class::Plain {
            ahead.plain(lanes, at)
        } else if first == b'*' {
            ahead.alias(lanes, at)
        } else {
            None
        };
        let Scanned { kind, end, next } = scanned?;
        out.push(kind, Flags::NONE, base + at, end - at);
        match ahead.byte(next) {
            b',' if next < BLOCK_BYTES - 1 => at = ahead.skip_spaces(next + 1),
            b']' => {
                out.push(EventKind::SequenceEnd, Flags::FLOW, base + next, 1);
                return Some(next + 1);
            }
            _ => return None,
        }
    }
    None
}

/// Where and how the fast path ended.
struct FlowEnd {
    pos: usize,
    /// The total number of words written.
    words: usize,
    awaited_at: usize,
    /// Whether the outermost collection and its line have ended.
    is_closed: bool,
    /// Whether the number of steps is used up, so that more may be parsed.
    may_go_on: bool,
}

impl Kernel for FlowFastPath<'_, '_> {
    type Output = FlowEnd;

    #[inline(always)]
    fn run<L: Lanes>(mut self, lanes: L) -> FlowEnd {
        while self.out.len() < self.words && self.step(lanes) {}
        self.end()
    }
}

/// Also parses what is rare, for some steps. This is a separate kernel because handling everything
/// in one loop is slower.
struct RareFlow<'e, 't>(FlowFastPath<'e, 't>);

/// The number of steps after which the loop with rare steps ends.
const RARE_STEPS: usize = 64;

impl Kernel for RareFlow<'_, '_> {
    type Output = FlowEnd;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> FlowEnd {
        let RareFlow(mut path) = self;
        let mut steps = 0;
        while steps < RARE_STEPS && path.out.len() < path.words && path.any_step(lanes) {
            steps += 1;
        }
        FlowEnd { may_go_on: steps == RARE_STEPS, ..path.end() }
    }
}

/// Parses simple tokens from the current position on, until one is not simple, the chunk is
/// full or the outermost collection ends.
#[inline(always)]
pub(super) fn fast_flow<L: Lanes>(engine: &mut Engine, lanes: L, text: Text<'_>) {
    run_flow(engine, text, |path| lanes.outline(path));
    while engine.checkpoint == Checkpoint::Flow
        && !engine.is_chunk_full()
        && run_flow(engine, text, |path| lanes.outline(RareFlow(path)))
    {
        run_flow(engine, text, |path| lanes.outline(path));
    }
}

/// Runs a fast path from the current position on, and stores its end. Returns whether there may be
/// more that it can parse.
#[inline(always)]
fn run_flow(
    engine: &mut Engine,
    text: Text<'_>,
    run: impl FnOnce(FlowFastPath<'_, '_>) -> FlowEnd,
) -> bool {
    let Some(frame) = engine.flow.last() else { return false };
    let state = frame.state;
    let indent = engine.flow_indent();
    let out = engine.events.room(ENTRY_WORDS);
    let words = engine.settings.chunk_words.min(out.capacity().saturating_sub(ENTRY_WORDS - 1));
    let limits = &engine.settings.limits;
    let end = run(FlowFastPath {
        text,
        out,
        words,
        flow: &mut engine.flow,
        root: &mut engine.flow_root,
        state,
        pos: engine.pos,
        base: engine.base,
        indent,
        depth_max: limits.max_depth.base.saturating_sub(engine.frames.len() as u64),
        scalar_bytes_max: limits.max_scalar_bytes,
        awaited_at: engine.awaited_at,
        is_bare: engine.directives.is_empty(),
    });
    engine.events.set_len(end.words);
    engine.awaited_at = end.awaited_at;
    engine.pos = end.pos;
    if end.is_closed {
        engine.top.state = engine.top.state.done();
        engine.checkpoint = Checkpoint::Line;
    }
    end.may_go_on && !end.is_closed
}

impl FastPath<'_, '_> {
    /// Parses the flow collection at `at` of the window, as far as it is simple.
    #[inline(always)]
    pub(super) fn flow_value<L: Lanes, const LINES: Lines>(
        &mut self,
        lanes: L,
        front: &Front<'_, L>,
        at: usize,
        context: Context,
    ) -> Line {
        let column = front.column + at;
        let open = front.byte(at);
        let at = front.window.base + at;
        if context == Context::Entry || self.frames.len() as u64 >= self.depth_max {
            return Line::Node { at, context };
        }
        if open == b'[' && front.has_end() {
            let words = self.out.len();
            if context == Context::Block {
                self.out.push(EventKind::Nop, Flags::NONE, at, 0);
            }
            let text = self.text;
            let short = ShortSequence { text, out: self.out.reborrow(), open: at };
            if let Some((words, end)) = lanes.outline(short)
                && end == front.window.base + front.newline
            {
                self.out.set_len(words);
                self.top.state = self.top.state.done();
                return Line::Done(front.next_line());
            }
            self.out.set_len(words);
        }
        let base = self.base;
        let line = base + (at - column) as u64;
        *self.flow_root = FlowRoot::simple(context, line, column as isize);
        let first_word = self.out.len() as u64;
        // The collection may be a key.
        if context == Context::Block {
            self.out.push(EventKind::Nop, Flags::NONE, at, 0);
        }
        let (kind, state) = opened(open);
        self.out.push(kind, Flags::FLOW, at, 1);
        let start = base + at as u64;
        self.flow.push(FlowFrame { state, adjacent: false, start, first_word });
        self.awaited_at = at + 1;
        let mut end = lanes.outline(self.flow_path(state, at + 1));
        self.out.set_len(end.words);
        self.awaited_at = end.awaited_at;
        if let (RARE, false, Some(frame)) = (LINES, end.is_closed, self.flow.last()) {
            let path = self.flow_path(frame.state, end.pos);
            end = lanes.outline(RareFlow(path));
            self.out.set_len(end.words);
            self.awaited_at = end.awaited_at;
        }
        if !end.is_closed {
            return Line::Flow { at: end.pos };
        }
        self.top.state = self.top.state.done();
        Line::Done(end.pos)
    }

    /// Returns the fast path for the open flow collections from `pos` on, where the innermost one is
    /// in `state`.
    #[inline(always)]
    fn flow_path(&mut self, state: FlowState, pos: usize) -> FlowFastPath<'_, '_> {
        FlowFastPath {
            text: self.text,
            out: self.out.reborrow(),
            words: self.words,
            flow: &mut *self.flow,
            root: &mut *self.flow_root,
            state,
            pos,
            base: self.base,
            indent: (self.top.indent + 1) as usize,
            depth_max: self.depth_max - self.frames.len() as u64,
            scalar_bytes_max: self.scalar_bytes_max,
            awaited_at: self.awaited_at,
            is_bare: self.is_bare,
        }
    }
}

/// Returns the kind of event and the state of the collection that the bracket `open` starts.
#[inline(always)]
fn opened(open: u8) -> (EventKind, FlowState) {
    if open == b'[' {
        (EventKind::SequenceStart, FlowState::SequenceEntry)
    } else {
        (EventKind::MappingStart, FlowState::MappingKey)
    }
}

/// A window of the next 64 bytes, used for several tokens: a key, its value and what follows. A
/// load per token would wait for the end of the last token, which costs more than all the masks.
struct Ahead<'t, L: Lanes> {
    block: &'t [u8; BLOCK_BYTES],
    loaded: L::Block,
    space: u64,
    /// Line breaks and tabs; checked text has no other control characters.
    control: u64,
    /// Double quotes and backslashes.
    double: u64,
    /// Single quotes.
    single: u64,
}

/// A scalar found in the window.
struct Scanned {
    kind: EventKind,
    /// The offset after the scalar.
    end: usize,
    /// The offset of what follows the scalar and, if it is plain, the white space after it.
    next: usize,
}

/// A token is parsed only from a window that has more than this number of bytes left.
const TOKEN_BYTES: usize = 24;

impl<'t, L: Lanes> Ahead<'t, L> {
    /// Loads the 64 bytes at `pos` and computes the masks that every token needs.
    #[inline(always)]
    fn load(lanes: L, text: &'t Text<'_>, pos: usize) -> Self {
        let block = text.block(pos);
        let loaded = lanes.load(block);
        Ahead {
            block,
            loaded,
            space: lanes.eq(loaded, b' '),
            control: lanes.le(loaded, 0x1F),
            double: lanes.eq_any(loaded, [b'"', b'\\']),
            single: lanes.eq(loaded, b'\''),
        }
    }

    /// Returns the byte at `at`, which must be below 64.
    #[inline(always)]
    fn byte(&self, at: usize) -> u8 {
        self.block[at & (BLOCK_BYTES - 1)]
    }

    /// Returns the offset of the first non-space byte from `at` on, or 64 if there is none.
    #[inline(always)]
    fn skip_spaces(&self, at: usize) -> usize {
        (!self.space & (u64::MAX << at)).trailing_zeros() as usize
    }

    /// Scans the quoted scalar at `at`, if it ends in the window and has no escape, tab or break.
    #[inline(always)]
    fn quoted(&self, at: usize) -> Option<Scanned> {
        let quote = self.byte(at);
        let (kind, quotes) = if quote == b'"' {
            (EventKind::DoubleQuoted, self.double)
        } else {
            (EventKind::SingleQuoted, self.single)
        };
        let stops = (quotes | self.control) & (u64::MAX << at << 1);
        let close = stops.trailing_zeros() as usize;
        let is_simple = close < BLOCK_BYTES - 1
            && self.byte(close) == quote
            && (quote == b'"' || self.byte(close + 1) != quote);
        is_simple.then_some(Scanned { kind, end: close + 1, next: close + 1 })
    }

    /// Scans the plain scalar at `at`, if an indicator, a line break or a tab ends it in the
    /// window.
    #[inline(always)]
    fn plain(&self, lanes: L, at: usize) -> Option<Scanned> {
        let indicators = lanes.eq_any(self.loaded, [b',', b'[', b']', b'{', b'}', b':', b'#']);
        let stops = (indicators | self.control) & (u64::MAX << at << 1);
        let next = stops.trailing_zeros() as usize;
        if next >= BLOCK_BYTES - 1 {
            return None;
        }
        // A tab ends the scalar, so only spaces can follow its text.
        let visible = !self.space & !(u64::MAX << next);
        let end = BLOCK_BYTES - visible.leading_zeros() as usize;
        Some(Scanned { kind: EventKind::Plain, end, next })
    }

    /// Scans the alias at `at`, if it ends in the window and its last byte is not a colon.
    #[inline(always)]
    fn alias(&self, lanes: L, at: usize) -> Option<Scanned> {
        let end = name_end(lanes, self.loaded, self.control | self.space, at);
        let is_simple = end < BLOCK_BYTES && end > at + 1 && self.byte(end - 1) != b':';
        is_simple.then_some(Scanned { kind: EventKind::Alias, end, next: end })
    }

    /// Scans the plain or quoted scalar at `at`, if it is simple. What follows it is not a space.
    #[inline(always)]
    fn scalar(&self, lanes: L, at: usize) -> Option<Scanned> {
        match self.byte(at) {
            b'"' | b'\'' => {
                let quoted = self.quoted(at)?;
                Some(Scanned { next: self.skip_spaces(quoted.next), ..quoted })
            }
            first if class(first) == Class::Plain => self.plain(lanes, at),
            _ => None,
        }
    }
}

impl FlowFastPath<'_, '_> {
    /// Stores the state of the innermost collection, and returns where and how the path ended.
    #[inline(always)]
    fn end(self) -> FlowEnd {
        let is_closed = self.flow.is_empty();
        if let Some(frame) = self.flow.last_mut()
            && frame.state != self.state
        {
            frame.state = self.state;
            frame.adjacent = false;
        }
        let FlowFastPath { pos, out, awaited_at, .. } = self;
        FlowEnd { pos, words: out.len(), awaited_at, is_closed, may_go_on: false }
    }

    /// Parses the simple tokens of one window. Returns false if the slow path has to continue, or
    /// if the outermost collection has ended.
    #[inline(always)]
    fn step<L: Lanes>(&mut self, lanes: L) -> bool {
        let text = self.text;
        let ahead = Ahead::load(lanes, &text, self.pos);
        let Some(mut at) = self.skip_blanks(lanes, &ahead) else { return false };
        while at < BLOCK_BYTES - TOKEN_BYTES {
            let first = ahead.byte(at);
            match self.state {
                FlowState::MappingKey if first != b'}' => {
                    let Some(value) = self.key(lanes, &ahead, at) else {
                        return self.long_key(lanes, at);
                    };
                    at = value;
                    if at >= BLOCK_BYTES - TOKEN_BYTES || ahead.byte(at) <= b' ' {
                        break;
                    }
                }
                FlowState::MappingValue | FlowState::SequenceEntry => {}
                _ => return self.after_value(at),
            }
            let first = ahead.byte(at);
            if first == b'[' || first == b'{' {
                if let Some(end) = self.short_sequence(lanes, &ahead, at) {
                    return self.after_value(end);
                }
                if !self.open(first, at) {
                    self.pos += at;
                    return false;
                }
                at = ahead.skip_spaces(at + 1);
                if at >= BLOCK_BYTES - TOKEN_BYTES || ahead.byte(at) <= b' ' {
                    break;
                }
                continue;
            }
            return self.scalar(lanes, &ahead, at);
        }
        self.pos += at.min(BLOCK_BYTES);
        true
    }

    /// Parses what is rare or common at the current position. Returns false if the slow path has to
    /// continue, or if the outermost collection has ended.
    #[inline(always)]
    fn any_step<L: Lanes>(&mut self, lanes: L) -> bool {
        if self.is_at_property() && self.rare_step(lanes) {
            return true;
        }
        !self.flow.is_empty() && (self.step(lanes) || self.rare_step(lanes))
    }

    /// Returns whether a property follows, perhaps after a space.
    #[inline(always)]
    fn is_at_property(&self) -> bool {
        let byte = |at: usize| self.text.byte(self.pos + at);
        matches!(byte(usize::from(byte(0) == b' ')), b'&' | b'!')
    }

    /// Parses what is rare at the current position: an empty value, a key without one, properties,
    /// or a pair in a sequence. Returns false if the slow path has to continue, or if the outermost
    /// collection has ended.
    #[inline(always)]
    fn rare_step<L: Lanes>(&mut self, lanes: L) -> bool {
        if self.flow.is_empty() || self.out.has_less_room_than(ENTRY_WORDS) {
            return false;
        }
        let text = self.text;
        let mut ahead = Ahead::load(lanes, &text, self.pos);
        let Some(at) = self.skip_comment(lanes, &ahead) else { return false };
        if at > 0 {
            self.pos += at;
            if !self.is_at_property() {
                return true;
            }
            ahead = Ahead::load(lanes, &text, self.pos);
        }
        match (self.state, ahead.byte(0)) {
            (FlowState::MappingValue, b',' | b'}') if !self.is_cut_end(0) => {
                let empty = empty_node_offset(self.awaited_at, self.pos);
                self.out.push(EventKind::Plain, Flags::NONE, empty, 0);
                self.state = FlowState::MappingAfterValue;
                self.after_value(0)
            }
            (FlowState::MappingValue | FlowState::SequenceEntry, b'&' | b'!') => {
                self.property(lanes, &ahead)
            }
            (FlowState::MappingValue | FlowState::SequenceEntry, b'*') => {
                self.before_end(&ahead, ahead.alias(lanes, 0))
            }
            (FlowState::MappingKey, _) => self.before_end(&ahead, ahead.scalar(lanes, 0)),
            (FlowState::SequenceEntry, _) => match self.pair(lanes, &ahead) {
                Some(end) => self.after_value(end),
                None => false,
            },
            _ => false,
        }
    }

    /// Writes the node `scanned` at the start of the window, if a comma or the closing bracket
    /// follows. A key gets an empty value. Returns false if the slow path has to continue, or if the
    /// outermost collection has ended.
    #[inline(always)]
    fn before_end<L: Lanes>(&mut self, ahead: &Ahead<'_, L>, scanned: Option<Scanned>) -> bool {
        let Some(Scanned { kind, end, next }) = scanned.filter(|node| node.next < BLOCK_BYTES)
        else {
            return false;
        };
        let next = ahead.skip_spaces(next);
        let bracket = if self.state == FlowState::SequenceEntry { b']' } else { b'}' };
        if next >= BLOCK_BYTES
            || ![b',', bracket].contains(&ahead.byte(next))
            || self.is_cut_end(next)
        {
            return false;
        }
        self.out.push(kind, Flags::NONE, self.pos, end);
        if self.state == FlowState::MappingKey {
            self.out.push(EventKind::Plain, Flags::NONE, self.pos + next, 0);
            self.state = FlowState::MappingValue;
        }
        self.state = self.state.done();
        self.after_value(next)
    }

    /// Returns whether the bracket of the outermost collection is at `at`, in a line that is not
    /// complete. The slow path then waits before it adds what is missing.
    #[inline(always)]
    fn is_cut_end(&self, at: usize) -> bool {
        let at = self.pos + at;
        let text = &self.text;
        at >= text.lines_end && !text.is_last && self.flow.len() == 1 && text.byte(at) != b','
    }

    /// Does what [`skip_blanks`](Self::skip_blanks) does, but also skips a comment up to its line break.
    #[inline(always)]
    fn skip_comment<L: Lanes>(&mut self, lanes: L, ahead: &Ahead<'_, L>) -> Option<usize> {
        let run = (!(ahead.space | ahead.control)).trailing_zeros() as usize;
        if ahead.byte(run) == b'#' && run > 0 && run < BLOCK_BYTES {
            let end = self.text.line_end(self.pos + run);
            // The slow path looks for a document marker after the line break.
            let is_whole = end + 6 <= self.text.bytes.len();
            return is_whole.then_some(end - self.pos);
        }
        self.skip_blanks(lanes, ahead)
    }

    /// Parses the property at the start of the window, if one space and a node follow. Returns false
    /// if the slow path has to continue.
    #[inline(always)]
    fn property<L: Lanes>(&mut self, lanes: L, ahead: &Ahead<'_, L>) -> bool {
        let blanks = ahead.control | ahead.space;
        let len = property_end(lanes, ahead.loaded, ahead.block, blanks, 0);
        let next = len + 1;
        if next >= BLOCK_BYTES - TOKEN_BYTES || ahead.byte(len) != b' ' {
            return false;
        }
        let Some(kind) = simple_property(&ahead.block[..len], self.is_bare) else { return false };
        let first = ahead.byte(next);
        if class(first) == Class::FlowOpen {
            return self.open_node(Some((kind, len)), first, next) && {
                self.pos += next + 1;
                true
            };
        }
        let (words, pos) = (self.out.len(), self.pos);
        self.out.push(kind, Flags::NONE, pos, len);
        let goes_on = match class(first) {
            Class::Plain | Class::DoubleQuote | Class::SingleQuote => {
                self.scalar(lanes, ahead, next)
            }
            _ => false,
        };
        if self.out.len() == words + 1 {
            // The slow path also parses the property.
            self.out.set_len(words);
            self.pos = pos;
            return false;
        }
        goes_on
    }

    /// Parses the pair of scalars at the start of the window, which may start with a `?`. Returns the offset of what follows it,
    /// or `None` if it is not simple.
    #[inline(always)]
    fn pair<L: Lanes>(&mut self, lanes: L, ahead: &Ahead<'_, L>) -> Option<usize> {
        let is_explicit = (ahead.byte(0), ahead.byte(1)) == (b'?', b' ');
        let start = if is_explicit { ahead.skip_spaces(1) } else { 0 };
        if start >= BLOCK_BYTES - TOKEN_BYTES {
            return None;
        }
        let key = ahead.scalar(lanes, start)?;
        if key.next >= BLOCK_BYTES - TOKEN_BYTES
            || (ahead.byte(key.next), ahead.byte(key.next + 1)) != (b':', b' ')
            || self.flow.len() as u64 >= self.depth_max
        {
            return None;
        }
        let at = ahead.skip_spaces(key.next + 1);
        if at >= BLOCK_BYTES - 1 {
            return None;
        }
        let value = ahead.scalar(lanes, at)?;
        if value.next >= BLOCK_BYTES
            || !matches!(ahead.byte(value.next), b',' | b']')
            || self.is_cut_end(value.next)
        {
            return None;
        }
        let pos = self.pos;
        self.out.push(EventKind::MappingStart, Flags::FLOW, pos, 0);
        self.out.push(key.kind, Flags::NONE, pos + start, key.end - start);
        self.out.push(value.kind, Flags::NONE, pos + at, value.end - at);
        self.out.push(EventKind::MappingEnd, Flags::FLOW, pos + value.next, 0);
        self.awaited_at = pos + key.next + 1;
        self.state = FlowState::SequenceAfterEntry;
        Some(value.next)
    }

    /// Parses the sequence at `at` and returns the offset in the window after it, or `None` if it
    /// is not short and simple.
    #[inline(always)]
    fn short_sequence<L: Lanes>(
        &mut self,
        lanes: L,
        ahead: &Ahead<'_, L>,
        at: usize,
    ) -> Option<usize> {
        let is_too_deep = self.flow.len() as u64 >= self.depth_max;
        if ahead.byte(at) != b'['
            || ahead.byte(at + 1) <= b' '
            || is_too_deep
            || self.out.has_less_room_than(SHORT_WORDS)
        {
            return None;
        }
        let words = self.out.len();
        let is_mapping = self.state == FlowState::MappingValue;
        if !is_mapping {
            self.out.push(EventKind::Nop, Flags::NONE, self.pos + at, 0);
        }
        let Some(end) = short_sequence(lanes, &mut self.out, ahead, self.pos, at) else {
            self.out.set_len(words);
            return None;
        };
        self.state = if is_mapping {
            FlowState::MappingAfterValue
        } else {
            // The collection may be a key.
            let start = self.base + (self.pos + at) as u64;
            let first_word = self.root.word_index(words);
            self.root.closed = Some(KeyCandidate { start, first_word });
            FlowState::SequenceAfterEntry
        };
        Some(end)
    }

    /// Skips white space and line breaks before a token and returns its offset in the window, or
    /// `None` if the slow path has to skip them.
    #[inline(always)]
    fn skip_blanks<L: Lanes>(&mut self, lanes: L, ahead: &Ahead<'_, L>) -> Option<usize> {
        let blank = ahead.space | ahead.control;
        let run = (!blank).trailing_zeros() as usize;
        if run == BLOCK_BYTES || ahead.byte(run) == b'#' {
            return None;
        }
        let within = !(u64::MAX << run);
        let controls = within & ahead.control;
        if controls != 0 {
            let tabs = lanes.eq(ahead.loaded, b'\t') & within;
            let line = BLOCK_BYTES - (controls & !tabs).leading_zeros() as usize;
            // The slow path handles what may be a document marker, also where its bytes are not
            // buffered, and tabs where indentation is needed.
            let may_be_marker = run == line && matches!(ahead.byte(run), b'-' | b'.');
            let is_cut = self.pos + line + 4 > self.text.bytes.len() && !self.text.is_last;
            if may_be_marker
                || line > 0 && is_cut
                || run - line < self.indent
                || tabs != 0 && self.indent > 0
            {
                return None;
            }
            if line > 0 {
                self.root.current_line = self.base + (self.pos + line) as u64;
            }
        }
        Some(run)
    }

    /// Writes the key at `at` of the window. Returns the offset in the window after its colon and
    /// the spaces after that, or `None` if the key is not simple.
    #[inline(always)]
    fn key<L: Lanes>(&mut self, lanes: L, ahead: &Ahead<'_, L>, at: usize) -> Option<usize> {
        let first = ahead.byte(at);
        let key = if first == b'"' || first == b'\'' {
            ahead.quoted(at)?
        } else if class(first) == Class::Plain {
            ahead.plain(lanes, at)?
        } else {
            return None;
        };
        // What follows the colon must be in the window.
        if key.next >= BLOCK_BYTES - 1 || ahead.byte(key.next) != b':' {
            return None;
        }
        if key.kind == EventKind::Plain && ahead.byte(key.next + 1) != b' ' {
            return None;
        }
        self.write_key(key.kind, Flags::NONE, at, key.end, key.next);
        Some(ahead.skip_spaces(key.next + 1))
    }

    /// Writes the key from `at` to `end`, whose colon is at `colon`; all relative to `self.pos`.
    #[inline(always)]
    fn write_key(&mut self, kind: EventKind, flags: Flags, at: usize, end: usize, colon: usize) {
        self.out.push_any(kind, flags, self.pos + at, end - at);
        self.awaited_at = self.pos + colon + 1;
        self.state = FlowState::MappingValue;
    }

    /// Parses the quoted key at `at`, which has escapes or does not fit into the window. Returns
    /// false if the slow path has to parse it.
    #[inline(always)]
    fn long_key<L: Lanes>(&mut self, lanes: L, at: usize) -> bool {
        let Some((end, flags)) = self.long_quoted(lanes, at) else {
            self.pos += at;
            return false;
        };
        if self.text.byte(self.pos + end) != b':' {
            self.pos += at;
            return false;
        }
        let kind = quoted_kind(self.text.byte(self.pos + at));
        self.write_key(kind, flags, at, end, end);
        self.pos += end + 1;
        true
    }

    /// Returns the end, relative to `self.pos`, and flags of the quoted scalar at `at` if on one
    /// line.
    #[inline(always)]
    fn long_quoted<L: Lanes>(&mut self, lanes: L, at: usize) -> Option<(usize, Flags)> {
        let open = self.pos + at;
        if !matches!(self.text.byte(open), b'"' | b'\'') {
            return None;
        }
        let (end, flags) = lanes.outline(LongQuoted { text: self.text, open })?;
        let is_allowed = (end - open) as u64 <= self.scalar_bytes_max;
        is_allowed.then_some((end - self.pos, flags))
    }

    /// Parses the scalar at `at`, which is a value or an entry, and what follows it. Returns false
    /// if the slow path has to continue.
    #[inline(always)]
    fn scalar<L: Lanes>(&mut self, lanes: L, ahead: &Ahead<'_, L>, at: usize) -> bool {
        let first = ahead.byte(at);
        let is_number = first == b'-' && ahead.byte(at + 1).is_ascii_digit();
        let scanned = if class(first) == Class::Plain || is_number {
            ahead.plain(lanes, at)
        } else if first == b'"' || first == b'\'' {
            match ahead.quoted(at) {
                Some(quoted) => Some(quoted),
                None => return self.long_scalar(lanes, at),
            }
        } else if first == b'*' {
            ahead.alias(lanes, at)
        } else {
            return self.after_value(at);
        };
        match scanned {
            Some(Scanned { kind, end, next }) => {
                let byte = ahead.byte(next);
                if byte <= b' ' && self.is_last_in_collection(ahead, next) {
                    self.out.push(kind, Flags::NONE, self.pos + at, end - at);
                    self.state = self.state.done();
                    self.pos += next;
                    return true;
                }
                self.value(kind, Flags::NONE, at, end, next, byte)
            }
            None => {
                self.pos += at;
                false
            }
        }
    }

    /// Returns whether white space at `next` of the window, which follows a scalar, is all that is
    /// between the scalar and the bracket that closes the collection.
    #[inline(always)]
    fn is_last_in_collection<L: Lanes>(&self, ahead: &Ahead<'_, L>, next: usize) -> bool {
        let visible = !(ahead.space | ahead.control) & (u64::MAX << next);
        let at = visible.trailing_zeros() as usize;
        let bracket = if self.state == FlowState::MappingValue { b'}' } else { b']' };
        // On another line, the slow path also needs the byte after the bracket.
        let is_whole = self.pos + at + 1 < self.text.bytes.len() || self.text.is_last;
        visible != 0 && ahead.byte(at) == bracket && is_whole
    }

    /// Parses the quoted scalar at `at`, a value or an entry that has escapes or does not fit into
    /// the window. Returns false if the slow path has to continue.
    #[inline(always)]
    fn long_scalar<L: Lanes>(&mut self, lanes: L, at: usize) -> bool {
        let Some((end, flags)) = self.long_quoted(lanes, at) else {
            self.pos += at;
            return false;
        };
        let kind = quoted_kind(self.text.byte(self.pos + at));
        let byte = self.text.byte(self.pos + end);
        self.value(kind, flags, at, end, end, byte)
    }

    /// Writes the scalar from `at` to `end`, then parses the `byte` at `next` and what follows it.
    /// Returns false if the slow path has to continue, for example if the scalar may be a key.
    #[inline(always)]
    fn value(
        &mut self,
        kind: EventKind,
        flags: Flags,
        at: usize,
        end: usize,
        next: usize,
        byte: u8,
    ) -> bool {
        let is_mapping = self.state == FlowState::MappingValue;
        // In a sequence, a scalar before anything else may be a key. In a mapping, white space may
        // follow a quoted scalar.
        let is_end = match byte {
            b',' => true,
            b']' => !is_mapping,
            b'}' => is_mapping,
            // At the end of the buffer, a second quote may still follow.
            _ => {
                is_mapping
                    && matches!(kind, EventKind::DoubleQuoted | EventKind::SingleQuoted)
                    && self.pos + next < self.text.bytes.len()
            }
        };
        if !is_end {
            self.pos += at;
            return false;
        }
        self.out.push_any(kind, flags, self.pos + at, end - at);
        if byte == b',' {
            return self.comma(next, is_mapping);
        }
        self.state =
            if is_mapping { FlowState::MappingAfterValue } else { FlowState::SequenceAfterEntry };
        if byte > b' ' {
            return self.after_value(next);
        }
        self.pos += next;
        true
    }

    /// Parses the comma at `at` in a mapping or, unless `is_mapping`, a sequence. Returns true.
    #[inline(always)]
    fn comma(&mut self, at: usize, is_mapping: bool) -> bool {
        self.root.closed = None;
        self.state = if is_mapping { FlowState::MappingKey } else { FlowState::SequenceEntry };
        self.pos += at + 1;
        self.awaited_at = self.pos;
        true
    }

    /// Parses the closing brackets and the comma after a value, from `at` on. Returns false if the
    /// slow path has to continue, or if the outermost collection has ended.
    #[inline(always)]
    fn after_value(&mut self, at: usize) -> bool {
        self.pos += at;
        loop {
            let byte = self.text.byte(self.pos);
            match (byte, self.state) {
                (b',', FlowState::MappingAfterValue) => return self.comma(0, true),
                (b',', FlowState::SequenceAfterEntry) => return self.comma(0, false),
                _ => {}
            }
            if byte <= b' ' {
                return true;
            }
            if !self.close(byte) || self.flow.is_empty() {
                return false;
            }
        }
    }

    /// Parses `byte` if it is the bracket that closes the innermost collection. Returns false if it
    /// is not, or if the slow path has to parse it.
    #[inline(always)]
    fn close(&mut self, byte: u8) -> bool {
        use FlowState::*;
        let kind = match (self.state, byte) {
            (SequenceAfterEntry | SequenceEntry, b']') => EventKind::SequenceEnd,
            (MappingAfterValue | MappingKey, b'}') => EventKind::MappingEnd,
            _ => return false,
        };
        let Some(outer) = self.flow.len().checked_sub(2) else { return self.close_root(kind) };
        if self.out.has_less_room_than(ENTRY_WORDS) {
            return false;
        }
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

    /// Ends the outermost collection with an event of `kind`, if its line also ends there. Returns
    /// false if the slow path has to do this.
    #[inline(always)]
    fn close_root(&mut self, kind: EventKind) -> bool {
        let end = self.pos + 1;
        let is_end = match self.text.bytes.get(end) {
            Some(&byte) => byte == b'\n',
            None => self.text.is_last,
        };
        if !is_end || !self.root.is_simple() {
            return false;
        }
        self.out.push(kind, Flags::FLOW, self.pos, 1);
        self.flow.clear();
        self.pos = (end + 1).min(self.text.bytes.len());
        true
    }

    /// Parses the bracket `open` at `at`, which opens an entry or a value. Returns false if the
    /// slow path has to do this.
    #[inline(always)]
    fn open(&mut self, open: u8, at: usize) -> bool {
        self.open_node(None, open, at)
    }

    /// Does what [`open`](Self::open) does for a collection with the `property` at the current
    /// position, given as its kind and length, if there is one.
    #[inline(always)]
    fn open_node(&mut self, property: Option<(EventKind, usize)>, open: u8, at: usize) -> bool {
        if self.flow.len() as u64 >= self.depth_max || self.out.has_less_room_than(ENTRY_WORDS) {
            return false;
        }
        let start = if property.is_some() { self.pos } else { self.pos + at };
        let at = self.pos + at;
        let first_word = self.root.word_index(self.out.len());
        let outer = if self.state == FlowState::MappingValue {
            FlowState::MappingAfterValue
        } else {
            // The collection may be a key.
            self.out.push(EventKind::Nop, Flags::NONE, start, 0);
            FlowState::SequenceAfterEntry
        };
        if let Some((kind, len)) = property {
            self.out.push(kind, Flags::NONE, start, len);
        }
        if let Some(frame) = self.flow.last_mut() {
            frame.state = outer;
            frame.adjacent = true;
        }
        let (kind, state) = opened(open);
        self.out.push(kind, Flags::FLOW, at, 1);
        let start = self.base + at as u64;
        self.flow.push(FlowFrame { state, adjacent: false, start, first_word });
        self.state = state;
        self.awaited_at = at + 1;
        true
    }
}

/// Returns the kind of a scalar that starts with `quote`.
#[inline(always)]
fn quoted_kind(quote: u8) -> EventKind {
    if quote == b'"' { EventKind::DoubleQuoted } else { EventKind::SingleQuoted }
}

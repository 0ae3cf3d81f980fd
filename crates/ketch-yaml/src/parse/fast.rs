//! The fast path, for lines that need no special treatment.
//!
//! Nearly all lines of real files are blank, a comment, or one of `key: value`, `key:`, `- value`
//! and `- key: value`, with plain or simple quoted scalars. They are parsed here from the masks of
//! one window, with the parser's state in registers. The only bytes that are read one by one are
//! those that start a token.
//!
//! Anything else is left to [`Engine::line`] and [`Engine::node`], which handle all of YAML. The fast
//! path then stops before the line, or before a node in it, and leaves the same state as the slow path
//! would have. It never rejects input.
//!
//! Values are parsed in `fast_value.rs`.

use super::engine::{Engine, empty_node_offset};
use super::state::{Checkpoint, Context, FlowFrame, FlowRoot, Frame, State};
use crate::event::{EventKind, Flags, Room};
use crate::scan::class::{Class, class};
use crate::scan::text::Text;
use crate::scan::window::Window;
use ketch_bytes::{BLOCK_BYTES, Kernel, Lanes};

/// How far the fast path parsed a line.
pub(super) enum Line {
    /// The whole line. The next line starts at this offset.
    Done(usize),
    /// Nothing, because the slow path has to parse the line.
    NotSimple,
    /// Nothing, because the line is deep but was expected to be shallow, or the other way round.
    OtherDepth,
    /// Nothing, because only the loop for rare lines can parse the line, if at all.
    Rare,
    /// Up to the node at `at` in the line.
    Node { at: usize, context: Context },
    /// Up to the position `at` between two tokens of a flow collection.
    Flow { at: usize },
}

/// The maximum number of words of a short sequence, whose entries and commas fit into a window.
pub(super) const SHORT_WORDS: usize = BLOCK_BYTES / 2 + 3;

/// The maximum number of words of a line: an empty node, two collections, a key, and the longest
/// value.
const LINE_WORDS: usize = 4 + SHORT_WORDS;

/// The state that the fast path changes, kept apart from the engine so that it stays in registers.
pub(super) struct FastPath<'e, 't> {
    pub text: Text<'t>,
    pub out: Room<'e>,
    pub top: Frame,
    pub frames: &'e mut Vec<Frame>,
    pub flow: &'e mut Vec<FlowFrame>,
    pub flow_root: &'e mut FlowRoot,
    /// See [`Engine::base`].
    pub base: u64,
    /// The fast path ends once there are this many words.
    pub words: usize,
    pub depth_max: u64,
    pub scalar_bytes_max: u64,
    /// See [`Engine::awaited_at`].
    pub awaited_at: usize,
    /// See [`Engine::comment_mark`].
    pub comment_mark: usize,
    /// Whether the current document has no directives, so that a bare `---` has none to reset.
    pub is_bare: bool,
    /// The number of lines since the last one with something rare, in the loop for rare lines.
    pub common_lines: usize,
}

/// A line that is indented by more columns than this is deep, and its window starts at its text.
const SHALLOW_COLUMNS: usize = 48;

/// A window of 64 bytes of a line. It starts with the line or, if the line is deep, with its text.
pub(super) struct Front<'t, L: Lanes> {
    pub block: &'t [u8; BLOCK_BYTES],
    pub loaded: L::Block,
    pub window: Window,
    /// The offset of the line break in the window, or 64 if it is not in the window.
    pub newline: usize,
    /// The column of the window's first byte.
    pub column: usize,
}

impl<'t, L: Lanes> Front<'t, L> {
    /// Loads the window of the 64 bytes at `pos`, which is at `column` of its line.
    #[inline(always)]
    pub fn load(lanes: L, text: &'t Text<'_>, pos: usize, column: usize) -> Self {
        let block = text.block(pos);
        let loaded = lanes.load(block);
        let window = Window::of(lanes, loaded, pos);
        let newline = window.newline.trailing_zeros() as usize;
        Front { block, loaded, window, newline, column }
    }

    /// Returns the byte at `at`, which must be below 64.
    #[inline(always)]
    pub fn byte(&self, at: usize) -> u8 {
        self.block[at & (BLOCK_BYTES - 1)]
    }

    /// Returns whether the whole line and the byte after its break are in the window.
    #[inline(always)]
    pub fn has_end(&self) -> bool {
        self.newline < BLOCK_BYTES - 1
    }

    /// Returns the start of the next line. The window must [have the end](Self::has_end) of this one.
    /// At the end of the text, the result may be slightly past it.
    #[inline(always)]
    pub fn next_line(&self) -> usize {
        let next = self.window.base + self.newline + 1;
        // \[28\] b-break is CRLF, CR or LF.
        match self.byte(self.newline) {
            b'\n' => next,
            _ => next + usize::from(self.byte(self.newline + 1) == b'\n'),
        }
    }

    /// Returns the offset in the window of the first byte from `from` on that is a line break or
    /// not white space. `from` must be below 64. Without such a byte, the result is 64.
    #[inline(always)]
    fn skip_blanks(&self, from: usize) -> usize {
        let visible = (!self.window.blank | self.window.newline) & (u64::MAX << from);
        visible.trailing_zeros() as usize
    }
}

/// A key in the window. The offsets are relative to the window.
pub(super) struct SimpleKey {
    kind: EventKind,
    end: usize,
    colon: usize,
}

/// The lines that one loop parses: shallow ones, deep ones, or shallow ones that are common or
/// rare. Rare are explicit keys, `- -`, negative numbers, most properties, indentation indicators,
/// flow collections that are not as simple as JSON, and lines before which an empty node is missing.
/// Handling all of them in one loop is slower.
pub(super) type Lines = u8;
const SHALLOW: Lines = 0;
const DEEP: Lines = 1;
pub(super) const RARE: Lines = 2;

/// The number of common lines after which the loop for rare lines ends, since it is slower.
const RARE_LINES: usize = 16;

/// Parses lines in a separate kernel, whose code is not inlined.
struct OtherLines<'e, 't, const LINES: Lines> {
    engine: &'e mut Engine,
    text: Text<'t>,
    limit: usize,
}

impl<const LINES: Lines> Kernel for OtherLines<'_, '_, LINES> {
    type Output = Option<Lines>;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Option<Lines> {
        self.engine.fast_lines_of::<L, LINES>(lanes, self.text, self.limit)
    }
}

impl Engine {
    /// Parses simple lines from the current position on, until a line is not simple, `limit` is
    /// reached or the chunk is full. `is_rare` says whether rare lines are expected.
    #[inline(always)]
    pub(super) fn fast_lines<L: Lanes>(
        &mut self,
        lanes: L,
        text: Text<'_>,
        limit: usize,
        is_rare: bool,
    ) {
        let mut lines = Some(if is_rare { RARE } else { SHALLOW });
        while let Some(next) = lines {
            lines = match next {
                SHALLOW => self.fast_lines_of::<L, SHALLOW>(lanes, text, limit),
                DEEP => lanes.outline(OtherLines::<DEEP> { engine: self, text, limit }),
                _ => lanes.outline(OtherLines::<RARE> { engine: self, text, limit }),
            };
        }
    }

    /// Returns the fast path for the lines of `text`.
    #[inline(always)]
    fn fast_path<'e, 't>(&'e mut self, text: Text<'t>) -> FastPath<'e, 't> {
        let out = self.events.room(LINE_WORDS);
        let words = self.settings.chunk_words.min(out.capacity().saturating_sub(LINE_WORDS - 1));
        FastPath {
            text,
            out,
            words,
            top: self.top,
            frames: &mut self.frames,
            flow: &mut self.flow,
            flow_root: &mut self.flow_root,
            base: self.base,
            depth_max: self.settings.limits.max_depth.base,
            scalar_bytes_max: self.settings.limits.max_scalar_bytes,
            awaited_at: self.awaited_at,
            comment_mark: self.comment_mark,
            is_bare: self.directives.is_empty(),
            common_lines: 0,
        }
    }

    /// Parses simple lines that start before `limit` and are all `LINES`. Returns which lines
    /// follow, if not those that only the slow path can parse.
    #[inline(always)]
    fn fast_lines_of<L: Lanes, const LINES: Lines>(
        &mut self,
        lanes: L,
        text: Text<'_>,
        limit: usize,
    ) -> Option<Lines> {
        let mut pos = self.pos;
        let mut fast = self.fast_path(text);
        let mut stop = Line::NotSimple;
        while pos < limit && fast.out.len() < fast.words {
            match fast.line::<L, LINES>(lanes, pos) {
                Line::Done(next) => pos = next,
                other => {
                    stop = other;
                    break;
                }
            }
            fast.common_lines += 1;
            if LINES == RARE && fast.common_lines > RARE_LINES {
                stop = Line::OtherDepth;
                break;
            }
        }
        let FastPath { out, top, awaited_at, comment_mark, .. } = fast;
        let written = out.len();
        self.top = top;
        self.awaited_at = awaited_at;
        self.comment_mark = comment_mark;
        self.events.set_len(written);
        let next = match stop {
            Line::OtherDepth => Some(if LINES == SHALLOW { DEEP } else { SHALLOW }),
            Line::Rare => Some(RARE),
            _ => None,
        };
        self.pos = match stop {
            Line::Node { at, context } => {
                self.checkpoint = Checkpoint::Node { line: pos, context, tabbed: false };
                at
            }
            Line::Flow { at } => {
                self.checkpoint = Checkpoint::Flow;
                at
            }
            _ => pos.min(text.bytes.len()),
        };
        next
    }
}

impl FastPath<'_, '_> {
    /// Parses the line at `pos` as far as it is simple. A deep line is indented by more than
    /// [`SHALLOW_COLUMNS`].
    #[inline(always)]
    fn line<L: Lanes, const LINES: Lines>(&mut self, lanes: L, pos: usize) -> Line {
        let text = self.text;
        let column = if LINES == DEEP { self.spaces(lanes, pos) } else { 0 };
        if LINES == DEEP && column <= SHALLOW_COLUMNS {
            return Line::OtherDepth;
        }
        let front = Front::load(lanes, &text, pos + column, column);
        let mut at = (!front.window.space).trailing_zeros() as usize;
        if LINES != DEEP && at > SHALLOW_COLUMNS {
            return Line::OtherDepth;
        }
        if !front.has_end() && front.newline < BLOCK_BYTES {
            return Line::NotSimple;
        }
        let indent = front.column + at;
        let first = front.byte(at);
        let class = class(first);
        let context = if class == Class::Plain || class.is_quote() {
            // This may be a document end marker.
            if indent == 0 && first == b'.' {
                return Line::NotSimple;
            }
            if indent as isize == self.top.indent && self.top.state == State::MappingKey {
                Context::Entry
            } else {
                match self.settle::<LINES>(pos, indent, b'x') {
                    Some(context) => context,
                    None => return self.continue_plain::<L, LINES>(&front, at),
                }
            }
        } else if first == b'-' || LINES == RARE && matches!(first, b'?' | b':') {
            if first == b'-' && indent == 0 && front.block[1] == b'-' {
                return self.marker(&front);
            }
            if front.window.blank >> (at + 1) & 1 == 0 {
                return Line::NotSimple;
            }
            let indicator = if LINES == RARE { first } else { b'-' };
            if !self.indicator::<LINES>(pos, indent, indicator) {
                return rare::<LINES>();
            }
            match self.after_indicator::<L, LINES>(&front, at) {
                Ok(next) => at = next,
                Err(line) => return line,
            }
            Context::Block
        } else if at == front.newline && front.has_end() {
            return Line::Done(front.next_line());
        } else if first == b'#' {
            self.comment_mark = pos + indent + 1;
            return Line::Done(self.line_end(lanes, &front));
        } else if class == Class::FlowOpen
            && indent as isize > self.top.indent
            && self.top.state.awaits_node()
        {
            Context::Block
        } else if let b'?' | b':' = first {
            return rare::<LINES>();
        } else {
            return Line::NotSimple;
        };
        self.node::<L, LINES>(lanes, &front, at, context)
    }

    /// Returns the number of spaces at the start of the line at `pos`.
    #[inline(always)]
    fn spaces<L: Lanes>(&self, lanes: L, pos: usize) -> usize {
        let mut spaces = 0;
        loop {
            let block = self.text.load(lanes, pos + spaces);
            let more = (!lanes.eq(block, b' ')).trailing_zeros() as usize;
            spaces += more;
            if more < BLOCK_BYTES {
                return spaces;
            }
        }
    }

    /// Parses the line of `front`, whose first character is at `at` of the window, if it continues
    /// the last plain scalar.
    #[inline(always)]
    fn continue_plain<L: Lanes, const LINES: Lines>(
        &mut self,
        front: &Front<'_, L>,
        at: usize,
    ) -> Line {
        let is_deeper = (front.column + at) as isize > self.top.indent;
        let stop = (front.window.plain_stop() & (u64::MAX << at)).trailing_zeros() as usize;
        if !is_deeper {
            return rare::<LINES>();
        }
        if stop != front.newline || !front.has_end() {
            return Line::NotSimple;
        }
        let end = front.window.base + front.text_end(stop);
        match self.out.continue_plain(self.comment_mark, end, self.scalar_bytes_max) {
            true => Line::Done(front.next_line()),
            false => Line::NotSimple,
        }
    }

    /// Parses the node at `at` of the window and the rest of its line, as far as they are simple.
    #[inline(always)]
    fn node<L: Lanes, const LINES: Lines>(
        &mut self,
        lanes: L,
        front: &Front<'_, L>,
        at: usize,
        context: Context,
    ) -> Line {
        let pos = front.window.base;
        let Some(key) = simple_key(lanes, front, at) else {
            if context == Context::Entry {
                return Line::Node { at: pos + at, context };
            }
            return self.value::<L, LINES>(lanes, front, at, context);
        };
        let column = front.column + at;
        if context == Context::Block && !self.open(pos + at, column, EventKind::MappingStart) {
            return Line::Node { at: pos + at, context };
        }
        self.out.push(key.kind, Flags::NONE, pos + at, key.end - at);
        self.top.state = State::MappingAwaitsValue;
        // The byte after the colon is a blank or a break, so it is in the window.
        let value = front.skip_blanks(key.colon + 1);
        if value == front.newline && front.has_end() {
            self.awaited_at = pos + key.colon + 1;
            return Line::Done(front.next_line());
        }
        if value >= BLOCK_BYTES - 1 {
            self.awaited_at = pos + key.colon + 1;
            return Line::Node { at: pos + key.colon + 1, context: Context::Inline };
        }
        match self.value::<L, LINES>(lanes, front, value, Context::Inline) {
            // The slow path may find that the node is empty, and then needs this position.
            Line::Node { at, context } => {
                self.awaited_at = pos + key.colon + 1;
                Line::Node { at, context }
            }
            done => done,
        }
    }

    /// Parses the line of `front` if it is a bare `---` after a complete document without
    /// directives. Otherwise, leaves it to the slow path.
    #[inline(always)]
    fn marker<L: Lanes>(&mut self, front: &Front<'_, L>) -> Line {
        if !front.block.starts_with(b"---\n") || !self.is_bare {
            return Line::NotSimple;
        }
        let pos = front.window.base;
        while self.top.indent >= 0 {
            if self.close::<SHALLOW>(pos).is_none() || self.out.has_less_room_than(LINE_WORDS) {
                return Line::NotSimple;
            }
        }
        if self.top.state != State::RootDone {
            return Line::NotSimple;
        }
        self.out.push(EventKind::DocumentEnd, Flags::NONE, pos, 0);
        self.out.push(EventKind::DocumentStart, Flags::EXPLICIT, pos, 3);
        self.comment_mark = 0;
        self.top.state = State::RootAwaits;
        self.awaited_at = pos + 3;
        Line::Done(pos + 4)
    }

    /// Parses the `-`, `?` or `:` at column `indent` of the line at `pos`, which a blank follows.
    /// Closes the collections that it ends, and opens one if it is its first entry. Returns `false`
    /// if the slow path has to do this.
    #[inline(always)]
    fn indicator<const LINES: Lines>(&mut self, pos: usize, indent: usize, byte: u8) -> bool {
        let Some(context) = self.settle::<LINES>(pos, indent, byte) else { return false };
        let (state, is_first) = match (byte, context) {
            (b'-', Context::Item) => (State::SequenceAwaits, false),
            (b'-', _) => (State::SequenceAwaits, true),
            (b':', Context::ExplicitValue) => (State::MappingAwaitsExplicitValue, false),
            (b'?', Context::Entry) => (State::MappingAwaitsKey, false),
            (b'?', Context::Block) => (State::MappingAwaitsKey, true),
            _ => return false,
        };
        let kind = if byte == b'-' { EventKind::SequenceStart } else { EventKind::MappingStart };
        if is_first && !self.open(pos + indent, indent, kind) {
            return false;
        }
        if LINES == RARE && byte != b'-' {
            self.common_lines = 0;
        }
        self.top.state = state;
        self.awaited_at = pos + indent + 1;
        true
    }

    /// Parses what follows the indicator at `at` of the window, up to the first node that is not a
    /// block sequence. Returns the offset of that node in the window, or the result for the line.
    #[inline(always)]
    fn after_indicator<L: Lanes, const LINES: Lines>(
        &mut self,
        front: &Front<'_, L>,
        mut at: usize,
    ) -> Result<usize, Line> {
        let pos = front.window.base;
        loop {
            let after = at + 1;
            at = front.skip_blanks(after);
            if at == front.newline && front.has_end() {
                return Err(Line::Done(front.next_line()));
            }
            // No block collection may start after a tab. The slow path checks this.
            let is_tabbed = front.window.tab() & ((1 << (at & 63)) - 1) != 0;
            if at >= BLOCK_BYTES - 1 || is_tabbed {
                return Err(Line::Node { at: pos + after, context: Context::Block });
            }
            if front.byte(at) != b'-' || front.window.blank >> (at + 1) & 1 == 0 {
                return Ok(at);
            }
            if LINES != RARE {
                return Err(Line::Node { at: pos + at, context: Context::Block });
            }
            let column = front.column + at;
            if self.out.has_less_room_than(LINE_WORDS)
                || !self.open(pos + at, column, EventKind::SequenceStart)
            {
                return Err(Line::Node { at: pos + at, context: Context::Block });
            }
            self.top.state = State::SequenceAwaits;
            self.awaited_at = pos + at + 1;
            self.common_lines = 0;
        }
    }

    /// Does what [`Engine::settle`] does, for a line at `pos` that is indented by `indent` columns
    /// and starts with `byte` if that is `-` or `:` and an indicator, and otherwise with any text. Returns `None` if the slow
    /// path has to do it.
    #[inline(always)]
    fn settle<const LINES: Lines>(
        &mut self,
        pos: usize,
        indent: usize,
        byte: u8,
    ) -> Option<Context> {
        let column = indent as isize;
        if column > self.top.indent {
            return self.top.state.awaits_node().then_some(Context::Block);
        }
        while column < self.top.indent {
            self.close::<LINES>(pos + indent)?;
            if self.out.has_less_room_than(LINE_WORDS) {
                return None;
            }
        }
        if column > self.top.indent {
            return None;
        }
        if self.top.state.is_sequence() {
            if byte == b'-' {
                if LINES == RARE && self.top.state.awaits_node() {
                    self.empty_node(pos + indent);
                }
                return (self.top.state == State::SequenceDone).then_some(Context::Item);
            }
            let holder = self.frames.last()?;
            if holder.indent != column || !holder.state.is_mapping() {
                return None;
            }
            self.close::<LINES>(pos + indent)?;
        }
        self.settle_mapping::<LINES>(pos + indent, byte)
    }

    /// Does what [`Engine::settle_mapping`] does, for a line whose text starts at `start` with
    /// `byte`, as [`settle`](Self::settle) does.
    #[inline(always)]
    fn settle_mapping<const LINES: Lines>(&mut self, start: usize, byte: u8) -> Option<Context> {
        match self.top.state {
            State::MappingKey if byte != b'-' => Some(Context::Entry),
            State::MappingAwaitsValue if byte == b'-' => Some(Context::Block),
            _ if LINES != RARE => None,
            State::MappingExplicitKeyDone if byte == b':' => Some(Context::ExplicitValue),
            State::MappingAwaitsExplicitValue if byte == b'-' => Some(Context::Block),
            State::MappingAwaitsValue | State::MappingAwaitsExplicitValue => {
                self.empty_node(start);
                Some(Context::Entry)
            }
            _ => None,
        }
    }

    /// Writes the awaited node as an empty node before the token at `at`.
    #[inline(always)]
    fn empty_node(&mut self, at: usize) {
        self.common_lines = 0;
        self.out.push(EventKind::Plain, Flags::NONE, empty_node_offset(self.awaited_at, at), 0);
        self.top.state = self.top.state.done();
    }

    /// Closes the innermost collection before the text at `at`. Returns `None` if the slow path has
    /// to do this.
    #[inline(always)]
    fn close<const LINES: Lines>(&mut self, at: usize) -> Option<()> {
        if LINES == RARE
            && matches!(self.top.state, State::SequenceAwaits | State::MappingAwaitsValue)
        {
            self.empty_node(at);
        }
        let kind = match self.top.state {
            State::MappingKey => EventKind::MappingEnd,
            State::SequenceDone => EventKind::SequenceEnd,
            _ => return None,
        };
        self.out.push(kind, Flags::NONE, at, 0);
        self.top = self.frames.pop()?;
        Some(())
    }

    /// Opens a block collection with an event of `kind`. Its first entry is at `at`, in column
    /// `indent`. Returns `false` if the nesting may be too deep.
    #[inline(always)]
    fn open(&mut self, at: usize, indent: usize, kind: EventKind) -> bool {
        if self.frames.len() as u64 >= self.depth_max {
            return false;
        }
        self.out.push(kind, Flags::NONE, at, 0);
        self.frames.push(Frame { state: self.top.state.done(), ..self.top });
        self.top.indent = indent as isize;
        true
    }

    /// Returns the start of the line that follows the line of `front`.
    #[inline(always)]
    pub(super) fn line_end<L: Lanes>(&self, lanes: L, front: &Front<'_, L>) -> usize {
        if front.has_end() {
            return front.next_line();
        }
        let mut base = front.window.base;
        loop {
            base += BLOCK_BYTES;
            let newline = lanes.eq_any(self.text.load(lanes, base), [b'\n', b'\r']);
            if newline != 0 {
                return self.text.after_break(base + newline.trailing_zeros() as usize);
            }
        }
    }
}

/// Returns the result for a line that only the loop for rare lines can parse, if at all.
#[inline(always)]
fn rare<const LINES: Lines>() -> Line {
    if LINES == SHALLOW { Line::Rare } else { Line::NotSimple }
}

/// Scans the key at `at` of the window. Returns `None` if there is no simple key, or if the byte
/// after its colon is not in the window.
#[inline(always)]
pub(super) fn simple_key<L: Lanes>(lanes: L, front: &Front<'_, L>, at: usize) -> Option<SimpleKey> {
    let window = &front.window;
    let from = u64::MAX << at;
    let first = front.byte(at);
    let class = class(first);
    if class == Class::Plain {
        let stops = window.plain_stop() & from;
        if window.key_end() & stops & stops.wrapping_neg() == 0 {
            return None;
        }
        let colon = stops.trailing_zeros() as usize;
        return Some(SimpleKey { kind: EventKind::Plain, end: front.text_end(colon), colon });
    }
    if !class.is_quote() {
        return None;
    }
    let stops = lanes.eq_any(front.loaded, [first, b'\\', b'\n', b'\r']) & (from << 1);
    let close = stops.trailing_zeros() as usize;
    let is_key = close < BLOCK_BYTES - 2
        && front.byte(close) == first
        && window.key_end() >> (close + 1) & 1 != 0;
    let kind = if first == b'"' { EventKind::DoubleQuoted } else { EventKind::SingleQuoted };
    is_key.then_some(SimpleKey { kind, end: close + 1, colon: close + 1 })
}

impl<L: Lanes> Front<'_, L> {
    /// Returns the offset in the window after the last non-blank character before `stop`. There
    /// must be such a character.
    #[inline(always)]
    pub fn text_end(&self, stop: usize) -> usize {
        let visible = !self.window.blank & !(u64::MAX << stop);
        BLOCK_BYTES - visible.leading_zeros() as usize
    }
}

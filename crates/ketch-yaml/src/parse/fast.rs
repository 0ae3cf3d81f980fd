//! The fast lane: lines that need nothing special.
//!
//! Nine lines in ten are `key: value`, `key:`, `- value`, `- key: value`, blank or a comment, plain
//! or in simple quotes. They are read here from the masks of one window, without a look at single
//! bytes but those that start a token, and with the parser's state in registers. Whatever is not
//! quite so simple is left to [`Engine::line`] and [`Engine::node`], which know all of YAML: the
//! fast lane stops in front of the line, or in front of a node in it, with the state as they would
//! have left it. So it never decides that an input is wrong.

use super::engine::{Context, Engine, Frame, Rest, State};
use crate::event::{EventKind, Flags};
use crate::scan::block;
use crate::scan::class::{Class, class};
use crate::scan::plain::plain_line;
use crate::scan::quoted::LongQuoted;
use crate::scan::text::Text;
use crate::scan::window::Window;
use ketch_bytes::{BLOCK_BYTES, Lanes};

/// How the fast lane left a line.
enum Line {
    /// Behind it.
    Done(usize),
    /// In front of it: it is for the general lane.
    General,
    /// In front of a node in it.
    Node { at: usize, context: Context },
}

impl Engine {
    /// Simple lines from `pos` on, until one is not, `limit` is reached or the chunk is full.
    #[inline(always)]
    pub(super) fn fast_lines<L: Lanes>(&mut self, lanes: L, text: Text<'_>, limit: usize) {
        let mut pos = self.pos;
        let mut top = self.top;
        let chunk_words = self.settings.chunk_words;
        while pos < limit && self.events.len() < chunk_words {
            let block = text.block(pos);
            match self.fast_line(lanes, text, block, pos, &mut top) {
                Line::Done(next) => pos = next,
                Line::General => break,
                Line::Node { at, context } => {
                    self.rest = Rest::Node { line: pos, context, tabbed: false };
                    pos = at;
                    break;
                }
            }
        }
        self.pos = pos;
        self.top = top;
    }

    #[inline(always)]
    fn fast_line<L: Lanes>(
        &mut self,
        lanes: L,
        text: Text<'_>,
        block: &[u8; BLOCK_BYTES],
        pos: usize,
        top: &mut Frame,
    ) -> Line {
        let loaded = lanes.load(block);
        let window = Window::of(lanes, loaded, pos);
        let indent = (!window.space).trailing_zeros() as usize;
        if indent == BLOCK_BYTES {
            return Line::General;
        }
        // The end of the line; beyond the window where there is none in it.
        let newline = window.newline.trailing_zeros() as usize;
        if indent == newline {
            return Line::Done(text.after_break(pos + newline));
        }
        let first = block[indent];
        let is_entry = match class(first) {
            Class::Plain | Class::DoubleQuote | Class::SingleQuote => false,
            Class::Dash => window.blank >> ((indent + 1) & 63) & 1 != 0 && indent < 63,
            Class::Comment => {
                self.comment_mark = pos + indent + 1;
                return Line::Done(line_end(lanes, text, &window, newline));
            }
            _ => return Line::General,
        };
        // A document marker, perhaps.
        if indent == 0 && block[1] == first && matches!(first, b'-' | b'.') {
            return self.fast_marker(block, pos, top);
        }
        if first == b'-' && !is_entry {
            return Line::General;
        }
        let Some(context) = self.fast_settle(pos, indent, is_entry, top) else {
            return Line::General;
        };
        if !is_entry {
            return self
                .fast_node(lanes, text, block, loaded, &window, newline, indent, context, top);
        }
        if context != Context::Item && !self.fast_open(pos, indent, EventKind::SequenceStart, top) {
            return Line::General;
        }
        top.state = State::SequenceAwaits;
        self.awaited_at = pos + indent + 1;
        let ink = (!window.blank | window.newline) & (u64::MAX << (indent + 1));
        let at = ink.trailing_zeros() as usize;
        if at == newline && newline < BLOCK_BYTES {
            return Line::Done(text.after_break(pos + newline));
        }
        // Behind a tab no block collection may start; the general lane knows.
        let is_tabbed = window.tab() & ((1 << (at & 63)) - 1) != 0;
        if at == BLOCK_BYTES || is_tabbed {
            return Line::Node { at: pos + indent + 1, context: Context::Block };
        }
        self.fast_node(lanes, text, block, loaded, &window, newline, at, Context::Block, top)
    }

    /// A `---` with nothing behind it, after a complete document without directives.
    #[inline(always)]
    fn fast_marker(&mut self, block: &[u8; BLOCK_BYTES], pos: usize, top: &mut Frame) -> Line {
        if !block.starts_with(b"---\n") || self.directives.has_version {
            return Line::General;
        }
        while top.indent >= 0 {
            if self.fast_close(pos, top).is_none() {
                return Line::General;
            }
        }
        if top.state != State::RootDone || !self.directives.handles.is_empty() {
            return Line::General;
        }
        self.events.push_short(EventKind::DocumentEnd, Flags::NONE, pos, 0);
        self.events.push_short(EventKind::DocumentStart, Flags::EXPLICIT, pos, 3);
        self.directives.allowed = false;
        self.comment_mark = 0;
        top.state = State::RootAwaits;
        self.awaited_at = pos + 3;
        Line::Done(pos + 4)
    }

    /// As [`Engine::settle`], for what is complete.
    #[inline(always)]
    fn fast_settle(
        &mut self,
        pos: usize,
        indent: usize,
        is_entry: bool,
        top: &mut Frame,
    ) -> Option<Context> {
        let column = indent as isize;
        if column > top.indent {
            return top.state.awaits_node().then_some(Context::Block);
        }
        while column < top.indent {
            self.fast_close(pos + indent, top)?;
        }
        if column > top.indent {
            return None;
        }
        if top.state.is_sequence() {
            if is_entry {
                return (top.state == State::SequenceDone).then_some(Context::Item);
            }
            let holder = self.frames.last()?;
            if holder.indent != column || !holder.state.is_mapping() {
                return None;
            }
            self.fast_close(pos + indent, top)?;
        }
        match top.state {
            State::MappingKey if !is_entry => Some(Context::Entry),
            State::MappingAwaitsValue if is_entry => Some(Context::Block),
            _ => None,
        }
    }

    /// Closes the innermost collection, if it lacks nothing.
    #[inline(always)]
    fn fast_close(&mut self, at: usize, top: &mut Frame) -> Option<()> {
        let kind = match top.state {
            State::MappingKey => EventKind::MappingEnd,
            State::SequenceDone => EventKind::SequenceEnd,
            _ => return None,
        };
        self.events.push_short(kind, Flags::NONE, at, 0);
        *top = self.frames.pop()?;
        Some(())
    }

    /// Opens a block collection whose first entry is at column `indent`.
    #[inline(always)]
    fn fast_open(&mut self, pos: usize, indent: usize, kind: EventKind, top: &mut Frame) -> bool {
        if self.frames.len() as u64 >= self.settings.limits.max_depth.base {
            return false;
        }
        self.events.push_short(kind, Flags::NONE, pos + indent, 0);
        self.frames.push(Frame { state: top.state.done(), ..*top });
        top.indent = indent as isize;
        true
    }

    /// A node that starts at `at` of the window, and the rest of its line.
    #[inline(always)]
    #[allow(clippy::too_many_arguments)]
    fn fast_node<L: Lanes>(
        &mut self,
        lanes: L,
        text: Text<'_>,
        block: &[u8; BLOCK_BYTES],
        loaded: L::Block,
        window: &Window,
        newline: usize,
        at: usize,
        context: Context,
        top: &mut Frame,
    ) -> Line {
        let pos = window.base;
        let from = u64::MAX << at;
        let (kind, stop, end) = match class(block[at]) {
            Class::Plain => {
                let stops = window.plain_stop() & from;
                let is_key = window.key_end() & stops & stops.wrapping_neg() != 0;
                let stop = stops.trailing_zeros() as usize;
                let end = if is_key { ink_end(window, from, stop) } else { 0 };
                (EventKind::Plain, stop, end)
            }
            Class::DoubleQuote | Class::SingleQuote => {
                let quote = block[at];
                let stops = lanes.eq_any(loaded, [quote, b'\\', b'\n', b'\r']) & (from << 1);
                let close = stops.trailing_zeros() as usize;
                let is_key = close < BLOCK_BYTES - 2
                    && block[close & 63] == quote
                    && window.key_end() >> (close + 1) & 1 != 0;
                let kind = match quote {
                    b'"' => EventKind::DoubleQuoted,
                    _ => EventKind::SingleQuoted,
                };
                (kind, close + 1, if is_key { close + 1 } else { 0 })
            }
            _ => (EventKind::Plain, 0, 0),
        };
        // No key, or none that is simple.
        if end == 0 {
            if context == Context::Entry {
                return Line::Node { at: pos + at, context };
            }
            return self.fast_value(lanes, text, block, loaded, window, newline, at, context, top);
        }
        if context == Context::Block && !self.fast_open(pos, at, EventKind::MappingStart, top) {
            return Line::Node { at: pos + at, context };
        }
        self.events.push_short(kind, Flags::NONE, pos + at, end - at);
        top.state = State::MappingAwaitsValue;
        self.awaited_at = pos + stop + 1;
        // The byte behind the colon is a blank or a break, so it is in the window.
        let ink = (!window.blank | window.newline) & (u64::MAX << (stop + 1));
        let value = ink.trailing_zeros() as usize;
        if value == newline && newline < BLOCK_BYTES {
            return Line::Done(text.after_break(pos + newline));
        }
        if value == BLOCK_BYTES {
            return Line::Node { at: pos + stop + 1, context: Context::Inline };
        }
        self.fast_value(lanes, text, block, loaded, window, newline, value, Context::Inline, top)
    }

    /// The node at `at`, if nothing but a comment follows it on its line.
    #[inline(always)]
    #[allow(clippy::too_many_arguments)]
    fn fast_value<L: Lanes>(
        &mut self,
        lanes: L,
        text: Text<'_>,
        block: &[u8; BLOCK_BYTES],
        loaded: L::Block,
        window: &Window,
        newline: usize,
        mut at: usize,
        context: Context,
        top: &mut Frame,
    ) -> Line {
        let pos = window.base;
        let leave = Line::Node { at: pos + at, context };
        if matches!(block[at], b'&' | b'!') && context == Context::Inline {
            let Some(next) = self.fast_property(lanes, block, loaded, window, newline, at) else {
                return leave;
            };
            at = next;
        }
        match class(block[at]) {
            Class::Plain => self.fast_plain_value(lanes, text, window, newline, at, context, top),
            Class::DoubleQuote | Class::SingleQuote => self
                .fast_quoted_value(lanes, text, block, loaded, window, newline, at, context, top),
            Class::Alias => {
                let len = name_len(lanes, loaded, window, at);
                if len < 2
                    || at + len != newline
                    || newline >= BLOCK_BYTES
                    || context == Context::Entry
                {
                    return leave;
                }
                self.events.push_short(EventKind::Alias, Flags::NONE, pos + at, len);
                top.state = top.state.done();
                Line::Done(text.after_break(pos + newline))
            }
            Class::BlockScalar => {
                self.fast_block_scalar(lanes, text, block, newline, pos, at, context, top)
            }
            _ => Line::Node { at: pos + at, context },
        }
    }

    /// A quoted scalar of one line with nothing behind it.
    #[inline(always)]
    #[allow(clippy::too_many_arguments)]
    fn fast_quoted_value<L: Lanes>(
        &mut self,
        lanes: L,
        text: Text<'_>,
        block: &[u8; BLOCK_BYTES],
        loaded: L::Block,
        window: &Window,
        newline: usize,
        at: usize,
        context: Context,
        top: &mut Frame,
    ) -> Line {
        let pos = window.base;
        let leave = Line::Node { at: pos + at, context };
        let quote = block[at];
        let escape = if quote == b'"' { b'\\' } else { quote };
        let stops = lanes.eq_any(loaded, [quote, escape]) & (u64::MAX << at << 1);
        let close = stops.trailing_zeros() as usize;
        let is_simple = close < newline && newline < BLOCK_BYTES && block[close & 63] == quote;
        let (end, flags) = if is_simple && block[(close + 1) & 63] != quote {
            (pos + close + 1, Flags::NONE)
        } else {
            match lanes.outline(LongQuoted { text, open: pos + at }) {
                Some(quoted) => quoted,
                None => return leave,
            }
        };
        let kind = match quote {
            b'"' => EventKind::DoubleQuoted,
            _ => EventKind::SingleQuoted,
        };
        let len = end - pos - at;
        match text.byte(end) {
            b'\n' | b'\r' if context != Context::Entry => {
                if len as u64 > self.settings.limits.max_scalar_bytes {
                    return leave;
                }
                self.events.push(kind, flags, pos + at, len);
                top.state = top.state.done();
                Line::Done(text.after_break(end))
            }
            _ => leave,
        }
    }

    /// An anchor or a tag of letters, and a plain scalar behind it on the line; answers where that
    /// starts.
    #[inline(always)]
    fn fast_property<L: Lanes>(
        &mut self,
        lanes: L,
        block: &[u8; BLOCK_BYTES],
        loaded: L::Block,
        window: &Window,
        newline: usize,
        at: usize,
    ) -> Option<usize> {
        let len = name_len(lanes, loaded, window, at);
        let end = at + len;
        // One space and a scalar: nothing that could fail behind what is written here.
        let is_simple = len > 1
            && end + 1 < newline.min(BLOCK_BYTES)
            && (window.plain_stop() & (u64::MAX << (end + 1))).trailing_zeros() as usize == newline
            && block[end & 63] == b' '
            && class(block[(end + 1) & 63]) == Class::Plain;
        if !is_simple {
            return None;
        }
        let kind = if block[at] == b'&' {
            EventKind::Anchor
        } else {
            // `!name` and `!!name` need no declared handle.
            let name = block.get(at + 1 + usize::from(block[(at + 1) & 63] == b'!')..end)?;
            if name.is_empty() || !name.iter().all(u8::is_ascii_alphanumeric) {
                return None;
            }
            EventKind::Tag
        };
        self.events.push_short(kind, Flags::NONE, window.base + at, len);
        Some(end + 1)
    }

    /// A plain scalar of one line.
    #[inline(always)]
    #[allow(clippy::too_many_arguments)]
    fn fast_plain_value<L: Lanes>(
        &mut self,
        lanes: L,
        text: Text<'_>,
        window: &Window,
        newline: usize,
        at: usize,
        context: Context,
        top: &mut Frame,
    ) -> Line {
        let pos = window.base;
        let from = u64::MAX << at;
        let stops = window.plain_stop() & from;
        let stop = stops.trailing_zeros() as usize;
        if stop == newline && stop < BLOCK_BYTES {
            let len = ink_end(window, from, stop) - at;
            self.events.push_short(EventKind::Plain, Flags::NONE, pos + at, len);
            top.state = top.state.done();
            return Line::Done(text.after_break(pos + newline));
        }
        let line = plain_line(lanes, text, window, pos + at);
        let byte = text.byte(line.stop);
        if byte == b':' {
            return Line::Node { at: pos + at, context };
        }
        self.events.push(EventKind::Plain, Flags::NONE, pos + at, line.end - pos - at);
        top.state = top.state.done();
        if byte == b'#' {
            self.comment_mark = line.stop + 1;
            return Line::Done(line_end(lanes, text, window, newline));
        }
        Line::Done(text.after_break(line.stop))
    }

    /// A block scalar whose header is at most a chomping indicator, and whose first line has text.
    #[inline(always)]
    #[allow(clippy::too_many_arguments)]
    fn fast_block_scalar<L: Lanes>(
        &mut self,
        lanes: L,
        text: Text<'_>,
        block: &[u8; BLOCK_BYTES],
        newline: usize,
        pos: usize,
        at: usize,
        context: Context,
        top: &mut Frame,
    ) -> Line {
        let leave = Line::Node { at: pos + at, context };
        let is_bare = newline == at + 1;
        let is_chomped = newline == at + 2 && matches!(block[(at + 1) & 63], b'-' | b'+');
        if newline >= BLOCK_BYTES || !(is_bare || is_chomped) || context == Context::Entry {
            return leave;
        }
        let start = text.after_break(pos + newline);
        let first = text.load(lanes, start);
        let indent = (!lanes.eq(first, b' ')).trailing_zeros() as usize;
        // Deeper than the parent, less than a window, and a line with text.
        if (indent as isize) <= top.indent
            || indent >= BLOCK_BYTES
            || matches!(text.byte(start + indent), b'\n' | b'\r' | b'\t')
            || indent == 0
        {
            return leave;
        }
        let Some(end) = block::simple_body(lanes, text, start, indent) else { return leave };
        let kind = if block[at] == b'|' { EventKind::Literal } else { EventKind::Folded };
        let len = end - pos - at;
        if len as u64 > self.settings.limits.max_scalar_bytes {
            return leave;
        }
        self.events.push_long(kind, Flags::NONE, pos + at, len, indent as u32);
        top.state = top.state.done();
        Line::Done(end)
    }
}

/// Behind the last character in front of `stop` that is no white space. There is one in `from`.
#[inline(always)]
fn ink_end(window: &Window, from: u64, stop: usize) -> usize {
    let ink = !window.blank & from & !(u64::MAX << stop);
    BLOCK_BYTES - ink.leading_zeros() as usize
}

/// The start of the line after the one that `window` is of.
#[inline(always)]
fn line_end<L: Lanes>(lanes: L, text: Text<'_>, window: &Window, newline: usize) -> usize {
    if newline < BLOCK_BYTES {
        return text.after_break(window.base + newline);
    }
    let mut base = window.base;
    loop {
        base += BLOCK_BYTES;
        let newline = lanes.eq_any(text.load(lanes, base), [b'\n', b'\r']);
        if newline != 0 {
            return text.after_break(base + newline.trailing_zeros() as usize);
        }
    }
}

/// Length of the anchor or alias at `at`, its indicator counted, up to a blank; a flow indicator
/// ends it, too, and then it is not simple.
#[inline(always)]
fn name_len<L: Lanes>(lanes: L, loaded: L::Block, window: &Window, at: usize) -> usize {
    let ends = window.blank | lanes.eq_any(loaded, [b',', b'[', b']', b'{', b'}']);
    (ends & (u64::MAX << at)).trailing_zeros() as usize - at
}

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
use crate::scan::class::{Class, class};
use crate::scan::plain::plain_line;
use crate::scan::text::Text;
use crate::scan::window::Window;
use ketch_bytes::{BLOCK_BYTES, Lanes, tail_block};

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
            let padded;
            let block = match text.bytes.get(pos..).and_then(|rest| rest.first_chunk()) {
                Some(block) => block,
                None => {
                    padded = tail_block(text.bytes, pos);
                    &padded
                }
            };
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
            Class::Plain => false,
            Class::Dash => window.blank >> ((indent + 1) & 63) & 1 != 0 && indent < 63,
            Class::Comment if newline < BLOCK_BYTES => {
                self.comment_mark = pos + indent + 1;
                return Line::Done(text.after_break(pos + newline));
            }
            _ => return Line::General,
        };
        // A document marker, perhaps.
        if indent == 0 && block[1] == first && matches!(first, b'-' | b'.') {
            return Line::General;
        }
        if first == b'-' && !is_entry {
            return Line::General;
        }
        let Some(context) = self.fast_settle(pos, indent, is_entry, top) else {
            return Line::General;
        };
        if !is_entry {
            return self.fast_node(lanes, text, block, loaded, &window, newline, indent, context, top);
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
        if class(block[at]) != Class::Plain {
            return self.fast_value(lanes, text, block, loaded, window, newline, at, context, top);
        }
        let from = u64::MAX << at;
        let stops = window.plain_stop() & from;
        let stop = stops.trailing_zeros() as usize;
        let is_key = window.key_end() & stops & stops.wrapping_neg() != 0;
        if !is_key {
            if context == Context::Entry {
                return Line::Node { at: pos + at, context };
            }
            return self.fast_value(lanes, text, block, loaded, window, newline, at, context, top);
        }
        if context == Context::Block && !self.fast_open(pos, at, EventKind::MappingStart, top) {
            return Line::Node { at: pos + at, context };
        }
        let len = ink_end(window, from, stop) - at;
        self.events.push_short(EventKind::Plain, Flags::NONE, pos + at, len);
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

    /// The scalar at `at`, which awaits nothing but the end of its line.
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
        at: usize,
        context: Context,
        top: &mut Frame,
    ) -> Line {
        let pos = window.base;
        let leave = Line::Node { at: pos + at, context };
        match class(block[at]) {
            Class::Plain => {
                let from = u64::MAX << at;
                let stops = window.plain_stop() & from;
                let stop = stops.trailing_zeros() as usize;
                let (end, stop) = if stop == BLOCK_BYTES {
                    let line = plain_line(lanes, text, window, pos + at);
                    if !matches!(text.byte(line.stop), b'\n' | b'\r') {
                        return leave;
                    }
                    (line.end - pos, line.stop)
                } else if stop == newline {
                    (ink_end(window, from, stop), pos + newline)
                } else {
                    return leave;
                };
                self.events.push(EventKind::Plain, Flags::NONE, pos + at, end - at);
                top.state = top.state.done();
                Line::Done(text.after_break(stop))
            }
            Class::DoubleQuote | Class::SingleQuote => {
                let quote = block[at];
                let stops = lanes.eq_any(loaded, [quote, b'\\']) & (u64::MAX << at << 1);
                let close = stops.trailing_zeros() as usize;
                let is_simple = close + 1 == newline
                    && newline < BLOCK_BYTES
                    && block[close & 63] == quote
                    && context != Context::Entry;
                if !is_simple {
                    return leave;
                }
                let kind = match quote {
                    b'"' => EventKind::DoubleQuoted,
                    _ => EventKind::SingleQuoted,
                };
                self.events.push_short(kind, Flags::NONE, pos + at, close + 1 - at);
                top.state = top.state.done();
                Line::Done(text.after_break(pos + newline))
            }
            _ => leave,
        }
    }
}

/// Behind the last character in front of `stop` that is no white space. There is one in `from`.
#[inline(always)]
fn ink_end(window: &Window, from: u64, stop: usize) -> usize {
    let ink = !window.blank & from & !(u64::MAX << stop);
    BLOCK_BYTES - ink.leading_zeros() as usize
}

//! The fast path of values, which follow a key or a dash and fill the rest of the line.

use super::fast::{FastPath, Front, Line, Lines, RARE, simple_key};
use super::node::is_uri_char;
use super::state::Context;
use crate::event::{EventKind, Flags};
use crate::scan::block::{SimpleBody, header};
use crate::scan::class::{Class, class};
use crate::scan::plain::plain_line;
use crate::scan::quoted::LongQuoted;
use ketch_bytes::{BLOCK_BYTES, Lanes};

impl FastPath<'_, '_> {
    /// Parses the node at `at` of the window and the rest of its line, as far as they are simple.
    #[inline(always)]
    pub(super) fn value<L: Lanes, const LINES: Lines>(
        &mut self,
        lanes: L,
        front: &Front<'_, L>,
        at: usize,
        context: Context,
    ) -> Line {
        let first = front.byte(at);
        if class(first) == Class::Plain {
            return self.plain_value(lanes, front, at, context);
        }
        let leave = Line::Node { at: front.window.base + at, context };
        match first {
            b'"' | b'\'' => self.quoted_value(lanes, front, at, context),
            b'|' | b'>' => self.block_scalar::<L, LINES>(lanes, front, at, context),
            b'[' | b'{' => self.flow_value::<L, LINES>(lanes, front, at, context),
            b'*' => self.alias(lanes, front, at, context),
            // A number.
            b'-' if LINES == RARE && front.byte(at + 1) > b' ' => {
                self.common_lines = 0;
                self.plain_value(lanes, front, at, context)
            }
            b'&' | b'!' if LINES == RARE || context == Context::Inline => {
                self.node_with_property::<L, LINES>(lanes, front, at, context)
            }
            _ => leave,
        }
    }

    /// Parses the property at `at` of the window, its node and the rest of the line, as far as they
    /// are simple.
    #[inline(always)]
    fn node_with_property<L: Lanes, const LINES: Lines>(
        &mut self,
        lanes: L,
        front: &Front<'_, L>,
        at: usize,
        context: Context,
    ) -> Line {
        let words = self.out.len();
        if LINES == RARE {
            self.common_lines = 0;
        }
        if let Some((kind, end)) = self.property::<L, LINES>(lanes, front, at, context) {
            self.out.push(kind, Flags::NONE, front.window.base + at, end - at);
            let node = end + 1;
            let line = match class(front.byte(node)) {
                _ if LINES == RARE && end == front.newline => {
                    self.property_of_next_line(lanes, front, context)
                }
                Class::Plain => self.plain_value(lanes, front, node, context),
                Class::FlowOpen if LINES == RARE => {
                    self.flow_value::<L, LINES>(lanes, front, node, context)
                }
                Class::BlockScalar if LINES == RARE => {
                    self.block_scalar::<L, LINES>(lanes, front, node, context)
                }
                _ if LINES == RARE => self.quoted_value(lanes, front, node, context),
                _ => Line::NotSimple,
            };
            if !matches!(line, Line::Node { .. } | Line::NotSimple) {
                return line;
            }
        }
        // The slow path also parses the property.
        self.out.set_len(words);
        Line::Node { at: front.window.base + at, context }
    }

    /// Scans the property at `at` of the window: an anchor or a tag, followed on the same line by a scalar
    /// that is not a key or by a flow collection that cannot be one, or by nothing. Returns its kind and end,
    /// or `None` if the slow path has to parse it.
    #[inline(always)]
    fn property<L: Lanes, const LINES: Lines>(
        &self,
        lanes: L,
        front: &Front<'_, L>,
        at: usize,
        context: Context,
    ) -> Option<(EventKind, usize)> {
        let end = property_end(lanes, front.loaded, front.block, front.window.blank, at);
        if context == Context::Entry {
            return None;
        }
        if LINES == RARE && end == front.newline && front.has_end() {
            return Some((simple_property(front.block.get(at..end)?, self.is_bare)?, end));
        }
        // One space and the node follow, so nothing after the property can fail.
        if end >= front.newline.min(BLOCK_BYTES - 2) || front.byte(end) != b' ' {
            return None;
        }
        let is_simple = match class(front.byte(end + 1)) {
            Class::Plain => {
                let stops = front.window.plain_stop() & (u64::MAX << (end + 1));
                stops.trailing_zeros() as usize == front.newline && front.has_end()
            }
            Class::FlowOpen => context == Context::Inline,
            class => class.is_quote() || class == Class::BlockScalar,
        };
        if !is_simple {
            return None;
        }
        Some((simple_property(front.block.get(at..end)?, self.is_bare)?, end))
    }

    /// Ends a line at a property that has just been written, if the next line starts with the first
    /// entry of its node, a sequence or a mapping. Nothing in that line can fail before the property is
    /// written.
    #[inline(always)]
    fn property_of_next_line<L: Lanes>(
        &mut self,
        lanes: L,
        front: &Front<'_, L>,
        context: Context,
    ) -> Line {
        let next = front.next_line();
        let text = self.text;
        let line = Front::load(lanes, &text, next, 0);
        let indent = (!line.window.space).trailing_zeros() as usize;
        if next >= text.lines_end || indent >= BLOCK_BYTES - 2 {
            return Line::NotSimple;
        }
        let is_deeper = indent as isize > self.top.indent;
        let is_entry = match line.byte(indent) {
            // A sequence may be indented as far as its key.
            b'-' if line.byte(indent + 1) == b' ' => {
                is_deeper || context == Context::Inline && indent as isize == self.top.indent
            }
            _ => is_deeper && simple_key(lanes, &line, indent).is_some(),
        };
        if !is_entry {
            return Line::NotSimple;
        }
        self.awaited_at = front.window.base + front.newline;
        Line::Done(next)
    }

    /// Parses the plain scalar at `at` of the window and the rest of its line. Leaves it to the
    /// slow path if it is a key or too long.
    #[inline(always)]
    fn plain_value<L: Lanes>(
        &mut self,
        lanes: L,
        front: &Front<'_, L>,
        at: usize,
        context: Context,
    ) -> Line {
        let window = &front.window;
        let pos = window.base;
        let stop = (window.plain_stop() & (u64::MAX << at)).trailing_zeros() as usize;
        if stop == front.newline && front.has_end() {
            let len = front.text_end(stop) - at;
            self.out.push(EventKind::Plain, Flags::NONE, pos + at, len);
            self.top.state = self.top.state.done();
            return Line::Done(front.next_line());
        }
        if stop < BLOCK_BYTES && front.byte(stop) == b'#' {
            let len = front.text_end(stop) - at;
            self.out.push(EventKind::Plain, Flags::NONE, pos + at, len);
            self.top.state = self.top.state.done();
            self.comment_mark = pos + stop + 1;
            return Line::Done(self.line_end(lanes, front));
        }
        let line = plain_line(lanes, self.text, window, pos + at);
        let byte = self.text.byte(line.stop);
        let len = line.end - pos - at;
        if byte == b':' || len as u64 > self.scalar_bytes_max {
            return Line::Node { at: pos + at, context };
        }
        self.out.push_any(EventKind::Plain, Flags::NONE, pos + at, len);
        self.top.state = self.top.state.done();
        if byte == b'#' {
            self.comment_mark = line.stop + 1;
            return Line::Done(self.line_end(lanes, front));
        }
        Line::Done(self.text.after_break(line.stop))
    }

    /// Parses the quoted scalar at `at` of the window, if it ends its line.
    #[inline(always)]
    fn quoted_value<L: Lanes>(
        &mut self,
        lanes: L,
        front: &Front<'_, L>,
        at: usize,
        context: Context,
    ) -> Line {
        let pos = front.window.base;
        let leave = Line::Node { at: pos + at, context };
        if context == Context::Entry {
            return leave;
        }
        let quote = front.byte(at);
        let (kind, escape) = match quote {
            b'"' => (EventKind::DoubleQuoted, b'\\'),
            _ => (EventKind::SingleQuoted, quote),
        };
        let text = self.text;
        let mut stops =
            lanes.eq_any(front.loaded, [quote, escape, b'\n', b'\r']) & (u64::MAX << at << 1);
        let mut base = pos;
        // This ends at a line break at the latest, since the text is padded with line breaks.
        while stops == 0 {
            base += BLOCK_BYTES;
            stops = lanes.eq_any(text.load(lanes, base), [quote, escape, b'\n', b'\r']);
        }
        let end = base + stops.trailing_zeros() as usize + 1;
        let len = end - pos - at;
        if text.byte(end - 1) == quote
            && matches!(text.byte(end), b'\n' | b'\r')
            && len as u64 <= self.scalar_bytes_max
        {
            self.out.push_any(kind, Flags::NONE, pos + at, len);
            self.top.state = self.top.state.done();
            return Line::Done(text.after_break(end));
        }
        let Some((end, flags)) = lanes.outline(LongQuoted { text, open: pos + at }) else {
            return leave;
        };
        let len = end - pos - at;
        if !matches!(text.byte(end), b'\n' | b'\r') || len as u64 > self.scalar_bytes_max {
            return leave;
        }
        self.out.push_any(kind, flags, pos + at, len);
        self.top.state = self.top.state.done();
        Line::Done(text.after_break(end))
    }

    /// Parses the alias at `at` of the window, if it ends its line.
    #[inline(always)]
    fn alias<L: Lanes>(
        &mut self,
        lanes: L,
        front: &Front<'_, L>,
        at: usize,
        context: Context,
    ) -> Line {
        let pos = front.window.base;
        let end = name_end(lanes, front.loaded, front.window.blank, at);
        let len = end - at;
        if len < 2 || end != front.newline || !front.has_end() || context == Context::Entry {
            return Line::Node { at: pos + at, context };
        }
        self.out.push(EventKind::Alias, Flags::NONE, pos + at, len);
        self.top.state = self.top.state.done();
        Line::Done(front.next_line())
    }

    /// Parses the block scalar at `at` of the window, if its header has no blanks, and an indicator or
    /// the first line says how it is indented.
    #[inline(always)]
    fn block_scalar<L: Lanes, const LINES: Lines>(
        &mut self,
        lanes: L,
        front: &Front<'_, L>,
        at: usize,
        context: Context,
    ) -> Line {
        let pos = front.window.base;
        let text = self.text;
        let leave = Line::Node { at: pos + at, context };
        if !front.has_end() || context == Context::Entry {
            return leave;
        }
        let indicator = match (front.newline.wrapping_sub(at + 1), front.byte(at + 1)) {
            (0, _) | (1, b'-' | b'+') => None,
            (1 | 2, _) if LINES == RARE => {
                let header = header(text.bytes, pos + at);
                if header.end != pos + front.newline {
                    return leave;
                }
                header.indent
            }
            _ => return leave,
        };
        let start = front.next_line();
        let spaces = (!lanes.eq(text.load(lanes, start), b' ')).trailing_zeros() as usize;
        let indent = match indicator {
            Some(indicator) => self.top.indent.max(0) as usize + usize::from(indicator),
            // The line must be indented deeper than the parent, and must have text.
            None if (spaces as isize) <= self.top.indent
                || matches!(text.byte(start + spaces), b'\n' | b'\r' | b'\t') =>
            {
                return leave;
            }
            None => spaces,
        };
        if indent == 0 || indent >= BLOCK_BYTES {
            return leave;
        }
        let body = SimpleBody { text, body: start, indent };
        let Ok(end) = lanes.outline(body) else { return leave };
        let kind = if front.byte(at) == b'|' { EventKind::Literal } else { EventKind::Folded };
        let len = end - pos - at;
        if len as u64 > self.scalar_bytes_max {
            return leave;
        }
        self.out.push_long(kind, Flags::NONE, pos + at, len, indent as u32);
        self.top.state = self.top.state.done();
        Line::Done(end)
    }
}

/// Returns the kind of the property `text`, an anchor or a tag that needs no declared handle, or
/// `None` if it is not simple. Unless the document `is_bare`, `!` and `!!` may be declared, and the
/// uses of a long prefix are counted.
#[inline(always)]
pub(super) fn simple_property(text: &[u8], is_bare: bool) -> Option<EventKind> {
    match text {
        [b'&', _, ..] => Some(EventKind::Anchor),
        [b'!', b'<', uri @ .., b'>'] => {
            let is_simple = !uri.is_empty() && uri.iter().all(|&byte| is_uri_char(byte));
            is_simple.then_some(EventKind::Tag)
        }
        [b'!', b'!', name @ ..] | [b'!', name @ ..] => {
            let is_simple = !name.is_empty() && name.iter().all(u8::is_ascii_alphanumeric);
            (is_simple && is_bare).then_some(EventKind::Tag)
        }
        _ => None,
    }
}

/// Returns the offset after the property at `at` of `block`, whose bytes are `bytes`, or 64 if it
/// does not end there. `blanks` are its blanks and breaks.
#[inline(always)]
pub(super) fn property_end<L: Lanes>(
    lanes: L,
    block: L::Block,
    bytes: &[u8; BLOCK_BYTES],
    blanks: u64,
    at: usize,
) -> usize {
    if bytes[(at + 1) % BLOCK_BYTES] != b'<' {
        return name_end(lanes, block, blanks, at);
    }
    let ends = (lanes.eq(block, b'>') | blanks) & (u64::MAX << at << 1);
    let end = ends.trailing_zeros() as usize;
    end + usize::from(bytes.get(end) == Some(&b'>'))
}

/// Returns the offset after the anchor, alias or tag at `at` of `block`, which a blank or a flow
/// indicator ends, or 64 if it does not end there. `blanks` are the blanks and breaks of the block.
#[inline(always)]
pub(super) fn name_end<L: Lanes>(lanes: L, block: L::Block, blanks: u64, at: usize) -> usize {
    let ends = blanks | lanes.eq_any(block, [b',', b'[', b']', b'{', b'}']);
    (ends & (u64::MAX << at << 1)).trailing_zeros() as usize
}

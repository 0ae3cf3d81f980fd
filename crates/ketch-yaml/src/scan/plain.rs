//! Scans plain scalars (YAML 1.2.2, section 7.3.3), one line at a time.

use super::class::{is_blank, is_blank_or_break, is_flow_indicator};
use super::text::Text;
use super::window::Window;
use ketch_bytes::{BLOCK_BYTES, Lanes};

/// One line of a plain scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PlainLine {
    /// The offset after the last character that is not white space.
    pub end: usize,
    /// The offset of what ended the text: a `:`, a `#`, a line break or, in flow context, a flow
    /// indicator.
    pub stop: usize,
}

/// Scans one line of a plain scalar in block context, and returns where its text ends and what
/// ended it. `start` is the first character of the text and must lie in `window`.
// [127] ns-plain-safe, [128] ns-plain-safe-out, [130] ns-plain-char.
#[inline(always)]
pub(crate) fn plain_line<L: Lanes>(
    lanes: L,
    text: Text<'_>,
    window: &Window,
    start: usize,
) -> PlainLine {
    let from = window.from(start);
    let stops = window.plain_stop() & from;
    if stops == 0 {
        return long_plain_line(lanes, text, *window, start);
    }
    let bit = stops.trailing_zeros();
    let stop = window.base + bit as usize;
    let visible = !window.blank & from & !(u64::MAX << bit);
    PlainLine { end: end_of_text(window.base, visible, start), stop }
}

/// Returns the offset after the last byte whose bit is set in `visible`. This is the mask of the
/// non-blank characters of the text among the 64 bytes from `base` on. Returns `start` if no bit is
/// set, as for an empty key.
// [132] nb-ns-plain-in-line.
#[inline(always)]
fn end_of_text(base: usize, visible: u64, start: usize) -> usize {
    if visible == 0 { start } else { base + BLOCK_BYTES - visible.leading_zeros() as usize }
}

/// Scans one line of a plain scalar that starts at `start`, in `window`, and does not end in this
/// window.
#[inline(always)]
fn long_plain_line<L: Lanes>(
    lanes: L,
    text: Text<'_>,
    mut window: Window,
    start: usize,
) -> PlainLine {
    // Whether a byte ends the scalar depends on the byte after it, so windows overlap by one byte,
    // and the last byte of each is examined in the next.
    const LAST: u64 = 1 << (BLOCK_BYTES - 1);
    let mut end = end_of_text(window.base, !window.blank & !LAST & window.from(start), start);
    loop {
        window = Window::load(lanes, text, window.base + BLOCK_BYTES - 1);
        let stops = window.plain_stop();
        if stops != 0 {
            let bit = stops.trailing_zeros();
            let visible = !window.blank & !(u64::MAX << bit);
            return PlainLine {
                end: end_of_text(window.base, visible, end),
                stop: window.base + bit as usize,
            };
        }
        end = end_of_text(window.base, !window.blank & !LAST, end);
    }
}

/// Scans one line of a plain scalar in flow context, from `start` on. Returns `None` if the buffer
/// ends before the end of the line can be found.
// [129] ns-plain-safe-in, [130] ns-plain-char.
#[inline(always)]
pub(crate) fn plain_line_in_flow<L: Lanes>(
    lanes: L,
    text: Text<'_>,
    start: usize,
) -> Option<PlainLine> {
    let mut base = start;
    loop {
        let block = text.load(lanes, base);
        let mut stops = lanes.eq_any(block, [b',', b'[', b']', b'{', b'}'])
            | lanes.eq_any(block, [b':', b'#', b'\n', b'\r']);
        while stops != 0 {
            let at = base + stops.trailing_zeros() as usize;
            stops &= stops - 1;
            if at >= text.bytes.len() && !text.is_last {
                return None;
            }
            let is_stop = match text.byte(at) {
                b':' => {
                    if at + 1 >= text.bytes.len() && !text.is_last {
                        return None;
                    }
                    let next = text.byte(at + 1);
                    is_blank_or_break(next) || is_flow_indicator(next)
                }
                b'#' => at > start && is_blank(text.byte(at - 1)),
                _ => true,
            };
            if is_stop {
                let mut end = at;
                while end > start && is_blank(text.byte(end - 1)) {
                    end -= 1;
                }
                return Some(PlainLine { end, stop: at });
            }
        }
        base += BLOCK_BYTES;
    }
}

//! Writes plain scalars.

use super::layout::Lines;
use crate::buffer::Buffer;

/// Writes plain text, on several lines if a width is set.
pub(super) fn plain(out: &mut Buffer, text: &[u8], lines: Lines) {
    if lines.are_unbroken() {
        return out.put(text);
    }
    for (i, part) in lines.broken(text).enumerate() {
        if i > 0 {
            lines.start_next(out);
        }
        out.put(part);
    }
}

//! Writing plain scalars.

use super::layout::Lines;
use crate::buffer::Buffer;

/// Writes `text` as a plain scalar, on several lines if it is too long for the width of `lines`.
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

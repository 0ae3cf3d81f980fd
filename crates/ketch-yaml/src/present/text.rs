//! Single block scalars, for code that replaces one scalar in a text.
//!
//! ```
//! use ketch_yaml::present::text;
//!
//! assert!(text::is_block("one\ntwo\n", true));
//! let (header, lines) = text::block("one\ntwo\n", false, 4, 2);
//! assert_eq!((header.as_str(), lines.as_str()), ("|", "\n    one\n    two"));
//! ```

use super::analysis::analyse;
use super::block::{block_header, block_scalar};
use super::layout::Lines;
use super::style::{is_best_literal, is_block_text};
use crate::buffer::Buffer;
use ketch_bytes::Level;

/// Returns whether `text` can be a block scalar: as a replacement of one or, if `is_new` is set, as
/// the most readable style of a text with line breaks.
#[must_use]
pub fn is_block(text: &str, is_new: bool) -> bool {
    let bytes = text.as_bytes();
    !analyse(Level::detect(), bytes).is_special()
        && is_block_text(bytes)
        && (!is_new || is_best_literal(bytes))
}

/// Formats `text` as a block scalar with its content at `column`, which is `step` columns deeper
/// than its parent. Returns its header, and its lines, each after a line break.
#[must_use]
pub fn block(text: &str, is_folded: bool, column: usize, step: usize) -> (String, String) {
    let (mut head, mut body) = (Buffer::default(), Buffer::default());
    block_header(&mut head, text.as_bytes(), is_folded, step);
    body.put_byte(b'\n');
    block_scalar(&mut body, text.as_bytes(), is_folded, Lines::new(column, None));
    let string = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let body = body.written().strip_suffix(b"\n").unwrap_or_default();
    (string(head.written()), string(body))
}

//! The encodings and the contents of strings.

use crate::given;
use crate::ruby::{self, VALUE};
use rb_sys::ruby_coderange_type::{RUBY_ENC_CODERANGE_7BIT, RUBY_ENC_CODERANGE_BROKEN};
use std::os::raw::c_int;

/// The indexes of some encodings, which `memory::init` checks.
pub use ketch_host::pattern::{ASCII, BINARY, UTF8};

/// What the bytes of a string are in its encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    Ascii,
    Valid,
    Broken,
}

/// Returns what the bytes of a string are, and the index of its encoding.
#[inline]
pub fn content(string: VALUE) -> (Content, c_int) {
    const SEVEN_BIT: c_int = RUBY_ENC_CODERANGE_7BIT as c_int;
    const BROKEN: c_int = RUBY_ENC_CODERANGE_BROKEN as c_int;
    // SAFETY: `string` is a live string; neither call raises.
    let (range, encoding) =
        unsafe { (rb_sys::rb_enc_str_coderange(string), rb_sys::rb_enc_get_index(string)) };
    let content = match range {
        SEVEN_BIT => Content::Ascii,
        BROKEN => Content::Broken,
        _ => Content::Valid,
    };
    (content, encoding)
}

/// Returns the bytes of a string.
///
/// # Safety
///
/// `string` must be a live string whose bytes do not change or move while they are used.
pub unsafe fn bytes<'s>(string: VALUE) -> &'s [u8] {
    // SAFETY: by the contract.
    unsafe { given::bytes(string) }
}

/// Returns the index of the character at a byte offset.
#[inline]
pub fn char_index(string: VALUE, offset: usize) -> usize {
    // SAFETY: `string` is a live string; the call does not raise.
    unsafe { rb_sys::rb_str_sublen(string, offset as i64) as usize }
}

/// Returns the byte offset of the character at an index, or of the end if the index is too large.
pub fn byte_offset(string: VALUE, index: usize) -> usize {
    // SAFETY: as in `char_index`.
    unsafe { rb_sys::rb_str_offset(string, index as i64) as usize }
}

/// Returns the length of a string in characters.
pub fn length(string: VALUE) -> usize {
    // SAFETY: as in `char_index`; the result is a fixnum.
    unsafe { rb_sys::rb_str_strlen(string) as usize }
}

/// Returns the part of a string between two byte offsets, as a string in the same encoding. Raises
/// if memory runs out.
#[inline]
pub fn part(string: VALUE, start: usize, end: usize) -> VALUE {
    /// The number of bytes that fit into an object's slot. A longer part shares the bytes of the
    /// string.
    const SMALL: usize = 23;
    let len = end.saturating_sub(start);
    // SAFETY: `string` is a live string.
    let encoding = unsafe { rb_sys::rb_enc_get_index(string) };
    if len <= SMALL && encoding == UTF8 {
        // SAFETY: as above; the bytes are copied before Ruby runs.
        let text = unsafe { bytes(string) };
        return ruby::string(text.get(start..end).unwrap_or(&[]));
    }
    // SAFETY: as above, and the range is within the string.
    unsafe { rb_sys::rb_str_subseq(string, start as i64, len as i64) }
}

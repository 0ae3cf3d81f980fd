//! Shared code of the adapters for C and C++ engines.

use std::ffi::{CStr, c_char};

use super::Tally;

/// Buffer for an engine's error message.
pub const MESSAGE_BYTES: usize = 256;

/// Calls `parse` with buffers for a result and a message.
///
/// `parse` returns non-zero on success; otherwise the message must be NUL-terminated.
pub fn call<T: Default>(
    parse: impl FnOnce(*mut T, *mut c_char, usize) -> i32,
) -> Result<T, String> {
    let mut result = T::default();
    let mut message = [0_u8; MESSAGE_BYTES];
    if parse(&raw mut result, message.as_mut_ptr().cast(), MESSAGE_BYTES) != 0 {
        return Ok(result);
    }
    let text = CStr::from_bytes_until_nul(&message).map(CStr::to_string_lossy).unwrap_or_default();
    Err(if text.is_empty() { "failed without a message".to_owned() } else { text.into_owned() })
}

/// Creates a parse that tallies.
pub fn tally(parse: impl FnOnce(*mut Tally, *mut c_char, usize) -> i32) -> Result<Tally, String> {
    call(parse)
}

/// Returns the version that a library has as a static text.
pub fn version(of: unsafe extern "C" fn() -> *const c_char) -> String {
    // SAFETY: all functions that are passed here return a static NUL-terminated string.
    unsafe { CStr::from_ptr(of()) }.to_string_lossy().into_owned()
}

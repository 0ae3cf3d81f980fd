//! Splits scalar content into lines.

/// Splits off the first line of `bytes`. Returns the line without its break, and what follows the
/// break.
pub(super) fn split_line(bytes: &[u8]) -> (&[u8], &[u8]) {
    match memchr::memchr2(b'\n', b'\r', bytes) {
        Some(at) => {
            let used = if bytes[at..].starts_with(b"\r\n") { 2 } else { 1 };
            (&bytes[..at], &bytes[at + used..])
        }
        None => (bytes, &[]),
    }
}

//! Checks that bytes are UTF-8. There is a fast path for short ASCII text, which is the most common
//! kind of string in data.

/// Returns `bytes` as text, or `None` if they are not UTF-8.
///
/// ASCII is checked eight bytes at a time, at any alignment. The standard library checks single
/// bytes up to the next aligned address, which takes most of the time for strings inside binary
/// data.
///
/// ```
/// use ketch_bytes::utf8::checked;
///
/// assert_eq!(checked(b"mizzen"), Some("mizzen"));
/// assert_eq!(checked("M\u{fc}nchen".as_bytes()), Some("M\u{fc}nchen"));
/// assert_eq!(checked(b"\xff"), None);
/// ```
#[inline]
pub fn checked(bytes: &[u8]) -> Option<&str> {
    if is_ascii(bytes) {
        // SAFETY: `is_ascii` has just found that all bytes are ASCII, and ASCII is UTF-8.
        return Some(unsafe { std::str::from_utf8_unchecked(bytes) });
    }
    simdutf8::basic::from_utf8(bytes).ok()
}

/// Returns `bytes` as a string without copying, or `None` if they are not UTF-8.
///
/// ```
/// use ketch_bytes::utf8::into_string;
///
/// assert_eq!(into_string("M\u{fc}nchen".into()).as_deref(), Some("M\u{fc}nchen"));
/// assert_eq!(into_string(vec![0xff]), None);
/// ```
#[must_use]
pub fn into_string(bytes: Vec<u8>) -> Option<String> {
    checked(&bytes)?;
    // SAFETY: `checked` has just found that the bytes are UTF-8.
    Some(unsafe { String::from_utf8_unchecked(bytes) })
}

/// Returns whether all of `bytes` are ASCII. They are checked eight at a time, as in [`checked`].
///
/// ```
/// use ketch_bytes::utf8::is_ascii;
///
/// assert!(is_ascii(b"mizzen"));
/// assert!(!is_ascii("M\u{fc}nchen".as_bytes()));
/// ```
#[inline(always)]
#[must_use]
pub fn is_ascii(bytes: &[u8]) -> bool {
    const HIGH: u64 = 0x8080_8080_8080_8080;
    // The last eight bytes may overlap the word before them, so no remainder has to be checked.
    if let Some(last) = bytes.last_chunk::<8>() {
        let (words, _) = bytes.as_chunks::<8>();
        let last = u64::from_ne_bytes(*last);
        return words.iter().fold(last, |all, word| all | u64::from_ne_bytes(*word)) & HIGH == 0;
    }
    if let (Some(first), Some(last)) = (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        return (u32::from_ne_bytes(*first) | u32::from_ne_bytes(*last)) & HIGH as u32 == 0;
    }
    bytes.iter().fold(0, |all, byte| all | byte) < 0x80
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bad_byte_is_found_at_every_length_and_offset() {
        for length in 0..70 {
            let mut bytes = vec![b'a'; length];
            assert_eq!(checked(&bytes), std::str::from_utf8(&bytes).ok());
            for place in 0..length {
                bytes[place] = 0x80;
                assert_eq!(checked(&bytes), None, "{place} of {length}");
                bytes[place] = 0x7f;
                assert!(checked(&bytes).is_some(), "{place} of {length}");
            }
        }
    }

    #[test]
    fn checked_agrees_with_the_standard_library() {
        for text in ["", "\u{e9}", "a\u{20ac}bc", "0123456789abcde\u{10ffff}", "\u{7f}\u{80}"] {
            let bytes = text.as_bytes();
            for end in 0..=bytes.len() {
                for start in 0..=end {
                    let part = &bytes[start..end];
                    assert_eq!(checked(part), std::str::from_utf8(part).ok(), "{part:02x?}");
                }
            }
        }
    }
}

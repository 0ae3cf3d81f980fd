//! Matches `\X`, an extended grapheme cluster, as if the text started there.

use unicode_segmentation::UnicodeSegmentation;

use crate::options::Encoding;
use crate::text::Text;

/// Returns the length in bytes of the cluster at the position `at`, or `None` at the end of the
/// text and at an invalid byte.
pub(crate) fn length(text: Text<'_>, at: usize) -> Option<usize> {
    let rest = &text.bytes[at..];
    if rest.starts_with(b"\r\n") {
        return Some(2);
    }
    if text.encoding == Encoding::Binary {
        return (!rest.is_empty()).then_some(1);
    }
    // A cluster that ends at the end of the window may continue after it.
    let mut window = 64;
    loop {
        let bytes = &rest[..window.min(rest.len())];
        let valid = match std::str::from_utf8(bytes) {
            Ok(valid) => valid,
            Err(error) => std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or(""),
        };
        let length = valid.graphemes(true).next()?.len();
        if length < valid.len() || valid.len() + 4 <= window || window >= rest.len() {
            return Some(length);
        }
        window *= 2;
    }
}

//! Converts text to the encodings that a YAML stream may have.

use ketch_bytes::encoding::Encoding;

/// All supported encodings other than UTF-8.
pub const WIDE: [Encoding; 4] =
    [Encoding::Utf16Le, Encoding::Utf16Be, Encoding::Utf32Le, Encoding::Utf32Be];

/// Returns `text` in `encoding`, without a byte order mark.
pub fn encode(text: &str, encoding: Encoding) -> Vec<u8> {
    let units16 = text.encode_utf16();
    let units32 = text.chars().map(u32::from);
    match encoding {
        Encoding::Utf8 => text.as_bytes().to_vec(),
        Encoding::Utf16Le => units16.flat_map(u16::to_le_bytes).collect(),
        Encoding::Utf16Be => units16.flat_map(u16::to_be_bytes).collect(),
        Encoding::Utf32Le => units32.flat_map(u32::to_le_bytes).collect(),
        Encoding::Utf32Be => units32.flat_map(u32::to_be_bytes).collect(),
    }
}

/// Returns whether the encoding of a text can be detected without a byte order mark, which requires
/// that its first character is ASCII and not NUL (YAML 1.2.2, section 5.2).
pub fn is_detectable(text: &str) -> bool {
    text.chars().next().is_some_and(|first| first.is_ascii() && first != '\0')
}

/// Returns the text with each LF replaced by another line break.
pub fn with_breaks(text: &str, line_break: &str) -> String {
    text.replace('\n', line_break)
}

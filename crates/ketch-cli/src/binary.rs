//! Detects binary files, so that the error for a file such as an image is one sentence without an
//! unreadable excerpt.

use file_format::{FileFormat, Kind};
use ketch_bytes::encoding::{Encoding, Progress, Transcoder};

/// The maximum number of bytes that are examined.
pub const HEAD_BYTES: usize = 4096;

/// The maximum percentage of control characters that text contains, in any language and legacy
/// encoding. In random bytes, the percentage is 11.
const CONTROL_PERCENT_MAX: usize = 3;

/// Returns a description of an input that starts with `head`, such as "a binary file (PNG image)",
/// or `None` if it is not binary. This is called only after the parser has failed, so valid text is
/// never rejected.
pub fn describe(head: &[u8]) -> Option<String> {
    let head = &head[..head.len().min(HEAD_BYTES)];
    let format = FileFormat::from_bytes(head);
    let is_known = !matches!(
        format,
        FileFormat::ArbitraryBinaryData | FileFormat::PlainText | FileFormat::Empty
    );
    if !(is_not_text(head) || is_known && head.contains(&0)) {
        return None;
    }
    if !is_known {
        return Some("a binary file".to_owned());
    }
    let name = format.short_name().unwrap_or(format.name());
    Some(format!("a binary file ({name}{})", kind_suffix(format.kind())))
}

/// Returns what follows the name of a format of this kind: a space and a noun, or nothing.
fn kind_suffix(kind: Kind) -> &'static str {
    match kind {
        Kind::Image => " image",
        Kind::Executable => " executable",
        Kind::Archive | Kind::Compressed => " archive",
        _ => "",
    }
}

/// Returns whether `head` is not the start of text: it has too many control characters, or it seems
/// to be UTF-16 or UTF-32, but has a NUL character, or is malformed and has few ASCII characters.
/// Invalid UTF-8 alone is not a sign of this, because the input may be text in a legacy encoding.
fn is_not_text(head: &[u8]) -> bool {
    let (encoding, mark) = Encoding::detect(head);
    if encoding == Encoding::Utf8 {
        let controls = head.iter().filter(|&&byte| is_control(byte)).count();
        return controls > (head.len() * CONTROL_PERCENT_MAX / 100).max(2);
    }
    // Random bytes that start with a zero byte look like UTF-16 up to the first unpaired surrogate.
    let mut text = Vec::new();
    let rest = &head[mark.min(head.len())..];
    let progress = Transcoder::new(encoding).push(rest, &mut text);
    let text = String::from_utf8_lossy(&text);
    let ascii = text.bytes().filter(u8::is_ascii_graphic).count();
    text.contains('\0')
        || matches!(progress, Progress::Malformed(_)) && ascii * 8 < text.chars().count()
}

/// Returns whether `byte` is a control character that is rare in text.
fn is_control(byte: u8) -> bool {
    byte < b' ' && !matches!(byte, b'\t' | b'\n' | b'\r' | b'\x0c' | b'\x1b')
}

#[cfg(test)]
mod tests {
    use super::*;

    const PNG: &[u8] =
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x10\0\0\0\x10\x08\x06\0\0\0\x1f\xf3\xffa";

    #[test]
    fn known_formats_are_named() {
        assert_eq!(describe(PNG).as_deref(), Some("a binary file (PNG image)"));
        let elf = [b"\x7fELF\x02\x01\x01".as_slice(), &[0; 60]].concat();
        let what = describe(&elf).unwrap();
        assert!(what.contains("ELF"), "{what}");
    }

    #[test]
    fn a_single_control_character_is_text() {
        assert_eq!(describe(b"bell: \x07\n"), None);
        assert_eq!(describe(b"a: b\0c\n"), None);
        assert!(describe(b"\x01\x02\x03\x04").is_some());
    }

    #[test]
    fn text_in_an_old_encoding_is_text() {
        assert_eq!(describe(b"name: caf\xe9 au lait\n"), None);
        assert_eq!(describe(b"\xef\xf0\xe8\xe2\xe5\xf2: \xec\xe8\xf0"), None);
        assert_eq!(describe(b"a: \xe2\x82"), None);
        assert_eq!(describe("\u{442}\u{435}\u{43a}\u{441}\u{442}".as_bytes()), None);
        for text in ["a: b\n", "\u{feff}a: [b\n", "\u{feff}%YAML 1.2\n---\n"] {
            let utf16: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
            assert_eq!(describe(&utf16), None, "{text:?}");
            let utf32: Vec<u8> = text.chars().flat_map(|ch| u32::from(ch).to_be_bytes()).collect();
            assert_eq!(describe(&utf32), None, "{text:?}");
        }
        assert_eq!(describe(b""), None);
    }

    #[test]
    fn noise_is_binary() {
        // The noise is from a linear congruential generator, so it is the same in each run.
        let mut seed = 1u32;
        let mut next = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 24) as u8
        };
        for _ in 0..200 {
            let noise: Vec<u8> = (0..512).map(|_| next()).collect();
            assert!(describe(&noise).is_some());
        }
    }
}

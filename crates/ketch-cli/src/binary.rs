//! Tells binary files from text, so that a picture gets one sentence and not a page of noise.

use file_format::{FileFormat, Kind};
use ketch_bytes::encoding::{Encoding, Progress, Transcoder};

/// How much of an input is looked at.
pub const HEAD_BYTES: usize = 4096;

/// In text of any language and encoding at most so many of a hundred characters are strange.
const STRANGE_PERCENT_MAX: usize = 10;

/// What the input is that starts with `head`, if it is no text: "a PNG file", "a binary file".
/// Asked only when the parser has failed, so that no text is ever turned away for its looks.
pub fn describe(head: &[u8]) -> Option<String> {
    let head = &head[..head.len().min(HEAD_BYTES)];
    if !is_strange(head) {
        return None;
    }
    let format = FileFormat::from_bytes(head);
    Some(match format {
        FileFormat::ArbitraryBinaryData | FileFormat::PlainText | FileFormat::Empty => {
            "a binary file".to_owned()
        }
        _ => {
            let name = format.short_name().unwrap_or(format.name());
            format!("a binary file ({name}{})", kind_suffix(format.kind()))
        }
    })
}

fn kind_suffix(kind: Kind) -> &'static str {
    match kind {
        Kind::Image => " image",
        Kind::Executable => " executable",
        Kind::Archive | Kind::Compressed => " archive",
        _ => "",
    }
}

/// Whether too much of it is no character, or one that no text holds.
fn is_strange(head: &[u8]) -> bool {
    let (encoding, mark) = Encoding::detect(head);
    let mut text = Vec::new();
    let rest = &head[mark.min(head.len())..];
    if let Progress::Malformed(_) = Transcoder::new(encoding).push(rest, &mut text) {
        // Two zero bytes at the right places look like UTF-16 until the first wrong surrogate.
        return true;
    }
    let (mut characters, mut strange) = (0, 0);
    for part in text.utf8_chunks() {
        characters += part.valid().chars().count() + part.invalid().len();
        strange += part.valid().chars().filter(is_control).count() + part.invalid().len();
        if part.valid().contains('\0') {
            return true;
        }
    }
    strange * 100 > characters * STRANGE_PERCENT_MAX
}

fn is_control(ch: &char) -> bool {
    ch.is_control() && !matches!(ch, '\t' | '\n' | '\r' | '\u{85}' | '\x1b')
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
    fn text_in_an_old_encoding_is_text() {
        assert_eq!(describe(b"name: caf\xe9 au lait\n"), None);
        assert_eq!(describe("\u{442}\u{435}\u{43a}\u{441}\u{442}".as_bytes()), None);
        let utf16: Vec<u8> = "a: b".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(describe(&utf16), None);
        assert_eq!(describe(b""), None);
    }

    #[test]
    fn noise_is_binary() {
        // A linear congruential generator: noise, but the same each time.
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

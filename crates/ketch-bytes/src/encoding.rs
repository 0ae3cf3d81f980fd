//! Detects the encoding of a stream and transcodes it to UTF-8 (YAML 1.2.2, section 5.2).

use std::fmt;

/// The encodings that a YAML stream may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8, the only encoding that is parsed without transcoding.
    Utf8,
    /// UTF-16, little endian.
    Utf16Le,
    /// UTF-16, big endian.
    Utf16Be,
    /// UTF-32, little endian.
    Utf32Le,
    /// UTF-32, big endian.
    Utf32Be,
}

impl Encoding {
    /// Detects the encoding of a stream from `start`, its first bytes, of which at most four are
    /// needed. Returns the encoding and the length of the byte order mark in bytes, which is 0 if
    /// there is no mark.
    ///
    /// Without a byte order mark, the first character must be ASCII, as in the table of section
    /// 5.2; then the zero bytes around it show whether the stream is UTF-16 or UTF-32.
    ///
    /// ```
    /// use ketch_bytes::encoding::Encoding;
    /// assert_eq!(Encoding::detect(b"a: 1"), (Encoding::Utf8, 0));
    /// assert_eq!(Encoding::detect(b"a\0:\0"), (Encoding::Utf16Le, 0));
    /// assert_eq!(Encoding::detect(b"\xFE\xFF\0a"), (Encoding::Utf16Be, 2));
    /// ```
    #[inline]
    pub fn detect(start: &[u8]) -> (Encoding, usize) {
        // Nearly all streams start with four ASCII characters other than NUL.
        if let [1..=0x7F, 1..=0x7F, 1..=0x7F, 1..=0x7F, ..] = start {
            return (Encoding::Utf8, 0);
        }
        Encoding::detect_rare(start)
    }

    /// Does the same as [`Encoding::detect`] for a stream that does not start with four ASCII
    /// characters other than NUL.
    #[cold]
    fn detect_rare(start: &[u8]) -> (Encoding, usize) {
        match *start {
            [0, 0, 0xFE, 0xFF, ..] => (Encoding::Utf32Be, 4),
            [0xFF, 0xFE, 0, 0, ..] => (Encoding::Utf32Le, 4),
            [0, 0, 0, 1..=255, ..] => (Encoding::Utf32Be, 0),
            [1..=255, 0, 0, 0, ..] => (Encoding::Utf32Le, 0),
            [0xFE, 0xFF, ..] => (Encoding::Utf16Be, 2),
            [0xFF, 0xFE, ..] => (Encoding::Utf16Le, 2),
            [0, 1..=255, ..] => (Encoding::Utf16Be, 0),
            [1..=255, 0, ..] => (Encoding::Utf16Le, 0),
            [0xEF, 0xBB, 0xBF, ..] => (Encoding::Utf8, 3),
            _ => (Encoding::Utf8, 0),
        }
    }

    /// Returns the size of a code unit of the encoding in bytes.
    pub fn unit_bytes(self) -> usize {
        match self {
            Encoding::Utf8 => 1,
            Encoding::Utf16Le | Encoding::Utf16Be => 2,
            Encoding::Utf32Le | Encoding::Utf32Be => 4,
        }
    }

    /// Returns the usual name of the encoding, such as `UTF-16LE`.
    pub fn name(self) -> &'static str {
        match self {
            Encoding::Utf8 => "UTF-8",
            Encoding::Utf16Le => "UTF-16LE",
            Encoding::Utf16Be => "UTF-16BE",
            Encoding::Utf32Le => "UTF-32LE",
            Encoding::Utf32Be => "UTF-32BE",
        }
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The result of [`Transcoder::push`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// All complete characters of the input were transcoded. They take this many bytes of the
    /// input.
    Used(usize),
    /// The character at this offset of the input is malformed.
    Malformed(usize),
}

/// Transcodes UTF-16 or UTF-32 to UTF-8. The input may be passed in pieces of any size.
#[derive(Clone, Debug)]
pub struct Transcoder {
    encoding: Encoding,
}

impl Transcoder {
    /// Creates a transcoder from `encoding` to UTF-8. If `encoding` is UTF-8, the transcoder copies
    /// its input without checking it.
    pub fn new(encoding: Encoding) -> Self {
        Transcoder { encoding }
    }

    /// Transcodes the complete characters at the start of `input`, and appends them to `out`. At
    /// most three bytes at the end of `input` are not used, because their character is incomplete.
    /// Pass them again at the start of the next input; if there is none, they are malformed.
    pub fn push(&mut self, input: &[u8], out: &mut Vec<u8>) -> Progress {
        if self.encoding == Encoding::Utf8 {
            out.extend_from_slice(input);
            return Progress::Used(input.len());
        }
        let mut at = 0;
        while let Some((code, used)) = self.next(&input[at..]) {
            let Some(ch) = char::from_u32(code) else { return Progress::Malformed(at) };
            let mut utf8 = [0; 4];
            out.extend_from_slice(ch.encode_utf8(&mut utf8).as_bytes());
            at += used;
        }
        Progress::Used(at)
    }

    /// Returns the first code point of `input` and its length in bytes, or `None` if `input` ends
    /// before the code point does. An unpaired surrogate is returned as a code point of its own.
    fn next(&self, input: &[u8]) -> Option<(u32, usize)> {
        let unit16 = |at: usize| -> Option<u32> {
            let pair = *input.get(at..)?.first_chunk()?;
            Some(u32::from(match self.encoding {
                Encoding::Utf16Be => u16::from_be_bytes(pair),
                _ => u16::from_le_bytes(pair),
            }))
        };
        match self.encoding {
            Encoding::Utf32Le => Some((u32::from_le_bytes(*input.first_chunk()?), 4)),
            Encoding::Utf32Be => Some((u32::from_be_bytes(*input.first_chunk()?), 4)),
            _ => {
                let high = unit16(0)?;
                if !(0xD800..0xDC00).contains(&high) {
                    return Some((high, 2));
                }
                let low = unit16(2)?;
                if !(0xDC00..0xE000).contains(&low) {
                    return Some((high, 2));
                }
                Some((0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00), 4))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "a: \u{e9}\u{20ac}\u{1f30a}\n";

    fn encode(encoding: Encoding) -> Vec<u8> {
        let utf16 = TEXT.encode_utf16();
        match encoding {
            Encoding::Utf8 => TEXT.into(),
            Encoding::Utf16Le => utf16.flat_map(u16::to_le_bytes).collect(),
            Encoding::Utf16Be => utf16.flat_map(u16::to_be_bytes).collect(),
            Encoding::Utf32Le => TEXT.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect(),
            Encoding::Utf32Be => TEXT.chars().flat_map(|c| u32::from(c).to_be_bytes()).collect(),
        }
    }

    #[test]
    fn detects_and_transcodes_at_every_cut() {
        use Encoding::*;
        for encoding in [Utf8, Utf16Le, Utf16Be, Utf32Le, Utf32Be] {
            let bytes = encode(encoding);
            assert_eq!(Encoding::detect(&bytes), (encoding, 0));
            for cut in 0..=bytes.len() {
                let mut out = Vec::new();
                let mut transcoder = Transcoder::new(encoding);
                let Progress::Used(used) = transcoder.push(&bytes[..cut], &mut out) else {
                    panic!("{encoding} cut at {cut}: malformed");
                };
                let rest = transcoder.push(&bytes[used..], &mut out);
                assert_eq!(rest, Progress::Used(bytes.len() - used), "{encoding} cut at {cut}");
                assert_eq!(out, TEXT.as_bytes(), "{encoding} cut at {cut}");
            }
        }
    }

    #[test]
    fn byte_order_marks_take_precedence_over_zero_bytes() {
        assert_eq!(Encoding::detect(&[0xFF, 0xFE, 0, 0]), (Encoding::Utf32Le, 4));
        assert_eq!(Encoding::detect(&[0xFF, 0xFE, b'a', 0]), (Encoding::Utf16Le, 2));
        assert_eq!(Encoding::detect(&[0xEF, 0xBB, 0xBF, b'a']), (Encoding::Utf8, 3));
        assert_eq!(Encoding::detect(&[]), (Encoding::Utf8, 0));
    }

    #[test]
    fn lone_surrogates_are_malformed() {
        let mut out = Vec::new();
        let bytes = [b'a', 0, 0x00, 0xD8, b'b', 0];
        assert_eq!(
            Transcoder::new(Encoding::Utf16Le).push(&bytes, &mut out),
            Progress::Malformed(2)
        );
        assert_eq!(out, b"a");
    }
}

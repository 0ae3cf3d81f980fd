//! Strings stored inline if they are short, as most keys and scalars are.

use std::fmt;
use std::ops::Deref;

/// The number of bytes that a [`ShortString`] stores inline.
pub const SHORT_MAX: usize = 24;

/// A string that is stored inline if it has at most 24 bytes.
///
/// An inline string is stored as whole words, because storing smaller pieces and loading them as
/// words would cause store-forwarding stalls. The representation has a niche, so an
/// `Option<ShortString>` takes 32 bytes, too.
///
/// ```
/// use ketch_bytes::string::ShortString;
///
/// let text = ShortString::from("mizzen");
/// assert_eq!(&*text, "mizzen");
/// assert_eq!(size_of::<Option<ShortString>>(), 32);
/// ```
#[derive(Clone)]
pub struct ShortString(Repr);

#[derive(Clone)]
enum Repr {
    /// In memory order, the first `len` bytes of `words` are the text; the others are arbitrary.
    Short {
        len: u8,
        words: [u64; SHORT_MAX / 8],
    },
    Long(Box<str>),
}

impl ShortString {
    /// Creates an empty string.
    #[must_use]
    pub const fn new() -> ShortString {
        ShortString(Repr::Short { len: 0, words: [0; SHORT_MAX / 8] })
    }

    /// Creates a string from `part` if the part has at most 24 bytes, and starts at least 24 bytes
    /// before the end of its text. Returns `None` otherwise.
    ///
    /// This always copies 24 bytes, even if the part is shorter, because a copy whose length is not
    /// known at compile time would cost an unpredictable branch.
    #[inline(always)]
    #[must_use]
    pub fn of_short(part: Part<'_>) -> Option<ShortString> {
        let bytes = part.wide.first_chunk::<SHORT_MAX>()?;
        if part.len > SHORT_MAX {
            return None;
        }
        Some(ShortString::of_bytes(part.len, bytes))
    }

    /// Creates a short string from the first `len` of `bytes`, which must be valid UTF-8.
    #[inline(always)]
    fn of_bytes(len: usize, bytes: &[u8; SHORT_MAX]) -> ShortString {
        let word = |at: usize| {
            let mut word = [0; 8];
            word.copy_from_slice(&bytes[8 * at..8 * at + 8]);
            u64::from_ne_bytes(word)
        };
        ShortString(Repr::Short { len: len as u8, words: [word(0), word(1), word(2)] })
    }

    /// Returns the string as a slice.
    #[inline]
    #[must_use]
    pub fn as_str(&self) -> &str {
        match &self.0 {
            Repr::Short { len, words } => {
                let len = usize::from(*len).min(SHORT_MAX);
                // SAFETY: the words have `SHORT_MAX` bytes, all of which are initialized. The first
                // `len` of them were copied from a `str` and have not been changed since.
                unsafe {
                    let bytes = std::slice::from_raw_parts(words.as_ptr().cast::<u8>(), len);
                    std::str::from_utf8_unchecked(bytes)
                }
            }
            Repr::Long(text) => text,
        }
    }

    /// Converts the string to a `String`. This allocates if the string is stored inline.
    #[must_use]
    pub fn into_string(self) -> String {
        match self.0 {
            Repr::Short { .. } => self.as_str().to_owned(),
            Repr::Long(text) => text.into_string(),
        }
    }
}

/// Returns the bytes of `text` as words, each with its first byte as the lowest one, padded with
/// zeros. Returns `None` if there are more than [`SHORT_MAX`] bytes.
///
/// The words are combined in registers from loads that may overlap, because copying the bytes to
/// memory and loading them from there would cause a store-forwarding stall.
///
/// ```
/// use ketch_bytes::string::words;
///
/// assert_eq!(words(b"mizzen-mast"), Some([u64::from_le_bytes(*b"mizzen-m"), 0x747361, 0]));
/// ```
#[inline(always)]
#[must_use]
pub fn words(text: &[u8]) -> Option<[u64; SHORT_MAX / 8]> {
    /// Returns `word`, the last eight bytes of a text of `len` bytes, without the bytes that are
    /// among the first `before` bytes of the text.
    #[inline(always)]
    fn after(word: [u8; 8], before: usize, len: usize) -> u64 {
        let known = 8 * (before + 8 - len) as u32;
        u64::from_le_bytes(word).checked_shr(known).unwrap_or(0)
    }
    let len = text.len();
    if let (Some(first), Some(&last)) = (text.first_chunk::<16>(), text.last_chunk()) {
        let [a, b] = [first.first_chunk(), first.last_chunk()];
        let [a, b] = [a?, b?].map(|word| u64::from_le_bytes(*word));
        return (len <= SHORT_MAX).then(|| [a, b, after(last, 16, len)]);
    }
    if let (Some(&first), Some(&last)) = (text.first_chunk(), text.last_chunk()) {
        return Some([u64::from_le_bytes(first), after(last, 8, len), 0]);
    }
    if let (Some(&first), Some(&last)) = (text.first_chunk(), text.last_chunk()) {
        let last = u64::from(u32::from_le_bytes(last)) << (8 * (len - 4));
        return Some([u64::from(u32::from_le_bytes(first)) | last, 0, 0]);
    }
    let Some(&first) = text.first() else { return Some([0; 3]) };
    let at = |at: usize| u64::from(text[at]) << (8 * at);
    Some([u64::from(first) | at(len / 2) | at(len - 1), 0, 0])
}

impl Default for ShortString {
    fn default() -> ShortString {
        ShortString::new()
    }
}

impl Deref for ShortString {
    type Target = str;

    #[inline]
    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl From<&str> for ShortString {
    fn from(text: &str) -> ShortString {
        if text.len() > SHORT_MAX {
            return ShortString(Repr::Long(text.into()));
        }
        let mut bytes = [0; SHORT_MAX];
        bytes[..text.len()].copy_from_slice(text.as_bytes());
        ShortString::of_bytes(text.len(), &bytes)
    }
}

impl From<String> for ShortString {
    fn from(text: String) -> ShortString {
        match text.len() {
            0..=SHORT_MAX => (*text).into(),
            _ => ShortString(Repr::Long(text.into_boxed_str())),
        }
    }
}

impl fmt::Debug for ShortString {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

/// A part of a text. It can also access the text after the part.
///
/// ```
/// use ketch_bytes::string::Part;
///
/// let part = Part::new("name: ketch", 6, 11).unwrap();
/// assert_eq!(&*part, "ketch");
/// assert!(Part::new("name: ketch", 6, 12).is_none());
/// ```
#[derive(Clone, Copy)]
pub struct Part<'t> {
    /// The text from the start of the part to the end of the whole text.
    wide: &'t [u8],
    /// The length of the part in bytes.
    len: usize,
}

impl<'t> Part<'t> {
    /// Returns the part of `text` from offset `start` to `end`, or `None` if one of these is out of
    /// range or not at a character boundary.
    #[inline(always)]
    #[must_use]
    pub fn new(text: &'t str, start: usize, end: usize) -> Option<Part<'t>> {
        let part = text.get(start..end)?;
        Some(Part { wide: &text.as_bytes()[start..], len: part.len() })
    }

    /// Returns the part as a slice.
    #[inline(always)]
    #[must_use]
    pub fn as_str(self) -> &'t str {
        let text = &self.wide[..self.len];
        // SAFETY: a `Part` is only created from a `str`, and these are the bytes of a slice of it.
        unsafe { std::str::from_utf8_unchecked(text) }
    }
}

impl<'t> From<&'t str> for Part<'t> {
    #[inline]
    fn from(text: &'t str) -> Part<'t> {
        Part { wide: text.as_bytes(), len: text.len() }
    }
}

impl Deref for Part<'_> {
    type Target = str;

    #[inline(always)]
    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl PartialEq for Part<'_> {
    fn eq(&self, other: &Part<'_>) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for Part<'_> {}

impl fmt::Debug for Part<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "J\u{f3}se and the \u{1f6a2}: twenty-four bytes, and a few more of them";

    #[test]
    fn strings_of_every_length_keep_their_text() {
        for start in 0..=TEXT.len() {
            for end in 0..TEXT.len() + 2 {
                let part = Part::new(TEXT, start, end);
                assert_eq!(part.map(Part::as_str), TEXT.get(start..end));
                let Some(part) = part else { continue };
                let (text, short) = (part.as_str(), ShortString::of_short(part));
                let is_short = text.len() <= SHORT_MAX && start + SHORT_MAX <= TEXT.len();
                assert_eq!(short.is_some(), is_short);
                for string in short.into_iter().chain([text.into(), String::from(text).into()]) {
                    assert_eq!(string.as_str(), text);
                    assert_eq!(string.clone().into_string(), text);
                    assert_eq!(format!("{string:?}"), format!("{text:?}"));
                }
            }
        }
    }

    #[test]
    fn words_of_every_length_are_loaded() {
        for len in 0..TEXT.len() {
            let text = &TEXT.as_bytes()[..len];
            let mut bytes = [0; SHORT_MAX];
            let expected = (len <= SHORT_MAX).then(|| {
                bytes[..len].copy_from_slice(text);
                let (words, _) = bytes.as_chunks();
                std::array::from_fn(|at| u64::from_le_bytes(words[at]))
            });
            assert_eq!(words(text), expected, "{len}");
        }
    }

    #[test]
    fn short_strings_take_32_bytes() {
        assert_eq!(size_of::<ShortString>(), 32);
        assert_eq!(size_of::<Option<Option<ShortString>>>(), 32);
        assert_eq!(&*ShortString::default(), "");
    }
}

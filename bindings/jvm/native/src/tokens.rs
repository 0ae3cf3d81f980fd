//! Tokens: values in postorder, as 64-bit words. `Token.java` has the same numbers.
//!
//! | bits of the first word | field |
//! |---|---|
//! | 0..8 | kind |
//! | 8..32 | length of a text in bytes; all ones if it is in a second word |
//! | 32..64 | offset of a text, key slot, number of an anchor |
//!
//! The ends of collections, and small integers, use bits 8..64 for a number. A token removes values
//! from the top of the reader's stack and pushes one, so that neither side has to recurse.

use encoding_rs::mem::convert_utf8_to_utf16;
use ketch_bytes::string::{self, SHORT_MAX};

/// The number of key slots.
pub const KEY_SLOTS: usize = 2048;

/// The length in the first word if the actual length is in the second word.
const LONG: u64 = (1 << 24) - 1;

/// The kinds of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// The end of a document, whose value is on the stack.
    End = 0,
    /// ASCII text in the input.
    Ascii = 1,
    /// UTF-8 text in the input.
    Utf8 = 2,
    /// ASCII text that is not in the input, but in [`Tokens::kept`].
    KeptAscii = 3,
    /// UTF-8 text that is not in the input, but in [`Tokens::kept`].
    KeptUtf8 = 4,
    /// The key that is stored in a slot.
    Key = 5,
    /// Stores the text on top of the stack as a key in a slot.
    Define = 6,
    Null = 7,
    True = 8,
    False = 9,
    /// An integer that fits into 56 bits.
    Int = 10,
    /// An integer, which is in the second word.
    Long = 11,
    /// A float, which is in the second word.
    Float = 12,
    /// A sequence that consists of the topmost values.
    Sequence = 13,
    /// A mapping that consists of the topmost pairs.
    Mapping = 14,
    /// An integer whose digits are the text on top of the stack. Their base is in bits 8..16, and
    /// bit 16 is the sign. If the base is 0, the text is a decimal.
    BigInt = 15,
    /// Bytes, which are in [`Tokens::kept`].
    Binary = 16,
    /// A timestamp. The seconds are in the second word, the nanoseconds in the low half of the
    /// third word, and the minutes of the offset in its high half. Bits 8.. are 0 with an offset, 1
    /// without one, and 2 for a date without a time.
    Timestamp = 17,
    /// A tagged value, which consists of the two topmost values: the tag and the value.
    Tagged = 18,
    /// Makes the value on top of the stack the value of an anchor.
    Anchor = 19,
    /// The value of an anchor, for an alias.
    Alias = 20,
    /// An empty sequence, which is filled later.
    OpenSequence = 21,
    /// An empty mapping, which is filled later.
    OpenMapping = 22,
    /// Adds the topmost values to the sequence below them, which was empty.
    FillSequence = 23,
    /// Adds the topmost pairs to the mapping below them, which was empty.
    FillMapping = 24,
    /// Discards all values so far, because the stream starts again.
    Restart = 25,
    /// Text in UTF-16, which is in [`Tokens::wide`]. Its offset and length are in code units.
    Wide = 26,
    /// The location of the value on top of the stack: its offset in the second word, and its length
    /// in the third.
    Position = 27,
}

/// The maximum length in bytes of a text that is passed in UTF-16, because Java decodes UTF-8
/// slowly.
const WIDE_BYTES: usize = 1 << 16;

/// The tokens of a chunk, and their texts that are not in the input.
#[derive(Debug)]
pub struct Tokens {
    pub words: Vec<u64>,
    pub kept: Vec<u8>,
    pub wide: Vec<u16>,
    keys: Box<[Slot; KEY_SLOTS]>,
    /// The address of the input and its length.
    input: (usize, usize),
    is_ascii: bool,
    /// Whether no text is passed in UTF-16.
    pub only_utf8: bool,
}

/// A key that the reader knows by its slot. It is not longer than a short string.
#[derive(Clone, Copy, Debug)]
struct Slot {
    len: usize,
    words: [u64; SHORT_MAX / 8],
}

/// A slot without a key: no key has this length.
const EMPTY: Slot = Slot { len: usize::MAX, words: [0; SHORT_MAX / 8] };

impl Tokens {
    /// Creates a chunk that has no tokens and no keys.
    pub fn new() -> Tokens {
        Tokens {
            words: Vec::new(),
            kept: Vec::new(),
            wide: Vec::new(),
            keys: Box::new([EMPTY; KEY_SLOTS]),
            input: (0, 0),
            is_ascii: false,
            only_utf8: false,
        }
    }

    /// Removes all tokens and texts, but keeps the keys.
    pub fn clear(&mut self) {
        self.words.clear();
        self.kept.clear();
        self.wide.clear();
    }

    /// Forgets the keys, because tokens that define them for the reader were lost.
    pub fn forget_keys(&mut self) {
        self.keys.fill(EMPTY);
    }

    /// Sets the input. ASCII texts that are slices of it are not copied.
    pub fn set_input(&mut self, input: &[u8]) {
        self.input = (input.as_ptr() as usize, input.len());
        self.is_ascii = input.is_ascii();
    }

    /// Pushes a token that has no number.
    #[inline(always)]
    pub fn push(&mut self, kind: Kind) {
        self.words.push(kind as u64);
    }

    /// Pushes a token with a number, which must fit into 56 bits.
    #[inline(always)]
    pub fn push_with(&mut self, kind: Kind, number: usize) {
        self.words.push(kind as u64 | (number as u64) << 8);
    }

    /// Pushes an integer.
    #[inline(always)]
    pub fn int(&mut self, value: i64) {
        if value << 8 >> 8 == value {
            self.words.push(Kind::Int as u64 | (value as u64) << 8);
        } else {
            self.words.push(Kind::Long as u64);
            self.words.push(value as u64);
        }
    }

    /// Pushes a float.
    #[inline(always)]
    pub fn float(&mut self, value: f64) {
        self.words.push(Kind::Float as u64);
        self.words.push(value.to_bits());
    }

    /// Pushes a text. If it is ASCII and part of the input, only its position is pushed; otherwise,
    /// it is copied, unless it is long.
    #[inline(always)]
    pub fn text(&mut self, text: &[u8]) {
        let offset = (text.as_ptr() as usize).wrapping_sub(self.input.0);
        if offset < self.input.1 && (self.is_ascii || is_ascii(text)) {
            self.span(Kind::Ascii, offset, text.len());
        } else {
            self.other_text(text, offset);
        }
    }

    /// Pushes a text that is not ASCII, or not in the input.
    #[inline(never)]
    fn other_text(&mut self, text: &[u8], offset: usize) {
        if is_ascii(text) {
            self.kept_text(Kind::KeptAscii, text);
        } else if !self.only_utf8 && text.len() <= WIDE_BYTES {
            self.wide_text(text);
        } else if offset < self.input.1 {
            self.span(Kind::Utf8, offset, text.len());
        } else {
            self.kept_text(Kind::KeptUtf8, text);
        }
    }

    /// Pushes a text, whose bytes are copied to `kept`.
    fn kept_text(&mut self, kind: Kind, text: &[u8]) {
        self.span(kind, self.kept.len(), text.len());
        self.kept.extend_from_slice(text);
    }

    /// Pushes a text, which is converted to UTF-16 and stored in `wide`.
    fn wide_text(&mut self, text: &[u8]) {
        let start = self.wide.len();
        // The conversion needs space for two code units more than there are bytes.
        self.wide.resize(start + text.len() + 2, 0);
        let len = convert_utf8_to_utf16(text, &mut self.wide[start..]);
        self.wide.truncate(start + len);
        self.span(Kind::Wide, start, len);
    }

    /// Pushes bytes, which are copied to `kept`.
    pub fn binary(&mut self, bytes: &[u8]) {
        self.span(Kind::Binary, self.kept.len(), bytes.len());
        self.kept.extend_from_slice(bytes);
    }

    /// Pushes a token that has an offset and a length.
    #[inline(always)]
    fn span(&mut self, kind: Kind, offset: usize, len: usize) {
        let len = len as u64;
        let first = kind as u64 | (offset as u64) << 32;
        if len < LONG {
            self.words.push(first | len << 8);
        } else {
            self.words.push(first | LONG << 8);
            self.words.push(len);
        }
    }

    /// Pushes the slot of a key if the reader knows the key, and otherwise its text. Returns
    /// whether the key was stored in a slot.
    #[inline(always)]
    pub fn key(&mut self, text: &[u8]) -> bool {
        let Some(words) = string::words(text) else {
            self.text(text);
            return false;
        };
        let slot = Slot { len: text.len(), words };
        let at = slot.place();
        if self.keys[at].is(slot) {
            self.words.push(Kind::Key as u64 | (at as u64) << 32);
            false
        } else {
            self.define(text, at, slot);
            true
        }
    }

    /// Pushes a key as text, and stores it in a slot.
    #[inline(never)]
    fn define(&mut self, text: &[u8], at: usize, slot: Slot) {
        self.keys[at] = slot;
        self.text(text);
        self.words.push(Kind::Define as u64 | (at as u64) << 32);
    }

    /// Pushes the location of the value on top of the stack.
    pub fn position(&mut self, offset: usize, len: usize) {
        self.words.extend([Kind::Position as u64, offset as u64, len as u64]);
    }

    /// Pushes an anchor or an alias.
    pub fn anchor(&mut self, kind: Kind, number: u32) {
        self.words.push(kind as u64 | u64::from(number) << 32);
    }
}

impl Slot {
    /// Returns whether both are the same key. This takes no branch for each word.
    #[inline(always)]
    fn is(&self, other: Slot) -> bool {
        let [a, b, c] = std::array::from_fn(|at| self.words[at] ^ other.words[at]);
        (a | b | c | (self.len ^ other.len) as u64) == 0
    }

    /// Returns the index of the slot for the key. The products do not depend on each other, so they
    /// are computed in parallel.
    #[inline(always)]
    fn place(&self) -> usize {
        const FACTORS: [u64; SHORT_MAX / 8] =
            [0x9e37_79b9_7f4a_7c15, 0xc2b2_ae3d_27d4_eb4f, 0x1656_67b1_9e37_79f9];
        let [a, b, c] = std::array::from_fn(|at| self.words[at].wrapping_mul(FACTORS[at]));
        let hash = a ^ b.rotate_left(7) ^ c.rotate_left(13) ^ (self.len as u64) << 56;
        (hash >> 53) as usize
    }
}

/// Returns whether a text is ASCII. This is fast for short texts, which most texts are.
#[inline(always)]
fn is_ascii(text: &[u8]) -> bool {
    const HIGH: u64 = 0x8080_8080_8080_8080;
    match string::words(text) {
        Some([a, b, c]) => (a | b | c) & HIGH == 0,
        None => text.is_ascii(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_defined_once() {
        let input = b"port";
        let mut tokens = Tokens::new();
        tokens.set_input(input);
        tokens.key(input);
        tokens.key(b"port");
        let slot = tokens.words[1] >> 32;
        assert_eq!(tokens.words[0], Kind::Ascii as u64 | 4 << 8);
        assert_eq!(
            tokens.words[1..],
            [Kind::Define as u64 | slot << 32, Kind::Key as u64 | slot << 32]
        );
    }

    #[test]
    fn text_that_is_not_in_the_input_is_kept() {
        let mut tokens = Tokens::new();
        tokens.set_input(b"");
        tokens.text(b"xy");
        tokens.text(&vec![b'x'; 1 << 24]);
        let long = Kind::KeptAscii as u64 | LONG << 8 | 2 << 32;
        assert_eq!(tokens.words, [Kind::KeptAscii as u64 | 2 << 8, long, 1 << 24]);
        assert_eq!(tokens.kept.len(), 2 + (1 << 24));
    }

    #[test]
    fn text_that_is_not_ascii_may_be_wide() {
        let input = "a: größe\n".as_bytes();
        let mut tokens = Tokens::new();
        tokens.set_input(input);
        tokens.text(&input[..1]);
        tokens.text(&input[3..10]);
        tokens.text("\u{1f600}".as_bytes());
        tokens.text("é".repeat(WIDE_BYTES).as_bytes());
        let wide = Kind::Wide as u64;
        let kept = Kind::KeptUtf8 as u64 | (2 * WIDE_BYTES as u64) << 8;
        assert_eq!(
            tokens.words,
            [Kind::Ascii as u64 | 1 << 8, wide | 5 << 8, wide | 2 << 8 | 5 << 32, kept]
        );
        assert_eq!(String::from_utf16_lossy(&tokens.wide), "größe\u{1f600}");
    }

    #[test]
    fn integers_take_one_word_if_they_fit() {
        let mut tokens = Tokens::new();
        tokens.int(-1);
        tokens.int(i64::MIN);
        assert_eq!(tokens.words, [u64::MAX << 8 | 10, 11, 1 << 63]);
    }
}

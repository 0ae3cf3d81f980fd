//! The interface between algorithms and instruction sets, whose operations take 64 bytes and return
//! masks of 64 bits.

use crate::level::Kernel;
use crate::string::words;

/// The number of bytes in a block. Bit `i` of a mask describes byte `i`.
pub const BLOCK_BYTES: usize = 64;

/// Vector comparisons of the bytes of a block of 64 bytes.
///
/// A value of an implementing type proves that the processor has the instructions that the type
/// uses. Only [`dispatch`](crate::dispatch) creates such values. All methods except `store` and
/// `outline` are pure, so after inlining, a mask that is not used costs nothing.
pub trait Lanes: Copy {
    /// A block of 64 bytes in registers.
    type Block: Copy;

    /// Loads `bytes`, which need no alignment, as a block.
    fn load(self, bytes: &[u8; BLOCK_BYTES]) -> Self::Block;

    /// Returns a block of the 24 bytes of `words`, each with its lowest byte first, padded with
    /// zeros.
    #[inline(always)]
    fn load_words(self, words: [u64; 3]) -> Self::Block {
        let mut bytes = [0; BLOCK_BYTES];
        for (place, word) in bytes.as_chunks_mut().0.iter_mut().zip(words) {
            *place = word.to_le_bytes();
        }
        self.load(&bytes)
    }

    /// Returns a block of the first 64 bytes of `text`, padded with zeros.
    #[inline(always)]
    fn load_text(self, text: &[u8]) -> Self::Block {
        if let Some(words) = words(text) {
            return self.load_words(words);
        }
        let mut bytes = [0; BLOCK_BYTES];
        let len = text.len().min(BLOCK_BYTES);
        bytes[..len].copy_from_slice(&text[..len]);
        self.load(&bytes)
    }

    /// Stores `block` in `bytes`, which need no alignment.
    fn store(self, block: Self::Block, bytes: &mut [u8; BLOCK_BYTES]);

    /// Returns a mask of the bytes of `block` that equal `byte`.
    fn eq(self, block: Self::Block, byte: u8) -> u64;

    /// Returns a mask of the bytes of `block` that equal any of `bytes`.
    fn eq_any<const N: usize>(self, block: Self::Block, bytes: [u8; N]) -> u64;

    /// Returns a mask of the bytes of `block` that are at most `byte` as unsigned numbers.
    fn le(self, block: Self::Block, byte: u8) -> u64;

    /// Returns a mask of the bytes of `block` that are not ASCII.
    fn non_ascii(self, block: Self::Block) -> u64;

    /// Returns the elements of `bytes` in another order: element `i` of the result is the one at
    /// `order[i] & 15` in `bytes`.
    ///
    /// If the instruction set has no such instruction, the bytes are moved one by one.
    #[inline(always)]
    fn shuffle(self, bytes: [u8; 16], order: &[u8; 16]) -> [u8; 16] {
        order.map(|from| bytes[usize::from(from & 15)])
    }

    /// Runs `kernel` with these lanes in a function that is not inlined, so that rare code does not
    /// take registers from the loop around it. A plain call would be compiled without the
    /// instruction set.
    fn outline<K: Kernel>(self, kernel: K) -> K::Output;
}

/// The last bytes of a text, up to 64 of them, followed by at least 64 line feeds. So the end of
/// the text looks like the end of a line, and a block can be loaded at every offset.
#[derive(Clone, Debug)]
pub struct Tail {
    bytes: [u8; 2 * BLOCK_BYTES],
    /// The offset in the text of the first byte of `bytes`.
    start: usize,
}

impl Tail {
    /// Returns the tail of `text`.
    #[inline]
    pub fn of(text: &[u8]) -> Tail {
        let start = text.len().saturating_sub(BLOCK_BYTES);
        let last = &text[start..];
        let mut bytes = [b'\n'; 2 * BLOCK_BYTES];
        bytes[..last.len()].copy_from_slice(last);
        Tail { bytes, start }
    }

    /// Returns the block at offset `pos` of the text. The text must have fewer than 64 bytes from
    /// there on.
    #[inline(always)]
    fn block(&self, pos: usize) -> &[u8; BLOCK_BYTES] {
        let at = pos.wrapping_sub(self.start).min(BLOCK_BYTES);
        self.bytes[at..].first_chunk().unwrap_or(&[b'\n'; BLOCK_BYTES])
    }
}

/// Returns the 64 bytes from offset `pos` of `text`, whose tail is `tail`. Bytes after the end of
/// the text are line feeds. `pos` may have any value.
#[inline(always)]
pub fn block_at<'t>(text: &'t [u8], tail: &'t Tail, pos: usize) -> &'t [u8; BLOCK_BYTES] {
    match text.get(pos..).and_then(|rest| rest.first_chunk()) {
        Some(block) => block,
        None => tail.block(pos),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::{Level, dispatch};
    use proptest::prelude::*;

    struct AllMasks<'a>(&'a [u8], usize);

    impl Kernel for AllMasks<'_> {
        type Output = [u64; 8];

        #[inline(always)]
        fn run<L: Lanes>(self, lanes: L) -> [u64; 8] {
            let tail = Tail::of(self.0);
            let block = lanes.load(block_at(self.0, &tail, self.1));
            [
                lanes.eq(block, b':'),
                lanes.eq(block, 0xFF),
                lanes.eq_any(block, [b',', b'[', b']', b'{', b'}']),
                lanes.eq_any(block, [0x80]),
                lanes.le(block, b' '),
                lanes.le(block, 0x7F),
                lanes.le(block, 0x80),
                lanes.non_ascii(block),
            ]
        }
    }

    /// Checks that each level computes the same masks of the block at `pos` of `bytes` as a loop
    /// over the bytes.
    fn agrees(bytes: &[u8], pos: usize) {
        let byte = |i: usize| bytes.get(pos + i).copied().unwrap_or(b'\n');
        let mask = |test: &dyn Fn(u8) -> bool| -> u64 {
            (0..BLOCK_BYTES).map(|i| u64::from(test(byte(i))) << i).sum()
        };
        let expected = [
            mask(&|b| b == b':'),
            mask(&|b| b == 0xFF),
            mask(&|b| b",[]{}".contains(&b)),
            mask(&|b| b == 0x80),
            mask(&|b| b <= b' '),
            mask(&|b| b <= 0x7F),
            mask(&|b| b <= 0x80),
            mask(&|b| b > 0x7F),
        ];
        for level in Level::available() {
            assert_eq!(dispatch(level, AllMasks(bytes, pos)), expected, "{level} at {pos}");
        }
    }

    #[test]
    fn comparisons_find_every_byte_in_every_lane() {
        let bytes: Vec<u8> = (0..=255).collect();
        let step = if cfg!(miri) { 61 } else { 1 };
        (0..300).step_by(step).for_each(|pos| agrees(&bytes, pos));
    }

    struct WordMasks([u64; 3]);

    impl Kernel for WordMasks {
        type Output = [u64; 2];

        #[inline(always)]
        fn run<L: Lanes>(self, lanes: L) -> [u64; 2] {
            let block = lanes.load_words(self.0);
            [lanes.eq(block, 0), lanes.le(block, b'm')]
        }
    }

    #[test]
    fn a_word_holds_the_first_bytes_of_a_block() {
        let text = b"abcdefghijklmnopqrstuvwx";
        let (words, _) = text.as_chunks();
        let words = std::array::from_fn(|at| u64::from_le_bytes(words[at]));
        for level in Level::available() {
            let masks = dispatch(level, WordMasks(words));
            assert_eq!(masks, [u64::MAX << 24, u64::MAX << 24 | 0x1FFF], "{level}");
        }
    }

    struct TextBlock<'t>(&'t [u8]);

    impl Kernel for TextBlock<'_> {
        type Output = [u8; BLOCK_BYTES];

        #[inline(always)]
        fn run<L: Lanes>(self, lanes: L) -> [u8; BLOCK_BYTES] {
            let mut bytes = [b'-'; BLOCK_BYTES];
            lanes.store(lanes.load_text(self.0), &mut bytes);
            bytes
        }
    }

    #[test]
    fn a_text_loads_as_a_block_without_reading_past_its_end() {
        // The text is allocated with exactly its length, so that the sanitizer detects a read past
        // its end.
        for len in 0..=80 {
            let text: Box<[u8]> = (1..=len).collect();
            let mut block = [0; BLOCK_BYTES];
            block.iter_mut().zip(&text).for_each(|(place, byte)| *place = *byte);
            for level in Level::available() {
                assert_eq!(dispatch(level, TextBlock(&text)), block, "{level} {len}");
            }
        }
    }

    struct Shuffle([u8; 16], [u8; 16]);

    impl Kernel for Shuffle {
        type Output = [u8; 16];

        #[inline(always)]
        fn run<L: Lanes>(self, lanes: L) -> [u8; 16] {
            lanes.shuffle(self.0, &self.1)
        }
    }

    #[test]
    fn the_scalar_level_is_always_available() {
        assert_eq!(Level::available().next(), Some(Level::Scalar));
        assert!(Level::detect().is_available());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 4 } else { 512 }))]
        #[test]
        fn all_levels_return_the_same_masks(bytes in proptest::collection::vec(any::<u8>(), 0..200), pos in 0usize..220) {
            agrees(&bytes, pos);
        }

        #[test]
        fn a_shuffle_takes_each_byte_from_its_place(bytes: [u8; 16], order: [u8; 16]) {
            let expected: [u8; 16] = std::array::from_fn(|at| bytes[usize::from(order[at]) % 16]);
            for level in Level::available() {
                prop_assert_eq!(dispatch(level, Shuffle(bytes, order)), expected, "{}", level);
            }
        }
    }
}

//! A small random number generator. Unlike a library's, it never changes, so the corpus does not
//! either.

use std::sync::LazyLock;

/// `SplitMix64`.
pub struct Random(u64);

static WORDS: LazyLock<Vec<&str>> =
    LazyLock::new(|| include_str!("../../definitions/words.txt").lines().collect());

impl Random {
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns the next random number.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number below `bound`.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    /// Returns a number from `low` to `high`, both included.
    pub fn between(&mut self, low: u64, high: u64) -> u64 {
        low + self.below(high - low + 1)
    }

    /// Returns true once in `times` calls, on average.
    pub fn once_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u64) as usize]
    }

    pub fn word(&mut self) -> &'static str {
        self.pick(&WORDS)
    }

    /// Returns `count` words with single spaces between them.
    pub fn words(&mut self, count: u64) -> String {
        (0..count).map(|_| self.word()).collect::<Vec<_>>().join(" ")
    }

    /// Returns a name that can be a key: `word-word3`.
    pub fn name(&mut self) -> String {
        format!("{}-{}{}", self.word(), self.word(), self.below(100))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generator_yields_the_published_sequence() {
        // First outputs of SplitMix64 from seed 1234567.
        let mut random = Random::new(1_234_567);
        assert_eq!(random.next(), 6_457_827_717_110_365_317);
        assert_eq!(random.next(), 3_203_168_211_198_807_973);
    }
}

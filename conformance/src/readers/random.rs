//! Random values: mostly troublesome texts, and small collections of these.

use super::Case;
use super::places::ways;
use crate::generate::{ALPHABET, Random};
use ketch::{Mapping, Value};

/// Returns `count` random documents, each written in one of the ways. Some of their texts are from
/// `texts`.
pub fn cases(count: usize, seed: u64, texts: &[String]) -> Vec<Case> {
    let ways = ways();
    let mut random = Random::new(seed);
    let mut cases = Vec::with_capacity(count);
    while cases.len() < count {
        let documents = vec![value(&mut random, texts, 3)];
        // Not every value can be written in every way.
        if let Some(text) = ways[random.below(ways.len())].written(&documents) {
            cases.push(Case { text, documents });
        }
    }
    cases
}

/// Returns a random value with at most `levels` levels of collections.
fn value(random: &mut Random, texts: &[String], levels: usize) -> Value {
    match random.below(if levels == 0 { 8 } else { 16 }) {
        0 => number(random),
        1 => [Value::Null, true.into(), false.into()][random.below(3)].clone(),
        2..8 => text(random, texts).into(),
        8..12 => (0..random.below(5)).map(|_| value(random, texts, levels - 1)).collect(),
        _ => {
            let mut pairs = Mapping::new();
            for _ in 0..random.below(5) {
                pairs.insert(text(random, texts).into(), value(random, texts, levels - 1));
            }
            // A mapping has only one such key, since languages differ in whether 1, 1.0 and true
            // are the same key.
            if random.below(4) == 0 {
                pairs.insert(number(random), value(random, texts, levels - 1));
            }
            Value::Mapping(pairs)
        }
    }
}

/// Returns a random number, which may be very large.
fn number(random: &mut Random) -> Value {
    let bits = random.number();
    let small = bits >> random.below(64);
    match random.below(4) {
        0 => (small as i64).into(),
        1 => (i128::from(bits as i64) * i128::from(small)).into(),
        2 => f64::from_bits(bits).into(),
        _ => (small as f64 / 64.0).into(),
    }
}

/// The characters that numbers, dates and times contain.
const NUMERIC: &[u8] = b"0123456789012345601010..__,:+--eExXobBTtZ ~";

/// Letters of words with a meaning.
const LETTERS: &[u8] = b"yYnNoOtTfFeEsSuUlLaAiI.~";

/// Returns a random text: one of `texts`, or characters that are often misread.
fn text(random: &mut Random, texts: &[String]) -> String {
    let length = 1 + random.below(10);
    let of = |random: &mut Random, alphabet: &[u8], length: usize| -> String {
        (0..length).map(|_| char::from(alphabet[random.below(alphabet.len())])).collect()
    };
    match random.below(8) {
        0 => texts[random.below(texts.len())].clone(),
        1 | 2 => of(random, ALPHABET, length),
        3 | 4 => of(random, NUMERIC, length),
        5 => of(random, LETTERS, 1 + length / 2),
        6 => (0..length).map(|_| character(random)).collect(),
        _ => {
            let mut words = texts[random.below(texts.len())].clone();
            for _ in 0..random.below(4) {
                words.push([' ', ':', '\n', '#', '-'][random.below(5)]);
                words += &texts[random.below(texts.len())];
            }
            words
        }
    }
}

/// Returns any character. Those of lower blocks are more frequent.
fn character(random: &mut Random) -> char {
    let end = [0x80, 0x100, 0x3000, 0x1_0000, 0x11_0000][random.below(5)];
    char::from_u32(random.below(end) as u32).unwrap_or('\u{fffd}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_determines_the_texts() {
        let texts = ["NO".to_owned(), "- a".to_owned()];
        let made = |seed| cases(200, seed, &texts).into_iter().map(|case| case.text);
        assert!(made(1).eq(made(1)));
        assert!(!made(1).eq(made(2)));
    }
}

//! Properties of the parser on generated text: levels, chunk sizes and readers agree, events follow
//! their grammar, and spans and gaps cover the input.

use ketch_conformance::checks;
use ketch_conformance::encode::{WIDE, encode, is_detectable};
use ketch_conformance::generate;
use ketch_conformance::run;
use ketch_yaml::Options;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use proptest::test_runner::TestCaseError;

/// Returns a configuration that uses the same random cases in each run, so that a new failure is
/// due to the code. `KETCH_SEED` sets a different seed.
fn config() -> ProptestConfig {
    let seed = std::env::var("KETCH_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(2026);
    ProptestConfig {
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(seed),
        ..ProptestConfig::with_cases(CASES)
    }
}

const CASES: u32 = if cfg!(debug_assertions) { 400 } else { 4000 };

fn holds<T>(result: Result<T, String>) -> Result<T, TestCaseError> {
    result.map_err(TestCaseError::fail)
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn generated_documents_have_all_properties(bytes in vec(any::<u8>(), 0..300)) {
        let text = generate::document(&bytes).into_bytes();
        let outcome = holds(checks::all_ways(&text))?;
        holds(checks::small_pieces(&text, &outcome))?;
    }

    #[test]
    fn damaged_documents_have_all_properties(bytes in vec(any::<u8>(), 0..300), seed in any::<u64>()) {
        let mut text = generate::document(&bytes).into_bytes();
        let mut random = generate::Random::new(seed);
        for _ in 0..3 {
            generate::mutate(&mut text, &mut random);
        }
        let outcome = holds(checks::all_ways(&text))?;
        holds(checks::small_pieces(&text, &outcome))?;
    }

    /// The events before a byte that is not allowed do not depend on the size of chunks.
    #[test]
    fn events_before_a_bad_byte_are_the_same(bytes in vec(any::<u8>(), 0..200), seed in any::<u64>()) {
        let mut random = generate::Random::new(seed);
        for mut text in [generate::document(&bytes).into_bytes(), generate::noise(&bytes)] {
            let at = random.below(text.len() + 1);
            text.insert(at, [0xFF, 0, 0xC3][random.below(3)]);
            let whole = run::parse(&text, &Options::default());
            for words in [1, 2, 3] {
                let chunked = run::parse(&text, &run::chunked(words));
                prop_assert_eq!(&chunked, &whole, "{} words\n{}", words, checks::Shown(&text));
            }
            let pieces = run::parse_in_pieces(&text, &[3, 1, 7], &Options::default());
            prop_assert_eq!(&pieces, &whole, "in pieces\n{}", checks::Shown(&text));
        }
    }

    #[test]
    fn random_indicators_have_all_properties(bytes in vec(any::<u8>(), 0..80)) {
        let text = generate::noise(&bytes);
        let outcome = holds(checks::all_ways(&text))?;
        holds(checks::small_pieces(&text, &outcome))?;
    }

    /// The bytes may happen to be UTF-16 or UTF-32, so only results that do not require the text in
    /// UTF-8 are compared.
    #[test]
    fn arbitrary_bytes_in_pieces_parse_as_the_whole(bytes in vec(any::<u8>(), 0..60)) {
        let whole = run::parse(&bytes, &Options::default());
        for size in [1, 3, usize::MAX] {
            prop_assert_eq!(&run::parse_in_pieces(&bytes, &[size], &Options::default()), &whole);
        }
    }

    #[test]
    fn readers_cut_at_random_bytes_yield_the_same_events(bytes in vec(any::<u8>(), 0..300), cuts in vec(1usize..40, 1..8)) {
        let text = generate::document(&bytes).into_bytes();
        let outcome = run::slice(&text, &Options::default());
        for words in [1, 2, 4096] {
            holds(checks::pieces(&text, &outcome, &cuts, &run::chunked(words)))?;
        }
    }

    #[test]
    fn every_encoding_yields_the_same_events(bytes in vec(any::<u8>(), 0..300), cut in 1usize..9) {
        let text = generate::document(&bytes);
        let expected = run::slice(text.as_bytes(), &Options::default());
        prop_assume!(is_detectable(&text));
        for encoding in WIDE {
            let wide = encode(&text, encoding);
            let found = run::slice_as(&wide, text.as_bytes(), &Options::default());
            holds(checks::same(text.as_bytes(), &expected, &found, &encoding))?;
            let pieces = [cut];
            let reader = run::Pieces::new(&wide, &pieces);
            let found = run::reader_as(reader, text.as_bytes(), &Options::default());
            holds(checks::same(text.as_bytes(), &expected, &found, &format!("{encoding} in pieces")))?;
        }
    }
}

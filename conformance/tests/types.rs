//! Types that are read from events and from trees.

use ketch_conformance::checks::Failures;
use ketch_conformance::generate::{self, Random};
use ketch_conformance::suite::cases;
use ketch_conformance::types::read_alike;

/// The number of probes per text.
const PROBES: u64 = if cfg!(debug_assertions) { 20 } else { 200 };

/// Checks a text with a random probe, which [`read_alike`] chooses by the first three bytes.
fn read(random: &mut Random, text: &[u8]) -> Result<(), String> {
    read_alike(&[&random.bytes(3), text].concat())
}

#[test]
fn events_and_trees_agree_on_the_suite() {
    let mut failures = Failures::default();
    for case in cases() {
        for probe in 0..PROBES {
            let result = read(&mut Random::new(probe), case.yaml.as_bytes());
            failures.note(format_args!("{}, probe {probe}", case.id), result);
        }
    }
    failures.finish();
}

const DOCUMENTS: u64 = if cfg!(debug_assertions) { 5_000 } else { 50_000 };

#[test]
fn events_and_trees_agree_on_generated_documents() {
    let mut failures = Failures::default();
    for seed in 0..DOCUMENTS {
        let mut random = Random::new(seed);
        let bytes = random.bytes(20 + (seed % 300) as usize);
        let mut text = generate::document(&bytes).into_bytes();
        if seed % 2 == 0 {
            generate::mutate(&mut text, &mut random);
        }
        failures.note(seed, read(&mut random, &text));
    }
    failures.finish();
}

//! The checker finds what composing finds: in yaml-test-suite, in generated documents, and in
//! slightly corrupted ones.

use ketch_conformance::generate::{self, Random};
use ketch_conformance::{check, suite};

/// The number of documents of each kind.
const DOCUMENTS: u64 = 50_000;

#[test]
fn the_suite_is_checked_as_it_is_composed() {
    let cases = suite::cases();
    assert!(cases.len() > 400);
    for case in cases {
        if let Err(what) = check::as_composed(case.yaml.as_bytes()) {
            panic!("{}: {what}", case.id);
        }
    }
}

#[test]
fn generated_documents_are_checked_as_they_are_composed() {
    each(|random| {
        let len = random.below(200);
        generate::document(&random.bytes(len)).into_bytes()
    });
}

#[test]
fn keys_of_all_kinds_are_checked_as_they_are_composed() {
    each(|random| check::keys(random).into_bytes());
}

#[test]
fn damaged_documents_are_checked_as_they_are_composed() {
    each(|random| {
        let mut text = check::keys(random).into_bytes();
        for _ in 0..1 + random.below(3) {
            generate::mutate(&mut text, random);
        }
        text
    });
}

/// Checks documents, each under one schema.
fn each(make: impl Fn(&mut Random) -> Vec<u8>) {
    let mut random = Random::new(2026);
    for number in 0..DOCUMENTS {
        let text = make(&mut random);
        if let Err(what) = check::under_one_schema(&text, number as usize) {
            panic!("document {number}: {what}");
        }
    }
}

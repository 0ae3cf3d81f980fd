//! The checker finds the same errors as the composer: in yaml-test-suite, in generated documents,
//! and in slightly corrupted ones.

use ketch_conformance::generate::{self, Random};
use ketch_conformance::{check, suite};
use ketch_yaml::ComposeOptions;
use ketch_yaml::Options;
use ketch_yaml::compose::Checker;

/// The number of documents of each kind.
const DOCUMENTS: u64 = 50_000;

#[test]
fn checking_and_composing_agree_on_the_suite() {
    let cases = suite::cases();
    assert!(cases.len() > 400);
    for case in cases {
        if let Err(what) = check::as_composed(case.yaml.as_bytes()) {
            panic!("{}: {what}", case.id);
        }
    }
}

#[test]
fn checking_and_composing_agree_on_generated_documents() {
    each(|random| {
        let len = random.below(200);
        generate::document(&random.bytes(len)).into_bytes()
    });
}

#[test]
fn checking_and_composing_agree_on_keys_of_all_kinds() {
    each(|random| check::keys(random).into_bytes());
}

#[test]
fn checking_and_composing_agree_on_damaged_documents() {
    each(|random| {
        let mut text = check::keys(random).into_bytes();
        for _ in 0..1 + random.below(3) {
            generate::mutate(&mut text, random);
        }
        text
    });
}

/// These mappings have more than 65,535 keys, so the checker stores only the keys' fingerprints.
#[test]
fn duplicates_in_large_mappings_are_found_among_keys_of_all_kinds() {
    let key = |i: u64| match i % 5 {
        0 => format!("k{i} :"),
        1 => format!("!k k{i} :"),
        2 => format!("[k{i}, 1] :"),
        3 => format!("{{k{i}: 1}} :"),
        _ => format!("\"k{i}\\t\" :"),
    };
    for head in ["", "&root\n", "- &root\n  - 1\n- &entry\n"] {
        let indent = if head.starts_with('-') { "  " } else { "" };
        let mut text = head.to_owned();
        let mut line = head.lines().count() as u64;
        let mut expected = Vec::new();
        for i in 0..140_000 {
            text += &format!("{indent}{} {i}\n", key(i));
            line += 1;
            // A key of each kind occurs again. The first one is in the same part of the mapping in
            // some cases, and in an earlier part in others.
            if i % 20_011 == 0 {
                let again = key(i - i / 2);
                text += &format!("{indent}{again} again\n");
                line += 1;
                expected.push(line);
            }
        }
        let options = Options::default();
        let checker = Checker::new(text.as_bytes(), &options, &ComposeOptions::default(), 100);
        let lines: Vec<u64> = checker.map(|problem| problem.line()).collect();
        assert_eq!(lines, expected, "{head:?}");
    }
}

/// Checks the documents that `make` creates, each in one of the schemas.
fn each(make: impl Fn(&mut Random) -> Vec<u8>) {
    let mut random = Random::new(2026);
    for number in 0..DOCUMENTS {
        let text = make(&mut random);
        if let Err(what) = check::under_one_schema(&text, number as usize) {
            panic!("document {number}: {what}");
        }
    }
}

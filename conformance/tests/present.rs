//! Presented text has the same events, and is the text that yaml-test-suite expects.

use ketch_conformance::checks::Failures;
use ketch_conformance::generate::{self, Random};
use ketch_conformance::present::{option_sets, presented, round_trip};
use ketch_conformance::suite::{Case, cases};
use ketch_conformance::{pushed, run, targets};
use ketch_yaml::Options;
use ketch_yaml::present::{Collections, Directives, PresentOptions};
use serde_json::Value;
use std::collections::BTreeMap;

fn valid_cases() -> impl Iterator<Item = Case> {
    cases().into_iter().filter(|case| !case.fail)
}

#[test]
fn all_cases_read_back_as_the_same_events() {
    let mut failures = Failures::default();
    for case in valid_cases() {
        for (name, options) in option_sets() {
            failures.note(&case.id, round_trip(name, case.yaml.as_bytes(), &options));
        }
    }
    failures.finish();
}

/// Returns the options that correspond to the settings of the suite's own emitter.
fn suite_options() -> PresentOptions {
    let mut options = PresentOptions::default();
    options.collections = Collections::Block;
    options.directives = Directives::Drop;
    options.ascii = true;
    options
}

/// Returns the text that a case expects: that of an emitter or, if there is none, that of a dumper.
fn given(case: &Case) -> Option<&str> {
    case.emit.as_deref().or(case.dump.as_deref())
}

/// Returns the cases whose text differs, each with the reason why that is correct, from
/// `differences-present.json`.
fn known() -> BTreeMap<String, String> {
    let file: Value =
        serde_json::from_str(include_str!("../differences-present.json")).expect("JSON");
    let entries = file.as_object().expect("an object").iter();
    let entries = entries.flat_map(|(why, ids)| {
        let ids = ids.as_array().expect("a list of cases").iter();
        ids.map(|id| (id.as_str().expect("an id").to_owned(), why.clone()))
    });
    entries.collect()
}

#[test]
fn texts_equal_those_of_the_suite() {
    let known = known();
    let mut failures = Failures::default();
    let (mut count, mut with_dump, mut differing_with_dump) = (0, 0, 0);
    for case in valid_cases() {
        let Some(expected) = given(&case) else {
            assert!(!known.contains_key(&case.id), "{} has no text", case.id);
            continue;
        };
        count += 1;
        with_dump += usize::from(case.dump.is_some());
        let found = presented(case.yaml.as_bytes(), &Options::default(), &suite_options());
        let Some(found) = failures.note(&case.id, found) else { continue };
        let is_known = known.contains_key(&case.id);
        differing_with_dump += usize::from(is_known && case.dump.is_some());
        let result = match (found == expected, is_known) {
            (false, false) => Err(format!("--- expected\n{expected}--- found\n{found}")),
            (true, true) => Err("is the same and need not be listed".to_owned()),
            _ => Ok(()),
        };
        failures.note(&case.id, result);
    }
    failures.finish();
    assert_eq!((count, with_dump), (273, 242));
    assert!(differing_with_dump * 20 <= with_dump, "{differing_with_dump} of {with_dump} differ");
}

/// The events that change with default options, because a style is impossible, or because the last
/// scalar of a document keeps its line breaks.
const CHANGED: [(&str, &str, &str); 18] = [
    ("2G84/02", "=VAL |", "=VAL \""),
    ("2G84/03", "=VAL |", "=VAL \""),
    ("36F6", "=VAL :a b\\nc", "=VAL 'a b\\nc"),
    ("82AN", "=VAL :---word1 word2", "=VAL '---word1 word2"),
    ("8CWC", "=VAL :key ends with two colons::", "=VAL 'key ends with two colons::"),
    ("9YRD", "=VAL :a b c d\\ne", "=VAL 'a b c d\\ne"),
    ("EX5H", "=VAL :a b c d\\ne", "=VAL 'a b c d\\ne"),
    ("EXG3", "=VAL :---word1 word2", "=VAL '---word1 word2"),
    ("F8F9", "-DOC", "-DOC ..."),
    (
        "HS5T",
        "=VAL :1st non-empty\\n2nd non-empty 3rd non-empty",
        "=VAL '1st non-empty\\n2nd non-empty 3rd non-empty",
    ),
    ("JEF9/00", "-DOC", "-DOC ..."),
    ("JEF9/01", "-DOC", "-DOC ..."),
    ("JEF9/02", "-DOC", "-DOC ..."),
    ("K858", "=VAL >", "=VAL \""),
    ("K858", "=VAL >", "=VAL \""),
    ("K858", "-DOC", "-DOC ..."),
    ("NB6Z", "=VAL :value with\\ntabs", "=VAL 'value with\\ntabs"),
    ("UKK6/01", "=VAL ::", "=VAL ':"),
];

#[test]
fn styles_are_kept() {
    let mut changed = Vec::new();
    for case in valid_cases() {
        let text = presented(case.yaml.as_bytes(), &Options::default(), &PresentOptions::default());
        let found =
            run::slice(text.expect("an input without errors").as_bytes(), &Options::default());
        let pairs = case.tree.lines().zip(found.notation.lines());
        let pairs = pairs.filter(|(expected, found)| expected != found);
        let id = &case.id;
        changed.extend(pairs.map(|(a, b)| (id.clone(), a.to_owned(), b.to_owned())));
    }
    let expected: Vec<_> =
        CHANGED.iter().map(|&(id, a, b)| (id.to_owned(), a.to_owned(), b.to_owned())).collect();
    assert_eq!(changed, expected);
}

const STREAMS: u64 = if cfg!(debug_assertions) { 2_000 } else { 20_000 };

/// Random streams that are pushed node by node have the same events, with any characters, and in
/// all styles and contexts.
#[test]
fn pushed_streams_read_back() {
    let mut failures = Failures::default();
    for seed in 0..STREAMS {
        let bytes = Random::new(seed).bytes(40 + (seed % 200) as usize);
        failures.note(seed, pushed::reads_back(&bytes));
    }
    failures.finish();
}

#[test]
fn generated_documents_read_back() {
    let mut failures = Failures::default();
    for seed in 0..STREAMS {
        let bytes = Random::new(seed).bytes(20 + (seed % 300) as usize);
        let text = generate::document(&bytes);
        failures.note(seed, targets::present(text.as_bytes()));
    }
    failures.finish();
}

//! Formatting keeps events and comments, and formatting the result again changes nothing.

use ketch_conformance::checks::Failures;
use ketch_conformance::encode::with_breaks;
use ketch_conformance::format::{checked, option_sets};
use ketch_conformance::generate::{self, Random};
use ketch_conformance::present::presented;
use ketch_conformance::suite::cases;
use ketch_conformance::{run, targets};
use ketch_yaml::Options;
use ketch_yaml::present::PresentOptions;

#[test]
fn all_valid_cases_of_the_suite_keep_the_guarantees() {
    let mut failures = Failures::default();
    let mut count = 0;
    for case in cases().into_iter().filter(|case| !case.fail) {
        count += 1;
        for line_break in ["\n", "\r\n"] {
            let yaml = with_breaks(&case.yaml, line_break);
            for (name, options) in option_sets() {
                failures.note(&case.id, checked(name, yaml.as_bytes(), &options));
            }
        }
    }
    failures.finish();
    assert_eq!(count, 308);
}

const DOCUMENTS: u64 = if cfg!(debug_assertions) { 5_000 } else { 50_000 };

#[test]
fn generated_documents_keep_the_guarantees() {
    let mut failures = Failures::default();
    let mut taken = 0;
    for seed in 0..DOCUMENTS {
        let bytes = Random::new(seed).bytes(20 + (seed % 300) as usize);
        let text = generate::document(&bytes);
        taken += u64::from(run::parse(text.as_bytes(), &Options::default()).1.is_none());
        failures.note(seed, targets::formatted(text.as_bytes()));
    }
    failures.finish();
    assert!(taken * 5 > DOCUMENTS, "only {taken} of {DOCUMENTS} are YAML");
}

/// Inserts comments and empty lines before each line of each case in the suite.
#[test]
fn comments_between_all_lines_are_kept() {
    let mut failures = Failures::default();
    let mut taken = 0;
    for case in cases().into_iter().filter(|case| !case.fail) {
        let lines: Vec<&str> = case.yaml.split_inclusive('\n').collect();
        for at in 0..=lines.len() {
            for insert in ["# c\n", "  # c\n\n\n", "      # c\n # d\n", " # c\n#d\n    # e\n"] {
                let text = [&lines[..at], &[insert], &lines[at..]].concat().concat();
                taken += usize::from(run::parse(text.as_bytes(), &Options::default()).1.is_none());
                failures.note(&case.id, targets::formatted(text.as_bytes()));
            }
        }
    }
    failures.finish();
    assert!(taken > 4_000, "only {taken} are YAML");
}

/// The output of the presenter with default options is already formatted.
#[test]
fn presented_text_is_formatted_unchanged() {
    let mut failures = Failures::default();
    for case in cases().into_iter().filter(|case| !case.fail) {
        let text = presented(case.yaml.as_bytes(), &Options::default(), &PresentOptions::default());
        let Some(text) = failures.note(&case.id, text) else { continue };
        let (_, options) = option_sets().swap_remove(0);
        let again = checked("presented", text.as_bytes(), &options);
        let result = again.and_then(|again| match again == text.as_bytes() {
            true => Ok(()),
            false => Err(format!("{text}--- becomes\n{}", String::from_utf8_lossy(&again))),
        });
        failures.note(&case.id, result);
    }
    failures.finish();
}

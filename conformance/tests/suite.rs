//! The cases of yaml-test-suite (402 of 402), which are read in all ways.

use ketch_conformance::checks::{self, CHUNK_WORDS, Failures};
use ketch_conformance::encode::{WIDE, encode, is_detectable, with_breaks};
use ketch_conformance::run::{self, Outcome, Pieces, chunked};
use ketch_conformance::suite::{Case, cases};
use ketch_yaml::{Level, Options};

/// Compares `outcome` with what the suite expects for `case`.
fn judge(case: &Case, outcome: &Outcome) -> Result<(), String> {
    let is_right = match case.fail {
        true => !outcome.is_fine(),
        false => outcome.is_fine() && outcome.notation == case.tree,
    };
    if is_right {
        return Ok(());
    }
    Err(format!(
        "{:?}\n{:?}\n--- expected{}\n{}--- found\n{}",
        case.yaml,
        outcome.fault,
        if case.fail { " to fail" } else { "" },
        case.tree,
        outcome.notation
    ))
}

#[test]
fn the_package_has_the_expected_cases() {
    let cases = cases();
    assert_eq!(cases.iter().filter(|case| case.fail).count(), 94);
    assert_eq!(cases.iter().filter(|case| !case.fail && !case.tree.is_empty()).count(), 308);
    assert_eq!(cases.iter().filter(|case| !case.fail && case.json.is_some()).count(), 279);
}

#[test]
fn events_at_every_level_and_chunk_size() {
    let mut failures = Failures::default();
    for case in cases() {
        let input = case.yaml.as_bytes();
        let checked = checks::checked(input, &Options::default());
        let Some(outcome) = failures.note(&case.id, checked) else { continue };
        failures.note(&case.id, judge(&case, &outcome));
        for level in Level::available() {
            for words in CHUNK_WORDS {
                let mut options = chunked(words);
                options.level = level;
                let found = run::slice(input, &options);
                let way = format!("level {level}, chunks of {words}");
                failures.note(&case.id, checks::same(input, &outcome, &found, &way));
            }
        }
    }
    failures.finish();
}

#[test]
fn events_of_readers_cut_at_every_place() {
    let mut failures = Failures::default();
    for case in cases() {
        for line_break in ["\n", "\r\n", "\r"] {
            let yaml = with_breaks(&case.yaml, line_break);
            let outcome = run::slice(yaml.as_bytes(), &Options::default());
            failures.note(&case.id, checks::all_cuts(yaml.as_bytes(), &outcome));
        }
    }
    failures.finish();
}

#[test]
fn events_at_every_alignment() {
    let mut failures = Failures::default();
    for case in cases() {
        let input = case.yaml.as_bytes();
        let expected = run::slice(input, &Options::default());
        for before in 0..64 {
            // The bytes before and after the slice must not matter.
            for around in [b'\n', b'x', b' ', b':'] {
                let mut buffer = vec![around; before];
                buffer.extend_from_slice(input);
                buffer.extend_from_slice(&[around; 64]);
                let found = run::slice(&buffer[before..before + input.len()], &Options::default());
                let way = format!("{before} bytes {around} around");
                failures.note(&case.id, checks::same(input, &expected, &found, &way));
            }
        }
    }
    failures.finish();
}

/// CRLF and CR give the same events as LF. Cases that contain carriage returns are left out, since
/// these would merge with the added ones.
#[test]
fn events_with_other_line_breaks() {
    let mut failures = Failures::default();
    for case in cases().iter().filter(|case| !case.yaml.contains('\r')) {
        for line_break in ["\r\n", "\r"] {
            let yaml = with_breaks(&case.yaml, line_break);
            let outcome = checks::all_ways(yaml.as_bytes());
            if let Some(outcome) = failures.note(&case.id, outcome) {
                failures.note(&case.id, judge(case, &outcome));
            }
        }
    }
    failures.finish();
}

/// LF, CRLF and CR alternate.
#[test]
fn events_with_mixed_line_breaks() {
    let mut failures = Failures::default();
    for case in cases().iter().filter(|case| !case.yaml.contains('\r')) {
        for shift in 0..3 {
            let yaml = mixed_breaks(&case.yaml, shift);
            if count_breaks(&yaml) != count_breaks(&case.yaml) {
                // A CR, and the LF of an empty line after it, have become a single line break.
                continue;
            }
            let outcome = checks::all_ways(yaml.as_bytes());
            if let Some(outcome) = failures.note(&case.id, outcome) {
                failures.note(&case.id, judge(case, &outcome));
            }
        }
    }
    failures.finish();
}

fn mixed_breaks(yaml: &str, shift: usize) -> String {
    let mut mixed = String::new();
    for (i, line) in yaml.split_inclusive('\n').enumerate() {
        match line.strip_suffix('\n') {
            Some(text) => mixed.extend([text, ["\n", "\r\n", "\r"][(i + shift) % 3]]),
            None => mixed.push_str(line),
        }
    }
    mixed
}

fn count_breaks(yaml: &str) -> usize {
    yaml.replace("\r\n", "\n").matches(['\r', '\n']).count()
}

#[test]
fn events_in_every_encoding() {
    let mut failures = Failures::default();
    for case in cases() {
        let input = case.yaml.as_bytes();
        let expected = run::slice(input, &Options::default());
        let marked = format!("\u{feff}{}", case.yaml);
        if let Some(outcome) = failures.note(&case.id, checks::all_ways(marked.as_bytes())) {
            failures.note(&case.id, judge(&case, &outcome));
        }
        for encoding in WIDE {
            let mut texts = vec![&marked];
            if is_detectable(&case.yaml) {
                texts.push(&case.yaml);
            }
            for text in texts {
                let bytes = encode(text, encoding);
                let found = run::slice_as(&bytes, input, &Options::default());
                failures.note(&case.id, checks::same(input, &expected, &found, &encoding));
                for pieces in [[1], [2], [3], [5]] {
                    let reader = Pieces::new(&bytes, &pieces);
                    let found = run::reader_as(reader, input, &Options::default());
                    let way = format!("{encoding} read in pieces of {pieces:?}");
                    failures.note(&case.id, checks::same(input, &expected, &found, &way));
                }
            }
        }
    }
    failures.finish();
}

/// Every prefix of every case, in bytes, ends with a result or an error. This is the same at every
/// level, with every chunk size, and from a reader.
#[test]
fn every_prefix_ends_with_a_result_or_an_error() {
    let mut failures = Failures::default();
    for case in cases() {
        for end in 0..case.yaml.len() {
            let prefix = &case.yaml.as_bytes()[..end];
            if let Some(outcome) = failures.note(&case.id, checks::all_ways(prefix)) {
                failures.note(&case.id, checks::small_pieces(prefix, &outcome));
            }
        }
    }
    failures.finish();
}

/// Each byte of each case is removed in turn.
#[test]
fn cases_without_one_byte_end_with_a_result_or_an_error() {
    let mut failures = Failures::default();
    for case in cases() {
        for at in 0..case.yaml.len() {
            let mut damaged = case.yaml.clone().into_bytes();
            damaged.remove(at);
            if let Some(outcome) = failures.note(&case.id, checks::all_ways(&damaged)) {
                failures
                    .note(&case.id, checks::pieces(&damaged, &outcome, &[1], &Options::default()));
            }
        }
    }
    failures.finish();
}

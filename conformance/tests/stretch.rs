//! The parser looks at 64 bytes at a time. So each case of yaml-test-suite is stretched at every
//! offset until its content has crossed the boundaries of the first blocks. The events must not
//! change.

use ketch_conformance::checks::Failures;
use ketch_conformance::run;
use ketch_conformance::suite::cases;
use ketch_yaml::{Level, Options, Problem};

/// The numbers of characters that are inserted at an offset.
const LENGTHS: [std::ops::RangeInclusive<usize>; 3] = [2..=72, 120..=136, 1000..=1001];

/// Returns the events and the problem of a run.
fn parse(input: &[u8], options: &Options) -> (String, Option<Problem>) {
    let outcome = run::slice(input, options);
    (outcome.notation, outcome.fault.map(|fault| fault.problem))
}

fn with(input: &str, at: usize, part: &str, count: usize) -> Vec<u8> {
    [&input[..at], &part.repeat(count), &input[at..]].concat().into_bytes()
}

/// Returns whether two problems are the same, apart from lengths.
fn same_problem(a: Option<Problem>, b: Option<Problem>) -> bool {
    a.map(Problem::name) == b.map(Problem::name)
}

/// Inserts a letter that the case does not contain at `at`. Repeating it must make the text longer,
/// and change nothing else.
fn stretch_text(input: &str, at: usize, letter: &str, options: &Options) -> Result<(), String> {
    let (notation, problem) = parse(&with(input, at, letter, 1), options);
    for count in LENGTHS.into_iter().flatten() {
        let expected = notation.replace(letter, &letter.repeat(count));
        let text = with(input, at, letter, count);
        let (found, found_problem) = parse(&text, options);
        if found_problem.is_some_and(|problem| problem.name() == "KeyTooLong") && count >= 1000 {
            continue;
        }
        if found != expected || !same_problem(problem, found_problem) {
            let text = String::from_utf8_lossy(&text).into_owned();
            return Err(format!(
                "{count} times {letter} at {at}: {text:?}\n--- expected\n{expected}{problem:?}\n\
                 --- found\n{found}{found_problem:?}"
            ));
        }
    }
    Ok(())
}

/// Inserts white space at `at`, after the indentation. If adding one or two characters changes
/// nothing, adding any number must change nothing.
fn stretch_white(input: &str, at: usize, white: &str, options: &Options) -> Result<(), String> {
    let line = &input[input[..at].rfind('\n').map_or(0, |end| end + 1)..at];
    if line.trim().is_empty() && white != "\n" && white != "#c\n" {
        return Ok(());
    }
    let (notation, problem) = parse(input.as_bytes(), options);
    for count in [1, 2] {
        let (found, found_problem) = parse(&with(input, at, white, count), options);
        if found != notation || !same_problem(problem, found_problem) {
            return Ok(());
        }
    }
    for count in LENGTHS.into_iter().flatten() {
        let text = with(input, at, white, count);
        let (found, found_problem) = parse(&text, options);
        if found_problem.is_some_and(|problem| problem.name() == "KeyTooLong") && count >= 1000 {
            continue;
        }
        if found != notation || !same_problem(problem, found_problem) {
            let text = String::from_utf8_lossy(&text).into_owned();
            return Err(format!(
                "{count} times {white:?} at {at}: {text:?}\n--- expected\n{notation}{problem:?}\n\
                 --- found\n{found}{found_problem:?}"
            ));
        }
    }
    Ok(())
}

fn stretch_all(
    part: &str,
    level: Level,
    stretch: fn(&str, usize, &str, &Options) -> Result<(), String>,
) {
    let mut options = Options::default();
    options.level = level;
    let mut failures = Failures::default();
    let is_letter = !part.trim().is_empty() && !part.contains('#');
    let cases = cases().into_iter().filter(|case| !(is_letter && case.yaml.contains(part)));
    for case in cases {
        for (at, _) in case.yaml.char_indices() {
            failures.note(&case.id, stretch(&case.yaml, at, part, &options));
        }
    }
    failures.finish();
}

#[test]
fn text() {
    stretch_all("J", Level::detect(), stretch_text);
}

#[test]
fn text_beyond_ascii() {
    stretch_all("\u{3a9}", Level::detect(), stretch_text);
}

#[test]
fn text_by_the_scalar_twin() {
    stretch_all("J", Level::Scalar, stretch_text);
}

#[test]
fn spaces() {
    stretch_all(" ", Level::detect(), stretch_white);
}

#[test]
fn tabs() {
    stretch_all("\t", Level::detect(), stretch_white);
}

/// Inserts comments and empty lines.
#[test]
fn lines() {
    stretch_all("\n", Level::detect(), stretch_white);
    stretch_all("#c\n", Level::detect(), stretch_white);
}

//! The checks of an input that the tests, the fuzz targets and the differential run use.

use crate::run::{self, Outcome, chunked};
use crate::{gaps, grammar};
use ketch_yaml::{Level, Options};
use std::fmt;

/// The chunk sizes, in words, with which every input is parsed.
pub const CHUNK_WORDS: [usize; 5] = [1, 2, 3, 7, 4096];

/// Parses `input`, which is UTF-8, and checks the result against the grammar of events and against
/// the rules for spans and gaps.
///
/// # Errors
///
/// Returns a message that contains the input and says which check has failed.
pub fn checked(input: &[u8], options: &Options) -> Result<Outcome, String> {
    let outcome = run::slice(input, options);
    let is_whole = outcome.is_fine();
    grammar::check(&outcome.events, is_whole)
        .and_then(|()| gaps::check(input, &outcome.events, is_whole))
        .map_err(|what| format!("{what}\n{}\n{}", Shown(input), outcome.notation))?;
    Ok(outcome)
}

/// Checks that two outcomes are equal.
///
/// # Errors
///
/// Returns a message that says how the outcomes differ. It contains the input, and `way`, which
/// says how the second outcome was obtained.
pub fn same(
    input: &[u8],
    expected: &Outcome,
    found: &Outcome,
    way: &dyn fmt::Display,
) -> Result<(), String> {
    if expected == found {
        return Ok(());
    }
    let events = expected.events.iter().zip(&found.events).enumerate();
    let first =
        events.filter(|(_, (a, b))| a != b).map(|(i, pair)| format!("{i}: {pair:?}")).next();
    let described = |outcome: &Outcome| {
        format!("{}{:?} {:?}", outcome.notation, outcome.fault, outcome.warnings)
    };
    Err(format!(
        "{way} differs, first in event {}\n{}\n--- expected\n{}\n--- found\n{}",
        first.unwrap_or_else(|| "none".to_owned()),
        Shown(input),
        described(expected),
        described(found),
    ))
}

/// Checks that the result with every level and chunk size is the same as with the default options.
///
/// # Errors
///
/// Returns a message that contains the input and says what differs.
pub fn all_ways(input: &[u8]) -> Result<Outcome, String> {
    let expected = checked(input, &Options::default())?;
    for level in Level::available() {
        for words in [1, 4096] {
            let mut options = chunked(words);
            options.level = level;
            let found = run::slice(input, &options);
            same(
                input,
                &expected,
                &found,
                &format_args!("level {level}, chunks of {words} words,"),
            )?;
        }
    }
    for words in CHUNK_WORDS {
        let found = run::slice(input, &chunked(words));
        same(input, &expected, &found, &format_args!("chunks of {words} words"))?;
    }
    Ok(expected)
}

/// Checks that a reader that yields the input in `pieces` gives the same result as the slice.
///
/// # Errors
///
/// Returns a message that contains the input and says what differs.
pub fn pieces(
    input: &[u8],
    expected: &Outcome,
    pieces: &[usize],
    options: &Options,
) -> Result<(), String> {
    let found = run::reader(input, pieces, options);
    let words = options.chunk_words;
    let way = format_args!("a reader of pieces of {pieces:?}, chunks of {words} words,");
    same(input, expected, &found, &way)
}

/// Checks that readers give the same result as the slice: with the input cut in two at every
/// offset, in single bytes, and in other small pieces.
///
/// # Errors
///
/// Returns a message that contains the input and says what differs.
pub fn all_cuts(input: &[u8], expected: &Outcome) -> Result<(), String> {
    for cut in 1..=input.len() {
        pieces(input, expected, &[cut, usize::MAX], &Options::default())?;
        pieces(input, expected, &[cut, 1, 1, 1, usize::MAX], &chunked(1))?;
    }
    small_pieces(input, expected)
}

/// Checks that readers that yield the input in small pieces give the same result as the slice.
///
/// # Errors
///
/// Returns a message that contains the input and says what differs.
pub fn small_pieces(input: &[u8], expected: &Outcome) -> Result<(), String> {
    for size in [1, 2, 3, 7] {
        for words in [1, 4096] {
            pieces(input, expected, &[size], &chunked(words))?;
        }
    }
    Ok(())
}

/// Collects failures, so that one run reports them all.
#[derive(Debug, Default)]
pub struct Failures {
    all: Vec<String>,
    checks: usize,
}

impl Failures {
    /// Counts a check, and records its result under `name`. Returns the value if it has succeeded.
    pub fn note<T>(&mut self, name: impl fmt::Display, result: Result<T, String>) -> Option<T> {
        self.checks += 1;
        result.map_err(|what| self.all.push(format!("{name}: {what}"))).ok()
    }

    /// Ends the test by reporting the failures.
    ///
    /// # Panics
    ///
    /// Panics if a check has failed, or if nothing was checked.
    pub fn finish(self) {
        const SHOWN_MAX: usize = 12;
        assert!(self.checks > 0, "nothing was checked");
        let mut shown: Vec<&str> = self.all.iter().map(String::as_str).collect();
        // The shortest messages are shown, since they are the most useful.
        shown.sort_by_key(|what| what.len());
        shown.truncate(SHOWN_MAX);
        let (failed, checks) = (self.all.len(), self.checks);
        assert!(failed == 0, "{failed} of {checks} failed\n\n{}", shown.join("\n\n"));
    }
}

/// An input as it is shown in messages.
pub struct Shown<'i>(pub &'i [u8]);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "input: {:?}", String::from_utf8_lossy(self.0))
    }
}

//! Searches long texts for patterns that take backtracking engines hours.

mod cpu;

use std::time::Duration;

use cpu::Timer;
use ketch_regex::{Limits, Options, Regex};

const LETTERS: usize = 1_000_000;

/// Each row is a pattern, the text after a million `a`, and whether there is a match. The patterns
/// with an end that never matches, such as `(?<=c)`, test the case in which the automata propose
/// starts that the exact search has to reject.
const ROWS: &[(&str, &str, bool)] = &[
    (r"^(a*)*$", "!", false),
    (r"a*(?>a*)a(?<=b)", "", false),
    (r"a*(?>a*)ab", "b", false),
    (r"(?:(?>a|aa)+(?=.*b))+(?<=c)", "b", false),
    (r"(?:a|a)*(?=a*+!)(?<=c)", "!", false),
    (r"(?:(?<=a)a|a)+(?<!a)$", "", false),
    (r"(?=(a|aa)*b)(?<=c)", "", false),
    (r"(?:(?=(a+))a)*(?<=b)", "", false),
    (r"(?:a(?~bc))*+(?<=c)", "", false),
    (r"(a)?(?:(?(1)a|b)|a)*(?<=c)", "", false),
    (r"\A(?:(?=(.*)b)a)*b\z", "b", true),
    (r"(?:(?:a?|b)(?!c)){2,}(?<=c)", "", false),
];

#[test]
fn searches_take_linear_time() {
    // On a fast processor, each takes at most 110 ms in optimized code; old ones take three times
    // as long. The limit of the steps is the same for all.
    let limit = Duration::from_secs(if cfg!(debug_assertions) { 60 } else { 2 });
    let file = include_str!("redos.tsv").lines().filter_map(|row| row.split_once('\t'));
    let file = file.map(|(end, pattern)| (pattern, end, false));
    for (pattern, end, found) in ROWS.iter().copied().chain(file) {
        let text = format!("{}{end}", "a".repeat(LETTERS));
        // A step is a hundred nanoseconds at most: a quadratic search would take a day.
        let limits = Limits { steps: 400 * LETTERS as u64, ..Limits::default() };
        let regex = Regex::new(pattern, Options { limits, ..Options::default() }).unwrap();
        assert!(regex.is_linear(), "{pattern}");
        let timer = Timer::start();
        let answer = regex.captures(text.as_bytes());
        let time = timer.elapsed();
        println!("{pattern}: {time:?}");
        assert_eq!(answer.map(|captures| captures.is_some()), Ok(found), "{pattern}");
        assert!(time < limit, "{pattern}: {time:?}");
    }
}

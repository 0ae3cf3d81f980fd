//! Measures how fast a search rejects a text without a required literal, compared with a search for
//! that literal on the same bytes with memchr's memmem. The rounds of both alternate. Prints the
//! medians, and their ratio with its minimum and maximum.
//!
//!     cargo run --release -p ketch-regex --example misses

use std::time::Instant;

use ketch_regex::{Options, Regex};
use memchr::memmem::Finder;

const ROUNDS: usize = 15;

/// Patterns, and the literal that each requires.
const PATTERNS: &[(&str, &str)] = &[
    ("zebra_q", "zebra_q"),
    ("zebra_q\\d+", "zebra_q"),
    ("\\w+\\s+zebra_q\\d+", "zebra_q"),
    (".*zebra_q\\d", "zebra_q"),
    ("(?<=user=)zebra_q\\d+", "zebra_q"),
    ("^.*?zebra_q$", "zebra_q"),
    ("(?>\\w+)@zebra_q", "@zebra_q"),
    ("(\\w+)=\\1zebra_q", "zebra_q"),
    ("(?=.*zebra_q)\\w+", "zebra_q"),
    ("\\bzebra_q\\b", "zebra_q"),
    ("[a-z]{1,8}#zebra", "#zebra"),
    ("(?:\\d+zebra_q)+", "zebra_q"),
    ("(?~zebra)zebra_q", "zebra_q"),
    ("\\Kzebra_q", "zebra_q"),
    ("x*+zebra_q", "zebra_q"),
    ("(a)?(?(1)b|c)zebra_q", "zebra_q"),
    ("\\d+(?:\\.\\d+)?qqj", "qqj"),
    ("(?<year>\\d{4})zqj(?<day>\\d+)", "zqj"),
    ("\\R*zebra_q\\X", "zebra_q"),
    ("(?m).*zebra_q.*", "zebra_q"),
];

fn main() {
    let line = "2026-11-24T10:00:00Z host=web-17 user=alice level=info msg=\"request done\" ms=12.5 path=/a/b?c=d\n";
    let text = line.repeat((8 << 20) / line.len()).into_bytes();
    for (pattern, literal) in PATTERNS {
        let regex = match Regex::new(pattern, Options::default()) {
            Ok(regex) => regex,
            Err(error) => return println!("{pattern}: {error}"),
        };
        let finder = Finder::new(literal);
        let mut rounds: Vec<(f64, f64)> = Vec::new();
        for _ in 0..ROUNDS {
            let start = Instant::now();
            assert_eq!(regex.find(&text), Ok(None), "{pattern}");
            let ours = start.elapsed().as_secs_f64();
            let start = Instant::now();
            assert_eq!(finder.find(&text), None, "{pattern}");
            rounds.push((ours, start.elapsed().as_secs_f64()));
        }
        let median = |mut values: Vec<f64>| {
            values.sort_by(f64::total_cmp);
            (values[0], values[ROUNDS / 2], values[ROUNDS - 1])
        };
        let rate = |seconds: f64| text.len() as f64 / seconds / 1e9;
        let (_, ours, _) = median(rounds.iter().map(|round| round.0).collect());
        let (_, theirs, _) = median(rounds.iter().map(|round| round.1).collect());
        let ratio = median(rounds.iter().map(|round| round.1 / round.0).collect());
        println!(
            "{:5.1} GB/s of {:5.1}: {:4.2} ({:4.2} to {:4.2})  {pattern}",
            rate(ours),
            rate(theirs),
            ratio.1,
            ratio.0,
            ratio.2
        );
    }
}

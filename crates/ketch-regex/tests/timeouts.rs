//! Searches in 100 MB, and the compilation of large patterns, end soon after their time.

mod cpu;

use std::time::Duration;

use cpu::Timer;
use ketch_regex::{Error, Limits, Options, Problem, Regex};

const BYTES: usize = 100_000_000;
const TIME: Duration = Duration::from_millis(5);
/// How much longer than its time a search may take. The goal is for optimized code.
const LATE: Duration = Duration::from_millis(if cfg!(debug_assertions) { 1_000 } else { 50 });

fn options() -> Options {
    Options { limits: Limits { time: Some(TIME), ..Limits::default() }, ..Options::default() }
}

/// Runs something that must exceed its time, but not by much.
fn stops(what: &str, run: impl FnOnce() -> Result<(), Error>) {
    let timer = Timer::start();
    let result = run();
    let time = timer.elapsed();
    println!("{what}: {time:?}");
    let problem = result.map_err(|error| error.problem().clone());
    assert_eq!(problem, Err(Problem::Timeout(TIME.as_millis())), "{what}");
    assert!(time < TIME + LATE, "{what}: {time:?}");
}

#[test]
fn searches_stop_in_time() {
    let text = "ab \u{e9}".repeat(BYTES / 5).into_bytes();
    // What the plan, the automata, the threads and the memo machine spend the time on.
    for pattern in [
        "zebra",
        "zebra|quagga|okapi",
        "(?i:zebra)",
        r"[ab]+\d",
        r"\b[^a]\d\b",
        r"(?:a(b) .)*\d",
        r"(?:[ab ]*(?=(.))\u{e9})*+\d",
        r"(?:a(?~x))*+\d",
        r"(a*)\1\d",
    ] {
        let regex = Regex::new(pattern, options()).unwrap();
        stops(pattern, || regex.captures(&text).map(|_| ()));
        stops(pattern, || regex.rfind_at(&text, text.len()).map(|_| ()));
    }
}

#[test]
fn compilation_stops_in_time() {
    for pattern in [
        r"(?:\p{L}{1,100}){1,100}",
        r"(?i:\p{L}(?=a)){20000}",
        r"(?:(?:(?~\p{L}{50})a)\p{L}{50}){500}",
        r"(?:(?:a|b|c){1,1000}){1,1000}",
        &r"(?<=a)[\p{L}&&[^a]]".repeat(2_000),
    ] {
        let name: String = pattern.chars().take(40).collect();
        stops(&name, || Regex::new(pattern, options()).map(|_| ()));
    }
}

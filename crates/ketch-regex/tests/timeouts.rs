//! Searches in 100 MB, and the compilation of large patterns, end soon after their time.

mod cpu;

use std::time::Duration;

use cpu::Timer;
use ketch_regex::{Error, Limits, Options, Problem, Regex, Set, SetCaptures};

const BYTES: usize = 100_000_000;
const TIME: Duration = Duration::from_millis(5);
/// The maximum time by which a search may exceed its limit. The goal is for optimized code.
const LATE: Duration = Duration::from_millis(if cfg!(debug_assertions) { 1_000 } else { 50 });

fn options() -> Options {
    Options { limits: Limits { time: Some(TIME), ..Limits::default() }, ..Options::default() }
}

/// Checks that `run` exceeds its time limit of `TIME`, but not by much.
fn stops(what: &str, run: impl FnOnce() -> Result<(), Error>) {
    stops_after(TIME, what, run);
}

/// Checks that `run` exceeds its time limit of `limit`, but not by much.
fn stops_after(limit: Duration, what: &str, run: impl FnOnce() -> Result<(), Error>) {
    let timer = Timer::start();
    let result = run();
    let time = timer.elapsed();
    println!("{what}: {time:?}");
    let problem = result.map_err(|error| error.problem().clone());
    assert_eq!(problem, Err(Problem::Timeout(limit.as_millis())), "{what}");
    assert!(time < limit + LATE, "{what}: {time:?}");
}

#[test]
fn searches_stop_in_time() {
    let text = "ab \u{e9}".repeat(BYTES / 5).into_bytes();
    // The plan, the automata, the threads and the memo machine spend the time on these patterns.
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
        // A search for a literal can read all of the text in 4 ms.
        let time = if pattern == "zebra" { TIME / 5 } else { TIME };
        let compile = || {
            let mut options = options();
            options.limits.time = Some(time);
            Regex::new(pattern, options).ok()
        };
        // On a busy machine, compiling may sometimes take longer.
        let regex = (0..20).find_map(|_| compile()).expect("a pattern that compiles in time");
        stops_after(time, pattern, || regex.captures(&text).map(|_| ()));
        stops_after(time, pattern, || regex.rfind_at(&text, text.len()).map(|_| ()));
    }
}

#[test]
fn searches_of_sets_stop_in_time() {
    let text = "ab \u{e9}".repeat(BYTES / 5).into_bytes();
    for (end, name) in [("", "regular"), ("(?=c)", "mixed"), (r"\b", "word boundaries")] {
        // Each pattern alone stays within the time, and there are 200 of them.
        let patterns: Vec<String> = (0..200).map(|n| format!("[ab]+{n}x{end}")).collect();
        let set = Set::new(patterns.iter().map(String::as_str), Options::default()).unwrap();
        assert_eq!(set.matches(b"ab7x").map(|found| found.len()), Ok(usize::from(end != "(?=c)")));
        let mut options = options();
        options.limits.time = Some(10 * TIME);
        let set = Set::new(patterns.iter().map(String::as_str), options).unwrap();
        stops_after(10 * TIME, name, || set.matches(&text).map(|_| ()));
        let mut captures = SetCaptures::new();
        stops_after(10 * TIME, name, || set.find_at(&text, 0, &mut captures).map(|_| ()));
    }
}

#[test]
fn compilation_of_sets_stops_in_time() {
    let patterns: Vec<String> = (0..2_000).map(|n| format!(r"\p{{L}}{{1,20}}{n}(?=a)")).collect();
    stops("a set of 2,000 patterns", || {
        let set = Set::new(patterns.iter().map(String::as_str), options());
        set.map(|_| ()).map_err(|error| error.error)
    });
}

#[test]
fn parsing_stops_in_time() {
    let names = |n: usize| format!("(?<n{n}>a)");
    let called: String = (1..4_000).map(|n| format!("(?<n{n}>\\g<n{}>)", n - 1)).collect();
    for (name, pattern) in [
        ("letters", "a".repeat(15_000_000)),
        ("classes", "[a-c]".repeat(3_000_000)),
        ("one class", format!("[{}]", "ab".repeat(7_000_000))),
        ("groups", "(?:a|b)".repeat(2_000_000)),
        ("repeats", "a{2}+?".repeat(2_500_000)),
        ("a comment", format!("(?#{})", "a".repeat(15_000_000))),
        ("a line of a comment", format!("(?x)#{}\na", "a".repeat(15_000_000))),
        ("escapes", r"\u{61 62}".repeat(1_600_000)),
        ("calls", (0..5_000).map(names).collect::<String>() + &r"\g<n4999>".repeat(20_000)),
        ("calls of calls", called + "(?<n0>a)"),
        ("100 MB", "a".repeat(BYTES)),
    ] {
        let timer = Timer::start();
        let result = Regex::new(&pattern, options());
        let time = timer.elapsed();
        println!("{name}: {time:?}");
        assert!(time < TIME + LATE, "{name}: {time:?}");
        // Comments are read within the time.
        let problem = result.map(|_| ()).map_err(|error| error.problem().clone());
        if name == "100 MB" {
            assert_eq!(problem, Err(Problem::ProgramSize(Limits::default().program_bytes)));
        } else if !name.contains("comment") {
            assert_eq!(problem, Err(Problem::Timeout(TIME.as_millis())), "{name}");
        }
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

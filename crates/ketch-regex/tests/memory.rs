//! Searches texts of 100 MB, and checks that they allocate no more than their limit.

mod peak;

use ketch_regex::{Limits, Options, Problem, Regex};
use peak::{peak, start};

/// The factor by which texts and limits are smaller where code is not optimized.
const SCALE: usize = if cfg!(debug_assertions) { 10 } else { 1 };
const BYTES: usize = 100_000_000 / SCALE;
const MEMORY: usize = (64 << 20) / SCALE;
/// The maximum number of bytes for everything else: compiling, the caches of automata and the
/// program.
const BESIDES: usize = 24 << 20;

/// All searches are in one test, so that no other test allocates at the same time.
#[test]
fn searches_stay_within_their_memory() {
    let letters = "a".repeat(BYTES);
    let words = "ab \u{e9}".repeat(BYTES / 5);
    let rows = [
        (r"(?>a*)*b|a(?=b)", &letters, Some(false)),
        (r"(?:a(?!c)|a)*(?<=b)", &letters, None),
        (r"(?:(a)(?=(a)))*(?<=b)", &letters, None),
        (r"(?:(?>(a)|b)*c)?(?<=b)", &letters, None),
        (r"(a*)*\z(?<!a)", &letters, None),
        (r"(a*)\1b", &letters, None),
        (r"(?<p>a\g<p>?b?)c", &letters, None),
        (r"(?:[ab ](?~b)|\u{e9})*+(?<=c)", &words, None),
        (r"(?:a(b) (.))*\z", &words, Some(true)),
        (r"[ab ]+(?:(?=\u{e9})\u{e9}[ab ]+)*c", &words, None),
        (r"\b(\w)+\b\d", &words, None),
    ];
    for (pattern, text, found) in rows {
        let limits = Limits { memory_bytes: MEMORY, ..Limits::default() };
        let regex = Regex::new(pattern, Options { limits, ..Options::default() }).unwrap();
        let before = start();
        let answer = regex.captures(text.as_bytes()).map(|captures| captures.is_some());
        let used = before.zip(peak()).map(|(before, peak)| peak - before);
        println!("{pattern}: {answer:?}, {used:?} bytes");
        assert!(used.is_none_or(|used| used < MEMORY + BESIDES), "{pattern}: {used:?} bytes");
        match (answer, found) {
            (Ok(answer), Some(found)) => assert_eq!(answer, found, "{pattern}"),
            (Ok(answer), None) => assert!(!answer, "{pattern}"),
            (Err(error), _) => {
                let problem = error.problem();
                let limit = matches!(problem, Problem::Memory(MEMORY) | Problem::Fuel(_));
                assert!(limit, "{pattern}: {problem}");
            }
        }
    }
}

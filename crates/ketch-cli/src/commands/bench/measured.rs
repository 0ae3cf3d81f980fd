//! The times and counts that were measured for a stage.

use crate::args::{BenchArgs, Stage};
use crate::file_name;
use crate::stats::{Millis, Rate};
use crate::status::Failure;
use indicatif::HumanCount;
use serde::Serialize;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// The names and values of the counts of one round. They are equal in all rounds.
pub type Counts = Vec<(&'static str, u64)>;

/// The times of all rounds, and the counts that each of them returned.
pub struct Measured {
    rounds: Vec<Duration>,
    counts: Counts,
    /// An additional time in nanoseconds, and the text that follows it.
    pub each_ns: Option<(&'static str, f64)>,
}

impl Measured {
    /// Calls `work` once to check the input and get the expected counts, and then measures the time
    /// of `rounds` more calls.
    pub fn new(
        rounds: u32,
        mut work: impl FnMut() -> Result<Counts, Failure>,
    ) -> Result<Measured, Failure> {
        let counts = work()?;
        let mut times = Vec::with_capacity(rounds as usize);
        for _ in 0..rounds {
            let start = Instant::now();
            let found = black_box(work()?);
            times.push(start.elapsed());
            assert_eq!(found, counts, "every round finds the same");
        }
        Ok(Measured { rounds: times, counts, each_ns: None })
    }

    /// Sorts the times, starting with the shortest.
    pub fn sort(&mut self) {
        self.rounds.sort();
    }

    /// Returns the sum of the times of all rounds.
    fn total(&self) -> Duration {
        self.rounds.iter().sum()
    }

    /// Returns the result as text. `bytes` is the size of the input.
    pub fn in_words(&self, args: &BenchArgs, bytes: usize) -> String {
        let elapsed = self.total();
        let all_bytes = bytes as u64 * self.rounds.len() as u64;
        let counts: Vec<String> = self.counts.iter().map(|&(what, n)| counted(n, what)).collect();
        let each = self.each_ns.map_or(String::new(), |(what, ns)| format!(", {ns:.1} ns {what}"));
        format!(
            "{} {} {} times took {} ms ({} MB/s)\n{}{each}",
            participle(args.stage),
            file_name::shown(&args.file),
            self.rounds.len(),
            Millis(elapsed),
            Rate { bytes: all_bytes, elapsed },
            counts.join(", "),
        )
    }

    /// Returns the result as JSON. `bytes` is the size of the input. The times must be sorted.
    pub fn as_json(&self, args: &BenchArgs, bytes: usize) -> serde_json::Result<String> {
        let elapsed = self.total();
        let rate = |bytes, elapsed| Rate { bytes, elapsed }.megabytes_per_second();
        let (min, median) = (self.rounds[0], self.rounds[self.rounds.len() / 2]);
        let max = self.rounds[self.rounds.len() - 1];
        serde_json::to_string(&Report {
            file: file_name::shown(&args.file),
            stage: args.stage.name(),
            simd: args.read.options().level.name(),
            version: env!("CARGO_PKG_VERSION"),
            bytes: bytes as u64,
            rounds: self.rounds.len(),
            total_ms: milliseconds(elapsed),
            min_ms: milliseconds(min),
            median_ms: milliseconds(median),
            max_ms: milliseconds(max),
            mb_per_s: rate(bytes as u64 * self.rounds.len() as u64, elapsed),
            best_mb_per_s: rate(bytes as u64, min),
            median_mb_per_s: rate(bytes as u64, median),
            counts: self.counts.iter().copied().collect(),
            ns_per_scalar: self.each_ns.map(|(_, ns)| ns),
        })
    }
}

/// Returns `time` in milliseconds. It is converted from whole nanoseconds, so that its shortest
/// decimal form has at most six digits after the point.
fn milliseconds(time: Duration) -> f64 {
    time.as_nanos() as f64 / 1e6
}

/// Returns what the stage does, as a participle.
fn participle(stage: Stage) -> &'static str {
    match stage {
        Stage::Scan => "scanning",
        Stage::Parse => "parsing",
        Stage::Tree => "composing",
        Stage::Resolve => "resolving",
    }
}

/// Returns a count with its name, such as `3 events`. `what` is a plural, which becomes a singular
/// for a count of 1.
fn counted(count: u64, what: &str) -> String {
    let what = what.replace('_', " ");
    let what = if count == 1 { what.trim_end_matches('s') } else { &what };
    format!("{} {what}", HumanCount(count))
}

/// The result as it is printed in JSON. 1 MB is a million bytes.
#[derive(Serialize)]
struct Report<'a> {
    file: &'a str,
    stage: &'static str,
    simd: &'static str,
    version: &'static str,
    bytes: u64,
    rounds: usize,
    total_ms: f64,
    min_ms: f64,
    median_ms: f64,
    max_ms: f64,
    mb_per_s: f64,
    best_mb_per_s: f64,
    median_mb_per_s: f64,
    counts: std::collections::BTreeMap<&'static str, u64>,
    ns_per_scalar: Option<f64>,
}

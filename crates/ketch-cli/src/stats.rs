//! Formats the statistics of a run as one line.

use crate::reports::counted;
use indicatif::{DecimalBytes, HumanCount};
use std::fmt;
use std::time::Duration;

/// The totals of a run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stats {
    pub files: u64,
    pub bytes: u64,
    pub documents: u64,
    pub items: u64,
}

impl Stats {
    /// Returns the line that reports the statistics. `items` is "events" or "nodes", and `elapsed`
    /// the time that the run took.
    pub fn line(&self, items: &str, elapsed: Duration) -> String {
        format!(
            "{}, {}, {}, {} {items} in {} ms ({} MB/s)",
            counted(self.files, "file"),
            DecimalBytes(self.bytes),
            counted(self.documents, "document"),
            HumanCount(self.items),
            Millis(elapsed),
            Rate { bytes: self.bytes, elapsed },
        )
    }
}

/// A time, which is written in milliseconds with at least three digits.
pub struct Millis(pub Duration);

impl fmt::Display for Millis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        significant(f, self.0.as_secs_f64() * 1e3)
    }
}

/// A speed, which is written in millions of bytes per second.
pub struct Rate {
    pub bytes: u64,
    pub elapsed: Duration,
}

impl Rate {
    /// Returns the speed in MB/s, or 0 if no time has elapsed.
    pub fn megabytes_per_second(&self) -> f64 {
        let seconds = self.elapsed.as_secs_f64();
        if seconds > 0.0 { self.bytes as f64 / seconds / 1e6 } else { 0.0 }
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        significant(f, self.megabytes_per_second())
    }
}

/// Writes `number` with up to three decimals, so that it has at least three digits.
fn significant(f: &mut fmt::Formatter<'_>, number: f64) -> fmt::Result {
    let decimals = match number {
        100.0.. => 0,
        10.0.. => 1,
        1.0.. => 2,
        _ => 3,
    };
    write!(f, "{number:.decimals$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statistics_are_one_line_with_units() {
        let stats = Stats { files: 1, bytes: 5_000_000, documents: 2, items: 12_345 };
        assert_eq!(
            stats.line("events", Duration::from_micros(12_500)),
            "1 file, 5.00 MB, 2 documents, 12,345 events in 12.5 ms (400 MB/s)"
        );
        assert!(Stats::default().line("events", Duration::ZERO).ends_with("(0.000 MB/s)"));
    }
}

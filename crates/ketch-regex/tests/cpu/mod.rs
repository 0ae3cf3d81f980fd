//! Measures processor time.

use std::time::{Duration, Instant};

/// The processor time of this thread, or the time of the clock if the system does not report it.
pub struct Timer(Instant, Duration);

impl Timer {
    /// Starts a timer.
    pub fn start() -> Timer {
        let clock = Instant::now();
        Timer(clock, now(clock))
    }

    /// Returns the time since the timer was started. Linux counts it in steps of a few
    /// milliseconds.
    pub fn elapsed(&self) -> Duration {
        now(self.0) - self.1
    }
}

fn now(clock: Instant) -> Duration {
    let read = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanos = read.and_then(|line| line.split(' ').next()?.parse().ok());
    nanos.map_or_else(|| clock.elapsed(), Duration::from_nanos)
}

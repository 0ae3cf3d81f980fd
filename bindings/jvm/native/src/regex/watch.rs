//! Interrupts and time limits of searches.
//!
//! The engine calls [`poll`] after every 65,536 steps. It calls Java, which lets other threads of Ruby raise an
//! exception here, and stops the search after an exception, or if its time is over.

use super::failure;
use crate::env;
use ketch_regex::{Error, Problem};
use std::cell::Cell;
use std::time::{Duration, Instant};

thread_local! {
    /// When the search has to end.
    static DEADLINE: Cell<Option<Instant>> = const { Cell::new(None) };
    /// Whether that has stopped it.
    static IS_LATE: Cell<bool> = const { Cell::new(false) };
}

/// The reason why a search ended without a result.
#[derive(Debug)]
pub enum Stop {
    /// An exception of Java is pending.
    Thrown,
    /// An error, as fields.
    Failed(Vec<u8>),
}

/// Returns a time limit in seconds as a duration; 0 stands for no limit.
pub fn limit(seconds: f64) -> Option<Duration> {
    if seconds > 0.0 { Duration::try_from_secs_f64(seconds).ok() } else { None }
}

/// Called by the engine. Returns whether to stop the search.
pub fn poll() -> bool {
    let deadline = DEADLINE.get();
    if deadline.is_some_and(|deadline| Instant::now() > deadline) {
        IS_LATE.set(true);
        return true;
    }
    let stops = env::poll();
    // A search of the code that Java ran has its own deadline.
    DEADLINE.set(deadline);
    stops
}

/// Lets Java run between two searches.
pub fn check() -> Result<(), Stop> {
    if env::poll() { Err(Stop::Thrown) } else { Ok(()) }
}

/// Runs a search for at most this time.
#[inline]
pub fn watched<T>(
    limit: Option<Duration>,
    run: impl FnOnce() -> ketch_regex::Result<T>,
) -> Result<T, Stop> {
    DEADLINE.set(limit.and_then(|limit| Instant::now().checked_add(limit)));
    run().map_err(|error| stop(&error))
}

/// Returns the reason why a search has stopped.
#[cold]
fn stop(error: &Error) -> Stop {
    match error.problem() {
        Problem::Interrupted if IS_LATE.take() => Stop::Failed(failure::late()),
        Problem::Interrupted => Stop::Thrown,
        _ => Stop::Failed(failure::of(error)),
    }
}

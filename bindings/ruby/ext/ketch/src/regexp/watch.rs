//! Interrupts and time limits of searches.
//!
//! The engine calls [`poll`] after every 65,536 steps. A short search is first made without watch, on bytes
//! that Ruby code could change: if it lasts, `poll` stops it, and it is made again on a frozen copy of the
//! string, which shares its bytes. Then `poll` lets other threads run, and stops the search after an
//! exception or if its time is over.

use super::failure;
use crate::interrupt;
use ketch_host::reserve;
use magnus::{Error, Ruby};
use std::cell::{Cell, RefCell};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Longer texts are watched from the start.
pub const LONG_BYTES: usize = 32 << 10;

/// The limit of all patterns without their own, as the bits of a float; 0 for none.
static DEFAULT_LIMIT: AtomicU64 = AtomicU64::new(0);

/// The reason why a search was stopped.
enum Stopped {
    Raised(Error),
    Late,
}

thread_local! {
    /// Whether the search is watched, and until when.
    static WATCHED: Cell<Option<Option<Instant>>> = const { Cell::new(None) };
    /// Ruby does not run, and collects nothing, until this is taken.
    static STOPPED: RefCell<Option<Stopped>> = const { RefCell::new(None) };
}

/// Returns the time limit of patterns without their own, in seconds.
pub fn default_limit() -> Option<f64> {
    let limit = f64::from_bits(DEFAULT_LIMIT.load(Ordering::Relaxed));
    (limit > 0.0).then_some(limit)
}

/// Sets that limit.
pub fn set_default_limit(limit: Option<f64>) {
    DEFAULT_LIMIT.store(limit.unwrap_or(0.0).to_bits(), Ordering::Relaxed);
}

/// Called by the engine. Returns whether to stop the search.
pub fn poll() -> bool {
    let Some(deadline) = WATCHED.get() else { return true };
    let stop = |why| {
        STOPPED.with(|stopped| *stopped.borrow_mut() = Some(why));
        true
    };
    if deadline.is_some_and(|deadline| Instant::now() > deadline) {
        return stop(Stopped::Late);
    }
    // Other searches of this thread are not watched, until they are.
    WATCHED.set(None);
    let checked = interrupt::check();
    WATCHED.set(Some(deadline));
    match checked {
        Ok(()) => false,
        Err(error) => stop(Stopped::Raised(error)),
    }
}

/// Runs Ruby code in the middle of a search.
pub fn unwatched<T>(run: impl FnOnce() -> T) -> T {
    let outer = WATCHED.replace(None);
    let result = run();
    WATCHED.set(outer);
    result
}

/// Runs a search in bytes that Ruby code cannot change, of `len` bytes, for at most `limit` seconds.
pub fn watched<T>(
    ruby: &Ruby,
    limit: Option<f64>,
    len: usize,
    run: impl FnOnce() -> ketch_regex::Result<T>,
) -> Result<T, Error> {
    // A search needs memory for its tables, whatever the length of the text.
    let _reserve = match len {
        0..LONG_BYTES => None,
        _ => Some(reserve::hold_for(len.max(1 << 20)).ok_or_else(|| {
            Error::new(ruby.exception_no_mem_error(), "failed to allocate memory")
        })?),
    };
    let deadline = limit.map(|limit| Instant::now() + Duration::from_secs_f64(limit));
    let outer = WATCHED.replace(Some(deadline));
    let found = run();
    WATCHED.set(outer);
    if let Ok(found) = found {
        return Ok(found);
    }
    match STOPPED.with(|stopped| stopped.borrow_mut().take()) {
        Some(Stopped::Raised(error)) => Err(error),
        Some(Stopped::Late) => Err(failure::timeout(ruby)),
        None => found.map_err(|error| failure::of(ruby, &error)),
    }
}

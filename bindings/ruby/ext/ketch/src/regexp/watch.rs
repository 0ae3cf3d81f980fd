//! Interrupts and time limits of searches.
//!
//! The engine calls [`poll`] after every 65,536 steps. Only watched searches may run Ruby code
//! there, since Ruby code could change the string. So a short search first runs without being
//! watched. If it takes long, `poll` stops it, and the search is repeated, watched, in a frozen
//! copy of the string that shares its bytes. Then `poll` lets other threads run, and stops the
//! search if an exception is raised or the time limit is exceeded.

use super::failure;
use crate::interrupt;
use ketch_host::reserve;
use magnus::{Error, Ruby};
use std::cell::{Cell, RefCell};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The length in bytes from which a text is watched from the start.
pub const LONG_BYTES: usize = 32 << 10;

/// The time limit of all patterns that have none of their own, as the bits of a float; 0 if there
/// is no limit.
static DEFAULT_LIMIT: AtomicU64 = AtomicU64::new(0);

/// The reason why a search was stopped.
enum Stopped {
    Raised(Error),
    Late,
}

thread_local! {
    /// `None` if the current search is not watched; otherwise, its deadline, if it has one.
    static WATCHED: Cell<Option<Option<Instant>>> = const { Cell::new(None) };
    /// The reason why the current search was stopped. Until it is taken, Ruby does not run, so an
    /// exception in it is not collected.
    static STOPPED: RefCell<Option<Stopped>> = const { RefCell::new(None) };
}

/// Returns the time limit of patterns that have none of their own, in seconds.
pub fn default_limit() -> Option<f64> {
    let limit = f64::from_bits(DEFAULT_LIMIT.load(Ordering::Relaxed));
    (limit > 0.0).then_some(limit)
}

/// Sets the time limit of patterns that have none of their own, in seconds.
pub fn set_default_limit(limit: Option<f64>) {
    DEFAULT_LIMIT.store(limit.unwrap_or(0.0).to_bits(), Ordering::Relaxed);
}

/// Returns whether to stop the current search. The engine calls this regularly.
pub fn poll() -> bool {
    let Some(deadline) = WATCHED.get() else { return true };
    let stop = |why| {
        STOPPED.with(|stopped| *stopped.borrow_mut() = Some(why));
        true
    };
    if deadline.is_some_and(|deadline| Instant::now() > deadline) {
        return stop(Stopped::Late);
    }
    // Searches that other Ruby code of this thread starts meanwhile are not watched by this one's
    // deadline.
    WATCHED.set(None);
    let checked = interrupt::check();
    WATCHED.set(Some(deadline));
    match checked {
        Ok(()) => false,
        Err(error) => stop(Stopped::Raised(error)),
    }
}

/// Restores `WATCHED` when it is dropped, even by a panic: otherwise, a later search that is not
/// watched could run Ruby code.
struct Restore(Option<Option<Instant>>);

impl Drop for Restore {
    fn drop(&mut self) {
        WATCHED.set(self.0);
    }
}

/// Runs Ruby code that is called in the middle of a search. Searches in it are not affected by the
/// watched one.
pub fn unwatched<T>(run: impl FnOnce() -> T) -> T {
    let _outer = Restore(WATCHED.replace(None));
    run()
}

/// Runs a watched search for at most `limit` seconds. `len` is the length in bytes of the text,
/// which Ruby code cannot change.
pub fn watched<T>(
    ruby: &Ruby,
    limit: Option<f64>,
    len: usize,
    run: impl FnOnce() -> ketch_regex::Result<T>,
) -> Result<T, Error> {
    // A search also needs memory for its tables, so at least 1 MiB is reserved for a long text.
    let _reserve = match len {
        0..LONG_BYTES => None,
        _ => Some(reserve::hold_for(len.max(1 << 20)).ok_or_else(|| {
            Error::new(ruby.exception_no_mem_error(), "failed to allocate memory")
        })?),
    };
    let deadline = limit.map(|limit| Instant::now() + Duration::from_secs_f64(limit));
    let outer = Restore(WATCHED.replace(Some(deadline)));
    let found = run();
    drop(outer);
    if let Ok(found) = found {
        return Ok(found);
    }
    match STOPPED.with(|stopped| stopped.borrow_mut().take()) {
        Some(Stopped::Raised(error)) => Err(error),
        Some(Stopped::Late) => Err(failure::timeout(ruby)),
        None => found.map_err(|error| failure::of(ruby, &error)),
    }
}

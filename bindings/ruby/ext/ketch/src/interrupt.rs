//! Interrupts in the middle of a document: the parser regularly checks whether it has to stop.
//!
//! An exception must not unwind the parser's stack frames, because they own memory. So the
//! exception is stored here, the parser stops with [`Problem::Interrupted`], and its caller raises
//! the exception.

use crate::ruby;
use ketch_host::breaks::{self, Converted};
use ketch_host::reserve;
use ketch_yaml::{Options, Problem};
use magnus::{Error, Ruby};
use std::cell::{Cell, RefCell};
use std::time::{Duration, Instant};

/// The length of Ruby's time slices.
const SLICE: Duration = Duration::from_millis(100);

/// The exception that an interrupt has raised.
pub type Raised = Error;

thread_local! {
    /// The time at which `check` last let other threads run.
    static YIELDED: Cell<Option<Instant>> = const { Cell::new(None) };
    /// The exception that an interrupt has raised. Until it is taken, Ruby does not run, so the
    /// exception is not collected.
    static RAISED: RefCell<Option<Raised>> = const { RefCell::new(None) };
}

/// Makes parsers that use `options` interruptible. They may only run on Ruby threads that hold the
/// GVL.
pub fn allow(options: &mut Options) {
    options.interrupt = Some(stop);
}

/// Returns the exception for an allocation that has failed.
pub fn no_memory(ruby: &Ruby) -> Error {
    Error::new(ruby.exception_no_mem_error(), "failed to allocate memory")
}

/// Takes the reserve of memory if it was deferred, and lets other threads run. Returns whether the
/// load has to stop.
fn stop() -> bool {
    let held = match (reserve::hold_deferred(), Ruby::get()) {
        (false, Ok(ruby)) => Err(no_memory(&ruby)),
        _ => Ok(()),
    };
    held.and_then(|()| check())
        .map_err(|error| RAISED.with(|raised| *raised.borrow_mut() = Some(error)))
        .is_err()
}

/// Lets other threads run. Fails with the exception that one of them, a signal or a timeout has
/// raised in this thread.
///
/// Since version 3.3, Ruby counts 10 ms for each check that follows a tick of its timer, and
/// switches threads when it has counted to 100 ms. In the middle of a long scalar, checks can be
/// more than 100 ms apart. So this function forces a switch if the last one was 100 ms ago;
/// otherwise, a timeout would never fire there.
pub fn check() -> Result<(), Error> {
    let now = Instant::now();
    let is_due = YIELDED.get().is_none_or(|last| now.duration_since(last) >= SLICE);
    if is_due {
        YIELDED.set(Some(now));
    }
    ruby::protect(|| {
        if is_due {
            ruby::yield_to_threads();
        }
        ruby::check_interrupts();
        ruby::NIL
    })
    .map(|_| ())
}

/// Returns the exception that an interrupt has raised, if that is why the parser stopped with
/// `error`.
pub fn take(error: &ketch_yaml::Error) -> Option<Raised> {
    if error.problem() != Problem::Interrupted {
        return None;
    }
    RAISED.with(|raised| raised.borrow_mut().take())
}

/// Converts the line breaks that only YAML 1.1 has to those of YAML 1.2. Returns `None` if the text
/// contains none. Fails if an interrupt raises an exception.
pub fn converted_breaks(bytes: &[u8]) -> Result<Option<Converted>, Raised> {
    let mut options = Options::default();
    allow(&mut options);
    breaks::convert(bytes, &options).or_else(|error| take(&error).map_or(Ok(None), Err))
}

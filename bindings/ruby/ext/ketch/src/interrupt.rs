//! Interrupts in the middle of a document: the parser regularly checks whether to stop.
//!
//! An exception must not unwind the parser's frames, which own memory. So it is stored here, the
//! parser stops with [`Problem::Interrupted`], and the caller raises it.

use crate::ruby;
use ketch_host::breaks::{self, Converted};
use ketch_host::reserve;
use ketch_yaml::{Options, Problem};
use magnus::{Error, Ruby};
use std::cell::{Cell, RefCell};
use std::time::{Duration, Instant};

/// Ruby's time slice.
const SLICE: Duration = Duration::from_millis(100);

/// The exception of an interrupt.
pub type Raised = Error;

thread_local! {
    /// When `check` last let other threads run.
    static YIELDED: Cell<Option<Instant>> = const { Cell::new(None) };
    /// The exception of an interrupt. Ruby does not run, and collects nothing, until it is taken.
    static RAISED: RefCell<Option<Raised>> = const { RefCell::new(None) };
}

/// Makes a parser with these options interruptible. It may only run on a Ruby thread that holds the
/// GVL.
pub fn allow(options: &mut Options) {
    options.interrupt = Some(stop);
}

/// Returns the exception for too little memory.
pub fn no_memory(ruby: &Ruby) -> Error {
    Error::new(ruby.exception_no_mem_error(), "failed to allocate memory")
}

/// Holds a reserve that was deferred, and lets other threads run. Returns whether the load must end.
fn stop() -> bool {
    let held = match (reserve::hold_deferred(), Ruby::get()) {
        (false, Ok(ruby)) => Err(no_memory(&ruby)),
        _ => Ok(()),
    };
    held.and_then(|()| check())
        .map_err(|error| RAISED.with(|raised| *raised.borrow_mut() = Some(error)))
        .is_err()
}

/// Lets other threads run. Fails with the exception that they, a signal or a timeout raised in this
/// one.
///
/// Since version 3.3, Ruby counts 10 ms for each check that follows a tick of its timer, and
/// switches after ten. In the middle of a long scalar, checks are more than 100 ms apart. So this
/// function forces a switch after that time; otherwise a timeout would never fire there.
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

/// Returns the exception of an interrupt, if that stopped the parser.
pub fn take(error: &ketch_yaml::Error) -> Option<Raised> {
    if error.problem() != Problem::Interrupted {
        return None;
    }
    RAISED.with(|raised| raised.borrow_mut().take())
}

/// Converts other line breaks to those of YAML 1.2. Returns `None` if the text has no others. Fails
/// if it is interrupted.
pub fn converted_breaks(bytes: &[u8]) -> Result<Option<Converted>, Raised> {
    let mut options = Options::default();
    allow(&mut options);
    breaks::convert(bytes, &options).or_else(|error| take(&error).map_or(Ok(None), Err))
}

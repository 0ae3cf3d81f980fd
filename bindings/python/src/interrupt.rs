//! Handles signals and running out of memory in the middle of a document: the parser regularly
//! checks whether to stop.
//!
//! An exception cannot pass through the parser. So it is stored here, the parser stops with
//! [`Problem::Interrupted`], and the caller raises it.

use ketch_host::breaks::{self, Converted};
use ketch_host::reserve;
use ketch_yaml::{Options, Problem};
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use std::cell::RefCell;

/// The exception of a signal handler.
pub type Raised = PyErr;

thread_local! {
    /// The exception of a signal handler.
    static RAISED: RefCell<Option<Raised>> = const { RefCell::new(None) };
}

/// Makes a parser with these options interruptible, on a thread attached to the interpreter.
pub fn allow(options: &mut Options) {
    options.interrupt = Some(stop);
}

/// Runs signal handlers. Returns whether the load must end.
fn stop() -> bool {
    let Err(error) = Python::attach(check) else { return false };
    RAISED.with(|raised| *raised.borrow_mut() = Some(error));
    true
}

/// Runs signal handlers.
///
/// # Errors
///
/// Returns the exception that a signal handler raised, or a `MemoryError` if the reserve was
/// needed.
pub fn check(py: Python<'_>) -> PyResult<()> {
    check_memory()?;
    py.check_signals()
}

/// Fails if memory ran out.
///
/// # Errors
///
/// Returns a `MemoryError` if the reserve was needed.
#[inline(always)]
pub fn check_memory() -> PyResult<()> {
    match reserve::was_needed() {
        true => Err(PyMemoryError::new_err(())),
        false => Ok(()),
    }
}

/// Returns the exception of a signal handler, if that stopped the parser.
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

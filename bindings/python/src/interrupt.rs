//! Handles signals, and memory that runs out, in the middle of a document: the parser regularly
//! checks whether it has to stop.
//!
//! An exception cannot pass through the parser. So it is stored here, the parser stops with
//! [`Problem::Interrupted`], and its caller raises the exception.

use crate::panics;
use ketch_host::breaks::{self, Converted};
use ketch_host::reserve::{self, Held};
use ketch_yaml::{Options, Problem};
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use std::cell::RefCell;

/// The exception that a signal handler has raised, or a `MemoryError`.
pub type Raised = PyErr;

thread_local! {
    /// The exception to raise once the parser has stopped.
    static RAISED: RefCell<Option<Raised>> = const { RefCell::new(None) };
}

/// Makes parsers that use `options` interruptible. They may only run on threads that are attached
/// to the interpreter.
pub fn allow(options: &mut Options) {
    options.interrupt = Some(stop);
}

/// Runs signal handlers. Returns whether the load has to stop.
fn stop() -> bool {
    let Err(error) = Python::attach(check) else { return false };
    RAISED.with(|raised| *raised.borrow_mut() = Some(error));
    true
}

/// Holds a reserve of memory for a call that reads or writes `bytes` bytes.
///
/// # Errors
///
/// Raises a `MemoryError` if there is not enough memory for the reserve.
pub fn hold_memory(bytes: usize) -> PyResult<Held> {
    panics::panic_if_planted();
    reserve::hold_for(bytes).ok_or_else(|| PyMemoryError::new_err(()))
}

/// Runs signal handlers, and checks whether memory has run out.
///
/// # Errors
///
/// Returns the exception that a signal handler has raised, or a `MemoryError` if the reserve of
/// memory had to be used.
pub fn check(py: Python<'_>) -> PyResult<()> {
    check_memory()?;
    py.check_signals()
}

/// Checks whether memory has run out.
///
/// # Errors
///
/// Returns a `MemoryError` if the reserve of memory had to be used.
#[inline(always)]
pub fn check_memory() -> PyResult<()> {
    panics::panic_if_planted();
    match reserve::was_needed() {
        true => Err(PyMemoryError::new_err(())),
        false => Ok(()),
    }
}

/// Returns the exception to raise, if that is why the parser stopped with `error`.
pub fn take(error: &ketch_yaml::Error) -> Option<Raised> {
    if error.problem() != Problem::Interrupted {
        return None;
    }
    RAISED.with(|raised| raised.borrow_mut().take())
}

/// Converts the line breaks that only YAML 1.1 has to those of YAML 1.2. Returns `None` if the text
/// contains none. Fails if it is interrupted.
pub fn converted_breaks(bytes: &[u8]) -> Result<Option<Converted>, Raised> {
    let mut options = Options::default();
    options.final_break = false;
    allow(&mut options);
    breaks::convert(bytes, &options).or_else(|error| take(&error).map_or(Ok(None), Err))
}

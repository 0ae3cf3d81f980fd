//! The reasons why writing stops.

use ketch_yaml::present::PresentError;
use pyo3::exceptions::{PyMemoryError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::collections::TryReserveError;
use std::io::ErrorKind;

/// The reason why writing stops.
#[derive(Debug)]
pub(super) enum Stop {
    /// A collection occurs again, so anchors are needed.
    Shared,
    /// Ketch's Python code has to write the document.
    Unusual,
    Python(PyErr),
    /// Python has raised an exception that says which part of the value it is about.
    Located(PyErr),
    Present(PresentError),
}

impl Stop {
    /// Returns the exception to raise.
    pub fn into_exception(self) -> PyErr {
        match self {
            Stop::Python(error) | Stop::Located(error) => error,
            Stop::Present(PresentError::Write(error)) if error.kind() == ErrorKind::OutOfMemory => {
                PyMemoryError::new_err(())
            }
            Stop::Present(error) => PyValueError::new_err(error.to_string()),
            Stop::Shared | Stop::Unusual => {
                PyRuntimeError::new_err("a collection changed while it was written")
            }
        }
    }
}

impl From<PyErr> for Stop {
    fn from(error: PyErr) -> Stop {
        Stop::Python(error)
    }
}

impl From<ketch_host::dump::Stop> for Stop {
    fn from(stop: ketch_host::dump::Stop) -> Stop {
        match stop {
            ketch_host::dump::Stop::Again => Stop::Shared,
            ketch_host::dump::Stop::Memory(error) => no_memory(error),
            ketch_host::dump::Stop::Present(error) => Stop::Present(error),
        }
    }
}

/// Returns the reason for writing to stop when memory has run out.
pub(super) fn no_memory(_: TryReserveError) -> Stop {
    Stop::Python(PyMemoryError::new_err(()))
}

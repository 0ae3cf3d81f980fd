//! What a panic becomes in Python: a `ketch.InternalError`, after which the process goes on.

use pyo3::exceptions::PyRuntimeError;
use pyo3::panic::PanicException;
use pyo3::prelude::*;
use std::any::Any;
use std::sync::atomic::{AtomicBool, Ordering};

/// Makes the exception that PyO3 raises for a panic an ordinary one, which `except Exception` handles:
/// a subclass of `ketch.InternalError`. PyO3's own base class for it is `BaseException`.
///
/// # Errors
///
/// Fails if `ketch._errors` cannot be imported, or if the class cannot be changed.
pub fn adopt(py: Python<'_>) -> PyResult<()> {
    let class = py.get_type::<PanicException>();
    let own = py.import("ketch._errors")?.getattr("InternalError")?;
    class.setattr("__name__", own.getattr("__name__")?)?;
    class.setattr("__qualname__", own.getattr("__qualname__")?)?;
    class.setattr("__module__", own.getattr("__module__")?)?;
    // The first base class has to be one of CPython's own, because a class cannot get a base whose
    // objects are freed in another way.
    class.setattr("__bases__", (py.get_type::<PyRuntimeError>(), own))
}

/// Returns the exception for a panic, with its message.
#[cold]
pub fn exception(panic: &(dyn Any + Send)) -> PyErr {
    let message = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let message = message.or_else(|| panic.downcast_ref::<String>().cloned());
    PanicException::new_err(message.unwrap_or_else(|| "panic from Rust code".to_owned()))
}

/// Whether the next calls are to panic.
static PANICS: AtomicBool = AtomicBool::new(false);

/// Makes all calls panic from now on, or no longer. Tests use it to check what a panic becomes.
#[pyfunction]
#[pyo3(signature = (panics, /))]
pub fn plant_panic(panics: bool) {
    PANICS.store(panics, Ordering::Relaxed);
}

/// Panics if a test has requested it.
#[inline(always)]
pub fn panic_if_planted() {
    if PANICS.load(Ordering::Relaxed) {
        planted();
    }
}

#[cold]
fn planted() {
    panic!("a panic that a test has planted");
}

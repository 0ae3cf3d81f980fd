//! Values with the locations of their parts, which `ketch._located` creates from documents.

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Removes the option `positions` from `options`, and returns whether it was set.
pub fn is_requested(options: &Bound<'_, PyDict>) -> PyResult<bool> {
    let name = intern!(options.py(), "positions");
    let Some(value) = options.get_item(name)? else { return Ok(false) };
    options.del_item(name)?;
    value.is_truthy()
}

/// Returns a `ketch.Located` for the only document.
pub fn only<'py>(
    data: &Bound<'py, PyAny>,
    options: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyAny>> {
    data.py().import("ketch._located")?.getattr("only")?.call((data,), Some(options))
}

/// Returns a `ketch.Located` for each document.
pub fn all<'py>(
    data: &Bound<'py, PyAny>,
    options: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyAny>> {
    data.py().import("ketch._located")?.getattr("all_of")?.call((data,), Some(options))
}

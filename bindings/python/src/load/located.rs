//! Values with the positions of their parts: `ketch._located` makes them of documents.

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Takes the option `positions` from the others, and returns whether it is set.
pub fn is_requested(options: Option<&Bound<'_, PyDict>>) -> PyResult<bool> {
    let Some(options) = options else { return Ok(false) };
    let name = intern!(options.py(), "positions");
    let Some(value) = options.get_item(name)? else { return Ok(false) };
    options.del_item(name)?;
    value.is_truthy()
}

/// Returns the `ketch.Located` of the only document.
pub fn only<'py>(
    data: &Bound<'py, PyAny>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    data.py().import("ketch._located")?.getattr("only")?.call((data,), options)
}

/// Returns the `ketch.Located` of all documents.
pub fn all<'py>(
    data: &Bound<'py, PyAny>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    data.py().import("ketch._located")?.getattr("all_of")?.call((data,), options)
}

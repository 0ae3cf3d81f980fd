//! Values with the positions of their parts: `ketch._located` makes them of documents.

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Takes the option `positions` from the others, and returns whether it is set.
pub fn is_requested(options: &Bound<'_, PyDict>) -> PyResult<bool> {
    let name = intern!(options.py(), "positions");
    let Some(value) = options.get_item(name)? else { return Ok(false) };
    options.del_item(name)?;
    value.is_truthy()
}

/// Returns the `ketch.Located` of the only document.
pub fn only<'py>(
    data: &Bound<'py, PyAny>,
    options: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyAny>> {
    data.py().import("ketch._located")?.getattr("only")?.call((data,), Some(options))
}

/// Returns the `ketch.Located` of all documents.
pub fn all<'py>(
    data: &Bound<'py, PyAny>,
    options: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyAny>> {
    data.py().import("ketch._located")?.getattr("all_of")?.call((data,), Some(options))
}

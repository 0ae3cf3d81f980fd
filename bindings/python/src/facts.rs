//! Creates strings, numbers, and the attributes of exceptions. PyO3's own conversions of these
//! panic when memory runs out.

use crate::host;
use ketch_host::raised::{Fact, Field};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Returns `text` as a `str`, or Python's `None` if it is `None`.
///
/// # Errors
///
/// Raises a `MemoryError` if memory runs out.
pub fn text<'py>(py: Python<'py>, text: Option<&str>) -> PyResult<Bound<'py, PyAny>> {
    match text {
        Some(text) => host::string(py, text.as_bytes(), false),
        None => Ok(py.None().into_bound(py)),
    }
}

/// Returns a count or an offset as an `int`.
///
/// # Errors
///
/// Raises a `MemoryError` if memory runs out.
pub fn number(py: Python<'_>, number: u64) -> PyResult<Bound<'_, PyAny>> {
    host::integer(py, number as i64)
}

/// Returns a tuple of `int`s.
///
/// # Errors
///
/// Raises a `MemoryError` if memory runs out.
pub fn numbers<'py, const N: usize>(
    py: Python<'py>,
    numbers: [u64; N],
) -> PyResult<Bound<'py, PyAny>> {
    let objects = numbers.iter().map(|&each| number(py, each)).collect::<PyResult<Vec<_>>>()?;
    host::tuple_of(py, &mut { objects }, 0)
}

/// Returns the attributes of an exception.
///
/// # Errors
///
/// Raises a `MemoryError` if memory runs out.
pub fn of<'f, 'py>(
    py: Python<'py>,
    fields: impl IntoIterator<Item = Field<'f>>,
) -> PyResult<Bound<'py, PyDict>> {
    let facts = host::new_dict(py)?.cast_into::<PyDict>()?;
    for (name, fact) in fields {
        let fact = match fact {
            Some(Fact::Text(words)) => text(py, Some(&words))?,
            Some(Fact::Name(words)) => text(py, Some(words))?,
            Some(Fact::Number(value)) => number(py, value)?,
            None => continue,
        };
        facts.set_item(text(py, Some(name))?, fact)?;
    }
    Ok(facts)
}

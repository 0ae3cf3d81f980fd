//! Creates strings, numbers, and the attributes of exceptions. PyO3's own conversions of these
//! panic when memory runs out.

use crate::host;
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

/// The attributes of an exception.
#[derive(Debug)]
pub struct Facts<'py>(pub Bound<'py, PyDict>);

impl<'py> Facts<'py> {
    /// Creates a dict that contains no attributes yet.
    ///
    /// # Errors
    ///
    /// Raises a `MemoryError` if memory runs out, as do the other methods.
    pub fn new(py: Python<'py>) -> PyResult<Facts<'py>> {
        Ok(Facts(host::new_dict(py)?.cast_into()?))
    }

    /// Sets an attribute to a text or, if `value` is `None`, to Python's `None`.
    pub fn set_text(&self, name: &str, value: Option<&str>) -> PyResult<()> {
        self.set(name, &text(self.0.py(), value)?)
    }

    /// Sets an attribute to a number.
    pub fn set_number(&self, name: &str, value: u64) -> PyResult<()> {
        self.set(name, &number(self.0.py(), value)?)
    }

    /// Sets an attribute.
    pub fn set(&self, name: &str, value: &Bound<'py, PyAny>) -> PyResult<()> {
        self.0.set_item(text(self.0.py(), Some(name))?, value)
    }
}

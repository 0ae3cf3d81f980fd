//! Scalars, including those of rare types.

use crate::{host, times};
use ketch_yaml::schema::{BigInt, Scalar};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyInt};

/// Returns the value of a scalar, or `None` if it is text.
///
/// # Errors
///
/// Raises a `ValueError` if Python cannot represent the integer or the time.
#[inline(never)]
pub fn value<'py, T>(
    py: Python<'py>,
    scalar: &Scalar<'_, T>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    Ok(Some(match scalar {
        Scalar::Null => py.None().into_bound(py),
        Scalar::Bool(value) => PyBool::new(py, *value).to_owned().into_any(),
        Scalar::Int(value) => host::integer(py, *value)?,
        Scalar::Float(value) => host::float(py, *value)?,
        Scalar::BigInt(value) => big_integer(py, value)?,
        Scalar::Timestamp(value) => times::object(py, value)?,
        Scalar::Binary(bytes) => host::bytes(py, bytes)?,
        Scalar::Merge | Scalar::Str(_) | Scalar::Unresolved(_) => return Ok(None),
    }))
}

/// Returns a `decimal.Decimal` with the digits of a float, or the float if it has no such form.
pub fn decimal<'py>(py: Python<'py>, text: &str, value: f64) -> PyResult<Bound<'py, PyAny>> {
    py.import("ketch._typed")?.getattr("decimal_of")?.call1((text, value))
}

/// Returns an `int` of any size. The number of its decimal digits is limited by
/// `sys.set_int_max_str_digits`, since Python takes quadratic time to convert them.
fn big_integer<'py>(py: Python<'py>, value: &BigInt<'_>) -> PyResult<Bound<'py, PyAny>> {
    let sign = if value.is_negative() { "-" } else { "" };
    let text = host::string(py, format!("{sign}{}", value.digits()).as_bytes(), true)?;
    py.get_type::<PyInt>()
        .call1(host::arguments(py, [text, host::integer(py, value.radix() as i64)?])?)
}

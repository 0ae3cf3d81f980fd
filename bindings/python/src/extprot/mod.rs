//! extprot: converts bytes to objects and back.

mod class;
mod failure;
mod options;
mod program;
mod read;
mod schema;
mod typed;
mod write;

use crate::memory;
use crate::source::Source;
pub use class::ExtprotProgram;
use options::ReadOptions;
use pyo3::prelude::*;
use pyo3::types::PyDict;
pub use schema::extprot_schema_source;
pub use write::extprot_dumps;

/// The complete values of a part of a stream, the offset after them, the error that follows, and
/// whether reading can continue after that error.
type Batch<'py> = (Vec<Bound<'py, PyAny>>, usize, Option<PyErr>, bool);

/// Return the only value in `data`; see `ketch.extprot.loads`.
#[pyfunction]
#[pyo3(signature = (data, /, **options))]
pub fn extprot_loads<'py>(
    data: &Bound<'py, PyAny>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let options = ReadOptions::from_keywords(options)?;
    let source = source(data)?;
    let mut keys = memory::lease();
    read::only_value(data.py(), source.bytes(), &options, &mut keys)
        .map_err(|stop| stop.into_exception(data.py(), 0))
}

/// Return the complete values in a part of a stream, as `Batch` describes.
#[pyfunction]
#[pyo3(signature = (data, at, base, options, /))]
pub fn extprot_batch<'py>(
    data: &Bound<'py, PyAny>,
    at: usize,
    base: u64,
    options: &Bound<'py, PyDict>,
) -> PyResult<Batch<'py>> {
    let options = ReadOptions::from_keywords(Some(options))?;
    let source = source(data)?;
    let bytes = source.bytes().get(at..).unwrap_or_default();
    let mut keys = memory::lease();
    let (values, whole, stop) = read::values(data.py(), bytes, &options, &mut keys);
    let error = stop.map(|stop| stop.into_exception(data.py(), base + at as u64));
    Ok((values, at + whole, error, false))
}

/// Returns the bytes of an object that has a buffer.
fn source<'py>(data: &Bound<'py, PyAny>) -> PyResult<Source<'py>> {
    Source::of_buffer(data)
}

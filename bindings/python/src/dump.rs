//! Objects to YAML.
//!
//! A collection that occurs more than once gets an anchor ([`ketch_host::dump`]).

mod given;
mod place;
mod pyyaml;
mod stop;
mod walk;

use crate::options::DumpOptions;
use crate::{host, interrupt};
pub use given::{Given, Leaf, Plain, Stacked, plain_value, with_leaf};
use pyo3::prelude::*;
use pyo3::types::PyDict;
pub use pyyaml::pyyaml_document;
use stop::Stop;
use walk::{Objects, Output, Text};

/// Return a document: a str, or bytes with encoding="utf-8".
///
/// indent: columns of a level. sequences: "flush" or "indented", below a key.
/// width: break lines that are longer, where possible. flow: write `{}` and `[]`.
/// ascii: write other characters as escapes. header: start with `---`.
/// sort_keys: sort the keys of dicts.
/// default: a function that returns a value for an object that cannot be written; without one,
/// `ketch.plain` is used, for dataclasses, Enum, UUID, Path and Decimal.
///
/// Collections that occur twice get an anchor. Raises TypeError for an object that cannot be
/// written.
#[pyfunction]
#[pyo3(signature = (value, /, **options), text_signature = "(value, /, *, indent=2, sequences='flush', width=None, flow=False, ascii=False, header=False, sort_keys=False, default=None, encoding=None)")]
pub fn dumps<'py>(
    value: Bound<'py, PyAny>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let options = DumpOptions::from_keywords(options)?;
    let (py, mut values) = (value.py(), Vec::with_capacity(8));
    values.push(value);
    written(py, values, &options)
}

/// Return a document for each of the values.
///
/// Takes the options of `dumps`.
#[pyfunction]
#[pyo3(signature = (values, /, **options), text_signature = "(values, /, *, indent=2, sequences='flush', width=None, flow=False, ascii=False, header=False, sort_keys=False, default=None, encoding=None)")]
pub fn dumps_all<'py>(
    values: &Bound<'py, PyAny>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let options = DumpOptions::from_keywords(options)?;
    let py = values.py();
    let values = values.try_iter()?.collect::<PyResult<Vec<_>>>()?;
    written(py, values, &options)
}

/// Writes the values, each as a document.
fn written<'py>(
    py: Python<'py>,
    values: Vec<Bound<'py, PyAny>>,
    options: &DumpOptions<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    // Large allocations below are checked. The reserve of memory is for the others.
    let _reserve = interrupt::hold_memory(0)?;
    let entries = Stacked { py, stack: values, sorts: options.sort_keys };
    let output = Output::new(Objects::new(options), entries, &options.present);
    let Text(text) = output.documents(options.header).map_err(Stop::into_exception)?;
    match options.as_bytes {
        true => host::bytes(py, &text),
        false => host::string(py, &text, false),
    }
}

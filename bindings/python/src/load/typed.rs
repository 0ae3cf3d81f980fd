//! Conversion of values to a type that the caller chooses: `ketch._typed` converts them, and the
//! code here reports where a conversion has failed.

use crate::errors;
use crate::options::LoadOptions;
use crate::source::Source;
use ketch_yaml::compose::Node;
use ketch_yaml::{Documents, Location};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict};

/// Removes the option `type` from `options`, and returns its value. Returns `None` if nothing is to
/// be converted.
pub fn take_type<'py>(options: &Bound<'py, PyDict>) -> PyResult<Option<Bound<'py, PyAny>>> {
    let name = intern!(options.py(), "type");
    let Some(target) = options.get_item(name)? else { return Ok(None) };
    options.del_item(name)?;
    Ok((!target.is_none()).then_some(target))
}

/// Returns the value of the document with the number `document`, converted to the type `target`.
pub fn converted<'py>(
    value: &Bound<'py, PyAny>,
    target: &Bound<'py, PyAny>,
    data: &Bound<'py, PyAny>,
    document: usize,
    options: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyAny>> {
    let convert = value.py().import("ketch._typed")?.getattr("converted")?;
    convert.call1((value, target, data, document, options))
}

/// Returns the exception for a value that could not be converted. `path` leads to the value in the
/// document.
#[pyfunction]
#[pyo3(signature = (data, document, path, problem, help, options, /))]
pub fn conversion_error<'py>(
    data: &Bound<'py, PyAny>,
    document: usize,
    path: Vec<Bound<'py, PyAny>>,
    problem: &str,
    help: &str,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let options = LoadOptions::from_keywords(options)?;
    let source = Source::of(data)?;
    let mut parse = options.parse;
    parse.interrupt = None;
    let mut documents = Documents::with_options(source.bytes(), &parse, &options.compose);
    let location = match documents.nth(document) {
        Some(Ok(document)) => end_of(document.root(), &path).location(),
        // The input was a file that can only be read once, or has changed.
        _ => Location::at_offset(0, 0),
    };
    errors::conversion(data.py(), problem, help, &location, &options)
}

/// Returns the node at the end of `path`, or the last node along it that exists.
fn end_of<'d>(root: Node<'d>, path: &[Bound<'_, PyAny>]) -> Node<'d> {
    let mut node = root;
    for step in path {
        let next = if let Ok(key) = step.extract::<String>() {
            node.at_path([key])
        } else if let Ok(key) = step.cast::<PyBool>() {
            node.at_path([key.is_true()])
        } else if let Ok(key) = step.extract::<i64>() {
            node.at_path([key])
        } else {
            None
        };
        match next {
            Some(next) => node = next,
            None => break,
        }
    }
    node
}

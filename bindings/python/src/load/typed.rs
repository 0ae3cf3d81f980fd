//! Conversion of values to a type that the caller chooses: `ketch._typed` converts them, and the
//! code here reports where a conversion has failed.

use crate::errors;
use crate::options::LoadOptions;
use crate::source::Source;
use ketch_yaml::compose::Node;
use ketch_yaml::{Documents, Location};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyDict};

/// Removes the option `type` from `options`, and returns its value. Returns `None` if nothing is to
/// be converted.
pub fn take_type<'py>(options: &Bound<'py, PyDict>) -> PyResult<Option<Bound<'py, PyAny>>> {
    let name = intern!(options.py(), "type");
    let Some(target) = options.get_item(name)? else { return Ok(None) };
    options.del_item(name)?;
    Ok((!target.is_none()).then_some(target))
}

/// Returns whether a type contains decimals, so that numbers have to keep their digits.
pub fn keeps_digits(target: &Bound<'_, PyAny>) -> PyResult<bool> {
    static FUNCTION: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    FUNCTION.import(target.py(), "ketch._typed", "keeps_digits")?.call1((target,))?.is_truthy()
}

/// Returns the value of the document with the number `document`, converted to the type `target`.
pub fn converted<'py>(
    value: &Bound<'py, PyAny>,
    target: &Bound<'py, PyAny>,
    data: &Bound<'py, PyAny>,
    document: usize,
    options: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyAny>> {
    static FUNCTION: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let convert = FUNCTION.import(value.py(), "ketch._typed", "converted")?;
    convert.call1((value, target, data, document, options))
}

/// Returns the exception for a value that could not be converted. `path` leads to the value in the
/// document or, if `in_key` is true, to the value whose key is wrong.
#[pyfunction]
#[pyo3(signature = (data, document, path, in_key, problem, help, options, /))]
pub fn conversion_error<'py>(
    data: &Bound<'py, PyAny>,
    document: usize,
    path: Vec<Bound<'py, PyAny>>,
    in_key: bool,
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
        Some(Ok(document)) => end_of(document.root(), &path, in_key).location(),
        // The input was a file that can only be read once, or has changed.
        _ => Location::at_offset(0, 0),
    };
    errors::conversion(data.py(), problem, help, &location, &options)
}

/// Returns the node at the end of `path`, or the last node along it that exists. If `in_key` is
/// true, returns the key of the node at the end.
fn end_of<'d>(root: Node<'d>, path: &[Bound<'_, PyAny>], in_key: bool) -> Node<'d> {
    let (mut node, mut parent) = (root, None);
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
            Some(next) => (parent, node) = (Some(node), next),
            None => return node,
        }
    }
    let key = || parent?.entries().find(|(_, value)| value.id() == node.id()).map(|(key, _)| key);
    if in_key { key().unwrap_or(node) } else { node }
}

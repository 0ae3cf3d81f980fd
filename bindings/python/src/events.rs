//! Parser events, for programs that do not need objects.

use crate::errors;
use crate::facts;
use crate::host;
use crate::interrupt;
use crate::options::LoadOptions;
use crate::source::Source;
use ketch_host::events::{Given, Giver};
use ketch_yaml::Parser;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyList, PyTuple};

/// Returns a list of the events of a stream, each as the arguments of a `ketch.Event`.
#[pyfunction]
#[pyo3(signature = (data, /, **options), text_signature = "(data, /, *, lenient=False, final_break=True, filename=None, max_depth=None, max_alias_nodes=None, max_nodes=None, max_tag_bytes=None, max_tag_handles=None, max_implicit_key_chars=None, max_scalar_bytes=None, max_buffer_bytes=None)")]
pub fn events<'py>(
    data: &Bound<'py, PyAny>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyList>> {
    let options = LoadOptions::from_keywords(options)?;
    let (events, error) = events_with(data, &options)?;
    error.map_or(Ok(events), Err)
}

/// Returns a list of the events of a stream up to its first error, and this error, if there is one.
/// The parser is as lenient as readers of YAML 1.1 are.
#[pyfunction]
#[pyo3(signature = (data, /))]
pub fn events_until<'py>(
    data: &Bound<'py, PyAny>,
) -> PyResult<(Bound<'py, PyList>, Option<PyErr>)> {
    events_with(data, &LoadOptions::of_pyyaml())
}

/// Returns the events up to the first error in the text, and this error, if there is one.
fn events_with<'py>(
    data: &Bound<'py, PyAny>,
    options: &LoadOptions,
) -> PyResult<(Bound<'py, PyList>, Option<PyErr>)> {
    let py = data.py();
    let source = Source::of_yaml(data, options)?;
    let text = source.bytes();
    let events = host::list(py, &mut Vec::new(), 0)?.cast_into::<PyList>()?;
    let mut giver = Giver::default();
    let mut parser = Parser::with_options(text, &options.parse);
    loop {
        let chunk = match parser.next_chunk() {
            Ok(Some(chunk)) => chunk,
            Ok(None) => return Ok((events, None)),
            Err(error) => {
                return match interrupt::take(&error) {
                    Some(raised) => Err(raised),
                    None => Ok((events, Some(errors::yaml(py, error, options)))),
                };
            }
        };
        for event in chunk.events() {
            if let Some(given) = giver.event(&chunk, &event) {
                events.append(arguments(py, &given)?)?;
            }
            if let Err(error) = giver.check(text, &chunk, &event, &options.parse.limits) {
                return Ok((events, Some(errors::yaml(py, error, options))));
            }
        }
        interrupt::check(py)?;
    }
}

/// Returns the arguments of `ketch.Event` for an event.
pub fn arguments<'py>(py: Python<'py>, given: &Given<'_>) -> PyResult<Bound<'py, PyTuple>> {
    let Given { kind, ref value, ref anchor, ref tag, style, is_explicit, start, .. } = *given;
    let texts = [Some(kind), value.as_deref(), anchor.as_deref(), tag.as_deref(), style];
    let offsets = [start, start + given.len as u64, given.node_start];
    let [kind, value, anchor, tag, style] = texts.map(|text| facts::text(py, text));
    let [start, end, node_start] = offsets.map(|offset| facts::number(py, offset));
    let is_explicit = PyBool::new(py, is_explicit).to_owned().into_any();
    let objects = [kind?, value?, anchor?, tag?, style?, is_explicit, start?, end?, node_start?];
    host::arguments(py, objects)
}

//! Converts edit operations that come from Python.

use super::session::{EditSession, hold};
use super::value;
use crate::{errors, interrupt, options};
use ketch_edit::{Field, FieldKind, Operation, Request};
use ketch_host::edit::View;
use ketch_host::edit::source::neighbor;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};

/// An operation as Python passes it: its name, the number of a view, the keys that lead from the
/// view to the node, and its fields.
type Given<'py> = (String, u32, Bound<'py, PyList>, Bound<'py, PyDict>);

/// Applies all of the operations, or none if one fails.
pub fn operate(held: &EditSession, list: &Bound<'_, PyList>) -> PyResult<()> {
    let mut operations = Vec::with_capacity(list.len());
    for item in list {
        operations.push(operation(held, item.extract()?)?);
    }
    apply(list.py(), held, &operations)
}

/// Applies operations that are given as values, or as a text in YAML or JSON.
pub fn operate_data(held: &EditSession, data: &Bound<'_, PyAny>) -> PyResult<()> {
    let mut text = String::new();
    match data.cast::<PyString>() {
        Ok(data) => text = value::text(data)?,
        Err(_) => value::push(data, &mut text, 0)?,
    }
    let operations = Operation::parse_all(&text);
    let operations = operations.map_err(|error| errors::edit(data.py(), &error, None, 1))?;
    apply(data.py(), held, &operations)
}

/// Applies all operations, or none if one fails, and checks for signals before and after.
fn apply(py: Python<'_>, held: &EditSession, operations: &[Operation]) -> PyResult<()> {
    let _reserve = hold(held.size)?;
    interrupt::check(py)?;
    let mut state = held.state()?;
    let applied = state.session.apply(operations);
    state.is_dirty |= applied.is_ok();
    drop(state);
    // If a signal has occurred, it ends a series of edits here; a failed allocation raises here,
    // too.
    interrupt::check(py)?;
    let file = held.options.filename.as_deref();
    applied.map_err(|error| errors::edit(py, &error, file, operations.len()))
}

/// Builds an operation from its name, the view and the keys that lead to its node, and its fields.
fn operation(held: &EditSession, (op, view, keys, fields): Given<'_>) -> PyResult<Operation> {
    let view = View(view);
    let mut place = held.ask(keys.py(), |session| session.place(view))?;
    for (index, key) in keys.iter().enumerate() {
        let step = match index {
            0 => held.step(view, &key)?,
            _ => value::step(&key)?,
        };
        place = place.then(step);
    }
    let mut request = place.request(&op);
    for (name, value) in fields {
        let name = name.extract()?;
        if let Some(field) = field(held, name, &value)? {
            request.give(name, field);
        }
    }
    let file = held.options.filename.as_deref();
    request.operation().map_err(|error| errors::edit(keys.py(), &error, file, 1))
}

/// Converts the field `name` of a request. A `value` of `None` means that the field is absent,
/// except for a field of YAML source: the caller omits a `key` that it does not have.
fn field(held: &EditSession, name: &str, value: &Bound<'_, PyAny>) -> PyResult<Option<Field>> {
    let kind = Request::kind(name).ok_or_else(|| options::unknown(name))?;
    if value.is_none() && kind != FieldKind::Source {
        return Ok(None);
    }
    Ok(Some(match kind {
        FieldKind::Source => {
            let mut out = String::new();
            value::push(value, &mut out, 0)?;
            Field::Text(out)
        }
        FieldKind::Text => Field::Text(value::text_of(value)?),
        FieldKind::Neighbor => Field::Text(neighbor(value::step(value)?)),
        FieldKind::Word(words) => Field::Text(word(name, value, words)?),
        FieldKind::Flag => Field::Flag(value.is_truthy()?),
        FieldKind::Number => Field::Number(value.extract()?),
        FieldKind::Collection => {
            let view = View(value.extract()?);
            Field::Steps(held.ask(value.py(), |session| session.place(view))?.steps)
        }
    }))
}

/// Returns the text of `value`. Fails if it is none of `words`.
fn word(name: &str, value: &Bound<'_, PyAny>, words: &[&str]) -> PyResult<String> {
    let text = value::text_of(value)?;
    if words.contains(&text.as_str()) {
        return Ok(text);
    }
    Err(PyValueError::new_err(format!("{name}: expected \"{}\"", words.join("\" or \""))))
}

//! Converts Python values to keys of paths, and to the YAML source of new values.

use crate::dump::{Given, Leaf, with_leaf};
use crate::interrupt;
use ketch_host::edit::source::{DEPTH_MAX, push_float, push_text};
use ketch_yaml::path::Step;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

/// The number of entries of a collection that are converted between two checks for signals.
const ENTRIES_A_TURN: usize = 4096;

/// Returns `key`, a key or an index, as a step of a path.
pub fn step(key: &Bound<'_, PyAny>) -> PyResult<Step> {
    match Given::of(key)? {
        Given::Text(text) => return Ok(Step::Key(self::text(text)?)),
        Given::Int(int) => {
            if let Ok(index) = int.extract::<i64>() {
                return Ok(Step::Index(index));
            }
        }
        Given::Null | Given::Bool(_) | Given::Float(_) => {}
        _ => {
            let class = key.get_type().qualname()?;
            let message = format!("a key must be a str, a number, a bool or None, not {class}");
            return Err(PyTypeError::new_err(message));
        }
    }
    let mut text = String::new();
    push(key, &mut text, 0)?;
    Ok(Step::Plain(text))
}

/// Returns the text of an object, which has to be a `str`.
pub fn text_of(value: &Bound<'_, PyAny>) -> PyResult<String> {
    match value.cast::<PyString>() {
        Ok(text) => self::text(text),
        Err(_) => {
            let class = value.get_type().qualname()?;
            Err(PyTypeError::new_err(format!("expected a str, not {class}")))
        }
    }
}

/// Returns the text of a string.
pub fn text(string: &Bound<'_, PyString>) -> PyResult<String> {
    let bytes = string.encode_utf8()?;
    Ok(String::from_utf8_lossy(bytes.as_bytes()).into_owned())
}

/// Appends the YAML source of `value`, which is `depth` levels deep in the new value.
pub fn push(value: &Bound<'_, PyAny>, out: &mut String, depth: usize) -> PyResult<()> {
    let given = Given::of(value)?;
    match &given {
        Given::List(list) => return push_items(list.iter(), out, depth),
        Given::Tuple(tuple) => return push_items(tuple.iter(), out, depth),
        Given::Dict(dict) => return push_dict(dict, out, depth),
        Given::Other => return push(&plain(value)?, out, depth),
        _ => {}
    }
    let is_leaf = with_leaf(&given, |leaf| push_leaf(leaf, out))?;
    if is_leaf { Ok(()) } else { Err(refused(value)) }
}

/// Appends the source of a value that is not a collection.
fn push_leaf(leaf: &Leaf<'_>, out: &mut String) -> PyResult<()> {
    match *leaf {
        Leaf::Null => out.push_str("null"),
        Leaf::Bool(value) => out.push_str(if value { "true" } else { "false" }),
        Leaf::Int(value) => out.push_str(&value.to_string()),
        Leaf::BigInt(digits) => out.push_str(digits),
        Leaf::Float(value) => push_float(out, value),
        Leaf::Text(text) => push_text(out, text),
        Leaf::Binary(_) | Leaf::Timestamp(_) => {
            let message = "a new value cannot contain bytes or times: write them as text";
            return Err(PyTypeError::new_err(message));
        }
    }
    Ok(())
}

/// Appends the source of a sequence.
fn push_items<'py>(
    items: impl Iterator<Item = Bound<'py, PyAny>>,
    out: &mut String,
    depth: usize,
) -> PyResult<()> {
    check_depth(depth)?;
    out.push('[');
    for (index, item) in items.enumerate() {
        if index > 0 {
            out.push_str(", ");
        }
        if index % ENTRIES_A_TURN == ENTRIES_A_TURN - 1 {
            interrupt::check(item.py())?;
        }
        push(&item, out, depth + 1)?;
    }
    out.push(']');
    Ok(())
}

/// Appends the source of a mapping. The entries are copied first, because code of the program may
/// run meanwhile.
fn push_dict(dict: &Bound<'_, PyDict>, out: &mut String, depth: usize) -> PyResult<()> {
    check_depth(depth)?;
    let pairs: Vec<_> = dict.iter().collect();
    out.push('{');
    for (index, (key, value)) in pairs.iter().enumerate() {
        if index > 0 {
            out.push_str(", ");
        }
        if index % ENTRIES_A_TURN == ENTRIES_A_TURN - 1 {
            interrupt::check(dict.py())?;
        }
        if matches!(Given::of(key)?, Given::List(_) | Given::Tuple(_) | Given::Dict(_)) {
            out.push_str("? ");
        }
        push(key, out, depth + 1)?;
        out.push_str(": ");
        push(value, out, depth + 1)?;
    }
    out.push('}');
    Ok(())
}

/// Fails if a new value is nested too deeply, which it always is if it contains itself.
fn check_depth(depth: usize) -> PyResult<()> {
    match depth < DEPTH_MAX {
        true => Ok(()),
        false => Err(PyValueError::new_err(
            "a new value can be at most 100 levels deep, and cannot contain itself",
        )),
    }
}

/// Returns the plain value of an editing session or a view. Fails for other objects.
fn plain<'py>(value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = value.py();
    let readable = py.import("ketch._views")?.getattr(intern!(py, "Readable"))?;
    match value.is_instance(&readable)? {
        true => value.getattr(intern!(py, "value")),
        false => Err(refused(value)),
    }
}

/// Returns the exception for a value that cannot be written as YAML source.
fn refused(value: &Bound<'_, PyAny>) -> PyErr {
    let class = match value.get_type().qualname() {
        Ok(class) => class,
        Err(error) => return error,
    };
    PyTypeError::new_err(format!(
        "a new value must be None, a bool, a number, a str, a list, a tuple or a dict, not {class}"
    ))
}

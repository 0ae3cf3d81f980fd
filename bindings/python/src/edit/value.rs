//! Converts Python values to keys of paths, and to the YAML source of new values.

use crate::dump::{Given, Leaf, Plain, plain_value, with_leaf};
use crate::interrupt;
use ketch_host::edit::source::{DEPTH_MAX, push_float, push_text};
use ketch_yaml::path::Step;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};
use std::fmt::Write;

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
        Given::Tagged => return push_tagged(value, out, depth),
        Given::Bytes(_) | Given::ByteArray(_) => return push_binary(value, out),
        Given::Other => return push_plain(value, out, depth),
        _ => {}
    }
    with_leaf(&given, |leaf| {
        push_leaf(leaf, out);
        Ok::<_, PyErr>(())
    })?;
    Ok(())
}

/// Appends the source of a value that is not a collection.
fn push_leaf(leaf: &Leaf<'_>, out: &mut String) {
    match *leaf {
        Leaf::Null => out.push_str("null"),
        Leaf::Bool(value) => out.push_str(if value { "true" } else { "false" }),
        Leaf::Int(value) => out.push_str(&value.to_string()),
        Leaf::BigInt(digits) => out.push_str(digits),
        Leaf::Float(value) => push_float(out, value),
        Leaf::Text(text) => push_text(out, text),
        Leaf::Number(digits) => out.push_str(digits),
        Leaf::Timestamp(time) => {
            let _ = write!(out, "!!timestamp {time}");
        }
        // `push` has other functions for these.
        Leaf::Binary(_) => {}
    }
}

/// Appends the source of bytes.
fn push_binary(bytes: &Bound<'_, PyAny>, out: &mut String) -> PyResult<()> {
    let encoded = bytes.py().import("binascii")?.getattr("b2a_base64")?.call1((bytes,))?;
    out.push_str("!!binary ");
    let encoded = encoded.cast::<PyBytes>()?.as_bytes().trim_ascii_end();
    push_text(out, &String::from_utf8_lossy(encoded));
    Ok(())
}

/// Appends the source of the value of a `ketch.Tagged`, after its tag.
fn push_tagged(tagged: &Bound<'_, PyAny>, out: &mut String, depth: usize) -> PyResult<()> {
    let tag = text_of(&tagged.getattr(intern!(tagged.py(), "tag"))?)?;
    let is_short =
        |ch: char| ch.is_ascii_alphanumeric() || matches!(ch, '-' | '_' | '.' | '/' | ':');
    match tag.strip_prefix('!') {
        Some(name) if name.chars().all(is_short) => out.push_str(&tag),
        _ => {
            let _ = write!(out, "!<{tag}>");
        }
    }
    out.push(' ');
    push(&tagged.getattr(intern!(tagged.py(), "value"))?, out, depth)
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

/// Appends the source of an editing session, a view, or an object for which `ketch.plain` has a
/// value. Fails for other objects.
fn push_plain(value: &Bound<'_, PyAny>, out: &mut String, depth: usize) -> PyResult<()> {
    let py = value.py();
    let readable = py.import("ketch._views")?.getattr(intern!(py, "Readable"))?;
    if value.is_instance(&readable)? {
        return push(&value.getattr(intern!(py, "value"))?, out, depth);
    }
    let alias = py.import("ketch._alias")?.getattr(intern!(py, "Alias"))?;
    if value.is_instance(&alias)? {
        out.push('*');
        out.push_str(&text_of(&value.getattr(intern!(py, "name"))?)?);
        // A comma or a bracket directly after the name would be part of it, or end it.
        out.push(' ');
        return Ok(());
    }
    match Plain::of(plain_value(value)?.ok_or_else(|| refused(value))?)? {
        Plain::Number(digits) => out.push_str(&text(&digits)?),
        Plain::Value(value) => return push(&value, out, depth),
    }
    Ok(())
}

/// Returns the exception for a value that cannot be written as YAML source.
fn refused(value: &Bound<'_, PyAny>) -> PyErr {
    let class = match value.get_type().qualname() {
        Ok(class) => class,
        Err(error) => return error,
    };
    PyTypeError::new_err(format!(
        "a new value cannot be of type {class}: convert it to a dict, a list, a str or a number"
    ))
}

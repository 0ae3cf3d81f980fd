//! Values that are not collections, in the form that PyYAML's representer gives them.

use super::emitter::Emitter;
use super::scalar::{BREAKS, Special, Style, analyze};
use crate::dump::stop::Stop;
use crate::load::plain;
use crate::{host, times};
use pyo3::exceptions::PyUnicodeEncodeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFloat, PyInt, PyString};

/// A value of exactly one of these classes, not of a subclass.
#[derive(Debug)]
pub(super) enum Leaf<'a, 'py> {
    Text(&'a Bound<'py, PyString>),
    Int(&'a Bound<'py, PyInt>),
    Null,
    Bool(bool),
    Float(&'a Bound<'py, PyFloat>),
    /// The text of a date or a datetime.
    Time(Bound<'py, PyAny>),
}

/// A text with fewer characters can be a simple key: PyYAML's limit is 128, and it also counts the
/// tag `!!str`.
const KEY_MAX: usize = 128 - 5;

impl<'a, 'py> Leaf<'a, 'py> {
    /// Returns the leaf for an object that is neither a date nor a datetime.
    #[inline(always)]
    pub fn of(object: &'a Bound<'py, PyAny>) -> Option<Leaf<'a, 'py>> {
        if let Ok(text) = object.cast_exact::<PyString>() {
            return Some(Leaf::Text(text));
        }
        if let Ok(int) = object.cast_exact::<PyInt>() {
            return Some(Leaf::Int(int));
        }
        if object.is_none() {
            return Some(Leaf::Null);
        }
        if let Ok(value) = object.cast_exact::<PyBool>() {
            return Some(Leaf::Bool(value.is_true()));
        }
        object.cast_exact::<PyFloat>().ok().map(Leaf::Float)
    }

    /// Returns the leaf for a date or a datetime, or `None` for other objects.
    pub fn time(object: &Bound<'py, PyAny>) -> PyResult<Option<Leaf<'a, 'py>>> {
        Ok(times::text(object)?.map(Leaf::Time))
    }

    /// Returns whether the value, as a key, is short enough to be written in one line before a
    /// colon.
    #[inline(always)]
    pub fn is_simple_key(&self) -> PyResult<bool> {
        let Leaf::Text(text) = self else { return Ok(true) };
        Ok(match host::ascii(text) {
            Some(text) => (1..KEY_MAX).contains(&text.len()) && !text.contains('\n'),
            None => (1..KEY_MAX).contains(&text.len()?) && !is_multiline(text)?,
        })
    }

    /// Writes the value. If `is_key` is true, it is written in one line.
    #[inline(always)]
    pub fn write(
        &self,
        py: Python<'_>,
        emitter: &mut Emitter<'_>,
        special: Special,
        is_key: bool,
    ) -> Result<(), Stop> {
        match self {
            Leaf::Text(text) => {
                let write = |text: &str| write_text(py, emitter, special, text, is_key);
                host::with_utf8(text, write).map_err(|stop| match stop {
                    // A lone surrogate cannot be encoded as UTF-8.
                    Stop::Python(error) if error.is_instance_of::<PyUnicodeEncodeError>(py) => {
                        Stop::Unusual
                    }
                    other => other,
                })
            }
            Leaf::Int(int) => match int.extract::<i64>() {
                Ok(value) => emitter.word(&value.to_string()),
                // A number that is this long is not a simple key.
                Err(_) if is_key => Err(Stop::Unusual),
                Err(_) => emitter.word(int.str()?.to_str()?),
            },
            Leaf::Null => emitter.word("null"),
            Leaf::Bool(value) => emitter.word(if *value { "true" } else { "false" }),
            Leaf::Float(value) => emitter.word(&float_text(value)?),
            Leaf::Time(text) => {
                let text = text.cast::<PyString>().map_err(PyErr::from)?.to_str()?;
                // In a flow collection, a colon requires quotes, and these a tag. A text that does
                // not fit would be folded.
                let is_plain = emitter.flow_level == 0 || !text.contains(':');
                match is_plain && emitter.fits(text.len()) && plain::tag(py, text)? == "timestamp" {
                    true => emitter.word(text),
                    false => Err(Stop::Unusual),
                }
            }
        }
    }
}

/// Returns whether a text contains line breaks. A text with a lone surrogate is later left to
/// Python code.
fn is_multiline(text: &Bound<'_, PyString>) -> PyResult<bool> {
    let Ok(bytes) = text.encode_utf8() else { return Ok(false) };
    Ok(String::from_utf8_lossy(bytes.as_bytes()).contains(BREAKS))
}

/// Writes a text, without quotes if it can be read as the same text without them.
#[inline(always)]
fn write_text(
    py: Python<'_>,
    emitter: &mut Emitter<'_>,
    special: Special,
    text: &str,
    is_key: bool,
) -> Result<(), Stop> {
    let analysis = analyze(text, special);
    let allows_plain = match emitter.flow_level {
        0 => analysis.block_plain,
        _ => analysis.flow_plain,
    };
    let style = if allows_plain && plain::is_text(py, text)? {
        Style::Plain
    } else if analysis.single_quoted {
        Style::Single
    } else {
        Style::Double
    };
    emitter.scalar(text, &analysis, style, is_key)
}

/// Returns the text that PyYAML writes for a float. If there are two shortest forms, CPython and
/// Rust may choose different ones, so CPython determines the digits.
fn float_text(float: &Bound<'_, PyFloat>) -> PyResult<String> {
    let value = float.value();
    if value.is_nan() {
        return Ok(".nan".to_owned());
    }
    if value.is_infinite() {
        return Ok(if value > 0.0 { ".inf" } else { "-.inf" }.to_owned());
    }
    let digits = float.repr()?;
    let digits = digits.to_str()?;
    // In YAML 1.1, a number with an exponent needs a dot, so `1e17` is not a number.
    Ok(match digits.contains('.') {
        true => digits.to_owned(),
        false => digits.replacen('e', ".0e", 1),
    })
}

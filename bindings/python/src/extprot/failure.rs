//! The reasons why reading or writing stops, and their exceptions.

use ketch_extprot::{Error as Wrong, Problem};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The reason why reading or writing stops.
#[derive(Debug)]
pub enum Stop {
    Bytes(Wrong),
    /// Extprot that the data model does not have.
    Value(&'static str, u64),
    Python(PyErr),
}

impl From<PyErr> for Stop {
    fn from(error: PyErr) -> Stop {
        Stop::Python(error)
    }
}

impl From<Wrong> for Stop {
    fn from(error: Wrong) -> Stop {
        Stop::Bytes(error)
    }
}

impl Stop {
    /// Returns the exception, for bytes at offset `base` of the stream.
    pub fn raised(self, py: Python<'_>, base: u64) -> PyErr {
        match self {
            Stop::Python(error) => error,
            Stop::Bytes(error) => raised(py, &error, base),
            Stop::Value(what, offset) => {
                let words = format!("{what}: read with form=\"tagged\", or by its schema");
                raised(py, &Wrong::new(Problem::Conversion(words), offset), base)
            }
        }
    }
}

/// Creates the exception for an error in bytes at offset `base` of the stream.
fn raised(py: Python<'_>, wrong: &Wrong, base: u64) -> PyErr {
    let made = || -> PyResult<PyErr> {
        let name = match wrong.problem() {
            Problem::Eof => "EndOfInput",
            _ => "Error",
        };
        let facts = PyDict::new(py);
        facts.set_item("problem", wrong.message())?;
        facts.set_item("name", problem_name(wrong.problem()))?;
        facts.set_item("offset", wrong.offset_bytes().map(|offset| base + offset))?;
        if wrong.path().next().is_some() {
            facts.set_item("path", wrong.path_text())?;
        }
        if let Problem::LimitExceeded { limit, .. } = wrong.problem() {
            facts.set_item("setting", setting(limit))?;
        }
        let mut message = wrong.to_string();
        if base > 0 {
            message = format!("{message}, counted from byte {base} of the stream");
        }
        let class = py.import("ketch.extprot._values")?.getattr(name)?;
        Ok(PyErr::from_value(class.call1((message, facts))?))
    };
    made().unwrap_or_else(|failure| failure)
}

/// Returns the keyword argument for a limit.
fn setting(limit: &str) -> Option<&'static str> {
    Some(match limit {
        "depth" => "max_depth",
        "string_length" => "max_string_bytes",
        "num_elements" => "max_elements",
        "message_length" => "max_block_bytes",
        _ => return None,
    })
}

/// Returns the name of a problem in Python.
fn problem_name(problem: &Problem) -> &'static str {
    match problem {
        Problem::Eof => "eof",
        Problem::BadWireType { .. } => "bad_wire_type",
        Problem::UnknownTag { .. } => "unknown_tag",
        Problem::MissingField => "missing_field",
        Problem::MissingTupleElement { .. } => "missing_tuple_element",
        Problem::LimitExceeded { .. } => "limit_exceeded",
        Problem::VintTooLong => "vint_too_long",
        Problem::IntRange { .. } => "int_range",
        Problem::NotCanonical(_) => "not_canonical",
        Problem::TrailingBytes => "trailing_bytes",
        Problem::NotUtf8 => "not_utf8",
        Problem::Shape { .. } => "shape",
        Problem::ReadOnly => "read_only",
        _ => "not_in_the_data_model",
    }
}

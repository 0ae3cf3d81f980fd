//! The reasons why reading or writing stops, and their exceptions.

use crate::facts::{self, Facts};
use crate::host;
use ketch_extprot::{Error as ExtprotError, Problem};
use ketch_host::extprot::{problem_name, setting};
use pyo3::prelude::*;

/// The reason why reading or writing stops.
#[derive(Debug)]
pub enum Stop {
    Bytes(ExtprotError),
    Python(PyErr),
}

impl From<PyErr> for Stop {
    fn from(error: PyErr) -> Stop {
        Stop::Python(error)
    }
}

impl From<ExtprotError> for Stop {
    fn from(error: ExtprotError) -> Stop {
        Stop::Bytes(error)
    }
}

impl Stop {
    /// Returns the exception to raise. The bytes start at the offset `base` of the stream.
    pub fn into_exception(self, py: Python<'_>, base: u64) -> PyErr {
        match self {
            Stop::Python(error) => error,
            Stop::Bytes(error) => exception_for(py, &error, base),
        }
    }
}

/// Creates the exception for an error in bytes that start at the offset `base` of the stream.
fn exception_for(py: Python<'_>, error: &ExtprotError, base: u64) -> PyErr {
    let create = || -> PyResult<PyErr> {
        let name = match error.problem() {
            Problem::Eof => "EndOfInput",
            _ => "Error",
        };
        let fields = Facts::new(py)?;
        let (problem, help) = in_words_of_python(error);
        fields.set_text("problem", Some(&problem))?;
        fields.set_text("name", Some(problem_name(error.problem())))?;
        if let Some(offset) = error.offset_bytes() {
            fields.set_number("offset", base + offset)?;
        }
        if error.path().next().is_some() {
            fields.set_text("path", Some(&error.path_text()))?;
        }
        if let Problem::LimitExceeded { limit, .. } = error.problem() {
            fields.set_text("setting", setting(limit))?;
        }
        let mut message = error.to_string().replacen(&*error.message(), &problem, 1);
        if base > 0 {
            message = format!("{message}, counted from byte {base} of the stream");
        }
        if let Some(help) = &help {
            fields.set_text("help", Some(help))?;
            message = format!("{message}\n{help}");
        }
        let class = py.import("ketch.extprot._values")?.getattr(name)?;
        let message = facts::text(py, Some(&message))?;
        let arguments = host::arguments(py, [message, fields.0.into_any()])?;
        Ok(PyErr::from_value(class.call1(arguments)?))
    };
    create().unwrap_or_else(|failure| failure)
}

/// Returns the message of an error without its location and, for a limit, what to do about it. They
/// name the keyword argument, not the field of `Limits`.
fn in_words_of_python(error: &ExtprotError) -> (String, Option<String>) {
    if let Problem::LimitExceeded { limit, n, max } = error.problem()
        && let Some(name) = setting(limit)
    {
        let problem = format!("{n} is more than the limit {name}={max}");
        return (problem, Some(format!("If you trust the input, raise `{name}`.")));
    }
    (error.message().to_string(), None)
}

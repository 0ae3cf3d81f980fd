//! The reasons why reading or writing stops, and their exceptions.

use crate::facts;
use crate::host;
use ketch_extprot::{Error as ExtprotError, Problem};
use ketch_host::extprot::setting;
use ketch_host::raised::{Fact, extprot_fields};
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
        let (problem, help) = in_words_of_python(error);
        let words = [("problem", Some(&problem)), ("help", help.as_ref())];
        let words = words.map(|(name, text)| (name, text.map(|text| Fact::Text(text.into()))));
        let fields = facts::of(py, extprot_fields(error, base).into_iter().chain(words))?;
        let mut message = error.to_string().replacen(&*error.message(), &problem, 1);
        if base > 0 {
            message = format!("{message}, counted from byte {base} of the stream");
        }
        if let Some(help) = &help {
            message = format!("{message}\n{help}");
        }
        let class = py.import("ketch.extprot._values")?.getattr(name)?;
        let message = facts::text(py, Some(&message))?;
        let arguments = host::arguments(py, [message, fields.into_any()])?;
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

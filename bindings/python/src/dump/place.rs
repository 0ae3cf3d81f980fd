//! Where in a value an exception was raised.

use super::stop::Stop;
use ketch_yaml::path::Step;
use ketch_yaml::present::PresentError;
use pyo3::exceptions::{
    PyOverflowError, PyRecursionError, PyTypeError, PyUnicodeEncodeError, PyValueError,
};
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyString, PyType};

/// Returns a key as a step of a path. A simple word needs no quotes there.
pub(super) fn step(key: &Bound<'_, PyAny>) -> Step {
    if let Ok(text) = key.cast::<PyString>() {
        let text = text.to_string_lossy().into_owned();
        let is_word = text.starts_with(|ch: char| ch.is_ascii_alphabetic())
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte));
        return if is_word { Step::Name(text) } else { Step::Key(text) };
    }
    match key.cast::<PyInt>().ok().and_then(|int| int.extract().ok()) {
        Some(index) => Step::Index(index),
        None => Step::Plain(key.to_string()),
    }
}

/// Adds a place such as "at `.a[1]`" to the exception, if it is about a part of the value.
pub(super) fn located(py: Python<'_>, stop: Stop, place: &str) -> Stop {
    match stop {
        Stop::Present(PresentError::Write(_)) => stop,
        Stop::Present(error) => Stop::Located(PyValueError::new_err(format!("{error}, {place}"))),
        Stop::Python(error) => {
            // If the message cannot be changed, the exception is raised as it is.
            let _ = add_to_message(py, &error, place);
            Stop::Located(error)
        }
        other => other,
    }
}

/// Appends a place to the message of an exception of CPython or of this extension.
fn add_to_message(py: Python<'_>, error: &PyErr, place: &str) -> PyResult<()> {
    let value = error.value(py);
    if error.is_instance_of::<PyUnicodeEncodeError>(py) {
        let reason = value.getattr("reason")?;
        return value.setattr("reason", format!("{reason}, {place}"));
    }
    let class = error.get_type(py);
    let is_ours = |known: Bound<'_, PyType>| class.is(&known);
    let known = is_ours(py.get_type::<PyTypeError>())
        || is_ours(py.get_type::<PyValueError>())
        || is_ours(py.get_type::<PyOverflowError>())
        || is_ours(py.get_type::<PyRecursionError>());
    if known { value.setattr("args", (format!("{value}, {place}"),)) } else { Ok(()) }
}

/// Adds a note with a place to an exception that a function of the program has raised. Python has
/// notes since 3.11.
pub(super) fn noted(py: Python<'_>, error: PyErr, place: Option<String>) -> Stop {
    if let Some(place) = place {
        let note = format!("raised by `default` for the object {place}");
        let _ = error.value(py).call_method1("add_note", (note,));
    }
    Stop::Located(error)
}

//! Converts errors of the engine to exceptions of `ketch._errors`. The fields of an exception are
//! set directly, not parsed from its message.

use crate::facts;
use crate::host;
use crate::interrupt;
use crate::options::LoadOptions;
use ketch_edit::{EditError, EditErrorKind};
use ketch_host::edit::{Refusal, help};
use ketch_host::load::Complex;
use ketch_host::query::Trouble;
use ketch_host::raised::Raised;
use ketch_yaml::{Error, Location};
use pyo3::exceptions::PyUnicodeEncodeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyString, PyType};
use std::path::Path;

/// The reason why a load stops.
#[derive(Debug)]
pub enum Stop {
    /// The document needs the composer: events are not enough to load it.
    Complex,
    /// The input is invalid.
    Yaml(Error),
    /// Python has raised an exception. It is boxed, so that results fit into registers.
    Python(Box<PyErr>),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Stop {
        Stop::Yaml(error)
    }
}

impl From<Complex> for Stop {
    fn from(_: Complex) -> Stop {
        Stop::Complex
    }
}

impl From<PyErr> for Stop {
    #[cold]
    fn from(error: PyErr) -> Stop {
        Stop::Python(Box::new(error))
    }
}

impl Stop {
    /// Returns the exception to raise.
    pub fn into_exception(self, py: Python<'_>, options: &LoadOptions) -> PyErr {
        match self {
            Stop::Yaml(error) => yaml(py, error, options),
            Stop::Python(error) => *error,
            // This reason only stops loads from events, which are then repeated with the composer.
            Stop::Complex => pyo3::exceptions::PySystemError::new_err("a document was given up"),
        }
    }
}

/// Returns the exception for an error of the parser or the composer.
pub fn yaml(py: Python<'_>, error: Error, options: &LoadOptions) -> PyErr {
    if let Some(raised) = interrupt::take(&error) {
        return raised;
    }
    let error = match &options.filename {
        Some(file) => error.with_file(file.clone()),
        None => error,
    };
    raised(py, Raised::engine(&error, error.to_string(), error.file()))
}

/// Returns the exception for an edit that was refused. `count` is the number of operations in it.
pub fn edit(py: Python<'_>, error: &EditError, file: Option<&str>, count: usize) -> PyErr {
    if let Some(raised) = error.cause().and_then(interrupt::take) {
        return raised;
    }
    let (help, own) = (help(error.kind()), edit_help(error.kind()));
    let mut made = Raised::edit(error, file, count);
    if made.help == help {
        (made.help, made.message) = (own, made.message.replace(help, own));
    }
    raised(py, made)
}

/// Returns what a user can do about an edit that was refused, with the names of arguments in Python.
fn edit_help(kind: EditErrorKind) -> &'static str {
    match kind {
        EditErrorKind::ThroughAlias => {
            "`alias=\"through\"` edits the anchored node, `alias=\"detach\"` a copy of it here."
        }
        EditErrorKind::AnchorInUse => {
            "`anchors=\"promote\"` moves the node to its first alias, `anchors=\"expand\"` copies it to each."
        }
        other => help(other),
    }
}

/// Returns the exception for a call that an editing session has refused.
pub fn refusal(py: Python<'_>, refusal: Refusal, options: &LoadOptions) -> PyErr {
    match refusal {
        Refusal::Edit(error) => edit(py, &error, options.filename.as_deref(), 1),
        Refusal::Yaml(error) => yaml(py, error, options),
        Refusal::Stale(message) => {
            raised(py, Raised { class: "StaleViewError", message, ..Raised::default() })
        }
    }
}

/// Returns the exception for a program that is not valid, or for its run.
pub fn query(py: Python<'_>, trouble: Trouble, options: &LoadOptions) -> PyErr {
    match trouble {
        Trouble::Text(error) => yaml(py, error, options),
        Trouble::Edit(error) => edit(py, &error, options.filename.as_deref(), 1),
        Trouble::Program(fault) => raised(py, fault.raised()),
    }
}

/// Returns the exception for a file that was not replaced.
pub fn file(py: Python<'_>, path: &Path, name: &str, problem: &str, help: &str) -> PyErr {
    let shown = path.display().to_string();
    let mut made = Raised::own("FileError", problem, help, None, Some(&shown));
    (made.name, made.file) = (Some(name), None);
    let raised = || -> PyResult<PyErr> {
        let error = exception_of(py, made)?;
        error.setattr("file", path.as_os_str())?;
        Ok(PyErr::from_value(error))
    };
    raised().unwrap_or_else(|failure| failure)
}

/// Returns a `ConstructError` for an error that the binding itself detects: `problem` says what is
/// wrong with the value at `location`, and `help` what to do about it.
pub fn at_location(
    py: Python<'_>,
    problem: &str,
    help: &str,
    location: &Location,
    options: &LoadOptions,
) -> PyErr {
    let file = options.filename.as_deref();
    raised(py, Raised::own("ValueError", problem, help, Some(location), file))
}

/// Returns a `ConversionError`. If the line of `location` is 0, its location is not known.
pub fn conversion<'py>(
    py: Python<'py>,
    problem: &str,
    help: &str,
    location: &Location,
    options: &LoadOptions,
) -> PyResult<Bound<'py, PyAny>> {
    let (file, location) = (options.filename.as_deref(), (location.line > 0).then_some(location));
    exception_of(py, Raised::own("ConversionError", problem, help, location, file))
}

/// Returns the exception for a `str` that cannot be encoded: a `YamlSyntaxError` with the location
/// of the lone surrogate in it. If `raised` has another reason, returns it unchanged.
#[cold]
pub fn lone_surrogate(data: &Bound<'_, PyAny>, raised: PyErr, options: &LoadOptions) -> PyErr {
    let py = data.py();
    if !raised.is_instance_of::<PyUnicodeEncodeError>(py) {
        return raised;
    }
    let encoded = |errors| -> PyResult<Bound<'_, PyBytes>> {
        let arguments = [facts::text(py, Some("utf-8"))?, facts::text(py, Some(errors))?];
        let arguments = host::arguments(py, arguments)?;
        Ok(data.call_method1(intern!(py, "encode"), arguments)?.cast_into()?)
    };
    let found = || -> PyResult<PyErr> {
        let bytes = encoded("surrogatepass")?;
        let is_surrogate = |bytes: &[u8]| bytes[0] == 0xED && bytes[1] >= 0xA0;
        let Some(offset) = bytes.as_bytes().windows(3).position(is_surrogate) else {
            return Ok(raised);
        };
        let bits = |at| u32::from(bytes.as_bytes()[offset + at] & 0x3F);
        let code = 0xD000 | bits(1) << 6 | bits(2);
        // In the line that the message shows, each lone surrogate is replaced by a question mark.
        let shown = encoded("replace")?;
        let location = Location::in_text(shown.as_bytes(), offset as u64, 1);
        let problem = format!("U+{code:04X} is half of a surrogate pair, not a character");
        let help = "Delete it. If the text is from a file, read it as bytes.";
        let file = options.filename.as_deref();
        Ok(self::raised(py, Raised::own("SyntaxError", &problem, help, Some(&location), file)))
    };
    found().unwrap_or_else(|failure| failure)
}

/// Creates an exception of a class of `ketch._errors`.
fn raised(py: Python<'_>, raised: Raised<'_>) -> PyErr {
    exception_of(py, raised).map_or_else(|failure| failure, PyErr::from_value)
}

/// Creates an exception object of a class of `ketch._errors`.
fn exception_of<'py>(py: Python<'py>, mut raised: Raised<'_>) -> PyResult<Bound<'py, PyAny>> {
    static MODULE: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
    let import = || Ok::<_, PyErr>(py.import("ketch._errors")?.unbind());
    let module = MODULE.get_or_try_init(py, import)?.bind(py);
    let class = match raised.class {
        "SyntaxError" => "YamlSyntaxError",
        "ValueError" => "ConstructError",
        class => class,
    };
    let class = module.getattr(facts::text(py, Some(class))?.cast_into::<PyString>()?)?;
    let message = facts::text(py, Some(&std::mem::take(&mut raised.message)))?;
    let facts = facts::of(py, raised.fields())?;
    class.call1(host::arguments(py, [message, facts.into_any()])?)
}

/// Creates a `ketch.Tagged` from a tag and a value.
///
/// # Errors
///
/// Raises a `MemoryError` if memory runs out.
pub fn tagged<'py>(
    tag: &Bound<'py, PyAny>,
    value: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    tagged_class(tag.py())?.call1((tag, value))
}

/// Returns the class `ketch.Tagged`.
pub fn tagged_class(py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    CLASS.import(py, "ketch._tagged", "Tagged")
}

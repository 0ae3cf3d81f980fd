//! Loading.
//!
//! There are two paths from text to objects. [`events`] uses the parser's events, which is enough
//! for most documents. Where it is not (tags, merge keys, duplicate keys, composer errors), it
//! gives up, and [`tree`] composes documents and walks through them. So all rules are in the
//! composer, for all bindings.

// Also the Ruby extension's, which needs more of it.
#[allow(dead_code)]
mod builder;
mod events;
mod located;
pub(crate) mod plain;
mod pyyaml;
mod reader;
mod scalar;
mod subtree;
mod tree;
mod typed;

use crate::errors::{self, Stop};
use crate::host;
use crate::keys::Keys;
use crate::options::LoadOptions;
use crate::source::Source;
use ketch_yaml::{Documents, Location};
use pyo3::prelude::*;
use pyo3::types::PyDict;
pub use pyyaml::{pyyaml_breaks, pyyaml_values};
pub use reader::DocumentReader;
pub use tree::{key_of, value_of};
pub use typed::conversion_error;

/// Return the value of the only document of a text; None for a text without documents.
///
/// `data` is a str, bytes in UTF-8, UTF-16 or UTF-32, or anything with a buffer.
///
/// schema: what plain scalars mean: "core", "json", "failsafe", "yaml11" or "syck".
/// duplicate_keys: "error", or which one to keep: "first" or "last".
/// merge: whether `<<` merges; None is as the schema defines.
/// lenient: accept what other readers accept against the rules, such as a tab as indentation.
/// filename: the name of the input in errors.
/// type: a dataclass, TypedDict, Struct of msgspec, class of attrs or model of pydantic, or any type of
/// these, such as list[Ship]. The value is converted by msgspec or pydantic.
/// positions: return a Located, which has the value and the position of each part of it.
/// max_depth and so on: limits. A number, math.inf, or (base, extra per KiB of input) for a budget;
/// None for the default.
///
/// Raises ketch.YamlSyntaxError, ketch.LimitError, ketch.ConstructError, ketch.DuplicateKeyError,
/// ketch.ConversionError.
#[pyfunction]
#[pyo3(signature = (data, /, **options), text_signature = "(data, /, *, schema='core', duplicate_keys='error', merge=None, lenient=False, filename=None, type=None, positions=False, max_depth=None, max_alias_nodes=None, max_nodes=None, max_tag_bytes=None, max_tag_handles=None, max_implicit_key_chars=None, max_scalar_bytes=None, max_buffer_bytes=None)")]
pub fn loads<'py>(
    data: &Bound<'py, PyAny>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    if located::is_requested(options)? {
        return located::only(data, options);
    }
    let target = typed::take_type(options)?;
    let value = only_value(data, &*LoadOptions::of_call(options)?)?;
    match target {
        Some(target) => typed::converted(&value, &target, data, 0, options),
        None => Ok(value),
    }
}

/// Returns the value of the only document, or an error if there are several.
fn only_value<'py>(data: &Bound<'py, PyAny>, options: &LoadOptions) -> PyResult<Bound<'py, PyAny>> {
    let py = data.py();
    let source = Source::of(data)?;
    let mut values = values(py, &source, options)?;
    match values.len() {
        0 => Ok(py.None().into_bound(py)),
        1 => Ok(values.remove(0)),
        _ => Err(several_documents(py, source.bytes(), options)),
    }
}

/// Return a list of the values of all documents of a text.
///
/// Takes the options of `loads`.
#[pyfunction]
#[pyo3(signature = (data, /, **options), text_signature = "(data, /, *, schema='core', duplicate_keys='error', merge=None, lenient=False, filename=None, type=None, positions=False, max_depth=None, max_alias_nodes=None, max_nodes=None, max_tag_bytes=None, max_tag_handles=None, max_implicit_key_chars=None, max_scalar_bytes=None, max_buffer_bytes=None)")]
pub fn loads_all<'py>(
    data: &Bound<'py, PyAny>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    if located::is_requested(options)? {
        return located::all(data, options);
    }
    let target = typed::take_type(options)?;
    let load_options = LoadOptions::of_call(options)?;
    let mut values = values(data.py(), &Source::of(data)?, &load_options)?;
    if let Some(target) = target {
        for (document, value) in values.iter_mut().enumerate() {
            *value = typed::converted(value, &target, data, document, options)?;
        }
    }
    host::list(data.py(), &mut values, 0)
}

/// Returns the values of all documents.
fn values<'py>(
    py: Python<'py>,
    source: &Source<'_>,
    options: &LoadOptions,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let mut keys = Keys::lease();
    let mut result = match events::suffice(options) {
        true => events::documents(py, source, options, &mut keys),
        false => Err(Stop::Complex),
    };
    if matches!(result, Err(Stop::Complex)) {
        result = tree::documents(py, source.bytes(), options, &mut keys);
    }
    result.map_err(|stop| stop.into_exception(py, options))
}

/// Returns the exception for a stream with more than one document.
#[cold]
fn several_documents(py: Python<'_>, text: &[u8], options: &LoadOptions) -> PyErr {
    let mut parse = options.parse;
    parse.interrupt = None;
    let location = match Documents::with_options(text, &parse, &options.compose).nth(1) {
        Some(Ok(document)) => document.root().location(),
        _ => Location::at_offset(0, 0),
    };
    let problem = "the stream has more than one document";
    let help = "Read all of them with ketch.loads_all or ketch.load_all.";
    errors::at_location(py, problem, help, &location, options)
}

//! Loading.
//!
//! There are two paths from text to objects. [`events`] uses the parser's events, which is enough
//! for most documents. For tags, merge keys, duplicate keys and errors, events are not enough:
//! [`events`] gives up, and [`tree`] composes documents and walks through them. All bindings leave
//! these cases to the composer, so they all follow the same rules.

// The Ruby extension has the same file and uses more of its functions.
#[allow(dead_code)]
mod builder;
mod events;
mod functions;
mod located;
pub(crate) mod plain;
mod pyyaml;
mod reader;
mod scalar;
mod subtree;
mod tree;
mod typed;

use crate::errors::{self, Stop};
use crate::keys::Keys;
use crate::options::LoadOptions;
use crate::source::Source;
pub use functions::{Loads, LoadsAll};
use ketch_yaml::{Documents, Location};
use pyo3::prelude::*;
pub use pyyaml::{pyyaml_breaks, pyyaml_values};
pub use reader::DocumentReader;
pub use tree::{key_of, value_of};
pub use typed::conversion_error;

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

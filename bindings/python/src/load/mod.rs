//! Loads YAML.
//!
//! There are two paths from text to objects. [`events`] uses the parser's events, which is enough
//! for most documents. Where it is not (some tags, merge keys, duplicate keys, and errors),
//! `events` gives up, and [`tree`] composes the documents and converts them. All bindings leave
//! these cases to the composer, so they all follow the same rules.

mod builder;
mod events;
mod functions;
mod located;
pub(crate) mod plain;
mod pyyaml;
mod query;
mod reader;
mod scalar;
mod subtree;
mod tree;
mod typed;

use crate::errors::{self, Stop};
use crate::host;
use crate::memory::{self, Lease};
use crate::options::LoadOptions;
use crate::source::Source;
pub use functions::{Loads, LoadsAll};
use ketch_host::tree::location_of_document;
use pyo3::prelude::*;
pub use pyyaml::{pyyaml_breaks, pyyaml_values};
pub use query::{QueryProgram, QueryResults};
pub use reader::DocumentReader;
pub use tree::{key_of, value_of};
pub use typed::conversion_error;

/// Returns the value of the only document, or `None` if there is none. Fails if there are several.
fn only_value<'py>(data: &Bound<'py, PyAny>, options: &LoadOptions) -> PyResult<Bound<'py, PyAny>> {
    let py = data.py();
    let source = Source::of_yaml(data, options)?;
    let mut lease = memory::lease();
    let mut values = values(py, &source, options, &mut lease)?;
    if values.len() > 1 {
        return Err(several_documents(py, source.bytes(), options));
    }
    let value = values.pop();
    lease.keep_stack(values);
    Ok(value.unwrap_or_else(|| py.None().into_bound(py)))
}

/// Returns a list of the values of all documents.
fn all_values<'py>(data: &Bound<'py, PyAny>, options: &LoadOptions) -> PyResult<Bound<'py, PyAny>> {
    let mut lease = memory::lease();
    let source = Source::of_yaml(data, options)?;
    let mut values = values(data.py(), &source, options, &mut lease)?;
    let list = host::list(data.py(), &mut values, 0);
    lease.keep_stack(values);
    list
}

/// Returns the values of all documents, on the stack of the lease.
#[inline(always)]
fn values<'py>(
    py: Python<'py>,
    source: &Source<'_>,
    options: &LoadOptions,
    lease: &mut Lease,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let mut result = match events::suffice(options) {
        true => events::documents(py, source, options, lease),
        false => Err(Stop::Complex),
    };
    if matches!(result, Err(Stop::Complex)) {
        // Both paths may drop exceptions, whose objects PyO3 only releases during an attachment;
        // see `host::called`.
        result = Python::attach(|_| tree::documents(py, source.bytes(), options, lease));
    }
    result.map_err(|stop| stop.into_exception(py, options))
}

/// Returns the exception for a stream with more than one document.
#[cold]
fn several_documents(py: Python<'_>, text: &[u8], options: &LoadOptions) -> PyErr {
    let location = location_of_document(text, 1, &options.parse, &options.compose);
    let problem = "the stream has more than one document";
    let help = "Read all of them with ketch.loads_all or ketch.load_all.";
    errors::at_location(py, problem, help, &location, options)
}

//! Objects to YAML.
//!
//! A collection that occurs more than once gets an anchor ([`ketch_host::dump`]).

mod given;
mod place;
mod pyyaml;
mod stop;
mod walk;

use crate::options::DumpOptions;
use crate::{host, interrupt};
pub use given::{Given, Leaf, Plain, plain_value, with_leaf};
use ketch_host::dump::{Anchors, merge_key_as_text};
use ketch_yaml::present::{Presenter, Properties, ScalarStyle};
use ketch_yaml::represent::Native;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
pub use pyyaml::pyyaml_document;
use std::io::{self, Write};
use stop::{Stop, no_memory};
use walk::{Collection, Receiver, Walk};

/// Return a document: a str, or bytes with encoding="utf-8".
///
/// indent: columns of a level. sequences: "flush" or "indented", below a key.
/// width: break lines that are longer, where possible. flow: write `{}` and `[]`.
/// ascii: write other characters as escapes. header: start with `---`.
/// sort_keys: sort the keys of dicts.
/// default: a function that returns a value for an object that cannot be written; without one,
/// `ketch.plain` is used, for dataclasses, Enum, UUID, Path and Decimal.
///
/// Collections that occur twice get an anchor. Raises TypeError for an object that cannot be
/// written.
#[pyfunction]
#[pyo3(signature = (value, /, **options), text_signature = "(value, /, *, indent=2, sequences='flush', width=None, flow=False, ascii=False, header=False, sort_keys=False, default=None, encoding=None)")]
pub fn dumps<'py>(
    value: Bound<'py, PyAny>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let options = DumpOptions::from_keywords(options)?;
    written(value.py(), std::slice::from_ref(&value), &options)
}

/// Return a document for each of the values.
///
/// Takes the options of `dumps`.
#[pyfunction]
#[pyo3(signature = (values, /, **options), text_signature = "(values, /, *, indent=2, sequences='flush', width=None, flow=False, ascii=False, header=False, sort_keys=False, default=None, encoding=None)")]
pub fn dumps_all<'py>(
    values: &Bound<'py, PyAny>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let options = DumpOptions::from_keywords(options)?;
    let py = values.py();
    let values = values.try_iter()?.collect::<PyResult<Vec<_>>>()?;
    written(py, &values, &options)
}

/// Writes the values. If a collection occurs more than once, writes them again, with anchors.
fn written<'py>(
    py: Python<'py>,
    values: &[Bound<'py, PyAny>],
    options: &DumpOptions<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    // Large allocations below are checked. The reserve of memory is for the others.
    let _reserve = interrupt::hold_memory(0)?;
    let mut walk = Walk::new(py, options);
    let mut text = write_all(&mut walk, values, options, false);
    if matches!(text, Err(Stop::Shared)) {
        text = write_all(&mut walk, values, options, true);
    }
    let text = text.map_err(Stop::into_exception)?;
    match options.as_bytes {
        true => host::bytes(py, &text),
        false => host::string(py, &text, false),
    }
}

/// Writes each value as a document. If `shares` is true, collections that occur more than once get
/// anchors.
fn write_all<'py>(
    walk: &mut Walk<'_, 'py>,
    values: &[Bound<'py, PyAny>],
    options: &DumpOptions<'py>,
    shares: bool,
) -> Result<Vec<u8>, Stop> {
    let mut presenter = Presenter::with_options(Output(Vec::new()), &options.present);
    for value in values {
        let mut anchors = Anchors::default();
        if shares {
            walk.run(value, &mut Counter(&mut anchors))?;
            anchors.counted();
        }
        presenter.start_document(options.header)?;
        walk.run(value, &mut Writer { presenter: &mut presenter, anchors: &mut anchors })?;
        presenter.end_document(false)?;
    }
    Ok(presenter.finish()?.0)
}

/// The text written so far. If memory runs out, writing fails, instead of ending the process.
struct Output(Vec<u8>);

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.try_reserve(bytes.len())?;
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Counts the occurrences of collections.
struct Counter<'w>(&'w mut Anchors);

impl Receiver for Counter<'_> {
    fn leaf(&mut self, _: &Leaf<'_>, _: Option<&str>) -> Result<(), Stop> {
        Ok(())
    }

    fn start(&mut self, collection: &Collection<'_>) -> Result<bool, Stop> {
        let Some(address) = collection.address else { return Ok(true) };
        self.0.count(address).map_err(no_memory)
    }

    fn end(&mut self, _: bool) -> Result<(), Stop> {
        Ok(())
    }
}

struct Writer<'w> {
    presenter: &'w mut Presenter<Output>,
    anchors: &'w mut Anchors,
}

impl Receiver for Writer<'_> {
    #[inline(always)]
    fn leaf(&mut self, leaf: &Leaf<'_>, tag: Option<&str>) -> Result<(), Stop> {
        let native = match *leaf {
            _ if tag.is_some() => return self.tagged(leaf, tag),
            Leaf::Null => Native::Null,
            Leaf::Bool(value) => Native::Bool(value),
            Leaf::Int(value) => Native::Int(value),
            Leaf::Float(value) => Native::Float(value),
            Leaf::Text("<<") => return Ok(merge_key_as_text(self.presenter)?),
            Leaf::Text(text) => Native::Str(text),
            Leaf::BigInt(digits) => Native::BigInt(digits),
            Leaf::Number(text) => {
                return Ok(self.presenter.scalar(text, ScalarStyle::Plain, Properties::NONE)?);
            }
            Leaf::Binary(bytes) => Native::Binary(bytes),
            Leaf::Timestamp(time) => Native::Timestamp(time),
        };
        Ok(self.presenter.native(native, Properties::NONE)?)
    }

    fn start(&mut self, collection: &Collection<'_>) -> Result<bool, Stop> {
        let &Collection { address, tag, is_mapping } = collection;
        Ok(self.anchors.start(self.presenter, address, tag, is_mapping)?)
    }

    fn end(&mut self, is_mapping: bool) -> Result<(), Stop> {
        Ok(Anchors::end(self.presenter, is_mapping)?)
    }
}

impl Writer<'_> {
    /// Writes a scalar that has a tag. Its content is written as text.
    #[cold]
    fn tagged(&mut self, leaf: &Leaf<'_>, tag: Option<&str>) -> Result<(), Stop> {
        let content = leaf.content().map_err(PyValueError::new_err)?;
        let properties = Properties { anchor: None, tag };
        Ok(self.presenter.scalar(&content, ScalarStyle::Text, properties)?)
    }
}

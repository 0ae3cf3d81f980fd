//! Objects to YAML.
//!
//! A collection that occurs more than once gets an anchor. Since few documents contain such
//! collections, the first pass writes without anchors. If it meets a collection again, a second
//! pass counts the occurrences of all collections and writes the documents again.

mod given;
mod place;
mod pyyaml;
mod stop;
mod walk;

use crate::options::DumpOptions;
use crate::{host, interrupt};
pub use given::{Given, Leaf, Plain, plain_value, with_leaf};
use ketch_yaml::present::{CollectionStyle, Presenter, Properties, ScalarStyle};
use ketch_yaml::represent::Native;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
pub use pyyaml::pyyaml_document;
use std::collections::HashMap;
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
        let mut met = Met::default();
        if shares {
            walk.run(value, &mut Counter(&mut met))?;
            met.retain(|_, mark| *mark != Mark::Once);
        }
        presenter.start_document(options.header)?;
        let mut writer = Writer { presenter: &mut presenter, met: &mut met, shares, last: 0 };
        walk.run(value, &mut writer)?;
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

/// The collections that occur in a document, by the addresses of their objects.
type Met = HashMap<usize, Mark>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    /// Seen once.
    Once,
    /// Seen more than once, and not yet written.
    Shared,
    /// Written with an anchor, whose name is this number.
    Written(u32),
}

/// Counts the occurrences of collections.
struct Counter<'w>(&'w mut Met);

impl Receiver for Counter<'_> {
    fn leaf(&mut self, _: &Leaf<'_>, _: Option<&str>) -> Result<(), Stop> {
        Ok(())
    }

    fn start(&mut self, collection: &Collection<'_>) -> Result<bool, Stop> {
        let Some(address) = collection.address else { return Ok(true) };
        self.0.try_reserve(1).map_err(no_memory)?;
        let before = self.0.insert(address, Mark::Once);
        if before.is_some() {
            self.0.insert(address, Mark::Shared);
        }
        Ok(before.is_none())
    }

    fn end(&mut self, _: bool) -> Result<(), Stop> {
        Ok(())
    }
}

struct Writer<'w> {
    presenter: &'w mut Presenter<Output>,
    /// The collections that have occurred so far; if `shares` is true, only those that occur more
    /// than once.
    met: &'w mut Met,
    shares: bool,
    /// The number of the last anchor.
    last: u32,
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
            Leaf::Text("<<") => return self.merge_key_as_text(),
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
        let Some(number) = self.meet(collection.address)? else { return Ok(false) };
        let anchor = number.map(|number| number.to_string());
        let properties = Properties { anchor: anchor.as_deref(), tag: collection.tag };
        match collection.is_mapping {
            true => self.presenter.start_mapping(CollectionStyle::Block, properties)?,
            false => self.presenter.start_sequence(CollectionStyle::Block, properties)?,
        }
        Ok(true)
    }

    fn end(&mut self, is_mapping: bool) -> Result<(), Stop> {
        match is_mapping {
            true => self.presenter.end_mapping()?,
            false => self.presenter.end_sequence()?,
        }
        Ok(())
    }
}

impl Writer<'_> {
    /// Writes an alias and returns `None` if the collection at `address` was already written.
    /// Otherwise, returns the number of the anchor that it needs, or `Some(None)` if it needs none.
    #[inline(always)]
    fn meet(&mut self, address: Option<usize>) -> Result<Option<Option<u32>>, Stop> {
        let Some(address) = address else { return Ok(Some(None)) };
        Ok(match self.met.get(&address).copied() {
            None if self.shares => Some(None),
            None => {
                self.met.try_reserve(1).map_err(no_memory)?;
                self.met.insert(address, Mark::Once);
                Some(None)
            }
            Some(Mark::Once) => return Err(Stop::Shared),
            Some(Mark::Shared) => {
                self.last += 1;
                self.met.insert(address, Mark::Written(self.last));
                Some(Some(self.last))
            }
            Some(Mark::Written(number)) => {
                self.presenter.alias(&number.to_string())?;
                None
            }
        })
    }

    /// Writes the string `<<` with a tag: without a tag, some readers would take it for a merge
    /// key, even in quotes.
    #[cold]
    fn merge_key_as_text(&mut self) -> Result<(), Stop> {
        let properties = Properties::tag("tag:yaml.org,2002:str");
        Ok(self.presenter.scalar("<<", ScalarStyle::DoubleQuoted, properties)?)
    }

    /// Writes a scalar that has a tag. Its content is written as text.
    #[cold]
    fn tagged(&mut self, leaf: &Leaf<'_>, tag: Option<&str>) -> Result<(), Stop> {
        let content = leaf.content().map_err(PyValueError::new_err)?;
        let properties = Properties { anchor: None, tag };
        Ok(self.presenter.scalar(&content, ScalarStyle::Text, properties)?)
    }
}

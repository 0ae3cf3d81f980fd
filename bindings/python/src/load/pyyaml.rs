//! Loads for `ketch.yaml`, by the rules of PyYAML.

use super::events;
use super::subtree::{Subtrees, Tags};
use crate::errors::Stop;
use crate::facts;
use crate::host;
use crate::interrupt;
use crate::memory;
use crate::options::LoadOptions;
use crate::source::Source;
use ketch_host::breaks;
use pyo3::exceptions::PyUnicodeEncodeError;
use pyo3::prelude::*;
use pyo3::types::{PyFrozenSet, PyTuple};

/// Returns the values of all documents by the rules of PyYAML, and a list of the nodes in them that
/// Python code still has to construct: those whose tag is in `tags` or starts with one of
/// `prefixes`. In the values, such a node is a list of its events. In the second list, each has its
/// collection, its key or index there, and its events. Returns `None` if events are not enough, and
/// for any error.
#[pyfunction]
#[pyo3(signature = (data, /, tags = None, prefixes = Vec::new()))]
pub fn pyyaml_values<'py>(
    data: &Bound<'py, PyAny>,
    tags: Option<Bound<'py, PyFrozenSet>>,
    prefixes: Vec<String>,
) -> PyResult<Option<Bound<'py, PyTuple>>> {
    let mut options = LoadOptions::of_pyyaml();
    options.pyyaml = true;
    let source = match Source::of(data) {
        // Such a text is read by Ketch's Python code, which raises PyYAML's exception for a lone
        // surrogate.
        Err(error) if error.is_instance_of::<PyUnicodeEncodeError>(data.py()) => return Ok(None),
        source => source?,
    };
    // PyYAML recognizes UTF-16 only by its byte order mark.
    let may_be_wide = source.bytes().iter().take(4).any(|&byte| byte == 0);
    if may_be_wide || breaks::has_break(source.bytes()) {
        return Ok(None);
    }
    let mut lease = memory::lease();
    let mut subtrees = tags.map(|exact| Subtrees::new(Tags { exact, prefixes }));
    match events::with_subtrees(data.py(), &source, (&options, &mut lease), &mut subtrees) {
        Ok(mut values) => {
            let list = host::list(data.py(), &mut values, 0)?;
            lease.keep_stack(values);
            let placed = subtrees.map(|subtrees| subtrees.finish(&list)).transpose()?;
            let none = || data.py().None().into_bound(data.py());
            let placed = placed.map_or_else(none, Bound::into_any);
            host::arguments(data.py(), [list, placed]).map(Some)
        }
        Err(Stop::Python(error)) => Err(*error),
        Err(Stop::Yaml(error)) => interrupt::take(&error).map_or(Ok(None), Err),
        Err(Stop::Complex) => Ok(None),
    }
}

/// Returns the text with only the line breaks of YAML 1.2, and a dict from the offsets of the
/// scalars that span a separator to their contents.
#[pyfunction]
#[pyo3(signature = (text, /))]
pub fn pyyaml_breaks<'py>(text: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyTuple>> {
    let contents = host::new_dict(text.py())?;
    let source = Source::of(text)?;
    let Some(converted) = interrupt::converted_breaks(source.bytes())? else {
        return host::arguments(text.py(), [text.clone(), contents]);
    };
    for scalar in &converted.kept {
        let start = facts::number(text.py(), scalar.start as u64)?;
        contents.set_item(start, host::string(text.py(), &scalar.content, false)?)?;
    }
    let converted = host::string(text.py(), &converted.text, false)?;
    host::arguments(text.py(), [converted, contents])
}

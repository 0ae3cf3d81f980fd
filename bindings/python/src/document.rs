//! `ketch.parse`: composed documents that are read in place.
//!
//! A node is a number in its document; the classes of `ketch._document` give it methods. Only
//! values that a program reads become objects.

mod comments;
mod index;

use crate::errors::Stop;
use crate::host::{self, Held};
use crate::interrupt;
use crate::load::{key_of, value_of};
use crate::memory;
use crate::options::LoadOptions;
use crate::source::Source;
use comments::Commented;
use index::Indexes;
use ketch_host::places::Lines;
use ketch_yaml::compose::{Kind, Node, NodeId, Style};
use ketch_yaml::{Document, Documents};
use pyo3::exceptions::PyIndexError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};
use std::sync::OnceLock;

/// Inputs of more bytes are composed while other threads run.
const DETACHED_BYTES: usize = 1 << 16;

/// A composed document, whose nodes are numbers.
#[pyclass(frozen, module = "ketch._ketch")]
pub struct Tree {
    held: Held,
    indexes: Indexes,
    lines: OnceLock<Option<Lines>>,
    options: LoadOptions,
}

/// Returns the documents of a text.
#[pyfunction]
#[pyo3(signature = (data, /, **options))]
pub fn trees<'py>(
    data: &Bound<'py, PyAny>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyList>> {
    let py = data.py();
    let options = LoadOptions::from_keywords(options)?;
    let source = Source::of(data)?;
    let (owner, reserve) = source.keep();
    let held = Held::compose(py, owner, |text| match text.len() > DETACHED_BYTES {
        true => py.detach(|| composed(text, &options)),
        false => composed(text, &options),
    });
    let documents = held.map_err(|error| Stop::Yaml(error).into_exception(py, &options))?;
    drop(reserve);
    interrupt::check(py)?;
    let trees = host::list(py, &mut Vec::new(), 0)?.cast_into::<PyList>()?;
    for held in documents {
        let (indexes, lines, options) = (Indexes::default(), OnceLock::new(), options.clone());
        trees.append(Tree { held, indexes, lines, options })?;
    }
    Ok(trees)
}

/// Composes all documents of a text.
fn composed<'t>(
    text: &'t [u8],
    options: &LoadOptions,
) -> Result<Vec<Document<'t>>, ketch_yaml::Error> {
    Documents::with_options(text, &options.parse, &options.compose).collect()
}

impl Tree {
    /// Returns the document.
    fn document(&self) -> &Document<'_> {
        self.held.document()
    }

    /// Returns the node with this number.
    fn node(&self, number: usize) -> PyResult<Node<'_>> {
        match number < self.document().node_count() {
            true => Ok(self.document().node(NodeId::from(number))),
            false => Err(PyIndexError::new_err("the document has no such node")),
        }
    }

    /// Returns the node with this number, or the one that it refers to as an alias.
    fn resolved(&self, number: usize) -> PyResult<Node<'_>> {
        self.node(number).map(Node::resolved)
    }
}

#[pymethods]
impl Tree {
    /// Returns the number of nodes.
    fn __len__(&self) -> usize {
        self.document().node_count()
    }

    /// Returns whether the document starts with `---` and ends with `...`.
    fn markers(&self) -> (bool, bool) {
        (self.document().is_start_explicit(), self.document().is_end_explicit())
    }

    /// Returns the name of the input.
    fn file(&self) -> Option<&str> {
        self.options.filename.as_deref()
    }

    /// Returns the kind of a node.
    fn kind(&self, number: usize) -> PyResult<&'static str> {
        Ok(match self.node(number)?.kind() {
            Kind::Scalar => "scalar",
            Kind::Sequence => "sequence",
            Kind::Mapping => "mapping",
            Kind::Alias => "alias",
        })
    }

    /// Returns the name of a node's style.
    fn style(&self, number: usize) -> PyResult<&'static str> {
        Ok(match self.node(number)?.style() {
            Style::Plain => "plain",
            Style::SingleQuoted => "single-quoted",
            Style::DoubleQuoted => "double-quoted",
            Style::Literal => "literal",
            Style::Folded => "folded",
            Style::Block => "block",
            Style::Flow => "flow",
            Style::Alias => "alias",
        })
    }

    /// Returns the tag of a node, or `None` for an alias.
    fn tag(&self, number: usize) -> PyResult<Option<String>> {
        let node = self.node(number)?;
        Ok(node.tag().filter(|_| node.kind() != Kind::Alias).map(str::to_owned))
    }

    /// Returns the name of its anchor, or of the one that an alias refers to.
    fn anchor(&self, number: usize) -> PyResult<Option<String>> {
        Ok(self.node(number)?.anchor().map(str::to_owned))
    }

    /// Returns the node that an alias stands for.
    fn target(&self, number: usize) -> PyResult<Option<usize>> {
        Ok(self.node(number)?.target().map(|node| node.id().index()))
    }

    /// Returns the content of a scalar.
    fn text(&self, number: usize) -> PyResult<Option<String>> {
        let node = self.resolved(number)?;
        Ok((node.kind() == Kind::Scalar).then(|| node.text().into_owned()))
    }

    /// Returns the number of entries of a collection.
    fn count(&self, number: usize) -> PyResult<usize> {
        let node = self.resolved(number)?;
        match node.kind() {
            Kind::Mapping if self.document().merges() => Ok(self.pairs_of(node)?.len()),
            _ => Ok(node.len()),
        }
    }

    /// Returns the node at an index of a sequence.
    fn item(&self, number: usize, index: usize) -> PyResult<Option<usize>> {
        Ok(self.indexes.item(self.resolved(number)?, index))
    }

    /// Returns the nodes of a sequence.
    fn items(&self, number: usize) -> PyResult<Vec<usize>> {
        Ok(self.resolved(number)?.items().map(|item| item.id().index()).collect())
    }

    /// Returns the nodes of a key and its value in a mapping.
    fn pair(&self, number: usize, key: &Bound<'_, PyAny>) -> PyResult<Option<(usize, usize)>> {
        let node = self.resolved(number)?;
        let pairs = || self.pairs_of(node);
        let found = match key.cast::<PyString>() {
            Ok(text) => {
                let text = text.encode_utf8()?;
                self.indexes.pair(node, text.as_bytes(), self.document().schema(), pairs)?
            }
            Err(_) => self.pair_of_other(&pairs()?, key)?,
        };
        Ok(found)
    }

    /// Returns the nodes of all keys and values of a mapping, and whether they are its own, not
    /// merged.
    fn pairs(&self, number: usize) -> PyResult<Vec<(usize, usize, bool)>> {
        let node = self.resolved(number)?;
        let own = node.subtree();
        let pairs = self.pairs_of(node)?;
        Ok(pairs.into_iter().map(|(key, value)| (key, value, own.contains(&value))).collect())
    }

    /// Returns the value of a node and all below it.
    fn value<'py>(&self, py: Python<'py>, number: usize) -> PyResult<Bound<'py, PyAny>> {
        let mut keys = memory::lease();
        let node = self.node(number)?.id();
        value_of(py, self.document(), node, &self.options, &mut keys)
            .map_err(|stop| stop.into_exception(py, &self.options))
    }

    /// Returns the value of a node in the form that a key of a dict has.
    fn key<'py>(&self, py: Python<'py>, number: usize) -> PyResult<Bound<'py, PyAny>> {
        self.node(number)?;
        let mut keys = memory::lease();
        key_of(py, self.document(), NodeId::from(number), &self.options, &mut keys)
            .map_err(|stop| stop.into_exception(py, &self.options))
    }

    /// Returns whether a node is a scalar, and its value or the kind of the collection.
    fn read<'py>(&self, py: Python<'py>, number: usize) -> PyResult<(bool, Bound<'py, PyAny>)> {
        let node = self.resolved(number)?;
        let kind = match node.kind() {
            Kind::Sequence => intern!(py, "sequence"),
            Kind::Mapping => intern!(py, "mapping"),
            _ => return Ok((true, self.value(py, number)?)),
        };
        Ok((false, kind.clone().into_any()))
    }

    /// Returns the start line and column, the end line and column, and the offset and length in
    /// bytes.
    fn place(&self, number: usize) -> PyResult<(u64, u64, u64, u64, u64, u64)> {
        let span = self.node(number)?.span();
        let document = self.document();
        let len = span.len() as u64;
        let Some(lines) = self.lines.get_or_init(|| Lines::of(document)) else {
            let start = document.location(span.clone());
            let end = document.location(span.end..span.end);
            return Ok((start.line, start.column, end.line, end.column, start.offset, len));
        };
        let (line, column) = lines.place(document.text(), span.start);
        let (end_line, end_column) = lines.place(document.text(), span.end);
        Ok((line, column, end_line, end_column, lines.offset + span.start as u64, len))
    }

    /// Returns the line that it starts on, and the number of characters before it.
    fn line(&self, number: usize) -> PyResult<(String, usize)> {
        let place = self.node(number)?.location();
        Ok((place.text, place.text_column))
    }

    /// Returns the comment lines above its line, and the comment after it on its line.
    fn comments(&self, number: usize) -> PyResult<(Vec<String>, Option<String>)> {
        let node = self.node(number)?;
        let commented = Commented::new(self.document(), self.held.text());
        Ok((commented.above(node), commented.after(node)))
    }
}

impl Tree {
    /// Returns the pair whose key equals `key`, which is not text.
    fn pair_of_other(
        &self,
        pairs: &[(usize, usize)],
        key: &Bound<'_, PyAny>,
    ) -> PyResult<Option<(usize, usize)>> {
        for &(number, value) in pairs {
            if self.resolved(number)?.kind() != Kind::Mapping
                && self.key(key.py(), number)?.eq(key)?
            {
                return Ok(Some((number, value)));
            }
        }
        Ok(None)
    }

    /// Returns the numbers of keys and values of a mapping, merged ones included.
    fn pairs_of(&self, node: Node<'_>) -> PyResult<Vec<(usize, usize)>> {
        let numbers = |(key, value): (Node<'_>, Node<'_>)| (key.id().index(), value.id().index());
        if !self.document().merges() {
            return Ok(node.entries().map(numbers).collect());
        }
        let merged = node.merged_entries();
        let raised =
            |error| Python::attach(|py| Stop::Yaml(error).into_exception(py, &self.options));
        Ok(merged.map_err(raised)?.into_iter().map(numbers).collect())
    }
}

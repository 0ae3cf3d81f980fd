//! `ketch.parse`: composed documents, which programs read without converting them to objects.
//!
//! Python refers to a node by its number in the document; the classes of `ketch._document` wrap
//! this number and provide the methods. Only the values that a program reads become objects.

mod comments;
mod index;

use crate::errors::Stop;
use crate::facts;
use crate::host::{self, Held};
use crate::interrupt;
use crate::load::{key_of, value_of};
use crate::memory;
use crate::options::LoadOptions;
use crate::panics;
use crate::source::Source;
use comments::Commented;
use index::Indexes;
use ketch_host::nodes::{self, Places};
use ketch_yaml::compose::{Kind, Node, NodeId};
use ketch_yaml::{Document, Documents, FloatKeys};
use pyo3::exceptions::PyIndexError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyList, PyString, PyTuple};

/// The length in bytes above which a text is composed while other threads can run.
const DETACHED_BYTES: usize = 1 << 16;

/// A composed document. Its nodes are identified by numbers.
#[pyclass(frozen, module = "ketch._ketch")]
pub struct Tree {
    held: Held,
    indexes: Indexes,
    places: Places,
    options: LoadOptions,
}

/// Returns a list of the documents in a text.
#[pyfunction]
#[pyo3(signature = (data, /, **options))]
pub fn trees<'py>(
    data: &Bound<'py, PyAny>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyList>> {
    let py = data.py();
    let options = LoadOptions::from_keywords(options)?;
    let source = Source::of_yaml(data, &options)?;
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
        let (indexes, places, options) = (Indexes::default(), Places::default(), options.clone());
        trees.append(Tree { held, indexes, places, options })?;
    }
    Ok(trees)
}

/// Composes all documents of a text.
fn composed<'t>(
    text: &'t [u8],
    options: &LoadOptions,
) -> Result<Vec<Document<'t>>, ketch_yaml::Error> {
    let mut compose = options.compose;
    compose.float_keys = FloatKeys::Exact;
    Documents::with_options(text, &options.parse, &compose).collect()
}

impl Tree {
    /// Returns the document.
    fn document(&self) -> &Document<'_> {
        self.held.document()
    }

    /// Returns the node with this number, or an `IndexError` if the document has no such node.
    fn node(&self, number: usize) -> PyResult<Node<'_>> {
        panics::panic_if_planted();
        match number < self.document().node_count() {
            true => Ok(self.document().node(NodeId::from(number))),
            false => Err(PyIndexError::new_err("the document has no such node")),
        }
    }

    /// Returns the node with this number or, if that is an alias, the node that it refers to.
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

    /// Returns whether the document starts with `---`, and whether it ends with `...`.
    fn markers(&self) -> (bool, bool) {
        (self.document().is_start_explicit(), self.document().is_end_explicit())
    }

    /// Returns the name of the input, if the options contain one.
    fn file(&self) -> Option<&str> {
        self.options.filename.as_deref()
    }

    /// Returns the name of a node's kind.
    fn kind<'py>(&self, py: Python<'py>, number: usize) -> PyResult<Bound<'py, PyAny>> {
        facts::text(py, Some(nodes::kind_name(self.node(number)?.kind())))
    }

    /// Returns the name of a node's style.
    fn style<'py>(&self, py: Python<'py>, number: usize) -> PyResult<Bound<'py, PyAny>> {
        facts::text(py, Some(nodes::style_name(self.node(number)?.style())))
    }

    /// Returns the tag of a node, or `None` if it has none or is an alias.
    fn tag<'py>(&self, py: Python<'py>, number: usize) -> PyResult<Bound<'py, PyAny>> {
        facts::text(py, nodes::tag(self.node(number)?))
    }

    /// Returns the name of a node's anchor or, for an alias, of the anchor that it refers to.
    fn anchor<'py>(&self, py: Python<'py>, number: usize) -> PyResult<Bound<'py, PyAny>> {
        facts::text(py, self.node(number)?.anchor())
    }

    /// Returns the number of the node that an alias refers to, or `None` if the node is not an
    /// alias.
    fn target<'py>(&self, py: Python<'py>, number: usize) -> PyResult<Option<Bound<'py, PyAny>>> {
        let target = self.node(number)?.target();
        target.map(|node| facts::number(py, node.id().index() as u64)).transpose()
    }

    /// Returns the content of a scalar, or `None` for other nodes.
    fn text<'py>(&self, py: Python<'py>, number: usize) -> PyResult<Bound<'py, PyAny>> {
        facts::text(py, nodes::text(self.node(number)?).as_deref())
    }

    /// Returns the number of entries of a collection, including merged ones.
    fn count<'py>(&self, py: Python<'py>, number: usize) -> PyResult<Bound<'py, PyAny>> {
        let node = self.resolved(number)?;
        let count = match node.kind() {
            Kind::Mapping if self.document().merges() => self.pairs_of(node)?.len(),
            _ => node.len(),
        };
        facts::number(py, count as u64)
    }

    /// Returns the number of the node at an index of a sequence, or `None` if there is none.
    fn item<'py>(
        &self,
        py: Python<'py>,
        number: usize,
        index: usize,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let item = self.indexes.item(self.resolved(number)?, index);
        item.map(|item| facts::number(py, item as u64)).transpose()
    }

    /// Returns a list of the numbers of the nodes in a sequence.
    fn items<'py>(&self, py: Python<'py>, number: usize) -> PyResult<Bound<'py, PyAny>> {
        let items = self.resolved(number)?.items();
        let numbers = items.map(|item| facts::number(py, item.id().index() as u64));
        host::list(py, &mut numbers.collect::<PyResult<_>>()?, 0)
    }

    /// Returns the numbers of the nodes of a key and its value in a mapping, or `None` if it has no
    /// such key.
    fn pair<'py>(
        &self,
        number: usize,
        key: &Bound<'py, PyAny>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let node = self.resolved(number)?;
        let pairs = || self.pairs_of(node);
        let found = match key.cast::<PyString>() {
            Ok(text) => {
                let text = text.encode_utf8()?;
                self.indexes.pair(node, text.as_bytes(), self.document().schema(), pairs)?
            }
            Err(_) => self.pair_of_other(&pairs()?, key)?,
        };
        let pair = |(key_node, value)| facts::numbers(key.py(), [key_node as u64, value as u64]);
        found.map(pair).transpose()
    }

    /// Returns a list with a tuple for each pair of a mapping, including merged pairs: the number
    /// of the key, the number of the value, and whether the pair is written in this mapping itself.
    fn pairs<'py>(&self, py: Python<'py>, number: usize) -> PyResult<Bound<'py, PyAny>> {
        let pairs = nodes::numbered_pairs(self.resolved(number)?);
        let pairs = pairs.map_err(|error| self.failed(error))?.into_iter();
        let pairs = pairs.map(|(key, value, is_own)| {
            let is_own = PyBool::new(py, is_own).to_owned().into_any();
            let (key, value) = (facts::number(py, key as u64)?, facts::number(py, value as u64)?);
            Ok(host::arguments(py, [key, value, is_own])?.into_any())
        });
        host::list(py, &mut pairs.collect::<PyResult<_>>()?, 0)
    }

    /// Returns the value of a node and everything in it.
    fn value<'py>(&self, py: Python<'py>, number: usize) -> PyResult<Bound<'py, PyAny>> {
        let mut keys = memory::lease();
        let node = self.node(number)?.id();
        value_of(py, self.document(), node, &self.options, &mut keys)
            .map_err(|stop| stop.into_exception(py, &self.options))
    }

    /// Returns the value of a node in the form that it has as a key of a dict.
    fn key<'py>(&self, py: Python<'py>, number: usize) -> PyResult<Bound<'py, PyAny>> {
        self.node(number)?;
        let mut keys = memory::lease();
        key_of(py, self.document(), NodeId::from(number), &self.options, &mut keys)
            .map_err(|stop| stop.into_exception(py, &self.options))
    }

    /// Returns whether a node is a scalar, and its value if it is, or otherwise its kind.
    fn read<'py>(&self, py: Python<'py>, number: usize) -> PyResult<Bound<'py, PyTuple>> {
        let node = self.resolved(number)?;
        let (is_scalar, read) = match node.kind() {
            Kind::Sequence => (false, intern!(py, "sequence").clone().into_any()),
            Kind::Mapping => (false, intern!(py, "mapping").clone().into_any()),
            _ => (true, self.value(py, number)?),
        };
        host::arguments(py, [PyBool::new(py, is_scalar).to_owned().into_any(), read])
    }

    /// Returns the location of a node: its start line and column, its end line and column, its
    /// offset in bytes, and its length in bytes.
    fn place<'py>(&self, py: Python<'py>, number: usize) -> PyResult<Bound<'py, PyAny>> {
        facts::numbers(py, self.places.of(self.node(number)?))
    }

    /// Returns the text of the line on which a node starts, and the number of characters in this
    /// text before the node.
    fn line<'py>(&self, py: Python<'py>, number: usize) -> PyResult<Bound<'py, PyTuple>> {
        let place = self.node(number)?.location();
        let (text, column) = (place.text.as_str(), place.text_column as u64);
        host::arguments(py, [facts::text(py, Some(text))?, facts::number(py, column)?])
    }

    /// Returns the comment lines above a node's line, and the comment after the node on its line.
    fn comments<'py>(&self, py: Python<'py>, number: usize) -> PyResult<Bound<'py, PyTuple>> {
        let node = self.node(number)?;
        let commented = Commented::new(self.document(), self.held.text());
        let above = commented.above(node);
        let above = above.iter().map(|line| facts::text(py, Some(line)));
        let above = host::list(py, &mut above.collect::<PyResult<_>>()?, 0)?;
        let after = facts::text(py, commented.after(node).as_deref())?;
        host::arguments(py, [above, after])
    }
}

impl Tree {
    /// Returns the numbers of the pair whose key equals `key`, which is not a `str`.
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

    /// Returns the numbers of the keys and values of a mapping, including merged pairs.
    fn pairs_of(&self, node: Node<'_>) -> PyResult<Vec<(usize, usize)>> {
        let numbers = |(key, value): (Node<'_>, Node<'_>)| (key.id().index(), value.id().index());
        let pairs = nodes::pairs(node).map_err(|error| self.failed(error))?;
        Ok(pairs.into_iter().map(numbers).collect())
    }

    /// Returns the exception for an error of the engine.
    fn failed(&self, error: ketch_yaml::Error) -> PyErr {
        Python::attach(|py| Stop::Yaml(error).into_exception(py, &self.options))
    }
}

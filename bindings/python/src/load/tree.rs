//! Builds objects from composed documents. This covers all of YAML: tags, merge keys, and aliases
//! to collections that contain them.
//!
//! The object for a collection is created when the collection starts, and is filled when it ends,
//! so that it can contain itself. A sequence that is a key, or part of one, becomes a tuple, which
//! is only created when the sequence ends.

use super::scalar;
use crate::errors::{self, Stop};
use crate::host;
use crate::interrupt;
use crate::keys::Keys;
use crate::options::LoadOptions;
use ketch_host::walk::{Children, RepeatBudget};
use ketch_yaml::compose::{Kind, Node, NodeId};
use ketch_yaml::schema::{Scalar, Schema};
use ketch_yaml::tag::is_known;
use ketch_yaml::{Document, Documents, Error, FloatKeys, Location, Problem};
use pyo3::prelude::*;
use pyo3::types::{PyList, PySet};
use std::collections::HashMap;

/// The number of nodes that are loaded between two checks for signals.
const NODES_A_TURN: u32 = 4096;

/// Returns the values of all documents.
pub fn documents<'py>(
    py: Python<'py>,
    text: &[u8],
    options: &LoadOptions,
    keys: &mut Keys,
) -> Result<Vec<Bound<'py, PyAny>>, Stop> {
    let mut values = Vec::new();
    let mut document = Document::new();
    let mut documents = Documents::with_options(text, &options.parse, &options.compose);
    while documents.next_into(&mut document)? {
        values.push(value(py, &document, options, keys)?);
    }
    Ok(values)
}

/// Returns the value of a document.
pub fn value<'py>(
    py: Python<'py>,
    document: &Document<'_>,
    options: &LoadOptions,
    keys: &mut Keys,
) -> Result<Bound<'py, PyAny>, Stop> {
    value_of(py, document, NodeId::ROOT, options, keys)
}

/// Returns the value of a node.
pub fn value_of<'py>(
    py: Python<'py>,
    document: &Document<'_>,
    node: NodeId,
    options: &LoadOptions,
    keys: &mut Keys,
) -> Result<Bound<'py, PyAny>, Stop> {
    Tree::new(py, document, options, keys).load(node, Role::Value)
}

/// Returns the value of a node in the form that it has as a key of a dict.
pub fn key_of<'py>(
    py: Python<'py>,
    document: &Document<'_>,
    node: NodeId,
    options: &LoadOptions,
    keys: &mut Keys,
) -> Result<Bound<'py, PyAny>, Stop> {
    Tree::new(py, document, options, keys).load(node, Role::Key)
}

struct Tree<'d, 'py, 'o> {
    py: Python<'py>,
    document: &'d Document<'d>,
    options: &'o LoadOptions,
    schema: Schema,
    keys: &'o mut Keys,
    stack: Vec<Bound<'py, PyAny>>,
    open: Vec<Open<'d, 'py>>,
    /// The values of nodes that aliases may refer to, by the numbers of the nodes.
    known: HashMap<usize, Bound<'py, PyAny>>,
    budget: RepeatBudget,
    turn: u32,
}

/// The role of a node in its parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Value,
    Key,
    /// The node is part of a key.
    InKey,
}

/// An open collection.
struct Open<'d, 'py> {
    node: Node<'d>,
    children: Children<'d>,
    role: Role,
    /// The index on the stack at which the collection's values start.
    start: usize,
    /// The list or dict to fill, or `None` for a sequence that becomes a tuple.
    object: Option<Bound<'py, PyAny>>,
    /// `object`, or the `ketch.Tagged` that contains it.
    outer: Option<Bound<'py, PyAny>>,
}

impl<'d, 'py, 'o> Tree<'d, 'py, 'o> {
    /// Prepares to load nodes of `document`.
    fn new(
        py: Python<'py>,
        document: &'d Document<'d>,
        options: &'o LoadOptions,
        keys: &'o mut Keys,
    ) -> Tree<'d, 'py, 'o> {
        Tree {
            py,
            document,
            options,
            schema: options.compose.schema,
            keys,
            stack: Vec::new(),
            open: Vec::new(),
            known: HashMap::new(),
            budget: RepeatBudget::new(document, &options.compose.limits),
            turn: 0,
        }
    }

    /// Returns the value of the node with this number.
    fn load(mut self, node: NodeId, role: Role) -> Result<Bound<'py, PyAny>, Stop> {
        self.document.node(node).check_keys(FloatKeys::Rounded)?;
        self.node(self.document.node(node), role)?;
        while let Some(open) = self.open.last_mut() {
            let role = open.role;
            match open.children.next() {
                Some((child, _)) if role == Role::InKey => self.node(child, Role::InKey)?,
                Some((child, true)) => self.node(child, Role::Key)?,
                Some((child, false)) => self.node(child, Role::Value)?,
                None => self.end()?,
            }
        }
        Ok(self.stack.pop().unwrap_or_else(|| self.py.None().into_bound(self.py)))
    }

    /// Adds the value of a scalar, or starts a collection.
    fn node(&mut self, node: Node<'d>, role: Role) -> Result<(), Stop> {
        self.turn += 1;
        if self.turn.is_multiple_of(NODES_A_TURN) {
            interrupt::check(self.py)?;
        }
        let node = node.resolved();
        let is_collection = node.kind() != Kind::Scalar;
        if role == Role::Key && is_collection {
            self.budget.count_key(node, self.document)?;
        }
        // A sequence that is part of a key becomes a tuple, so the list that is stored for it as a
        // value cannot be used.
        if (role == Role::Value || !is_collection)
            && let Some(known) = self.known.get(&node.id().index())
        {
            self.stack.push(known.clone());
            return Ok(());
        }
        match (is_collection, role) {
            (false, _) => self.scalar(node, role),
            (true, Role::Value) => self.start(node),
            (true, _) => self.start_in_key(node),
        }
    }

    /// Starts a collection, and creates its object.
    fn start(&mut self, node: Node<'d>) -> Result<(), Stop> {
        let is_mapping = node.kind() == Kind::Mapping;
        let children = Children::of(node, self.document, &mut self.budget)?;
        let object = match is_mapping {
            true => host::new_dict(self.py)?,
            false => host::list(self.py, &mut Vec::new(), 0)?,
        };
        let outer = self.tagged(node, object.clone())?;
        self.remember(node, &outer);
        let start = self.stack.len();
        let (object, outer) = (Some(object), Some(outer));
        self.open.push(Open { node, children, role: Role::Value, start, object, outer });
        Ok(())
    }

    /// Starts a collection that is a key or part of one. A sequence becomes a tuple. A mapping is
    /// an error, because a `dict` cannot be hashed.
    fn start_in_key(&mut self, node: Node<'d>) -> Result<(), Stop> {
        if node.kind() == Kind::Mapping {
            let problem = "a mapping cannot be a key, or part of one, in Python";
            let help =
                "Use a scalar or a sequence, which becomes a tuple; ketch.events reads any key.";
            return Err(self.refused(problem, help, &node.location()));
        }
        let children = Children::of(node, self.document, &mut self.budget)?;
        let start = self.stack.len();
        self.open.push(Open {
            node,
            children,
            role: Role::InKey,
            start,
            object: None,
            outer: None,
        });
        Ok(())
    }

    /// Ends the innermost collection, fills or creates its object, and pushes this.
    fn end(&mut self) -> Result<(), Stop> {
        let Some(open) = self.open.pop() else { return Ok(()) };
        let Open { node, start, object, outer, .. } = open;
        let Some((object, outer)) = object.zip(outer) else {
            let tuple = host::tuple(&host::list(self.py, &mut self.stack, start)?)?;
            let outer = self.tagged(node, tuple)?;
            self.stack.push(outer);
            return Ok(());
        };
        match object.cast::<PyList>() {
            Ok(list) => {
                let values = host::list(self.py, &mut self.stack, start)?;
                list.set_slice(0, 0, &values)?;
            }
            Err(_) => self.fill(&object, start, node)?,
        }
        self.stack.push(outer);
        Ok(())
    }

    /// Fills a dict with the pairs on the stack. Fails if Python considers two keys equal that are
    /// different in YAML, such as `1`, `1.0` and `True`.
    fn fill(&mut self, dict: &Bound<'py, PyAny>, start: usize, node: Node<'d>) -> Result<(), Stop> {
        let pairs = (self.stack.len() - start) / 2;
        if host::set_pairs(dict, &self.stack, start)? != pairs {
            return Err(self.equal_keys(start, node)?);
        }
        self.stack.truncate(start);
        Ok(())
    }

    /// Returns the error for the first key on the stack that equals an earlier one.
    #[cold]
    fn equal_keys(&mut self, start: usize, node: Node<'d>) -> Result<Stop, Stop> {
        let (pairs, _) = self.stack[start..].as_chunks::<2>();
        let (seen, again) = (PySet::empty(self.py)?, PySet::empty(self.py)?);
        let mut places = (0, 0);
        for (index, [key, _]) in pairs.iter().enumerate() {
            if seen.contains(key)? {
                again.add(key)?;
                places.1 = index;
                break;
            }
            seen.add(key)?;
        }
        while !again.contains(&pairs[places.0][0])? {
            places.0 += 1;
        }
        let keys = Children::of(node, self.document, &mut self.budget)?;
        Ok(keys.repeated(places).into())
    }

    /// Adds a scalar.
    fn scalar(&mut self, node: Node<'d>, role: Role) -> Result<(), Stop> {
        let value = match node.verbatim_text(self.schema) {
            Some(text) => self.text(text, role)?,
            None => self.scalar_value(node, role)?,
        };
        let outer = self.tagged(node, value)?;
        self.remember(node, &outer);
        self.stack.push(outer);
        Ok(())
    }

    /// Returns the value of a scalar whose content is not simply its text in the source.
    fn scalar_value(&mut self, node: Node<'d>, role: Role) -> Result<Bound<'py, PyAny>, Stop> {
        match node.scalar_bytes(self.schema)? {
            Scalar::Str(text) => Ok(self.text(&text, role)?),
            Scalar::Merge => Ok(self.text(b"<<", role)?),
            Scalar::Float(value) if self.options.decimals && role == Role::Value => {
                Ok(scalar::decimal(self.py, &node.text(), value)?)
            }
            Scalar::Unresolved(_) => {
                Err(Error::at(Problem::UnresolvedScalar, node.location()).into())
            }
            other => match scalar::value(self.py, &other) {
                Ok(value) => Ok(value.unwrap_or_else(|| self.py.None().into_bound(self.py))),
                Err(error) => Err(self.unknown_to_python(error, &node.location())),
            },
        }
    }

    /// Returns the error for a number or a time that Python cannot represent.
    #[cold]
    fn unknown_to_python(&self, error: PyErr, location: &Location) -> Stop {
        if !error.is_instance_of::<pyo3::exceptions::PyValueError>(self.py) {
            return error.into();
        }
        let help = "Quote it, to have its text as a str.";
        self.refused(&error.value(self.py).to_string(), help, location)
    }

    /// Returns the error for a value that cannot be represented in Python.
    fn refused(&self, problem: &str, help: &str, location: &Location) -> Stop {
        errors::at_location(self.py, problem, help, location, self.options).into()
    }

    /// Returns a string. If it is a key, it may be a cached one.
    fn text(&mut self, text: &[u8], role: Role) -> PyResult<Bound<'py, PyAny>> {
        match role {
            Role::Key => self.keys.string(self.py, text, false),
            _ => host::string(self.py, text, false),
        }
    }

    /// Returns a `ketch.Tagged` with the tag of the node and the value, or just the value if the
    /// node has no tag, or one of YAML's own.
    fn tagged(&mut self, node: Node<'d>, value: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        match node.tag().filter(|tag| !is_known(tag)) {
            None => Ok(value),
            Some(tag) => {
                let tag = self.keys.string(self.py, tag.as_bytes(), false)?;
                errors::tagged(&tag, &value)
            }
        }
    }

    /// Stores the value of a node, if an alias or a merge key may refer to the node later.
    fn remember(&mut self, node: Node<'d>, value: &Bound<'py, PyAny>) {
        if self.document.merges() || node.anchor_span().is_some() {
            self.known.insert(node.id().index(), value.clone());
        }
    }
}

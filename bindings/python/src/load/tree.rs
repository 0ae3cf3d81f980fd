//! Builds objects from composed documents: all of YAML, with tags, merge keys and aliases to open
//! collections.
//!
//! A collection's object is created at its start and filled at its end, so that it can contain
//! itself. A sequence that is a key, or part of one, becomes a tuple, which is created at its end.

use super::scalar;
use crate::errors::{self, Stop};
use crate::host;
use crate::interrupt;
use crate::keys::Keys;
use crate::options::LoadOptions;
use ketch_host::walk::{Children, KeyBudget};
use ketch_yaml::compose::{Kind, Node, NodeId};
use ketch_yaml::schema::{Scalar, Schema};
use ketch_yaml::tag::is_known;
use ketch_yaml::{Document, Documents, Error, Location, Problem};
use pyo3::prelude::*;
use pyo3::types::PyList;
use std::collections::HashMap;

/// The number of nodes loaded between two checks for signals.
const NODES_A_TURN: u32 = 4096;

/// Loads all documents.
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

/// Loads a document.
pub fn value<'py>(
    py: Python<'py>,
    document: &Document<'_>,
    options: &LoadOptions,
    keys: &mut Keys,
) -> Result<Bound<'py, PyAny>, Stop> {
    value_of(py, document, NodeId::ROOT, options, keys)
}

/// Loads a node and all below.
pub fn value_of<'py>(
    py: Python<'py>,
    document: &Document<'_>,
    node: NodeId,
    options: &LoadOptions,
    keys: &mut Keys,
) -> Result<Bound<'py, PyAny>, Stop> {
    Tree::new(py, document, options, keys).load(node, Role::Value)
}

/// Loads a node as the key of a dict.
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
    /// The objects of nodes that aliases may refer to.
    known: HashMap<usize, Bound<'py, PyAny>>,
    key_budget: KeyBudget,
    turn: u32,
}

/// The role of a node in its parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Value,
    Key,
    /// Part of a key.
    InKey,
}

/// An open collection.
struct Open<'d, 'py> {
    node: Node<'d>,
    children: Children<'d>,
    role: Role,
    /// Where its values start on the stack.
    start: usize,
    /// The list or dict to fill; none for a tuple.
    object: Option<Bound<'py, PyAny>>,
    /// The object with its tag.
    outer: Option<Bound<'py, PyAny>>,
}

impl<'d, 'py, 'o> Tree<'d, 'py, 'o> {
    /// Prepares to load nodes of a document.
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
            key_budget: KeyBudget::new(document, &options.compose.limits),
            turn: 0,
        }
    }

    /// Returns the value of a node.
    fn load(mut self, node: NodeId, role: Role) -> Result<Bound<'py, PyAny>, Stop> {
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

    /// Adds a node, or the start of one.
    fn node(&mut self, node: Node<'d>, role: Role) -> Result<(), Stop> {
        self.turn += 1;
        if self.turn.is_multiple_of(NODES_A_TURN) {
            interrupt::check(self.py)?;
        }
        let node = node.resolved();
        let is_collection = node.kind() != Kind::Scalar;
        if role == Role::Key && is_collection {
            self.key_budget.count(node, self.document)?;
        }
        // The lists of keys are tuples, so they are not the objects of their anchors.
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

    /// Starts a collection whose object is created now.
    fn start(&mut self, node: Node<'d>) -> Result<(), Stop> {
        let is_mapping = node.kind() == Kind::Mapping;
        let children = Children::of(node, self.document)?;
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

    /// Starts a collection inside a key. A sequence becomes a tuple. A mapping is an error, because
    /// a `dict` cannot be hashed.
    fn start_in_key(&mut self, node: Node<'d>) -> Result<(), Stop> {
        if node.kind() == Kind::Mapping {
            let problem = "a mapping cannot be a key, or part of one, in Python";
            let help =
                "Use a scalar or a sequence, which becomes a tuple; ketch.events reads any key.";
            return Err(self.refused(problem, help, &node.location()));
        }
        let children = Children::of(node, self.document)?;
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

    /// Ends the innermost collection, and pushes its object.
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

    /// Fills a dict with the pairs on the stack. Keys that Python compares as equal are an error,
    /// such as `1`, `1.0` and `True`, which are different keys in YAML.
    fn fill(&mut self, dict: &Bound<'py, PyAny>, start: usize, node: Node<'d>) -> Result<(), Stop> {
        let pairs = (self.stack.len() - start) / 2;
        if host::fill_dict(dict, &mut self.stack, start)? == pairs {
            return Ok(());
        }
        Err(Error::at(Problem::DuplicateKey, node.location()).into())
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

    /// Returns the value of a scalar that is not just its written text.
    fn scalar_value(&mut self, node: Node<'d>, role: Role) -> Result<Bound<'py, PyAny>, Stop> {
        match node.scalar_bytes(self.schema)? {
            Scalar::Str(text) => Ok(self.text(&text, role)?),
            Scalar::Merge => Ok(self.text(b"<<", role)?),
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

    /// Returns the error for a value that Python refuses.
    fn refused(&self, problem: &str, help: &str, location: &Location) -> Stop {
        errors::at_location(self.py, problem, help, location, self.options).into()
    }

    /// Returns a string. The strings of keys are shared.
    fn text(&mut self, text: &[u8], role: Role) -> PyResult<Bound<'py, PyAny>> {
        match role {
            Role::Key => self.keys.string(self.py, text, false),
            _ => host::string(self.py, text, false),
        }
    }

    /// Wraps the value in a `ketch.Tagged` if the node has a tag other than YAML's, and returns it.
    fn tagged(&mut self, node: Node<'d>, value: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        match node.tag().filter(|tag| !is_known(tag)) {
            None => Ok(value),
            Some(tag) => {
                let tag = self.keys.string(self.py, tag.as_bytes(), false)?;
                errors::tagged(&tag, &value)
            }
        }
    }

    /// Stores the object of a node that aliases, or mappings that merge this one, may refer to.
    fn remember(&mut self, node: Node<'d>, value: &Bound<'py, PyAny>) {
        if self.document.merges() || node.anchor_span().is_some() {
            self.known.insert(node.id().index(), value.clone());
        }
    }
}

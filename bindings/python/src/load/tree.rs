//! Builds objects from composed documents. A sequence that is a key, or part of one, becomes a tuple.

use super::builder::{Builder, Step};
use super::scalar;
use crate::errors::{self, Stop};
use crate::host;
use crate::interrupt;
use crate::keys::Keys;
use crate::options::LoadOptions;
use ketch_host::tree::{Convert, Ended, Place, Tree};
use ketch_yaml::compose::{Kind, Node, NodeId};
use ketch_yaml::schema::Scalar;
use ketch_yaml::{Document, Documents};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PySet};
use std::borrow::Cow;

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
    load(py, document.node(node), Place::VALUE, options, (document, keys))
}

/// Returns the value of a node in the form that it has as a key of a dict.
pub fn key_of<'py>(
    py: Python<'py>,
    document: &Document<'_>,
    node: NodeId,
    options: &LoadOptions,
    keys: &mut Keys,
) -> Result<Bound<'py, PyAny>, Stop> {
    load(py, document.node(node), Place::KEY, options, (document, keys))
}

fn load<'d, 'py>(
    py: Python<'py>,
    node: Node<'d>,
    place: Place,
    options: &LoadOptions,
    (document, keys): (&'d Document<'d>, &mut Keys),
) -> Result<Bound<'py, PyAny>, Stop> {
    let (mut subtrees, mut decoded) = (None, Vec::new());
    let builder = Builder::of_document(py, options, keys, &mut subtrees);
    let mut tree = Tree::new(builder, document, &options.compose, &mut decoded);
    tree.build(node, place)?;
    Ok(tree.make.stack.pop().unwrap_or_else(|| py.None().into_bound(py)))
}

impl<'py> Convert for Builder<'py, '_> {
    fn scalar(&mut self, scalar: Scalar<'_, Cow<'_, [u8]>>, node: Node<'_>, place: Place) -> Step {
        let value = match scalar {
            Scalar::Float(value) if self.options.decimals && !place.in_key => {
                Some(scalar::decimal(self.py, &node.text(), value)?)
            }
            scalar => match scalar::value(self.py, &scalar) {
                Err(error) if error.is_instance_of::<PyValueError>(self.py) => {
                    // Python cannot represent the number or the time.
                    let help = "Quote it, to have its text as a str.";
                    return Err(self.refused(&error.value(self.py).to_string(), help, node));
                }
                value => value?,
            },
        };
        self.stack.push(value.unwrap_or_else(|| self.py.None().into_bound(self.py)));
        Ok(())
    }

    fn open(&mut self, node: Node<'_>, tag: Option<&str>) -> Step {
        let object = match node.kind() {
            Kind::Mapping => host::new_dict(self.py)?,
            _ => host::list(self.py, &mut Vec::new(), 0)?,
        };
        self.stack.push(object.clone());
        if let Some(tag) = tag {
            let tag = self.keys.string(self.py, tag.as_bytes(), false)?;
            self.stack.push(errors::tagged(&tag, &object)?);
        }
        Ok(())
    }

    fn close(&mut self, ended: Ended) -> Result<bool, Stop> {
        let Ended { start, is_mapping, is_open, is_tagged, in_key } = ended;
        let at = start.saturating_sub(1 + usize::from(is_tagged));
        let object = if is_open { self.stack.get(at).cloned() } else { None };
        let new = match (is_mapping, object) {
            (true, object) => {
                let pairs = (self.stack.len() - start) / 2;
                let dict = object.map_or_else(|| host::new_dict(self.py), Ok)?;
                if host::set_pairs(&dict, &self.stack, start)? != pairs {
                    return Ok(false);
                }
                self.stack.truncate(start);
                dict
            }
            (false, None) if in_key => host::tuple_of(self.py, &mut self.stack, start)?,
            (false, object) => {
                let list = host::list(self.py, &mut self.stack, start)?;
                if let Some(object) = object {
                    object.cast::<PyList>().map_err(PyErr::from)?.set_slice(0, 0, &list)?;
                }
                list
            }
        };
        match (is_open, is_tagged) {
            (false, _) => self.stack.push(new),
            // Of the object and the `ketch.Tagged` that contains it, the latter stays.
            (true, true) => drop(self.stack.swap_remove(at)),
            (true, false) => {}
        }
        Ok(true)
    }

    #[cold]
    fn repeated(&mut self, start: usize) -> Result<(usize, usize), Stop> {
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
        Ok(places)
    }

    fn pause(&mut self) -> Step {
        Ok(interrupt::check(self.py)?)
    }

    /// A `dict` cannot be hashed.
    fn check_mapping_in_key(&mut self, mapping: Node<'_>) -> Step {
        let problem = "a mapping cannot be a key, or part of one, in Python";
        let help = "Use a scalar or a sequence, which becomes a tuple; ketch.events reads any key.";
        Err(self.refused(problem, help, mapping))
    }

    /// The tuple for a sequence that is part of a key is not the list that it is as a value.
    fn shares(&self, is_collection: bool, place: Place) -> bool {
        !(is_collection && place.in_key)
    }
}

impl Builder<'_, '_> {
    /// Returns the error for a node whose value cannot be represented in Python.
    #[cold]
    fn refused(&self, problem: &str, help: &str, node: Node<'_>) -> Stop {
        errors::at_location(self.py, problem, help, &node.location(), self.options).into()
    }
}

//! Nodes with a tag for which the program has a constructor. Their events are stored in place of
//! their values until Python code has created the values.

use crate::errors::Stop;
use crate::events;
use crate::facts;
use crate::host;
use ketch_host::events::Giver;
use ketch_yaml::{Chunk, Event, EventKind};
use pyo3::prelude::*;
use pyo3::types::{PyFrozenSet, PyList, PyTuple};

/// The tags that have a constructor: those in `exact`, and those with one of `prefixes`.
#[derive(Debug)]
pub struct Tags<'py> {
    pub exact: Bound<'py, PyFrozenSet>,
    pub prefixes: Vec<String>,
}

impl Tags<'_> {
    /// Returns whether a tag has a constructor.
    fn contain(&self, tag: &str) -> PyResult<bool> {
        let has_prefix = self.prefixes.iter().any(|prefix| tag.starts_with(prefix));
        Ok(has_prefix || self.exact.contains(facts::text(self.exact.py(), Some(tag))?)?)
    }
}

/// The subtrees of a load, each of which is a node whose tag has a constructor.
pub struct Subtrees<'py> {
    tags: Tags<'py>,
    giver: Giver,
    /// The events of the subtree that is being read, and the number of its open collections.
    current: Option<(Bound<'py, PyList>, usize)>,
    /// The indices on the stack at which there are events instead of a value.
    waiting: Vec<usize>,
    /// For each subtree that is complete: its collection, its key or index there, and its events.
    placed: Vec<Bound<'py, PyAny>>,
}

impl<'py> Subtrees<'py> {
    /// Creates the subtrees for a load that has not started.
    pub fn new(tags: Tags<'py>) -> Subtrees<'py> {
        let giver = Giver::default();
        Subtrees { tags, giver, current: None, waiting: Vec::new(), placed: Vec::new() }
    }

    /// Begins a subtree if its tag has a constructor. Returns whether it has one.
    pub fn begin(
        &mut self,
        py: Python<'py>,
        chunk: &Chunk<'_, '_>,
        (event, tag): (&Event, &str),
    ) -> Result<bool, Stop> {
        if !self.tags.contain(tag)? {
            return Ok(false);
        }
        self.giver.event(chunk, event);
        let events = host::list(py, &mut Vec::new(), 0)?.cast_into().map_err(PyErr::from)?;
        self.current = Some((events, 0));
        Ok(true)
    }

    /// Reads the events of the subtree that was begun, up to its end or the end of the chunk. Returns
    /// whether it has ended, and is on the stack.
    pub fn read(
        &mut self,
        stack: &mut Vec<Bound<'py, PyAny>>,
        chunk: &Chunk<'_, '_>,
        of_node: &mut impl Iterator<Item = Event>,
    ) -> Result<bool, Stop> {
        let Some((list, mut depth)) = self.current.take() else { return Ok(false) };
        for event in of_node.by_ref() {
            match event.kind {
                // The node that the anchor or the alias refers to may also be used outside the
                // subtree.
                EventKind::Anchor | EventKind::Alias => return Err(Stop::Complex),
                EventKind::MappingStart | EventKind::SequenceStart => depth += 1,
                EventKind::MappingEnd | EventKind::SequenceEnd => depth -= 1,
                _ => {}
            }
            let Some(given) = self.giver.event(chunk, &event) else { continue };
            list.append(events::arguments(list.py(), &given)?)?;
            if depth == 0 {
                self.waiting.push(stack.len());
                stack.push(list.into_any());
                return Ok(true);
            }
        }
        self.current = Some((list, depth));
        Ok(false)
    }

    /// Returns the keys or indices of the subtrees in the collection whose values start at `start`,
    /// and which is about to end, each with its events, in reverse order.
    pub fn keys_in(
        &mut self,
        stack: &[Bound<'py, PyAny>],
        start: usize,
        is_mapping: bool,
    ) -> PyResult<Vec<Bound<'py, PyTuple>>> {
        let mut found = Vec::new();
        while let Some(&at) = self.waiting.last()
            && at >= start
        {
            self.waiting.pop();
            let events = stack[at].clone();
            let py = events.py();
            let key = match is_mapping {
                true => stack[at - 1].clone(),
                false => facts::number(py, (at - start) as u64)?,
            };
            found.push(host::arguments(py, [key, events])?);
        }
        Ok(found)
    }

    /// Records `collection` as the one that contains the subtrees at these keys or indices.
    pub fn place(
        &mut self,
        collection: &Bound<'py, PyAny>,
        keys: Vec<Bound<'py, PyTuple>>,
    ) -> PyResult<()> {
        for key in keys.into_iter().rev() {
            let (key, events) = (key.get_item(0)?, key.get_item(1)?);
            let place = host::arguments(key.py(), [collection.clone(), key, events])?;
            self.placed.push(place.into_any());
        }
        Ok(())
    }

    /// Returns all subtrees, in the order in which their collections end. `roots` is the list of
    /// the values of the documents.
    pub fn finish(mut self, roots: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
        for at in std::mem::take(&mut self.waiting) {
            let events = roots.get_item(at)?;
            let at = facts::number(roots.py(), at as u64)?;
            let place = host::arguments(roots.py(), [roots.clone(), at, events])?;
            self.placed.push(place.into_any());
        }
        Ok(host::list(roots.py(), &mut self.placed, 0)?.cast_into()?)
    }
}

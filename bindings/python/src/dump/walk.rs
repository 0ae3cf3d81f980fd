//! Walks through Python objects without recursion.
//!
//! The entries of open collections are copied, so that Python code that runs during the walk
//! (`default`, for example) cannot change them.

use super::given::{self, Given, Leaf, Plain, with_leaf};
use super::place;
use super::stop::Stop;
use crate::interrupt;
use crate::options::DumpOptions;
use ketch_yaml::path::{Path, Step};
use pyo3::exceptions::{PyMemoryError, PyRecursionError, PyTypeError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};
use std::collections::HashMap;

/// Receives the values of a walk in order.
pub(super) trait Receiver {
    /// Receives a value other than a collection, with its tag if it has one.
    fn leaf(&mut self, leaf: &Leaf<'_>, tag: Option<&str>) -> Result<(), Stop>;

    /// Receives the start of a collection. Returns whether to walk through it; if not, no end is
    /// received.
    fn start(&mut self, collection: &Collection<'_>) -> Result<bool, Stop>;

    /// Receives the end of the innermost collection.
    fn end(&mut self, is_mapping: bool) -> Result<(), Stop>;
}

/// A collection whose start a receiver gets.
#[derive(Clone, Copy, Debug)]
pub(super) struct Collection<'a> {
    /// The address of the collection's object, or `None` for the empty tuple, of which Python has
    /// only one.
    pub address: Option<usize>,
    pub tag: Option<&'a str>,
    pub is_mapping: bool,
}

/// A walk through Python objects. It can be run several times.
pub(super) struct Walk<'o, 'py> {
    py: Python<'py>,
    options: &'o DumpOptions<'py>,
    open: Vec<Open>,
    /// The children of all open collections, one collection after another.
    children: Vec<Bound<'py, PyAny>>,
    /// For each object that was passed to `default`, by its address: the object, and the result.
    /// Both are kept alive as long as the walk, so that no address is used by another object.
    represented: HashMap<usize, (Bound<'py, PyAny>, Bound<'py, PyAny>)>,
    /// The number of open collections that `default` returned.
    represented_open: usize,
    turn: u32,
}

/// An open collection. The indices refer to `Walk::children`.
#[derive(Clone, Copy, Debug)]
struct Open {
    start: usize,
    next: usize,
    end: usize,
    is_mapping: bool,
    /// Whether `default` has returned the collection.
    is_represented: bool,
}

/// The maximum number of open collections that `default` has returned. Without a limit, the walk
/// would never end if each of them contains a new object for `default`.
const REPRESENTED_OPEN_MAX: usize = 1000;

/// The maximum number of steps, besides the last one, that a location in an exception shows.
const STEPS_SHOWN_MAX: usize = 20;

/// The number of values that are visited between two checks for signals.
const VALUES_A_TURN: u32 = 4096;

impl<'o, 'py> Walk<'o, 'py> {
    /// Creates a walk with these options.
    pub fn new(py: Python<'py>, options: &'o DumpOptions<'py>) -> Walk<'o, 'py> {
        let (open, children) = (Vec::new(), Vec::new());
        Walk {
            py,
            options,
            open,
            children,
            represented: HashMap::new(),
            represented_open: 0,
            turn: 0,
        }
    }

    /// Walks through `root`. Exceptions say which part of it they are about.
    pub fn run(
        &mut self,
        root: &Bound<'py, PyAny>,
        receiver: &mut impl Receiver,
    ) -> Result<(), Stop> {
        self.walk(root, receiver).map_err(|stop| match self.place() {
            Some(place) => place::located(self.py, stop, &place),
            None => stop,
        })
    }

    fn walk(&mut self, root: &Bound<'py, PyAny>, receiver: &mut impl Receiver) -> Result<(), Stop> {
        self.open.clear();
        self.children.clear();
        self.represented_open = 0;
        self.object(root, receiver)?;
        while let Some(open) = self.open.last_mut() {
            if open.next < open.end {
                let value = self.children[open.next].clone();
                open.next += 1;
                self.object(&value, receiver)?;
                continue;
            }
            let Open { start, is_mapping, is_represented, .. } = *open;
            self.open.pop();
            self.represented_open -= usize::from(is_represented);
            self.children.truncate(start);
            receiver.end(is_mapping)?;
        }
        Ok(())
    }

    /// Passes a scalar to the receiver, or opens a collection.
    #[inline(always)]
    fn object(
        &mut self,
        object: &Bound<'py, PyAny>,
        receiver: &mut impl Receiver,
    ) -> Result<(), Stop> {
        self.turn = self.turn.wrapping_add(1);
        if self.turn.is_multiple_of(VALUES_A_TURN) {
            interrupt::check(self.py)?;
        }
        let given = Given::of(object)?;
        if with_leaf(&given, |leaf| receiver.leaf(leaf, None))? {
            return Ok(());
        }
        match given {
            Given::Tagged => self.tagged(object, receiver),
            Given::Other => self.other(object, receiver),
            given => self.collection(object, &given, None, receiver),
        }
    }

    /// Visits the value of a `ketch.Tagged`, together with the tag.
    #[cold]
    fn tagged(
        &mut self,
        tagged: &Bound<'py, PyAny>,
        receiver: &mut impl Receiver,
    ) -> Result<(), Stop> {
        let (tag, value) = (
            tagged.getattr(intern!(tagged.py(), "tag"))?,
            tagged.getattr(intern!(tagged.py(), "value"))?,
        );
        let tag = match tag.cast::<PyString>() {
            Ok(tag) if !tag.is_empty()? => tag.to_str()?,
            _ => {
                let message = "the tag of a ketch.Tagged has to be a str that is not empty";
                return Err(PyTypeError::new_err(message).into());
            }
        };
        let given = Given::of(&value)?;
        if with_leaf(&given, |leaf| receiver.leaf(leaf, Some(tag)))? {
            return Ok(());
        }
        match given {
            Given::Tagged | Given::Other => {
                let message = "the value of a ketch.Tagged has to be a str, a list or a dict";
                Err(PyTypeError::new_err(message).into())
            }
            given => self.collection(tagged, &given, Some(tag), receiver),
        }
    }

    /// Visits what `default` returns for an object that cannot be written.
    #[cold]
    fn other(
        &mut self,
        object: &Bound<'py, PyAny>,
        receiver: &mut impl Receiver,
    ) -> Result<(), Stop> {
        if self.represented_open == REPRESENTED_OPEN_MAX {
            let message = "default returned more than 1,000 collections inside each other";
            return Err(PyRecursionError::new_err(message).into());
        }
        let address = object.as_ptr() as usize;
        let known = self.represented.get(&address).map(|(_, value)| value.clone());
        let value = match known {
            Some(value) => value,
            None => {
                let value = self.represent(object)?;
                self.represented.insert(address, (object.clone(), value.clone()));
                value
            }
        };
        if let Plain::Number(text) = Plain::of(value.clone())? {
            return receiver.leaf(&Leaf::Number(text.to_str()?), None);
        }
        let given = Given::of(&value)?;
        if with_leaf(&given, |leaf| receiver.leaf(leaf, None))? {
            return Ok(());
        }
        let open_before = self.open.len();
        match given {
            Given::Tagged => self.tagged(&value, receiver)?,
            Given::Other => return Err(self.unknown(&value)),
            given => self.collection(&value, &given, None, receiver)?,
        }
        if let Some(open) = self.open.get_mut(open_before) {
            open.is_represented = true;
            self.represented_open += 1;
        }
        Ok(())
    }

    /// Returns what `default` or `ketch.plain` makes of an object.
    fn represent(&self, object: &Bound<'py, PyAny>) -> Result<Bound<'py, PyAny>, Stop> {
        let value = match &self.options.default {
            Some(default) => default.call1((object,)).map(Some),
            None => given::plain_value(object),
        };
        match value {
            Ok(Some(value)) => Ok(value),
            Ok(None) => Err(self.unknown(object)),
            Err(error) => Err(place::noted(self.py, error, self.place())),
        }
    }

    /// Passes the start of a collection to the receiver, and opens the collection if the receiver
    /// asks for its content.
    fn collection(
        &mut self,
        object: &Bound<'py, PyAny>,
        given: &Given<'_, 'py>,
        tag: Option<&str>,
        receiver: &mut impl Receiver,
    ) -> Result<(), Stop> {
        let is_mapping = matches!(given, Given::Dict(_));
        let is_shared_by_python = matches!(given, Given::Tuple(tuple) if tuple.is_empty());
        let address = (!is_shared_by_python).then_some(object.as_ptr() as usize);
        if receiver.start(&Collection { address, tag, is_mapping })? {
            let start = self.children.len();
            self.push_children(given)?;
            let end = self.children.len();
            self.open.push(Open { start, next: start, end, is_mapping, is_represented: false });
        }
        Ok(())
    }

    /// Pushes the entries of a collection.
    fn push_children(&mut self, given: &Given<'_, 'py>) -> PyResult<()> {
        let count = match given {
            Given::List(list) => list.len(),
            Given::Tuple(tuple) => tuple.len(),
            Given::Dict(dict) => dict.len() * 2,
            _ => 0,
        };
        self.children.try_reserve(count).map_err(|_| PyMemoryError::new_err(()))?;
        match given {
            Given::List(list) => self.children.extend(list.iter()),
            Given::Tuple(tuple) => self.children.extend(tuple.iter()),
            Given::Dict(dict) if self.options.sort_keys => self.push_sorted(dict)?,
            Given::Dict(dict) => {
                for (key, value) in dict.iter() {
                    self.children.extend([key, value]);
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Pushes the entries of a dict in the order of its keys.
    fn push_sorted(&mut self, dict: &Bound<'py, PyDict>) -> PyResult<()> {
        let keys: Bound<'py, PyList> = dict.as_mapping().keys()?;
        keys.sort()?;
        for key in keys {
            if let Some(value) = dict.get_item(&key)? {
                self.children.extend([key, value]);
            }
        }
        Ok(())
    }

    /// Returns the location of the value that is being visited, or `None` if it is the root.
    fn place(&self) -> Option<String> {
        let (last, outer) = self.open.split_last()?;
        let omitted = outer.len().saturating_sub(STEPS_SHOWN_MAX);
        let mut path = Path::default();
        for open in &outer[omitted..] {
            path = path.then(self.step(open));
        }
        let start = if omitted > 0 { "..." } else { "" };
        let in_key = last.is_mapping && (last.next - last.start) % 2 == 1;
        Some(match in_key {
            true => format!("in a key of `{start}{path}`"),
            false => format!("at `{start}{}`", path.then(self.step(last))),
        })
    }

    /// Returns the key or the index of the current child of a collection.
    fn step(&self, open: &Open) -> Step {
        let index = (open.next - open.start).saturating_sub(1);
        if !open.is_mapping {
            return Step::Index(index as i64);
        }
        let key = self.children.get(open.start + index / 2 * 2);
        key.map_or_else(|| Step::Index(0), place::step)
    }

    /// Returns the exception for an object that cannot be written.
    fn unknown(&self, object: &Bound<'_, PyAny>) -> Stop {
        let class = match object.get_type().qualname() {
            Ok(class) => class.to_string(),
            Err(error) => return error.into(),
        };
        let place = self.place().map_or_else(String::new, |place| format!(", {place},"));
        Stop::Located(PyTypeError::new_err(format!(
            "an object of type {class}{place} has no YAML: convert it first, or pass default=, a \
             function that returns a value for it"
        )))
    }
}

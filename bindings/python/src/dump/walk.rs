//! Walks through Python objects without recursion.
//!
//! The entries of open collections are copied, so that Python code that runs during the walk
//! (`default`, for example) cannot change them.

use super::given::{self, Given, Leaf, Plain, Stacked, with_leaf};
use super::place;
use super::stop::Stop;
use crate::options::DumpOptions;
use ketch_host::dump::{self, Open, Take};
use ketch_yaml::path::{Path, Step};
use ketch_yaml::present::{Properties, ScalarStyle};
use ketch_yaml::represent::Native;
use pyo3::exceptions::{PyRecursionError, PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyString;
use std::collections::HashMap;
use std::io::{self, Write};

/// The text written so far. If memory runs out, writing fails, instead of ending the process.
#[derive(Debug, Default)]
pub(super) struct Text(pub Vec<u8>);

impl Write for Text {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.try_reserve(bytes.len())?;
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Takes apart Python objects.
pub(super) struct Objects<'o, 'py> {
    options: &'o DumpOptions<'py>,
    /// For each object that was passed to `default`, by its address: the object, and the result.
    /// Both are kept alive as long as the walk, so that no address is used by another object.
    represented: HashMap<usize, (Bound<'py, PyAny>, Bound<'py, PyAny>)>,
}

/// Writes objects. The open collections that `default` has returned are marked.
pub(super) type Output<'w, 'o, 'py> = dump::Output<'w, Objects<'o, 'py>>;

/// The maximum number of open collections that `default` has returned. Without a limit, the walk
/// would never end if each of them contains a new object for `default`.
const REPRESENTED_OPEN_MAX: usize = 1000;

/// The maximum number of steps, besides the last one, that a location in an exception shows.
const STEPS_SHOWN_MAX: usize = 20;

impl<'o, 'py> Objects<'o, 'py> {
    /// Takes apart objects with these options.
    pub fn new(options: &'o DumpOptions<'py>) -> Objects<'o, 'py> {
        Objects { options, represented: HashMap::new() }
    }
}

impl<'o, 'py> Take for Objects<'o, 'py> {
    type Error = Stop;
    type Value = Bound<'py, PyAny>;
    type Entries = Stacked<'py>;
    type Text = Text;

    #[inline(always)]
    fn write(output: &mut Output<'_, 'o, 'py>, object: &Bound<'py, PyAny>) -> Result<(), Stop> {
        let given = Given::of(object)?;
        if with_leaf(&given, |leaf| write_leaf(output, leaf))? {
            return Ok(());
        }
        match given {
            Given::Tagged => tagged(output, object),
            Given::Other => other(output, object),
            given => collection(output, object, (object, &given), None),
        }
    }

    /// Exceptions say which part of the document they are about.
    fn located(output: &Output<'_, 'o, 'py>, stop: Stop) -> Stop {
        match place(output) {
            Some(place) => place::located(output.entries.py, stop, &place),
            None => stop,
        }
    }
}

/// Writes a value other than a collection.
#[inline(always)]
fn write_leaf(output: &mut Output<'_, '_, '_>, leaf: &Leaf<'_>) -> Result<(), Stop> {
    output.native(match *leaf {
        Leaf::Null => Native::Null,
        Leaf::Bool(value) => Native::Bool(value),
        Leaf::Int(value) => Native::Int(value),
        Leaf::Float(value) => Native::Float(value),
        Leaf::Text("<<") => return output.merge_key_as_text(),
        Leaf::Text(text) => Native::Str(text),
        Leaf::BigInt(digits) => Native::BigInt(digits),
        Leaf::Number(text) => return output.scalar(text, ScalarStyle::Plain, Properties::NONE),
        Leaf::Binary(bytes) => Native::Binary(bytes),
        Leaf::Timestamp(time) => Native::Timestamp(time),
    })
}

/// Writes the value of a `ketch.Tagged`, together with the tag. The content of a scalar is written as text.
#[cold]
fn tagged<'py>(output: &mut Output<'_, '_, 'py>, tagged: &Bound<'py, PyAny>) -> Result<(), Stop> {
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
    let is_counting = output.is_counting();
    let is_leaf = with_leaf(&given, |leaf| {
        if is_counting {
            return Ok(());
        }
        let content = leaf.content().map_err(PyValueError::new_err)?;
        output.scalar(&content, ScalarStyle::Text, Properties::tag(tag))
    })?;
    match given {
        _ if is_leaf => Ok(()),
        Given::Tagged | Given::Other => {
            let message = "the value of a ketch.Tagged has to be a str, a list or a dict";
            Err(PyTypeError::new_err(message).into())
        }
        given => collection(output, tagged, (&value, &given), Some(tag)),
    }
}

/// Writes what `default` returns for an object that cannot be written.
#[cold]
fn other<'py>(output: &mut Output<'_, '_, 'py>, object: &Bound<'py, PyAny>) -> Result<(), Stop> {
    if output.marked() == REPRESENTED_OPEN_MAX {
        let message = "default returned more than 1,000 collections inside each other";
        return Err(PyRecursionError::new_err(message).into());
    }
    let address = object.as_ptr() as usize;
    let known = output.take.represented.get(&address).map(|(_, value)| value.clone());
    let value = match known {
        Some(value) => value,
        None => {
            let value = represent(output, object)?;
            output.take.represented.insert(address, (object.clone(), value.clone()));
            value
        }
    };
    if let Plain::Number(text) = Plain::of(value.clone())? {
        return write_leaf(output, &Leaf::Number(text.to_str()?));
    }
    let given = Given::of(&value)?;
    if with_leaf(&given, |leaf| write_leaf(output, leaf))? {
        return Ok(());
    }
    let open_before = output.open().len();
    match given {
        Given::Tagged => tagged(output, &value)?,
        Given::Other => return Err(unknown(output, &value)),
        given => collection(output, &value, (&value, &given), None)?,
    }
    output.mark(open_before);
    Ok(())
}

/// Returns what `default` or `ketch.plain` makes of an object.
fn represent<'py>(
    output: &Output<'_, '_, 'py>,
    object: &Bound<'py, PyAny>,
) -> Result<Bound<'py, PyAny>, Stop> {
    let value = match &output.take.options.default {
        Some(default) => default.call1((object,)).map(Some),
        None => given::plain_value(object),
    };
    match value {
        Ok(Some(value)) => Ok(value),
        Ok(None) => Err(unknown(output, object)),
        Err(error) => Err(place::noted(object.py(), error, place(output))),
    }
}

/// Writes the start of a collection. `object` is the collection, or the `ketch.Tagged` that contains it.
fn collection<'py>(
    output: &mut Output<'_, '_, 'py>,
    object: &Bound<'py, PyAny>,
    (holder, given): (&Bound<'py, PyAny>, &Given<'_, 'py>),
    tag: Option<&str>,
) -> Result<(), Stop> {
    let is_mapping = matches!(given, Given::Dict(_));
    // Python has only one empty tuple.
    let is_shared_by_python = matches!(given, Given::Tuple(tuple) if tuple.is_empty());
    let address = (!is_shared_by_python).then_some(object.as_ptr() as usize);
    output.collection(address, holder, tag, is_mapping)
}

/// Returns the location of the value that is being visited, or `None` if it is the root.
fn place(output: &Output<'_, '_, '_>) -> Option<String> {
    let (last, outer) = output.open().split_last()?;
    let omitted = outer.len().saturating_sub(STEPS_SHOWN_MAX);
    let mut path = Path::default();
    for open in &outer[omitted..] {
        path = path.then(step(output, open));
    }
    let start = if omitted > 0 { "..." } else { "" };
    let in_key = last.is_mapping && (last.next - last.start) % 2 == 1;
    Some(match in_key {
        true => format!("in a key of `{start}{path}`"),
        false => format!("at `{start}{}`", path.then(step(output, last))),
    })
}

/// Returns the key or the index of the current child of a collection.
fn step(output: &Output<'_, '_, '_>, open: &Open) -> Step {
    let index = (open.next - open.start).saturating_sub(1);
    if !open.is_mapping {
        return Step::Index(index as i64);
    }
    let key = output.entries.stack.get(open.start + index / 2 * 2);
    key.map_or_else(|| Step::Index(0), place::step)
}

/// Returns the exception for an object that cannot be written.
fn unknown(output: &Output<'_, '_, '_>, object: &Bound<'_, PyAny>) -> Stop {
    let class = match object.get_type().qualname() {
        Ok(class) => class.to_string(),
        Err(error) => return error.into(),
    };
    let place = place(output).map_or_else(String::new, |place| format!(", {place},"));
    Stop::Located(PyTypeError::new_err(format!(
        "an object of type {class}{place} has no YAML: convert it first, or pass default=, a \
         function that returns a value for it"
    )))
}

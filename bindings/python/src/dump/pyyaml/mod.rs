//! Documents for `ketch.yaml`, which are identical to those that PyYAML's `SafeDumper` writes.
//!
//! This code writes only values of Python's own classes, and only in the most common layouts.
//! Ketch's Python code writes all others.

mod emitter;
mod leaf;
mod scalar;

use super::stop::{Stop, no_memory};
use crate::{host, interrupt};
use emitter::{Emitter, Layout};
use leaf::Leaf;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyList, PyString, PyTuple};
use scalar::Special;
use std::collections::HashMap;

/// The layout that a dumper requests: the indentation, the width, the line break, whether
/// characters beyond ASCII are written unescaped, and whether those beyond U+FFFF are.
type Given = (usize, usize, String, bool, bool);
/// Whether collections are in flow style (`None`: only those that contain no collections), whether
/// keys are sorted, whether the start and the end of the document are marked, and whether tuples are
/// written as lists.
type Structure = (Option<bool>, bool, bool, bool, bool);

/// The collections and times that occur in a document, by the addresses of their objects.
type Met = HashMap<usize, Mark>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    /// Seen once.
    Once,
    /// Seen more than once, and not yet written. The number is that of its anchor.
    Shared(u32),
    /// Written with an anchor that has this number.
    Written(u32),
}

/// Returns the text of a document, and whether it is a plain scalar without a marked end. Returns
/// `None` if Ketch's Python code has to write the document.
#[pyfunction]
#[pyo3(signature = (value, layout, structure, /))]
pub fn pyyaml_document<'py>(
    value: &Bound<'py, PyAny>,
    layout: Given,
    structure: Structure,
) -> PyResult<Option<Bound<'py, PyTuple>>> {
    let py = value.py();
    let _reserve = interrupt::hold_memory(0)?;
    let (indent, width, line_break, allow_unicode, allow_beyond_basic) = layout;
    let special = Special { allow_unicode, beyond_basic: !allow_beyond_basic };
    let layout = Layout { indent, width, line_break: &line_break, special };
    let mut met = Met::default();
    let mut text = document(value, layout, structure, &mut met);
    if matches!(text, Err(Stop::Shared)) {
        met.clear();
        text = count(value, structure, &mut met)
            .and_then(|()| document(value, layout, structure, &mut met));
    }
    match text {
        Ok((text, is_open)) => {
            let is_open = PyBool::new(py, is_open).to_owned().into_any();
            host::arguments(py, [host::string(py, text.as_bytes(), false)?, is_open]).map(Some)
        }
        Err(Stop::Unusual) => Ok(None),
        Err(stop) => Err(stop.into_exception()),
    }
}

/// Writes a document, and returns its text and whether it is a plain scalar without a marked end.
/// `met` contains the collections that occur more than once; on the first try, it is empty.
fn document(
    value: &Bound<'_, PyAny>,
    layout: Layout<'_>,
    (flow, sorts, start, end, tuples_are_lists): Structure,
    met: &mut Met,
) -> Result<(String, bool), Stop> {
    let names_shared = !met.is_empty();
    let emitter = Emitter::new(layout);
    let stack = Stack::new(sorts);
    let mut writer = Writer {
        emitter,
        flow,
        met,
        names_shared,
        special: layout.special,
        is_after_long_key: false,
        tuples_are_lists,
        stack,
    };
    if start {
        writer.emitter.indicator("---", true)?;
    }
    let is_plain = writer.root(value)?;
    writer.emitter.write_indent()?;
    if end {
        writer.emitter.indicator("...", true)?;
        writer.emitter.write_indent()?;
    }
    Ok((writer.emitter.out, is_plain && !end))
}

/// Assigns a number to each collection that occurs more than once, in the order in which PyYAML's
/// serializer sees them for the second time.
fn count(root: &Bound<'_, PyAny>, (_, sorts, ..): Structure, met: &mut Met) -> Result<(), Stop> {
    let mut stack = Stack::new(sorts);
    let mut last = 0;
    let mut next = Some(root.clone());
    while let Some(object) = next {
        if let Some(collection) = Collection::of(&object)
            && !collection.is_empty_tuple()
        {
            met.try_reserve(1).map_err(no_memory)?;
            let address = object.as_ptr() as usize;
            match met.insert(address, Mark::Once) {
                None => stack.open(&collection, ())?,
                Some(Mark::Once) => {
                    last += 1;
                    met.insert(address, Mark::Shared(last));
                }
                Some(mark) => {
                    met.insert(address, mark);
                }
            }
        }
        next = loop {
            match stack.next() {
                Some(Step::Child(child, _)) => break Some(child),
                Some(Step::End(())) => {}
                None => break None,
            }
        };
    }
    met.retain(|_, mark| *mark != Mark::Once);
    Ok(())
}

/// A list, tuple or dict of exactly this class, not of a subclass.
enum Collection<'a, 'py> {
    List(&'a Bound<'py, PyList>),
    Tuple(&'a Bound<'py, PyTuple>),
    Dict(&'a Bound<'py, PyDict>),
}

impl<'a, 'py> Collection<'a, 'py> {
    /// Returns the collection that `object` is, or `None` if its class is not exactly `dict`,
    /// `list` or `tuple`.
    #[inline(always)]
    fn of(object: &'a Bound<'py, PyAny>) -> Option<Collection<'a, 'py>> {
        if let Ok(dict) = object.cast_exact::<PyDict>() {
            return Some(Collection::Dict(dict));
        }
        if let Ok(list) = object.cast_exact::<PyList>() {
            return Some(Collection::List(list));
        }
        object.cast_exact::<PyTuple>().ok().map(Collection::Tuple)
    }

    fn len(&self) -> usize {
        match self {
            Collection::List(list) => list.len(),
            Collection::Tuple(tuple) => tuple.len(),
            Collection::Dict(dict) => dict.len(),
        }
    }

    /// Returns whether this is the empty tuple, of which Python has only one.
    fn is_empty_tuple(&self) -> bool {
        matches!(self, Collection::Tuple(tuple) if tuple.is_empty())
    }
}

/// The open collections, each with a value `T` that belongs to it, and their children. The children
/// are copied, since Python code could change the collections.
struct Stack<'py, T> {
    open: Vec<Open<T>>,
    children: Vec<Bound<'py, PyAny>>,
    sorts: bool,
    turn: u32,
}

struct Open<T> {
    start: usize,
    next: usize,
    is_mapping: bool,
    mark: T,
}

/// The next step of a walk through a document.
enum Step<'py, T> {
    Child(Bound<'py, PyAny>, Place),
    End(T),
}

/// The position of a node. `is_first` is whether it is the first child of its collection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Root,
    Item { is_first: bool },
    Key { is_first: bool },
    Value,
}

/// The number of values that are written between two checks for signals.
const VALUES_A_TURN: u32 = 4096;

impl<'py, T> Stack<'py, T> {
    fn new(sorts: bool) -> Stack<'py, T> {
        Stack { open: Vec::new(), children: Vec::new(), sorts, turn: 0 }
    }

    /// Opens a collection, and pushes its children.
    fn open(&mut self, collection: &Collection<'_, 'py>, mark: T) -> Result<(), Stop> {
        let start = self.children.len();
        let is_mapping = matches!(collection, Collection::Dict(_));
        let count = collection.len().saturating_mul(if is_mapping { 2 } else { 1 });
        self.children.try_reserve(count).map_err(no_memory)?;
        match collection {
            Collection::List(list) => self.children.extend(list.iter()),
            Collection::Tuple(tuple) => self.children.extend(tuple.iter()),
            Collection::Dict(dict) => {
                dict.iter().for_each(|(key, value)| self.children.extend([key, value]));
                if self.sorts {
                    self.sort(dict, start)?;
                }
            }
        }
        // `next` is the index of the child that comes next.
        self.open.push(Open { start, next: start, is_mapping, mark });
        Ok(())
    }

    /// Sorts the pairs of a dict, which are on the stack from `start` on. If the keys cannot be
    /// compared, their order is unchanged.
    fn sort(&mut self, dict: &Bound<'py, PyDict>, start: usize) -> Result<(), Stop> {
        let (pairs, _) = self.children[start..].as_chunks_mut::<2>();
        let text = |key: &Bound<'py, PyAny>| key.cast_exact::<PyString>().is_ok_and(is_ascii);
        if pairs.iter().all(|[key, _]| text(key)) {
            pairs.sort_by(|[one, _], [other, _]| of_key(one).cmp(of_key(other)));
            return Ok(());
        }
        let keys = dict.as_mapping().keys()?;
        if let Err(error) = keys.sort() {
            return match error.is_instance_of::<pyo3::exceptions::PyTypeError>(dict.py()) {
                true => Ok(()),
                false => Err(error.into()),
            };
        }
        let mut sorted = Vec::new();
        sorted.try_reserve_exact(keys.len().saturating_mul(2)).map_err(no_memory)?;
        for key in keys {
            let Some(value) = dict.get_item(&key)? else { return Err(Stop::Unusual) };
            sorted.extend([key, value]);
        }
        self.children.truncate(start);
        self.children.append(&mut sorted);
        Ok(())
    }

    /// Returns the next child, or the end of the innermost collection, or `None` if no collection
    /// is open.
    #[inline(always)]
    fn next(&mut self) -> Option<Step<'py, T>> {
        let open = self.open.last_mut()?;
        let at = open.next;
        if let Some(child) = self.children.get(at) {
            open.next += 1;
            let is_first = at == open.start;
            let place = match open.is_mapping {
                false => Place::Item { is_first },
                true if (at - open.start).is_multiple_of(2) => Place::Key { is_first },
                true => Place::Value,
            };
            return Some(Step::Child(child.clone(), place));
        }
        self.children.truncate(open.start);
        self.open.pop().map(|open| Step::End(open.mark))
    }

    /// Regularly lets Python handle signals.
    #[inline(always)]
    fn take_turn(&mut self, py: Python<'_>) -> PyResult<()> {
        self.turn = self.turn.wrapping_add(1);
        if self.turn.is_multiple_of(VALUES_A_TURN) { interrupt::check(py) } else { Ok(()) }
    }
}

fn is_collection(object: &Bound<'_, PyAny>) -> bool {
    Collection::of(object).is_some()
}

fn is_ascii(text: &Bound<'_, PyString>) -> bool {
    host::ascii(text).is_some()
}

/// Returns the text of a key, which must be an ASCII string.
fn of_key<'a>(key: &'a Bound<'_, PyAny>) -> &'a str {
    key.cast_exact::<PyString>().ok().and_then(host::ascii).unwrap_or_default()
}

/// How a collection ends.
#[derive(Clone, Copy, Debug)]
struct Closing {
    /// The closing bracket, if it is a flow collection.
    bracket: Option<&'static str>,
    /// The indentation to restore.
    indent: Option<usize>,
}

struct Writer<'w, 'py> {
    emitter: Emitter<'w>,
    flow: Option<bool>,
    met: &'w mut Met,
    /// Whether `met` contains exactly the collections that occur more than once.
    names_shared: bool,
    special: Special,
    /// Whether the last node was a key that was written after `?`.
    is_after_long_key: bool,
    tuples_are_lists: bool,
    stack: Stack<'py, Closing>,
}

impl<'py> Writer<'_, 'py> {
    /// Writes the root node and everything in it. Returns whether it is a plain scalar.
    fn root(&mut self, root: &Bound<'py, PyAny>) -> Result<bool, Stop> {
        let Some(collection) = Collection::of(root) else {
            let leaf = match Leaf::of(root) {
                Some(leaf) => leaf,
                None => self.time(root)?,
            };
            let start = self.emitter.out.len();
            leaf.write(root.py(), &mut self.emitter, self.special, false)?;
            return Ok(!self.emitter.out[start..].trim_start().starts_with(['\'', '"']));
        };
        self.collection(root, &collection, Place::Root)?;
        while let Some(step) = self.stack.next() {
            match step {
                Step::Child(object, place) => self.child(&object, place)?,
                Step::End(closing) => self.end(closing)?,
            }
        }
        Ok(false)
    }

    /// Writes a node in a collection, and the indicators that precede it.
    #[inline(always)]
    fn child(&mut self, object: &Bound<'py, PyAny>, place: Place) -> Result<(), Stop> {
        self.stack.take_turn(object.py())?;
        let emitter = &mut self.emitter;
        match place {
            Place::Root => {}
            Place::Value if !std::mem::take(&mut self.is_after_long_key) => {
                emitter.indicator(":", false)?;
            }
            Place::Value if emitter.flow_level > 0 => {
                emitter.break_long_line()?;
                emitter.indicator(":", true)?;
            }
            Place::Value => {
                emitter.write_indent()?;
                emitter.indicator_with(":", true, false, true)?;
            }
            Place::Item { is_first } | Place::Key { is_first } if emitter.flow_level > 0 => {
                if !is_first {
                    emitter.indicator(",", false)?;
                }
                emitter.break_long_line()?;
            }
            Place::Item { .. } => {
                emitter.write_indent()?;
                emitter.indicator_with("-", true, false, true)?;
            }
            Place::Key { .. } => emitter.write_indent()?,
        }
        let is_key = matches!(place, Place::Key { .. });
        let kind = match (Leaf::of(object), Collection::of(object)) {
            (Some(leaf), _) => leaf,
            (None, Some(collection)) if !is_key => {
                return self.collection(object, &collection, place);
            }
            (None, Some(_)) => return Err(Stop::Unusual),
            (None, None) => self.time(object)?,
        };
        if is_key && !kind.is_simple_key()? {
            let in_block = self.emitter.flow_level == 0;
            self.emitter.indicator_with("?", true, false, in_block)?;
            self.is_after_long_key = true;
        }
        let is_simple_key = is_key && !self.is_after_long_key;
        kind.write(object.py(), &mut self.emitter, self.special, is_simple_key)
    }

    /// Returns the leaf for a date or a datetime. If the object occurs again, it would need an
    /// anchor, so this fails.
    #[cold]
    fn time<'a>(&mut self, object: &Bound<'py, PyAny>) -> Result<Leaf<'a, 'py>, Stop> {
        let time = Leaf::time(object)?.ok_or(Stop::Unusual)?;
        self.met.try_reserve(1).map_err(no_memory)?;
        match self.met.insert(object.as_ptr() as usize, Mark::Once) {
            None => Ok(time),
            Some(_) => Err(Stop::Unusual),
        }
    }

    /// Writes the start of a collection, or an alias if the collection was already written.
    fn collection(
        &mut self,
        object: &Bound<'py, PyAny>,
        collection: &Collection<'_, 'py>,
        place: Place,
    ) -> Result<(), Stop> {
        if matches!(collection, Collection::Tuple(_)) && !self.tuples_are_lists {
            return Err(Stop::Unusual);
        }
        if !collection.is_empty_tuple() && !self.meet(object.as_ptr() as usize)? {
            return Ok(());
        }
        let is_mapping = matches!(collection, Collection::Dict(_));
        let is_empty = collection.len() == 0;
        let start = self.stack.children.len();
        let closing = Closing { bracket: None, indent: None };
        self.stack.open(collection, closing)?;
        let children = &self.stack.children[start..];
        let is_flow = self.emitter.flow_level > 0
            || is_empty
            || self.flow.unwrap_or_else(|| !children.iter().any(is_collection));
        let closing = if is_flow {
            let (bracket, end) = if is_mapping { ("{", "}") } else { ("[", "]") };
            self.emitter.indicator_with(bracket, true, true, false)?;
            self.emitter.flow_level += 1;
            Closing { bracket: Some(end), indent: self.emitter.increase_indent(true, false) }
        } else {
            let is_indentless = !is_mapping && place == Place::Value && !self.emitter.indention;
            Closing { bracket: None, indent: self.emitter.increase_indent(false, is_indentless) }
        };
        if let Some(open) = self.stack.open.last_mut() {
            open.mark = closing;
        }
        Ok(())
    }

    /// Writes an alias and returns `false` if the collection at `address` was already written.
    /// Otherwise, writes its anchor if it needs one, and returns `true`.
    #[inline(always)]
    fn meet(&mut self, address: usize) -> Result<bool, Stop> {
        match self.met.get(&address).copied() {
            None if self.names_shared => {}
            None => {
                self.met.try_reserve(1).map_err(no_memory)?;
                self.met.insert(address, Mark::Once);
            }
            Some(Mark::Once) => return Err(Stop::Shared),
            Some(Mark::Shared(number)) => {
                self.met.insert(address, Mark::Written(number));
                self.emitter.indicator(&format!("&id{number:03}"), true)?;
            }
            Some(Mark::Written(number)) => {
                self.emitter.indicator(&format!("*id{number:03}"), true)?;
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Writes the end of a collection.
    fn end(&mut self, closing: Closing) -> Result<(), Stop> {
        self.emitter.indent = closing.indent;
        if let Some(bracket) = closing.bracket {
            self.emitter.flow_level -= 1;
            self.emitter.indicator(bracket, false)?;
        }
        Ok(())
    }
}

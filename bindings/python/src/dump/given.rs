//! The kinds of nodes that Python objects become in YAML.

use crate::{errors, host, interrupt, times};
use ketch_host::entries::Entries;
use ketch_yaml::schema::Timestamp;
use pyo3::exceptions::PyMemoryError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{
    PyBool, PyByteArray, PyBytes, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple, PyType,
};
use std::borrow::Cow;

/// A value that is not a collection.
#[derive(Clone, Copy, Debug)]
pub enum Leaf<'v> {
    Null,
    Bool(bool),
    Int(i64),
    /// The decimal digits, after a minus sign if it is negative.
    BigInt(&'v str),
    Float(f64),
    Text(&'v str),
    /// The text of a number that keeps its digits.
    Number(&'v str),
    Binary(&'v [u8]),
    Timestamp(Timestamp),
}

impl Leaf<'_> {
    /// Returns the content that the value has as a scalar with a tag.
    ///
    /// # Errors
    ///
    /// Returns a message if the value has no such content.
    pub fn content(&self) -> Result<Cow<'_, str>, &'static str> {
        match self {
            Leaf::Null => Ok(Cow::Borrowed("")),
            Leaf::Bool(value) => Ok(Cow::Borrowed(if *value { "true" } else { "false" })),
            Leaf::Int(value) => Ok(Cow::Owned(value.to_string())),
            Leaf::BigInt(digits) => Ok(Cow::Borrowed(digits)),
            Leaf::Text(text) | Leaf::Number(text) => Ok(Cow::Borrowed(text)),
            Leaf::Float(_) | Leaf::Binary(_) | Leaf::Timestamp(_) => {
                Err("the content of a tagged scalar has to be a str, an int, a bool or None")
            }
        }
    }
}

/// The kind of a Python object.
#[derive(Debug)]
pub enum Given<'a, 'py> {
    Null,
    Bool(bool),
    Int(&'a Bound<'py, PyInt>),
    Float(f64),
    Text(&'a Bound<'py, PyString>),
    Bytes(&'a Bound<'py, PyBytes>),
    ByteArray(&'a Bound<'py, PyByteArray>),
    List(&'a Bound<'py, PyList>),
    Tuple(&'a Bound<'py, PyTuple>),
    Dict(&'a Bound<'py, PyDict>),
    Timestamp(Timestamp),
    Tagged,
    Other,
}

impl<'a, 'py> Given<'a, 'py> {
    /// Returns the kind of an object. The most common classes are tested first, then their
    /// subclasses and other classes.
    ///
    /// # Errors
    ///
    /// Raises a `ValueError` for a datetime that YAML cannot represent.
    #[inline(always)]
    pub fn of(object: &'a Bound<'py, PyAny>) -> PyResult<Given<'a, 'py>> {
        if let Ok(text) = object.cast_exact::<PyString>() {
            return Ok(Given::Text(text));
        }
        if let Ok(dict) = object.cast_exact::<PyDict>() {
            return Ok(Given::Dict(dict));
        }
        if let Ok(list) = object.cast_exact::<PyList>() {
            return Ok(Given::List(list));
        }
        if let Ok(int) = object.cast_exact::<PyInt>() {
            return Ok(Given::Int(int));
        }
        if object.is_none() {
            return Ok(Given::Null);
        }
        if let Ok(value) = object.cast_exact::<PyBool>() {
            return Ok(Given::Bool(value.is_true()));
        }
        if let Ok(float) = object.cast_exact::<PyFloat>() {
            return Ok(Given::Float(float.value()));
        }
        Given::rare(object)
    }

    /// Returns the kind of an object whose class is not one of the most common ones.
    #[inline(never)]
    fn rare(object: &'a Bound<'py, PyAny>) -> PyResult<Given<'a, 'py>> {
        if let Ok(text) = object.cast::<PyString>() {
            return Ok(Given::Text(text));
        }
        if let Ok(dict) = object.cast::<PyDict>() {
            return Ok(Given::Dict(dict));
        }
        if let Ok(list) = object.cast::<PyList>() {
            return Ok(Given::List(list));
        }
        if let Ok(tuple) = object.cast::<PyTuple>() {
            return Ok(Given::Tuple(tuple));
        }
        if let Ok(int) = object.cast::<PyInt>() {
            return Ok(Given::Int(int));
        }
        if let Ok(float) = object.cast::<PyFloat>() {
            return Ok(Given::Float(float.value()));
        }
        if let Ok(bytes) = object.cast::<PyBytes>() {
            return Ok(Given::Bytes(bytes));
        }
        if let Ok(bytes) = object.cast::<PyByteArray>() {
            return Ok(Given::ByteArray(bytes));
        }
        if object.get_type().is(errors::tagged_class(object.py())?) {
            return Ok(Given::Tagged);
        }
        Ok(times::timestamp(object)?.map_or(Given::Other, Given::Timestamp))
    }
}

/// Calls `then` with the leaf for an object, and returns `true`. Returns `false` for collections
/// and other objects.
///
/// # Errors
///
/// Raises a `UnicodeEncodeError` for a lone surrogate, and a `ValueError` for an integer with more
/// digits than `sys.set_int_max_str_digits` allows. Passes on the errors of `then`.
#[inline(always)]
pub fn with_leaf<E: From<PyErr>>(
    given: &Given<'_, '_>,
    then: impl FnOnce(&Leaf<'_>) -> Result<(), E>,
) -> Result<bool, E> {
    match given {
        Given::Text(text) => host::with_utf8(text, |text| then(&Leaf::Text(text)))?,
        Given::Int(int) => match int.extract::<i64>() {
            Ok(value) => then(&Leaf::Int(value))?,
            Err(_) => {
                let digits = int
                    .py()
                    .get_type::<PyInt>()
                    .call_method1(intern!(int.py(), "__repr__"), (int,))?;
                then(&Leaf::BigInt(digits.cast::<PyString>().map_err(PyErr::from)?.to_str()?))?;
            }
        },
        Given::Null => then(&Leaf::Null)?,
        Given::Bool(value) => then(&Leaf::Bool(*value))?,
        Given::Float(value) => then(&Leaf::Float(*value))?,
        Given::Bytes(bytes) => then(&Leaf::Binary(bytes.as_bytes()))?,
        Given::ByteArray(bytes) => then(&Leaf::Binary(&bytes.to_vec()))?,
        Given::Timestamp(time) => then(&Leaf::Timestamp(*time))?,
        _ => return Ok(false),
    }
    Ok(true)
}

/// The entries of open collections.
pub struct Stacked<'py> {
    pub py: Python<'py>,
    pub stack: Vec<Bound<'py, PyAny>>,
    /// Whether the entries of dicts are in the order of the keys.
    pub sorts: bool,
}

impl<'py> Entries for Stacked<'py> {
    type Error = PyErr;
    type Value = Bound<'py, PyAny>;

    #[inline(always)]
    fn count(&self) -> usize {
        self.stack.len()
    }

    fn push(&mut self, value: Bound<'py, PyAny>) {
        self.stack.push(value);
    }

    #[inline(always)]
    fn push_all(&mut self, collection: &Bound<'py, PyAny>, is_mapping: bool) -> PyResult<()> {
        let stack = &mut self.stack;
        let no_memory = |_| PyMemoryError::new_err(());
        if is_mapping && let Ok(dict) = collection.cast::<PyDict>() {
            stack.try_reserve(dict.len() * 2).map_err(no_memory)?;
            if self.sorts {
                return self.push_sorted(dict);
            }
            for (key, value) in dict {
                stack.push(key);
                stack.push(value);
            }
        } else if let Ok(list) = collection.cast::<PyList>() {
            stack.try_reserve(list.len()).map_err(no_memory)?;
            stack.extend(list);
        } else if let Ok(tuple) = collection.cast::<PyTuple>() {
            stack.try_reserve(tuple.len()).map_err(no_memory)?;
            stack.extend(tuple);
        }
        Ok(())
    }

    #[inline(always)]
    fn get(&self, at: usize) -> Bound<'py, PyAny> {
        self.stack[at].clone()
    }

    #[inline(always)]
    fn take(&mut self, at: usize) -> Bound<'py, PyAny> {
        self.stack.swap_remove(at)
    }

    #[inline(always)]
    fn truncate(&mut self, count: usize) {
        self.stack.truncate(count);
    }

    fn interrupt(&self) -> PyResult<()> {
        interrupt::check(self.py)
    }
}

impl<'py> Stacked<'py> {
    /// Pushes the entries of a dict in the order of its keys.
    fn push_sorted(&mut self, dict: &Bound<'py, PyDict>) -> PyResult<()> {
        let keys: Bound<'py, PyList> = dict.as_mapping().keys()?;
        keys.sort()?;
        for key in keys {
            if let Some(value) = dict.get_item(&key)? {
                self.stack.extend([key, value]);
            }
        }
        Ok(())
    }
}

/// What `ketch.plain` makes of an object.
pub enum Plain<'py> {
    /// The text of a number.
    Number(Bound<'py, PyString>),
    Value(Bound<'py, PyAny>),
}

impl<'py> Plain<'py> {
    /// Returns a value that Python code has returned.
    pub fn of(value: Bound<'py, PyAny>) -> PyResult<Plain<'py>> {
        static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
        Ok(match value.cast::<PyString>() {
            Ok(text) if !text.is_exact_instance_of::<PyString>() => {
                match value.get_type().is(CLASS.import(value.py(), "ketch._plain", "Number")?) {
                    true => Plain::Number(text.clone()),
                    false => Plain::Value(value),
                }
            }
            _ => Plain::Value(value),
        })
    }
}

/// Returns what `ketch.plain` makes of an object, or `None` if that has no value for it.
pub fn plain_value<'py>(object: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    let py = object.py();
    let value = py.import("ketch._plain")?.getattr(intern!(py, "value_of"))?.call1((object,))?;
    Ok((!value.is(py.NotImplemented())).then_some(value))
}

//! Converts bytes to objects, on a stack.

use super::failure::Stop;
use super::options::ReadOptions;
use crate::keys::Keys;
use crate::{errors, host, interrupt, times};
use ketch_bytes::utf8;
use ketch_extprot::wire::WireType;
use ketch_extprot::{Error as ExtprotError, Problem};
use ketch_host::extprot::{Make, Reader, whole_values};
use ketch_yaml::schema::Timestamp;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyBytes, PyInt, PyString, PyType};
use std::ffi::CStr;

/// Reads `bytes`, which must contain exactly one value, and returns the value.
pub fn only_value<'py>(
    py: Python<'py>,
    bytes: &[u8],
    options: &ReadOptions,
    keys: &mut Keys,
) -> Result<Bound<'py, PyAny>, Stop> {
    let mut blocks = Vec::with_capacity(8);
    let mut reader = Reader::new(Values::new(py, keys), bytes, &options.limits, &mut blocks);
    reader.only(options.form)?;
    reader.make.pop()
}

/// Returns the complete values at the start of `bytes`, their total length, and the error in the
/// value after them, if there is one. A value that is only cut off by the end of `bytes` is not an
/// error.
pub fn values<'py>(
    py: Python<'py>,
    bytes: &[u8],
    options: &ReadOptions,
    keys: &mut Keys,
) -> (Vec<Bound<'py, PyAny>>, usize, Option<Stop>) {
    let (whole, error) = whole_values(bytes);
    let (mut blocks, mut done) = (Vec::with_capacity(8), (0, 0));
    let make = Values::new(py, keys);
    let mut reader = Reader::new(make, &bytes[..whole], &options.limits, &mut blocks);
    let read = reader.all(options.form, &mut done);
    let mut values = reader.make.stack;
    values.truncate(done.1);
    let after = || error.map(|error| error.shifted(whole as u64).into());
    (values, done.0, read.err().or_else(after))
}

/// Creates objects.
struct Values<'py, 'k> {
    py: Python<'py>,
    keys: &'k mut Keys,
    stack: Vec<Bound<'py, PyAny>>,
}

impl<'py, 'k> Values<'py, 'k> {
    /// Creates a maker of values, whose stack is empty.
    fn new(py: Python<'py>, keys: &'k mut Keys) -> Values<'py, 'k> {
        Values { py, keys, stack: Vec::with_capacity(32) }
    }

    #[inline(always)]
    fn push(&mut self, value: PyResult<Bound<'py, PyAny>>) -> Result<(), Stop> {
        self.stack.push(value?);
        Ok(())
    }

    /// Removes the value on top of the stack, and returns it.
    fn pop(&mut self) -> Result<Bound<'py, PyAny>, Stop> {
        self.stack.pop().ok_or_else(|| ExtprotError::unplaced(Problem::Eof).into())
    }
}

impl Make for Values<'_, '_> {
    type Error = Stop;
    const FREEZES_KEYS: bool = true;
    const COUNTS_PAIRS: bool = false;
    const TAGGED: &'static str = "form=\"tagged\"";

    #[inline(always)]
    fn count(&self) -> usize {
        self.stack.len()
    }

    #[inline(always)]
    fn null(&mut self) {
        self.stack.push(self.py.None().into_bound(self.py));
    }

    #[inline(always)]
    fn boolean(&mut self, value: bool) {
        self.stack.push(boolean(self.py, value));
    }

    #[inline(always)]
    fn integer(&mut self, value: i64) -> Result<(), Stop> {
        self.push(host::integer(self.py, value))
    }

    #[inline(always)]
    fn float(&mut self, value: f64) -> Result<(), Stop> {
        self.push(host::float(self.py, value))
    }

    #[inline(always)]
    fn text(&mut self, bytes: &[u8], is_key: bool) -> Result<bool, Stop> {
        let py = self.py;
        // `make` checks the bytes, but only if the string is not cached: a cached string has been
        // checked.
        let make = || {
            let is_ascii = utf8::is_ascii(bytes);
            match is_ascii || utf8::checked(bytes).is_some() {
                true => host::string(py, bytes, is_ascii).map_err(Some),
                false => Err(None),
            }
        };
        let made = match is_key {
            true => self.keys.key(py, bytes, make),
            false => self.keys.value(py, bytes, make),
        };
        match made {
            Ok(string) => self.stack.push(string),
            Err(Some(error)) => return Err(error.into()),
            Err(None) => return Ok(false),
        }
        Ok(true)
    }

    fn bytes(&mut self, bytes: &[u8]) -> Result<(), Stop> {
        self.push(host::bytes(self.py, bytes))
    }

    #[inline(always)]
    fn list(&mut self, start: usize) -> Result<(), Stop> {
        let list = host::list(self.py, &mut self.stack, start);
        self.push(list)
    }

    fn tuple(&mut self, start: usize) -> Result<(), Stop> {
        let tuple = host::tuple_of(self.py, &mut self.stack, start);
        self.push(tuple)
    }

    #[inline(always)]
    fn mapping(&mut self, start: usize) -> Result<bool, Stop> {
        let pairs = (self.stack.len() - start) / 2;
        let dict = host::new_dict(self.py)?;
        let len = host::fill_dict(&dict, &mut self.stack, start)?;
        self.stack.push(dict);
        Ok(len == pairs)
    }

    fn constant(&mut self, tag: u64) -> Result<(), Stop> {
        self.push(class(self.py, Class::Enum)?.call1((tag,)))
    }

    fn byte(&mut self, value: u8) -> Result<(), Stop> {
        self.integer(value.into())?;
        self.primitive(c"bits8", 0)
    }

    fn primitive(&mut self, name: &'static CStr, tag: u64) -> Result<(), Stop> {
        let name = name.to_str().unwrap_or_default();
        let value = self.pop()?;
        self.push(class(self.py, Class::Primitive)?.call1((name, tag, value)))
    }

    fn block(&mut self, wire_type: WireType, tag: u64, start: usize) -> Result<(), Stop> {
        let which = match wire_type {
            WireType::Tuple => Class::Tuple,
            WireType::Assoc => Class::Assoc,
            _ => Class::Htuple,
        };
        let elements = host::list(self.py, &mut self.stack, start)?;
        self.push(class(self.py, which)?.call1((tag, elements)))
    }

    fn text_fits(&self, at: usize, fits: fn(&[u8]) -> bool) -> Result<Option<bool>, Stop> {
        match self.stack[at].cast::<PyString>() {
            Ok(text) => Ok(Some(fits(text.to_cow()?.as_bytes()))),
            Err(_) => Ok(None),
        }
    }

    fn is_binary(&self) -> bool {
        self.stack.last().is_some_and(|value| value.is_instance_of::<PyBytes>())
    }

    fn is_tagged(&self) -> Result<bool, Stop> {
        let class = errors::tagged_class(self.py)?;
        Ok(self.stack.last().is_some_and(|value| value.get_type().is(class)))
    }

    fn big_int(&mut self, offset: u64) -> Result<(), Stop> {
        let value = self.py.get_type::<PyInt>().call1((self.pop()?,));
        let value = value.map_err(|error| unknown_to_python(self.py, error, offset))?;
        self.push(Ok(value))
    }

    fn timestamp(&mut self, start: usize, offset: u64) -> Result<bool, Stop> {
        let Some(time) = timestamp(&self.stack[start..]) else { return Ok(false) };
        self.stack.truncate(start);
        let time = times::object(self.py, &time);
        let time = time.map_err(|error| unknown_to_python(self.py, error, offset))?;
        self.push(Ok(time)).map(|()| true)
    }

    fn wrap(&mut self, _: usize) -> Result<(), Stop> {
        let (value, tag) = (self.pop()?, self.pop()?);
        self.push(errors::tagged(&tag, &value))
    }

    fn interrupt(&mut self) -> Result<(), Stop> {
        Ok(interrupt::check(self.py)?)
    }
}

/// Returns the error for a time that Python cannot represent, or for an integer with more digits
/// than `sys.set_int_max_str_digits` allows.
fn unknown_to_python(py: Python<'_>, error: PyErr, offset: u64) -> Stop {
    match error.is_instance_of::<PyValueError>(py) {
        true => {
            let words = error.value(py).to_string();
            ExtprotError::new(Problem::Conversion(words), offset).into()
        }
        false => error.into(),
    }
}

/// Returns the timestamp that the values of a tuple denote, or `None` if they are not valid.
fn timestamp(values: &[Bound<'_, PyAny>]) -> Option<Timestamp> {
    let [seconds, nanoseconds, zone] = values else { return None };
    let number = |value: &Bound<'_, PyAny>| value.cast_exact::<PyInt>().ok()?.extract::<i64>().ok();
    let seconds = number(seconds)?;
    let nanoseconds = u32::try_from(number(nanoseconds)?).ok()?;
    let date_only = zone.is_instance_of::<PyBool>();
    let offset_minutes = match zone {
        _ if date_only || zone.is_none() => None,
        zone => Some(i16::try_from(number(zone)?).ok()?),
    };
    let is_right = nanoseconds < 1_000_000_000
        && offset_minutes.is_none_or(|minutes| minutes.abs() < 1440)
        && (!date_only || nanoseconds == 0 && seconds % 86_400 == 0);
    is_right.then_some(Timestamp { seconds, nanoseconds, offset_minutes, date_only })
}

/// Returns a `str` if `bytes` are valid UTF-8, and `bytes` otherwise.
pub fn text_or_bytes<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyAny>> {
    let is_ascii = utf8::is_ascii(bytes);
    match is_ascii || utf8::checked(bytes).is_some() {
        true => host::string(py, bytes, is_ascii),
        false => host::bytes(py, bytes),
    }
}

/// Returns Python's `True` or `False`.
pub fn boolean(py: Python<'_>, value: bool) -> Bound<'_, PyAny> {
    PyBool::new(py, value).to_owned().into_any()
}

/// The classes of `ketch.extprot`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    Tuple,
    Htuple,
    Assoc,
    Enum,
    Primitive,
    Lazy,
}

/// Returns the class of `ketch.extprot` that `which` denotes.
pub fn class(py: Python<'_>, which: Class) -> PyResult<&Bound<'_, PyType>> {
    static CLASSES: [PyOnceLock<Py<PyType>>; 6] = [const { PyOnceLock::new() }; 6];
    let name = match which {
        Class::Tuple => "Tuple",
        Class::Htuple => "Htuple",
        Class::Assoc => "Assoc",
        Class::Enum => "Enum",
        Class::Primitive => "Primitive",
        Class::Lazy => "Lazy",
    };
    CLASSES[which as usize].import(py, "ketch.extprot._values", name)
}

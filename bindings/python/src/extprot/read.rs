//! Converts bytes to objects. Values are pushed on a stack, and the end of a block replaces the
//! block's values there by one object.

use super::failure::Stop;
use super::options::{Form, ReadOptions};
use crate::keys::Keys;
use crate::{errors, host, interrupt, times};
use ketch_bytes::utf8;
use ketch_extprot::value::tags;
use ketch_extprot::wire::vint::unzigzag;
use ketch_extprot::wire::{Block, Prefix, Reader, WireType, value_length};
use ketch_extprot::{Error as ExtprotError, Problem};
use ketch_host::extprot::{check_strict, whole_values};
use ketch_yaml::schema::Timestamp;
use ketch_yaml::tag::is_known;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyBytes, PyInt, PyString, PyType};

/// The number of blocks that are read between two checks for signals.
const BLOCKS_A_TURN: u32 = 1024;

/// Reads `bytes`, which must contain exactly one value, and returns the value.
pub fn only_value<'py>(
    py: Python<'py>,
    bytes: &[u8],
    options: &ReadOptions,
    keys: &mut Keys,
) -> Result<Bound<'py, PyAny>, Stop> {
    check_strict(bytes, &options.limits)?;
    let mut reader = Reader::with_limits(bytes, &options.limits);
    let mut values = Values::new(py, options.form, keys);
    values.read(&mut reader)?;
    if !reader.is_empty() {
        return Err(reader.error(Problem::TrailingBytes).into());
    }
    match values.stack.pop() {
        Some(value) => Ok(value),
        None => Err(reader.error(Problem::Eof).into()),
    }
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
    let (whole, mut error) = whole_values(bytes);
    let mut values = Values::new(py, options.form, keys);
    let mut done = 0;
    while done < whole {
        let count = values.stack.len();
        let rest = &bytes[done..whole];
        let mut reader = Reader::with_limits(rest, &options.limits).with_offset(done as u64);
        let read = value_length(rest).map_err(Stop::from).and_then(|length| {
            check_strict(&rest[..length], &options.limits)?;
            values.read(&mut reader)?;
            Ok(length)
        });
        match read {
            Ok(length) => done += length,
            Err(stop) => {
                values.stack.truncate(count);
                return (values.stack, done, Some(stop));
            }
        }
    }
    let stop = error.take().map(|error| error.shifted(whole as u64).into());
    (values.stack, done, stop)
}

/// An open block.
struct Open<'a> {
    block: Block<'a>,
    /// The index on the stack at which the block's values start.
    start: usize,
    tag: u64,
    wire_type: WireType,
    /// The number of values that follow this block in the enclosing block.
    outer_left: u64,
    /// Whether the block is the key of a dict, or part of such a key.
    is_key: bool,
}

/// A value that is not a block.
enum Scalar<'a> {
    Vint(i64),
    Bits8(u8),
    Bits32(i32),
    Long(i64),
    Float(f64),
    Enum,
    Bytes(&'a [u8]),
}

struct Values<'py, 'k> {
    py: Python<'py>,
    form: Form,
    keys: &'k mut Keys,
    stack: Vec<Bound<'py, PyAny>>,
    turn: u32,
}

impl<'py, 'k> Values<'py, 'k> {
    /// Creates a reader of values, whose stack is empty.
    fn new(py: Python<'py>, form: Form, keys: &'k mut Keys) -> Values<'py, 'k> {
        Values { py, form, keys, stack: Vec::with_capacity(32), turn: 0 }
    }

    /// Reads the next value, and pushes it.
    fn read(&mut self, reader: &mut Reader<'_, '_>) -> Result<(), Stop> {
        let mut open: Vec<Open<'_>> = Vec::with_capacity(8);
        let mut left = 1;
        loop {
            while left == 0 {
                let Some(ended) = open.pop() else { return Ok(()) };
                left = ended.outer_left;
                self.end(ended, reader)?;
            }
            left -= 1;
            let offset = reader.offset_bytes();
            let prefix = reader.prefix()?;
            match prefix.0 {
                0 => {
                    let value = unzigzag(reader.vint()?);
                    self.stack.push(host::integer(self.py, value)?);
                }
                3 => self.text(reader.bytes()?, open.last(), offset)?,
                _ => {
                    if let Some(opened) = self.other(prefix, left, reader, &open, offset)? {
                        let is_assoc = opened.wire_type == WireType::Assoc;
                        left = opened.block.count() << u32::from(is_assoc);
                        open.push(opened);
                    }
                }
            }
        }
    }

    /// Starts a block and returns it, or pushes a scalar other than an integer or untagged text.
    #[inline(always)]
    fn other<'a>(
        &mut self,
        prefix: Prefix,
        left: u64,
        reader: &mut Reader<'a, '_>,
        open: &[Open<'a>],
        offset: u64,
    ) -> Result<Option<Open<'a>>, Stop> {
        let scalar = match prefix.wire_type() {
            Some(wire @ (WireType::Tuple | WireType::Htuple | WireType::Assoc)) => {
                return self.begin((wire, prefix.tag(), left), reader, open).map(Some);
            }
            Some(WireType::Bits8) => Scalar::Bits8(reader.fixed::<1>()?[0]),
            Some(WireType::Enum) => Scalar::Enum,
            Some(WireType::Bits64Float) => Scalar::Float(f64::from_le_bytes(reader.fixed()?)),
            Some(WireType::Bits64Long) => Scalar::Long(i64::from_le_bytes(reader.fixed()?)),
            Some(WireType::Bits32) => Scalar::Bits32(i32::from_le_bytes(reader.fixed()?)),
            Some(WireType::Vint) => Scalar::Vint(unzigzag(reader.vint()?)),
            Some(WireType::Bytes) => Scalar::Bytes(reader.bytes()?),
            None => {
                let found = prefix.wire_number();
                let problem = Problem::BadWireType { found, expected: "a value".into() };
                return Err(ExtprotError::new(problem, offset).into());
            }
        };
        let value = self.scalar(scalar, prefix.tag(), open.last(), offset)?;
        self.stack.push(value);
        Ok(None)
    }

    /// Starts a block with this wire type and tag, after which `outer_left` values follow in the
    /// enclosing block.
    #[inline(always)]
    fn begin<'a>(
        &mut self,
        (wire_type, tag, outer_left): (WireType, u64, u64),
        reader: &mut Reader<'a, '_>,
        open: &[Open<'a>],
    ) -> Result<Open<'a>, Stop> {
        let block = reader.enter()?;
        let count = reader.check_list(&block)?;
        // Each value takes at least one byte.
        if wire_type == WireType::Assoc && count > reader.remaining().len() / 2 {
            return Err(reader.error(Problem::Eof).into());
        }
        let (depth, max) = (open.len() as u64, reader.limits().depth);
        if depth >= max {
            let problem = Problem::LimitExceeded { limit: "depth", n: depth + 1, max };
            return Err(reader.error(problem).into());
        }
        self.turn += 1;
        if self.turn == BLOCKS_A_TURN {
            self.turn = 0;
            interrupt::check(self.py)?;
        }
        let is_key = self.is_key(open.last()) || open.last().is_some_and(|open| open.is_key);
        Ok(Open { block, start: self.stack.len(), tag, wire_type, outer_left, is_key })
    }

    /// Returns whether the next value is the key of a dict. `around` is the innermost block.
    #[inline(always)]
    fn is_key(&self, around: Option<&Open<'_>>) -> bool {
        around.is_some_and(|open| {
            open.wire_type == WireType::Assoc
                && self.form != Form::Tagged
                && (self.stack.len() - open.start).is_multiple_of(2)
        })
    }

    /// Pushes a string, or `bytes` if the data model requires it, or if the bytes are not UTF-8 and
    /// the form allows it.
    #[inline(always)]
    fn text(&mut self, bytes: &[u8], around: Option<&Open<'_>>, offset: u64) -> Result<(), Stop> {
        let py = self.py;
        if self.form == Form::Values && is_in(around, tags::BINARY) {
            self.stack.push(host::bytes(py, bytes)?);
            return Ok(());
        }
        // `make` checks the bytes, but only if the string is not cached: a cached string has been
        // checked.
        let make = || {
            let is_ascii = utf8::is_ascii(bytes);
            match is_ascii || utf8::checked(bytes).is_some() {
                true => host::string(py, bytes, is_ascii).map_err(Some),
                false => Err(None),
            }
        };
        let made = match self.is_key(around) {
            true => self.keys.key(py, bytes, make),
            false => self.keys.value(py, bytes, make),
        };
        let value = match made {
            Ok(string) => string,
            Err(Some(error)) => return Err(error.into()),
            Err(None) if self.form == Form::Values => {
                return Err(ExtprotError::new(Problem::NotUtf8, offset).into());
            }
            Err(None) => host::bytes(py, bytes)?,
        };
        self.stack.push(value);
        Ok(())
    }

    /// Returns the value of a scalar in the requested form.
    fn scalar(
        &self,
        scalar: Scalar<'_>,
        tag: u64,
        around: Option<&Open<'_>>,
        offset: u64,
    ) -> Result<Bound<'py, PyAny>, Stop> {
        match self.form {
            Form::Tagged => Ok(self.tagged(scalar, tag)?),
            Form::Plain => Ok(self.plain(scalar, tag)?),
            Form::Values if tag != 0 && !matches!(scalar, Scalar::Enum) => {
                Err(Stop::Value("a tagged scalar is not in the data model", offset))
            }
            Form::Values => match scalar {
                Scalar::Bits8(value @ 0..=1) => Ok(boolean(self.py, value == 1)),
                Scalar::Enum if tag == tags::NULL => Ok(self.py.None().into_bound(self.py)),
                Scalar::Float(value) => Ok(host::float(self.py, value)?),
                Scalar::Long(value) | Scalar::Vint(value) => Ok(host::integer(self.py, value)?),
                // Marks a timestamp as a date without a time. The mark is checked at the end of the timestamp's tuple.
                Scalar::Enum if tag == tags::DATE_ONLY && is_in(around, tags::TIMESTAMP) => {
                    Ok(boolean(self.py, true))
                }
                _ => Err(Stop::Value("this is not in the data model", offset)),
            },
        }
    }

    /// Returns the value of a scalar without its tag. For a constant, the tag is the value.
    fn plain(&self, scalar: Scalar<'_>, tag: u64) -> PyResult<Bound<'py, PyAny>> {
        match scalar {
            Scalar::Bits8(value @ 0..=1) => Ok(boolean(self.py, value == 1)),
            Scalar::Bits8(value) => host::integer(self.py, value.into()),
            Scalar::Bits32(value) => host::integer(self.py, value.into()),
            Scalar::Vint(value) | Scalar::Long(value) => host::integer(self.py, value),
            Scalar::Float(value) => host::float(self.py, value),
            Scalar::Bytes(bytes) => text_or_bytes(self.py, bytes),
            Scalar::Enum => class(self.py, Class::Enum)?.call1((tag,)),
        }
    }

    /// Returns an object that keeps the tag and the wire type of a scalar.
    fn tagged(&self, scalar: Scalar<'_>, tag: u64) -> PyResult<Bound<'py, PyAny>> {
        let py = self.py;
        let (kind, value) = match scalar {
            Scalar::Float(value) if tag == 0 => return host::float(py, value),
            Scalar::Enum => return class(py, Class::Enum)?.call1((tag,)),
            Scalar::Bits8(value) => ("bits8", host::integer(py, value.into())?),
            Scalar::Bits32(value) => ("bits32", host::integer(py, value.into())?),
            Scalar::Long(value) => ("long", host::integer(py, value)?),
            Scalar::Vint(value) => ("vint", host::integer(py, value)?),
            Scalar::Float(value) => ("float", host::float(py, value)?),
            Scalar::Bytes(bytes) => ("bytes", text_or_bytes(py, bytes)?),
        };
        class(py, Class::Primitive)?.call1((kind, tag, value))
    }

    /// Ends the block `open`, and pushes its value.
    #[inline(always)]
    fn end<'a>(&mut self, open: Open<'a>, reader: &mut Reader<'a, '_>) -> Result<(), Stop> {
        let Open { block, start, tag, wire_type, is_key, .. } = open;
        let offset = reader.offset_bytes();
        let value = match (self.form, wire_type) {
            (Form::Tagged, _) => self.tagged_block(wire_type, tag, start)?,
            (Form::Values, WireType::Htuple | WireType::Assoc) if tag != 0 => {
                let what = "a list or mapping with a tag is not in the data model";
                return Err(Stop::Value(what, offset));
            }
            (_, WireType::Assoc) if is_key => {
                return Err(Stop::Value("a mapping as a key is not in the data model", offset));
            }
            (_, WireType::Assoc) => self.dict(start, offset)?,
            (Form::Values, WireType::Tuple) => self.row(tag, start, offset)?,
            _ if is_key => host::tuple_of(self.py, &mut self.stack, start)?,
            _ => host::list(self.py, &mut self.stack, start)?,
        };
        self.stack.push(value);
        reader.leave(block);
        Ok(())
    }

    /// Creates a dict from the pairs on the stack. Fails if two keys are equal.
    #[inline(always)]
    fn dict(&mut self, start: usize, offset: u64) -> Result<Bound<'py, PyAny>, Stop> {
        let pairs = (self.stack.len() - start) / 2;
        let dict = host::new_dict(self.py)?;
        match host::fill_dict(&dict, &mut self.stack, start)? == pairs {
            true => Ok(dict),
            false => Err(Stop::Value("duplicate key", offset)),
        }
    }

    /// Creates an object that keeps the tag and the wire type of a block.
    fn tagged_block(
        &mut self,
        wire_type: WireType,
        tag: u64,
        start: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        let which = match wire_type {
            WireType::Tuple => Class::Tuple,
            WireType::Assoc => Class::Assoc,
            _ => Class::Htuple,
        };
        let elements = host::list(self.py, &mut self.stack, start)?;
        class(self.py, which)?.call1((tag, elements))
    }

    /// Returns the value of a tuple in the data model, such as a timestamp, or an error if the data
    /// model has no such tuple.
    #[cold]
    fn row(&mut self, tag: u64, start: usize, offset: u64) -> Result<Bound<'py, PyAny>, Stop> {
        let values: Vec<_> = self.stack.drain(start..).collect();
        let wrong = |what| Err(Stop::Value(what, offset));
        match (tag, &values[..]) {
            (tags::BIG_INT, [digits]) => match digits.cast::<PyString>() {
                Ok(digits) => big_int(digits, offset),
                Err(_) => wrong("this tuple is not in the data model"),
            },
            (tags::BINARY, [bytes]) if bytes.is_instance_of::<PyBytes>() => Ok(bytes.clone()),
            (tags::TIMESTAMP, [seconds, nanoseconds, zone]) => {
                match timestamp(seconds, nanoseconds, zone) {
                    Some(time) => times::object(self.py, &time)
                        .map_err(|error| unknown_to_python(self.py, error, offset)),
                    None => wrong("this is not a timestamp"),
                }
            }
            (tags::TAGGED, [tag, value]) if self.may_tag(tag, value)? => {
                Ok(errors::tagged(tag, value)?)
            }
            _ => wrong("this tuple is not in the data model"),
        }
    }

    /// Returns whether the data model allows `tag` on `value`: the tag has to be text, must not be
    /// empty or one of YAML's own, and the value must not have a tag yet.
    fn may_tag(&self, tag: &Bound<'py, PyAny>, value: &Bound<'py, PyAny>) -> PyResult<bool> {
        let Ok(tag) = tag.cast::<PyString>() else { return Ok(false) };
        let text = tag.to_cow()?;
        let says_something = !text.is_empty() && !is_known(&text);
        Ok(says_something && !value.get_type().is(errors::tagged_class(self.py)?))
    }
}

/// Returns whether the innermost block, `around`, is a tuple with this tag.
fn is_in(around: Option<&Open<'_>>, tag: u64) -> bool {
    around.is_some_and(|open| open.wire_type == WireType::Tuple && open.tag == tag)
}

/// Returns the integer that decimal digits spell.
fn big_int<'py>(digits: &Bound<'py, PyString>, offset: u64) -> Result<Bound<'py, PyAny>, Stop> {
    let text = digits.to_cow()?;
    let unsigned = text.strip_prefix('-').unwrap_or(&text);
    let is_number = unsigned.starts_with(|first: char| first != '0')
        && unsigned.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number {
        return Err(Stop::Value("these digits are not an integer", offset));
    }
    let value = digits.py().get_type::<PyInt>().call1((digits,));
    value.map_err(|error| unknown_to_python(digits.py(), error, offset))
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
fn timestamp(
    seconds: &Bound<'_, PyAny>,
    nanoseconds: &Bound<'_, PyAny>,
    zone: &Bound<'_, PyAny>,
) -> Option<Timestamp> {
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

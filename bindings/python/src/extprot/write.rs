//! Converts objects to bytes, from back to front, as the core's writer does. The entries of open
//! collections are on a stack, and are written from the last to the first.

use super::failure::Stop;
use super::read::{Class, class};
use crate::dump::{Given, Leaf, with_leaf};
use crate::{host, interrupt};
use ketch_extprot::value::tags;
use ketch_extprot::wire::vint::zigzag;
use ketch_extprot::wire::{Prefix, WireType, Writer};
use pyo3::exceptions::{PyMemoryError, PyTypeError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use std::collections::TryReserveError;

const MISFIT: &str = "a ketch.extprot.Primitive whose value does not fit its type";
/// The maximum depth of nested collections.
const DEPTH_MAX: usize = 10_000;
/// The maximum number of bytes of a number, or of what is written for a value in addition to its
/// string.
pub const SMALL_BYTES: usize = 64;

/// Return the bytes of `value`.
#[pyfunction]
#[pyo3(signature = (value, /))]
pub fn extprot_dumps<'py>(value: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = value.py();
    let _reserve = interrupt::hold_memory(0)?;
    let mut writer = Writer::new();
    let mut output = Output {
        py,
        writer: &mut writer,
        stack: Vec::with_capacity(32),
        open: Vec::with_capacity(8),
        turn: 0,
        raw: 0,
    };
    output.all(value).map_err(|stop| stop.into_exception(py, 0))?;
    let bytes = writer.finish().map_err(|error| Stop::from(error).into_exception(py, 0))?;
    host::bytes(py, bytes)
}

/// An open block.
#[derive(Clone, Copy, Debug)]
struct Open {
    /// The index on the stack at which the block's values start.
    start: usize,
    count: u64,
    mark: usize,
    tag: u64,
    wire_type: WireType,
    /// Whether the block represents a `Tuple`, `Htuple` or `Assoc` of `ketch.extprot`.
    is_raw: bool,
    /// If the block is the content of a `ketch.Tagged`, the mark at which that starts. Its tag is
    /// on the stack before the values.
    tagged: Option<usize>,
}

struct Output<'py, 'w> {
    py: Python<'py>,
    writer: &'w mut Writer,
    stack: Vec<Bound<'py, PyAny>>,
    open: Vec<Open>,
    turn: u32,
    /// The number of open blocks with `is_raw`. Inside them, strings are written as bytes.
    raw: usize,
}

impl<'py> Output<'py, '_> {
    /// Writes a value and everything in it.
    fn all(&mut self, root: Bound<'py, PyAny>) -> Result<(), Stop> {
        self.value(&root)?;
        while let Some(open) = self.open.last() {
            if self.stack.len() > open.start
                && let Some(value) = self.stack.pop()
            {
                self.value(&value)?;
            } else {
                self.close()?;
            }
        }
        Ok(())
    }

    /// Writes a scalar, or opens a collection.
    #[inline(always)]
    fn value(&mut self, value: &Bound<'py, PyAny>) -> Result<(), Stop> {
        self.turn = self.turn.wrapping_add(1);
        if self.turn.is_multiple_of(4096) {
            interrupt::check(self.py)?;
        }
        let given = Given::of(value)?;
        match &given {
            Given::List(_) | Given::Tuple(_) => self.start(value, 0, WireType::Htuple, false, None),
            Given::Dict(_) => self.start(value, 0, WireType::Assoc, false, None),
            Given::Tagged => self.tagged(value),
            Given::Other => self.described(value),
            leaf => {
                let (raw, writer) = (self.raw, &mut *self.writer);
                with_leaf::<Stop>(leaf, |leaf| write_leaf(leaf, raw, writer))?;
                Ok(())
            }
        }
    }

    /// Opens a block, and pushes the entries of `holder` onto the stack.
    fn start(
        &mut self,
        holder: &Bound<'py, PyAny>,
        tag: u64,
        wire_type: WireType,
        is_raw: bool,
        tagged: Option<usize>,
    ) -> Result<(), Stop> {
        if self.open.len() >= DEPTH_MAX {
            let message = "the value is nested more than 10,000 levels deep, or contains itself";
            return Err(type_error(message));
        }
        let start = self.stack.len();
        let reserve = |stack: &mut Vec<_>, count| stack.try_reserve(count).map_err(no_memory);
        if let Ok(list) = holder.cast::<PyList>() {
            reserve(&mut self.stack, list.len())?;
            self.stack.extend(list);
        } else if let Ok(tuple) = holder.cast::<PyTuple>() {
            reserve(&mut self.stack, tuple.len())?;
            self.stack.extend(tuple);
        } else if let Ok(dict) = holder.cast::<PyDict>() {
            reserve(&mut self.stack, dict.len() * 2)?;
            for (key, value) in dict {
                self.stack.push(key);
                self.stack.push(value);
            }
        }
        let values = self.stack.len() - start;
        let count = if wire_type == WireType::Assoc { values / 2 } else { values } as u64;
        self.raw += usize::from(is_raw);
        let mark = self.writer.mark();
        self.open.push(Open { start, count, mark, tag, wire_type, is_raw, tagged });
        Ok(())
    }

    /// Ends the innermost block, whose values have all been written.
    fn close(&mut self) -> Result<(), Stop> {
        let Some(open) = self.open.pop() else { return Ok(()) };
        self.writer.try_reserve(SMALL_BYTES).map_err(no_memory)?;
        self.writer.close_block(open.mark, open.count, open.tag, open.wire_type);
        self.raw -= usize::from(open.is_raw);
        match open.tagged {
            Some(mark) => {
                let tag = self.stack.pop();
                self.close_tagged(tag.as_ref(), mark)
            }
            None => Ok(()),
        }
    }

    /// Writes the tag of a `ketch.Tagged`, which precedes the content in the output, and ends its
    /// block.
    fn close_tagged(&mut self, tag: Option<&Bound<'py, PyAny>>, mark: usize) -> Result<(), Stop> {
        let Some(Ok(tag)) = tag.map(|tag| tag.cast::<PyString>()).filter(|_| self.raw == 0) else {
            return Err(type_error(
                "a ketch.Tagged needs a str as its tag, and cannot be inside a tagged value",
            ));
        };
        let tag = tag.encode_utf8()?;
        let tag = tag.as_bytes();
        self.writer.try_reserve(tag.len() + SMALL_BYTES).map_err(no_memory)?;
        self.writer.write_string(tag);
        self.writer.close_block(mark, 2, tags::TAGGED, WireType::Tuple);
        Ok(())
    }

    /// Starts to write a `ketch.Tagged`. If its content is a scalar, also ends it.
    fn tagged(&mut self, tagged: &Bound<'py, PyAny>) -> Result<(), Stop> {
        let (tag, value) =
            (tagged.getattr(intern!(self.py, "tag"))?, tagged.getattr(intern!(self.py, "value"))?);
        let mark = self.writer.mark();
        let wire_type = match Given::of(&value)? {
            Given::List(_) | Given::Tuple(_) => WireType::Htuple,
            Given::Dict(_) => WireType::Assoc,
            Given::Tagged | Given::Other => {
                let class = value.get_type().qualname()?;
                let message = format!("extprot cannot represent a {class} in a ketch.Tagged");
                return Err(PyTypeError::new_err(message).into());
            }
            _ => {
                self.value(&value)?;
                return self.close_tagged(Some(&tag), mark);
            }
        };
        self.stack.push(tag);
        self.start(&value, 0, wire_type, false, Some(mark))
    }

    /// Writes an object of one of the classes that represent tags and wire types.
    fn described(&mut self, value: &Bound<'py, PyAny>) -> Result<(), Stop> {
        let own = value.get_type();
        let is = |which| Ok::<_, PyErr>(own.is(class(self.py, which)?));
        let wire_type = if is(Class::Tuple)? {
            WireType::Tuple
        } else if is(Class::Htuple)? {
            WireType::Htuple
        } else if is(Class::Assoc)? {
            WireType::Assoc
        } else if is(Class::Enum)? {
            self.writer.try_reserve(SMALL_BYTES).map_err(no_memory)?;
            self.writer.write_enum(tag_number(&value.getattr(intern!(self.py, "tag"))?)?);
            return Ok(());
        } else if is(Class::Primitive)? {
            return self.primitive(value);
        } else {
            let message = format!("extprot cannot represent a {}", own.qualname()?);
            return Err(PyTypeError::new_err(message).into());
        };
        let is_assoc = wire_type == WireType::Assoc;
        let elements = value.getattr(if is_assoc { "pairs" } else { "elements" })?;
        let is_list = elements.is_instance_of::<PyList>() || elements.is_instance_of::<PyTuple>();
        if !is_list || is_assoc && elements.len()? % 2 != 0 {
            return Err(type_error(
                "expected a list as the elements of a block; in an Assoc, keys and values alternate",
            ));
        }
        let tag = tag_number(&value.getattr(intern!(self.py, "tag"))?)?;
        self.start(&elements, tag, wire_type, true, None)
    }

    /// Writes a `ketch.extprot.Primitive`.
    fn primitive(&mut self, value: &Bound<'py, PyAny>) -> Result<(), Stop> {
        let tag = tag_number(&value.getattr(intern!(self.py, "tag"))?)?;
        let (kind, content) =
            (value.getattr(intern!(self.py, "type"))?, value.getattr(intern!(self.py, "value"))?);
        let kind = kind.cast::<PyString>().map_err(|_| type_error(MISFIT))?;
        let mut own = Writer::new();
        own.set_wide_ints(true);
        let wire_type = primitive_content(&kind.to_cow()?, &content, &mut own)?;
        let content = own.finish()?;
        self.writer.try_reserve(content.len() + SMALL_BYTES).map_err(no_memory)?;
        self.writer.raw(content);
        self.writer.prefix(Prefix::new(tag, wire_type));
        Ok(())
    }
}

/// Returns the length in bytes of the string that is written for a value, or 0 if there is none.
fn string_len(leaf: &Leaf<'_>) -> usize {
    match *leaf {
        Leaf::Text(text) | Leaf::Number(text) => text.len(),
        Leaf::Binary(bytes) => bytes.len(),
        Leaf::BigInt(digits) => digits.len(),
        _ => 0,
    }
}

/// Writes a value that is not a collection. `raw` is the number of open blocks with `is_raw`.
#[inline(always)]
fn write_leaf(leaf: &Leaf<'_>, raw: usize, writer: &mut Writer) -> Result<(), Stop> {
    const INT_MAX: i64 = (1 << 62) - 1;
    writer.try_reserve(string_len(leaf) + SMALL_BYTES).map_err(no_memory)?;
    match *leaf {
        Leaf::Null => writer.write_enum(tags::NULL),
        Leaf::Bool(value) => writer.write_bool(value),
        Leaf::Int(value @ -0x4000_0000_0000_0000..=INT_MAX) => writer.write_int(value),
        Leaf::Int(value) => writer.write_long(value),
        // The data model has only one NaN.
        Leaf::Float(value) if value.is_nan() && raw == 0 => writer.write_float(f64::NAN),
        Leaf::Float(value) => writer.write_float(value),
        Leaf::Text(text) | Leaf::Number(text) => writer.write_string(text.as_bytes()),
        Leaf::Binary(bytes) if raw > 0 => writer.write_string(bytes),
        Leaf::Binary(bytes) => {
            let mark = writer.mark();
            writer.write_string(bytes);
            writer.close_block(mark, 1, tags::BINARY, WireType::Tuple);
        }
        Leaf::BigInt(digits) => {
            let mark = writer.mark();
            writer.write_string(digits.as_bytes());
            writer.close_block(mark, 1, tags::BIG_INT, WireType::Tuple);
        }
        Leaf::Timestamp(time) => {
            let mark = writer.mark();
            match time.offset_minutes {
                _ if time.date_only => writer.write_enum(tags::DATE_ONLY),
                None => writer.write_enum(tags::NULL),
                Some(minutes) => writer.write_int(minutes.into()),
            }
            writer.write_int(time.nanoseconds.into());
            writer.write_int(time.seconds);
            writer.close_block(mark, 3, tags::TIMESTAMP, WireType::Tuple);
        }
    }
    Ok(())
}

/// Writes the content of a primitive to `own`, and returns its wire type.
fn primitive_content(
    kind: &str,
    content: &Bound<'_, PyAny>,
    own: &mut Writer,
) -> Result<WireType, Stop> {
    let number = match content.cast_exact::<PyInt>() {
        Ok(number) => number.extract::<i64>().ok(),
        Err(_) => None,
    };
    Ok(match (kind, number) {
        ("vint", Some(value)) => {
            own.vint(zigzag(value));
            WireType::Vint
        }
        ("bits8", Some(value @ 0..=255)) => {
            own.raw(&[value as u8]);
            WireType::Bits8
        }
        ("bits32", Some(value)) if i32::try_from(value).is_ok() => {
            own.raw(&(value as i32).to_le_bytes());
            WireType::Bits32
        }
        ("long", Some(value)) => {
            own.raw(&value.to_le_bytes());
            WireType::Bits64Long
        }
        ("float", _) if content.is_instance_of::<PyFloat>() => {
            own.raw(&content.extract::<f64>()?.to_le_bytes());
            WireType::Bits64Float
        }
        ("bytes", _) => {
            let Some(bytes) = string_bytes(content)? else { return Err(type_error(MISFIT)) };
            own.try_reserve(bytes.as_bytes().len() + SMALL_BYTES).map_err(no_memory)?;
            own.raw(bytes.as_bytes());
            own.vint(bytes.as_bytes().len() as u64);
            WireType::Bytes
        }
        _ => return Err(type_error(MISFIT)),
    })
}

/// The bytes of a string.
pub enum StringBytes<'a, 'py> {
    Ascii(&'a str),
    Bytes(Bound<'py, PyBytes>),
}

impl StringBytes<'_, '_> {
    /// Returns the bytes.
    pub fn as_bytes(&self) -> &[u8] {
        match self {
            StringBytes::Ascii(text) => text.as_bytes(),
            StringBytes::Bytes(bytes) => bytes.as_bytes(),
        }
    }
}

/// Returns the bytes of a `str` in UTF-8, or those of `bytes` or a `bytearray`; `None` for other
/// objects.
pub fn string_bytes<'a, 'py>(
    value: &'a Bound<'py, PyAny>,
) -> PyResult<Option<StringBytes<'a, 'py>>> {
    if let Ok(text) = value.cast::<PyString>() {
        return Ok(Some(match host::ascii(text) {
            Some(text) => StringBytes::Ascii(text),
            None => StringBytes::Bytes(text.encode_utf8()?),
        }));
    }
    let bytes = match value.cast::<PyBytes>() {
        Ok(bytes) => bytes.clone(),
        Err(_) if value.is_instance_of::<PyByteArray>() => {
            value.py().get_type::<PyBytes>().call1((value,))?.cast_into()?
        }
        Err(_) => return Ok(None),
    };
    Ok(Some(StringBytes::Bytes(bytes)))
}

/// Returns the reason for writing to stop when memory has run out.
pub fn no_memory(_: TryReserveError) -> Stop {
    PyMemoryError::new_err(()).into()
}

/// Returns the tag that `value` holds. It may have at most 59 bits, since the prefix also contains
/// the wire type.
fn tag_number(value: &Bound<'_, PyAny>) -> Result<u64, Stop> {
    const TAG_MAX: u64 = (1 << 59) - 1;
    match value.extract::<u64>() {
        Ok(tag) if tag <= TAG_MAX => Ok(tag),
        _ => Err(type_error("a tag must be an int from 0 to 2**59 - 1")),
    }
}

/// Returns the error that raises a `TypeError` with this message.
fn type_error(message: &'static str) -> Stop {
    PyTypeError::new_err(message).into()
}

//! Converts objects to bytes. The entries of open collections are on a stack.

use super::failure::Stop;
use super::read::{Class, class};
use crate::dump::{Given, Leaf, Stacked, with_leaf};
use crate::{host, interrupt};
use ketch_extprot::wire::{WireType, Writer};
use ketch_host::extprot::{self, Take, Words};
use pyo3::exceptions::{PyMemoryError, PyTypeError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyFloat, PyInt, PyList, PyString, PyTuple};
use std::collections::TryReserveError;

/// The maximum number of bytes of a number, or of what is written for a value in addition to its
/// string.
pub const SMALL_BYTES: usize = 64;

/// Return the bytes of `value`.
#[pyfunction]
#[pyo3(signature = (value, /))]
pub fn extprot_dumps<'py>(value: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = value.py();
    let _reserve = interrupt::hold_memory(0)?;
    let (mut writer, mut open) = (Writer::new(), Vec::with_capacity(8));
    let entries = Stacked { py, stack: Vec::with_capacity(32), sorts: false };
    let mut output = Output::new((Parts(py), entries), &mut writer, &mut open);
    output.all(&value).map_err(|stop| stop.into_exception(py, 0))?;
    let bytes = writer.finish().map_err(|error| Stop::from(error).into_exception(py, 0))?;
    host::bytes(py, bytes)
}

type Output<'w, 'py> = extprot::Output<'w, Parts<'py>>;

/// Takes apart objects.
struct Parts<'py>(Python<'py>);

impl<'py> Take for Parts<'py> {
    type Error = Stop;
    type Value = Bound<'py, PyAny>;
    type Entries = Stacked<'py>;
    const WORDS: Words = Words {
        tagged: "a ketch.Tagged needs a str as its tag, and cannot be inside a tagged value",
        elements: "expected a list as the elements of a block; in an Assoc, keys and values alternate",
        tag: "a tag must be an int from 0 to 2**59 - 1",
        primitive: "a ketch.extprot.Primitive whose value does not fit its type",
    };

    #[inline(always)]
    fn write(output: &mut Output<'_, 'py>, value: &Bound<'py, PyAny>) -> Result<(), Stop> {
        match &Given::of(value)? {
            Given::List(_) | Given::Tuple(_) => output.collection(value, WireType::Htuple),
            Given::Dict(_) => output.collection(value, WireType::Assoc),
            Given::Tagged => {
                let py = output.take.0;
                let tag = value.getattr(intern!(py, "tag"))?;
                output.tagged(tag, &value.getattr(intern!(py, "value"))?)
            }
            Given::Other => described(output, value),
            leaf => with_leaf(leaf, |leaf| write_leaf(leaf, output)).map(|_| ()),
        }
    }

    fn collection(&self, value: &Bound<'py, PyAny>) -> Result<Option<WireType>, Stop> {
        match Given::of(value)? {
            Given::List(_) | Given::Tuple(_) => Ok(Some(WireType::Htuple)),
            Given::Dict(_) => Ok(Some(WireType::Assoc)),
            Given::Tagged | Given::Other => {
                let class = value.get_type().qualname()?;
                let message = format!("extprot cannot represent a {class} in a ketch.Tagged");
                Err(PyTypeError::new_err(message).into())
            }
            _ => Ok(None),
        }
    }

    fn elements(&self, value: &Bound<'py, PyAny>) -> Result<Option<usize>, Stop> {
        match value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
            true => Ok(Some(value.len()?)),
            false => Ok(None),
        }
    }

    fn tag(&self, value: &Bound<'py, PyAny>) -> Option<u64> {
        value.extract().ok()
    }

    fn integer(&self, value: &Bound<'py, PyAny>) -> Option<i64> {
        value.cast_exact::<PyInt>().ok()?.extract().ok()
    }

    fn float(&self, value: &Bound<'py, PyAny>) -> Option<f64> {
        value.cast::<PyFloat>().ok().map(|value| value.value())
    }

    fn string(
        &self,
        value: &Bound<'py, PyAny>,
        must_be_text: bool,
        write: impl FnOnce(&[u8]) -> Result<(), Stop>,
    ) -> Result<bool, Stop> {
        with_string(value, must_be_text, write)
    }

    #[inline(always)]
    fn reserve(writer: &mut Writer, bytes: usize) -> Result<(), Stop> {
        writer.try_reserve(bytes + SMALL_BYTES).map_err(no_memory)
    }

    fn wrong(&self, message: &'static str) -> Stop {
        PyTypeError::new_err(message).into()
    }
}

/// Writes an object of one of the classes that represent tags and wire types.
fn described<'py>(output: &mut Output<'_, 'py>, value: &Bound<'py, PyAny>) -> Result<(), Stop> {
    let (py, own) = (output.take.0, value.get_type());
    let tag = || value.getattr(intern!(py, "tag"));
    let is = |which| Ok::<_, PyErr>(own.is(class(py, which)?));
    let wire_type = if is(Class::Tuple)? {
        WireType::Tuple
    } else if is(Class::Htuple)? {
        WireType::Htuple
    } else if is(Class::Assoc)? {
        WireType::Assoc
    } else if is(Class::Enum)? {
        return output.constant(&tag()?);
    } else if is(Class::Primitive)? {
        let (kind, content) =
            (value.getattr(intern!(py, "type"))?, value.getattr(intern!(py, "value"))?);
        let kind = kind.cast::<PyString>().ok().map(|kind| kind.to_cow()).transpose()?;
        return output.primitive(&tag()?, kind.as_deref(), &content);
    } else {
        let message = format!("extprot cannot represent a {}", own.qualname()?);
        return Err(PyTypeError::new_err(message).into());
    };
    let elements = if wire_type == WireType::Assoc { "pairs" } else { "elements" };
    output.block(wire_type, &tag()?, &value.getattr(elements)?)
}

/// Writes a value that is not a collection.
#[inline(always)]
fn write_leaf(leaf: &Leaf<'_>, output: &mut Output<'_, '_>) -> Result<(), Stop> {
    match *leaf {
        Leaf::Null => output.null(),
        Leaf::Bool(value) => output.boolean(value),
        Leaf::Int(value) => output.integer(value),
        Leaf::Float(value) => output.float(value),
        Leaf::Text(text) | Leaf::Number(text) => output.text(text.as_bytes()),
        Leaf::Binary(bytes) => output.binary(bytes),
        Leaf::BigInt(digits) => output.big_int(digits.as_bytes()),
        Leaf::Timestamp(time) => output.timestamp(&time),
    }
}

/// Passes the bytes of a `str` in UTF-8 or, unless it must be one, those of `bytes` or a `bytearray`,
/// to `write`. Returns false for other objects.
pub fn with_string(
    value: &Bound<'_, PyAny>,
    must_be_text: bool,
    write: impl FnOnce(&[u8]) -> Result<(), Stop>,
) -> Result<bool, Stop> {
    if let Ok(text) = value.cast::<PyString>() {
        host::with_utf8(text, |text| write(text.as_bytes()))?;
        return Ok(true);
    }
    if must_be_text {
        return Ok(false);
    }
    match (value.cast::<PyBytes>(), value.cast::<PyByteArray>()) {
        (Ok(bytes), _) => write(bytes.as_bytes())?,
        (_, Ok(bytes)) => write(&bytes.to_vec())?,
        _ => return Ok(false),
    }
    Ok(true)
}

/// Returns the reason for writing to stop when memory has run out.
pub fn no_memory(_: TryReserveError) -> Stop {
    PyMemoryError::new_err(()).into()
}

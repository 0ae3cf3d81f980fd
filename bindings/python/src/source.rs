//! The bytes that are loaded.

use crate::errors;
use crate::host::{self, Owner};
use crate::interrupt;
use crate::options::LoadOptions;
use crate::origin::Origin;
use crate::utf8::Encoded;
use ketch_host::reserve::Held;
use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyMemoryView, PyString};

/// Bytes that do not change during a load, and the reserve of memory for the load.
#[derive(Debug)]
pub struct Source<'py> {
    data: Data<'py>,
    _reserve: Held,
}

#[derive(Debug)]
enum Data<'py> {
    /// A string that CPython stores as ASCII.
    Ascii(Bound<'py, PyString>),
    /// Any other string, and its text in UTF-8.
    Text(Bound<'py, PyString>, Encoded),
    Bytes(Bound<'py, PyBytes>),
}

impl<'py> Source<'py> {
    /// Returns the bytes of a `str`, of `bytes`, or of anything that has a buffer.
    ///
    /// # Errors
    ///
    /// Raises a `TypeError` for any other object, a `UnicodeEncodeError` for a lone surrogate, and
    /// a `MemoryError` if memory runs out.
    pub fn of(data: &Bound<'py, PyAny>) -> PyResult<Source<'py>> {
        let data = Data::of(data)?;
        let _reserve = interrupt::hold_memory(data.bytes().len())?;
        Ok(Source { data, _reserve })
    }

    /// Returns the bytes of a YAML text, as [`of`](Source::of) does.
    ///
    /// # Errors
    ///
    /// Raises the same exceptions as [`of`](Source::of), except that a lone surrogate is a
    /// `YamlSyntaxError`.
    pub fn of_yaml(data: &Bound<'py, PyAny>, options: &LoadOptions) -> PyResult<Source<'py>> {
        Source::of(data).map_err(|error| errors::lone_surrogate(data, error, options))
    }

    /// Returns the bytes of any object that has a buffer.
    ///
    /// # Errors
    ///
    /// Raises a `TypeError` for any other object, and a `MemoryError` if memory runs out.
    pub fn of_buffer(data: &Bound<'py, PyAny>) -> PyResult<Source<'py>> {
        match data.is_instance_of::<PyString>() || !Data::has_buffer(data) {
            true => {
                let class = data.get_type().qualname()?;
                Err(PyTypeError::new_err(format!(
                    "expected bytes or a buffer, not {class}; load reads files and paths"
                )))
            }
            false => Source::of(data),
        }
    }

    /// Returns the owner of the bytes, which documents can keep, and the reserve of memory.
    pub fn keep(self) -> (Owner, Held) {
        let owner = match self.data {
            Data::Ascii(text) => Owner::Text(text.unbind()),
            Data::Text(_, text) => Owner::Copy(text.into_bytes()),
            Data::Bytes(bytes) => Owner::Bytes(bytes.unbind()),
        };
        (owner, self._reserve)
    }

    /// Returns the bytes.
    pub fn bytes(&self) -> &[u8] {
        self.data.bytes()
    }

    /// Returns whether all bytes are ASCII.
    pub fn is_ascii(&self) -> bool {
        matches!(self.data, Data::Ascii(_)) || self.bytes().is_ascii()
    }

    /// Returns the string from which parts of the text can be copied, if there is such a string.
    pub fn origin(&self) -> Option<Origin<'_>> {
        match &self.data {
            Data::Text(string, text) => Some(Origin::new(text, host::units(string)?)),
            _ => None,
        }
    }
}

impl<'py> Data<'py> {
    /// Keeps a `str` or `bytes`, or copies the bytes of another object that has a buffer.
    fn of(data: &Bound<'py, PyAny>) -> PyResult<Data<'py>> {
        if let Ok(text) = data.cast::<PyString>() {
            if host::ascii(text).is_some() {
                return Ok(Data::Ascii(text.clone()));
            }
            return match host::utf8(text)? {
                Some(encoded) => Ok(Data::Text(text.clone(), encoded)),
                None => Ok(Data::Bytes(text.encode_utf8()?)),
            };
        }
        if let Ok(bytes) = data.cast::<PyBytes>() {
            return Ok(Data::Bytes(bytes.clone()));
        }
        match PyMemoryView::from(data) {
            Ok(view) => {
                // The bytes are copied, since others may write into the original.
                let copy = view.call_method0(intern!(data.py(), "tobytes"))?;
                return Ok(Data::Bytes(copy.cast_into()?));
            }
            Err(error) if error.is_instance_of::<PyTypeError>(data.py()) => {}
            // For example, the view was released.
            Err(error) => return Err(error),
        }
        let class = data.get_type().qualname()?;
        let message = format!(
            "expected str, bytes or a buffer, not {class}; ketch.load reads files and paths"
        );
        Err(PyTypeError::new_err(message))
    }

    /// Returns whether an object has a buffer.
    fn has_buffer(data: &Bound<'py, PyAny>) -> bool {
        data.is_instance_of::<PyBytes>() || PyMemoryView::from(data).is_ok()
    }

    /// Returns the bytes.
    fn bytes(&self) -> &[u8] {
        match self {
            Data::Ascii(text) => host::ascii(text).unwrap_or_default().as_bytes(),
            Data::Text(_, text) => text,
            Data::Bytes(bytes) => bytes.as_bytes(),
        }
    }
}

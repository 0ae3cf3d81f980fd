//! Converts bytes to objects of a schema's classes and back, as a program describes.

use super::failure::Stop;
use super::program::{Class, Objects};
use super::read;
use super::write::{SMALL_BYTES, no_memory, with_string};
use crate::{host, interrupt};
use ketch_extprot::wire::Writer;
use ketch_extprot::{Error, Problem, Segment};
use ketch_host::typed::{self, Build, Primitive, Take};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFloat, PyInt, PyList, PyTuple};

/// The number of blocks that are read between two checks for signals.
const BLOCKS_A_TURN: u32 = 1024;

/// Creates objects, on a stack.
pub struct Builder<'py> {
    py: Python<'py>,
    pub stack: Vec<Bound<'py, PyAny>>,
    turn: u32,
}

impl<'py> Builder<'py> {
    /// Creates a builder whose stack is empty.
    pub fn new(py: Python<'py>) -> Builder<'py> {
        Builder { py, stack: Vec::with_capacity(32), turn: 0 }
    }

    #[inline(always)]
    fn push(&mut self, value: PyResult<Bound<'py, PyAny>>) -> Result<(), Stop> {
        self.stack.push(value?);
        Ok(())
    }
}

impl Build<'_, Objects> for Builder<'_> {
    type Error = Stop;

    #[inline(always)]
    fn count(&self) -> usize {
        self.stack.len()
    }

    fn truncate(&mut self, count: usize) {
        self.stack.truncate(count);
    }

    #[inline(always)]
    fn held(&mut self, held: &Py<PyAny>) {
        self.stack.push(held.bind(self.py).clone());
    }

    #[inline(always)]
    fn boolean(&mut self, value: bool) {
        self.stack.push(read::boolean(self.py, value));
    }

    #[inline(always)]
    fn integer(&mut self, value: i64, _: Primitive) -> Result<(), Stop> {
        self.push(host::integer(self.py, value))
    }

    #[inline(always)]
    fn float(&mut self, value: f64) -> Result<(), Stop> {
        self.push(host::float(self.py, value))
    }

    #[inline(always)]
    fn string(
        &mut self,
        bytes: &[u8],
        must_be_text: bool,
        offset: impl FnOnce() -> u64,
    ) -> Result<(), Stop> {
        if !must_be_text {
            return self.push(read::text_or_bytes(self.py, bytes));
        }
        let is_ascii = bytes.is_ascii();
        match is_ascii || std::str::from_utf8(bytes).is_ok() {
            true => self.push(host::string(self.py, bytes, is_ascii)),
            false => Err(Error::new(Problem::NotUtf8, offset()).into()),
        }
    }

    #[inline(always)]
    fn list(&mut self, start: usize) -> Result<(), Stop> {
        let list = host::list(self.py, &mut self.stack, start);
        self.push(list)
    }

    #[inline(always)]
    fn tuple(&mut self, start: usize) -> Result<(), Stop> {
        let tuple = host::tuple_of(self.py, &mut self.stack, start);
        self.push(tuple)
    }

    #[inline(always)]
    fn object(&mut self, class: &Class, start: usize) -> Result<(), Stop> {
        let made = host::new_instance(class.class.bind(self.py))?;
        for (attribute, value) in class.attributes.iter().zip(self.stack.drain(start..)) {
            made.setattr(attribute.bind(self.py), value)?;
        }
        self.stack.push(made);
        Ok(())
    }

    fn lazy(&mut self, bytes: &[u8], ty: &Py<PyAny>, offset: u64) -> Result<(), Stop> {
        let bytes = host::bytes(self.py, bytes)?;
        let class = read::class(self.py, read::Class::Lazy)?;
        self.push(class.call1((bytes, ty, offset)))
    }

    #[inline(always)]
    fn turn(&mut self) -> Result<(), Stop> {
        self.turn += 1;
        if self.turn == BLOCKS_A_TURN {
            self.turn = 0;
            interrupt::check(self.py)?;
        }
        Ok(())
    }
}

/// Takes apart objects.
pub struct Parts<'py>(pub Python<'py>);

impl<'py> Take<Objects> for Parts<'py> {
    type Error = Stop;
    type Value = Bound<'py, PyAny>;
    type Elements = Vec<Bound<'py, PyAny>>;
    type Element<'e>
        = &'e Bound<'py, PyAny>
    where
        Self: 'e;

    #[inline(always)]
    fn reserve(&self, writer: &mut Writer, bytes: usize) -> Result<(), Stop> {
        writer.try_reserve(bytes + SMALL_BYTES).map_err(no_memory)
    }

    #[inline(always)]
    fn boolean(&self, value: &Self::Value) -> Option<bool> {
        value.cast::<PyBool>().ok().map(|value| value.is_true())
    }

    #[inline(always)]
    fn integer(&self, value: &Self::Value) -> Option<i64> {
        if is_int(value) { value.extract().ok() } else { None }
    }

    #[inline(always)]
    fn float(&self, value: &Self::Value) -> Result<Option<f64>, Stop> {
        match is_int(value) || value.is_instance_of::<PyFloat>() {
            true => Ok(value.extract().map(Some)?),
            false => Ok(None),
        }
    }

    #[inline(always)]
    fn string(
        &self,
        value: &Self::Value,
        must_be_text: bool,
        write: impl FnOnce(&[u8]) -> Result<(), Stop>,
    ) -> Result<bool, Stop> {
        with_string(value, must_be_text, write)
    }

    fn elements(&self, value: &Self::Value) -> Result<Option<Self::Elements>, Stop> {
        let mut values = Vec::new();
        match (value.cast::<PyList>(), value.cast::<PyTuple>()) {
            (Ok(list), _) => {
                values.try_reserve_exact(list.len()).map_err(no_memory)?;
                values.extend(list);
            }
            (_, Ok(tuple)) => {
                values.try_reserve_exact(tuple.len()).map_err(no_memory)?;
                values.extend(tuple);
            }
            _ => return Ok(None),
        }
        Ok(Some(values))
    }

    #[inline(always)]
    fn count(elements: &Self::Elements) -> usize {
        elements.len()
    }

    #[inline(always)]
    fn element<'e>(elements: &'e Self::Elements, at: usize) -> &'e Bound<'py, PyAny>
    where
        Self: 'e,
    {
        &elements[at]
    }

    #[inline(always)]
    fn is_held(&self, value: &Self::Value, held: &Py<PyAny>) -> bool {
        value.is(held)
    }

    #[inline(always)]
    fn is_of(&self, value: &Self::Value, class: &Class) -> bool {
        value.get_type().is(&class.class)
    }

    #[inline(always)]
    fn member(
        &self,
        value: &Self::Value,
        class: &Class,
        slot: Option<&Py<PyAny>>,
        at: usize,
    ) -> Result<Self::Value, Stop> {
        Ok(match slot {
            Some(slot) => slot.bind(self.0).call_method1("stored", (value,))?,
            None => value.getattr(class.attributes[at].bind(self.0))?,
        })
    }

    fn lazy(
        &self,
        value: &Self::Value,
        write: impl FnOnce(&[u8]) -> Result<(), Stop>,
    ) -> Result<bool, Stop> {
        if !value.get_type().is(read::class(self.0, read::Class::Lazy)?) {
            return Ok(false);
        }
        let bytes = value.getattr("bytes")?;
        write(bytes.extract::<&[u8]>().map_err(PyErr::from)?).map(|()| true)
    }
}

/// Returns whether `value` is an `int`, and not a `bool`.
fn is_int(value: &Bound<'_, PyAny>) -> bool {
    value.is_instance_of::<PyInt>() && !value.is_instance_of::<PyBool>()
}

impl typed::Stop for Stop {
    fn within(self, segment: Segment) -> Stop {
        match self {
            Stop::Bytes(error) => Stop::Bytes(error.within(segment)),
            stop => stop,
        }
    }
}

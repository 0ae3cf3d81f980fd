//! The class of programs, with which values are read and written by their type.

use super::Batch;
use super::failure::Stop;
use super::options::ReadOptions;
use super::program::{self, Objects};
use super::typed::{Builder, Parts};
use crate::{host, interrupt, panics};
use ketch_extprot::Problem;
use ketch_extprot::wire::{Reader, Writer};
use ketch_host::typed::{self, Decoder, Encoder, Part, Program};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use pyo3::{PyTraverseError, PyVisit};

/// A type and all types that it contains, for reading and writing.
#[derive(Debug)]
#[pyclass(frozen, module = "ketch._ketch")]
pub struct ExtprotProgram(Program<Objects>);

#[pymethods]
impl ExtprotProgram {
    #[new]
    fn new(root: &Bound<'_, PyAny>) -> PyResult<ExtprotProgram> {
        panics::panic_if_planted();
        program::compile(root).map(ExtprotProgram)
    }

    /// Return the only value in `data`.
    #[pyo3(signature = (data, options, /))]
    fn read<'py>(
        &self,
        data: &Bound<'py, PyAny>,
        options: &Bound<'py, PyDict>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let options = ReadOptions::typed(options)?;
        let source = super::source(data)?;
        let mut reader = Reader::with_limits(source.bytes(), &options.limits);
        let build = Builder::new(data.py());
        let mut decoder = Decoder::new(&self.0, build, &options.limits, source.bytes().len());
        let read = decoder.only(&mut reader);
        let value = read.map(|()| decoder.build.stack.pop()).transpose();
        let value = value.unwrap_or_else(|| Err(reader.error(Problem::Eof).into()));
        value.map_err(|stop| stop.into_exception(data.py(), 0))
    }

    /// Read the complete messages in a part of a stream, up to the first that cannot be read.
    /// Return the messages, the offset at which reading may continue, the error, and whether
    /// reading may continue there at all.
    #[pyo3(signature = (data, at, base, options, /))]
    fn batch<'py>(
        &self,
        data: &Bound<'py, PyAny>,
        at: usize,
        base: u64,
        options: &Bound<'py, PyDict>,
    ) -> PyResult<Batch<'py>> {
        let options = ReadOptions::typed(options)?;
        let source = super::source(data)?;
        let bytes = source.bytes().get(at..).unwrap_or_default();
        let build = Builder::new(data.py());
        let mut decoder = Decoder::new(&self.0, build, &options.limits, bytes.len());
        let (mut whole, mut goes_on) = (0, true);
        let read = decoder.messages(bytes, &options.limits, &mut whole, &mut goes_on);
        let error = read.err().map(|stop| stop.into_exception(data.py(), base + at as u64));
        Ok((decoder.build.stack, at + whole, error, goes_on))
    }

    /// Return the bytes of `value`.
    #[pyo3(signature = (value, /))]
    fn write<'py>(&self, value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = value.py();
        let _reserve = interrupt::hold_memory(0)?;
        let mut writer = Writer::new();
        let mut encoder = Encoder { program: &self.0, writer: &mut writer, take: Parts(py) };
        encoder.only(value).map_err(|stop| stop.into_exception(py, 0))?;
        let bytes = writer.finish().map_err(|error| Stop::from(error).into_exception(py, 0))?;
        host::bytes(py, bytes)
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        typed::try_each(&self.0, |part| match part {
            Part::Held(object) | Part::Slot(object) | Part::Object(object) => visit.call(object),
            Part::Class(class) => visit.call(&class.class),
        })
    }
}

//! The class of programs, with which values are read and written by their type.

use super::Batch;
use super::failure::Stop;
use super::options::ReadOptions;
use super::program::{Kind, Program};
use super::typed::{Decoder, Encoder};
use crate::{host, interrupt, panics};
use ketch_extprot::Problem;
use ketch_extprot::wire::{Reader, Writer, value_length};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use pyo3::{PyTraverseError, PyVisit};

/// A type and all types that it contains, for reading and writing.
#[derive(Debug)]
#[pyclass(frozen, module = "ketch._ketch")]
pub struct ExtprotProgram(Program);

#[pymethods]
impl ExtprotProgram {
    #[new]
    fn new(root: &Bound<'_, PyAny>) -> PyResult<ExtprotProgram> {
        panics::panic_if_planted();
        Program::of(root).map(ExtprotProgram)
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
        let mut decoder = Decoder::new(data.py(), &self.0, source.bytes().len());
        let value = decoder.top(&mut reader).and_then(|value| match reader.is_empty() {
            true => Ok(value),
            false => Err(reader.error(Problem::TrailingBytes).into()),
        });
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
        let mut decoder = Decoder::new(data.py(), &self.0, bytes.len());
        let mut values = Vec::new();
        let (mut whole, mut stop, mut goes_on) = (0, None, true);
        while whole < bytes.len() {
            let start = whole;
            match value_length(&bytes[start..]) {
                Ok(length) => whole += length,
                Err(error) if matches!(error.problem(), Problem::Eof) => break,
                Err(error) => {
                    (stop, goes_on) = (Some(Stop::from(error.shifted(start as u64))), false);
                    break;
                }
            }
            let reader = Reader::with_limits(&bytes[start..whole], &options.limits);
            match decoder.top(&mut reader.with_offset(start as u64)) {
                Ok(value) => values.push(value),
                Err(error) => {
                    stop = Some(error);
                    break;
                }
            }
        }
        let error = stop.map(|stop| stop.into_exception(data.py(), base + at as u64));
        Ok((values, at + whole, error, goes_on))
    }

    /// Return the bytes of `value`.
    #[pyo3(signature = (value, /))]
    fn write<'py>(&self, value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = value.py();
        let _reserve = interrupt::hold_memory(0)?;
        let mut writer = Writer::new();
        let mut encoder = Encoder { program: &self.0, writer: &mut writer };
        encoder.value(self.0.root(), value).map_err(|stop| stop.into_exception(py, 0))?;
        let bytes = writer.finish().map_err(|error| Stop::from(error).into_exception(py, 0))?;
        host::bytes(py, bytes)
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        for ty in &self.0.types {
            visit.call(&ty.object)?;
            match &ty.kind {
                Kind::Primitive(_, Some(default)) => visit.call(default)?,
                Kind::Primitive(..) | Kind::List(_) | Kind::Tuple(_) => {}
                Kind::Sum { constants, constructors } => {
                    constants.iter().try_for_each(|constant| visit.call(constant))?;
                    constructors.iter().try_for_each(|own| visit.call(&own.class))?;
                }
                Kind::Message { cases, .. } => {
                    for case in cases {
                        visit.call(&case.class)?;
                        let mut slots = case.fields.iter().filter_map(|field| field.slot.as_ref());
                        slots.try_for_each(|slot| visit.call(slot))?;
                    }
                }
            }
        }
        Ok(())
    }
}

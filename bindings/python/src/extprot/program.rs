//! Programs: the types of a schema, as `ketch.extprot.types` describes them, with everything that
//! reading and writing needs.

use super::Batch;
use super::failure::Stop;
use super::options::ReadOptions;
use super::typed::{Decoder, Encoder};
use crate::{host, reserve};
use ketch_extprot::Problem;
use ketch_extprot::wire::{Reader, Writer, value_length};
use pyo3::exceptions::{PyMemoryError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple, PyType};
use pyo3::{PyTraverseError, PyVisit};
use std::collections::HashMap;

/// The number of a type in a program.
pub type TypeNumber = usize;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Primitive {
    Bool,
    Byte,
    Int,
    Long,
    Float,
    /// A str, or bytes.
    String,
    /// A str.
    Text,
}

impl Primitive {
    fn from_name(name: &str) -> Option<Primitive> {
        Some(match name {
            "bool" => Primitive::Bool,
            "byte" => Primitive::Byte,
            "int" => Primitive::Int,
            "long" => Primitive::Long,
            "float" => Primitive::Float,
            "string" => Primitive::String,
            "text" => Primitive::Text,
            _ => return None,
        })
    }

    /// The number of the wire type it is written as.
    pub fn wire_number(self) -> u8 {
        match self {
            Primitive::Bool | Primitive::Byte => 2,
            Primitive::Int => 0,
            Primitive::Long => 6,
            Primitive::Float => 8,
            Primitive::String | Primitive::Text => 3,
        }
    }
}

#[derive(Debug)]
pub enum Kind {
    /// With its default.
    Primitive(Primitive, Option<Py<PyAny>>),
    List(TypeNumber),
    Tuple(Vec<TypeNumber>),
    Sum {
        constants: Vec<Py<PyAny>>,
        constructors: Vec<Constructor>,
    },
    Message {
        name: String,
        is_subset: bool,
        cases: Vec<Case>,
    },
}

#[derive(Debug)]
pub struct Constructor {
    pub class: Py<PyType>,
    pub name: String,
    pub attributes: Vec<Py<PyString>>,
    pub types: Vec<TypeNumber>,
}

#[derive(Debug)]
pub struct Case {
    pub class: Py<PyType>,
    pub fields: Vec<Field>,
}

#[derive(Debug)]
pub struct Field {
    pub name: String,
    pub attribute: Py<PyString>,
    pub ty: TypeNumber,
    /// The attribute of a field that is decoded on first use.
    pub slot: Option<Py<PyAny>>,
    /// Its index on the wire.
    pub index: u64,
}

#[derive(Debug)]
pub struct Type {
    pub kind: Kind,
    pub has_default: bool,
    /// Its name in the schema.
    pub name: String,
    /// Its description in Python.
    pub object: Py<PyAny>,
}

/// A type and its parts, parts first, for reading and writing.
#[derive(Debug)]
#[pyclass(frozen, module = "ketch._ketch")]
pub struct ExtprotProgram {
    pub types: Vec<Type>,
}

#[pymethods]
impl ExtprotProgram {
    #[new]
    fn new(root: &Bound<'_, PyAny>) -> PyResult<ExtprotProgram> {
        let mut compiler = Compiler { types: Vec::new(), known: HashMap::new() };
        compiler.compile(root)?;
        Ok(ExtprotProgram { types: compiler.types })
    }

    /// Return the only value of bytes.
    #[pyo3(signature = (data, options, /))]
    fn read<'py>(
        &self,
        data: &Bound<'py, PyAny>,
        options: &Bound<'py, PyDict>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let options = ReadOptions::typed(options)?;
        let source = super::source(data)?;
        let mut reader = Reader::with_limits(source.bytes(), &options.limits);
        let mut decoder = Decoder::new(data.py(), self, source.bytes().len());
        let value = decoder.top(&mut reader).and_then(|value| match reader.is_empty() {
            true => Ok(value),
            false => Err(reader.error(Problem::TrailingBytes).into()),
        });
        value.map_err(|stop| stop.raised(data.py(), 0))
    }

    /// Return the complete messages in a part of a stream before one that cannot be read; the offset
    /// after that, the error, and whether reading may continue there.
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
        let mut decoder = Decoder::new(data.py(), self, bytes.len());
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
                Err(wrong) => {
                    stop = Some(wrong);
                    break;
                }
            }
        }
        let error = stop.map(|stop| stop.raised(data.py(), base + at as u64));
        Ok((values, at + whole, error, goes_on))
    }

    /// Return the bytes of a value.
    #[pyo3(signature = (value, /))]
    fn write<'py>(&self, value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = value.py();
        let Some(_reserve) = reserve::hold_for(0) else { return Err(PyMemoryError::new_err(())) };
        let mut writer = Writer::new();
        let mut encoder = Encoder { program: self, writer: &mut writer };
        encoder.value(self.root(), value).map_err(|stop| stop.raised(py, 0))?;
        let bytes = writer.finish().map_err(|error| Stop::from(error).raised(py, 0))?;
        host::bytes(py, bytes)
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        for ty in &self.types {
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

impl ExtprotProgram {
    /// The type that is read and written.
    pub fn root(&self) -> TypeNumber {
        self.types.len() - 1
    }
}

struct Compiler {
    types: Vec<Type>,
    /// The numbers of types by the address of their object, which `types` keeps.
    known: HashMap<usize, TypeNumber>,
}

impl Compiler {
    /// Recursion follows the schema, whose depth is bounded when it is checked.
    fn compile(&mut self, object: &Bound<'_, PyAny>) -> PyResult<TypeNumber> {
        if let Some(&number) = self.known.get(&(object.as_ptr() as usize)) {
            return Ok(number);
        }
        let description = object.call_method0("description")?;
        let kind = self.kind(description.cast()?)?;
        let name = object.getattr("name")?.extract()?;
        let has_default = object.getattr("has_default")?.is_truthy()?;
        let number = self.types.len();
        self.types.push(Type { kind, has_default, name, object: object.clone().unbind() });
        self.known.insert(object.as_ptr() as usize, number);
        Ok(number)
    }

    fn kind(&mut self, parts: &Bound<'_, PyTuple>) -> PyResult<Kind> {
        let part = |at| parts.get_item(at);
        let kind = part(0)?;
        Ok(match kind.extract::<&str>()? {
            "primitive" => {
                let name = part(1)?;
                let primitive = Primitive::from_name(name.extract()?)
                    .ok_or_else(|| PyTypeError::new_err("no primitive type"))?;
                let default = part(2)?;
                Kind::Primitive(primitive, (!default.is_none()).then(|| default.unbind()))
            }
            "list" => Kind::List(self.compile(&part(1)?)?),
            "tuple" => Kind::Tuple(self.compile_all(&part(1)?)?),
            "sum" => Kind::Sum {
                constants: part(2)?.extract()?,
                constructors: self.each(&part(3)?, Compiler::constructor)?,
            },
            "message" => Kind::Message {
                name: part(1)?.extract()?,
                is_subset: part(2)?.extract()?,
                cases: self.each(&part(3)?, Compiler::case)?,
            },
            _ => return Err(PyTypeError::new_err("no description of a type")),
        })
    }

    fn constructor(&mut self, parts: &Bound<'_, PyTuple>) -> PyResult<Constructor> {
        Ok(Constructor {
            class: parts.get_item(0)?.cast_into()?.unbind(),
            name: parts.get_item(1)?.extract()?,
            attributes: parts.get_item(2)?.extract()?,
            types: self.compile_all(&parts.get_item(3)?)?,
        })
    }

    fn case(&mut self, parts: &Bound<'_, PyTuple>) -> PyResult<Case> {
        let fields = self.each(&parts.get_item(2)?, Compiler::field)?;
        Ok(Case { class: parts.get_item(0)?.cast_into()?.unbind(), fields })
    }

    fn field(&mut self, parts: &Bound<'_, PyTuple>) -> PyResult<Field> {
        let attribute: Bound<'_, PyString> = parts.get_item(0)?.cast_into()?;
        let slot = parts.get_item(4)?;
        Ok(Field {
            name: attribute.extract()?,
            attribute: attribute.unbind(),
            ty: self.compile(&parts.get_item(1)?)?,
            slot: (!slot.is_none()).then(|| slot.unbind()),
            index: parts.get_item(3)?.extract()?,
        })
    }

    fn each<T>(
        &mut self,
        list: &Bound<'_, PyAny>,
        make: fn(&mut Compiler, &Bound<'_, PyTuple>) -> PyResult<T>,
    ) -> PyResult<Vec<T>> {
        list.cast::<PyTuple>()?.iter().map(|part| make(self, part.cast()?)).collect()
    }

    fn compile_all(&mut self, list: &Bound<'_, PyAny>) -> PyResult<Vec<TypeNumber>> {
        list.cast::<PyTuple>()?.iter().map(|part| self.compile(&part)).collect()
    }
}

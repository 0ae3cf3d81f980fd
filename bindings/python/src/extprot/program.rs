//! Programs. A program contains the types of a schema, which `ketch.extprot.types` describes, and
//! everything that is needed to read and write their values.

use ketch_host::typed::{self, Case, Constructor, Describe, Field, Host, Kind, Program, Type};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple, PyType};

/// What programs keep of Python.
#[derive(Debug)]
pub enum Objects {}

impl Host for Objects {
    type Held = Py<PyAny>;
    type Class = Class;
    /// The object that implements the attribute.
    type Slot = Py<PyAny>;
    type Object = Py<PyAny>;
    type Name = String;
}

/// The class of a case or of a constructor, with the names of the attributes of its objects.
#[derive(Debug)]
pub struct Class {
    pub class: Py<PyType>,
    pub attributes: Vec<Py<PyString>>,
}

/// Compiles a type to a program.
///
/// # Errors
///
/// Raises a `TypeError` if an object does not describe itself as a type.
pub fn compile(root: &Bound<'_, PyAny>) -> PyResult<Program<Objects>> {
    typed::compile(root, &Descriptions(root.py()))
}

/// Reads the descriptions of types, which are tuples.
struct Descriptions<'py>(Python<'py>);

impl<'py> Describe<Objects> for Descriptions<'py> {
    type Object = Bound<'py, PyAny>;
    type Error = PyErr;

    fn identity(&self, object: &Self::Object) -> usize {
        object.as_ptr() as usize
    }

    fn describe(&self, object: &Self::Object) -> PyResult<Type<Objects, Self::Object>> {
        let description = object.call_method0("description")?;
        let parts: &Bound<'py, PyTuple> = description.cast()?;
        let part = |at| parts.get_item(at);
        let kind = match part(0)?.extract::<&str>()? {
            "primitive" => {
                let default = part(2)?;
                let default = (!default.is_none()).then(|| default.unbind());
                typed::primitive(part(1)?.extract()?, default)
                    .ok_or_else(|| PyTypeError::new_err("not a primitive type"))?
            }
            "list" => Kind::List(part(1)?),
            "tuple" => Kind::Tuple(all(&part(1)?)?),
            "sum" => Kind::Sum {
                constants: part(2)?.extract()?,
                constructors: each(&part(3)?, constructor)?,
            },
            "message" => Kind::Message {
                name: part(1)?.extract()?,
                is_subset: part(2)?.extract()?,
                cases: each(&part(3)?, case)?,
            },
            _ => return Err(PyTypeError::new_err("not the description of a type")),
        };
        let name = object.getattr("name")?.extract()?;
        let has_default = object.getattr("has_default")?.is_truthy()?;
        Ok(Type { kind, name, has_default, object: object.clone().unbind() })
    }
}

/// Reads the description of a constructor.
fn constructor<'py>(
    parts: &Bound<'py, PyTuple>,
) -> PyResult<Constructor<Objects, Bound<'py, PyAny>>> {
    let class = parts.get_item(0)?.cast_into()?.unbind();
    let class = Class { class, attributes: parts.get_item(2)?.extract()? };
    Ok(Constructor { class, name: parts.get_item(1)?.extract()?, types: all(&parts.get_item(3)?)? })
}

/// Reads the description of a case.
fn case<'py>(parts: &Bound<'py, PyTuple>) -> PyResult<Case<Objects, Bound<'py, PyAny>>> {
    let fields = parts.get_item(2)?;
    let class = parts.get_item(0)?.cast_into()?.unbind();
    let attributes = each(&fields, |field| Ok(field.get_item(0)?.cast_into()?.unbind()))?;
    Ok(Case { class: Class { class, attributes }, fields: each(&fields, field)? })
}

/// Reads the description of a field.
fn field<'py>(parts: &Bound<'py, PyTuple>) -> PyResult<Field<Objects, Bound<'py, PyAny>>> {
    let slot = parts.get_item(4)?;
    Ok(Field {
        name: parts.get_item(0)?.extract()?,
        ty: parts.get_item(1)?,
        slot: (!slot.is_none()).then(|| slot.unbind()),
        index: parts.get_item(3)?.extract()?,
    })
}

/// Returns what `read` returns for each description in the tuple `list`.
fn each<'py, T>(
    list: &Bound<'py, PyAny>,
    read: impl Fn(&Bound<'py, PyTuple>) -> PyResult<T>,
) -> PyResult<Vec<T>> {
    list.cast::<PyTuple>()?.iter().map(|part| read(part.cast()?)).collect()
}

/// Returns the types in the tuple `list`.
fn all<'py>(list: &Bound<'py, PyAny>) -> PyResult<Vec<Bound<'py, PyAny>>> {
    Ok(list.cast::<PyTuple>()?.iter().collect())
}

//! Programs. A program contains the types of a schema, which `ketch.extprot.types` describes, and
//! everything that is needed to read and write their values.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple, PyType};
use std::collections::HashMap;

/// The index of a type in [`Program::types`].
pub type TypeNumber = usize;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Primitive {
    Bool,
    Byte,
    Int,
    Long,
    Float,
    /// A `str`, or `bytes`.
    String,
    /// A `str`.
    Text,
}

impl Primitive {
    /// Returns the primitive type with this name.
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

    /// Returns the number of the wire type that the primitive is written as.
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
    /// A primitive type, with its default if it has one.
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
    /// For a field that is decoded on first use, the object that implements its attribute.
    pub slot: Option<Py<PyAny>>,
    /// The index of the field on the wire.
    pub index: u64,
}

#[derive(Debug)]
pub struct Type {
    pub kind: Kind,
    pub has_default: bool,
    /// The name of the type in the schema.
    pub name: String,
    /// The Python object that describes the type.
    pub object: Py<PyAny>,
}

/// A type and all types that it contains. Each type comes after the types that it contains.
#[derive(Debug)]
pub struct Program {
    pub types: Vec<Type>,
}

impl Program {
    /// Compiles a type to a program.
    ///
    /// # Errors
    ///
    /// Raises a `TypeError` if an object does not describe itself as a type.
    pub fn of(root: &Bound<'_, PyAny>) -> PyResult<Program> {
        let mut compiler = Compiler { types: Vec::new(), known: HashMap::new() };
        compiler.compile(root)?;
        Ok(Program { types: compiler.types })
    }

    /// Returns the number of the type whose values the program reads and writes, which is the last
    /// one.
    pub fn root(&self) -> TypeNumber {
        self.types.len() - 1
    }
}

struct Compiler {
    types: Vec<Type>,
    /// The numbers of types, by the addresses of their Python objects, which `types` keeps alive.
    known: HashMap<usize, TypeNumber>,
}

impl Compiler {
    /// Compiles a type and the types that it contains, unless they are already compiled, and
    /// returns the number of the type. The recursion follows the schema, whose depth is limited
    /// when the schema is checked.
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

    /// Compiles the kind of a type from its description, which is a tuple.
    fn kind(&mut self, parts: &Bound<'_, PyTuple>) -> PyResult<Kind> {
        let part = |at| parts.get_item(at);
        let kind = part(0)?;
        Ok(match kind.extract::<&str>()? {
            "primitive" => {
                let name = part(1)?;
                let primitive = Primitive::from_name(name.extract()?)
                    .ok_or_else(|| PyTypeError::new_err("not a primitive type"))?;
                let default = part(2)?;
                Kind::Primitive(primitive, (!default.is_none()).then(|| default.unbind()))
            }
            "list" => Kind::List(self.compile(&part(1)?)?),
            "tuple" => Kind::Tuple(self.compile_all(&part(1)?)?),
            "sum" => Kind::Sum {
                constants: part(2)?.extract()?,
                constructors: self.compile_each(&part(3)?, Compiler::constructor)?,
            },
            "message" => Kind::Message {
                name: part(1)?.extract()?,
                is_subset: part(2)?.extract()?,
                cases: self.compile_each(&part(3)?, Compiler::case)?,
            },
            _ => return Err(PyTypeError::new_err("not the description of a type")),
        })
    }

    /// Compiles a constructor from its description.
    fn constructor(&mut self, parts: &Bound<'_, PyTuple>) -> PyResult<Constructor> {
        Ok(Constructor {
            class: parts.get_item(0)?.cast_into()?.unbind(),
            name: parts.get_item(1)?.extract()?,
            attributes: parts.get_item(2)?.extract()?,
            types: self.compile_all(&parts.get_item(3)?)?,
        })
    }

    /// Compiles a case from its description.
    fn case(&mut self, parts: &Bound<'_, PyTuple>) -> PyResult<Case> {
        let fields = self.compile_each(&parts.get_item(2)?, Compiler::field)?;
        Ok(Case { class: parts.get_item(0)?.cast_into()?.unbind(), fields })
    }

    /// Compiles a field from its description.
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

    /// Calls `make` for each description in a tuple, and returns the results.
    fn compile_each<T>(
        &mut self,
        list: &Bound<'_, PyAny>,
        make: fn(&mut Compiler, &Bound<'_, PyTuple>) -> PyResult<T>,
    ) -> PyResult<Vec<T>> {
        list.cast::<PyTuple>()?.iter().map(|part| make(self, part.cast()?)).collect()
    }

    /// Compiles each type in a tuple.
    fn compile_all(&mut self, list: &Bound<'_, PyAny>) -> PyResult<Vec<TypeNumber>> {
        list.cast::<PyTuple>()?.iter().map(|part| self.compile(&part)).collect()
    }
}

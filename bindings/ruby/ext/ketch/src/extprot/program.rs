//! Programs. A program contains the types of a schema, which `Ketch::Extprot::Types` describes, and
//! everything that is needed to read and write their values.

use super::options::ReadOptions;
use crate::ruby::{self, VALUE};
use magnus::{
    DataTypeFunctions, Error, RArray, RClass, RModule, Ruby, Symbol, TypedData, Value, gc,
    prelude::*, typed_data::Obj,
};
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
    String,
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
            Primitive::String => 3,
        }
    }
}

#[derive(Debug)]
pub enum Kind {
    /// A primitive type, with its default if it has one.
    Primitive(Primitive, Option<VALUE>),
    List(TypeNumber),
    Tuple(Vec<TypeNumber>),
    Sum {
        constants: Vec<VALUE>,
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
    pub class: VALUE,
    pub name: String,
    pub types: Vec<TypeNumber>,
}

#[derive(Debug)]
pub struct Case {
    pub class: VALUE,
    pub fields: Vec<Field>,
}

#[derive(Debug)]
pub struct Field {
    pub name: String,
    pub ty: TypeNumber,
    pub is_lazy: bool,
    /// The index of the field on the wire.
    pub index: u64,
}

#[derive(Debug)]
pub struct Type {
    pub kind: Kind,
    pub has_default: bool,
    /// The name of the type in the schema.
    pub name: String,
    /// The Ruby object that describes the type.
    pub object: VALUE,
}

/// A type and all types that it contains. Each type comes after the types that it contains.
#[derive(Debug, TypedData)]
#[magnus(class = "Ketch::Extprot::Program", free_immediately, mark)]
pub struct Program {
    pub types: Vec<Type>,
    /// `Ketch::Extprot::Lazy`.
    pub lazy_class: VALUE,
    /// Classes, constants and defaults.
    pinned: Vec<VALUE>,
}

impl DataTypeFunctions for Program {
    fn mark(&self, _: &gc::Marker) {
        let objects = self.types.iter().map(|ty| ty.object);
        for value in self.pinned.iter().copied().chain(objects).chain([self.lazy_class]) {
            // SAFETY: called by the collector while it marks; all values were live when they were
            // stored.
            unsafe { rb_sys::rb_gc_mark(value) };
        }
    }
}

impl Program {
    /// Returns the number of the type whose values the program reads and writes, which is the last
    /// one.
    pub fn root(&self) -> TypeNumber {
        self.types.len() - 1
    }

    /// Implements `Ketch::Extprot::Program.new(type)`: compiles a type to a program.
    pub fn new(ruby: &Ruby, root: Value) -> Result<Obj<Program>, Error> {
        let extprot: RModule = ruby.define_module("Ketch")?.const_get("Extprot")?;
        let lazy: RClass = extprot.const_get("Lazy")?;
        let program =
            Program { types: Vec::new(), lazy_class: ruby::raw(lazy), pinned: Vec::new() };
        let types: RModule = extprot.const_get("Types")?;
        let mut compiler = Compiler { types, program, known: HashMap::new() };
        compiler.compile(root)?;
        Ok(ruby.obj_wrap(compiler.program))
    }
}

/// Adapts options to reading values of a given type.
pub fn typed_options(mut options: ReadOptions) -> ReadOptions {
    // An `int` is restricted to the range that every reader of extprot supports.
    options.limits.wide_ints = false;
    options
}

struct Compiler {
    /// `Ketch::Extprot::Types`.
    types: RModule,
    program: Program,
    known: HashMap<VALUE, TypeNumber>,
}

impl Compiler {
    /// Compiles a type and the types that it contains, unless they are already compiled, and
    /// returns the number of the type. The recursion follows the schema, whose depth is limited
    /// when the schema is checked.
    fn compile(&mut self, object: Value) -> Result<TypeNumber, Error> {
        if let Some(&number) = self.known.get(&ruby::raw(object)) {
            return Ok(number);
        }
        let description: RArray = object.funcall("description", ())?;
        let kind = self.kind(description)?;
        let name: String = self.types.funcall("name_of", (object,))?;
        let has_default = object.funcall("default?", ())?;
        let number = self.program.types.len();
        self.program.types.push(Type { kind, has_default, name, object: ruby::raw(object) });
        self.known.insert(ruby::raw(object), number);
        Ok(number)
    }

    /// Compiles the kind of a type from its description, which is an array.
    fn kind(&mut self, parts: RArray) -> Result<Kind, Error> {
        let ruby = Ruby::get_with(parts);
        let name = parts.entry::<Symbol>(0)?.name()?.into_owned();
        Ok(match name.as_str() {
            "primitive" => self.primitive(parts)?,
            "list" => Kind::List(self.compile(parts.entry(1)?)?),
            "tuple" => Kind::Tuple(self.compile_all(parts, 1)?),
            "sum" => Kind::Sum {
                constants: self.pins(parts.entry(2)?),
                constructors: self.compile_each(parts.entry(3)?, Compiler::constructor)?,
            },
            "message" => Kind::Message {
                name: parts.entry(1)?,
                is_subset: parts.entry(2)?,
                cases: self.compile_each(parts.entry(3)?, Compiler::case)?,
            },
            _ => {
                return Err(Error::new(
                    ruby.exception_type_error(),
                    "not the description of a type",
                ));
            }
        })
    }

    /// Compiles a primitive from its description.
    fn primitive(&mut self, parts: RArray) -> Result<Kind, Error> {
        let name = parts.entry::<Symbol>(1)?.name()?.into_owned();
        let ruby = Ruby::get_with(parts);
        let Some(primitive) = Primitive::from_name(&name) else {
            return Err(Error::new(ruby.exception_type_error(), "not a primitive type"));
        };
        let default = match parts.entry(2)? {
            true => Some(self.pin(parts.entry(3)?)),
            false => None,
        };
        Ok(Kind::Primitive(primitive, default))
    }

    /// Compiles a constructor from its description.
    fn constructor(&mut self, parts: RArray) -> Result<Constructor, Error> {
        let types: RArray = parts.entry(2)?;
        let class = self.pin(parts.entry(0)?);
        Ok(Constructor { class, name: parts.entry(1)?, types: self.compile_all(types, 0)? })
    }

    /// Compiles a case from its description.
    fn case(&mut self, parts: RArray) -> Result<Case, Error> {
        let class = self.pin(parts.entry(0)?);
        Ok(Case { class, fields: self.compile_each(parts.entry(2)?, Compiler::field)? })
    }

    /// Compiles a field from its description.
    fn field(&mut self, parts: RArray) -> Result<Field, Error> {
        let (name, is_lazy, index) = (parts.entry(0)?, parts.entry(2)?, parts.entry(3)?);
        Ok(Field { name, ty: self.compile(parts.entry(1)?)?, is_lazy, index })
    }

    /// Calls `make` for each description in `list`, and returns the results.
    fn compile_each<T>(
        &mut self,
        list: RArray,
        make: fn(&mut Compiler, RArray) -> Result<T, Error>,
    ) -> Result<Vec<T>, Error> {
        (0..list.len()).map(|at| make(self, list.entry(at as isize)?)).collect()
    }

    /// Compiles the types in `list` from the index `from` on.
    fn compile_all(&mut self, list: RArray, from: usize) -> Result<Vec<TypeNumber>, Error> {
        (from..list.len()).map(|at| self.compile(list.entry(at as isize)?)).collect()
    }

    /// Keeps all values in `list` alive as long as the program, and returns them.
    fn pins(&mut self, list: RArray) -> Vec<VALUE> {
        list.into_iter().map(|value| self.pin(value)).collect()
    }

    /// Keeps a value alive as long as the program, and returns it.
    fn pin(&mut self, value: Value) -> VALUE {
        self.program.pinned.push(ruby::raw(value));
        ruby::raw(value)
    }
}

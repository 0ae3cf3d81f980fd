//! Programs. A program contains the types of a schema, which `Ketch::Extprot::Types` describes, and
//! everything that is needed to read and write their values.

use super::options::ReadOptions;
use crate::ruby::{self, VALUE};
use ketch_host::typed::{self, Case, Constructor, Describe, Field, Host, Kind, Part};
use magnus::{
    DataTypeFunctions, Error, RArray, RClass, RModule, Ruby, Symbol, TypedData, Value, gc,
    prelude::*, typed_data::Obj,
};
use std::convert::Infallible;

/// What programs keep of Ruby: objects and classes. A field that is decoded on first use needs nothing.
#[derive(Debug)]
pub enum Objects {}

impl Host for Objects {
    type Held = VALUE;
    type Class = VALUE;
    type Slot = ();
    type Object = VALUE;
    type Name = String;
}

/// A type and all types that it contains.
#[derive(Debug, TypedData)]
#[magnus(class = "Ketch::Extprot::Program", free_immediately, mark)]
pub struct Program {
    pub types: typed::Program<Objects>,
    /// `Ketch::Extprot::Lazy`.
    pub lazy_class: VALUE,
}

impl DataTypeFunctions for Program {
    fn mark(&self, _: &gc::Marker) {
        // SAFETY: called by the collector while it marks; all values were live when they were stored.
        let mark = |value| unsafe { rb_sys::rb_gc_mark(value) };
        mark(self.lazy_class);
        let Ok(()) = typed::try_each(&self.types, |part| {
            if let Part::Held(&value) | Part::Class(&value) | Part::Object(&value) = part {
                mark(value);
            }
            Ok::<(), Infallible>(())
        });
    }
}

impl Program {
    /// Implements `Ketch::Extprot::Program.new(type)`: compiles a type to a program.
    pub fn new(ruby: &Ruby, root: Value) -> Result<Obj<Program>, Error> {
        let extprot: RModule = ruby.define_module("Ketch")?.const_get("Extprot")?;
        let lazy: RClass = extprot.const_get("Lazy")?;
        let types = typed::compile(&root, &Descriptions(extprot.const_get("Types")?))?;
        Ok(ruby.obj_wrap(Program { types, lazy_class: ruby::raw(lazy) }))
    }
}

/// Adapts options to reading values of a given type.
pub fn typed_options(mut options: ReadOptions) -> ReadOptions {
    // An `int` is restricted to the range that every reader of extprot supports.
    options.limits.wide_ints = false;
    options
}

/// Reads the descriptions of types, which are arrays. Types keep everything alive that these contain.
struct Descriptions(
    /// `Ketch::Extprot::Types`.
    RModule,
);

impl Describe<Objects> for Descriptions {
    type Object = Value;
    type Error = Error;

    fn identity(&self, object: &Value) -> usize {
        ruby::raw(*object) as usize
    }

    fn describe(&self, &object: &Value) -> Result<typed::Type<Objects, Value>, Error> {
        let parts: RArray = object.funcall("description", ())?;
        let kind = match &*parts.entry::<Symbol>(0)?.name()? {
            "primitive" => primitive(parts)?,
            "list" => Kind::List(parts.entry(1)?),
            "tuple" => Kind::Tuple(each(parts, Ok)?.split_off(1)),
            "sum" => Kind::Sum {
                constants: each(parts.entry(2)?, |constant: Value| Ok(ruby::raw(constant)))?,
                constructors: each(parts.entry(3)?, constructor)?,
            },
            "message" => Kind::Message {
                name: parts.entry(1)?,
                is_subset: parts.entry(2)?,
                cases: each(parts.entry(3)?, case)?,
            },
            _ => return Err(wrong(parts, "not the description of a type")),
        };
        let name = self.0.funcall("name_of", (object,))?;
        let has_default = object.funcall("default?", ())?;
        Ok(typed::Type { kind, name, has_default, object: ruby::raw(object) })
    }
}

/// Returns a `TypeError` about `parts`.
fn wrong(parts: RArray, message: &'static str) -> Error {
    Error::new(Ruby::get_with(parts).exception_type_error(), message)
}

/// Reads the description of a primitive.
fn primitive(parts: RArray) -> Result<Kind<Objects, Value>, Error> {
    let default = match parts.entry(2)? {
        true => Some(ruby::raw(parts.entry::<Value>(3)?)),
        false => None,
    };
    typed::primitive(&parts.entry::<Symbol>(1)?.name()?, default)
        .ok_or_else(|| wrong(parts, "not a primitive type"))
}

/// Reads the description of a constructor.
fn constructor(parts: RArray) -> Result<Constructor<Objects, Value>, Error> {
    let class = ruby::raw(parts.entry::<Value>(0)?);
    Ok(Constructor { class, name: parts.entry(1)?, types: each(parts.entry(2)?, Ok)? })
}

/// Reads the description of a case.
fn case(parts: RArray) -> Result<Case<Objects, Value>, Error> {
    Ok(Case { class: ruby::raw(parts.entry::<Value>(0)?), fields: each(parts.entry(2)?, field)? })
}

/// Reads the description of a field.
fn field(parts: RArray) -> Result<Field<Objects, Value>, Error> {
    let slot = parts.entry::<bool>(2)?.then_some(());
    Ok(Field { name: parts.entry(0)?, ty: parts.entry(1)?, slot, index: parts.entry(3)? })
}

/// Returns what `read` returns for each entry of `list`.
fn each<P: magnus::TryConvert, T>(
    list: RArray,
    read: impl Fn(P) -> Result<T, Error>,
) -> Result<Vec<T>, Error> {
    (0..list.len()).map(|at| read(list.entry(at as isize)?)).collect()
}

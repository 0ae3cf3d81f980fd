//! Values of the types of an extprot schema, as objects of a host language.
//!
//! A [`Program`] holds the types, and the classes, constants and defaults that the host has for them. A
//! [`Decoder`] reads values, and an [`Encoder`] writes them, by the rules of evolution (specification 4
//! to 8). A host says how it creates and takes apart its objects, in [`Build`] and [`Take`].
//!
//! Recursion follows the schema, whose depth is limited when it is checked, and never the input.

mod read;
mod write;

pub use read::{Build, Decoder};
pub use write::{Encoder, Take};

use ketch_extprot::{Error, Segment};
use std::collections::HashMap;
use std::fmt::Debug;

/// What a program keeps of a host language.
pub trait Host: Debug {
    /// A constant, a default, or the object that describes a type.
    type Held: Debug;
    /// A class, and what is needed to fill its objects.
    type Class: Debug;
    /// What stores a field that is decoded on first use.
    type Slot: Debug;
}

/// The error of a host: an error in the bytes, or an exception of the host.
pub trait Stop: From<Error> {
    /// Adds `segment`, which contains the place of the error, to the path of an error in the bytes.
    #[must_use]
    fn within(self, segment: Segment) -> Self;
}

impl Stop for Error {
    #[inline(never)]
    fn within(self, segment: Segment) -> Error {
        Error::within(self, segment)
    }
}

/// The index of a type in [`Program::types`].
pub type TypeNumber = usize;

/// A primitive type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Primitive {
    /// A boolean.
    Bool,
    /// An integer from 0 to 255.
    Byte,
    /// An integer of 63 bits.
    Int,
    /// An integer of 64 bits.
    Long,
    /// A float of 64 bits.
    Float,
    /// Text or bytes.
    String,
    /// Text, for hosts with a type of its own for it.
    Text,
}

impl Primitive {
    /// Returns the primitive type with this name.
    pub fn from_name(name: &str) -> Option<Primitive> {
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
    fn wire_number(self) -> u8 {
        match self {
            Primitive::Bool | Primitive::Byte => 2,
            Primitive::Int => 0,
            Primitive::Long => 6,
            Primitive::Float => 8,
            Primitive::String | Primitive::Text => 3,
        }
    }
}

/// What a type is. `T` denotes the types that it contains.
#[derive(Debug)]
pub enum Kind<H: Host, T = TypeNumber> {
    /// A primitive type, with its default if it has one.
    Primitive(Primitive, Option<H::Held>),
    /// A list or an array of elements of one type.
    List(T),
    /// A tuple.
    Tuple(Vec<T>),
    /// A sum type: its constants, and its constructors with arguments.
    Sum {
        /// The constants, by their tags.
        constants: Vec<H::Held>,
        /// The constructors, by their tags.
        constructors: Vec<Constructor<H, T>>,
    },
    /// A message, a record or a subset.
    Message {
        /// Its name.
        name: String,
        /// Whether it is a subset, which is only read.
        is_subset: bool,
        /// The cases of a union, or the only one.
        cases: Vec<Case<H, T>>,
    },
}

/// A constructor of a sum type, with arguments.
#[derive(Debug)]
pub struct Constructor<H: Host, T = TypeNumber> {
    /// The class of its values.
    pub class: H::Class,
    /// Its name.
    pub name: String,
    /// The types of its arguments.
    pub types: Vec<T>,
}

/// A case of a message.
#[derive(Debug)]
pub struct Case<H: Host, T = TypeNumber> {
    /// The class of its values.
    pub class: H::Class,
    /// Its fields.
    pub fields: Vec<Field<H, T>>,
}

/// A field of a message.
#[derive(Debug)]
pub struct Field<H: Host, T = TypeNumber> {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: T,
    /// What stores it, if it is decoded on first use.
    pub slot: Option<H::Slot>,
    /// The index of the field on the wire.
    pub index: u64,
}

/// A type.
#[derive(Debug)]
pub struct Type<H: Host, T = TypeNumber> {
    /// What it is.
    pub kind: Kind<H, T>,
    /// Whether it has a default.
    pub has_default: bool,
    /// Its name in the schema.
    pub name: String,
    /// The object of the host that describes it.
    pub object: H::Held,
}

/// Something that a program keeps of its host.
#[derive(Debug)]
pub enum Part<'p, H: Host> {
    /// A constant, a default, or the object that describes a type.
    Held(&'p H::Held),
    /// A class.
    Class(&'p H::Class),
    /// What stores a field.
    Slot(&'p H::Slot),
}

/// A type and all types that it contains. Each type comes after the types that it contains.
#[derive(Debug)]
pub struct Program<H: Host> {
    /// The types.
    pub types: Vec<Type<H>>,
}

/// Reads the descriptions of types.
pub trait Describe<H: Host> {
    /// An object that describes a type.
    type Object;
    /// What is raised for an object that describes no type.
    type Error;

    /// Returns a number that no other object has.
    fn identity(&self, object: &Self::Object) -> usize;

    /// Returns what `object` describes.
    fn describe(&self, object: &Self::Object) -> Result<Type<H, Self::Object>, Self::Error>;
}

impl<H: Host> Program<H> {
    /// Compiles the type that `root` describes.
    pub fn compile<D: Describe<H>>(root: &D::Object, host: &D) -> Result<Program<H>, D::Error> {
        let mut compiler = Compiler { host, types: Vec::new(), known: HashMap::new() };
        compiler.add(root)?;
        Ok(Program { types: compiler.types })
    }

    /// Returns the number of the type whose values the program reads and writes, which is the last one.
    pub fn root(&self) -> TypeNumber {
        self.types.len() - 1
    }

    /// Calls `visit` with everything that the program keeps of its host, up to the first error.
    pub fn try_each<E>(
        &self,
        mut visit: impl FnMut(Part<'_, H>) -> Result<(), E>,
    ) -> Result<(), E> {
        for ty in &self.types {
            visit(Part::Held(&ty.object))?;
            match &ty.kind {
                Kind::Primitive(_, default) => {
                    default.iter().try_for_each(|default| visit(Part::Held(default)))?;
                }
                Kind::List(_) | Kind::Tuple(_) => {}
                Kind::Sum { constants, constructors } => {
                    constants.iter().try_for_each(|constant| visit(Part::Held(constant)))?;
                    constructors.iter().try_for_each(|one| visit(Part::Class(&one.class)))?;
                }
                Kind::Message { cases, .. } => {
                    for case in cases {
                        visit(Part::Class(&case.class))?;
                        let mut slots = case.fields.iter().filter_map(|field| field.slot.as_ref());
                        slots.try_for_each(|slot| visit(Part::Slot(slot)))?;
                    }
                }
            }
        }
        Ok(())
    }
}

struct Compiler<'d, H: Host, D> {
    host: &'d D,
    types: Vec<Type<H>>,
    /// The numbers of types, by the identities of their objects, which `types` keeps alive.
    known: HashMap<usize, TypeNumber>,
}

impl<H: Host, D: Describe<H>> Compiler<'_, H, D> {
    /// Compiles a type and the types that it contains, unless they are already compiled, and returns
    /// the number of the type.
    fn add(&mut self, described: &D::Object) -> Result<TypeNumber, D::Error> {
        let identity = self.host.identity(described);
        if let Some(&number) = self.known.get(&identity) {
            return Ok(number);
        }
        let Type { kind, has_default, name, object } = self.host.describe(described)?;
        let kind = self.kind(kind)?;
        let number = self.types.len();
        self.types.push(Type { kind, has_default, name, object });
        self.known.insert(identity, number);
        Ok(number)
    }

    fn kind(&mut self, kind: Kind<H, D::Object>) -> Result<Kind<H>, D::Error> {
        Ok(match kind {
            Kind::Primitive(primitive, default) => Kind::Primitive(primitive, default),
            Kind::List(element) => Kind::List(self.add(&element)?),
            Kind::Tuple(types) => Kind::Tuple(self.all(&types)?),
            Kind::Sum { constants, constructors } => {
                let constructor = |Constructor { class, name, types }| {
                    Ok(Constructor { class, name, types: self.all(&types)? })
                };
                let constructors = constructors.into_iter().map(constructor);
                Kind::Sum { constants, constructors: constructors.collect::<Result<_, _>>()? }
            }
            Kind::Message { name, is_subset, cases } => {
                let mut field = |Field { name, ty, slot, index }| {
                    Ok(Field { name, ty: self.add(&ty)?, slot, index })
                };
                let case = |Case { class, fields }| {
                    let fields: Vec<Field<H, D::Object>> = fields;
                    let fields = fields.into_iter().map(&mut field).collect::<Result<_, _>>()?;
                    Ok(Case { class, fields })
                };
                let cases = cases.into_iter().map(case).collect::<Result<_, _>>()?;
                Kind::Message { name, is_subset, cases }
            }
        })
    }

    fn all(&mut self, types: &[D::Object]) -> Result<Vec<TypeNumber>, D::Error> {
        types.iter().map(|ty| self.add(ty)).collect()
    }
}

/// Adds a step to the path of an error.
#[inline(always)]
fn within<T, E: Stop>(result: Result<T, E>, segment: impl Fn() -> Segment) -> Result<T, E> {
    match result {
        Err(error) => Err(placed(error, segment)),
        result => result,
    }
}

#[cold]
#[inline(never)]
fn placed<E: Stop>(error: E, segment: impl Fn() -> Segment) -> E {
    error.within(segment())
}

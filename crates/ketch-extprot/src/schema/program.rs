//! Programs: the types of a schema as a decoder follows them, with what a host language has for each.
//! They contain what values depend on, and nothing about declarations.

use super::ast::Primitive;
use std::fmt::Debug;

/// What a program keeps of a host language.
pub trait Host: Debug {
    /// A constant or a default.
    type Held: Debug;
    /// A class, and what is needed to fill its objects.
    type Class: Debug;
    /// What stores a field that is decoded on first use.
    type Slot: Debug;
    /// What describes a type.
    type Object: Debug;
    /// The name of a type, if the host needs it.
    type Name: Debug;
}

/// The index of a type in [`Program::types`].
pub type TypeNumber = usize;

/// What a type is. `T` denotes the types that it contains.
#[derive(Debug)]
pub enum Kind<H: Host, T = TypeNumber> {
    /// A primitive type.
    Primitive {
        /// Which one.
        primitive: Primitive,
        /// Whether a string must be text, for hosts with a type of its own for it.
        must_be_text: bool,
        /// Its default, if it has one.
        default: Option<H::Held>,
    },
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
    /// A message of a schema that was not loaded.
    External(String),
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
    pub name: H::Name,
    /// What describes it in the host.
    pub object: H::Object,
}

/// Types, each after those that it contains.
#[derive(Debug)]
pub struct Program<H: Host> {
    /// The types.
    pub types: Vec<Type<H>>,
}

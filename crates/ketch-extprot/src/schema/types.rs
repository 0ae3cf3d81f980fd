//! Resolved types. They contain what the wire format needs, but no aliases or type variables.
//!
//! All types are in one table, which contains equal types only once, and each type after its parts.
//! So the properties of a type are computed from those of its parts when it is added, without
//! recursion.

use super::ast::{File, Primitive};
use super::diagnostic::{Sources, Span};
use super::program;
use super::program::{Host, Kind, Program};
use crate::wire::WireType;
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

/// The number of a type in a [`Schema`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeId(pub(crate) u32);

/// A declared default value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Default {
    /// The default of a `bool`.
    Bool(bool),
    /// The default of a `byte`.
    Byte(u8),
    /// The default of an `int` or `long`.
    Int(i64),
    /// The default of a `float`, as its bits.
    Float(u64),
    /// The default of a `string`.
    String(Vec<u8>),
}

/// A resolved type.
#[derive(Clone, Debug, PartialEq)]
pub enum Type {
    /// A primitive, with its default if one is declared.
    Primitive(Primitive, Option<Default>),
    /// `[ t ]`
    List(TypeId),
    /// `[| t |]`
    Array(TypeId),
    /// `(t * u)`
    Tuple(Vec<TypeId>),
    /// `A | B int`
    Sum(Sum),
    /// A message, record, union or subset.
    Message(Message),
    /// A message of a schema that was not loaded: `Module.message`.
    External(String),
}

/// A sum type.
#[derive(Clone, Debug, PartialEq)]
pub struct Sum {
    /// The name by which it is declared.
    pub name: String,
    /// The constructors, in the order of the declaration.
    pub constructors: Vec<Constructor>,
    /// The indexes of the constants in `constructors`. The position of an index in this list is the
    /// tag.
    pub constants: Vec<u32>,
    /// The indexes of the constructors with arguments in `constructors`. The position of an index
    /// in this list is the tag.
    pub non_constants: Vec<u32>,
    /// The types that its type variables stand for.
    pub arguments: Vec<TypeId>,
    /// The location of the name in the declaration.
    pub span: Span,
}

/// A constructor of a sum type.
#[derive(Clone, Debug, PartialEq)]
pub struct Constructor {
    /// The name.
    pub name: String,
    /// The types of the arguments; a constant has none.
    pub arguments: Vec<TypeId>,
    /// The tag. Constants and other constructors are numbered separately.
    pub tag: u32,
    /// The location of the name in the declaration.
    pub span: Span,
}

/// A message, record, message union or subset.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    /// The name by which it is declared.
    pub name: String,
    /// The only case, or the cases of a union. The position of a case in this list is its tag.
    pub cases: Vec<Case>,
    /// Whether it is a union, even of one case.
    pub union: bool,
    /// Whether it is a subset, which can only be read and does not accept a bare value as its first
    /// field.
    pub subset: bool,
    /// The types that its type variables stand for.
    pub arguments: Vec<TypeId>,
    /// The location of the name in the declaration.
    pub span: Span,
}

/// The fields of a message or of one case of a union.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// The name of a case of a union, or an empty string for other messages.
    pub name: String,
    /// What the pretty printer writes before the name of the first field: `User`, `Fig.Tri`.
    pub module: String,
    /// The fields, in their order on the wire.
    pub fields: Vec<Field>,
    /// The location of the name in the declaration.
    pub span: Span,
}

/// A field.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// The name.
    pub name: String,
    /// The type.
    pub ty: TypeId,
    /// Whether it is decoded on first access. Small types never are (specification 8).
    pub lazy: bool,
    /// Whether it is declared `mutable`.
    pub mutable: bool,
    /// Its position on the wire, which in a subset can differ from its position in the list.
    pub wire_index: u32,
    /// The location of the name in the declaration.
    pub span: Span,
}

/// A type and the properties that follow from it.
#[derive(Clone, Debug)]
pub(crate) struct TypeInfo {
    pub(crate) ty: Type,
    /// Whether it has a default that is known from the schema (specification 6).
    pub(crate) has_default: bool,
    /// The size in words, which determines whether fields of this type can be lazy (specification
    /// 8).
    pub(crate) words: u32,
    /// The number of levels of types in it, including its own.
    pub(crate) depth: u32,
    /// Whether it is a subset or contains one.
    pub(crate) read_only: bool,
}

/// Rust as a host: values refer to constructors, cases and fields by their positions.
#[derive(Debug)]
pub(crate) enum Positions {}

impl Host for Positions {
    type Held = Held;
    type Class = Position;
    type Slot = ();
    type Object = TypeId;
    type Name = ();
}

/// A constant, as its index in [`Sum::constructors`], or the default of a primitive.
#[derive(Debug)]
pub(crate) enum Held {
    Constant(u32),
    Default(Primitive, Default),
}

/// The index of a constructor or of a case in the declaration.
#[derive(Debug)]
pub(crate) enum Position {
    Constructor(u32),
    Case(u32),
}

/// A schema that passed all checks.
#[derive(Clone, Debug)]
pub struct Schema {
    pub(crate) types: Vec<TypeInfo>,
    /// The types as a decoder follows them, from the first time on that one does.
    pub(crate) program: Arc<OnceLock<Program<Positions>>>,
    pub(crate) names: HashMap<String, TypeId>,
    pub(crate) messages: Vec<(String, TypeId)>,
    pub(crate) sources: Arc<Sources>,
    pub(crate) files: Vec<File>,
}

impl Schema {
    /// Returns the type with the number `id`.
    pub fn get(&self, id: TypeId) -> &Type {
        &self.types[id.0 as usize].ty
    }

    /// Returns the message, or the type without type variables, that is called `name`, or `None` if
    /// there is none.
    pub fn lookup(&self, name: &str) -> Option<TypeId> {
        self.names.get(name).copied()
    }

    /// Returns the names and types of the messages that are declared in the file itself and in
    /// those that it includes, in the order of their declarations.
    pub fn messages(&self) -> impl Iterator<Item = (&str, TypeId)> {
        self.messages.iter().map(|(name, id)| (name.as_str(), *id))
    }

    /// Returns the files that the schema was read from.
    pub fn sources(&self) -> &Arc<Sources> {
        &self.sources
    }

    /// Returns the syntax trees of the files, in the order of their numbers.
    pub fn files(&self) -> &[File] {
        &self.files
    }

    /// Returns whether the schema gives the type a default. Creating its value can still fail
    /// (specification 6).
    pub fn has_default(&self, id: TypeId) -> bool {
        self.types[id.0 as usize].has_default
    }

    /// Returns whether values of the type can only be read, because it is a subset or contains one.
    pub fn is_read_only(&self, id: TypeId) -> bool {
        self.types[id.0 as usize].read_only
    }

    /// Returns a short description of the type, such as `[ (int * user) ]`.
    pub fn describe(&self, id: TypeId) -> String {
        self.describe_within(id, 4)
    }

    /// Returns a description of the type in which `...` replaces parts that are more than `levels`
    /// deep, because a type that is written out in full can be exponentially long.
    fn describe_within(&self, id: TypeId, levels: u32) -> String {
        if levels == 0 {
            return "...".into();
        }
        match self.get(id) {
            Type::Primitive(primitive, _) => primitive.name().into(),
            Type::List(element) => format!("[ {} ]", self.describe_within(*element, levels - 1)),
            Type::Array(element) => format!("[| {} |]", self.describe_within(*element, levels - 1)),
            Type::Tuple(elements) => {
                let mut parts: Vec<String> =
                    elements.iter().take(6).map(|e| self.describe_within(*e, levels - 1)).collect();
                if elements.len() > 6 {
                    parts.push("...".into());
                }
                format!("({})", parts.join(" * "))
            }
            Type::Sum(sum) => sum.name.clone(),
            Type::Message(message) => message.name.clone(),
            Type::External(name) => name.clone(),
        }
    }

    /// Returns the types as a decoder follows them.
    pub(crate) fn program(&self) -> &Program<Positions> {
        let one = |(number, info): (u32, &TypeInfo)| program::Type {
            kind: info.ty.kind(),
            has_default: info.has_default,
            name: (),
            object: TypeId(number),
        };
        let types = || (0..).zip(&self.types).map(one).collect();
        self.program.get_or_init(|| Program { types: types() })
    }

    /// Returns the primitive, or `None` if the type is not a primitive.
    pub(crate) fn primitive(&self, id: TypeId) -> Option<Primitive> {
        match self.get(id) {
            Type::Primitive(primitive, _) => Some(*primitive),
            _ => None,
        }
    }
}

impl Primitive {
    /// Returns the wire type that the primitive is written with (specification 2.4).
    pub fn wire_type(self) -> WireType {
        match self {
            Primitive::Bool | Primitive::Byte => WireType::Bits8,
            Primitive::Int => WireType::Vint,
            Primitive::Long => WireType::Bits64Long,
            Primitive::Float => WireType::Bits64Float,
            Primitive::String => WireType::Bytes,
        }
    }
}

impl Type {
    /// Returns the type with its properties, which follow from those of its parts. `types` is the
    /// table that contains the parts.
    pub(crate) fn info(self, types: &[TypeInfo]) -> TypeInfo {
        let part = |id: &TypeId| &types[id.0 as usize];
        // The size is 1 plus the sum over the parts, where a part of one word counts 1, and any
        // other part counts its words plus 1.
        let block = |parts: &mut dyn Iterator<Item = u32>| {
            parts.fold(1u32, |sum, words| {
                sum.saturating_add(if words == 1 { 1 } else { words.saturating_add(1) })
            })
        };
        let (has_default, words, parts): (bool, u32, Vec<TypeId>) = match &self {
            Type::Primitive(primitive, default) => {
                let words = match primitive {
                    Primitive::Bool | Primitive::Byte | Primitive::Int => 1,
                    Primitive::Long | Primitive::Float => 3,
                    Primitive::String => 1000,
                };
                (default.is_some() || *primitive == Primitive::Bool, words, vec![])
            }
            Type::List(element) | Type::Array(element) => (true, 1000, vec![*element]),
            Type::Tuple(elements) => {
                let has_default = elements.iter().all(|e| part(e).has_default);
                let words = block(&mut elements.iter().map(|e| part(e).words));
                (has_default, words, elements.clone())
            }
            Type::Sum(sum) => {
                let words = sum.constructors.iter().map(|c| match c.arguments.len() {
                    0 => 1,
                    _ => block(&mut c.arguments.iter().map(|a| part(a).words)),
                });
                let parts = sum.constructors.iter().flat_map(|c| c.arguments.clone()).collect();
                (!sum.constants.is_empty(), words.max().unwrap_or(1), parts)
            }
            Type::Message(message) => {
                // In the specification, a small lazy field counts 4 more than an eager one, and any
                // other lazy field counts 13. At this point, small fields are no longer lazy.
                let words = message.cases.iter().map(|case| {
                    block(&mut case.fields.iter().map(|field| match field.lazy {
                        true => 12,
                        false => part(&field.ty).words,
                    }))
                });
                let parts = message.cases.iter().flat_map(|c| c.fields.iter().map(|f| f.ty));
                (true, words.max().unwrap_or(1), parts.collect())
            }
            Type::External(_) => (true, 1000, vec![]),
        };
        let depth = 1 + parts.iter().map(|p| part(p).depth).max().unwrap_or(0);
        let subset = matches!(&self, Type::Message(message) if message.subset);
        let read_only = subset || parts.iter().any(|p| part(p).read_only);
        TypeInfo { ty: self, has_default, words, depth, read_only }
    }
}

impl Type {
    /// Returns what a decoder needs of the type.
    fn kind(&self) -> Kind<Positions> {
        let numbers = |ids: &[TypeId]| ids.iter().map(|id| id.0 as usize).collect();
        match self {
            Type::Primitive(primitive, default) => {
                let implied = (*primitive == Primitive::Bool).then_some(Default::Bool(false));
                let default = default.clone().or(implied);
                let default = default.map(|default| Held::Default(*primitive, default));
                Kind::Primitive { primitive: *primitive, must_be_text: false, default }
            }
            Type::List(element) | Type::Array(element) => Kind::List(element.0 as usize),
            Type::Tuple(elements) => Kind::Tuple(numbers(elements)),
            Type::Sum(sum) => {
                let constructor = |&index: &u32| {
                    let Constructor { name, arguments, .. } = &sum.constructors[index as usize];
                    program::Constructor {
                        class: Position::Constructor(index),
                        name: name.clone(),
                        types: numbers(arguments),
                    }
                };
                Kind::Sum {
                    constants: sum.constants.iter().copied().map(Held::Constant).collect(),
                    constructors: sum.non_constants.iter().map(constructor).collect(),
                }
            }
            Type::Message(message) => {
                let field = |field: &Field| program::Field {
                    name: field.name.clone(),
                    ty: field.ty.0 as usize,
                    slot: field.lazy.then_some(()),
                    index: field.wire_index.into(),
                };
                let case = |(index, case): (u32, &Case)| program::Case {
                    class: Position::Case(index),
                    fields: case.fields.iter().map(field).collect(),
                };
                Kind::Message {
                    name: message.name.clone(),
                    is_subset: message.subset,
                    cases: (0..).zip(&message.cases).map(case).collect(),
                }
            }
            Type::External(name) => Kind::External(name.clone()),
        }
    }
}

/// Returns the name of the module that the pretty printer uses for the declaration `name`, such as
/// `User` for `user`.
pub(crate) fn capitalized(name: &str) -> String {
    let mut name = name.to_owned();
    name[..1].make_ascii_uppercase();
    name
}

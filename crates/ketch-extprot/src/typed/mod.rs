//! Values that are read and written by a schema at run time, with the rules of evolution
//! (specification 4 to 8).
//!
//! Recursion here follows the schema, whose depth is bounded when it is checked, and never the
//! input.

mod decode;
mod encode;
mod framing;
mod pretty;
mod read;

pub use decode::{Decoded, TypedMessages};
pub use framing::{read_framed, write_framed};
pub use pretty::pretty;
#[doc(hidden)]
pub use read::{Build, Decoder, Stop, within};

use crate::error::Result;
use crate::limits::Limits;
use crate::schema::{Schema, TypeId};
use std::borrow::Cow;
use std::sync::OnceLock;

/// A value of a schema type. Constructors, cases and fields are identified by their positions in the
/// declaration.
#[derive(Clone, Debug, PartialEq)]
pub enum Typed<'a> {
    /// A `bool`.
    Bool(bool),
    /// A `byte`.
    Byte(u8),
    /// An `int`.
    Int(i64),
    /// A `long`.
    Long(i64),
    /// A `float`.
    Float(f64),
    /// A `string`, which may contain any bytes.
    String(Cow<'a, [u8]>),
    /// A tuple.
    Tuple(Vec<Typed<'a>>),
    /// A list or an array.
    List(Vec<Typed<'a>>),
    /// A constructor of a sum type, as its index in the declaration, with its arguments.
    Sum(u32, Vec<Typed<'a>>),
    /// A message or record: the index of the case of a union (otherwise 0), and the fields in order.
    Message(u32, Vec<Typed<'a>>),
    /// A lazy field that has not been decoded yet. Writing it copies its bytes.
    Lazy(Lazy<'a>),
}

/// A lazy field: its bytes, and its value after the first access.
#[derive(Clone, Debug)]
pub struct Lazy<'a> {
    bytes: Cow<'a, [u8]>,
    offset_bytes: u64,
    ty: TypeId,
    value: OnceLock<Box<Typed<'static>>>,
}

/// Lazy fields are equal if their types and bytes are equal, whether or not they were decoded.
impl PartialEq for Lazy<'_> {
    fn eq(&self, other: &Lazy<'_>) -> bool {
        (&self.bytes, self.ty) == (&other.bytes, other.ty)
    }
}

impl<'a> Lazy<'a> {
    /// Returns the bytes of the field's value, including the prefix.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the type of the field.
    pub fn ty(&self) -> TypeId {
        self.ty
    }

    /// Decodes the field, or returns the value that was decoded before. The bytes are kept.
    pub fn force(&self, schema: &Schema, limits: &Limits) -> Result<&Typed<'static>> {
        if let Some(value) = self.value.get() {
            return Ok(value);
        }
        let value = decode::decode_value(schema, self.ty, &self.bytes, self.offset_bytes, limits)?;
        Ok(self.value.get_or_init(|| Box::new(value.into_owned())))
    }

    /// Copies the bytes if they are borrowed.
    fn into_owned(self) -> Lazy<'static> {
        let Lazy { bytes, offset_bytes, ty, value } = self;
        Lazy { bytes: Cow::Owned(bytes.into_owned()), offset_bytes, ty, value }
    }
}

impl Typed<'_> {
    /// Copies all data that the value borrows.
    pub fn into_owned(self) -> Typed<'static> {
        let all = |values: Vec<Typed<'_>>| values.into_iter().map(Typed::into_owned).collect();
        match self {
            Typed::Bool(value) => Typed::Bool(value),
            Typed::Byte(value) => Typed::Byte(value),
            Typed::Int(value) => Typed::Int(value),
            Typed::Long(value) => Typed::Long(value),
            Typed::Float(value) => Typed::Float(value),
            Typed::String(bytes) => Typed::String(Cow::Owned(bytes.into_owned())),
            Typed::Tuple(values) => Typed::Tuple(all(values)),
            Typed::List(values) => Typed::List(all(values)),
            Typed::Sum(constructor, values) => Typed::Sum(constructor, all(values)),
            Typed::Message(case, values) => Typed::Message(case, all(values)),
            Typed::Lazy(lazy) => Typed::Lazy(lazy.into_owned()),
        }
    }

    /// Replaces every lazy field in the value with its decoded value. Unknown data in these fields is
    /// dropped.
    pub fn force_all(self, schema: &Schema, limits: &Limits) -> Result<Typed<'static>> {
        let all = |values: Vec<Typed<'_>>| -> Result<Vec<Typed<'static>>> {
            values.into_iter().map(|value| value.force_all(schema, limits)).collect()
        };
        Ok(match self {
            Typed::Tuple(values) => Typed::Tuple(all(values)?),
            Typed::List(values) => Typed::List(all(values)?),
            Typed::Sum(constructor, values) => Typed::Sum(constructor, all(values)?),
            Typed::Message(case, values) => Typed::Message(case, all(values)?),
            Typed::Lazy(lazy) => lazy.force(schema, limits)?.clone().force_all(schema, limits)?,
            scalar => scalar.into_owned(),
        })
    }
}

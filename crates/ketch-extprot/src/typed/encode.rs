//! Writes values by a schema: every field, in order, with its declared type (specification 3).

use super::Typed;
use crate::error::{Error, Problem, Result, Segment};
use crate::schema::ast::Primitive;
use crate::schema::{Message, Schema, Sum, Type, TypeId};
use crate::wire::{WireType, Writer};

impl Schema {
    /// Encodes `value` as a message. The bytes of lazy fields that were not replaced are copied.
    ///
    /// # Errors
    /// Fails if the value does not have the shape of its type, if an `int` needs more than 63 bits,
    /// or if the type is or contains a subset.
    pub fn encode(&self, message: TypeId, value: &Typed<'_>) -> Result<Vec<u8>> {
        let mut writer = Writer::new();
        self.encode_into(message, value, &mut writer)?;
        writer.into_vec()
    }

    /// Writes `value`, which is of the type `ty`, before the existing content of `writer`.
    pub fn encode_into(&self, ty: TypeId, value: &Typed<'_>, writer: &mut Writer) -> Result<()> {
        if self.is_read_only(ty) {
            return Err(Error::unplaced(Problem::ReadOnly));
        }
        encode(self, ty, value, writer)
    }
}

/// Returns the error for a value that does not have the shape of the type `ty`.
#[cold]
fn shape(schema: &Schema, ty: TypeId) -> Error {
    Error::unplaced(Problem::Shape { expected: schema.describe(ty) })
}

/// Writes `value`, which is of the type `ty`.
fn encode(schema: &Schema, ty: TypeId, value: &Typed<'_>, writer: &mut Writer) -> Result<()> {
    match (schema.get(ty), value) {
        (Type::Primitive(primitive, _), value) => {
            write_primitive(*primitive, value, writer).ok_or_else(|| shape(schema, ty))?;
        }
        (Type::List(element) | Type::Array(element), Typed::List(values)) => {
            let mark = writer.mark();
            for (index, value) in values.iter().enumerate().rev() {
                encode(schema, *element, value, writer)
                    .map_err(|e| e.within(Segment::Element(index as u64)))?;
            }
            writer.close_block(mark, values.len() as u64, 0, WireType::Htuple);
        }
        (Type::Tuple(types), Typed::Tuple(values)) if types.len() == values.len() => {
            elements(schema, types, values, 0, writer)?;
        }
        (Type::Sum(sum), Typed::Sum(constructor, values)) => {
            encode_sum(schema, sum, *constructor, values, writer)
                .unwrap_or_else(|| Err(shape(schema, ty)))?;
        }
        (Type::Message(message), Typed::Message(case, values)) => {
            encode_message(schema, message, *case, values, writer)
                .unwrap_or_else(|| Err(shape(schema, ty)))?;
        }
        (_, Typed::Lazy(lazy)) => writer.raw(lazy.bytes()),
        (Type::External(name), _) => {
            return Err(Error::unplaced(Problem::External { name: name.clone() }));
        }
        _ => return Err(shape(schema, ty)),
    }
    Ok(())
}

/// Writes `value` as a primitive. Returns `None` if the value has a different type.
fn write_primitive(primitive: Primitive, value: &Typed<'_>, writer: &mut Writer) -> Option<()> {
    match (primitive, value) {
        (Primitive::Bool, Typed::Bool(value)) => writer.write_bool(*value),
        (Primitive::Byte, Typed::Byte(value)) => writer.write_byte(*value),
        (Primitive::Int, Typed::Int(value)) => writer.write_int(*value),
        (Primitive::Long, Typed::Long(value)) => writer.write_long(*value),
        (Primitive::Float, Typed::Float(value)) => writer.write_float(*value),
        (Primitive::String, Typed::String(bytes)) => writer.write_string(bytes),
        _ => return None,
    }
    Some(())
}

/// Writes a block of `values`, whose types are in `types`.
fn elements(
    schema: &Schema,
    types: &[TypeId],
    values: &[Typed<'_>],
    tag: u32,
    writer: &mut Writer,
) -> Result<()> {
    let mark = writer.mark();
    for (index, (ty, value)) in types.iter().zip(values).enumerate().rev() {
        encode(schema, *ty, value, writer).map_err(|e| e.within(Segment::Element(index as u64)))?;
    }
    writer.close_block(mark, values.len() as u64, tag.into(), WireType::Tuple);
    Ok(())
}

/// Writes a value of a sum type. Returns `None` if the value does not have the shape of the type.
fn encode_sum(
    schema: &Schema,
    sum: &Sum,
    constructor: u32,
    values: &[Typed<'_>],
    writer: &mut Writer,
) -> Option<Result<()>> {
    let constructor = sum.constructors.get(constructor as usize)?;
    if constructor.arguments.len() != values.len() {
        return None;
    }
    if values.is_empty() {
        writer.write_enum(constructor.tag.into());
        return Some(Ok(()));
    }
    let result = elements(schema, &constructor.arguments, values, constructor.tag, writer);
    Some(result.map_err(|e| e.within(Segment::Constructor(constructor.name.clone().into()))))
}

/// Writes a value of a message. Returns `None` if the value does not have the shape of the type.
fn encode_message(
    schema: &Schema,
    message: &Message,
    case: u32,
    values: &[Typed<'_>],
    writer: &mut Writer,
) -> Option<Result<()>> {
    let fields = &message.cases.get(case as usize)?.fields;
    if fields.len() != values.len() {
        return None;
    }
    let mark = writer.mark();
    for (field, value) in fields.iter().zip(values).rev() {
        if let Err(error) = encode(schema, field.ty, value, writer) {
            let error = error.within(Segment::Field(field.name.clone().into()));
            return Some(Err(error.within(Segment::Message(message.name.clone().into()))));
        }
    }
    writer.close_block(mark, values.len() as u64, case.into(), WireType::Tuple);
    Some(Ok(()))
}

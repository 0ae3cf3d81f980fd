//! Reads values by a schema (specification 4), with their defaults (6).

use super::{Lazy, Typed};
use crate::error::{Error, Problem, Result, Segment};
use crate::limits::Limits;
use crate::schema::ast::Primitive;
use crate::schema::{Default, Field, Message, Schema, Sum, Type, TypeId};
use crate::wire::{Block, Prefix, Reader, WireType};
use std::borrow::Cow;
use std::sync::OnceLock;

/// The result of reading the first message in a slice.
#[derive(Debug)]
pub struct Decoded<'a> {
    /// The value, or the error in it.
    pub value: Result<Typed<'a>>,
    /// The offset at which the next message starts, even after an error in this one, or `None` if the
    /// error makes it impossible to find the next one.
    pub consumed_bytes: Option<usize>,
}

impl Schema {
    /// Decodes the message at the start of `bytes`.
    ///
    /// ```
    /// use ketch_extprot::Limits;
    /// use ketch_extprot::schema::{NoLoader, check_schema};
    /// let schema = check_schema(
    ///     "a.proto",
    ///     "type colour = Red | Black message m = { v : (int * colour) }",
    ///     &mut NoLoader,
    /// )
    /// .map_err(|e| e.to_string())?;
    /// let m = schema.lookup("m").expect("declared above");
    /// // Written when v was still an int.
    /// let value = schema.decode(m, &[0x01, 0x03, 0x01, 0x00, 0x09], &Limits::default())
    ///     .map_err(|e| e.to_string())?;
    /// assert_eq!(ketch_extprot::typed::pretty(&schema, m, &value), "{ M.v = ((-5), Colour.Red) }");
    /// # Ok::<(), String>(())
    /// ```
    pub fn decode<'a>(
        &self,
        message: TypeId,
        bytes: &'a [u8],
        limits: &Limits,
    ) -> Result<Typed<'a>> {
        self.decode_first(message, bytes, limits).value
    }

    /// Decodes the message at the start of `bytes`, and finds the start of the next one.
    pub fn decode_first<'a>(
        &self,
        message: TypeId,
        bytes: &'a [u8],
        limits: &Limits,
    ) -> Decoded<'a> {
        let consumed_bytes = crate::wire::value_length(bytes).ok();
        let value = match consumed_bytes {
            Some(length) => decode_value(self, message, &bytes[..length], 0, limits),
            // The data is corrupt. Reading it cannot succeed, but may report the error more
            // precisely.
            None => decode_value(self, message, bytes, 0, limits)
                .and_then(|_| Err(Error::new(Problem::Eof, bytes.len() as u64))),
        };
        Decoded { value, consumed_bytes }
    }

    /// Returns an iterator that decodes the messages in `bytes` one after another, and continues after
    /// messages that cannot be read.
    pub fn decode_stream<'s, 'a>(
        &'s self,
        message: TypeId,
        bytes: &'a [u8],
        limits: &'s Limits,
    ) -> TypedMessages<'s, 'a> {
        TypedMessages { schema: self, message, bytes, at: 0, limits, failed: false }
    }

    /// Returns the default value of the type `ty`, or an error if it has none (specification 6).
    pub fn default_value(&self, ty: TypeId) -> Result<Typed<'static>> {
        let limits = Limits::default();
        Decoder::new(self, limits.default_values).default(ty, 0)
    }
}

/// Iterates over the messages of a stream, and yields each with its offset in bytes. A message that cannot
/// be read is yielded as an error. The iterator ends where the next message cannot be found.
#[derive(Debug)]
pub struct TypedMessages<'s, 'a> {
    schema: &'s Schema,
    message: TypeId,
    bytes: &'a [u8],
    at: usize,
    limits: &'s Limits,
    failed: bool,
}

impl<'a> Iterator for TypedMessages<'_, 'a> {
    type Item = (u64, Result<Typed<'a>>);

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed || self.at == self.bytes.len() {
            return None;
        }
        let at = self.at;
        let decoded = self.schema.decode_first(self.message, &self.bytes[at..], self.limits);
        match decoded.consumed_bytes {
            Some(consumed) => self.at += consumed,
            None => self.failed = true,
        }
        Some((at as u64, decoded.value.map_err(|error| error.shifted(at as u64))))
    }
}

/// Decodes the value of the type `ty` at the start of `bytes`. `offset_bytes` is the offset of `bytes` in
/// the input.
pub(super) fn decode_value<'a>(
    schema: &Schema,
    ty: TypeId,
    bytes: &'a [u8],
    offset_bytes: u64,
    limits: &Limits,
) -> Result<Typed<'a>> {
    let max = limits.default_values.saturating_add(bytes.len() as u64);
    let mut decoder = Decoder::new(schema, max);
    let mut reader = Reader::with_limits(bytes, limits).with_offset(offset_bytes);
    decoder.value(ty, &mut reader)
}

struct Decoder<'s> {
    schema: &'s Schema,
    /// The number of values that defaults may still add.
    default_values_left: u64,
    /// The number of values that defaults may add in total.
    default_values_max: u64,
}

impl<'s> Decoder<'s> {
    /// Creates a decoder in which defaults may add `max` values.
    fn new(schema: &'s Schema, max: u64) -> Decoder<'s> {
        Decoder { schema, default_values_left: max, default_values_max: max }
    }

    /// Reads a value of the type `ty`.
    fn value<'a>(&mut self, ty: TypeId, reader: &mut Reader<'a, '_>) -> Result<Typed<'a>> {
        let schema = self.schema;
        match schema.get(ty) {
            Type::Primitive(primitive, _) => self.primitive(*primitive, reader),
            Type::List(element) | Type::Array(element) => self.list(*element, reader),
            Type::Tuple(elements) => self.tuple(elements, reader),
            Type::Sum(sum) => self.sum(sum, reader),
            Type::Message(message) => self.message(message, reader),
            Type::External(name) => Err(reader.error(Problem::External { name: name.clone() })),
        }
    }

    /// Reads a primitive (specification 4.2).
    fn primitive<'a>(
        &mut self,
        primitive: Primitive,
        reader: &mut Reader<'a, '_>,
    ) -> Result<Typed<'a>> {
        Ok(match primitive {
            Primitive::Bool => Typed::Bool(reader.read_bool()?),
            Primitive::Byte => Typed::Byte(reader.read_byte()?),
            Primitive::Int => Typed::Int(reader.read_int()?),
            Primitive::Long => Typed::Long(reader.read_long()?),
            Primitive::Float => Typed::Float(reader.read_float()?),
            Primitive::String => Typed::String(Cow::Borrowed(reader.read_string()?)),
        })
    }

    /// Reads the payload of a promoted primitive (specification 4.4), whose prefix was just read.
    fn promoted<'a>(
        &mut self,
        primitive: Primitive,
        reader: &mut Reader<'a, '_>,
    ) -> Result<Typed<'a>> {
        Ok(match primitive {
            Primitive::Bool => Typed::Bool(reader.promoted_bool()?),
            Primitive::Byte => Typed::Byte(reader.promoted_byte()?),
            Primitive::Int => Typed::Int(reader.promoted_int()?),
            Primitive::Long => Typed::Long(reader.promoted_long()?),
            Primitive::Float => Typed::Float(reader.promoted_float()?),
            Primitive::String => Typed::String(Cow::Borrowed(reader.promoted_string()?)),
        })
    }

    /// Returns the primitive to promote, which is the type `first`, or `None` if that is not a primitive
    /// with exactly the wire type of `prefix`.
    fn promotes(&self, first: Option<TypeId>, prefix: Prefix) -> Option<Primitive> {
        let primitive = self.schema.primitive(first?)?;
        (prefix.wire_type() == Some(primitive.wire_type())).then_some(primitive)
    }

    /// Reads a list or array (specification 4.3).
    fn list<'a>(&mut self, element: TypeId, reader: &mut Reader<'a, '_>) -> Result<Typed<'a>> {
        let prefix = reader.prefix()?;
        if prefix.wire_type() != Some(WireType::Htuple) {
            return Err(reader.bad_wire_type(prefix, "a list or array"));
        }
        let block = reader.enter()?;
        let count = reader.check_list(&block)?;
        // A value takes more memory than its bytes, so no memory is reserved for a large count, which may
        // be wrong.
        let mut elements = Vec::with_capacity(count.min(1024));
        for index in 0..count {
            let value = self.value(element, reader);
            elements.push(value.map_err(|e| e.within(Segment::Element(index as u64)))?);
        }
        reader.leave(block);
        Ok(Typed::List(elements))
    }

    /// Reads a tuple, or a promoted primitive as its first element (specification 4.4).
    fn tuple<'a>(&mut self, types: &[TypeId], reader: &mut Reader<'a, '_>) -> Result<Typed<'a>> {
        let prefix = reader.prefix()?;
        if prefix.wire_type() == Some(WireType::Tuple) {
            let block = reader.enter()?;
            let elements = self.elements(types, &block, reader)?;
            reader.leave(block);
            return Ok(Typed::Tuple(elements));
        }
        self.promoted_elements(types, prefix, reader)?
            .map(Typed::Tuple)
            .ok_or_else(|| reader.bad_wire_type(prefix, "a tuple"))
    }

    /// Reads the elements of a tuple or the arguments of a constructor from an open block. Missing ones
    /// get their defaults.
    fn elements<'a>(
        &mut self,
        types: &[TypeId],
        block: &Block<'a>,
        reader: &mut Reader<'a, '_>,
    ) -> Result<Vec<Typed<'a>>> {
        let mut elements = Vec::with_capacity(types.len());
        for (index, ty) in (0u64..).zip(types) {
            let value = if index < block.count() {
                self.value(*ty, reader)
            } else if self.schema.has_default(*ty) {
                self.default(*ty, reader.offset_bytes())
            } else {
                Err(reader.error(Problem::MissingTupleElement { index }))
            };
            elements.push(value.map_err(|e| e.within(Segment::Element(index)))?);
        }
        Ok(elements)
    }

    /// Reads a bare primitive as the first of several elements, which are not in a block, and gives the
    /// others their defaults. Returns `None` if this is not allowed for `types` or `prefix`.
    fn promoted_elements<'a>(
        &mut self,
        types: &[TypeId],
        prefix: Prefix,
        reader: &mut Reader<'a, '_>,
    ) -> Result<Option<Vec<Typed<'a>>>> {
        let Some(primitive) = self.promotes(types.first().copied(), prefix) else {
            return Ok(None);
        };
        if !types[1..].iter().all(|ty| self.schema.has_default(*ty)) {
            return Ok(None);
        }
        let mut elements = vec![self.promoted(primitive, reader)?];
        for ty in &types[1..] {
            elements.push(self.default(*ty, reader.offset_bytes())?);
        }
        Ok(Some(elements))
    }

    /// Reads a value of a sum type (specification 4.5).
    fn sum<'a>(&mut self, sum: &'s Sum, reader: &mut Reader<'a, '_>) -> Result<Typed<'a>> {
        let prefix = reader.prefix()?;
        let tag = prefix.tag();
        let select =
            |list: &[u32]| usize::try_from(tag).ok().and_then(|tag| list.get(tag).copied());
        match prefix.wire_type() {
            Some(WireType::Enum) if !sum.constants.is_empty() => match select(&sum.constants) {
                Some(constructor) => Ok(Typed::Sum(constructor, Vec::new())),
                None => Err(reader.error(Problem::UnknownTag { tag })),
            },
            Some(WireType::Tuple) if !sum.non_constants.is_empty() => {
                let Some(index) = select(&sum.non_constants) else {
                    return Err(reader.error(Problem::UnknownTag { tag }));
                };
                let constructor = &sum.constructors[index as usize];
                let block = reader.enter()?;
                let arguments = self.elements(&constructor.arguments, &block, reader);
                let segment = || Segment::Constructor(constructor.name.clone().into());
                let arguments = arguments.map_err(|e| e.within(segment()))?;
                reader.leave(block);
                Ok(Typed::Sum(index, arguments))
            }
            _ => {
                if let Some(&first) = sum.non_constants.first() {
                    let types = &sum.constructors[first as usize].arguments;
                    if let Some(arguments) = self.promoted_elements(types, prefix, reader)? {
                        return Ok(Typed::Sum(first, arguments));
                    }
                }
                Err(reader.bad_wire_type(prefix, "a constructor"))
            }
        }
    }

    /// Reads a message, record or subset (specification 4.6, 7).
    fn message<'a>(
        &mut self,
        message: &'s Message,
        reader: &mut Reader<'a, '_>,
    ) -> Result<Typed<'a>> {
        let segment = || Segment::Message(message.name.clone().into());
        let result = self.message_body(message, reader);
        result.map_err(|error| error.within(segment()))
    }

    /// Reads a message. The caller adds its name to errors.
    fn message_body<'a>(
        &mut self,
        message: &'s Message,
        reader: &mut Reader<'a, '_>,
    ) -> Result<Typed<'a>> {
        let prefix = reader.prefix()?;
        let case_of = |tag: u64| usize::try_from(tag).ok().filter(|tag| *tag < message.cases.len());
        if prefix.wire_type() == Some(WireType::Tuple) {
            let block = reader.enter()?;
            reader.check_message(&block)?;
            let Some(case) = case_of(prefix.tag()) else {
                return Err(reader.error(Problem::UnknownTag { tag: prefix.tag() }));
            };
            let fields = self.fields(message, case, &block, reader)?;
            reader.leave(block);
            return Ok(Typed::Message(case as u32, fields));
        }
        if message.subset {
            return Err(reader.bad_wire_type(prefix, "a message"));
        }
        let Some(case) = case_of(prefix.tag()) else {
            return Err(reader.error(Problem::UnknownTag { tag: prefix.tag() }));
        };
        let fields = &message.cases[case].fields;
        let Some(primitive) = self.promotes(fields.first().map(|field| field.ty), prefix) else {
            return Err(reader.bad_wire_type(prefix, "a message"));
        };
        let mut values = vec![self.promoted(primitive, reader)?];
        for field in &fields[1..] {
            values.push(self.missing_field(field, reader.offset_bytes())?);
        }
        Ok(Typed::Message(case as u32, values))
    }

    /// Reads the fields of a case from an open block. Missing fields get their defaults.
    fn fields<'a>(
        &mut self,
        message: &'s Message,
        case: usize,
        block: &Block<'a>,
        reader: &mut Reader<'a, '_>,
    ) -> Result<Vec<Typed<'a>>> {
        let case = &message.cases[case];
        let mut values = Vec::with_capacity(case.fields.len());
        let mut at = 0u64;
        for field in &case.fields {
            let index = u64::from(field.wire_index);
            // Only a subset has gaps. The fields in them are skipped without being decoded.
            while at < index.min(block.count()) {
                reader.skip()?;
                at += 1;
            }
            let value = if index < block.count() {
                at += 1;
                self.field(field, reader)
            } else {
                self.missing_field(field, reader.offset_bytes())
            };
            values.push(value.map_err(|e| in_field(e, field))?);
        }
        Ok(values)
    }

    /// Reads a field. The value of a lazy field refers to its bytes, which are not decoded yet.
    fn field<'a>(&mut self, field: &'s Field, reader: &mut Reader<'a, '_>) -> Result<Typed<'a>> {
        if !field.lazy || self.is_decoded_eagerly(field.ty, reader) {
            return self.value(field.ty, reader);
        }
        let offset_bytes = reader.offset_bytes();
        let bytes = Cow::Borrowed(reader.raw()?);
        Ok(Typed::Lazy(Lazy { bytes, offset_bytes, ty: field.ty, value: OnceLock::new() }))
    }

    /// Returns whether the value of a lazy field is decoded immediately, because it is an empty list or a
    /// constant (specification 8).
    fn is_decoded_eagerly(&self, ty: TypeId, reader: &Reader<'_, '_>) -> bool {
        let mut reader = reader.clone();
        let wire_type = reader.prefix().ok().and_then(Prefix::wire_type);
        match (self.schema.get(ty), wire_type) {
            (Type::List(_) | Type::Array(_), Some(WireType::Htuple)) => {
                reader.enter().is_ok_and(|block| block.count() == 0)
            }
            (Type::Sum(_), Some(WireType::Enum)) => true,
            _ => false,
        }
    }

    /// Returns the default of a field that is not in the data, or an error if there is none.
    fn missing_field(&mut self, field: &Field, offset_bytes: u64) -> Result<Typed<'static>> {
        if !self.schema.has_default(field.ty) {
            return Err(Error::new(Problem::MissingField, offset_bytes));
        }
        self.default(field.ty, offset_bytes)
    }

    /// Returns the default value of the type `ty` (specification 6). Errors have the offset
    /// `offset_bytes`.
    fn default(&mut self, ty: TypeId, offset_bytes: u64) -> Result<Typed<'static>> {
        let Some(left) = self.default_values_left.checked_sub(1) else {
            let max = self.default_values_max;
            let n = max.saturating_add(1);
            let problem = Problem::LimitExceeded { limit: "default_values", n, max };
            return Err(Error::new(problem, offset_bytes));
        };
        self.default_values_left = left;
        let schema = self.schema;
        match schema.get(ty) {
            Type::Primitive(primitive, default) => default_primitive(*primitive, default.as_ref())
                .ok_or_else(|| Error::new(Problem::MissingField, offset_bytes)),
            Type::List(_) | Type::Array(_) => Ok(Typed::List(Vec::new())),
            Type::Tuple(types) => {
                let values = types.iter().map(|ty| self.default(*ty, offset_bytes));
                values.collect::<Result<_>>().map(Typed::Tuple)
            }
            Type::Sum(sum) => match sum.constants.first() {
                Some(constructor) => Ok(Typed::Sum(*constructor, Vec::new())),
                None => Err(Error::new(Problem::MissingField, offset_bytes)),
            },
            Type::Message(message) => {
                let mut values = Vec::new();
                for field in &message.cases[0].fields {
                    let value = self.missing_field(field, offset_bytes);
                    let segment = || Segment::Message(message.name.clone().into());
                    values.push(value.map_err(|e| in_field(e, field).within(segment()))?);
                }
                Ok(Typed::Message(0, values))
            }
            Type::External(name) => {
                Err(Error::new(Problem::External { name: name.clone() }, offset_bytes))
            }
        }
    }
}

/// Adds a field to the path of an error.
#[cold]
fn in_field(error: Error, field: &Field) -> Error {
    error.within(Segment::Field(field.name.clone().into()))
}

/// Returns the default of a primitive, or `None` if it has none.
fn default_primitive(primitive: Primitive, default: Option<&Default>) -> Option<Typed<'static>> {
    Some(match default {
        None if primitive == Primitive::Bool => Typed::Bool(false),
        None => return None,
        Some(Default::Bool(value)) => Typed::Bool(*value),
        Some(Default::Byte(value)) => Typed::Byte(*value),
        Some(Default::Int(value)) if primitive == Primitive::Long => Typed::Long(*value),
        Some(Default::Int(value)) => Typed::Int(*value),
        Some(Default::Float(bits)) => Typed::Float(f64::from_bits(*bits)),
        Some(Default::String(bytes)) => Typed::String(Cow::Owned(bytes.clone())),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::NoLoader;

    #[test]
    fn an_error_about_defaults_names_the_limit_that_was_set() {
        let text = "message flags = { a : bool; b : bool; c : bool }";
        let schema = crate::check_schema("flags.proto", text, &mut NoLoader).unwrap();
        let message = schema.lookup("flags").unwrap();
        let error = Decoder::new(&schema, 2).default(message, 0).unwrap_err();
        let Problem::LimitExceeded { limit, n, max } = error.problem() else { panic!("{error}") };
        assert_eq!((*limit, *n, *max), ("default_values", 3, 2));
    }
}

//! Converts bytes to objects of a schema's classes and back, as a program describes. The rules are
//! those of `ketch_extprot::typed`, which reads Rust values. Keep the two consistent.
//!
//! Recursion follows the schema, whose depth is limited, but never the input.

use super::failure::Stop;
use super::program::{Case, Constructor, Field, Kind, Primitive, Program, Type, TypeNumber};
use super::read::{Class, boolean, class, text_or_bytes};
use super::write::{SMALL_BYTES, no_memory, string_bytes};
use crate::{host, interrupt};
use ketch_extprot::wire::{Block, Prefix, Reader, WireType, Writer};
use ketch_extprot::{DEFAULT_LIMITS, Error as ExtprotError, Problem, Segment, rt};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFloat, PyInt, PyList, PyString, PyTuple};

/// The number of blocks that are read between two checks for signals.
const BLOCKS_A_TURN: u32 = 1024;

type Read<T> = Result<T, Stop>;

/// Reads values as a program describes.
pub struct Decoder<'py, 'p> {
    py: Python<'py>,
    program: &'p Program,
    stack: Vec<Bound<'py, PyAny>>,
    /// The number of default values that may still be created.
    defaults_left: u64,
    turn: u32,
}

impl<'py, 'p> Decoder<'py, 'p> {
    /// Creates a decoder for an input of `bytes` bytes.
    pub fn new(py: Python<'py>, program: &'p Program, bytes: usize) -> Decoder<'py, 'p> {
        let defaults_left = DEFAULT_LIMITS.default_values.saturating_add(bytes as u64);
        Decoder { py, program, stack: Vec::with_capacity(32), defaults_left, turn: 0 }
    }

    /// Reads a value of the program's root type, and returns it.
    pub fn top(&mut self, reader: &mut Reader<'_, '_>) -> Read<Bound<'py, PyAny>> {
        self.stack.clear();
        self.value(self.program.root(), reader)?;
        self.stack.pop().ok_or_else(|| reader.error(Problem::Eof).into())
    }

    /// Reads the next value and pushes it, as do the methods below.
    fn value(&mut self, ty: TypeNumber, reader: &mut Reader<'_, '_>) -> Read<()> {
        let program = self.program;
        match &program.types[ty].kind {
            Kind::Primitive(primitive, _) => self.primitive(*primitive, reader),
            Kind::List(element) => self.list(*element, reader),
            Kind::Tuple(types) => self.tuple(types, reader),
            Kind::Sum { constants, constructors } => self.sum(constants, constructors, reader),
            Kind::Message { name, is_subset, cases } => {
                let read = self.message(cases, *is_subset, reader);
                within(read, || Segment::Message(name.clone().into()))
            }
        }
    }

    // See specification 4.2.
    #[inline(always)]
    fn primitive(&mut self, primitive: Primitive, reader: &mut Reader<'_, '_>) -> Read<()> {
        let value = match primitive {
            Primitive::Bool => boolean(self.py, reader.read_bool()?),
            Primitive::Byte => host::integer(self.py, reader.read_byte()?.into())?,
            Primitive::Int => host::integer(self.py, reader.read_int()?)?,
            Primitive::Long => host::integer(self.py, reader.read_long()?)?,
            Primitive::Float => host::float(self.py, reader.read_float()?)?,
            Primitive::String => text_or_bytes(self.py, reader.read_string()?)?,
            Primitive::Text => self.text(reader.read_string()?, reader)?,
        };
        self.stack.push(value);
        Ok(())
    }

    /// Pushes a promoted primitive (specification 4.4). Its prefix has been read,
    /// and has exactly the primitive's own wire type.
    fn promoted(&mut self, primitive: Primitive, reader: &mut Reader<'_, '_>) -> Read<()> {
        let value = match primitive {
            Primitive::Bool => boolean(self.py, reader.promoted_bool()?),
            Primitive::Byte => host::integer(self.py, reader.promoted_byte()?.into())?,
            Primitive::Int => host::integer(self.py, reader.promoted_int()?)?,
            Primitive::Long => host::integer(self.py, reader.promoted_long()?)?,
            Primitive::Float => host::float(self.py, reader.promoted_float()?)?,
            Primitive::String => text_or_bytes(self.py, reader.promoted_string()?)?,
            Primitive::Text => self.text(reader.promoted_string()?, reader)?,
        };
        self.stack.push(value);
        Ok(())
    }

    /// Returns the string that consists of `bytes`, which must be UTF-8 and have just been read.
    fn text(&self, bytes: &[u8], reader: &Reader<'_, '_>) -> Read<Bound<'py, PyAny>> {
        let is_ascii = bytes.is_ascii();
        match is_ascii || std::str::from_utf8(bytes).is_ok() {
            true => Ok(host::string(self.py, bytes, is_ascii)?),
            false => {
                let offset = reader.offset_bytes() - bytes.len() as u64;
                Err(ExtprotError::new(Problem::NotUtf8, offset).into())
            }
        }
    }

    /// Returns the primitive that can be promoted: the type `first`, if it is a primitive whose
    /// wire type is exactly that of `prefix`.
    fn promotes(&self, first: Option<TypeNumber>, prefix: Prefix) -> Option<Primitive> {
        match self.program.types[first?].kind {
            Kind::Primitive(primitive, _) if primitive.wire_number() == prefix.wire_number() => {
                Some(primitive)
            }
            _ => None,
        }
    }

    // See specification 4.3.
    fn list(&mut self, element: TypeNumber, reader: &mut Reader<'_, '_>) -> Read<()> {
        let prefix = reader.prefix()?;
        if prefix.wire_type() != Some(WireType::Htuple) {
            return Err(reader.bad_wire_type(prefix, "a list or array").into());
        }
        let block = reader.enter()?;
        let count = reader.check_list(&block)?;
        self.poll_interrupts()?;
        let start = self.stack.len();
        for index in 0..count {
            within(self.value(element, reader), || Segment::Element(index as u64))?;
        }
        reader.leave(block);
        let list = host::list(self.py, &mut self.stack, start)?;
        self.stack.push(list);
        Ok(())
    }

    // See specification 4.4.
    fn tuple(&mut self, types: &[TypeNumber], reader: &mut Reader<'_, '_>) -> Read<()> {
        let prefix = reader.prefix()?;
        let start = self.stack.len();
        if prefix.wire_type() == Some(WireType::Tuple) {
            let block = reader.enter()?;
            self.elements(types, &block, reader)?;
            reader.leave(block);
        } else if !self.promoted_elements(types, prefix, reader)? {
            return Err(reader.bad_wire_type(prefix, "a tuple").into());
        }
        self.finish_tuple(start)
    }

    /// Replaces the values from `start` on by a tuple that contains them.
    fn finish_tuple(&mut self, start: usize) -> Read<()> {
        let tuple = host::tuple_of(self.py, &mut self.stack, start)?;
        self.stack.push(tuple);
        Ok(())
    }

    /// Pushes the elements of a tuple or the arguments of a constructor. Elements that are missing
    /// get their defaults.
    fn elements(
        &mut self,
        types: &[TypeNumber],
        block: &Block<'_>,
        reader: &mut Reader<'_, '_>,
    ) -> Read<()> {
        for (index, &ty) in (0u64..).zip(types) {
            let element = if index < block.count() {
                self.value(ty, reader)
            } else if self.program.types[ty].has_default {
                self.default(ty, reader.offset_bytes())
            } else {
                Err(reader.error(Problem::MissingTupleElement { index }).into())
            };
            within(element, || Segment::Element(index))?;
        }
        Ok(())
    }

    /// Pushes the elements of a tuple of which the data contains only the first, without a block.
    /// Returns whether that is allowed here; if not, nothing is pushed.
    fn promoted_elements(
        &mut self,
        types: &[TypeNumber],
        prefix: Prefix,
        reader: &mut Reader<'_, '_>,
    ) -> Read<bool> {
        let Some(primitive) = self.promotes(types.first().copied(), prefix) else {
            return Ok(false);
        };
        if !types[1..].iter().all(|&ty| self.program.types[ty].has_default) {
            return Ok(false);
        }
        self.promoted(primitive, reader)?;
        for &ty in &types[1..] {
            self.default(ty, reader.offset_bytes())?;
        }
        Ok(true)
    }

    // See specification 4.5.
    fn sum(
        &mut self,
        constants: &[Py<PyAny>],
        constructors: &[Constructor],
        reader: &mut Reader<'_, '_>,
    ) -> Read<()> {
        let prefix = reader.prefix()?;
        let tag = prefix.tag();
        let place = usize::try_from(tag).unwrap_or(usize::MAX);
        match prefix.wire_type() {
            Some(WireType::Enum) if !constants.is_empty() => match constants.get(place) {
                Some(constant) => self.stack.push(constant.bind(self.py).clone()),
                None => return Err(reader.error(Problem::UnknownTag { tag }).into()),
            },
            Some(WireType::Tuple) if !constructors.is_empty() => {
                let Some(constructor) = constructors.get(place) else {
                    return Err(reader.error(Problem::UnknownTag { tag }).into());
                };
                let start = self.stack.len();
                let block = reader.enter()?;
                let read = self.elements(&constructor.types, &block, reader);
                within(read, || Segment::Constructor(constructor.name.clone().into()))?;
                reader.leave(block);
                self.construct(constructor, start)?;
            }
            _ => {
                let start = self.stack.len();
                match constructors.first() {
                    Some(first) if self.promoted_elements(&first.types, prefix, reader)? => {
                        self.construct(first, start)?;
                    }
                    _ => return Err(reader.bad_wire_type(prefix, "a constructor").into()),
                }
            }
        }
        Ok(())
    }

    // See specification 4.6 and, for subsets, 7.
    fn message(
        &mut self,
        cases: &[Case],
        is_subset: bool,
        reader: &mut Reader<'_, '_>,
    ) -> Read<()> {
        let prefix = reader.prefix()?;
        let tag = prefix.tag();
        let case = usize::try_from(tag).ok().and_then(|tag| cases.get(tag));
        let start = self.stack.len();
        if prefix.wire_type() == Some(WireType::Tuple) {
            let block = reader.enter()?;
            reader.check_message(&block)?;
            let Some(case) = case else {
                return Err(reader.error(Problem::UnknownTag { tag }).into());
            };
            self.poll_interrupts()?;
            self.fields(case, &block, reader)?;
            reader.leave(block);
            return self.message_of(case, start);
        }
        if is_subset {
            return Err(reader.bad_wire_type(prefix, "a message").into());
        }
        let Some(case) = case else {
            return Err(reader.error(Problem::UnknownTag { tag }).into());
        };
        let first = case.fields.first().map(|field| field.ty);
        let Some(primitive) = self.promotes(first, prefix) else {
            return Err(reader.bad_wire_type(prefix, "a message").into());
        };
        self.promoted(primitive, reader)?;
        for field in &case.fields[1..] {
            self.missing_field(field, reader.offset_bytes())?;
        }
        self.message_of(case, start)
    }

    /// Pushes the fields of a message whose block is open. Fields that are missing get their
    /// defaults.
    fn fields(&mut self, case: &Case, block: &Block<'_>, reader: &mut Reader<'_, '_>) -> Read<()> {
        let mut at = 0;
        for field in &case.fields {
            // Only a subset has gaps between its fields; what is in them is skipped without being
            // decoded.
            while at < field.index.min(block.count()) {
                let skipped = reader.skip().map_err(Stop::from);
                within(skipped, || field_segment(field))?;
                at += 1;
            }
            at += 1;
            let value = if field.index < block.count() {
                self.field(field, reader)
            } else {
                self.missing_field(field, reader.offset_bytes())
            };
            within(value, || field_segment(field))?;
        }
        Ok(())
    }

    /// Pushes a field. If the field is lazy, what is pushed is an object that holds its bytes.
    #[inline(always)]
    fn field(&mut self, field: &Field, reader: &mut Reader<'_, '_>) -> Read<()> {
        if field.slot.is_none() || self.is_decoded_eagerly(field.ty, reader) {
            return self.value(field.ty, reader);
        }
        let offset = reader.offset_bytes();
        let bytes = host::bytes(self.py, reader.raw()?)?;
        let object = &self.program.types[field.ty].object;
        let lazy = class(self.py, Class::Lazy)?.call1((bytes, object, offset))?;
        self.stack.push(lazy);
        Ok(())
    }

    /// Returns whether a lazy field is decoded immediately, because it is an empty list or a
    /// constant (specification 8).
    fn is_decoded_eagerly(&self, ty: TypeNumber, reader: &Reader<'_, '_>) -> bool {
        match self.program.types[ty].kind {
            Kind::List(_) => rt::is_empty_list(reader),
            Kind::Sum { .. } => rt::is_constant(reader),
            _ => false,
        }
    }

    /// Pushes the default of a field that is missing in the data, or fails if it has none.
    fn missing_field(&mut self, field: &Field, offset: u64) -> Read<()> {
        if !self.program.types[field.ty].has_default {
            return Err(ExtprotError::new(Problem::MissingField, offset).into());
        }
        self.default(field.ty, offset)
    }

    // See specification 6.
    fn default(&mut self, ty: TypeNumber, offset: u64) -> Read<()> {
        let Some(left) = self.defaults_left.checked_sub(1) else {
            let max = DEFAULT_LIMITS.default_values;
            let problem = Problem::LimitExceeded { limit: "default_values", n: max + 1, max };
            return Err(ExtprotError::new(problem, offset).into());
        };
        self.defaults_left = left;
        let (py, program) = (self.py, self.program);
        let missing = || Stop::from(ExtprotError::new(Problem::MissingField, offset));
        let start = self.stack.len();
        match &program.types[ty].kind {
            Kind::Primitive(_, default) => {
                let default = default.as_ref().ok_or_else(missing)?;
                self.stack.push(default.bind(py).clone());
            }
            Kind::List(_) => {
                let list = host::list(py, &mut self.stack, start)?;
                self.stack.push(list);
            }
            Kind::Tuple(types) => {
                for &ty in types {
                    self.default(ty, offset)?;
                }
                self.finish_tuple(start)?;
            }
            Kind::Sum { constants, .. } => {
                let first = constants.first().ok_or_else(missing)?;
                self.stack.push(first.bind(py).clone());
            }
            Kind::Message { name, cases, .. } => {
                let case = &cases[0];
                for field in &case.fields {
                    let value = within(self.missing_field(field, offset), || field_segment(field));
                    within(value, || Segment::Message(name.clone().into()))?;
                }
                self.message_of(case, start)?;
            }
        }
        Ok(())
    }

    /// Replaces the values from `start` on by an object of the case's class.
    fn message_of(&mut self, case: &Case, start: usize) -> Read<()> {
        let made = host::new_instance(case.class.bind(self.py))?;
        for (field, value) in case.fields.iter().zip(self.stack.drain(start..)) {
            made.setattr(field.attribute.bind(self.py), value)?;
        }
        self.stack.push(made);
        Ok(())
    }

    /// Replaces the values from `start` on by an object of the constructor's class.
    fn construct(&mut self, constructor: &Constructor, start: usize) -> Read<()> {
        let made = host::new_instance(constructor.class.bind(self.py))?;
        for (attribute, value) in constructor.attributes.iter().zip(self.stack.drain(start..)) {
            made.setattr(attribute.bind(self.py), value)?;
        }
        self.stack.push(made);
        Ok(())
    }

    /// Checks for signals on every [`BLOCKS_A_TURN`]th call.
    #[inline(always)]
    fn poll_interrupts(&mut self) -> Read<()> {
        self.turn += 1;
        if self.turn == BLOCKS_A_TURN {
            self.turn = 0;
            interrupt::check(self.py)?;
        }
        Ok(())
    }
}

/// Returns the step that leads into a field in the path of an error.
#[cold]
fn field_segment(field: &Field) -> Segment {
    Segment::Field(field.name.clone().into())
}

/// Adds `segment`, which contains the place of the error, to the error's path.
#[inline(always)]
fn within<T>(result: Read<T>, segment: impl Fn() -> Segment) -> Read<T> {
    match result {
        Err(Stop::Bytes(error)) => Err(Stop::Bytes(error.within(segment()))),
        result => result,
    }
}

/// Writes values as a program describes.
pub struct Encoder<'p, 'w> {
    pub program: &'p Program,
    pub writer: &'w mut Writer,
}

impl Encoder<'_, '_> {
    /// Writes a value of the type `ty`.
    pub fn value(&mut self, ty: TypeNumber, value: &Bound<'_, PyAny>) -> Result<(), Stop> {
        let program = self.program;
        let ty = &program.types[ty];
        match &ty.kind {
            Kind::Primitive(primitive, _) => self.primitive(*primitive, value, ty),
            Kind::List(element) => {
                let values = entries(value)?.ok_or_else(|| shape(ty))?;
                let mark = self.writer.mark();
                for (at, value) in values.iter().enumerate().rev() {
                    self.part(*element, value, || Segment::Element(at as u64))?;
                }
                self.close(mark, values.len(), 0, WireType::Htuple)
            }
            Kind::Tuple(types) => match entries(value)? {
                Some(values) if values.len() == types.len() => self.elements(types, 0, &values),
                _ => Err(shape(ty)),
            },
            Kind::Sum { constants, constructors } => self.sum(constants, constructors, value, ty),
            Kind::Message { name, is_subset, cases } => {
                let class = value.get_type();
                let Some(tag) = cases.iter().position(|case| class.is(&case.class)) else {
                    return Err(shape(ty));
                };
                if *is_subset {
                    return Err(ExtprotError::unplaced(Problem::ReadOnly).into());
                }
                let segment = || Segment::Message(name.clone().into());
                within(self.fields(&cases[tag], tag, value), segment)
            }
        }
    }

    /// Writes a part of a value. If that fails, the path of the error gets the step `segment`.
    fn part(
        &mut self,
        ty: TypeNumber,
        value: &Bound<'_, PyAny>,
        segment: impl Fn() -> Segment,
    ) -> Result<(), Stop> {
        within(self.value(ty, value), segment)
    }

    /// Writes a primitive.
    fn primitive(
        &mut self,
        primitive: Primitive,
        value: &Bound<'_, PyAny>,
        ty: &Type,
    ) -> Result<(), Stop> {
        let writer = &mut *self.writer;
        writer.try_reserve(SMALL_BYTES).map_err(no_memory)?;
        let is_fit = match primitive {
            Primitive::Bool => {
                value.cast::<PyBool>().ok().map(|value| writer.write_bool(value.is_true()))
            }
            Primitive::Byte => {
                let byte = number(value).and_then(|value| u8::try_from(value).ok());
                byte.map(|value| writer.write_byte(value))
            }
            Primitive::Int => {
                let int = number(value).filter(|value| (-(1 << 62)..1 << 62).contains(value));
                int.map(|value| writer.write_int(value))
            }
            Primitive::Long => number(value).map(|value| writer.write_long(value)),
            Primitive::Float => float(value)?.map(|value| writer.write_float(value)),
            Primitive::Text if !value.is_instance_of::<PyString>() => None,
            Primitive::String | Primitive::Text => {
                let bytes = string_bytes(value)?;
                if let Some(bytes) = &bytes {
                    let count = bytes.as_bytes().len() + SMALL_BYTES;
                    writer.try_reserve(count).map_err(no_memory)?;
                }
                bytes.map(|bytes| writer.write_string(bytes.as_bytes()))
            }
        };
        is_fit.ok_or_else(|| shape(ty))
    }

    /// Writes a block that contains one value of each of `types`.
    fn elements(
        &mut self,
        types: &[TypeNumber],
        tag: u64,
        values: &[Bound<'_, PyAny>],
    ) -> Result<(), Stop> {
        let mark = self.writer.mark();
        for (at, (&ty, value)) in types.iter().zip(values).enumerate().rev() {
            self.part(ty, value, || Segment::Element(at as u64))?;
        }
        self.close(mark, types.len(), tag, WireType::Tuple)
    }

    /// Writes a value of a sum type: a constant, or an object of a constructor's class.
    fn sum(
        &mut self,
        constants: &[Py<PyAny>],
        constructors: &[Constructor],
        value: &Bound<'_, PyAny>,
        ty: &Type,
    ) -> Result<(), Stop> {
        if let Some(tag) = constants.iter().position(|constant| value.is(constant)) {
            self.writer.try_reserve(SMALL_BYTES).map_err(no_memory)?;
            self.writer.write_enum(tag as u64);
            return Ok(());
        }
        let class = value.get_type();
        let Some(tag) = constructors.iter().position(|own| class.is(&own.class)) else {
            return Err(shape(ty));
        };
        let constructor = &constructors[tag];
        let attributes = constructor.attributes.iter();
        let values: PyResult<Vec<_>> =
            attributes.map(|attribute| value.getattr(attribute.bind(value.py()))).collect();
        let written = self.elements(&constructor.types, tag as u64, &values?);
        within(written, || Segment::Constructor(constructor.name.clone().into()))
    }

    /// Writes the fields of a message. A lazy field is written by copying its bytes.
    fn fields(&mut self, case: &Case, tag: usize, message: &Bound<'_, PyAny>) -> Result<(), Stop> {
        let py = message.py();
        let mark = self.writer.mark();
        for field in case.fields.iter().rev() {
            let value = match &field.slot {
                Some(slot) => slot.bind(py).call_method1("stored", (message,))?,
                None => message.getattr(field.attribute.bind(py))?,
            };
            if field.slot.is_some() && value.get_type().is(class(py, Class::Lazy)?) {
                let bytes = value.getattr("bytes")?;
                let bytes = bytes.extract::<&[u8]>().map_err(PyErr::from)?;
                self.writer.try_reserve(bytes.len()).map_err(no_memory)?;
                self.writer.raw(bytes);
            } else {
                self.part(field.ty, &value, || field_segment(field))?;
            }
        }
        self.close(mark, case.fields.len(), tag as u64, WireType::Tuple)
    }

    /// Ends a block.
    fn close(
        &mut self,
        mark: usize,
        count: usize,
        tag: u64,
        wire_type: WireType,
    ) -> Result<(), Stop> {
        self.writer.try_reserve(SMALL_BYTES).map_err(no_memory)?;
        self.writer.close_block(mark, count as u64, tag, wire_type);
        Ok(())
    }
}

/// Returns the entries of a list or a tuple, or `None` for other objects.
fn entries<'py>(value: &Bound<'py, PyAny>) -> Result<Option<Vec<Bound<'py, PyAny>>>, Stop> {
    let mut values = Vec::new();
    match (value.cast::<PyList>(), value.cast::<PyTuple>()) {
        (Ok(list), _) => {
            values.try_reserve_exact(list.len()).map_err(no_memory)?;
            values.extend(list);
        }
        (_, Ok(tuple)) => {
            values.try_reserve_exact(tuple.len()).map_err(no_memory)?;
            values.extend(tuple);
        }
        _ => return Ok(None),
    }
    Ok(Some(values))
}

/// Returns the value of an `int` that fits into 64 bits, or `None` for other objects, including a
/// `bool`.
fn number(value: &Bound<'_, PyAny>) -> Option<i64> {
    match value.is_instance_of::<PyInt>() && !value.is_instance_of::<PyBool>() {
        true => value.extract().ok(),
        false => None,
    }
}

/// Returns the value of a `float` or an `int`, or `None` for other objects, including a `bool`.
fn float(value: &Bound<'_, PyAny>) -> PyResult<Option<f64>> {
    let is_int = value.is_instance_of::<PyInt>() && !value.is_instance_of::<PyBool>();
    match is_int || value.is_instance_of::<PyFloat>() {
        true => value.extract().map(Some),
        false => Ok(None),
    }
}

/// Returns the error for a value that does not have the shape of its type.
#[cold]
fn shape(ty: &Type) -> Stop {
    ExtprotError::unplaced(Problem::Shape { expected: ty.name.clone() }).into()
}

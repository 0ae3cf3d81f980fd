//! Converts bytes to objects of a schema's classes and back, as a program describes. The rules are
//! those of `ketch_extprot::typed`, which reads Rust values. Keep the two consistent.
//!
//! Recursion follows the schema, whose depth is limited, but never the input.

use super::options::ReadOptions;
use super::program::typed_options;
use super::program::{Case, Constructor, Field, Kind, Primitive, Program, Type, TypeNumber};
use super::read;
use super::stop::{Stop, exception_for, run};
use crate::given;
use crate::load::Source;
use crate::memory::{Lease, Stack};
use crate::ruby::{self, VALUE};
use ketch_extprot::wire::{Block, Prefix, Reader, WireType, Writer, value_length};
use ketch_extprot::{DEFAULT_LIMITS, Error as ExtprotError, Problem, Result as Read, Segment, rt};
use magnus::{Error, RArray, RHash, RString, Ruby, Value, typed_data::Obj};

/// Implements `Ketch::Extprot.read_typed(program, bytes, options)`: returns the only value in a
/// string.
pub fn read_typed(
    ruby: &Ruby,
    program: Obj<Program>,
    bytes: RString,
    options: RHash,
) -> Result<Value, Error> {
    let options = typed_options(ReadOptions::from_hash(ruby, options)?);
    let lease = Lease::take(ruby)?;
    let source = Source::of_string(bytes, &lease)?;
    let bytes = source.bytes();
    let mut reader = Reader::with_limits(bytes, &options.limits);
    let mut decoder = Decoder::new(&program, &lease, bytes.len());
    let value = run(|| Ok(decoder.top(&mut reader)?));
    let value = value.and_then(|value| match reader.is_empty() {
        true => Ok(value),
        false => Err(reader.error(Problem::TrailingBytes).into()),
    });
    value.map(ruby::value).map_err(|stop| stop.into_exception(ruby, 0))
}

/// Implements `Ketch::Extprot.typed_batch(program, buffer, at, base, options)`: reads the complete
/// messages in `buffer` from the offset `at` on, which is the offset `base` in the stream, up to
/// the first message that cannot be read. Returns an array of the messages, the offset at which
/// reading may continue, the exception or `nil`, and whether reading may continue at all.
pub fn typed_batch(
    ruby: &Ruby,
    program: Obj<Program>,
    buffer: RString,
    at: usize,
    base: u64,
    options: RHash,
) -> Result<RArray, Error> {
    let options = typed_options(ReadOptions::from_hash(ruby, options)?);
    let lease = Lease::take(ruby)?;
    let source = Source::of_string(buffer, &lease)?;
    let bytes = source.bytes().get(at..).unwrap_or_default();
    let mut decoder = Decoder::new(&program, &lease, bytes.len());
    let first = decoder.stack.len();
    let mut whole = 0;
    let mut goes_on = true;
    let read = run(|| {
        while whole < bytes.len() {
            let start = whole;
            let length = match value_length(&bytes[start..]) {
                Ok(length) => length,
                Err(error) if matches!(error.problem(), Problem::Eof) => return Ok(()),
                Err(error) => {
                    goes_on = false;
                    return Err(error.shifted(start as u64).into());
                }
            };
            whole += length;
            let message = &bytes[start..whole];
            let mut reader =
                Reader::with_limits(message, &options.limits).with_offset(start as u64);
            let values = decoder.stack.len();
            if let Err(error) = decoder.value(decoder.program.root(), &mut reader) {
                decoder.stack.truncate(values);
                return Err(error.into());
            }
        }
        Ok(())
    });
    let error = read.err().map(|stop| stop.into_exception(ruby, base));
    let error = read::exception(ruby, error)?;
    let values = ruby::protect(|| ruby::array(lease.memory().stack.from(first)))?;
    let batch = ruby.ary_new_capa(4);
    batch.push(ruby::value(values))?;
    batch.push(at + whole)?;
    batch.push(error)?;
    batch.push(goes_on)?;
    Ok(batch)
}

/// Implements `Ketch::Extprot.write_typed(program, value)`: returns the bytes of `value`.
pub fn write_typed(ruby: &Ruby, program: Obj<Program>, value: Value) -> Result<RString, Error> {
    let lease = Lease::take(ruby)?;
    let buffers = lease.buffers();
    buffers.writer.clear();
    let mut encoder = Encoder { program: &program, writer: &mut buffers.writer };
    run(|| encoder.value(program.root(), ruby::raw(value)))
        .map_err(|stop| stop.into_exception(ruby, 0))?;
    let bytes = buffers.writer.finish().map_err(|error| exception_for(ruby, &error, 0))?;
    Ok(ruby.str_from_slice(bytes))
}

struct Decoder<'m> {
    program: &'m Program,
    stack: &'m Stack,
    /// The number of default values that may still be created.
    defaults_left: u64,
    turn: u32,
}

/// The number of blocks that are read between two checks for interrupts.
const BLOCKS_A_TURN: u32 = 1024;

impl<'m> Decoder<'m> {
    /// Creates a decoder for an input of `bytes` bytes, which uses the memory of `lease`.
    fn new(program: &'m Program, lease: &'m Lease, bytes: usize) -> Decoder<'m> {
        let defaults_left = DEFAULT_LIMITS.default_values.saturating_add(bytes as u64);
        Decoder { program, stack: &lease.memory().stack, defaults_left, turn: 0 }
    }

    /// Reads a value of the program's root type, and returns it. It stays on the stack.
    fn top(&mut self, reader: &mut Reader<'_, '_>) -> Read<VALUE> {
        self.value(self.program.root(), reader)?;
        Ok(self.stack.get(self.stack.len() - 1))
    }

    /// Reads the next value and pushes it, as do the methods below.
    fn value(&mut self, ty: TypeNumber, reader: &mut Reader<'_, '_>) -> Read<()> {
        let program = self.program;
        match &program.types[ty].kind {
            Kind::Primitive(primitive, _) => self.primitive(*primitive, reader),
            Kind::List(element) => self.list(*element, reader),
            Kind::Tuple(types) => self.tuple(types, reader),
            Kind::Sum { constants, constructors } => self.sum(constants, constructors, reader),
            Kind::Message { name, is_subset, cases } => self
                .message(cases, *is_subset, reader)
                .map_err(|error| error.within(Segment::Message(name.clone().into()))),
        }
    }

    /// Pushes a primitive (specification 4.2).
    #[inline(always)]
    fn primitive(&mut self, primitive: Primitive, reader: &mut Reader<'_, '_>) -> Read<()> {
        let value = match primitive {
            Primitive::Bool => boolean(reader.read_bool()?),
            Primitive::Byte => ruby::integer(reader.read_byte()?.into()),
            Primitive::Int => ruby::integer(reader.read_int()?),
            Primitive::Long => ruby::integer(reader.read_long()?),
            Primitive::Float => ruby::float(reader.read_float()?),
            Primitive::String => read::text_or_bytes(reader.read_string()?),
        };
        self.stack.push(value);
        Ok(())
    }

    /// Pushes a promoted primitive (specification 4.4). Its prefix has been read,
    /// and has exactly the primitive's own wire type.
    fn promoted(&mut self, primitive: Primitive, reader: &mut Reader<'_, '_>) -> Read<()> {
        let value = match primitive {
            Primitive::Bool => boolean(reader.promoted_bool()?),
            Primitive::Byte => ruby::integer(reader.promoted_byte()?.into()),
            Primitive::Int => ruby::integer(reader.promoted_int()?),
            Primitive::Long => ruby::integer(reader.promoted_long()?),
            Primitive::Float => ruby::float(reader.promoted_float()?),
            Primitive::String => read::text_or_bytes(reader.promoted_string()?),
        };
        self.stack.push(value);
        Ok(())
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

    /// Pushes a list (specification 4.3).
    fn list(&mut self, element: TypeNumber, reader: &mut Reader<'_, '_>) -> Read<()> {
        let prefix = reader.prefix()?;
        if prefix.wire_type() != Some(WireType::Htuple) {
            return Err(reader.bad_wire_type(prefix, "a list or array"));
        }
        let block = reader.enter()?;
        let count = reader.check_list(&block)?;
        self.poll_interrupts();
        let start = self.stack.len();
        for index in 0..count {
            if let Err(error) = self.value(element, reader) {
                return Err(error.in_element(index as u64));
            }
        }
        reader.leave(block);
        self.finish(start, ruby::array);
        Ok(())
    }

    /// Pushes a tuple (specification 4.4).
    fn tuple(&mut self, types: &[TypeNumber], reader: &mut Reader<'_, '_>) -> Read<()> {
        let prefix = reader.prefix()?;
        let start = self.stack.len();
        if prefix.wire_type() == Some(WireType::Tuple) {
            let block = reader.enter()?;
            self.elements(types, &block, reader)?;
            reader.leave(block);
        } else if !self.promoted_elements(types, prefix, reader)? {
            return Err(reader.bad_wire_type(prefix, "a tuple"));
        }
        self.finish(start, ruby::array);
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
                Err(reader.error(Problem::MissingTupleElement { index }))
            };
            if let Err(error) = element {
                return Err(error.in_element(index));
            }
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

    /// Pushes a value of a sum type (specification 4.5).
    fn sum(
        &mut self,
        constants: &[VALUE],
        constructors: &[Constructor],
        reader: &mut Reader<'_, '_>,
    ) -> Read<()> {
        let prefix = reader.prefix()?;
        let tag = prefix.tag();
        let place = usize::try_from(tag).unwrap_or(usize::MAX);
        match prefix.wire_type() {
            Some(WireType::Enum) if !constants.is_empty() => match constants.get(place) {
                Some(&constant) => self.stack.push(constant),
                None => return Err(reader.error(Problem::UnknownTag { tag })),
            },
            Some(WireType::Tuple) if !constructors.is_empty() => {
                let Some(constructor) = constructors.get(place) else {
                    return Err(reader.error(Problem::UnknownTag { tag }));
                };
                let start = self.stack.len();
                let block = reader.enter()?;
                if let Err(error) = self.elements(&constructor.types, &block, reader) {
                    let name = constructor.name.clone();
                    return Err(error.within(Segment::Constructor(name.into())));
                }
                reader.leave(block);
                self.finish(start, |values| ruby::structure(constructor.class, values));
            }
            _ => {
                let start = self.stack.len();
                let first = constructors.first();
                let types = first.map_or(&[][..], |constructor| &constructor.types);
                match first {
                    Some(first) if self.promoted_elements(types, prefix, reader)? => {
                        self.finish(start, |values| ruby::structure(first.class, values));
                    }
                    _ => return Err(reader.bad_wire_type(prefix, "a constructor")),
                }
            }
        }
        Ok(())
    }

    /// Pushes a message (specification 4.6) or a subset (specification 7).
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
                return Err(reader.error(Problem::UnknownTag { tag }));
            };
            self.poll_interrupts();
            self.fields(case, &block, reader)?;
            reader.leave(block);
            self.finish(start, |values| ruby::structure(case.class, values));
            return Ok(());
        }
        if is_subset {
            return Err(reader.bad_wire_type(prefix, "a message"));
        }
        let Some(case) = case else {
            return Err(reader.error(Problem::UnknownTag { tag }));
        };
        let first = case.fields.first().map(|field| field.ty);
        let Some(primitive) = self.promotes(first, prefix) else {
            return Err(reader.bad_wire_type(prefix, "a message"));
        };
        self.promoted(primitive, reader)?;
        for field in &case.fields[1..] {
            self.missing_field(field, reader.offset_bytes())?;
        }
        self.finish(start, |values| ruby::structure(case.class, values));
        Ok(())
    }

    /// Pushes the fields of a message whose block is open. Fields that are missing get their
    /// defaults.
    fn fields(&mut self, case: &Case, block: &Block<'_>, reader: &mut Reader<'_, '_>) -> Read<()> {
        let mut at = 0;
        for field in &case.fields {
            // Only a subset has gaps between its fields; what is in them is skipped without being
            // decoded.
            while at < field.index.min(block.count()) {
                reader.skip()?;
                at += 1;
            }
            at += 1;
            let value = if field.index < block.count() {
                self.field(field, reader)
            } else {
                self.missing_field(field, reader.offset_bytes())
            };
            if let Err(error) = value {
                return Err(in_field(error, field));
            }
        }
        Ok(())
    }

    /// Pushes a field. If the field is lazy, what is pushed is an object that holds its bytes.
    #[inline(always)]
    fn field(&mut self, field: &Field, reader: &mut Reader<'_, '_>) -> Read<()> {
        if !field.is_lazy || self.is_decoded_eagerly(field.ty, reader) {
            return self.value(field.ty, reader);
        }
        let offset = ruby::unsigned(reader.offset_bytes());
        let bytes = ruby::binary(reader.raw()?);
        self.stack.push(bytes);
        let arguments = [bytes, self.program.types[field.ty].object, offset];
        let lazy = ruby::new_instance(self.program.lazy_class, &arguments);
        self.stack.set(self.stack.len() - 1, lazy);
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
            return Err(ExtprotError::new(Problem::MissingField, offset));
        }
        self.default(field.ty, offset)
    }

    /// Pushes the default of a type (specification 6), or fails if it has none.
    fn default(&mut self, ty: TypeNumber, offset: u64) -> Read<()> {
        let Some(left) = self.defaults_left.checked_sub(1) else {
            let max = DEFAULT_LIMITS.default_values;
            let problem = Problem::LimitExceeded { limit: "default_values", n: max + 1, max };
            return Err(ExtprotError::new(problem, offset));
        };
        self.defaults_left = left;
        let program = self.program;
        let missing = || ExtprotError::new(Problem::MissingField, offset);
        let start = self.stack.len();
        match &program.types[ty].kind {
            Kind::Primitive(_, default) => self.stack.push(default.ok_or_else(missing)?),
            Kind::List(_) => self.finish(start, ruby::array),
            Kind::Tuple(types) => {
                for &ty in types {
                    self.default(ty, offset)?;
                }
                self.finish(start, ruby::array);
            }
            Kind::Sum { constants, .. } => {
                self.stack.push(*constants.first().ok_or_else(missing)?);
            }
            Kind::Message { name, cases, .. } => {
                let case = &cases[0];
                for field in &case.fields {
                    if let Err(error) = self.missing_field(field, offset) {
                        let segment = Segment::Message(name.clone().into());
                        return Err(in_field(error, field).within(segment));
                    }
                }
                self.finish(start, |values| ruby::structure(case.class, values));
            }
        }
        Ok(())
    }

    /// Replaces the values from `start` on by the object that `make` creates from them.
    #[inline(always)]
    fn finish(&mut self, start: usize, make: impl FnOnce(&[VALUE]) -> VALUE) {
        let value = make(self.stack.from(start));
        self.stack.truncate(start);
        self.stack.push(value);
    }

    /// Checks for interrupts on every [`BLOCKS_A_TURN`]th call.
    #[inline(always)]
    fn poll_interrupts(&mut self) {
        self.turn += 1;
        if self.turn == BLOCKS_A_TURN {
            self.turn = 0;
            ruby::check_interrupts();
        }
    }
}

/// Returns Ruby's `true` or `false`.
fn boolean(value: bool) -> VALUE {
    if value { ruby::TRUE } else { ruby::FALSE }
}

/// Adds a field to the path of an error.
#[cold]
fn in_field(error: ExtprotError, field: &Field) -> ExtprotError {
    error.within(Segment::Field(field.name.clone().into()))
}

struct Encoder<'m> {
    program: &'m Program,
    writer: &'m mut Writer,
}

impl Encoder<'_> {
    /// Writes a value of the type `ty`.
    fn value(&mut self, ty: TypeNumber, value: VALUE) -> Result<(), Stop> {
        let program = self.program;
        let ty = &program.types[ty];
        match &ty.kind {
            Kind::Primitive(primitive, _) => self.primitive(*primitive, value, ty),
            Kind::List(element) if ruby::is_array(value) => {
                let (mark, count) = (self.writer.mark(), ruby::array_len(value));
                for at in (0..count).rev() {
                    self.part(*element, ruby::entry(value, at), || Segment::Element(at as u64))?;
                }
                self.writer.close_block(mark, count as u64, 0, WireType::Htuple);
                Ok(())
            }
            Kind::Tuple(types)
                if ruby::is_array(value) && ruby::array_len(value) == types.len() =>
            {
                self.elements(types, 0, |at| ruby::entry(value, at))
            }
            Kind::Sum { constants, constructors } => self.sum(constants, constructors, value, ty),
            Kind::Message { name, is_subset, cases } => {
                let class = ruby::class_of(value);
                let Some(tag) = cases.iter().position(|case| case.class == class) else {
                    return Err(shape(ty));
                };
                if *is_subset {
                    return Err(ExtprotError::unplaced(Problem::ReadOnly).into());
                }
                let segment = || Segment::Message(name.clone().into());
                within(self.fields(&cases[tag], tag, value), segment)
            }
            _ => Err(shape(ty)),
        }
    }

    /// Writes a part of a value. If that fails, the path of the error gets the step `segment`.
    fn part(
        &mut self,
        ty: TypeNumber,
        value: VALUE,
        segment: impl Fn() -> Segment,
    ) -> Result<(), Stop> {
        within(self.value(ty, value), segment)
    }

    /// Writes a primitive.
    fn primitive(&mut self, primitive: Primitive, value: VALUE, ty: &Type) -> Result<(), Stop> {
        let is_fit = match primitive {
            Primitive::Bool => self.boolean(value),
            Primitive::Byte => {
                let byte = ruby::as_i64(value).and_then(|value| u8::try_from(value).ok());
                byte.map(|value| self.writer.write_byte(value))
            }
            // A fixnum has the same range as an `int`.
            Primitive::Int => {
                rb_sys::FIXNUM_P(value).then(|| self.writer.write_int(value as i64 >> 1))
            }
            Primitive::Long => ruby::as_i64(value).map(|value| self.writer.write_long(value)),
            Primitive::Float => ruby::as_float(value).map(|value| self.writer.write_float(value)),
            Primitive::String => self.string(value)?,
        };
        is_fit.ok_or_else(|| shape(ty))
    }

    /// Writes a bool. Returns `None` if the value is not a bool.
    fn boolean(&mut self, value: VALUE) -> Option<()> {
        let is_bool = value == ruby::TRUE || value == ruby::FALSE;
        is_bool.then(|| self.writer.write_bool(value == ruby::TRUE))
    }

    /// Writes a string. Returns `None` if the value is not a string.
    fn string(&mut self, value: VALUE) -> Result<Option<()>, Stop> {
        if !ruby::is_string(value) {
            return Ok(None);
        }
        let value = given::in_utf8_or_binary(value)?;
        // SAFETY: the object that is being written, or the machine's stack, keeps the string alive,
        // and writing does not call Ruby.
        self.writer.write_string(unsafe { given::bytes(value) });
        Ok(Some(()))
    }

    /// Writes a block that contains one value of each of `types`.
    fn elements(
        &mut self,
        types: &[TypeNumber],
        tag: u64,
        value: impl Fn(usize) -> VALUE,
    ) -> Result<(), Stop> {
        let mark = self.writer.mark();
        for (at, &ty) in types.iter().enumerate().rev() {
            self.part(ty, value(at), || Segment::Element(at as u64))?;
        }
        self.writer.close_block(mark, types.len() as u64, tag, WireType::Tuple);
        Ok(())
    }

    /// Writes a value of a sum type: a constant, or an object of a constructor's class.
    fn sum(
        &mut self,
        constants: &[VALUE],
        constructors: &[Constructor],
        value: VALUE,
        ty: &Type,
    ) -> Result<(), Stop> {
        if let Some(tag) = constants.iter().position(|&constant| constant == value) {
            self.writer.write_enum(tag as u64);
            return Ok(());
        }
        let class = ruby::class_of(value);
        let Some(tag) = constructors.iter().position(|constructor| constructor.class == class)
        else {
            return Err(shape(ty));
        };
        let constructor = &constructors[tag];
        let written =
            self.elements(&constructor.types, tag as u64, |at| ruby::member(value, at as i64));
        within(written, || Segment::Constructor(constructor.name.clone().into()))
    }

    /// Writes the fields of a message. A lazy field is written by copying its bytes.
    fn fields(&mut self, case: &Case, tag: usize, message: VALUE) -> Result<(), Stop> {
        let mark = self.writer.mark();
        for (at, field) in case.fields.iter().enumerate().rev() {
            let value = ruby::member(message, at as i64);
            if field.is_lazy && ruby::class_of(value) == self.program.lazy_class {
                let bytes = ruby::instance_variable(value, c"@bytes");
                // SAFETY: the lazy field keeps the string alive, and writing does not call Ruby.
                self.writer.raw(unsafe { given::bytes(bytes) });
            } else {
                self.part(field.ty, value, || Segment::Field(field.name.clone().into()))?;
            }
        }
        let count = case.fields.len() as u64;
        self.writer.close_block(mark, count, tag as u64, WireType::Tuple);
        Ok(())
    }
}

/// Adds `segment`, which contains the place of the error, to the error's path.
fn within(written: Result<(), Stop>, segment: impl Fn() -> Segment) -> Result<(), Stop> {
    match written {
        Err(Stop::Bytes(error)) => Err(Stop::Bytes(error.within(segment()))),
        written => written,
    }
}

/// Returns the error for a value that does not have the shape of its type.
#[cold]
fn shape(ty: &Type) -> Stop {
    ExtprotError::unplaced(Problem::Shape { expected: ty.name.clone() }).into()
}

//! Reads values by a program (specification 4), with their defaults (6), for any host.

use crate::error::{Error, Problem, Segment};
use crate::limits::Limits;
use crate::rt;
use crate::schema::ast::Primitive;
use crate::schema::program::{Case, Constructor, Field, Host, Kind, Program, TypeNumber};
use crate::wire::{Block, Prefix, Reader, WireType, value_length};

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

/// How a host creates its objects. Values are pushed on a stack of the host, and the end of a block
/// replaces the values from an index on by one object. `'a` is the lifetime of the input.
pub trait Build<'a, H: Host> {
    /// What ends the reading.
    type Error: Stop;

    /// Returns the number of values on the stack.
    fn count(&self) -> usize;
    /// Removes values until `count` are left.
    fn truncate(&mut self, count: usize);
    /// Pushes a constant or a default.
    fn held(&mut self, held: &H::Held);
    /// Pushes a boolean.
    fn boolean(&mut self, value: bool);
    /// Pushes an integer of the type `primitive`.
    fn integer(&mut self, value: i64, primitive: Primitive) -> Result<(), Self::Error>;
    /// Pushes a float.
    fn float(&mut self, value: f64) -> Result<(), Self::Error>;
    /// Pushes text if `bytes` are UTF-8. Otherwise, pushes bytes, or fails if there must be text.
    /// `offset` returns the offset of the bytes.
    fn string(
        &mut self,
        bytes: &'a [u8],
        must_be_text: bool,
        offset: impl FnOnce() -> u64,
    ) -> Result<(), Self::Error>;
    /// Replaces the values from `start` on by a list.
    fn list(&mut self, start: usize) -> Result<(), Self::Error>;
    /// Replaces the values from `start` on by a tuple.
    fn tuple(&mut self, start: usize) -> Result<(), Self::Error>;
    /// Replaces the values from `start` on by an object of `class`.
    fn object(&mut self, class: &H::Class, start: usize) -> Result<(), Self::Error>;
    /// Pushes a field that is decoded on first use: its bytes, what describes its type, and the offset
    /// of the bytes.
    fn lazy(&mut self, bytes: &'a [u8], ty: &H::Object, offset: u64) -> Result<(), Self::Error>;
    /// Is called at the start of each block. The host may check for interrupts.
    fn turn(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }
}

/// Reads values by a program.
#[derive(Debug)]
pub struct Decoder<'p, H: Host, B> {
    program: &'p Program<H>,
    /// What creates the objects.
    pub build: B,
    /// The number of values that defaults may still add.
    defaults_left: u64,
    /// The number of values that defaults may add in total.
    defaults_max: u64,
}

type Read<'a, B, H> = Result<(), <B as Build<'a, H>>::Error>;

impl<'a, 'p, H: Host, B: Build<'a, H>> Decoder<'p, H, B> {
    /// Creates a decoder for an input of `bytes` bytes.
    pub fn new(program: &'p Program<H>, build: B, limits: &Limits, bytes: usize) -> Self {
        let defaults_max = limits.default_values.saturating_add(bytes as u64);
        Decoder { program, build, defaults_left: defaults_max, defaults_max }
    }

    /// Reads a value of the last type, and pushes it. Fails unless `reader` is then at its end.
    pub fn only(&mut self, reader: &mut Reader<'a, '_>) -> Read<'a, B, H> {
        self.value(self.program.types.len() - 1, reader)?;
        match reader.is_empty() {
            true => Ok(()),
            false => Err(reader.error(Problem::TrailingBytes).into()),
        }
    }

    /// Reads the complete messages of the last type in `bytes`, and pushes them, up to the first that cannot be read.
    /// Sets `whole` to the offset at which reading may continue, and `goes_on` to whether it may.
    pub fn messages(
        &mut self,
        bytes: &'a [u8],
        limits: &Limits,
        whole: &mut usize,
        goes_on: &mut bool,
    ) -> Read<'a, B, H> {
        let root = self.program.types.len() - 1;
        while *whole < bytes.len() {
            let start = *whole;
            match value_length(&bytes[start..]) {
                Ok(length) => *whole += length,
                Err(error) if matches!(error.problem(), Problem::Eof) => return Ok(()),
                Err(error) => {
                    *goes_on = false;
                    return Err(error.shifted(start as u64).into());
                }
            }
            let reader = Reader::with_limits(&bytes[start..*whole], limits);
            let values = self.build.count();
            let read = self.value(root, &mut reader.with_offset(start as u64));
            if read.is_err() {
                self.build.truncate(values);
                return read;
            }
        }
        Ok(())
    }

    /// Reads the next value and pushes it, as do the methods below.
    pub(super) fn value(&mut self, ty: TypeNumber, reader: &mut Reader<'a, '_>) -> Read<'a, B, H> {
        let program = self.program;
        match &program.types[ty].kind {
            Kind::Primitive { primitive, must_be_text, .. } => {
                self.primitive(*primitive, *must_be_text, reader)
            }
            Kind::List(element) => self.list(*element, reader),
            Kind::Tuple(types) => self.tuple(types, reader),
            Kind::Sum { constants, constructors } => self.sum(constants, constructors, reader),
            Kind::Message { name, is_subset, cases } => {
                let read = self.message(cases, *is_subset, reader);
                within(read, || Segment::Message(name.clone().into()))
            }
            Kind::External(name) => {
                Err(reader.error(Problem::External { name: name.clone() }).into())
            }
        }
    }

    /// Pushes a primitive (specification 4.2).
    #[inline(always)]
    fn primitive(
        &mut self,
        primitive: Primitive,
        must_be_text: bool,
        reader: &mut Reader<'a, '_>,
    ) -> Read<'a, B, H> {
        match primitive {
            Primitive::Bool => self.build.boolean(reader.read_bool()?),
            Primitive::Byte => self.build.integer(reader.read_byte()?.into(), primitive)?,
            Primitive::Int => self.build.integer(reader.read_int()?, primitive)?,
            Primitive::Long => self.build.integer(reader.read_long()?, primitive)?,
            Primitive::Float => self.build.float(reader.read_float()?)?,
            Primitive::String => {
                let bytes = reader.read_string()?;
                self.string(bytes, must_be_text, reader)?;
            }
        }
        Ok(())
    }

    /// Pushes a promoted primitive (specification 4.4) of the type `first`, whose prefix has been read.
    /// Returns whether `first` is a primitive with exactly this wire type; if not, nothing is pushed.
    fn promoted(
        &mut self,
        first: Option<TypeNumber>,
        prefix: Prefix,
        reader: &mut Reader<'a, '_>,
    ) -> Result<bool, B::Error> {
        let Some(first) = first else { return Ok(false) };
        let Kind::Primitive { primitive, must_be_text, .. } = self.program.types[first].kind else {
            return Ok(false);
        };
        if prefix.wire_type() != Some(primitive.wire_type()) {
            return Ok(false);
        }
        match primitive {
            Primitive::Bool => self.build.boolean(reader.promoted_bool()?),
            Primitive::Byte => self.build.integer(reader.promoted_byte()?.into(), primitive)?,
            Primitive::Int => self.build.integer(reader.promoted_int()?, primitive)?,
            Primitive::Long => self.build.integer(reader.promoted_long()?, primitive)?,
            Primitive::Float => self.build.float(reader.promoted_float()?)?,
            Primitive::String => {
                let bytes = reader.promoted_string()?;
                self.string(bytes, must_be_text, reader)?;
            }
        }
        Ok(true)
    }

    /// Pushes a string, whose bytes have just been read.
    #[inline(always)]
    fn string(
        &mut self,
        bytes: &'a [u8],
        must_be_text: bool,
        reader: &Reader<'a, '_>,
    ) -> Read<'a, B, H> {
        self.build.string(bytes, must_be_text, || reader.offset_bytes() - bytes.len() as u64)
    }

    /// Pushes a list (specification 4.3).
    fn list(&mut self, element: TypeNumber, reader: &mut Reader<'a, '_>) -> Read<'a, B, H> {
        let prefix = reader.prefix()?;
        if prefix.wire_type() != Some(WireType::Htuple) {
            return Err(reader.bad_wire_type(prefix, "a list or array").into());
        }
        let block = reader.enter()?;
        let count = reader.check_list(&block)?;
        self.build.turn()?;
        let start = self.build.count();
        for index in 0..count {
            within(self.value(element, reader), || Segment::Element(index as u64))?;
        }
        reader.leave(block);
        self.build.list(start)
    }

    /// Pushes a tuple (specification 4.4).
    fn tuple(&mut self, types: &[TypeNumber], reader: &mut Reader<'a, '_>) -> Read<'a, B, H> {
        let prefix = reader.prefix()?;
        let start = self.build.count();
        if prefix.wire_type() == Some(WireType::Tuple) {
            let block = reader.enter()?;
            self.elements(types, &block, reader)?;
            reader.leave(block);
        } else if !self.promoted_elements(types, prefix, reader)? {
            return Err(reader.bad_wire_type(prefix, "a tuple").into());
        }
        self.build.tuple(start)
    }

    /// Pushes the elements of a tuple or the arguments of a constructor. Elements that are missing get
    /// their defaults.
    fn elements(
        &mut self,
        types: &[TypeNumber],
        block: &Block<'a>,
        reader: &mut Reader<'a, '_>,
    ) -> Read<'a, B, H> {
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
        reader: &mut Reader<'a, '_>,
    ) -> Result<bool, B::Error> {
        let Some((&first, others)) = types.split_first() else { return Ok(false) };
        if !others.iter().all(|&ty| self.program.types[ty].has_default)
            || !self.promoted(Some(first), prefix, reader)?
        {
            return Ok(false);
        }
        others.iter().try_for_each(|&ty| self.default(ty, reader.offset_bytes()))?;
        Ok(true)
    }

    /// Pushes a value of a sum type (specification 4.5).
    fn sum(
        &mut self,
        constants: &[H::Held],
        constructors: &[Constructor<H>],
        reader: &mut Reader<'a, '_>,
    ) -> Read<'a, B, H> {
        let prefix = reader.prefix()?;
        let tag = prefix.tag();
        let place = usize::try_from(tag).unwrap_or(usize::MAX);
        let unknown = |reader: &Reader<'_, '_>| -> B::Error {
            reader.error(Problem::UnknownTag { tag }).into()
        };
        match prefix.wire_type() {
            Some(WireType::Enum) if !constants.is_empty() => {
                self.build.held(constants.get(place).ok_or_else(|| unknown(reader))?);
                Ok(())
            }
            Some(WireType::Tuple) if !constructors.is_empty() => {
                let constructor = constructors.get(place).ok_or_else(|| unknown(reader))?;
                let start = self.build.count();
                let block = reader.enter()?;
                let read = self.elements(&constructor.types, &block, reader);
                within(read, || Segment::Constructor(constructor.name.clone().into()))?;
                reader.leave(block);
                self.build.object(&constructor.class, start)
            }
            _ => {
                let start = self.build.count();
                match constructors.first() {
                    Some(first) if self.promoted_elements(&first.types, prefix, reader)? => {
                        self.build.object(&first.class, start)
                    }
                    _ => Err(reader.bad_wire_type(prefix, "a constructor").into()),
                }
            }
        }
    }

    /// Pushes a message (specification 4.6) or a subset (specification 7).
    fn message(
        &mut self,
        cases: &[Case<H>],
        is_subset: bool,
        reader: &mut Reader<'a, '_>,
    ) -> Read<'a, B, H> {
        let prefix = reader.prefix()?;
        let tag = prefix.tag();
        let case = usize::try_from(tag).ok().and_then(|tag| cases.get(tag));
        let start = self.build.count();
        if prefix.wire_type() == Some(WireType::Tuple) {
            let block = reader.enter()?;
            reader.check_message(&block)?;
            let Some(case) = case else {
                return Err(reader.error(Problem::UnknownTag { tag }).into());
            };
            self.build.turn()?;
            self.fields(case, &block, reader)?;
            reader.leave(block);
            return self.build.object(&case.class, start);
        }
        if is_subset {
            return Err(reader.bad_wire_type(prefix, "a message").into());
        }
        let Some(case) = case else {
            return Err(reader.error(Problem::UnknownTag { tag }).into());
        };
        let first = case.fields.first().map(|field| field.ty);
        if !self.promoted(first, prefix, reader)? {
            return Err(reader.bad_wire_type(prefix, "a message").into());
        }
        for field in &case.fields[1..] {
            self.missing_field(field, reader.offset_bytes())?;
        }
        self.build.object(&case.class, start)
    }

    /// Pushes the fields of a message whose block is open. Fields that are missing get their defaults.
    fn fields(
        &mut self,
        case: &Case<H>,
        block: &Block<'a>,
        reader: &mut Reader<'a, '_>,
    ) -> Read<'a, B, H> {
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
            within(value, || Segment::Field(field.name.clone().into()))?;
        }
        Ok(())
    }

    /// Pushes a field. If the field is lazy, what is pushed is an object that holds its bytes.
    #[inline(always)]
    fn field(&mut self, field: &Field<H>, reader: &mut Reader<'a, '_>) -> Read<'a, B, H> {
        if field.slot.is_none() || self.is_decoded_eagerly(field.ty, reader) {
            return self.value(field.ty, reader);
        }
        let offset = reader.offset_bytes();
        let bytes = reader.raw()?;
        self.build.lazy(bytes, &self.program.types[field.ty].object, offset)
    }

    /// Returns whether a lazy field is decoded immediately, because it is an empty list or a constant
    /// (specification 8).
    fn is_decoded_eagerly(&self, ty: TypeNumber, reader: &Reader<'_, '_>) -> bool {
        match self.program.types[ty].kind {
            Kind::List(_) => rt::is_empty_list(reader),
            Kind::Sum { .. } => rt::is_constant(reader),
            _ => false,
        }
    }

    /// Pushes the default of a field that is missing in the data, or fails if it has none.
    fn missing_field(&mut self, field: &Field<H>, offset: u64) -> Read<'a, B, H> {
        if !self.program.types[field.ty].has_default {
            return Err(Error::new(Problem::MissingField, offset).into());
        }
        self.default(field.ty, offset)
    }

    /// Pushes the default of a type (specification 6), or fails if it has none.
    pub(super) fn default(&mut self, ty: TypeNumber, offset: u64) -> Read<'a, B, H> {
        let Some(left) = self.defaults_left.checked_sub(1) else {
            let max = self.defaults_max;
            let n = max.saturating_add(1);
            let problem = Problem::LimitExceeded { limit: "default_values", n, max };
            return Err(Error::new(problem, offset).into());
        };
        self.defaults_left = left;
        let program = self.program;
        let missing = || B::Error::from(Error::new(Problem::MissingField, offset));
        let start = self.build.count();
        match &program.types[ty].kind {
            Kind::Primitive { default, .. } => {
                self.build.held(default.as_ref().ok_or_else(missing)?)
            }
            Kind::List(_) => self.build.list(start)?,
            Kind::Tuple(types) => {
                types.iter().try_for_each(|&ty| self.default(ty, offset))?;
                self.build.tuple(start)?;
            }
            Kind::Sum { constants, .. } => {
                self.build.held(constants.first().ok_or_else(missing)?);
            }
            Kind::Message { name, cases, .. } => {
                let case = &cases[0];
                for field in &case.fields {
                    let value = self.missing_field(field, offset);
                    let value = within(value, || Segment::Field(field.name.clone().into()));
                    within(value, || Segment::Message(name.clone().into()))?;
                }
                self.build.object(&case.class, start)?;
            }
            Kind::External(name) => {
                return Err(Error::new(Problem::External { name: name.clone() }, offset).into());
            }
        }
        Ok(())
    }
}

/// Adds a step to the path of an error.
#[inline(always)]
pub fn within<T, E: Stop>(result: Result<T, E>, segment: impl Fn() -> Segment) -> Result<T, E> {
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

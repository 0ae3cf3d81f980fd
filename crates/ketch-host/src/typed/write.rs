//! Writes values by a program: every field, in order, with its declared type (specification 3).

use super::{Case, Constructor, Host, Kind, Primitive, Program, Stop, Type, TypeNumber};
use ketch_extprot::typed::within;
use ketch_extprot::wire::{WireType, Writer};
use ketch_extprot::{Error, Problem, Segment};
use std::borrow::Borrow;

/// How a host takes apart its objects.
pub trait Take<H: Host> {
    /// What ends the writing.
    type Error: Stop;
    /// An object.
    type Value;
    /// The elements of a list or a tuple.
    type Elements;
    /// One of them.
    type Element<'e>: Borrow<Self::Value>
    where
        Self: 'e;

    /// Makes space in `writer` for `bytes` bytes and a prefix.
    fn reserve(&self, writer: &mut Writer, bytes: usize) -> Result<(), Self::Error>;
    /// Returns a boolean, or `None` for other objects.
    fn boolean(&self, value: &Self::Value) -> Option<bool>;
    /// Returns an integer that fits into 64 bits, or `None` for other objects.
    fn integer(&self, value: &Self::Value) -> Option<i64>;
    /// Returns a number as a float, or `None` for other objects.
    fn float(&self, value: &Self::Value) -> Result<Option<f64>, Self::Error>;
    /// Passes the bytes of a string to `write`. Returns whether it is a string and, if it must be text,
    /// text.
    fn string(
        &self,
        value: &Self::Value,
        must_be_text: bool,
        write: impl FnOnce(&[u8]) -> Result<(), Self::Error>,
    ) -> Result<bool, Self::Error>;
    /// Returns the elements of a list or a tuple, or `None` for other objects.
    fn elements(&self, value: &Self::Value) -> Result<Option<Self::Elements>, Self::Error>;
    /// Returns the number of elements.
    fn count(elements: &Self::Elements) -> usize;
    /// Returns the element with this index.
    fn element<'e>(elements: &'e Self::Elements, at: usize) -> Self::Element<'e>
    where
        Self: 'e;
    /// Returns whether `value` is the constant `held`.
    fn is_held(&self, value: &Self::Value, held: &H::Held) -> bool;
    /// Returns whether `value` is an object of `class`.
    fn is_of(&self, value: &Self::Value, class: &H::Class) -> bool;
    /// Returns the argument or the field with this index of `value`, an object of `class`.
    fn member(
        &self,
        value: &Self::Value,
        class: &H::Class,
        slot: Option<&H::Slot>,
        at: usize,
    ) -> Result<Self::Value, Self::Error>;
    /// Passes the bytes of a field that has not been decoded to `write`. Returns whether it is one.
    fn lazy(
        &self,
        value: &Self::Value,
        write: impl FnOnce(&[u8]) -> Result<(), Self::Error>,
    ) -> Result<bool, Self::Error>;
}

/// Writes values by a program.
#[derive(Debug)]
pub struct Encoder<'p, 'w, H: Host, T> {
    /// The program.
    pub program: &'p Program<H>,
    /// Where the bytes go.
    pub writer: &'w mut Writer,
    /// What takes apart the objects.
    pub take: T,
}

type Written<T, H> = Result<(), <T as Take<H>>::Error>;

impl<H: Host<Name = String>, T: Take<H>> Encoder<'_, '_, H, T> {
    /// Writes a value of the program's last type.
    pub fn only(&mut self, value: &T::Value) -> Written<T, H> {
        self.value(self.program.types.len() - 1, value)
    }

    /// Writes a value of the type `ty`.
    fn value(&mut self, ty: TypeNumber, value: &T::Value) -> Written<T, H> {
        let ty = &self.program.types[ty];
        match &ty.kind {
            Kind::Primitive { primitive, must_be_text, .. } => {
                match self.primitive(*primitive, *must_be_text, value)? {
                    true => Ok(()),
                    false => Err(shape(ty)),
                }
            }
            Kind::External(name) => {
                Err(Error::unplaced(Problem::External { name: name.clone() }).into())
            }
            Kind::List(element) => {
                let elements = self.take.elements(value)?.ok_or_else(|| shape(ty))?;
                let (mark, count) = (self.writer.mark(), T::count(&elements));
                for at in (0..count).rev() {
                    let written = self.value(*element, T::element(&elements, at).borrow());
                    within(written, || Segment::Element(at as u64))?;
                }
                self.close(mark, count, 0, WireType::Htuple)
            }
            Kind::Tuple(types) => match self.take.elements(value)? {
                Some(elements) if T::count(&elements) == types.len() => {
                    self.parts(types, 0, |_, at| Ok(T::element(&elements, at)))
                }
                _ => Err(shape(ty)),
            },
            Kind::Sum { constants, constructors } => self.sum(constants, constructors, value, ty),
            Kind::Message { name, is_subset, cases } => {
                let tag = cases.iter().position(|case| self.take.is_of(value, &case.class));
                let tag = tag.ok_or_else(|| shape(ty))?;
                if *is_subset {
                    return Err(Error::unplaced(Problem::ReadOnly).into());
                }
                let written = self.fields(&cases[tag], tag, value);
                within(written, || Segment::Message(name.clone().into()))
            }
        }
    }

    /// Writes a primitive. Returns whether the value is one of this type.
    fn primitive(
        &mut self,
        primitive: Primitive,
        must_be_text: bool,
        value: &T::Value,
    ) -> Result<bool, T::Error> {
        let Encoder { take, writer, .. } = self;
        take.reserve(writer, 0)?;
        let is_fit = match primitive {
            Primitive::Bool => take.boolean(value).map(|value| writer.write_bool(value)),
            Primitive::Byte => {
                let byte = take.integer(value).and_then(|value| u8::try_from(value).ok());
                byte.map(|value| writer.write_byte(value))
            }
            Primitive::Int => {
                let int = take.integer(value).filter(|int| (-(1 << 62)..1 << 62).contains(int));
                int.map(|value| writer.write_int(value))
            }
            Primitive::Long => take.integer(value).map(|value| writer.write_long(value)),
            Primitive::Float => take.float(value)?.map(|value| writer.write_float(value)),
            Primitive::String => {
                return take.string(value, must_be_text, |bytes| {
                    take.reserve(writer, bytes.len())?;
                    writer.write_string(bytes);
                    Ok(())
                });
            }
        };
        Ok(is_fit.is_some())
    }

    /// Writes a block that contains one value of each of `types`, which `part` returns.
    fn parts<P: Borrow<T::Value>>(
        &mut self,
        types: &[TypeNumber],
        tag: usize,
        part: impl Fn(&T, usize) -> Result<P, T::Error>,
    ) -> Written<T, H> {
        let mark = self.writer.mark();
        for (at, &ty) in types.iter().enumerate().rev() {
            let value = part(&self.take, at)?;
            within(self.value(ty, value.borrow()), || Segment::Element(at as u64))?;
        }
        self.close(mark, types.len(), tag, WireType::Tuple)
    }

    /// Writes a value of a sum type: a constant, or an object of a constructor's class.
    fn sum(
        &mut self,
        constants: &[H::Held],
        constructors: &[Constructor<H>],
        value: &T::Value,
        ty: &Type<H>,
    ) -> Written<T, H> {
        if let Some(tag) = constants.iter().position(|held| self.take.is_held(value, held)) {
            self.take.reserve(self.writer, 0)?;
            self.writer.write_enum(tag as u64);
            return Ok(());
        }
        let tag = constructors.iter().position(|one| self.take.is_of(value, &one.class));
        let tag = tag.ok_or_else(|| shape(ty))?;
        let Constructor { class, name, types } = &constructors[tag];
        let written = self.parts(types, tag, |take, at| take.member(value, class, None, at));
        within(written, || Segment::Constructor(name.clone().into()))
    }

    /// Writes the fields of a message. A lazy field is written by copying its bytes.
    fn fields(&mut self, case: &Case<H>, tag: usize, message: &T::Value) -> Written<T, H> {
        let mark = self.writer.mark();
        for (at, field) in case.fields.iter().enumerate().rev() {
            let value = self.take.member(message, &case.class, field.slot.as_ref(), at)?;
            let Encoder { take, writer, .. } = self;
            let copy = |bytes: &[u8]| {
                take.reserve(writer, bytes.len())?;
                writer.raw(bytes);
                Ok(())
            };
            if field.slot.is_none() || !take.lazy(&value, copy)? {
                let written = self.value(field.ty, &value);
                within(written, || Segment::Field(field.name.clone().into()))?;
            }
        }
        self.close(mark, case.fields.len(), tag, WireType::Tuple)
    }

    /// Ends a block.
    fn close(&mut self, mark: usize, count: usize, tag: usize, ty: WireType) -> Written<T, H> {
        self.take.reserve(self.writer, 0)?;
        self.writer.close_block(mark, count as u64, tag as u64, ty);
        Ok(())
    }
}

/// Returns the error for a value that does not have the shape of its type.
#[cold]
fn shape<H: Host<Name = String>, E: Stop>(ty: &Type<H>) -> E {
    Error::unplaced(Problem::Shape { expected: ty.name.clone() }).into()
}

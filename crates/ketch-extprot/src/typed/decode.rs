//! Reads values by a schema.

use super::read::{Build, Decoder};
use super::{Lazy, Typed};
use crate::error::{Error, Problem, Result};
use crate::limits::Limits;
use crate::schema::ast::Primitive;
use crate::schema::{Default, Held, Position, Positions, Schema, TypeId};
use crate::wire::Reader;
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
        default_value(self, ty, &Limits::default())
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
    let mut reader = Reader::with_limits(bytes, limits).with_offset(offset_bytes);
    one(schema, limits, bytes.len(), |decoder| decoder.value(ty.0 as usize, &mut reader))
}

/// Returns the value of the type `ty` that consists of defaults.
fn default_value(schema: &Schema, ty: TypeId, limits: &Limits) -> Result<Typed<'static>> {
    one(schema, limits, 0, |decoder| decoder.default(ty.0 as usize, 0))
}

/// Returns the value that `push` pushes, of an input of `bytes` bytes.
fn one<'a, 's>(
    schema: &'s Schema,
    limits: &Limits,
    bytes: usize,
    push: impl FnOnce(&mut Decoder<'s, Positions, Builder<'a>>) -> Result<()>,
) -> Result<Typed<'a>> {
    // No collection starts at the bottom: `split_off(0)` would hand out the stack, with its capacity.
    let mut stack = Vec::with_capacity(16);
    stack.push(Typed::Bool(false));
    let mut decoder = Decoder::new(schema.program(), Builder(stack), limits, bytes);
    push(&mut decoder)?;
    // Success means that one value was pushed.
    decoder.build.0.pop().ok_or_else(|| Error::unplaced(Problem::Eof))
}

/// Creates values, on a stack.
struct Builder<'a>(Vec<Typed<'a>>);

impl<'a> Builder<'a> {
    /// Replaces the values from `start` on by the value that `make` creates from them.
    #[inline(always)]
    fn finish(
        &mut self,
        start: usize,
        make: impl FnOnce(Vec<Typed<'a>>) -> Typed<'a>,
    ) -> Result<()> {
        let values = self.0.split_off(start);
        self.push(make(values))
    }

    #[inline(always)]
    fn push(&mut self, value: Typed<'a>) -> Result<()> {
        self.0.push(value);
        Ok(())
    }
}

impl<'a> Build<'a, Positions> for Builder<'a> {
    type Error = Error;

    #[inline(always)]
    fn count(&self) -> usize {
        self.0.len()
    }

    fn truncate(&mut self, count: usize) {
        self.0.truncate(count);
    }

    #[inline(always)]
    fn held(&mut self, held: &Held) {
        self.0.push(match held {
            Held::Constant(constructor) => Typed::Sum(*constructor, Vec::new()),
            Held::Default(primitive, default) => default_primitive(*primitive, default),
        });
    }

    #[inline(always)]
    fn boolean(&mut self, value: bool) {
        self.0.push(Typed::Bool(value));
    }

    #[inline(always)]
    fn integer(&mut self, value: i64, primitive: Primitive) -> Result<()> {
        self.push(match primitive {
            Primitive::Byte => Typed::Byte(value as u8),
            Primitive::Long => Typed::Long(value),
            _ => Typed::Int(value),
        })
    }

    #[inline(always)]
    fn float(&mut self, value: f64) -> Result<()> {
        self.push(Typed::Float(value))
    }

    #[inline(always)]
    fn string(&mut self, bytes: &'a [u8], _: bool, _: impl FnOnce() -> u64) -> Result<()> {
        self.push(Typed::String(Cow::Borrowed(bytes)))
    }

    #[inline(always)]
    fn list(&mut self, start: usize) -> Result<()> {
        self.finish(start, Typed::List)
    }

    #[inline(always)]
    fn tuple(&mut self, start: usize) -> Result<()> {
        self.finish(start, Typed::Tuple)
    }

    #[inline(always)]
    fn object(&mut self, class: &Position, start: usize) -> Result<()> {
        match *class {
            Position::Constructor(index) => self.finish(start, |values| Typed::Sum(index, values)),
            Position::Case(index) => self.finish(start, |values| Typed::Message(index, values)),
        }
    }

    fn lazy(&mut self, bytes: &'a [u8], &ty: &TypeId, offset_bytes: u64) -> Result<()> {
        let bytes = Cow::Borrowed(bytes);
        self.push(Typed::Lazy(Lazy { bytes, offset_bytes, ty, value: OnceLock::new() }))
    }
}

/// Returns a declared default as a value of its type.
fn default_primitive(primitive: Primitive, default: &Default) -> Typed<'static> {
    match default {
        Default::Bool(value) => Typed::Bool(*value),
        Default::Byte(value) => Typed::Byte(*value),
        Default::Int(value) if primitive == Primitive::Long => Typed::Long(*value),
        Default::Int(value) => Typed::Int(*value),
        Default::Float(bits) => Typed::Float(f64::from_bits(*bits)),
        Default::String(bytes) => Typed::String(Cow::Owned(bytes.clone())),
    }
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
        let limits = Limits { default_values: 2, ..Limits::default() };
        let error = default_value(&schema, message, &limits).unwrap_err();
        let Problem::LimitExceeded { limit, n, max } = error.problem() else { panic!("{error}") };
        assert_eq!((*limit, *n, *max), ("default_values", 3, 2));
    }
}

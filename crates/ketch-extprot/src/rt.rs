//! Run-time support for generated code. Programs use the generated types instead.

pub use crate::doc::{Bracket, Doc};
pub use crate::error::{Error, Problem, Result};
pub use crate::wire::{Prefix, Reader, WireType, Writer};

use std::fmt;
use std::sync::OnceLock;

/// A type that reads itself by the rules of its schema.
pub trait Decode<'a>: Sized {
    /// Reads a value, and moves the reader past it.
    fn decode(reader: &mut Reader<'a, '_>) -> Result<Self>;

    /// Returns the default value, or an error if there is none.
    fn default_value() -> Result<Self>;

    /// Reads the message at the start of `bytes`.
    fn from_bytes(bytes: &'a [u8]) -> Result<Self> {
        Decode::decode(&mut Reader::new(bytes))
    }
}

/// A type that writes itself, from back to front.
pub trait Encode {
    /// Writes the value before the existing content of `writer`.
    fn encode(&self, writer: &mut Writer);

    /// Returns the bytes of the value.
    ///
    /// # Errors
    /// Fails if an `int` needs more than 63 bits, or if the value contains a subset.
    fn to_bytes(&self) -> Result<Vec<u8>> {
        let mut writer = Writer::new();
        self.encode(&mut writer);
        writer.into_vec()
    }
}

/// A type that prints itself like the specification's pretty printer (13.2).
pub trait Pretty {
    /// Returns the text before it is broken into lines.
    fn doc(&self) -> Doc;

    /// Returns the text, with lines of at most 80 columns where possible.
    fn pretty(&self) -> String {
        self.doc().layout()
    }
}

/// Reads a list or array, and calls `element` to read each of its elements.
#[inline]
pub fn list<'a, T>(
    reader: &mut Reader<'a, '_>,
    mut element: impl FnMut(&mut Reader<'a, '_>) -> Result<T>,
) -> Result<Vec<T>> {
    if !reader.opt_prefix(Prefix::new(0, WireType::Htuple)) {
        let prefix = reader.prefix()?;
        if prefix.wire_type() != Some(WireType::Htuple) {
            return Err(reader.bad_wire_type(prefix, "a list or array"));
        }
    }
    let block = reader.enter()?;
    let count = reader.check_list(&block)?;
    // The count is at most the number of bytes in the block, but elements can be much larger in
    // memory. So the first allocation is bounded in bytes, and the list then grows with its
    // elements.
    let capacity_max = (64 * 1024 / size_of::<T>().max(1)).max(16);
    let mut list = Vec::with_capacity(count.min(capacity_max));
    for index in 0..count {
        match element(reader) {
            Ok(value) => list.push(value),
            Err(error) => return Err(error.in_element(index as u64)),
        }
    }
    reader.leave(block);
    Ok(list)
}

/// Returns an error at `offset`: the data does not contain `field`, which has no default.
#[cold]
#[inline(never)]
pub fn missing_field<T>(offset: u64, message: &'static str, field: &'static str) -> Result<T> {
    Err(Error::new(Problem::MissingField, offset).in_field(message, field))
}

/// Returns an error at `offset`: the data does not contain the element `index`, which has no
/// default.
#[cold]
#[inline(never)]
pub fn missing_element<T>(offset: u64, index: u64) -> Result<T> {
    Err(Error::new(Problem::MissingTupleElement { index }, offset))
}

/// Returns an error: the expected type has no constructor or case with the tag `tag`.
#[cold]
#[inline(never)]
pub fn unknown_tag<T>(reader: &Reader<'_, '_>, tag: u64) -> Result<T> {
    Err(reader.error(Problem::UnknownTag { tag }))
}

/// Returns `Ok(value)`. Generated code calls this, because it fixes the type of the error.
#[inline]
pub fn ok<T>(value: T) -> Result<T> {
    Ok(value)
}

/// Returns an error: a default is needed, but the type has none.
#[cold]
pub fn no_default<T>() -> Result<T> {
    Err(Error::unplaced(Problem::MissingField))
}

/// Returns whether the next value is an empty list. An empty list in a lazy field is decoded
/// immediately (specification 8).
pub fn is_empty_list(reader: &Reader<'_, '_>) -> bool {
    let mut reader = reader.clone();
    let list = reader.prefix().is_ok_and(|p| p.wire_type() == Some(WireType::Htuple));
    list && reader.enter().is_ok_and(|block| block.count() == 0)
}

/// Returns whether the next value is a constant of a sum type. A constant in a lazy field is decoded
/// immediately (specification 8).
pub fn is_constant(reader: &Reader<'_, '_>) -> bool {
    reader.peek_prefix().is_ok_and(|p| p.wire_type() == Some(WireType::Enum))
}

/// A function that decodes one value from its bytes.
type DecodeFn<T> = fn(&mut Reader<'_, '_>) -> Result<T>;

/// A field that is decoded on first access. Unless it is replaced, writing copies its bytes, including
/// data that this schema does not know.
pub struct Lazy<T> {
    raw: Option<(Box<[u8]>, u64, DecodeFn<T>)>,
    value: OnceLock<T>,
}

impl<T> Lazy<T> {
    /// Creates a field with a value.
    pub fn new(value: T) -> Lazy<T> {
        Lazy { raw: None, value: OnceLock::from(value) }
    }

    /// Creates a field from the bytes of the next value, which `decode` decodes later. Generated code
    /// calls this.
    pub fn from_reader(reader: &mut Reader<'_, '_>, decode: DecodeFn<T>) -> Result<Lazy<T>> {
        let offset = reader.offset_bytes();
        let raw = Some((reader.raw()?.into(), offset, decode));
        Ok(Lazy { raw, value: OnceLock::new() })
    }

    /// Returns the value. The first call decodes it.
    pub fn get(&self) -> Result<&T> {
        match (self.value.get(), &self.raw) {
            (Some(value), _) => Ok(value),
            (None, Some((bytes, offset, decode))) => {
                let value = decode(&mut Reader::new(bytes).with_offset(*offset))?;
                Ok(self.value.get_or_init(|| value))
            }
            (None, None) => no_default(),
        }
    }

    /// Returns the bytes, or `None` if the field was created with a value.
    pub fn raw(&self) -> Option<&[u8]> {
        self.raw.as_ref().map(|(bytes, ..)| &**bytes)
    }
}

impl<T: Clone> Clone for Lazy<T> {
    fn clone(&self) -> Lazy<T> {
        Lazy { raw: self.raw.clone(), value: self.value.clone() }
    }
}

/// Two fields are equal if both can be decoded and their values are equal.
impl<T: PartialEq> PartialEq for Lazy<T> {
    fn eq(&self, other: &Lazy<T>) -> bool {
        matches!((self.get(), other.get()), (Ok(a), Ok(b)) if a == b)
    }
}

impl<T: fmt::Debug> fmt::Debug for Lazy<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Lazy").field(&self.get()).finish()
    }
}

/// A function that decodes one value, which may borrow from the bytes that it is read from.
type DecodeRefFn<'a, T> = fn(&mut Reader<'a, '_>) -> Result<T>;

/// The variant of [`Lazy`] for borrowed types, which refers to bytes of the input.
pub struct LazyRef<'a, T> {
    raw: Option<(&'a [u8], u64, DecodeRefFn<'a, T>)>,
    value: OnceLock<T>,
}

impl<'a, T> LazyRef<'a, T> {
    /// Creates a field with a value.
    pub fn new(value: T) -> LazyRef<'a, T> {
        LazyRef { raw: None, value: OnceLock::from(value) }
    }

    /// Creates a field from the bytes of the next value, which `decode` decodes later. Generated code
    /// calls this.
    pub fn from_reader(
        reader: &mut Reader<'a, '_>,
        decode: DecodeRefFn<'a, T>,
    ) -> Result<LazyRef<'a, T>> {
        let offset = reader.offset_bytes();
        Ok(LazyRef { raw: Some((reader.raw()?, offset, decode)), value: OnceLock::new() })
    }

    /// Returns the value. The first call decodes it.
    pub fn get(&self) -> Result<&T> {
        match (self.value.get(), &self.raw) {
            (Some(value), _) => Ok(value),
            (None, Some((bytes, offset, decode))) => {
                let value = decode(&mut Reader::new(bytes).with_offset(*offset))?;
                Ok(self.value.get_or_init(|| value))
            }
            (None, None) => no_default(),
        }
    }

    /// Returns the bytes, or `None` if the field was created with a value.
    pub fn raw(&self) -> Option<&'a [u8]> {
        self.raw.as_ref().map(|(bytes, ..)| *bytes)
    }
}

impl<T: Clone> Clone for LazyRef<'_, T> {
    fn clone(&self) -> Self {
        LazyRef { raw: self.raw, value: self.value.clone() }
    }
}

/// Two fields are equal if both can be decoded and their values are equal.
impl<T: PartialEq> PartialEq for LazyRef<'_, T> {
    fn eq(&self, other: &Self) -> bool {
        matches!((self.get(), other.get()), (Ok(a), Ok(b)) if a == b)
    }
}

impl<T: fmt::Debug> fmt::Debug for LazyRef<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("LazyRef").field(&self.get()).finish()
    }
}

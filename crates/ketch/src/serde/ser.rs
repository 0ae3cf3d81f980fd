//! Writes any type as YAML.

use super::value_serde;
use crate::Value;
use crate::serde_error::Error;
use crate::value::Tag;
use crate::value::write::write_spelling;
use ketch_bytes::utf8::into_string;
use ketch_yaml::present::{CollectionStyle, PresentError, PresentOptions, Presenter, Properties};
use ketch_yaml::represent::Native;
use serde::ser::{self, Serialize};
use std::io::Write;

/// Returns `value` as a YAML document.
///
/// ```
/// use serde::Serialize;
///
/// #[derive(Serialize)]
/// enum Shape {
///     Point,
///     Circle { r: f64 },
/// }
///
/// let shapes = [Shape::Point, Shape::Circle { r: 1.5 }];
/// assert_eq!(ketch::to_string(&shapes).unwrap(), "- Point\n- !Circle\n  r: 1.5\n");
/// ```
///
/// # Errors
///
/// Fails if the `Serialize` implementation of the type fails, or if types are nested more than 256
/// levels deep, because writing them recurses. A [`Value`] may have any depth.
pub fn to_string<T: ?Sized + Serialize>(value: &T) -> Result<String, Error> {
    let mut out = Vec::new();
    to_writer(&mut out, value)?;
    into_string(out).ok_or_else(|| Error::new("the output is not UTF-8"))
}

/// Writes `value` to `writer` as a YAML document.
///
/// # Errors
///
/// Fails as [`to_string`] does, or if `writer` fails.
pub fn to_writer<W: Write, T: ?Sized + Serialize>(writer: W, value: &T) -> Result<(), Error> {
    let mut serializer = Serializer::new(writer);
    value.serialize(&mut serializer)?;
    serializer.finish()?;
    Ok(())
}

/// The maximum nesting depth of types. It is limited because writing them recurses.
pub(super) const DEPTH_MAX: usize = 256;

/// Writes values as YAML, each as a document.
///
/// ```
/// use serde::Serialize;
///
/// let mut yaml = ketch::Serializer::new(Vec::new());
/// for value in [1, 2] {
///     value.serialize(&mut yaml).unwrap();
/// }
/// assert_eq!(yaml.finish().unwrap(), b"1\n--- 2\n");
/// ```
#[derive(Debug)]
pub struct Serializer<W> {
    yaml: Presenter<W>,
    /// The tag of the next value, if it has one.
    tag: Option<String>,
    /// The number of open collections.
    depth: usize,
    /// The number of open newtypes, `Some`s and variants.
    steps: usize,
}

type Written<T = ()> = Result<T, Error>;

impl<W: Write> Serializer<W> {
    /// Creates a serializer that writes to `writer`, with the default options.
    pub fn new(writer: W) -> Serializer<W> {
        Serializer::with_options(writer, &PresentOptions::default())
    }

    /// Creates a serializer that writes to `writer`, with the options `options`.
    pub fn with_options(writer: W, options: &PresentOptions) -> Serializer<W> {
        Serializer { yaml: Presenter::with_options(writer, options), tag: None, depth: 0, steps: 0 }
    }

    /// Writes the buffered text, and returns the writer.
    ///
    /// # Errors
    ///
    /// Fails if the writer fails.
    pub fn finish(self) -> Written<W> {
        Ok(self.yaml.finish()?)
    }

    /// Does the same as [`Serializer::finish`], under the name that serde_yaml uses.
    ///
    /// # Errors
    ///
    /// Fails if the writer fails.
    pub fn into_inner(self) -> Written<W> {
        self.finish()
    }

    /// Writes the documents that are complete, and flushes the writer.
    ///
    /// # Errors
    ///
    /// Fails if the writer fails.
    pub fn flush(&mut self) -> Written {
        self.yaml.flush_documents()?;
        Ok(self.yaml.get_mut().flush().map_err(PresentError::from)?)
    }

    /// Starts a document if the next value is its root.
    fn start(&mut self) -> Written {
        if self.depth == 0 {
            self.yaml.start_document(false)?;
        }
        Ok(())
    }

    /// Ends the document if its root is complete.
    fn end(&mut self) -> Written {
        if self.depth == 0 {
            self.yaml.end_document(false)?;
        }
        Ok(())
    }

    /// Writes the scalar `value`.
    #[inline(always)]
    fn native(&mut self, value: Native<'_>) -> Written {
        if self.depth > 0 && self.tag.is_none() {
            return Ok(self.yaml.native(value, Properties::NONE)?);
        }
        self.native_with_tag(value)
    }

    /// Writes the scalar `value`, which is the root of a document or has a tag.
    #[inline(never)]
    fn native_with_tag(&mut self, value: Native<'_>) -> Written {
        self.start()?;
        let tag = self.tag.take();
        self.yaml.native(value, Properties { anchor: None, tag: tag.as_deref() })?;
        self.end()
    }

    /// Starts a mapping if `is_mapping` is set, and a sequence otherwise.
    #[inline]
    fn start_collection(&mut self, is_mapping: bool) -> Written {
        if (1..DEPTH_MAX).contains(&self.depth) && self.tag.is_none() {
            self.depth += 1;
            return self.start_with(is_mapping, Properties::NONE);
        }
        self.start_rare_collection(is_mapping)
    }

    /// Starts a collection that is the root of a document, has a tag, or may be too deep.
    #[inline(never)]
    fn start_rare_collection(&mut self, is_mapping: bool) -> Written {
        self.start()?;
        self.depth += 1;
        if self.depth > DEPTH_MAX {
            return Err(too_deep());
        }
        let tag = self.tag.take();
        self.start_with(is_mapping, Properties { anchor: None, tag: tag.as_deref() })
    }

    /// Starts a collection that has the properties `properties`.
    #[inline(always)]
    fn start_with(&mut self, is_mapping: bool, properties: Properties<'_>) -> Written {
        match is_mapping {
            true => self.yaml.start_mapping(CollectionStyle::Block, properties)?,
            false => self.yaml.start_sequence(CollectionStyle::Block, properties)?,
        }
        Ok(())
    }

    /// Ends the innermost collection, and the document if that is its root.
    fn end_collection(&mut self, is_mapping: bool) -> Written {
        match is_mapping {
            true => self.yaml.end_mapping()?,
            false => self.yaml.end_sequence()?,
        }
        self.depth -= 1;
        self.end()
    }

    /// Sets the tag of the next value. Fails if it already has one.
    fn tagged(&mut self, tag: String) -> Written {
        match self.tag.replace(tag) {
            None => Ok(()),
            Some(_) => Err(two_tags()),
        }
    }

    /// Writes `value`, the content of a newtype, a `Some` or a variant. The depth of these is
    /// limited, because types can recurse through them.
    #[inline(always)]
    fn step<T: ?Sized + Serialize>(&mut self, value: &T) -> Written {
        if self.steps >= DEPTH_MAX {
            return Err(too_deep());
        }
        self.steps += 1;
        let written = value.serialize(&mut *self);
        self.steps -= 1;
        written
    }

    /// Writes `value`, which is nested too deeply to be written by recursion.
    #[cold]
    fn deep(&mut self, value: &Value) -> Written {
        self.start()?;
        let tag = self.tag.take().map(Tag::new);
        value.write_tagged_node(tag.as_ref(), &mut self.yaml)?;
        self.end()
    }

    /// Writes a plain scalar that has a tag. `text` is its original spelling.
    #[cold]
    fn spelled(&mut self, text: &str) -> Written {
        self.start()?;
        let tag = self.tag.take();
        let properties = Properties { anchor: None, tag: tag.as_deref() };
        write_spelling(text, &mut self.yaml, properties)?;
        self.end()
    }

    /// Sets the tag of the next value to `name`, the name of a variant.
    fn variant(&mut self, name: &str) -> Written {
        self.tagged(format!("!{name}"))
    }
}

/// Returns the error for an enum whose content is directly another enum.
#[cold]
pub(super) fn two_tags() -> Error {
    Error::new(
        "YAML cannot represent an enum whose content is directly another enum: a node has at most one tag",
    )
}

/// Returns the error for types that are nested too deeply.
#[cold]
pub(super) fn too_deep() -> Error {
    Error::new("nested too deeply for this type; only a `Value` can have any depth")
}

/// Returns the `f64` with the same shortest decimal digits as `value`, so that `0.1f32` is written
/// as `0.1` and not as `0.10000000149011612`.
pub(super) fn widened(value: f32) -> f64 {
    value.to_string().parse().unwrap_or_else(|_| value.into())
}

macro_rules! integers {
    ($($method:ident($type:ty))*) => {
        $(fn $method(self, value: $type) -> Written {
            match i64::try_from(value) {
                Ok(value) => self.native(Native::Int(value)),
                Err(_) => self.native(Native::BigInt(&value.to_string())),
            }
        })*
    };
}

impl<'s, W: Write> ser::Serializer for &'s mut Serializer<W> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Items<'s, W>;
    type SerializeTuple = Items<'s, W>;
    type SerializeTupleStruct = Items<'s, W>;
    type SerializeTupleVariant = Items<'s, W>;
    type SerializeMap = Pairs<'s, W>;
    type SerializeStruct = Pairs<'s, W>;
    type SerializeStructVariant = Pairs<'s, W>;

    integers! {
        serialize_i8(i8) serialize_i16(i16) serialize_i32(i32) serialize_i64(i64)
        serialize_i128(i128) serialize_u8(u8) serialize_u16(u16) serialize_u32(u32)
        serialize_u64(u64) serialize_u128(u128)
    }

    fn serialize_bool(self, value: bool) -> Written {
        self.native(Native::Bool(value))
    }

    fn serialize_f32(self, value: f32) -> Written {
        self.native(Native::Float(widened(value)))
    }

    fn serialize_f64(self, value: f64) -> Written {
        self.native(Native::Float(value))
    }

    fn serialize_char(self, value: char) -> Written {
        self.native(Native::Str(value.encode_utf8(&mut [0; 4])))
    }

    fn serialize_str(self, value: &str) -> Written {
        self.native(Native::Str(value))
    }

    fn serialize_bytes(self, value: &[u8]) -> Written {
        self.native(Native::Binary(value))
    }

    fn serialize_none(self) -> Written {
        self.native(Native::Null)
    }

    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Written {
        self.step(value)
    }

    fn serialize_unit(self) -> Written {
        self.native(Native::Null)
    }

    fn serialize_unit_struct(self, _name: &'static str) -> Written {
        self.native(Native::Null)
    }

    fn serialize_unit_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
    ) -> Written {
        self.native(Native::Str(variant))
    }

    fn serialize_newtype_struct<T: ?Sized + Serialize>(
        self,
        name: &'static str,
        value: &T,
    ) -> Written {
        match name {
            value_serde::TAGGED => {
                self.tagged(value_serde::take_passed_text())?;
                value.serialize(self)
            }
            value_serde::BIG_INT => self.native(Native::BigInt(&value_serde::take_passed_text())),
            value_serde::SPELLED => self.spelled(&value_serde::take_passed_text()),
            value_serde::DEEP => self.deep(&value_serde::take_deep_value()),
            _ => self.step(value),
        }
    }

    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        value: &T,
    ) -> Written {
        self.variant(variant)?;
        self.step(value)
    }

    fn serialize_seq(self, _len: Option<usize>) -> Written<Items<'s, W>> {
        self.start_collection(false)?;
        Ok(Items(self))
    }

    fn serialize_tuple(self, len: usize) -> Written<Items<'s, W>> {
        self.serialize_seq(Some(len))
    }

    fn serialize_tuple_struct(self, _name: &'static str, len: usize) -> Written<Items<'s, W>> {
        self.serialize_seq(Some(len))
    }

    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        len: usize,
    ) -> Written<Items<'s, W>> {
        self.variant(variant)?;
        self.serialize_seq(Some(len))
    }

    fn serialize_map(self, _len: Option<usize>) -> Written<Pairs<'s, W>> {
        self.start_collection(true)?;
        Ok(Pairs(self))
    }

    fn serialize_struct(self, _name: &'static str, len: usize) -> Written<Pairs<'s, W>> {
        self.serialize_map(Some(len))
    }

    fn serialize_struct_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        len: usize,
    ) -> Written<Pairs<'s, W>> {
        self.variant(variant)?;
        self.serialize_map(Some(len))
    }
}

/// A sequence that is being written.
#[derive(Debug)]
pub struct Items<'s, W>(&'s mut Serializer<W>);

/// A mapping that is being written.
#[derive(Debug)]
pub struct Pairs<'s, W>(&'s mut Serializer<W>);

macro_rules! items {
    ($($trait:ident::$method:ident)*) => {
        $(impl<W: Write> ser::$trait for Items<'_, W> {
            type Ok = ();
            type Error = Error;

            fn $method<T: ?Sized + Serialize>(&mut self, value: &T) -> Written {
                value.serialize(&mut *self.0)
            }

            fn end(self) -> Written {
                self.0.end_collection(false)
            }
        })*
    };
}

items! {
    SerializeSeq::serialize_element SerializeTuple::serialize_element
    SerializeTupleStruct::serialize_field SerializeTupleVariant::serialize_field
}

impl<W: Write> ser::SerializeMap for Pairs<'_, W> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: ?Sized + Serialize>(&mut self, key: &T) -> Written {
        key.serialize(&mut *self.0)
    }

    fn serialize_value<T: ?Sized + Serialize>(&mut self, value: &T) -> Written {
        value.serialize(&mut *self.0)
    }

    fn end(self) -> Written {
        self.0.end_collection(true)
    }
}

macro_rules! pairs {
    ($($trait:ident)*) => {
        $(impl<W: Write> ser::$trait for Pairs<'_, W> {
            type Ok = ();
            type Error = Error;

            fn serialize_field<T: ?Sized + Serialize>(
                &mut self,
                key: &'static str,
                value: &T,
            ) -> Written {
                key.serialize(&mut *self.0)?;
                value.serialize(&mut *self.0)
            }

            fn end(self) -> Written {
                self.0.end_collection(true)
            }
        })*
    };
}

pairs! { SerializeStruct SerializeStructVariant }

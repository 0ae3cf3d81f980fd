//! Converts any type to a value, without writing text.

use super::ser::{DEPTH_MAX, too_deep, two_tags, widened};
use super::value_serde;
use crate::serde_error::Error;
use crate::value::build::Builder;
use crate::value::{Tag, Value};
use ketch_yaml::schema::{Scalar, Schema};
use serde::ser::{self, Serialize};

/// Converts `value`, which may have any type, to a [`Value`].
///
/// # Errors
///
/// Fails as [`to_string`](crate::to_string) does.
pub fn to_value<T: ?Sized + Serialize>(value: &T) -> Result<Value, Error> {
    let mut serializer = ValueSerializer::default();
    value.serialize(&mut serializer)?;
    Ok(serializer.finish())
}

/// Builds a [`Value`].
#[derive(Default)]
pub(super) struct ValueSerializer {
    builder: Builder,
    /// The tag of the next value, if it has one.
    tag: Option<String>,
    /// The number of open collections.
    depth: usize,
    /// The number of open newtypes, `Some`s and variants.
    steps: usize,
}

type Built<T = ()> = Result<T, Error>;

/// The tag that timestamps have when they are passed to a serializer.
const TIMESTAMP: &str = "tag:yaml.org,2002:timestamp";

impl ValueSerializer {
    /// Returns the value that was built.
    pub fn finish(self) -> Value {
        self.builder.finish()
    }

    /// Adds the scalar `value`, with its tag if it has one.
    fn leaf(&mut self, value: impl Into<Value>) -> Built {
        self.take_tag();
        self.builder.value(value.into());
        Ok(())
    }

    /// Passes the tag of the next value to the builder, if it has one.
    fn take_tag(&mut self) {
        if let Some(tag) = self.tag.take() {
            self.builder.tag(Tag::new(tag));
        }
    }

    /// Sets the tag of the next value. Fails if it already has one.
    fn tagged(&mut self, tag: String) -> Built {
        match self.tag.replace(tag) {
            None => Ok(()),
            Some(_) => Err(two_tags()),
        }
    }

    /// Starts a collection. Fails if it is nested too deeply.
    fn start(&mut self, is_mapping: bool) -> Built {
        self.depth += 1;
        if self.depth > DEPTH_MAX {
            return Err(too_deep());
        }
        self.take_tag();
        self.builder.start(is_mapping);
        Ok(())
    }

    /// Ends the innermost collection.
    fn end(&mut self) -> Built {
        self.depth -= 1;
        self.builder.end();
        Ok(())
    }

    /// Converts `value`, the content of a newtype, a `Some` or a variant. The depth of these is
    /// limited, because types can recurse through them.
    fn step<T: ?Sized + Serialize>(&mut self, value: &T) -> Built {
        self.steps += 1;
        if self.steps > DEPTH_MAX {
            return Err(too_deep());
        }
        value.serialize(&mut *self)?;
        self.steps -= 1;
        Ok(())
    }

    /// Adds `value`, a plain scalar that has a tag. `text` is its original spelling.
    fn spelled<T: ?Sized + Serialize>(&mut self, text: &str, value: &T) -> Built {
        if let Some(tag) = self.tag.take() {
            self.builder.tag(Tag::with_spelling(&tag, text));
        }
        value.serialize(self)
    }
}

macro_rules! leaves {
    ($($method:ident($type:ty) => |$value:ident| $leaf:expr;)*) => {
        $(fn $method(self, $value: $type) -> Built {
            self.leaf($leaf)
        })*
    };
}

impl<'s> ser::Serializer for &'s mut ValueSerializer {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Entries<'s>;
    type SerializeTuple = Entries<'s>;
    type SerializeTupleStruct = Entries<'s>;
    type SerializeTupleVariant = Entries<'s>;
    type SerializeMap = Entries<'s>;
    type SerializeStruct = Entries<'s>;
    type SerializeStructVariant = Entries<'s>;

    leaves! {
        serialize_bool(bool) => |value| value;
        serialize_i8(i8) => |value| value;
        serialize_i16(i16) => |value| value;
        serialize_i32(i32) => |value| value;
        serialize_i64(i64) => |value| value;
        serialize_i128(i128) => |value| value;
        serialize_u8(u8) => |value| value;
        serialize_u16(u16) => |value| value;
        serialize_u32(u32) => |value| value;
        serialize_u64(u64) => |value| value;
        serialize_u128(u128) => |value| value;
        serialize_f32(f32) => |value| widened(value);
        serialize_f64(f64) => |value| value;
        serialize_char(char) => |value| &*value.encode_utf8(&mut [0; 4]);
        serialize_bytes(&[u8]) => |value| Value::Bytes(value.to_vec());
        serialize_unit_struct(&'static str) => |_name| ();
    }

    fn serialize_str(self, text: &str) -> Built {
        if self.tag.as_deref() == Some(TIMESTAMP)
            && let Scalar::Timestamp(value) = Schema::Yaml11.scalar(text)
        {
            self.tag = None;
            return self.leaf(value);
        }
        self.leaf(text)
    }

    fn serialize_none(self) -> Built {
        self.leaf(())
    }

    fn serialize_unit(self) -> Built {
        self.leaf(())
    }

    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Built {
        self.step(value)
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Built {
        self.leaf(variant)
    }

    fn serialize_newtype_struct<T: ?Sized + Serialize>(
        self,
        name: &'static str,
        value: &T,
    ) -> Built {
        match name {
            value_serde::TAGGED => {
                self.tagged(value_serde::take_passed_text())?;
                value.serialize(self)
            }
            value_serde::BIG_INT => {
                let digits = value_serde::take_passed_text();
                self.leaf(digits.parse::<num_bigint::BigInt>().map_or(Value::Null, Value::from))
            }
            value_serde::SPELLED => self.spelled(&value_serde::take_passed_text(), value),
            value_serde::DEEP => self.leaf(value_serde::take_deep_value()),
            _ => self.step(value),
        }
    }

    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Built {
        self.tagged(format!("!{variant}"))?;
        self.step(value)
    }

    fn serialize_seq(self, _: Option<usize>) -> Built<Entries<'s>> {
        self.start(false)?;
        Ok(Entries(self))
    }

    fn serialize_tuple(self, _: usize) -> Built<Entries<'s>> {
        self.serialize_seq(None)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Built<Entries<'s>> {
        self.serialize_seq(None)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Built<Entries<'s>> {
        self.tagged(format!("!{variant}"))?;
        self.serialize_seq(None)
    }

    fn serialize_map(self, _: Option<usize>) -> Built<Entries<'s>> {
        self.start(true)?;
        Ok(Entries(self))
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Built<Entries<'s>> {
        self.serialize_map(None)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Built<Entries<'s>> {
        self.tagged(format!("!{variant}"))?;
        self.serialize_map(None)
    }
}

/// A collection that is being built.
pub(super) struct Entries<'s>(&'s mut ValueSerializer);

macro_rules! sequences {
    ($($trait:ident::$method:ident)*) => {
        $(impl ser::$trait for Entries<'_> {
            type Ok = ();
            type Error = Error;

            fn $method<T: ?Sized + Serialize>(&mut self, value: &T) -> Built {
                value.serialize(&mut *self.0)
            }

            fn end(self) -> Built {
                self.0.end()
            }
        })*
    };
}

sequences! {
    SerializeSeq::serialize_element SerializeTuple::serialize_element
    SerializeTupleStruct::serialize_field SerializeTupleVariant::serialize_field
}

macro_rules! structs {
    ($($trait:ident)*) => {
        $(impl ser::$trait for Entries<'_> {
            type Ok = ();
            type Error = Error;

            fn serialize_field<T: ?Sized + Serialize>(
                &mut self,
                key: &'static str,
                value: &T,
            ) -> Built {
                self.0.leaf(key)?;
                value.serialize(&mut *self.0)
            }

            fn end(self) -> Built {
                self.0.end()
            }
        })*
    };
}

structs! { SerializeStruct SerializeStructVariant }

impl ser::SerializeMap for Entries<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: ?Sized + Serialize>(&mut self, key: &T) -> Built {
        key.serialize(&mut *self.0)
    }

    fn serialize_value<T: ?Sized + Serialize>(&mut self, value: &T) -> Built {
        value.serialize(&mut *self.0)
    }

    fn end(self) -> Built {
        self.0.end()
    }
}

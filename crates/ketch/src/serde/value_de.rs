//! Values out of any deserializer, and any type out of values.

use super::error::Error;
use crate::value::{Mapping, Number, Sequence, Tag, TaggedValue, Value};
use serde::de::value::{MapDeserializer, SeqDeserializer, StrDeserializer};
use serde::de::{
    self, Deserialize, Deserializer, EnumAccess, IntoDeserializer, MapAccess, SeqAccess,
    VariantAccess, Visitor,
};
use std::cell::RefCell;
use std::fmt;

/// A newtype of this name asks Ketch's own deserializer for a whole value, which is built without
/// recursion.
pub(super) const NAME: &str = "$ketch::Value";

thread_local! {
    /// The value on its way from the deserializer to the visitor, between two adjacent calls: serde
    /// has no words for handing over a value of our own.
    static HANDED_OVER: RefCell<Option<Value>> = const { RefCell::new(None) };
}

/// Puts `value` where the visitor's next call takes it.
pub(super) fn hand_over(value: Value) {
    HANDED_OVER.set(Some(value));
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_newtype_struct(NAME, ValueVisitor)
    }
}

struct ValueVisitor;

macro_rules! visit {
    ($($method:ident($type:ty))*) => {
        $(fn $method<E: de::Error>(self, value: $type) -> Result<Value, E> {
            Ok(Value::from(value))
        })*
    };
}

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    visit! {
        visit_bool(bool) visit_i64(i64) visit_u64(u64) visit_i128(i128) visit_u128(u128)
        visit_f64(f64) visit_str(&str) visit_string(String)
    }

    fn visit_bytes<E: de::Error>(self, bytes: &[u8]) -> Result<Value, E> {
        Ok(Value::Bytes(bytes.to_vec()))
    }

    fn visit_unit<E: de::Error>(self) -> Result<Value, E> {
        Ok(HANDED_OVER.take().unwrap_or_default())
    }

    fn visit_none<E: de::Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        Value::deserialize(deserializer)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<Value, D::Error> {
        inner.deserialize_any(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = entries.next_element()? {
            values.push(value);
        }
        Ok(Value::Sequence(Sequence::from(values)))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut pairs = Mapping::new();
        while let Some((key, value)) = members.next_entry()? {
            pairs.insert(key, value);
        }
        Ok(Value::Mapping(pairs))
    }

    fn visit_enum<A: EnumAccess<'de>>(self, data: A) -> Result<Value, A::Error> {
        let (tag, content): (String, _) = data.variant()?;
        let value = content.newtype_variant()?;
        Ok(Value::Tagged(Box::new(TaggedValue { tag: Tag::new(tag), value })))
    }
}

impl<'de> Deserialize<'de> for Mapping {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Mapping, D::Error> {
        match Value::deserialize(deserializer)? {
            Value::Mapping(pairs) => Ok(pairs),
            other => Err(expected("a mapping", &other)),
        }
    }
}

impl<'de> Deserialize<'de> for Sequence {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Sequence, D::Error> {
        match Value::deserialize(deserializer)? {
            Value::Sequence(values) => Ok(values),
            other => Err(expected("a sequence", &other)),
        }
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Number, D::Error> {
        match Value::deserialize(deserializer)? {
            Value::Number(value) => Ok(value),
            other => Err(expected("a number", &other)),
        }
    }
}

fn expected<E: de::Error>(what: &str, found: &Value) -> E {
    let found = match found {
        Value::Sequence(_) => "a sequence".to_owned(),
        Value::Mapping(_) => "a mapping".to_owned(),
        scalar => format!("{scalar:?}"),
    };
    E::custom(format_args!("expected {what}, found {found}"))
}

impl<'de> IntoDeserializer<'de, Error> for &'de Value {
    type Deserializer = &'de Value;

    fn into_deserializer(self) -> &'de Value {
        self
    }
}

macro_rules! to_any {
    ($($method:ident)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            self.deserialize_any(visitor)
        })*
    };
}

/// Any type out of a value, which it may borrow from.
impl<'de> Deserializer<'de> for &'de Value {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self {
            Value::Null => visitor.visit_unit(),
            Value::Bool(value) => visitor.visit_bool(*value),
            Value::Number(value) => match (value.as_u64(), value.as_i64(), value.as_i128()) {
                (Some(value), ..) => visitor.visit_u64(value),
                (_, Some(value), _) => visitor.visit_i64(value),
                (.., Some(value)) => visitor.visit_i128(value),
                _ if value.is_float() => visitor.visit_f64(value.as_f64().unwrap_or(f64::NAN)),
                _ => match value.to_big_int().map(u128::try_from) {
                    Some(Ok(value)) => visitor.visit_u128(value),
                    _ => Err(Error::new("an integer of more than 128 bits")),
                },
            },
            Value::String(text) => visitor.visit_borrowed_str(text),
            Value::Bytes(bytes) => visitor.visit_borrowed_bytes(bytes),
            Value::Timestamp(value) => visitor.visit_string(value.to_string()),
            Value::Sequence(values) => visitor.visit_seq(SeqDeserializer::new(values.iter())),
            Value::Mapping(pairs) => visitor.visit_map(MapDeserializer::new(pairs.iter())),
            Value::Tagged(tagged) => tagged.value.deserialize_any(visitor),
        }
    }

    to_any! {
        deserialize_bool deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
        deserialize_i128 deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64
        deserialize_u128 deserialize_f32 deserialize_f64 deserialize_char deserialize_str
        deserialize_string deserialize_bytes deserialize_byte_buf deserialize_unit deserialize_seq
        deserialize_map deserialize_identifier
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_any(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        if name == NAME {
            hand_over(self.clone());
            return visitor.visit_unit();
        }
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_tuple<V: Visitor<'de>>(
        self,
        _len: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_any(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _len: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_any(visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_any(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let (name, content) = match self {
            Value::Tagged(tagged) => {
                let tag = tagged.tag.as_str();
                (tag.strip_prefix('!').unwrap_or(tag), Some(&tagged.value))
            }
            Value::String(name) => (name.as_str(), None),
            Value::Mapping(pairs) if pairs.len() == 1 => match pairs.iter().next() {
                Some((Value::String(name), value)) => (name.as_str(), Some(value)),
                _ => return Err(expected("a variant", self)),
            },
            _ => return Err(expected("a variant", self)),
        };
        visitor.visit_enum(Variant { name, content })
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }
}

/// A variant of an enum.
struct Variant<'de> {
    name: &'de str,
    content: Option<&'de Value>,
}

impl<'de> EnumAccess<'de> for Variant<'de> {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<V: de::DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), Error> {
        let name: StrDeserializer<'_, Error> = self.name.into_deserializer();
        Ok((seed.deserialize(name)?, self))
    }
}

impl<'de> Variant<'de> {
    fn content(self) -> Result<&'de Value, Error> {
        let name = self.name;
        self.content.ok_or_else(|| Error::new(format!("the variant `{name}` has content")))
    }
}

impl<'de> VariantAccess<'de> for Variant<'de> {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        match self.content {
            None => Ok(()),
            Some(content) => Deserialize::deserialize(content),
        }
    }

    fn newtype_variant_seed<T: de::DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Error> {
        seed.deserialize(self.content()?)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _len: usize, visitor: V) -> Result<V::Value, Error> {
        self.content()?.deserialize_any(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.content()?.deserialize_any(visitor)
    }
}

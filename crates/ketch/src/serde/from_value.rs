//! Reads any type from a value.

use super::context::{Depth, too_deep};
use super::node::wrong_len;
use super::options::DeOptions;
use super::value_de::Kind;
use crate::serde_error::Error;
use crate::value::{Mapping, Value};
use serde::de::value::StrDeserializer;
use serde::de::{
    self, DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer, MapAccess, SeqAccess,
    Unexpected, VariantAccess, Visitor,
};
use std::marker::PhantomData;

type Result<T> = std::result::Result<T, Error>;

/// How the text and bytes of a value are passed to a visitor.
pub(super) trait Lend<'v, 'de> {
    fn text<V: Visitor<'de>>(text: &'v str, visitor: V) -> Result<V::Value>;
    fn bytes<V: Visitor<'de>>(bytes: &'v [u8], visitor: V) -> Result<V::Value>;
}

/// Types may borrow from the value.
pub(super) enum Borrowed {}

/// The value does not outlive the call, so types must not borrow from it.
pub(super) enum Transient {}

impl<'de> Lend<'de, 'de> for Borrowed {
    fn text<V: Visitor<'de>>(text: &'de str, visitor: V) -> Result<V::Value> {
        visitor.visit_borrowed_str(text)
    }

    fn bytes<V: Visitor<'de>>(bytes: &'de [u8], visitor: V) -> Result<V::Value> {
        visitor.visit_borrowed_bytes(bytes)
    }
}

impl<'v, 'de> Lend<'v, 'de> for Transient {
    fn text<V: Visitor<'de>>(text: &'v str, visitor: V) -> Result<V::Value> {
        visitor.visit_str(text)
    }

    fn bytes<V: Visitor<'de>>(bytes: &'v [u8], visitor: V) -> Result<V::Value> {
        visitor.visit_bytes(bytes)
    }
}

/// A deserializer for a value.
pub(super) struct ValueDeserializer<'v, L> {
    value: &'v Value,
    /// The spelling of the value, if it is a plain scalar that had a tag.
    spelling: Option<&'v str>,
    depth: Depth,
    lend: PhantomData<L>,
}

impl<L> Clone for ValueDeserializer<'_, L> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<L> Copy for ValueDeserializer<'_, L> {}

impl<'v, L> ValueDeserializer<'v, L> {
    pub fn new(value: &'v Value) -> Self {
        let depth = Depth::new(DeOptions::default().max_recursion);
        ValueDeserializer { value, spelling: None, depth, lend: PhantomData }
    }

    /// Returns the deserializer for `value`, which is inside this value.
    fn child(self, value: &'v Value) -> Self {
        ValueDeserializer { value, spelling: None, ..self }
    }

    /// Returns the deserializer for the value without its tags.
    fn untagged(mut self) -> Self {
        while let Value::Tagged(tagged) = self.value {
            self = ValueDeserializer { spelling: tagged.spelling(), ..self.child(&tagged.value) };
        }
        self
    }

    /// Enters a collection. Fails if this exceeds the recursion limit.
    fn entered(self) -> Result<Self> {
        let depth = self.depth.entered().ok_or_else(too_deep)?;
        Ok(ValueDeserializer { depth, ..self })
    }

    /// Counts a step that a type can repeat without consuming input. Fails if this exceeds the
    /// recursion limit.
    fn stepped(self) -> Result<Self> {
        let depth = self.depth.stepped().ok_or_else(too_deep)?;
        Ok(ValueDeserializer { depth, ..self })
    }

    /// Passes `values`, the items of a sequence, to `visitor`, which must read all of them.
    fn sequence<'de, V: Visitor<'de>>(self, values: &'v [Value], visitor: V) -> Result<V::Value>
    where
        L: Lend<'v, 'de>,
    {
        let mut entries = Entries { values: values.iter(), parent: self.entered()?, index: 0 };
        let result = visitor.visit_seq(&mut entries)?;
        match entries.values.len() {
            0 => Ok(result),
            _ => Err(wrong_len(entries.index, values.len())),
        }
    }

    /// Passes `pairs` to `visitor`.
    fn mapping<'de, V: Visitor<'de>>(self, pairs: &'v Mapping, visitor: V) -> Result<V::Value>
    where
        L: Lend<'v, 'de>,
    {
        let (pairs, parent) = (pairs.iter(), self.entered()?);
        visitor.visit_map(Members { pairs, parent, last: None })
    }

    /// Passes the number to `visitor`, as the first type that can represent it.
    fn number<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let Value::Number(value) = self.value else { return visitor.visit_unit() };
        match (value.as_u64(), value.as_i64(), value.as_i128()) {
            (Some(value), ..) => visitor.visit_u64(value),
            (_, Some(value), _) => visitor.visit_i64(value),
            (.., Some(value)) => visitor.visit_i128(value),
            _ if value.is_float() => visitor.visit_f64(value.as_f64().unwrap_or(f64::NAN)),
            _ => match value.to_big_int().map(u128::try_from) {
                Some(Ok(value)) => visitor.visit_u128(value),
                _ => Err(Error::new("the integer has more than 128 bits")),
            },
        }
    }
}

macro_rules! to_any {
    ($($method:ident)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            self.deserialize_any(visitor)
        })*
    };
}

/// Defines methods that read the original text of a scalar if it is known, and otherwise its value.
macro_rules! to_text {
    ($($method:ident)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            match self.untagged().spelling {
                Some(text) => L::text(text, visitor),
                None => self.deserialize_any(visitor),
            }
        })*
    };
}

impl<'v, 'de, L: Lend<'v, 'de>> Deserializer<'de> for ValueDeserializer<'v, L> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let own = self.untagged();
        match own.value {
            Value::Null | Value::Tagged(_) => visitor.visit_unit(),
            Value::Bool(value) => visitor.visit_bool(*value),
            Value::Number(_) => own.number(visitor),
            Value::String(text) => L::text(text, visitor),
            Value::Bytes(bytes) => L::bytes(bytes, visitor),
            Value::Timestamp(value) => visitor.visit_string(value.to_string()),
            Value::Sequence(values) => own.sequence(values, visitor),
            Value::Mapping(pairs) => own.mapping(pairs, visitor),
        }
    }

    to_any! {
        deserialize_bool deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
        deserialize_i128 deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64
        deserialize_u128 deserialize_f32 deserialize_f64 deserialize_bytes deserialize_byte_buf
        deserialize_unit
    }

    to_text! { deserialize_char deserialize_str deserialize_string deserialize_identifier }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        // A null with a tag may be a variant of an enum.
        match self.value {
            Value::Null => visitor.visit_none(),
            _ => visitor.visit_some(self.stepped()?),
        }
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        self.deserialize_any(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        match Kind::of(name) {
            Some(kind) => kind.pass_to(self.value.clone(), visitor),
            None => visitor.visit_newtype_struct(self.stepped()?),
        }
    }

    /// Deserializes a sequence. Null is treated as an empty sequence.
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.untagged().value {
            Value::Null => self.sequence(&[], visitor),
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _len: usize, visitor: V) -> Result<V::Value> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _len: usize,
        visitor: V,
    ) -> Result<V::Value> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.untagged().value {
            Value::Null => visitor.visit_map(NoMembers),
            Value::Sequence(_) => Err(de::Error::invalid_type(Unexpected::Seq, &visitor)),
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.deserialize_map(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        let own = self.stepped()?;
        let (name, content) = match own.value {
            Value::Tagged(tagged) => {
                let (tag, spelling) = (tagged.tag.as_str(), tagged.spelling());
                let content = ValueDeserializer { spelling, ..own.child(&tagged.value) };
                (tag.strip_prefix('!').unwrap_or(tag), Some(content))
            }
            Value::String(name) => (name.as_str(), None),
            Value::Mapping(pairs) if pairs.len() == 1 => match pairs.iter().next() {
                Some((Value::String(name), value)) => (name.as_str(), Some(own.child(value))),
                _ => return Err(Kind::expected("a variant", own.value)),
            },
            other => return Err(Kind::expected("a variant", other)),
        };
        visitor.visit_enum(Variant { name, content })
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_unit()
    }
}

/// The remaining items of a sequence.
struct Entries<'v, L> {
    values: std::slice::Iter<'v, Value>,
    parent: ValueDeserializer<'v, L>,
    index: usize,
}

impl<'v, 'de, L: Lend<'v, 'de>> SeqAccess<'de> for &mut Entries<'v, L> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        let Some(value) = self.values.next() else { return Ok(None) };
        self.index += 1;
        seed.deserialize(self.parent.child(value)).map(Some).map_err(|mut error| {
            error.note_index(self.index - 1);
            error
        })
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.values.len())
    }
}

/// The remaining pairs of a mapping.
struct Members<'v, L> {
    pairs: crate::value::mapping::Iter<'v>,
    parent: ValueDeserializer<'v, L>,
    /// The pair whose key was yielded last, until its value is read.
    last: Option<(&'v Value, &'v Value)>,
}

/// Adds `key`, the key of the pair that failed, to the path of `error`.
fn in_pair(error: Error, key: &Value) -> Error {
    error.in_key(key.as_str().map_or_else(|| format!("{key:?}"), ToOwned::to_owned))
}

impl<'v, 'de, L: Lend<'v, 'de>> MapAccess<'de> for Members<'v, L> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        let Some((key, value)) = self.pairs.next() else { return Ok(None) };
        self.last = Some((key, value));
        seed.deserialize(self.parent.child(key)).map(Some).map_err(|error| in_pair(error, key))
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value> {
        let Some((key, value)) = self.last.take() else {
            return Err(Error::new("a value was requested before its key"));
        };
        seed.deserialize(self.parent.child(value)).map_err(|error| in_pair(error, key))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.pairs.len())
    }
}

/// A mapping without pairs.
struct NoMembers;

impl<'de> MapAccess<'de> for NoMembers {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, _: K) -> Result<Option<K::Value>> {
        Ok(None)
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, _: T) -> Result<T::Value> {
        Err(Error::new("a value was requested before its key"))
    }
}

/// A variant of an enum, with its content if it has any.
struct Variant<'v, L> {
    name: &'v str,
    content: Option<ValueDeserializer<'v, L>>,
}

impl<'v, 'de, L: Lend<'v, 'de>> EnumAccess<'de> for Variant<'v, L> {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self)> {
        let name: StrDeserializer<'_, Error> = self.name.into_deserializer();
        Ok((seed.deserialize(name)?, self))
    }
}

impl<'v, L> Variant<'v, L> {
    /// Returns the content of the variant. It is an error if there is none.
    fn content(self) -> Result<ValueDeserializer<'v, L>> {
        let name = self.name;
        self.content.ok_or_else(|| Error::new(format!("the variant `{name}` has content")))
    }
}

impl<'v, 'de, L: Lend<'v, 'de>> VariantAccess<'de> for Variant<'v, L> {
    type Error = Error;

    fn unit_variant(self) -> Result<()> {
        match self.content {
            None => Ok(()),
            Some(content) => de::Deserialize::deserialize(content),
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value> {
        seed.deserialize(self.content()?)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _len: usize, visitor: V) -> Result<V::Value> {
        self.content()?.deserialize_seq(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.content()?.deserialize_map(visitor)
    }
}

/// Defines methods that forward to [`ValueDeserializer`].
macro_rules! forward {
    (Borrowed: $($method:ident($($name:ident: $type:ty),*))*) => {
        $(fn $method<V: Visitor<'de>>(self, $($name: $type,)* visitor: V) -> Result<V::Value> {
            ValueDeserializer::<Borrowed>::new(self).$method($($name,)* visitor)
        })*
    };
    (Transient: $($method:ident($($name:ident: $type:ty),*))*) => {
        $(fn $method<V: Visitor<'de>>(self, $($name: $type,)* visitor: V) -> Result<V::Value> {
            ValueDeserializer::<Transient>::new(&self).$method($($name,)* visitor)
        })*
    };
}

macro_rules! forward_all {
    ($own:ty, $lend:ident) => {
        impl<'de> Deserializer<'de> for $own {
            type Error = Error;

            forward! { $lend:
                deserialize_any() deserialize_bool() deserialize_i8() deserialize_i16()
                deserialize_i32() deserialize_i64() deserialize_i128() deserialize_u8()
                deserialize_u16() deserialize_u32() deserialize_u64() deserialize_u128()
                deserialize_f32() deserialize_f64() deserialize_char() deserialize_str()
                deserialize_string() deserialize_bytes() deserialize_byte_buf()
                deserialize_option() deserialize_unit() deserialize_seq() deserialize_map()
                deserialize_identifier() deserialize_ignored_any()
                deserialize_unit_struct(name: &'static str)
                deserialize_newtype_struct(name: &'static str)
                deserialize_tuple(len: usize)
                deserialize_tuple_struct(name: &'static str, len: usize)
                deserialize_struct(name: &'static str, fields: &'static [&'static str])
                deserialize_enum(name: &'static str, variants: &'static [&'static str])
            }
        }

        impl<'de> IntoDeserializer<'de, Error> for $own {
            type Deserializer = $own;

            fn into_deserializer(self) -> $own {
                self
            }
        }
    };
}

// Types may borrow from a value only if it is passed as a reference.
forward_all!(&'de Value, Borrowed);
forward_all!(Value, Transient);

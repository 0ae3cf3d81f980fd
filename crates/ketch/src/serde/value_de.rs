//! Reads values from any deserializer.

use crate::serde_error::Error;
use crate::value::{Mapping, Number, Sequence, Tag, TaggedValue, Value};
use serde::de::{
    self, Deserialize, Deserializer, EnumAccess, MapAccess, SeqAccess, VariantAccess, Visitor,
};
use std::cell::RefCell;
use std::fmt;

thread_local! {
    /// The value that a deserializer of Ketch passes to a visitor of Ketch between two consecutive
    /// calls. serde's data model has no way to pass a type of our own.
    static PASSED_VALUE: RefCell<Option<Value>> = const { RefCell::new(None) };
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_newtype_struct(Kind::Any.name(), ValueVisitor)
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
        Ok(PASSED_VALUE.take().unwrap_or_default())
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

impl<'de> Deserialize<'de> for TaggedValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<TaggedValue, D::Error> {
        match deserializer.deserialize_newtype_struct(Kind::Tagged.name(), ValueVisitor)? {
            Value::Tagged(tagged) => Ok(*tagged),
            other => Err(Kind::Tagged.not(&other)),
        }
    }
}

/// Implements `Deserialize` for the types that contain one kind of value. Deserializers of Ketch
/// check the kind themselves, because they know the location for the error.
macro_rules! kinds {
    ($($type:ident)*) => {
        $(impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$type, D::Error> {
                let kind = Kind::$type;
                let mut value = deserializer.deserialize_newtype_struct(kind.name(), ValueVisitor)?;
                match value.untagged_mut().take() {
                    Value::$type(inner) => Ok(inner),
                    other => Err(kind.not(&other)),
                }
            }
        })*
    };
}

kinds! { Mapping Sequence Number }

/// The kind of value that a type requests from a deserializer of Ketch, by the name of a newtype.
/// The deserializer then builds the whole value without recursion.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Any,
    Mapping,
    Sequence,
    Number,
    Tagged,
}

impl Kind {
    const ALL: [Kind; 5] = [Kind::Any, Kind::Mapping, Kind::Sequence, Kind::Number, Kind::Tagged];

    /// Returns the name of the newtype that requests this kind.
    fn name(self) -> &'static str {
        match self {
            Kind::Any => "$ketch::Value",
            Kind::Mapping => "$ketch::Mapping",
            Kind::Sequence => "$ketch::Sequence",
            Kind::Number => "$ketch::Number",
            Kind::Tagged => "$ketch::TaggedValue",
        }
    }

    /// Returns the kind that a newtype with the name `name` requests, or `None` if it requests
    /// none.
    #[inline(always)]
    pub fn of(name: &'static str) -> Option<Kind> {
        if name.as_bytes().first() == Some(&b'$') { Kind::of_rare(name) } else { None }
    }

    /// Does the same as [`Kind::of`] for a name that starts with `$`.
    #[cold]
    #[inline(never)]
    fn of_rare(name: &'static str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Passes `value` to `visitor`. Fails if the value is not of this kind.
    pub fn pass_to<'de, V: Visitor<'de>>(
        self,
        mut value: Value,
        visitor: V,
    ) -> Result<V::Value, Error> {
        let is_tagged = matches!(value, Value::Tagged(_));
        match (self, value.untagged_mut()) {
            (Kind::Any, _) | (Kind::Mapping, Value::Mapping(_)) => {}
            (Kind::Sequence, Value::Sequence(_)) | (Kind::Number, Value::Number(_)) => {}
            // As for other types, an empty scalar is treated as an empty collection.
            (Kind::Mapping, own @ Value::Null) => *own = Value::Mapping(Mapping::new()),
            (Kind::Sequence, own @ Value::Null) => *own = Value::Sequence(Sequence::new()),
            (Kind::Tagged, _) if is_tagged => {}
            _ => return Err(self.not(&value)),
        }
        PASSED_VALUE.set(Some(value));
        visitor.visit_unit()
    }

    /// Returns the error for `found`, a value that is not of this kind.
    fn not<E: de::Error>(self, found: &Value) -> E {
        Kind::expected(
            match self {
                Kind::Any => "a value",
                Kind::Mapping => "a mapping",
                Kind::Sequence => "a sequence",
                Kind::Number => "a number",
                Kind::Tagged => "a value with a tag",
            },
            found,
        )
    }

    /// Returns the error for the value `found` where `what` is expected.
    pub fn expected<E: de::Error>(what: &str, found: &Value) -> E {
        let found = match found.untagged() {
            Value::Sequence(_) => "a sequence".to_owned(),
            Value::Mapping(_) => "a mapping".to_owned(),
            scalar => format!("{scalar:?}"),
        };
        E::custom(format_args!("expected {what}, found {found}"))
    }
}

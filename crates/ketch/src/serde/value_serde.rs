//! Values to any serializer.

use crate::value::{Mapping, Number, Sequence, Value};
use ketch_bytes::memory::prefetch;
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};
use std::cell::RefCell;

/// Newtypes of these names tell Ketch's own serializer what other formats have no words for; others
/// see the newtype's content.
pub(super) const TAGGED: &str = "$ketch::Tagged";
pub(super) const BIG_INT: &str = "$ketch::BigInt";

thread_local! {
    /// Text on its way from a value to the serializer, between two adjacent calls.
    static HANDED_OVER: RefCell<String> = const { RefCell::new(String::new()) };
}

pub(super) fn take_handed_over() -> String {
    HANDED_OVER.take()
}

/// In formats without tags, a value with a tag is the value alone, a timestamp is text, and so is an
/// integer that they cannot hold.
impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Value::Null => serializer.serialize_unit(),
            Value::Bool(value) => serializer.serialize_bool(*value),
            Value::Number(value) => value.serialize(serializer),
            Value::String(text) => serializer.serialize_str(text),
            Value::Bytes(bytes) => serializer.serialize_bytes(bytes),
            Value::Timestamp(value) => {
                tagged("tag:yaml.org,2002:timestamp", &value.to_string(), serializer)
            }
            Value::Sequence(values) => values.serialize(serializer),
            Value::Mapping(pairs) => pairs.serialize(serializer),
            Value::Tagged(inner) => tagged(inner.tag.as_str(), &inner.value, serializer),
        }
    }
}

fn tagged<S: Serializer, T: ?Sized + Serialize>(
    tag: &str,
    value: &T,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    HANDED_OVER.set(tag.to_owned());
    serializer.serialize_newtype_struct(TAGGED, value)
}

impl Serialize for Sequence {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut seq = serializer.serialize_seq(Some(self.len()))?;
        for values in self.0.chunks(ASKED) {
            ask_for(values);
            for value in values {
                seq.serialize_element(value)?;
            }
        }
        seq.end()
    }
}

impl Serialize for Mapping {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.len()))?;
        for values in self.values_in_turn().chunks(ASKED) {
            ask_for(values);
            for [key, value] in values.as_chunks().0 {
                map.serialize_entry(key, value)?;
            }
        }
        map.end()
    }
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.is_float() {
            return serializer.serialize_f64(self.as_f64().unwrap_or(f64::NAN));
        }
        match (self.as_i64(), self.as_u64(), self.to_big_int()) {
            (Some(value), ..) => serializer.serialize_i64(value),
            (_, Some(value), _) => serializer.serialize_u64(value),
            (.., value) => {
                let digits = value.unwrap_or_default().to_string();
                HANDED_OVER.set(digits.clone());
                serializer.serialize_newtype_struct(BIG_INT, &digits)
            }
        }
    }
}

/// So many values are asked for ahead; keys and values make pairs.
const ASKED: usize = 16;

/// Asks for the memory of the collections and texts among `values`: they will be walked through one
/// after the other, and lie far apart.
#[inline(always)]
fn ask_for(values: &[Value]) {
    for value in values {
        match value {
            Value::Sequence(values) => prefetch(&values.0),
            Value::Mapping(pairs) => prefetch(pairs.values_in_turn()),
            Value::String(text) => prefetch(text.as_bytes()),
            _ => {}
        }
    }
}

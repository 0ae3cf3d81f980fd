//! Writes values to any serializer.

use crate::value::{Mapping, Number, Sequence, TaggedValue, Value};
use ketch_bytes::memory::prefetch;
use serde::ser::{Error, Serialize, SerializeMap, SerializeSeq, Serializer};
use std::cell::RefCell;

/// The names of newtypes with which values pass to serializers of Ketch what other formats cannot
/// represent. Other serializers write only the content of the newtype. This one is for a value with
/// a tag.
pub(super) const TAGGED: &str = "$ketch::Tagged";
pub(super) const BIG_INT: &str = "$ketch::BigInt";
/// A plain scalar with a tag, which is passed in its original spelling.
pub(super) const SPELLED: &str = "$ketch::Spelled";
/// A value that is nested too deeply to be written by recursion.
pub(super) const DEEP: &str = "$ketch::Deep";

/// The maximum depth that is written by recursion. Serializers of Ketch write deeper values without
/// recursion. For other serializers, these are an error.
const RECURSION_MAX: usize = 128;

thread_local! {
    /// The text that a value passes to a serializer of Ketch between two consecutive calls.
    static PASSED_TEXT: RefCell<String> = const { RefCell::new(String::new()) };
    /// A deep value that is passed in the same way.
    static DEEP_VALUE: RefCell<Value> = const { RefCell::new(Value::Null) };
}

/// Takes the text that has just been passed.
pub(super) fn take_passed_text() -> String {
    PASSED_TEXT.take()
}

/// Takes the deep value that has just been passed.
pub(super) fn take_deep_value() -> Value {
    DEEP_VALUE.take()
}

/// In formats without tags, tags are omitted, and timestamps and integers that need more than 64
/// bits become text. There, more than 128 levels of nested collections are an error.
impl Serialize for Value {
    #[inline]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Nested { value: self, depth_left: RECURSION_MAX }.serialize(serializer)
    }
}

/// A value that is written by recursion.
struct Nested<'v> {
    value: &'v Value,
    /// The number of levels that may still be written by recursion.
    depth_left: usize,
}

impl Serialize for Nested<'_> {
    #[inline]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let depth_left = self.depth_left;
        match self.value {
            Value::Null => serializer.serialize_unit(),
            Value::Bool(value) => serializer.serialize_bool(*value),
            Value::Number(value) => value.serialize(serializer),
            Value::String(text) => serializer.serialize_str(text),
            Value::Bytes(bytes) => serializer.serialize_bytes(bytes),
            Value::Timestamp(value) => {
                tagged("tag:yaml.org,2002:timestamp", &value.to_string(), serializer)
            }
            value if depth_left == 0 => deep(value, serializer),
            Value::Sequence(values) => serialize_sequence(values, depth_left - 1, serializer),
            Value::Mapping(pairs) => serialize_mapping(pairs, depth_left - 1, serializer),
            Value::Tagged(inner) => serialize_tagged(inner, depth_left, serializer),
        }
    }
}

/// Passes `inner` with its tag to `serializer`.
#[inline(never)]
fn serialize_tagged<S: Serializer>(
    inner: &TaggedValue,
    depth_left: usize,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let tag = inner.tag.as_str();
    match (inner.spelling(), &inner.value) {
        (Some(text), value) => tagged(tag, &Spelled { text, value }, serializer),
        // Serializers of Ketch return an error for the second tag. Others ignore both tags.
        (_, Value::Tagged(second)) => {
            let value = &Nested { value: second.value.untagged(), depth_left };
            tagged(tag, &TwoTags { tag: second.tag.as_str(), value }, serializer)
        }
        (_, value) => tagged(tag, &Nested { value, depth_left }, serializer),
    }
}

/// A plain scalar and its original spelling.
struct Spelled<'v> {
    text: &'v str,
    value: &'v Value,
}

impl Serialize for Spelled<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        PASSED_TEXT.set(self.text.to_owned());
        let content = Nested { value: self.value, depth_left: 0 };
        serializer.serialize_newtype_struct(SPELLED, &content)
    }
}

/// A tagged value that is directly inside another tagged value.
struct TwoTags<'v> {
    tag: &'v str,
    value: &'v Nested<'v>,
}

impl Serialize for TwoTags<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        tagged(self.tag, self.value, serializer)
    }
}

/// Passes a copy of `value`, which is nested too deeply for recursion, to `serializer`.
#[cold]
#[inline(never)]
fn deep<S: Serializer>(value: &Value, serializer: S) -> Result<S::Ok, S::Error> {
    DEEP_VALUE.set(value.clone());
    let result = serializer.serialize_newtype_struct(DEEP, &TooDeep);
    DEEP_VALUE.take();
    result
}

/// What serializers of other formats receive instead of a value that is nested too deeply. It is an
/// error.
struct TooDeep;

impl Serialize for TooDeep {
    fn serialize<S: Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
        Err(S::Error::custom(format_args!(
            "nested too deeply: more than {RECURSION_MAX} levels of collections"
        )))
    }
}

/// Passes `value` with the tag `tag` to `serializer`.
fn tagged<S: Serializer, T: ?Sized + Serialize>(
    tag: &str,
    value: &T,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    PASSED_TEXT.set(tag.to_owned());
    serializer.serialize_newtype_struct(TAGGED, value)
}

impl Serialize for Sequence {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_sequence(self, RECURSION_MAX - 1, serializer)
    }
}

/// Passes the items of a sequence to `serializer`, prefetching the memory of the next ones.
fn serialize_sequence<S: Serializer>(
    values: &Sequence,
    depth_left: usize,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut seq = serializer.serialize_seq(Some(values.len()))?;
    for values in values.0.chunks(PREFETCHED) {
        prefetch_values(values);
        for value in values {
            seq.serialize_element(&Nested { value, depth_left })?;
        }
    }
    seq.end()
}

impl Serialize for Mapping {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_mapping(self, RECURSION_MAX - 1, serializer)
    }
}

/// Passes the pairs of a mapping to `serializer`, prefetching the memory of the next ones.
fn serialize_mapping<S: Serializer>(
    pairs: &Mapping,
    depth_left: usize,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(pairs.len()))?;
    for values in pairs.values_in_turn().chunks(PREFETCHED) {
        prefetch_values(values);
        for [key, value] in values.as_chunks().0 {
            map.serialize_entry(&Nested { value: key, depth_left }, &Nested { value, depth_left })?;
        }
    }
    map.end()
}

impl Serialize for TaggedValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_tagged(self, RECURSION_MAX, serializer)
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
                PASSED_TEXT.set(digits.clone());
                serializer.serialize_newtype_struct(BIG_INT, &digits)
            }
        }
    }
}

/// The number of values that are prefetched together: 16 items of a sequence, or 8 pairs of a
/// mapping.
const PREFETCHED: usize = 16;

/// Prefetches the memory of the collections and texts in `values`, because it is scattered and will
/// be read soon.
#[inline(always)]
fn prefetch_values(values: &[Value]) {
    for value in values {
        match value {
            Value::Sequence(values) => prefetch(&values.0),
            Value::Mapping(pairs) => prefetch(pairs.values_in_turn()),
            Value::String(text) => prefetch(text.as_bytes()),
            _ => {}
        }
    }
}

//! Formats values for debugging: as YAML on one line or, with `{:#?}`, as a tree.

use super::write::flow_text;
use super::{Mapping, Sequence, TaggedValue, Value};
use std::fmt;

/// The maximum depth of collections that are written as a tree. Deeper ones are written on one
/// line, because writing a tree recurses, and its total indentation grows with the square of the
/// depth.
const LEVELS_MAX: usize = 64;

/// Writes the value as YAML in flow style or, with `{:#?}`, as a tree.
///
/// ```
/// let value: ketch::Value = ketch::from_str("a: [1, !t x]").unwrap();
/// assert_eq!(format!("{value:?}"), "{a: [1, !t x]}");
/// assert!(format!("{value:#?}").starts_with("Mapping {\n    \"a\": Sequence [\n        Number(1),\n"));
/// ```
impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match f.alternate() {
            true => Shown { value: self, levels_left: LEVELS_MAX }.fmt(f),
            false => f.write_str(&flow_text(self)),
        }
    }
}

impl fmt::Debug for Sequence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match f.alternate() {
            true => show_sequence(self, LEVELS_MAX - 1, f),
            false => f.debug_list().entries(&self.0).finish(),
        }
    }
}

impl fmt::Debug for Mapping {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match f.alternate() {
            true => show_mapping(self, LEVELS_MAX - 1, f),
            false => f.debug_map().entries(self).finish(),
        }
    }
}

impl fmt::Debug for TaggedValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match f.alternate() {
            true => show_tagged(self, LEVELS_MAX - 1, f),
            false => write!(f, "{} {:?}", self.tag, self.value),
        }
    }
}

/// A value that is written as a tree, up to `levels_left` levels deep.
struct Shown<'v> {
    value: &'v Value,
    levels_left: usize,
}

impl fmt::Debug for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let levels_left = self.levels_left.saturating_sub(1);
        match self.value {
            Value::Null => f.write_str("Null"),
            Value::Bool(value) => write!(f, "Bool({value})"),
            Value::Number(value) => write!(f, "Number({value})"),
            Value::String(text) => write!(f, "String({:?})", text.as_str()),
            Value::Bytes(bytes) => write!(f, "Bytes({bytes:?})"),
            Value::Timestamp(value) => write!(f, "Timestamp({value})"),
            deep if self.levels_left == 0 => f.write_str(&flow_text(deep)),
            Value::Sequence(values) => show_sequence(values, levels_left, f),
            Value::Mapping(pairs) => show_mapping(pairs, levels_left, f),
            Value::Tagged(tagged) => show_tagged(tagged, levels_left, f),
        }
    }
}

/// Writes a sequence as a tree.
fn show_sequence(values: &Sequence, levels_left: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str("Sequence ")?;
    f.debug_list().entries(values.iter().map(|value| Shown { value, levels_left })).finish()
}

/// Writes a mapping as a tree.
fn show_mapping(pairs: &Mapping, levels_left: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str("Mapping ")?;
    let mut map = f.debug_map();
    for (key, value) in pairs {
        let value = Shown { value, levels_left };
        match key {
            Value::String(text) => map.entry(&text.as_str(), &value),
            key => map.entry(&Shown { value: key, levels_left }, &value),
        };
    }
    map.finish()
}

/// Writes a value and its tag as a tree.
fn show_tagged(
    tagged: &TaggedValue,
    levels_left: usize,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    let value = Shown { value: &tagged.value, levels_left };
    f.debug_struct("TaggedValue").field("tag", &tagged.tag).field("value", &value).finish()
}

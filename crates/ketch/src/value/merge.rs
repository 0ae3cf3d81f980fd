//! Applies merge keys (`<<`) in values.

use super::{Mapping, Value};
use crate::serde::Error;

/// The merge key.
const MERGE: &str = "<<";

impl Value {
    /// Replaces each `<<` key in the value with the entries of the mappings that are its value.
    /// Such a value is a mapping, or a sequence of mappings in which earlier ones take precedence.
    /// The other keys of the mapping that contains `<<` take precedence over all of them.
    ///
    /// To apply merge keys while reading, set [`DeOptions::merge_keys`](crate::serde::DeOptions).
    ///
    /// ```
    /// let text = "base: &b {x: 1, y: 2}\nboat: {<<: *b, y: 3}\n";
    /// let mut value: ketch::Value = ketch::from_str(text).unwrap();
    /// value.apply_merge().unwrap();
    /// assert_eq!(value["boat"], ketch::from_str::<ketch::Value>("{x: 1, y: 3}").unwrap());
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the value of a `<<` key is neither a mapping nor a sequence of mappings. Merge keys
    /// that have been applied before the error stay applied.
    pub fn apply_merge(&mut self) -> Result<(), Error> {
        let mut pending = vec![self];
        while let Some(value) = pending.pop() {
            match value {
                Value::Mapping(pairs) => {
                    merge_into(pairs)?;
                    pending.extend(pairs.values_mut());
                }
                Value::Sequence(values) => pending.extend(values.iter_mut()),
                Value::Tagged(tagged) => pending.push(&mut tagged.value),
                _ => {}
            }
        }
        Ok(())
    }
}

/// Applies the merge key of `pairs`, and those of the mappings that it merges.
fn merge_into(pairs: &mut Mapping) -> Result<(), Error> {
    let Some(merged) = pairs.remove(MERGE) else { return Ok(()) };
    // The last mapping in the list is merged next.
    let mut pending = sources(merged)?;
    while let Some(mut source) = pending.pop() {
        let inner = source.remove(MERGE);
        for (key, value) in source {
            pairs.entry(key).or_insert(value);
        }
        if let Some(inner) = inner {
            pending.append(&mut sources(inner)?);
        }
    }
    Ok(())
}

/// Returns the mappings in `merged`, the value of a `<<` key, in reverse order.
fn sources(merged: Value) -> Result<Vec<Mapping>, Error> {
    let mapping = |value| match value {
        Value::Mapping(pairs) => Ok(pairs),
        other => Err(Error::new(format!(
            "`<<` merges a mapping or a sequence of mappings, found {}",
            kind(&other)
        ))),
    };
    match merged {
        Value::Sequence(values) => values.into_iter().rev().map(mapping).collect(),
        other => Ok(vec![mapping(other)?]),
    }
}

/// Returns what kind of value `value` is, for messages. It must not be a mapping.
fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Sequence(_) => "a sequence",
        Value::Tagged(_) => "a value with a tag",
        _ => "a scalar",
    }
}

//! Merge keys in a value: `<<`.

use super::{Mapping, Value};
use crate::serde::Error;

/// The key that merges.
const MERGE: &str = "<<";

impl Value {
    /// Merges the mappings of `<<` keys into the mappings that have them: a mapping, or a sequence of
    /// mappings of which earlier ones take precedence. Keys of the mapping itself come before all.
    ///
    /// To merge while reading, choose [`DeOptions::merge_keys`](crate::serde::DeOptions).
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
    /// If a `<<` key has another value than mappings. What was merged until then stays merged.
    pub fn apply_merge(&mut self) -> Result<(), Error> {
        let mut waiting = vec![self];
        while let Some(value) = waiting.pop() {
            match value {
                Value::Mapping(pairs) => {
                    merge_into(pairs)?;
                    waiting.extend(pairs.values_mut());
                }
                Value::Sequence(values) => waiting.extend(values.iter_mut()),
                Value::Tagged(tagged) => waiting.push(&mut tagged.value),
                _ => {}
            }
        }
        Ok(())
    }
}

/// Merges what a mapping asks for, and what that asks for in turn.
fn merge_into(pairs: &mut Mapping) -> Result<(), Error> {
    let Some(merged) = pairs.remove(MERGE) else { return Ok(()) };
    // The next one to merge is the last.
    let mut waiting = sources(merged)?;
    while let Some(mut source) = waiting.pop() {
        let inner = source.remove(MERGE);
        for (key, value) in source {
            pairs.entry(key).or_insert(value);
        }
        if let Some(inner) = inner {
            waiting.append(&mut sources(inner)?);
        }
    }
    Ok(())
}

/// The mappings that are the value of a `<<` key, the first one last.
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

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Sequence(_) => "a sequence",
        Value::Tagged(_) => "a value with a tag",
        _ => "a scalar",
    }
}

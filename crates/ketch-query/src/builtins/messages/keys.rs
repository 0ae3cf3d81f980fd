//! The elements of lists and dicts, and dicts whose keys may be any scalars.

use super::kinds::kind_name;
use crate::error::{Failure, Kind as ErrorKind, shown};
use crate::value::{Entries, Kind, Value, pairs, scaled};
use ketch_yaml::represent::KeyOrder;
use std::collections::HashMap;
use std::sync::Arc;

type Result<T> = std::result::Result<T, Failure>;

/// Returns the elements of a list, or the values of a dict.
pub(super) fn elements(value: &Value) -> Vec<Value> {
    match value.as_object() {
        Some(object) => object.entries.values().cloned().collect(),
        None => value.as_array().map(|array| array.entries.clone()).unwrap_or_default(),
    }
}

/// Returns the keys and values of a dict.
pub(super) fn pairs_of(dict: &Value) -> Vec<(Value, Value)> {
    let pairs = pairs(dict, KeyOrder::AsGiven).into_iter();
    pairs.map(|(key, value)| (key.unwrap_or_default(), value)).collect()
}

/// Returns the text of a key.
pub fn key_text(key: &Value) -> Result<Arc<str>> {
    match key.kind() {
        Kind::Text => Ok(key.as_text().unwrap_or_default()),
        Kind::Array | Kind::Object => {
            let message = format!("{} {} cannot be a key", kind_name(key), shown(key));
            Err(Failure::new(ErrorKind::KeyNotText, message).about(key))
        }
        _ => Ok(key.to_json().into()),
    }
}

/// A dict that is being made.
#[derive(Default)]
pub(super) struct Builder {
    entries: Entries,
    /// The keys that are no texts, by their texts.
    others: HashMap<Arc<str>, Value>,
    /// The texts of numbers, by what is the same for equal ones.
    numbers: HashMap<String, Arc<str>>,
}

impl Builder {
    /// Creates a dict with entries.
    pub fn of(pairs: Vec<(Value, Value)>) -> Result<Builder> {
        let mut dict = Builder::default();
        for (key, value) in pairs {
            *dict.entry(&key)? = value;
        }
        Ok(dict)
    }

    /// Returns the value of a key, which is null if it is new.
    pub fn entry(&mut self, key: &Value) -> Result<&mut Value> {
        let mut text = key_text(key)?;
        if let Some(number) = key.as_number() {
            let exact = scaled::ratio(&number, 100_000)
                .map_or_else(|_| text.to_string(), |it| scaled::text(&it));
            text = self.numbers.entry(exact).or_insert(text).clone();
        }
        let is_text = kind_name(key) == "Text";
        let is_known = self.entries.contains_key(&text);
        if is_known
            && self.others.get(&text).is_none_or(|other| kind_name(other) == "Text") != is_text
        {
            let message = format!("two keys of different kinds have the text `{text}`");
            return Err(Failure::new(ErrorKind::KeyNotText, message).about(key));
        }
        if !is_known && !is_text {
            self.others.insert(text.clone(), key.clone());
        }
        Ok(self.entries.or_default(text))
    }

    /// Returns the dict.
    pub fn finish(self) -> Value {
        let (dict, others) = (Value::object(self.entries), self.others);
        match others.is_empty() {
            true => dict,
            false => dict.decorated(|decoration| decoration.keys = Some(Arc::new(others))),
        }
    }
}

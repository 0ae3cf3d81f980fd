//! The troublesome values in `conformance/readers/table.json`.
//!
//! The file contains an array of groups, each with `group`, `why`, and some of `texts`, `numbers`
//! and `constants`. A long text is written as an object, `{"repeat": "a", "times": 2000}`.

use ketch::Value;
use serde::Deserialize;
use std::path::Path;

/// Values that are troublesome for one reason.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Group {
    /// Its name.
    #[serde(rename = "group")]
    pub name: String,
    /// The reason why the values are troublesome.
    pub why: String,
    #[serde(default)]
    texts: Vec<Text>,
    #[serde(default)]
    integers: Vec<String>,
    #[serde(default)]
    floats: Vec<String>,
    #[serde(default)]
    constants: Vec<Option<bool>>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum Text {
    Whole(String),
    Repeated { repeat: String, times: usize },
}

/// Reads the table in a file.
///
/// # Panics
///
/// Panics if the file is missing or invalid.
pub fn read(path: &Path) -> Vec<Group> {
    let file = std::fs::read_to_string(path).expect("a readable table");
    serde_json::from_str(&file).expect("a table in JSON")
}

impl Group {
    /// Returns the values of the group.
    ///
    /// # Panics
    ///
    /// Panics if one of the numbers is invalid.
    pub fn values(&self) -> impl Iterator<Item = Value> {
        let texts = self.texts.iter().map(|text| match text {
            Text::Whole(text) => Value::from(text.as_str()),
            Text::Repeated { repeat, times } => Value::from(repeat.repeat(*times)),
        });
        let integers = self.integers.iter().map(|digits| {
            let value: Value = ketch::from_str(digits).expect("decimal digits");
            assert!(value.as_number().is_some_and(|number| number.is_integer()), "{digits}");
            value
        });
        let floats = self.floats.iter().map(|text| {
            Value::from(text.parse::<f64>().unwrap_or_else(|_| panic!("no float: {text}")))
        });
        let constants =
            self.constants.iter().map(|constant| constant.map_or(Value::Null, Value::from));
        texts.chain(integers).chain(floats).chain(constants)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readers::notation::{Host, shown};
    use std::collections::HashSet;

    #[test]
    fn the_table_is_large_and_has_no_duplicates() {
        let groups = read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("readers/table.json"));
        let mut seen = HashSet::new();
        let mut texts = 0;
        for group in &groups {
            assert!(group.why.ends_with('.'), "{}", group.name);
            for value in group.values() {
                texts += usize::from(value.as_str().is_some());
                assert!(seen.insert(shown(&value, Host::EXACT)), "twice: {value:?}");
            }
        }
        assert!(texts >= 500 && seen.len() - texts >= 50, "{texts} texts of {}", seen.len());
    }
}

//! Selecting values by path.

use super::build::plain_value;
use super::{Mapping, Value};
use ketch_yaml::path::{Path, Step, array_index};
use ketch_yaml::schema::Schema;

impl Value {
    /// Finds the first value at a path, or `None` if nothing is there. With wildcards, all values at
    /// the path are found first.
    ///
    /// ```
    /// let value: ketch::Value = ketch::from_str("spec: {ports: [80, 443]}").unwrap();
    /// let path: ketch::Path = "spec.ports[-1]".parse().unwrap();
    /// assert_eq!(value.get_path(&path), Some(&443.into()));
    /// ```
    #[must_use]
    pub fn get_path(&self, path: &Path) -> Option<&Value> {
        self.select(path).into_iter().next()
    }

    /// Finds all values at a path, in order. Tags along the path are ignored. A name also matches a
    /// key that it means in the `core` schema.
    ///
    /// ```
    /// let value: ketch::Value = ketch::from_str("boats: [{masts: 2}, {masts: 3}]").unwrap();
    /// let path = "boats[*].masts".parse().unwrap();
    /// assert_eq!(value.select(&path), [&ketch::Value::from(2), &3.into()]);
    /// ```
    #[must_use]
    pub fn select(&self, path: &Path) -> Vec<&Value> {
        let mut values = vec![self];
        for step in path.steps() {
            values = values.into_iter().flat_map(|value| value.children(step)).collect();
        }
        values
    }

    /// The children selected by a step.
    fn children(&self, step: &Step) -> Vec<&Value> {
        match (self.untagged(), step) {
            (Value::Sequence(values), Step::All) => values.iter().collect(),
            (Value::Mapping(pairs), Step::All) => pairs.values().collect(),
            (Value::Sequence(values), Step::Name(name)) => {
                array_index(name).and_then(|index| values.get(index)).into_iter().collect()
            }
            (Value::Sequence(values), Step::Index(index)) => {
                entry(values, *index).into_iter().collect()
            }
            (Value::Mapping(pairs), Step::Name(name)) => named(pairs, name).into_iter().collect(),
            (Value::Mapping(pairs), Step::Key(key)) => pairs.get(key).into_iter().collect(),
            (Value::Mapping(pairs), Step::Index(index)) => {
                pairs.get(Value::from(*index)).into_iter().collect()
            }
            _ => Vec::new(),
        }
    }
}

/// The entry at an index, from the end if negative.
fn entry(values: &[Value], index: i64) -> Option<&Value> {
    let from_start =
        if index < 0 { index.checked_add_unsigned(values.len() as u64)? } else { index };
    values.get(usize::try_from(from_start).ok()?)
}

/// The value of the first key that equals this text or its meaning.
fn named<'m>(pairs: &'m Mapping, name: &str) -> Option<&'m Value> {
    let meaning = plain_value(Schema::Core.scalar(name));
    let meaning = meaning.filter(|meaning| !matches!(meaning, Value::String(_)));
    let positions = [pairs.position(name), meaning.and_then(|meaning| pairs.position(&meaning))];
    positions.into_iter().flatten().min().and_then(|at| pairs.values().nth(at))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::ValueOptions;
    use ketch_yaml::Documents;

    const TEXT: &str = "{a: [1, !t [2, 3]], '8': x, 8: y, 0x9: z, '9': w, ~: n, true: [], b.c: {}}";

    #[test]
    fn paths_select_the_same_in_values_and_documents() {
        let document = Documents::new(TEXT.as_bytes()).next().unwrap().unwrap();
        let options = ValueOptions::default();
        let value = Value::from_document(&document, &options).unwrap();
        let mut found = 0;
        for path in [
            "",
            "a",
            "a.1.0",
            "a[-1][*]",
            "a[-2]",
            "a[-3]",
            "a[2]",
            "/a/1/1",
            "a.01",
            "8",
            "[8]",
            "\"8\"",
            "9",
            "[9]",
            "'9'",
            "~",
            "/~0",
            "true.*",
            "[\"b.c\"]",
            "*",
            "*[*]",
            "*.*.*",
            "a.x",
            "TRUE",
            "[\"true\"]",
            "a[\"1\"]",
        ] {
            let path: Path = path.parse().unwrap();
            let nodes = document.root().select(&path).unwrap();
            let nodes: Vec<_> =
                nodes.into_iter().map(|node| Value::from_node(node, &options).unwrap()).collect();
            let values: Vec<_> = value.select(&path).into_iter().cloned().collect();
            assert_eq!(values, nodes, "{path}");
            assert_eq!(value.get_path(&path), values.first(), "{path}");
            found += usize::from(!values.is_empty());
        }
        assert_eq!(found, 19);
    }
}

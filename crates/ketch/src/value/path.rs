//! Selects the values that a path leads to.

use super::build::plain_value;
use super::{Mapping, Value};
use ketch_yaml::path::internal::{Matcher, Operand, Source};
use ketch_yaml::path::{Documents, Filter, Path, Step, array_index};
use ketch_yaml::schema::{Scalar, Schema};
use std::collections::{HashMap, HashSet};
use std::convert::Infallible;

impl Value {
    /// Returns the first value that `path` leads to, or `None` if there is none. If the path has
    /// wildcards, all values that it leads to are found first.
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

    /// Returns all values that `path` leads to, in order. Tags along the path are ignored. A name
    /// in the path also matches a key that is not text if the core schema resolves the name to that
    /// key, such as `8080`. If the path starts with a filter for documents, it is applied to this
    /// value. If it starts with the index of a document, that is ignored.
    ///
    /// ```
    /// let value: ketch::Value = ketch::from_str("boats: [{masts: 2}, {masts: 3}]").unwrap();
    /// let path = "boats[*].masts".parse().unwrap();
    /// assert_eq!(value.select(&path), [&ketch::Value::from(2), &3.into()]);
    /// ```
    #[must_use]
    pub fn select(&self, path: &Path) -> Vec<&Value> {
        match path.documents() {
            Some(Documents::Filter(filter)) if !accepts(&Test::new(filter), None, self) => {
                Vec::new()
            }
            _ => follow(self, &path.steps().iter().map(Wanted::new).collect::<Vec<_>>()),
        }
    }
}

/// A step of a path, with its filter in prepared form if it is a filter.
struct Wanted<'p> {
    step: &'p Step,
    test: Option<Test<'p>>,
}

/// A filter in prepared form. `paths` are the paths in the filter.
struct Test<'p> {
    matcher: Matcher,
    paths: Vec<Vec<Wanted<'p>>>,
}

impl<'p> Wanted<'p> {
    /// Prepares `step`.
    fn new(step: &'p Step) -> Wanted<'p> {
        let test = match step {
            Step::Filter(filter) => Some(Test::new(filter)),
            _ => None,
        };
        Wanted { step, test }
    }
}

impl<'p> Test<'p> {
    /// Prepares `filter`, whose scalars the core schema resolves.
    fn new(filter: &'p Filter) -> Test<'p> {
        let paths = filter.paths().iter().map(|steps| steps.iter().map(Wanted::new).collect());
        Test { matcher: filter.matcher(Schema::Core), paths: paths.collect() }
    }
}

/// Returns the values that the steps `wanted` lead to from `value`.
fn follow<'v>(value: &'v Value, wanted: &[Wanted<'_>]) -> Vec<&'v Value> {
    let mut values = vec![value];
    for (at, wanted_here) in wanted.iter().enumerate() {
        if *wanted_here.step == Step::Descend {
            return values
                .into_iter()
                .flat_map(|value| descend(value, &wanted[at + 1..]))
                .collect();
        }
        values = values.into_iter().flat_map(|value| children(value, wanted_here)).collect();
    }
    values
}

/// Returns the values that the steps `wanted` lead to from `value` and from all values in it. They
/// are in document order, and each is returned once.
fn descend<'v>(value: &'v Value, wanted: &[Wanted<'_>]) -> Vec<&'v Value> {
    let mut order: HashMap<*const Value, usize> = HashMap::new();
    let (mut all, mut open) = (Vec::new(), vec![value]);
    while let Some(value) = open.pop() {
        order.insert(value, all.len());
        all.push(value);
        let first = open.len();
        match value.untagged() {
            Value::Sequence(values) => open.extend(values),
            Value::Mapping(pairs) => open.extend(pairs.values()),
            _ => {}
        }
        open[first..].reverse();
    }
    for wanted in wanted {
        // A second descent returns each value only once, even if one of the values contains
        // another.
        if *wanted.step == Step::Descend {
            all = within(all);
        } else {
            all = all.into_iter().flat_map(|value| children(value, wanted)).collect();
        }
    }
    let place = |value: &&Value| order.get(&std::ptr::from_ref(*value)).copied();
    all.sort_by_key(place);
    all.dedup_by_key(|value| std::ptr::from_ref(*value));
    all
}

/// Returns `values` and all values in them, each once.
fn within(values: Vec<&Value>) -> Vec<&Value> {
    let (mut seen, mut all) = (HashSet::new(), Vec::new());
    let mut open = values;
    open.reverse();
    while let Some(value) = open.pop() {
        if !seen.insert(std::ptr::from_ref(value)) {
            continue;
        }
        all.push(value);
        match value.untagged() {
            Value::Sequence(values) => open.extend(values),
            Value::Mapping(pairs) => open.extend(pairs.values()),
            _ => {}
        }
    }
    all
}

/// Returns the children of `value` that the step `wanted` selects.
fn children<'v>(value: &'v Value, wanted: &Wanted<'_>) -> Vec<&'v Value> {
    match (value.untagged(), wanted.step) {
        (Value::Sequence(values), Step::All) => values.iter().collect(),
        (Value::Mapping(pairs), Step::All) => pairs.values().collect(),
        (Value::Sequence(values), Step::Name(name)) => {
            array_index(name).and_then(|index| values.get(index)).into_iter().collect()
        }
        (Value::Sequence(values), Step::Index(index)) => {
            entry(values, *index).into_iter().collect()
        }
        (Value::Sequence(values), Step::Slice(from, to)) => {
            let bound = |index: i64| {
                let from_end = index.saturating_add_unsigned(values.len() as u64);
                usize::try_from(if index < 0 { from_end } else { index }).unwrap_or(0)
            };
            let (from, to) = (from.map_or(0, bound), to.map_or(values.len(), bound));
            values.iter().take(to).skip(from).collect()
        }
        (Value::Mapping(pairs), Step::Name(name)) => named(pairs, name).into_iter().collect(),
        (Value::Mapping(pairs), Step::Key(key)) => pairs.get(key).into_iter().collect(),
        (Value::Mapping(pairs), Step::Index(index)) => {
            pairs.get(Value::from(*index)).into_iter().collect()
        }
        (Value::Mapping(pairs), Step::Plain(source)) => {
            let key = plain_value(Schema::Core.scalar(source));
            key.and_then(|key| pairs.get(key)).into_iter().collect()
        }
        (value, Step::Filter(_)) => filtered(value, wanted.test.as_ref()),
        _ => Vec::new(),
    }
}

/// Returns the children of `value` that the filter `test` accepts.
fn filtered<'v>(value: &'v Value, test: Option<&Test<'_>>) -> Vec<&'v Value> {
    let Some(test) = test else { return Vec::new() };
    let mut found = Vec::new();
    match value {
        Value::Sequence(values) => {
            let entries = values.iter().enumerate();
            let is_accepted = |&(index, value): &(usize, &'v Value)| {
                accepts(test, Some(&Value::from(index as u64)), value)
            };
            found.extend(entries.filter(is_accepted).map(|(_, value)| value));
        }
        Value::Mapping(pairs) => {
            let is_accepted =
                |&(key, value): &(&'v Value, &'v Value)| accepts(test, Some(key), value);
            found.extend(pairs.iter().filter(is_accepted).map(|(_, value)| value));
        }
        _ => {}
    }
    found
}

/// Returns whether the filter `test` accepts `value`, whose key or index is `key`.
fn accepts(test: &Test<'_>, key: Option<&Value>, value: &Value) -> bool {
    let mut find = |source| -> Result<Vec<Operand<'_>>, Infallible> {
        Ok(match source {
            Source::Path(at) => follow(value, &test.paths[at]).into_iter().map(operand).collect(),
            _ => key.map(operand).into_iter().collect(),
        })
    };
    match test.matcher.accepts(&mut find) {
        Ok(is_accepted) => is_accepted,
        Err(never) => match never {},
    }
}

/// Returns `value` in the form in which filters compare it.
fn operand(value: &Value) -> Operand<'_> {
    match value.untagged() {
        Value::Null => Operand::plain("null".to_owned(), Schema::Core),
        Value::Bool(value) => Operand::plain(value.to_string(), Schema::Core),
        Value::Number(number) => Operand::plain(number.to_string(), Schema::Core),
        Value::String(text) => Operand::text(text.as_bytes().into()),
        Value::Bytes(bytes) => {
            Operand::Scalar(Scalar::Binary(bytes.clone()), bytes.as_slice().into())
        }
        Value::Timestamp(time) => {
            let text = time.to_string().into_bytes();
            Operand::Scalar(Scalar::Timestamp(*time), text.into())
        }
        Value::Sequence(_) | Value::Mapping(_) | Value::Tagged(_) => Operand::Collection,
    }
}

/// Returns the item at `index`, which counts from the end if it is negative, or `None` if there is
/// none.
fn entry(values: &[Value], index: i64) -> Option<&Value> {
    let from_start =
        if index < 0 { index.checked_add_unsigned(values.len() as u64)? } else { index };
    values.get(usize::try_from(from_start).ok()?)
}

/// Returns the value of the first key that equals `name`, either as text or as the value to which
/// the core schema resolves it. Returns `None` if there is no such key.
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

    const TEXT: &str = "{a: [1, !t [2, 3]], '8': x, 8: y, 0x9: z, '9': w, ~: n, true: [], b.c: {}}";

    #[test]
    fn paths_select_the_same_in_values_and_documents() {
        let document = ketch_yaml::Documents::new(TEXT.as_bytes()).next().unwrap().unwrap();
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
            "a[:1]",
            "a[-1:][*]",
            "a[1:][:1]",
            "a[5:]",
            "..",
            "..[1]",
            "a..",
            "..*..*",
            "[null]",
            "[true]",
            "[?. == z]",
            "[?key > 7]",
            "[?key =~ '^[8b]' && !(. =~ \"[xy]\")]",
            "a[?[0] == 2.0][*]",
            "a[?key >= 1]",
            "..[?. != 1]",
            "@[?a].a",
            "@[?c].a",
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
        assert_eq!(found, 35);
    }
}

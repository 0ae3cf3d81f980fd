//! Paths in values: reading, setting and deleting what they lead to.

use crate::error::{Failure, Kind as ErrorKind, described};
use crate::value::{Array, Entries, Kind, Object, Value};
use ketch_yaml::compose::Node;
use std::collections::HashSet;
use std::sync::Arc;

/// A key of a path, after those before it.
#[derive(Debug)]
pub struct Link {
    key: Value,
    before: Option<Arc<Link>>,
}

impl Drop for Link {
    fn drop(&mut self) {
        let mut before = self.before.take();
        while let Some(link) = before {
            before = Arc::into_inner(link).and_then(|mut link| link.before.take());
        }
    }
}

impl Link {
    /// Adds a key to a path.
    pub fn after(before: Option<Arc<Link>>, key: Value) -> Option<Arc<Link>> {
        Some(Arc::new(Link { key, before }))
    }

    /// Returns the keys of a path.
    pub fn keys(path: &Option<Arc<Link>>) -> Vec<Value> {
        let links = std::iter::successors(path.as_ref(), |link| link.before.as_ref());
        let mut keys: Vec<Value> = links.map(|link| link.key.clone()).collect();
        keys.reverse();
        keys
    }
}

/// Returns `value` with another one at `path`.
///
/// # Errors
///
/// Fails if the path does not fit the value.
pub fn set_path(mut value: Value, path: &[Value], new: Value) -> Result<Value, Failure> {
    set(&mut value, path, new)?;
    Ok(value)
}

/// Returns the element of `value` at `key`: of an object by name, of an array by number, range or search.
pub fn element(value: &Value, key: &Value) -> Result<Value, Failure> {
    match (value.kind(), key.kind()) {
        (Kind::Object, Kind::Text) => {
            Ok(value.field(&key.borrow_text().unwrap_or_default()).unwrap_or_default())
        }
        (Kind::Object, Kind::Number) => {
            let found = numbered(value, key)?;
            let own = |(name, node): (Arc<str>, Value)| match value {
                // Another key may have the same text.
                Value::Node(..) => Some(node),
                _ => value.field(&name),
            };
            Ok(found.and_then(own).unwrap_or_default())
        }
        (Kind::Array, Kind::Number) => {
            let index = index_in(key, value.entry_count().unwrap_or(0));
            Ok(index.map_or(Value::Null, |index| value.item(index)))
        }
        (Kind::Array | Kind::Text | Kind::Null, Kind::Object) => sliced_by(value, key),
        (Kind::Array, Kind::Array) => Ok(indices(value, key)),
        (Kind::Null, Kind::Text | Kind::Number) => Ok(Value::Null),
        _ => Err(cannot_index(value, key)),
    }
}

/// Returns the text of the key of a mapping that is the number `key`, and its value in the document. If no key of the
/// mapping is a number, it is indexed by texts only, as in JSON.
fn numbered(value: &Value, key: &Value) -> Result<Option<(Arc<str>, Value)>, Failure> {
    let wanted = key.as_number();
    let (source, id) = value.origin().ok_or_else(|| cannot_index(value, key))?;
    let number = |key: Node<'_>| source.value(key.resolved()).as_number();
    let mut pairs =
        source.pairs(source.node(id)).filter(|(key, _)| number(*key).is_some()).peekable();
    pairs.peek().ok_or_else(|| cannot_index(value, key))?;
    let found = pairs.find(|(key, _)| number(*key) == wanted);
    Ok(found.map(|(key, value)| (source.key_text(key), source.value(value))))
}

/// Returns the index that `key`, a number, means in an array of this length.
fn index_in(key: &Value, len: usize) -> Option<usize> {
    let number = key.as_number()?;
    if number.is_nan() {
        return None;
    }
    let index = number.truncated_i64();
    let index = if index < 0 { index.saturating_add(len as i64) } else { index };
    usize::try_from(index).ok().filter(|index| *index < len)
}

fn cannot_index(value: &Value, key: &Value) -> Failure {
    let message = format!("Cannot index {} with {}", value.kind().name(), described(key));
    Failure::new(ErrorKind::WrongKind, message)
}

/// Returns the error for a slice whose ends are not numbers.
fn wrong_ends() -> Failure {
    Failure::new(ErrorKind::WrongKind, "Array/string slice indices must be integers")
}

/// Returns the ends of the slice that `key`, an object, stands for.
fn ends_of(key: &Value) -> Result<[Value; 2], Failure> {
    match (key.field("start"), key.field("end")) {
        (Some(from), Some(to)) => Ok([from, to]),
        _ => Err(wrong_ends()),
    }
}

/// Returns the part of `value` that `key`, an object with `start` and `end`, stands for.
fn sliced_by(value: &Value, key: &Value) -> Result<Value, Failure> {
    if value.kind() == Kind::Null {
        return Ok(Value::Null);
    }
    let [from, to] = ends_of(key)?;
    slice(value, &from, &to)
}

/// Returns the range of indices that a slice stands for in a value of this length.
pub fn slice_range(len: usize, from: &Value, to: &Value) -> Result<(usize, usize), Failure> {
    let end = |value: &Value, default: usize, is_end: bool| {
        if value.kind() == Kind::Null {
            return Ok(default);
        }
        let Some(number) = value.as_number() else {
            return Err(wrong_ends());
        };
        if number.is_nan() {
            return Ok(default);
        }
        let number = if is_end { number.ceil() } else { number.floor() };
        let index = number.truncated_i64();
        let index = if index < 0 { index.saturating_add(len as i64) } else { index };
        Ok(usize::try_from(index).unwrap_or(0).min(len))
    };
    let from = end(from, 0, false)?;
    Ok((from, end(to, len, true)?.max(from)))
}

/// Returns a part of an array or a text.
pub fn slice(value: &Value, from: &Value, to: &Value) -> Result<Value, Failure> {
    match value.kind() {
        Kind::Null => Ok(Value::Null),
        Kind::Array => {
            let array = value.as_array().unwrap_or_default();
            let (from, to) = slice_range(array.entries.len(), from, to)?;
            let entries = array.entries[from..to].to_vec();
            Ok(Value::Array(Arc::new(Array { entries, origin: array.origin.clone() })))
        }
        Kind::Text => {
            let text = value.as_text().unwrap_or_default();
            let (from, to) = slice_range(text.chars().count(), from, to)?;
            Ok(text.chars().skip(from).take(to - from).collect::<String>().into())
        }
        kind => Err(Failure::new(
            ErrorKind::WrongKind,
            format!("Cannot index {} with object", kind.name()),
        )),
    }
}

/// Returns the indices at which `wanted` is in an array, as entry or run of entries.
pub fn indices(value: &Value, wanted: &Value) -> Value {
    let (value, wanted) =
        (value.as_array().unwrap_or_default(), wanted.as_array().unwrap_or_default());
    let (entries, run) = (&value.entries, &wanted.entries);
    let found = (0..entries.len()).filter(|&at| {
        !run.is_empty()
            && entries.len() - at >= run.len()
            && run.iter().zip(&entries[at..]).all(|(a, b)| a == b)
    });
    Value::array(found.map(Value::count).collect())
}

/// Returns the error for a path that is not an array.
pub fn not_an_array() -> Failure {
    Failure::new(ErrorKind::InvalidPath, "Path must be specified as an array")
}

/// Returns the value at a path, or null where it does not lead on.
pub fn get(value: &Value, path: &[Value]) -> Result<Value, Failure> {
    let mut value = value.clone();
    for key in path {
        value = element(&value, key)?;
    }
    Ok(value)
}

/// Returns the place of an element for a change, which is made where it is missing.
fn place<'v>(value: &'v mut Value, key: &Value) -> Result<&'v mut Value, Failure> {
    if matches!(value, Value::Node(..) | Value::Json(..)) {
        *value = std::mem::take(value).plain();
    }
    if value.kind() == Kind::Object && key.kind() == Kind::Number {
        let (name, _) = numbered(value, key)?.ok_or_else(|| cannot_index(value, key))?;
        return place(value, &Value::Text(name));
    }
    match (&mut *value, key.kind()) {
        (Value::Null, Kind::Text) => *value = Value::object(Entries::new()),
        (Value::Null, Kind::Number) => *value = Value::array(Vec::new()),
        _ => {}
    }
    match (value, key.kind()) {
        (Value::Object(object), Kind::Text) => {
            let key = key.as_text().unwrap_or_default();
            Ok(Object::make_mut(object).or_default(key))
        }
        (Value::Array(array), Kind::Number) => {
            let index = new_index(array.entries.len(), key)?;
            let entries = Array::make_mut(array);
            if index >= entries.len() {
                entries.resize(index + 1, Value::Null);
            }
            Ok(&mut entries[index])
        }
        (Value::Array(_), Kind::Array) => {
            Err(Failure::new(ErrorKind::WrongKind, "Cannot update field at array index of array"))
        }
        (value, _) => Err(cannot_index(value, key)),
    }
}

/// Returns the index at which an entry is set, which may be beyond the end.
fn new_index(len: usize, key: &Value) -> Result<usize, Failure> {
    const INDEX_MAX: i64 = 536_870_911;
    let number = key.as_number().filter(|number| !number.is_nan()).ok_or_else(|| {
        Failure::new(ErrorKind::InvalidPath, "Cannot set array element at NaN index")
    })?;
    let index = number.truncated_i64();
    let index = if index < 0 { index + len as i64 } else { index };
    match index {
        ..0 => Err(Failure::new(ErrorKind::InvalidPath, "Out of bounds negative array index")),
        0..=INDEX_MAX => Ok(index as usize),
        _ => Err(Failure::new(ErrorKind::TooLarge, "Array index too large")),
    }
}

/// Takes the value at a path out of `value`, where null stays. What is missing is null.
pub fn take(value: &mut Value, path: &[Value]) -> Result<Value, Failure> {
    let mut at = value;
    for (depth, key) in path.iter().enumerate() {
        if at.kind() == Kind::Null {
            return Ok(Value::Null);
        }
        if key.kind() == Kind::Object || !has(at, key) {
            return get(at, &path[depth..]);
        }
        at = place(at, key)?;
    }
    Ok(std::mem::take(at))
}

/// Returns whether `value` has the element, so that taking it adds nothing.
fn has(value: &Value, key: &Value) -> bool {
    match (value.kind(), key.kind()) {
        (Kind::Object, Kind::Text) => value.field(&key.borrow_text().unwrap_or_default()).is_some(),
        (Kind::Array, Kind::Number) => index_in(key, value.entry_count().unwrap_or(0)).is_some(),
        (Kind::Object, Kind::Number) => {
            let found = numbered(value, key).ok().flatten();
            found.is_some_and(|(name, _)| value.field(&name).is_some())
        }
        _ => false,
    }
}

/// Returns whether an array has an entry at `key`.
pub fn has_index(value: &Value, key: &Value) -> bool {
    has(value, key)
}

/// Sets the value at a path.
pub fn set(value: &mut Value, path: &[Value], new: Value) -> Result<(), Failure> {
    let mut at = value;
    for (depth, key) in path.iter().enumerate() {
        if key.kind() == Kind::Object {
            return set_slice(at, key, &path[depth + 1..], new);
        }
        at = place(at, key)?;
    }
    *at = new;
    Ok(())
}

/// Sets what the rest of a path leads to from a part of an array.
fn set_slice(value: &mut Value, key: &Value, rest: &[Value], new: Value) -> Result<(), Failure> {
    let fail = |message: &str| Err(Failure::new(ErrorKind::WrongKind, message));
    match value.kind() {
        Kind::Null | Kind::Array | Kind::Text => {}
        _ => return Err(cannot_index(value, key)),
    }
    let [from, to] = ends_of(key)?;
    let mut part = slice(value, &from, &to)?;
    if value.kind() == Kind::Text {
        return fail("Cannot update string slices");
    }
    set(&mut part, rest, new)?;
    let Some(part) = part.as_array() else {
        return fail("A slice of an array can only be assigned another array");
    };
    let mut array = std::mem::take(value).as_array().unwrap_or_default();
    let (from, to) = slice_range(array.entries.len(), &from, &to)?;
    Array::make_mut(&mut array).splice(from..to, part.entries.iter().cloned());
    *value = Value::Array(array);
    Ok(())
}

/// A collection of which elements are deleted: some of its own, and some of what its elements hold.
struct Open<'p> {
    value: Value,
    /// The key in the collection around it.
    key: &'p Value,
    /// The paths that lead into it and are still to be looked at.
    paths: std::ops::Range<usize>,
    /// The keys of the elements that are deleted in the end, so that no index moves before.
    deleted: Vec<&'p Value>,
}

/// Deletes the elements at `paths`.
pub fn delete(value: &mut Value, paths: &[Value]) -> Result<(), Failure> {
    let mut sorted = Vec::with_capacity(paths.len());
    for path in paths {
        let what = || format!("Path must be specified as array, not {}", path.kind().name());
        let failed = || Failure::new(ErrorKind::InvalidPath, what());
        sorted.push(path.as_array().ok_or_else(failed)?);
    }
    sorted.sort_by(|a, b| Value::Array(a.clone()).compare(&Value::Array(b.clone())));
    match sorted.first() {
        None => return Ok(()),
        Some(path) if path.entries.is_empty() => *value = Value::Null,
        Some(_) => *value = delete_sorted(std::mem::take(value), &sorted)?,
    }
    Ok(())
}

/// Returns a value without the elements at sorted paths, none of which is empty.
fn delete_sorted(value: Value, paths: &[Arc<Array>]) -> Result<Value, Failure> {
    let all = 0..paths.len();
    let mut open = vec![Open { value, key: &Value::Null, paths: all, deleted: Vec::new() }];
    loop {
        let depth = open.len() - 1;
        let Some(inner) = open.last_mut() else { return Ok(Value::Null) };
        let Some(first) = inner.paths.clone().next() else {
            let Some(done) = open.pop() else { return Ok(Value::Null) };
            let left = without(done.value, &done.deleted)?;
            let Some(outer) = open.last_mut() else { return Ok(left) };
            set(&mut outer.value, std::slice::from_ref(done.key), left)?;
            continue;
        };
        let key = &paths[first].entries[depth];
        let is_same = |at: &usize| paths[*at].entries.get(depth) == Some(key);
        let end = first + 1 + (first + 1..inner.paths.end).take_while(is_same).count();
        inner.paths.start = end;
        if paths[first].entries.len() == depth + 1 {
            inner.deleted.push(key);
            continue;
        }
        element(&inner.value, key)?;
        let value = take(&mut inner.value, std::slice::from_ref(key))?;
        if value.kind() != Kind::Null {
            open.push(Open { value, key, paths: first..end, deleted: Vec::new() });
        }
    }
}

/// Returns a value without the elements at `keys`.
fn without(value: Value, keys: &[&Value]) -> Result<Value, Failure> {
    if keys.is_empty() {
        return Ok(value);
    }
    match value.plain() {
        Value::Null => Ok(Value::Null),
        Value::Array(array) => without_indices(array, keys),
        Value::Object(mut object) => {
            let mut names = HashSet::new();
            for key in keys {
                let name = match key.kind() {
                    Kind::Number => {
                        let found = numbered(&Value::Object(object.clone()), key).ok().flatten();
                        found.map(|(name, _)| name)
                    }
                    _ => key.as_text(),
                };
                let name = name.ok_or_else(|| cannot_delete(key, "field of object"))?;
                names.extend(object.entries.contains_key(&name).then_some(name));
            }
            if !names.is_empty() {
                Object::make_mut(&mut object).retain(|name, _| !names.contains(name));
            }
            Ok(Value::Object(object))
        }
        value => {
            let message = format!("Cannot delete fields from {}", value.kind().name());
            Err(Failure::new(ErrorKind::WrongKind, message))
        }
    }
}

/// Returns an array without the entries at `keys`: indices and slices.
fn without_indices(mut array: Arc<Array>, keys: &[&Value]) -> Result<Value, Failure> {
    let len = array.entries.len();
    let mut kept = vec![true; len];
    for key in keys {
        match key.kind() {
            Kind::Number => {
                if let Some(index) = index_in(key, len) {
                    kept[index] = false;
                }
            }
            Kind::Object => {
                let [from, to] = ends_of(key)?;
                let (from, to) = slice_range(len, &from, &to)?;
                kept[from..to].fill(false);
            }
            _ => return Err(cannot_delete(key, "element of array")),
        }
    }
    let mut kept = kept.into_iter();
    Array::make_mut(&mut array).retain(|_| kept.next().unwrap_or(true));
    Ok(Value::Array(array))
}

/// Returns the error for a key of a type that the collection does not have.
fn cannot_delete(key: &Value, part: &str) -> Failure {
    let message = format!("Cannot delete {} {part}", key.kind().name());
    Failure::new(ErrorKind::WrongKind, message)
}

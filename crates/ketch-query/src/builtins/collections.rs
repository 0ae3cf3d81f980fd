//! Builtins on arrays and objects.

use super::arithmetic;
use super::contains::contains;
use super::types::{Builtin, Call, wrong};
use crate::error::{Failure, Kind as ErrorKind, described};
use crate::path;
use crate::value::{Array, Entries, Kind, Number, Object, ScalarKey, Value};
use std::collections::HashMap;
use std::sync::Arc;

pub(super) const BUILTINS: &[(&str, usize, Builtin)] = &[
    ("length", 0, length),
    ("keys", 0, |call| keys(call, true)),
    ("keys_unsorted", 0, |call| keys(call, false)),
    ("has", 1, has),
    ("contains", 1, |call| Ok(Value::Bool(contains(&call.input, &call.args[0])?))),
    ("type", 0, |call| Ok(call.input.kind().name().into())),
    ("add", 0, add),
    ("sort", 0, |call| sort(call, |entries| entries)),
    ("_sort_by", 1, |call| by(call, "sorted", sort_by)),
    ("_group_by", 1, |call| by(call, "sorted", group_by)),
    ("unique", 0, |call| {
        sort(call, |mut entries| {
            entries.dedup_by(|a, b| a == b);
            entries
        })
    }),
    ("_unique_by", 1, |call| by(call, "sorted", unique_by)),
    ("min", 0, |call| extreme(call, false)),
    ("max", 0, |call| extreme(call, true)),
    ("_min_by", 1, |call| extreme_by(call, false)),
    ("_max_by", 1, |call| extreme_by(call, true)),
    ("setpath", 2, set_path),
    ("delpaths", 1, del_paths),
    ("to_entries", 0, to_entries),
    ("flatten", 0, |call| flatten(call, usize::MAX)),
    ("flatten", 1, |call| {
        let depth = call.args[0].as_number().unwrap_or_else(|| Number::from(0)).truncated_i64();
        let depth = usize::try_from(depth).map_err(|_| {
            Failure::new(ErrorKind::InvalidArgument, "flatten depth must not be negative")
        })?;
        flatten(call, depth)
    }),
    ("reverse", 0, reverse),
    ("bsearch", 1, bsearch),
    ("transpose", 0, transpose),
];

fn length(call: &mut Call<'_, '_>) -> Result<Value, Failure> {
    Ok(match call.input.kind() {
        Kind::Null => 0.into(),
        Kind::Number => call.input.as_number().unwrap_or_else(Number::nan).abs().into(),
        Kind::Text => Value::count(call.input.borrow_text().unwrap_or_default().chars().count()),
        Kind::Array | Kind::Object => Value::count(call.input.entry_count().unwrap_or(0)),
        _ => return Err(call.wrong("has no length")),
    })
}

fn keys(call: &mut Call<'_, '_>, sorts: bool) -> Result<Value, Failure> {
    let count = call.input.entry_count();
    match (call.input.kind(), count) {
        (Kind::Array, Some(count)) => Ok(Value::array((0..count).map(Value::count).collect())),
        (Kind::Object, _) => {
            let object = call.input.as_object().unwrap_or_default();
            check_keys(&call.input, &object)?;
            let mut keys: Vec<_> = object.entries.keys().cloned().collect();
            if sorts {
                keys.sort_unstable();
            }
            Ok(Value::array(keys.into_iter().map(Value::Text).collect()))
        }
        _ => Err(call.wrong("has no keys")),
    }
}

/// Fails if a key of an object has no text, as it is a collection.
fn check_keys(value: &Value, object: &Object) -> Result<(), Failure> {
    let without =
        value.origin().and_then(|(source, id)| source.key_without_text(id, &object.entries));
    match without {
        Some(key) => {
            let message = "a key that is a collection has no text";
            Err(Failure::new(ErrorKind::KeyNotText, message).about(&key))
        }
        None => Ok(()),
    }
}

fn has(call: &mut Call<'_, '_>) -> Result<Value, Failure> {
    let key = call.arg(0);
    match (call.input.kind(), key.kind()) {
        (Kind::Object, Kind::Text) => {
            let key = key.borrow_text().unwrap_or_default();
            Ok(Value::Bool(call.input.field(&key).is_some()))
        }
        (Kind::Array, Kind::Number) => {
            let index = key.as_number().unwrap_or_else(Number::nan);
            let count = call.input.entry_count().unwrap_or(0);
            let is_in = !index.is_nan() && (0..count as i64).contains(&index.truncated_i64());
            Ok(Value::Bool(is_in))
        }
        (input, key) => {
            let message = format!("Cannot check whether {} has a {} key", input.name(), key.name());
            Err(Failure::new(ErrorKind::WrongKind, message).about(&call.input))
        }
    }
}

/// Adds all entries, in the first one if that is possible.
fn add(call: &mut Call<'_, '_>) -> Result<Value, Failure> {
    let entries = match call.input.kind() {
        Kind::Array => Array::take(call.input.as_array().unwrap_or_default()),
        Kind::Object => {
            let object = Object::take(call.input.as_object().unwrap_or_default());
            object.into_values().collect()
        }
        _ => {
            let message = format!("Cannot iterate over {}", described(&call.input));
            return Err(Failure::new(ErrorKind::WrongKind, message).about(&call.input));
        }
    };
    if entries.len() > 2 && entries.iter().all(|entry| entry.kind() == Kind::Text) {
        let texts = entries.iter().filter_map(Value::as_text);
        return Ok(texts.fold(String::new(), |sum, text| sum + &text).into());
    }
    let mut sum = Value::Null;
    for entry in entries {
        sum = match (sum, entry.kind()) {
            (Value::Array(mut sum), Kind::Array) => {
                let entry = entry.as_array().unwrap_or_default();
                Array::make_mut(&mut sum).extend(entry.entries.iter().cloned());
                Value::Array(sum)
            }
            (sum, _) => arithmetic::binary(
                crate::syntax::tree::BinaryOp::Add,
                sum,
                entry,
                call.context.limits,
            )?,
        };
    }
    Ok(sum)
}

/// Sorts an array, and does `then` with the entries.
fn sort(call: &mut Call<'_, '_>, then: fn(Vec<Value>) -> Vec<Value>) -> Result<Value, Failure> {
    let Some(array) = call.input.as_array() else {
        return Err(call.wrong("cannot be sorted, as it is not an array"));
    };
    let mut entries = array.entries.clone();
    entries.sort_by(Value::compare);
    Ok(Value::Array(Arc::new(Array { entries: then(entries), origin: array.origin.clone() })))
}

/// Calls `run` with the entries and their keys, which are the argument: for each key an array with the results of a filter.
fn by(
    call: &mut Call<'_, '_>,
    what: &str,
    run: fn(Vec<(Value, Value)>) -> Vec<Value>,
) -> Result<Value, Failure> {
    let keys = call.arg(0);
    let (Some(array), Some(keys)) = (call.input.as_array(), keys.as_array()) else {
        let what =
            format!("and {} cannot be {what}, as they are not both arrays", described(&keys));
        return Err(wrong(&call.input, &what));
    };
    // An array of one entry has the order of this entry.
    let single = |key: &Value| matches!(key, Value::Array(key) if key.entries.len() == 1);
    let is_single = keys.entries.iter().all(single);
    let key = |key: &Value| if is_single { key.item(0) } else { key.clone() };
    let pairs = keys.entries.iter().map(key).zip(array.entries.iter().cloned()).collect();
    Ok(Value::Array(Arc::new(Array { entries: run(pairs), origin: array.origin.clone() })))
}

fn sort_by(mut pairs: Vec<(Value, Value)>) -> Vec<Value> {
    pairs.sort_by(|a, b| a.0.compare(&b.0));
    pairs.into_iter().map(|(_, entry)| entry).collect()
}

/// Returns groups of entries with equal keys, sorted by these. Scalars need to be sorted only once per group.
fn groups(mut pairs: Vec<(Value, Value)>) -> Vec<Vec<Value>> {
    let Some(numbers) = group_numbers(&pairs) else {
        pairs.sort_by(|a, b| a.0.compare(&b.0));
        let chunks = pairs.chunk_by(|a, b| a.0.compare(&b.0).is_eq());
        return chunks
            .map(|chunk| chunk.iter().map(|(_, entry)| entry.clone()).collect())
            .collect();
    };
    let mut groups: Vec<(Value, Vec<Value>)> = Vec::new();
    for ((key, entry), number) in pairs.into_iter().zip(numbers) {
        match groups.get_mut(number) {
            Some((_, group)) => group.push(entry),
            None => groups.push((key, vec![entry])),
        }
    }
    groups.sort_by(|a, b| a.0.compare(&b.0));
    groups.into_iter().map(|(_, group)| group).collect()
}

/// Returns for each pair the number of its group, in the order of their first pairs, if all keys are scalars.
#[allow(clippy::mutable_key_type, reason = "scalars do not change")]
fn group_numbers(pairs: &[(Value, Value)]) -> Option<Vec<usize>> {
    let mut known = HashMap::new();
    let mut numbers = Vec::with_capacity(pairs.len());
    for (key, _) in pairs {
        let next = known.len();
        numbers.push(*known.entry(ScalarKey::of(key)?).or_insert(next));
    }
    Some(numbers)
}

fn group_by(pairs: Vec<(Value, Value)>) -> Vec<Value> {
    groups(pairs).into_iter().map(Value::array).collect()
}

fn unique_by(pairs: Vec<(Value, Value)>) -> Vec<Value> {
    groups(pairs).into_iter().filter_map(|group| group.into_iter().next()).collect()
}

fn extreme(call: &mut Call<'_, '_>, is_max: bool) -> Result<Value, Failure> {
    call.args = vec![call.input.clone()];
    extreme_by(call, is_max)
}

/// Returns the last of the greatest entries by their keys, or the first of the smallest.
fn extreme_by(call: &mut Call<'_, '_>, is_max: bool) -> Result<Value, Failure> {
    let keys = call.arg(0);
    let (Some(array), Some(keys)) = (call.input.as_array(), keys.as_array()) else {
        return Err(wrong(
            &call.input,
            &format!("and {} cannot be iterated over", described(&keys)),
        ));
    };
    let pairs = keys.entries.iter().zip(&array.entries);
    let best = pairs.reduce(|best, next| {
        let order = next.0.compare(best.0);
        if (is_max && order.is_ge()) || (!is_max && order.is_lt()) { next } else { best }
    });
    Ok(best.map(|(_, entry)| entry.clone()).unwrap_or_default())
}

fn set_path(call: &mut Call<'_, '_>) -> Result<Value, Failure> {
    let (path, new) = (call.arg(0), call.arg(1));
    let Some(path) = path.as_array() else {
        return Err(path::not_an_array());
    };
    let mut value = std::mem::take(&mut call.input);
    path::set(&mut value, &path.entries, new)?;
    Ok(value)
}

fn del_paths(call: &mut Call<'_, '_>) -> Result<Value, Failure> {
    let Some(paths) = call.arg(0).as_array() else {
        return Err(Failure::new(ErrorKind::InvalidPath, "Paths must be specified as an array"));
    };
    let mut value = std::mem::take(&mut call.input);
    path::delete(&mut value, &paths.entries)?;
    Ok(value)
}

fn to_entries(call: &mut Call<'_, '_>) -> Result<Value, Failure> {
    let pair = |key: Value, value: &Value| {
        let mut entries = Entries::with_capacity(2);
        entries.insert("key".into(), key);
        entries.insert("value".into(), value.clone());
        Value::object(entries)
    };
    let entries = match call.input.clone().plain() {
        Value::Object(object) => {
            check_keys(&call.input, &object)?;
            let entries = object.entries.iter();
            entries.map(|(key, value)| pair(Value::Text(key.clone()), value)).collect()
        }
        Value::Array(array) => array
            .entries
            .iter()
            .enumerate()
            .map(|(at, value)| pair(Value::count(at), value))
            .collect(),
        _ => return Err(call.wrong("has no keys")),
    };
    Ok(Value::array(entries))
}

fn flatten(call: &mut Call<'_, '_>, depth: usize) -> Result<Value, Failure> {
    let entries = match call.input.clone().plain() {
        Value::Array(array) => array.entries.clone(),
        Value::Object(object) => object.entries.values().cloned().collect(),
        _ => {
            let message = format!("Cannot iterate over {}", described(&call.input));
            return Err(Failure::new(ErrorKind::WrongKind, message).about(&call.input));
        }
    };
    let mut flat = Vec::new();
    let mut open = vec![entries.into_iter()];
    while let Some(entries) = open.last_mut() {
        match entries.next() {
            Some(entry) if entry.kind() == Kind::Array && open.len() <= depth => {
                open.push(entry.as_array().unwrap_or_default().entries.clone().into_iter());
            }
            Some(entry) => flat.push(entry),
            None => drop(open.pop()),
        }
    }
    Ok(Value::array(flat))
}

fn reverse(call: &mut Call<'_, '_>) -> Result<Value, Failure> {
    match call.input.clone().plain() {
        Value::Null => Ok(Value::array(Vec::new())),
        Value::Array(mut array) => {
            Array::make_mut(&mut array).reverse();
            Ok(Value::Array(array))
        }
        Value::Object(object) if object.entries.is_empty() => Ok(Value::array(Vec::new())),
        value => {
            let last = match value.kind() {
                Kind::Text => value.as_text().unwrap_or_default().chars().count() as i64 - 1,
                Kind::Object => value.entry_count().unwrap_or(1) as i64 - 1,
                Kind::Number => {
                    value.as_number().map_or(0, |number| number.abs().truncated_i64()) - 1
                }
                _ => return Err(call.wrong("has no length")),
            };
            if last < 0 {
                return Ok(Value::array(Vec::new()));
            }
            path::element(&value, &last.into()).map_err(|failure| failure.about(&call.input))
        }
    }
}

fn bsearch(call: &mut Call<'_, '_>) -> Result<Value, Failure> {
    let wanted = call.arg(0);
    let Some(array) = call.input.as_array() else {
        return Err(call.wrong("cannot be searched from"));
    };
    Ok(match array.entries.binary_search_by(|entry| entry.compare(&wanted)) {
        Ok(at) => Value::count(at),
        Err(at) => (-1 - at as i64).into(),
    })
}

fn transpose(call: &mut Call<'_, '_>) -> Result<Value, Failure> {
    let Some(rows) = call.input.as_array() else {
        let message = format!("Cannot iterate over {}", described(&call.input));
        return Err(Failure::new(ErrorKind::WrongKind, message).about(&call.input));
    };
    let lengths = rows.entries.iter().map(|row| row.entry_count().unwrap_or(0));
    let columns = lengths.max().unwrap_or(0);
    let column = |at: usize| Value::array(rows.entries.iter().map(|row| row.item(at)).collect());
    Ok(Value::array((0..columns).map(column).collect()))
}

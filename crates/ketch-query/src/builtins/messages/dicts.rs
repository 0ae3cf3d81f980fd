//! Messages to dicts, whose keys may be any scalars.

use super::super::types::Call;
use super::keys::{Builder, elements, key_text, pairs_of};
use super::kinds::wrong;
use super::types::Shape::{Block, KeyBlock};
use super::types::{BOTH, DICT, Message, block, values};
use crate::error::Failure;
use crate::value::{Kind, Object, Value};
use std::sync::Arc;

type Result<T> = std::result::Result<T, Failure>;

pub(super) const MESSAGES: &[Message] = &[
    values("_keys", DICT, (0, 0), |call| Ok(keys(&call.input))),
    values("_insert", DICT, (2, 2), insert),
    values("keys", DICT, (0, 0), |call| Ok(keys(&call.input))),
    values("values", DICT, (0, 0), |call| Ok(Value::array(elements(&call.input)))),
    values("entries", DICT, (0, 0), |call| {
        let entry = |(key, value)| {
            let entries: [(Arc<str>, Value); 2] = [("key".into(), key), ("value".into(), value)];
            Value::object(entries.into_iter().collect())
        };
        Ok(Value::array(pairs_of(&call.input).into_iter().map(entry).collect()))
    }),
    values("has?", BOTH, (1, 1), |call| {
        if call.input.kind() == Kind::Array {
            return Ok(crate::path::has_index(&call.input, &call.args[0]).into());
        }
        Ok(call.input.field(&key_text(&call.args[0])?).is_some().into())
    }),
    values("pick", DICT, (1, u8::MAX), |call| chosen(call, true)),
    values("omit", DICT, (1, u8::MAX), |call| chosen(call, false)),
    block("mapValues", DICT, 1, Block, |call| mapped(call, |key, new| (key, new), true)),
    block("mapKeys", DICT, 1, KeyBlock, |call| mapped(call, |value, new| (new, value), false)),
    values("merge", DICT, (1, u8::MAX), |call| {
        let mut dict = Builder::of(pairs_of(&call.input))?;
        for other in &call.args {
            if other.kind() != Kind::Object {
                return Err(wrong(other, "a dict"));
            }
            for (key, value) in pairs_of(other) {
                *dict.entry(&key)? = value;
            }
        }
        Ok(dict.finish())
    }),
    values("sortKeys", DICT, (0, 0), |call| {
        let mut pairs = pairs_of(&call.input);
        pairs.sort_by(|(a, _), (b, _)| a.compare(b));
        Ok(Builder::of(pairs)?.finish())
    }),
];

fn keys(dict: &Value) -> Value {
    Value::array(pairs_of(dict).into_iter().map(|(key, _)| key).collect())
}

/// Adds an entry to a dict.
fn insert(call: &mut Call<'_, '_>) -> Result<Value> {
    let (key, value) = (call.arg(0), call.arg(1));
    if let (Value::Object(dict), Some(text)) = (&mut call.input, key.as_text()) {
        Object::make_mut(dict).insert(text, value);
        return Ok(std::mem::take(&mut call.input));
    }
    let mut dict = Builder::of(pairs_of(&call.input))?;
    *dict.entry(&key)? = value;
    Ok(dict.finish())
}

/// Returns the entries whose keys are given, or the others.
fn chosen(call: &Call<'_, '_>, picks: bool) -> Result<Value> {
    let mut names = std::collections::HashSet::new();
    for name in &call.args {
        let several = if name.kind() == Kind::Array { elements(name) } else { vec![name.clone()] };
        for name in &several {
            names.insert(key_text(name)?);
        }
    }
    let mut dict = Builder::default();
    for (key, value) in pairs_of(&call.input) {
        if names.contains(&key_text(&key)?) == picks {
            *dict.entry(&key)? = value;
        }
    }
    Ok(dict.finish())
}

/// Returns a dict with other keys or values, which a block gave.
fn mapped(
    call: &Call<'_, '_>,
    pair: fn(Value, Value) -> (Value, Value),
    keeps_keys: bool,
) -> Result<Value> {
    let (pairs, mut dict) = (pairs_of(&call.input), Builder::default());
    for (at, new) in elements(&call.args[0]).into_iter().zip(elements(&call.args[1])) {
        let at = at.as_number().map_or(0, |number| number.truncated_i64() as usize);
        let (key, value) = pairs[at].clone();
        let (key, value) = pair(if keeps_keys { key } else { value }, new);
        *dict.entry(&key)? = value;
    }
    Ok(dict.finish())
}

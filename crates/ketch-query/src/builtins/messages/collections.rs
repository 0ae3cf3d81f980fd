//! Messages to lists and dicts. The elements of a dict are its values.

use super::super::types::{Call, number};
use super::keys::{Builder, elements, pairs_of};
use super::kinds::{count_of, equals, integer_of, order, text_of, wrong};
use super::types::Shape::{Block, Until};
use super::types::{ANY, BOTH, LIST, Message, TEXT, block, values};
use super::written::joined;
use crate::error::{Failure, Kind as ErrorKind};
use crate::value::{Entries, Kind, Number, NumberError, Value, scaled};
use std::cmp::Ordering;

type Result = std::result::Result<Value, Failure>;

pub(super) const MESSAGES: &[Message] = &[
    values("_items", BOTH, (0, 0), |call| Ok(Value::array(elements(&call.input)))),
    block("map", BOTH, 1, Block, |call| Ok(call.arg(1))),
    block("flatMap", BOTH, 1, Block, |call| {
        flatten(&Value::array(each(call).map(|found| found.key).collect()), 1)
    }),
    block("filter", BOTH, 1, Block, |call| keep(call, |key| key.is_true())),
    block("select", BOTH, 1, Block, |call| keep(call, |key| key.is_true())),
    block("reject", BOTH, 1, Block, |call| keep(call, |key| !key.is_true())),
    block("partition", BOTH, 1, Block, |call| {
        let parts = [keep(call, |key| key.is_true())?, keep(call, |key| !key.is_true())?];
        Ok(Value::array(parts.to_vec()))
    }),
    block("find", BOTH, 1, Until(true), |call| {
        let found = each(call).find(|found| found.key.is_true());
        found.map(|found| found.item).ok_or_else(|| nothing("no element fits"))
    }),
    block("any?", BOTH, 0, Until(true), |call| Ok(Value::Bool(count(call) > 0))),
    block("none?", BOTH, 0, Until(true), |call| Ok(Value::Bool(count(call) == 0))),
    block("all?", BOTH, 0, Until(false), |call| {
        Ok(each(call).all(|found| found.key.is_true()).into())
    }),
    block("one?", BOTH, 0, Block, |call| Ok(Value::Bool(count(call) == 1))),
    block("count", BOTH, 0, Block, |call| match call.args.len() {
        0 => length(call),
        _ => Ok(Value::count(count(call))),
    }),
    values("length", BOTH, (0, 0), length),
    values("size", BOTH, (0, 0), length),
    values("empty?", BOTH, (0, 0), |call| Ok((call.input.entry_count() == Some(0)).into())),
    block("sum", BOTH, 0, Block, |call| fold(call, 0, scaled::add)),
    block("product", BOTH, 0, Block, |call| fold(call, 1, scaled::multiply)),
    block("average", BOTH, 0, Block, |call| {
        let count = each(call).count();
        if count == 0 {
            return Err(empty("average"));
        }
        let sum = fold(call, 0, scaled::add)?.as_number().unwrap_or_else(Number::nan);
        number(scaled::divide(&sum, &Number::from_usize(count), call.context.limits.digits))
    }),
    block("min", BOTH, 0, Block, |call| extreme(call, "min", Ordering::Less)),
    block("max", BOTH, 0, Block, |call| extreme(call, "max", Ordering::Greater)),
    block("group", BOTH, 0, Block, |call| {
        let mut groups = Builder::default();
        for found in each(call) {
            let group = groups.entry(&found.key)?;
            if let Value::Null = group {
                *group = Value::array(Vec::new());
            }
            if let Value::Array(array) = group {
                crate::value::Array::make_mut(array).push(found.item);
            }
        }
        Ok(groups.finish())
    }),
    block("tally", BOTH, 0, Block, |call| {
        let mut counts = Builder::default();
        for found in each(call) {
            let count = counts.entry(&found.key)?;
            *count = Value::from(count.as_number().map_or(0, |number| number.truncated_i64()) + 1);
        }
        Ok(counts.finish())
    }),
    values("include?", BOTH, (1, 1), |call| {
        Ok(elements(&call.input).iter().any(|item| equals(item, &call.args[0])).into())
    }),
    values("include?", TEXT, (1, 1), |call| {
        Ok(text_of(&call.input)?.contains(&*text_of(&call.args[0])?).into())
    }),
    values("join", BOTH, (0, 1), |call| {
        let separator = call.args.first().map_or(Ok("".into()), text_of)?;
        joined(&elements(&call.input), &separator, call.context)
    }),
    values("list", BOTH, (0, 0), |call| Ok(Value::array(elements(&call.input)))),
    values("deep", BOTH, (1, 1), deep),
    values("first", LIST, (0, 1), |call| end(call, "first", |items, count| items.truncate(count))),
    values("last", LIST, (0, 1), |call| {
        end(call, "last", |items, count| drop(items.drain(..items.len().saturating_sub(count))))
    }),
    values("take", LIST, (1, 1), |call| end(call, "take", |items, count| items.truncate(count))),
    values("drop", LIST, (1, 1), |call| {
        end(call, "drop", |items, count| drop(items.drain(..count.min(items.len()))))
    }),
    block("takeWhile", LIST, 1, Until(false), |call| {
        let taken = each(call).take_while(|found| found.key.is_true());
        Ok(Value::array(taken.map(|found| found.item).collect()))
    }),
    block("dropWhile", LIST, 1, Until(false), |call| {
        let first = each(call).find(|found| !found.key.is_true()).map(|found| found.at);
        let mut items = elements(&call.input);
        items.drain(..first.unwrap_or(items.len()));
        Ok(Value::array(items))
    }),
    block("sort", LIST, 0, Block, |call| {
        let mut found: Vec<Found> = each(call).collect();
        sort(&mut found)?;
        Ok(Value::array(found.into_iter().map(|found| found.item).collect()))
    }),
    block("unique", LIST, 0, Block, |call| {
        let mut found: Vec<Found> = each(call).collect();
        found.sort_by(|a, b| a.key.compare(&b.key));
        found.dedup_by(|later, first| equals(&later.key, &first.key));
        found.sort_by_key(|found| found.at);
        Ok(Value::array(found.into_iter().map(|found| found.item).collect()))
    }),
    values("reverse", LIST, (0, 0), |call| {
        Ok(Value::array(elements(&call.input).into_iter().rev().collect()))
    }),
    values("flatten", LIST, (0, 1), |call| {
        flatten(&call.input, call.args.first().map_or(Ok(usize::MAX), count_of)?)
    }),
    values("compact", LIST, (0, 0), |call| {
        let items = elements(&call.input).into_iter();
        Ok(Value::array(items.filter(|item| item.kind() != Kind::Null).collect()))
    }),
    values("zip", LIST, (1, 1), |call| {
        let other = call.args[0].as_array().ok_or_else(|| wrong(&call.args[0], "a list"))?;
        let pairs = elements(&call.input).into_iter().zip(other.entries.iter().cloned());
        Ok(Value::array(pairs.map(|(a, b)| Value::array(vec![a, b])).collect()))
    }),
    values("chunks", LIST, (1, 1), |call| {
        parts(call, |items, count| items.chunks(count).collect())
    }),
    values("windows", LIST, (1, 1), |call| {
        parts(call, |items, count| items.windows(count).collect())
    }),
    values("withIndex", LIST, (0, 0), |call| {
        let numbered = elements(&call.input).into_iter().enumerate();
        let named = |(index, item)| {
            let entries: [(_, Value); 2] =
                [("index".into(), Value::count(index)), ("value".into(), item)];
            Value::object(entries.into_iter().collect::<Entries>())
        };
        Ok(Value::array(numbered.map(named).collect()))
    }),
    values("index", LIST, (1, 1), |call| {
        let found = elements(&call.input).iter().position(|item| equals(item, &call.args[0]));
        found.map(Value::count).ok_or_else(|| nothing("no element is equal"))
    }),
    block("dict", LIST, 0, Block, |call| {
        let mut dict = Builder::default();
        let has_keys = !call.args.is_empty();
        for found in each(call) {
            let (key, item) = if has_keys { (found.key, found.item) } else { pair(&found.item)? };
            *dict.entry(&key)? = item;
        }
        Ok(dict.finish())
    }),
    values("null?", ANY, (0, 0), |call| Ok((call.input.kind() == Kind::Null).into())),
];

/// An element, its index, and what the block gave for it.
struct Found {
    at: usize,
    item: Value,
    key: Value,
}

/// Returns what a block found; without a block, every element is its own key.
fn each(call: &Call<'_, '_>) -> impl Iterator<Item = Found> + use<> {
    let items = elements(&call.input);
    let given =
        call.args.first().zip(call.args.get(1)).map(|(at, keys)| (elements(at), elements(keys)));
    let (at, keys) =
        given.unwrap_or_else(|| ((0..items.len()).map(Value::count).collect(), items.clone()));
    at.into_iter().zip(keys).map(move |(at, key)| {
        let at = at.as_number().map_or(0, |number| number.truncated_i64() as usize);
        Found { at, item: items.get(at).cloned().unwrap_or_default(), key }
    })
}

/// Returns the number of elements for which the block is true.
fn count(call: &Call<'_, '_>) -> usize {
    each(call).filter(|found| found.key.is_true()).count()
}

fn length(call: &mut Call<'_, '_>) -> Result {
    Ok(Value::count(call.input.entry_count().unwrap_or(0)))
}

/// Returns the error for the elements of an empty list.
fn empty(what: &str) -> Failure {
    Failure::new(ErrorKind::Empty, format!("nothing has no `{what}`"))
}

/// Returns the error for a search without result.
fn nothing(message: &str) -> Failure {
    Failure::new(ErrorKind::NothingFound, message)
}

/// Returns the list or dict of the elements whose keys are accepted.
fn keep(call: &Call<'_, '_>, accepts: fn(&Value) -> bool) -> Result {
    let kept = each(call).filter(|found| accepts(&found.key));
    if call.input.kind() == Kind::Array {
        return Ok(Value::array(kept.map(|found| found.item).collect()));
    }
    let (pairs, mut dict) = (pairs_of(&call.input), Builder::default());
    for found in kept {
        *dict.entry(&pairs[found.at].0)? = found.item;
    }
    Ok(dict.finish())
}

/// Returns the keys put together.
fn fold(
    call: &Call<'_, '_>,
    start: i64,
    operation: fn(&Number, &Number, u64) -> std::result::Result<Number, NumberError>,
) -> Result {
    let mut total = Value::from(start);
    for found in each(call) {
        let number_of = |value: &Value| value.as_number().ok_or_else(|| wrong(value, "a number"));
        let (left, right) = (number_of(&total)?, number_of(&found.key)?);
        total = number(operation(&left, &right, call.context.limits.digits))?;
    }
    Ok(total)
}

/// Returns the first element whose key is before, or after, all others.
fn extreme(call: &Call<'_, '_>, name: &str, wanted: Ordering) -> Result {
    let mut best: Option<Found> = None;
    for found in each(call) {
        let is_better = match &best {
            Some(best) => order(&found.key, &best.key)? == wanted,
            None => true,
        };
        if is_better {
            best = Some(found);
        }
    }
    best.map(|found| found.item).ok_or_else(|| empty(name))
}

/// Sorts by keys, equal ones in their order. Fails if two of them have no order.
fn sort(found: &mut [Found]) -> std::result::Result<(), Failure> {
    let mut failure = None;
    found.sort_by(|a, b| match order(&a.key, &b.key) {
        Ok(order) => order,
        Err(error) => {
            failure.get_or_insert(error);
            a.key.compare(&b.key)
        }
    });
    failure.map_or(Ok(()), Err)
}

/// Returns elements from an end of a list: as a list if their number is given.
fn end(call: &mut Call<'_, '_>, name: &str, cut: fn(&mut Vec<Value>, usize)) -> Result {
    let mut items = elements(&call.input);
    let count = call.args.first().map_or(Ok(1), count_of)?;
    cut(&mut items, count);
    match call.args.is_empty() {
        true => items.pop().ok_or_else(|| empty(name)),
        false => Ok(Value::array(items)),
    }
}

/// Returns lists of neighbours.
fn parts(call: &Call<'_, '_>, split: fn(&[Value], usize) -> Vec<&[Value]>) -> Result {
    if integer_of(&call.args[0])? < 1 {
        return Err(Failure::new(ErrorKind::InvalidArgument, "expected a count above zero"));
    }
    let items = elements(&call.input);
    let parts = split(&items, count_of(&call.args[0])?);
    Ok(Value::array(parts.into_iter().map(|part| Value::array(part.to_vec())).collect()))
}

/// Returns the key and the value that an element of a list stands for.
fn pair(item: &Value) -> std::result::Result<(Value, Value), Failure> {
    if let (Some(key), Some(value)) = (item.field("key"), item.field("value")) {
        return Ok((key, value));
    }
    match item.as_array().map(|array| array.entries.clone()).as_deref() {
        Some([key, value]) => Ok((key.clone(), value.clone())),
        _ => Err(wrong(item, "a pair")),
    }
}

/// Puts the elements of lists in a list in their place, for a number of levels.
fn flatten(list: &Value, levels: usize) -> Result {
    let mut open = vec![elements(list).into_iter()];
    let mut flat = Vec::new();
    while let Some(items) = open.last_mut() {
        match items.next() {
            Some(item) if item.kind() == Kind::Array && open.len() <= levels => {
                open.push(elements(&item).into_iter());
            }
            Some(item) => flat.push(item),
            None => drop(open.pop()),
        }
    }
    Ok(Value::array(flat))
}

/// Returns the values of all keys with a name, however deep.
fn deep(call: &mut Call<'_, '_>) -> Result {
    let name = text_of(&call.args[0])?;
    let (mut found, mut pending) = (Vec::new(), vec![(None, call.input.clone())]);
    while let Some((key, value)) = pending.pop() {
        if key.as_ref() == Some(&name) {
            found.push(value.clone());
        }
        match value.as_object() {
            Some(object) => {
                let entries = object.entries.iter().rev();
                pending.extend(entries.map(|(key, value)| (Some(key.clone()), value.clone())));
            }
            None => pending.extend(elements(&value).into_iter().rev().map(|item| (None, item))),
        }
    }
    Ok(Value::array(found))
}

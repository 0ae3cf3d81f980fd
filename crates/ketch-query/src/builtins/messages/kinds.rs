//! The kinds of values, their order, and arguments of a kind.

use crate::error::{Failure, Kind as ErrorKind, shown};
use crate::value::{Kind, NumberKind, Value, scaled};
use std::cmp::Ordering;
use std::sync::Arc;

/// The tag that makes a text a date.
pub const TAG: &str = "!!timestamp";

/// Returns whether a value is a date.
pub fn is_date(value: &Value) -> bool {
    match value {
        Value::Node(source, id) => match value.decoration() {
            Some(decoration) => decoration.tag.as_deref() == Some(TAG),
            None => source.is_timestamp(*id),
        },
        _ => false,
    }
}

/// Returns what `kind` gives.
pub fn kind_name(value: &Value) -> &'static str {
    match value.kind() {
        Kind::Null => "Null",
        Kind::False | Kind::True => "Boolean",
        Kind::Text if is_date(value) => "Date",
        Kind::Text => "Text",
        Kind::Array => "List",
        Kind::Object => "Dict",
        Kind::Number => match value.as_number().and_then(|number| scaled::kind(&number)) {
            Some(NumberKind::Integer) => "Integer",
            Some(NumberKind::Ratio) => "Ratio",
            _ => "Decimal",
        },
    }
}

/// Returns the error for an argument that is not of the kind that the message needs.
pub fn wrong(value: &Value, wanted: &str) -> Failure {
    let message = format!("expected {wanted}, not {} {}", kind_name(value), shown(value));
    Failure::new(ErrorKind::WrongKind, message).about(value)
}

/// Returns the order of two values: numbers, texts, dates, and lists of these.
pub fn order(left: &Value, right: &Value) -> Result<Ordering, Failure> {
    let mut pending = vec![(left.clone(), right.clone())];
    while let Some((a, b)) = pending.pop() {
        let kind = kind_name(&a);
        let is_number = |value: &Value| value.as_number().is_some_and(|number| !number.is_nan());
        if is_number(&a) && is_number(&b)
            || kind == kind_name(&b) && ["Text", "Date"].contains(&kind)
        {
            let order = a.compare(&b);
            if order.is_ne() {
                return Ok(order);
            }
        } else if let (Some(a), Some(b)) = (a.as_array(), b.as_array()) {
            pending.push((Value::count(a.entries.len()), Value::count(b.entries.len())));
            let pairs = a.entries.iter().zip(&b.entries).rev();
            pending.extend(pairs.map(|(a, b)| (a.clone(), b.clone())));
        } else {
            let (left, right) = (shown(&a), shown(&b));
            let message = format!("{kind} {left} and {} {right} have no order", kind_name(&b));
            return Err(Failure::new(ErrorKind::NotComparable, message).about(left_of(&a, &b)));
        }
    }
    Ok(Ordering::Equal)
}

/// Returns the value that has a place, if one of them has.
fn left_of<'v>(left: &'v Value, right: &'v Value) -> &'v Value {
    if left.origin().is_some() { left } else { right }
}

/// Returns whether two values are equal. A date is no text.
pub fn equals(left: &Value, right: &Value) -> bool {
    is_date(left) == is_date(right) && left == right
}

/// Returns the text that an argument is.
pub fn text_of(value: &Value) -> Result<Arc<str>, Failure> {
    value.as_text().ok_or_else(|| wrong(value, "a text"))
}

/// Returns the integer of 64 bits that an argument is.
pub fn integer_of(value: &Value) -> Result<i64, Failure> {
    let number =
        value.as_number().filter(|number| scaled::kind(number) == Some(NumberKind::Integer));
    number.map(|number| number.truncated_i64()).ok_or_else(|| wrong(value, "an integer"))
}

/// Returns the count that an argument is.
pub fn count_of(value: &Value) -> Result<usize, Failure> {
    usize::try_from(integer_of(value)?).map_err(|_| {
        Failure::new(ErrorKind::InvalidArgument, "expected a count, which is not below zero")
    })
}

//! The operators.

use super::strings;
use super::types::number;
use crate::error::{Failure, Kind as ErrorKind, described};
use crate::host::Limits;
use crate::syntax::tree::BinaryOp;
use crate::value::{Array, Kind, Number, Object, Value};
use std::sync::Arc;

/// Applies an operator to two values.
pub fn binary(
    operator: BinaryOp,
    left: Value,
    right: Value,
    limits: &Limits,
) -> Result<Value, Failure> {
    match operator {
        BinaryOp::Equal => return Ok(Value::Bool(left == right)),
        BinaryOp::NotEqual => return Ok(Value::Bool(left != right)),
        BinaryOp::Less => return Ok(Value::Bool(left.compare_as_operand(&right).is_lt())),
        BinaryOp::LessEqual => return Ok(Value::Bool(left.compare_as_operand(&right).is_le())),
        BinaryOp::Greater => return Ok(Value::Bool(left.compare_as_operand(&right).is_gt())),
        BinaryOp::GreaterEqual => return Ok(Value::Bool(left.compare_as_operand(&right).is_ge())),
        _ => {}
    }
    if let (Some(a), Some(b)) = (left.as_number(), right.as_number()) {
        return numbers(operator, &a, &b, limits)
            .map_err(|failure| of_operands(failure, operator, &left, &right));
    }
    if operator == BinaryOp::Add {
        return add(left, right).map_err(|(left, right)| unfit(operator, &left, &right));
    }
    let other = match operator {
        BinaryOp::Subtract => subtract(&left, &right),
        BinaryOp::Multiply => multiply(&left, &right, limits)?,
        BinaryOp::Divide => divide(&left, &right),
        _ => None,
    };
    other.ok_or_else(|| unfit(operator, &left, &right))
}

/// Applies an operator to two numbers.
fn numbers(operator: BinaryOp, a: &Number, b: &Number, limits: &Limits) -> Result<Value, Failure> {
    let digits = limits.digits;
    if let Some(result) = limits.floats.then(|| in_binary64(operator, a, b)).flatten() {
        return Ok(Value::Number(Number::from_f64(result)));
    }
    number(match operator {
        BinaryOp::Add => a.add(b, digits),
        BinaryOp::Subtract => a.subtract(b, digits),
        BinaryOp::Multiply => a.multiply(b, digits),
        BinaryOp::Divide => a.divide(b, digits),
        _ => a.remainder(b, digits),
    })
}

/// Applies an operator to two numbers in binary64. Returns `None` for those that are exact there, too, or fail.
fn in_binary64(operator: BinaryOp, a: &Number, b: &Number) -> Option<f64> {
    let (a, b) = (a.to_f64(), b.to_f64());
    Some(match operator {
        BinaryOp::Add => a + b,
        BinaryOp::Subtract => a - b,
        BinaryOp::Multiply => a * b,
        BinaryOp::Divide if b != 0.0 => a / b,
        _ => return None,
    })
}

/// Completes the error of an operator on numbers.
fn of_operands(failure: Failure, operator: BinaryOp, left: &Value, right: &Value) -> Failure {
    if failure.kind != ErrorKind::DivisionByZero {
        return failure.about(left).about(right);
    }
    let how = if operator == BinaryOp::Remainder { " (remainder)" } else { "" };
    let message = format!(
        "{} and {} cannot be divided{how} because the divisor is zero",
        described(left),
        described(right)
    );
    Failure::new(ErrorKind::DivisionByZero, message).about(left).about(right)
}

/// Returns the error for operands of types that the operator does not take.
fn unfit(operator: BinaryOp, left: &Value, right: &Value) -> Failure {
    let what = match operator {
        BinaryOp::Add => "added",
        BinaryOp::Subtract => "subtracted",
        BinaryOp::Multiply => "multiplied",
        BinaryOp::Divide => "divided",
        _ => "divided (remainder)",
    };
    let message = format!("{} and {} cannot be {what}", described(left), described(right));
    Failure::new(ErrorKind::WrongKind, message).about(left).about(right)
}

/// Adds values that are not both numbers, in the left one if nothing else refers to it. Otherwise, returns them.
fn add(left: Value, right: Value) -> Result<Value, (Value, Value)> {
    Ok(match (left.kind(), right.kind()) {
        (Kind::Null, _) => right,
        (_, Kind::Null) => left,
        (Kind::Text, Kind::Text) => {
            let texts = [left.borrow_text(), right.borrow_text()];
            texts.into_iter().flatten().collect::<String>().into()
        }
        (Kind::Array, Kind::Array) | (Kind::Object, Kind::Object) => {
            match (left.plain(), right.plain()) {
                (Value::Array(mut sum), Value::Array(more)) => {
                    Array::make_mut(&mut sum).extend(more.entries.iter().cloned());
                    Value::Array(sum)
                }
                (Value::Object(mut sum), Value::Object(more)) => {
                    let entries =
                        more.entries.iter().map(|(key, value)| (key.clone(), value.clone()));
                    Object::make_mut(&mut sum).extend(entries);
                    Value::Object(sum)
                }
                operands => return Err(operands),
            }
        }
        _ => return Err((left, right)),
    })
}

/// Subtracts an array from another.
fn subtract(left: &Value, right: &Value) -> Option<Value> {
    if (left.kind(), right.kind()) != (Kind::Array, Kind::Array) {
        return None;
    }
    let (left, right) = (left.as_array()?, right.as_array()?);
    let kept = left.entries.iter().filter(|entry| !right.entries.contains(entry));
    let entries = kept.cloned().collect();
    Some(Value::Array(Arc::new(Array { entries, origin: left.origin.clone() })))
}

/// Repeats a text, or merges objects.
fn multiply(left: &Value, right: &Value, limits: &Limits) -> Result<Option<Value>, Failure> {
    let (text, count) = match (left.kind(), right.kind()) {
        (Kind::Text, Kind::Number) => (left.as_text(), right.as_number()),
        (Kind::Number, Kind::Text) => (right.as_text(), left.as_number()),
        (Kind::Object, Kind::Object) => return Ok(merged(left, right)),
        _ => return Ok(None),
    };
    let (Some(text), Some(count)) = (text, count) else { return Ok(None) };
    if count.is_nan() || count.is_negative() {
        return Ok(Some(Value::Null));
    }
    let count = count.truncated_i64() as usize;
    if text.len().saturating_mul(count) > limits.text_bytes {
        return Err(Failure::new(ErrorKind::TooLarge, "Repeat string result too long"));
    }
    Ok(Some(text.repeat(count).into()))
}

/// An object that another is merged into.
struct Merge {
    object: Arc<Object>,
    /// The entries of the other that are left.
    pending: std::vec::IntoIter<(Arc<str>, Value)>,
    /// The key in the object around it.
    key: Option<Arc<str>>,
}

impl Merge {
    fn new(object: &Value, other: &Value, key: Option<Arc<str>>) -> Option<Merge> {
        let pending = other.as_object()?.entries.clone().into_iter();
        Some(Merge { object: object.as_object()?, pending, key })
    }
}

/// Merges an object into another, with objects in both merged as well.
fn merged(left: &Value, right: &Value) -> Option<Value> {
    let mut open = vec![Merge::new(left, right, None)?];
    loop {
        let inner = open.last_mut()?;
        let Some((key, value)) = inner.pending.next() else {
            let Merge { object, key, .. } = open.pop()?;
            let (Some(outer), Some(key)) = (open.last_mut(), key) else {
                return Some(Value::Object(object));
            };
            Object::make_mut(&mut outer.object).insert(key, Value::Object(object));
            continue;
        };
        let own = inner.object.entries.get(&key).filter(|own| own.kind() == Kind::Object);
        match own.filter(|_| value.kind() == Kind::Object) {
            Some(own) => {
                let next = Merge::new(own, &value, Some(key))?;
                open.push(next);
            }
            None => drop(Object::make_mut(&mut inner.object).insert(key, value)),
        }
    }
}

/// Splits a text.
fn divide(left: &Value, right: &Value) -> Option<Value> {
    Some(strings::split(&left.as_text()?, &right.as_text()?))
}

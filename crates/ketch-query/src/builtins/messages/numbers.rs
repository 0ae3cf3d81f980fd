//! Messages to numbers.

use super::super::types::{Call, number};
use super::kinds::{count_of, integer_of, order, text_of, wrong};
use super::types::{Message, NUMBER, values};
use super::written::without_form;
use crate::error::{Failure, Kind as ErrorKind};
use crate::value::{Number, NumberError, NumberKind, Rounding, Value, scaled};
use std::cmp::Ordering;

type Result = std::result::Result<Value, Failure>;
/// The result of arithmetic.
type Computed = std::result::Result<Number, NumberError>;

/// The greatest number of elements that `to` makes.
const RANGE_MAX: i64 = 10_000_000;

pub(super) const MESSAGES: &[Message] = &[
    values("+", NUMBER, (1, 1), |call| binary(call, scaled::add)),
    values("-", NUMBER, (1, 1), |call| binary(call, scaled::subtract)),
    values("*", NUMBER, (1, 1), |call| binary(call, scaled::multiply)),
    values("/", NUMBER, (1, 1), |call| binary(call, scaled::divide)),
    values("%", NUMBER, (1, 1), |call| binary(call, scaled::remainder)),
    values("**", NUMBER, (1, 1), |call| integers(call, scaled::power)),
    values("_negate", NUMBER, (0, 0), |call| unary(call, scaled::negate)),
    values("abs", NUMBER, (0, 0), |call| match own(call).is_negative() {
        true => unary(call, scaled::negate),
        false => Ok(call.input.clone()),
    }),
    values("floor", NUMBER, (0, 0), |call| rounded(call, 0, Rounding::Floor)),
    values("ceiling", NUMBER, (0, 0), |call| rounded(call, 0, Rounding::Ceiling)),
    values("truncate", NUMBER, (0, 0), |call| rounded(call, 0, Rounding::Truncate)),
    values("round", NUMBER, (0, 2), |call| {
        let places = call.args.first().map_or(Ok(0), integer_of)?;
        let rounding = match call.args.get(1).map(text_of).transpose()?.as_deref() {
            None | Some("up") => Rounding::HalfAway,
            Some("even") => Rounding::HalfEven,
            Some("down") => Rounding::HalfTowards,
            Some(other) => {
                let message = format!("`{other}` is none of \"up\", \"even\" and \"down\"");
                return Err(Failure::new(ErrorKind::InvalidArgument, message));
            }
        };
        rounded(call, places, rounding)
    }),
    values("decimal", NUMBER, (0, 1), |call| {
        match call.args.first().map(count_of).transpose()? {
            Some(places) => rounded(call, places as i64, Rounding::HalfAway),
            None => match scaled::decimal(&own(call), call.context.limits.digits) {
                Ok(None) => Err(without_form(&own(call))),
                exact => number(exact.map(|exact| exact.unwrap_or_else(Number::nan))),
            },
        }
    }),
    values("ratio", NUMBER, (0, 0), |call| unary(call, scaled::ratio)),
    values("numerator", NUMBER, (0, 0), |call| {
        unary(call, |it, max| Ok(scaled::parts(it, max)?.0))
    }),
    values("denominator", NUMBER, (0, 0), |call| {
        unary(call, |it, max| Ok(scaled::parts(it, max)?.1))
    }),
    values("scale", NUMBER, (0, 0), |call| match scaled::kind(&own(call)) {
        Some(NumberKind::Decimal(scale)) => Ok(scale.into()),
        Some(NumberKind::Integer) => Ok(0.into()),
        _ => Err(wrong(&call.input, "a decimal or an integer")),
    }),
    values("sign", NUMBER, (0, 0), |call| sign(call).map(|sign| (sign as i64).into())),
    values("zero?", NUMBER, (0, 0), |call| sign(call).map(|sign| sign.is_eq().into())),
    values("positive?", NUMBER, (0, 0), |call| sign(call).map(|sign| sign.is_gt().into())),
    values("negative?", NUMBER, (0, 0), |call| sign(call).map(|sign| sign.is_lt().into())),
    values("even?", NUMBER, (0, 0), |call| Ok(is_even(call)?.into())),
    values("odd?", NUMBER, (0, 0), |call| Ok((!is_even(call)?).into())),
    values("gcd", NUMBER, (1, 1), |call| integers(call, |a, b, _| scaled::common_divisor(a, b))),
    values("lcm", NUMBER, (1, 1), |call| {
        integers(call, |a, b, max| match a.is_zero() || b.is_zero() {
            true => Ok(0.into()),
            false => {
                let part = scaled::divide(a, &scaled::common_divisor(a, b)?, max)?;
                scaled::multiply(&part.abs(), &b.abs(), max)
            }
        })
    }),
    values("clamp", NUMBER, (2, 2), |call| {
        let (low, high) = (call.arg(0), call.arg(1));
        Ok(match (order(&call.input, &low)?, order(&call.input, &high)?) {
            (Ordering::Less, _) => low,
            (_, Ordering::Greater) => high,
            _ => call.input.clone(),
        })
    }),
    values("to", NUMBER, (1, 1), |call| {
        let (from, to) = (integer_of(&call.input)?, integer_of(&call.args[0])?);
        if to.saturating_sub(from) >= RANGE_MAX {
            let message = format!("a list of more than {RANGE_MAX} numbers is too large");
            return Err(Failure::new(ErrorKind::TooLarge, message));
        }
        Ok(Value::array((from..=to).map(Value::from).collect()))
    }),
];

/// Returns the number that the receiver is.
fn own(call: &Call<'_, '_>) -> Number {
    call.input.as_number().unwrap_or_else(Number::nan)
}

/// Returns the result of an operation on the receiver.
fn unary(call: &Call<'_, '_>, operation: fn(&Number, u64) -> Computed) -> Result {
    number(operation(&own(call), call.context.limits.digits)).map_err(|it| it.about(&call.input))
}

/// Returns the receiver rounded to places.
fn rounded(call: &Call<'_, '_>, places: i64, rounding: Rounding) -> Result {
    number(scaled::round(&own(call), places, rounding, call.context.limits.digits))
        .map_err(|it| it.about(&call.input))
}

/// Returns the result of an operation on two numbers.
fn binary(call: &Call<'_, '_>, operation: fn(&Number, &Number, u64) -> Computed) -> Result {
    let other = call.args[0].as_number().ok_or_else(|| wrong(&call.args[0], "a number"))?;
    number(operation(&own(call), &other, call.context.limits.digits))
        .map_err(|it| it.about(&call.input).about(&call.args[0]))
}

/// Returns the result of an operation on two integers.
fn integers(call: &Call<'_, '_>, operation: fn(&Number, &Number, u64) -> Computed) -> Result {
    integer(&call.input)?;
    integer(&call.args[0])?;
    binary(call, operation)
}

/// Returns the integer, of any size, that a value is.
fn integer(value: &Value) -> std::result::Result<Number, Failure> {
    let number = value.as_number().filter(|it| scaled::kind(it) == Some(NumberKind::Integer));
    number.ok_or_else(|| wrong(value, "an integer"))
}

/// Returns how the receiver compares to zero.
fn sign(call: &Call<'_, '_>) -> std::result::Result<Ordering, Failure> {
    order(&call.input, &0.into())
}

/// Returns whether the receiver, an integer, is even.
fn is_even(call: &Call<'_, '_>) -> std::result::Result<bool, Failure> {
    let two = Number::from(2);
    let rest = scaled::remainder(&integer(&call.input)?, &two, call.context.limits.digits);
    Ok(number(rest)?.as_number().is_some_and(|rest| rest.is_zero()))
}

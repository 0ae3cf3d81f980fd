//! Arithmetic that keeps scales: integers, ratios of any size, and decimals whose places are part of their text.

use super::digits::{Rounding, power_of_ten};
use super::fraction::{Fraction, take_twos_and_fives};
use super::text::Parts;
use super::types::{Form, Number, NumberError};
use dashu_int::IBig;
use dashu_int::ops::{Gcd, UnsignedAbs};

/// What sort of finite number a number is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberKind {
    /// A whole number that is written without a point.
    Integer,
    /// A quotient.
    Ratio,
    /// A decimal with this number of places; below zero if its exponent adds zeros.
    Decimal(i64),
}

type Result<T> = std::result::Result<T, NumberError>;

/// Returns the sort of a finite number.
pub fn kind(number: &Number) -> Option<NumberKind> {
    let exponent = match &number.form {
        Form::Small(small) => small.exponent.into(),
        Form::Big(big) => big.exponent,
        Form::Ratio(_) => return Some(NumberKind::Ratio),
        Form::Spelled(spelled) => {
            let written = Parts::split(&spelled.text).and_then(|parts| {
                let is_decimal = parts.point || !parts.exponent.is_empty();
                let exponent = is_decimal.then(|| parts.exponent_value()).flatten()?;
                Some((parts.fraction.len() as i64).saturating_sub(exponent))
            });
            let own = kind(&spelled.value)?;
            return Some(written.map_or(own, NumberKind::Decimal));
        }
        Form::Infinite { .. } | Form::Nan => return None,
    };
    Some(if exponent < 0 { NumberKind::Decimal(-exponent) } else { NumberKind::Integer })
}

/// Returns the value for arithmetic, and the scale of a decimal.
fn scaled(number: &Number) -> Result<(Fraction, Option<i64>)> {
    let value = Fraction::of(number).ok_or(NumberError::NotFinite)?;
    Ok(match kind(number) {
        Some(NumberKind::Decimal(scale)) => (value, Some(scale)),
        _ => (value, None),
    })
}

/// Applies an operation to two numbers. `scale` makes the scale of a decimal from those of the operands.
fn combined(
    left: &Number,
    right: &Number,
    max: u64,
    scale: fn(i64, i64) -> i64,
    operation: impl FnOnce(Fraction, Fraction) -> Result<Fraction>,
) -> Result<Number> {
    let ((left, left_scale), (right, right_scale)) = (scaled(left)?, scaled(right)?);
    let scale = (left_scale.is_some() || right_scale.is_some())
        .then(|| scale(left_scale.unwrap_or(0), right_scale.unwrap_or(0)));
    settle(operation(left, right)?, scale, max)
}

/// The sum, with the greater scale.
pub fn add(left: &Number, right: &Number, max: u64) -> Result<Number> {
    combined(left, right, max, i64::max, |a, b| a.add(b, max))
}

/// The difference, with the greater scale.
pub fn subtract(left: &Number, right: &Number, max: u64) -> Result<Number> {
    combined(left, right, max, i64::max, |a, b| a.add(negated(b), max))
}

/// The product, with the sum of the scales.
pub fn multiply(left: &Number, right: &Number, max: u64) -> Result<Number> {
    combined(left, right, max, i64::saturating_add, |a, b| Ok(a.multiply(b)))
}

/// The quotient: a decimal of at least the difference of the scales if one operand is a decimal and it is finite.
pub fn divide(left: &Number, right: &Number, max: u64) -> Result<Number> {
    combined(left, right, max, i64::saturating_sub, quotient)
}

fn quotient(left: Fraction, right: Fraction) -> Result<Fraction> {
    if right.is_zero() {
        return Err(NumberError::DivisionByZero);
    }
    Ok(left.multiply(right.inverted()))
}

/// The remainder, exactly, with the sign of the divisor and the greater scale.
pub fn remainder(left: &Number, right: &Number, max: u64) -> Result<Number> {
    combined(left, right, max, i64::max, |a, b| {
        let whole = rounded(&quotient(a.clone(), b.clone())?, 0, Rounding::Floor, max)?;
        a.add(Fraction::decimal(-whole, 0).multiply(b), max)
    })
}

/// The power of two integers; a negative exponent gives a ratio.
pub fn power(base: &Number, exponent: &Number, max: u64) -> Result<Number> {
    let (base, power) = (scaled(base)?.0, exponent.truncated_i64());
    let raised = base.raised(power.unsigned_abs(), max)?;
    let one = Fraction::decimal(1.into(), 0);
    settle(if power < 0 { quotient(one, raised)? } else { raised }, None, max)
}

fn negated(value: Fraction) -> Fraction {
    Fraction { numerator: -value.numerator, ..value }
}

/// The number with its sign turned, and its scale.
pub fn negate(number: &Number, max: u64) -> Result<Number> {
    let (value, scale) = scaled(number)?;
    settle(negated(value), scale, max)
}

/// The number rounded to places: an integer, or for more than none a decimal that has them.
pub fn round(number: &Number, places: i64, rounding: Rounding, max: u64) -> Result<Number> {
    let places = places.into();
    let digits = rounded(&scaled(number)?.0, places, rounding, max)?;
    match places > 0 {
        true => Number::held(digits, -places, true).ok_or(NumberError::TooManyDigits),
        false => settle_ratio(Fraction::decimal(digits, -places), max),
    }
}

/// The digits of a value that is rounded to places, unless there are too many.
fn rounded(value: &Fraction, places: i128, rounding: Rounding, max: u64) -> Result<IBig> {
    let limit = i128::from(max);
    if places > limit || !value.is_zero() && value.magnitude().1 + places > limit + 1 {
        return Err(NumberError::TooManyDigits);
    }
    Ok(value.rounded(places, rounding))
}

/// The exact decimal that the number is, if there is one.
pub fn decimal(number: &Number, max: u64) -> Result<Option<Number>> {
    let (value, scale) = scaled(number)?;
    match is_finite_decimal(&value) {
        true => settle(value, Some(scale.unwrap_or(0)), max).map(Some),
        false => Ok(None),
    }
}

/// The number as a ratio: an integer if it is whole.
pub fn ratio(number: &Number, max: u64) -> Result<Number> {
    settle(scaled(number)?.0, None, max)
}

/// The numerator and the denominator.
pub fn parts(number: &Number, max: u64) -> Result<(Number, Number)> {
    let ratio = ratio(number, max)?;
    let Form::Ratio(parts) = &ratio.form else { return Ok((ratio, 1.into())) };
    Ok((whole(parts.numerator.clone())?, whole(parts.denominator.clone().into())?))
}

/// The text of a number, which for a ratio has both of its parts.
pub fn text(number: &Number) -> String {
    match &number.form {
        Form::Ratio(parts) => format!("{}/{}", parts.numerator, parts.denominator),
        _ => number.to_string(),
    }
}

/// The greatest common divisor of two integers.
pub fn common_divisor(left: &Number, right: &Number) -> Result<Number> {
    let big = |number: &Number| number.to_big().ok_or(NumberError::TooManyDigits);
    let (left, right) = (big(left)?.unsigned_abs(), big(right)?.unsigned_abs());
    match left.is_zero() && right.is_zero() {
        true => Ok(0.into()),
        false => whole(left.gcd(right).into()),
    }
}

/// Returns an integer, whose digits are all written.
fn whole(digits: IBig) -> Result<Number> {
    Number::held(digits, 0, true).ok_or(NumberError::TooManyDigits)
}

/// Returns whether a value has a finite decimal.
fn is_finite_decimal(value: &Fraction) -> bool {
    let mut rest = value.clone();
    rest.reduce();
    take_twos_and_fives(&mut rest.denominator);
    rest.denominator.is_one()
}

/// Returns a value as a decimal with at least this number of places if that is given and it is finite, else as an integer
/// or a ratio.
fn settle(value: Fraction, scale: Option<i64>, max: u64) -> Result<Number> {
    let Some(scale) = scale.filter(|_| is_finite_decimal(&value)) else {
        return settle_ratio(value, max);
    };
    let exact = Fraction::of(&value.settle(max)?).ok_or(NumberError::NotFinite)?;
    let places = i128::from(scale).max(1).max(-exact.exponent);
    let digits = rounded(&exact, places, Rounding::Truncate, max)?;
    Number::held(digits, -places, true).ok_or(NumberError::TooManyDigits)
}

/// Returns a value as an integer or a ratio.
fn settle_ratio(mut value: Fraction, max: u64) -> Result<Number> {
    if value.is_zero() {
        return Ok(0.into());
    }
    let (zeros, (low, high)) = (value.exponent.unsigned_abs(), value.magnitude());
    if zeros > u128::from(max) || low.abs().max(high.abs()) > i128::from(max) + 1 {
        return Err(NumberError::TooManyDigits);
    }
    let power = power_of_ten(zeros as u64);
    match value.exponent < 0 {
        true => value.denominator *= power,
        false => value.numerator *= power,
    }
    value.exponent = 0;
    value.reduce();
    match value.denominator.is_one() {
        true => whole(value.numerator),
        false => Ok(Number::ratio(value.numerator, value.denominator)),
    }
}

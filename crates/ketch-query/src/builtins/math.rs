//! Mathematical builtins.

use super::types::{Builtin, Call, number, wrong};
use crate::error::Failure;
use crate::value::{Number, Value};

pub(super) const BUILTINS: &[(&str, usize, Builtin)] = &[
    ("floor", 0, |call| exact(call, Number::floor)),
    ("ceil", 0, |call| exact(call, Number::ceil)),
    ("round", 0, |call| exact(call, Number::round)),
    ("trunc", 0, |call| exact(call, Number::trunc)),
    ("rint", 0, |call| exact(call, Number::rint)),
    ("nearbyint", 0, |call| exact(call, Number::rint)),
    ("fabs", 0, |call| exact(call, Number::abs)),
    ("round", 1, |call| {
        let (input, places) = (operand(&call.input)?, operand(&call.args[0])?);
        number(input.round_to(places.truncated_i64(), call.context.limits.digits))
    }),
    ("pow", 2, |call| {
        let (base, exponent) = (operand(&call.args[0])?, operand(&call.args[1])?);
        number(base.pow(&exponent, call.context.limits.digits))
    }),
    ("fmin", 2, |call| pick(call, |order| order.is_le())),
    ("fmax", 2, |call| pick(call, |order| order.is_ge())),
    ("fmod", 2, |call| {
        let (a, b) = (operand(&call.args[0])?, operand(&call.args[1])?);
        if b.is_zero() || a.is_infinite() || a.is_nan() || b.is_nan() {
            return Ok(Number::nan().into());
        }
        if b.is_infinite() {
            return Ok(a.into());
        }
        let digits = call.context.limits.digits;
        let quotient = a.divide(&b, digits).map(|quotient| quotient.trunc());
        let whole = quotient.and_then(|quotient| quotient.multiply(&b, digits));
        number(whole.and_then(|whole| a.subtract(&whole, digits)))
    }),
    ("infinite", 0, |_| Ok(Number::infinite(false).into())),
    ("nan", 0, |_| Ok(Number::nan().into())),
    ("isinfinite", 0, |call| Ok(operand(&call.input)?.is_infinite().into())),
    ("isnan", 0, |call| Ok(operand(&call.input)?.is_nan().into())),
    ("isnormal", 0, |call| {
        let input = operand(&call.input)?;
        Ok((!input.is_nan() && !input.is_infinite() && !input.is_zero()).into())
    }),
    ("sqrt", 0, |call| float(call, libm::sqrt)),
    ("cbrt", 0, |call| float(call, libm::cbrt)),
    ("exp", 0, |call| float(call, libm::exp)),
    ("exp2", 0, |call| float(call, libm::exp2)),
    ("exp10", 0, |call| float(call, libm::exp10)),
    ("expm1", 0, |call| float(call, libm::expm1)),
    ("log", 0, |call| float(call, libm::log)),
    ("log2", 0, |call| float(call, libm::log2)),
    ("log10", 0, |call| float(call, libm::log10)),
    ("log1p", 0, |call| float(call, libm::log1p)),
    ("logb", 0, |call| {
        float(call, |x| if x == 0.0 { f64::NEG_INFINITY } else { f64::from(libm::ilogb(x)) })
    }),
    ("sin", 0, |call| float(call, libm::sin)),
    ("cos", 0, |call| float(call, libm::cos)),
    ("tan", 0, |call| float(call, libm::tan)),
    ("asin", 0, |call| float(call, libm::asin)),
    ("acos", 0, |call| float(call, libm::acos)),
    ("atan", 0, |call| float(call, libm::atan)),
    ("sinh", 0, |call| float(call, libm::sinh)),
    ("cosh", 0, |call| float(call, libm::cosh)),
    ("tanh", 0, |call| float(call, libm::tanh)),
    ("asinh", 0, |call| float(call, libm::asinh)),
    ("acosh", 0, |call| float(call, libm::acosh)),
    ("atanh", 0, |call| float(call, libm::atanh)),
    ("erf", 0, |call| float(call, libm::erf)),
    ("erfc", 0, |call| float(call, libm::erfc)),
    ("gamma", 0, |call| float(call, libm::lgamma)),
    ("lgamma", 0, |call| float(call, libm::lgamma)),
    ("tgamma", 0, |call| float(call, libm::tgamma)),
    ("j0", 0, |call| float(call, libm::j0)),
    ("j1", 0, |call| float(call, libm::j1)),
    ("y0", 0, |call| float(call, libm::y0)),
    ("y1", 0, |call| float(call, libm::y1)),
    ("significand", 0, |call| float(call, significand)),
    ("frexp", 0, |call| {
        let (fraction, exponent) = libm::frexp(operand(&call.input)?.to_f64());
        Ok(Value::array(vec![Number::from_f64(fraction).into(), i64::from(exponent).into()]))
    }),
    ("modf", 0, |call| {
        let (fraction, whole) = libm::modf(operand(&call.input)?.to_f64());
        Ok(Value::array(vec![Number::from_f64(fraction).into(), Number::from_f64(whole).into()]))
    }),
    ("lgamma_r", 0, |call| {
        let (value, sign) = libm::lgamma_r(operand(&call.input)?.to_f64());
        Ok(Value::array(vec![Number::from_f64(value).into(), i64::from(sign).into()]))
    }),
    ("atan2", 2, |call| floats(call, libm::atan2)),
    ("copysign", 2, |call| floats(call, libm::copysign)),
    ("drem", 2, |call| floats(call, libm::remainder)),
    ("remainder", 2, |call| floats(call, libm::remainder)),
    ("fdim", 2, |call| floats(call, libm::fdim)),
    ("hypot", 2, |call| floats(call, libm::hypot)),
    ("nextafter", 2, |call| floats(call, libm::nextafter)),
    ("nexttoward", 2, |call| floats(call, libm::nextafter)),
    ("ldexp", 2, |call| floats(call, scaled)),
    ("scalb", 2, |call| floats(call, scaled)),
    ("scalbln", 2, |call| floats(call, scaled)),
    ("jn", 2, |call| floats(call, |n, x| libm::jn(n as i32, x))),
    ("yn", 2, |call| floats(call, |n, x| libm::yn(n as i32, x))),
    ("fma", 3, |call| {
        let [a, b, c] = [operand(&call.args[0])?, operand(&call.args[1])?, operand(&call.args[2])?];
        let digits = call.context.limits.digits;
        number(a.multiply(&b, digits).and_then(|product| product.add(&c, digits)))
    }),
];

/// Returns the number that an operand has to be.
fn operand(value: &Value) -> Result<Number, Failure> {
    value.as_number().ok_or_else(|| wrong(value, "number required"))
}

fn exact(call: &mut Call<'_, '_>, function: fn(&Number) -> Number) -> Result<Value, Failure> {
    Ok(function(&operand(&call.input)?).into())
}

/// Computes in binary64; the result is its shortest decimal.
fn float(call: &mut Call<'_, '_>, function: fn(f64) -> f64) -> Result<Value, Failure> {
    Ok(Number::from_f64(function(operand(&call.input)?.to_f64())).into())
}

fn floats(call: &mut Call<'_, '_>, function: fn(f64, f64) -> f64) -> Result<Value, Failure> {
    let (a, b) = (operand(&call.args[0])?, operand(&call.args[1])?);
    Ok(Number::from_f64(function(a.to_f64(), b.to_f64())).into())
}

fn pick(
    call: &mut Call<'_, '_>,
    is_first: fn(std::cmp::Ordering) -> bool,
) -> Result<Value, Failure> {
    let (a, b) = (operand(&call.args[0])?, operand(&call.args[1])?);
    let takes_first = b.is_nan() || !a.is_nan() && is_first(a.compare(&b));
    Ok(if takes_first { a } else { b }.into())
}

/// Returns the fraction of a float, from 1 to 2.
fn significand(x: f64) -> f64 {
    if x == 0.0 || !x.is_finite() {
        return x;
    }
    libm::ldexp(x, -libm::ilogb(x))
}

fn scaled(x: f64, exponent: f64) -> f64 {
    libm::ldexp(x, exponent.clamp(-5000.0, 5000.0) as i32)
}

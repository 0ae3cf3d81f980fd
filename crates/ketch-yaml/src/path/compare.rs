//! Comparing scalars in filters.

use crate::schema::{BigInt, Scalar, Schema};
use std::borrow::Cow;
use std::cmp::Ordering;

/// The value of a scalar.
pub type Value<'v> = Scalar<'v, Cow<'v, [u8]>>;

/// Returns the value of the quoted text `text`.
pub fn text(text: &str) -> Value<'static> {
    Scalar::Str(Cow::Owned(text.as_bytes().to_vec()))
}

/// Returns the value of the plain scalar `source` in `schema`.
pub fn plain(source: &str, schema: Schema) -> Value<'static> {
    match schema.scalar(source) {
        Scalar::Null => Scalar::Null,
        Scalar::Bool(value) => Scalar::Bool(value),
        Scalar::Int(value) => Scalar::Int(value),
        Scalar::BigInt(value) => Scalar::BigInt(value.into_owned()),
        Scalar::Float(value) => Scalar::Float(value),
        Scalar::Timestamp(value) => Scalar::Timestamp(value),
        Scalar::Binary(value) => Scalar::Binary(value),
        Scalar::Merge | Scalar::Str(_) | Scalar::Unresolved(_) => text(source),
    }
}

/// Returns whether two values are equal. Numbers are compared by value, so that 1 equals 1.0.
pub fn equals(left: &Value<'_>, right: &Value<'_>) -> bool {
    match (left, right) {
        (Scalar::Null, Scalar::Null) => true,
        (Scalar::Bool(left), Scalar::Bool(right)) => left == right,
        (Scalar::Binary(left), Scalar::Binary(right)) => left == right,
        _ => order(left, right) == Some(Ordering::Equal),
    }
}

/// Returns the order of two numbers or two texts. Timestamps have an order only if they are equal.
/// For all other values and for NaN, the result is `None`.
pub fn order(left: &Value<'_>, right: &Value<'_>) -> Option<Ordering> {
    if let (Some(left), Some(right)) = (content(left), content(right)) {
        return Some(left.cmp(right));
    }
    match (left, right) {
        (Scalar::Int(left), Scalar::Int(right)) => Some(left.cmp(right)),
        (Scalar::Float(left), Scalar::Float(right)) => left.partial_cmp(right),
        (Scalar::Int(left), Scalar::Float(right)) => int_and_float(*left, *right),
        (Scalar::Float(left), Scalar::Int(right)) => {
            int_and_float(*right, *left).map(Ordering::reverse)
        }
        (Scalar::BigInt(left), Scalar::BigInt(right)) => Some(big(left, right)),
        // A big integer is beyond the range of `i64`, so its sign decides.
        (Scalar::BigInt(left), Scalar::Int(_)) => Some(sign(left)),
        (Scalar::Int(_), Scalar::BigInt(right)) => Some(sign(right).reverse()),
        (Scalar::BigInt(left), Scalar::Float(right)) => nearest(left).partial_cmp(right),
        (Scalar::Float(left), Scalar::BigInt(right)) => left.partial_cmp(&nearest(right)),
        (Scalar::Timestamp(left), Scalar::Timestamp(right)) if left == right => {
            Some(Ordering::Equal)
        }
        _ => None,
    }
}

/// Returns the text of `value`, or `None` if it is not text.
fn content<'v>(value: &'v Value<'_>) -> Option<&'v [u8]> {
    match value {
        Scalar::Str(text) | Scalar::Unresolved(text) => Some(text),
        Scalar::Merge => Some(b"<<"),
        _ => None,
    }
}

/// Returns how `value`, an integer beyond the range of `i64`, compares to any number within that
/// range.
fn sign(value: &BigInt<'_>) -> Ordering {
    if value.is_negative() { Ordering::Less } else { Ordering::Greater }
}

/// Returns the float nearest to `value`.
fn nearest(value: &BigInt<'_>) -> f64 {
    value.to_decimal().parse().unwrap_or(f64::NAN)
}

/// Returns the order of two integers beyond the range of `i64`.
fn big(left: &BigInt<'_>, right: &BigInt<'_>) -> Ordering {
    let digits = |value: &BigInt<'_>| {
        value.to_decimal().trim_start_matches(['-', '+']).trim_start_matches('0').to_owned()
    };
    match (left.is_negative(), right.is_negative()) {
        (false, true) => Ordering::Greater,
        (true, false) => Ordering::Less,
        (is_negative, _) => {
            let (left, right) = (digits(left), digits(right));
            let order = left.len().cmp(&right.len()).then_with(|| left.cmp(&right));
            if is_negative { order.reverse() } else { order }
        }
    }
}

/// Returns the exact order of an integer and a float, or `None` for NaN.
fn int_and_float(int: i64, float: f64) -> Option<Ordering> {
    // This is 2 to the power of 63, which is above the range of `i64`.
    const LIMIT: f64 = 9_223_372_036_854_775_808.0;
    if float.is_nan() {
        return None;
    }
    if float >= LIMIT {
        return Some(Ordering::Less);
    }
    if float < -LIMIT {
        return Some(Ordering::Greater);
    }
    let whole = float.trunc();
    Some(int.cmp(&(whole as i64)).then(0.0.partial_cmp(&(float - whole))?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the order of two plain scalars. Checks that swapping them reverses the order.
    fn ordered(left: &str, right: &str) -> Option<Ordering> {
        let (left, right) = (plain(left, Schema::Core), plain(right, Schema::Core));
        let order = order(&left, &right);
        assert_eq!(super::order(&right, &left), order.map(Ordering::reverse));
        order
    }

    #[test]
    fn numbers_are_compared_by_value() {
        for (left, right, expected) in [
            ("1", "1.0", Some(Ordering::Equal)),
            ("0x10", "16", Some(Ordering::Equal)),
            ("1", "1.5", Some(Ordering::Less)),
            ("-1", "-1.5", Some(Ordering::Greater)),
            ("9223372036854775807", "9223372036854775808.0", Some(Ordering::Less)),
            ("9223372036854775808", "9223372036854775807", Some(Ordering::Greater)),
            ("-9223372036854775809", "0", Some(Ordering::Less)),
            ("100000000000000000000", "99999999999999999999", Some(Ordering::Greater)),
            ("-100000000000000000000", "99999999999999999999", Some(Ordering::Less)),
            ("100000000000000000000", "1e300", Some(Ordering::Less)),
            (".inf", "5", Some(Ordering::Greater)),
            (".nan", ".nan", None),
            ("a", "b", Some(Ordering::Less)),
            ("a", "1", None),
            ("true", "true", None),
        ] {
            assert_eq!(ordered(left, right), expected, "{left} {right}");
        }
        let equal = |left, right| equals(&plain(left, Schema::Core), &plain(right, Schema::Core));
        assert!(equal("true", "True") && equal("~", "null") && !equal("null", "false"));
    }
}

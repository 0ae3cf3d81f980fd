//! Resolves scalars with a schema, and passes them to a visitor.

use crate::serde_error::Error;
use crate::value::build;
use ketch_yaml::schema::{Scalar, ScalarTag, Schema};
use serde::de::Visitor;

/// Passes `text`, a plain scalar in the input, to `visitor`, as the type that `schema` determines.
#[inline(always)]
pub(super) fn visit_plain<'de, V: Visitor<'de>>(
    schema: Schema,
    text: &'de str,
    visitor: V,
) -> Result<V::Value, Error> {
    match schema.resolve(text.as_bytes()) {
        ScalarTag::Str => visitor.visit_borrowed_str(text),
        ScalarTag::Null => visitor.visit_unit(),
        ScalarTag::Bool(value) => visitor.visit_bool(value),
        tag => match build::convert(schema, tag, text) {
            Scalar::Int(value) => visit_int(value, visitor),
            Scalar::Float(value) => visitor.visit_f64(value),
            value => visit_scalar(value, visitor, |text, visitor| visitor.visit_borrowed_str(text)),
        },
    }
}

/// Passes an integer to `visitor`. If it is not negative, it is passed as `u64`, as is usual in
/// serde.
#[inline]
fn visit_int<'de, V: Visitor<'de>>(value: i64, visitor: V) -> Result<V::Value, Error> {
    match u64::try_from(value) {
        Ok(value) => visitor.visit_u64(value),
        Err(_) => visitor.visit_i64(value),
    }
}

/// Passes `value`, which may be any scalar, to `visitor`. If it is text, `visit_text` passes it.
#[inline(never)]
pub(super) fn visit_scalar<'de, T, V: Visitor<'de>>(
    value: Scalar<'_, T>,
    visitor: V,
    visit_text: impl FnOnce(T, V) -> Result<V::Value, Error>,
) -> Result<V::Value, Error> {
    match value {
        Scalar::Null => visitor.visit_unit(),
        Scalar::Bool(value) => visitor.visit_bool(value),
        Scalar::Int(value) => visit_int(value, visitor),
        Scalar::BigInt(value) => {
            let Some(number) = build::big_int(&value) else {
                return Err(Error::new("the integer has too many digits"));
            };
            match (number.as_u64(), number.as_i128(), number.to_big_int()) {
                (Some(value), ..) => visitor.visit_u64(value),
                (_, Some(value), _) => visitor.visit_i128(value),
                (.., Some(value)) => match u128::try_from(value) {
                    Ok(value) => visitor.visit_u128(value),
                    Err(_) => Err(Error::new("the integer has more than 128 bits")),
                },
                _ => Err(Error::new("the integer has more than 128 bits")),
            }
        }
        Scalar::Float(value) => visitor.visit_f64(value),
        Scalar::Timestamp(value) => visitor.visit_string(value.to_string()),
        Scalar::Binary(bytes) => visitor.visit_byte_buf(bytes),
        Scalar::Merge => visitor.visit_str("<<"),
        Scalar::Str(text) => visit_text(text, visitor),
        Scalar::Unresolved(_) => Err(Error::new("the schema does not allow this plain scalar")),
    }
}

/// Returns whether `text`, a plain scalar, is null in `schema`. Typically, null is empty text, `~`
/// or `null`.
#[inline(always)]
pub(super) fn is_null(schema: Schema, text: &str) -> bool {
    matches!(text.len(), 0 | 1 | 4) && schema.resolve(text.as_bytes()) == ScalarTag::Null
}

//! Converts declared default values to the types that they are for (specification 11.3).

use super::ast::{AnnotationValue, Primitive};
use super::types::Default;

/// Returns the default that `value` means for the type `primitive`, or an error that says which
/// values are valid. A string is converted if it contains the text of a number or bool and the
/// primitive needs one; for the primitive `string`, a number or bool is converted to its text.
pub(crate) fn default_value(
    primitive: Primitive,
    value: &AnnotationValue,
) -> Result<Default, &'static str> {
    match primitive {
        Primitive::Bool => match value {
            AnnotationValue::Bool(value) => Ok(Default::Bool(*value)),
            AnnotationValue::String(text) if text.eq_ignore_ascii_case(b"true") => {
                Ok(Default::Bool(true))
            }
            AnnotationValue::String(text) if text.eq_ignore_ascii_case(b"false") => {
                Ok(Default::Bool(false))
            }
            _ => Err("a bool is true or false"),
        },
        Primitive::Byte => integer(value)
            .and_then(|n| u8::try_from(n).ok())
            .map(Default::Byte)
            .ok_or("a byte is 0 to 255"),
        Primitive::Int => integer(value)
            .filter(|n| (-(1i128 << 62)..1 << 62).contains(n))
            .map(|n| Default::Int(n as i64))
            .ok_or("an int is -2^62 to 2^62-1"),
        Primitive::Long => integer(value)
            .and_then(|n| i64::try_from(n).ok())
            .map(Default::Int)
            .ok_or("a long is -2^63 to 2^63-1"),
        Primitive::Float => float(value)
            .map(|x| Default::Float(x.to_bits()))
            .ok_or("a float is a number, nan, infinity or neg_infinity"),
        Primitive::String => Ok(Default::String(match value {
            AnnotationValue::Bool(value) => value.to_string().into_bytes(),
            AnnotationValue::String(text) => text.clone(),
            AnnotationValue::Int(n) => n.to_string().into_bytes(),
            AnnotationValue::Float(text) => text.clone().into_bytes(),
        })),
    }
}

/// Returns the integer in `value`, which may be a number or a string with the text of a number, or
/// `None` if it is not an integer.
fn integer(value: &AnnotationValue) -> Option<i128> {
    match value {
        AnnotationValue::Int(n) => Some(*n),
        AnnotationValue::String(text) => {
            let text = std::str::from_utf8(text).ok()?.trim();
            let (negative, text) = match text.strip_prefix('-') {
                Some(text) => (true, text.trim_start()),
                None => (false, text),
            };
            let text = text.strip_suffix('L').unwrap_or(text).replace('_', "");
            let lower = text.to_ascii_lowercase();
            let (digits, radix) = match lower.get(..2) {
                Some("0x") => (&lower[2..], 16),
                Some("0o") => (&lower[2..], 8),
                Some("0b") => (&lower[2..], 2),
                _ => (&lower[..], 10),
            };
            if !digits.starts_with(|c: char| c.is_digit(radix)) {
                return None;
            }
            let n = i128::from_str_radix(digits, radix).ok()?;
            Some(if negative { -n } else { n })
        }
        _ => None,
    }
}

/// Returns the float in `value`, which may be a number or a string with the text of a number, or
/// `None` if it is not a number.
fn float(value: &AnnotationValue) -> Option<f64> {
    match value {
        AnnotationValue::Int(n) => Some(*n as f64),
        AnnotationValue::Float(text) => text.parse().ok(),
        AnnotationValue::String(text) => match std::str::from_utf8(text).ok()?.trim() {
            "neg_infinity" => Some(f64::NEG_INFINITY),
            text => text.replace('_', "").parse().ok(),
        },
        AnnotationValue::Bool(_) => None,
    }
}

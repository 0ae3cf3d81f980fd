//! Converts the values of scalars to tokens.

use crate::tokens::{Kind, Tokens};
use ketch_yaml::schema::{Scalar, Timestamp};

/// Pushes the value of a scalar, unless it is text. Returns whether the value was pushed.
pub fn push<T>(tokens: &mut Tokens, scalar: &Scalar<'_, T>) -> bool {
    match scalar {
        Scalar::Null => tokens.push(Kind::Null),
        Scalar::Bool(true) => tokens.push(Kind::True),
        Scalar::Bool(false) => tokens.push(Kind::False),
        Scalar::Int(value) => tokens.int(*value),
        Scalar::Float(value) => tokens.float(*value),
        Scalar::BigInt(value) => {
            tokens.text(value.digits().as_bytes());
            let sign = usize::from(value.is_negative()) << 8;
            tokens.push_with(Kind::BigInt, value.radix() as usize | sign);
        }
        Scalar::Binary(bytes) => tokens.binary(bytes),
        Scalar::Timestamp(value) => timestamp(tokens, value),
        Scalar::Merge | Scalar::Str(_) | Scalar::Unresolved(_) => return false,
    }
    true
}

/// Pushes a timestamp.
fn timestamp(tokens: &mut Tokens, value: &Timestamp) {
    let form = match value.offset_minutes {
        _ if value.date_only => 2,
        None => 1,
        Some(_) => 0,
    };
    let minutes = i32::from(value.offset_minutes.unwrap_or(0)) as u32;
    tokens.push_with(Kind::Timestamp, form);
    tokens.words.push(value.seconds as u64);
    tokens.words.push(u64::from(value.nanoseconds) | u64::from(minutes) << 32);
}

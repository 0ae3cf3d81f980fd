//! Converts text to correctly rounded floats. Values too large for `f64` become infinite, and
//! values too small for it become zero.

use std::borrow::Cow;

use super::integer::{self, BigInt, Integer, Radix, split_sign};
use super::tag::{Base60Sign, FloatForm, IntForm};

/// Converts `text`, which has the form `form`, to a float. `sign` says what the sign of a base-60
/// number applies to.
pub(super) fn convert(text: &[u8], form: FloatForm, sign: Base60Sign) -> f64 {
    match form {
        FloatForm::Infinity => f64::INFINITY,
        FloatForm::NegInfinity => f64::NEG_INFINITY,
        FloatForm::Nan => f64::NAN,
        FloatForm::Base60 => base60(text, sign),
        FloatForm::Fixed | FloatForm::Exponent => {
            let (negative, digits) = split_sign(text);
            // Few numbers have separators, so they are dropped only if parsing fails.
            let absolute = fast_float2::parse(digits).unwrap_or_else(|_| parse(&strip(digits)));
            if negative { -absolute } else { absolute }
        }
    }
}

/// Parses `digits`, an unsigned decimal number without separators. Returns not-a-number for any
/// other text, which cannot occur here.
fn parse(digits: &[u8]) -> f64 {
    fast_float2::parse(digits).unwrap_or(f64::NAN)
}

/// Returns the float nearest to `integer`, or an infinity if the integer is beyond the range of
/// `f64`.
pub(super) fn of_integer(integer: &BigInt<'_>) -> f64 {
    if integer.radix() != Radix::Decimal {
        // More than 4,096 digits exceed 2^1024 even in binary.
        return if integer.is_negative() { f64::NEG_INFINITY } else { f64::INFINITY };
    }
    let absolute = parse(integer.digits().as_bytes());
    if integer.is_negative() { -absolute } else { absolute }
}

/// Returns `digits` without separators, and without everything from a second dot on, because Syck
/// reads `1.2.3e+4` as 1.2.
fn strip(digits: &[u8]) -> Cow<'_, [u8]> {
    let mut dots = digits.iter().enumerate().filter(|(_, byte)| **byte == b'.');
    let end = dots.nth(1).map_or(digits.len(), |(at, _)| at);
    let digits = &digits[..end];
    let separates = |&byte: &u8| byte == b'_' || byte == b',';
    if digits.iter().any(separates) {
        Cow::Owned(digits.iter().copied().filter(|byte| !separates(byte)).collect())
    } else {
        Cow::Borrowed(digits)
    }
}

/// Converts the base-60 float `text`. `sign` says what its sign applies to. The parts before the
/// dot are converted as an exact integer and the fraction separately, so that each is rounded only
/// once.
fn base60(text: &[u8], sign: Base60Sign) -> f64 {
    let dot = text.iter().position(|&byte| byte == b'.').unwrap_or(text.len());
    let whole = match integer::parse(&text[..dot], IntForm::Base60, sign) {
        Integer::Small(value) => value as f64,
        Integer::Big(value) => of_integer(&value),
    };
    let mut fraction = b"0".to_vec();
    fraction.extend_from_slice(&strip(&text[dot..]));
    let fraction = parse(&fraction);
    let negative = text.first() == Some(&b'-') && sign == Base60Sign::Whole;
    if negative { -(whole.abs() + fraction) } else { whole + fraction }
}

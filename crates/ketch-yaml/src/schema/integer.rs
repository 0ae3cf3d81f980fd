//! Integers of any size.
//!
//! Integers that fit become an `i64`. Wider decimal numbers are never converted. Their canonical
//! text is their value, so a megabyte of digits takes one pass. Wider numbers in a base other than
//! ten are converted to decimal only up to [`RADIX_DIGITS_MAX`] digits, because this takes
//! quadratic time. Longer ones keep their base and digits.

use std::borrow::Cow;
use std::fmt;

use num_bigint::BigUint;

use super::tag::{Base60Sign, IntForm};

/// The maximum number of digits of an integer of base 2, 8 or 16 that does not fit into an `i64`
/// but is converted to decimal. 4,096 hexadecimal digits are 16,384 bits, twice as many as the
/// widest cryptographic keys in use have.
pub const RADIX_DIGITS_MAX: usize = 4096;

/// The base of the digits of a [`BigInt`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Radix {
    /// Base 2.
    Binary = 2,
    /// Base 8.
    Octal = 8,
    /// Base 10.
    Decimal = 10,
    /// Base 16.
    Hexadecimal = 16,
}

/// An integer outside the range of `i64`, as a sign and canonical digits.
///
/// The digits have no sign, prefix, separators or leading zeros, and are borrowed from the text if
/// possible. They are decimal, unless the text is in a base other than ten and has more than
/// [`RADIX_DIGITS_MAX`] digits. Values are therefore compared by number, except that above this
/// size, equal numbers in different bases differ.
///
/// ```
/// use ketch_yaml::schema::{Scalar, Schema};
///
/// let Scalar::BigInt(int) = Schema::Core.scalar("0xFFFFFFFFFFFFFFFF") else {
///     panic!("not a wide integer");
/// };
/// assert_eq!(int.digits(), "18446744073709551615");
/// assert_eq!(int.to_string(), "18446744073709551615");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BigInt<'a> {
    negative: bool,
    radix: Radix,
    digits: Cow<'a, str>,
}

impl<'a> BigInt<'a> {
    /// Returns whether the number is below zero.
    #[must_use]
    pub fn is_negative(&self) -> bool {
        self.negative
    }

    /// Returns the base of [`digits`](Self::digits).
    #[must_use]
    pub fn radix(&self) -> Radix {
        self.radix
    }

    /// Returns the digits of the absolute value in ASCII, with the most significant one first.
    #[must_use]
    pub fn digits(&self) -> &str {
        &self.digits
    }

    /// Returns whether the digits are decimal. If not, there are more than [`RADIX_DIGITS_MAX`],
    /// and [`to_decimal`](Self::to_decimal) is slow.
    #[must_use]
    pub fn is_decimal(&self) -> bool {
        self.radix == Radix::Decimal
    }

    /// Returns the number in base 10. This is cheap if the number [is decimal](Self::is_decimal).
    /// Otherwise, it takes quadratic time, so check the length first.
    #[must_use]
    pub fn to_decimal(&self) -> Cow<'_, str> {
        let digits = match self.radix {
            Radix::Decimal => Cow::Borrowed(&*self.digits),
            radix => Cow::Owned(decimal_digits(self.digits.as_bytes(), radix as u32)),
        };
        if self.negative { Cow::Owned(format!("-{digits}")) } else { digits }
    }

    /// Returns the same number, which borrows nothing.
    #[must_use]
    pub fn into_owned(self) -> BigInt<'static> {
        let Self { negative, radix, digits } = self;
        BigInt { negative, radix, digits: Cow::Owned(digits.into_owned()) }
    }
}

/// Formats the number in decimal, or with `0x`, `0o` or `0b` in a base other than ten, and with a
/// minus before it if it is negative. The core schema does not read `0b`, nor a minus before a
/// prefix; YAML 1.1 reads both, but not `0o`. This takes linear time.
impl fmt::Display for BigInt<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let prefix = match self.radix {
            Radix::Binary => "0b",
            Radix::Octal => "0o",
            Radix::Decimal => "",
            Radix::Hexadecimal => "0x",
        };
        write!(f, "{}{prefix}{}", if self.negative { "-" } else { "" }, self.digits)
    }
}

/// An integer of any size.
pub(super) enum Integer<'a> {
    Small(i64),
    Big(BigInt<'a>),
}

/// Converts `text`, which has the form `form`, to an integer. `sign` says what the sign of a
/// base-60 number applies to.
pub(super) fn parse(text: &[u8], form: IntForm, sign: Base60Sign) -> Integer<'_> {
    let (negative, digits) = split_sign(text);
    let (radix, digits) = match form {
        IntForm::Base60 => return parse_base60(negative, digits, sign),
        IntForm::Decimal => (Radix::Decimal, digits),
        IntForm::Octal => {
            let prefixed = matches!(digits.get(1), Some(b'o' | b'O'));
            (Radix::Octal, if prefixed { &digits[2..] } else { digits })
        }
        IntForm::Hex => (Radix::Hexadecimal, digits.get(2..).unwrap_or_default()),
        IntForm::Binary => (Radix::Binary, digits.get(2..).unwrap_or_default()),
    };
    let value = match radix {
        Radix::Decimal => short_decimal(negative, digits),
        _ => None,
    };
    match value.or_else(|| small(negative, digits, radix as u32)) {
        Some(value) => Integer::Small(value),
        None => Integer::Big(big(negative, digits, radix)),
    }
}

/// Splits an optional sign off `text`. Returns whether the sign is negative, and the rest of the
/// text.
pub(super) fn split_sign(text: &[u8]) -> (bool, &[u8]) {
    match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, text),
    }
}

/// Converts `digits`, up to 18 decimal digits, whose value always fits into an `i64`. `negative`
/// says whether a minus precedes them. Returns `None` if there are more digits or other bytes.
fn short_decimal(negative: bool, digits: &[u8]) -> Option<i64> {
    const SAFE_DIGITS: usize = 18;
    if digits.len() > SAFE_DIGITS {
        return None;
    }
    let mut value = 0i64;
    for &byte in digits {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        value = 10 * value + i64::from(digit);
    }
    Some(if negative { -value } else { value })
}

/// Converts `digits`, which have the base `radix`. `negative` says whether a minus precedes them.
/// Returns `None` if the value does not fit into an `i64`. Bytes that are not digits are
/// separators, because the form has already been checked.
fn small(negative: bool, digits: &[u8], radix: u32) -> Option<i64> {
    let mut value = 0i64;
    for &byte in digits {
        let Some(digit) = char::from(byte).to_digit(radix) else { continue };
        let digit = i64::from(digit);
        value = value.checked_mul(i64::from(radix))?;
        // Accumulating a negative value can reach `i64::MIN`.
        value = if negative { value.checked_sub(digit)? } else { value.checked_add(digit)? };
    }
    Some(value)
}

/// Converts `digits`, which have the base `radix`, to a number that does not fit into an `i64`, so
/// not all of them are zero. `negative` says whether a minus precedes them.
fn big(negative: bool, digits: &[u8], radix: Radix) -> BigInt<'_> {
    let is_digit = |&byte: &u8| char::from(byte).is_digit(radix as u32);
    let mut canonical = if digits.iter().all(is_digit) {
        let zeros = digits.iter().take_while(|&&byte| byte == b'0').count();
        String::from_utf8_lossy(&digits[zeros..])
    } else {
        let kept = digits.iter().copied().filter(is_digit).skip_while(|&byte| byte == b'0');
        Cow::Owned(kept.map(char::from).collect())
    };
    let mut radix = radix;
    if radix != Radix::Decimal && canonical.len() <= RADIX_DIGITS_MAX {
        canonical = Cow::Owned(decimal_digits(canonical.as_bytes(), radix as u32));
        radix = Radix::Decimal;
    }
    BigInt { negative, radix, digits: canonical }
}

/// Converts `digits`, which have the base `radix`, to decimal ones.
fn decimal_digits(digits: &[u8], radix: u32) -> String {
    BigUint::parse_bytes(digits, radix).unwrap_or_default().to_str_radix(10)
}

/// Converts `digits`, the parts of a base-60 number, which are separated by colons. One unit of a
/// part is worth sixty units of the next. `negative` says whether a minus precedes them, and `sign`
/// what it applies to.
fn parse_base60(negative: bool, digits: &[u8], sign: Base60Sign) -> Integer<'static> {
    // The sign applies to all parts, or only to the first one, to which the others are then added.
    let first_sign = if negative && sign == Base60Sign::FirstPart { -1 } else { 1 };
    let value = base60_small(digits, first_sign).map(num_bigint::BigInt::from);
    let mut value = value.unwrap_or_else(|| base60_big(digits, first_sign));
    if negative && sign == Base60Sign::Whole {
        value = -value;
    }
    if let Ok(small) = i64::try_from(&value) {
        return Integer::Small(small);
    }
    let (sign, absolute) = value.into_parts();
    Integer::Big(BigInt {
        negative: sign == num_bigint::Sign::Minus,
        radix: Radix::Decimal,
        digits: Cow::Owned(absolute.to_str_radix(10)),
    })
}

/// Converts `digits`, the parts of a base-60 number. `first_sign` is the sign of the first part, 1
/// or -1. Returns `None` if the value does not fit into an `i64`.
fn base60_small(digits: &[u8], first_sign: i64) -> Option<i64> {
    let mut parts = digits.split(|&byte| byte == b':');
    let first = small(false, parts.next()?, 10)? * first_sign;
    parts.try_fold(first, |value, part| value.checked_mul(60)?.checked_add(small(false, part, 10)?))
}

/// Converts `digits`, the parts of a base-60 number of any size. `first_sign` is the sign of the
/// first part, 1 or -1. This takes quadratic time, so the resolver limits the length; see
/// `number::BASE60_BYTES_MAX`.
fn base60_big(digits: &[u8], first_sign: i64) -> num_bigint::BigInt {
    let mut value = num_bigint::BigInt::ZERO;
    for (i, part) in digits.split(|&byte| byte == b':').enumerate() {
        let part: Vec<u8> = part.iter().copied().filter(u8::is_ascii_digit).collect();
        let part = BigUint::parse_bytes(&part, 10).unwrap_or_default();
        value = value * 60 + num_bigint::BigInt::from(part);
        if i == 0 {
            value *= first_sign;
        }
    }
    value
}

//! What a number is, its value as other types, and order, equality and hash by the value.

use super::arithmetic::aligned;
use super::digits::Rounding;
use super::fraction::Fraction;
use super::types::{Form, Number, Ratio, Small};
use dashu_int::IBig;
use dashu_int::ops::{BitTest, DivRem, UnsignedAbs};
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

/// `to_big` writes out at most this number of zeros.
const WRITTEN_ZEROS: i128 = 10_000_000;
/// No binary64, nor the middle between two, has more significant digits.
const BINARY_DIGITS: usize = 800;

impl Number {
    /// Whether it is not a number.
    #[inline]
    pub fn is_nan(&self) -> bool {
        matches!(self.value().form, Form::Nan)
    }

    /// Whether it is above or below all numbers.
    pub fn is_infinite(&self) -> bool {
        matches!(self.value().form, Form::Infinite { .. })
    }

    /// Whether it has a spelling, which what is computed has not.
    pub fn is_spelled(&self) -> bool {
        matches!(self.form, Form::Spelled(_))
    }

    /// Whether it is neither infinite nor nan.
    pub fn is_finite(&self) -> bool {
        !self.is_nan() && !self.is_infinite()
    }

    /// Whether it is a finite number without a fraction.
    pub fn is_integer(&self) -> bool {
        match &self.value().form {
            Form::Small(small) => small.exponent >= 0 || small.reduced().1 >= 0,
            Form::Big(big) if big.shown => big.exact().exponent >= 0,
            Form::Big(big) => big.exponent >= 0,
            _ => false,
        }
    }

    /// Whether it is below zero; nan is not.
    pub fn is_negative(&self) -> bool {
        self.signum() < 0
    }

    /// Whether it is zero.
    #[inline]
    pub fn is_zero(&self) -> bool {
        !self.is_nan() && self.signum() == 0
    }

    /// The nearest binary64; what is too large for one becomes infinite.
    pub fn to_f64(&self) -> f64 {
        match &self.value().form {
            Form::Small(small) => small.to_f64(),
            Form::Big(big) => nearest(&big.digits, big.exponent),
            Form::Ratio(ratio) => ratio.to_f64(),
            Form::Infinite { negative: false } => f64::INFINITY,
            Form::Infinite { negative: true } => f64::NEG_INFINITY,
            Form::Spelled(_) | Form::Nan => f64::NAN,
        }
    }

    /// The value, if it is an integer of 64 bits.
    #[inline]
    pub fn to_i64(&self) -> Option<i64> {
        match self.value().form {
            Form::Small(Small { digits, exponent: 0, .. }) => Some(digits),
            _ if self.is_integer() => self.narrowed(),
            _ => None,
        }
    }

    /// The integer part, at the ends of the 64-bit range where it is beyond; zero for nan.
    pub fn truncated_i64(&self) -> i64 {
        let end = if self.is_negative() { i64::MIN } else { i64::MAX };
        match self.value().form {
            Form::Small(Small { digits, exponent: 0, .. }) => digits,
            Form::Nan => 0,
            _ => self.narrowed().unwrap_or(end),
        }
    }

    /// The value as an integer of any size; `None` where it is no integer, or one that ends in
    /// more than ten million zeros (as `1e1000000000` does).
    pub fn to_big(&self) -> Option<IBig> {
        let value = Fraction::of(self)?;
        let written = value.exponent <= WRITTEN_ZEROS && self.is_integer();
        written.then(|| value.rounded(0, Rounding::Truncate))
    }

    /// The integer part, if it has 64 bits at most.
    fn narrowed(&self) -> Option<i64> {
        let value = Fraction::of(self)?;
        if value.exponent > 18 {
            return None;
        }
        i64::try_from(value.rounded(0, Rounding::Truncate)).ok()
    }
}

impl Small {
    /// The nearest binary64.
    fn to_f64(self) -> f64 {
        /// The integers up to this are all binary64.
        const EXACT: u64 = 1 << 53;
        /// The powers of ten up to this are all binary64.
        const EXACT_POWER: u32 = 22;
        let power = self.exponent.unsigned_abs();
        if self.digits.unsigned_abs() > EXACT || power > EXACT_POWER {
            return nearest(&self.digits.into(), self.exponent.into());
        }
        let (digits, power) = (self.digits as f64, 10_u128.pow(power) as f64);
        if self.exponent < 0 { digits / power } else { digits * power }
    }
}

impl Ratio {
    /// The nearest binary64: from a quotient of 66 bits or more, whose last bit also says
    /// whether there was a remainder.
    fn to_f64(&self) -> f64 {
        let (numerator, denominator) = ((&self.numerator).unsigned_abs(), &self.denominator);
        let shift = (66 + denominator.bit_len()).saturating_sub(numerator.bit_len());
        let (quotient, remainder) = (numerator << shift).div_rem(denominator);
        let sticky = u8::from(!remainder.is_zero());
        let magnitude = (quotient | dashu_int::UBig::from(sticky)).to_f64().value();
        self.numerator.sign() * libm::ldexp(magnitude, -(shift as i32))
    }
}

/// The binary64 nearest to `digits * 10^exponent`, read from the first digits.
fn nearest(digits: &IBig, exponent: i64) -> f64 {
    let mut text = digits.unsigned_abs().to_string();
    let mut exponent = exponent;
    if text.len() > BINARY_DIGITS {
        let more = text.bytes().skip(BINARY_DIGITS).any(|digit| digit != b'0');
        exponent = exponent.saturating_add_unsigned((text.len() - BINARY_DIGITS) as u64);
        text.truncate(BINARY_DIGITS);
        text.push_str(if more { ".1" } else { "" });
    }
    text.push_str(&format!("e{}", exponent.clamp(-5000, 5000)));
    digits.sign() * text.parse().unwrap_or(f64::NAN)
}

impl Number {
    /// jq's order: nan below all numbers, then minus infinite, the finite ones and infinite.
    ///
    /// A nan on the left is less than anything, another nan included, as in jq; so with nan
    /// on both sides this is no total order. Sort by [`Number::compare_total`].
    #[inline]
    pub fn compare(&self, other: &Number) -> Ordering {
        if let (Form::Small(left), Form::Small(right)) = (&self.form, &other.form)
            && left.exponent == right.exponent
        {
            return left.digits.cmp(&right.digits);
        }
        if self.is_nan() { Ordering::Less } else { self.compare_total(other) }
    }

    /// The same order with all nan equal, which makes it a total one: the one to sort by.
    pub fn compare_total(&self, other: &Number) -> Ordering {
        let (left, right) = (self.rank(), other.rank());
        if left != 0 || right != 0 {
            return left.cmp(&right);
        }
        if let (Some(left), Some(right)) = (self.as_small(), other.as_small())
            && let Some((left, right, _)) = aligned(left, right)
        {
            return left.cmp(&right);
        }
        self.compare_finite(other)
    }

    /// Where nan and the infinite ones stand, around the finite ones at zero.
    fn rank(&self) -> i8 {
        match self.value().form {
            Form::Nan => -2,
            Form::Infinite { negative: true } => -1,
            Form::Infinite { negative: false } => 1,
            _ => 0,
        }
    }

    /// The order of two finite numbers.
    fn compare_finite(&self, other: &Number) -> Ordering {
        let (left, right) = (self.signum(), other.signum());
        if left != right || left == 0 {
            return left.cmp(&right);
        }
        let (Some(value), Some(other)) = (Fraction::of(self), Fraction::of(other)) else {
            return Ordering::Equal;
        };
        let order = value.compare_magnitude(&other);
        if left < 0 { order.reverse() } else { order }
    }
}

impl PartialEq for Number {
    /// Whether the values are the same; nan is not the same as anything.
    #[inline]
    fn eq(&self, other: &Number) -> bool {
        self.compare(other) == Ordering::Equal
    }
}

impl Hash for Number {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match &self.value().form {
            Form::Small(small) => small.reduced().hash(state),
            Form::Ratio(ratio) => (&ratio.numerator, &ratio.denominator).hash(state),
            Form::Big(big) if big.shown => self.plain().hash(state),
            Form::Big(big) => match i64::try_from(&big.digits) {
                Ok(digits) => (digits, big.exponent).hash(state),
                Err(_) => (&big.digits, big.exponent).hash(state),
            },
            _ => self.rank().hash(state),
        }
    }
}

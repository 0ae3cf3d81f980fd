//! Sums, products, quotients, remainders and powers: the short ways for short decimals, and the
//! general way for everything else.

use super::digits::{Rounding, bit_length};
use super::fraction::{Fraction, settle_decimal};
use super::types::{Form, Number, NumberError, Small};
use dashu_int::ops::BitTest;
use dashu_int::{IBig, Sign, UBig};

/// A small form has at most this number of digits before its zeros are written out.
const SMALL_DIGITS: u64 = 19;
/// Exponents of two small forms that lie no farther apart are aligned within 128 bits.
const ALIGNED_DISTANCE: u32 = 18;

/// Whether a small form with this exponent is sure to have not too many digits.
#[inline]
fn surely_fits(exponent: i32, max_digits: u64) -> bool {
    u64::from(exponent.unsigned_abs()) + SMALL_DIGITS <= max_digits
}

/// A decimal as a number, in the small form where it fits as it is.
#[inline]
fn settle_wide(digits: i128, exponent: i64, max_digits: u64) -> Result<Number, NumberError> {
    if let (Ok(digits), Ok(exponent)) = (i64::try_from(digits), i32::try_from(exponent))
        && surely_fits(exponent, max_digits)
    {
        return Ok(Number::small(digits, exponent));
    }
    settle_decimal(digits.into(), exponent.into(), max_digits)
}

/// The digits of two small forms at the lower of their exponents, if that is not too far.
#[inline]
pub(super) fn aligned(left: Small, right: Small) -> Option<(i128, i128, i32)> {
    let distance = left.exponent.abs_diff(right.exponent);
    if distance > ALIGNED_DISTANCE {
        return None;
    }
    let zeros = i128::from(10_i64.pow(distance));
    let (high, low) = (i128::from(left.digits), i128::from(right.digits));
    Some(if left.exponent >= right.exponent {
        (high * zeros, low, right.exponent)
    } else {
        (high, low * zeros, left.exponent)
    })
}

/// The greatest common divisor, of which the second is not zero.
fn common_divisor(mut left: u64, mut right: u64) -> u64 {
    while right != 0 {
        (left, right) = (right, left % right);
    }
    left
}

/// Takes all factors 5 out of a number other than zero, and returns their number.
fn take_fives(value: &mut u64) -> u32 {
    let mut count = 0;
    while value.is_multiple_of(5) {
        *value /= 5;
        count += 1;
    }
    count
}

/// The quotient of two small forms, the second not zero, where 128 bits do to find it.
fn divide_small(left: Small, right: Small, max: u64) -> Option<Result<Number, NumberError>> {
    let (above, below) = (left.digits.unsigned_abs(), right.digits.unsigned_abs());
    let common = common_divisor(above, below);
    let (above, below) = (i128::from(above / common), below / common);
    let above = if (left.digits < 0) == (right.digits < 0) { above } else { -above };
    let twos = below.trailing_zeros();
    let mut rest = below >> twos;
    let fives = take_fives(&mut rest);
    if rest != 1 {
        let ratio = || Ok(Number::ratio(above.into(), below.into()));
        return (left.exponent == right.exponent).then(ratio);
    }
    let fill = 5_u64.checked_pow(twos.saturating_sub(fives))? << fives.saturating_sub(twos);
    let exponent = i64::from(left.exponent) - i64::from(right.exponent);
    let exponent = exponent - i64::from(twos.max(fives));
    Some(settle_wide(above.checked_mul(fill.into())?, exponent, max))
}

impl Number {
    /// The sum, exactly.
    #[inline]
    pub fn add(&self, other: &Number, max_digits: u64) -> Result<Number, NumberError> {
        if let (Form::Small(left), Form::Small(right)) = (&self.form, &other.form)
            && left.exponent == right.exponent
            && let Some(sum) = left.digits.checked_add(right.digits)
            && surely_fits(left.exponent, max_digits)
        {
            return Ok(Number::small(sum, left.exponent));
        }
        self.add_slowly(other, max_digits)
    }

    /// The difference, exactly.
    #[inline]
    pub fn subtract(&self, other: &Number, max_digits: u64) -> Result<Number, NumberError> {
        if let (Form::Small(left), Form::Small(right)) = (&self.form, &other.form)
            && left.exponent == right.exponent
            && let Some(difference) = left.digits.checked_sub(right.digits)
            && surely_fits(left.exponent, max_digits)
        {
            return Ok(Number::small(difference, left.exponent));
        }
        self.add_slowly(&other.negate(), max_digits)
    }

    /// The product, exactly.
    #[inline]
    pub fn multiply(&self, other: &Number, max_digits: u64) -> Result<Number, NumberError> {
        if let (Form::Small(left), Form::Small(right)) = (&self.form, &other.form)
            && let Some(product) = left.digits.checked_mul(right.digits)
            && let Some(exponent) = left.exponent.checked_add(right.exponent)
            && surely_fits(exponent, max_digits)
        {
            return Ok(Number::small(product, exponent));
        }
        self.multiply_slowly(other, max_digits)
    }

    /// The quotient: a decimal where it is a finite one, else the exact ratio, or the decimal
    /// of 34 significant digits where the ratio's parts outgrow 128 bits. A divisor of zero is
    /// an error whatever is divided.
    pub fn divide(&self, other: &Number, max_digits: u64) -> Result<Number, NumberError> {
        if other.is_zero() {
            return Err(NumberError::DivisionByZero);
        }
        if let (Some(left), Some(right)) = (self.as_small(), other.as_small()) {
            if left.digits.checked_rem(right.digits) == Some(0) {
                let exponent = i64::from(left.exponent) - i64::from(right.exponent);
                return settle_wide((left.digits / right.digits).into(), exponent, max_digits);
            }
            if let Some(result) = divide_small(left, right, max_digits) {
                return result;
            }
        }
        match (Fraction::of(self), Fraction::of(other)) {
            (Some(left), Some(right)) => left.multiply(right.inverted()).settle(max_digits),
            _ => Ok(self.beyond(other, |left, right| left / right)),
        }
    }

    /// The remainder as jq has it: of both sides without their fractions, with the sign of the
    /// dividend. With a side that is nan it is nan; an infinite side counts as the end of the
    /// 64-bit range on its side, as in jq 1.8 (`5 % infinite` is 5, `infinite % 3` is 1).
    pub fn remainder(&self, other: &Number, max_digits: u64) -> Result<Number, NumberError> {
        if let (Form::Small(left), Form::Small(right)) = (&self.form, &other.form)
            && left.exponent == 0
            && right.exponent == 0
            && let Some(remainder) = left.digits.checked_rem(right.digits)
        {
            return Ok(remainder.into());
        }
        if self.is_nan() || other.is_nan() {
            return Ok(Number::nan());
        }
        let (dividend, divisor) = (self.clamped(), other.clamped());
        if divisor.is_zero() {
            return Err(NumberError::DivisionByZero);
        }
        if dividend.abs().compare(&divisor.abs()).is_lt() {
            return Ok(dividend);
        }
        let rest = dividend.written_out(max_digits)? % divisor.written_out(max_digits)?;
        Ok(Number::from_big(rest))
    }

    /// The number with its sign turned.
    pub fn negate(&self) -> Number {
        if let Some(small) = self.as_small()
            && let Some(digits) = small.digits.checked_neg()
        {
            return Number::small(digits, small.exponent);
        }
        match &self.value().form {
            Form::Small(small) => Number::turned(&small.digits.into(), small.exponent.into()),
            Form::Big(big) => Number::turned(&big.digits, big.exponent.into()),
            Form::Ratio(it) => Number::ratio(-&it.numerator, it.denominator.clone()),
            Form::Infinite { negative } => Number::infinite(!negative),
            Form::Spelled(_) | Form::Nan => Number::nan(),
        }
    }

    /// The number without its sign.
    pub fn abs(&self) -> Number {
        if self.is_negative() { self.negate() } else { self.plain() }
    }

    /// A decimal with its sign turned.
    fn turned(digits: &IBig, exponent: i128) -> Number {
        Number::decimal(-digits, exponent).unwrap_or_else(Number::nan)
    }

    /// The sum where the short way does not do.
    fn add_slowly(&self, other: &Number, max_digits: u64) -> Result<Number, NumberError> {
        if let (Some(left), Some(right)) = (self.as_small(), other.as_small())
            && let Some((left, right, exponent)) = aligned(left, right)
        {
            return settle_wide(left + right, exponent.into(), max_digits);
        }
        match (Fraction::of(self), Fraction::of(other)) {
            (Some(left), Some(right)) => left.add(right, max_digits)?.settle(max_digits),
            _ => Ok(self.beyond(other, |left, right| left + right)),
        }
    }

    /// The product where the short way does not do.
    fn multiply_slowly(&self, other: &Number, max_digits: u64) -> Result<Number, NumberError> {
        if let (Some(left), Some(right)) = (self.as_small(), other.as_small()) {
            let product = i128::from(left.digits) * i128::from(right.digits);
            let exponent = i64::from(left.exponent) + i64::from(right.exponent);
            return settle_wide(product, exponent, max_digits);
        }
        match (Fraction::of(self), Fraction::of(other)) {
            (Some(left), Some(right)) => left.multiply(right).settle(max_digits),
            _ => Ok(self.beyond(other, |left, right| left * right)),
        }
    }

    /// The result where a side is not finite: as with binary64 of the same signs.
    fn beyond(&self, other: &Number, operation: fn(f64, f64) -> f64) -> Number {
        Number::from_f64(operation(self.sign_value(), other.sign_value()))
    }

    /// One, minus one or zero for the sign of a finite number; the others are themselves.
    fn sign_value(&self) -> f64 {
        match &self.value().form {
            Form::Infinite { negative: false } => f64::INFINITY,
            Form::Infinite { negative: true } => f64::NEG_INFINITY,
            Form::Nan => f64::NAN,
            _ if self.is_zero() => 0.0,
            _ if self.is_negative() => -1.0,
            _ => 1.0,
        }
    }

    /// The number without its fraction, or the end of the 64-bit range for an infinite one.
    fn clamped(&self) -> Number {
        match &self.value().form {
            Form::Infinite { negative: false } => i64::MAX.into(),
            Form::Infinite { negative: true } => i64::MIN.into(),
            _ => self.trunc(),
        }
    }

    /// An integer with its zeros written out.
    fn written_out(&self, max_digits: u64) -> Result<IBig, NumberError> {
        let value = Fraction::of(self).ok_or(NumberError::TooManyDigits)?;
        if value.exponent > i128::from(max_digits) {
            return Err(NumberError::TooManyDigits);
        }
        Ok(value.rounded(0, Rounding::Truncate))
    }

    /// The sign: negative, zero or positive as -1, 0 or 1; zero for nan.
    pub(super) fn signum(&self) -> i8 {
        match &self.value().form {
            Form::Small(small) => small.digits.signum() as i8,
            Form::Big(big) if big.digits.is_zero() => 0,
            Form::Big(big) => big.digits.sign() * 1_i8,
            Form::Ratio(ratio) => ratio.numerator.sign() * 1_i8,
            Form::Infinite { negative } => Sign::from(*negative) * 1_i8,
            Form::Spelled(_) | Form::Nan => 0,
        }
    }
}

/// An error where a power of an integer with this number of bits surely has too many digits.
fn check_power(bits: usize, power: u64, max_digits: u64) -> Result<(), NumberError> {
    let least = bits.saturating_sub(1) as u128 * u128::from(power) * 3 / 10;
    if least > u128::from(max_digits) { Err(NumberError::TooManyDigits) } else { Ok(()) }
}

impl Fraction {
    /// The value to a whole power.
    pub(super) fn raised(self, power: u64, max_digits: u64) -> Result<Fraction, NumberError> {
        check_power(bit_length(&self.numerator), power, max_digits)?;
        check_power(self.denominator.bit_len(), power, max_digits)?;
        let (sign, magnitude) = self.numerator.into_parts();
        let sign = if power % 2 == 1 { sign } else { Sign::Positive };
        Ok(Fraction {
            numerator: sign * power_of(magnitude, power),
            denominator: power_of(self.denominator, power),
            exponent: self.exponent * i128::from(power),
        })
    }
}

/// A magnitude to a power that has been checked.
fn power_of(magnitude: UBig, power: u64) -> UBig {
    if magnitude.is_one() { magnitude } else { magnitude.pow(power as usize) }
}

impl Number {
    /// The number to a power. For an exponent that is an integer the power is exact, a
    /// negative one gives the quotient of one by it, as `divide` does, and an error for zero.
    /// For all others it is that of the binary64, as its shortest decimal.
    pub fn pow(&self, exponent: &Number, max_digits: u64) -> Result<Number, NumberError> {
        let (Some(base), Some(power)) = (Fraction::of(self), exponent.whole_power()) else {
            return Ok(Number::from_f64(libm::pow(self.to_f64(), exponent.to_f64())));
        };
        if power >= 0 {
            return base.raised(power.unsigned_abs(), max_digits)?.settle(max_digits);
        }
        if base.is_zero() {
            return Err(NumberError::DivisionByZero);
        }
        base.raised(power.unsigned_abs(), max_digits)?.inverted().settle(max_digits)
    }

    /// The number as an exponent if it is an integer; those beyond 64 bits become the last
    /// that are as even or odd, whose powers are the same or have as well too many digits.
    fn whole_power(&self) -> Option<i64> {
        if !self.is_integer() {
            return None;
        }
        let odd =
            |value: &Fraction| value.exponent == 0 && value.numerator.trailing_zeros() == Some(0);
        let last = i64::MAX - i64::from(!Fraction::of(self).is_some_and(|value| odd(&value)));
        let last = if self.is_negative() { -last } else { last };
        Some(self.to_i64().unwrap_or(last))
    }
}

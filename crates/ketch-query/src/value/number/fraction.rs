//! The form that all but the shortest arithmetic goes through: an integer over an integer,
//! times a power of ten. Powers of ten are written out only where the result needs it.

use super::digits::{
    Rounding, bit_length, digit_bounds, digit_count, divide_rounded, power_of_ten, without_tens,
};
use super::types::{Big, Form, Number, NumberError, Ratio, Small};
use dashu_int::ops::{BitTest, Gcd, UnsignedAbs};
use dashu_int::{IBig, UBig};
use std::cmp::Ordering;

/// A ratio is kept as one while its numerator and its denominator have at most this number of bits.
const RATIO_BITS: usize = 128;
/// The number of significant digits that are left of a quotient that is rounded or shown.
pub(super) const SIGNIFICANT_DIGITS: u64 = 34;

/// `numerator / denominator * 10^exponent`, not always reduced.
#[derive(Clone, Debug)]
pub(super) struct Fraction {
    /// What is divided, with the sign.
    pub(super) numerator: IBig,
    /// What it is divided by; never zero.
    pub(super) denominator: UBig,
    /// The power of ten.
    pub(super) exponent: i128,
}

/// A product that costs nothing where the factor is one, as the denominators of decimals are.
fn times(value: IBig, factor: &UBig) -> IBig {
    if factor.is_one() { value } else { value * factor }
}

/// The number of digits of `digits * 10^exponent` when written out without an exponent.
fn written_digits(digits: &IBig, exponent: i128) -> i128 {
    let count = i128::from(digit_count(digits));
    if exponent >= 0 { count + exponent } else { count.max(-exponent) }
}

/// `magnitude * 2^twos * 5^fives` where that fits a ratio; powers below zero count as zero.
fn scaled(magnitude: &UBig, twos: i128, fives: i128) -> Option<UBig> {
    if magnitude.bit_len() > RATIO_BITS || twos > 128 || fives > 56 {
        return None;
    }
    let odd = magnitude * UBig::from(5_u8).pow(fives.max(0) as usize);
    let scaled = odd << twos.max(0) as usize;
    (scaled.bit_len() <= RATIO_BITS).then_some(scaled)
}

/// Takes all factors 2 and 5 out of a magnitude other than zero, and returns their numbers.
pub(super) fn take_twos_and_fives(magnitude: &mut UBig) -> (i128, i128) {
    let twos = magnitude.trailing_zeros().unwrap_or(0);
    *magnitude >>= twos;
    let fives = magnitude.remove(&UBig::from(5_u8)).unwrap_or(0);
    (twos as i128, fives as i128)
}

impl Fraction {
    /// The number in the form for general arithmetic, reduced; `None` where it is not finite.
    pub(super) fn of(number: &Number) -> Option<Fraction> {
        match &number.value().form {
            Form::Small(small) => Some(small.exact()),
            Form::Big(big) => Some(big.exact()),
            Form::Ratio(ratio) => Some(ratio.exact()),
            _ => None,
        }
    }

    /// `digits * 10^exponent`.
    pub(super) fn decimal(digits: IBig, exponent: i128) -> Fraction {
        Fraction { numerator: digits, denominator: UBig::ONE, exponent }
    }

    /// Whether the value is zero.
    pub(super) fn is_zero(&self) -> bool {
        self.numerator.is_zero()
    }

    /// The sum; an error, before any zeros are written out, where it had too many digits.
    pub(super) fn add(self, other: Fraction, max_digits: u64) -> Result<Fraction, NumberError> {
        if self.is_zero() {
            return Ok(other);
        }
        if other.is_zero() {
            return Ok(self);
        }
        let (high, low) =
            if self.exponent >= other.exponent { (self, other) } else { (other, self) };
        high.check_distance(&low, max_digits)?;
        let zeros = power_of_ten((high.exponent - low.exponent) as u64);
        let left = times(times(high.numerator, &zeros), &low.denominator);
        let right = times(low.numerator, &high.denominator);
        let denominator = high.denominator * low.denominator;
        Ok(Fraction { numerator: left + right, denominator, exponent: low.exponent })
    }

    /// An error where a sum with `low` has too many digits because the exponents are that far
    /// apart. Where `low` itself has the digits to fill the gap, the two may cancel out.
    fn check_distance(&self, low: &Fraction, max_digits: u64) -> Result<(), NumberError> {
        let distance = self.exponent - low.exponent;
        let filled = i128::from(digit_bounds(bit_length(&low.numerator)).1) + 1;
        let fits = distance <= i128::from(max_digits) || distance <= filled;
        if fits { Ok(()) } else { Err(NumberError::TooManyDigits) }
    }

    /// The product.
    pub(super) fn multiply(self, other: Fraction) -> Fraction {
        Fraction {
            numerator: self.numerator * other.numerator,
            denominator: self.denominator * other.denominator,
            exponent: self.exponent + other.exponent,
        }
    }

    /// One divided by the value, which is not zero.
    pub(super) fn inverted(self) -> Fraction {
        let (sign, magnitude) = self.numerator.into_parts();
        Fraction {
            numerator: IBig::from_parts(sign, self.denominator),
            denominator: magnitude,
            exponent: -self.exponent,
        }
    }

    /// The value as a number, in its final form.
    pub(super) fn settle(mut self, max_digits: u64) -> Result<Number, NumberError> {
        if self.denominator.is_one() || self.is_zero() {
            return settle_decimal(self.numerator, self.exponent, max_digits);
        }
        self.reduce();
        let mut rest = self.denominator.clone();
        let (twos, fives) = take_twos_and_fives(&mut rest);
        if rest.is_one() {
            return self.settle_finite(twos, fives, max_digits);
        }
        if let Some(ratio) = self.as_ratio(&rest, twos, fives) {
            return Ok(ratio);
        }
        let (digits, exponent) = self.significant(SIGNIFICANT_DIGITS);
        settle_decimal(digits, exponent, max_digits)
    }

    /// Divides numerator and denominator by what they share.
    pub(super) fn reduce(&mut self) {
        let common = (&self.numerator).gcd(&self.denominator);
        if !common.is_one() {
            self.numerator /= &common;
            self.denominator /= common;
        }
    }

    /// The quotient by `2^twos * 5^fives`, which is the denominator.
    fn settle_finite(self, twos: i128, fives: i128, max: u64) -> Result<Number, NumberError> {
        let exponent = self.exponent - twos.max(fives);
        if -exponent > i128::from(max) {
            return Err(NumberError::TooManyDigits);
        }
        let fill = UBig::from(5_u8).pow((twos - fives).max(0) as usize);
        let digits = times(self.numerator, &fill) << (fives - twos).max(0) as usize;
        settle_decimal(digits, exponent, max)
    }

    /// The reduced value as a ratio, if it is short enough for that. Its denominator is
    /// `rest * 2^twos * 5^fives`, with a `rest` that has neither factor.
    fn as_ratio(&self, rest: &UBig, twos: i128, fives: i128) -> Option<Number> {
        let (sign, mut magnitude) = self.numerator.clone().into_parts();
        let (more_twos, more_fives) = take_twos_and_fives(&mut magnitude);
        let twos = more_twos + self.exponent - twos;
        let fives = more_fives + self.exponent - fives;
        let numerator = scaled(&magnitude, twos, fives)?;
        let denominator = scaled(rest, -twos, -fives)?;
        Some(Number::ratio(IBig::from_parts(sign, numerator), denominator))
    }

    /// The value, other than zero, rounded half to even to this number of significant digits, as
    /// digits and exponent.
    pub(super) fn significant(&self, count: u64) -> (IBig, i128) {
        let mut places = i128::from(count) - 1 - self.magnitude().0;
        let excess = digit_count(&self.rounded(places, Rounding::Truncate)).saturating_sub(count);
        places -= i128::from(excess);
        (self.rounded(places, Rounding::HalfEven), -places)
    }

    /// Powers of ten that the absolute value, other than zero, is not below and not above.
    pub(super) fn magnitude(&self) -> (i128, i128) {
        let (low, high) = digit_bounds(bit_length(&self.numerator));
        let (least, most) = digit_bounds(self.denominator.bit_len());
        let bound = |above: u64, below: u64| i128::from(above) - i128::from(below) + self.exponent;
        (bound(low, most) - 1, bound(high, least) + 1)
    }

    /// The value times `10^places`, rounded to an integer.
    pub(super) fn rounded(&self, places: i128, rounding: Rounding) -> IBig {
        let shift = self.exponent + places;
        if shift >= 0 || self.is_zero() {
            let zeros = power_of_ten(shift.max(0) as u64);
            return divide_rounded(
                times(self.numerator.clone(), &zeros),
                &self.denominator,
                rounding,
            );
        }
        if self.magnitude().1 + places < 0 {
            return divide_rounded(self.numerator.signum(), &UBig::from(10_u8), rounding);
        }
        let divisor = power_of_ten(-shift as u64) * &self.denominator;
        divide_rounded(self.numerator.clone(), &divisor, rounding)
    }

    /// The order of two absolute values, neither of them zero.
    pub(super) fn compare_magnitude(&self, other: &Fraction) -> Ordering {
        let ((low, high), (other_low, other_high)) = (self.magnitude(), other.magnitude());
        if low >= other_high {
            return Ordering::Greater;
        }
        if high <= other_low {
            return Ordering::Less;
        }
        let exponent = self.exponent.min(other.exponent);
        self.crossed(other, exponent).cmp(&other.crossed(self, exponent))
    }

    /// The magnitude of the numerator, to a lower exponent and times the other's denominator.
    fn crossed(&self, other: &Fraction, exponent: i128) -> UBig {
        let zeros = power_of_ten((self.exponent - exponent) as u64);
        times(times(self.numerator.clone(), &zeros), &other.denominator).unsigned_abs()
    }
}

/// A decimal as a number, if it has not too many digits.
pub(super) fn settle_decimal(
    digits: IBig,
    exponent: i128,
    max_digits: u64,
) -> Result<Number, NumberError> {
    let (digits, exponent) = without_tens(digits, exponent);
    if written_digits(&digits, exponent) > i128::from(max_digits) {
        return Err(NumberError::TooManyDigits);
    }
    Number::held(digits, exponent, false).ok_or(NumberError::TooManyDigits)
}

impl Small {
    /// The form for general arithmetic.
    fn exact(self) -> Fraction {
        let (digits, exponent) = self.reduced();
        Fraction::decimal(digits.into(), exponent.into())
    }
}

impl Big {
    /// The form for general arithmetic.
    pub(super) fn exact(&self) -> Fraction {
        let (digits, exponent) = (self.digits.clone(), self.exponent.into());
        if !self.shown {
            return Fraction::decimal(digits, exponent);
        }
        let (digits, exponent) = without_tens(digits, exponent);
        Fraction::decimal(digits, exponent)
    }
}

impl Ratio {
    /// The form for general arithmetic.
    pub(super) fn exact(&self) -> Fraction {
        Fraction {
            numerator: self.numerator.clone(),
            denominator: self.denominator.clone(),
            exponent: 0,
        }
    }
}

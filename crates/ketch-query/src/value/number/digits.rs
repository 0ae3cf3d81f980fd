//! The digits of integers, and rounding to them.

use dashu_int::ops::{DivRem, UnsignedAbs};
use dashu_int::{IBig, Sign, UBig};
use std::cmp::Ordering;

/// Where a value between two integers goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// Down.
    Floor,
    /// Up.
    Ceiling,
    /// Towards zero.
    Truncate,
    /// To the nearer one, a half away from zero.
    HalfAway,
    /// To the nearer one, a half to the even one.
    HalfEven,
    /// To the nearer one, a half towards zero.
    HalfTowards,
}

/// A quotient rounded to an integer.
pub(super) fn divide_rounded(value: IBig, divisor: &UBig, rounding: Rounding) -> IBig {
    if divisor.is_one() {
        return value;
    }
    let sign = value.sign();
    let (quotient, remainder) = value.div_rem(divisor);
    if remainder.is_zero() {
        return quotient;
    }
    let half = (remainder.unsigned_abs() << 1).cmp(divisor);
    let odd = quotient.trailing_zeros() == Some(0);
    if leaves_zero(rounding, sign, half, odd) {
        quotient + IBig::from(sign * 1_i8)
    } else {
        quotient
    }
}

/// Whether a value that is no integer goes to the integer farther from zero, by its sign, how
/// its fraction compares to a half, and whether the integer nearer to zero is odd.
pub(super) fn leaves_zero(rounding: Rounding, sign: Sign, half: Ordering, odd: bool) -> bool {
    match rounding {
        Rounding::Floor => sign == Sign::Negative,
        Rounding::Ceiling => sign == Sign::Positive,
        Rounding::Truncate => false,
        Rounding::HalfAway => half != Ordering::Less,
        Rounding::HalfTowards => half == Ordering::Greater,
        Rounding::HalfEven => half == Ordering::Greater || (half == Ordering::Equal && odd),
    }
}

/// Ten to a power, written out.
pub(super) fn power_of_ten(exponent: u64) -> UBig {
    match u32::try_from(exponent).ok().and_then(|exponent| 10_u128.checked_pow(exponent)) {
        Some(power) => power.into(),
        None => UBig::from(5_u8).pow(exponent as usize) << exponent as usize,
    }
}

/// `digits * 10^exponent` with all trailing zeros of the digits moved to the exponent.
pub(super) fn without_tens(digits: IBig, exponent: i128) -> (IBig, i128) {
    if digits.is_zero() {
        return (digits, 0);
    }
    if digits.trailing_zeros() == Some(0) {
        return (digits, exponent);
    }
    let (sign, mut magnitude) = digits.into_parts();
    let zeros = magnitude.remove(&UBig::from(10_u8)).unwrap_or(0);
    (IBig::from_parts(sign, magnitude), exponent + zeros as i128)
}

/// The number of bits of the magnitude of an integer.
pub(super) fn bit_length(value: &IBig) -> usize {
    let words = value.as_sign_words().1;
    let unused = words.last().map_or(0, |word| word.leading_zeros());
    words.len() * dashu_int::Word::BITS as usize - unused as usize
}

/// The number of decimal digits of an integer with this number of bits, as bounds that differ by one at
/// most for all that fit the memory; zero counts as one digit.
pub(super) fn digit_bounds(bits: usize) -> (u64, u64) {
    /// The logarithm of 2 to the base 10, below and above, times 10^15.
    const LOGARITHM: (u128, u128) = (301_029_995_663_981, 301_029_995_663_982);
    /// What the logarithm is scaled by.
    const SCALE: u128 = 1_000_000_000_000_000;
    let bits = bits.max(1) as u128;
    let low = (bits - 1) * LOGARITHM.0 / SCALE + 1;
    let high = bits * LOGARITHM.1 / SCALE + 1;
    (low as u64, high as u64)
}

/// The exact number of digits of an integer; zero has one.
pub(super) fn digit_count(value: &IBig) -> u64 {
    let (low, high) = digit_bounds(bit_length(value));
    if low < high && value.unsigned_abs() >= power_of_ten(low) { low + 1 } else { low }
}

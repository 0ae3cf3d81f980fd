//! Rounding to integers and to decimal places.

use super::digits::{Rounding, digit_count, leaves_zero};
use super::fraction::{Fraction, settle_decimal};
use super::types::{Form, Number, NumberError, Small};
use dashu_int::Sign;

impl Number {
    /// The greatest integer that is not above the number.
    pub fn floor(&self) -> Number {
        self.to_integer(Rounding::Floor)
    }

    /// The least integer that is not below the number.
    pub fn ceil(&self) -> Number {
        self.to_integer(Rounding::Ceiling)
    }

    /// The nearest integer, halves away from zero.
    pub fn round(&self) -> Number {
        self.to_integer(Rounding::HalfAway)
    }

    /// The number without its fraction.
    pub fn trunc(&self) -> Number {
        self.to_integer(Rounding::Truncate)
    }

    /// The nearest integer, halves to the even one.
    pub fn rint(&self) -> Number {
        self.to_integer(Rounding::HalfEven)
    }

    /// The number rounded to `places` decimal places, halves away from zero; its text shows
    /// them all until something is computed with it. Fewer than no places round to tens,
    /// hundreds and so on. What is not finite stays as it is.
    pub fn round_to(&self, places: i64, max_digits: u64) -> Result<Number, NumberError> {
        let Some(value) = Fraction::of(self) else { return Ok(self.plain()) };
        if places < 0 && value.exponent + i128::from(places) >= 0 {
            return Ok(self.plain());
        }
        if places < 0 {
            let digits = value.rounded(places.into(), Rounding::HalfAway);
            return settle_decimal(digits, -i128::from(places), max_digits);
        }
        let limit = i128::from(max_digits);
        if i128::from(places) > limit || value.exponent + i128::from(places) > limit {
            return Err(NumberError::TooManyDigits);
        }
        shown(&value, places, max_digits)
    }

    /// The number rounded to an integer; what is not finite stays as it is.
    fn to_integer(&self, rounding: Rounding) -> Number {
        if self.has_integer_form() {
            return self.plain();
        }
        if let Some(value) = self.as_small().and_then(|small| small.rounded(rounding)) {
            return value.into();
        }
        match Fraction::of(self) {
            Some(value) => Number::from_big(value.rounded(0, rounding)),
            None => self.plain(),
        }
    }

    /// Whether the form itself shows that there is no fraction.
    pub(super) fn has_integer_form(&self) -> bool {
        match &self.value().form {
            Form::Small(small) => small.exponent >= 0,
            Form::Big(big) => big.exponent >= 0,
            _ => false,
        }
    }
}

impl Small {
    /// The value, of an exponent below zero, rounded to an integer; `None` if it is below that
    /// by a number of places such that its power of ten has more than 64 bits.
    fn rounded(self, rounding: Rounding) -> Option<i64> {
        let divisor = 10_i64.checked_pow(self.exponent.unsigned_abs())?;
        let (quotient, remainder) = (self.digits / divisor, self.digits % divisor);
        let half = (remainder.unsigned_abs() * 2).cmp(&divisor.unsigned_abs());
        let sign = Sign::from(self.digits < 0);
        let away = remainder != 0 && leaves_zero(rounding, sign, half, quotient % 2 != 0);
        Some(if away { quotient + self.digits.signum() } else { quotient })
    }
}

/// A value rounded to places that its text shows.
fn shown(value: &Fraction, places: i64, max_digits: u64) -> Result<Number, NumberError> {
    let digits = value.rounded(places.into(), Rounding::HalfAway);
    if digit_count(&digits) > max_digits {
        return Err(NumberError::TooManyDigits);
    }
    Number::held(digits, -i128::from(places), true).ok_or(NumberError::TooManyDigits)
}

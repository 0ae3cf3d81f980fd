//! How numbers are held.

use super::digits::without_tens;
use dashu_int::{IBig, UBig};
use std::fmt;
use std::sync::Arc;

/// An exact number of the query language.
///
/// Equality, order and hash go by the value: `1`, `1.0` and a `1` spelled `1e0` are one number.
#[derive(Clone, Debug)]
pub struct Number {
    /// How the value is held.
    pub(super) form: Form,
}

/// The ways to hold a number.
#[derive(Clone, Debug)]
pub(super) enum Form {
    /// A decimal whose digits fit 64 bits.
    Small(Small),
    /// A decimal that does not fit the small form.
    Big(Arc<Big>),
    /// A quotient without a finite decimal.
    Ratio(Arc<Ratio>),
    /// A number with the text it was written as.
    Spelled(Arc<Spelled>),
    /// Beyond all numbers, on one side or the other.
    Infinite {
        /// Whether it is below all numbers.
        negative: bool,
    },
    /// Not a number.
    Nan,
}

/// A short decimal, `digits` times ten to the power `exponent`; trailing zeros may remain.
#[derive(Clone, Copy, Debug)]
pub(super) struct Small {
    /// The digits, with the sign.
    pub(super) digits: i64,
    /// The power of ten.
    pub(super) exponent: i32,
    /// Whether the text shows the trailing zeros.
    pub(super) shown: bool,
}

/// A long decimal, `digits` times ten to the power `exponent`. Unless zeros are shown its
/// digits do not end in zero and it does not fit the small form.
#[derive(Debug)]
pub(super) struct Big {
    /// The digits, with the sign.
    pub(super) digits: IBig,
    /// The power of ten.
    pub(super) exponent: i64,
    /// Whether the text shows the trailing zeros.
    pub(super) shown: bool,
}

/// A reduced quotient whose denominator has a factor besides 2 and 5; both fit 128 bits.
#[derive(Debug)]
pub(super) struct Ratio {
    /// What is divided, with the sign.
    pub(super) numerator: IBig,
    /// What it is divided by.
    pub(super) denominator: UBig,
}

/// A number and how it was written.
#[derive(Debug)]
pub(super) struct Spelled {
    /// The text as it stood.
    pub(super) text: Box<str>,
    /// What it means; never itself spelled.
    pub(super) value: Number,
}

/// Why a result cannot be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NumberError {
    /// A division, a remainder or a negative power of zero.
    DivisionByZero,
    /// The result, written out, has more digits than are allowed.
    TooManyDigits,
    /// An operand that is infinite or nan.
    NotFinite,
}

impl fmt::Display for NumberError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            NumberError::DivisionByZero => "the divisor is zero",
            NumberError::TooManyDigits => "the number has too many digits",
            NumberError::NotFinite => "nothing can be computed with infinity and NaN",
        })
    }
}

impl std::error::Error for NumberError {}

impl From<i64> for Number {
    #[inline]
    fn from(value: i64) -> Self {
        Number::small(value, 0)
    }
}

impl Number {
    /// A count or a length.
    pub fn from_usize(value: usize) -> Number {
        match i64::try_from(value) {
            Ok(value) => value.into(),
            Err(_) => Number::from_big(value.into()),
        }
    }

    /// An integer of any size.
    pub fn from_big(value: IBig) -> Number {
        Number::decimal(value, 0).unwrap_or_else(Number::nan)
    }

    /// The shortest decimal that stands for a binary64; those that are not finite stay so.
    pub fn from_f64(value: f64) -> Number {
        /// Below this every integer is a binary64.
        const EXACT: f64 = 9_007_199_254_740_992.0;
        if value.abs() < EXACT && value == libm::trunc(value) {
            return Number::from(value as i64);
        }
        if value.is_finite() {
            return Number::parse(&format!("{value:e}")).unwrap_or_else(Number::nan);
        }
        if value.is_nan() { Number::nan() } else { Number::infinite(value < 0.0) }
    }

    /// What is not a number.
    pub fn nan() -> Number {
        Number { form: Form::Nan }
    }

    /// Above all numbers, or below them.
    pub fn infinite(negative: bool) -> Number {
        Number { form: Form::Infinite { negative } }
    }

    /// This value with another spelling, for texts that the caller reads (`0x1F`).
    pub fn spelled_as(&self, text: &str) -> Number {
        let spelled = Spelled { text: text.into(), value: self.value().clone() };
        Number { form: Form::Spelled(Arc::new(spelled)) }
    }

    /// A decimal in the small form, whose zeros are not shown.
    #[inline]
    pub(super) fn small(digits: i64, exponent: i32) -> Number {
        Number { form: Form::Small(Small { digits, exponent, shown: false }) }
    }

    /// A decimal in the form that suits its size; `None` where its exponent is out of range.
    pub(super) fn decimal(digits: IBig, exponent: i128) -> Option<Number> {
        let (digits, exponent) = without_tens(digits, exponent);
        Number::held(digits, exponent, false)
    }

    /// A decimal whose trailing zeros stay where they are `shown`, and are gone where not.
    pub(super) fn held(digits: IBig, exponent: i128, shown: bool) -> Option<Number> {
        if let (Ok(digits), Ok(exponent)) = (i64::try_from(&digits), i32::try_from(exponent)) {
            return Some(Number { form: Form::Small(Small { digits, exponent, shown }) });
        }
        let exponent = i64::try_from(exponent).ok()?;
        Some(Number { form: Form::Big(Arc::new(Big { digits, exponent, shown })) })
    }

    /// A reduced quotient.
    pub(super) fn ratio(numerator: IBig, denominator: UBig) -> Number {
        Number { form: Form::Ratio(Arc::new(Ratio { numerator, denominator })) }
    }

    /// The number without its spelling.
    #[inline]
    pub(super) fn value(&self) -> &Number {
        match &self.form {
            Form::Spelled(spelled) => &spelled.value,
            _ => self,
        }
    }

    /// The small form, where it is that, spelled or not.
    #[inline]
    pub(super) fn as_small(&self) -> Option<Small> {
        match &self.value().form {
            Form::Small(small) => Some(*small),
            _ => None,
        }
    }

    /// The value as one that was computed: neither a spelling nor shown places remain.
    pub(super) fn plain(&self) -> Number {
        match &self.value().form {
            Form::Small(small) => Number::small(small.digits, small.exponent),
            Form::Big(big) if big.shown => {
                let computed = Number::decimal(big.digits.clone(), big.exponent.into());
                computed.unwrap_or_else(Number::nan)
            }
            _ => self.value().clone(),
        }
    }
}

impl Small {
    /// The same value without trailing zeros.
    pub(super) fn reduced(self) -> (i64, i64) {
        let (mut digits, mut exponent) = (self.digits, i64::from(self.exponent));
        if digits == 0 {
            return (0, 0);
        }
        while digits % 10 == 0 {
            digits /= 10;
            exponent += 1;
        }
        (digits, exponent)
    }
}

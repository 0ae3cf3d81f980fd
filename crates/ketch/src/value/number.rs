//! Numbers: exact integers of any size, and floats.

use super::{Value, build};
use crate::serde::Error;
use ketch_yaml::schema::Schema;
use num_bigint::BigInt;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

/// An integer of any size, or a float.
///
/// An integer never equals a float: `1` is not `1.0`. Floats are equal if their bits are, but all
/// NaNs are equal.
#[derive(Clone)]
pub struct Number(pub(crate) N);

#[derive(Clone)]
pub(crate) enum N {
    Int(i64),
    /// An integer that does not fit in `i64`.
    Big(Box<BigInt>),
    Float(f64),
}

impl Number {
    /// Returns whether the number is an integer.
    #[must_use]
    pub fn is_integer(&self) -> bool {
        !self.is_float()
    }

    /// Returns whether the number is a float.
    #[must_use]
    pub fn is_float(&self) -> bool {
        matches!(self.0, N::Float(_))
    }

    /// Returns whether the number is an integer that fits in `i64`.
    #[must_use]
    pub fn is_i64(&self) -> bool {
        self.as_i64().is_some()
    }

    /// Returns whether the number is an integer that fits in `u64`.
    #[must_use]
    pub fn is_u64(&self) -> bool {
        self.as_u64().is_some()
    }

    /// Returns whether the number is a float. This is the same as [`Number::is_float`].
    #[must_use]
    pub fn is_f64(&self) -> bool {
        self.is_float()
    }

    /// Returns whether the number is NaN.
    #[must_use]
    pub fn is_nan(&self) -> bool {
        matches!(self.0, N::Float(value) if value.is_nan())
    }

    /// Returns whether the number is positive or negative infinity.
    #[must_use]
    pub fn is_infinite(&self) -> bool {
        matches!(self.0, N::Float(value) if value.is_infinite())
    }

    /// Returns whether the number is neither infinite nor NaN. All integers are finite.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        !matches!(self.0, N::Float(value) if !value.is_finite())
    }

    /// Returns the integer, or `None` if the number is not an integer that fits in `i64`.
    #[must_use]
    pub fn as_i64(&self) -> Option<i64> {
        match self.0 {
            N::Int(value) => Some(value),
            _ => None,
        }
    }

    /// Returns the integer, or `None` if the number is not an integer that fits in `u64`.
    #[must_use]
    pub fn as_u64(&self) -> Option<u64> {
        match &self.0 {
            N::Int(value) => u64::try_from(*value).ok(),
            N::Big(value) => u64::try_from(&**value).ok(),
            N::Float(_) => None,
        }
    }

    /// Returns the integer, or `None` if the number is not an integer that fits in `i128`.
    #[must_use]
    pub fn as_i128(&self) -> Option<i128> {
        match &self.0 {
            N::Int(value) => Some((*value).into()),
            N::Big(value) => i128::try_from(&**value).ok(),
            N::Float(_) => None,
        }
    }

    /// Returns the nearest float, which is an infinity if the number is too large. The result is
    /// never `None`.
    #[must_use]
    pub fn as_f64(&self) -> Option<f64> {
        match &self.0 {
            N::Int(value) => Some(*value as f64),
            // Parsing decimal digits returns the nearest float, or infinity if the number is too
            // large.
            N::Big(value) => value.to_string().parse().ok(),
            N::Float(value) => Some(*value),
        }
    }

    /// Returns the integer, which may have any size, or `None` if the number is a float.
    #[must_use]
    pub fn to_big_int(&self) -> Option<BigInt> {
        match &self.0 {
            N::Int(value) => Some((*value).into()),
            N::Big(value) => Some((**value).clone()),
            N::Float(_) => None,
        }
    }

    /// Returns the bits by which the float `value` is compared. They are the same for all NaNs.
    fn float_bits(value: f64) -> u64 {
        if value.is_nan() { f64::NAN.to_bits() } else { value.to_bits() }
    }
}

impl PartialEq for Number {
    fn eq(&self, other: &Number) -> bool {
        match (&self.0, &other.0) {
            (N::Int(a), N::Int(b)) => a == b,
            (N::Big(a), N::Big(b)) => a == b,
            (N::Float(a), N::Float(b)) => Number::float_bits(*a) == Number::float_bits(*b),
            _ => false,
        }
    }
}

impl Eq for Number {}

impl Hash for Number {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match &self.0 {
            N::Int(value) => value.hash(state),
            N::Big(value) => value.hash(state),
            N::Float(value) => Number::float_bits(*value).hash(state),
        }
    }
}

impl From<BigInt> for Number {
    fn from(value: BigInt) -> Number {
        match i64::try_from(&value) {
            Ok(value) => Number(N::Int(value)),
            Err(_) => Number(N::Big(Box::new(value))),
        }
    }
}

macro_rules! from_integers {
    ($($type:ty)*) => {
        $(impl From<$type> for Number {
            fn from(value: $type) -> Number {
                match i64::try_from(value) {
                    Ok(value) => Number(N::Int(value)),
                    Err(_) => Number(N::Big(Box::new(value.into()))),
                }
            }
        })*
    };
}

from_integers!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);

/// Parses a number in a form of the core schema. Spaces around the number are an error.
///
/// ```
/// use ketch::Number;
///
/// assert_eq!("-111".parse::<Number>().unwrap(), Number::from(-111));
/// assert!(".nan".parse::<Number>().unwrap().is_nan());
/// assert!(" 1 ".parse::<Number>().is_err());
/// ```
impl FromStr for Number {
    type Err = Error;

    fn from_str(text: &str) -> Result<Number, Error> {
        match build::plain_text_value(Schema::Core, text) {
            Some(Value::Number(number)) => Ok(number),
            _ => Err(Error::new(format!("{text:?} is not a number"))),
        }
    }
}

impl From<f64> for Number {
    fn from(value: f64) -> Number {
        Number(N::Float(value))
    }
}

impl From<f32> for Number {
    fn from(value: f32) -> Number {
        Number(N::Float(value.into()))
    }
}

/// Writes the number as YAML.
impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&super::write::flow_text(&Value::Number(self.clone())))
    }
}

impl fmt::Debug for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

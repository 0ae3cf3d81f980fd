//! The values of scalars.

use super::calendar::Timestamp;
use super::forms::{Syck, Yaml11};
use super::integer::{self, BigInt, Integer};
use super::tag::{Base60Sign, ScalarTag};
use super::{Schema, float, timestamp};

/// The content of a scalar, which is `&str`, or `&[u8]` if it has not been checked for UTF-8.
///
/// [`Scalar::Str`] has the same type, so a binding that needs bytes never pays for a UTF-8 check.
pub trait Text<'a>: Copy + sealed::Sealed {
    /// Returns the bytes of the content.
    fn bytes(self) -> &'a [u8];
}

impl<'a> Text<'a> for &'a str {
    fn bytes(self) -> &'a [u8] {
        self.as_bytes()
    }
}

impl<'a> Text<'a> for &'a [u8] {
    fn bytes(self) -> &'a [u8] {
        self
    }
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for &str {}
    impl Sealed for &[u8] {}
}

/// The value of a scalar.
///
/// It borrows from the scalar's content. Only binary data and some wide integers (those with
/// separators or in a base other than ten) own memory.
#[derive(Clone, Debug, PartialEq)]
pub enum Scalar<'a, T = &'a str> {
    /// Null.
    Null,
    /// A boolean.
    Bool(bool),
    /// An integer in the range of `i64`.
    Int(i64),
    /// An integer outside the range of `i64`.
    BigInt(BigInt<'a>),
    /// A float.
    Float(f64),
    /// A point in time or a date.
    Timestamp(Timestamp),
    /// Binary data, which only the explicit tag `!!binary` gives.
    Binary(Vec<u8>),
    /// The merge key `<<`, which is text if it is not a key or if merging is off.
    Merge,
    /// Text.
    Str(T),
    /// Text that the schema does not allow as a plain scalar ([`ScalarTag::Unresolved`]).
    Unresolved(T),
}

impl Schema {
    /// Returns the value of a plain scalar. This is [`resolve`](Self::resolve), followed by
    /// [`convert`](Self::convert).
    ///
    /// `text` is `&str` or `&[u8]`, and [`Scalar::Str`] has the same type. This takes linear time
    /// and memory; see [`BigInt`] for wide integers. Under [`Schema::Syck`], a date that does not
    /// exist is text.
    ///
    /// ```
    /// use ketch_yaml::schema::{Scalar, Schema};
    ///
    /// assert_eq!(Schema::Core.scalar("0o17"), Scalar::Int(15));
    /// assert_eq!(Schema::Core.scalar("1e3"), Scalar::Float(1000.0));
    /// assert_eq!(Schema::Core.scalar("NO"), Scalar::Str("NO"));
    /// assert_eq!(Schema::Yaml11.scalar("NO"), Scalar::Bool(false));
    /// assert_eq!(Schema::Json.scalar("NO"), Scalar::Unresolved("NO"));
    /// ```
    #[inline]
    #[must_use]
    pub fn scalar<'a, T: Text<'a>>(self, text: T) -> Scalar<'a, T> {
        let tag = self.resolve(text.bytes());
        if tag == ScalarTag::Str { Scalar::Str(text) } else { self.convert(tag, text) }
    }

    /// Converts `text`, which this schema has resolved to `tag`.
    ///
    /// This is for loaders that call [`resolve`](Self::resolve) first and convert later or never.
    /// If `tag` is the tag of another text, the value is meaningless.
    ///
    /// ```
    /// use ketch_yaml::schema::{Scalar, Schema};
    ///
    /// let tag = Schema::Yaml11.resolve(b"190:20:30");
    /// assert_eq!(Schema::Yaml11.convert(tag, "190:20:30"), Scalar::Int(685_230));
    /// ```
    #[must_use]
    pub fn convert<'a, T: Text<'a>>(self, tag: ScalarTag, text: T) -> Scalar<'a, T> {
        match tag {
            ScalarTag::Str | ScalarTag::Value | ScalarTag::Default => Scalar::Str(text),
            ScalarTag::Unresolved => Scalar::Unresolved(text),
            ScalarTag::Null => Scalar::Null,
            ScalarTag::Bool(value) => Scalar::Bool(value),
            ScalarTag::Merge => Scalar::Merge,
            ScalarTag::Int(form) => match integer::parse(text.bytes(), form, self.base60_sign()) {
                Integer::Small(value) => Scalar::Int(value),
                Integer::Big(value) => Scalar::BigInt(value),
            },
            ScalarTag::Float(form) => {
                Scalar::Float(float::convert(text.bytes(), form, self.base60_sign()))
            }
            ScalarTag::Timestamp(_) => {
                let value = self.timestamp(text.bytes());
                value.map_or(Scalar::Str(text), Scalar::Timestamp)
            }
        }
    }

    /// Converts a timestamp. Schemas without timestamps use the forms of YAML 1.1. Returns `None`
    /// if `text` is not a timestamp or does not exist in the calendar.
    pub(super) fn timestamp(self, text: &[u8]) -> Option<Timestamp> {
        match self {
            Self::Syck => timestamp::parse::<Syck>(text),
            _ => timestamp::parse::<Yaml11>(text),
        }
    }

    /// Returns what the sign of a base-60 number applies to in this schema.
    pub(super) fn base60_sign(self) -> Base60Sign {
        if self == Self::Syck { Base60Sign::FirstPart } else { Base60Sign::Whole }
    }
}

//! Values of scalars.

use super::calendar::Timestamp;
use super::forms::{Syck, Yaml11};
use super::integer::{self, BigInt, Integer};
use super::tag::{Base60Sign, ScalarTag};
use super::{Schema, float, timestamp};

/// The content of a scalar: `&str`, or `&[u8]` where nobody has checked for UTF-8 yet.
///
/// [`Scalar::Str`] hands back the very thing that came in, so a binding that wants bytes never
/// pays for a check that it does not need.
pub trait Text<'a>: Copy + sealed::Sealed {
    /// The bytes of the content.
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
/// Borrows from the scalar's content; only a wide integer that is not plain decimal, and binary
/// data, own memory.
#[derive(Clone, Debug, PartialEq)]
pub enum Scalar<'a, T = &'a str> {
    /// Nothing.
    Null,
    /// A boolean.
    Bool(bool),
    /// An integer in the range of `i64`.
    Int(i64),
    /// An integer outside of it.
    BigInt(BigInt<'a>),
    /// A float.
    Float(f64),
    /// A point in time or a day.
    Timestamp(Timestamp),
    /// Bytes; only from the explicit tag `!!binary`.
    Binary(Vec<u8>),
    /// The merge key `<<`; as a value, or where merging is off, it is text.
    Merge,
    /// Text.
    Str(T),
    /// Text that the schema does not allow as a plain scalar ([`ScalarTag::Unresolved`]).
    Unresolved(T),
}

impl Schema {
    /// The value of a plain scalar: [`resolve`](Self::resolve), then the conversion that the form
    /// asks for.
    ///
    /// Takes `&str` or `&[u8]` and gives the same back as [`Scalar::Str`]. Time is linear in the
    /// length of the text, memory too; see [`BigInt`] for the integers where that needs care.
    /// Under [`Schema::Syck`] a date that the calendar does not know is text.
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

    /// The value of `text`, which this schema has resolved to `tag`.
    ///
    /// For loaders that call [`resolve`](Self::resolve) first and convert later or never. With a
    /// tag that is not this text's, the value is meaningless.
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

    /// The value of a timestamp; schemas without any take the forms of YAML 1.1.
    pub(super) fn timestamp(self, text: &[u8]) -> Option<Timestamp> {
        match self {
            Self::Syck => timestamp::parse::<Syck>(text),
            _ => timestamp::parse::<Yaml11>(text),
        }
    }

    fn base60_sign(self) -> Base60Sign {
        if self == Self::Syck { Base60Sign::FirstPart } else { Base60Sign::Whole }
    }
}

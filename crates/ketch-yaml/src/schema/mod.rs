//! Schema resolution: what a plain scalar means.
//!
//! [`Schema::resolve`] gives the tag of a plain scalar, [`Schema::scalar`] its value,
//! [`Schema::convert_tagged`] the value under an explicit tag, and [`needs_quotes`] says which
//! strings may not be written plain.

mod calendar;
mod float;
mod forms;
mod integer;
mod number;
mod quote;
mod resolve;
mod scalar;
mod tag;
mod tagged;
#[cfg(test)]
mod tests;
mod timestamp;

use std::fmt;
use std::str::FromStr;

pub use calendar::Timestamp;
pub use integer::{BigInt, RADIX_DIGITS_MAX, Radix};
pub use quote::needs_quotes;
pub use scalar::{Scalar, Text};
pub use tag::{FloatForm, IntForm, ScalarTag, TimestampForm};
pub use tagged::ConvertError;

/// A schema: the rules by which plain scalars get their tags.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Schema {
    /// All scalars are text (YAML 1.2.2, section 10.1).
    Failsafe,
    /// JSON's values and nothing else (section 10.2).
    Json,
    /// The default (section 10.3).
    #[default]
    Core,
    /// YAML 1.1 as its readers read it: the table above.
    Yaml11,
    /// The implicit types of Syck, YAML 1.0.
    Syck,
}

impl Schema {
    /// All schemas, from the smallest to the oldest.
    pub const ALL: [Self; 5] = [Self::Failsafe, Self::Json, Self::Core, Self::Yaml11, Self::Syck];

    /// The tag of a plain scalar.
    ///
    /// `text` is the scalar's content after line folding. No allocation, no recursion, no panic
    /// on any bytes; text that cannot be anything else is left at the first byte that says so,
    /// a number costs one look at each byte.
    ///
    /// ```
    /// use ketch_yaml::schema::{IntForm, ScalarTag, Schema};
    ///
    /// assert_eq!(Schema::Core.resolve(b"0x1F"), ScalarTag::Int(IntForm::Hex));
    /// assert_eq!(Schema::Core.resolve(b"yes"), ScalarTag::Str);
    /// assert_eq!(Schema::Yaml11.resolve(b"yes"), ScalarTag::Bool(true));
    /// assert_eq!(Schema::Json.resolve(b"yes"), ScalarTag::Unresolved);
    /// ```
    #[inline]
    #[must_use]
    pub fn resolve(self, text: &[u8]) -> ScalarTag {
        match self {
            Self::Failsafe => ScalarTag::Str,
            Self::Json => resolve::resolve::<forms::Json>(text),
            Self::Core => resolve::resolve::<forms::Core>(text),
            Self::Yaml11 => resolve::resolve::<forms::Yaml11>(text),
            Self::Syck => resolve::resolve::<forms::Syck>(text),
        }
    }

    /// The word for this schema: `failsafe`, `json`, `core`, `yaml11` or `syck`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Failsafe => "failsafe",
            Self::Json => "json",
            Self::Core => "core",
            Self::Yaml11 => "yaml11",
            Self::Syck => "syck",
        }
    }
}

impl fmt::Display for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Schema {
    type Err = UnknownSchema;

    fn from_str(name: &str) -> Result<Self, UnknownSchema> {
        Self::ALL.into_iter().find(|schema| schema.name() == name).ok_or(UnknownSchema)
    }
}

/// A word that names no schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownSchema;

impl fmt::Display for UnknownSchema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected one of failsafe, json, core, yaml11, syck")
    }
}

impl std::error::Error for UnknownSchema {}

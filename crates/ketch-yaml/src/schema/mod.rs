//! Schemas, which resolve plain scalars to tags and values.
//!
//! - [`Schema::resolve`] returns the tag of a plain scalar.
//! - [`Schema::scalar`] returns its value.
//! - [`Schema::convert_tagged`] returns the value of a scalar with an explicit tag.
//! - [`needs_quotes`] says which strings may not be written plain.
//!
//! These functions see only the text of a scalar. The caller knows whether it is plain and
//! untagged, or what its tag is. The composer handles merging and keys.
//!
//! # Schemas
//!
//! | text | failsafe | json | core | yaml11 | syck |
//! |---|---|---|---|---|---|
//! | empty, `~` | str | error | null | null | null |
//! | `null` | str | null | null | null | null |
//! | `Null`, `NULL` | str | error | null | null | null |
//! | `true`, `false` | str | bool | bool | bool | bool |
//! | `True`, `TRUE`, ... | str | error | bool | bool | bool |
//! | `yes`, `No`, `ON`, `off`, ... | str | error | str | bool | bool |
//! | `y`, `n` | str | error | str | str | str |
//! | `12`, `-12` | str | int | int | int | int |
//! | `+12` | str | error | int | int | int |
//! | `010` | str | error | int 10 | int 8 | int 8 |
//! | `08` | str | error | int 8 | str | str |
//! | `0o17` | str | error | int 15 | str | str |
//! | `0x1F` | str | error | int 31 | int 31 | int 31 |
//! | `-0x1F` | str | error | str | int -31 | int -31 |
//! | `0b101` | str | error | str | int 5 | str |
//! | `1_000` | str | error | str | int 1000 | str |
//! | `1,000` | str | error | str | str | int 1000 |
//! | `1:30` | str | error | str | int 90 | int 90 |
//! | `-1:30` | str | error | str | int -90 | int -30 |
//! | `0:30` | str | error | str | str | int 30 |
//! | `1:30.5` | str | error | str | float 90.5 | float 90.5 |
//! | `1.5`, `1.` | str | float | float | float | float |
//! | `.5` | str | error | float | float | str |
//! | `1.5e+3` | str | float | float | float | float |
//! | `1e3`, `1.5e3` | str | float | float | str | str |
//! | `1.2.3e+4` | str | error | str | str | float 1.2 |
//! | `.inf`, `-.Inf`, `.NAN`, ... | str | error | float | float | float |
//! | `2001-12-14` | str | error | str | timestamp | timestamp |
//! | `2001-12-14T21:59:43` | str | error | str | timestamp | str |
//! | `2001-12-14 21:59:43 Z` | str | error | str | timestamp | timestamp |
//! | `<<` | str | error | str | merge | merge |
//! | `=` | str | error | str | value | default |
//!
//! Failsafe, JSON and core follow YAML 1.2.2, sections 10.1 to 10.3. For what is an error in the
//! JSON schema, [`ScalarTag::Unresolved`] leaves the choice between an error and a string to the
//! loader.
//!
//! # YAML 1.1
//!
//! YAML 1.1 left its types to a repository (<https://yaml.org/type/>), and its readers disagree.
//! Ketch follows **the patterns of PyYAML**, which SnakeYAML mostly shares and which are closest to
//! the repository, **except where they make PyYAML fail** (marked `*`). In these cases, it does
//! what most of the others do. A test of 200,000 texts close to the limits of the forms showed
//! these kinds of differences:
//!
//! | text | repository | PyYAML 6.0 | SnakeYAML 2.3 | Psych 5.1 | here |
//! |---|---|---|---|---|---|
//! | `y`, `N` | bool | str | str | str | str |
//! | `yEs`, `nUll`, `.iNF` | str | str | str | bool, null, float | str |
//! | `0_` | int 0 | int 0 | str | int 0 | int 0 |
//! | `0b_`, `0x_` | int | error | str | str | str `*` |
//! | `1_`, `1__0` | int | int | int | str | int |
//! | `1,000`, `1,0.5` | str | str | str | int, float | str |
//! | `1e3`, `1e+3`, `1.5e3` | str | str | float | str | str |
//! | `-.5`, `+.5` | float | str | float | float | float `*` |
//! | `._5` | str | str | float | str | str |
//! | `1.5_0`, `1._5` | str | float | float | str | float |
//! | `.` | float | str | str | str | str |
//! | `1:30` | int 90 | int 90 | int 90 | int 5400 | int 90 |
//! | `-1:30` | int -90 | int -90 | int -90 | int -1800 | int -90 |
//! | `0:30` | str | str | str | int 1800 | str |
//! | `0:30.5` | float 30.5 | float 30.5 | float 30.5 | float 1830 | float 30.5 |
//! | `1:2:3:4` | int | int | int | str | int |
//! | `2001-1-1` | str | str | str | date | str |
//! | `2001-02-30` | timestamp | error | timestamp | str | str `*` |
//! | `2001-02-30T21:59:43Z` | timestamp | error | timestamp | time, 2 March | str `*` |
//! | `2001-12-14 21:59:43 +0530` | str | str | str | time | str |
//! | `2001-12-14T21:59:60Z` | timestamp | error | timestamp | time | timestamp `*` |
//! | `2001-12-14T21:59:43.Z` | timestamp | timestamp | timestamp | str | timestamp |
//! | `-2001-12-14T21:59:43Z` | str | str | str | time | str |
//! | `:a` | str | str | str | symbol | str |
//! | `<<` | merge | merge | merge | str, merges as a key | merge |
//! | `=` | value | value, error | str | str | value, read as `"="` |
//!
//! `-.5` is marked although PyYAML does not fail: PyYAML is the only one that reads `.5` and `-.5` as
//! different types.
//!
//! # Cost
//!
//! A resolution takes a few nanoseconds; `examples/resolve_bench.rs` measures it. Rule sets are
//! data (`forms.rs`); the shared scanners are compiled once per schema.

mod calendar;
mod exact;
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
pub use exact::Exact;
pub use integer::{BigInt, RADIX_DIGITS_MAX, Radix};
pub use quote::needs_quotes;
pub use scalar::{Scalar, Text};
pub use tag::{FloatForm, IntForm, ScalarTag, TimestampForm};
pub use tagged::ConvertError;

/// A schema, which is a set of rules that give plain scalars their tags.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Schema {
    /// All scalars are text (YAML 1.2.2, section 10.1).
    Failsafe,
    /// Only the values of JSON (section 10.2).
    Json,
    /// The default (section 10.3).
    #[default]
    Core,
    /// YAML 1.1 as common readers implement it; see the tables in [`schema`](crate::schema).
    Yaml11,
    /// The implicit types of Syck, a reader of YAML 1.0.
    Syck,
}

impl Schema {
    /// All schemas.
    pub const ALL: [Self; 5] = [Self::Failsafe, Self::Json, Self::Core, Self::Yaml11, Self::Syck];

    /// Returns the tag of a plain scalar.
    ///
    /// `text` is the scalar's content after line folding. This never allocates, recurses or panics.
    /// Scanning stops at the first byte that shows that a scalar is text. A number takes one pass.
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

    /// Returns the name of this schema: `failsafe`, `json`, `core`, `yaml11` or `syck`.
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

    /// Returns whether `<<` merges by default, as it does in the schemas of YAML 1.0 and 1.1.
    #[must_use]
    pub const fn has_merge_keys(self) -> bool {
        matches!(self, Self::Yaml11 | Self::Syck)
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

/// The error for an unknown schema name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownSchema;

impl fmt::Display for UnknownSchema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected one of failsafe, json, core, yaml11, syck")
    }
}

impl std::error::Error for UnknownSchema {}

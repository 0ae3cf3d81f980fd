//! Tags of plain scalars, with the form of their text.

/// The tag of a plain scalar, with the form of its text.
///
/// [`Schema::resolve`](super::Schema::resolve) returns it. It has two bytes. Conversion uses the
/// form, so that no text is classified twice.
///
/// ```
/// use ketch_yaml::schema::{IntForm, ScalarTag, Schema};
///
/// let tag = Schema::Yaml11.resolve(b"0777");
/// assert_eq!(tag, ScalarTag::Int(IntForm::Octal));
/// assert_eq!(tag.uri(), "tag:yaml.org,2002:int");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ScalarTag {
    /// `!!str`, the text itself.
    Str,
    /// No tag, because no form of the schema matches, and the schema has no tag for other text.
    /// This is an error in the JSON schema (YAML 1.2.2, section 10.2.2). The loader may use a
    /// string instead.
    Unresolved,
    /// `!!null`.
    Null,
    /// `!!bool`, with its value.
    Bool(bool),
    /// `!!int`.
    Int(IntForm),
    /// `!!float`.
    Float(FloatForm),
    /// `!!timestamp` (YAML 1.1 and Syck).
    Timestamp(TimestampForm),
    /// `!!merge`, the key `<<` (YAML 1.1 and Syck).
    Merge,
    /// `!!value`, the key `=` (YAML 1.1).
    Value,
    /// `!default`, the key `=` (Syck).
    Default,
}

/// The form of an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IntForm {
    /// Base 10.
    Decimal,
    /// Base 8 after a leading zero (1.1, Syck) or `0o` (1.2).
    Octal,
    /// Base 16 after `0x`.
    Hex,
    /// Base 2 after `0b` (1.1).
    Binary,
    /// Base 60, with parts separated by colons: `190:20:30` (1.1, Syck).
    Base60,
}

/// The form of a float.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FloatForm {
    /// Base 10 without an exponent.
    Fixed,
    /// Base 10 with an exponent.
    Exponent,
    /// Base 60 with a fraction: `190:20:30.15` (1.1, Syck).
    Base60,
    /// `.inf`, `+.inf`.
    Infinity,
    /// `-.inf`.
    NegInfinity,
    /// `.nan`.
    Nan,
}

/// The form of a timestamp.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TimestampForm {
    /// A date: year, month and day.
    Date,
    /// A date and a time, joined by `T` or `t`.
    Iso8601,
    /// A date and a time, separated by blanks.
    Spaced,
}

impl ScalarTag {
    /// Returns the tag as a URI. For [`ScalarTag::Unresolved`], this is the non-specific tag `?`.
    ///
    /// ```
    /// use ketch_yaml::schema::Schema;
    /// assert_eq!(Schema::Core.resolve(b".5").uri(), "tag:yaml.org,2002:float");
    /// assert_eq!(Schema::Json.resolve(b".5").uri(), "?");
    /// ```
    #[must_use]
    pub const fn uri(self) -> &'static str {
        match self {
            Self::Str => "tag:yaml.org,2002:str",
            Self::Unresolved => "?",
            Self::Null => "tag:yaml.org,2002:null",
            Self::Bool(_) => "tag:yaml.org,2002:bool",
            Self::Int(_) => "tag:yaml.org,2002:int",
            Self::Float(_) => "tag:yaml.org,2002:float",
            Self::Timestamp(_) => "tag:yaml.org,2002:timestamp",
            Self::Merge => "tag:yaml.org,2002:merge",
            Self::Value => "tag:yaml.org,2002:value",
            Self::Default => "tag:yaml.org,2002:default",
        }
    }

    /// Returns the form's name in the Syck dialect, which appends it to the tag after a `#`
    /// (`int#hex`, `float#fix`, `bool#yes`), or `None` if Syck's tag has no such part.
    ///
    /// ```
    /// use ketch_yaml::schema::Schema;
    /// assert_eq!(Schema::Syck.resolve(b"1:30").refinement(), Some("base60"));
    /// assert_eq!(Schema::Syck.resolve(b"130").refinement(), None);
    /// ```
    #[must_use]
    pub const fn refinement(self) -> Option<&'static str> {
        Some(match self {
            Self::Bool(true) => "yes",
            Self::Bool(false) => "no",
            Self::Int(IntForm::Octal) => "oct",
            Self::Int(IntForm::Hex) => "hex",
            Self::Int(IntForm::Binary) => "bin",
            Self::Int(IntForm::Base60) | Self::Float(FloatForm::Base60) => "base60",
            Self::Float(FloatForm::Fixed) => "fix",
            Self::Float(FloatForm::Exponent) => "exp",
            Self::Float(FloatForm::Infinity) => "inf",
            Self::Float(FloatForm::NegInfinity) => "neginf",
            Self::Float(FloatForm::Nan) => "nan",
            Self::Timestamp(TimestampForm::Date) => "ymd",
            Self::Timestamp(TimestampForm::Iso8601) => "iso8601",
            Self::Timestamp(TimestampForm::Spaced) => "spaced",
            _ => return None,
        })
    }
}

/// What the sign of a base-60 number applies to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Base60Sign {
    /// The whole number: `-1:30` is -90.
    Whole,
    /// The first part: `-1:30` is -30 (Syck).
    FirstPart,
}

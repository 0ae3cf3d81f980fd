//! Converts scalars with an explicit tag, such as `!!int "3"`.

use std::fmt;

use base64::Engine as _;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, PAD};

use super::scalar::{Scalar, Text};
use super::tag::ScalarTag;
use super::{Schema, float};

const TAG_PREFIX: &str = "tag:yaml.org,2002:";

/// Accepts base 64 with or without padding, since encoders write both.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &base64::alphabet::STANDARD,
    PAD.with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// The error for text that is not a value of its explicit tag.
///
/// It has no location, because only the caller knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConvertError {
    tag: &'static str,
    expected: &'static str,
    found: Box<str>,
}

impl ConvertError {
    /// Returns the tag, such as `!!int`.
    #[must_use]
    pub fn tag(&self) -> &'static str {
        self.tag
    }

    /// Returns what the tag requires, such as `an integer`.
    #[must_use]
    pub fn expected(&self) -> &'static str {
        self.expected
    }

    /// Returns the text, limited to the first 40 bytes.
    #[must_use]
    pub fn found(&self) -> &str {
        &self.found
    }
}

impl fmt::Display for ConvertError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tag, expected, found } = self;
        write!(f, "{found:?} is not a valid `{tag}`: expected {expected}")
    }
}

impl std::error::Error for ConvertError {}

impl Schema {
    /// Converts a scalar of any style with the explicit tag `tag_uri`.
    ///
    /// Returns `Ok(None)` for tags other than `null`, `bool`, `int`, `float`, `str`, `binary`,
    /// `timestamp`, `merge` and `value` under `tag:yaml.org,2002:`, which the caller has to handle.
    ///
    /// The forms are those of this schema, with these additions: `failsafe` and `json` use the
    /// forms of `core`; `float` accepts integers, too; every schema supports `timestamp`; `binary`
    /// is base 64 with any white space, with or without final `=`.
    ///
    /// # Errors
    ///
    /// Returns [`ConvertError`] if the text does not have a form of the tag.
    ///
    /// ```
    /// use ketch_yaml::schema::{Scalar, Schema};
    ///
    /// let convert = |tag, text| Schema::Core.convert_tagged(tag, text);
    /// assert_eq!(convert("tag:yaml.org,2002:int", "3"), Ok(Some(Scalar::Int(3))));
    /// assert_eq!(convert("tag:yaml.org,2002:float", "3"), Ok(Some(Scalar::Float(3.0))));
    /// assert_eq!(convert("tag:example.com,2026:x", "3"), Ok(None));
    /// let error = convert("tag:yaml.org,2002:int", "three").unwrap_err();
    /// assert_eq!(error.to_string(), "\"three\" is not a valid `!!int`: expected an integer");
    /// ```
    pub fn convert_tagged<'a, T: Text<'a>>(
        self,
        tag_uri: &str,
        text: T,
    ) -> Result<Option<Scalar<'a, T>>, ConvertError> {
        let Some(name) = tag_uri.strip_prefix(TAG_PREFIX) else { return Ok(None) };
        let schema = match self {
            Self::Failsafe | Self::Json => Self::Core,
            schema => schema,
        };
        let value = match name {
            "str" => Some(Scalar::Str(text)),
            "binary" => decode_base64(text.bytes()).map(Scalar::Binary),
            "timestamp" => schema.timestamp(text.bytes()).map(Scalar::Timestamp),
            "merge" => (text.bytes() == b"<<").then_some(Scalar::Merge),
            "value" => (text.bytes() == b"=").then_some(Scalar::Str(text)),
            _ => schema.convert_resolved(name, text),
        };
        match (value, expectation(name)) {
            (_, None) => Ok(None),
            (Some(value), _) => Ok(Some(value)),
            (None, Some((tag, expected))) => {
                let bytes = text.bytes();
                let shown = &bytes[..bytes.len().min(40)];
                let found = String::from_utf8_lossy(shown).into();
                Err(ConvertError { tag, expected, found })
            }
        }
    }

    /// Converts `text` with the standard tag `name`, for which the schema has forms. Returns `None`
    /// if the text does not have one of these forms, or there are none for the tag.
    fn convert_resolved<'a, T: Text<'a>>(self, name: &str, text: T) -> Option<Scalar<'a, T>> {
        let tag = self.resolve(text.bytes());
        let value = self.convert(tag, text);
        match (name, tag) {
            ("null", ScalarTag::Null)
            | ("bool", ScalarTag::Bool(_))
            | ("int", ScalarTag::Int(_))
            | ("float", ScalarTag::Float(_)) => Some(value),
            ("float", ScalarTag::Int(_)) => Some(Scalar::Float(match value {
                Scalar::Int(value) => value as f64,
                Scalar::BigInt(value) => float::of_integer(&value),
                _ => return None,
            })),
            _ => None,
        }
    }
}

/// Returns the shorthand of the standard tag `name` and what its scalars must be, or `None` if this
/// is not a standard tag.
fn expectation(name: &str) -> Option<(&'static str, &'static str)> {
    Some(match name {
        "null" => ("!!null", "an empty scalar, `~` or `null`"),
        "bool" => ("!!bool", "`true` or `false`"),
        "int" => ("!!int", "an integer"),
        "float" => ("!!float", "a number"),
        "str" => ("!!str", "text"),
        "binary" => ("!!binary", "base 64"),
        "timestamp" => ("!!timestamp", "a date or time like `2001-12-14T21:59:43Z`"),
        "merge" => ("!!merge", "`<<`"),
        "value" => ("!!value", "`=`"),
        _ => return None,
    })
}

/// Decodes base 64, which may contain white space. Returns `None` if the text is not valid.
fn decode_base64(text: &[u8]) -> Option<Vec<u8>> {
    if !text.iter().any(u8::is_ascii_whitespace) {
        return BASE64.decode(text).ok();
    }
    let packed: Vec<u8> = text.iter().copied().filter(|b| !b.is_ascii_whitespace()).collect();
    BASE64.decode(packed).ok()
}

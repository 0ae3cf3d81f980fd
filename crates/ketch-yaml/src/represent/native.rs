//! Writing native values as scalars.

use crate::present::{PresentError, Presenter, Properties, ScalarStyle};
use crate::schema::Timestamp;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use std::borrow::Cow;
use std::io::Write;

/// A native value that is represented as a scalar.
///
/// | value | scalar |
/// |---|---|
/// | null, bool | `null`, `true`, `false` |
/// | int | decimal digits, of any number |
/// | float | the shortest digits that are read as the same float, always with a dot and with a sign in the exponent, as YAML 1.1 requires: `1.0`, `1.0e+16`; `.inf`, `-.inf`, `.nan` |
/// | str | text, in quotes if any common parser would read it as another type |
/// | binary | `!!binary` and base 64 |
/// | timestamp | `!!timestamp` and the shortest spelling |
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Native<'v> {
    /// Null.
    Null,
    /// A boolean.
    Bool(bool),
    /// A 64-bit integer.
    Int(i64),
    /// An integer beyond 64 bits, as decimal digits after a sign if it is negative.
    BigInt(&'v str),
    /// A float.
    Float(f64),
    /// Text.
    Str(&'v str),
    /// Bytes.
    Binary(&'v [u8]),
    /// A point in time or a date.
    Timestamp(Timestamp),
}

impl<W: Write> Presenter<W> {
    /// Writes `value` as a scalar.
    ///
    /// If `properties` has a tag, it replaces `!!binary` and `!!timestamp`.
    ///
    /// ```
    /// use ketch_yaml::present::{CollectionStyle, Presenter, Properties};
    /// use ketch_yaml::represent::Native;
    ///
    /// let mut yaml = Presenter::new(Vec::new());
    /// yaml.start_document(false)?;
    /// yaml.start_sequence(CollectionStyle::Flow, Properties::NONE)?;
    /// for value in [Native::Str("NO"), Native::Float(1e16), Native::Int(-7), Native::Null] {
    ///     yaml.native(value, Properties::NONE)?;
    /// }
    /// yaml.end_sequence()?;
    /// yaml.end_document(false)?;
    /// assert_eq!(yaml.finish()?, b"[\"NO\", 1.0e+16, -7, null]\n");
    /// # Ok::<(), ketch_yaml::present::PresentError>(())
    /// ```
    #[inline(always)]
    pub fn native(
        &mut self,
        value: Native<'_>,
        properties: Properties<'_>,
    ) -> Result<(), PresentError> {
        const PLAIN: ScalarStyle = ScalarStyle::Plain;
        if properties == Properties::NONE {
            match value {
                Native::Null => return self.quick("null", PLAIN),
                Native::Bool(true) => return self.quick("true", PLAIN),
                Native::Bool(false) => return self.quick("false", PLAIN),
                Native::Int(value) => return self.quick(itoa::Buffer::new().format(value), PLAIN),
                Native::Float(value) => return self.quick_float(value),
                Native::Str(text) => return self.quick(text, ScalarStyle::Text),
                _ => {}
            }
        }
        self.native_with(value, properties)
    }

    /// Writes `value` without properties.
    #[inline(never)]
    fn quick_float(&mut self, value: f64) -> Result<(), PresentError> {
        self.quick(&written_float(value, &mut zmij::Buffer::new()), ScalarStyle::Plain)
    }

    /// Writes a value of any kind, with or without properties.
    #[inline(never)]
    fn native_with(
        &mut self,
        value: Native<'_>,
        properties: Properties<'_>,
    ) -> Result<(), PresentError> {
        const PLAIN: ScalarStyle = ScalarStyle::Plain;
        match value {
            Native::Null => self.scalar("null", PLAIN, properties),
            Native::Bool(true) => self.scalar("true", PLAIN, properties),
            Native::Bool(false) => self.scalar("false", PLAIN, properties),
            Native::Int(value) => self.scalar(itoa::Buffer::new().format(value), PLAIN, properties),
            Native::BigInt(digits) => self.scalar(digits, PLAIN, properties),
            Native::Float(value) => {
                self.scalar(&written_float(value, &mut zmij::Buffer::new()), PLAIN, properties)
            }
            Native::Str(text) => self.scalar(text, ScalarStyle::Text, properties),
            Native::Binary(bytes) => {
                let properties = or_tag(properties, "tag:yaml.org,2002:binary");
                self.scalar(&STANDARD.encode(bytes), ScalarStyle::Text, properties)
            }
            Native::Timestamp(value) => {
                let properties = or_tag(properties, "tag:yaml.org,2002:timestamp");
                self.scalar(&value.to_string(), PLAIN, properties)
            }
        }
    }
}

/// Returns `properties` with the tag `tag`, unless they already have a tag.
fn or_tag<'p>(properties: Properties<'p>, tag: &'p str) -> Properties<'p> {
    Properties { tag: properties.tag.or(Some(tag)), ..properties }
}

/// Returns the text as which [`Native::Float`] is written.
///
/// ```
/// assert_eq!(ketch_yaml::represent::float_text(1e16), "1.0e+16");
/// ```
#[must_use]
pub fn float_text(value: f64) -> String {
    written_float(value, &mut zmij::Buffer::new()).into_owned()
}

/// Returns the text of a float: the shortest digits with a dot, and with a sign in the exponent.
fn written_float(value: f64, digits: &mut zmij::Buffer) -> Cow<'_, str> {
    if value.is_nan() {
        return ".nan".into();
    }
    if value.is_infinite() {
        return if value > 0.0 { ".inf" } else { "-.inf" }.into();
    }
    let text = digits.format_finite(value);
    let Some((mantissa, exponent)) = text.split_once('e') else { return text.into() };
    let dot = if mantissa.contains('.') { "" } else { ".0" };
    let sign = if exponent.starts_with('-') { "" } else { "+" };
    let exponent = exponent.trim_start_matches('+');
    format!("{mantissa}{dot}e{sign}{exponent}").into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{Scalar, Schema};
    use proptest::prelude::*;

    #[test]
    fn floats_have_a_dot() {
        let cases = [
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (1.0, "1.0"),
            (1e16, "1.0e+16"),
            (-1.5e300, "-1.5e+300"),
            (5e-324, "5.0e-324"),
            (0.1, "0.1"),
        ];
        for (value, text) in cases {
            assert_eq!(written_float(value, &mut zmij::Buffer::new()), text);
        }
    }

    proptest! {
        #[test]
        fn floats_read_back(bits in any::<u64>()) {
            let value = f64::from_bits(bits);
            for schema in [Schema::Core, Schema::Yaml11] {
                let mut digits = zmij::Buffer::new();
                let Scalar::Float(found) = schema.scalar(&*written_float(value, &mut digits)) else {
                    panic!("{value:?} is no float for {schema}");
                };
                prop_assert!(found.to_bits() == bits || found.is_nan() && value.is_nan());
            }
        }
    }
}

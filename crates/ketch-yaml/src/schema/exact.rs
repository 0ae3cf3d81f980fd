//! The exact values of floats, with all their digits. Two spellings of a number have the same one.

use super::Schema;
use super::integer::{self, Integer, split_sign};
use super::tag::{Base60Sign, FloatForm, IntForm, ScalarTag};
use num_bigint::BigInt;

/// The exact value of a float. Zero has no sign. An exponent of any size takes no more memory than
/// its digits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Exact {
    /// Positive infinity.
    Infinity,
    /// Negative infinity.
    NegInfinity,
    /// Not a number, which equals itself here.
    Nan,
    /// A number of up to 18 digits, the last of which is not zero, times a power of ten.
    Short(i64, i32),
    /// Another number, as digits and an exponent without leading and trailing zeros.
    Long(Box<str>),
}

/// The maximum number of digits of [`Exact::Short`], and of exponents that are added as numbers.
const SMALL_DIGITS: usize = 18;

impl Exact {
    /// Returns the nearest float, with which all floats of 64 bits can be compared. This is an
    /// infinity if the number is too large, and zero if it is too small.
    #[must_use]
    pub fn nearest(&self) -> f64 {
        match self {
            Exact::Infinity => f64::INFINITY,
            Exact::NegInfinity => f64::NEG_INFINITY,
            Exact::Nan => f64::NAN,
            Exact::Short(..) | Exact::Long(_) => {
                let text = self.to_string();
                let (is_negative, digits) = split_sign(text.as_bytes());
                let absolute = fast_float2::parse(digits).unwrap_or(f64::NAN);
                if is_negative { -absolute } else { absolute }
            }
        }
    }
}

impl From<f64> for Exact {
    /// Returns the number with the fewest digits whose nearest float is `value`.
    fn from(value: f64) -> Exact {
        match value {
            f64::INFINITY => Exact::Infinity,
            f64::NEG_INFINITY => Exact::NegInfinity,
            value if value.is_nan() => Exact::Nan,
            value => decimal(format!("{value:e}").as_bytes()),
        }
    }
}

/// Writes the number as digits and an exponent.
impl std::fmt::Display for Exact {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Exact::Infinity => f.write_str(".inf"),
            Exact::NegInfinity => f.write_str("-.inf"),
            Exact::Nan => f.write_str(".nan"),
            Exact::Short(digits, exponent) => write!(f, "{digits}e{exponent}"),
            Exact::Long(text) => f.write_str(text),
        }
    }
}

impl Schema {
    /// Returns the exact value of `text`, which this schema reads as a float, or as a number with
    /// the tag `!!float`. This takes linear time.
    ///
    /// An integer of more than [`RADIX_DIGITS_MAX`](integer::RADIX_DIGITS_MAX) digits in a base
    /// other than ten equals only the same digits in this base.
    ///
    /// ```
    /// use ketch_yaml::schema::Schema;
    ///
    /// let exact = |text: &str| Schema::Core.exact(text.as_bytes());
    /// assert_eq!(exact("1.50"), exact("15e-1"));
    /// assert_ne!(exact("0.1"), exact("0.1000000000000000055511151231257827"));
    /// ```
    #[must_use]
    pub fn exact(self, text: &[u8]) -> Exact {
        // Under a tag, these two use the forms of the core schema.
        let schema = if matches!(self, Self::Failsafe | Self::Json) { Self::Core } else { self };
        match schema.resolve(text) {
            ScalarTag::Float(FloatForm::Infinity) => Exact::Infinity,
            ScalarTag::Float(FloatForm::NegInfinity) => Exact::NegInfinity,
            ScalarTag::Float(FloatForm::Fixed | FloatForm::Exponent) => decimal(text),
            ScalarTag::Float(FloatForm::Base60) => decimal(schema.base10(text).as_bytes()),
            ScalarTag::Int(form) => match integer::parse(text, form, schema.base60_sign()) {
                Integer::Small(value) => decimal(value.to_string().as_bytes()),
                Integer::Big(value) if value.is_decimal() => decimal(value.to_string().as_bytes()),
                Integer::Big(value) => Exact::Long(value.to_string().into()),
            },
            _ => Exact::Nan,
        }
    }

    /// Returns the base-60 float `text` in base 10.
    fn base10(self, text: &[u8]) -> String {
        let sign = self.base60_sign();
        let mut parts = text.split(|&byte| byte == b'.');
        let whole = match integer::parse(parts.next().unwrap_or(text), IntForm::Base60, sign) {
            Integer::Small(value) => BigInt::from(value),
            Integer::Big(value) => value.to_decimal().parse().unwrap_or_default(),
        };
        let fraction = parts.next().unwrap_or_default().iter().filter(|byte| byte.is_ascii_digit());
        let fraction: Vec<u8> = fraction.copied().collect();
        let places = fraction.len() as u32;
        let fraction = BigInt::parse_bytes(&fraction, 10).unwrap_or_default();
        let is_negative = split_sign(text).0 && sign == Base60Sign::Whole;
        let fraction = if is_negative { -fraction } else { fraction };
        format!("{}e-{places}", whole * BigInt::from(10).pow(places) + fraction)
    }
}

/// Returns the value of `text`, a decimal number which may have separators. In Syck, a second dot
/// ends it.
fn decimal(text: &[u8]) -> Exact {
    let (is_negative, text) = split_sign(text);
    let mut dots = (0..text.len()).filter(|&at| text[at] == b'.');
    let dot = dots.next();
    let text = &text[..dots.next().unwrap_or(text.len())];
    let end = text.iter().position(|byte| matches!(byte, b'e' | b'E')).unwrap_or(text.len());
    let (number, exponent) = text.split_at(end);
    let is_significant = |byte: &u8| matches!(byte, b'1'..=b'9');
    let Some(first) = number.iter().position(is_significant) else { return Exact::Short(0, 0) };
    let last = number.iter().rposition(is_significant).unwrap_or(first);
    let count = |part: &[u8]| part.iter().filter(|byte| byte.is_ascii_digit()).count() as i64;
    let places = dot.map_or(0, |dot| count(&number[dot.min(end)..]));
    let exponent = sum(exponent.get(1..).unwrap_or_default(), count(&number[last..]) - 1 - places);

    let digits = number[first..=last].iter().copied().filter(u8::is_ascii_digit);
    let short = exponent.as_ref().ok().and_then(|&exponent| i32::try_from(exponent).ok());
    if let Some(exponent) = short.filter(|_| digits.clone().count() <= SMALL_DIGITS) {
        let value = digits.fold(0, |value, digit| 10 * value + i64::from(digit - b'0'));
        return Exact::Short(if is_negative { -value } else { value }, exponent);
    }
    let sign = if is_negative { "-" } else { "" };
    let digits: String = digits.map(char::from).collect();
    let exponent = exponent.map_or_else(|digits| digits, |exponent| exponent.to_string());
    Exact::Long(format!("{sign}{digits}e{exponent}").into())
}

/// Adds `shift` to `exponent`, decimal digits with an optional sign and separators. Returns the sum
/// as an error, without leading zeros, if the exponent has more than [`SMALL_DIGITS`] digits.
fn sum(exponent: &[u8], shift: i64) -> Result<i64, String> {
    let (is_negative, digits) = split_sign(exponent);
    let digits = digits.iter().copied().filter(u8::is_ascii_digit);
    let digits = digits.skip_while(|&digit| digit == b'0');
    if digits.clone().count() <= SMALL_DIGITS {
        let value = digits.fold(0, |value, digit| 10 * value + i64::from(digit - b'0'));
        return Ok(shift + if is_negative { -value } else { value });
    }
    // The shift is at most the length of the text, so it does not change the sign.
    let mut carry = if is_negative { -shift } else { shift };
    let mut digits: Vec<u8> = digits.collect();
    for digit in digits.iter_mut().rev() {
        carry += i64::from(*digit - b'0');
        *digit = b'0' + carry.rem_euclid(10) as u8;
        carry = carry.div_euclid(10);
    }
    let carry = if carry > 0 { carry.to_string() } else { String::new() };
    let digits = carry + &String::from_utf8_lossy(&digits);
    let sign = if is_negative { "-" } else { "" };
    Err(format!("{sign}{}", digits.trim_start_matches('0')))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the value of `text` under the core schema.
    fn exact(text: &str) -> Exact {
        Schema::Core.exact(text.as_bytes())
    }

    #[test]
    fn spellings_of_a_number_are_equal() {
        for (schema, spellings) in [
            (Schema::Core, &["1.0", "+1.", "01.00", "10e-1", "0.1e+1", "1", "0x1", "0o1"][..]),
            (Schema::Core, &["0.0", "-0.0", ".0", "0e99999999999999999999", "-0"]),
            (Schema::Core, &["10513E58455", "1051.3e58456", "1051300e58453"]),
            (Schema::Core, &["1e99999999999999999999", "10e99999999999999999998"]),
            (Schema::Core, &["1e100000000000000000000", "10e99999999999999999999"]),
            (Schema::Core, &["1e-100000000000000000000", ".1e-99999999999999999999"]),
            (Schema::Core, &["1e999999999999999999", "10e0999999999999999998"]),
            // The sum has more digits than the exponent, which is added as a number.
            (Schema::Core, &["10e999999999999999999", "1e1000000000000000000"]),
            (Schema::Core, &["1.2345678901234567890123e3", "1234.5678901234567890123000"]),
            (Schema::Core, &[".inf", "+.INF"]),
            (Schema::Core, &[".nan", ".NaN"]),
            (Schema::Yaml11, &["190:20:30.15", "685_230.15", "6.8523_015e+5"]),
            (Schema::Yaml11, &["-190:20:30.15", "-685_230.15"]),
            (Schema::Syck, &["-1:30.5", "-29.5"]),
            (Schema::Syck, &["1.2.3e+4", "1.2", "1.20"]),
        ] {
            for spelling in spellings {
                let (left, right) = (spellings[0].as_bytes(), spelling.as_bytes());
                assert_eq!(schema.exact(left), schema.exact(right), "{spelling}");
            }
        }
    }

    #[test]
    fn different_numbers_differ() {
        let texts = [
            "10513E58455",
            "11193E11281",
            "-10513E58455",
            ".inf",
            "-.inf",
            ".nan",
            "0.0",
            "1e-400",
            "2e-400",
            "0.1",
            "0.1000000000000000055511151231257827",
            "1e99999999999999999999",
            "1e-99999999999999999999",
            "1e99999999999999999998",
            "100000000000000000001.0",
            "1e20",
        ];
        for (at, text) in texts.iter().enumerate() {
            for other in &texts[at + 1..] {
                assert_ne!(exact(text), exact(other), "{text} {other}");
            }
        }
    }

    #[test]
    fn the_nearest_float_is_the_value() {
        for text in ["1.5", "-1e-7", "1e400", "-1e400", ".inf", "-.inf", "0.0", "1e-400", "-2.5"] {
            let crate::schema::Scalar::Float(value) = Schema::Core.scalar(text) else {
                panic!("{text} is not a float");
            };
            assert_eq!(exact(text).nearest(), value, "{text}");
            if value.is_finite() && value != 0.0 {
                assert_eq!(Exact::from(value), exact(text));
            }
        }
        assert!(exact(".nan").nearest().is_nan());
        assert_eq!(Exact::from(f64::NAN), exact(".nan"));
        assert_eq!(Exact::from(f64::NEG_INFINITY), exact("-.inf"));
    }
}

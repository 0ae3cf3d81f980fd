//! The text of a number, and numbers from their text.

use super::fraction::SIGNIFICANT_DIGITS;
use super::types::{Form, Number, Small};
use dashu_int::IBig;
use dashu_int::ops::UnsignedAbs;
use std::fmt::{self, Display, Write};

/// A computed number is written without an exponent while that adds at most this number of zeros.
const ADDED_ZEROS: i128 = 64;
/// How JSON shows what is above all numbers: as the greatest binary64.
const INFINITE: &str = "1.7976931348623157e+308";

impl Number {
    /// Appends the number's text: its spelling, or else its value without superfluous zeros.
    pub fn write(&self, out: &mut String) {
        match &self.form {
            Form::Small(it) if it.exponent == 0 => write_digits(out, it.digits),
            Form::Small(it) => {
                sign(out, it.digits < 0);
                write_decimal(out, it.digits.unsigned_abs(), it.exponent.into(), it.shown);
            }
            Form::Big(it) => {
                sign(out, it.digits < IBig::ZERO);
                write_decimal(out, (&it.digits).unsigned_abs(), it.exponent.into(), it.shown);
            }
            Form::Ratio(it) => {
                let (digits, exponent) = it.exact().significant(SIGNIFICANT_DIGITS);
                sign(out, self.is_negative());
                write_decimal(out, digits.unsigned_abs(), exponent, false);
            }
            Form::Spelled(spelled) => out.push_str(&spelled.text),
            Form::Infinite { negative } => {
                sign(out, *negative);
                out.push_str(INFINITE);
            }
            Form::Nan => out.push_str("null"),
        }
    }

    /// Appends the number's text as JSON: its spelling where JSON allows that, a decimal's
    /// spelling with what JSON asks for (`0.5` for `.5`, `7` for `+7`, `1.0` for `1.`), or
    /// else its value.
    pub fn write_json(&self, out: &mut String) {
        let Form::Spelled(spelled) = &self.form else { return self.write(out) };
        match Parts::split(&spelled.text) {
            Some(parts) if parts.is_json() => out.push_str(&spelled.text),
            Some(parts) => parts.write_json(out),
            None => spelled.value.write(out),
        }
    }

    /// Whether JSON allows the spelling, where there is one, as a number.
    pub fn is_json_spelling(&self) -> bool {
        match &self.form {
            Form::Spelled(spelled) => {
                Parts::split(&spelled.text).is_some_and(|parts| parts.is_json())
            }
            _ => true,
        }
    }
}

impl Display for Number {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        self.write(&mut text);
        formatter.write_str(&text)
    }
}

/// Appends digits; a string takes them without fail.
fn write_digits(out: &mut String, digits: impl Display) {
    let _ = write!(out, "{digits}");
}

/// Appends a minus, if there is one.
fn sign(out: &mut String, negative: bool) {
    if negative {
        out.push('-');
    }
}

/// Appends zeros.
fn zeros(out: &mut String, count: i128) {
    out.extend(std::iter::repeat_n('0', count as usize));
}

/// Appends `digits * 10^exponent`, without trailing zeros unless they are shown.
fn write_decimal(out: &mut String, digits: impl Display, exponent: i128, shown: bool) {
    let start = out.len();
    write_digits(out, digits);
    let mut exponent = exponent;
    if !shown {
        let kept = start + out[start..].trim_end_matches('0').len();
        exponent += (out.len() - kept) as i128;
        out.truncate(kept);
        if kept == start {
            return out.push('0');
        }
    }
    place_point(out, start, exponent, shown);
}

/// Turns the digits from `start` on into the text of them times `10^exponent`.
fn place_point(out: &mut String, start: usize, exponent: i128, shown: bool) {
    let point = (out.len() - start) as i128 + exponent;
    if exponent >= 0 && (shown || exponent <= ADDED_ZEROS) {
        zeros(out, exponent);
    } else if exponent < 0 && point > 0 {
        out.insert(start + point as usize, '.');
    } else if exponent < 0 && (shown || 1 - point <= ADDED_ZEROS) {
        let digits = out.split_off(start);
        out.push_str("0.");
        zeros(out, -point);
        out.push_str(&digits);
    } else {
        place_exponent(out, start, point - 1);
    }
}

/// Turns the digits from `start` on into a mantissa with one digit before the point.
fn place_exponent(out: &mut String, start: usize, exponent: i128) {
    if out.len() > start + 1 {
        out.insert(start + 1, '.');
    }
    let _ = write!(out, "e{exponent:+}");
}

/// The number of digits that always fit a small form.
const SHORT: usize = 18;
/// A text no longer than this never has enough zeros to be rather written with an
/// exponent.
const PLAIN_LENGTH: usize = 64;

/// The parts of a decimal's text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parts<'a> {
    /// The sign, if there is one.
    sign: &'a str,
    /// The digits before the point.
    whole: &'a str,
    /// Whether there is a point.
    pub(super) point: bool,
    /// The digits after the point.
    pub(super) fraction: &'a str,
    /// The exponent with its letter and sign, if there is one.
    pub(super) exponent: &'a str,
    /// All of it.
    length: usize,
}

/// Splits off the digits at the start of a text.
fn leading_digits(text: &str) -> (&str, &str) {
    let end = text.bytes().position(|byte| !byte.is_ascii_digit());
    text.split_at(end.unwrap_or(text.len()))
}

/// Splits off a sign at the start of a text.
fn leading_sign(text: &str) -> (&str, &str) {
    text.split_at(usize::from(text.starts_with(['+', '-'])))
}

/// Whether a text is an exponent with its letter, or nothing.
fn is_exponent(text: &str) -> bool {
    let Some(rest) = text.strip_prefix(['e', 'E']) else { return text.is_empty() };
    let (digits, rest) = leading_digits(leading_sign(rest).1);
    !digits.is_empty() && rest.is_empty()
}

/// The value of a text of a few digits and nothing else.
fn short_integer(text: &str) -> Option<i64> {
    if text.is_empty() || text.len() > SHORT {
        return None;
    }
    text.bytes().try_fold(0, |value, byte| {
        byte.is_ascii_digit().then(|| value * 10 + i64::from(byte - b'0'))
    })
}

impl Number {
    /// The number that `text` writes, with that spelling kept; `None` if it is not a decimal.
    ///
    /// A text that is what the number would be written as anyway is not stored.
    pub fn spelled(text: &str) -> Option<Number> {
        let parts = Parts::split(text)?;
        let value = parts.value();
        Some(if parts.is_canonical() { value } else { value.spelled_as(text) })
    }

    /// The number that a short JSON number without an exponent is. Its text is the one that it is written as, so nothing
    /// is stored. `None` for all others, minus zero among them.
    #[inline]
    pub fn of_json(text: &str) -> Option<Number> {
        let (negative, unsigned) = match text.as_bytes() {
            [b'-', rest @ ..] => (true, rest),
            all => (false, all),
        };
        let (mut digits, mut point) = (0_i64, None);
        if unsigned.len() > SHORT
            || matches!(unsigned, [] | [b'.', ..] | [.., b'.'] | [b'0', b'0'..=b'9', ..])
        {
            return None;
        }
        for (at, byte) in unsigned.iter().enumerate() {
            match byte.wrapping_sub(b'0') {
                digit @ 0..=9 => digits = digits * 10 + i64::from(digit),
                _ if *byte == b'.' && point.is_none() => point = Some(at + 1),
                _ => return None,
            }
        }
        if negative && digits == 0 {
            return None;
        }
        let places = point.map_or(0, |point| unsigned.len() - point) as i32;
        let shown = places > 0 && digits % 10 == 0;
        let digits = if negative { -digits } else { digits };
        Some(Number { form: Form::Small(Small { digits, exponent: -places, shown }) })
    }

    /// The number that a decimal's text stands for, as in JSON and in YAML's core schema: an
    /// optional sign, digits with an optional point before, among or after them, and an
    /// optional exponent. `None` where it is not that.
    ///
    /// With an exponent beyond 64 bits, it is zero or infinite, as it is in jq with a shorter one.
    pub fn parse(text: &str) -> Option<Number> {
        match short_integer(text) {
            Some(value) => Some(value.into()),
            None => Some(Parts::split(text)?.value()),
        }
    }
}

impl<'a> Parts<'a> {
    /// Takes a text apart; `None` if it is not a decimal.
    pub(super) fn split(text: &'a str) -> Option<Parts<'a>> {
        let (sign, rest) = leading_sign(text);
        let (whole, rest) = leading_digits(rest);
        let after = rest.strip_prefix('.');
        let (fraction, exponent) = after.map_or(("", rest), leading_digits);
        if (whole.is_empty() && fraction.is_empty()) || !is_exponent(exponent) {
            return None;
        }
        let length = text.len();
        Some(Parts { sign, whole, point: after.is_some(), fraction, exponent, length })
    }

    /// The value.
    pub(super) fn value(&self) -> Number {
        self.value_in_range().unwrap_or_else(|| {
            let has_digits = self.whole.bytes().chain(self.fraction.bytes()).any(|it| it != b'0');
            match has_digits && !self.exponent.contains('-') {
                true => Number::infinite(self.sign == "-"),
                false => 0.into(),
            }
        })
    }

    /// The value; `None` if the exponent is out of range.
    fn value_in_range(&self) -> Option<Number> {
        let exponent = self.exponent_value()?.checked_sub_unsigned(self.fraction.len() as u64)?;
        let negative = self.sign == "-";
        if self.whole.len() + self.fraction.len() > SHORT {
            return self.long_value(negative, exponent.into());
        }
        let digits = short_integer(self.whole).unwrap_or(0)
            * 10_i64.pow(self.fraction.len() as u32)
            + short_integer(self.fraction).unwrap_or(0);
        let digits = if negative { -digits } else { digits };
        match i32::try_from(exponent) {
            Ok(exponent) => Some(Number::small(digits, exponent)),
            Err(_) => Number::decimal(digits.into(), exponent.into()),
        }
    }

    /// The value where it has many digits: zeros at either end are not converted.
    fn long_value(&self, negative: bool, exponent: i128) -> Option<Number> {
        let all = [self.whole, self.fraction].concat();
        let kept = all.trim_end_matches('0');
        let exponent = exponent + (all.len() - kept.len()) as i128;
        let kept = kept.trim_start_matches('0');
        let magnitude = if kept.is_empty() { IBig::ZERO } else { kept.parse().ok()? };
        Number::decimal(if negative { -magnitude } else { magnitude }, exponent)
    }

    /// The value of the exponent; zero if there is none.
    pub(super) fn exponent_value(&self) -> Option<i64> {
        if self.exponent.is_empty() { Some(0) } else { self.exponent[1..].parse().ok() }
    }

    /// Whether this is how the computed number would be written.
    pub(super) fn is_canonical(&self) -> bool {
        let ends_well = !self.point || !self.fraction.ends_with('0');
        let zero = self.whole == "0" && !self.point;
        let plain = self.exponent.is_empty() && self.length <= PLAIN_LENGTH;
        self.is_json() && plain && ends_well && !(zero && self.sign == "-")
    }

    /// Whether JSON allows the text.
    pub(super) fn is_json(&self) -> bool {
        let starts_well = self.whole == "0" || !self.whole.starts_with('0');
        let has_digits = !self.whole.is_empty() && self.point != self.fraction.is_empty();
        self.sign != "+" && starts_well && has_digits
    }

    /// Writes the text so that JSON allows it, with as much of the spelling as that leaves.
    pub(super) fn write_json(&self, out: &mut String) {
        let whole = self.whole.trim_start_matches('0');
        out.push_str(if self.sign == "-" { "-" } else { "" });
        out.push_str(if whole.is_empty() { "0" } else { whole });
        if self.point {
            out.push('.');
            out.push_str(if self.fraction.is_empty() { "0" } else { self.fraction });
        }
        out.push_str(self.exponent);
    }
}

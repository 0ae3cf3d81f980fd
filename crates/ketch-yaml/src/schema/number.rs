//! The forms of numbers, shared by all schemas.
//!
//! Pseudo code: skip the digit run; what stands behind it decides: nothing (an integer), a dot or
//! an exponent (a float), a colon (base 60), a minus after four digits (a timestamp), anything
//! else (text). Each branch must then match to the very end.

use super::forms::{
    BINARY, Base60, CLASS, DIGIT, HEX, LeadingZero, OCTAL, Prefix, Rules, UNDERSCORE,
};
use super::tag::{FloatForm, IntForm, ScalarTag};
use super::timestamp;

/// Base-60 text longer than this is a string: an exact conversion takes time in the square of
/// the length, and no clock or angle needs more.
pub(super) const BASE60_BYTES_MAX: usize = 1024;

/// The end of the run of bytes from `at` on that have a class in `mask`.
#[inline]
fn run(text: &[u8], at: usize, mask: u8) -> usize {
    let rest = &text[at..];
    at + rest.iter().position(|&b| CLASS[b as usize] & mask == 0).unwrap_or(rest.len())
}

/// A number or timestamp; `text[at]` is a digit, before it stands at most a sign.
#[inline]
pub(super) fn from_digit<R: Rules>(text: &[u8], at: usize) -> ScalarTag {
    let forms = &R::FORMS;
    if text[at] == b'0'
        && let Some(tag) = prefixed::<R>(text, at)
    {
        return tag;
    }
    let end = run(text, at + 1, DIGIT | forms.separators);
    let zero_leads = text[at] == b'0' && end > at + 1;
    if zero_leads && forms.leading_zero == LeadingZero::Refused {
        return forms.unmatched;
    }
    let Some(&stop) = text.get(end) else {
        return integer::<R>(text, at, zero_leads);
    };
    match stop {
        b'.' => fraction::<R>(text, end + 1),
        b'e' | b'E' if forms.bare_exponent => exponent::<R>(text, end + 1),
        b':' if forms.base60 != Base60::No => base60::<R>(text, at, end),
        b'-' => match forms.timestamp {
            Some(rules) => timestamp::resolve(text, rules).unwrap_or(forms.unmatched),
            None => forms.unmatched,
        },
        _ => forms.unmatched,
    }
}

/// An unprefixed integer: the run of digits and separators fills the text.
#[inline]
fn integer<R: Rules>(text: &[u8], at: usize, zero_leads: bool) -> ScalarTag {
    let forms = &R::FORMS;
    if !zero_leads || forms.leading_zero == LeadingZero::Decimal {
        return ScalarTag::Int(IntForm::Decimal);
    }
    if run(text, at + 1, OCTAL | forms.separators) == text.len() {
        ScalarTag::Int(IntForm::Octal)
    } else {
        forms.unmatched
    }
}

/// `0x1F`, `0o17`, `0b11`; `None` if the `0` begins no prefix that the schema knows.
#[inline]
fn prefixed<R: Rules>(text: &[u8], at: usize) -> Option<ScalarTag> {
    let forms = &R::FORMS;
    let letter = *text.get(at + 1)?;
    let (known, digits, form) = match letter.to_ascii_lowercase() {
        b'x' => (forms.hex, HEX, IntForm::Hex),
        b'o' => (forms.octal, OCTAL, IntForm::Octal),
        b'b' => (forms.binary, BINARY, IntForm::Binary),
        _ => return None,
    };
    let known = match known {
        Prefix::No => false,
        Prefix::Unsigned => at == 0 && letter.is_ascii_lowercase(),
        Prefix::Signed => letter.is_ascii_lowercase(),
        Prefix::SignedAnyCase => true,
    };
    let digits_from = at + 2;
    // Underscores alone are no number, commas alone are one (Syck).
    let first_mask = digits | (forms.separators & !UNDERSCORE);
    let matched = known
        && run(text, digits_from, digits | forms.separators) == text.len()
        && text[digits_from..].iter().any(|&b| CLASS[b as usize] & first_mask != 0);
    Some(if matched { ScalarTag::Int(form) } else { forms.unmatched })
}

/// What follows the dot of a float, from `at` on; may be empty.
#[inline]
pub(super) fn fraction<R: Rules>(text: &[u8], at: usize) -> ScalarTag {
    let forms = &R::FORMS;
    let mut end = run(text, at, forms.fraction);
    if end == text.len() {
        return ScalarTag::Float(FloatForm::Fixed);
    }
    if forms.exponent_fraction != forms.fraction {
        end = run(text, at, forms.exponent_fraction);
    }
    match text.get(end) {
        Some(b'e' | b'E') => exponent::<R>(text, end + 1),
        _ => forms.unmatched,
    }
}

/// What follows the `e` of a float, from `at` on.
#[inline]
fn exponent<R: Rules>(text: &[u8], at: usize) -> ScalarTag {
    let forms = &R::FORMS;
    let digits_from = match text.get(at) {
        Some(b'+' | b'-') => at + 1,
        _ if forms.exponent_sign => return forms.unmatched,
        _ => at,
    };
    match text.get(digits_from) {
        Some(&byte)
            if CLASS[byte as usize] & DIGIT != 0
                && run(text, digits_from, forms.exponent) == text.len() =>
        {
            ScalarTag::Float(FloatForm::Exponent)
        }
        _ => forms.unmatched,
    }
}

/// Base 60: `(":" [0-5]? [0-9])+`, for floats followed by a dot and a fraction.
/// The number begins at `at`, its first colon is at `colon`.
fn base60<R: Rules>(text: &[u8], at: usize, colon: usize) -> ScalarTag {
    let forms = &R::FORMS;
    if text.len() > BASE60_BYTES_MAX {
        return forms.unmatched;
    }
    let digit = |i: usize| text.get(i).is_some_and(u8::is_ascii_digit);
    let mut i = colon;
    while text.get(i) == Some(&b':') && digit(i + 1) {
        let two_digits = digit(i + 2);
        if two_digits && text[i + 1] > b'5' {
            return forms.unmatched;
        }
        i += 2 + usize::from(two_digits);
    }
    let zero_allowed = forms.base60 == Base60::Any || text[at] != b'0';
    match text.get(i) {
        None if zero_allowed => ScalarTag::Int(IntForm::Base60),
        Some(b'.') if i > colon && run(text, i + 1, forms.fraction) == text.len() => {
            ScalarTag::Float(FloatForm::Base60)
        }
        _ => forms.unmatched,
    }
}

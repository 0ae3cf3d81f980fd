//! The forms of numbers, shared by all schemas.
//!
//! The run of digits at the start is skipped, and what follows decides: nothing (an integer), a dot
//! or an exponent (a float), a colon (base 60), a minus after four digits (a timestamp), or
//! anything else (text). Each branch must then match up to the end of the text.

use super::forms::{
    BINARY, Base60, CLASS, DIGIT, HEX, LeadingZero, OCTAL, Prefix, Rules, UNDERSCORE,
};
use super::tag::{FloatForm, IntForm, ScalarTag};
use super::timestamp;

/// Base-60 text longer than this is a string, because an exact conversion takes quadratic time, and
/// no time or angle needs more.
pub(super) const BASE60_BYTES_MAX: usize = 1024;

/// Returns the end of the run of bytes from `at` on that have a class in `mask`.
#[inline]
fn run(text: &[u8], at: usize, mask: u8) -> usize {
    let mut at = at;
    while at < text.len() && CLASS[text[at] as usize] & mask != 0 {
        at += 1;
    }
    at
}

/// Returns the end of the run of `separators` and digits up to `digit_max` that starts at `at`.
/// Digits are scanned eight bytes at a time.
#[inline]
fn run_digits(text: &[u8], at: usize, digit_max: u8, separators: u8) -> usize {
    let mut at = at;
    while let Some(eight) = text[at..].first_chunk::<8>() {
        let beyond = not_digits(u64::from_le_bytes(*eight), digit_max);
        at += (beyond.trailing_zeros() / 8) as usize;
        if beyond != 0 {
            if separators == 0 {
                return at;
            }
            break;
        }
    }
    let digits = match digit_max {
        1 => BINARY,
        7 => OCTAL,
        _ => DIGIT,
    };
    run(text, at, digits | separators)
}

/// Returns a word in which the high bit of a byte is set if this is the lowest byte of `word` that
/// is not a digit up to `digit_max`. The bits of higher bytes are unspecified and those of lower
/// bytes are zero, so the trailing zeros count the leading digits.
///
/// XOR with `0` leaves 0 to `digit_max` for a digit, and more for other bytes. Adding 0x7F -
/// `digit_max` sets the high bit of these, unless the addition overflows, in which case that bit
/// was already set.
const fn not_digits(word: u64, digit_max: u8) -> u64 {
    let values = word ^ u64::from_le_bytes([b'0'; 8]);
    let addend = u64::from_le_bytes([0x7F - digit_max; 8]);
    (values.wrapping_add(addend) | values) & u64::from_le_bytes([0x80; 8])
}

/// Resolves a number or timestamp whose first digit, after an optional sign, is `text[at]`.
#[inline]
pub(super) fn from_digit<R: Rules>(text: &[u8], at: usize) -> ScalarTag {
    let forms = &R::FORMS;
    if text[at] == b'0'
        && let Some(letter @ (b'x' | b'X' | b'o' | b'O' | b'b' | b'B')) = text.get(at + 1)
    {
        return prefixed::<R>(text, at, *letter);
    }
    // No number has a minus in both positions, so this shortcut is exact.
    if forms.timestamp.is_some() && matches!(text, [_, _, _, _, b'-', _, _, b'-', ..]) {
        return timestamp::resolve::<R>(text).unwrap_or(forms.unmatched);
    }
    let end = run_digits(text, at + 1, 9, forms.separators);
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
        b'-' if forms.timestamp.is_some() => {
            timestamp::resolve::<R>(text).unwrap_or(forms.unmatched)
        }
        _ => forms.unmatched,
    }
}

/// Resolves an integer without a prefix. All of the text from `at` on is digits and separators.
/// `zero_leads` says whether the first of several digits is `0`.
#[inline]
fn integer<R: Rules>(text: &[u8], at: usize, zero_leads: bool) -> ScalarTag {
    let forms = &R::FORMS;
    if !zero_leads || forms.leading_zero == LeadingZero::Decimal {
        return ScalarTag::Int(IntForm::Decimal);
    }
    if run_digits(text, at + 1, 7, forms.separators) == text.len() {
        ScalarTag::Int(IntForm::Octal)
    } else {
        forms.unmatched
    }
}

/// Resolves text such as `0x1F`, `0o17` or `0b11`, whose `0` is at `at` and followed by `letter`.
fn prefixed<R: Rules>(text: &[u8], at: usize, letter: u8) -> ScalarTag {
    let forms = &R::FORMS;
    let (prefix, form) = match letter | 0x20 {
        b'x' => (forms.hex, IntForm::Hex),
        b'o' => (forms.octal, IntForm::Octal),
        _ => (forms.binary, IntForm::Binary),
    };
    let known = match prefix {
        Prefix::No => false,
        Prefix::Unsigned => at == 0 && letter & 0x20 != 0,
        Prefix::Signed => letter & 0x20 != 0,
        Prefix::SignedAnyCase => true,
    };
    if !known {
        return forms.unmatched;
    }
    // Underscores alone are not a number, but in Syck, commas alone are.
    let from = run(text, at + 2, forms.separators & UNDERSCORE);
    let end = match form {
        IntForm::Hex => run(text, from, HEX | forms.separators),
        IntForm::Octal => run_digits(text, from, 7, forms.separators),
        _ => run_digits(text, from, 1, forms.separators),
    };
    if from < end && end == text.len() { ScalarTag::Int(form) } else { forms.unmatched }
}

/// Resolves the float `text`, whose dot is just before `at`. Nothing need follow the dot.
#[inline]
pub(super) fn fraction<R: Rules>(text: &[u8], at: usize) -> ScalarTag {
    let forms = &R::FORMS;
    let mut end = run_digits(text, at, 9, forms.fraction & !DIGIT);
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

/// Resolves the float `text`, whose `e` is just before `at`.
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

/// Resolves a base-60 number, which has parts `(":" [0-5]? [0-9])+` and, if it is a float, a dot
/// and a fraction. The number begins at `at`, and its first colon is at `colon`.
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

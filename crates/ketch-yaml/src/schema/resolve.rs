//! Resolves a plain scalar to its tag.
//!
//! The first byte selects one of six branches. Five of them take a few comparisons, and the sixth
//! ([`super::number`]) scans the digits and dispatches on the byte after them. Text is recognized
//! at the first byte that rules out everything else, so long prose costs one table lookup.

use super::forms::{CLASS, Case, DIGIT, Forms, Rules, Start};
use super::number;
use super::tag::{FloatForm, ScalarTag};

/// Resolves `text` by the rules `R`.
#[inline]
pub(super) fn resolve<R: Rules>(text: &[u8]) -> ScalarTag {
    let Some(&first) = text.first() else {
        return if R::FORMS.empty_and_tilde { ScalarTag::Null } else { R::FORMS.unmatched };
    };
    match R::START[first as usize] {
        Start::Text => R::FORMS.unmatched,
        Start::Letter => word::<R>(text),
        Start::Digit => number::from_digit::<R>(text, 0),
        Start::Dot => from_dot::<R>(text, 0),
        Start::Sign => from_sign::<R>(text),
        Start::Mark => mark(&R::FORMS, text),
    }
}

/// Resolves `text`, which may be `~`, `<<` or `=`. The table of first bytes has already excluded
/// those that the schema does not recognize.
fn mark(forms: &Forms, text: &[u8]) -> ScalarTag {
    match text {
        b"~" => ScalarTag::Null,
        b"<<" => ScalarTag::Merge,
        b"=" => forms.equals,
        _ => forms.unmatched,
    }
}

/// Resolves `text`, which starts with a sign.
#[inline]
fn from_sign<R: Rules>(text: &[u8]) -> ScalarTag {
    match text.get(1) {
        Some(b'.') => from_dot::<R>(text, 1),
        Some(&byte) if CLASS[byte as usize] & DIGIT != 0 => number::from_digit::<R>(text, 1),
        _ => R::FORMS.unmatched,
    }
}

/// Resolves text such as `.5`, `.inf` and `.nan`, whose dot is at `at`, after an optional sign.
#[inline]
fn from_dot<R: Rules>(text: &[u8], at: usize) -> ScalarTag {
    let forms = &R::FORMS;
    match &text[at + 1..] {
        [byte, ..] if CLASS[*byte as usize] & DIGIT != 0 => {
            if forms.leading_dot {
                number::fraction::<R>(text, at + 1)
            } else {
                forms.unmatched
            }
        }
        [a, b, c] if forms.inf_nan => special(forms, &text[..at], [*a, *b, *c, 0]),
        _ => forms.unmatched,
    }
}

/// Resolves `.inf` with an optional sign, or `.nan` without one. `sign` is what precedes the dot,
/// and `letters` are the three letters after it and a zero.
#[inline]
fn special(forms: &Forms, sign: &[u8], letters: [u8; 4]) -> ScalarTag {
    let key = u64::from(u32::from_le_bytes(letters));
    if spells(forms.case, key, b"inf") {
        let negative = sign == b"-";
        return ScalarTag::Float(if negative {
            FloatForm::NegInfinity
        } else {
            FloatForm::Infinity
        });
    }
    // Not-a-number is capitalized differently: NaN instead of Nan.
    let nan = match forms.case {
        Case::Three => key == pack(b"nan") || key == pack(b"NaN") || key == pack(b"NAN"),
        case => spells(case, key, b"nan"),
    };
    if nan && sign.is_empty() { ScalarTag::Float(FloatForm::Nan) } else { forms.unmatched }
}

/// Resolves `text`, which may be null or a boolean, by its length. At most two words have the same
/// length.
#[inline]
fn word<R: Rules>(text: &[u8]) -> ScalarTag {
    let forms = &R::FORMS;
    let is = |key: u64, word: &[u8]| spells(forms.case, key, word);
    match *text {
        [a] if forms.y_n => match a | 0x20 {
            b'y' => ScalarTag::Bool(true),
            b'n' => ScalarTag::Bool(false),
            _ => forms.unmatched,
        },
        [a, b] if forms.yes_no => match u64::from(u16::from_le_bytes([a, b])) {
            key if is(key, b"no") => ScalarTag::Bool(false),
            key if is(key, b"on") => ScalarTag::Bool(true),
            _ => forms.unmatched,
        },
        [a, b, c] if forms.yes_no => match u64::from(u32::from_le_bytes([a, b, c, 0])) {
            key if is(key, b"yes") => ScalarTag::Bool(true),
            key if is(key, b"off") => ScalarTag::Bool(false),
            _ => forms.unmatched,
        },
        [a, b, c, d] => match u64::from(u32::from_le_bytes([a, b, c, d])) {
            key if is(key, b"true") => ScalarTag::Bool(true),
            key if is(key, b"null") => ScalarTag::Null,
            _ => forms.unmatched,
        },
        [a, b, c, d, e] if is(u64::from_le_bytes([a, b, c, d, e, 0, 0, 0]), b"false") => {
            ScalarTag::Bool(false)
        }
        _ => forms.unmatched,
    }
}

/// Returns whether `key`, a packed text as long as `word`, spells `word` in a letter case that
/// `case` allows.
#[inline(always)]
fn spells(case: Case, key: u64, word: &[u8]) -> bool {
    let lower = pack(word);
    // This is bit 5 of every letter, which is set in lower case.
    let case_bits = u64::MAX >> (64 - 8 * word.len()) & u64::from_le_bytes([0x20; 8]);
    match case {
        Case::Lower => key == lower,
        // Lower case, only the first letter in upper case, and upper case.
        Case::Three => key == lower || key == lower ^ 0x20 || key == lower ^ case_bits,
        // Setting bit 5 maps exactly the two cases of a letter to its lower case.
        Case::Any => key | case_bits == lower,
    }
}

/// Packs `word`, which has at most eight bytes, into one number, with the first byte lowest.
const fn pack(word: &[u8]) -> u64 {
    let mut key = 0;
    let mut i = word.len();
    while i > 0 {
        i -= 1;
        key = key << 8 | word[i] as u64;
    }
    key
}

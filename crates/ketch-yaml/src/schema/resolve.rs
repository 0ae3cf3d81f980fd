//! From the bytes of a plain scalar to its tag.
//!
//! Pseudo code: the first byte chooses one of six ways; five of them are a handful of compares,
//! the sixth ([`super::number`]) is a digit run and a look at the byte that ends it. Text leaves
//! at the first byte that rules everything else out, so long prose costs one table look-up.

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

/// `~`, `<<` and `=`; the first-byte table has already left out what the schema does not know.
fn mark(forms: &Forms, text: &[u8]) -> ScalarTag {
    match text {
        b"~" => ScalarTag::Null,
        b"<<" => ScalarTag::Merge,
        b"=" => forms.equals,
        _ => forms.unmatched,
    }
}

#[inline]
fn from_sign<R: Rules>(text: &[u8]) -> ScalarTag {
    match text.get(1) {
        Some(b'.') => from_dot::<R>(text, 1),
        Some(&byte) if CLASS[byte as usize] & DIGIT != 0 => number::from_digit::<R>(text, 1),
        _ => R::FORMS.unmatched,
    }
}

/// `.5`, `.inf`, `.nan`; the dot is at `at`, after an optional sign.
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

/// `.inf` with an optional sign, `.nan` without one.
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
    // Not-a-number has a capital of its own: NaN instead of Nan.
    let nan = match forms.case {
        Case::Three => key == pack(b"nan") || key == pack(b"NaN") || key == pack(b"NAN"),
        case => spells(case, key, b"nan"),
    };
    if nan && sign.is_empty() { ScalarTag::Float(FloatForm::Nan) } else { forms.unmatched }
}

/// Null and the booleans: by length at most two words are left to compare with.
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

/// Whether `key`, as many bytes of text as `word` has, spells the word in a known case.
#[inline(always)]
fn spells(case: Case, key: u64, word: &[u8]) -> bool {
    let lower = pack(word);
    // Bit 5 of every letter: set in lower case.
    let case_bits = u64::MAX >> (64 - 8 * word.len()) & u64::from_le_bytes([0x20; 8]);
    match case {
        Case::Lower => key == lower,
        // lower, Capital, UPPER
        Case::Three => key == lower || key == lower ^ 0x20 || key == lower ^ case_bits,
        // Setting bit 5 maps exactly the two cases of a letter to its lower case.
        Case::Any => key | case_bits == lower,
    }
}

/// Up to five bytes as one number, the first byte lowest, zeros above.
const fn pack(word: &[u8]) -> u64 {
    let mut key = 0;
    let mut i = word.len();
    while i > 0 {
        i -= 1;
        key = key << 8 | word[i] as u64;
    }
    key
}

//! From the bytes of a plain scalar to its tag.
//!
//! Pseudo code: the first byte chooses one of six ways; five of them are a handful of compares,
//! the sixth ([`super::number`]) is a digit run and a look at the byte that ends it. Text leaves
//! at the first byte that rules everything else out, so long prose costs one table look-up.

use super::forms::{CLASS, Case, DIGIT, Forms, Rules, Start};
use super::number;
use super::tag::{FloatForm, ScalarTag};

/// The longest word: `false`.
const WORD_BYTES_MAX: usize = 5;

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
        [a, b, c] if forms.inf_nan => special(forms, &text[..at], [*a, *b, *c]),
        _ => forms.unmatched,
    }
}

/// `.inf` with an optional sign, `.nan` without one.
fn special(forms: &Forms, sign: &[u8], letters: [u8; 3]) -> ScalarTag {
    let known = |spellings: [&[u8; 3]; 3]| match forms.case {
        Case::Lower => letters == *spellings[0],
        Case::Three => spellings.iter().any(|&s| letters == *s),
        Case::Any => letters.eq_ignore_ascii_case(spellings[0]),
    };
    if known([b"inf", b"Inf", b"INF"]) {
        let negative = sign == b"-";
        ScalarTag::Float(if negative { FloatForm::NegInfinity } else { FloatForm::Infinity })
    } else if sign.is_empty() && known([b"nan", b"NaN", b"NAN"]) {
        ScalarTag::Float(FloatForm::Nan)
    } else {
        forms.unmatched
    }
}

/// Null and the booleans.
#[inline]
fn word<R: Rules>(text: &[u8]) -> ScalarTag {
    const CASE_BITS: u64 = u64::from_le_bytes([0x20; 8]);
    let forms = &R::FORMS;
    if text.len() > WORD_BYTES_MAX {
        return forms.unmatched;
    }
    let key = pack(text);
    let length_mask = (1u64 << (8 * text.len())) - 1;
    // Setting bit 5 maps exactly the two cases of a letter to its lower case, so a folded key
    // that equals a word came from letters only.
    let folded = key | (CASE_BITS & length_mask);
    let tag = match folded {
        NULL => ScalarTag::Null,
        TRUE => ScalarTag::Bool(true),
        FALSE => ScalarTag::Bool(false),
        YES | ON if forms.yes_no => ScalarTag::Bool(true),
        NO | OFF if forms.yes_no => ScalarTag::Bool(false),
        Y if forms.y_n => ScalarTag::Bool(true),
        N if forms.y_n => ScalarTag::Bool(false),
        _ => return forms.unmatched,
    };
    // One bit per upper-case letter; lower, Capital and UPPER are none, the lowest and all.
    let upper = !key & CASE_BITS & length_mask;
    let known = match forms.case {
        Case::Lower => upper == 0,
        Case::Three => upper == 0 || upper == 0x20 || upper == CASE_BITS & length_mask,
        Case::Any => true,
    };
    if known { tag } else { forms.unmatched }
}

/// Up to five bytes as one number, the first byte lowest, zeros above.
#[inline]
const fn pack(text: &[u8]) -> u64 {
    match *text {
        [a] => a as u64,
        [a, b] => u16::from_le_bytes([a, b]) as u64,
        [a, b, c] => u32::from_le_bytes([a, b, c, 0]) as u64,
        [a, b, c, d] => u32::from_le_bytes([a, b, c, d]) as u64,
        [a, b, c, d, e] => u64::from_le_bytes([a, b, c, d, e, 0, 0, 0]),
        _ => 0,
    }
}

const NULL: u64 = pack(b"null");
const TRUE: u64 = pack(b"true");
const FALSE: u64 = pack(b"false");
const YES: u64 = pack(b"yes");
const NO: u64 = pack(b"no");
const ON: u64 = pack(b"on");
const OFF: u64 = pack(b"off");
const Y: u64 = pack(b"y");
const N: u64 = pack(b"n");

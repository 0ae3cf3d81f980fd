//! The rule sets as data, which say what forms of plain scalars each schema recognizes.
//!
//! A rule set is a type with one constant, so the shared scanners in [`super::resolve`],
//! [`super::number`] and [`super::timestamp`] are compiled once per schema, without branches on
//! rules. Adding a dialect, for example Psych's exact rules, takes one more constant.
//!
//! If you change a constant, change `reference.rs` (the same rules as regular expressions), too.

use super::tag::ScalarTag;

/// Class bit: `0`-`9`.
pub(super) const DIGIT: u8 = 1;
/// Class bit: `0`-`7`.
pub(super) const OCTAL: u8 = 2;
/// Class bit: `0`-`9`, `a`-`f`, `A`-`F`.
pub(super) const HEX: u8 = 4;
/// Class bit: `0`, `1`.
pub(super) const BINARY: u8 = 8;
/// Class bit: `_`.
pub(super) const UNDERSCORE: u8 = 16;
/// Class bit: `,`.
pub(super) const COMMA: u8 = 32;
/// Class bit: `.`.
pub(super) const DOT: u8 = 64;

/// The classes of each byte, as a set of the bits above.
pub(super) static CLASS: [u8; 256] = class_table();

/// Builds the table of byte classes.
const fn class_table() -> [u8; 256] {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            b'0' | b'1' => DIGIT | OCTAL | HEX | BINARY,
            b'2'..=b'7' => DIGIT | OCTAL | HEX,
            b'8' | b'9' => DIGIT | HEX,
            b'a'..=b'f' | b'A'..=b'F' => HEX,
            b'_' => UNDERSCORE,
            b',' => COMMA,
            b'.' => DOT,
            _ => 0,
        };
        byte += 1;
    }
    table
}

/// What a plain scalar may be, judging by its first byte.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Start {
    /// Only text.
    Text,
    /// A number or a timestamp.
    Digit,
    /// A signed number.
    Sign,
    /// A fraction, an infinity or not-a-number.
    Dot,
    /// The first letter of a word of the schema.
    Letter,
    /// One of `~`, `<` and `=`.
    Mark,
}

/// The letter cases in which a schema recognizes words.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Case {
    /// Lower case only: `true`.
    Lower,
    /// Three spellings: `true`, `True` and `TRUE`, and for not-a-number `nan`, `NaN` and `NAN`.
    Three,
    /// Any mixture.
    Any,
}

/// The meaning of several decimal digits that begin with `0`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum LeadingZero {
    /// A decimal number: `010` is ten.
    Decimal,
    /// An octal number if there are only octal digits, and otherwise text.
    Octal,
    /// Not a number, because JSON has no such numbers.
    Refused,
}

/// Whether prefixed integers (`0x`, `0o`, `0b`) are recognized.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Prefix {
    /// Not recognized, so that they are text.
    No,
    /// Recognized without a sign.
    Unsigned,
    /// Recognized with or without a sign.
    Signed,
    /// Recognized with or without a sign, with a prefix in lower or upper case.
    SignedAnyCase,
}

/// Whether base-60 numbers are recognized.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Base60 {
    /// Neither integers nor floats are recognized.
    No,
    /// Both are recognized, but only floats may begin with `0`.
    NonZero,
    /// Both are recognized, with any first digit.
    Any,
}

/// The forms of timestamps.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct TimestampForms {
    /// Whether month, day, hour and zone hour may have one digit if there is a time.
    pub short_fields: bool,
    /// Whether a time needs a zone, which has a blank before it exactly if a blank separates date
    /// and time.
    pub zone_required: bool,
    /// Whether timestamps that do not exist in the calendar are text.
    pub calendar: bool,
}

/// The forms of one schema.
#[derive(Clone, Copy)]
pub(super) struct Forms {
    /// The tag of text that matches no form.
    pub unmatched: ScalarTag,
    /// Whether empty text and `~` are null, as the word `null` is.
    pub empty_and_tilde: bool,
    /// The letter cases of words.
    pub case: Case,
    /// Whether `yes`, `no`, `on` and `off` are booleans.
    pub yes_no: bool,
    /// Whether `y` and `n` are booleans.
    pub y_n: bool,
    /// Whether `<<` is the merge key.
    pub merge: bool,
    /// The tag of `=`.
    pub equals: ScalarTag,
    /// Whether numbers may begin with `+`.
    pub plus: bool,
    /// The class bits of the separators allowed between digits.
    pub separators: u8,
    /// The meaning of digits that begin with `0`.
    pub leading_zero: LeadingZero,
    /// Whether integers with `0x` are recognized.
    pub hex: Prefix,
    /// Whether integers with `0o` are recognized.
    pub octal: Prefix,
    /// Whether integers with `0b` are recognized.
    pub binary: Prefix,
    /// Whether base-60 numbers are recognized.
    pub base60: Base60,
    /// Whether a float may lack its integer part: `.5`.
    pub leading_dot: bool,
    /// Whether an exponent may follow without a dot: `1e3`.
    pub bare_exponent: bool,
    /// Whether an exponent must have a sign: `1.5e+3`.
    pub exponent_sign: bool,
    /// The class bits allowed after the dot of a float without an exponent.
    pub fraction: u8,
    /// The class bits allowed between the dot and an exponent.
    pub exponent_fraction: u8,
    /// The class bits allowed in an exponent.
    pub exponent: u8,
    /// Whether `.inf`, `-.inf` and `.nan` are floats.
    pub inf_nan: bool,
    /// The forms of timestamps, if any.
    pub timestamp: Option<TimestampForms>,
}

/// A rule set as a type.
pub(super) trait Rules {
    /// The forms of the rule set.
    const FORMS: Forms;
    /// The table that says, for each first byte, what a plain scalar may be.
    const START: &'static [Start; 256] = &start_table(&Self::FORMS);
}

/// Builds the table that says, for each first byte, what a plain scalar may be under `forms`.
const fn start_table(forms: &Forms) -> [Start; 256] {
    let mut table = [Start::Text; 256];
    let mut digit = b'0';
    while digit <= b'9' {
        table[digit as usize] = Start::Digit;
        digit += 1;
    }
    table[b'-' as usize] = Start::Sign;
    if forms.plus {
        table[b'+' as usize] = Start::Sign;
    }
    if forms.leading_dot || forms.inf_nan {
        table[b'.' as usize] = Start::Dot;
    }
    if forms.empty_and_tilde {
        table[b'~' as usize] = Start::Mark;
    }
    if forms.merge {
        table[b'<' as usize] = Start::Mark;
        table[b'=' as usize] = Start::Mark;
    }
    let letters: &[u8] = if forms.yes_no || forms.y_n { b"ntfyo" } else { b"ntf" };
    let mut i = 0;
    while i < letters.len() {
        table[letters[i] as usize] = Start::Letter;
        if !matches!(forms.case, Case::Lower) {
            table[letters[i].to_ascii_uppercase() as usize] = Start::Letter;
        }
        i += 1;
    }
    table
}

/// YAML 1.2.2, section 10.3.2.
pub(super) struct Core;

impl Rules for Core {
    const FORMS: Forms = Forms {
        unmatched: ScalarTag::Str,
        empty_and_tilde: true,
        case: Case::Three,
        yes_no: false,
        y_n: false,
        merge: false,
        equals: ScalarTag::Str,
        plus: true,
        separators: 0,
        leading_zero: LeadingZero::Decimal,
        hex: Prefix::Unsigned,
        octal: Prefix::Unsigned,
        binary: Prefix::No,
        base60: Base60::No,
        leading_dot: true,
        bare_exponent: true,
        exponent_sign: false,
        fraction: DIGIT,
        exponent_fraction: DIGIT,
        exponent: DIGIT,
        inf_nan: true,
        timestamp: None,
    };
}

/// YAML 1.2.2, section 10.2.2.
pub(super) struct Json;

impl Rules for Json {
    const FORMS: Forms = Forms {
        unmatched: ScalarTag::Unresolved,
        empty_and_tilde: false,
        case: Case::Lower,
        plus: false,
        leading_zero: LeadingZero::Refused,
        hex: Prefix::No,
        octal: Prefix::No,
        leading_dot: false,
        inf_nan: false,
        ..Core::FORMS
    };
}

/// The YAML 1.1 type repository as common readers implement it; see the table in [`super`].
pub(super) struct Yaml11;

impl Rules for Yaml11 {
    const FORMS: Forms = Forms {
        unmatched: ScalarTag::Str,
        empty_and_tilde: true,
        case: Case::Three,
        yes_no: true,
        y_n: false,
        merge: true,
        equals: ScalarTag::Value,
        plus: true,
        separators: UNDERSCORE,
        leading_zero: LeadingZero::Octal,
        hex: Prefix::Signed,
        octal: Prefix::No,
        binary: Prefix::Signed,
        base60: Base60::NonZero,
        leading_dot: true,
        bare_exponent: false,
        exponent_sign: true,
        fraction: DIGIT | UNDERSCORE,
        exponent_fraction: DIGIT | UNDERSCORE,
        exponent: DIGIT,
        inf_nan: true,
        timestamp: Some(Self::TIMESTAMPS),
    };
}

impl Yaml11 {
    /// The forms of timestamps, which the explicit tag `!!timestamp` uses in other schemas.
    pub(super) const TIMESTAMPS: TimestampForms =
        TimestampForms { short_fields: true, zone_required: false, calendar: true };
}

/// The implicit types of Syck.
pub(super) struct Syck;

impl Rules for Syck {
    const FORMS: Forms = Forms {
        equals: ScalarTag::Default,
        separators: COMMA,
        binary: Prefix::No,
        base60: Base60::Any,
        leading_dot: false,
        fraction: DIGIT | COMMA,
        // Syck accepts more dots and drops everything from the second one on.
        exponent_fraction: DIGIT | DOT,
        timestamp: Some(TimestampForms {
            short_fields: false,
            zone_required: true,
            // Syck checks only the form.
            calendar: false,
        }),
        ..Yaml11::FORMS
    };
}

/// The words and numbers that any common reader takes for something other than text, for
/// [`super::needs_quotes`]. The tags have no meaning. Timestamps are checked separately.
pub(super) struct Wide;

impl Rules for Wide {
    const FORMS: Forms = Forms {
        case: Case::Any,
        y_n: true,
        separators: UNDERSCORE | COMMA,
        leading_zero: LeadingZero::Decimal,
        hex: Prefix::SignedAnyCase,
        octal: Prefix::SignedAnyCase,
        binary: Prefix::SignedAnyCase,
        base60: Base60::Any,
        bare_exponent: true,
        exponent_sign: false,
        fraction: DIGIT | UNDERSCORE | COMMA,
        exponent_fraction: DIGIT | UNDERSCORE | COMMA | DOT,
        exponent: DIGIT | UNDERSCORE | COMMA,
        timestamp: None,
        ..Yaml11::FORMS
    };
}

//! Resolves plain scalars by the rules of Psych 4.0. The first byte determines what a scalar can
//! be:
//!
//! | first byte | may be |
//! |---|---|
//! | digit, sign, dot | number, time, day |
//! | colon | symbol |
//! | all others | null, boolean, text |

/// What a plain scalar means in Psych.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Meaning<'t> {
    /// The empty text, `~` or `null`.
    Null,
    /// A word such as `yes`, `true` or `off`.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A float.
    Float(f64),
    /// A symbol with this name.
    Symbol(&'t [u8]),
    /// Text.
    Str,
    /// A rare form that this module does not resolve, such as a date. The binding resolves it.
    Rare,
}

/// Resolves the plain scalar `text`. If `is_strict` is set, an integer with commas is text.
#[inline(always)]
pub fn meaning(text: &[u8], is_strict: bool) -> Meaning<'_> {
    match text.first() {
        None => Meaning::Null,
        Some(b'0'..=b'9' | b'-' | b'+' | b'.') => number(text, is_strict),
        Some(b':') if text.contains(&b'\n') => Meaning::Str,
        Some(b':') => symbol(text),
        Some(_) if text.len() > 5 => Meaning::Str,
        Some(_) => word(text),
    }
}

/// Returns the meaning of `text` if it may be a word such as `yes`: null, a boolean or text.
fn word(text: &[u8]) -> Meaning<'static> {
    let is_one_of =
        |words: &[&str]| words.iter().any(|word| text.eq_ignore_ascii_case(word.as_bytes()));
    if is_one_of(&["~", "null"]) {
        return Meaning::Null;
    }
    if is_one_of(&["yes", "true", "on"]) {
        return Meaning::Bool(true);
    }
    if is_one_of(&["no", "false", "off"]) { Meaning::Bool(false) } else { Meaning::Str }
}

/// Returns the meaning of `text`, which starts with a colon: `:name`, `:"name"` or `:'name'` is a
/// symbol. A second colon at the start of the quoted name is dropped.
fn symbol(text: &[u8]) -> Meaning<'_> {
    let name = &text[1..];
    let quoted = || {
        let quote = *name.first().filter(|byte| matches!(byte, b'"' | b'\''))?;
        let end = name.iter().rposition(|&byte| byte == quote).filter(|&end| end > 0)?;
        let inner = &name[1..end];
        Some(inner.strip_prefix(b":").unwrap_or(inner))
    };
    match name.first() {
        None => Meaning::Str,
        Some(_) => Meaning::Symbol(quoted().unwrap_or(name)),
    }
}

/// Returns the meaning of `text`, which may be a number.
#[inline]
fn number(text: &[u8], is_strict: bool) -> Meaning<'static> {
    let (is_negative, unsigned) = match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, text),
    };
    if let Some(value) = decimal(unsigned) {
        return Meaning::Int(if is_negative { -value } else { value });
    }
    if needs_ruby(text) {
        return Meaning::Rare;
    }
    if unsigned.eq_ignore_ascii_case(b".inf") {
        return Meaning::Float(if is_negative { f64::NEG_INFINITY } else { f64::INFINITY });
    }
    if text.eq_ignore_ascii_case(b".nan") {
        return Meaning::Float(f64::NAN);
    }
    match float(unsigned) {
        Meaning::Float(value) if is_negative => Meaning::Float(-value),
        Meaning::Str => integer(unsigned, is_negative, is_strict),
        found => found,
    }
}

/// Returns the integer that `digits` denotes in the most common form: 1 to 18 decimal digits
/// without a leading zero. Returns `None` for all other forms.
#[inline(always)]
fn decimal(digits: &[u8]) -> Option<i64> {
    let is_usual = matches!(digits.len(), 1..=18) && (digits[0] != b'0' || digits.len() == 1);
    if !is_usual {
        return None;
    }
    digits.iter().try_fold(0i64, |value, byte| {
        byte.is_ascii_digit().then(|| value * 10 + i64::from(byte - b'0'))
    })
}

/// Returns whether `text` may be a time, a date, or a number in base 60. Ruby code resolves these.
fn needs_ruby(text: &[u8]) -> bool {
    let dated = text.strip_prefix(b"-").unwrap_or(text);
    let has_year = dated.len() > 4 && dated[..4].iter().all(u8::is_ascii_digit) && dated[4] == b'-';
    if has_year {
        let is_of_time = |byte: &u8| {
            matches!(
                byte,
                b'0'..=b'9' | b'-' | b'+' | b':' | b'.' | b'T' | b't' | b'Z' | b' ' | b'\t'
            )
        };
        return dated.iter().all(is_of_time);
    }
    let is_of_base_60 = |byte: &u8| matches!(byte, b'0'..=b'9' | b'-' | b'+' | b':' | b'.' | b'_');
    text.contains(&b':') && text.iter().all(is_of_base_60)
}

/// Resolves `text` as digits with a decimal point and, optionally, an exponent, which must have a
/// sign.
fn float(text: &[u8]) -> Meaning<'static> {
    let Some(point) = text.iter().position(|&byte| byte == b'.') else { return Meaning::Str };
    let (whole, rest) = (&text[..point], &text[point + 1..]);
    let fraction_len = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let has_valid_start = whole.is_empty() || whole[0].is_ascii_digit();
    let exponent = &rest[fraction_len..];
    let has_digits = !whole.is_empty() || fraction_len > 0;
    if !has_valid_start || !is_exponent(exponent) || !has_digits {
        return Meaning::Str;
    }
    if !whole.iter().all(u8::is_ascii_digit) {
        let is_separated = whole.iter().all(|byte| byte.is_ascii_digit() || is_separator(*byte));
        return if is_separated { Meaning::Rare } else { Meaning::Str };
    }
    let parsed = std::str::from_utf8(text).ok().and_then(|text| text.parse().ok());
    parsed.map_or(Meaning::Str, Meaning::Float)
}

/// Returns whether `text` is empty or an exponent with a sign.
fn is_exponent(text: &[u8]) -> bool {
    match text {
        [] => true,
        [b'e' | b'E', b'+' | b'-', digits @ ..] => {
            !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)
        }
        _ => false,
    }
}

/// Returns whether `byte` may separate digits.
fn is_separator(byte: u8) -> bool {
    matches!(byte, b'_' | b',')
}

/// Resolves `text` as an integer in base 2, 8, 10 or 16, which may contain separators.
fn integer(text: &[u8], is_negative: bool, is_strict: bool) -> Meaning<'static> {
    let (digits, radix) = match text {
        [b'0', b'b', digits @ ..] => (digits, 2),
        [b'0', b'x', digits @ ..] => (digits, 16),
        [b'0', digits @ ..] if !digits.is_empty() => (digits, 8),
        digits => (digits, 10),
    };
    if !are_digits(digits, radix) {
        return Meaning::Str;
    }
    if is_strict && digits.contains(&b',') {
        return Meaning::Str;
    }
    let value =
        digits.iter().filter(|byte| !is_separator(**byte)).try_fold(0i64, |value, &byte| {
            let digit = char::from(byte).to_digit(radix)?;
            value.checked_mul(radix.into())?.checked_add(digit.into())
        });
    value.map_or(Meaning::Rare, |value| Meaning::Int(if is_negative { -value } else { value }))
}

/// Returns whether `digits` consists of digits of base `radix` and separators. In base 10, a
/// separator must not be at the start or end or follow another one.
fn are_digits(digits: &[u8], radix: u32) -> bool {
    let is_digit = |byte: u8| char::from(byte).is_digit(radix);
    if radix != 10 {
        // The `0` that marks base 8 is a digit itself.
        let has_digit = radix == 8 || digits.iter().any(|&byte| is_digit(byte));
        return has_digit && digits.iter().all(|&byte| is_digit(byte) || is_separator(byte));
    }
    let is_alone = |pair: &[u8]| !(is_separator(pair[0]) && is_separator(pair[1]));
    digits.first().is_some_and(|&byte| is_digit(byte))
        && digits.last().is_some_and(|&byte| is_digit(byte))
        && digits.iter().all(|&byte| is_digit(byte) || is_separator(byte))
        && digits.windows(2).all(is_alone)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scalars_resolve_as_in_psych() {
        for (text, expected) in [
            ("", Meaning::Null),
            ("~", Meaning::Null),
            ("Yes", Meaning::Bool(true)),
            ("yes, sir", Meaning::Str),
            ("-0x1F", Meaning::Int(-31)),
            ("0o17", Meaning::Str),
            ("017", Meaning::Int(15)),
            ("1_000", Meaning::Int(1000)),
            ("-.inf", Meaning::Float(f64::NEG_INFINITY)),
            ("1e3", Meaning::Str),
            ("1.5e+3", Meaning::Float(1500.0)),
            (":a", Meaning::Symbol(b"a")),
            (":\":a b\"", Meaning::Symbol(b"a b")),
            (":", Meaning::Str),
            ("2026-05-17", Meaning::Rare),
            ("1:30", Meaning::Rare),
            ("99999999999999999999", Meaning::Rare),
        ] {
            assert_eq!(meaning(text.as_bytes(), false), expected, "{text}");
        }
    }

    #[test]
    fn a_comma_between_digits_is_text_if_strict() {
        assert_eq!(meaning(b"1,000", false), Meaning::Int(1000));
        assert_eq!(meaning(b"1,000", true), Meaning::Str);
    }
}

//! Writes floats as JSON numbers with all their digits, without rounding.

use std::borrow::Cow;

/// Returns a decimal float of any schema as a JSON number: unchanged if JSON's grammar allows it,
/// and otherwise converted to JSON's grammar. Returns `None` for anything else, such as `.inf` and
/// base 60.
///
/// The result always has a fraction or an exponent: `!!float 1` becomes `1.0`.
pub(super) fn float(text: &[u8]) -> Option<Cow<'_, [u8]>> {
    match shape(text)? {
        Shape { is_json: true, is_integer: false } => Some(text.into()),
        Shape { is_integer: false, .. } => Some(normal(text).into()),
        Shape { is_integer: true, .. } => {
            let mut digits = normal(text);
            digits.extend_from_slice(b".0");
            Some(digits.into())
        }
    }
}

/// What is known about the form of a decimal number.
struct Shape {
    /// Whether JSON's grammar allows it (RFC 8259, section 6).
    is_json: bool,
    /// Whether it has neither a fraction nor an exponent.
    is_integer: bool,
}

/// Returns the shape of `[-+]? digits (. digits)? ([eE] [-+]? digits)?`, where digits may be
/// missing on one side of the dot and have separators. Returns `None` for anything else.
fn shape(text: &[u8]) -> Option<Shape> {
    let unsigned = text.strip_prefix(b"-").unwrap_or(text);
    let mut is_json = !unsigned.starts_with(b"+");
    let unsigned = unsigned.strip_prefix(b"+").unwrap_or(unsigned);
    let mut separated = false;
    let mut run = |from: usize| {
        let rest = &unsigned[from..];
        let is_part = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'_' | b',');
        let len = rest.iter().position(|byte| !is_part(byte)).unwrap_or(rest.len());
        separated |= !rest[..len].iter().all(u8::is_ascii_digit);
        (from + len, rest[..len].iter().any(u8::is_ascii_digit))
    };
    let (mut at, has_whole) = run(0);
    is_json &= has_whole && (at == 1 || unsigned[0] != b'0');
    let mut has_digits = has_whole;
    let is_integer = at == unsigned.len();
    if unsigned.get(at) == Some(&b'.') {
        let (end, has_fraction) = run(at + 1);
        is_json &= has_fraction;
        has_digits |= has_fraction;
        at = end;
    }
    if let Some(b'e' | b'E') = unsigned.get(at) {
        let sign = usize::from(matches!(unsigned.get(at + 1), Some(b'+' | b'-')));
        let (end, has_exponent) = run(at + 1 + sign);
        has_digits &= has_exponent;
        at = end;
    }
    let is_whole = has_digits && at == unsigned.len();
    is_whole.then_some(Shape { is_json: is_json && !separated, is_integer })
}

/// Returns the number in `text` without a plus, separators and leading zeros, and with digits on
/// both sides of the dot.
fn normal(text: &[u8]) -> Vec<u8> {
    let (sign, digits) = match text {
        [b'-', rest @ ..] => (b"-".as_slice(), rest),
        [b'+', rest @ ..] => (b"".as_slice(), rest),
        _ => (b"".as_slice(), text),
    };
    let digits = digits.iter().copied().filter(|byte| !matches!(byte, b'_' | b','));
    let mut out = sign.to_vec();
    let mut before = None;
    for byte in digits {
        let is_leading = out.len() == sign.len();
        match (before, byte) {
            // A leading zero is replaced by the digit that follows it.
            (Some(b'0'), b'0'..=b'9') if out.len() == sign.len() + 1 && out.ends_with(b"0") => {
                out.pop();
            }
            (_, b'.' | b'e' | b'E') if is_leading => out.push(b'0'),
            (Some(b'.'), b'e' | b'E') => out.push(b'0'),
            _ => {}
        }
        out.push(byte);
        before = Some(byte);
    }
    if before == Some(b'.') {
        out.push(b'0');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_kept_and_spellings_become_those_of_json() {
        for (text, want) in [
            ("1.50", Some("1.50")),
            ("0.1234567890123456789012345", Some("0.1234567890123456789012345")),
            ("1e400", Some("1e400")),
            ("-0.0", Some("-0.0")),
            ("1E+3", Some("1E+3")),
            ("0e0", Some("0e0")),
            (".5", Some("0.5")),
            ("-.5e3", Some("-0.5e3")),
            ("1.", Some("1.0")),
            ("1.e5", Some("1.0e5")),
            ("+1.5", Some("1.5")),
            ("007.50", Some("7.50")),
            ("00.5", Some("0.5")),
            ("00e1", Some("0e1")),
            ("1_000.2_5", Some("1000.25")),
            ("1,000.5", Some("1000.5")),
            ("0_1.5", Some("1.5")),
            ("12", Some("12.0")),
            ("+0", Some("0.0")),
            ("190:20:30.15", None),
            ("1.2.3", None),
            (".inf", None),
            (".", None),
            ("1e", None),
            ("", None),
            ("_", None),
        ] {
            let found = float(text.as_bytes());
            let found = found.as_deref().map(|digits| std::str::from_utf8(digits).unwrap());
            assert_eq!(found, want, "{text}");
        }
    }

    #[test]
    fn respelled_numbers_keep_their_value() {
        for text in ["00012.5", "-0001e3", "+.25", "1_2.5_0e-1_0", "3."] {
            let clean = text.replace('_', "");
            let digits = float(text.as_bytes()).unwrap().into_owned();
            let found: f64 = std::str::from_utf8(&digits).unwrap().parse().unwrap();
            assert_eq!(found, clean.parse::<f64>().unwrap(), "{text}");
        }
    }
}

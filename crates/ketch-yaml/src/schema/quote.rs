//! Which strings would be read as something else if they were written plain.

use super::forms::{CLASS, COMMA, DIGIT, DOT, UNDERSCORE, Wide};
use super::resolve::resolve;
use super::tag::ScalarTag;

/// Whether a string, written as a plain scalar, would be read as something other than this
/// string by any common reader.
///
/// That is the union of the schemas of this module and of what libyaml-based readers, Psych,
/// PyYAML, SnakeYAML, go-yaml and js-yaml make of their input: capitals in any mixture, `y` and
/// `n`, `1,000`, `0B1`, `1e3`, `1:30`, `:symbol`, dates with short fields. Only resolution is
/// looked at; whether indicators, blanks or line breaks demand quotes is the presenter's matter.
/// A word costs a few nanoseconds, a number a look at each byte.
///
/// ```
/// use ketch_yaml::schema::needs_quotes;
///
/// for text in ["", "~", "no", "nO", "y", "0777", "1e3", "1_000", "2001-1-1", "<<", ":a"] {
///     assert!(needs_quotes(text.as_bytes()), "{text}");
/// }
/// for text in ["none", "yesterday", "1.2.3", "10.0.0.1", "v1", "0xyz", "-", "a:b", "..."] {
///     assert!(!needs_quotes(text.as_bytes()), "{text}");
/// }
/// ```
#[must_use]
pub fn needs_quotes(text: &[u8]) -> bool {
    resolve::<Wide>(text) != ScalarTag::Str || is_ruby_symbol(text) || is_odd_number(text)
}

/// Psych reads a colon with anything behind it as a symbol.
fn is_ruby_symbol(text: &[u8]) -> bool {
    text.len() > 1 && text[0] == b':'
}

/// Numbers whose first digit hides behind underscores, `+_1` and `._5`: SnakeYAML and js-yaml
/// have read such text. One sign or dot, then only what numbers are made of, one digit at least.
fn is_odd_number(text: &[u8]) -> bool {
    let rest = match text {
        [b'+' | b'-', rest @ ..] => rest,
        [b'.', ..] => text,
        _ => return false,
    };
    let numeric = |&byte: &u8| {
        let class = CLASS[byte as usize] & (DIGIT | UNDERSCORE | COMMA | DOT);
        class != 0 || matches!(byte, b'e' | b'E' | b'+' | b'-')
    };
    matches!(rest.first(), Some(b'_' | b'.'))
        && rest.iter().all(numeric)
        && rest.iter().any(u8::is_ascii_digit)
}

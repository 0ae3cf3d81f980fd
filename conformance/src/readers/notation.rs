//! The protocol between this crate and the readers.
//!
//! A reader gets a file of cases: for each, a line with the number of documents and the number of
//! bytes, followed by the bytes. It prints its version on a line, and then a line for each case:
//!
//! | value | notation |
//! |---|---|
//! | null, booleans | `null`, `true`, `false` |
//! | integer | `i` and decimal digits: `i-7` |
//! | float | `f` and its bits in hexadecimal digits, `nan` |
//! | text | `"`, ASCII letters and digits unchanged, all else as `%20;` |
//! | sequence | `[i1,i2]` |
//! | mapping | `{"a:i1,"b:i2}`, its entries sorted as text |
//! | anything else | `?`, its type and its text |
//! | several documents | `;` between them |
//! | no value | `error` and a message |

use ketch::{Number, Value};
use std::fmt::Write;

/// The types of a reader's host language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Host {
    /// The integers that the language supports.
    pub integers: Integers,
    /// Whether keys that are not text keep their types.
    pub any_keys: bool,
}

/// The integers that a host language supports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Integers {
    /// Integers of any size.
    Exact,
    /// Integers of 64 bits, signed or unsigned. Others become floats.
    WideOrFloat,
    /// Integers of 64 bits, signed or unsigned. Others become text that consists of their digits.
    WideOrText,
    /// No integers: all numbers are floats.
    Doubles,
}

impl Host {
    /// A host that supports all types.
    pub const EXACT: Host = Host { integers: Integers::Exact, any_keys: true };

    /// Returns whether the host can represent these documents.
    pub fn holds(self, documents: &[Value]) -> bool {
        self.any_keys || documents.iter().all(has_text_keys)
    }
}

/// Returns whether all keys in a value are text, also in nested mappings.
fn has_text_keys(value: &Value) -> bool {
    match value {
        Value::Sequence(items) => items.iter().all(has_text_keys),
        Value::Mapping(pairs) => {
            pairs.iter().all(|(key, value)| key.as_str().is_some() && has_text_keys(value))
        }
        _ => true,
    }
}

/// Returns a value in the notation, as a reader in this host language prints it.
pub fn shown(value: &Value, host: Host) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Number(value) => number(value, host.integers),
        Value::String(text) => quoted(text),
        Value::Sequence(items) => {
            let items: Vec<String> = items.iter().map(|item| shown(item, host)).collect();
            format!("[{}]", items.join(","))
        }
        Value::Mapping(pairs) => {
            let entry = |(key, value)| format!("{}:{}", shown(key, host), shown(value, host));
            let mut entries: Vec<String> = pairs.iter().map(entry).collect();
            entries.sort();
            format!("{{{}}}", entries.join(","))
        }
        other => unreachable!("no case holds {other:?}"),
    }
}

/// Returns the notation of a number, as a host with these integers represents it.
fn number(value: &Number, integers: Integers) -> String {
    let Some(integer) = value.to_big_int() else { return float(value.as_f64()) };
    let digits = integer.to_string();
    let is_wide = integer >= i64::MIN.into() && integer <= u64::MAX.into();
    match integers {
        Integers::Exact => format!("i{digits}"),
        Integers::WideOrFloat | Integers::WideOrText if is_wide => format!("i{digits}"),
        Integers::WideOrText => quoted(&digits),
        _ => float(digits.parse().ok()),
    }
}

fn float(value: Option<f64>) -> String {
    let value = value.expect("a number is an integer or a float");
    if value.is_nan() { "nan".to_owned() } else { format!("f{:016x}", value.to_bits()) }
}

/// Returns a text in the notation: ASCII letters and digits unchanged, and all other characters as
/// escapes.
fn quoted(text: &str) -> String {
    let mut out = String::from('"');
    for ch in text.chars() {
        if ch.is_ascii_alphanumeric() {
            out.push(ch);
        } else {
            let _ = write!(out, "%{:x};", u32::from(ch));
        }
    }
    out
}

/// Returns a value in the notation with its escapes replaced by the characters, for people to read.
pub fn readable(notation: &str) -> String {
    let mut parts = notation.split('%');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let escape = part.split_once(';');
        let character = escape.and_then(|(digits, _)| u32::from_str_radix(digits, 16).ok());
        match (escape, character.map(char::from_u32)) {
            (Some((_, rest)), Some(Some(ch))) => {
                out.extend(ch.escape_debug());
                out.push_str(rest);
            }
            _ => {
                out.push('%');
                out.push_str(part);
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_distinct() {
        let value: Value =
            ketch::from_str("{b: [1, 1.0, '1'], a b: ~, -0.0: .nan, true: 'true'}").expect("YAML");
        let expected =
            r#"{"a%20;b:null,"b:[i1,f3ff0000000000000,"1],f8000000000000000:nan,true:"true}"#;
        assert_eq!(shown(&value, Host::EXACT), expected);
        assert!(!Host { any_keys: false, ..Host::EXACT }.holds(&[value]));
    }

    #[test]
    fn hosts_have_integers_of_their_own() {
        let value: Value = ketch::from_str("18446744073709551616").expect("YAML");
        let shown_by = |integers| shown(&value, Host { integers, ..Host::EXACT });
        assert_eq!(shown_by(Integers::Exact), "i18446744073709551616");
        assert_eq!(shown_by(Integers::WideOrFloat), "f43f0000000000000");
        assert_eq!(shown_by(Integers::WideOrText), "\"18446744073709551616");
        assert_eq!(
            shown(&1.into(), Host { integers: Integers::Doubles, ..Host::EXACT }),
            "f3ff0000000000000"
        );
        assert_eq!(shown(&1.into(), Host { integers: Integers::WideOrFloat, ..Host::EXACT }), "i1");
    }

    #[test]
    fn readable_notation_shows_escapes_as_characters() {
        assert_eq!(readable(r#"["a%20;b%85;,"%25;,"100%"#), "[\"a b\\u{85},\"%,\"100%");
    }
}

//! Formats new values for operations as YAML in flow style, because operations take values as YAML
//! text.

use ketch_yaml::path::Step;
use std::fmt::Write;

/// The maximum depth of a value, in levels of nesting.
pub const DEPTH_MAX: usize = 100;

/// Appends `text` to `out` as a double-quoted scalar.
///
/// ```
/// let mut out = String::new();
/// ketch_host::edit::source::push_text(&mut out, "a\n\"b\"");
/// assert_eq!(out, r#""a\n\"b\"""#);
/// ```
pub fn push_text(out: &mut String, text: &str) {
    out.push('"');
    let mut rest = text;
    while let Some(at) = rest.find(|ch: char| needs_escape(ch)) {
        out.push_str(&rest[..at]);
        let mut chars = rest[at..].chars();
        if let Some(ch) = chars.next() {
            match ch {
                '"' | '\\' => out.extend(['\\', ch]),
                '\n' => out.push_str("\\n"),
                '\t' => out.push_str("\\t"),
                ch => {
                    let _ = write!(out, "\\U{:08x}", u32::from(ch));
                }
            }
        }
        rest = chars.as_str();
    }
    out.push_str(rest);
    out.push('"');
}

/// Returns whether `ch` has to be escaped in double quotes. This includes the line breaks that only
/// YAML 1.1 has.
fn needs_escape(ch: char) -> bool {
    matches!(ch, '"' | '\\' | '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}')
        || ch.is_control()
}

/// Returns the key or the index of a neighboring entry as text.
pub fn neighbor(step: Step) -> String {
    match step {
        Step::Key(text) | Step::Plain(text) => text,
        Step::Index(index) => index.to_string(),
        _ => String::new(),
    }
}

/// Appends `value` to `out` as YAML.
///
/// ```
/// let mut out = String::new();
/// ketch_host::edit::source::push_float(&mut out, 1.5);
/// ketch_host::edit::source::push_float(&mut out, f64::NEG_INFINITY);
/// assert_eq!(out, "1.5-.inf");
/// ```
pub fn push_float(out: &mut String, value: f64) {
    match value {
        value if value.is_nan() => out.push_str(".nan"),
        f64::INFINITY => out.push_str(".inf"),
        f64::NEG_INFINITY => out.push_str("-.inf"),
        value => {
            // `{:?}` always writes a point or an exponent, but a positive exponent without the sign
            // that YAML parsers may require.
            let text = format!("{value:?}");
            match text.split_once('e') {
                Some((digits, exponent)) if !exponent.starts_with('-') => {
                    let _ = write!(out, "{digits}e+{exponent}");
                }
                _ => out.push_str(&text),
            }
        }
    }
}

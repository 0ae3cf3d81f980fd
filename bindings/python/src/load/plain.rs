//! Resolves plain scalars by the rules of PyYAML's safe loader, which differ from all schemas.
//!
//! The common forms are resolved here, all others in Python, by `ketch.yaml._scalars`.

use crate::host;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

/// The meaning of a plain scalar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Meaning {
    Str,
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    /// A scalar `<<` or `=`.
    Merge,
    /// A scalar in a rare form, which Python code has to resolve.
    Rare,
}

/// Returns the meaning of a plain scalar.
#[inline(always)]
pub fn meaning(text: &[u8]) -> Meaning {
    match text.first() {
        None | Some(b'~') if text.len() < 2 => Meaning::Null,
        Some(b'0'..=b'9' | b'+' | b'-' | b'.') => number(text),
        Some(b'<') if text == b"<<" => Meaning::Merge,
        Some(b'=') if text == b"=" => Meaning::Merge,
        Some(b'y' | b'Y' | b'n' | b'N' | b't' | b'T' | b'f' | b'F' | b'o' | b'O')
            if text.len() <= 5 =>
        {
            word(text)
        }
        _ => Meaning::Str,
    }
}

/// Returns the meaning of a scalar that may be a word such as `yes`.
fn word(text: &[u8]) -> Meaning {
    match text {
        b"null" | b"Null" | b"NULL" => Meaning::Null,
        b"true" | b"True" | b"TRUE" | b"yes" | b"Yes" | b"YES" | b"on" | b"On" | b"ON" => {
            Meaning::Bool(true)
        }
        b"false" | b"False" | b"FALSE" | b"no" | b"No" | b"NO" | b"off" | b"Off" | b"OFF" => {
            Meaning::Bool(false)
        }
        _ => Meaning::Str,
    }
}

/// The number of digits that always fit into 64 bits.
const DIGITS_MAX: usize = 18;

/// Returns the meaning of a scalar that may be a number.
fn number(text: &[u8]) -> Meaning {
    let digits = text.strip_prefix(b"-").or_else(|| text.strip_prefix(b"+")).unwrap_or(text);
    let is_decimal = |digits: &[u8]| digits.iter().all(u8::is_ascii_digit);
    let parsed = std::str::from_utf8(text).unwrap_or_default();
    if is_decimal(digits) && (1..=DIGITS_MAX).contains(&digits.len()) {
        // With a leading zero, the scalar is an octal number or text.
        return match digits {
            [b'0', _, ..] => Meaning::Rare,
            _ => parsed.parse().map_or(Meaning::Rare, Meaning::Int),
        };
    }
    if let Some(dot) = digits.iter().position(|&byte| byte == b'.')
        && dot > 0
        && is_decimal(&digits[..dot])
        && is_decimal(&digits[dot + 1..])
    {
        return parsed.parse().map_or(Meaning::Rare, Meaning::Float);
    }
    if may_be_number_or_time(text) { Meaning::Rare } else { Meaning::Str }
}

/// Returns whether `text` consists only of characters that also occur in numbers and times.
fn may_be_number_or_time(text: &[u8]) -> bool {
    let dots = text.iter().filter(|&&byte| byte == b'.').count();
    let is_part =
        |&byte: &u8| byte.is_ascii_hexdigit() || b"xXoO_.:+-TtZ \tinfINFa".contains(&byte);
    dots < 2 && text.len() > 1 && text.iter().all(is_part)
}

/// Returns the value of a plain scalar in a rare form, as Python code resolves it. The value may be
/// a string after all.
pub fn rare<'py>(text: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    static PLAIN: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let py = text.py();
    let plain = PLAIN.get_or_try_init(py, || -> PyResult<Py<PyAny>> {
        Ok(py.import("ketch.yaml._scalars")?.getattr("plain")?.unbind())
    })?;
    plain.bind(py).call1((text,))
}

/// Returns whether `text` would be read as a string if it were written as a plain scalar.
///
/// # Errors
///
/// Passes on the exceptions of the Python code that resolves rare forms.
#[inline(always)]
pub fn is_text(py: Python<'_>, text: &str) -> PyResult<bool> {
    match meaning(text.as_bytes()) {
        Meaning::Str => Ok(true),
        Meaning::Rare => Ok(tag(py, text)? == "str"),
        _ => Ok(false),
    }
}

/// Returns the tag of the plain scalar `text` without its prefix, as Python code resolves it.
#[cold]
pub fn tag(py: Python<'_>, text: &str) -> PyResult<String> {
    static TAG: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let tag_of = TAG.get_or_try_init(py, || -> PyResult<Py<PyAny>> {
        Ok(py.import("ketch.yaml._scalars")?.getattr("tag_of")?.unbind())
    })?;
    let text = host::string(py, text.as_bytes(), false)?;
    tag_of.bind(py).call1(host::arguments(py, [text])?)?.extract()
}

//! Formats: `@text`, `@json`, `@csv` and the others.

use super::strings::to_text;
use super::types::wrong;
use crate::error::{Failure, Kind as ErrorKind};
use crate::value::{Kind, Value};
use base64::Engine as _;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use std::fmt::Write as _;

const NAMES: [&str; 11] =
    ["text", "json", "csv", "tsv", "html", "uri", "urid", "sh", "base64", "base64d", "yaml"];

/// Returns the number of a format.
pub fn format(name: &str) -> Option<u8> {
    NAMES.iter().position(|known| *known == name).map(|at| at as u8)
}

/// Returns the error for a format that does not exist.
pub fn unknown(name: &str) -> Failure {
    Failure::new(ErrorKind::InvalidArgument, format!("{name} is not a valid format"))
}

/// Formats a value.
pub fn formatted(format: u8, value: &Value) -> Result<Value, Failure> {
    let text = to_text(value);
    Ok(match NAMES.get(format as usize).copied().unwrap_or_default() {
        "text" => Value::Text(text),
        "json" => value.to_json().into(),
        "csv" => row(value, "csv", ',', |text| format!("\"{}\"", text.replace('"', "\"\"")))?,
        "tsv" => row(value, "tsv", '\t', escape_tsv)?,
        "html" => escape_html(&text).into(),
        "uri" => escape_uri(&text).into(),
        "urid" => unescape_uri(&text).ok_or_else(|| wrong(value, "is not a valid uri encoding"))?,
        "sh" => shell(value)?,
        "base64" => base64::engine::general_purpose::STANDARD.encode(text.as_bytes()).into(),
        "base64d" => decode_base64(&text, value)?,
        _ => value.to_yaml()?.into(),
    })
}

/// Formats by the name of the format.
pub fn by_name(name: &str, value: &Value) -> Result<Value, Failure> {
    format(name).map_or_else(|| Err(unknown(name)), |number| formatted(number, value))
}

/// Formats a row of a table.
fn row(
    value: &Value,
    name: &str,
    separator: char,
    text: impl Fn(&str) -> String,
) -> Result<Value, Failure> {
    let Some(array) = value.as_array() else {
        return Err(wrong(value, &format!("cannot be {name}-formatted, only array")));
    };
    let mut line = String::new();
    for (at, entry) in array.entries.iter().enumerate() {
        if at > 0 {
            line.push(separator);
        }
        match entry.kind() {
            Kind::Null => {}
            Kind::False | Kind::True => line.push_str(&to_text(entry)),
            Kind::Number if entry.as_number().is_some_and(|number| number.is_nan()) => {}
            Kind::Number => line.push_str(&to_text(entry)),
            Kind::Text => line.push_str(&text(&to_text(entry))),
            _ => return Err(wrong(entry, "is not valid in a csv row")),
        }
    }
    Ok(line.into())
}

fn escape_tsv(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\t', "\\t").replace('\r', "\\r").replace('\n', "\\n")
}

fn escape_html(text: &str) -> String {
    let mut escaped = String::new();
    for ch in text.chars() {
        match ch {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '\'' => escaped.push_str("&apos;"),
            '"' => escaped.push_str("&quot;"),
            _ => escaped.push(ch),
        }
    }
    escaped
}

fn escape_uri(text: &str) -> String {
    let mut escaped = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            escaped.push(byte as char);
        } else {
            let _ = write!(escaped, "%{byte:02X}");
        }
    }
    escaped
}

fn unescape_uri(text: &str) -> Option<Value> {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digits = std::str::from_utf8(rest.get(..2)?).ok()?;
        if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        rest = &rest[2..];
    }
    Some(String::from_utf8(bytes).ok()?.into())
}

fn shell(value: &Value) -> Result<Value, Failure> {
    let entries = match value.kind() {
        Kind::Array => value.as_array().unwrap_or_default().entries.clone(),
        _ => vec![value.clone()],
    };
    let mut words = Vec::new();
    for entry in &entries {
        words.push(match entry.kind() {
            Kind::Array | Kind::Object => return Err(wrong(entry, "can not be escaped for shell")),
            Kind::Text => {
                let text = to_text(entry).replace('\'', "'\\''").replace('\0', "\\0");
                format!("'{text}'")
            }
            _ => to_text(entry).to_string(),
        });
    }
    Ok(words.join(" ").into())
}

fn decode_base64(text: &str, value: &Value) -> Result<Value, Failure> {
    const LENIENT: GeneralPurpose = GeneralPurpose::new(
        &base64::alphabet::STANDARD,
        GeneralPurposeConfig::new()
            .with_decode_allow_trailing_bits(true)
            .with_decode_padding_mode(DecodePaddingMode::Indifferent),
    );
    let bare = text.trim_end_matches('=');
    if bare.len() % 4 == 1
        && bare.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+/".contains(&byte))
    {
        return Err(wrong(value, "trailing base64 byte found"));
    }
    match LENIENT.decode(bare) {
        Ok(bytes) => Ok(String::from_utf8_lossy(&bytes).into_owned().into()),
        Err(_) => Err(wrong(value, "is not valid base64 data")),
    }
}

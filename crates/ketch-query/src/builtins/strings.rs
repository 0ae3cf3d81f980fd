//! Builtins on texts.

use super::types::{Builtin, Call, wrong};
use crate::error::{Failure, Kind as ErrorKind, described};
use crate::json;
use crate::value::{Kind, Value};
use std::sync::Arc;

pub(super) const BUILTINS: &[(&str, usize, Builtin)] = &[
    ("tostring", 0, |call| Ok(to_text(&call.input).into())),
    ("tonumber", 0, to_number),
    ("toboolean", 0, to_boolean),
    ("startswith", 1, |call| affix(call, "startswith", |text, part| text.starts_with(part))),
    ("endswith", 1, |call| affix(call, "endswith", |text, part| text.ends_with(part))),
    ("ltrimstr", 1, |call| trim_affix(call, true, false)),
    ("rtrimstr", 1, |call| trim_affix(call, false, true)),
    ("trimstr", 1, |call| trim_affix(call, true, true)),
    ("trim", 0, |call| trim(call, "trim", |text| text.trim_matches(is_blank))),
    ("ltrim", 0, |call| trim(call, "trim", |text| text.trim_start_matches(is_blank))),
    ("rtrim", 0, |call| trim(call, "trim", |text| text.trim_end_matches(is_blank))),
    ("split", 1, split_text),
    ("join", 1, join),
    ("explode", 0, explode),
    ("implode", 0, implode),
    ("ascii_downcase", 0, |call| cased(call, |byte| byte.to_ascii_lowercase())),
    ("ascii_upcase", 0, |call| cased(call, |byte| byte.to_ascii_uppercase())),
    ("utf8bytelength", 0, byte_length),
    ("_strindices", 1, |call| {
        let Some(text) = call.input.as_text() else {
            return Err(call.wrong("cannot be searched, as it is not a string"));
        };
        match call.args[0].as_text() {
            Some(part) => Ok(indices(&text, &part)),
            None => Err(wrong(&call.args[0], "is not a string")),
        }
    }),
];

/// Returns the text of a value: of a text itself, of all others as JSON.
pub fn to_text(value: &Value) -> Arc<str> {
    value.as_text().unwrap_or_else(|| value.to_json().into())
}

fn to_number(call: &mut Call<'_, '_>) -> Result<Value, Failure> {
    if call.input.kind() == Kind::Number {
        return Ok(std::mem::take(&mut call.input));
    }
    let number = call.input.as_text().and_then(|text| json::number(&text));
    number.map(Value::Number).ok_or_else(|| Failure {
        kind: ErrorKind::NotANumber,
        ..call.wrong("cannot be parsed as a number")
    })
}

fn to_boolean(call: &mut Call<'_, '_>) -> Result<Value, Failure> {
    match (call.input.kind(), call.input.as_text().as_deref()) {
        (Kind::False | Kind::True, _) => Ok(call.input.clone()),
        (_, Some("true")) => Ok(Value::Bool(true)),
        (_, Some("false")) => Ok(Value::Bool(false)),
        _ => Err(call.wrong("cannot be parsed as a boolean")),
    }
}

/// Returns the input and the argument as texts.
fn two_texts(call: &Call<'_, '_>, message: &str) -> Result<(Arc<str>, Arc<str>), Failure> {
    let texts = call.input.as_text().zip(call.args[0].as_text());
    texts.ok_or_else(|| Failure::new(ErrorKind::WrongKind, message).about(&call.input))
}

fn affix(
    call: &mut Call<'_, '_>,
    name: &str,
    test: fn(&str, &str) -> bool,
) -> Result<Value, Failure> {
    let (text, part) = two_texts(call, &format!("{name}() requires string inputs"))?;
    Ok(Value::Bool(test(&text, &part)))
}

fn trim_affix(call: &mut Call<'_, '_>, start: bool, end: bool) -> Result<Value, Failure> {
    let name = if start { "startswith" } else { "endswith" };
    let (text, part) = two_texts(call, &format!("{name}() requires string inputs"))?;
    let mut rest = &*text;
    if start {
        rest = rest.strip_prefix(&*part).unwrap_or(rest);
    }
    if end {
        rest = rest.strip_suffix(&*part).unwrap_or(rest);
    }
    Ok(if rest.len() == text.len() { call.input.clone() } else { rest.into() })
}

/// Returns whether `trim` removes a character.
fn is_blank(ch: char) -> bool {
    ch.is_whitespace()
}

fn trim(call: &mut Call<'_, '_>, name: &str, run: fn(&str) -> &str) -> Result<Value, Failure> {
    let Some(text) = call.input.as_text() else {
        let message = format!("{name} input must be a string");
        return Err(Failure::new(ErrorKind::WrongKind, message).about(&call.input));
    };
    let rest = run(&text);
    Ok(if rest.len() == text.len() { call.input.clone() } else { rest.into() })
}

fn split_text(call: &mut Call<'_, '_>) -> Result<Value, Failure> {
    let (text, separator) = two_texts(call, "split input and separator must be strings")?;
    Ok(split(&text, &separator))
}

/// Splits a text: at an empty separator into its characters.
pub fn split(text: &str, separator: &str) -> Value {
    let parts: Vec<Value> = match (text, separator) {
        ("", _) => Vec::new(),
        (_, "") => text.chars().map(|ch| ch.to_string().into()).collect(),
        _ => text.split(separator).map(Value::from).collect(),
    };
    Value::array(parts)
}

/// Joins entries; null is empty.
fn join(call: &mut Call<'_, '_>) -> Result<Value, Failure> {
    let separator = call.arg(0);
    let Some(array) = call.input.as_array() else {
        let message = format!("Cannot iterate over {}", described(&call.input));
        return Err(Failure::new(ErrorKind::WrongKind, message).about(&call.input));
    };
    if array.entries.is_empty() {
        return Ok("".into());
    }
    let between = separator.as_text();
    let mut joined = String::new();
    for (at, entry) in array.entries.iter().enumerate() {
        if at > 0 {
            match &between {
                Some(text) => joined.push_str(text),
                None if separator.kind() == Kind::Null => {}
                None => {
                    let what = format!("and {} cannot be added", described(&separator));
                    return Err(wrong(&joined.into(), &what));
                }
            }
        }
        match entry.kind() {
            Kind::Null => {}
            Kind::Array | Kind::Object => {
                let what = format!("and {} cannot be added", described(entry));
                return Err(wrong(&joined.into(), &what));
            }
            _ => joined.push_str(&to_text(entry)),
        }
    }
    Ok(joined.into())
}

fn explode(call: &mut Call<'_, '_>) -> Result<Value, Failure> {
    let Some(text) = call.input.as_text() else {
        return Err(
            Failure::new(ErrorKind::WrongKind, "explode input must be a string").about(&call.input)
        );
    };
    Ok(Value::array(text.chars().map(|ch| i64::from(u32::from(ch)).into()).collect()))
}

fn implode(call: &mut Call<'_, '_>) -> Result<Value, Failure> {
    let Some(array) = call.input.as_array() else {
        return Err(
            Failure::new(ErrorKind::WrongKind, "implode input must be an array").about(&call.input)
        );
    };
    let mut text = String::new();
    for entry in &array.entries {
        let Some(number) = entry.as_number().filter(|number| !number.is_nan()) else {
            return Err(wrong(entry, "can't be imploded, unicode codepoint needs to be numeric"));
        };
        let ch = u32::try_from(number.truncated_i64()).ok().and_then(char::from_u32);
        text.push(ch.unwrap_or(char::REPLACEMENT_CHARACTER));
    }
    Ok(text.into())
}

fn cased(call: &mut Call<'_, '_>, change: fn(u8) -> u8) -> Result<Value, Failure> {
    let Some(text) = call.input.as_text() else {
        return Err(
            Failure::new(ErrorKind::WrongKind, "explode input must be a string").about(&call.input)
        );
    };
    let change = |ch: char| if ch.is_ascii() { change(ch as u8) as char } else { ch };
    Ok(text.chars().map(change).collect::<String>().into())
}

fn byte_length(call: &mut Call<'_, '_>) -> Result<Value, Failure> {
    match call.input.as_text() {
        Some(text) => Ok(Value::count(text.len())),
        None => Err(call.wrong("only strings have UTF-8 byte length")),
    }
}

/// Returns the positions of `part` in `text`, in characters, also overlapping ones.
fn indices(text: &str, part: &str) -> Value {
    let mut found = Vec::new();
    if !part.is_empty() {
        for (position, (at, _)) in text.char_indices().enumerate() {
            if text[at..].starts_with(part) {
                found.push(Value::count(position));
            }
        }
    }
    Value::array(found)
}

//! Values as they are written: ratios as the decimals that they are, and values as texts.

use super::super::types::{Context, number};
use super::kinds::is_date;
use crate::error::{Failure, Kind as ErrorKind};
use crate::host::Ratios;
use crate::path::{self, Link};
use crate::value::{Kind, Number, NumberKind, Rounding, Value, number_text, scaled};
use std::sync::Arc;

/// Returns the text of a value: of a collection, its JSON.
pub(super) fn text(value: &Value, context: &Context<'_>) -> Result<Arc<str>, Failure> {
    match (value.kind(), value.as_number()) {
        (Kind::Text, _) => Ok(value.as_text().unwrap_or_default()),
        (_, Some(number)) => Ok(match scaled::kind(&number) {
            Some(NumberKind::Ratio) => scaled::text(&number).into(),
            Some(_) => value.to_json().into(),
            None => number_text(&number).into(),
        }),
        _ => Ok(written(value, Ratios::Text, context)?.to_json().into()),
    }
}

/// Returns the texts of values with a separator between them.
pub(super) fn joined(
    values: &[Value],
    separator: &str,
    context: &Context<'_>,
) -> Result<Value, Failure> {
    let texts: Result<Vec<_>, _> = values.iter().map(|value| text(value, context)).collect();
    let texts = texts?;
    check_length(texts.iter().map(|text| text.len() + separator.len()).sum(), context)?;
    Ok(texts.join(separator).into())
}

/// Fails if a text of this number of bytes is too long.
pub(super) fn check_length(bytes: usize, context: &Context<'_>) -> Result<(), Failure> {
    if bytes <= context.limits.text_bytes {
        return Ok(());
    }
    let message = "the text is too long (option --max-scalar-bytes)";
    Err(Failure::new(ErrorKind::TooLarge, message))
}

/// Returns a ratio as it is written, and a date as a text.
fn scalar(value: &Value, ratios: Ratios, context: &Context<'_>) -> Result<Option<Value>, Failure> {
    if is_date(value) && value.decoration().is_some() {
        return Ok(Some(Value::Text(value.as_text().unwrap_or_default())));
    }
    let Value::Number(ratio) = value else { return Ok(None) };
    if scaled::kind(ratio) != Some(NumberKind::Ratio) {
        return Ok(None);
    }
    let max = context.limits.digits;
    let exact = scaled::decimal(ratio, max).unwrap_or_default();
    Ok(Some(match (exact, ratios) {
        (Some(exact), _) => Value::Number(exact),
        (None, Ratios::Text) => scaled::text(ratio).into(),
        (None, Ratios::Places(places)) => {
            number(scaled::round(ratio, places.into(), Rounding::HalfAway, max))?
        }
        (None, Ratios::Error) => return Err(without_form(ratio)),
    }))
}

/// Returns the error for a ratio that is no decimal.
pub(super) fn without_form(ratio: &Number) -> Failure {
    let text = scaled::text(ratio);
    let message = format!("the ratio {text} is no decimal: write `round(2)` for one of two places");
    Failure::new(ErrorKind::RatioWithoutForm, message)
}

/// Returns a value with all ratios as they are written.
pub(super) fn written(
    value: &Value,
    ratios: Ratios,
    context: &Context<'_>,
) -> Result<Value, Failure> {
    let (mut result, mut pending) = (value.clone(), vec![(None, value.clone())]);
    while let Some((at, value)) = pending.pop() {
        if let Some(new) = scalar(&value, ratios, context)? {
            path::set(&mut result, &Link::keys(&at), new)?;
        }
        let computed = if value.decoration().is_some() { value.plain() } else { value };
        let mut add = |key: Value, entry: &Value| {
            if may_change(entry) {
                pending.push((Link::after(at.clone(), key), entry.clone()));
            }
        };
        match &computed {
            Value::Array(array) => {
                let entries = array.entries.iter().enumerate().rev();
                entries.for_each(|(index, entry)| add(Value::count(index), entry));
            }
            Value::Object(object) => {
                object.entries.iter().rev().for_each(|(key, it)| add(key.clone().into(), it));
            }
            _ => {}
        }
    }
    Ok(result)
}

/// Returns whether a value may be, or have in it, what is written otherwise.
fn may_change(value: &Value) -> bool {
    match value {
        Value::Number(number) => scaled::kind(number) == Some(NumberKind::Ratio),
        Value::Array(_) | Value::Object(_) => true,
        _ => value.decoration().is_some(),
    }
}

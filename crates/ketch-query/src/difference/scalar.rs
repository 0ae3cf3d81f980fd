//! New scalars in the places of old ones.

use crate::error::Failure;
use crate::value::{Kind, Source, Value, number_text};
use ketch_edit::{NewValue, Spelling};
use ketch_yaml::compose::{Kind as NodeKind, Node, Style};
use ketch_yaml::schema::{Scalar, Schema};
use std::sync::Arc;

/// Returns the value that replaces `node`. A computed number has at least as many decimal places as a decimal that it
/// replaces, so floats stay floats.
pub fn in_place_of(
    source: &Arc<Source>,
    node: Node<'_>,
    value: &Value,
) -> Result<NewValue, Failure> {
    let is_decimal = node.kind() == NodeKind::Scalar
        && node.style() == Style::Plain
        && source.value(node).kind() == Kind::Number;
    Ok(match value {
        Value::Number(number) if is_decimal && !number.is_spelled() => {
            let mut text = number_text(number);
            pad(&mut text, places(&node.text()).unwrap_or(0));
            text.into()
        }
        Value::Text(text) if node.style() == Style::Plain && is_like_date(text) => {
            // The editor leaves it without quotes if the old text has none.
            (&**text).into()
        }
        _ => return new_value(value),
    })
}

/// Returns a new value for an operation. Comments in it are kept.
pub fn new_value(value: &Value) -> Result<NewValue, Failure> {
    let value = match value.decoration() {
        Some(own) => value.bare().decorated(|bare| bare.tag.clone_from(&own.tag)),
        None => value.clone(),
    };
    match value.has_decorated_entries() {
        true => {
            let source = value.to_yaml()?;
            Ok(NewValue { source, spelling: Spelling::Whole, ..NewValue::default() })
        }
        false => Ok(value.to_flow()?.into()),
    }
}

/// Returns whether `text` is no number, but has only what dates and times have.
fn is_like_date(text: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_digit() || b"-:.+TZ".contains(&byte);
    text.starts_with(|ch: char| ch.is_ascii_digit())
        && text.bytes().all(is_part)
        && !text.ends_with(':')
        && matches!(Schema::Core.scalar(text), Scalar::Str(_))
}

/// Returns the number of decimal places of a decimal without an exponent that has a point, at least one.
fn places(text: &str) -> Option<usize> {
    let (whole, fraction) = text.split_once('.')?;
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let digits = whole.strip_prefix(['+', '-']).unwrap_or(whole);
    (is_digits(digits) && is_digits(fraction)).then_some(fraction.len().max(1))
}

/// Adds zeros to a decimal without an exponent, so that it has `count` places.
fn pad(text: &mut String, count: usize) {
    if count == 0 || text.bytes().any(|byte| !byte.is_ascii_digit() && !b"-.".contains(&byte)) {
        return;
    }
    let own = text.split_once('.').map(|(_, fraction)| fraction.len());
    if own.is_none() {
        text.push('.');
    }
    let missing = count.saturating_sub(own.unwrap_or(0));
    text.extend(std::iter::repeat_n('0', missing));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_those_of_decimals_with_a_point() {
        let found = ["1.10", "-0.5", ".5", "1.", "17", "1.5e3", ".inf", "0x1F"].map(places);
        assert_eq!(found, [Some(2), Some(1), Some(1), Some(1), None, None, None, None]);
    }

    #[test]
    fn zeros_are_added_to_decimals() {
        let padded = |text: &str, count| {
            let mut text = text.to_owned();
            pad(&mut text, count);
            text
        };
        let found = [("2.2", 2), ("3", 1), ("-1.25", 1), ("1e+65", 2), (".nan", 2), ("4", 0)];
        let found = found.map(|(text, count)| padded(text, count));
        assert_eq!(found, ["2.20", "3.0", "-1.25", "1e+65", ".nan", "4"]);
    }
}

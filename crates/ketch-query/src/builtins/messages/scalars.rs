//! Messages to texts and dates, and to all values.

use super::super::types::Call;
use super::dates::{date, days, fields};
use super::keys::elements;
use super::kinds::{equals, integer_of, is_date, kind_name, order, text_of, wrong};
use super::types::{ANY, BOTH, DATE, Message, TEXT, values};
use super::written::{check_length, joined, text, written};
use crate::builtins;
use crate::error::{Failure, Kind as ErrorKind};
use crate::value::{Kind, Number, Source, Value};
use ketch_yaml::path::Path;
use std::cmp::Ordering;

type Result = std::result::Result<Value, Failure>;

pub(super) const MESSAGES: &[Message] = &[
    values("_result", ANY, (0, 0), |call| {
        written(&call.input, call.context.messages.ratios, call.context)
    }),
    values("skip", 0, (0, 0), |_| Ok(Value::Null)),
    values("==", ANY, (1, 1), |call| Ok(equals(&call.input, &call.args[0]).into())),
    values("!=", ANY, (1, 1), |call| Ok((!equals(&call.input, &call.args[0])).into())),
    values("<", ANY, (1, 1), |call| compare(call, Ordering::is_lt)),
    values("<=", ANY, (1, 1), |call| compare(call, Ordering::is_le)),
    values(">", ANY, (1, 1), |call| compare(call, Ordering::is_gt)),
    values(">=", ANY, (1, 1), |call| compare(call, Ordering::is_ge)),
    values("_slice", ANY, (2, 2), |call| {
        if !matches!(call.input.kind(), Kind::Array | Kind::Text) {
            return Err(wrong(&call.input, "a list or a text"));
        }
        crate::path::slice(&call.input, &call.args[0], &call.args[1])
    }),
    values("kind", ANY, (0, 0), |call| Ok(kind_name(&call.input).into())),
    values("text", ANY, (0, 0), |call| Ok(text(&call.input, call.context)?.into())),
    values("tag", ANY, (0, 0), |call| native(call, "tag")),
    values("place", ANY, (0, 0), |call| native(call, "place")),
    values("at", ANY, (1, 1), at),
    values("_join", BOTH, (0, 0), |call| joined(&elements(&call.input), "", call.context)),
    values("length", TEXT, (0, 0), |call| Ok(Value::count(text_of(&call.input)?.chars().count()))),
    values("upcase", TEXT, (0, 0), |call| changed(call, str::to_uppercase)),
    values("downcase", TEXT, (0, 0), |call| changed(call, str::to_lowercase)),
    values("capitalize", TEXT, (0, 0), |call| {
        changed(call, |text| {
            let mut chars = text.chars();
            let first = chars.next().map(|first| first.to_uppercase().collect::<String>());
            first.unwrap_or_default() + &chars.as_str().to_lowercase()
        })
    }),
    values("trim", TEXT, (0, 0), |call| changed(call, |text| text.trim().to_owned())),
    values("reverse", TEXT, (0, 0), |call| changed(call, |text| text.chars().rev().collect())),
    values("empty?", TEXT, (0, 0), |call| Ok(text_of(&call.input)?.is_empty().into())),
    values("split", TEXT, (0, 1), |call| {
        let (input, separator) =
            (text_of(&call.input)?, call.args.first().map(text_of).transpose()?);
        Ok(list(match separator.as_deref() {
            None => input.split_whitespace().collect(),
            Some("") => input.split("").filter(|part| !part.is_empty()).collect(),
            Some(separator) => input.split(separator).collect(),
        }))
    }),
    values("lines", TEXT, (0, 0), |call| Ok(list(text_of(&call.input)?.lines().collect()))),
    values("replace", TEXT, (2, 2), |call| {
        let (old, new) = (text_of(&call.args[0])?, text_of(&call.args[1])?);
        let input = text_of(&call.input)?;
        let count = if old.is_empty() { input.len() + 1 } else { input.len() / old.len() };
        check_length(input.len().saturating_add(count.saturating_mul(new.len())), call.context)?;
        Ok(input.replace(&*old, &new).into())
    }),
    values("startsWith?", TEXT, (1, 1), |call| {
        Ok(text_of(&call.input)?.starts_with(&*text_of(&call.args[0])?).into())
    }),
    values("endsWith?", TEXT, (1, 1), |call| {
        Ok(text_of(&call.input)?.ends_with(&*text_of(&call.args[0])?).into())
    }),
    values("number", TEXT, (0, 0), |call| {
        let input = text_of(&call.input)?;
        Number::spelled(&input).map(Value::Number).ok_or_else(|| {
            let message = format!("`{input}` is not a number");
            Failure::new(ErrorKind::NotANumber, message).about(&call.input)
        })
    }),
    values("date", TEXT, (0, 0), |call| date(days(&call.input)?)),
    values("date", DATE, (0, 0), |call| Ok(call.input.clone())),
    values("yaml", TEXT, (0, 0), |call| {
        let documents = native(call, "_fromyaml")?.as_array().unwrap_or_default();
        match &documents.entries[..] {
            [only] => Ok(only.clone()),
            all => Ok(Value::array(all.to_vec())),
        }
    }),
    values("+", DATE, (1, 1), |call| shifted(call, 1)),
    values("-", DATE, (1, 1), |call| match is_date(&call.args[0]) {
        true => Ok((days(&call.input)? - days(&call.args[0])?).into()),
        false => shifted(call, -1),
    }),
    values("year", DATE, (0, 0), |call| Ok(fields(&call.input)?[0].into())),
    values("month", DATE, (0, 0), |call| Ok(fields(&call.input)?[1].into())),
    values("day", DATE, (0, 0), |call| Ok(fields(&call.input)?[2].into())),
    // From Monday, 1, as in ISO 8601.
    values("weekday", DATE, (0, 0), |call| Ok(((days(&call.input)? + 3).rem_euclid(7) + 1).into())),
];

/// Returns the result of a comparison.
fn compare(call: &Call<'_, '_>, accepts: fn(Ordering) -> bool) -> Result {
    Ok(accepts(order(&call.input, &call.args[0])?).into())
}

/// Returns the result of a builtin without arguments that jq's language has, too.
fn native(call: &mut Call<'_, '_>, name: &str) -> Result {
    let native = builtins::native(name, 0).unwrap_or_default();
    builtins::call(native, std::mem::take(&mut call.input), Vec::new(), call.context)
}

/// Returns a changed text.
fn changed(call: &Call<'_, '_>, change: fn(&str) -> String) -> Result {
    Ok(change(&text_of(&call.input)?).into())
}

/// Returns a list of texts.
fn list(texts: Vec<&str>) -> Value {
    Value::array(texts.into_iter().map(Value::from).collect())
}

/// Returns a date a number of days later or, with the sign -1, earlier.
fn shifted(call: &Call<'_, '_>, sign: i64) -> Result {
    let count = integer_of(&call.args[0])?;
    date(days(&call.input)?.saturating_add(count.saturating_mul(sign)))
}

/// Returns what a path, as `ketch get` has it, leads to: a list if it leads to several values.
fn at(call: &mut Call<'_, '_>) -> Result {
    let text = text_of(&call.args[0])?;
    let invalid = |message: String| Failure::new(ErrorKind::InvalidPath, message);
    let path: Path =
        text.parse().map_err(|error: ketch_yaml::path::PathError| invalid(error.to_string()))?;
    let input = match call.input.bare() {
        node @ Value::Node(..) => node,
        value => {
            let yaml = written(&value, crate::host::Ratios::Error, call.context)?.to_yaml()?;
            call.input = yaml.into();
            native(call, "_fromyaml")?.item(0)
        }
    };
    let Value::Node(source, id) = &input else { return Ok(input) };
    let found = source.node(*id).select(&path).map_err(|error| invalid(error.to_string()))?;
    let several = path.has_wildcards();
    let mut found: Vec<Value> = found.into_iter().map(|node| Source::value(source, node)).collect();
    match (several, found.pop()) {
        (false, Some(only)) => Ok(only),
        (false, None) => {
            let message = format!("nothing at `{text}`");
            Err(Failure::new(ErrorKind::NoSuchKey, message).about(&input))
        }
        (true, last) => {
            found.extend(last);
            Ok(Value::array(found))
        }
    }
}

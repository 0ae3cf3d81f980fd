//! JSON texts as values.

use super::types::{Builtin, Call};
use crate::error::{Failure, Kind as ErrorKind};
use crate::json::parse_json;
use crate::keys::check_keys;
use crate::value::Value;

pub(super) const BUILTINS: &[(&str, usize, Builtin)] =
    &[("fromjson", 0, from_json), ("tojson", 0, to_json)];

fn to_json(call: &mut Call<'_, '_>) -> Result<Value, Failure> {
    check_keys(&call.input)?;
    Ok(call.input.to_json().into())
}

fn from_json(call: &mut Call<'_, '_>) -> Result<Value, Failure> {
    let Some(text) = call.input.as_text() else {
        return Err(call.wrong("cannot be parsed as JSON"));
    };
    let parsed = match text.trim().is_empty() {
        true => Err("Expected JSON value".to_owned()),
        false => parse_json(&text),
    };
    parsed.map_err(|problem| {
        let message = format!("{problem} (while parsing '{text}')");
        Failure::new(ErrorKind::InvalidArgument, message)
    })
}

//! Converts Ruby values to keys of paths, and to the YAML source of new values.

use crate::given::{self, Content};
use crate::ruby;
use ketch_host::edit::source::{DEPTH_MAX, push_float, push_text};
use ketch_yaml::path::Step;
use magnus::r_hash::ForEach;
use magnus::{
    Error, Float, Integer, RArray, RClass, RHash, RString, Ruby, Symbol, Value, prelude::*,
};
use std::fmt::Write;

/// Returns `key`, a key or an index, as a step of a path.
pub fn step(ruby: &Ruby, key: Value) -> Result<Step, Error> {
    if RString::from_value(key).is_some() || Symbol::from_value(key).is_some() {
        return Ok(Step::Key(text_of(ruby, key)?));
    }
    if let Some(integer) = Integer::from_value(key)
        && let Ok(index) = integer.to_i64()
    {
        return Ok(Step::Index(index));
    }
    if Integer::from_value(key).is_none()
        && Float::from_value(key).is_none()
        && !key.is_nil()
        && !is_boolean(ruby, key)
    {
        // SAFETY: the name is copied immediately.
        let class = unsafe { key.classname() }.into_owned();
        let message = format!("a key must be text, a number, true, false or nil, not {class}");
        return Err(Error::new(ruby.exception_type_error(), message));
    }
    let mut text = String::new();
    push(ruby, key, &mut text, 0)?;
    Ok(Step::Plain(text))
}

fn is_boolean(ruby: &Ruby, value: Value) -> bool {
    value.is_kind_of(ruby.class_true_class()) || value.is_kind_of(ruby.class_false_class())
}

/// Returns the text of a string or a symbol.
pub fn text_of(ruby: &Ruby, value: Value) -> Result<String, Error> {
    match Symbol::from_value(value) {
        Some(symbol) => text(ruby, symbol.funcall("name", ())?),
        None if RString::from_value(value).is_some() => text(ruby, value),
        None => {
            // SAFETY: the name is copied immediately.
            let class = unsafe { value.classname() }.into_owned();
            let message = format!("expected text, not {class}");
            Err(Error::new(ruby.exception_type_error(), message))
        }
    }
}

/// Returns the text of a string, which may have any encoding. Fails for binary data that is not
/// ASCII.
pub fn text(ruby: &Ruby, string: Value) -> Result<String, Error> {
    // SAFETY: it is a string, and its content is copied before Ruby runs.
    match unsafe { given::content(ruby::raw(string)) } {
        Content::Text(text) => return Ok(text.to_owned()),
        Content::Bytes(bytes) if bytes.is_ascii() => {
            return Ok(String::from_utf8_lossy(bytes).into_owned());
        }
        Content::Bytes(_) => {
            let message =
                "binary data is not text: encode it, for example with [data].pack(\"m0\")";
            return Err(Error::new(ruby.exception_encoding_error(), message));
        }
        Content::Other => {}
    }
    let converted = given::in_utf8(ruby::raw(string))?;
    // SAFETY: it is valid UTF-8, and copied before Ruby runs.
    Ok(String::from_utf8_lossy(unsafe { given::bytes(converted) }).into_owned())
}

/// Appends the YAML source of `value`, which is `depth` levels deep in the new value.
pub fn push(ruby: &Ruby, value: Value, out: &mut String, depth: usize) -> Result<(), Error> {
    if value.is_nil() {
        out.push_str("null");
    } else if RString::from_value(value).is_some() || Symbol::from_value(value).is_some() {
        push_text(out, &text_of(ruby, value)?);
    } else if is_boolean(ruby, value) {
        out.push_str(if value.to_bool() { "true" } else { "false" });
    } else if Integer::from_value(value).is_some() {
        out.push_str(&value.funcall::<_, _, String>("to_s", ())?);
    } else if let Some(float) = Float::from_value(value) {
        push_float(out, float.to_f64());
    } else if let Some(array) = RArray::from_value(value) {
        check_depth(ruby, depth)?;
        out.push('[');
        for (index, item) in array.into_iter().enumerate() {
            if index > 0 {
                out.push_str(", ");
            }
            push(ruby, item, out, depth + 1)?;
        }
        out.push(']');
    } else if let Some(hash) = RHash::from_value(value) {
        check_depth(ruby, depth)?;
        push_hash(ruby, hash, out, depth)?;
    } else if is_time(ruby, value)? {
        // `timestamp` returns the text without the tag.
        let _ = write!(out, "!!timestamp {}", given::timestamp(ruby::raw(value))?);
    } else {
        push(ruby, plain(ruby, value)?, out, depth)?;
    }
    Ok(())
}

/// Returns whether a value is a `Time` or a `Date`.
fn is_time(ruby: &Ruby, value: Value) -> Result<bool, Error> {
    if value.is_kind_of(ruby.class_time()) {
        return Ok(true);
    }
    // Before `require "date"`, there is no such class.
    let object = ruby.class_object();
    if !object.funcall::<_, _, bool>("const_defined?", ("Date",))? {
        return Ok(false);
    }
    let date: Value = object.const_get("Date")?;
    Ok(RClass::from_value(date).is_some_and(|date| value.is_kind_of(date)))
}

/// Appends a hash as a flow mapping.
fn push_hash(ruby: &Ruby, hash: RHash, out: &mut String, depth: usize) -> Result<(), Error> {
    out.push('{');
    let mut is_first = true;
    hash.foreach(|key: Value, value: Value| {
        if !std::mem::take(&mut is_first) {
            out.push_str(", ");
        }
        if RArray::from_value(key).is_some() || RHash::from_value(key).is_some() {
            out.push_str("? ");
        }
        push(ruby, key, out, depth + 1)?;
        out.push_str(": ");
        push(ruby, value, out, depth + 1)?;
        Ok(ForEach::Continue)
    })?;
    out.push('}');
    Ok(())
}

/// Fails if a new value is nested too deeply, which it always is if it contains itself.
fn check_depth(ruby: &Ruby, depth: usize) -> Result<(), Error> {
    if depth < DEPTH_MAX {
        return Ok(());
    }
    let message = "a new value can be at most 100 levels deep, and cannot contain itself";
    Err(Error::new(ruby.exception_arg_error(), message))
}

/// Returns the plain value of an editing session or a view. Fails for other objects.
fn plain(ruby: &Ruby, value: Value) -> Result<Value, Error> {
    let edit: RClass = ruby.define_module("Ketch")?.const_get("Edit")?;
    let view: RClass = edit.const_get("View")?;
    if value.is_kind_of(view) || value.is_kind_of(edit) {
        return value.funcall("value", ());
    }
    // SAFETY: the name is copied immediately.
    let class = unsafe { value.classname() }.into_owned();
    let message = format!(
        "a new value must be nil, a boolean, a number, text, a symbol, a time, an array or a hash, not {class}"
    );
    Err(Error::new(ruby.exception_type_error(), message))
}

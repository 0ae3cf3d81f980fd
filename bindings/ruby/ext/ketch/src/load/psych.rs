//! Scalars by the rules of Psych, as far as the caller permits their types.
//!
//! The rarer forms (times, dates, numbers in base 60, numbers with many digits) are left to
//! `Ketch::Psych::Scalars.rare`, which is Ruby code. The tests in bindings/ruby/test/psych compare
//! it with Psych.

use super::scalar;
use super::stop::Stop;
use crate::permissions::Permissions;
use crate::ruby::{self, VALUE};
pub use ketch_host::psych::{Meaning, meaning};
use ketch_yaml::schema::{Scalar, Schema};
use magnus::{ArgList, Error, IntoValue, RString, Ruby, Value, prelude::*};

/// Returns the value of a plain scalar in a rare form. Ruby code determines it, except for usual
/// times.
#[cold]
pub fn rare(text: &[u8], permissions: Permissions) -> Result<VALUE, Stop> {
    if permissions.has(Permissions::TIMES)
        && let Some(time) = usual_time(text)?
    {
        if permissions.freeze() {
            ruby::freeze(time);
        }
        return Ok(time);
    }
    let text = ruby::value(ruby::protect(|| ruby::string(text))?);
    ask("psych_rare", (text, ruby::value(permissions.object)))
}

/// Returns the time that `text` denotes, if all of its parts have the full number of digits; `None`
/// for forms that Psych reads by rules of its own.
fn usual_time(text: &[u8]) -> Result<Option<VALUE>, Stop> {
    const SHAPE: &[u8] = b"1ddd-dd-dd dd:dd:dd";
    let has_shape = |(byte, shape): (&u8, &u8)| match shape {
        b'1' => (b'1'..=b'9').contains(byte),
        b'd' => byte.is_ascii_digit(),
        b' ' => matches!(byte, b' ' | b'T'),
        _ => byte == shape,
    };
    let Some((start, rest)) = text.split_at_checked(SHAPE.len()) else { return Ok(None) };
    if !start.iter().zip(SHAPE).all(has_shape) || start[17] > b'5' || &start[11..13] > b"23" {
        return Ok(None);
    }
    let is_part = |byte: &&u8| byte.is_ascii_digit() || **byte == b'.';
    let fraction = rest.iter().take_while(is_part).count();
    let (fraction, zone) = rest.split_at(fraction);
    let is_known_zone = match zone.strip_prefix(b" ").unwrap_or(zone) {
        b"Z" => true,
        [b'+' | b'-', hour @ .., b':', _, _] => hour.len() == 2 && !zone.ends_with(b"00:00"),
        _ => false,
    };
    if !is_known_zone || fraction.len() > 10 {
        return Ok(None);
    }
    match Schema::Yaml11.convert(Schema::Yaml11.resolve(text), text) {
        time @ Scalar::Timestamp(_) => Ok(scalar::value(time)?),
        _ => Ok(None),
    }
}

/// Returns the value of a scalar with one of Psych's tags. Ruby code determines it.
#[cold]
pub fn tagged(tag: VALUE, text: &[u8], permissions: Permissions) -> Result<VALUE, Stop> {
    let text = ruby::value(ruby::protect(|| ruby::string(text))?);
    ask("psych_tagged", (ruby::value(tag), text, ruby::value(permissions.object)))
}

/// Calls a private method of `Ketch`. If it raises a `StandardError`, the events path gives up,
/// since a syntax error later in the text takes precedence.
fn ask(method: &str, arguments: impl ArgList) -> Result<VALUE, Stop> {
    // SAFETY: loads run only on Ruby threads: all entry points are Ruby methods.
    let ruby = unsafe { Ruby::get_unchecked() };
    match ruby.define_module("Ketch")?.funcall::<_, _, Value>(method, arguments) {
        Ok(value) => Ok(ruby::raw(value)),
        Err(error) if error.is_kind_of(ruby.exception_standard_error()) => Err(Stop::Complex),
        Err(error) => Err(error.into()),
    }
}

/// Implements `Ketch.psych_scan(text, bits) { |text| }`: returns the value of a plain scalar. For
/// rare forms, returns what the block returns.
pub fn scan(ruby: &Ruby, text: RString, bits: u32) -> Result<Value, Error> {
    // SAFETY: the bytes are copied immediately.
    let content = unsafe { text.as_slice() }.to_vec();
    let permissions = Permissions { bits, object: ruby::NIL };
    let made = match meaning(&content, permissions.is_strict()) {
        Meaning::Null => return Ok(ruby.qnil().as_value()),
        Meaning::Bool(value) => return Ok(value.into_value_with(ruby)),
        Meaning::Str => return Ok(text.as_value()),
        Meaning::Rare => return ruby.yield_value(text),
        Meaning::Int(value) => ruby::protect(|| ruby::integer(value)),
        Meaning::Float(value) => ruby::protect(|| ruby::float(value)),
        Meaning::Symbol(name) => ruby::protect(|| ruby::symbol(ruby::interned(name))),
    };
    made.map(ruby::value)
}

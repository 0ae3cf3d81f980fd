//! Scalars of the rarer types, whose values take more than one call to Ruby.

use crate::ruby::{self, VALUE};
use ketch_yaml::schema::{BigInt, Scalar, Timestamp};
use magnus::{Error, Ruby, Value, prelude::*};

/// Returns the value of a scalar, or `None` if it is text, whose string the caller creates.
///
/// Each call to Ruby is protected, so that the values that this function owns are dropped even if
/// Ruby raises.
#[inline(never)]
pub fn value<T>(scalar: Scalar<'_, T>) -> Result<Option<VALUE>, Error> {
    Ok(Some(match scalar {
        Scalar::Null => ruby::NIL,
        Scalar::Bool(true) => ruby::TRUE,
        Scalar::Bool(false) => ruby::FALSE,
        Scalar::Int(value) => ruby::protect(|| ruby::integer(value))?,
        Scalar::Float(value) => ruby::protect(|| ruby::float(value))?,
        Scalar::BigInt(value) => ruby::raw(big_integer(&handle(), &value)?),
        Scalar::Timestamp(value) => timestamp(&handle(), &value)?,
        Scalar::Binary(bytes) => ruby::raw(handle().str_from_slice(&bytes)),
        Scalar::Merge | Scalar::Str(_) | Scalar::Unresolved(_) => return Ok(None),
    }))
}

/// Returns a handle for calls to Ruby.
fn handle() -> Ruby {
    // SAFETY: loads run only on Ruby threads: all entry points are Ruby methods.
    unsafe { Ruby::get_unchecked() }
}

/// The maximum number of decimal digits that are converted in one call. More digits are converted
/// in parts by Ruby code, which can be interrupted.
const DIGITS_AT_ONCE: usize = 1 << 18;

/// Returns an integer of any size.
fn big_integer(ruby: &Ruby, value: &BigInt<'_>) -> Result<Value, Error> {
    let radix = value.radix() as u8;
    let sign = if value.is_negative() { "-" } else { "" };
    if radix == 10 && value.digits().len() > DIGITS_AT_ONCE {
        let ketch = ruby.define_module("Ketch")?;
        return ketch.funcall("long_integer", (format!("{sign}{}", value.digits()),));
    }
    to_i(ruby, &format!("{sign}{}", value.digits()), radix)
}

/// Returns an integer of any size, or a `BigDecimal`.
pub fn number(text: &str, is_integer: bool) -> Result<VALUE, Error> {
    let ruby = handle();
    let number = match is_integer {
        true => to_i(&ruby, text, 10)?,
        false => ruby.define_module("Ketch")?.funcall("decimal", (text,))?,
    };
    Ok(ruby::raw(number))
}

/// Converts digits to an integer with `String#to_i`.
fn to_i(ruby: &Ruby, digits: &str, radix: u8) -> Result<Value, Error> {
    ruby.str_new(digits).funcall("to_i", (radix,))
}

/// Returns a `Time` in the time zone of the text, or a `Date` if the text has no time.
fn timestamp(ruby: &Ruby, value: &Timestamp) -> Result<VALUE, Error> {
    if value.date_only {
        let ketch = ruby.define_module("Ketch")?;
        let date: Value = ketch.funcall("date", (value.to_string(),))?;
        return Ok(ruby::raw(date));
    }
    /// The offset that means UTC for `rb_time_timespec_new`.
    const UTC: i32 = i32::MAX - 1;
    let offset = match value.offset_minutes {
        Some(0) => UTC,
        // Also in UTC, but as an offset of zero, so that the two can be distinguished.
        None => 0,
        Some(minutes) => i32::from(minutes) * 60,
    };
    let time = rb_sys::timespec { tv_sec: value.seconds as _, tv_nsec: value.nanoseconds as _ };
    // SAFETY: the pointer is that of a local variable, which is only read.
    ruby::protect(|| unsafe { rb_sys::rb_time_timespec_new(&time, offset) })
}

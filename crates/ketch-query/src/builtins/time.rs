//! Dates and times, in UTC.

use super::calendar::Time;
use super::strftime::written;
use super::strptime;
use super::types::{Builtin, Call};
use crate::error::{Failure, Kind as ErrorKind};
use crate::value::{Kind, Number, Value};

pub(super) const BUILTINS: &[(&str, usize, Builtin)] = &[
    ("now", 0, |_| {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        Ok(Number::from_f64(now.unwrap_or_default().as_secs_f64()).into())
    }),
    ("gmtime", 0, |call| broken_down(call, "gmtime")),
    ("localtime", 0, |call| broken_down(call, "localtime")),
    ("mktime", 0, make_time),
    ("strftime", 1, |call| print(call, "strftime")),
    ("strflocaltime", 1, |call| print(call, "strflocaltime")),
    ("strptime", 1, parse),
];

fn broken_down(call: &mut Call<'_, '_>, name: &str) -> Result<Value, Failure> {
    match call.input.as_number() {
        Some(seconds) => Ok(time_at(call, &seconds)?.value()),
        None => Err(wrong_time(call, &format!("{name}() requires numeric inputs"))),
    }
}

/// The greatest number of seconds before and after 1970 that jq makes a time of: years have 32 bits.
const SECONDS_MAX: f64 = 67_767_976_233_532_799.0;

/// Returns the time at a number of seconds from 1970.
fn time_at(call: &Call<'_, '_>, seconds: &Number) -> Result<Time, Failure> {
    if seconds.to_f64().abs() <= SECONDS_MAX {
        return Ok(Time::from_seconds(seconds));
    }
    let message = "error converting number of seconds since epoch to datetime";
    Err(Failure::new(ErrorKind::InvalidArgument, message).about(&call.input))
}

fn wrong_time(call: &Call<'_, '_>, message: &str) -> Failure {
    Failure::new(ErrorKind::WrongKind, message).about(&call.input)
}

fn make_time(call: &mut Call<'_, '_>) -> Result<Value, Failure> {
    if call.input.kind() != Kind::Array {
        return Err(wrong_time(call, "mktime requires array inputs"));
    }
    match Time::from_value(&call.input) {
        Some(time) => Ok(time.seconds().into()),
        None => Err(wrong_time(call, "mktime requires parsed datetime inputs")),
    }
}

fn print(call: &mut Call<'_, '_>, name: &str) -> Result<Value, Failure> {
    let time = match call.input.as_number() {
        Some(seconds) => Some(time_at(call, &seconds)?),
        // Fields out of range become what they mean: the 32nd of January is in February.
        None => {
            Time::from_value(&call.input).map(|time| Time::from_seconds(&time.seconds().into()))
        }
    };
    let Some(time) = time else {
        return Err(wrong_time(call, &format!("{name}/1 requires parsed datetime inputs")));
    };
    let Some(format) = call.args[0].as_text() else {
        return Err(wrong_time(call, &format!("{name}/1 requires a string format")));
    };
    Ok(written(&time, &format).into())
}

fn parse(call: &mut Call<'_, '_>) -> Result<Value, Failure> {
    let Some(text) = call.input.as_text() else {
        return Err(wrong_time(call, "strptime/1 requires string inputs and arguments"));
    };
    let Some(format) = call.args[0].as_text() else {
        return Err(wrong_time(call, "strptime/1 requires string inputs and arguments"));
    };
    match strptime::read(&text, &format) {
        Some(value) => Ok(value),
        None => {
            let message = format!("date \"{text}\" does not match format \"{format}\"");
            Err(Failure::new(ErrorKind::InvalidArgument, message).about(&call.input))
        }
    }
}

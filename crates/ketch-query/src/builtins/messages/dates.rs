//! Dates: texts with the tag of timestamps, which only messages take for dates.

use super::super::calendar::{civil_from_days, days_from_civil};
use super::kinds::{TAG, is_date, text_of};
use crate::error::{Failure, Kind as ErrorKind, shown};
use crate::value::Value;

/// Returns the error for what is no date.
fn not_a_date(value: &str) -> Failure {
    let message = format!("`{value}` is not a date, such as 2026-03-01");
    Failure::new(ErrorKind::NotADate, message)
}

/// Returns the year, the month and the day of a text such as `2026-03-01`.
fn parts(text: &str) -> Option<[i64; 3]> {
    let is_shaped = text.len() == 10
        && text.bytes().enumerate().all(|(at, byte)| match at {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit(),
        });
    let part = |from, to| text.get(from..to)?.parse().ok();
    is_shaped.then_some(())?;
    let [year, month, day]: [i64; 3] = [part(0, 4)?, part(5, 7)?, part(8, 10)?];
    let days = days_from_civil(year, month - 1, day);
    (civil_from_days(days) == (year, month - 1, day)).then_some([year, month, day])
}

/// Returns the year, the month and the day of a date, or of a text that is one.
pub(super) fn fields(value: &Value) -> Result<[i64; 3], Failure> {
    let text = text_of(value)?;
    let day = if is_date(value) { text.get(..10).unwrap_or(&text) } else { &text };
    parts(day).ok_or_else(|| not_a_date(&text).about(value))
}

/// Returns the number of days from 1970-01-01 to a date.
pub(super) fn days(value: &Value) -> Result<i64, Failure> {
    let [year, month, day] = fields(value)?;
    Ok(days_from_civil(year, month - 1, day))
}

/// Returns the date that is a number of days after 1970-01-01.
pub(super) fn date(days: i64) -> Result<Value, Failure> {
    let years = days_from_civil(0, 0, 1)..days_from_civil(10_000, 0, 1);
    if !years.contains(&days) {
        return Err(not_a_date(&shown(&Value::from(days))));
    }
    let (year, month, day) = civil_from_days(days);
    let text = Value::from(format!("{year:04}-{:02}-{day:02}", month + 1));
    Ok(text.decorated(|decoration| decoration.tag = Some(TAG.into())))
}

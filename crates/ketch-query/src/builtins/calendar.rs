//! Times of the Gregorian calendar, in UTC.

use crate::value::{Number, Value};

/// The days of a week.
pub(super) const DAYS: [&str; 7] =
    ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
/// The months of a year.
pub(super) const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
/// The number of seconds of a day.
const DAY_SECONDS: i64 = 86_400;

/// A time of a calendar, with the fields that jq has.
#[derive(Clone, Debug)]
pub(super) struct Time {
    pub year: i64,
    /// From 0.
    pub month: i64,
    pub day: i64,
    pub hour: i64,
    pub minute: i64,
    pub second: Number,
    /// From Sunday, 0.
    pub weekday: i64,
    /// From 0.
    pub year_day: i64,
}

/// Returns the number of days from 1970-01-01 to a date, by the Gregorian calendar.
pub(super) fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let year = year + month.div_euclid(12);
    let month = month.rem_euclid(12) + 1;
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let shifted = (month + 9) % 12;
    let day_of_year = (153 * shifted + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

/// Returns the date that is this number of days after 1970-01-01, with its month from 0.
pub(super) fn civil_from_days(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let day_of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = (shifted + 2) % 12;
    (year_of_era + era * 400 + i64::from(month < 2), month, day)
}

impl Time {
    /// Returns the time that is this number of seconds after 1970-01-01.
    pub fn from_seconds(seconds: &Number) -> Time {
        let whole = seconds.floor().truncated_i64();
        let fraction = seconds.subtract(&seconds.floor(), 1000).unwrap_or_else(|_| Number::from(0));
        let days = whole.div_euclid(DAY_SECONDS);
        let of_day = whole.rem_euclid(DAY_SECONDS);
        let (year, month, day) = civil_from_days(days);
        let second = Number::from(of_day % 60).add(&fraction, 1000);
        Time {
            year,
            month,
            day,
            hour: of_day / 3600,
            minute: of_day / 60 % 60,
            second: second.unwrap_or_else(|_| Number::from(0)),
            weekday: (days + 4).rem_euclid(7),
            year_day: days - days_from_civil(year, 0, 1),
        }
    }

    /// Returns the number of seconds after 1970-01-01.
    pub fn seconds(&self) -> i64 {
        let days = days_from_civil(self.year, self.month, 1) + self.day - 1;
        days * DAY_SECONDS
            + self.hour * 3600
            + self.minute * 60
            + self.second.floor().truncated_i64()
    }

    /// Returns the time as jq's array.
    pub fn value(&self) -> Value {
        let fields = [self.year, self.month, self.day, self.hour, self.minute];
        let mut entries: Vec<Value> = fields.into_iter().map(Value::from).collect();
        entries.push(Value::Number(self.second.clone()));
        entries.extend([Value::from(self.weekday), self.year_day.into()]);
        Value::array(entries)
    }

    /// Reads jq's array, of which fields may be missing. It is `None` if a field is not a number.
    pub fn from_value(value: &Value) -> Option<Time> {
        let array = value.as_array()?;
        let mut fields = Vec::new();
        for entry in &array.entries {
            fields.push(entry.as_number().filter(|number| !number.is_nan())?);
        }
        let whole = |number: &Number| number.truncated_i64();
        let limit = |field: i64| field.clamp(i32::MIN.into(), i32::MAX.into());
        let field = |at: usize| fields.get(at).map_or(0, |number| limit(whole(number)));
        Some(Time {
            year: fields
                .first()
                .map_or(1900, |year| limit(whole(year).saturating_sub(1900)) + 1900),
            month: field(1),
            day: field(2),
            hour: field(3),
            minute: field(4),
            second: field(5).into(),
            weekday: field(6),
            year_day: field(7),
        })
    }

    /// Returns the year and the week of ISO 8601.
    pub fn iso_week(&self) -> (i64, i64) {
        let days = days_from_civil(self.year, self.month, self.day);
        let thursday = days - (days + 3).rem_euclid(7) + 3;
        let (year, ..) = civil_from_days(thursday);
        (year, (thursday - days_from_civil(year, 0, 1)) / 7 + 1)
    }
}

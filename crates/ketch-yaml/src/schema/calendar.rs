//! Points in time, and the proleptic Gregorian calendar.

use std::fmt;

/// A point in time or a date.
///
/// `seconds` is the number of seconds from 1970-01-01T00:00:00 in UTC on the proleptic Gregorian
/// calendar. The zone in the text is kept separately. Text without a zone is read as UTC, as in the
/// type repository of YAML 1.1, and has no offset. A leap second (`:60`) counts as the second after
/// it.
///
/// [`Display`](fmt::Display) formats the shortest text that resolves to the same value:
/// `2001-12-14`, or `2001-12-14T21:59:43.1-05:00`.
///
/// ```
/// use ketch_yaml::schema::{Scalar, Schema};
///
/// let Scalar::Timestamp(time) = Schema::Yaml11.scalar("2001-12-14 21:59:43.10 -5") else {
///     panic!("not a timestamp");
/// };
/// assert_eq!((time.seconds, time.nanoseconds), (1_008_385_183, 100_000_000));
/// assert_eq!(time.offset_minutes, Some(-300));
/// assert_eq!(time.to_string(), "2001-12-14T21:59:43.1-05:00");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp {
    /// The number of seconds since the Unix epoch, in UTC.
    pub seconds: i64,
    /// The number of nanoseconds to add, below 1,000,000,000. Further digits of the text are
    /// dropped.
    pub nanoseconds: u32,
    /// The number of minutes east of UTC, if the text has a zone. `Z` is 0.
    pub offset_minutes: Option<i16>,
    /// Whether the text is a date without a time. If so, `seconds` is its midnight.
    pub date_only: bool,
}

/// Returns the number of days in `month`, from 1 to 12, of `year`.
pub(super) const fn days_in_month(year: i64, month: u32) -> u32 {
    match month {
        // A multiple of both 100 and 16 is a multiple of 400.
        2 if year % 4 == 0 && (year % 100 != 0 || year % 16 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Returns the number of days from 1970-01-01 to the date of `year`, `month` and `day`. In the
/// computation, years start in March, so that the leap day is the last of its year, and are grouped
/// into eras of 400 years (146,097 days).
pub(super) const fn days_from_civil(year: i64, month: u32, day: u32) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let month_from_march = ((month + 9) % 12) as i64;
    let day_of_year = (153 * month_from_march + 2) / 5 + day as i64 - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

/// Returns the year, month and day of the date that is `days` days after 1970-01-01. This is the
/// inverse of [`days_from_civil`].
const fn civil_from_days(days: i64) -> (i64, u32, u32) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = (day_of_year - (153 * month_from_march + 2) / 5 + 1) as u32;
    let month =
        (if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 }) as u32;
    let year = era * 400 + year_of_era;
    (if month <= 2 { year + 1 } else { year }, month, day)
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let offset = self.offset_minutes.unwrap_or(0);
        let local = self.seconds.saturating_add(i64::from(offset) * 60);
        let (year, month, day) = civil_from_days(local.div_euclid(86_400));
        write!(f, "{year:04}-{month:02}-{day:02}")?;
        if self.date_only {
            return Ok(());
        }
        let time = local.rem_euclid(86_400);
        write!(f, "T{:02}:{:02}:{:02}", time / 3600, time / 60 % 60, time % 60)?;
        if self.nanoseconds > 0 {
            let digits = format!("{:09}", self.nanoseconds);
            write!(f, ".{}", digits.trim_end_matches('0'))?;
        }
        match self.offset_minutes {
            None => Ok(()),
            Some(0) => f.write_str("Z"),
            Some(_) => {
                let sign = if offset < 0 { '-' } else { '+' };
                let offset = offset.unsigned_abs();
                write!(f, "{sign}{:02}:{:02}", offset / 60, offset % 60)
            }
        }
    }
}

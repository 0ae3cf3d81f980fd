//! The forms of timestamps and their value (YAML 1.1 type repository, `!!timestamp`).

use std::fmt;

use super::forms::TimestampForms;
use super::tag::{ScalarTag, TimestampForm};

/// A point in time, or a day.
///
/// `seconds` always counts in UTC from 1970-01-01T00:00:00 on the proleptic Gregorian calendar;
/// the zone that the text named is kept beside it. Text without a zone is taken as UTC, as the
/// type repository says, and has no offset. A leap second (`:60`) is the second after it.
///
/// [`Display`](fmt::Display) writes the shortest text that resolves to the same value:
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Timestamp {
    /// Seconds since the Unix epoch, UTC.
    pub seconds: i64,
    /// Nanoseconds to add, below 1,000,000,000; further digits of the text are cut off.
    pub nanoseconds: u32,
    /// Minutes east of UTC, if the text names a zone (`Z` is 0).
    pub offset_minutes: Option<i16>,
    /// The text is a date without a time; then `seconds` is its midnight.
    pub date_only: bool,
}

/// The fields of a text that has the form of a timestamp; not yet checked against the calendar.
#[derive(Clone, Copy)]
pub(super) struct Fields {
    form: TimestampForm,
    year: i64,
    month: u32,
    day: u32,
    hour: u32,
    minute: u32,
    second: u32,
    nanoseconds: u32,
    zone: Option<Zone>,
}

#[derive(Clone, Copy)]
struct Zone {
    negative: bool,
    hours: u32,
    minutes: u32,
}

/// The tag of `text`, which begins with a digit (or, under loose rules, a minus).
pub(super) fn resolve(text: &[u8], rules: TimestampForms) -> Option<ScalarTag> {
    let fields = parse_fields(text, rules)?;
    (!rules.calendar || fields.exist()).then_some(ScalarTag::Timestamp(fields.form))
}

/// The value of `text`; `None` if it has another form or names no time of the calendar.
pub(super) fn parse(text: &[u8], rules: TimestampForms) -> Option<Timestamp> {
    let fields = parse_fields(text, rules)?;
    fields.exist().then(|| fields.timestamp())
}

/// Reads left to right; every `Option` is "this is not the form".
struct Reader<'a> {
    text: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn eat(&mut self, byte: u8) -> Option<()> {
        (self.peek() == Some(byte)).then(|| self.at += 1)
    }

    /// Skips spaces and tabs; says whether there were any.
    fn skip_blanks(&mut self) -> bool {
        let from = self.at;
        while matches!(self.peek(), Some(b' ' | b'\t')) {
            self.at += 1;
        }
        self.at > from
    }

    /// A number of `min` to `max` digits, as many as there are.
    fn digits(&mut self, min: usize, max: usize) -> Option<u32> {
        let from = self.at;
        let mut value = 0;
        while self.at < from + max
            && let Some(byte @ b'0'..=b'9') = self.peek()
        {
            value = value * 10 + u32::from(byte - b'0');
            self.at += 1;
        }
        (self.at >= from + min).then_some(value)
    }

    /// The digits of a fraction, as nanoseconds.
    fn fraction(&mut self) -> u32 {
        let mut nanoseconds = 0;
        let mut unit = 100_000_000;
        while let Some(byte @ b'0'..=b'9') = self.peek() {
            nanoseconds += u32::from(byte - b'0') * unit;
            unit /= 10;
            self.at += 1;
        }
        nanoseconds
    }
}

fn parse_fields(text: &[u8], rules: TimestampForms) -> Option<Fields> {
    let mut reader = Reader { text, at: 0 };
    let negative = rules.loose && reader.eat(b'-').is_some();
    let year = i64::from(reader.digits(4, 4)?);
    reader.eat(b'-')?;
    let month_at = reader.at;
    let month = reader.digits(1, 2)?;
    reader.eat(b'-')?;
    let day = reader.digits(1, 2)?;
    let full_fields = reader.at == month_at + 5;
    let date = Fields {
        form: TimestampForm::Date,
        year: if negative { -year } else { year },
        month,
        day,
        hour: 0,
        minute: 0,
        second: 0,
        nanoseconds: 0,
        zone: None,
    };
    if reader.at == text.len() {
        return (full_fields || rules.short_date).then_some(date);
    }
    if !full_fields && !rules.short_fields {
        return None;
    }
    parse_time(&mut reader, rules, date)
}

/// Everything behind the date.
fn parse_time(reader: &mut Reader<'_>, rules: TimestampForms, date: Fields) -> Option<Fields> {
    let form = match reader.peek() {
        Some(b'T' | b't') => {
            reader.at += 1;
            TimestampForm::Iso8601
        }
        _ => reader.skip_blanks().then_some(TimestampForm::Spaced)?,
    };
    let hour = reader.digits(if rules.short_fields { 1 } else { 2 }, 2)?;
    let sixtieth_digits_min = if rules.loose { 1 } else { 2 };
    reader.eat(b':')?;
    let minute = reader.digits(sixtieth_digits_min, 2)?;
    reader.eat(b':')?;
    let second = reader.digits(sixtieth_digits_min, 2)?;
    let nanoseconds = reader.eat(b'.').map_or(0, |()| reader.fraction());
    let zone = parse_zone(reader, rules, form)?;
    Some(Fields { form, hour, minute, second, nanoseconds, zone, ..date })
}

/// The optional zone and the end of the text.
fn parse_zone(
    reader: &mut Reader<'_>,
    rules: TimestampForms,
    form: TimestampForm,
) -> Option<Option<Zone>> {
    let end = reader.text.len();
    if reader.at == end {
        return (!rules.zone_required).then_some(None);
    }
    let blanks = reader.skip_blanks();
    if rules.zone_required && blanks != (form == TimestampForm::Spaced) {
        return None;
    }
    let sign = reader.peek()?;
    reader.at += 1;
    let zone = match sign {
        b'Z' => Zone { negative: false, hours: 0, minutes: 0 },
        b'+' | b'-' => {
            let hours = reader.digits(if rules.short_fields { 1 } else { 2 }, 2)?;
            let colon = reader.eat(b':').is_some();
            let minutes = match reader.peek() {
                Some(_) if colon || rules.loose => reader.digits(2, 2)?,
                None if colon && !rules.loose => return None,
                _ => 0,
            };
            Zone { negative: sign == b'-', hours, minutes }
        }
        _ => return None,
    };
    (reader.at == end).then_some(Some(zone))
}

impl Fields {
    /// Whether the calendar has this day, the day this time, and the earth this zone.
    fn exist(&self) -> bool {
        (1..=12).contains(&self.month)
            && (1..=days_in_month(self.year, self.month)).contains(&self.day)
            && self.hour < 24
            && self.minute < 60
            && self.second <= 60
            && self.zone.is_none_or(|zone| zone.hours < 24 && zone.minutes < 60)
    }

    fn timestamp(&self) -> Timestamp {
        let offset = self.zone.map(|zone| {
            let minutes = (zone.hours * 60 + zone.minutes) as i16;
            if zone.negative { -minutes } else { minutes }
        });
        let time = self.hour * 3600 + self.minute * 60 + self.second;
        let local = days_from_civil(self.year, self.month, self.day) * 86_400 + i64::from(time);
        Timestamp {
            seconds: local - i64::from(offset.unwrap_or(0)) * 60,
            nanoseconds: self.nanoseconds,
            offset_minutes: offset,
            date_only: self.form == TimestampForm::Date,
        }
    }
}

const fn days_in_month(year: i64, month: u32) -> u32 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days from 1970-01-01. Years are counted from March, so that the leap day is the last of its
/// year, in eras of 400 years (146,097 days).
const fn days_from_civil(year: i64, month: u32, day: u32) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let month_from_march = ((month + 9) % 12) as i64;
    let day_of_year = (153 * month_from_march + 2) / 5 + day as i64 - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

/// Year, month and day of a day number: the inverse of [`days_from_civil`].
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

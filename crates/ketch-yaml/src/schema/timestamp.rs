//! The forms of timestamps (YAML 1.1 type repository, `!!timestamp`).
//!
//! Offsets are passed by value and the parsed parts are small, so that both stay in registers. The usual
//! forms, with two digits per field, are recognized eight bytes at a time.

use super::calendar::{Timestamp, days_from_civil, days_in_month};
use super::forms::{Rules, TimestampForms, Yaml11};
use super::tag::{ScalarTag, TimestampForm};

/// The fields of a date, which need not exist in the calendar.
#[derive(Clone, Copy)]
struct Date {
    year: i16,
    month: u8,
    day: u8,
}

/// The fields of a time of day, which may be out of range.
#[derive(Clone, Copy)]
struct Time {
    hour: u8,
    minute: u8,
    second: u8,
}

/// The fields of a zone, which may be out of range.
#[derive(Clone, Copy)]
struct Zone {
    negative: bool,
    hours: u8,
    minutes: u8,
}

/// The time and zone after a date.
#[derive(Clone, Copy)]
struct Clock {
    form: TimestampForm,
    time: Time,
    nanoseconds: u32,
    zone: Option<Zone>,
}

/// Resolves `text` to its tag, or returns `None` if it does not have the form of a timestamp. If
/// the rules require it, the date and the time must also exist.
#[inline]
pub(super) fn resolve<R: Rules>(text: &[u8]) -> Option<ScalarTag> {
    let by_form = !rules::<R>().calendar;
    let (date, at) = parse_date::<R>(text)?;
    if !by_form && !date.exists() {
        return None;
    }
    if at == text.len() {
        return Some(ScalarTag::Timestamp(TimestampForm::Date));
    }
    let clock = parse_clock::<R>(text, at)?;
    (by_form || clock.exists()).then_some(ScalarTag::Timestamp(clock.form))
}

/// Converts `text`. Returns `None` if it has a different form or does not exist in the calendar.
pub(super) fn parse<R: Rules>(text: &[u8]) -> Option<Timestamp> {
    let (date, at) = parse_date::<R>(text)?;
    let days = days_from_civil(i64::from(date.year), u32::from(date.month), u32::from(date.day));
    let mut value = Timestamp {
        seconds: days * 86_400,
        nanoseconds: 0,
        offset_minutes: None,
        date_only: at == text.len(),
    };
    if !value.date_only {
        let clock = parse_clock::<R>(text, at).filter(Clock::exists)?;
        value.seconds += clock.seconds();
        value.nanoseconds = clock.nanoseconds;
        value.offset_minutes = clock.zone.map(Zone::offset_minutes);
    }
    date.exists().then_some(value)
}

/// Returns the forms of timestamps of `R`, or those of YAML 1.1 if it has none, for explicit tags.
const fn rules<R: Rules>() -> TimestampForms {
    match R::FORMS.timestamp {
        Some(rules) => rules,
        None => Yaml11::TIMESTAMPS,
    }
}

/// Parses the date at the start of `text`, and returns it with the offset after it.
#[inline]
fn parse_date<R: Rules>(text: &[u8]) -> Option<(Date, usize)> {
    match full_date(text) {
        Some(date) => Some((date, 10)),
        None if rules::<R>().short_fields => short_date(text).filter(|(_, end)| *end < text.len()),
        None => None,
    }
}

/// Parses a date of the usual form, which has ten bytes (`dddd-dd-dd`), at the start of `text`. The
/// caller rejects further digits after it.
#[inline]
fn full_date(text: &[u8]) -> Option<Date> {
    let [.., tens, ones] = text.first_chunk::<10>()?;
    let digits = match_eight(text, b"0000-00-")?;
    let (tens, ones) = (tens.wrapping_sub(b'0'), ones.wrapping_sub(b'0'));
    let year = i16::from(two_digits(digits, 0)) * 100 + i16::from(two_digits(digits, 2));
    let date =
        Date { year, month: two_digits(digits, 5), day: tens.wrapping_mul(10).wrapping_add(ones) };
    (tens < 10 && ones < 10).then_some(date)
}

/// Parses a date whose month and day have one or two digits, at the start of `text`. Returns it
/// with the offset after it.
#[cold]
fn short_date(text: &[u8]) -> Option<(Date, usize)> {
    let year = digits(text, 0, 4, 4)?;
    let month = digits(text, byte(text, year.end, b'-')?, 1, 2)?;
    let day = digits(text, byte(text, month.end, b'-')?, 1, 2)?;
    let date = Date { year: year.value as i16, month: month.value as u8, day: day.value as u8 };
    Some((date, day.end))
}

/// Returns the offset after the date at the start of `text`, if there is one. Its month and day may
/// have a single digit.
pub(super) fn skip_date(text: &[u8]) -> Option<usize> {
    short_date(text).map(|(_, end)| end)
}

/// Parses the time and the zone after a date that ends at `at`, up to the end of `text`.
#[inline]
fn parse_clock<R: Rules>(text: &[u8], at: usize) -> Option<Clock> {
    let (form, at) = match text.get(at)? {
        b'T' | b't' => (TimestampForm::Iso8601, at + 1),
        b' ' | b'\t' => (TimestampForm::Spaced, skip_blanks(text, at)),
        _ => return None,
    };
    let (time, mut at) = match match_eight(&text[at..], b"00:00:00") {
        Some(digits) => {
            let [hour, minute, second] = [0, 3, 6].map(|from| two_digits(digits, from));
            (Time { hour, minute, second }, at + 8)
        }
        None if rules::<R>().short_fields => short_time(text, at)?,
        None => return None,
    };
    let mut nanoseconds = 0;
    if text.get(at) == Some(&b'.') {
        (nanoseconds, at) = fraction(text, at + 1);
    }
    let zone = if at == text.len() {
        if rules::<R>().zone_required {
            return None;
        }
        None
    } else {
        Some(parse_zone(text, at, form, rules::<R>())?)
    };
    Some(Clock { form, time, nanoseconds, zone })
}

/// Parses the time at `at`, whose hour has one or two digits, and returns it with the offset after
/// it.
#[cold]
fn short_time(text: &[u8], at: usize) -> Option<(Time, usize)> {
    let hour = digits(text, at, 1, 2)?;
    let minute = digits(text, byte(text, hour.end, b':')?, 2, 2)?;
    let second = digits(text, byte(text, minute.end, b':')?, 2, 2)?;
    let [hour, minute, value] = [hour.value, minute.value, second.value].map(|value| value as u8);
    Some((Time { hour, minute, second: value }, second.end))
}

/// Parses the digits of a fraction from `at` on, and returns them as nanoseconds with the offset
/// after them.
fn fraction(text: &[u8], at: usize) -> (u32, usize) {
    let (mut nanoseconds, mut unit, mut at) = (0, 100_000_000, at);
    while let Some(digit @ b'0'..=b'9') = text.get(at) {
        nanoseconds += u32::from(digit - b'0') * unit;
        unit /= 10;
        at += 1;
    }
    (nanoseconds, at)
}

/// Parses the zone after a time that ends at `at`, which is `Z` or an offset, up to the end of
/// `text`. If a zone is required, `form` decides whether a blank has to precede it.
fn parse_zone(text: &[u8], at: usize, form: TimestampForm, rules: TimestampForms) -> Option<Zone> {
    let zone_at = skip_blanks(text, at);
    if rules.zone_required && (zone_at > at) != (form == TimestampForm::Spaced) {
        return None;
    }
    let (zone, end) = match text.get(zone_at)? {
        b'Z' => (Zone { negative: false, hours: 0, minutes: 0 }, zone_at + 1),
        sign @ (b'+' | b'-') => {
            let hours = digits(text, zone_at + 1, if rules.short_fields { 1 } else { 2 }, 2)?;
            let minutes = match byte(text, hours.end, b':') {
                Some(at) => digits(text, at, 2, 2)?,
                None => Digits { value: 0, end: hours.end },
            };
            let negative = *sign == b'-';
            let zone = Zone { negative, hours: hours.value as u8, minutes: minutes.value as u8 };
            (zone, minutes.end)
        }
        _ => return None,
    };
    (end == text.len()).then_some(zone)
}

/// Returns the offset of the first byte from `at` on that is not a blank.
fn skip_blanks(text: &[u8], at: usize) -> usize {
    let blanks = text[at..].iter().take_while(|byte| matches!(byte, b' ' | b'\t'));
    at + blanks.count()
}

/// Returns the offset after `byte`, if it is at `at`.
fn byte(text: &[u8], at: usize, byte: u8) -> Option<usize> {
    (text.get(at) == Some(&byte)).then_some(at + 1)
}

/// A number and the offset after its digits.
struct Digits {
    value: u16,
    end: usize,
}

/// Parses the digits at `at`, up to `max` of them (at most four). Returns `None` if there are fewer
/// than `min`.
fn digits(text: &[u8], at: usize, min: usize, max: usize) -> Option<Digits> {
    let (mut value, mut end) = (0, at);
    while end < at + max
        && let Some(digit @ b'0'..=b'9') = text.get(end)
    {
        value = value * 10 + u16::from(digit - b'0');
        end += 1;
    }
    (end >= at + min).then_some(Digits { value, end })
}

/// Matches the first eight bytes against `pattern`, where `0` matches any digit. Returns the values
/// of the digits, with the first in the lowest byte.
///
/// XOR with the pattern leaves 0 to 9 for a digit, and 0 for an equal byte. Adding 0x76 or 0x7F
/// then sets the high bit of each larger byte. A byte that overflows already had its high bit set.
#[inline]
fn match_eight(text: &[u8], pattern: &[u8; 8]) -> Option<u64> {
    const HIGH_BITS: u64 = u64::from_le_bytes([0x80; 8]);
    let digits = u64::from_le_bytes(*text.first_chunk()?) ^ u64::from_le_bytes(*pattern);
    let addend = u64::from_le_bytes(pattern.map(|byte| if byte == b'0' { 0x76 } else { 0x7F }));
    ((digits.wrapping_add(addend) | digits) & HIGH_BITS == 0).then_some(digits)
}

/// Returns the number of two digits at byte `at` of `digits`, which is a result of [`match_eight`].
#[inline]
const fn two_digits(digits: u64, at: u32) -> u8 {
    let pair = digits >> (8 * at);
    pair as u8 * 10 + (pair >> 8) as u8
}

impl Date {
    /// Returns whether the calendar has this day.
    #[inline]
    fn exists(self) -> bool {
        let days_max = || days_in_month(i64::from(self.year), u32::from(self.month));
        matches!(self.month, 1..=12)
            && self.day >= 1
            && (self.day <= 28 || u32::from(self.day) <= days_max())
    }
}

impl Clock {
    /// Returns whether the time and the zone are in range.
    fn exists(&self) -> bool {
        let Time { hour, minute, second } = self.time;
        let zone_exists = self.zone.is_none_or(|zone| zone.hours < 24 && zone.minutes < 60);
        // The second may be 60, a leap second.
        hour < 24 && minute < 60 && second <= 60 && zone_exists
    }

    /// Returns the number of seconds from midnight UTC of the date. With a zone, it may be negative
    /// or exceed a day.
    fn seconds(&self) -> i64 {
        let Time { hour, minute, second } = self.time;
        let local = i64::from(hour) * 3600 + i64::from(minute) * 60 + i64::from(second);
        local - i64::from(self.zone.map_or(0, Zone::offset_minutes)) * 60
    }
}

impl Zone {
    /// Returns the offset in minutes east of UTC.
    fn offset_minutes(self) -> i16 {
        let minutes = i16::from(self.hours) * 60 + i16::from(self.minutes);
        if self.negative { -minutes } else { minutes }
    }
}

//! Times from text, by the formats of C's `strptime`.

use super::calendar::{DAYS, MONTHS, Time, civil_from_days, days_from_civil};
use super::strftime::composite;
use crate::value::{Array, Number, Value};

/// Reads a time by a format. What is left of the text comes last in the array.
pub(super) fn read(text: &str, format: &str) -> Option<Value> {
    Parser::new(text).run(format)
}

/// Reads a text.
struct Parser<'t> {
    rest: &'t str,
    time: Time,
    is_afternoon: Option<bool>,
    epoch: Option<i64>,
    /// Whether the fields are about a date, from which the day of the week and of the year follow.
    has_date: bool,
    has_weekday: bool,
}

impl<'t> Parser<'t> {
    fn new(text: &'t str) -> Parser<'t> {
        let time = Time {
            year: 1900,
            month: 0,
            day: 0,
            hour: 0,
            minute: 0,
            second: Number::from(0),
            // What jq shows for times without a date.
            weekday: 8,
            year_day: 367,
        };
        let (is_afternoon, epoch) = (None, None);
        Parser { rest: text, time, is_afternoon, epoch, has_date: false, has_weekday: false }
    }

    /// Reads the text.
    fn run(mut self, format: &str) -> Option<Value> {
        self.fields(format)?;
        if let Some(afternoon) = self.is_afternoon {
            self.time.hour = self.time.hour % 12 + if afternoon { 12 } else { 0 };
        }
        if let Some(epoch) = self.epoch {
            self.time = Time::from_seconds(&epoch.into());
        } else if self.has_date {
            self.complete();
        }
        let time = self.time.value();
        if self.rest.is_empty() {
            return Some(time);
        }
        let mut array = time.as_array()?;
        Array::make_mut(&mut array).push(self.rest.into());
        Some(Value::Array(array))
    }

    /// Sets the day of the week and of the year.
    fn complete(&mut self) {
        let days = days_from_civil(self.time.year, self.time.month, 1) + self.time.day - 1;
        if !self.has_weekday {
            self.time.weekday = (days + 4).rem_euclid(7);
        }
        self.time.year_day = days - days_from_civil(self.time.year, 0, 1);
    }

    /// Reads what a format describes.
    fn fields(&mut self, format: &str) -> Option<()> {
        let mut chars = format.chars();
        while let Some(ch) = chars.next() {
            match ch {
                '%' => self.field(chars.next()?)?,
                _ if ch.is_whitespace() => self.rest = self.rest.trim_start(),
                _ => self.rest = self.rest.strip_prefix(ch)?,
            }
        }
        Some(())
    }

    /// Reads a field.
    fn field(&mut self, field: char) -> Option<()> {
        if let Some(format) = composite(field) {
            return self.fields(format);
        }
        match field {
            'Y' | 'y' | 'm' | 'd' | 'e' | 'j' | 'B' | 'b' | 'h' => {
                self.has_date = true;
                return self.date_field(field);
            }
            'H' | 'k' => self.time.hour = self.number_in(0, 23)?,
            'I' | 'l' => self.time.hour = self.number_in(1, 12)?,
            'M' => self.time.minute = self.number_in(0, 59)?,
            'S' => self.time.second = Number::from(self.number_in(0, 61)?),
            'A' | 'a' => {
                self.time.weekday = self.name(&DAYS)?;
                self.has_weekday = true;
            }
            'p' | 'P' => self.is_afternoon = Some(self.name(&["AM.", "PM."])? == 1),
            'Z' => {
                let end = self.rest.find(|ch: char| !ch.is_ascii_alphabetic());
                self.rest = &self.rest[end.unwrap_or(self.rest.len())..];
            }
            'z' => self.zone()?,
            's' => self.epoch = Some(self.signed(20)?),
            'u' | 'w' => drop(self.number(1)?),
            'n' | 't' => self.rest = self.rest.trim_start(),
            '%' => self.rest = self.rest.strip_prefix('%')?,
            _ => return None,
        }
        Some(())
    }

    /// Reads a field of a date.
    fn date_field(&mut self, field: char) -> Option<()> {
        match field {
            'Y' => self.time.year = self.signed(4)?,
            'y' => {
                let year = self.number(2)?;
                self.time.year = if year < 69 { 2000 + year } else { 1900 + year };
            }
            'm' => self.time.month = self.number_in(1, 12)? - 1,
            'd' | 'e' => {
                self.rest = self.rest.trim_start();
                self.time.day = self.number_in(1, 31)?;
            }
            'j' => {
                let day = self.number(3).filter(|day| (1..=366).contains(day))?;
                let days = days_from_civil(self.time.year, 0, 1) + day - 1;
                let (_, month, of_month) = civil_from_days(days);
                (self.time.month, self.time.day) = (month, of_month);
            }
            _ => self.time.month = self.name(&MONTHS)?,
        }
        Some(())
    }

    /// Reads a number of at most two digits within bounds.
    fn number_in(&mut self, min: i64, max: i64) -> Option<i64> {
        self.number(2).filter(|number| (min..=max).contains(number))
    }

    /// Reads a number of at most `width` digits.
    fn number(&mut self, width: usize) -> Option<i64> {
        let digits = self.rest.bytes().take(width).take_while(u8::is_ascii_digit).count();
        let (number, rest) = self.rest.split_at(digits);
        self.rest = rest;
        number.parse().ok()
    }

    fn signed(&mut self, width: usize) -> Option<i64> {
        match self.rest.strip_prefix('-') {
            Some(rest) => {
                self.rest = rest;
                self.number(width).map(|number| -number)
            }
            None => self.number(width),
        }
    }

    /// Reads one of `names`, or its first three letters, in any case.
    fn name(&mut self, names: &[&str]) -> Option<i64> {
        for (at, name) in names.iter().enumerate() {
            for len in [name.len(), 3, 2] {
                let is_short = len < name.len() && (len == 2) != name.ends_with('.');
                let start =
                    self.rest.get(..len).filter(|start| start.eq_ignore_ascii_case(&name[..len]));
                if !is_short && start.is_some() {
                    self.rest = &self.rest[len..];
                    return Some(at as i64);
                }
            }
        }
        None
    }

    /// Reads `Z`, `+01`, `+0100` or `+01:00`, which times in UTC do not keep.
    fn zone(&mut self) -> Option<()> {
        if let Some(rest) = self.rest.strip_prefix('Z') {
            self.rest = rest;
            return Some(());
        }
        self.rest = self.rest.strip_prefix(['+', '-'])?;
        self.number(2)?;
        self.rest = self.rest.strip_prefix(':').unwrap_or(self.rest);
        self.number(2);
        Some(())
    }
}

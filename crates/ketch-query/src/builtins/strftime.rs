//! Times as text, by the formats of C's `strftime`.

use super::calendar::{DAYS, MONTHS, Time};
use std::fmt::Write as _;

/// How a number is padded to its width.
#[derive(Clone, Copy)]
enum Pad {
    Zeros(usize),
    Spaces(usize),
}

/// Writes a time by a format.
pub(super) fn written(time: &Time, format: &str) -> String {
    let mut out = String::new();
    let mut chars = format.chars();
    while let Some(ch) = chars.next() {
        match (ch, chars.clone().next()) {
            ('%', Some(field)) => {
                chars.next();
                write_field(&mut out, time, field);
            }
            _ => out.push(ch),
        }
    }
    out
}

/// Writes a field; one that does not exist stays as it is.
fn write_field(out: &mut String, time: &Time, field: char) {
    if let Some(format) = composite(field) {
        out.push_str(&written(time, format));
    } else if let Some((value, pad)) = number(time, field) {
        let _ = match pad {
            Pad::Zeros(width) => write!(out, "{value:0width$}"),
            Pad::Spaces(width) => write!(out, "{value:width$}"),
        };
    } else if let Some(text) = text(time, field) {
        out.push_str(text);
    } else {
        out.extend(['%', field]);
    }
}

/// Returns the format that a field is short for.
pub(super) fn composite(field: char) -> Option<&'static str> {
    Some(match field {
        'D' | 'x' => "%m/%d/%y",
        'F' => "%Y-%m-%d",
        'T' | 'X' => "%H:%M:%S",
        'R' => "%H:%M",
        'r' => "%I:%M:%S %p",
        'c' => "%a %b %e %H:%M:%S %Y",
        _ => return None,
    })
}

/// Returns the number of a field.
fn number(time: &Time, field: char) -> Option<(i64, Pad)> {
    use Pad::{Spaces, Zeros};
    let hour12 = (time.hour + 11) % 12 + 1;
    let since_monday = (time.weekday + 6) % 7;
    Some(match field {
        'Y' => (time.year, Zeros(1)),
        'C' => (time.year.div_euclid(100), Zeros(2)),
        'y' => (time.year.rem_euclid(100), Zeros(2)),
        'm' => (time.month + 1, Zeros(2)),
        'd' => (time.day, Zeros(2)),
        'e' => (time.day, Spaces(2)),
        'H' => (time.hour, Zeros(2)),
        'I' => (hour12, Zeros(2)),
        'k' => (time.hour, Spaces(2)),
        'l' => (hour12, Spaces(2)),
        'M' => (time.minute, Zeros(2)),
        'S' => (time.second.truncated_i64(), Zeros(2)),
        'j' => (time.year_day + 1, Zeros(3)),
        's' => (time.seconds(), Zeros(1)),
        'u' => (since_monday + 1, Zeros(1)),
        'w' => (time.weekday, Zeros(1)),
        'U' => ((time.year_day + 7 - time.weekday) / 7, Zeros(2)),
        'W' => ((time.year_day + 7 - since_monday) / 7, Zeros(2)),
        'V' => (time.iso_week().1, Zeros(2)),
        'G' => (time.iso_week().0, Zeros(1)),
        'g' => (time.iso_week().0.rem_euclid(100), Zeros(2)),
        _ => return None,
    })
}

/// Returns the text of a field.
fn text(time: &Time, field: char) -> Option<&'static str> {
    let day = DAYS[time.weekday.rem_euclid(7) as usize];
    let month = MONTHS[time.month.rem_euclid(12) as usize];
    Some(match field {
        'A' => day,
        'a' => &day[..3],
        'B' => month,
        'b' | 'h' => &month[..3],
        'p' => {
            if time.hour < 12 {
                "AM"
            } else {
                "PM"
            }
        }
        'P' => {
            if time.hour < 12 {
                "am"
            } else {
                "pm"
            }
        }
        'Z' => "GMT",
        'z' => "+0000",
        'n' => "\n",
        't' => "\t",
        '%' => "%",
        _ => return None,
    })
}

//! Points in time: `datetime.date` for a day, `datetime.datetime` otherwise.

use ketch_yaml::schema::Timestamp;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyType};

/// `datetime.date.toordinal` of 1970-01-01.
const EPOCH: i64 = 719_163;
/// The seconds of a day.
const DAY: i64 = 86_400;

/// A class of the module `datetime`.
fn class<'py>(py: Python<'py>, name: &str) -> PyResult<&'py Bound<'py, PyType>> {
    static DATE: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    static DATETIME: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    static DELTA: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    static ZONE: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let cell = match name {
        "date" => &DATE,
        "datetime" => &DATETIME,
        "timedelta" => &DELTA,
        _ => &ZONE,
    };
    cell.import(py, "datetime", name)
}

/// The object of a timestamp.
///
/// # Errors
///
/// `ValueError` for a time that Python does not have: outside of the years 1 to 9999, or with
/// digits beyond microseconds.
pub fn object<'py>(py: Python<'py>, time: &Timestamp) -> PyResult<Bound<'py, PyAny>> {
    let minutes = i64::from(time.offset_minutes.unwrap_or(0));
    let local = time.seconds + minutes * 60;
    let (days, seconds) = (local.div_euclid(DAY), local.rem_euclid(DAY));
    let date = class(py, "date")?.call_method1("fromordinal", (days + EPOCH,));
    let date = date.map_err(|_| PyValueError::new_err("Python has the years 1 to 9999"))?;
    if time.date_only {
        return Ok(date);
    }
    if !time.nanoseconds.is_multiple_of(1000) {
        return Err(PyValueError::new_err("Python's times have microseconds, and no more digits"));
    }
    let clock = (seconds / 3600, seconds / 60 % 60, seconds % 60, time.nanoseconds / 1000);
    let day: (i32, i32, i32) = (
        date.getattr("year")?.extract()?,
        date.getattr("month")?.extract()?,
        date.getattr("day")?.extract()?,
    );
    let zone = match time.offset_minutes {
        None => None,
        Some(minutes) => Some(zone_of(py, minutes)?),
    };
    class(py, "datetime")?.call1((day.0, day.1, day.2, clock.0, clock.1, clock.2, clock.3, zone))
}

fn zone_of(py: Python<'_>, minutes: i16) -> PyResult<Bound<'_, PyAny>> {
    if minutes == 0 {
        return class(py, "timezone")?.getattr("utc");
    }
    let keywords = PyDict::new(py);
    keywords.set_item("minutes", minutes)?;
    let delta = class(py, "timedelta")?.call((), Some(&keywords))?;
    class(py, "timezone")?.call1((delta,))
}

/// The timestamp of an object; nothing for one that is neither a date nor a datetime.
///
/// # Errors
///
/// `ValueError` for an offset with seconds, which YAML does not have.
pub fn timestamp(value: &Bound<'_, PyAny>) -> PyResult<Option<Timestamp>> {
    let py = value.py();
    if !value.is_instance(class(py, "date")?)? {
        return Ok(None);
    }
    let ordinal: i64 = value.call_method0("toordinal")?.extract()?;
    let midnight = (ordinal - EPOCH) * DAY;
    if !value.is_instance(class(py, "datetime")?)? {
        let (nanoseconds, offset_minutes) = (0, None);
        return Ok(Some(Timestamp {
            seconds: midnight,
            nanoseconds,
            offset_minutes,
            date_only: true,
        }));
    }
    let number = |name| -> PyResult<i64> { value.getattr(name)?.extract() };
    let local = midnight + number("hour")? * 3600 + number("minute")? * 60 + number("second")?;
    let offset = offset_seconds(value)?;
    let offset_minutes = match offset {
        None => None,
        Some(seconds) if seconds % 60 != 0 => {
            return Err(PyValueError::new_err("YAML has no time zones with seconds"));
        }
        Some(seconds) => Some((seconds / 60) as i16),
    };
    Ok(Some(Timestamp {
        seconds: local - offset.unwrap_or(0),
        nanoseconds: number("microsecond")? as u32 * 1000,
        offset_minutes,
        date_only: false,
    }))
}

/// The offset from UTC, less than a day.
fn offset_seconds(time: &Bound<'_, PyAny>) -> PyResult<Option<i64>> {
    let offset = time.call_method0("utcoffset")?;
    if offset.is_none() {
        return Ok(None);
    }
    let seconds: f64 = offset.call_method0("total_seconds")?.extract()?;
    match seconds.fract() == 0.0 {
        true => Ok(Some(seconds as i64)),
        false => Err(PyValueError::new_err("YAML has no time zones with parts of a second")),
    }
}

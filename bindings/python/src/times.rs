//! Points in time: a `datetime.date` if only the day is known, and a `datetime.datetime` otherwise.

use crate::host;
use ketch_yaml::schema::Timestamp;
use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyString, PyType};

/// The result of `datetime.date.toordinal` for 1970-01-01.
const EPOCH: i64 = 719_163;
/// The number of seconds in a day.
const DAY: i64 = 86_400;

/// Returns the class of the module `datetime` that has this name.
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

/// Returns the object for a timestamp.
///
/// # Errors
///
/// Raises a `ValueError` for a time that Python cannot represent: one outside of the years 1 to
/// 9999, or with a fraction of a microsecond.
pub fn object<'py>(py: Python<'py>, time: &Timestamp) -> PyResult<Bound<'py, PyAny>> {
    let minutes = i64::from(time.offset_minutes.unwrap_or(0));
    let local = time.seconds + minutes * 60;
    let (days, seconds) = (local.div_euclid(DAY), local.rem_euclid(DAY));
    let number = |value: i64| host::integer(py, value);
    let ordinal = host::arguments(py, [number(days + EPOCH)?])?;
    let date = class(py, "date")?.getattr(intern!(py, "fromordinal"))?.call1(ordinal);
    let date = date.map_err(|error| match error.is_instance_of::<PyMemoryError>(py) {
        true => error,
        false => PyValueError::new_err("Python supports only the years 1 to 9999"),
    })?;
    if time.date_only {
        return Ok(date);
    }
    if !time.nanoseconds.is_multiple_of(1000) {
        return Err(PyValueError::new_err("Python's times have at most 6 digits after the second"));
    }
    let zone = match time.offset_minutes {
        None => py.None().into_bound(py),
        Some(minutes) => zone_of(py, minutes)?,
    };
    let parts = [
        date.getattr(intern!(py, "year"))?,
        date.getattr(intern!(py, "month"))?,
        date.getattr(intern!(py, "day"))?,
        number(seconds / 3600)?,
        number(seconds / 60 % 60)?,
        number(seconds % 60)?,
        number(i64::from(time.nanoseconds / 1000))?,
        zone,
    ];
    class(py, "datetime")?.call1(host::arguments(py, parts)?)
}

/// Returns the `datetime.timezone` with this offset from UTC in minutes.
fn zone_of(py: Python<'_>, minutes: i16) -> PyResult<Bound<'_, PyAny>> {
    if minutes == 0 {
        return class(py, "timezone")?.getattr(intern!(py, "utc"));
    }
    let parts = [host::integer(py, 0)?, host::integer(py, i64::from(minutes) * 60)?];
    let delta = class(py, "timedelta")?.call1(host::arguments(py, parts)?)?;
    class(py, "timezone")?.call1(host::arguments(py, [delta])?)
}

/// Returns the timestamp for a date or a datetime, or `None` for other objects.
///
/// # Errors
///
/// Raises a `ValueError` if the offset from UTC is not a whole number of minutes, which YAML cannot
/// represent.
pub fn timestamp(value: &Bound<'_, PyAny>) -> PyResult<Option<Timestamp>> {
    let py = value.py();
    if !value.is_instance(class(py, "date")?)? {
        return Ok(None);
    }
    let ordinal: i64 = value.call_method0(intern!(py, "toordinal"))?.extract()?;
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
    let number = |name: &Bound<'_, PyString>| -> PyResult<i64> { value.getattr(name)?.extract() };
    let (hour, minute) = (number(intern!(py, "hour"))?, number(intern!(py, "minute"))?);
    let local = midnight + hour * 3600 + minute * 60 + number(intern!(py, "second"))?;
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
        nanoseconds: number(intern!(py, "microsecond"))? as u32 * 1000,
        offset_minutes,
        date_only: false,
    }))
}

/// Returns the offset of a datetime from UTC in seconds, or `None` if it has none.
fn offset_seconds(time: &Bound<'_, PyAny>) -> PyResult<Option<i64>> {
    let offset = time.call_method0(intern!(time.py(), "utcoffset"))?;
    if offset.is_none() {
        return Ok(None);
    }
    let seconds: f64 = offset.call_method0(intern!(time.py(), "total_seconds"))?.extract()?;
    match seconds.fract() == 0.0 {
        true => Ok(Some(seconds as i64)),
        false => Err(PyValueError::new_err("YAML has no time zones with parts of a second")),
    }
}

/// Returns the text of a `date` or a `datetime`, with a space before the time. Returns `None` for
/// other objects, including those of subclasses.
pub fn text<'py>(value: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    let py = value.py();
    let kind = value.get_type();
    let method = intern!(py, "isoformat");
    if kind.is(class(py, "date")?) {
        return value.call_method0(method).map(Some);
    }
    if kind.is(class(py, "datetime")?) {
        let space = host::string(py, b" ", true)?;
        return value.call_method1(method, host::arguments(py, [space])?).map(Some);
    }
    Ok(None)
}

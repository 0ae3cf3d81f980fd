"""Points in time as tuples of extprot's data model, in pure Python."""

from __future__ import annotations

import datetime
from typing import Any

_EPOCH = datetime.datetime(1970, 1, 1)
_EPOCH_DAY = _EPOCH.toordinal()


def of_row(seconds: Any, nanoseconds: Any, offset: Any) -> datetime.date:
    """Return the date or datetime for the seconds since 1970 in UTC and the nanoseconds
    after them. The offset is in minutes east of UTC, None without a time zone, or True
    for a date without a time.

    Raises ValueError for a time that Python cannot represent.
    """
    parts = (seconds, nanoseconds) if offset is None or offset is True else (seconds, nanoseconds, offset)
    if any(type(part) is not int for part in parts) or not 0 <= nanoseconds < 1_000_000_000:
        raise ValueError("this is not a timestamp")
    is_day = offset is True
    minutes = 0 if offset is None or is_day else offset
    if not -1440 < minutes < 1440 or is_day and (nanoseconds or seconds % 86_400):
        raise ValueError("this is not a timestamp")
    days, rest = divmod(seconds + minutes * 60, 86_400)
    if not 1 <= days + _EPOCH_DAY <= datetime.date.max.toordinal():
        raise ValueError("Python supports only the years 1 to 9999")
    day = datetime.date.fromordinal(days + _EPOCH_DAY)
    if is_day:
        return day
    if nanoseconds % 1000:
        raise ValueError("Python's times have at most 6 digits after the second")
    zone = None
    if offset is not None:
        zone = datetime.timezone.utc if minutes == 0 else datetime.timezone(datetime.timedelta(minutes=minutes))
    hour, rest = divmod(rest, 3600)
    clock = datetime.time(hour, rest // 60, rest % 60, nanoseconds // 1000, zone)
    return datetime.datetime.combine(day, clock)


def row_of(value: datetime.date) -> tuple[int, int, int | None, bool]:
    """Return the seconds, the nanoseconds, the time zone, and whether there is no time,
    of a date or datetime.

    The seconds are counted from 1970 in UTC. The time zone is in minutes east of UTC,
    or None.

    Raises ValueError for a time zone with seconds.
    """
    if not isinstance(value, datetime.datetime):
        return (value.toordinal() - _EPOCH_DAY) * 86_400, 0, None, True
    offset = value.utcoffset()
    minutes = None
    if offset is not None:
        minutes, rest = divmod(offset, datetime.timedelta(minutes=1))
        if rest:
            raise ValueError("YAML has no time zones with seconds")
    since = value.replace(tzinfo=None) - (offset or datetime.timedelta()) - _EPOCH
    return since.days * 86_400 + since.seconds, since.microseconds * 1000, minutes, False

"""Resolves scalars by the rules of PyYAML's safe loader.

These rules are older than those of any schema: `1e3` and `y` are text, and `1:30` is 90.
"""

from __future__ import annotations

import base64
import binascii
import datetime
import math
import re

from ._patterns import LazyPattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

PREFIX = "tag:yaml.org,2002:"

_BOOLS = {
    word: value
    for value, words in ((True, ("yes", "true", "on")), (False, ("no", "false", "off")))
    for lower in words
    for word in (lower, lower.title(), lower.upper())
}
_NULLS = {"", "~", "null", "Null", "NULL"}
_INT_SOURCE = r"[-+]?(?:0b[01_]+|0x[0-9a-fA-F_]+|0[0-7_]+|0|[1-9][0-9_]*(?::[0-5]?[0-9])*)"
_FLOAT_SOURCE = (
    r"[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?"
    r"|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?"
    r"|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*"
    r"|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"
)
_DAY_SOURCE = r"(\d{4})-(\d\d)-(\d\d)"
_TIME_SOURCE = (
    r"(\d{4})-(\d\d?)-(\d\d?)(?:[Tt]|[ \t]+)(\d\d?):(\d\d):(\d\d)(?:\.(\d*))?"
    r"(?:[ \t]*(Z|([-+])(\d\d?)(?::(\d\d))?))?"
)
_INT, _FLOAT = LazyPattern(_INT_SOURCE), LazyPattern(_FLOAT_SOURCE)
_DAY, _TIME = LazyPattern(_DAY_SOURCE, re.ASCII), LazyPattern(_TIME_SOURCE, re.ASCII)

#: These have the values that PyYAML's attributes have, for constructors of programs.
BOOLS = {"yes": True, "no": False, "true": True, "false": False, "on": True, "off": False}
TIMESTAMP = LazyPattern(
    r"(?P<year>\d{4})-(?P<month>\d\d?)-(?P<day>\d\d?)"
    r"(?:(?:[Tt]|[ \t]+)(?P<hour>\d\d?):(?P<minute>\d\d):(?P<second>\d\d)(?:\.(?P<fraction>\d*))?"
    r"(?:[ \t]*(?P<tz>Z|(?P<tz_sign>[-+])(?P<tz_hour>\d\d?)(?::(?P<tz_minute>\d\d))?))?)?$",
    re.ASCII,
)


def tag_of(text: str) -> str:
    """Return the tag of a plain scalar without its prefix."""
    if text in _BOOLS:
        return "bool"
    if text in _NULLS:
        return "null"
    if text == "<<":
        return "merge"
    if text == "=":
        return "value"
    if _INT.fullmatch(text):
        return "int"
    if _FLOAT.fullmatch(text):
        return "float"
    if _DAY.fullmatch(text) or _TIME.fullmatch(text):
        return "timestamp"
    return "str"


def plain(text: str) -> Any:
    """Return the value of a plain scalar. Raises ValueError if its text is not valid for its tag."""
    return CONVERSIONS[tag_of(text)](text)


def to_bool(text: str) -> bool:
    try:
        return _BOOLS[text if text in _BOOLS else text.lower()]
    except KeyError:
        raise ValueError(f"expected a bool, not {text!r}") from None


def to_int(text: str) -> int:
    digits = text.replace("_", "")
    sign = -1 if digits[:1] == "-" else 1
    digits = digits[1:] if digits[:1] in ("-", "+") else digits
    if digits == "0":
        return 0
    if digits.startswith("0b"):
        return sign * int(digits[2:], 2)
    if digits.startswith("0x"):
        return sign * int(digits[2:], 16)
    if digits.startswith("0"):
        return sign * int(digits, 8)
    value = 0
    for part in digits.split(":"):
        value = value * 60 + int(part)
    return sign * value


def to_float(text: str) -> float:
    digits = text.replace("_", "").lower()
    sign = -1.0 if digits[:1] == "-" else 1.0
    digits = digits[1:] if digits[:1] in ("-", "+") else digits
    if digits == ".inf":
        return sign * math.inf
    if digits == ".nan":
        return math.nan
    value = 0.0
    for part in digits.split(":"):
        value = value * 60 + float(part)
    return sign * value


def to_timestamp(text: str) -> datetime.date:
    if day := _DAY.fullmatch(text):
        return datetime.date(*map(int, day.groups()))
    parts = _TIME.fullmatch(text)
    if parts is None:
        raise ValueError(f"expected a date or a time, not {text!r}")
    numbers = [int(part) for part in parts.groups()[:6]]
    # Digits beyond microseconds are ignored.
    microseconds = int((parts[7] or "")[:6].ljust(6, "0"))
    zone = None
    if parts[9]:
        offset = datetime.timedelta(hours=int(parts[10]), minutes=int(parts[11] or 0))
        zone = datetime.timezone(-offset if parts[9] == "-" else offset)
    elif parts[8]:
        zone = datetime.timezone.utc
    return datetime.datetime(*numbers, microseconds, tzinfo=zone)  # type: ignore[arg-type, misc]


def to_bytes(text: str) -> bytes:
    try:
        return base64.decodebytes(text.encode("ascii"))
    except (UnicodeEncodeError, binascii.Error) as error:
        raise ValueError(f"expected base 64: {error}") from None


#: The functions that convert scalars, by their tags without the prefix.
CONVERSIONS: dict[str, Callable[[str], Any]] = {
    "bool": to_bool,
    "null": lambda _: None,
    "int": to_int,
    "float": to_float,
    "timestamp": to_timestamp,
    "binary": to_bytes,
    "str": str,
    "merge": str,
    "value": str,
}

#: The patterns for the tags of plain scalars, in the order in which they are tried, with the
#: possible first characters.
PATTERNS: list[tuple[str, re.Pattern[str], list[str]]] = [
    ("bool", re.compile(f"(?:{'|'.join(_BOOLS)})$"), list("yYnNtTfFoO")),
    ("float", re.compile(f"(?:{_FLOAT_SOURCE})$"), list("-+0123456789.")),
    ("int", re.compile(f"(?:{_INT_SOURCE})$"), list("-+0123456789")),
    ("merge", re.compile("<<$"), ["<"]),
    ("null", re.compile("(?:~|null|Null|NULL|)$"), ["~", "n", "N", ""]),
    ("timestamp", re.compile(f"(?:{_DAY_SOURCE}|{_TIME_SOURCE})$", re.ASCII), list("0123456789")),
    ("value", re.compile("=$"), ["="]),
    # No plain scalar starts with one of these characters.
    ("yaml", re.compile("[!&*]$"), ["!", "&", "*"]),
]

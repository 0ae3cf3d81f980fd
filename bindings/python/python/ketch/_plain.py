"""Values for objects of common classes that YAML does not know."""

from __future__ import annotations

import dataclasses
import decimal
import enum
import os
import uuid
from typing import Any


class Number(str):
    """The text of a number, which is written without quotes."""

    __slots__ = ()


def plain(value: Any, /) -> Any:
    """Return a value that `ketch.dumps` can write for a dataclass object, an Enum, a UUID, a path or a Decimal.
    Without ``default``, `ketch.dumps` calls this function itself.

    A dataclass object becomes a dict of its fields, an Enum its value, a UUID or a path its text, and a Decimal
    a number with the same digits. `ketch.loads` with ``type`` reads all of them back. Raises TypeError for any
    other object, so it can be the last step of a program's own function:

    >>> import ketch, pathlib
    >>> def default(value):
    ...     return sorted(value) if isinstance(value, set) else ketch.plain(value)
    >>> ketch.dumps({"files": {"b", "a"}, "home": pathlib.PurePosixPath("/srv")}, default=default)
    'files:\\n- a\\n- b\\nhome: /srv\\n'
    """
    found = value_of(value)
    if found is NotImplemented:
        raise TypeError(f"an object of type {type(value).__qualname__} has no YAML")
    return found


def value_of(value: Any) -> Any:
    """Return what `plain` returns, or NotImplemented where that raises an exception."""
    while isinstance(value, enum.Enum):
        value = value.value
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    if isinstance(value, uuid.UUID):
        return str(value)
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, decimal.Decimal):
        return _number(value)
    if value is None or isinstance(value, (bool, int, float, str, bytes, list, tuple, dict)):
        return value
    return NotImplemented


def _number(value: decimal.Decimal) -> Any:
    if not value.is_finite():
        return float("nan") if value.is_nan() else float(value)
    digits, mark, exponent = str(value).partition("E")
    # YAML 1.1 reads a number with an exponent but without a point as text, and a number without both as an
    # integer, which has the same value.
    return Number(f"{digits}." + mark + exponent if mark and "." not in digits else f"{digits}{mark}{exponent}")

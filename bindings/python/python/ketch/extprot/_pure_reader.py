"""Reads data without a schema, in pure Python."""

from __future__ import annotations

import struct
from typing import Any, NoReturn

from .. import _times
from .._tagged import Tagged
from ._values import Assoc, EndOfInput, Enum, Error, Htuple, Primitive, Tuple

_BYTE = struct.Struct("B")
_INT = struct.Struct("<i")
_LONG = struct.Struct("<q")
_FLOAT = struct.Struct("<d")
_UNKNOWN_TAGS = frozenset(
    ["", "!"]
    + [
        f"tag:yaml.org,2002:{name}"
        for name in "null bool int float str binary timestamp merge value seq map".split()
    ]
)


class TaggedForm:
    """The form ``"tagged"``."""

    @staticmethod
    def block(wire: int, tag: int, values: list[Any], is_key: bool, at: int) -> Any:
        if wire == 1:
            return Tuple(tag, values)
        return Htuple(tag, values) if wire == 5 else Assoc(tag, values)

    @staticmethod
    def string(tag: int, data: bytes, inside: int | None, at: int) -> Any:
        return TaggedForm._primitive("bytes", tag, _text_or_bytes(data))

    @staticmethod
    def scalar(kind: str, tag: int, value: Any, inside: int | None, at: int) -> Any:
        if kind in ("vint", "float"):
            return TaggedForm._primitive(kind, tag, value)
        return Enum(tag) if kind == "enum" else Primitive(kind, tag, value)

    @staticmethod
    def _primitive(kind: str, tag: int, value: Any) -> Any:
        return Primitive(kind, tag, value) if tag else value


class PlainForm:
    """The form ``"plain"``."""

    @staticmethod
    def block(wire: int, tag: int, values: list[Any], is_key: bool, at: int) -> Any:
        return _collection(wire, values, is_key, at)

    @staticmethod
    def string(tag: int, data: bytes, inside: int | None, at: int) -> Any:
        return _text_or_bytes(data)

    @staticmethod
    def scalar(kind: str, tag: int, value: Any, inside: int | None, at: int) -> Any:
        if kind == "enum":
            return Enum(tag)
        return value == 1 if kind == "bits8" and value < 2 else value


class ValuesForm:
    """The form ``"values"``: the values of the data model, which docs/data-model.md describes."""

    @staticmethod
    def block(wire: int, tag: int, values: list[Any], is_key: bool, at: int) -> Any:
        if wire == 1:
            return _row(tag, values, at)
        if tag:
            _refuse("a list or mapping with a tag", at)
        return _collection(wire, values, is_key, at)

    @staticmethod
    def string(tag: int, data: bytes, inside: int | None, at: int) -> Any:
        if tag:
            _refuse("a tagged scalar", at)
        if inside == 2:
            return data
        try:
            return data.decode()
        except UnicodeDecodeError:
            raise Error("a string is not UTF-8", {"name": "not_utf8", "offset": at}) from None

    @staticmethod
    def scalar(kind: str, tag: int, value: Any, inside: int | None, at: int) -> Any:
        if kind == "enum":
            if tag == 0:
                return None
            if tag == 1 and inside == 3:
                return True
            _refuse("this", at)
        if tag:
            _refuse("a tagged scalar", at)
        if kind == "bits8" and value < 2:
            return value == 1
        if kind in ("bits8", "bits32"):
            _refuse("this", at)
        return value


SHAPES: dict[str, Any] = {"values": ValuesForm, "tagged": TaggedForm, "plain": PlainForm}


def _row(tag: int, values: list[Any], at: int) -> Any:
    """Return the value of a tuple of the data model, such as a timestamp."""
    if tag == 1 and len(values) == 1 and isinstance(values[0], str):
        digits = values[0].removeprefix("-")
        if digits.isascii() and digits.isdigit() and not digits.startswith("0"):
            try:
                return int(values[0])
            except ValueError as error:
                raise Error(str(error), {"name": "not_in_the_data_model", "offset": at}) from None
        _refuse("this integer", at)
    if tag == 2 and len(values) == 1 and isinstance(values[0], bytes):
        return values[0]
    if tag == 3 and len(values) == 3:
        try:
            return _times.of_row(*values)
        except ValueError as error:
            raise Error(str(error), {"name": "not_in_the_data_model", "offset": at}) from None
    if tag == 15 and len(values) == 2:
        name, value = values
        if isinstance(name, str) and name not in _UNKNOWN_TAGS and not isinstance(value, Tagged):
            return Tagged(name, value)
    _refuse("this tuple", at)


def _text_or_bytes(data: bytes) -> str | bytes:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data


def _collection(wire: int, values: list[Any], is_key: bool, at: int) -> Any:
    """Return a list, or a dict made from alternating keys and values. A list that is a key becomes a tuple.
    """
    if wire != 7:
        return tuple(values) if is_key else values
    if is_key:
        _refuse("a mapping as a key", at)
    parts = iter(values)
    made = dict(zip(parts, parts, strict=True))
    if len(made) * 2 == len(values):
        return made
    raise Error("duplicate key", {"name": "duplicate_key", "offset": at})


def _refuse(what: str, at: int) -> NoReturn:
    message = f'{what} is not in the data model: read with form="tagged", or by its schema'
    raise Error(message, {"name": "not_in_the_data_model", "offset": at})


class Reader:
    """Reads values from bytes. Open blocks are in a list, so that nothing recurses."""

    def __init__(self, data: bytes, shape: Any, limits: dict[str, float]) -> None:
        self._data = data
        self._shape = shape
        self._limits = limits
        #: The offset after the value that was read last.
        self.at = 0

    def value(self, at: int) -> Any:
        """Return the value that starts at an offset."""
        data = self._data
        stop = len(data)
        shape = self._shape
        values: list[Any] = []
        left = 1
        wire, tag, is_key = 0, 0, False
        opened: list[tuple[list[Any], int, int, int, int, bool]] = []
        while True:
            while left == 0:
                if not opened:
                    self.at = at
                    return values[0]
                made = shape.block(wire, tag, values, is_key, at)
                at = stop
                values, left, stop, wire, tag, is_key = opened.pop()
                values.append(made)
                left -= 1
            start = at
            prefix, at = self._vint(at, stop)
            kind = prefix & 15
            inside = tag if wire == 1 else None
            if kind == 0:
                number, at = self._vint(at, stop)
                number = ~(number >> 1) if number & 1 else number >> 1
                values.append(shape.scalar("vint", prefix >> 4, number, inside, start))
            elif kind == 3:
                size, at = self._vint(at, stop)
                self._check("max_string_bytes", size, at)
                if size > stop - at:
                    _eof(at)
                values.append(shape.string(prefix >> 4, data[at : at + size], inside, start))
                at += size
            elif kind in (1, 5, 7):
                frame = values, left, stop, wire, tag, is_key
                at, stop, left = self._enter(at, stop, kind, len(opened))
                opened.append(frame)
                is_key = is_key or wire == 7 and len(values) % 2 == 0
                values, wire, tag = [], kind, prefix >> 4
                continue
            else:
                at, value = self._other(kind, prefix >> 4, at, stop, inside, start)
                values.append(value)
            left -= 1

    def _enter(self, at: int, stop: int, wire: int, depth: int) -> tuple[int, int, int]:
        size, at = self._vint(at, stop)
        if size > stop - at:
            _eof(at)
        self._check("max_block_bytes", size, at)
        self._check("max_depth", depth + 1, at)
        stop = at + size
        count, at = self._vint(at, stop)
        self._check("max_elements", count, at)
        if wire == 7:
            count *= 2
        if count > stop - at:
            _eof(at)
        return at, stop, count

    def _other(self, wire: int, tag: int, at: int, stop: int, inside: int | None, start: int) -> tuple[int, Any]:
        if wire == 10:
            return at, self._shape.scalar("enum", tag, None, inside, start)
        fixed = {2: ("bits8", _BYTE), 4: ("bits32", _INT), 6: ("long", _LONG), 8: ("float", _FLOAT)}
        if wire not in fixed:
            message = f"{wire} is not a wire type"
            raise Error(message, {"name": "bad_wire_type", "offset": start})
        kind, form = fixed[wire]
        if form.size > stop - at:
            _eof(at)
        value = form.unpack_from(self._data, at)[0]
        return at + form.size, self._shape.scalar(kind, tag, value, inside, start)

    def _vint(self, at: int, stop: int) -> tuple[int, int]:
        number = shift = 0
        data = self._data
        while at < stop:
            byte = data[at]
            at += 1
            if byte < 128:
                number |= byte << shift
                if number >> 64:
                    break
                return number, at
            number |= (byte & 127) << shift
            shift += 7
            if shift >= 70:
                break
        else:
            _eof(at)
        message = "a vint has more than 64 bits or more than 10 bytes"
        raise Error(message, {"name": "vint_too_long", "offset": at})

    def _check(self, setting: str, number: int, at: int) -> None:
        if number > self._limits[setting]:
            message = f"{number} exceeds the limit {setting}"
            raise Error(message, {"name": "limit_exceeded", "offset": at, "setting": setting})


def _eof(at: int) -> NoReturn:
    raise EndOfInput("the bytes end in the middle of a value", {"name": "eof", "offset": at})

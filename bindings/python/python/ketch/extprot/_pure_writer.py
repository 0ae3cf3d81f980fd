"""Writes data without a schema, in pure Python."""

from __future__ import annotations

import datetime
import math
import struct
from typing import Any

from .. import _times
from .._tagged import Tagged
from ._cursor import Output, vint, zigzag
from ._values import Assoc, Enum, Htuple, Primitive, Tuple

_DEPTH_MAX = 10_000
_FLOAT = struct.Struct("<Bd")
_FORMS = {
    "bits8": (2, struct.Struct("B"), 0, 255),
    "bits32": (4, struct.Struct("<i"), -(1 << 31), (1 << 31) - 1),
    "long": (6, struct.Struct("<q"), -(1 << 63), (1 << 63) - 1),
}


class Writer(Output):
    """Writes values from back to front. Open collections are in a list, so that nothing recurses."""

    def __init__(self) -> None:
        super().__init__()
        #: For each open block: the values that are still to be written, of which the
        #: last is written first, and what is needed to end the block.
        self._open: list[tuple[Any, ...]] = []
        #: The number of open blocks that represent tagged values. In them, bytes are
        #: written like strings.
        self._raw = 0

    def all(self, root: Any) -> bytes:
        """Return the bytes of a value."""
        self._value(root)
        while self._open:
            values = self._open[-1][0]
            if values:
                self._value(values.pop())
            else:
                self._close(*self._open.pop()[1:])
        return self.bytes()

    def _value(self, value: Any) -> None:
        if value is None:
            self.put(b"\x0a")
        elif value is True or value is False:
            self.put(b"\x02\x01" if value else b"\x02\x00")
        elif isinstance(value, str):
            self.string(value.encode())
        elif isinstance(value, int):
            self._integer(value)
        elif isinstance(value, float):
            # The data model has only one NaN.
            self.put(_FLOAT.pack(8, math.nan if value != value and not self._raw else value))
        elif isinstance(value, dict):
            self._start([part for pair in value.items() for part in pair], 0, 7)
        elif isinstance(value, (list, tuple)):
            self._start(list(value), 0, 5)
        elif isinstance(value, (bytes, bytearray)):
            self._binary(bytes(value))
        else:
            self._other(value)

    def _integer(self, value: int) -> None:
        if -(1 << 62) <= value < 1 << 62:
            self.integer(value)
        elif -(1 << 63) <= value < 1 << 63:
            self.put(b"\x06" + value.to_bytes(8, "little", signed=True))
        else:
            mark = self.size
            self.string(int.__repr__(value).encode())
            self.header(mark, 1, 1, 1)

    def _binary(self, value: bytes) -> None:
        mark = self.size
        self.string(value)
        if not self._raw:
            self.header(mark, 1, 2, 1)

    def _start(self, values: list[Any], tag: int, wire: int, raw: int = 0, tagged: Any = None) -> None:
        if len(self._open) >= _DEPTH_MAX:
            raise TypeError("the value is nested more than 10,000 levels deep, or contains itself")
        self._raw += raw
        count = len(values) // 2 if wire == 7 else len(values)
        self._open.append((values, self.size, count, tag, wire, raw, tagged))

    def _close(self, mark: int, count: int, tag: int, wire: int, raw: int, tagged: Any) -> None:
        self.header(mark, count, tag, wire)
        self._raw -= raw
        if tagged is not None:
            self._close_tagged(tagged, mark)

    def _close_tagged(self, tagged: Tagged, mark: int) -> None:
        if not isinstance(tagged.tag, str) or self._raw:
            raise TypeError("a ketch.Tagged needs a str as its tag, and cannot be inside a tagged value")
        self.string(tagged.tag.encode())
        self.header(mark, 2, 15, 1)

    def _other(self, value: Any) -> None:
        if isinstance(value, Tagged):
            mark = self.size
            if isinstance(value.value, dict):
                self._start([part for pair in value.value.items() for part in pair], 0, 7, 0, value)
            elif isinstance(value.value, (list, tuple)):
                self._start(list(value.value), 0, 5, 0, value)
            else:
                self._value(value.value)
                self._close_tagged(value, mark)
        elif isinstance(value, (Tuple, Htuple, Assoc)):
            self._block(value)
        elif isinstance(value, Enum):
            self.constant(_tag(value.tag))
        elif isinstance(value, Primitive):
            wire, content = _content(value.type, value.value)
            self.put(vint(_tag(value.tag) << 4 | wire) + content)
        elif isinstance(value, datetime.date):
            self._time(value)
        else:
            raise TypeError(f"extprot cannot represent a {type(value).__qualname__}")

    def _block(self, value: Tuple | Htuple | Assoc) -> None:
        is_assoc = isinstance(value, Assoc)
        elements = value.pairs if isinstance(value, Assoc) else value.elements
        if not isinstance(elements, (list, tuple)) or is_assoc and len(elements) % 2:
            raise TypeError("expected a list as the elements of a block; in an Assoc, keys and values alternate")
        wire = 1 if isinstance(value, Tuple) else 7 if is_assoc else 5
        self._start(list(elements), _tag(value.tag), wire, 1)

    def _time(self, value: datetime.date) -> None:
        seconds, nanoseconds, offset, is_day = _times.row_of(value)
        mark = self.size
        if is_day:
            self.put(b"\x1a")
        elif offset is None:
            self.put(b"\x0a")
        else:
            self.integer(offset)
        self.integer(nanoseconds)
        self.integer(seconds)
        self.header(mark, 3, 3, 1)


def _tag(tag: Any) -> int:
    if isinstance(tag, int) and 0 <= tag < 1 << 59:
        return tag
    raise TypeError("a tag must be an int from 0 to 2**59 - 1")


def _content(kind: str, value: Any) -> tuple[int, bytes]:
    is_int = isinstance(value, int) and not isinstance(value, bool)
    if kind in _FORMS and is_int:
        wire, form, low, high = _FORMS[kind]
        if low <= value <= high:
            return wire, form.pack(value)
    elif kind == "float" and isinstance(value, float):
        return 8, struct.pack("<d", value)
    elif kind == "bytes" and isinstance(value, (str, bytes, bytearray)):
        data = value.encode() if isinstance(value, str) else bytes(value)
        return 3, vint(len(data)) + data
    elif kind == "vint" and is_int and -(1 << 63) <= value < 1 << 63:
        return 0, zigzag(value)
    raise TypeError("a ketch.extprot.Primitive whose value does not fit its type")

"""extprot in pure Python: used if the extension is missing, and always available.

>>> from ketch.extprot import pure
>>> pure.loads(b"\\x00\\x54")
42
>>> pure.dumps(42).hex()
'0054'

Pass ``codec=pure`` to the methods of messages to use it there.
"""

from __future__ import annotations

import math
from typing import Any

from ._cursor import Cursor, TypedWriter
from ._pure_reader import SHAPES, Reader
from ._pure_writer import Writer
from ._stream import Stream, whole, whole_size
from ._values import EndOfInput, Error

_LIMITS: dict[str, float] = {
    "max_depth": 10_000,
    "max_string_bytes": math.inf,
    "max_elements": math.inf,
    "max_block_bytes": math.inf,
}


def loads(data: Any, /, **options: Any) -> Any:
    """Works like ``ketch.extprot.loads``, without the option ``strict``."""
    data = _bytes(data)
    reader = Reader(data, *_options(options))
    value = reader.value(0)
    if reader.at != len(data):
        raise Error("bytes follow the end of the value", {"name": "trailing_bytes", "offset": reader.at})
    return value


def load(source: Any, /, **options: Any) -> Any:
    """Works like ``ketch.extprot.load``."""
    return loads(whole(source), **options)


def dumps(value: Any, /) -> bytes:
    """Works like ``ketch.extprot.dumps``."""
    return Writer().all(value)


class Decoder(Stream[Any]):
    """Works like ``ketch.extprot.Decoder``."""

    def __init__(self, source: Any, /, **options: Any) -> None:
        super().__init__(source, lambda data, at, base: decode_batch(data, at, base, options))


def decode_batch(
    data: bytes, at: int, base: int, options: dict[str, Any]
) -> tuple[list[Any], int, Exception | None, bool]:
    """Read the complete values in ``data`` from ``at`` on, a part of a stream, up to the first that cannot be
    read. Return the values, the offset after them, the error, and whether reading may continue there.
    """
    reader = Reader(data, *_options(options))
    values: list[Any] = []
    try:
        while at < len(data):
            values.append(reader.value(at))
            at = reader.at
    except EndOfInput:
        # A value that is cut off may continue in the next part.
        pass
    except Error as error:
        if error.offset is not None:
            error.offset += base
        return values, at, error, False
    return values, at, None, False


def read_typed(type: Any, data: Any, options: dict[str, Any]) -> Any:
    """Return the only value in ``data``, which has this type."""
    cursor = Cursor(_bytes(data), _options(options)[1])
    value = type.decode(cursor)
    if not cursor.is_at_end():
        cursor.fail("trailing_bytes", "bytes follow the end of the value")
    return value


def typed_batch(
    type: Any, data: bytes, at: int, base: int, options: dict[str, Any]
) -> tuple[list[Any], int, Exception | None, bool]:
    """Return the complete messages in a part of a stream, as `decode_batch` does for values."""
    limits = _options(options)[1]
    values: list[Any] = []
    start = at
    can_continue = False
    try:
        while at < len(data):
            start = at
            can_continue = False
            size = whole_size(data, at)
            if size is None:
                break
            can_continue = True
            at += size
            values.append(type.decode(Cursor(data[start:at], limits)))
    except Error as error:
        if error.offset is not None:
            error.offset += base + start
        return values, at, error, can_continue
    return values, at, None, True


def write_typed(type: Any, value: Any) -> bytes:
    """Return the bytes of a value, which has this type."""
    writer = TypedWriter()
    if not type.encode(writer, value):
        raise Error(f"the value is not of type {type.name}", {"name": "shape"})
    return writer.bytes()


def _bytes(data: Any) -> bytes:
    if isinstance(data, bytes):
        return data
    try:
        return memoryview(data).tobytes()
    except TypeError:
        name = type(data).__qualname__
        raise TypeError(f"expected bytes or a buffer, not {name}; load reads files and paths") from None


def _options(options: dict[str, Any]) -> tuple[Any, dict[str, float]]:
    limits = dict(_LIMITS)
    shape = SHAPES["values"]
    for name, value in options.items():
        if name == "form":
            if value not in SHAPES:
                raise ValueError('form: expected "values", "tagged" or "plain"')
            shape = SHAPES[value]
        elif name == "strict":
            if value:
                raise ValueError("strict: only the compiled part of ketch can check this")
        elif name in limits:
            limits[name] = value
        else:
            raise TypeError(f"got an unexpected keyword argument '{name}'")
    return shape, limits

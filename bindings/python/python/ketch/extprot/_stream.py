"""The values of a stream, read one at a time."""

from __future__ import annotations

import collections
import os
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO, Generic, TypeVar

from ._values import EndOfInput, Error

T = TypeVar("T")

#: The number of bytes that are read at a time. Together with the objects created from them, they
#: fit into the processor's caches.
_STEP_BYTES = 32 * 1024
_FIXED = {2: 1, 4: 4, 6: 8, 8: 8}
_CUT = "the bytes end in the middle of a value"


def whole(source: Any) -> bytes:
    """Return the content of the file at a path, or the bytes of the next value in an open file."""
    if isinstance(source, (str, os.PathLike)):
        with open(source, "rb") as file:
            return file.read()
    if hasattr(source, "read"):
        return one(source)
    raise TypeError(f"expected a path or an open file, not {type(source).__qualname__}; loads reads bytes")


def one(file: Any) -> bytes:
    """Return the bytes of the next value in a file. Reads no byte after that value."""
    data = bytearray()
    wire = _vint(file, data) & 15
    if wire in _FIXED:
        _more(file, _FIXED[wire], data)
    elif wire == 0:
        _vint(file, data)
    elif wire in (1, 3, 5, 7):
        _more(file, _vint(file, data), data)
    return bytes(data)


def _vint(file: Any, data: bytearray) -> int:
    number = shift = 0
    while shift < 70:
        part = _bytes(file.read(1))
        if not part:
            raise EndOfInput(_CUT, {"name": "eof", "offset": len(data)})
        data += part
        number |= (part[0] & 127) << shift
        if part[0] < 128:
            return number
        shift += 7
    raise Error("a number of more than 10 bytes", {"name": "vint_too_long", "offset": len(data)})


def _more(file: Any, count: int, data: bytearray) -> None:
    while count > 0:
        part = _bytes(file.read(min(count, _STEP_BYTES)))
        if not part:
            raise EndOfInput(_CUT, {"name": "eof", "offset": len(data)})
        data += part
        count -= len(part)


def _bytes(part: Any) -> bytes:
    if isinstance(part, str):
        raise TypeError('the file has to be open for bytes, with mode "rb"')
    return part or b""


def whole_size(data: bytes, at: int) -> int | None:
    """Return the length of the value at an offset, or None if it is cut off."""
    start = at
    prefix, at = _vint_at(data, at)
    if at < 0:
        return None
    wire = prefix & 15
    if wire in _FIXED:
        at += _FIXED[wire]
    elif wire == 0:
        at = _vint_at(data, at)[1]
    elif wire in (1, 3, 5, 7):
        size, at = _vint_at(data, at)
        at = at + size if at >= 0 else at
    elif wire != 10:
        raise Error(f"{wire} is not a wire type", {"name": "bad_wire_type", "offset": 0})
    return at - start if 0 <= at <= len(data) else None


def _vint_at(data: bytes, at: int) -> tuple[int, int]:
    """Return the vint at an offset, and the offset after it, which is -1 if the vint is cut off."""
    number = shift = 0
    while at < len(data):
        byte = data[at]
        number |= (byte & 127) << shift
        at += 1
        if byte < 128:
            return number, at
        shift += 7
        if shift >= 70:
            raise Error("a vint has more than 64 bits or more than 10 bytes", {"name": "vint_too_long", "offset": 0})
    return number, -1


Batch = Callable[[bytes, int, int], "tuple[list[Any], int, Exception | None, bool]"]


class Stream(Generic[T]):
    """An iterator over the values in a file at a path, an open file or bytes, in bounded memory.

    Values before corrupt data come first, then the error. If it is known where the next value
    starts, as it always is for messages of a schema, the iterator continues there.
    """

    def __init__(self, source: Any, batch: Batch) -> None:
        self._batch = batch
        self._file: BinaryIO | None = None
        self._owns = False
        self._buffer = b""
        self._at = 0
        #: The offset of the buffer in the stream.
        self._base = 0
        self._values: collections.deque[T] = collections.deque()
        self._error: Exception | None = None
        self._goes_on = False
        if isinstance(source, (str, os.PathLike)):
            self._file = open(source, "rb")  # noqa: SIM115
            self._owns = True
        elif hasattr(source, "read"):
            self._file = source
        else:
            self._buffer = bytes(memoryview(source))

    def __iter__(self) -> Iterator[T]:
        return self

    def __next__(self) -> T:
        while not self._values:
            if self._error is not None:
                self._give_up()
            start = self._at
            values, self._at, self._error, self._goes_on = self._batch(self._buffer, self._at, self._base)
            self._values.extend(values)
            if self._at > start or self._error is not None or self._more():
                continue
            if self._at == len(self._buffer):
                self.close()
                raise StopIteration
            offset = self._base + self._at
            raise EndOfInput(
                f"the stream ends in the middle of a value, which starts at byte {offset}",
                {"name": "eof", "offset": offset},
            )
        return self._values.popleft()

    def _give_up(self) -> None:
        error = self._error
        if self._goes_on:
            self._error = None
        assert error is not None
        raise error

    def _more(self) -> bool:
        """Read more bytes. Return whether there were any."""
        if self._file is None:
            return False
        left = self._buffer[self._at :]
        # `read1` returns what a pipe contains, without waiting for more.
        read = getattr(self._file, "read1", self._file.read)
        part = _bytes(read(max(_STEP_BYTES, len(left))))
        if not part:
            return False
        self._base += self._at
        self._at = 0
        self._buffer = left + part
        return True

    def close(self) -> None:
        """Close the file if the iterator has opened it."""
        if self._owns and self._file is not None:
            self._file.close()
            self._file = None

    def __enter__(self) -> Stream[T]:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

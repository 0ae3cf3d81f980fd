"""Reads and writes typed values, in pure Python."""

from __future__ import annotations

import struct
from typing import Any, NoReturn

from ._values import EndOfInput, Error

_WIRE_NAMES = {
    0: "Vint",
    1: "Tuple",
    2: "Bits8",
    3: "Bytes",
    4: "Bits32",
    5: "Htuple",
    6: "Bits64_long",
    7: "Assoc",
    8: "Bits64_float",
    10: "Enum",
}
_FIXED = {2: (1, struct.Struct("B")), 4: (4, struct.Struct("<i")), 6: (8, struct.Struct("<q")), 8: (8, struct.Struct("<d"))}
_DEFAULTS_MAX = 1_000_000
_LONG_VINT = "a vint has more than 64 bits or more than 10 bytes"


class Cursor:
    """An offset in bytes. Inside a block, the end of the block is treated like the end of the input."""

    __slots__ = ("_data", "_defaults_left", "_limits", "_stop", "at")

    def __init__(self, data: bytes, limits: dict[str, float]) -> None:
        self._data = data
        self._limits = limits
        self.at = 0
        self._stop = len(data)
        self._defaults_left = _DEFAULTS_MAX + len(data)

    def is_at_end(self) -> bool:
        """Return whether the innermost block, or the input, ends here."""
        return self.at == self._stop

    def vint(self) -> int:
        """Read a vint: a prefix, a length or a count."""
        at = self.at
        if at < self._stop:
            byte = self._data[at]
            if byte < 128:
                self.at = at + 1
                return byte
        return self._long_vint()

    def _long_vint(self) -> int:
        number = shift = 0
        while self.at < self._stop:
            byte = self._data[self.at]
            self.at += 1
            number |= (byte & 127) << shift
            if byte < 128:
                if number >= 1 << 64:
                    self.fail("vint_too_long", _LONG_VINT)
                return number
            shift += 7
            if shift >= 70:
                self.fail("vint_too_long", _LONG_VINT)
        self.fail_eof()

    def untagged_wire(self) -> int:
        """Read a prefix that must not have a tag. Return its wire type."""
        prefix = self.vint()
        if prefix > 15:
            self.unknown_tag(prefix >> 4)
        return prefix

    def enter(self) -> tuple[int, int, int]:
        """Enter the block whose prefix was just read. Return its number of values, its length, and the
        argument for `leave`.
        """
        length = self.vint()
        if length > self._stop - self.at:
            self.fail_eof()
        outer = self._stop
        self._stop = self.at + length
        return self.vint(), length, outer

    def leave(self, outer: int) -> None:
        """Leave the innermost block, and continue after it."""
        self.at = self._stop
        self._stop = outer

    def check_list(self, count: int, length: int) -> None:
        """Check the limits of a list that has this number of elements and this length in bytes."""
        self._check("max_block_bytes", length)
        self._check("max_elements", count)
        if count > self._stop - self.at:
            self.fail_eof()

    def check_message(self, count: int, length: int) -> None:
        """Check the limits of a message that has this number of fields and this length in bytes."""
        self._check("max_elements", count)
        self._check("max_block_bytes", length)

    def scalar(self, wire: int) -> Any:
        """Read a number whose prefix has already been read."""
        if wire == 0:
            number = self.vint()
            number = number >> 1 if number & 1 == 0 else ~(number >> 1)
            if not -(1 << 62) <= number < 1 << 62:
                self.fail("int_range", f"the int {number} is outside -2^62 to 2^62-1")
            return number
        size, form = _FIXED[wire]
        return form.unpack_from(self._data, self._take(size))[0]

    def string(self, must_be_text: bool) -> str | bytes:
        """Read a string whose prefix has already been read. If it is not UTF-8, return bytes, or fail if it
        must be text.
        """
        length = self.vint()
        self._check("max_string_bytes", length)
        start = self._take(length)
        data = self._data[start : start + length]
        try:
            return data.decode()
        except UnicodeDecodeError:
            if must_be_text:
                self.at = start
                self.fail("not_utf8", "a string is not UTF-8")
            return data

    def skip(self) -> None:
        """Skip the next value."""
        wire = self.vint() & 15
        if wire == 0:
            self.vint()
        elif wire in _FIXED:
            self._take(_FIXED[wire][0])
        elif wire in (1, 3, 5, 7):
            self._take(self.vint())
        elif wire != 10:
            self.bad_wire_type("a value", wire)

    def raw(self) -> bytes:
        """Skip the next value, and return its bytes."""
        start = self.at
        self.skip()
        return self._data[start : self.at]

    def is_decoded_eagerly(self, type: Any) -> bool:
        """Return whether a lazy field is decoded immediately, because it is an empty list or a constant."""
        at, stop = self.at, self._stop
        try:
            wire = self.vint() & 15
            kind = type.description()[0]
            if kind == "list":
                return wire == 5 and self.enter()[0] == 0
            return kind == "sum" and wire == 10
        except Error:
            return False
        finally:
            self.at, self._stop = at, stop

    def spend_default(self) -> None:
        """Count a value that a default creates, and fail if there are too many."""
        self._defaults_left -= 1
        if self._defaults_left < 0:
            self.fail("limit_exceeded", f"defaults add more than {_DEFAULTS_MAX} values")

    def fail(self, name: str, message: str, **facts: Any) -> NoReturn:
        """Raise an error with the current offset."""
        raise Error(message, {"name": name, "problem": message, "offset": self.at, **facts})

    def fail_eof(self) -> NoReturn:
        """Raise the error for truncated data."""
        message = "the bytes end in the middle of a value"
        raise EndOfInput(message, {"name": "eof", "problem": message, "offset": self.at})

    def unknown_tag(self, tag: int) -> NoReturn:
        """Raise the error for a tag that the type does not have."""
        self.fail("unknown_tag", f"unknown tag {tag}: perhaps the data was written with a newer schema")

    def bad_wire_type(self, wanted: str, wire: int) -> NoReturn:
        """Raise the error for a wire type that the type does not accept."""
        found = _WIRE_NAMES.get(wire, f"the invalid wire type {wire}")
        self.fail("bad_wire_type", f"expected {wanted}, found {found}")

    def _take(self, size: int) -> int:
        """Move past ``size`` bytes, and return the offset at which they start."""
        start = self.at
        if size > self._stop - start:
            self.fail_eof()
        self.at = start + size
        return start

    def _check(self, setting: str, number: int) -> None:
        if number > self._limits[setting]:
            self.fail("limit_exceeded", f"{number} exceeds the limit {setting}", setting=setting)


def vint(number: int) -> bytes:
    """Return a number as a vint in its shortest form."""
    if number < 128:
        return number.to_bytes(1, "little")
    data = bytearray()
    while number > 127:
        data.append(number & 127 | 128)
        number >>= 7
    data.append(number)
    return bytes(data)


class Output:
    """Collects bytes that are written from back to front, so that the length of a block is known when its
    header is written.
    """

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self.size = 0

    def put(self, data: bytes) -> None:
        """Put bytes before those that are already written."""
        self._parts.append(data)
        self.size += len(data)

    def header(self, mark: int, count: int, tag: int, wire: int) -> None:
        """Put the header of the block that consists of the bytes written since ``mark``."""
        head = vint(count)
        self.put(vint(tag << 4 | wire) + vint(self.size - mark + len(head)) + head)

    def constant(self, tag: int) -> None:
        """Put a constant with this tag."""
        self.put(vint(tag << 4 | 10))

    def string(self, data: bytes) -> None:
        """Put a string that consists of ``data``."""
        self.put(b"\x03" + vint(len(data)) + data)

    def integer(self, value: int) -> None:
        """Put an int."""
        self.put(b"\0" + zigzag(value))

    def bytes(self) -> bytes:
        """Return all bytes that were put."""
        self._parts.reverse()
        return b"".join(self._parts)


def zigzag(value: int) -> bytes:
    """Return a signed number as a vint whose lowest bit is the sign."""
    return vint(~(value << 1) if value < 0 else value << 1)


_LONG = struct.Struct("<Bq")
_FLOAT = struct.Struct("<Bd")


class TypedWriter(Output):
    """Writes values of given types."""

    def primitive(self, kind: str, value: Any) -> None:
        """Put a value of a primitive type."""
        if kind == "int":
            self.integer(value)
        elif kind in ("string", "text"):
            self.string(value.encode() if isinstance(value, str) else bytes(value))
        elif kind == "bool":
            self.put(b"\x02\x01" if value else b"\x02\x00")
        elif kind == "byte":
            self.put(bytes((2, value)))
        elif kind == "long":
            self.put(_LONG.pack(6, value))
        else:
            self.put(_FLOAT.pack(8, value))

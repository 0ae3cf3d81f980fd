"""Reads the text of a stream."""

from __future__ import annotations

import codecs

from .. import _ketch
from ._patterns import LazyPattern
from .error import Mark, Places, YAMLError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["Reader", "ReaderError"]

_NOT_PRINTABLE = LazyPattern("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

#: A line break of YAML 1.1 that is an ordinary character in YAML 1.2.
_BREAK = LazyPattern("[\x85\u2028\u2029]")


class ReaderError(YAMLError):
    """Bytes that are not text, or a character that YAML does not allow."""

    def __init__(self, name: str, position: int, character: Any, encoding: str, reason: str) -> None:
        super().__init__(name, position, character, encoding, reason)
        self.name, self.position, self.character = name, position, character
        self.encoding, self.reason = encoding, reason

    def __str__(self) -> str:
        if isinstance(self.character, bytes):
            what = f"{self.encoding!r} cannot decode byte 0x{ord(self.character):02x}: {self.reason}"
        else:
            code = self.character if isinstance(self.character, int) else ord(self.character)
            what = f"unacceptable character U+{code:04X}: {self.reason}"
        return f'{what}\n  in "{self.name}", position {self.position}'


def read(stream: Any) -> tuple[Any, str]:
    """Return the content of a stream, and its name for error messages."""
    if isinstance(stream, str):
        return stream, "<unicode string>"
    if isinstance(stream, (bytes, bytearray)):
        return bytes(stream), "<byte string>"
    if not hasattr(stream, "read"):
        raise TypeError(f"a str, bytes or a stream is required, not {type(stream).__name__}")
    return stream.read(), str(getattr(stream, "name", "<file>"))


class Reader:
    """Reads a str, bytes, or a whole open file."""

    def __init__(self, stream: Any) -> None:
        self.stream = stream if hasattr(stream, "read") else None
        data, name = read(stream)
        self.encoding, self._text = _decoded(data, name)
        self._places = Places(self._text, name)
        self.check_printable(self._text)
        #: The contents of the scalars that span a separator, by the offsets of the
        #: scalars.
        self._contents: dict[int, str] = {}
        if not self._text.isascii() and _BREAK.search(self._text):
            self._text, self._contents = _ketch.pyyaml_breaks(self._text)
            self._places = Places(self._text, name)
        #: The offset in bytes after the last event that was read.
        self._offset = 0

    def check_printable(self, data: str) -> None:
        """Raise ReaderError for a character that YAML does not allow."""
        if found := _NOT_PRINTABLE.search(data):
            reason = "special characters are not allowed"
            raise ReaderError(self.name, found.start(), ord(found[0]), self.encoding or "unicode", reason)

    @property
    def name(self) -> str:
        """The name of the stream in marks. Programs may set it."""
        return self._places.name

    @name.setter
    def name(self, name: str) -> None:
        # `__init__` replaces a name that is set before it.
        if "_places" in self.__dict__:
            self._places.name = name

    @property
    def buffer(self) -> str:
        """The text, with a NUL at its end."""
        return self._places.buffer

    @property
    def index(self) -> int:
        return self.get_mark().index

    @property
    def line(self) -> int:
        return self.get_mark().line

    @property
    def column(self) -> int:
        return self.get_mark().column

    def get_mark(self) -> Mark:
        """Return the mark of the start of the next event."""
        return self._places.mark(self._offset)


def _decoded(data: Any, name: str) -> tuple[str | None, str]:
    if isinstance(data, str):
        return None, data.removeprefix("\ufeff")
    encoding = "utf-8"
    for mark, other in ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be")):
        if data.startswith(mark):
            encoding = other
    try:
        return encoding, data.decode(encoding).removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        character = error.object[error.start : error.start + 1]
        raise ReaderError(name, error.start, character, encoding, error.reason) from None

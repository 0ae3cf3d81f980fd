"""Tagged values, lazy fields, and errors."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from .._errors import Error as KetchError


@dataclass(slots=True)
class Tuple:
    """A tuple, a message, or a constructor with arguments, read with ``form="tagged"``."""

    tag: int = 0
    elements: list[Any] = field(default_factory=list)


@dataclass(slots=True)
class Htuple:
    """A list or an array."""

    tag: int = 0
    elements: list[Any] = field(default_factory=list)


@dataclass(slots=True)
class Assoc:
    """A mapping, as alternating keys and values."""

    tag: int = 0
    pairs: list[Any] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Enum:
    """A constructor without arguments."""

    tag: int = 0


@dataclass(frozen=True, slots=True)
class Primitive:
    """A value that is not read as an int, a float, a str or bytes.

    ``type`` is ``"bits8"``, ``"bits32"`` or ``"long"``; or ``"vint"``, ``"float"`` or ``"bytes"`` with a
    tag other than 0.
    """

    type: str
    tag: int
    value: Any


class Error(KetchError):
    """An error in the bytes to read, or in the value to write.

    ``name`` is a name for the error, ``offset`` its offset in the bytes, and ``setting`` the option
    that raises the limit, if a limit was exceeded.
    """

    #: The path to the error in terms of the schema, if there is one: the message, then fields,
    #: constructors and elements, as in ``user.names[2]``.
    path: str | None = None
    _steps: tuple[tuple[str, bool], ...] = ()

    def _within(self, step: str, is_message: bool = False) -> Error:
        """Add a step to the start of the path. A message remains part of it only if it is the outermost one.
        """
        inner = tuple(old for old in self._steps if not old[1])
        self._steps = ((step, is_message), *inner)
        self.path = ".".join(name for name, _ in self._steps).replace(".[", "[")
        return self

    def __str__(self) -> str:
        text = super().__str__()
        if not self._steps:
            return text
        place = "" if self.offset is None else f" at byte {self.offset}"
        return f"{text}{place}, in {self.path}"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (ValueError.__str__(self), dict(self.__dict__))


class EndOfInput(Error):  # noqa: N818
    """The bytes end in the middle of a value."""


class SchemaError(KetchError):
    """An error in a schema. The message shows the line, with a caret below it."""


class Lazy:
    """A field that is not decoded yet. When it is written, its bytes are copied, including data unknown to
    this schema. To change the value, assign a new one to the field.
    """

    __slots__ = ("_value", "bytes", "offset", "type")

    def __init__(self, data: bytes, type: Any, offset: int) -> None:
        self.bytes = data
        self.type = type
        self.offset = offset

    def value(self) -> Any:
        """Return the value, which the first call decodes."""
        try:
            return self._value
        except AttributeError:
            pass
        from . import _codec

        try:
            self._value: Any = _codec.DEFAULT.read_typed(self.type, self.bytes, {})
        except Error as error:
            if error.offset is not None:
                error.offset += self.offset
            raise
        return self._value

    def __repr__(self) -> str:
        return f"<Lazy of {len(self.bytes)} bytes>"

    def __getstate__(self) -> Any:
        return self.bytes, self.type, self.offset

    def __setstate__(self, state: Any) -> None:
        self.bytes, self.type, self.offset = state


# Programs see these classes as parts of the module `ketch.extprot`.
for _class in (Error, EndOfInput, SchemaError, Tuple, Htuple, Assoc, Enum, Primitive, Lazy):
    _class.__module__ = "ketch.extprot"

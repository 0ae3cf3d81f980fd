"""Exceptions."""

from __future__ import annotations

from typing import Any


class Error(ValueError):
    """An error in an input.

    The message has the location, the line with a caret, and help; the attributes are for programs.
    Lines and columns are counted from 1, columns in characters; ``offset`` and ``length`` are in
    bytes of the text in UTF-8.
    """

    file: str | None = None
    line: int | None = None
    column: int | None = None
    offset: int | None = None
    length: int | None = None
    #: The line itself.
    line_text: str | None = None
    #: The problem, without its location; a name for it; how to fix it.
    problem: str | None = None
    name: str | None = None
    help: str | None = None
    #: The option that raises the limit, if a limit was exceeded.
    setting: str | None = None
    #: The related location, if any: of the first of two equal keys, or where a quote was opened.
    related_line: int | None = None
    related_column: int | None = None

    def __init__(self, message: str = "", facts: dict[str, Any] | None = None) -> None:
        super().__init__(message)
        if facts:
            self.__dict__.update(facts)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), dict(self.__dict__))


class YamlSyntaxError(Error):
    """Invalid YAML."""


class LimitError(Error):
    """A limit was exceeded; ``setting`` is the option that raises it."""


class ConstructError(Error):
    """The text is YAML, but has no value in Python."""


class DuplicateKeyError(ConstructError):
    """A duplicate key in a mapping."""


class ConversionError(Error):
    """The value is not one of the type that ``type`` names.

    ``__cause__`` is the exception of the library that converts. The location is missing if the text was
    read from an open file by `ketch.load_all`.
    """


# Programs know them by this name.
for _class in (Error, YamlSyntaxError, LimitError, ConstructError, DuplicateKeyError, ConversionError):
    _class.__module__ = "ketch"

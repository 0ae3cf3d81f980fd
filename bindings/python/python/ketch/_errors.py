"""Exceptions."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
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
    #: The problem without its location, a name for it, and how to fix it.
    problem: str | None = None
    name: str | None = None
    help: str | None = None
    #: The option that raises the limit, if a limit was exceeded.
    setting: str | None = None
    #: The line of a related location, if there is one: of the first of two equal keys, or of the
    #: line on which it becomes apparent that a quote above is never closed.
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
    """The text is valid YAML, but Python cannot represent its value."""


class DuplicateKeyError(ConstructError):
    """A duplicate key in a mapping."""


class ConversionError(Error):
    """The value is not one of the type that ``type`` names.

    ``__cause__`` is the exception of the library that converts. The location is missing if the text was
    read from an open file by `ketch.load_all`.
    """


class QueryError(Error):
    """A program in jq's language that is not valid, or that has failed. ``name`` is the kind of error.

    ``line``, ``column`` and ``line_text`` are those in the program; ``file``, ``related_line`` and
    ``related_column`` those of the value that the error is about, if there is one.
    """

    @property
    def missing_module(self) -> str | None:
        """The name of the module that is missing, if that is the error."""
        if self.name != "no-such-module" or not self.problem:
            return None
        return self.problem.partition("there is no module `")[2].rstrip("`") or None


class EditError(Error):
    """An edit that failed and left the text unchanged. ``name`` is the kind of error; docs/editing.md lists
    all kinds.
    """

    #: The index of the refused operation in its list.
    operation: int | None = None


class NotFoundError(EditError, LookupError):
    """The path leads to nothing."""


class NotOwnedError(EditError):
    """The entry comes from a merge key, so the mapping itself does not contain it."""


class ThroughAliasError(EditError):
    """The path goes through an alias."""


class AnchorInUseError(EditError):
    """An alias still uses the anchor of the deleted node."""


class KindMismatchError(EditError):
    """The node is not of the kind that the operation needs."""


class TestFailedError(EditError):
    """The value differs from the one that the operation ``test`` expects."""

    # Keeps pytest from collecting this class as a class of tests.
    __test__ = False


class WouldChangeMeaningError(EditError):
    """The edit would also change the meaning of another part of the document."""


class StaleViewError(EditError):
    """The collection of the view was deleted, moved or replaced."""


class FileError(Error, OSError):
    """The file has changed since it was read (``name`` is ``"file-changed"``), or cannot be replaced without
    losing some of its properties (``"not-replaced"``).
    """


class InternalError(Error):
    """A defect of Ketch: its native code panicked. The message is that of the panic.

    The call has no result. Values that were read before are valid, but an editing session in which this
    happened is not.
    """

    problem = "ketch has a defect: its native code panicked"
    name = "panic"
    help = "Please report it with the message and, if possible, the input."


# Programs see these classes as parts of the module `ketch`.
for _class in list(vars().values()):
    if isinstance(_class, type) and issubclass(_class, Error):
        _class.__module__ = "ketch"

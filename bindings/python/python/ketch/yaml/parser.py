"""Events, which Ketch's parser creates."""

from __future__ import annotations

from .. import _ketch
from .._errors import Error
from ._patterns import LazyPattern
from .error import Mark, MarkedYAMLError
from .events import *  # noqa: F403
from .events import (
    AliasEvent,
    DocumentEndEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
    StreamStartEvent,
)
from .scanner import Scanner, ScannerError
from .tokens import *  # noqa: F403

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from .reader import Reader

__all__ = ["Parser", "ParserError"]


class ParserError(MarkedYAMLError):
    """Invalid YAML."""


class InvalidYAMLError(ScannerError, ParserError):
    """Invalid YAML. In PyYAML, the scanner finds some errors and the parser the others, so this class is
    derived from the errors of both.
    """


_STYLES = {"plain": None, "single_quoted": "'", "double_quoted": '"', "literal": "|", "folded": ">"}
_DIRECTIVE = LazyPattern(r"%TAG[ \t]+(\S+)[ \t]+(\S+)")
_VERSION = LazyPattern(r"%YAML[ \t]+(\d+)\.(\d+)")
#: White space and comments.
_GAP = LazyPattern(r"(?:[ \t\r\n\x85\u2028\u2029\ufeff]+|#[^\r\n]*)*")


class Parser:
    """Returns the events of a stream one by one."""

    def __init__(self) -> None:
        self._events: Iterator[Event] | None = None
        self._next: Event | None = None

    def dispose(self) -> None:
        """Discard the text and its events."""
        self._events, self._next = iter(()), None

    def _restart(self, events: list[tuple[Any, ...]]) -> None:
        """Continue with these events of the text, which have the form that `ketch.events` returns."""
        self._events = iter([_event(event, [], self) for event in events])  # type: ignore[arg-type]
        self._next = None

    def check_event(self, *choices: type) -> bool:
        """Return whether there is another event and, if any classes are given, whether it is of one of them.
        """
        event = self.peek_event()
        return event is not None and (not choices or isinstance(event, choices))

    def peek_event(self) -> Event | None:
        """Return the next event without removing it, or None after the last one."""
        if self._next is None:
            if self._events is None:
                self._events = _events(self)  # type: ignore[arg-type]
            self._next = next(self._events, None)
            if self._next is not None:
                self._offset = self._next.start_mark._offset  # type: ignore[union-attr]
        return self._next

    def get_event(self) -> Event | None:
        """Return the next event, or None after the last one."""
        event = self.peek_event()
        self._next = None
        return event


def _events(reader: Reader) -> Iterator[Event]:
    """Return the events of a reader's text."""
    mark = reader._places.mark
    events, error = _ketch.events_until(reader._text)
    start = mark(0)
    yield StreamStartEvent(start, start, reader.encoding)
    directives: list[Any] = []
    for event in events:
        if event[0] == "directive":
            directives.append(event)
            continue
        yield _event(event, directives, reader)
        if event[0] == "document_start":
            directives = []
    if error is not None:
        raise invalid(error, reader)
    end = mark(reader._places.offset(len(reader._text)))
    yield StreamEndEvent(end, end)


def _event(event: tuple[Any, ...], directives: list[Any], reader: Reader) -> Event:
    mark = reader._places.mark
    kind, value, anchor, tag, style, is_explicit, start, end, node_start = event
    if kind == "scalar":
        implicit = (True, False) if tag == "!" or (tag is None and style == "plain") else (tag is None, tag is None)
        if implicit == (True, True):
            implicit = (False, True)
        value = reader._contents.get(start, value)
        return ScalarEvent(anchor, tag, implicit, value, mark(node_start), mark(end), _STYLES[style])
    if kind == "mapping_start":
        is_flow = style == "flow"
        return MappingStartEvent(anchor, tag, tag in (None, "!"), mark(node_start), mark(end), is_flow)
    if kind == "sequence_start":
        is_flow = style == "flow"
        return SequenceStartEvent(anchor, tag, tag in (None, "!"), mark(node_start), mark(end), is_flow)
    if kind in ("mapping_end", "sequence_end"):
        # PyYAML locates the end of a block collection at the start of the next token.
        at, until = (mark(start), mark(end)) if end > start else (_next_token(reader, end),) * 2
        return (MappingEndEvent if kind == "mapping_end" else SequenceEndEvent)(at, until)
    if kind == "alias":
        return AliasEvent(value, mark(start), mark(end))
    if kind == "document_end":
        return DocumentEndEvent(mark(start), mark(end), is_explicit)
    version, tags = _directives(directives, reader)
    first = directives[0][6] if directives else start
    return DocumentStartEvent(mark(first), mark(end), is_explicit, version, tags)


def _next_token(reader: Reader, offset: int) -> Mark:
    places = reader._places
    found = _GAP.match(reader._text, places.index(offset))
    return places.mark(offset if found is None else places.offset_near(found.end()))


def _directives(directives: list[Any], reader: Reader) -> tuple[tuple[int, int] | None, dict[str, str] | None]:
    version: tuple[int, int] | None = None
    tags: dict[str, str] = {}
    for directive in directives:
        if found := _VERSION.match(directive[1]):
            if version is not None:
                problem = "found duplicate YAML directive"
                raise ParserError(None, None, problem, reader._places.mark(directive[6]))
            version = int(found[1]), int(found[2])
            if version[0] != 1:
                problem = "found incompatible YAML document (version 1.* is required)"
                raise ParserError(None, None, problem, reader._places.mark(directive[6]))
        elif found := _DIRECTIVE.match(directive[1]):
            tags[found[1]] = found[2]
    return version, tags or None


def invalid(error: Error, reader: Reader) -> InvalidYAMLError:
    """Return an error of the parser as an exception of this package."""
    places = reader._places
    mark = places.mark(error.offset or 0)
    help = error.help
    if error.setting is not None:
        help = f"ketch.yaml has no option for this limit; ketch.loads has one, {error.setting}."
    if error.related_line is None:
        return InvalidYAMLError(None, None, error.problem, mark, help)
    line = error.related_line - 1
    _, _, _, text, _ = places.locate(0)
    assert places._line_starts is not None
    index = places._line_starts[line] + (error.related_column or 1) - 1
    related = Mark(reader.name, index, line, (error.related_column or 1) - 1, text, index)
    is_before = related.index <= mark.index
    context = "while reading what starts here" if is_before else "the error becomes apparent here"
    return InvalidYAMLError(context, related, error.problem, mark, help)

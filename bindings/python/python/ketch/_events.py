"""Parser events."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from . import _ketch


class Event(NamedTuple):
    """An event of the parser.

    ``kind`` is ``document_start``, ``document_end``, ``sequence_start``, ``sequence_end``,
    ``mapping_start``, ``mapping_end``, ``scalar``, ``alias`` or ``directive``.
    """

    kind: str
    #: The content of a scalar, the name that an alias refers to, or the text of a directive.
    value: str | None = None
    anchor: str | None = None
    #: The tag, with its handle replaced by its prefix.
    tag: str | None = None
    #: For scalars ``plain``, ``single_quoted``, ``double_quoted``, ``literal`` or ``folded``;
    #: for collections ``block`` or ``flow``.
    style: str | None = None
    #: Whether the start or the end of a document has its marker.
    explicit: bool = False
    #: The start and the end of the event, as offsets in bytes of the text in UTF-8.
    start: int = 0
    end: int = 0
    #: The start of the node's anchor or tag, whichever comes first; without these, the same as
    #: ``start``.
    node_start: int = 0


def events(data: Any, /, **options: Any) -> Iterator[Event]:
    """Return an iterator over the parser's events in a text.

    Takes the options of `ketch.loads` that the parser knows: ``lenient``, ``filename``, ``max_depth``
    and the other limits.

    >>> import ketch
    >>> [event.kind for event in ketch.events("- a")][1:3]
    ['sequence_start', 'scalar']
    """
    return map(Event._make, _ketch.events(data, **options))

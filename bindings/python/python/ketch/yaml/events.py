"""Events of a stream."""

from __future__ import annotations

from .error import Mark

__all__ = [
    "AliasEvent",
    "CollectionEndEvent",
    "CollectionStartEvent",
    "DocumentEndEvent",
    "DocumentStartEvent",
    "Event",
    "MappingEndEvent",
    "MappingStartEvent",
    "NodeEvent",
    "ScalarEvent",
    "SequenceEndEvent",
    "SequenceStartEvent",
    "StreamEndEvent",
    "StreamStartEvent",
]


class Event:
    """Something that occurs in a stream, with the marks of its start and end."""

    def __init__(self, start_mark: Mark | None = None, end_mark: Mark | None = None) -> None:
        self.start_mark, self.end_mark = start_mark, end_mark

    def __repr__(self) -> str:
        shown = (f"{key}={getattr(self, key)!r}" for key in ("anchor", "tag", "implicit", "value") if hasattr(self, key))
        return f"{type(self).__name__}({', '.join(shown)})"


class StreamStartEvent(Event):
    def __init__(
        self, start_mark: Mark | None = None, end_mark: Mark | None = None, encoding: str | None = None
    ) -> None:
        super().__init__(start_mark, end_mark)
        self.encoding = encoding


class StreamEndEvent(Event):
    pass


class DocumentStartEvent(Event):
    def __init__(
        self,
        start_mark: Mark | None = None,
        end_mark: Mark | None = None,
        explicit: bool | None = None,
        version: tuple[int, int] | None = None,
        tags: dict[str, str] | None = None,
    ) -> None:
        super().__init__(start_mark, end_mark)
        self.explicit, self.version, self.tags = explicit, version, tags


class DocumentEndEvent(Event):
    def __init__(
        self, start_mark: Mark | None = None, end_mark: Mark | None = None, explicit: bool | None = None
    ) -> None:
        super().__init__(start_mark, end_mark)
        self.explicit = explicit


class NodeEvent(Event):
    def __init__(
        self, anchor: str | None, start_mark: Mark | None = None, end_mark: Mark | None = None
    ) -> None:
        super().__init__(start_mark, end_mark)
        self.anchor = anchor


class AliasEvent(NodeEvent):
    pass


class ScalarEvent(NodeEvent):
    """A scalar. ``implicit`` contains whether the tag may be omitted in plain style, and in other styles."""

    def __init__(
        self,
        anchor: str | None,
        tag: str | None,
        implicit: tuple[bool, bool],
        value: str,
        start_mark: Mark | None = None,
        end_mark: Mark | None = None,
        style: str | None = None,
    ) -> None:
        super().__init__(anchor, start_mark, end_mark)
        self.tag, self.implicit, self.value, self.style = tag, implicit, value, style


class CollectionStartEvent(NodeEvent):
    def __init__(
        self,
        anchor: str | None,
        tag: str | None,
        implicit: bool,
        start_mark: Mark | None = None,
        end_mark: Mark | None = None,
        flow_style: bool | None = None,
    ) -> None:
        super().__init__(anchor, start_mark, end_mark)
        self.tag, self.implicit, self.flow_style = tag, implicit, flow_style


class CollectionEndEvent(Event):
    pass


class SequenceStartEvent(CollectionStartEvent):
    pass


class SequenceEndEvent(CollectionEndEvent):
    pass


class MappingStartEvent(CollectionStartEvent):
    pass


class MappingEndEvent(CollectionEndEvent):
    pass

"""Serializes nodes as events."""

from __future__ import annotations


from .error import YAMLError
from .events import *  # noqa: F403
from .events import (
    AliasEvent,
    DocumentEndEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
    StreamStartEvent,
)
from .nodes import *  # noqa: F403
from .nodes import MappingNode, ScalarNode, SequenceNode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["Serializer", "SerializerError"]


class SerializerError(YAMLError):
    """A document was written before the stream was opened, or after it was closed."""


#: A loader or dumper inherits from all parts, so any of them may call the others.
_Parts: Any = object


class Serializer(_Parts):  # type: ignore[misc]
    """Passes the events of documents to the emitter."""

    ANCHOR_TEMPLATE = "id%03d"

    def __init__(
        self,
        encoding: str | None = None,
        explicit_start: bool | None = None,
        explicit_end: bool | None = None,
        version: tuple[int, int] | None = None,
        tags: dict[str, str] | None = None,
    ) -> None:
        self.use_encoding = encoding
        self.use_explicit_start, self.use_explicit_end = explicit_start, explicit_end
        self.use_version, self.use_tags = version, tags
        self.serialized_nodes: set[Any] = set()
        #: The names of the nodes that occur more than once; None for the others.
        self.anchors: dict[Any, str | None] = {}
        self.last_anchor_id = 0
        #: None before the stream is opened; then, whether it is closed.
        self.closed: bool | None = None

    def open(self) -> None:
        """Open the stream."""
        if self.closed is not None:
            raise SerializerError("serializer is closed" if self.closed else "serializer is already opened")
        self.emit(StreamStartEvent(encoding=self.use_encoding))
        self.closed = False

    def close(self) -> None:
        """Close the stream."""
        if self.closed is None:
            raise SerializerError("serializer is not opened")
        if not self.closed:
            self.emit(StreamEndEvent())
            self.closed = True

    def serialize(self, node: Any) -> None:
        """Write a document."""
        if self.closed is not False:
            raise SerializerError("serializer is closed" if self.closed else "serializer is not opened")
        start = {"explicit": self.use_explicit_start, "version": self.use_version, "tags": self.use_tags}
        self.emit(DocumentStartEvent(**start))  # type: ignore[arg-type]
        self.anchor_node(node)
        self.serialize_node(node, None, None)
        self.emit(DocumentEndEvent(explicit=self.use_explicit_end))
        self.serialized_nodes, self.anchors, self.last_anchor_id = set(), {}, 0

    def anchor_node(self, node: Any) -> None:
        """Assign a name to each node that occurs more than once."""
        if node in self.anchors:
            if self.anchors[node] is None:
                self.anchors[node] = self.generate_anchor(node)
            return
        self.anchors[node] = None
        if isinstance(node, SequenceNode):
            for child in node.value:
                self.anchor_node(child)
        elif isinstance(node, MappingNode):
            for key, value in node.value:
                self.anchor_node(key)
                self.anchor_node(value)

    def generate_anchor(self, node: Any) -> str:
        self.last_anchor_id += 1
        return self.ANCHOR_TEMPLATE % self.last_anchor_id

    def serialize_node(self, node: Any, parent: Any, index: Any) -> None:
        anchor = self.anchors[node]
        if node in self.serialized_nodes:
            self.emit(AliasEvent(anchor))
            return
        self.serialized_nodes.add(node)
        self.descend_resolver(parent, index)
        if isinstance(node, ScalarNode):
            implicit = tuple(
                node.tag == self.resolve(ScalarNode, node.value, is_plain) for is_plain in ((True, False), (False, True))
            )
            self.emit(ScalarEvent(anchor, node.tag, implicit, node.value, style=node.style))
        elif isinstance(node, SequenceNode):
            is_implicit = node.tag == self.resolve(SequenceNode, node.value, True)
            self.emit(SequenceStartEvent(anchor, node.tag, is_implicit, flow_style=node.flow_style))
            for number, child in enumerate(node.value):
                self.serialize_node(child, node, number)
            self.emit(SequenceEndEvent())
        elif isinstance(node, MappingNode):
            is_implicit = node.tag == self.resolve(MappingNode, node.value, True)
            self.emit(MappingStartEvent(anchor, node.tag, is_implicit, flow_style=node.flow_style))
            for key, value in node.value:
                self.serialize_node(key, node, None)
                self.serialize_node(value, node, key)
            self.emit(MappingEndEvent())
        self.ascend_resolver()

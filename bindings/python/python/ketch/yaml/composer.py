"""Composes nodes from events."""

from __future__ import annotations


from .error import MarkedYAMLError
from .events import *  # noqa: F403
from .events import (
    AliasEvent,
    MappingEndEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
    StreamStartEvent,
)
from .nodes import *  # noqa: F403
from .nodes import MappingNode, Node, ScalarNode, SequenceNode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeVar

    _N = TypeVar("_N", bound=Node)

__all__ = ["Composer", "ComposerError"]


class ComposerError(MarkedYAMLError):
    """An alias without an anchor, a duplicate anchor, or a second document."""


#: A loader or dumper inherits from all parts, so any of them may call the others.
_Parts: Any = object


class Composer(_Parts):  # type: ignore[misc]
    """Composes the documents of a stream one by one."""

    def __init__(self) -> None:
        self.anchors: dict[str, Node] = {}

    def check_node(self) -> bool:
        """Return whether there is another document."""
        if self.check_event(StreamStartEvent):
            self.get_event()
        return not self.check_event(StreamEndEvent)

    def get_node(self) -> Node | None:
        """Return the root of the next document, or None after the last one."""
        return None if self.check_event(StreamEndEvent) else self.compose_document()

    def get_single_node(self) -> Node | None:
        """Return the root of the only document, or None if the stream contains none."""
        node = self.get_node() if self.check_node() else None
        if not self.check_event(StreamEndEvent):
            event: Any = self.get_event()
            raise ComposerError(
                "expected a single document in the stream",
                None if node is None else node.start_mark,
                "but found another document",
                event.start_mark,
            )
        self.get_event()
        return node

    def compose_document(self) -> Node | None:
        self.get_event()
        node = self.compose_node(None, None)
        self.get_event()
        self.anchors = {}
        return node

    def compose_node(self, parent: Node | None, index: Any) -> Node | None:
        """Compose the next node. In a sequence, ``index`` is the number of the item. In a mapping, it is None
        for a key, and the node of the key for a value.
        """
        event: Any = self.peek_event()
        if isinstance(event, AliasEvent):
            self.get_event()
            if event.anchor not in self.anchors:
                raise ComposerError(None, None, f"found undefined alias {event.anchor!r}", event.start_mark)
            return self.anchors[event.anchor]
        anchor = event.anchor
        if anchor is not None and anchor in self.anchors:
            context = f"found duplicate anchor {anchor!r}; first occurrence"
            raise ComposerError(context, self.anchors[anchor].start_mark, "second occurrence", event.start_mark)
        self.descend_resolver(parent, index)
        node: Node
        if isinstance(event, ScalarEvent):
            node = self.compose_scalar_node(anchor)
        elif isinstance(event, SequenceStartEvent):
            node = self.compose_sequence_node(anchor)
        else:
            node = self.compose_mapping_node(anchor)
        self.ascend_resolver()
        return node

    def compose_scalar_node(self, anchor: str | None) -> ScalarNode:
        event: Any = self.get_event()
        tag = event.tag
        if tag is None or tag == "!":
            tag = self.resolve(ScalarNode, event.value, event.implicit)
        node = ScalarNode(tag, event.value, event.start_mark, event.end_mark, event.style)
        if anchor is not None:
            self.anchors[anchor] = node
        return node

    def compose_sequence_node(self, anchor: str | None) -> SequenceNode:
        node: SequenceNode = self._started(SequenceNode, anchor)
        while not self.check_event(SequenceEndEvent):
            node.value.append(self.compose_node(node, len(node.value)))
        return self._ended(node)

    def compose_mapping_node(self, anchor: str | None) -> MappingNode:
        node: MappingNode = self._started(MappingNode, anchor)
        while not self.check_event(MappingEndEvent):
            key = self.compose_node(node, None)
            node.value.append((key, self.compose_node(node, key)))
        return self._ended(node)

    def _started(self, kind: type, anchor: str | None) -> Any:
        event: Any = self.get_event()
        tag = event.tag
        if tag is None or tag == "!":
            tag = self.resolve(kind, None, event.implicit)
        node = kind(tag, [], event.start_mark, None, event.flow_style)
        if anchor is not None:
            self.anchors[anchor] = node
        return node

    def _ended(self, node: _N) -> _N:
        event: Any = self.get_event()
        node.end_mark = event.end_mark
        return node

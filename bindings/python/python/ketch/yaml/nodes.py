"""Nodes of a document."""

from __future__ import annotations


from .error import Mark

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["CollectionNode", "MappingNode", "Node", "ScalarNode", "SequenceNode"]


class Node:
    """A node with its tag, its content, and the marks of its start and end."""

    id = "node"

    def __init__(self, tag: str, value: Any, start_mark: Mark | None, end_mark: Mark | None) -> None:
        self.tag, self.value, self.start_mark, self.end_mark = tag, value, start_mark, end_mark

    def __repr__(self) -> str:
        return f"{type(self).__name__}(tag={self.tag!r}, value={self.value!r})"


class ScalarNode(Node):
    """A scalar. Its value is its text; its style is that of the event."""

    id = "scalar"

    def __init__(
        self,
        tag: str,
        value: str,
        start_mark: Mark | None = None,
        end_mark: Mark | None = None,
        style: str | None = None,
    ) -> None:
        super().__init__(tag, value, start_mark, end_mark)
        self.style = style


class CollectionNode(Node):
    """A sequence or mapping."""

    id = "collection"

    def __init__(
        self,
        tag: str,
        value: list[Any],
        start_mark: Mark | None = None,
        end_mark: Mark | None = None,
        flow_style: bool | None = None,
    ) -> None:
        super().__init__(tag, value, start_mark, end_mark)
        self.flow_style = flow_style


class SequenceNode(CollectionNode):
    """A sequence. Its value is the list of its nodes."""

    id = "sequence"


class MappingNode(CollectionNode):
    """A mapping. Its value is a list of pairs of nodes."""

    id = "mapping"

"""Values with the locations of their parts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Generic, TypeVar

from . import _ketch, _typed
from ._document import Document, MappingNode, Node, Position, SequenceNode, _node

T = TypeVar("T")


class Located(Generic[T]):
    """A value that knows where each part of it is written: the result of `ketch.loads`
    and its siblings with ``positions=True``.

    A path consists of keys and indices of the value. Aliases and merge keys are
    followed.

    >>> import ketch
    >>> config = ketch.loads("ports: [80, http]", positions=True, filename="spec.yml")
    >>> config.value["ports"][1]
    'http'
    >>> str(config.position("ports", 1))
    'spec.yml:1:13'
    >>> print(config.position("ports", 1).excerpt)
    ports: [80, http]
                ^
    """

    __slots__ = ("document", "value")

    def __init__(self, value: T, document: Document | None) -> None:
        #: The value, as it is without ``positions``.
        self.value = value
        #: The document, or None if the text has none.
        self.document = document

    def position(self, *path: Any) -> Position | None:
        """Return where the value at the end of a path is written, or None if there is no such value."""
        node = self._node(path)
        return None if node is None else node.position

    def key_position(self, *path: Any) -> Position | None:
        """Return where the key at the end of a path is written, or None if there is no such key."""
        mapping = self._node(path[:-1]) if path else None
        if not isinstance(mapping, MappingNode):
            return None
        try:
            return mapping.key_node(path[-1]).position
        except LookupError:
            return None

    def nearest_position(self, *path: Any) -> Position | None:
        """Return where the innermost part of a path that exists is written. This is what an error should
        point to if a key is missing. Return None if the text has no document.
        """
        for length in range(len(path), -1, -1):
            found = self.position(*path[:length])
            if found is not None:
                return found
        return None

    def positions(self) -> Iterator[tuple[tuple[Any, ...], Position]]:
        """Return an iterator over all paths and their positions; a collection comes before its contents. What
        is in an alias or a merged value is left out.
        """
        rest: list[tuple[tuple[Any, ...], Node]] = []
        if self.document is not None:
            rest.append(((), self.document.root))
        while rest:
            path, node = rest.pop()
            yield path, node.position
            if node.kind != "alias":
                rest.extend(reversed(list(_below(path, node))))

    def _node(self, path: tuple[Any, ...]) -> Node | None:
        if self.document is None:
            return None
        try:
            return self.document.node(*path)
        except LookupError:
            return None

    def __repr__(self) -> str:
        return f"<ketch.Located {self.value!r}>"


def _below(path: tuple[Any, ...], node: Node) -> Iterator[tuple[tuple[Any, ...], Node]]:
    if isinstance(node, SequenceNode):
        for index, entry in enumerate(node.nodes()):
            yield (*path, index), entry
    elif isinstance(node, MappingNode):
        tree = node._tree
        for key, value, is_own in tree.pairs(node._number):
            if is_own:
                yield (*path, tree.key(key)), _node(tree, value)


def only(data: Any, /, type: Any = None, **options: Any) -> Located[Any]:
    """Return the `Located` of the only document."""
    trees = _ketch.trees(data, **options)
    if len(trees) > 1:
        # Raises the error for several documents.
        _ketch.loads(data, **options)
    if not trees:
        return Located(_converted(None, type, data, 0, options), None)
    return _of(trees[0], type, data, 0, options)


def all_of(data: Any, /, type: Any = None, **options: Any) -> list[Located[Any]]:
    """Return the `Located` of each document."""
    trees = _ketch.trees(data, **options)
    return [_of(tree, type, data, number, options) for number, tree in enumerate(trees)]


def _of(tree: _ketch.Tree, type: Any, data: Any, number: int, options: dict[str, Any]) -> Located[Any]:
    return Located(_converted(tree.value(0), type, data, number, options), Document(tree))


def _converted(value: Any, type: Any, data: Any, number: int, options: dict[str, Any]) -> Any:
    return value if type is None else _typed.converted(value, type, data, number, options)

"""Documents whose values become objects when they are read."""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, Mapping, Sequence, ValuesView
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, cast, overload

from . import _ketch
from ._errors import Error

if TYPE_CHECKING:
    _Kind = Literal["scalar", "sequence", "mapping", "alias"]
    _Style = Literal[
        "plain", "single-quoted", "double-quoted", "literal", "folded", "block", "flow", "alias"
    ]


def parse(data: Any, /, **options: Any) -> Document:
    """Return the only document of a text, whose values become objects when they are
    read.

    The whole text is checked immediately, but only values that the program reads become
    objects. Nodes know their style, comments and position. Takes the options of
    `ketch.loads` except ``type`` and ``positions``.

    >>> document = parse("masts: [main, mizzen]  # two\\nlaunched: 1902\\n")
    >>> document.root["launched"]
    1902
    >>> list(document.root["masts"])
    ['main', 'mizzen']
    >>> node = document.node("masts", 1)
    >>> node.line, node.column, node.style, node.comment
    (1, 15, 'plain', 'two')
    """
    trees = _ketch.trees(data, **options)
    if len(trees) == 1:
        return Document(trees[0])
    if not trees:
        raise Error("the text has no document", {"problem": "the text has no document"})
    # Raises the same error as `loads`, with its location.
    _ketch.loads(data, **options)
    raise AssertionError("two documents were read as one")


def parse_all(data: Any, /, **options: Any) -> list[Document]:
    """Return all documents of a text; see `ketch.parse`."""
    return [Document(tree) for tree in _ketch.trees(data, **options)]


class Document:
    """A document whose values become objects when they are read: the result of `ketch.parse`."""

    __slots__ = ("_tree",)

    def __init__(self, tree: _ketch.Tree) -> None:
        self._tree = tree

    @property
    def root(self) -> Node:
        """The root node."""
        return _node(self._tree, 0)

    @property
    def value(self) -> Any:
        """The value of the whole document, as `ketch.loads` returns it."""
        return self._tree.value(0)

    @property
    def file(self) -> str | None:
        """The name of the input, if the caller gave one."""
        return self._tree.file()

    @property
    def has_start_marker(self) -> bool:
        """Whether the document starts with ``---``."""
        return self._tree.markers()[0]

    @property
    def has_end_marker(self) -> bool:
        """Whether the document ends with ``...``."""
        return self._tree.markers()[1]

    def node(self, *path: Any) -> Node:
        """Return the node at the end of a path of keys and indices.

        Raises LookupError if there is none.
        """
        return self.root.node(*path)

    def __repr__(self) -> str:
        return f"<ketch.Document of {len(self._tree)} nodes>"


@dataclass(frozen=True, slots=True)
class Position:
    """The position of a part of a document. Lines and columns are counted from 1, columns in
    characters; ``offset`` and ``length`` are in bytes of the text in UTF-8.
    """

    file: str | None
    line: int
    column: int
    end_line: int
    end_column: int
    offset: int
    length: int
    #: The text of the line, limited to a few hundred bytes.
    line_text: str
    _before: int

    @property
    def excerpt(self) -> str:
        """The line, with a caret below it that points to the start, as in error messages."""
        blank = "".join("\t" if char == "\t" else " " for char in self.line_text[: self._before])
        return f"{self.line_text}\n{blank}^"

    def __str__(self) -> str:
        return ":".join(str(part) for part in (self.file, self.line, self.column) if part is not None)


class Node:
    """A node of a `Document`."""

    __slots__ = ("_number", "_tree")

    def __init__(self, tree: _ketch.Tree, number: int) -> None:
        self._tree = tree
        self._number = number

    @property
    def document(self) -> Document:
        """The document that the node is in."""
        return Document(self._tree)

    @property
    def kind(self) -> _Kind:
        """``"scalar"``, ``"sequence"``, ``"mapping"`` or ``"alias"``."""
        return cast("_Kind", self._tree.kind(self._number))

    @property
    def style(self) -> _Style:
        """How the node is written: ``"plain"``, ``"single-quoted"``, ``"double-quoted"``, ``"literal"`` or
        ``"folded"`` for a scalar, ``"block"`` or ``"flow"`` for a collection, or ``"alias"``.
        """
        return cast("_Style", self._tree.style(self._number))

    @property
    def tag(self) -> str | None:
        """The tag of the node, with the handle replaced by its prefix, or None if it has no tag."""
        return self._tree.tag(self._number)

    @property
    def anchor(self) -> str | None:
        """The name of the node's anchor, or of the anchor that an alias refers to."""
        return self._tree.anchor(self._number)

    @property
    def target(self) -> Node | None:
        """The node that an alias refers to; None for other nodes."""
        target = self._tree.target(self._number)
        return None if target is None else _node(self._tree, target)

    @property
    def text(self) -> str | None:
        """The content of a scalar, regardless of its type; None for other nodes."""
        return self._tree.text(self._number)

    @property
    def value(self) -> Any:
        """The value of the node and everything in it."""
        return self._tree.value(self._number)

    @property
    def comment(self) -> str | None:
        """The comment after the node on the same line, without ``#``; for a block collection, the comment
        after its key.
        """
        return self._tree.comments(self._number)[1]

    @property
    def comments_above(self) -> list[str]:
        """The comment lines directly above the line on which the node starts."""
        return self._tree.comments(self._number)[0]

    @property
    def position(self) -> Position:
        """The position of the node in the text."""
        text, before = self._tree.line(self._number)
        return Position(self._tree.file(), *self._tree.place(self._number), text, before)

    @property
    def line(self) -> int:
        """The line on which the node starts, counted from 1."""
        return self._tree.place(self._number)[0]

    @property
    def column(self) -> int:
        """The column at which the node starts, counted from 1, in characters."""
        return self._tree.place(self._number)[1]

    def node(self, *path: Any) -> Node:
        """Return the node at the end of a path of keys and indices.

        Raises LookupError if there is none.
        """
        node = self
        for step in path:
            node = node._child(step)
        return node

    def _child(self, step: Any) -> Node:
        raise LookupError(f"a {self.kind} has no {step!r}")

    def is_same(self, other: Node) -> bool:
        """Return whether both are the same node of the same document, not only nodes of equal value."""
        return self._tree is other._tree and self._number == other._number

    def __repr__(self) -> str:
        line, column, *_ = self._tree.place(self._number)
        return f"<ketch.{type(self).__name__} {self.kind} at {line}:{column}>"


class ScalarNode(Node):
    """A scalar."""

    __slots__ = ()


class SequenceNode(Node, Sequence[Any]):
    """A sequence, which acts as a sequence of its values: scalars become objects when they are read, and
    collections are nodes.
    """

    __slots__ = ()

    def __len__(self) -> int:
        return self._tree.count(self._number)

    @overload
    def __getitem__(self, index: int) -> Any: ...
    @overload
    def __getitem__(self, index: slice) -> list[Any]: ...

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [_read(self._tree, item) for item in self._tree.items(self._number)[index]]
        return _read(self._tree, self._at(index))

    def _at(self, index: Any) -> int:
        at = index.__index__()
        if at < 0:
            at += len(self)
        item = self._tree.item(self._number, at) if 0 <= at < len(self) else None
        if item is None:
            raise IndexError("sequence index out of range")
        return item

    def __iter__(self) -> Iterator[Any]:
        for item in self._tree.items(self._number):
            yield _read(self._tree, item)

    def nodes(self) -> Iterator[Node]:
        """Return an iterator over the nodes of the entries."""
        for item in self._tree.items(self._number):
            yield _node(self._tree, item)

    def _child(self, step: Any) -> Node:
        if not hasattr(step, "__index__"):
            raise LookupError(f"a sequence has no {step!r}")
        return _node(self._tree, self._at(step))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, (list, SequenceNode)):
            return NotImplemented
        return len(self) == len(other) and all(a == b for a, b in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]


class MappingNode(Node, Mapping[Any, Any]):
    """A mapping, which acts as a mapping of its values: scalars become objects when they are read, and
    collections are nodes. Merge keys are followed.
    """

    __slots__ = ()

    def __len__(self) -> int:
        return self._tree.count(self._number)

    def _pair(self, key: Any) -> tuple[int, int]:
        pair = self._tree.pair(self._number, key)
        if pair is None:
            raise KeyError(key)
        return pair

    def __getitem__(self, key: Any) -> Any:
        return _read(self._tree, self._pair(key)[1])

    def __contains__(self, key: object) -> bool:
        return self._tree.pair(self._number, key) is not None

    def __iter__(self) -> Iterator[Any]:
        for key, _, _ in self._tree.pairs(self._number):
            yield self._tree.key(key)

    def items(self) -> ItemsView[Any, Any]:
        """Return a view of the keys and values."""
        return _Items(self)

    def values(self) -> ValuesView[Any]:
        """Return a view of the values."""
        return _Values(self)

    def key_node(self, key: Any) -> Node:
        """Return the node of a key. Raises KeyError if there is no such key."""
        return _node(self._tree, self._pair(key)[0])

    def nodes(self) -> Iterator[tuple[Node, Node]]:
        """Return an iterator over the nodes of the keys and values."""
        for key, value, _ in self._tree.pairs(self._number):
            yield _node(self._tree, key), _node(self._tree, value)

    def _child(self, step: Any) -> Node:
        return _node(self._tree, self._pair(step)[1])

    __hash__ = None  # type: ignore[assignment]


class _Items(ItemsView[Any, Any]):
    """The pairs, which are found without a search for each key."""

    _mapping: MappingNode

    def __iter__(self) -> Iterator[tuple[Any, Any]]:
        tree = self._mapping._tree
        for key, value, _ in tree.pairs(self._mapping._number):
            yield tree.key(key), _read(tree, value)


class _Values(ValuesView[Any]):
    _mapping: MappingNode

    def __iter__(self) -> Iterator[Any]:
        tree = self._mapping._tree
        for _, value, _ in tree.pairs(self._mapping._number):
            yield _read(tree, value)


_CLASSES: dict[str, type[Node]] = {
    "scalar": ScalarNode,
    "sequence": SequenceNode,
    "mapping": MappingNode,
}


def _node(tree: _ketch.Tree, number: int) -> Node:
    """Return the node with this number. The class of an alias is that of the node that it refers to."""
    kind = tree.kind(number)
    if kind == "alias":
        target = tree.target(number)
        kind = "scalar" if target is None else tree.kind(target)
    return _CLASSES[kind](tree, number)


def _read(tree: _ketch.Tree, number: int) -> Any:
    """Return the value of a scalar, or the node of a collection."""
    is_scalar, value = tree.read(number)
    if is_scalar:
        return value
    target = tree.target(number)
    return _CLASSES[value](tree, number if target is None else target)

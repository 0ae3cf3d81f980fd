"""Edits YAML texts, and leaves all other bytes as they are."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, cast

from . import _ketch
from ._views import EditMapping, EditNode, EditSequence, Readable

#: An operation: its name, the number of a view, the keys that lead from the view to the node,
#: and its fields.
_Operation = tuple[str, int, list[Any], dict[str, Any]]


def edit(path: str | bytes | os.PathLike[Any], /, *, write_through: bool = False, **options: Any) -> Edit:
    """Open a file to edit it.

    The result acts like the root of the first document, a dict or a list. As a context
    manager, it saves the file when the block ends without an exception. The file is replaced
    atomically and keeps its owner, mode, ACL and attributes. If nothing has changed, the file
    is not touched. If another program has changed it meanwhile, a FileError is raised.

    ``write_through=True`` writes into a file that cannot be replaced, such as one with several hard
    links. Takes the options of `ketch.loads` except ``type`` and ``positions``; they apply to reads.

    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "values.yml"
    >>> _ = path.write_text("image:\\n  tag: '1.9'   # pinned\\nhosts: [a.example]\\ndebug: yes\\n")
    >>> with edit(path) as d:
    ...     d["image"]["tag"] = "1.10"
    ...     d["hosts"].append("b.example")
    ...     del d["debug"]
    >>> print(path.read_text(), end="")
    image:
      tag: '1.10'   # pinned
    hosts: [a.example, b.example]
    """
    if not isinstance(path, (str, bytes, os.PathLike)):
        raise TypeError(f"edit takes a path, not {type(path).__qualname__}; ketch.edit_text edits text")
    options.setdefault("filename", os.fsdecode(path))
    try:
        session = _ketch.EditSession.of_file(os.fsdecode(path), **options)
    except FileNotFoundError as error:
        text = f"{error.strerror}; ketch.edit_text edits text"
        raise FileNotFoundError(error.errno, text, error.filename) from None
    return Edit(session, write_through)


def edit_text(data: Any, /, **options: Any) -> Edit:
    """Return an editing session for a text: a str, bytes in UTF-8, UTF-16 or UTF-32, or
    anything with a buffer.

    Takes the options of `ketch.loads` except ``type`` and ``positions``.

    >>> d = edit_text("# settings\\nport: 0x50  # http\\n")
    >>> d["port"]
    80
    >>> d["port"] = 8080
    >>> d.text
    '# settings\\nport: 8080  # http\\n'
    """
    return Edit(_ketch.EditSession(data, **options), False)


class Patch(NamedTuple):
    """A change: the bytes from ``start`` to ``end`` of the original are replaced by ``new``."""

    start: int
    end: int
    new: str


class Edit(Readable):
    """An editing session on a text: the result of `ketch.edit` and `ketch.edit_text`.

    It acts like the root of the first document: it has the methods of `EditMapping` or `EditSequence`. Reads
    return plain values, and views of collections; writes are edits.
    """

    __slots__ = ("_edits", "_session", "_write_through")

    def __init__(self, session: _ketch.EditSession, write_through: bool) -> None:
        self._session = session
        self._write_through = write_through
        self._edits = 0

    def __enter__(self) -> Edit:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        # A session on a text has no file to save.
        if kind is None and self._session.is_file():
            self.save()

    def save(self, *, write_through: bool | None = None) -> bool:
        """Replace the file, unless nothing has changed since it was read or last saved.

        Return whether something has changed. Raises FileError if another program has changed
        the file meanwhile, or if it cannot be replaced without losing some of its properties.
        """
        return self._session.save(self._write_through if write_through is None else write_through)

    @property
    def text(self) -> str:
        """The text with all edits."""
        return self._session.text()

    @property
    def original(self) -> str:
        """The text before all edits."""
        return self._session.original()

    def to_bytes(self) -> bytes:
        """Return the text with all edits, in the encoding that the original bytes have."""
        return self._session.bytes()

    @property
    def is_changed(self) -> bool:
        """Whether the text differs from the original."""
        return self._session.is_changed()

    @property
    def patches(self) -> list[Patch]:
        """The patches that turn the original into the text, in order. Offsets are in bytes of UTF-8."""
        return [Patch(*patch) for patch in self._session.patches(False)]

    @property
    def inverse(self) -> list[Patch]:
        """The patches that turn the text back into the original."""
        return [Patch(*patch) for patch in self._session.patches(True)]

    def diff(self, old: str = "old", new: str = "new") -> str:
        """Return the changes as a unified diff, which is empty if nothing has changed."""
        return self._session.diff(old, new)

    def lsp_edits(self) -> list[dict[str, Any]]:
        """Return the changes as a list of ``TextEdit`` objects of the Language Server Protocol."""
        return cast("list[dict[str, Any]]", json.loads(self._session.lsp()))

    @property
    def root(self) -> EditMapping | EditSequence:
        """The root of the first document."""
        return self.document(0)

    def document(self, index: int) -> EditMapping | EditSequence:
        """Return the root of the document with this index, counted from 0. If the document is empty or null,
        the root is an `EditMapping`.
        """
        count = self._session.document_count()
        at = index + count if index < 0 else index
        if not 0 <= at < max(count, 1):
            raise IndexError(f"there is no document {index}: the text has {count}")
        view = self._session.root(at)
        kind = EditSequence if self._session.kind(view) == "sequence" else EditMapping
        return kind(self, view)

    @property
    def documents(self) -> list[EditMapping | EditSequence]:
        """The roots of all documents."""
        return [self.document(index) for index in range(self._session.document_count())]

    def apply(self, operations: Any) -> None:
        """Apply operations in order; if one fails, none is applied.

        ``operations`` is a dict or a list of dicts as docs/editing.md describes, a JSON Patch
        (RFC 6902), or a str with one of these in JSON or YAML.

        >>> d = edit_text("image: {tag: a}\\ndebug: true\\n")
        >>> d.apply([{"op": "set", "path": ".image.tag", "value": "b"}, {"op": "delete", "path": ["debug"]}])
        >>> d.text
        'image: {tag: b}\\n'
        """
        self._edits += 1
        self._session.operate_data([operations] if isinstance(operations, Mapping) else operations)

    def rename_anchor(self, old: str, new: str) -> None:
        """Rename an anchor, and the aliases that refer to it."""
        self._run([("rename_anchor", self._session.root(0), [], {"from": old, "to": new})])

    def _run(self, operations: list[_Operation]) -> None:
        self._edits += 1
        self._session.operate(operations)

    def _wrap(self, found: tuple[bool | None, Any]) -> Any:
        is_mapping, value = found
        if is_mapping is None:
            return value
        return EditMapping(self, value) if is_mapping else EditSequence(self, value)

    # These are the methods that `with` blocks use most; `__getattr__` delegates all others to
    # the root.

    def __getitem__(self, key: Any) -> Any:
        return self.root[key]

    def __setitem__(self, key: Any, value: Any) -> None:
        self.root[key] = value

    def __delitem__(self, key: Any) -> None:
        del self.root[key]

    def __contains__(self, key: object) -> bool:
        return key in self.root

    def __iter__(self) -> Iterator[Any]:
        return iter(self.root)

    def __len__(self) -> int:
        return len(self.root)

    def __bool__(self) -> bool:
        return True

    def __eq__(self, other: object) -> bool:
        return self is other or self.root == other

    __hash__ = None  # type: ignore[assignment]

    @property
    def value(self) -> Any:
        """The plain value of the first document."""
        return self.root.value

    def node(self, *keys: Any) -> EditNode:
        """Return the node at the end of keys that start at the root or, without a key, that of the root."""
        return self.root.node(*keys)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self.root, name)

    def __repr__(self) -> str:
        state = "changed" if self.is_changed else "unchanged"
        return f"<ketch.Edit {state}, {self._session.document_count()} documents>"

"""The views of collections in a text that is edited, and the nodes in these."""

from __future__ import annotations

from collections.abc import ItemsView, Iterable, Iterator, MutableMapping, MutableSequence, ValuesView
from typing import TYPE_CHECKING, Any, Literal, cast, overload

from ._tagged import Tagged

if TYPE_CHECKING:
    from ._edit import Edit

    _Alias = Literal["through", "detach"]
    _Anchors = Literal["promote", "expand"]
    _Style = Literal["plain", "single", "double", "literal", "folded", "block", "flow"]


class _Missing:
    """Marks an argument that was not given, or an entry that does not exist."""


_MISSING = _Missing()


class Readable:
    """An object whose plain value is used when it is part of a new value."""

    __slots__ = ()

    @property
    def value(self) -> Any:
        """The plain value."""
        raise NotImplementedError


class EditView(Readable):
    """A collection in a text that is edited.

    The view follows its collection when entries around this are added or removed. If an
    edit deletes, moves or replaces the collection, the view is stale, and raises
    StaleViewError.
    """

    __slots__ = ("_edit", "_view")

    def __init__(self, edit: Edit, view: int) -> None:
        self._edit = edit
        self._view = view

    @property
    def edit(self) -> Edit:
        """The editing session that the view belongs to."""
        return self._edit

    @property
    def value(self) -> Any:
        """The plain value of the collection and everything in it, as a copy that no edit changes."""
        return self._edit._session.read(self._view, [])

    @property
    def path(self) -> str:
        """The path of the collection in the notation of the command ``ketch get``."""
        return self._edit._session.path(self._view)

    def __len__(self) -> int:
        return self._edit._session.count(self._view)

    def node(self, *keys: Any) -> EditNode:
        """Return the node of an entry, which has its comments, style and anchor;
        without a key, return the node of the collection itself. Several keys
        lead to an entry of an inner collection.

        Raises LookupError if there is none.
        """
        owner: Any = self
        for key in keys[:-1]:
            owner = owner._child(key) if isinstance(owner, EditView) else None
        if not isinstance(owner, EditView):
            raise KeyError(keys[-1])
        return EditNode(owner, list(keys[-1:]))

    def set(
        self,
        key: Any,
        value: Any,
        *,
        by: str | None = None,
        alias: _Alias | None = None,
        tag: str | None = None,
        keep_tag: bool = False,
    ) -> None:
        """Set an entry, as ``view[key] = value`` does. ``key`` may be a list of keys and indexes that lead to
        an entry of an inner collection; missing mappings on the way are added.

        If the entry is an alias, ``alias="through"`` edits the node that the alias
        refers to, and ``alias="detach"`` replaces the alias by an edited copy of that
        node. If ``by`` is given, an item of a new sequence counts as the old item that
        has the same value for this key. ``tag`` is the tag of the new value. By default,
        a tag of the old value that YAML does not define is dropped; ``keep_tag`` keeps it.
        """
        options = {} if by is None else {"key": by}
        self._run("set", _keys(key), value=value, alias=alias, tag=tag, keep_tag=keep_tag, **options)

    def delete(self, key: Any, *, anchors: _Anchors | None = None, alias: _Alias | None = None) -> None:
        """Delete an entry with its comments, as ``del view[key]`` does. ``key`` may be a list, as for `set`.

        If the entry contains an anchored node that aliases outside of it still use,
        ``anchors="promote"`` moves the node to the place of the first alias, and
        ``anchors="expand"`` copies it to the place of each.
        """
        if not isinstance(key, list):
            self._require(key)
        self._run("delete", _keys(key), anchors=anchors, alias=alias)

    def rewrite(self, key: Any, value: Any, *, alias: _Alias | None = None) -> None:
        """Rewrite an existing value as a whole, so that no part of it keeps its bytes. ``key`` may be a list, as
        for `set`.
        """
        self._run("replace", _keys(key), value=value, alias=alias)

    def move_to(
        self,
        key: Any,
        into: EditView,
        *,
        new_key: Any = _MISSING,
        before: Any = _MISSING,
        after: Any = _MISSING,
        index: int | None = None,
        first: bool = False,
    ) -> None:
        """Move an entry with its comments into another collection of the document: to the end of ``into``, or
        to where the options say. ``new_key`` is its key there. ``key`` may be a list, as for `set`.
        """
        place = _place(before, after, index, first)
        self._run("move", _keys(key), into=self._number(into), key=new_key, **place)

    def copy_to(
        self,
        key: Any,
        into: EditView,
        *,
        new_key: Any = _MISSING,
        before: Any = _MISSING,
        after: Any = _MISSING,
        index: int | None = None,
        first: bool = False,
    ) -> None:
        """Copy an entry into another collection, without its anchors. Takes the arguments of `move_to`."""
        place = _place(before, after, index, first)
        self._run("copy", _keys(key), into=self._number(into), key=new_key, **place)

    def _number(self, into: EditView) -> int:
        if isinstance(into, EditView) and into._edit is self._edit:
            return into._view
        raise ValueError("into: expected a view of the same text")

    def _run(self, operation: str, keys: list[Any], **fields: Any) -> None:
        self._edit._run([(operation, self._view, keys, _given(fields))])

    def _child(self, key: Any) -> Any:
        found = self._edit._session.child(self._view, key)
        return _MISSING if found is None else self._edit._wrap(found)

    def _require(self, key: Any) -> None:
        if self._child(key) is _MISSING:
            raise KeyError(key)

    def _is_at(self, key: Any, value: Any) -> bool:
        """Return whether ``value`` is the view of the entry at ``key``, as in ``view[key] += items``."""
        if not isinstance(value, EditView) or value._edit is not self._edit:
            return False
        found = self._child(key)
        return isinstance(found, EditView) and found._view == value._view

    def _entries(self) -> list[tuple[Any, Any]]:
        return self._edit._session.entries(self._view)

    def _delete_all(self, keys: Iterable[Any]) -> None:
        self._edit._run([("delete", self._view, [key], {}) for key in keys])

    def __copy__(self) -> Any:
        return self.value

    def __deepcopy__(self, _: Any) -> Any:
        return self.value

    def __reduce__(self) -> Any:
        raise TypeError("a view cannot be pickled: its `value` can")

    def __repr__(self) -> str:
        return f"<ketch.{type(self).__qualname__} at {self.path or '.'}: {self.value!r}>"


class EditMapping(EditView, MutableMapping[Any, Any]):
    """A mapping in a text that is edited. It acts like a dict."""

    __slots__ = ()

    def __getitem__(self, key: Any) -> Any:
        found = self._child(key)
        if found is _MISSING:
            raise KeyError(key)
        return found

    def __setitem__(self, key: Any, value: Any) -> None:
        if not self._is_at(key, value):
            self._run("set", [key], value=value)

    def __delitem__(self, key: Any) -> None:
        self.delete(key)

    def __contains__(self, key: object) -> bool:
        return self._child(key) is not _MISSING

    def __iter__(self) -> Iterator[Any]:
        return iter([key for key, _ in self._entries()])

    def __reversed__(self) -> Iterator[Any]:
        return iter([key for key, _ in self._entries()][::-1])

    def items(self) -> ItemsView[Any, Any]:
        """Return a view of the keys and values. Entries that are added while it is iterated over are not
        visited, nor are those that are deleted before their turn.
        """
        return _Items(self)

    def values(self) -> ValuesView[Any]:
        """Return a view of the values, which is iterated over as `items` is."""
        return _Values(self)

    @property
    def value(self) -> Any:
        """The plain value of the collection and everything in it, as a copy that no edit changes."""
        value = super().value
        # A document that is empty or null acts like an empty mapping.
        return {} if value is None else value

    def pop(self, key: Any, default: Any = _MISSING) -> Any:
        """Delete an entry with its comments, and return its plain value, or return the default if there is no
        such entry.
        """
        if key not in self:
            if default is _MISSING:
                raise KeyError(key)
            return default
        value = self._edit._session.read(self._view, [key])
        self._run("delete", [key])
        return value

    def popitem(self) -> tuple[Any, Any]:
        """Delete the last entry, and return its key and plain value."""
        entries = self._entries()
        if not entries:
            raise KeyError("popitem(): the mapping is empty")
        key = entries[-1][0]
        return key, self.pop(key)

    def setdefault(self, key: Any, default: Any = None) -> Any:
        """Return the value of a key. If the key is missing, first set its value to the default."""
        if key not in self:
            self[key] = default
        return self[key]

    def update(self, *others: Any, **entries: Any) -> None:
        """Set the entries of dicts or pairs, and keep all others. If one of them is refused, nothing changes.
        """
        pairs: list[tuple[Any, Any]] = []
        for other in others:
            pairs += dict(other).items()
        pairs += entries.items()
        self._edit._run([("set", self._view, [key], {"value": value}) for key, value in pairs])

    def __ior__(self, other: Any) -> EditMapping:
        self.update(other)
        return self

    def __or__(self, other: Any) -> dict[Any, Any]:
        return dict(_plain(self)) | dict(_plain(other))

    def __ror__(self, other: Any) -> dict[Any, Any]:
        return dict(other) | dict(_plain(self))

    def clear(self) -> None:
        """Delete all entries."""
        self._delete_all(list(self))

    def merge(self, value: Any) -> None:
        """Merge a dict into the mapping. Mappings that both contain are merged recursively."""
        self._run("merge", [], value=_plain(value))

    def merge_patch(self, value: Any) -> None:
        """Apply a JSON Merge Patch (RFC 7396): merge a dict as `merge` does, but delete the entries whose new
        value is None.
        """
        self._run("merge_patch", [], value=_plain(value))

    def replace(self, value: Any) -> None:
        """Make the mapping equal to a dict. Entries whose value stays equal keep their bytes and comments."""
        self._run("set", [], value=dict(_plain(value)))

    def rename(self, key: Any, to: str, *, alias: _Alias | None = None) -> None:
        """Change a key. Its value, its comments and its position stay the same. ``key`` may be a list, as for
        `set`.
        """
        self._run("rename", _keys(key), to=to, alias=alias)

    def insert(
        self,
        key: Any,
        value: Any,
        *,
        before: Any = _MISSING,
        after: Any = _MISSING,
        index: int | None = None,
        first: bool = False,
    ) -> None:
        """Add an entry: at the end, before or after the entry with the key ``before``
        or ``after``, at an index, or at the start.

        Raises EditError if the mapping already contains the key.
        """
        self._run("insert", [], key=key, value=value, **_place(before, after, index, first))

    def sort(self) -> None:
        """Sort the entries by their keys. Comments move with their entries."""
        self._run("sort", [])

    def __eq__(self, other: object) -> bool:
        other = _plain(other)
        return bool(_plain(self) == other) if isinstance(other, dict) else NotImplemented

    __hash__ = None  # type: ignore[assignment]


class _Items(ItemsView[Any, Any]):
    """The pairs. All of them are read at once, unless edits are made during the iteration."""

    _mapping: EditMapping

    def __iter__(self) -> Iterator[tuple[Any, Any]]:
        return _pairs(self._mapping)

    def __reversed__(self) -> Iterator[tuple[Any, Any]]:
        return iter(list(_pairs(self._mapping))[::-1])


class _Values(ValuesView[Any]):
    _mapping: EditMapping

    def __iter__(self) -> Iterator[Any]:
        for _, value in _pairs(self._mapping):
            yield value

    def __reversed__(self) -> Iterator[Any]:
        return iter(list(self)[::-1])


def _pairs(mapping: EditMapping) -> Iterator[tuple[Any, Any]]:
    edit = mapping._edit
    edits = edit._edits
    for key, found in mapping._entries():
        value = edit._wrap(found) if edit._edits == edits else mapping._child(key)
        if value is not _MISSING:
            yield key, value


class EditSequence(EditView, MutableSequence[Any]):
    """A sequence in a text that is edited. It acts like a list."""

    __slots__ = ()

    @overload
    def __getitem__(self, index: int) -> Any: ...
    @overload
    def __getitem__(self, index: slice) -> list[Any]: ...

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return list(self)[index]
        found = self._child(_integer(index))
        if found is _MISSING:
            raise IndexError("sequence index out of range")
        return found

    @overload
    def __setitem__(self, index: int, value: Any) -> None: ...
    @overload
    def __setitem__(self, index: slice, value: Iterable[Any]) -> None: ...

    def __setitem__(self, index: Any, value: Any) -> None:
        if isinstance(index, slice):
            items = _plain(self)
            items[index] = [_plain(item) for item in value]
            return self.replace(items)
        self._require(index)
        if not self._is_at(index, value):
            self._run("set", [_integer(index)], value=value)

    def __delitem__(self, index: Any) -> None:
        if isinstance(index, slice):
            # Items are deleted from the end, so that no index changes before its turn.
            return self._delete_all(sorted(range(len(self))[index], reverse=True))
        self.delete(index)

    def __iter__(self) -> Iterator[Any]:
        edits = self._edit._edits
        for index, (_, found) in enumerate(self._entries()):
            value = self._edit._wrap(found) if self._edit._edits == edits else self._child(index)
            if value is _MISSING:
                return
            yield value

    def _require(self, index: Any) -> None:
        if self._child(_integer(index)) is _MISSING:
            raise IndexError("sequence index out of range")

    def append(self, value: Any) -> None:
        """Add an item at the end."""
        self._run("append", [], value=value)

    def extend(self, values: Iterable[Any]) -> None:
        """Add all items at the end, or none of them if one is refused."""
        self._edit._run([("append", self._view, [], {"value": value}) for value in values])

    # As in `list`, `+=` accepts more types than `+`, which type checkers reject.
    def __iadd__(self, values: Iterable[Any]) -> EditSequence:  # type: ignore[misc]
        self.extend(values)
        return self

    def __add__(self, other: Any) -> list[Any]:
        return list(_plain(self)) + list(_plain(other))

    def __radd__(self, other: Any) -> list[Any]:
        return list(other) + list(_plain(self))

    def insert(self, index: int, value: Any) -> None:
        """Insert an item before the one at an index, as `list.insert` does."""
        count = len(self)
        at = max(_integer(index) + count, 0) if index < 0 else min(_integer(index), count)
        self._run("insert", [], value=value, index=at)

    def pop(self, index: int = -1) -> Any:
        """Delete the item at an index, and return its plain value."""
        self._require(index)
        value = self._edit._session.read(self._view, [_integer(index)])
        self._run("delete", [index])
        return value

    def clear(self) -> None:
        """Delete all items."""
        if len(self):
            self._run("set", [], value=[])

    def reverse(self) -> None:
        """Reverse the order of the items."""
        self.replace(_plain(self)[::-1])

    def replace(self, values: Iterable[Any], *, by: str | None = None) -> None:
        """Make the sequence equal to a list. Items at the start and the end that stay
        equal keep their bytes and comments.

        If ``by`` is given, items with the same value for this key count as the same
        item, which is changed in place.
        """
        items = [_plain(value) for value in values]
        self._run("set", [], value=items, **({} if by is None else {"key": by}))

    def sort(self) -> None:
        """Sort the items. Comments move with their items."""
        self._run("sort", [])

    def __eq__(self, other: object) -> bool:
        other = _plain(other)
        return bool(_plain(self) == other) if isinstance(other, list) else NotImplemented

    __hash__ = None  # type: ignore[assignment]


class EditNode:
    """How an entry is written: its comments, style, tag and anchor.

    >>> d = edit_text("tag: '1.9'   # old\\n")
    >>> node = d.node("tag")
    >>> node.style, node.comment
    ('single', 'old')
    >>> node.comment = "pinned"
    >>> node.style = "double"
    >>> d.text
    'tag: "1.9"   # pinned\\n'
    """

    __slots__ = ("_keys", "_owner")

    def __init__(self, owner: EditView, keys: list[Any]) -> None:
        self._owner = owner
        self._keys = keys
        if keys:
            owner._require(keys[0])

    @property
    def value(self) -> Any:
        """The plain value."""
        return self._owner._edit._session.read(self._owner._view, self._keys)

    @property
    def kind(self) -> Literal["scalar", "sequence", "mapping", "alias"]:
        """``"scalar"``, ``"sequence"``, ``"mapping"`` or ``"alias"``."""
        return self._facts()["kind"]  # type: ignore[no-any-return]

    @property
    def style(self) -> _Style | Literal["alias"]:
        """``"plain"``, ``"single"``, ``"double"``, ``"literal"`` or ``"folded"`` for a scalar, ``"block"`` or
        ``"flow"`` for a collection. Setting it rewrites the value in that style.
        """
        return self._facts()["style"]  # type: ignore[no-any-return]

    @style.setter
    def style(self, style: _Style) -> None:
        self._run("style", to=style)

    @property
    def tag(self) -> str | None:
        """The tag, with the handle replaced by its prefix, or None if there is no tag."""
        return self._facts()["tag"]  # type: ignore[no-any-return]

    @property
    def anchor(self) -> str | None:
        """The name of the anchor, or of the anchor that an alias refers to. Setting it adds an anchor, or
        renames the anchor and its aliases. Setting it to None removes the anchor.
        """
        return self._facts()["anchor"]  # type: ignore[no-any-return]

    @anchor.setter
    def anchor(self, name: str | None) -> None:
        self._run("anchor", to=name)

    def expand_anchor(self) -> None:
        """Remove the anchor, after copying the node to the places of its aliases."""
        self._run("anchor", anchors="expand")

    @property
    def comment(self) -> str | None:
        """The comment on the line of the entry, without its ``#``. Setting it to None removes the comment."""
        return self._comments()[1]

    @comment.setter
    def comment(self, text: str | None) -> None:
        self._run("comment", where="trailing", text=text)

    @property
    def leading_comment(self) -> str | None:
        """The comment above the entry, without ``#``; each of its lines is a line of the text. Setting it to
        None removes the comment.
        """
        return self._comments()[0]

    @leading_comment.setter
    def leading_comment(self, text: str | None) -> None:
        self._run("comment", where="leading", text=text)

    def _facts(self) -> dict[str, Any]:
        facts = self._owner._edit._session.facts(self._owner._view, self._keys)
        if facts is None:
            raise LookupError("the entry is gone")
        return facts

    def _comments(self) -> tuple[str | None, str | None]:
        return self._owner._edit._session.comments(self._owner._view, self._keys)

    def _run(self, operation: str, **fields: Any) -> None:
        self._owner._run(operation, self._keys, **fields)

    def __repr__(self) -> str:
        return f"<ketch.{type(self).__qualname__} {self.kind} {self.style} {self.value!r}>"


def _keys(key: Any) -> list[Any]:
    """Return the keys that lead to an entry; a list is no key itself."""
    return key if isinstance(key, list) else [key]


def _given(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not _MISSING}


def _place(before: Any, after: Any, index: int | None, first: bool) -> dict[str, Any]:
    return {"before": before, "after": after, "index": index, "first": first}


def _plain(value: Any) -> Any:
    """Return the plain value of a view or a `Tagged`. Return other values unchanged."""
    if isinstance(value, Readable):
        value = value.value
    return value.value if isinstance(value, Tagged) else value


def _integer(index: Any) -> int:
    try:
        return cast("int", index.__index__())
    except AttributeError:
        kind = type(index).__qualname__
        raise TypeError(f"sequence indices must be integers or slices, not {kind}") from None

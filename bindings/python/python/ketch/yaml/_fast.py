"""Loads without nodes, where a loader's class has the rules of PyYAML.

Nodes are made only where a tag has a constructor that the program has added."""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter
from typing import Any

from .. import _ketch
from .loader import SafeLoader
from .reader import read

#: The methods that decide about values.
_METHODS = attrgetter(
    *("check_event", "peek_event", "get_event", "check_node", "get_node", "get_single_node"),
    *("compose_document", "compose_node", "compose_scalar_node", "compose_sequence_node", "compose_mapping_node"),
    *("check_data", "get_data", "get_single_data", "construct_document", "construct_object"),
    *("construct_scalar", "construct_sequence", "construct_mapping", "construct_pairs", "flatten_mapping"),
    *("resolve", "descend_resolver", "ascend_resolver"),
)
_RULES = _METHODS(SafeLoader)
_CONSTRUCTORS = dict(SafeLoader.yaml_constructors)
_RESOLVERS = {first: list(rules) for first, rules in SafeLoader.yaml_implicit_resolvers.items()}


def single(stream: Any, cls: Any) -> Any:
    """The value of the only document; None if there is none."""
    stream, values = _values(stream, cls, most=1)
    if values is not None:
        return values[0] if values else None
    loader = cls(stream)
    try:
        return loader.get_single_data()
    finally:
        loader.dispose()


def each(stream: Any, cls: Any) -> Iterator[Any]:
    """The values of all documents."""
    stream, values = _values(stream, cls)
    if values is not None:
        yield from values
        return
    loader = cls(stream)
    try:
        while loader.check_data():
            yield loader.get_data()
    finally:
        loader.dispose()


def _values(stream: Any, cls: Any, most: int | None = None) -> tuple[Any, list[Any] | None]:
    """The values of a stream, if they can be made without nodes; a stream with the same content."""
    constructors = _constructors(cls)
    if constructors is None:
        return stream, None
    if not isinstance(stream, (str, bytes)):
        stream = _Read(*read(stream))
    data = stream.data if isinstance(stream, _Read) else stream
    data = data.removeprefix("\ufeff" if isinstance(data, str) else b"\xef\xbb\xbf")
    found = _ketch.pyyaml_values(data, *constructors)
    if found is None or (most is not None and len(found[0]) > most):
        return stream, None
    if found[1]:
        _construct(cls(stream), found[1])
    return stream, found[0]


def _construct(loader: Any, subtrees: list[tuple[Any, Any, list[Any]]]) -> None:
    """Puts the values of subtrees in the place of their events."""
    try:
        for collection, key, events in subtrees:
            loader._restart(events)
            collection[key] = loader.construct_document(loader.compose_node(None, None))
    finally:
        loader.dispose()


def _constructors(cls: Any) -> tuple[Any, ...] | None:
    """The tags and prefixes for which a class has constructors; None if it has other rules of its own."""
    try:
        if (
            _METHODS(cls) != _RULES
            or cls.yaml_implicit_resolvers != _RESOLVERS
            or cls.yaml_path_resolvers
        ):
            return None
        constructors, prefixes = cls.yaml_constructors, cls.yaml_multi_constructors
    except AttributeError:
        return None
    if constructors == _CONSTRUCTORS and not prefixes:
        return ()
    if None in prefixes or any(constructors.get(tag) is not rule for tag, rule in _CONSTRUCTORS.items()):
        return None
    return frozenset(constructors.keys() - _CONSTRUCTORS.keys()), list(prefixes)


class _Read:
    """A stream that was read once and can be read again."""

    def __init__(self, data: Any, name: str) -> None:
        self.data, self.name = data, name

    def read(self) -> Any:
        return self.data

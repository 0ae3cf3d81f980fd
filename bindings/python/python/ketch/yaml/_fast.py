"""Loads without nodes, where a loader's class has the rules of PyYAML and none of its own."""

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
    stream, values = _values(stream, cls)
    if values is not None and len(values) < 2:
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


def _values(stream: Any, cls: Any) -> tuple[Any, list[Any] | None]:
    """The values of a stream, if they can be made without nodes; a stream with the same content."""
    if not _has_plain_rules(cls):
        return stream, None
    if not isinstance(stream, (str, bytes)):
        stream = _Read(*read(stream))
    return stream, _ketch.pyyaml_values(stream.data if isinstance(stream, _Read) else stream)


def _has_plain_rules(cls: Any) -> bool:
    try:
        return (
            _METHODS(cls) == _RULES
            and cls.yaml_constructors == _CONSTRUCTORS
            and cls.yaml_implicit_resolvers == _RESOLVERS
            and not cls.yaml_multi_constructors
            and not cls.yaml_path_resolvers
        )
    except AttributeError:
        return False


class _Read:
    """A stream that was read once and can be read again."""

    def __init__(self, data: Any, name: str) -> None:
        self.data, self.name = data, name

    def read(self) -> Any:
        return self.data

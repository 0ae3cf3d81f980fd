"""Loads and dumps without creating nodes, if a class follows the rules of PyYAML. When loading, nodes are
only created for tags for which the program has added a constructor.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator
from operator import attrgetter
from typing import Any

from .. import _ketch
from .dumper import SafeDumper
from .emitter import SPECIAL_FOR_LIBYAML, Emitter
from .loader import SafeLoader
from .reader import read

#: The methods that determine the values of nodes.
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
    """Return the value of the only document, or None if there is none."""
    stream, values = _values(stream, cls, most=1)
    if values is not None:
        return values[0] if values else None
    loader = cls(stream)
    try:
        return loader.get_single_data()
    finally:
        loader.dispose()


def each(stream: Any, cls: Any) -> Iterator[Any]:
    """Return an iterator over the values of all documents."""
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
    """Return a stream with the same content, and the values of its documents, or None instead of the values
    if they cannot be created without nodes.
    """
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
    """Replace the events of each subtree, which are in place of its value, by the value."""
    try:
        for collection, key, events in subtrees:
            loader._restart(events)
            collection[key] = loader.construct_document(loader.compose_node(None, None))
    finally:
        loader.dispose()


def _constructors(cls: Any) -> tuple[Any, ...] | None:
    """Return the tags and the prefixes for which a class has constructors, or None if the class has other
    rules of its own.
    """
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


#: The attributes in which the dumpers for libyaml differ.
_VARIED = {"_after_plain_root", "_special"}
#: The attributes that determine how a document is written.
_WRITING = tuple(
    name
    for name in dir(SafeDumper)
    if not name.startswith(("__", "add_", "yaml_")) and name not in _VARIED
)
_WRITE_METHODS = attrgetter(*_WRITING)
_WRITE_RULES = _WRITE_METHODS(SafeDumper)
_WRITTEN = (type(None), str, bool, int, float, list, tuple, dict, datetime.date, datetime.datetime)
_WRITTEN_RULES = [SafeDumper.yaml_representers[kind] for kind in _WRITTEN]
_WIDEST = 1 << 62


def writer(dumper: Any) -> Callable[[Any], bool] | None:
    """Return a function that writes a value as a document without creating nodes, and returns whether it
    could. Return None if the dumper has rules or options of its own.
    """
    if not _is_usual(dumper):
        return None
    special = dumper._special
    if special is not Emitter._special and special is not SPECIAL_FOR_LIBYAML:
        return None
    flow = dumper.default_flow_style
    layout = (
        dumper.best_indent,
        int(min(dumper.best_width, _WIDEST)),
        dumper.best_line_break,
        bool(dumper.allow_unicode),
        special is Emitter._special,
    )
    structure = (None if flow is None else bool(flow), bool(dumper.sort_keys))

    def write(value: Any) -> bool:
        is_first = dumper.state == dumper.expect_first_document_start
        marks = (bool(dumper.use_explicit_start) or not is_first, bool(dumper.use_explicit_end))
        text = _ketch.pyyaml_document(value, layout, (*structure, *marks))
        if text is None:
            return False
        dumper.stream.write(text.encode(dumper.encoding) if dumper.encoding else text)
        dumper.flush_stream()
        dumper.state = dumper.expect_document_start
        dumper.open_ended = False
        return True

    return write


def _is_usual(dumper: Any) -> bool:
    cls = type(dumper)
    try:
        if (
            _WRITE_METHODS(cls) != _WRITE_RULES
            or not vars(dumper).keys().isdisjoint(_WRITING)
            or cls.yaml_implicit_resolvers != _RESOLVERS
            or cls.yaml_path_resolvers
        ):
            return False
        representers = cls.yaml_representers
    except AttributeError:
        return False
    if [representers.get(kind) for kind in _WRITTEN] != _WRITTEN_RULES:
        return False
    if dumper.encoding not in (None, "utf-8", "utf-16-le", "utf-16-be"):
        return False
    return dumper.default_style is None and not (dumper.canonical or dumper.use_version or dumper.use_tags)

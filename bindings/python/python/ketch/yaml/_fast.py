"""Loads and dumps without creating nodes, if a class follows the rules of PyYAML. When loading, nodes are
only created for tags for which the program has added a constructor.
"""

from __future__ import annotations

import datetime
from operator import attrgetter, itemgetter

from .. import _ketch
from .cyaml import CDumper, CSafeDumper
from .dumper import Dumper, SafeDumper
from .emitter import SPECIAL_FOR_LIBYAML, Emitter, best_indent, best_width
from .loader import FullLoader, SafeLoader
from .reader import read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

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
#: `FullLoader` adds the tags of Python.
_FULL_CONSTRUCTORS = dict(FullLoader.yaml_constructors)
_PYTHON_TAGS: tuple[Any, ...] = (frozenset(_FULL_CONSTRUCTORS.keys() - _CONSTRUCTORS.keys()), [])
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
    data = stream
    if not isinstance(data, (str, bytes)):
        stream = _Read(*read(stream))
        data = stream.data
    mark, sign = ("\ufeff", "!") if isinstance(data, str) else (b"\xef\xbb\xbf", b"!")
    data = data.removeprefix(mark)
    # Most texts have no tags, and are read faster if none has a constructor.
    if constructors is _PYTHON_TAGS and sign not in data:
        constructors = ()
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
    if not prefixes and constructors == _CONSTRUCTORS:
        return ()
    if not prefixes and constructors == _FULL_CONSTRUCTORS:
        return _PYTHON_TAGS
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
_VARIED = {"_after_plain_root", "_special", "_tagged_plain"}
#: The attributes that determine how a document is written.
_WRITING = tuple(
    name
    for name in dir(SafeDumper)
    if not name.startswith(("__", "add_", "yaml_")) and name not in _VARIED
)
_WRITE_METHODS = attrgetter(*_WRITING)
_WRITE_RULES = _WRITE_METHODS(SafeDumper)
#: The classes that are written without nodes, and their representers. `Dumper` writes tuples with a tag.
_WRITTEN = (type(None), str, bool, int, float, list, dict, datetime.date, datetime.datetime, tuple)
_REPRESENTERS = itemgetter(*_WRITTEN)
_WRITTEN_RULES: tuple[Any, ...] = _REPRESENTERS(SafeDumper.yaml_representers)
_TAGGING_RULES: tuple[Any, ...] = _REPRESENTERS(Dumper.yaml_representers)
_WIDEST = 1 << 62
#: The dumpers that `text` need not create, and the functions that would create them.
_CREATORS = {cls: cls.__init__ for cls in (SafeDumper, Dumper, CSafeDumper, CDumper)}
_SIMPLE = {
    *("default_flow_style", "sort_keys", "allow_unicode", "indent", "width", "explicit_start", "explicit_end"),
}


def _layout(indent: int, width: float, line_break: str, unicode: Any, special: Any) -> tuple[int, int, str, bool, bool]:
    return indent, int(min(width, _WIDEST)), line_break, bool(unicode), special is Emitter._special


#: The layouts that dumpers have without options, by whether they are like libyaml.
_LAYOUTS = (_layout(2, 80, "\n", False, SPECIAL_FOR_LIBYAML), _layout(2, 80, "\n", False, Emitter._special))


def text(value: Any, cls: Any, options: dict[str, Any]) -> str | None:
    """Return the text of a stream that contains one document, or None if it cannot be written without creating
    a dumper.
    """
    if _CREATORS.get(cls) is not cls.__init__:
        return None
    rules = _rules(cls)
    if rules is None:
        return None
    layout = _LAYOUTS[cls._special is Emitter._special]
    flow: bool | None = False
    sorts, marks = True, (False, False)
    if options:
        if not options.keys() <= _SIMPLE:
            return None
        get = options.get
        indent = best_indent(get("indent"))
        layout = _layout(indent, best_width(get("width"), indent), "\n", get("allow_unicode"), cls._special)
        flow, sorts = _structure(get("default_flow_style", False), get("sort_keys", True))
        marks = bool(get("explicit_start")), bool(get("explicit_end"))
    found = _ketch.pyyaml_document(value, layout, (flow, sorts, *marks, rules is _WRITTEN_RULES))
    if found is None:
        return None
    document, is_open = found
    return document + "...\n" if is_open and cls._after_plain_root is True else document


def writer(dumper: Any) -> Callable[[Any], bool] | None:
    """Return a function that writes a value as a document without creating nodes, and returns whether it
    could. Return None if the dumper has rules or options of its own.
    """
    rules = _rules_of(dumper)
    if rules is None:
        return None
    special = dumper._special
    if special is not Emitter._special and special is not SPECIAL_FOR_LIBYAML:
        return None
    layout = _layout(
        dumper.best_indent, dumper.best_width, dumper.best_line_break, dumper.allow_unicode, special
    )
    flow, sorts = _structure(dumper.default_flow_style, dumper.sort_keys)

    def write(value: Any) -> bool:
        is_first = dumper.state == dumper.expect_first_document_start
        marks = (bool(dumper.use_explicit_start) or not is_first, bool(dumper.use_explicit_end))
        found = _ketch.pyyaml_document(value, layout, (flow, sorts, *marks, rules is _WRITTEN_RULES))
        if found is None:
            return False
        text, is_open = found
        dumper.stream.write(text.encode(dumper.encoding) if dumper.encoding else text)
        dumper.flush_stream()
        dumper.state = dumper.expect_document_start
        dumper.open_ended = is_open and dumper._after_plain_root
        return True

    return write


def _structure(flow: Any, sorts: Any) -> tuple[bool | None, bool]:
    return None if flow is None else bool(flow), bool(sorts)


def _rules(cls: Any) -> tuple[Any, ...] | None:
    """Return the representers of a dumper class for the classes in `_WRITTEN`, or None if it has rules of its
    own.
    """
    try:
        if (
            cls.yaml_path_resolvers
            or _WRITE_METHODS(cls) != _WRITE_RULES
            or cls.yaml_implicit_resolvers != _RESOLVERS
        ):
            return None
        found: tuple[Any, ...] = _REPRESENTERS(cls.yaml_representers)
    except (AttributeError, KeyError):
        return None
    if found == _WRITTEN_RULES:
        return _WRITTEN_RULES
    return _TAGGING_RULES if found == _TAGGING_RULES else None


def _rules_of(dumper: Any) -> tuple[Any, ...] | None:
    """Return what `_rules` returns, or None if the dumper has rules or options of its own."""
    rules = _rules(type(dumper))
    if rules is None or not vars(dumper).keys().isdisjoint(_WRITING):
        return None
    if dumper.encoding not in (None, "utf-8", "utf-16-le", "utf-16-be"):
        return None
    has_options = dumper.default_style is not None or dumper.canonical or dumper.use_version or dumper.use_tags
    return None if has_options else rules

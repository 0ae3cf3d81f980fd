"""PyYAML's interface on Ketch's engine.

    import ketch.yaml as yaml

    yaml.safe_load("on: 1:30")  # {True: 90}, as PyYAML reads it

All loaders return the values of PyYAML's SafeLoader. Tags of Python are rejected.
docs/migrating-from-pyyaml.md lists what is supported and what differs.
"""

from __future__ import annotations

import io

from . import _fast
from .composer import *  # noqa: F403
from .constructor import *  # noqa: F403
from .cyaml import *  # noqa: F403
from .dumper import *  # noqa: F403
from .dumper import Dumper as Dumper
from .dumper import SafeDumper as SafeDumper
from .emitter import *  # noqa: F403
from .error import *  # noqa: F403
from .events import *  # noqa: F403
from .loader import *  # noqa: F403
from .loader import FullLoader as FullLoader
from .loader import Loader as Loader
from .loader import SafeLoader as SafeLoader
from .loader import UnsafeLoader as UnsafeLoader
from .nodes import *  # noqa: F403
from .parser import *  # noqa: F403
from .reader import *  # noqa: F403
from .representer import *  # noqa: F403
from .resolver import *  # noqa: F403
from .scanner import *  # noqa: F403
from .serializer import *  # noqa: F403
from .tokens import *  # noqa: F403

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

#: The version of PyYAML whose interface this is.
__version__ = "6.0.3"
__with_libyaml__ = True


def warnings(settings: Any = None) -> dict[str, Any]:
    """Return the settings for warnings, which are always empty; PyYAML keeps this for old programs."""
    return {}


def scan(stream: Any, Loader: type = Loader) -> Iterator[Any]:  # noqa: N803
    """Return an iterator over the tokens of a stream."""
    return _each(stream, Loader, "check_token", "get_token")


def parse(stream: Any, Loader: type = Loader) -> Iterator[Any]:  # noqa: N803
    """Return an iterator over the events of a stream."""
    return _each(stream, Loader, "check_event", "get_event")


def compose(stream: Any, Loader: type = Loader) -> Any:  # noqa: N803
    """Return the root node of the only document, or None if there is none."""
    loader: Any = Loader(stream)
    try:
        return loader.get_single_node()
    finally:
        loader.dispose()


def compose_all(stream: Any, Loader: type = Loader) -> Iterator[Any]:  # noqa: N803
    """Return an iterator over the root nodes of all documents."""
    return _each(stream, Loader, "check_node", "get_node")


def load(stream: Any, Loader: type) -> Any:  # noqa: N803
    """Return the value of the only document, or None if there is none."""
    return _fast.single(stream, Loader)


def load_all(stream: Any, Loader: type) -> Iterator[Any]:  # noqa: N803
    """Return an iterator over the values of all documents."""
    return _fast.each(stream, Loader)


def _each(stream: Any, Loader: Any, check: str, get: str) -> Iterator[Any]:  # noqa: N803
    loader = Loader(stream)
    try:
        while getattr(loader, check)():
            yield getattr(loader, get)()
    finally:
        loader.dispose()


def safe_load(stream: Any) -> Any:
    """Return the value of the only document of a str, bytes or open file."""
    return load(stream, SafeLoader)


def safe_load_all(stream: Any) -> Iterator[Any]:
    """Return an iterator over the values of all documents."""
    return load_all(stream, SafeLoader)


def full_load(stream: Any) -> Any:
    """Load a document like safe_load, with FullLoader."""
    return load(stream, FullLoader)


def full_load_all(stream: Any) -> Iterator[Any]:
    """Load all documents like safe_load_all, with FullLoader."""
    return load_all(stream, FullLoader)


def unsafe_load(stream: Any) -> Any:
    """Load a document like safe_load, with UnsafeLoader: tags that run code are rejected."""
    return load(stream, UnsafeLoader)


def unsafe_load_all(stream: Any) -> Iterator[Any]:
    """Load all documents like safe_load_all, with UnsafeLoader: tags that run code are rejected."""
    return load_all(stream, UnsafeLoader)


def add_constructor(tag: str | None, constructor: Callable[..., Any], Loader: Any = None) -> None:  # noqa: N803
    """Register ``constructor(loader, node)`` for nodes that have this tag."""
    for loader in _loaders(Loader):
        loader.add_constructor(tag, constructor)


def add_multi_constructor(
    tag_prefix: str | None,
    multi_constructor: Callable[..., Any],
    Loader: Any = None,  # noqa: N803
) -> None:
    """Register ``multi_constructor(loader, suffix, node)`` for nodes whose tag starts with a prefix."""
    for loader in _loaders(Loader):
        loader.add_multi_constructor(tag_prefix, multi_constructor)


def _loaders(given: Any) -> list[Any]:
    return [Loader, FullLoader, UnsafeLoader] if given is None else [given]


def emit(events: Iterable[Any], stream: Any = None, Dumper: Any = Dumper, **options: Any) -> Any:  # noqa: N803
    """Write events to ``stream`` or, if that is None, return the text."""
    out = io.StringIO() if stream is None else stream
    dumper = Dumper(out, **options)
    try:
        for event in events:
            dumper.emit(event)
    finally:
        dumper.dispose()
    return out.getvalue() if stream is None else None


def serialize_all(nodes: Iterable[Any], stream: Any = None, Dumper: Any = Dumper, **options: Any) -> Any:  # noqa: N803
    """Write root nodes as documents to ``stream`` or, if that is None, return the text."""
    return _dumped(nodes, "serialize", stream, Dumper, options)


def serialize(node: Any, stream: Any = None, Dumper: Any = Dumper, **options: Any) -> Any:  # noqa: N803
    """Write a root node to ``stream`` or, if that is None, return the text."""
    return serialize_all([node], stream, Dumper, **options)


def dump_all(documents: Iterable[Any], stream: Any = None, Dumper: Any = Dumper, **options: Any) -> Any:  # noqa: N803
    """Write values as documents to ``stream`` or, if that is None, return the text, as
    bytes with ``encoding``.

    default_style: the style of scalars, one of ' " | >.
    default_flow_style: whether collections are written in flow style; None: only those
    that contain only plain scalars.
    canonical: write every tag, and double quotes.
    indent, width, line_break, encoding: the layout of the text.
    allow_unicode: write characters beyond ASCII without escapes.
    explicit_start, explicit_end: write the markers at the start and the end of
    documents.
    version, tags: the directives of each document.
    sort_keys: sort the keys of mappings, as far as they have an order.
    """
    return _dumped(documents, "represent", stream, Dumper, options)


def dump(data: Any, stream: Any = None, Dumper: Any = Dumper, **options: Any) -> Any:  # noqa: N803
    """Write a value to ``stream`` or, if that is None, return the text. Takes the options of dump_all."""
    if stream is None:
        text = _fast.text(data, Dumper, options)
        if text is not None:
            return text
    return dump_all([data], stream, Dumper, **options)


def safe_dump_all(documents: Iterable[Any], stream: Any = None, **options: Any) -> Any:
    """Write documents like dump_all, with SafeDumper."""
    return dump_all(documents, stream, SafeDumper, **options)


def safe_dump(data: Any, stream: Any = None, **options: Any) -> Any:
    """Write a document like dump, with SafeDumper."""
    return dump(data, stream, SafeDumper, **options)


def _dumped(documents: Iterable[Any], write: str, stream: Any, dumper_class: Any, options: dict[str, Any]) -> Any:
    out: Any = stream
    if stream is None:
        out = io.StringIO() if options.get("encoding") is None else io.BytesIO()
    dumper = dumper_class(out, **options)
    try:
        dumper.open()
        write_fast = _fast.writer(dumper) if write == "represent" else None
        for document in documents:
            if write_fast is None or not write_fast(document):
                getattr(dumper, write)(document)
        dumper.close()
    finally:
        dumper.dispose()
    return out.getvalue() if stream is None else None


def add_implicit_resolver(
    tag: str,
    regexp: Any,
    first: list[str] | None = None,
    Loader: Any = None,  # noqa: N803
    Dumper: Any = Dumper,  # noqa: N803
) -> None:
    """Give plain scalars that match a pattern this tag. Their first character must be one of ``first``."""
    for each in (*_loaders(Loader), Dumper):
        each.add_implicit_resolver(tag, regexp, first)


def add_path_resolver(
    tag: str,
    path: list[Any],
    kind: Any = None,
    Loader: Any = None,  # noqa: N803
    Dumper: Any = Dumper,  # noqa: N803
) -> None:
    """Give the nodes at a path this tag."""
    for each in (*_loaders(Loader), Dumper):
        each.add_path_resolver(tag, path, kind)


def add_representer(data_type: Any, representer: Callable[..., Any], Dumper: Any = Dumper) -> None:  # noqa: N803
    """Register ``representer(dumper, value)`` for values of exactly this class."""
    Dumper.add_representer(data_type, representer)


def add_multi_representer(data_type: Any, multi_representer: Callable[..., Any], Dumper: Any = Dumper) -> None:  # noqa: N803
    """Register ``representer(dumper, value)`` for values of a class and of its subclasses."""
    Dumper.add_multi_representer(data_type, multi_representer)


class YAMLObjectMetaclass(type):
    """The metaclass that registers a class with a tag."""

    def __init__(cls, name: str, bases: tuple[type, ...], attributes: dict[str, Any]) -> None:
        super().__init__(name, bases, attributes)
        if attributes.get("yaml_tag") is not None:
            loaders = cls.yaml_loader if isinstance(cls.yaml_loader, list) else [cls.yaml_loader]
            for loader in loaders:
                loader.add_constructor(cls.yaml_tag, cls.from_yaml)
            cls.yaml_dumper.add_representer(cls, cls.to_yaml)

    yaml_tag: Any
    yaml_loader: Any
    yaml_dumper: Any
    from_yaml: Any
    to_yaml: Any


class YAMLObject(metaclass=YAMLObjectMetaclass):
    """The base of a program's classes that are read and written with a tag of their own."""

    __slots__ = ()

    yaml_loader: Any = [Loader, FullLoader, UnsafeLoader]
    yaml_dumper: Any = Dumper
    yaml_tag: Any = None
    yaml_flow_style: bool | None = None

    @classmethod
    def from_yaml(cls, loader: Any, node: Any) -> Any:
        """Return the object that a node represents."""
        return loader.construct_yaml_object(node, cls)

    @classmethod
    def to_yaml(cls, dumper: Any, data: Any) -> Any:
        """Return the node that represents an object."""
        return dumper.represent_yaml_object(cls.yaml_tag, data, cls, flow_style=cls.yaml_flow_style)

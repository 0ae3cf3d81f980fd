"""Constructs values from nodes."""

from __future__ import annotations

import math
import types
from collections.abc import Callable, Generator, Hashable

from . import _scalars
from .error import *  # noqa: F403
from .error import MarkedYAMLError
from .nodes import *  # noqa: F403
from .nodes import MappingNode, Node, ScalarNode, SequenceNode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeVar

    _T = TypeVar("_T")

__all__ = ["BaseConstructor", "ConstructorError", "FullConstructor", "SafeConstructor"]

#: A loader or dumper inherits from all parts, so any of them may call the others.
_Parts: Any = object

_PREFIX = _scalars.PREFIX


class ConstructorError(MarkedYAMLError):
    """A node from which the constructor cannot create a value."""


class BaseConstructor(_Parts):  # type: ignore[misc]
    """Creates values with the functions that are registered for tags."""

    yaml_constructors: dict[str | None, Callable[..., Any]] = {}
    yaml_multi_constructors: dict[str | None, Callable[..., Any]] = {}

    def __init__(self) -> None:
        self.constructed_objects: dict[Node, Any] = {}
        self.recursive_objects: dict[Node, Any] = {}
        self.state_generators: list[Generator[Any]] = []
        self.deep_construct = False

    @classmethod
    def add_constructor(cls, tag: str | None, constructor: Callable[..., Any]) -> None:
        """Register ``constructor(loader, node)`` for nodes with a tag or, if ``tag`` is None, for nodes whose
        tag has no other constructor.
        """
        if "yaml_constructors" not in cls.__dict__:
            cls.yaml_constructors = dict(cls.yaml_constructors)
        cls.yaml_constructors[tag] = constructor

    @classmethod
    def add_multi_constructor(cls, tag_prefix: str | None, multi_constructor: Callable[..., Any]) -> None:
        """Register ``multi_constructor(loader, suffix, node)`` for nodes whose tag starts with a prefix."""
        if "yaml_multi_constructors" not in cls.__dict__:
            cls.yaml_multi_constructors = dict(cls.yaml_multi_constructors)
        cls.yaml_multi_constructors[tag_prefix] = multi_constructor

    def check_data(self) -> bool:
        """Return whether there is another document."""
        return bool(self.check_node())

    def get_data(self) -> Any:
        """Return the value of the next document."""
        return self.construct_document(self.get_node()) if self.check_node() else None

    def get_single_data(self) -> Any:
        """Return the value of the only document, or None if the stream contains none."""
        node = self.get_single_node()
        return None if node is None else self.construct_document(node)

    def construct_document(self, node: Any) -> Any:
        value = self.construct_object(node)
        # Collections are filled after they are created, so that they can contain themselves.
        while self.state_generators:
            pending, self.state_generators = self.state_generators, []
            for generator in pending:
                for _ in generator:
                    pass
        self.constructed_objects, self.recursive_objects = {}, {}
        self.deep_construct = False
        return value

    def construct_object(self, node: Any, deep: bool = False) -> Any:
        """Return the value of a node. If ``deep`` is true, collections are filled immediately."""
        if node in self.constructed_objects:
            return self.constructed_objects[node]
        if node in self.recursive_objects:
            raise ConstructorError(None, None, "found unconstructable recursive node", node.start_mark)
        outer, self.deep_construct = self.deep_construct, deep or self.deep_construct
        self.recursive_objects[node] = None
        value = self._constructor(node)
        if isinstance(value, types.GeneratorType):
            generator = value
            value = next(generator)
            if self.deep_construct:
                for _ in generator:
                    pass
            else:
                self.state_generators.append(generator)
        self.constructed_objects[node] = value
        del self.recursive_objects[node]
        self.deep_construct = outer
        return value

    def _constructor(self, node: Any) -> Any:
        """Return the value that the constructor for a node's tag creates."""
        exact = self.yaml_constructors.get(node.tag)
        if exact is not None:
            return exact(self, node)
        for prefix, multi in self.yaml_multi_constructors.items():
            if prefix is not None and node.tag.startswith(prefix):
                return multi(self, node.tag[len(prefix) :], node)
        if None in self.yaml_multi_constructors:
            return self.yaml_multi_constructors[None](self, node.tag, node)
        if None in self.yaml_constructors:
            return self.yaml_constructors[None](self, node)
        if isinstance(node, ScalarNode):
            return self.construct_scalar(node)
        if isinstance(node, SequenceNode):
            return self.construct_sequence(node)
        return self.construct_mapping(node)

    def construct_scalar(self, node: Any) -> Any:
        """Return the text of a scalar."""
        if not isinstance(node, ScalarNode):
            raise ConstructorError(None, None, f"expected a scalar node, but found {node.id}", node.start_mark)
        return node.value

    def construct_sequence(self, node: Any, deep: bool = False) -> list[Any]:
        """Return the values of a sequence."""
        if not isinstance(node, SequenceNode):
            raise ConstructorError(None, None, f"expected a sequence node, but found {node.id}", node.start_mark)
        return [self.construct_object(child, deep=deep) for child in node.value]

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
        """Return the keys and values of a mapping. If keys are equal, the value of the last one is used."""
        if not isinstance(node, MappingNode):
            raise ConstructorError(None, None, f"expected a mapping node, but found {node.id}", node.start_mark)
        mapping = {}
        for key_node, value_node in node.value:
            key = self.construct_object(key_node, deep=deep)
            if not isinstance(key, Hashable):
                context = "while constructing a mapping"
                raise ConstructorError(context, node.start_mark, "found unhashable key", key_node.start_mark)
            mapping[key] = self.construct_object(value_node, deep=deep)
        return mapping

    def construct_pairs(self, node: Any, deep: bool = False) -> list[tuple[Any, Any]]:
        """Return the keys and values of a mapping as pairs."""
        if not isinstance(node, MappingNode):
            raise ConstructorError(None, None, f"expected a mapping node, but found {node.id}", node.start_mark)
        pairs = []
        for key_node, value_node in node.value:
            key = self.construct_object(key_node, deep=deep)
            pairs.append((key, self.construct_object(value_node, deep=deep)))
        return pairs


_REFUSED = "ketch.yaml refuses tags of Python that make objects or run code; FullLoader reads those that are only data."

#: The maximum number of merged pairs. Mappings that merge others repeatedly can multiply their
#: pairs.
_MERGED_MAX = 1_000_000


class SafeConstructor(BaseConstructor):
    """Creates values of Python's own classes. Tags that PyYAML defines for other Python objects are rejected.
    """

    #: These are used by constructors of programs.
    bool_values = _scalars.BOOLS
    timestamp_regexp = _scalars.TIMESTAMP
    inf_value = math.inf
    nan_value = math.nan

    def construct_scalar(self, node: Any) -> Any:
        """Return the text of a scalar or, for a mapping, the value of its key ``=``."""
        if isinstance(node, MappingNode):
            for key_node, value_node in node.value:
                if key_node.tag == _PREFIX + "value":
                    return self.construct_scalar(value_node)
        return super().construct_scalar(node)

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
        """Return the keys and values of a mapping, including those that it merges."""
        if isinstance(node, MappingNode):
            self.flatten_mapping(node)
        return super().construct_mapping(node, deep=deep)

    def flatten_mapping(self, node: Any) -> None:
        """Put the pairs of merged mappings before the mapping's own pairs, which take precedence."""
        merged: list[Any] = []
        own: list[Any] = []
        # This removes the merge keys. If the mapping merges itself, it merges nothing, because it
        # is empty meanwhile.
        pairs, node.value = node.value, []
        for key_node, value_node in pairs:
            if key_node.tag == _PREFIX + "merge":
                merged += self._merged(node, value_node)
            else:
                if key_node.tag == _PREFIX + "value":
                    key_node.tag = _PREFIX + "str"
                own.append((key_node, value_node))
        if len(merged) > _MERGED_MAX:
            problem = f"merge keys merge more than {_MERGED_MAX} pairs"
            raise ConstructorError("while constructing a mapping", node.start_mark, problem, node.start_mark)
        node.value = merged + own

    def _merged(self, node: Any, value_node: Any) -> list[Any]:
        """Return the pairs that are merged for the value of a merge key."""
        is_list = isinstance(value_node, SequenceNode)
        pairs = []
        # The first of several mappings takes precedence, so its pairs come last.
        for source in reversed(value_node.value) if is_list else [value_node]:
            if not isinstance(source, MappingNode):
                expected = "a mapping for merging" if is_list else "a mapping or list of mappings for merging"
                problem = f"expected {expected}, but found {source.id}"
                raise ConstructorError("while constructing a mapping", node.start_mark, problem, source.start_mark)
            self.flatten_mapping(source)
            pairs += source.value
        return pairs

    def construct_yaml_null(self, node: Any) -> None:
        self.construct_scalar(node)

    def construct_yaml_bool(self, node: Any) -> bool:
        return self._converted(_scalars.to_bool, node)

    def construct_yaml_int(self, node: Any) -> int:
        return self._converted(_scalars.to_int, node)

    def construct_yaml_float(self, node: Any) -> float:
        return self._converted(_scalars.to_float, node)

    def construct_yaml_binary(self, node: Any) -> bytes:
        return self._converted(_scalars.to_bytes, node)

    def construct_yaml_timestamp(self, node: Any) -> Any:
        return self._converted(_scalars.to_timestamp, node)

    def construct_yaml_str(self, node: Any) -> str:
        text: str = self.construct_scalar(node)
        return text

    def _converted(self, conversion: Callable[[str], _T], node: Any) -> _T:
        text = self.construct_scalar(node)
        try:
            return conversion(text)
        except (ValueError, OverflowError) as error:
            raise ConstructorError(None, None, str(error), node.start_mark) from None

    def construct_yaml_seq(self, node: Any) -> Generator[list[Any]]:
        value: list[Any] = []
        yield value
        value.extend(self.construct_sequence(node))

    def construct_yaml_map(self, node: Any) -> Generator[dict[Any, Any]]:
        value: dict[Any, Any] = {}
        yield value
        value.update(self.construct_mapping(node))

    def construct_yaml_set(self, node: Any) -> Generator[set[Any]]:
        value: set[Any] = set()
        yield value
        value.update(self.construct_mapping(node))

    def construct_yaml_omap(self, node: Any) -> Generator[list[Any]]:
        return self._pairs(node, "an ordered map")

    def construct_yaml_pairs(self, node: Any) -> Generator[list[Any]]:
        return self._pairs(node, "pairs")

    def _pairs(self, node: Any, what: str) -> Generator[list[Any]]:
        value: list[Any] = []
        yield value
        context = f"while constructing {what}"
        if not isinstance(node, SequenceNode):
            problem = f"expected a sequence, but found {node.id}"
            raise ConstructorError(context, node.start_mark, problem, node.start_mark)
        for child in node.value:
            if not isinstance(child, MappingNode):
                problem = f"expected a mapping of length 1, but found {child.id}"
                raise ConstructorError(context, node.start_mark, problem, child.start_mark)
            if len(child.value) != 1:
                problem = f"expected a single mapping item, but found {len(child.value)} items"
                raise ConstructorError(context, node.start_mark, problem, child.start_mark)
            key_node, value_node = child.value[0]
            value.append((self.construct_object(key_node), self.construct_object(value_node)))

    def construct_yaml_object(self, node: Any, cls: Any) -> Generator[Any]:
        value = cls.__new__(cls)
        yield value
        if hasattr(value, "__setstate__"):
            value.__setstate__(self.construct_mapping(node, deep=True))
        else:
            value.__dict__.update(self.construct_mapping(node))

    def construct_undefined(self, node: Any) -> Any:
        problem = f"could not determine a constructor for the tag {node.tag!r}"
        note = None
        if node.tag.startswith(_PREFIX + "python/"):
            note = _REFUSED
        raise ConstructorError(None, None, problem, node.start_mark, note)


for _tag in ("null", "bool", "int", "float", "binary", "timestamp", "omap", "pairs", "set", "str", "seq", "map"):
    SafeConstructor.add_constructor(_PREFIX + _tag, getattr(SafeConstructor, f"construct_yaml_{_tag}"))
SafeConstructor.add_constructor(None, SafeConstructor.construct_undefined)


class FullConstructor(SafeConstructor):
    """Also creates values for the tags of Python that are only data, such as ``!!python/tuple``. The tags that
    import modules, create other objects or run code are rejected.
    """

    def construct_python_str(self, node: Any) -> str:
        return self.construct_yaml_str(node)

    def construct_python_unicode(self, node: Any) -> str:
        return self.construct_yaml_str(node)

    def construct_python_bytes(self, node: Any) -> bytes:
        return self.construct_yaml_binary(node)

    def construct_python_long(self, node: Any) -> int:
        return self.construct_yaml_int(node)

    def construct_python_complex(self, node: Any) -> complex:
        return self._converted(complex, node)

    def construct_python_tuple(self, node: Any) -> tuple[Any, ...]:
        return tuple(self.construct_sequence(node))


for _tag in ("str", "unicode", "bytes", "long", "complex", "tuple"):
    FullConstructor.add_constructor(f"{_PREFIX}python/{_tag}", getattr(FullConstructor, f"construct_python_{_tag}"))
for _tag, _like in (("none", "null"), ("bool", "bool"), ("int", "int"), ("float", "float"), ("list", "seq"), ("dict", "map")):
    FullConstructor.add_constructor(f"{_PREFIX}python/{_tag}", getattr(FullConstructor, f"construct_yaml_{_like}"))


class UnsafeConstructor(FullConstructor):
    """Works like FullConstructor; no tag runs code."""


class Constructor(UnsafeConstructor):
    """Works like FullConstructor; no tag runs code."""


__all__ += ["Constructor", "UnsafeConstructor"]

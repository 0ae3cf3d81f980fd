"""Represents values as nodes."""

from __future__ import annotations

import base64
import datetime

from . import _scalars
from .error import *  # noqa: F403
from .error import YAMLError
from .nodes import *  # noqa: F403
from .nodes import MappingNode, Node, ScalarNode, SequenceNode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

__all__ = ["BaseRepresenter", "Representer", "RepresenterError", "SafeRepresenter"]

#: A loader or dumper inherits from all parts, so any of them may call the others.
_Parts: Any = object

_PREFIX = _scalars.PREFIX


class RepresenterError(YAMLError):
    """A value that cannot be represented in YAML."""


class BaseRepresenter(_Parts):  # type: ignore[misc]
    """Creates nodes with the functions that are registered for classes."""

    yaml_representers: dict[type | None, Callable[..., Any]] = {}
    yaml_multi_representers: dict[type | None, Callable[..., Any]] = {}

    def __init__(
        self, default_style: str | None = None, default_flow_style: bool | None = False, sort_keys: bool = True
    ) -> None:
        self.default_style, self.default_flow_style, self.sort_keys = default_style, default_flow_style, sort_keys
        self.represented_objects: dict[int, Node] = {}
        # Keeps objects that are only created to be written, so that no other object gets the
        # same identity.
        self.object_keeper: list[Any] = []
        self.alias_key: int | None = None

    @classmethod
    def add_representer(cls, data_type: type | None, representer: Callable[..., Any]) -> None:
        """Register ``representer(dumper, value)`` for values of exactly this class."""
        if "yaml_representers" not in cls.__dict__:
            cls.yaml_representers = dict(cls.yaml_representers)
        cls.yaml_representers[data_type] = representer

    @classmethod
    def add_multi_representer(cls, data_type: type | None, representer: Callable[..., Any]) -> None:
        """Register ``representer(dumper, value)`` for values of a class and of its subclasses."""
        if "yaml_multi_representers" not in cls.__dict__:
            cls.yaml_multi_representers = dict(cls.yaml_multi_representers)
        cls.yaml_multi_representers[data_type] = representer

    def represent(self, data: Any) -> None:
        """Write a value as a document."""
        self.serialize(self.represent_data(data))
        self.represented_objects, self.object_keeper, self.alias_key = {}, [], None

    def represent_data(self, data: Any) -> Any:
        """Return the node of a value."""
        if self.ignore_aliases(data):
            self.alias_key = None
        else:
            self.alias_key = id(data)
            if self.alias_key in self.represented_objects:
                return self.represented_objects[self.alias_key]
            self.object_keeper.append(data)
        classes = type(data).__mro__
        if classes[0] in self.yaml_representers:
            return self.yaml_representers[classes[0]](self, data)
        for cls in (*classes, None):
            if cls in self.yaml_multi_representers:
                return self.yaml_multi_representers[cls](self, data)
        if None in self.yaml_representers:
            return self.yaml_representers[None](self, data)
        return ScalarNode(None, str(data))  # type: ignore[arg-type]

    def _known(self, node: Node) -> None:
        if self.alias_key is not None:
            self.represented_objects[self.alias_key] = node

    def represent_scalar(self, tag: str, value: str, style: str | None = None) -> ScalarNode:
        """Return a scalar."""
        node = ScalarNode(tag, value, style=self.default_style if style is None else style)
        self._known(node)
        return node

    def represent_sequence(self, tag: str, sequence: Any, flow_style: bool | None = None) -> SequenceNode:
        """Return a sequence node that contains the nodes of the values."""
        children: list[Any] = []
        node = SequenceNode(tag, children, flow_style=flow_style)
        self._known(node)
        children.extend(self.represent_data(item) for item in sequence)
        if flow_style is None:
            node.flow_style = self._style_for(children)
        return node

    def represent_mapping(self, tag: str, mapping: Any, flow_style: bool | None = None) -> MappingNode:
        """Return a mapping node that contains the nodes of the keys and values."""
        pairs: list[Any] = []
        node = MappingNode(tag, pairs, flow_style=flow_style)
        self._known(node)
        if hasattr(mapping, "items"):
            mapping = list(mapping.items())
            if self.sort_keys:
                try:
                    mapping = sorted(mapping)
                except TypeError:
                    # The keys cannot be compared, so their order stays the same.
                    pass
        for key, value in mapping:
            key_node = self.represent_data(key)
            pairs.append((key_node, self.represent_data(value)))
        if flow_style is None:
            node.flow_style = self._style_for([child for pair in pairs for child in pair])
        return node

    def _style_for(self, children: list[Any]) -> bool:
        """Return whether a collection is written in flow style. By default, it is if it contains only plain
        scalars.
        """
        if self.default_flow_style is not None:
            return self.default_flow_style
        return all(isinstance(child, ScalarNode) and not child.style for child in children)

    def ignore_aliases(self, data: Any) -> bool:
        """Return whether a value is written in full each time that it occurs."""
        return False


class SafeRepresenter(BaseRepresenter):
    """Represents values of Python's own classes."""

    def ignore_aliases(self, data: Any) -> bool:
        is_empty_tuple = isinstance(data, tuple) and not data
        return data is None or is_empty_tuple or isinstance(data, (str, bytes, bool, int, float))

    def represent_none(self, data: None) -> Any:
        return self.represent_scalar(_PREFIX + "null", "null")

    def represent_str(self, data: str) -> Any:
        return self.represent_scalar(_PREFIX + "str", data)

    def represent_binary(self, data: bytes) -> Any:
        return self.represent_scalar(_PREFIX + "binary", base64.encodebytes(data).decode("ascii"), style="|")

    def represent_bool(self, data: bool) -> Any:
        return self.represent_scalar(_PREFIX + "bool", "true" if data else "false")

    def represent_int(self, data: int) -> Any:
        return self.represent_scalar(_PREFIX + "int", str(data))

    def represent_float(self, data: float) -> Any:
        if data != data:
            text = ".nan"
        elif data in (float("inf"), float("-inf")):
            text = ".inf" if data > 0 else "-.inf"
        else:
            text = repr(data).lower()
            # In YAML 1.1, a number with an exponent needs a dot, so `1e17` is not a number.
            if "." not in text:
                text = text.replace("e", ".0e", 1)
        return self.represent_scalar(_PREFIX + "float", text)

    def represent_list(self, data: Any) -> Any:
        return self.represent_sequence(_PREFIX + "seq", data)

    def represent_dict(self, data: Any) -> Any:
        return self.represent_mapping(_PREFIX + "map", data)

    def represent_set(self, data: Any) -> Any:
        return self.represent_mapping(_PREFIX + "set", dict.fromkeys(data))

    def represent_date(self, data: datetime.date) -> Any:
        return self.represent_scalar(_PREFIX + "timestamp", data.isoformat())

    def represent_datetime(self, data: datetime.datetime) -> Any:
        return self.represent_scalar(_PREFIX + "timestamp", data.isoformat(" "))

    def represent_yaml_object(self, tag: str, data: Any, cls: type, flow_style: bool | None = None) -> Any:
        state = data.__getstate__() if hasattr(data, "__getstate__") else data.__dict__.copy()
        return self.represent_mapping(tag, state, flow_style=flow_style)

    def represent_undefined(self, data: Any) -> Any:
        raise RepresenterError("cannot represent an object", data)


SafeRepresenter.add_representer(type(None), SafeRepresenter.represent_none)
SafeRepresenter.add_representer(str, SafeRepresenter.represent_str)
SafeRepresenter.add_representer(bytes, SafeRepresenter.represent_binary)
SafeRepresenter.add_representer(bool, SafeRepresenter.represent_bool)
SafeRepresenter.add_representer(int, SafeRepresenter.represent_int)
SafeRepresenter.add_representer(float, SafeRepresenter.represent_float)
SafeRepresenter.add_representer(list, SafeRepresenter.represent_list)
SafeRepresenter.add_representer(tuple, SafeRepresenter.represent_list)
SafeRepresenter.add_representer(dict, SafeRepresenter.represent_dict)
SafeRepresenter.add_representer(set, SafeRepresenter.represent_set)
SafeRepresenter.add_representer(datetime.date, SafeRepresenter.represent_date)
SafeRepresenter.add_representer(datetime.datetime, SafeRepresenter.represent_datetime)
SafeRepresenter.add_representer(None, SafeRepresenter.represent_undefined)


class Representer(SafeRepresenter):
    """Also represents tuples and complex numbers, with tags of Python. The tags that PyYAML writes here for
    other objects could not be read back.
    """

    def represent_complex(self, data: complex) -> Any:
        if data.imag == 0.0:
            text = repr(data.real)
        elif data.real == 0.0:
            text = f"{data.imag!r}j"
        else:
            text = f"{data.real!r}{'+' if data.imag > 0 else ''}{data.imag!r}j"
        return self.represent_scalar(_PREFIX + "python/complex", text)

    def represent_tuple(self, data: tuple[Any, ...]) -> Any:
        return self.represent_sequence(_PREFIX + "python/tuple", data)


Representer.add_representer(complex, Representer.represent_complex)
Representer.add_representer(tuple, Representer.represent_tuple)

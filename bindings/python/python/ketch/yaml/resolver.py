"""Determines the tags of nodes that have none."""

from __future__ import annotations

import re

from . import _scalars
from .error import *  # noqa: F403
from .error import YAMLError
from .nodes import *  # noqa: F403
from .nodes import MappingNode, Node, ScalarNode, SequenceNode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["BaseResolver", "Resolver", "ResolverError"]


class ResolverError(YAMLError):
    """A path that `add_path_resolver` does not support."""


class BaseResolver:
    """Resolves all nodes to str, seq or map, except where something else is registered."""

    DEFAULT_SCALAR_TAG = "tag:yaml.org,2002:str"
    DEFAULT_SEQUENCE_TAG = "tag:yaml.org,2002:seq"
    DEFAULT_MAPPING_TAG = "tag:yaml.org,2002:map"

    #: The tags and the patterns for them, by the first character of the text, or None for
    #: any first character.
    yaml_implicit_resolvers: dict[str | None, list[tuple[str, re.Pattern[str]]]] = {}
    yaml_path_resolvers: dict[tuple[tuple[Any, ...], type | None], str] = {}

    def __init__(self) -> None:
        self.resolver_exact_paths: list[dict[type | None, str]] = []
        self.resolver_prefix_paths: list[list[tuple[tuple[Any, ...], type | None]]] = []

    @classmethod
    def add_implicit_resolver(cls, tag: str, regexp: re.Pattern[str], first: list[str] | None) -> None:
        """Give plain scalars that match a pattern this tag. Their first character must be one of ``first``.
        """
        if "yaml_implicit_resolvers" not in cls.__dict__:
            cls.yaml_implicit_resolvers = {key: list(value) for key, value in cls.yaml_implicit_resolvers.items()}
        for character in [None] if first is None else first:
            cls.yaml_implicit_resolvers.setdefault(character, []).append((tag, regexp))

    @classmethod
    def add_path_resolver(cls, tag: str, path: list[Any], kind: Any = None) -> None:
        """Give the nodes at a path this tag. The path consists of keys and indexes, and of None for any of
        them.
        """
        if "yaml_path_resolvers" not in cls.__dict__:
            cls.yaml_path_resolvers = dict(cls.yaml_path_resolvers)
        steps = tuple(_step(step) for step in path)
        cls.yaml_path_resolvers[steps, _kind(kind)] = tag

    def descend_resolver(self, current_node: Node | None, current_index: Any) -> None:
        if not self.yaml_path_resolvers:
            return
        if current_node is None:
            open_paths = list(self.yaml_path_resolvers)
        else:
            depth = len(self.resolver_prefix_paths)
            open_paths = [
                (path, kind)
                for path, kind in self.resolver_prefix_paths[-1]
                if len(path) >= depth and _matches(path[depth - 1], current_node, current_index)
            ]
        depth = len(self.resolver_prefix_paths)
        exact = {kind: self.yaml_path_resolvers[path, kind] for path, kind in open_paths if len(path) == depth}
        self.resolver_exact_paths.append(exact)
        self.resolver_prefix_paths.append([(path, kind) for path, kind in open_paths if len(path) > depth])

    def ascend_resolver(self) -> None:
        if self.yaml_path_resolvers:
            self.resolver_exact_paths.pop()
            self.resolver_prefix_paths.pop()

    def resolve(self, kind: type, value: Any, implicit: Any) -> str:
        """Return the tag of a node."""
        if kind is ScalarNode and implicit[0]:
            for key in (value[:1], None):
                for tag, regexp in self.yaml_implicit_resolvers.get(key, ()):
                    if regexp.match(value):
                        return tag
        if self.yaml_path_resolvers:
            exact = self.resolver_exact_paths[-1]
            for found in (kind, None):
                if found in exact:
                    return exact[found]
        if kind is ScalarNode:
            return self.DEFAULT_SCALAR_TAG
        return self.DEFAULT_SEQUENCE_TAG if kind is SequenceNode else self.DEFAULT_MAPPING_TAG


class Resolver(BaseResolver):
    """Resolves plain scalars by the rules of PyYAML."""


def _kind(kind: Any) -> type | None:
    kinds: dict[Any, type[Node]] = {str: ScalarNode, list: SequenceNode, dict: MappingNode}
    if kind not in (None, *kinds, *kinds.values()):
        raise ResolverError(f"invalid node kind: {kind!r}")
    node_kind: type[Node] | None = kinds.get(kind, kind)
    return node_kind


def _step(step: Any) -> tuple[type | None, Any]:
    """Return a part of a path: the kind of the parent, and the key or index of the child."""
    parent, check = None, step
    if isinstance(step, (list, tuple)):
        if not 1 <= len(step) <= 2:
            raise ResolverError(f"invalid path element: {step!r}")
        parent, check = (*step, True)[:2]
        parent = _kind(parent)
    elif step in (str, list, dict, ScalarNode, SequenceNode, MappingNode):
        parent, check = _kind(step), None
    if not isinstance(check, (str, int)) and check is not None:
        raise ResolverError(f"invalid index checker: {check!r}")
    return parent, check


def _matches(step: tuple[type | None, Any], node: Node, index: Any) -> bool:
    parent, check = step
    if parent is not None and not isinstance(node, parent):
        return False
    if check is True:
        # A key itself.
        return index is None
    if check is None or check is False:
        return index is not None
    if isinstance(check, str):
        return isinstance(index, ScalarNode) and index.value == check
    return not isinstance(index, bool) and index == check


for _tag, _pattern, _first in _scalars.PATTERNS:
    Resolver.add_implicit_resolver(_scalars.PREFIX + _tag, _pattern, _first)

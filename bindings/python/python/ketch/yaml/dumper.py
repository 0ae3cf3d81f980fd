"""Dumpers: all stages from values to text in one class."""

from __future__ import annotations


from .emitter import *  # noqa: F403
from .emitter import Emitter
from .representer import *  # noqa: F403
from .representer import BaseRepresenter, Representer, SafeRepresenter
from .resolver import *  # noqa: F403
from .resolver import BaseResolver, Resolver
from .serializer import *  # noqa: F403
from .serializer import Serializer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["BaseDumper", "Dumper", "SafeDumper"]

_EMITTER = ("canonical", "indent", "width", "allow_unicode", "line_break")
_SERIALIZER = ("encoding", "explicit_start", "explicit_end", "version", "tags")


class _Options:
    """The keyword arguments of all dumpers, with their defaults."""

    def __init__(
        self,
        default_style: str | None = None,
        default_flow_style: bool | None = False,
        canonical: bool | None = None,
        indent: int | None = None,
        width: float | None = None,
        allow_unicode: bool | None = None,
        line_break: str | None = None,
        encoding: str | None = None,
        explicit_start: bool | None = None,
        explicit_end: bool | None = None,
        version: tuple[int, int] | None = None,
        tags: dict[str, str] | None = None,
        sort_keys: bool = True,
    ) -> None:
        self.given = {name: value for name, value in locals().items() if name != "self"}

    def of(self, names: tuple[str, ...]) -> dict[str, Any]:
        return {name: self.given[name] for name in names}


def _start(dumper: Any, representer: Any, resolver: Any, stream: Any, options: _Options) -> None:
    Emitter.__init__(dumper, stream, **options.of(_EMITTER))
    Serializer.__init__(dumper, **options.of(_SERIALIZER))
    representer.__init__(dumper, **options.of(("default_style", "default_flow_style", "sort_keys")))
    resolver.__init__(dumper)


class BaseDumper(Emitter, Serializer, BaseRepresenter, BaseResolver):
    """Writes only values whose classes are registered."""

    def __init__(self, stream: Any, *options: Any, **named: Any) -> None:
        _start(self, BaseRepresenter, BaseResolver, stream, _Options(*options, **named))


class SafeDumper(Emitter, Serializer, SafeRepresenter, Resolver):
    """Writes values of Python's own classes."""

    def __init__(self, stream: Any, *options: Any, **named: Any) -> None:
        _start(self, SafeRepresenter, Resolver, stream, _Options(*options, **named))


class Dumper(Emitter, Serializer, Representer, Resolver):
    """Like SafeDumper, but representers that are added to it do not affect that class."""

    def __init__(self, stream: Any, *options: Any, **named: Any) -> None:
        _start(self, Representer, Resolver, stream, _Options(*options, **named))

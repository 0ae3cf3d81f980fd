"""The names of PyYAML's classes in C. In Ketch, all classes use the same engine."""

from __future__ import annotations


from .composer import *  # noqa: F403
from .composer import Composer
from .constructor import *  # noqa: F403
from .constructor import BaseConstructor, FullConstructor, SafeConstructor
from .dumper import BaseDumper, Dumper, SafeDumper
from .emitter import *  # noqa: F403
from .emitter import SPECIAL_FOR_LIBYAML, Emitter
from .parser import *  # noqa: F403
from .parser import Parser
from .reader import *  # noqa: F403
from .reader import Reader
from .representer import *  # noqa: F403
from .resolver import *  # noqa: F403
from .resolver import BaseResolver, Resolver
from .scanner import *  # noqa: F403
from .scanner import Scanner
from .serializer import *  # noqa: F403
from .serializer import Serializer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["CBaseDumper", "CBaseLoader", "CDumper", "CEmitter", "CFullLoader", "CLoader", "CParser", "CSafeDumper", "CSafeLoader", "CUnsafeLoader"]


class CParser(Reader, Scanner, Parser, Composer):
    """All stages from text to nodes."""

    def __init__(self, stream: Any) -> None:
        Reader.__init__(self, stream)
        Scanner.__init__(self)
        Parser.__init__(self)
        Composer.__init__(self)


class CBaseLoader(CParser, BaseConstructor, BaseResolver):
    """Works like BaseLoader."""

    def __init__(self, stream: Any) -> None:
        CParser.__init__(self, stream)
        BaseConstructor.__init__(self)
        BaseResolver.__init__(self)


class CSafeLoader(CParser, SafeConstructor, Resolver):
    """Works like SafeLoader."""

    def __init__(self, stream: Any) -> None:
        CParser.__init__(self, stream)
        SafeConstructor.__init__(self)
        Resolver.__init__(self)


class CFullLoader(CParser, FullConstructor, Resolver):
    """Works like FullLoader."""

    def __init__(self, stream: Any) -> None:
        CParser.__init__(self, stream)
        FullConstructor.__init__(self)
        Resolver.__init__(self)


class CLoader(CFullLoader):
    """Works like Loader."""


class CUnsafeLoader(CFullLoader):
    """Works like UnsafeLoader."""


class _AsLibyaml:
    """The layout of libyaml, which differs from that of PyYAML in three details."""

    _after_plain_root: bool | str = "plain"
    _tagged_plain = True
    _special = SPECIAL_FOR_LIBYAML


class CEmitter(_AsLibyaml, Emitter, Serializer):
    """All stages from nodes to text."""

    def __init__(
        self,
        stream: Any,
        canonical: bool | None = None,
        indent: int | None = None,
        width: float | None = None,
        allow_unicode: bool | None = None,
        line_break: str | None = None,
        **options: Any,
    ) -> None:
        Emitter.__init__(self, stream, canonical, indent, width, allow_unicode, line_break)
        Serializer.__init__(self, **options)


class CBaseDumper(_AsLibyaml, BaseDumper):
    """Works like BaseDumper."""


class CSafeDumper(_AsLibyaml, SafeDumper):
    """Works like SafeDumper."""


class CDumper(_AsLibyaml, Dumper):
    """Works like Dumper."""

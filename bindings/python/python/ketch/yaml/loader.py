"""Loaders: all stages from text to values in one class."""

from __future__ import annotations


from .composer import *  # noqa: F403
from .composer import Composer
from .constructor import *  # noqa: F403
from .constructor import BaseConstructor, FullConstructor, SafeConstructor
from .parser import *  # noqa: F403
from .parser import Parser
from .reader import *  # noqa: F403
from .reader import Reader
from .resolver import *  # noqa: F403
from .resolver import BaseResolver, Resolver
from .scanner import *  # noqa: F403
from .scanner import Scanner

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["BaseLoader", "FullLoader", "Loader", "SafeLoader", "UnsafeLoader"]


class BaseLoader(Reader, Scanner, Parser, Composer, BaseConstructor, BaseResolver):
    """Loads every scalar as a str."""

    def __init__(self, stream: Any) -> None:
        Reader.__init__(self, stream)
        Scanner.__init__(self)
        Parser.__init__(self)
        Composer.__init__(self)
        BaseConstructor.__init__(self)
        BaseResolver.__init__(self)


class SafeLoader(Reader, Scanner, Parser, Composer, SafeConstructor, Resolver):
    """Loads values of Python's own classes."""

    def __init__(self, stream: Any) -> None:
        Reader.__init__(self, stream)
        Scanner.__init__(self)
        Parser.__init__(self)
        Composer.__init__(self)
        SafeConstructor.__init__(self)
        Resolver.__init__(self)


class FullLoader(Reader, Scanner, Parser, Composer, FullConstructor, Resolver):
    """Like SafeLoader, but constructors that are added to it do not affect that class."""

    def __init__(self, stream: Any) -> None:
        Reader.__init__(self, stream)
        Scanner.__init__(self)
        Parser.__init__(self)
        Composer.__init__(self)
        FullConstructor.__init__(self)
        Resolver.__init__(self)


class Loader(FullLoader):
    """Works like FullLoader; nothing here runs code."""


class UnsafeLoader(FullLoader):
    """Works like FullLoader; nothing here runs code."""

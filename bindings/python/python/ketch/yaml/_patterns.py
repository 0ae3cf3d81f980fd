"""Regular expressions that are compiled when they are first used: most programs need few of them, and
compiling all of them would take half the time of the import.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class LazyPattern:
    """A pattern whose methods are those of the compiled pattern."""

    def __init__(self, pattern: Any, flags: int = 0) -> None:
        self._source = pattern, flags

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        compiled: re.Pattern[Any] = re.compile(*self._source)
        found = getattr(compiled, name)
        setattr(self, name, found)
        return found

"""Aliases as new values of edits."""

from __future__ import annotations

import re
from typing import Any

# ns-anchor-char: no white space, and no indicator of a flow collection.
_NAME = re.compile(r"[^\s,\[\]{}\x00-\x1f\x7f\ufeff]+")


class Alias:
    """A new value for an edit: ``*name``, which refers to the anchor ``&name`` before it.

    >>> with ketch.edit("values.yml") as d:  # doctest: +SKIP
    ...     d["staging"] = ketch.Alias("defaults")
    """

    __slots__ = ("name",)

    #: The name of the anchor, without the ``&``.
    name: str

    def __init__(self, name: str) -> None:
        if _NAME.fullmatch(name) is None:
            raise ValueError(f"{name!r} cannot be the name of an anchor")
        self.name = name

    def __repr__(self) -> str:
        return f"Alias({self.name!r})"

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, Alias) and other.name == self.name

    def __hash__(self) -> int:
        return hash((Alias, self.name))

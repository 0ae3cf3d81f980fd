"""Tagged values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Tagged:
    """A value with a tag that YAML does not know, such as ``!Ref name``."""

    #: The tag: ``!Ref``, or a tag whose handle is replaced by its prefix, such as
    #: ``tag:example.com,2002:x``.
    tag: str
    #: The value. A scalar's value is a str, since only the tag says what it means.
    value: Any

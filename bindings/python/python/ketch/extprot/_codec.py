"""The codec that reads and writes values: the extension, or pure Python."""

from __future__ import annotations

from typing import Any

from . import pure

try:
    from .. import _ketch
except ImportError:
    _ketch = None  # type: ignore[assignment]


class Native:
    """The codec of the extension, which compiles a type when the type is first used."""

    loads: Any = getattr(_ketch, "extprot_loads", None)
    dumps: Any = getattr(_ketch, "extprot_dumps", None)
    decode_batch: Any = getattr(_ketch, "extprot_batch", None)

    @staticmethod
    def _program(type: Any) -> Any:
        if type.program is None:
            type.program = _ketch.ExtprotProgram(type)
        return type.program

    @staticmethod
    def read_typed(type: Any, data: Any, options: dict[str, Any]) -> Any:
        """Return the only value in ``data``, which has this type."""
        return Native._program(type).read(data, options)

    @staticmethod
    def typed_batch(type: Any, data: bytes, at: int, base: int, options: dict[str, Any]) -> Any:
        """Return the complete messages in ``data`` from ``at`` on, a part of a stream."""
        return Native._program(type).batch(data, at, base, options)

    @staticmethod
    def write_typed(type: Any, value: Any) -> bytes:
        """Return the bytes of a value, which has this type."""
        written: bytes = Native._program(type).write(value)
        return written


#: The codec that is used if the caller does not choose one.
DEFAULT: Any = pure if _ketch is None else Native

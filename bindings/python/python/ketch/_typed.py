"""Converts values to the caller's types, with the library that defines these types."""

from __future__ import annotations

import functools
import importlib
import re
import sys
import typing
from collections.abc import Callable
from typing import Any, NamedTuple

from . import _ketch


class _Library(NamedTuple):
    #: Converts a value, or raises an exception of the class ``failure``.
    convert: Callable[[Any], Any]
    failure: type[Exception]
    #: Returns the message of such an exception, and the path to the value that caused
    #: it.
    explain: Callable[[Any], tuple[str, list[Any]]]


def converted(value: Any, target: Any, data: Any, document: int, options: dict[str, Any]) -> Any:
    """Return the value of a document, converted to the type ``target``; raise a `ketch.ConversionError` if
    that fails.
    """
    library = _library_of(target)
    try:
        return library.convert(value)
    except library.failure as error:
        problem, path = library.explain(error)
        help = f"Change the text, or the type {_name(target)}."
        raise _ketch.conversion_error(data, document, path, problem, help, options) from error


def _library_of(target: Any) -> _Library:
    try:
        return _known(target)
    except TypeError:
        # Some annotations cannot be hashed.
        return _chosen(target)


def _chosen(target: Any) -> _Library:
    if _is_of_pydantic(target):
        return _pydantic(target)
    try:
        return _msgspec(target)
    except ImportError:
        pass
    try:
        return _pydantic(target)
    except ImportError:
        raise ImportError(
            f"type={_name(target)} needs msgspec or pydantic: pip install 'ketch[msgspec]'"
        ) from None


_known = functools.lru_cache(maxsize=256)(_chosen)


def _is_of_pydantic(target: Any) -> bool:
    """Return whether the type is a model or dataclass of pydantic, or a generic type with such an argument,
    for example a list of models.
    """
    if "pydantic" not in sys.modules:
        return False
    arguments = typing.get_args(target)
    return hasattr(target, "__pydantic_validator__") or any(map(_is_of_pydantic, arguments))


def _msgspec(target: Any) -> _Library:
    msgspec = importlib.import_module("msgspec")
    convert = functools.partial(msgspec.convert, type=target)
    return _Library(convert, msgspec.ValidationError, _explained_by_msgspec)


def _pydantic(target: Any) -> _Library:
    pydantic = importlib.import_module("pydantic")
    convert = pydantic.TypeAdapter(target).validate_python
    return _Library(convert, pydantic.ValidationError, _explained_by_pydantic)


_STEP = re.compile(r"\.([^.\[]+)|\[(\d+)\]")


def _explained_by_msgspec(error: Any) -> tuple[str, list[Any]]:
    """Return the message and the path of an error of msgspec.

    Its text ends in a path such as `$.masts[1].height`, where `[...]` is an unnamed key.
    """
    problem, _, place = str(error).rpartition(" - at ")
    if not problem:
        return str(error), []
    known = place.strip("`").partition("$")[2].partition("[...]")[0]
    path = [name or int(index) for name, index in _STEP.findall(known)]
    return f"{problem}, at {place}", path


def _explained_by_pydantic(error: Any) -> tuple[str, list[Any]]:
    first, *others = error.errors(include_url=False)
    path = list(first["loc"])
    place = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    more = f" (and {len(others)} more)" if others else ""
    return f"{first['msg']}, at `${place}`{more}", path


def _name(target: Any) -> str:
    is_plain = typing.get_origin(target) is None
    return getattr(target, "__qualname__", str(target)) if is_plain else str(target)

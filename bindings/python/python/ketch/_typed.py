"""Converts values to the caller's types, with the library that defines these types."""

from __future__ import annotations

import functools
import importlib
import os
import re
import sys
import typing
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from . import _ketch


class _Place(NamedTuple):
    """Where the value is that could not be converted."""

    #: The keys and indexes that lead to it.
    path: list[Any]
    #: Whether it is the key of the value at the path.
    in_key: bool = False


class _Library(NamedTuple):
    #: Converts a value, or raises an exception of the class ``failure``.
    convert: Callable[[Any], Any]
    failure: type[Exception]
    #: Returns the message of such an exception, and the location of its cause in the value.
    explain: Callable[[Any, Any, _Library], tuple[str, _Place]]
    #: Whether the type contains `decimal.Decimal`.
    has_decimals: bool


def converted(value: Any, target: Any, data: Any, document: int, options: dict[str, Any]) -> Any:
    """Return the value of a document, converted to the type ``target``; raise a `ketch.ConversionError` if
    that fails. If ``target`` contains decimals, the value has decimals in place of floats.
    """
    library = _library_of(target)
    plain = _with_floats(value) if library.has_decimals else value
    try:
        result = library.convert(plain)
    except library.failure as error:
        problem, place = library.explain(error, plain, library)
        help = f"Change the text, or the type {_name(target)}."
        raise _ketch.conversion_error(data, document, *place, problem, help, options) from error
    return _with_digits(library, result, value) if library.has_decimals else result


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
    convert = functools.partial(msgspec.convert, type=target, dec_hook=_path_of)
    return _Library(convert, msgspec.ValidationError, _explained_by_msgspec, _contains_decimal(target, set()))


def _path_of(kind: Any, value: Any) -> Any:
    """Return a text as a path if that is the type, since msgspec does not know paths. It rejects other types
    that it does not know.
    """
    is_path = isinstance(value, str) and isinstance(kind, type) and issubclass(kind, os.PathLike)
    return kind(value) if is_path else value


def _pydantic(target: Any) -> _Library:
    pydantic = importlib.import_module("pydantic")
    convert = pydantic.TypeAdapter(target).validate_python
    return _Library(convert, pydantic.ValidationError, _explained_by_pydantic, _contains_decimal(target, set()))


def _explained_by_msgspec(error: Any, value: Any, library: _Library) -> tuple[str, _Place]:
    """Return the message and the location of an error of msgspec.

    Its text ends in a path such as `$.masts[1].height`, where `[...]` is some entry of a dict.
    """
    problem, _, place = str(error).rpartition(" - at ")
    if not problem:
        return str(error), _Place([])
    in_key = place.startswith("`key` in ")
    rest = place.removeprefix("`key` in ").strip("`").removeprefix("$") + "[...]" * in_key
    path: list[Any] = []
    wrong = value
    while rest and isinstance(wrong, (dict, list)):
        if rest.startswith("[...]") and isinstance(wrong, dict):
            step, rest = _first_wrong(error, value, path, library), rest[len("[...]") :]
        else:
            step, rest = _step(rest, wrong)
        if step is None:
            break
        path.append(step)
        wrong = wrong[step]
    return f"{problem}, at {place}", _Place(path, in_key)


_INDEX = re.compile(r"\[(\d+)\]")


def _step(rest: str, parent: Any) -> tuple[Any, str]:
    """Return the first step of a path of msgspec, or None if it leads to nothing, and the rest of the path."""
    found = _INDEX.match(rest)
    if isinstance(parent, list) and found is not None and int(found[1]) < len(parent):
        return int(found[1]), rest[found.end() :]
    # A name can contain dots and brackets.
    names = [key for key in parent if isinstance(key, str) and f"{rest}.".startswith((f".{key}.", f".{key}["))]
    name = max(names, key=len, default=None)
    return name, "" if name is None else rest[len(name) + 1 :]


def _first_wrong(error: Any, value: Any, path: list[Any], library: _Library) -> Any:
    """Return the key of the entry, in the dict at a path, in which a conversion has failed with this error.
    The entries are converted in order, so this is the last one that the dict needs for the error.
    """
    entries = list(_at(value, path).items())
    # Up to `low` entries do not cause the error.
    low, high = 0, len(entries)
    while high - low > 1:
        middle = (low + high) // 2
        try:
            library.convert(_cut(value, path, dict(entries[:middle])))
            fails = False
        except library.failure as other:
            fails = str(other) == str(error)
        low, high = (low, middle) if fails else (middle, high)
    return entries[low][0] if entries else None


def _at(value: Any, path: list[Any]) -> Any:
    for step in path:
        value = value[step]
    return value


def _cut(value: Any, path: list[Any], last: Any) -> Any:
    """Return a copy of a value that ends at a path with the value ``last``."""
    if not path:
        return last
    step = path[0]
    last = _cut(value[step], path[1:], last)
    if isinstance(value, list):
        return [*value[:step], last]
    before = {}
    for key, other in value.items():
        if key == step:
            break
        before[key] = other
    return {**before, step: last}


def _explained_by_pydantic(error: Any, value: Any, _: _Library) -> tuple[str, _Place]:
    first, *others = error.errors(include_url=False)
    steps = list(first["loc"])
    path: list[Any] = []
    wrong = value
    # Some steps are not part of the value: the name of a type in a union, and a missing field.
    for step in steps:
        is_there = step in wrong if isinstance(wrong, dict) else isinstance(wrong, list) and step in range(len(wrong))
        if is_there:
            path.append(step)
            wrong = wrong[step]
    place = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps)
    more = f" (and {len(others)} more)" if others else ""
    return f"{first['msg']}, at `${place}`{more}", _Place(path, steps[-1:] == ["[key]"])


# Decimals. Both libraries make them from floats, which have lost digits. So the numbers are read as decimals,
# and are converted once as floats, and once as decimals. Both libraries make floats from decimals, too.


def keeps_digits(target: Any) -> bool:
    """Return whether a type contains decimals, so that numbers have to be read as decimals."""
    return _library_of(target).has_decimals


def _contains_decimal(target: Any, seen: set[int]) -> bool:
    if "decimal" not in sys.modules or id(target) in seen:
        return False
    seen.add(id(target))
    if target is sys.modules["decimal"].Decimal:
        return True
    parts = [typing.get_origin(target), *typing.get_args(target)]
    parts += [getattr(target, name, None) for name in ("__supertype__", "__value__")]
    if isinstance(target, type):
        try:
            parts += typing.get_type_hints(target).values()
        except Exception:
            # A name in an annotation is not defined, so it may be that of a decimal.
            return True
    return any(_contains_decimal(part, seen) for part in parts if part is not None)


def decimal_of(text: str, value: float) -> Any:
    """Return a float with its digits as a decimal. A float in a notation that only YAML has, such as `.inf`
    or `1:30.5`, stays a float.
    """
    from decimal import Decimal, InvalidOperation

    try:
        return Decimal(text)
    except InvalidOperation:
        return value


def _with_floats(value: Any, chosen: set[int] | None = None) -> Any:
    """Return a value with floats in place of the decimals, or of those with the identities in ``chosen``."""
    if isinstance(value, dict):
        return {key: _with_floats(other, chosen) for key, other in value.items()}
    if isinstance(value, list):
        return [_with_floats(other, chosen) for other in value]
    is_decimal = type(value) is sys.modules["decimal"].Decimal
    return float(value) if is_decimal and (chosen is None or id(value) in chosen) else value


def _with_digits(library: _Library, result: Any, value: Any) -> Any:
    """Return a result in which the decimals have all digits. Where the type does not say that a number is a
    decimal, it stays a float.
    """
    try:
        exact = library.convert(value)
        untyped = set(_untyped(result, exact))
        return library.convert(_with_floats(value, untyped)) if untyped else exact
    except library.failure:
        # A validator of the type requires floats.
        return result


def _untyped(with_floats: Any, with_decimals: Any) -> Iterator[int]:
    """Return the identities of the decimals that are floats in the first of two results."""
    if type(with_floats) is float and type(with_decimals) is sys.modules["decimal"].Decimal:
        yield id(with_decimals)
    elif type(with_floats) is type(with_decimals):
        for one, other in zip(_children(with_floats), _children(with_decimals), strict=False):
            yield from _untyped(one, other)


def _children(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return value.values()
    if isinstance(value, (list, tuple)):
        return value
    names = [*getattr(value, "__dict__", ()), *getattr(value, "__struct_fields__", ())]
    for cls in type(value).__mro__:
        slots = vars(cls).get("__slots__", ())
        names += [slots] if isinstance(slots, str) else slots
    return [getattr(value, name, None) for name in names if not name.startswith("__")]


def _name(target: Any) -> str:
    is_plain = typing.get_origin(target) is None
    return getattr(target, "__qualname__", str(target)) if is_plain else str(target)

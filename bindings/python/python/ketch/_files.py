"""Reading and writing files."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Iterator
from typing import Any, TypeVar, overload

from . import _ketch, _typed
from ._errors import ConversionError

_T = TypeVar("_T")


@overload
def load(source: Any, /, *, type: type[_T], **options: Any) -> _T: ...
@overload
def load(source: Any, /, **options: Any) -> Any: ...

def load(source: Any, /, **options: Any) -> Any:
    """Return the value of the only document of a file.

    ``source`` is a path (a ``str`` or any path-like object) or an open file, binary or text. Takes the
    options of `ketch.loads`. Errors name the file.
    """
    if not _is_path(source):
        return _ketch.loads(source.read(), **_named(source, options))
    with _opened(source) as file:
        return _ketch.loads(file.read(), **_named(source, options))


@overload
def load_all(source: Any, /, *, type: type[_T], **options: Any) -> Iterator[_T]: ...
@overload
def load_all(source: Any, /, **options: Any) -> Iterator[Any]: ...
def load_all(source: Any, /, **options: Any) -> Iterator[Any]:
    """Return an iterator over the values of a file's documents, which are read one at a time.

    This needs the memory of one document, regardless of the size of the file. A file
    that this function opens is closed with the iterator. With ``positions=True``, all
    documents are read when the first is requested, since positions need the text.
    """
    if options.get("positions"):
        return _located(source, options)
    options.pop("positions", None)
    target = options.pop("type", None)
    if target is not None:
        return _converted(source, target, options)
    if not _is_path(source):
        return iter(_ketch.DocumentReader(source, **_named(source, options)))
    return _documents_of(_opened(source), _named(source, options))


def dump(value: Any, target: Any, /, **options: Any) -> None:
    """Write a document to a file.

    ``target`` is a path or an open file, binary or text. A file at a path is replaced
    atomically: it has its old content until everything is written. Its owner and mode
    stay the same.
    """
    _write(_ketch.dumps(value, **_text(target, options)), target)


def dump_all(values: Iterable[Any], target: Any, /, **options: Any) -> None:
    """Write a document for each value to a file, as `ketch.dump` does."""
    _write(_ketch.dumps_all(values, **_text(target, options)), target)


def _is_path(source: Any) -> bool:
    return isinstance(source, (str, bytes, os.PathLike))


def _opened(path: Any) -> Any:
    try:
        return open(path, "rb")
    except OSError as error:
        if error.errno not in (errno.ENOENT, errno.ENAMETOOLONG):
            raise
        # Callers easily pass a text by mistake. The message shows its start.
        text = f"{error.strerror}; ketch.loads reads text"
        raise OSError(error.errno, text, os.fsdecode(error.filename)[:80]) from None


def _documents_of(file: Any, options: dict[str, Any]) -> Iterator[Any]:
    with file:
        yield from _ketch.DocumentReader(file, **options)


def _located(source: Any, options: dict[str, Any]) -> Iterator[Any]:
    if _is_path(source):
        with _opened(source) as file:
            data = file.read()
    else:
        data = source.read()
    yield from _ketch.loads_all(data, **_named(source, options))


def _converted(source: Any, target: Any, options: dict[str, Any]) -> Iterator[Any]:
    if _typed.keeps_digits(target):
        options = options | {"_decimals": True}
    for document, value in enumerate(load_all(source, **options)):
        try:
            yield _typed.converted(value, target, b"", document, _named(source, options))
        except ConversionError:
            if not _is_path(source):
                raise
            # The document is converted again with the text, because the location of the
            # error needs it.
            with _opened(source) as file:
                _typed.converted(value, target, file.read(), document, _named(source, options))
            raise


def _named(source: Any, options: dict[str, Any]) -> dict[str, Any]:
    """Return the options, with the name of the file as ``filename`` if they have none."""
    if "filename" in options:
        return options
    name: Any = source if _is_path(source) else getattr(source, "name", None)
    # The name of an open file can also be a number.
    return options | {"filename": os.fsdecode(name)} if _is_path(name) else options


def _text(target: Any, options: dict[str, Any]) -> dict[str, Any]:
    is_text = not _is_path(target) and hasattr(target, "encoding")
    return options | {"encoding": None if is_text else "utf-8"}


def _write(content: Any, target: Any) -> None:
    if _is_path(target):
        _ketch.replace_file(os.fsdecode(target), content)
    else:
        target.write(content)

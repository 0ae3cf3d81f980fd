"""The binary format extprot, which can be read without a schema.

>>> from ketch import extprot
>>> data = extprot.dumps({"id": 7, "on": True})
>>> data.hex()
'070d0203026964000e03026f6e0201'
>>> extprot.loads(data)
{'id': 7, 'on': True}

With a schema, messages are dataclasses. `schema` creates their classes at run time;
``ketch extprot generate --lang python`` writes a module with them, which type checkers
understand.

>>> users = extprot.schema_text("message user = { id : int; name : string; tags : [ string ] }")
>>> user = users.User(id=1, name="Ann")
>>> user.dumps().hex()
'010b0300020303416e6e050100'
>>> users.User.loads(user.dumps())
User(id=1, name='Ann', tags=[])

`pure` does the same in pure Python. It is used if the extension is missing.
"""

from __future__ import annotations

import os
from types import ModuleType
from typing import Any

from . import _codec, _schema, pure
from ._stream import Stream, whole
from ._values import (
    Assoc,
    EndOfInput,
    Enum,
    Error,
    Htuple,
    Lazy,
    Primitive,
    SchemaError,
    Tuple,
)
from .types import Versions

__all__ = [
    "Assoc",
    "Decoder",
    "EndOfInput",
    "Enum",
    "Error",
    "Htuple",
    "Lazy",
    "Primitive",
    "SchemaError",
    "Tuple",
    "Versions",
    "dump",
    "dumps",
    "load",
    "loads",
    "pure",
    "schema",
    "schema_text",
]


def loads(data: Any, /, **options: Any) -> Any:
    """Return the only value in ``data``.

    form: ``"values"`` returns values of the data model, as YAML has them; ``"tagged"``
    returns tagged values, from which the same bytes can be written; ``"plain"`` returns
    lists, dicts and scalars without tags.
    max_depth, max_string_bytes, max_elements, max_block_bytes: limits, each a number or
    ``math.inf``.
    strict: refuse bytes that no conforming writer produces.
    """
    return _codec.DEFAULT.loads(data, **options)


def load(source: Any, /, **options: Any) -> Any:
    """Return the only value in the file at a path, or the next value in an open file. Reads no byte after
    that value. Takes the options of `loads`.
    """
    return loads(whole(source), **options)


def dumps(value: Any, /) -> bytes:
    """Return the bytes of a value. Equal values have equal bytes. The order of a dict's
    entries is kept.

    Raises TypeError for an object that extprot cannot represent.
    """
    written: bytes = _codec.DEFAULT.dumps(value)
    return written


def dump(value: Any, file: Any, /) -> None:
    """Write a value to an open file. Consecutive values form a stream, which `Decoder` reads."""
    file.write(dumps(value))


class Decoder(Stream[Any]):
    """An iterator over the values in a file at a path, an open file or bytes, which are
    read one at a time in bounded memory.

    It takes the options of `loads`. Corrupt data raises an error after all values before it.

    >>> list(Decoder(dumps(1) + dumps("two")))
    [1, 'two']
    """

    def __init__(self, source: Any, /, **options: Any) -> None:
        codec = _codec.DEFAULT
        super().__init__(source, lambda data, at, base: codec.decode_batch(data, at, base, options))


def schema(path: str | os.PathLike[str], /) -> ModuleType:
    """Return a module with the classes of the schema in a file.

    This needs the extension; code from ``ketch extprot generate --lang python`` does not.
    """
    path = os.fspath(path)
    # If the file cannot be read, raises the same exception as `open`.
    with open(path, "rb"):
        pass
    return _schema.module(path, None)


def schema_text(text: str, /, *, name: str = "schema") -> ModuleType:
    """Return a module with the classes of the schema in a text. ``name`` is its name in messages."""
    return _schema.module(name, text)

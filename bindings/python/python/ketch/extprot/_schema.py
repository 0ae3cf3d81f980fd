"""Modules with the classes of a schema, which are created at run time."""

from __future__ import annotations

import itertools
import sys
from types import ModuleType

_numbers = itertools.count(1)


def module(name: str, text: str | None) -> ModuleType:
    """Return the module for a schema: for ``text`` or, if that is None, for the file ``name``."""
    try:
        from .._ketch import extprot_schema_source
    except ImportError as missing:
        raise ImportError(
            "schemas are read by the compiled part of ketch, which is missing; without it, import what "
            "`ketch extprot generate --lang python` writes"
        ) from missing
    made = ModuleType(f"ketch.extprot.schema_{next(_numbers)}", f"The classes of {name}.")
    # Dataclasses look up the module of their class.
    sys.modules[made.__name__] = made
    try:
        exec(compile(extprot_schema_source(name, text), f"<classes of {name}>", "exec"), made.__dict__)
    finally:
        del sys.modules[made.__name__]
    return made

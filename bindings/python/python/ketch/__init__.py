"""YAML 1.2 at the speed of JSON.

>>> import ketch
>>> ketch.loads("name: ketch\\nmasts: [main, mizzen]")
{'name': 'ketch', 'masts': ['main', 'mizzen']}
>>> print(ketch.dumps({"name": "ketch", "masts": ["main", "mizzen"]}), end="")
name: ketch
masts:
- main
- mizzen

Reading: `loads` and `loads_all` read text, `load` and `load_all` read files, `parse` composes a text whose
values are converted when they are read, and `events` returns the parser's events.
Writing: `dumps` and `dumps_all` return text, `dump` and `dump_all` write files.
Editing, which leaves all other bytes as they are: `edit` edits a file, `edit_text` a text.
Programs in jq's language: `query` runs one on a text, and `Query` on many.

All errors are of the class `ketch.Error`. `ketch.yaml` has the interface of PyYAML; `replace_pyyaml` lets
other modules import it as `yaml`. `ketch.extprot` is a binary format for the same values, and for messages
of a schema.

Loading only creates objects of the data model's types, and never runs code.
"""

from __future__ import annotations

from ._errors import (
    AnchorInUseError,
    ConstructError,
    ConversionError,
    DuplicateKeyError,
    EditError,
    Error,
    FileError,
    InternalError,
    KindMismatchError,
    LimitError,
    NotFoundError,
    NotOwnedError,
    QueryError,
    StaleViewError,
    TestFailedError,
    ThroughAliasError,
    WouldChangeMeaningError,
    YamlSyntaxError,
)

try:
    from ._ketch import dumps, dumps_all, loads, loads_all
except ModuleNotFoundError as _missing:
    # `ketch.extprot` works without the compiled part.
    if _missing.name != "ketch._ketch":
        raise

# Importing `typing` would take a third of the time of the import. Type checkers know this name.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from . import extprot as extprot
    from . import yaml as yaml
    from ._document import Document, Node, Position, parse, parse_all
    from ._edit import Edit, Patch, edit, edit_text
    from ._events import Event, events
    from ._files import dump, dump_all, load, load_all
    from ._located import Located
    from ._plain import plain
    from ._query import Query, query
    from ._replace import replace_pyyaml
    from ._alias import Alias
    from ._tagged import Tagged
    from ._views import EditMapping, EditNode, EditSequence, EditView

#: The modules that are imported when one of these names is first used.
_MODULES = {
    "_document": ("Document", "Node", "Position", "parse", "parse_all"),
    "_edit": ("Edit", "Patch", "edit", "edit_text"),
    "_events": ("Event", "events"),
    "_files": ("dump", "dump_all", "load", "load_all"),
    "_located": ("Located",),
    "_plain": ("plain",),
    "_query": ("Query", "query"),
    "_replace": ("replace_pyyaml",),
    "_alias": ("Alias",),
    "_tagged": ("Tagged",),
    "_views": ("EditMapping", "EditNode", "EditSequence", "EditView"),
}
_MODULE_OF = {name: module for module, names in _MODULES.items() for name in names}

__all__ = [
    "Alias",
    "AnchorInUseError",
    "ConstructError",
    "ConversionError",
    "Document",
    "DuplicateKeyError",
    "Edit",
    "EditError",
    "EditMapping",
    "EditNode",
    "EditSequence",
    "EditView",
    "Error",
    "Event",
    "FileError",
    "InternalError",
    "KindMismatchError",
    "LimitError",
    "Located",
    "Node",
    "NotFoundError",
    "NotOwnedError",
    "Patch",
    "Position",
    "Query",
    "QueryError",
    "StaleViewError",
    "Tagged",
    "TestFailedError",
    "ThroughAliasError",
    "WouldChangeMeaningError",
    "YamlSyntaxError",
    "dump",
    "dump_all",
    "dumps",
    "dumps_all",
    "edit",
    "edit_text",
    "events",
    "extprot",
    "load",
    "load_all",
    "loads",
    "loads_all",
    "parse",
    "parse_all",
    "plain",
    "query",
    "replace_pyyaml",
]

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name in ("extprot", "yaml"):
        return import_module(f".{name}", __name__)
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        # A name that no module has is one of the functions that are imported above.
        found = getattr(import_module(f".{_MODULE_OF[name]}", __name__), name)
    except (KeyError, ModuleNotFoundError) as error:
        if isinstance(error, ModuleNotFoundError) and error.name != "ketch._ketch":
            raise
        raise ImportError(
            f"ketch.{name} needs the compiled part of ketch, which is missing: install a wheel for this "
            "platform, or from source with Rust; only ketch.extprot works without"
        ) from None
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, "yaml"})

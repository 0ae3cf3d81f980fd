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

All errors are of the class `ketch.Error`. `ketch.yaml` has the interface of PyYAML; `replace_pyyaml` lets
other modules import it as `yaml`. `ketch.extprot` is a binary format for the same values, and for messages
of a schema.

Loading only creates objects of the data model's types, and never runs code.
"""

from typing import TYPE_CHECKING, Any

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
    StaleViewError,
    TestFailedError,
    ThroughAliasError,
    WouldChangeMeaningError,
    YamlSyntaxError,
)
from ._replace import replace_pyyaml
from ._tagged import Tagged

try:
    # The compiled part is imported first, so that the error names it if it is missing.
    from ._ketch import dumps, dumps_all, loads, loads_all

    from ._document import Document, Node, Position, parse, parse_all
    from ._edit import Edit, Patch, edit, edit_text
    from ._events import Event, events
    from ._files import dump, dump_all, load, load_all
    from ._located import Located
    from ._views import EditMapping, EditNode, EditSequence, EditView
except ModuleNotFoundError as _missing:
    # `ketch.extprot` works without the compiled part.
    if _missing.name != "ketch._ketch":
        raise

if TYPE_CHECKING:
    from . import extprot

__all__ = [
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
    "replace_pyyaml",
]

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    if name == "extprot":
        import importlib

        return importlib.import_module(".extprot", __name__)
    if name in __all__:
        raise ImportError(
            f"ketch.{name} needs the compiled part of ketch, which is missing: install a wheel for this "
            "platform, or from source with Rust; only ketch.extprot works without"
        )
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

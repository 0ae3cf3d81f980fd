"""YAML 1.2 at the speed of JSON.

>>> import ketch
>>> ketch.loads("name: ketch\\nmasts: [main, mizzen]")
{'name': 'ketch', 'masts': ['main', 'mizzen']}
>>> print(ketch.dumps({"name": "ketch", "masts": ["main", "mizzen"]}), end="")
name: ketch
masts:
- main
- mizzen

Reading: `loads` and `loads_all` read text, `load` and `load_all` files, `events` the parser's events.
Writing: `dumps`, `dumps_all`, `dump`, `dump_all`. Errors are kinds of `ketch.Error`. `ketch.yaml` has
the interface of PyYAML; `replace_pyyaml` lets other modules import it as `yaml`.

Nothing that is read makes objects of other types than those of the data model, or runs code.
"""

from ._errors import (
    ConstructError,
    ConversionError,
    DuplicateKeyError,
    Error,
    LimitError,
    YamlSyntaxError,
)
from ._events import Event, events
from ._files import dump, dump_all, load, load_all
from ._ketch import dumps, dumps_all, loads, loads_all
from ._replace import replace_pyyaml
from ._tagged import Tagged

__all__ = [
    "ConstructError",
    "ConversionError",
    "DuplicateKeyError",
    "Error",
    "Event",
    "LimitError",
    "Tagged",
    "YamlSyntaxError",
    "dump",
    "dump_all",
    "dumps",
    "dumps_all",
    "events",
    "load",
    "load_all",
    "loads",
    "loads_all",
    "replace_pyyaml",
]

__version__ = "0.1.0"

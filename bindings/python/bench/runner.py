"""The board's runner of Python. `build` sets it up; `docs/board.md` has the protocol."""

from __future__ import annotations

import importlib
import importlib.metadata
import pickle
import platform
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ketch
import ketch.yaml as ketch_yaml
from ketch import extprot

sys.path.append(str(Path(__file__).resolve().parents[3] / "bench/board"))
import peers  # noqa: E402
import records  # noqa: E402
from serve import Command, Server, Unable, Work, serve  # noqa: E402

LOADERS = {peer.name: peer for peer in peers.YAML + peers.JSON}
#: Modules whose import is measured.
IMPORTS = {"ketch": "ketch", "PyYAML": "yaml", "ruamel.yaml": "ruamel.yaml", "json": "json", "msgspec": "msgspec"}


def module(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise Unable(f"{name} is not installed: {error}") from None


def text_of(path: Path) -> str:
    return path.read_text("utf-8")


def values_of(path: Path) -> list[Any]:
    try:
        return ketch.loads_all(text_of(path))
    except ketch.ConstructError as error:
        raise Unable(f"has no values in Python: {error.problem}") from None


def load(engine: str, path: Path) -> Work:
    text, values = text_of(path), values_of(path)
    if engine == "ketch":
        return lambda: ketch.loads_all(text)
    peer = LOADERS[engine]
    function = peer.make(module(peer.module))
    source: Any = peers.as_json(values) if peer.is_json else text
    if source is None:
        raise Unable("JSON cannot represent the values")
    # For a single document, some libraries return its value instead of a list.
    made = function(source)
    if len(values) == 1 and not peer.is_json and type(made) is not list:
        return lambda: [function(source)]
    if len(values) == 1 and type(values[0]) is list and not peers.same(made, values) and peers.same(made, values[0]):
        return lambda: [function(source)]
    return lambda: function(source)


def dump(engine: str, path: Path) -> Work:
    values = values_of(path)
    found = {name: function for name, _, function in peers.dumpers()[0]}
    if engine not in found:
        raise Unable(f"{engine} is not installed")
    function = found[engine]
    return lambda: Text(function(values), engine in ("json", "orjson"))


class Text:
    """The text that an engine has written."""

    def __init__(self, made: Any, is_json: bool) -> None:
        self.made, self.is_json = made, is_json

    def values(self) -> Any:
        """Return the values that Ketch reads from it."""
        texts = self.made if isinstance(self.made, list) else [self.made]
        found = [value for text in texts for value in ketch.loads_all(text if isinstance(text, str) else text.decode())]
        # JSON has one list instead of documents.
        return found[0] if self.is_json else found


def of_pyyaml(engine: str, operation: str, path: Path) -> Work:
    yaml = module("yaml") if engine == "PyYAML" else ketch_yaml
    text = text_of(path)
    loader = yaml.CSafeLoader
    if operation == "pyyaml.constructor":
        loader = type("Loader", (yaml.CSafeLoader,), {})
        loader.add_multi_constructor("!", lambda _, suffix, node: [suffix, node.value if isinstance(node.value, str) else None])
    if operation != "pyyaml.dump":
        return lambda: list(yaml.load_all(text, Loader=loader))
    values = list(ketch_yaml.load_all(text, Loader=ketch_yaml.CSafeLoader))
    return lambda: Text(yaml.dump_all(values, Dumper=yaml.CSafeDumper), False)


def binary(engine: str, operation: str, path: Path) -> Work:
    values = values_of(path)
    msgpack, msgspec = module("msgpack"), module("msgspec")
    codecs: dict[str, tuple[Callable[[Any], bytes], Callable[[bytes], Any]]] = {
        "ketch": (extprot.dumps, extprot.loads),
        "pickle": (lambda value: pickle.dumps(value, 5), pickle.loads),
        "msgpack": (msgpack.packb, lambda data: msgpack.unpackb(data, strict_map_key=False)),
        "msgspec.msgpack": (msgspec.msgpack.encode, msgspec.msgpack.decode),
    }
    write, read = codecs[engine]
    try:
        data = write(values)
    except (TypeError, ValueError, OverflowError) as error:
        raise Unable(f"cannot hold the values: {error}") from None
    return (lambda: read(data)) if operation == "extprot.load" else (lambda: Written(write(values), read))


class Written:
    """Bytes that an engine has written."""

    def __init__(self, data: bytes, read: Callable[[bytes], Any]) -> None:
        self.data, self.read = data, read


def start(engine: str, _: Path) -> Work:
    name = IMPORTS[engine]
    module(name)
    return Command([sys.executable, "-c", f"import {name}"])


def make(engine: str, operation: str, path: Path) -> Work:
    match operation:
        case "yaml.load":
            return load(engine, path)
        case "yaml.dump":
            return dump(engine, path)
        case "extprot.load" | "extprot.dump":
            return binary(engine, operation, path)
        case "python.import":
            return start(engine, path)
    if operation.startswith("pyyaml."):
        return of_pyyaml(engine, operation, path)
    return records.make(engine, operation, path)


def sorted_(value: Any) -> Any:
    """Return a value with all mappings in the order of the bytes of their keys."""
    if isinstance(value, dict):
        pairs = sorted(((sorted_(key), sorted_(one)) for key, one in value.items()), key=lambda pair: extprot.dumps(pair[0]))
        return dict(pairs)
    if isinstance(value, list):
        return [sorted_(one) for one in value]
    return value


def canonical(result: Any) -> tuple[bytes, str]:
    if isinstance(result, list) and result and hasattr(result[0], "launched"):
        result = records.fields(result)
    elif isinstance(result, Text):
        result = result.values()
    elif isinstance(result, Written):
        result = result.read(result.data)
    value = sorted_(result)
    return extprot.dumps(value), ketch.dumps(value)


def versions() -> dict[str, str]:
    found = {"ketch": ketch.__version__, "ketch.yaml": ketch.__version__, "pickle": "of Python"}
    for name in (Path(__file__).parent / "peers.txt").read_text().split():
        package = name.split("==")[0]
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found


def main() -> None:
    sys.setrecursionlimit(20_000)
    serve(Server(f"Python {platform.python_version()}", versions(), make, canonical))


if __name__ == "__main__":
    main()

"""The libraries to compare the package with, and how each loads all documents of a text."""

from __future__ import annotations

import importlib
import importlib.metadata
import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import ketch


@dataclass
class Peer:
    name: str
    #: The module to import, and the distribution that contains it.
    module: str
    package: str
    #: Returns the function of the module that takes the text.
    make: Callable[[Any], Callable[[str], Any]]
    #: Whether the library reads JSON, so that it gets the same data in that format.
    is_json: bool = False
    #: The maximum number of bytes of files for which the library is fast enough.
    bytes_max: int = 1 << 40

    def version(self) -> str:
        return importlib.metadata.version(self.package) if self.package else "of Python"


def ruamel(module: Any, kind: str) -> Callable[[str], Any]:
    def load(text: str) -> Any:
        loader = module.YAML(typ=kind)
        if kind == "safe":
            loader.allow_duplicate_keys = True
        return list(loader.load_all(text))

    return load


def libfyaml(module: Any) -> Callable[[str], Any]:
    return lambda text: [value.to_python() if hasattr(value, "to_python") else value for value in module.loads_all(text)]


SLOW = 300_000
YAML = [
    Peer("PyYAML, CSafeLoader", "yaml", "PyYAML", lambda m: lambda text: list(m.load_all(text, Loader=m.CSafeLoader))),
    Peer("PyYAML, SafeLoader", "yaml", "PyYAML", lambda m: lambda text: list(m.safe_load_all(text)), bytes_max=SLOW),
    Peer("ruamel.yaml, safe", "ruamel.yaml", "ruamel.yaml", lambda m: ruamel(m, "safe"), bytes_max=SLOW),
    Peer("ruamel.yaml, round trip", "ruamel.yaml", "ruamel.yaml", lambda m: ruamel(m, "rt"), bytes_max=SLOW),
    Peer("yaml-rs", "yaml_rs", "yaml-rs", lambda m: lambda text: m.loads(text)),
    Peer("yamlrocks", "yamlrocks", "yamlrocks", lambda m: lambda text: list(m.loads_all(text))),
    Peer("py-yaml12", "yaml12", "py-yaml12", lambda m: lambda text: m.parse_yaml(text, multi=True)),
    Peer("ryaml", "ryaml", "ryaml", lambda m: lambda text: list(m.loads_all(text))),
    Peer("fastyaml-rs", "fast_yaml", "fastyaml-rs", lambda m: lambda text: list(m.safe_load_all(text))),
    Peer("rs-turboyaml", "turboyaml", "rs-turboyaml", lambda m: lambda text: m.load(text)),
    Peer("libfyaml, to_python", "libfyaml", "libfyaml", libfyaml),
    # The Python package creates only the tree, not objects.
    Peer("rapidyaml, tree only", "ryml", "rapidyaml", lambda m: lambda text: m.parse_in_arena(text.encode())),
]
JSON = [
    Peer("json", "json", "", lambda m: m.loads, is_json=True),
    Peer("orjson", "orjson", "orjson", lambda m: m.loads, is_json=True),
    Peer("msgspec.json", "msgspec.json", "msgspec", lambda m: m.decode, is_json=True),
]


def installed(peers: list[Peer]) -> tuple[list[tuple[Peer, Callable[[str], Any]]], list[str]]:
    """Return the peers that can be imported, and the names of the others."""
    found, missing = [], []
    for peer in peers:
        try:
            found.append((peer, peer.make(importlib.import_module(peer.module))))
        except ImportError:
            missing.append(peer.name)
    return found, missing


def as_json(values: Any) -> str | None:
    """Return the same data as JSON, or None if JSON cannot represent it."""
    try:
        text = json.dumps(values, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError):
        return None
    return text if same(json.loads(text), values) else None


def same(a: Any, b: Any) -> bool:
    """Return whether two values are equal and have equal types. Subclasses of list and dict count as list and
    dict.
    """
    pairs = [(a, b)]
    while pairs:
        a, b = pairs.pop()
        if isinstance(a, dict) and isinstance(b, dict):
            if len(a) != len(b) or any(key not in b for key in a):
                return False
            pairs.extend((value, b[key]) for key, value in a.items())
        elif isinstance(a, list) and isinstance(b, list):
            if len(a) != len(b):
                return False
            pairs.extend(zip(a, b, strict=True))
        elif isinstance(a, str) and isinstance(b, str):
            if str.__ne__(a, b):
                return False
        elif isinstance(a, float) and isinstance(b, float):
            if a != b and (a == a or b == b):
                return False
        elif a != b or isinstance(a, bool) is not isinstance(b, bool) or isinstance(a, float) is not isinstance(b, float):
            return False
    return True


def dumpers() -> tuple[list[tuple[str, str, Callable[[Any], Any]]], list[str]]:
    """Return the name, distribution and function of each library that writes YAML, starting with ketch, and
    the names of those that are missing.
    """
    found: list[tuple[str, str, Callable[[Any], Any]]] = [("ketch", "ketch", ketch.dumps_all)]
    missing = []

    def of_pyyaml(module: Any) -> Callable[[Any], Any]:
        return lambda values: module.dump_all(values, Dumper=module.CSafeDumper, sort_keys=False, allow_unicode=True)

    def of_ruamel(module: Any) -> Callable[[Any], Any]:
        def dump(values: Any) -> str:
            out = io.StringIO()
            module.YAML(typ="safe").dump_all(values, out)
            return out.getvalue()

        return dump

    for name, module, package, make in (
        ("PyYAML, CSafeDumper", "yaml", "PyYAML", of_pyyaml),
        ("ruamel.yaml, safe", "ruamel.yaml", "ruamel.yaml", of_ruamel),
        ("yaml-rs", "yaml_rs", "yaml-rs", lambda m: lambda values: [m.dumps(value) for value in values]),
        ("ryaml", "ryaml", "ryaml", lambda m: lambda values: [m.dumps(value) for value in values]),
        ("fastyaml-rs", "fast_yaml", "fastyaml-rs", lambda m: lambda values: m.safe_dump_all(values)),
        ("json", "json", "", lambda m: lambda values: m.dumps(values, ensure_ascii=False)),
        ("orjson", "orjson", "orjson", lambda m: lambda values: m.dumps(values)),
    ):
        try:
            found.append((name, package, make(importlib.import_module(module))))
        except ImportError:
            missing.append(name)
    return found, missing


def ten_of_libfyaml(text: str) -> Any:
    """Return the root of a text, whose values libfyaml makes when they are asked for."""
    return importlib.import_module("libfyaml").loads(text)

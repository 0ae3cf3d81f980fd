"""The modes that measure more than one function on each file."""

from __future__ import annotations

import dataclasses
import importlib
import pickle
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ketch
import ketch.yaml as own_yaml
from ketch import extprot

import peers
from timing import compared


def pyyaml(table: Any, files: list[Path]) -> None:
    """Compare `ketch.yaml` with PyYAML; both use the C loader."""
    import yaml

    table.versions["PyYAML, safe_load"] = table.versions["PyYAML, dump"] = yaml.__version__

    def loads(module: Any, loader: Any, text: str) -> Any:
        return list(module.load_all(text, Loader=loader))

    for file in files:
        text = file.read_text("utf-8")
        try:
            theirs = loads(yaml, yaml.CSafeLoader, text)
            if not peers.same(theirs, loads(own_yaml, own_yaml.CSafeLoader, text)):
                raise ValueError("other values")
        except Exception as error:  # noqa: BLE001
            table.notes.append(f"{file.name}: left out of safe_load, {type(error).__name__}")
        else:
            calls: dict[str, Callable[[], Any]] = {
                "ketch": lambda text=text: loads(own_yaml, own_yaml.CSafeLoader, text),
                "PyYAML, safe_load": lambda text=text: loads(yaml, yaml.CSafeLoader, text),
            }
            table.add(file.name, compared(calls, table.rounds))
            pyyaml_dump(table, file, theirs)
        if file.name != "cloudformation.yaml":
            continue
        loaders = {}
        for module in (own_yaml, yaml):
            loader = type("Loader", (module.CSafeLoader,), {})
            loader.add_multi_constructor("!", lambda _, suffix, node: (suffix, node.value if isinstance(node.value, str) else None))
            loaders[module] = loader
        assert peers.same(loads(yaml, loaders[yaml], text), loads(own_yaml, loaders[own_yaml], text))
        calls = {
            "ketch": lambda text=text: loads(own_yaml, loaders[own_yaml], text),
            "PyYAML, a constructor": lambda text=text: loads(yaml, loaders[yaml], text),
        }
        table.add(file.name, compared(calls, table.rounds))


def pyyaml_dump(table: Any, file: Path, values: list[Any]) -> None:
    """Compare `ketch.yaml.dump_all` with that of PyYAML on the values of a file; both use the C dumper."""
    import yaml

    calls: dict[str, Callable[[], Any]] = {
        "ketch": lambda: own_yaml.dump_all(values, Dumper=own_yaml.CSafeDumper),
        "PyYAML, dump": lambda: yaml.dump_all(values, Dumper=yaml.CSafeDumper),
    }
    own, theirs = (call() for call in calls.values())
    if own != theirs:
        table.notes.append(f"{file.name}: left out of dump, the lines are folded elsewhere")
        return
    table.add(file.name, compared(calls, table.rounds))


@dataclasses.dataclass
class Ship:
    name: str
    masts: list[str]
    launched: int
    fast: bool


def typed(table: Any, _: list[Path]) -> None:
    """Measure the extra time for `type=`, and compare it with the libraries' own loading of YAML."""
    import msgspec
    import pydantic
    import yaml

    struct = msgspec.defstruct("Struct", [("name", str), ("masts", list[str]), ("launched", int), ("fast", bool)])
    model = pydantic.create_model("Model", name=(str, ...), masts=(list[str], ...), launched=(int, ...), fast=(bool, ...))
    ships = [{"name": f"ship {n}", "masts": ["main", "mizzen"], "launched": n, "fast": n % 2 == 0} for n in range(5000)]
    text = ketch.dumps(ships)
    adapter = pydantic.TypeAdapter(list[model])
    for name, target in (("dataclass", Ship), ("Struct", struct), ("model", model)):
        calls: dict[str, Callable[[], Any]] = {f"ketch, type={name}": lambda target=target: ketch.loads(text, type=list[target])}
        calls["ketch, no type"] = lambda: ketch.loads(text)
        if name != "model":
            calls["msgspec.yaml"] = lambda target=target: msgspec.yaml.decode(text, type=list[target])
        else:
            calls["PyYAML and pydantic"] = lambda: adapter.validate_python(yaml.load(text, Loader=yaml.CSafeLoader))
        first, *others = (call() for call in calls.values())
        assert all(first == other for other in others[1:])
        table.add(f"5,000 records as {name}", compared(calls, table.rounds))


def messages(table: Any) -> None:
    """Compare messages of a schema with those of protobuf, and with Structs and dataclasses, which
    have no schema.

    All fields are read, because protobuf only then creates objects.
    """
    import msgspec

    schema = extprot.schema_text(
        "message ship = { name : string; masts : [ string ]; launched : int; fast : bool }\nmessage fleet = { ships : [ ship ] }"
    )
    struct = msgspec.defstruct("Struct", [("name", str), ("masts", list[str]), ("launched", int), ("fast", bool)])
    names = "name", "masts", "launched", "fast"
    facts = [(f"ship {n}", ["main", "mizzen"], n, n % 2 == 0) for n in range(5000)]
    own = schema.Fleet(ships=[schema.Ship(**dict(zip(names, ship))) for ship in facts]).dumps()
    decoder = msgspec.msgpack.Decoder(list[struct])
    packed = msgspec.msgpack.encode([struct(*ship) for ship in facts])
    pickled = pickle.dumps([Ship(*ship) for ship in facts], 5)
    readers: dict[str, tuple[bytes, Callable[[bytes], Any]]] = {
        "ketch": (own, lambda data: schema.Fleet.loads(data).ships),
        "msgspec.msgpack, Struct": (packed, decoder.decode),
        "pickle, dataclass": (pickled, pickle.loads),
    }
    try:
        fleet = protobuf_class()
    except ImportError:
        table.notes.append("protobuf: not installed on this Python")
    else:
        message = fleet()
        for name, masts, launched, fast in facts:
            message.ships.add(name=name, masts=masts, launched=launched, fast=fast)
        readers["protobuf"] = (message.SerializeToString(), lambda data: fleet.FromString(data).ships)
    calls: dict[str, Callable[[], Any]] = {}
    for name, (data, read) in readers.items():
        calls[name] = lambda data=data, read=read: [(s.name, list(s.masts), s.launched, s.fast) for s in read(data)]
        assert calls[name]() == facts, name
        table.notes.append(f"5,000 messages, {name}: {len(data)} bytes")
    table.add("5,000 messages, read", compared(calls, table.rounds))


def protobuf_class() -> Any:
    """Return the class of a fleet, which is created without protobuf's compiler."""
    from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

    kind = descriptor_pb2.FieldDescriptorProto
    file = descriptor_pb2.FileDescriptorProto(name="fleet.proto", syntax="proto3")
    ship = file.message_type.add(name="Ship")
    ship.field.add(name="name", number=1, type=kind.TYPE_STRING, label=kind.LABEL_OPTIONAL)
    ship.field.add(name="masts", number=2, type=kind.TYPE_STRING, label=kind.LABEL_REPEATED)
    ship.field.add(name="launched", number=3, type=kind.TYPE_INT64, label=kind.LABEL_OPTIONAL)
    ship.field.add(name="fast", number=4, type=kind.TYPE_BOOL, label=kind.LABEL_OPTIONAL)
    fleet = file.message_type.add(name="Fleet")
    fleet.field.add(name="ships", number=1, type=kind.TYPE_MESSAGE, label=kind.LABEL_REPEATED, type_name=".Ship")
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName("Fleet"))


LOADS = "value = ketch.loads(text); found = [value[at * len(value) // 10]['name'] for at in range(10)]"
PARSE = "root = ketch.parse(text).root; found = [root[at * len(root) // 10]['name'] for at in range(10)]"
LAZY = "root = libfyaml.loads(text); found = [str(root[at * len(root) // 10]['name']) for at in range(10)]"
#: Loads the file instead of the text, from a copy of the tree that an earlier process has cached.
CACHED = (
    "libfyaml.set_cache_dir(sys.argv[1] + '.cache'); root = libfyaml.load(sys.argv[1], enable_cache=True); "
    "found = [str(root[at * len(root) // 10]['name']) for at in range(10)]"
)
#: The program that measures, in a new process that has already read the text.
PROGRAM = """
import resource, sys, time
import {module}
text = open(sys.argv[1]).read()
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
start = time.perf_counter()
{body}
seconds = time.perf_counter() - start
assert found == ["ship %d" % (at * {count} // 10) for at in range(10)], found
print(seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


def parse(table: Any, _: list[Path]) -> None:
    """Measure the time to read ten values out of 100 MB: with `parse`, after loading, and with libfyaml's
    lazy values.
    """
    count = 1_100_000
    record = "- name: ship {0}\n  masts: [main, mizzen]\n  launched: {0}\n  home: 'a port of the North Sea'\n"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "ships.yaml")
        Path(f"{path}.cache").mkdir()
        with path.open("w") as file:
            file.writelines(record.format(number) for number in range(count))
        print(f"{path.stat().st_size / 1e6:.0f} MB")
        programs = {"ketch, parse": ("ketch", PARSE), "ketch, loads": ("ketch", LOADS)}
        try:
            importlib.import_module("libfyaml")
            programs |= {"libfyaml, lazy": ("libfyaml", LAZY), "libfyaml, cached": ("libfyaml", CACHED)}
        except ImportError:
            table.notes.append("libfyaml: not installed on this Python")
        results: dict[str, list[tuple[float, float]]] = {name: [] for name in programs}
        # The first round fills the cache, so it does not count.
        for number in range(1 + min(table.rounds, 5)):
            for name, (module, body) in programs.items():
                if number == 0 and name != "libfyaml, cached":
                    continue
                program = PROGRAM.format(module=module, body=body, count=count)
                ran = subprocess.run([sys.executable, "-c", program, path], capture_output=True, text=True)
                if ran.returncode:
                    table.notes.append(f"{name}: {ran.stderr.strip().splitlines()[-1]}")
                    continue
                seconds, kib = ran.stdout.split()
                if number > 0:
                    results[name].append((float(seconds), float(kib)))
        own = results["ketch, parse"]
        for name, measured in results.items():
            pairs = list(zip(measured, own, strict=False))
            if name == "ketch, parse" or not pairs:
                continue
            table.add("time of ten values of 100 MB", {f"{name}, time": [a[0] / b[0] for a, b in pairs]})
            table.add("memory of ten values of 100 MB", {f"{name}, memory": [a[1] / b[1] for a, b in pairs]})
        for name, measured in results.items():
            for seconds, kib in measured[-1:]:
                table.notes.append(f"{name}: {seconds:.2f} s, {kib / 1024:.0f} MiB beside the text")


MODES = {"pyyaml": pyyaml, "typed": typed, "parse": parse}

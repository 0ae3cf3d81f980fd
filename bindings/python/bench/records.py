"""Records with fields: typed loads, messages of a schema, and ten values of a large file."""

from __future__ import annotations

import dataclasses
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ketch
from ketch import extprot
from serve import Unable, Work

NAMES = "name", "masts", "launched", "fast"
SCHEMA = "message ship = { name : string; masts : [ string ]; launched : int; fast : bool }\nmessage fleet = { ships : [ ship ] }"


@dataclasses.dataclass
class Ship:
    name: str
    masts: list[str]
    launched: int
    fast: bool


def fields(ships: Any) -> list[list[Any]]:
    return [[ship.name, list(ship.masts), ship.launched, ship.fast] for ship in ships]


def typed(engine: str, kind: str, text: str) -> Work:
    """Return objects of a type from YAML. The fields are compared."""
    import msgspec
    import pydantic
    import yaml

    struct = msgspec.defstruct("Struct", [("name", str), ("masts", list[str]), ("launched", int), ("fast", bool)])
    model = pydantic.create_model("Model", name=(str, ...), masts=(list[str], ...), launched=(int, ...), fast=(bool, ...))
    target = {"dataclass": Ship, "struct": struct, "model": model}[kind]
    adapter = pydantic.TypeAdapter(list[model])  # type: ignore[valid-type]
    loads: dict[str, Callable[[], Any]] = {
        "ketch": lambda: ketch.loads(text, type=list[target]),  # type: ignore[valid-type]
        "ketch without a type": lambda: [Ship(**ship) for ship in ketch.loads(text)],
        "msgspec.yaml": lambda: msgspec.yaml.decode(text, type=list[target]),  # type: ignore[valid-type]
        "PyYAML and pydantic": lambda: adapter.validate_python(yaml.load(text, Loader=yaml.CSafeLoader)),
    }
    return loads[engine]


def messages(engine: str, ships: list[dict[str, Any]]) -> Work:
    """Return all fields of messages: protobuf creates objects only when they are read."""
    import msgspec

    if engine == "ketch":
        schema = extprot.schema_text(SCHEMA)
        own = schema.Fleet(ships=[schema.Ship(**ship) for ship in ships]).dumps()
        return lambda: fields(schema.Fleet.loads(own).ships)
    if engine == "msgspec.msgpack":
        struct = msgspec.defstruct("Struct", [("name", str), ("masts", list[str]), ("launched", int), ("fast", bool)])
        decoder = msgspec.msgpack.Decoder(list[struct])  # type: ignore[valid-type]
        packed = msgspec.msgpack.encode([struct(**ship) for ship in ships])
        return lambda: fields(decoder.decode(packed))
    if engine == "pickle":
        pickled = pickle.dumps([Ship(**ship) for ship in ships], 5)
        return lambda: fields(pickle.loads(pickled))
    fleet = protobuf_class()
    message = fleet()
    for ship in ships:
        message.ships.add(**ship)
    data = message.SerializeToString()
    return lambda: fields(fleet.FromString(data).ships)


def protobuf_class() -> Any:
    """Return the class of a fleet, which is created without protobuf's compiler."""
    try:
        from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
    except ImportError:
        raise Unable("protobuf is not installed") from None

    kind = descriptor_pb2.FieldDescriptorProto
    file = descriptor_pb2.FileDescriptorProto(name="fleet.proto", syntax="proto3")
    ship = file.message_type.add(name="Ship")
    types = {"name": kind.TYPE_STRING, "masts": kind.TYPE_STRING, "launched": kind.TYPE_INT64, "fast": kind.TYPE_BOOL}
    for number, name in enumerate(NAMES, 1):
        label = kind.LABEL_REPEATED if name == "masts" else kind.LABEL_OPTIONAL
        ship.field.add(name=name, number=number, type=types[name], label=label)
    fleet = file.message_type.add(name="Fleet")
    fleet.field.add(name="ships", number=1, type=kind.TYPE_MESSAGE, label=kind.LABEL_REPEATED, type_name=".Ship")
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName("Fleet"))


def ten(engine: str, text: str) -> Work:
    """Return ten values out of a large file, with and without reading all others."""
    from peers import ten_of_libfyaml

    def of(root: Any) -> list[str]:
        return [str(root[at * len(root) // 10]["name"]) for at in range(10)]

    reads: dict[str, Callable[[], Any]] = {
        "ketch": lambda: of(ketch.parse(text).root),
        "ketch, loads": lambda: of(ketch.loads(text)),
        "libfyaml": lambda: of(ten_of_libfyaml(text)),
    }
    return reads[engine]


def make(engine: str, operation: str, path: Path) -> Work:
    text = path.read_text()
    match operation.split("."):
        case ["typed", kind]:
            return typed(engine, kind, text)
        case ["schema", "load"]:
            return messages(engine, ketch.loads(text))
        case ["yaml", "ten_values"]:
            return ten(engine, text)
    raise Unable(f"there is no operation {operation} on Python")

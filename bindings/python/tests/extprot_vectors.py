"""Runs the golden vectors of conformance/extprot through the classes of their schemas."""

import enum
import functools
import hashlib
import io
import itertools
import json
import struct

import suite
from ketch import extprot
from ketch.extprot import types

FOLDER = suite.REPOSITORY / "conformance/extprot"
FILES = "roundtrip evolution subsets lazies defaults malformed limits streams framing".split()
LIMITS = {"string_length": "max_string_bytes", "num_elements": "max_elements", "message_length": "max_block_bytes"}
# Vectors for which the reference stops in the middle of a message with an unknown tag (defect B2 of
# the specification).
B2 = {"ev-1959", "ev-1963", "ev-1964", "ev-1967"}
# Vectors in which the reference loses fields when it rewrites a message after access, so that
# nobody can read the result. By the specification, the bytes that were read are kept.
LOSSY = {f"lz-{number:03}" for number in (*range(5, 13), *range(17, 25))}


@functools.cache
def entries(name):
    return json.loads((FOLDER / f"{name}.json").read_text("utf-8"))


def text_of(data):
    """Return a string in the notation of the vectors."""
    data = data.encode() if isinstance(data, str) else data
    if len(data) > 200 and len(set(data)) == 1:
        return {"repeat": f"{data[0]:02x}", "count": len(data)}
    if all(0x20 <= byte <= 0x7E for byte in data):
        return data.decode()
    return {"hex": data.hex()}


class Runner:
    """Runs the vectors. `module_of` returns the module of a schema by name, and `codec` reads and writes."""

    def __init__(self, codec, module_of):
        self.codec = codec
        self.module_of = module_of
        self.passed = 0
        self.failures = []

    def run(self, file):
        for entry in entries(file):
            self.entry = entry
            getattr(self, "evolution" if file == "subsets" else file)()
        return len(entries(file))

    def roundtrip(self):
        cls = self.cls("message")
        written = self.build(cls.__extprot__, self.entry["value"]).dumps(codec=self.codec)
        if "hex" in self.entry:
            self.same("written", self.entry["hex"], written.hex())
        else:
            head = self.entry["head_hex"]
            facts = len(written), hashlib.sha256(written).hexdigest(), written.hex()[: len(head)]
            self.same("written", (self.entry["length"], self.entry["sha256"], head), facts)
        self.same("read", {"value": self.entry["value"]}, self.read(cls, written))

    def evolution(self):
        if self.entry["writer"] and self.entry.get("written") is not None:
            own = self.cls("writer").__extprot__
            written = self.build(own, self.entry["written"]).dumps(codec=self.codec)
            self.same("written", self.entry["hex"], written.hex())
        got, consumed = self.read_one(self.cls("reader"))
        self.same("read", outcome(self.entry["expect"]), got)
        if "consumed" in self.entry:
            expected = len(self.data()) if self.entry["id"] in B2 else self.entry["consumed"]
            self.same("consumed", expected, consumed)

    def lazies(self):
        cls = self.cls("reader")
        self.same("rewrite", outcome(self.entry["rewrite"]), self.rewrite(cls, False))
        got = self.read(cls, self.data())
        if self.entry.get("error_kind_free"):
            self.same("fails", True, "error" in got)
        else:
            self.same("read", outcome(self.entry["expect"]), got)
        after = self.entry.get("rewrite_after_access")
        if after:
            after = self.entry["rewrite"] if self.entry["id"] in LOSSY else after
            self.same("rewrite after access", outcome(after), self.rewrite(cls, True))

    def rewrite(self, cls, is_accessed):
        def rewritten():
            message = cls.loads(self.data(), codec=self.codec)
            if is_accessed:
                self.render(cls.__extprot__, message)
            return {"hex": message.dumps(codec=self.codec).hex()}

        return attempt(rewritten)

    def defaults(self):
        # A message with only defaults, which is what a tuple without elements stands for.
        holder = types.Tuple(self.cls("message"))

        def made():
            return {"value": self.render(holder.elements[0], self.codec.read_typed(holder, b"\x01\x01\0", {})[0])}

        got = attempt(made)
        if got.get("error", {}).get("kind") == "missing_tuple_element":
            got = {"error": {"kind": "missing_field"}}
        self.same("default", outcome(self.entry["expect"]), got)

    def malformed(self):
        got, consumed = self.read_one(self.cls("reader"))
        must = self.entry["must"]
        if must == "accept":
            self.same("read", self.entry["reference"], got)
            self.same("consumed", self.entry["consumed"], consumed)
        elif must == "reject" or "error" in got:
            self.same("refused", True, "error" in got)
        else:
            self.same("read", self.entry["reference"], got)

    def limits(self):
        options = {LIMITS[name]: value for name, value in self.entry["limits"].items()}
        self.same("read", outcome(self.entry["expect"]), self.read(self.cls("reader"), self.data(), **options))

    def streams(self):
        cls = self.cls("reader")
        decoder = cls.decoder(io.BytesIO(self.data()), codec=self.codec)
        results = self.entry["results"]
        got = []
        # Data that is cut off, and an end hidden by corrupt data, are reported each time.
        while len(got) <= len(results):
            answer = attempt(lambda: {"value": self.render(cls.__extprot__, next(decoder))})
            if answer == {"end": True}:
                break
            got.append(answer)
        if self.entry["id"] == "st-trunc-last" and got[-1] == {"error": {"kind": "eof"}}:
            got.pop()
        if len(got) > len(results) and got[-1] == got[-2]:
            got.pop()
        self.same("results", [outcome(result) for result in results], got)

    def framing(self):
        classes = [self.named(name) for name in self.entry["messages"]]
        versions = extprot.Versions(*classes)
        if "version" in self.entry:
            cls = classes[self.entry["version"]]
            if len(set(classes)) == len(classes):
                value = self.build(cls.__extprot__, self.entry["value"])
                self.same("written", self.entry["hex"], versions.dumps(value, codec=self.codec).hex())
            return

        def read():
            message = versions.loads(self.data(), codec=self.codec)
            return {"value": self.render(message.__extprot__, message)}

        self.same("read", outcome(self.entry["expect"]), attempt(read))

    def same(self, what, expected, got):
        if expected == got:
            self.passed += 1
        else:
            self.failures.append(f"{self.entry['id']} {what}: expected {str(expected)[:300]}, got {str(got)[:300]}")

    def data(self):
        return bytes.fromhex(self.entry["hex"])

    def cls(self, role):
        return self.named(self.entry[role])

    def named(self, name):
        made = self.module_of(self.entry["schema"])
        wanted = name.replace("_", "").lower()
        return next(value for own, value in vars(made).items() if own.replace("_", "").lower() == wanted)

    def read(self, cls, data, **options):
        def rendered():
            return {"value": self.render(cls.__extprot__, cls.loads(data, codec=self.codec, **options))}

        return attempt(rendered)

    def read_one(self, cls):
        """Read the first message. Return its outcome, and the number of bytes that were read."""
        file = io.BytesIO(self.data())
        got = attempt(lambda: {"value": self.render(cls.__extprot__, cls.load(file, codec=self.codec))})
        return got, file.tell()

    def render(self, type, value):
        """Return a value in the notation of the vectors."""
        kind, *parts = type.description()
        if kind == "primitive":
            return render_primitive(parts[0], value)
        if kind == "list":
            return [self.render(parts[0], element) for element in value]
        if kind == "tuple":
            return [self.render(part, element) for part, element in zip(parts[0], value, strict=True)]
        if kind == "sum":
            for constant in parts[1]:
                if value is constant:
                    return {"tag": constant_name(constant)}
            _, name, names, arguments = next(row for row in parts[2] if row[0] is value.__class__)
            values = zip(arguments, names, strict=True)
            return {"tag": name, "args": [self.render(part, getattr(value, name)) for part, name in values]}
        _, case, fields = next(row for row in parts[2] if row[0] is value.__class__)
        values = {field[0].rstrip("_"): self.render(field[1], getattr(value, field[0])) for field in fields}
        return {"case": case, "value": values} if case else values

    def build(self, type, json):
        """Return the value of a text in the notation of the vectors."""
        kind, *parts = type.description()
        if kind == "primitive":
            return build_primitive(parts[0], json)
        if kind == "list":
            return [self.build(parts[0], element) for element in json]
        if kind == "tuple":
            return tuple(self.build(part, element) for part, element in zip(parts[0], json, strict=True))
        if kind == "sum":
            if "args" not in json:
                return next(value for value in parts[1] if constant_name(value) == json["tag"])
            cls, _, _, arguments = next(row for row in parts[2] if row[1] == json["tag"])
            return cls(*(self.build(part, value) for part, value in zip(arguments, json["args"], strict=True)))
        cls, case, fields = next(row for row in parts[2] if row[1] is None or row[1] == json["case"])
        json = json["value"] if case else json
        return cls(**{field[0]: self.build(field[1], json[field[0].rstrip("_")]) for field in fields})


def constant_name(constant):
    return constant.name.rstrip("_") if isinstance(constant, enum.Enum) else constant.name


def render_primitive(kind, value):
    if kind in ("bool", "byte"):
        return value
    if kind == "float":
        return struct.pack(">d", value).hex()
    return text_of(value) if kind == "string" else str(value)


def build_primitive(kind, json):
    if kind in ("bool", "byte"):
        return json
    if kind == "float":
        return struct.unpack(">d", bytes.fromhex(json))[0]
    if kind != "string":
        return int(json)
    if isinstance(json, str):
        return json
    return bytes.fromhex(json["hex"]) if "hex" in json else bytes.fromhex(json["repeat"]) * json["count"]


def attempt(call):
    try:
        return call()
    except StopIteration:
        return {"end": True}
    except extprot.Error as error:
        facts = {"kind": error.name}
        words = (word.rstrip(":,") for word in str(error).split())
        numbers = (int(word) for word in words if word.isdigit())
        if error.name == "unknown_tag":
            facts["tag"] = next(itertools.islice(numbers, 0, 1))
        if error.name == "missing_tuple_element":
            facts["index"] = next(itertools.islice(numbers, 0, 1))
        return {"error": facts}


def outcome(expected):
    error = expected.get("error")
    if not error:
        return expected
    return {"error": {name: error[name] for name in ("kind", "tag", "index") if name in error}}

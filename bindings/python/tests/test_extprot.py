"""extprot: the golden vectors, by the extension and by Python alone, and what they do not have."""

import copy
import dataclasses
import datetime
import functools
import gc
import io
import json
import math
import pickle
import subprocess
import sys
import types as python_types
import weakref

import extprot_vectors
import ketch
import pytest
import suite
from ketch import extprot
from ketch.extprot import _codec, pure

CODECS = {"extension": _codec.Native, "pure": pure}
MODEL = json.loads((suite.REPOSITORY / "conformance/data-model.json").read_text("utf-8"))
BYTES = [
    "01 08 02 00 02 03 03 41 6e 6e",
    "05 06 03 2a 02 2a 00 03",
    "07 0d 02 03 01 61 00 02 03 01 62 05 02 01 0a",
    "8a 01",
    "8a 80 80 10",
    "91 01 06 01 04 ff ff ff ff",
    "10 02",
    "12 05",
    "16 01 00 00 00 00 00 00 80",
    "18 00 00 00 00 00 00 f8 3f",
    "13 01 ff",
    "06 ff ff ff ff ff ff ff 7f",
    "01 0a 01 08 01 00 00 00 00 00 f0 7f",
    "00 ff ff ff ff ff ff ff ff 7f",
    "03 00",
    "05 01 00",
    "01 01 00",
    "07 01 00",
    "f1 01 01 00",
]


@pytest.fixture(params=CODECS)
def codec(request):
    return CODECS[request.param]


@functools.cache
def schema(name):
    return extprot.schema(suite.REPOSITORY / f"conformance/extprot/schemas/{name}.proto")


def decoder(codec, data, **options):
    return extprot.pure.Decoder(data, **options) if codec is pure else extprot.Decoder(data, **options)


@pytest.mark.parametrize("file", extprot_vectors.FILES)
def test_vectors_are_read_and_written(codec, file):
    runner = extprot_vectors.Runner(codec, schema)
    count = runner.run(file)
    assert not runner.failures, f"{len(runner.failures)}: " + "\n".join(runner.failures[:20])
    # An entry of framing may be one that two classes share.
    assert runner.passed >= count - (5 if file == "framing" else 0) > 0


def test_the_data_model(codec):
    count = 0
    for row in MODEL:
        if "error" in row or "hex" not in row:
            continue
        data = bytes.fromhex(row["hex"])
        try:
            value = codec.loads(data)
        except extprot.Error as error:
            words = ("a mapping as a key", "Python's times have", "Python has the years")
            assert str(error).startswith(words), (row, error)
            continue
        if "yaml" in row:
            text = ketch.loads(row["yaml"], schema=row.get("schema", "core"))
            assert repr(text) == repr(value), row
        assert codec.dumps(value) == bytes.fromhex(row.get("canonical", row["hex"])), row
        count += 1
    assert count >= 65


def test_values_that_are_not_rows_of_the_data_model(codec):
    rows = [row for row in MODEL if "error" in row]
    assert len(rows) == 28
    for row in rows:
        with pytest.raises(extprot.Error):
            codec.loads(bytes.fromhex(row["hex"]))
            pytest.fail(str(row))
    with pytest.raises(extprot.Error):
        codec.loads(bytes.fromhex("11 03 01 00 02"))


def tree(value):
    """Return a tagged value as the vectors write it."""
    names = {"long": "bits64_long", "float": "bits64_float"}
    match value:
        case extprot.Enum():
            return {"type": "enum", "tag": value.tag}
        case extprot.Tuple() | extprot.Htuple():
            name = type(value).__name__.lower()
            return {"type": name, "tag": value.tag, "v": [tree(part) for part in value.elements]}
        case extprot.Assoc():
            pairs = zip(value.pairs[::2], value.pairs[1::2], strict=True)
            return {"type": "assoc", "tag": value.tag, "v": [[tree(a), tree(b)] for a, b in pairs]}
        case extprot.Primitive():
            kind, tag, value = value.type, value.tag, value.value
        case int():
            kind, tag = "vint", 0
        case float():
            kind, tag = "float", 0
        case _:
            kind, tag = "bytes", 0
    content = {"bits8": lambda: value, "bytes": lambda: extprot_vectors.text_of(value)}
    content["float"] = lambda: extprot_vectors.render_primitive("float", value)
    return {"type": names.get(kind, kind), "tag": tag, "v": content.get(kind, lambda: str(value))()}


def test_untyped_vectors(codec):
    vectors = extprot_vectors.entries("untyped")
    assert len(vectors) == 108
    for vector in vectors:
        assert tree(codec.loads(bytes.fromhex(vector["hex"]), form="tagged")) == vector["tree"], vector["id"]


def test_tagged_values_are_written_unchanged(codec):
    texts = [vector["hex"] for vector in extprot_vectors.entries("roundtrip") if "hex" in vector]
    assert len(texts) > 800
    for text in texts + BYTES:
        data = bytes.fromhex(text)
        assert codec.dumps(codec.loads(data, form="tagged")) == data, text


def test_corrupt_bytes_are_errors(codec):
    for text in BYTES:
        whole = bytes.fromhex(text)
        for size in range(len(whole)):
            with pytest.raises(extprot.EndOfInput):
                codec.loads(whole[:size], form="tagged")
        with pytest.raises(extprot.Error):
            codec.loads(whole + b"\0", form="tagged")
    for prefix in (0x09, 0x0B, 0x0C, 0x0D, 0x0E, 0x0F, 0x19):
        with pytest.raises(extprot.Error):
            codec.loads(bytes((prefix, 0, 0)), form="tagged")
    with pytest.raises(extprot.Error):
        codec.loads(b"\0" + b"\xff" * 10 + b"\x01")
    # A count beyond the block, a length beyond the block around it.
    for text in ("05 03 ff 7f 0a", "07 03 02 0a 0a", "05 04 01 03 7f 61 61 61", "05 03 01 00 80 01"):
        with pytest.raises(extprot.EndOfInput):
            codec.loads(bytes.fromhex(text), form="tagged")


def test_both_codecs_agree_on_every_changed_byte():
    for text in BYTES:
        for at in range(len(bytes.fromhex(text))):
            data = bytearray(bytes.fromhex(text))
            data[at] = (data[at] + 1) & 255
            for form in ("values", "tagged", "plain"):
                outcomes = []
                for codec in CODECS.values():
                    try:
                        outcomes.append(repr(codec.loads(data, form=form)))
                    except extprot.Error as error:
                        outcomes.append(type(error))
                assert outcomes[0] == outcomes[1], (data.hex(), form)


def test_data_is_read_as_plain_lists(codec):
    data = codec.dumps(
        extprot.Tuple(
            3,
            [
                1,
                extprot.Primitive("bits8", 0, 1),
                extprot.Enum(2),
                extprot.Assoc(1, ["k", b"\xff"]),
                extprot.Primitive("long", 4, 9),
            ],
        )
    )
    assert codec.loads(data, form="plain") == [1, True, extprot.Enum(2), {"k": b"\xff"}, 9]


def test_keys_are_tuples(codec):
    value = {(1, ("a", ())): [[2]], "b": {"c": [1]}}
    assert codec.loads(codec.dumps(value)) == value
    with pytest.raises(extprot.Error, match="a mapping as a key"):
        codec.loads(codec.dumps(extprot.Assoc(0, [extprot.Assoc(0, []), 1])))
    with pytest.raises(extprot.Error, match="duplicate key"):
        codec.loads(bytes.fromhex("07 09 02 03 01 61 0a 03 01 61 0a"))


def test_repeated_values_are_kept_apart():
    texts = [c * n + end for n in range(40) for c in ("a", "\0", "ö", "語", "😀") for end in ("", "a", "\0")]
    # All lengths, each three times, between values that do not repeat.
    values = [text for round in range(3) for text in texts for text in (text, f"{round}.{len(text)}.{text[:3]}")]
    for _ in range(2):
        assert extprot.loads(extprot.dumps(values)) == values
    # The search for values pauses after 64 new ones; then the same one occurs.
    rare = [f"rare {number}" for number in range(3000)]
    assert extprot.loads(extprot.dumps(rare + ["common"] * 3000)) == rare + ["common"] * 3000
    # Bytes that are not UTF-8 are not taken for a string that was kept, nor kept as one.
    bad = bytes.fromhex("05 0b 02 03 03 61 62 ff 03 03 61 62 ff")
    for _ in range(3):
        assert extprot.loads(bad, form="plain") == [b"ab\xff"] * 2
        with pytest.raises(extprot.Error, match="UTF-8"):
            extprot.loads(bad)


def test_streams(codec):
    values = [{"a": [1, "ö"]}, None, [], "x" * 100_000, 2**70, {(1,): {"b": 1.5}}] * 3
    data = b"".join(codec.dumps(value) for value in values)

    class Trickle(io.BytesIO):
        def read1(self, size=-1):
            return super().read1(7)

    for source in (data, io.BytesIO(data), Trickle(data)):
        assert list(decoder(codec, source)) == values
    stream = decoder(codec, io.BytesIO(data))
    assert next(stream) == values[0]
    assert list(stream) == values[1:]
    with pytest.raises(StopIteration):
        next(stream)


def test_files(codec, tmp_path):
    values = [1, "text" * 50_000, [None, True], 1.5, 2**62, None]
    file = io.BytesIO(b"".join(codec.dumps(value) for value in values))
    module = pure if codec is pure else extprot
    assert [module.load(file) for _ in values] == values
    with pytest.raises(extprot.EndOfInput):
        module.load(file)
    path = tmp_path / "log"
    path.write_bytes(codec.dumps([1]) * 2)
    with decoder(codec, path) as stream:
        assert list(stream) == [[1], [1]]
    with pytest.raises(extprot.Error, match="bytes"):
        module.load(path)
    with pytest.raises(TypeError, match="mode"):
        module.load(io.StringIO("a"))
    with pytest.raises(TypeError, match="loads"):
        module.load(b"\x0a")


def test_values_before_corrupt_data_are_yielded(codec):
    for text in ("00 02 00 04 09 00", "00 02 00 04 03 05 61", "00 02 00 04 02 07"):
        data = bytes.fromhex(text)
        for source in (data, io.BytesIO(data)):
            values = []
            with pytest.raises(extprot.Error) as raised:
                for value in decoder(codec, source):
                    values.append(value)
            assert values == [1, 2]
            assert raised.value.offset >= 4


def test_limits(codec):
    deep = b"\x0a"
    for _ in range(30):
        deep = codec.dumps([]).replace(b"\x01\0", bytes((len(deep) + 1, 1))) + deep
    with pytest.raises(extprot.Error) as raised:
        codec.loads(deep, max_depth=29)
    assert raised.value.setting == "max_depth"
    assert codec.loads(deep, max_depth=30)
    for name, value, least in (
        ("max_string_bytes", "abcd", 4),
        ("max_elements", [1, 2, 3], 3),
        ("max_block_bytes", [1, 2, 3], 7),
    ):
        data = codec.dumps(value)
        with pytest.raises(extprot.Error) as raised:
            codec.loads(data, **{name: least - 1})
        assert raised.value.setting == name
        assert codec.loads(data, **{name: least}) == value
        assert codec.loads(data, **{name: math.inf}) == value
    with pytest.raises(TypeError):
        codec.loads(b"\x0a", deep=1)
    with pytest.raises(ValueError):
        codec.loads(b"\x0a", form="any")


def test_strict_rejects_bytes_that_no_writer_produces():
    assert extprot.loads(b"\0\x82\0") == 1
    with pytest.raises(extprot.Error):
        extprot.loads(b"\0\x82\0", strict=True)
    with pytest.raises(ValueError):
        pure.loads(b"\0\x82\0", strict=True)


def test_an_error_in_a_strict_stream_has_its_offset_in_the_stream():
    values = extprot.Decoder(b"\0\x02\0\x82\0", strict=True)
    assert next(values) == 1
    with pytest.raises(extprot.Error) as raised:
        next(values)
    assert raised.value.offset == 2


def test_deep_nesting_does_not_overflow_the_stack(codec):
    value = []
    for _ in range(9_000):
        value = [value]
    assert codec.dumps(codec.loads(codec.dumps(value))) == codec.dumps(value)
    value.append(value)
    with pytest.raises(TypeError, match="contains itself"):
        codec.dumps(value)
    # Python's own end of a deep list recurses in steps.
    value.pop()


def test_text_of_any_width_and_length(codec):
    for last in "ÿ", "ж", "語", "🚢":
        for length in (1, 15, 16, 17, 63, 64, 65, 300, 5000):
            texts = [last * length, "a" * (length - 1) + last, last + "aé" * length]
            assert codec.loads(codec.dumps(texts)) == texts
            assert codec.dumps(texts[0]).endswith(texts[0].encode())
            with pytest.raises(UnicodeEncodeError):
                codec.dumps(texts[0] + "\ud800")


def test_objects_that_extprot_cannot_represent(codec):
    for value in (
        object(),
        {1, 2},
        1j,
        extprot.Tuple(-1, []),
        extprot.Tuple(0, 1),
        extprot.Assoc(0, [1]),
        extprot.Enum(None),
        extprot.Primitive("bits8", 0, 256),
        extprot.Primitive("other", 0, 1),
        ketch.Tagged(None, 1),
        ketch.Tagged("!a", object()),
    ):
        for whole in (value, [value], {"a": value}):
            with pytest.raises(TypeError):
                codec.dumps(whole)
    with pytest.raises(UnicodeEncodeError):
        codec.dumps("\ud800")
    for source in ("text", None, 1):
        with pytest.raises(TypeError, match="expected bytes or a buffer, not"):
            codec.loads(source)


def test_values_of_python_are_written(codec):
    class Text(str):
        pass

    class Mapping(dict):
        pass

    zone = datetime.timezone(datetime.timedelta(minutes=-90))
    for value, same in (
        (Text("a"), "a"),
        (Mapping(a=1), {"a": 1}),
        ((1, 2), [1, 2]),
        (bytearray(b"\xff"), b"\xff"),
        (True, True),
        (datetime.date(1, 1, 1), datetime.date(1, 1, 1)),
        (datetime.datetime(9999, 12, 31, 23, 59, 59, 999_999), datetime.datetime.max),
        (datetime.datetime(2001, 2, 3, 4, 5, 6, 7, zone),) * 2,
        (ketch.Tagged("!a", {"b": [1]}),) * 2,
        (-(2**62) - 1, -(2**62) - 1),
        (10**400, 10**400),
    ):
        data = codec.dumps(value)
        assert repr(codec.loads(data)) == repr(same)
        assert data == CODECS["pure"].dumps(value) == CODECS["extension"].dumps(value)


SHIPS = """
type rig = Ketch | Yawl | Other string | Both int bool
type colour = Red | None
type option 'a = None | Some 'a
message ship = { name : string; class : int; colours : [ colour ]; rig : rig; next : option<int>;
                 size : (int * float); list : [| byte |] }
message fleet = Home { ships : [ ship ] } | Away { at : long }
"""


@functools.cache
def ships():
    return extprot.schema_text(SHIPS, name="ships.proto")


def test_classes(codec):
    made = ships()
    ship = made.Ship(name="a", class_=1, rig=made.RigOther("b"), next=made.OptionIntSome(4), size=(1, 2.0))
    assert dataclasses.is_dataclass(made.Ship)
    assert ship.colours == [] and ship.list_ == []
    assert isinstance(ship.rig, made.Rig) and isinstance(made.Rig.Ketch, made.Rig)
    assert repr(made.Rig.Ketch) == "Rig.Ketch"
    assert copy.deepcopy(made.Rig.Ketch) is made.Rig.Ketch
    data = ship.dumps(codec=codec)
    assert made.Ship.loads(data, codec=codec) == ship
    ship.colours = [made.Colour.Red, made.Colour.None_]
    assert made.Ship.loads(ship.dumps(codec=codec), codec=codec) == ship
    fleet = made.FleetHome(ships=[ship])
    again = made.Fleet.loads(fleet.dumps(codec=codec), codec=codec)
    assert type(again) is made.FleetHome and again == fleet
    match again.ships[0]:
        case made.Ship(rig=made.RigOther(word), next=made.OptionIntSome(number)):
            assert (word, number) == ("b", 4)
        case _:
            pytest.fail("no match")


def test_errors_have_a_path(codec):
    made = ships()
    ship = made.Ship(name="a", class_=1, rig=made.RigOther(1), size=(1, 2.0))
    with pytest.raises(extprot.Error) as raised:
        made.FleetHome(ships=[ship]).dumps(codec=codec)
    assert raised.value.path == "fleet.ships[0].rig.Other[0]"
    assert raised.value.name == "shape"
    ship.rig = made.Rig.Yawl
    data = bytearray(ship.dumps(codec=codec))
    with pytest.raises(extprot.Error) as raised:
        made.Ship.loads(data + b"\0\2", codec=codec)
    assert raised.value.name == "trailing_bytes"
    data[data.index(b"\x1a")] = 0x2A
    with pytest.raises(extprot.Error) as raised:
        made.Ship.loads(data, codec=codec)
    assert (raised.value.path, raised.value.name) == ("ship.rig", "unknown_tag")
    assert f"at byte {raised.value.offset}, in ship.rig" in str(raised.value)
    copied = pickle.loads(pickle.dumps(raised.value))
    assert (str(copied), copied.path) == (str(raised.value), "ship.rig")


def test_a_stream_continues_after_a_bad_message(codec):
    made = extprot.schema_text("message a = { b : int }")
    data = made.A(b=1).dumps() + bytes.fromhex("01 03 01 03 00") + made.A(b=2).dumps()
    stream = made.A.decoder(io.BytesIO(data), codec=codec)
    assert next(stream).b == 1
    with pytest.raises(extprot.Error) as raised:
        next(stream)
    assert raised.value.path == "a.b" and raised.value.offset >= 5
    assert [message.b for message in stream] == [2]


def test_a_lazy_field_is_decoded_on_access(codec):
    made = extprot.schema_text("message a = { b [@lazy] : [ (int * int) ]; c : int } message d = { b : [ bool ]; c : int }")
    data = made.A(b=[(1, 2)], c=3).dumps(codec=codec)
    message = made.A.loads(data, codec=codec)
    assert type(made.A.b.stored(message)) is extprot.Lazy
    assert message.b == [(1, 2)] and message == made.A(b=[(1, 2)], c=3)
    assert message.dumps(codec=codec) == data
    message.b = []
    assert made.A.loads(message.dumps(codec=codec), codec=codec).b == []
    wrong = made.A.loads(made.D(b=[True], c=1).dumps(), codec=codec)
    with pytest.raises(extprot.Error) as raised:
        wrong.b  # noqa: B018
    assert raised.value.name == "bad_wire_type"


def test_text_must_be_utf8_where_the_schema_says_so(codec):
    from ketch.extprot import types

    text = types.List(types.TEXT)
    assert codec.read_typed(text, b"\x05\x04\x01\x03\x01a", {}) == ["a"]
    with pytest.raises(extprot.Error, match="UTF-8"):
        codec.read_typed(text, b"\x05\x04\x01\x03\x01\xff", {})
    with pytest.raises(extprot.Error):
        codec.write_typed(text, [b"a"])
    assert codec.read_typed(types.List(types.STRING), b"\x05\x04\x01\x03\x01\xff", {}) == [b"\xff"]


def test_an_invalid_schema_is_an_error():
    with pytest.raises(extprot.SchemaError) as raised:
        extprot.schema_text("message a = { b : [ intt ] }", name="a.proto")
    error = raised.value
    assert (error.file, error.line, error.column) == ("a.proto", 1, 21)
    assert "^" in str(error)
    with pytest.raises(FileNotFoundError):
        extprot.schema("/nowhere/a.proto")
    with pytest.raises(extprot.SchemaError, match="python.type"):
        extprot.schema_text('type t = int options "python.type" = "T" message m = { a : t }')


def test_classes_of_a_schema_are_garbage_collected():
    made = extprot.schema_text("message a = { b : [ int ]; c : d } ".replace("c : d", "c : int"))
    made.A.loads(made.A(b=[1], c=2).dumps())
    alive = weakref.ref(made.A)
    del made
    gc.collect()
    assert alive() is None


def test_pure_python_works_without_the_extension(tmp_path):
    program = """
import importlib.abc, sys
class Missing(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == "ketch._ketch":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Missing())
from ketch import extprot
assert extprot.loads(extprot.dumps([1, {"a": None}])) == [1, {"a": None}]
assert list(extprot.Decoder(b"\\x0a\\x0a")) == [None, None]
import generated
assert generated.Ship.loads(generated.Ship(name="a").dumps()) == generated.Ship(name="a")
import ketch
for use in (lambda: ketch.loads("a"), lambda: extprot.schema_text("message a = { b : int }")):
    try:
        use()
    except ImportError as error:
        assert "the compiled part of ketch" in str(error), error
    else:
        raise AssertionError("it works")
print("done")
"""
    from ketch._ketch import extprot_schema_source

    (tmp_path / "generated.py").write_text(extprot_schema_source("a", "message ship = { name : string }"))
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=tmp_path)
    assert ran.stdout == "done\n", ran.stderr


def test_names_that_python_reserves_are_changed():
    text = """
type t = None | True int | Other
message m = { self : int; __init : int; _ : int; a' : int; types : t; dumps : t; list : [ t ] }
message m_other = { x : t }
"""
    made = extprot.schema_text(text)
    assert isinstance(made, python_types.ModuleType)
    names = [field.name for field in dataclasses.fields(made.M)]
    assert names == ["self_", "field__init", "underscore", "a_prime", "types_", "dumps_", "list_"]
    message = made.M(self_=1, field__init=2, underscore=3, a_prime=4, types_=made.TTrue_(5))
    assert message.dumps_ is made.T.None_
    for codec in CODECS.values():
        assert made.M.loads(message.dumps(codec=codec), codec=codec) == message

"""Writing."""

import collections
import dataclasses
import datetime
import decimal
import enum
import io
import math
import pathlib
import random
import sys
import uuid

import ketch
import pytest
import yaml

TEXTS = ["", " ", "a", "NO", "yes", "~", "null", "0777", "1e3", "1_000", "1:30", "2001-12-14", "<<", "=", "a: b", "# c",
         "- d", "multi\nline\n", "\n", "tab\t", "\"'", "größe", "☺", "😀", "\u0085", "\u2028", "\0\x1b", "!tag", "&a", "x" * 5000]
ZONE = datetime.timezone(datetime.timedelta(hours=-5))
VALUES = [None, True, False, 0, -1, 2**61, 2**63, -(2**63) - 1, 2**64, -(10**300), 0.0, -0.0, 1.5, 1e16, 1e-7, 1.7976931348623157e308,
          5e-324, math.inf, -math.inf, [], {}, [[]], [{}], {"a": []}, b"\xff\x00", b"text",
          datetime.datetime(2001, 12, 14, 21, 59, 43, 100_000, ZONE), datetime.datetime(1, 1, 1), datetime.date(2001, 12, 14),
          datetime.datetime(9999, 12, 31, 23, 59, 59, 999_999, datetime.timezone.utc),
          {None: 1, 1.5: 2, (1, (2, "x")): 3, True: 4}, ketch.Tagged("!point", [1, 2]), ketch.Tagged("!x", "text"),
          ketch.Tagged("tag:example.com,2026:y", {"a": 1})]


@pytest.mark.parametrize("value", VALUES + TEXTS, ids=lambda value: repr(value)[:20])
def test_written_values_are_read_back(value):
    for wrapped in value, [value, "x"], {"key": value}, {"key": [{"deep": value}]}:
        assert repr(ketch.loads(ketch.dumps(wrapped))) == repr(wrapped)
        assert repr(ketch.loads(ketch.dumps(wrapped, flow=True))) == repr(wrapped)
        assert repr(ketch.loads(ketch.dumps(wrapped, ascii=True, width=20))) == repr(wrapped)
    if isinstance(value, str):
        assert ketch.loads(ketch.dumps({value: value})) == {value: value}


def test_values_are_written_as_expected():
    assert ketch.dumps({"masts": ["main", "mizzen"], "rig": None}) == "masts:\n- main\n- mizzen\nrig: null\n"
    assert ketch.dumps_all(["a", "b"]) == "a\n--- b\n"
    assert ketch.dumps_all([]) == ""
    assert ketch.dumps("ö", encoding="utf-8") == "ö\n".encode()
    assert math.isnan(ketch.loads(ketch.dumps(math.nan)))


def test_options():
    value = {"a": [{"b": "ö"}]}
    assert ketch.dumps(value, indent=4, sequences="indented") == "a:\n    - b: ö\n"
    for columns in (-1, 0, 10):
        with pytest.raises(ValueError, match="1 to 9"):
            ketch.dumps(value, indent=columns)
    assert ketch.dumps(value, flow=True) == "{a: [{b: ö}]}\n"
    assert ketch.dumps(value, ascii=True) == 'a:\n- b: "\\xF6"\n'
    assert ketch.dumps(value, header=True) == "---\na:\n- b: ö\n"
    assert ketch.dumps({"b": 1, "a": {"d": 1, "c": 2}}, sort_keys=True) == "a:\n  c: 2\n  d: 1\nb: 1\n"
    assert len(ketch.dumps("word " * 50, width=40).splitlines()) > 3
    for wrong in {"color": 1}, {"sequences": 1}:
        with pytest.raises(TypeError):
            ketch.dumps(value, **wrong)
    for wrong in {"sequences": "any"}, {"encoding": "latin-1"}:
        with pytest.raises(ValueError):
            ketch.dumps(value, **wrong)


def test_instances_of_subclasses_are_written():
    class Color(str, enum.Enum):
        RED = "red"

    class Size(enum.IntEnum):
        BIG = 3

    Point = collections.namedtuple("Point", "x y")
    value = [Color.RED, Size.BIG, Point(1, 2), collections.OrderedDict(a=1), collections.defaultdict(int, b=2), bytearray(b"\x01")]
    assert ketch.loads(ketch.dumps(value)) == ["red", 3, [1, 2], {"a": 1}, {"b": 2}, b"\x01"]


def test_objects_that_cannot_be_written():
    for value in {1}, object(), 1j, ketch:
        with pytest.raises(TypeError, match="pass default="):
            ketch.dumps([value])
    assert ketch.dumps([{2, 1}], default=sorted) == "- - 1\n  - 2\n"
    with pytest.raises(TypeError, match="type complex"):
        ketch.dumps([{1}], default=lambda _: 1j)
    with pytest.raises(ZeroDivisionError):
        ketch.dumps([{1}], default=lambda _: 1 // 0)
    # Without a limit, this would use up the memory.
    with pytest.raises(RecursionError):
        ketch.dumps(object(), default=lambda _: [object()])
    nested = [object(), *[{"n": number} for number in range(2000)]]
    assert len(ketch.loads(ketch.dumps(nested, default=lambda _: [{1}] if _ is nested[0] else list(_)))) == 2001
    one = {1}
    assert ketch.dumps([one, one], default=list) == "- &1\n  - 1\n- *1\n"


class Size(enum.IntEnum):
    BIG = 3


@dataclasses.dataclass
class Boat:
    name: str


class Place(enum.Enum):
    HERE = pathlib.PurePosixPath("/here")
    WITHIN = Boat("yawl")


@dataclasses.dataclass
class Ship:
    name: str
    price: decimal.Decimal
    id: uuid.UUID
    home: pathlib.PurePosixPath
    size: Size
    launched: datetime.date


def test_objects_of_common_classes_are_written():
    ship = Ship("ketch", decimal.Decimal("1.10"), uuid.UUID(int=5), pathlib.PurePosixPath("/srv"), Size.BIG, datetime.date(1902, 5, 4))
    text = ketch.dumps({"ships": [ship, ship], "sizes": Size.BIG})
    assert text == """\
ships:
- &1
  name: ketch
  price: 1.10
  id: 00000000-0000-0000-0000-000000000005
  home: /srv
  size: 3
  launched: !!timestamp 1902-05-04
- *1
sizes: 3
"""
    assert ketch.loads(ketch.dumps(ship), type=Ship) == ship
    assert ketch.dumps([Place.HERE, Place.WITHIN], default=None) == "- /here\n- name: yawl\n"
    # What else `default` does is not affected, and it can use the same function.
    with pytest.raises(TypeError, match="type UUID"):
        ketch.dumps([uuid.UUID(int=1)], default=lambda value: value)
    both = [{1}, decimal.Decimal("1.10"), pathlib.PurePosixPath("a")]
    assert ketch.dumps(both, default=lambda value: sorted(value) if isinstance(value, set) else ketch.plain(value)) == "- - 1\n- 1.10\n- a\n"
    with pytest.raises(TypeError, match="an object of type Random has no YAML"):
        ketch.plain(random.Random())
    with pytest.raises(TypeError, match="type type"):
        ketch.dumps(Ship)


@pytest.mark.parametrize(
    ("digits", "text"),
    [
        ("1.10", "1.10"),
        ("-0.000", "-0.000"),
        ("5", "5"),
        ("1E+3", "1.E+3"),
        ("1.5E-10", "1.5E-10"),
        ("0.000001", "0.000001"),
        ("123456789012345678901234567890.12345", "123456789012345678901234567890.12345"),
        ("NaN", ".nan"),
        ("-Infinity", "-.inf"),
    ],
)
def test_decimals_keep_their_digits(digits, text):
    number = decimal.Decimal(digits)
    assert ketch.dumps([number]) == f"- {text}\n"
    [loaded] = ketch.loads(f"- {text}", type=list[decimal.Decimal])
    assert str(loaded) == str(number) or "." not in digits or number.is_nan()
    assert loaded == number or number.is_nan()
    # Readers of YAML 1.1 read a number, too.
    assert yaml.safe_load(text) == float(number) or number.is_nan()
    edit = ketch.edit_text("a: 0\n")
    edit["a"] = number
    assert edit.text == f"a: {text}\n"


def test_errors_say_where_in_the_value():
    for value, place in [
        ({"a": [1, object()]}, "at `a[1]`"),
        ([{"b": {1: {2}}}], "at `[0].b[1]`"),
        ({"x y": [[object()]]}, 'at `["x y"][0][0]`'),
        ({"x": {object(): 1}}, "in a key of `x`"),
        ({object(): 1}, "in a key of `.`"),
        ([{(1, object()): 1}], "at `[0]"),
    ]:
        with pytest.raises(TypeError) as raised:
            ketch.dumps(value)
        assert f", {place}" in str(raised.value) and "has no YAML: convert it first, or pass default=" in str(raised.value), value
    with pytest.raises(TypeError, match="^an object of type object has no YAML"):
        ketch.dumps(object())
    for value, kind, message in [
        ({"k": ["\ud800"]}, UnicodeEncodeError, "surrogates not allowed, at `k[0]`"),
        ([[10**5000]], ValueError, "at `[0][0]`"),
        ({"a": ketch.Tagged("", 1)}, TypeError, "the tag of a ketch.Tagged has to be a str that is not empty, at `a`"),
        ([ketch.Tagged("!x", 1.5)], ValueError, "at `[0]`"),
        ({"s": {1: 2, "a": 3}}, TypeError, "at `s`"),
    ]:
        with pytest.raises(kind) as raised:
            ketch.dumps(value, sort_keys="s" in value)
        assert message in str(raised.value), str(raised.value)
    deep = object()
    for _ in range(1000):
        deep = [deep]
    with pytest.raises(TypeError, match=r"at `\.\.\.(\[0\]){21}`"):
        ketch.dumps(deep)
    with pytest.raises(ZeroDivisionError) as raised:
        ketch.dumps({"q": [{1}]}, default=lambda _: 1 // 0)
    assert getattr(raised.value, "__notes__", None) in (None, ["raised by `default` for the object at `q[0]`"])
    assert sys.version_info < (3, 11) or raised.value.__notes__


def test_a_shared_collection_is_written_once():
    shared = {"x": [1]}
    text = ketch.dumps([shared, shared, {"y": shared["x"]}, (), ()])
    assert text == '- &1\n  x: &2\n  - 1\n- *1\n- "y": *2\n- []\n- []\n'
    loaded = ketch.loads(text)
    assert loaded[0] is loaded[1] and loaded[0]["x"] is loaded[2]["y"]
    assert ketch.dumps_all([[shared, shared], shared]) == "- &1\n  x:\n  - 1\n- *1\n---\nx:\n- 1\n"


def test_collections_that_contain_themselves():
    value = [1]
    value += [value, {"list": value}]
    loaded = ketch.loads(ketch.dumps(value))
    assert loaded[1] is loaded and loaded[2]["list"] is loaded


def test_deep_values_do_not_overflow_the_stack():
    deep = []
    for _ in range(100_000):
        deep = [deep]
    text = ketch.dumps(deep, flow=True)
    assert text == "[" * 100_001 + "]" * 100_001 + "\n"
    # Python's own == and repr recurse, so it is only counted.
    loaded, depth = ketch.loads(text, max_depth=math.inf), 0
    while loaded:
        loaded, depth = loaded[0], depth + 1
    assert depth == 100_000


def test_files(tmp_path):
    path = tmp_path / "größe.yaml"
    ketch.dump({"a": "ö"}, path)
    assert path.read_bytes() == "a: ö\n".encode()
    path.chmod(0o640)
    ketch.dump_all([1, 2], str(path))
    assert path.read_bytes() == b"1\n--- 2\n" and path.stat().st_mode & 0o777 == 0o640
    assert list(tmp_path.iterdir()) == [path]
    for stream, text in (io.StringIO(), "- é\n"), (io.BytesIO(), "- é\n".encode()):
        ketch.dump(["é"], stream)
        assert stream.getvalue() == text
    with pytest.raises(TypeError):
        ketch.dump(object(), path)
    assert path.read_bytes() == b"1\n--- 2\n"
    with pytest.raises(FileNotFoundError) as caught:
        ketch.dump(1, tmp_path / "no" / "file")
    assert caught.value.filename == str(tmp_path / "no" / "file")

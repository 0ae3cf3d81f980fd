"""Values as types of the caller."""

import dataclasses
import datetime
import decimal
import io
import math
import pickle
import sys
import typing

import attrs
import msgspec
import pydantic
import pytest

import ketch

FLEET = """\
name: Nordsee
ships:
- {name: ketch, masts: [main, mizzen], launched: 1902-05-04}
- name: sloop
  masts: [main]
"""


@dataclasses.dataclass
class Ship:
    name: str
    masts: list[str]
    launched: datetime.date | None = None


@dataclasses.dataclass
class Fleet:
    name: str
    ships: list[Ship]


class ShipDict(typing.TypedDict):
    name: str
    masts: list[str]


class ShipStruct(msgspec.Struct):
    name: str
    masts: list[str] = []


@attrs.define
class ShipAttrs:
    name: str
    masts: list[str]


class ShipModel(pydantic.BaseModel):
    name: str
    masts: list[str]


@pydantic.dataclasses.dataclass
class ShipChecked:
    name: str
    masts: list[str]


class Dotted(msgspec.Struct):
    name: str = msgspec.field(name="a.b")


class Cat(msgspec.Struct, tag="cat"):
    lives: int


class Dog(msgspec.Struct, tag="dog"):
    age: int


class CatModel(pydantic.BaseModel):
    kind: typing.Literal["cat"]
    lives: int


class DogModel(pydantic.BaseModel):
    kind: typing.Literal["dog"]
    age: int


class Home(pydantic.BaseModel):
    pets: list[typing.Annotated[CatModel | DogModel, pydantic.Field(discriminator="kind")]]
    ages: dict[int, int] = {}
    other: dict[str, CatModel | int] = {}


def test_each_kind_of_type():
    fleet = ketch.loads(FLEET, type=Fleet)
    assert fleet.ships[0] == Ship("ketch", ["main", "mizzen"], datetime.date(1902, 5, 4))
    text = "{name: yawl, masts: [main]}"
    assert ketch.loads(text, type=ShipDict) == {"name": "yawl", "masts": ["main"]}
    for kind in (Ship, ShipStruct, ShipAttrs, ShipModel, ShipChecked):
        ship = ketch.loads(text, type=kind)
        assert type(ship) is kind and (ship.name, ship.masts) == ("yawl", ["main"])
        assert ketch.loads(f"[{text}]", type=list[kind]) == [ship]
        assert ketch.loads_all(f"--- {text}\n--- {text}", type=kind) == [ship, ship]
    assert ketch.loads("a: 1", type=None) == {"a": 1}
    assert ketch.loads("12", type=int | str) == 12


def test_files(tmp_path):
    path = tmp_path / "ships.yml"
    path.write_text("--- {name: yawl, masts: []}\n--- {name: 1, masts: []}\n")
    ships = ketch.load_all(path, type=Ship)
    assert next(ships) == Ship("yawl", [])
    with pytest.raises(ketch.ConversionError) as raised:
        next(ships)
    assert str(raised.value).startswith(f"{path}:2:12: Expected `str`, got `int`, at `$.name`\n")
    ships = ketch.load_all(io.BytesIO(path.read_bytes()), type=Ship)
    next(ships)
    with pytest.raises(ketch.ConversionError) as raised:
        next(ships)
    assert (raised.value.line, str(raised.value).splitlines()[0]) == (
        None,
        "Expected `str`, got `int`, at `$.name`",
    )
    path.write_text("name: yawl\nmasts: []\n")
    assert ketch.load(path, type=ShipModel).name == "yawl"


@pytest.mark.parametrize(
    ("kind", "text", "place", "problem"),
    [
        (Ship, "name: a\nmasts: [b, 1]", (2, 12), "Expected `str`, got `int`, at `$.masts[1]`"),
        (Ship, "name: a\n", (1, 1), "Object missing required field `masts`"),
        (Fleet, "name: a\nships:\n- {name: b}\n", (3, 3), "Object missing required field `masts`, at `$.ships[0]`"),
        (dict[str, int], "a: 1\nb: c\n", (2, 4), "Expected `int`, got `str`, at `$[...]`"),
        (dict[str, dict[str, int]], "a:\n  b: 1\n  c: 2\nd: {e: 3, f: g, h: i}\nj: {k: l}\n", (4, 14), None),
        (dict[int, int], "1: 2\na: 3\n4: 5\n", (2, 1), "Expected `int`, got `str`, at `key` in `$`"),
        (dict[str, dict[int, int]], "q:\n  1: 2\n  a: 3\n", (3, 3), "Expected `int`, got `str`, at `key` in `$[...]`"),
        (dict[str, list[set[int]]], "a.b: [[1], [2, x]]\n", (1, 16), None),
        (dict[str, Dotted], "a: {a.b: 1}\n", (1, 10), "Expected `str`, got `int`, at `$[...].a.b`"),
        (dict[str, Ship], "&x a: &y {name: b}\n", (1, 10), None),
        (dict[str, Cat | Dog], "a: {type: cat, lives: 9}\nb: {type: dog, age: x}\n", (2, 21), None),
        (list[Cat | Dog], "- {type: cat, lives: 9}\n- {type: cow}\n", (2, 10), "Invalid value 'cow', at `$[1].type`"),
        (Home, "pets:\n- {kind: cat, lives: 9}\n- {kind: dog, age: x}\n", (3, 20), None),
        (Home, "pets: [{kind: dog}]\n", (1, 8), "Field required, at `$.pets[0].dog.age`"),
        (Home, "pets: []\nages:\n  1: 2\n  x: 3\n", (4, 3), None),
        (Home, "pets: []\nother:\n  a: 1\n  b: {kind: cat, lives: x}\n", (4, 25), None),
        (ShipStruct, "- a\n- b\n", (1, 1), "Expected `object`, got `array`"),
        (list[Ship], "- &a {name: b, masts: 1}\n- *a\n", (1, 23), None),
        (ShipModel, "name: a\nmasts: [b, 1]", (2, 12), "Input should be a valid string, at `$.masts[1]`"),
        (ShipModel, "masts: 1\n", (1, 1), "Field required, at `$.name` (and 1 more)"),
        (dict[int, ShipModel], "1: {name: 2}\n", (1, 11), None),
        (ShipChecked, "{name: [], masts: []}\n", (1, 8), "Input should be a valid string, at `$.name`"),
    ],
)
def test_errors_have_a_location(kind, text, place, problem):
    with pytest.raises(ketch.ConversionError) as raised:
        ketch.loads(text, type=kind, filename="a.yml")
    error = raised.value
    assert (error.line, error.column) == place, str(error)
    line = text.splitlines()[place[0] - 1]
    excerpt = f"\n    {line}\n    {' ' * (place[1] - 1)}^\nChange the text, or the type "
    assert str(error).startswith(f"a.yml:{place[0]}:{place[1]}: {error.problem}{excerpt}")
    assert problem is None or error.problem == problem
    assert isinstance(error.__cause__, (msgspec.ValidationError, pydantic.ValidationError))
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_the_wrong_one_of_many_entries_is_found():
    for wrong in 0, 1, 499, 998, 999:
        text = "".join(f"k{number}: {'x' if number in (wrong, 1000) else number}\n" for number in range(1001))
        with pytest.raises(ketch.ConversionError) as raised:
            ketch.loads(text, type=dict[str, int])
        assert raised.value.line == wrong + 1


class Bill(msgspec.Struct):
    price: decimal.Decimal
    rate: float
    more: typing.Any = None
    rest: dict = {}


@dataclasses.dataclass
class BillClass:
    price: decimal.Decimal
    rate: float
    more: typing.Any = None
    rest: dict = dataclasses.field(default_factory=dict)


class BillModel(pydantic.BaseModel):
    price: decimal.Decimal
    rate: float
    more: typing.Any = None
    rest: dict = {}


class StrictBill(pydantic.BaseModel):
    price: decimal.Decimal
    rate: pydantic.StrictFloat


@pytest.mark.parametrize("kind", [Bill, BillClass, BillModel])
def test_decimals_keep_their_digits(kind):
    bill = ketch.loads("{price: 1.10, rate: 2.50, more: [3.50, {x: 1.0}], rest: {y: 1.5, z: [2.0]}}", type=kind)
    assert repr((bill.price, bill.rate, bill.more, bill.rest)) == "(Decimal('1.10'), 2.5, [3.5, {'x': 1.0}], {'y': 1.5, 'z': [2.0]})"
    bill = ketch.loads("price: 12345678901234567890.12345678901234567890\nrate: 1", type=kind)
    assert str(bill.price) == "12345678901234567890.12345678901234567890"
    with pytest.raises(ketch.ConversionError) as raised:
        ketch.loads("price: 1.10\nrate: [1.5]", type=kind)
    assert raised.value.line == 2


def test_decimals_in_other_types(tmp_path):
    decimals = [decimal.Decimal("1.10"), decimal.Decimal("1E+3"), decimal.Decimal(5)]
    assert repr(ketch.loads("[1.10, 1e3, 5]", type=list[decimal.Decimal])) == repr(decimals)
    assert repr(ketch.loads("a: 1.10", type=dict[str, decimal.Decimal | None])) == "{'a': Decimal('1.10')}"
    assert repr(ketch.loads("1.10", type=typing.Annotated[decimal.Decimal, "of money"])) == "Decimal('1.10')"
    assert repr(ketch.loads_all("--- 1.10\n--- 2.0", type=decimal.Decimal)) == "[Decimal('1.10'), Decimal('2.0')]"
    assert repr(list(ketch.load_all(io.StringIO("--- 1.10\n--- 2.0"), type=decimal.Decimal))) == "[Decimal('1.10'), Decimal('2.0')]"
    path = tmp_path / "a.yml"
    path.write_text("1.10")
    assert repr(ketch.load(path, type=decimal.Decimal)) == repr(next(ketch.load_all(path, type=decimal.Decimal))) == "Decimal('1.10')"
    assert ketch.loads(".inf", type=decimal.Decimal) == math.inf
    assert ketch.loads("1:30.5", type=decimal.Decimal, schema="yaml11") == decimal.Decimal("90.5")
    # Without decimals in the type, numbers are floats; so they are for validators that require floats.
    assert repr(ketch.loads("[1.10]", type=list[float])) == repr(ketch.loads("[1.10]", type=list)) == "[1.1]"
    assert ketch.loads("{price: 1.10, rate: 2.5}", type=StrictBill).rate == 2.5


def test_merged_values_have_the_location_of_their_source():
    text = "base: &b {name: 1}\nship:\n  <<: *b\n  masts: []\n"
    with pytest.raises(ketch.ConversionError) as raised:
        ketch.loads(text, type=dict[str, ShipModel | dict[str, str]], merge=True)
    assert raised.value.line in (1, 3)


def test_a_missing_library_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "msgspec", None)
    monkeypatch.setitem(sys.modules, "pydantic", None)

    @dataclasses.dataclass
    class Boat:
        name: str

    with pytest.raises(ImportError, match=r"Boat needs msgspec or pydantic: pip install 'ketch\[msgspec\]'"):
        ketch.loads("name: a", type=Boat)
    assert ketch.loads("name: a") == {"name": "a"}


def test_pydantic_alone_takes_dataclasses(monkeypatch):
    monkeypatch.setitem(sys.modules, "msgspec", None)

    @dataclasses.dataclass
    class Boat:
        name: str

    assert ketch.loads("name: a", type=Boat) == Boat("a")


def test_errors_of_the_text_come_first():
    with pytest.raises(ketch.YamlSyntaxError):
        ketch.loads("a: [", type=Ship)
    with pytest.raises(TypeError, match="unexpected keyword"):
        ketch.loads("a", typ=Ship)

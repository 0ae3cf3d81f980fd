"""Values as types of the caller."""

import dataclasses
import datetime
import io
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
        (dict[str, int], "a: 1\nb: c\n", (1, 1), "Expected `int`, got `str`, at `$[...]`"),
        (dict[str, Ship], "&x a: &y {name: b}\n", (1, 1), None),
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

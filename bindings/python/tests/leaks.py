"""Calls functions many times in a debug build of Python, and counts references."""

import gc
import io
import sys

import ketch
import ketch.yaml as yaml
from ketch import extprot

TEXT = """
name: größe
list: [1, 2.5, true, null, 12345678901234567890123, text, '𝄞']
shared: &a {x: [1], y: 2001-12-14}
alias: *a
<<: {merged: yes}
? [a, [b]]
: !tag value
? !!binary aGVsbG8=
: !!timestamp 2001-12-14T21:59:43.10-05:00
"""
WRONG = ["a: [", "a: 1\na: 2", "!!int x", "? {a: b}\n: c", "!!timestamp 0000-01-01", "9" * 5000, "[" * 2000, b"a: \xff", "\ud800", 1]
FLEET = extprot.schema_text("""
type rig = Ketch | Other string
message ship = { name : string; rig : rig; masts : [ string ] }
""")
VALUE = {"a": [1, None, 2.5, "größe", b"x"], (1, 2): ketch.Tagged("!x", ["y"]), "big": 2**70}


class Loader(yaml.SafeLoader):
    """A loader with a constructor."""


Loader.add_constructor("!x", lambda loader, node: loader.construct_sequence(node))


class Unhashable:
    """A key whose hash raises."""

    def __hash__(self):
        raise ValueError


Loader.add_constructor("!unhashable", lambda loader, node: Unhashable())


def fails(call, *arguments, **options):
    try:
        call(*arguments, **options)
    except (ValueError, TypeError, ZeroDivisionError, RecursionError, yaml.YAMLError, KeyError):
        return
    raise AssertionError(f"{call} did not fail")


def wrong():
    for text in WRONG:
        fails(ketch.loads, text)
        fails(lambda text: ketch.parse(text).value, text)


def ships():
    ship = FLEET.Ship(name="Anna", rig=FLEET.RigOther("dhow"), masts=["main", "mizzen"])
    assert FLEET.Ship.loads(ship.dumps()) == ship
    fails(FLEET.Ship.loads, ship.dumps()[:-3])
    fails(FLEET.Ship(name=1, rig=None, masts=[]).dumps)


def edits():
    edit = ketch.edit_text("a: [1, 2]\nb: {c: d}\n")
    edit.root["a"].append("größe")
    del edit.root["b"]
    edit.text  # noqa: B018
    fails(edit.root.__setitem__, "a", object())


def document():
    root = ketch.parse(TEXT).root
    return [root["list"][5], dict(root["shared"].items()), root.get("missing"), list(root)]


CALLS = {
    "loads": lambda: ketch.loads(TEXT, schema="yaml11"),
    "loads small": lambda: ketch.loads("{a: [1, bc]}"),
    "loads options": lambda: ketch.loads_all(TEXT, filename="x", max_depth=50, duplicate_keys="last"),
    "positions": lambda: ketch.loads(TEXT, positions=True).position("list", 2),
    "load_all": lambda: list(ketch.load_all(io.BytesIO(b"--- {a: 1}\n" * 20))),
    "errors": wrong,
    "document": document,
    "events": lambda: list(ketch.events(TEXT)),
    "dumps": lambda: ketch.dumps([VALUE, VALUE]),
    "dumps default": lambda: ketch.dumps([{1}, object], default=lambda value: [str(value)]),
    "dumps errors": lambda: [fails(ketch.dumps, value) for value in (object(), "\ud800", [1j])],
    "edits": edits,
    "extprot": lambda: extprot.loads(extprot.dumps(VALUE)),
    "extprot errors": lambda: [fails(extprot.loads, extprot.dumps(VALUE)[:at]) for at in (0, 1, 5, 20)],
    "schema": ships,
    "yaml": lambda: yaml.safe_load("{a: [1, 2.5, yes, 2001-12-14, &x b, *x], <<: {c: d}}"),
    "yaml errors": lambda: [fails(yaml.safe_load, text) for text in ("[", "a: *b", "!x y", "{[1]: 2}")],
    "yaml constructor": lambda: yaml.load("[!x [a, b], {c: !x [d]}]", Loader=Loader),
    "yaml hash": lambda: fails(yaml.load, "{!unhashable x: 1}", Loader=Loader),
    "yaml dump": lambda: yaml.safe_dump({"a": [1, "x: y", None], "b": {"c": 2.5}}),
}
ROUNDS = 300


def growth(call):
    """Return how much the number of references grows in ROUNDS calls; the least of three tries."""
    for _ in range(50):
        call()
    grown = []
    for _ in range(3):
        gc.collect()
        before = sys.gettotalrefcount()
        for _ in range(ROUNDS):
            call()
        gc.collect()
        grown.append(sys.gettotalrefcount() - before)
    return min(grown)


def main():
    leaking = 0
    for name, call in CALLS.items():
        grown = growth(call)
        # The caches of the package and of Python may grow a little.
        leaks = grown >= ROUNDS // 2
        leaking += leaks
        print(f"{name}: {grown} references more after {ROUNDS} calls{', which is a LEAK' if leaks else ''}", flush=True)
    sys.exit(leaking > 0)


main()

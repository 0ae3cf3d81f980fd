"""New values of `ketch.edit` and `ketch.edit_text` that are no plain data, and paths of several keys."""

import dataclasses
import datetime
import decimal
import pathlib
import random
import uuid

import ketch
import pytest

NEW_VALUES = {
    'ketch.Tagged("!Ref", "Web")': "!Ref Web",
    'ketch.Tagged("!Sub", "yes")': '!Sub "yes"',
    'ketch.Tagged("tag:example.com,2026:x", "a")': "!<tag:example.com,2026:x> a",
    'ketch.Tagged("!If", ["a", ketch.Tagged("!Ref", "b")])': "!If\n  - a\n  - !Ref b",
    'ketch.Tagged("!x", {"k": 1})': "!x\n  k: 1",
    "datetime.date(2001, 2, 3)": "2001-02-03",
    "datetime.datetime(2001, 2, 3, 4, 5, 6)": "2001-02-03T04:05:06",
    "datetime.datetime(2001, 2, 3, 4, 5, 6, 7, datetime.timezone.utc)": "2001-02-03T04:05:06.000007Z",
    'b"hi\\xff"': "!!binary aGn/",
    'bytearray(b"hi")': "!!binary aGk=",
    'pathlib.PurePosixPath("/srv/app")': "/srv/app",
    "uuid.UUID(int=5)": "00000000-0000-0000-0000-000000000005",
    'decimal.Decimal("1.10")': "1.10",
    'Pin("x", decimal.Decimal("2.0"))': "\n  name: x\n  at: 2.0",
}


@dataclasses.dataclass
class Pin:
    name: str
    at: decimal.Decimal


@pytest.mark.parametrize("source", NEW_VALUES)
def test_values_of_more_classes_are_written(source):
    value, text = eval(source), NEW_VALUES[source]
    space = "" if text.startswith("\n") else " "
    edit = ketch.edit_text("a: 1   # one\nb: x\n", schema="yaml11")
    edit["c"] = value
    assert edit.text == f"a: 1   # one\nb: x\nc:{space}{text}\n"
    if "Pin" not in source and "UUID" not in source and "Path" not in source and "Decimal" not in source:
        assert edit["c"] == value
    # In collections, and in operations, too.
    edit = ketch.edit_text("list: []\n")
    edit["list"].append({"k": value})
    assert "k:" in edit.text and text.splitlines()[-1].strip() in edit.text
    edit = ketch.edit_text("b: x\n")
    edit.apply([{"op": "set", "path": ["c"], "value": value}])
    last = text.splitlines()[-1].strip()
    assert last in edit.text.replace('"', "") or last in edit.text


def test_errors_for_values_name_their_class():
    with pytest.raises(TypeError, match="a new value cannot be of type Random: convert it"):
        ketch.edit_text("a: 1")["a"] = random.Random()


def test_lists_of_keys_lead_to_inner_entries():
    edit = ketch.edit_text("image: {tag: a}   # one\njobs:\n- name: x   # two\n  steps: [1, 2]\n- name: y\n")
    edit.set(["image", "tag"], "b")
    edit.set(["jobs", 0, "name"], "z")
    edit.set(["jobs", -1, "env", "HOME"], "/srv")
    edit.delete(["jobs", 0, "steps", 0])
    edit.rename(["image", "tag"], "version")
    edit.rewrite(["jobs", 0, "name"], "z")
    edit.node("jobs", 0, "name").comment = "three"
    edit["jobs"][1].move_to(["env", "HOME"], edit["image"])
    assert edit.text == (
        "image: {version: b, HOME: /srv}   # one\njobs:\n- name: z   # three\n  steps: [2]\n- name: y\n  env: {}\n"
    )
    assert edit.node("jobs", 0, "name").value == "z" and edit.node().kind == "mapping"
    for call in (
        lambda: edit.node("jobs", 5, "name"),
        lambda: edit.node("image", "version", "x"),
        lambda: edit.delete(["jobs", 0, "unknown"]),
        lambda: edit.rename(["unknown", "x"], "y"),
    ):
        with pytest.raises(LookupError):
            call()


def test_a_tag_that_yaml_does_not_define_is_dropped_unless_it_is_kept() -> None:
    def after(**options: object) -> str:
        edit = ketch.edit_text("count: !Ref Nodes  # c\n")
        edit.set("count", 2, **options)  # type: ignore[arg-type]
        return edit.text

    assert after() == "count: 2  # c\n"
    assert after(keep_tag=True) == "count: !Ref 2  # c\n"
    assert after(tag="!Sub") == "count: !Sub 2  # c\n"
    edit = ketch.edit_text("ports: !reset [70]\n")
    edit["ports"].append(80)
    edit["ports"] = [70, 80]
    assert edit.text == "ports: !reset [70, 80]\n"

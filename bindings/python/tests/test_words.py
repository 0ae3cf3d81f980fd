"""Errors that name a limit or an option name an argument of the function in Python."""

import inspect
import re

import ketch
import ketch.extprot
import ketch.yaml
import pytest

LIMITS = {
    "max_depth": ("[[[[a]]]]", 2),
    "max_nodes": ("[1, 2, 3, 4]", 2),
    "max_tag_bytes": ("!aaaaaaa b", 2),
    "max_tag_handles": ("%TAG !a! b\n%TAG !c! b\n--- x", 1),
    "max_implicit_key_chars": ("[aaaaaaaaaa bbbbb: c]", 4),
    "max_scalar_bytes": ("abcdefgh", 4),
    "max_alias_nodes": ("<<: &a {b: 1, c: 2}\nd: {<<: *a}\ne: {<<: *a}\nf: {<<: *a}\n", 1),
}


@pytest.mark.parametrize("name", LIMITS)
def test_limits_of_yaml(name):
    text, limit = LIMITS[name]
    options = {"merge": True} if name == "max_alias_nodes" else {}
    assert name in inspect.signature(ketch.loads).parameters
    for read in ketch.loads, ketch.loads_all, ketch.parse, ketch.edit_text:
        with pytest.raises(ketch.LimitError) as raised:
            result = read(text, **options, **{name: limit})
            result.value
        assert raised.value.setting == name
        assert f"`{name}`" in raised.value.help and raised.value.help in str(raised.value)


def test_limits_of_extprot():
    data = ketch.extprot.dumps([[["text"], "text"]])
    for name in "max_depth", "max_string_bytes", "max_elements", "max_block_bytes":
        with pytest.raises(ketch.extprot.Error) as raised:
            ketch.extprot.loads(data, **{name: 1})
        error = raised.value
        assert error.setting == name and re.match(rf"\d+ is more than the limit {name}=1\b", error.problem)
        assert error.help == f"If you trust the input, raise `{name}`." and str(error).endswith(error.help)
        assert str(error).startswith(f"{error.problem} at byte ")
        with pytest.raises(ketch.extprot.Error, match=f"exceeds the limit {name}"):
            ketch.extprot.pure.loads(data, **{name: 1})


def test_limits_of_the_interface_of_pyyaml():
    # It has no arguments for limits.
    text = "- " * 3000 + "a"
    with pytest.raises(ketch.LimitError) as limit:
        ketch.loads(text)
    with pytest.raises(ketch.yaml.YAMLError, match=f"ketch.loads has one, {limit.value.setting}"):
        list(ketch.yaml.parse(text))


def test_options_of_edits():
    edit = ketch.edit_text("a: &x {b: 1}\nc: *x\n")
    with pytest.raises(ketch.ThroughAliasError) as raised:
        edit["c"]["b"] = 2
    assert 'alias="through"' in raised.value.help and raised.value.help in str(raised.value)
    edit["c"].set("b", 2, alias="detach") if "alias=" in raised.value.help else None
    edit = ketch.edit_text("a: &x {b: 1}\nc: *x\n")
    with pytest.raises(ketch.AnchorInUseError) as raised:
        del edit["a"]
    assert 'anchors="promote"' in raised.value.help and raised.value.help in str(raised.value)
    edit.delete("a", anchors="promote")
    assert edit.text == "c: &x {b: 1}\n"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ketch.loads("a", schema="x"), "schema: "),
        (lambda: ketch.loads("a", duplicate_keys="x"), 'duplicate_keys: expected "error", "first" or "last"'),
        (lambda: ketch.loads("a", max_depth="x"), "max_depth: expected a number, math.inf"),
        (lambda: ketch.dumps(1, indent=0), "indent: expected 1 to 9"),
        (lambda: ketch.dumps(1, sequences="x"), 'sequences: expected "flush" or "indented"'),
        (lambda: ketch.loads("a: 1\na: 2"), "`duplicate_keys`"),
    ],
)
def test_options(call, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        call()

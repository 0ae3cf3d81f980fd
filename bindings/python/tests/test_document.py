"""`ketch.parse`, and values with positions."""

import json
import threading

import pytest

import ketch
import suite
from ketch import _ketch

TEXT = """\
# The fleet.
# Two lines.
name: Nordsee # of the fleet
ships: # all of them
  # The first.
  - &first {name: ketch, masts: [main, mizzen]} # a ship
  - name: 'sloop'
    about: | # text
      # no comment
      two

    1: one
  - *first
empty: # nothing
"""


def test_nodes_have_values_styles_and_positions():
    document = ketch.parse(TEXT, filename="fleet.yml")
    root = document.root
    assert list(root) == ["name", "ships", "empty"]
    assert root["name"] == "Nordsee" and root.get("none") is None
    assert len(root["ships"]) == 3
    assert root["ships"][1] == {"name": "sloop", "about": "# no comment\ntwo\n", 1: "one"}
    assert root["ships"][-1]["masts"][1] == "mizzen"
    assert root["ships"][0:2][1]["name"] == "sloop"
    assert root == ketch.loads(TEXT) and document.value == ketch.loads(TEXT)
    assert dict(root["ships"][1]) == {"name": "sloop", "about": "# no comment\ntwo\n", 1: "one"}
    assert list(root["ships"][1].items())[0] == ("name", "sloop")
    assert list(root["ships"][1].values())[2] == "one"
    assert "name" in root and 1 not in root and 1 in root["ships"][1]
    node = root.node("ships", 1, "name")
    assert (node.kind, node.style, node.text, node.value) == ("scalar", "single-quoted", "sloop", "sloop")
    assert (node.line, node.column, str(node.position)) == (7, 11, "fleet.yml:7:11")
    assert node.position.excerpt == "  - name: 'sloop'\n          ^"
    alias = root.node("ships", 2)
    assert (alias.kind, alias.style, alias.anchor) == ("alias", "alias", "first")
    assert alias["name"] == "ketch" and alias.target.is_same(root.node("ships", 0))
    assert document.file == "fleet.yml" and not document.has_start_marker
    for path in (("ships", 3), ("ships", "a"), ("no",), ("name", "a")):
        with pytest.raises(LookupError):
            root.node(*path)
    for index in 3, -4, 10**30, -(10**30):
        with pytest.raises(IndexError):
            root["ships"][index]
    with pytest.raises(IndexError):
        document._tree.key(10**9)
    with pytest.raises(KeyError):
        root["no"]


def test_nodes_have_their_comments():
    root = ketch.parse(TEXT).root
    found = {
        "name": root.key_node("name"),
        "value": root.node("name"),
        "ships key": root.key_node("ships"),
        "ships": root.node("ships"),
        "first": root.node("ships", 0),
        "sloop": root.node("ships", 1),
        "about": root.node("ships", 1, "about"),
        "one": root.node("ships", 1).key_node(1),
        "alias": root.node("ships", 2),
        "empty": root.key_node("empty"),
    }
    assert {name: (node.comments_above, node.comment) for name, node in found.items()} == {
        "name": (["The fleet.", "Two lines."], None),
        "value": ([], "of the fleet"),
        "ships key": ([], "all of them"),
        "ships": (["The first."], "all of them"),
        "first": (["The first."], "a ship"),
        "sloop": ([], None),
        "about": ([], "text"),
        "one": ([], None),
        "alias": ([], None),
        "empty": ([], "nothing"),
    }
    assert ketch.parse("a: '#b'  #c\n").root.node("a").comment == "c"
    assert ketch.parse("a: b#c\n").root.node("a").comment is None
    assert ketch.parse("[a, # one\n b # two\n ]").root.node(0).comment == "one"


def test_documents_of_the_suite_equal_loaded_values():
    count = 0
    for case in suite.cases():
        try:
            values = ketch.loads_all(case.yaml)
        except ketch.Error as error:
            with pytest.raises(type(error)):
                [document.value for document in ketch.parse_all(case.yaml)]
            continue
        documents = ketch.parse_all(case.yaml)
        assert [document.value for document in documents] == values, case.id
        for document, value in zip(documents, values, strict=True):
            assert whole(document.root) == without_tags(value), case.id
            for number in range(len(document._tree)):
                line, column, *_ = document._tree.place(number)
                location = ketch._document._node(document._tree, number)
                assert (line, column) == (location.line, location.column)
                document._tree.comments(number)
        count += 1
    assert count >= 280


def without_tags(value):
    """Return the value of a node without its tags."""
    if isinstance(value, ketch.Tagged):
        return without_tags(value.value) if isinstance(value.value, (list, dict)) else value
    if isinstance(value, list):
        return [without_tags(part) for part in value]
    if isinstance(value, dict):
        return {key: without_tags(part) for key, part in value.items()}
    return value


def whole(node):
    """Return the value, built by a walk through all nodes."""
    if isinstance(node, ketch._document.MappingNode):
        return {key: whole(value) if isinstance(value, ketch.Node) else value for key, value in node.items()}
    if isinstance(node, ketch._document.SequenceNode):
        return [whole(value) if isinstance(value, ketch.Node) else value for value in node]
    return node.value


def test_entries_of_long_collections_are_found():
    data = {f"key {number}": [number] * 3 for number in range(1000)} | {number: "x" for number in range(50)}
    data["list"] = [{"a": number} for number in range(1000)]
    root = ketch.parse(ketch.dumps(data)).root
    for key, value in data.items():
        assert root[key] == value and root.node(key).value == value
    assert [root["list"][at]["a"] for at in range(1000)] == list(range(1000))
    assert root["list"][-1] == {"a": 999}
    assert "key 1000" not in root and 50 not in root and None not in root


def test_keys_of_all_kinds_and_merged_keys_are_found():
    text = "base: &b {a: 1, b: 2}\nuse: {<<: *b, b: 3}\n? [1, [2]]\n: tuple\n1.5: float\nnull: none\ntrue: yes\n"
    for options in ({}, {"schema": "yaml11"}):
        root = ketch.parse(text, **options).root
        value = ketch.loads(text, **options)
        assert root == value and dict(root["use"]) == value["use"] and len(root["use"]) == len(value["use"])
        for key, expected in value.items():
            assert root[key] == expected and key in root
    assert root["use"]["a"] == 1
    assert ketch.parse("1: int\n'1': str").root["1"] == "str"


def test_data_may_be_text_bytes_or_a_buffer_in_any_encoding():
    text = "größe: [1, 'ü']\r\nx: 2"
    for data in (text, text.encode(), text.encode("utf-16"), bytearray(text.encode()), memoryview(text.encode())):
        root = ketch.parse(data).root
        assert root["größe"][1] == "ü" and root.node("x").line == 2
        assert root.node("größe", 1).column == 12
    data = bytearray(b"a: 1")
    document = ketch.parse(data)
    data[:] = b"b: 2"
    assert document.value == {"a": 1}


def test_the_text_lives_as_long_as_a_node():
    def node():
        return ketch.parse("a: [" + "b, " * 100_000 + "c]").root["a"]

    nodes = [node() for _ in range(5)]
    assert [found[100_000] for found in nodes] == ["c"] * 5


def test_errors():
    with pytest.raises(ketch.Error, match="no document"):
        ketch.parse("# nothing")
    with pytest.raises(ketch.ConstructError, match="more than one document"):
        ketch.parse("a\n--- b")
    with pytest.raises(ketch.YamlSyntaxError) as raised:
        ketch.parse("a: [", filename="a.yml")
    assert raised.value.file == "a.yml"
    with pytest.raises(ketch.DuplicateKeyError):
        ketch.parse("a: 1\na: 2")
    tree = _ketch.trees("a")[0]
    with pytest.raises(IndexError):
        tree.kind(1)
    with pytest.raises(ketch.ConstructError):
        ketch.parse("{a: b}: c").root.value  # noqa: B018


def test_threads_read_one_document():
    document = ketch.parse(json.dumps({f"k{number}": [number] for number in range(5000)}))
    wrong = []

    def read():
        for number in range(5000):
            if document.root[f"k{number}"][0] != number:
                wrong.append(number)

    threads = [threading.Thread(target=read) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_positions(tmp_path):
    text = "spec:\n  ports: [80, http]\nbase: &b {x: 1}\nuse: {<<: *b}\n"
    config = ketch.loads(text, positions=True, filename="spec.yml", schema="yaml11")
    assert config.value == ketch.loads(text, schema="yaml11")
    assert str(config.position("spec", "ports", 1)) == "spec.yml:2:15"
    assert str(config.key_position("spec", "ports")) == "spec.yml:2:3"
    assert str(config.position("use", "x")) == "spec.yml:3:14"
    assert config.position("spec", "no") is None and config.key_position() is None
    assert config.key_position("spec", "ports", 0) is None
    assert str(config.nearest_position("spec", "no", 1)) == "spec.yml:2:3"
    assert [path for path, _ in config.positions()] == [
        (),
        ("spec",),
        ("spec", "ports"),
        ("spec", "ports", 0),
        ("spec", "ports", 1),
        ("base",),
        ("base", "x"),
        ("use",),
    ]
    position = config.position("spec")
    assert (position.line, position.column, position.end_line, position.offset) == (2, 3, 2, 8)
    path = tmp_path / "spec.yml"
    path.write_text(text)
    assert ketch.load(path, positions=True).position("base").file == str(path)
    path.write_text("a: 1\n---\n- b\n")
    for source in path, path.open(), path.open("rb"):
        places = [str(located.position()) for located in ketch.load_all(source, positions=True)]
        assert places == [f"{path}:1:1", f"{path}:3:1"]
    assert list(ketch.load_all(path, positions=False)) == [{"a": 1}, ["b"]]
    first, _ = ketch.load_all(path, positions=True, type=object)
    assert first.value == {"a": 1}
    both = ketch.loads_all("a\n---\n- b\n", positions=True)
    assert [(one.value, one.position().line) for one in both] == [("a", 1), (["b"], 3)]
    nothing = ketch.loads("", positions=True)
    assert nothing.value is None and nothing.position() is None and list(nothing.positions()) == []
    typed = ketch.loads("a: 1", positions=True, type=dict[str, int])
    assert typed.value == {"a": 1} and typed.position("a").column == 4
    with pytest.raises(ketch.ConversionError):
        ketch.loads("a: b", positions=True, type=dict[str, int])
    with pytest.raises(ketch.ConstructError, match="more than one document"):
        ketch.loads("a\n--- b", positions=True)

"""`ketch.edit_text`: views, operations, refusals. Files are in test_edit_files.py."""

import copy
import pickle
import signal
import subprocess
import sys
import threading
import time

import ketch
import pytest
import suite

try:
    import tomllib
except ModuleNotFoundError:
    import tomli as tomllib

YAML = """\
# settings
image:
  repository: app
  tag: '1.9'   # pinned
hosts:   # of the site
- a.example
- b.example

limits: {cpu: 0x10, memory: 2Gi}
jobs:
  # the first
  - name: build
    steps: [compile, test]
  - name: deploy
debug: yes
"""

CASES = tomllib.loads((suite.REPOSITORY / "conformance/edit/cases.toml").read_text("utf-8"))["case"]


def patched(text, patches):
    data = bytearray(text.encode())
    for patch in reversed(patches):
        data[patch.start : patch.end] = patch.new.encode()
    return data.decode()


@pytest.mark.parametrize("breaks", ["as they are", "CRLF"])
def test_cases_with_lists_of_operations(breaks):
    assert len(CASES) >= 60
    done = 0
    for case in CASES:
        before, after = case["before"], case["after"]
        if breaks == "CRLF":
            # Without a line break, the text does not say which it has.
            if "\r" in before or "\n" not in before:
                continue
            before, after = before.replace("\n", "\r\n"), after.replace("\n", "\r\n")
        edit = ketch.edit_text(before)
        edit.apply(case["operations"])
        assert edit.text == after, case["name"]
        assert patched(edit.text, edit.inverse) == before, case["name"]
        assert patched(before, edit.patches) == after, case["name"]
        assert edit.original == before
        # Values do the same as their text.
        again = ketch.edit_text(before)
        again.apply(ketch.loads(case["operations"]))
        assert again.text == after, case["name"]
        done += 1
    assert done >= 55


def by_method(edit, operation):
    """Perform an operation with a method. Return false if no method does it."""
    fields = dict(operation)
    name, path = fields.pop("op"), fields.pop("path", None)
    if name == "rename_anchor" and path is None:
        edit.rename_anchor(fields["from"], fields["to"])
        return True
    if not isinstance(path, list) or fields.keys() & {"doc", "alias", "anchors"}:
        return False
    if not path:
        if name != "insert":
            return False
        edit.insert(fields.pop("key"), fields.pop("value"), **fields)
        return True
    view = edit.root
    *above, last = path
    for key in above:
        if not isinstance(view, ketch.EditView):
            return False
        view = view[key]
    return isinstance(view, ketch.EditView) and act(view, last, name, fields)


def act(view, last, name, fields):
    if name == "set" and len(fields) == 1:
        view[last] = fields["value"]
    elif name == "delete":
        del view[last]
    elif name == "append":
        view[last].append(fields["value"])
    elif name == "rename":
        view.rename(last, fields["to"])
    elif name == "sort":
        view[last].sort()
    elif name == "merge":
        view[last].merge(fields["value"])
    elif name == "move":
        into = view.edit.root
        for key in fields["to"]:
            into = into[key]
        view.move_to(last, into, **{key: value for key, value in fields.items() if key != "to"})
    elif name == "comment":
        node = view.node(last)
        if fields.get("where") == "trailing":
            node.comment = fields["text"]
        else:
            node.leading_comment = fields["text"]
    else:
        return False
    return True


def test_cases_with_methods_of_views():
    done = 0
    for case in CASES:
        edit = ketch.edit_text(case["before"])
        if all(by_method(edit, operation) for operation in ketch.loads(case["operations"])):
            assert edit.text == case["after"], case["name"]
            # What a view reads is what a load of the new text gives.
            assert [root.value for root in edit.documents] == ketch.loads_all(case["after"], lenient=True), case["name"]
            done += 1
    assert done >= 50


def test_a_mapping_reads_like_a_dict():
    edit = ketch.edit_text(YAML)
    assert edit.value == ketch.loads(YAML)
    assert edit == ketch.loads(YAML)
    assert list(edit) == list(edit.keys()) == ["image", "hosts", "limits", "jobs", "debug"]
    assert edit["image"]["tag"] == "1.9"
    assert edit["limits"]["cpu"] == 16
    assert edit["jobs"][-1]["name"] == "deploy"
    assert edit.get("absent") is None and edit.get("absent", 1) == 1
    assert "image" in edit and "tag" in edit["image"] and "tag" not in edit
    with pytest.raises(KeyError) as raised:
        edit["absent"]
    assert raised.value.args == ("absent",)
    assert len(edit) == 5 and bool(edit) and not ketch.edit_text("a: {}\n")["a"]
    assert list(edit["image"].items()) == [("repository", "app"), ("tag", "1.9")]
    assert list(reversed(edit["image"].items())) == [("tag", "1.9"), ("repository", "app")]
    assert list(reversed(edit["image"])) == ["tag", "repository"]
    assert edit["image"] == {"repository": "app", "tag": "1.9"} == edit["image"].value
    assert edit["image"] != {"tag": "1.9"} and edit["image"] != [1]
    assert edit["debug"] == "yes" and len(edit["image"].values()) == 2
    assert "app" in edit["image"].values() and ("tag", "1.9") in edit["image"].items()
    assert edit["image"].path == "image" and edit["jobs"][0]["steps"].path == "jobs[0].steps"
    assert edit["image"] | {"x": 1} == {"repository": "app", "tag": "1.9", "x": 1}
    assert {"x": 1} | edit["image"] == {"x": 1, "repository": "app", "tag": "1.9"}
    match edit["image"]:
        case {"repository": repository, "tag": tag}:
            assert (repository, tag) == ("app", "1.9")
        case _:
            raise AssertionError("no match")
    assert copy.deepcopy(edit["image"]) == copy.copy(edit["image"]) == {"repository": "app", "tag": "1.9"}
    with pytest.raises(TypeError):
        pickle.dumps(edit["image"])
    with pytest.raises(TypeError):
        hash(edit["image"])


def test_a_sequence_reads_like_a_list():
    hosts = ketch.edit_text(YAML)["hosts"]
    assert list(hosts) == hosts.value == ["a.example", "b.example"] == hosts
    assert hosts[-1] == "b.example" and hosts[1:] == ["b.example"] and hosts[::-1] == ["b.example", "a.example"]
    for index in 2, -3:
        with pytest.raises(IndexError):
            hosts[index]
    assert hosts.index("b.example") == 1 and hosts.count("x") == 0 and "a.example" in hosts
    assert [host.upper() for host in hosts] == ["A.EXAMPLE", "B.EXAMPLE"]
    assert list(reversed(hosts)) == ["b.example", "a.example"]
    assert hosts + ["c"] == ["a.example", "b.example", "c"] and ["c"] + hosts == ["c", "a.example", "b.example"]
    with pytest.raises(TypeError):
        hosts["a"]
    match hosts:
        case [first, second]:
            assert (first, second) == ("a.example", "b.example")
        case _:
            raise AssertionError("no match")


def test_an_edit_of_each_kind():
    edit = ketch.edit_text(YAML)
    edit["image"]["tag"] = "1.10"
    edit["hosts"].append("c.example")
    edit["limits"]["cpu"] = 16
    edit["limits"]["disk"] = None
    edit["jobs"][0]["steps"].insert(1, "lint")
    edit.rename("debug", "verbose")
    edit.insert("env", {"A": 1}, before="jobs")
    edit["jobs"].node(1).leading_comment = "the second"
    edit.node("verbose").comment = "for now"
    assert edit.pop("verbose") == "yes"
    assert edit.pop("verbose", None) is None
    with pytest.raises(KeyError):
        del edit["verbose"]
    assert edit.text == """\
# settings
image:
  repository: app
  tag: '1.10'   # pinned
hosts:   # of the site
- a.example
- b.example
- c.example

limits: {cpu: 0x10, memory: 2Gi, disk: null}
env:
  A: 1
jobs:
  # the first
  - name: build
    steps: [compile, lint, test]
  # the second
  - name: deploy
"""


#: Statements, and the text that each makes of "a: 1\nb: 2 # two\n".
MAPPINGS = {
    "d['a'] = 5": "a: 5\nb: 2 # two\n",
    "d.update({'b': 3}, c=[4])": "a: 1\nb: 3 # two\nc:\n  - 4\n",
    "d.update([('a', 0)])": "a: 0\nb: 2 # two\n",
    "m = d.root; m |= {'a': 0}": "a: 0\nb: 2 # two\n",
    "d['a'] += 10": "a: 11\nb: 2 # two\n",
    "d.setdefault('a', 9); d.setdefault('c', 9)": "a: 1\nb: 2 # two\nc: 9\n",
    "d.merge_patch({'a': None, 'b': 7})": "b: 7 # two\n",
    "d.replace({'b': 2, 'z': 1})": "b: 2 # two\nz: 1\n",
    "d.popitem()": "a: 1\n",
    "d.pop('a')": "b: 2 # two\n",
    "del d['b']": "a: 1\n",
    "d.clear()": "{}\n",
    "d.insert('c', 3, after='a')": "a: 1\nc: 3\nb: 2 # two\n",
    "d.insert('c', 3, first=True)": "c: 3\na: 1\nb: 2 # two\n",
    "d.insert('c', 3, index=1)": "a: 1\nc: 3\nb: 2 # two\n",
    "d.rewrite('a', 'x')": "a: x\nb: 2 # two\n",
    "d[3] = {None: True, 1.5: []}": "a: 1\nb: 2 # two\n3:\n  null: true\n  1.5: []\n",
    "for key, value in d.items(): d[key] = value + 1": "a: 2\nb: 3 # two\n",
    "for key in d: del d[key]": "{}\n",
    "for key, value in d.items(): d.clear()": "{}\n",
    "d['a'] = d": "a:\n  a: 1\n  b: 2\nb: 2 # two\n",
    "d['a'] = d.root": "a:\n  a: 1\n  b: 2\nb: 2 # two\n",
    "d.root.set('a', ('t', 1))": "a:\n  - t\n  - 1\nb: 2 # two\n",
    "d['c'] = {}; d.move_to('a', d['c'], new_key='k')": "b: 2 # two\nc:\n  k: 1\n",
    "d['c'] = {}; d.copy_to('b', d['c'], first=True)": "a: 1\nb: 2 # two\nc:\n  b: 2 # two\n",
}


@pytest.mark.parametrize("statement", MAPPINGS)
def test_mappings_change_like_dicts(statement):
    edit = ketch.edit_text("a: 1\nb: 2 # two\n")
    exec(statement, {"d": edit})
    assert edit.text == MAPPINGS[statement]


SEQUENCES = {
    "d.extend(['c', 1])": "- b # first\n- a\n- c\n- 1\n",
    "m = d.root; m += ['c']": "- b # first\n- a\n- c\n",
    "d.insert(0, 'z')": "- z\n- b # first\n- a\n",
    "d.insert(-1, 'z')": "- b # first\n- z\n- a\n",
    "d.insert(99, 'z')": "- b # first\n- a\n- z\n",
    "d.insert(-99, 'z')": "- z\n- b # first\n- a\n",
    "d[-1] = 'c'": "- b # first\n- c\n",
    "d[1:] = ['c', 'd']": "- b # first\n- c\n- d\n",
    "d[:0] = ['z']": "- z\n- b # first\n- a\n",
    "d.pop()": "- b # first\n",
    "d.pop(0)": "- a\n",
    "del d[0]": "- a\n",
    "del d[-1]": "- b # first\n",
    "del d[:]": "[]\n",
    "d.remove('a')": "- b # first\n",
    "d.sort()": "- a\n- b # first\n",
    "d.reverse()": "- a\n- b\n",
    "d.replace(['b', 'c', 'a'])": "- b # first\n- c\n- a\n",
    "d.clear()": "[]\n",
    "d.append({'k': [1, {'x': 'y'}]})": "- b # first\n- a\n- k:\n    - 1\n    - x: y\n",
    "d.node(0).comment = None": "- b\n- a\n",
}


@pytest.mark.parametrize("statement", SEQUENCES)
def test_sequences_change_like_lists(statement):
    edit = ketch.edit_text("- b # first\n- a\n")
    exec(statement, {"d": edit})
    assert edit.text == SEQUENCES[statement]


def test_return_values_are_those_of_dict_and_list():
    edit = ketch.edit_text("a: {b: [1, {c: 2}]}\n")
    items = edit["a"]["b"]
    assert items.append(3) is None and items.pop() == 3
    assert items.pop(1) == {"c": 2}
    assert edit["a"].popitem() == ("b", [1])
    with pytest.raises(KeyError):
        edit["a"].popitem()
    with pytest.raises(KeyError):
        edit.pop("x")
    assert edit.pop("x", "none") == "none"
    assert edit.setdefault("x", [5]) == [5]
    edit["x"] += [6]
    assert edit["x"].value == [5, 6]
    with pytest.raises(IndexError):
        edit["x"].pop(2)
    with pytest.raises(IndexError):
        edit["x"][2] = 1
    with pytest.raises(IndexError):
        del edit["x"][-3]
    with pytest.raises(ValueError, match="view of the same text"):
        edit.move_to("x", ketch.edit_text("a: {}\n")["a"])


def test_an_empty_document_becomes_a_mapping():
    for before, after in {"# only this\n": "# only this\na:\n  - 1\n", "": "a:\n  - 1\n", "null\n": "a:\n  - 1\n"}.items():
        edit = ketch.edit_text(before)
        assert edit.value == {} and edit.get("a") is None and len(edit) == 0 and list(edit) == []
        edit["a"] = [1]
        assert edit.value == {"a": [1]} and edit.text == after


def test_several_documents():
    edit = ketch.edit_text("a: 1\n---\n- x\n---\nb: 2\n")
    edit.document(1).append("y")
    edit.document(-1)["b"] = 3
    edit["a"] = 2
    assert edit.text == "a: 2\n---\n- x\n- y\n---\nb: 3\n"
    assert [root.value for root in edit.documents] == [{"a": 2}, ["x", "y"], {"b": 3}]
    for index in 3, -4:
        with pytest.raises(IndexError):
            edit.document(index)


def test_views_follow_their_collections():
    edit = ketch.edit_text(YAML)
    image, hosts, deploy = edit["image"], edit["hosts"], edit["jobs"][1]
    del edit["debug"]
    edit["jobs"].insert(0, {"name": "lint"})
    deploy["needs"] = "build"
    del edit["jobs"][0]
    deploy["needs"] = "all"
    edit.rename("image", "picture")
    image["tag"] = "2"
    hosts.append("c")
    assert (image.path, deploy.path) == ("picture", "jobs[1]")
    assert edit["jobs"][1] == {"name": "deploy", "needs": "all"}
    assert edit["picture"]["tag"] == "2"


STALE = [
    "del d['l']",
    "d['l'] = 1",
    "d['l'] = {'a': 1}",
    "d.apply({'op': 'delete', 'path': '.l'})",
    "d.apply([{'op': 'delete', 'path': '.*'}])",
    "d.move_to('l', d['m'])",
    "d.clear()",
]


@pytest.mark.parametrize("statement", STALE)
def test_stale_views(statement):
    edit = ketch.edit_text("m: {}\nl: [[1]]\n")
    views = edit["l"], edit["l"][0]
    exec(statement, {"d": edit})
    for view in views:
        for use in (lambda: view.append(2)), (lambda: view[0]), (lambda: view.value), (lambda: len(view)), (lambda: view.path):
            with pytest.raises(ketch.StaleViewError, match="the view of `l.*` is stale"):
                use()


def test_a_replaced_collection_of_the_same_kind_is_not_stale():
    edit = ketch.edit_text(YAML)
    hosts, jobs, build = edit["hosts"], edit["jobs"], edit["jobs"][0]
    edit["hosts"] = ["z"]
    hosts.append("y")
    jobs.replace([{"name": "x"}])
    assert jobs == [{"name": "x"}] and edit["hosts"] == ["z", "y"]
    with pytest.raises(ketch.StaleViewError):
        build["name"]


def test_a_refused_batch_changes_nothing():
    edit = ketch.edit_text(YAML)
    steps = edit["jobs"][0]["steps"]
    with pytest.raises(ketch.NotFoundError, match="operation 2 of 2: there is no key `absent`") as raised:
        edit.apply([{"op": "delete", "path": ["jobs"]}, {"op": "delete", "path": ["absent"]}])
    assert raised.value.operation == 1
    assert edit.text == YAML and not edit.is_changed
    steps.append("ship")
    assert edit["jobs"][0]["steps"] == ["compile", "test", "ship"]
    with pytest.raises(TypeError):
        edit.update({"debug": 1, "image": object()})
    assert edit["debug"] == "yes"
    for wrong in {"op": "fly", "path": ".a"}, {"op": "set", "path": ".a"}, "[", {"path": ".a"}, 5:
        with pytest.raises(ketch.Error):
            edit.apply(wrong)


def test_errors_have_a_location_an_excerpt_and_help():
    edit = ketch.edit_text("base: &base {a: 1}\nuse: *base\nown:\n  <<: *base\n", filename="f.yml")
    with pytest.raises(ketch.ThroughAliasError) as raised:
        edit["use"]["a"] = 2
    error = raised.value
    assert (error.name, error.file, error.line, error.column, error.line_text) == ("through-alias", "f.yml", 2, 6, "use: *base")
    assert str(error).startswith("f.yml:2:6: ")
    assert '\n    use: *base\n         ^\n`alias="through"`' in str(error)
    assert isinstance(error, ketch.EditError) and isinstance(error, ketch.Error) and isinstance(error, ValueError)
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), again.line) == (type(error), str(error), 2)
    with pytest.raises(ketch.AnchorInUseError):
        del edit["base"]
    with pytest.raises(ketch.NotOwnedError):
        ketch.edit_text(edit.text, schema="yaml11")["own"].delete("a")
    with pytest.raises(ketch.KindMismatchError):
        edit["base"].node("a").style = "literal"
    with pytest.raises(ketch.TestFailedError):
        edit.apply({"op": "test", "path": ".base.a", "value": 2})
    with pytest.raises(ketch.EditError) as raised:
        edit.insert("base", 1)
    assert raised.value.name == "duplicate-key"
    with pytest.raises(LookupError):
        edit.rename("absent", "x")
    for wrong in (lambda: edit.set("use", 1, alias="over")), (lambda: edit.node(["use"])):
        with pytest.raises((ValueError, TypeError)):
            wrong()
    with pytest.raises(ketch.YamlSyntaxError) as raised:
        ketch.edit_text("a: [1\n", filename="g.yml")
    assert raised.value.file == "g.yml" and raised.value.line == 1
    with pytest.raises(ketch.DuplicateKeyError):
        ketch.edit_text("a: 1\na: 2\n").value
    with pytest.raises(ketch.LimitError):
        ketch.edit_text("[[[[]]]]", max_depth=2).value


def test_aliases_and_anchors():
    text = "base: &base {a: 1}\nuse: *base\n"
    edit = ketch.edit_text(text)
    assert edit["use"] == {"a": 1}
    edit["use"].set("a", 2, alias="through")
    assert edit.text == "base: &base {a: 2}\nuse: *base\n"
    edit = ketch.edit_text(text)
    edit["use"].set("a", 2, alias="detach")
    assert edit.text == "base: &base {a: 1}\nuse: {a: 2}\n"
    edit = ketch.edit_text(text)
    edit.delete("base", anchors="promote")
    assert edit.text == "use: &base {a: 1}\n"
    edit.rename_anchor("base", "b")
    assert edit.text == "use: &b {a: 1}\n"


def test_nodes():
    edit = ketch.edit_text("# above\na: !t 'x' # there\nl: [&d {c: 1}, *d]\n")
    node = edit.node("a")
    assert (node.kind, node.style, node.tag, node.anchor, node.comment, node.leading_comment) == (
        "scalar", "single", "!t", None, "there", "above",
    )
    assert edit["l"].node(1).kind == "alias" and edit["l"].node(1).anchor == "d" and edit["l"].node(1).value == {"c": 1}
    node.style = "double"
    node.leading_comment = "one\ntwo"
    node.comment = None
    edit["l"].node(0).anchor = "e"
    assert edit.text == '# one\n# two\na: !t "x"\nl: [&e {c: 1}, *e]\n'
    edit["l"].node(0).expand_anchor()
    edit.node("l").style = "block"
    assert edit.text == '# one\n# two\na: !t "x"\nl:\n  - c: 1\n  - c: 1\n'
    assert edit["l"].node().style == "block" and edit.node().kind == "mapping"
    with pytest.raises(KeyError):
        edit.node("absent")
    with pytest.raises(IndexError):
        edit["l"].node(9)
    del edit["a"]
    with pytest.raises(LookupError):
        node.style


def test_patches_come_out_as_data():
    edit = ketch.edit_text("a: 😀\nb: 1\n")
    edit["b"] = 22
    assert edit.patches == [ketch.Patch(11, 12, "22")] and edit.inverse == [(11, 13, "1")]
    place = {"start": {"line": 1, "character": 3}, "end": {"line": 1, "character": 4}}
    assert edit.lsp_edits() == [{"range": place, "newText": "22"}]
    assert edit.diff("x", "y") == "--- x\n+++ y\n@@ -1,2 +1,2 @@\n a: 😀\n-b: 1\n+b: 22\n"


def test_encodings():
    for encoding in "utf-16-le", "utf-16-be", "utf-32-le":
        edit = ketch.edit_text("\ufeffä: ö\n".encode(encoding))
        edit["ä"] = "ü"
        assert edit.to_bytes() == "\ufeffä: ü\n".encode(encoding)
        assert edit.text.endswith("ä: ü\n")
    for data in bytearray(b"a: 1\n"), memoryview(b"a: 1\n"):
        edit = ketch.edit_text(data)
        edit["a"] = "ü"
        assert edit.text == "a: ü\n"
    with pytest.raises(UnicodeEncodeError):
        edit["a"] = "\ud800"
    with pytest.raises(UnicodeEncodeError):
        edit["\ud800"] = 1
    for data in "a: \ud800\n", b"a: \xff\n":
        with pytest.raises(ketch.YamlSyntaxError):
            ketch.edit_text(data)
    with pytest.raises(TypeError):
        ketch.edit_text(5)


def test_values_that_cannot_be_written():
    edit = ketch.edit_text(YAML)
    cycle = []
    cycle.append(cycle)
    deep = 1
    for _ in range(200):
        deep = [deep]
    for value in cycle, deep:
        with pytest.raises(ValueError, match="at most 100 levels deep"):
            edit["a"] = value
    for value in object(), {1}, 1j, ketch.Tagged("!t", object()):
        with pytest.raises(TypeError):
            edit["a"] = value
    with pytest.raises(TypeError):
        edit[object()] = 1
    assert edit.text == YAML
    values = [None, True, 1.5, -0.0, 1e300, 10**30, float("inf"), "null", "1", "", "a\nb\n", "\u2028\t\u0007", [[]], {}]
    edit["a"] = values
    assert edit["a"] == values and ketch.loads(edit.text)["a"] == values
    edit["nan"] = float("nan")
    assert edit["nan"] != edit["nan"]


def test_threads_may_share_an_edit_but_nested_calls_fail():
    edit = ketch.edit_text("".join(f"k{number}: [0]\n" for number in range(200)))

    def work(thread):
        for number in range(thread, 200, 4):
            edit[f"k{number}"][0] = number

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert edit.value == {f"k{number}": [number] for number in range(200)}

    class Odd(dict):
        """Edits the text while it is written."""

        def items(self):
            edit["k1"] = "changed"
            return super().items()

    edit["k0"] = Odd(a=1)
    assert edit["k0"] == {"a": 1}


def test_signals_end_a_series_of_edits():
    def interrupt(*_):
        raise KeyboardInterrupt

    edit = ketch.edit_text("l: [" + "1, " * 2000 + "1]\n")
    items = edit["l"]
    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.1)
    try:
        with pytest.raises(KeyboardInterrupt):
            while True:
                items[1000] += 1
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    # The text is that of the last edit.
    assert ketch.edit_text(edit.text).text == edit.text
    items[0] = 7
    assert ketch.loads(edit.text)["l"][0] == 7


def test_signals_end_the_conversion_of_a_large_value():
    def interrupt(*_):
        raise KeyboardInterrupt

    edit = ketch.edit_text("a: 1\n")
    large = list(range(5_000_000))
    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.02)
    started = time.monotonic()
    try:
        with pytest.raises(KeyboardInterrupt):
            edit["a"] = large
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert time.monotonic() - started < 20
    assert edit.text == "a: 1\n"


def test_running_out_of_memory():
    """With any amount of memory, edits succeed or raise a MemoryError, and never abort."""
    code = """
import ketch, resource, sys
edit_text = ketch.edit_text
text = "- {name: ketch, masts: [main, mizzen]} # x\\n" * 30_000 + "- end\\n"
with open("/proc/self/statm") as file:
    used = int(file.read().split()[0]) * resource.getpagesize()
limit = used + (int(sys.argv[1]) << 20)
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
try:
    edit = edit_text(text)
    edit[5]["name"] = "sloop"
    edit.apply({"op": "set", "path": "[*].name", "value": "x"}) if len(sys.argv) > 2 else edit.append([1] * 1000)
    edit.value
    edit.text
    print("done")
except MemoryError:
    print("MemoryError")
"""
    ends = set()
    for mebibytes in 1, 3, 8, 20, 45, 100, 250, 500, 2000:
        done = subprocess.run([sys.executable, "-c", code, str(mebibytes)], capture_output=True, text=True, check=False)
        assert done.returncode == 0, (mebibytes, done)
        ends |= set(done.stdout.split())
    assert ends == {"done", "MemoryError"}


def test_every_allocation_can_fail():
    """Let Python's allocator fail once, at each of its calls in turn. The edit must succeed or
    raise a MemoryError.
    """
    _testcapi = pytest.importorskip("_testcapi")

    def act():
        edit = ketch.edit_text("a: {b: [1, 2.5, größe]}\nc: x # y\n")
        edit["a"]["b"].append({"k": ["ü", 12345678901234567890]})
        edit.node("c").comment = "z"
        return edit.text

    expected = act()
    failed = 0
    for at in range(300):
        _testcapi.set_nomemory(at, at + 1)
        try:
            made = act()
        except MemoryError:
            made = None
        finally:
            _testcapi.remove_mem_hooks()
        failed += made is None
        assert made in (None, expected), at
    assert failed > 3


def test_new_values_may_be_aliases():
    d = ketch.edit_text("base: &base {a: 1}\nlist: [1, 2]\n")
    d["copy"] = ketch.Alias("base")
    d["list"].append(ketch.Alias("base"))
    d["nested"] = {"x": [ketch.Alias("base")], "y": 1}
    assert d.text == (
        "base: &base {a: 1}\nlist: [1, 2, *base]\ncopy: *base\nnested:\n  x:\n    - *base\n  y: 1\n"
    )
    assert ketch.loads(d.text)["nested"]["x"] == [{"a": 1}]
    before = d.text
    for change in (
        lambda: d.insert("first", ketch.Alias("base"), first=True),
        lambda: d.set("other", ketch.Alias("none")),
        lambda: d["base"].set("b", ketch.Alias("base")),
    ):
        with pytest.raises(ketch.EditError, match="alias"):
            change()
        assert d.text == before
    with pytest.raises(ValueError):
        ketch.Alias("a b")
    with pytest.raises(TypeError):
        ketch.dumps(ketch.Alias("a"))

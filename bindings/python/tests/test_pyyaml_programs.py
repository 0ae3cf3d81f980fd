"""Checks details of PyYAML on which programs rely, against PyYAML itself."""

import io
import random

import ketch
import ketch.yaml as ours
import pytest
import suite
import yaml as theirs
from test_pyyaml import CORPUS, DIFFERENT_VALUES, Slow, own_data, result, same

MODULES = [theirs, ours]


def refused(module, text, loader):
    """Return the value of a text as text, or None if it is refused."""
    try:
        return repr(module.load(text, Loader=getattr(module, loader)))
    except (module.YAMLError, ValueError, KeyError, IndexError):
        return None


def test_an_analysis_can_be_changed():
    def dumped(module):
        class Dumper(module.SafeDumper):
            def analyze_scalar(self, scalar):
                analysis = super().analyze_scalar(scalar)
                if scalar.startswith("/"):
                    analysis.allow_flow_plain = analysis.allow_block_plain = False
                return analysis

        return module.dump(["/a", "b", {"c": "/d"}], Dumper=Dumper)

    assert dumped(ours) == dumped(theirs) == "- '/a'\n- b\n- c: '/d'\n"


def test_the_name_of_a_loader_can_be_set():
    for module in MODULES:
        loader = module.SafeLoader("a: [1]\nb: [x\n")
        assert loader.name == "<unicode string>"
        loader.name = "jobs.yml"
        assert loader.get_mark().name == loader.name == "jobs.yml"
        loader.get_event()
        assert loader.get_event().start_mark.name == "jobs.yml"
        loader = module.SafeLoader("a: [1]\nb: [x\n")
        loader.name = "other.yml"
        with pytest.raises(module.YAMLError) as raised:
            loader.get_single_node()
        assert raised.value.problem_mark.name == raised.value.context_mark.name == "other.yml"
        assert 'in "other.yml", line 2' in str(raised.value)

        class Named(module.SafeLoader):
            def __init__(self, stream):
                self.name = "before"
                super().__init__(stream)

        assert Named("a: 1").name == "<unicode string>"
        assert module.SafeLoader(io.StringIO("a: 1")).name == "<file>"
    # A mark keeps the name that the loader had.
    loader = ours.SafeLoader("[a, b]")
    loader.name = "one"
    first = loader.get_event().start_mark
    loader.name = "two"
    assert (first.name, first.line, loader.get_event().start_mark.name) == ("one", 0, "two")


def test_snippets():
    choose = random.Random(19)
    for _ in range(5000):
        text = "".join(choose.choice(["a", "word ", "é", "x" * 20, "\n", "\r\n", "\u2028", "\t"]) for _ in range(choose.randint(0, 40)))
        buffer = text + "\0"
        mark = ("name", 0, 2, 3, buffer, choose.randint(0, len(text)))
        options = choose.choice([(), (), (2,), (4, choose.randint(20, 100))])
        assert ours.Mark(*mark).get_snippet(*options) == theirs.Mark(*mark).get_snippet(*options), (mark, options)
        assert str(ours.Mark(*mark)) == str(theirs.Mark(*mark))
    lines = ours.Mark("name", 0, 0, 300, "x" * 600, 300).get_snippet().split("\n")
    assert max(map(len, lines)) <= 80


TAGS = ["none", "bool", "str", "unicode", "bytes", "int", "long", "float", "complex", "list", "tuple", "dict"]
VALUES = ["a", "''", "0x10", "true", "[1, [2, {b: 3}]]", "{a: [1]}", "1+2j", "YWJj", "-1.5", "~", "&a [*a]", "é"]
LOADERS = ["SafeLoader", "FullLoader", "Loader", "UnsafeLoader", "BaseLoader"]


@pytest.mark.parametrize("loader", [*LOADERS, *(f"C{loader}" for loader in LOADERS)])
def test_tags_of_python_that_are_only_data(loader):
    read = 0
    for tag in TAGS:
        for value in VALUES:
            for text in f"!!python/{tag} {value}", f"- x: !!python/{tag} {value}\n  y: [b, {{c: 1}}]\n":
                expected = refused(theirs, text, loader)
                assert refused(ours, text, loader) == expected, text
                read += expected is not None
    assert "Safe" in loader and read == 0 or read > 60
    assert refused(ours, "? !!python/tuple [1, 2]\n: 3", loader) == refused(theirs, "? !!python/tuple [1, 2]\n: 3", loader)


def test_other_tags_of_python_are_rejected():
    for loader in LOADERS[:-1]:
        for text in "!!python/object/apply:os.system [echo]", "!!python/name:os.system", "!!python/module:os", "!!python/object:a.B {}":
            with pytest.raises(ours.ConstructorError, match="FullLoader reads those that are only data"):
                ours.load(text, Loader=getattr(ours, loader))


def test_tuples_and_complex_numbers_are_written_with_tags():
    shared = (1, "a")
    values = [(), (1, (2,)), [shared, shared], {"k": shared, (1, 2): 3}, 1j, -2.5 + 0j, 1 - 2j, 3 + 4.5j, [1j, {"x": ()}], [1, "a"]]
    for value in values:
        for dumper in "Dumper", "CDumper":
            text = ours.dump(value, Dumper=getattr(ours, dumper))
            assert text == theirs.dump(value, Dumper=getattr(theirs, dumper)), value
            assert ours.full_load(text) == value
        if "j" not in repr(value):
            assert ours.safe_dump(value) == theirs.safe_dump(value)


ROOTS = [None, True, 1, -(10**25), 1.5, float("inf"), "", "a", "yes", "a: b", "x\ny", "word " * 40, "é", "'", '"', "\t", "#", b"x", "---"]


@pytest.mark.parametrize("dumper", ["SafeDumper", "Dumper", "CSafeDumper", "CDumper"])
def test_roots_that_are_no_collections(dumper):
    for root in [*ROOTS, [1], {"a": "b"}, [], {}]:
        for options in [{}, {"explicit_start": True}, {"explicit_end": True}, {"indent": 5, "width": 30}, {"allow_unicode": True}]:
            text = ours.dump(root, Dumper=getattr(ours, dumper), **options)
            if (dumper.startswith("C") and "word" in str(root)) or root == "---":
                assert ours.safe_load(text) == root
                continue
            assert text == theirs.dump(root, Dumper=getattr(theirs, dumper), **options), (root, options)
            out = io.StringIO()
            ours.dump(root, out, Dumper=getattr(ours, dumper), **options)
            assert out.getvalue() == text
    roots = [root for root in ROOTS if "word" not in str(root)]
    assert ours.dump_all(roots, Dumper=getattr(ours, dumper)) == theirs.dump_all(roots, Dumper=getattr(theirs, dumper))


def test_dumps_with_wrong_options():
    for options in {"unknown": 1}, {"indent": "x"}:
        for module in MODULES:
            with pytest.raises(TypeError):
                module.safe_dump(1, **options)


# The end of a text.

ENDS = [
    "a: |\n  x", "a: |\n  x\n", "a: |+\n  x", "a: |-\n  x", "a: >\n  x", "a: >+\n  x\n  y", "a: |\n  x\n ", "a: |\n  x\n  ",
    "a: |\n  x\n\n", "|\n x", "- |\n  x\n- >\n  y", "a: |", "a: |\n", "a: |\n  x # c", "a: |\n  x\r", "a: |\r\n  x", "a: |1\n  x",
    "a: |\n  é", "a: |\n  x\u2028  y", "a: |\n  x\x85  y", "a: &b |\n  x", "a: !!str |\n  x", "? |\n  x", "{<<: {}}: |\n  x",
    "a: {<<: {b: 1}}\nc: |\n  x", "--- |\n x\n--- |\n y", "--- |\n x\n...", "a: 'x", "a: x", "a: |\n  x\n# c", "a: |2\n  x\n   ",
]  # fmt: skip


def read_alike(text, loader=ours.SafeLoader):
    expected = result(theirs, text, theirs.SafeLoader)
    assert same(expected, result(theirs, text, theirs.CSafeLoader)), text
    return same(expected, result(ours, text, loader))


@pytest.mark.parametrize("text", ENDS)
def test_a_last_line_without_a_break(text):
    for data in text, text.encode():
        assert read_alike(data) and read_alike(data, Slow) and read_alike(data, ours.CSafeLoader)
    if result(theirs, text, theirs.SafeLoader) is None:
        return
    for read in "parse", "scan":
        values = [
            [getattr(part, "value", None) for part in getattr(module, read)(text, Loader=module.SafeLoader)] for module in MODULES
        ]
        assert values[0] == values[1]
    for module in MODULES:
        module.Tagged = type("Tagged", (module.SafeLoader,), {})
        module.Tagged.add_constructor("!t", lambda loader, node: [loader.construct_scalar(node)])
    tagged = text.replace("|", "!t |", 1)
    assert same(result(theirs, tagged, theirs.Tagged), result(ours, tagged, ours.Tagged))


def test_files_with_and_without_a_last_line_break():
    texts = [text for name, text in own_data("data") if name not in DIFFERENT_VALUES]
    texts += [text for text in CORPUS.values() if len(text) < 50_000]
    texts += [case.yaml.encode() for case in suite.cases()]
    # The values without a break often differ from those with one.
    texts += [f"{text}\n{body}\n".encode() for text in ("- |", "- >", "- |+") for body in ("  x", "  x\n  y", "  x\n\n", "  é #")]
    compared, changed = 0, 0
    for text in texts:
        whole = result(theirs, text, theirs.CSafeLoader)
        # YAML 1.2 forbids some of what PyYAML reads, and reads some of it in another way.
        if whole is None or not same(whole, result(ours, text, ours.SafeLoader)):
            continue
        for data in text + b"\n", text[:-1]:
            expected = result(theirs, data, theirs.CSafeLoader)
            found = result(ours, data, ours.SafeLoader)
            if found is not None and same(expected, result(theirs, data, theirs.SafeLoader)):
                assert same(expected, found), data
                compared += 1
                changed += not same(expected, whole)
    assert compared > 700 and changed > 20, (compared, changed)


def test_the_option_of_other_functions():
    text = "a: |\n  x"
    for final_break, value in {True: "x\n", False: "x"}.items():
        options = {"final_break": final_break}
        assert ketch.loads(text, **options) == ketch.loads_all(text, **options)[0] == {"a": value}
        assert ketch.loads(text, schema="yaml11", **options) == next(ketch.load_all(io.StringIO(text), **options)) == {"a": value}
        assert ketch.loads(text, positions=True, **options).value == ketch.parse(text, **options).value == {"a": value}
        assert [event.value for event in ketch.events(text, **options)][3] == value
        assert ketch.edit_text(text, **options)["a"] == value
    assert ketch.loads(text) == {"a": "x\n"}

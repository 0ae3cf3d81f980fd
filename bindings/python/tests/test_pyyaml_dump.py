"""Checks that ketch.yaml writes the same bytes without nodes as with nodes, and as PyYAML."""

import datetime
import io
import math
import os
import random
import struct
import timeit
import types

import ketch.yaml as ours
import pytest
import yaml as theirs
from ketch.yaml import _fast
from test_pyyaml import CORPUS, SEED, VALUES, random_options, random_value


class AnyTag(theirs.CSafeLoader):
    """Reads a node with an unknown tag as the tag."""


AnyTag.add_constructor(None, lambda _, node: node.tag)


class Stages(ours.SafeDumper):
    """Has no fast path."""

    def ignore_aliases(self, data):
        return super().ignore_aliases(data)


class CStages(ours.CSafeDumper):
    """Has no fast path."""

    def ignore_aliases(self, data):
        return super().ignore_aliases(data)


WORDS = [
    "name", "größe", "a", "-", "?", ":", "#", "x: y", "a #b", "it's", '"q"', "\\", "\n", "\n\n", "  ", "yes", "1.5", "0x1f",
    "2001-01-01", "1:30", "~", "", "é" * 5, "😀", "\t", "\x85", "\u2028", "word " * 30, "[", "}", ", ", "---", "...", "%", "@",
    "\ufeff", "\x7f", "deadbeef", "1e5", "12e03", "=", "<<", "/path/to", "http://a.example:80/?q=1#f", "a:", " ",
]


def words(choose):
    separator = choose.choice(["", " ", "\n"])
    return separator.join(choose.choice(WORDS) for _ in range(choose.choice([1, 1, 1, 2, 3, 8])))


def number(choose):
    some = struct.unpack("<d", choose.randbytes(8))[0]
    return choose.choice([some, choose.random(), choose.random() * 10.0 ** choose.randint(-20, 30), choose.randint(-5, 10**25)])


def usual(choose, depth=0):
    kind = choose.random()
    if depth > 3 or kind < 0.55:
        leaves = (words, words, number, lambda _: choose.choice([None, True, False, (), [], {}]))
        return choose.choice(leaves)(choose)
    if kind < 0.75:
        return choose.choice([list, list, tuple])(usual(choose, depth + 1) for _ in range(choose.randint(0, 5)))
    return {words(choose): usual(choose, depth + 1) for _ in range(choose.randint(0, 5))}


@pytest.fixture
def written(monkeypatch):
    """Return a list with the number of documents that are written without nodes."""
    count = [0]
    inner = _fast._ketch
    fake = types.SimpleNamespace(pyyaml_values=inner.pyyaml_values)
    fake.pyyaml_document = lambda *arguments: _counted(inner, count, arguments)
    monkeypatch.setattr(_fast, "_ketch", fake)
    return count


def _counted(inner, count, arguments):
    text = inner.pyyaml_document(*arguments)
    count[0] += text is not None
    return text


def test_equal_to_the_stages_and_to_pyyaml(written):
    choose = random.Random(SEED)
    for _ in range(VALUES * 4):
        values = [[usual(choose), usual(choose)] if choose.random() < 0.5 else {"k": usual(choose), words(choose): usual(choose)}]
        if choose.random() < 0.3:
            values.append(usual(choose))
        options = random_options(choose)
        for name in "default_style", "canonical", "version", "tags":
            options.pop(name, None)
        text = ours.dump_all(values, Dumper=ours.SafeDumper, **options)
        assert text == theirs.dump_all(values, Dumper=theirs.SafeDumper, **options), (values, options)
        assert text == ours.dump_all(values, Dumper=Stages, **options)
        as_libyaml = ours.dump_all(values, Dumper=ours.CSafeDumper, **options)
        assert as_libyaml == ours.dump_all(values, Dumper=CStages, **options), (values, options)
    assert written[0] > VALUES * 3


def test_random_values(written):
    choose = random.Random(SEED + 1)
    for _ in range(VALUES * 2):
        value, options = [random_value(choose)], random_options(choose)
        assert ours.safe_dump(value, **options) == ours.dump(value, Dumper=Stages, **options), (value, options)
        assert ours.dump(value, **options) == theirs.dump(value, **options), (value, options)
    assert written[0] > VALUES / 10


# The pure dumper of PyYAML takes long for the others.
@pytest.mark.parametrize("name", [name for name, text in CORPUS.items() if len(text) < 500_000])
def test_corpus(name, written):
    values = list(theirs.load_all(CORPUS[name], Loader=AnyTag))
    for options in {}, {"sort_keys": False, "allow_unicode": True}, {"default_flow_style": None, "width": 120}:
        assert ours.safe_dump_all(values, **options) == theirs.safe_dump_all(values, **options)
    assert written[0] >= len(values)


def test_floats():
    choose = random.Random(SEED)
    values = [number(choose) for _ in range(20_000)]
    values += [10.0**exponent * factor for exponent in range(-20, 30) for factor in (1, -1.5, 1 / 3)]
    assert ours.safe_dump(values) == theirs.dump(values, Dumper=theirs.CSafeDumper)


def test_anchors_are_numbered_as_by_pyyaml(written):
    a, b, c = [1], {"x": 2}, ("t",)
    cycle = {"a": a}
    cycle["self"] = [cycle]
    for value in [b, a, [b, a], a], {"p": [a, [c, c]], "q": {"a": a, "b": b}, "r": b}, cycle, [(), (), [()]]:
        assert ours.safe_dump(value) == theirs.safe_dump(value)
        assert ours.safe_dump([value, value], default_flow_style=True) == theirs.safe_dump([value, value], default_flow_style=True)
    assert written[0] == 8


def test_keys_that_do_not_fit_into_a_line(written):
    keys = ["k" * 122, "k" * 123, "k" * 200, "k " * 80, "é" * 122, "é" * 123, "a\nb", "a\u2028b", "", "it's\n", "\t" * 130, "x"]
    for key in keys:
        for value in 1, "x\ny", [1, [2]], {key: [key]}, {}, []:
            for options in {}, {"default_flow_style": True}, {"allow_unicode": True, "width": 20}, {"indent": 4}:
                for whole in {key: value}, [{key: value, "z": {key: key}}]:
                    text = ours.safe_dump(whole, **options)
                    assert text == theirs.safe_dump(whole, **options), (whole, options)
    assert written[0] == len(keys) * 6 * 4 * 2


def test_values_that_only_the_stages_write(written):
    now = datetime.datetime(2001, 2, 3, 4, 5)
    odd = datetime.timezone(datetime.timedelta(hours=1, seconds=1))
    for value in ["\ud800"], {(1, 2): 3}, [b"x"], [{1}], [now, now], [now.replace(tzinfo=odd)]:
        assert ours.safe_dump(value) == theirs.safe_dump(value)
    assert ours.safe_dump([[now]], default_flow_style=True) == theirs.safe_dump([[now]], default_flow_style=True)
    assert ours.safe_dump([now], width=11) == theirs.safe_dump([now], width=11)
    assert written[0] == 0
    zoned = now.replace(tzinfo=datetime.timezone.utc, microsecond=5)
    assert ours.safe_dump([now, zoned, now.date()]) == theirs.safe_dump([now, zoned, now.date()])
    assert written[0] == 1


def test_changes_by_programs_take_effect(monkeypatch):
    monkeypatch.setattr(ours.SafeDumper, "ignore_aliases", lambda self, data: True)
    shared = [1]
    assert ours.safe_dump([shared, shared]) == "- - 1\n- - 1\n"
    monkeypatch.undo()
    assert ours.safe_dump([shared, shared]) == "- &id001\n  - 1\n- *id001\n"
    monkeypatch.setitem(ours.SafeDumper.yaml_representers, str, lambda dumper, text: dumper.represent_scalar("!s", text))
    assert ours.safe_dump(["a"]) == "- !s 'a'\n"

    class Styled(ours.SafeDumper):
        def __init__(self, *arguments, **options):
            super().__init__(*arguments, **options)
            self.ignore_aliases = lambda data: True

    assert ours.dump([shared, shared], Dumper=Styled) == "- - 1\n- - 1\n"


def test_streams():
    class Once(io.StringIO):
        flushed = 0

        def flush(self):
            self.flushed += 1

    out = Once()
    ours.dump_all(iter([[1], "plain", {"a": []}]), out, Dumper=ours.SafeDumper)
    assert out.getvalue() == theirs.safe_dump_all([[1], "plain", {"a": []}]) and out.flushed >= 3
    # What precedes an error is written.
    out = io.StringIO()
    with pytest.raises(ours.representer.RepresenterError):
        ours.safe_dump_all([[1], object()], out)
    assert out.getvalue().startswith("- 1\n")
    out = io.BytesIO()
    ours.safe_dump_all([["ö"], ["ü"]], out, encoding="utf-16-le", allow_unicode=True)
    expected = io.BytesIO()
    theirs.safe_dump_all([["ö"], ["ü"]], expected, encoding="utf-16-le", allow_unicode=True)
    assert out.getvalue() == expected.getvalue()


def test_deep_values():
    deep = []
    for _ in range(50_000):
        deep = [deep]
    text = ours.safe_dump(deep, default_flow_style=True, width=math.inf)
    assert text == "[" * 50_001 + "]" * 50_001 + "\n"


def test_small_values_are_written_as_fast_as_by_libyaml():
    """Compare the least times, since other programs may run meanwhile."""
    values = [1, "a", None, {"a": 1}, [1, "b", {"c": None}]]
    for value in values:
        for ours_call, theirs_call in [
            (lambda: ours.safe_dump(value), lambda: theirs.dump(value, Dumper=theirs.CSafeDumper)),
            (lambda: ours.dump(value, sort_keys=False), lambda: theirs.dump(value, Dumper=theirs.CDumper, sort_keys=False)),
        ]:
            least = [math.inf, math.inf]
            for _ in range(200):
                for index, call in enumerate((ours_call, theirs_call)):
                    least[index] = min(least[index], timeit.timeit(call, number=20))
            assert least[0] <= least[1], (value, least)


def test_running_out_of_memory():
    """Let Python's allocator fail once, at each of its calls while the extension writes. The result
    must be the document, a MemoryError, or None, so that the stages in Python write it. The dumper
    is made before,
    because `locals()` of CPython 3.13.0 itself crashes without memory.
    """
    _testcapi = pytest.importorskip("_testcapi")
    value = {"a": [1, "ö", 2.5, {"k" * 40: None}], "b": [datetime.date(2001, 1, 1)]}
    expected = ours.safe_dump(value)
    failed = 0
    for at in range(int(os.environ.get("KETCH_ALLOCATIONS", "400"))):
        stream = io.StringIO()
        dumper = ours.SafeDumper(stream)
        dumper.open()
        write = _fast.writer(dumper)
        _testcapi.set_nomemory(at, at + 1)
        try:
            is_written = write(value)
        except MemoryError:
            is_written = None
        finally:
            _testcapi.remove_mem_hooks()
        if is_written is None:
            failed += 1
            continue
        if not is_written:
            dumper.represent(value)
        dumper.close()
        assert stream.getvalue() == expected, at
    assert failed > 0

"""Compares what ketch.yaml and PyYAML read, write and refuse."""

import datetime
import io
import math
import os
import pickle
import random
import re
import subprocess
import sys
import tarfile

import ketch
import ketch.yaml as ours
import pytest
import suite
import yaml as theirs

SCALARS = int(os.environ.get("KETCH_SCALARS", "20000"))
VALUES = int(os.environ.get("KETCH_VALUES", "1000"))
SEED = int(os.environ.get("SEED", "19"))
# The files of the benchmarks, if `bench/corpus` has fetched them.
CORPUS = {path.name: path.read_bytes() for path in sorted((suite.REPOSITORY / "bench/out/corpus").glob("*.y*ml"))}
SDIST = suite.REPOSITORY / ".cache/pyyaml-6.0.3.tar.gz"

# Files of PyYAML's own tests that are read differently, with the reason.
DIFFERENT_VALUES = {
    "emitting-unacceptable-unicode-character-bug-py3.data": "an escape of half a character is invalid",
    "emitting-unacceptable-unicode-character-bug.data": "an escape of half a character is invalid",
    "invalid-anchor-1.loader-error": "YAML 1.2 allows ? in the name of an anchor",
    "invalid-directive-name-2.loader-error": "unknown directives are skipped, whatever their name",
    "invalid-tag-directive-prefix.loader-error": "YAML 1.2 allows # in a prefix",
    "no-block-mapping-end-2.loader-error": "YAML 1.2 allows a line without a key",
    "spec-05-02-utf8.data": "a byte order mark may stand before a comment",
    "spec-10-08.data": "YAML 1.2 allows keys in lines of flow collections",
}
# Files whose values are the same but whose tokens differ, with the reason.
DIFFERENT_TOKENS = {
    "spec-07-03.data": "a second %YAML is an error before its tokens",
    "spec-07-05.data": "a second %TAG for a handle is an error before its tokens",
    "spec-07-09.data": "a second end marker has no token",
    "spec-07-11.data": "a byte order mark is not counted",
    "spec-07-13.data": "directives need an end marker before them",
    "spec-09-21.data": "a block scalar with blank lines that are indented too deep is invalid",
    "spec-05-11.data": "PyYAML's scalar ends after the line break of YAML 1.1",
}


class Slow(ours.SafeLoader):
    """Has no fast path."""

    def get_single_data(self):
        return super().get_single_data()

    def get_data(self):
        return super().get_data()


def own_data(pattern):
    """Return the names and texts of the files of PyYAML's own tests."""
    with tarfile.open(SDIST) as archive:
        for member in archive:
            if re.search(f"/legacy_tests/data/[^/]*(?:{pattern})$", member.name):
                file = archive.extractfile(member)
                yield member.name.rsplit("/", 1)[1], file.read()


def same(a, b, within=()):
    """Return whether values are equal, with equal types and the same order of keys; NaN equals NaN."""
    if type(a) is not type(b):
        return False
    if not isinstance(a, (dict, list, tuple)):
        return a == b or a != a
    if (id(a), id(b)) in within:
        return True
    within = {*within, (id(a), id(b))}
    children = zip(a.items(), b.items()) if isinstance(a, dict) else zip(a, b)
    return len(a) == len(b) and all(same(one, other, within) for one, other in children)


def result(module, text, loader):
    """Return the value of a text, or None for an error."""
    try:
        return list(module.load_all(text, Loader=loader))
    except module.YAMLError:
        return None


def is_same_result(text, their_loader, our_loader):
    a, b = result(theirs, text, their_loader), result(ours, text, our_loader)
    return same(a, b)


@pytest.mark.parametrize("loader", [ours.SafeLoader, ours.CSafeLoader, Slow, ours.BaseLoader])
def test_files_of_pyyamls_tests_are_read_alike(loader):
    their_loader = theirs.BaseLoader if loader is ours.BaseLoader else theirs.SafeLoader
    right, different = 0, []
    for name, text in own_data("data|error"):
        if is_same_result(text, their_loader, loader):
            right += 1
        else:
            different.append(name)
    if loader is not ours.BaseLoader:
        assert set(different) == set(DIFFERENT_VALUES)
        assert right >= 0.95 * (right + len(different))
    else:
        also = {"invalid-tag-1.loader-error", "invalid-uri-escapes-2.loader-error", "invalid-uri-escapes-3.loader-error"}
        assert set(different) == set(DIFFERENT_VALUES) | also | {"spec-07-13.data"}


def random_scalar(choose):
    if choose.random() < 0.3:
        return "".join(choose.choice("0123456789+-._:eExXoOtTzZ nNaAfFiI~=<") for _ in range(choose.randint(0, 12)))
    words = ["yes", "No", "TRUE", "off", "y", "null", "~", "<<", "=", "0x", "0b1", "0o7", "1_0", "1:30", ".inf", "-.INF"]
    words += [".nan", "1e3", "1.e+3", "2001-1-1", "2001-01-01", "t1:2:3", " 2001-01-01 00:00:00", "Z", "+1", ".5", "00", "a"]
    return "".join(choose.choice(words) for _ in range(choose.randint(1, 2)))


@pytest.mark.parametrize("loader", [ours.SafeLoader, Slow])
def test_plain_scalars(loader):
    choose = random.Random(SEED)
    for _ in range(SCALARS):
        text = random_scalar(choose)
        # YAML 1.2 allows an empty key; PyYAML does not.
        if re.search(r"(^|-| ) *:( |$)", text):
            continue
        # In braces, libyaml reads colons by rules of its own.
        as_key = f"{{{text}: 1}}" if text.strip() and ":" not in text else text
        document = choose.choice([f"- {text}", as_key, f"a: {text}", text])
        # The C loader is the one that programs use; it also raises what datetime and int raise.
        try:
            expected = theirs.load(document, Loader=theirs.CSafeLoader)
        except (theirs.YAMLError, ValueError, OverflowError, TypeError, AttributeError, KeyError):
            expected = None
        try:
            value = ours.load(document, Loader=loader)
        except ours.YAMLError:
            value = None
        assert same(expected, value), document


def written_texts():
    """Return texts that PyYAML has written."""
    choose = random.Random(SEED)
    for _ in range(VALUES // 5):
        options = random_options(choose)
        # PyYAML writes directives without the marker that YAML 1.2 requires before them.
        for name in "encoding", "version", "tags":
            options.pop(name, None)
        text = theirs.safe_dump_all([random_value(choose) for _ in range(3)], **options)
        # In YAML 1.2, a colon at the end of an alias is part of its name.
        if not re.search(r"\*id\d+:", text):
            yield text


def test_written_texts_and_the_corpus():
    for text in [*written_texts(), *CORPUS.values()]:
        expected = result(theirs, text, theirs.CSafeLoader)
        assert same(expected, result(ours, text, ours.SafeLoader)), text[:1000]
        if len(text) < 200_000:
            assert same(expected, result(ours, text, Slow)), text[:1000]


def tokens(module, text):
    found = []
    try:
        for token in module.scan(text, Loader=module.SafeLoader):
            facts = [getattr(token, name, None) for name in ("name", "value", "plain", "style")]
            mark = token.start_mark
            found.append((type(token).__name__, *facts, mark.line, mark.column))
    except module.YAMLError:
        return None
    return found


def test_tokens():
    compared, different = 0, []
    for name, text in own_data("data"):
        expected = tokens(theirs, text)
        if expected is not None:
            compared += 1
            if tokens(ours, text) != expected:
                different.append(name)
    assert compared > 150
    assert set(different) <= set(DIFFERENT_VALUES) | set(DIFFERENT_TOKENS)
    for name, text in CORPUS.items():
        if len(text) < 100_000:
            assert tokens(ours, text) == tokens(theirs, text), name


def events(module, text, with_places):
    found = []
    for event in module.parse(text, Loader=module.SafeLoader):
        names = ("anchor", "tag", "implicit", "value", "style", "explicit", "version", "tags")
        facts = [getattr(event, name, None) for name in names]
        place = (event.start_mark.line, event.start_mark.column) if with_places else None
        found.append((type(event).__name__, *facts, place))
    return found


def test_events():
    compared = 0
    for name, text in own_data("data"):
        if name in DIFFERENT_VALUES or name in DIFFERENT_TOKENS:
            continue
        try:
            expected = events(theirs, text, False)
        except theirs.YAMLError:
            continue
        compared += 1
        assert events(ours, text, False) == expected, name
    assert compared > 150
    for name, text in CORPUS.items():
        if len(text) < 100_000:
            assert events(ours, text, True) == events(theirs, text, True), name


def node_places(node, module):
    """Return the nodes of a document, with the lines and columns of their starts and, for scalars, ends."""
    out, work = [], [node]
    while work:
        node = work.pop()
        end = (node.end_mark.line, node.end_mark.column) if isinstance(node, module.ScalarNode) else None
        out.append((node.id, node.tag, (node.start_mark.line, node.start_mark.column), end))
        if isinstance(node, module.MappingNode):
            work += [child for pair in reversed(node.value) for child in reversed(pair)]
        elif isinstance(node, module.SequenceNode):
            work += reversed(node.value)
    return out


def test_nodes():
    for text in [*written_texts(), *CORPUS.values()]:
        if len(text) < 50_000:
            pairs = zip(theirs.compose_all(text), ours.compose_all(text), strict=True)
            for their_node, our_node in pairs:
                assert node_places(their_node, theirs) == node_places(our_node, ours), text[:1000]
    assert ours.compose("") is None


# Dumping.

PIECES = ["a", "b c", " ", "  ", "\n", "\n\n", ":", ": ", "- ", "-", "? ", "#", " #", "'", '"', "\\", "[", "]", "{", "}"]
PIECES += [",", "é", "日本", "\x85", "\u2028", "\u2029", "\ufeff", "\x07", "\t", "😀", "0", "1.5", "true", "null", "---"]
PIECES += ["...", "%", "@", "`", "&", "*", "!", "|", ">", "~", "=", "<<", "word " * 9, "x" * 30, "\r", "yes", "\xa0"]


def random_text(choose):
    return "".join(choose.choice(PIECES) for _ in range(choose.choice([0, 1, 1, 2, 3, 5, 9, 20])))


def random_leaf(choose):
    return choose.choice(
        [
            *[random_text(choose)] * 3,
            choose.randint(-(10**20), 10**20),
            choose.choice([0.1, 1e17, 1.5e300, math.inf, math.nan, -0.0]),
            choose.choice([None, True, False]),
            datetime.date(2001, 2, 3),
            datetime.datetime(2001, 2, 3, 4, 5, 6, 7),
            b"ab\xff" * choose.randint(0, 40),
            {random_text(choose), random_text(choose)},
        ]
    )


def random_value(choose, depth=0):
    kind = choose.random()
    if depth > 4 or kind < 0.5:
        return random_leaf(choose)
    if kind < 0.7:
        return [random_value(choose, depth + 1) for _ in range(choose.randint(0, 4))]
    if kind < 0.75:
        shared = [random_value(choose, depth + 1)]
        return [shared, shared, {"k": shared}]
    keys = [choose.choice([random_text(choose), choose.randint(0, 99), None, (1, "a")]) for _ in range(choose.randint(0, 4))]
    return {key: random_value(choose, depth + 1) for key in keys}


def random_options(choose):
    options = {
        "default_flow_style": choose.choice([None, True]),
        "default_style": choose.choice(list("'\"|>")),
        "canonical": True,
        "indent": choose.choice([1, 3, 4, 9, 12]),
        "width": choose.choice([1, 10, 30, math.inf, 1000]),
        "allow_unicode": True,
        "line_break": "\r\n",
        "encoding": "utf-16-le",
        "explicit_start": True,
        "explicit_end": True,
        "version": (1, 1),
        "tags": {"!e!": "tag:yaml.org,2002:"},
        "sort_keys": False,
    }
    return {name: value for name, value in options.items() if choose.random() < 0.2}


def test_dumps_byte_for_byte():
    choose = random.Random(SEED)
    for _ in range(VALUES):
        values = [random_value(choose) for _ in range(choose.choice([1, 1, 2]))]
        options = random_options(choose)
        expected = theirs.safe_dump_all(values, **options)
        assert ours.safe_dump_all(values, **options) == expected, (values, options)


def test_events_and_nodes_are_written_byte_for_byte():
    for text in [*written_texts(), *CORPUS.values()]:
        if len(text) < 50_000:
            expected = theirs.emit(theirs.parse(text, Loader=theirs.SafeLoader), Dumper=theirs.SafeDumper)
            assert ours.emit(ours.parse(text), Dumper=ours.SafeDumper) == expected, text[:1000]
            expected = theirs.serialize_all(theirs.compose_all(text))
            assert ours.serialize_all(ours.compose_all(text)) == expected, text[:1000]


def test_cycles_are_written_and_read():
    cycle = []
    cycle.append({"self": cycle})
    text = ours.safe_dump(cycle)
    assert text == theirs.safe_dump(cycle)
    value = ours.safe_load(text)
    assert value[0]["self"] is value


# Constructors, resolvers and representers of programs.


def test_constructors_see_the_loader_and_the_node():
    class Loader(ours.SafeLoader):
        pass

    Loader.add_constructor("!upper", lambda loader, node: loader.construct_scalar(node).upper())
    Loader.add_constructor("!pair", lambda loader, node: tuple(loader.construct_sequence(node, deep=True)))
    Loader.add_multi_constructor("!env/", lambda loader, suffix, node: (suffix, loader.construct_scalar(node)))
    text = "[!upper a, !pair [b, [c]], !env/HOME x, {!upper k: 1}]"
    assert ours.load(text, Loader=Loader) == ["A", ("b", ["c"]), ("HOME", "x"), {"K": 1}]
    assert "!upper" not in ours.SafeLoader.yaml_constructors
    with pytest.raises(ours.ConstructorError, match="!upper"):
        ours.safe_load(text)


TAGGED = [
    "!x a",
    "--- !x a\n--- [!x b, !y/c {d: [!x e, 1]}]\n",
    "a: !x b\nc:\n- !x d\n- {e: !x f, g: !y/ [1, 2]}\nh: 1",
    "{a: !x 1, a: !x 2, b: {c: !x 3}}",
    "- &a !x b\n- *a\n- !x c",
    "- &a b\n- !x [*a]",
    "{!x a: b}",
    "- !x {<<: {a: 1}, b: 2}\n- <<",
    "a: {<<: {b: !x c}}",
    "%TAG ! !x\n--- [! a, !x b]",
    "- !x\n- !x ''\n- !x |\n  a\n- !unknown b",
    "\ufeff- \u00e9\n- !x \u00e9 # c\n- [[[!x a]]]",
    "- " * 50 + "!x a",
    "- ! a\n- ! '12'\n- ! [1]\n- {! 'k': ! yes, ! '1': 2}\n- !x ! b",
    "- ! '<<'\n",
    "[" + "!x a, {b: !y/c [d]}, " * 5000 + "]",
]


@pytest.mark.parametrize("text", TAGGED, ids=range(len(TAGGED)))
def test_constructors_with_and_without_nodes(text):
    def tagged(loader, node):
        mark = node.start_mark
        if node.id == "scalar":
            return node.tag, loader.construct_scalar(node), node.style, mark.line, mark.column
        made = loader.construct_sequence if node.id == "sequence" else loader.construct_mapping
        return node.tag, made(node, deep=True), mark.line, mark.column

    results = []
    for module, base in (theirs, theirs.SafeLoader), (ours, ours.SafeLoader), (ours, Slow):
        loader = type("Loader", (base,), {})
        loader.add_constructor("!x", tagged)
        loader.add_multi_constructor("!y/", lambda loader, suffix, node: (suffix, tagged(loader, node)))
        for data in text, text.encode():
            results.append(result(module, data, loader))
    assert all(same(results[0], other) for other in results[1:])


def test_a_constructor_runs_once_for_each_node():
    class Loader(ours.SafeLoader):
        pass

    seen = []
    Loader.add_constructor("!x", lambda loader, node: seen.append(node.value))
    ours.load("[!x a, !x b]", Loader=Loader)
    assert seen == ["a", "b"]
    seen.clear()
    # Ketch finds out that the text needs nodes before it runs a constructor.
    ours.load("- !x a\n- {<<: {b: 1}}\n", Loader=Loader)
    assert seen == ["a"]
    seen.clear()
    with pytest.raises(ours.YAMLError):
        ours.load("- !x a\n- [", Loader=Loader)
    assert seen == []


def test_constructors_that_replace_pyyamls():
    class Loader(ours.CSafeLoader):
        pass

    Loader.add_constructor("tag:yaml.org,2002:timestamp", lambda loader, node: node.value)
    assert ours.load("a: 2001-01-01", Loader=Loader) == {"a": "2001-01-01"}
    assert ours.safe_load("a: 2001-01-01") == {"a": datetime.date(2001, 1, 1)}


def test_implicit_resolvers():
    class Loader(ours.SafeLoader):
        pass

    Loader.add_implicit_resolver("!env", re.compile(r"\$\{.*\}$"), ["$"])
    Loader.add_constructor("!env", lambda loader, node: f"<{node.value[2:-1]}>")
    assert ours.load("- ${A}\n- '${B}'\n- b", Loader=Loader) == ["<A>", "${B}", "b"]
    # The usual way to read `on` as text.
    Loader.yaml_implicit_resolvers = {
        first: [rule for rule in rules if rule[0] != "tag:yaml.org,2002:bool"]
        for first, rules in Loader.yaml_implicit_resolvers.items()
    }
    assert ours.load("on: yes", Loader=Loader) == {"on": "yes"}
    assert ours.safe_load("on: yes") == {True: True}


def test_path_resolvers():
    for module in theirs, ours:

        class Loader(module.SafeLoader):
            pass

        Loader.add_path_resolver("!root", [], dict)
        Loader.add_path_resolver("!name", ["person", "name"], str)
        Loader.add_path_resolver("!item", ["items", None], str)
        for tag in "!root", "!name", "!item":
            Loader.add_constructor(tag, lambda loader, node: (node.tag, node.value if node.id == "scalar" else loader.construct_mapping(node, True)))
        value = module.load("person: {name: Ann, age: '3'}\nitems: [a, b]", Loader=Loader)
        assert value == ("!root", {"person": {"name": ("!name", "Ann"), "age": "3"}, "items": [("!item", "a"), ("!item", "b")]})


def test_methods_that_programs_replace():
    class Lines(ours.SafeLoader):
        def compose_node(self, parent, index):
            line = self.line
            node = super().compose_node(parent, index)
            node.line = line + 1
            return node

        def construct_mapping(self, node, deep=False):
            return {**super().construct_mapping(node, deep=deep), "line": node.line}

    assert ours.load("a:\n  b: 1\nc: {}", Loader=Lines) == {"a": {"b": 1, "line": 1}, "c": {"line": 3}, "line": 1}

    class Unique(ours.SafeLoader):
        def construct_mapping(self, node, deep=False):
            keys = [self.construct_object(key) for key, _ in node.value]
            assert len(set(keys)) == len(keys), "a duplicate key"
            return super().construct_mapping(node, deep)

    with pytest.raises(AssertionError, match="duplicate"):
        ours.load("{a: 1, a: 2}", Loader=Unique)
    assert ours.safe_load("{a: 1, a: 2}") == {"a": 2}


def test_loaders_may_combine_other_stages():
    class Loader(ours.reader.Reader, ours.scanner.Scanner, ours.parser.Parser, ours.composer.Composer, ours.constructor.SafeConstructor, ours.resolver.Resolver):
        def __init__(self, stream):
            ours.reader.Reader.__init__(self, stream)
            for part in ours.scanner.Scanner, ours.parser.Parser, ours.composer.Composer, ours.constructor.SafeConstructor, ours.resolver.Resolver:
                part.__init__(self)

    class Both(ours.cyaml.CParser, ours.constructor.SafeConstructor, ours.resolver.Resolver):
        def __init__(self, stream):
            ours.cyaml.CParser.__init__(self, stream)
            ours.constructor.SafeConstructor.__init__(self)
            ours.resolver.Resolver.__init__(self)

    for loader in Loader, Both:
        assert loader("a: [1, 2]").get_single_data() == {"a": [1, 2]}
        assert ours.load("a: [1, 2]", Loader=loader) == {"a": [1, 2]}


def test_dumpers_that_programs_change():
    class Indented(ours.SafeDumper):
        def increase_indent(self, flow=False, indentless=False):
            return super().increase_indent(flow, False)

        def ignore_aliases(self, data):
            return True

    class Point:
        def __init__(self, x):
            self.x = x

    Indented.add_representer(Point, lambda dumper, data: dumper.represent_mapping("!point", {"x": data.x}))
    Indented.add_representer(str, lambda dumper, data: dumper.represent_scalar("tag:yaml.org,2002:str", data, style="|" if "\n" in data else None))
    Indented.add_multi_representer(Exception, lambda dumper, data: dumper.represent_str(f"error: {data}"))
    shared = [1]
    text = ours.dump({"a": shared, "b": shared, "p": Point(2), "t": "x\ny\n", "e": KeyError("k")}, Dumper=Indented)
    assert text == "a:\n  - 1\nb:\n  - 1\ne: 'error: ''k'''\np: !point\n  x: 2\nt: |\n  x\n  y\n"
    with pytest.raises(ours.representer.RepresenterError):
        ours.safe_dump(Point(1))


def test_yaml_objects():
    class Monster(ours.YAMLObject):
        yaml_tag = "!Monster"

        def __init__(self, name):
            self.name = name

    monster = ours.load("!Monster {name: Cave spider}", Loader=ours.FullLoader)
    assert isinstance(monster, Monster) and monster.name == "Cave spider"
    assert ours.dump(monster) == "!Monster\nname: Cave spider\n"


# Errors.


def test_errors_have_marks_from_zero():
    with pytest.raises(ours.YAMLError) as raised:
        ours.safe_load(io.StringIO("a: b\nc: [1, 2\n"))
    error = raised.value
    assert isinstance(error, (ours.scanner.ScannerError, ours.MarkedYAMLError))
    assert isinstance(error, ours.parser.ParserError)
    assert (error.context_mark.line, error.context_mark.column) == (2, 0)
    assert (error.problem_mark.line, error.problem_mark.column) == (1, 3)
    assert "line 2, column 4" in str(error) and "^" in str(error)
    assert error.context == "the error becomes apparent here"
    copied = pickle.loads(pickle.dumps(error))
    assert type(copied) is type(error) and str(copied) == str(error)
    for text, kind in {
        "*a": ours.ComposerError,
        "[&a x, &a y]": ours.ComposerError,
        "a\n--- b": ours.ComposerError,
        "!!int x": ours.ConstructorError,
        "{[a]: 1}": ours.ConstructorError,
        "!x 1": ours.ConstructorError,
        "{<<: 1}": ours.ConstructorError,
        "[<<]": ours.ConstructorError,
        "2001-13-01": ours.ConstructorError,
        "a: \x07": ours.reader.ReaderError,
        "a: \ud800": ours.reader.ReaderError,
        b"\xff": ours.reader.ReaderError,
    }.items():
        with pytest.raises(kind):
            ours.safe_load(text)


def test_documents_before_an_error_are_read():
    documents = ours.safe_load_all("a: 1\n--- b\n--- *x")
    assert [next(documents), next(documents)] == [{"a": 1}, "b"]
    with pytest.raises(ours.ComposerError):
        next(documents)


def test_exponential_merge_keys_are_rejected():
    levels = [f"a{n}: &a{n}\n  <<: [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12)]
    text = "a0: &a0 {k: 1}\n" + "\n".join(levels)
    with pytest.raises(ours.ConstructorError, match="merge"):
        ours.safe_load(text)


def test_deep_nesting_is_read_or_refused():
    value = ours.safe_load("[" * 1000 + "]" * 1000)
    for _ in range(999):
        value = value[0]
    assert value == []
    with pytest.raises((ours.YAMLError, RecursionError)):
        ours.load("[" * 100_000 + "]" * 100_000, Loader=Slow)


# The interface.


def test_every_public_name_of_pyyaml_exists():
    missing = [name for name in dir(theirs) if not hasattr(ours, name)]
    assert set(missing) <= {"_yaml"}
    for part in "reader scanner parser composer constructor resolver emitter serializer representer cyaml".split():
        theirs_part, ours_part = getattr(theirs, part), getattr(ours, part)
        classes = [name for name, value in vars(theirs_part).items() if isinstance(value, type) and value.__module__.startswith("yaml.")]
        missing = {name for name in [*theirs_part.__all__, *classes] if not hasattr(ours_part, name)}
        assert missing <= {"SimpleKey"}, part


def test_replace_pyyaml_makes_it_yaml():
    program = """
import ketch
ketch.replace_pyyaml()
ketch.replace_pyyaml()
import yaml
from yaml.constructor import SafeConstructor
from yaml import CSafeLoader as Loader
import yaml.scanner
assert yaml is ketch.yaml and yaml.scanner.Scanner is ketch.yaml.scanner.Scanner
print(yaml.load("on: 1:30", Loader=Loader))
"""
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert result.stdout == "{True: 90}\n"
    program = "import yaml, ketch; ketch.replace_pyyaml()"
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert "yaml was imported already" in result.stderr


def test_help():
    for name in ("safe_load", "load", "dump", "safe_dump", "scan", "parse", "compose", "add_constructor"):
        assert getattr(ours, name).__doc__
    assert ketch.replace_pyyaml.__doc__

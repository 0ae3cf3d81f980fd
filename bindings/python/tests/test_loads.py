"""Values, options, errors."""

import copy
import datetime
import io
import json
import math
import pickle
import random

import ketch
import pytest
import suite


def test_values():
    text = "a: [1, -2.5, ~, true, text, '1', é, ю, 日本, 😀, 𝄞x]\n1: {}\n? [1, [b]]\n: !!binary AP8=\n"
    assert ketch.loads(text) == {
        "a": [1, -2.5, None, True, "text", "1", "é", "ю", "日本", "😀", "𝄞x"],
        1: {},
        (1, ("b",)): b"\x00\xff",
    }
    assert ketch.loads("") is None
    assert ketch.loads_all("") == []
    assert ketch.loads_all("a\n--- b\n---\n") == ["a", "b", None]
    assert ketch.loads("!x {a: !y b}") == ketch.Tagged("!x", {"a": ketch.Tagged("!y", "b")})
    assert math.isnan(ketch.loads(".nan")) and ketch.loads("-.inf") == -math.inf
    assert ketch.loads("123456789012345678901234567890") == 123456789012345678901234567890
    assert ketch.loads("0x" + "f" * 40) == int("f" * 40, 16)
    assert ketch.loads("x" * 100_000) == "x" * 100_000


@pytest.mark.parametrize("count", range(0, 40))
def test_strings_of_each_length_and_width(count):
    for char in "a", "é", "ю", "日", "😀":
        for text in (char * count, "a" * count + char, char + "b" * count):
            quoted = f'["{text}", {{"{text}": "{text}"}}]'
            loaded = ketch.loads(quoted)
            assert loaded == [text, {text: text}]
            # CPython compares strings of different widths as different: their form is canonical.
            assert hash(loaded[0]) == hash(text) and loaded[0].encode() == text.encode()
            assert loaded[0].isascii() == text.isascii()


def test_texts_of_mixed_widths():
    """A str and its bytes give the same strings, wherever their widths change."""
    chance = random.Random(1)
    alphabets = ["ab c", "aé ", "é", "aб ", "б", "аб в字", "字", "a é字😀", "😀", "a" * 16 + "é", "a" * 16 + "字"]
    for _ in range(4000):
        text = "".join(chance.choices(chance.choice(alphabets), k=chance.randrange(70)))
        text += "".join(chance.choices(chance.choice(alphabets), k=chance.randrange(70)))
        quoted = f"- '{text}'\n"
        assert ketch.loads(quoted) == [text] == ketch.loads(quoted.encode()), text
    for length in range(40):
        for surrogate in "\ud800", "\udfff", "\ud83d\ude00":
            with pytest.raises(ketch.YamlSyntaxError):
                ketch.loads("é" * length + surrogate)
    # Values that are parts of the string, among others: decoded ones, keys, tagged ones, aliases.
    for _ in range(300):
        parts = ["".join(chance.choices(chance.choice(alphabets[1:]), k=chance.randrange(1, 12))) for _ in range(8)]
        a, b, c, d, e, f, g, h = parts
        document = f"- '{a}'\n- \"{b}\\t{c}\"\n- '{d}': &x '{e}'\n- !u '{f}'\n- *x\n- >\n  y{g}y\n- '{h}'\n"
        made = [a, f"{b}\t{c}", {d: e}, ketch.Tagged("!u", f), e, f"y{g}y\n", h]
        assert ketch.loads(document) == made == ketch.loads(document.encode()), document
    # Longer than what is encoded at once.
    text = "x" + "".join(chance.choices("aб字😀 ", k=50_000)) + "x"
    assert ketch.loads(f"'{text}'") == text


def test_times():
    def one(text):
        return ketch.loads(f"!!timestamp {text}")

    zone = datetime.timezone(datetime.timedelta(hours=-5))
    assert one("2001-12-14") == datetime.date(2001, 12, 14)
    assert type(one("2001-12-14")) is datetime.date
    assert one("2001-12-14T21:59:43.10-05:00") == datetime.datetime(2001, 12, 14, 21, 59, 43, 100_000, zone)
    assert one("2001-12-14 21:59:43") == datetime.datetime(2001, 12, 14, 21, 59, 43)
    assert one("2001-12-14T21:59:43Z").tzinfo is datetime.timezone.utc
    assert ketch.loads("2001-12-14", schema="yaml11") == datetime.date(2001, 12, 14)
    assert ketch.loads("2001-12-14") == "2001-12-14"
    for text in "2001-12-14T21:59:43.1234567Z", "0000-01-01":
        with pytest.raises(ketch.ConstructError) as caught:
            one(text)
        assert caught.value.line == 1 and "Quote it" in str(caught.value)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_encodings(encoding):
    data = "größe: [日本, 😀]\n".encode(encoding)
    for given in data, bytearray(data), memoryview(data):
        assert ketch.loads(given) == {"größe": ["日本", "😀"]}


def test_anchors():
    shared = ketch.loads("- &a {x: 1}\n- *a\n- &b text\n- *b\n")
    assert shared[0] is shared[1] and shared[2] == shared[3] == "text"
    loop = ketch.loads("&a [1, *a, {x: *a}]")
    assert loop[1] is loop and loop[2]["x"] is loop
    assert ketch.loads("base: &b {x: 1}\nall: {<<: *b, y: 2}", merge=True)["all"] == {"x": 1, "y": 2}
    assert ketch.loads("base: &b {x: 1}\nall: {<<: *b}", schema="yaml11")["all"] == {"x": 1}
    assert "<<" in ketch.loads("base: &b {x: 1}\nall: {<<: *b}")["all"]
    assert ketch.loads("? &k [1, 2]\n: *k\n") == {(1, 2): [1, 2]}


def test_schemas():
    assert ketch.loads("[yes, 0777, 1_000]", schema="yaml11") == [True, 511, 1000]
    assert ketch.loads("[yes, 12]", schema="failsafe") == ["yes", "12"]
    with pytest.raises(ketch.ConstructError):
        ketch.loads("[yes]", schema="json")


def test_duplicate_keys():
    text = "a: 1\nb: 2\na: 3\n"
    with pytest.raises(ketch.DuplicateKeyError) as caught:
        ketch.loads(text)
    assert (caught.value.line, caught.value.column, caught.value.related_line) == (3, 1, 1)
    assert ketch.loads(text, duplicate_keys="first") == {"a": 1, "b": 2}
    assert ketch.loads(text, duplicate_keys="last") == {"a": 3, "b": 2}
    # Different keys in YAML that Python takes for one.
    for text in "1: a\n1.0: b\n", "1: a\ntrue: b\n":
        with pytest.raises(ketch.DuplicateKeyError) as caught:
            ketch.loads(text)
        assert (caught.value.line, caught.value.column, caught.value.related_line) == (2, 1, 1)


def test_keys_that_are_numbers():
    cases = json.loads((suite.REPOSITORY / "conformance" / "keys.json").read_text())
    assert len(cases) > 15
    for case in cases:
        for function, column in (ketch.loads, case["rounded"]), (ketch.parse, case["exact"]):
            if column is None:
                function(case["yaml"])
                continue
            with pytest.raises(ketch.DuplicateKeyError) as caught:
                function(case["yaml"])
            assert (caught.value.line, caught.value.column) == (1, column), case["yaml"]
        pairs = case["yaml"].count(": ") - (case["rounded"] is not None)
        assert len(ketch.loads(case["yaml"], duplicate_keys="last")) == pairs, case["yaml"]
    document = ketch.parse("a: {1e400: x, 1e401: y}")
    with pytest.raises(ketch.DuplicateKeyError) as caught:
        document.value
    assert (caught.value.line, caught.value.column) == (1, 15)
    edited = ketch.edit_text("a: {1e400: x, 1e401: y}\nb: 1\n")
    edited["b"] = 2
    assert edited.text == "a: {1e400: x, 1e401: y}\nb: 2\n"


def test_errors_have_fields_and_can_be_copied():
    with pytest.raises(ketch.YamlSyntaxError) as caught:
        ketch.loads("a: [1,\nb: 2", filename="x.yaml")
    error = caught.value
    assert str(error).startswith("x.yaml:1:4: ") and "    a: [1," in str(error)
    assert (error.file, error.line, error.column, error.line_text) == ("x.yaml", 1, 4, "a: [1,")
    assert (error.related_line, error.related_column) == (2, 1)
    assert error.help and error.name and error.problem in str(error)
    for twin in pickle.loads(pickle.dumps(error)), copy.copy(error):
        assert type(twin) is ketch.YamlSyntaxError and str(twin) == str(error)
        assert twin.__dict__ == error.__dict__
    assert issubclass(ketch.YamlSyntaxError, ketch.Error) and issubclass(ketch.Error, ValueError)


def test_limits_name_their_setting():
    deep = "[" * 50 + "]" * 50
    with pytest.raises(ketch.LimitError) as caught:
        ketch.loads(deep, max_depth=20)
    assert caught.value.setting == "max_depth"
    assert ketch.loads(deep, max_depth=(50, 0)) and ketch.loads(deep, max_depth=math.inf)
    with pytest.raises(ketch.LimitError):
        ketch.loads("[a, b, c]", max_nodes=3)


def test_merged_pairs_are_limited():
    text = "- &a {x: 1, y: 2}\n- &b {<<: *a, z: 3}\n- {<<: *b}\n"
    with pytest.raises(ketch.LimitError) as caught:
        ketch.loads(text, merge=True, max_alias_nodes=5)
    assert caught.value.setting == "max_alias_nodes"
    assert ketch.loads(text, merge=True, max_alias_nodes=6)[2] == {"x": 1, "y": 2, "z": 3}


def test_several_documents():
    with pytest.raises(ketch.ConstructError, match="loads_all") as caught:
        ketch.loads("a\n--- b\n")
    assert (caught.value.line, caught.value.column) == (2, 5)
    assert "    --- b\n        ^" in str(caught.value)


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"color": 1}, TypeError),
        ({"schema": 1}, TypeError),
        ({"schema": "other"}, ValueError),
        ({"duplicate_keys": "all"}, ValueError),
        ({"max_depth": "5"}, ValueError),
        ({"max_depth": -1}, ValueError),
        ({"max_depth": (1, 2, 3)}, ValueError),
        ({"max_scalar_bytes": 1.5}, ValueError),
    ],
)
def test_wrong_options(options, error):
    with pytest.raises(error, match=next(iter(options))):
        ketch.loads("a", **options)


@pytest.mark.parametrize("data", [None, 1, ["a"], object()])
def test_bytes_that_are_not_text(data):
    with pytest.raises(TypeError, match="expected str, bytes or a buffer"):
        ketch.loads(data)


def test_lone_surrogates():
    text = "a: é\nb: [x, \udc80]"
    for read in ketch.loads, ketch.loads_all, ketch.parse, ketch.edit_text, lambda *given, **options: list(ketch.events(*given, **options)):
        with pytest.raises(ketch.YamlSyntaxError) as caught:
            read(text, filename="a.yml")
        error = caught.value
        assert str(error).startswith("a.yml:2:8: U+DC80 is half of a surrogate pair, not a character\n    b: [x, ?]\n           ^\n")
        assert (error.file, error.line, error.column, error.offset) == ("a.yml", 2, 8, 13)
    with pytest.raises(ketch.YamlSyntaxError) as caught:
        list(ketch.load_all(io.StringIO(text)))
    assert (caught.value.line, caught.value.column) == (2, 8)
    with pytest.raises(ketch.YamlSyntaxError):
        ketch.loads('a: "\\ud800"')


def test_a_released_buffer():
    view = memoryview(b"a")
    view.release()
    with pytest.raises(ValueError, match="released"):
        ketch.loads(view)


def test_escapes_that_decode_to_wider_characters():
    assert ketch.loads('["\\u65e5", "\\xe9\\xe9", "\\U0001F600a", "a\\u263a": "\\u263a\\u263a"]') == [
        "日",
        "éé",
        "😀a",
        {"a☺": "☺☺"},
    ]

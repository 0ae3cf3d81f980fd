"""Checks that a panic in the native code is an ordinary exception, and that the process goes on."""

import io
import pickle

import ketch
import ketch.extprot
import ketch.yaml
import pytest
from ketch import _ketch

TEXT = "a: [1, 2]\nb: {c: é}\n"
VALUE = {"a": [1, 2], "b": {"c": "é"}}
# Longer than what is read without checks for signals, so that the parser is stopped in the middle.
LONG = "- a line of a long text\n" * 20_000


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "a.yml"
    path.write_text(TEXT)
    return path


CALLS = {
    "loads": lambda path: ketch.loads(TEXT),
    "loads of bytes": lambda path: ketch.loads(TEXT.encode(), schema="json"),
    "loads of a long text": lambda path: ketch.loads(LONG),
    "loads with positions": lambda path: ketch.loads(TEXT, positions=True),
    "loads_all": lambda path: ketch.loads_all(TEXT),
    "load": lambda path: ketch.load(path),
    "load_all": lambda path: list(ketch.load_all(path)),
    "load_all with positions": lambda path: list(ketch.load_all(path, positions=True)),
    "parse": lambda path: ketch.parse(TEXT),
    "parse_all": lambda path: ketch.parse_all(TEXT),
    "events": lambda path: list(ketch.events(TEXT)),
    "dumps": lambda path: ketch.dumps(VALUE),
    "dumps_all": lambda path: ketch.dumps_all([VALUE]),
    "dump": lambda path: ketch.dump(VALUE, path),
    "dump_all": lambda path: ketch.dump_all([VALUE], path),
    "edit": lambda path: ketch.edit(path),
    "edit_text": lambda path: ketch.edit_text(TEXT),
    "extprot.loads": lambda path: ketch.extprot.loads(ketch.extprot.pure.dumps(VALUE)),
    "extprot.dumps": lambda path: ketch.extprot.dumps(VALUE),
    "extprot.schema": lambda path: ketch.extprot.schema(path),
    "yaml.safe_load": lambda path: ketch.yaml.safe_load(TEXT),
    "yaml.load_all": lambda path: list(ketch.yaml.load_all(TEXT, Loader=ketch.yaml.FullLoader)),
    "yaml.scan": lambda path: list(ketch.yaml.scan(TEXT)),
    "yaml.parse": lambda path: list(ketch.yaml.parse(TEXT)),
    "yaml.compose": lambda path: ketch.yaml.compose(TEXT),
    "yaml.safe_dump": lambda path: ketch.yaml.safe_dump(VALUE),
    "yaml.dump to a stream": lambda path: ketch.yaml.dump(VALUE, io.StringIO()),
}


def panics(call, *arguments):
    """Call a function that panics, and return the exception."""
    _ketch.plant_panic(True)
    try:
        call(*arguments)
    except Exception as error:
        return error
    finally:
        _ketch.plant_panic(False)
    raise AssertionError("no panic")


def check(error):
    assert isinstance(error, ketch.InternalError) and isinstance(error, ketch.Error), error
    assert str(error) == "a panic that a test has planted"
    assert (error.name, error.line) == ("panic", None) and "report" in error.help
    assert repr(error) == "InternalError('a panic that a test has planted')"
    assert type(error).__module__ == "ketch"


@pytest.mark.parametrize("name", CALLS)
def test_a_panic_is_an_ordinary_exception(name, path):
    check(panics(CALLS[name], path))
    # The process goes on, and the next calls have right results.
    assert ketch.loads(TEXT) == ketch.yaml.safe_load(TEXT) == ketch.load(path) == VALUE
    assert ketch.loads(LONG) == ["a line of a long text"] * 20_000
    assert ketch.loads(ketch.dumps(VALUE)) == ketch.yaml.safe_load(ketch.yaml.safe_dump(VALUE)) == VALUE
    assert path.read_text() == TEXT


def test_methods():
    document = ketch.parse(TEXT)
    check(panics(lambda: document.root["a"]))
    assert document.root["a"][0] == 1

    documents = ketch.load_all(io.StringIO("--- 1\n--- 2\n"))
    check(panics(next, documents))
    assert list(documents) == []


def test_an_editing_session_is_over_after_a_panic(path):
    with pytest.raises(ketch.InternalError), ketch.edit(path) as edit:
        edit["a"] = 3
        error = panics(edit.__setitem__, "b", 4)
        check(error)
        raise error
    assert path.read_text() == TEXT


def test_a_panic_in_a_function_of_the_program():
    """A panic that passes through code in Python is still the same exception."""

    def default(_):
        return ketch.loads(TEXT)

    def planted(_):
        _ketch.plant_panic(True)
        return ketch.loads(TEXT)

    with pytest.raises(ketch.InternalError):
        try:
            ketch.dumps(object(), default=planted)
        finally:
            _ketch.plant_panic(False)
    assert ketch.loads(ketch.dumps(object(), default=default)) == VALUE


def test_the_class_is_documented_and_can_be_pickled():
    assert issubclass(ketch.InternalError, ketch.Error) and "defect" in ketch.InternalError.__doc__
    assert str(pickle.loads(pickle.dumps(ketch.InternalError("x")))) == "x"

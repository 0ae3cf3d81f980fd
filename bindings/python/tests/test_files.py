"""Reading files."""

import io

import ketch
import pytest


def test_paths_and_files(tmp_path):
    path = tmp_path / "a.yaml"
    path.write_text("größe: 1\n", "utf-8")
    for source in path, str(path), bytes(path):
        assert ketch.load(source) == {"größe": 1}
        assert list(ketch.load_all(source)) == [{"größe": 1}]
    with open(path, "rb") as file:
        assert ketch.load(file) == {"größe": 1}
    with open(path, encoding="utf-8") as file:
        assert list(ketch.load_all(file)) == [{"größe": 1}]


def test_errors_name_the_file(tmp_path):
    path = tmp_path / "a.yaml"
    path.write_text("a: [\n", "utf-8")
    for load in ketch.load, lambda source: list(ketch.load_all(source)):
        with pytest.raises(ketch.YamlSyntaxError) as caught:
            load(path)
        assert caught.value.file == str(path)
        with pytest.raises(ketch.YamlSyntaxError) as caught, open(path) as file:
            load(file)
        assert caught.value.file == str(path)
    with pytest.raises(ketch.YamlSyntaxError) as caught:
        ketch.load(path, filename="other")
    assert caught.value.file == "other"
    with pytest.raises(FileNotFoundError, match="ketch.loads reads text"):
        ketch.load("a: 1")
    with pytest.raises(OSError, match="ketch.loads reads text") as caught:
        ketch.load("a: 1\n" * 2000)
    assert len(str(caught.value)) < 200
    with pytest.raises(IsADirectoryError):
        ketch.load(tmp_path)


def test_load_all_yields_documents_before_the_end_of_the_file():
    class Endless(io.RawIOBase):
        count = 0

        def readable(self):
            return True

        def readinto(self, buffer):
            buffer[:8] = b"--- {a}\n"
            self.count += 1
            return 8

    documents = ketch.load_all(Endless())
    assert [next(documents) for _ in range(1000)] == [{"a": None}] * 1000


def test_a_file_may_return_any_part_of_a_character():
    class Slow:
        def __init__(self, data):
            self.data, self.at = data, 0

        def read(self, _):
            self.at += 1
            return self.data[self.at - 1 : self.at]

    text = "- größe\n- 日本😀\n--- x\n"
    for data in text, text.encode(), text.encode("utf-16"):
        assert list(ketch.load_all(Slow(data))) == [["größe", "日本😀"], "x"]


def test_exceptions_of_a_file_reach_the_caller():
    class Failing:
        reads = 0

        def __init__(self, error):
            self.error = error

        def read(self, _):
            self.reads += 1
            if self.reads > 2:
                raise self.error
            return b"--- a\n"

    for error in OSError("gone"), KeyboardInterrupt(), RuntimeError("x"):
        documents = ketch.load_all(Failing(error))
        with pytest.raises(type(error)) as caught:
            list(documents)
        assert caught.value is error
        assert list(documents) == []

    class Wrong:
        def __init__(self, result):
            self.result = result

        def read(self, _):
            return self.result

    with pytest.raises(TypeError, match="bytes or str, not int"):
        list(ketch.load_all(Wrong(1)))
    with pytest.raises(OSError):
        list(ketch.load_all(Wrong(None)))
    with pytest.raises(AttributeError):
        ketch.load_all(1)

"""Programs in jq's language."""

import gc
import io
import json
import signal
import threading
import tracemalloc
from decimal import Decimal

import ketch
import pytest
import suite


def results(source, program, **options):
    return list(ketch.query(source, program, **options))


def cases(name):
    return json.loads((suite.REPOSITORY / f"conformance/query/{name}.json").read_text("utf-8"))


def outcome(run):
    """Return the results, and the kind, the column and the place in the text of an error."""
    found = []
    try:
        for result in run():
            found.append(result)
    except (ketch.QueryError, ketch.LimitError) as error:
        place = error.related_line and f"{error.related_line}:{error.related_column}"
        found.append([error.name, error.column, place])
    except ketch.Error as error:
        found.append([None, None, f"{error.line}:{error.column}"])
    return found


@pytest.mark.parametrize("case", [case for case in cases("cases") if "library" in case], ids=lambda case: case["id"])
def test_cases_of_the_command_that_need_only_the_library(case):
    library = case["library"]
    program = "\n| ".join([case["program"], *filter(None, [library.get("after")])])

    def run():
        query = ketch.Query(program)
        if "file" in case:
            return [query.edit(case["input"], **library["options"])]
        return query.run(case["input"] or "", **library["options"])

    found = [line for result in outcome(run) for line in (result.splitlines() if isinstance(result, str) else [result])]
    expected = case["file"].splitlines() if "file" in case else library.get("results", case["stdout"])
    if "error" in library:
        expected = [*([] if "file" in case else expected), library["error"]]
    assert found == expected


@pytest.mark.parametrize("case", cases("messages"), ids=lambda case: case["name"])
def test_messages(case):
    found = outcome(lambda: ketch.query(case["input"], case["query"], messages=True))
    expected = []
    for line in case["output"].splitlines():
        if line.startswith('{"error"'):
            error = json.loads(line)
            expected.append([error["error"], error["at"][0] + 1])
            found[-1] = found[-1][:2]
        else:
            expected += results(line, ".")
    assert repr(found) == repr(expected)


def test_results_are_objects_of_python():
    assert results("a: [1, 2.50, x, null, true, {b: []}]", ".a[]") == [1, Decimal("2.50"), "x", None, True, {"b": []}]
    assert str(results("2.50", ".")[0]) == "2.50"
    assert results("1.0", ". + 0.5") == [Decimal("1.5")]
    assert results("[0.1, 1.0]", ".[]", floats=True) == [0.1, 1.0]
    assert results("3", "pow(.; 50), 1 / .") == [3**50, Decimal("0." + "3" * 34)]
    assert results(".nan", ".")[0] != results(".nan", ".")[0]
    assert results("é", 'test("^\\\\w$")') == [True]


def test_sources():
    assert results("1\n--- 2", ". + 1") == [2, 3]
    assert results(b"[1]", ".[]") == [1]
    assert results(io.BytesIO(b"1\n--- 2"), ".") == [1, 2]
    assert results(io.StringIO("é"), ".") == ["é"]
    assert results("1 2 [3]", ".", format="json") == [1, 2, [3]]
    with pytest.raises(TypeError):
        results(7, ".")


def test_a_file_is_read_as_far_as_needed():
    class Endless:
        count = 0

        def read(self, size):
            self.count += 1
            return b"- 1\n---\n" * 1000

    file = Endless()
    run = ketch.query(file, ".[]")
    assert [next(run), next(run)] == [1, 1]
    assert file.count < 100

    class Broken:
        def read(self, size):
            raise OSError("no disk")

    with pytest.raises(OSError, match="no disk"):
        results(Broken(), ".")


def test_variables_and_modules():
    assert results("2", ". * $n", vars={"n": Decimal("1.25")}) == [Decimal("2.5")]
    assert results("1", "$a.b[0]", vars={"a": {"b": ["x"]}}) == ["x"]
    assert results("1", 'import "m" as m; m::f', modules={"m": "def f: 7;"}) == [7]
    texts = {"a": 'import "b" as b; def f: b::f;', "b": "def f: 8;"}
    assert results("1", 'import "a" as a; a::f', modules=texts.get) == [8]
    with pytest.raises(ketch.QueryError, match="there is no module `x`"):
        ketch.Query('import "x" as x; 1', modules=texts.get)


def test_errors_have_a_kind_and_places():
    with pytest.raises(ketch.QueryError) as raised:
        ketch.Query("1 |\n foo(2)")
    error = raised.value
    assert (error.name, error.line, error.column, error.line_text) == ("undefined-function", 2, 2, " foo(2)")
    run = ketch.Query(".[] | .prot").run("- {prot: 1}\n- {port: 2}\n", strict=True, filename="f.yml")
    assert next(run) == 1
    with pytest.raises(ketch.QueryError) as raised:
        next(run)
    error = raised.value
    assert (error.name, error.line, error.column) == ("no-such-key", 1, 8)
    assert (error.file, error.related_line, error.related_column) == ("f.yml", 2, 3)
    assert "Did you mean `port`?" in error.help
    assert list(run) == []
    with pytest.raises(ketch.YamlSyntaxError) as raised:
        results("1\n--- [", ".")
    assert raised.value.line == 2
    with pytest.raises(ketch.LimitError) as raised:
        results("1", "last(repeat(1))", max_steps=1000)
    assert raised.value.setting == "max_steps"
    with pytest.raises(ketch.QueryError) as raised:
        results("1", "env")
    assert raised.value.name == "not-allowed"
    with pytest.raises(TypeError, match="max_stps"):
        results("1", ".", max_stps=1)


def test_edits_change_only_what_the_program_changes():
    query = ketch.Query(".image.tag = $tag | del(.debug)", vars={"tag": "1.10"})
    assert query.edit("image: {tag: '1.9'}   # pinned\ndebug: true\n") == "image: {tag: '1.10'}   # pinned\n"
    with pytest.raises(ketch.QueryError) as raised:
        ketch.Query("empty").edit("a: 1\n")
    assert raised.value.name == "result-count"
    with pytest.raises(ketch.EditError):
        ketch.Query(".b.c = 2").edit("a: &x {c: 1}\nb: *x\n")


def test_a_signal_ends_a_run():
    class Alarm(Exception):
        pass

    def handler(*_):
        raise Alarm

    previous = signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, 0.1)
    try:
        with pytest.raises(Alarm):
            results("1", "last(repeat(1))", max_steps=10**15)
    finally:
        signal.signal(signal.SIGALRM, previous)


def test_threads_share_a_query():
    query = ketch.Query("[range(100)] | map(. * $n) | add", vars={"n": 2})
    found = []

    def work():
        found.extend(next(query.run("0")) for _ in range(50))

    threads = [threading.Thread(target=work) for _ in range(64)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [9900] * 3200


def test_runs_do_not_grow():
    query = ketch.Query(".[]")

    def work(count):
        for _ in range(count):
            run = query.run("[1, [2.5], {a: x}, 3]")
            next(run), next(run)
            run.close()
            assert list(run) == []
        gc.collect()

    work(100)
    tracemalloc.start()
    work(2000)
    before = tracemalloc.get_traced_memory()[0]
    work(20_000)
    after = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert after - before < 100_000


def test_importing_ketch_does_not_import_queries():
    import subprocess
    import sys

    code = "import sys, ketch; ketch.loads('1'); assert 'ketch._query' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)

"""Signals, threads, loads within loads, hostile input."""

import gc
import os
import random
import signal
import subprocess
import sys
import threading
import time

import ketch
import ketch.yaml
import pytest
from ketch import extprot

BIG = "- {name: ketch, masts: [main, mizzen], launched: 1902}\n" * 400_000


@pytest.mark.parametrize("text", [BIG, '"' + "x y " * 20_000_000 + '"'], ids=["collections", "scalar"])
def test_signals_end_a_load(text):
    def interrupt(*_):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    # Again after a second: Python drops an exception in a finalizer, which the garbage collector may run then.
    signal.setitimer(signal.ITIMER_REAL, 0.005, 1)
    try:
        with pytest.raises(KeyboardInterrupt):
            for _ in range(1000):
                ketch.loads(text)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert ketch.loads("a: 1") == {"a": 1}


def test_threads():
    text = "".join(f"key{number % 3000}-{number}: [value, é{number}, &a {{x: 1}}, *a]\n" for number in range(3000))
    expected = ketch.loads(text)
    failures = []

    def work():
        for _ in range(5):
            if ketch.loads(text) != expected or ketch.loads(ketch.dumps(expected)) != expected:
                failures.append(threading.current_thread())

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_a_finalizer_may_load_during_a_load():
    """A garbage collection during a load runs finalizers that call `loads`."""

    class Loads:
        def __del__(self):
            seen.append(ketch.loads("{key: [1, 2], other: é}"))

    seen = []
    before = gc.get_threshold()
    gc.set_threshold(10)
    try:
        for _ in range(50):
            cycle = Loads()
            cycle.self = cycle
            del cycle
            assert ketch.loads("[{key: 1, other: 2}, {key: [], other: {}}]" * 1) == [
                {"key": 1, "other": 2},
                {"key": [], "other": {}},
            ]
    finally:
        gc.set_threshold(*before)
    gc.collect()
    assert seen and all(value == {"key": [1, 2], "other": "é"} for value in seen)


def test_repeated_loads_do_not_leak_memory():
    texts = ["a: [1, 2, {b: c}]\nd: &x {e: 1.5}\nf: *x\n", "a: [\n", "a: 1\na: 2\n", "!t [x, {? [1, 2] : 3}]", "? {a: b}\n: c"]
    # `int` refuses that many digits.
    texts.append("9" * 4400 + "\n")

    def rounds(count):
        for number in range(count):
            for text in texts:
                try:
                    ketch.dumps(ketch.loads(text + f"# {number}"))
                except ketch.Error:
                    pass
        gc.collect()
        return len(gc.get_objects()), resident()

    def resident():
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1])

    rounds(2000)
    objects, pages = rounds(2000)
    more_objects, more_pages = rounds(20_000)
    assert more_objects - objects < 100
    assert more_pages - pages < 500


def test_random_texts_end_in_values_or_errors():
    seed = int(os.environ.get("KETCH_SEED", "1"))
    chance = random.Random(seed)
    pieces = ["a", "b: ", "- ", "\n", " ", "  ", "[", "]", "{", "}", ",", ": ", "? ", "&x ", "*x", "!t ", "!!str ", "|", ">", "'", '"',
              "#", "---\n", "...\n", "%YAML 1.2\n", "<<", "é", "😀", "1", "1.5", "~", "true", "\\u263a", "\t", "!!timestamp ", "2001-12-14"]
    for number in range(int(os.environ.get("KETCH_COUNT", "20000"))):
        text = "".join(chance.choices(pieces, k=chance.randrange(1, 25)))
        try:
            values = ketch.loads_all(text)
        except ketch.Error:
            continue
        assert repr(ketch.loads_all(text, max_nodes=10**6)) == repr(values), (seed, number, text)
        trees = ketch.parse_all(text)
        assert repr([tree.value for tree in trees]) == repr(values), (seed, number, text)
        for tree in trees:
            for node in range(len(tree._tree)):
                tree._tree.comments(node)
                tree._tree.place(node)
        assert repr(ketch.loads_all(ketch.dumps_all(values))) == repr(values), (seed, number, text)


@pytest.mark.parametrize(
    "text",
    ["[" * 200_000, "{a: " * 100_000, "- " * 100_000, "&a [" * 50_000, "? " * 100_000, "!x " * 100_000, "a: &a\n" * 10_000],
    ids=lambda text: text[:4],
)
def test_hostile_texts_take_linear_time(text):
    started = time.process_time()
    with pytest.raises(ketch.Error):
        ketch.loads(text)
    assert time.process_time() - started < 10


def test_aliases_do_not_expand():
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 60)]
    value = ketch.loads("\n".join(lines))
    assert value["a59"][0] is value["a58"]
    with pytest.raises(ketch.LimitError):
        ketch.loads("\n".join(lines) + "\n? *a59\n: x\n")
    assert len(ketch.dumps(value)) < 10_000


def test_deep_values_are_freed():
    """In a separate process: the deallocation of nested lists must not overflow the stack."""
    code = "import ketch, math; ketch.loads('[' * 300_000 + ']' * 300_000, max_depth=math.inf)"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize(
    ("text", "acts"),
    [
        ("- [alpha, beta]\n", "ketch.loads_all(text)"),
        ("- [gr\u00f6\u00dfe, beta]\n", "ketch.loads_all(text)"),
        ("? [a]\n: !!int 1\n--- \n", "ketch.loads_all(text)"),
        ("- [alpha, gr\u00f6\u00dfe]\n", "ketch.dumps([[text[:20]] * 4] * 1000 + [[n] for n in range(500_000)])"),
        ("- [alpha, gr\u00f6\u00dfe]\n", "list(ketch.events(text[: len(text) // 8]))"),
        ("- [alpha, gr\u00f6\u00dfe]\n", "ketch.parse(text).root.value"),
        ("- [alpha, gr\u00f6\u00dfe]\n", "list(ketch.parse(text).root)"),
        ("- [alpha, gr\u00f6\u00dfe]\n", "ketch.edit_text(text).root[1]"),
        ("- [alpha, gr\u00f6\u00dfe]\n", "ketch.yaml.safe_load(text)"),
        ("- !x [alpha, gr\u00f6\u00dfe]\n", "ketch.yaml.load(text[: len(text) // 16], Loader)"),
        ("- [alpha, gr\u00f6\u00dfe]\n", "ketch.extprot.loads(ketch.extprot.dumps([text[:99]] * 99_999))"),
    ],
)
def test_running_out_of_memory(text, acts):
    """With any amount of memory, a call returns a result or raises a MemoryError, and never aborts."""
    code = f"""
import ketch, ketch.extprot, ketch.yaml, resource, sys
class Loader(ketch.yaml.SafeLoader):
    pass
Loader.add_constructor("!x", lambda loader, node: loader.construct_sequence(node))
text = {text!r} * 200_000
with open("/proc/self/statm") as file:
    used = int(file.read().split()[0]) * resource.getpagesize()
limit = used + (int(sys.argv[1]) << 20)
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
try:
    {acts}
    print("done")
except MemoryError:
    print("MemoryError")
"""
    ends = set()
    for mebibytes in 1, 3, 8, 12, 20, 30, 45, 70, 100, 150, 250, 500, 2000:
        arguments = [sys.executable, "-c", code, str(mebibytes)]
        done = subprocess.run(arguments, capture_output=True, text=True, check=False, timeout=300)
        assert done.returncode == 0, (mebibytes, done)
        ends |= set(done.stdout.split())
    assert ends == {"done", "MemoryError"}


def test_random_bytes_end_in_values_or_errors():
    """Read mutated bytes of extprot with the extension and with pure Python."""
    seed = int(os.environ.get("KETCH_SEED", "1"))
    chance = random.Random(seed)
    values = [{"a": [1, None, 2.5]}, "\u00f6" * 9, 2**70, b"\xff", [True, {(1, 2): ketch.Tagged("!x", [])}], -(2**63)]
    sources = [extprot.dumps(value) for value in values]
    forms = "values", "tagged", "plain"
    for number in range(int(os.environ.get("KETCH_COUNT", "20000"))):
        data = bytearray(chance.choice(sources) + chance.choice(sources))
        for _ in range(chance.randrange(1, 4)):
            data[chance.randrange(len(data))] = chance.choice((0, 1, 2, 3, 5, 7, 10, 127, 128, 255, chance.randrange(256)))
        form = chance.choice(forms)
        ends = []
        for codec in extprot, extprot.pure:
            try:
                # One value, or the values before an error.
                ends.append(repr(list(codec.Decoder(data, form=form))))
            except extprot.Error as error:
                ends.append(type(error))
        assert ends[0] == ends[1], (seed, number, data.hex(), form)


def test_a_forked_process_can_load():
    """Fork while other threads load, and load in the child process."""
    stop = threading.Event()
    threads = [threading.Thread(target=lambda: [ketch.loads("{a: [b, c]}") for _ in iter(stop.is_set, True)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(20):
            child = os.fork()
            if child == 0:
                os._exit(0 if ketch.loads("{a: [b, c]}") == {"a": ["b", "c"]} else 1)
            assert os.waitpid(child, 0)[1] == 0
    finally:
        stop.set()
        for thread in threads:
            thread.join()


@pytest.mark.parametrize("call", ["loads", "parse", "nodes", "events", "pyyaml", "extprot", "dumps", "error", "surrogate"])
def test_every_allocation_can_fail(call):
    """Let Python's allocator fail once, at each of its calls in turn. The call must return a value
    or raise a MemoryError.

    The calls define no functions in Python, which may crash CPython 3.13.0 itself.
    """
    _testcapi = pytest.importorskip("_testcapi")
    text = "{a: [1, 2.5, gr\u00f6\u00dfe, true, null, 2001-12-14], b: {c: 'text', 12345678901234567890: x}}"
    value = ketch.loads(text)
    data = extprot.dumps(value)
    document = ketch.parse(text)
    tagged, tags = "- !x [1, 2]\n- {a: !x [b]}\n", frozenset(["!x"])

    def nodes():
        found = []
        for key, child in document.root.items():
            found.append((key, child.value if isinstance(child, ketch.Node) else child))
            node = document.node(key)
            found.append((node.style, node.tag, node.anchor, node.comment, node.position.line))
        return found

    def failure(function, argument):
        try:
            function(argument)
        except ketch.Error as error:
            return type(error), str(error), error.line, error.column
        return None

    calls = {
        "loads": lambda: ketch.loads(text),
        "parse": lambda: ketch.parse(text).value,
        "extprot": lambda: extprot.loads(data),
        "dumps": lambda: ketch.loads(ketch.dumps(value)),
        "nodes": nodes,
        "events": lambda: [event.value for event in ketch.events(text)],
        "pyyaml": lambda: ketch._ketch.pyyaml_values(tagged, tags, []),
        "error": lambda: failure(ketch.loads, "a: [1"),
        "surrogate": lambda: failure(ketch.loads, "a: \ud800"),
    }
    act = calls[call]
    expected = act()
    failed = 0
    for at in range(400):
        _testcapi.set_nomemory(at, at + 1)
        try:
            made = act()
        except MemoryError:
            made = None
        finally:
            _testcapi.remove_mem_hooks()
        if made is None:
            failed += 1
        else:
            assert made == expected, at
    assert failed > 3
    assert act() == expected


def test_a_second_interpreter_cannot_import_the_package():
    """A second interpreter cannot import the extension, and the error says so. The first one keeps working."""
    inner = f"""
import sys
sys.path[:] = {sys.path!r}
try:
    import ketch
except ImportError as error:
    assert "interpreter" in str(error), error
else:
    raise AssertionError("imported")
"""
    code = f"""
import ketch
try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters
failed = interpreters.run_string(interpreters.create(), {inner!r})
assert failed is None, failed
assert ketch.loads("a: 1") == {{"a": 1}}
"""
    subprocess.run([sys.executable, "-c", code], check=True)

"""`ketch.edit`: files are saved when a block ends, and only then."""

import os
import random
import signal
import subprocess
import sys
import time

import ketch
import pytest
from test_edit import YAML


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "values.yml"
    path.write_bytes(YAML.encode())
    return path


def only(path):
    return [entry.name for entry in path.parent.iterdir()] == [path.name]


def test_a_file_is_saved_when_the_block_ends(path):
    path.chmod(0o640)
    with ketch.edit(path) as d:
        d["image"]["tag"] = "1.10"
        assert path.read_text() == YAML
    assert path.read_text() == YAML.replace("'1.9'", "'1.10'")
    assert path.stat().st_mode & 0o777 == 0o640 and only(path)
    with ketch.edit(str(path)) as d:
        d["debug"] = False
    with ketch.edit(os.fsencode(path)) as d:
        d["debug"] = True
    assert "debug: true\n" in path.read_text()


def test_save_saves_before_the_end_of_the_block(path):
    edit = ketch.edit(path)
    assert edit.save() is False
    edit["image"]["repository"] = "x"
    assert edit.save() is True and edit.save() is False
    assert "repository: x\n" in path.read_text()
    edit["image"]["repository"] = "y"
    edit["image"]["repository"] = "z"
    assert edit.save() is True and "repository: z\n" in path.read_text()
    # Back to the original, which the file no longer has.
    edit["image"]["repository"] = "app"
    assert not edit.is_changed and edit.save() is True
    assert path.read_text() == YAML and only(path)


def test_a_file_without_changes_is_not_touched(path):
    before = path.stat()
    with ketch.edit(path) as d:
        d["limits"]["cpu"] = 16
    with ketch.edit(path) as d:
        d["image"]["repository"] = "x"
        d["image"]["repository"] = "app"
    after = path.stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_a_block_that_is_left_early_saves_nothing(path):
    for error in ValueError, KeyboardInterrupt, SystemExit, GeneratorExit:
        with pytest.raises(error), ketch.edit(path) as d:
            del d["image"]
            raise error
    with pytest.raises(ketch.NotFoundError), ketch.edit(path) as d:
        del d["image"]
        d.rename("a", "b")

    def generator():
        with ketch.edit(path) as d:
            del d["image"]
            yield

    running = generator()
    next(running)
    running.close()
    ketch.edit(path).pop("image")
    assert path.read_text() == YAML and only(path)


def test_return_and_break_save(path):
    for _ in range(3):
        with ketch.edit(path) as d:
            d["debug"] = 1
            break
    assert path.read_text() == YAML.replace("yes", "1")


def test_an_interrupt_in_a_block_saves_nothing(path):
    def interrupt(*_):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        with pytest.raises(KeyboardInterrupt), ketch.edit(path) as d:
            signal.setitimer(signal.ITIMER_REAL, 0.02)
            while True:
                d["limits"]["cpu"] += 1
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert path.read_text() == YAML and only(path)


def test_a_file_that_has_changed_since_is_not_replaced(path):
    with pytest.raises(ketch.FileError, match="has changed since it was read") as raised:
        with ketch.edit(path) as d:
            d["debug"] = False
            path.write_text("by: another\n")
    assert (raised.value.name, raised.value.file) == ("file-changed", str(path))
    assert isinstance(raised.value, OSError) and isinstance(raised.value, ketch.Error)
    assert path.read_text() == "by: another\n" and only(path)


INCREMENT = """
import sys, ketch
done = 0
for _ in range(25):
    try:
        with ketch.edit(sys.argv[1]) as d:
            d["n"] += 1
        done += 1
    except ketch.FileError as error:
        assert error.name == "file-changed"
print(done)
"""


def test_several_processes_edit_one_file(path):
    """Each edit arrives, or raises an error."""
    path.write_text("n: 0 # count\n")
    command = [sys.executable, "-c", INCREMENT, str(path)]
    processes = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(4)]
    done = sum(int(process.communicate()[0]) for process in processes)
    assert done > 0 and path.read_text() == f"n: {done} # count\n" and only(path)


def test_links_and_files_that_cannot_be_replaced(path, tmp_path):
    link, hard = tmp_path / "link", tmp_path / "hard"
    link.symlink_to(path)
    with ketch.edit(link) as d:
        d["debug"] = 1
    assert link.is_symlink() and path.read_text() == YAML.replace("yes", "1")
    hard.hardlink_to(path)
    with pytest.raises(ketch.FileError) as raised, ketch.edit(path) as d:
        d["debug"] = 2
    assert raised.value.name == "not-replaced" and "write_through=True" in str(raised.value)
    with ketch.edit(path, write_through=True) as d:
        d["debug"] = 2
    assert path.read_text() == hard.read_text() == YAML.replace("yes", "2")


def test_files_that_cannot_be_read(path, tmp_path):
    with pytest.raises(FileNotFoundError, match="ketch.edit_text edits text"):
        ketch.edit(tmp_path / "absent")
    with pytest.raises(FileNotFoundError, match="edit_text"):
        ketch.edit("a: 1\n")
    with pytest.raises(ValueError, match="not a regular file"):
        ketch.edit(tmp_path)
    with pytest.raises(TypeError, match="edit_text"):
        ketch.edit(path.open())
    with pytest.raises(OSError, match="not from a file"):
        ketch.edit_text("a: 1\n").save()
    with ketch.edit_text("a: 1\n") as d:
        d["a"] = 2
    assert d.text == "a: 2\n"
    path.write_bytes(b"a: [1\n")
    with pytest.raises(ketch.YamlSyntaxError) as raised:
        ketch.edit(path)
    assert raised.value.file == str(path)


def test_a_killed_process_leaves_the_old_or_the_new_file(path):
    """At whatever moment the process is killed, the file has the old or the new content."""
    code = """
import ketch, sys
edit = ketch.edit
print("started", flush=True)
for number in range(10**9):
    with edit(sys.argv[1]) as d:
        d["limits"]["cpu"] = number % 2 + 20
"""
    allowed = {YAML, *(YAML.replace("0x10", str(20 + number)) for number in (0, 1))}
    chance = random.Random(19)
    # On a busy machine, a child may be killed before its first save.
    for count in range(1, 201):
        child = subprocess.Popen([sys.executable, "-c", code, str(path)], stdout=subprocess.PIPE)
        child.stdout.read(7)
        time.sleep(chance.random() / 20 + 0.005)
        child.kill()
        child.communicate()
        assert path.read_text() in allowed
        if count >= 15 and path.read_text() != YAML:
            return
    raise AssertionError("no child has saved")

"""Checks what an import costs, and that modules are imported when they are first used."""

import os
import subprocess
import sys

import ketch
import pytest


def printed(program):
    """Return what a program prints that runs in a process of its own."""
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return result.stdout.split()


def processor_time(program):
    """Return the seconds of processor time of a process that runs a program."""
    process = subprocess.Popen([sys.executable, "-c", program])
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return used.ru_utime + used.ru_stime


def test_modules_are_attributes_of_the_package():
    for name in "yaml", "extprot":
        program = f"import ketch; print(ketch.{name}.__name__, '{name}' in dir(ketch))"
        assert printed(program) == [f"ketch.{name}", "True"]
    program = "import ketch; print(*[name for name in ketch.__all__ if getattr(ketch, name) is None])"
    assert printed(program) == []
    assert set(ketch.__all__) <= set(dir(ketch))
    with pytest.raises(AttributeError, match="'ketch' has no attribute 'unknown'"):
        ketch.unknown


@pytest.mark.parametrize("module", ["ketch", "ketch.yaml"])
def test_an_import_loads_only_what_it_needs(module):
    # A tool that starts with Python, such as one that measures coverage, may load them, too.
    program = f"import sys; before = set(sys.modules); import {module}; print(*(sys.modules.keys() - before))"
    loaded = set(printed(program))
    assert module in loaded
    unwanted = {"typing", "dataclasses", "inspect", "json", "contextlib", "ketch._edit", "ketch._document", "ketch._typed"}
    assert loaded.isdisjoint(unwanted)
    assert module == "ketch.yaml" or "ketch.yaml" not in loaded


def test_the_import_of_the_interface_of_pyyaml_is_as_fast_as_pyyaml():
    # The first run may compile the modules.
    programs = {name: f"import {name}" for name in ("yaml", "ketch.yaml")}
    times = {name: [processor_time(program)] for name, program in programs.items()}
    for _ in range(15):
        for name, program in programs.items():
            times[name].append(processor_time(program))
    assert min(times["ketch.yaml"]) <= 1.3 * min(times["yaml"]), times

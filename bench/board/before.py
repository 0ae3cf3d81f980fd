"""Compares this tree with a commit: builds the commit with the benchmarks of this tree, and measures both in turns."""

from __future__ import annotations

import copy
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import table
from record import Record
from rows import BENCH, Row, Wrong
from runners import ROOT, Failed, Host, hosts

#: What the commit gets from this tree, so that both are measured by the same code.
BENCHMARKS = ["bench", "bindings/ruby/bench", "bindings/python/bench", "bindings/jvm/bench"]
SLOWER = 0.97


def rows(all_: list[Row], commit: str) -> list[Row]:
    """Return the rows with the commit as their only rival."""
    changed = []
    for row in all_:
        row = copy.copy(row)
        row.before, row.floors, row.claims, row.floor_of = commit, [], {}, {}
        changed.append(row)
    return changed


def git(*words: str) -> str:
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Wrong(f"git {' '.join(words)}: {done.stderr.strip()}")
    return done.stdout.strip()


def checkout(commit: str) -> Path:
    """Return the folder with the files of a commit, and the benchmarks of this tree."""
    folder = ROOT / ".cache/board/before"
    name = git("rev-parse", "--verify", f"{commit}^{{commit}}")
    if not (folder / ".git").exists():
        shutil.rmtree(folder, ignore_errors=True)
        git("worktree", "prune")
        git("worktree", "add", "--force", "--detach", str(folder), name)
    git("-C", str(folder), "checkout", "--quiet", "--force", "--detach", name)
    # Nothing is left of its benchmarks.
    git("-C", str(folder), "rm", "-r", "--force", "--quiet", "--ignore-unmatch", *BENCHMARKS)
    for part in BENCHMARKS:
        shutil.copytree(ROOT / part, folder / part, dirs_exist_ok=True, ignore=shutil.ignore_patterns("out", "target", "__pycache__"))
    # The inputs and the sources of rivals are the same.
    out = folder / "bench/out"
    out.mkdir(exist_ok=True)
    for entry in ("corpus", "inputs", "sources", "packages", "gems", "tools"):
        if (BENCH / "out" / entry).exists() and not (out / entry).exists():
            os.symlink(BENCH / "out" / entry, out / entry)
    return folder


def build(commit: str, rows_: list[Row], built: dict[tuple[str, str], Host], absent: dict[str, str]) -> dict[tuple[str, str], Host]:
    """Build the runners of the commit."""
    folder = checkout(commit)
    found = {}
    for name in dict.fromkeys(row.host for row in rows_ if (row.host, "") in built):
        host = hosts(folder)[name]
        table.progress(f"building the runner of {name} at {commit}")
        try:
            host.build()
            found[name, commit] = host
        except Failed as error:
            absent[f"{name} at {commit}"] = str(error)
    return found


def slower(found: Record, again: Callable[[dict[str, Any]], Record]) -> list[str]:
    """Return the lines that are slower than at the commit, and stay so when they are measured again."""
    suspects = [line for line in found.lines if is_slower(line)]
    problems = []
    for line in suspects:
        repeated = again({"rows": [line["row"]], "hosts": [line["host"]], "inputs": [line["input"]]})
        for other in repeated.lines:
            if (other["row"], other["host"], other["input"]) == (line["row"], line["host"], line["input"]) and is_slower(other):
                both = f"{1 / line['ratio']:.3g} and {1 / other['ratio']:.3g} times the time"
                problems.append(f"{line['row']} on {line['host']}, {line['input']}: slower than {line['rival']}: {both}")
    return problems


def is_slower(line: dict[str, Any]) -> bool:
    return "ratio" in line and line["high"] < 1 and line["ratio"] < SLOWER

"""Reads the rows: what is measured, on which inputs, beside which rivals, and what is claimed.

A row in `bench/rows/*.toml` has these fields:

    name         such as "yaml.load"; unique together with its host
    host         the runner
    operation    what the runner is asked to do (default: the name)
    ours         the engine of Ketch (default: "ketch")
    rivals       engines; of another host, "java:joni"
    floors       engines that only show where the limit is: their results are not compared, and no colour is given
    inputs       names of inputs, or of groups: "@real", "@generated", "@shapes"
    quick        the inputs of --quick (default: the first); none if the row is not a part of it
    figure       what decides: "total", the CPU time (the default), or "peak", the memory
    work         what counts as equal work, and what does not
    source       where the row is from, if another project had it
    most_bytes   a table: the longest input for a slow rival
    known        rivals that differ or fail, as "rival" or "rival: input"; with an asterisk for any part
    claims       a table: rival = { mean = 3.9, worst = 2.4 }
    floor_of     a table: input = 1.5, the lowest ratio to the fastest rival on this input
"""

from __future__ import annotations

import fnmatch
import subprocess
import sys
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import inputs

BENCH = Path(__file__).resolve().parents[1]


class Wrong(Exception):
    """The command line or a row is wrong."""


@dataclass(frozen=True)
class Side:
    """An engine on a host, of this tree or, if `commit` is set, of another one."""

    host: str
    engine: str
    commit: str = ""

    def shown(self, host: str) -> str:
        if self.commit:
            return self.commit
        return self.engine if self.host == host else f"{self.host}:{self.engine}"


@dataclass
class Row:
    name: str
    host: str
    work: str
    inputs: list[str]
    rivals: list[str] = field(default_factory=list)
    operation: str = ""
    ours: str = "ketch"
    figure: str = "total"
    floors: list[str] = field(default_factory=list)
    quick: list[str] | None = None
    source: str = ""
    most_bytes: dict[str, int] = field(default_factory=dict)
    known: list[str] = field(default_factory=list)
    claims: dict[str, dict[str, float]] = field(default_factory=dict)
    floor_of: dict[str, float] = field(default_factory=dict)
    #: The commits that are measured instead of the rivals.
    before: str = ""

    def subject(self) -> Side:
        return Side(self.host, self.ours)

    def others(self) -> list[Side]:
        if self.before:
            return [Side(self.host, self.ours, self.before)]
        return [self.side(name) for name in self.rivals + self.floors]

    def side(self, name: str) -> Side:
        host, _, engine = name.rpartition(":")
        return Side(host or self.host, engine)

    def is_floor(self, side: Side) -> bool:
        return not side.commit and side.shown(self.host) in self.floors

    def is_known(self, rival: str, given: str) -> bool:
        """Return whether the row says that this rival differs or fails on this input."""
        for known in self.known:
            name, _, only = known.partition(": ")
            if fnmatch.fnmatch(rival, name) and fnmatch.fnmatch(given, only or "*"):
                return True
        return False


def load(folder: Path = BENCH / "rows") -> list[Row]:
    """Return all rows, and fail if one of them has an unknown field or lacks one."""
    rows: list[Row] = []
    for path in sorted(folder.glob("*.toml")):
        for table in read(path).get("row", []):
            try:
                row = Row(**table)
            except TypeError as error:
                raise Wrong(f"{path.name}: {table.get('name', 'a row')}: {error}") from None
            row.operation = row.operation or row.name
            if not row.inputs or not row.rivals and not row.floors:
                raise Wrong(f"{path.name}: {row.name}: needs inputs, and rivals or floors")
            if any((row.name, row.host) == (other.name, other.host) for other in rows):
                raise Wrong(f"{path.name}: {row.name}: there are two on {row.host}")
            rows.append(row)
    return rows


def read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text())
    except tomllib.TOMLDecodeError as error:
        raise Wrong(f"{path}: {error}") from None


def chosen(rows: list[Row], patterns: list[str], hosts: list[str]) -> list[Row]:
    """Return the rows with these names on these hosts. A pattern that names nothing is an error."""
    for pattern in patterns:
        if not any(fnmatch.fnmatch(row.name, pattern) for row in rows):
            raise Wrong(f"no row is called {pattern}; there are {', '.join(sorted({row.name for row in rows}))}")
    known = {row.host for row in rows}
    for host in hosts:
        if host not in known:
            raise Wrong(f"no row is on the host {host}; the hosts are {', '.join(sorted(known))}")
    wanted = [row for row in rows if not hosts or row.host in hosts]
    return [row for row in wanted if not patterns or any(fnmatch.fnmatch(row.name, pattern) for pattern in patterns)]


class Inputs:
    """The files that rows name. `bench/corpus` fetches the real ones, `inputs.py` makes some, and the Rust runner the others."""

    def __init__(self, out: Path) -> None:
        self.out = out
        definitions = BENCH / "definitions"
        self.real = [file["name"] for file in read(definitions / "corpus.toml")["file"]]
        made = [file["name"] for file in read(definitions / "generated.toml")["file"]]
        shapes = [name for name in made if name.startswith("shape_")]
        self.groups = {"@real": self.real, "@generated": [name for name in made if name not in shapes], "@shapes": shapes}

    def names(self, row: Row, is_quick: bool) -> list[str]:
        listed = row.inputs if not is_quick else row.inputs[:1] if row.quick is None else row.quick
        names: list[str] = []
        for name in listed:
            if name.startswith("@") and name not in self.groups:
                raise Wrong(f"{row.name}: no group of inputs is called {name}")
            names += self.groups.get(name, [name])
        return names[:1] if is_quick and row.quick is None else names

    def fetch(self) -> None:
        """Fetch the real files that are missing. `bench/corpus` says which it cannot fetch."""
        if not all((self.out / "corpus" / name).is_file() for name in self.real):
            subprocess.run([BENCH / "corpus"], stdout=sys.stderr, check=False)

    def path(self, name: str) -> Path | None:
        """Return the path of an input, or `None` if it is not there."""
        fetched = self.out / "corpus" / name
        return fetched if fetched.is_file() else inputs.make(self.out / "inputs", name)

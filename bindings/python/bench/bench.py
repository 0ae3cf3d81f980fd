"""Compares the speed of the package with that of other libraries. `run` sets it up."""

from __future__ import annotations

import argparse
import datetime
import functools
import json
import math
import os
import pickle
import platform
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ketch
from ketch import extprot

import modes
import peers
from timing import compared

BENCH = Path(__file__).resolve().parents[3] / "bench"
CORPUS = BENCH / "out/corpus"
sys.path.append(str(BENCH))
import plot  # noqa: E402

class Table:
    """Ratios, by library and file."""

    def __init__(self, mode: str, rounds: int, peers: str = "") -> None:
        self.mode = mode
        self.rounds = rounds
        #: A part of the names of the libraries that `load` measures.
        self.peers = peers
        self.rows: dict[str, dict[str, list[float]]] = {}
        self.versions: dict[str, str] = {}
        #: The reasons why a peer was not measured on a file.
        self.notes: list[str] = []

    def add(self, file: str, ratios: dict[str, list[float]]) -> None:
        for peer, values in ratios.items():
            self.rows.setdefault(peer, {})[file] = values
        print(f"{file}: " + ", ".join(f"{peer} {statistics.median(values):.3g}" for peer, values in ratios.items()), flush=True)

    def print(self) -> None:
        print(f"\n{self.mode}: time of the other library / time of ketch; geometric mean of the medians of {self.rounds} rounds")
        print(f"{'':28}{'mean':>8}{'least':>8}{'most':>8}{'files':>7}{'spread':>8}")
        for peer, files in self.rows.items():
            medians = [statistics.median(values) for values in files.values()]
            mean = math.exp(statistics.fmean(map(math.log, medians)))
            # Half the distance between the quartiles; of this, the median over the files.
            spread = statistics.median(quartiles(values) for values in files.values())
            line = f"{mean:8.3g}{min(medians):8.3g}{max(medians):8.3g}{len(files):7}{spread:7.0%}"
            print(f"{peer:28}{line}  {self.versions.get(peer, '')}")
        for note in self.notes:
            print(note)

    def record(self) -> dict[str, Any]:
        return {
            "mode": self.mode,
            "date": datetime.date.today().isoformat(),
            "python": platform.python_version(),
            "processor": processor(),
            "load": os.getloadavg()[0],
            "rounds": self.rounds,
            "versions": {"ketch": ketch.__version__} | self.versions,
            "ratios": self.rows,
            "notes": self.notes,
        }


def quartiles(values: list[float]) -> float:
    if len(values) < 2:
        return 0.0
    low, middle, high = statistics.quantiles(values, n=4)
    return (high - low) / 2 / middle


def processor() -> str:
    lines = Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").exists() else []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()


def load(table: Table, files: list[Path]) -> None:
    wanted = [peer for peer in peers.YAML + peers.JSON if table.peers in peer.name]
    found, missing = peers.installed(wanted)
    table.versions |= {peer.name: peer.version() for peer, _ in found}
    table.notes += [f"{name}: not installed on this Python" for name in missing]
    for file in files:
        text = file.read_text("utf-8")
        try:
            values = ketch.loads_all(text)
        except ketch.ConstructError as error:
            table.notes.append(f"{file.name}: left out, {error.problem}")
            continue
        as_json = peers.as_json(values)
        calls: dict[str, Callable[[], Any]] = {"ketch": lambda text=text: ketch.loads_all(text)}
        for peer, function in found:
            if len(text) > peer.bytes_max:
                continue
            source = as_json if peer.is_json else text
            if source is None:
                continue
            try:
                made = function(source)
            except Exception as error:  # noqa: BLE001
                table.notes.append(f"{peer.name} refuses {file.name}: {type(error).__name__}")
                continue
            if "tree only" not in peer.name and not is_same(made, values):
                table.notes.append(f"{peer.name} makes other values of {file.name}")
                continue
            calls[peer.name] = lambda function=function, source=source: function(source)
        table.add(file.name, compared(calls, table.rounds))
    # A partial is used because, unlike a lambda, it adds almost nothing to the time of such a
    # short call.
    small = '{"a": [1, "bc"]}'
    calls = {"ketch": functools.partial(ketch.loads, small), "json of 16 bytes": functools.partial(json.loads, small)}
    table.add("16 bytes", compared(calls, table.rounds))


def is_same(made: Any, values: list[Any]) -> bool:
    """Return whether the results are equal. If there is only one document, some libraries return its value
    instead of a list.
    """
    return peers.same(made, values) or len(values) == 1 and peers.same(made, values[0])


def dump(table: Table, files: list[Path]) -> None:
    found, missing = peers.dumpers()
    table.notes += [f"{name}: not installed on this Python" for name in missing]
    for file in files:
        try:
            values = ketch.loads_all(file.read_text("utf-8"))
        except ketch.ConstructError:
            continue
        calls: dict[str, Callable[[], Any]] = {}
        for name, package, function in found:
            try:
                made = function(values)
                # The output must have the same meaning as the values.
                if isinstance(made, str) and name not in ("json", "libfyaml") and not peers.same(ketch.loads_all(made), values):
                    table.notes.append(f"{name} writes other values for {file.name}")
                    continue
            except Exception as error:  # noqa: BLE001
                table.notes.append(f"{name} does not write {file.name}: {type(error).__name__}")
                continue
            table.versions[name] = peers.Peer(name, "", package, id).version()
            calls[name] = lambda function=function, values=values: function(values)
        if "ketch" in calls:
            table.add(file.name, compared(calls, table.rounds))


def binary(table: Table, files: list[Path]) -> None:
    """Compare extprot with pickle, MessagePack, and the MessagePack of msgspec."""
    import msgpack
    import msgspec

    codecs = {
        "pickle": (lambda value: pickle.dumps(value, 5), pickle.loads),
        "msgpack": (msgpack.packb, lambda data: msgpack.unpackb(data, strict_map_key=False)),
        "msgspec.msgpack": (msgspec.msgpack.encode, msgspec.msgpack.decode),
    }
    sizes: dict[str, list[float]] = {}
    for file in files:
        try:
            values = ketch.loads_all(file.read_text("utf-8"))
        except ketch.ConstructError:
            continue
        own = extprot.dumps(values)
        assert peers.same(extprot.loads(own), values)
        loads: dict[str, Callable[[], Any]] = {"ketch": lambda own=own: extprot.loads(own)}
        dumps: dict[str, Callable[[], Any]] = {"ketch": lambda values=values: extprot.dumps(values)}
        for name, (write, read) in codecs.items():
            try:
                data = write(values)
                if not peers.same(read(data), values):
                    raise ValueError("other values")
            except Exception as error:  # noqa: BLE001
                table.notes.append(f"{name} does not hold {file.name}: {type(error).__name__}")
                continue
            sizes.setdefault(name, []).append(len(data) / len(own))
            loads[f"{name}, loads"] = lambda read=read, data=data: read(data)
            dumps[f"{name}, dumps"] = lambda write=write, values=values: write(values)
        table.add(file.name, compared(loads, table.rounds) | compared(dumps, table.rounds))
    for name, ratios in sizes.items():
        mean = math.exp(statistics.fmean(map(math.log, ratios)))
        table.notes.append(f"{name}: {mean:.3g} times the size of extprot")
    modes.messages(table)


def start(table: Table, _: list[Path]) -> None:
    """Measure the time of a new process that imports a module, and the time that `python -X importtime`
    reports.
    """
    calls = {
        name: (lambda name=name: subprocess.run([sys.executable, "-c", f"import {name}"], check=True))
        for name in ("ketch", "yaml", "ruamel.yaml", "json", "msgspec")
    }
    table.add("import", compared(calls, table.rounds, time.perf_counter))
    for name in calls:
        command = [sys.executable, "-X", "importtime", "-c", f"import {name}"]
        times = []
        for _ in range(table.rounds):
            lines = subprocess.run(command, capture_output=True, text=True, check=True).stderr.splitlines()
            # The last line is that of the module: the time of the module itself, and the time
            # including all its imports.
            times.append(int(lines[-1].split("|")[1]))
        table.notes.append(f"python -X importtime, {name}: {min(times) / 1000:.1f} ms at least")


MODES = {"load": load, "dump": dump, "extprot": binary, "start": start} | modes.MODES


def main() -> None:
    parser = argparse.ArgumentParser(prog="run")
    parser.add_argument("mode", choices=MODES)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--peers", default="", help="measure only libraries with this in their names, for load")
    parser.add_argument("--json", type=Path, help="append the record to this file, a line for each run")
    parser.add_argument("--plot", type=Path, help="write a picture of the table, in SVG")
    parser.add_argument("files", nargs="*", type=Path)
    given = parser.parse_intermixed_args()
    table = Table(given.mode, given.rounds, given.peers)
    MODES[given.mode](table, given.files or sorted(path for path in CORPUS.iterdir() if path.is_file()))
    if table.rows:
        table.print()
    if given.json:
        with given.json.open("a") as file:
            file.write(json.dumps(table.record()) + "\n")
    if given.plot:
        given.plot.write_text(plot.bars(table.mode, table.rows))
    print(f"peak of this process: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB")


if __name__ == "__main__":
    main()

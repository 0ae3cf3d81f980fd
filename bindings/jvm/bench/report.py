"""Computes ratios from the lines of `run`'s passes; prints them, and writes them as a record."""

import hashlib
import json
import math
import os
import platform
import re
import statistics
import sys
import tomllib
from pathlib import Path
from typing import Any

from jdk import HERE, processor

ROOT = HERE.parents[2]
#: The artifact that has the version of an engine, by the start of the engine's name.
ARTIFACTS = {
    "SnakeYAML": "snakeyaml",
    "snakeyaml-engine": "snakeyaml-engine",
    "Jackson YAML": "jackson-dataformat-yaml",
    "Jackson JSON": "jackson-databind",
    "MessagePack": "jackson-dataformat-msgpack",
    "CBOR": "jackson-dataformat-cbor",
    "protobuf": "protobuf-java",
    "Yecht": "yecht",
    "plain loop, H2": "h2",
    "plain loop, SQLite": "sqlite-jdbc",
}
Rows = dict[str, dict[str, list[float]]]


class Report:
    """The results of all passes on all JDKs."""

    def __init__(self, part: str, passes: int, flags: list[str]) -> None:
        self.part = part
        self.passes = passes
        self.flags = flags
        self.javas: list[str] = []
        #: The seconds of each sample, for each pass, by JDK, level, file and engine.
        self.samples: dict[tuple[str, str, str, str], list[list[float]]] = {}
        self.bytes: dict[str, int] = {}
        self.left_out: list[dict[str, str]] = []
        self.notes: list[str] = []
        self.versions = {name: version for name, artifact in ARTIFACTS.items() if (version := jar_version(artifact))}

    def add(self, java: str, line: dict[str, Any]) -> None:
        """Add a line of a pass."""
        if java not in self.javas:
            self.javas.append(java)
        if "note" in line:
            self.notes.append(f"JDK {java}: {line['note']}")
        elif "versions" in line:
            self.versions |= line["versions"]
        elif "reason" in line:
            if line not in self.left_out:
                self.left_out.append(line)
        else:
            self.bytes[line["file"]] = line["bytes"]
            for engine, seconds in line["seconds"].items():
                self.samples.setdefault((java, line["level"], line["file"], engine), []).append(seconds)

    def levels(self) -> list[tuple[str, str]]:
        return list(dict.fromkeys((java, level) for java, level, _, _ in self.samples))

    def ours(self, java: str, level: str) -> str:
        """Return the name of Ketch's part, which is the first of each race."""
        return next(key[3] for key in self.samples if key[:2] == (java, level))

    def ratios(self, java: str, level: str) -> Rows:
        """Return the ratio of each pass, by peer and file: the median time of the peer, divided by ours."""
        ours = self.ours(java, level)
        rows: Rows = {}
        for (of_java, of_level, file, engine), passes in self.samples.items():
            if (of_java, of_level) == (java, level) and engine != ours:
                bases = self.samples[java, level, file, ours]
                pairs = zip(passes, bases, strict=True)
                rows.setdefault(engine, {})[file] = [statistics.median(peer) / statistics.median(base) for peer, base in pairs]
        return rows

    def title(self, engine: str) -> str:
        """Return the name of an engine with its version."""
        name = self.library(engine)
        return f"{name} {self.versions[name]}{engine.removeprefix(name)}" if name else engine

    def library(self, engine: str) -> str:
        """Return the longest name in `versions` with which the name of the engine starts."""
        names = [name for name in self.versions if re.match(re.escape(name) + r"\b(?!-)", engine)]
        return max(names, key=len, default="")

    def print(self) -> None:
        for java, level in self.levels():
            print(f"\n{level}, JDK {java}: time of the other / time of {self.ours(java, level)}; passes: {self.passes}")
            rows = self.ratios(java, level)
            width = max([28, *(len(self.title(peer)) for peer in rows)])
            print(f"{'':{width}}{'mean':>8}{'least':>8}{'most':>8}{'inputs':>8}{'spread':>8}")
            for peer, files in rows.items():
                medians = [statistics.median(values) for values in files.values()]
                figures = "".join(f"{value:8.3g}" for value in (mean(medians), min(medians), max(medians)))
                spread = max((max(values) - min(values)) / statistics.median(values) for values in files.values())
                print(f"{self.title(peer):{width}}{figures}{len(files):8}{spread:8.0%}")
            inputs = dict.fromkeys(file for files in rows.values() for file in files)
            for file in inputs if len(inputs) > 1 else ():
                medians = {peer: statistics.median(files[file]) for peer, files in rows.items() if file in files}
                print(f"  {file}: " + ", ".join(f"{self.title(peer)} {ratio:.3g}" for peer, ratio in medians.items()))
        for line in self.left_out:
            print(f"{line['file']}, {line['level']}: without {line['engine']}: {line['reason']}")
        for note in dict.fromkeys(self.notes):
            print(note)

    def record(self) -> dict[str, Any]:
        """Return a record in the format of bench/records, with the ratios of each pass."""
        engines = dict.fromkeys(engine for *_, engine in self.samples)
        return {
            "format": 1,
            "machine": {
                "processor": processor(),
                "cores": os.cpu_count(),
                "target": f"{platform.machine()} {sys.platform}",
                "java": self.javas,
                "load": os.getloadavg()[0],
            },
            "part": self.part,
            "passes": self.passes,
            "engines": [{"name": name, "version": self.versions.get(self.library(name), ""), "flags": " ".join(self.flags)} for name in engines],
            "files": [file_facts(name, size) for name, size in self.bytes.items()],
            "figures": [self.figure(*key) for key in self.samples],
            "ratios": [
                {"java": java, "level": level, "engine": peer, "file": file, "passes": values}
                for java, level in self.levels()
                for peer, files in self.ratios(java, level).items()
                for file, values in files.items()
            ],
            "left_out": self.left_out,
            "notes": list(dict.fromkeys(self.notes)),
        }

    def figure(self, java: str, level: str, file: str, engine: str) -> dict[str, Any]:
        samples = [seconds for values in self.samples[java, level, file, engine] for seconds in values]
        low, middle, high = statistics.quantiles(samples * 2 if len(samples) == 1 else samples, n=4, method="inclusive")
        seconds = {"min": min(samples), "q1": low, "median": middle, "q3": high, "samples": len(samples)}
        return {"engine": engine, "file": file, "level": level, "java": java, "bytes": self.bytes[file], "seconds": seconds}

    def write(self, path: Path) -> None:
        path.write_text(as_lines(self.record()))

    def rows(self) -> Rows:
        """Return the rows of the plot."""
        one_java = len(self.javas) == 1
        rows: Rows = {}
        for java, level in self.levels():
            for peer, files in self.ratios(java, level).items():
                rows[", ".join([self.title(peer), *([] if level == self.part else [level]), *([] if one_java else [java])])] = files
        return rows


def as_lines(record: dict[str, Any]) -> str:
    """Return a record as JSON, with a line for each field, and for each element of a list."""

    def lines(value: Any) -> str:
        return "[\n" + ",\n".join(map(json.dumps, value)) + "\n]" if value and isinstance(value, list) else json.dumps(value)

    return "{\n" + ",\n".join(f"{json.dumps(name)}: {lines(value)}" for name, value in record.items()) + "\n}\n"


def mean(values: list[float]) -> float:
    return math.exp(statistics.fmean(map(math.log, values)))


def jar_version(artifact: str) -> str | None:
    for path in HERE.glob(f"target/dependency/{artifact}-[0-9]*.jar"):
        return path.stem.removeprefix(f"{artifact}-")
    return None


def file_facts(name: str, size: int) -> dict[str, Any]:
    """Return what is known about an input. Only those of the corpus are files with a known content."""
    facts: dict[str, Any] = {"name": name, "about": "", "bytes": size}
    path = ROOT / "bench/out/corpus" / name
    if path.is_file():
        corpus = tomllib.loads((ROOT / "bench/definitions/corpus.toml").read_text())["file"]
        facts["about"] = next((file["about"] for file in corpus if file["name"] == name), "")
        facts["sha256"] = hashlib.sha256(path.read_bytes()).hexdigest()
    return facts

"""Records: results as lines of JSON, their comparison with another record, and the claims that they keep."""

from __future__ import annotations

import datetime
import json
import os
import platform
import subprocess
from pathlib import Path
from typing import Any

from measure import Ratio, Taken, Work, mean, ratio
from rows import Row, Wrong

FORMAT = 1
ROOT = Path(__file__).resolve().parents[2]
#: What the lines of a row on an input have in common, beside the time of Ketch.
SHARED = ("row", "host", "operation", "input", "bytes")
#: How good a status is; what is not here was not measured.
RANKS = {"red": 0, "grey": 1, "green": 2}


def machine() -> dict[str, Any]:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return {
        "processor": names[0] if names else platform.processor(),
        "cores": os.cpu_count(),
        "target": f"{platform.machine()} {platform.system().lower()}",
        "load": round(os.getloadavg()[0], 2),
    }


def commit() -> str:
    done = subprocess.run(["git", "describe", "--always", "--dirty"], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip()


def header(**fields: Any) -> dict[str, Any]:
    date = datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d %H:%M")
    return {"format": FORMAT, "date": date, "commit": commit(), "machine": machine()} | fields


def lines_of(work: Work) -> list[dict[str, Any]]:
    """Return the lines of a row on an input: one for each rival that was measured or has failed, or only one if Ketch has failed.
    A floor that is unable to do this says nothing.
    """
    ours = work.taken[0]
    if ours.status:
        return [about(work, ours)]
    found = (rival for rival in work.rivals() if rival.status or ours.seconds.keys() & rival.seconds.keys())
    return [line_of(work, rival) for rival in found if not (rival.status == "unable" and work.row.is_floor(rival.side))]


def about(work: Work, taken: Taken) -> dict[str, Any]:
    """Return what a line says of an engine without a ratio."""
    row = work.row
    line = {"row": row.name, "host": row.host, "operation": row.operation, "input": work.name, "bytes": work.path.stat().st_size}
    line["rival"] = taken.side.shown(row.host)
    return line | {"status": taken.status, "why": taken.why} if taken.status else line


def line_of(work: Work, rival: Taken) -> dict[str, Any]:
    ours, line = work.taken[0], about(work, rival)
    if rival.status:
        return line
    found: Ratio = ratio(ours, rival)
    status = "floor" if work.row.is_floor(rival.side) else found.colour()
    return line | {
        "status": status,
        "ratio": rounded(found.middle),
        "low": rounded(found.low),
        "high": rounded(found.high),
        "starts": found.starts,
        "rounds": found.rounds,
        "ours": facts(ours),
        "theirs": facts(rival),
    }


def facts(taken: Taken) -> dict[str, Any]:
    return {name: rounded(value) if isinstance(value, float) else value for name, value in (taken.best | taken.sizes).items()}


def rounded(value: float) -> float:
    return float(f"{value:.6g}")


class Record:
    """A record in a file, or only in memory."""

    def __init__(self, head: dict[str, Any], lines: list[dict[str, Any]]) -> None:
        self.head = head
        self.lines = lines

    @staticmethod
    def read(path: Path) -> Record:
        try:
            texts = path.read_text().splitlines()
        except UnicodeDecodeError:
            raise Wrong(f"{path}: not a record of bin/board") from None
        parsed = []
        for number, text in enumerate(texts, 1):
            try:
                parsed.append(json.loads(text))
            except ValueError as error:
                raise Wrong(f"{path}:{number}: not a line of a record: {error}") from None
        if not parsed or not isinstance(parsed[0], dict) or "format" not in parsed[0]:
            raise Wrong(f"{path}: not a record of bin/board")
        if parsed[0]["format"] != FORMAT:
            raise Wrong(f"{path}: has the format {parsed[0]['format']}; this is for format {FORMAT}")
        lines = []
        for number, found in enumerate(parsed[1:], 2):
            try:
                rivals, ours = found.pop("rivals"), found.pop("ours", None)
                lines += [found | rival | ({"ours": ours} if "ratio" in rival else {}) for rival in rivals]
            except (AttributeError, KeyError, TypeError):
                raise Wrong(f"{path}:{number}: not a line of a record") from None
        return Record(parsed[0], lines)

    def write(self, path: Path) -> None:
        """Replace a file by the record, as a whole or not at all. The lines of a row on an input share a line of the file."""
        grouped: dict[tuple[str, ...], dict[str, Any]] = {}
        for line in self.lines:
            shared = {name: line[name] for name in (*SHARED, "ours") if name in line}
            group = grouped.setdefault((line["row"], line["host"], line["input"]), {"rivals": []})
            group["rivals"].append({name: value for name, value in line.items() if name not in shared})
            group |= shared
        groups = ({name: group[name] for name in (*SHARED, "ours", "rivals") if name in group} for group in grouped.values())
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in [self.head, *groups])
        new = path.with_name(f".{path.name}.{os.getpid()}")
        try:
            new.write_text(text)
            new.replace(path)
        finally:
            new.unlink(missing_ok=True)

    def is_quick(self) -> bool:
        return bool(self.head.get("quick"))

    def of_row(self, row: Row) -> list[dict[str, Any]]:
        return [line for line in self.lines if (line["row"], line["host"]) == (row.name, row.host)]


def key(line: dict[str, Any]) -> tuple[str, str, str, str]:
    return line["row"], line["host"], line["input"], line["rival"]


def summary(lines: list[dict[str, Any]]) -> dict[str, tuple[float, float, int]]:
    """Return the mean and the lowest of the ratios, and their number, by rival."""
    ratios: dict[str, list[float]] = {}
    for line in lines:
        if "ratio" in line:
            ratios.setdefault(line["rival"], []).append(line["ratio"])
    return {rival: (mean(values), min(values), len(values)) for rival, values in ratios.items()}


def claims(row: Row, lines: list[dict[str, Any]], is_quick: bool = False) -> list[tuple[str, bool]]:
    """Return what the row claims, and whether each holds. What was not measured is not judged, and neither is the mean of the
    inputs of --quick.
    """
    found = []
    summaries = summary(lines)
    for rival, bounds in row.claims.items():
        if rival not in summaries:
            continue
        values = dict(zip(("mean", "worst"), summaries[rival], strict=False))
        for name, bound in bounds.items():
            if is_quick and name == "mean":
                continue
            of = "the mean over all inputs" if name == "mean" else "each input"
            found.append((f"{bound:g} times {rival} for {of}: {values[name]:.3g}", values[name] >= bound))
    for name, bound in row.floor_of.items():
        ratios = [line["ratio"] for line in lines if line["input"] == name and "ratio" in line and line["status"] != "floor"]
        if ratios:
            found.append((f"{bound:g} times all rivals for {name}: {min(ratios):.3g}", min(ratios) >= bound))
    return found


def problems(found: Record, rows: list[Row]) -> list[str]:
    """Return the rivals that failed or differ, and the rows do not say so."""
    by_name = {(row.name, row.host): row for row in rows}
    wrong = []
    for line in found.lines:
        row = by_name.get((line["row"], line["host"]))
        if line["status"] in ("failed", "differs") and not (row and row.is_known(line["rival"], line["input"])):
            wrong.append(f"{line['row']} on {line['host']}, {line['input']}: {line['rival']}: {line['status']}: {line['why']}")
    return wrong


def worse(old: Record, new: Record, rows: list[Row]) -> list[str]:
    """Return what has become worse: a new red, a claim that was kept, a row that is gone."""
    before = {key(line): line for line in old.lines}
    after = {key(line): line for line in new.lines}
    ours = {(row.name, row.host): row.ours for row in rows}
    problems = []
    for at, line in before.items():
        now = after.get(at) or after.get((*at[:3], ours.get(at[:2], "")))
        shown = " ".join(at)
        if now is None:
            problems.append(f"{shown}: is gone")
        elif RANKS.get(now["status"], 2) == 0 and RANKS.get(line["status"], 0) > 0:
            problems.append(f"{shown}: red ({now['ratio']:.3g}), was {line['status']} ({line['ratio']:.3g})")
        elif line["status"] in RANKS and "ratio" not in now:
            problems.append(f"{shown}: {now['status']} ({now.get('why', '')}), was {line['status']}")
    for row in rows:
        kept = {text.split(":")[0] for text, holds in claims(row, old.of_row(row), old.is_quick()) if holds}
        for text, holds in claims(row, new.of_row(row), new.is_quick()):
            if not holds and text.split(":")[0] in kept:
                problems.append(f"{row.name} on {row.host}: missed, was kept: {text}")
    return problems

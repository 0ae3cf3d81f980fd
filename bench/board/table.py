"""The table on the terminal, in the old manner: user, system, total and real seconds of the best sample."""

from __future__ import annotations

import os
import sys
from typing import Any

from record import Record, claims, summary
from rows import Row

COLOURS = {"green": "32", "red": "31", "grey": "90", "differs": "33", "failed": "33", "unable": "90", "floor": "36"}


def coloured(word: str, text: str) -> str:
    if not sys.stdout.isatty() or "NO_COLOR" in os.environ:
        return text
    return f"\033[{COLOURS[word]}m{text}\033[0m"


def print_row(row: Row, lines: list[dict[str, Any]], is_quick: bool) -> None:
    print(f"\n{row.name} on {row.host}" + (f" ({row.source})" if row.source else ""))
    names = {line["rival"] for line in lines} | {row.ours}
    width = min(28, max(len(name) for name in names))
    head = "".join(f"{name:>11}" for name in ("user", "system", "total", "real"))
    for name in dict.fromkeys(line["input"] for line in lines):
        of_input = [line for line in lines if line["input"] == name]
        measured = [line for line in of_input if "ours" in line]
        rounds = f", best of {measured[0]['rounds']}" if measured else ""
        print(f"  {name}, {of_input[0]['bytes']:,} bytes{rounds}")
        print(f"    {'':{width}}{head}")
        if measured:
            best = min((line["ours"] for line in measured), key=lambda ours: float(ours["total"]))
            print(f"    {row.ours[:width]:{width}}{seconds(best)}{written(best)}")
        for line in of_input:
            print(f"    {line['rival'][:width]:{width}}{result(line)}")
    for rival, (mean_, least, count) in summary(lines).items():
        if count > 1:
            print(f"  {rival}: mean {mean_:.3g}, least {least:.3g}, of {count}")
    for text, holds in claims(row, lines, is_quick):
        print(coloured("green" if holds else "red", f"  claim {'kept' if holds else 'missed'}: {text}"))


def seconds(facts: dict[str, Any]) -> str:
    values = (facts[name] for name in ("user", "system", "total", "real"))
    return "".join(f"{value:11.6f}" if value is not None else f"{'':>11}" for value in values)


def result(line: dict[str, Any]) -> str:
    if "ratio" not in line:
        return coloured(line["status"], f"  {line['status']}: {line['why']}")
    text = f"{line['ratio']:.3g} times ({line['low']:.3g} to {line['high']:.3g})"
    return f"{seconds(line['theirs'])}  " + coloured(line["status"], f"{line['status']}, {text}") + written(line["theirs"])


def written(facts: dict[str, Any]) -> str:
    return f", writes {facts['bytes']:,} bytes, {facts['zstd_bytes']:,} with zstd" if "zstd_bytes" in facts else ""


def print_end(record: Record) -> None:
    for name, why in record.head["absent"].items():
        print(f"absent: {name}: {why}")
    counts: dict[str, int] = {}
    for line in record.lines:
        counts[line["status"]] = counts.get(line["status"], 0) + 1
    shown = ", ".join(coloured(word, f"{counts[word]} {word}") for word in COLOURS if word in counts)
    print(f"\n{shown or 'nothing was measured'}")
    noise = record.head["noise"]
    if noise["is_noisy"]:
        print(f"the machine was noisy: the same work took {noise['spread']:.0%} longer or shorter, and waited {noise['waited']:.0%}")


def progress(text: str) -> None:
    """Show what is being done, only on a terminal."""
    if sys.stderr.isatty():
        width = os.get_terminal_size(sys.stderr.fileno()).columns - 1
        print(f"\r\033[K{text[:width]}", end="", file=sys.stderr, flush=True)

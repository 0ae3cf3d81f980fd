"""Writes the tables of the READMEs from a kept record: `bin/board readme`.

A table is between two marks. The first names the records, relative to the repository, of which the last by name is shown, and
then, on a line each, what the table shows: a row, its host, and a rival, each of which may have asterisks for any part. Words
for the row may follow.

    <!-- figures: bench/records/*.jsonl
    yaml.load python PyYAML, CSafeLoader = YAML to objects
    extprot.* ruby *
    -->
    ...
    <!-- figures: end -->
"""

from __future__ import annotations

import difflib
import fnmatch
import re
import sys
from pathlib import Path

from record import Record, summary
from rows import BENCH, Wrong

ROOT = BENCH.parent
TABLE = re.compile(r"(<!-- figures: (\S+)\n(.*?)\n-->\n).*?(<!-- figures: end -->)", re.S)


def pages() -> list[Path]:
    """Return the pages with tables."""
    found = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("bench/**/README.md"), *ROOT.glob("bindings/*/README.md")]
    return sorted(path for path in found if "bench/out" not in str(path) and re.search("^<!-- figures: ", path.read_text(), re.M))


def rewrite(text: str, up: str = "") -> str:
    """Return a page with the figures of its records. `up` leads from the folder of the page to the repository."""

    def table(match: re.Match[str]) -> str:
        opened, pattern, wanted, closed = match.groups()
        kept = sorted(ROOT.glob(pattern))
        if not kept:
            raise Wrong(f"no record is called {pattern}")
        name = kept[-1].relative_to(ROOT).as_posix()
        return f"{opened}\n{made(Record.read(kept[-1]), name, wanted.splitlines(), up)}\n\n{closed}"

    if len(re.findall("^<!-- figures: ", text, re.M)) != 2 * len(TABLE.findall(text)):
        raise Wrong("a mark `<!-- figures: ... -->` has no end, or names no rows")
    return TABLE.sub(table, text)


def made(record: Record, name: str, wanted: list[str], up: str) -> str:
    """Return a table with a row for each pair of what is wanted."""
    machine = record.head["machine"]
    lines = ["| row | on | compared with | mean | least | inputs |", "|---|---|---|---|---|---|"]
    for spec in wanted:
        spec, _, words = spec.partition(" = ")
        row, host, rival = spec.split(" ", 2)
        of_row: dict[tuple[str, str], list[dict[str, object]]] = {}
        for line in record.lines:
            names = ((line["row"], row), (line["host"], host), (line["rival"], rival))
            if all(fnmatch.fnmatchcase(found, pattern) for found, pattern in names):
                of_row.setdefault((line["row"], line["host"]), []).append(line)
        summaries = {key: summary(found) for key, found in of_row.items()}
        if not any(summaries.values()):
            raise Wrong(f"{name} has no figures for `{spec}`")
        for (row, host), rivals in summaries.items():
            for rival, (mean, least, count) in rivals.items():
                shown = words or f"`{row}`"
                lines.append(f"| {shown} | {host} | {rival} | {short(mean)} | {short(least)} | {count} |")
    date = record.head["date"].split()[0]
    inputs = "a few inputs of each row" if record.is_quick() else "all inputs"
    about = f"By `bin/board`, {date}, with {inputs}, on {machine['processor']} with {machine['cores']} cores ([record]({up}{name}))."
    return "\n".join([*lines, "", about])


def short(number: float) -> str:
    return f"{number:.0f}" if number >= 99.5 else f"{number:.1f}" if number >= 9.95 else f"{number:.2f}"


def run(only_checks: bool) -> int:
    """Write the tables, or say which are not those of the records. Return the exit code."""
    code = 0
    for path in pages():
        old = path.read_text()
        new = rewrite(old, "../" * (len(path.relative_to(ROOT).parts) - 1))
        if old == new:
            continue
        if only_checks:
            shown = path.relative_to(ROOT)
            changes = difflib.unified_diff(old.splitlines(), new.splitlines(), str(shown), "by `bin/board readme`", lineterm="", n=0)
            print("\n".join(changes), file=sys.stderr)
            code = 1
        else:
            path.write_text(new)
    return code

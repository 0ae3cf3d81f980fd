"""Writes the tables of the READMEs from a kept record: `bin/board readme`.

A table is between two marks. The first names the record, relative to the repository, and then, on a line each, what the
table shows: a row, its host, and a rival, of which the first two may have an asterisk for any part.

    <!-- figures: bench/records/board.jsonl
    yaml.load python PyYAML, CSafeLoader
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
    return sorted(path for path in found if "bench/out" not in str(path) and "<!-- figures:" in path.read_text())


def rewrite(text: str) -> str:
    """Return a page with the figures of its records."""

    def table(match: re.Match[str]) -> str:
        opened, name, wanted, closed = match.groups()
        return f"{opened}\n{made(Record.read(ROOT / name), name, wanted.splitlines())}\n\n{closed}"

    return TABLE.sub(table, text)


def made(record: Record, name: str, wanted: list[str]) -> str:
    """Return a table with a row for each pair of what is wanted."""
    machine = record.head["machine"]
    lines = ["| operation | on | compared with | times as fast | least | inputs |", "|---|---|---|---|---|---|"]
    for spec in wanted:
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
                lines.append(f"| `{row}` | {host} | {rival} | {short(mean)} | {short(least)} | {count} |")
    date = record.head["date"].split()[0]
    about = f"By `bin/board`, {date}, on a shared {machine['processor']} with {machine['cores']} cores ([record](/{name}))."
    return "\n".join([*lines, "", about])


def short(number: float) -> str:
    return f"{number:.0f}" if number >= 99.5 else f"{number:.1f}" if number >= 9.95 else f"{number:.2f}"


def run(only_checks: bool) -> int:
    """Write the tables, or say which are not those of the records. Return the exit code."""
    code = 0
    for path in pages():
        old = path.read_text()
        new = rewrite(old)
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

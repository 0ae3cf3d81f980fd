"""Measures every operation of Ketch beside its rivals; `docs/board.md` explains it."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

import before
import figures
import record
import table
from measure import Noise, Work, measure
from record import Record
from rows import BENCH, Inputs, Row, Wrong, chosen, load
from runners import Failed, Host, Pool, hosts

OUT = BENCH / "out"


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="bin/board",
        description="Measures every operation of Ketch beside its rivals, and says for each which is faster.",
        epilog="Exit codes: 0 measured, nothing worse; 1 something is worse, failed or differs; 2 wrong options or rows; "
        "3 a file cannot be read or written; 130 ended by Ctrl-C. docs/board.md explains the figures.",
    )
    words = lambda text: text.split(",")  # noqa: E731
    parser.add_argument("--rows", type=words, default=[], metavar="NAMES", help="only these rows: yaml.load,extprot.*")
    parser.add_argument("--hosts", type=words, default=[], metavar="NAMES", help="only these hosts: rust,ruby,command,...")
    parser.add_argument("--inputs", type=words, default=[], metavar="NAMES", help="only these inputs of the rows")
    parser.add_argument("--quick", action="store_true", help="a chosen part, within a few minutes")
    parser.add_argument("--starts", type=int, help="how often each runner is started (3)")
    parser.add_argument("--rounds", type=int, help="the rounds of each start (7; 5 with --quick)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the record to this file")
    parser.add_argument("--html", type=Path, metavar="DIR", help="write a page to look at into this folder")
    parser.add_argument("--from", type=Path, metavar="RECORD", dest="kept", help="measure nothing: show this record")
    parser.add_argument("--against", type=Path, metavar="RECORD", help="fail if something is worse than in this record")
    parser.add_argument("--accept", action="store_true", help="with --against: write the new record there")
    parser.add_argument("--before", metavar="COMMIT", help="compare with this commit instead of with rivals")
    parser.add_argument("--list", action="store_true", help="list the rows, and what is measured")
    parser.add_argument("readme", nargs="?", choices=["readme"], help="write the tables of the READMEs from the kept records")
    parser.add_argument("--check", action="store_true", help="with readme: only compare")
    given = parser.parse_args()
    for name in ("starts", "rounds"):
        if (getattr(given, name) or 1) < 1:
            parser.error(f"--{name}: expected at least 1")
    if given.accept and not given.against:
        parser.error("--accept needs --against RECORD")
    if given.check and not given.readme:
        parser.error("--check belongs to `bin/board readme`")
    return given


def usable(rows: list[Row], known: dict[str, Host], absent: dict[str, str]) -> dict[tuple[str, str], Host]:
    """Build the hosts of the rows and of their rivals, but no host only for a floor. Those that cannot be built are absent."""
    wanted = dict.fromkeys(side.host for row in rows for side in [row.subject(), *row.others()] if not row.is_floor(side))
    found = {}
    for name in wanted:
        host = known.get(name)
        why = host.missing() if host else "no such host in bench/rows/hosts.toml"
        if host and not why:
            table.progress(f"building the runner of {name}")
            try:
                host.build()
            except Failed as error:
                why = str(error)
        if host and not why:
            found[name, ""] = host
        else:
            absent[name] = why
    return found


def works(rows: list[Row], given: argparse.Namespace, absent: dict[str, str]) -> list[Work]:
    """Return all rows on all of their inputs that are there."""
    inputs = Inputs(OUT)
    inputs.fetch()
    found = []
    for row in rows:
        for name in inputs.names(row, given.quick):
            if given.inputs and name not in given.inputs:
                continue
            if path := inputs.path(name):
                found.append(Work(row, name, path))
            else:
                absent[name] = "this input was not fetched, or is made by `bench/build`"
    if given.inputs and not found:
        raise Wrong(f"no row has the input {', '.join(given.inputs)}")
    return found


def run(given: argparse.Namespace, rows: list[Row]) -> tuple[Record, bool]:
    """Measure. Return the record, and whether it is complete."""
    absent: dict[str, str] = {}
    built = usable(rows, hosts(), absent)
    if given.before:
        built |= before.build(given.before, rows, built, absent)
    rows = [row for row in rows if (row.host, "") in built and (not row.before or (row.host, row.before) in built)]
    all_ = works(rows, given, absent)
    for work in all_:
        for taken in work.rivals():
            side = taken.side
            if (side.host, side.commit) not in built:
                taken.status, taken.why = "unable", f"the host {side.host} is absent"
                absent.setdefault(side.host, f"only a floor of {work.row.name} needs it")
    starts = given.starts or 3
    for host in built.values() if given.quick else ():
        host.seconds_to_warm = (host.seconds_to_warm[0] / 2, host.seconds_to_warm[1] / 2)
    noise, versions = Noise(), {}
    is_complete = False
    pool = Pool(built)
    try:
        for start in range(starts):
            for number, work in enumerate(all_):
                able = [built[key] for taken in work.taken if (key := (taken.side.host, taken.side.commit)) in built]
                if not given.starts and start >= min(host.starts_max for host in able):
                    continue
                table.progress(f"start {start + 1} of {starts}, {number + 1} of {len(all_)}: {work.row.name} {work.row.host} {work.name}")
                noise.look()
                measure(work, pool, start, given.rounds or min(5 if given.quick else 7, *(host.rounds_max for host in able)))
            for (host, _), runner in pool.running.items():
                versions[host] = runner.facts
            pool.end()
        is_complete = True
    except KeyboardInterrupt:
        print("\nended; the record is partial", file=sys.stderr)
    finally:
        pool.end()
        table.progress("")
    shown = {host: {"host": facts["host"], "engines": facts["engines"]} for host, facts in sorted(versions.items())}
    head = record.header(hosts=shown, absent=absent, noise=noise.facts(), quick=given.quick, complete=is_complete)
    lines = [line for work in all_ for line in record.lines_of(work)]
    return Record(head, lines), is_complete


def remeasured(given: argparse.Namespace, again: dict[str, Any], rows: list[Row]) -> Record:
    """Measure some rows again."""
    wanted = chosen(rows, again["rows"], again["hosts"])
    return run(argparse.Namespace(**vars(given) | again), wanted)[0]


def show(found: Record, rows: list[Row], given: argparse.Namespace) -> None:
    for row in rows:
        lines = found.of_row(row)
        if lines:
            table.print_row(row, lines, found.is_quick())
    table.print_end(found)
    if given.json:
        found.write(given.json)
    if given.html:
        import page

        page.write(given.html, found, rows)


def main() -> int:
    given = options()
    if given.readme:
        return figures.run(given.check)
    rows = chosen(load(), given.rows, given.hosts)
    if given.list:
        for row in rows:
            print(f"{row.name} on {row.host}: {row.work}")
        return 0
    if given.before:
        rows = before.rows(rows, given.before)
    old = Record.read(given.against) if given.against else None
    if given.kept:
        found, is_complete = Record.read(given.kept), True
    else:
        found, is_complete = run(given, rows)
    show(found, rows, given)
    wrong = record.problems(found, rows)
    if given.before and is_complete:
        wrong += before.slower(found, lambda again: remeasured(given, again, rows))
    if old:
        wrong += record.worse(old, found, rows)
    for problem in wrong:
        print(f"bin/board: {problem}", file=sys.stderr)
    if given.accept and is_complete:
        found.write(given.against)
    return 130 if not is_complete else 1 if wrong else 0


def ended() -> int:
    try:
        return main()
    except Wrong as error:
        print(f"bin/board: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"bin/board: {error.filename or 'standard output'}: {error.strerror}", file=sys.stderr)
        return 3


if __name__ == "__main__":
    sys.exit(ended())

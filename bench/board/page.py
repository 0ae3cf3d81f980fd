"""Writes the page of a record: one file that needs nothing else, and that shows first where Ketch loses.

All text passes through `join`, which escapes it. The page has no script and no time stamp of its own, so the same records give
the same bytes. Each colour has a sign or a word beside it.
"""

from __future__ import annotations

import html
import math
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import record
from measure import mean
from record import Record
from rows import BENCH, Row, Wrong

Line = dict[str, Any]
#: The sign of each status, its word, and what it means. The worst is first.
STATUSES = {
    "red": ("▼", "slower", "the interval of the ratio is below 1"),
    "missed": ("!", "claim missed", "a ratio is lower than the row claims"),
    "failed": ("✕", "failed", "the engine ended with an error"),
    "differs": ("≠", "differs", "the result is not that of Ketch, so it is not timed"),
    "grey": ("≈", "even", "the interval contains 1"),
    "green": ("▲", "faster", "the interval is above 1"),
    "unable": ("–", "unable", "the engine does not do this"),
    "floor": ("◇", "floor", "shows where the limit is, and is not judged"),
}
JUDGED = ("red", "grey", "green")
HOSTS = ["rust", "ruby", "jruby", "python", "java", "command"]
#: Controls, surrogates, and what changes the direction of text.
UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")


class Html(str):
    """Text that is HTML already."""


def join(*parts: Any) -> Html:
    return Html("".join(part if isinstance(part, Html) else html.escape(UNSAFE.sub("\ufffd", str(part))) for part in parts))


def tag(name: str, *inside: Any, **attributes: Any) -> Html:
    """Return an element. `class_` stands for `class`, `aria_label` for `aria-label`; an attribute that is `None` is left out."""
    given = ((key.rstrip("_").replace("_", "-"), value) for key, value in attributes.items() if value is not None)
    shown = "".join(f' {key}="{join(value)}"' for key, value in given)
    return Html(f"<{name}{shown}>{join(*inside)}</{name}>")


def times(ratio: float) -> str:
    places = 0 if ratio >= 99.5 else 1 if ratio >= 9.95 else 2 if ratio >= 0.0995 else 4
    return f"{ratio:,.{places}f}×"


def interval(line: Line) -> str:
    return f"{times(line['low'])} to {times(line['high'])}"


def scaled(value: float | None, units: dict[str, float]) -> str:
    """Return three digits of a value with the unit that suits it; the units begin with the largest."""
    if value is None:
        return "–"
    unit = next((unit for unit, factor in units.items() if value >= factor), list(units)[-1])
    value /= units[unit]
    return f"{value:.0f} {unit}" if value >= 99.5 else f"{value:.3g} {unit}"


def size(bytes_: float | None) -> str:
    return scaled(bytes_, {"GB": 1e9, "MB": 1e6, "kB": 1e3, "B": 1})


def seconds(value: float | None) -> str:
    return scaled(value, {"s": 1, "ms": 1e-3, "µs": 1e-6, "ns": 1e-9})


def count(number: int, word: str) -> str:
    return f"{number:,} {word}{'' if number == 1 else 's'}"


def some(lines: list[Line], most: int = 3) -> str:
    """Return the names of the first inputs."""
    return ", ".join(line["input"] for line in lines[:most]) + (f" and {len(lines) - most} more" if len(lines) > most else "")


def slug(name: str) -> str:
    return re.sub(r"[^\w.-]+", "-", name)


def badge(status: str, text: str = "") -> Html:
    sign, word, _ = STATUSES[status]
    return tag("span", tag("span", sign, aria_hidden="true"), " ", text or word, class_=f"badge {status}")


def worst(statuses: Iterable[str]) -> str:
    found = set(statuses)
    return next((status for status in STATUSES if status in found), "unable")


def lowest(lines: list[Line]) -> Line | None:
    return min((line for line in lines if line["status"] in JUDGED), key=lambda line: float(line["ratio"]), default=None)


def share(lines: list[Line], status: str) -> str:
    """Return the number of lines with this status."""
    return f"{sum(line['status'] == status for line in lines)} of {len(lines)} {STATUSES[status][1]}"


def reason(line: Line) -> str:
    """Return why there is no ratio, without the name of the rival in front."""
    return str(line["why"]).removeprefix(f"{line['rival'].rpartition(':')[2]}: ")


class Part:
    """A row on a host, with its lines. `row` is `None` if `bench/rows` has it no longer."""

    def __init__(self, name: str, host: str, lines: list[Line], row: Row | None, is_quick: bool) -> None:
        self.name, self.host, self.lines, self.row = name, host, lines, row
        self.id = slug(f"{name}-{host}")
        self.measured = [line for line in lines if "ratio" in line]
        self.claims = record.claims(row, lines, is_quick) if row else []
        self.missed = [text for text, holds in self.claims if not holds]
        self.low = lowest(lines)
        unknown = [line["status"] for line in lines if not self.is_known(line)] + ["missed"] * bool(self.missed)
        self.status = worst(unknown or [line["status"] for line in lines])
        self.order = list(STATUSES).index(self.status), self.low["ratio"] if self.low else math.inf, name, host

    def is_known(self, line: Line) -> bool:
        """Return whether the row says that this rival differs or fails. That an engine is unable is never a surprise."""
        is_named = self.row is not None and self.row.is_known(line["rival"], line["input"])
        return line["status"] == "unable" or line["status"] in ("failed", "differs") and is_named

    def rivals(self) -> list[tuple[str, list[Line]]]:
        """Return the lines of each rival, the one with the lowest ratio first."""
        found: dict[str, list[Line]] = {}
        for line in sorted(self.lines, key=lambda line: (line["status"] not in JUDGED, line.get("ratio", 0), line["rival"])):
            found.setdefault(line["rival"], []).append(line)
        return list(found.items())

    def link(self) -> Html:
        return tag("a", tag("code", self.name), " on ", self.host, href=f"#{self.id}")


def parts_of(found: Record, rows: list[Row]) -> list[Part]:
    """Return the rows on their hosts, the worst first."""
    by_name = {(row.name, row.host): row for row in rows}
    lines: dict[tuple[str, str], list[Line]] = {}
    for line in found.lines:
        lines.setdefault((line["row"], line["host"]), []).append(line)
    return sorted((Part(*key, of_row, by_name.get(key), found.is_quick()) for key, of_row in lines.items()), key=lambda part: part.order)


class History:
    """The kept records and this one, by date."""

    def __init__(self, found: Record, folder: Path) -> None:
        records = {}
        for path in sorted(folder.glob("*.jsonl")):
            try:
                kept = Record.read(path)
            except Wrong:
                continue  # It has another format.
            records[kept.head["date"], kept.head["commit"]] = kept
        records[found.head["date"], found.head["commit"]] = found
        self.lines: list[tuple[Line, dict[tuple[str, str, str], dict[str, Line]]]] = []
        for key in sorted(records):
            by_rival: dict[tuple[str, str, str], dict[str, Line]] = {}
            for line in records[key].lines:
                if "ratio" in line:
                    by_rival.setdefault((line["row"], line["host"], line["rival"]), {})[line["input"]] = line
            self.lines.append((records[key].head, by_rival))

    def of(self, part: Part, rival: str) -> list[Line]:
        """Return the means over the inputs that all records with this rival have, with the heads of the records."""
        key = part.name, part.host, rival
        having = [(head, lines[key]) for head, lines in self.lines if key in lines]
        common = sorted(set.intersection(*(set(lines) for _, lines in having))) if len(having) > 1 else []
        found = []
        for head, lines in having if common else []:
            means = {name: mean([lines[at][name] for at in common]) for name in ("ratio", "low", "high")}
            found.append(head | means | {"inputs": len(common)})
        return found


class Axis:
    """A logarithmic scale from one coordinate to another."""

    STEPS = ([1, 1.1, 1.2, 1.3, 1.4, 1.6, 1.8, 2, 2.5, 3, 4, 5, 6, 7, 8, 9], [1, 1.2, 1.5, 2, 3, 5, 7], [1, 2, 5], [1])

    def __init__(self, values: Iterable[float], start: float, end: float) -> None:
        values = list(values)
        self.low, self.high, self.start, self.end = min(values), max(values), start, end

    def at(self, value: float) -> float:
        share = math.log(max(value, 1e-9) / self.low) / math.log(self.high / self.low)
        return round(self.start + share * (self.end - self.start), 1)

    def ticks(self, most: int) -> list[float]:
        powers = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
        for steps in self.STEPS:
            found = [tick for power in powers for step in steps if self.low <= (tick := step * 10.0**power) <= self.high]
            if len(found) <= most:
                return found
        return found[:: math.ceil(len(found) / most)]


def ratio_axis(lines: Iterable[Line], start: float, end: float) -> Axis:
    ends = [line[name] for line in lines if "ratio" in line for name in ("low", "high")]
    return Axis([min([0.85, *ends]) / 1.06, max([1.2, *ends]) * 1.06], start, end)


def size_axis(lines: Iterable[Line], start: float, end: float) -> Axis:
    sizes = [max(line["bytes"], 1) for line in lines]
    wide = 1.25 if max(sizes) > 4 * min(sizes) else 4
    return Axis([min(sizes) / wide, max(sizes) * wide], start, end)


#: The marks as paths. That of green is a point, which becomes a disc by the ends of its stroke.
MARKS = {"green": "h0", "grey": "m-2.6 0a2.6 2.6 0 1 0 5.2 0a2.6 2.6 0 1 0-5.2 0", "red": "m-4-3h8l-4 7z", "floor": "m0-4l4 4-4 4-4-4z"}
#: The edges of a plot. If there is one by date, that by size ends, and that by date begins, at these coordinates.
LEFT, RIGHT, TOP, BOTTOM = 34, 308, 8, 148
SPLIT = 208, 236


def marks(points: Iterable[tuple[float, float, str]]) -> Html:
    """Draw marks, the worst above the others."""
    paths: dict[str, str] = {}
    for x, y, status in points:
        paths[status] = paths.get(status, "") + f"M{x:g} {y:g}{MARKS[status]}"
    return join(*(tag("path", d=paths[status], class_=f"mark {status}") for status in reversed(STATUSES) if status in paths))


def ratios(points: list[tuple[float, Line]], y: Axis) -> Html:
    """Draw ratios with their intervals."""
    bars = "".join(f"M{x:g} {y.at(line['low']):g}V{y.at(line['high']):g}" for x, line in points)
    return join(tag("path", d=bars, class_="interval"), marks((x, y.at(line["ratio"]), line["status"]) for x, line in points))


def label(x: float, y: float, text: str, anchor: str) -> Html:
    return tag("text", text, x=f"{x:g}", y=f"{y:g}", text_anchor=anchor)


def frame(left: float, right: float, y: Axis, is_judged: bool) -> Html:
    """Draw the ground of a plot: the line of equal speed, and the area in which Ketch is slower."""
    one = y.at(1)
    below = tag("rect", x=left, y=one, width=right - left, height=round(BOTTOM - one, 1), class_="slower") if is_judged else ""
    grid = "".join(f"M{left} {y.at(tick):g}H{right}" for tick in y.ticks(5))
    return join(below, tag("path", d=grid, class_="grid"), tag("path", d=f"M{left} {one:g}H{right}", class_="one"))


def plot(part: Part, rival: str, lines: list[Line], y: Axis, past: list[Line]) -> Html:
    """Draw the ratios of a rival by the size of the input, and their mean by the date of the record."""
    right, is_judged = SPLIT[0] if past else RIGHT, lines[0]["status"] != "floor"
    x = size_axis(part.measured, LEFT + 6, right - 6)
    drawn = [frame(LEFT, right, y, is_judged), *(label(LEFT - 5, y.at(tick) + 4, f"{tick:g}", "end") for tick in y.ticks(5))]
    drawn += [label(x.at(tick), BOTTOM + 16, size(tick), "middle") for tick in x.ticks(3 if past else 5)]
    drawn.append(ratios([(x.at(line["bytes"]), line) for line in lines], y))
    if past:
        drawn.append(by_date(past, y, is_judged))
    name = f"{part.id}-{slug(rival)}"
    title = tag("title", f"{part.name} on {part.host}: Ketch beside {rival}", id=f"{name}-title")
    about = tag("desc", described(lines) + "".join(f"; {times(at['ratio'])} on {at['date'][:10]}" for at in past), id=f"{name}-about")
    names = {"aria_labelledby": f"{name}-title", "aria_describedby": f"{name}-about"}
    return tag("svg", title, about, *drawn, viewBox=f"0 0 320 {BOTTOM + 20}", role="img", **names)


def by_date(past: list[Line], y: Axis, is_judged: bool) -> Html:
    points, line, processor = [], "", ""
    for number, point in enumerate(past):
        x = round(SPLIT[1] + 6 + number * (RIGHT - SPLIT[1] - 12) / (len(past) - 1), 1)
        # The line is broken where the machine changes.
        line += f"{'L' if point['machine']['processor'] == processor else 'M'}{x:g} {y.at(point['ratio']):g}"
        processor = point["machine"]["processor"]
        colour = "green" if point["low"] > 1 else "red" if point["high"] < 1 else "grey"
        points.append((x, point | {"status": colour if is_judged else "floor"}))
    dates = label(SPLIT[1], BOTTOM + 16, past[0]["date"][5:10], "start"), label(RIGHT, BOTTOM + 16, past[-1]["date"][5:10], "end")
    return join(frame(SPLIT[1], RIGHT, y, is_judged), tag("path", d=line, class_="interval"), ratios(points, y), *dates)


def described(lines: list[Line]) -> str:
    low = min(lines, key=lambda line: float(line["ratio"]))
    several = f"mean {times(mean([line['ratio'] for line in lines]))}, lowest " if len(lines) > 1 else ""
    return f"{several}{times(low['ratio'])} ({interval(low)}) on {low['input']}"


def strip(lines: list[Line], x: Axis) -> Html:
    """Draw all ratios of a rival on one line."""
    ground = tag("rect", x=0, y=0, width=x.at(1), height=18, class_="slower"), tag("path", d=f"M{x.at(1):g} 0V18", class_="one")
    points = marks((x.at(line["ratio"]), 9, line["status"]) for line in lines if "ratio" in line)
    return tag("svg", *ground, points, viewBox="0 0 160 18", class_="strip", aria_hidden="true")


def box(name: str, top: Html, body: Iterable[Html], class_: str = "scroll") -> Html:
    """Return a table in a box that scrolls."""
    inside = tag("table", tag("thead", top), tag("tbody", *body))
    return tag("div", inside, class_=class_, tabindex="0", role="group", aria_label=name)


def table(name: str, heads: list[str], rows: Iterable[list[Any]], numeric: str = "", class_: str = "scroll") -> Html:
    """Return a table. `numeric` has the positions of the columns with numbers."""

    def line(kind: str, values: list[Any], scope: str | None = None) -> Html:
        classes = ("number" if str(at) in numeric else None for at in range(len(values)))
        return tag("tr", *(tag(kind, value, class_=class_, scope=scope) for value, class_ in zip(values, classes, strict=True)))

    return box(name, line("th", heads, "col"), (line("td", row) for row in rows), class_)


def outcomes(name: str, parts: list[Part], status: str) -> Html | None:
    """List the rivals whose worst ratio has this status, the lowest ratio first."""
    found = [(low, part, rival, lines) for part in parts for rival, lines in part.rivals() if (low := lowest(lines))]
    found = [item for item in found if worst(line["status"] for line in item[3] if line["status"] in JUDGED) == status]
    found.sort(key=lambda item: (item[0]["ratio"], item[1].order))
    x = ratio_axis((line for item in found for line in item[3]), 6, 154)
    heads = ["row", "rival", "lowest", "95% interval", "lines", "all inputs", "lowest on"]
    rows = []
    for low, part, rival, lines in found:
        ratio = tag("b", times(low["ratio"]))
        at = f"{low['input']}, {size(low['bytes'])}"
        rows.append([part.link(), rival, ratio, interval(low), share(lines, status), strip(lines, x), at])
    return table(name, heads, rows, "23", "scroll stacked") if rows else None


def troubles(parts: list[Part], statuses: tuple[str, ...]) -> Iterator[tuple[Part, str, list[Line], bool]]:
    """Return the lines without a ratio, by rival and status; and whether the row says so."""
    for is_known in (False, True):
        for part in parts:
            for rival, lines in part.rivals():
                for status in statuses:
                    having = [line for line in lines if line["status"] == status and part.is_known(line) == is_known]
                    if having:
                        yield part, rival, having, is_known


def trouble_table(name: str, parts: list[Part], *statuses: str) -> Html | None:
    heads = ["row", "rival", "result", "expected", "inputs", "why (on the first)"]
    rows = [
        [part.link(), rival, badge(lines[0]["status"]), "yes" if is_known else "no", some(lines), reason(lines[0])]
        for part, rival, lines, is_known in troubles(parts, statuses)
    ]
    # That an engine is unable needs no more words.
    shown = [0, 1, 4, 5] if statuses == ("unable",) else range(6)
    return table(name, [heads[at] for at in shown], [[row[at] for at in shown] for row in rows]) if rows else None


def cell(part: Part | None, host: str, is_absent: bool) -> Html:
    if not part:
        return tag("td", tag("span", "absent", class_="muted"), data_host=host) if is_absent else tag("td")
    sign, word, _ = STATUSES[part.status]
    judged = [line for line in part.lines if line["status"] not in ("floor", "unable")]
    text = share(judged, part.status) if judged and part.status != "missed" else word
    number = tag("b", tag("span", sign, aria_hidden="true"), " ", times(part.low["ratio"]) if part.low else "")
    return tag("td", tag("a", number, " ", tag("small", text), href=f"#{part.id}"), class_=part.status, data_host=host)


def grid(parts: list[Part], rows: list[Row], absent: dict[str, str]) -> Html:
    """Show all rows and hosts, those with the worst results first."""
    by_key = {(part.name, part.host): part for part in parts}
    gone = sorted({(row.name, row.host) for row in rows if row.host in absent} - set(by_key))
    present = {host for _, host in [*by_key, *gone]}
    columns = [host for host in HOSTS if host in present] + sorted(present - set(HOSTS))
    top = tag("tr", *(tag("th", head, scope="col") for head in ["row", *columns]))
    body = []
    for name in dict.fromkeys(name for name, _ in [*by_key, *gone]):
        cells = (cell(by_key.get((name, host)), host, (name, host) in gone) for host in columns)
        body.append(tag("tr", tag("th", tag("code", name), scope="row"), *cells))
    text = "The lowest ratio of each row, and the number of its lines with this color. Where there is nothing, there is no such row."
    return join(tag("p", text, class_="muted"), box("Rows and hosts", top, body, "scroll grid"))


def article(part: Part, history: History) -> Html:
    """Show a row on a host: what is done, its claims, a plot for each rival, and all numbers."""
    about = {"Note": "not in bench/rows"}
    if part.row:
        about = {"Work": part.row.work, "Engine of Ketch": part.row.ours, "From": part.row.source}
    notes = [tag("li", badge("missed"), " ", text) for text in part.missed]
    kept = [tag("li", text) for text, holds in part.claims if holds]
    for _, rival, lines, is_known in troubles([part], ("failed", "differs", "unable")):
        text = f" {rival}, {some(lines)}: {reason(lines[0])}"
        notes.append(tag("li", badge(lines[0]["status"]), text, " (expected)" if is_known and lines[0]["status"] != "unable" else ""))
    return tag(
        "article",
        tag("h3", tag("code", part.name), " on ", part.host, " ", badge(part.status)),
        *(tag("p", tag("b", name, ": "), text, class_="about") for name, text in about.items() if text not in ("", "ketch")),
        tag("ul", *notes, class_="notes") if notes else "",
        tag("details", tag("summary", f"{count(len(kept), 'claim')} kept"), tag("ul", *kept)) if kept else "",
        plots(part, history),
        numbers(part, history),
        id=part.id,
    )


def plots(part: Part, history: History) -> Html:
    """Draw the rivals on the same scale, and the floors on another."""
    figures = []
    for is_floor in (False, True):
        drawn = []
        for rival, lines in part.rivals():
            having = [line for line in lines if "ratio" in line and (line["status"] == "floor") == is_floor]
            drawn += [(rival, having, history.of(part, rival))] if having else []
        y = ratio_axis((line for _, lines, past in drawn for line in [*lines, *past]), BOTTOM, TOP)
        for rival, lines, past in drawn:
            status = worst(line["status"] for line in lines)
            shown = badge(status, "" if is_floor else share(lines, status))
            caption = tag("figcaption", tag("b", rival), " ", shown, tag("small", described(lines)))
            figures.append(tag("figure", caption, plot(part, rival, lines, y, past)))
    return tag("div", *figures, class_="plots") if figures else Html("")


def written(facts: dict[str, Any]) -> str:
    """Return the length of what an engine writes."""
    return f"{size(facts.get('bytes'))} ({size(facts.get('zstd_bytes'))})"


def numbers(part: Part, history: History) -> Html:
    """Return the numbers of the plots as tables."""
    rows: list[list[Any]] = []
    writes = any("bytes" in line["theirs"] for line in part.measured)
    for line in (line for _, lines in part.rivals() for line in lines if "ratio" in line):
        both = [(line["ours"][name], line["theirs"][name]) for name in ("total", "real", "allocated", "peak")]
        shown = [" / ".join(map(seconds, pair)) for pair in both[:2]] + [" / ".join(map(size, both[2]))]
        shown.append(" / ".join(size(kib and kib * 1024) for kib in both[3]))
        shown += [f"{written(line['ours'])} / {written(line['theirs'])}"] if writes else []
        about = [line["rival"], line["input"], size(line["bytes"]), badge(line["status"])]
        rows.append([*about, times(line["ratio"]), interval(line), *shown])
    heads = ["rival", "input", "size", "result", "ratio", "interval", "CPU time, Ketch / rival", "real time", "allocated", "peak memory"]
    heads += ["written (with zstd)"] if writes else []
    inside = [table(f"Ratios of {part.name} on {part.host}", heads, rows, "2456789")] if rows else []
    rows = [[line["rival"], line["input"], badge(line["status"]), reason(line)] for line in part.lines if "ratio" not in line]
    if rows:
        inside.append(table(f"Without ratios, {part.name} on {part.host}", ["rival", "input", "result", "why"], rows))
    rows = []
    for rival, point in ((name, point) for name, _ in part.rivals() for point in history.of(part, name)):
        about = [rival, point["date"], point["commit"], point["machine"]["processor"]]
        rows.append([*about, times(point["ratio"]), interval(point), point["inputs"]])
    if rows:
        heads = ["rival", "date", "commit", "processor", "mean", "interval", "inputs"]
        inside.append(table(f"History of {part.name} on {part.host}", heads, rows, "456"))
    return tag("details", tag("summary", f"Numbers of {count(len(part.lines), 'line')}"), *inside)


def lead(parts: list[Part]) -> str:
    """Say in a sentence where Ketch loses."""
    lines = [line["status"] for part in parts for line in part.lines if line["status"] in JUDGED]
    if not lines:
        return "Nothing was compared."
    rows = sum(any(line["status"] == "red" for line in part.lines) for part in parts)
    lost = f"{lines.count('red'):,}" if rows else "none"
    missed = sum(len(part.missed) for part in parts)
    return (
        f"Ketch is slower on {lost} of {count(len(lines), 'line')}"
        + (f", in {rows} of {count(len(parts), 'row')}" if rows else "")
        + (f", and misses {count(missed, 'claim')}." if missed else ".")
    )


def totals(parts: list[Part]) -> Html:
    """Show how often there is each status."""
    statuses = [line["status"] for part in parts for line in part.lines] + ["missed" for part in parts for _ in part.missed]
    numbers = {status: statuses.count(status) for status in STATUSES if status in statuses}
    items = (tag("li", tag("b", f"{number:,}"), " ", badge(status)) for status, number in numbers.items())
    shares = (tag("span", style=f"flex-grow:{number}", class_=status) for status, number in numbers.items() if status in JUDGED)
    return join(tag("div", *shares, class_="shares", aria_hidden="true"), tag("ul", *items, class_="totals"))


def summary(head: Line) -> Html:
    kind, on = "chosen inputs" if head["quick"] else "all inputs", head["machine"]["processor"]
    found = [tag("p", f"{head['date']} UTC, commit {head['commit']}, {on}, {kind}", class_="muted")]
    if head["noise"]["is_noisy"]:
        found.append(tag("p", tag("b", "The machine was noisy."), " Small differences may not be real.", class_="warning"))
    if not head["complete"]:
        found.append(tag("p", tag("b", "The record is partial."), " The run was ended early.", class_="warning"))
    return join(*found)


def machine(head: Line) -> Html:
    on, noise = head["machine"], head["noise"]
    facts = {
        "Machine": f"{on['processor']}, {count(on['cores'], 'core')}, {on['target']}, load {on['load']:g}",
        "Noise": f"The time of the same work varied by {noise['spread']:.1%}; it waited for {noise['waited']:.1%} of its time.",
    }
    rows = []
    for host, found in sorted(head["hosts"].items()):
        versions = (f"{name} {version}".strip() for name, version in sorted(found["engines"].items()))
        rows.append([host, found["host"], "; ".join(versions)])
    shown = (tag("p", tag("b", name, ": "), text) for name, text in facts.items())
    return join(*shown, table("Engines", ["host", "version", "engines"], rows))


def absent(parts: list[Part], head: Line) -> Html:
    rows = [[name, why] for name, why in sorted(head["absent"].items())]
    missing = table("Absent", ["absent", "why"], rows) if rows else tag("p", "All hosts and inputs were there.")
    return join(missing, trouble_table("Unable", parts, "unable") or "")


def reading() -> Html:
    signs = (tag("li", badge(status), " ", meaning) for status, (_, _, meaning) in STATUSES.items())
    return join(tag("ul", *signs, class_="notes"), tag("p", READING, class_="about"))


def document(found: Record, rows: list[Row], history: History) -> str:
    parts = parts_of(found, rows)
    missed = [tag("li", part.link(), ": ", badge("missed", "missed"), " ", text) for part in parts for text in part.missed]
    wins = outcomes("Wins", parts, "green")
    sections = [
        ("losses", "Where Ketch loses", join(tag("p", PARITY, class_="muted about"), outcomes("Losses", parts, "red") or NO_LOSS)),
        ("claims", "Missed claims", tag("ul", *missed, class_="notes") if missed else None),
        ("grid", "Rows and hosts", grid(parts, rows, found.head["absent"])),
        ("trouble", "Differs or failed", trouble_table("Differs or failed", parts, "failed", "differs")),
        ("even", "Too close to call", outcomes("Even", parts, "grey")),
        ("wins", "Where Ketch wins", tag("details", tag("summary", "Rivals that are always slower"), wins) if wins else None),
        ("rows", "Every row", join(*(article(part, history) for part in parts))),
        ("absent", "Not measured", absent(parts, found.head)),
        ("machine", "Machine and engines", machine(found.head)),
        ("reading", "How to read this", reading()),
    ]
    sections = [(name, title, inside) for name, title, inside in sections if inside]
    links = tag("nav", *(tag("a", title, href=f"#{name}") for name, title, _ in sections), aria_label="Sections")
    top = tag("header", tag("h1", NAME), tag("p", lead(parts), class_="lead"), summary(found.head), totals(parts), links)
    body = tag("main", *(tag("section", tag("h2", title), inside, id=name) for name, title, inside in sections))
    skip = tag("a", "Skip to where Ketch loses", href="#losses", class_="skip")
    return f"{HEAD}{tag('title', NAME, ', ', found.head['date'])}<style>{STYLE}</style></head>\n<body>{skip}{top}{body}</body></html>\n"


def write(folder: Path, found: Record, rows: list[Row], kept: Path = BENCH / "records") -> None:
    text = document(found, rows, History(found, kept))
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "index.html").write_text(text, "utf-8")


NAME = "Ketch beside its rivals"
PARITY = """A ratio is the rival's CPU time divided by Ketch's: at 1×, both are equally fast, and at 0.5×, Ketch takes twice as
long. A line is one operation of a host, one input and one rival."""
NO_LOSS = tag("p", "Nowhere: no interval is below 1.")
READING = """A line is one row, one input and one rival. Its ratio is the CPU time of the rival divided by that of Ketch: above 1,
Ketch is faster. The interval is that of 95% of samples drawn from the starts and their rounds. A rival is only timed if its
result is equal to that of Ketch. The left part of a plot shows the ratios and their intervals by the size of the input. The
right part shows their geometric means by the date of the kept records, over the inputs that all of these records have; its line
is broken where the processor changes. Both axes are logarithmic. All rivals of a row share them, and the floors have their own.
docs/board.md explains how it is measured."""

HEAD = """<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<link rel="icon" href="data:,">"""

STYLE = Path(__file__).with_name("page.css").read_text()

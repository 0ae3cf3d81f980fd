"""Measures a row on an input: all engines in turns, in runners that are started several times."""

from __future__ import annotations

import math
import random
import statistics
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import differences
from rows import Row, Side
from runners import Failed, Pool, Runner

#: The CPU time for the rounds of an engine in one start. One round is always done.
ROUNDS_SECONDS = 0.2
#: The share of the time to warm up if the engine has done the same to another input.
WARM_SHARE = 0.1
RESAMPLES = 1000


@dataclass
class Taken:
    """The samples of one engine: seconds for one time, by start and round."""

    side: Side
    #: What decides: the `total` CPU time, or the `peak` of memory.
    figure: str = "total"
    seconds: dict[tuple[int, int], float] = field(default_factory=dict)
    best: dict[str, Any] = field(default_factory=dict)
    #: The length of what the engine writes, if the runner says it: `bytes`, and `zstd_bytes` when it is compressed.
    sizes: dict[str, int] = field(default_factory=dict)
    status: str = ""
    why: str = ""

    def add(self, key: tuple[int, int], answer: dict[str, Any], times: int) -> None:
        total = (answer["user"] or 0) + (answer["system"] or 0)
        self.seconds[key] = answer["peak"] if self.figure == "peak" else total / times
        if not self.best or total / times < self.best["total"]:
            self.best = {name: answer[name] and answer[name] / times for name in ("user", "system", "real", "allocated")}
            self.best |= {"total": total / times, "peak": answer.get("peak")}


@dataclass
class Work:
    """A row on an input, with the samples so far."""

    row: Row
    name: str
    path: Path
    taken: list[Taken] = field(default_factory=list)

    def __post_init__(self) -> None:
        size = self.path.stat().st_size
        for side in [self.row.subject(), *self.row.others()]:
            taken = Taken(side, self.row.figure)
            if size > self.row.most_bytes.get(side.shown(self.row.host), size):
                taken.status, taken.why = "unable", "is too slow for an input of this size"
            self.taken.append(taken)

    def rivals(self) -> list[Taken]:
        return self.taken[1:]


def measure(work: Work, pool: Pool, start: int, rounds: int) -> None:
    """Add the samples of one start. An engine that fails is left out, and the others are measured again without it."""
    while True:
        able = [taken for taken in work.taken if not taken.status]
        if work.taken[0].status or len(able) < 2:
            return
        try:
            attempt(work, able, pool, start, rounds)
            return
        except EngineFailed as failed:
            failed.taken.status, failed.taken.why = failed.status, failed.why
            for taken in able:
                taken.seconds = {key: value for key, value in taken.seconds.items() if key[0] != start}


class EngineFailed(Exception):
    def __init__(self, taken: Taken, status: str, why: str) -> None:
        self.taken, self.status, self.why = taken, status, why


class Asked:
    """An engine that is prepared in a runner."""

    def __init__(self, taken: Taken, slot: str, pool: Pool, work: Work) -> None:
        self.taken, self.slot = taken, slot
        side = taken.side
        self.what = side.engine, work.row.operation
        try:
            self.runner: Runner = pool.runner(side.host, side.commit)
        except Failed as error:
            raise EngineFailed(taken, "failed", str(error)) from None
        request = {"engine": side.engine, "operation": work.row.operation, "input": str(work.path)}
        answer = self.ask("prepare", **request)
        if "unable" in answer:
            raise EngineFailed(taken, "unable", str(answer["unable"])[:300])

    def ask(self, do: str, **fields: Any) -> dict[str, Any]:
        try:
            return self.runner.ask({"do": do, "slot": self.slot} | fields)
        except Failed as error:
            raise EngineFailed(self.taken, "failed", str(error)) from None

    def run(self, times: int) -> tuple[dict[str, Any], float]:
        """Run, and return the answer and the CPU seconds of one time."""
        answer = self.ask("run", times=times)
        try:
            return answer, (float(answer["user"] or 0) + float(answer["system"] or 0)) / times
        except (KeyError, TypeError, ValueError):
            raise EngineFailed(self.taken, "failed", f"the runner gives no times: {answer}") from None

    def warm(self) -> int:
        """Run until it does not become faster. Return the number of times that make a sample."""
        begun, sample = time.monotonic(), self.runner.host.sample_seconds
        share = WARM_SHARE if self.what in self.runner.warm else 1.0
        least, most = (seconds * share for seconds in self.runner.host.seconds_to_warm)
        self.runner.warm.add(self.what)
        times, seconds = 1, self.run(1)[1]
        while seconds * times < sample:
            missing = sample / max(seconds, 1e-9)
            times = max(times + 1, min(times * 10, math.ceil(missing * 1.1)))
            seconds = self.run(times)[1]
        last = [seconds]
        while (passed := time.monotonic() - begun) < most:
            if passed >= least and len(last) >= 6 and min(last[-3:]) >= 0.98 * min(last[-6:-3]):
                break
            last.append(self.run(times)[1])
        # A warm engine may need more times for a sample.
        return max(times, math.ceil(sample / max(min(last), 1e-9)))


def attempt(work: Work, able: list[Taken], pool: Pool, start: int, rounds: int) -> None:
    asked = [Asked(taken, str(slot), pool, work) for slot, taken in enumerate(able)]
    try:
        found = differences.check(work.row, asked) if start == 0 else None
        if found:
            raise EngineFailed(found[0].taken, "differs", found[1])
        times = [one.warm() for one in asked]
        spent = [0.0] * len(asked)
        for number in range(rounds):
            if min(spent[1:]) >= ROUNDS_SECONDS:
                break
            for turn in range(len(asked)):
                at = (turn + number) % len(asked)
                if at == 0 or spent[at] < ROUNDS_SECONDS:
                    answer, seconds = asked[at].run(times[at])
                    asked[at].taken.add((start, number), answer, times[at])
                    spent[at] += seconds * times[at]
    finally:
        for one in asked:
            if one.runner.is_alive():
                try:
                    one.ask("drop")
                except EngineFailed:
                    pass


@dataclass
class Ratio:
    middle: float
    low: float
    high: float
    starts: int
    rounds: int

    def colour(self) -> str:
        return "green" if self.low > 1 else "red" if self.high < 1 else "grey"


def ratio(ours: Taken, theirs: Taken) -> Ratio:
    """Return the median of the ratios of all rounds, and its interval: of the medians of samples of the starts and of their
    rounds.
    """
    starts: dict[int, list[float]] = {}
    for start, number in sorted(ours.seconds.keys() & theirs.seconds.keys()):
        both = max(theirs.seconds[start, number], 1e-12) / max(ours.seconds[start, number], 1e-12)
        starts.setdefault(start, []).append(math.log(both))
    groups = list(starts.values())
    drawn = random.Random(1)
    middles = []
    for _ in range(RESAMPLES):
        values: list[float] = []
        for group in drawn.choices(groups, k=len(groups)):
            values += drawn.choices(group, k=len(group))
        middles.append(statistics.median(values))
    middles.sort()
    middle = statistics.median(value for group in groups for value in group)
    low, high = middles[int(0.025 * RESAMPLES)], middles[int(0.975 * RESAMPLES) - 1]
    return Ratio(math.exp(middle), math.exp(low), math.exp(high), len(groups), sum(map(len, groups)))


def mean(values: list[float]) -> float:
    """Return the geometric mean."""
    return math.exp(statistics.fmean(map(math.log, values)))


class Noise:
    """The times of a loop that always does the same work."""

    def __init__(self) -> None:
        self.cpu: list[float] = []
        self.waited: list[float] = []

    def look(self) -> None:
        begun, real = time.process_time(), time.perf_counter()
        sum(number * number for number in range(60_000))
        cpu, passed = time.process_time() - begun, time.perf_counter() - real
        self.cpu.append(cpu)
        self.waited.append(passed / max(cpu, 1e-9) - 1)

    def facts(self) -> dict[str, Any]:
        low, middle, high = statistics.quantiles(self.cpu, n=4) if len(self.cpu) > 1 else [1.0] * 3
        spread, waited = (high - low) / middle, statistics.median(self.waited or [0.0])
        return {"spread": round(spread, 4), "waited": round(waited, 4), "is_noisy": spread > 0.05 or waited > 0.1}

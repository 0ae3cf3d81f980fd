"""Compares the times of calls that alternate in one process."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from typing import Any

#: A call that takes less time is repeated within each measurement.
SECONDS_MIN = 0.01
#: A call that takes longer is measured in fewer rounds.
SECONDS_MAX = 2.0


def timed(call: Callable[[], Any], count: int, clock: Callable[[], float]) -> float:
    """Return the time of a call in seconds. Includes work of the garbage collector that
    later allocations would do.

    Each time, the collector starts in the same state. Otherwise, the number of containers
    that it has seen would decide which call pays for a collection of all objects, and this
    would be the same call in every round.
    """
    gc.collect()
    start = clock()
    for _ in range(count):
        call()
    for _ in range(1000):
        [[]]  # noqa: B018
    return (clock() - start) / count


def compared(
    calls: dict[str, Callable[[], Any]], rounds: int, clock: Callable[[], float] = time.process_time
) -> dict[str, list[float]]:
    """Return the ratios of each call's time to that of the first call, one ratio for each
    round.

    The times are processor times, so that waiting for other processes does not count.
    """
    names = list(calls)
    counts, slow = {}, set()
    for name, call in calls.items():
        # The first call takes longer than later ones, so the count is increased until the
        # calls take long enough.
        counts[name] = 1
        while (once := timed(call, counts[name], clock)) * counts[name] < SECONDS_MIN:
            counts[name] *= 2
        if once > SECONDS_MAX:
            slow.add(name)
    ratios: dict[str, list[float]] = {name: [] for name in names[1:]}
    for number in range(rounds):
        first = timed(calls[names[0]], counts[names[0]], clock)
        for name in names[1:]:
            if number < 3 or name not in slow:
                ratios[name].append(timed(calls[name], counts[name], clock) / first)
    return ratios

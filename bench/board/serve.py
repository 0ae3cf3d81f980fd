"""The protocol of `docs/board.md` for runners that are written in Python."""

from __future__ import annotations

import gc
import hashlib
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any


class Unable(Exception):
    """The engine does not do this."""


#: Does the work once, and returns its result.
Work = Callable[[], Any]
#: Returns the work of an engine: from its name, the operation and the path of the input.
Make = Callable[[str, str, Path], Work]
#: Returns the bytes that stand for a result, and the same value as text for people.
Canonical = Callable[[Any], tuple[bytes, str]]


class Command:
    """A program that reads a file as its standard input, or an argument. Its time is that of the process."""

    def __init__(self, words: list[str], path: Path | None = None) -> None:
        self.words, self.path = words, path

    def __call__(self) -> bytes:
        """Return what the program prints. Fail if it fails."""
        with open(self.path or os.devnull, "rb") as file:
            done = subprocess.run(self.words, stdin=file, capture_output=True, check=False)
        if done.returncode:
            words = done.stderr.decode(errors="replace").strip().splitlines()
            raise RuntimeError(f"{self.words[0]} ends with {done.returncode}" + (f": {words[-1]}" if words else ""))
        return done.stdout


class Server:
    def __init__(self, host: str, engines: dict[str, str], make: Make, canonical: Canonical) -> None:
        self.facts = {"protocol": 1, "host": host, "engines": engines}
        self.make, self.canonical = make, canonical
        self.slots: dict[str, Work] = {}

    def run(self, work: Work, times: int) -> dict[str, Any]:
        """Time the work. Each time, the garbage collector starts in the same state. Otherwise, the number of containers that
        it has seen would decide which engine pays for a collection of all objects.
        """
        is_command = isinstance(work, Command)
        who = resource.RUSAGE_CHILDREN if is_command else resource.RUSAGE_SELF
        gc.collect()
        before, real = resource.getrusage(who), time.perf_counter()
        for _ in range(times):
            work()
        for _ in range(1000):
            [[]]  # noqa: B018
        real = time.perf_counter() - real
        after = resource.getrusage(who)
        user, system = after.ru_utime - before.ru_utime, after.ru_stime - before.ru_stime
        # The peak of a child contains that of the process that starts it.
        peak = None if is_command else after.ru_maxrss
        return {"user": user, "system": system, "real": real, "allocated": None, "peak": peak}

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        do, slot = request["do"], request.get("slot", "")
        if do == "hello":
            return self.facts
        if do == "prepare":
            try:
                self.slots[slot] = self.make(request["engine"], request["operation"], Path(request["input"]))
            except Unable as reason:
                return {"unable": str(reason)}
            return {}
        if do == "drop":
            self.slots.pop(slot, None)
            return {}
        work = self.slots[slot]
        if do == "run":
            return self.run(work, request["times"])
        if do != "verify":
            raise ValueError(f"unknown request: {do}")
        data, text = self.canonical(work())
        if "write" in request:
            Path(request["write"]).write_text(text)
        return {"digest": hashlib.sha256(data).hexdigest()}


def serve(server: Server) -> None:
    """Answer until there are no more requests. What engines print goes to standard error."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for line in sys.stdin:
        request = json.loads(line)
        if request["do"] == "stop":
            return
        try:
            answer = server.answer(request)
        except Exception as error:  # noqa: BLE001
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), file=answers, flush=True)

"""Builds runners, starts them, and asks them. `docs/board.md` has the protocol."""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rows import BENCH, read

ROOT = BENCH.parent
#: An answer is a line that is no longer than this.
ANSWER_MAX = 1 << 20


class Failed(Exception):
    """An engine or a runner has failed; the message is for people."""


class Host:
    """How the runner of a host is built and started, from `bench/rows/hosts.toml`."""

    def __init__(self, name: str, table: dict[str, Any], root: Path) -> None:
        self.name = name
        self.root = root
        self.needs: dict[str, str] = table.get("needs", {})
        self.build_command: list[str] = table["build"]
        self.start_command: list[str] = table["start"]
        #: The limits of warm-up, and the CPU time of a sample. Compilers at run time need more.
        self.seconds_to_warm: tuple[float, float] = tuple(table.get("seconds_to_warm", (0.0, 0.3)))
        self.starts_max: int = table.get("starts_max", 3)
        self.rounds_max: int = table.get("rounds_max", 7)
        self.sample_seconds: float = table.get("sample_seconds", 0.003)
        self.seconds_max: float = table.get("seconds_max", 120.0)

    def missing(self) -> str:
        """Return what this machine lacks for the host, or an empty string."""
        absent = [f"{tool} ({help_})" for tool, help_ in self.needs.items() if not shutil.which(tool)]
        return f"needs {', '.join(absent)}" if absent else ""

    def filled(self, command: list[str]) -> list[str]:
        return [word.replace("{root}", str(self.root)) for word in command]

    def build(self) -> None:
        environment = os.environ | {"KETCH_BOARD_OUT": str(self.root / "bench/out")}
        with tempfile.TemporaryFile("w+") as log:
            command = self.filled(self.build_command)
            try:
                done = subprocess.run(command, cwd=self.root, env=environment, stdout=log, stderr=log, stdin=subprocess.DEVNULL)
            except OSError as error:
                raise Failed(f"{command[0]}: {error.strerror}") from None
            if done.returncode:
                log.seek(0)
                words = [line for line in log.read().splitlines() if line.strip()]
                raise Failed("cannot be built: " + (" | ".join(words[-3:]) or f"exit code {done.returncode}"))


def hosts(root: Path = ROOT) -> dict[str, Host]:
    """Return all hosts by their names. Those of another checkout are described by this one."""
    tables = read(BENCH / "rows/hosts.toml")
    return {name: Host(name, table, root) for name, table in tables.items()}


class Runner:
    """A process that does the work of one host."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self.errors = tempfile.TemporaryFile("w+")  # noqa: SIM115
        try:
            self.process = subprocess.Popen(
                host.filled(host.start_command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self.errors,
                start_new_session=True,
            )
        except OSError as error:
            raise Failed(f"the runner cannot be started: {error.strerror}") from None
        self.rest = b""
        #: The engines and operations that are nearly warm, since they have run with another input.
        self.warm: set[tuple[str, str]] = set()
        self.facts = self.ask({"do": "hello"})
        if self.facts.get("protocol") != 1:
            self.end()
            raise Failed("the runner speaks another protocol")

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """Ask, and return the answer. Ends the runner if it does not answer as it should."""
        assert self.process.stdin
        try:
            self.process.stdin.write(json.dumps(request).encode() + b"\n")
            self.process.stdin.flush()
        except OSError:
            raise self.broken("has ended") from None
        line = self.line(time.monotonic() + self.host.seconds_max)
        try:
            answer = json.loads(line)
        except ValueError:
            raise self.broken(f"answers what is not JSON: {line[:60]!r}") from None
        if not isinstance(answer, dict):
            raise self.broken(f"answers what is not an object: {line[:60]!r}")
        if "error" in answer:
            raise Failed(str(answer["error"])[:300])
        return answer

    def line(self, end: float) -> bytes:
        assert self.process.stdout
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stdout, selectors.EVENT_READ)
            while b"\n" not in self.rest:
                left = end - time.monotonic()
                if left <= 0 or not selector.select(left):
                    raise self.broken(f"does not answer within {self.host.seconds_max:.0f} s")
                read_ = os.read(self.process.stdout.fileno(), 1 << 16)
                if not read_:
                    raise self.broken("has ended")
                self.rest += read_
                if len(self.rest) > ANSWER_MAX:
                    raise self.broken("gives an answer without an end")
        line, _, self.rest = self.rest.partition(b"\n")
        return line

    def broken(self, what: str) -> Failed:
        """End the runner, and return the error that says what it did."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(0.2)
        code = self.process.returncode
        self.errors.seek(0)
        words = self.errors.read().strip().splitlines()
        self.end()
        if code is not None and code < 0:
            what += f" (signal {signal.Signals(-code).name})"
        elif code:
            what += f" (exit code {code})"
        return Failed(f"the runner {what}" + (f": {words[-1][:200]}" if words else ""))

    def is_alive(self) -> bool:
        return self.process.poll() is None

    def end(self) -> None:
        """End the process and those that it has started."""
        with contextlib.suppress(OSError):
            if self.process.stdin:
                self.process.stdin.close()
        try:
            self.process.wait(1)
        except subprocess.TimeoutExpired:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        if self.process.stdout:
            self.process.stdout.close()
        self.errors.close()


class Pool:
    """The runners of one start: one for each host, and for each commit."""

    def __init__(self, hosts_: dict[tuple[str, str], Host], start: Callable[[Host], Runner] = Runner) -> None:
        self.hosts = hosts_
        self.start = start
        self.running: dict[tuple[str, str], Runner] = {}

    def runner(self, host: str, commit: str = "") -> Runner:
        """Return the runner of a host, and start it if it does not run."""
        key = (host, commit)
        if key not in self.running or not self.running[key].is_alive():
            self.running[key] = self.start(self.hosts[key])
        return self.running[key]

    def end(self) -> None:
        for runner in self.running.values():
            with contextlib.suppress(OSError):
                runner.end()
        self.running = {}

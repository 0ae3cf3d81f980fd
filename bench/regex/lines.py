"""The measurements of bench/regex/lines: lines.py COMMAND ROUNDS FOLDER."""

import os
import resource
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

KETCH, ROUNDS, FOLDER = sys.argv[1], int(sys.argv[2]), Path(sys.argv[3])
MB = 1 << 20
missed = []


def run(*command):
    """Runs a command without output. Returns its processor time in seconds, and its memory in MB."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"{command}: status {status}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def reached(name, ratio, line, text):
    if not ratio:
        missed.append(name)
    print(f"{name:<30} {text}, line {line}{'' if ratio else ', not reached'}", flush=True)


def beside(name, ours, theirs, line):
    """Compares the times of two commands, which take turns."""
    ratios = []
    for turn in range(ROUNDS + 1):
        pair = [run(*ours)[0], run(*theirs)[0]] if turn % 2 else [run(*theirs)[0], run(*ours)[0]][::-1]
        if turn:
            ratios.append(pair[0] / pair[1])
    middle = statistics.median(ratios)
    spread = f"{middle:.2f} times the time of {' '.join(theirs[:2])} ({min(ratios):.2f} to {max(ratios):.2f})"
    reached(name, middle <= line, line, spread)


def log(path, size):
    """Writes a log of a size in MB."""
    lines = "".join(f"2026-11-27T09:{n // 60 % 60:02}:{n % 60:02}Z web-{n % 17} level=info GET /api/{n * n} took {n % 977}ms\n" for n in range(20_000))
    with open(path, "w") as file:
        for _ in range(size * MB // len(lines) + 1):
            file.write(lines)


def long_line(path, size):
    """Writes a line of a size in MB."""
    with open(path, "wb") as file:
        for _ in range(size):
            file.write(b"a" * MB)
        file.write(b"\n")


def doubled(name, half, whole, bound, *command):
    """Compares the times for two files, of which the second is twice as long."""
    (short, _), (long, memory) = run(*command, half), run(*command, whole)
    text = f"{long:.2f} s, {long / short:.2f} times that of half the text; {memory:.0f} MB"
    reached(name, long < 3 * short and memory < bound, f"3 times, {bound} MB", text)


def endless(seconds):
    """Reads a pipe that does not end for some seconds, and returns the highest memory in MB and the bytes read in MB."""
    line = b"x" * 99 + b"\n"
    process = subprocess.Popen([KETCH, "lines", "--number"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    end, sent, block = time.monotonic() + seconds, 0, line * 10_000
    while time.monotonic() < end:
        process.stdin.write(block)
        sent += len(block)
    status = Path(f"/proc/{process.pid}/status").read_text()
    memory = int(status.split("VmHWM:")[1].split()[0]) / 1024
    process.stdin.close()
    process.wait()
    return memory, sent / MB


FOLDER.mkdir(parents=True, exist_ok=True)
try:
    text = str(FOLDER / "log")
    log(text, 200)
    beside("lines --number", [KETCH, "lines", "--number", text], ["cat", "-n", text], 1)
    beside("lines --count", [KETCH, "lines", "--count", text], ["wc", "-l", text], 1.5)
    os.remove(text)
    half, whole = str(FOLDER / "half"), str(FOLDER / "whole")
    long_line(half, 512)
    long_line(whole, 1024)
    # The buffer doubles, so it may have twice the length of the line, and its copy as much again.
    doubled("a line of 1 GB", half, whole, 3 * 1024, KETCH, "lines", "--number")
    # An argument has at most 128 KB. The test `lines` of ketch-regex has a separator of 1 MB.
    doubled("a separator of 100 KB", half, whole, 3 * 1024, KETCH, "lines", "--count", "--separator", "a" * 100_000 + "b")
    memory, sent = endless(5)
    reached("an endless pipe", memory < 64, "64 MB", f"{memory:.0f} MB after {sent:.0f} MB")
finally:
    shutil.rmtree(FOLDER)
print("not reached: " + ", ".join(missed) if missed else "all lines are reached")
sys.exit(bool(missed))

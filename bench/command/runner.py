"""The board's runner of the command, and of the programs that it is compared with. Each time is a whole process."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

OUT = Path(__file__).resolve().parents[1] / "out"
sys.path.append(str(OUT.parent / "board"))
from serve import Command, Server, Unable, serve  # noqa: E402

TOOLS = OUT / "tools"
KETCH = OUT / "ketch"
PROGRAMS = {
    "ketch": KETCH,
    "jaq": TOOLS / "bin/jaq",
    **{name: TOOLS / name for name in ("jq", "gojq", "yq", "yamlfmt")},
    "ruamel.yaml": TOOLS / "python/bin/python",
    "yamllint": TOOLS / "python/bin/yamllint",
    **{name: Path("/usr/bin", name) for name in ("wc", "cat")},
}
VERSIONS = {"yamlfmt": ["-version"], "ruamel.yaml": ["-c", "import ruamel.yaml; print(ruamel.yaml.__version__)"]}
RUAMEL = """
import sys
from ruamel.yaml import YAML
yaml = YAML()
yaml.preserve_quotes = True
with open(sys.argv[1]) as file:
    data = yaml.load(file)
data["items"][300]["spec"]["replicas"] = 7
yaml.dump(data, sys.stdout)
"""
#: Programs in jq's language, by the operation.
QUERIES = {
    "q.count": "length",
    "q.select": "map(select(.quantity > 5)) | length",
    "q.sum": "map(.price * .quantity) | add",
    "q.group": "group_by(.customer) | map({(.[0].customer): length}) | add",
    "q.start": ".a",
}


def words(engine: str, operation: str, path: str) -> list[str]:
    """Return the arguments of a program for an operation."""
    if operation in QUERIES:
        query = QUERIES[operation]
        return {
            "ketch": ["q", "-c", query, path],
            "yq": ["-o=json", "-I=0", query.replace("map(.price * .quantity) | add", "[.[] | .price * .quantity] | .[] as $item ireduce (0; . + $item)"), path],
        }.get(engine, ["-c", query, path])
    table = {
        "command.set": {
            "ketch": ["set", ".items[300].spec.replicas", "7", path],
            "yq": [".items[300].spec.replicas = 7", path],
            "ruamel.yaml": ["-c", RUAMEL, path],
            "cat": [path],
        },
        "command.get": {"ketch": ["get", ".items[300].spec.replicas", path], "yq": [".items[300].spec.replicas", path], "cat": [path]},
        "command.check": {"ketch": ["check", "--quiet", path], "yamllint": ["--config-data", "{rules: {}}", path], "yq": ["--exit-status", "[]", path], "wc": ["-l", path]},
        "command.convert": {"ketch": ["convert", "--to", "json", path], "yq": ["-o=json", "-I=0", path]},
        "command.fmt": {"ketch": ["fmt", "-"], "yamlfmt": ["-in"]},
        "lines.number": {"ketch": ["lines", "--number"], "cat": ["-n"]},
        "lines.count": {"ketch": ["lines", "--count"], "wc": ["-l"]},
    }
    try:
        return table[operation][engine]
    except KeyError:
        raise Unable(f"{engine} does not do {operation}") from None


def make(engine: str, operation: str, path: Path) -> Command:
    program = PROGRAMS.get(engine)
    if not program or not program.exists():
        raise Unable(f"{engine} is not installed")
    # Programs that format write a file in place, but their standard input to their output.
    reads_input = operation.startswith(("command.fmt", "lines."))
    return Command([str(program), *words(engine, operation, str(path))], path if reads_input else None)


def converted(data: bytes, *options: str) -> bytes:
    return subprocess.run([KETCH, "convert", *options], input=data, capture_output=True, check=True).stdout


def canonical(printed: bytes) -> tuple[bytes, str]:
    """Return the values of a text of YAML or JSON, with all keys in order. Numbered lines are compared as they are."""
    if printed.startswith(b"     1\t"):
        return printed, printed.decode()
    try:
        values: list[Any] = [json.loads(line) for line in printed.splitlines()]
    except ValueError:
        options = ["--from", "yaml", "--to", "json", "--duplicate-keys", "last", "--non-finite", "text"]
        values = [json.loads(line) for line in converted(printed, *options).splitlines()]
    text = json.dumps(values, sort_keys=True, ensure_ascii=False, indent=1)
    return converted(text.encode(), "--from", "json", "--to", "extprot"), text


def version(name: str, program: Path) -> str:
    done = subprocess.run([program, *VERSIONS.get(name, ["--version"])], capture_output=True, text=True, check=False)
    lines = (done.stdout or done.stderr).strip().splitlines()
    return lines[0] if lines else ""


def main() -> None:
    found = {name: version(name, program) for name, program in PROGRAMS.items() if program.exists()}
    serve(Server("processes", found, make, canonical))


if __name__ == "__main__":
    main()

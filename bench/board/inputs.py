"""The inputs that are neither in the corpus nor made by the Rust runner. They are the same for all hosts."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any


def records(size: int) -> str:
    """Return records with comments, quotes and nested collections, of about `size` bytes."""
    return "# records\nversion: 1.9\nitems:\n" + "".join(until(size, (
        f"  - id: {at}\n    name: 'host-{at % 977}'   # note {at % 13}\n"
        f"    tags: [web, zone-{at % 7}]\n    spec:\n      replicas: {at % 5}\n"
        f"      image: registry.example/app:{at}\n"
        for at in range(size)
    )))  # fmt: skip


def orders(size: int) -> str:
    """Return a list of orders as JSON, of about `size` bytes."""
    made = (
        {"id": at, "customer": f"customer-{at % 997}", "price": at % 9973 + 0.25, "quantity": at % 7, "tags": ["a", f"b{at % 3}"], "paid": at % 2 == 0}
        for at in range(size)
    )
    return "[" + "".join(until(size, (json.dumps(order) + ",\n" for order in made)))[:-2] + "]\n"


def until(size: int, texts: Iterable[str]) -> Iterable[str]:
    """Yield texts until they have `size` characters."""
    for text in texts:
        if size <= 0:
            return
        size -= len(text)
        yield text


def ships(count: int) -> str:
    ship = "- name: ship {0}\n  masts: [main, mizzen]\n  launched: {0}\n  fast: {1}\n"
    return "".join(ship.format(number, str(number % 2 == 0).lower()) for number in range(count))


def items(count: int) -> str:
    item = "- id: {0}\n  name: item {0}   # note {0}\n  port: {1}\n  tags: [a, b]\n"
    return "items:\n" + "".join(item.format(number, 8000 + number % 1000) for number in range(count))


def cells(columns: int) -> list[list[Any]]:
    return [[row if not column % 3 else f"value {row} {column}" for column in range(columns)] for row in range(1000)]


def syck_big() -> str:
    """Return a document in the shape of big_yaml.yml, a file of JRuby's benchmark, with other words."""
    words = ["oak", "elm", "ash"]
    names = ["", *map(str, range(2, 7))]
    inner = "".join(f"   - {words[at % 3]}\n" for at in range(15))
    groves = "".join(f"  key{name}:\n{inner}" for name in names)
    listed = "".join(f"  - {'[1, 2, 3, 4, 5]' if at == 7 else words[at % 3]}\n" for at in range(39))
    return "---\n" + "".join(f"key{name}:\n{listed}\ngrove{name}: \n{groves}\n" for name in names[:4])


#: Short strings, the lines of a log, and patterns for them.
STRINGS = ["ariel", "main-mizzen", "2026-11-27", "fleet@example.org", "127.0.0.1", "harbour"]
LOG = [
    f"10.{n % 7}.{n * 13 % 256}.{n * 31 % 256} - - [27/Nov/2026:10:{n % 60:02}:00 +0000] "
    f'"GET /ships/{n}?q=é HTTP/1.1" {(200, 404, 500)[n % 3]} {n * 97 % 9000}'
    for n in range(2000)
]
PATTERNS = {
    "date": r"(\d{4})-(\d\d)-(\d\d)", "address": r"[\w.+-]+@[\w-]+\.[\w.]+", "word": r"\bmizzen\b",
    "log": r'^(\S+) \S+ \S+ \[([^\]]+)\] "(\w+) (\S+)[^"]*" (\d{3}) (\d+)$', "status": '" (?:404|500) ', "digits": r"\d+",
}  # fmt: skip
#: Plain scalars of all types, and the strings by which ports of Syck were measured.
SCALARS = [
    "", "~", "null", "true", "No", "on", "12", "-7", "0x1F", "017", "1_000", "685.230_15e+03", "3.14", "1e3", ".inf", ".NaN",
    "2026-11-27", "2026-11-27 10:00:00 Z", "2026-11-27T10:00:00.5+01:00", "12:30:45", ":symbol", "text", "a longer text", "1.2.3",
]  # fmt: skip
SYCK_TYPES = [
    "", "~", "null", "yes", "No", "true", "on", "OFF", "42", "-17", "0x1F", "0755", "1,000", "1:30:00", "3.14", "-1e+10", ".inf",
    ".NaN", "2001-12-14", "2001-12-14t21:59:43.10-05:00", "2001-12-14 21:59:43.10 Z", "<<", "=", "a plain text",
]  # fmt: skip
LINES = [f"line {number}\n" for number in range(20_000)]

#: How each input is made. What is not a text is written as JSON.
MADE: dict[str, Callable[[], Any]] = {
    "tiny.json": lambda: '{"a": 1}\n',
    "hosts_100kb.yaml": lambda: records(100_000),
    "hosts.yaml": lambda: records(1_200_000),
    "hosts_100mb.yaml": lambda: records(100_000_000),
    "orders_1mb.json": lambda: orders(1_000_000),
    "orders_10mb.json": lambda: orders(10_000_000),
    "orders_100mb.json": lambda: orders(100_000_000),
    "ships.yaml": lambda: ships(5_000),
    "ships_10mb.yaml": lambda: ships(119_000),
    "ships_100mb.yaml": lambda: ships(1_190_000),
    "edit_items.yaml": lambda: items(140_000),
    "small.yaml": lambda: "name: ketch\nmasts: [main, mizzen]\nrig: fore-and-aft\nlaunched: 1902\nid: 1\n",
    # 53,922 messages of 34 bytes on average, and a tenth of them.
    "messages.json": lambda: {"bytes": 1_850_000, "seed": 42},
    "messages_tenth.json": lambda: {"bytes": 185_000, "seed": 42},
    "scalars.json": lambda: SCALARS,
    "syck_small.yaml": lambda: "---\n- &fir oak\n- elm: a\n  maple: b\n  hazel: ash\n- 123\n- !str 123\n- *fir\n",
    "syck_big.yaml": syck_big,
    "syck_types.yml": lambda: "".join(f"- {text}\n" for text in SYCK_TYPES) * 100,
    "rows_texts.json": lambda: [[f"ship {row}", f"rig {row}"] for row in range(100)],
    "lines_short.txt": lambda: "".join(LINES),
    "lines_crlf.txt": lambda: "".join(LINES).replace("\n", "\r\n"),
    "lines_one.txt": lambda: "abcdefghijkl" * 1000,
    "regexp_log.txt": lambda: "\n".join(LOG),
    "log.txt": lambda: "\n".join(LOG * 100) + "\n",
}
for columns in (2, 5, 10, 30):
    MADE[f"rows_{columns}.json"] = lambda columns=columns: cells(columns)
for names, texts in (["date", "address", "word"], STRINGS), (["log", "status"], LOG), (["log_text", "status_text", "digits_text"], ["@regexp_log.txt"]):
    for name in names:
        MADE[f"regexp_{name}.json"] = lambda name=name, texts=texts: [["", PATTERNS[name.removesuffix("_text")], text] for text in texts]


def make(folder: Path, name: str) -> Path | None:
    """Return the path of an input, which is made if it is not there, or `None` if this cannot make it."""
    path = folder / name
    if not path.is_file():
        if name not in MADE:
            return None
        folder.mkdir(parents=True, exist_ok=True)
        made = MADE[name]()
        # The pattern refers to the log.
        if name.startswith("regexp_") and name != "regexp_log.txt":
            make(folder, "regexp_log.txt")
        new = path.with_suffix(".new")
        new.write_text(made if isinstance(made, str) else json.dumps(made, ensure_ascii=False), newline="")
        new.replace(path)
    return path

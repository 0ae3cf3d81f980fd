#!/usr/bin/env python3
"""Makes the inputs of the rows of the host java, in the folder that is given."""

import json
import sys
from pathlib import Path

#: The strings by which ports of Syck were measured.
STRINGS = [
    "", "~", "null", "yes", "No", "true", "on", "OFF", "42", "-17", "0x1F", "0755", "1,000", "1:30:00", "3.14", "-1e+10", ".inf",
    ".NaN", "2001-12-14", "2001-12-14t21:59:43.10-05:00", "2001-12-14 21:59:43.10 Z", "<<", "=", "a plain text",
]  # fmt: skip


def cells(rows: int, columns: int) -> str:
    return json.dumps([[row if not column % 3 else f"value {row} {column}" for column in range(columns)] for row in range(rows)])


folder = Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
for columns in (2, 5, 10, 30):
    (folder / f"rows_{columns}.json").write_text(cells(1000, columns))
(folder / "rows_texts.json").write_text(json.dumps([[f"ship {row}", f"rig {row}"] for row in range(100)]))
(folder / "syck_types.yml").write_text("".join(f"- {text}\n" for text in STRINGS) * 100)

"""Tests of the page: what it shows first, and that no text of a record can break it."""

import re
import sys
import tempfile
import unittest
from html.parser import HTMLParser
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import page  # noqa: E402
from record import Record  # noqa: E402
from rows import Row  # noqa: E402

EVIL = "<script>alert('1')</script> &amp; \" \x00\x1b\ud800\u202e ]]> -->"
HEAD = {
    "format": 1,
    "date": "2026-11-30 10:00",
    "commit": "abc",
    "machine": {"processor": "P", "cores": 2, "target": "t", "load": 0.5},
    "hosts": {"rust": {"host": "rustc", "engines": {"ketch": "0.1.0", "slow": "1"}}},
    "absent": {},
    "noise": {"spread": 0.01, "waited": 0.01, "is_noisy": False},
    "quick": False,
    "complete": True,
}
FACTS = {"user": 1e-3, "system": 0, "total": 1e-3, "real": 1e-3, "allocated": None, "peak": 2048}


def line(rival, status, ratio=None, row="a.row", given="x", why=""):
    fields = {"row": row, "host": "rust", "operation": row, "input": given, "bytes": 1000, "rival": rival, "status": status}
    if ratio is None:
        return fields | {"why": f"{rival}: {why}"}
    interval = {"ratio": ratio, "low": ratio * 0.99, "high": ratio * 1.01}
    return fields | interval | {"starts": 5, "rounds": 35, "ours": FACTS, "theirs": FACTS}


def row(*rivals, **fields):
    return Row(**{"name": "a.row", "host": "rust", "work": "the same", "inputs": ["x"], "rivals": list(rivals)} | fields)


class Parsed(HTMLParser):
    """The elements of a page. Fails if they are not nested."""

    def __init__(self, text):
        super().__init__()
        self.open, self.names, self.attributes, self.text = [], [], [], ""
        self.feed(text)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag, attrs):
        self.names.append(tag)
        self.attributes += attrs
        if tag not in ("meta", "link"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag

    def handle_data(self, data):
        self.text += data

    def all(self, name):
        return [value for key, value in self.attributes if key == name]


class Page(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.kept = self.folder / "kept"
        self.kept.mkdir()

    def page(self, lines, rows=(), **head):
        page.write(self.folder / "page", Record(HEAD | head, lines), list(rows), self.kept)
        return Parsed((self.folder / "page/index.html").read_text("utf-8"))

    def test_losses_are_first(self):
        lines = [line("slow", "green", 3, row="won"), line("fast", "red", 0.5), line("other", "grey", 1, row="even")]
        shown = self.page(lines, [row("fast"), row("slow", name="won", claims={"slow": {"mean": 4}})])
        self.assertIn("Ketch is slower on 1 of 3 lines, in 1 of 3 rows, and misses 1 claim.", shown.text)
        names = [name for name in shown.all("id") if not name.endswith(("-title", "-about"))]
        sections = ["losses", "claims", "grid", "even", "rows", "a.row-rust", "won-rust", "even-rust", "absent", "machine", "reading"]
        self.assertEqual([name for name in names if name != "wins"], sections)

    def test_nothing_lost_and_nothing_compared(self):
        self.assertIn("Ketch is slower on none of 1 line.", self.page([line("slow", "green", 2)], [row("slow")]).text)
        self.assertIn("Nothing was compared.", self.page([], absent={"rust": "needs cargo"}).text)

    def test_text_is_escaped(self):
        lines = [line(EVIL, "red", 0.5, row=EVIL, given=EVIL), line("b", "differs", why=EVIL)]
        shown = self.page(lines, [row("b", work=EVIL, source=EVIL, ours=EVIL)], commit=EVIL, absent={EVIL: EVIL})
        self.assertNotIn("script", shown.names)
        self.assertIn("<script>alert('1')</script> &amp; \" \ufffd\ufffd\ufffd\ufffd ]]> -->", shown.text)

    def test_the_page_needs_nothing_else_and_its_links_lead_somewhere(self):
        lines = [line("b c", "green", 2), line("floor", "floor", 0.1), line("d", "unable", why="too slow")]
        shown = self.page(lines, [row("b c", "d", floors=["floor"])])
        ids = shown.all("id")
        self.assertEqual(len(ids), len(set(ids)))
        for link in shown.all("href"):
            self.assertTrue(link == "data:," or link.removeprefix("#") in ids, link)
        self.assertEqual(shown.all("src"), [])
        self.assertIsNone(re.search(r"url\(|@import|https?:", (self.folder / "page/index.html").read_text()))

    def test_the_same_record_gives_the_same_bytes(self):
        lines = [line("b", "green", 2), line("c", "failed", why="no"), line("d", "red", 0.9, row="z")]
        Record(HEAD, lines).write(self.folder / "record.jsonl")
        texts = set()
        for found in (Record(HEAD, lines), Record(HEAD, lines[::-1]), Record.read(self.folder / "record.jsonl")):
            page.write(self.folder / "page", found, [row("b", "c")], self.kept)
            texts.add((self.folder / "page/index.html").read_bytes())
        self.assertEqual(len(texts), 1)

    def test_kept_records_are_drawn_by_date(self):
        (self.kept / "old.jsonl").write_text('{"level": "events"}\n')
        self.assertNotIn("History of a.row on rust", self.page([line("b", "green", 2)]).all("aria-label"))
        old = HEAD | {"date": "2026-10-01 10:00", "commit": "old"}
        Record(old, [line("b", "green", 4), line("b", "green", 9, given="gone")]).write(self.kept / "new.jsonl")
        shown = self.page([line("b", "green", 2)])
        self.assertIn("History of a.row on rust", shown.all("aria-label"))
        # The mean is over the inputs that both records have.
        self.assertIn("; 4.00× on 2026-10-01; 2.00× on 2026-11-30", shown.text)

    def test_known_differences_do_not_hide_what_was_won(self):
        lines = [line("b", "differs", why="line 1"), line("c", "green", 2)]
        part = page.parts_of(Record(HEAD, lines), [row("b", "c", known=["b"])])[0]
        self.assertEqual(part.status, "green")
        self.assertEqual(page.parts_of(Record(HEAD, lines), [row("b", "c")])[0].status, "differs")

    def test_ticks_are_few_at_every_scale(self):
        for low, high in [(0.8, 1.27), (0.01, 30), (0.5, 4000), (1e-4, 1e9), (0.97, 1.03)]:
            ticks = page.Axis([low, high], 0, 100).ticks(5)
            self.assertTrue(1 <= len(ticks) <= 5, (low, high, ticks))

    def test_units(self):
        sizes = [page.size(value) for value in (0, 999, 1234, 123456, 5e9, None)]
        self.assertEqual(sizes, ["0 B", "999 B", "1.23 kB", "123 kB", "5 GB", "–"])
        self.assertEqual([page.seconds(value) for value in (2e-9, 1.5e-3, 120)], ["2 ns", "1.5 ms", "120 s"])
        self.assertEqual([page.times(value) for value in (0.0123, 0.5, 12.34, 1234.5)], ["0.0123×", "0.50×", "12.3×", "1,234×"])


if __name__ == "__main__":
    unittest.main()

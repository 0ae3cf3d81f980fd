"""Tests of the board: what it does with runners that fail, and how it judges."""

import copy
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import before  # noqa: E402
import figures  # noqa: E402
import measure  # noqa: E402
import record  # noqa: E402
import rows  # noqa: E402
import runners  # noqa: E402

FAKE = str(Path(__file__).with_name("fake_runner.py"))


def host(*options):
    table = {"build": ["true"], "start": [sys.executable, FAKE, *options], "seconds_to_warm": [0, 0.01], "seconds_max": 3}
    return runners.Host("fake", table, Path("/"))


def row(*rivals, **fields):
    return rows.Row(name="a.row", host="fake", work="none", inputs=["x"], rivals=list(rivals), **fields)


class Measured(unittest.TestCase):
    """Rows that are measured with a fake runner, in two starts of three rounds."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.input = Path(self.folder.name, "x")
        self.input.write_text("text")

    def lines(self, of):
        work = measure.Work(of, "x", self.input)
        for start in range(2):
            pool = runners.Pool({("fake", ""): host()})
            measure.measure(work, pool, start, 3)
            pool.end()
        return {line["rival"]: line for line in record.lines_of(work)}

    def test_faster_and_slower_rivals_have_their_colours(self):
        lines = self.lines(row("slow", "fast", "equal"))
        self.assertEqual({name: line["status"] for name, line in lines.items()}, {"slow": "green", "fast": "red", "equal": "grey"})
        self.assertAlmostEqual(lines["slow"]["ratio"], 2.0)
        self.assertEqual((lines["slow"]["starts"], lines["slow"]["rounds"]), (2, 6))
        self.assertEqual(lines["slow"]["theirs"]["total"], 0.002)

    def test_what_goes_wrong_with_a_rival_is_said_and_the_others_are_whole(self):
        lines = self.lines(row("wrong", "killed", "hangs", "garbage", "fails", "unable", "slow"))
        self.assertEqual(lines["slow"]["status"], "green")
        self.assertEqual(lines["slow"]["rounds"], 6)
        reasons = {
            "wrong": ("differs", "line 2 of the value: `b: 3`, not `b: 2`"),
            "killed": ("failed", "has ended (signal SIGKILL)"),
            "hangs": ("failed", "does not answer within 3 s"),
            "garbage": ("failed", "what is not JSON: b'no JSON'"),
            "fails": ("failed", "does not work"),
            "unable": ("unable", "cannot"),
        }
        for name, (status, why) in reasons.items():
            self.assertEqual(lines[name]["status"], status)
            self.assertIn(why, lines[name]["why"])

    def test_the_only_rival_is_named_if_it_fails(self):
        self.assertEqual([self.lines(row(name))[name]["status"] for name in ("wrong", "fails")], ["differs", "failed"])

    def test_floors_are_not_compared(self):
        lines = self.lines(row("slow", floors=["wrong", "fast"]))
        self.assertEqual([lines[name]["status"] for name in ("wrong", "fast")], ["floor", "floor"])
        self.assertEqual(list(self.lines(row("slow", floors=["unable"]))), ["slow"])

    def test_that_ketch_failed_is_said_once(self):
        lines = self.lines(row("slow", "fast", ours="fails"))
        self.assertEqual(list(lines), ["fails"])
        self.assertEqual(lines["fails"]["status"], "failed")
        self.assertEqual(len(record.problems(record.Record({}, list(lines.values())), [])), 1)

    def test_the_length_of_what_an_engine_writes_is_kept(self):
        lines = self.lines(row("slow"))
        self.assertEqual((lines["slow"]["theirs"]["bytes"], lines["slow"]["ours"]["zstd_bytes"]), (120, 60))

    def test_a_runner_of_another_protocol_is_refused(self):
        with self.assertRaisesRegex(runners.Failed, "another protocol"):
            runners.Runner(host("--other"))

    def test_a_build_that_fails_is_said_with_its_words(self):
        broken = runners.Host("fake", {"build": ["ls", "/no/such/folder"], "start": []}, Path("/"))
        with self.assertRaisesRegex(runners.Failed, "no/such/folder"):
            broken.build()
        self.assertIn("no_such_tool (apt)", runners.Host("fake", {"build": [], "start": [], "needs": {"no_such_tool": "apt"}}, Path("/")).missing())


class Judged(unittest.TestCase):
    def taken(self, *starts):
        found = measure.Taken(rows.Side("fake", "x"))
        found.seconds = {(start, number): seconds for start, values in enumerate(starts) for number, seconds in enumerate(values)}
        return found

    def test_the_interval_covers_the_starts(self):
        ours = self.taken([1.0] * 5, [1.0] * 5, [1.0] * 5)
        theirs = self.taken([0.9] * 5, [1.1] * 5, [1.2] * 5)
        found = measure.ratio(ours, theirs)
        self.assertEqual(found.colour(), "grey")
        self.assertAlmostEqual(found.middle, 1.1)
        self.assertAlmostEqual(found.low, 0.9)

    def record(self, **changes):
        line = {"row": "a.row", "host": "fake", "input": "x", "rival": "slow", "status": "green", "ratio": 2.0, "low": 1.9, "high": 2.1}
        return record.Record({"format": 1, "date": "2026-01-01 00:00", "machine": {"processor": "P", "cores": 2}}, [line | changes])

    def test_a_new_red_a_missed_claim_and_a_lost_row_are_worse(self):
        of = [row("slow", claims={"slow": {"mean": 1.5}})]
        old = self.record()
        self.assertEqual(record.worse(old, self.record(), of), [])
        self.assertEqual(len(record.worse(old, self.record(status="red", ratio=0.5), of)), 2)
        self.assertIn("missed", record.worse(old, self.record(ratio=1.2), of)[0])
        self.assertIn("is gone", record.worse(old, self.record(rival="other"), of)[0])
        failed = copy.deepcopy(self.record())
        del failed.lines[0]["ratio"]
        failed.lines[0]["status"] = "failed"
        self.assertIn("was green", record.worse(old, failed, of)[0])
        self.assertEqual(record.worse(self.record(status="grey"), self.record(status="grey"), of), [])

    def test_only_what_stays_slower_is_slower(self):
        slow = self.record(status="red", ratio=0.9, low=0.85, high=0.95)
        self.assertEqual(len(before.slower(slow, lambda _: slow)), 1)
        self.assertEqual(before.slower(slow, lambda _: self.record()), [])
        self.assertEqual(before.slower(self.record(status="red", ratio=0.98, high=0.99), lambda _: slow), [])

    def test_a_record_is_read_as_it_was_written_or_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "a.jsonl")
            kept = self.record(ours={"total": 1.0})
            kept.lines.append({"row": "a.row", "host": "fake", "input": "x", "rival": "broken", "status": "failed", "why": "no"})
            kept.lines.append({"row": "a.row", "host": "fake", "input": "y", "rival": "ketch", "status": "failed", "why": "no"})
            kept.write(path)
            self.assertEqual(record.Record.read(path).lines, kept.lines)
            self.assertEqual(len(path.read_text().splitlines()), 3)
            for text, message in (("", "not a record"), ('{"format": 9}\n', "format 9"), ("nonsense\n", ":1: not a line"), ('{"format": 1}\n{"row": 1}\n', ":2: not a line")):
                path.write_text(text)
                with self.assertRaisesRegex(rows.Wrong, message):
                    record.Record.read(path)

    def test_rows_are_chosen_by_names_and_hosts(self):
        all_ = rows.load()
        self.assertTrue(all(one.work for one in all_))
        self.assertTrue(all(one.host == "python" for one in rows.chosen(all_, ["yaml.*"], ["python"])))
        with self.assertRaisesRegex(rows.Wrong, "no row is called"):
            rows.chosen(all_, ["none.at.all"], [])
        inputs = rows.Inputs(Path("/nowhere"))
        for one in all_:
            self.assertTrue(inputs.names(one, is_quick=False))
        self.assertTrue(inputs.names(row(), is_quick=True))
        self.assertFalse(inputs.names(row(quick=[]), is_quick=True))

    def test_every_generated_file_has_a_floor_and_every_claim_a_rival(self):
        all_ = rows.load()
        made = rows.Inputs(Path("/nowhere")).groups
        for name in ("yaml.events", "yaml.event_shapes"):
            of = next(one for one in all_ if one.name == name and one.host == "rust")
            self.assertEqual(sorted(of.floor_of), sorted(made["@shapes" if "shapes" in name else "@generated"]))
        for one in all_:
            self.assertEqual(set(one.claims) - set(one.rivals) - set(one.floors), set(), one.name)

    def test_kept_records_keep_the_claims(self):
        all_ = rows.load()
        for path in (rows.BENCH / "records").glob("*.jsonl"):
            kept = record.Record.read(path)
            missed = [text for one in all_ for text, holds in record.claims(one, kept.of_row(one), kept.is_quick()) if not holds]
            self.assertEqual(missed, [], path.name)

    def test_tables_of_pages_are_those_of_records(self):
        with tempfile.TemporaryDirectory(dir=figures.ROOT / "bench") as folder:
            path = Path(folder, "a.jsonl")
            self.record().write(path)
            name = path.relative_to(figures.ROOT)
            page = f"<!-- figures: {name}\na.* fake *\n-->\nold\n<!-- figures: end -->\n"
            made = figures.rewrite(page)
            self.assertIn("| `a.row` | fake | slow | 2.00 | 2.00 | 1 |", made)
            self.assertEqual(figures.rewrite(made), made)
            with self.assertRaisesRegex(rows.Wrong, "has no figures"):
                figures.rewrite(page.replace("a.*", "b.*"))


if __name__ == "__main__":
    unittest.main()

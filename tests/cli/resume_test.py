#!/usr/bin/env python3
"""Runs that are interrupted, killed and resumed.

STICTION_PROGRAM: the program; STICTION_SOURCE: the source tree. Standard library only.
"""
import json
import signal
import time
import unittest

from program import ProgramTest


class Interruption(ProgramTest):
    """What is left behind can be resumed, and ends in the same bits."""

    UNTIL = ("--until", "60")

    def uninterrupted(self):
        return self.document("run", "long.json", *self.UNTIL, "--out", "reference")

    def test_kill_then_resume(self):
        reference = self.uninterrupted()
        process = self.start("run", "long.json", *self.UNTIL)
        self.wait_for_journal("long", 200_000, process)
        process.kill()
        process.communicate()
        self.assertTrue(self.journal_of("long").exists())
        resumed = self.document("run", "long.json", *self.UNTIL, "--resume")
        self.assertEqual(resumed["hash"], reference["hash"])
        self.assertEqual(resumed["steps"], reference["steps"])
        self.assertEqual(resumed["ledger"]["booked"], reference["ledger"]["booked"])
        self.assertFalse(self.journal_of("long").exists())

    def test_interrupt_then_resume(self):
        reference = self.uninterrupted()
        process = self.start("run", "long.json", *self.UNTIL)
        self.wait_for_journal("long", 100_000, process)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 1, err)
        self.assertIn("--resume", err)
        resumed = self.document("run", "long.json", *self.UNTIL, "--resume")
        self.assertEqual(resumed["hash"], reference["hash"])

    def test_the_step_it_is_in_is_given_up(self):
        # A tolerance at round-off: in the second step of this pyramid solvers try everything they know, for many seconds.
        words = ("run", "pyramid", "--tolerance", "1e-13", "--set", "$base=40")
        for resumed in (False, True):
            process = self.start(*words, "--json", *(("--resume",) if resumed else ()))
            self.wait_for_journal("pyramid", 0, process)
            time.sleep(1.5)
            self.assertIsNone(process.poll(), "a step takes long here")
            asked = time.time()
            process.send_signal(signal.SIGTERM)
            out, err = process.communicate(timeout=60)
            self.assertLess(time.time() - asked, 20)  # within a second where nothing else runs; a step takes minutes
            self.assertEqual(process.returncode, 1, err)
            out = json.loads(out)
            self.assertEqual((out["ending"], out["certificate"]["refused_steps"]), ("interrupted", 0))
            self.assertLess(out["steps"], 5)  # of 500
            self.assertRegex(err, "interrupted at t = 0.0?[0-9]* s; the same command with --resume goes on from here")

    def test_every_stage_is_given_up(self):
        """A crowd of 180,000 pairs: search, contacts, problem, solvers, each for many seconds. Asked to end at several moments."""
        (self.folder / "crowd.json").write_text("""{"stiction": 1, "gravity": [0, 0, -9.81],
          "bodies": {"ball": {"repeat": {"count": 600, "offset": [1e-5, 0, 0]}, "shape": {"sphere": 0.1}, "mass": 1}},
          "run": {"until": 0.01}}""")
        for wait in (0.05, 0.2, 0.6, 1.5, 4):
            process = self.start("run", "crowd.json", "--json")
            self.wait_for_journal("crowd", 0, process)
            time.sleep(wait)
            self.assertIsNone(process.poll(), "a step takes minutes here")
            asked = time.time()
            process.send_signal(signal.SIGTERM)
            out, err = process.communicate(timeout=60)
            self.assertLess(time.time() - asked, 10)  # within a second where nothing else runs
            self.assertEqual(process.returncode, 1, err)
            self.assertEqual(json.loads(out)["ending"], "interrupted")

    def test_a_signal_while_the_report_is_written(self):
        """The picture of 20,000 bodies takes many seconds. The run ends at once; --resume has all of it."""
        (self.folder / "many.json").write_text("""{"stiction": 1,
          "bodies": {"ball": {"repeat": {"count": 20000, "offset": [1e-4, 0, 0]}, "shape": {"sphere": 0.1}, "mass": 1, "collides": false}},
          "run": {"until": 0.01}}""")
        process = self.start("run", "many.json")
        recording = self.folder / "out/many/recording.h5"
        while process.poll() is None and not recording.exists():
            time.sleep(0.01)
        time.sleep(0.3)
        self.assertIsNone(process.poll(), "the report takes long here")
        asked = time.time()
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=60)
        self.assertLess(time.time() - asked, 10)
        self.assertEqual((process.returncode, out), (1, ""))
        self.assertIn("ended before recording and report were written; the same command with --resume goes on there", err)
        self.assertFalse((self.folder / "out/many/report.html").exists())

    def test_a_step_that_was_given_up_is_made_again(self):
        (self.folder / "slow.json").write_text("""{"stiction": 1, "gravity": [0, 0, -9.81],
          "bodies": {"ball": {"repeat": {"count": 100, "offset": [1e-5, 0, 0]}, "shape": {"sphere": 0.1}, "mass": 1}},
          "run": {"until": 0.03}}""")
        words = ("run", "slow.json")  # some 0.5 s a step
        reference = self.document(*words, "--out", "reference")
        process = self.start(*words)
        self.wait_for_journal("slow", 0, process)
        time.sleep(0.1)
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=60)
        self.assertIn("interrupted", err)
        resumed = self.document(*words, "--resume")
        for key in ("hash", "steps", "certificate", "ledger"):
            self.assertEqual(resumed[key], reference[key], key)

    def test_a_torn_journal_is_resumed(self):
        reference = self.uninterrupted()
        process = self.start("run", "long.json", *self.UNTIL)
        self.wait_for_journal("long", 200_000, process)
        process.kill()
        process.communicate()
        journal = self.journal_of("long")
        with journal.open("r+b") as file:  # the last block is cut in two
            file.truncate(journal.stat().st_size - 7)
        resumed = self.document("run", "long.json", *self.UNTIL, "--resume")
        self.assertEqual(resumed["hash"], reference["hash"])

    def test_resume_to_an_end_that_is_passed_says_so(self):
        process = self.start("run", "long.json", *self.UNTIL)
        self.wait_for_journal("long", 200_000, process)
        process.kill()
        process.communicate()
        done = self.call("run", "long.json", "--until", "0.05", "--resume")
        self.assertRegex(done.stderr, r"the run is at t = [0-9.]+ s already, --until 0.05 asks for no further step")

    def test_resume_with_another_scene_is_refused(self):
        process = self.start("run", "long.json", *self.UNTIL)
        self.wait_for_journal("long", 100_000, process)
        process.kill()
        process.communicate()
        done = self.call("run", "long.json", *self.UNTIL, "--set", "$r=0.04", "--resume", status=2)
        self.assertIn("another scene", done.stderr)

    def test_nothing_to_resume_starts_afresh(self):
        out = self.document("run", "drop.json", "--resume")
        self.assertEqual(out["steps"], 100)
        self.assertNotIn("resumed", out)

    def test_a_finished_run_is_not_run_again(self):
        first = self.document("run", "drop.json")
        recording = self.folder / first["recording"]
        before = recording.read_bytes(), recording.stat().st_ino
        for words in ((), ("--until", "0.5"), ("--threads", "2")):
            done = self.call("run", "drop.json", "--resume", *words)
            self.assertRegex(done.stderr, r"out/drop/recording\.h5: this run is finished, at t = 1 s")
            self.assertIn("Hash       " + first["hash"], done.stdout)
            self.assertIn("Recording  out/drop/recording.h5", done.stdout)
        again = self.document("run", "drop.json", "--resume")
        self.assertEqual(again, first)  # wall time and all: it is the summary of that run
        self.assertEqual((recording.read_bytes(), recording.stat().st_ino), before)
        self.assertFalse(self.journal_of("drop").exists())
        self.call("run", "drop.json", "--resume", "--quiet", "--csv")
        self.assertTrue((self.folder / "out/drop/recording.bodies.csv").is_file())

    def test_a_finished_run_goes_on_to_a_later_end(self):
        # 0.73 s is between two frames (every 0.02 s): that last frame must not be in the longer run.
        self.document("run", "drop.json", "--until", "0.73")
        done = self.call("run", "drop.json", "--until", "1.5", "--resume", "--csv", "--json")
        self.assertEqual(done.stderr, "out/drop/recording.journal: going on at t = 0.73 s, step 73 of 150\n")
        longer = json.loads(done.stdout)
        self.assertEqual(longer["resumed"], {"from": "out/drop/recording.journal", "time": 0.73, "step": 73})
        whole = self.document("run", "drop.json", "--until", "1.5", "--csv", "--out", "whole")
        for key in ("hash", "steps", "time", "certificate", "ledger", "final"):
            self.assertEqual(longer[key], whole[key], key)
        for table, other in zip(longer["csv"], whole["csv"]):
            self.assertEqual((self.folder / table).read_text(), (self.folder / other).read_text(), table)
        self.assertFalse(self.journal_of("drop").exists())

    def test_a_finished_run_of_another_scene_is_kept(self):
        first = self.document("run", "drop.json")
        before = (self.folder / first["recording"]).read_bytes()
        done = self.call("run", "drop.json", "--set", "bodies.box.density=250", "--until", "2", "--resume", status=2)
        self.assertIn("another scene", done.stderr)
        self.assertEqual((self.folder / first["recording"]).read_bytes(), before)

    def test_two_runs_do_not_share_a_folder(self):
        process = self.start("run", "long.json")
        self.wait_for_journal("long", 10_000, process)
        done = self.call("run", "long.json", status=2)
        self.assertIn("another run", done.stderr)
        process.kill()
        process.communicate()


if __name__ == "__main__":
    unittest.main(verbosity=2)

#!/usr/bin/env python3
"""`kill -9` at any moment: what lies there opens, and `--resume` ends in the same bits.

10 kills of runs at moments drawn over their whole life, with STICTION_FULL=1 100; further kills while the HDF5 file is
being written, and of runs that go on from a finished recording.
"""
import random
import time
import unittest

from program import FULL, ProgramTest

# Balls that roll and hit each other, with a frame every step: about as much time in steps as in files.
ROLL = """{ "stiction": 1, "gravity": [0, 0, -9.81], "$r": 0.05,
  "surfaces": { "steel": { "friction": 0.4 } },
  "bodies": {
    "floor": { "static": true, "shape": {"half_space": [0, 0, 1]}, "surface": "steel" },
    "wall":  { "static": true, "shape": {"half_space": [1, 0, 0]}, "surface": "steel", "at": [-1, 0, 0] },
    "ball":  { "repeat": {"count": 20, "offset": ["=2.1*$r", 0, "=0.5*$r"]},
               "shape": {"sphere": "$r"}, "density": 7800, "surface": "steel", "at": [0, 0, 0.1] } },
  "initial": { "ball.0": {"velocity": [-1, 0.2, 0]} },
  "run": { "until": 3, "step": 0.002 } }
"""
SAME = ("hash", "steps", "time", "certificate", "ledger", "final")
RUN = ("run", "roll.json", "--out", "out")


class KilledAtAnyMoment(ProgramTest):
    def setUp(self):
        super().setUp()
        (self.folder / "roll.json").write_text(ROLL)
        self.random = random.Random(20260101)
        self.out = self.folder / "out"
        self.life = 1e9  # [s] of a run
        for _ in range(3):
            began = time.monotonic()
            self.whole = self.document("run", "roll.json", "--csv", "--out", "whole")
            self.life = min(self.life, time.monotonic() - began)

    def kill_after(self, seconds, *words):
        """True if it was still running."""
        process = self.start(*words)
        try:
            process.wait(seconds)
        except Exception:
            pass
        alive = process.poll() is None
        process.kill()
        process.communicate()
        return alive

    def kill_when(self, condition, *words, later=0.0):
        process = self.start(*words)
        deadline = time.monotonic() + 60
        while not condition():
            if process.poll() is not None:
                self.fail(f"it ended too early to be killed: {process.communicate()}")
            self.assertLess(time.monotonic(), deadline)
        time.sleep(later)
        alive = process.poll() is None
        process.kill()
        process.communicate()
        return alive

    def left(self, ending):
        return sorted(self.out.glob("*" + ending)) if self.out.exists() else []

    def everything_opens(self):
        """Every command that reads recordings reads what has the name of one."""
        found = self.left(".journal") + self.left(".h5")
        for recording in found:
            path = str(recording.relative_to(self.folder))
            self.call("report", path, "--out", "read.html")
            self.call("convert", path, "read.h5")
            self.call("convert", path, "read.csv")
            self.call("convert", "read.h5", "again.csv")
            for table in ("bodies", "books", "contacts"):
                text = (self.folder / f"read.{table}.csv").read_text()
                self.assertEqual((self.folder / f"again.{table}.csv").read_text(), text)
                # whatever was recorded before the end is what the uninterrupted run recorded
                whole = (self.folder / f"whole/recording.{table}.csv").read_text()
                self.assertTrue(whole.startswith(text) or text.startswith(whole), table)
        return [f.suffix for f in found]

    def ends_as_the_whole(self):
        resumed = self.document(*RUN, "--resume", "--csv")
        for key in SAME:
            self.assertEqual(resumed[key], self.whole[key], key)
        for table in ("bodies", "books", "contacts"):
            self.assertEqual((self.out / f"recording.{table}.csv").read_text(),
                             (self.folder / f"whole/recording.{table}.csv").read_text(), table)
        self.assertEqual(self.left(".part") + self.left(".journal"), [], "nothing is left behind")
        for file in self.out.iterdir():
            file.unlink()

    def test_at_moments_drawn_over_the_life_of_a_run(self):
        found = {}
        kills = 0
        while kills < (100 if FULL else 10):
            words = self.random.choice((RUN, (*RUN, "--csv")))
            while self.kill_after(self.random.uniform(0, self.life), *words):
                kills += 1
                kinds = " and ".join(self.everything_opens()) or "nothing yet"
                found[kinds] = found.get(kinds, 0) + 1
                words = (*RUN, "--resume")
                if self.random.random() < 0.5:  # else it is killed again while it goes on
                    break
            self.ends_as_the_whole()
        print(kills, "kills found", found)
        self.assertGreater(found.get(".journal", 0), 0)

    def test_while_the_hdf5_file_is_written(self):
        killed = 0
        for round in range(30 if FULL else 3):
            with self.subTest(round=round):
                killed += self.kill_when(lambda: any(".h5." in f.name for f in self.left(".part")), *RUN,
                                         later=self.random.uniform(0, 0.1 * self.life) if round else 0)
                self.everything_opens()
                if round % 2:  # once more, in the same phase of the resumed run
                    self.kill_after(self.random.uniform(0, 0.5 * self.life), *RUN, "--resume")
                    self.everything_opens()
                self.ends_as_the_whole()
        self.assertGreater(killed, 0)

    def test_while_a_finished_run_goes_on(self):
        """Its journal is made again from the HDF5 file; killed in there, the HDF5 file is still there."""
        for round in range(30 if FULL else 3):
            with self.subTest(round=round):
                self.call(*RUN, "--until", "1")
                self.kill_after(self.random.uniform(0, self.life), *RUN, "--resume")
                self.assertIn(".h5", self.everything_opens())
                self.ends_as_the_whole()

    def test_a_new_run_killed_at_its_start_keeps_the_earlier_one(self):
        """An earlier journal is replaced by one that can be gone on from, or not at all."""
        self.kill_when(lambda: self.left(".journal") and self.left(".journal")[0].stat().st_size > 200_000, *RUN)
        for round in range(10 if FULL else 5):
            self.kill_after(self.random.uniform(0, 0.1 * self.life), *RUN)
            self.assertEqual(self.everything_opens(), [".journal"])
        self.ends_as_the_whole()


if __name__ == "__main__":
    unittest.main(verbosity=2)

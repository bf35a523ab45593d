#!/usr/bin/env python3
"""Recordings larger than the memory they are written and read with.

A recording of 240 MB, with STICTION_FULL=1 of 4 GB; no command may ever hold 100 MB (resident, with the program's own code).
What they hold when written: 15 to 75 MB, the same at both sizes.
"""
import os
import subprocess
import time
import unittest

from program import FULL, PROGRAM, ProgramTest

SCENE = """{ "stiction": 1, "gravity": [0, 0, -9.81],
  "bodies": { "ball": { "repeat": {"count": 1000, "offset": [1, 0, 0]}, "mass": 1, "shape": {"sphere": 0.1}, "collides": false } },
  "run": { "until": %g, "step": 0.001, "method": "rk4" },
  "record": { "plot": ["ball.7.position", "ball.999.velocity"] } }
"""
MOST = 100  # [MB]
STEPS = 38_000 if FULL else 2_300  # frames of 106 kB


class Memory(ProgramTest):
    def measured(self, *words):
        """Runs to its end; [MB] the most it held."""
        process = subprocess.Popen([PROGRAM, *words], cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        error = process.stderr.read().decode()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        process.stderr.close()
        self.assertEqual(process.returncode, 0, error)
        held = used.ru_maxrss // 1024
        print(f"{held} MB: {' '.join(words)}")
        self.assertLess(held, MOST, words)
        return held

    def test_a_recording_larger_than_memory(self):
        (self.folder / "big.json").write_text(SCENE % (STEPS / 1000))
        out = self.folder / "out"
        process = self.start("run", "big.json", "--out", "out", "--quiet")
        while not list(out.glob("*.h5.*.part")):  # all steps are done
            self.assertIsNone(process.poll())
            time.sleep(0.01)
        process.kill()
        process.communicate()
        journal = out / "recording.journal"
        self.assertGreater(journal.stat().st_size, 2.3 * MOST * 1e6)

        self.measured("convert", "out/recording.journal", "a.csv")
        self.measured("convert", "out/recording.journal", "a.h5")
        self.measured("report", "out/recording.journal", "--out", "a.html")
        self.measured("report", "a.h5", "--out", "b.html")
        # the page is the same from both, and its curves go from the first frame to the last
        page = (self.folder / "a.html").read_text()
        self.assertEqual(page, (self.folder / "b.html").read_text())
        self.assertIn(f'"time":[0,', page)
        self.assertIn(f',{STEPS / 1000:g}],"charts"', page)
        self.measured("run", "big.json", "--out", "out", "--resume", "--quiet")
        longer = f"{STEPS / 1000 + 0.2:g}"  # the journal is made again from the HDF5 file
        self.measured("run", "big.json", "--out", "out", "--until", longer, "--resume", "--quiet")
        self.measured("run", "big.json", "--out", "other", "--until", "0.5", "--quiet", "--csv")


if __name__ == "__main__":
    unittest.main(verbosity=2)

"""The built program under test: starts it in a folder of its own, checks exit status and documents.

STICTION_PROGRAM: the program; STICTION_SOURCE: the source tree; STICTION_FULL=1: tests at their largest size.
"""
import json
import os
import pathlib
import subprocess
import tempfile
import time
import unittest

FULL = os.environ.get("STICTION_FULL", "") not in ("", "0")
SOURCE = pathlib.Path(os.environ.get("STICTION_SOURCE", pathlib.Path(__file__).resolve().parents[2]))
PROGRAM = os.path.abspath(os.environ.get("STICTION_PROGRAM", SOURCE / "build/release/bin/stiction"))

# A box falls on a floor and comes to rest: 0.2 m cube, 4 kg.
DROP = """{ "stiction": 1, "gravity": [0, 0, -9.81],  // a comment
  "surfaces": { "wood": { "friction": 0.4 } },
  "bodies": {
    "floor": { "static": true, "shape": {"half_space": [0, 0, 1]}, "surface": "wood" },
    "box":   { "shape": {"box": [0.2, 0.2, 0.2]}, "density": 500, "at": [0, 0, 0.3], "surface": "wood" } },
  "initial": { "box": {"velocity": [1, 0, 0]} },
  "run":    { "until": 1, "step": 0.01 },
  "record": { "every": 0.02, "plot": ["box.position"] } }
"""

# Balls that roll and collide on a floor for a long time: enough work to be interrupted.
LONG = """{ "stiction": 1, "gravity": [0, 0, -9.81], "$r": 0.05,
  "surfaces": { "steel": { "friction": 0.4 } },
  "bodies": {
    "floor": { "static": true, "shape": {"half_space": [0, 0, 1]}, "surface": "steel" },
    "wall":  { "static": true, "shape": {"half_space": [1, 0, 0]}, "surface": "steel", "at": [-1, 0, 0] },
    "ball":  { "repeat": {"count": 20, "offset": ["=2.1*$r", 0, "=0.5*$r"]},
               "shape": {"sphere": "$r"}, "density": 7800, "surface": "steel", "at": [0, 0, 0.1] } },
  "initial": { "ball.0": {"velocity": [-1, 0.2, 0]} },
  "run":    { "until": 40, "step": 0.002 },
  "record": { "every": 0.02 } }
"""


class ProgramTest(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.scratch.name)
        (self.folder / "drop.json").write_text(DROP)
        (self.folder / "long.json").write_text(LONG)

    def tearDown(self):
        self.scratch.cleanup()

    def call(self, *words, status=0, environment=None):
        done = subprocess.run([PROGRAM, *words], cwd=self.folder, capture_output=True, text=True, timeout=240,
                              env={**os.environ, **(environment or {})})
        if status is not None:
            self.assertEqual(done.returncode, status, f"{words}\nstdout: {done.stdout[-3000:]}\nstderr: {done.stderr[-3000:]}")
        return done

    def document(self, *words, status=0):
        done = self.call(*words, "--json", status=status)
        return json.loads(done.stdout)  # exactly one document

    def start(self, *words):
        return subprocess.Popen([PROGRAM, *words], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def journal_of(self, name):
        return self.folder / "out" / name / "recording.journal"

    def wait_for_journal(self, name, size, process):
        """Until the run has written that many bytes."""
        deadline = time.time() + 60
        journal = self.journal_of(name)
        while not (journal.exists() and journal.stat().st_size > size):
            self.assertIsNone(process.poll(), "the run ended too early to be interrupted")
            self.assertLess(time.time(), deadline, "no journal")
            time.sleep(0.005)

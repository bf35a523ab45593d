#!/usr/bin/env python3
"""Runs whose energy comes from nowhere end with exit status 1 and the name of what it is likely to be of.

STICTION_PROGRAM: the program; STICTION_SOURCE: the source tree. Standard library only.
"""
import json
import unittest

from program import ProgramTest

SCENE = {
    "stiction": 1, "gravity": [0, 0, 0],
    "bodies": {"mass": {"particle": True, "shape": {"sphere": 0.05}, "collides": False, "mass": 1, "at": [1, 0, 0]}},
    "initial": {"mass": {"velocity": [1, 0, 0]}},
    "run": {"until": 1, "step": 0.01},
}


class Energy(ProgramTest):
    def run_with(self, force, status):
        scene = {**SCENE, "forces": {"only": force}}
        (self.folder / "energy.json").write_text(json.dumps(scene))
        out = self.document("run", "energy.json", status=status)
        return out, self.call("run", "energy.json", status=status).stdout

    def test_a_damper_that_diverges(self):  # h c/m = 5: the velocity is multiplied by -4 in each step
        out, text = self.run_with({"spring": {"b": "mass", "stiffness": 0, "damping": 500}}, 1)
        self.assertEqual(out["ending"], "reached the end")
        self.assertGreater(out["ledger"]["unexplained_rise"], 0.9)
        self.assertIn("without a source, by damping; step 0.01 s, stable below 0.004 s for spring 'only'", out["trouble"])
        self.assertIn("First trouble: " + out["trouble"], text)
        self.assertRegex(text, r"all +1\.00e\+00   limit 0\.25  MISSED")

    def test_a_spring_that_swings_too_far(self):  # h w = 1.975, below the limit of stability
        out, _ = self.run_with({"spring": {"b": "mass", "stiffness": 39006.25, "damping": 0}}, 1)
        self.assertIn("by numerics; step 0.01 s, stable below 0.0101 s for spring 'only'", out["trouble"])

    def test_drag_that_diverges(self):
        out, _ = self.run_with({"drag": {"body": "mass", "linear": 500}}, 1)
        self.assertIn("by drag on 'mass'", out["trouble"])

    def test_steps_that_are_short_enough(self):  # h w = 0.1, h c/m = 0.5
        for force in ({"spring": {"b": "mass", "stiffness": 100, "damping": 0}}, {"spring": {"b": "mass", "stiffness": 0, "damping": 50}}):
            out, text = self.run_with(force, 0)
            self.assertLessEqual(out["ledger"]["unexplained_rise"], 0.055)
            self.assertNotIn("trouble", out)
            self.assertIn("limit 0.25  ok", text)

    def test_the_report_is_not_green(self):
        self.run_with({"spring": {"b": "mass", "stiffness": 0, "damping": 500}}, 1)
        page = (self.folder / "out" / "energy" / "report.html").read_text()
        self.assertIn("Energy from nowhere", page)
        self.assertNotIn("Every step certified", page)


if __name__ == "__main__":
    unittest.main()

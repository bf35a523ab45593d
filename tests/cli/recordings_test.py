#!/usr/bin/env python3
"""What becomes of recordings: report, convert, plot.

STICTION_PROGRAM: the program; STICTION_SOURCE: the source tree. Standard library only.
"""
import unittest

from program import SOURCE, ProgramTest


class Recordings(ProgramTest):
    def test_joints_are_in_every_form(self):
        out = self.document("run", str(SOURCE / "scenes/pendulum.json"), "--until", "1", "--csv")
        joint = out["final"]["rod"]["joint"]
        self.assertEqual((joint["name"], joint["kind"]), ("hinge", "revolute"))
        self.assertEqual([len(joint["position"]), len(joint["velocity"])], [1, 1])
        rows = (self.folder / out["csv"][4]).read_text().splitlines()
        self.assertEqual(rows[-8], f"1,hinge,position,0,rad,{joint['position'][0]!r}")
        self.assertTrue(rows[-6].startswith("1,hinge,force,x,N,"), rows[-6])
        page = (self.folder / out["report"]).read_text()
        self.assertIn("hinge.position", page)
        self.assertNotIn("exact contact problem", page)
        self.assertIn("nothing touched", page)

    def test_report_and_convert_read_both_kinds(self):
        process = self.start("run", "long.json")
        self.wait_for_journal("long", 200_000, process)
        process.kill()
        process.communicate()
        journal = str(self.journal_of("long").relative_to(self.folder))
        for recording in (journal, "half.h5"):
            if recording == journal:
                self.document("convert", journal, "half.h5")
            out = self.document("report", recording, "--out", "half.html")
            self.assertEqual(out["report"], "half.html")
            self.assertGreater((self.folder / "half.html").stat().st_size, 10_000)
            self.call("convert", recording, "tables.csv")
        self.assertTrue((self.folder / "half.h5").is_file())

    def test_reactions_and_warnings_are_in_every_form(self):
        out = self.document("run", str(SOURCE / "scenes/slider_crank.json"), "--until", "0.1", "--csv")
        rows = (self.folder / out["csv"][4]).read_text().splitlines()
        self.assertRegex(rows[-1], r"^0\.1,bore,torque,z,N m,")
        page = (self.folder / out["report"]).read_text()
        self.assertIn("Every step certified, with a warning", page)  # 'bore' repeats what other joints hold
        self.assertIn("joint &#39;bore&#39;", page)
        self.assertRegex(page, "<th>pin</th><td>hinge</td>")
        said = self.document("plot", out["recording"], "pin.force", "joint.main.torque.y", "--out", "p.svg")
        self.assertEqual([c["curve"] for c in said["curves"]], ["pin.force.x", "pin.force.y", "pin.force.z", "main.torque.y"])
        self.assertEqual([c["unit"] for c in said["curves"]], ["N", "N", "N", "N m"])
        self.assertEqual((self.folder / "p.svg").read_text().count("<polyline"), 4)
        self.assertIn('did you mean "force"', self.call("plot", out["recording"], "pin.forc", status=2).stderr)
        self.assertIn('did you mean "kinetic"', self.call("plot", out["recording"], "ledger.kinetik", status=2).stderr)
        self.assertIn("not above 0", self.call("plot", out["recording"], "booked.gravity", "--log", "--out", "l.svg").stderr)
        self.assertIn("must end in .svg or .png", self.call("plot", out["recording"], "--out", "p.jpg", status=2).stderr)

    def test_unknown_curves_are_of_the_command_not_of_the_scene(self):
        recording = self.document("run", "drop.json", "--until", "0.1")["recording"]
        how = ('A curve is named BODY.QUANTITY, for example "box.position.z"; those of the run begin with certificate, ledger, booked '
               "or solver. BODY is box or floor.")
        for curve, message in (("bax.position", f'there is no body "bax"; did you mean "box"? {how}'),
                               ("legder.kinetic", f'there is no body "legder.kinetic"; did you mean "ledger"? {how}'),
                               ("height", f'there is no body "height". {how}'),
                               ("box.hight", 'a body has no "hight"; did you mean "height"? Known are position, velocity, spin, '
                                             "orientation, speed or height.")):
            self.assertEqual(self.call("plot", recording, curve, status=2).stderr, f'{recording}: "{curve}": {message}\n')

    def test_several_recordings_are_compared(self):
        for name, tolerance in (("one", "1e-8"), ("two", "1e-4")):
            self.document("run", "drop.json", "--tolerance", tolerance, "--out", name)
        words = ("one/recording.h5", "two/recording.h5")
        out = self.document("report", *words, "--out", "both.html", "--at", "0.1,0.2", "--pictures", "pictures")
        page = (self.folder / out["report"]).read_text()
        for part in ("Natural map", "The books by cause", "How far the bodies are apart", "one/recording.h5", "two/recording.h5", "run.tolerance=1e-4",
                     "<th>run.tolerance</th>"):
            self.assertIn(part, page)
        self.assertEqual(out["recordings"], list(words))
        for file in ("scene-A-0.1s.svg", "scene-A-0.2s.svg", "scene-B-0.1s.svg", "scene-B-0.2s.svg"):
            self.assertIn(f"pictures/{file}", out["pictures"])
            self.assertTrue((self.folder / "pictures" / file).read_text().startswith("<svg"))
        self.assertIn("the recording goes from 0 s to", self.call("report", *words, "--at", "99", status=2).stderr)
        self.assertIn("nothing.h5", self.call("report", words[0], "nothing.h5", status=2).stderr)
        curves = self.document("plot", *words, "certificate.natural_map", "--log")["curves"]
        self.assertEqual([c["recording"] for c in curves], ["one/recording", "two/recording"])
        self.assertGreater(curves[1]["largest"], curves[0]["largest"])

    def test_pictures_as_png_or_why_not(self):
        """Where a program turns SVG into PNG it is used; without one the message says what to install."""
        out = self.document("run", "drop.json")
        done = self.call("plot", out["recording"], "--out", "p.png", status=None)
        if done.returncode == 0:
            self.assertEqual((self.folder / "p.png").read_bytes()[:4], b"\x89PNG")
        self.assertIn(done.returncode, (0, 2))
        alone = self.call("plot", out["recording"], "--out", "q.png", status=2, environment={"PATH": "/nonexistent"})
        self.assertIn("no program here turns SVG into PNG", alone.stderr)
        self.assertEqual([p.name for p in self.folder.glob("q.png*")], [])

    def test_report_is_self_contained(self):
        out = self.document("run", "drop.json")
        page = (self.folder / out["report"]).read_text()
        self.assertNotRegex(page, r'(?:src|href)\s*=\s*"https?://')
        self.assertIn(out["hash"], page)


if __name__ == "__main__":
    unittest.main(verbosity=2)

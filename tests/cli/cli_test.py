#!/usr/bin/env python3
"""Drives the built program as a user would: words, exit status, --json, bad input.

STICTION_PROGRAM: the program; STICTION_SOURCE: the source tree. Standard library only.
"""
import json
import re
import resource
import unittest

from program import DROP, ProgramTest


class Words(ProgramTest):
    def test_help_has_an_example_for_every_command(self):
        top = self.call("--help").stdout
        for command in ("run", "check", "new", "list", "report", "plot", "convert", "solve", "reproduce", "impact", "schema", "version"):
            self.assertRegex(top, rf"\n\s+{command}\s")
            text = self.call(command, "--help").stdout
            self.assertIn("Example:\n  stiction " + command, text)
            self.assertIn("--json", text)

    def test_no_words_prints_help(self):
        self.assertIn("stiction run", self.call().stdout)

    def test_unknown_command_names_the_nearest(self):
        done = self.call("chekc", status=2)
        self.assertIn('did you mean "check"', done.stderr)
        self.assertEqual(done.stdout, "")

    def test_unknown_option_names_the_nearest(self):
        done = self.call("run", "drop.json", "--tolerence", "1e-8", status=2)
        self.assertIn('did you mean "--tolerance"', done.stderr)

    def test_every_mistake_names_option_found_and_allowed(self):
        # words -> pieces of the message, in order: command and option, what was found, what is allowed
        cases = {
            ("run", "drop.json", "--until"): ("run: --until", "found no value", "must be T: End of the run [s]", "run --help"),
            ("run", "drop.json", "--until="): ("run: --until", "found no value", "must be T"),
            ("run", "drop.json", "--until", ""): ("--until", 'found the text ""', "must be a number [s]"),
            ("run", "drop.json", "--until", "soon"): ("--until soon", 'found the text "soon"', "must be a number [s]"),
            ("run", "drop.json", "--step", "0"): ("--step 0", "found 0", "must be above 0 s"),
            ("run", "drop.json", "--threads", "1.5"): ("--threads 1.5", "found 1.5", "must be a whole number"),
            ("run", "drop.json", "--solver", "nwton"): ("--solver nwton", '"nwton"', "allowed: auto, newton or nsgs", '"newton"'),
            ("run", "drop.json", "--until", "1", "--until", "2"): ("run: --until", "found 2 times", "must stand there once"),
            ("run", "drop.json", "--csv=3"): ("run: --csv", 'found the value "3"', "must have none"),
            ("run", "drop.json", "--set", "$a=1", "--set"): ("run: --set", "found no value", "must be KEY=VALUE"),
            ("run", "drop.json", "other.json"): ("run:", 'found the word "other.json"', "must be SCENE and options only"),
            ("run", "drop.json", "-x"): ("run:", 'unknown option "-x"', "Options: --help"),
            ("version", "now"): ("version:", 'found the word "now"', "must be options only"),
            ("check",): ("check: SCENE", "found none", "must be given: Path, or name of a scene"),
            ("convert", "a.h5"): ("convert: OUT", "found none", "must be given: NAME.h5"),
            ("solve",): ("solve: FILE", "found none", "must be given: Problems"),
            ("run", "drop.json", "--problem-steps", "3"): ("--problem-steps 3", "add --problems DIR"),
            ("run", "drop.json", "--problems", "p", "--problem-steps", "1,x"): ("--problem-steps 1,x", 'found "x"', "must be numbers"),
            ("report", "a.h5", "--out"): ("report: --out", "found no value", "must be FILE"),
            ("report", "a.h5", "--at", "1,soon"): ("--at 1,soon", '"soon" is no time', "--at 0.5,1,2"),
            ("report", "a.h5", "--png"): ("--png is for --pictures DIR",),
            ("plot", "ball.position"): ("plot: name a recording", ".h5 or .journal", '"ball.position"'),
            ("view", "--port", "99999"): ("view: --port", 'found "99999"', "must be N: Port on 127.0.0.1, 0 to 65535"),
            ("view", "--port=-1"): ("view: --port", 'found "-1"', "must be N"),
            ("view", "--port", "http"): ("view: --port", 'found "http"', "must be N"),
            ("view", "--port"): ("view: --port", "found no value", "must be N"),
            ("view", "a.json", "b.json"): ("view:", 'found the word "b.json"', "must be WHAT and options only"),
            ("impact",): ("impact: --velocity", "found none", "must be given"),
            ("impact", "--velocity=-1,fast", "--matrix", "1,0,1"): ("--velocity -1,fast", 'found the text "fast"', "must be 2 or 3 numbers"),
            ("impact", "--velocity=-1,1", "--matrix", "1,0"): ("--matrix 1,0", "found 2 numbers", "must be 3 numbers"),
            ("impact", "--velocity=-1,1", "--matrix", "1,2,1"): ("W: must be positive definite",),
            ("impact", "--velocity=-1,1"): ("give --matrix, or --mass",),
            ("impact", "--velocity=-1,1", "--matrix", "1,0,1", "--law", "newtom"): ("--law newtom", 'did you mean "newton"'),
            ("--quick",): ('found "--quick"', "must begin with a command: run, check"),
        }
        for words, pieces in cases.items():
            done = self.call(*words, status=2)
            self.assertEqual(done.stdout, "")
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
            at = 0
            for piece in pieces:
                found = done.stderr.find(piece, at)
                self.assertGreaterEqual(found, 0, f"{words}: no '{piece}' in: {done.stderr}")
                at = found + len(piece)
            if not words[0].startswith("-"):
                document = json.loads(self.call(words[0], "--json", *words[1:], status=2).stdout)
                self.assertIn(pieces[-1], document["mistakes"][0]["message"])
        self.assertFalse((self.folder / "out").exists())

    def test_unknown_word_as_document(self):
        out = self.document("rnu", status=2)
        self.assertIn("rnu", out["mistakes"][0]["message"])

    def test_version(self):
        self.assertRegex(self.call("version").stdout, r"stiction \d+\.\d+\.\d+")
        self.assertRegex(self.document("version")["version"], r"^\d+\.\d+\.\d+$")

    def test_list(self):
        everything = self.document("list")
        self.assertIn("first", [s["name"] for s in everything["scenes"]])
        self.assertIn("pendulum", [s["name"] for s in everything["starters"]])
        self.assertIn("coulomb", [s["name"] for s in everything["methods"]])
        self.assertEqual({"auto", "newton", "nsgs"}, {s["name"] for s in everything["solvers"]})
        self.assertIn("friction", [s["name"] for s in everything["causes"]])
        self.assertIn("servin/spring", [s["name"] for s in everything["examples"]])
        self.assertNotIn("", [m["about"] for m in everything["methods"]])
        self.assertIn("first", self.call("list", "scenes").stdout)
        self.assertIn("scenes", self.call("list", "scense", status=2).stderr)

    def test_schema_is_a_json_schema(self):
        self.assertIn("$schema", json.loads(self.call("schema").stdout))


class Running(ProgramTest):
    def test_document(self):
        out = self.document("run", "drop.json")
        for key in ("scene", "method", "solver", "steps", "time", "wall_seconds", "hash", "certificate", "ledger",
                    "final", "recording"):
            self.assertIn(key, out)
        for key in ("gap", "joint", "cone", "complementarity", "natural_map", "unconverged_steps"):
            self.assertIn(key, out["certificate"])
        for key in ("kinetic", "potential", "booked", "numerics", "imbalance"):
            self.assertIn(key, out["ledger"])
        self.assertEqual(out["steps"], 100)
        self.assertAlmostEqual(out["time"], 1, places=9)
        self.assertRegex(out["hash"], r"^[0-9a-f]{16}$")
        self.assertEqual(out["certificate"]["unconverged_steps"], 0)
        box = out["final"]["box"]
        self.assertEqual({"position": 3, "orientation": 4, "velocity": 3, "spin": 3}, {k: len(v) for k, v in box.items()})
        self.assertAlmostEqual(box["position"][2], 0.1, delta=2e-9)  # rests on the floor: X L = 1e-8 * 0.2 m
        # Free fall from 0.2 m, then at rest: what gravity gave is gone: 4 kg * 9.81 * 0.2 m = 7.848 J, and the
        # 2 J of the first velocity with it.
        self.assertAlmostEqual(out["ledger"]["potential"], -7.848, delta=1e-6)
        booked = out["ledger"]["booked"]
        self.assertAlmostEqual(booked["gravity"], 7.848, delta=1e-6)
        self.assertLess(abs(out["ledger"]["imbalance"]), 1e-12 * (2 + 2 * 7.848 + 2))
        self.assertTrue((self.folder / out["recording"]).is_file())
        self.assertTrue((self.folder / out["report"]).is_file())

    def test_summary(self):
        done = self.call("run", "drop.json")
        for word in ("Certificate", "natural map", "limit", "Ledger", "friction", "imbalance", "Hash", "Recording", "Report"):
            self.assertIn(word, done.stdout)
        report = re.search(r"Report +(\S+)", done.stdout).group(1)
        self.assertIn("<html", (self.folder / report).read_text()[:2000].lower())
        self.assertFalse(self.journal_of("drop").exists(), "a complete run leaves no journal")

    def test_main_example_is_the_default(self):
        out = self.document("run", "--until", "0.1")
        self.assertEqual(out["scene"], "first")

    def test_options_reach_the_run(self):
        out = self.document("run", "drop.json", "--until", "0.5", "--step", "0.005", "--solver", "newton", "--tolerance",
                            "1e-7", "--out", "elsewhere", "--csv")
        self.assertEqual((out["steps"], out["solver"], out["certificate"]["tolerance"]), (100, "newton", 1e-7))
        self.assertTrue(out["recording"].startswith("elsewhere/"))
        self.assertEqual(len(out["csv"]), 4)
        for table in out["csv"]:  # every column has its unit
            self.assertRegex((self.folder / table).read_text().splitlines()[0], r"time \[s\]")

    def test_the_end_is_reached_in_whole_steps(self):
        # 4 steps of 0.3 s are the fewest that reach 1 s; a run that is shorter than a step takes one.
        out = self.document("run", "drop.json", "--until", "1", "--step", "0.3", status=None)
        self.assertEqual(out["steps"], 4)
        self.assertAlmostEqual(out["time"], 1.2, places=12)
        out = self.document("run", "drop.json", "--until", "0.004")
        self.assertEqual((out["steps"], out["time"]), (1, 0.01))
        self.assertIn("must be above 0", self.call("run", "drop.json", "--until", "0", status=2).stderr)

    def test_set_overrides_a_value(self):
        lighter = self.document("run", "drop.json", "--set", "bodies.box.density=250", "--set", "run.until=0.1")
        # 2 kg instead of 4: in free fall for 0.1 s gravity gives m (g t)^2 / 2, whatever the step.
        self.assertAlmostEqual(lighter["ledger"]["booked"]["gravity"], 2 * (9.81 * 0.1) ** 2 / 2, delta=1e-12)
        self.assertIn("KEY=VALUE", self.call("run", "drop.json", "--set", "density", status=2).stderr)

    def test_same_hash_for_any_number_of_threads(self):
        words = ("run", "long.json", "--until", "1", "--out")
        one = self.document(*words, "one", "--threads", "1")
        two = self.document(*words, "two", "--threads", "2")
        self.assertEqual(one["hash"], two["hash"])

    def test_a_rerun_replaces_the_recording(self):
        first = self.document("run", "drop.json")
        before = (self.folder / first["recording"]).stat().st_ino
        second = self.document("run", "drop.json")
        self.assertEqual(first["hash"], second["hash"])
        self.assertNotEqual(before, (self.folder / second["recording"]).stat().st_ino)

    def test_quiet_says_nothing_on_stderr(self):
        self.assertEqual(self.call("run", "drop.json", "--quiet").stderr, "")


class Methods(ProgramTest):
    def test_smooth_methods_run_where_nothing_touches(self):
        hashes = {self.document("run", "golf_ball", "--until", "0.1", "--method", m["name"])["hash"]
                  for m in self.document("list", "methods")["methods"]}
        # without joints and contacts spook is semi_implicit_euler, anitescu_potra is stewart_trinkle
        self.assertEqual(len(hashes), 11)

    def test_contacts_are_a_mistake(self):
        done = self.call("run", "drop.json", "--method", "rk4", status=2)
        self.assertIn("--method rk4: run.method:", done.stderr)
        self.assertIn("can touch", done.stderr)

    def test_steps_too_large_for_a_spring(self):
        words = "step 0.3 s, stable below 0.283 s for spring 'spring.0'"  # rk4: sqrt(8 m/k)
        for command, status in (("check", 0), ("run", 1)):  # three steps, and its energy has risen by half
            call = (command, "spring_mass", "--set", "run.step=0.3", "--set", "run.until=0.9")
            self.assertIn("warning: " + words, self.call(*call, status=status).stderr)
            self.assertIn(words, self.document(*call, status=status)["warnings"])
        self.assertEqual(self.document("check", "spring_mass")["warnings"], [])

    def test_energy_that_no_number_holds_ends_the_run(self):
        call = ("run", "spring_mass", "--step", "0.3", "--until", "1000")
        out = self.document(*call, status=1)
        self.assertEqual(out["certificate"]["refused_steps"], 1)
        ledger = [out["ledger"][key] for key in ("kinetic", "potential", "numerics", "imbalance", "scale")]
        self.assertNotIn(None, ledger + list(out["ledger"]["booked"].values()))  # JSON's word for nan
        text = self.call(*call, status=1).stdout
        self.assertRegex(text, r"a step was refused: (the energy|motion) is not finite")
        table = text[text.index("Ledger [J]"):text.index("Work since")]
        rows = [line.split() for line in table.splitlines()[1:]]
        self.assertEqual([row[0] for row in rows], ["kinetic", "gravity", "springs", "energy"])
        for row in rows:  # the columns do not run together, large as the numbers are
            self.assertEqual(len(row), 3, table)
            float(row[1]), float(row[2])


class BadInput(ProgramTest):
    def scene(self, text, name="bad.json"):
        (self.folder / name).write_text(text)
        return name

    def test_missing_scene(self):
        self.assertIn("drpo.json", self.call("run", "drpo.json", status=2).stderr)

    def test_every_mistake_is_listed_with_its_place(self):
        bad = DROP.replace('"friction": 0.4', '"fricton": 0.4').replace('"density": 500', '"density": -5')
        done = self.call("check", self.scene(bad), status=2)
        self.assertRegex(done.stderr, r"bad\.json:2:\d+: .*fricton.*friction")
        self.assertRegex(done.stderr, r"bad\.json:5:\d+: .*density")
        out = self.document("check", "bad.json", status=2)
        self.assertFalse(out["valid"])
        self.assertGreaterEqual(len(out["mistakes"]), 2)
        self.assertEqual({"file", "line", "column", "path", "message"}, set(out["mistakes"][0]))

    def test_run_refuses_what_check_refuses(self):
        self.call("run", self.scene(DROP.replace("0.4 }", "-1 }")), status=2)
        self.assertFalse((self.folder / "out").exists(), "nothing is written for a scene that is not run")

    def test_garbage(self):
        for text in ("", "{", "[]", "null", '{"stiction": 1', "\x00\x01\x02", "{}" * 3, '{"stiction": 99}', "[" * 100000):
            self.call("check", self.scene(text), status=2)
        (self.folder / "bad.json").write_bytes(bytes(range(256)))
        self.call("check", "bad.json", status=2)

    def test_settings_out_of_range(self):
        for words in (("--step", "0"), ("--step", "-1"), ("--step", "nan"), ("--tolerance", "0"), ("--tolerance", "1"),
                      ("--tolerance", "1e-30"), ("--threads", "0"), ("--solver", "magic"), ("--method", "magic"), ("--until", "soon")):
            done = self.call("run", "drop.json", *words, status=2)
            self.assertTrue(done.stderr.startswith(" ".join(words) + ": "), done.stderr)
        self.assertIn("(stiction list methods)", self.call("run", "drop.json", "--method", "magic", status=2).stderr)

    def test_valid_scene(self):
        self.assertIn("fine", self.call("check", "drop.json").stdout)
        self.assertTrue(self.document("check", "drop.json")["valid"])

    def test_recordings_that_are_none(self):
        self.call("report", "nothing.h5", status=2)
        self.call("report", "drop.json", status=2)
        self.call("convert", "drop.json", "x.h5", status=2)

    def test_files_of_another_kind_are_named(self):
        self.call("run", "drop.json", "--until", "0.1")
        process = self.start("run", "long.json")
        self.wait_for_journal("long", 10_000, process)
        process.kill()
        process.communicate()
        for recording, kind in (("out/drop/recording.h5", "a recording"), ("out/long/recording.journal", "the journal of a run")):
            for word in ("run", "check"):
                done = self.call(word, recording, status=2)
                self.assertTrue(done.stderr.startswith(f"{recording}: this is {kind}, not a scene; `stiction report`"), done.stderr)
        problem = self.scene('{ "stiction": 1, "lcp": { "M": [[1]], "q": [-1] } }', "problem.json")
        scene = "this is a scene, not a recording: `stiction run {}` makes one, out/{}/recording.h5"
        for file, message in (("drop.json", scene.format("drop.json", "drop")), ("first", scene.format("first", "first")),
                              (problem, "this is a complementarity problem, not a recording; `stiction solve` takes it")):
            for words in (("report", file), ("plot", file), ("convert", file, "x.h5")):
                self.assertEqual(self.call(*words, status=2).stderr, f"{file}: {message}\n")
        self.assertEqual(self.call("plot", "out/drop/recording.h5", "drop.json", status=2).stderr,
                         "drop.json: " + scene.format("drop.json", "drop") + "\n")
        self.assertFalse((self.folder / "x.h5").exists())

    def test_output_folder_that_cannot_be_made(self):
        (self.folder / "file").write_text("")
        self.call("run", "drop.json", "--out", "file", status=2)


class Starters(ProgramTest):
    def test_every_starter_runs_to_its_end_in_seconds(self):
        for starter in self.document("list", "starters")["starters"]:
            name = starter["name"]
            out = self.document("new", name, name + ".json")
            self.assertEqual(out["file"], name + ".json")
            self.assertIn("//", (self.folder / (name + ".json")).read_text(), "starters are commented")
            self.call("check", name + ".json")
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            out = self.document("run", name + ".json")
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            self.assertEqual(out["ending"], "reached the end")
            # Processor time, so that a busy machine does not matter: 3.3 s for the slowest (marbles) when written.
            self.assertLess(after.ru_utime - before.ru_utime, 10, name)

    def test_default_file_and_no_overwriting(self):
        self.call("new", "pendulum")
        self.assertTrue((self.folder / "pendulum.json").is_file())
        self.assertIn("exists", self.call("new", "pendulum", status=2).stderr)
        self.assertIn("pendulum", self.call("new", "pendlum", status=2).stderr)

    def test_says_how_to_run_the_file(self):
        self.assertIn("Run it:  stiction run swing.json", self.call("new", "pendulum", "swing.json").stdout)
        self.assertIn("stiction run swing.json --set", (self.folder / "swing.json").read_text())
        done = self.call("new", "pendulum", "my swing.json", environment={"STICTION_COMMAND": "./stiction"})
        self.assertIn("Run it:  ./stiction run 'my swing.json'", done.stdout)
        self.assertIn("./stiction run 'my swing.json' --set", (self.folder / "my swing.json").read_text())


if __name__ == "__main__":
    unittest.main(verbosity=2)

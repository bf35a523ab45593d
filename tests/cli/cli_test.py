#!/usr/bin/env python3
"""Drives the built program as a user would: words, exit status, --json, bad input, interruptions, resuming.

STICTION_PROGRAM: the program; STICTION_SOURCE: the source tree. Standard library only.
"""
import json
import re
import resource
import signal
import time
import unittest

from program import DROP, SOURCE, ProgramTest


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


class Reproducing(ProgramTest):
    def test_claims_and_figures(self):
        out = self.document("reproduce", "servin/ball", "--out", "figures")
        self.assertGreater(len(out["claims"]), 5)
        for claim in out["claims"]:
            self.assertEqual(set(claim), {"document", "example", "claim", "printed", "reference", "measured", "band", "verdict"})
            self.assertEqual((claim["document"], claim["example"], claim["verdict"]), ("servin", "servin/ball", "pass"))
        self.assertIn("<svg", (self.folder / out["figures"][0]).read_text())
        table = self.call("reproduce", "servin/ball").stdout
        self.assertIn("flight time [s]", table)
        self.assertTrue(table.rstrip().endswith(f"{len(out['claims'])} of {len(out['claims'])} claims pass"))

    def test_unknown_names(self):
        done = self.call("reproduce", "servin/bal", status=2)
        self.assertIn('did you mean "servin/ball"', done.stderr)
        self.assertFalse(done.stdout)


class Impacts(ProgramTest):
    # A contact that jams, then sticks: p_n of the closed form, 4.3140911664 by an independent program.
    def test_planar(self):
        words = ("impact", "--matrix", "2,1.2,1", "--velocity=-0.5,1", "--friction", "2", "--restitution", "0.5")
        out = self.document(*words, "--out", "impact.svg")
        self.assertEqual((out["status"], out["order"], out["modes"]), ("done", "a-b-e", "SK"))
        self.assertAlmostEqual(out["impulse"][0], 4.3140911664, places=9)
        self.assertEqual([e["moment"] for e in out["events"]], ["begin", "slip stops", "compression ends", "end"])
        self.assertIn("<svg", (self.folder / out["written"]).read_text())
        table = self.call(*words).stdout
        self.assertIn("4.31409117", table)
        self.assertIn("energy changes by", table)

    # A body in space, and a rubber ball that is thrown back the way it came.
    def test_in_space(self):
        body = ("--mass", "1", "--inertia", "0.05,0.4,0.42", "--offset", "0.7,0.2,-0.35", "--velocity=-1.04,-0.34,0.12")
        out = self.document("impact", *body, "--friction", "0.15", "--restitution", "0.7")
        self.assertAlmostEqual(out["impulse"][0], 0.6091751245, places=8)
        ball = ("--mass", "1", "--inertia", "0.4", "--offset", "0,-1", "--velocity=-1,0.5", "--friction", "1")
        out = self.document("impact", *ball, "--restitution", "1", "--tangential", "1")
        self.assertAlmostEqual(out["velocity"][1], -0.5, places=12)
        self.assertIn("separating", self.call("impact", "--matrix", "1,0,1", "--velocity", "1,0").stdout)


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
        for command in ("check", "run"):  # three steps: it has not blown up yet
            call = (command, "spring_mass", "--set", "run.step=0.3", "--set", "run.until=0.9")
            self.assertIn("warning: " + words, self.call(*call).stderr)
            self.assertIn(words, self.document(*call)["warnings"])
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


class Solve(ProgramTest):
    LCP = '{"stiction": 1, "lcp": {"M": [[2, 1], [1, 2]], "q": [-5, -6]}}'  # z = (4/3, 7/3)
    KEYS = ["file", "kind", "size", "solver", "status", "natural_map", "natural_map_scaled", "iterations", "milliseconds"]

    def problem(self, text, name="p.json"):
        (self.folder / name).write_text(text)
        return name

    def test_document_is_as_the_contract_says(self):
        out = self.document("solve", self.problem(self.LCP))
        self.assertEqual(list(out), ["results"])
        (row,) = out["results"]
        self.assertEqual(list(row), self.KEYS)
        self.assertEqual((row["file"], row["kind"], row["size"], row["status"]), ("p.json", "lcp", 2, "solved"))
        self.assertLessEqual(row["natural_map"], 1e-15)
        self.assertIsNone(row["natural_map_scaled"])
        self.assertGreater(row["milliseconds"], 0)

    def test_the_problems_that_come_with_it(self):
        kinds = {}
        for path in sorted((SOURCE / "problems").iterdir()):
            (row,) = self.document("solve", str(path))["results"]
            self.assertLessEqual(row["natural_map"], 1e-8, path)
            kinds[row["kind"]] = kinds.get(row["kind"], 0) + 1
            if row["kind"].startswith("friction"):
                self.assertIsNotNone(row["natural_map_scaled"])
        self.assertEqual(set(kinds), {"lcp", "mixed_lcp", "boxed_lcp", "mcp", "friction_local", "friction_global"})

    def test_a_folder_means_its_problem_files(self):
        for name in ("b.json", "a.json"):
            self.problem(self.LCP, name)
        (self.folder / "set").mkdir()
        for name in ("b.json", "a.json", "notes.txt"):
            (self.folder / "set" / name).write_text(self.LCP)
        out = self.document("solve", "set", "b.json")
        self.assertEqual([r["file"] for r in out["results"]], ["set/a.json", "set/b.json", "b.json"])
        (self.folder / "none").mkdir()
        self.assertIn("none: this folder holds no problem files", self.call("solve", "none", status=2).stderr)

    def test_table_solvers_and_profile(self):
        (self.folder / "set").mkdir()
        self.problem(self.LCP, "set/a.json")
        self.problem('{"stiction": 1, "mcp": {"F": ["x[0]^2 - 2"], "lower": 0, "start": 1}}', "set/b.json")
        done = self.call("solve", "set", "--solver", "lemke,auto", "--out", "out")
        lines = done.stdout.splitlines()
        self.assertRegex(lines[0], "^file +kind +size +solver +status +natural map +scaled +iterations +ms$")
        self.assertEqual(len([line for line in lines if line.startswith("set/")]), 3)  # Lemke's takes no MCP
        self.assertEqual(lines[-1], "Profile  out/profile.svg")
        picture = (self.folder / "out/profile.svg").read_text()
        self.assertIn("lemke, solves 100 % of 1 it takes", picture)
        self.assertIn("auto, solves 100 %<", picture)
        self.assertIn("not taken: set/b.json by lemke, which solves no mcp", lines)
        written = json.loads((self.folder / "out/results.json").read_text())
        self.assertEqual(len(written["results"]), 3)
        self.assertEqual(written["not_taken"], [{"file": "set/b.json", "kind": "mcp", "solver": "lemke"}])

    def test_what_is_not_solved_is_exit_1(self):
        # w = -z - 1 >= 0 has no z >= 0
        name = self.problem('{"stiction": 1, "lcp": {"M": [[-1]], "q": [-1]}}')
        done = self.call("solve", name, status=1)
        self.assertIn("no z >= 0 has M z + q >= 0", done.stderr)
        self.assertEqual(self.document("solve", name, status=1)["results"][0]["status"], "ray")
        name = self.problem('{"stiction": 1, "mcp": {"F": ["x[0]^2 + 1"]}}')
        row = self.document("solve", name, status=1)["results"][0]
        self.assertNotEqual(row["status"], "solved")
        self.assertGreaterEqual(row["natural_map"], 1 - 1e-12)  # the least |x^2 + 1|

    def test_tolerance_and_sweeps(self):
        name = self.problem(self.LCP)
        rough = self.document("solve", name, "--solver", "jacobi", "--tolerance", "1e-2")["results"][0]
        fine = self.document("solve", name, "--solver", "jacobi", "--tolerance", "1e-10")["results"][0]
        self.assertLess(rough["iterations"], fine["iterations"])
        self.assertLessEqual(fine["natural_map"], 1e-10)
        for word in ("-1", "0", "nan", "inf", "1e999", "small"):
            done = self.call("solve", name, "--tolerance", word, status=2)
            self.assertEqual(done.stderr, f'--tolerance {word}: found the text "{word}", must be a finite number above 0\n')

    def test_bad_input_lists_everything(self):
        self.problem('{"stiction": 1,\n "lpc": {}}', "a.json")
        self.problem('{"stiction": 1, "mcp": {"F": ["x[1]", "y"]}}', "b.json")
        (self.folder / "c.h5").write_bytes(b"\x89HDF\r\n\x1a\n" + 200 * b"\0")
        done = self.call("solve", "a.json", "b.json", "c.h5", "d.json", status=2)
        self.assertEqual(done.stdout, "")
        for piece in ('a.json:2:2: lpc: unknown key "lpc"', 'did you mean "lcp"', 'b.json:1:40: mcp.F.1: "y" is not a number',
                      "c.h5: ", "d.json: cannot read: No such file"):
            self.assertIn(piece, done.stderr)
        out = json.loads(self.call("solve", "a.json", "d.json", "--json", status=2).stdout)
        self.assertEqual([m["file"] for m in out["mistakes"]], ["a.json", "d.json"])
        self.assertIn("stiction run", self.call("solve", "drop.json", status=2).stderr)

    def test_solvers_that_do_not_fit(self):
        name = self.problem(self.LCP)
        self.assertIn('did you mean "lemke"', self.call("solve", name, "--solver", "lemk", status=2).stderr)
        done = self.call("solve", name, "--solver", "josephy_newton", status=2)
        self.assertIn("p.json: is of kind lcp; its solvers are auto, lemke", done.stderr)

    def test_the_contact_problem_of_a_run(self):
        out = self.document("run", "drop.json", "--problems", "set", "--problem-steps", "1,30,100")
        # in free fall at first: no contacts, no problem; then on the four corners of a face
        self.assertEqual(out["problems"], ["set/drop-30-4.h5", "set/drop-100-4.h5"])
        for row in self.document("solve", "set")["results"]:
            self.assertEqual((row["kind"], row["size"], row["status"]), ("friction_local", 4, "solved"))
        last = self.document("run", "drop.json", "--problems", "last")
        self.assertEqual(last["problems"], ["last/drop-100-4.h5"])
        self.assertNotIn("problems", self.document("run", "drop.json"))


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
        # A tolerance at round-off: in every step solvers try everything they know, for many seconds with these weights.
        words = ("run", "heavy_stack", "--tolerance", "1e-14")
        for resumed in (False, True):
            process = self.start(*words, "--json", *(("--resume",) if resumed else ()))
            self.wait_for_journal("heavy_stack", 0, process)
            time.sleep(0.5)
            self.assertIsNone(process.poll(), "a step takes long here")
            asked = time.time()
            process.send_signal(signal.SIGTERM)
            out, err = process.communicate(timeout=60)
            self.assertLess(time.time() - asked, 20)  # within a second where nothing else runs; a step takes minutes
            self.assertEqual(process.returncode, 1, err)
            out = json.loads(out)
            self.assertEqual((out["ending"], out["steps"], out["certificate"]["refused_steps"]), ("interrupted", 0, 0))
            self.assertIn("interrupted at t = 0 s; the same command with --resume goes on from here", err)

    def test_a_step_that_was_given_up_is_made_again(self):
        words = ("run", "pyramid", "--set", "$base=3", "--tolerance", "1e-14", "--until", "0.03")  # some 0.3 s a step
        reference = self.document(*words, "--out", "reference")
        process = self.start(*words)
        self.wait_for_journal("pyramid", 0, process)
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

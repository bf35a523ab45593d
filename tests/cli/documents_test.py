#!/usr/bin/env python3
"""The commands without scenes: reproduce, impact, solve.

STICTION_PROGRAM: the program; STICTION_SOURCE: the source tree. Standard library only.
"""
import json
import unittest

from program import SOURCE, ProgramTest


class Reproducing(ProgramTest):
    def test_claims_and_figures(self):
        out = self.document("reproduce", "servin/ball", "--out", "figures")
        self.assertGreater(len(out["claims"]), 5)
        for claim in out["claims"]:
            self.assertEqual(set(claim), {"document", "example", "claim", "printed", "reference", "measured", "band", "verdict", "print_met"})
            self.assertEqual((claim["document"], claim["example"], claim["verdict"]), ("servin", "servin/ball", "pass"))
        self.assertIn("<svg", (self.folder / out["figures"][0]).read_text())
        table = self.call("reproduce", "servin/ball").stdout
        self.assertIn("flight time [s]", table)
        self.assertTrue(table.rstrip().endswith(f"{len(out['claims'])} of {len(out['claims'])} claims pass; the documents print no numbers beside them"))
        out = self.document("reproduce", "stewart-trinkle/balls")
        missed = sum(claim["print_met"] is False for claim in out["claims"])
        met = sum(claim["print_met"] is True for claim in out["claims"])
        self.assertGreater(min(met, missed), 5)
        self.assertTrue(self.call("reproduce", "stewart-trinkle/balls").stdout.rstrip().endswith(
            f"of {met + missed} numbers that the documents print {missed} are not met to the digits printed"))

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


if __name__ == "__main__":
    unittest.main(verbosity=2)

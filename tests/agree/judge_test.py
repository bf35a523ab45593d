"""The judge itself: recordings that are right pass, and each planted error is found by the law that it breaks. The
recordings are made here, by the discrete equations: a light ball and a heavy one slide on a plane, a box turns in the
air.
"""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

import h5py
import numpy as np

import judge
import random_scenes
import recordings

H, G, MU, STEPS, X = 0.01, 9.81, 0.3, 24, 1e-8
RADIUS = {"light": 0.05, "heavy": 0.4}
MASS = {"light": 1e-3, "heavy": 1e6, "box": 2.0}
EDGES = np.array([0.2, 0.3, 0.5])


def run():
    """Arrays as a recording has them. Balls slide all the way, so that every impulse is known: m g h up, mu of it
    against the slip."""
    frames, bodies = STEPS + 1, 4
    a = {"position": np.zeros((frames, bodies, 3)), "orientation": np.zeros((frames, bodies, 4)),
         "velocity": np.zeros((frames, bodies, 3)), "spin": np.zeros((frames, bodies, 3))}
    a["orientation"][..., 0] = 1
    a["position"][0, 1:] = [0, 0, RADIUS["light"]], [3, 0, RADIUS["heavy"]], [0, 3, 2]
    a["velocity"][0, 1:] = [6, 1, 0], [0, 7, 0], [0, 0, 3]
    a["spin"][0, 1:] = [0, 0, 2], [1, 0, 0], [3, -2, 1]
    contacts = {n: [] for n in ("key_a", "key_b", "feature", "point", "normal", "gap", "impulse", "friction", "moment")}
    up = np.array([0, 0, 1.0])
    inertia = MASS["box"] * recordings.inertia_over_mass(recordings.BOX, EDGES)
    for k in range(1, frames):
        for name in a:
            a[name][k] = a[name][k - 1]
        for body, name in ((1, "light"), (2, "heavy")):
            m, r = MASS[name], RADIUS[name]
            arm = -r * up
            v, w = a["velocity"][k, body], a["spin"][k, body]
            slip = v + np.cross(w, arm)
            slip[2] = 0
            push = m * G * H * (up - MU * slip / np.linalg.norm(slip))
            a["velocity"][k, body] = v + push / m - [0, 0, G * H]
            a["spin"][k, body] = w + np.cross(arm, push) / (0.4 * m * r * r)
            a["position"][k, body] += H * a["velocity"][k, body]
            q = recordings.product(recordings.cayley(H * a["spin"][k, body]), a["orientation"][k, body])
            a["orientation"][k, body] = q / np.linalg.norm(q)
            for n, value in (("key_a", 0), ("key_b", body), ("feature", 0), ("point", a["position"][k, body] + arm),
                             ("normal", up),
                             ("gap", a["position"][k, body, 2] - r), ("impulse", push), ("friction", MU),
                             ("moment", np.zeros(3))):
                contacts[n].append(value)
        a["velocity"][k, 3, 2] -= G * H
        a["position"][k, 3] += H * a["velocity"][k, 3]
        q, w = recordings.free_turn(inertia, a["orientation"][k, 3][None], a["spin"][k, 3][None], np.array([H]))
        a["orientation"][k, 3], a["spin"][k, 3] = q[0] / np.linalg.norm(q[0]), w[0]
    return a, {n: np.array(v) for n, v in contacts.items()}


PLANE_AND_THREE = (("floor", 0, 0, recordings.HALF_SPACE, [0, 0, 1, 0], 0),
                   ("light", 0, 1, recordings.SPHERE, [RADIUS["light"], 0, 0, 0], MASS["light"]),
                   ("heavy", 0, 1, recordings.SPHERE, [RADIUS["heavy"], 0, 0, 0], MASS["heavy"]),
                   ("box", 0, 1, recordings.BOX, [*EDGES, 0], MASS["box"]))


def write(path, arrays, contacts, converged=None, bodies=PLANE_AND_THREE, each=2):
    """bodies: name, kind, mobility, shape and its numbers, mass; each: contacts of a step."""
    frames = STEPS + 1
    names, kinds, mobilities, shapes, numbers, masses = zip(*bodies)
    scene = {"stiction": 1, "gravity": [0, 0, -G], "surfaces": {"wood": {"friction": MU}},
             "bodies": {n: {"surface": "wood"} for n in names}}
    settings = {"method": "coulomb", "step": H, "tolerance": X, "every": 0, "parts": True}
    text = h5py.string_dtype()
    with h5py.File(path, "w") as f:
        f.create_dataset("scene", data=json.dumps(scene), dtype=text)
        f.create_dataset("settings", data=json.dumps(settings), dtype=text)
        f["time"], f["step"] = H * np.arange(frames), np.arange(frames)
        for name, values in arrays.items():
            f["bodies/" + name] = values
        f["certificate/converged"] = np.ones(frames) if converged is None else converged
        f["solver/steps"] = np.r_[0, np.ones(frames - 1, int)]
        f["solver/impacts"] = f["solver/divided"] = np.zeros(frames, int)
        f["contacts/per_frame"] = np.r_[0, np.full(frames - 1, each)]
        for name, values in contacts.items():
            f["contacts/" + name] = values
        r = f.create_group("revisions/0")
        r.create_dataset("name", data=names, dtype=text)
        r["kind"], r["mobility"], r["shape"] = kinds, mobilities, shapes
        r["shape_numbers"], r["mass"] = np.array(numbers, float), np.array(masses, float)
        r["plane_normal"], r["gravity"] = np.zeros((len(names), 3)), np.array([0, 0, -G])


class JudgeTest(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.path = str(pathlib.Path(self.scratch.name) / "recording.h5")
        self.arrays, self.contacts = run()
        self.row = {"light": 2 * 19, "heavy": 2 * 19 + 1}  # contacts of frame 20

    def tearDown(self):
        self.scratch.cleanup()

    def verdict(self, **more):
        write(self.path, self.arrays, self.contacts, **more)
        return judge.judge(self.path)

    def finds(self, law, step, body):
        v = self.verdict()
        self.assertFalse(v.holds())
        w = v.worst[law]
        self.assertGreater(w.factor, judge.ALLOWED)
        self.assertEqual((w.step, w.body), (step, body))
        return v

    def test_a_right_one_passes(self):
        v = self.verdict()
        self.assertTrue(v.holds(), v.worst)
        self.assertEqual((v.steps, v.certified, v.parts), (STEPS, STEPS, STEPS))
        self.assertEqual((v.judged, v.left_out), (3 * STEPS, 0))
        for law in ("laws", "momentum", "turning", "free"):
            self.assertLess(v.worst[law].factor, 0.1, law)

    def test_another_velocity_of_the_light_body(self):
        # 1e-7 of its impulses, 1e-16 of those of the heavy one
        self.arrays["velocity"][20:, 1, 0] += 1e-7 * H * G
        self.finds("momentum", 20, "light")

    def test_a_normal_velocity_under_a_pressed_contact(self):
        # with the impulse that explains it: momentum holds, Signorini's law does not
        self.arrays["velocity"][20, 1, 2] += 1e-7
        self.arrays["position"][20, 1, 2] += 1e-7 * H
        self.contacts["impulse"][self.row["light"], 2] += MASS["light"] * 1e-7
        self.arrays["velocity"][21:, 1, 2] = 0
        self.contacts["impulse"][self.row["light"] + 2, 2] -= MASS["light"] * 1e-7
        v = self.verdict()
        self.assertFalse(v.holds())
        self.assertLess(v.worst["momentum"].factor, judge.ALLOWED)
        self.assertEqual((v.worst["laws"].step, v.worst["laws"].body), (20, "light"))
        self.assertGreater(v.worst["laws"].factor, judge.ALLOWED)

    def test_an_impulse_outside_the_cone(self):
        row, m, r = self.row["heavy"], MASS["heavy"], RADIUS["heavy"]
        more = 1e-5 * self.contacts["impulse"][row] * [1, 1, 0]
        self.contacts["impulse"][row] += more
        self.arrays["velocity"][20:, 2] += more / m
        self.arrays["spin"][20:, 2] += np.cross([0, 0, -r], more) / (0.4 * m * r * r)
        v = self.finds("laws", 20, "heavy")
        self.assertLess(v.worst["momentum"].factor, judge.ALLOWED)
        self.assertLess(v.worst["turning"].factor, judge.ALLOWED)

    def test_friction_across_the_slip(self):
        row, m, r = self.row["light"], MASS["light"], RADIUS["light"]
        push = self.contacts["impulse"][row].copy()
        angle = 1e-5
        turned = np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]]) @ push
        self.contacts["impulse"][row] = turned
        self.arrays["velocity"][20:, 1] += (turned - push) / m
        self.arrays["spin"][20:, 1] += np.cross([0, 0, -r], turned - push) / (0.4 * m * r * r)
        self.finds("laws", 20, "light")

    def test_an_impulse_across_a_gap(self):
        self.arrays["position"][:, 1, 2] += 1e-3
        self.contacts["gap"][0::2] += 1e-3
        self.contacts["point"][0::2, 2] += 1e-3
        self.assertGreater(self.verdict().worst["laws"].factor, judge.ALLOWED)

    def test_another_spin_of_the_light_body(self):
        self.arrays["spin"][20:, 1, 1] += 1e-5
        self.finds("turning", 20, "light")

    def test_angular_momentum_of_a_body_that_nothing_pushes(self):
        self.arrays["spin"][20, 3] *= 1 + 1e-11
        self.finds("free", 20, "box")

    def test_velocity_of_a_body_that_nothing_pushes(self):
        self.arrays["velocity"][20:, 3, 0] += 1e-10
        self.finds("free", 20, "box")

    def test_overlap(self):
        self.arrays["position"][20, 1, 2] -= 4e-8 * 2 * RADIUS["light"]
        self.finds("overlap", 20, "light")

    def test_a_gap_that_is_listed_too_small(self):
        self.contacts["gap"][self.row["heavy"]] -= 1e-6
        self.finds("listed", 20, "heavy")

    def test_energy_that_rises(self):
        self.arrays["velocity"][20:, 2, 1] += 0.1
        self.assertGreater(self.verdict().worst["energy"].factor, judge.ALLOWED)

    def test_a_step_that_is_not_certified_is_not_judged(self):
        self.arrays["spin"][20, 3] *= 1 + 1e-6
        converged = np.ones(STEPS + 1)
        converged[20:22] = 0
        v = self.verdict(converged=converged)
        self.assertTrue(v.holds(), v.worst)
        self.assertEqual(v.certified, STEPS - 2)

    def test_what_is_not_whole_is_refused(self):
        write(self.path, self.arrays, self.contacts)
        with h5py.File(self.path, "r+") as f:
            f["solver/steps"][5] = 2
        with self.assertRaisesRegex(judge.NotJudged, '"every": 0'):
            judge.judge(self.path)
        pathlib.Path(self.path).write_bytes(b"something else")
        with self.assertRaisesRegex(judge.NotJudged, "cannot be read as a recording"):
            judge.judge(self.path)


BASE, PLANK, PLANK_MASS = np.array([1, 0.4, 0.1]), np.array([0.2, 2, 0.1]), 3.0


def crossings(x, angle):
    """Where the long edges of the plank cross those of the base, four points of its top."""
    along, across = np.array([-np.sin(angle), np.cos(angle)]), np.array([np.cos(angle), np.sin(angle)])
    out = []
    for side in (-1, 1):
        for y in (-BASE[1] / 2, BASE[1] / 2):
            start = x[:2] + side * PLANK[0] / 2 * across
            out.append([*(start + (y - start[1]) / along[1] * along), BASE[2] / 2])
    return np.array(out)


def slide_plank():
    """A plank across a fixed base slides and turns on it, flat. Its four points of contact are crossings of edges,
    those of the middle of each step. Found by iteration, to round-off: friction against the slip, normal impulses
    that keep it flat."""
    frames = STEPS + 1
    a = {name: np.zeros((frames, 2, n)) for name, n in (("position", 3), ("orientation", 4), ("velocity", 3),
                                                        ("spin", 3))}
    a["orientation"][..., 0] = 1
    x, angle, v, spin = np.array([0.05, 0.02, (BASE[2] + PLANK[2]) / 2]), 0.3, np.array([2.0, 0.7, 0]), 1.5
    about = PLANK_MASS * (PLANK[0] ** 2 + PLANK[1] ** 2) / 12
    up = np.array([0, 0, 1.0])
    contacts = {n: [] for n in ("key_a", "key_b", "feature", "point", "normal", "gap", "impulse", "friction", "moment")}
    pose = lambda k: (a["position"].__setitem__((k, 1), x), a["velocity"].__setitem__((k, 1), v),
                      a["spin"].__setitem__((k, 1), spin * up),
                      a["orientation"].__setitem__((k, 1), [np.cos(angle / 2), 0, 0, np.sin(angle / 2)]))
    pose(0)
    for k in range(1, frames):
        v1, spin1 = v, spin
        for _ in range(60):
            x1 = x + H * v1
            angle1 = angle + 2 * np.arctan(H * spin / 2) + 2 * np.arctan(H * (spin1 - spin) / 2)
            arms = crossings((x + x1) / 2, (angle + angle1) / 2) - (x + x1) / 2
            slip = v1 + np.cross(spin1 * up, arms)
            rubbed = up - MU * slip / np.linalg.norm(slip, axis=1)[:, None]  # per normal impulse
            rows = np.vstack([np.ones(4), np.cross(arms, rubbed)[:, :2].T])
            push = np.linalg.lstsq(rows, [PLANK_MASS * G * H, 0, 0], rcond=None)[0][:, None] * rubbed
            v1 = v + push.sum(0) / PLANK_MASS - [0, 0, G * H]
            v1[2] = 0
            spin1 = spin + np.cross(arms, push)[:, 2].sum() / about
        x, angle, v, spin = x1, angle1, v1, spin1
        pose(k)
        for i, point in enumerate(crossings(x, angle)):
            for n, value in (("key_a", 0), ("key_b", 1), ("feature", i), ("point", point), ("normal", up), ("gap", 0.0),
                             ("impulse", push[i]), ("friction", MU), ("moment", np.zeros(3))):
                contacts[n].append(value)
    return a, {n: np.array(v) for n, v in contacts.items()}


class CutPointsTest(unittest.TestCase):
    """Points of contact that go along with neither body."""

    def setUp(self):
        self.arrays, self.contacts = slide_plank()

    def verdict(self):
        bodies = (("base", 0, 0, recordings.BOX, [*BASE, 0], 0), ("plank", 0, 1, recordings.BOX, [*PLANK, 0],
                                                                  PLANK_MASS))
        with tempfile.TemporaryDirectory() as folder:
            path = str(pathlib.Path(folder) / "recording.h5")
            write(path, self.arrays, self.contacts, bodies=bodies, each=4)
            return judge.judge(path)

    def test_a_right_one_passes(self):
        self.assertGreater(self.contacts["impulse"][:, 2].min(), 0)
        v = self.verdict()
        self.assertTrue(v.holds(), v.worst)
        for law in ("laws", "momentum", "turning", "overlap", "listed"):
            self.assertLess(v.worst[law].factor, 0.1, law)

    def test_friction_across_the_slip(self):
        row, k, angle = 4 * 19 + 2, 20, 1e-5
        push = self.contacts["impulse"][row].copy()
        self.contacts["impulse"][row, :2] += angle * np.array([-push[1], push[0]])
        more = self.contacts["impulse"][row] - push
        self.arrays["velocity"][k:, 1] += more / PLANK_MASS
        v = self.verdict()
        self.assertEqual((v.worst["laws"].step, v.worst["laws"].body), (k, "plank"))
        self.assertGreater(v.worst["laws"].factor, judge.ALLOWED)
        self.assertLess(v.worst["momentum"].factor, judge.ALLOWED)

    def test_a_spin_that_impulses_do_not_explain(self):
        self.arrays["spin"][20:, 1, 2] += 1e-5
        v = self.verdict()
        self.assertEqual((v.worst["turning"].step, v.worst["turning"].body), (20, "plank"))
        self.assertGreater(v.worst["turning"].factor, judge.ALLOWED)


class PartsTest(unittest.TestCase):
    """Of the built program: steps that are made in parts, with the impulses of every part."""

    @unittest.skipUnless("STICTION_PROGRAM" in os.environ, "no program to run")
    def test_impulses_of_all_parts_explain_the_momentum(self):
        divided = 0
        with tempfile.TemporaryDirectory() as folder:
            for family, number in (("pens", 2), ("pens", 5), ("rows", 2), ("wedges", 4)):
                scene = random_scenes.scene(family, number)
                for parts in (True, False):
                    scene["record"]["parts"] = parts
                    path = pathlib.Path(folder) / "scene.json"
                    path.write_text(json.dumps(scene))
                    words = [os.environ["STICTION_PROGRAM"], "run", str(path), "--out", folder, "--quiet"]
                    self.assertIn(subprocess.run(words, capture_output=True, timeout=60).returncode, (0, 1))
                    recording = str(pathlib.Path(folder) / "recording.h5")
                    with h5py.File(recording, "r") as f:
                        frames, in_parts, end = len(f["time"]), int((f["solver/divided"][:] > 0).sum()), f.attrs["hash"]
                    if parts:
                        v, known = judge.judge(recording), end
                        pushed = v.worst.get("momentum")
                        self.assertTrue(pushed is None or pushed.factor < 1, (family, number, pushed))
                        self.assertEqual(frames - 1 > v.steps, in_parts > 0)
                        divided += in_parts
                        continue
                    self.assertEqual(end, known)  # recording parts changes nothing
                    if in_parts:
                        with self.assertRaisesRegex(judge.NotJudged, '"parts": true'):
                            judge.judge(recording)
        self.assertGreater(divided, 0)  # else this test shows nothing


if __name__ == "__main__":
    unittest.main()

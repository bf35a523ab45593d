#!/usr/bin/env python3
"""Broken scenes, one row each: `check` and `run` name the file, the line and the path of the value, say what is wrong and what would
be right, exit with status 2, and write nothing.
"""
import json
import os
import subprocess
import time
import unittest

from program import PROGRAM, ProgramTest

SCENE = """{ "stiction": 1,
  "gravity": [0, 0, -9.81],
  "surfaces": { "wood": { "friction": 0.4 } },
  "bodies": {
    "floor": { "static": true, "shape": {"half_space": [0, 0, 1]}, "surface": "wood" },
    "box":   { "shape": {"box": [0.2, 0.2, 0.2]}, "density": 500, "at": [0, 0, 0.3], "surface": "wood" },
    "ball":  { "shape": {"sphere": 0.1}, "mass": 1, "at": [1, 0, 0.3], "collides": false }
  },
  "forces": { "pull": { "spring": { "a": "box", "b": "ball", "stiffness": 10 } } },
  "initial": { "box": {"velocity": [1, 0, 0]} },
  "run": { "until": 1, "step": 0.01 },
  "record": { "every": 0.1, "plot": ["box.position"] } }
"""

# What it is, the piece of SCENE that is replaced, by what, the line of the first mistake (negative: the file ends right there), its path,
# what is said. To add a row, write it with any line and path, and look at what the test says.
EDITED = [
    ('a body that hangs on itself', '"run": {', '"joints": { "j": {"revolute": {"body": "box", "parent": "box", "axis": [0, 1, 0]}} },\n  "run": {', 11, 'joints.j.revolute.parent', 'the body "box" cannot hang on itself'),
    ('bodies that hang on each other', '"run": {', '"joints": { "j": {"revolute": {"body": "box", "parent": "ball", "axis": [0, 1, 0]}}, "k": {"revolute": {"body": "ball", "parent": "box", "axis": [0, 1, 0]}} },\n  "run": {', 11, 'joints.j.revolute.parent', 'the bodies hang on themselves: box -> ball -> box; a tree has no cycle'),
    ('a body with two parents', '"run": {', '"joints": { "j": {"revolute": {"body": "box", "axis": [0, 1, 0]}}, "k": {"fixed": {"body": "box", "parent": "ball"}} },\n  "run": {', 11, 'joints.k.fixed.body', 'the body "box" already has the joint "j": a body hangs on one joint, others may'),
    ('a joint without an axis', '"run": {', '"joints": { "j": {"revolute": {"body": "box", "axis": [0, 0, 0]}} },\n  "run": {', 11, 'joints.j.revolute.axis', 'found [0, 0, 0], a direction needs a length above 0'),
    ('a joint of nobody', '"run": {', '"joints": { "j": {"revolute": {"body": "bax", "axis": [0, 1, 0]}} },\n  "run": {', 11, 'joints.j.revolute.body', 'there is no body "bax"; did you mean "box"?'),
    ('an unknown kind of joint', '"run": {', '"joints": { "j": {"hinge": {"body": "box", "axis": [0, 1, 0]}} },\n  "run": {', 11, 'joints.j.hinge', 'unknown key "hinge", allowed: planar, fixed, revolute, prismatic, cylindrical, screw, universal, spherical, constraint, gear, rolling, knife_edge, pfaffian or repeat; did you mean "revolute"?'),
    ("a joint of a static body", '"run": {', '"joints": { "j": {"revolute": {"body": "floor", "axis": [0, 1, 0]}} },\n  "run": {', 11, 'joints.j.revolute.body', 'the body "floor" is static, a revolute joint takes a body that moves freely'),
    ("a setting that the method does not know", '"step": 0.01', '"step": 0.01, "nonlinear": true', 11, 'run.nonlinear', 'true, which only the methods "stewart_trinkle" and "anitescu_potra" know, not "coulomb"'),
    ("cut after a key", '"run": {', '"run"', -11, '', 'found the end of the file, expected \':\' after the key "run"'),
    ("cut inside a text", '"wood": { "friction', '"wo', -3, 'surfaces', 'the text that opens here is not closed on its line, expected "'),
    ("cut inside a list", '-9.81],', '-9.81', -2, 'gravity', "the file ends, expected ']' to close the list of line 2"),
    ("a comma too few", '"stiction": 1,', '"stiction": 1', 2, '', "found a text, expected ',' or '}'"),
    ("a comma too many", '[0, 0, -9.81]', '[0,, 0, -9.81]', 2, 'gravity', 'found \',\', expected a value: a number, a "text", true, false, a [list] or a'),
    ("a brace too many", '"box.position"] } }', '"box.position"] } } }', 12, '', "found '}' after the end of the scene, expected nothing more"),
    ("the wrong bracket", '-9.81],', '-9.81},', 2, 'gravity', "found '}', expected ']' to close the list of line 2"),
    ("single quotes", '"surface": "wood" },\n    "box"', '"surface": \'wood\' },\n    "box"', 5, 'bodies.floor.surface', 'found \'\'\', expected a value: a number, a "text", true, false, a [list] or a'),
    ("a key without quotes", '"until": 1', 'until: 1', 11, 'run', "found 'until', expected a key in double quotes or '}'"),
    ("a comment that does not end", '"run":', '/* "run":', 11, '', 'the comment that opens here is not closed, expected */'),
    ("a control character in a text", '"half_space"', '"half\x01space"', 5, 'bodies.floor.shape', 'found a control character inside a text, expected an escape such as \\n'),
    ("an unknown escape", '"surface": "wood" },\n    "box"', '"surface": "wo\\qd" },\n    "box"', 5, 'bodies.floor', 'found an escape that is not known, allowed: \\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX'),
    ("half a surrogate", '"surface": "wood" },\n    "box"', '"surface": "\\ud800" },\n    "box"', 5, 'bodies.floor', 'found an escape that is not known, allowed: \\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX'),
    ("a hexadecimal number", '"density": 500', '"density": 0x1F4', 6, 'bodies.box.density', "found '0x1F4', expected a number such as 2, -0.5 or 1e-3"),
    ("a leading zero", '"density": 500', '"density": 0500', 6, 'bodies.box.density', "found '0500', expected a number such as 2, -0.5 or 1e-3"),
    ("a number with a plus", '"density": 500', '"density": +500', 6, 'bodies.box.density', "found '+500', expected a number such as 2, -0.5 or 1e-3"),
    ("NaN", '"density": 500', '"density": NaN', 6, 'bodies.box.density', 'found \'NaN\', expected a value: a number, a "text", true, false, a [list] or a'),
    ("Infinity", '"density": 500', '"density": Infinity', 6, 'bodies.box.density', 'found \'Infinity\', expected a value: a number, a "text", true, false, a [list]'),
    ("minus infinity", '-9.81', '-Infinity', 2, 'gravity.2', "found '-Infinity', expected a number such as 2, -0.5 or 1e-3"),
    ("a number beyond all numbers", '"density": 500', '"density": 1e999', 6, 'bodies.box.density', 'found 1e999, which is outside the range of numbers (about 1e-308 to 1e308)'),
    ("1e300 as a density", '"density": 500', '"density": 1e300', 6, 'bodies.box.density', 'found 1e+300, must be at most 1e+45 in size: with larger ones the run would'),
    ("1e300 as a mass", '"mass": 1,', '"mass": 1e300,', 7, 'bodies.ball.mass', 'found 1e+300, must be at most 1e+45 in size: with larger ones the run would'),
    ("1e300 as an edge", '[0.2, 0.2, 0.2]', '[1e300, 0.2, 0.2]', 6, 'bodies.box.shape.box.0', 'found 1e+300, must be at most 1e+45 in size: with larger ones the run would'),
    ("1e300 as a place", '[0, 0, 0.3]', '[0, 0, 1e300]', 6, 'bodies.box.at.2', 'found 1e+300, must be at most 1e+45 in size: with larger ones the run would'),
    ("1e300 as a velocity", '[1, 0, 0]} }', '[1e300, 0, 0]} }', 10, 'initial.box.velocity.0', 'found 1e+300, must be at most 1e+45 in size: with larger ones the run would'),
    ("1e300 as gravity", '-9.81', '-1e300', 2, 'gravity.2', 'found -1e+300, must be at most 1e+45 in size: with larger ones the run would'),
    ("1e300 as the end", '"until": 1', '"until": 1e300', 11, 'run.until', 'found 1e+300, must be at most 1e+45 in size: with larger ones the run would'),
    ("1e300 as a stiffness", '"stiffness": 10', '"stiffness": 1e300', 9, 'forces.pull.spring.stiffness', 'found 1e+300, must be at most 1e+45 in size: with larger ones the run would'),
    ("a step so small that steps cannot be counted", '"step": 0.01', '"step": 1e-300', 11, 'run.until', 'found 1, which takes 9.999999999999999e+299 steps of 1e-300 s; at most 9e+15'),
    ("mass that underflows", '"mass": 1,', '"mass": 1e-320,', 7, 'bodies.ball.mass', 'found 1e-320 kg, must be from 1e-45 to 1e+45'),
    ("a negative mass", '"mass": 1,', '"mass": -1,', 7, 'bodies.ball.mass', 'found -1, must be above 0 kg'),
    ("no mass at all", '"mass": 1,', '', 7, 'bodies.ball', 'a body that moves freely needs `density` or `mass`'),
    ("mass and density", '"mass": 1,', '"mass": 1, "density": 2,', 7, 'bodies.ball.mass', 'found both density and mass, give one of them'),
    ("a negative density", '"density": 500', '"density": -500', 6, 'bodies.box.density', 'found -500, must be above 0 kg/m^3'),
    ("an inertia that no body has", '"mass": 1,', '"mass": 1, "inertia": [1, 1, 5],', 7, 'bodies.ball.inertia', 'found [1, 1, 5]: no body has one moment of inertia larger than the sum of the'),
    ("a negative inertia", '"mass": 1,', '"mass": 1, "inertia": [-1, 1, 1],', 7, 'bodies.ball.inertia.0', 'found -1, must be above 0 kg m^2'),
    ("an inertia of two numbers", '"mass": 1,', '"mass": 1, "inertia": [1, 1],', 7, 'bodies.ball.inertia', 'found a list of 2 entries, must be a list of three numbers [kg m^2]'),
    ("negative friction", '"friction": 0.4', '"friction": -0.4', 3, 'surfaces.wood.friction', 'found -0.4, must be 0 or more'),
    ("friction as a text", '"friction": 0.4', '"friction": "0.4"', 3, 'surfaces.wood.friction', 'found the text "0.4", must be a number'),
    ("friction null", '"friction": 0.4', '"friction": null', 3, 'surfaces.wood.friction', 'found null, must be a number'),
    ("a radius of zero", '"sphere": 0.1', '"sphere": 0', 7, 'bodies.ball.shape.sphere', 'found 0, must be above 0 m'),
    ("a shape that is none", '{"sphere": 0.1}', '{"teapot": 1}', 7, 'bodies.ball.shape', 'found no kind, must be exactly one of sphere, box, capsule, half_space,'),
    ("two shapes at once", '{"sphere": 0.1}', '{"sphere": 0.1, "box": [1, 1, 1]}', 7, 'bodies.ball.shape', 'found 2 kinds at once, must be exactly one of sphere, box, capsule, half_space,'),
    ("a shape as a text", '{"sphere": 0.1}', '"sphere"', 7, 'bodies.ball.shape', 'found the text "sphere", must be a map with the keys sphere, box, capsule,'),
    ("a half-space that moves freely", '"static": true, ', '"density": 1, ', 5, 'bodies.floor.density', 'this shape has no volume, give `mass` instead'),
    ("a hull that is flat", '{"sphere": 0.1}', '{"hull": {"points": [[0,0,0], [1,0,0], [0,1,0], [1,1,0]]}}', 7, 'bodies.ball.shape.hull.points', 'lie'),
    ("an intersection that is not bounded", '{"sphere": 0.1}', '{"intersection": {"faces": [{"tube": {"radius": 1, "axis": [0, 0, 1]}}]}}', 7, 'bodies.ball.shape.intersection.faces', 'the body is not bounded; add a half-space or a ball that closes it'),
    ("an intersection that is empty", '{"sphere": 0.1}', '{"intersection": {"faces": [{"ball": {"radius": 1}}, {"half_space": {"normal": [0, 0, 1], "offset": -2}}]}}', 7, 'bodies.ball.shape.intersection.faces', 'no point is inside all of them'),
    ("an intersection that is flat", '{"sphere": 0.1}', '{"intersection": {"faces": [{"ball": {"radius": 1}}, {"half_space": [0, 0, 1]}, {"half_space": [0, 0, -1]}]}}', 7, 'bodies.ball.shape.intersection.faces', 'the body is flat'),
    ("an intersection of no faces", '{"sphere": 0.1}', '{"intersection": {"faces": []}}', 7, 'bodies.ball.shape.intersection.faces', 'found 0, must be 1 to 64'),
    ("a face that is none", '{"sphere": 0.1}', '{"intersection": {"faces": [{"bal": {"radius": 1}}]}}', 7, 'bodies.ball.shape.intersection.faces.0.bal', 'unknown key "bal"'),
    ("a ball of no radius", '{"sphere": 0.1}', '{"intersection": {"faces": [{"ball": {"radius": 0}}]}}', 7, 'bodies.ball.shape.intersection.faces.0.ball.radius', 'found 0, must be above 0 m'),
    ("a cylinder without height", '{"sphere": 0.1}', '{"cylinder": {"radius": 0.1}}', 7, 'bodies.ball.shape.cylinder', 'height'),
    ("an exponent below 2", '{"sphere": 0.1}', '{"superellipsoid": {"radii": [1, 1, 1], "along": 1}}', 7, 'bodies.ball.shape.superellipsoid.along', 'found 1, must be 2'),
    ("a normal without length", '"half_space": [0, 0, 1]', '"half_space": [0, 0, 0]', 5, 'bodies.floor.shape.half_space', 'found [0, 0, 0], a direction needs a length above 0'),
    ("gravity of two numbers", '[0, 0, -9.81]', '[0, -9.81]', 2, 'gravity', 'found a list of 2 entries, must be a list of three numbers [m/s^2]'),
    ("gravity as a number", '[0, 0, -9.81]', '-9.81', 2, 'gravity', 'found -9.81, must be a list of three numbers [m/s^2]'),
    ("bodies as a list", '"bodies": {', '"bodies": [], "x": {', 4, 'bodies', 'found a list of 0 entries, must be a map from names to entries {...}'),
    ("a body that is a number", '{ "shape": {"sphere": 0.1}, "mass": 1, "at": [1, 0, 0.3], "collides": false }', '7', 7, 'bodies.ball', 'found 7, must be a map with the keys shape, density, mass, inertia, at,'),
    ("static as a number", '"static": true', '"static": 1', 5, 'bodies.floor.static', 'found 1, must be true or false'),
    ("static and kinematic", '"static": true', '"static": true, "kinematic": true', 5, 'bodies.floor', 'found a body that is both static and kinematic, keep one'),
    ("an unknown surface", '0.3], "surface": "wood"', '0.3], "surface": "wod"', 6, 'bodies.box.surface', 'there is no surface "wod"; did you mean "wood"?'),
    ("an unknown body in a force", '"b": "ball"', '"b": "bal"', 9, 'forces.pull.spring.b', 'there is no body "bal"; did you mean "ball"?'),
    ("a force between a body and itself", '"b": "ball"', '"b": "box"', 9, 'forces.pull.spring.b', 'both ends are on the body "box", a spring joins two bodies or a body and the'),
    ("an unknown kind of force", '"spring":', '"sprnig":', 9, 'forces.pull.sprnig', 'unknown key "sprnig", allowed: spring, torsion, drag, magnus, gravitation,'),
    ("a negative stiffness", '"stiffness": 10', '"stiffness": -10', 9, 'forces.pull.spring.stiffness', 'found -10, must be 0 N/m or more'),
    ("a velocity of nobody", '"initial": { "box"', '"initial": { "bax"', 10, 'initial.bax', 'there is no body or joint "bax"; did you mean "box"?'),
    ("a velocity of what does not move", '"initial": { "box"', '"initial": { "floor"', 10, 'initial.floor.velocity', 'found [1, 0, 0], but a static body does not move'),
    ("an unknown key", '"density": 500', '"densty": 500', 6, 'bodies.box.densty', 'unknown key "densty", allowed: shape, density, mass, inertia, at,'),
    ("a key of somewhere else", '"density": 500', '"density": 500, "velocity": [1, 0, 0]', 6, 'bodies.box.velocity', 'unknown key "velocity", allowed: shape, density, mass, inertia, at,'),
    ("a key twice", '"density": 500', '"density": 500, "density": 600', 6, 'bodies.box.density', 'the key "density" was already given at line 6; keep one of them'),
    ("a body twice", '"ball":', '"box":', 7, 'bodies.box', 'the key "box" was already given at line 6; keep one of them'),
    ("an unknown section", '"initial"', '"intial"', 10, 'intial', 'unknown key "intial", allowed: stiction, title, include, gravity, surfaces,'),
    ("another version", '"stiction": 1', '"stiction": 2', 1, 'stiction', 'found 2, must be 1'),
    ("no version", '"stiction": 1,', '', 1, '', 'the key `stiction` is missing: Version of the format: 1.'),
    ("an unknown method", '"step": 0.01', '"step": 0.01, "method": "rk5"', 11, 'run.method', 'unknown word "rk5", allowed: coulomb, explicit_euler, semi_implicit_euler,'),
    ("a method that cannot touch", '"step": 0.01', '"step": 0.01, "method": "rk4"', 11, 'run.method', 'found "rk4", which is for smooth motion, but the bodies "box" and "floor" can'),
    ("an unknown solver", '"step": 0.01', '"step": 0.01, "solver": "magic"', 11, 'run.solver', 'unknown word "magic", allowed: auto, newton or nsgs'),
    ("a step of zero", '"step": 0.01', '"step": 0', 11, 'run.step', 'found 0, must be above 0 s'),
    ("a negative end", '"until": 1', '"until": -1', 11, 'run.until', 'found -1, must be above 0 s'),
    ("half a thread", '"step": 0.01', '"step": 0.01, "threads": 0.5', 11, 'run.threads', 'found 0.5, must be 1 or more'),
    ("threads without measure", '"step": 0.01', '"step": 0.01, "threads": 40000', 11, 'run.threads', 'found 40000, must be 1 or more and at most 1024'),
    ("a tolerance of one", '"step": 0.01', '"step": 0.01, "tolerance": 1', 11, 'run.tolerance', 'found 1, must be 1e-13 or more and at most 0.01'),
    ("a tolerance that doubles cannot prove", '"step": 0.01', '"step": 0.01, "tolerance": 1e-30', 11, 'run.tolerance', 'found 1e-30, must be 1e-13 or more and at most 0.01'),
    ("a negative time between frames", '"every": 0.1', '"every": -0.1', 12, 'record.every', 'found -0.1, must be 0 s or more'),
    ("parts of some steps alone", '"every": 0.1', '"every": 0.1, "parts": true', 12, 'record.parts', 'found true with "every" 0.1; parts are recorded with every step: leave "every" out, or "parts"'),
    ("a curve of nobody", '"box.position"', '"bax.position"', 12, 'record.plot.0', 'there is no body "bax"; did you mean "box"?'),
    ("a curve of nothing", '"box.position"', '"box.colour"', 12, 'record.plot.0', 'found "box.colour", must be BODY.QUANTITY, BODY.QUANTITY.x or JOINT.QUANTITY with a quantity'),
    ("a constant that does not exist", '"density": 500', '"density": "$rho"', 6, 'bodies.box.density', 'there is no constant "$rho"'),
    ("constants that define each other", '"gravity":', '"$a": "=$b", "$b": "=$a", "gravity":', 2, '$b', 'the constant "$a" is defined by itself'),
    ("a division by zero", '"density": 500', '"density": "=1/0"', 6, 'bodies.box.density', 'division by zero'),
    ("arithmetic that does not end", '"density": 500', '"density": "=2*(3"', 6, 'bodies.box.density', "found the end of the expression, expected ')'"),
    ("more copies than there may be", '"mass": 1,', '"mass": 1, "repeat": {"count": [1000, 1000]},', 7, 'bodies.ball.repeat', "the scene's repeats make more than 100000 entries"),
    ("a negative number of copies", '"mass": 1,', '"mass": 1, "repeat": {"count": -1},', 7, 'bodies.ball.repeat.count', 'found -1, must be a whole number from 0 to 100000'),
    ("an orientation of no length", '"mass": 1,', '"mass": 1, "orientation": [0, 0, 0, 0],', 7, 'bodies.ball.orientation', 'found [0, 0, 0, 0], must be a unit quaternion [w, x, y, z]'),
    ("times that go back", '"static": true,', '"motion": {"time": [1, 0], "position": [[0, 0, 0], [0, 0, 1]]},', 5, 'bodies.floor.motion.time.1', 'found 0 after 1, times must increase from row to row'),
    ("a file that is not there", '"gravity":', '"include": ["missing.json"], "gravity":', 2, 'include.0', 'cannot include "missing.json": cannot read: No such file or directory. Check'),
    ("includes itself", '"gravity":', '"include": ["bad.json"], "gravity":', 2, 'include.0', '"bad.json" includes itself, directly or through others'),
    ("includes a folder", '"gravity":', '"include": ["."], "gravity":', 2, 'include.0', 'cannot include ".": cannot read: Is a directory. It is a folder: name a file'),
]

# Whole files: what it is, bytes, line, path, what is said.
FILES = [
    ("empty", b"", 1, "", "the file is empty, expected"),
    ("blanks only", b" \n\n  ", 3, "", "the file is empty, expected"),
    ("a comment only", b"// nothing", 1, "", "the file is empty, expected"),
    ("a list", b"[1, 2]", 1, "", "a scene file is a map {...}"),
    ("a number", b"3", 1, "", "a scene file is a map {...}"),
    ("two scenes", b'{"stiction": 1}\n{"stiction": 1}', 2, "", "after the end of the scene, expected nothing more"),
    ("not UTF-8", b'{"stiction": 1,\n "title": "caf\xe9"}', 2, "", "save the file as UTF-8"),
    ("UTF-16", '{"stiction": 1}'.encode("utf-16"), 1, "", "save the file as UTF-8"),
    ("an overlong character", b'{"stiction": 1, "title": "\xc0\xaf"}', 1, "", "save the file as UTF-8"),
    ("an HDF5 file", b"\x89HDF\r\n\x1a\n" + bytes(100), 0, "", "this is an HDF5 file, not a scene"),
    ("a byte of zero", b'{"stiction": 1,\n \x00"gravity": [0, 0, 0]}', 2, "", "found a control character, expected a key"),
    ("nested too deep", b'{"stiction": 1,\n"title": ' + b"[" * 100_000, 2, "title" + ".0" * 63, "nested deeper than 64 levels"),
    ("a million open braces", b"{" * 1_000_000, 1, "", "expected a key in double quotes"),
    ("a number of a million digits", b'{"stiction": 1,\n"gravity": [0, 0, ' + b"9" * 1_000_000 + b"]}", 2, "gravity.2", "outside the range of numbers"),
    ("constants that grow", b'{"stiction": 1, "$a": [' + b'1,' * 1000 + b'1],\n' +
     b", ".join(b'"$%c": ["$%c"%s]' % (98 + k, 97 + k, b', "$%c"' % (97 + k) * 999) for k in range(3)) + b"}", 1, "", "more than 3000000 values"),
]


class BrokenScenes(ProgramTest):
    def refused(self, line, path, words, *more):
        """Both commands say the same; nothing is written."""
        before = sorted(self.folder.iterdir())
        for command in ("check", "run"):
            done = self.call(command, "bad.json", "--json", *more, status=2)
            mistakes = json.loads(done.stdout)["mistakes"]
            first = mistakes[0]
            self.assertEqual((first["file"], first["line"], first["path"]), ("bad.json", line, path), mistakes)
            self.assertIn(words, first["message"])
            self.assertEqual(first["column"] > 0, line > 0)  # a place, or none of a file that is no text
            self.assertLess(len(mistakes), 30)
            at = f":{line}:{first['column']}" if line else ""
            place = f"bad.json{at}: " + (path + ": " if path else "")
            self.assertTrue(done.stderr.startswith(place + first["message"][:40]), done.stderr[:300])
        self.assertEqual(sorted(self.folder.iterdir()), before, "nothing is written for a scene that is not run")

    def test_the_scene_itself_is_fine(self):
        (self.folder / "good.json").write_text(SCENE)
        self.call("check", "good.json")

    def test_edited_scenes(self):
        self.assertGreaterEqual(len(EDITED) + len(FILES), 60)
        for what, old, new, line, path, words in EDITED:
            with self.subTest(what):
                self.assertEqual(SCENE.count(old), 1)
                text = SCENE.replace(old, new) if line > 0 else SCENE[:SCENE.index(old)] + new
                (self.folder / "bad.json").write_text(text)
                self.refused(abs(line), path, words)
                if '"joints"' in new:  # methods for smooth motion look at the joints themselves
                    self.refused(abs(line), path, words, "--set", "run.method=rk4")

    def test_whole_files(self):
        for what, content, line, path, words in FILES:
            with self.subTest(what):
                (self.folder / "bad.json").write_bytes(content)
                self.refused(line, path, words)

    def refused_at_once(self, name, *words):
        done = self.call("run", name, "--json", status=2)
        first = json.loads(done.stdout)["mistakes"][0]
        self.assertTrue(first["file"].endswith(name.strip("/")) or first["file"] == name, first)
        for word in words:
            self.assertIn(word, first["message"])
        self.assertFalse((self.folder / "out").exists())

    def test_what_is_no_file(self):
        (self.folder / "folder.json").mkdir()
        self.refused_at_once("folder.json", "this is a folder, not a scene file")
        self.refused_at_once("missing.json", "there is no such file", "stiction list scenes")
        self.refused_at_once("frist", 'did you mean "first"?')
        os.symlink("loop.json", self.folder / "loop.json")
        self.refused_at_once("loop.json", "there is no such file")

    def test_200_megabytes_of_zeros(self):
        with open(self.folder / "zeros.json", "wb") as file:
            file.truncate(200_000_000)
        process = subprocess.Popen([PROGRAM, "run", "zeros.json"], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        error = process.stderr.read()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        process.stdout.close(), process.stderr.close()
        self.assertEqual(process.returncode, 2)
        self.assertRegex(error, r"^zeros\.json: is longer than 64000000 bytes.*Check that it is the right one")
        self.assertLess(used.ru_maxrss, 50_000)  # [kB] it is not even read
        (self.folder / "zeros.json").write_bytes(bytes(20_000_000))
        self.refused_at_once("zeros.json", "found a control character, expected a value")

    def test_crowds(self):
        """More than 100 bodies in one place are refused at once, however many; fewer are named in a warning."""
        scene = """{"stiction": 1, "$n": 100000,
 "bodies": {
  "ball": {"repeat": {"count": "$n", "offset": [0, 0, 0]}, "shape": {"sphere": 0.1}, "mass": 1}},
 "run": {"until": 0.01}}"""
        (self.folder / "crowd.json").write_text(scene)
        for word in ("check", "run"):
            began = time.time()
            done = self.call(word, "crowd.json", status=2)
            self.assertLess(time.time() - began, 20)
            self.assertRegex(done.stderr, r'^crowd\.json:3:\d+: bodies\.ball\.0: 100000 bodies that move are in one place: '
                             r'"ball\.0", "ball\.1", "ball\.2" and 99997 more\. At most 100 may be; ')
            done = self.call(word, "crowd.json", "--set", "$n=4", status=None)
            self.assertIn('warning: 4 bodies of the same shape are in the same place: "ball.0", "ball.1", "ball.2" and 1 more', done.stderr)

    def test_threads(self):
        """More than the machine runs are not started, and that is said; absurd numbers are refused."""
        (self.folder / "bad.json").write_text(SCENE)
        done = self.call("run", "bad.json", "--threads", "40000", status=2)
        self.assertRegex(done.stderr, r"^--threads 40000: run\.threads: found 40000, must be 1 or more and at most 1024")
        done = self.call("run", "bad.json", "--threads", "1000", "--until", "0.1", status=None)
        self.assertIn("warning: 1000 threads were asked for, ", done.stderr)
        self.assertIn(done.returncode, (0, 1))

    def test_files_that_include_each_other(self):
        (self.folder / "bad.json").write_text('{"stiction": 1,\n "include": ["a.json"]}')
        (self.folder / "a.json").write_text('{"stiction": 1,\n\n "include": ["b.json"]}')
        (self.folder / "b.json").write_text('{"stiction": 1, "include": ["./bad.json"]}')
        done = self.call("run", "bad.json", status=2)
        self.assertRegex(done.stderr, r'^b\.json:1:\d+: include\.0: "\./bad\.json" includes itself, directly or through others')
        (self.folder / "b.json").write_text('{"stiction": 1,\n "gravity": [0, 0, "up"]}')
        self.assertRegex(self.call("run", "bad.json", status=2).stderr, r"^b\.json:2:\d+: gravity\.2: found the text")

    def test_options_against_the_scene(self):
        (self.folder / "bad.json").write_text(SCENE)
        for words, place, message in (
                (("--set", "bodies.box.mass=3"), "--set bodies.box.mass=3: bodies.box.mass: ", "found both density and mass"),
                (("--set", "bodies.box.density=NaN"), "--set bodies.box.density=NaN: bodies.box.density: ", "must be a number"),
                (("--set", "bodies.bax.density=3"), "--set bodies.bax.density=3: bodies.bax.density: ", 'did you mean "box"?'),
                (("--step", "1e300"), "--step 1e300: run.step: ", "must be at most 1e+45"),
                (("--until", "1e20"), "--until 1e20: run.until: ", "can be counted"),
                (("--method", "rk4"), "--method rk4: run.method: ", "can touch"),
                (("--tolerance", "-1"), "--tolerance -1: run.tolerance: ", "must be 1e-13 or more"),
                (("--threads", "1e10"), "--threads 1e10: run.threads: ", "at most 1024")):
            with self.subTest(words):
                done = self.call("run", "bad.json", *words, status=2)
                self.assertTrue(done.stderr.startswith(place), done.stderr)
                self.assertIn(message, done.stderr)
                self.assertFalse((self.folder / "out").exists())


if __name__ == "__main__":
    unittest.main(verbosity=2)

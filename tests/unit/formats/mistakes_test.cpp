// Bad scenes: each mistake by line, column, path and words.
#include "support.h"

namespace stiction {
namespace {

using test::mistakes_in;
using test::Texts;

constexpr const char* body_keys =
    "shape, density, mass, inertia, at, orientation, surface, static, kinematic, motion, particle, collides, "
    "group "
    "or repeat";

/// A scene around one body "b" given by its inside.
Texts in_body(const std::string& inside) {
  return mistakes_in("{\"stiction\": 1, \"bodies\": {\"b\":\n{" + inside + "}}}");
}
Texts in_scene(const std::string& inside) { return mistakes_in("{\"stiction\": 1,\n" + inside + "}"); }

TEST(Mistakes, TheWholeFile) {
  EXPECT_EQ(mistakes_in("[1]"), (Texts{"1:1: found a list of 1 entry, a scene file is a map {...}"}));
  EXPECT_EQ(mistakes_in("{}"), (Texts{"1:1: the key `stiction` is missing: Version of the format: 1."}));
  EXPECT_EQ(mistakes_in("{\"stiction\": 2}"), (Texts{"1:14: stiction: found 2, must be 1"}));
  EXPECT_EQ(
      in_scene("\"gravty\": [0,0,-9.81]"),
      (Texts{"2:1: gravty: unknown key \"gravty\", allowed: stiction, title, include, gravity, surfaces, "
             "surface_pairs, bodies, joints, forces, sensors, initial, run or record; did you mean "
             "\"gravity\"?"}));
  EXPECT_EQ(in_scene("\"include\": [\"x.json\"]"),
            (Texts{"2:12: include: this scene is not in a file, so it cannot include files"}));
}

TEST(Mistakes, TypesAndRanges) {
  EXPECT_EQ(in_scene("\"gravity\": [0,0]"),
            (Texts{"2:12: gravity: found a list of 2 entries, must be a list of three numbers [m/s^2]"}));
  EXPECT_EQ(in_scene("\"gravity\": [0,\"x\",0]"),
            (Texts{"2:15: gravity.1: found the text \"x\", must be a number [m/s^2]"}));
  EXPECT_EQ(in_scene("\"title\": 3"), (Texts{"2:10: title: found 3, must be a text"}));
  EXPECT_EQ(in_scene("\"bodies\": []"),
            (Texts{"2:11: bodies: found a list of 0 entries, must be a map from names to entries {...}"}));
  EXPECT_EQ(in_scene("\"run\": {\"threads\": 1.5, \"until\": null}"),
            (Texts{"2:20: run.threads: found 1.5, must be a whole number up to 1e9",
                   "2:34: run.until: found null, must be a number [s]"}));
  EXPECT_EQ(in_scene("\"run\": {\"tolerance\": 0.5, \"step\": 0}"),
            (Texts{"2:22: run.tolerance: found 0.5, must be 1e-13 or more and at most 0.01",
                   "2:35: run.step: found 0, must be above 0 s"}));
  EXPECT_EQ(in_body("\"static\": 1"), (Texts{"2:12: bodies.b.static: found 1, must be true or false"}));
  EXPECT_EQ(in_body("\"static\": true, \"shape\": {\"box\": [1, 0, 1]}"),
            (Texts{"2:39: bodies.b.shape.box.1: found 0, must be above 0 m"}));
  EXPECT_EQ(in_body("\"static\": true, \"shape\": {\"sphere\": \"1\"}"),
            (Texts{"2:38: bodies.b.shape.sphere: found the text \"1\", must be a number [m]"}));
  EXPECT_EQ(in_body("\"static\": true, \"shape\": {}"),
            (Texts{"2:27: bodies.b.shape: found no kind, must be exactly one of sphere, box, capsule, "
                   "half_space, rounded_box, cylinder, cone, ellipsoid, superellipsoid, hull, intersection, "
                   "compound, mesh or heightfield"}));
  EXPECT_EQ(in_body("\"static\": true, \"shape\": {\"sphere\": 1, \"box\": [1,1,1]}"),
            (Texts{"2:27: bodies.b.shape: found 2 kinds at once, must be exactly one of sphere, box, "
                   "capsule, half_space, rounded_box, cylinder, cone, ellipsoid, superellipsoid, hull, "
                   "intersection, compound, mesh or heightfield"}));
  EXPECT_EQ(
      in_body("\"static\": true, \"shape\": {\"capsule\": {\"radius\": 1}}"),
      (Texts{
          "2:39: bodies.b.shape.capsule: the key `length` is missing: Between the centres of the caps; the "
          "whole is 2 radius longer."}));
  EXPECT_EQ(in_body("\"static\": true, \"shape\": {\"half_space\": [0,0,0]}"),
            (Texts{"2:42: bodies.b.shape.half_space: found [0, 0, 0], a direction needs a length above 0"}));
  EXPECT_EQ(in_body("\"static\": true, \"shape\": \"ball\""),
            (Texts{"2:27: bodies.b.shape: found the text \"ball\", must be a map with the keys sphere, box, "
                   "capsule, half_space, rounded_box, cylinder, cone, ellipsoid, superellipsoid, hull, "
                   "intersection, compound, mesh or heightfield"}));
  EXPECT_EQ(in_scene("\"bodies\": {\"b\": 3}"),
            (Texts{std::string("2:17: bodies.b: found 3, must be a map with the keys ") + body_keys}));
  EXPECT_EQ(in_scene("\"surface_pairs\": [{\"between\": [\"a\"], \"friction\": -1}]"),
            (Texts{"2:31: surface_pairs.0.between: found a list of 1 entry, must be a list of two texts",
                   "2:50: surface_pairs.0.friction: found -1, must be 0 or more"}));
}

TEST(Mistakes, Orientations) {
  EXPECT_EQ(
      in_body("\"static\": true, \"orientation\": [1, 0, 0]"),
      (Texts{"2:33: bodies.b.orientation: found a list of 3 entries, must be a quaternion [w, x, y, z] or "
             "{\"axis\": [x, y, z], \"degrees\": angle}"}));
  EXPECT_EQ(
      in_body("\"static\": true, \"orientation\": [1, 1, 0, 0]"),
      (Texts{"2:33: bodies.b.orientation: found [1, 1, 0, 0] of length 1.4142135623730951, must be a unit "
             "quaternion [w, x, y, z] (length 1 within 1e-6)"}));
  EXPECT_EQ(in_body("\"static\": true, \"orientation\": {\"axis\": [1, 0, 0]}"),
            (Texts{"2:33: bodies.b.orientation: gives no angle: `degrees` or `radians`"}));
  EXPECT_EQ(
      in_body("\"static\": true, \"orientation\": {\"axis\": [1, 0, 0], \"degrees\": 1, \"radians\": 2}"),
      (Texts{"2:33: bodies.b.orientation: found both `degrees` and `radians`, give one of them"}));
}

TEST(Mistakes, UnknownKeysComeWithTheNearest) {
  EXPECT_EQ(in_body("\"densty\": 500, \"shape\": {\"sphere\": 1}"),
            (Texts{std::string("2:2: bodies.b.densty: unknown key \"densty\", allowed: ") + body_keys +
                   "; did you mean \"density\"?"}));
  EXPECT_EQ(in_body("\"mass\": 500, \"shape\": {\"shere\": 1}"),
            (Texts{"2:25: bodies.b.shape.shere: unknown key \"shere\", allowed: sphere, box, capsule, "
                   "half_space, rounded_box, cylinder, cone, ellipsoid, superellipsoid, hull, intersection, "
                   "compound, mesh or heightfield; did you mean \"sphere\"?"}));
  // a key that resembles nothing does not hide what else is wrong with the body
  EXPECT_EQ(in_body("\"colour\": 5, \"shape\": {\"sphere\": 1}"),
            (Texts{"2:1: bodies.b: a body that moves freely needs `density` or `mass`",
                   std::string("2:2: bodies.b.colour: unknown key \"colour\", allowed: ") + body_keys}));
  // a key in the wrong map
  EXPECT_EQ(in_body("\"static\": true, \"velocity\": [1, 0, 0]"),
            (Texts{std::string("2:18: bodies.b.velocity: unknown key \"velocity\", allowed: ") + body_keys +
                   "; \"velocity\" is a key of initial.NAME"}));
  EXPECT_EQ(in_scene("\"run\": {\"solver\": \"newtn\"}"),
            (Texts{"2:19: run.solver: unknown word \"newtn\", allowed: auto, newton or nsgs; did you mean "
                   "\"newton\"?"}));
}

TEST(Mistakes, SemanticsAtTheValueThatCausesThem) {
  EXPECT_EQ(
      mistakes_in(R"({"stiction": 1, "surfaces": {"steel": {}},
 "bodies": {
  "floor": {"static": true, "shape": {"half_space": [0,0,1]}, "surface": "stel"},
  "slab": {"shape": {"half_space": [0,0,1]}, "mass": 1},
  "both": {"shape": {"sphere": 1}, "density": 1, "mass": 2},
  "rod": {"shape": {"sphere": 1}, "mass": 2},
  "arm": {"motion": {"time": [0, 0], "position": [[0,0,0],[1,0,0]]}},
  "late": {"at": [0,0,0], "motion": {"time": [0, 1], "position": [[0,0,0],[1,0,0]]}},
  "odd": {"static": true, "motion": {"time": [0], "position": [[0,0,0]]}},
  "lost": {"kinematic": true}
 },
 "joints": {"p": {"planar": {"body": "rod", "normal": [0,0,1]}}},
 "forces": {"s": {"spring": {"b": "rodd", "stiffness": 3}}},
 "initial": {"rod": {"velocity": [0,0,3], "spin": [1,0,0]}, "floor": {"velocity": [1,0,0]}}
})"),
      (Texts{
          "3:74: bodies.floor.surface: there is no surface \"stel\"; did you mean \"steel\"?",
          "4:21: bodies.slab.shape: a half_space has no mass: make the body static or kinematic",
          "5:58: bodies.both.mass: found both density and mass, give one of them",
          "7:34: bodies.arm.motion.time.1: found 0 after 0, times must increase from row to row",
          "8:18: bodies.late.at: found both `at` and `motion.position`, leave `at` out",
          "9:37: bodies.odd: found a body that is both static and kinematic, keep one",
          "10:11: bodies.lost.motion: a kinematic body needs a motion table of `time` and `position`",
          "13:35: forces.s.spring.b: there is no body \"rodd\"; did you mean \"rod\"?",
          "14:34: initial.rod.velocity: found [0, 0, 3], which leaves the plane of the joint \"p\" with "
          "normal [0, 0, 1]",
          "14:51: initial.rod.spin: found [1, 0, 0], must be along the normal [0, 0, 1] of the joint \"p\"",
          "14:83: initial.floor.velocity: found [1, 0, 0], but a static body does not move"}));
}

TEST(Mistakes, InForces) {
  EXPECT_EQ(
      mistakes_in(R"({"stiction": 1,
 "bodies": {"ball": {"shape": {"sphere": 1}, "mass": 2}, "rod": {"shape": {"sphere": 1}, "mass": 2}},
 "forces": {
  "a": {"gravitaton": {"constant": 1}},
  "b": {"gravitation": {"constnt": 1}},
  "c": {"gravitation": {"bodies": ["bal"]}},
  "d": {"lennard_jones": {"depth": 1, "diameter": 0, "cutof": 3}},
  "e": {"torsion": {"b": "ball", "stifness": 2}},
  "f": {"magnus": {"body": "ball"}},
  "g": {"drag": {"coefficient": -1, "exponent": "two"}},
  "h": {"gravitation": {"constant": 1, "bodies": ["bal", "ball.*"]}}
 },
 "run": {"method": "rk5"}
})"),
      (Texts{
          "4:9: forces.a.gravitaton: unknown key \"gravitaton\", allowed: spring, torsion, drag, magnus, "
          "gravitation, lennard_jones, wrench or repeat; did you mean \"gravitation\"?",
          "5:25: forces.b.gravitation.constnt: unknown key \"constnt\", allowed: constant or bodies; did "
          "you mean \"constant\"?",
          "6:24: forces.c.gravitation: the key `constant` is missing: G; in nature 6.674e-11.",
          "7:51: forces.d.lennard_jones.diameter: found 0, must be above 0 m",
          "7:54: forces.d.lennard_jones.cutof: unknown key \"cutof\", allowed: depth, diameter, cutoff or "
          "bodies; did you mean \"cutoff\"?",
          "8:34: forces.e.torsion.stifness: unknown key \"stifness\", allowed: a, b, axis, stiffness, "
          "damping or rest_angle; did you mean \"stiffness\"?",
          "9:19: forces.f.magnus: the key `coefficient` is missing: kappa, of either sign; half the density "
          "of the air times the cross section times a length.",
          "10:33: forces.g.drag.coefficient: found -1, must be 0 N (s/m)^gamma or more",
          "10:49: forces.g.drag.exponent: found the text \"two\", must be a number",
          "11:51: forces.h.gravitation.bodies.0: there is no body \"bal\"; did you mean \"ball\"?",
          "11:58: forces.h.gravitation.bodies.1: no body is meant by \"ball.*\"",
          "13:20: run.method: unknown word \"rk5\", allowed: coulomb, explicit_euler, semi_implicit_euler, "
          "implicit_euler, velocity_verlet, rk4, variational, spook, cline_pai, rk4_projected, "
          "stewart_trinkle, anitescu_potra, ... (15 in all); did you mean \"rk4\"?"}));
  EXPECT_EQ(mistakes_in(R"({"stiction": 1,
 "bodies": {"ball": {"shape": {"sphere": 1}, "mass": 2}, "rod": {"shape": {"sphere": 1}, "mass": 2}},
 "run": {"method": "rk4"}
})"),
            (Texts{"3:20: run.method: found \"rk4\", which is for smooth motion, but the bodies \"ball\" and "
                   "\"rod\" can touch: use \"coulomb\", or give bodies that never touch \"collides\": false, "
                   "or one \"group\""}));
}

TEST(Mistakes, NamesThatLeadNowhere) {
  EXPECT_EQ(
      mistakes_in(R"({"stiction": 1,
 "bodies": {"ball": {"repeat": {"count": 2}, "mass": 1, "particle": true}},
 "initial": {"bal.1": {}, "boll.*": {}},
 "record": {"plot": ["ball.0.position", "ball.0.posiion", "ball.2.velocity", "ball.1.energy.x", "ball.1.spin.w", "ball", 3]}
})"),
      (Texts{
          "3:14: initial.bal.1: there is no body or joint \"bal.1\"; did you mean \"ball.1\"?",
          "3:27: initial.boll.*: there is no body or joint whose name starts with \"boll.\"; did you mean "
          "\"ball.0\"?",
          "4:41: record.plot.1: found \"ball.0.posiion\", must be BODY.QUANTITY, BODY.QUANTITY.x or "
          "JOINT.QUANTITY with a quantity of position, velocity, spin, orientation, force or torque; did you "
          "mean \"position\"?",
          "4:59: record.plot.2: there is no body \"ball.2\"; did you mean \"ball.0\"?",
          "4:78: record.plot.3: found \"ball.1.energy.x\", must be BODY.QUANTITY, BODY.QUANTITY.x or "
          "JOINT.QUANTITY with a quantity of position, velocity, spin, orientation, force or torque",
          "4:97: record.plot.4: \"spin\" has no component \"w\"",
          "4:114: record.plot.5: found \"ball\", must be BODY.QUANTITY, BODY.QUANTITY.x or JOINT.QUANTITY "
          "with a quantity of position, velocity, spin, orientation, force or torque",
          "4:122: record.plot.6: found 3, must be a text"}));
}

TEST(Mistakes, CurvesOfJoints) {
  const std::string scene = R"({"stiction": 1,
 "bodies": {"one": {"mass": 1, "shape": {"sphere": 1}}, "two": {"mass": 1, "shape": {"sphere": 1}, "at": [9, 0, 0]}},
 "joints": {"a": {"revolute": {"body": "one"}}, "b": {"constraint": {"kind": "hinge", "body": "two"}},
  "gear": {"gear": {"first": "a", "second": "b", "ratio": 2}}},
 "record": {"plot": [)";
  EXPECT_EQ(mistakes_in(scene + R"("a.position", "a.force", "a.torque.magnitude", "b.force.x", "gear.torque",
  "gear.second.torque.z"]}})"),
            Texts{});
  EXPECT_EQ(
      mistakes_in(scene + R"("a.spin", "b.position", "b.force.w", "one.force", "a.second.force"]}})"),
      (Texts{"5:22: record.plot.0: a joint has no \"spin\", must be position, velocity, force or torque",
             "5:32: record.plot.1: a joint without coordinates has no \"position\", must be force or "
             "torque",
             "5:46: record.plot.2: \"force\" has no component \"w\", must be x, y, z or magnitude",
             "5:59: record.plot.3: a body has no \"force\", a joint has",
             "5:72: record.plot.4: there is no body or joint \"a.second\""}));
}

TEST(Mistakes, ConstantsAndExpressions) {
  EXPECT_EQ(
      mistakes_in(R"({"stiction": 1, "$r": 1, "$list": [1],
 "$a": "=$b", "$b": "=$a", "$i": 3, "$1x": 4, "$unused": "=1/0",
 "gravity": ["$rr", "=2*$list", "=2*(3"],
 "run": {"until": "= 1 +* 2", "step": "$not a name", "tolerance": "=$k"}
})"),
      (Texts{
          "2:23: $b: the constant \"$a\" is defined by itself",
          "2:28: $i: \"$i\" is the index of a repeat, take another name",
          "2:37: $1x: found the constant \"$1x\", names are $ and then letters, digits and _",
          "2:61: $unused: division by zero",
          "3:14: gravity.0: there is no constant \"$rr\"; did you mean \"$r\"?",
          "3:25: gravity.1: the constant \"$list\" is a list of 1 entry, arithmetic needs a number",
          "3:39: gravity.2: found the end of the expression, expected ')'",
          "4:25: run.until: found '*', expected a number, a $constant, a function or '('",
          "4:39: run.step: found \"$not a name\", a constant is $ and letters, digits, _; arithmetic starts "
          "with =",
          "4:69: run.tolerance: \"$k\" is an index, it exists only in an entry with that many counts in "
          "`repeat`"}));
}

TEST(Mistakes, Repeat) {
  const std::string rest = ", \"mass\": 1, \"particle\": true";
  EXPECT_EQ(in_body("\"repeat\": 3" + rest),
            (Texts{"2:12: bodies.b.repeat: found 3, must be a map with the keys count, offset"}));
  EXPECT_EQ(in_body("\"repeat\": {}" + rest),
            (Texts{"2:12: bodies.b.repeat: the key `count` is missing: how many to make"}));
  EXPECT_EQ(
      in_body("\"repeat\": {\"count\": 2, \"offst\": [1,0,0]}" + rest),
      (Texts{"2:25: bodies.b.repeat.offst: unknown key \"offst\", allowed: count or offset; did you mean "
             "\"offset\"?"}));
  EXPECT_EQ(in_body("\"repeat\": {\"count\": -1}" + rest),
            (Texts{"2:22: bodies.b.repeat.count: found -1, must be a whole number from 0 to 100000"}));
  EXPECT_EQ(in_body("\"repeat\": {\"count\": [2, 2.5]}" + rest),
            (Texts{"2:26: bodies.b.repeat.count: found 2.5, must be a whole number from 0 to 100000"}));
  EXPECT_EQ(
      in_body("\"repeat\": {\"count\": [1,1,1,1]}" + rest),
      (Texts{"2:22: bodies.b.repeat.count: found a list of 4 entries, must be a number or one to three of "
             "them"}));
  EXPECT_EQ(in_body("\"repeat\": {\"count\": [2,2], \"offset\": [1,0,0]}" + rest),
            (Texts{"2:39: bodies.b.repeat.offset: found a list of 3 entries, must be a list of 2 vectors [x, "
                   "y, z], one "
                   "for each count [m]"}));
  EXPECT_EQ(in_body("\"repeat\": {\"count\": [1000, 1000]}" + rest),
            (Texts{"2:12: bodies.b.repeat: the scene's repeats make more than 100000 entries"}));
  // one mistake in a repeated entry is one mistake
  EXPECT_EQ(in_body("\"repeat\": {\"count\": 100}, \"shape\": {\"sphere\": -1}, \"mass\": 1"),
            (Texts{"2:48: bodies.b.0.shape.sphere: found -1, must be above 0 m"}));
  EXPECT_EQ(in_scene("\"bodies\": {\"a\": {\"repeat\": {\"count\": 2}" + rest +
                     "},\n \"a.1\": {\"mass\": 1, " + "\"particle\": true}}"),
            (Texts{"3:2: bodies.a.1: the name \"a.1\" is used twice, first at line 2"}));
  EXPECT_EQ(
      in_scene("\"bodies\": {\"b\": {\"mass\": 1, \"particle\": true}},\n\"forces\": {\"f\": {\"repeat\": "
               "{\"count\": "
               "1, \"offset\": [0,0,1]}, \"drag\": {}}}"),
      (Texts{"3:51: forces.f.repeat.offset: there is nothing to shift here: only bodies and sensors have a "
             "place"}));
}

TEST(Mistakes, DuplicateKeysAndBombs) {
  EXPECT_EQ(in_scene("\"bodies\": {\"a\": {\"static\": true},\n\"a\": {\"static\": true}}"),
            (Texts{"3:1: bodies.a: the key \"a\" was already given at line 2; keep one of them"}));
  std::string bomb = "\"$x0\": [1,1,1,1,1,1,1,1,1,1]";
  for (int i = 1; i < 12; ++i) {
    const std::string last = "\"$x" + std::to_string(i - 1) + "\"";
    bomb += ",\"$x" + std::to_string(i) + "\": [" + last;
    for (int k = 0; k < 9; ++k) bomb += "," + last;
    bomb += "]";
  }
  EXPECT_EQ(in_scene(bomb), (Texts{"1:1: the expanded scene has more than 3000000 values"}));
}

TEST(Mistakes, Overrides) {
  const char* scene = R"({"stiction": 1, "$r": 1, "gravity": [0,0,-9.81], "surfaces": {"steel": {}},
    "bodies": {"cart": {"mass": "$r", "particle": true}}})";
  EXPECT_EQ(mistakes_in(scene, {{"$q", "1"}}),
            (Texts{"--set $q=1: $q: there is no constant \"$q\" in the scene; did you mean \"$r\"?"}));
  EXPECT_EQ(mistakes_in(scene, {{"run.stp", "1"}}),
            (Texts{"--set run.stp=1: run.stp: unknown key \"stp\" in \"run\", allowed: until, step, "
                   "tolerance, threads, "
                   "solver, method, stabilisation, baumgarte, directions, nonlinear, activation, theta or "
                   "sleep; did you "
                   "mean \"step\"?"}));
  EXPECT_EQ(
      mistakes_in(scene, {{"bodies.crt.mass", "1"}}),
      (Texts{"--set bodies.crt.mass=1: bodies.crt.mass: there is no \"crt\" in \"bodies\"; did you mean "
             "\"cart\"?"}));
  EXPECT_EQ(
      mistakes_in(scene, {{"bodies.cart.mas", "1"}}),
      (Texts{std::string("--set bodies.cart.mas=1: bodies.cart.mas: unknown key \"mas\" in \"bodies.cart\", "
                         "allowed: ") +
             body_keys + "; did you mean \"mass\"?"}));
  EXPECT_EQ(
      mistakes_in(scene, {{"gravity.3", "1"}}),
      (Texts{
          "--set gravity.3=1: gravity.3: \"3\" is not the index of an entry, the list \"gravity\" has 3"}));
  EXPECT_EQ(mistakes_in(scene, {{"", "1"}}).size(), 1u);
  EXPECT_EQ(mistakes_in(scene, {{"$r", "-1"}}),
            (Texts{"2:33: bodies.cart.mass: found -1, must be above 0 kg"}));
  EXPECT_EQ(mistakes_in(scene, {{"bodies.cart.mass", "heavy"}}),
            (Texts{"--set bodies.cart.mass=heavy: bodies.cart.mass: found the text \"heavy\", must be a "
                   "number [kg]"}));
  EXPECT_EQ(mistakes_in(scene, {{"gravity.0.1", "1"}}),
            (Texts{"--set gravity.0.1=1: gravity.0.1: \"gravity.0\" has no part \"1\""}));
}

}  // namespace
}  // namespace stiction

// Reading good scenes: every key arrives where it belongs, expansion does what the documentation says.
#include "stiction/formats/scene_file.h"

#include <cmath>

#include "support.h"

namespace stiction {
namespace {

using test::body;
using test::good;

constexpr const char* example = R"(
{ "stiction": 1, "gravity": [0,0,-9.81], "$r": 0.05,
  "surfaces": { "steel": { "friction": 0.4 } },
  "bodies": {
    "floor": { "static": true, "shape": {"half_space": [0,0,1]}, "surface": "steel" },
    "cart":  { "shape": {"box": [0.4,0.2,0.1]}, "density": 500, "at": [0,0,0.05] },
    "ball":  { "repeat": {"count": 5, "offset": ["=2.02*$r",0,0]},   // ball.0 … ball.4
               "shape": {"sphere": "$r"}, "density": 7800, "at": [1,0,"$r"] } },
  "initial": { "ball.0": {"velocity": [2,0,0]} },
  "run":    { "until": 5, "step": 0.01, "tolerance": 1e-8 },
  "record": { "every": 0.02, "plot": ["cart.position", "ball.0.velocity"] } })";

TEST(SceneFile, TheExampleOfTheDocumentation) {
  const SceneFile f = good(example);
  EXPECT_EQ(f.path, "t");
  EXPECT_EQ(f.scene.gravity, (Vec3{0, 0, -9.81}));
  ASSERT_EQ(f.scene.bodies.size(), 7u);
  EXPECT_EQ(f.scene.bodies[0].name, "floor");
  EXPECT_EQ(f.scene.bodies[6].name, "ball.4");
  EXPECT_EQ(body(f, "floor").kind, fixed);
  EXPECT_EQ(body(f, "floor").surface, "steel");
  EXPECT_EQ(std::get<HalfSpace>(body(f, "floor").shape).normal, (Vec3{0, 0, 1}));
  EXPECT_EQ(std::get<Box>(body(f, "cart").shape).size, (Vec3{0.4, 0.2, 0.1}));
  EXPECT_EQ(body(f, "cart").density, 500);
  for (int i = 0; i < 5; ++i) {
    const BodyDescription& b = body(f, "ball." + std::to_string(i));
    EXPECT_EQ(std::get<Sphere>(b.shape).radius, 0.05);
    EXPECT_EQ(b.position, (Vec3{1 + i * (2.02 * 0.05), 0, 0.05}));
    EXPECT_EQ(b.velocity, (Vec3{i == 0 ? 2.0 : 0.0, 0, 0}));
    EXPECT_EQ(b.kind, dynamic);
  }
  EXPECT_EQ(f.run.until, 5);
  EXPECT_EQ(f.run.tolerance, 1e-8);
  EXPECT_EQ(f.record.every, 0.02);
  EXPECT_EQ(f.record.plot, (std::vector<std::string>{"cart.position", "ball.0.velocity"}));
}

TEST(SceneFile, ConstantsThatAreNumbersAreNamed) {
  const auto text = R"({ "stiction": 1, "$b": 2, "$name": "a", "$twice": "=2*$b", "$a": 0.5, "$list": [1, 2],
    "bodies": { "a": { "shape": {"sphere": "$a"}, "mass": "$twice" } } })";
  using Constants = std::vector<std::pair<std::string, double>>;
  EXPECT_EQ(good(text).constants, (Constants{{"$b", 2}, {"$a", 0.5}}));
  const SceneFile replaced = read_scene_text(text, "t", {{"$a", "0.25"}, {"$twice", "7"}}).or_exit();
  EXPECT_EQ(replaced.constants, (Constants{{"$b", 2}, {"$twice", 7}, {"$a", 0.25}}));
  EXPECT_EQ(body(replaced, "a").mass, 7);
}

TEST(SceneFile, ExpandedTextIsTheSameScene) {
  const SceneFile f = good(example);
  EXPECT_EQ(f.text.find('$'), std::string::npos);
  EXPECT_EQ(f.text.find("repeat"), std::string::npos);
  const SceneFile again = good(f.text);
  EXPECT_EQ(again.text, f.text);
  ASSERT_EQ(again.scene.bodies.size(), f.scene.bodies.size());
  for (std::size_t i = 0; i < f.scene.bodies.size(); ++i) {
    EXPECT_EQ(again.scene.bodies[i].value.position, f.scene.bodies[i].value.position);  // to the bit
    EXPECT_EQ(again.scene.bodies[i].value.velocity, f.scene.bodies[i].value.velocity);
  }
}

TEST(SceneFile, EveryKeyArrives) {
  const SceneFile f = good(R"({
    "stiction": 1, "title": "all {of} = it",
    "surfaces": {"a": {"friction": 0.2, "kinetic_friction": 0.1, "stribeck_speed": 0.3, "viscous_friction": 0.4,
                       "grain": [0, 1, 0], "friction_along": 0.15, "spin_length": 0.5, "rolling_length": 0.6,
                       "surface_velocity": [1, 2, 3], "stiffness": 7, "damping_time": 8},
                 "b": {}, "c": {"poisson": 0.2, "restitution": 0.8, "impact_law": "superball",
                                "tangential_restitution": -0.5}},
    "surface_pairs": [{"between": ["a", "b"], "friction": 0.7, "kinetic_friction": 0.6, "stribeck_speed": 1,
                       "viscous_friction": 2, "friction_along": 0.25, "spin_length": 3, "rolling_length": 4,
                       "stiffness": 5, "damping_time": 6, "restitution": 0, "impact_law": "poisson"}],
    "bodies": {
      "wall": {"static": true, "shape": {"half_space": {"normal": [1, 0, 0], "offset": -2}}},
      "rod": {"shape": {"capsule": {"radius": 0.1, "length": 1}}, "mass": 3, "inertia": [1, 1, 0.5],
              "orientation": {"axis": [0, 2, 0], "degrees": 90}, "surface": "b"},
      "dust": {"particle": true, "mass": 0.1, "collides": false, "at": [5, 0, 0]},
      "arm": {"kinematic": true, "shape": {"sphere": 1}, "at": [0, 0, 4], "orientation": [0, 1, 0, 0],
              "motion": {"time": [0, 2], "orientation": [[1, 0, 0, 0], {"axis": [0, 0, 1], "radians": 1}]}},
      "lift": {"shape": {"box": [1, 1, 1]}, "motion": {"time": [0], "position": [[1, 2, 3]]}}
    },
    "joints": {"p": {"planar": {"body": "rod", "normal": [0, 3, 0]}}},
    "forces": {
      "s": {"spring": {"a": "dust", "b": "rod", "point_b": [0, 0, 0.5], "stiffness": 10, "damping": 1, "rest_length": 2}},
      "d": {"drag": {"body": "rod", "linear": 1, "quadratic": 2, "angular": 3}},
      "w": {"wrench": {"body": "rod", "time": [0, 1], "force": [[1, 0, 0], [0, 0, 1]], "body_frame": true, "point": [0, 0, 1]}},
      "c": {"wrench": {"body": "rod", "torque": [0, 1, 0]}}
    },
    "sensors": {"gate": {"shape": {"box": [1, 1, 1]}, "at": [1, 0, 0], "orientation": [0, 0, 1, 0]}},
    "initial": {"rod": {"velocity": [1, 0, 0], "spin": [0, 2, 0], "position": [0, 0, 7]},
                "dust": {"orientation": [0, 0, 0, 1]}},
    "run": {"until": 2, "step": 0.005, "tolerance": 1e-6, "threads": 2, "solver": "nsgs", "method": "coulomb"},
    "record": {"every": 0, "plot": ["rod.orientation.w", "rod.spin", "arm.position.z"]}
  })");
  EXPECT_EQ(f.scene.title, "all {of} = it");
  EXPECT_EQ(f.scene.gravity, (Vec3{0, 0, 0}));
  EXPECT_EQ(f.scene.surfaces[1].value.friction, 0.5);
  EXPECT_EQ(f.scene.surface_pairs[0].a, "a");
  EXPECT_EQ(f.scene.surface_pairs[0].friction, 0.7);
  const SurfaceDescription& a = f.scene.surfaces[0].value;
  EXPECT_EQ(a.kinetic_friction, 0.1);
  EXPECT_EQ(a.stribeck_speed, 0.3);
  EXPECT_EQ(a.viscous_friction, 0.4);
  EXPECT_EQ(a.grain, (Vec3{0, 1, 0}));
  EXPECT_EQ(a.friction_along, 0.15);
  EXPECT_EQ(a.spin_length, 0.5);
  EXPECT_EQ(a.rolling_length, 0.6);
  EXPECT_EQ(a.surface_velocity, (Vec3{1, 2, 3}));
  EXPECT_EQ(a.stiffness, 7);
  EXPECT_EQ(a.damping_time, 8);
  EXPECT_EQ(f.scene.surfaces[2].value.poisson, 0.2);
  EXPECT_EQ(f.scene.surfaces[2].value.restitution, 0.8);
  EXPECT_EQ(f.scene.surfaces[2].value.impact_law, ImpactLaw::superball);
  EXPECT_EQ(f.scene.surfaces[2].value.tangential_restitution, -0.5);
  const SurfacePairDescription& pair = f.scene.surface_pairs[0];
  EXPECT_EQ(pair.restitution, 0);
  EXPECT_EQ(pair.impact_law, ImpactLaw::poisson);
  EXPECT_EQ(pair.kinetic_friction, 0.6);
  EXPECT_EQ(pair.stribeck_speed, 1);
  EXPECT_EQ(pair.viscous_friction, 2);
  EXPECT_EQ(pair.friction_along, 0.25);
  EXPECT_EQ(pair.spin_length, 3);
  EXPECT_EQ(pair.rolling_length, 4);
  EXPECT_EQ(pair.stiffness, 5);
  EXPECT_EQ(pair.damping_time, 6);
  EXPECT_EQ(std::get<HalfSpace>(body(f, "wall").shape).offset, -2);
  const BodyDescription& rod = body(f, "rod");
  EXPECT_EQ(std::get<Capsule>(rod.shape).length, 1);
  EXPECT_EQ(rod.mass, 3);
  EXPECT_EQ(rod.inertia, (Vec3{1, 1, 0.5}));
  EXPECT_NEAR(rod.orientation.w, std::sqrt(0.5), 2e-16);
  EXPECT_NEAR(rod.orientation.y, std::sqrt(0.5), 2e-16);
  EXPECT_EQ(rod.position, (Vec3{0, 0, 7}));
  EXPECT_EQ(rod.velocity, (Vec3{1, 0, 0}));
  EXPECT_EQ(rod.spin, (Vec3{0, 2, 0}));
  EXPECT_TRUE(body(f, "dust").particle);
  EXPECT_FALSE(body(f, "dust").collides);
  EXPECT_EQ(body(f, "dust").orientation, (Quat{0, 0, 0, 1}));
  const BodyDescription& arm = body(f, "arm");
  EXPECT_EQ(arm.kind, kinematic);
  EXPECT_EQ(arm.motion.position, (std::vector<Vec3>{{0, 0, 4}, {0, 0, 4}}));
  EXPECT_NEAR(arm.motion.orientation[1].z, std::sin(0.5), 1e-16);
  EXPECT_EQ(body(f, "lift").kind, kinematic);
  EXPECT_EQ(body(f, "lift").position, (Vec3{1, 2, 3}));
  EXPECT_EQ(std::get<PlanarJoint>(f.scene.joints[0].value).normal, (Vec3{0, 3, 0}));
  const auto& spring = std::get<SpringDamper>(f.scene.forces[0].value);
  EXPECT_EQ(spring.a, "dust");
  EXPECT_EQ(spring.point_b, (Vec3{0, 0, 0.5}));
  EXPECT_EQ(spring.stiffness + spring.damping + spring.rest_length, 13);
  const auto& drag = std::get<Drag>(f.scene.forces[1].value);
  EXPECT_EQ(drag.linear + 10 * drag.quadratic + 100 * drag.angular, 321);
  const auto& wrench = std::get<Wrench>(f.scene.forces[2].value);
  EXPECT_EQ(wrench.force, (std::vector<Vec3>{{1, 0, 0}, {0, 0, 1}}));
  EXPECT_TRUE(wrench.body_frame);
  EXPECT_EQ(wrench.point, (Vec3{0, 0, 1}));
  EXPECT_EQ(std::get<Wrench>(f.scene.forces[3].value).torque, (std::vector<Vec3>{{0, 1, 0}}));
  EXPECT_EQ(f.scene.sensors[0].value.orientation, (Quat{0, 0, 1, 0}));
  EXPECT_EQ(f.run.threads, 2);
  EXPECT_EQ(f.run.solver, SolverChoice::nsgs);
  EXPECT_EQ(good(f.text).text, f.text);
}

TEST(SceneFile, ReadsEveryForce) {
  const SceneFile f = read_scene_text(R"({
    "stiction": 1,
    "bodies": {"a": {"shape": {"sphere": 1}, "mass": 1}, "b": {"shape": {"sphere": 1}, "mass": 1}},
    "forces": {
      "t": {"torsion": {"a": "a", "b": "b", "axis": [0, 2, 0], "stiffness": 3, "damping": 4, "rest_angle": 0.5}},
      "d": {"drag": {"coefficient": 0.25, "exponent": 1.5}},
      "m": {"magnus": {"body": "a", "coefficient": -0.1}},
      "g": {"gravitation": {"constant": 2, "bodies": ["a", "b"]}},
      "l": {"lennard_jones": {"depth": 5, "diameter": 6, "cutoff": 15, "bodies": ["a"]}}
    }})",
                                      "text")
                          .or_exit();
  const auto& torsion = std::get<TorsionSpring>(f.scene.forces[0].value);
  EXPECT_EQ(torsion.a + torsion.b, "ab");
  EXPECT_EQ(torsion.axis, (Vec3{0, 2, 0}));
  EXPECT_EQ(torsion.stiffness + torsion.damping + torsion.rest_angle, 7.5);
  const auto& drag = std::get<Drag>(f.scene.forces[1].value);
  EXPECT_EQ(drag.coefficient, 0.25);
  EXPECT_EQ(drag.exponent, 1.5);
  const auto& magnus = std::get<Magnus>(f.scene.forces[2].value);
  EXPECT_EQ(magnus.body, "a");
  EXPECT_EQ(magnus.coefficient, -0.1);
  const auto& gravitation = std::get<Gravitation>(f.scene.forces[3].value);
  EXPECT_EQ(gravitation.constant, 2);
  EXPECT_EQ(gravitation.bodies, (std::vector<std::string>{"a", "b"}));
  const auto& lj = std::get<LennardJones>(f.scene.forces[4].value);
  EXPECT_EQ(lj.depth + lj.diameter + lj.cutoff, 26);
  EXPECT_EQ(lj.bodies, (std::vector<std::string>{"a"}));
}

TEST(SceneFile, ConstantsMayBeAnythingAndInAnyOrder) {
  const SceneFile f = good(R"({ "stiction": 1, "$schema": "x.json",
    "$area": "=$a*$b", "$a": 2, "$b": "=$a+1", "$size": ["$a", "$b", 1], "$shape": {"box": "$size"},
    "$on": true, "$name": "steel", "surfaces": {"steel": {"friction": "=$area/10"}},
    "bodies": {"x": {"static": "$on", "shape": "$shape", "surface": "$name"}} })");
  EXPECT_EQ(f.scene.surfaces[0].value.friction, 0.6);
  EXPECT_EQ(std::get<Box>(body(f, "x").shape).size, (Vec3{2, 3, 1}));
  EXPECT_EQ(body(f, "x").kind, fixed);
}

TEST(SceneFile, GridsAndCountsThatDependOnOuterIndices) {
  const SceneFile f = good(R"({ "stiction": 1, "$base": 3, "bodies": {
    "brick": {"repeat": {"count": ["$base", "=$base-$i"], "offset": [[0.5, 0, 1], [1, 0, 0]]},
              "shape": {"sphere": "=0.1 + $i + 10*$j"}, "mass": 1, "at": [-1, 0, 0.5]},
    "point": {"repeat": {"count": [2, 1, 2]}, "particle": true, "mass": 1, "at": ["$i", "$j", "=2*$k"]},
    "none": {"repeat": {"count": 0}, "particle": true, "mass": 1}
  }})");
  ASSERT_EQ(f.scene.bodies.size(), 6u + 4u);
  EXPECT_EQ(body(f, "brick.0.2").position, (Vec3{1, 0, 0.5}));
  EXPECT_EQ(body(f, "brick.1.1").position, (Vec3{0.5, 0, 1.5}));
  EXPECT_EQ(body(f, "brick.2.0").position, (Vec3{0, 0, 2.5}));
  EXPECT_EQ(std::get<Sphere>(body(f, "brick.1.1").shape).radius, 11.1);
  EXPECT_EQ(body(f, "point.1.0.1").position, (Vec3{1, 0, 2}));
}

TEST(SceneFile, RepeatMovesMotionTablesSensorsAndNames) {
  const SceneFile f = good(R"({ "stiction": 1,
    "bodies": {
      "gate": {"repeat": {"count": 2, "offset": [0, 5, 0]}, "motion": {"time": [0, 1], "position": [[0, 0, 0], [1, 0, 0]]}},
      "bead": {"repeat": {"count": 3, "offset": [1, 0, 0]}, "mass": 1, "particle": true}},
    "forces": {"link": {"repeat": {"count": 2}, "spring": {"a": "bead.{$i}", "b": "bead.{$i + 1}", "stiffness": 1}}},
    "sensors": {"eye": {"repeat": {"count": 2, "offset": [0, 0, 1]}, "shape": {"sphere": 1}}} })");
  EXPECT_EQ(body(f, "gate.1").motion.position, (std::vector<Vec3>{{0, 5, 0}, {1, 5, 0}}));
  EXPECT_EQ(body(f, "bead.2").position, (Vec3{2, 0, 0}));
  EXPECT_EQ(f.scene.forces[1].name, "link.1");
  EXPECT_EQ(std::get<SpringDamper>(f.scene.forces[1].value).a, "bead.1");
  EXPECT_EQ(std::get<SpringDamper>(f.scene.forces[1].value).b, "bead.2");
  EXPECT_EQ(f.scene.sensors[1].value.position, (Vec3{0, 0, 1}));
}

TEST(SceneFile, InitialByPatternAndTheLongerNameWins) {
  const SceneFile f = good(R"({ "stiction": 1,
    "bodies": {"ball": {"repeat": {"count": [2, 2]}, "shape": {"sphere": 1}, "mass": 1}, "balloon": {"mass": 1, "particle": true}},
    "initial": {"ball.1.1": {"velocity": [9, 0, 0]}, "ball.1.*": {"velocity": [5, 0, 0]},
                "ball.*": {"velocity": ["$i", "$j", 0], "spin": [0, 0, 1]}} })");
  EXPECT_EQ(body(f, "ball.0.1").velocity, (Vec3{0, 1, 0}));
  EXPECT_EQ(body(f, "ball.1.0").velocity, (Vec3{5, 0, 0}));
  EXPECT_EQ(body(f, "ball.1.1").velocity, (Vec3{9, 0, 0}));
  EXPECT_EQ(body(f, "ball.1.1").spin, (Vec3{0, 0, 1}));
  EXPECT_EQ(body(f, "balloon").velocity, (Vec3{0, 0, 0}));
  EXPECT_EQ(good(f.text).text, f.text);
}

TEST(SceneFile, Overrides) {
  const SceneFile f = good(example, {{"$r", "0.1"},
                                     {"run.step", "=1/128"},
                                     {"run.threads", "4"},
                                     {"run.solver", "newton"},
                                     {"title", "12"},
                                     {"gravity.2", "-1.62"},
                                     {"bodies.cart.density", "700"},
                                     {"bodies.ball.repeat.count", "3"},
                                     {"bodies.ball.1.density", "=2*4"},
                                     {"bodies.ball.2.at.2", "3"},
                                     {"initial.ball.1.velocity", "[1, 2, 3]"},
                                     {"initial.ball.0.velocity.1", "8"},
                                     {"surfaces.steel", "{\"friction\": 0.9}"},
                                     {"record.plot", "[]"}});
  EXPECT_EQ(std::get<Sphere>(body(f, "ball.0").shape).radius, 0.1);
  EXPECT_EQ(f.run.step, 1.0 / 128);
  EXPECT_EQ(f.run.threads, 4);
  EXPECT_EQ(f.run.solver, SolverChoice::newton);
  EXPECT_EQ(f.scene.title, "12");
  EXPECT_EQ(f.scene.gravity.z, -1.62);
  EXPECT_EQ(body(f, "cart").density, 700);
  EXPECT_EQ(f.scene.bodies.size(), 5u);
  EXPECT_EQ(body(f, "ball.1").density, 8);
  EXPECT_EQ(body(f, "ball.0").density, 7800);
  EXPECT_EQ(body(f, "ball.2").position.z, 3);
  EXPECT_EQ(body(f, "ball.1").velocity, (Vec3{1, 2, 3}));
  EXPECT_EQ(body(f, "ball.0").velocity, (Vec3{2, 8, 0}));
  EXPECT_EQ(f.scene.surfaces[0].value.friction, 0.9);
  EXPECT_TRUE(f.record.plot.empty());
}

TEST(SceneFile, OverridesMakeSectionsThatAreNotThere) {
  const SceneFile f =
      good(R"({"stiction": 1, "bodies": {"a": {"mass": 1, "particle": true}}})",
           {{"run.until", "9"}, {"gravity", "[0, 0, -1]"}, {"initial.a.velocity", "[1, 0, 0]"}});
  EXPECT_EQ(f.run.until, 9);
  EXPECT_EQ(f.scene.gravity.z, -1);
  EXPECT_EQ(body(f, "a").velocity.x, 1);
}

}  // namespace
}  // namespace stiction

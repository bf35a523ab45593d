// Every mistake that a scene can have, asserted by path and text.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "stiction/model/run_settings.h"
#include "stiction/model/scene.h"

namespace stiction {
namespace {

const double nan = std::numeric_limits<double>::quiet_NaN();

BodyDescription ball() { return {.shape = Sphere{0.1}, .density = 1000}; }

/// One good scene that each test spoils in one way.
Scene good() {
  Scene s{.gravity = {0, 0, -9.81}};
  s.add_surface("steel", {.friction = 0.4});
  s.add_body("floor", {.kind = fixed, .shape = HalfSpace{{0, 0, 1}}, .surface = "steel"});
  s.add_body("ball", ball());
  s.add_body("pusher",
             {.kind = kinematic, .shape = Box{{1, 1, 1}}, .motion = {{0, 1}, {{0, 0, 0}, {1, 0, 0}}}});
  s.add_body("dust", {.shape = Sphere{0.01}, .mass = 0.001, .particle = true});
  s.add_joint("plane", PlanarJoint{"ball", {0, 1, 0}});
  s.add_force("spring", SpringDamper{.a = "", .b = "ball", .point_a = {0, 0, 1}, .stiffness = 10});
  s.add_force("drag", Drag{.linear = 0.1});
  s.add_force("push", Wrench{.body = "ball", .force = {{1, 0, 0}}});
  s.add_sensor("gate", {.shape = Box{{1, 1, 1}}});
  return s;
}

BodyDescription& body(Scene& s, const std::string& name) {
  for (auto& b : s.bodies) {
    if (b.name == name) return b.value;
  }
  throw std::out_of_range(name);
}
template <class T>
T& force(Scene& s, std::size_t i) {
  return std::get<T>(s.forces[i].value);
}

std::vector<std::string> texts(const Scene& s) {
  std::vector<std::string> out;
  for (const Mistake& m : validate(s)) out.push_back(m.text());
  return out;
}
/// Exactly this one mistake.
void expect_only(const Scene& s, const std::string& expected) {
  const std::vector<std::string> found = texts(s);
  ASSERT_EQ(found.size(), 1u) << testing::PrintToString(found);
  EXPECT_EQ(found[0], expected);
}
void expect_among(const Scene& s, const std::string& expected) {
  const std::vector<std::string> found = texts(s);
  EXPECT_NE(std::find(found.begin(), found.end(), expected), found.end()) << testing::PrintToString(found);
}

TEST(Validate, GoodSceneHasNoMistakes) { EXPECT_EQ(texts(good()), std::vector<std::string>{}); }

TEST(Validate, MassAndDensity) {
  Scene s = good();
  body(s, "ball").density = -1;
  expect_only(s, "bodies.ball.density: found -1, must be above 0 kg/m^3");
  s = good();
  body(s, "ball").mass = 2;
  expect_only(s, "bodies.ball.mass: found both density and mass, give one of them");
  s = good();
  body(s, "ball").density = 0;
  expect_only(s, "bodies.ball: a body that moves freely needs `density` or `mass`");
  s = good();
  body(s, "ball").density = nan;
  expect_only(s, "bodies.ball.density: found nan, must be above 0 kg/m^3");
  s = good();
  body(s, "ball").density = 1e300;
  body(s, "ball").shape = Sphere{1e10};
  expect_only(s, "bodies.ball.density: density times volume is inf kg, must be from 1e-45 to 1e+45");
  s = good();
  body(s, "dust") = {.density = 3, .particle = true};
  expect_only(s, "bodies.dust.density: this shape has no volume, give `mass` instead");
  s = good();
  body(s, "ball") = {.mass = 3};
  expect_only(s, "bodies.ball: without a shape a body needs `inertia`, or `particle` to be true");
}

TEST(Validate, Inertia) {
  Scene s = good();
  body(s, "ball").inertia = Vec3{1, 1, 2};  // a thin plate, just allowed
  EXPECT_TRUE(validate(s).empty());
  body(s, "ball").inertia = Vec3{1, 1, 2.1};
  expect_only(
      s,
      "bodies.ball.inertia: found [1, 1, 2.1]: no body has one moment of inertia larger than the sum of "
      "the other two");
  body(s, "ball").inertia = Vec3{1, 0, 1};
  expect_only(s, "bodies.ball.inertia.1: found 0, must be above 0 kg m^2");
  s = good();
  body(s, "dust").inertia = Vec3{1, 1, 1};
  expect_only(s, "bodies.dust.inertia: a particle does not turn, leave `inertia` out");
}

TEST(Validate, Shapes) {
  Scene s = good();
  body(s, "ball").shape = Sphere{0};
  expect_among(s, "bodies.ball.shape.sphere: found 0, must be above 0 m");
  body(s, "ball").shape = Box{{1, -1, 1}};
  expect_among(s, "bodies.ball.shape.box.1: found -1, must be above 0 m");
  body(s, "ball").shape = Capsule{0.1, -1};
  expect_among(s, "bodies.ball.shape.capsule.length: found -1, must be 0 m or more");
  s = good();
  body(s, "floor").shape = HalfSpace{{0, 0, 0}};
  expect_only(s, "bodies.floor.shape.half_space.normal: found [0, 0, 0], a direction needs a length above 0");
  s = good();
  body(s, "ball") = {.shape = HalfSpace{{0, 0, 1}}, .mass = 1};
  expect_only(s, "bodies.ball.shape: a half_space has no mass: make the body static or kinematic");
  s = good();
  body(s, "dust").shape = Box{{1, 1, 1}};
  expect_only(s,
              "bodies.dust.shape: found box, a particle takes a sphere or no shape, since it does not turn");
  s = good();
  s.sensors[0].value.shape = NoShape{};
  expect_only(s, "sensors.gate.shape: a sensor needs a shape");
}

TEST(Validate, Names) {
  Scene s = good();
  s.add_body("ball", ball());
  expect_only(s, "bodies.ball: the name \"ball\" is used twice");
  s = good();
  s.add_body("", ball());
  expect_only(s, "bodies: found an empty name, every entry needs one");
  s = good();
  s.add_surface("a b", {});
  expect_only(s,
              "surfaces.a b: found the name \"a b\", names are made of letters, digits, _, - and inner dots");
  s = good();
  body(s, "ball").surface = "stel";
  expect_only(s, "bodies.ball.surface: there is no surface \"stel\"; did you mean \"steel\"?");
  s = good();
  force<Wrench>(s, 2).body = "bal";
  expect_only(s, "forces.push.wrench.body: there is no body \"bal\"; did you mean \"ball\"?");
}

TEST(Validate, Surfaces) {
  Scene s = good();
  s.surfaces[0].value.friction = -0.1;
  expect_only(s, "surfaces.steel.friction: found -0.1, must be 0 or more");
  s = good();
  s.surface_pairs = {{"steel", "steal", 0.2}, {"steel", "steel", nan}, {"steel", "steel", 0.1}};
  EXPECT_EQ(texts(s), (std::vector<std::string>{
                          "surface_pairs.0.between.1: there is no surface \"steal\"; did you mean \"steel\"?",
                          "surface_pairs.1.friction: found nan, must be 0 or more",
                          "surface_pairs.2.between: the pair \"steel\", \"steel\" is given twice"}));
}

TEST(Validate, LawsOfSurfaces) {
  Scene s = good();
  s.surfaces[0].value = {.friction = 0.2,
                         .kinetic_friction = 0.3,
                         .stribeck_speed = -1,
                         .viscous_friction = -1,
                         .grain = {1, 0, 0},
                         .spin_length = -0.1,
                         .rolling_length = nan,
                         .surface_velocity = {nan, 0, 0}};
  EXPECT_EQ(texts(s),
            (std::vector<std::string>{
                "surfaces.steel.kinetic_friction: found 0.3, must be at most friction, 0.2",
                "surfaces.steel.stribeck_speed: found -1, must be 0 m/s or more",
                "surfaces.steel.viscous_friction: found -1, must be 0 s/m or more",
                "surfaces.steel.spin_length: found -0.1, must be 0 m or more",
                "surfaces.steel.rolling_length: found nan, must be 0 m or more",
                "surfaces.steel.surface_velocity: found [nan, 0, 0], must be three finite numbers",
                "surfaces.steel.friction_along: is missing: a grain needs the coefficient along it"}));
  s.surfaces[0].value = {.friction = 0, .friction_along = 0.1};
  EXPECT_EQ(texts(s),
            (std::vector<std::string>{
                "surfaces.steel.friction: found 0, must be above 0 where friction_along is given",
                "surfaces.steel.grain: is missing: friction_along needs the direction that it is for"}));
  s = good();
  s.surface_pairs = {{"steel", "steel", 0.2, 0.4, -1, {}, 0.1, -2, -3}};
  EXPECT_EQ(texts(s),
            (std::vector<std::string>{
                "surface_pairs.0.kinetic_friction: found 0.4, must be at most friction, 0.2",
                "surface_pairs.0.stribeck_speed: found -1, must be 0 m/s or more",
                "surface_pairs.0.spin_length: found -2, must be 0 m or more",
                "surface_pairs.0.rolling_length: found -3, must be 0 m or more",
                "surface_pairs.0.friction_along: neither surface has a grain: give one of them `grain`"}));
}

TEST(Validate, Restitution) {
  Scene s = good();
  for (const double e : {-0.1, 1.5, nan}) {
    s.surfaces[0].value = {.restitution = e};
    ASSERT_EQ(texts(s).size(), 1u) << e;
    EXPECT_EQ(texts(s)[0].find("surfaces.steel.restitution: found "), 0u) << texts(s)[0];
    EXPECT_NE(texts(s)[0].find("must be 0 to 1"), std::string::npos);
  }
  s.surfaces[0].value = {.stiffness = 10, .restitution = 0.5};
  s.surface_pairs = {{.a = "steel", .b = "steel", .restitution = 0.5}};
  ASSERT_EQ(texts(s).size(), 2u);
  EXPECT_EQ(texts(s)[0].find("surfaces.steel.restitution: is for rigid surfaces"), 0u);
  EXPECT_EQ(texts(s)[1].find("surface_pairs.0.restitution: is for rigid surfaces"), 0u);
  s.surfaces[0].value = {};
  s.surface_pairs = {{.a = "steel", .b = "steel", .restitution = 2}};
  EXPECT_EQ(texts(s), (std::vector<std::string>{"surface_pairs.0.restitution: found 2, must be 0 to 1"}));
  s.surface_pairs[0].restitution = 0.5;
  for (const Method method : {Method::stewart_trinkle, Method::anitescu_potra, Method::implicit_geometry}) {
    const std::vector<Mistake> mistakes = validate(s, RunSettings{.method = method});
    ASSERT_EQ(mistakes.size(), 1u) << word_of(method);
    EXPECT_EQ(mistakes[0].path, "surface_pairs.0.restitution");
  }
  EXPECT_TRUE(validate(s, RunSettings{.method = Method::coulomb}).empty());
  EXPECT_TRUE(validate(s, RunSettings{.method = Method::moreau_jean}).empty());
  const std::vector<Mistake> sleepy = validate(s, RunSettings{.method = Method::coulomb, .sleep = true});
  ASSERT_EQ(sleepy.size(), 1u);
  EXPECT_EQ(sleepy[0].path, "run.sleep");
  s.add_joint("wheels", GearJoint{.first = "a", .second = "b"});
  const std::vector<Mistake> geared = validate(s, RunSettings{.method = Method::coulomb});
  ASSERT_EQ(geared.size(), 1u);
  EXPECT_EQ(geared[0].path, "surface_pairs.0.restitution");
}

TEST(Validate, TangentialRestitution) {
  Scene s = good();
  s.surfaces[0].value = {
      .restitution = 0.5, .impact_law = ImpactLaw::superball, .tangential_restitution = -1.5};
  EXPECT_EQ(texts(s),
            std::vector<std::string>{"surfaces.steel.tangential_restitution: found -1.5, must be -1 to 1"});
  s.surfaces[0].value = {.tangential_restitution = 0.5};
  EXPECT_EQ(texts(s), std::vector<std::string>{"surfaces.steel.tangential_restitution: is for `impact_law` "
                                               "\"superball\": give that law, or leave it out"});
  s.surfaces[0].value = {};
  s.surface_pairs = {{.a = "steel", .b = "steel", .tangential_restitution = 0.5}};
  ASSERT_EQ(texts(s).size(), 1u);
  EXPECT_EQ(texts(s)[0].find("surface_pairs.0.tangential_restitution: is for"), 0u);
  s.surface_pairs[0].impact_law = ImpactLaw::superball;
  s.surface_pairs[0].restitution = 0.5;
  EXPECT_TRUE(texts(s).empty());
}

// Without restitution the law superball would do nothing: say so.
TEST(Validate, SuperballNeedsRestitution) {
  const std::string says =
      ".impact_law: \"superball\" has no effect where `restitution` is 0: give `restitution` above 0, or "
      "another law";
  Scene s = good();
  s.surfaces[0].value = {.impact_law = ImpactLaw::superball};
  EXPECT_EQ(texts(s), std::vector<std::string>{"surfaces.steel" + says});
  s.surface_pairs = {{.a = "steel", .b = "steel", .restitution = 0.5}};  // a pair lends it
  EXPECT_TRUE(texts(s).empty());
  s.surfaces[0].value = {};
  s.surface_pairs[0] = {.a = "steel", .b = "steel", .impact_law = ImpactLaw::superball};
  EXPECT_EQ(texts(s), std::vector<std::string>{"surface_pairs.0" + says});
  s.surfaces[0].value = {.restitution = 0.5};
  EXPECT_TRUE(texts(s).empty());
}

TEST(Validate, EventDrivenRefusesWhatItCannotFly) {
  const auto text_of = [](const Scene& s) {
    const std::vector<Mistake> found = validate(s, {.method = Method::event_driven});
    return found.empty() ? std::string() : found.front().text();
  };
  Scene s;
  s.add_body("a", {.shape = Sphere{1}, .mass = 1});
  s.add_surface("hard", {.restitution = 0.5});
  EXPECT_EQ(text_of(s), "");
  s.add_joint("pin", CoordinateJoint{.body = "a"});
  EXPECT_EQ(text_of(s), "");
  std::get<CoordinateJoint>(s.joints[0].value).limits.lower = {0};
  EXPECT_EQ(text_of(s),
            "run.method: found \"event_driven\", which knows planar joints and joints with coordinates, but "
            "\"pin\" has limits, friction or a motor: use \"coulomb\"");
  s.joints.clear();
  s.add_joint("rod", ConstraintJoint{.kind = constraints::Kind::distance, .body = "a"});
  EXPECT_EQ(text_of(s),
            "run.method: found \"event_driven\", which knows planar joints and joints with coordinates, but "
            "\"rod\" is another one: use \"coulomb\"");
  s.joints.clear();
  s.surfaces[0].value = {.stiffness = 1e5};
  EXPECT_EQ(text_of(s),
            "run.method: found \"event_driven\", which knows one coefficient of friction for a pair, but the "
            "surface \"hard\" has others, a grain, resists spin or rolling, or gives way: use \"coulomb\"");
}

TEST(Validate, SurfacesThatGiveWay) {
  Scene s = good();
  s.surfaces[0].value = {.stiffness = -1, .young = -2, .poisson = 0.6, .damping_time = -3};
  EXPECT_EQ(texts(s),
            (std::vector<std::string>{"surfaces.steel.stiffness: found -1, must be 0 N/m or more",
                                      "surfaces.steel.young: found -2, must be 0 Pa or more",
                                      "surfaces.steel.poisson: found 0.6, must be above -1 and at most 0.5",
                                      "surfaces.steel.damping_time: found -3, must be 0 s or more"}));
  s.surfaces[0].value = {.stiffness = 1, .young = 2};
  EXPECT_EQ(texts(s), (std::vector<std::string>{"surfaces.steel.young: a surface has either `stiffness` or "
                                                "`young`: leave one of them out"}));
  s.surfaces[0].value = {.damping_time = 1};
  EXPECT_EQ(texts(s), (std::vector<std::string>{"surfaces.steel.damping_time: only what gives way is damped: "
                                                "give `stiffness` or `young` with it"}));
  s.surfaces[0].value = {.stiffness = 1};
  s.add_surface("gum", {.young = 1});
  EXPECT_EQ(texts(s), (std::vector<std::string>{
                          "surfaces.gum.young: the surface \"steel\" has `stiffness`: give all surfaces "
                          "that give way the one or the other"}));
  s = good();
  s.surface_pairs = {{.a = "steel", .b = "steel", .friction = 0.2, .stiffness = 0, .damping_time = -1}};
  EXPECT_EQ(texts(s),
            (std::vector<std::string>{"surface_pairs.0.stiffness: found 0, must be above 0 N/m",
                                      "surface_pairs.0.damping_time: found -1, must be 0 s or more"}));
  s.surface_pairs = {{.a = "steel", .b = "steel", .friction = 0.2, .damping_time = 1}};
  EXPECT_EQ(texts(s),
            (std::vector<std::string>{"surface_pairs.0.damping_time: only what gives way is damped: "
                                      "give `stiffness` with it"}));
  s = good();
  s.surfaces[0].value.stiffness = 1;
  const std::vector<Mistake> other = validate(s, {.method = Method::moreau_jean});
  ASSERT_EQ(other.size(), 1u);
  EXPECT_NE(other[0].message.find("gives way: use \"coulomb\""), std::string::npos) << other[0].message;
}

TEST(Validate, NumbersThatAreNotFinite) {
  Scene s = good();
  s.gravity.x = nan;
  expect_only(s, "gravity: found [nan, 0, -9.81], must be three finite numbers");
  s = good();
  body(s, "ball").position.z = std::numeric_limits<double>::infinity();
  expect_only(s, "bodies.ball.position: found [0, 0, inf], must be three finite numbers");
}

TEST(Validate, Quaternions) {
  Scene s = good();
  body(s, "ball").orientation = {1 + 5e-7, 0, 0, 0};  // typed digits: normalised later
  EXPECT_TRUE(validate(s).empty());
  body(s, "ball").orientation = {2, 0, 0, 0};
  expect_only(
      s,
      "bodies.ball.orientation: found [2, 0, 0, 0] of length 2, must be a unit quaternion [w, x, y, z] "
      "(length 1 within 1e-6)");
  body(s, "ball").orientation = {0, 0, 0, 0};
  expect_only(s, "bodies.ball.orientation: found [0, 0, 0, 0], must be a unit quaternion [w, x, y, z]");
}

TEST(Validate, BodiesThatDoNotMoveFreely) {
  Scene s = good();
  body(s, "floor").velocity = {1, 0, 0};
  expect_only(s, "bodies.floor.velocity: found [1, 0, 0], but a static body does not move");
  s = good();
  body(s, "pusher").spin = {1, 0, 0};
  expect_only(s, "bodies.pusher.spin: found [1, 0, 0], but a kinematic body moves as its motion table says");
  s = good();
  body(s, "floor").particle = true;
  expect_only(s, "bodies.floor.particle: only bodies that move freely can be particles");
  s = good();
  body(s, "dust").spin = {0, 0, 1};
  expect_only(s, "bodies.dust.spin: found [0, 0, 1], but a particle does not turn");
}

TEST(Validate, Motion) {
  Scene s = good();
  Motion& m = body(s, "pusher").motion;
  m.time = {0, 0};
  expect_only(s, "bodies.pusher.motion.time.1: found 0 after 0, times must increase from row to row");
  m.time = {0, 1, 2};
  expect_only(s, "bodies.pusher.motion.position: found 2 rows, must be as many as `time` has (3)");
  m.time = {0, 1};
  m.orientation = {{1, 0, 0, 0}};
  expect_only(s, "bodies.pusher.motion.orientation: found 1 row, must be as many as `time` has (2)");
  m.orientation = {{1, 0, 0, 0}, {0, 0, 0, 0}};
  expect_only(
      s, "bodies.pusher.motion.orientation.1: found [0, 0, 0, 0], must be a unit quaternion [w, x, y, z]");
  m = {};
  expect_only(s, "bodies.pusher.motion: a kinematic body needs a motion table of `time` and `position`");
  s = good();
  body(s, "ball").motion = {{0}, {{0, 0, 0}}};
  expect_only(s, "bodies.ball.motion: only kinematic bodies take a motion table");
}

TEST(Validate, PlanarJoints) {
  Scene s = good();
  std::get<PlanarJoint>(s.joints[0].value).normal = {0, 0, 0};
  expect_only(s, "joints.plane.planar.normal: found [0, 0, 0], a direction needs a length above 0");
  s = good();
  std::get<PlanarJoint>(s.joints[0].value).body = "floor";
  expect_only(
      s,
      "joints.plane.planar.body: the body \"floor\" is static, a planar joint takes a body that moves "
      "freely");
  s = good();
  std::get<PlanarJoint>(s.joints[0].value).body = "dust";
  expect_only(
      s, "joints.plane.planar.body: the body \"dust\" is a particle, a planar joint takes a body that turns");
  s = good();
  s.add_joint("again", PlanarJoint{"ball", {1, 0, 0}});
  expect_only(s,
              "joints.again.planar.body: the body \"ball\" already has the joint \"plane\": a body hangs on "
              "one joint, others may hang on it");
  s = good();
  body(s, "ball").velocity = {1, 0.1, 0};
  expect_only(
      s,
      "bodies.ball.velocity: found [1, 0.1, 0], which leaves the plane of the joint \"plane\" with normal "
      "[0, 1, 0]");
  s = good();
  body(s, "ball").spin = {0, 2, 0};
  EXPECT_TRUE(validate(s).empty());
  body(s, "ball").spin = {0.1, 2, 0};
  expect_only(
      s, "bodies.ball.spin: found [0.1, 2, 0], must be along the normal [0, 1, 0] of the joint \"plane\"");
}

TEST(Validate, Springs) {
  Scene s = good();
  force<SpringDamper>(s, 0).stiffness = -1;
  expect_only(s, "forces.spring.spring.stiffness: found -1, must be 0 N/m or more");
  s = good();
  force<SpringDamper>(s, 0).a = "ball";
  expect_only(
      s,
      "forces.spring.spring.b: both ends are on the body \"ball\", a spring joins two bodies or a body and "
      "the world");
  s = good();
  force<SpringDamper>(s, 0).b = "floor";
  expect_only(s, "forces.spring.spring: neither end is on a body that moves freely");
  s = good();
  force<SpringDamper>(s, 0).b = "";
  expect_only(s, "forces.spring.spring.b: no body is named here, one is needed");
  s = good();
  force<SpringDamper>(s, 0) = {.b = "dust", .point_a = {0, 0, 1}, .point_b = {1, 0, 0}};
  expect_only(s, "forces.spring.spring.point_b: found [1, 0, 0], a particle is held at its centre [0, 0, 0]");
  s = good();
  force<SpringDamper>(s, 0) = {.b = "ball", .rest_length = 2};
  expect_only(
      s,
      "forces.spring.spring.rest_length: both ends start at the same point, so that the spring of rest "
      "length 2 m has no direction: move an end, or give rest_length 0");
}

TEST(Validate, DragAndWrench) {
  Scene s = good();
  force<Drag>(s, 1).quadratic = -1;
  expect_only(s, "forces.drag.drag.quadratic: found -1, must be 0 N s^2/m^2 or more");
  s = good();
  force<Drag>(s, 1).body = "floor";
  expect_only(s, "forces.drag.drag.body: the body \"floor\" does not move freely, drag has no effect on it");
  s = good();
  force<Wrench>(s, 2) = {.body = "ball", .time = {0, 1, 2}, .force = {{1, 0, 0}, {2, 0, 0}}};
  expect_only(s, "forces.push.wrench.force: found 2 rows, must be as many as `time` has (3)");
  force<Wrench>(s, 2) = {.body = "ball", .force = {{1, 0, 0}, {2, 0, 0}}};
  expect_only(s, "forces.push.wrench.force: found 2 rows without `time`, must be one");
  force<Wrench>(s, 2) = {.body = "ball", .time = {1}, .force = {{1, 0, 0}}};
  expect_only(
      s,
      "forces.push.wrench.time: found 1 row, a table needs at least two; leave `time` out for a constant "
      "wrench");
  force<Wrench>(s, 2) = {.body = "ball"};
  expect_only(s, "forces.push.wrench: gives neither `force` nor `torque`");
  force<Wrench>(s, 2) = {.body = "dust", .torque = {{1, 0, 0}}};
  expect_only(s, "forces.push.wrench.torque: the body \"dust\" is a particle and does not turn");
}

TEST(Validate, ListsAllMistakesAtOnce) {
  Scene s = good();
  s.gravity.z = nan;
  body(s, "ball").density = -1;
  body(s, "floor").surface = "ice";
  force<Drag>(s, 1).linear = -1;
  EXPECT_EQ(texts(s).size(), 4u);
}

TEST(Validate, TorsionSprings) {
  const auto with = [](const TorsionSpring& t) {
    Scene s = good();
    s.add_body("box", {.shape = Box{{1, 1, 1}}, .mass = 1});
    s.add_force("twist", t);
    return s;
  };
  EXPECT_TRUE(texts(with({.a = "ball", .b = "box", .stiffness = 1})).empty());
  expect_only(with({.b = "bx"}), "forces.twist.torsion.b: there is no body \"bx\"; did you mean \"box\"?");
  expect_only(with({.b = "box", .axis = {0, 0, 0}}),
              "forces.twist.torsion.axis: found [0, 0, 0], a direction needs a length above 0");
  expect_only(
      with({.b = "box", .rest_angle = 4}),
      "forces.twist.torsion.rest_angle: found 4, must be between -pi and pi: whole turns are not counted");
  expect_only(
      with({.b = "box", .rest_angle = nan}),
      "forces.twist.torsion.rest_angle: found nan, must be between -pi and pi: whole turns are not counted");
  expect_only(with({.b = "dust"}),
              "forces.twist.torsion.b: the body \"dust\" is a particle and does not turn");
  expect_only(with({.b = "floor"}), "forces.twist.torsion: neither end is on a body that moves freely");
  expect_only(
      with({.a = "box", .b = "box"}),
      "forces.twist.torsion.b: both ends are on the body \"box\", a spring joins two bodies or a body and "
      "the world");
}

TEST(Validate, FieldForces) {
  const auto with = [](const ForceDescription& f) {
    Scene s = good();
    s.add_force("f", f);
    return s;
  };
  expect_only(with(Drag{.coefficient = 1, .exponent = 0}),
              "forces.f.drag.exponent: found 0, must be above 0");
  expect_only(with(Magnus{.body = "dust"}),
              "forces.f.magnus.body: the body \"dust\" is a particle and does not turn");
  expect_only(
      with(Magnus{.body = "floor"}),
      "forces.f.magnus.body: the body \"floor\" does not move freely, this force has no effect on it");
  expect_only(with(Gravitation{.constant = 0}),
              "forces.f.gravitation.constant: found 0, must be above 0 m^3/(kg s^2)");
  expect_only(with(Gravitation{.bodies = {"ball", "dist"}}),
              "forces.f.gravitation.bodies.1: there is no body \"dist\"; did you mean \"dust\"?");
  expect_only(with(Gravitation{.bodies = {"star.*"}}),
              "forces.f.gravitation.bodies.0: no body is meant by \"star.*\"");
  expect_only(with(Gravitation{.bodies = {"floor"}}),
              "forces.f.gravitation.bodies.0: the body \"floor\" does not move freely, this force takes "
              "those that do");
  expect_only(with(LennardJones{.depth = 0, .diameter = 1}),
              "forces.f.lennard_jones.depth: found 0, must be above 0 J");
  expect_only(
      with(LennardJones{.depth = 1, .diameter = 1, .cutoff = 1}),
      "forces.f.lennard_jones.cutoff: found 1 m, must be larger than the diameter of 1 m, or 0 for none");
}

TEST(Validate, MethodsForSmoothMotionWhereNothingCanTouch) {
  Scene s;
  s.add_body("a", ball());
  s.add_body("b", ball());
  EXPECT_TRUE(validate(s, RunSettings{}).empty());
  const auto found = validate(s, RunSettings{.method = Method::rk4});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(
      found[0].text(),
      "run.method: found \"rk4\", which is for smooth motion, but the bodies \"a\" and \"b\" can touch: use "
      "\"coulomb\", or give bodies that never touch \"collides\": false, or one \"group\"");
  s.bodies[1].value.collides = false;
  EXPECT_TRUE(validate(s, RunSettings{.method = Method::rk4}).empty());
}

TEST(Scene, ForgetsBodies) {
  Scene s = good();
  s.add_body("star.0", ball());
  s.add_force("g", Gravitation{.bodies = {"ball", "dust"}});
  s.add_force("h", Gravitation{.bodies = {"star.*"}});
  s.add_force("t", TorsionSpring{.b = "star.0"});
  s.bodies.back().name = "gone";
  forget_body(s, "star.0");
  EXPECT_EQ(s.forces.size(), 4u);  // spring, drag, push, g
  for (auto& b : s.bodies)
    if (b.name == "ball") b.name = "lost";
  forget_body(s, "ball");
  ASSERT_EQ(s.forces.size(), 2u);  // drag, g
  EXPECT_EQ(std::get<Gravitation>(s.forces[1].value).bodies, (std::vector<std::string>{"dust"}));
  EXPECT_TRUE(s.joints.empty());
}

TEST(Validate, RunSettings) {
  EXPECT_TRUE(validate(RunSettings{}).empty());
  const RunSettings bad{
      .step = 0, .tolerance = 0.1, .until = -1, .threads = 0, .method = Method::rk4, .sleep = true};
  std::vector<std::string> found;
  for (const Mistake& m : validate(bad)) found.push_back(m.text());
  EXPECT_EQ(found,
            (std::vector<std::string>{
                "run.until: found -1, must be above 0 s", "run.step: found 0, must be above 0 s",
                "run.tolerance: found 0.1, must be 1e-13 or more and at most 0.01",
                "run.threads: found 0, must be 1 or more and at most 1024; more than the machine has cores "
                "are of no "
                "use",
                "run.sleep: only the method \"coulomb\" proves rest; found the method \"rk4\": leave `sleep` "
                "out"}));
  for (const double tolerance : {nan, -1.0, 0.0, 1e-30, 0.99e-13})
    EXPECT_EQ(validate(RunSettings{.tolerance = tolerance}).size(), 1u) << tolerance;
  EXPECT_TRUE(validate(RunSettings{.tolerance = 1e-13}).empty());
}

TEST(Validate, Threads) {
  EXPECT_TRUE(validate(RunSettings{.threads = most_threads}).empty());
  for (const int threads : {-3, 0, most_threads + 1, 40'000})
    EXPECT_EQ(validate(RunSettings{.threads = threads}).size(), 1u) << threads;
}

TEST(Validate, CrowdsInOnePlace) {
  const auto add = [](Scene& s, int count, const BodyDescription& b) {
    for (int i = 0; i < count; ++i) s.add_body("b." + std::to_string(s.bodies.size()), b);
  };
  Scene s = good();
  add(s, 100, {.shape = Sphere{0.1}, .mass = 1, .position = {0, 0, 5}});
  EXPECT_TRUE(validate(s).empty());
  add(s, 1, {.shape = Box{{0.1, 0.1, 0.1}}, .mass = 1, .position = {0, 0, 5 + 1e-9}});  // to round-off
  expect_only(s,
              "bodies.b.4: 101 bodies that move are in one place: \"b.4\", \"b.5\", \"b.6\" and 98 more. At "
              "most 100 may be; move them apart (`offset` of `repeat`), or put them into one `group`, whose "
              "bodies never touch");
  s.bodies.back().value.position.z = 5.001;
  EXPECT_TRUE(validate(s).empty());

  Scene fine = good();  // bodies that do not touch each other
  add(fine, 300, {.shape = Sphere{0.1}, .mass = 1, .position = {0, 0, 5}, .group = "swarm"});
  add(fine, 300, {.shape = Sphere{0.1}, .mass = 1, .position = {0, 0, 8}, .collides = false});
  add(fine, 300, {.kind = fixed, .shape = Sphere{0.1}, .position = {0, 0, 9}});
  EXPECT_TRUE(validate(fine).empty());
  add(fine, 100, {.shape = Sphere{0.1}, .mass = 1, .position = {0, 0, 5}});
  EXPECT_EQ(validate(fine).size(), 1u);
}

TEST(RunSettings, StepsReachTheEndAndNoMore) {
  const auto steps = [](double until, double step) {
    return steps_until(RunSettings{.step = step, .until = until});
  };
  EXPECT_EQ(steps(1, 0.01), 100);
  EXPECT_EQ(steps(0.3, 0.1), 3);  // 0.3 / 0.1 is above 2.9999 and below 3
  EXPECT_EQ(steps(0.7, 0.1), 7);
  EXPECT_EQ(steps(0.21, 0.07), 3);
  EXPECT_EQ(steps(1, 0.3), 4);  // 0.9 is before the end
  EXPECT_EQ(steps(1, 0.4), 3);  // and so is 0.8
  EXPECT_EQ(steps(0.004, 0.01), 1);
  EXPECT_EQ(steps(1e-12, 0.01), 1);
  EXPECT_EQ(steps(1e9, 1e-3), std::int64_t(1'000'000'000'000));
  EXPECT_EQ(steps(1e300, 1e-300), std::int64_t(9e15));  // what validate() refuses
}

TEST(RunSettings, NoMoreStepsThanTimesAreExactFor) {
  EXPECT_TRUE(validate(RunSettings{.step = 1e-3, .until = 9e12}).empty());
  const std::vector<Mistake> found = validate(RunSettings{.step = 1e-3, .until = 1e13});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].path, "run.until");
  EXPECT_NE(found[0].message.find("takes 1e+16 steps of 0.001 s; at most 9e+15"), std::string::npos)
      << found[0].message;
}

TEST(Validate, MassesWhoseInverseIsANumber) {
  for (const double mass : {1e-320, 1e-46, 1e46, 1e300}) {
    Scene s;
    s.add_body("dust", {.shape = Sphere{0.1}, .mass = mass});
    const std::vector<Mistake> found = validate(s);
    ASSERT_EQ(found.size(), 1u) << mass;
    EXPECT_EQ(found[0].path, "bodies.dust.mass");
  }
  Scene galaxy;
  galaxy.add_body("galaxy", {.mass = 2e42, .particle = true});
  galaxy.add_body("electron", {.mass = 9e-31, .particle = true});
  EXPECT_TRUE(validate(galaxy).empty());
}

}  // namespace
}  // namespace stiction

// Energy comes from nowhere in no run that is called good, and runs where it does are not called good:
// springs, dampers and drag that a step is too large for, and 200 random scenes without sources (10,000 at
// full size). docs/theory/ledger.md.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include "stiction/step/rises.h"
#include "support/random.h"
#include "support/recompute.h"
#include "support/run.h"

namespace stiction::test {
namespace {

/// Without gravity: 1 kg, 1 m off and moving, on what `force` says of it.
World one_mass(const SpringDamper& force, Method method, double h, const Vec3& velocity) {
  Scene s;
  s.add_body("mass", {.mass = 1, .position = {1, 0, 0}, .velocity = velocity, .particle = true});
  s.add_force("only", force);
  return world_of(s, {.step = h, .method = method});
}

/// Of semi-implicit Euler: (v^2 + w^2 q^2 - h w^2 q v)/2 is constant, so that with r = h w/2 the energy runs
/// from E/(1 + r) to E/(1 - r), the kinetic one up to E/(1 - r^2), the other likewise: it rises by r times
/// their sum.
TEST(EnergyOfRuns, RisesByHalfOfHwForASpring) {
  for (const double hw : {0.01, 0.1, 0.4}) {
    World world = one_mass({.b = "mass", .stiffness = 1}, Method::semi_implicit_euler, hw, {0.5, 0, 0});
    run(world, int(40 / hw));
    EXPECT_NEAR(world.ledger().unexplained_rise(), 0.5 * hw, 0.1 * 0.5 * hw) << hw;
    EXPECT_EQ(step::rise_in_words(world.model(), world.state(), world.settings()), "");
  }
}

TEST(EnergyOfRuns, ASpringThatSwingsTooFarIsNamed) {
  World world = one_mass({.b = "mass", .stiffness = 1}, Method::semi_implicit_euler, 1.975, {});
  run(world, 400);
  EXPECT_GT(world.ledger().unexplained_rise(), 0.9);
  const std::string found = step::rise_in_words(world.model(), world.state(), world.settings());
  EXPECT_NE(found.find("numerics"), std::string::npos) << found;
  EXPECT_NE(found.find("spring 'only'"), std::string::npos) << found;
}

TEST(EnergyOfRuns, ADamperThatDivergesIsNamed) {
  for (const Method method : {Method::coulomb, Method::semi_implicit_euler, Method::explicit_euler}) {
    World world = one_mass({.b = "mass", .damping = 5}, method, 1, {1, 0, 0});
    run(world, 30);
    EXPECT_GT(world.ledger().now().kinetic, 1e20);
    EXPECT_GT(world.ledger().unexplained_rise(), 0.5) << word_of(method);
    const std::string found = step::rise_in_words(world.model(), world.state(), world.settings());
    // methods for smooth motion book its work at the velocity that it was evaluated at
    EXPECT_NE(found.find(method == Method::coulomb ? "by damping" : "by numerics"), std::string::npos)
        << found;
    EXPECT_NE(found.find("spring 'only'"), std::string::npos) << found;
  }
}

TEST(EnergyOfRuns, DragThatDivergesIsNamed) {
  Scene s;
  s.add_body("mass", {.mass = 1, .velocity = {1, 0, 0}, .particle = true});
  s.add_force("air", Drag{.body = "mass", .linear = 5});
  World world = world_of(s, {.step = 1});
  run(world, 30);
  const std::string found = step::rise_in_words(world.model(), world.state(), world.settings());
  EXPECT_NE(found.find("by drag on 'mass'"), std::string::npos) << found;
}

// Dampers and drag that a step is not too large for take energy only.
TEST(EnergyOfRuns, RightDampersOnlyTake) {
  World world = one_mass({.b = "mass", .damping = 1}, Method::coulomb, 0.5, {1, 0, 0});
  run(world, 100);
  EXPECT_LE(world.ledger().unexplained_rise(), 1e-9);
}

/// The same beside a ball of 1 t that flies past at 100 m/s: what the spring has is 1e-6 of the energy of the
/// run and less.
World mass_in_a_large_world(const SpringDamper& force, Method method, double h) {
  Scene s;
  s.add_body("ball", {.mass = 1000, .position = {0, 50, 0}, .velocity = {100, 0, 0}, .particle = true});
  s.add_body("mass", {.mass = 1, .position = {1, 0, 0}, .velocity = {0.5, 0, 0}, .particle = true});
  s.add_force("only", force);
  return world_of(s, {.step = h, .method = method});
}

// A spring is measured by its own energy: the gain over twice its largest elastic energy is its law, h w/2.
TEST(EnergyOfRuns, ASpringIsMeasuredByItsOwnEnergy) {
  for (const Method method : {Method::coulomb, Method::semi_implicit_euler})
    for (const double hw : {0.01, 0.1, 0.4}) {
      World world = mass_in_a_large_world({.b = "mass", .stiffness = 1}, method, hw);
      run(world, int(40 / hw));
      EXPECT_NEAR(world.ledger().spring_rise(), 0.5 * hw, 0.1 * 0.5 * hw) << word_of(method) << " " << hw;
      EXPECT_LE(world.ledger().world_rise(), 1e-6);
      EXPECT_EQ(step::rise_in_words(world.model(), world.state(), world.settings()), "");
    }
}

TEST(EnergyOfRuns, ASpringThatSwingsTooFarIsNamedBesideMuchEnergy) {
  for (const Method method : {Method::coulomb, Method::semi_implicit_euler}) {
    World world = mass_in_a_large_world({.b = "mass", .stiffness = 1}, method, 1.975);
    run(world, 400);
    EXPECT_LE(world.ledger().world_rise(), 1e-4) << word_of(method);
    EXPECT_GT(world.ledger().unexplained_rise(), 0.9) << word_of(method);
    const std::string found = step::rise_in_words(world.model(), world.state(), world.settings());
    EXPECT_NE(found.find("the energy of spring 'only' had risen by 0.9"), std::string::npos) << found;
    EXPECT_NE(found.find("stable below 2 s"), std::string::npos) << found;
  }
}

/// 1 kg on a spring of 1 N/m that starts at its rest length, with a speed or pulled by gravity.
World at_rest_length(const Vec3& velocity, const Vec3& gravity, double h) {
  Scene s{.gravity = gravity};
  s.add_body("mass", {.mass = 1, .position = {1, 0, 0}, .velocity = velocity, .particle = true});
  s.add_force("only", SpringDamper{.b = "mass", .stiffness = 1, .rest_length = 1});
  return world_of(s, {.step = h});
}

// In its first steps nobody knows how much energy it will have: in none is it held against it.
TEST(EnergyOfRuns, ASpringThatStartsAtItsRestLengthIsMeasuredLikeOthers) {
  for (const Vec3& velocity : {Vec3{1, 0, 0}, Vec3{}})
    for (const double hw : {0.001, 0.01, 0.1}) {
      World world = at_rest_length(velocity, velocity.x > 0 ? Vec3{} : Vec3{1, 0, 0}, hw);
      run(world, int(10 / hw), [&](const World& w, const StepReport&) {
        ASSERT_LE(w.ledger().spring_rise(), 0.55 * hw) << hw << ", step " << w.state().step_count;
      });
      EXPECT_GT(world.ledger().spring_rise(), 0.1 * hw) << hw;
    }
  World world = at_rest_length({1, 0, 0}, {}, 2.01);  // unstable, and never swings out
  run(world, 20);
  EXPECT_GT(world.ledger().spring_rise(), unexplained_limit);
}

// A damper that gives is seen in its first steps, before it has the energy of the world.
TEST(EnergyOfRuns, ADamperThatGivesIsNamedBesideMuchEnergy) {
  World world = mass_in_a_large_world({.b = "mass", .damping = 5}, Method::coulomb, 1);
  run(world, 2);
  EXPECT_LE(world.ledger().world_rise(), 1e-3);
  EXPECT_GT(world.ledger().spring_rise(), 0.9);
  const std::string found = step::rise_in_words(world.model(), world.state(), world.settings());
  EXPECT_NE(found.find("the energy of spring 'only'"), std::string::npos) << found;
}

// Implicit Euler takes from a spring whatever the step is, and Runge-Kutta keeps its energy.
TEST(EnergyOfRuns, OtherMethodsAreMeasuredByWhatTheyDo) {
  World implicit = mass_in_a_large_world({.b = "mass", .stiffness = 1}, Method::implicit_euler, 1.975);
  run(implicit, 100);
  EXPECT_EQ(implicit.ledger().spring_rise(), 0);
  World stages = mass_in_a_large_world({.b = "mass", .stiffness = 1}, Method::rk4, 0.1);
  run(stages, 400);
  EXPECT_LE(stages.ledger().spring_rise(), 1e-4);
}

// What springs gained is part of the State: it comes back with it.
TEST(EnergyOfRuns, WhatASpringGainedIsRestored) {
  World world = mass_in_a_large_world({.b = "mass", .stiffness = 1}, Method::coulomb, 1.975);
  run(world, 200);
  World other = mass_in_a_large_world({.b = "mass", .stiffness = 1}, Method::coulomb, 1.975);
  ASSERT_TRUE(other.restore(world.save()));
  EXPECT_EQ(other.hash(), world.hash());
  run(world, 50), run(other, 50);
  EXPECT_EQ(other.hash(), world.hash());
  EXPECT_EQ(other.state().springs[0].share, world.state().springs[0].share);
}

/// [m/s] Two boxes on a hinge that fall over each other on ice, in a scene that moves along it: the largest
/// change of the speed of their centre of mass along the ice in any step, and in 3 s.
std::pair<double, double> gain_on_ice(double boost) {
  Scene s{.gravity = {0, 0, -9.81}};
  s.add_surface("ice", {.friction = 0});
  s.add_body("floor", {.kind = fixed, .shape = HalfSpace{}, .surface = "ice"});
  for (const int k : {0, 1})
    s.add_body(k == 0 ? "a" : "b", {.shape = Box{{0.4, 0.2, 0.1}},
                                    .mass = 1.0 + k,
                                    .position = {0.4 * k, 0, 0.3 + 0.05 * k},
                                    .orientation = {std::cos(0.2), 0, std::sin(0.2), 0},
                                    .velocity = {boost, 0, 0},
                                    .surface = "ice"});
  s.add_joint("hinge", CoordinateJoint{.kind = tree::JointKind::revolute,
                                       .body = "b",
                                       .parent = "a",
                                       .at = Vec3{0.2, 0, 0.3},
                                       .axis = {0, 1, 0}});
  World world = world_of(s, {.step = 0.01});
  const auto speed = [&] {
    double momentum = 0;
    for (const char* name : {"a", "b"}) {
      const auto i = std::size_t(world.model().find_body(name));
      momentum += world.model().mass[i] * world.state().velocity[i].x;
    }
    return momentum / 3;
  };
  const double start = speed();
  double last = start, worst = 0;
  int touched = 0;
  run(world, 300, [&](const World& w, const StepReport&) {
    worst = std::fmax(worst, std::fabs(speed() - last)), last = speed();
    touched += w.contacts().empty() ? 0 : 1;
  });
  EXPECT_GT(touched, 100);
  return {worst, std::fabs(last - start)};
}

// Nothing pushes them along the ice, and nothing depends on how fast the scene moves (with a fit of all of
// the velocity it was 1e-3 m/s in 3 s, at any tolerance).
// What is left is one step whose shortest part has frames of the start, where drift is not fitted.
TEST(EnergyOfRuns, TreesOnIceKeepTheirMomentum) {
  const auto [rest_step, rest] = gain_on_ice(0);
  EXPECT_LT(rest_step, 5e-5);
  EXPECT_LT(rest, 2e-4);
  for (const double boost : {2.0, 200.0}) {
    const auto [step, all] = gain_on_ice(boost);
    EXPECT_NEAR(step, rest_step, 1e-8 * (20 + 2 * boost)) << boost;  // passes end within X of the velocities
    EXPECT_LT(all, 2e-4) << boost;
  }
}

/// `even`: with the same inertia about every axis.
Shape random_shape(Random& random, bool even) {
  const double a = random.between(0.04, 0.12), b = random.between(0.04, 0.12), c = random.between(0.04, 0.12);
  switch (random.below(even ? 2 : 5)) {
    case 0:
      return Sphere{a};
    case 1:
      return even ? Box{{2 * a, 2 * a, 2 * a}} : Box{{2 * a, 2 * b, 2 * c}};
    case 2:
      return Capsule{0.5 * a, b};
    case 3:
      return ConvexShape(Cylinder{a, 2 * b});
    default:
      return ConvexShape(Ellipsoid{{a, b, c}});
  }
}

enum class Joints : unsigned char { none, planar, coordinates, constraints };

Scene random_scene(Random& random, Joints joints, bool even) {
  Scene s{.gravity = {random.between(-2, 2), random.between(-2, 2), -9.81}};
  for (const char* name : {"a", "b"})
    s.add_surface(name, {.friction = random.below(3) == 0 ? 0 : random.between(0, 1)});
  s.add_body("floor", {.kind = fixed, .shape = HalfSpace{}, .surface = "a"});
  const int bodies = 2 + random.below(5);
  const bool joined = joints > Joints::planar, flat = joints == Joints::planar;
  const double apart = joined ? 0.4 : 0.3;
  const Vec3 ways = joined ? Vec3{}
                    : flat ? Vec3{1, 0, 1}
                           : Vec3{1, 1, 1},
             turns = flat ? Vec3{0, 1, 0} : ways;
  for (int i = 0; i < bodies; ++i) {
    const std::string name = "body." + std::to_string(i);
    const Vec3 place{apart * (i % 2), apart * (i / 2 % 2), 0.25 + apart * (i / 4)};
    s.add_body(name, {.shape = random_shape(random, even),
                      .mass = 0.1 * std::exp(random.between(0, std::log(100.0))),
                      .position = place,
                      .orientation = random.rotation(),
                      .velocity = times(ways, random.vector(2)),
                      .spin = times(turns, random.vector(5)),
                      .surface = random.below(2) == 0 ? "a" : "b"});
    if (flat) s.add_joint("plane." + std::to_string(i), PlanarJoint{.body = name, .normal = {0, 1, 0}});
    if (!joined || i % 2 == 0) continue;
    const std::string parent = "body." + std::to_string(i - 1);
    const Vec3 at = place - Vec3{0.2, 0, 0};
    if (joints == Joints::coordinates)
      s.add_joint(
          "joint." + std::to_string(i),
          CoordinateJoint{.kind = tree::JointKind::spherical, .body = name, .parent = parent, .at = at});
    else
      s.add_joint("joint." + std::to_string(i),
                  ConstraintJoint{.kind = constraints::Kind::ball, .body = name, .parent = parent, .at = at});
  }
  return s;
}

/// [J] What the turn of a body with uneven inertia I from q to q+ makes of the energy that its angular
/// momentum L0 of the start stands for, L0.I(q+)^-1 L0/2 - L0.w0/2: `coulomb` keeps L0, and takes I where the
/// step ends. A law of free rotation, known from the poses alone; no contact is in it. With f the turn as a
/// vector [rad] it is at most |f.(w0 x L0)| + |f|^2 |L0|^2/I_min: of the second order where f is h w0, of the
/// first where contacts change the spin. Bodies that nothing pushes turn so that it is 0.
struct Turn {
  double made = 0, most = 0;  // [J]
};
Turn turn_of(const Model& m, std::size_t i, const State& from, const State& to) {
  const Vec3& d = m.inertia[i];
  if (m.mobility[i] != Mobility::free || (d.x == d.y && d.y == d.z)) return {};
  const Vec3& w = from.spin[i];
  const Vec3 L = rotate(from.orientation[i], times(d, rotate_back(from.orientation[i], w))),
             l = rotate_back(to.orientation[i], L);
  const Quat q = to.orientation[i] * conjugate(from.orientation[i]);
  const Vec3 axis{q.x, q.y, q.z};
  const double sine = norm(axis), angle = 2 * std::atan2(sine, std::fabs(q.w)),
               first = sine > 0 ? std::fabs(dot(axis, cross(w, L))) * angle / sine : 0.0;
  return {0.5 * (l.x * l.x / d.x + l.y * l.y / d.y + l.z * l.z / d.z - dot(L, w)),
          first + angle * angle * norm2(L) / std::min({d.x, d.y, d.z})};
}

/// The most that the energy of a world rose, from any time to any later one: as it is, recomputed from the
/// states, and less what turns made.
class Rise {
 public:
  explicit Rise(World& world) : world_(world), last_(world.state()) {
    energy_ = recompute(world.model(), last_).energy();
    world.follow_parts([this](const State& x, std::span<const Contact>) { look(x); });
  }
  ~Rise() { world_.follow_parts(nullptr); }
  Rise(const Rise&) = delete;
  Rise& operator=(const Rise&) = delete;

  void look(const State& x) {
    const Model& m = world_.model();
    const double now = recompute(m, x).energy(), change = now - energy_;
    double made = 0;
    for (std::size_t i = 0; i < x.position.size(); ++i) {
      const Turn turn = turn_of(m, i, last_, x);
      made += turn.made;
      beyond = std::fmax(beyond, turn.made - turn.most);
    }
    whole_ = std::fmax(0.0, whole_ + change), rest_ = std::fmax(0.0, rest_ + (change - std::fmax(0.0, made)));
    whole = std::fmax(whole, whole_), rest = std::fmax(rest, rest_);
    energy_ = now, last_ = x;
  }

  double whole = 0, rest = 0, beyond = 0;  // [J] beyond: a turn made more than its law says

 private:
  World& world_;
  State last_;
  double energy_ = 0, whole_ = 0, rest_ = 0;
};

/// [-] of the energy of the run, in 0.6 s: 6.1e-4 at most in 10,000 scenes of bodies and 2500 with joints.
constexpr double most_turned = 1e-3;

/// What is asked of 60 steps of random scenes.
struct Asked {
  Joints joints;
  bool even;
  const char* what;
  int scenes, most_bad;  // [-] that are not good
  double most_turned;    // [-] of the energy of the run, with what turns make
};

/// Of the runs that are called good: what contacts added, and how far the energy itself rose, recomputed from
/// the states.
void try_scenes(const Asked& asked) {
  int missed = 0, good_runs = 0;
  double contacts = 0, whole = 0, rest = 0, beyond = 0;
  for (int i = 0; i < asked.scenes; ++i) {
    Random random(std::uint64_t(7000 + i));
    World world = world_of(random_scene(random, asked.joints, asked.even), {.step = 0.01});
    const Ledger& l = world.ledger();
    Rise rise(world);
    int bad = 0;
    run(world, 60, [&](const World& w, const StepReport& r) { bad += !r.converged, rise.look(w.state()); });
    missed += bad, bad += l.contact_rise() > energy_limit;
    beyond = std::fmax(beyond, rise.beyond / l.energy_of_run());
    if (bad > 0) continue;
    ++good_runs;
    contacts = std::fmax(contacts, l.contact_rise()),
    whole = std::fmax(whole, rise.whole / l.energy_of_run());
    rest = std::fmax(rest, rise.rest / l.energy_of_run());
  }
  std::printf(
      "[ %s: %d of %d scenes good, %d steps missed; good ones: contacts added %.1e, energy rose by %.1e, "
      "without turns by %.1e ]\n",
      asked.what, good_runs, asked.scenes, missed, contacts, whole, rest);
  EXPECT_LE(contacts, energy_limit);
  EXPECT_LE(rest, energy_limit);
  EXPECT_LE(whole, asked.most_turned);
  EXPECT_LE(beyond, 1e-12);
  EXPECT_GE(good_runs, asked.scenes - asked.most_bad);
}

// Bodies under gravity, in contact, without anything that could give energy: in no run that is called good
// does it rise by more than 1e-6 of that of the run, but for what turns of uneven bodies make of it while
// contacts act on them. Those of even bodies and planar ones make nothing, nor is there anything of trees.
TEST(EnergyOfRuns, NothingIsGainedInRandomScenes) {
  const int scenes = cases(200, 10000);
  try_scenes({Joints::none, true, "even bodies", scenes, scenes / 200, energy_limit});
  try_scenes({Joints::none, false, "bodies", scenes, scenes / 200, most_turned});
  try_scenes({Joints::planar, false, "planar bodies", scenes / 4, scenes / 200, energy_limit});
  try_scenes({Joints::coordinates, false, "trees", scenes / 4, scenes / 200, most_turned});
  try_scenes({Joints::constraints, false, "constraints", scenes / 4, scenes / 200, most_turned});
}

}  // namespace
}  // namespace stiction::test

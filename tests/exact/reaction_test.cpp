// What joints do to their bodies, World::reaction: joints of trees against statics, closed forms, the change
// of momentum and constraints; gears and what binds velocities; frames.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "support/run.h"
#include "support/tree_scenes.h"

namespace stiction::test {
namespace {

using constraints::Kind;
using tree::JointKind;

constexpr double g = 9.81;  // [m/s^2]

std::vector<std::string> tree_methods() {
  std::vector<std::string> out;
  for (const std::string& word : words_of<Method>())
    if (word != "implicit_euler") out.push_back(word);
  return out;
}
class Reactions : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(All, Reactions, testing::ValuesIn(tree_methods()),
                         [](const auto& m) { return m.param; });

JointReaction reaction(const World& w, const std::string& joint, const ReactionFrame& frame = {}) {
  const std::optional<JointReaction> r = w.reaction(joint, frame);
  if (!r) throw std::runtime_error("no reaction of " + joint);
  return *r;
}

// A chain of n rods of length l and mass m that hangs at rest: joint i bears what is below it.
TEST_P(Reactions, OfAHangingChainAreTheWeightsBelow) {
  constexpr int n = 5;
  constexpr double l = 0.4, m = 1.5;
  Scene s;
  s.gravity = {0, 0, -g};
  for (int i = 0; i < n; ++i) {
    const std::string name = "rod" + std::to_string(i);
    s.add_body(
        name,
        {.shape = Box{{0.05, 0.05, l}}, .mass = m, .position = {3, 0, -(i + 0.5) * l}, .collides = false});
    s.add_joint("hinge" + std::to_string(i),
                CoordinateJoint{.kind = JointKind::revolute,
                                .body = name,
                                .parent = i == 0 ? "" : "rod" + std::to_string(i - 1),
                                .at = Vec3{3, 0, -i * l},
                                .axis = {0, 1, 0}});
  }
  World world = world_of(s, {.step = 0.01, .method = method_of(GetParam())});
  run(world, 20);
  for (int i = 0; i < n; ++i) {
    const JointReaction r = reaction(world, "hinge" + std::to_string(i));
    EXPECT_LT(norm(r.at - Vec3{3, 0, -i * l}), 1e-12);
    EXPECT_LT(norm(r.force - Vec3{0, 0, (n - i) * m * g}), 1e-12 * n * m * g) << i;
    EXPECT_LT(norm(r.torque), 1e-12 * n * m * g * l) << i;
  }
}

// A level beam of n pieces that are fixed to each other, held at its root by a spring hinge about its own
// axis: what is beyond joint i, of the length b = (n - i) l, is its load: m g (n - i), and the moment of that
// at b/2. A motor of constant torque at the last, turning piece is in all of them.
TEST_P(Reactions, OfABeamAreShearAndMoment) {
  constexpr int n = 4;
  constexpr double l = 0.5, m = 2, twist = 0.7;
  Scene s;
  s.gravity = {0, 0, -g};
  for (int i = 0; i < n; ++i) {
    const std::string name = "piece" + std::to_string(i);
    s.add_body(name, {.shape = Box{{l, 0.1, 0.1}}, .mass = m, .position = {(i + 0.5) * l, 0, 0}});
    s.add_joint("joint" + std::to_string(i),
                CoordinateJoint{.kind = i == 0 ? JointKind::revolute : JointKind::fixed,
                                .body = name,
                                .parent = i == 0 ? "" : "piece" + std::to_string(i - 1),
                                .at = Vec3{i * l, 0, 0},
                                .axis = {1, 0, 0}});
  }
  auto& root = std::get<CoordinateJoint>(s.joints[0].value);
  root.stiffness = {10}, root.position = {-twist / 10};  // at rest against the torque at the tip
  s.add_force("twist", Wrench{.body = "piece3", .force = {{}}, .torque = {{-twist, 0, 0}}});
  World world = world_of(s, {.step = 0.01, .method = method_of(GetParam())});
  run(world, 20);
  for (int i = 0; i < n; ++i) {
    const JointReaction r = reaction(world, "joint" + std::to_string(i));
    const double load = (n - i) * m * g, moment = -load * 0.5 * (n - i) * l;
    EXPECT_LT(norm(r.force - Vec3{0, 0, load}), 1e-12 * n * m * g) << i;
    EXPECT_LT(norm(r.torque - Vec3{twist, moment, 0}), 1e-12 * n * m * g * n * l) << i;
  }
}

/// The motion of a tree's bodies, and where its joints are.
struct Snapshot {
  std::vector<Vec3> position, velocity, turning;
  std::map<std::string, Vec3> at;
};
Snapshot snapshot_of(const World& w) {
  const Model& m = w.model();
  const State& x = w.state();
  Snapshot out{x.position, x.velocity, {}, {}};
  for (std::size_t i = 0; i < x.position.size(); ++i)
    out.turning.push_back(
        rotate(x.orientation[i], times(m.inertia[i], rotate_back(x.orientation[i], x.spin[i]))));
  for (const auto& j : m.scene.joints) out.at[j.name] = reaction(w, j.name).at;
  return out;
}

/// What joints give each link in a step from `before` to now, from its own side and from those that hang on
/// it, against the change of its momentum less gravity; where nothing else acts, that of its angular momentum
/// too, about its joint at the start of the step or in the middle of its way.
void expect_balance(const World& world, const Snapshot& before, double h, bool about_start) {
  const Scene& s = world.model().scene;
  const Snapshot after = snapshot_of(world);
  const auto pivot = [&](const std::string& joint) {
    const Vec3 &start = before.at.at(joint), &end = after.at.at(joint);
    return about_start ? start : 0.5 * (start + end);
  };
  for (const auto& own : s.joints) {
    const std::string& body = std::get<CoordinateJoint>(own.value).body;
    const auto b = std::size_t(world.body(body).index);
    const double m = world.model().mass[b];
    const Vec3 o = pivot(own.name);
    Vec3 force = m * s.gravity, torque;
    const auto take = [&](const std::string& joint, double sign) {
      const JointReaction r = reaction(world, joint);
      force += sign * r.force, torque += sign * (r.torque + cross(pivot(joint) - o, r.force));
    };
    take(own.name, 1);
    for (const auto& j : s.joints)
      if (std::get<CoordinateJoint>(j.value).parent == body) take(j.name, -1);
    const double size = norm(reaction(world, own.name).force) + 2 * m * norm(after.velocity[b]) / h;
    const Vec3 rate = (m / h) * (after.velocity[b] - before.velocity[b]);
    ASSERT_LT(norm(force - rate), 1e-12 * size) << own.name;
    if (s.gravity != Vec3{}) continue;
    const auto momentum = [&](const Snapshot& q) {
      return q.turning[b] + cross(q.position[b] - o, m * q.velocity[b]);
    };
    ASSERT_LT(norm(torque - (momentum(after) - momentum(before)) / h), 1e-12 * size) << own.name;
  }
}

TEST_P(Reactions, AreTheChangeOfMomentum) {
  constexpr double h = 2e-3;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE(seed);
    Scene s = random_tree(seed, 8, seed % 2 == 0, seed > 3);
    s.forces.clear();
    World world = world_of(s, {.step = h, .method = method_of(GetParam())});
    for (int i = 0; i < 20; ++i) {
      const Snapshot before = snapshot_of(world);
      const StepReport report = world.step();
      ASSERT_EQ(report.status, StepReport::Status::converged);
      if (report.parts == 1)
        expect_balance(world, before, h, false);  // of event_driven each stretch has its own
    }
  }
}

// The same with friction in the joints, which makes them part of the contact problem: kick and drift.
TEST(Reaction, IsTheChangeOfMomentumWithFrictionInJoints) {
  constexpr double h = 2e-3;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE(seed);
    Scene s = random_tree(seed, 8, seed % 2 == 0, seed > 3);
    s.forces.clear();
    for (auto& j : s.joints)
      if (auto& joint = std::get<CoordinateJoint>(j.value);
          joint.kind != JointKind::spherical && joint.kind != JointKind::fixed)
        joint.friction = {0.2};
    World world = world_of(s, {.step = h});
    for (int i = 0; i < 20; ++i) {
      const Snapshot before = snapshot_of(world);
      const StepReport report = world.step();
      ASSERT_EQ(report.status, StepReport::Status::converged);
      if (report.parts == 1) expect_balance(world, before, h, true);
    }
  }
}

// A free tree takes no momentum from anywhere: with those of its joints left out, what its root has is that
// of all others, to what the method keeps of the momentum.
TEST(Reaction, AFreeRootBearsNothing) {
  Scene s = random_tree(2, 8, true, false);
  World world = world_of(s, {.step = 1e-3});
  double largest = 0, left = 0;
  for (int i = 0; i < 50; ++i) {
    ASSERT_TRUE(world.step().converged);
    const std::vector<SpatialForce>& all = world.state().link_reaction;
    for (std::size_t k = 1; k < all.size(); ++k) largest = std::fmax(largest, norm(all[k].force));
    left = std::fmax(left, norm(all[0].force) + norm(all[0].torque));
  }
  EXPECT_GT(largest, 1.0);
  EXPECT_LT(left, 1e-8 * largest);  // Runge-Kutta keeps the momentum to (h w)^4
}

/// A rod of length l on a hinge about y at the origin, level at the start.
Scene level_rod(bool constraint, double l, double m, const std::vector<double>& friction = {}) {
  Scene s;
  s.gravity = {0, 0, -g};
  s.add_body("rod", {.shape = Box{{l, 0.02, 0.02}},
                     .mass = m,
                     .position = {0.5 * l, 0, 0},
                     .inertia = Vec3{0.01, m * l * l / 12, m * l * l / 12}});
  if (constraint)
    s.add_joint(
        "hinge",
        ConstraintJoint{
            .kind = Kind::hinge, .body = "rod", .at = Vec3{}, .axis = {0, 1, 0}, .friction = friction});
  else
    s.add_joint("hinge", CoordinateJoint{.kind = JointKind::revolute,
                                         .body = "rod",
                                         .at = Vec3{},
                                         .axis = {0, 1, 0},
                                         .friction = friction});
  return s;
}

// A rod falls from level: with its centre at c and turned by a, w^2 = 3 g sin a/l, it pulls with
// m g sin a + m c w^2 = 5/2 m g sin a outwards and m g cos a/4 across. The mean over a step is that of its
// middle to second order, and so is that of the same hinge as a constraint.
TEST(Reaction, OfAFallingRod) {
  constexpr double l = 1.2, m = 2, end = 0.3;
  const auto error = [&](bool constraint, double h) {
    World world = world_of(level_rod(constraint, l, m), {.step = h});
    run(world, steps_to(end, h) - 1);
    const auto turn = [&] { return -std::asin(world.position(world.body("rod")).z / (0.5 * l)); };
    const double before = turn();
    run(world, 1);
    const double a = 0.5 * (before + turn());
    const Vec3 along{std::cos(a), 0, -std::sin(a)}, across{std::sin(a), 0, std::cos(a)};
    const JointReaction r = reaction(world, "hinge");
    EXPECT_LT(norm(r.at), 1e-9);
    const Vec3 exact = -2.5 * m * g * std::sin(a) * along + 0.25 * m * g * std::cos(a) * across;
    EXPECT_LT(norm(r.torque), constraint ? 1e-9 : 1e-9 * m * g * l);
    return norm(r.force - exact) / (m * g);
  };
  for (const bool constraint : {false, true}) {
    EXPECT_NEAR(std::log2(error(constraint, 0.01) / error(constraint, 0.005)), 2, 0.1);
    EXPECT_LT(error(constraint, 0.001), 1e-5);
  }
}

// The part of the torque along a joint's coordinate is what acts there: springs, dampers, tables, friction.
TEST(Reaction, AlongACoordinateIsWhatActsThere) {
  constexpr double l = 1, m = 2, torque = 0.8, friction = 0.5;
  Scene driven = level_rod(false, l, m);
  std::get<CoordinateJoint>(driven.joints[0].value).force = {{torque}};
  World world = world_of(driven, {.step = 0.01});
  run(world, 30);
  EXPECT_NEAR(reaction(world, "hinge").torque.y, torque, 1e-10);  // of Runge-Kutta, in a plane
  World rubbing = world_of(level_rod(false, l, m, {friction}), {.step = 0.001, .tolerance = 1e-12});
  run(rubbing, 100);
  // gravity acts on the way, by h/2 later than the start of the step, where the balance of momentum has it
  const double angle = rubbing.state().joint_position[0], rate = rubbing.state().joint_velocity[0],
               late = 0.5 * 0.001 * rate * 0.5 * m * g * l * std::sin(angle);
  EXPECT_NEAR(reaction(rubbing, "hinge").torque.y, -friction - late, 1e-6 * m * g * l);
}

// A level rod whose far end lies on a block: the hinge and the block bear half of it each.
TEST(Reaction, OfARodThatLiesOnABlock) {
  constexpr double l = 1, m = 2;
  Scene s = level_rod(false, l, m);
  s.surfaces.push_back({"rough", {.friction = 0.5}});
  s.add_body("ball", {.shape = Sphere{0.1}, .mass = 0.3, .position = {l, 0, 0}, .surface = "rough"});
  s.add_joint("weld", CoordinateJoint{
                          .kind = JointKind::fixed, .body = "ball", .parent = "rod", .at = Vec3{l, 0, 0}});
  s.add_body("floor",
             {.kind = fixed, .shape = Box{{0.5, 0.5, 0.1}}, .position = {l, 0, -0.15}, .surface = "rough"});
  World world = world_of(s, {.step = 0.01, .tolerance = 1e-12});
  run(world, 20);
  EXPECT_LT(norm(reaction(world, "hinge").force - Vec3{0, 0, 0.5 * m * g}), 1e-9 * m * g);
  EXPECT_LT(norm(reaction(world, "hinge").torque), 1e-9 * m * g * l);
  // the rod hangs between the hinge and its end: what the ball takes is half its weight, downwards
  EXPECT_LT(norm(reaction(world, "weld").force + Vec3{0, 0, 0.5 * m * g}), 1e-9 * m * g);
}

// Two wheels in mesh, torque T on the second: J1 n a on the first and n times that on the second, n = ratio.
TEST(Reaction, OfAGearIsOnBothSides) {
  const double J1 = 0.02, J2 = 0.05, n = 2.5, T = 0.3;
  for (const bool constraint : {false, true}) {
    Scene s;
    for (const bool second : {false, true}) {
      const std::string name = second ? "two" : "one";
      const double J = second ? J2 : J1;
      s.add_body(name, {.mass = 1, .position = {second ? 1.0 : 0.0, 0, 0}, .inertia = Vec3{J, J, J}});
      if (constraint)
        s.add_joint(name + "_axle", ConstraintJoint{.kind = Kind::hinge, .body = name});
      else
        s.add_joint(name + "_axle", CoordinateJoint{.body = name});
    }
    s.add_joint("teeth", GearJoint{.first = "one_axle", .second = "two_axle", .ratio = n});
    s.add_force("drive", Wrench{.body = "two", .force = {{}}, .torque = {{0, 0, T}}});
    World world = world_of(s, {.step = 1e-3, .tolerance = 1e-12});
    run(world, 10);
    const double a = T / (J2 + n * n * J1);
    const JointReaction one = reaction(world, "teeth"), two = reaction(world, "teeth.second");
    const double most = constraint ? 1e-6 : 1e-11;  // Cayley's map: the square of the turn in a step
    EXPECT_LT(norm(one.torque - Vec3{0, 0, -J1 * n * a}), most * T);
    EXPECT_LT(norm(two.torque - Vec3{0, 0, -n * J1 * n * a}), most * T);
    EXPECT_EQ(norm(one.force) + norm(two.force), 0);
    EXPECT_LT(norm(two.at - Vec3{1, 0, 0}), 1e-12);
    // as a coordinate joint has what acts along its coordinate in its own, and a constraint has not
    EXPECT_NEAR(reaction(world, "one_axle").torque.z, constraint ? 0 : -J1 * n * a, most * T);
    EXPECT_FALSE(world.reaction("one_axle.second"));
  }
}

// A rack bears a force: J a/r^2 of its pinion.
TEST(Reaction, OfARackIsAForce) {
  const double m = 2, J = 0.03, r = 0.1;
  Scene s;
  s.gravity = {0, 0, -g};
  s.add_body("rack", {.mass = m, .position = {r, 0, 0}, .inertia = Vec3{1, 1, 1}});
  s.add_body("pinion", {.mass = 1, .inertia = Vec3{J, J, J}});
  s.add_joint("guide", CoordinateJoint{.kind = JointKind::prismatic, .body = "rack", .axis = {0, 0, -1}});
  s.add_joint("axle", CoordinateJoint{.body = "pinion", .axis = {0, 1, 0}});
  s.add_joint("teeth", GearJoint{.first = "guide", .second = "axle", .ratio = -r});
  World world = world_of(s, {.step = 1e-3, .tolerance = 1e-12});
  run(world, 10);
  const double a = m * g / (m + J / (r * r)), force = J * a / (r * r);
  EXPECT_LT(norm(reaction(world, "teeth").force - Vec3{0, 0, force}), 1e-10 * m * g);
  EXPECT_LT(norm(reaction(world, "teeth.second").torque - Vec3{0, r * force, 0}), 1e-10 * m * g);
  EXPECT_LT(norm(reaction(world, "guide").force - Vec3{0, 0, force}), 1e-10 * m * g);
}

// A ball that rolls down an incline: m g cos a across it, 2/7 m g sin a up along it, through the lowest
// point.
TEST(Reaction, OfABallThatRollsAndOfWhatBindsVelocities) {
  const double slope = 0.4, r = 0.1, m = 2, I = 0.4 * m * r * r;
  const Vec3 n{std::sin(slope), 0, std::cos(slope)}, down{std::cos(slope), 0, -std::sin(slope)};
  Scene s;
  s.gravity = {0, 0, -g};
  s.add_body("ball", {.mass = m, .position = r * n, .inertia = Vec3{I, I, I}});
  s.add_joint("rolls", RollingJoint{.body = "ball", .radius = r, .normal = n});
  // a sled that does not slip down, by a blade along the slope and by an equation of any scale
  s.add_body("sled", {.mass = m, .position = {0, 5, 0}, .inertia = Vec3{I, I, I}});
  s.add_joint("plane", PlanarJoint{.body = "sled", .normal = n});
  s.add_joint("blade", KnifeEdgeJoint{.body = "sled", .across = down});
  s.add_body("bob", {.mass = m, .position = {0, 9, 0}, .inertia = Vec3{I, I, I}});
  s.add_joint("row", PfaffianJoint{.body = "bob", .linear = {0, 0, 7}});
  World world = world_of(s, {.step = 1e-3, .tolerance = 1e-12});
  run(world, 100);
  const JointReaction ball = reaction(world, "rolls");
  const Vec3 want = m * g * std::cos(slope) * n - 2.0 / 7 * m * g * std::sin(slope) * down;
  EXPECT_LT(norm(ball.force - want), 1e-8 * m * g);
  EXPECT_LT(norm(ball.torque - cross(-r * n, ball.force)), 1e-8 * m * g * r);
  EXPECT_LT(norm(ball.at - world.position(world.body("ball"))), 1e-12);
  EXPECT_LT(norm(reaction(world, "blade").force + m * g * std::sin(slope) * down), 1e-10 * m * g);
  EXPECT_LT(norm(reaction(world, "row").force - Vec3{0, 0, m * g}), 1e-10 * m * g);
  EXPECT_LT(norm(reaction(world, "plane").force - m * g * std::cos(slope) * n), 1e-10 * m * g);
}

class PlanarReactions : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(All, PlanarReactions, testing::ValuesIn(words_of<Method>()),
                         [](const auto& m) { return m.param; });

// A body that does not lie along its plane turns in it, pushed and twisted in all directions. With n the
// normal, what the joint gives in a step: -n.(weight + push) along n, and across n the change of the angular
// momentum less the twist.
TEST_P(PlanarReactions, AreTheChangeOfMomentum) {
  const double m = 3, h = 0.01;
  const Vec3 n = normalized(Vec3{1, -2, 2}), push{1, 2, 3}, twist{0.5, -0.2, 0.1}, I{0.1, 0.2, 0.25};
  Scene s;
  s.gravity = {0, 0, -g};
  s.add_body("plate",
             {.mass = m, .orientation = turn_about({0.6, 0, 0.8}, 0.7), .spin = 4 * n, .inertia = I});
  s.add_joint("plane", PlanarJoint{.body = "plate", .normal = n});
  s.add_force("push", Wrench{.body = "plate", .force = {push}, .torque = {twist}});
  World world = world_of(s, {.step = h, .method = method_of(GetParam())});
  const BodyId plate = world.body("plate");
  const auto turning = [&] {
    const Quat q = world.orientation(plate);
    return rotate(q, times(I, rotate_back(q, world.spin(plate))));
  };
  EXPECT_EQ(norm(reaction(world, "plane").force), 0);
  for (int i = 0; i < 20; ++i) {
    const Vec3 before = turning();
    run(world, 1);
    const JointReaction r = reaction(world, "plane");
    EXPECT_EQ(r.at, world.position(plate));
    EXPECT_LT(norm(r.force + dot(n, push + m * s.gravity) * n), 1e-12 * m * g);
    const Vec3 turn = (turning() - before) / h - twist;
    EXPECT_LT(norm(r.torque - (turn - dot(n, turn) * n)), 1e-11);  // rounding of L over h
  }
  // and it is kept with the state, and by edits
  const JointReaction now = reaction(world, "plane");
  World again = world_of(s, {.step = h, .method = method_of(GetParam())});
  ASSERT_TRUE(again.restore(world.save()));
  EXPECT_EQ(reaction(again, "plane").torque, now.torque);
  ASSERT_TRUE(world.add_body("other", {.mass = 1, .position = {9, 9, 9}, .inertia = Vec3{1, 1, 1}}));
  EXPECT_EQ(reaction(world, "plane").force, now.force);
}

// A block that rests on a floor, in a plane, with gravity partly across it: asleep or not the joint bears
// that part.
TEST(Reaction, OfAPlanarJointOfABlockAtRest) {
  for (const bool sleep : {false, true}) {
    Scene s;
    s.gravity = {0, 3, -g};
    s.add_body("floor", {.kind = fixed, .shape = HalfSpace{}});
    s.add_body("block", {.shape = Box{{1, 1, 1}}, .mass = 2, .position = {0, 0, 0.5}});
    s.add_joint("plane", PlanarJoint{.body = "block", .normal = {0, 1, 0}});
    World world = world_of(s, {.step = 0.01, .sleep = sleep});
    run(world, 50);
    EXPECT_EQ(world.last_report().asleep, sleep ? 1 : 0);
    EXPECT_LT(norm(reaction(world, "plane").force - Vec3{0, -6, 0}), 1e-9);
  }
}

// The same reaction about other points and in other axes.
TEST(Reaction, InOtherFrames) {
  World world = world_of(level_rod(false, 1, 2), {.step = 0.01});
  run(world, 30);
  const BodyId rod = world.body("rod");
  const JointReaction own = reaction(world, "hinge");
  const JointReaction far = reaction(world, "hinge", {.point = Vec3{0, 3, 1}});
  EXPECT_EQ(far.force, own.force);
  EXPECT_EQ(far.at, (Vec3{0, 3, 1}));
  EXPECT_LT(norm(far.torque - own.torque - cross(own.at - far.at, own.force)), 1e-12);
  const JointReaction centre = reaction(world, "hinge", {.body = rod, .point = Vec3{}});
  EXPECT_LT(norm(centre.at - world.position(rod)), 1e-15);
  EXPECT_LT(norm(rotate(world.orientation(rod), centre.force) - own.force), 1e-12);
  const Vec3 turned = rotate(world.orientation(rod), centre.torque);
  EXPECT_LT(norm(turned - own.torque - cross(own.at - centre.at, own.force)), 1e-12);
  const JointReaction axes = reaction(world, "hinge", {.body = rod});
  EXPECT_EQ(axes.at, own.at);
  EXPECT_LT(axes.force.x, 0);  // a rod that swings is pulled inwards, along its own x axis
  EXPECT_LT(norm(rotate(world.orientation(rod), axes.torque) - own.torque), 1e-12);
}

// A state that is saved has them, and editing keeps those of joints that stay.
TEST(Reaction, IsPartOfTheState) {
  Scene s = level_rod(false, 1, 2);
  s.add_body("other", {.shape = Sphere{0.1}, .mass = 1, .position = {0, 5, 0}});
  World world = world_of(s, {.step = 0.01});
  EXPECT_EQ(norm(reaction(world, "hinge").force), 0);
  run(world, 10);
  const JointReaction now = reaction(world, "hinge");
  const std::vector<unsigned char> saved = world.save();
  World again = world_of(s, {.step = 0.01});
  ASSERT_TRUE(again.restore(saved));
  EXPECT_EQ(reaction(again, "hinge").force, now.force);
  ASSERT_TRUE(world.remove_body(world.body("other")));
  EXPECT_EQ(reaction(world, "hinge").torque, now.torque);
  ASSERT_TRUE(world.add_body("third", {.shape = Sphere{0.1}, .mass = 1, .position = {0, 7, 0}}));
  EXPECT_EQ(reaction(world, "hinge").force, now.force);
}

}  // namespace
}  // namespace stiction::test

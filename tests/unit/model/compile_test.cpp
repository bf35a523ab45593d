#include <gtest/gtest.h>

#include <cmath>

#include "stiction/model/model.h"

namespace stiction {
namespace {

Model compiled(const Scene& scene) {
  Result<Model> m = compile(scene, 3);
  EXPECT_TRUE(m) << (m ? "" : m.mistakes().front().text());
  return std::move(m).or_exit();
}

TEST(Compile, RefusesWithAllMistakes) {
  Scene s;
  s.add_body("a", {.shape = Sphere{1}});
  s.add_body("b", {.shape = Sphere{-1}, .mass = 1});
  const Result<Model> m = compile(s);
  ASSERT_FALSE(m);
  EXPECT_EQ(m.mistakes().size(), 2u);
}

TEST(Compile, MassesAndInertias) {
  Scene s;
  s.add_body("ball", {.shape = Sphere{0.5}, .density = 6 / 3.14159265358979323846});
  s.add_body("box", {.shape = Box{{1, 2, 3}}, .mass = 12});
  s.add_body("point", {.mass = 2, .particle = true});
  s.add_body("own", {.mass = 2, .inertia = Vec3{1, 2, 2.5}});
  s.add_body("floor", {.kind = fixed, .shape = HalfSpace{{0, 0, 2}, 0.5}, .mass = 7});
  const Model m = compiled(s);
  EXPECT_EQ(m.revision, 3);
  EXPECT_NEAR(m.mass[0], 1, 4e-16);  // rho 4/3 pi r^3 with r = 1/2
  EXPECT_EQ(m.mass[1], 12);
  EXPECT_NEAR(m.inertia[1].x, 13, 1e-14);  // m (y^2 + z^2)/12 with m = 12
  EXPECT_NEAR(m.inertia[1].y, 10, 1e-14);
  EXPECT_NEAR(m.inertia[1].z, 5, 1e-14);
  EXPECT_EQ(m.inertia[2], (Vec3{0, 0, 0}));
  EXPECT_EQ(m.inertia[3], (Vec3{1, 2, 2.5}));
  EXPECT_EQ(m.mass[4], 0);
  EXPECT_EQ(m.mobility, (std::vector<Mobility>{Mobility::free, Mobility::free, Mobility::particle,
                                               Mobility::free, Mobility::none}));
  EXPECT_EQ(m.collides, (std::vector<char>{1, 1, 0, 0, 1}));
  EXPECT_EQ(m.colliding, (std::vector<int>{0, 1, 4}));
  EXPECT_EQ(std::get<HalfSpace>(m.shape[4]).normal, (Vec3{0, 0, 1}));
  EXPECT_EQ(std::get<HalfSpace>(m.shape[4]).offset, 0.5);
  EXPECT_EQ(m.find_body("point"), 2);
  EXPECT_EQ(m.find_body("nobody"), -1);
}

TEST(Compile, FrictionOfPairs) {
  Scene s;
  s.add_surface("steel", {.friction = 0.4});
  s.add_surface("ice", {.friction = 0.1});
  s.add_surface("rubber", {.friction = 0.9});
  s.surface_pairs = {{"rubber", "ice", 0.25}};
  for (const char* surface : {"steel", "ice", "rubber", ""}) {
    s.add_body("b" + std::string(surface), {.kind = fixed, .surface = surface});
  }
  s.add_body("plain", {.kind = fixed});
  const Model m = compiled(s);
  EXPECT_EQ(m.friction(0, 1), std::sqrt(0.4 * 0.1));  // geometric mean
  EXPECT_EQ(m.friction(1, 0), std::sqrt(0.4 * 0.1));
  EXPECT_EQ(m.friction(0, 0), 0.4);
  EXPECT_EQ(m.friction(1, 2), 0.25);  // the pair says so
  EXPECT_EQ(m.friction(2, 1), 0.25);
  EXPECT_EQ(m.friction(2, 3), 0.9);  // takes on its partner's
  EXPECT_EQ(m.friction(3, 0), 0.4);
  EXPECT_EQ(m.friction(3, 4), 0.5);  // neither has one
}

TEST(Compile, LawsOfPairs) {
  Scene s;
  s.add_surface("steel", {.friction = 0.4, .kinetic_friction = 0.1, .spin_length = 0.02});
  s.add_surface("wood", {.friction = 0.9, .grain = {0, 3, 0}, .friction_along = 0.4, .rolling_length = 0.01});
  s.add_surface("oil", {.friction = 0.1, .stribeck_speed = 0.2, .viscous_friction = 0.3});
  s.surface_pairs = {{.a = "oil", .b = "wood", .friction = 0.2, .friction_along = 0.1, .spin_length = 0.5}};
  for (const char* surface : {"steel", "wood", "oil", ""})
    s.add_body("b" + std::string(surface), {.kind = fixed, .surface = surface});
  const Model m = compiled(s);
  const ContactLaw& mixed = m.law(0, 1);
  EXPECT_EQ(mixed.friction, std::sqrt(0.4 * 0.9));
  EXPECT_EQ(mixed.kinetic, std::sqrt(0.1 * 0.9));
  EXPECT_EQ(mixed.along, std::sqrt(0.4 / 0.9));
  EXPECT_EQ(mixed.grain, 1);  // that of the second body
  EXPECT_EQ(m.law(1, 0).grain, 0);
  EXPECT_EQ(mixed.spin, 0.02);
  EXPECT_EQ(mixed.rolling, 0.01);
  EXPECT_TRUE(mixed.jumps() && !mixed.varies());
  EXPECT_EQ(m.law(1, 3).along, 0.4 / 0.9);  // takes on its partner's, but no grain of its own
  EXPECT_EQ(m.law(1, 3).grain, 0);
  EXPECT_EQ(m.law(3, 1).grain, 1);
  const ContactLaw& given = m.law(2, 1);
  EXPECT_EQ(given.friction, 0.2);
  EXPECT_EQ(given.kinetic, 0.2);
  EXPECT_EQ(given.along, 0.1 / 0.2);
  EXPECT_EQ(given.grain, 1);
  EXPECT_EQ(given.stribeck_speed, 0.2);  // not given: the rule
  EXPECT_EQ(given.viscous, 0.3);
  EXPECT_EQ(given.spin, 0.5);
  EXPECT_EQ(given.rolling, 0.01);
  EXPECT_TRUE(m.friction_varies && m.friction_jumps && m.resists_turning && !m.surfaces_move);
}

TEST(Compile, TangentialRestitutionOfPairs) {
  Scene s;
  s.add_surface("wood", {.impact_law = ImpactLaw::sequential});
  s.add_surface("rubber", {.impact_law = ImpactLaw::superball, .tangential_restitution = 0.6});
  s.add_surface("soap", {.impact_law = ImpactLaw::superball, .tangential_restitution = -0.2});
  s.add_surface("ideal", {.impact_law = ImpactLaw::superball});
  s.surface_pairs = {{.a = "soap", .b = "wood", .tangential_restitution = 0.1}};
  for (const char* surface : {"wood", "rubber", "soap", "ideal"})
    s.add_body("b" + std::string(surface), {.kind = fixed, .surface = surface});
  const Model m = compiled(s);
  EXPECT_EQ(m.law(0, 1).impact_law, ImpactLaw::superball);
  EXPECT_EQ(m.law(0, 1).tangential, 0.6);   // only one of them throws slip back
  EXPECT_EQ(m.law(1, 2).tangential, -0.2);  // the smaller one
  EXPECT_EQ(m.law(3, 3).tangential, 1);
  EXPECT_EQ(m.law(0, 2).tangential, 0.1);  // the pair says so
}

TEST(Compile, RestitutionOfPairs) {
  Scene s;
  s.add_surface("steel", {.restitution = 0.9});
  s.add_surface("wood", {.restitution = 0.4, .impact_law = ImpactLaw::poisson});
  s.add_surface("clay", {});
  s.add_surface("ball", {.restitution = 1, .impact_law = ImpactLaw::sequential});
  s.surface_pairs = {{.a = "wood", .b = "ball", .restitution = 0.3, .impact_law = ImpactLaw::newton},
                     {.a = "clay", .b = "clay", .friction = 0.2}};
  for (const char* surface : {"steel", "wood", "clay", "ball", ""})
    s.add_body("b" + std::string(surface), {.kind = fixed, .surface = surface});
  const Model m = compiled(s);
  EXPECT_TRUE(m.bounces);
  EXPECT_EQ(m.law(0, 0).restitution, 0.9);
  EXPECT_EQ(m.law(0, 1).restitution, std::sqrt(0.9 * 0.4));
  EXPECT_EQ(m.law(1, 0).restitution, std::sqrt(0.9 * 0.4));
  EXPECT_EQ(m.law(0, 2).restitution, 0);  // what keeps all of it keeps it whatever hits it
  EXPECT_EQ(m.law(0, 4).restitution, 0.9);
  EXPECT_EQ(m.law(4, 3).restitution, 1);
  EXPECT_EQ(m.law(0, 1).impact_law, ImpactLaw::poisson);  // the later of the list
  EXPECT_EQ(m.law(3, 0).impact_law, ImpactLaw::sequential);
  EXPECT_EQ(m.law(0, 2).impact_law, ImpactLaw::newton);
  EXPECT_EQ(m.law(3, 1).restitution, 0.3);  // the pair says so
  EXPECT_EQ(m.law(1, 3).impact_law, ImpactLaw::newton);
  EXPECT_EQ(m.law(2, 2).restitution, 0);
  EXPECT_FALSE(compiled(Scene{}).bounces);
}

TEST(Compile, WhatGivesWayAddsUp) {
  Scene s;
  s.add_surface("rubber", {.stiffness = 100, .damping_time = 0.3});
  s.add_surface("foam", {.stiffness = 300});
  s.add_surface("steel", {});
  s.surface_pairs = {{.a = "foam", .b = "steel", .friction = 0.2, .stiffness = 7, .damping_time = 0.1}};
  for (const char* surface : {"rubber", "foam", "steel", ""})
    s.add_body("b" + std::string(surface), {.kind = fixed, .surface = surface});
  const Model m = compiled(s);
  EXPECT_TRUE(m.contacts_give);
  EXPECT_NEAR(m.law(0, 0).stiffness, 50, 1e-13);
  EXPECT_NEAR(m.law(0, 1).stiffness, 75, 1e-13);
  EXPECT_NEAR(m.law(1, 0).stiffness, 75, 1e-13);
  EXPECT_NEAR(m.law(0, 1).damping_time, 0.225, 1e-15);  // three quarters of the give are the rubber's
  EXPECT_NEAR(m.law(1, 0).damping_time, 0.225, 1e-15);
  EXPECT_EQ(m.law(0, 2).stiffness, 100);  // against what is rigid, and against no surface
  EXPECT_EQ(m.law(0, 3).stiffness, 100);
  EXPECT_EQ(m.law(3, 0).damping_time, 0.3);
  EXPECT_EQ(m.law(1, 2).stiffness, 7);
  EXPECT_EQ(m.law(2, 1).damping_time, 0.1);
  EXPECT_FALSE(m.law(2, 3).gives_way() || m.law(3, 3).gives_way());

  s.surface_pairs.clear(), s.surfaces.clear(), s.bodies.clear();
  s.add_surface("gum", {.young = 2e6, .poisson = 0.5});
  s.add_surface("cork", {.young = 3e6, .poisson = 0});
  s.add_body("a", {.shape = Sphere{1}, .mass = 1, .surface = "gum"});
  s.add_body("b", {.shape = Sphere{1}, .mass = 1, .surface = "cork"});
  EXPECT_NEAR(compiled(s).law(0, 1).modulus, 1 / (0.75 / 2e6 + 1 / 3e6), 1e-8);
}

TEST(Compile, HertzNeedsASphere) {
  Scene s;
  s.add_surface("gum", {.young = 2e6});
  s.add_body("floor", {.kind = fixed, .shape = HalfSpace{}, .surface = "gum"});
  s.add_body("ball", {.shape = Sphere{1}, .mass = 1});
  s.add_body("block", {.shape = Box{{1, 1, 1}}, .mass = 1, .position = {5, 0, 0}, .group = "still"});
  s.bodies[0].value.group = "still";
  EXPECT_TRUE(compile(s));
  s.bodies[0].value.group = "";
  const Result<Model> m = compile(s);
  ASSERT_FALSE(m);
  EXPECT_EQ(m.mistakes()[0].path, "bodies.block.surface");
  EXPECT_NE(m.mistakes()[0].message.find("by Hertz's law"), std::string::npos);
}

TEST(Compile, FrictionAtASlip) {
  const ContactLaw jumps{.friction = 0.5, .kinetic = 0.3, .viscous = 0.1};
  EXPECT_EQ(friction_at(jumps, false, 0), 0.5);
  EXPECT_EQ(friction_at(jumps, true, 2), 0.3 + 0.1 * 2);
  const ContactLaw smooth{.friction = 0.5, .kinetic = 0.3, .stribeck_speed = 0.2};
  EXPECT_EQ(friction_at(smooth, true, 0), 0.5);
  EXPECT_NEAR(friction_at(smooth, false, 0.2), 0.3 + 0.2 * std::exp(-1.0), 1e-15);
}

TEST(Compile, PlanarJointsAndForces) {
  Scene s;
  s.add_body("floor", {.kind = fixed, .shape = HalfSpace{}});
  s.add_body("rod", {.shape = Capsule{0.1, 1}, .mass = 1});
  s.add_body("dust", {.mass = 1, .particle = true});
  s.add_joint("plane", PlanarJoint{"rod", {0, 4, 0}});
  s.add_force("air", Drag{.linear = 1, .quadratic = 2, .angular = 3});
  s.add_force("rope", SpringDamper{.b = "rod", .point_a = {0, 0, 2}, .stiffness = 5});
  s.add_force("table", Wrench{.body = "rod", .time = {0, 1}, .force = {{1, 0, 0}, {2, 0, 0}}});
  s.add_force("constant", Wrench{.body = "rod", .torque = {{0, 1, 0}}});
  const Model m = compiled(s);
  EXPECT_EQ(m.mobility[1], Mobility::planar);
  EXPECT_EQ(m.plane_normal[1], (Vec3{0, 1, 0}));
  ASSERT_EQ(m.drags.size(), 2u);  // every dynamic body
  EXPECT_EQ(m.drags[0].body, 1);
  EXPECT_EQ(m.drags[0].angular, 3);
  EXPECT_EQ(m.drags[1].body, 2);
  EXPECT_EQ(m.drags[1].angular, 0);  // a particle
  ASSERT_EQ(m.springs.size(), 1u);
  EXPECT_EQ(m.springs[0].a, -1);
  EXPECT_EQ(m.springs[0].b, 1);
  ASSERT_EQ(m.wrenches.size(), 2u);
  EXPECT_EQ(m.wrenches[0].torque.size(), 2u);
  EXPECT_EQ(m.wrenches[1].force, (std::vector<Vec3>{{0, 0, 0}}));
  EXPECT_EQ(m.wrench_name, (std::vector<std::string>{"table", "constant"}));
}

TEST(Compile, MotionIsNormalisedAndStartsTheBody) {
  Scene s;
  Motion motion{{-1, 1}, {{0, 0, 0}, {2, 0, 0}}, {{1, 0, 0, 0}, {0, 0, 0, -1 - 1e-7}}};
  s.add_body("arm", {.kind = kinematic, .motion = motion});
  const Model m = compiled(s);
  EXPECT_EQ(m.start_position[0], (Vec3{1, 0, 0}));  // halfway at t = 0
  EXPECT_EQ(m.motion[0].orientation[1], (Quat{0, 0, 0, -1}));
  EXPECT_EQ(position_at(m.motion[0], -5), (Vec3{0, 0, 0}));
  EXPECT_EQ(position_at(m.motion[0], 5), (Vec3{2, 0, 0}));
  const Quat q = orientation_at(m.motion[0], 0);
  EXPECT_NEAR(q.w, std::sqrt(0.5), 1e-15);
  EXPECT_NEAR(q.z, -std::sqrt(0.5), 1e-15);

  s.bodies[0].value.motion.orientation = {{1, 0, 0, 0}, {-0.8, 0, 0, 0.6}};  // the same turn, other sign
  EXPECT_EQ(compiled(s).motion[0].orientation[1], (Quat{0.8, 0, 0, -0.6}));
}

TEST(Compile, CompilingAgainChangesNoBit) {
  Scene s;
  s.add_body("box", {.shape = Box{{1, 1, 1}}, .mass = 1, .orientation = {0.6000001, 0.2, 0.4, 0.6633249}});
  const Model first = compiled(s);
  const Quat q = first.scene.bodies[0].value.orientation;
  EXPECT_NEAR(norm2(q), 1, 1e-15);
  EXPECT_EQ(compiled(first.scene).scene.bodies[0].value.orientation, q);
}

}  // namespace
}  // namespace stiction

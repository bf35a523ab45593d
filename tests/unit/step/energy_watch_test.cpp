// The energy watch must be able to fail: steps whose ends are spoilt on purpose are named with their cause
// and their body, and what it says of good steps is nothing. docs/theory/ledger.md.
#include "stiction/step/energy_watch.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "stiction/step/coulomb_step.h"

namespace stiction {
namespace {

constexpr double g = 10, h = 0.01;

/// A cube of 1 kg and 0.2 m on a floor, `deep` in it.
Model cube_on_floor(const Vec3& velocity, double deep = 0, bool belt = false) {
  Scene s{.gravity = {0, 0, -g}};
  s.add_surface("s", {.friction = 0.5});
  s.add_surface("belt", {.friction = 0.5, .surface_velocity = {belt ? 2.0 : 0.0, 0, 0}});
  s.add_body("floor", {.kind = fixed, .shape = HalfSpace{}, .surface = belt ? "belt" : "s"});
  s.add_body("cube", {.shape = Box{{0.2, 0.2, 0.2}},
                      .mass = 1,
                      .position = {0, 0, 0.1 - deep},
                      .velocity = velocity,
                      .surface = "s"});
  return compile(s).or_exit();
}

struct Watched {
  Certificate certificate;
  StepReport report;
  Entries entries;
};

/// A step from the State, watched again after its end was spoilt.
template <class Spoil>
Watched watched(const Vec3& velocity, const Spoil& spoil) {
  const Model m = cube_on_floor(velocity);
  const State start = initial_state(m, h);
  State x = start;
  step::Workspace w;
  const StepReport report = step::coulomb_step(m, {.h = h}, {}, x, w);
  EXPECT_TRUE(report.converged);
  spoil(w);
  w.entries = {}, w.certificate.converged = true;
  step::watch_contacts(m, start, h, w);
  step::watch_step(m, start, report.kinetic_free, w);
  Watched out{w.certificate, report, w.entries};
  out.report.reason = step::added_by_contacts;
  step::blame_energy(w, out.report);
  return out;
}

TEST(EnergyWatch, SaysNothingOfGoodSteps) {
  for (const Vec3& v : {Vec3{}, Vec3{1, 0, 0}, Vec3{1, -2, 0}, Vec3{0, 0, 0.05}, Vec3{0, 0, -3}}) {
    const Watched found = watched(v, [](step::Workspace&) {});
    EXPECT_TRUE(found.certificate.converged);
    EXPECT_LE(found.certificate.energy, 1e-9) << v.x << " " << v.z;
  }
}

// v = 1 m/s, braked by mu g h: r.u+ - |dv|^2/2 is the energy that it loses, m (v+^2 - v^2)/2, since it does
// not move up or down.
TEST(EnergyWatch, HasWhatFrictionTakes) {
  const Watched found = watched({1, 0, 0}, [](step::Workspace&) {});
  const double end = 1 - 0.5 * g * h;
  EXPECT_NEAR(found.entries.added, 0.5 * (end * end - 1), 1e-9);
}

// Thrown up by 1 m/s where it should rest: r.u+ = m g h v, less the v^2/2 that the step loses.
TEST(EnergyWatch, SeesABodyThatIsThrownUp) {
  const double v = 0.01;
  const Watched found = watched({}, [&](step::Workspace& w) { w.next.velocity[1].z += v; });
  EXPECT_FALSE(found.certificate.converged);
  const double added = g * h * v - 0.5 * v * v, free = 0.5 * g * h * g * h;
  EXPECT_NEAR(found.entries.added, added, 1e-9);
  EXPECT_NEAR(found.certificate.energy, added / free, 1e-5);
  EXPECT_STREQ(found.report.reason, "energy that contacts added");
  EXPECT_EQ(found.report.worst_body_a, 0);
  EXPECT_EQ(found.report.worst_body_b, 1);
}

TEST(EnergyWatch, SeesFrictionThatDrives) {
  const Watched found = watched({1, 0, 0}, [](step::Workspace& w) {
    for (step::WorkContact& c : w.contacts) c.impulse.x = -c.impulse.x;
  });
  EXPECT_FALSE(found.certificate.converged);
  EXPECT_STREQ(found.report.reason, "energy that friction added");
}

// Lifted by 0.1 mm without need: m g 1e-4 over E = m (g h)^2/2.
TEST(EnergyWatch, SeesStabilisationThatLifts) {
  const Watched found = watched({}, [](step::Workspace& w) {
    w.stabilised = true, w.before_stabilise = w.next;
    w.next.position[1].z += 1e-4;
  });
  EXPECT_FALSE(found.certificate.converged);
  EXPECT_NEAR(found.certificate.energy, g * 1e-4 / (0.5 * g * h * g * h), 1e-4);
  EXPECT_STREQ(found.report.reason, "energy that stabilisation added");
  EXPECT_EQ(found.report.worst_body_a, 1);
  EXPECT_EQ(found.report.worst_body_b, -1);
}

// What the scene begins with is pushed apart, booked, and not held against the run.
TEST(EnergyWatch, OverlapOfTheSceneIsTheScenes) {
  const Model m = cube_on_floor({}, 1e-3);
  State x = initial_state(m, h);
  step::Workspace w;
  for (int i = 0; i < 5; ++i) {
    const StepReport r = step::coulomb_step(m, {.h = h}, {}, x, w);
    EXPECT_TRUE(r.converged) << r.explain();
  }
  EXPECT_NEAR(x.position[1].z, 0.1, 1e-8);
  EXPECT_NEAR(x.ledger.booked(Cause::stabilisation), g * 1e-3, 1e-6);
  EXPECT_LE(x.ledger.contact_rise(), 1e-9);
  EXPECT_LE(x.ledger.unexplained_rise(), 1e-6);
}

// A belt drags a cube along: all the energy that it gets is the belt's.
TEST(EnergyWatch, WhatABeltGivesIsNotTheContacts) {
  const Model m = cube_on_floor({}, 0, true);
  State x = initial_state(m, h);
  step::Workspace w;
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(step::coulomb_step(m, {.h = h}, {}, x, w).converged);
  EXPECT_GT(x.ledger.now().kinetic, 0.4);
  EXPECT_LE(x.ledger.contact_rise(), 1e-9);
}

// The memory of the run is State: what is loaded goes on as what was saved.
TEST(EnergyWatch, TheEnergyOfTheRunIsSavedAndHashed) {
  const Model m = cube_on_floor({1, 0, 0});
  State x = initial_state(m, h);
  step::Workspace w;
  step::coulomb_step(m, {.h = h}, {}, x, w);
  EXPECT_NEAR(x.ledger.energy_of_run(), 0.5 + 0.5 * g * h * g * h, 1e-12);  // its free motion falls by g h
  std::vector<unsigned char> bytes;
  save(x, bytes);
  const State again = load(m, bytes).or_exit();
  EXPECT_EQ(again.ledger.energy_of_run(), x.ledger.energy_of_run());
  EXPECT_EQ(again.hash(), x.hash());
}

}  // namespace
}  // namespace stiction

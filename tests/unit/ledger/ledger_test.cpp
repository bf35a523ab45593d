#include "stiction/ledger/ledger.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <set>
#include <string>

namespace stiction {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

TEST(Ledger, NamesAreAllDifferent) {
  std::set<std::string> names;
  for (int i = 0; i < cause_count; ++i) names.insert(name(Cause(i)));
  EXPECT_EQ(names.size(), std::size_t(cause_count));
  EXPECT_EQ(names.count("unknown"), 0u);
  EXPECT_STREQ(name(Cause::stabilisation), "stabilisation");
}

TEST(Ledger, EmptyBooksBalance) {
  Ledger ledger;
  EXPECT_EQ(ledger.relative_imbalance(), 0);
  ledger.open({});
  ledger.post({}, {});
  EXPECT_EQ(ledger.imbalance(), 0);
  EXPECT_EQ(ledger.scale(), 0);
  EXPECT_EQ(ledger.relative_imbalance(), 0);
  EXPECT_EQ(ledger.momentum_imbalance(), Vec3{});
  EXPECT_EQ(ledger.angular_momentum_scale(), 0);
}

// 3 J of friction may be taken, and 1 J of them given back, against 2 J of kinetic energy; the rise since the
// lowest counts, not the sum.
TEST(Ledger, RisesCountFromTheLowestPoint) {
  Ledger ledger;
  ledger.open({.kinetic = 2});
  const auto post = [&](Cause cause, double joules, double added) {
    Entries e;
    e.book(cause, joules);
    e.added = added;
    Totals now = ledger.now();
    now.kinetic = 1;
    ledger.post(e, now);
  };
  post(Cause::friction, -3, -3);
  EXPECT_EQ(ledger.contact_rise(), 0);
  EXPECT_EQ(ledger.unexplained_rise(), 0);
  post(Cause::friction, 1, 1);
  EXPECT_NEAR(ledger.contact_rise(), 0.5, 1e-8);
  EXPECT_NEAR(ledger.unexplained_rise(), 0.5, 1e-8);
  post(Cause::friction, -1, -1);
  EXPECT_NEAR(ledger.contact_rise(), 0.5, 1e-8);  // it has been so
}

TEST(Ledger, SpringsAreMeasuredByThemselves) {
  Ledger ledger;
  ledger.open({.kinetic = 100});
  for (const double share : {0.1, 0.4, 0.2}) {
    Entries e;
    e.spring_share = share;
    ledger.post(e, ledger.start());
  }
  EXPECT_EQ(ledger.spring_rise(), 0.4);
  EXPECT_EQ(ledger.world_rise(), 0);
  EXPECT_EQ(ledger.unexplained_rise(), 0.4);
}

TEST(Ledger, SourcesExplainWhatTheyBring) {
  Ledger ledger;
  ledger.open({});
  Entries e;
  e.book(Cause::motor, 5);
  ledger.post(e, {.kinetic = 5});
  EXPECT_EQ(ledger.unexplained_rise(), 0);
  Entries n;
  n.book(Cause::numerics, 1);
  ledger.post(n, {.kinetic = 6});
  EXPECT_NEAR(ledger.unexplained_rise(), 1.0 / 11, 1e-8);  // over 6 J of the run and 5 J of the motor
}

TEST(Ledger, EnergyOfTheRunIsTheLargestKineticAndTheWholeChangeOfPotential) {
  Ledger ledger;
  ledger.open({.kinetic = 1, .gravity_potential = 10});
  ledger.post({}, {.kinetic = 4, .gravity_potential = 7});
  ledger.post({}, {.kinetic = 2, .gravity_potential = 9, .spring_potential = 3});
  EXPECT_EQ(ledger.energy_of_run(), 4 + (12 - 7));
  Entries e;
  e.free = 6;  // on the way of a step
  ledger.post(e, {.gravity_potential = 10});
  EXPECT_EQ(ledger.energy_of_run(), 6 + (12 - 7));
}

// 2 kg fall from rest under 10 m/s^2 with steps of 1/8 s (all numbers exact in binary): semi-implicit Euler,
// v+ = v - g h, z+ = z + h v+. Gravity does the work -m g h (v + v+) / 2 on the body while its potential
// energy changes by m g h v+; numerics is the sum of the two, m g h (v+ - v) / 2.
TEST(Ledger, FallingBodyBalancesExactly) {
  const double m = 2, g = 10, h = 0.125;
  double v = 0, z = 0;
  Ledger ledger;
  ledger.open({});
  for (int i = 0; i < 40; ++i) {
    const double v1 = v - g * h;
    Entries e;
    e.book(Cause::gravity, -m * g * h * (v + v1) / 2);
    e.book(Cause::numerics, m * g * h * (v1 - v) / 2);
    e.book(Cause::gravity, {0, 0, -m * g * h}, {});
    z += h * v1, v = v1;
    ledger.post(e, {.kinetic = m * v * v / 2, .gravity_potential = m * g * z, .momentum = {0, 0, m * v}});
  }
  EXPECT_EQ(ledger.imbalance(), 0);
  EXPECT_EQ(ledger.momentum_imbalance(), Vec3{});
  EXPECT_EQ(ledger.booked(Cause::gravity), m * v * v / 2);
  EXPECT_EQ(ledger.booked_momentum(Cause::gravity), (Vec3{0, 0, m * v}));
  // KE + |PE| + |work| + |numerics|, and |p| + |impulse|.
  EXPECT_EQ(ledger.scale(), m * v * v / 2 - m * g * z + m * v * v / 2 + 40 * m * g * h * g * h / 2);
  EXPECT_EQ(ledger.momentum_scale(), 2 * m * -v);
}

TEST(Ledger, AMissingEntryShows) {
  Ledger ledger;
  ledger.open({.kinetic = 3, .momentum = {1, 0, 0}, .angular_momentum = {0, 0, 4}});
  Entries e;
  e.book(Cause::friction, -1.0);
  e.book(Cause::friction, {-0.25, 0, 0}, {0, 0, -1});
  ledger.post(e, {.kinetic = 1.5, .momentum = {0.5, 0, 0}, .angular_momentum = {0, 0, 2.5}});
  EXPECT_EQ(ledger.imbalance(), -0.5);
  EXPECT_EQ(ledger.scale(), 2.5);
  EXPECT_EQ(ledger.relative_imbalance(), 0.2);
  EXPECT_EQ(ledger.momentum_imbalance(), (Vec3{-0.25, 0, 0}));
  EXPECT_EQ(ledger.angular_momentum_imbalance(), (Vec3{0, 0, -0.5}));
  EXPECT_EQ(ledger.momentum_scale(), 0.75);
  EXPECT_EQ(ledger.angular_momentum_scale(), 3.5);
  EXPECT_EQ(ledger.booked_angular_momentum(Cause::friction), (Vec3{0, 0, -1}));
}

TEST(Ledger, WorkOfPotentialsStaysInside) {
  for (int i = 0; i < cause_count; ++i) {
    Ledger ledger;
    ledger.open({});
    Entries e;
    e.book(Cause(i), 1.0);
    ledger.post(e, {});
    EXPECT_EQ(ledger.imbalance(), is_potential(Cause(i)) ? 0.0 : -1.0) << name(Cause(i));
    EXPECT_EQ(ledger.booked(Cause(i)), 1.0);
    EXPECT_EQ(ledger.scale(), 1.0);
  }
}

// A million entries of 1e-10 J beside 1e6 J: a plain sum would keep none of them exactly (the unit in the
// last place at 1e6 is 1.2e-10). True sum 1e6 + 1e-4; the compensated sum has an error of about one rounding.
TEST(Ledger, LongRunsKeepSmallEntries) {
  Ledger ledger;
  ledger.open({});
  Entries first;
  first.book(Cause::drag, -1e6);
  ledger.post(first, {});
  Entries small;
  small.book(Cause::drag, -1e-10);
  for (int i = 0; i < 1000000; ++i) ledger.post(small, {});
  EXPECT_NEAR(ledger.booked(Cause::drag), -1e6 - 1e-4, 2 * eps * 1e6);
}

TEST(Ledger, OpenStartsAfresh) {
  Ledger ledger;
  Entries e;
  e.book(Cause::input, 5.0);
  e.book(Cause::input, {1, 2, 3}, {4, 5, 6});
  ledger.post(e, {.kinetic = 5});
  ledger.open({.kinetic = 7});
  EXPECT_EQ(ledger.booked(Cause::input), 0);
  EXPECT_EQ(ledger.imbalance(), 0);
  EXPECT_EQ(ledger.scale(), 7);
  EXPECT_EQ(ledger.momentum_imbalance(), Vec3{});
}

TEST(Ledger, ABytewiseCopyIsTheLedger) {
  Ledger ledger;
  ledger.open({.kinetic = 1});
  Entries e;
  e.book(Cause::drag, -0.1);
  ledger.post(e, {.kinetic = 0.9});
  Ledger copy;
  std::memcpy(static_cast<void*>(&copy), &ledger, sizeof ledger);
  copy.post(e, {.kinetic = 0.8});
  ledger.post(e, {.kinetic = 0.8});
  EXPECT_EQ(copy.imbalance(), ledger.imbalance());
  EXPECT_EQ(copy.scale(), ledger.scale());
}

}  // namespace
}  // namespace stiction

#include "stiction/dynamics/rotation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "stiction/base/hash.h"

namespace stiction {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

const Vec3 inertia{1.0, 2.0, 2.6};  // fulfils the triangle inequality: a body like this exists
const Quat tilted = normalized(Quat{0.8, 0.3, -0.4, 0.2});

struct Body {
  Quat orientation;
  Vec3 spin;
};

Vec3 angular_momentum(const Body& b, const Vec3& I) {
  return rotate(b.orientation, times(I, rotate_back(b.orientation, b.spin)));
}
double energy(const Body& b, const Vec3& I) {
  const Vec3 w = rotate_back(b.orientation, b.spin);
  return 0.5 * dot(w, times(I, w));
}
Body run(Body b, const Vec3& I, double h, int steps) {
  for (int i = 0; i < steps; ++i) {
    const RotationStep next = rotate_freely(I, b.orientation, b.spin, h);
    b = {next.orientation, next.spin};
  }
  return b;
}

// Independent reference: classical Runge-Kutta on Euler's equations in body axes and dq/dt = q (0, w) / 2.
struct Rates {
  Vec3 w;
  Quat q;
};
Rates rates(const Vec3& I, const Vec3& w, const Quat& q) {
  const Vec3 l = times(I, w), torque = cross(l, w);
  const Quat r = q * Quat{0, 0.5 * w.x, 0.5 * w.y, 0.5 * w.z};
  return {{torque.x / I.x, torque.y / I.y, torque.z / I.z}, r};
}
Quat plus(const Quat& q, double s, const Quat& r) {
  return {q.w + s * r.w, q.x + s * r.x, q.y + s * r.y, q.z + s * r.z};
}
Body runge_kutta(Body b, const Vec3& I, double duration, int steps) {
  const double h = duration / steps;
  Vec3 w = rotate_back(b.orientation, b.spin);
  Quat q = b.orientation;
  for (int i = 0; i < steps; ++i) {
    const Rates k1 = rates(I, w, q);
    const Rates k2 = rates(I, w + 0.5 * h * k1.w, plus(q, 0.5 * h, k1.q));
    const Rates k3 = rates(I, w + 0.5 * h * k2.w, plus(q, 0.5 * h, k2.q));
    const Rates k4 = rates(I, w + h * k3.w, plus(q, h, k3.q));
    w += h / 6 * (k1.w + 2.0 * k2.w + 2.0 * k3.w + k4.w);
    q = plus(plus(plus(plus(q, h / 6, k1.q), h / 3, k2.q), h / 3, k3.q), h / 6, k4.q);
  }
  q = normalized(q);
  return {q, rotate(q, w)};
}
double difference(const Body& a, const Body& b) {
  const Quat d = conjugate(a.orientation) * b.orientation;
  return 2 * norm(Vec3{d.x, d.y, d.z}) + norm(a.spin - b.spin);
}

// 1e5 steps round off about 40 times each at eps / 2 of the spin; independent, they add up to about
// sqrt(4e6) eps / 2 = 2e-13, all in one direction to 4e-10. Both invariants must show the first.
TEST(FreeRotation, KeepsEnergyAndAngularMomentum) {
  for (const double h : {0.001, 0.01, 0.1}) {
    Body b{tilted, {1.0, 6.0, -2.0}};
    const Vec3 l0 = angular_momentum(b, inertia);
    const double e0 = energy(b, inertia);
    double worst_energy = 0, worst_length = 0, worst_vector = 0;
    for (int block = 0; block < 1000; ++block) {
      b = run(b, inertia, h, 100);
      const Vec3 l = angular_momentum(b, inertia);
      worst_energy = std::max(worst_energy, std::fabs(energy(b, inertia) / e0 - 1));
      worst_length = std::max(worst_length, std::fabs(norm(l) / norm(l0) - 1));
      worst_vector = std::max(worst_vector, norm(l - l0) / norm(l0));
    }
    EXPECT_LT(worst_energy, 1e-12) << h;
    EXPECT_LT(worst_length, 1e-12) << h;
    EXPECT_LT(worst_vector, 1e-12) << h;
    EXPECT_NEAR(norm2(b.orientation), 1, 4 * eps);
    const std::string where = " at h = " + std::to_string(h);
    RecordProperty("energy" + where, std::to_string(worst_energy / eps) + " eps");
    RecordProperty("angular momentum" + where, std::to_string(worst_vector / eps) + " eps");
  }
}

// One step: some 40 roundings of eps / 2, at most 20 eps.
TEST(FreeRotation, OneStepKeepsTheAngularMomentumVector) {
  for (const double h : {1e-4, 0.01, 0.1, 0.3}) {
    const Body b{tilted, {3.0, -4.0, 2.0}};
    const Body next = run(b, inertia, h, 1);
    const Vec3 l0 = angular_momentum(b, inertia);
    EXPECT_LT(norm(angular_momentum(next, inertia) - l0), 20 * eps * norm(l0)) << h;
    EXPECT_NEAR(energy(next, inertia), energy(b, inertia), 20 * eps * energy(b, inertia)) << h;
  }
}

TEST(FreeRotation, FulfilsTheMidpointRule) {
  const Body b{tilted, {3.0, -4.0, 2.0}};
  const double h = 0.1;
  const RotationStep next = rotate_freely(inertia, b.orientation, b.spin, h);
  const Vec3 w0 = rotate_back(b.orientation, b.spin), w1 = rotate_back(next.orientation, next.spin);
  const Vec3 wm = 0.5 * (w0 + w1);
  const Vec3 residual = times(inertia, w1 - w0) - h * cross(times(inertia, wm), wm);
  EXPECT_LT(norm(residual), 40 * eps * norm(times(inertia, w0)));
  const Quat turn = b.orientation * cayley(h * wm);
  EXPECT_NEAR(turn.w * next.orientation.w + turn.x * next.orientation.x + turn.y * next.orientation.y +
                  turn.z * next.orientation.z,
              1, 8 * eps);
}

TEST(FreeRotation, SecondOrder) {
  const Body start{tilted, {1.0, 3.0, -2.0}};
  const double duration = 2;
  const Body exact = runge_kutta(start, inertia, duration, 20000);  // its own error: (1e-4 * 4)^4 = 3e-14
  double before = 0;
  for (const int steps : {100, 200, 400, 800}) {
    const double error = difference(run(start, inertia, duration / steps, steps), exact);
    if (before > 0) {
      EXPECT_NEAR(std::log2(before / error), 2, 0.02) << steps;
    }
    before = error;
  }
  EXPECT_LT(before, 1e-3);
}

TEST(FreeRotation, RunsBackwards) {
  const Body start{tilted, {1.0, 3.0, -2.0}};
  Body b = run(start, inertia, 0.05, 200);
  b = run(b, inertia, -0.05, 200);
  EXPECT_LT(difference(b, start),
            1e-12);  // symmetric rule: what remains is round-off, amplified by the motion
}

// A body that spins about its middle axis turns over again and again. With E and l fixed, the middle
// component is w2 = -+ sqrt(a) sn(...), and the time between reversals is half of the period 4 K(m) / lambda,
// where (for I1 < I2 < I3 and l^2 > 2 E I2)
//   lambda^2 = (I3 - I2)(l^2 - 2 E I1) / (I1 I2 I3),  m = (I2 - I1)(2 E I3 - l^2) / ((I3 - I2)(l^2 - 2 E I1))
// (Landau, Lifshitz, Mechanics, section 37). K by the arithmetic-geometric mean: K = pi / (2 agm(1,
// sqrt(1-m))).
TEST(FreeRotation, MiddleAxisTurnsOverInTime) {
  const Vec3 I = inertia;
  const Vec3 w0{0, 3.0, 0.02};
  const double twice_energy = dot(w0, times(I, w0)), l2 = norm2(times(I, w0));
  ASSERT_GT(l2, twice_energy * I.y);
  const double lambda = std::sqrt((I.z - I.y) * (l2 - twice_energy * I.x) / (I.x * I.y * I.z));
  const double m = (I.y - I.x) * (twice_energy * I.z - l2) / ((I.z - I.y) * (l2 - twice_energy * I.x));
  double a = 1, g = std::sqrt(1 - m);
  for (int i = 0; i < 20; ++i) {
    const double mean = 0.5 * (a + g);
    g = std::sqrt(a * g), a = mean;
  }
  const double half_period = 2 * (std::acos(-1.0) / (2 * a)) / lambda;

  const double h = 1e-3;
  Body b{tilted, rotate(tilted, w0)};
  double previous = w0.y, last_crossing = -1;
  int reversals = 0;
  for (int i = 1; reversals < 6; ++i) {
    ASSERT_LT(i, 200000);
    b = run(b, I, h, 1);
    const double w2 = rotate_back(b.orientation, b.spin).y;
    if ((w2 > 0) != (previous > 0)) {
      const double crossing = h * (i - 1 + previous / (previous - w2));
      if (last_crossing > 0) {
        EXPECT_NEAR(crossing - last_crossing, half_period, 2e-5 * half_period);  // (h |w|)^2 = 9e-6
      }
      last_crossing = crossing;
      ++reversals;
    }
    previous = w2;
  }
}

TEST(FreeRotation, SymmetricTopPrecessesSteadily) {
  // I1 = I2: the spin about the symmetry axis is constant, and the axis keeps its angle to l.
  const Vec3 I{1.5, 1.5, 0.4};
  const Body start{tilted, {2.0, 1.0, 5.0}};
  const double w3 = rotate_back(start.orientation, start.spin).z;
  const Vec3 l = normalized(angular_momentum(start, I));
  const double cosine = dot(l, rotate(start.orientation, {0, 0, 1}));
  Body b = start;
  for (int i = 0; i < 1000; ++i) {  // sqrt(1000 * 40) roundings of eps / 2 = 2e-14, times 5
    b = run(b, I, 0.01, 1);
    ASSERT_NEAR(rotate_back(b.orientation, b.spin).z, w3, 1e-13 * norm(start.spin));
    ASSERT_NEAR(dot(l, rotate(b.orientation, {0, 0, 1})), cosine, 1e-13);
  }
}

TEST(FreeRotation, SphereKeepsItsSpin) {
  const Vec3 spin{3, -2, 7};
  const double h = 0.02;
  const RotationStep next = rotate_freely({0.4, 0.4, 0.4}, tilted, spin, h);
  EXPECT_EQ(next.spin, spin);
  // The same formulas hold for a body that is a sphere but for round-off.
  const RotationStep nearly = rotate_freely({0.4, 0.4, 0.4 * (1 + 2 * eps)}, tilted, spin, h);
  EXPECT_LT(norm(nearly.spin - spin), 20 * eps * norm(spin));
  EXPECT_LT(difference({next.orientation, next.spin}, {nearly.orientation, nearly.spin}), 100 * eps);
  // World axes: the turn is by 2 atan(h |w| / 2) about the spin.
  const Quat turn = next.orientation * conjugate(tilted);
  EXPECT_LT(norm(Vec3{turn.x, turn.y, turn.z} / turn.w - 0.5 * h * spin), 20 * eps);
}

TEST(FreeRotation, NoSpinNoMotion) {
  const RotationStep next = rotate_freely(inertia, tilted, {0, 0, 0}, 0.01);
  EXPECT_EQ(next.spin, Vec3{});
  EXPECT_LT(difference({next.orientation, {}}, {tilted, {}}), 4 * eps);
  // So slow that squares underflow.
  const RotationStep slow = rotate_freely(inertia, tilted, {1e-200, 2e-200, 0}, 0.01);
  EXPECT_LT(norm(slow.spin * 1e200 - Vec3{1, 2, 0}), 10 * eps);
}

// Bodies side by side give the bits of each one alone, wherever a batch begins and whatever its neighbours
// need: substitution, Newton or halving. The counts leave every remainder of the batch size.
TEST(FreeRotation, ManyBodiesAtOnceGiveTheSameBits) {
  std::vector<Vec3> I, spin;
  std::vector<Quat> q;
  for (int i = 0; i < 133; ++i) {
    const double a = 0.37 * i;
    I.push_back(i % 5 == 0 ? Vec3{0.7, 0.7, 0.7} : Vec3{1 + 0.01 * i, 2, 2.5 - 0.005 * i});
    q.push_back(normalized(Quat{1, std::sin(a), std::cos(a), 0.1 * a}));
    const double speed = i % 7 == 0 ? 0 : i % 11 == 0 ? 300 : i % 13 == 0 ? 1e5 : i % 3 == 0 ? 30 : 2;
    spin.push_back(speed * Vec3{std::cos(a), std::sin(2 * a), 0.5});
  }
  for (std::size_t first = 0; first < 40; first += 3) {
    const std::size_t count = spin.size() - 2 * first;
    std::vector<Quat> q_end(count);
    std::vector<Vec3> spin_end(count);
    const double h = 0.01;
    rotate_freely(std::span(I).subspan(first, count), std::span(q).subspan(first, count),
                  std::span(spin).subspan(first, count), h, q_end, spin_end);
    for (std::size_t i = 0; i < count; ++i) {
      const RotationStep alone = rotate_freely(I[first + i], q[first + i], spin[first + i], h);
      ASSERT_EQ(q_end[i], alone.orientation) << first << " " << i;
      ASSERT_EQ(spin_end[i], alone.spin) << first << " " << i;
    }
  }
  // In place.
  std::vector<Quat> q_end(q.size());
  std::vector<Vec3> spin_end(q.size());
  rotate_freely(I, q, spin, 0.01, q_end, spin_end);
  rotate_freely(I, q, spin, 0.01, q, spin);
  EXPECT_EQ(q, q_end);
  EXPECT_EQ(spin, spin_end);
}

// The same bits from every compiler, optimisation level and register width: the value was recorded once.
TEST(FreeRotation, SameBitsEverywhere) {
  std::vector<Vec3> I(64), spin(64);
  std::vector<Quat> q(64);
  for (std::size_t i = 0; i < 64; ++i) {
    const double a = double(i) / 64;
    I[i] = {1 + a, 2, 2.5 - a / 2};
    q[i] = normalized(Quat{1, a, 1 - a, a * a});
    spin[i] = (i % 4 == 0 ? 40 : 3) * Vec3{1 - a, a, 0.3};
  }
  for (int step = 0; step < 200; ++step) rotate_freely(I, q, spin, 0.01, q, spin);
  Hash hash;
  for (std::size_t i = 0; i < 64; ++i)
    for (const double x : {q[i].w, q[i].x, q[i].y, q[i].z, spin[i].x, spin[i].y, spin[i].z}) hash.number(x);
  EXPECT_EQ(hash.result(), 9781809238585245245ull);
}

// Far beyond any sensible step (20 to 2000 rad in a step): it ends, and the invariants hold. Up to 2^12 parts
// with some 40 roundings each: sqrt(2^12 * 40) eps / 2 = 200 eps, times 5.
TEST(FreeRotation, CoarseStepsKeepTheInvariants) {
  for (const double h : {2.0, 20.0, 200.0}) {
    const Body b{tilted, {3.0, -9.0, 2.0}};
    const Body next = run(b, inertia, h, 1);
    ASSERT_TRUE(is_finite(next.orientation) && is_finite(next.spin)) << h;
    const Vec3 l0 = angular_momentum(b, inertia);
    EXPECT_LT(norm(angular_momentum(next, inertia) - l0), 1000 * eps * norm(l0)) << h;
    EXPECT_NEAR(energy(next, inertia), energy(b, inertia), 1000 * eps * energy(b, inertia)) << h;
  }
}

TEST(FreeRotation, AFastWheelIsNoCoarseStep) {
  const RotationStep next = rotate_freely(inertia, Quat{}, {0, 0, 1e7}, 0.1);
  EXPECT_EQ(next.spin.z, 1e7);
  EXPECT_TRUE(is_finite(next.orientation));
}

TEST(FreeRotation, NonsenseIsNotFinite) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  for (const double bad : {nan, inf, -inf}) {
    const RotationStep next = rotate_freely(inertia, tilted, {1, bad, 2}, 0.01);
    EXPECT_FALSE(is_finite(next.spin) && is_finite(next.orientation));
  }
  // 1e12 rad in one step.
  EXPECT_FALSE(is_finite(rotate_freely(inertia, tilted, {1e12, 1e12, 1e12}, 1.0).orientation));
}

}  // namespace
}  // namespace stiction

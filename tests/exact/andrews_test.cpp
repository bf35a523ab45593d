// Andrews' squeezing mechanism: seven planar bodies, ten hinges, three closed loops, a spring and a motor
// that turns the crank two and a half times in 0.03 s. A standard test of programs for
// differential-algebraic equations.
//
// Geometry, parameters, start and end: Test Set for IVP Solvers (F. Mazzia, C. Magherini, University of
// Bari), problem "andrews", andrews.f revision 1.2 of 2006; the end values there were computed with PSIDE in
// Cray double precision at tolerances of 1e-14. W. Schiehlen (ed.), Multibody Systems Handbook, Springer
// 1990; E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, VII.7.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "support/laws.h"
#include "support/run.h"

namespace stiction::test {
namespace {

constexpr double d = 0.028, da = 0.0115, e = 0.02, ea = 0.01421, rr = 0.007, ra = 0.00092, ss = 0.035,
                 sa = 0.01874, sb = 0.01043, sc = 0.018, sd = 0.02, ta = 0.02308, tb = 0.00916, u = 0.04,
                 ua = 0.01228, ub = 0.00449, zf = 0.02, zt = 0.04, fa = 0.01421;       // [m]
constexpr Vec3 A{-0.06934, -0.00227, 0}, B{-0.03635, 0.03273, 0}, C{0.014, 0.072, 0};  // [m] on the ground
constexpr double mass[7] = {0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498};  // [kg]
constexpr double inertia[7] = {2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5};

/// beta, Theta, gamma, Phi, delta, Omega, epsilon of the test set, or their rates.
using Coordinates = std::array<double, 7>;
constexpr Coordinates start{-0.0617138900142764496358948458001, 0,
                            0.455279819163070380255912382449,   0.222668390165885884674473185609,
                            0.487364979543842550225598953530,   -0.222668390165885884674473185609,
                            1.23054744454982119249735015568};
constexpr Coordinates end_places{0.1581077119629904e2, -0.1575637105984298e2, 0.4082224013073101e-1,
                                 -0.5347301163226948,  0.5244099658805304,    0.5347301163226948,
                                 0.1048080741042263e1};
constexpr Coordinates end_rates{0.1139920302151208e4, -0.1424379294994111e4, 0.1103291221937134e2,
                                0.1929337464421385e2, 0.5735699284790808,    -0.1929337464421385e2,
                                0.3231791658026955};

Vec3 along(double angle) { return {std::cos(angle), std::sin(angle), 0}; }
Vec3 across(double angle) { return {std::sin(angle), -std::cos(angle), 0}; }

/// [rad] how far each body is turned; the frame of a body has its x along `along` of this angle.
std::array<double, 7> turns(const Coordinates& p) {
  return {p[0], p[0] + p[1], p[2], p[3] + p[4], p[4], p[5] + p[6], p[6]};
}
/// The same backwards, for angles and for rates.
Coordinates coordinates(const std::array<double, 7>& t) {
  return {t[0], t[1] - t[0], t[2], t[3] - t[4], t[4], t[5] - t[6], t[6]};
}

Scene squeezer() {
  const std::array<double, 7> t = turns(start);
  const Vec3 crank = rr * along(t[0]), meet = crank - d * along(t[1]);
  const Vec3 knee5 = A + zt * along(t[4]), knee7 = A + u * across(t[6]);
  const Vec3 centre[7] = {ra * along(t[0]),
                          crank - da * along(t[1]),
                          B + sa * across(t[2]) + sb * along(t[2]),
                          knee5 + (e - ea) * across(t[3]),
                          A + ta * along(t[4]) - tb * across(t[4]),
                          knee7 + (zf - fa) * along(t[5]),
                          A + ua * across(t[6]) - ub * along(t[6])};
  Scene s;
  for (std::size_t i = 0; i < 7; ++i) {
    const std::string name = "k" + std::to_string(i + 1);
    s.add_body(name, {.mass = mass[i],
                      .position = centre[i],
                      .orientation = {std::cos(t[i] / 2), 0, 0, std::sin(t[i] / 2)},
                      .inertia = Vec3{inertia[i], inertia[i], inertia[i]}});
    s.add_joint("plane" + std::to_string(i + 1), PlanarJoint{.body = name, .normal = {0, 0, 1}});
  }
  const auto hinge = [&](const char* body, const char* parent, const Vec3& at) {
    s.add_joint(std::string(body) + "_" + parent,
                ConstraintJoint{.kind = constraints::Kind::hinge, .body = body, .parent = parent, .at = at});
  };
  hinge("k1", "", {}), hinge("k2", "k1", crank), hinge("k3", "", B), hinge("k3", "k2", meet);
  hinge("k5", "", A), hinge("k4", "k5", knee5), hinge("k4", "k2", meet);
  hinge("k7", "", A), hinge("k6", "k7", knee7), hinge("k6", "k2", meet);
  s.add_force("motor", Wrench{.body = "k1", .torque = {{0, 0, 0.033}}});
  s.add_force("spring", SpringDamper{.b = "k3",
                                     .point_a = C,
                                     .point_b = {sd - sb, sa - sc, 0},
                                     .stiffness = 4530,
                                     .rest_length = 0.07785});
  return s;
}

struct End {
  Coordinates place{}, rate{};
};
/// The end of a run with n steps.
End end_of_run(int n) {
  World world = world_of(squeezer(), {.step = 0.03 / n});
  Worst worst(world);
  std::array<double, 7> turn = turns(start), rate{};
  std::array<Quat, 7> last;
  for (std::size_t i = 0; i < 7; ++i) last[i] = world.state().orientation[i];
  run(world, n, [&](const World& w, const StepReport& r) {
    if (w.state().step_count % 100 == 0) worst.look(w, r);
    worst.unconverged += !r.converged;
    for (std::size_t i = 0; i < 7; ++i) {  // whole turns are counted here: a body knows none
      const Quat q = w.state().orientation[i] * conjugate(last[i]);
      turn[i] += 2 * std::atan2(q.w < 0 ? -q.z : q.z, std::fabs(q.w)), last[i] = w.state().orientation[i];
    }
  });
  worst.expect_lawful(1e-8);
  EXPECT_EQ(worst.unconverged, 0);
  for (std::size_t i = 0; i < 7; ++i) rate[i] = world.state().spin[i].z;
  return {coordinates(turn), coordinates(rate)};
}
double worst_error(const End& x) {
  double worst = 0;
  for (std::size_t i = 0; i < 7; ++i) {
    worst = std::fmax(worst, std::fabs(x.place[i] / end_places[i] - 1));
    worst = std::fmax(worst, std::fabs(x.rate[i] / end_rates[i] - 1));
  }
  return worst;
}
End extrapolated(const End& coarse, const End& fine) {
  End out;
  for (std::size_t i = 0; i < 7; ++i) {
    out.place[i] = fine.place[i] + (fine.place[i] - coarse.place[i]) / 3;
    out.rate[i] = fine.rate[i] + (fine.rate[i] - coarse.rate[i]) / 3;
  }
  return out;
}

constexpr double five_digits = 5e-6;  // [-] of each of the seven places and seven rates

// Second order: rates of the slow bodies, which swing fast about their mean, are the worst by far (2.7e-3 at
// 3000 steps). What Richardson makes of 3000 and 6000 steps has six digits (seen: 4e-7).
TEST(Andrews, EndsAsPublished) {
  const End coarse = end_of_run(3000), fine = end_of_run(6000);
  EXPECT_NEAR(worst_error(coarse) / worst_error(fine), 4, 0.05);
  EXPECT_LT(worst_error(extrapolated(coarse, fine)), five_digits);
  for (std::size_t i = 0; i < 7; ++i)
    EXPECT_LT(std::fabs(fine.place[i] / end_places[i] - 1), five_digits) << i;
  // the default method by itself, at a step of 0.31 microseconds: a minute
  if (full()) {
    EXPECT_LT(worst_error(end_of_run(96000)), five_digits);
  }
}

}  // namespace
}  // namespace stiction::test

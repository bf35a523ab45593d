// Frictional contact without any body: local form, global form, and what the convex relaxation gets wrong.
#include <cmath>
#include <cstdio>

#include "stiction/complementarity/friction/solve_friction.h"

using namespace stiction::complementarity;

int main() {
  // local form, u = W r + b: 1 kg that slides over a floor at 1 m/s, friction 0.5, gravity over a step of
  // 0.01 s
  LocalFriction slide;
  slide.laws.mu = {0.5};
  slide.W = {3, 3, {0, 1, 2, 3}, {0, 1, 2}, {1, 1, 1}};
  slide.b = {-0.0981, 1, 0};
  std::vector<double> r;
  const FrictionReport report = solve(slide, 1e-10, r);
  std::printf("%s by %s: r = (%.6f, %.6f, %.6f) Ns, natural map %.1e\n", name_of(report.status),
              report.solver.c_str(), r[0], r[1], r[2], report.natural_map);
  bool good = report.status == FrictionStatus::solved && std::fabs(r[0] - 0.0981) < 1e-9 &&
              std::fabs(r[1] + 0.04905) < 1e-9;

  // the convex problem (no shift) lifts it: u_n = mu |u_t|
  friction::Prepared prepared;
  friction::prepare(slide, prepared);
  friction::InteriorPointMemory memory;
  std::vector<double> convex(3, 0.0);
  friction::interior_point(prepared, prepared.islands[0], {1e-9}, {.convex = true}, convex.data(), memory);
  const double u_n = convex[0] - 0.0981, u_t = 1 + convex[1];
  std::printf("associated: r_n = %.4f Ns, rises with %.4f m/s = 0.5 * %.4f m/s\n", convex[0], u_n, u_t);
  good = good && std::fabs(u_n - 0.5 * u_t) < 1e-6 && std::fabs(convex[0] - 0.47848) < 1e-6;

  // global form, M v = H r + f, u = H^T v + b: two planar masses, one on the other, the upper one pushed
  GlobalFriction stack;
  stack.laws.rows = 2, stack.laws.mu = {0.6, 0.2};  // floor, between them
  stack.M = {4, 4, {0, 1, 2, 3, 4}, {0, 1, 2, 3}, {2, 2, 1, 1}};
  //  rows: lower z, lower x, upper z, upper x; columns: floor n, floor t, joint n, joint t
  stack.H = {4, 4, {0, 2, 4, 5, 6}, {0, 2, 1, 3, 2, 3}, {1, -1, 1, -1, 1, 1}};
  stack.f = {-0.1962, 0, -0.0981, 0.5};
  stack.b = {0, 0, 0, 0};
  std::vector<double> v;
  const FrictionReport both = solve(stack, 1e-10, r, v);
  std::printf("%s: lower %.6f m/s, upper %.6f m/s\n", name_of(both.status), v[1], v[3]);
  // the upper one slides: 0.5 - 0.2 * 0.0981; the floor holds the lower one
  good = good && both.status == FrictionStatus::solved && std::fabs(v[3] - (0.5 - 0.2 * 0.0981)) < 1e-8 &&
         std::fabs(v[1]) < 1e-8;

  // rolling: a disc for sliding, a disc for rolling; the wheel sticks, the rolling couple is at its limit of
  // 5 mm
  LocalFriction wheel;
  wheel.laws.rows = 5, wheel.laws.law = FrictionLaw::discs, wheel.laws.mu = {0.8},
  wheel.laws.mu_rolling = {0.005};
  wheel.W = {5, 5, {0, 1, 2, 3, 4, 5}, {0, 1, 2, 3, 4}, {1, 3.5, 3.5, 10, 10}};
  wheel.b = {-0.0981, 0.1, 0, 2, 0};
  solve(wheel, 1e-10, r);
  std::printf("wheel: r = (%.5f, %.5f, %.5f, %.7f, %.7f)\n", r[0], r[1], r[2], r[3], r[4]);
  good = good && std::fabs(r[3] + 0.005 * 0.0981) < 1e-10 && std::fabs(r[1] + 0.1 / 3.5) < 1e-9;

  // mistakes are named
  slide.laws.mu[0] = -0.5;
  for (const std::string& fault : solve(slide, 1e-10, r).faults) std::printf("%s\n", fault.c_str());
  return good ? 0 : 1;
}

// Linear complementarity problems without any body: solve one, read the report, meet one without a solution.
#include <cmath>
#include <cstdio>

#include "stiction/complementarity/linear/contact_lcp.h"
#include "stiction/complementarity/linear/natural_residual.h"
#include "stiction/complementarity/linear/solve_linear.h"

using namespace stiction::complementarity;

int main() {
  std::vector<double> z;

  // w = M z + q, 0 <= z _|_ w >= 0
  const Lcp small{2, {2, 1, 1, 2}, {-5, -6}};
  const LinearReport report = solve(small, 1e-12, z);
  std::printf("%s by %s: z = (%.6f, %.6f), residual %.1e\n", name_of(report.status), report.method, z[0],
              z[1], natural_residual(small, z));
  bool good = std::fabs(z[0] - 4.0 / 3) < 1e-12 && std::fabs(z[1] - 7.0 / 3) < 1e-12;

  // the same with bounds: z_0 between 0 and 1, z_1 of either sign
  const double infinity = HUGE_VAL;
  const BoxedLcp boxed{2, small.M, small.q, {0, -infinity}, {1, infinity}};
  solve(boxed, 1e-12, z);
  std::printf("boxed: z = (%.6f, %.6f)\n", z[0], z[1]);
  good = good && z[0] == 1 && std::fabs(z[1] - 2.5) < 1e-12;

  // a point mass of 2 kg that slides on a floor, friction 0.3 in four directions, one step of 0.01 s
  PolyhedralContacts slide;
  slide.coordinates = 3, slide.contacts = 1, slide.directions = 4;
  slide.inverse_mass = {0.5, 0, 0, 0, 0.5, 0, 0, 0, 0.5};
  slide.normals = {0, 0, 1};
  for (const auto& [x, y] : direction_fan(4)) slide.tangents.insert(slide.tangents.end(), {x, y, 0});
  slide.friction = {0.3}, slide.bias = {0};
  slide.v_free = {1, 0, -9.81 * 0.01};
  for (const std::string& fault : validate(slide)) std::printf("%s\n", fault.c_str());
  solve(stewart_trinkle_lcp(slide), 1e-12, z);
  const std::vector<double> v = velocity_after(slide, z);
  std::printf("slides on with %.6f m/s, normal impulse %.6f Ns\n", v[0], z[0]);
  good = good && std::fabs(v[0] - (1 - 0.3 * 0.0981)) < 1e-12 && std::fabs(z[0] - 2 * 0.0981) < 1e-12;

  // Painleve: a rod that slides into its normal force, in accelerations: no force keeps it out of the floor
  const LinearReport none = solve(Lcp{1, {-1.5652}, {-3.99879}}, 1e-12, z);
  std::printf("%s%s\n", name_of(none.status), none.proves_infeasible ? ": no solution exists" : "");
  good = good && none.status == LinearStatus::ray && none.proves_infeasible;
  return good ? 0 : 1;
}

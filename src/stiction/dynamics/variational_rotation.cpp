// Free rotation from a discrete action. With R1 = R0 cay(h xi), the action of the step is h xi.I xi/2; its
// derivatives by R0 and R1 are the angular momenta at both ends, in body axes
//     l0 = (dcay^-1_{h xi})^T I xi  = I xi + (h/2) xi x I xi + (h^2/4) (xi.I xi) xi
//     l1 = (dcay^-1_{-h xi})^T I xi = I xi - (h/2) xi x I xi + (h^2/4) (xi.I xi) xi
// The first is solved for xi by Newton's method from xi = I^-1 l0; l1 = cay(h xi)^T l0 then holds
// identically, so that R l is kept, and the spin of the end is I^-1 l1. Symbols: I diagonal inertia, body
// axes [kg m^2]; l angular momentum, body axes [kg m^2/s]; xi mean angular velocity, body axes [rad/s]; h
// step [s]. Reference: N. Bou-Rabee, J. E. Marsden, Found. Comput. Math. 9 (2009) 197, section 4 (Cayley
// map). When it fails: there always is a solution, since xi times the right side grows with xi, but for turns
// of many radians in a step Newton's method may not find it; the result is then not finite.
#include "stiction/dynamics/variational_rotation.h"

#include <cmath>
#include <limits>

namespace stiction {
namespace {

constexpr int newton_limit = 30;
constexpr double last_update = 3e-9;  // [-] of xi: the next one would be below round-off

/// Solves A y = r for a 3x3 matrix by cofactors.
Vec3 solve3(const Mat3& a, const Vec3& r) {
  const Vec3 c0 = cross(a.row(1), a.row(2)), c1 = cross(a.row(2), a.row(0)), c2 = cross(a.row(0), a.row(1));
  return (r.x * c0 + r.y * c1 + r.z * c2) / dot(a.row(0), c0);
}

}  // namespace

RotationStep rotate_variationally(const Vec3& inertia_diagonal, const Quat& orientation,
                                  const Vec3& spin_world, double h) {
  const Vec3 &I = inertia_diagonal, l = times(I, rotate_back(orientation, spin_world));
  Vec3 xi{l.x / I.x, l.y / I.y, l.z / I.z};
  const double k = 0.25 * h * h;
  bool solved = false;
  for (int i = 0; i < newton_limit && !solved; ++i) {
    const Vec3 p = times(I, xi);
    const double twice = dot(xi, p);
    const Vec3 rest = l - (p + (0.5 * h) * cross(xi, p) + (k * twice) * xi);
    Mat3 J;  // I + (h/2) ([xi]x I - [I xi]x) + (h^2/4) (xi.I xi 1 + 2 xi (I xi)^T)
    for (int c = 0; c < 3; ++c) {
      Vec3 unit;
      unit[c] = 1;
      const Vec3 column = I[c] * unit + (0.5 * h) * (I[c] * cross(xi, unit) - cross(p, unit)) +
                          k * (twice * unit + (2 * p[c]) * xi);
      for (int r = 0; r < 3; ++r) J(r, c) = column[r];
    }
    const Vec3 update = solve3(J, rest);
    xi += update;
    solved = norm(update) <= last_update * norm(xi);
  }
  if (!solved) {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    return {{nan, nan, nan, nan}, {nan, nan, nan}};
  }
  const Quat q = normalized(orientation * cayley(h * xi));
  const Vec3 end = rotate_back(q, rotate(orientation, l));
  return {q, rotate(q, {end.x / I.x, end.y / I.y, end.z / I.z})};
}

}  // namespace stiction

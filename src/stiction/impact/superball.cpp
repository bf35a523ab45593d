#include "stiction/impact/superball.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stiction::impact {
namespace {

/// W^-1 v; W is symmetric positive definite.
Vec3 solve_symmetric(const Mat3& W, const Vec3& v) {
  const Vec3 a = cross(W.row(1), W.row(2)), b = cross(W.row(2), W.row(0)), c = cross(W.row(0), W.row(1));
  return (v.x * a + v.y * b + v.z * c) / dot(W.row(0), a);
}

/// How far p lies outside the friction cone, squared; <= 0 inside.
double outside(const Vec3& p, double mu) { return p.y * p.y + p.z * p.z - mu * mu * p.x * p.x; }
bool is_in_cone(const Vec3& p, double mu) { return p.x >= 0 && outside(p, mu) <= 0; }

/// The x in (0, most] at which grip + x change leaves the cone; grip lies in it, the end does not.
double where_it_leaves(const Vec3& grip, const Vec3& change, double mu, double most) {
  const double A = outside(change, mu), C = outside(grip, mu);
  const double B = grip.y * change.y + grip.z * change.z - mu * mu * grip.x * change.x;
  const double sum = B + std::sqrt(std::max(0.0, B * B - A * C));
  return sum > 0 ? std::clamp(-C / sum, 0.0, most) : 0;
}

Outcome outcome_of(const SpatialImpact& in, const Vec3& after, double e, bool lowered) {
  Outcome out;
  const Vec3& u = in.u;
  const Vec3 p = solve_symmetric(in.W, after - u);
  out.status = Status::done;
  out.velocity = after, out.impulse = p, out.restitution = e, out.lowered = lowered;
  out.stored = -0.5 * p.x * u.x / (1 + e), out.released = e * e * out.stored;
  out.friction = 0.5 * (p.y * (u.y + after.y) + p.z * (u.z + after.z));
  const Slip slip = u.y * after.y + u.z * after.z < 0 ? Slip::reverse : Slip::slide;
  out.events.make(Moment::begin, slip, Vec3{}, u, 0.0, 0.0);
  out.events.make(Moment::end, slip, p, after, out.released - out.stored, out.friction);
  return out;
}

void slip_instead(const SpatialImpact& coulomb, SuperballOutcome& out) {
  out.impact = solve(coulomb), out.slips = true;
  out.impact.lowered = true;
  out.tangential_restitution = std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

SuperballOutcome solve_superball(const SpatialImpact& in, double tangential_restitution) {
  SuperballOutcome out;
  out.tangential_restitution = tangential_restitution;
  SpatialImpact coulomb = in;
  coulomb.coefficients.law = Law::energetic;
  if (!(tangential_restitution >= -1 && tangential_restitution <= 1) || !validate(in).empty()) {
    out.impact.status = Status::bad_input, out.impact.velocity = in.u;
    return out;
  }
  if (in.u.x >= 0) {
    out.impact = solve(coulomb);
    return out;
  }
  const double e = in.coefficients.restitution, mu = in.coefficients.friction_static;
  const Vec3 normal{in.u.x, 0, 0}, slip{0, in.u.y, in.u.z};
  const Vec3 grip = solve_symmetric(in.W, -e * normal - in.u), change = solve_symmetric(in.W, -slip);
  double et = tangential_restitution;
  const bool grips = is_in_cone(grip, mu);
  if (!is_in_cone(grip + et * change, mu)) {
    if (et < 0 || !grips) {
      slip_instead(coulomb, out);
      return out;
    }
    et = where_it_leaves(grip, change, mu, et);
  }
  const Vec3 target = -e * normal - et * slip;
  const double before = dot(in.u, solve_symmetric(in.W, in.u));
  const double after = dot(target, solve_symmetric(in.W, target));
  const bool grows = after > before * (1 + 1e-14);
  const double factor = grows ? std::sqrt(before / after) : 1;
  if (grows && !is_in_cone(solve_symmetric(in.W, factor * target - in.u), mu)) {
    slip_instead(coulomb, out);
    return out;
  }
  out.impact = outcome_of(in, factor * target, factor * e, grows || et != tangential_restitution);
  out.tangential_restitution = factor * et;
  return out;
}

}  // namespace stiction::impact

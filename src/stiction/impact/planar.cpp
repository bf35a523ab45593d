#include "stiction/impact/planar.h"

#include "stiction/impact/detail/path.h"

namespace stiction::impact {
namespace {

using detail::Line;
using detail::Path;

/// By more than round-off.
bool is_positive_definite(const PlanarImpact& in) {
  const double product = in.nn * in.tt;
  return in.nn > 0 && in.tt > 0 && std::isfinite(product) && product - in.nt * in.nt > 1e-14 * product;
}
bool is_valid(const PlanarImpact& in) {
  return is_positive_definite(in) && std::isfinite(in.vn) && std::isfinite(in.vt) &&
         detail::are_valid(in.coefficients);
}

/// The piece with dp_t/dp_n = c, for slip in direction d = +-1.
Line line_of(const PlanarImpact& in, double c, double d) {
  return {in.nn + c * in.nt, d * (in.nt + c * in.tt), c, 0};
}

/// What follows where v_t = 0.
Line leave_rest(const PlanarImpact& in, Path& path) {
  const double m = -in.nt / in.tt;
  if (std::fabs(m) <= in.coefficients.friction_static) {
    path.mode = Slip::stick;
    return {in.nn + m * in.nt, 0, m, 0};
  }
  path.mode = Slip::reverse;
  path.d1 = -std::copysign(1.0, m);
  return line_of(in, -in.coefficients.friction_kinetic * path.d1, path.d1);
}

}  // namespace

std::vector<std::string> validate(const PlanarImpact& in) {
  std::vector<std::string> out;
  if (!is_positive_definite(in))
    out.emplace_back("W: must be positive definite: nn > 0, tt > 0, nn tt > nt^2");
  if (!std::isfinite(in.vn) || !std::isfinite(in.vt)) out.emplace_back("u: must be finite");
  detail::list_faults(in.coefficients, out);
  return out;
}

Outcome solve(const PlanarImpact& in) {
  const Vec3 u{in.vn, in.vt, 0};
  Path path(u, in.coefficients);
  if (detail::is_no_impact(in.vn, is_valid(in), u, path.out)) return path.out;
  const bool slides = path.slip > 0;
  const Line first =
      slides ? line_of(in, -in.coefficients.friction_kinetic * path.d1, path.d1) : leave_rest(in, path);
  path.record(Moment::begin);
  if (path.follow(first)) {
    const Line second = leave_rest(in, path);
    path.record(Moment::slip_stops);
    path.follow(second);
  }
  path.finish();
  return path.out;
}

}  // namespace stiction::impact

#include "stiction/impact/detail/path.h"

#include <algorithm>

namespace stiction::impact::detail {
namespace {

/// [N s] until a contact that moves apart with v and dv/dp = k has given back E: the first root of
/// v p + k p^2/2 = E, written so that nothing cancels.
double impulse_of_work(double E, double v, double k) {
  if (E <= 0) return 0;
  const double root = v * v + 2 * k * E;
  if (root < 0) return never;  // v falls to 0 before
  const double sum = v + std::sqrt(root);
  return sum > 0 ? 2 * E / sum : never;
}

constexpr double round_off = 1e-12;  // [-] in e, of what Newton's and Poisson's laws reach
constexpr double same_time = 1e-14;  // [-] parts of p_n: slip that stops as compression ends stops first

}  // namespace

double NormalPhase::to_law(double k) const {
  if (law == Law::poisson) return std::max(0.0, (1 + e) * p_compression - p);
  if (law == Law::newton) {
    const double missing = -e * v0 - v;
    if (missing <= 0) return 0;
    return k > 0 ? missing / k : never;
  }
  return never;
}

double NormalPhase::to_turn(double k) const {
  if (restitution) return k < 0 ? v / -k : never;
  if (v >= 0) return 0;  // round-off of a pause that came with another
  return k > 0 ? -v / k : never;
}

double NormalPhase::to_end(double k) const {
  return restitution ? std::min(to_law(k), impulse_of_work(budget(), v, k)) : never;
}

void NormalPhase::advance(double dp, double k) {
  const double work = v * dp + 0.5 * k * dp * dp;
  (restitution ? released : stored) += restitution ? work : -work;
  v += k * dp, p += dp;
}

Path::Path(const Vec3& u, const Coefficients& c)
    : normal{.e = c.restitution, .law = c.law, .v0 = u.x, .v = u.x}, slip(std::sqrt(u.y * u.y + u.z * u.z)) {
  if (slip > 0) d1 = u.y / slip, d2 = u.z / slip;
}

Event Path::event(Moment moment) const {
  return {
      moment,  mode, {normal.p, p1, p2}, {normal.v, slip * d1, slip * d2}, normal.released - normal.stored,
      friction};
}

void Path::record(Moment moment) {
  out.events.add(event(moment));
  if (trace != nullptr) trace->push_back(event(moment));
}

void Path::advance(double dp, const Line& line) {
  normal.advance(dp, line.k);
  friction += (line.c1 * d1 + line.c2 * d2) * (slip * dp + 0.5 * line.rate * dp * dp);
  p1 += line.c1 * dp, p2 += line.c2 * dp;
  slip = std::max(0.0, slip + line.rate * dp);
}

void Path::turn() {
  normal.v = 0;
  normal.restitution = !normal.restitution;
  if (normal.restitution) normal.p_compression = normal.p;
  record(normal.restitution ? Moment::compression_ends : Moment::compression_resumes);
}

bool Path::follow(const Line& line) {
  while (true) {
    const double to_stop = line.rate < 0 ? slip / -line.rate : never;
    const double to_turn = normal.to_turn(line.k), to_end = normal.to_end(line.k);
    const double to_normal = std::min(to_turn, to_end);
    const bool stops = to_stop <= to_normal * (1 + same_time);
    STICTION_ASSERT(stops || to_normal < never);  // W is positive definite
    advance(stops ? to_stop : to_normal, line);
    if (stops) {
      slip = 0;
      return true;
    }
    if (to_end <= to_turn) return false;
    turn();
  }
}

void Path::finish() {
  record(Moment::end);
  out.status = Status::done;
  out.velocity = {normal.v, slip * d1, slip * d2};
  out.impulse = {normal.p, p1, p2};
  out.stored = normal.stored, out.released = normal.released, out.friction = friction;
  out.restitution = normal.e;
  if (normal.law == Law::energetic) return;
  const double reached = normal.law == Law::newton ? -normal.v / normal.v0
                                                   : (normal.p - normal.p_compression) / normal.p_compression;
  out.lowered = reached < normal.e - round_off;
  if (out.lowered) out.restitution = reached;
}

bool is_no_impact(double vn, bool valid, const Vec3& u, Outcome& out) {
  out.velocity = u;
  if (valid && vn < 0) return false;
  out.status = valid ? Status::separating : Status::bad_input;
  return true;
}

bool are_valid(const Coefficients& c) {
  return c.restitution >= 0 && c.restitution <= 1 && c.friction_kinetic >= 0 &&
         c.friction_static >= c.friction_kinetic && std::isfinite(c.friction_static);
}

void list_faults(const Coefficients& c, std::vector<std::string>& out) {
  if (!(c.restitution >= 0 && c.restitution <= 1)) out.emplace_back("restitution: must be from 0 to 1");
  if (!(c.friction_kinetic >= 0)) out.emplace_back("friction_kinetic: must not be negative");
  if (!(c.friction_static >= c.friction_kinetic && std::isfinite(c.friction_static)))
    out.emplace_back("friction_static: must be finite and not below friction_kinetic");
  if (c.tangential_restitution < -1 || c.tangential_restitution > 1)
    out.emplace_back("tangential_restitution: must be from -1 to 1");
}

}  // namespace stiction::impact::detail

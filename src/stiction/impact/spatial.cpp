#include "stiction/impact/spatial.h"

#include <algorithm>
#include <array>

#include "stiction/impact/detail/path.h"
#include "stiction/impact/detail/plane.h"
#include "stiction/math/dormand_prince.h"

namespace stiction::impact {
namespace {

using detail::Line;
using detail::Path;

using detail::Sym2;
using detail::Vec2;

/// Blocks of W.
struct Blocks {
  double nn = 0;
  Vec2 tn;
  Sym2 tt;

  explicit Blocks(const Mat3& W) : nn(W(0, 0)), tn{W(1, 0), W(2, 0)}, tt{W(1, 1), W(1, 2), W(2, 2)} {}
  /// dv_t/dp_n under friction c.
  Vec2 rate(const Vec2& c) const {
    const Vec2 r = tt * c;
    return {tn.x + r.x, tn.y + r.y};
  }
  double size() const { return nn + tt.xx + tt.yy; }
};

/// The direction in which slip leaves zero where sticking would need more than mu.
Vec2 leaving_direction(const Blocks& w, double mu) {
  return solve_on_circle({mu * w.tt.xx, mu * w.tt.xy, mu * w.tt.yy}, w.tn, 1);
}

Line slipping(const Blocks& w, double mu, const Vec2& d) {
  const Vec2 c = -mu * d;
  return {w.nn + dot(w.tn, c), dot(d, w.rate(c)), c.x, c.y};
}

/// What follows where slip is 0.
Line leave_rest(const Blocks& w, const Coefficients& k, Path& path) {
  const Vec2 m = -1 * w.tt.solve(w.tn);
  if (length(m) <= k.friction_static) {
    path.mode = Slip::stick;
    return {w.nn + dot(w.tn, m), 0, m.x, m.y};
  }
  path.mode = Slip::reverse;
  const Vec2 d = leaving_direction(w, k.friction_kinetic);
  path.d1 = d.x, path.d2 = d.y;
  return slipping(w, k.friction_kinetic, d);
}

enum class Turned : unsigned char { stopping, ended, out_of_steps };

/// Slip that turns, from the path's state on: d1, d2, s, p_n, p_t1, p_t2, work in this phase, work of
/// friction.
class Turning {
 public:
  using State = std::array<double, 8>;

  Turning(const Blocks& w, const Coefficients& k, const Vec3& u, const SpatialSettings& s)
      : w_(w), mu_(k.friction_kinetic), u_(u), settings_(s), impulse_(norm(u) / w.size()) {}

  Turned run(Path& path);

 private:
  double normal_velocity(const State& y) const {
    return u_.x + w_.nn * y[3] + w_.tn.x * y[4] + w_.tn.y * y[5];
  }
  void rates(const State& y, State& dy) const {
    const Vec2 d{y[0], y[1]}, r = w_.rate(-mu_ * d);
    const double g = dot(d, r), h = d.x * r.y - d.y * r.x, s = y[2];
    dy = {-h * d.y, h * d.x, g * s, s, -mu_ * s * d.x, -mu_ * s * d.y, s * normal_velocity(y), -mu_ * s * s};
  }
  /// Slip does not turn, or stops so soon that what it turns until then moves the velocity by round-off only:
  /// over dp = s / |g| it turns by h / |g|.
  bool is_straight(const State& y) const {
    const Vec2 d{y[0], y[1]}, r = w_.rate(-mu_ * d);
    const double g = dot(d, r), h = std::fabs(d.x * r.y - d.y * r.x), size = w_.size();
    return h <= 4e-16 * size || (g < 0 && y[2] * h * size <= 1e-14 * g * g * norm(u_));
  }
  void read(const Path& path, State& y) const {
    y = {path.d1, path.d2, path.slip, path.normal.p, path.p1, path.p2, 0, path.friction};
  }
  /// Takes over what was integrated since read().
  void write(const State& y, Path& path) const {
    const double size = length(Vec2{y[0], y[1]});
    path.d1 = y[0] / size, path.d2 = y[1] / size, path.slip = y[2];
    path.normal.p = y[3], path.normal.v = normal_velocity(y);
    path.p1 = y[4], path.p2 = y[5], path.friction = y[7];
    (path.normal.restitution ? path.normal.released : path.normal.stored) += std::fabs(y[6]);
  }
  /// A point of the trace.
  void note(const State& y, const Path& path) const {
    Event e = path.event(Moment::between);
    e.impulse = {y[3], y[4], y[5]}, e.velocity = {normal_velocity(y), y[2] * y[0], y[2] * y[1]};
    e.normal_work += y[6], e.friction_work = y[7];
    path.trace->push_back(e);
  }
  /// Below 0 until the impact is over; only in restitution.
  double beyond_end(const State& y, const Path& path) const {
    const detail::NormalPhase& n = path.normal;
    const double spent = (y[6] - n.budget()) / n.stored;  // [-] as all of them
    if (n.law == Law::poisson) return std::max(spent, (y[3] - (1 + n.e) * n.p_compression) / impulse_);
    if (n.law == Law::newton) return std::max(spent, (n.e * n.v0 + normal_velocity(y)) / -n.v0);
    return spent;
  }

  Blocks w_;
  double mu_;
  Vec3 u_;
  SpatialSettings settings_;
  double impulse_;  // [N s] what impulses are measured by
};

Turned Turning::run(Path& path) {
  const auto f = [this](const State& y, State& dy) { rates(y, dy); };
  const auto compression = [this](const State& y) { return normal_velocity(y); };
  const auto beyond = [&](const State& y) { return beyond_end(y, path); };
  const double speed = norm(u_), energy = speed * impulse_;
  State y;
  read(path, y);
  DormandPrince<State> method(y, {1, 1, speed, impulse_, impulse_, impulse_, energy, energy},
                              settings_.tolerance);
  method.begin(y, f);
  double h = 0.01 / w_.size();
  while (!is_straight(y)) {
    if (++path.out.steps > settings_.max_steps) return Turned::out_of_steps;
    const double used = method.probe(y, h, f);
    if (used == 0) return Turned::out_of_steps;
    const bool over = path.normal.restitution && beyond(method.next()) >= 0;
    const double v = normal_velocity(method.next());
    if (over) {
      method.locate(y, used, f, beyond);
      write(method.next(), path);
      return Turned::ended;
    }
    if (path.normal.restitution ? v < 0 : v > 0) {
      method.locate(y, used, f, compression);
      write(method.next(), path);
      path.turn();
      if (path.normal.restitution && path.normal.e == 0) return Turned::ended;
      read(path, y);
      method.begin(y, f);
    } else {
      method.accept(y);
      const double size = length(Vec2{y[0], y[1]});  // stays a unit vector
      y[0] /= size, y[1] /= size;
      if (path.trace != nullptr) note(y, path);
    }
  }
  write(y, path);
  return Turned::stopping;
}

bool is_positive_definite(const Mat3& W) {
  const double minor = W(0, 0) * W(1, 1) - W(0, 1) * W(1, 0);
  const double det = dot(W.row(0), cross(W.row(1), W.row(2))), size = W(0, 0) * W(1, 1) * W(2, 2);
  return W(0, 0) > 0 && W(1, 1) > 0 && W(2, 2) > 0 && minor > 0 && det > 1e-14 * size && std::isfinite(size);
}
bool is_symmetric(const Mat3& W) {
  const double size = W(0, 0) + W(1, 1) + W(2, 2);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < i; ++j)
      if (!(std::fabs(W(i, j) - W(j, i)) <= 1e-12 * size)) return false;
  return true;
}

Outcome run(const SpatialImpact& in, const SpatialSettings& settings, std::vector<Event>* trace) {
  Path path(in.u, in.coefficients);
  path.trace = trace;
  const bool valid = is_symmetric(in.W) && is_positive_definite(in.W) && is_finite(in.u) &&
                     detail::are_valid(in.coefficients);
  if (detail::is_no_impact(in.u.x, valid, in.u, path.out)) return path.out;
  const Blocks w(in.W);
  const bool at_rest = path.slip == 0;
  const Line rest = at_rest ? leave_rest(w, in.coefficients, path) : Line{};
  path.record(Moment::begin);
  if (at_rest) {
    path.follow(rest);
    path.finish();
    return path.out;
  }
  const Turned turned = Turning(w, in.coefficients, in.u, settings).run(path);
  if (turned == Turned::out_of_steps) {
    path.out.status = Status::step_limit;
    return path.out;
  }
  if (turned == Turned::stopping &&
      path.follow(slipping(w, in.coefficients.friction_kinetic, {path.d1, path.d2}))) {
    const Line next = leave_rest(w, in.coefficients, path);
    path.record(Moment::slip_stops);
    path.follow(next);
  }
  path.finish();
  return path.out;
}

}  // namespace

std::vector<std::string> validate(const SpatialImpact& in) {
  std::vector<std::string> out;
  if (!is_symmetric(in.W)) out.emplace_back("W: must be symmetric");
  if (!is_positive_definite(in.W)) out.emplace_back("W: must be positive definite");
  if (!is_finite(in.u)) out.emplace_back("u: must be finite");
  detail::list_faults(in.coefficients, out);
  return out;
}

Outcome solve(const SpatialImpact& in, const SpatialSettings& settings) { return run(in, settings, nullptr); }

Outcome solve(const SpatialImpact& in, const SpatialSettings& settings, std::vector<Event>& trace) {
  trace.clear();
  return run(in, settings, &trace);
}

}  // namespace stiction::impact

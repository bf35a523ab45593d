#include "stiction/impact/judge.h"

#include <algorithm>
#include <cmath>

namespace stiction::impact {
namespace {

/// One set of impacts before its judge.
class Judge {
 public:
  Judge(const ManyImpacts& in, const ManyOutcome& out, double noise, JudgeMemory& memory)
      : in_(in), out_(out), memory_(memory), rows_(std::size_t(in.rows)) {
    double most = 0;  // [1/kg]
    for (std::size_t k = 0; k < in.contacts(); ++k) {
      const std::size_t at = k * rows_;
      const double slip = rows_ == 3 ? std::hypot(in.u[at + 1], in.u[at + 2]) : 0.0;
      speed_ = std::fmax(speed_, std::hypot(std::fmin(in.u[at], 0.0), slip));
      impulse_ = std::fmax(impulse_, std::fabs(out.p[at]));
      most = std::fmax(most, in.W[at * in.u.size() + at]);
    }
    speed_ = std::fmax(speed_, noise), impulse_ = std::fmax(impulse_, noise / most);
  }

  double judged(ManyLaw law) {
    Numbers& after = memory_.after;
    move(in_.u, out_.p, after);
    if (!(speed_ > 0 && impulse_ > 0)) return 0;  // nothing was hit
    in_general(law, after);
    if (law == ManyLaw::newton) newton(out_.factor, out_.p, after);
    if (law == ManyLaw::poisson) poisson(after);
    if (is_sequence(law)) sequence(after);
    return worst_;
  }

 private:
  using Numbers = std::vector<double>;

  double e(std::size_t k) const { return in_.coefficients[k].restitution; }
  double mu(std::size_t k) const { return in_.coefficients[k].friction_kinetic; }

  /// Not a number counts as infinite.
  void note(double violation) {
    if (!(violation <= worst_)) worst_ = std::isnan(violation) ? HUGE_VAL : violation;
  }
  /// [m/s], [N s], [J] that may not be below zero.
  void not_negative(double value, double unit) { note(-value / unit); }
  void zero(double value, double unit) { note(std::fabs(value) / unit); }

  /// u + W p
  void move(const Numbers& u, const Numbers& p, Numbers& out) const {
    const std::size_t n = u.size();
    out.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < n; ++j) sum += in_.W[i * n + j] * p[j];
      out[i] = u[i] + sum;
    }
  }

  /// Friction t within the radius, and against the slip with all of it.
  void friction(const double* t, const double* slip, double radius) {
    if (rows_ == 1) return;
    not_negative(radius - std::hypot(t[0], t[1]), impulse_);
    if (slip == nullptr) return;
    zero(radius * std::hypot(slip[0], slip[1]) + t[0] * slip[0] + t[1] * slip[1], impulse_ * speed_);
  }

  void in_general(ManyLaw law, const Numbers& after) {
    double work = 0;
    for (std::size_t k = 0; k < in_.contacts(); ++k) {
      const double* p = out_.p.data() + k * rows_;
      not_negative(after[k * rows_], speed_);
      not_negative(p[0], impulse_);
      friction(p + 1, nullptr, (is_sequence(law) ? in_.coefficients[k].friction_static : mu(k)) * p[0]);
    }
    for (std::size_t i = 0; i < after.size(); ++i) work += 0.5 * out_.p[i] * (in_.u[i] + after[i]);
    not_negative(-work, impulse_ * speed_);
  }

  /// The complementarity problem of Newton's law with all e times a factor.
  void newton(double factor, const Numbers& p, const Numbers& after) {
    for (std::size_t k = 0; k < in_.contacts(); ++k) {
      const std::size_t at = k * rows_;
      const double a = after[at] + factor * e(k) * std::fmin(in_.u[at], 0.0);
      not_negative(a, speed_), not_negative(p[at], impulse_);
      zero(p[at] * a, impulse_ * speed_);
      friction(p.data() + at + 1, after.data() + at + 1, mu(k) * p[at]);
    }
  }

  void poisson(const Numbers& after) {
    const Numbers& c = out_.compression;
    move(in_.u, c, memory_.next);
    newton(0, c, memory_.next);
    for (std::size_t k = 0; k < in_.contacts(); ++k) {
      const std::size_t at = k * rows_;
      const double more = out_.p[at] - (1 + out_.factor * e(k)) * c[at];
      not_negative(more, impulse_);
      zero(more * after[at], impulse_ * speed_);
      if (rows_ == 1) continue;
      const double t[2] = {out_.p[at + 1] - c[at + 1], out_.p[at + 2] - c[at + 2]};
      friction(t, after.data() + at + 1, mu(k) * (out_.p[at] - c[at]));
    }
  }

  void sequence(const Numbers& after) {
    Numbers &u = memory_.u, &next = memory_.next, &p = memory_.p, &left = memory_.left;
    u = in_.u, left = out_.p;
    for (const SingleImpact& s : out_.singles) {
      const std::size_t at = s.contact * rows_;
      not_negative(-u[at], speed_);
      p.assign(u.size(), 0.0);
      for (std::size_t r = 0; r < rows_; ++r)
        p[at + r] = s.impulse[int(r)], left[at + r] -= s.impulse[int(r)];
      move(u, p, next);
      single(s, u.data() + at, next.data() + at);
      u.swap(next);
    }
    if (out_.finished) return newton(0, left, after);
    for (const double rest : left) zero(rest, impulse_);
  }

  void single(const SingleImpact& s, const double* before, const double* after) {
    const Coefficients& c = in_.coefficients[s.contact];
    const double energy = std::fmax(s.stored, 1e-7 * impulse_ * speed_);  // below: round-off
    double work = 0;
    for (std::size_t r = 0; r < rows_; ++r) work += 0.5 * s.impulse[int(r)] * (before[r] + after[r]);
    zero(work - (s.released - s.stored + s.friction), impulse_ * speed_);
    const bool throws_back = !std::isnan(c.tangential_restitution);
    not_negative(throws_back ? -work : -s.friction, impulse_ * speed_);
    not_negative(c.restitution - s.restitution, 1);
    zero(s.released - s.restitution * s.restitution * s.stored, energy);
    friction(&s.impulse.y, nullptr, c.friction_static * s.impulse.x);
    if (rows_ == 1) zero(after[0] + s.restitution * before[0], speed_);
  }

  const ManyImpacts& in_;
  const ManyOutcome& out_;
  JudgeMemory& memory_;
  std::size_t rows_;
  double speed_ = 0, impulse_ = 0;  // U [m/s], P [N s]
  double worst_ = 0;
};

}  // namespace

double judge(const ManyImpacts& in, ManyLaw law, const ManyOutcome& out, double noise, JudgeMemory& memory) {
  memory.after = in.u;
  if (out.status != ManyStatus::done) return HUGE_VAL;
  return Judge(in, out, noise, memory).judged(law);
}

}  // namespace stiction::impact

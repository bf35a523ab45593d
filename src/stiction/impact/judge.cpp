#include "stiction/impact/judge.h"

#include <algorithm>
#include <cmath>

#include "stiction/impact/detail/march.h"

namespace stiction::impact {
namespace {

double length(double x, double y) { return std::sqrt(x * x + y * y); }

/// One set of impacts before its judge.
class Judge {
 public:
  Judge(const ManyImpacts& in, const ManyOutcome& out, double noise, JudgeMemory& memory)
      : in_(in), out_(out), memory_(memory), rows_(std::size_t(in.rows)) {
    double most = 0;  // [1/kg]
    for (std::size_t k = 0; k < in.contacts(); ++k) {
      const std::size_t at = k * rows_;
      const double slip = rows_ == 3 ? length(in.u[at + 1], in.u[at + 2]) : 0.0;
      speed_ = std::fmax(speed_, length(std::fmin(in.u[at], 0.0), slip));
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
    not_negative(radius - length(t[0], t[1]), impulse_);
    if (slip == nullptr) return;
    zero(radius * length(slip[0], slip[1]) + t[0] * slip[0] + t[1] * slip[1], impulse_ * speed_);
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
    if (out_.factor != 1) zero(work, impulse_ * speed_);  // no more was taken than energy asks for
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
    Numbers &u = memory_.u, &left = memory_.left;
    u = in_.u, left = out_.p;
    const std::size_t n = u.size();
    for (const SingleImpact& s : out_.singles) {
      const std::size_t at = s.contact * rows_;
      const Vec3 before = velocity(u, at);
      for (std::size_t r = 0; r < rows_; ++r) {
        left[at + r] -= s.impulse[int(r)];
        for (std::size_t i = 0; i < n; ++i) u[i] += in_.W[i * n + at + r] * s.impulse[int(r)];
      }
      single(s, before, velocity(u, at));
    }
    if (out_.finished) return newton(0, left, after);
    for (const double rest : left) zero(rest, impulse_);
  }

  Vec3 velocity(const Numbers& u, std::size_t at) const {
    return rows_ == 1 ? Vec3{u[at], 0, 0} : Vec3{u[at], u[at + 1], u[at + 2]};
  }
  void single(const SingleImpact& s, const Vec3& before, const Vec3& after) {
    const Coefficients& c = in_.coefficients[s.contact];
    not_negative(-before.x, speed_), not_negative(s.impulse.x, impulse_);
    if (rows_ == 1) return zero(after.x + c.restitution * before.x, speed_);
    friction(&s.impulse.y, nullptr, c.friction_static * s.impulse.x);
    const double work = 0.5 * dot(s.impulse, before + after);
    zero(work - (s.released - s.stored + s.friction), impulse_ * speed_);
    not_negative(-work, impulse_ * speed_);
    if (!(before.x < 0 && s.impulse.x > 0)) return;  // round-off, that the first line has judged
    const bool throws_back = !std::isnan(c.tangential_restitution);
    note(throws_back ? superball(s, before, after) : path(s, before, after));
  }

  Mat3 matrix_of(std::size_t contact) const {
    Mat3 out;
    const std::size_t n = in_.u.size(), at = 3 * contact;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j)
        out(int(i), int(j)) = 0.5 * (in_.W[(at + i) * n + at + j] + in_.W[(at + j) * n + at + i]);
    return out;
  }

  /// Friction and works of one impact as its path has them, up to its normal impulse; there its law holds.
  double path(const SingleImpact& s, const Vec3& before, const Vec3& after) const {
    const Coefficients& c = in_.coefficients[s.contact];
    const detail::March own = detail::march(matrix_of(s.contact), before, c, s.impulse.x);
    if (!own.done) return HUGE_VAL;
    const double all = impulse_ * speed_, e = c.restitution;
    // what is stored; of a graze what round-off of the whole leaves of it
    const double energy = std::fmax(own.stored, std::fmax(1e-3 * s.impulse.x * norm(before), 1e-7 * all));
    double out = norm(own.impulse - s.impulse) / impulse_;
    for (const double apart : {own.stored - s.stored, own.released - s.released, own.friction - s.friction})
      out = std::fmax(out, std::fabs(apart) / all);
    if (c.law == Law::energetic) return std::fmax(out, std::fabs(own.released - e * e * own.stored) / energy);
    const double missing = c.law == Law::newton ? (-e * before.x - after.x) / speed_
                                                : ((1 + e) * own.compression - s.impulse.x) / impulse_;
    const double spent = std::fabs(own.released - own.stored) / energy;  // less, where all was given back
    return std::fmax(out, missing > 0 ? std::fmin(missing, spent) : -missing);
  }

  /// u+ = -e u_n - e_t u_t, e_t or both lowered as superball.h has it, or the path of slip.
  double superball(const SingleImpact& s, const Vec3& before, const Vec3& after) const {
    const Coefficients& c = in_.coefficients[s.contact];
    const Mat3 W = matrix_of(s.contact);
    const double e = c.restitution, mu = c.friction_static, wanted = c.tangential_restitution;
    const auto target = [&](double et) { return Vec3{-e * before.x, -et * before.y, -et * before.z}; };
    const auto answer = [&](const Vec3& u) {  // W^-1 u
      const Vec3 x = cross(W.row(1), W.row(2)), y = cross(W.row(2), W.row(0)), z = cross(W.row(0), W.row(1));
      return (u.x * x + u.y * y + u.z * z) / dot(W.row(0), x);
    };
    // [N s] how far outside of the cone
    const auto outside = [&](const Vec3& u) {
      const Vec3 p = answer(u - before);
      return length(p.y, p.z) - mu * p.x;
    };
    const double edge = 1e-9 * impulse_;  // within it both sides are right
    const double over_wanted = outside(target(wanted)), over_grip = outside(target(0));
    bool may_slip = over_wanted > -edge && (wanted <= 0 || over_grip > -edge);
    bool may_grip = over_wanted <= edge || (wanted > 0 && over_grip <= edge);
    double low = 0, et = wanted;
    if (over_wanted > 0 && wanted > 0)
      for (double high = wanted; high - low > 1e-15;) {
        et = 0.5 * (low + high);
        (outside(target(et)) > 0 ? high : low) = et;
      }
    Vec3 u = target(et);
    const double energy = dot(before, answer(before)), later = dot(u, answer(u));
    const double f = later > energy * (1 + 1e-14) ? std::sqrt(energy / later) : 1;
    u = f * u;
    if (f < 1) may_slip = may_slip || outside(u) > -edge, may_grip = may_grip && outside(u) <= edge;
    double out = may_slip ? path(s, before, after) : HUGE_VAL;
    if (may_grip) {
      const double stored = -0.5 * s.impulse.x * before.x / (1 + f * e);  // of an impulse in proportion
      const double apart = std::fabs(s.stored - stored) / (impulse_ * speed_);
      out = std::fmin(out, std::fmax(norm(after - u) / speed_, apart));
    }
    return out;
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

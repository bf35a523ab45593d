#include "stiction/impact/many.h"

#include <algorithm>
#include <cmath>

#include "stiction/impact/detail/expansion.h"
#include "stiction/impact/detail/path.h"

namespace stiction::impact {
namespace {

/// One set of impacts on its way.
class Many {
 public:
  Many(const ManyImpacts& in, const ManySettings& settings, ManyMemory& memory)
      : in_(in), settings_(settings), memory_(memory), rows_(std::size_t(in.rows)), size_(in.u.size()) {}

  ManyOutcome simultaneous(ManyLaw law);
  ManyOutcome sequential();

 private:
  double e(std::size_t contact) const { return in_.coefficients[contact].restitution; }
  /// u + W p
  std::vector<double> velocities(const std::vector<double>& u, const std::vector<double>& p) const;
  double work(const std::vector<double>& u, const std::vector<double>& p) const;
  /// [J] what energies are measured by.
  double energy_scale(const std::vector<double>& p) const;
  /// p of one contact problem with free velocities b.
  bool solve_problem(const std::vector<double>& b, std::vector<double>& p);
  bool newton(double factor, std::vector<double>& p);
  bool poisson(double factor, std::vector<double>& p);
  bool restitution(const std::vector<double>& b, const std::vector<double>& given, std::vector<double>& p);
  bool impact_one(std::size_t contact, std::vector<double>& u, std::vector<double>& p);
  void fill_cones();

  const ManyImpacts& in_;
  const ManySettings& settings_;
  ManyMemory& memory_;
  std::size_t rows_, size_;
};

std::vector<double> Many::velocities(const std::vector<double>& u, const std::vector<double>& p) const {
  std::vector<double> out = u;
  for (std::size_t i = 0; i < size_; ++i)
    for (std::size_t j = 0; j < size_; ++j) out[i] += in_.W[i * size_ + j] * p[j];
  return out;
}

double Many::work(const std::vector<double>& u, const std::vector<double>& p) const {
  double sum = 0;
  for (std::size_t i = 0; i < size_; ++i) sum += 0.5 * p[i] * (in_.u[i] + u[i]);
  return sum;
}

double Many::energy_scale(const std::vector<double>& p) const {
  double sum = 0;
  for (std::size_t i = 0; i < size_; ++i) sum += std::fabs(p[i] * in_.u[i]);
  return sum;
}

void Many::fill_cones() {
  complementarity::LocalFriction& f = memory_.friction;
  f.laws = {};
  for (const Coefficients& c : in_.coefficients) f.laws.mu.push_back(c.friction_kinetic);
  f.W = {int(size_), int(size_), {0}, {}, {}};
  for (std::size_t i = 0; i < size_; ++i) {
    for (std::size_t j = 0; j < size_; ++j) {
      if (in_.W[i * size_ + j] == 0) continue;
      f.W.column.push_back(int(j));
      f.W.value.push_back(in_.W[i * size_ + j]);
    }
    f.W.start.push_back(int(f.W.column.size()));
  }
}

bool Many::solve_problem(const std::vector<double>& b, std::vector<double>& p) {
  p.assign(size_, 0);
  if (rows_ == 1) {
    memory_.lcp = {int(size_), in_.W, b};
    const complementarity::LinearSolveSettings s{.tolerance = settings_.tolerance};
    return complementarity::solve(memory_.lcp, s, p, memory_.linear).status ==
           complementarity::LinearStatus::solved;
  }
  memory_.friction.b = b;
  const complementarity::FrictionSolveSettings s{.tolerance = settings_.tolerance};
  return complementarity::solve(memory_.friction, s, p, memory_.cones).status ==
         complementarity::FrictionStatus::solved;
}

bool Many::newton(double factor, std::vector<double>& p) {
  std::vector<double> b = in_.u;
  for (std::size_t k = 0; k < in_.contacts(); ++k) {
    const double v = in_.u[k * rows_];
    if (v < 0) b[k * rows_] = (1 + factor * e(k)) * v;
  }
  return solve_problem(b, p);
}

bool Many::poisson(double factor, std::vector<double>& p) {
  if (!solve_problem(in_.u, p)) return false;
  std::vector<double> given(in_.contacts()), normal(size_, 0);
  for (std::size_t k = 0; k < in_.contacts(); ++k)
    normal[k * rows_] = given[k] = factor * e(k) * p[k * rows_];
  std::vector<double> more;
  if (!restitution(velocities(velocities(in_.u, p), normal), given, more)) return false;
  for (std::size_t i = 0; i < size_; ++i) p[i] += normal[i] + more[i];
  return true;
}

bool Many::restitution(const std::vector<double>& b, const std::vector<double>& given,
                       std::vector<double>& more) {
  if (rows_ == 1) return solve_problem(b, more);
  more.assign(size_, 0);
  std::vector<double> mu;
  for (const Coefficients& c : in_.coefficients) mu.push_back(c.friction_kinetic);
  return detail::expand(in_.W, b, mu, given, settings_.tolerance, more);
}

ManyOutcome Many::simultaneous(ManyLaw law) {
  ManyOutcome out;
  if (rows_ == 3) fill_cones();
  const auto attempt = [&](double factor) {
    if (!(law == ManyLaw::newton ? newton(factor, out.p) : poisson(factor, out.p))) return false;
    out.u = velocities(in_.u, out.p), out.energy_change = work(out.u, out.p), out.factor = factor;
    return true;
  };
  bool solved = attempt(1);
  if (solved && out.energy_change > 1e-12 * energy_scale(out.p)) {  // more than the round-off of e = 1
    double low = 0, high = 1;
    while (solved && high - low > 1e-15) {
      const double middle = 0.5 * (low + high);
      if (middle == low || middle == high) break;
      solved = attempt(middle);
      (out.energy_change > 0 ? high : low) = middle;
    }
    solved = solved && attempt(low);
  }
  out.status = solved ? ManyStatus::done : ManyStatus::unsolved;
  if (!solved) out.u = in_.u, out.p.assign(size_, 0), out.energy_change = 0;
  return out;
}

bool Many::impact_one(std::size_t contact, std::vector<double>& u, std::vector<double>& p) {
  const std::size_t at = contact * rows_;
  const Coefficients& c = in_.coefficients[contact];
  Vec3 impulse;
  if (rows_ == 1) {
    impulse.x = -(1 + c.restitution) * u[at] / in_.W[at * size_ + at];
  } else {
    SpatialImpact one{{}, {u[at], u[at + 1], u[at + 2]}, c};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) one.W(i, j) = in_.W[(at + std::size_t(i)) * size_ + at + std::size_t(j)];
    const Outcome o = impact::solve(one);
    if (o.status != Status::done) return false;
    impulse = o.impulse;
  }
  for (std::size_t j = 0; j < rows_; ++j) {
    p[at + j] += impulse[int(j)];
    for (std::size_t i = 0; i < size_; ++i) u[i] += in_.W[i * size_ + at + j] * impulse[int(j)];
  }
  return true;
}

ManyOutcome Many::sequential() {
  ManyOutcome out;
  out.u = in_.u, out.p.assign(size_, 0);
  double fastest = 0;
  for (std::size_t k = 0; k < in_.contacts(); ++k) fastest = std::max(fastest, -in_.u[k * rows_]);
  const double still = 1e-14 * fastest;  // [m/s] round-off of what has stopped approaching
  bool any = fastest > 0;
  for (; any && out.sweeps < settings_.max_sweeps; ++out.sweeps) {
    any = false;
    for (std::size_t k = 0; k < in_.contacts(); ++k) {
      if (!(out.u[k * rows_] < -still)) continue;
      if (!impact_one(k, out.u, out.p)) {
        out.status = ManyStatus::unsolved, out.u = in_.u, out.p.assign(size_, 0);
        return out;
      }
      any = true, ++out.impacts;
    }
  }
  out.status = ManyStatus::done;
  if (any) {  // the rest stops at once
    if (rows_ == 3) fill_cones();
    std::vector<double> rest;
    out.finished = true;
    if (!solve_problem(out.u, rest)) out.status = ManyStatus::unsolved;
    for (std::size_t i = 0; i < size_; ++i) out.p[i] += rest[i];
  }
  out.u = velocities(in_.u, out.p), out.energy_change = work(out.u, out.p);
  if (out.status == ManyStatus::unsolved) out.u = in_.u, out.p.assign(size_, 0), out.energy_change = 0;
  return out;
}

}  // namespace

const char* name_of(ManyLaw law) {
  switch (law) {
    case ManyLaw::newton:
      return "newton";
    case ManyLaw::poisson:
      return "poisson";
    case ManyLaw::sequential:
      return "sequential";
  }
  return "";
}

std::vector<std::string> validate(const ManyImpacts& in) {
  std::vector<std::string> out;
  const std::size_t n = std::size_t(in.rows) * in.contacts();
  const auto finite = [](const std::vector<double>& v) {
    return std::all_of(v.begin(), v.end(), [](double x) { return std::isfinite(x); });
  };
  if (in.rows != 1 && in.rows != 3) out.emplace_back("rows: must be 1 or 3");
  if (in.u.size() != n) out.emplace_back("u: must have rows times contacts entries");
  if (in.W.size() != n * n) {
    out.emplace_back("W: must have (rows times contacts)^2 entries");
  } else {
    for (std::size_t i = 0; i < n; i += std::size_t(in.rows))
      if (!(in.W[i * n + i] > 0)) out.emplace_back("W: its diagonal must be above 0 at normals");
  }
  if (!finite(in.W) || !finite(in.u)) out.emplace_back("W, u: must be finite");
  for (const Coefficients& c : in.coefficients) detail::list_faults(c, out);
  return out;
}

ManyOutcome solve(const ManyImpacts& in, ManyLaw law, const ManySettings& settings, ManyMemory& memory) {
  if (!validate(in).empty()) {
    ManyOutcome refused;
    refused.status = ManyStatus::bad_input;
    return refused;
  }
  Many many(in, settings, memory);
  return law == ManyLaw::sequential ? many.sequential() : many.simultaneous(law);
}

ManyOutcome solve(const ManyImpacts& in, ManyLaw law) {
  ManyMemory memory;
  return solve(in, law, {}, memory);
}

}  // namespace stiction::impact

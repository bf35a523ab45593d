#include "stiction/impact/many.h"

#include <algorithm>
#include <cmath>

#include "stiction/impact/detail/expansion.h"
#include "stiction/impact/detail/path.h"
#include "stiction/impact/superball.h"

namespace stiction::impact {
namespace {

/// One set of impacts on its way.
class Many {
 public:
  Many(const ManyImpacts& in, const ManySettings& settings, ManyMemory& memory, ManyOutcome& out)
      : in_(in),
        settings_(settings),
        memory_(memory),
        out_(out),
        rows_(std::size_t(in.rows)),
        size_(in.u.size()) {}

  void simultaneous(ManyLaw law);
  void sequential();

 private:
  double e(std::size_t contact) const { return in_.coefficients[contact].restitution; }
  /// u += W p
  void add_response(const std::vector<double>& p, std::vector<double>& u) const;
  /// Velocities and energy that follow from the impulses of the outcome.
  void conclude();
  /// Nothing happened.
  void give_up();
  /// [J] what energies are measured by.
  double energy_scale() const;
  /// p of one contact problem with free velocities b.
  bool solve_problem(const std::vector<double>& b, std::vector<double>& p);
  bool newton(double factor);
  bool poisson(double factor);
  bool restitution(const std::vector<double>& b);
  bool impact_one(std::size_t contact);
  void fill_cones();

  const ManyImpacts& in_;
  const ManySettings& settings_;
  ManyMemory& memory_;
  ManyOutcome& out_;
  std::size_t rows_, size_;
};

void Many::add_response(const std::vector<double>& p, std::vector<double>& u) const {
  for (std::size_t i = 0; i < size_; ++i)
    for (std::size_t j = 0; j < size_; ++j) u[i] += in_.W[i * size_ + j] * p[j];
}

void Many::conclude() {
  out_.u = in_.u;
  add_response(out_.p, out_.u);
  out_.energy_change = 0;
  for (std::size_t i = 0; i < size_; ++i) out_.energy_change += 0.5 * out_.p[i] * (in_.u[i] + out_.u[i]);
}

void Many::give_up() {
  out_.status = ManyStatus::unsolved;
  out_.u = in_.u, out_.p.assign(size_, 0), out_.energy_change = 0;
}

double Many::energy_scale() const {
  double sum = 0;
  for (std::size_t i = 0; i < size_; ++i) sum += std::fabs(out_.p[i] * in_.u[i]);
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
  if (size_ == 1) {
    p[0] = std::max(0.0, -b[0] / in_.W[0]);
    return true;
  }
  if (rows_ == 1) {
    memory_.lcp.n = int(size_), memory_.lcp.M = in_.W, memory_.lcp.q = b;
    const complementarity::LinearSolveSettings s{.tolerance = settings_.tolerance};
    return complementarity::solve(memory_.lcp, s, p, memory_.linear).status ==
           complementarity::LinearStatus::solved;
  }
  memory_.friction.b = b;
  const complementarity::FrictionSolveSettings s{.tolerance = settings_.tolerance};
  return complementarity::solve(memory_.friction, s, p, memory_.cones).status ==
         complementarity::FrictionStatus::solved;
}

bool Many::newton(double factor) {
  std::vector<double>& b = memory_.b;
  b = in_.u;
  for (std::size_t k = 0; k < in_.contacts(); ++k) {
    const double v = in_.u[k * rows_];
    if (v < 0) b[k * rows_] = (1 + factor * e(k)) * v;
  }
  return solve_problem(b, out_.p);
}

bool Many::poisson(double factor) {
  if (!solve_problem(in_.u, out_.p)) return false;
  out_.compression = out_.p;
  memory_.given.resize(in_.contacts()), memory_.normal.assign(size_, 0);
  for (std::size_t k = 0; k < in_.contacts(); ++k)
    memory_.normal[k * rows_] = memory_.given[k] = factor * e(k) * out_.p[k * rows_];
  memory_.free = in_.u;
  add_response(out_.p, memory_.free), add_response(memory_.normal, memory_.free);
  if (!restitution(memory_.free)) return false;
  for (std::size_t i = 0; i < size_; ++i) out_.p[i] += memory_.normal[i] + memory_.more[i];
  return true;
}

bool Many::restitution(const std::vector<double>& b) {
  if (rows_ == 1) return solve_problem(b, memory_.more);
  memory_.more.assign(size_, 0), memory_.mu.clear();
  for (const Coefficients& c : in_.coefficients) memory_.mu.push_back(c.friction_kinetic);
  return detail::expand(in_.W, b, memory_.mu, memory_.given, settings_.tolerance, memory_.more);
}

void Many::simultaneous(ManyLaw law) {
  if (rows_ == 3) fill_cones();
  const auto attempt = [&](double factor) {
    if (!(law == ManyLaw::newton ? newton(factor) : poisson(factor))) return false;
    conclude();
    out_.factor = factor;
    return true;
  };
  bool solved = attempt(1);
  if (solved && out_.energy_change > 1e-12 * energy_scale()) {  // more than the round-off of e = 1
    double low = 0, high = 1;
    while (solved && high - low > 1e-15) {
      const double middle = 0.5 * (low + high);
      if (middle == low || middle == high) break;
      solved = attempt(middle);
      (out_.energy_change > 0 ? high : low) = middle;
    }
    solved = solved && attempt(low);
  }
  out_.status = ManyStatus::done;
  if (!solved) give_up();
}

bool Many::impact_one(std::size_t contact) {
  const std::size_t at = contact * rows_;
  const Coefficients& c = in_.coefficients[contact];
  std::vector<double>& u = out_.u;
  SingleImpact made;
  made.contact = contact, made.restitution = c.restitution;
  if (rows_ == 1) {
    const double W = in_.W[at * size_ + at];
    made.impulse.x = -(1 + c.restitution) * u[at] / W;
    made.stored = 0.5 * u[at] * u[at] / W, made.released = c.restitution * c.restitution * made.stored;
  } else {
    SpatialImpact one{{}, {u[at], u[at + 1], u[at + 2]}, c};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) one.W(i, j) = in_.W[(at + std::size_t(i)) * size_ + at + std::size_t(j)];
    const bool throws_back = !std::isnan(c.tangential_restitution);
    const Outcome o =
        throws_back ? solve_superball(one, c.tangential_restitution).impact : impact::solve(one);
    if (o.status != Status::done) return false;
    made.impulse = o.impulse, made.stored = o.stored, made.released = o.released, made.friction = o.friction;
    made.restitution = o.restitution;
  }
  out_.singles.push_back(made);
  for (std::size_t j = 0; j < rows_; ++j) {
    out_.p[at + j] += made.impulse[int(j)];
    for (std::size_t i = 0; i < size_; ++i) u[i] += in_.W[i * size_ + at + j] * made.impulse[int(j)];
  }
  return true;
}

void Many::sequential() {
  out_.u = in_.u, out_.p.assign(size_, 0);
  double fastest = 0;
  for (std::size_t k = 0; k < in_.contacts(); ++k) fastest = std::max(fastest, -in_.u[k * rows_]);
  const double still = 1e-14 * fastest;  // [m/s] round-off of what has stopped approaching
  bool any = fastest > 0;
  for (; any && out_.sweeps < settings_.max_sweeps; ++out_.sweeps) {
    any = false;
    for (std::size_t k = 0; k < in_.contacts(); ++k) {
      if (!(out_.u[k * rows_] < -still)) continue;
      if (!impact_one(k)) return give_up();
      any = true;
    }
  }
  out_.status = ManyStatus::done;
  if (any) {  // the rest stops at once
    if (rows_ == 3) fill_cones();
    out_.finished = true;
    if (!solve_problem(out_.u, memory_.more)) return give_up();
    for (std::size_t i = 0; i < size_; ++i) out_.p[i] += memory_.more[i];
  }
  conclude();
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
    case ManyLaw::superball:
      return "superball";
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

void solve(const ManyImpacts& in, ManyLaw law, const ManySettings& settings, ManyMemory& memory,
           ManyOutcome& out) {
  out.u.clear(), out.p.clear();
  out.energy_change = 0, out.factor = 1;
  out.sweeps = 0, out.finished = false;
  out.compression.clear(), out.singles.clear();
  out.status = ManyStatus::bad_input;
  if (!validate(in).empty()) return;
  Many many(in, settings, memory, out);
  if (is_sequence(law))
    many.sequential();
  else
    many.simultaneous(law);
}

ManyOutcome solve(const ManyImpacts& in, ManyLaw law, const ManySettings& settings, ManyMemory& memory) {
  ManyOutcome out;
  solve(in, law, settings, memory, out);
  return out;
}

ManyOutcome solve(const ManyImpacts& in, ManyLaw law) {
  ManyMemory memory;
  return solve(in, law, {}, memory);
}

}  // namespace stiction::impact

#include "stiction/complementarity/friction/solve_friction.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace stiction::complementarity {
namespace {

using namespace friction;

constexpr double margin = 0.9;       // [-] of the tolerance: what the solvers' own account aims at
constexpr int large_contacts = 100;  // [-] of an island: above, splitting steps may come before Newton's
constexpr double on_its_way = 1e-2;  // [-] of the error that Newton's first steps may leave
constexpr double most_blocks = 200;  // [-] per contact of W: above, a global problem is solved as a graph
constexpr int most_graph_rows = 64;  // [-] of a block of M
constexpr int dear_contacts = 2000;  // [-] of an island: above, the sweeps' first budget is large

struct Attempt {
  const Prepared& p;
  const Range& island;
  Goal goal;
  FrictionMemory& m;
  FrictionReport& report;
  double others2, b;  // square of the errors of all other islands; |b|
  double error;       // of m.best: the start, until something better is found

  double* r() const { return m.r.data() + island.begin * p.rows; }
  std::size_t size() const { return std::size_t(island.size() * p.rows); }
  bool solved() const { return error <= goal.plain; }

  /// Books a solver's result; the best r counts in the end, since solvers may leave r worse than it came.
  void note(const IslandReport& one, const char* name) {
    report.iterations += one.iterations, report.factorisations += one.factorisations;
    for (const double e : one.history)
      report.residual_history.push_back(b > 0 ? std::sqrt(others2 + e * e) / b : e);
    if (!std::isfinite(one.error)) return take_best();
    if (!(one.error < error)) return;
    error = one.error;
    m.best.assign(r(), r() + size());
    if (one.iterations > 0 && report.solver.find(name) == std::string::npos)
      report.solver += (report.solver.empty() ? "" : "+") + std::string(name);
  }
  void keep_start() { m.best.assign(r(), r() + size()); }
  void take_best() { std::copy(m.best.begin(), m.best.end(), r()); }
  void sweep(int sweeps) { note(nsgs(p, island, goal, {.max_sweeps = sweeps}, m.r.data(), m.nsgs), "nsgs"); }
  void step_newton(int steps) {
    if (solved()) return;
    note(newton(p, island, goal, {.max_steps = steps}, m.r.data(), m.newton), "newton");
  }
  void split(int steps) {
    if (solved()) return;
    note(admm(p, island, goal, {.max_steps = steps}, m.r.data(), m.admm), "admm");
  }
  void descend(int steps) {
    if (solved()) return;
    note(projected_gradient(p, island, goal, {.max_steps = steps}, m.r.data(), m.gradient),
         "projected_gradient");
  }
  bool escalate() {
    const bool more = !solved() && !goal.stop.asked();
    report.escalations += more;
    return more;
  }

  void relax(int steps) {
    if (solved()) return;
    note(interior_point(p, island, goal, {.max_steps = steps}, m.r.data(), m.interior_point),
         "interior_point");
  }

  void by_policy(bool sweeps_help) {
    if (island.size() == 1) {
      sweep(30);
    } else {
      const bool patient = p.rows == 2 || island.size() > dear_contacts;  // sweeps suit planar problems
      const NsgsSettings first{.max_sweeps = patient || sweeps_help ? 100 : 8,
                               .least_drop = patient ? 0.0 : 0.3};
      note(nsgs(p, island, goal, first, m.r.data(), m.nsgs), "nsgs");
      ++m.tried, m.swept += solved();
    }
    if (!solved()) try_newton();
    if (escalate()) relax(60), step_newton(200);
    if (escalate()) take_best(), sweep(100), step_newton(400);
    if (escalate()) std::fill(r(), r() + size(), 0.0), split(500), step_newton(800);
    if (escalate()) take_best(), sweep(1000), step_newton(1500);
    if (escalate()) take_best(), sweep(5000), step_newton(3000), descend(30000);
  }
  /// Newton's method while it makes its way; on large islands that it does not see through, a start by
  /// splitting.
  void try_newton() {
    m.swept_r.assign(r(), r() + size());
    const double before = error;
    if (island.size() < large_contacts) return step_newton(115);
    step_newton(30);
    if (error <= on_its_way * before) step_newton(30);
    if (solved()) return;
    ++report.escalations;
    std::copy(m.swept_r.begin(), m.swept_r.end(), r());
    split(150);
    step_newton(150);
  }
  void by_name(FrictionSolver solver) {
    switch (solver) {
      case FrictionSolver::nsgs:
        return sweep(100000);
      case FrictionSolver::newton:
        note(newton(p, island, goal, {.max_steps = 3000}, m.r.data(), m.newton), "newton");
        return;
      case FrictionSolver::admm:
        note(admm(p, island, goal, {.max_steps = 20000}, m.r.data(), m.admm), "admm");
        return;
      case FrictionSolver::projected_gradient:
        note(projected_gradient(p, island, goal, {.max_steps = 100000}, m.r.data(), m.gradient),
             "projected_gradient");
        return;
      case FrictionSolver::interior_point:
        note(interior_point(p, island, goal, {}, m.r.data(), m.interior_point), "interior_point");
        return step_newton(50);  // the last digits, which round-off on the boundary denies the path
      case FrictionSolver::automatic:
        return;
    }
  }
};

double norm_of(const std::vector<double>& x) {
  double sum = 0;
  for (const double v : x) sum += v * v;
  return std::sqrt(sum);
}

/// Solves all islands so that the root of the sum of their squared errors is within `goal`.
void solve_islands(const FrictionSolveSettings& s, double goal, double b, bool sweeps_help, FrictionMemory& m,
                   FrictionReport& report) {
  const Prepared& p = m.prepared;
  std::vector<int> turn(p.islands.size());
  std::iota(turn.begin(), turn.end(), 0);
  std::stable_sort(turn.begin(), turn.end(), [&](int a, int c) {
    return p.islands[std::size_t(a)].size() < p.islands[std::size_t(c)].size();
  });
  m.nsgs.u.resize(p.b.size());
  const std::size_t count = turn.size();
  std::vector<double> error(count), ahead2(count + 1, 0.0);  // by turn; squares of the errors from a turn on
  const auto error_of = [&](const Range& island) {
    local_velocities(p, island, m.r.data(), m.nsgs.u.data());
    return plain_error(p, island, m.r.data(), m.nsgs.u.data());
  };
  for (std::size_t t = count; t-- > 0;) {
    const Range& island = p.islands[std::size_t(turn[t])];
    error[t] = error_of(island);
    if (!std::isfinite(error[t])) {  // W r overflows: such a start is worth nothing
      std::fill(m.r.begin() + island.begin * p.rows, m.r.begin() + island.end * p.rows, 0.0);
      error[t] = error_of(island);
    }
    ahead2[t] = ahead2[t + 1] + error[t] * error[t];
  }
  double left2 = goal * goal, done2 = 0;
  int contacts = p.contacts;
  report.unsolved = 0;
  for (std::size_t t = 0; t < count; ++t) {
    const Range& island = p.islands[std::size_t(turn[t])];
    const double share = std::sqrt(left2 * island.size() / contacts);
    if (!(error[t] <= share)) {
      Attempt a{p, island, {share, s.stop}, m, report, done2 + ahead2[t + 1], b, error[t]};
      a.keep_start();
      if (s.solver == FrictionSolver::automatic)
        a.by_policy(sweeps_help);
      else
        a.by_name(s.solver);
      a.take_best();
      report.unsolved += !a.solved();
      error[t] = a.error;
    }
    done2 += error[t] * error[t];
    left2 = std::fmax(left2 - error[t] * error[t], 0.0), contacts -= island.size();
    if (!(left2 > 0)) left2 = goal * goal;  // lost already: do the others well
  }
}

bool refuse(FrictionReport& report, std::vector<std::string> faults) {
  if (faults.empty()) return false;
  report.status = FrictionStatus::bad_input;
  report.faults = std::move(faults);
  return true;
}

/// The start, and what is wrong with it or with the settings.
bool begin(const FrictionSolveSettings& s, std::size_t size, std::vector<double>& r, FrictionReport& report) {
  if (!s.warm_start) r.assign(size, 0.0);
  std::vector<std::string> faults;
  if (r.size() != size || !std::all_of(r.begin(), r.end(), [](double x) { return std::isfinite(x); }))
    faults.push_back("r: the start must hold " + std::to_string(size) + " finite entries");
  if (!(s.tolerance > 0)) faults.emplace_back("tolerance: must be > 0");
  return !refuse(report, std::move(faults));
}

/// The problem is in m.prepared, the start in r; residual_of_r judges r.
template <class Residual>
void solve_prepared(const FrictionSolveSettings& s, const Residual& residual_of_r, std::vector<double>& r,
                    FrictionMemory& m, FrictionReport& report) {
  to_places(m.prepared, r, m.r);
  report.islands = int(m.prepared.islands.size());
  const double b = norm_of(m.prepared.b);
  const bool sweeps_help = m.tried == 0 || 10 * m.swept > m.tried;
  m.tried = m.swept = 0;
  double goal = margin * s.tolerance * (b > 0 ? b : 1.0);
  for (int round = 0; round < 3; ++round, goal *= 0.3) {  // again only where round-off parts the two accounts
    solve_islands(s, goal, b, sweeps_help, m, report);
    from_places(m.prepared, m.r, r);
    const FrictionResidual residual = residual_of_r();
    report.natural_map = residual.natural_map, report.natural_map_scaled = residual.natural_map_scaled;
    if (report.natural_map <= s.tolerance || report.unsolved > 0) break;
  }
  report.status =
      report.natural_map <= s.tolerance ? FrictionStatus::solved : FrictionStatus::iteration_limit;
  if (report.solver.empty()) report.solver = name_of(s.solver);
}

/// |M v - H r - f| / (|H r| + |f|)
double dynamics_error(const GlobalFriction& p, const std::vector<double>& r, const std::vector<double>& v) {
  double error = 0, push = 0;
  for (int i = 0; i < p.M.rows; ++i) {
    double sum = p.f[std::size_t(i)], impulse = 0;
    for (int k = p.H.start[std::size_t(i)]; k < p.H.start[std::size_t(i) + 1]; ++k)
      impulse += p.H.value[std::size_t(k)] * r[std::size_t(p.H.column[std::size_t(k)])];
    push += impulse * impulse;
    sum += impulse;
    for (int k = p.M.start[std::size_t(i)]; k < p.M.start[std::size_t(i) + 1]; ++k)
      sum -= p.M.value[std::size_t(k)] * v[std::size_t(p.M.column[std::size_t(k)])];
    error += sum * sum;
  }
  const double scale = std::sqrt(push) + norm_of(p.f);
  return scale > 0 ? std::sqrt(error) / scale : 0.0;
}

}  // namespace

const std::vector<FrictionSolver>& friction_solvers() {
  static const std::vector<FrictionSolver> all = {FrictionSolver::automatic,
                                                  FrictionSolver::nsgs,
                                                  FrictionSolver::newton,
                                                  FrictionSolver::admm,
                                                  FrictionSolver::projected_gradient,
                                                  FrictionSolver::interior_point};
  return all;
}

const char* name_of(FrictionSolver solver) {
  switch (solver) {
    case FrictionSolver::automatic:
      return "automatic";
    case FrictionSolver::nsgs:
      return "nsgs";
    case FrictionSolver::newton:
      return "newton";
    case FrictionSolver::admm:
      return "admm";
    case FrictionSolver::projected_gradient:
      return "projected_gradient";
    case FrictionSolver::interior_point:
      return "interior_point";
  }
  return "unknown";
}

std::optional<FrictionSolver> friction_solver_named(std::string_view name) {
  for (const FrictionSolver solver : friction_solvers())
    if (name == name_of(solver)) return solver;
  return std::nullopt;
}

const char* name_of(FrictionStatus status) {
  switch (status) {
    case FrictionStatus::not_run:
      return "not_run";
    case FrictionStatus::bad_input:
      return "bad_input";
    case FrictionStatus::solved:
      return "solved";
    case FrictionStatus::iteration_limit:
      return "iteration_limit";
    case FrictionStatus::singular_mass:
      return "singular_mass";
  }
  return "unknown";
}

FrictionReport solve(const LocalFriction& p, const FrictionSolveSettings& s, std::vector<double>& r,
                     FrictionMemory& m) {
  FrictionReport report;
  if (refuse(report, validate(p)) || !begin(s, p.b.size(), r, report)) return report;
  prepare(p, m.prepared);
  solve_prepared(
      s, [&] { return friction_residual(p, r); }, r, m, report);
  return report;
}

FrictionReport solve(const GlobalFriction& p, const FrictionSolveSettings& s, std::vector<double>& r,
                     std::vector<double>& v, FrictionMemory& m) {
  FrictionReport report;
  if (refuse(report, validate(p)) || !begin(s, p.b.size(), r, report)) return report;
  if (!m.mass.factor(p.M)) {
    report.status = FrictionStatus::singular_mass;
    return report;
  }
  const GraphShape shape = shape_of(p, m.mass);
  if (s.route == GlobalRoute::graph && shape.largest > most_graph_rows) {
    refuse(report, {"route: M has a block of " + std::to_string(shape.largest) + " rows, a graph takes " +
                    std::to_string(most_graph_rows)});
    return report;
  }
  const bool by_graph = s.route == GlobalRoute::automatic
                            ? shape.blocks > most_blocks && shape.largest <= most_graph_rows
                            : s.route == GlobalRoute::graph;
  if (by_graph) {
    prepare(p, m.mass, m.prepared);
    solve_prepared(
        s, [&] { return friction_residual(p, m.mass, r); }, r, m, report);
  } else {
    condense_factored(p, m.mass, m.local);
    report = solve(m.local, s, r, m);
    if (report.status == FrictionStatus::bad_input) return report;
  }
  v = velocities(p, m.mass, r);
  report.dynamics = dynamics_error(p, r, v);
  return report;
}

FrictionReport solve(const LocalFriction& p, double tolerance, std::vector<double>& r) {
  FrictionMemory memory;
  return solve(p, {.tolerance = tolerance}, r, memory);
}
FrictionReport solve(const GlobalFriction& p, double tolerance, std::vector<double>& r,
                     std::vector<double>& v) {
  FrictionMemory memory;
  return solve(p, {.tolerance = tolerance}, r, v, memory);
}

}  // namespace stiction::complementarity

#include "solve_friction.h"

#include <chrono>

#include "stiction/complementarity/friction/solve_friction.h"

namespace stiction::cli {
namespace {

using namespace complementarity;

FrictionSolveSettings settings_for(const std::string& solver, double tolerance) {
  return {.tolerance = tolerance,
          .solver = friction_solver_named(solver).value_or(FrictionSolver::automatic)};
}

template <class Solve>
SolveOutcome timed(const std::string& solver, double tolerance, const Solve& solve_it) {
  const auto began = std::chrono::steady_clock::now();
  const FrictionReport report = solve_it(settings_for(solver, tolerance));
  SolveOutcome out;
  out.milliseconds =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began).count();
  out.solver = report.solver.empty() ? solver : report.solver;
  out.status = name_of(report.status);
  out.natural_map = report.natural_map, out.natural_map_scaled = report.natural_map_scaled;
  out.solved = out.natural_map >= 0 && out.natural_map <= tolerance;
  out.iterations = report.iterations;
  for (const std::string& fault : report.faults) out.remark += (out.remark.empty() ? "" : "; ") + fault;
  return out;
}

}  // namespace

std::vector<std::string> friction_solver_names() {
  std::vector<std::string> out;
  for (const FrictionSolver solver : friction_solvers())
    if (solver != FrictionSolver::automatic) out.emplace_back(name_of(solver));
  return out;
}

std::string about_friction_solver(const std::string& name) {
  switch (friction_solver_named(name).value_or(FrictionSolver::automatic)) {
    case FrictionSolver::automatic:
      break;
    case FrictionSolver::nsgs:
      return "Gauss-Seidel over the contacts, each solved exactly";
    case FrictionSolver::newton:
      return "proximal semismooth Newton, sparse";
    case FrictionSolver::admm:
      return "splitting with an adaptive penalty";
    case FrictionSolver::projected_gradient:
      return "projected gradients";
    case FrictionSolver::interior_point:
      return "primal-dual interior point";
  }
  return "the policy";
}

SolveOutcome solve_friction(const LocalFriction& p, const std::string& solver, double tolerance) {
  FrictionMemory memory;
  std::vector<double> r;
  return timed(solver, tolerance, [&](const FrictionSolveSettings& s) { return solve(p, s, r, memory); });
}

SolveOutcome solve_friction(const GlobalFriction& p, const std::string& solver, double tolerance) {
  FrictionMemory memory;
  std::vector<double> r, v;
  return timed(solver, tolerance, [&](const FrictionSolveSettings& s) { return solve(p, s, r, v, memory); });
}

}  // namespace stiction::cli

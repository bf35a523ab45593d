#include "solve_friction.h"

#include <chrono>
#include <cmath>

#include "stiction/complementarity/friction/cones.h"
#include "stiction/complementarity/friction/residual.h"

namespace stiction::cli {
namespace {

using namespace complementarity;

/// Projected Gauss-Seidel on contacts: r_i := P_K(r_i - uhat_i / w_i), w_i the trace of W_ii.
int sweep_until(const LocalFriction& p, double tolerance, int most, std::vector<double>& r) {
  const auto rows = std::size_t(p.laws.rows);
  const auto at = [&](std::size_t row, std::size_t column) {
    for (auto k = std::size_t(p.W.start[row]); k < std::size_t(p.W.start[row + 1]); ++k)
      if (std::size_t(p.W.column[k]) == column) return p.W.value[k];
    return 0.0;
  };
  r.assign(p.b.size(), 0);
  for (int sweep = 0; sweep < most; ++sweep) {
    if (sweep % 10 == 0 && friction_residual(p, r).natural_map <= tolerance) return sweep;
    for (std::size_t i = 0; i < p.laws.mu.size(); ++i) {
      double u[6], x[6], scale = 0;
      const ContactCone cone = cone_of(p.laws, int(i));
      for (std::size_t a = 0; a < rows; ++a) {
        const std::size_t row = i * rows + a;
        u[a] = p.b[row], scale += at(row, row);
        for (auto k = std::size_t(p.W.start[row]); k < std::size_t(p.W.start[row + 1]); ++k)
          u[a] += p.W.value[k] * r[std::size_t(p.W.column[k])];
      }
      u[0] += shift_of(cone, u);
      for (std::size_t a = 0; a < rows; ++a) x[a] = r[i * rows + a] - u[a] / scale;
      project_on(cone, x, &r[i * rows]);
    }
  }
  return most;
}

}  // namespace

std::vector<std::string> friction_solvers() { return {"nsgs"}; }

std::string about_friction_solver(const std::string&) { return "Gauss-Seidel over the contacts"; }

SolveOutcome solve_friction(const LocalFriction& p, const std::string&, double tolerance) {
  std::vector<double> r;
  SolveOutcome out;
  const auto began = std::chrono::steady_clock::now();
  out.iterations = sweep_until(p, tolerance, 10000, r);
  out.milliseconds =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began).count();
  const FrictionResidual measure = friction_residual(p, r);
  out.natural_map = measure.natural_map, out.natural_map_scaled = measure.natural_map_scaled;
  out.solved = out.natural_map <= tolerance;
  out.solver = "nsgs", out.status = out.solved ? "solved" : "iteration_limit";
  return out;
}

SolveOutcome solve_friction(const GlobalFriction&, const std::string&, double) {
  SolveOutcome out;
  out.solver = "nsgs", out.status = "unsuitable";
  return out;
}

}  // namespace stiction::cli

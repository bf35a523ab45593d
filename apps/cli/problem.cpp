#include "problem.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "solve_friction.h"
#include "stiction/base/platform/file.h"
#include "stiction/complementarity/linear/natural_residual.h"
#include "stiction/complementarity/linear/solve_linear.h"
#include "stiction/complementarity/nonlinear/mcp_residual.h"
#include "stiction/complementarity/nonlinear/solve_mcp.h"
#include "stiction/formats/problem_file.h"
#include "stiction/record/fclib.h"
#include "stiction/record/hdf5.h"

namespace stiction::cli {
namespace {

using namespace complementarity;
using Names = std::vector<std::string>;

class Stopwatch {
 public:
  double milliseconds() const {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began_).count();
  }

 private:
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

template <class P>
constexpr bool is_linear =
    std::is_same_v<P, Lcp> || std::is_same_v<P, MixedLcp> || std::is_same_v<P, BoxedLcp>;

template <class P>
LinearReport run_linear(const P& p, const std::string& solver, double tolerance, std::vector<double>& z) {
  if (solver == "lemke") return lemke(p, {.tolerance = tolerance}, z);
  if (solver == "gauss_seidel") return gauss_seidel(p, {.tolerance = tolerance}, z);
  if (solver == "jacobi") return jacobi(p, {.tolerance = tolerance}, z);
  if constexpr (!std::is_same_v<P, MixedLcp>)
    if (solver == "block_pivoting") return block_pivoting(p, {.tolerance = tolerance}, z);
  return solve(p, tolerance, z);
}

template <class P>
SolveOutcome solve_linear(const P& p, const std::string& solver, double tolerance) {
  std::vector<double> z;
  const Stopwatch watch;
  const LinearReport report = run_linear(p, solver, tolerance, z);
  SolveOutcome out;
  out.milliseconds = watch.milliseconds();
  out.solver = *report.method != '\0' ? report.method : solver;
  out.iterations = report.pivots + report.sweeps;
  out.status = name_of(report.status);
  if (report.status == LinearStatus::not_run || report.status == LinearStatus::bad_input) return out;
  out.natural_map = natural_residual(p, z);
  out.solved = out.natural_map <= tolerance;
  if (report.status == LinearStatus::solved && !out.solved) out.status = name_of(LinearStatus::inaccurate);
  if (report.proves_infeasible) out.remark = "no z >= 0 has M z + q >= 0: there is no solution";
  return out;
}

SolveOutcome solve_mcp(const Mcp& p, const std::string& solver, double tolerance) {
  std::vector<double> x;
  const Stopwatch watch;
  const McpReport report = solver == "fischer_burmeister" ? fischer_burmeister(p, {.tolerance = tolerance}, x)
                           : solver == "josephy_newton"   ? josephy_newton(p, {.tolerance = tolerance}, x)
                                                          : solve(p, tolerance, x);
  SolveOutcome out;
  out.milliseconds = watch.milliseconds();
  out.solver = *report.method != '\0' ? report.method : solver;
  out.iterations = report.iterations;
  out.status = name_of(report.status);
  if (report.residual < 0) return out;
  out.natural_map = natural_residual(p, x);
  out.solved = out.natural_map <= tolerance;
  if (report.status == McpStatus::solved && !out.solved) out.status = name_of(McpStatus::stationary);
  return out;
}

Names with_auto(Names names) {
  names.insert(names.begin(), "auto");
  return names;
}

}  // namespace

Result<LoadedProblem> load_problem(const std::string& path) {
  LoadedProblem out;
  out.file = path;
  const auto take = [&](auto&& problem) { out.problem = std::forward<decltype(problem)>(problem); };
  if (is_hdf5(path)) {
    Result<FclibFile> file = read_fclib(path);
    if (!file) return file.mistakes();
    std::visit(take, std::move(file.value().problem));
  } else {
    Result<ProblemFile> file = read_problem_file(path);
    if (!file) return file.mistakes();
    std::visit(take, std::move(file.value().problem));
  }
  return out;
}

const char* kind_of(const Problem& problem) {
  constexpr const char* kinds[] = {"lcp", "mixed_lcp",      "boxed_lcp",
                                   "mcp", "friction_local", "friction_global"};
  return kinds[problem.index()];
}

int size_of(const Problem& problem) {
  return std::visit(
      [](const auto& p) {
        if constexpr (requires { p.laws; })
          return int(p.laws.mu.size());
        else
          return p.n;
      },
      problem);
}

Names solvers_for(const Problem& problem) {
  return std::visit(
      [](const auto& p) -> Names {
        using P = std::decay_t<decltype(p)>;
        if constexpr (std::is_same_v<P, MixedLcp>)
          return with_auto({"lemke", "gauss_seidel", "jacobi"});
        else if constexpr (is_linear<P>)
          return with_auto({"lemke", "block_pivoting", "gauss_seidel", "jacobi"});
        else if constexpr (std::is_same_v<P, Mcp>)
          return with_auto({"fischer_burmeister", "josephy_newton"});
        else
          return with_auto(friction_solver_names());
      },
      problem);
}

Names all_solvers() {
  Names out;
  for (const Problem& problem : {Problem(Lcp{}), Problem(Mcp{}), Problem(LocalFriction{})})
    for (const std::string& name : solvers_for(problem))
      if (std::find(out.begin(), out.end(), name) == out.end()) out.push_back(name);
  return out;
}

SolveOutcome solve_problem(const Problem& problem, const std::string& solver, double tolerance) {
  return std::visit(
      [&](const auto& p) {
        using P = std::decay_t<decltype(p)>;
        if constexpr (is_linear<P>)
          return solve_linear(p, solver, tolerance);
        else if constexpr (std::is_same_v<P, Mcp>)
          return solve_mcp(p, solver, tolerance);
        else
          return solve_friction(p, solver, tolerance);
      },
      problem);
}

}  // namespace stiction::cli

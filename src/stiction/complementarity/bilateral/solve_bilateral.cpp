#include "stiction/complementarity/bilateral/solve_bilateral.h"

#include <array>

namespace stiction::complementarity::bilateral {

std::span<const std::string> method_words() {
  static const std::array<std::string, 5> words{"ldlt", "pairwise", "jacobi", "pgs", "cg"};
  return words;
}

const char* name_of(Method method) { return method_words()[std::size_t(method)].c_str(); }

const char* name_of(Status status) {
  switch (status) {
    case Status::not_run:
      return "not_run";
    case Status::solved:
      return "solved";
    case Status::inconsistent:
      return "inconsistent";
    case Status::iteration_limit:
      return "iteration_limit";
    case Status::inaccurate:
      return "inaccurate";
    case Status::not_finite:
      return "not_finite";
  }
  return "unknown";
}

namespace {

/// As new, but with the memory of its lists.
void reset(Report& report) {
  std::vector<double> history = std::move(report.residual_history);
  std::vector<RowPlace> redundant = std::move(report.redundant);
  history.clear(), redundant.clear();
  report = {};
  report.residual_history = std::move(history), report.redundant = std::move(redundant);
}

}  // namespace

void solve(const ConstraintSystem& p, const Settings& s, Memory& memory, std::vector<double>& lambda,
           Report& report) {
  reset(report);
  IterativeSettings iterative = s.iterative;
  LdltSettings direct = s.ldlt;
  iterative.tolerance = direct.tolerance = s.tolerance;
  switch (s.method) {
    case Method::ldlt:
      return memory.ldlt.solve(p, direct, lambda, report);
    case Method::pairwise:
      return pairwise(p, iterative, memory.iterative, lambda, report);
    case Method::jacobi:
      return jacobi(p, iterative, memory.iterative, lambda, report);
    case Method::pgs:
      return pgs(p, iterative, memory.iterative, lambda, report);
    case Method::cg:
      return conjugate_gradient(p, iterative, memory.iterative, lambda, report);
  }
}

}  // namespace stiction::complementarity::bilateral

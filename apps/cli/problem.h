// A problem of any kind from a file, and the solvers that take it.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "stiction/base/result.h"
#include "stiction/complementarity/friction/problems.h"
#include "stiction/complementarity/linear/problems.h"
#include "stiction/complementarity/nonlinear/mcp.h"

namespace stiction::cli {

using Problem =
    std::variant<complementarity::Lcp, complementarity::MixedLcp, complementarity::BoxedLcp,
                 complementarity::Mcp, complementarity::LocalFriction, complementarity::GlobalFriction>;

struct LoadedProblem {
  std::string file;
  Problem problem;
};

/// HDF5 in the layout of FCLib, or JSON; told by what the file begins with.
Result<LoadedProblem> load_problem(const std::string& path);

const char* kind_of(const Problem& problem);  // "lcp", "mcp", "friction_local", ...
int size_of(const Problem& problem);          // [-] unknowns; contacts of frictional problems
/// Names of the solvers for that kind, "auto" first; and of all kinds.
std::vector<std::string> solvers_for(const Problem& problem);
std::vector<std::string> all_solvers();

struct SolveOutcome {
  std::string solver, status;  // the solver that gave the answer; "solved", or what kept it from that
  bool solved = false;         // by the residual that no solver shares
  double natural_map = -1, natural_map_scaled = -1;  // [-] -1 = there is none
  int iterations = 0;
  double milliseconds = 0;
  std::string remark;  // for people; may be empty
};

/// One cold solve. `solver` is one of solvers_for().
SolveOutcome solve_problem(const Problem& problem, const std::string& solver, double tolerance);

}  // namespace stiction::cli

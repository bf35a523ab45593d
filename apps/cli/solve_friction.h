// The solvers of frictional contact problems, as the command line names them.
#pragma once

#include "problem.h"

namespace stiction::cli {

/// Without "auto"; and a line about one of them.
std::vector<std::string> friction_solver_names();
std::string about_friction_solver(const std::string& name);
SolveOutcome solve_friction(const complementarity::LocalFriction& p, const std::string& solver,
                            double tolerance);
SolveOutcome solve_friction(const complementarity::GlobalFriction& p, const std::string& solver,
                            double tolerance);

}  // namespace stiction::cli

// Classic mixed complementarity problems, with solutions from the literature or by the arguments in the
// comments.
//
// Functions are written once, for numbers and for dual numbers, whose derivative part is the exact Jacobian.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "stiction/complementarity/nonlinear/mcp.h"

namespace mcp_set {

using stiction::complementarity::Mcp;

struct Classic {
  std::string name;
  Mcp problem;
  /// Other standard starts, beside problem.start.
  std::vector<std::vector<double>> more_starts = {};
  /// The leading unknowns of every solution; empty: see `check`.
  std::vector<std::vector<double>> solutions = {};
  double digits = 1e-9;  // how far the printed solutions are trusted
  bool unique = false;   // there is one solution only: all solvers must meet
  /// A further property of solutions; returns what is wrong, or nothing.
  std::function<std::string(const std::vector<double>&)> check = {};
};

/// All of them.
std::vector<Classic> classics();

std::vector<Classic> small_problems();      // mcp_set_small.cpp
std::vector<Classic> nonlinear_programs();  // mcp_set_programs.cpp
std::vector<Classic> equilibria();          // mcp_set_equilibria.cpp
std::vector<Classic> obstacle_problems();   // mcp_set_obstacle.cpp

}  // namespace mcp_set

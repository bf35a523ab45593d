// What every solver of constraint systems returns.
#pragma once

#include <vector>

namespace stiction::complementarity::bilateral {

enum class Status : unsigned char {
  not_run,          // nothing was done yet
  solved,           // the residual is within the tolerance; ldlt: or is the round-off of S lambda
  inconsistent,     // redundant rows contradict each other; lambda is the least-squares solution
  iteration_limit,  // iterations are used up; lambda is the best seen
  inaccurate,       // a direct solution, but round-off keeps its residual above the tolerance
  not_finite        // something in the system, or in lambda, is not finite
};

/// The word for a status, as the enumeration spells it.
const char* name_of(Status status);

/// A row by its joint: rows are counted in their joint.
struct RowPlace {
  int joint = -1, row = -1;
  friend bool operator==(const RowPlace&, const RowPlace&) = default;
};

/// Kept by the caller from one solution to the next: its lists keep their memory.
struct Report {
  Status status = Status::not_run;
  const char* method = "";
  double residual = -1;      // [-] of the lambda returned, as constraint_residual() measures it; -1 = none
  double inconsistency = 0;  // [-] ldlt: the part of the rhs that no lambda can meet, measured likewise
  int iterations = 0;        // [-] sweeps, steps, or corrections of a direct solution
  int factorisations = 0;    // [-]
  bool analysed = false;     // ldlt: a new pattern, for which an order was chosen
  int rank = -1;             // [-] ldlt: rows that are independent
  double work = 0;           // [-] ldlt: multiplications of one factorisation and one solution
  std::vector<double> residual_history;  // [-] one entry per check, the start first
  std::vector<RowPlace> redundant;       // ldlt: rows that depend on the others; rows - rank of them
};

}  // namespace stiction::complementarity::bilateral

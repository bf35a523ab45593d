// The law of a cone and the turning block behind it, for the solvers: six numbers, normal, t1, t2, spin, and
// two of rolling (friction_problem.h). Without rolling the last two are 0 and take no part.
#pragma once

#include "stiction/complementarity/friction_problem.h"

namespace stiction::complementarity::detail {

struct TurningLaw {
  double mu = 0, rolling = 0;
  static TurningLaw of(const ContactRows& cone, const ContactRows& turning) {
    return {cone.mu, turning.rolling};
  }

  /// P_K(x) in place.
  void project(double x[6]) const;
  /// The contact alone, exactly: r with u = W r + b, where W r + b = u0 at the r given, which is also the
  /// start.
  void solve(const double W[36], const double u0[6], double r[6]) const;
  /// H(r, u) = 0 as newton.cpp has it, and its derivatives, row-major.
  void linearise(double w, const double r[6], const double u[6], double H[6], double H_r[36],
                 double H_u[36]) const;
};

/// X = B^-1 C and x = B^-1 c for 6 x 6 matrices; 0 where B is singular. Overwrites B.
void solve_six(double B[36], const double C[36], const double c[6], double X[36], double x[6]);

}  // namespace stiction::complementarity::detail

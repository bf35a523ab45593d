// The linear system of bilateral constraints (joints), as plain data: no bodies, no geometry, no units.
//
//   [ A  -G^T  ] [ v      ]   [ A v_free ]         eliminated:  (G A^-1 G^T + Sigma) lambda = rhs
//   [ G  Sigma ] [ lambda ] = [ q        ]                      rhs = q - G v_free,  v = v_free + A^-1 G^T
//   lambda
//
// A is block-diagonal, symmetric, positive (semi)definite, given by its inverse in blocks of six: smaller
// blocks are padded (zero in G), directions in which nothing can move have zeros in A^-1. Rows come in groups
// of up to six, one group per joint; a joint names at most two blocks, so that G A^-1 G^T is a graph and is
// never formed as a whole. Sigma >= 0 is diagonal: compliance, in the units that the caller's stepper gives
// it.
//
// Reference: M. Servin, Notes on Discrete Mechanics (2015), (9.62) to (9.64), where (9.63) writes M and p for
// A and A v_free.
#pragma once

#include <string>
#include <vector>

namespace stiction::complementarity::bilateral {

inline constexpr int width = 6;  // coordinates of a block
inline constexpr int most = 6;   // rows of a joint

struct JointRows {
  int block[2] = {-1, -1};         // -1 = none (something that does not move); never the same twice
  int count = 0;                   // rows, 1 to 6
  int row = 0;                     // number of its first row
  double G[2][most * width] = {};  // row-major count x 6 for each block; zero where block = -1
  double sigma[most] = {};         // >= 0
  double rhs[most] = {};
};

struct ConstraintSystem {
  std::vector<double> A_inverse;  // block_count x 36, row-major, symmetric
  std::vector<JointRows> joints;
  int rows = 0;  // of all joints

  int block_count() const { return int(A_inverse.size()) / (width * width); }
  /// A joint with zeros in it, numbered behind those that are there.
  JointRows& add(int block_a, int block_b, int count);
  void clear() { A_inverse.clear(), joints.clear(), rows = 0; }
};

/// What is wrong with a system, in words; empty = fine. For systems that come from outside.
std::vector<std::string> validate(const ConstraintSystem& p);

/// u = A^-1 G^T lambda: what the multipliers change the velocities by; block_count x 6 numbers.
void velocity_change(const ConstraintSystem& p, const std::vector<double>& lambda, std::vector<double>& u);

}  // namespace stiction::complementarity::bilateral

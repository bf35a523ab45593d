// Linear systems of bodies and their joints: a forest of nodes, each a body with the joint that it hangs on,
// and joints that close loops. See saddle.cpp.
#pragma once

#include <vector>

namespace stiction::mechanism {

inline constexpr int most_dofs = 6;   // of a body
inline constexpr int most_rows = 6;   // of a joint
inline constexpr int most_wide = 12;  // of a node

/// A body and the joint towards its parent. Nodes come after their parents.
struct Node {
  int parent = -1;  // node, or -1: hangs on the world, or on nothing (rows = 0)
  int dofs = 0;     // [-] 0 to 6
  int rows = 0;     // [-] 0 to 6
};
/// A joint between two nodes that are already joined, or between one and the world (-1).
struct Loop {
  int a = -1, b = -1;
  int rows = 0;
};

/// The equations
///     K x - F l = f        bodies:   K block-diagonal, and between a body and its parent
///     B x + C l = g        joints:   C diagonal, 0 unless a joint is compliant
/// Blocks are row-major with fixed strides, zero where a body has fewer velocities or a joint fewer rows.
class Saddle {
 public:
  void analyse(const std::vector<Node>& nodes, const std::vector<Loop>& loops);

  void set_zero();
  // Blocks of node k. Columns and rows of a node: most_dofs of its body, then most_rows of its joint.
  double* body(int k) { return at(body_, k, most_dofs * most_dofs); }    // K: 6 x 6
  double* force(int k) { return at(force_, k, most_dofs * most_rows); }  // F on the body: 6 x 6
  double* force_parent(int k) { return at(force_parent_, k, most_dofs * most_rows); }
  double* row(int k) { return at(row_, k, most_rows * most_dofs); }  // B by the body: 6 x 6
  double* row_parent(int k) { return at(row_parent_, k, most_rows * most_dofs); }
  double* compliance(int k) { return at(compliance_, k, most_rows); }                // C: 6
  double* body_parent(int k) { return at(body_parent_, k, most_dofs * most_dofs); }  // K (body, parent)
  double* parent_body(int k) { return at(parent_body_, k, most_dofs * most_dofs); }  // K (parent, body)
  // Blocks of loop j, for side 0 (a) and 1 (b).
  double* loop_force(int j, int side) { return at(loop_force_, 2 * j + side, most_dofs * most_rows); }
  double* loop_row(int j, int side) { return at(loop_row_, 2 * j + side, most_rows * most_dofs); }
  double* loop_compliance(int j) { return at(loop_compliance_, j, most_rows); }

  /// False where a body's own equations are singular. Rows that say what others say already are found here.
  bool factorise();
  /// Right-hand sides -> solutions, in place. Per node most_wide numbers: of the body, then of its joint; per
  /// loop most_rows.
  void solve(double* nodes, double* loops);
  /// Takes out of the forces of joints what redundant rows leave open: the smallest forces of all that do the
  /// same to the bodies.
  void make_smallest(double* nodes, double* loops) const;

  /// Rows of joints that repeat others, as (node or node count + loop, row).
  struct Repeated {
    int joint = -1, row = -1;
  };
  const std::vector<Repeated>& repeated() const { return repeated_; }

 private:
  static double* at(std::vector<double>& v, int k, int stride) {
    return v.data() + std::size_t(k) * std::size_t(stride);
  }
  bool factorise_node(int k);
  void solve_node(int k, double* x) const;
  void solve_forest(double* nodes) const;
  void close_loops();
  bool does_nothing(const double* forces) const;

  std::vector<Node> nodes_;
  std::vector<Loop> loops_;
  std::vector<double> body_, force_, force_parent_, row_, row_parent_, compliance_, body_parent_,
      parent_body_;
  std::vector<double> loop_force_, loop_row_, loop_compliance_;
  // factors: of each node, scaled, with the order of its pivots
  std::vector<double> factor_, scale_, lower_, upper_;
  std::vector<int> rank_, pivot_row_, pivot_column_;
  // loops
  std::vector<double> answers_;  // X = forest^-1 F, a column of node numbers for each row of a loop
  std::vector<double> schur_, schur_scale_, reduced_;
  std::vector<int> loop_unknown_, loop_pivot_row_, loop_pivot_column_;
  int loop_rank_ = 0;
  std::vector<double> free_forces_;  // forces of joints that do nothing: nodes and loops, orthonormal
  int free_count_ = 0;
  std::vector<Repeated> repeated_;
  mutable std::vector<double> scratch_;
};

}  // namespace stiction::mechanism

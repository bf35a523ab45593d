// Lemke's path for a boxed LCP: one walk from a start to a solution, a ray or a limit.
//
//   w = M z + q + d t,   lower <= z <= upper
//   z_i = lower: w_i >= 0,   z_i = upper: w_i <= 0,   between: w_i = 0
//
// At t = 0 this is the problem. The walk begins at a t for which the starting basis is feasible and follows
// the piecewise linear set of solutions (z, t) until t = 0. Each index has z_i at a bound and w_i basic, or
// z_i basic and w_i = 0; while t is basic one index has neither. Basic are t and the z of columns_; they
// follow from the rows where w = 0, rows_:
//
//   K x = -(q + M_N z_N),   K = [M_{rows, columns} d_rows],   N: the z at a bound
//
// so only a matrix as large as the number of unknowns off their bounds is inverted. A step enters one
// variable, lets all basic ones follow, and ends where the first of them meets a bound; its partner is next.
//
// Degeneracy: ties are broken as if q were perturbed by powers of an infinitesimal along the starting basis
// (lexicographic rule), under which no tie exists and no basis can return. Every direction is checked against
// M, and refined or computed from a fresh factorisation when the updated inverse has lost digits.
// Reference: Cottle, Pang, Stone (1992), 4.4 and 4.9; Dirkse, Ferris (1995), "The PATH solver".
#pragma once

#include <cstddef>
#include <vector>

#include "stiction/base/stop.h"
#include "stiction/complementarity/linear/detail/basis_inverse.h"
#include "stiction/complementarity/linear/detail/scaled_problem.h"

namespace stiction::complementarity::detail {

/// Numbers of the scaled problem, whose entries are near 1.
struct PathSettings {
  double tie = 1e-11;          // distances to a bound that differ by less are a tie
  double small_pivot = 1e-11;  // rates of change below this do not block
  int change_limit = 100;      // updates of the inverse before it is computed afresh
  long max_pivots = 0;
  Stop stop{};
};

enum class PathEnd : unsigned char { solution, ray, pivot_limit, dependent_free, breakdown };

class LemkePath {
 public:
  /// Where z_i stands: at a bound, or in the basis.
  enum class Place : unsigned char { lower, upper, basic };

  /// Starts with every z at its bound nearest to 0 and free ones in the basis; t pushes all w by `covering`.
  PathEnd walk_cold(const ScaledProblem& p, const PathSettings& s, const std::vector<double>& covering);
  /// Starts with the basis that the point z (scaled) suggests; t pushes only what is infeasible.
  PathEnd walk_warm(const ScaledProblem& p, const PathSettings& s, const std::vector<double>& z);

  /// After PathEnd::solution: z (scaled) on the final basis, from a fresh factorisation with refined
  /// residuals.
  void refined(std::vector<double>& z);
  /// z (scaled) after one Newton step on the natural map, for a z that is a solution but for round-off.
  /// noise: what share of the largest z counts as nothing.
  void newton_step(const ScaledProblem& p, double noise, std::vector<double>& z);
  /// After PathEnd::ray: direction of z (scaled).
  void ray(std::vector<double>& dz) const;
  /// After PathEnd::dependent_free: free unknowns that cannot start in the basis.
  const std::vector<std::size_t>& dependent() const { return dependent_; }

  long pivots() const { return pivots_; }
  int factorisations() const { return inverse_.factorisations() + extra_factorisations_; }

 private:
  /// What enters: z_index or t (index = n) or w_index, moving with `sign`.
  struct Entering {
    bool slack = false;
    std::size_t index = 0;
    double sign = 1;
  };
  /// What blocks: a column position of K, a slack row, or the entering variable's own other bound.
  enum class Kind : unsigned char { column, slack, flip };
  struct Candidate {
    Kind kind = Kind::flip;
    std::size_t index = 0;
    double distance = 0, rate = 1;
    double side = 1;   // +1: runs into its lower bound, -1: upper
    double order = 0;  // the number that breaks the present tie
  };

  void begin(const ScaledProblem& p, const PathSettings& s);
  PathEnd walk();
  bool install_basis();
  bool install_one_by_one(std::vector<std::size_t> wanted);
  bool choose_covering(const std::vector<double>* covering);

  bool direction(const Entering& e);
  void direction_once(const Entering& e);
  double direction_error(const Entering& e);
  bool block(const Entering& e, Candidate& out);
  template <class See>
  void for_each_candidate(const Entering& e, double small, const See& see) const;
  void keep_smallest(std::size_t j);
  double perturbation(const Candidate& c, std::size_t j) const;
  void prepare_perturbation(std::size_t j);
  bool pivot_is_safe(const Candidate& c) const;
  void move(const Entering& e, double step);
  Entering exchange(const Entering& e, const Candidate& c);
  void take_row(std::size_t i);
  void drop_row(std::size_t position);
  void take_column(std::size_t j);
  void drop_column(std::size_t position);
  void gather_row(std::size_t i, std::vector<double>& a) const;
  void gather_column(std::size_t j, std::vector<double>& b) const;
  bool refactor();
  void recompute_values();
  void list_nonzeros();
  double precise_row(std::size_t i) const;

  bool is_fixed(std::size_t i) const { return p_->lower()[i] == p_->upper()[i]; }
  bool is_free(std::size_t i) const;

  static constexpr std::size_t none = std::size_t(-1);
  const ScaledProblem* p_ = nullptr;
  PathSettings s_;
  std::size_t n_ = 0;
  std::vector<Place> place_;
  std::vector<double> z_, w_, d_;            // z_[n] = t
  std::vector<std::size_t> rows_, columns_;  // of K; column n = t
  std::vector<std::size_t> row_position_, column_position_;
  BasisInverse inverse_;
  Lu lu_;
  std::vector<double> x_, p_dir_;    // direction of basic columns, of slacks
  std::vector<double> push_;         // change of the starting basic variables with t
  std::vector<double> inward_;       // sign of the perturbation of the starting basic variables
  std::vector<char> started_basic_;  // the perturbed one is z_j, not w_j
  std::vector<Candidate> tied_;
  std::vector<double> delta_;  // perturbation of basic columns
  bool delta_zero_ = true;
  std::vector<double> a_, b_, v_, K_;
  std::vector<std::size_t> dependent_, nonzeros_;
  long pivots_ = 0;
  int extra_factorisations_ = 0;
  Entering last_;
  double growth_ = 1;  // largest rate of change seen on this path
};

}  // namespace stiction::complementarity::detail

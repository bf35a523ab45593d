// Frictional contact in graph form with polyhedral cones: each island as one boxed LCP, solved by pivoting.
//
// Coulomb's disc |r_t| <= mu r_n is replaced by the polygon with k corners that are spread evenly over it,
//     r_t = sum_e beta_e d_e,   beta >= 0,   sum beta <= mu r_n,      d_e = (cos, sin)(2 pi e / k) in (t1,
//     t2) 0 <= r_n _|_ u_n >= 0,   0 <= beta_e _|_ lambda + d_e.u_t >= 0,   0 <= lambda _|_ mu r_n - sum beta
//     >= 0
// so that friction is at most that of the disc and at least cos(pi/k) of it, and opposes slip to within the
// angle pi/k. A contact whose second tangential row moves nothing (bodies that stay in a plane) has the two
// directions +-t1 alone, where polygon and disc agree; one without friction has none. Equality rows are free
// unknowns, box rows keep their bounds: limits, motors and friction of joints are part of the same LCP.
//
//     w = M z + q,  M built from W = G A^-1 G^T,      (k + 2) unknowns for a contact, one for any other row
//
// The LCP is made unit-free: velocities are divided by the largest that impulses have to change, impulses by
// what changes them. Its residual, max |natural map| / (1 + max |q|), is measured by code that no solver
// shares. Problems above `large_unknowns` are solved with round cones first: where nothing slides that is a
// solution here too. All others go to Lemke's method, and what it leaves unsolved of the small ones to the
// policy of linear/solve_linear.h.
//
// When it fails: W is dense, one exchange of Lemke's method costs the square of the unknowns: some hundred
// contacts an island take seconds. Islands above `most_unknowns` are not tried (PolyhedralReport::too_large).
// Heaps of a hundred contacts that slide and stick are so degenerate that Lemke's method may stop at a
// residual of 1e-6 or above. With u_n = gap/h + ... a solution need not exist (linear/contact_lcp.h). The
// residual says so. Reference: Stewart, Trinkle (2000), ICRA; Anitescu, Potra (1997), Nonlinear Dynamics 14.
#pragma once

#include <utility>
#include <vector>

#include "stiction/base/parallel.h"
#include "stiction/complementarity/friction_problem.h"
#include "stiction/complementarity/linear/solve_linear.h"
#include "stiction/complementarity/solve.h"

namespace stiction::complementarity {

struct PolyhedralSettings {
  int directions = 8;        // [-] k: even, >= 2
  double tolerance = 1e-10;  // [-] on the residual of the unit-free LCP; > 0
  Stop stop{};
};

/// [-] of one LCP: 130 MB for M, minutes for the exchanges.
inline constexpr int most_unknowns = 4000;

inline constexpr int large_unknowns = 200;

struct PolyhedralReport {
  int unknowns = 0;  // [-] of the largest island
  int pivots = 0, factorisations = 0;
  int round_iterations = 0;  // [-] of the solvers for round cones
  int escalations = 0;       // [-] islands that Lemke's method left to others
  double residual = 0;       // [-] worst island
  bool converged = true;
  bool too_large = false;  // an island was not tried
};

/// An island as an LCP, and the way back to its impulses.
struct PolyhedralIsland {
  struct Rows {
    int first = 0;       // unknown: r_n; then beta, lambda
    int directions = 0;  // [-] of this row block
    double scale = 1;    // [-] of its velocities in units of `speed`; impulses have the inverse
  };
  std::vector<Rows> rows;      // per row block of the island
  double speed = 0, mass = 1;  // units of velocity and of inverse mass
  BoxedLcp lcp;
};

/// Memory for one thread.
struct PolyhedralMemory {
  PolyhedralIsland island;
  std::vector<std::pair<double, double>> fan;
  std::vector<double> W, answer, z, slack;
  std::vector<double> v;  // velocities of the solution with round cones
  SolverMemory cones;
  LinearSolveMemory linear;
  PolyhedralReport report;
};

/// The unit of velocities in an island's LCP: the largest speed that impulses have to change, and at least a
/// small part of those that cancel in it.
double speed_unit(const FrictionProblem& p, const Island& island);
/// -> m.island; false where it would be too large.
bool polyhedral_lcp(const FrictionProblem& p, const Island& island, int directions, PolyhedralMemory& m);
/// The impulses of a solution z of m.island.lcp -> r, three numbers per contact of the whole problem.
void take_polyhedral(const FrictionProblem& p, const Island& island, const std::vector<double>& z,
                     const PolyhedralMemory& m, double* r);

/// Impulses r of all contacts, in or on round cones, as unknowns of m.island.lcp -> m.z. A solution where
/// nothing slides.
void unknowns_from(const FrictionProblem& p, const Island& island, const double* r, PolyhedralMemory& m);

/// Solves all islands, in parallel; the result depends on the problem alone, and for large islands on r, from
/// which the solution with round cones starts.
PolyhedralReport solve_polyhedral(const FrictionProblem& p, const PolyhedralSettings& s, Team& team,
                                  std::vector<PolyhedralMemory>& memory, std::vector<double>& r);

}  // namespace stiction::complementarity

// The one measure of how well a frictional contact problem is solved. No solver shares this code.
//
//   natural map:  |r - P_K(r - uhat)| / |b'|                (Acary, Bremond, Huber; comparable with FCLib)
//   unit-free:    |r - P_K(r - uhat / w)| / |r|,  w_i = mean diag W_ii
//
// with u_n + give r_n in uhat where a contact gives way, and w / (w + give) times it in the unit-free one:
// what the impulse is off by is the same for all. b' = G v_free + b with its normal part replaced by min(b_n,
// 0): contacts that are far from touching would inflate the norm. Where r = 0 solves the problem both are 0;
// where |b'| or |r| is 0 and the numerator is not, they are infinite.
#pragma once

#include "stiction/complementarity/friction_problem.h"

namespace stiction::complementarity {

/// Projection of x = (normal, t1, t2) onto {|x_t| <= mu x_n}.
void project_on_cone(double mu, const double x[3], double out[3]);

struct Residual {
  double natural_map = 0;         // [-] over |b'|
  double natural_map_scaled = 0;  // [-] unit-free
};

/// For impulses r (three per contact of the whole problem) on one island.
/// `v` is scratch of the size of v_free and ends as v_free + A^-1 G^T r on the island's blocks.
Residual residual(const FrictionProblem& p, const Island& island, const double* r, double* v);

/// The unit-free one alone, with w known: for loops that measure often.
double scaled_residual(const FrictionProblem& p, const Island& island, const double* r,
                       const double* inverse_mass, double* v);

/// What the rows of an island have of the inverse masses of their two sides: trace(G A^-1 G^T)/3 of each, two
/// numbers per row block; 0 where ContactRows::unit asks for nothing. False where that is so everywhere.
bool side_shares(const FrictionProblem& p, const Island& island, std::vector<double>& out);
/// The worst side of all: its error [m/s], w_s |e|, over its unit and what it bears, unit + w_s |r|, or
/// `noticed` times it over its unit alone, if that is more; of a side that bears a thousand times its unit,
/// squeezed by heavier ones, all of it over its unit. What doubles cannot tell apart, 8 2^-53 w_s |r|,
/// does not count. v: as scaled_residual() leaves it.
double side_error(const FrictionProblem& p, const Island& island, const double* r, const double* inverse_mass,
                  const std::vector<double>& shares, double noticed, const double* v);

/// The error vector of one row block with scale w: r - P_K(r - uhat / w); for equality rows (u_n / w, r_t).
void natural_map_error(const ContactRows& c, double w, const double r[3], const double u[3], double error[3]);
/// The same for a cone with friction mu and the turning block behind it, as six numbers each.
void natural_map_error(double mu, const ContactRows& turning, double w, const double r[6], const double u[6],
                       double error[6]);

}  // namespace stiction::complementarity

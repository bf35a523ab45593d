// The cone of one contact, for rows 2 to 6 and both laws: projection, its derivative, De Saxce's shift.
// Ellipsoids are taken in scaled rows, r_f / E and E u_f, where they are round; see problems.h.
#pragma once

#include "stiction/complementarity/friction/problems.h"

namespace stiction::complementarity {

/// K = {|x_1| <= mu[0] x_n, |x_2| <= mu[1] x_n}, x = (x_n, x_1, x_2) with `first` and `second` rows.
struct ContactCone {
  int first = 2, second = 0;
  double mu[2] = {0, 0};
  int rows() const { return 1 + first + second; }
};

/// Rows of the two discs of a law.
int first_disc(FrictionLaw law, int rows);
int second_disc(FrictionLaw law, int rows);
/// The cone of contact i, ellipsoids in scaled rows.
ContactCone cone_of(const FrictionLaws& laws, int i);

/// out = P_K(x), exact.
void project_on(const ContactCone& k, const double* x, double* out);
/// The same with D = dP_K/dx (rows x rows, row-major; one of several where P_K has a kink).
void project_on(const ContactCone& k, const double* x, double* out, double* D);
/// uhat_n - u_n.
double shift_of(const ContactCone& k, const double* u);

}  // namespace stiction::complementarity

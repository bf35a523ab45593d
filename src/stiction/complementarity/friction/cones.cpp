#include "stiction/complementarity/friction/cones.h"

#include <algorithm>

#include "stiction/complementarity/friction/detail/cone_kernels.h"

namespace stiction::complementarity {

int first_disc(FrictionLaw law, int rows) {
  return law == FrictionLaw::discs ? std::min(2, rows - 1) : rows - 1;
}
int second_disc(FrictionLaw law, int rows) { return rows - 1 - first_disc(law, rows); }

ContactCone cone_of(const FrictionLaws& laws, int i) {
  ContactCone k;
  k.first = first_disc(laws.law, laws.rows), k.second = second_disc(laws.law, laws.rows);
  k.mu[0] = laws.mu[std::size_t(i)];
  k.mu[1] = k.second > 0 ? laws.mu_rolling[std::size_t(i)] : 0.0;
  return k;
}

void project_on(const ContactCone& k, const double* x, double* out) {
  friction::with_cone(k.first, k.second, [&](auto c) { friction::project<decltype(c)>(k.mu, x, out); });
}
void project_on(const ContactCone& k, const double* x, double* out, double* D) {
  friction::with_cone(k.first, k.second, [&](auto c) { friction::project<decltype(c)>(k.mu, x, out, D); });
}
double shift_of(const ContactCone& k, const double* u) {
  return friction::with_cone(k.first, k.second,
                             [&](auto c) { return friction::shift_of<decltype(c)>(k.mu, u); });
}

}  // namespace stiction::complementarity

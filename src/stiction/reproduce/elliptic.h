// Jacobi's elliptic functions and the incomplete integral of the first kind, in extended precision.
#pragma once

namespace stiction::reproduce {

struct Jacobi {
  long double sn = 0, cn = 1, dn = 1;
};
/// Parameter m in [0, 1).
Jacobi jacobi(long double u, long double m);
/// F(phi | m) for |phi| <= pi/2.
long double incomplete_f(long double phi, long double m);

}  // namespace stiction::reproduce

// jacobi: descending Landen transformation by the arithmetic-geometric mean,
//     a_{n+1} = (a_n + b_n)/2, b_{n+1} = sqrt(a_n b_n), c_{n+1} = (a_n - b_n)/2,   a_0 = 1, b_0 = sqrt(1 - m)
//     phi_N = 2^N a_N u,  phi_{n-1} = (phi_n + asin(c_n sin(phi_n)/a_n))/2,  sn = sin phi_0
// incomplete_f: F = sin(phi) R_F(cos^2 phi, 1 - m sin^2 phi, 1), R_F by duplication.
// Reference: Abramowitz and Stegun 16.4; B. C. Carlson, Numer. Algorithms 10 (1995) 13. When it fails: m = 1,
// where the functions are hyperbolic.
#include "stiction/reproduce/elliptic.h"

#include <array>
#include <cmath>

namespace stiction::reproduce {

Jacobi jacobi(long double u, long double m) {
  std::array<long double, 40> a{1}, c{std::sqrt(m)};
  long double b = std::sqrt(1 - m);
  std::size_t n = 0;
  while (n + 1 < a.size() && std::fabs(c[n]) > 1e-19L) {
    a[n + 1] = 0.5L * (a[n] + b), c[n + 1] = 0.5L * (a[n] - b);
    b = std::sqrt(a[n] * b);
    ++n;
  }
  long double phi = std::ldexp(a[n] * u, int(n));
  for (; n > 0; --n) phi = 0.5L * (phi + std::asin(c[n] * std::sin(phi) / a[n]));
  const long double sn = std::sin(phi);
  return {sn, std::cos(phi), std::sqrt(1 - m * sn * sn)};
}

long double incomplete_f(long double phi, long double m) {
  const long double s = std::sin(phi);
  long double x = std::cos(phi) * std::cos(phi), y = 1 - m * s * s, z = 1;
  for (int i = 0; i < 60; ++i) {
    const long double rx = std::sqrt(x), ry = std::sqrt(y), rz = std::sqrt(z),
                      l = rx * ry + ry * rz + rz * rx;
    x = 0.25L * (x + l), y = 0.25L * (y + l), z = 0.25L * (z + l);
  }
  return s / std::sqrt((x + y + z) / 3);
}

}  // namespace stiction::reproduce

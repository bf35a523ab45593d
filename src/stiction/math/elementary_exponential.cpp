// Exponential, logarithm, power.
//
// exp    x = n ln 2 + r, |r| <= ln(2)/2, exp r = 1 + r + r^2 E(r), scaled by 2^n.
// log    x = 2^k (1 + f), 1 + f in [sqrt(1/2), sqrt 2]; s = f / (2 + f), log(1 + f) = 2 atanh s.
// pow    exp(y log x) with log x as a sum of two doubles, relative error about 2^-65, so that y log x of up
// to 745
//        is known to 2^-55.
// Polynomials: elementary_coefficients.py prints them, with their errors (all below 2^-60, relative).
// Reference: Muller, Elementary Functions, 3rd ed. 2016, chapters 3, 4 and 11.
//
// When it fails: directed rounding modes, contraction to fused multiply-add, x87 registers. Results below the
// smallest normal number are rounded twice.
#include <cmath>
#include <cstdint>
#include <limits>

#include "stiction/base/bits.h"
#include "stiction/math/detail/two_double.h"
#include "stiction/math/elementary.h"

namespace stiction::elementary {
namespace {

using namespace detail;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

// ln 2 in three parts; the first two have 32 bits, so that products with exponents are exact.
constexpr double ln2_high = 0x1.62e42fee00000p-1, ln2_middle = 0x1.a39ef35600000p-33,
                 ln2_low = 0x1.93c7673007e5fp-65;

// (exp r - 1 - r) / r^2 in r, |r| <= ln(2)/2.
constexpr double exponential_terms[] = {0x1.0000000000000p-1,  0x1.5555555555555p-3,  0x1.5555555555557p-5,
                                        0x1.1111111111111p-7,  0x1.6c16c16c15a48p-10, 0x1.a01a01a01969bp-13,
                                        0x1.a01a01a9f72adp-16, 0x1.71de3a5aaefb9p-19, 0x1.27e4d3f50d87fp-22,
                                        0x1.ae642c5c1fa33p-26, 0x1.1f7f6aa421dd8p-29, 0x1.61bff1c64f494p-33};
// (2 atanh s - 2 s) / s^3 in s^2, |s| <= 3 - 2 sqrt 2.
constexpr double logarithm_terms[] = {0x1.5555555555555p-1, 0x1.9999999999a38p-2, 0x1.2492492476cccp-2,
                                      0x1.c71c720159177p-3, 0x1.745cf9048dd93p-3, 0x1.3b1c355a8f7f5p-3,
                                      0x1.0fbe95d7158cbp-3, 0x1.0c039c499cc37p-3};
// (atanh s / s - 1 - s^2/3) / s^4 in s^2.
constexpr double long_logarithm_terms[] = {0x1.999999999999ap-3, 0x1.2492492492492p-3, 0x1.c71c71c71c705p-4,
                                           0x1.745d1745d3f12p-4, 0x1.3b13b138ef959p-4, 0x1.1111121fc2741p-4,
                                           0x1.e1e13f5f0c3e7p-5, 0x1.af468812caf89p-5, 0x1.82bddb09eeb91p-5,
                                           0x1.986b9fa740871p-5};

double power_of_two(int n) { return bit_cast<double>(std::uint64_t(n + 1023) << 52); }  // -1022 <= n <= 1023

// exp(x.hi + x.lo), -746 < x < 710.
double exponential(const TwoDouble& x) {
  const double n = std::floor(x.hi * 0x1.71547652b82fep+0 + 0.5);
  const TwoDouble a = two_sum(x.hi - n * ln2_high, -n * ln2_middle);
  const TwoDouble r = two_sum(a.hi, a.lo + (x.lo - n * ln2_low));
  const TwoDouble one = fast_two_sum(1, r.hi);
  const double y =
      one.hi + (one.lo + (r.lo * (1 + r.hi) + r.hi * r.hi * polynomial(exponential_terms, r.hi)));
  const int half = int(n) / 2;  // two factors: 2^n itself may lie outside of the normal numbers
  return y * power_of_two(half) * power_of_two(int(n) - half);
}

// x = 2^k (1 + f), for 0 < x < infinity.
struct Split {
  double k, f;
};
Split split(double x) {
  int k = -1023;
  if (x < std::numeric_limits<double>::min()) x *= 0x1p54, k -= 54;
  const std::uint64_t bits = bit_cast<std::uint64_t>(x);
  k += int(bits >> 52);
  double m = bit_cast<double>((bits & 0xfffffffffffff) | 0x3ff0000000000000);
  if (m > 0x1.6a09e667f3bcdp+0) m *= 0.5, ++k;
  return {double(k), m - 1};
}

// log x to about 2^-65.
TwoDouble long_logarithm(double x) {
  const Split a = split(x);
  const TwoDouble d = fast_two_sum(2, a.f);
  const double q = a.f / d.hi;
  const TwoDouble back = two_product(q, d.hi);
  const TwoDouble s = fast_two_sum(q, (((a.f - back.hi) - back.lo) - q * d.lo) / d.hi);
  const TwoDouble z = multiply(s, s);
  // atanh s = s + s z (1/3 + z P(z))
  const TwoDouble third = two_sum(0x1.5555555555555p-2, z.hi * polynomial(long_logarithm_terms, z.hi));
  const TwoDouble series = multiply(s, multiply(z, {third.hi, third.lo + 0x1.5555555555555p-56}));
  const TwoDouble atanh = add(s, series);
  const TwoDouble whole = fast_two_sum(a.k * ln2_high, a.k * ln2_middle);
  return add({whole.hi, whole.lo + a.k * ln2_low}, {2 * atanh.hi, 2 * atanh.lo});
}

bool is_integer(double y) { return std::floor(y) == y; }
bool is_odd(double y) { return std::fabs(y) < 0x1p53 && is_integer(y) && !is_integer(0.5 * y); }

// |x|^y for finite x != 0 and finite y != 0.
double power_of_size(double x, double y) {
  if (x == 1) return 1;
  // |log x| >= 2^-53 unless x = 1.
  if (std::fabs(y) >= 0x1p65) return (x > 1) == (y > 0) ? infinity : 0;
  const TwoDouble l = long_logarithm(x);
  const TwoDouble p = two_product(y, l.hi);
  const TwoDouble e = fast_two_sum(p.hi, p.lo + y * l.lo);
  if (e.hi > 709.8) return infinity;
  if (e.hi < -745.2) return 0;
  return exponential(e);
}

}  // namespace

double exp(double x) {
  if (std::isnan(x)) return nan;
  if (x > 709.8) return infinity;
  if (x < -745.2) return 0;
  return exponential({x, 0});
}

double log(double x) {
  if (std::isnan(x) || x < 0) return nan;
  if (x == 0) return -infinity;
  if (std::isinf(x)) return infinity;
  const Split a = split(x);
  // log(1 + f) = f - (f^2/2 - s (f^2/2 + R)), R = 2 atanh(s)/s - 2: the largest terms are exact or nearly so.
  const double s = a.f / (2 + a.f), z = s * s, square = 0.5 * a.f * a.f;
  const double correction = s * (square + z * polynomial(logarithm_terms, z));
  if (a.k == 0) return a.f - (square - correction);
  constexpr double ln2_rest = ln2_middle + ln2_low;
  return a.k * ln2_high - ((square - (correction + a.k * ln2_rest)) - a.f);
}

double pow(double x, double y) {
  if (y == 0 || x == 1) return 1;
  if (std::isnan(x) || std::isnan(y)) return nan;
  const double size = std::fabs(x);
  if (std::isinf(y)) return size == 1 ? 1 : (size > 1) == (y > 0) ? infinity : 0;
  const double sign = std::signbit(x) && is_odd(y) ? -1 : 1;
  if (size == 0 || std::isinf(size)) return (size == 0) == (y > 0) ? sign * 0.0 : sign * infinity;
  if (x < 0 && !is_integer(y)) return nan;
  return sign * power_of_size(size, y);
}

}  // namespace stiction::elementary

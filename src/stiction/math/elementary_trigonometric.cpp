// Sine, cosine, tangent and their inverses.
//
// Direct functions: x = n pi/2 + r, |r| <= pi/4, r as a sum of two doubles; then polynomials in r^2. The
// reduction is that of Cody and Waite with pi/2 in four parts (152 bits) up to 2^20, and beyond that of Payne
// and Hanek with the bits of 2/pi that matter. Inverse functions: atan through atan 1/2, 1, 3/2 and infinity,
// asin and acos through asin x = pi/2 - 2 asin sqrt((1 - x)/2), then polynomials in x^2. Polynomials:
// elementary_coefficients.py prints them, with their errors (all below 2^-57, relative).
//
// References: Cody, Waite, Software Manual for the Elementary Functions, 1980; Payne, Hanek, SIGNUM
// Newsletter 18 (1983) 19-24; Muller, Elementary Functions, 3rd ed. 2016, chapters 11 and 12.
//
// When it fails: directed rounding modes, contraction to fused multiply-add, x87 registers.
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
constexpr TwoDouble half_pi{0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
constexpr TwoDouble full_pi{0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};
constexpr double quarter_pi = 0x1.921fb54442d18p-1;

// (sin r - r) / r^3 and (cos r - 1 + r^2/2) / r^4 in r^2, |r| <= pi/4.
constexpr double sine_terms[] = {-0x1.5555555555555p-3, 0x1.1111111111110p-7,   -0x1.a01a01a019938p-13,
                                 0x1.71de3a546095bp-19, -0x1.ae645412c560cp-26, 0x1.61217f0b800d4p-33,
                                 -0x1.ab17d404de552p-41};
constexpr double cosine_terms[] = {0x1.5555555555555p-5,   -0x1.6c16c16c16c16p-10, 0x1.a01a01a019d0ap-16,
                                   -0x1.27e4fb7712d65p-22, 0x1.1eed8deb97a97p-29,  -0x1.9394ba0cd6ed5p-37,
                                   0x1.ab785b00b45f0p-45};
// (atan x - x) / x^3 in x^2, |x| <= 7/16.
constexpr double arctangent_terms[] = {-0x1.5555555555555p-2, 0x1.99999999998c5p-3,  -0x1.2492492485503p-3,
                                       0x1.c71c71bd2b8bcp-4,  -0x1.745d154c84f7ap-4, 0x1.3b1375ce5bdc5p-4,
                                       -0x1.110c9ce7b0562p-4, 0x1.e170800a460f8p-5,  -0x1.ab59b417b26e1p-5,
                                       0x1.7001816fceef3p-5,  -0x1.0f62bba69f4c0p-5, 0x1.e4167464c8d9cp-7};
// (asin x - x) / x^3 in x^2, |x| <= 1/2.
constexpr double arcsine_terms[] = {0x1.5555555555555p-3,  0x1.3333333333388p-4, 0x1.6db6db6dac1e0p-5,
                                    0x1.f1c71c7a52ba3p-6,  0x1.6e8ba123e494cp-6, 0x1.1c4efce2301a0p-6,
                                    0x1.c990ad3d8fd9dp-7,  0x1.7b027ee1dd760p-7, 0x1.3b49de71206b7p-7,
                                    0x1.31622469d2cfep-7,  0x1.8f19374302e27p-9, 0x1.406192d13645dp-6,
                                    -0x1.3b416bb7f10f2p-6, 0x1.e529c6fcf7efbp-6};

// 2/pi in 64-bit words after the binary point.
constexpr std::uint64_t two_over_pi[] = {
    0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561, 0xb7246e3a424dd2e0,
    0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484, 0xe99c7026b45f7e41, 0x3991d639835339f4,
    0x9c845f8bbdf9283b, 0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d,
    0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab, 0xf0cfbc209af4361d,
    0xa9e391615ee61b08};

// x = quadrant * pi/2 + r (quadrant modulo 4).
struct Reduced {
  TwoDouble r;
  int quadrant = 0;
};

// pi/4 < |x| < 2^20: n < 2^20 times 33 bits is exact, and so is the first difference.
Reduced reduce_medium(double x) {
  const double n = std::floor(x * 0x1.45f306dc9c883p-1 + 0.5);
  const double t = x - n * 0x1.921fb54400000p+0;
  const TwoDouble a = two_sum(t, -n * 0x1.0b4611a600000p-34);
  const TwoDouble b = two_sum(a.hi, -n * 0x1.3198a2e000000p-69);
  return {two_sum(b.hi, b.lo + (a.lo - n * 0x1.b839a252049c1p-104)), int(n) & 3};
}

// a * b as upper and lower 64 bits, from 32-bit halves.
struct Wide {
  std::uint64_t high, low;
};
Wide wide_product(std::uint64_t a, std::uint64_t b) {
  constexpr std::uint64_t mask = 0xffffffff;
  const std::uint64_t ah = a >> 32, al = a & mask, bh = b >> 32, bl = b & mask;
  const std::uint64_t low = al * bl;
  const std::uint64_t middle = ah * bl + (low >> 32);
  const std::uint64_t cross = al * bh + (middle & mask);
  return {ah * bh + (middle >> 32) + (cross >> 32), (cross << 32) | (low & mask)};
}

// |x| >= 2^20. With |x| = m 2^e, m < 2^53: bits of 2/pi of weight 2^-i add multiples of 4 to x 2/pi if i <= e
// - 2. The next 192 bits, as an integer w, give x 2/pi modulo 4 = m w 2^-190 modulo 4, to m 2^-190 < 2^-137;
// no double comes closer to a multiple of pi/2 than 2^-62 of a quadrant.
Reduced reduce_large(double x) {
  const std::uint64_t bits = bit_cast<std::uint64_t>(x);
  const int e = int(bits >> 52 & 0x7ff) - 1075;
  const std::uint64_t m = (bits & 0xfffffffffffff) | 0x10000000000000;
  // The window starts at bit e - 1 (counted from 1). Below 2^53, e is negative and the bits in front are
  // zero.
  std::uint64_t w[3];
  for (int i = 0; i < 3; ++i) {
    const int first = e - 2 + 64 * i;  // counted from 0
    const auto word = [](int k) { return k < 0 ? std::uint64_t{0} : two_over_pi[k]; };
    const int k = first >= 0 ? first / 64 : -((63 - first) / 64), shift = first - 64 * k;
    w[i] = shift == 0 ? word(k) : word(k) << shift | word(k + 1) >> (64 - shift);
  }
  // f = m w modulo 2^192, most significant word first.
  const Wide p2 = wide_product(m, w[2]), p1 = wide_product(m, w[1]);
  std::uint64_t f[3];
  f[2] = p2.low;
  f[1] = p1.low + p2.high;
  f[0] = m * w[0] + p1.high + (f[1] < p1.low ? 1 : 0);
  int quadrant = int(f[0] >> 62);
  // Fraction of a quadrant in f, the point in front of the word; nearest quadrant: f in [-1/2, 1/2).
  for (int i = 0; i < 3; ++i) f[i] = f[i] << 2 | (i < 2 ? f[i + 1] >> 62 : 0);
  double sign = 1;
  if (f[0] >> 63) {
    sign = -1;
    quadrant += 1;
    for (std::uint64_t& word : f) word = ~word;  // 1 - f, but for one in the last place
  }
  // The leading 128 bits of what is left, as two doubles.
  int exponent = 0;
  while (!(f[0] >> 63) && exponent < 128) {
    for (int i = 0; i < 3; ++i) f[i] = f[i] << 1 | (i < 2 ? f[i + 1] >> 63 : 0);
    ++exponent;
  }
  const double high = double(f[0] >> 11) * 0x1p-53;                         // exact
  const double low = double((f[0] & 0x7ff) << 42 | f[1] >> 22) * 0x1p-106;  // exact
  const double scale = bit_cast<double>(std::uint64_t(1023 - exponent) << 52);
  if (x < 0) sign = -sign, quadrant = -quadrant;
  const TwoDouble r = multiply(fast_two_sum(sign * high * scale, sign * low * scale), half_pi);
  return {r, quadrant & 3};
}

Reduced reduce(double x) {
  const double size = std::fabs(x);
  if (size <= quarter_pi) return {{x, 0}, 0};
  return size < 0x1p20 ? reduce_medium(x) : reduce_large(x);
}

// |r| <= pi/4 and a little. The larger part first; the sum is the function.
TwoDouble sine_of(const TwoDouble& r) {
  const double z = r.hi * r.hi;
  return {r.hi, r.hi * z * polynomial(sine_terms, z) + r.lo * (1 - 0.5 * z)};
}
TwoDouble cosine_of(const TwoDouble& r) {
  const double z = r.hi * r.hi, half = 0.5 * z, w = 1 - half;
  return {w, ((1 - w) - half) + (z * z * polynomial(cosine_terms, z) - r.hi * r.lo)};
}
double value(const TwoDouble& a) { return a.hi + a.lo; }

double asin_sum(double x, double z) { return x * z * polynomial(arcsine_terms, z); }  // asin x - x, z = x^2

}  // namespace

double sin(double x) {
  if (!std::isfinite(x)) return nan;
  if (std::fabs(x) < 0x1p-27) return x;
  const Reduced a = reduce(x);
  const double s = value(a.quadrant & 1 ? cosine_of(a.r) : sine_of(a.r));
  return a.quadrant & 2 ? -s : s;
}

double cos(double x) {
  if (!std::isfinite(x)) return nan;
  const Reduced a = reduce(x);
  const double c = value(a.quadrant & 1 ? sine_of(a.r) : cosine_of(a.r));
  return a.quadrant == 1 || a.quadrant == 2 ? -c : c;
}

SineCosine sine_and_cosine(double x) {
  if (!std::isfinite(x)) return {nan, nan};
  if (std::fabs(x) < 0x1p-27) return {x, cos(x)};
  const Reduced a = reduce(x);
  const double s = value(sine_of(a.r)), c = value(cosine_of(a.r));
  switch (a.quadrant) {
    case 0:
      return {s, c};
    case 1:
      return {c, -s};
    case 2:
      return {-s, -c};
    default:
      return {-c, s};
  }
}

double tan(double x) {
  if (!std::isfinite(x)) return nan;
  if (std::fabs(x) < 0x1p-27) return x;
  const Reduced a = reduce(x);
  const TwoDouble s = sine_of(a.r), c = cosine_of(a.r);
  const bool odd = a.quadrant & 1;
  TwoDouble n = odd ? TwoDouble{-c.hi, -c.lo} : s, d = odd ? s : c;
  n = fast_two_sum(n.hi, n.lo), d = fast_two_sum(d.hi, d.lo);
  const double q = n.hi / d.hi;
  const TwoDouble p = two_product(q, d.hi);
  return q + (((n.hi - p.hi) - p.lo) + (n.lo - q * d.lo)) / d.hi;
}

double atan(double x) {
  if (std::isnan(x)) return nan;
  const double size = std::fabs(x);
  if (size < 0x1p-27) return x;
  TwoDouble base;
  double t = size;
  if (size >= 0x1p66) {
    return std::copysign(half_pi.hi, x);
  } else if (size >= 2.4375) {
    base = half_pi, t = -1 / size;
  } else if (size >= 1.1875) {
    base = {0x1.f730bd281f69bp-1, 0x1.007887af0cbbdp-56}, t = (size - 1.5) / (1 + 1.5 * size);
  } else if (size >= 0.6875) {
    base = {quarter_pi, 0.5 * half_pi.lo}, t = (size - 1) / (1 + size);
  } else if (size >= 0.4375) {
    base = {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56}, t = (2 * size - 1) / (2 + size);
  }
  const double z = t * t;
  const double result = base.hi + (t + (base.lo + t * z * polynomial(arctangent_terms, z)));
  return std::copysign(result, x);
}

double atan2(double y, double x) {
  if (std::isnan(x) || std::isnan(y)) return nan;
  const bool left = std::signbit(x);
  const double ax = std::fabs(x), ay = std::fabs(y);
  double angle = 0;  // in the first quadrant
  if (ay == 0) {
    angle = 0;
  } else if (std::isinf(ax)) {
    angle = std::isinf(ay) ? quarter_pi : 0;
  } else if (ax == 0 || std::isinf(ay)) {
    angle = half_pi.hi;
  } else {
    angle = atan(ay / ax);  // overflow to infinity and underflow to zero are the limits wanted
  }
  if (left) angle = full_pi.hi - (angle - full_pi.lo);
  return std::copysign(angle, y);
}

double asin(double x) {
  const double size = std::fabs(x);
  if (!(size <= 1)) return nan;
  if (size < 0x1p-27) return x;
  if (size < 0.5) return x + asin_sum(x, x * x);
  // pi/2 - 2 asin s, s = sqrt(t) = upper + rest.
  const double t = 0.5 * (1 - size), s = std::sqrt(t);
  if (t == 0) return std::copysign(half_pi.hi, x);
  const double upper = upper_half(s), rest = (t - upper * upper) / (s + upper);
  const double tail = 2 * asin_sum(s, t) + 2 * rest - half_pi.lo;
  return std::copysign(quarter_pi - (tail - (quarter_pi - 2 * upper)), x);
}

double acos(double x) {
  if (!(std::fabs(x) <= 1)) return nan;
  if (std::fabs(x) < 0.5) return half_pi.hi - (x - (half_pi.lo - asin_sum(x, x * x)));
  const double t = 0.5 * (1 - std::fabs(x)), s = std::sqrt(t);
  if (t == 0) return x > 0 ? 0 : full_pi.hi;
  const double upper = upper_half(s), rest = (t - upper * upper) / (s + upper);
  const double tail = asin_sum(s, t) + rest;
  if (x > 0) return 2 * (upper + tail);
  return full_pi.hi - 2 * (upper + (tail - half_pi.lo));
}

}  // namespace stiction::elementary

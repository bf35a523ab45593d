// Sums of two doubles, about 106 significant bits: error-free sum and product (Dekker, Numer. Math. 18, 1971;
// Knuth, TAOCP 2, 4.2.2). Needs round to nearest and no contraction. The product overflows inside for factors
// above 2^996 and is not exact where the error term falls below the smallest normal number.
#pragma once

namespace stiction::detail {

struct TwoDouble {
  double hi = 0, lo = 0;  // value = hi + lo, |lo| <= ulp(hi) / 2
};

/// a + b, exactly.
inline TwoDouble two_sum(double a, double b) {
  const double s = a + b;
  const double bb = s - a;
  return {s, (a - (s - bb)) + (b - bb)};
}
/// a + b, exactly, for |a| >= |b| or a = 0.
inline TwoDouble fast_two_sum(double a, double b) {
  const double s = a + b;
  return {s, b - (s - a)};
}
/// The upper 26 bits of a; the rest has 26 bits too.
inline double upper_half(double a) {
  const double t = 134217729.0 * a;  // 2^27 + 1
  return t - (t - a);
}
/// a * b, exactly.
inline TwoDouble two_product(double a, double b) {
  const double p = a * b;
  const double ah = upper_half(a), al = a - ah, bh = upper_half(b), bl = b - bh;
  return {p, ((ah * bh - p) + ah * bl + al * bh) + al * bl};
}

inline TwoDouble add(const TwoDouble& a, const TwoDouble& b) {
  const TwoDouble s = two_sum(a.hi, b.hi);
  return fast_two_sum(s.hi, s.lo + (a.lo + b.lo));
}
inline TwoDouble multiply(const TwoDouble& a, const TwoDouble& b) {
  const TwoDouble p = two_product(a.hi, b.hi);
  return fast_two_sum(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}

/// c[0] + c[1] x + ... + c[N-1] x^(N-1), by Horner.
template <int N>
double polynomial(const double (&c)[N], double x) {
  double sum = c[N - 1];
  for (int i = N - 2; i >= 0; --i) sum = c[i] + x * sum;
  return sum;
}

}  // namespace stiction::detail

// Elementary functions that give the same bits on every compiler, optimisation level and platform: sums,
// products, quotients and square roots of IEEE 754 doubles (round to nearest, no contraction:
// -ffp-contract=off) and bit patterns, and nothing of the system's libm, whose results differ from one to the
// next.
//
// Errors stay below 1 unit in the last place for normal results (atan2: 1.5), measured by the unit test
// against 64-bit significands. Zeros, infinities and nan as in C, Annex F; no exception flags, no errno.
// Angles in radians; arguments of any size are reduced exactly.
#pragma once

namespace stiction::elementary {

double sin(double x);
double cos(double x);
double tan(double x);
struct SineCosine {
  double sin, cos;
};
SineCosine sine_and_cosine(double x);  // the bits of sin(x) and cos(x), for the price of one and a half
double asin(double x);                 // nan for |x| > 1
double acos(double x);                 // nan for |x| > 1
double atan(double x);
double atan2(double y, double x);  // angle of the point (x, y), in [-pi, pi]

double exp(double x);
double log(double x);            // nan for x < 0, -inf for 0
double pow(double x, double y);  // nan for x < 0 unless y is an integer

}  // namespace stiction::elementary

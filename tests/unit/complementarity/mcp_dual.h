// Dual numbers v + d e, e^2 = 0: functions evaluated on them give value and derivative, to round-off.
#pragma once

#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "stiction/complementarity/nonlinear/mcp.h"
#include "stiction/math/elementary.h"

namespace mcp_set {

using stiction::complementarity::Mcp;

struct Dual {
  double v = 0, d = 0;
  Dual() = default;
  Dual(double value) : v(value) {}
  Dual(double value, double slope) : v(value), d(slope) {}
};
inline Dual operator-(Dual a) { return {-a.v, -a.d}; }
inline Dual operator+(Dual a, Dual b) { return {a.v + b.v, a.d + b.d}; }
inline Dual operator-(Dual a, Dual b) { return {a.v - b.v, a.d - b.d}; }
inline Dual operator*(Dual a, Dual b) { return {a.v * b.v, a.d * b.v + a.v * b.d}; }
inline Dual operator/(Dual a, Dual b) { return {a.v / b.v, (a.d - a.v / b.v * b.d) / b.v}; }
inline Dual& operator+=(Dual& a, Dual b) { return a = a + b; }
inline Dual& operator-=(Dual& a, Dual b) { return a = a - b; }

namespace el = stiction::elementary;
inline double exp(double x) { return el::exp(x); }
inline double atan(double x) { return el::atan(x); }
inline double pow(double x, double y) { return el::pow(x, y); }
inline Dual exp(Dual x) { return {el::exp(x.v), el::exp(x.v) * x.d}; }
inline Dual atan(Dual x) { return {el::atan(x.v), x.d / (1 + x.v * x.v)}; }
inline Dual pow(Dual x, double y) { return {el::pow(x.v, y), y * el::pow(x.v, y - 1) * x.d}; }

constexpr double infinity = std::numeric_limits<double>::infinity();

/// f(const T* x, T* out) for T = double and Dual.
template <class F>
Mcp problem_of(std::vector<double> lower, std::vector<double> upper, std::vector<double> start, F f) {
  Mcp p;
  p.n = int(start.size());
  p.lower = std::move(lower), p.upper = std::move(upper), p.start = std::move(start);
  p.function = [f](std::span<const double> x, std::span<double> out) { f(x.data(), out.data()); };
  p.jacobian = [f](std::span<const double> x, std::vector<stiction::complementarity::Triplet>& entries) {
    std::vector<Dual> point(x.begin(), x.end()), value(x.size());
    for (std::size_t j = 0; j < x.size(); ++j) {
      point[j].d = 1;
      f(point.data(), value.data());
      point[j].d = 0;
      for (std::size_t i = 0; i < x.size(); ++i)
        if (value[i].d != 0) entries.push_back({int(i), int(j), value[i].d});
    }
  };
  return p;
}

template <class F>
Mcp ncp_of(std::vector<double> start, F f) {
  const std::size_t n = start.size();
  return problem_of(std::vector<double>(n, 0), std::vector<double>(n, infinity), std::move(start), f);
}

}  // namespace mcp_set

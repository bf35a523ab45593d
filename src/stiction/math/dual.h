// Numbers with their derivatives by N variables: forward differentiation, exact to round-off.
//
//     (a, a') op (b, b') = (a op b, derivative of it)
//
// For small N that is known beforehand; every operation costs N + 1 times what it costs with plain numbers.
// With N = 0 they are plain numbers.
#pragma once

#include <array>
#include <cmath>

#include "stiction/math/vec3.h"

namespace stiction {

template <int N>
struct Dual {
  double value = 0;
  std::array<double, std::size_t(N)> slope{};  // by each variable

  Dual() = default;
  Dual(double v) : value(v) {}  // a constant
  static Dual variable(double v, [[maybe_unused]] int index) {
    Dual out(v);
    if constexpr (N > 0) out.slope[std::size_t(index)] = 1;
    return out;
  }
  /// f(a), with f' = df at a.
  static Dual chain(double f, double df, const Dual& a) {
    Dual out(f);
    for (std::size_t i = 0; i < std::size_t(N); ++i) out.slope[i] = df * a.slope[i];
    return out;
  }
  /// f(a, b), with the slopes by a and by b.
  static Dual chain(double f, double by_a, const Dual& a, double by_b, const Dual& b) {
    Dual out(f);
    for (std::size_t i = 0; i < std::size_t(N); ++i) out.slope[i] = by_a * a.slope[i] + by_b * b.slope[i];
    return out;
  }

  friend Dual operator+(const Dual& a, const Dual& b) { return chain(a.value + b.value, 1, a, 1, b); }
  friend Dual operator-(const Dual& a, const Dual& b) { return chain(a.value - b.value, 1, a, -1, b); }
  friend Dual operator-(const Dual& a) { return chain(-a.value, -1, a); }
  friend Dual operator*(const Dual& a, const Dual& b) {
    return chain(a.value * b.value, b.value, a, a.value, b);
  }
  friend Dual operator/(const Dual& a, const Dual& b) {
    const double q = a.value / b.value;
    return chain(q, 1 / b.value, a, -q / b.value, b);
  }
  friend Dual sqrt(const Dual& a) {
    const double root = std::sqrt(a.value);
    return chain(root, 0.5 / root, a);
  }
};

/// A vector of them.
template <int N>
struct DualVec3 {
  Dual<N> x, y, z;

  DualVec3() = default;
  DualVec3(const Vec3& v) : x(v.x), y(v.y), z(v.z) {}
  DualVec3(const Dual<N>& a, const Dual<N>& b, const Dual<N>& c) : x(a), y(b), z(c) {}
  /// Three variables that follow each other.
  static DualVec3 variables(const Vec3& v, int first) {
    return {Dual<N>::variable(v.x, first), Dual<N>::variable(v.y, first + 1),
            Dual<N>::variable(v.z, first + 2)};
  }
  Vec3 value() const { return {x.value, y.value, z.value}; }
  Vec3 slope(int index) const {
    return {x.slope[std::size_t(index)], y.slope[std::size_t(index)], z.slope[std::size_t(index)]};
  }
  void set_slope(int index, const Vec3& s) {
    const auto i = std::size_t(index);
    x.slope[i] = s.x, y.slope[i] = s.y, z.slope[i] = s.z;
  }

  friend DualVec3 operator+(const DualVec3& a, const DualVec3& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
  }
  friend DualVec3 operator-(const DualVec3& a, const DualVec3& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
  }
  friend DualVec3 operator*(const Dual<N>& s, const DualVec3& a) { return {s * a.x, s * a.y, s * a.z}; }
  friend Dual<N> dot(const DualVec3& a, const DualVec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
  friend DualVec3 cross(const DualVec3& a, const DualVec3& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
  }
  friend DualVec3 normalized(const DualVec3& a) { return (Dual<N>(1) / sqrt(dot(a, a))) * a; }
};

}  // namespace stiction

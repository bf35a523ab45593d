// Small fixed-size algebra: Vec3, Mat3, Quat. Plain aggregates, no alignment demands, and every sum is
// written in one fixed order, so that the same bits come out of every compiler (built with
// -ffp-contract=off). Symbols: R_WB turns vectors of frame B into frame W; quaternions are (w, x, y, z), unit
// length.
#pragma once

#include <cmath>
#include <string>

namespace stiction {

struct Vec3 {
  double x = 0, y = 0, z = 0;

  double& operator[](int i) { return i == 0 ? x : i == 1 ? y : z; }
  double operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }
  friend bool operator==(const Vec3&, const Vec3&) = default;
};

inline Vec3 operator+(const Vec3& a, const Vec3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Vec3 operator-(const Vec3& a, const Vec3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vec3 operator-(const Vec3& a) { return {-a.x, -a.y, -a.z}; }
inline Vec3 operator*(double s, const Vec3& a) { return {s * a.x, s * a.y, s * a.z}; }
inline Vec3 operator*(const Vec3& a, double s) { return {s * a.x, s * a.y, s * a.z}; }
inline Vec3 operator/(const Vec3& a, double s) { return {a.x / s, a.y / s, a.z / s}; }
inline Vec3& operator+=(Vec3& a, const Vec3& b) { return a = a + b; }
inline Vec3& operator-=(Vec3& a, const Vec3& b) { return a = a - b; }
inline Vec3& operator*=(Vec3& a, double s) { return a = s * a; }
inline double dot(const Vec3& a, const Vec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline double norm2(const Vec3& a) { return dot(a, a); }
inline double norm(const Vec3& a) { return std::sqrt(dot(a, a)); }
inline Vec3 normalized(const Vec3& a) { return a / norm(a); }
inline Vec3 abs(const Vec3& a) { return {std::fabs(a.x), std::fabs(a.y), std::fabs(a.z)}; }
inline Vec3 times(const Vec3& a, const Vec3& b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }
inline double max_component(const Vec3& a) { return std::fmax(a.x, std::fmax(a.y, a.z)); }
inline bool is_finite(const Vec3& a) {
  return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z);
}

/// Two unit vectors that make a right-handed frame (n, t1, t2) with the unit vector n; they jump where n.z
/// changes sign (Duff et al. 2017).
inline void tangents(const Vec3& n, Vec3& t1, Vec3& t2) {
  const double sign = std::copysign(1.0, n.z);
  const double a = -1.0 / (sign + n.z);
  const double b = n.x * n.y * a;
  t1 = {1.0 + sign * n.x * n.x * a, sign * b, -sign * n.x};
  t2 = {b, sign + n.y * n.y * a, -n.y};
}

/// Row-major 3x3 matrix.
struct Mat3 {
  double m[3][3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};

  double& operator()(int i, int j) { return m[i][j]; }
  double operator()(int i, int j) const { return m[i][j]; }
  Vec3 row(int i) const { return {m[i][0], m[i][1], m[i][2]}; }
  Vec3 column(int j) const { return {m[0][j], m[1][j], m[2][j]}; }
  static Mat3 identity() { return diagonal({1, 1, 1}); }
  static Mat3 diagonal(const Vec3& d) {
    Mat3 a;
    a.m[0][0] = d.x, a.m[1][1] = d.y, a.m[2][2] = d.z;
    return a;
  }
  friend bool operator==(const Mat3&, const Mat3&) = default;
};

inline Vec3 operator*(const Mat3& a, const Vec3& v) {
  return {dot(a.row(0), v), dot(a.row(1), v), dot(a.row(2), v)};
}
/// a^T v
inline Vec3 transposed_times(const Mat3& a, const Vec3& v) {
  return {dot(a.column(0), v), dot(a.column(1), v), dot(a.column(2), v)};
}
inline Mat3 operator*(const Mat3& a, const Mat3& b) {
  Mat3 c;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      c.m[i][j] = a.m[i][0] * b.m[0][j] + a.m[i][1] * b.m[1][j] + a.m[i][2] * b.m[2][j];
  return c;
}
inline Mat3 operator+(const Mat3& a, const Mat3& b) {
  Mat3 c;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) c.m[i][j] = a.m[i][j] + b.m[i][j];
  return c;
}
inline Mat3 transposed(const Mat3& a) {
  Mat3 c;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) c.m[i][j] = a.m[j][i];
  return c;
}

/// Unit quaternion, rotation from body to world.
struct Quat {
  double w = 1, x = 0, y = 0, z = 0;
  friend bool operator==(const Quat&, const Quat&) = default;
};

inline Quat operator*(const Quat& a, const Quat& b) {
  return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
          a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
inline Quat conjugate(const Quat& q) { return {q.w, -q.x, -q.y, -q.z}; }
inline double norm2(const Quat& q) { return q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z; }
inline Quat normalized(const Quat& q) {
  const double s = 1.0 / std::sqrt(norm2(q));
  return {s * q.w, s * q.x, s * q.y, s * q.z};
}
inline bool is_finite(const Quat& q) {
  return std::isfinite(q.w) && std::isfinite(q.x) && std::isfinite(q.y) && std::isfinite(q.z);
}
inline Mat3 rotation_matrix(const Quat& q) {
  const double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z, xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z,
               wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
  Mat3 r;
  r.m[0][0] = 1 - 2 * (yy + zz), r.m[0][1] = 2 * (xy - wz), r.m[0][2] = 2 * (xz + wy);
  r.m[1][0] = 2 * (xy + wz), r.m[1][1] = 1 - 2 * (xx + zz), r.m[1][2] = 2 * (yz - wx);
  r.m[2][0] = 2 * (xz - wy), r.m[2][1] = 2 * (yz + wx), r.m[2][2] = 1 - 2 * (xx + yy);
  return r;
}
inline Vec3 rotate(const Quat& q, const Vec3& v) {
  const Vec3 u{q.x, q.y, q.z};
  const Vec3 t = 2.0 * cross(u, v);
  return v + q.w * t + cross(u, t);
}
inline Vec3 rotate_back(const Quat& q, const Vec3& v) { return rotate(conjugate(q), v); }

/// Cayley map of the rotation vector a: turns by 2 atan(|a|/2), agrees with exp(a) to second order (it
/// differs at third), needs no trigonometry, and keeps the midpoint rule's invariants exactly.
inline Quat cayley(const Vec3& a) { return normalized(Quat{1.0, 0.5 * a.x, 0.5 * a.y, 0.5 * a.z}); }

std::string to_text(const Vec3& v);  // "(1, 2, 3)", shortest digits that read back the same
std::string to_text(const Quat& q);

}  // namespace stiction

// Rotation matrices, quaternions and rotation vectors into each other.
//
//   exponential   q = (cos(s/2), a sin(s/2)/s),   s = |a| [rad]
//   logarithm     a = 2 atan2(|u|, w) u / |u|,    q = (w, u), w >= 0 (q and -q are the same rotation)
//
// Below s = 1e-4 rad the series of sin(s/2)/s to s^4 is exact to round-off (next term s^6/645120 < 1e-29).
//
// When it fails: logarithm at exactly half a turn has two answers; it takes the one along u.
#include "stiction/math/spatial.h"

#include "stiction/math/elementary.h"

namespace stiction {

Quat quaternion_of(const Mat3& R) {
  const double trace = R.m[0][0] + R.m[1][1] + R.m[2][2];
  int largest = 3;
  double value = trace;
  for (int i = 0; i < 3; ++i)
    if (R.m[i][i] > value) largest = i, value = R.m[i][i];
  double u[3], w = 0;
  if (largest == 3) {
    w = 1 + trace;
    for (int i = 0; i < 3; ++i) u[i] = R.m[(i + 2) % 3][(i + 1) % 3] - R.m[(i + 1) % 3][(i + 2) % 3];
  } else {
    const int i = largest, j = (i + 1) % 3, k = (i + 2) % 3;
    w = R.m[k][j] - R.m[j][k];
    u[i] = 1 + R.m[i][i] - R.m[j][j] - R.m[k][k];
    u[j] = R.m[j][i] + R.m[i][j];
    u[k] = R.m[k][i] + R.m[i][k];
  }
  const Quat q = normalized(Quat{w, u[0], u[1], u[2]});
  return q.w < 0 ? Quat{-q.w, -q.x, -q.y, -q.z} : q;
}

Quat exponential(const Vec3& a) {
  const double s2 = norm2(a);
  if (s2 < 1e-8) {
    const double f = 0.5 - s2 * (1.0 / 48 - s2 * (1.0 / 3840));
    return normalized(Quat{1 - s2 * (1.0 / 8 - s2 * (1.0 / 384)), f * a.x, f * a.y, f * a.z});
  }
  const double s = std::sqrt(s2);
  const elementary::SineCosine half = elementary::sine_and_cosine(0.5 * s);
  const double f = half.sin / s;
  return normalized(Quat{half.cos, f * a.x, f * a.y, f * a.z});
}

Vec3 logarithm(const Quat& q) {
  const double sign = q.w < 0 ? -1.0 : 1.0;
  const Vec3 u{sign * q.x, sign * q.y, sign * q.z};
  const double length = norm(u);
  if (length < 1e-154) return 2.0 * u;  // its square underflows; w is 1
  return (2.0 * elementary::atan2(length, sign * q.w) / length) * u;
}

}  // namespace stiction

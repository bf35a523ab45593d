// Four doubles side by side: SIMD across bodies, never inside a sum. A lane does what one body alone would
// do, operation by operation, so the bits depend neither on the neighbours nor on the registers at hand.
// Formulas are templates over T = double (one body) or Four (four bodies). All functions are inlined into
// their caller, so that the same source may be compiled once for the narrow registers that every x86-64 has
// and once for wider ones:
//     void narrow(...) { kernel(...); }
//     STICTION_WIDE void wide(...) { kernel(...); }          call it where wide_registers() is true
// Vectors are passed by reference only: how they are passed by value depends on the registers.
#pragma once

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include <cmath>
#include <cstddef>
#include <cstring>
#include <type_traits>
#include <utility>

#include "stiction/math/vec3.h"

#define STICTION_INLINE [[gnu::always_inline]] inline
#if defined(__x86_64__)
#define STICTION_WIDE [[gnu::target("avx2")]]
#else
#define STICTION_WIDE
#endif

namespace stiction::lanes {

/// Whether functions marked STICTION_WIDE may be called here. They use no fused multiply-add.
inline bool wide_registers() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx2") != 0;
#else
  return false;
#endif
}

constexpr std::size_t width = 4;
using Four [[gnu::vector_size(32)]] = double;
template <class T>
using Flags = std::remove_cvref_t<decltype(std::declval<T&>() == std::declval<T&>())>;

template <class T>
struct Triple {
  T x, y, z;
};
template <class T>
struct Quadruple {
  T w, x, y, z;
};
/// Rows of a rotation matrix.
template <class T>
struct Rotation {
  Triple<T> x, y, z;
};

STICTION_INLINE bool all(bool flag) { return flag; }
STICTION_INLINE bool all(const Flags<Four>& flags) {
  return (flags[0] & flags[1] & flags[2] & flags[3]) != 0;
}

STICTION_INLINE void take_root(double& x) { x = std::sqrt(x); }
STICTION_INLINE void take_root(Four& x) {
#if defined(__SSE2__)
  const __m128d low = _mm_sqrt_pd(__m128d{x[0], x[1]}), high = _mm_sqrt_pd(__m128d{x[2], x[3]});
  x = Four{low[0], low[1], high[0], high[1]};
#else
  x = Four{std::sqrt(x[0]), std::sqrt(x[1]), std::sqrt(x[2]), std::sqrt(x[3])};
#endif
}

STICTION_INLINE void add_magnitude(double x, double& sum) { sum += std::fabs(x); }
STICTION_INLINE void add_magnitude(const Four& x, Four& sum) {
  Flags<Four> bits;
  std::memcpy(&bits, &x, sizeof bits);
  bits &= 0x7fffffffffffffffLL;  // all but the sign
  Four magnitude;
  std::memcpy(&magnitude, &bits, sizeof magnitude);
  sum += magnitude;
}

/// The matrix of a unit quaternion, body to world.
template <class T>
STICTION_INLINE void rotation_of(const Quadruple<T>& q, Rotation<T>& R) {
  const T xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z, xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z,
          wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
  R.x.x = 1.0 - 2.0 * (yy + zz), R.x.y = 2.0 * (xy - wz), R.x.z = 2.0 * (xz + wy);
  R.y.x = 2.0 * (xy + wz), R.y.y = 1.0 - 2.0 * (xx + zz), R.y.z = 2.0 * (yz - wx);
  R.z.x = 2.0 * (xz - wy), R.z.y = 2.0 * (yz + wx), R.z.z = 1.0 - 2.0 * (xx + yy);
}
template <class T>
STICTION_INLINE void to_world(const Rotation<T>& R, const Triple<T>& v, Triple<T>& out) {
  out.x = R.x.x * v.x + R.x.y * v.y + R.x.z * v.z;
  out.y = R.y.x * v.x + R.y.y * v.y + R.y.z * v.z;
  out.z = R.z.x * v.x + R.z.y * v.y + R.z.z * v.z;
}
template <class T>
STICTION_INLINE void to_body(const Rotation<T>& R, const Triple<T>& v, Triple<T>& out) {
  out.x = R.x.x * v.x + R.y.x * v.y + R.z.x * v.z;
  out.y = R.x.y * v.x + R.y.y * v.y + R.z.y * v.z;
  out.z = R.x.z * v.x + R.y.z * v.y + R.z.z * v.z;
}

// One body, or four bodies that lie one after the other.
STICTION_INLINE void load(const double* p, double& out) { out = *p; }
STICTION_INLINE void load(const Vec3* v, Triple<double>& out) { out = {v->x, v->y, v->z}; }
STICTION_INLINE void load(const Quat* q, Quadruple<double>& out) { out = {q->w, q->x, q->y, q->z}; }
STICTION_INLINE void store(const Triple<double>& v, Vec3* out) { *out = {v.x, v.y, v.z}; }
STICTION_INLINE void store(const Quadruple<double>& q, Quat* out) { *out = {q.w, q.x, q.y, q.z}; }

STICTION_INLINE void load(const double* p, Four& out) { std::memcpy(&out, p, sizeof out); }
STICTION_INLINE void store(const Four& v, double* p) { std::memcpy(p, &v, sizeof v); }

// Halves of bodies 0 and 2, or 1 and 3, side by side: what follows then stays within half a register.
STICTION_INLINE void load_halves(const double* low, const double* high, Four& out) {
  using Two [[gnu::vector_size(16)]] = double;
  Two a, b;
  std::memcpy(&a, low, sizeof a), std::memcpy(&b, high, sizeof b);
  out = __builtin_shufflevector(a, b, 0, 1, 2, 3);
}
// Four vectors, one after the other in memory, to one lane each, and back.
STICTION_INLINE void load(const Vec3* v, Triple<Four>& out) {
  Four xy, zx, yz;
  load_halves(&v->x, &v->x + 6, xy);       // x0 y0 x2 y2
  load_halves(&v->x + 2, &v->x + 8, zx);   // z0 x1 z2 x3
  load_halves(&v->x + 4, &v->x + 10, yz);  // y1 z1 y3 z3
  out.x = __builtin_shufflevector(xy, zx, 0, 5, 2, 7);
  out.y = __builtin_shufflevector(xy, yz, 1, 4, 3, 6);
  out.z = __builtin_shufflevector(zx, yz, 0, 5, 2, 7);
}
STICTION_INLINE void store(const Triple<Four>& v, Vec3* out) {
  const Four xy = __builtin_shufflevector(v.x, v.y, 0, 4, 2, 6);
  const Four zx = __builtin_shufflevector(v.z, v.x, 0, 5, 2, 7);
  const Four yz = __builtin_shufflevector(v.y, v.z, 1, 5, 3, 7);
  store(__builtin_shufflevector(xy, zx, 0, 1, 4, 5), &out->x);
  store(__builtin_shufflevector(yz, xy, 0, 1, 6, 7), &out->x + 4);
  store(__builtin_shufflevector(zx, yz, 2, 3, 6, 7), &out->x + 8);
}
STICTION_INLINE void load(const Quat* q, Quadruple<Four>& out) {
  Four wx02, yz02, wx13, yz13;
  load_halves(&q[0].w, &q[2].w, wx02), load_halves(&q[0].y, &q[2].y, yz02);
  load_halves(&q[1].w, &q[3].w, wx13), load_halves(&q[1].y, &q[3].y, yz13);
  out.w = __builtin_shufflevector(wx02, wx13, 0, 4, 2, 6);
  out.x = __builtin_shufflevector(wx02, wx13, 1, 5, 3, 7);
  out.y = __builtin_shufflevector(yz02, yz13, 0, 4, 2, 6);
  out.z = __builtin_shufflevector(yz02, yz13, 1, 5, 3, 7);
}
STICTION_INLINE void store(const Quadruple<Four>& q, Quat* out) {
  const Four wx02 = __builtin_shufflevector(q.w, q.x, 0, 4, 2, 6);
  const Four wx13 = __builtin_shufflevector(q.w, q.x, 1, 5, 3, 7);
  const Four yz02 = __builtin_shufflevector(q.y, q.z, 0, 4, 2, 6);
  const Four yz13 = __builtin_shufflevector(q.y, q.z, 1, 5, 3, 7);
  store(__builtin_shufflevector(wx02, yz02, 0, 1, 4, 5), &out[0].w);
  store(__builtin_shufflevector(wx13, yz13, 0, 1, 4, 5), &out[1].w);
  store(__builtin_shufflevector(wx02, yz02, 2, 3, 6, 7), &out[2].w);
  store(__builtin_shufflevector(wx13, yz13, 2, 3, 6, 7), &out[3].w);
}
static_assert(sizeof(Vec3) == 3 * sizeof(double) && sizeof(Quat) == 4 * sizeof(double));

}  // namespace stiction::lanes

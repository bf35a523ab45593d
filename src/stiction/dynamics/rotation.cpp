// Free rotation by the implicit midpoint rule in body axes.
//
// Equations     I dw/dt = (I w) x w,   dR/dt = R [w]x
// Discretised   I (w1 - w0) = h (I wm) x wm,   wm = (w0 + w1) / 2,   R1 = R0 cay(h wm)
//
// Symbols       I   diagonal inertia, body axes [kg m^2]      w0, w1, wm  angular velocity, body axes [rad/s]
//               R   orientation, body to world                h           step [s]
//               l = I w  angular momentum, body axes [kg m^2/s]
//
// What is kept, exactly in real arithmetic:
//   energy       multiply by wm: wm.I (w1 - w0) = 0, and (w0 + w1).I (w1 - w0) = w1.I w1 - w0.I w0.
//   |l|          multiply by I wm: the same with I^2.
//   R l (world)  with a = h wm / 2 the rule reads l1 - l0 = (l0 + l1) x a, that is
//                (1 + [a]x) l1 = (1 - [a]x) l0, so l1 = cay(h wm)^T l0 with cay(2a) = (1 - [a]x)^-1 (1 +
//                [a]x); hence R1 l1 = R0 l0.
// Second order in h and symmetric in time.
//
// Solution. With x = wm, k = h / 2, c1 = (I2 - I3) / I1 and so on in turn, and s = k c, the rule is
//     x1 = w1 + s1 x2 x3,   x2 = w2 + s2 x3 x1,   x3 = w3 + s3 x1 x2.
// Six sweeps of substitution, each value put to use at once, multiply the error by some |s w|^2 each. Where
// the last one changed less than 1e-15 of the spin, what is left is below round-off (a looser limit shows as
// a steady drift of the energy): up to |s w| of about 0.025, that is 5 rad/s at h = 0.01 s. Elsewhere
// Newton's method solves the rule from x = w; an update below 3e-9 of the spin is its last. If it has not
// come that far after 20 iterations, the step is taken in 2, 4, ... equal parts, each of which keeps energy
// and angular momentum just as well.
//
// Many bodies are taken four at a time, one per SIMD lane (math/lanes.h). Finished lanes keep their values
// while others iterate, so the result does not depend on the neighbours.
//
// Reference: E. Hairer, C. Lubich, G. Wanner, Geometric Numerical Integration, 2nd ed. 2006, IV.2.1
// (quadratic invariants) and VII.5 (rigid body).
//
// When it fails: more than 2^16 parts (about 10^5 rad of tumbling in one step), inertias whose product is not
// a normal number, or a result that is not finite. The result is then not finite, for the caller to refuse. A
// coarse step keeps the invariants but not the phase: the error in angle grows as (h w)^2.
#include "stiction/dynamics/rotation.h"

#include <limits>

#include "stiction/base/assert.h"
#include "stiction/math/lanes.h"

namespace stiction {
namespace {

using namespace lanes;

constexpr int sweeps = 6;
constexpr double last_sweep2 = 1e-30;  // [-] (change in the last sweep / spin)^2
constexpr int newton_limit = 20;
constexpr int most_halvings = 16;
constexpr double last_update2 = 1e-17;  // [-] (update / spin)^2

// out = v + 2 q.w u x v + 2 u x (u x v), u = sign * vector part of q.
template <class T>
STICTION_INLINE void turn_vector(const Quadruple<T>& q, double sign, const Triple<T>& v, Triple<T>& out) {
  const T ux = sign * q.x, uy = sign * q.y, uz = sign * q.z;
  const T tx = 2.0 * (uy * v.z - uz * v.y), ty = 2.0 * (uz * v.x - ux * v.z),
          tz = 2.0 * (ux * v.y - uy * v.x);
  out.x = v.x + q.w * tx + (uy * tz - uz * ty);
  out.y = v.y + q.w * ty + (uz * tx - ux * tz);
  out.z = v.z + q.w * tz + (ux * ty - uy * tx);
}

// out = q cay(2a), unit length.
template <class T>
STICTION_INLINE void turn_orientation(const Quadruple<T>& q, const Triple<T>& a, Quadruple<T>& out) {
  const T w = q.w - (q.x * a.x + q.y * a.y + q.z * a.z), x = q.x + (q.w * a.x + (q.y * a.z - q.z * a.y)),
          y = q.y + (q.w * a.y + (q.z * a.x - q.x * a.z)), z = q.z + (q.w * a.z + (q.x * a.y - q.y * a.x));
  T length = (w * w + x * x) + (y * y + z * z);
  take_root(length);
  const T inverse = 1.0 / length;
  out.w = inverse * w, out.x = inverse * x, out.y = inverse * y, out.z = inverse * z;
}

// s = k c.
template <class T>
STICTION_INLINE void coupling(const Triple<T>& I, double k, Triple<T>& s) {
  const T xy = I.x * I.y, scale = k / (xy * I.z);
  s.x = scale * ((I.y - I.z) * (I.y * I.z));
  s.y = scale * ((I.z - I.x) * (I.z * I.x));
  s.z = scale * ((I.x - I.y) * xy);
}

template <class T>
STICTION_INLINE void sweep(const Triple<T>& s, const Triple<T>& w, Triple<T>& x) {
  x.x = w.x + s.x * (x.y * x.z);
  x.y = w.y + s.y * (x.z * x.x);
  x.z = w.z + s.z * (x.x * x.y);
}
// `solved`: the lanes where this sweep changes next to nothing.
template <class T>
STICTION_INLINE void last_sweep(const Triple<T>& s, const Triple<T>& w, Triple<T>& x, Flags<T>& solved) {
  const Triple<T> before = x;
  sweep(s, w, x);
  const T dx = x.x - before.x, dy = x.y - before.y, dz = x.z - before.z;
  solved = dx * dx + dy * dy + dz * dz <= last_sweep2 * (w.x * w.x + w.y * w.y + w.z * w.z);
}

// The mean angular velocity by Newton's method from x = w, for the lanes that are not solved yet; on return
// `solved` names those that have converged.
template <class T>
STICTION_INLINE void iterate_newton(const Triple<T>& s, const Triple<T>& w, Triple<T>& x, Flags<T>& solved) {
  const T limit = last_update2 * (w.x * w.x + w.y * w.y + w.z * w.z);
  x = {solved ? x.x : w.x, solved ? x.y : w.y, solved ? x.z : w.z};
  for (int i = 0; i < newton_limit; ++i) {
    const T rx = (w.x - x.x) + s.x * (x.y * x.z), ry = (w.y - x.y) + s.y * (x.z * x.x),
            rz = (w.z - x.z) + s.z * (x.x * x.y);
    // Jacobian [1 -a -b; -c 1 -e; -f -g 1], by cofactors.
    const T a = s.x * x.z, b = s.x * x.y, c = s.y * x.z, e = s.y * x.x, f = s.z * x.y, g = s.z * x.x;
    const T c00 = 1.0 - e * g, c01 = c + e * f, c02 = f + c * g;
    const T inverse = 1.0 / (c00 - (a * c01 + b * c02));
    const T dx = inverse * (c00 * rx + (a + b * g) * ry + (b + a * e) * rz),
            dy = inverse * (c01 * rx + (1.0 - b * f) * ry + (e + b * c) * rz),
            dz = inverse * (c02 * rx + (g + a * f) * ry + (1.0 - a * c) * rz);
    x = {solved ? x.x : x.x + dx, solved ? x.y : x.y + dy, solved ? x.z : x.z + dz};
    solved = solved | (dx * dx + dy * dy + dz * dz <= limit);
    if (all(solved)) break;
  }
}

// Spin at the end, from the mean angular velocity.
template <class T>
STICTION_INLINE void end_spin(const Triple<T>& s, const Triple<T>& w, const Triple<T>& x,
                              const Quadruple<T>& q_end, const Triple<T>& spin, Triple<T>& spin_end) {
  Triple<T> turned;
  turn_vector(q_end, 1.0, {2.0 * x.x - w.x, 2.0 * x.y - w.y, 2.0 * x.z - w.z}, turned);
  // Without coupling the body turns about its spin, which stays as it is.
  const auto alone = (s.x == 0.0) & (s.y == 0.0) & (s.z == 0.0);
  spin_end = {alone ? spin.x : turned.x, alone ? spin.y : turned.y, alone ? spin.z : turned.z};
}

bool rotate_once(const Vec3& inertia, const Quat& q, const Vec3& spin, double h, Quat& q_end,
                 Vec3& spin_end) {
  const Quadruple<double> q0{q.w, q.x, q.y, q.z};
  const Triple<double> I{inertia.x, inertia.y, inertia.z}, spin0{spin.x, spin.y, spin.z};
  Quadruple<double> q1;
  Triple<double> spin1, s, w, x;
  bool solved = false;
  coupling(I, 0.5 * h, s);
  turn_vector(q0, -1.0, spin0, w);
  x = w;
  for (int i = 1; i < sweeps; ++i) sweep(s, w, x);
  last_sweep(s, w, x, solved);
  if (!solved) iterate_newton(s, w, x, solved);
  turn_orientation(q0, {0.5 * h * x.x, 0.5 * h * x.y, 0.5 * h * x.z}, q1);
  end_spin(s, w, x, q1, spin0, spin1);
  q_end = {q1.w, q1.x, q1.y, q1.z}, spin_end = {spin1.x, spin1.y, spin1.z};
  return solved;
}

// For steps that are too coarse to be taken at once.
RotationStep rotate_in_parts(const Vec3& inertia, const Quat& orientation, const Vec3& spin, double h) {
  for (int halvings = 1; halvings <= most_halvings; ++halvings) {
    const int parts = 1 << halvings;
    RotationStep step{orientation, spin};
    int done = 0;
    while (done < parts &&
           rotate_once(inertia, step.orientation, step.spin, h / parts, step.orientation, step.spin))
      ++done;
    if (done == parts) return step;
  }
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  return {{nan, nan, nan, nan}, {nan, nan, nan}};
}

// `groups` times four bodies from each array. Stage after stage for all of them: the chain of operations of
// one body is long, and the processor fills its waiting times with the other groups.
template <std::size_t groups>
STICTION_INLINE void rotate_batch(const Vec3* I, const Quat* q, const Vec3* spin, double h, Quat* q_end,
                                  Vec3* spin_end) {
  Triple<Four> s[groups], w[groups], x[groups], spin0[groups];
  Quadruple<Four> q1[groups];
  Flags<Four> solved[groups];
  const double k = 0.5 * h;
  for (std::size_t g = 0; g < groups; ++g) {
    Triple<Four> inertia;
    load(I + g * lanes::width, inertia), load(q + g * lanes::width, q1[g]);
    load(spin + g * lanes::width, spin0[g]);
    coupling(inertia, k, s[g]);
    turn_vector(q1[g], -1.0, spin0[g], w[g]);
    x[g].x = w[g].x, x[g].y = w[g].y, x[g].z = w[g].z;
  }
  for (int i = 1; i < sweeps; ++i)
    for (std::size_t g = 0; g < groups; ++g) sweep(s[g], w[g], x[g]);
  for (std::size_t g = 0; g < groups; ++g) last_sweep(s[g], w[g], x[g], solved[g]);
  Flags<Four> every = solved[0];
  for (std::size_t g = 1; g < groups; ++g) every &= solved[g];
  if (!all(every))
    for (std::size_t g = 0; g < groups; ++g)
      if (!all(solved[g])) iterate_newton(s[g], w[g], x[g], solved[g]);
  for (std::size_t g = 0; g < groups; ++g)
    turn_orientation(q1[g], {k * x[g].x, k * x[g].y, k * x[g].z}, q1[g]);
  for (std::size_t g = 0; g < groups; ++g) end_spin(s[g], w[g], x[g], q1[g], spin0[g], spin0[g]);
  for (std::size_t g = 0; g < groups; ++g) {
    const std::size_t first = g * lanes::width;
    if (all(solved[g])) {
      store(q1[g], q_end + first), store(spin0[g], spin_end + first);
      continue;
    }
    for (std::size_t i = first; i < first + lanes::width; ++i) {
      const RotationStep step = rotate_freely(I[i], q[i], spin[i], h);
      q_end[i] = step.orientation, spin_end[i] = step.spin;
    }
  }
}

// All bodies but the last count % 4.
STICTION_INLINE void rotate_batches(std::size_t count, const Vec3* I, const Quat* q, const Vec3* spin,
                                    double h, Quat* q_end, Vec3* spin_end) {
  constexpr std::size_t groups = 16;
  constexpr std::size_t batch = groups * lanes::width;
  std::size_t i = 0;
  for (; i + batch <= count; i += batch)
    rotate_batch<groups>(I + i, q + i, spin + i, h, q_end + i, spin_end + i);
  for (; i + lanes::width <= count; i += lanes::width)
    rotate_batch<1>(I + i, q + i, spin + i, h, q_end + i, spin_end + i);
}

void rotate_batches_narrow(std::size_t count, const Vec3* I, const Quat* q, const Vec3* spin, double h,
                           Quat* q_end, Vec3* spin_end) {
  rotate_batches(count, I, q, spin, h, q_end, spin_end);
}
STICTION_WIDE void rotate_batches_wide(std::size_t count, const Vec3* I, const Quat* q, const Vec3* spin,
                                       double h, Quat* q_end, Vec3* spin_end) {
  rotate_batches(count, I, q, spin, h, q_end, spin_end);
}

}  // namespace

RotationStep rotate_freely(const Vec3& inertia_diagonal, const Quat& orientation, const Vec3& spin_world,
                           double h) {
  RotationStep step;
  if (rotate_once(inertia_diagonal, orientation, spin_world, h, step.orientation, step.spin)) return step;
  return rotate_in_parts(inertia_diagonal, orientation, spin_world, h);
}

void rotate_freely(std::span<const Vec3> inertia_diagonal, std::span<const Quat> orientation,
                   std::span<const Vec3> spin_world, double h, std::span<Quat> orientation_end,
                   std::span<Vec3> spin_end) {
  const std::size_t count = spin_world.size();
  STICTION_ASSERT(inertia_diagonal.size() == count && orientation.size() == count);
  STICTION_ASSERT(orientation_end.size() == count && spin_end.size() == count);
  auto* batches = wide_registers() ? rotate_batches_wide : rotate_batches_narrow;
  batches(count, inertia_diagonal.data(), orientation.data(), spin_world.data(), h, orientation_end.data(),
          spin_end.data());
  for (std::size_t i = count - count % lanes::width; i < count; ++i) {
    const RotationStep step = rotate_freely(inertia_diagonal[i], orientation[i], spin_world[i], h);
    orientation_end[i] = step.orientation, spin_end[i] = step.spin;
  }
}

}  // namespace stiction

// The books of many bodies in one pass, four at a time. For each living body, with (x0, v0) at the start of
// the step and (x1, q1, v1, w1) at its end,
//     p = m v1,  L = R(q1) I R(q1)^T w1,  T = (p.v1 + L.w1)/2,  V = -m g.(x1 - x_start),  x1 x p + L
//     W = h m g.(v0 + v1)/2,   W - m g.(x1 - x0),   h m g,   x0 x h m g
// Symbols: m mass [kg] and I diagonal inertia in body axes [kg m^2], both 0 for bodies that do not answer to
// forces and I = 0 for particles: they add zeros. x [m], q unit, v [m/s], w [rad/s] in world axes, g [m/s^2].
// The impulses of gravity need sums of m and of m x0 only: sum of x0 x h m g = (sum of m x0) x h g.
//
// Each lane adds up its own bodies; the four lanes and the bodies left over are added at the end of the
// chunk, chunks by compensated sums. The order is that of the bodies alone.
//
// Whatever is not finite in x1, q1, v1, w1 reaches a sum, where it stays: x1 and v1 enter x1 x p, q1 and w1
// enter L, and infinity times zero is not a number.
//
// When it fails: sums overflow where a single body's numbers would not (finite() is then false).
#include "stiction/step/body_books.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "stiction/ledger/ledger.h"
#include "stiction/math/lanes.h"

namespace stiction::step {
namespace {

using namespace lanes;

template <class T>
struct Sums {
  T mass{}, kinetic{}, fallen{}, work{}, excess{}, work_flow{}, excess_flow{};  // fallen: m g.(x1 - x_start)
  Triple<T> moment{}, momentum{}, angular_momentum{};                           // moment: m x0
};

template <class T>
STICTION_INLINE void add(const T& x, const T& y, const T& z, Triple<T>& sum) {
  sum.x += x, sum.y += y, sum.z += z;
}
template <class T>
STICTION_INLINE void along(const Vec3& g, const Triple<T>& v, T& out) {
  out = g.x * v.x + g.y * v.y + g.z * v.z;
}

/// What is booked: by value, so that a loop knows it does not change.
struct Books {
  const double* mass;
  const Vec3 *inertia, *start_position;
  MotionView start, next;
  Vec3 g;
  double half_h;
};

/// Rotation of body i, or of bodies i to i + 3.
template <class T>
STICTION_INLINE void turn(const Books& b, std::size_t i, T& kinetic, Triple<T>& angular_momentum) {
  Triple<T> I, w, l, L;
  Quadruple<T> q;
  Rotation<T> R;
  load(b.next.orientation + i, q), load(b.next.spin + i, w), load(b.inertia + i, I);
  rotation_of(q, R);
  to_body(R, w, l);
  l.x *= I.x, l.y *= I.y, l.z *= I.z;
  to_world(R, l, L);
  kinetic += 0.5 * (L.x * w.x + L.y * w.y + L.z * w.z);
  add(L.x, L.y, L.z, angular_momentum);
}

template <class T>
STICTION_INLINE void move(const Books& b, std::size_t i, Sums<T>& sums) {
  Triple<T> x0, v0, x1, v1, from;
  T mass, rate, fall, fallen;
  load(b.mass + i, mass), load(b.start_position + i, from);
  load(b.start.position + i, x0), load(b.start.velocity + i, v0);
  load(b.next.position + i, x1), load(b.next.velocity + i, v1);
  along(b.g, {v0.x + v1.x, v0.y + v1.y, v0.z + v1.z}, rate);
  along(b.g, {x1.x - x0.x, x1.y - x0.y, x1.z - x0.z}, fall);
  along(b.g, {x1.x - from.x, x1.y - from.y, x1.z - from.z}, fallen);
  const T work = b.half_h * mass * rate, excess = work - mass * fall;
  sums.work += work, sums.excess += excess, sums.fallen += mass * fallen;
  add_magnitude(work, sums.work_flow), add_magnitude(excess, sums.excess_flow);
  sums.mass += mass;
  add(mass * x0.x, mass * x0.y, mass * x0.z, sums.moment);
  const T px = mass * v1.x, py = mass * v1.y, pz = mass * v1.z;
  add(px, py, pz, sums.momentum);
  sums.kinetic += 0.5 * (px * v1.x + py * v1.y + pz * v1.z);
  add(x1.y * pz - x1.z * py, x1.z * px - x1.x * pz, x1.x * py - x1.y * px, sums.angular_momentum);
}

/// Bodies [begin, end), all alive: by fours, then one by one. First all rotations, then all motions: fewer
/// sums at a time, which stay in registers.
template <class T>
STICTION_INLINE void row(const Books& books, std::size_t begin, std::size_t end, std::size_t stride,
                         Sums<T>& out) {
  const Books b = books;
  T kinetic = out.kinetic;
  Triple<T> spin = out.angular_momentum;
  for (std::size_t i = begin; i < end; i += stride) turn(b, i, kinetic, spin);
  Sums<T> sums = out;
  sums.kinetic = kinetic, sums.angular_momentum = spin;
  for (std::size_t i = begin; i < end; i += stride) move(b, i, sums);
  out = sums;
}

double sum_of(const Four& lane, double one) { return ((lane[0] + lane[1]) + (lane[2] + lane[3])) + one; }
Vec3 sum_of(const Triple<Four>& lane, const Triple<double>& one) {
  return {sum_of(lane.x, one.x), sum_of(lane.y, one.y), sum_of(lane.z, one.z)};
}

STICTION_INLINE void rows(const Books& books, std::span<const unsigned char> alive, std::size_t begin,
                          std::size_t end, Sums<Four>& fours, Sums<double>& ones) {
  while (begin < end) {
    const void* dead = std::memchr(alive.data() + begin, 0, end - begin);
    const std::size_t stop = dead ? std::size_t(static_cast<const unsigned char*>(dead) - alive.data()) : end;
    const std::size_t last = begin + (stop - begin) / lanes::width * lanes::width;
    row(books, begin, last, lanes::width, fours);
    row(books, last, stop, 1, ones);
    begin = stop + 1;
  }
}
void rows_narrow(const Books& books, std::span<const unsigned char> alive, std::size_t begin, std::size_t end,
                 Sums<Four>& fours, Sums<double>& ones) {
  rows(books, alive, begin, end, fours, ones);
}
STICTION_WIDE void rows_wide(const Books& books, std::span<const unsigned char> alive, std::size_t begin,
                             std::size_t end, Sums<Four>& fours, Sums<double>& ones) {
  rows(books, alive, begin, end, fours, ones);
}

}  // namespace

BodyBooks book_bodies(const Model& m, std::span<const unsigned char> alive, double h, const MotionView& start,
                      const MotionView& next, std::size_t begin, std::size_t end, bool wide) {
  Sums<Four> fours;
  Sums<double> ones;
  const Books books{m.mass.data(), m.inertia.data(), m.start_position.data(), start, next,
                    m.gravity,     0.5 * h};
  (wide ? rows_wide : rows_narrow)(books, alive, begin, end, fours, ones);
  BodyBooks out;
  out.kinetic = sum_of(fours.kinetic, ones.kinetic);
  out.gravity_potential = -sum_of(fours.fallen, ones.fallen);
  out.momentum = sum_of(fours.momentum, ones.momentum);
  out.angular_momentum = sum_of(fours.angular_momentum, ones.angular_momentum);
  out.work = sum_of(fours.work, ones.work);
  out.excess = sum_of(fours.excess, ones.excess);
  out.work_flow = sum_of(fours.work_flow, ones.work_flow);
  out.excess_flow = sum_of(fours.excess_flow, ones.excess_flow);
  const Vec3 fall = h * m.gravity;
  out.impulse = sum_of(fours.mass, ones.mass) * fall;
  out.angular_impulse = cross(sum_of(fours.moment, ones.moment), fall);
  return out;
}

bool finite(std::span<const BodyBooks> chunks) {
  return std::all_of(chunks.begin(), chunks.end(), [](const BodyBooks& b) {
    return std::isfinite(b.kinetic) && is_finite(b.momentum) && is_finite(b.angular_momentum);
  });
}

BodyBooks total(std::span<const BodyBooks> chunks) {
  CompensatedSum kinetic, potential, work, excess, work_flow, excess_flow;
  CompensatedVec3 momentum, angular_momentum, impulse, angular_impulse;
  for (const BodyBooks& c : chunks) {
    kinetic.add(c.kinetic), potential.add(c.gravity_potential);
    work.add(c.work), excess.add(c.excess), work_flow.add(c.work_flow), excess_flow.add(c.excess_flow);
    momentum.add(c.momentum), angular_momentum.add(c.angular_momentum);
    impulse.add(c.impulse), angular_impulse.add(c.angular_impulse);
  }
  BodyBooks sum;
  sum.kinetic = kinetic.value(), sum.gravity_potential = potential.value();
  sum.momentum = momentum.value(), sum.angular_momentum = angular_momentum.value();
  sum.work = work.value(), sum.excess = excess.value();
  sum.work_flow = work_flow.value(), sum.excess_flow = excess_flow.value();
  sum.impulse = impulse.value(), sum.angular_impulse = angular_impulse.value();
  return sum;
}

}  // namespace stiction::step

// Motion without contacts: semi-implicit Euler for translation, implicit midpoint in body axes for rotation.
//     v+ = v + h f / m,  x+ = x + h v+;    L+ = L + h tau, then free rotation (dynamics/rotation.h), which
//     keeps L and the energy. Planar bodies: forces projected on the plane, one rotation about its normal.
// Bodies are taken chunk by chunk, and each chunk is booked (body_books.h) while it is at hand: the books of
// the free motion are those of the step where no contact changes it, and tell whether all of it is finite.
#include <cmath>
#include <cstdint>
#include <cstring>

#include "stiction/dynamics/rotation.h"
#include "stiction/math/lanes.h"
#include "stiction/math/spatial.h"
#include "stiction/step/mechanisms.h"
#include "stiction/step/sleep.h"
#include "stiction/step/stages.h"
#include "stiction/step/tree_stages.h"

namespace stiction::step {

Mat3 world_inertia(const Vec3& diagonal, const Quat& q) {
  if (diagonal.x == diagonal.y && diagonal.y == diagonal.z) return Mat3::diagonal(diagonal);
  const Mat3 R = rotation_matrix(q);
  Mat3 out;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j <= i; ++j)
      out(i, j) = out(j, i) =
          R(i, 0) * diagonal.x * R(j, 0) + R(i, 1) * diagonal.y * R(j, 1) + R(i, 2) * diagonal.z * R(j, 2);
  return out;
}

Vec3 gyroscopic_impulse(const Model& m, const State& x, double h, std::size_t i) {
  return -h * cross(x.spin[i], world_inertia(m.inertia[i], x.orientation[i]) * x.spin[i]);
}

void predict(const Model& m, const State& x, double time, const Carry& by, Motions& out) {
  out.position = x.position, out.orientation = x.orientation;
  out.velocity = x.velocity, out.spin = x.spin;
  out.joint_position = x.joint_position, out.joint_velocity.assign(x.joint_velocity.size(), 0.0);
  for (std::size_t i = 0; i < x.position.size(); ++i) {
    if (m.mobility[i] == Mobility::none || !x.alive[i]) {
      move_kinematic(m, x, time, i, out);
    } else if (m.mobility[i] == Mobility::link ||
               (!m.mechanisms.empty() && m.mechanisms.mechanism_of[i] >= 0)) {
      out.velocity[i] = out.spin[i] = {};
    } else {
      out.position[i] += time * out.velocity[i];
      const bool angle = by.angles && m.mobility[i] == Mobility::planar;
      if (m.mobility[i] != Mobility::particle)
        out.orientation[i] = normalized(
            (angle ? exponential(time * out.spin[i]) : cayley(time * out.spin[i])) * x.orientation[i]);
    }
  }
}

void sum_forces(const Model& m, const State& x, const Input& in, double h, Workspace& w) {
  w.applied.clear();
  const double later = (1 - w.carry.theta) * h;  // [s]
  if (later > 0) predict(m, x, later, w.carry, w.ahead);
  const std::vector<Vec3>& position = later > 0 ? w.ahead.position : x.position;
  const std::vector<Quat>& orientation = later > 0 ? w.ahead.orientation : x.orientation;
  forces::sum_forces(m, {position, orientation, x.velocity, x.spin, x.alive}, x.time + later, h, w.forces,
                     w.applied);
  for (const InputWrench& i : in.wrenches)
    if (x.alive[std::size_t(i.body)] && m.body_kind[std::size_t(i.body)] == dynamic)
      w.applied.push_back({Cause::input, i.body, h * i.force, h * i.torque});
  if (!m.trees.empty()) collect_joint_inputs(m, in, w);
  w.has_applied = !w.applied.empty();
  if (!w.has_applied) return;
  const auto n = std::size_t(m.body_count());
  w.impulse.assign(n, {}), w.angular_impulse.assign(n, {});
  for (const forces::AppliedImpulse& a : w.applied) {
    w.impulse[std::size_t(a.body)] += a.linear;
    w.angular_impulse[std::size_t(a.body)] += a.angular;
  }
}

void move_kinematic(const Model& m, const State& x, double h, std::size_t i, Motions& out) {
  const Motion& motion = m.motion[i];
  if (m.body_kind[i] == fixed || motion.time.empty()) {
    out.position[i] = x.position[i], out.orientation[i] = x.orientation[i];
    out.velocity[i] = out.spin[i] = {};
    return;
  }
  out.position[i] = position_at(motion, x.time + h);
  out.velocity[i] = (out.position[i] - x.position[i]) / h;
  out.orientation[i] = motion.orientation.empty() ? x.orientation[i] : orientation_at(motion, x.time + h);
  // the constant spin that the Cayley map turns into this rotation
  const Quat turn = out.orientation[i] * conjugate(x.orientation[i]);
  out.spin[i] = (2 / (h * turn.w)) * Vec3{turn.x, turn.y, turn.z};
}

namespace {

void move_planar(const Model& m, const State& x, double h, std::size_t i, Vec3 dv, const Vec3& torque,
                 Motions& out) {
  const Vec3& n = m.plane_normal[i];
  dv -= dot(n, dv) * n;
  out.velocity[i] = x.velocity[i] + dv;
  out.position[i] = x.position[i] + h * out.velocity[i];
  const double inertia = dot(n, world_inertia(m.inertia[i], x.orientation[i]) * n);
  // not (n.w) n: that has the rounding of |n| in it, the same one in every step
  out.spin[i] = x.spin[i] + (dot(n, torque) / inertia) * n;
  out.orientation[i] = normalized(cayley(h * out.spin[i]) * x.orientation[i]);
}

/// v1 = v + dv, x1 = x + h v1 for `count` bodies. Components in the order of memory, four at a time: the
/// pattern of dv repeats after three times four.
STICTION_INLINE void shift(std::size_t count, const Vec3& dv, double h, const Vec3* x, const Vec3* v,
                           Vec3* x1, Vec3* v1) {
  using lanes::Four, lanes::load, lanes::store;
  const Four pattern[3] = {{dv.x, dv.y, dv.z, dv.x}, {dv.y, dv.z, dv.x, dv.y}, {dv.z, dv.x, dv.y, dv.z}};
  std::size_t i = 0;
  for (; i + lanes::width <= count; i += lanes::width)
    for (std::size_t k = 0; k < 3; ++k) {
      Four p, u;
      load(&v[i].x + 4 * k, u), load(&x[i].x + 4 * k, p);
      u += pattern[k];
      p += h * u;
      store(u, &v1[i].x + 4 * k), store(p, &x1[i].x + 4 * k);
    }
  for (; i < count; ++i) v1[i] = v[i] + dv, x1[i] = x[i] + h * v1[i];
}
void shift_narrow(std::size_t count, const Vec3& dv, double h, const Vec3* x, const Vec3* v, Vec3* x1,
                  Vec3* v1) {
  shift(count, dv, h, x, v, x1, v1);
}
STICTION_WIDE void shift_wide(std::size_t count, const Vec3& dv, double h, const Vec3* x, const Vec3* v,
                              Vec3* x1, Vec3* v1) {
  shift(count, dv, h, x, v, x1, v1);
}

/// Velocity and spin at the start, with the impulses of the step (but gravity) already given.
void push(const Model& m, const State& x, std::size_t begin, std::size_t end, Workspace& w) {
  for (std::size_t i = begin; i < end; ++i) {
    w.free.velocity[i] = x.velocity[i] + w.impulse[i] / m.mass[i];
    w.free.spin[i] = x.spin[i];
    const Vec3 torque = rotate_back(x.orientation[i], w.angular_impulse[i]);
    const Vec3& d = m.inertia[i];
    if (torque != Vec3{})
      w.free.spin[i] += rotate(x.orientation[i], {torque.x / d.x, torque.y / d.y, torque.z / d.z});
  }
}

/// Free bodies [begin, end), all at once: they move side by side.
void move_free(const Model& m, const State& x, double h, std::size_t begin, std::size_t end, Workspace& w) {
  if (w.has_applied) push(m, x, begin, end, w);
  const Vec3* velocity = (w.has_applied ? w.free.velocity : x.velocity).data() + begin;
  const Vec3* spin = (w.has_applied ? w.free.spin : x.spin).data() + begin;
  const std::size_t n = end - begin;
  (lanes::wide_registers() ? shift_wide : shift_narrow)(n, h * m.gravity, h, x.position.data() + begin,
                                                        velocity, w.free.position.data() + begin,
                                                        w.free.velocity.data() + begin);
  rotate_freely({m.inertia.data() + begin, n}, {x.orientation.data() + begin, n}, {spin, n}, h,
                {w.free.orientation.data() + begin, n}, {w.free.spin.data() + begin, n});
}

/// Whether all of count > 0 bytes have one value: the first does, and each has that of the one before.
template <class Byte>
bool all_bytes(const Byte* first, std::size_t count, Byte value) {
  static_assert(sizeof(Byte) == 1);
  return *first == value && std::memcmp(first, first + 1, count - 1) == 0;
}

void move_other(const Model& m, const State& x, double h, std::size_t i, Workspace& w) {
  Motions& out = w.free;
  if (m.mobility[i] == Mobility::link) return;  // free_trees() did
  if (m.mobility[i] == Mobility::none || !x.alive[i]) return move_kinematic(m, x, h, i, out);
  Vec3 dv = h * m.gravity, torque;
  if (w.has_applied) dv += w.impulse[i] / m.mass[i], torque = w.angular_impulse[i];
  if (m.mobility[i] == Mobility::planar) return move_planar(m, x, h, i, dv, torque, out);
  out.velocity[i] = x.velocity[i] + dv;
  out.position[i] = x.position[i] + h * out.velocity[i];
  out.orientation[i] = x.orientation[i], out.spin[i] = {};
}

}  // namespace

void move_alone(const Model& m, const State& x, double h, std::size_t i, Workspace& w) {
  if (m.mobility[i] == Mobility::free)
    move_free(m, x, h, i, i + 1, w);
  else
    move_other(m, x, h, i, w);
}

void free_motion(const Model& m, const State& x, double h, Workspace& w) {
  const auto n = std::size_t(m.body_count());
  Motions& out = w.free;
  out.position.resize(n), out.orientation.resize(n), out.velocity.resize(n), out.spin.resize(n);
  w.books.resize((n + book_chunk - 1) / book_chunk);
  if (!m.trees.empty()) free_trees(m, x, h, w);
  for_chunks(n, w.team, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
    const bool all = all_bytes(&m.mobility[begin], end - begin, Mobility::free) &&
                     all_bytes(&x.alive[begin], end - begin, std::uint8_t{1});
    for (std::size_t i = begin; i < end;) {
      std::size_t j = all ? end : i;
      while (j < end && m.mobility[j] == Mobility::free && x.alive[j]) ++j;
      if (j > i) move_free(m, x, h, i, j, w);
      if (j < end) move_other(m, x, h, j, w);
      i = j + 1;
    }
    if (!m.mechanisms.empty()) take_flows(m, x, begin, end, w);
    if (!w.asleep.empty()) hold_sleepers(x, begin, end, w);
    w.books[chunk] = book_bodies(m, x.alive, h, view(x), view(out), begin, end, lanes::wide_registers());
  });
}

}  // namespace stiction::step

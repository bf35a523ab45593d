// Spring-damper between points A (body a) and B (body b), d = x_B - x_A, l = |d|, e = d / l:
//     force on B = -(k (l - l0) + c dl/dt) e,   on A the opposite;   potential k (l - l0)^2 / 2
// Drag: force -(c1 + c2 |v| + kappa |v|^(gamma - 1)) v, torque -ca w. Over one explicit step a large
// coefficient may reverse a motion; the ledger then shows a positive entry under `drag`.
// Magnus: force kappa w x v. Wrench: linear between the rows of its table; zero outside the table.
// Reference for drag and Magnus: M. Servin, Notes on Discrete Mechanics (2015), (3.11) and (3.12); C_M in
// (3.12) is a length. Torsion springs: torsion.cpp; gravitation and
// Lennard-Jones: pair_laws.h.
#include "stiction/forces/forces.h"

#include <cmath>

#include "stiction/forces/pair_laws.h"
#include "stiction/math/elementary.h"

namespace stiction::forces {

Point point_of(const Bodies& x, int body, const Vec3& local) {
  if (body < 0) return {{}, local, {}};
  const auto i = std::size_t(body);
  const Vec3 arm = rotate(x.orientation[i], local);
  return {arm, x.position[i] + arm, x.velocity[i] + cross(x.spin[i], arm)};
}

Vec3 table_value(const std::vector<double>& time, const std::vector<Vec3>& rows, double now) {
  if (time.empty()) return rows.front();
  if (now < time.front() || now > time.back()) return {};
  std::size_t k = 0;
  while (k + 2 < time.size() && time[k + 1] <= now) ++k;
  if (time.size() == 1) return rows.front();
  const double s = (now - time[k]) / (time[k + 1] - time[k]);
  return (1 - s) * rows[k] + s * rows[k + 1];
}

double power_drag(const ModelDrag& d, double speed) {
  if (d.coefficient == 0 || speed == 0) return 0;
  return d.coefficient * elementary::pow(speed, d.exponent - 1);
}

namespace {

void add_pair(Cause cause, const ModelSpring& s, int k, const Point& a, const Point& b,
              const Vec3& impulse_on_b, std::vector<AppliedImpulse>& out) {
  if (s.b >= 0) out.push_back({cause, s.b, impulse_on_b, cross(b.arm, impulse_on_b), k});
  if (s.a >= 0) out.push_back({cause, s.a, -impulse_on_b, cross(a.arm, -impulse_on_b), k});
}

void add_spring(const ModelSpring& s, int k, const Bodies& x, double h, std::vector<AppliedImpulse>& out) {
  const Point a = point_of(x, s.a, s.point_a), b = point_of(x, s.b, s.point_b);
  const Vec3 d = b.position - a.position;
  const double length = norm(d);
  if (length == 0)
    return;  // no direction: the force of a spring at zero length is undefined, its limit 0 or k l0
  const Vec3 e = d / length;
  if (s.stiffness > 0)
    add_pair(Cause::spring, s, k, a, b, (-h * s.stiffness * (length - s.rest_length)) * e, out);
  if (s.damping > 0)
    add_pair(Cause::damping, s, k, a, b, (-h * s.damping * dot(e, b.velocity - a.velocity)) * e, out);
}

void add_drag(const ModelDrag& d, const Bodies& x, double h, std::vector<AppliedImpulse>& out) {
  const auto i = std::size_t(d.body);
  const double speed = norm(x.velocity[i]);
  const double c = d.linear + d.quadratic * speed + power_drag(d, speed);
  out.push_back({Cause::drag, d.body, (-h * c) * x.velocity[i], (-h * d.angular) * x.spin[i]});
}

void add_wrench(const ModelWrench& w, const Bodies& x, double time, double h,
                std::vector<AppliedImpulse>& out) {
  const auto i = std::size_t(w.body);
  Vec3 force = table_value(w.time, w.force, time), torque = table_value(w.time, w.torque, time);
  if (w.body_frame) force = rotate(x.orientation[i], force), torque = rotate(x.orientation[i], torque);
  const Vec3 arm = rotate(x.orientation[i], w.point);
  out.push_back({Cause::wrench, w.body, h * force, h * (torque + cross(arm, force))});
}

void add_torsion(const ModelTorsion& t, int k, const Bodies& x, double h, std::vector<AppliedImpulse>& out) {
  const Twist twist = twist_of(t, x);
  const auto add = [&](Cause cause, double torque) {
    const Vec3 on_b = (h * torque) * twist.gradient;
    if (t.b >= 0) out.push_back({cause, t.b, {}, on_b, k});
    if (t.a >= 0) out.push_back({cause, t.a, {}, -on_b, k});
  };
  if (t.stiffness > 0) add(Cause::spring, -t.stiffness * (twist.angle - t.rest_angle));
  if (t.damping > 0) add(Cause::damping, -t.damping * twist.rate);
}

/// One entry for each body: the sum over its partners.
template <class Law>
void add_pairs(Cause cause, const Law& law, std::span<const int> bodies, const Bodies& x, double cutoff,
               double h, Scratch& scratch, std::vector<AppliedImpulse>& out) {
  scratch.sum.assign(x.position.size(), {});
  for_pairs(bodies, x.position, x.alive, cutoff, scratch.pairs, [&](int i, int j, const Vec3& d, double r2) {
    const Vec3 pull = law.pull(i, j, r2) * d;
    scratch.sum[std::size_t(i)] += pull;
    scratch.sum[std::size_t(j)] -= pull;
  });
  for (const int i : bodies)
    if (x.alive[std::size_t(i)]) out.push_back({cause, i, h * scratch.sum[std::size_t(i)], {}});
}

}  // namespace

void forces_at(const Model& m, const Bodies& x, double time, double weight, Scratch& scratch,
               std::vector<AppliedImpulse>& out) {
  int k = 0;
  for (const ModelSpring& s : m.springs) {
    if (acts(x.alive, s.a, s.b)) add_spring(s, k, x, weight, out);
    ++k;
  }
  for (const ModelDrag& d : m.drags)
    if (x.alive[std::size_t(d.body)]) add_drag(d, x, weight, out);
  for (const ModelWrench& w : m.wrenches)
    if (x.alive[std::size_t(w.body)]) add_wrench(w, x, time, weight, out);
  for (const ModelTorsion& t : m.torsions) {
    if (acts(x.alive, t.a, t.b)) add_torsion(t, k, x, weight, out);
    ++k;
  }
  for (const ModelMagnus& f : m.magnus) {
    const auto i = std::size_t(f.body);
    if (x.alive[i])
      out.push_back({Cause::magnus, f.body, (weight * f.coefficient) * cross(x.spin[i], x.velocity[i]), {}});
  }
  for (const ModelGravitation& g : m.gravitations)
    add_pairs(Cause::gravitation, GravitationLaw(g, m), g.bodies, x, 0, weight, scratch, out);
  for (const ModelLennardJones& l : m.lennard_jones)
    add_pairs(Cause::lennard_jones, LennardJonesLaw(l), l.bodies, x, l.cutoff, weight, scratch, out);
}

void sum_forces(const Model& m, const Bodies& x, double time, double h, Scratch& scratch,
                std::vector<AppliedImpulse>& out) {
  forces_at(m, x, time + 0.5 * h, h, scratch, out);
}

double spring_potential(const Model& m, std::size_t spring, std::span<const Vec3> position,
                        std::span<const Quat> orientation, std::span<const unsigned char> alive) {
  if (spring >= m.springs.size()) {
    const ModelTorsion& t = m.torsions[spring - m.springs.size()];
    if (!acts(alive, t.a, t.b)) return 0;
    const double twist = twist_of(t, {position, orientation, {}, {}, alive}).angle - t.rest_angle;
    return 0.5 * t.stiffness * twist * twist;
  }
  const auto place = [&](int body, const Vec3& local) {
    return body < 0 ? local : position[std::size_t(body)] + rotate(orientation[std::size_t(body)], local);
  };
  const ModelSpring& s = m.springs[spring];
  if (!acts(alive, s.a, s.b)) return 0;
  const double stretch = norm(place(s.b, s.point_b) - place(s.a, s.point_a)) - s.rest_length;
  return 0.5 * s.stiffness * stretch * stretch;
}

double spring_potential(const Model& m, std::span<const Vec3> position, std::span<const Quat> orientation,
                        std::span<const unsigned char> alive) {
  double total = 0;
  for (std::size_t k = 0; k < m.springs.size() + m.torsions.size(); ++k)
    total += spring_potential(m, k, position, orientation, alive);
  return total;
}

double pair_potential(const Model& m, std::span<const Vec3> position, std::span<const unsigned char> alive,
                      PairScratch& scratch) {
  CompensatedSum total;
  const auto add = [&](const auto& law, std::span<const int> bodies, double cutoff) {
    for_pairs(bodies, position, alive, cutoff, scratch,
              [&](int i, int j, const Vec3&, double r2) { total.add(law.potential(i, j, r2)); });
  };
  for (const ModelGravitation& g : m.gravitations) add(GravitationLaw(g, m), g.bodies, 0);
  for (const ModelLennardJones& l : m.lennard_jones) add(LennardJonesLaw(l), l.bodies, l.cutoff);
  return total.value();
}

}  // namespace stiction::forces

// Derivatives of forces. An element acts with F on b at arm_b and with -F on a at arm_a, and with a torque T
// on b and -T on a. For moves dx, dr (turn) and changes of velocity dv, dw of its bodies,
//     dF = P dd + V du + S dw_b,   d = (x_b + arm_b) - (x_a + arm_a),  dd = dx_b + dr_b x arm_b - ...
//     d(arm x F) = arm x dF + (dr x arm) x F,       dT = R (dr_b - dr_a) + Q (dw_b - dw_a)
// with P, V, S, R, Q the matrices of Element, by kind:
//     spring          P = -k (e e^T + (1 - l0/l) (1 - e e^T))          damper          V = -c e e^T
//     torsion spring  R = -k g g^T                                     its damper      Q = -c g g^T
//     drag            V = -(c1 + c2 |v| + kappa |v|^(gamma-1)) 1 - (c2 |v| + (gamma-1) kappa |v|^(gamma-1)) n
//     n^T Magnus          V = kappa [w]x,  S = -kappa [v]x                 drag, turning   Q = -ca 1 pairs P
//     = -(c 1 + 2 c' d d^T)  (pair_laws.h) wrench          in body axes F and T turn with the body: dF = dr x
//     F
// Symbols: e direction of the spring, l its length, g gradient of the twist, n direction of the velocity v.
// Left out: how e turns in a damper and g in a torsion spring. A method that needs the derivatives only for
// stability keeps its order without them.
#include "stiction/forces/linearise.h"

#include <cmath>

#include "stiction/forces/pair_laws.h"

namespace stiction::forces {
namespace {

Mat3 scaled(double s, Mat3 a) {
  for (auto& row : a.m)
    for (double& x : row) x *= s;
  return a;
}
Mat3 outer(const Vec3& a, const Vec3& b) {
  Mat3 out;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) out(i, j) = a[i] * b[j];
  return out;
}
/// [a]x: the matrix of a x.
Mat3 skew(const Vec3& a) {
  Mat3 out;
  out(0, 1) = -a.z, out(0, 2) = a.y, out(1, 0) = a.z, out(1, 2) = -a.x, out(2, 0) = -a.y, out(2, 1) = a.x;
  return out;
}
Mat3 identity(double s) { return Mat3::diagonal({s, s, s}); }

void add_spring(const ModelSpring& s, const Bodies& x, std::vector<Element>& out) {
  const Point a = point_of(x, s.a, s.point_a), b = point_of(x, s.b, s.point_b);
  const Vec3 d = b.position - a.position;
  const double length = norm(d);
  if (length == 0 && s.rest_length > 0) return;  // no direction
  const Vec3 e = length == 0 ? Vec3{} : d / length;
  Element element;
  element.a = s.a, element.b = s.b, element.arm_a = a.arm, element.arm_b = b.arm;
  if (s.stiffness > 0) {
    Element spring = element;
    const double across = s.rest_length == 0 ? 1 : 1 - s.rest_length / length;
    spring.cause = Cause::spring;
    spring.force = (-s.stiffness * (length - s.rest_length)) * e;
    spring.by_place = identity(-s.stiffness * across) + scaled(-s.stiffness * (1 - across), outer(e, e));
    out.push_back(spring);
  }
  if (s.damping > 0) {
    element.cause = Cause::damping;
    element.force = (-s.damping * dot(e, b.velocity - a.velocity)) * e;
    element.by_velocity = scaled(-s.damping, outer(e, e));
    out.push_back(element);
  }
}

void add_torsion(const ModelTorsion& t, const Bodies& x, std::vector<Element>& out) {
  const Twist twist = twist_of(t, x);
  const Mat3 square = outer(twist.gradient, twist.gradient);
  Element element;
  element.a = t.a, element.b = t.b;
  if (t.stiffness > 0) {
    Element spring = element;
    spring.cause = Cause::spring;
    spring.torque = (-t.stiffness * (twist.angle - t.rest_angle)) * twist.gradient;
    spring.by_turn = scaled(-t.stiffness, square);
    out.push_back(spring);
  }
  if (t.damping > 0) {
    element.cause = Cause::damping;
    element.torque = (-t.damping * twist.rate) * twist.gradient;
    element.by_turn_rate = scaled(-t.damping, square);
    out.push_back(element);
  }
}

void add_drag(const ModelDrag& d, const Bodies& x, std::vector<Element>& out) {
  const auto i = std::size_t(d.body);
  const Vec3& v = x.velocity[i];
  const double speed = norm(v), power = power_drag(d, speed);
  const double c = d.linear + d.quadratic * speed + power;
  Element e;
  e.cause = Cause::drag, e.b = d.body;
  e.force = -c * v, e.torque = -d.angular * x.spin[i];
  e.by_velocity = identity(-c);
  if (speed > 0) {
    const Vec3 n = v / speed;
    e.by_velocity = e.by_velocity + scaled(-(d.quadratic * speed + (d.exponent - 1) * power), outer(n, n));
  }
  e.by_turn_rate = identity(-d.angular);
  out.push_back(e);
}

void add_wrench(const ModelWrench& w, const Bodies& x, double time, std::vector<Element>& out) {
  const auto i = std::size_t(w.body);
  Element e;
  e.cause = Cause::wrench, e.b = w.body, e.follows = w.body_frame;
  e.force = table_value(w.time, w.force, time), e.torque = table_value(w.time, w.torque, time);
  if (w.body_frame)
    e.force = rotate(x.orientation[i], e.force), e.torque = rotate(x.orientation[i], e.torque);
  e.arm_b = rotate(x.orientation[i], w.point);
  out.push_back(e);
}

void add_magnus(const ModelMagnus& f, const Bodies& x, std::vector<Element>& out) {
  const auto i = std::size_t(f.body);
  Element e;
  e.cause = Cause::magnus, e.b = f.body;
  e.force = f.coefficient * cross(x.spin[i], x.velocity[i]);
  e.by_velocity = skew(f.coefficient * x.spin[i]);
  e.by_spin = skew(-f.coefficient * x.velocity[i]);
  out.push_back(e);
}

template <class Law>
void add_pairs(Cause cause, const Law& law, std::span<const int> bodies, const Bodies& x, double cutoff,
               Scratch& scratch, std::vector<Element>& out) {
  for_pairs(bodies, x.position, x.alive, cutoff, scratch.pairs, [&](int i, int j, const Vec3& d, double r2) {
    const double pull = law.pull(i, j, r2);
    Element e;
    e.cause = cause, e.a = i, e.b = j;
    e.force = -pull * d;
    e.by_place = identity(-pull) + scaled(-2 * law.slope(i, j, r2), outer(d, d));
    out.push_back(e);
  });
}

}  // namespace

void linearise(const Model& m, const Bodies& x, double time, Scratch& scratch, std::vector<Element>& out) {
  for (const ModelSpring& s : m.springs)
    if (acts(x.alive, s.a, s.b)) add_spring(s, x, out);
  for (const ModelTorsion& t : m.torsions)
    if (acts(x.alive, t.a, t.b)) add_torsion(t, x, out);
  for (const ModelDrag& d : m.drags)
    if (x.alive[std::size_t(d.body)]) add_drag(d, x, out);
  for (const ModelWrench& w : m.wrenches)
    if (x.alive[std::size_t(w.body)]) add_wrench(w, x, time, out);
  for (const ModelMagnus& f : m.magnus)
    if (x.alive[std::size_t(f.body)]) add_magnus(f, x, out);
  for (const ModelGravitation& g : m.gravitations)
    add_pairs(Cause::gravitation, GravitationLaw(g, m), g.bodies, x, 0, scratch, out);
  for (const ModelLennardJones& l : m.lennard_jones)
    add_pairs(Cause::lennard_jones, LennardJonesLaw(l), l.bodies, x, l.cutoff, scratch, out);
}

std::array<Effort, 2> effort(const Element& e) {
  return {Effort{-e.force, -(cross(e.arm_a, e.force) + e.torque)},
          Effort{e.force, cross(e.arm_b, e.force) + e.torque}};
}

std::array<Effort, 2> change(const Element& e, const std::array<Move, 2>& place,
                             const std::array<Move, 2>& velocity) {
  const auto& [place_a, place_b] = place;
  const auto& [rate_a, rate_b] = velocity;
  const Vec3 turned_a = cross(place_a.angular, e.arm_a), turned_b = cross(place_b.angular, e.arm_b);
  const Vec3 apart = (place_b.linear + turned_b) - (place_a.linear + turned_a);
  const Vec3 faster =
      (rate_b.linear + cross(rate_b.angular, e.arm_b)) - (rate_a.linear + cross(rate_a.angular, e.arm_a));
  Vec3 force = e.by_place * apart + e.by_velocity * faster + e.by_spin * rate_b.angular;
  Vec3 torque =
      e.by_turn * (place_b.angular - place_a.angular) + e.by_turn_rate * (rate_b.angular - rate_a.angular);
  if (e.follows) force += cross(place_b.angular, e.force), torque += cross(place_b.angular, e.torque);
  return {Effort{-force, -(cross(e.arm_a, force) + cross(turned_a, e.force) + torque)},
          Effort{force, cross(e.arm_b, force) + cross(turned_b, e.force) + torque}};
}

}  // namespace stiction::forces

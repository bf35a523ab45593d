// Couplings of two joint coordinates.
//
//     g = c1 + ratio c2 - offset
//
// c: angles [rad] or distances [m], each between two bodies (rows.cpp). Angles are counted over whole turns
// (Row::last), as a ratio that is not a whole number needs. The gradient is the sum of those of c1 and c2,
// and so is the discrete gradient, which therefore does no work and keeps the angular momentum of the bodies
// that take part, the carrier of a planetary gear among them: its torque is minus the sum of those on the
// wheels.
// When it fails: a wheel that turns by half a revolution or more within a step is counted the wrong way
// round.
#include "stiction/constraints/coupling.h"

namespace stiction::constraints {
namespace {

/// Coordinate `which` of those that are left free by `kind`.
Row coordinate(Kind kind, int which, const Frame& a, const Frame& b) {
  Row rows[most_coordinates];
  make_coordinates(kind, a, b, rows);
  return rows[which];
}

}  // namespace

Coupling make_gear(const Frame& carrier_1, const Frame& wheel_1, const Frame& carrier_2, const Frame& wheel_2,
                   double ratio) {
  return {coordinate(Kind::hinge, 0, carrier_1, wheel_1), coordinate(Kind::hinge, 0, carrier_2, wheel_2),
          ratio, 0};
}

Coupling make_rack(const Frame& carrier_rack, const Frame& rack, const Frame& carrier_pinion,
                   const Frame& pinion, double radius) {
  return {coordinate(Kind::prismatic, 0, carrier_rack, rack),
          coordinate(Kind::hinge, 0, carrier_pinion, pinion), -radius, 0};
}

CouplingValue evaluate(const Coupling& c, const CoupledPoses& x) {
  const RowValue first = evaluate(c.first, x.a_1, x.b_1), second = evaluate(c.second, x.a_2, x.b_2);
  return {first.value + c.ratio * second.value - c.offset, {first.jacobian, c.ratio * second.jacobian}};
}

CoupledJacobian mean_jacobian(const Coupling& c, const CoupledPoses& s, const CoupledPoses& e) {
  return {mean_jacobian(c.first, s.a_1, s.b_1, e.a_1, e.b_1),
          c.ratio * mean_jacobian(c.second, s.a_2, s.b_2, e.a_2, e.b_2)};
}

CoupledJacobian end_jacobian(const Coupling& c, const CoupledPoses& s, const CoupledPoses& e) {
  return {end_jacobian(c.first, s.a_1, s.b_1, e.a_1, e.b_1),
          c.ratio * end_jacobian(c.second, s.a_2, s.b_2, e.a_2, e.b_2)};
}

void mean_force_derivative(const Coupling& c, double lambda, const CoupledPoses& s, const CoupledPoses& e,
                           double first[12][12], double second[12][12]) {
  mean_force_derivative(c.first, lambda, s.a_1, s.b_1, e.a_1, e.b_1, first);
  mean_force_derivative(c.second, c.ratio * lambda, s.a_2, s.b_2, e.a_2, e.b_2, second);
}

void track(Coupling& c, const CoupledPoses& x) {
  track(c.first, x.a_1, x.b_1), track(c.second, x.a_2, x.b_2);
}

void mesh_at(Coupling& c, const CoupledPoses& x) { c.offset += evaluate(c, x).value; }

}  // namespace stiction::constraints

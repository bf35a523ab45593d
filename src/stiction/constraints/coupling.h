// Gears and racks: one equation between the coordinates of two joints. See coupling.cpp.
#pragma once

#include "stiction/constraints/joint_rows.h"

namespace stiction::constraints {

/// first + ratio second - offset = 0. Each is a coordinate: a row of kind turn or along (make_coordinates, or
/// below), with two bodies of its own; both may have one in common, or the world.
struct Coupling {
  Row first{}, second{};
  double ratio = 1;   // [-] gear: radius of the second wheel over that of the first; [m/rad] rack: -radius
  double offset = 0;  // [rad] gear, [m] rack
};
/// Two wheels that turn about z of frames on their carriers, against each other where ratio > 0 (teeth
/// outside), the same way where ratio < 0 (a ring, a chain, a belt): angle_1 + ratio angle_2 = offset.
Coupling make_gear(const Frame& carrier_1, const Frame& wheel_1, const Frame& carrier_2, const Frame& wheel_2,
                   double ratio);
/// A rack that slides along z of a frame on its carrier by `radius` [m] times the angle of a pinion:
/// distance - radius angle = offset.
Coupling make_rack(const Frame& carrier_rack, const Frame& rack, const Frame& carrier_pinion,
                   const Frame& pinion, double radius);

/// Poses of the bodies of both coordinates.
struct CoupledPoses {
  Pose a_1{}, b_1{}, a_2{}, b_2{};
};
/// Gradients by the bodies of either coordinate; `second` has the ratio in it. Those of a body that both have
/// add up.
struct CoupledJacobian {
  Jacobian first{}, second{};
};
struct CouplingValue {
  double value = 0;
  CoupledJacobian jacobian{};
};
CouplingValue evaluate(const Coupling& c, const CoupledPoses& x);
CoupledJacobian mean_jacobian(const Coupling& c, const CoupledPoses& start, const CoupledPoses& end);
CoupledJacobian end_jacobian(const Coupling& c, const CoupledPoses& start, const CoupledPoses& end);
/// Two blocks of the derivative, for the bodies of either coordinate; there is no other.
void mean_force_derivative(const Coupling& c, double lambda, const CoupledPoses& start,
                           const CoupledPoses& end, double first[12][12], double second[12][12]);
void track(Coupling& c, const CoupledPoses& x);
/// Chooses the offset so that the coupling holds at x.
void mesh_at(Coupling& c, const CoupledPoses& x);

}  // namespace stiction::constraints

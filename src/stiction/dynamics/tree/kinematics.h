// Where the links are and how they move. See kinematics.cpp.
#pragma once

#include <span>
#include <vector>

#include "stiction/dynamics/tree/forest.h"

namespace stiction::tree {

/// Everything in world axes, at the origins of the links. Kept from call to call; resized only when the
/// forest is another one.
struct Kinematics {
  struct LinkPose {
    Mat3 turn{};      // engine axes of the link as columns
    Vec3 position{};  // [m] origin
    Vec3 arm{};       // [m] origin - origin of the parent
  };
  std::vector<LinkPose> pose{};           // per link
  std::vector<RigidInertia> inertia{};    // per link
  std::vector<Vec3> axis{};               // per velocity coordinate: what it turns about or goes along
  std::vector<double> pitch{};            // [m/rad] per velocity coordinate, screws only (else 0)
  std::vector<SpatialMotion> velocity{};  // per link
  std::vector<SpatialMotion> drift{};     // per link: acceleration if every dv/dt is 0
};

/// Poses, inertias and axes from q. Quaternions in q must have unit length.
void update_positions(const Forest& f, const Parameters& p, std::span<const double> q, Kinematics& k);
/// Velocities and drifts from v, after update_positions().
void update_velocities(const Forest& f, std::span<const double> v, Kinematics& k);
/// Accelerations of the links from dv/dt, after update_velocities().
void accelerations(const Forest& f, const Kinematics& k, std::span<const double> dv,
                   std::span<SpatialMotion> out);

/// Twists of the links at their origins for any velocity coordinates, after update_positions(): linear in
/// `v`.
void link_twists(const Forest& f, const Kinematics& k, std::span<const double> v,
                 std::span<SpatialMotion> out);

/// The link's frame of the description, in the world.
Mat3 link_turn(const Parameters& p, const Kinematics& k, int link);
Vec3 centre_of_mass(const Kinematics& k, int link);

/// [m/s] of the link's point that is now at `point` (world).
Vec3 point_velocity(const Kinematics& k, int link, const Vec3& point);
/// [m/s^2] of it, from the link's acceleration `a` (one of accelerations()).
Vec3 point_acceleration(const Kinematics& k, int link, const SpatialMotion& a, const Vec3& point);

/// The twist of the link per unit of one velocity coordinate of its joint, at the origin of the link.
inline SpatialMotion column(const Forest& f, const Kinematics& k, std::size_t dof) {
  switch (f.dof[dof]) {
    case DofKind::angular:
      return {k.axis[dof], {}};
    case DofKind::linear:
      return {{}, k.axis[dof]};
    default:
      return {k.axis[dof], k.pitch[dof] * k.axis[dof]};
  }
}

/// J of a contact frame: row r = velocity of the link's point at `point` along axes.row(r), as a 3 x n matrix
/// by rows, n = velocity coordinates of the link's tree. Time in proportion to n.
void contact_jacobian(const Forest& f, const Kinematics& k, int link, const Vec3& point, const Mat3& axes,
                      std::span<double> out);
/// Adds to `out` (n numbers, as above) the rates that a motion of the link gives linear.v + angular.w, v the
/// velocity of its point at `point`, w its spin.
void add_row(const Forest& f, const Kinematics& k, int link, const Vec3& point, const Vec3& linear,
             const Vec3& angular, std::span<double> out);

}  // namespace stiction::tree

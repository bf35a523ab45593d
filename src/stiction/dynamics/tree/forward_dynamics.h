// Forward dynamics of trees in O(n): from forces to motion, and M^-1 J^T. See forward_dynamics.cpp.
#pragma once

#include <span>
#include <vector>

#include "stiction/dynamics/tree/inverse_dynamics.h"

namespace stiction::tree {

/// M in articulated form: as good as its factors, in O(n) memory. Written by factorise(), read by many
/// solves with the same q.
struct Articulated {
  struct Pivot {
    SpatialForce reaction{};  // the wrench at the origin of the link per unit of this coordinate
    double inverse = 0;       // 1 / (inertia that this coordinate feels)
  };
  struct Block {  // of a spherical joint, or of a free joint on the world: see forward_dynamics.cpp
    SymMat3 turning{}, sliding{};  // X, Y
    Mat3 coupling{};               // H or G
    double armature = 0;
    bool whole = false;  // eliminated as a whole; else by its pivots
  };
  std::vector<Block> block{};                 // as Forest::block_of counts them
  std::vector<Pivot> pivot{};                 // per velocity coordinate
  std::vector<ArticulatedInertia> inertia{};  // scratch, per link
};
/// Scratch of one solve.
struct SweepScratch {
  std::vector<SpatialForce> wrench{};         // per link
  std::vector<SpatialMotion> acceleration{};  // per link
  std::vector<double> force{};                // per velocity coordinate
  std::vector<int> path{};                    // links from one to the root
};

/// Articulated inertias of M + diag(`added`); `added` may be empty (armature is always in). Returns -1, or
/// the first velocity coordinate that feels no inertia (not above 0); nothing is of use then.
int factorise(const Forest& f, const Parameters& p, const Kinematics& k, std::span<const double> added,
              Articulated& a);

/// out = M^-1 (tau - bias), `bias` a wrench per link as from bias_wrenches(); empty = none. `out` may be tau.
void solve(const Forest& f, const Kinematics& k, const Articulated& a, std::span<const double> tau,
           std::span<const SpatialForce> bias, SweepScratch& s, std::span<double> out);

/// The same for one tree alone, without bias: of tau and out only its range is read and written.
void solve_tree(const Forest& f, const Kinematics& k, const Articulated& a, int tree,
                std::span<const double> tau, SweepScratch& s, std::span<double> out);

/// Everything that forward dynamics needs between calls.
struct ForwardDynamics {
  Kinematics kinematics{};
  Articulated articulated{};
  SweepScratch scratch{};
};
/// dv/dt from q, v, tau (forces of the velocity coordinates; springs and dampers of joints are not added
/// here, see add_joint_forces) and `external` wrenches on links (about their origins, world axes; may be
/// empty). Returns as factorise().
int forward_dynamics(const Forest& f, const Parameters& p, std::span<const double> q,
                     std::span<const double> v, std::span<const double> tau,
                     std::span<const SpatialForce> external, ForwardDynamics& d, std::span<double> dv);

/// The response to unit impulses at a contact: column c of L = M^-1 J^T is what a unit impulse along
/// axes.row(c) at `point` of `link` does to v. `out`: 3 x n by rows (row c = column c of L), n = velocity
/// coordinates of the link's tree; O(n). Returns the collision matrix J M^-1 J^T.
Mat3 impulse_response(const Forest& f, const Kinematics& k, const Articulated& a, int link, const Vec3& point,
                      const Mat3& axes, SweepScratch& s, std::span<double> out);
/// The collision matrix alone: O(depth of the link).
Mat3 collision_matrix(const Forest& f, const Kinematics& k, const Articulated& a, int link, const Vec3& point,
                      const Mat3& axes, SweepScratch& s);

}  // namespace stiction::tree

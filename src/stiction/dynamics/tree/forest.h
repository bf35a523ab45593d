// A forest: trees of links joined by coordinates. Description (what a user gives), structure (who hangs on
// whom by which joint; fixed), parameters (numbers; may change between steps). See forest.cpp.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "stiction/base/result.h"
#include "stiction/dynamics/tree/joint.h"
#include "stiction/math/spatial.h"

namespace stiction::tree {

/// One link and the joint it hangs on. Lists per velocity coordinate are empty (all zero) or have one entry
/// for each, in the order of v; the three of a rotation in space have to be equal.
struct Link {
  std::string name{};
  int parent = -1;  // which link in the description; -1 = the world
  JointKind joint = JointKind::fixed;
  // The joint frame in the frame of the parent. Where q is neutral, the frame of the link coincides with it.
  Vec3 position{};     // [m]
  Quat orientation{};  // unit length
  Vec3 axis{0, 0, 1};  // of the joint, in the frame of the link; normal of a planar joint; any length but 0
  Vec3 second_axis{};  // universal: at right angles to `axis`; planar: direction of x; 0 = chosen by
                       // tangents()
  double pitch = 0;    // [m/rad] screw

  double mass = 1;                  // [kg] > 0
  Vec3 centre{};                    // [m] of mass, in the frame of the link
  Mat3 inertia = Mat3::identity();  // [kg m^2] about the centre of mass, in the axes of the link
  std::vector<double> stiffness{};  // [N/m, N m/rad] >= 0, against `rest`
  std::vector<double> rest{};       // as q; empty = neutral
  std::vector<double> damping{};    // [N s/m, N m s/rad] >= 0
  std::vector<double> armature{};   // [kg, kg m^2] >= 0: inertia of a rotor, added to the diagonal of M
};
struct Description {
  Vec3 gravity{};  // [m/s^2]
  std::vector<Link> links{};
};

/// One tree: a block of M, and contiguous ranges of everything.
struct TreeRange {
  int link_begin = 0, link_end = 0, q_begin = 0, q_end = 0, v_begin = 0, v_end = 0;
};

/// Structure. Trees are contiguous; in a tree links are ordered level by level from the root, children in the
/// order of the description, so that parents come before children.
struct Forest {
  std::vector<std::string> name{};
  std::vector<int> parent{};              // per link; -1 = the world
  std::vector<JointKind> joint{};         // per link
  std::vector<int> q_begin{}, v_begin{};  // per link, and one past the end
  std::vector<int> tree_of{};             // per link
  std::vector<TreeRange> trees{};
  // per velocity coordinate
  std::vector<int> dof_parent{};  // the next one towards the root, -1 at the root
  std::vector<int> dof_link{};
  std::vector<DofKind> dof{};
  std::vector<std::size_t> row_begin{};  // rows of M: see mass_matrix.h; one past the end
  std::vector<int> block_of{};           // per link: which spherical or free joint it is, or -1
  int block_count = 0;
  std::vector<int> given{}, index{};  // this order -> the description's, and back

  int link_count() const { return int(parent.size()); }
  int q_count() const { return q_begin.empty() ? 0 : q_begin.back(); }
  int v_count() const { return v_begin.empty() ? 0 : v_begin.back(); }
  int find(const std::string& link_name) const;  // index or -1
};

/// The joint frame as the engine uses it: turned so that the joint's axis is z (universal: x, then y).
struct JointPlacement {
  Mat3 turn{};      // its axes in those of the parent's engine frame
  Vec3 position{};  // [m] in the axes of the parent's engine frame
};
struct Parameters {
  Vec3 gravity{};
  std::vector<JointPlacement> placement{};  // per link
  std::vector<RigidInertia> inertia{};      // per link: at its origin, in its engine axes
  std::vector<Mat3> to_engine{};            // per link: engine axes as columns, in the axes of the link
  std::vector<double> pitch{};              // per link
  std::vector<double> stiffness{}, damping{}, armature{};  // per velocity coordinate
  std::vector<double> rest{};                              // per coordinate
  bool has_springs = false;
};
struct Compiled {
  Forest forest{};
  Parameters parameters{};
};

/// All mistakes, each with its path ("links.forearm.mass").
std::vector<Mistake> validate(const Description& description);
Result<Compiled> compile(const Description& description);
/// New numbers for a structure that stays: same links, parents and joints in the same order.
Result<Parameters> parameters_of(const Forest& forest, const Description& description);

// All joints at once; spans are as long as q or v of the forest.
void set_neutral(const Forest& f, std::span<double> q);
void integrate(const Forest& f, std::span<const double> q, std::span<const double> v, double h,
               std::span<double> out);
void difference(const Forest& f, std::span<const double> from, std::span<const double> to,
                std::span<double> v);
void coordinate_rate(const Forest& f, std::span<const double> q, std::span<const double> v,
                     std::span<double> rate);
void normalise(const Forest& f, std::span<double> q);
/// q as set_random() has it, each v in [-1, 1).
void set_random(const Forest& f, std::uint64_t seed, std::span<double> q, std::span<double> v);

}  // namespace stiction::tree

// What unit impulses at a contact do to a tree: L = M^-1 J^T, column by column, and J M^-1 J^T.
//
//   in     p = -(unit impulse) at the link of the contact; only links between it and the root have u
//          other than 0 (forward_dynamics.cpp has the sweeps)
//   out    all links of the tree for L; the way from the root to the link for the collision matrix
//
// v jumps by L times the impulse [N s] in the frame of the contact; the contact's velocity by J L times it.
//
// Reference: D. Morgan, Algebraic solution to the planar rigid body impact problem, 2011, chapters 2 and 3
// (M^-1 J^T as the collision matrix); Featherstone 2008, chapter 7, for the sweeps.
#include "stiction/base/assert.h"
#include "stiction/dynamics/tree/detail/sweeps.h"
#include "stiction/dynamics/tree/forward_dynamics.h"

namespace stiction::tree {
namespace {

using namespace detail;

// The links from one to the root, and for a unit impulse along `direction` the forces of their joints.
void impulse_in(const Forest& f, const Kinematics& k, const Articulated& a, int link, const Vec3& point,
                const Vec3& direction, SweepScratch& s) {
  SpatialForce p{-cross(point - k.pose[std::size_t(link)].position, direction), -direction};
  s.path.clear();
  for (int i = link; i >= 0; i = f.parent[std::size_t(i)]) {
    s.path.push_back(i);
    sweep_in(f, k, a, std::size_t(i), nullptr, p, s.force.data());
    p = moved_back(p, k.pose[std::size_t(i)].arm);
  }
}

void set_column(int c, const Vec3& x, Mat3& m) { m(0, c) = x.x, m(1, c) = x.y, m(2, c) = x.z; }

}  // namespace

Mat3 impulse_response(const Forest& f, const Kinematics& k, const Articulated& a, int link, const Vec3& point,
                      const Mat3& axes, SweepScratch& s, std::span<double> out) {
  fit(f, s);
  const TreeRange& tree = f.trees[std::size_t(f.tree_of[std::size_t(link)])];
  const auto n = std::size_t(tree.v_end - tree.v_begin);
  STICTION_ASSERT(out.size() == 3 * n);
  Mat3 matrix;
  for (int c = 0; c < 3; ++c) {
    impulse_in(f, k, a, link, point, axes.row(c), s);
    std::size_t left = s.path.size();  // links of the path not yet met
    double* row = out.data() + std::size_t(c) * n;
    for (int i = tree.link_begin; i < tree.link_end; ++i) {
      const auto at = std::size_t(i);
      const bool on_path = left > 0 && s.path[left - 1] == i;
      if (on_path) --left;
      const int parent = f.parent[at];
      SpatialMotion motion =
          parent < 0 ? SpatialMotion{} : moved(s.acceleration[std::size_t(parent)], k.pose[at].arm);
      sweep_out(f, k, a, at, on_path ? s.force.data() : nullptr, motion, row);
      row += f.v_begin[at + 1] - f.v_begin[at];
      s.acceleration[at] = motion;
    }
    const auto at = std::size_t(link);
    set_column(c, axes * moved(s.acceleration[at], point - k.pose[at].position).linear, matrix);
  }
  return matrix;
}

Mat3 collision_matrix(const Forest& f, const Kinematics& k, const Articulated& a, int link, const Vec3& point,
                      const Mat3& axes, SweepScratch& s) {
  fit(f, s);
  Mat3 matrix;
  for (int c = 0; c < 3; ++c) {
    impulse_in(f, k, a, link, point, axes.row(c), s);
    SpatialMotion motion;
    for (std::size_t left = s.path.size(); left-- > 0;) {
      const auto at = std::size_t(s.path[left]);
      motion = moved(motion, k.pose[at].arm);
      sweep_out(f, k, a, at, s.force.data(), motion, nullptr);
    }
    set_column(c, axes * moved(motion, point - k.pose[std::size_t(link)].position).linear, matrix);
  }
  return matrix;
}

}  // namespace stiction::tree

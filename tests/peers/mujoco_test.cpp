// Accelerations of trees beside MuJoCo's (Debian's 2.2.2), from the same model written as MJCF.
#include "support/mujoco.h"

#include <gtest/gtest.h>

#include "support/tree_state.h"
#include "support/trees.h"

namespace stiction::test {
namespace {

constexpr double bar = 1e-9;  // [-] of the largest acceleration

// MuJoCo wants every moment of inertia above 1e-15; a rod has none about its own axis.
tree::Description thick(tree::Description d) {
  for (tree::Link& l : d.links)
    for (int i = 0; i < 3; ++i) l.inertia(i, i) += 1e-3;
  return d;
}

// All kinds of joints but the screw; free joints on the world only. Inertias diagonal in the axes of the
// link: MuJoCo would diagonalise others, to about 1e-8 of their size, which is what differed then.
tree::Description random_for_mujoco(std::uint64_t seed) {
  tree::Description d = random_tree(seed, 20);
  Random random(seed);
  for (std::size_t i = 0; i < d.links.size(); ++i) {
    d.links[i].inertia = box_inertia(d.links[i].mass, Vec3{0.5, 0.5, 0.5} + random.vector(0.3));
    if (d.links[i].joint == tree::JointKind::screw) d.links[i].joint = tree::JointKind::revolute;
    if (d.links[i].joint == tree::JointKind::free && d.links[i].parent >= 0)
      d.links[i].joint = tree::JointKind::spherical;
  }
  return d;
}

double compare(const tree::Description& description, int states) {
  TreeState s(description);
  MujocoTree peer(description);
  if (!peer.loaded()) {
    ADD_FAILURE() << peer.error();
    return INFINITY;
  }
  EXPECT_EQ(peer.model()->nv, s.f().v_count());
  EXPECT_EQ(peer.model()->nq, s.f().q_count());
  double worst = 0;
  for (int i = 0; i < states; ++i) {
    s.randomise(std::uint64_t(i));
    EXPECT_EQ(s.forward(), -1);
    peer.set(s.c, s.k(), s.q, s.v, s.tau);
    const std::vector<double> ours = mujoco_velocities(s.c, s.k(), s.dv);
    for (const bool whole : {true, false}) {
      std::fill(peer.data()->qacc, peer.data()->qacc + s.v.size(), 0.0);
      if (whole)
        mj_forward(peer.model(), peer.data());
      else
        peer.smooth_dynamics();
      const std::vector<double> theirs(peer.data()->qacc, peer.data()->qacc + s.v.size());
      worst = std::max(worst, relative_error(ours, theirs));
    }
  }
  return worst;
}

TEST(Mujoco, HumanoidAccelerations) {
  const double worst = compare(humanoid(), 100);
  EXPECT_LT(worst, bar);
  RecordProperty("worst relative difference", std::to_string(worst * 1e12) + "e-12");
}

TEST(Mujoco, RandomTrees) {
  for (const std::uint64_t seed : {1, 2, 3, 4}) EXPECT_LT(compare(random_for_mujoco(seed), 100), bar) << seed;
}

TEST(Mujoco, SmallTrees) {
  EXPECT_LT(compare(thick(pendulum()), 100), bar);
  EXPECT_LT(compare(thick(double_pendulum()), 100), bar);
  EXPECT_LT(compare(top(), 100), bar);
}

// The mass matrix, entry by entry where coordinates mean the same (no quaternions).
TEST(Mujoco, MassMatrix) {
  tree::Description d = random_for_mujoco(5);
  for (tree::Link& l : d.links)
    if (l.joint == tree::JointKind::free || l.joint == tree::JointKind::spherical)
      l.joint = tree::JointKind::planar;
  TreeState s(d);
  MujocoTree peer(d);
  ASSERT_TRUE(peer.loaded()) << peer.error();
  const int n = s.f().v_count();
  std::vector<double> dense(std::size_t(n) * std::size_t(n));
  std::vector<int> ours;  // our coordinates in MuJoCo's order
  for (const int link : mujoco_order(s.f()))
    for (int k = s.f().v_begin[std::size_t(link)]; k < s.f().v_begin[std::size_t(link) + 1]; ++k)
      ours.push_back(k);
  for (int i = 0; i < 20; ++i) {
    s.randomise(std::uint64_t(i));
    s.move();
    tree::mass_matrix(s.f(), s.p(), s.k(), s.m);
    peer.set(s.c, s.k(), s.q, s.v, s.tau);
    peer.smooth_dynamics();
    mj_fullM(peer.model(), dense.data(), peer.data()->qM);
    for (int r = 0; r < n; ++r) {
      for (int c = 0; c < n; ++c) {
        const double scale = std::sqrt(dense[std::size_t(r * n + r)] * dense[std::size_t(c * n + c)]);
        const double entry = tree::entry(s.f(), s.m.rows, ours[std::size_t(r)], ours[std::size_t(c)]);
        EXPECT_NEAR(entry, dense[std::size_t(r * n + c)], 1e-12 * scale);
      }
    }
  }
}

}  // namespace
}  // namespace stiction::test

// No allocation after warm-up: every algorithm is called once, then again while operator new is counted.
#include <gtest/gtest.h>

#include "allocation_count.h"
#include "support/tree_state.h"
#include "support/trees.h"

namespace stiction::test {
namespace {

TEST(TreeAllocation, NoneAfterWarmUp) {
  tree::Description d = random_tree(51, 40, 0.1);
  for (tree::Link& l : d.links) l.stiffness.assign(std::size_t(tree::dof_count(l.joint)), 1.0);
  TreeState s(d);
  const std::size_t n = s.v.size();
  const int link = s.f().link_count() - 1;
  const tree::TreeRange& t = s.f().trees[std::size_t(s.f().tree_of[std::size_t(link)])];
  std::vector<double> out(n), response(3 * std::size_t(t.v_end - t.v_begin));
  std::vector<SpatialForce> external(s.f().parent.size());
  double sum = 0;
  const auto all = [&](std::uint64_t seed) {
    s.randomise(seed);
    tree::add_joint_forces(s.f(), s.p(), s.q, s.v, s.tau);
    s.forward(external);
    tree::inverse_dynamics(s.f(), s.p(), s.k(), s.dv, external, s.inverse, out);
    tree::mass_matrix(s.f(), s.p(), s.k(), s.m);
    tree::multiply(s.f(), s.m.rows, s.v, out);
    tree::factorise(s.f(), s.m.rows);
    tree::solve(s.f(), s.m.rows, out);
    tree::contact_jacobian(s.f(), s.k(), link, {1, 2, 3}, Mat3::identity(), response);
    tree::impulse_response(s.f(), s.k(), s.d.articulated, link, {1, 2, 3}, Mat3::identity(), s.d.scratch,
                           response);
    tree::add_link_wrench(s.f(), s.k(), link, {{1, 2, 3}, {4, 5, 6}}, out);
    sum += s.energy() + tree::momentum(s.k(), 0, link).mass;
    tree::integrate(s.f(), s.q, s.v, 0.01, s.q);
    tree::difference(s.f(), s.q, s.p().rest, out);
  };
  all(1);
  const long before = allocation_count();
  for (std::uint64_t seed = 2; seed < 10; ++seed) all(seed);
  const long made = allocation_count() - before;
  EXPECT_EQ(made, 0);
  EXPECT_TRUE(std::isfinite(sum));
  EXPECT_GT(allocation_count(), 0);  // they are counted at all
}

}  // namespace
}  // namespace stiction::test

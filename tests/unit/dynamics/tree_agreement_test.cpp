// Three algorithms that share kinematics only, on the same states: forward dynamics by articulated bodies,
// mass matrix and its factors, inverse dynamics. And M^-1 J^T in its O(n) form against the factors.
#include <gtest/gtest.h>

#include <string>

#include "support/tree_state.h"
#include "support/trees.h"

namespace stiction::test {
namespace {

// The bar. Round-off: some 1e3 operations at eps / 2, times the condition of M (largest of the random tree:
// about 1e4), independent: 1e-13; measured values are recorded.
constexpr double bar = 1e-12;
constexpr int states = 1000;

tree::Description with_armature(tree::Description d) {
  Random random(9);
  for (tree::Link& l : d.links) {
    const auto n = std::size_t(tree::dof_count(l.joint));
    l.armature.assign(n, random.between(0.01, 0.5));
    if (l.joint == tree::JointKind::free) l.armature.assign({0.3, 0.3, 0.3, 0.1, 0.1, 0.1});
    if (l.joint == tree::JointKind::planar) l.armature = {0.2, 0.1, 0.05};
  }
  return d;
}

struct Case {
  const char* name;
  tree::Description description;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

class Agreement : public testing::TestWithParam<Case> {
 protected:
  TreeState s{GetParam().description};
  std::vector<SpatialForce> external{};

  void next(int seed) {
    s.randomise(std::uint64_t(seed));
    Random random(std::uint64_t(seed) + 1);
    external.resize(std::size_t(s.f().link_count()));
    for (SpatialForce& w : external) w = {random.vector(3), random.vector(5)};
  }
};

TEST_P(Agreement, ForwardInverseAndFactors) {
  double factors = 0, inverse = 0, product = 0;
  for (int i = 0; i < states; ++i) {
    next(i);
    ASSERT_EQ(s.forward(external), -1);
    // Inverse dynamics gives the forces back; relative to the largest force or bias.
    const std::vector<double> zero(s.v.size(), 0.0), bias = s.inverse_of(zero, external),
                                                     back = s.inverse_of(s.dv, external);
    double size = 0, error = 0;
    std::vector<double> right(s.v.size()), left(s.v.size());
    for (std::size_t d = 0; d < s.v.size(); ++d) {
      size = std::max({size, std::fabs(s.tau[d]), std::fabs(bias[d])});
      error = std::max(error, std::fabs(back[d] - s.tau[d]));
      right[d] = s.tau[d] - bias[d];
    }
    inverse = std::max(inverse, error / size);
    // M dv = tau - bias, M by composite bodies: product and solution.
    tree::mass_matrix(s.f(), s.p(), s.k(), s.m);
    tree::multiply(s.f(), s.m.rows, s.dv, left);
    product = std::max(product, relative_error(left, right));
    tree::multiply_mass(s.f(), s.p(), s.k(), s.dv, s.inverse, left);  // without writing M down
    product = std::max(product, relative_error(left, right));
    ASSERT_TRUE(tree::factorise(s.f(), s.m.rows));
    std::vector<double> x = right;
    tree::solve(s.f(), s.m.rows, x);
    factors = std::max(factors, relative_error(s.dv, x));
  }
  EXPECT_LT(factors, bar);
  EXPECT_LT(inverse, bar);
  EXPECT_LT(product, bar);
  RecordProperty("dv against factors", std::to_string(factors * 1e15) + "e-15");
  RecordProperty("inverse dynamics", std::to_string(inverse * 1e15) + "e-15");
  RecordProperty("M dv", std::to_string(product * 1e15) + "e-15");
}

// All stages at once, chunk by chunk, and one after the other: the same bits.
TEST_P(Agreement, StagesOneAfterTheOther) {
  for (int i = 0; i < 20; ++i) {
    next(i);
    ASSERT_EQ(s.forward(external), -1);
    const std::vector<double> at_once = s.dv;
    s.move();
    std::vector<SpatialForce> bias(external.size());
    tree::bias_wrenches(s.f(), s.p(), s.k(), external, bias);
    ASSERT_EQ(tree::factorise(s.f(), s.p(), s.k(), {}, s.d.articulated), -1);
    tree::solve(s.f(), s.k(), s.d.articulated, s.tau, bias, s.d.scratch, s.dv);
    EXPECT_EQ(s.dv, at_once);
  }
}

// Columns of M are inverse dynamics of unit accelerations without velocity and gravity: every entry.
TEST_P(Agreement, MassMatrixEntryByEntry) {
  tree::Parameters still = s.p();
  still.gravity = {};
  for (int i = 0; i < 20; ++i) {
    next(i);
    std::fill(s.v.begin(), s.v.end(), 0);
    s.move();
    tree::mass_matrix(s.f(), s.p(), s.k(), s.m);
    const int n = int(s.v.size());
    std::vector<double> unit(s.v.size()), column(s.v.size());
    for (int j = 0; j < n; ++j) {
      std::fill(unit.begin(), unit.end(), 0);
      unit[std::size_t(j)] = 1;
      tree::inverse_dynamics(s.f(), still, s.k(), unit, {}, s.inverse, column);
      for (int r = 0; r < n; ++r) {
        const double scale =
            std::sqrt(tree::entry(s.f(), s.m.rows, r, r) * tree::entry(s.f(), s.m.rows, j, j));
        EXPECT_NEAR(tree::entry(s.f(), s.m.rows, r, j), column[std::size_t(r)], 1e-13 * scale) << r << j;
      }
    }
  }
}

// The collision matrix of every link, from articulated bodies and from the factors of M.
TEST_P(Agreement, ImpulseResponse) {
  double response = 0, matrix = 0, symmetry = 0;
  for (int i = 0; i < 100; ++i) {
    next(i);
    s.forward();
    tree::mass_matrix(s.f(), s.p(), s.k(), s.m);
    ASSERT_TRUE(tree::factorise(s.f(), s.m.rows));
    Random random(std::uint64_t(i) + 31);
    for (int link = 0; link < s.f().link_count(); ++link) {
      const Vec3 point = s.k().pose[std::size_t(link)].position + random.vector(0.3);
      const Mat3 axes = rotation_matrix(random.rotation());
      const tree::TreeRange& t = s.f().trees[std::size_t(s.f().tree_of[std::size_t(link)])];
      const auto n = std::size_t(t.v_end - t.v_begin);
      std::vector<double> L(3 * n), J(3 * n), truth(3 * n), w(9), w_truth(9), w_short(9);
      const Mat3 W = impulse_response(s.f(), s.k(), s.d.articulated, link, point, axes, s.d.scratch, L);
      const Mat3 short_way = collision_matrix(s.f(), s.k(), s.d.articulated, link, point, axes, s.d.scratch);
      EXPECT_EQ(W, short_way);
      tree::contact_jacobian(s.f(), s.k(), link, point, axes, J);
      for (std::size_t c = 0; c < 3; ++c) {
        std::vector<double> x(s.v.size(), 0.0);
        std::copy_n(J.begin() + std::ptrdiff_t(c * n), n, x.begin() + t.v_begin);
        tree::solve(s.f(), s.m.rows, x);
        std::copy_n(x.begin() + t.v_begin, n, truth.begin() + std::ptrdiff_t(c * n));
        for (std::size_t r = 0; r < 3; ++r) {
          w[3 * r + c] = W(int(r), int(c));
          for (std::size_t d = 0; d < n; ++d) w_truth[3 * r + c] += J[r * n + d] * truth[c * n + d];
        }
      }
      response = std::max(response, relative_error(L, truth));
      matrix = std::max(matrix, relative_error(w, w_truth));
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < r; ++c)
          symmetry = std::max(symmetry,
                              std::fabs(W(r, c) - W(c, r)) / std::max(1e-300, W(0, 0) + W(1, 1) + W(2, 2)));
    }
  }
  EXPECT_LT(response, bar);
  EXPECT_LT(matrix, bar);
  EXPECT_LT(symmetry, bar);
}

// Numbers added to the diagonal (implicit dampers), equal for a rotation in space or not.
TEST_P(Agreement, AddedDiagonal) {
  for (const bool equal : {true, false}) {
    next(5);
    s.move();
    std::vector<double> added(s.v.size());
    Random random(8);
    const double same = random.between(0.1, 1);
    for (double& x : added) x = equal ? same : random.between(0.1, 1);
    ASSERT_EQ(tree::factorise(s.f(), s.p(), s.k(), added, s.d.articulated), -1);
    tree::solve(s.f(), s.k(), s.d.articulated, s.tau, {}, s.d.scratch, s.dv);
    tree::mass_matrix(s.f(), s.p(), s.k(), s.m);
    for (std::size_t d = 0; d < added.size(); ++d) s.m.rows[s.f().row_begin[d]] += added[d];
    ASSERT_TRUE(tree::factorise(s.f(), s.m.rows));
    std::vector<double> x = s.tau;
    tree::solve(s.f(), s.m.rows, x);
    EXPECT_LT(relative_error(s.dv, x), bar) << equal;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Trees, Agreement,
    testing::Values(Case{"pendulum", pendulum()}, Case{"double_pendulum", double_pendulum()},
                    Case{"top", top()}, Case{"random_20", random_tree(11, 20)},
                    Case{"random_20_other", random_tree(12, 20)}, Case{"forest_40", random_tree(13, 40, 0.2)},
                    Case{"armature_20", with_armature(random_tree(14, 20))}, Case{"humanoid", humanoid()},
                    Case{"armature_humanoid", with_armature(humanoid())},
                    Case{"forest_150", random_tree(15, 150, 0.3)}),
    [](const auto& each) { return std::string(each.param.name); });

}  // namespace
}  // namespace stiction::test

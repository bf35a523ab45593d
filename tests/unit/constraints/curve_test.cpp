// Curves: interpolation, smoothness, accuracy, nearest points, mistakes; a bead on a wire.
#include "stiction/constraints/curve.h"

#include <gtest/gtest.h>

#include <array>

#include "unit/constraints/fixture.h"

namespace stiction::constraints {
namespace {

constexpr double pi = 3.14159265358979323846;

std::vector<Vec3> helix(int n) {
  std::vector<Vec3> points;
  for (int i = 0; i < n; ++i) {
    const double t = 4.0 * i / (n - 1);
    points.push_back({std::cos(t), std::sin(t), 0.3 * t});
  }
  return points;
}
std::vector<Vec3> circle(int n) {
  std::vector<Vec3> points;
  for (int i = 0; i < n; ++i) points.push_back({std::cos(2 * pi * i / n), std::sin(2 * pi * i / n), 0});
  return points;
}

TEST(Curve, PassesThroughItsPointsTwiceDifferentiable) {
  for (const CurveEnds ends : {CurveEnds::natural, CurveEnds::not_a_knot, CurveEnds::closed}) {
    const std::vector<Vec3> points = helix(9);
    const Curve c = make_spline(points, ends).or_exit();
    for (std::size_t i = 0; i < points.size(); ++i) {
      EXPECT_LT(norm(at(c, c.knot[i]).position - points[i]), 1e-15);
      const bool end = i == 0 || i + 1 == points.size();
      if (end && ends != CurveEnds::closed) continue;
      constexpr double h = 1e-9;
      const CurvePoint before = at(c, c.knot[i] - h), after = at(c, c.knot[i] + h);
      EXPECT_LT(norm(after.first - before.first), 1e-7) << int(ends) << " " << i;
      EXPECT_LT(norm(after.second - before.second), 1e-6) << int(ends) << " " << i;
    }
    // Derivatives by differences, beyond the ends too.
    for (double s = -0.5; s < c.length() + 0.5; s += 0.0371) {
      constexpr double h = 1e-5;
      const CurvePoint p = at(c, s), up = at(c, s + h), down = at(c, s - h);
      EXPECT_LT(norm((up.position - down.position) / (2 * h) - p.first), 1e-8);
      EXPECT_LT(norm((up.first - down.first) / (2 * h) - p.second), ends == CurveEnds::not_a_knot ? 2 : 1e-4);
    }
  }
  const Curve natural = make_spline(helix(9)).or_exit();
  EXPECT_EQ(norm(at(natural, 0).second), 0);
  EXPECT_LT(norm(at(natural, natural.length()).second), 1e-15);
}

// Cubic splines are of fourth order: half the spacing, a sixteenth of the error. A natural end of a curve
// that bends there spoils that.
TEST(Curve, Order) {
  const auto worst = [](const Curve& c, const auto& distance) {
    double out = 0;
    for (int i = 0; i <= 2000; ++i) out = std::fmax(out, distance(at(c, c.length() * i / 2000).position));
    return out;
  };
  const auto from_circle = [](const Vec3& p) { return std::fabs(norm(p) - 1); };
  const auto from_cylinder = [](const Vec3& p) { return std::fabs(std::hypot(p.x, p.y) - 1); };
  const auto of = [](const std::vector<Vec3>& p, CurveEnds ends) { return make_spline(p, ends).or_exit(); };
  const double closed = worst(of(circle(16), CurveEnds::closed), from_circle) /
                        worst(of(circle(32), CurveEnds::closed), from_circle);
  EXPECT_NEAR(closed, 16, 2);
  const double open = worst(of(helix(17), CurveEnds::not_a_knot), from_cylinder) /
                      worst(of(helix(33), CurveEnds::not_a_knot), from_cylinder);
  EXPECT_NEAR(open, 16, 4);
  const double natural = worst(of(helix(17), CurveEnds::natural), from_cylinder) /
                         worst(of(helix(33), CurveEnds::natural), from_cylinder);
  EXPECT_NEAR(natural, 4, 1);
  const Curve c = of(circle(64), CurveEnds::closed);
  EXPECT_NEAR(norm(curvature(at(c, 1.3))), 1, 1e-3);
  EXPECT_LT(dot(curvature(at(c, 1.3)), at(c, 1.3).position), -0.99);
}

TEST(Curve, NearestPointIsFollowed) {
  test::Random random{7};
  double s = 0;
  for (int i = 0; i < 400; ++i) {  // three rounds and more
    const double there = 0.05 * i;
    const Vec3 y = at(wire(), there).position + random.vector(0.02);
    s = nearest(wire(), y, s);
    const CurvePoint p = at(wire(), s);
    EXPECT_NEAR(s, there, 0.05);
    EXPECT_LT(std::fabs(dot(y - p.position, p.first)), 5e-15);  // s itself, up to 20 m, rounds at 2e-15
    const double whole = nearest(wire(), y);
    EXPECT_GE(whole, 0);
    EXPECT_LT(whole, wire().length());
    EXPECT_LT(norm(at(wire(), whole).position - p.position), 1e-14);
  }
  EXPECT_GT(s, 3 * wire().length());
}

TEST(Curve, BeyondItsEndsItGoesOnStraight) {
  for (const Curve& c : {make_spline({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}}).or_exit(),
                         make_polyline({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}}, false).or_exit()}) {
    const CurvePoint end = at(c, c.length());
    const Vec3 beyond = end.position + 0.7 * tangent(end);
    const double s = nearest(c, beyond, 1.5);
    EXPECT_LT(norm(at(c, s).position - beyond), 1e-15);
    EXPECT_GT(s, c.length());
    EXPECT_LT(nearest(c, at(c, 0).position - tangent(at(c, 0)), 0.5), 0);
  }
}

// Across the corner of a polyline, outside of it and inside, the distance from the line does not jump.
TEST(Curve, DistanceFromAPolylineIsContinuous) {
  const Curve c = make_polyline({{0, 0, 0}, {1, 0, 0}, {1.6, 0.8, 0.1}, {2.5, 0.8, 0.4}}, false).or_exit();
  Row rows[most_rows];
  make_rows(Kind::point_on_curve, {}, {}, {.curve = &c}, rows);
  for (const double side : {-0.1, 0.1}) {
    for (int normal = 0; normal < 2; ++normal) {
      Row& row = rows[normal];
      row.last = 0.5;
      double last = 0;
      for (int i = 0; i <= 2000; ++i) {
        const Vec3 y{0.7 + 0.0003 * i, side + 0.0001 * i, 0.02};
        const double g = evaluate(row, {}, {y, {}}).value;
        if (i > 0) {
          EXPECT_NEAR(g, last, 0.0004);
        }
        last = g;
      }
    }
  }
  EXPECT_EQ(nearest(c, {0.3, 0.1, 0}, 2.5), 0.3);
  EXPECT_NEAR(nearest(c, {2.05, 0.8, 0.25}, 0.1),
              at(c, 2.5).position.x > 2 ? nearest(c, {2.05, 0.8, 0.25}) : 0, 1e-15);
}

TEST(Curve, MistakesAreNamed) {
  const auto text = [](const Result<Curve>& r) {
    std::string out;
    for (const Mistake& m : r.mistakes()) out += m.text() + "\n";
    return out;
  };
  EXPECT_NE(text(make_spline({{0, 0, 0}})).find("found 1 points, must be at least 2"), std::string::npos);
  EXPECT_NE(text(make_spline(helix(3), CurveEnds::not_a_knot)).find("at least 4"), std::string::npos);
  EXPECT_NE(text(make_polyline({{0, 0, 0}, {1, 0, 0}}, true)).find("at least 3"), std::string::npos);
  const std::string two = text(make_spline({{0, 0, 0}, {0, 0, 0}, {1, NAN, 0}}));
  EXPECT_NE(two.find("points 0 and 1 are at one place"), std::string::npos);
  EXPECT_NE(two.find("point 2 is not finite"), std::string::npos);
  EXPECT_NE(text(make_polyline({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 0, 0}}, true)).find("points 3 and 0"),
            std::string::npos);
}

/// A bead on the wire under gravity, by the midpoint rule with discrete gradients:
///     m (v1 - v0) = h m g + G^T lambda,   x1 - x0 = h (v0 + v1)/2,   both rows 0 at x1
/// by Newton with mean_force_derivative: its energy changes by lambda.(g(1) - g(0))/h, round-off.
struct Bead {
  static constexpr double mass = 0.3, h = 0.01;
  Vec3 gravity{0, -3, -9};
  Vec3 x{}, v{};
  Row rows[most_rows]{};
  int iterations = 0;

  Bead() {
    make_rows(Kind::point_on_curve, {}, {}, {.curve = &wire()}, rows);
    x = at(wire(), 0).position, v = 3 * tangent(at(wire(), 0));
  }
  double energy() const { return 0.5 * mass * norm2(v) - mass * dot(gravity, x); }

  static void solve(
      std::array<std::array<double, 6>, 5>& m) {  // the last column: right-hand side, then solution
    for (std::size_t k = 0; k < 5; ++k) {
      std::size_t best = k;
      for (std::size_t i = k; i < 5; ++i)
        if (std::fabs(m[i][k]) > std::fabs(m[best][k])) best = i;
      std::swap(m[k], m[best]);
      for (std::size_t i = 0; i < 5; ++i) {
        if (i == k) continue;
        const double f = m[i][k] / m[k][k];
        for (std::size_t j = k; j < 6; ++j) m[i][j] -= f * m[k][j];
      }
    }
    for (std::size_t k = 0; k < 5; ++k) m[k][5] /= m[k][k];
  }

  void step() {
    const Pose start{x, {}};
    Pose end{x + h * v, {}};
    double lambda[2] = {0, 0};
    for (int i = 0; i < 20; ++i, ++iterations) {
      const Vec3 v1 = (2 / h) * (end.position - x) - v;
      Jacobian mean[2];
      RowValue at_end[2];
      mean_jacobian({rows, 2}, {}, start, {}, end, mean);
      end_jacobian({rows, 2}, {}, start, {}, end, at_end);
      double K[12][12] = {};
      mean_force_derivative({rows, 2}, lambda, {}, start, {}, end, K);
      const Vec3 residual =
          mass * (v1 - v) - h * mass * gravity - lambda[0] * mean[0].b.linear - lambda[1] * mean[1].b.linear;
      std::array<std::array<double, 6>, 5> m{};
      for (int r = 0; r < 3; ++r) {
        auto& row = m[std::size_t(r)];
        for (int c = 0; c < 3; ++c) row[std::size_t(c)] = (r == c ? 2 * mass / h : 0) - K[6 + r][6 + c];
        for (int k = 0; k < 2; ++k) {
          row[std::size_t(3 + k)] = -mean[k].b.linear[r];
          m[std::size_t(3 + k)][std::size_t(r)] = at_end[k].jacobian.b.linear[r];
        }
        row[5] = -residual[r];
      }
      for (std::size_t k = 0; k < 2; ++k) m[3 + k][5] = -at_end[k].value;
      solve(m);
      const Vec3 move{m[0][5], m[1][5], m[2][5]};
      end.position += move, lambda[0] += m[3][5], lambda[1] += m[4][5];
      if (norm(move) < 1e-15) break;
    }
    v = (2 / h) * (end.position - x) - v;
    x = end.position;
    for (Row& row : std::span(rows, 2)) track(row, {}, {x, {}});
  }
};

TEST(Bead, LosesNoEnergyAtKnots) {
  Bead bead;
  const double start = bead.energy();
  double worst = 0, off = 0;
  for (int i = 0; i < 3000; ++i) {
    bead.step();
    worst = std::fmax(worst, std::fabs(bead.energy() - start));
    off = std::fmax(off, norm(bead.x - at(wire(), nearest(wire(), bead.x, bead.rows[0].last)).position));
  }
  EXPECT_LT(worst, 1e-12 * 3);  // energies of about 3 J, 3000 roundings of random sign
  EXPECT_LT(off, 1e-14);
  EXPECT_GT(bead.rows[0].last, 5 * wire().length());  // it has been around, over 24 knots each time
  EXPECT_LT(bead.iterations, 3000 * 6);
}

}  // namespace
}  // namespace stiction::constraints

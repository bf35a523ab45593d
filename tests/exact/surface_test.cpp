// Meshes and heightfields beside what they stand for: a plane of many triangles beside a half-space, a mesh
// of a box beside the box, slopes beside closed forms.
#include <gtest/gtest.h>

#include <cmath>

#include "stiction/collision/collision.h"
#include "stiction/geometry/hull.h"
#include "stiction/world/queries.h"
#include "support/laws.h"
#include "support/random.h"
#include "support/rolling_ball.h"

namespace stiction::test {
namespace {

constexpr double g = 9.81;
constexpr double bar = 1e-9;  // published: one normal over coplanar triangles

/// A flat mesh of irregular triangles around the origin: n x n cells with moved inner vertices.
SurfaceShape plane_mesh(int n, double cell) {
  TriangleMesh mesh;
  for (int j = 0; j <= n; ++j)
    for (int i = 0; i <= n; ++i) {
      const bool inner = i > 0 && j > 0 && i < n && j < n;
      const double s = inner ? 0.3 * std::sin(12.9 * i + 78.2 * j) : 0,
                   t = inner ? 0.3 * std::sin(37.7 * i - 11.1 * j) : 0;
      mesh.vertices.push_back({cell * (i + s - 0.5 * n), cell * (j + t - 0.5 * n), 0});
    }
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      const int a = j * (n + 1) + i, b = a + 1, c = a + n + 1, d = c + 1;
      mesh.triangles.push_back({a, b, c}), mesh.triangles.push_back({b, d, c});
    }
  return SurfaceShape::from(std::move(mesh)).or_exit();
}

/// The surface of a box, two triangles a side.
SurfaceShape box_mesh(const Vec3& size) {
  TriangleMesh mesh;
  for (int i = 0; i < 8; ++i)
    mesh.vertices.push_back(
        {(i & 1 ? 0.5 : -0.5) * size.x, (i & 2 ? 0.5 : -0.5) * size.y, (i & 4 ? 0.5 : -0.5) * size.z});
  const int side[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  for (const auto& s : side)
    mesh.triangles.push_back({s[0], s[1], s[2]}), mesh.triangles.push_back({s[0], s[2], s[3]});
  return SurfaceShape::from(std::move(mesh)).or_exit();
}

SurfaceShape flat_field() {
  return SurfaceShape::from(HeightGrid{21, 17, 0.21, 0.27, std::vector<double>(21 * 17, 0.0)}).or_exit();
}

std::vector<ContactPoint> contacts(const Shape& a, const collision::Pose& pose_a, const Shape& b,
                                   const collision::Pose& pose_b, double margin) {
  std::vector<ContactPoint> out;
  collision::find_contacts(0, a, pose_a, 1, b, pose_b, margin, out);
  return out;
}

double least(const std::vector<ContactPoint>& points) {
  double out = 1e300;
  for (const ContactPoint& p : points) out = std::fmin(out, p.gap);
  return out;
}

TEST(Surface, AdjacencyOfABox) {
  const SurfaceShape box = box_mesh({1, 2, 3});
  EXPECT_TRUE(box.closed());
  int touching = 0, facets = 0;
  for (int t = 0; t < box.count(); ++t) {
    const SurfaceTriangle x = box.triangle(t);
    for (int k = 0; k < 3; ++k) touching += x.edge_touches[std::size_t(k)];
    facets += x.facet == t;
  }
  EXPECT_EQ(touching, 24);  // the 12 edges of the box from both sides; diagonals do not
  EXPECT_EQ(facets, 6);
}

TEST(Surface, CoplanarTrianglesShowOneNormalAndTheManifoldOfAPlane) {
  const Polyhedron wedge =
      convex_hull(
          std::vector<Vec3>{{-0.2, -0.1, -0.1}, {0.2, -0.1, -0.1}, {-0.2, 0.15, -0.1}, {0.1, 0.1, 0.2}})
          .or_exit();
  struct Case {
    Shape shape;
    double height;
    Quat turn;
  };
  const Quat lying{std::sqrt(0.5), std::sqrt(0.5), 0, 0}, twisted{std::cos(0.2), 0, 0, std::sin(0.2)};
  const Case cases[] = {{Sphere{0.1}, 0.1, {}},
                        {Box{{0.5, 0.4, 0.2}}, 0.1, twisted},
                        {Capsule{0.05, 0.3}, 0.05, lying},
                        {ConvexShape(Cylinder{0.2, 0.2}), 0.1, {}},
                        {ConvexShape(Cylinder{0.1, 0.3}), 0.1, lying},
                        {ConvexShape(Cone{0.2, 0.4}), 0.1, {}},
                        {ConvexShape(Ellipsoid{{0.2, 0.1, 0.15}}), 0.15, {}},
                        {ConvexShape(Box{{0.3, 0.2, 0.1}}, 0.02), 0.07, twisted},
                        {ConvexShape(wedge), 0.1, twisted}};
  const SurfaceShape floors[] = {plane_mesh(14, 0.2), flat_field()};
  const Vec3 at[] = {{0, 0, 0}, {-2.1, -2.16, 0}};
  for (int f = 0; f < 2; ++f)
    for (const Case& c : cases) {
      double worst = 0;
      std::size_t wrong = 0;
      for (int k = 0; k <= 600; ++k) {
        const collision::Pose pose{{-0.8 + 1.6 * k / 600, k % 60 == 0 ? 0.0 : 0.5 - 0.9 * k / 600, c.height},
                                   c.turn};
        const auto points = contacts(floors[f], {at[f], {}}, c.shape, pose, 1e-4);
        const auto plane = contacts(HalfSpace{}, {}, c.shape, pose, 1e-4);
        for (const ContactPoint& p : points) worst = std::fmax(worst, norm(p.normal - Vec3{0, 0, 1}));
        wrong += points.size() != plane.size() || std::fabs(least(points) - least(plane)) > 1e-12;
      }
      EXPECT_LE(worst, bar) << name_of(c.shape) << " on " << name_of(Shape(floors[f]));
      EXPECT_EQ(wrong, 0u) << name_of(c.shape) << " on " << name_of(Shape(floors[f]));
    }
}

TEST(Surface, DistancesOfABoxMeshAreThoseOfTheBox) {
  // 400 poses around the box, apart: the least gap is the distance. Deeper than the margin of 0.4 nothing is
  // found.
  Random random(7);
  const Vec3 size{1, 0.7, 0.5};
  const SurfaceShape mesh = box_mesh(size);
  const Shape bodies[] = {Sphere{0.1},
                          Box{{0.2, 0.15, 0.1}},
                          Capsule{0.05, 0.2},
                          ConvexShape(Cylinder{0.1, 0.2}),
                          ConvexShape(Ellipsoid{{0.2, 0.1, 0.15}}),
                          ConvexShape(Box{{0.1, 0.1, 0.1}}, 0.03)};
  for (const Shape& body : bodies) {
    double worst = 0;
    int compared = 0;
    for (int k = 0; k < 400; ++k) {
      const Vec3 x = times({0.8, 0.65, 0.55}, random.vector(1));
      const Quat q = random.rotation();
      const auto exact = contacts(Box{size}, {}, body, {x, q}, 0.4);
      if (exact.empty() || least(exact) < 0) continue;
      const auto found = contacts(mesh, {}, body, {x, q}, 0.4);
      ++compared;
      worst = std::fmax(worst, std::fabs(least(found) - least(exact)));
    }
    EXPECT_GT(compared, 50);
    EXPECT_LE(worst, 1e-8) << name_of(body);  // the tie of faces, 3e-9 of the size
  }
}

TEST(Surface, NothingIsTouchedFromBehind) {
  const SurfaceShape mesh = plane_mesh(4, 0.2);
  EXPECT_TRUE(contacts(mesh, {}, Sphere{0.1}, {{0, 0, -0.2}, {}}, 0.15).empty());
  EXPECT_FALSE(contacts(mesh, {}, Sphere{0.1}, {{0, 0, 0.2}, {}}, 0.15).empty());
}

TEST(Surface, BallRollsAsOnAHalfSpace) {
  EXPECT_LE(roll_ball(plane_mesh(20, 0.17), {}).jump, 1e-9);
  EXPECT_LE(roll_ball(flat_field(), {-2.1, -2.16, 0}).jump, 1e-9);
}

/// Speed of a sliding box after 0.4 s, [m/s].
double slide(const Shape& floor, const Vec3& at) {
  Scene scene;
  scene.gravity = {0, 0, -g};
  scene.add_surface("wood", {.friction = 0.3});
  scene.add_body("floor", {.kind = fixed, .shape = floor, .position = at, .surface = "wood"});
  const BodyId box = scene.add_body("box", {.shape = Box{{0.25, 0.2, 0.1}},
                                            .density = 500,
                                            .position = {-1, 0.03, 0.05},
                                            .velocity = {2, 0, 0},
                                            .surface = "wood"});
  World world = world_of(scene, {.step = 0.002});
  run(world, 200, [&](const World&, const StepReport& r) { EXPECT_TRUE(r.converged); });
  return world.velocity(box).x;
}

TEST(Surface, BoxSlidesAsOnAHalfSpace) {
  const double expected = 2 - 0.3 * g * 0.4;
  EXPECT_NEAR(slide(HalfSpace{}, {}), expected, 1e-7);
  EXPECT_NEAR(slide(plane_mesh(20, 0.17), {}), expected, 1e-7);
  EXPECT_NEAR(slide(flat_field(), {-2.1, -2.16, 0}), expected, 1e-7);
}

TEST(Surface, BoxRestsOnARidgeAndOnPeaks) {
  // a corrugated field: the flat box lies on three ridges of height 0.1
  HeightGrid grid{41, 5, 0.1, 0.5, {}};
  for (int j = 0; j < 5; ++j)
    for (int i = 0; i < 41; ++i) grid.heights.push_back(i % 4 == 0 ? 0.1 : 0.0);
  Scene scene;
  scene.gravity = {0, 0, -g};
  scene.add_body("ground",
                 {.kind = fixed, .shape = SurfaceShape::from(grid).or_exit(), .position = {-2, -1, 0}});
  const BodyId box =
      scene.add_body("box", {.shape = Box{{1, 0.6, 0.2}}, .density = 300, .position = {0.03, 0.02, 0.21}});
  World world = world_of(scene, {.step = 0.005});
  run(world, 200, [&](const World&, const StepReport& r) { EXPECT_TRUE(r.converged) << r.explain(); });
  EXPECT_NEAR(world.position(box).z, 0.2, 1e-8);
  EXPECT_LE(norm(world.velocity(box)), 1e-8);
  EXPECT_LE(angle_between(world.orientation(box), {}), 1e-7);
}

TEST(Surface, BodiesSettleLawfullyOnRoughGround) {
  HeightGrid grid{31, 31, 0.15, 0.15, {}};
  for (int j = 0; j < 31; ++j)
    for (int i = 0; i < 31; ++i) {
      const double x = 0.15 * (i - 15), y = 0.15 * (j - 15);
      grid.heights.push_back(0.12 * (x * x + y * y) + 0.03 * std::sin(7 * x) * std::cos(6 * y));
    }
  Scene scene;
  scene.gravity = {0, 0, -g};
  scene.add_body("ground",
                 {.kind = fixed, .shape = SurfaceShape::from(grid).or_exit(), .position = {-2.25, -2.25, 0}});
  const Shape shapes[] = {Sphere{0.1}, Box{{0.3, 0.2, 0.15}}, Capsule{0.06, 0.2},
                          ConvexShape(Cylinder{0.1, 0.15}),
                          CompoundShape({{Sphere{0.08}, {0, 0, 0.15}, {}}, {Box{{0.1, 0.1, 0.3}}, {}, {}}})};
  int k = 0;
  for (const Shape& s : shapes) {
    scene.add_body("body." + std::to_string(k),
                   {.shape = s,
                    .density = 400,
                    .position = {0.5 * std::cos(1.3 * k), 0.5 * std::sin(1.3 * k), 0.4 + 0.02 * k},
                    .orientation = {0.8, 0.36, 0.48, 0}});
    ++k;
  }
  World world = world_of(scene, {.step = 0.004});
  Worst worst(world);
  run(world, 500, [&](const World& w, const StepReport& r) { worst.look(w, r); });
  EXPECT_EQ(worst.unconverged, 0);
  worst.expect_lawful(1e-8);
  EXPECT_LE(worst.rise, energy_rise * worst.scale);
  for (int i = 0; i < k; ++i) EXPECT_GT(world.position(world.body("body." + std::to_string(i))).z, -0.1);
}

TEST(Surface, QueriesMeetTriangles) {
  Scene scene;
  const BodyId box = scene.add_body("box", {.kind = fixed, .shape = box_mesh({1, 1, 1})});
  const World world = world_of(scene);
  const WorldQueries q(world);
  EXPECT_NEAR(q.ray({0.2, 0.1, 3}, {0, 0, -1}, 5).distance, 2.5, 1e-8);
  EXPECT_EQ(q.ray({0.2, 0.1, 3}, {0, 0, -1}, 5).body, box);
  EXPECT_TRUE(q.ray({0.2, 0.1, 3}, {0, 0, 1}, 5).body == BodyId{});
  EXPECT_NEAR(q.closest({0, 0.1, 0.8}, 3).distance, 0.3, 1e-15);
  EXPECT_NEAR(q.closest({0, 0.1, 0.4}, 3).distance, -0.1, 1e-15);  // closed: inside is told
  EXPECT_NEAR(norm(q.closest({0, 0.1, 0.4}, 3).normal - Vec3{0, 0, 1}), 0, 1e-15);
  EXPECT_NEAR(q.cast(Sphere{0.2}, {0, 0, 3}, {}, {0, 0, -5}).distance, 2.3, 1e-8);
  EXPECT_EQ(q.overlapping(Sphere{0.05}, {0, 0, 0}).size(), 1u);
  EXPECT_EQ(q.overlapping(Box{{0.2, 0.2, 0.2}}, {0.5, 0, 0}).size(), 1u);
  EXPECT_TRUE(q.overlapping(Sphere{0.2}, {0.8, 0, 0}).empty());
}

std::string fault_text(TriangleMesh mesh) {
  const Result<SurfaceShape> made = SurfaceShape::from(std::move(mesh));
  return made ? "" : made.mistakes().front().text();
}

TEST(Surface, FaultsAreNamed) {
  const std::vector<Vec3> square{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0.5, 0, 0}};
  EXPECT_NE(fault_text({square, {}}).find("found none"), std::string::npos);
  EXPECT_NE(fault_text({square, {{0, 1, 7}}}).find("triangles.0: found the vertices 0, 1, 7"),
            std::string::npos);
  EXPECT_NE(fault_text({square, {{0, 1, 2}, {0, 4, 1}}}).find("triangles.1: has no area"), std::string::npos);
  EXPECT_NE(fault_text({square, {{0, 1, 2}, {0, 3, 2}}}).find("wound against"), std::string::npos);
  EXPECT_NE(fault_text({{{0, 0, std::nan("")}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}}).find("vertices.0"),
            std::string::npos);
  TriangleMesh inside_out = box_mesh({1, 1, 1}).mesh();
  for (auto& t : inside_out.triangles) std::swap(t[0], t[1]);
  EXPECT_NE(fault_text(inside_out).find("inside out"), std::string::npos);
  Scene scene;
  scene.add_body("rock", {.shape = box_mesh({1, 1, 1}), .mass = 1});
  EXPECT_NE(validate(scene).front().text().find("on a body that moves"), std::string::npos);
}

}  // namespace
}  // namespace stiction::test

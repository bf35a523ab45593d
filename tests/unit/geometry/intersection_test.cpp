// Intersections of convex inequalities: support points against closed forms and against sampling, mass
// properties against closed forms, flat faces, what is refused.
#include "stiction/geometry/intersection.h"

#include <gtest/gtest.h>

#include "random_intersection.h"
#include "stiction/geometry/centred.h"
#include "stiction/geometry/detail/inequality.h"
#include "stiction/geometry/hull.h"

namespace stiction {
namespace {

constexpr double pi = 3.14159265358979323846;

Inequality plane(const Vec3& n, double d) { return HalfSpace{n, d}; }
Intersection made(std::vector<Inequality> faces) { return intersection(std::move(faces)).or_exit(); }
std::vector<Inequality> box_faces(const Vec3& half) {
  std::vector<Inequality> out;
  for (int i = 0; i < 6; ++i) {
    Vec3 n;
    n[i / 2] = i % 2 ? -1 : 1;
    out.push_back(plane(n, half[i / 2]));
  }
  return out;
}

void expect_same(const Solid& a, const Solid& b, double tolerance) {
  const double v = b.volume, size = std::cbrt(v), i = v * size * size;
  EXPECT_NEAR(a.volume, v, tolerance * v);
  EXPECT_LE(norm(a.center - b.center), tolerance * size);
  for (const auto k : {&SymMat3::xx, &SymMat3::yy, &SymMat3::zz, &SymMat3::xy, &SymMat3::xz, &SymMat3::yz})
    EXPECT_NEAR(a.inertia.*k, b.inertia.*k, tolerance * i);
}

// The value n.x is that of the closed form to round-off, and the point is the same where it is unique.
TEST(Intersection, SupportsOfTheSameBodyGivenOtherwise) {
  RandomIntersection random(6);
  const CurvedFace egg{CurvedFace::Kind::ellipsoid, {{1, 0.6, 0.3}}, {}, {}};
  const CurvedFace pillow{CurvedFace::Kind::superellipsoid, {{1, 0.7, 0.4}, 4, 3}, {}, {}};
  const struct {
    ConvexCore inequalities, closed;
  } pairs[] = {{made({tube_face({}, {0, 0, 1}, 0.4), plane({0, 0, 1}, 0.6), plane({0, 0, -1}, 0.6)}),
                Cylinder{0.4, 1.2}},
               {made({cone_face({0, 0, 0.75}, {0, 0, 1}, 0.4), plane({0, 0, -1}, 0.25)}), Cone{0.4, 1}},
               {made({egg}), Ellipsoid{{1, 0.6, 0.3}}},
               {made({pillow}), Superellipsoid{{1, 0.7, 0.4}, 4, 3}},
               {made(box_faces({0.5, 0.4, 0.3})), Box{{1, 0.8, 0.6}}}};
  for (const auto& p : pairs)
    for (int i = 0; i < 500; ++i) {
      const Vec3 n = random.direction(), x = support(p.inequalities, n), y = support(p.closed, n);
      EXPECT_NEAR(dot(n, x), dot(n, y), 2e-15) << name(p.closed);
      EXPECT_LE(norm(x - y), 1e-7) << name(p.closed);  // sqrt of round-off where surfaces are nearly flat
    }
}

// Every result lies on the body, and no other point of it (support points of other directions, ends of rays
// near it) is farther along n. A quarter of the directions is within 1e-16 to 1e-2 of a face's normal or
// axis.
TEST(Intersection, SupportsAgainstSampling) {
  for (int kind = -1; kind < RandomIntersection::named_kinds; ++kind) {
    RandomIntersection random(unsigned(100 + kind));
    double outside = 0, gain = 0;
    for (int b = 0; b < 60; ++b) {
      const Intersection body = kind < 0 ? random.stout(1 + b % 8) : random.named(kind);
      std::vector<Vec3> n, x;
      for (int k = 0; k < 40; ++k) {
        n.push_back(random.direction());
        const auto f = std::size_t(random.uniform(0, double(body.faces.size())));
        const bool flat = std::holds_alternative<HalfSpace>(body.faces[f]);
        const Vec3 axis = flat ? body.placed[f].normal : body.placed[f].axes.column(2);
        if (k % 4 == 1) n.back() = normalized(axis + random.log_uniform(1e-16, 1e-2) * n.back());
        x.push_back(detail::farthest(body, n.back()));
      }
      const auto excess = [&](const Vec3& y) {
        double most = -1e300;
        for (int f = 0; f < int(body.faces.size()); ++f)
          most = std::fmax(most, detail::distance_to(body, f, y));
        return most / body.size;
      };
      for (std::size_t i = 0; i < x.size(); ++i) {
        outside = std::fmax(outside, excess(x[i]));
        for (const Vec3& y : x) gain = std::fmax(gain, dot(n[i], y - x[i]) / body.size);
        for (int s = 0; s < 30; ++s) {
          const Vec3 near = x[i] + random.log_uniform(1e-8, 1) * body.size * random.direction();
          const Vec3 u = normalized(near - body.inside);
          int face = 0;
          const Vec3 y = body.inside + detail::leaves(body, body.inside, u, face) * u;
          if (excess(y) <= 1e-15) gain = std::fmax(gain, dot(n[i], y - x[i]) / body.size);
        }
      }
    }
    EXPECT_LE(outside, 3e-14) << kind;  // seen: 1e-14
    EXPECT_LE(gain, 3e-13) << kind;     // seen: 6e-14, of coins of 1 : 1000
  }
}

TEST(Intersection, SolidsAgainstClosedForms) {
  // half ball: V = 2/3 pi, centre 3/8 above the base, I = (83/320, 83/320, 2/5) V
  const double v = 2 * pi / 3;
  expect_same(solid(made({ball_face({0, 0, -0.375}, 1), plane({0, 0, -1}, 0.375)})),
              {v, {}, {83.0 / 320 * v, 83.0 / 320 * v, 0.4 * v, 0, 0, 0}}, 1e-12);
  // lens of two balls of radius 1 at distance 1: V = 5 pi / 12; int z^2, int rho^2 of two caps from z = 1/2
  // to 1 of rho^2 = 1 - z^2, their plane moved to z = 0 (integrals of polynomials)
  const double caps = 2 * pi * 5.0 / 24, zz = 2 * pi * 3.0 / 320, rr = pi * 53.0 / 480;
  expect_same(solid(made({ball_face({0, 0, 0.5}, 1), ball_face({0, 0, -0.5}, 1)})),
              {caps, {}, {0.5 * rr + zz, 0.5 * rr + zz, rr, 0, 0, 0}}, 1e-12);
  expect_same(solid(made(box_faces({0.5, 0.4, 0.3}))), solid(Box{{1, 0.8, 0.6}}), 1e-12);
  expect_same(solid(made({tube_face({}, {0, 0, 1}, 0.5), plane({0, 0, 1}, 0.5), plane({0, 0, -1}, 0.5)})),
              solid(Cylinder{0.5, 1}), 1e-12);
  expect_same(solid(made({tube_face({}, {0, 0, 1}, 5e-4), plane({0, 0, 1}, 0.5), plane({0, 0, -1}, 0.5)})),
              solid(Cylinder{5e-4, 1}), 3e-10);  // a needle: errors are relative to its length
  // frustum with radii 1 below and 1/2 above, height 1: V = 7/12 pi, centre 11/28, I_z = 31/160 pi,
  // int z^2 = pi (1/3 - 1/4 + 1/20)
  const double f = 7 * pi / 12, c = 11.0 / 28,
               I = 0.5 * 31 * pi / 160 + pi * (1.0 / 3 - 0.25 + 0.05) - f * c * c;
  expect_same(solid(made({cone_face({0, 0, 2}, {0, 0, 1}, 0.5), plane({0, 0, 1}, 1), plane({0, 0, -1}, 0)})),
              {f, {0, 0, c}, {I, I, 31 * pi / 160, 0, 0, 0}}, 1e-12);
  // bowl rho^2 <= 2 (1 - z), z >= 0 of a paraboloid: V = pi, centre 1/3, int z^2 = pi / 6, int rho^2 = 2/3 pi
  const double J = pi / 3 + pi / 6 - pi / 9;
  expect_same(solid(made({paraboloid_face({0, 0, 1}, {0, 0, 1}, 1), plane({0, 0, -1}, 0)})),
              {pi, {0, 0, 1.0 / 3}, {J, J, 2 * pi / 3, 0, 0, 0}}, 1e-12);
}

// Not bodies of revolution: rays over the sphere.
TEST(Intersection, SolidsByRays) {
  const CurvedFace egg{CurvedFace::Kind::ellipsoid, {{1, 0.6, 0.3}}, {1, 2, 3}, {}};
  Solid e = solid(Ellipsoid{{1, 0.6, 0.3}});
  e.center = {1, 2, 3};
  expect_same(solid(made({egg})), e, 1e-10);
  const CurvedFace pillow{CurvedFace::Kind::superellipsoid, {{1, 0.7, 0.4}, 4, 3}, {}, {}};
  expect_same(solid(made({pillow})), solid(Superellipsoid{{1, 0.7, 0.4}, 4, 3}), 1e-10);
  // a quarter of a ball of radius 1, x >= 0 and z >= 0: V = pi / 3, centre 3/8 along both, int x x^T of the
  // ball quartered, 2/15 V' (V' = 4/3 pi / 4) on the diagonal, int x z = 2/15
  const double v = pi / 3, d = v / 5, c = 0.375;
  const Solid quarter = solid(made({ball_face({}, 1), plane({-1, 0, 0}, 0), plane({0, 0, -1}, 0)}));
  const double side = 2 * d - v * c * c, xz = 2.0 / 15 - v * c * c;
  expect_same(quarter, {v, {c, 0, c}, {side, 2 * d - 2 * v * c * c, side, 0, -xz, 0}}, 1e-9);
  // half a cylinder of radius 1 and length 2 along x: V = pi, centre 4 / (3 pi)
  const double h = 4 / (3 * pi);
  expect_same(
      solid(made(
          {tube_face({}, {1, 0, 0}, 1), plane({1, 0, 0}, 1), plane({-1, 0, 0}, 1), plane({0, 0, -1}, 0)})),
      {pi, {0, 0, h}, {pi * (0.5 - h * h), pi * (1.0 / 3 + 0.25 - h * h), pi * (1.0 / 3 + 0.25), 0, 0, 0}},
      1e-9);
}

TEST(Intersection, RoundedSolids) {
  const Solid can = solid(
      Convex(made({tube_face({}, {0, 0, 1}, 0.5), plane({0, 0, 1}, 0.5), plane({0, 0, -1}, 0.5)}), 0.2));
  expect_same(can, solid(Convex(Cylinder{0.5, 1}, 0.2)), 1e-13);
  expect_same(solid(Convex(made({ball_face({}, 0.7)}), 0.3)), solid(Sphere{1}), 1e-13);
  expect_same(solid(Convex(made(box_faces({0.5, 0.4, 0.3})), 0.1)), solid(Convex(Box{{1, 0.8, 0.6}}, 0.1)),
              1e-12);
  // a cone of radius 1 and height 1 rounded by r: Steiner's formula V + r S + r^2 M + 4/3 pi r^3, where
  // M = half the sum of edge length times angle, plus the mean curvature of the side (cot of the half angle)
  const double r = 0.1, S = pi * (1 + std::sqrt(2.0));
  const double M =
      pi * (0.75 * pi) + 0.5 * pi * std::sqrt(2.0) * std::sqrt(0.5) * 2 * std::sqrt(0.5) * std::sqrt(2.0);
  const Solid cone = solid(Convex(made({cone_face({0, 0, 1}, {0, 0, 1}, 1), plane({0, 0, -1}, 0)}), r));
  EXPECT_NEAR(cone.volume, pi / 3 + r * S + r * r * M + 4 * pi / 3 * r * r * r, 1e-12);
  const ConvexCore quarter = made({ball_face({}, 1), plane({-1, 0, 0}, 0), plane({0, 0, -1}, 0)});
  EXPECT_NE(fault_of(Convex(std::get<Intersection>(quarter), 0.1)).find("body of revolution"),
            std::string::npos);
}

TEST(Intersection, FlatFacesHaveOutlines) {
  const Intersection dome = made({ball_face({}, 1), plane({0, 0, -1}, 0.6)});
  ASSERT_EQ(dome.flats.size(), 1u);
  EXPECT_TRUE(dome.flats[0].is_disk);
  EXPECT_NEAR(dome.flats[0].radius, 0.8, 1e-14);
  EXPECT_LE(norm(dome.flats[0].centre - Vec3{0, 0, -0.6}), 1e-14);
  std::vector<Inequality> faces = box_faces({0.5, 0.4, 0.3});
  faces.push_back(plane({0, 0, 1}, 0.7));                   // does not matter
  faces.push_back(plane({1, 1, 1}, std::sqrt(3.0) * 0.4));  // touches the corner (0.5, 0.4, 0.3)
  const Intersection box = made(faces);
  ASSERT_EQ(box.flats.size(), 6u);
  for (const Intersection::Flat& f : box.flats) EXPECT_EQ(f.corner.size(), 4u);
  // a tube cut along its axis: a rectangle; across: two half disks as polygons of chords
  const Intersection half =
      made({tube_face({}, {1, 0, 0}, 1), plane({1, 0, 0}, 1), plane({-1, 0, 0}, 1), plane({0, 0, -1}, 0)});
  ASSERT_EQ(half.flats.size(), 3u);
  EXPECT_EQ(half.flats[2].corner.size(), 4u);
  EXPECT_FALSE(half.flats[0].is_disk);
  EXPECT_GE(half.flats[0].corner.size(), 20u);
}

std::string refusal(std::vector<Inequality> faces) {
  const Result<Intersection> r = intersection(std::move(faces));
  return r ? "" : r.mistakes().front().path + ": " + r.mistakes().front().message;
}
bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

// Wide, low frustums in any direction: of some, all that is farthest along axes and diagonals lies on the
// base.
TEST(Intersection, KnowsAPointInsideOfWideBodies) {
  for (unsigned seed = 0; seed < 3000; ++seed) {
    RandomIntersection random(seed);
    const Vec3 z = random.direction();
    const double slope = random.uniform(1.5, 5), top = random.uniform(0, 0.9);
    const Result<Intersection> body =
        intersection({cone_face(z, z, slope), HalfSpace{z, top}, HalfSpace{-z, 1}});
    ASSERT_TRUE(body) << "seed " << seed << ": " << body.mistakes()[0].text();
    const double height = dot(body.value().inside, z);
    ASSERT_TRUE(height > -1 && height < top) << "seed " << seed;
  }
}

// A body that is nearly flat around an edge: two of the planes that close in on its farthest point are 1e-8
// rad apart, and their point is off the third plane by 1.6e-9 m.
TEST(Intersection, SupportsWherePlanesAreAllButParallel) {
  const Intersection body =
      intersection(
          {CurvedFace{
               CurvedFace::Kind::superellipsoid,
               {{0.5153025151566184, 0.99863478101418512, 0.53241708654974129},
                2.8237573550476256,
                7.3540014469380521},
               {-0.013243804340423855, 0.040032592786237518, 0.034570764497180766},
               {0.32569237019734565, 0.91239227939553358, -0.22807564126942254, -0.097192131133130535}},
           HalfSpace{{0.86225008825475657, 1.466815149448252, -0.55499297762927391}, 0.25191720736321838},
           CurvedFace{CurvedFace::Kind::tube,
                      {{0.8067320100985782, 0.8067320100985782, 0.8067320100985782}, 2, 2},
                      {-0.083170284744352604, -0.031528601948788537, -0.14629344815360273},
                      {0.78224263249135639, 0.62278706944370676, 0.01525549234577912, 0}},
           HalfSpace{{-0.12042447252705561, -1.0770756891741573, 1.3752404787585}, 0.48156446813694104}})
          .or_exit();
  RandomIntersection random{11};
  std::vector<Vec3> points;
  for (int i = 0; i < 2000; ++i) points.push_back(detail::farthest(body, random.direction()));
  const Vec3 start{0.50485500974821051, 0.85779361231877416, -0.096496309759715404};
  for (int i = 0; i < 2000; ++i) {
    const Vec3 n = normalized(start + 1e-8 * i / 2000 * random.direction());
    const double reach = dot(n, detail::farthest(body, n));
    for (const Vec3& x : points) ASSERT_LT(dot(n, x), reach + 1e-12) << i;
  }
}

// Likewise, with a point that all faces hold but that is short of two of the planes by 7e-7 m.
TEST(Intersection, SupportsAreOnTheirPlanes) {
  const Intersection body =
      intersection(
          {CurvedFace{CurvedFace::Kind::cone,
                      {{1.3359500576722925, 1.3359500576722925, 1}, 2, 2},
                      {-0.77305891628954582, -0.115880234828969, 0.57195059784619462},
                      {0.89176657385774527, 0.067078920894674099, -0.44749614090137663, 0}},
           CurvedFace{CurvedFace::Kind::paraboloid,
                      {{1.1273574630763399, 1.1273574630763399, 0.56367873153816994}, 2, 2},
                      {-0.49484581760253116, -0.3684842139384189, -0.45319237693372749},
                      {0.26975552253585028, 0.89218779362858613, 0, -0.36226081621059419}},
           HalfSpace{{0.18310553901873844, 0.83385009226103868, 0.2923165379503041}, 0.52656876903954453},
           CurvedFace{
               CurvedFace::Kind::superellipsoid,
               {{1.1086800783504214, 0.69580504950477118, 1.0545821133295523},
                7.7169757266565266,
                6.9759228370907849},
               {0.0078641708793677437, 0.031256188237598528, 0.012680502809459473},
               {-0.37170181695729693, -0.86613420105297645, 0.051978297892836242, -0.33007205514119176}}})
          .or_exit();
  RandomIntersection random{12};
  for (const Vec3& n : {Vec3{0.33541659918931593, 0.71827289512893755, -0.60957341896720574},
                        Vec3{0.3354165991898459, 0.71827289511966208, -0.60957341897784345},
                        Vec3{0.33541674269622673, 0.71827280194160059, -0.60957344980733541}}) {
    const double reach = dot(n, detail::farthest(body, n));
    for (int i = 0; i < 200; ++i) {
      const Vec3 near = normalized(n + 1e-7 * random.direction());
      ASSERT_LT(dot(n, detail::farthest(body, near)), reach + 1e-12) << i;
    }
  }
}

TEST(Intersection, RefusesWhatIsNoBody) {
  const Vec3 z{0, 0, 1};
  EXPECT_TRUE(has(refusal({}), "faces: found 0, must be 1 to 64"));
  EXPECT_TRUE(has(refusal({tube_face({}, z, 1)}), "not bounded"));
  EXPECT_TRUE(has(refusal({tube_face({}, z, 1), plane(z, 1)}), "not bounded"));
  EXPECT_TRUE(
      has(refusal({tube_face({}, z, 1), plane({1, 0, 0}, 0), plane({-1, 0, 0}, 0.5)}), "not bounded"));
  EXPECT_TRUE(has(refusal({cone_face({}, z, 1)}), "not bounded"));
  EXPECT_TRUE(
      has(refusal({cone_face({}, z, 1), plane({1, 0, -1}, 1)}), "not bounded"));  // along a line of it
  EXPECT_TRUE(has(refusal({paraboloid_face({}, z, 1), plane({1, 0, 0}, 1)}), "not bounded"));
  EXPECT_TRUE(has(refusal({plane(z, 1), plane({0, 0, -1}, 1), plane({1, 0, 0}, 1)}), "not bounded"));
  EXPECT_TRUE(has(refusal({ball_face({}, 1), plane(z, -1.5)}), "empty"));
  EXPECT_TRUE(has(refusal({ball_face({}, 1), ball_face({2.001, 0, 0}, 1)}), "empty"));
  EXPECT_TRUE(has(refusal({ball_face({}, 1), plane(z, 0), plane({0, 0, -1}, 0)}), "flat"));
  EXPECT_NE(refusal({ball_face({}, 1), plane(z, -1)}), "");  // one point
  EXPECT_TRUE(has(refusal({ball_face({}, -1)}), "faces.0: radii: found -1"));
  EXPECT_TRUE(has(refusal({ball_face({}, 1), plane({}, 1)}), "faces.1: normal"));
  EXPECT_TRUE(has(refusal({CurvedFace{CurvedFace::Kind::superellipsoid, {{1, 1, 1}, 1.5, 2}, {}, {}}}),
                  "exponent: found 1.5"));
  EXPECT_EQ(refusal({tube_face({}, z, 1), tube_face({}, {1, 0, 0}, 1)}), "");
  EXPECT_EQ(refusal({ball_face({5, -3, 2}, 0.01), plane(z, 2.005)}), "");
  EXPECT_EQ(refusal({plane({1, 0, -0.01}, 1), plane({-1, 0, -0.01}, 1), plane({0, 1, 0}, 1),
                     plane({0, -1, 0}, 1), plane({0, 0, 1}, 1)}),
            "");  // a wedge a hundred times as long as wide
}

TEST(Intersection, IsCentredAndTurned) {
  const Quat turn = normalized(Quat{0.9, 0.1, 0.3, -0.2});
  const Vec3 at{3, -1, 2};
  std::vector<Inequality> faces = box_faces({0.5, 0.4, 0.3});
  for (Inequality& f : faces) {
    auto& h = std::get<HalfSpace>(f);
    h.normal = rotate(turn, h.normal), h.offset += dot(h.normal, at);
  }
  faces.push_back(ball_face(at, 0.55));
  const Shape shape = ConvexShape(made(faces));
  const CentredShape c = centred(shape, true);
  ASSERT_TRUE(c.changed);
  EXPECT_LE(norm(c.centre - at), 1e-9);
  const Solid& s = std::get<ConvexShape>(c.shape).solid();
  EXPECT_LE(norm(s.center), 1e-9);
  EXPECT_LE(std::fabs(s.inertia.xy) + std::fabs(s.inertia.xz) + std::fabs(s.inertia.yz), 1e-8 * s.inertia.xx);
  RandomIntersection random(3);
  for (int i = 0; i < 50; ++i) {  // the same body: its supports agree
    const Vec3 n = random.direction();
    const Vec3 x = support(std::get<ConvexShape>(shape).body().core, n);
    const Vec3 y = support(std::get<ConvexShape>(c.shape).body().core, rotate_back(c.turn, n));
    EXPECT_NEAR(dot(n, x), dot(n, c.centre + rotate(c.turn, y)), 1e-13);
  }
}

}  // namespace
}  // namespace stiction

// Closest points of every pair of convex bodies: proved apart, searched when overlapping; symmetry, rates,
// degenerate poses, fuzz.
#include "stiction/collision/convex/closest_points.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/size.h"
#include "unit/collision/convex_pairs.h"

namespace stiction::collision {
namespace {

double size_of_pair(const Convex& a, const Convex& b) { return std::fmax(extent_of(a), extent_of(b)); }

// Outside the body by how much: its core's faces at the point moved back by the rounding.
double outside(const Convex& c, const Pose& p, const Vec3& x, const Vec3& n) {
  const Vec3 local = rotate_back(p.orientation, x - c.rounding * n - p.position);
  double f = -1e300;
  for (int i = 0; i < face_count(c.core); ++i) f = std::fmax(f, face(c.core, i, local).value);
  return f;
}

struct Worst {
  double consistency = 0, outside = 0, apart = 0, overlap = 0;
  int unpolished = 0, count = 0;
};

// Bodies apart whose result is proved need no search: the separation along n is below the distance of any
// two points, and those found are in the bodies and as far apart. One in ten is searched all the same.
void check_pair(const Convex& a, const Pose& pa, const Convex& b, const Pose& pb, int samples, Worst& w) {
  const double size = size_of_pair(a, b);
  const ClosestPoints c = closest_points(a, pa, b, pb);
  ASSERT_TRUE(is_finite(c.point_a) && is_finite(c.point_b) && is_finite(c.normal));
  ASSERT_NEAR(norm(c.normal), 1, 1e-14);
  // n.(b - a) and the true separation along n: for bodies apart this is the proof
  const double along = dot(c.normal, c.point_b - c.point_a);
  const double lower = separation(a, pa, b, pb, c.normal);
  w.consistency =
      std::fmax(w.consistency, std::fmax(std::fabs(along - c.gap), std::fabs(lower - c.gap)) / size);
  if (c.polished) {
    w.outside = std::fmax(w.outside, outside(a, pa, c.point_a, c.normal) / size);
    w.outside = std::fmax(w.outside, outside(b, pb, c.point_b, -c.normal) / size);
    w.consistency = std::fmax(w.consistency, norm(c.point_b - c.point_a - c.gap * c.normal) / size);
  }
  w.unpolished += !c.polished;
  ++w.count;
  if (c.gap > 0 && c.polished && w.count % 10 != 0) return;  // what the proof is made of is tested above
  const double found = sampled_gap(a, pa, b, pb, samples, nullptr);
  (c.gap > 0 ? w.apart : w.overlap) = std::fmax(c.gap > 0 ? w.apart : w.overlap, (found - c.gap) / size);
}

class EveryPair : public testing::TestWithParam<int> {
};  // one test for each pair: the large size takes a minute

TEST_P(EveryPair, AgainstSamplingAndProof) {
  const int poses = test::cases(500, 100000);
  int i = 0, j = GetParam();
  while (j > i) j -= ++i;
  ConvexRandom random(unsigned(100 * i + j));
  Worst w;
  for (int k = 0; k < poses; ++k) {
    const Convex a = random.body(i), b = random.body(j);
    Pose pa, pb;
    random.place(a, b, random.uniform(0.85, 1.3), pa, pb);
    check_pair(a, pa, b, pb, 150, w);
  }
  const std::string pair = std::string(name(random.body(i).core)) + " " + name(random.body(j).core);
  EXPECT_LE(w.consistency, 1e-12) << pair;
  EXPECT_LE(w.outside, 1e-12) << pair;
  EXPECT_LE(w.apart, 1e-9) << pair;
  EXPECT_LE(w.overlap, 1e-7) << pair;
  EXPECT_LE(w.unpolished, poses / 10000) << pair;  // none of 500
  std::printf("%-32s consistency %.1e outside %.1e apart %.1e overlap %.1e unpolished %d of %d\n",
              pair.c_str(), w.consistency, w.outside, w.apart, w.overlap, w.unpolished, w.count);
}
INSTANTIATE_TEST_SUITE_P(ClosestPoints, EveryPair,
                         testing::Range(0, ConvexRandom::kinds*(ConvexRandom::kinds + 1) / 2));

TEST(ClosestPoints, HalfSpacesAgainstEveryBody) {
  ConvexRandom random(7);
  for (int kind = 0; kind < ConvexRandom::kinds; ++kind)
    for (int k = 0; k < 100; ++k) {
      const Convex a{HalfSpace{random.gauss(), random.uniform(-1, 1)}, k % 2 ? 0.0 : 0.2},
          b = random.body(kind);
      const Pose pa{random.gauss(), random.turn()}, pb{random.gauss(), random.turn()};
      const ClosestPoints c = closest_points(a, pa, b, pb), d = closest_points(b, pb, a, pa);
      const Vec3 n = rotate(pa.orientation, normalized(std::get<HalfSpace>(a.core).normal));
      const Vec3 down = rotate_back(pb.orientation, -n);
      const double height = dot(n, pb.position + rotate(pb.orientation, support(b, down)) - pa.position);
      EXPECT_NEAR(c.gap, height - std::get<HalfSpace>(a.core).offset - a.rounding, 1e-14);
      EXPECT_LE(norm(c.normal - n), 1e-15);
      EXPECT_LE(norm(c.point_b - c.point_a - c.gap * n), 1e-14);
      EXPECT_LE(outside(a, pa, c.point_a, c.normal), 1e-14);
      EXPECT_NEAR(c.gap, d.gap, 1e-14);
      EXPECT_LE(norm(c.normal + d.normal) + norm(c.point_a - d.point_b), 1e-13);
    }
}

// Unique closest points only: the points of parallel faces may be any.
TEST(ClosestPoints, SwapAndRigidMotion) {
  ConvexRandom random(8);
  double gap = 0, normal = 0;
  for (int i = 0; i < ConvexRandom::kinds; ++i)
    for (int j = 0; j <= i; ++j)
      for (int k = 0; k < test::cases(60, 60); ++k) {
        const Convex a = random.body(i), b = random.body(j);
        Pose pa, pb;
        random.place(a, b, random.uniform(0.9, 1.3), pa, pb);
        const double size = size_of_pair(a, b);
        const ClosestPoints c = closest_points(a, pa, b, pb), d = closest_points(b, pb, a, pa);
        const Quat q = random.turn();
        const Vec3 t = random.gauss();
        const auto moved = [&](const Pose& p) { return Pose{rotate(q, p.position) + t, q * p.orientation}; };
        const ClosestPoints e = closest_points(a, moved(pa), b, moved(pb));
        gap = std::fmax(gap, std::fmax(std::fabs(c.gap - d.gap), std::fabs(c.gap - e.gap)) / size);
        // directions of equal depth are not unique; apart, or where the same one was found, it is the same
        if (c.gap > 1e-3 * size)
          normal =
              std::fmax(normal, std::fmax(norm(c.normal + d.normal), norm(rotate(q, c.normal) - e.normal)));
      }
  EXPECT_LE(gap, 1e-12);
  EXPECT_LE(normal, 1e-9);  // the normal of bodies 1e-3 apart carries 1e3 times the error of the points
}

// Bodies moved by +-s along a random rate; s = 1e-5, extrapolated: error about 1e-9.
TEST(ClosestPoints, RatesMatchDifferences) {
  ConvexRandom random(9);
  int unique = 0, compared = 0;
  for (int i = 0; i < ConvexRandom::kinds; ++i)
    for (int j = 0; j <= i; ++j)
      for (int k = 0; k < test::cases(40, 40); ++k) {
        const Convex a = random.body(i), b = random.body(j);
        Pose pa, pb;
        random.place(a, b, random.uniform(0.95, 1.3), pa, pb);
        const double size = size_of_pair(a, b);
        const BodyRate ra{random.gauss(), random.gauss()}, rb{random.gauss(), random.gauss()};
        const ClosestPoints c = closest_points(a, pa, b, pb);
        if (std::fabs(c.gap + a.rounding + b.rounding) < 1e-2 * size) continue;
        const ClosestRates r = rates(c, a, pa, ra, b, pb, rb);
        const auto at = [&](double s) {
          const auto moved = [&](const Pose& p, const BodyRate& v) {
            return Pose{p.position + s * v.velocity, exponential(s * v.spin) * p.orientation};
          };
          return closest_points(a, moved(pa, ra), b, moved(pb, rb), &c);
        };
        const double s = 2e-5;
        const ClosestPoints p = at(s), m = at(-s), p2 = at(s / 2), m2 = at(-s / 2);
        bool same = true;  // the same faces all along: the solution is smooth there
        for (const ClosestPoints* x : {&p, &m, &p2, &m2})
          same =
              same && x->polished && x->faces_a.face == c.faces_a.face && x->faces_b.face == c.faces_b.face;
        if (!same) continue;
        ++compared;
        const auto slope = [&](auto field) {
          return (8.0 * (field(p2) - field(m2)) - (field(p) - field(m))) / (6 * s);
        };
        EXPECT_NEAR(r.gap, slope([](const ClosestPoints& x) { return x.gap; }), 1e-6);
        if (!r.unique) continue;
        ++unique;
        const double tolerance = 1e-6 * (1 + norm(r.normal) + norm(r.point_a) + norm(r.point_b));
        const std::string pair = std::string(name(a.core)) + " " + name(b.core);
        // superellipsoids: third derivatives are unbounded near their planes
        const double wide = i == 6 || j == 6 ? 100 * tolerance : tolerance;
        EXPECT_LE(norm(r.normal - slope([](const ClosestPoints& x) { return x.normal; })), wide) << pair;
        EXPECT_LE(norm(r.point_a - slope([](const ClosestPoints& x) { return x.point_a; })), wide) << pair;
        EXPECT_LE(norm(r.point_b - slope([](const ClosestPoints& x) { return x.point_b; })), wide) << pair;
      }
  EXPECT_GE(compared,
            test::cases(1500, 1500));  // of 2200; the rest is too near to touching or changes its faces
  EXPECT_GE(unique, 0.9 * compared);
}

TEST(ClosestPoints, RatesOnAHalfSpace) {
  // An ellipsoid rocks on a plane: the point of contact moves with it; differences of the support.
  ConvexRandom random(10);
  for (int k = 0; k < 100; ++k) {
    const Convex plane = HalfSpace{{0, 0, 1}, 0}, body = random.body(5);
    const Pose pa{}, pb{{0, 0, 1}, random.turn()};
    const BodyRate still{}, rate{random.gauss(), random.gauss()};
    const ClosestRates r = rates(closest_points(plane, pa, body, pb), plane, pa, still, body, pb, rate);
    ASSERT_TRUE(r.unique);
    const auto at = [&](double s) {
      return closest_points(plane, pa, body,
                            {pb.position + s * rate.velocity, exponential(s * rate.spin) * pb.orientation});
    };
    const double s = 1e-5;
    const ClosestPoints p = at(s), m = at(-s);
    EXPECT_NEAR(r.gap, (p.gap - m.gap) / (2 * s), 1e-6);
    EXPECT_LE(norm(r.point_b - (p.point_b - m.point_b) / (2 * s)), 1e-6 * (1 + norm(r.point_b)));
    EXPECT_LE(norm(r.normal), 1e-14);
  }
}

TEST(ClosestPoints, WarmStartGivesTheSame) {
  ConvexRandom random(11);
  for (int i = 0; i < ConvexRandom::kinds; ++i)
    for (int j = 0; j <= i; ++j)
      for (int k = 0; k < test::cases(20, 20); ++k) {
        const Convex a = random.body(i), b = random.body(j);
        Pose pa, pb;
        random.place(a, b, random.uniform(0.9, 1.3), pa, pb);
        const ClosestPoints before = closest_points(a, pa, b, pb);
        pb.position += 0.01 * random.gauss();
        pb.orientation = cayley(0.02 * random.gauss()) * pb.orientation;
        const ClosestPoints cold = closest_points(a, pa, b, pb), warm = closest_points(a, pa, b, pb, &before);
        EXPECT_NEAR(cold.gap, warm.gap, 1e-12 * size_of_pair(a, b)) << name(a.core) << " " << name(b.core);
      }
}

void expect_sane(const Convex& a, const Pose& pa, const Convex& b, const Pose& pb, const char* what) {
  const ClosestPoints c = closest_points(a, pa, b, pb);
  const double size = size_of_pair(a, b);
  EXPECT_TRUE(is_finite(c.point_a) && is_finite(c.point_b) && is_finite(c.normal) && std::isfinite(c.gap))
      << what;
  EXPECT_NEAR(norm(c.normal), 1, 1e-14) << what;
  EXPECT_NEAR(separation(a, pa, b, pb, c.normal), c.gap, 1e-12 * size)
      << what << " " << name(a.core) << " " << name(b.core);
  const ClosestRates r = rates(c, a, pa, {{1, 2, 3}, {3, 2, 1}}, b, pb, {});
  EXPECT_TRUE(std::isfinite(r.gap) && is_finite(r.normal) && is_finite(r.point_a)) << what;
}

TEST(ClosestPoints, DegeneratePoses) {
  ConvexRandom random(12);
  for (int i = 0; i < ConvexRandom::kinds; ++i)
    for (int j = 0; j < ConvexRandom::kinds; ++j) {
      const Convex a = random.body(i), b = random.body(j);
      expect_sane(a, {}, b, {}, "concentric");
      expect_sane(a, {}, a, {}, "itself");
      const Bounds ba = bounds(a, Mat3::identity()), bb = bounds(b, Mat3::identity());
      for (int axis = 0; axis < 3; ++axis)
        for (const double gap : {0.0, 1e-12, -1e-12, 1e-9, -1e-9, 1e-6, -1e-6, 0.1, -0.1}) {
          Pose pb;  // face on face, edge along edge, apex above centre, ...
          pb.position[axis] = ba.high[axis] - bb.low[axis] + gap;
          expect_sane(a, {}, b, pb, "side by side");
          pb.position[(axis + 1) % 3] = ba.high[(axis + 1) % 3] - bb.low[(axis + 1) % 3] + gap;
          expect_sane(a, {}, b, pb, "edge at edge");
          pb.position[(axis + 2) % 3] = ba.high[(axis + 2) % 3] - bb.low[(axis + 2) % 3] + gap;
          expect_sane(a, {}, b, pb, "corner at corner");
        }
    }
}

TEST(ClosestPoints, ExactTouchOfParallelFacesAndCorners) {
  const Convex cube = Box{{1, 1, 1}}, can = Cylinder{0.5, 1};
  for (const double gap : {1e-12, 1e-9, 1e-3, 0.0, -1e-12, -1e-9, -1e-3})
    for (const Convex* body : {&cube, &can}) {
      const ClosestPoints c = closest_points(cube, {}, *body, {{0.1, 0.2, 1 + gap}, {}});
      EXPECT_NEAR(c.gap, gap, 3e-16);
      EXPECT_LE(norm(c.normal - Vec3{0, 0, 1}), gap < -1e-6 || gap > 1e-6 ? 1e-12 : 1e-3) << gap;
    }
  // corner to corner along the diagonal, and a cone's apex on a cube's corner
  for (const double gap : {1e-12, 1e-6, 1e-3, 0.1}) {
    const double s = 1 + gap / std::sqrt(3.0);
    EXPECT_NEAR(closest_points(cube, {}, cube, {{s, s, s}, {}}).gap, gap, 1e-15);
  }
  // spheres and capsules: centres or axes that meet
  EXPECT_NEAR(closest_points(Sphere{1}, {}, Sphere{2}, {}).gap, -3, 1e-15);
  EXPECT_NEAR(closest_points(Capsule{0.2, 1}, {}, Capsule{0.3, 1}, {{}, normalized(Quat{1, 1, 0, 0})}).gap,
              -0.5, 1e-15);
  EXPECT_NEAR(closest_points(Capsule{0.2, 1}, {}, Capsule{0.3, 1}, {{0, 0, 0.3}, {}}).gap, -0.5, 1e-15);
}

TEST(ClosestPoints, FlatEllipsoidsAndSizesFarApart) {
  ConvexRandom random(13);
  for (int k = 0; k < 500; ++k) {
    const Convex flat = Ellipsoid{{1, 1, 1e-3}}, needle = Ellipsoid{{1e-3, 1e-3, 1}}, ball = Sphere{0.3};
    for (const Convex* b : {&flat, &needle, &ball}) {
      Pose pa, pb;
      random.place(flat, *b, random.uniform(0.9, 1.3), pa, pb);
      expect_sane(flat, pa, *b, pb, "flat");
    }
    Convex small = random.body(k % 8), large = random.body((k / 8) % 8);
    const auto grown = [](const Convex& c, double s) {
      return std::visit(
          [&](auto x) {
            using T = std::decay_t<decltype(x)>;
            if constexpr (std::is_same_v<T, Sphere>) x.radius *= s;
            if constexpr (std::is_same_v<T, Box>) x.size *= s;
            if constexpr (std::is_same_v<T, Capsule>) x.radius *= s, x.length *= s;
            if constexpr (std::is_same_v<T, Cylinder> || std::is_same_v<T, Cone>)
              x.radius *= s, x.height *= s;
            if constexpr (std::is_same_v<T, Ellipsoid> || std::is_same_v<T, Superellipsoid>) x.radii *= s;
            if constexpr (std::is_same_v<T, Polyhedron>) {
              for (Vec3& v : x.vertices) v *= s;
              for (auto& f : x.faces) f.offset *= s;
            }
            return Convex(std::move(x), c.rounding);
          },
          c.core);
    };
    const double s = std::pow(10, random.uniform(-4, 4)), l = std::pow(10, random.uniform(-4, 4));
    small = grown(small, s), large = grown(large, l);
    Pose pa, pb;
    random.place(small, large, random.uniform(0.9, 1.1), pa, pb);
    expect_sane(small, pa, large, pb, "sizes");
  }
}

class Fuzz : public testing::TestWithParam<int> {};

TEST_P(Fuzz, WithoutNan) {
  ConvexRandom random(unsigned(14 + 1000 * GetParam()));
  const int trials = test::at_size(10000, 1000000);  // ten times, under sanitizers too
  std::vector<Convex> bodies;
  for (int i = 0; i < 200; ++i) bodies.push_back(random.body(i % ConvexRandom::kinds));
  bodies.push_back(Ellipsoid{{1, 1, 1e-3}}), bodies.push_back(Cylinder{1e-3, 1}),
      bodies.push_back(Cone{1, 1e-3});
  bodies.push_back(Box{{1, 1, 1e-4}}), bodies.push_back(Superellipsoid{{1, 1, 1}, 20, 20}),
      bodies.push_back(Capsule{1e-4, 1});
  int failed = 0, open = 0;
  for (int k = 0; k < trials; ++k) {
    const Convex& a = bodies[std::size_t(random.uniform(0, double(bodies.size())))];
    const Convex& b = bodies[std::size_t(random.uniform(0, double(bodies.size())))];
    Pose pa, pb;
    random.place(a, b, random.uniform(0, 1.5), pa, pb);
    if (k % 3 == 0) pa.orientation = {}, pb.orientation = {};  // aligned axes
    if (k % 7 == 0) pb.position = pa.position;
    const ClosestPoints c = closest_points(a, pa, b, pb);
    const double size = size_of_pair(a, b);
    failed += !(is_finite(c.point_a) && is_finite(c.point_b) && std::fabs(norm(c.normal) - 1) < 1e-14 &&
                std::fabs(separation(a, pa, b, pb, c.normal) - c.gap) <= 1e-12 * size && c.gap < 1e3);
    open += k % 7 != 0 && c.error > 1e-9 * size;  // concentric: whole circles of directions are as good
  }
  EXPECT_EQ(failed, 0);
  std::printf("fuzz: %d of %d with a bound wider than 1e-9 of the size\n", open, trials);
  EXPECT_LE(open, trials / 1000);
}
INSTANTIATE_TEST_SUITE_P(ClosestPoints, Fuzz, testing::Range(0, 10));

}  // namespace
}  // namespace stiction::collision

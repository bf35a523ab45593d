// Closest points of every pair of convex bodies: proved apart, searched when overlapping; symmetry, rates,
// degenerate poses, fuzz.
#include "stiction/collision/convex/closest_points.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "unit/collision/convex_pairs.h"

namespace stiction::collision {
namespace {

double size_of_pair(const Convex& a, const Convex& b) { return std::fmax(size_of(a), size_of(b)); }

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

void check_pair(const Convex& a, const Pose& pa, const Convex& b, const Pose& pb, int samples, Worst& w) {
  const double size = size_of_pair(a, b);
  const ClosestPoints c = closest_points(a, pa, b, pb);
  ASSERT_TRUE(is_finite(c.point_a) && is_finite(c.point_b) && is_finite(c.normal));
  ASSERT_NEAR(norm(c.normal), 1, 1e-14);
  // n.(b - a) and the true separation along n: for bodies apart this is the proof
  const double along = dot(c.normal, c.point_b - c.point_a);
  const double lower = separation(a, pa, b, pb, c.normal);
  w.consistency = std::fmax(w.consistency, std::fmax(std::fabs(along - c.gap), std::fabs(lower - c.gap)) / size);
  if (c.polished) {
    w.outside = std::fmax(w.outside, outside(a, pa, c.point_a, c.normal) / size);
    w.outside = std::fmax(w.outside, outside(b, pb, c.point_b, -c.normal) / size);
    w.consistency = std::fmax(w.consistency, norm(c.point_b - c.point_a - c.gap * c.normal) / size);
  }
  const double found = sampled_gap(a, pa, b, pb, samples, nullptr);
  (c.gap > 0 ? w.apart : w.overlap) = std::fmax(c.gap > 0 ? w.apart : w.overlap, (found - c.gap) / size);
  w.unpolished += !c.polished;
  ++w.count;
}

TEST(ClosestPoints, EveryPairAgainstSamplingAndProof) {
  const int poses = full_tests() ? 100000 : 500;
  const int samples = 150;
  for (int i = 0; i < ConvexRandom::kinds; ++i)
    for (int j = 0; j <= i; ++j) {
      ConvexRandom random(unsigned(100 * i + j));
      Worst w;
      for (int k = 0; k < poses; ++k) {
        const Convex a = random.body(i), b = random.body(j);
        Pose pa, pb;
        random.place(a, b, random.uniform(0.85, 1.3), pa, pb);
        check_pair(a, pa, b, pb, samples, w);
      }
      const std::string pair = std::string(name(random.body(i).core)) + " " + name(random.body(j).core);
      EXPECT_LE(w.consistency, 1e-12) << pair;
      EXPECT_LE(w.outside, 1e-12) << pair;
      EXPECT_LE(w.apart, 1e-9) << pair;
      EXPECT_LE(w.overlap, 1e-7) << pair;
      EXPECT_EQ(w.unpolished, 0) << pair << " of " << w.count;
      std::printf("%-32s consistency %.1e outside %.1e apart %.1e overlap %.1e unpolished %d of %d\n", pair.c_str(),
                  w.consistency, w.outside, w.apart, w.overlap, w.unpolished, w.count);
    }
}

}  // namespace
}  // namespace stiction::collision

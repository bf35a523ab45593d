// Contact never adds energy: v+'M v+ <= v_free'M v_free in every step, with the M of the step. Bodies that
// land spinning are the hard case: at the end of the step a corner may already be on its way up again.
#include <gtest/gtest.h>

#include <algorithm>

#include "support/run.h"

namespace stiction::test {
namespace {

constexpr double round_off = 1e-12;  // [-] of a kinetic energy, a sum of some ten products

struct Landing {
  double spin;      // [rad/s]
  double friction;  // [-]
};
void PrintTo(const Landing& l, std::ostream* out) {
  *out << "spin " << l.spin << ", friction " << l.friction;
}

class ContactEnergy : public testing::TestWithParam<Landing> {
 protected:
  /// Largest kinetic_end / kinetic_free - 1 of a body that falls from several heights.
  double worst_gain(const Shape& shape) const {
    const double spin = GetParam().spin;
    double worst = -1;
    for (int k = 0; k < 40; ++k) {
      Scene s{.gravity = {0, 0, -9.81}};
      s.add_surface("s", {.friction = GetParam().friction});
      s.add_body("floor", {.kind = fixed, .shape = HalfSpace{}, .surface = "s"});
      s.add_body("body", {.shape = shape,
                          .mass = 1,
                          .position = {0, 0, 0.18 + 0.002 * k},
                          .orientation = normalized(Quat{1, 0.1, 0.25, 0.05}),
                          .velocity = {0.1 * spin, 0, 0},
                          .spin = {0.3 * spin, spin, 0},
                          .surface = "s"});
      World world = world_of(s);
      run(world, 40, [&](const World&, const StepReport& r) {
        if (r.kinetic_free > 0) worst = std::max(worst, r.kinetic_end / r.kinetic_free - 1);
      });
    }
    return worst;
  }
};

TEST_P(ContactEnergy, IsNeverGainedByABox) { EXPECT_LE(worst_gain(Box{{0.2, 0.2, 0.2}}), round_off); }
TEST_P(ContactEnergy, IsNeverGainedByAFlatBox) { EXPECT_LE(worst_gain(Box{{0.3, 0.2, 0.05}}), round_off); }
TEST_P(ContactEnergy, IsNeverGainedByACapsule) { EXPECT_LE(worst_gain(Capsule{0.04, 0.2}), round_off); }
TEST_P(ContactEnergy, IsNeverGainedByASphere) { EXPECT_LE(worst_gain(Sphere{0.1}), round_off); }

INSTANTIATE_TEST_SUITE_P(Spins, ContactEnergy,
                         testing::Values(Landing{0, 0.5}, Landing{2, 0}, Landing{5, 0}, Landing{5, 0.5},
                                         Landing{20, 0}, Landing{20, 0.5}, Landing{60, 0.5}));

}  // namespace
}  // namespace stiction::test

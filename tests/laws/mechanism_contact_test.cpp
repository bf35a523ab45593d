// Bodies joined by constraints in contact: every step of every scene is certified, the books close, contacts
// give no energy, and joints hold.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <tuple>

#include "support/laws.h"
#include "support/mechanism_scenes.h"
#include "support/run.h"

namespace stiction::test {
namespace {

constexpr double tolerance = 1e-8;

struct Case {
  const char* name;
  std::function<Scene()> scene;
  double until;  // [s]
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

class MechanismContact : public testing::TestWithParam<std::tuple<const char*, Case>> {};

TEST_P(MechanismContact, IsLawful) {
  const auto& [method, c] = GetParam();
  World world = world_of(c.scene(), {.step = 0.01, .tolerance = tolerance, .method = method_of(method)});
  Worst worst(world);
  int touched = 0;
  double joint = 0;
  run(world, steps_to(c.until, 0.01), [&](const World& w, const StepReport& r) {
    if (!r.converged && worst.unconverged < 3) ADD_FAILURE() << "t = " << w.time() << ": " << r.explain();
    worst.look(w, r);
    touched += r.contacts > 0;
    joint = std::fmax(joint, r.certificate.joint);
  });
  EXPECT_EQ(worst.unconverged, 0);
  worst.expect_lawful(tolerance);
  EXPECT_LE(joint, tolerance);  // [m, rad]; the certificate holds lengths against sizes, all below 1 m here
  EXPECT_LE(worst.rise, energy_rise * worst.scale);
  EXPECT_GT(touched, 0);  // else this shows nothing
}

INSTANTIATE_TEST_SUITE_P(
    Scenes, MechanismContact,
    testing::Combine(testing::Values("coulomb", "implicit_geometry"),
                     testing::Values(Case{"rope", [] { return rope(8); }, 3}, Case{"ragdoll", ragdoll, 2},
                                     Case{"four_bar", four_bar, 1}, Case{"door", door, 1},
                                     Case{"planar_loop", planar_loop, 2})),
    [](const auto& c) { return std::string(std::get<0>(c.param)) + "_" + std::get<1>(c.param).name; });

}  // namespace
}  // namespace stiction::test

// The laws that hold in every step of every scene in scenes/: the books close, energies and momenta are those
// of the state, contacts take energy and never give any, friction acts against slip.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "stiction/base/text.h"
#include "support/recompute.h"
#include "support/run.h"

namespace stiction::test {
namespace {

const std::string scenes = STICTION_SOURCE_DIR "/scenes/";

constexpr double books = 1e-12;         // [-] published: |imbalance| over KE + sum |PE| + sum |flows|
constexpr double contact_gain = 1e-12;  // [-] round-off of v'Mv/2: a sum of some 100 products
constexpr double energy_rise = 1e-6;    // [-] published: of the energy scale, in a whole run
constexpr double same_number = 1e-13;   // [-] two formulas for one energy, each summed over some 100 bodies

std::vector<std::string> all_scenes() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(scenes))
    if (entry.path().extension() == ".json") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

/// The scene at the size of a quick test: smaller piles, and the time in which the main thing happens.
struct Sized {
  Overrides overrides;
  double until = 0;  // [s] 0 = as the scene says
};
Sized sized(const std::string& name) {
  if (full()) return {};
  if (name == "spheres") return {{{"$n", "3"}}, 1.2};
  if (name == "pyramid") return {{{"$base", "6"}}, 1};
  if (name == "heavy_stack") return {{}, 1};
  if (name == "first") return {{}, 0.8};
  return {};
}

/// What round-off of momenta is compared with: sums of absolute values, where the ledger's own scale is that
/// of vector sums, which cancel in scenes that are symmetric about the origin.
struct MomentumFlow {
  double momentum = 0, angular = 0;  // [kg m/s], [kg m^2/s] sums of |impulses| and |moments| so far

  void look(const World& w) {
    const State& x = w.state();
    const double pull = w.settings().step * norm(w.model().gravity);
    for (std::size_t i = 0; i < x.position.size(); ++i) {
      momentum += pull * w.model().mass[i];
      angular += pull * w.model().mass[i] * norm(x.position[i]);
    }
    for (const Contact& c : w.contacts()) {
      momentum += norm(c.impulse);
      angular += norm(c.impulse) * norm(c.point);
    }
    momentum = std::fmax(momentum, w.ledger().momentum_scale());
    angular = std::fmax(angular, w.ledger().angular_momentum_scale());
  }
};

/// The worst of every law over a run.
class Worst {
 public:
  double imbalance = 0, momentum = 0, angular_momentum = 0;  // [-]
  double kinetic = 0, potential = 0, momenta = 0;            // [-] ledger against recomputed
  double gain = -1;           // [-] contacts: kinetic_end / (kinetic_free + work of drives) - 1
  double friction_power = 0;  // [-] p_t.u_t over the step's |p| times its speeds
  double rise = 0;            // [J] total energy above an earlier value, external work apart
  double scale = 0;           // [J] of the run
  int unconverged = 0;

  explicit Worst(const World& w) {
    // lifting every body by its size: so that the scale of a scene at rest is not its round-off
    for (std::size_t i = 0; i < w.model().mass.size(); ++i)
      scale += w.model().mass[i] * norm(w.model().gravity) * w.model().size[i];
  }

  void look(const World& w, const StepReport& r) {
    flow_.look(w);
    look_at_books(w);
    look_at_energy(w, r);
    if (r.stabilisation_passes == 0)
      look_at_friction(w);  // frames of moved bodies are not those of the impulses
    unconverged += !r.converged;
  }

 private:
  MomentumFlow flow_;
  double drive_ = 0, lowest_ = 0;  // [J]

  static void raise(double& worst, double value, double over) {
    if (over > 0) worst = std::fmax(worst, std::fabs(value) / over);
  }

  void look_at_books(const World& w) {
    const Ledger& l = w.ledger();
    const Recomputed now = recompute(w.model(), w.state());
    scale = std::fmax(scale, l.scale());
    raise(imbalance, l.imbalance(), l.scale());
    raise(momentum, norm(l.momentum_imbalance()), flow_.momentum);
    raise(angular_momentum, norm(l.angular_momentum_imbalance()), flow_.angular);
    raise(kinetic, now.kinetic - l.now().kinetic, l.scale());
    raise(potential,
          now.gravity_potential + now.spring_potential - l.now().gravity_potential - l.now().spring_potential,
          l.scale());
    raise(momenta, norm(now.momentum - l.now().momentum), flow_.momentum);
    raise(momenta, norm(now.angular_momentum - l.now().angular_momentum), flow_.angular);
  }

  void look_at_energy(const World& w, const StepReport& r) {
    const Ledger& l = w.ledger();
    const double drive = l.booked(Cause::kinematic), given = std::fmax(0.0, drive - drive_);
    if (r.kinetic_free > 0) gain = std::fmax(gain, r.kinetic_end / (r.kinetic_free + given) - 1);
    drive_ = drive;
    const double own =
        l.now().energy() - l.start().energy() - drive - l.booked(Cause::wrench) - l.booked(Cause::input);
    lowest_ = std::fmin(lowest_, own);
    rise = std::fmax(rise, own - lowest_);
  }

  void look_at_friction(const World& w) {
    double speed = w.settings().step * norm(w.model().gravity), p = 0, power = 0;
    for (const Vec3& v : w.state().velocity) speed = std::fmax(speed, norm(v));
    for (const Contact& c : w.contacts()) {
      p = std::fmax(p, norm(c.impulse));
      power = std::fmax(power, dot(c.impulse, c.slip));  // the slip is tangential
    }
    raise(friction_power, power, p * speed);
  }
};

class SceneLaws : public testing::TestWithParam<std::string> {};

TEST_P(SceneLaws, HoldInEveryStep) {
  const Sized size = sized(GetParam());
  const SceneFile file = read(scenes + GetParam() + ".json", size.overrides);
  World world = world_of(file.scene, file.run);
  Worst worst(world);
  run(world, steps_to(size.until > 0 ? size.until : file.run.until, file.run.step),
      [&](const World& w, const StepReport& r) {
        if (!r.converged && worst.unconverged < 3) ADD_FAILURE() << "t = " << w.time() << ": " << r.explain();
        worst.look(w, r);
      });
  EXPECT_EQ(worst.unconverged, 0);
  EXPECT_LT(worst.imbalance, books);
  EXPECT_LT(worst.momentum, books);
  EXPECT_LT(worst.angular_momentum, books);
  EXPECT_LT(worst.kinetic, same_number);
  EXPECT_LT(worst.potential, same_number);
  EXPECT_LT(worst.momenta, same_number);
  EXPECT_LE(worst.gain, contact_gain);
  EXPECT_LE(worst.friction_power,
            10 * file.run.tolerance);  // the cone's and the slip's errors, each 1 tolerance
  // springs: semi-implicit Euler exchanges h omega / 2 of the energy to and fro (tests/exact/forces_test.cpp)
  if (world.model().springs.empty()) {
    EXPECT_LE(worst.rise, energy_rise * worst.scale);
  }
  RecordProperty("imbalance", number_text(worst.imbalance));
  RecordProperty("energy_rise", number_text(worst.rise / worst.scale));
}

INSTANTIATE_TEST_SUITE_P(Scenes, SceneLaws, testing::ValuesIn(all_scenes()),
                         [](const auto& scene) { return scene.param; });

}  // namespace
}  // namespace stiction::test

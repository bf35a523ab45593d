// A scene at its start, and the impulses of its forces over one step.
#pragma once

#include <vector>

#include "stiction/forces/forces.h"

namespace stiction::forces {

inline constexpr double h = 0.02;  // [s]

struct Fixture {
  Model model;
  std::vector<Vec3> position, velocity, spin;
  std::vector<Quat> orientation;
  std::vector<unsigned char> alive;

  explicit Fixture(const Scene& scene) : model(compile(scene).or_exit()) {
    for (const Named<BodyDescription>& b : model.scene.bodies) {
      position.push_back(b.value.position), orientation.push_back(b.value.orientation);
      velocity.push_back(b.value.velocity), spin.push_back(b.value.spin);
      alive.push_back(1);
    }
  }
  std::vector<AppliedImpulse> impulses(double time = 0) const {
    std::vector<AppliedImpulse> out;
    Scratch scratch;
    sum_forces(model, {position, orientation, velocity, spin, alive}, time, h, scratch, out);
    return out;
  }
  double potential() const {
    PairScratch scratch;
    return spring_potential(model, position, orientation, alive) +
           pair_potential(model, position, alive, scratch);
  }
};

}  // namespace stiction::forces

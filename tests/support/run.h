// Shared by the tests: worlds from scene files, and runs that stop at the first refusal.
#pragma once

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <string_view>

#include "stiction/formats/scene_file.h"
#include "stiction/world/world.h"
#include "support/size.h"

namespace stiction::test {

/// The value, or an exception with all mistakes: GoogleTest shows it and goes on with the next test.
template <class T>
T value_of(Result<T> r) {
  if (r) return std::move(r).value();
  std::string text = "mistakes:";
  for (const Mistake& m : r.mistakes()) text += "\n  " + m.text();
  throw std::runtime_error(text);
}

/// For tests that are named by methods.
inline Method method_of(std::string_view word) { return choice_of<Method>(word).value(); }

inline World world_of(const Scene& scene, const RunSettings& settings = {}) {
  return value_of(build(scene, settings));
}

inline SceneFile read(const std::string& path, const Overrides& overrides = {}) {
  return value_of(read_scene_file(path, overrides));
}
inline World world_of_file(const std::string& path, const Overrides& overrides = {}) {
  const SceneFile file = read(path, overrides);
  return world_of(file.scene, file.run);
}

/// [-] steps that bring a world of step h to `time`.
inline int steps_to(double time, double h) { return int(time / h + 0.5); }

/// Makes `count` steps and calls look(world, report) after each; false after the first refused step.
template <class Look>
bool run(World& world, int count, const Look& look) {
  for (int i = 0; i < count; ++i) {
    const StepReport report = world.step();
    if (report.status == StepReport::Status::refused) {
      ADD_FAILURE() << "step " << i << ": " << report.explain();
      return false;
    }
    look(world, report);
  }
  return true;
}
inline bool run(World& world, int count) {
  return run(world, count, [](const World&, const StepReport&) {});
}

/// The turn by an angle [rad] about a unit vector.
inline Quat turn_about(const Vec3& axis, double angle) {
  const double s = std::sin(angle / 2);
  return {std::cos(angle / 2), s * axis.x, s * axis.y, s * axis.z};
}

/// [rad] angle of the rotation from a to b.
inline double angle_between(const Quat& a, const Quat& b) {
  const Quat d = b * conjugate(a);
  return 2 * std::asin(std::fmin(1.0, std::sqrt(d.x * d.x + d.y * d.y + d.z * d.z)));
}

}  // namespace stiction::test

#include "stiction/model/scene.h"

#include <array>
#include <cmath>

#include "stiction/base/text.h"

namespace stiction {
namespace {

template <class Ident, class T>
Ident append(std::vector<Named<T>>& list, std::string name, T value) {
  list.push_back({std::move(name), std::move(value)});
  return Ident{std::int32_t(list.size()) - 1, 0};
}

void check_word(const std::string& path, const std::string& found, std::span<const std::string> allowed,
                std::vector<Mistake>& out) {
  for (const std::string& word : allowed) {
    if (found == word) return;
  }
  out.push_back(
      {{},
       0,
       0,
       path,
       "unknown word \"" + found + "\", allowed: " + word_list(allowed) + did_you_mean(found, allowed)});
}

}  // namespace

SurfaceId Scene::add_surface(std::string name, SurfaceDescription s) {
  return append<SurfaceId>(surfaces, std::move(name), s);
}
BodyId Scene::add_body(std::string name, BodyDescription b) {
  return append<BodyId>(bodies, std::move(name), std::move(b));
}
JointId Scene::add_joint(std::string name, JointDescription j) {
  return append<JointId>(joints, std::move(name), std::move(j));
}
ForceId Scene::add_force(std::string name, ForceDescription f) {
  return append<ForceId>(forces, std::move(name), std::move(f));
}
SensorId Scene::add_sensor(std::string name, SensorDescription s) {
  return append<SensorId>(sensors, std::move(name), s);
}

std::vector<Mistake> validate(const RunSettings& s) {
  std::vector<Mistake> out;
  const auto positive = [&](const char* path, double x, const char* unit) {
    if (std::isfinite(x) && x > 0) return;
    out.push_back({{}, 0, 0, path, "found " + number_text(x) + ", must be above 0" + unit});
  };
  positive("run.until", s.until, " s");
  positive("run.step", s.step, " s");
  if (!(s.tolerance > 0 && s.tolerance <= largest_tolerance)) {
    out.push_back({{},
                   0,
                   0,
                   "run.tolerance",
                   "found " + number_text(s.tolerance) + ", must be above 0 and at most " +
                       number_text(largest_tolerance)});
  }
  if (s.threads < 1) {
    out.push_back({{}, 0, 0, "run.threads", "found " + std::to_string(s.threads) + ", must be at least 1"});
  }
  check_word("run.solver", s.solver, solver_words(), out);
  check_word("run.method", s.method, method_words(), out);
  return out;
}

std::int64_t steps_until(const RunSettings& settings) {
  const double steps = std::ceil(settings.until / settings.step - 1e-6);
  if (!(steps > 1)) return 1;
  constexpr double most = 9e18;  // [-] below the largest std::int64_t
  return std::int64_t(std::fmin(steps, most));
}

std::span<const std::string> solver_words() {
  static const std::array<std::string, 3> words{"auto", "newton", "nsgs"};
  return words;
}
std::span<const std::string> method_words() {
  static const std::array<std::string, 1> words{"coulomb"};
  return words;
}

}  // namespace stiction

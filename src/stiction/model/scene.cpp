#include "stiction/model/scene.h"

#include <algorithm>
#include <set>

namespace stiction {
namespace {

template <class Ident, class T>
Ident append(std::vector<Named<T>>& list, std::string name, T value) {
  list.push_back({std::move(name), std::move(value)});
  return Ident{std::int32_t(list.size()) - 1, 0};
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

bool means(const std::string& pattern, const std::string& body) {
  if (pattern.size() < 2 || !pattern.ends_with(".*")) return pattern == body;
  return body.starts_with(std::string_view(pattern).substr(0, pattern.size() - 1));
}

namespace {

struct Mentions {
  const std::string& body;
  bool operator()(const SpringDamper& s) const { return s.a == body || s.b == body; }
  bool operator()(const TorsionSpring& s) const { return s.a == body || s.b == body; }
  bool operator()(const Drag& d) const { return d.body == body; }
  bool operator()(const Magnus& d) const { return d.body == body; }
  bool operator()(const Wrench& w) const { return w.body == body; }
  bool operator()(const Gravitation&) const { return false; }
  bool operator()(const LennardJones&) const { return false; }
};

struct JoinsBody {
  const std::string& body;
  bool operator()(const PlanarJoint& j) const { return j.body == body; }
  bool operator()(const GearJoint&) const { return false; }
  template <class Joint>
  bool operator()(const Joint& j) const {
    return j.body == body || j.parent == body;
  }
};

/// Takes out what means no body any more; true if nothing is left. (An empty list means every body.)
bool emptied(const Scene& scene, std::vector<std::string>& bodies) {
  const auto means_nobody = [&](const std::string& pattern) {
    return std::none_of(scene.bodies.begin(), scene.bodies.end(),
                        [&](const auto& b) { return means(pattern, b.name); });
  };
  return std::erase_if(bodies, means_nobody) > 0 && bodies.empty();
}

bool is_spent(const Scene& scene, const std::string& body, ForceDescription& force) {
  if (auto* g = std::get_if<Gravitation>(&force)) return emptied(scene, g->bodies);
  if (auto* l = std::get_if<LennardJones>(&force)) return emptied(scene, l->bodies);
  return std::visit(Mentions{body}, force);
}

}  // namespace

void forget_body(Scene& scene, const std::string& body) {
  std::erase_if(scene.joints, [&](const auto& j) { return std::visit(JoinsBody{body}, j.value); });
  std::set<std::string> left;
  for (const auto& j : scene.joints) left.insert(j.name);
  std::erase_if(scene.joints, [&](const auto& j) {
    const auto* gear = std::get_if<GearJoint>(&j.value);
    return gear != nullptr && !(left.contains(gear->first) && left.contains(gear->second));
  });
  for (std::size_t i = 0; i < scene.forces.size();) {
    if (is_spent(scene, body, scene.forces[i].value))
      scene.forces.erase(scene.forces.begin() + std::ptrdiff_t(i));
    else
      ++i;
  }
}

}  // namespace stiction

// What a method does not know of a scene, in words: from its line in the table of methods.h.
#include <algorithm>
#include <set>

#include "stiction/model/detail/compile_trees.h"
#include "stiction/model/run_settings.h"
#include "stiction/model/scene.h"

namespace stiction {
namespace {

/// Constraints between a body that a planar joint holds and one that may leave the plane: the default method
/// cannot solve for them yet.
std::vector<Mistake> planes_and_space(const Scene& scene, Method method) {
  std::set<std::string> planar, free;
  for (const auto& j : scene.joints)
    if (const auto* plane = std::get_if<PlanarJoint>(&j.value)) planar.insert(plane->body);
  if (planar.empty()) return {};
  for (const auto& b : scene.bodies)
    if (b.value.kind == dynamic && !planar.contains(b.name)) free.insert(b.name);
  std::vector<Mistake> mistakes;
  for (const auto& j : scene.joints) {
    const auto* c = std::get_if<ConstraintJoint>(&j.value);
    if (c == nullptr || c->kind == constraints::Kind::distance) continue;
    if ((planar.contains(c->body) && free.contains(c->parent)) ||
        (planar.contains(c->parent) && free.contains(c->body)))
      mistakes.push_back(
          {{},
           0,
           0,
           "joints." + j.name + ".constraint.parent",
           "one of the bodies is held in a plane by a planar joint, the other is not, which the "
           "method \"" +
               word_of(method) +
               "\" cannot solve for: hold both in it, make the plane a constraint of "
               "kind \"planar\", or use the method \"cline_pai\""});
  }
  return mistakes;
}

/// Whether one of its bodies is a link of a tree.
bool is_on_tree(const Scene& scene, const ConstraintJoint& c) {
  const auto dynamic_body = [&](const std::string& name) {
    return std::any_of(scene.bodies.begin(), scene.bodies.end(),
                       [&](const auto& b) { return b.name == name && b.value.kind == dynamic; });
  };
  return std::any_of(scene.joints.begin(), scene.joints.end(), [&](const auto& j) {
    const auto* tree = std::get_if<CoordinateJoint>(&j.value);
    if (tree == nullptr) return false;
    for (const std::string& name : {c.body, c.parent})
      if (!name.empty() && (name == tree->body || name == tree->parent) && dynamic_body(name)) return true;
    return false;
  });
}

template <class Joint>
bool has_laws(const Joint& j) {
  return !j.limits.lower.empty() || !j.limits.upper.empty() || j.limits.swing > 0 || !j.motor.force.empty() ||
         !j.friction.empty();
}

/// Of methods with contact that know no constraints: planar joints, and those that make trees, without laws.
std::vector<Mistake> joints_that_fly(const Scene& scene, Method method) {
  for (const Named<JointDescription>& j : scene.joints) {
    const auto* tree = std::get_if<CoordinateJoint>(&j.value);
    const bool law = tree != nullptr && has_laws(*tree);
    if (std::holds_alternative<PlanarJoint>(j.value) || (tree != nullptr && !law)) continue;
    return {{{},
             0,
             0,
             "run.method",
             "found \"" + word_of(method) +
                 "\", which knows planar joints and joints with coordinates, but \"" + j.name +
                 (law ? "\" has limits, friction or a motor" : "\" is another one") + ": use \"coulomb\""}};
  }
  return {};
}

/// One coefficient of friction, or the two of a grain where the method knows it.
bool is_plain(const SurfaceDescription& s, bool grain) {
  return (grain || s.grain == Vec3{}) && s.kinetic_friction.value_or(s.friction) == s.friction &&
         s.viscous_friction == 0 && s.spin_length == 0 && s.rolling_length == 0 && s.stiffness == 0 &&
         s.young == 0;
}
bool is_plain(const SurfacePairDescription& s) {
  return s.kinetic_friction.value_or(s.friction) == s.friction && s.viscous_friction.value_or(0) == 0 &&
         s.spin_length.value_or(0) == 0 && s.rolling_length.value_or(0) == 0 && !s.stiffness;
}
std::vector<Mistake> plain_surfaces(const Scene& scene, Method method) {
  const bool grain = traits_of(method).surfaces == MethodTraits::Surfaces::one_coefficient_or_grain;
  std::string found;
  for (const auto& s : scene.surfaces)
    if (!is_plain(s.value, grain)) found = "the surface \"" + s.name + "\"";
  for (const SurfacePairDescription& s : scene.surface_pairs)
    if (!is_plain(s)) found = "the pair of surfaces \"" + s.a + "\" and \"" + s.b + "\"";
  if (found.empty()) return {};
  return {{{},
           0,
           0,
           "run.method",
           "found \"" + word_of(method) + "\", which knows one coefficient of friction for a pair, but " +
               found + " has others, " + (grain ? "" : "a grain, ") +
               "resists spin or rolling, or gives way: use \"coulomb\""}};
}

/// The first surface or pair with restitution; empty = none.
std::string with_restitution(const Scene& scene) {
  for (const auto& s : scene.surfaces)
    if (s.value.restitution > 0) return "surfaces." + s.name + ".restitution";
  for (std::size_t i = 0; i < scene.surface_pairs.size(); ++i)
    if (scene.surface_pairs[i].restitution.value_or(0) > 0)
      return "surface_pairs." + std::to_string(i) + ".restitution";
  return {};
}

/// What impacts with restitution do not go with.
std::vector<Mistake> check_impacts(const Scene& scene, const RunSettings& settings) {
  const std::string path = with_restitution(scene);
  const MethodTraits& method = traits_of(settings.method);
  if (path.empty() || !method.handles_contact()) return {};
  if (method.restitution) {
    if (settings.sleep)
      return {{{}, 0, 0, "run.sleep", "is not for scenes with restitution, and " + path + " is above 0"}};
    for (const Named<JointDescription>& j : scene.joints)
      if (!std::holds_alternative<PlanarJoint>(j.value) &&
          !std::holds_alternative<CoordinateJoint>(j.value) &&
          !std::holds_alternative<ConstraintJoint>(j.value))
        return {{{},
                 0,
                 0,
                 path,
                 "impacts do not know gears and joints that bind velocities, but \"" + j.name +
                     "\" is one: leave out restitution"}};
      else if (const auto* c = std::get_if<ConstraintJoint>(&j.value);
               c != nullptr && (c->break_force > 0 || c->break_torque > 0))
        return {{{},
                 0,
                 0,
                 path,
                 "what joints bear in impacts with restitution is not known, but \"" + j.name +
                     "\" may break: leave out restitution"}};
    return {};
  }
  return {{{},
           0,
           0,
           path,
           "the method \"" + word_of(settings.method) +
               "\" stops bodies where they hit: leave out restitution, or use " +
               methods_that([](const MethodTraits& t) { return t.restitution; })}};
}

}  // namespace

std::vector<Mistake> validate(const Scene& scene, const RunSettings& settings) {
  if (auto mistakes = check_impacts(scene, settings); !mistakes.empty()) return mistakes;
  const MethodTraits& method = traits_of(settings.method);
  if (method.surfaces != MethodTraits::Surfaces::all)
    if (auto mistakes = plain_surfaces(scene, settings.method); !mistakes.empty()) return mistakes;
  if (method.handles_contact() && !method.constraints) return joints_that_fly(scene, settings.method);
  if (method.handles_contact()) return planes_and_space(scene, settings.method);
  bool has_joints = false;
  for (const Named<JointDescription>& j : scene.joints) {
    const auto* joint = std::get_if<CoordinateJoint>(&j.value);
    const auto* c = std::get_if<ConstraintJoint>(&j.value);
    has_joints |= c != nullptr || joint != nullptr;
    if (!method.couplings && c == nullptr && joint == nullptr &&
        !std::holds_alternative<PlanarJoint>(j.value))
      return {{{},
               0,
               0,
               "run.method",
               "found \"" + word_of(settings.method) +
                   "\", which does not know gears and joints that bind velocities, but \"" + j.name +
                   "\" is one: use \"coulomb\""}};
    if (!method.couplings && c != nullptr && is_on_tree(scene, *c))
      return {{{},
               0,
               0,
               "run.method",
               "found \"" + word_of(settings.method) +
                   "\", which does not know constraints on links of trees, but \"" + j.name +
                   "\" is one: use \"coulomb\""}};
    if (!method.laws && ((c != nullptr && has_laws(*c)) || (joint != nullptr && has_laws(*joint))))
      return {{{},
               0,
               0,
               "run.method",
               "found \"" + word_of(settings.method) + "\", which is for smooth motion, but the joint \"" +
                   j.name + "\" has limits, friction or a motor: use \"coulomb\""}};
    if (c != nullptr && !method.constraints)
      return {{{},
               0,
               0,
               "run.method",
               "found \"" + word_of(settings.method) + "\", which does not know constraints, but the " +
                   std::string(constraints::name_of(c->kind)) + " joint \"" + j.name +
                   "\" is one: use \"coulomb\" or \"rk4_projected\", or make it a coordinate joint"}};
    if (!method.soft_joints && c != nullptr &&
        (c->compliance > 0 || c->angular_compliance > 0 || c->break_force > 0 || c->break_torque > 0 ||
         !c->stiffness.empty() || !c->damping.empty()))
      return {{{},
               0,
               0,
               "run.method",
               "found \"" + word_of(settings.method) +
                   "\", whose joints neither give way nor break, but the " +
                   std::string(constraints::name_of(c->kind)) + " joint \"" + j.name +
                   "\" does: use \"coulomb\""}};
    if (joint != nullptr && !method.trees)
      return {{{},
               0,
               0,
               "run.method",
               "found \"" + word_of(settings.method) + "\", which does not know trees, but the " +
                   std::string(tree::name_of(joint->kind)) + " joint \"" + j.name +
                   "\" makes one: use \"coulomb\", \"rk4\" or \"variational\""}};
  }
  Model model;  // of a scene with joints: bodies that they connect do not touch each other
  if (has_joints) model = detail::compiled(scene, 0);
  const auto joined = [&](const std::string& a, const std::string& b) {
    return has_joints && model.joined(model.find_body(a), model.find_body(b));
  };
  const auto collides = [](const Named<BodyDescription>& b) {
    return b.value.collides && !std::holds_alternative<NoShape>(b.value.shape);
  };
  for (const Named<BodyDescription>& a : scene.bodies) {
    if (!collides(a) || a.value.kind != dynamic) continue;
    for (const Named<BodyDescription>& b : scene.bodies)
      if (&a != &b && collides(b) && !joined(a.name, b.name) &&
          (a.value.group.empty() || a.value.group != b.value.group))
        return {{{},
                 0,
                 0,
                 "run.method",
                 "found \"" + word_of(settings.method) + "\", which is for smooth motion, but the bodies \"" +
                     a.name + "\" and \"" + b.name +
                     "\" can touch: use \"coulomb\", or give bodies that never touch \"collides\": false, or "
                     "one \"group\""}};
  }
  return {};
}

}  // namespace stiction

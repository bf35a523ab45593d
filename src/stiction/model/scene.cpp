#include "stiction/model/scene.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "stiction/base/text.h"
#include "stiction/model/detail/compile_trees.h"

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

namespace {

/// Methods with contacts that solve one problem for impulses.
bool is_impulse_method(const std::string& method) {
  return method == "stewart_trinkle" || method == "anitescu_potra" || method == "moreau_jean";
}

void check_impulse_methods(const RunSettings& s, std::vector<Mistake>& out) {
  check_word("run.activation", s.activation, activation_words(), out);
  if (s.directions < 4 || s.directions > most_directions || s.directions % 2 != 0)
    out.push_back({{},
                   0,
                   0,
                   "run.directions",
                   "found " + std::to_string(s.directions) + ", must be even, 4 to " +
                       std::to_string(most_directions)});
  if (!(s.theta >= 0.5 && s.theta <= 1))
    out.push_back({{}, 0, 0, "run.theta", "found " + number_text(s.theta) + ", must be 0.5 to 1"});
  if (s.nonlinear && has_round_cones(s))
    out.push_back({{},
                   0,
                   0,
                   "run.nonlinear",
                   "true, which only the methods \"stewart_trinkle\" and \"anitescu_potra\" know, not \"" +
                       s.method + "\": leave it out, or use one of them"});
  if (is_impulse_method(s.method) && s.stabilisation != "post" && s.stabilisation != "none")
    out.push_back({{},
                   0,
                   0,
                   "run.stabilisation",
                   "found \"" + s.stabilisation + "\", which the method \"" + s.method +
                       "\" does not have: use \"post\" or \"none\""});
}

}  // namespace

std::vector<Mistake> validate(const RunSettings& s) {
  std::vector<Mistake> out;
  const auto positive = [&](const char* path, double x, const char* unit) {
    if (std::isfinite(x) && x > 0) return;
    out.push_back({{}, 0, 0, path, "found " + number_text(x) + ", must be above 0" + unit});
  };
  positive("run.until", s.until, " s");
  positive("run.step", s.step, " s");
  if (out.empty() && !(s.until / s.step <= most_steps))
    out.push_back({{},
                   0,
                   0,
                   "run.until",
                   "found " + number_text(s.until) + ", which takes " + number_text(s.until / s.step) +
                       " steps of " + number_text(s.step) + " s; at most " + number_text(most_steps) +
                       " can be counted: end earlier, or make the step larger"});
  if (!(s.tolerance >= smallest_tolerance && s.tolerance <= largest_tolerance)) {
    out.push_back({{},
                   0,
                   0,
                   "run.tolerance",
                   "found " + number_text(s.tolerance) + ", must be " + number_text(smallest_tolerance) +
                       " or more and at most " + number_text(largest_tolerance)});
  }
  if (s.threads < 1 || s.threads > most_threads) {
    out.push_back({{},
                   0,
                   0,
                   "run.threads",
                   "found " + std::to_string(s.threads) + ", must be 1 or more and at most " +
                       std::to_string(most_threads) + "; more than the machine has cores are of no use"});
  }
  check_word("run.solver", s.solver, solver_words(), out);
  check_word("run.method", s.method, method_words(), out);
  check_word("run.stabilisation", s.stabilisation, stabilisation_words(), out);
  if (!(s.baumgarte >= 0 && s.baumgarte <= largest_number))
    out.push_back(
        {{}, 0, 0, "run.baumgarte", "found " + number_text(s.baumgarte) + ", must not be below 0 1/s"});
  else if (s.stabilisation == "baumgarte" && s.baumgarte == 0)
    out.push_back({{},
                   0,
                   0,
                   "run.baumgarte",
                   "is missing: the stabilisation \"baumgarte\" has a constant [1/s] to choose; "
                   "\"post\" has none"});
  check_impulse_methods(s, out);
  if (s.sleep && s.method != "coulomb")
    out.push_back({{},
                   0,
                   0,
                   "run.sleep",
                   "only the method \"coulomb\" proves rest; found the method \"" + s.method +
                       "\": leave `sleep` out"});
  return out;
}

std::int64_t steps_until(const RunSettings& settings) {
  const double steps = std::ceil(settings.until / settings.step - 1e-6);
  if (!(steps > 1)) return 1;
  return std::int64_t(std::fmin(steps, most_steps));
}

std::span<const std::string> solver_words() {
  static const std::array<std::string, 3> words{"auto", "newton", "nsgs"};
  return words;
}
std::span<const std::string> method_words() {
  static const std::array<std::string, 15> words{"coulomb",
                                                 "explicit_euler",
                                                 "semi_implicit_euler",
                                                 "implicit_euler",
                                                 "velocity_verlet",
                                                 "rk4",
                                                 "variational",
                                                 "spook",
                                                 "cline_pai",
                                                 "rk4_projected",
                                                 "stewart_trinkle",
                                                 "anitescu_potra",
                                                 "moreau_jean",
                                                 "implicit_geometry",
                                                 "event_driven"};
  return words;
}
std::span<const std::string> activation_words() {
  static const std::array<std::string, 3> words{"checked", "predicted", "touching"};
  return words;
}
std::span<const std::string> stabilisation_words() {
  static const std::array<std::string, 4> words{"post", "baumgarte", "none", "anitescu_hart"};
  return words;
}
bool handles_contact(const std::string& method) {
  return method == "coulomb" || method == "implicit_geometry" || method == "event_driven" ||
         is_impulse_method(method);
}
bool handles_impacts(const std::string& method) {
  return method == "coulomb" || method == "moreau_jean" || method == "event_driven";
}
bool handles_constraints(const std::string& method) {
  return (handles_contact(method) && method != "event_driven") || method == "spook" ||
         method == "cline_pai" || method == "rk4_projected";
}
bool chooses_stabilisation(const std::string& method) {
  return method == "cline_pai" || is_impulse_method(method);
}

bool holds_joints(const RunSettings& settings) {
  return settings.method == "coulomb" || settings.method == "implicit_geometry" ||
         settings.method == "rk4_projected" ||
         (chooses_stabilisation(settings.method) && settings.stabilisation == "post");
}
bool holds_gaps(const RunSettings& settings) {
  return !is_impulse_method(settings.method) || settings.stabilisation == "post" ||
         (settings.method == "stewart_trinkle" && settings.nonlinear);
}
bool has_round_cones(const RunSettings& settings) {
  return settings.method != "stewart_trinkle" && settings.method != "anitescu_potra";
}
bool holds_energy(const RunSettings& settings) {
  return !is_impulse_method(settings.method) && settings.method != "implicit_geometry";
}

namespace {

/// Constraints between a body that a planar joint holds and one that may leave the plane: the default method
/// cannot solve for them yet.
std::vector<Mistake> planes_and_space(const Scene& scene, const std::string& method) {
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
               method +
               "\" cannot solve for: hold both in it, make the plane a constraint of "
               "kind \"planar\", or use the method \"cline_pai\""});
  }
  return mistakes;
}

}  // namespace

namespace {

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

/// Of the method event_driven: planar joints, and those that make trees, without laws.
std::vector<Mistake> joints_that_fly(const Scene& scene) {
  for (const Named<JointDescription>& j : scene.joints) {
    const auto* tree = std::get_if<CoordinateJoint>(&j.value);
    const bool law = tree != nullptr && has_laws(*tree);
    if (std::holds_alternative<PlanarJoint>(j.value) || (tree != nullptr && !law)) continue;
    return {{{},
             0,
             0,
             "run.method",
             "found \"event_driven\", which knows planar joints and joints with coordinates, but \"" +
                 j.name + (law ? "\" has limits, friction or a motor" : "\" is another one") +
                 ": use \"coulomb\""}};
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
std::vector<Mistake> plain_surfaces(const Scene& scene, const std::string& method) {
  const bool grain = is_impulse_method(method);
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
           "found \"" + method + "\", which knows one coefficient of friction for a pair, but " + found +
               " has others, " + (grain ? "" : "a grain, ") +
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
  const std::string path = with_restitution(scene), &method = settings.method;
  if (path.empty() || !handles_contact(method)) return {};
  if (handles_impacts(method)) {
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
           "the method \"" + method +
               "\" stops bodies where they hit: leave out restitution, or use \"coulomb\", \"moreau_jean\" "
               "or \"event_driven\""}};
}

}  // namespace

std::vector<Mistake> validate(const Scene& scene, const RunSettings& settings) {
  if (auto mistakes = check_impacts(scene, settings); !mistakes.empty()) return mistakes;
  if (is_impulse_method(settings.method) || settings.method == "event_driven")
    if (auto mistakes = plain_surfaces(scene, settings.method); !mistakes.empty()) return mistakes;
  if (settings.method == "event_driven") return joints_that_fly(scene);
  if (handles_contact(settings.method)) return planes_and_space(scene, settings.method);
  bool has_joints = false;
  for (const Named<JointDescription>& j : scene.joints) {
    const auto* joint = std::get_if<CoordinateJoint>(&j.value);
    const auto* c = std::get_if<ConstraintJoint>(&j.value);
    has_joints |= c != nullptr || joint != nullptr;
    if (c == nullptr && joint == nullptr && !std::holds_alternative<PlanarJoint>(j.value))
      return {{{},
               0,
               0,
               "run.method",
               "found \"" + settings.method +
                   "\", which does not know gears and joints that bind velocities, but \"" + j.name +
                   "\" is one: use \"coulomb\""}};
    if (c != nullptr && is_on_tree(scene, *c))
      return {{{},
               0,
               0,
               "run.method",
               "found \"" + settings.method +
                   "\", which does not know constraints on links of trees, but \"" + j.name +
                   "\" is one: use \"coulomb\""}};
    if ((c != nullptr && has_laws(*c)) || (joint != nullptr && has_laws(*joint)))
      return {{{},
               0,
               0,
               "run.method",
               "found \"" + settings.method + "\", which is for smooth motion, but the joint \"" + j.name +
                   "\" has limits, friction or a motor: use \"coulomb\""}};
    if (c != nullptr && !handles_constraints(settings.method))
      return {{{},
               0,
               0,
               "run.method",
               "found \"" + settings.method + "\", which does not know constraints, but the " +
                   std::string(constraints::name_of(c->kind)) + " joint \"" + j.name +
                   "\" is one: use \"coulomb\" or \"rk4_projected\", or make it a coordinate joint"}};
    if (c != nullptr && (c->compliance > 0 || c->angular_compliance > 0 || c->break_force > 0 ||
                         c->break_torque > 0 || !c->stiffness.empty() || !c->damping.empty()))
      return {{{},
               0,
               0,
               "run.method",
               "found \"" + settings.method + "\", whose joints neither give way nor break, but the " +
                   std::string(constraints::name_of(c->kind)) + " joint \"" + j.name +
                   "\" does: use \"coulomb\""}};
    if (joint != nullptr && settings.method == "implicit_euler")
      return {{{},
               0,
               0,
               "run.method",
               "found \"implicit_euler\", which does not know trees, but the " +
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
                 "found \"" + settings.method + "\", which is for smooth motion, but the bodies \"" + a.name +
                     "\" and \"" + b.name +
                     "\" can touch: use \"coulomb\", or give bodies that never touch \"collides\": false, or "
                     "one \"group\""}};
  }
  return {};
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

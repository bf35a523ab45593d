// Mistakes of gears, and of joints that bind velocities.
#include <algorithm>

#include "stiction/model/detail/checker.h"
#include "stiction/model/detail/compile_trees.h"
#include "stiction/model/gear_loops.h"

namespace stiction::detail {
namespace {

constexpr double flat = 1e-6;  // [rad] between the axis of a disc and the normal of its plane

/// How many coordinates a gear may take of a joint.
int coordinates_of(const JointDescription& joint) {
  if (const auto* c = std::get_if<CoordinateJoint>(&joint))
    return c->kind == tree::JointKind::spherical || c->kind == tree::JointKind::free
               ? 0
               : tree::dof_count(c->kind);
  const auto* c = std::get_if<ConstraintJoint>(&joint);
  if (c == nullptr || int(c->kind) >= constraints::kind_count) return 0;
  return c->kind == constraints::Kind::ball ? 1 : constraints::coordinate_count(c->kind);
}

}  // namespace

void Checker::check_geared(const std::string& path, const std::string& joint, int coordinate) {
  std::vector<std::string> names;
  for (const auto& j : scene.joints) names.push_back(j.name);
  const auto found = std::find(names.begin(), names.end(), joint);
  if (found == names.end()) {
    add(path, joint.empty() ? "no joint is named here, one is needed"
                            : "there is no joint \"" + joint + "\"" + did_you_mean(joint, names));
    return;
  }
  const int count = coordinates_of(scene.joints[std::size_t(found - names.begin())].value);
  if (count == 0)
    add(path, "the joint \"" + joint + "\" has no coordinate that a gear could take");
  else if (coordinate < 0 || coordinate >= count)
    add(path + "_coordinate",
        "found " + std::to_string(coordinate) + ", the joint \"" + joint + "\" has " +
            (count == 1 ? "the coordinate 0 only" : "coordinates 0 to " + std::to_string(count - 1)));
}

void Checker::check_gear(const std::string& name, const GearJoint& gear) {
  for (const auto& other : scene.joints)
    if (other.name == name + ".second")
      add("joints." + other.name, "this is the name under which the second reaction of the gear \"" + name +
                                      "\" is read: give the joint another name");
  const std::string path = "joints." + name + ".gear";
  check_geared(path + ".first", gear.first, gear.first_coordinate);
  check_geared(path + ".second", gear.second, gear.second_coordinate);
  if (!std::isfinite(gear.ratio) || gear.ratio == 0)
    add(path + ".ratio", "found " + number_text(gear.ratio) + ", must be a number other than 0");
  if (!gear.first.empty() && gear.first == gear.second && gear.first_coordinate == gear.second_coordinate)
    add(path + ".second", "it is the coordinate of `first`: a gear joins two");
}

void Checker::check_gear_loops() {
  for (const GearLoop& loop : gear_loops(scene)) {
    if (loop.fits) continue;
    const auto& [name, value] = scene.joints[std::size_t(loop.joint)];
    const auto& gear = std::get<GearJoint>(value);
    add("joints." + name + ".gear.ratio",
        "found " + number_text(gear.ratio) + ", but other gears hold \"" + gear.first + "\" and \"" +
            gear.second + "\" at a ratio of " + number_text(loop.ratio) +
            " already: together they would lock. Make it that, or take one of the gears out");
  }
}

bool Checker::check_pair(const std::string& path, const std::string& wanted, const std::string& parent,
                         bool turns) {
  const BodyDescription* b = body(path + ".body", wanted);
  const BodyDescription* a = parent.empty() ? nullptr : body(path + ".parent", parent);
  if (b == nullptr || (a == nullptr && !parent.empty())) return false;
  if (parent == wanted) {
    add(path + ".parent", "the body \"" + wanted + "\" cannot be joined to itself");
    return false;
  }
  if (b->kind != dynamic && (a == nullptr || a->kind != dynamic)) {
    add(path + ".body", "neither of the two is a dynamic body, one has to be");
    return false;
  }
  if (turns && b->particle) add(path + ".body", "a particle does not turn: it takes a body that does");
  return true;
}

void Checker::check_rolling(const std::string& name, const RollingJoint& joint) {
  const std::string path = "joints." + name + ".rolling";
  check_pair(path, joint.body, joint.parent, true);
  positive(path + ".radius", joint.radius, " m");
  if (joint.at) finite(path + ".at", *joint.at);
  const bool fine = direction(path + ".normal", joint.normal);
  if (joint.kind != RollingJoint::Kind::disc || !direction(path + ".axis", joint.axis) || !fine) return;
  if (!(norm(cross(normalized(joint.axis), normalized(joint.normal))) > flat))
    add(path + ".axis", "found " + vec_text(joint.axis) + ", along the normal " + vec_text(joint.normal) +
                            ": a disc that lies flat does not roll on its rim");
}

void Checker::check_knife_edge(const std::string& name, const KnifeEdgeJoint& joint) {
  const std::string path = "joints." + name + ".knife_edge";
  check_pair(path, joint.body, joint.parent, true);
  if (joint.at) finite(path + ".at", *joint.at);
  direction(path + ".across", joint.across);
}

void Checker::check_pfaffian(const std::string& name, const PfaffianJoint& joint) {
  const std::string path = "joints." + name + ".pfaffian";
  check_pair(path, joint.body, joint.parent, false);
  finite(path + ".drift", joint.drift);
  const bool fine = int(finite(path + ".linear", joint.linear)) &
                    int(finite(path + ".angular", joint.angular)) &
                    int(finite(path + ".parent_linear", joint.parent_linear)) &
                    int(finite(path + ".parent_angular", joint.parent_angular));
  if (fine && joint.linear == Vec3{} && joint.angular == Vec3{})
    add(path + ".linear", "found no coefficient for the body: give `linear`, `angular`, or both");
  // what would have no effect is a mistake
  const auto parent = bodies.find(joint.parent);
  if (joint.parent.empty() || (parent != bodies.end() && parent->second->kind == fixed)) {
    const std::string none = (joint.parent.empty() ? "the joint has no parent, and the world"
                                                   : "the parent \"" + joint.parent + "\" is static and") +
                             std::string(" does not move. Name a parent that does, or leave this out");
    if (joint.parent_linear != Vec3{}) add(path + ".parent_linear", none);
    if (joint.parent_angular != Vec3{}) add(path + ".parent_angular", none);
  }
  if (joint.parent.empty() && joint.axes == constraints::Pfaffian::Axes::a)
    add(path + ".axes", "found parent, but the joint has none: must be world or body");
  const auto turning = [&](const char* field, const std::string& of, const Vec3& coefficients) {
    const auto found = bodies.find(of);
    if (found != bodies.end() && found->second->particle && coefficients != Vec3{})
      add(path + field, "the body \"" + of + "\" is a particle, which does not turn: leave this out");
  };
  turning(".angular", joint.body, joint.angular);
  turning(".parent_angular", joint.parent, joint.parent_angular);
}

std::vector<Mistake> check_gears(const Model& m) {
  const auto owner = [&](int body) {
    const auto i = std::size_t(body);
    if (m.link[i] >= 0) return std::pair{0, m.trees.forest.tree_of[std::size_t(m.link[i])]};
    const int l = m.mechanisms.empty() ? -1 : m.mechanisms.linkage_of[i];
    if (l >= 0 && m.mechanisms.linkage[std::size_t(l)].dofs <= most_linkage_dofs) return std::pair{1, l};
    return std::pair{2, body};
  };
  for (const ModelLaw& law : m.laws) {
    if (law.kind != ModelLaw::Kind::gear) continue;
    std::set<std::pair<int, int>> owners;
    for (const ModelLaw* part : {&law, &m.laws[std::size_t(law.partner)]}) {
      if (part->of_tree()) owners.insert(owner(m.trees.body[std::size_t(part->link)]));
      for (const int body : {part->a, part->b})
        if (body >= 0 && m.mobility[std::size_t(body)] != Mobility::none) owners.insert(owner(body));
    }
    if (owners.size() > 2)
      return {{{},
               0,
               0,
               "joints." + m.scene.joints[std::size_t(law.joint)].name + ".gear",
               "it acts on more than two groups of bodies: a gear takes joints of trees, or of bodies that "
               "constraints join to at most " +
                   std::to_string(most_linkage_dofs) +
                   " velocities together, but no constraint between a tree and what moves beside it"}};
  }
  return {};
}

}  // namespace stiction::detail

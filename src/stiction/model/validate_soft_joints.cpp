// Mistakes of constraint joints that give way or break, and linkages of them that are too large for contact.
#include "stiction/model/detail/checker.h"
#include "stiction/model/detail/compile_trees.h"

namespace stiction::detail {
namespace {

/// Whether a kind has rows that are angles.
bool has_angles(constraints::Kind kind) {
  using constraints::Kind;
  return kind != Kind::ball && kind != Kind::distance && kind != Kind::point_on_line &&
         kind != Kind::point_on_plane && kind != Kind::point_on_curve;
}

}  // namespace

void Checker::check_softness(const std::string& path, const ConstraintJoint& joint) {
  const std::string kind = constraints::name_of(joint.kind);
  not_negative(path + ".compliance", joint.compliance, " m/N");
  not_negative(path + ".angular_compliance", joint.angular_compliance, " rad/(N m)");
  not_negative(path + ".damping_time", joint.damping_time, " s");
  not_negative(path + ".break_force", joint.break_force, " N");
  not_negative(path + ".break_torque", joint.break_torque, " N m");
  if (joint.angular_compliance != 0 && !has_angles(joint.kind))
    add(path + ".angular_compliance", "a " + kind + " holds no angle: only `compliance` acts on it");
  if (joint.damping_time != 0 && joint.compliance == 0 && joint.angular_compliance == 0)
    add(path + ".damping_time", "nothing to damp in a rigid joint: give a `compliance` as well");
  const auto coordinates = std::size_t(constraints::coordinate_count(joint.kind));
  const auto list = [&](const char* key, const std::vector<double>& numbers, bool is_place) {
    if (numbers.empty()) return;
    const std::string place = path + key;
    if (coordinates == 0) {
      add(place, "a " + kind + " has no coordinates that a spring or damper could act on");
      return;
    }
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const std::string at = numbers.size() == 1 ? place : place + "." + std::to_string(i);
      is_place ? finite(at, numbers[i]) : not_negative(at, numbers[i], "");
    }
    if (numbers.size() != coordinates && (numbers.size() != 1 || is_place))
      add(place, "found " + std::to_string(numbers.size()) +
                     (numbers.size() == 1 ? " number, a " : " numbers, a ") + kind + " has " +
                     std::to_string(coordinates) + (coordinates == 1 ? " coordinate" : " coordinates"));
  };
  list(".stiffness", joint.stiffness, false);
  list(".rest", joint.rest, true);
  list(".damping", joint.damping, false);
}

std::vector<Mistake> check_linkages(const Model& m) {
  const ModelMechanisms& all = m.mechanisms;
  for (const ModelLinkage& linkage : all.linkage) {
    if (linkage.dofs <= most_linkage_dofs) continue;
    bool touches = false;
    for (const int body : all.mechanism[std::size_t(linkage.mechanism)].body)
      touches |= m.collides[std::size_t(body)] != 0;
    if (!touches) continue;
    for (const int j : linkage.constraint) {
      const ModelConstraint& c = all.constraint[std::size_t(j)];
      for (int r = c.row_begin; r < c.row_end; ++r)
        if (all.softness[std::size_t(r)].is_soft())
          return {{{},
                   0,
                   0,
                   "joints." + m.scene.joints[std::size_t(c.joint)].name + ".constraint",
                   "it gives way, and is one of the joints of bodies that can touch others and have " +
                       std::to_string(linkage.dofs) + " velocities together: contact takes at most " +
                       std::to_string(most_linkage_dofs) +
                       " of them with such joints. Make all of these joints rigid, or let none of the "
                       "bodies collide"}};
    }
  }
  return {};
}

}  // namespace stiction::detail

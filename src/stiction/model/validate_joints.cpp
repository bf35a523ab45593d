// Mistakes of joints: bodies that cannot have them, trees that close on themselves, numbers that do not fit
// the kind. (Starts that contradict the joint: compile_trees.cpp.)
#include "stiction/model/detail/checker.h"

namespace stiction::detail {
namespace {

using tree::JointKind;

constexpr double right_angle_slack = 1e-9;  // [rad] between the axes of a joint

bool has_axis(JointKind kind) { return kind != JointKind::fixed && kind != JointKind::spherical; }
bool has_second_axis(JointKind kind) { return kind == JointKind::universal || kind == JointKind::planar; }

std::string count_text(std::size_t n) { return std::to_string(n) + (n == 1 ? " number" : " numbers"); }

}  // namespace

void Checker::check_planar(const std::string& name, const PlanarJoint& planar) {
  const std::string path = "joints." + name + ".planar";
  const bool normal_fine = direction(path + ".normal", planar.normal);
  const BodyDescription* b = jointed_body(path + ".body", name, planar.body, "planar");
  if (b == nullptr || !normal_fine || !is_finite(b->velocity) || !is_finite(b->spin)) return;
  const Vec3 n = normalized(planar.normal);
  if (std::fabs(dot(b->velocity, n)) > planar_slack * norm(b->velocity)) {
    add("bodies." + planar.body + ".velocity", "found " + vec_text(b->velocity) +
                                                   ", which leaves the plane of the joint \"" + name +
                                                   "\" with normal " + vec_text(planar.normal));
  }
  if (norm(cross(b->spin, n)) > planar_slack * norm(b->spin)) {
    add("bodies." + planar.body + ".spin", "found " + vec_text(b->spin) + ", must be along the normal " +
                                               vec_text(planar.normal) + " of the joint \"" + name + "\"");
  }
}

const BodyDescription* Checker::jointed_body(const std::string& path, const std::string& joint,
                                             const std::string& wanted, const std::string& kind) {
  const BodyDescription* b = body(path, wanted);
  if (b == nullptr) return nullptr;
  const std::string takes = ", a " + kind + " joint takes a body that ";
  if (b->kind != dynamic) {
    add(path, "the body \"" + wanted + "\" is " + (b->kind == fixed ? "static" : "kinematic") + takes +
                  "moves freely");
    return nullptr;
  }
  if (b->particle) {
    add(path, "the body \"" + wanted + "\" is a particle" + takes + "turns");
    return nullptr;
  }
  const auto [first, is_new] = joint_of.emplace(wanted, joint);
  if (is_new) return b;
  add(path, "the body \"" + wanted + "\" already has the joint \"" + first->second +
                "\": a body hangs on one joint, others may hang on it");
  return nullptr;
}

void Checker::check_joint(const std::string& name, const CoordinateJoint& joint) {
  const std::string kind = tree::name_of(joint.kind), path = "joints." + name + "." + kind;
  if (joint.kind == JointKind::free) {
    add("joints." + name, "a body without a joint is free: leave this one out");
    return;
  }
  if (joint.at) finite(path + ".at", *joint.at);
  if (has_axis(joint.kind) && direction(path + ".axis", joint.axis) && has_second_axis(joint.kind) &&
      finite(path + ".second_axis", joint.second_axis) && norm(joint.second_axis) > 0 &&
      !(std::fabs(dot(joint.axis, joint.second_axis)) <=
        right_angle_slack * norm(joint.axis) * norm(joint.second_axis))) {
    add(path + ".second_axis", "found " + vec_text(joint.second_axis) +
                                   ", must be at right angles to the axis " + vec_text(joint.axis));
  }
  finite(path + ".pitch", joint.pitch);
  if (joint.pitch != 0 && joint.kind != JointKind::screw)
    add(path + ".pitch", "only a screw joint has a pitch");
  check_joint_numbers(path, joint);
  check_joint_forces(path, joint);
  const bool ball = joint.kind == JointKind::spherical;
  check_laws({.path = path,
              .joint = "a " + kind + " joint",
              .count = ball ? 0 : std::size_t(tree::dof_count(joint.kind))},
             joint.limits, joint.motor, joint.friction);
  jointed_body(path + ".body", name, joint.body, kind);
  if (joint.parent.empty()) return;
  const BodyDescription* parent = body(path + ".parent", joint.parent);
  if (parent == nullptr) return;
  if (joint.parent == joint.body) {
    add(path + ".parent", "the body \"" + joint.body + "\" cannot hang on itself");
  } else if (parent->kind == kinematic) {
    add(path + ".parent",
        "the body \"" + joint.parent +
            "\" is kinematic: a tree hangs on the world, a static body or one that moves freely");
  } else if (parent->particle) {
    add(path + ".parent", "the body \"" + joint.parent + "\" is a particle: a link of a tree turns");
  }
}

void Checker::check_curve(const std::string& path, const ConstraintJoint& joint) {
  for (std::size_t i = 0; i < joint.points.size(); ++i)
    if (!finite(path + "." + std::to_string(i), joint.points[i])) return;
  const Result<constraints::Curve> made =
      joint.curve == constraints::CurveKind::polyline
          ? constraints::make_polyline(joint.points, joint.closed)
          : constraints::make_spline(joint.points, joint.closed ? constraints::CurveEnds::closed
                                                                : constraints::CurveEnds::natural);
  if (!made) add(path, made.mistakes()[0].message);
}

void Checker::check_constraint(const std::string& name, const ConstraintJoint& joint) {
  using constraints::Kind;
  const std::string path = "joints." + name + ".constraint";
  if (int(joint.kind) >= constraints::kind_count) {
    add(path + ".kind", "there is no such kind of constraint");
    return;
  }
  const std::string kind = constraints::name_of(joint.kind);
  const bool on_curve = joint.kind == Kind::point_on_curve;
  const bool has_axes = joint.kind != Kind::ball && joint.kind != Kind::distance && !on_curve;
  if (joint.at) finite(path + ".at", *joint.at);
  if (joint.parent_at) finite(path + ".parent_at", *joint.parent_at);
  if (has_axes && direction(path + ".axis", joint.axis) && finite(path + ".second_axis", joint.second_axis) &&
      norm(joint.second_axis) > 0 &&
      !(std::fabs(dot(joint.axis, joint.second_axis)) <=
        right_angle_slack * norm(joint.axis) * norm(joint.second_axis)))
    add(path + ".second_axis", "found " + vec_text(joint.second_axis) +
                                   ", must be at right angles to the axis " + vec_text(joint.axis));
  finite(path + ".pitch", joint.pitch);
  if (joint.pitch != 0 && joint.kind != Kind::screw) add(path + ".pitch", "only a screw has a pitch");
  not_negative(path + ".length", joint.length, " m");
  if (joint.length != 0 && joint.kind != Kind::distance)
    add(path + ".length", "only a distance has a length");
  check_softness(path, joint);
  if (on_curve)
    check_curve(path + ".points", joint);
  else if (!joint.points.empty())
    add(path + ".points", "only point_on_curve has points");
  const bool ball = joint.kind == Kind::ball;
  if (ball && joint.limits.swing + double(joint.limits.lower.size() + joint.limits.upper.size()) > 0)
    direction(path + ".axis", joint.axis);
  check_laws({.path = path,
              .joint = "a " + kind,
              .count = ball ? 1 : std::size_t(constraints::coordinate_count(joint.kind)),
              .only_limits = ball,
              .has_swing = ball},
             joint.limits, joint.motor, joint.friction);
  const BodyDescription* b = body(path + ".body", joint.body);
  const BodyDescription* a = joint.parent.empty() ? nullptr : body(path + ".parent", joint.parent);
  if (b == nullptr || (a == nullptr && !joint.parent.empty())) return;
  const bool soft = joint.compliance > 0 || joint.angular_compliance > 0 || joint.break_force > 0 ||
                    joint.break_torque > 0 || !joint.stiffness.empty() || !joint.damping.empty();
  for (const auto& other : scene.joints) {
    const auto* tree = std::get_if<CoordinateJoint>(&other.value);
    if (tree == nullptr || (!soft && joint.kind != Kind::point_on_curve)) continue;
    for (const auto& [one, called] : {std::pair{b, joint.body}, std::pair{a, joint.parent}})
      if (one != nullptr && one->kind == dynamic && (called == tree->body || called == tree->parent)) {
        add(path,
            "the body \"" + called + "\" is part of a tree (the joint \"" + other.name +
                "\"): there a constraint neither gives way nor breaks, and is no curve; make both joints "
                "constraints");
        return;
      }
  }
  if (joint.parent == joint.body) {
    add(path + ".parent", "the body \"" + joint.body + "\" cannot be joined to itself");
  } else if (b->kind != dynamic && (a == nullptr || a->kind != dynamic)) {
    add(path + ".body", "neither of the two is a dynamic body, one has to be");
  }
  const bool turns = joint.kind != Kind::ball && joint.kind != Kind::distance &&
                     joint.kind != Kind::point_on_line && joint.kind != Kind::point_on_plane && !on_curve;
  for (const auto& [key, one] : {std::pair{".body", b}, std::pair{".parent", a}})
    if (one != nullptr && one->particle && turns)
      add(path + key, "a particle does not turn: a " + kind + " takes a body that does");
  const Vec3 at = joint.at.value_or(b->position), other = joint.parent_at.value_or(at);
  if (joint.kind == Kind::distance && joint.length == 0 && !(norm(at - other) > 0))
    add(path + ".length", "the two points are at the same place: give a length, or `parent_at`");
}

void Checker::check_laws(const LawPlaces& of, const JointLimits& limits, const JointMotor& motor,
                         const std::vector<double>& friction) {
  const auto list = [&](const std::string& key, const std::vector<double>& x, bool may_be_negative) {
    const std::string place = of.path + key;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const std::string at = x.size() == 1 ? place : place + "." + std::to_string(i);
      const bool limit = key.starts_with(".limits");  // these may be infinite: none
      if (std::isnan(x[i]) || (!limit && std::isinf(x[i])) || (!may_be_negative && !(x[i] >= 0)))
        add(at,
            "found " + number_text(x[i]) + ", must be a number" + (may_be_negative ? "" : " of 0 or more"));
    }
    if (x.empty()) return;
    if (of.count == 0)
      add(place, of.joint + " has no coordinate that this could be for" +
                     (of.joint == "a spherical joint" ? ": use a constraint of kind ball for limits" : ""));
    else if (x.size() != of.count && x.size() != 1)
      add(place, "found " + count_text(x.size()) + ", " + of.joint + " leaves " + std::to_string(of.count) +
                     (of.count == 1 ? " coordinate free" : " coordinates free"));
  };
  list(".limits.lower", limits.lower, true), list(".limits.upper", limits.upper, true);
  list(".friction", friction, false), list(".motor.force", motor.force, false);
  list(".motor.position", motor.position, true);
  list(".motor.speed", motor.speed, motor.position.empty());
  const auto at = [](const std::vector<double>& x, std::size_t i) { return x.size() == 1 ? x[0] : x[i]; };
  const auto fits = [&](const std::vector<double>& x) { return x.size() == 1 || x.size() == of.count; };
  if (fits(limits.lower) && fits(limits.upper))
    for (std::size_t i = 0; i < of.count; ++i)
      if (at(limits.lower, i) > at(limits.upper, i))
        add(of.path + ".limits.upper", "found " + number_text(at(limits.upper, i)) +
                                           ", below the lower limit " + number_text(at(limits.lower, i)));
  if (!(limits.restitution >= 0 && limits.restitution <= 1))
    add(of.path + ".limits.restitution",
        "found " + number_text(limits.restitution) + ", must be from 0 to 1");
  if (limits.swing != 0 && !of.has_swing)
    add(of.path + ".limits.swing", "only a constraint of kind ball has one");
  else if (!(limits.swing >= 0 && limits.swing < 3.14159265358979))
    add(of.path + ".limits.swing",
        "found " + number_text(limits.swing) + ", must be 0 (none) or more, and below pi");
  if (of.only_limits && (!motor.force.empty() || !friction.empty()))
    add(of.path + (friction.empty() ? ".motor" : ".friction"),
        of.joint + " has none: it turns about any axis");
  if (motor.force.empty() != (motor.speed.empty() && motor.position.empty()))
    add(of.path + ".motor", motor.force.empty() ? "a motor needs `force`, the largest that it has"
                                                : "a motor needs `speed` or `position` to reach");
}

void Checker::check_joint_numbers(const std::string& path, const CoordinateJoint& joint) {
  const auto dofs = std::size_t(tree::dof_count(joint.kind)),
             coordinates = std::size_t(tree::coordinate_count(joint.kind));
  const auto a_joint = std::string("a ") + tree::name_of(joint.kind) + " joint";
  const auto per_dof = [&](const char* key, const std::vector<double>& list, bool may_be_negative) {
    const std::string place = path + key;
    for (std::size_t i = 0; i < list.size(); ++i) {
      const std::string at = list.size() == 1 ? place : place + "." + std::to_string(i);
      may_be_negative ? finite(at, list[i]) : not_negative(at, list[i], "");
    }
    const bool one_for_all = list.size() == 1 && dofs > 0 && !may_be_negative;
    if (!list.empty() && list.size() != dofs && !one_for_all)
      add(place, "found " + count_text(list.size()) + ", " + a_joint + " has " + std::to_string(dofs) +
                     (dofs == 1 ? " velocity" : " velocities"));
    else if (!may_be_negative && joint.kind == JointKind::spherical && list.size() == 3 &&
             (list[0] != list[1] || list[0] != list[2]))
      add(place, "the three values of a spherical joint must be equal");
  };
  const auto place_of = [&](const char* key, const std::vector<double>& q) {
    const std::string place = path + key;
    bool fine = true;
    for (const double x : q) fine = finite(place, x) && fine;
    if (!fine || q.empty()) return;
    if (q.size() != coordinates)
      add(place, "found " + count_text(q.size()) + ", " + a_joint + " has " + std::to_string(coordinates) +
                     (coordinates == 1 ? " coordinate" : " coordinates") +
                     (joint.kind == JointKind::spherical ? ": a quaternion [w, x, y, z]" : ""));
    else if (joint.kind == JointKind::spherical)
      rotation(place, {q[0], q[1], q[2], q[3]});
  };
  place_of(".position", joint.position);
  place_of(".rest", joint.rest);
  per_dof(".velocity", joint.velocity, true);
  per_dof(".stiffness", joint.stiffness, false);
  per_dof(".damping", joint.damping, false);
}

void Checker::check_joint_forces(const std::string& path, const CoordinateJoint& joint) {
  const auto dofs = std::size_t(tree::dof_count(joint.kind));
  increasing(path + ".time", joint.time);
  if (joint.time.size() == 1)
    add(path + ".time", "found 1 row, a table needs at least two; leave `time` out for a constant force");
  if (joint.force.empty()) {
    if (!joint.time.empty()) add(path + ".time", "a table of times without `force`");
    return;
  }
  if (joint.time.empty() && joint.force.size() != 1) {
    add(path + ".force", "found " + std::to_string(joint.force.size()) + " rows without `time`, must be one");
    return;
  }
  if (!joint.time.empty()) rows(path + ".force", joint.force, joint.time.size());
  for (std::size_t r = 0; r < joint.force.size(); ++r) {
    const std::string place = joint.time.empty() ? path + ".force" : path + ".force." + std::to_string(r);
    for (const double x : joint.force[r]) finite(place, x);
    if (joint.force[r].size() != dofs) {
      add(place, "found " + count_text(joint.force[r].size()) + ", a " + tree::name_of(joint.kind) +
                     " joint takes " + std::to_string(dofs));
      return;
    }
  }
}

/// Follows parents up from every joint; a walk that meets itself is reported once, at its first joint.
void Checker::check_cycles() {
  std::map<std::string, const Named<JointDescription>*> above;
  for (const auto& j : scene.joints)
    if (const auto* joint = std::get_if<CoordinateJoint>(&j.value);
        joint != nullptr && joint->body != joint->parent)
      above.emplace(joint->body, &j);
  std::set<std::string> done;
  for (const auto& j : scene.joints) {
    const auto* joint = std::get_if<CoordinateJoint>(&j.value);
    if (joint == nullptr) continue;
    std::set<std::string> walk;
    std::string at = joint->body;
    while (above.contains(at) && !done.contains(at) && walk.insert(at).second)
      at = std::get<CoordinateJoint>(above.at(at)->value).parent;
    if (walk.contains(at) && !done.contains(at)) {
      std::string text = at;
      for (std::string next = at; text.size() < 1000;) {
        next = std::get<CoordinateJoint>(above.at(next)->value).parent;
        text += " -> " + next;
        if (next == at) break;
      }
      const auto& closing = *above.at(at);
      add("joints." + closing.name + "." + tree::name_of(std::get<CoordinateJoint>(closing.value).kind) +
              ".parent",
          "the bodies hang on themselves: " + text + "; a tree has no cycle");
    }
    done.insert(walk.begin(), walk.end());
  }
}

void Checker::check_joints() {
  for (const auto& j : scene.joints) {
    if (const auto* planar = std::get_if<PlanarJoint>(&j.value)) check_planar(j.name, *planar);
    if (const auto* joint = std::get_if<CoordinateJoint>(&j.value)) check_joint(j.name, *joint);
    if (const auto* joint = std::get_if<ConstraintJoint>(&j.value)) check_constraint(j.name, *joint);
    if (const auto* joint = std::get_if<GearJoint>(&j.value)) check_gear(j.name, *joint);
    if (const auto* joint = std::get_if<RollingJoint>(&j.value)) check_rolling(j.name, *joint);
    if (const auto* joint = std::get_if<KnifeEdgeJoint>(&j.value)) check_knife_edge(j.name, *joint);
    if (const auto* joint = std::get_if<PfaffianJoint>(&j.value)) check_pfaffian(j.name, *joint);
  }
  check_gear_loops();
  check_cycles();
}

}  // namespace stiction::detail

// The joints of the scene format.
#include "stiction/constraints/joint_rows.h"
#include "stiction/formats/detail/sections.h"

namespace stiction::formats {
namespace {

const Rule body_rule{
    .key = "body", .type = Type::text, .required = true, .doc = "Name of the body that hangs on it."};
const Rule parent_rule{.key = "parent",
                       .type = Type::text,
                       .fallback = "the world",
                       .doc =
                           "Body that it hangs on; a static one is part of the world. The two do not touch "
                           "each other."};
const Rule at_rule{.key = "at",
                   .type = Type::vector,
                   .unit = "m",
                   .fallback = "the body's `at`",
                   .doc = "A point of the joint, in world coordinates, with all bodies at their `at`."};
const Rule axis_rule{.key = "axis",
                     .type = Type::direction,
                     .fallback = "[0, 0, 1]",
                     .doc = "World axes, with all bodies turned as their `orientation` says; of any length."};

Rule second_axis_rule(const char* doc) {
  return {.key = "second_axis", .type = Type::vector, .fallback = "any at right angles", .doc = doc};
}

const Section limits_section{
    "limits",
    "joints.NAME.KIND.limits",
    "How far a joint may go, for each coordinate that it leaves free: one number for all, or one each.",
    Form::keys,
    {{.key = "lower",
      .type = Type::scalars,
      .unit = "m, rad",
      .fallback = "none",
      .doc = "Smallest value; -1e30 is none."},
     {.key = "upper",
      .type = Type::scalars,
      .unit = "m, rad",
      .fallback = "none",
      .doc = "Largest value; 1e30 is none."},
     {.key = "restitution",
      .range = not_negative,
      .fallback = "0",
      .doc = "Speed after over speed before, where a limit is hit; at most 1."},
     {.key = "swing",
      .unit = "rad",
      .range = not_negative,
      .fallback = "none",
      .doc =
          "Constraints of kind ball: the largest angle between the axis of the body and that of the parent; "
          "`lower` and `upper` are then for the twist about it."}}};
const Section motor_section{
    "motor",
    "joints.NAME.KIND.motor",
    "Drives a joint to a speed or to a place with a force that is at most `force`: one number for all "
    "coordinates, or one each.",
    Form::keys,
    {{.key = "force",
      .type = Type::scalars,
      .unit = "N, N m",
      .range = not_negative,
      .required = true,
      .doc = "The largest force or torque."},
     {.key = "speed",
      .type = Type::scalars,
      .unit = "m/s, rad/s",
      .fallback = "none",
      .doc = "To reach and keep; with `position`: the fastest way there."},
     {.key = "position",
      .type = Type::scalars,
      .unit = "m, rad",
      .fallback = "none",
      .doc = "To reach and keep."}}};

/// Laws that every joint with coordinates may have.
std::vector<Rule> with_laws(std::vector<Rule> rules) {
  rules.insert(rules.end(),
               {{.key = "limits",
                 .type = Type::section,
                 .fallback = "none",
                 .doc = "How far it may go.",
                 .section = &limits_section},
                {.key = "motor",
                 .type = Type::section,
                 .fallback = "none",
                 .doc = "What drives it.",
                 .section = &motor_section},
                {.key = "friction",
                 .type = Type::scalars,
                 .unit = "N, N m",
                 .range = not_negative,
                 .fallback = "0",
                 .doc = "Dry friction, whatever the load: one number for all coordinates, or one each."}});
  return rules;
}

/// Springs, dampers and forces that every joint with coordinates may have.
std::vector<Rule> with_forces(std::vector<Rule> rules, const char* rest = "As many numbers as coordinates.") {
  rules.insert(rules.end(),
               {{.key = "stiffness",
                 .type = Type::scalars,
                 .unit = "N/m, N m/rad",
                 .range = not_negative,
                 .fallback = "0",
                 .doc = "Spring against `rest`: one number for all velocities, or one each."},
                {.key = "rest", .type = Type::scalars, .unit = "m, rad", .fallback = "0", .doc = rest},
                {.key = "damping",
                 .type = Type::scalars,
                 .unit = "N s/m, N m s/rad",
                 .range = not_negative,
                 .fallback = "0",
                 .doc = "One number for all velocities, or one each."},
                {.key = "force",
                 .type = Type::scalar_table,
                 .unit = "N, N m",
                 .fallback = "0",
                 .doc = "Force or torque on the body along each velocity (a motor); with `time`, one "
                        "row for each time."},
                {.key = "time",
                 .type = Type::numbers,
                 .unit = "s",
                 .fallback = "constant",
                 .doc = "Times of the rows of `force`, increasing; zero outside of them."}});
  return with_laws(std::move(rules));
}

const Section planar_section{
    "planar", "joints.NAME.planar",
    "The body moves in the plane through its first position: two translations, one rotation. With nothing "
    "but "
    "`body` and `normal`, and nothing hung on it, the body is no tree and costs like a free one.",
    Form::keys,
    with_forces({{.key = "body", .type = Type::text, .required = true, .doc = "Name of the body."},
                 {.key = "normal",
                  .type = Type::direction,
                  .fallback = "[0, 1, 0]",
                  .doc = "Normal of the plane, world axes; of any length."},
                 parent_rule,
                 at_rule,
                 second_axis_rule("Direction of the first coordinate; the angle comes last.")})};

const Section fixed_section{"fixed",
                            "joints.NAME.fixed",
                            "Glue: the body does not move against what it hangs on.",
                            Form::keys,
                            {body_rule, parent_rule, at_rule}};
const Section revolute_section{"revolute", "joints.NAME.revolute", "A hinge: one angle about the axis.",
                               Form::keys, with_forces({body_rule, parent_rule, at_rule, axis_rule})};
const Section prismatic_section{"prismatic", "joints.NAME.prismatic",
                                "A slider: one distance along the axis.", Form::keys,
                                with_forces({body_rule, parent_rule, at_rule, axis_rule})};
const Section cylindrical_section{"cylindrical", "joints.NAME.cylindrical",
                                  "A distance along the axis and an angle about it.", Form::keys,
                                  with_forces({body_rule, parent_rule, at_rule, axis_rule})};
const Section screw_section{
    "screw", "joints.NAME.screw",
    "One angle about the axis; the body goes along it by the pitch times the angle.", Form::keys,
    with_forces(
        {body_rule,
         parent_rule,
         at_rule,
         axis_rule,
         {.key = "pitch", .unit = "m/rad", .fallback = "0", .doc = "Way along the axis per angle."}})};
const Section universal_section{
    "universal", "joints.NAME.universal",
    "Two angles: about the axis, then about the second axis, which the first turn carries along.", Form::keys,
    with_forces(
        {body_rule, parent_rule, at_rule, axis_rule, second_axis_rule("At right angles to the axis.")})};
const Section spherical_section{"spherical", "joints.NAME.spherical",
                                "A ball joint: any turn about the point `at`. Its velocity is an angular "
                                "velocity in the axes that the body "
                                "has where it is not turned, carried along by what it hangs on.",
                                Form::keys,
                                with_forces({body_rule, parent_rule, at_rule}, "A quaternion [w, x, y, z].")};

std::span<const std::string> constraint_words() {
  static const std::vector<std::string> words = [] {
    std::vector<std::string> out;
    for (int i = 0; i < constraints::kind_count; ++i)
      out.emplace_back(constraints::name_of(constraints::Kind(i)));
    return out;
  }();
  return words;
}
std::span<const std::string> curve_words() {
  static const std::vector<std::string> words{"spline", "polyline"};
  return words;
}

const Section constraint_section{
    "constraint", "joints.NAME.constraint",
    "A joint that forces hold: both bodies keep all their velocities. Any number may act on a body that is "
    "in no tree, and they "
    "may close loops (theory/constraints.md).",
    Form::keys,
    with_laws(
        {{.key = "kind",
          .type = Type::word,
          .required = true,
          .doc = "What the two may do against each other.",
          .words = constraint_words()},
         {.key = "body", .type = Type::text, .required = true, .doc = "Name of the body."},
         {.key = "parent",
          .type = Type::text,
          .fallback = "the world",
          .doc = "The other body. The two do not touch each other."},
         at_rule,
         {.key = "parent_at",
          .type = Type::vector,
          .unit = "m",
          .fallback = "`at`",
          .doc = "The point on the parent's side, in world coordinates."},
         axis_rule,
         second_axis_rule("At right angles to the axis."),
         {.key = "pitch", .unit = "m/rad", .fallback = "0", .doc = "Screw: way along the axis per angle."},
         {.key = "length",
          .unit = "m",
          .range = not_negative,
          .fallback = "as far as the points are apart",
          .doc = "Distance."},
         {.key = "compliance",
          .unit = "m/N",
          .range = not_negative,
          .fallback = "0",
          .doc = "By how much it gives way: of all it holds that is a length. 0 is rigid."},
         {.key = "angular_compliance",
          .unit = "rad/(N m)",
          .range = not_negative,
          .fallback = "0",
          .doc = "The same for all it holds that is an angle."},
         {.key = "damping_time",
          .unit = "s",
          .range = not_negative,
          .fallback = "0",
          .doc = "Damping of what gives way: force `damping_time` / compliance times the rate."},
         {.key = "stiffness",
          .type = Type::scalars,
          .unit = "N/m, N m/rad",
          .range = not_negative,
          .fallback = "0",
          .doc =
              "Spring against `rest` on what it leaves free: one number for all coordinates, or one each."},
         {.key = "rest",
          .type = Type::scalars,
          .unit = "m, rad",
          .fallback = "0",
          .doc = "As many numbers as coordinates."},
         {.key = "damping",
          .type = Type::scalars,
          .unit = "N s/m, N m s/rad",
          .range = not_negative,
          .fallback = "0",
          .doc = "Damper on what it leaves free: one number for all coordinates, or one each."},
         {.key = "break_force",
          .unit = "N",
          .range = not_negative,
          .fallback = "never",
          .doc = "It breaks at the end of a step whose mean force in it was larger. 0 is never."},
         {.key = "break_torque",
          .unit = "N m",
          .range = not_negative,
          .fallback = "never",
          .doc = "The same for its torque, about `at`."},
         {.key = "points",
          .type = Type::vectors,
          .unit = "m",
          .doc = "point_on_curve: the curve goes through them; in world coordinates, fixed in the parent."},
         {.key = "curve",
          .type = Type::word,
          .fallback = "\"spline\"",
          .doc = "point_on_curve: a cubic spline with continuous curvature, or straight lines, where "
                 "forces jump at the corners.",
          .words = curve_words()},
         {.key = "closed",
          .type = Type::boolean,
          .fallback = "false",
          .doc = "point_on_curve: the last point is joined to the first; else the curve goes on straight "
                 "beyond its ends."}})};

}  // namespace

const Section joint_section{
    "joint",
    "joints.NAME",
    "One of these, with `repeat` if there are many. Joined bodies are a tree (theory/trees.md): their "
    "joints' "
    "coordinates move, so that joints hold exactly. A body has one such joint at most; others may hang on "
    "it. "
    "Or they are joined by constraints. Gears join joints; the last three bind velocities only.",
    Form::exactly_one,
    {{.key = "planar", .type = Type::section, .doc = "Keeps a body in a plane.", .section = &planar_section},
     {.key = "fixed", .type = Type::section, .doc = "Glue.", .section = &fixed_section},
     {.key = "revolute", .type = Type::section, .doc = "Hinge.", .section = &revolute_section},
     {.key = "prismatic", .type = Type::section, .doc = "Slider.", .section = &prismatic_section},
     {.key = "cylindrical", .type = Type::section, .doc = "Sleeve.", .section = &cylindrical_section},
     {.key = "screw", .type = Type::section, .doc = "Screw.", .section = &screw_section},
     {.key = "universal", .type = Type::section, .doc = "Cardan joint.", .section = &universal_section},
     {.key = "spherical", .type = Type::section, .doc = "Ball joint.", .section = &spherical_section},
     {.key = "constraint",
      .type = Type::section,
      .doc = "A joint that forces hold.",
      .section = &constraint_section},
     {.key = "gear", .type = Type::section, .doc = "Gear, belt or rack.", .section = &gear_section},
     {.key = "rolling", .type = Type::section, .doc = "Rolling without slip.", .section = &rolling_section},
     {.key = "knife_edge", .type = Type::section, .doc = "A blade, a skate.", .section = &knife_edge_section},
     {.key = "pfaffian",
      .type = Type::section,
      .doc = "An equation between velocities.",
      .section = &pfaffian_section},
     {.key = "repeat",
      .type = Type::section,
      .doc = "Makes many of it; `offset` has no meaning here.",
      .section = &repeat_section}},
    {{"hinge", "revolute"},      {"pin", "revolute"},         {"pivot", "revolute"},
     {"rotational", "revolute"}, {"slider", "prismatic"},     {"slide", "prismatic"},
     {"linear", "prismatic"},    {"sleeve", "cylindrical"},   {"helical", "screw"},
     {"cardan", "universal"},    {"hooke", "universal"},      {"ball", "spherical"},
     {"socket", "spherical"},    {"weld", "fixed"},           {"glue", "fixed"},
     {"rigid", "fixed"},         {"plane", "planar"},         {"rack", "gear"},
     {"belt", "gear"},           {"transmission", "gear"},    {"skate", "knife_edge"},
     {"blade", "knife_edge"},    {"nonholonomic", "pfaffian"}}};

const std::vector<const Section*>& joint_sections() {
  static const std::vector<const Section*> sections{
      &joint_section,     &planar_section,      &fixed_section,      &revolute_section,
      &prismatic_section, &cylindrical_section, &screw_section,      &universal_section,
      &spherical_section, &constraint_section,  &limits_section,     &motor_section,
      &gear_section,      &rolling_section,     &knife_edge_section, &pfaffian_section};
  return sections;
}

}  // namespace stiction::formats

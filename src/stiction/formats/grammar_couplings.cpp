// Gears, and joints that bind velocities, of the scene format.
#include "stiction/formats/detail/sections.h"

namespace stiction::formats {
namespace {

const Rule body_rule{.key = "body", .type = Type::text, .required = true, .doc = "Name of the body."};
Rule parent_rule(const char* doc) {
  return {.key = "parent", .type = Type::text, .fallback = "the world", .doc = doc};
}
Rule at_rule(const char* doc) {
  return {.key = "at", .type = Type::vector, .unit = "m", .fallback = "the body's `at`", .doc = doc};
}
Rule coordinate_rule(const char* key, const char* doc) {
  return {.key = key, .type = Type::integer, .range = not_negative, .fallback = "0", .doc = doc};
}
Rule coefficients_rule(const char* key, const char* unit, const char* doc) {
  return {.key = key, .type = Type::vector, .unit = unit, .fallback = "[0, 0, 0]", .doc = doc};
}

std::span<const std::string> rolling_words() {
  static const std::vector<std::string> words{"ball", "disc"};
  return words;
}
std::span<const std::string> axes_words() {
  static const std::vector<std::string> words{"world", "parent", "body"};
  return words;
}

}  // namespace

const Section gear_section{
    "gear",
    "joints.NAME.gear",
    "Gear, belt or rack: the coordinate of the first joint plus `ratio` times that of the second stays what "
    "it "
    "is where the scene puts them. Joints of all kinds with coordinates, in any mix; their bodies do not "
    "touch "
    "each other (theory/constraints.md).",
    Form::keys,
    {{.key = "first", .type = Type::text, .required = true, .doc = "Name of a joint."},
     {.key = "second", .type = Type::text, .required = true, .doc = "Name of another."},
     coordinate_rule("first_coordinate", "Which of its coordinates, lengths first."),
     coordinate_rule("second_coordinate", "Which of its coordinates, lengths first."),
     {.key = "ratio",
      .unit = "1, m/rad",
      .required = true,
      .doc = "Not 0. Two angles: radius of the second wheel over that of the first where teeth are outside, "
             "below 0 for a ring or a belt. A length and an angle: minus the radius of the pinion."}}};

const Section rolling_section{
    "rolling",
    "joints.NAME.rolling",
    "The body rolls on a plane of the parent: it neither slips nor leaves it.",
    Form::keys,
    {body_rule,
     parent_rule("What the plane is fixed in. The two do not touch each other."),
     {.key = "kind",
      .type = Type::word,
      .fallback = "\"ball\"",
      .doc = "A ball, or a thin disc on its rim.",
      .words = rolling_words()},
     {.key = "radius", .unit = "m", .range = positive, .required = true, .doc = "Of ball or disc."},
     {.key = "normal",
      .type = Type::direction,
      .fallback = "[0, 0, 1]",
      .doc =
          "Of the plane, towards the body; world axes, of any length. It touches where the scene puts it."},
     at_rule("Centre of ball or disc, in world coordinates."),
     {.key = "axis",
      .type = Type::direction,
      .fallback = "[0, 1, 0]",
      .doc = "Disc: across it, not along the normal."}}};

const Section knife_edge_section{
    "knife_edge",
    "joints.NAME.knife_edge",
    "A blade, a skate, a wheel that does not skid: a point of the body does not move across it.",
    Form::keys,
    {body_rule,
     parent_rule("Against what it does not move."),
     at_rule("The point, in world coordinates."),
     {.key = "across",
      .type = Type::direction,
      .fallback = "[0, 1, 0]",
      .doc = "Across the blade, world axes, of any length; it turns with the body."}}};

const Section pfaffian_section{
    "pfaffian",
    "joints.NAME.pfaffian",
    "Any linear equation between velocities: linear.v + angular.w + parent_linear.v' + parent_angular.w' + "
    "drift = 0, with velocities v of the centres of mass and angular velocities w. Vectors are in world "
    "axes, "
    "with all bodies turned as their `orientation` says.",
    Form::keys,
    {body_rule,
     parent_rule("The other body."),
     coefficients_rule("linear", "", "What multiplies the velocity of the body."),
     coefficients_rule("angular", "m", "What multiplies its angular velocity."),
     coefficients_rule("parent_linear", "", "The same for the parent."),
     coefficients_rule("parent_angular", "m", "The same for the parent."),
     {.key = "axes",
      .type = Type::word,
      .fallback = "\"world\"",
      .doc = "What the four vectors turn with.",
      .words = axes_words()},
     {.key = "drift", .unit = "m/s", .fallback = "0", .doc = "What is left of the sum."}}};

}  // namespace stiction::formats

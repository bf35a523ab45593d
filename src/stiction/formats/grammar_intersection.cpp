// The part of the scene format's table about intersections of convex inequalities.
#include "stiction/formats/detail/sections.h"

namespace stiction::formats {
namespace {

Rule length_rule(const char* key, const char* doc) {
  return {.key = key, .unit = "m", .range = positive, .required = true, .doc = doc};
}
Rule point_rule(const char* key, const char* doc) {
  return {.key = key, .type = Type::vector, .unit = "m", .fallback = "[0, 0, 0]", .doc = doc};
}
Rule axis_rule(const char* doc) {
  return {.key = "axis", .type = Type::direction, .required = true, .doc = doc};
}
Rule radii_rule() {
  return {.key = "radii",
          .type = Type::vector,
          .unit = "m",
          .range = positive,
          .required = true,
          .doc = "a, b, c along its own x, y, z."};
}
Rule turn_rule() {
  return {.key = "orientation",
          .type = Type::orientation,
          .fallback = "[1, 0, 0, 0]",
          .doc = "From its own axes to those of the body.",
          .section = &orientation_section};
}
const std::vector<std::pair<std::string, std::string>> spellings{{"center", "centre"}};

const Section ball_section{"face_ball",
                           "face.ball",
                           "The points within a radius of a centre.",
                           Form::keys,
                           {length_rule("radius", "Radius."), point_rule("centre", "Centre.")},
                           spellings};

const Section ellipsoid_section{"face_ellipsoid",
                                "face.ellipsoid",
                                "An ellipsoid anywhere.",
                                Form::keys,
                                {radii_rule(), point_rule("centre", "Centre."), turn_rule()},
                                spellings};

const Section tube_section{
    "face_tube",
    "face.tube",
    "A cylinder without ends.",
    Form::keys,
    {length_rule("radius", "Radius."), axis_rule("Direction of the axis; of any length."),
     point_rule("point", "A point of the axis.")}};

const Section face_cone_section{
    "face_cone",
    "face.cone",
    "A cone without a base.",
    Form::keys,
    {{.key = "slope",
      .range = positive,
      .required = true,
      .doc = "By how many metres the radius grows for each metre below the apex."},
     axis_rule("Points out of the body at the apex; of any length."),
     point_rule("apex", "The apex.")}};

const Section paraboloid_section{
    "face_paraboloid",
    "face.paraboloid",
    "A paraboloid of revolution.",
    Form::keys,
    {length_rule("curvature_radius", "Radius of curvature at the top."),
     axis_rule("Points out of the body at the top; of any length."), point_rule("top", "The top.")}};

const Section face_superellipsoid_section{
    "face_superellipsoid",
    "face.superellipsoid",
    "A superellipsoid anywhere.",
    Form::keys,
    {radii_rule(),
     {.key = "across", .range = {.low = 2, .high = 20}, .fallback = "2", .doc = "Exponent in its x-y plane."},
     {.key = "along", .range = {.low = 2, .high = 20}, .fallback = "2", .doc = "Exponent along its z."},
     point_rule("centre", "Centre."),
     turn_rule()},
    spellings};

const Section face_section{
    "face",
    "shape.intersection.faces",
    "One of these, in the coordinates of the body.",
    Form::exactly_one,
    {{.key = "half_space",
      .type = Type::half_space,
      .doc = "Everything below a plane.",
      .section = &half_space_section},
     {.key = "ball", .type = Type::section, .doc = "A ball.", .section = &ball_section},
     {.key = "ellipsoid", .type = Type::section, .doc = "An ellipsoid.", .section = &ellipsoid_section},
     {.key = "tube", .type = Type::section, .doc = "A cylinder without ends.", .section = &tube_section},
     {.key = "cone", .type = Type::section, .doc = "A cone without a base.", .section = &face_cone_section},
     {.key = "paraboloid", .type = Type::section, .doc = "A paraboloid.", .section = &paraboloid_section},
     {.key = "superellipsoid",
      .type = Type::section,
      .doc = "A superellipsoid.",
      .section = &face_superellipsoid_section}}};

}  // namespace

const Section intersection_section{
    "intersection",
    "shape.intersection",
    "The points inside all of the faces: a dome is a ball and a half-space. It must be bounded and have a "
    "volume. Of "
    "a body that moves freely, it is shifted so that its centre of mass is the origin, and body axes are its "
    "principal axes; `orientation` turns the axes of the faces.",
    Form::keys,
    {{.key = "faces",
      .type = Type::sections,
      .required = true,
      .doc = "1 to 64 of them, in any order; those that cut off nothing do not matter.",
      .section = &face_section},
     {.key = "rounding",
      .unit = "m",
      .range = not_negative,
      .fallback = "0",
      .doc = "Adds all points within this distance. Only with half-spaces alone, or for a body of "
             "revolution."}}};

const std::vector<const Section*>& intersection_sections() {
  static const std::vector<const Section*> sections{
      &intersection_section, &face_section,      &ball_section,       &ellipsoid_section,
      &tube_section,         &face_cone_section, &paraboloid_section, &face_superellipsoid_section};
  return sections;
}

}  // namespace stiction::formats

#include "stiction/formats/grammar.h"

#include <cmath>

#include "stiction/base/text.h"
#include "stiction/formats/detail/sections.h"
#include "stiction/model/run_settings.h"
#include "stiction/model/scene.h"

namespace stiction::formats {

const Section repeat_section{"repeat",
                             "bodies.NAME.repeat",
                             "Makes many of one: NAME.0, NAME.1 ..., or a grid NAME.0.0, NAME.0.1 ...",
                             Form::keys,
                             {{.key = "count",
                               .type = Type::count,
                               .range = not_negative,
                               .required = true,
                               .doc = "How many: a number, or up to three for a grid; the second may depend "
                                      "on $i, the third on $i and $j."},
                              {.key = "offset",
                               .type = Type::offset,
                               .unit = "m",
                               .fallback = "[0, 0, 0]",
                               .doc = "Shift of `at` (and of the rows of `motion.position`) from one to the "
                                      "next: a vector, or one for each count."}}};

const Section half_space_section{"half_space",
                                 "shape.half_space",
                                 "Everything below a plane. The short form is the normal alone.",
                                 Form::keys,
                                 {{.key = "normal",
                                   .type = Type::direction,
                                   .required = true,
                                   .doc = "Points out of the solid; of any length."},
                                  {.key = "offset",
                                   .unit = "m",
                                   .fallback = "0",
                                   .doc = "Height of the plane along the normal, from the body's origin."}}};

const Section orientation_section{
    "orientation",
    "orientation",
    "An axis and an angle, in place of the quaternion [w, x, y, z]. One of the two angles.",
    Form::keys,
    {{.key = "axis",
      .type = Type::direction,
      .required = true,
      .doc = "Axis of the turn, world coordinates; of any length."},
     {.key = "degrees", .unit = "degrees", .doc = "Angle of the turn, right-handed."},
     {.key = "radians", .unit = "rad", .doc = "The same in radians."}}};

namespace {

const Section capsule_section{"capsule",
                              "shape.capsule",
                              "A cylinder with half-spheres on its ends, along the body's z axis.",
                              Form::keys,
                              {{.key = "radius",
                                .unit = "m",
                                .range = positive,
                                .required = true,
                                .doc = "Radius of cylinder and caps."},
                               {.key = "length",
                                .unit = "m",
                                .range = not_negative,
                                .required = true,
                                .doc = "Between the centres of the caps; the whole is 2 radius longer."}}};

const Section rounded_box_section{
    "rounded_box",
    "shape.rounded_box",
    "A box and all points within a radius of it.",
    Form::keys,
    {{.key = "size",
      .type = Type::vector,
      .unit = "m",
      .range = positive,
      .required = true,
      .doc = "Full edge lengths of the box inside; the whole is 2 radius larger."},
     {.key = "radius",
      .unit = "m",
      .range = positive,
      .required = true,
      .doc = "Of the edges and corners."}}};

const Section cylinder_section{
    "cylinder",
    "shape.cylinder",
    "A cylinder along the body's z axis.",
    Form::keys,
    {{.key = "radius", .unit = "m", .range = positive, .required = true, .doc = "Radius."},
     {.key = "height",
      .unit = "m",
      .range = positive,
      .required = true,
      .doc = "From end to end, without rounding."},
     {.key = "rounding",
      .unit = "m",
      .range = not_negative,
      .fallback = "0",
      .doc = "Adds all points within this distance: the rims become round."}}};

const Section cone_section{
    "cone",
    "shape.cone",
    "A cone along the body's z axis, the apex up; its centre of mass is a quarter of the height above the "
    "base.",
    Form::keys,
    {{.key = "radius", .unit = "m", .range = positive, .required = true, .doc = "Of the base."},
     {.key = "height", .unit = "m", .range = positive, .required = true, .doc = "From base to apex."}}};

const Section superellipsoid_section{
    "superellipsoid",
    "shape.superellipsoid",
    "The body (|x/a|^across + |y/b|^across)^(along/across) + |z/c|^along <= 1: an ellipsoid swollen towards "
    "its box.",
    Form::keys,
    {{.key = "radii",
      .type = Type::vector,
      .unit = "m",
      .range = positive,
      .required = true,
      .doc = "a, b, c along the body's x, y, z."},
     {.key = "across",
      .range = {.low = 2, .high = 20},
      .fallback = "2",
      .doc = "Exponent in the x-y plane: 2 is an ellipse, 20 nearly a rectangle."},
     {.key = "along", .range = {.low = 2, .high = 20}, .fallback = "2", .doc = "Exponent along z."}}};

const Section hull_section{
    "hull",
    "shape.hull",
    "The convex hull of points. Of a body that moves freely, the points are shifted so that its centre of "
    "mass is the "
    "origin, and body axes are its principal axes; `orientation` turns the axes of the points.",
    Form::keys,
    {{.key = "points",
      .type = Type::vectors,
      .unit = "m",
      .required = true,
      .doc = "Four or more, not all in a plane; those inside the hull do not matter."},
     {.key = "rounding",
      .unit = "m",
      .range = not_negative,
      .fallback = "0",
      .doc = "Adds all points within this distance: edges and corners become round."}}};

}  // namespace

const Section shape_section{
    "shape",
    "bodies.NAME.shape",
    "One of these.",
    Form::exactly_one,
    {{.key = "sphere", .unit = "m", .range = positive, .doc = "A ball: its radius."},
     {.key = "box",
      .type = Type::vector,
      .unit = "m",
      .range = positive,
      .doc = "Full edge lengths along the body's x, y, z."},
     {.key = "capsule", .type = Type::section, .doc = "A rounded rod.", .section = &capsule_section},
     {.key = "half_space",
      .type = Type::half_space,
      .doc = "Floor, wall or slope: static and kinematic bodies only.",
      .section = &half_space_section},
     {.key = "rounded_box",
      .type = Type::section,
      .doc = "A box with round edges.",
      .section = &rounded_box_section},
     {.key = "cylinder", .type = Type::section, .doc = "A cylinder.", .section = &cylinder_section},
     {.key = "cone", .type = Type::section, .doc = "A cone.", .section = &cone_section},
     {.key = "ellipsoid",
      .type = Type::vector,
      .unit = "m",
      .range = positive,
      .doc = "An ellipsoid: its radii along the body's x, y, z."},
     {.key = "superellipsoid",
      .type = Type::section,
      .doc = "Between ellipsoid, cylinder and box.",
      .section = &superellipsoid_section},
     {.key = "hull", .type = Type::section, .doc = "A convex polyhedron.", .section = &hull_section},
     {.key = "intersection",
      .type = Type::section,
      .doc = "The intersection of half-spaces, quadrics and superellipsoids.",
      .section = &intersection_section},
     {.key = "compound",
      .type = Type::sections,
      .doc = "One body of several convex parts.",
      .section = &compound_part_section},
     {.key = "mesh",
      .type = Type::section,
      .doc = "A surface of triangles: static bodies only.",
      .section = &mesh_section},
     {.key = "heightfield",
      .type = Type::section,
      .doc = "Heights over a grid: static bodies only.",
      .section = &heightfield_section}}};

namespace {

const Section motion_section{"motion",
                             "bodies.NAME.motion",
                             "Prescribed motion of a kinematic body: linear between the rows, at rest before "
                             "the first and after the last.",
                             Form::keys,
                             {{.key = "time",
                               .type = Type::numbers,
                               .unit = "s",
                               .required = true,
                               .doc = "Times of the rows, increasing."},
                              {.key = "position",
                               .type = Type::vectors,
                               .unit = "m",
                               .fallback = "the body's `at` in every row",
                               .doc = "Position at each time, in place of `at`."},
                              {.key = "orientation",
                               .type = Type::orientations,
                               .fallback = "the body's `orientation` in every row",
                               .doc = "Orientation at each time; the short way round from row to row.",
                               .section = &orientation_section}}};

const Section body_section{
    "body",
    "bodies.NAME",
    "A rigid body or a particle.",
    Form::keys,
    {{.key = "shape",
      .type = Type::section,
      .fallback = "none: it touches nothing",
      .doc = "What it touches with and, by its volume, its mass.",
      .section = &shape_section},
     {.key = "density",
      .unit = "kg/m^3",
      .range = positive,
      .doc = "Uniform density. A body that moves freely has either this or `mass`."},
     {.key = "mass", .unit = "kg", .range = positive, .doc = "Mass, spread uniformly over the shape."},
     {.key = "inertia",
      .type = Type::vector,
      .unit = "kg m^2",
      .range = positive,
      .fallback = "from the shape",
      .doc = "Moments of inertia about the body's x, y, z axes through the centre of mass."},
     {.key = "at",
      .type = Type::vector,
      .unit = "m",
      .fallback = "[0, 0, 0]",
      .doc = "Where the centre of mass starts."},
     {.key = "orientation",
      .type = Type::orientation,
      .fallback = "[1, 0, 0, 0]",
      .doc = "Turn from body axes to world axes: quaternion [w, x, y, z], or axis and angle.",
      .section = &orientation_section},
     {.key = "surface", .type = Type::text, .fallback = "its partner's", .doc = "Name of its surface."},
     {.key = "static", .type = Type::boolean, .fallback = "false", .doc = "It never moves."},
     {.key = "kinematic",
      .type = Type::boolean,
      .fallback = "true if `motion` is given",
      .doc = "It moves as `motion` says, whatever touches it."},
     {.key = "motion",
      .type = Type::section,
      .doc = "Table of positions over time.",
      .section = &motion_section},
     {.key = "particle",
      .type = Type::boolean,
      .fallback = "false",
      .doc = "A point mass that does not turn; sphere or no shape."},
     {.key = "collides",
      .type = Type::boolean,
      .fallback = "true",
      .doc = "If false, the shape gives mass and picture only."},
     {.key = "group",
      .type = Type::text,
      .fallback = "in none",
      .doc = "Bodies of one group never touch each other."},
     {.key = "repeat", .type = Type::section, .doc = "Makes many of it.", .section = &repeat_section}}};

const Section sensor_section{
    "sensor",
    "sensors.NAME",
    "A region that reports which bodies overlap it and pushes nothing.",
    Form::keys,
    {{.key = "shape",
      .type = Type::section,
      .required = true,
      .doc = "The region.",
      .section = &shape_section},
     {.key = "at", .type = Type::vector, .unit = "m", .fallback = "[0, 0, 0]", .doc = "Where it is."},
     {.key = "orientation",
      .type = Type::orientation,
      .fallback = "[1, 0, 0, 0]",
      .doc = "How it is turned.",
      .section = &orientation_section},
     {.key = "repeat", .type = Type::section, .doc = "Makes many of it.", .section = &repeat_section}}};

const Section initial_section{
    "initial",
    "initial.NAME",
    "How a body or a joint starts. NAME is its name, or ball.* for all whose names "
    "start with \"ball.\"; the longer name wins.",
    Form::keys,
    {{.key = "velocity",
      .type = Type::vector,
      .unit = "m/s",
      .fallback = "[0, 0, 0]",
      .doc = "Of the centre of mass."},
     {.key = "spin",
      .type = Type::vector,
      .unit = "rad/s",
      .fallback = "[0, 0, 0]",
      .doc = "Angular velocity, world axes."},
     {.key = "position",
      .type = Type::vector,
      .unit = "m",
      .fallback = "the body's `at`",
      .doc = "In place of `at`."},
     {.key = "orientation",
      .type = Type::orientation,
      .fallback = "the body's `orientation`",
      .doc = "In place of the body's own.",
      .section = &orientation_section},
     {.key = "joint_position",
      .type = Type::scalars,
      .unit = "m, rad",
      .fallback = "0",
      .doc = "Of a joint: its coordinates, counted from where `at` and `orientation` "
             "of the bodies have it; spherical: a quaternion [w, x, y, z]."},
     {.key = "joint_velocity",
      .type = Type::scalars,
      .unit = "m/s, rad/s",
      .fallback = "0",
      .doc = "Of a joint: its velocities."}}};

const Section run_section{
    "run",
    "run",
    "How a run is made; no part of the physics. The command line may say otherwise.",
    Form::keys,
    {{.key = "until",
      .unit = "s",
      .range = positive,
      .fallback = "1",
      .doc = "End of the run: it takes the fewest whole steps that reach it, one at least."},
     {.key = "step", .unit = "s", .range = positive, .fallback = "0.01", .doc = "Size of a step."},
     {.key = "tolerance",
      .range = {.low = smallest_tolerance, .high = largest_tolerance},
      .fallback = "1e-08",
      .doc = "How exactly every step is solved; what it stands for: theory/certificate.md."},
     {.key = "threads",
      .type = Type::integer,
      .range = {.low = 1, .high = most_threads},
      .fallback = "1",
      .doc = "Changes no bit of the result. No more are started than the machine runs at a time."},
     {.key = "solver",
      .type = Type::word,
      .fallback = "\"auto\"",
      .doc = "How the step problem is solved.",
      .words = words_of<SolverChoice>()},
     {.key = "method",
      .type = Type::word,
      .fallback = "\"coulomb\"",
      .doc = "The stepper. With contacts: coulomb, implicit_geometry (step.md), event_driven "
             "(theory/event-driven.md), and theory/time-stepping.md; the others are for scenes where nothing "
             "can touch: theory/integrators.md.",
      .words = words_of<Method>()},
     {.key = "stabilisation",
      .type = Type::word,
      .fallback = "\"post\"",
      .doc =
          "How the method cline_pai keeps joints from drifting apart: theory/integrators.md. Of "
          "stewart_trinkle, anitescu_potra and moreau_jean: whether overlap that is left is removed, post or "
          "none.",
      .words = words_of<Stabilisation>()},
     {.key = "baumgarte",
      .unit = "1/s",
      .range = not_negative,
      .fallback = "0",
      .doc = "The constant of the stabilisation baumgarte, which needs one above 0; stable below 2/step."},
     {.key = "directions",
      .type = Type::integer,
      .range = {.low = 4, .high = most_directions},
      .fallback = "8",
      .doc = "Corners of the friction cone of stewart_trinkle and anitescu_potra; even."},
     {.key = "nonlinear",
      .type = Type::boolean,
      .fallback = "false",
      .doc = "stewart_trinkle and anitescu_potra with the geometry of the end of the step, found by a fixed "
             "point."},
     {.key = "activation",
      .type = Type::word,
      .fallback = "\"checked\"",
      .doc = "Contacts of anitescu_potra: those that are closed at its start (touching), those that would be "
             "closed at its end with the velocities of its start (predicted), or the latter, those within "
             "100 times the closed gap at its start and those that its solution violates (checked).",
      .words = words_of<Activation>()},
     {.key = "theta",
      .range = {.low = 0.5, .high = 1},
      .fallback = "0.5",
      .doc = "moreau_jean: positions move with theta parts of the new velocity and 1 - theta of the old."},
     {.key = "sleep",
      .type = Type::boolean,
      .fallback = "false",
      .doc = "coulomb: bodies whose rest a step has proved to the tolerance are left alone until something "
             "comes "
             "near, a force acts or the world is edited."}}};

const Section record_section{
    "record",
    "record",
    "What a run writes down.",
    Form::keys,
    {{.key = "every",
      .unit = "s",
      .range = not_negative,
      .fallback = "0",
      .doc = "Time between recorded frames; 0 = every step."},
     {.key = "parts",
      .type = Type::boolean,
      .fallback = "false",
      .doc = "Also a frame for each part of a step that is made in shorter parts, with the contacts of that "
             "part; asks for `every` 0."},
     {.key = "plot",
      .type = Type::texts,
      .fallback = "[]",
      .doc = "Curves of the report: BODY.position, .velocity, .spin or .orientation, then .x, .y or .z "
             "for one component, .w too of an orientation; JOINT.position or .velocity, then .0, "
             ".1, ... for one of several; JOINT.force or .torque, what it does to its body, then .x, .y, .z "
             "or .magnitude; GEAR.second.force or .torque at a gear's second coordinate."}}};

const Section root_section{
    "scene",
    "",
    "The whole file. Keys that start with $ are constants.",
    Form::keys,
    {{.key = "stiction",
      .type = Type::integer,
      .range = {.low = 1, .high = 1},
      .required = true,
      .doc = "Version of the format: 1."},
     {.key = "title", .type = Type::text, .fallback = "none", .doc = "One line for reports."},
     {.key = "include",
      .type = Type::texts,
      .fallback = "[]",
      .doc = "Other scene files, by path from this one; their entries join this file's."},
     {.key = "gravity",
      .type = Type::vector,
      .unit = "m/s^2",
      .fallback = "[0, 0, 0]",
      .doc = "Acceleration of free fall."},
     {.key = "surfaces",
      .type = Type::named,
      .fallback = "{}",
      .doc = "Surfaces by name.",
      .section = &surface_section},
     {.key = "surface_pairs",
      .type = Type::sections,
      .fallback = "[]",
      .doc = "Exceptions from the combination rule.",
      .section = &surface_pair_section},
     {.key = "bodies",
      .type = Type::named,
      .fallback = "{}",
      .doc = "Bodies by name.",
      .section = &body_section},
     {.key = "joints",
      .type = Type::named,
      .fallback = "{}",
      .doc = "Joints by name.",
      .section = &joint_section},
     {.key = "forces",
      .type = Type::named,
      .fallback = "{}",
      .doc = "Forces by name.",
      .section = &force_section},
     {.key = "sensors",
      .type = Type::named,
      .fallback = "{}",
      .doc = "Sensors by name.",
      .section = &sensor_section},
     {.key = "initial",
      .type = Type::named,
      .fallback = "{}",
      .doc = "How bodies and joints start, by name.",
      .section = &initial_section},
     {.key = "run",
      .type = Type::section,
      .fallback = "{}",
      .doc = "Settings of the run.",
      .section = &run_section},
     {.key = "record",
      .type = Type::section,
      .fallback = "{}",
      .doc = "What to record and plot.",
      .section = &record_section}}};

}  // namespace

bool Range::bounded() const { return std::isfinite(low) || std::isfinite(high); }

std::string Range::text(std::string_view unit) const {
  const std::string after = unit.empty() ? "" : " " + std::string(unit);
  if (low == high) return number_text(low) + after;
  std::string out;
  if (std::isfinite(low))
    out = low_open ? "above " + number_text(low) + after : number_text(low) + after + " or more";
  if (std::isfinite(high))
    out += std::string(out.empty() ? "" : " and ") + "at most " + number_text(high) + after;
  return out.empty() ? "any number" + (unit.empty() ? "" : " [" + std::string(unit) + "]") : out;
}

const Rule* Section::find(std::string_view key) const {
  for (const Rule& rule : rules) {
    if (key == rule.key) return &rule;
  }
  return nullptr;
}

std::vector<std::string> Section::keys() const {
  std::vector<std::string> out;
  for (const Rule& rule : rules) out.emplace_back(rule.key);
  return out;
}

const Section& scene_section() { return root_section; }

const std::vector<const Section*>& all_sections() {
  static const std::vector<const Section*> shapes{
      &root_section,        &body_section,     &shape_section, &capsule_section,        &half_space_section,
      &rounded_box_section, &cylinder_section, &cone_section,  &superellipsoid_section, &hull_section};
  static const std::vector<const Section*> bodies{
      &compound_part_section, &mesh_section,   &heightfield_section, &orientation_section,
      &motion_section,        &repeat_section, &surface_section,     &surface_pair_section};
  static const std::vector<const Section*> all = [] {
    std::vector<const Section*> out = shapes;
    out.insert(out.end(), intersection_sections().begin(), intersection_sections().end());
    out.insert(out.end(), bodies.begin(), bodies.end());
    out.insert(out.end(), joint_sections().begin(), joint_sections().end());
    out.insert(out.end(), force_sections().begin(), force_sections().end());
    out.insert(out.end(), {&sensor_section, &initial_section, &run_section, &record_section});
    return out;
  }();
  return all;
}

}  // namespace stiction::formats

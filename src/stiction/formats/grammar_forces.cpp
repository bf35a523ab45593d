// The forces of the scene format.
#include "stiction/formats/detail/sections.h"

namespace stiction::formats {
namespace {

const Section spring_section{
    "spring",
    "forces.NAME.spring",
    "Spring and damper along the line between two points: force k (l - l0) + c dl/dt.",
    Form::keys,
    {{.key = "a", .type = Type::text, .fallback = "the world", .doc = "Body at one end."},
     {.key = "b", .type = Type::text, .required = true, .doc = "Body at the other end."},
     {.key = "point_a",
      .type = Type::vector,
      .unit = "m",
      .fallback = "[0, 0, 0]",
      .doc = "Where it is held, in coordinates of body a, or of the world."},
     {.key = "point_b",
      .type = Type::vector,
      .unit = "m",
      .fallback = "[0, 0, 0]",
      .doc = "Where it is held, in coordinates of body b."},
     {.key = "stiffness", .unit = "N/m", .range = not_negative, .fallback = "0", .doc = "k."},
     {.key = "damping", .unit = "N s/m", .range = not_negative, .fallback = "0", .doc = "c."},
     {.key = "rest_length",
      .unit = "m",
      .range = not_negative,
      .fallback = "0",
      .doc = "l0, the length without force."}}};

const Section drag_section{
    "drag",
    "forces.NAME.drag",
    "Force -(c1 + c2 |v| + kappa |v|^(gamma - 1)) v at the centre of mass and torque -ca w.",
    Form::keys,
    {{.key = "body",
      .type = Type::text,
      .fallback = "every body that moves freely",
      .doc = "Name of the body."},
     {.key = "linear", .unit = "N s/m", .range = not_negative, .fallback = "0", .doc = "c1."},
     {.key = "quadratic", .unit = "N s^2/m^2", .range = not_negative, .fallback = "0", .doc = "c2."},
     {.key = "angular", .unit = "N m s", .range = not_negative, .fallback = "0", .doc = "ca."},
     {.key = "coefficient",
      .unit = "N (s/m)^gamma",
      .range = not_negative,
      .fallback = "0",
      .doc = "kappa: the force is kappa |v|^gamma against the velocity."},
     {.key = "exponent", .range = positive, .fallback = "2", .doc = "gamma."}}};

const Section torsion_section{
    "torsion",
    "forces.NAME.torsion",
    "Torsion spring and damper: torque k (phi - phi0) + c dphi/dt against the twist phi of body b about an "
    "axis of body a.",
    Form::keys,
    {{.key = "a", .type = Type::text, .fallback = "the world", .doc = "Body that the axis belongs to."},
     {.key = "b", .type = Type::text, .required = true, .doc = "Body that is twisted against it."},
     {.key = "axis",
      .type = Type::direction,
      .fallback = "[0, 0, 1]",
      .doc = "Axis of the twist, in coordinates of body a, or of the world; of any length."},
     {.key = "stiffness", .unit = "N m/rad", .range = not_negative, .fallback = "0", .doc = "k."},
     {.key = "damping", .unit = "N m s/rad", .range = not_negative, .fallback = "0", .doc = "c."},
     {.key = "rest_angle",
      .unit = "rad",
      .fallback = "0",
      .doc = "phi0, between -pi and pi; the twist is 0 where both bodies are turned alike."}}};

const Section magnus_section{"magnus",
                             "forces.NAME.magnus",
                             "Magnus force kappa (w x v) at the centre of mass of a spinning body.",
                             Form::keys,
                             {{.key = "body",
                               .type = Type::text,
                               .fallback = "every body that moves and turns freely",
                               .doc = "Name of the body."},
                              {.key = "coefficient",
                               .unit = "kg",
                               .required = true,
                               .doc = "kappa, of either sign; half the density of the air times the cross "
                                      "section times a length."}}};

const Section gravitation_section{
    "gravitation",
    "forces.NAME.gravitation",
    "Newton's law of gravitation between all pairs: G m m' / r^2. Costs time in proportion to the number of "
    "pairs.",
    Form::keys,
    {{.key = "constant",
      .unit = "m^3/(kg s^2)",
      .range = positive,
      .required = true,
      .doc = "G; in nature 6.674e-11."},
     {.key = "bodies",
      .type = Type::texts,
      .fallback = "every body that moves freely",
      .doc = "Names, or star.* for every body whose name starts with \"star.\"."}}};

const Section lennard_jones_section{
    "lennard_jones",
    "forces.NAME.lennard_jones",
    "Lennard-Jones potential 4 e ((s/r)^12 - (s/r)^6) between all pairs.",
    Form::keys,
    {{.key = "depth", .unit = "J", .range = positive, .required = true, .doc = "e, the depth of the well."},
     {.key = "diameter",
      .unit = "m",
      .range = positive,
      .required = true,
      .doc = "s, the distance where the potential is 0; the well is at 1.12 s."},
     {.key = "cutoff",
      .unit = "m",
      .range = not_negative,
      .fallback = "0: none, every pair counts",
      .doc = "Pairs further apart do nothing; the potential is lifted so that it is 0 there. With it, time "
             "is in proportion to the number of bodies."},
     {.key = "bodies",
      .type = Type::texts,
      .fallback = "every body that moves freely",
      .doc = "Names, or atom.* for every body whose name starts with \"atom.\"."}}};

const Section wrench_section{
    "wrench",
    "forces.NAME.wrench",
    "Force and torque on a body: constant, or a table that is linear between its rows and zero outside.",
    Form::keys,
    {{.key = "body", .type = Type::text, .required = true, .doc = "Name of the body."},
     {.key = "time",
      .type = Type::numbers,
      .unit = "s",
      .fallback = "constant",
      .doc = "Times of the rows, increasing."},
     {.key = "force",
      .type = Type::vector_table,
      .unit = "N",
      .fallback = "0",
      .doc = "Force, or one for each time."},
     {.key = "torque",
      .type = Type::vector_table,
      .unit = "N m",
      .fallback = "0",
      .doc = "Torque about the centre of mass, or one for each time."},
     {.key = "body_frame",
      .type = Type::boolean,
      .fallback = "false",
      .doc = "If true, force and torque are in axes that turn with the body."},
     {.key = "point",
      .type = Type::vector,
      .unit = "m",
      .fallback = "[0, 0, 0]",
      .doc = "Where the force acts, in body coordinates."}}};

}  // namespace

const Section force_section{
    "force",
    "forces.NAME",
    "One of these, with `repeat` if there are many.",
    Form::exactly_one,
    {{.key = "spring", .type = Type::section, .doc = "Spring and damper.", .section = &spring_section},
     {.key = "torsion",
      .type = Type::section,
      .doc = "Torsion spring and damper.",
      .section = &torsion_section},
     {.key = "drag", .type = Type::section, .doc = "Resistance of air or water.", .section = &drag_section},
     {.key = "magnus", .type = Type::section, .doc = "Lift of a spinning body.", .section = &magnus_section},
     {.key = "gravitation",
      .type = Type::section,
      .doc = "Bodies attract each other.",
      .section = &gravitation_section},
     {.key = "lennard_jones",
      .type = Type::section,
      .doc = "Atoms attract and repel each other.",
      .section = &lennard_jones_section},
     {.key = "wrench", .type = Type::section, .doc = "Given force and torque.", .section = &wrench_section},
     {.key = "repeat",
      .type = Type::section,
      .doc = "Makes many of it; `offset` has no meaning here.",
      .section = &repeat_section}}};

const std::vector<const Section*>& force_sections() {
  static const std::vector<const Section*> sections{
      &force_section,  &spring_section,      &torsion_section,       &drag_section,
      &magnus_section, &gravitation_section, &lennard_jones_section, &wrench_section};
  return sections;
}

}  // namespace stiction::formats

// The sections of shapes that are made of many pieces.
#include "stiction/formats/detail/sections.h"

namespace stiction::formats {

const Section compound_part_section{
    "compound_part",
    "shape.compound.N",
    "One part of a compound. Where parts overlap, mass counts twice. Of a body that moves freely, the parts "
    "are "
    "shifted so that its centre of mass is the origin, and body axes are its principal axes; `orientation` "
    "of the "
    "body turns the axes of the parts.",
    Form::keys,
    {{.key = "shape",
      .type = Type::section,
      .required = true,
      .doc = "A convex shape: no half_space and no compound.",
      .section = &shape_section},
     {.key = "at",
      .type = Type::vector,
      .unit = "m",
      .fallback = "[0, 0, 0]",
      .doc =
          "Where the part's centre of mass is (of a hull: the origin of its points), in body coordinates."},
     {.key = "orientation",
      .type = Type::orientation,
      .fallback = "[1, 0, 0, 0]",
      .doc = "Turn from the part's axes to the body's.",
      .section = &orientation_section}}};

}  // namespace stiction::formats

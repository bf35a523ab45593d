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
      .doc = "A convex shape: no half_space, compound, mesh or heightfield.",
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

const Section mesh_section{
    "mesh",
    "shape.mesh",
    "A surface of triangles, from a file or given here. Bodies touch it on the side that the triangles are "
    "counter-clockwise seen from; it need not be closed. Recordings hold the triangles, not the name of the "
    "file.",
    Form::keys,
    {{.key = "file", .type = Type::text, .doc = "OBJ, STL or PLY; the path counts from this file."},
     {.key = "unit",
      .unit = "m",
      .range = positive,
      .fallback = "1",
      .doc = "Length of one unit of the file."},
     {.key = "flip",
      .type = Type::boolean,
      .fallback = "false",
      .doc = "Turns all triangles over, for files that are wound the other way."},
     {.key = "vertices", .type = Type::vectors, .unit = "m", .doc = "In place of `file`: the corners."},
     {.key = "triangles",
      .type = Type::vectors,
      .range = not_negative,
      .doc = "In place of `file`: three numbers of vertices each, counted from 0, counter-clockwise seen "
             "from outside."}}};

const Section heightfield_section{
    "heightfield",
    "shape.heightfield",
    "Heights over a grid in the body's x-y plane, which starts at the body's origin: column i of row j is at "
    "x = i dx, "
    "y = j dy. Every cell is two triangles, cut from its first corner to the one across. Touched from above.",
    Form::keys,
    {{.key = "heights",
      .type = Type::scalar_table,
      .unit = "m",
      .doc = "Rows of heights; rows follow each other along y."},
     {.key = "spacing",
      .type = Type::scalars,
      .unit = "m",
      .range = positive,
      .required = true,
      .doc = "Between columns and rows: one length, or two."},
     {.key = "function",
      .type = Type::text,
      .doc = "In place of `heights`: arithmetic in $x and $y [m], such as \"0.1*sin(3*$x)\", taken at every "
             "vertex."},
     {.key = "count",
      .type = Type::numbers,
      .range = at_least_one,
      .doc = "With `function`: columns and rows."}}};

}  // namespace stiction::formats

// Shapes. Names and defaults are those of stiction/geometry.
#include <optional>

#include "parts.h"
#include "stiction/base/text.h"
#include "stiction/geometry/hull.h"

namespace stiction::python {
namespace {

void bind_primitives(py::module_& m) {
  bind_description<Sphere>(m, "Sphere", {field("radius", &Sphere::radius, "[m] > 0")}, R"(A ball.

>>> stiction.Sphere(0.1).radius
0.1)");
  bind_description<Box>(m, "Box", {field("size", &Box::size, "[m] full edge lengths along x, y, z; > 0")},
                        R"(A box, by its full edge lengths.

>>> stiction.Box([0.4, 0.2, 0.1]).size
(0.4, 0.2, 0.1))");
  bind_description<Capsule>(m, "Capsule",
                            {field("radius", &Capsule::radius, "[m] > 0"),
                             field("length", &Capsule::length, "[m] between the centres of the caps; >= 0")},
                            R"(A cylinder with half-spheres on its ends, along the body's z axis.

>>> stiction.Capsule(radius=0.05, length=0.3)
Capsule(radius=0.05, length=0.3))");
  bind_description<HalfSpace>(
      m, "HalfSpace",
      {field("normal", &HalfSpace::normal, "[-] outward, of any length"),
       field("offset", &HalfSpace::offset, "[m] height of the plane along the normal")},
      R"(Everything below a plane: floor, wall or slope. For bodies that do not move freely.

>>> stiction.HalfSpace([0, 0, 1]).offset
0.0)");
}

void bind_round_shapes(py::module_& m) {
  bind_description<Cylinder>(m, "Cylinder",
                             {field("radius", &Cylinder::radius, "[m] > 0"),
                              field("height", &Cylinder::height, "[m] > 0, along the body's z axis")},
                             R"(A cylinder along the body's z axis.

>>> stiction.Cylinder(radius=0.05, height=0.3)
Cylinder(radius=0.05, height=0.3))");
  bind_description<Cone>(m, "Cone",
                         {field("radius", &Cone::radius, "[m] > 0, of the base"),
                          field("height", &Cone::height, "[m] > 0, from base to apex")},
                         R"(A cone along the body's z axis, the apex up, its centre of mass at the origin.

>>> stiction.Cone(0.05, 0.2).height
0.2)");
  bind_description<Ellipsoid>(m, "Ellipsoid", {field("radii", &Ellipsoid::radii, "[m] > 0, along x, y, z")},
                              R"(An ellipsoid.

>>> stiction.Ellipsoid([0.1, 0.1, 0.2]).radii
(0.1, 0.1, 0.2))");
  bind_description<Superellipsoid>(
      m, "Superellipsoid",
      {field("radii", &Superellipsoid::radii, "[m] > 0, along x, y, z"),
       field("across", &Superellipsoid::across, "[-] exponent in the x-y plane, 2 to 20"),
       field("along", &Superellipsoid::along, "[-] exponent along z, 2 to 20")},
      R"(An ellipsoid swollen towards its box: (|x/a|^across + |y/b|^across)^(along/across) + |z/c|^along <= 1.

>>> stiction.Superellipsoid([0.1, 0.1, 0.2], across=4).along
2.0)");
}

void bind_intersection(py::module_& m) {
  using Kind = CurvedFace::Kind;
  py::class_<CurvedFace>(m, "CurvedFace",
                         R"(A curved inequality of an Intersection, made by ball_face and its like.

>>> stiction.ball_face([0, 0, 0], 0.1).radii
(0.1, 0.1, 0.1))")
      .def_property_readonly(
          "center", [](const CurvedFace& f) { return f.center; }, "[m] centre, apex or top")
      .def_property_readonly(
          "radii", [](const CurvedFace& f) { return f.body.radii; }, "[m]");
  m.def("ball_face", &ball_face, py::arg("center"), py::arg("radius"),
        R"(The points within a radius of a centre.

>>> stiction.ball_face([0, 0, 1], 0.1).center
(0.0, 0.0, 1.0))");
  m.def("tube_face", &tube_face, py::arg("point"), py::arg("axis"), py::arg("radius"),
        R"(A cylinder without ends.

>>> ends = [stiction.HalfSpace([0, 0, 1], 0.2), stiction.HalfSpace([0, 0, -1], 0.2)]
>>> round(stiction.Intersection([stiction.tube_face([0, 0, 0], [0, 0, 1], 0.1)] + ends).size, 12)
0.4)");
  m.def(
      "cone_face", &cone_face, py::arg("apex"), py::arg("axis"), py::arg("slope"),
      R"(A cone without a base; the axis points out at the apex, the radius grows by `slope` for each metre below it.

>>> stiction.cone_face([0, 0, 0.3], [0, 0, 1], 0.5).center
(0.0, 0.0, 0.3))");
  m.def("paraboloid_face", &paraboloid_face, py::arg("top"), py::arg("axis"), py::arg("curvature_radius"),
        R"(A paraboloid of revolution; the axis points out at the top.

>>> stiction.paraboloid_face([0, 0, 0.3], [0, 0, 1], 0.5).center
(0.0, 0.0, 0.3))");
  m.def(
      "superellipsoid_face",
      [](const Vec3& radii, double across, double along, const Vec3& center, const Quat& orientation) {
        return CurvedFace{Kind::superellipsoid, {radii, across, along}, center, orientation};
      },
      py::arg("radii"), py::arg("across") = 2.0, py::arg("along") = 2.0, py::arg("center") = Vec3{},
      py::arg("orientation") = Quat{}, R"(A superellipsoid anywhere; with exponents of 2 an ellipsoid.

>>> stiction.superellipsoid_face([0.1, 0.2, 0.3], across=4).radii
(0.1, 0.2, 0.3))");
  py::class_<Intersection>(
      m, "Intersection",
      R"(The points inside all of the faces, HalfSpaces and those of ball_face and its like. It
must be bounded and have a volume. Of a body that moves freely, it is shifted so that its centre of mass is the origin,
and body axes are its principal axes.

>>> dome = stiction.Intersection([stiction.ball_face([0, 0, 0], 0.1), stiction.HalfSpace([0, 0, -1])])
>>> round(dome.size, 12)
0.2)")
      .def(py::init([](const std::vector<Inequality>& faces) { return value_or_raise(intersection(faces)); }),
           py::arg("faces"))
      .def_property_readonly(
          "size", [](const Intersection& i) { return i.size; }, "[m] its largest extent")
      .def("__repr__", [](const Intersection& i) {
        return "Intersection of " + std::to_string(i.faces.size()) + " faces";
      });
}

void bind_convex_shapes(py::module_& m) {
  py::class_<Polyhedron>(m, "Hull",
                         R"(The convex hull of points. Of a body that moves freely, the points are shifted so
that its centre of mass is the origin, and body axes are its principal axes.

>>> hull = stiction.Hull([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0.1, 0.1, 0.1]])
>>> len(hull.vertices)
4)")
      .def(py::init([](const std::vector<Vec3>& points) { return value_or_raise(convex_hull(points)); }),
           py::arg("points"))
      .def_property_readonly(
          "vertices", [](const Polyhedron& p) { return p.vertices; },
          "[m] corners, in the order of the points")
      .def("__repr__",
           [](const Polyhedron& p) { return "Hull of " + std::to_string(p.vertices.size()) + " vertices"; });
  const auto rounded = [](auto core, double radius) {
    ConvexShape shape(core, radius);
    if (const std::string fault = fault_of(shape.body()); !fault.empty()) throw MistakeError(fault);
    return shape;
  };
  py::class_<ConvexShape>(m, "Rounded",
                          R"(A Box, Cylinder, Hull or Intersection and all points within a radius of it.

>>> stiction.Rounded(stiction.Box([0.2, 0.1, 0.1]), 0.01).radius
0.01)")
      .def(py::init([=](const Box& core, double r) { return rounded(core, r); }), py::arg("shape"),
           py::arg("radius"))
      .def(py::init([=](const Cylinder& core, double r) { return rounded(core, r); }), py::arg("shape"),
           py::arg("radius"))
      .def(py::init([=](const Polyhedron& core, double r) { return rounded(core, r); }), py::arg("shape"),
           py::arg("radius"))
      .def(py::init([=](const Intersection& core, double r) { return rounded(core, r); }), py::arg("shape"),
           py::arg("radius"))
      .def(py::init([](const Intersection& core) { return ConvexShape(core); }))
      .def(py::init([](const Cylinder& core) { return ConvexShape(core); }))
      .def(py::init([](const Cone& core) { return ConvexShape(core); }))
      .def(py::init([](const Ellipsoid& core) { return ConvexShape(core); }))
      .def(py::init([](const Superellipsoid& core) { return ConvexShape(core); }))
      .def(py::init([](const Polyhedron& core) { return ConvexShape(core); }))
      .def_property_readonly(
          "radius", [](const ConvexShape& s) { return s.body().rounding; }, "[m] of edges and corners")
      .def("__repr__", [](const ConvexShape& s) {
        return std::string("Rounded(") + name(s.body().core) + ", " + number_text(s.body().rounding) + ")";
      });
  py::implicitly_convertible<Cylinder, ConvexShape>();
  py::implicitly_convertible<Cone, ConvexShape>();
  py::implicitly_convertible<Ellipsoid, ConvexShape>();
  py::implicitly_convertible<Superellipsoid, ConvexShape>();
  py::implicitly_convertible<Polyhedron, ConvexShape>();
  py::implicitly_convertible<Intersection, ConvexShape>();
}

void bind_composite_shapes(py::module_& m) {
  bind_description<CompoundPart>(
      m, "Part",
      {field("shape", &CompoundPart::shape, "a convex shape"),
       field("position", &CompoundPart::position, "[m] in the body"),
       field("orientation", &CompoundPart::orientation, "[w, x, y, z], part to body")},
      R"(One part of a Compound.

>>> stiction.Part(stiction.Sphere(0.1), position=[0, 0, 0.2]).position
(0.0, 0.0, 0.2))");
  py::class_<CompoundShape>(m, "Compound",
                            R"(One body of several convex parts. Where they overlap, mass counts twice.
Of a body that moves freely, the parts are shifted so that its centre of mass is the origin.

>>> bell = stiction.Compound([stiction.Part(stiction.Sphere(0.1), [0, 0, z]) for z in (-0.2, 0.2)])
>>> len(bell.parts)
2)")
      .def(py::init([](std::vector<CompoundPart> parts) {
             CompoundShape shape(std::move(parts));
             if (const std::string fault = fault_of(shape); !fault.empty())
               throw MistakeError("parts" + fault);
             return shape;
           }),
           py::arg("parts"))
      .def_property_readonly(
          "parts",
          [](const CompoundShape& s) {
            return std::vector<CompoundPart>(s.parts().begin(), s.parts().end());
          },
          "its parts")
      .def("__repr__", [](const CompoundShape& s) {
        return "Compound of " + std::to_string(s.parts().size()) + " parts";
      });
  py::class_<SurfaceShape>(m, "Surface",
                           R"(A surface of triangles, for bodies that do not move: see mesh and heightfield.

>>> stiction.mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
Surface of 1 triangles, open)")
      .def_property_readonly(
          "vertices", [](const SurfaceShape& s) { return s.mesh().vertices; }, "[m] corners")
      .def_property_readonly(
          "triangles", [](const SurfaceShape& s) { return s.mesh().triangles; }, "three vertices each")
      .def_property_readonly("closed", &SurfaceShape::closed, "whether it has no edge of one triangle only")
      .def("__repr__", [](const SurfaceShape& s) {
        return "Surface of " + std::to_string(s.count()) + " triangles, " + (s.closed() ? "closed" : "open");
      });
  m.def(
      "mesh",
      [](const std::vector<Vec3>& vertices, const std::vector<std::array<int, 3>>& triangles) {
        return value_or_raise(SurfaceShape::from(TriangleMesh{vertices, triangles}));
      },
      py::arg("vertices"), py::arg("triangles"),
      R"(A Surface of triangles, each three numbers of vertices, counter-clockwise seen from outside.

>>> stiction.mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]).closed
False)");
  m.def(
      "heightfield",
      [](const std::vector<std::vector<double>>& heights, double dx, double dy) {
        HeightGrid grid{heights.empty() ? 0 : int(heights.front().size()), int(heights.size()), dx, dy, {}};
        for (const auto& row : heights) grid.heights.insert(grid.heights.end(), row.begin(), row.end());
        for (const auto& row : heights)
          if (row.size() != heights.front().size()) throw MistakeError("heights: rows are not equally long");
        return value_or_raise(SurfaceShape::from(std::move(grid)));
      },
      py::arg("heights"), py::arg("dx"), py::arg("dy"),
      R"(A Surface of heights over a grid: rows follow each other along y, with these distances [m].

>>> len(stiction.heightfield([[0, 0, 0], [0, 0.1, 0]], 0.5, 0.5).triangles)
4)");
}

}  // namespace

void bind_shapes(py::module_& m) {
  bind_primitives(m);
  bind_round_shapes(m);
  bind_intersection(m);
  bind_convex_shapes(m);
  bind_composite_shapes(m);
}

}  // namespace stiction::python

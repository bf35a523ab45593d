// Questions about the bodies of a world: rays, casts of shapes, the nearest body, overlaps.
#include <pybind11/functional.h>

#include <cmath>

#include "parts.h"
#include "stiction/world/queries.h"
#include "world.h"

namespace stiction::python {
namespace {

/// A WorldQueries and the world it looks at.
struct PyQueries {
  explicit PyQueries(std::shared_ptr<PyWorld> w) : world(std::move(w)), asked(world->readable()) {}

  std::shared_ptr<PyWorld> world;
  WorldQueries asked;
};

void check_finite(const char* name, const Vec3& v) {
  if (!std::isfinite(v.x + v.y + v.z))
    throw MistakeError(std::string(name) + " has to be three finite numbers");
}

void check_length(const char* name, double length) {
  if (!(length >= 0 && std::isfinite(length)))
    throw MistakeError(std::string(name) + ": found " + number_text(length) +
                       ", must be a length in m, 0 or more");
}

/// What can be moved or laid among the bodies.
void check_shape(const Shape& shape) {
  const ShapeKind k = kind(shape);
  if (k == ShapeKind::none || k == ShapeKind::half_space || k == ShapeKind::surface)
    throw MistakeError("a shape to ask with has to be convex and bounded, or a compound of such");
  Scene scene;  // what a body of this shape would be told
  scene.add_body("shape", {.shape = shape, .mass = 1});
  std::vector<Mistake> mistakes = validate(scene);
  for (Mistake& m : mistakes)
    if (m.path.starts_with("bodies.shape.")) m.path = m.path.substr(13);
  if (!mistakes.empty()) throw MistakeError(mistakes);
}
void check_turn(const Quat& q) {
  if (!(norm2(q) > 0) || !std::isfinite(norm2(q)))
    throw MistakeError("orientation has to be a quaternion [w, x, y, z] of four finite numbers, not all 0");
}

/// None where nothing was found.
py::object hit_or_none(const BodyHit& hit) {
  if (!hit.body) return py::none();
  return py::cast(hit);
}

py::array_t<double> row_of(const Vec3& v) { return py::array_t<double>(3, &v.x); }

void bind_hit(py::module_& m) {
  py::class_<BodyHit>(m, "BodyHit", R"(What a query of a world found.

>>> hit = world.queries().ray([0, 0, 9], [0, 0, -1], length=20)
>>> world.name_of(hit.body)
'box')")
      .def_readonly("body", &BodyHit::body, "BodyId.")
      .def_readonly("distance", &BodyHit::distance,
                    "[m] along the way; from a point: the signed distance, negative inside.")
      .def_property_readonly(
          "point", [](const BodyHit& h) { return row_of(h.point); }, "[m] on the body.")
      .def_property_readonly(
          "normal", [](const BodyHit& h) { return row_of(h.normal); }, "Unit, out of the body.")
      .def("__repr__", [](const BodyHit& h) {
        return "<BodyHit body " + std::to_string(h.body.index) + " at " + number_text(h.distance) + " m>";
      });
}

}  // namespace

void bind_queries(py::module_& m) {
  bind_hit(m);
  py::class_<PyQueries>(m, "Queries",
                        R"(Questions about the bodies of a world, as they were at the last look().

Made by World.queries(). Bodies that do not collide are not seen. `wanted`, if given, is called with the id of a
body and tells whether it is asked at all.

>>> asked = world.queries()
>>> asked.ray([0, 0, 9], [0, 0, -1], length=1) is None
True)")
      .def(
          "look", [](PyQueries& q) { q.world->readable(), q.asked.look(); },
          R"(Takes the bodies where they are now: after every step and every edit.

>>> asked = world.queries()
>>> report = world.step()
>>> asked.look())")
      .def(
          "ray",
          [](const PyQueries& q, const Vec3& origin, const Vec3& direction, double length,
             const BodyFilter& asks) {
            check_finite("origin", origin), check_finite("direction", direction);
            check_length("length", length);
            if (direction == Vec3{}) throw MistakeError("direction: found (0, 0, 0), must not be zero");
            return hit_or_none(q.asked.ray(origin, direction, length, asks));
          },
          py::arg("origin"), py::arg("direction"), py::arg("length"), py::arg("wanted") = BodyFilter{},
          R"(The first body within `length` [m] of `origin` along `direction` (of any length), or None.

>>> only_slope = lambda body: world.name_of(body) == "slope"
>>> hit = world.queries().ray([0, 0, 9], [0, 0, -1], length=20, wanted=only_slope)
>>> world.name_of(hit.body), round(hit.distance, 9)
('slope', 9.0))")
      .def(
          "cast",
          [](const PyQueries& q, const Shape& shape, const Vec3& position, const Vec3& displacement,
             const Quat& orientation, const BodyFilter& asks) {
            check_shape(shape), check_turn(orientation);
            check_finite("position", position), check_finite("displacement", displacement);
            return hit_or_none(q.asked.cast(shape, position, orientation, displacement, asks));
          },
          py::arg("shape"), py::arg("position"), py::arg("displacement"), py::arg("orientation") = Quat{},
          py::arg("wanted") = BodyFilter{},
          R"(What a shape meets first that moves by `displacement` [m] without turning, or None. One that overlaps a
body at the start meets it at distance 0.

>>> hit = world.queries().cast(stiction.Sphere(0.5), [9, 0, 0], [-20, 0, 0])
>>> world.name_of(hit.body)
'slope')")
      .def(
          "closest",
          [](const PyQueries& q, const Vec3& point, double within, const BodyFilter& asks) {
            check_finite("point", point), check_length("within", within);
            return hit_or_none(q.asked.closest(point, within, asks));
          },
          py::arg("point"), py::arg("within"), py::arg("wanted") = BodyFilter{},
          R"(The body nearest to a point, up to `within` [m], or None.

>>> hit = world.queries().closest(world.position[world.body("box")], within=1)
>>> world.name_of(hit.body), hit.distance < 0
('box', True))")
      .def(
          "overlapping",
          [](const PyQueries& q, const Shape& shape, const Vec3& position, const Quat& orientation,
             const BodyFilter& asks) {
            check_shape(shape), check_turn(orientation), check_finite("position", position);
            return q.asked.overlapping(shape, position, orientation, asks);
          },
          py::arg("shape"), py::arg("position"), py::arg("orientation") = Quat{},
          py::arg("wanted") = BodyFilter{},
          R"(Ids of the bodies that overlap a shape, in the order of the bodies.

>>> found = world.queries().overlapping(stiction.Sphere(5), [0, 0, 0])
>>> [world.name_of(body) for body in found]
['slope', 'box'])")
      .def("__repr__", [](const PyQueries&) { return "<Queries of a World>"; });
  const py::object world = m.attr("World");
  world.attr("queries") =
      py::cpp_function([](const std::shared_ptr<PyWorld>& w) { return std::make_unique<PyQueries>(w); },
                       py::name("queries"), py::is_method(world),
                       R"(Rays, casts of shapes, the nearest body, overlaps: of the bodies as they are now.

>>> hit = world.queries().ray([0, 0, 9], [0, 0, -1], length=20)
>>> world.name_of(hit.body)
'box')");
}

}  // namespace stiction::python

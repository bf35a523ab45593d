// Shapes of an expanded scene. Hulls are made here, so that points which span no body are told with their
// place.
#include <cmath>

#include "stiction/base/text.h"
#include "stiction/formats/detail/read.h"
#include "stiction/geometry/hull.h"
#include "stiction/math/elementary.h"

namespace stiction::formats {
namespace {

constexpr double pi = 3.14159265358979323846;

Quat axis_angle(const Json& map) {
  Vec3 axis;
  double angle = 0;
  read(map, "axis", axis);
  read(map, "degrees", angle);
  angle *= pi / 180;
  read(map, "radians", angle);
  if (!(norm(axis) > 0)) return {};
  const Vec3 v = elementary::sin(0.5 * angle) * normalized(axis);
  return {elementary::cos(0.5 * angle), v.x, v.y, v.z};
}
}  // namespace

bool read_quaternion(const Json& v, Quat& out) {
  if (v.is(Kind::map)) {
    out = axis_angle(v);
    return true;
  }
  if (!v.is(Kind::list) || v.items.size() != 4) return false;
  for (const Json& x : v.items) {
    if (!x.is(Kind::number)) return false;
  }
  out = {v.items[0].number, v.items[1].number, v.items[2].number, v.items[3].number};
  return true;
}

namespace {

Shape hull_of(const Json& hull, const std::string& path, Messages& messages) {
  std::vector<Vec3> points;
  double rounding = 0;
  read(hull, "points", points);
  read(hull, "rounding", rounding);
  const Result<Polyhedron> made = convex_hull(points);
  if (made) return ConvexShape(made.value(), rounding);
  const Json* list = hull.find("points");
  for (const Mistake& m : made.mistakes())
    messages.add(list != nullptr ? list->place : hull.place, joined(path, "points"), m.message);
  return NoShape{};
}

Inequality curved_of(const Json& face, const std::string& kind) {
  Vec3 at, axis{0, 0, 1};
  double length = 0;
  if (kind == "tube") {
    read(face, "radius", length), read(face, "point", at), read(face, "axis", axis);
    return tube_face(at, axis, length);
  }
  if (kind == "cone") {
    read(face, "slope", length), read(face, "apex", at), read(face, "axis", axis);
    return cone_face(at, axis, length);
  }
  if (kind == "paraboloid") {
    read(face, "curvature_radius", length), read(face, "top", at), read(face, "axis", axis);
    return paraboloid_face(at, axis, length);
  }
  CurvedFace out;
  read(face, "centre", out.center);
  if (kind == "ball") {
    read(face, "radius", length);
    return ball_face(out.center, length);
  }
  if (kind == "superellipsoid") out.kind = CurvedFace::Kind::superellipsoid;
  read(face, "radii", out.body.radii);
  read(face, "across", out.body.across);
  read(face, "along", out.body.along);
  read(face, "orientation", out.orientation);
  if (norm2(out.orientation) > 0) out.orientation = normalized(out.orientation);
  return out;
}

HalfSpace half_space_of(const Json& half) {
  HalfSpace out;
  if (half.is(Kind::map)) {
    read(half, "normal", out.normal);
    read(half, "offset", out.offset);
  } else {
    read_vector(half, out.normal);
  }
  return out;
}

Shape intersection_of(const Json& value, const std::string& path, Messages& messages) {
  const Json* list = part(value, "faces", Kind::list);
  if (list == nullptr || messages.covers(path)) return NoShape{};  // the table of keys has told what is wrong
  std::vector<Inequality> faces;
  for (const Json& face : list->items) {
    if (const Json* half = face.find("half_space"); half != nullptr) faces.push_back(half_space_of(*half));
    for (const char* kind : {"ball", "ellipsoid", "tube", "cone", "paraboloid", "superellipsoid"})
      if (const Json* curved = part(face, kind, Kind::map)) faces.push_back(curved_of(*curved, kind));
  }
  double rounding = 0;
  read(value, "rounding", rounding);
  const Result<Intersection> made = intersection(std::move(faces));
  if (made) return ConvexShape(made.value(), rounding);
  for (const Mistake& m : made.mistakes()) messages.add(list->place, joined(path, m.path), m.message);
  return NoShape{};
}

Shape compound_of(const Json& list, const std::string& path, Messages& messages) {
  std::vector<CompoundPart> parts;
  for (std::size_t i = 0; i < list.items.size(); ++i) {
    const Json& item = list.items[i];
    CompoundPart part;
    if (item.is(Kind::map)) {
      part.shape = shape_of(item, joined(path, i), messages);
      read(item, "at", part.position);
      if (const Json* turn = item.find("orientation")) read_quaternion(*turn, part.orientation);
    }
    parts.push_back(std::move(part));
  }
  return CompoundShape(std::move(parts));
}

/// The surface, or nothing after telling why at the value that is wrong.
Shape surface_of(Result<SurfaceShape> made, const Json& map, const std::string& path, Messages& messages) {
  if (made) return std::move(made).value();
  for (const Mistake& m : made.mistakes()) {
    const std::size_t dot = m.path.find('.');
    const Json* list = map.find(m.path.substr(0, dot));
    Place place = list != nullptr ? list->place : map.place;
    if (list != nullptr && dot != std::string::npos)
      if (const auto i = std::size_t(std::stoul(m.path.substr(dot + 1))); i < list->items.size())
        place = list->items[i].place;
    messages.add(place, joined(path, m.path), m.message);
  }
  return NoShape{};
}

Shape mesh_of(const Json& mesh, const std::string& path, Messages& messages) {
  const Json *vertices = mesh.find("vertices"), *triangles = mesh.find("triangles");
  if (vertices == nullptr || triangles == nullptr) {
    messages.add(mesh.place, path, "found no triangles, give `file`, or `vertices` and `triangles`");
    return NoShape{};
  }
  for (const char* key : {"unit", "flip"})
    if (const Json* v = mesh.find(key))
      messages.add(v->place, joined(path, key), std::string("`") + key + "` belongs to `file`, leave it out");
  if (!vertices->is(Kind::list) || !triangles->is(Kind::list)) return NoShape{};
  TriangleMesh out;
  read(mesh, "vertices", out.vertices);
  for (std::size_t i = 0; i < triangles->items.size(); ++i) {
    Vec3 t;
    if (!read_vector(triangles->items[i], t)) return NoShape{};
    std::array<int, 3> vertex{};
    for (int k = 0; k < 3; ++k) {
      if (!(std::fabs(t[k]) < 1e9) || t[k] != std::floor(t[k])) {
        messages.add(triangles->items[i].place, joined(joined(path, "triangles"), i),
                     "found " + number_text(t[k]) + ", the number of a vertex is a whole number");
        return NoShape{};
      }
      vertex[std::size_t(k)] = int(t[k]);
    }
    out.triangles.push_back(vertex);
  }
  return surface_of(SurfaceShape::from(std::move(out)), mesh, path, messages);
}

Shape heightfield_of(const Json& field, const std::string& path, Messages& messages) {
  const Json *heights = field.find("heights"), *spacing = field.find("spacing");
  if (heights == nullptr)
    messages.add(field.place, path, "found no heights, give `heights`, or `function` and `count`");
  if (heights != nullptr && field.find("count") != nullptr)
    messages.add(field.find("count")->place, joined(path, "count"),
                 "`count` belongs to `function`, leave it out");
  if (heights == nullptr || spacing == nullptr || heights->is(Kind::broken)) return NoShape{};
  HeightGrid grid;
  if (spacing->is(Kind::number)) grid.dx = grid.dy = spacing->number;
  if (spacing->is(Kind::list)) {
    if (spacing->items.size() != 2 || !spacing->items[0].is(Kind::number) ||
        !spacing->items[1].is(Kind::number)) {
      messages.add(spacing->place, joined(path, "spacing"),
                   "found " + describe(*spacing) + ", must be a length or two");
      return NoShape{};
    }
    grid.dx = spacing->items[0].number, grid.dy = spacing->items[1].number;
  }
  if (!heights->is(Kind::list)) {
    messages.add(heights->place, joined(path, "heights"),
                 "found " + describe(*heights) + ", must be a list of rows");
    return NoShape{};
  }
  grid.rows = int(heights->items.size());
  grid.columns = grid.rows > 0 ? int(heights->items[0].items.size()) : 0;
  for (std::size_t j = 0; j < heights->items.size(); ++j) {
    const Json& row = heights->items[j];
    if (!row.is(Kind::list) || int(row.items.size()) != grid.columns) {
      messages.add(row.place, joined(joined(path, "heights"), j),
                   "found " + describe(row) + ", must be a row of " + std::to_string(grid.columns) +
                       " heights as the first");
      return NoShape{};
    }
    for (const Json& z : row.items) grid.heights.push_back(z.number);
  }
  return surface_of(SurfaceShape::from(std::move(grid)), field, path, messages);
}

/// The shapes of convex.h.
Shape convex_of(const Json& s, const std::string& path, Messages& messages) {
  double rounding = 0;
  if (const Json* box = s.find("rounded_box")) {
    Box out;
    read(*box, "size", out.size);
    read(*box, "radius", rounding);
    return ConvexShape(out, rounding);
  }
  if (const Json* cylinder = s.find("cylinder")) {
    Cylinder out;
    read(*cylinder, "radius", out.radius);
    read(*cylinder, "height", out.height);
    read(*cylinder, "rounding", rounding);
    return ConvexShape(out, rounding);
  }
  if (const Json* cone = s.find("cone")) {
    Cone out;
    read(*cone, "radius", out.radius);
    read(*cone, "height", out.height);
    return ConvexShape(out);
  }
  if (s.find("ellipsoid") != nullptr) {
    Ellipsoid out;
    read(s, "ellipsoid", out.radii);
    return ConvexShape(out);
  }
  if (const Json* super = s.find("superellipsoid")) {
    Superellipsoid out;
    read(*super, "radii", out.radii);
    read(*super, "across", out.across);
    read(*super, "along", out.along);
    return ConvexShape(out);
  }
  if (const Json* list = part(s, "compound", Kind::list))
    return compound_of(*list, joined(path, "compound"), messages);
  if (const Json* mesh = part(s, "mesh", Kind::map)) return mesh_of(*mesh, joined(path, "mesh"), messages);
  if (const Json* field = part(s, "heightfield", Kind::map))
    return heightfield_of(*field, joined(path, "heightfield"), messages);
  if (const Json* hull = s.find("hull")) return hull_of(*hull, joined(path, "hull"), messages);
  if (const Json* cut = s.find("intersection"))
    return intersection_of(*cut, joined(path, "intersection"), messages);
  return NoShape{};
}

}  // namespace

Shape shape_of(const Json& owner, const std::string& path, Messages& messages) {
  const Json* s = part(owner, "shape", Kind::map);
  if (s == nullptr) return NoShape{};
  if (const Json* sphere = s->find("sphere")) return Sphere{sphere->number};
  if (s->find("box") != nullptr) {
    Box box;
    read(*s, "box", box.size);
    return box;
  }
  if (const Json* capsule = s->find("capsule")) {
    Capsule out;
    read(*capsule, "radius", out.radius);
    read(*capsule, "length", out.length);
    return out;
  }
  if (const Json* half = s->find("half_space")) return half_space_of(*half);
  return convex_of(*s, joined(path, "shape"), messages);
}

}  // namespace stiction::formats

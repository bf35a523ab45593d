// Shapes to numbers and back. Codes 0 to 4 are those of ShapeKind; 4 + k is core k of ConvexCore, so that a
// rounded box is 5 and a cylinder 8. The hull of a polyhedron is made again from its vertices, an
// intersection from its inequalities. From 40 on: shapes of many pieces.
#include <cmath>

#include "stiction/geometry/hull.h"
#include "stiction/record/detail/encode.h"

namespace stiction::detail {
namespace {

enum Code : unsigned char {
  none,
  sphere,
  box,
  capsule,
  half_space,
  rounded_box,
  cylinder = 8,
  cone,
  ellipsoid,
  superellipsoid,
  polyhedron,
  intersection,
  compound = 40,
  mesh,
  heightfield
};

/// Numbers for each inequality: kind (0 half-space, 1 + CurvedFace::Kind), point or normal, orientation or
/// offset, radii, exponents.
constexpr std::size_t inequality_numbers = 13;

ShapeRecord intersection_record(const Intersection& body, double rounding) {
  ShapeRecord out{intersection, {0, 0, 0, rounding}, {}};
  for (const Inequality& f : body.faces) {
    if (const auto* h = std::get_if<HalfSpace>(&f)) {
      const Vec3& n = h->normal;
      out.more.insert(out.more.end(), {0, n.x, n.y, n.z, h->offset, 0, 0, 0, 0, 0, 0, 0, 0});
      continue;
    }
    const auto& c = std::get<CurvedFace>(f);
    const Quat& q = c.orientation;
    const Superellipsoid& s = c.body;
    out.more.insert(out.more.end(), {1.0 + int(c.kind), c.center.x, c.center.y, c.center.z, q.w, q.x, q.y,
                                     q.z, s.radii.x, s.radii.y, s.radii.z, s.across, s.along});
  }
  return out;
}

ShapeRecord convex_record(const Convex& body) {
  const double r = body.rounding;
  if (const auto* x = std::get_if<Box>(&body.core))
    return {rounded_box, {x->size.x, x->size.y, x->size.z, r}, {}};
  if (const auto* x = std::get_if<Cylinder>(&body.core)) return {cylinder, {x->radius, x->height, 0, r}, {}};
  if (const auto* x = std::get_if<Cone>(&body.core)) return {cone, {x->radius, x->height, 0, r}, {}};
  if (const auto* x = std::get_if<Ellipsoid>(&body.core))
    return {ellipsoid, {x->radii.x, x->radii.y, x->radii.z, r}, {}};
  if (const auto* x = std::get_if<Superellipsoid>(&body.core))
    return {superellipsoid, {x->radii.x, x->radii.y, x->radii.z, r}, {x->across, x->along}};
  if (const auto* x = std::get_if<Intersection>(&body.core)) return intersection_record(*x, r);
  ShapeRecord out{polyhedron, {0, 0, 0, r}, {}};
  if (const auto* x = std::get_if<Polyhedron>(&body.core))
    for (const Vec3& v : x->vertices) out.more.insert(out.more.end(), {v.x, v.y, v.z});
  return out;
}

bool take(Convex body, Shape& s) {
  if (!fault_of(body).empty()) return false;
  s = ConvexShape(std::move(body));
  return true;
}

bool take_polyhedron(const ShapeRecord& record, Shape& s) {
  if (record.more.size() % 3 != 0) return false;
  std::vector<Vec3> points;
  for (std::size_t i = 0; i < record.more.size(); i += 3)
    points.push_back({record.more[i], record.more[i + 1], record.more[i + 2]});
  Result<Polyhedron> hull = convex_hull(points);
  return hull && take(Convex(std::move(hull.value()), record.numbers[3]), s);
}

/// Numbers: vertices; more: their coordinates, then the triangles. Or columns, rows, spacings; more: heights.
ShapeRecord surface_record(const SurfaceShape& shape) {
  if (shape.kind() == SurfaceShape::Kind::heightfield) {
    const HeightGrid& g = shape.grid();
    return {heightfield, {double(g.columns), double(g.rows), g.dx, g.dy}, g.heights};
  }
  ShapeRecord out{mesh, {double(shape.mesh().vertices.size()), 0, 0, 0}, {}};
  for (const Vec3& v : shape.mesh().vertices) out.more.insert(out.more.end(), {v.x, v.y, v.z});
  for (const auto& t : shape.mesh().triangles)
    out.more.insert(out.more.end(), {double(t[0]), double(t[1]), double(t[2])});
  return out;
}

bool take(Result<SurfaceShape> made, Shape& s) {
  if (!made) return false;
  s = std::move(made).value();
  return true;
}

bool take_mesh(const ShapeRecord& record, Shape& s) {
  const std::vector<double>& x = record.more;
  const double count = record.numbers[0];
  if (x.size() % 3 != 0 || !(count >= 0 && 3 * count <= double(x.size())) || count != std::floor(count))
    return false;
  TriangleMesh out;
  for (std::size_t i = 0; i < x.size(); i += 3) {
    if (i < 3 * std::size_t(count)) {
      out.vertices.push_back({x[i], x[i + 1], x[i + 2]});
      continue;
    }
    for (std::size_t k = i; k < i + 3; ++k)
      if (!(x[k] >= 0 && x[k] < count) || x[k] != std::floor(x[k])) return false;
    out.triangles.push_back({int(x[i]), int(x[i + 1]), int(x[i + 2])});
  }
  return take(SurfaceShape::from(std::move(out)), s);
}

bool take_heightfield(const ShapeRecord& record, Shape& s) {
  const auto [columns, rows, dx, dy] = record.numbers;
  if (!(columns >= 2 && rows >= 2 && columns * rows == double(record.more.size()))) return false;
  return take(SurfaceShape::from(HeightGrid{int(columns), int(rows), dx, dy, record.more}), s);
}

/// Of every part: position, orientation, code, the four numbers, how many more, and those.
ShapeRecord compound_record(const CompoundShape& shape) {
  ShapeRecord out{compound, {}, {}};
  for (const CompoundPart& p : shape.parts()) {
    const ShapeRecord s = shape_record(p.shape);
    const Quat& q = p.orientation;
    out.more.insert(out.more.end(), {p.position.x, p.position.y, p.position.z, q.w, q.x, q.y, q.z});
    out.more.push_back(double(s.code));
    out.more.insert(out.more.end(), s.numbers.begin(), s.numbers.end());
    out.more.push_back(double(s.more.size()));
    out.more.insert(out.more.end(), s.more.begin(), s.more.end());
  }
  return out;
}

bool take_compound(const ShapeRecord& record, Shape& s) {
  constexpr std::size_t head = 13;
  std::vector<CompoundPart> parts;
  const std::vector<double>& x = record.more;
  for (std::size_t at = 0; at < x.size();) {
    if (x.size() - at < head) return false;
    const double* n = x.data() + at;
    at += head;
    CompoundPart part{NoShape{}, {n[0], n[1], n[2]}, {n[3], n[4], n[5], n[6]}};
    const double code = n[7], more = n[12];
    if (!(code >= 0 && code < double(compound) && code == double(int(code)))) return false;
    if (!(more >= 0 && more <= double(x.size() - at) && more == double(std::size_t(more)))) return false;
    ShapeRecord shape{static_cast<unsigned char>(code), {n[8], n[9], n[10], n[11]}, {}};
    shape.more.assign(x.begin() + std::ptrdiff_t(at), x.begin() + std::ptrdiff_t(at) + std::ptrdiff_t(more));
    at += std::size_t(more);
    if (!shape_from(shape, part.shape)) return false;
    parts.push_back(std::move(part));
  }
  CompoundShape made(std::move(parts));
  if (!fault_of(made).empty()) return false;
  s = std::move(made);
  return true;
}

bool take_intersection(const ShapeRecord& record, Shape& s) {
  if (record.more.size() % inequality_numbers != 0) return false;
  std::vector<Inequality> faces;
  for (std::size_t i = 0; i < record.more.size(); i += inequality_numbers) {
    const double* n = record.more.data() + i;
    const Vec3 first{n[1], n[2], n[3]};
    if (n[0] == 0) {
      faces.push_back(HalfSpace{first, n[4]});
    } else if (n[0] >= 1 && n[0] <= 5 && n[0] == int(n[0])) {
      faces.push_back(CurvedFace{CurvedFace::Kind(int(n[0]) - 1),
                                 {{n[8], n[9], n[10]}, n[11], n[12]},
                                 first,
                                 {n[4], n[5], n[6], n[7]}});
    } else {
      return false;
    }
  }
  Result<Intersection> made = stiction::intersection(std::move(faces));
  return made && take(Convex(std::move(made.value()), record.numbers[3]), s);
}

}  // namespace

ShapeRecord shape_record(const Shape& s) {
  if (const auto* x = std::get_if<Sphere>(&s)) return {sphere, {x->radius, 0, 0, 0}, {}};
  if (const auto* x = std::get_if<Box>(&s)) return {box, {x->size.x, x->size.y, x->size.z, 0}, {}};
  if (const auto* x = std::get_if<Capsule>(&s)) return {capsule, {x->radius, x->length, 0, 0}, {}};
  if (const auto* x = std::get_if<HalfSpace>(&s))
    return {half_space, {x->normal.x, x->normal.y, x->normal.z, x->offset}, {}};
  if (const auto* x = std::get_if<ConvexShape>(&s)) return convex_record(x->body());
  if (const auto* x = std::get_if<CompoundShape>(&s)) return compound_record(*x);
  if (const auto* x = std::get_if<SurfaceShape>(&s)) return surface_record(*x);
  return {};
}

bool shape_from(const ShapeRecord& record, Shape& s) {
  const std::array<double, 4>& n = record.numbers;
  const Vec3 first{n[0], n[1], n[2]};
  switch (record.code) {
    case none:
      s = NoShape{};
      return true;
    case sphere:
      s = Sphere{n[0]};
      return true;
    case box:
      s = Box{first};
      return true;
    case capsule:
      s = Capsule{n[0], n[1]};
      return true;
    case half_space:
      s = HalfSpace{first, n[3]};
      return true;
    case rounded_box:
      return take(Convex(Box{first}, n[3]), s);
    case cylinder:
      return take(Convex(Cylinder{n[0], n[1]}, n[3]), s);
    case cone:
      return take(Convex(Cone{n[0], n[1]}, n[3]), s);
    case ellipsoid:
      return take(Convex(Ellipsoid{first}, n[3]), s);
    case superellipsoid:
      return record.more.size() == 2 &&
             take(Convex(Superellipsoid{first, record.more[0], record.more[1]}, n[3]), s);
    case polyhedron:
      return take_polyhedron(record, s);
    case compound:
      return take_compound(record, s);
    case mesh:
      return take_mesh(record, s);
    case heightfield:
      return take_heightfield(record, s);
    case intersection:
      return take_intersection(record, s);
    default:
      return false;
  }
}

}  // namespace stiction::detail

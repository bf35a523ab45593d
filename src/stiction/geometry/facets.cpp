// A grid of unit normals by latitude and longitude, mapped to the surface by the support function: flat parts
// become large facets, sharp edges shrink to none. Corners that coincide are left out, and so are facets
// without area. Of an intersection the hull of these points and of its flat faces.
#include "stiction/geometry/facets.h"

#include <algorithm>

#include "stiction/geometry/hull.h"
#include "stiction/math/elementary.h"

namespace stiction {
namespace {

constexpr double pi = 3.14159265358979323846;

/// A facet of these corners, if they span one.
void add(const std::vector<Vec3>& loop, double size, std::vector<Facet>& out) {
  Facet f;
  for (const Vec3& x : loop)
    if (f.corners.empty() || norm(x - f.corners.back()) > 1e-9 * size) f.corners.push_back(x);
  while (f.corners.size() > 1 && norm(f.corners.front() - f.corners.back()) <= 1e-9 * size)
    f.corners.pop_back();
  if (f.corners.size() < 3) return;
  Vec3 area;
  for (std::size_t i = 1; i + 1 < f.corners.size(); ++i)
    area += cross(f.corners[i] - f.corners[0], f.corners[i + 1] - f.corners[0]);
  const double length = norm(area);
  if (!(length > 1e-9 * size * size)) return;
  f.normal = area / length;
  out.push_back(std::move(f));
}

void add_faces(const Polyhedron& p, std::vector<Facet>& out) {
  for (int i = 0; i < int(p.faces.size()); ++i) {
    Facet f;
    for (const int v : p.loop(i)) f.corners.push_back(p.vertices[std::size_t(v)]);
    f.normal = p.faces[std::size_t(i)].normal;
    out.push_back(std::move(f));
  }
}

/// The hull of the points and of the outlines of flat faces, so that these come out whole. False where there
/// is none.
bool add_hull(const Intersection& body, std::vector<Vec3> points, int around, std::vector<Facet>& out) {
  for (const Intersection::Flat& flat : body.flats) {
    points.insert(points.end(), flat.corner.begin(), flat.corner.end());
    for (int k = 0; flat.is_disk && k < around; ++k) {
      const auto a = elementary::sine_and_cosine(2 * pi * k / around);
      points.push_back(flat.centre + flat.radius * (a.cos * flat.u + a.sin * flat.v));
    }
  }
  const Result<Polyhedron> hull = convex_hull(points, {.flat = 1e-9});
  if (hull) add_faces(hull.value(), out);
  return bool(hull);
}

}  // namespace

std::vector<Facet> facets_of(const Convex& body, double pixels) {
  std::vector<Facet> out;
  if (const auto* p = std::get_if<Polyhedron>(&body.core); p != nullptr && body.rounding == 0) {
    add_faces(*p, out);
    return out;
  }
  if (const auto* t = std::get_if<Triangle>(&body.core))
    return {{{t->corner[0], t->corner[1], t->corner[2]}, t->normal}};
  const int around = 4 * int(std::clamp(pixels / 12, 3.0, 12.0)), bands = around / 2;
  const double size = extent_of(body);
  const auto at = [&](int i, int j) {  // i = 0 and i = bands are the poles
    if (i == 0 || i == bands) return support(body, {0, 0, i == 0 ? -1.0 : 1.0});
    const auto north = elementary::sine_and_cosine(pi * (double(i) / bands - 0.5)),
               east = elementary::sine_and_cosine(2 * pi * (j % around + 0.5) / around);
    return support(body, {north.cos * east.cos, north.cos * east.sin, north.sin});
  };
  if (const auto* cut = std::get_if<Intersection>(&body.core); cut != nullptr && body.rounding == 0) {
    std::vector<Vec3> points{at(0, 0), at(bands, 0)};
    for (int i = 1; i < bands; ++i)
      for (int j = 0; j < around; ++j) points.push_back(at(i, j));
    if (add_hull(*cut, std::move(points), 2 * around, out)) return out;
  }
  for (int i = 0; i < bands; ++i)
    for (int j = 0; j < around; ++j) add({at(i, j), at(i, j + 1), at(i + 1, j + 1), at(i + 1, j)}, size, out);
  return out;
}

}  // namespace stiction

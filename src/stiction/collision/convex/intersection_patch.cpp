// Flat faces and straight lines of intersections.
//   flat faces  from their outlines (geometry/outline.cpp): disks, and polygons whose corners have lasting
//   names lines       x + t u on a tube (u its axis), a cone (u towards its apex) or the edge of two planes
//   (u = n1 x
//               n2), to where the other inequalities end them
// Symbols: lengths [m]. Ties of faces within 1e-6 go to the lower one, so that noise does not change the
// choice. Fails for: nothing; lines shorter than 1e-6 of the size count as points.
#include "stiction/collision/convex/detail/intersection_patch.h"

#include "stiction/geometry/detail/inequality.h"

namespace stiction::collision::detail {
namespace {

constexpr double tie = 1e-6;         // [-] lead in the cosine that another face needs
constexpr double across = 0.1;       // [-] sine of a line's angle to the plane it lies on
constexpr double short_line = 1e-6;  // [-] of the size

/// From x along +-u to the first of the faces but these two.
bool ends_of(const Side& s, const Intersection& body, int own, int other, const Vec3& x, const Vec3& u,
             double most, SurfaceLine& out) {
  double t[2] = {1e300, most};
  for (int i = 0; i < int(body.faces.size()); ++i) {
    if (i == own || i == other) continue;
    t[0] = std::fmin(t[0], stiction::detail::leaves(body, i, x, -u));
    t[1] = std::fmin(t[1], stiction::detail::leaves(body, i, x, u));
  }
  if (!(t[0] + t[1] > short_line * body.size) || !(t[0] + t[1] < 2 * body.size)) return false;
  out.end[0] = s.p + s.R * (x - t[0] * u), out.end[1] = s.p + s.R * (x + t[1] * u);
  return true;
}

}  // namespace

bool best_flat(const Side& s, const Intersection& body, const Vec3& d, Patch& out) {
  const Vec3 local = transposed_times(s.R, d);
  int best = -1, rim = 0, rims = 0;
  double most = -2;
  for (int i = 0; i < int(body.flats.size()); ++i) {
    const Intersection::Flat& f = body.flats[std::size_t(i)];
    const double along = dot(body.placed[std::size_t(f.face)].normal, local);
    if (along > most + tie) most = along, best = i, rim = rims;
    rims += f.is_disk ? 1 : 0;
  }
  if (best < 0) return false;
  const Intersection::Flat& f = body.flats[std::size_t(best)];
  out.face = f.face;
  out.normal = s.R * body.placed[std::size_t(f.face)].normal;
  out.count = 0;
  if (f.is_disk) {
    out.kind = Patch::Kind::disk;
    out.centre = s.p + s.R * f.centre, out.radius = f.radius;
    out.u = s.R * f.u, out.v = s.R * f.v;
    out.name[0] = rim;
    return true;
  }
  out.kind = Patch::Kind::polygon;
  for (int k = 0; k < int(f.corner.size()); ++k)
    out.add(s.p + s.R * f.corner[std::size_t(k)], patch_name::flat_corner + most_face_vertices * best + k);
  return true;
}

bool surface_line(const Side& s, const Intersection& body, const ActiveFaces& faces, const Vec3& x,
                  const Vec3& n, SurfaceLine& out) {
  const Vec3 local = transposed_times(s.R, x - s.p), normal = transposed_times(s.R, n);
  const int count = int(body.faces.size());
  for (int i = 0; i < faces.count; ++i) {
    const int face = faces.face[std::size_t(i)];
    Vec3 u;
    if (face >= count || !stiction::detail::ruling(body, face, local, u)) continue;
    if (std::fabs(dot(u, normal)) > across) continue;
    const auto& c = std::get<CurvedFace>(body.faces[std::size_t(face)]);
    const double most = c.kind == CurvedFace::Kind::cone ? norm(c.center - local) : 1e300;
    out.face = face;
    if (ends_of(s, body, face, -1, local, u, most, out)) return true;
  }
  if (faces.count != 2) return false;
  const int a = std::min(faces.face[0], faces.face[1]), b = std::max(faces.face[0], faces.face[1]);
  if (b >= count || !std::holds_alternative<HalfSpace>(body.faces[std::size_t(a)]) ||
      !std::holds_alternative<HalfSpace>(body.faces[std::size_t(b)]))
    return false;
  const Vec3 u = cross(body.placed[std::size_t(a)].normal, body.placed[std::size_t(b)].normal);
  out.face = a;
  return norm(u) > tie && ends_of(s, body, a, b, local, normalized(u), 1e300, out);
}

bool facing_line(const Side& s, const Intersection& body, const Vec3& d, SurfaceLine& out) {
  const Vec3 x = core_support(s, d), local = transposed_times(s.R, x - s.p);
  for (int i = 0; i < int(body.faces.size()); ++i) {
    const Implicit f = face(*s.core, i, local);
    if (!(f.value > -1e-9 * body.size)) continue;
    const Vec3 looks = s.R * f.gradient - d;
    if (norm(looks) > across) continue;
    if (surface_line(s, body, {1, {i, -1, -1}}, x, d, out)) return true;
  }
  return false;
}

}  // namespace stiction::collision::detail

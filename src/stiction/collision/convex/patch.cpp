// Faces, lines and points that a core turns towards a direction d (unit, outward).
//   rim      of centre c, radius R, axis z: x(t) = c + R (cos t u + sin t v), u and v fixed to the body;
//   deepest along d
//            at c + R d_t / |d_t|, d_t = d - (d.z) z. Flat to 1e-8 it has no deepest point, and its four
//            fixed points are within 1e-8 R of the depth of any other.
//   lines    of a cylinder's side: the deepest points of its two rims; of a cone's: apex and deepest point of
//   its rim;
//            of a capsule: the ends of its axis
// Symbols: lengths [m]. Ties of faces within 1e-6 go to the lower one, so that noise does not change the
// choice. Fails for: nothing.
#include "stiction/collision/convex/detail/patch.h"

#include "stiction/collision/convex/detail/intersection_patch.h"

namespace stiction::collision::detail {
namespace {

constexpr double tie = 1e-6;        // [-] lead in the cosine that another face needs
constexpr double flat_sine = 1e-8;  // [-]

struct Rim {
  Vec3 centre;
  double radius = 0;
  int index = 0;  // 0 bottom, 1 top
};

Rim rim_of(const Side& s, const Cylinder& c, int index) {
  return {s.p + (index == 1 ? 0.5 : -0.5) * c.height * s.R.column(2), c.radius, index};
}
Rim rim_of(const Side& s, const Cone& c) { return {s.p - 0.25 * c.height * s.R.column(2), c.radius, 0}; }

/// False where the rim lies flat.
bool lowest_of(const Side& s, const Rim& rim, const Vec3& d, Vec3& out) {
  const Vec3 local = transposed_times(s.R, d);
  const double rho = std::sqrt(local.x * local.x + local.y * local.y);
  if (!(rho > flat_sine)) return false;
  out = rim.centre + rim.radius * (s.R * Vec3{local.x / rho, local.y / rho, 0});
  return true;
}

Vec3 lowest_or_any(const Side& s, const Rim& rim, const Vec3& d) {
  Vec3 x;
  return lowest_of(s, rim, d, x) ? x : rim.centre + rim.radius * s.R.column(0);
}

void set_disk(const Side& s, const Rim& rim, double side, int face, Patch& out) {
  out.kind = Patch::Kind::disk;
  out.face = face;
  out.normal = side * s.R.column(2);
  out.centre = rim.centre, out.radius = rim.radius;
  out.u = s.R.column(0), out.v = s.R.column(1);
  out.count = 0;
  out.name[0] = rim.index;
}

void set_box_face(const Side& s, const Box& b, int axis, double side, Patch& out) {
  static constexpr double around[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
  const int j = (axis + 1) % 3, k = (axis + 2) % 3;
  out.kind = Patch::Kind::polygon;
  out.face = 2 * axis + (side < 0 ? 1 : 0);
  out.normal = side * s.R.column(axis);
  out.count = 0;
  for (int i = 0; i < 4; ++i) {
    const auto& turn = around[side > 0 ? i : 3 - i];
    Vec3 x;
    x[axis] = side * 0.5 * b.size[axis], x[j] = turn[0] * 0.5 * b.size[j], x[k] = turn[1] * 0.5 * b.size[k];
    const int name = (x.x > 0 ? 1 : 0) + (x.y > 0 ? 2 : 0) + (x.z > 0 ? 4 : 0);
    out.add(s.p + s.R * x, name);
  }
}

void set_polyhedron_face(const Side& s, const Polyhedron& p, int face, Patch& out) {
  out.kind = Patch::Kind::polygon;
  out.face = face;
  out.normal = s.R * p.faces[std::size_t(face)].normal;
  out.count = 0;
  for (const int v : p.loop(face)) out.add(s.p + s.R * p.vertices[std::size_t(v)], v);
}

void set_point(const Vec3& x, int name, Patch& out) {
  out.kind = Patch::Kind::point;
  out.count = 0;
  out.add(x, name);
}
void set_line(const Vec3& x, int name_x, const Vec3& y, int name_y, Patch& out) {
  out.kind = Patch::Kind::line;
  out.count = 0;
  out.add(x, name_x), out.add(y, name_y);
}

void add_rim(const Side& s, const Rim& rim, const Vec3& d, bool flat, Vec3 (&points)[most_touching],
             int (&names)[most_touching], int& count) {
  Vec3 x;
  if (lowest_of(s, rim, d, x)) points[count] = x, names[count++] = patch_name::lowest + rim.index;
  for (int quarter = 0; flat && quarter < 4; ++quarter) {
    const Vec3 out = (quarter % 2 == 0 ? 1.0 : -1.0) * s.R.column(quarter / 2);
    points[count] = rim.centre + rim.radius * out, names[count++] = patch_name::rim + 4 * rim.index + quarter;
  }
}

}  // namespace

bool best_face(const Side& s, const Vec3& d, Patch& out) {
  const Vec3 local = transposed_times(s.R, d);
  if (const auto* b = std::get_if<Box>(s.core)) {
    int axis = 0;
    for (int i = 1; i < 3; ++i)
      if (std::fabs(local[i]) > std::fabs(local[axis]) + tie) axis = i;
    set_box_face(s, *b, axis, std::copysign(1.0, local[axis]), out);
    return true;
  }
  if (const auto* p = std::get_if<Polyhedron>(s.core)) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < p->faces.size(); ++i)
      if (dot(p->faces[i].normal, local) > dot(p->faces[best].normal, local) + tie) best = i;
    set_polyhedron_face(s, *p, int(best), out);
    return true;
  }
  if (const auto* c = std::get_if<Cylinder>(s.core)) {
    const int top = local.z > 0 ? 1 : 0;
    set_disk(s, rim_of(s, *c, top), top == 1 ? 1 : -1, top == 1 ? 1 : 2, out);
    return true;
  }
  if (const auto* c = std::get_if<Cone>(s.core)) {
    set_disk(s, rim_of(s, *c), -1, 1, out);
    return true;
  }
  if (const auto* i = std::get_if<Intersection>(s.core)) return best_flat(s, *i, d, out);
  return false;
}

void facing_patch(const Side& s, const Vec3& d, double least_cosine, Patch& out) {
  const bool corners = std::holds_alternative<Box>(*s.core) || std::holds_alternative<Polyhedron>(*s.core);
  if (best_face(s, d, out) && (corners || dot(out.normal, d) > least_cosine)) return;
  const Vec3 z = s.R.column(2);
  if (const auto* c = std::get_if<Cylinder>(s.core)) {
    set_line(lowest_or_any(s, rim_of(s, *c, 0), d), patch_name::lowest, lowest_or_any(s, rim_of(s, *c, 1), d),
             patch_name::lowest + 1, out);
  } else if (const auto* cone = std::get_if<Cone>(s.core)) {
    set_line(lowest_or_any(s, rim_of(s, *cone), d), patch_name::lowest, s.p + 0.75 * cone->height * z,
             patch_name::apex, out);
  } else if (const auto* capsule = std::get_if<Capsule>(s.core); capsule != nullptr && capsule->length > 0) {
    set_line(s.p - 0.5 * capsule->length * z, patch_name::end, s.p + 0.5 * capsule->length * z,
             patch_name::end + 1, out);
  } else if (const auto* body = std::get_if<Intersection>(s.core)) {
    SurfaceLine line;
    if (facing_line(s, *body, d, line))
      set_line(line.end[0], patch_name::line_end + 2 * line.face, line.end[1],
               patch_name::line_end + 2 * line.face + 1, out);
    else
      set_point(core_support(s, d), patch_name::lowest, out);
  } else {
    set_point(core_support(s, d), patch_name::smooth, out);
  }
}

int touching_points(const Side& s, const Vec3& d, Vec3 (&points)[most_touching],
                    int (&names)[most_touching]) {
  constexpr double flat_cosine = 0.9;
  const Vec3 z = s.R.column(2);
  const double along = dot(d, z);
  int count = 0;
  if (const auto* c = std::get_if<Cylinder>(s.core)) {
    // the upper rim of an upright cylinder is never first
    if (!(along > flat_cosine)) add_rim(s, rim_of(s, *c, 0), d, along < -flat_cosine, points, names, count);
    if (!(along < -flat_cosine)) add_rim(s, rim_of(s, *c, 1), d, along > flat_cosine, points, names, count);
  } else if (const auto* cone = std::get_if<Cone>(s.core)) {
    add_rim(s, rim_of(s, *cone), d, along < -flat_cosine, points, names, count);
    if (!(along < -flat_cosine))
      points[count] = s.p + 0.75 * cone->height * z, names[count++] = patch_name::apex;
  } else if (const auto* capsule = std::get_if<Capsule>(s.core); capsule != nullptr && capsule->length > 0) {
    for (const int end : {0, 1})
      points[count] = s.p + (end - 0.5) * capsule->length * z, names[count++] = patch_name::end + end;
  } else if (std::holds_alternative<Intersection>(*s.core)) {
    Patch facing;
    facing_patch(s, d, flat_cosine, facing);
    if (facing.is_flat()) {
      const Vec3 tilt = d - dot(d, facing.normal) * facing.normal;
      if (norm(tilt) > flat_sine) points[count] = core_support(s, d), names[count++] = patch_name::lowest;
      for (int quarter = 0; facing.kind == Patch::Kind::disk && quarter < 4; ++quarter) {
        const Vec3 out = (quarter % 2 == 0 ? 1.0 : -1.0) * (quarter / 2 == 0 ? facing.u : facing.v);
        points[count] = facing.centre + facing.radius * out;
        names[count++] = patch_name::rim + 4 * facing.name[0] + quarter;
      }
    }
    for (int i = 0; i < facing.count; ++i) points[count] = facing.vertex[i], names[count++] = facing.name[i];
  } else {
    points[count] = core_support(s, d), names[count++] = patch_name::smooth;
  }
  return count;
}

}  // namespace stiction::collision::detail

// Distance of two convex cores: the point v of least norm of the difference D = B - A.
//   w_k = argmin { v.w : w in D },  v <- point of least norm of conv(simplex, w_k)
//   |v| >= distance >= v.w_k / |v|      (the bounds that end the loop)
// The least-norm point of a simplex is the least over its corners, edges, faces and volume of the foot of the
// origin, where that lies inside: small cases, each in closed form; only those with the newest corner can be
// it. On a triangle the direction is its normal, by a cross product, which keeps its digits however near the
// bodies are. Corners of an earlier pose (a witness) are a start from which bodies that moved little need one
// round. Symbols: D, v, w [m]. References: Gilbert, Johnson, Keerthi, 1988; van den Bergen, Collision
// Detection in Interactive 3D Environments, 2003, chapter 4. Fails: converges in finitely many steps for
// polyhedra, linearly for curved bodies; after 64 steps the bounds tell how far it came, and Newton's method
// goes on.
#include "stiction/collision/convex/detail/side.h"

namespace stiction::collision::detail {
namespace {

struct Simplex {
  Difference corner[4];
  double weight[4] = {1, 0, 0, 0};
  int count = 0;
  Vec3 v;
};

struct Foot {
  Vec3 v;
  double norm2 = 0;
  int corner[4];
  double weight[4];
  int count = 0;
};

// Weights of the foot of the origin in the affine hull; false when outside or degenerate.
bool foot_of(const Simplex& s, const int* c, int n, Foot& f) {
  const auto w = [&](int i) { return s.corner[c[i]].w; };
  f.count = n;
  for (int i = 0; i < n; ++i) f.corner[i] = c[i];
  if (n == 1) {
    f.weight[0] = 1, f.v = w(0);
  } else if (n == 2) {
    const Vec3 e = w(1) - w(0);
    const double ee = norm2(e), t = -dot(w(0), e) / ee;
    if (!(ee > 0) || !(t >= 0 && t <= 1)) return false;
    f.weight[0] = 1 - t, f.weight[1] = t, f.v = w(0) + t * e;
  } else if (n == 3) {
    const Vec3 u = w(1) - w(0), v = w(2) - w(0), m = cross(u, v);
    const double mm = norm2(m);
    if (!(mm > 1e-28 * norm2(u) * norm2(v))) return false;
    const double a = dot(m, cross(w(1), w(2))) / mm, b = dot(m, cross(w(2), w(0))) / mm;
    const double g = dot(m, cross(w(0), w(1))) / mm;
    if (!(a >= 0 && b >= 0 && g >= 0)) return false;
    const double sum = a + b + g;
    f.weight[0] = a / sum, f.weight[1] = b / sum, f.weight[2] = g / sum;
    f.v = (dot(m, w(0)) / mm) * m;
  } else {
    const double a = dot(w(1), cross(w(2), w(3))), b = -dot(w(0), cross(w(2), w(3)));
    const double g = dot(w(0), cross(w(1), w(3))), d = -dot(w(0), cross(w(1), w(2)));
    const double sum = a + b + g + d;
    const double size = norm(w(1) - w(0)) * norm(w(2) - w(0)) * norm(w(3) - w(0));
    if (!(std::fabs(sum) > 1e-14 * size)) return false;
    f.weight[0] = a / sum, f.weight[1] = b / sum, f.weight[2] = g / sum, f.weight[3] = d / sum;
    if (!(f.weight[0] >= 0 && f.weight[1] >= 0 && f.weight[2] >= 0 && f.weight[3] >= 0)) return false;
    f.v = {};
  }
  f.norm2 = norm2(f.v);
  return true;
}

void set_points(const Simplex& s, Candidate& out) {
  out.a = {}, out.b = {};
  for (int i = 0; i < s.count; ++i)
    out.a += s.weight[i] * s.corner[i].a, out.b += s.weight[i] * s.corner[i].b;
}

/// `newest`: only parts that contain the last corner.
void reduce(Simplex& s, bool newest) {
  Foot best, f;
  best.norm2 = -1;
  const int last = 1 << (s.count - 1);
  for (int mask = newest ? last : 1; mask < 2 * last; ++mask) {
    int c[4], n = 0;
    for (int i = 0; i < s.count; ++i)
      if (mask & (1 << i)) c[n++] = i;
    if (foot_of(s, c, n, f) && (best.norm2 < 0 || f.norm2 < best.norm2)) best = f;
  }
  s.count = best.count, s.v = best.v;
  for (int i = 0; i < best.count; ++i) {  // corners keep their order, so none is written before it is read
    s.weight[i] = best.weight[i];
    if (best.corner[i] != i) s.corner[i] = s.corner[best.corner[i]];
  }
}

Vec3 triangle_normal(const Simplex& s) {
  return normalized(cross(s.corner[1].w - s.corner[0].w, s.corner[2].w - s.corner[0].w));
}

/// Differences of the witness's corners at the poses of now.
void set_corners(const Side& a, const Side& b, const Witness& witness, Simplex& s) {
  s.count = witness.count;
  for (int i = 0; i < s.count; ++i) {
    Difference& d = s.corner[i];
    d.ia = witness.a[std::size_t(i)], d.ib = witness.b[std::size_t(i)];
    d.a = corner_of(a, d.ia), d.b = corner_of(b, d.ib), d.w = d.b - d.a;
  }
}

Witness witness_of(const Simplex& s) {
  Witness out;
  if (s.count > 3 || s.corner[0].ia < 0 || s.corner[0].ib < 0) return out;
  out.count = s.count;
  for (int i = 0; i < s.count; ++i)
    out.a[std::size_t(i)] = s.corner[i].ia, out.b[std::size_t(i)] = s.corner[i].ib;
  return out;
}

}  // namespace

GjkStatus gjk(const Side& a, const Side& b, double size, const Vec3& start, Candidate& out,
              const Witness& witness) {
  Simplex s;
  if (witness.count > 0) {
    set_corners(a, b, witness, s);
    reduce(s, false);
  } else {
    s.count = 1;
    s.corner[0] = least_along(a, b, start);
    s.v = s.corner[0].w;
  }
  out = {start, s.corner[0].a, s.corner[0].b, dot(start, s.corner[0].w), 0, {}};
  for (int step = 0; step < 64; ++step) {
    double length = norm(s.v);
    if (s.count == 4 || !(length > 1e-13 * size)) {
      set_points(s, out);
      return GjkStatus::overlapping;
    }
    Vec3 n = s.v / length;
    if (s.count == 3) {
      const Vec3 m = triangle_normal(s);
      n = dot(m, n) < 0 ? -m : m;
      length = dot(n, s.corner[0].w);
    }
    const Difference d = least_along(a, b, n);
    const double separation = dot(n, d.w);
    if (length - separation < out.error || step == 0) {
      out = {n, {}, {}, separation, length - separation, witness_of(s)};
      set_points(s, out);
    }
    if (length - separation <= 1e-15 * size) break;
    bool known = false;
    for (int i = 0; i < s.count; ++i) known = known || s.corner[i].w == d.w;
    if (known) break;
    const double before = norm2(s.v);
    s.corner[s.count++] = d;
    reduce(s, true);
    if (s.count < 4 && !(norm2(s.v) < before)) break;
  }
  return out.separation > 0 ? GjkStatus::apart : GjkStatus::overlapping;
}

bool try_witness(const Side& a, const Side& b, double size, const Witness& witness, const Vec3& normal,
                 Candidate& out) {
  if (witness.count != 3) return false;
  Simplex s;
  set_corners(a, b, witness, s);
  Foot f;
  const int corners[3] = {0, 1, 2};
  if (!foot_of(s, corners, 3, f)) return false;
  Vec3 n = triangle_normal(s);
  if (dot(n, normal) < 0) n = -n;
  const double height = dot(n, s.corner[0].w), separation = dot(n, least_along(a, b, n).w);
  if (!(height - separation <= 4e-15 * size) || !(separation >= -shallow_ratio * size)) return false;
  for (int i = 0; i < 3; ++i) s.weight[i] = f.weight[i];
  out = {n, {}, {}, separation, std::fmax(0, separation > 0 ? height - separation : -separation), witness};
  set_points(s, out);
  return true;
}

}  // namespace stiction::collision::detail

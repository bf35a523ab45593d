// Distance of two convex cores: the point v of least norm of the difference D = B - A.
//   w_k = argmin { v.w : w in D },  v <- point of least norm of conv(simplex, w_k)
//   |v| >= distance >= v.w_k / |v|      (the bounds that end the loop)
// The least-norm point of a simplex is the least over its corners, edges, faces and volume of the foot of the
// origin, where that lies inside: up to fifteen small cases, each in closed form.
// Symbols: D, v, w [m]. References: Gilbert, Johnson, Keerthi, 1988; van den Bergen, Collision Detection in
// Interactive 3D Environments, 2003, chapter 4. Fails: converges in finitely many steps for polyhedra,
// linearly for curved bodies; after 64 steps the bounds tell how far it came, and Newton's method goes on.
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

void reduce(Simplex& s) {
  Foot best, f;
  best.norm2 = -1;
  for (int mask = 1; mask < (1 << s.count); ++mask) {
    int c[4], n = 0;
    for (int i = 0; i < s.count; ++i)
      if (mask & (1 << i)) c[n++] = i;
    if (foot_of(s, c, n, f) && (best.norm2 < 0 || f.norm2 < best.norm2)) best = f;
  }
  Simplex r;
  r.count = best.count, r.v = best.v;
  for (int i = 0; i < best.count; ++i) r.corner[i] = s.corner[best.corner[i]], r.weight[i] = best.weight[i];
  s = r;
}

}  // namespace

GjkStatus gjk(const Side& a, const Side& b, double size, const Vec3& start, Candidate& out) {
  Simplex s;
  s.count = 1;
  s.corner[0] = least_along(a, b, start);
  s.v = s.corner[0].w;
  out = {start, s.corner[0].a, s.corner[0].b, dot(start, s.corner[0].w), 0};
  for (int step = 0; step < 64; ++step) {
    const double length = norm(s.v);
    if (s.count == 4 || !(length > 1e-13 * size)) {
      set_points(s, out);
      return GjkStatus::overlapping;
    }
    const Vec3 n = s.v / length;
    const Difference d = least_along(a, b, n);
    const double separation = dot(n, d.w);
    if (length - separation < out.error || step == 0) {
      out = {n, {}, {}, separation, length - separation};
      set_points(s, out);
    }
    if (length - separation <= 1e-15 * size) break;
    bool known = false;
    for (int i = 0; i < s.count; ++i) known = known || s.corner[i].w == d.w;
    if (known) break;
    const Simplex before = s;
    s.corner[s.count++] = d;
    reduce(s);
    if (s.count < 4 && !(norm2(s.v) < norm2(before.v))) break;
  }
  return out.separation > 0 ? GjkStatus::apart : GjkStatus::overlapping;
}

}  // namespace stiction::collision::detail

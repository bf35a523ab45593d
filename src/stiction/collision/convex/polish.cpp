// Newton's method on the equations of kkt.cpp, inside an active-set loop: a face with a negative multiplier
// is dropped, the face violated most is added, until neither is found.
//
// The result is taken only if it is proved: both points on their bodies and the true separation along n,
// by the support functions, equal to n.(b - a) to 1e-12 of the size. For bodies apart that makes it the
// closest points, since the problem is convex. For overlap it must also separate no less than the start,
// which vetoes other stationary directions. Faces are chosen with several tolerances, finest first.
// Reference: Nocedal and Wright, Numerical Optimization, 2006, chapter 16 (active sets). Fails, and says so,
// on faces whose functions are not smooth at the solution (superellipsoids of low exponents on their planes);
// the start then stands.
#include "stiction/collision/convex/detail/kkt.h"
#include "stiction/geometry/detail/dense.h"

namespace stiction::collision::detail {
namespace {

constexpr double proof = 1e-12;  // [-] of the size

double largest(const double (&r)[most_unknowns], int n) {
  double m = 0;
  for (int i = 0; i < n; ++i) m = std::isfinite(r[i]) ? std::fmax(m, std::fabs(r[i])) : 1e300;
  return m;
}

// True when the residual has come down to round-off, which small radii of curvature magnify.
bool newton(const KktSystem& system, Kkt& z) {
  double r[most_unknowns], J[most_unknowns][most_unknowns];
  double before = 1e300;
  for (int step = 0; step < 25; ++step) {
    system.evaluate(z, r, J);
    const double now = largest(r, system.unknowns());
    if (now > 10 || (now <= 1e-10 && now >= 0.5 * before)) return now <= 1e-10;
    before = now;
    stiction::detail::solve_dense<most_unknowns>(J, r, system.unknowns(), 1e-13);
    // far steps only turn the normal about
    const double length = largest(r, 10);
    if (!(length < 1e100)) return false;
    const double damping = length > 0.5 ? 0.5 / length : 1;
    for (double& x : r) x *= damping;
    system.subtract(r, z);
  }
  return before <= 1e-10;
}

// Drops the face of the most negative multiplier; true when one was dropped.
bool drop(const Side& s, ActiveFaces& faces, const double (&multiplier)[3]) {
  int worst = -1;
  for (int i = 0; i < faces.count; ++i)
    if (!is_equality(s, faces.face[std::size_t(i)]) &&
        multiplier[i] < (worst < 0 ? -1e-12 : multiplier[worst]))
      worst = i;
  if (worst < 0 || faces.count == 1) return false;
  for (int i = worst; i + 1 < faces.count; ++i) faces.face[std::size_t(i)] = faces.face[std::size_t(i + 1)];
  --faces.count;
  return true;
}

bool add_violated(const Side& s, const Vec3& x, double tolerance, ActiveFaces& faces) {
  const int worst = violated_face(s, x, tolerance);
  if (worst < 0 || faces.count == 3) return false;
  for (int i = 0; i < faces.count; ++i)
    if (faces.face[std::size_t(i)] == worst) return false;
  faces.face[std::size_t(faces.count++)] = worst;
  return true;
}

bool solve_active(const Side& a, const Side& b, double size, Kkt& z, ActiveFaces& faces_a,
                  ActiveFaces& faces_b) {
  for (int round = 0; round < 8; ++round) {
    if (faces_a.count == 0 || faces_b.count == 0) return false;
    const KktSystem system(a, faces_a, b, faces_b, size);
    system.set_multipliers(z);
    const Kkt start = z;
    if (!newton(system, z)) return false;
    const double tolerance = 1e-13 * size;
    const bool dropped_a = drop(a, faces_a, z.multiplier_a), dropped_b = drop(b, faces_b, z.multiplier_b);
    const bool added_a = !dropped_a && add_violated(a, size * z.a, tolerance, faces_a);
    const bool added_b = !dropped_b && add_violated(b, size * z.b, tolerance, faces_b);
    if (!dropped_a && !dropped_b && !added_a && !added_b) return true;
    if (norm(z.n - start.n) > 0.5) z = start;
  }
  return false;
}

}  // namespace

bool polish(const Side& a, const Side& b, double size, Candidate& c, ActiveFaces& faces_a,
            ActiveFaces& faces_b) {
  for (const double tolerance : {1e-9, 1e-6, 1e-4, 1e-2}) {
    Kkt z;
    z.a = c.a / size, z.b = c.b / size, z.n = c.normal, z.d = dot(c.normal, c.b - c.a) / size;
    ActiveFaces fa = choose_faces(a, c.a, c.normal, tolerance),
                fb = choose_faces(b, c.b, -c.normal, tolerance);
    if (!solve_active(a, b, size, z, fa, fb)) continue;
    const Vec3 n = normalized(z.n), x = size * z.a, y = size * z.b;
    const double separation = dot(n, least_along(a, b, n).w), gap = dot(n, y - x);
    const bool inside = violated_face(a, x, proof * size) < 0 && violated_face(b, y, proof * size) < 0;
    if (!inside || !(gap - separation <= proof * size) || !(separation >= c.separation - proof * size))
      continue;
    const double ceiling = c.separation + c.error;
    const double error = gap > 0 ? gap - separation : ceiling - separation;
    c = {n, x, y, separation, std::fmax(0, error), {}};
    faces_a = fa, faces_b = fb;
    return true;
  }
  return false;
}

}  // namespace stiction::collision::detail

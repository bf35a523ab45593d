// Volume, centre and inertia of an intersection of density 1.
// Half-spaces alone: the hull of the points where three planes meet within all others. Bodies of revolution:
// revolution.cpp. Others, by rays from a point inside:
//   V = int t^3/3 dw,   int x = int t^4/4 u dw,   int x x^T = int t^5/5 u u^T dw
// over the sphere of directions, dw = dz da, u = (sqrt(1 - z^2) (cos a, sin a), z), t(u) where the ray u
// leaves. On each circle z = const the places where the ray changes its face are found by bisection, and the
// arcs between them are integrated by Gauss's rule of 8 points on panels of at most 0.4 rad. Along z, Gauss's
// rule again, on intervals that are halved until two halves agree with the whole: what is left are kinks
// where an edge touches a circle, or three faces meet. The axis z is tilted, so that edges of symmetric
// bodies are seldom circles. Symbols: u, w directions [-]; t [m]; lengths over the size of the body.
// Reference: Davis and Rabinowitz, Methods of Numerical Integration, 1984. Fails: two changes of face within
// 1e-3 rad are missed; the error they make is of third order in their distance. Rounded bodies of this last
// kind have no solid (volume 0).
#include "stiction/geometry/detail/intersection_solid.h"

#include <vector>

#include "stiction/geometry/detail/inequality.h"
#include "stiction/geometry/detail/rounded_solid.h"
#include "stiction/geometry/hull.h"
#include "stiction/math/elementary.h"

namespace stiction::detail {
namespace {

constexpr double turn = 6.283185307179586;

struct Moments {
  double v[10] = {};  // volume; first; xx, yy, zz, xy, xz, yz
};

// Gauss-Legendre on [0, 1], 8 points
constexpr double point[8] = {0.019855071751231884, 0.10166676129318664, 0.2372337950418355,
                             0.4082826787521751,   0.5917173212478249,  0.7627662049581645,
                             0.8983332387068134,   0.9801449282487681};
constexpr double weight[8] = {0.05061426814518813, 0.11119051722668724, 0.15685332293894365,
                              0.18134189168918099, 0.18134189168918099, 0.15685332293894365,
                              0.11119051722668724, 0.05061426814518813};

class Rays {
 public:
  explicit Rays(const Intersection& body)
      : body_(body), R_(rotation_matrix(normalized(Quat{0.9, 0.2, 0.3, 0.1}))) {
    for (const Inequality& f : body.faces)
      if (const auto* c = std::get_if<CurvedFace>(&f);
          c != nullptr && c->kind == CurvedFace::Kind::superellipsoid)
        tolerance_ = 1e-9;  // their rays cost a hundred times as much
  }
  Moments run() const {
    constexpr int intervals = 16;
    constexpr double width = 2.0 / intervals;
    Moments sum;
    for (int i = 0; i < intervals; ++i)
      add(1, divide(-1 + width * i, width, interval(-1 + width * i, width), 1, 0), sum);
    return sum;
  }

 private:
  static void add(double s, const Moments& a, Moments& sum) {
    for (int i = 0; i < 10; ++i) sum.v[i] += s * a.v[i];
  }

  /// The direction at an angle on the circle z, where its ray leaves, through which face, and how much
  /// farther the next one is.
  struct Ray {
    double angle = 0;
    Vec3 u;
    double t = 1e300;
    int face = -1;
    double lead = 0;
  };
  Ray ray(double z, double angle) const {
    const elementary::SineCosine a = elementary::sine_and_cosine(angle);
    const double r = std::sqrt((1 - z) * (1 + z));
    Ray out{angle, R_ * Vec3{r * a.cos, r * a.sin, z}, 1e300, -1, 0};
    double second = 1e300;
    for (int i = 0; i < int(body_.faces.size()); ++i) {
      const double t = leaves(body_, i, body_.inside, out.u);
      if (t < out.t)
        second = out.t, out.t = t, out.face = i;
      else if (t < second)
        second = t;
    }
    out.lead = second / out.t - 1;
    out.t /= body_.size;
    return out;
  }

  void arc(double z, double from, double to, Moments& m) const {
    const int panels = int((to - from) / 0.4) + 1;
    const double width = (to - from) / panels;
    for (int k = 0; k < panels; ++k)
      for (int j = 0; j < 8; ++j) {
        const Ray r = ray(z, from + (k + point[j]) * width);
        const Vec3 x = r.t * r.u;
        const double w = weight[j] * width * r.t * r.t * r.t, a = w / 4, b = w / 5;
        const double values[10] = {w / 3,         a * x.x,       a * x.y,       a * x.z,       b * x.x * x.x,
                                   b * x.y * x.y, b * x.z * x.z, b * x.x * x.y, b * x.x * x.z, b * x.y * x.z};
        for (int i = 0; i < 10; ++i) m.v[i] += values[i];
      }
  }

  /// Integrates up to every change of face between a and b; `begin` is where the arc of a's face began.
  void split(double z, const Ray& a, const Ray& b, double& begin, Moments& m) const {
    const double width = b.angle - a.angle, middle = 0.5 * (a.angle + b.angle);
    if (a.face == b.face && (width < 5e-3 || std::fmin(a.lead, b.lead) > 2 * width)) return;
    if (a.face != b.face && width < 1e-8) {  // its square is the error
      arc(z, begin, middle, m);
      begin = middle;
      return;
    }
    const Ray c = ray(z, middle);
    split(z, a, c, begin, m);
    split(z, c, b, begin, m);
  }

  Moments circle(double z) const {
    constexpr int samples = 32;
    Moments m;
    double begin = 0;
    Ray last = ray(z, 0);
    for (int i = 1; i <= samples; ++i) {
      const Ray next = ray(z, i * (turn / samples));
      split(z, last, next, begin, m);
      last = next;
    }
    arc(z, begin, turn, m);
    return m;
  }

  Moments interval(double low, double width) const {
    Moments m;
    for (int j = 0; j < 8; ++j) add(weight[j] * width, circle(low + point[j] * width), m);
    return m;
  }

  /// `before`: the error of the interval that this is half of. What does not fall with the width, and is
  /// small, is that of the circles: their panels cross the planes where superellipsoids are less smooth.
  Moments divide(double low, double width, const Moments& whole, double before, int depth) const {
    const double half = 0.5 * width;
    const Moments a = interval(low, half), b = interval(low + half, half);
    double error = 0;
    for (int k = 0; k < 10; ++k) error = std::fmax(error, std::fabs(a.v[k] + b.v[k] - whole.v[k]));
    Moments sum;
    if (error <= tolerance_ || (error <= 1e-9 && error > 0.45 * before) || depth == 16) {
      add(1, a, sum), add(1, b, sum);
    } else {
      add(1, divide(low, half, a, error, depth + 1), sum),
          add(1, divide(low + half, half, b, error, depth + 1), sum);
    }
    return sum;
  }

  const Intersection& body_;
  Mat3 R_;
  double tolerance_ = 1e-11;  // [-] of size^3, size^4, size^5, for each interval
};

Solid ray_solid(const Intersection& body) {
  const Moments m = Rays(body).run();
  const double s = body.size, volume = m.v[0] * s * s * s;
  const Vec3 c = Vec3{m.v[1], m.v[2], m.v[3]} * (s / m.v[0]);
  const double s5 = s * s * s * s * s;
  const double xx = m.v[4] * s5 - volume * c.x * c.x, yy = m.v[5] * s5 - volume * c.y * c.y,
               zz = m.v[6] * s5 - volume * c.z * c.z;
  const double xy = m.v[7] * s5 - volume * c.x * c.y, xz = m.v[8] * s5 - volume * c.x * c.z,
               yz = m.v[9] * s5 - volume * c.y * c.z;
  return {volume, body.inside + c, {yy + zz, xx + zz, xx + yy, -xy, -xz, -yz}};
}

bool is_polyhedron(const Intersection& body) {
  for (const Inequality& f : body.faces)
    if (!std::holds_alternative<HalfSpace>(f)) return false;
  return true;
}

/// Where three planes meet within all others.
std::vector<Vec3> corners(const Intersection& body) {
  const int n = int(body.faces.size());
  const auto normal = [&](int i) { return body.placed[std::size_t(i)].normal; };
  const auto offset = [&](int i) { return std::get<HalfSpace>(body.faces[std::size_t(i)]).offset; };
  std::vector<Vec3> out;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j)
      for (int k = 0; k < j; ++k) {
        const Vec3 jk = cross(normal(j), normal(k));
        const double det = dot(normal(i), jk);
        if (std::fabs(det) < 1e-9) continue;
        const Vec3 x = (offset(i) * jk + offset(j) * cross(normal(k), normal(i)) +
                        offset(k) * cross(normal(i), normal(j))) /
                       det;
        bool in = true;
        for (int m = 0; m < n && in; ++m) in = dot(normal(m), x) - offset(m) <= 1e-12 * body.size;
        for (std::size_t p = 0; p < out.size() && in; ++p) in = norm(out[p] - x) > 1e-11 * body.size;
        if (in) out.push_back(x);
      }
  return out;
}

}  // namespace

bool can_be_rounded(const Intersection& body) {
  Axis axis;
  return is_polyhedron(body) || find_axis(body, axis);
}

Solid intersection_solid(const Intersection& body, double r) {
  Axis axis;
  if (find_axis(body, axis)) return revolution_solid(body, axis, r);
  if (is_polyhedron(body))
    if (const Result<Polyhedron> hull = convex_hull(corners(body))) return rounded_solid(hull.value(), r);
  return r > 0 ? Solid{} : ray_solid(body);
}

}  // namespace stiction::detail

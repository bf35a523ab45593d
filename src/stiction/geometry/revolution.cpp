// Volume, centre and inertia of an intersection that is a body of revolution, rounded or not, of density 1.
// In the half-plane (rho, z) of the axis, from a point on it, rays at the angle a from the top end at P(a) on
// one face after the other. The body is inside the curve Q = P + r n, n the outward normal, joined at
// corners by arcs of radius r:
//   V = pi oint rho^2 dz,  int z = pi oint rho^2 z dz,  int z^2 = pi oint rho^2 z^2 dz,  int rho^2 = pi / 2
//   oint rho^4 dz
// (z rising). Along a face: P = p + t u, t' = -t n.u' / n.u, n' = H P', Q' = P' + r n'; integrals by
// Gauss-Legendre quadrature of 16 points on intervals that are halved until the halves agree with the whole.
// Corners are found by bisection between rays of different faces; between rays of one face another is looked
// for where it is near.
// Symbols: H Hessian of the face (as a distance) [1/m]; r rounding [m]; lengths [m]. Fails: a face that shows
// between two rays 1e-4 rad apart is missed; what it cuts off is below 1e-8 of the area of the profile.
#include <vector>

#include "stiction/geometry/detail/gauss.h"
#include "stiction/geometry/detail/inequality.h"
#include "stiction/geometry/detail/intersection_solid.h"
#include "stiction/math/elementary.h"

namespace stiction::detail {
namespace {

using Kind = CurvedFace::Kind;
constexpr double pi = 3.14159265358979323846;
constexpr double aligned = 1e-13;  // [-]

bool is_ball(const CurvedFace& c) {
  return c.kind == Kind::ellipsoid && c.body.radii.x == c.body.radii.y && c.body.radii.y == c.body.radii.z;
}
bool is_round(const CurvedFace& c) {
  return c.body.radii.x == c.body.radii.y && (c.kind != Kind::superellipsoid || c.body.across == 2);
}

struct Moments {
  double v[4] = {0, 0, 0, 0};  // 1, z, z^2, rho^2
};

class Profile {
 public:
  Profile(const Intersection& body, const Axis& axis, double r) : body_(body), z_(axis.along), r_(r) {
    Vec3 other;
    tangents(z_, e_, other);
    start_ = axis.point + dot(body.inside - axis.point, z_) * z_;
  }

  Moments run() {
    find_switches();
    Moments sum;
    double angle = 0, from = 0;
    for (std::size_t i = 0; i <= switches_.size(); ++i) {
      const double to = i < switches_.size() ? switches_[i] : pi;
      const int face = faces_[i];
      const Spot first = spot(from, face), last = spot(to, face);
      arc(first, angle, first.angle, sum);
      add(divide(face, from, to, piece(face, from, to), 0), sum);
      angle = last.angle, from = to;
      if (i == switches_.size()) arc(last, angle, pi, sum);
    }
    return sum;
  }
  const Vec3& start() const { return start_; }

 private:
  struct Spot {
    double rho = 0, z = 0;  // of P
    double n_rho = 0, n_z = 1;
    double d_rho = 0, d_z = 0;    // P'
    double dn_rho = 0, dn_z = 0;  // n'
    double angle = 0;             // of n from the axis
  };

  int face_at(double a, double& second) const {
    const elementary::SineCosine s = elementary::sine_and_cosine(a);
    const Vec3 u = s.cos * z_ + s.sin * e_;
    double first = 1e300;
    int face = -1;
    second = 1e300;
    for (int i = 0; i < int(body_.faces.size()); ++i) {
      const double t = leaves(body_, i, start_, u);
      if (t < first)
        second = first, first = t, face = i;
      else if (t < second)
        second = t;
    }
    second = second / first - 1;
    return face;
  }

  void find_switches() {
    constexpr int rays = 256;
    double near, far;
    int before = face_at(0, near);
    faces_.push_back(before);
    for (int i = 1; i <= rays; ++i) {
      const double a = pi * (i - 1) / rays, b = pi * i / rays;
      const int after = face_at(b, far);
      split(a, before, near, b, after, far);
      before = after, near = far;
    }
  }

  void split(double a, int face_a, double near_a, double b, int face_b, double near_b) {
    const double width = b - a;
    if (face_a == face_b && (width < 1e-4 || std::fmin(near_a, near_b) > 16 * width)) return;
    if (face_a != face_b && width < 1e-15) {
      switches_.push_back(a), faces_.push_back(face_b);
      return;
    }
    const double m = 0.5 * (a + b);
    if (!(m > a && m < b)) {
      switches_.push_back(a), faces_.push_back(face_b);
      return;
    }
    double near;
    const int face = face_at(m, near);
    split(a, face_a, near_a, m, face, near);
    split(m, face, near, b, face_b, near_b);
  }

  Spot spot(double a, int face) const {
    const elementary::SineCosine s = elementary::sine_and_cosine(a);
    const Vec3 u = s.cos * z_ + s.sin * e_, du = s.cos * e_ - s.sin * z_;
    const double t = leaves(body_, face, start_, u);
    const Vec3 x = start_ + t * u;
    Implicit f = inequality_face(body_, face, x);
    // on the axis a cone has no normal: that of its side then
    if (!(norm(f.gradient) > 0.5) || t * s.sin < 1e-14 * body_.size)
      f = inequality_face(body_, face, x + 1e-13 * body_.size * e_);
    const Vec3 n = normalized(f.gradient), dx = t * (du - (dot(n, du) / dot(n, u)) * u), dn = f.hessian * dx;
    Spot out{t * s.sin,   t * s.cos,   dot(n, e_),  dot(n, z_), dot(dx, e_),
             dot(dx, z_), dot(dn, e_), dot(dn, z_), 0};
    out.angle = elementary::atan2(std::fmax(0, out.n_rho), out.n_z);
    return out;
  }

  static void add(const Moments& a, Moments& sum) {
    for (int i = 0; i < 4; ++i) sum.v[i] += a.v[i];
  }
  static void add(double rho, double z, double dz, Moments& m) {
    const double r2 = rho * rho, w = -pi * r2 * dz;  // z falls along the profile
    m.v[0] += w, m.v[1] += w * z, m.v[2] += w * z * z, m.v[3] += 0.5 * w * r2;
  }

  void arc(const Spot& p, double from, double to, Moments& sum) const {
    if (!(r_ > 0) || !(to > from)) return;
    for (const auto& [node, weight] : gauss16)
      for (const double x : {-node, node}) {
        const elementary::SineCosine a =
            elementary::sine_and_cosine(0.5 * (from + to) + 0.5 * (to - from) * x);
        add(p.rho + r_ * a.sin, p.z + r_ * a.cos, -0.5 * (to - from) * weight * r_ * a.sin, sum);
      }
  }

  Moments piece(int face, double from, double to) const {
    Moments m;
    for (const auto& [node, weight] : gauss16)
      for (const double x : {-node, node}) {
        const Spot p = spot(0.5 * (from + to) + 0.5 * (to - from) * x, face);
        add(p.rho + r_ * p.n_rho, p.z + r_ * p.n_z, 0.5 * (to - from) * weight * (p.d_z + r_ * p.dn_z), m);
      }
    return m;
  }

  Moments divide(int face, double from, double to, const Moments& whole, int depth) const {
    const double m = 0.5 * (from + to), length = body_.size + r_;
    const Moments a = piece(face, from, m), b = piece(face, m, to);
    Moments sum = a;
    add(b, sum);
    double error = 0, scale = length * length * length;
    for (int i = 0; i < 4; ++i) {
      error = std::fmax(error, std::fabs(sum.v[i] - whole.v[i]) / scale);
      if (i < 2) scale *= length;
    }
    if (error <= 1e-16 || depth == 24 || --pieces_left_ < 0) return sum;
    sum = divide(face, from, m, a, depth + 1);
    add(divide(face, m, to, b, depth + 1), sum);
    return sum;
  }

  const Intersection& body_;
  mutable int pieces_left_ = 20000;  // far from its own origin a body's round-off would be divided for ever
  Vec3 z_, e_, start_;
  double r_;
  std::vector<double> switches_;
  std::vector<int> faces_;
};

}  // namespace

bool find_axis(const Intersection& body, Axis& axis) {
  const CurvedFace* first = nullptr;
  bool known = false;
  for (std::size_t i = 0; i < body.faces.size(); ++i) {
    const auto* c = std::get_if<CurvedFace>(&body.faces[i]);
    if (c == nullptr) continue;
    if (!is_round(*c)) return false;
    if (first == nullptr) first = c, axis.point = c->center;
    if (!is_ball(*c) && !known) axis = {c->center, body.placed[i].axes.column(2)}, known = true;
  }
  if (first == nullptr) return false;
  for (std::size_t i = 0; i < body.faces.size() && !known; ++i) {
    const auto* c = std::get_if<CurvedFace>(&body.faces[i]);
    const Vec3 d = c == nullptr ? body.placed[i].normal : c->center - first->center;
    if (norm(d) > aligned * body.size) axis.along = normalized(d), known = true;
  }
  if (!known) axis.along = {0, 0, 1};
  for (std::size_t i = 0; i < body.faces.size(); ++i) {
    const auto* c = std::get_if<CurvedFace>(&body.faces[i]);
    if (c != nullptr && norm(cross(axis.along, c->center - axis.point)) > aligned * body.size) return false;
    if (c != nullptr && is_ball(*c)) continue;
    const Vec3 along = c == nullptr ? body.placed[i].normal : body.placed[i].axes.column(2);
    if (norm(cross(axis.along, along)) > aligned) return false;
  }
  return true;
}

Solid revolution_solid(const Intersection& body, const Axis& axis, double r) {
  Profile profile(body, axis, r);
  const Moments m = profile.run();
  const double volume = m.v[0], middle = m.v[1] / volume, zz = m.v[2] - volume * middle * middle, rr = m.v[3];
  // 1/2 rr about the axis for each of two directions across it
  const double across = 0.5 * rr + zz, difference = rr - across;
  const Vec3& z = axis.along;
  return {volume,
          profile.start() + middle * z,
          {across + difference * z.x * z.x, across + difference * z.y * z.y, across + difference * z.z * z.z,
           difference * z.x * z.y, difference * z.x * z.z, difference * z.y * z.z}};
}

}  // namespace stiction::detail

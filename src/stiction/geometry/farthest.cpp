// The farthest point of an intersection of convex inequalities.
//   maximise n.x  subject to  F_i(x) <= 0:    n = sum l_i grad F_i,   l_i >= 0,   F_i <= 0,   l_i F_i = 0
// Three planes that hold the body and whose normals combine to n with weights >= 0 give an upper bound, at
// the point where they meet. It starts with planes of the body's box. While that point violates an
// inequality, the plane that touches the one violated most, below the point, enters, and one of the three
// leaves so that the weights stay >= 0 (a step of the dual simplex method, ties in the order of a second,
// fixed direction): the bound falls. If the point violates none it is the answer: so end bodies of planes,
// and apexes. Curved faces are approached only; but which faces the three planes belong to tells which
// inequalities carry the weights, and Newton's method on these, from there, ends at round-off: one face alone
// in closed form. It is taken only if proved: for all y of the body
//   n.(y - x) <= |n - sum l_i grad f_i| |y - x| - sum l_i f_i(x)
// is round-off, and x within all others. Otherwise the planes go on.
// Where n is the normal of a flat face any point of it is an answer.
// Symbols: F convex forms, f the same over the length of the gradient at the start [m]; l weights [-];
// lengths [m]. References: Kelley, The cutting-plane method for solving convex programs, 1960; Veinott, The
// supporting hyperplane method, 1967. Fails: faces of a radius of curvature below 1e-7 or above 1e7 sizes;
// what is not proved after 200 planes is drawn inside, towards a point well inside, and is good to what is
// left.
#include <limits>

#include "stiction/geometry/detail/dense.h"
#include "stiction/geometry/detail/inequality.h"

namespace stiction::detail {
namespace {

constexpr int most_planes = 200;
constexpr double proof = 1e-14;       // [-] of the size: Newton's result is taken at once
constexpr double on_face = 1e-14;     // [-] of the size: what Newton's method has set to zero
constexpr double none = 1e-14;        // [-] a weight that may as well be zero
constexpr double settled = 3e-15;     // [-] n - sum l_i grad f_i is round-off
constexpr double good_proof = 1e-12;  // [-] of the size: is taken if nothing better comes

struct Plane {
  Vec3 normal;
  double offset = 0;
  int face = -1;  // -1: of the box
};

/// Three planes, the point where they meet, and the weights of n.
struct Basis {
  Plane plane[3];
  Vec3 dual[3];  // dual[i].plane[j].normal = (i == j)
  Vec3 x;
  double weight[3];

  /// False where they are all but parallel.
  bool update(const Vec3& n) {
    const Vec3 &a = plane[0].normal, &b = plane[1].normal, &c = plane[2].normal;
    const Vec3 bc = cross(b, c), ca = cross(c, a), ab = cross(a, b);
    const double det = dot(a, bc);
    dual[0] = bc / det, dual[1] = ca / det, dual[2] = ab / det;
    x = plane[0].offset * dual[0] + plane[1].offset * dual[1] + plane[2].offset * dual[2];
    // planes that are all but parallel: the round-off of x, times 1/det, is taken out again
    for (int again = 0; again < 3 && std::fabs(det) < 1e-4; ++again)
      for (int i = 0; i < 3; ++i) x += (plane[i].offset - dot(plane[i].normal, x)) * dual[i];
    for (int i = 0; i < 3; ++i) weight[i] = dot(n, dual[i]);
    return std::fabs(det) > 1e-17;
  }

  bool has(const Plane& e) const {
    for (const Plane& p : plane)
      if (p.normal == e.normal && p.offset == e.offset) return true;
    return false;
  }

  /// False where no point satisfies all four planes, or round-off decides.
  bool enter(const Plane& e, const Vec3& n) {
    if (has(e)) return false;
    const Vec3 second{0.5393, 0.2871, 0.7917};  // any that is along no axis
    int leaving = -1;
    double least = 0, least_second = 0;
    for (int i = 0; i < 3; ++i) {
      const double a = dot(e.normal, dual[i]);
      if (!(a > 1e-13 + 1e-15 * norm(dual[i]))) continue;
      const double r = std::fmax(0, weight[i]) / a, s = dot(second, dual[i]) / a;
      const bool tie = leaving >= 0 && std::fabs(r - least) <= 1e-15 * (1 + least);
      if (leaving < 0 || (tie ? s < least_second : r < least)) leaving = i, least = r, least_second = s;
    }
    if (leaving < 0) return false;
    plane[leaving] = e;
    return update(n);
  }
};

Basis box_basis(const Intersection& body, const Vec3& n) {
  Basis b;
  for (int i = 0; i < 3; ++i) {
    const double side = n[i] < 0 ? -1 : 1;
    b.plane[i].normal[i] = side;
    // a little larger, so that it never stands in for a face
    b.plane[i].offset = (side > 0 ? body.high[i] : -body.low[i]) + 1e-3 * body.size;
  }
  b.update(n);
  return b;
}

/// Faces with their weights.
struct Active {
  int count = 0;
  int face[3];
  double weight[3];

  void add(int f, double w) {
    for (int i = 0; i < count; ++i)
      if (face[i] == f) {
        weight[i] += w;
        return;
      }
    face[count] = f, weight[count++] = w;
  }
  bool has(int f) const {
    for (int i = 0; i < count; ++i)
      if (face[i] == f) return true;
    return false;
  }
  void drop(int k) {
    for (--count; k < count; ++k) face[k] = face[k + 1], weight[k] = weight[k + 1];
  }
};

struct Solution {
  Vec3 x;
  double error = std::numeric_limits<double>::infinity();  // [m]
};

class Search {
 public:
  Search(const Intersection& body, const Vec3& n) : body_(body), n_(n) {}

  Farthest run(Vec3& out) {
    if (single_face(out)) return Farthest::found;
    Basis basis = box_basis(body_, n_);
    int wait = 0;
    bool feasible = false;
    for (int step = 0; step < most_planes; ++step) {
      double depth = 0;
      const int worst = violated(basis.x, depth);
      feasible = worst < 0;
      if (!on_the_box(basis) && --wait <= 0) {
        if (is_corner(basis) && feasible) break;
        attempt(basis);
        if (best_.error <= proof * body_.size) break;
        wait = 2;
      }
      if (feasible) break;
      const Cut cut = cut_at(body_, worst, basis.x);
      const Basis before = basis;
      if (basis.enter({cut.normal, cut.offset, worst}, n_)) continue;
      basis = before;
      // two planes of one face may be so close that their point is off the third by much more than round-off
      const bool own = basis.has({cut.normal, cut.offset, worst});
      if (!own && depth > 1e-9 * body_.size) return Farthest::empty;
      if (!on_the_box(basis)) attempt(basis);
      break;
    }
    out = best_.error <= good_proof * body_.size ? best_.x : feasible ? basis.x : drawn_inside(basis.x);
    return on_the_box(basis) ? Farthest::on_the_box : Farthest::found;
  }

 private:
  static bool on_the_box(const Basis& b) {
    return b.plane[0].face < 0 || b.plane[1].face < 0 || b.plane[2].face < 0;
  }

  /// Three planes of three faces that are flat, or of an apex: their point needs no Newton's method.
  bool is_corner(const Basis& b) const {
    for (int i = 0; i < 3; ++i)
      if (!std::holds_alternative<HalfSpace>(body_.faces[std::size_t(b.plane[i].face)])) return false;
    return true;
  }

  /// The face that x violates most, `on` those that it lies on.
  int violated(const Vec3& x, double& most, const Active& on = {}) const {
    int worst = -1;
    most = 0;
    for (int i = 0; i < int(body_.faces.size()); ++i)
      if (on.has(i))
        continue;
      else if (const double f = distance_to(body_, i, x) - body_.placed[std::size_t(i)].slack; f > most)
        most = f, worst = i;
    return worst;
  }

  void offer(const Vec3& x, double error, const Active& on) {
    double depth = 0;
    if (error < best_.error && violated(x, depth, on) < 0) best_ = {x, error};
  }

  /// One curved face alone, in closed form.
  bool single_face(Vec3& out) const {
    Active on;
    Vec3 x;
    on.count = 1;
    double depth = 0;
    for (int i = 0; i < int(body_.faces.size()); ++i) {
      on.face[0] = i;
      if (own_farthest(body_, i, n_, x) && violated(x, depth, on) < 0) {
        out = x;
        return true;
      }
    }
    return false;
  }

  /// Newton's method on the faces of the basis. A face that its result violates is added, one of negative
  /// weight is dropped; where a tube or cone is left, whose lines nothing ends then, the face at their other
  /// end takes its place.
  void attempt(const Basis& basis) {
    Active active;
    for (int i = 0; i < 3; ++i) active.add(basis.plane[i].face, basis.weight[i]);
    Vec3 start = basis.x;
    for (int round = 0; round < 6 && active.count > 0; ++round) {
      Vec3 x = start;
      if (active.count == 1 && own_farthest(body_, active.face[0], n_, x)) return;  // has been tried
      x = start;
      Active weights = active;
      newton(x, weights);
      int worst = -1;
      for (int i = 0; i < weights.count; ++i)
        if (weights.weight[i] < (worst < 0 ? -none : weights.weight[worst])) worst = i;
      if (best_.error <= proof * body_.size) return;
      if (worst < 0) {
        double depth = 0;
        const int next = is_finite(x) ? violated(x, depth, active) : -1;
        if (next < 0 || active.count == 3) return;
        active = weights, active.add(next, 0), start = x;
        continue;
      }
      const int dropped = active.face[worst];
      active = weights;
      active.drop(worst);
      if (active.count == 1 && follow_line(active.face[0], dropped, x, active)) start = x;
    }
  }

  /// Along the line of a face, away from another one, to its end.
  bool follow_line(int face, int from, Vec3& x, Active& active) {
    Vec3 along;
    if (!is_finite(x) || !ruling(body_, face, x, along)) return false;
    if (dot(along, convex_form(body_, from, x).gradient) > 0) along = -along;
    double first = std::numeric_limits<double>::infinity();
    int end = -1;
    for (int i = 0; i < int(body_.faces.size()); ++i)
      if (i != face)
        if (const double t = leaves(body_, i, x, along); t < first) first = t, end = i;
    const auto& c = std::get<CurvedFace>(body_.faces[std::size_t(face)]);
    if (c.kind == CurvedFace::Kind::cone && dot(along, c.center - x) > 0 && !(first < norm(c.center - x))) {
      const Vec3 g = normalized(convex_form(body_, face, x).gradient);  // the same along the whole line
      offer(c.center, norm(n_ - dot(n_, g) * g) * body_.size, active);
      return false;
    }
    if (end < 0) return false;
    x += first * along;
    active.add(end, 1e-12);
    return true;
  }

  void newton(Vec3& x, Active& active) {
    const int count = active.count, size = 3 + count;
    double scale[3];
    double last = std::numeric_limits<double>::infinity();
    int worse = 0;
    for (int step = 0; step < 12; ++step) {
      double A[6][6] = {}, r[6] = {-n_.x, -n_.y, -n_.z, 0, 0, 0};
      double shift = 0, away = 0;
      bool negative = false;
      for (int i = 0; i < count; ++i) {
        const ConvexForm F = convex_form(body_, active.face[i], x);
        if (step == 0) scale[i] = 1 / norm(F.gradient);
        if (!std::isfinite(scale[i])) return;
        const double l = active.weight[i];
        negative = negative || l < -none;
        r[3 + i] = scale[i] * F.value / body_.size;
        shift += l < 0 ? -l : l * std::fabs(r[3 + i]), away = std::fmax(away, std::fabs(r[3 + i]));
        const Mat3 H = full(F.hessian);
        for (int j = 0; j < 3; ++j) {
          r[j] += l * scale[i] * F.gradient[j];
          A[j][3 + i] = A[3 + i][j] = scale[i] * F.gradient[j];
          for (int k = 0; k < 3; ++k) A[j][k] += l * scale[i] * body_.size * H(j, k);
        }
      }
      const double error = norm(Vec3{r[0], r[1], r[2]}) + shift, now = error + away;  // of the size
      if (!(now < 1e3)) return;
      if (!negative && away <= on_face) offer(x, now * body_.size, active);
      if (now <= 1e-16 || (now >= 0.5 * last && ++worse > (now < 1e-12 ? 0 : 4))) return;
      last = now;
      if (error <= settled) {  // the direction is round-off: back to the faces only, and no farther
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j) A[i][j] = i == j ? 1 : 0;
        r[0] = r[1] = r[2] = 0;
      }
      solve_dense<6>(A, r, size, 1e-17);
      const Vec3 dx{r[0], r[1], r[2]};
      const double length = norm(dx), damping = length > 0.5 ? 0.5 / length : 1;
      if (!(length < 1e100)) return;
      x -= damping * body_.size * dx;
      if (error > settled)
        for (int i = 0; i < count; ++i) active.weight[i] -= damping * r[3 + i];
    }
  }

  Vec3 drawn_inside(const Vec3& x) const {
    const Vec3 d = x - body_.inside;
    const double length = norm(d);
    if (!(length > 0)) return x;
    int face = 0;
    return body_.inside + std::fmin(length, leaves(body_, body_.inside, d / length, face)) * (d / length);
  }

  const Intersection& body_;
  Vec3 n_;
  Solution best_;
};

}  // namespace

Farthest farthest(const Intersection& body, const Vec3& n, Vec3& x) {
  return Search(body, normalized(n)).run(x);
}

Vec3 farthest(const Intersection& body, const Vec3& n) {
  Vec3 x = body.inside;
  farthest(body, n, x);
  return x;
}

}  // namespace stiction::detail

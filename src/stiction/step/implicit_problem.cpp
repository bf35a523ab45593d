#include "stiction/step/implicit_problem.h"

#include <algorithm>
#include <limits>

#include "stiction/step/stages.h"

namespace stiction::step {

using complementarity::Mcp;
using complementarity::Triplet;
using implicit::variables;

namespace {

/// [-] step of the projection in terms of inverse masses, which are near 1: impulses are divided by mass.
constexpr double projection_step = 0.3;

}  // namespace

/// A body at the candidate end of the step.
template <int N>
struct ImplicitProblem::Placed {
  Mat3 R;
  DualVec3<N> at;    // [m]
  DualVec3<N> turn;  // [rad] slopes alone
  DualVec3<N> velocity, spin;
};

/// A face at a point, with the slopes of both.
template <int N>
struct ImplicitProblem::Lifted {
  Dual<N> value;
  DualVec3<N> gradient;
};
template <int N>
ImplicitProblem::Lifted<N> ImplicitProblem::lift(const Convex& body, int index, const Placed<N>& p,
                                                 const DualVec3<N>& point) {
  const Implicit f = face(body.core, index, p.R, p.at.value(), point.value());
  Lifted<N> out{f.value, f.gradient};
  const Vec3 arm = point.value() - p.at.value();
  for (int k = 0; k < N; ++k) {
    const Vec3 turn = p.turn.slope(k);
    const Vec3 moved =
        point.slope(k) - p.at.slope(k) - cross(turn, arm);  // of the point, as the body sees it
    out.value.slope[std::size_t(k)] = dot(f.gradient, moved);
    out.gradient.set_slope(k, cross(turn, f.gradient) + f.hessian * moved);
  }
  return out;
}

ImplicitProblem::ImplicitProblem(const ImplicitSettings& settings, const ImplicitSystem& s)
    : settings_(settings), s_(s) {
  double mass = 0;
  for (const ImplicitBody& b : s.bodies) {
    const bool moves = b.mass > 0;
    unknown_.push_back(moves ? n_ : -1);
    n_ += moves ? 6 : 0, mass += b.mass;
    inertia_.push_back(world_inertia(b.inertia, b.orientation));
    const Vec3 torque = b.torque - cross(b.spin, inertia_.back() * b.spin);
    const Vec3& d = b.inertia;
    free_velocity_.push_back(moves ? b.velocity + (settings.h / b.mass) * b.force : Vec3{});
    free_spin_.push_back(
        moves ? b.spin + settings.h * (world_inertia({1 / d.x, 1 / d.y, 1 / d.z}, b.orientation) * torque)
              : Vec3{});
  }
  if (const int moving = n_ / 6; moving > 0) mass_ = mass / moving;
  for (const ImplicitContact& c : s.contacts) {
    const int of_f = face_count(body(c.f).shape->core), of_g = face_count(body(c.g).shape->core);
    const bool many = of_g > 1;  // then multipliers of all faces
    Rows r{.begin = n_, .faces_f = many || of_f > 1 ? of_f : 0, .faces_g = many ? of_g : 0};
    n_ += paper() ? 11 : 10;
    if (many) r.normal = n_, n_ += 3;
    r.of_f = n_, r.of_g = n_ + r.faces_f;
    n_ = r.of_g + r.faces_g;
    rows_.push_back(r);
  }
}

/// `first`: of the contact's variables.
template <int N>
ImplicitProblem::Placed<N> ImplicitProblem::placed(int i, int first, std::span<const double> x) const {
  const ImplicitBody& b = body(i);
  using Vector = DualVec3<N>;
  Placed<N> out;
  out.R = rotation_matrix(b.orientation), out.at = b.position;
  if (unknown(i) < 0) return out;
  const double h = settings_.h;
  out.velocity = Vector::variables(three(x, unknown(i)), first);
  out.spin = Vector::variables(three(x, unknown(i) + 3), first + 3);
  out.at = Vector(b.position) + Dual<N>(h) * out.velocity;
  const Vec3 half = 0.5 * h * out.spin.value();
  out.R = rotation_matrix(normalized(cayley(2.0 * half) * b.orientation));
  for (int j = 0; j < 3 && N > 0; ++j) {  // the slope of Cayley's map
    const Vec3 e = h * unit_vector(j);
    out.turn.set_slope(first + 3 + j, (e + cross(half, e)) / (1 + norm2(half)));
  }
  return out;
}

/// The first tangent is the part of a grain, or of an axis, across the normal.
template <int N>
struct ImplicitProblem::Frame {
  DualVec3<N> n, t, o;
};
template <int N>
ImplicitProblem::Frame<N> ImplicitProblem::frame(std::size_t k, const Placed<N>& f, const Placed<N>& g,
                                                 const DualVec3<N>& normal) const {
  const ImplicitContact& c = s_.contacts[k];
  DualVec3<N> axis = unit_vector(rows_[k].axis);
  if (rows_[k].grain) {
    const Placed<N>& of = c.grain_of_f ? f : g;
    const Vec3 direction = of.R * c.grain;
    axis = direction;
    for (int j = 0; j < N; ++j) axis.set_slope(j, cross(of.turn.slope(j), direction));
  }
  const DualVec3<N> t = normalized(axis - dot(axis, normal) * normal);
  return {normal, t, cross(normal, t)};
}

/// sign times the sum of multipliers and gradients, whose slopes by the multipliers go to three rows from
/// `row` on; and the rows of the multipliers.
template <int N, class Use>
DualVec3<N> ImplicitProblem::gradients(const Convex& shape, const Placed<N>& p, const DualVec3<N>& point,
                                       int row, int first, int count, double sign, std::span<const double> x,
                                       const Use& use) const {
  DualVec3<N> sum;
  for (int i = 0; i < count; ++i) {
    const int column = first + i;
    const Lifted<N> own = lift(shape, i, p, point);
    sum = sum + Dual<N>(sign * x[std::size_t(column)]) * own.gradient;
    for (int j = 0; j < 3; ++j) use(row + j, column, sign * own.gradient.value()[j]);
    use(column, -own.value);
  }
  return sum;
}

/// The rows that hold a2 on g; returns the normal there, of length 1 where they hold.
template <int N, class Use>
DualVec3<N> ImplicitProblem::hold_g(std::size_t k, std::span<const double> x, const Placed<N>& g,
                                    const DualVec3<N>& a2, const Use& use) const {
  const Rows& r = rows_[k];
  const Convex& shape = *body(s_.contacts[k].g).shape;
  if (r.normal < 0) {
    const Lifted<N> surface = lift(shape, 0, g, a2);
    use(r.begin + 2, surface.value);
    return normalized(surface.gradient);
  }
  const DualVec3<N> n = DualVec3<N>::variables(three(x, r.normal), implicit::pointing);
  const DualVec3<N> left = n + gradients(shape, g, a2, r.normal, r.of_g, r.faces_g, -1, x, use);
  use(r.normal, left.x), use(r.normal + 1, left.y), use(r.normal + 2, left.z);
  use(r.begin + 2, 0.5 * (dot(n, n) - 1));
  return n;
}

/// The rows that hold a1 on f, with a normal against that of g.
template <int N, class Use>
void ImplicitProblem::hold_f(std::size_t k, std::span<const double> x, const Placed<N>& f,
                             const DualVec3<N>& a1, const DualVec3<N>& normal, const Frame<N>& at,
                             const Use& use) const {
  const Rows& r = rows_[k];
  const Convex& shape = *body(s_.contacts[k].f).shape;
  const int row = r.begin + 3;
  if (r.faces_f == 0) {
    const Lifted<N> own = lift(shape, 0, f, a1);
    const DualVec3<N> m = normalized(own.gradient);
    use(row, dot(at.t, m)), use(row + 1, dot(at.o, m)), use(row + 2, own.value);
    return;
  }
  const DualVec3<N> left = normal + gradients(shape, f, a1, row, r.of_f, r.faces_f, 1, x, use);
  use(row, left.x), use(row + 1, left.y), use(row + 2, left.z);
}

/// `speed` = E u_f; the paper's rows are over e_k here.
template <int N, class Use>
void ImplicitProblem::friction(std::size_t k, const Dual<N>& limit, const DualVec3<N>& y,
                               const DualVec3<N>& speed, double multiplier, const Use& use) const {
  const bool turns = rows_[k].extent.z > 0;
  const int row = rows_[k].begin + 7;
  if (paper()) {
    const Dual<N> s = Dual<N>::variable(multiplier, implicit::slipping);
    use(row, limit * speed.x + s * y.x), use(row + 1, limit * speed.y + s * y.y);
    use(row + 2, turns ? limit * speed.z + s * y.z : y.z);
    use(row + 3, limit * limit - dot(y, y));
    return;
  }
  DualVec3<N> z = y - Dual<N>(projection_step) * speed;
  if (!turns) z.z = 0;
  if (norm(z.value()) > limit.value) z = (limit / sqrt(dot(z, z))) * z;
  use(row, y.x - z.x), use(row + 1, y.y - z.y), use(row + 2, y.z - z.z);
}

/// use(row, number) for the rows of contact k and for what it adds to those of bodies; use(row, column,
/// slope) for slopes by multipliers of faces.
template <int N, class Use>
void ImplicitProblem::contact(std::size_t k, std::span<const double> x, const Use& use) const {
  using namespace implicit;
  const ImplicitContact& c = s_.contacts[k];
  const int begin = rows_[k].begin;
  using Number = Dual<N>;
  using Vector = DualVec3<N>;
  const Placed<N> f = placed<N>(c.f, of_f, x), g = placed<N>(c.g, of_g, x);
  const Vec3& origin = body(c.f).position;
  const Vector a1 = Vector::variables(three(x, begin) + origin, at_f);
  const Vector a2 = Vector::variables(three(x, begin + 3) + origin, at_g);
  const Number p_n = Number::variable(x[std::size_t(begin + 6)], pressing);
  const Vector y = Vector::variables(three(x, begin + 7), rubbing);

  // frame and closest points
  const Vector normal = hold_g(k, x, g, a2, use);
  const Frame<N> at = frame(k, f, g, rows_[k].normal < 0 ? normal : normalized(normal));
  const auto& [n, t, o] = at;
  const Vector apart = a1 - a2;
  use(begin, dot(t, apart)), use(begin + 1, dot(o, apart));
  hold_f(k, x, f, a1, normal, at, use);

  // laws
  use(begin + 6, (1 / settings_.h) * dot(n, apart));
  const Vector arm_f = a1 - f.at, arm_g = a2 - g.at, e = rows_[k].extent;
  const Vector slip = f.velocity + cross(f.spin, arm_f) - g.velocity - cross(g.spin, arm_g);
  const Vector speed{e.x * dot(t, slip), e.y * dot(o, slip), e.z * dot(n, f.spin - g.spin)};
  friction(k, Number(c.mu) * p_n, y, speed, paper() ? x[std::size_t(begin + 10)] : 0.0, use);

  // impulses
  const Vector p = p_n * n + (e.x * y.x) * t + (e.y * y.y) * o, twist = (e.z * y.z) * n;
  const auto push = [&](int first, const DualVec3<N>& linear, const DualVec3<N>& angular) {
    if (first < 0) return;
    use(first, linear.x), use(first + 1, linear.y), use(first + 2, linear.z);
    use(first + 3, angular.x), use(first + 4, angular.y), use(first + 5, angular.z);
  };
  const Vector none;
  push(unknown(c.f), none - p, none - cross(arm_f, p) - twist);
  push(unknown(c.g), p, cross(arm_g, p) + twist);
}

void ImplicitProblem::function(std::span<const double> x, std::span<double> out) const {
  std::fill(out.begin(), out.end(), 0.0);
  for (std::size_t i = 0; i < s_.bodies.size(); ++i) {
    const int first = unknown_[i];
    if (first < 0) continue;
    const Vec3 linear = (s_.bodies[i].mass / mass_) * (three(x, first) - free_velocity_[i]);
    const Vec3 angular = (inertia_[i] * (three(x, first + 3) - free_spin_[i])) / mass_;
    for (int j = 0; j < 3; ++j)
      out[std::size_t(first + j)] = linear[j], out[std::size_t(first + 3 + j)] = angular[j];
  }
  struct Sums {
    std::span<double> out;
    void operator()(int row, const Dual<0>& v) const { out[std::size_t(row)] += v.value; }
    void operator()(int, int, double) const {}
  };
  for (std::size_t k = 0; k < s_.contacts.size(); ++k) contact<0>(k, x, Sums{out});
}

/// The unknown that a variable of contact k is; -1: none.
int ImplicitProblem::column(std::size_t k, int variable) const {
  const ImplicitContact& c = s_.contacts[k];
  if (variable < implicit::at_f) {
    const int first = unknown(variable < implicit::of_g ? c.f : c.g);
    return first < 0 ? -1 : first + variable % 6;
  }
  if (variable >= implicit::pointing)
    return rows_[k].normal < 0 ? -1 : rows_[k].normal + variable - implicit::pointing;
  return variable == implicit::slipping && !paper() ? -1 : rows_[k].begin + variable - implicit::at_f;
}

void ImplicitProblem::jacobian(std::span<const double> x, std::vector<Triplet>& out) const {
  for (std::size_t i = 0; i < s_.bodies.size(); ++i) {
    const int first = unknown_[i];
    if (first < 0) continue;
    for (int j = 0; j < 3; ++j) {
      out.push_back({first + j, first + j, s_.bodies[i].mass / mass_});
      for (int l = 0; l < 3; ++l) out.push_back({first + 3 + j, first + 3 + l, inertia_[i](j, l) / mass_});
    }
  }
  struct Slopes {
    std::array<int, std::size_t(variables)> column;
    std::vector<Triplet>& out;
    void operator()(int row, const Dual<variables>& v) const {
      for (std::size_t i = 0; i < column.size(); ++i)
        if (column[i] >= 0 && v.slope[i] != 0) out.push_back({row, column[i], v.slope[i]});
    }
    void operator()(int row, int at, double slope) const { out.push_back({row, at, slope}); }
  };
  for (std::size_t k = 0; k < s_.contacts.size(); ++k) {
    Slopes slopes{{}, out};
    for (int i = 0; i < variables; ++i) slopes.column[std::size_t(i)] = column(k, i);
    contact<variables>(k, x, slopes);
  }
}

Mcp ImplicitProblem::mcp() const {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const auto n = std::size_t(n_);
  Mcp p;
  p.n = n_;
  p.lower.assign(n, -infinity), p.upper.assign(n, infinity);
  for (const Rows& r : rows_) {
    p.lower[std::size_t(r.begin + 6)] = 0;
    if (paper()) p.lower[std::size_t(r.begin + 10)] = 0;
    for (int i = 0; i < r.faces_f + r.faces_g; ++i) p.lower[std::size_t(r.of_f + i)] = 0;
  }
  p.function = [this](std::span<const double> x, std::span<double> out) { function(x, out); };
  p.jacobian = [this](std::span<const double> x, std::vector<Triplet>& out) { jacobian(x, out); };
  return p;
}

}  // namespace stiction::step

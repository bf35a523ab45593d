#include "stiction/step/implicit_contact.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "stiction/collision/convex/closest_points.h"
#include "stiction/complementarity/nonlinear/solve_mcp.h"
#include "stiction/math/dual.h"
#include "stiction/step/stages.h"

namespace stiction::step {
namespace {

using complementarity::Mcp;
using complementarity::McpStatus;
using complementarity::Triplet;

// The variables of one contact: velocity and spin of f, of g, then, as unknowns follow each other, both
// points, normal impulse, friction, and in the paper's form its multiplier.
constexpr int of_f = 0, of_g = 6, at_f = 12, at_g = 15, pressing = 18, rubbing = 19, slipping = 22,
              variables = 23;
using Number = Dual<variables>;
using Vector = DualVec3<variables>;
using Unknowns = std::vector<double>;

/// [-] step of the projection in terms of inverse masses, which are near 1: impulses are divided by mass.
constexpr double projection_step = 0.3;
/// [-] of the larger body's size: overlap that makes a root a wrong one.
constexpr double wrong_root = 1e-7;
/// [-] of the body's size: how near a start has to be to a face for this to have a multiplier.
constexpr double on_face = 1e-6;

Vec3 three(std::span<const double> x, int at) {
  return {x[std::size_t(at)], x[std::size_t(at) + 1], x[std::size_t(at) + 2]};
}
void put(const Vec3& v, int at, Unknowns& x) {
  for (int i = 0; i < 3; ++i) x[std::size_t(at + i)] = v[i];
}
Vec3 unit(int axis) {
  Vec3 e;
  e[axis] = 1;
  return e;
}
/// The first tangent of a frame: the axis less its part along n.
Vec3 tangent_of(int axis, const Vec3& n) { return normalized(unit(axis) - n[axis] * n); }

/// A body at the candidate end of the step.
struct Placed {
  Mat3 R;
  Vector at;    // [m]
  Vector turn;  // [rad] slopes alone
  Vector velocity, spin;
};

/// A face at a point, with the slopes of both.
struct Lifted {
  Number value;
  Vector gradient;
};
Lifted lift(const Convex& body, int index, const Placed& p, const Vector& point) {
  const Implicit f = face(body.core, index, p.R, p.at.value(), point.value());
  Lifted out{f.value, f.gradient};
  const Vec3 arm = point.value() - p.at.value();
  for (int k = 0; k < variables; ++k) {
    const Vec3 turn = p.turn.slope(k);
    const Vec3 moved =
        point.slope(k) - p.at.slope(k) - cross(turn, arm);  // of the point, as the body sees it
    out.value.slope[std::size_t(k)] = dot(f.gradient, moved);
    out.gradient.set_slope(k, cross(turn, f.gradient) + f.hessian * moved);
  }
  return out;
}

/// Where Newton's method begins.
struct Start {
  bool free = false;         // the motion without contacts; else velocities and impulses of the last step
  bool last_points = false;  // carried along from the last step; else closest points there
};

/// The problem of one step: unknowns of bodies, then of contacts.
class StepProblem {
 public:
  StepProblem(const ImplicitSettings& settings, const ImplicitSystem& s);

  Mcp mcp() const;
  /// Also chooses the tangents.
  void start(const Start& from, Unknowns& x);
  /// The end of the step, from `out` as it was at the start. False, and nothing done, where x is a wrong
  /// root.
  bool take(const Unknowns& x, ImplicitSystem& out) const;

 private:
  struct Rows {
    int begin = 0;                   // of the contact's unknowns and rows
    int multipliers = 0, faces = 0;  // where those of faces begin, and how many there are
    int axis = 0;                    // that makes the first tangent
  };
  bool paper() const { return settings_.rows == FrictionRows::multiplier; }
  const ImplicitBody& body(int i) const { return s_.bodies[std::size_t(i)]; }
  int unknown(int body) const { return unknown_[std::size_t(body)]; }
  collision::Pose pose(int i, const Unknowns& x) const;
  Vec3 normal_at(std::size_t k, const Unknowns& x) const;
  Placed placed(int i, int first, std::span<const double> x) const;
  void function(std::span<const double> x, std::span<double> out) const;
  void jacobian(std::span<const double> x, std::vector<Triplet>& out) const;
  int column(std::size_t k, int variable) const;
  template <class Use>
  void contact(std::size_t k, std::span<const double> x, const Use& use) const;
  template <class Use>
  int closest_points(std::size_t k, std::span<const double> x, const Placed& f, const Vector& a1,
                     const Vector& n, const Use& use) const;
  template <class Use>
  void friction(const ImplicitContact& c, int row, const Number& limit, const Vector& y, const Vector& speed,
                double multiplier, const Use& use) const;
  void find_points(std::size_t k, Unknowns& x) const;
  void start_impulses(std::size_t k, const Vec3& n, Unknowns& x) const;
  void take_contact(std::size_t k, const Unknowns& x, ImplicitSystem& out) const;

  const ImplicitSettings& settings_;
  const ImplicitSystem& s_;
  std::vector<int> unknown_;  // per body: its first; -1 = it does not move
  std::vector<Rows> rows_;    // per contact
  std::vector<Mat3> inertia_;
  std::vector<Vec3> free_velocity_, free_spin_;
  double mass_ = 1;  // [kg] mean
  int n_ = 0;
};

StepProblem::StepProblem(const ImplicitSettings& settings, const ImplicitSystem& s)
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
  if (n_ > 0) mass_ = mass / (n_ / 6);
  for (const ImplicitContact& c : s.contacts) {
    const int faces = face_count(body(c.f).shape->core), own = paper() ? 11 : 10;
    rows_.push_back({.begin = n_, .multipliers = n_ + own, .faces = faces > 1 ? faces : 0});
    n_ = rows_.back().multipliers + rows_.back().faces;
  }
}

collision::Pose StepProblem::pose(int i, const Unknowns& x) const {
  const ImplicitBody& b = body(i);
  const int first = unknown(i);
  if (first < 0) return {b.position, b.orientation};
  return {b.position + settings_.h * three(x, first),
          normalized(cayley(settings_.h * three(x, first + 3)) * b.orientation)};
}

Vec3 StepProblem::normal_at(std::size_t k, const Unknowns& x) const {
  const ImplicitContact& c = s_.contacts[k];
  const collision::Pose p = pose(c.g, x);
  const Vec3 point = three(x, rows_[k].begin + 3) + body(c.f).position;
  return normalized(
      face(body(c.g).shape->core, 0, rotation_matrix(p.orientation), p.position, point).gradient);
}

/// `first`: of the contact's variables.
Placed StepProblem::placed(int i, int first, std::span<const double> x) const {
  const ImplicitBody& b = body(i);
  Placed out;
  out.R = rotation_matrix(b.orientation), out.at = b.position;
  if (unknown(i) < 0) return out;
  const double h = settings_.h;
  out.velocity = Vector::variables(three(x, unknown(i)), first);
  out.spin = Vector::variables(three(x, unknown(i) + 3), first + 3);
  out.at = Vector(b.position) + Number(h) * out.velocity;
  const Vec3 half = 0.5 * h * out.spin.value();
  out.R = rotation_matrix(normalized(cayley(2.0 * half) * b.orientation));
  for (int j = 0; j < 3; ++j) {  // the slope of Cayley's map
    const Vec3 e = h * unit(j);
    out.turn.set_slope(first + 3 + j, (e + cross(half, e)) / (1 + norm2(half)));
  }
  return out;
}

/// Rows of the points, but for those that hold a2; returns the row behind them.
template <class Use>
int StepProblem::closest_points(std::size_t k, std::span<const double> x, const Placed& f, const Vector& a1,
                                const Vector& n, const Use& use) const {
  const Rows& r = rows_[k];
  const Convex& shape = *body(s_.contacts[k].f).shape;
  const int row = r.begin + 3;
  if (r.faces == 0) {
    const Lifted own = lift(shape, 0, f, a1);
    const Vector t = Vector(unit(r.axis)) - dot(Vector(unit(r.axis)), n) * n, m = normalized(own.gradient);
    use(row, dot(normalized(t), m)), use(row + 1, dot(cross(n, normalized(t)), m)), use(row + 2, own.value);
    return row + 3;
  }
  Vector sum = n;
  for (int i = 0; i < r.faces; ++i) {
    const int column = r.multipliers + i;
    const Lifted own = lift(shape, i, f, a1);
    sum = sum + Number(x[std::size_t(column)]) * own.gradient;
    for (int j = 0; j < 3; ++j) use(row + j, column, own.gradient.value()[j]);
    use(column, -own.value);
  }
  use(row, sum.x), use(row + 1, sum.y), use(row + 2, sum.z);
  return row + 3;
}

/// `speed` = E u_f; the paper's rows are over e_k here.
template <class Use>
void StepProblem::friction(const ImplicitContact& c, int row, const Number& limit, const Vector& y,
                           const Vector& speed, double multiplier, const Use& use) const {
  const bool turns = c.extent.z > 0;
  if (paper()) {
    const Number s = Number::variable(multiplier, slipping);
    use(row, limit * speed.x + s * y.x), use(row + 1, limit * speed.y + s * y.y);
    use(row + 2, turns ? limit * speed.z + s * y.z : y.z);
    use(row + 3, limit * limit - dot(y, y));
    return;
  }
  Vector z = y - Number(projection_step) * speed;
  if (!turns) z.z = 0;
  if (norm(z.value()) > limit.value) z = (limit / sqrt(dot(z, z))) * z;
  use(row, y.x - z.x), use(row + 1, y.y - z.y), use(row + 2, y.z - z.z);
}

/// use(row, number) for the rows of contact k and for what it adds to those of bodies; use(row, column,
/// slope) for slopes by multipliers of faces.
template <class Use>
void StepProblem::contact(std::size_t k, std::span<const double> x, const Use& use) const {
  const ImplicitContact& c = s_.contacts[k];
  const int begin = rows_[k].begin;
  const Placed f = placed(c.f, of_f, x), g = placed(c.g, of_g, x);
  const Vec3& origin = body(c.f).position;
  const Vector a1 = Vector::variables(three(x, begin) + origin, at_f);
  const Vector a2 = Vector::variables(three(x, begin + 3) + origin, at_g);
  const Number p_n = Number::variable(x[std::size_t(begin + 6)], pressing);
  const Vector y = Vector::variables(three(x, begin + 7), rubbing);

  // frame and closest points
  const Lifted surface = lift(*body(c.g).shape, 0, g, a2);
  const Vector n = normalized(surface.gradient), axis = unit(rows_[k].axis);
  const Vector t = normalized(axis - dot(axis, n) * n), o = cross(n, t), apart = a1 - a2;
  use(begin, dot(t, apart)), use(begin + 1, dot(o, apart)), use(begin + 2, surface.value);
  const int row = closest_points(k, x, f, a1, n, use);

  // laws
  use(row, (1 / settings_.h) * dot(n, apart));
  const Vector arm_f = a1 - f.at, arm_g = a2 - g.at, e = c.extent;
  const Vector slip = f.velocity + cross(f.spin, arm_f) - g.velocity - cross(g.spin, arm_g);
  const Vector speed{e.x * dot(t, slip), e.y * dot(o, slip), e.z * dot(n, f.spin - g.spin)};
  friction(c, row + 1, Number(c.mu) * p_n, y, speed, paper() ? x[std::size_t(begin + 10)] : 0.0, use);

  // impulses
  const Vector p = p_n * n + (e.x * y.x) * t + (e.y * y.y) * o, twist = (e.z * y.z) * n;
  const auto push = [&](int first, const Vector& linear, const Vector& angular) {
    if (first < 0) return;
    use(first, linear.x), use(first + 1, linear.y), use(first + 2, linear.z);
    use(first + 3, angular.x), use(first + 4, angular.y), use(first + 5, angular.z);
  };
  const Vector none;
  push(unknown(c.f), none - p, none - cross(arm_f, p) - twist);
  push(unknown(c.g), p, cross(arm_g, p) + twist);
}

void StepProblem::function(std::span<const double> x, std::span<double> out) const {
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
    void operator()(int row, const Number& v) const { out[std::size_t(row)] += v.value; }
    void operator()(int, int, double) const {}
  };
  for (std::size_t k = 0; k < s_.contacts.size(); ++k) contact(k, x, Sums{out});
}

/// The unknown that a variable of contact k is; -1: none.
int StepProblem::column(std::size_t k, int variable) const {
  const ImplicitContact& c = s_.contacts[k];
  if (variable < at_f) {
    const int first = unknown(variable < of_g ? c.f : c.g);
    return first < 0 ? -1 : first + variable % 6;
  }
  return variable == slipping && !paper() ? -1 : rows_[k].begin + variable - at_f;
}

void StepProblem::jacobian(std::span<const double> x, std::vector<Triplet>& out) const {
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
    void operator()(int row, const Number& v) const {
      for (std::size_t i = 0; i < column.size(); ++i)
        if (column[i] >= 0 && v.slope[i] != 0) out.push_back({row, column[i], v.slope[i]});
    }
    void operator()(int row, int at, double slope) const { out.push_back({row, at, slope}); }
  };
  for (std::size_t k = 0; k < s_.contacts.size(); ++k) {
    Slopes slopes{{}, out};
    for (int i = 0; i < variables; ++i) slopes.column[std::size_t(i)] = column(k, i);
    contact(k, x, slopes);
  }
}

Mcp StepProblem::mcp() const {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const auto n = std::size_t(n_);
  Mcp p;
  p.n = n_;
  p.lower.assign(n, -infinity), p.upper.assign(n, infinity);
  for (const Rows& r : rows_) {
    p.lower[std::size_t(r.begin + 6)] = 0;
    if (paper()) p.lower[std::size_t(r.begin + 10)] = 0;
    for (int i = 0; i < r.faces; ++i) p.lower[std::size_t(r.multipliers + i)] = 0;
  }
  p.function = [this](std::span<const double> x, std::span<double> out) { function(x, out); };
  p.jacobian = [this](std::span<const double> x, std::vector<Triplet>& out) { jacobian(x, out); };
  return p;
}

/// Closest points at the poses that x leads to, and multipliers of the faces that they are on.
void StepProblem::find_points(std::size_t k, Unknowns& x) const {
  const ImplicitContact& c = s_.contacts[k];
  const Convex& shape = *body(c.f).shape;
  const collision::Pose f = pose(c.f, x);
  const collision::ClosestPoints p = collision::closest_points(*body(c.g).shape, pose(c.g, x), shape, f);
  put(p.point_b - body(c.f).position, rows_[k].begin, x);
  put(p.point_a - body(c.f).position, rows_[k].begin + 3, x);
  const Vec3 own = rotate_back(f.orientation, p.point_b - f.position);
  for (int i = 0; i < rows_[k].faces; ++i) {
    const bool on = std::fabs(face(shape.core, i, own).value) < on_face * extent_of(shape);
    x[std::size_t(rows_[k].multipliers + i)] = on ? 1 : 0;
  }
}

/// Those of the last step.
void StepProblem::start_impulses(std::size_t k, const Vec3& n, Unknowns& x) const {
  const ImplicitContact& c = s_.contacts[k];
  const int begin = rows_[k].begin;
  const Vec3 t = tangent_of(rows_[k].axis, n), o = cross(n, t);
  const Vec3& e = c.extent;
  const Vec3 y{dot(t, c.friction) / e.x, dot(o, c.friction) / e.y, e.z > 0 ? c.spin_impulse / e.z : 0.0};
  x[std::size_t(begin + 6)] = c.normal_impulse / mass_;
  put(y / mass_, begin + 7, x);
  if (paper()) x[std::size_t(begin + 10)] = norm(times(e, {dot(t, c.slip), dot(o, c.slip), c.spin_slip}));
}

void StepProblem::start(const Start& from, Unknowns& x) {
  x.assign(std::size_t(n_), 0.0);
  for (std::size_t i = 0; i < s_.bodies.size(); ++i) {
    const int first = unknown_[i];
    if (first < 0) continue;
    put(from.free ? free_velocity_[i] : s_.bodies[i].velocity, first, x);
    put(from.free ? free_spin_[i] : s_.bodies[i].spin, first + 3, x);
  }
  for (std::size_t k = 0; k < s_.contacts.size(); ++k) {
    const ImplicitContact& c = s_.contacts[k];
    Rows& r = rows_[k];
    if (from.last_points && c.known) {
      const Vec3 moved = settings_.h * body(c.f).velocity - body(c.f).position;
      put(c.point_f + moved, r.begin, x), put(c.point_g + moved, r.begin + 3, x);
      for (int i = 0; i < r.faces; ++i) x[std::size_t(r.multipliers + i)] = c.multiplier[std::size_t(i)];
    } else {
      find_points(k, x);
    }
    const Vec3 n = normal_at(k, x), size = abs(n);
    r.axis = size.x <= size.y && size.x <= size.z ? 0 : size.y <= size.z ? 1 : 2;
    if (!from.free && c.known) start_impulses(k, n, x);
  }
}

bool StepProblem::take(const Unknowns& x, ImplicitSystem& out) const {
  for (const ImplicitContact& c : s_.contacts) {
    const Convex &f = *body(c.f).shape, &g = *body(c.g).shape;
    const double gap = collision::closest_points(g, pose(c.g, x), f, pose(c.f, x)).gap;
    if (!(gap > -wrong_root * std::fmax(extent_of(f), extent_of(g)))) return false;
  }
  for (std::size_t i = 0; i < s_.bodies.size(); ++i) {
    const int first = unknown_[i];
    if (first < 0) continue;
    const collision::Pose p = pose(int(i), x);
    ImplicitBody& b = out.bodies[i];
    b.velocity = three(x, first), b.spin = three(x, first + 3);
    b.position = p.position, b.orientation = p.orientation;
  }
  for (std::size_t k = 0; k < s_.contacts.size(); ++k) take_contact(k, x, out);
  return true;
}

/// After the bodies.
void StepProblem::take_contact(std::size_t k, const Unknowns& x, ImplicitSystem& out) const {
  ImplicitContact& c = out.contacts[k];
  const Rows& r = rows_[k];
  const ImplicitBody &f = out.bodies[std::size_t(c.f)], &g = out.bodies[std::size_t(c.g)];
  const Vec3 n = normal_at(k, x), t = tangent_of(r.axis, n), o = cross(n, t), y = three(x, r.begin + 7);
  c.known = true;
  c.normal = n;
  c.point_f = three(x, r.begin) + body(c.f).position, c.point_g = three(x, r.begin + 3) + body(c.f).position;
  c.gap = dot(n, c.point_f - c.point_g);
  c.normal_impulse = mass_ * x[std::size_t(r.begin + 6)];
  c.friction = mass_ * (c.extent.x * y.x * t + c.extent.y * y.y * o);
  c.spin_impulse = mass_ * c.extent.z * y.z;
  const Vec3 slip = f.velocity + cross(f.spin, c.point_f - f.position) -
                    (g.velocity + cross(g.spin, c.point_g - g.position));
  c.slip = slip - dot(n, slip) * n;
  c.spin_slip = dot(n, f.spin - g.spin);
  c.multiplier.assign(x.begin() + r.multipliers, x.begin() + r.multipliers + r.faces);
}

}  // namespace

std::string fault_of(const ImplicitSystem& s) {
  for (std::size_t k = 0; k < s.contacts.size(); ++k) {
    const ImplicitContact& c = s.contacts[k];
    const std::string which = "contact " + std::to_string(k) + ": ";
    for (const int i : {c.f, c.g}) {
      if (i < 0 || std::size_t(i) >= s.bodies.size() || s.bodies[std::size_t(i)].shape == nullptr)
        return which + "body " + std::to_string(i) + " is not there or has no shape";
      if (s.bodies[std::size_t(i)].shape->rounding > 0)
        return which + "body " + std::to_string(i) + " is rounded: its surface has no implicit form";
    }
    if (face_count(s.bodies[std::size_t(c.g)].shape->core) != 1)
      return which + "body " + std::to_string(c.g) + " has several faces: let it be f";
    if (std::holds_alternative<HalfSpace>(s.bodies[std::size_t(c.f)].shape->core))
      return which + "body " + std::to_string(c.f) + " is a half-space: let it be g";
  }
  return "";
}

ImplicitReport implicit_contact_step(const ImplicitSettings& settings, ImplicitSystem& s) {
  ImplicitReport report;
  StepProblem problem(settings, s);
  Mcp mcp = problem.mcp();
  Unknowns x;
  const auto attempt = [&](const Start& from, bool every_solver) {
    problem.start(from, x);
    mcp.start = x;  // solvers look at the problem there
    const complementarity::McpReport r =
        every_solver ? complementarity::solve(mcp, {.tolerance = settings.tolerance}, x)
                     : complementarity::fischer_burmeister(mcp, {.tolerance = settings.tolerance}, x);
    ++report.starts, report.iterations += r.iterations, report.residual = r.residual;
    ImplicitSystem next = s;
    if (r.status != McpStatus::solved || !problem.take(x, next)) return false;
    std::swap(s, next);
    return report.solved = true;
  };
  constexpr Start last{.last_points = true}, free{.free = true}, here{};
  for (const bool every_solver : {false, true})
    for (const Start& from : {last, free, here})
      if (attempt(from, every_solver)) return report;
  return report;
}

double kinetic_energy(const ImplicitSystem& s) {
  double sum = 0;
  for (const ImplicitBody& b : s.bodies)
    if (b.mass > 0)
      sum +=
          0.5 * (b.mass * norm2(b.velocity) + dot(b.spin, world_inertia(b.inertia, b.orientation) * b.spin));
  return sum;
}

}  // namespace stiction::step

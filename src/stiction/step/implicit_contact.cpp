#include "stiction/step/implicit_contact.h"

#include <algorithm>
#include <cmath>

#include "stiction/collision/convex/closest_points.h"
#include "stiction/complementarity/nonlinear/solve_mcp.h"
#include "stiction/step/implicit_problem.h"
#include "stiction/step/stages.h"

namespace stiction::step {
namespace {

using complementarity::Mcp;
using complementarity::McpStatus;

/// [-] of the larger body's size: overlap that makes a root a wrong one.
constexpr double wrong_root = 1e-7;
/// [-] of the kinetic energy that the bodies would have without contacts: more makes a root a wrong one too.
constexpr double most_gained = 2;
/// [-] iterations from a start, where there is another way: those that lead somewhere are 5 to 15 long.
constexpr int most_hasty = 30;
/// [-] of the body's size: how near a start has to be to a face for this to have a multiplier.
constexpr double on_face = 1e-6;
/// [-] of its length: a grain that has less of it in the tangent plane has no direction there.
constexpr double standing = 1e-6;

void put(const Vec3& v, int at, Unknowns& x) {
  for (int i = 0; i < 3; ++i) x[std::size_t(at + i)] = v[i];
}

}  // namespace

collision::Pose ImplicitProblem::pose(int i, const Unknowns& x) const {
  const ImplicitBody& b = body(i);
  const int first = unknown(i);
  if (first < 0) return {b.position, b.orientation};
  return {b.position + settings_.h * three(x, first),
          normalized(cayley(settings_.h * three(x, first + 3)) * b.orientation)};
}

Vec3 ImplicitProblem::normal_at(std::size_t k, const Unknowns& x) const {
  const ImplicitContact& c = s_.contacts[k];
  if (rows_[k].normal >= 0) return normalized(three(x, rows_[k].normal));
  const collision::Pose p = pose(c.g, x);
  const Vec3 point = three(x, rows_[k].begin + 3) + body(c.f).position;
  return normalized(
      face(body(c.g).shape->core, 0, rotation_matrix(p.orientation), p.position, point).gradient);
}

/// The first one.
Vec3 ImplicitProblem::tangent_at(std::size_t k, const Vec3& n, const Unknowns& x) const {
  const ImplicitContact& c = s_.contacts[k];
  const Vec3 axis = rows_[k].grain ? rotate(pose(c.grain_of_f ? c.f : c.g, x).orientation, c.grain)
                                   : unit_vector(rows_[k].axis);
  return normalized(axis - dot(axis, n) * n);
}

/// Closest points at the poses that x leads to, and multipliers of the faces that they are on.
void ImplicitProblem::find_points(std::size_t k, Unknowns& x) const {
  const ImplicitContact& c = s_.contacts[k];
  const Rows& r = rows_[k];
  const Convex &shape_f = *body(c.f).shape, &shape_g = *body(c.g).shape;
  const collision::Pose f = pose(c.f, x), g = pose(c.g, x);
  const collision::ClosestPoints p = collision::closest_points(shape_g, g, shape_f, f);
  put(p.point_b - body(c.f).position, r.begin, x);
  put(p.point_a - body(c.f).position, r.begin + 3, x);
  // where faces are at right angles, multipliers are the parts of the normal
  const auto multipliers = [&](const Convex& shape, const collision::Pose& at, const Vec3& point,
                               const Vec3& outward, int first, int count) {
    for (int i = 0; i < count; ++i) {
      const Implicit own = face(shape.core, i, rotation_matrix(at.orientation), at.position, point);
      const bool on = std::fabs(own.value) < on_face * extent_of(shape);
      const double part = r.normal < 0 ? 1.0 : std::fmax(0.0, dot(outward, own.gradient));
      x[std::size_t(first + i)] = on ? part : 0;
    }
  };
  multipliers(shape_f, f, p.point_b, -p.normal, r.of_f, r.faces_f);
  multipliers(shape_g, g, p.point_a, p.normal, r.of_g, r.faces_g);
  if (r.normal >= 0) put(p.normal, r.normal, x);
}

/// Those of the last step, carried along with f.
void ImplicitProblem::last_points(std::size_t k, Unknowns& x) const {
  const ImplicitContact& c = s_.contacts[k];
  const Rows& r = rows_[k];
  const Vec3 moved = settings_.h * body(c.f).velocity - body(c.f).position;
  put(c.point_f + moved, r.begin, x), put(c.point_g + moved, r.begin + 3, x);
  if (r.normal >= 0) put(c.normal, r.normal, x);
  for (int i = 0; i < r.faces_f; ++i) x[std::size_t(r.of_f + i)] = c.multiplier[std::size_t(i)];
  for (int i = 0; i < r.faces_g; ++i) x[std::size_t(r.of_g + i)] = c.multiplier_g[std::size_t(i)];
}

void ImplicitProblem::choose_tangents(std::size_t k, const Vec3& n, const Unknowns& x) {
  const ImplicitContact& c = s_.contacts[k];
  Rows& r = rows_[k];
  const Vec3 size = abs(n);
  r.axis = size.x <= size.y && size.x <= size.z ? 0 : size.y <= size.z ? 1 : 2;
  r.extent = c.extent, r.grain = false;
  if (c.grain == Vec3{}) return;
  const Vec3 along = rotate(pose(c.grain_of_f ? c.f : c.g, x).orientation, c.grain);
  r.grain = norm(cross(n, along)) > standing * norm(along);
  if (!r.grain) r.extent.x = r.extent.y;
}

/// Those of the last step.
void ImplicitProblem::start_impulses(std::size_t k, const Vec3& n, Unknowns& x) const {
  const ImplicitContact& c = s_.contacts[k];
  const int begin = rows_[k].begin;
  const Vec3 t = tangent_at(k, n, x), o = cross(n, t);
  const Vec3& e = rows_[k].extent;
  const Vec3 y{dot(t, c.friction) / e.x, dot(o, c.friction) / e.y, e.z > 0 ? c.spin_impulse / e.z : 0.0};
  x[std::size_t(begin + 6)] = c.normal_impulse / mass_;
  put(y / mass_, begin + 7, x);
  if (paper()) x[std::size_t(begin + 10)] = norm(times(e, {dot(t, c.slip), dot(o, c.slip), c.spin_slip}));
}

void ImplicitProblem::start(const ImplicitStart& from, Unknowns& x) {
  x.assign(std::size_t(n_), 0.0);
  for (std::size_t i = 0; i < s_.bodies.size(); ++i) {
    const int first = unknown_[i];
    if (first < 0) continue;
    const ImplicitBody& b = s_.bodies[i];
    const bool free = from.motion == ImplicitStart::free, likely = from.motion == ImplicitStart::likely;
    put(free ? free_velocity_[i] : likely ? b.likely_velocity : b.velocity, first, x);
    put(free ? free_spin_[i] : likely ? b.likely_spin : b.spin, first + 3, x);
  }
  for (std::size_t k = 0; k < s_.contacts.size(); ++k) {
    const ImplicitContact& c = s_.contacts[k];
    if (from.last_points && c.known)
      last_points(k, x);
    else
      find_points(k, x);
    const Vec3 n = normal_at(k, x);
    choose_tangents(k, n, x);
    if (from.motion == ImplicitStart::likely || (from.motion == ImplicitStart::last && c.known))
      start_impulses(k, n, x);
  }
}

/// Whether a body was thrown through another: it then leaves on the far side, pushed by a surface that it has
/// never come to. No particle gains as much where it leaves a surface by less than 45 degrees.
bool ImplicitProblem::throws_bodies(const Unknowns& x) const {
  double free = 0, end = 0, mass = 0, deepest = 0;
  for (std::size_t i = 0; i < s_.bodies.size(); ++i) {
    const int first = unknown_[i];
    if (first < 0) continue;
    const double m = s_.bodies[i].mass;
    const Vec3 v = three(x, first), w = three(x, first + 3), &w_free = free_spin_[i];
    free += m * norm2(free_velocity_[i]) + dot(w_free, inertia_[i] * w_free);
    end += m * norm2(v) + dot(w, inertia_[i] * w);
    mass += m;
  }
  if (!(end > most_gained * free)) return false;
  for (const ImplicitContact& c : s_.contacts) {  // parting bodies that overlap at the start takes energy
    const ImplicitBody &f = body(c.f), &g = body(c.g);
    const double gap = collision::closest_points(*g.shape, {g.position, g.orientation}, *f.shape,
                                                 {f.position, f.orientation})
                           .gap;
    const double size = std::fmax(extent_of(*f.shape), extent_of(*g.shape));
    deepest = std::fmax(deepest, wrong_root * size - gap);
  }
  const double parting = deepest / settings_.h;
  return end > most_gained * (free + mass * parting * parting);
}

bool ImplicitProblem::take(const Unknowns& x, ImplicitSystem& out) const {
  for (const ImplicitContact& c : s_.contacts) {
    const Convex &f = *body(c.f).shape, &g = *body(c.g).shape;
    const double gap = collision::closest_points(g, pose(c.g, x), f, pose(c.f, x)).gap;
    if (!(gap > -wrong_root * std::fmax(extent_of(f), extent_of(g)))) return false;
  }
  if (throws_bodies(x)) return false;
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
void ImplicitProblem::take_contact(std::size_t k, const Unknowns& x, ImplicitSystem& out) const {
  ImplicitContact& c = out.contacts[k];
  const Rows& r = rows_[k];
  const ImplicitBody &f = out.bodies[std::size_t(c.f)], &g = out.bodies[std::size_t(c.g)];
  const Vec3 n = normal_at(k, x), t = tangent_at(k, n, x), o = cross(n, t), y = three(x, r.begin + 7);
  c.known = true;
  c.normal = n;
  c.point_f = three(x, r.begin) + body(c.f).position, c.point_g = three(x, r.begin + 3) + body(c.f).position;
  c.gap = dot(n, c.point_f - c.point_g);
  c.normal_impulse = mass_ * x[std::size_t(r.begin + 6)];
  c.friction = mass_ * (r.extent.x * y.x * t + r.extent.y * y.y * o);
  c.spin_impulse = mass_ * r.extent.z * y.z;
  const Vec3 slip = f.velocity + cross(f.spin, c.point_f - f.position) -
                    (g.velocity + cross(g.spin, c.point_g - g.position));
  c.slip = slip - dot(n, slip) * n;
  c.spin_slip = dot(n, f.spin - g.spin);
  c.multiplier.assign(x.begin() + r.of_f, x.begin() + r.of_f + r.faces_f);
  c.multiplier_g.assign(x.begin() + r.of_g, x.begin() + r.of_g + r.faces_g);
}

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
    if (std::holds_alternative<HalfSpace>(s.bodies[std::size_t(c.f)].shape->core))
      return which + "body " + std::to_string(c.f) + " is a half-space: let it be g";
  }
  return "";
}

ImplicitReport implicit_contact_step(const ImplicitSettings& settings, ImplicitSystem& s) {
  ImplicitReport report;
  ImplicitProblem problem(settings, s);
  Mcp mcp = problem.mcp();
  Unknowns x;
  complementarity::FischerBurmeisterSettings newton{.tolerance = settings.tolerance};
  if (!settings.thorough) newton.max_iterations = most_hasty;
  const auto attempt = [&](const ImplicitStart& from, bool every_solver) {
    problem.start(from, x);
    mcp.start = x;  // solvers look at the problem there
    const complementarity::McpReport r =
        every_solver ? complementarity::solve(mcp, {.tolerance = settings.tolerance}, x)
                     : complementarity::fischer_burmeister(mcp, newton, x);
    ++report.starts, report.iterations += r.iterations, report.residual = r.residual;
    ImplicitSystem next = s;
    if (r.status != McpStatus::solved || !problem.take(x, next)) return false;
    std::swap(s, next);
    return report.solved = true;
  };
  constexpr ImplicitStart likely{.motion = ImplicitStart::likely}, last{.last_points = true},
      free{.motion = ImplicitStart::free}, here{};
  if (settings.likely && attempt(likely, false)) return report;
  const bool any_known =
      std::any_of(s.contacts.begin(), s.contacts.end(), [](const auto& c) { return c.known; });
  for (const bool every_solver : {false, true}) {
    if (every_solver && !settings.thorough) break;
    if (attempt(last, every_solver) || attempt(free, every_solver)) return report;
    if (any_known && attempt(here, every_solver)) return report;  // else it is `last`
  }
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

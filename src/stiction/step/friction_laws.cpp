#include "stiction/step/friction_laws.h"

#include <cmath>

#include "stiction/step/soft_contacts.h"

namespace stiction::step {
namespace {

/// [-] of its length: a grain that has less of it in the tangent plane stands on it and has no direction
/// there.
constexpr double standing = 1e-6;
/// Friction at its limit alone is not sliding: the impulses of redundant contacts are not unique and may end
/// there. A contact slides if it also moves, by more than this part of the tolerated length in the step.
constexpr double at_rest = 1e-2;  // [-]

constexpr double steepest_fall = -0.5;  // [-] of the slip, by mu alone

void follow_grain(const Vec3& grain, double along, WorkContact& c) {
  const Vec3 flat = grain - dot(c.point.normal, grain) * c.point.normal;
  const double length = norm(flat);
  if (!(length > standing * norm(grain))) return;
  c.tangent[1] = cross(c.point.normal, flat / length);
  c.tangent[0] = (along / length) * flat;
  c.stretch = along;
}

/// [m/s] of a body's surface over the body, world axes.
Vec3 surface_velocity(const Model& m, std::span<const Quat> orientation, int body) {
  const SurfaceDescription* s = m.surface_of(body);
  return s == nullptr ? Vec3{} : rotate(orientation[std::size_t(body)], s->surface_velocity);
}

RelativeMotion motion_of(const Model& m, const WorkContact& c, bool at_base, const Workspace& w) {
  return at_base ? motion_at_base(m, c, w) : motion_at_end(m, c, w);
}

bool can_turn(const Model& m, int body) {
  const Mobility how = m.mobility[std::size_t(body)];
  return how == Mobility::free || how == Mobility::planar || how == Mobility::link;
}

}  // namespace

void set_law(const Model& m, std::span<const Quat> orientation, WorkContact& c) {
  const int a = c.point.key.a, b = c.point.key.b;
  const ContactLaw& law = m.law(a, b);
  tangents(c.point.normal, c.tangent[0], c.tangent[1]);
  c.mu = law.friction;
  if (law.grain >= 0) {
    const int body = law.grain == 0 ? a : b;
    follow_grain(rotate(orientation[std::size_t(body)], m.surface_of(body)->grain), law.along, c);
  }
  if (m.resists_turning && (can_turn(m, a) || can_turn(m, b))) c.spin = law.spin, c.rolling = law.rolling;
  if (law.gives_way()) c.soft = softness_of(m, a, b);
  if (m.surfaces_move) {
    const Vec3 belt = surface_velocity(m, orientation, b) - surface_velocity(m, orientation, a);
    c.belt = belt - dot(c.point.normal, belt) * c.point.normal;
  }
}

void start_friction(const Model& m, const State& x, WorkContact& c) {
  const auto a = std::size_t(c.point.key.a), b = std::size_t(c.point.key.b);
  const Vec3 v = (x.velocity[b] + cross(x.spin[b], c.arm[1])) - (x.velocity[a] + cross(x.spin[a], c.arm[0]));
  c.mu = friction_at(m.law(c.point.key.a, c.point.key.b), c.slides, norm(slip_of(c, v)));
}

TurningAxes turning_axes(const WorkContact& c) {
  const double roll = c.rolling > 0 ? c.size : 0.0;
  TurningAxes out{{c.point.normal, {}, {}}, {c.spin, roll, roll}};
  tangents(c.point.normal, out.unit[1], out.unit[2]);
  return out;
}

Vec3 row_moment(const WorkContact& c) {
  const TurningAxes axes = turning_axes(c);
  const auto part = [&](int k) {
    return axes.lever[k] > 0 ? dot(axes.unit[k], c.moment) / axes.lever[k] : 0.0;
  };
  return {part(0), part(1), part(2)};
}

Vec3 moment_of_rows(const WorkContact& c, const Vec3& r) {
  const TurningAxes axes = turning_axes(c);
  Vec3 out;
  for (int k = 0; k < 3; ++k) out += (axes.lever[k] * r[k]) * axes.unit[k];
  return out;
}

Vec3 row_spin(const WorkContact& c, const Vec3& spin) {
  const TurningAxes axes = turning_axes(c);
  const auto part = [&](int k) { return axes.lever[k] * dot(axes.unit[k], spin); };
  return {part(0), part(1), part(2)};
}

RelativeMotion motion_at_base(const Model& m, const WorkContact& c, const Workspace& w) {
  return {base_velocity(m, c, w), c.turns() ? base_spin(m, c, w) : Vec3{}};
}
RelativeMotion motion_at_end(const Model& m, const WorkContact& c, const Workspace& w) {
  return {end_velocity(m, c, w), c.turns() ? end_spin(m, c, w) : Vec3{}};
}

bool rolls(const Model& m, const WorkContact& c, double h, const Workspace& w) {
  const Vec3 spin = end_spin(m, c, w);
  return h * norm(spin - dot(c.point.normal, spin) * c.point.normal) > w.certificate.tolerance;
}

bool is_sliding(const WorkContact& c, const RelativeMotion& u, double h, double tolerance) {
  const double n = dot(c.point.normal, c.impulse);
  double t = norm(c.impulse - n * c.point.normal), slip = norm(slip_of(c, u.velocity));
  if (c.stretch != 1 || c.spin > 0) {
    const Vec3 r = row_impulse(c);
    const double r_s = row_moment(c).x, u_s = row_spin(c, u.spin).x;
    t = std::sqrt(r.y * r.y + r.z * r.z + r_s * r_s), slip = std::sqrt(slip * slip + u_s * u_s);
  }
  return t >= (1 - 1e-9) * c.mu * n && h * slip > at_rest * tolerance * c.size;
}

void find_friction(const Model& m, bool at_base, Workspace& w) {
  for (WorkContact& c : at_base ? w.contacts : w.end_contacts) {
    if (at_base) c.solved_mu = c.mu;
    c.mu = friction_at(m.law(c.point.key.a, c.point.key.b), c.slides,
                       norm(slip_of(c, motion_of(m, c, at_base, w).velocity)));
  }
}

void relax_friction(const Model& m, bool at_base, Workspace& w) {
  auto known = w.contacts.begin();  // has the contact's rows
  for (WorkContact& c : at_base ? w.contacts : w.end_contacts) {
    while (known != w.contacts.end() && known->point.key < c.point.key) ++known;
    if (known == w.contacts.end()) return;
    const ContactLaw& law = m.law(c.point.key.a, c.point.key.b);
    const double n = dot(c.point.normal, c.impulse);
    if (known->point.key != c.point.key || !known->in_problem || !law.varies() || !(n > 0)) continue;
    const double slip = norm(slip_of(c, motion_of(m, c, at_base, w).velocity));
    const double inverse_mass =
        complementarity::mean_diagonal(w.problem, w.problem.contacts[std::size_t(known->row)]);
    const double wrong = friction_slope(law, slip) * n * inverse_mass;
    // where mu falls steeply there are several answers, and plain passes go to one of them
    if (wrong > steepest_fall) c.mu = c.solved_mu + (c.mu - c.solved_mu) / (1 + wrong);
  }
}

int let_slide(const Model& m, double h, double tolerance, bool at_base, Workspace& w) {
  int count = 0;
  for (WorkContact& c : at_base ? w.contacts : w.end_contacts) {
    const ContactLaw& law = m.law(c.point.key.a, c.point.key.b);
    if (c.slides || !law.jumps() || c.impulse == Vec3{}) continue;
    const RelativeMotion u = motion_of(m, c, at_base, w);
    if (!is_sliding(c, u, h, tolerance)) continue;
    c.slides = true;
    c.mu = friction_at(law, true, norm(slip_of(c, u.velocity)));
    ++count;
  }
  return count;
}

}  // namespace stiction::step

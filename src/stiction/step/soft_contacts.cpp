#include "stiction/step/soft_contacts.h"

#include <algorithm>
#include <cmath>
#include <variant>

#include "stiction/math/elementary.h"
#include "stiction/step/stages.h"

namespace stiction::step {
namespace {

/// [-] of the body's size: the least overlap that Hertz's law is linearised at, where it has no slope yet.
constexpr double least_overlap = 1e-9;

/// [1/m] of a sphere; what is flat has none.
double curvature_of(const Shape& shape) {
  const auto* sphere = std::get_if<Sphere>(&shape);
  return sphere == nullptr ? 0.0 : 1 / sphere->radius;
}

}  // namespace

Softness softness_of(const Model& m, int body_a, int body_b) {
  const ContactLaw& law = m.law(body_a, body_b);
  Softness out{law.stiffness, 0, law.damping_time};
  if (law.modulus > 0) {
    const double curvature =
        curvature_of(m.shape[std::size_t(body_a)]) + curvature_of(m.shape[std::size_t(body_b)]);
    out.hertz = 4.0 / 3 * law.modulus / std::sqrt(curvature);
  }
  return out;
}

double elastic_force(const Softness& s, double overlap) {
  if (!(overlap > 0)) return 0.0;
  return s.hertz > 0 ? s.hertz * overlap * std::sqrt(overlap) : s.stiffness * overlap;
}
double elastic_slope(const Softness& s, double overlap) {
  return s.hertz > 0 ? 1.5 * s.hertz * std::sqrt(overlap) : s.stiffness;
}
double elastic_energy(const Softness& s, double overlap) {
  return (s.hertz > 0 ? 0.4 : 0.5) * elastic_force(s, overlap) * overlap;
}

SoftRow soft_row(const Softness& s, double start_gap, double reference, double h) {
  const double slope = elastic_slope(s, reference), time = h + s.damping_time;
  const double before = s.damping_time * elastic_force(s, -start_gap);
  return {reference - elastic_force(s, reference) / slope + before / (time * slope), 1 / (time * slope)};
}

void soften(const WorkContact& c, double h, const Workspace& w, complementarity::ContactRows& rows) {
  const auto shift = [&](const Motions& v) { return h * dot(c.point.normal, relative_velocity(v, c)); };
  const double start_gap = c.point.gap - (c.kept ? 0.0 : shift(w.base));
  const double overlap = c.point.gap < 0 && !c.kept ? -c.point.gap : -(start_gap + shift(w.free));
  const SoftRow row = soft_row(c.soft, start_gap, std::fmax(overlap, least_overlap * c.size), h);
  rows.b[0] += row.start / h, rows.give = row.give / h;
}

double given_way(const Softness& s, double start_gap, double r, double h) {
  const double force = (r + s.damping_time * elastic_force(s, -start_gap)) / (h + s.damping_time);
  if (s.hertz > 0) return force > 0 ? elementary::pow(force / s.hertz, 2.0 / 3) : 0.0;
  return force / s.stiffness;
}

double contact_energy(const Model& m, std::span<const collision::BodyPair> pairs,
                      std::span<const Vec3> position, std::span<const Quat> orientation,
                      std::vector<ContactPoint>& scratch) {
  double sum = 0;
  for (const collision::BodyPair& p : pairs) {
    if (!m.law(p.a, p.b).gives_way()) continue;
    const auto a = std::size_t(p.a), b = std::size_t(p.b);
    const Softness soft = softness_of(m, p.a, p.b);
    scratch.clear();
    collision::find_contacts(p.a, m.shape[a], {position[a], orientation[a]}, p.b, m.shape[b],
                             {position[b], orientation[b]}, 0.0, scratch);
    for (const ContactPoint& c : scratch) sum += elastic_energy(soft, -c.gap);
  }
  return sum;
}

double contact_energy(const Model& m, const State& x) {
  Workspace w;
  w.reach.assign(x.position.size(), 0.0);
  detect_pairs(m, x, w);
  return contact_energy(m, w.pairs, x.position, x.orientation, w.points);
}

}  // namespace stiction::step

// Laws of contacts from what two surfaces are like.
//
// Coefficients are geometric means, friction = sqrt(mu_a mu_b), kinetic = sqrt(kappa_a kappa_b), and so is
// what a grain makes of them, along = sqrt(mu'_a/mu_a) with mu' the coefficient along the grain of a; where
// both have a grain, that of the body which comes first counts. Of speeds, levers and viscous terms the
// larger holds. Two bodies with the same surface rub as it says, and so does one without a surface, which
// takes on its partner's (but no grain and no velocity); where both have none, mu = 0.5. surface_pairs
// replaces what it gives.
//
// What gives way adds up, as springs in series: 1/k = 1/k_a + 1/k_b, 1/E* = (1 - nu_a^2)/E_a + (1 -
// nu_b^2)/E_b; a surface without it is rigid, and so is a body without a surface. The damping time is the
// mean of the two, each with what its side gives of the whole.
//
// Restitution is a geometric mean too, e = sqrt(e_a e_b): what keeps all of an impact keeps it whatever hits
// it. Of two laws of impact the later one of the list newton, poisson, sequential, superball holds. e_t is
// that of the surface with the law superball; where both have it, the smaller one.
#include "stiction/model/detail/compile_surfaces.h"

#include <algorithm>
#include <cmath>

#include "stiction/math/elementary.h"

namespace stiction {
namespace {

bool has_grain(const SurfaceDescription& s) { return s.grain != Vec3{}; }
double kinetic_of(const SurfaceDescription& s) { return s.kinetic_friction.value_or(s.friction); }
/// [-] friction along the grain over that across.
double ratio_of(const SurfaceDescription& s) { return s.friction_along / s.friction; }

/// [m/N] or [1/Pa] what a surface gives way by.
double linear_give(const SurfaceDescription& s) { return s.stiffness > 0 ? 1 / s.stiffness : 0.0; }
double hertz_give(const SurfaceDescription& s) {
  return s.young > 0 ? (1 - s.poisson * s.poisson) / s.young : 0.0;
}

/// How the contacts of two surfaces give way; nullptr = a body without one.
void soften(const SurfaceDescription& a, const SurfaceDescription* b, ContactLaw& out) {
  const SurfaceDescription rigid, &other = b == nullptr ? rigid : *b;
  const double linear = linear_give(a) + linear_give(other), hertz = hertz_give(a) + hertz_give(other);
  if (linear > 0) out.stiffness = 1 / linear;
  if (hertz > 0) out.modulus = 1 / hertz;
  const double own = linear_give(a) + hertz_give(a), sum = linear + hertz;
  if (sum > 0) out.damping_time = other.damping_time + own / sum * (a.damping_time - other.damping_time);
}

/// [-] slip thrown back over slip before; 1 where the law has none, so that the other surface's holds.
double tangential_of(const SurfaceDescription& s) { return s.tangential_restitution.value_or(1); }

/// Two bodies with this surface, or one with it and one without any.
ContactLaw law_of(const SurfaceDescription& s) {
  ContactLaw out{s.friction, kinetic_of(s), s.stribeck_speed, s.viscous_friction, 1,
                 -1,         s.spin_length, s.rolling_length};
  if (has_grain(s)) out.along = ratio_of(s), out.grain = 0;
  out.restitution = s.restitution, out.impact_law = s.impact_law;
  out.tangential = tangential_of(s);
  return out;
}

ContactLaw law_between(const SurfaceDescription& a, const SurfaceDescription& b) {
  ContactLaw out;
  out.friction = std::sqrt(a.friction * b.friction);
  out.kinetic = std::sqrt(kinetic_of(a) * kinetic_of(b));
  out.stribeck_speed = std::fmax(a.stribeck_speed, b.stribeck_speed);
  out.viscous = std::fmax(a.viscous_friction, b.viscous_friction);
  out.spin = std::fmax(a.spin_length, b.spin_length);
  out.rolling = std::fmax(a.rolling_length, b.rolling_length);
  if (has_grain(a) || has_grain(b)) {
    out.grain = has_grain(a) ? 0 : 1;
    out.along = std::sqrt(ratio_of(has_grain(a) ? a : b));
  }
  out.restitution = std::sqrt(a.restitution * b.restitution);
  out.impact_law = std::max(a.impact_law, b.impact_law);
  out.tangential = std::fmin(tangential_of(a), tangential_of(b));
  return out;
}

void replace(const SurfacePairDescription& p, ContactLaw& law) {
  law.friction = p.friction, law.kinetic = p.kinetic_friction.value_or(p.friction);
  if (p.stribeck_speed) law.stribeck_speed = *p.stribeck_speed;
  if (p.viscous_friction) law.viscous = *p.viscous_friction;
  if (p.friction_along) law.along = *p.friction_along / p.friction;
  if (p.spin_length) law.spin = *p.spin_length;
  if (p.rolling_length) law.rolling = *p.rolling_length;
  if (p.stiffness) law.stiffness = *p.stiffness, law.modulus = 0;
  if (p.damping_time) law.damping_time = *p.damping_time;
  if (p.restitution) law.restitution = *p.restitution;
  if (p.impact_law) law.impact_law = *p.impact_law;
  if (p.tangential_restitution) law.tangential = *p.tangential_restitution;
}

}  // namespace

std::span<const std::string> impact_law_words() {
  static const std::string words[] = {"newton", "poisson", "sequential", "superball"};
  return words;
}

double friction_at(const ContactLaw& law, bool slides, double slip) {
  double mu = law.jumps() && slides ? law.kinetic : law.friction;
  if (law.stribeck_speed > 0) {
    const double part = slip / law.stribeck_speed;
    mu = law.kinetic + (law.friction - law.kinetic) * elementary::exp(-part * part);
  }
  return mu + law.viscous * slip;
}

double friction_slope(const ContactLaw& law, double slip) {
  if (!(law.stribeck_speed > 0)) return law.viscous;
  const double part = slip / law.stribeck_speed;
  return law.viscous -
         (law.friction - law.kinetic) * 2 * part / law.stribeck_speed * elementary::exp(-part * part);
}

void compile_surfaces(const Scene& scene, const std::map<std::string, int>& index, Model& m) {
  m.surface_count = int(scene.surfaces.size());
  const std::size_t n = scene.surfaces.size() + 1;
  m.pair_law.assign(n * n, law_of({}));
  for (std::size_t i = 1; i < n; ++i) {
    const SurfaceDescription& own = scene.surfaces[i - 1].value;
    for (std::size_t j = 1; j < n; ++j) {
      const SurfaceDescription& other = scene.surfaces[j - 1].value;
      m.pair_law[i * n + j] = i == j ? law_of(own) : law_between(own, other);
      soften(own, &other, m.pair_law[i * n + j]);
    }
    m.pair_law[i * n] = law_of(own);
    soften(own, nullptr, m.pair_law[i * n]);
    m.pair_law[i] = m.pair_law[i * n];
    if (has_grain(own)) m.pair_law[i].grain = 1;
    m.surfaces_move = m.surfaces_move || own.surface_velocity != Vec3{};
  }
  for (const SurfacePairDescription& p : scene.surface_pairs) {
    const auto i = std::size_t(index.at(p.a) + 1), j = std::size_t(index.at(p.b) + 1);
    replace(p, m.pair_law[i * n + j]);
    if (i != j) replace(p, m.pair_law[j * n + i]);
  }
  for (const ContactLaw& law : m.pair_law) {
    m.friction_varies = m.friction_varies || law.varies() || law.jumps();
    m.friction_jumps = m.friction_jumps || law.jumps();
    m.resists_turning = m.resists_turning || law.spin > 0 || law.rolling > 0;
    m.contacts_give = m.contacts_give || law.gives_way();
    m.bounces = m.bounces || law.restitution > 0;
  }
}

}  // namespace stiction

// Mistakes of surfaces, of pairs of them, and of bodies that have one with a direction.
#include <algorithm>
#include <set>

#include "stiction/geometry/centred.h"
#include "stiction/model/detail/checker.h"
#include "stiction/model/detail/compile_surfaces.h"

namespace stiction::detail {

/// Friction at rest, in sliding and along a grain: each may only be what the others leave it.
void Checker::check_coefficients(const std::string& path, double friction, std::optional<double> kinetic,
                                 std::optional<double> along) {
  const bool fine = not_negative(path + ".friction", friction, "");
  if (kinetic && not_negative(path + ".kinetic_friction", *kinetic, "") && fine && *kinetic > friction)
    add(path + ".kinetic_friction",
        "found " + number_text(*kinetic) + ", must be at most friction, " + number_text(friction));
  if (along && positive(path + ".friction_along", *along, "") && fine && friction == 0)
    add(path + ".friction", "found 0, must be above 0 where friction_along is given");
}

/// A share of an impact; what gives way gives back by itself.
void Checker::check_restitution(const std::string& path, double e, bool gives_way) {
  if (!(e >= 0 && e <= 1))
    add(path + ".restitution", "found " + number_text(e) + ", must be 0 to 1");
  else if (e > 0 && gives_way)
    add(path + ".restitution",
        "is for rigid surfaces, but this one gives way and pushes back by itself: leave out restitution, or "
        "the keys `stiffness` and `young`");
}

/// Only one law throws slip back.
void Checker::check_tangential(const std::string& path, double e_t, bool is_superball) {
  if (!(e_t >= -1 && e_t <= 1))
    add(path + ".tangential_restitution", "found " + number_text(e_t) + ", must be -1 to 1");
  else if (!is_superball)
    add(path + ".tangential_restitution",
        "is for `impact_law` \"superball\": give that law, or leave it out");
}

void Checker::check_surface(const std::string& path, const SurfaceDescription& s) {
  const bool has_grain = s.grain != Vec3{}, has_along = s.friction_along != 0;
  check_coefficients(path, s.friction, s.kinetic_friction,
                     has_along ? std::optional(s.friction_along) : std::nullopt);
  not_negative(path + ".stribeck_speed", s.stribeck_speed, " m/s");
  not_negative(path + ".viscous_friction", s.viscous_friction, " s/m");
  not_negative(path + ".spin_length", s.spin_length, " m");
  not_negative(path + ".rolling_length", s.rolling_length, " m");
  finite(path + ".surface_velocity", s.surface_velocity);
  check_softness(path, s);
  check_restitution(path, s.restitution, s.stiffness > 0 || s.young > 0);
  if (s.tangential_restitution)
    check_tangential(path, *s.tangential_restitution, s.impact_law == ImpactLaw::superball);
  if (has_grain && direction(path + ".grain", s.grain) && !has_along)
    add(path + ".friction_along", "is missing: a grain needs the coefficient along it");
  if (has_along && !has_grain)
    add(path + ".grain", "is missing: friction_along needs the direction that it is for");
}

/// What gives way does so by one law, and only what gives way is damped.
void Checker::check_softness(const std::string& path, const SurfaceDescription& s) {
  not_negative(path + ".stiffness", s.stiffness, " N/m");
  not_negative(path + ".young", s.young, " Pa");
  if (!(s.poisson > -1 && s.poisson <= 0.5))
    add(path + ".poisson", "found " + number_text(s.poisson) + ", must be above -1 and at most 0.5");
  if (s.stiffness > 0 && s.young > 0)
    add(path + ".young", "a surface has either `stiffness` or `young`: leave one of them out");
  if (not_negative(path + ".damping_time", s.damping_time, " s") && s.damping_time > 0 && s.stiffness == 0 &&
      s.young == 0)
    add(path + ".damping_time", "only what gives way is damped: give `stiffness` or `young` with it");
}

/// Springs in series need one law: a scene has surfaces with `stiffness`, or such with `young`.
void Checker::check_one_softness() {
  const Named<SurfaceDescription>*linear = nullptr, *hertz = nullptr;
  for (const auto& s : scene.surfaces) {
    if (s.value.stiffness > 0 && linear == nullptr) linear = &s;
    if (s.value.young > 0 && hertz == nullptr) hertz = &s;
  }
  if (linear != nullptr && hertz != nullptr && linear != hertz)
    add("surfaces." + hertz->name + ".young",
        "the surface \"" + linear->name +
            "\" has `stiffness`: give all surfaces that give way the one or the other");
}

void Checker::check_surfaces() {
  check_one_softness();
  for (const auto& s : scene.surfaces) check_surface("surfaces." + s.name, s.value);
  const auto has_grain = [&](const std::string& name) {
    return std::any_of(scene.surfaces.begin(), scene.surfaces.end(),
                       [&](const auto& s) { return s.name == name && s.value.grain != Vec3{}; });
  };
  const auto rebounds = [&](const std::string& name) {
    for (const auto& surface : scene.surfaces)
      if (surface.name == name) return surface.value.restitution > 0;
    return false;
  };
  const auto throws_back = [&](const std::string& name) {
    return std::any_of(scene.surfaces.begin(), scene.surfaces.end(), [&](const auto& s) {
      return s.name == name && s.value.impact_law == ImpactLaw::superball;
    });
  };
  const auto gives_way = [&](const std::string& name) {
    return std::any_of(scene.surfaces.begin(), scene.surfaces.end(), [&](const auto& s) {
      return s.name == name && (s.value.stiffness > 0 || s.value.young > 0);
    });
  };
  std::set<std::pair<std::string, std::string>> seen;
  for (std::size_t i = 0; i < scene.surface_pairs.size(); ++i) {
    const SurfacePairDescription& p = scene.surface_pairs[i];
    const std::string path = "surface_pairs." + std::to_string(i);
    surface(path + ".between.0", p.a);
    surface(path + ".between.1", p.b);
    check_coefficients(path, p.friction, p.kinetic_friction, p.friction_along);
    if (p.stribeck_speed) not_negative(path + ".stribeck_speed", *p.stribeck_speed, " m/s");
    if (p.viscous_friction) not_negative(path + ".viscous_friction", *p.viscous_friction, " s/m");
    if (p.spin_length) not_negative(path + ".spin_length", *p.spin_length, " m");
    if (p.rolling_length) not_negative(path + ".rolling_length", *p.rolling_length, " m");
    if (p.stiffness) positive(path + ".stiffness", *p.stiffness, " N/m");
    if (p.damping_time && not_negative(path + ".damping_time", *p.damping_time, " s") && !p.stiffness &&
        !gives_way(p.a) && !gives_way(p.b))
      add(path + ".damping_time", "only what gives way is damped: give `stiffness` with it");
    if (p.restitution)
      check_restitution(path, *p.restitution, p.stiffness || gives_way(p.a) || gives_way(p.b));
    if (p.tangential_restitution)
      check_tangential(
          path, *p.tangential_restitution,
          p.impact_law ? *p.impact_law == ImpactLaw::superball : throws_back(p.a) || throws_back(p.b));
    if (!p.restitution && p.stiffness && rebounds(p.a) && rebounds(p.b))
      add(path + ".stiffness",
          "both surfaces have restitution, which is for rigid contact: give the pair `restitution` 0 with "
          "it");
    if (p.friction_along && !has_grain(p.a) && !has_grain(p.b))
      add(path + ".friction_along", "neither surface has a grain: give one of them `grain`");
    if (!seen.emplace(std::min(p.a, p.b), std::max(p.a, p.b)).second) {
      add(path + ".between", "the pair \"" + p.a + "\", \"" + p.b + "\" is given twice");
    }
  }
}

/// Directions on a surface are in body axes, which have to be those that the user knows.
void Checker::check_body_surface(const std::string& path, const BodyDescription& b) {
  surface(path + ".surface", b.surface);
  if (b.kind != dynamic || b.inertia || !mistakes.empty()) return;  // shapes with mistakes have no axes
  for (const auto& s : scene.surfaces)
    if (s.name == b.surface && (s.value.grain != Vec3{} || s.value.surface_velocity != Vec3{}) &&
        centred(b.shape, true).turn != Quat{})
      add(path + ".surface", "\"" + b.surface +
                                 "\" has a direction, but this body is turned to its principal axes: give "
                                 "`inertia`, and its axes are kept");
}

/// Hertz's law asks for a sphere, and for a sphere or something flat against it.
std::vector<Mistake> check_hertz(const Model& m) {
  if (!m.contacts_give) return {};
  const auto shape_of = [&](int body) { return kind(m.shape[std::size_t(body)]); };
  const auto stands = [&](int body) { return m.mobility[std::size_t(body)] == Mobility::none; };
  for (const int a : m.colliding) {
    if (shape_of(a) == ShapeKind::sphere) continue;
    const bool is_flat = shape_of(a) == ShapeKind::half_space || shape_of(a) == ShapeKind::box;
    for (const int b : m.colliding) {
      if (a == b || !(m.law(a, b).modulus > 0) || (stands(a) && stands(b)) || m.share_group(a, b)) continue;
      if (is_flat && shape_of(b) == ShapeKind::sphere) continue;
      const auto name = [&](int body) { return m.body_name[std::size_t(body)]; };
      return {{{},
               0,
               0,
               "bodies." + name(b) + ".surface",
               "gives way to \"" + name(a) +
                   "\" by Hertz's law (`young`), which is for a sphere against a sphere, a half-space or a "
                   "box: give the surface `stiffness` instead, or put the two bodies in one `group`"}};
    }
  }
  return {};
}

}  // namespace stiction::detail

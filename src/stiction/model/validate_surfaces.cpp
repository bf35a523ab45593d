// Mistakes of surfaces, of pairs of them, and of bodies that have one with a direction.
#include <algorithm>
#include <set>

#include "stiction/geometry/centred.h"
#include "stiction/model/detail/checker.h"

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

void Checker::check_surface(const std::string& path, const SurfaceDescription& s) {
  const bool has_grain = s.grain != Vec3{}, has_along = s.friction_along != 0;
  check_coefficients(path, s.friction, s.kinetic_friction,
                     has_along ? std::optional(s.friction_along) : std::nullopt);
  not_negative(path + ".stribeck_speed", s.stribeck_speed, " m/s");
  not_negative(path + ".viscous_friction", s.viscous_friction, " s/m");
  not_negative(path + ".spin_length", s.spin_length, " m");
  not_negative(path + ".rolling_length", s.rolling_length, " m");
  finite(path + ".surface_velocity", s.surface_velocity);
  if (has_grain && direction(path + ".grain", s.grain) && !has_along)
    add(path + ".friction_along", "is missing: a grain needs the coefficient along it");
  if (has_along && !has_grain)
    add(path + ".grain", "is missing: friction_along needs the direction that it is for");
}

void Checker::check_surfaces() {
  for (const auto& s : scene.surfaces) check_surface("surfaces." + s.name, s.value);
  const auto has_grain = [&](const std::string& name) {
    return std::any_of(scene.surfaces.begin(), scene.surfaces.end(),
                       [&](const auto& s) { return s.name == name && s.value.grain != Vec3{}; });
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

}  // namespace stiction::detail

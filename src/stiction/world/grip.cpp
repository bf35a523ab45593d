// An explicit spring-damper: F from the state at the start of the step, over the whole step. With m_p the
// mass that the body shows at p (1/m_p = 1/m + a term of the lever, 5.5/m at the corner of a cube), the point
// is damped without swinging to and fro as long as 2 w h m / m_p < 2.
//
// When it fails: for bodies gripped far outside of themselves, where m / m_p is large; the force stays
// bounded.
#include "stiction/world/grip.h"

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

constexpr double usual_w = 8;                // [rad/s] follows a hand within a third of a second
constexpr double largest_wh = 0.1;           // [-]
constexpr double largest_acceleration = 50;  // [m/s^2]

/// Of the body, or of all links that move with it.
double moved_mass(const Model& m, std::size_t body) {
  if (m.mobility[body] != Mobility::link) return m.mass[body];
  const auto& tree_of = m.trees.forest.tree_of;
  const int tree = tree_of[std::size_t(m.link[body])];
  double sum = 0;
  for (std::size_t i = 0; i < m.trees.body.size(); ++i)
    if (tree_of[i] == tree) sum += m.mass[std::size_t(m.trees.body[i])];
  return sum;
}

}  // namespace

Grip grip_of(const World& world, BodyId body, const Vec3& point) {
  Grip g{.body = body, .point = point};
  if (!world.is_alive(body)) return g;
  g.target = world.position(body) + rotate(world.orientation(body), point);
  g.w = std::fmin(usual_w, largest_wh / world.settings().step);
  g.most = largest_acceleration * moved_mass(world.model(), std::size_t(body.index));
  return g;
}

void apply(const Grip& g, World& world) {
  if (!world.is_alive(g.body)) return;
  const auto i = std::size_t(g.body.index);
  const Model& m = world.model();
  if (m.body_kind[i] != dynamic) return;
  const Vec3 arm = rotate(world.orientation(g.body), g.point);
  const Vec3 p = world.position(g.body) + arm, v = world.velocity(g.body) + cross(world.spin(g.body), arm);
  Vec3 force = moved_mass(m, i) * (g.w * g.w * (g.target - p) - 2 * g.w * v);
  const double size = norm(force);
  if (!(size > 0)) return;
  force = std::fmin(1.0, g.most / size) * force;
  world.input().wrenches.push_back(
      {g.body.index, force, m.mobility[i] == Mobility::particle ? Vec3{} : cross(arm, force)});
}

void apply(const Push& push, World& world) {
  const Model& m = world.model();
  const State& x = world.state();
  const Vec3 line = normalized(push.direction);
  for (std::size_t i = 0; i < x.position.size(); ++i) {
    if (m.body_kind[i] != dynamic || !x.alive[i]) continue;
    const Vec3 r = x.position[i] - push.origin, away = r - dot(r, line) * line;
    const double d = norm(away);
    if (!(d > 0 && d < push.radius)) continue;
    world.input().wrenches.push_back(
        {int(i), (m.mass[i] * push.strength * (1 - d / push.radius) / d) * away, {}});
  }
}

}  // namespace stiction

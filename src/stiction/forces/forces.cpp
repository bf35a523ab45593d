// Spring-damper between points A (body a) and B (body b), d = x_B - x_A, l = |d|, e = d / l:
//     force on B = -(k (l - l0) + c dl/dt) e,   on A the opposite;   potential k (l - l0)^2 / 2
// Drag: force -(c1 + c2 |v|) v, torque -ca w. Over one explicit step a large coefficient may reverse a
// motion; the ledger then shows a positive entry under `drag`. Wrench: linear between the rows of its table,
// taken at the middle of the step; zero outside the table.
#include "stiction/forces/forces.h"

#include <cmath>

namespace stiction::forces {
namespace {

struct Point {
  Vec3 arm;       // [m] from the centre of mass, world axes
  Vec3 position;  // [m]
  Vec3 velocity;  // [m/s]
};

Point point_of(const Bodies& x, int body, const Vec3& local) {
  if (body < 0) return {{}, local, {}};
  const auto i = std::size_t(body);
  const Vec3 arm = rotate(x.orientation[i], local);
  return {arm, x.position[i] + arm, x.velocity[i] + cross(x.spin[i], arm)};
}

bool acts(std::span<const unsigned char> alive, const ModelSpring& s) {
  return (s.a < 0 || alive[std::size_t(s.a)]) && (s.b < 0 || alive[std::size_t(s.b)]);
}

void add_pair(Cause cause, const ModelSpring& s, const Point& a, const Point& b, const Vec3& impulse_on_b,
              std::vector<AppliedImpulse>& out) {
  if (s.b >= 0) out.push_back({cause, s.b, impulse_on_b, cross(b.arm, impulse_on_b)});
  if (s.a >= 0) out.push_back({cause, s.a, -impulse_on_b, cross(a.arm, -impulse_on_b)});
}

void add_spring(const ModelSpring& s, const Bodies& x, double h, std::vector<AppliedImpulse>& out) {
  const Point a = point_of(x, s.a, s.point_a), b = point_of(x, s.b, s.point_b);
  const Vec3 d = b.position - a.position;
  const double length = norm(d);
  if (length == 0)
    return;  // no direction: the force of a spring at zero length is undefined, its limit 0 or k l0
  const Vec3 e = d / length;
  if (s.stiffness > 0)
    add_pair(Cause::spring, s, a, b, (-h * s.stiffness * (length - s.rest_length)) * e, out);
  if (s.damping > 0)
    add_pair(Cause::damping, s, a, b, (-h * s.damping * dot(e, b.velocity - a.velocity)) * e, out);
}

void add_drag(const ModelDrag& d, const Bodies& x, double h, std::vector<AppliedImpulse>& out) {
  const auto i = std::size_t(d.body);
  const double c = d.linear + d.quadratic * norm(x.velocity[i]);
  out.push_back({Cause::drag, d.body, (-h * c) * x.velocity[i], (-h * d.angular) * x.spin[i]});
}

/// Value of a table at `time`: linear between rows, zero outside; constant for an empty time column.
Vec3 table_value(const std::vector<double>& time, const std::vector<Vec3>& rows, double t) {
  if (time.empty()) return rows.front();
  if (t < time.front() || t > time.back()) return {};
  std::size_t k = 0;
  while (k + 2 < time.size() && time[k + 1] <= t) ++k;
  if (time.size() == 1) return rows.front();
  const double s = (t - time[k]) / (time[k + 1] - time[k]);
  return (1 - s) * rows[k] + s * rows[k + 1];
}

void add_wrench(const ModelWrench& w, const Bodies& x, double time, double h,
                std::vector<AppliedImpulse>& out) {
  const auto i = std::size_t(w.body);
  Vec3 force = table_value(w.time, w.force, time + 0.5 * h),
       torque = table_value(w.time, w.torque, time + 0.5 * h);
  if (w.body_frame) force = rotate(x.orientation[i], force), torque = rotate(x.orientation[i], torque);
  const Vec3 arm = rotate(x.orientation[i], w.point);
  out.push_back({Cause::wrench, w.body, h * force, h * (torque + cross(arm, force))});
}

}  // namespace

void sum_forces(const Model& m, const Bodies& x, double time, double h, std::vector<AppliedImpulse>& out) {
  for (const ModelSpring& s : m.springs)
    if (acts(x.alive, s)) add_spring(s, x, h, out);
  for (const ModelDrag& d : m.drags)
    if (x.alive[std::size_t(d.body)]) add_drag(d, x, h, out);
  for (const ModelWrench& w : m.wrenches)
    if (x.alive[std::size_t(w.body)]) add_wrench(w, x, time, h, out);
}

double spring_potential(const Model& m, std::span<const Vec3> position, std::span<const Quat> orientation,
                        std::span<const unsigned char> alive) {
  double total = 0;
  const auto place = [&](int body, const Vec3& local) {
    return body < 0 ? local : position[std::size_t(body)] + rotate(orientation[std::size_t(body)], local);
  };
  for (const ModelSpring& s : m.springs) {
    if (!acts(alive, s)) continue;
    const double stretch = norm(place(s.b, s.point_b) - place(s.a, s.point_a)) - s.rest_length;
    total += 0.5 * s.stiffness * stretch * stretch;
  }
  return total;
}

}  // namespace stiction::forces

#include "stiction/report/impact_figures.h"

#include <algorithm>

namespace stiction {
namespace {

using impact::Event;
using impact::Moment;

/// Both corners and the one quantity along a straight piece: its rate goes from a to b.
double work_at(double start, double end, double rate0, double rate1, double part) {
  const double mean = 0.5 * (rate0 + rate1);
  if (mean == 0) return start + part * (end - start);
  return start + (end - start) * part * (rate0 + 0.5 * part * (rate1 - rate0)) / mean;
}

Event between(const Event& a, const Event& b, double part) {
  Event e = a;
  e.moment = Moment::between;
  e.impulse += part * (b.impulse - a.impulse), e.velocity += part * (b.velocity - a.velocity);
  const Vec3 dp = b.impulse - a.impulse;
  const auto friction_rate = [&](const Vec3& u) { return dp.y * u.y + dp.z * u.z; };
  e.normal_work = work_at(a.normal_work, b.normal_work, a.velocity.x, b.velocity.x, part);
  e.friction_work =
      work_at(a.friction_work, b.friction_work, friction_rate(a.velocity), friction_rate(b.velocity), part);
  return e;
}

template <class X, class Y>
Series series(const std::string& label, std::span<const Event> path, const X& x, const Y& y) {
  Series out{label, {}, {}};
  for (const Event& e : path) out.x.push_back(x(e)), out.y.push_back(y(e));
  return out;
}

template <class X, class Y>
Series bends(std::span<const Event> path, const X& x, const Y& y) {
  std::vector<Event> events;
  for (const Event& e : path)
    if (e.moment != Moment::between) events.push_back(e);
  Series out = series("events", events, x, y);
  out.dots = true;
  return out;
}

/// The line x = 0 or y = 0 over the range of a curve: it lies below what may run along it.
Series axis_line(const std::string& label, const Series& curve, bool vertical) {
  const std::vector<double>& along = vertical ? curve.y : curve.x;
  if (along.empty()) return {label, {}, {}, false, true};
  const auto [low, high] = std::minmax_element(along.begin(), along.end());
  const double least = std::min(0.0, *low), most = std::max(0.0, *high);
  return vertical ? Series{label, {0, 0}, {least, most}, false, true}
                  : Series{label, {least, most}, {0, 0}, false, true};
}

double slip_x(const Event& e) { return e.velocity.y; }
double slip_y(const Event& e) { return e.velocity.z; }
double normal_velocity(const Event& e) { return e.velocity.x; }
double normal_impulse(const Event& e) { return e.impulse.x; }

}  // namespace

std::vector<Event> refined(std::span<const Event> path, int per_piece) {
  std::vector<Event> out;
  for (std::size_t i = 0; i < path.size(); ++i) {
    out.push_back(path[i]);
    if (i + 1 == path.size()) break;
    for (int k = 1; k <= per_piece; ++k)
      out.push_back(between(path[i], path[i + 1], double(k) / (per_piece + 1)));
  }
  return out;
}

Figure impact_path(std::span<const Event> path, const std::string& name, const std::string& title) {
  const Series curve = series("path", path, slip_x, normal_velocity);
  return {name,
          title,
          "v_t [m/s]",
          "v_n [m/s]",
          {curve, bends(path, slip_x, normal_velocity), axis_line("v_t = 0", curve, true),
           axis_line("v_n = 0", curve, false)}};
}

Figure impact_slip(std::span<const Event> path, const std::string& name, const std::string& title) {
  return {name,
          title,
          "v_t1 [m/s]",
          "v_t2 [m/s]",
          {series("slip", path, slip_x, slip_y), bends(path, slip_x, slip_y), {"no slip", {0}, {0}, true}},
          true};
}

Figure impact_energies(std::span<const Event> path, const std::string& name, const std::string& title) {
  const auto normal = [](const Event& e) { return e.normal_work; };
  const auto friction = [](const Event& e) { return e.friction_work; };
  const auto all = [](const Event& e) { return e.normal_work + e.friction_work; };
  return {name,
          title,
          "p_n [N s]",
          "work on the bodies [J]",
          {series("normal", path, normal_impulse, normal), series("friction", path, normal_impulse, friction),
           series("both", path, normal_impulse, all), bends(path, normal_impulse, all)}};
}

}  // namespace stiction

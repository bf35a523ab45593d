// gap = (distance of the two axis segments) - r_a - r_b at their closest points.
//   a(s) = s u, |s| <= h_a; b(t) = r + t v, |t| <= h_b; u, v unit axes, r centre of b from that of a [m]
//   nearest to a(s): t = k s - q, to b(t): s = k t + p, clamped; k = u.v, p = r.u, q = r.v
// Axes that cross at more than 0.1 rad have one closest pair: that of the two lines, s = (p - k q) / (1 -
// k^2), clamped first on a, then on b, then on a again. Within 0.1 rad of parallel the closest point wanders
// along the axes under the smallest turn, so the two ends of the stretch where the axes lie beside each other
// are given instead, each with its own exact closest point: any ball of one capsule against the other capsule
// is a constraint that holds. Where ends of a and b lie beside each other to a millionth of the length, a's
// is taken. If the closest pair of all (an end, or the crossing of the axes, by cross products) is nearer
// than both by more than 1e-9 of the radii, it is given as a third point. Exact to round-off; the crossing is
// left out below a sine of 1e-7, which costs at most 1e-14 h^2 / distance. Where the axes meet (gap = -r_a -
// r_b) the normal is perpendicular to both. Feature: 1, 2 = start (-z), end of a; 3, 4 = start, end of b; 0 =
// inner points. Reference: Ericson, Real-Time Collision Detection, section 5.1.9.
#include "stiction/collision/narrow/pairs.h"

namespace stiction::collision::narrow {
namespace {

constexpr double parallel_sine2 = 0.01, crossing_sine2 = 1e-14, shortest = 1e-3, tie = 1e-6, nearer = 1e-9;

double clamp(double x, double half) { return x < -half ? -half : x > half ? half : x; }

/// Parameters of a ball on each axis, and what they belong to.
struct Balls {
  double s = 0, t = 0;
  std::uint64_t feature = 0;
};

struct Axes {
  Vec3 u, v, r;
  double half_a, half_b;  // [m]
  double k, p, q;

  Axes(const Capsule& a, const Frame& frame_a, const Capsule& b, const Frame& frame_b)
      : u(frame_a.axis(2)),
        v(frame_b.axis(2)),
        r(frame_b.centre - frame_a.centre),
        half_a(0.5 * a.length),
        half_b(0.5 * b.length),
        k(dot(u, v)),
        p(dot(r, u)),
        q(dot(r, v)) {}

  double on_a(double t) const { return clamp(k * t + p, half_a); }
  double on_b(double s) const { return clamp(k * s - q, half_b); }
  double distance2(const Balls& x) const { return norm2(r + x.t * v - x.s * u); }
  Balls end_of_a(double side) const { return {side * half_a, on_b(side * half_a), side < 0 ? 1u : 2u}; }
  Balls end_of_b(double side) const { return {on_a(side * half_b), side * half_b, side < 0 ? 3u : 4u}; }

  /// The closest pair of axes that are not parallel.
  Balls crossing(double sine2) const {
    Balls x;
    x.s = clamp((p - k * q) / sine2, half_a);
    x.t = k * x.s - q;
    if (x.t < -half_b || x.t > half_b) {
      x.t = clamp(x.t, half_b);
      x.s = on_a(x.t);
    }
    x.feature = x.s == -half_a ? 1 : x.s == half_a ? 2 : x.t == -half_b ? 3 : x.t == half_b ? 4 : 0;
    return x;
  }
  /// The crossing of all but parallel axes, where it lies inside both.
  bool inner_crossing(Balls& x) const {
    const Vec3 c = cross(u, v);
    const double c2 = norm2(c);
    if (!(c2 > crossing_sine2)) return false;
    const double s = dot(cross(r, v), c), t = dot(cross(r, u), c);
    if (!(std::fabs(s) < half_a * c2 && std::fabs(t) < half_b * c2)) return false;
    x = {s / c2, t / c2, 0};
    return true;
  }
  /// The closest pair of all but parallel axes: an end, or the inner crossing.
  Balls closest(double& least2) const {
    Balls best = end_of_a(-1);
    least2 = distance2(best);
    const auto offer = [&](const Balls& x) {
      if (const double d = distance2(x); d < least2) least2 = d, best = x;
    };
    offer(end_of_a(1)), offer(end_of_b(-1)), offer(end_of_b(1));
    if (Balls x; inner_crossing(x)) offer(x);
    return best;
  }
  /// True where no pair is closer than both of these ends: no inner crossing, and the other two ends lie
  /// opposite to these, end to end.
  bool closest_among(const Balls (&ends)[2]) const {
    const double way = k < 0 ? -1 : 1;
    for (int i = 0; i < 2; ++i) {
      const double side = i == 0 ? -1 : 1;
      const bool of_a = ends[i].feature <= 2;
      if (of_a ? on_a(side * way * half_b) != side * half_a : on_b(side * half_a) != side * way * half_b)
        return false;
    }
    Balls x;
    return !inner_crossing(x);
  }
  /// The two ends of the stretch along which the axes lie beside each other; false where it is all but
  /// nothing.
  bool stretch(Balls (&ends)[2]) const {
    const double length = 2 * (half_a < half_b ? half_a : half_b), way = k < 0 ? -1 : 1;
    const double low = p - way * k * half_b, high = p + way * k * half_b;  // of b, along a
    const double from = low > -half_a ? low : -half_a, to = high < half_a ? high : half_a;
    if (!(to - from >= shortest * length && length > 0)) return false;
    ends[0] = low <= -half_a + tie * length ? end_of_a(-1) : end_of_b(-way);
    ends[1] = high >= half_a - tie * length ? end_of_a(1) : end_of_b(way);
    return true;
  }
  /// A unit vector perpendicular to both axes.
  Vec3 common_normal(const Vec3& otherwise) const {
    const Vec3 c = cross(u, v);
    const double length = norm(c);
    return length > 1e-6 ? c / length : otherwise;
  }
};

}  // namespace

void capsule_capsule(const Capsule& a, const Frame& frame_a, const Capsule& b, const Frame& frame_b,
                     Manifold& out) {
  const Axes axes(a, frame_a, b, frame_b);
  const auto add = [&](const Balls& x) {
    const Vec3 c_a = frame_a.centre + x.s * axes.u, c_b = frame_b.centre + x.t * axes.v;
    const auto fallback = [&] { return axes.common_normal(frame_a.axis(0)); };
    add_round(c_a, a.radius, c_b, b.radius, fallback, x.feature, out);
  };
  const double sine2 = 1 - axes.k * axes.k;
  if (sine2 > parallel_sine2) return add(axes.crossing(sine2));
  double least2;
  Balls ends[2];
  if (!axes.stretch(ends)) return add(axes.closest(least2));
  add(ends[0]), add(ends[1]);
  if (axes.closest_among(ends)) return;
  const Balls closest = axes.closest(least2);
  if (closest.feature == ends[0].feature || closest.feature == ends[1].feature) return;
  const double covers = std::sqrt(least2) + nearer * (a.radius + b.radius), covers2 = covers * covers;
  if (axes.distance2(ends[0]) > covers2 && axes.distance2(ends[1]) > covers2) add(closest);
}

}  // namespace stiction::collision::narrow

// An ellipsoid that rolls on a plane without slipping, its centre of mass in its middle, its axes of inertia
// turned against those of its shape: what a rattleback is in theory. In body axes, with g the vertical, w the
// spin and r the place of the contact,
//
//     r = -D g / n,   n = sqrt(g.D g),   g' = g x w
//     (J + m (r^2 - r r^T)) w' = m r x (r' x w + w x (r x w) + gravity g) - w x J w
//
// (angular momentum about the contact; the centre moves with v = r x w). Runge-Kutta 4.
#pragma once

#include <cmath>

#include "stiction/math/vec3.h"
#include "support/dense.h"

namespace stiction::test {

struct RollingEllipsoid {
  Mat3 squared;  // [m^2] D: the shape is x.D^-1 x = 1
  Vec3 inertia;  // [kg m^2]
  double mass = 1, gravity = 9.81;
  Vec3 up, spin;  // [-] the vertical, [rad/s]; body axes

  /// [m] height of the centre
  double height() const { return std::sqrt(dot(up, squared * up)); }
  double spin_up() const { return dot(up, spin); }
  double energy() const {
    const Vec3 v = cross(contact(up), spin);
    return 0.5 * (mass * norm2(v) + dot(spin, Mat3::diagonal(inertia) * spin)) + mass * gravity * height();
  }

  void step(double h) {
    const Rate a = rate(up, spin), b = rate(up + h / 2 * a.up, spin + h / 2 * a.spin),
               c = rate(up + h / 2 * b.up, spin + h / 2 * b.spin), d = rate(up + h * c.up, spin + h * c.spin);
    up = normalized(up + h / 6 * (a.up + 2.0 * b.up + 2.0 * c.up + d.up));
    spin = spin + h / 6 * (a.spin + 2.0 * b.spin + 2.0 * c.spin + d.spin);
  }

 private:
  struct Rate {
    Vec3 up, spin;
  };

  Vec3 contact(const Vec3& g) const { return -1 / std::sqrt(dot(g, squared * g)) * (squared * g); }

  Rate rate(const Vec3& g, const Vec3& w) const {
    const double n = std::sqrt(dot(g, squared * g));
    const Vec3 change = cross(g, w), r = contact(g),
               r_change = -1 / n * (squared * change + dot(g, squared * change) / n * r);
    const Vec3 right = mass * cross(r, cross(r_change, w) + cross(w, cross(r, w)) + gravity * g) -
                       cross(w, Mat3::diagonal(inertia) * w);
    Dense about_contact(3);
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) about_contact(i, j) = -mass * r[i] * r[j];
      about_contact(i, i) += inertia[i] + mass * norm2(r);
    }
    const std::vector<double> x = about_contact.solve({right.x, right.y, right.z});
    return {change, {x[0], x[1], x[2]}};
  }
};

}  // namespace stiction::test

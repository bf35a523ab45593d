// The books of impacts, in which poses stay and velocities jump: see impact_books.cpp.
#pragma once

#include <span>

#include "stiction/step/stages.h"

namespace stiction::step {

/// Impulses of w.contacts that are in the problem, and of joints in hit islands, x -> w.next -> w.entries,
/// w.totals, w.plane_impulse, and w.trees.through as means over h [s]. friction_work [J]: per contact, of its
/// path of slip; empty, or not a number: at the mean of the velocities before and after.
void book_impacts(const Model& m, const State& x, double h, std::span<const double> friction_work,
                  Workspace& w);

/// [m/s] before the impacts; bodies with prescribed motion as they move in the step.
inline Vec3 velocity_before(const Model& m, const State& x, const WorkContact& c, bool second,
                            const Workspace& w) {
  const auto i = std::size_t(second ? c.point.key.b : c.point.key.a);
  const bool given = m.mobility[i] == Mobility::none;
  const Vec3 &v = given ? w.free.velocity[i] : x.velocity[i], &spin = given ? w.free.spin[i] : x.spin[i];
  return v + cross(spin, c.arm[second]);
}

}  // namespace stiction::step

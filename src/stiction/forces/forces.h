// Smooth forces, evaluated at the start of a step and held over it: what they are, and what they do to
// bodies. Wrench tables alone are taken at the middle of the step. A force fills a list of impulses (force
// times step), each with its cause, so that the ledger can book the work of each alone. Gravity is uniform
// and is handled where bodies are advanced.
#pragma once

#include <span>
#include <vector>

#include "stiction/ledger/ledger.h"
#include "stiction/model/model.h"

namespace stiction::forces {

/// An impulse on one body at its centre of mass.
struct AppliedImpulse {
  Cause cause = Cause::wrench;
  int body = -1;
  Vec3 linear;   // [N s] world axes
  Vec3 angular;  // [N m s] about the centre of mass
};

/// What forces read: the state of all bodies.
struct Bodies {
  std::span<const Vec3> position;
  std::span<const Quat> orientation;
  std::span<const Vec3> velocity;
  std::span<const Vec3> spin;
  std::span<const unsigned char> alive;
};

/// Appends the impulses of springs, drags and wrenches of the model over [time, time + h].
void sum_forces(const Model& m, const Bodies& x, double time, double h, std::vector<AppliedImpulse>& out);

/// [J] elastic energy of all springs.
double spring_potential(const Model& m, std::span<const Vec3> position, std::span<const Quat> orientation,
                        std::span<const unsigned char> alive);

}  // namespace stiction::forces

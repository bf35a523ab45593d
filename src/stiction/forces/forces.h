// Smooth forces: what they are, and what they do to bodies. A force fills a list of impulses (force times a
// weight, such as the step), each with its cause, so that the ledger can book the work of each alone. Uniform
// gravity is handled where bodies are advanced.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "stiction/forces/pairs.h"
#include "stiction/ledger/ledger.h"
#include "stiction/model/model.h"

namespace stiction::forces {

/// An impulse on one body at its centre of mass.
struct AppliedImpulse {
  Cause cause = Cause::wrench;
  int body = -1;
  Vec3 linear;      // [N s] world axes
  Vec3 angular;     // [N m s] about the centre of mass
  int spring = -1;  // of Model::springs, then torsions, that it is of; -1 = of none
};

/// What forces read: the state of all bodies.
struct Bodies {
  std::span<const Vec3> position;
  std::span<const Quat> orientation;
  std::span<const Vec3> velocity;
  std::span<const Vec3> spin;
  std::span<const unsigned char> alive;
};

/// Memory kept between calls.
struct Scratch {
  PairScratch pairs;
  std::vector<Vec3> sum;  // [N] per body
};

/// Appends the forces of the model at `x`, times `weight` [s]. Tables are read at `time` [s].
void forces_at(const Model& m, const Bodies& x, double time, double weight, Scratch& scratch,
               std::vector<AppliedImpulse>& out);
/// The same for a step from `time` over which forces are held: times h, tables at its middle.
void sum_forces(const Model& m, const Bodies& x, double time, double h, Scratch& scratch,
                std::vector<AppliedImpulse>& out);

/// [J] elastic energy of all springs and torsion springs.
double spring_potential(const Model& m, std::span<const Vec3> position, std::span<const Quat> orientation,
                        std::span<const unsigned char> alive);
/// [J] of one of them: springs, then torsion springs; 0 where an end of it is gone.
double spring_potential(const Model& m, std::size_t spring, std::span<const Vec3> position,
                        std::span<const Quat> orientation, std::span<const unsigned char> alive);
/// [J] gravitation and Lennard-Jones.
double pair_potential(const Model& m, std::span<const Vec3> position, std::span<const unsigned char> alive,
                      PairScratch& scratch);

// shared by the files of this part

/// One end of a spring.
struct Point {
  Vec3 arm;       // [m] from the centre of mass, world axes
  Vec3 position;  // [m]
  Vec3 velocity;  // [m/s]
};
Point point_of(const Bodies& x, int body, const Vec3& local);

/// Value of a table at a time [s]: linear between rows, zero outside; constant for an empty time column.
Vec3 table_value(const std::vector<double>& time, const std::vector<Vec3>& rows, double now);

/// Twist of body b against body a about the axis, its gradient by b's turn (world axes), and its rate.
struct Twist {
  double angle = 0;  // [rad] in [-pi, pi]
  Vec3 gradient;     // [-] zero where the twist is not defined
  double rate = 0;   // [rad/s]
};
Twist twist_of(const ModelTorsion& t, const Bodies& x);

/// Whether both ends are there.
inline bool acts(std::span<const unsigned char> alive, int a, int b) {
  return (a < 0 || alive[std::size_t(a)]) && (b < 0 || alive[std::size_t(b)]);
}

/// [N s/m] kappa |v|^(gamma - 1) of a drag, without its linear and quadratic part.
double power_drag(const ModelDrag& d, double speed);

}  // namespace stiction::forces

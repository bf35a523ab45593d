// Motion of trees from a discrete action: symplectic, keeps momentum, no drift of the energy. See
// variational.cpp.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "stiction/dynamics/tree/forward_dynamics.h"

namespace stiction::tree {

struct VariationalReport {
  enum class Status : unsigned char {
    not_run,
    done,
    no_inertia,     // `link`: its joint moves no mass
    turns_too_far,  // `link` would turn by half a turn or more in the step
    not_converged,  // `link`: the first of the tree for which no solution was found
    not_finite,     // `link`: its motion is not finite
  };
  Status status = Status::not_run;
  int link = -1;
  int iterations = -1;   // [-] evaluations of the discrete momenta, the most of any tree
  double residual = -1;  // [-] sqrt(F.M^-1 F / v.M v), F: momentum left over; the worst of any tree

  bool done() const { return status == Status::done; }
};
/// One sentence in words, with the name of the link.
std::string explain(const VariationalReport& report, const Forest& f, double h);

/// Scratch between calls; grows to the forest once.
struct Variational {
  struct LinkMotion {
    Quat turn{};           // of the step, world axes
    Vec3 shift{};          // [m] of the link's origin
    Vec3 spin_momentum{};  // [kg m^2/s] about the centre of mass, world axes: the same at both ends
    Vec3 momentum{};       // [kg m/s]
    Vec3 centre{};         // [m] centre of mass from the origin, at the start
    SymMat3 inertia{};     // [kg m^2] about the centre of mass, world axes, at the start
  };
  Kinematics start{}, end{};
  Articulated factors{};
  SweepScratch sweep{};
  std::vector<LinkMotion> motion{};    // per link
  std::vector<SpatialForce> wrench{};  // per link
  // per velocity coordinate
  std::vector<double> mean{};          // x: constant joint velocities that carry q to the end of the step
  std::vector<double> momentum{};      // to be met: M v
  std::vector<double> rest{}, fall{};  // F and M^-1 F
  std::vector<double> next_q{}, next_v{}, kick{}, force{};
  std::vector<double> step{}, step_momentum{};  // Broyden's steps s and M s, one after the other
};

/// Motion without forces for the time h [s]; h < 0 goes back. Untouched q and v unless done().
VariationalReport drift_variationally(const Forest& f, const Parameters& p, double h, std::span<double> q,
                                      std::span<double> v, Variational& w);

/// dv = h M^-1 (gravity + J^T external + tau), the change of v by an impulse; `tau` per velocity coordinate,
/// `external` per link about its origin, world axes; either may be empty. Springs and dampers of joints are
/// not added here. Returns -1, or the first velocity coordinate that feels no inertia.
int impulse_change(const Forest& f, const Parameters& p, double h, std::span<const double> q,
                   std::span<const double> tau, std::span<const SpatialForce> external, Variational& w,
                   std::span<double> dv);

/// One whole step of h [s]: half the impulse at the start, motion without forces, half the impulse at the
/// end. Gravity, springs and dampers of the joints are evaluated at both ends; `tau` and `external` are held.
/// Untouched q and v unless done(). For forces of another kind call the two functions above in turn.
VariationalReport advance_variationally(const Forest& f, const Parameters& p, double h,
                                        std::span<const double> tau, std::span<const SpatialForce> external,
                                        std::span<double> q, std::span<double> v, Variational& w);

}  // namespace stiction::tree

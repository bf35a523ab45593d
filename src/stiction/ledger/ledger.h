// The ledger: every joule booked to its cause, linear and angular momentum likewise.
//
// With E = kinetic + potential energy of the State, the books of a run say
//     E(now) - E(start) = sum of the accounts of all causes that are not potentials (see is_potential),
// where a potential's own account (gravity, spring) is the work it did on the bodies, i.e. what moved from
// potential to kinetic energy, and `numerics` holds, by its own formulas, what the discretisation adds or
// takes. No account is the remainder: imbalance() measures how well the books close, and must be round-off.
// Sums are compensated (Neumaier), so that long runs do not lose the small entries.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <type_traits>

#include "stiction/base/hash.h"
#include "stiction/math/vec3.h"

namespace stiction {

enum class Cause : unsigned char {
  gravity,        // potential
  spring,         // potential: elastic part of spring-dampers and of contacts that give way
  damping,        // viscous part of them
  drag,           // drag forces
  wrench,         // forces and torques given by the scene
  input,          // forces given from outside, step by step
  contact,        // normal impulses of contacts that touched at the end of the last step
  impact,         // normal impulses of contacts that are new in this step
  friction,       // tangential impulses
  joint,          // reactions of joints
  kinematic,      // what bodies with prescribed motion put in through their contacts and springs
  stabilisation,  // positions moved to remove overlap
  edit,           // bodies added, removed or moved by the user between steps
  numerics,       // energy error of the discretisation, by its own formulas (docs/theory/ledger.md)
  // later ones are appended: the order is that of recordings and of the hash
  gravitation,    // potential: attraction between pairs
  lennard_jones,  // potential: forces between pairs of atoms
  magnus,         // lift of spinning bodies
  motor,          // motors of joints
  breaking,       // elastic energy of joints that broke
  surface,        // what surfaces that move over their bodies put in through friction
  spin,           // friction's moments about the normals of contacts
  rolling,        // moments against rolling
};
inline constexpr int cause_count = 22;
// Causes that enter every hash; further ones enter it, up to each of these counts, once one of them was used.
inline constexpr std::size_t hashed_cause_counts[] = {14, 17, 18, 19, 22};
const char* name(Cause c);  // "gravity", ...
constexpr bool is_potential(Cause c) {
  return c == Cause::gravity || c == Cause::spring || c == Cause::gravitation || c == Cause::lennard_jones;
}

/// What may give energy to a run; all other accounts that are not potentials only take it, or are what the
/// steps themselves add.
constexpr bool is_source(Cause c) {
  return c == Cause::wrench || c == Cause::input || c == Cause::kinematic || c == Cause::edit ||
         c == Cause::motor || c == Cause::breaking || c == Cause::surface;
}

/// A sum that carries its own rounding error.
struct CompensatedSum {
  double sum = 0, carry = 0;
  void add(double x) {
    const double t = sum + x;
    carry += std::fabs(sum) >= std::fabs(x) ? (sum - t) + x : (x - t) + sum;
    sum = t;
  }
  double value() const { return sum + carry; }
};
struct CompensatedVec3 {
  CompensatedSum x, y, z;
  void add(const Vec3& v) { x.add(v.x), y.add(v.y), z.add(v.z); }
  Vec3 value() const { return {x.value(), y.value(), z.value()}; }
};

/// What one step puts on the accounts; plain sums, filled by the step, posted by Ledger::post.
struct Entries {
  std::array<double, cause_count> work{};            // [J]
  std::array<Vec3, cause_count> momentum{};          // [kg m/s] impulse on the system from outside
  std::array<Vec3, cause_count> angular_momentum{};  // [kg m^2/s] about the world's origin
  double flow = 0;  // [J] sum of |joules| over all entries: the scale of round-off
  // of the energy watch (step/energy_watch.cpp)
  double free = 0;          // [J] kinetic energy of the free motion of bodies in contact
  double added = 0;         // [J] what contacts, impacts, friction and stabilisation brought
  double slack = 0;         // [J] what of it the tolerance leaves
  double from_overlap = 0;  // [J] of `stabilisation`, from overlap that the step found at its start
  double spring_share = 0;  // [-] the most that a spring gained, over its own energy (step/spring_watch.h)
  void book(Cause c, double joules) {
    work[std::size_t(c)] += joules;
    flow += std::fabs(joules);
  }
  /// The sum of many entries and the sum of their |joules|.
  void book_many(Cause c, double joules, double magnitudes) {
    work[std::size_t(c)] += joules;
    flow += magnitudes;
  }
  void book(Cause c, const Vec3& impulse, const Vec3& angular) {
    momentum[std::size_t(c)] += impulse;
    angular_momentum[std::size_t(c)] += angular;
  }
};

/// State functions, computed from positions and velocities alone.
struct Totals {
  double kinetic = 0;            // [J]
  double gravity_potential = 0;  // [J] counted from the start of the run
  double spring_potential = 0;   // [J] springs, torsion springs, joints and contacts that give way
  Vec3 momentum{};               // [kg m/s]
  Vec3 angular_momentum{};       // [kg m^2/s] about the world's origin
  double pair_potential = 0;     // [J] gravitation and Lennard-Jones
  double potential() const { return gravity_potential + spring_potential + pair_potential; }
  double energy() const { return kinetic + gravity_potential + spring_potential + pair_potential; }
};

/// What the energy of a run may rise by without a source: so much a spring with h w = 1/2 swings
/// (docs/theory/ledger.md).
inline constexpr double unexplained_limit = 0.25;  // [-] of the energy of the run

class Ledger {
 public:
  /// Opens the books with the totals of the first state.
  void open(const Totals& start);
  /// Posts one step: its entries, and the totals of the state it led to.
  void post(const Entries& e, const Totals& now);

  double booked(Cause c) const { return work_[std::size_t(c)].value(); }  // [J] since the start
  Vec3 booked_momentum(Cause c) const { return momentum_[std::size_t(c)].value(); }
  Vec3 booked_angular_momentum(Cause c) const { return angular_momentum_[std::size_t(c)].value(); }
  const Totals& now() const { return now_; }
  const Totals& start() const { return start_; }

  /// [J] E(now) - E(start) - booked.
  double imbalance() const;
  /// [J] KE + sum |PE| + sum |flows|, what the imbalance is compared with.
  double scale() const;
  double relative_imbalance() const;  // [-] |imbalance| / scale; 0 when nothing ever flowed
  /// [J] The largest kinetic energy so far, that of free motion in steps among them, and the largest change
  /// of potential.
  double energy_of_run() const { return largest_kinetic_ + (highest_potential_ - lowest_potential_); }
  /// [J] What contacts, impacts, friction and stabilisation brought since the time from which on it is most.
  double contacts_added() const { return contact_rise_; }
  /// [-] The most that it ever was, less what the tolerance leaves in a step, over energy_of_run() before.
  double contact_rise() const { return contact_share_; }
  /// [-] The most that the energy rose from any time to any later one without a source (see is_source), over
  /// energy_of_run() and what flowed from sources; and the most that a spring gained, over its own energy.
  double world_rise() const { return unexplained_share_; }
  double spring_rise() const { return spring_share_; }
  /// [-] The larger one.
  double unexplained_rise() const { return std::fmax(unexplained_share_, spring_share_); }
  /// [kg m/s], [kg m^2/s] the same for momentum, and the scales they compare with.
  Vec3 momentum_imbalance() const;
  Vec3 angular_momentum_imbalance() const;
  double momentum_scale() const;
  double angular_momentum_scale() const;

  /// Everything it holds. Accounts that came later count only once they were used, so that runs without them
  /// keep the hash they always had.
  void add_to(Hash& hash) const;
  /// Every number of it is one: books that were read from somewhere may hold anything.
  bool is_finite() const;

 private:
  Totals start_, now_;
  std::array<CompensatedSum, cause_count> work_{};
  std::array<CompensatedVec3, cause_count> momentum_{};
  std::array<CompensatedVec3, cause_count> angular_momentum_{};
  double flow_ = 0;  // [J] sum of |entries|
  double momentum_flow_ = 0, angular_momentum_flow_ = 0;
  double largest_kinetic_ = 0, lowest_potential_ = 0, highest_potential_ = 0;  // [J]
  double contact_rise_ = 0, unexplained_rise_ = 0;    // [J] since they were last 0, where they began to rise
  double contact_share_ = 0, unexplained_share_ = 0;  // [-]
  double spring_share_ = 0;                           // [-]
  double source_flow_ = 0;                            // [J] sum of |joules| that sources brought

  void watch(const Entries& e, const Totals& now);
};
static_assert(std::is_trivially_copyable_v<Ledger>);

}  // namespace stiction

// The laws that every step of every scene obeys, watched over a run: the books close, energies and momenta
// are those of the state, contacts take energy and never give any, friction acts against slip.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <utility>
#include <vector>

#include "stiction/world/world.h"
#include "support/recompute.h"

namespace stiction::test {

inline constexpr double books = 1e-12;         // [-] published: |imbalance| over KE + sum |PE| + sum |flows|
inline constexpr double contact_gain = 1e-12;  // [-] round-off of v'Mv/2: a sum of some 100 products
inline constexpr double energy_rise = 1e-6;    // [-] published: of the energy scale, in a whole run
inline constexpr double all_shown = 1e-11;  // [-] impulses that contacts show, against what changes a body's
                                            // momentum: round-off of M^-1, which is formed, and of sums over
                                            // the contacts (1.5e-12 at most; a lost impulse is 1e-3 or more)
inline constexpr double same_number =
    1e-13;  // [-] two formulas for one energy, each summed over some 100 bodies

/// What round-off of momenta is compared with: sums of absolute values, where the ledger's own scale is that
/// of vector sums, which cancel in scenes that are symmetric about the origin.
struct MomentumFlow {
  // [kg m/s], [kg m^2/s] sums of |impulses| and |moments| so far, and at least what the bodies carry
  double momentum = 0, angular = 0;

  void look(const World& w) {
    const State& x = w.state();
    const double pull = w.settings().step * norm(w.model().gravity);
    double carried = 0, around = 0;  // by the bodies now; may cancel in the sum
    for (std::size_t i = 0; i < x.position.size(); ++i) {
      carried += w.model().mass[i] * norm(x.velocity[i]);
      around += w.model().mass[i] * norm(x.velocity[i]) * norm(x.position[i]);
      momentum += pull * w.model().mass[i];
      angular += pull * w.model().mass[i] * norm(x.position[i]);
    }
    for (const Contact& c : w.contacts()) {
      momentum += norm(c.impulse);
      angular += norm(c.impulse) * norm(c.point);
    }
    momentum = std::fmax(momentum, std::fmax(carried, w.ledger().momentum_scale()));
    angular = std::fmax(angular, std::fmax(around, w.ledger().angular_momentum_scale()));
  }
};

/// The worst of every law over a run.
class Worst {
 public:
  double imbalance = 0, momentum = 0, angular_momentum = 0;  // [-]
  double kinetic = 0, potential = 0, momenta = 0;            // [-] ledger against recomputed
  double gain = -1;           // [-] contacts: kinetic_end / (kinetic_free + work of drives) - 1
  double friction_power = 0;  // [-] p_t.u_t over the step's |p| times its speeds and those that |p| stops
  double hidden = 0;  // [-] what changes momenta beside gravity and the impulses of all contacts shown
  double sunk = 0;    // [-] deepest overlap of a contact that presses, over the smaller body
  double rise = 0;    // [J] total energy above an earlier value, external work apart
  double scale = 0;   // [J] of the run
  int unconverged = 0;

  explicit Worst(const World& w) {
    // lifting every body by its size: so that the scale of a scene at rest is not its round-off
    for (std::size_t i = 0; i < w.model().mass.size(); ++i)
      scale += w.model().mass[i] * norm(w.model().gravity) * w.model().size[i];
  }

  void look(const World& w, const StepReport& r) {
    flow_.look(w);
    look_at_books(w);
    look_at_energy(w, r);
    look_at_forces(w, r);
    // frames of the start of the step are not the ones the world shows
    if (!r.start_frames) look_at_friction(w);
    unconverged += !r.converged;
  }

  /// What holds for every method.
  void expect_books() const {
    EXPECT_LT(imbalance, books);
    EXPECT_LT(momentum, books);
    EXPECT_LT(angular_momentum, books);
    EXPECT_LT(kinetic, same_number);
    EXPECT_LT(potential, same_number);
    EXPECT_LT(momenta, same_number);
  }
  /// All but convergence and the rise of energy.
  void expect_lawful(double tolerance) const {
    expect_books();
    EXPECT_LE(gain, contact_gain);
    EXPECT_LE(hidden, all_shown);
    EXPECT_LE(sunk, 10 * tolerance);            // frames that were kept are planes: to the second order
    EXPECT_LE(friction_power, 10 * tolerance);  // the cone's and the slip's errors, each 1 tolerance
  }

 private:
  MomentumFlow flow_;
  double drive_ = 0, lowest_ = 0;  // [J]
  std::vector<Vec3> earlier_;      // [m/s] velocities after the step before

  static void raise(double& worst, double value, double over) {
    if (over > 0) worst = std::fmax(worst, std::fabs(value) / over);
  }

  void look_at_books(const World& w) {
    const Ledger& l = w.ledger();
    const Recomputed now = recompute(w.model(), w.state());
    scale = std::fmax(scale, l.scale());
    raise(imbalance, l.imbalance(), l.scale());
    raise(momentum, norm(l.momentum_imbalance()), flow_.momentum);
    raise(angular_momentum, norm(l.angular_momentum_imbalance()), flow_.angular);
    raise(kinetic, now.kinetic - l.now().kinetic, l.scale());
    raise(potential, now.gravity_potential + now.spring_potential + now.pair_potential - l.now().potential(),
          l.scale());
    raise(momenta, norm(now.momentum - l.now().momentum), flow_.momentum);
    raise(momenta, norm(now.angular_momentum - l.now().angular_momentum), flow_.angular);
  }

  void look_at_energy(const World& w, const StepReport& r) {
    const Ledger& l = w.ledger();
    const double drive = l.booked(Cause::kinematic) + l.booked(Cause::motor) + l.booked(Cause::surface),
                 given = std::fmax(0.0, drive - drive_);
    if (r.kinetic_free > 0) gain = std::fmax(gain, r.kinetic_end / (r.kinetic_free + given) - 1);
    drive_ = drive;
    const double own =
        l.now().energy() - l.start().energy() - drive - l.booked(Cause::wrench) - l.booked(Cause::input);
    lowest_ = std::fmin(lowest_, own);
    rise = std::fmax(rise, own - lowest_);
  }

  /// Bodies that nothing but gravity and contacts acts on. Of a step in parts only the last part is shown, of
  /// a bounce nothing.
  void look_at_forces(const World& w, const StepReport& r) {
    const Model& m = w.model();
    const State& x = w.state();
    const bool alone = m.scene.joints.empty() && m.scene.forces.empty() && !m.bounces;
    const auto size = [&](int body) {
      const auto i = std::size_t(body);
      return m.body_kind[i] == dynamic ? m.size[i] : HUGE_VAL;
    };
    if (alone && r.parts == 1 && r.converged)
      for (const Contact& c : w.contacts())
        if (c.impulse != Vec3{}) sunk = std::fmax(sunk, -c.gap / std::fmin(size(c.key.a), size(c.key.b)));
    if (alone && r.parts == 1 && earlier_.size() == x.velocity.size()) {
      const Vec3 fall = w.settings().step * m.gravity;
      std::vector<Vec3> sum(earlier_.size());
      std::vector<double> scale(earlier_.size());
      for (const Contact& c : w.contacts())
        for (const auto& [body, impulse] : {std::pair{c.b, c.impulse}, std::pair{c.a, -c.impulse}})
          sum[std::size_t(body.index)] += impulse, scale[std::size_t(body.index)] += norm(impulse);
      for (std::size_t i = 0; i < sum.size(); ++i) {
        const bool asleep = !x.asleep.empty() && x.asleep[i];
        if (m.body_kind[i] != dynamic || !x.alive[i] || asleep) continue;
        const double carried = norm(x.velocity[i]) + norm(earlier_[i]) + norm(fall);
        raise(hidden, norm(m.mass[i] * (x.velocity[i] - earlier_[i] - fall) - sum[i]),
              m.mass[i] * carried + scale[i]);
      }
    }
    earlier_.assign(x.velocity.begin(), x.velocity.end());
  }

  void look_at_friction(const World& w) {
    double speed = w.settings().step * norm(w.model().gravity), p = 0;
    for (const Vec3& v : w.state().velocity) speed = std::fmax(speed, norm(v));
    for (const Contact& c : w.contacts()) p = std::fmax(p, norm(c.impulse));
    const auto inverse_mass = [&](int body) {
      return w.model().body_kind[std::size_t(body)] == dynamic ? 1 / w.model().mass[std::size_t(body)] : 0.0;
    };
    for (const Contact& c : w.contacts()) {
      // the certificate's natural map knows slips to tolerance x |p| x a contact's inverse mass: between
      // heavy bodies a light one may creep by as much (turning, which adds to the inverse mass, and |p| of
      // its island are part of the factor that is asked for)
      const double pressed = norm(c.impulse) * (inverse_mass(c.key.a) + inverse_mass(c.key.b));
      raise(friction_power, std::fmax(0.0, dot(c.impulse, c.slip)), p * (speed + pressed));
    }
  }
};

}  // namespace stiction::test

// Bodies and pairs under the geometrically implicit step, without a world.
#pragma once

#include <deque>

#include "stiction/base/assert.h"
#include "stiction/step/implicit_contact.h"

namespace stiction::reproduce {

class ImplicitRun {
 public:
  explicit ImplicitRun(double h, step::FrictionRows rows = step::FrictionRows::projection)
      : settings_{.h = h, .rows = rows} {}
  ImplicitRun(const ImplicitRun&) = delete;  // bodies point to the shapes
  ImplicitRun& operator=(const ImplicitRun&) = delete;

  int add(Convex shape, step::ImplicitBody body) {
    body.shape = &shapes_.emplace_back(std::move(shape));
    system_.bodies.push_back(body);
    return int(system_.bodies.size()) - 1;
  }
  void touch(int f, int g, double mu, double turning = 0) {
    system_.contacts.push_back({.f = f, .g = g, .mu = mu, .extent = {1, 1, turning}});
    STICTION_ASSERT(step::fault_of(system_).empty());  // the examples are ours
  }
  /// False where the step has no solution that was found: nothing moves then.
  bool step() {
    const step::ImplicitReport r = step::implicit_contact_step(settings_, system_);
    iterations_ += r.iterations;
    ++steps_;
    for (const step::ImplicitContact& c : system_.contacts) lowest_gap_ = std::fmin(lowest_gap_, c.gap);
    return r.solved;
  }

  double h() const { return settings_.h; }
  step::ImplicitBody& body(int i) { return system_.bodies[std::size_t(i)]; }
  const step::ImplicitContact& contact(int i) const { return system_.contacts[std::size_t(i)]; }
  double kinetic() const { return step::kinetic_energy(system_); }
  double mean_iterations() const { return double(iterations_) / double(steps_); }
  double lowest_gap() const { return lowest_gap_; }  // [m] of all steps; 0 where none was negative

 private:
  step::ImplicitSettings settings_;
  step::ImplicitSystem system_;
  std::deque<Convex> shapes_;
  long iterations_ = 0, steps_ = 0;
  double lowest_gap_ = 0;
};

}  // namespace stiction::reproduce

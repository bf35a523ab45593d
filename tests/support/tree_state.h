// A compiled forest with a state and scratch for every algorithm, for tests.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "stiction/dynamics/tree/energy.h"
#include "stiction/dynamics/tree/forward_dynamics.h"
#include "stiction/dynamics/tree/mass_matrix.h"

namespace stiction::test {

/// Largest difference over the largest value of `truth`.
inline double relative_error(const std::vector<double>& x, const std::vector<double>& truth) {
  double error = 0, size = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    error = std::isfinite(x[i]) ? std::max(error, std::fabs(x[i] - truth[i])) : INFINITY;
    size = std::max(size, std::fabs(truth[i]));
  }
  return size > 0 ? error / size : error;
}

struct TreeState {
  tree::Compiled c;
  std::vector<double> q, v, tau, dv;
  tree::ForwardDynamics d{};
  tree::MassMatrix m{};
  tree::InverseDynamics inverse{};

  explicit TreeState(const tree::Description& description)
      : c(tree::compile(description).or_exit()),
        q(std::size_t(c.forest.q_count())),
        v(std::size_t(c.forest.v_count())),
        tau(v.size()),
        dv(v.size()) {
    tree::set_neutral(c.forest, q);
  }
  const tree::Forest& f() const { return c.forest; }
  const tree::Parameters& p() const { return c.parameters; }
  const tree::Kinematics& k() const { return d.kinematics; }

  void randomise(std::uint64_t seed, double force = 10) {
    tree::set_random(c.forest, seed, q, v);
    tree::RandomStream random(seed ^ 0x5555);
    for (double& x : tau) x = random.between(-force, force);
  }
  void move() {
    tree::update_positions(f(), p(), q, d.kinematics);
    tree::update_velocities(f(), v, d.kinematics);
  }
  int forward(std::span<const SpatialForce> external = {}) {
    return tree::forward_dynamics(f(), p(), q, v, tau, external, d, dv);
  }
  /// tau of inverse dynamics; after move() or forward().
  std::vector<double> inverse_of(const std::vector<double>& rates,
                                 std::span<const SpatialForce> external = {}) {
    std::vector<double> out(v.size());
    tree::inverse_dynamics(f(), p(), k(), rates, external, inverse, out);
    return out;
  }
  double energy() {
    move();
    return tree::kinetic_energy(f(), p(), k(), v) + tree::gravity_energy(f(), p(), k()) +
           tree::spring_energy(f(), p(), q);
  }
};

/// Classical Runge-Kutta in the coordinates q (quaternions to unit length after each step), with the springs
/// and dampers of the joints.
inline void runge_kutta(TreeState& s, double h, int steps) {
  const std::size_t nq = s.q.size(), nv = s.v.size();
  std::vector<double> q0, v0, rate(nq), dq(nq), dv(nv);
  for (int step = 0; step < steps; ++step) {
    q0 = s.q, v0 = s.v;
    std::fill(dq.begin(), dq.end(), 0), std::fill(dv.begin(), dv.end(), 0);
    const double weight[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}, next[] = {0.5, 0.5, 1, 0};
    for (int stage = 0; stage < 4; ++stage) {
      std::fill(s.tau.begin(), s.tau.end(), 0);
      tree::add_joint_forces(s.f(), s.p(), s.q, s.v, s.tau);
      s.forward();
      tree::coordinate_rate(s.f(), s.q, s.v, rate);
      for (std::size_t i = 0; i < nq; ++i) dq[i] += weight[stage] * rate[i];
      for (std::size_t i = 0; i < nv; ++i) dv[i] += weight[stage] * s.dv[i];
      if (stage == 3) break;
      for (std::size_t i = 0; i < nq; ++i) s.q[i] = q0[i] + next[stage] * h * rate[i];
      for (std::size_t i = 0; i < nv; ++i) s.v[i] = v0[i] + next[stage] * h * s.dv[i];
    }
    for (std::size_t i = 0; i < nq; ++i) s.q[i] = q0[i] + h * dq[i];
    for (std::size_t i = 0; i < nv; ++i) s.v[i] = v0[i] + h * dv[i];
    tree::normalise(s.f(), s.q);
  }
}

}  // namespace stiction::test

// Energies, momenta and overlaps recomputed from a State by other formulas than the engine's: spins in body
// axes, sums in long double, all pairs instead of a broad phase.
//     T = sum m v.v/2 + sum I_k w_k^2/2,   V = -sum m g.(x - x_start) + sum k (l - l0)^2/2 + pairs
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>

#include "stiction/step/state.h"

namespace stiction::test {

struct Recomputed {
  double kinetic = 0, gravity_potential = 0, spring_potential = 0;  // [J]
  Vec3 momentum, angular_momentum;                                  // [kg m/s], [kg m^2/s] about the origin
  double pair_potential = 0;                                        // [J]
  double energy() const { return kinetic + gravity_potential + spring_potential + pair_potential; }
};

inline double spring_energy(const Model& m, const State& x) {
  long double total = 0;
  const auto end = [&](int body, const Vec3& local) {
    if (body < 0) return local;
    const auto i = std::size_t(body);
    return x.position[i] + rotation_matrix(x.orientation[i]) * local;
  };
  for (const ModelSpring& s : m.springs) {
    const Vec3 d = end(s.b, s.point_b) - end(s.a, s.point_a);
    const long double stretch = std::hypot(d.x, d.y, d.z) - s.rest_length;
    total += 0.5L * s.stiffness * stretch * stretch;
  }
  for (const ModelTorsion& t : m.torsions) {
    const auto turn = [&](int body) { return body < 0 ? Quat{} : x.orientation[std::size_t(body)]; };
    const Quat q = conjugate(turn(t.a)) * turn(t.b);
    const long double twist =
        2 * std::remainder(std::atan2(dot({q.x, q.y, q.z}, t.axis), q.w), std::acos(-1.0)) - t.rest_angle;
    total += 0.5L * t.stiffness * twist * twist;
  }
  return double(total);
}

/// Springs of joints: k x^2/2 per coordinate; for a quaternion k angle^2/2, angle = 2 acos |scalar part|.
inline double joint_energy(const Model& m, const State& x) {
  const tree::Forest& f = m.trees.forest;
  const tree::Parameters& p = m.trees.parameters;
  long double total = 0;
  for (std::size_t i = 0; i < f.joint.size(); ++i) {
    const auto q = std::size_t(f.q_begin[i]), v = std::size_t(f.v_begin[i]);
    const std::size_t n = std::size_t(f.v_begin[i + 1]) - v;
    if (f.joint[i] == tree::JointKind::free) continue;
    if (f.joint[i] == tree::JointKind::spherical) {
      const auto quaternion = [](const double* a) { return Quat{a[0], a[1], a[2], a[3]}; };
      const Quat turn = quaternion(&x.joint_position[q]) * conjugate(quaternion(&p.rest[q]));
      const long double sine = std::hypot(turn.x, turn.y, turn.z),
                        angle = 2 * std::atan2(sine, std::fabs(static_cast<long double>(turn.w)));
      total += 0.5L * p.stiffness[v] * angle * angle;
      continue;
    }
    for (std::size_t k = 0; k < n; ++k) {
      const long double stretch = static_cast<long double>(x.joint_position[q + k]) - p.rest[q + k];
      total += 0.5L * p.stiffness[v + k] * stretch * stretch;
    }
  }
  return double(total);
}

/// Rows of constraint joints that give way: k g^2/2, with g from the rows' own table of formulas.
inline double soft_energy(const Model& m, const State& x) {
  long double total = 0;
  for (std::size_t j = 0; j < m.mechanisms.constraint.size(); ++j) {
    if (!x.joint_broken.empty() && x.joint_broken[j]) continue;
    const ModelConstraint& c = m.mechanisms.constraint[j];
    const auto pose = [&](int body) {
      return body < 0 ? constraints::Pose{}
                      : constraints::Pose{x.position[std::size_t(body)], x.orientation[std::size_t(body)]};
    };
    const constraints::Pose a = pose(c.a), b = pose(c.b);
    for (int r = c.row_begin; r < c.row_end; ++r) {
      constraints::Row row = m.mechanisms.row[std::size_t(r)];
      const long double k = m.mechanisms.softness[std::size_t(r)].stiffness;
      if (!x.joint_memory.empty()) row.last = x.joint_memory[std::size_t(r)];
      const long double value = constraints::evaluate(row, a, b).value;
      total += 0.5L * k * value * value;
    }
  }
  return double(total);
}

/// Gravitation and Lennard-Jones over all pairs, whatever the cut-off leaves out.
inline double pair_energy(const Model& m, const State& x) {
  long double total = 0;
  const auto for_pairs = [&](const std::vector<int>& bodies, const auto& look) {
    for (std::size_t k = 0; k < bodies.size(); ++k)
      for (std::size_t l = 0; l < k; ++l) {
        const auto i = std::size_t(bodies[k]), j = std::size_t(bodies[l]);
        const Vec3 d = x.position[i] - x.position[j];
        if (x.alive[i] && x.alive[j]) look(i, j, static_cast<long double>(std::hypot(d.x, d.y, d.z)));
      }
  };
  for (const ModelGravitation& g : m.gravitations)
    for_pairs(g.bodies, [&](std::size_t i, std::size_t j, long double r) {
      total -= g.constant * m.mass[i] * m.mass[j] / r;
    });
  for (const ModelLennardJones& l : m.lennard_jones) {
    const auto bare = [&](long double r) {
      return 4 * l.depth * (std::pow(l.diameter / r, 12) - std::pow(l.diameter / r, 6));
    };
    for_pairs(l.bodies, [&](std::size_t, std::size_t, long double r) {
      if (l.cutoff == 0)
        total += bare(r);
      else if (r < l.cutoff)
        total += bare(r) - bare(l.cutoff);
    });
  }
  return double(total);
}

inline Recomputed recompute(const Model& m, const State& x) {
  long double kinetic = 0, potential = 0, p[3] = {}, L[3] = {};
  for (std::size_t i = 0; i < x.position.size(); ++i) {
    if (m.body_kind[i] != dynamic || !x.alive[i]) continue;
    const Vec3 v = x.velocity[i], height = x.position[i] - m.start_position[i];
    const Vec3 w = rotate_back(x.orientation[i], x.spin[i]), turning = times(m.inertia[i], w);
    kinetic += 0.5L * m.mass[i] * norm2(v) + 0.5L * dot(turning, w);
    potential -= static_cast<long double>(m.mass[i]) * dot(m.gravity, height);
    const Vec3 spin_part = rotate(x.orientation[i], turning), orbit = cross(x.position[i], v);
    for (int k = 0; k < 3; ++k)
      p[k] += static_cast<long double>(m.mass[i]) * v[k], L[k] += m.mass[i] * orbit[k] + spin_part[k];
  }
  return {double(kinetic),
          double(potential),
          spring_energy(m, x) + joint_energy(m, x) + soft_energy(m, x),
          {double(p[0]), double(p[1]), double(p[2])},
          {double(L[0]), double(L[1]), double(L[2])},
          pair_energy(m, x)};
}

/// [m] gap between two bodies that are spheres or half-spaces; infinite for other pairs.
inline double gap_of(const Model& m, const State& x, std::size_t a, std::size_t b) {
  const auto* ball_a = std::get_if<Sphere>(&m.shape[a]);
  const auto* ball_b = std::get_if<Sphere>(&m.shape[b]);
  if (ball_a != nullptr && ball_b != nullptr)
    return norm(x.position[b] - x.position[a]) - ball_a->radius - ball_b->radius;
  const auto* plane = std::get_if<HalfSpace>(ball_a != nullptr ? &m.shape[b] : &m.shape[a]);
  const auto* ball = ball_a != nullptr ? ball_a : ball_b;
  if (plane == nullptr || ball == nullptr) return std::numeric_limits<double>::infinity();
  const std::size_t p = ball_a != nullptr ? b : a, s = ball_a != nullptr ? a : b;
  const Vec3 n = rotate(x.orientation[p], normalized(plane->normal));
  return dot(n, x.position[s] - x.position[p]) - plane->offset - ball->radius;
}

/// Calls look(a, b, gap) for all pairs of which one at least moves.
template <class Look>
void for_all_pairs(const Model& m, const State& x, const Look& look) {
  for (std::size_t a = 0; a < x.position.size(); ++a)
    for (std::size_t b = a + 1; b < x.position.size(); ++b)
      if (m.body_kind[a] == dynamic || m.body_kind[b] == dynamic) look(int(a), int(b), gap_of(m, x, a, b));
}

}  // namespace stiction::test

// Random frictional contact problems as mechanics would pose them: rigid blocks, contacts at random places
// with random frames, velocities that press them together. b = 0 or a gap, so that a solution exists.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "stiction/complementarity/friction_problem.h"
#include "stiction/math/vec3.h"
#include "support/random.h"

namespace stiction::test {

struct ProblemSize {
  int blocks = 4;
  int contacts = 8;
  double mu = 0.5;         // [-] largest
  int equalities = 0;      // of the contacts
  bool redundant = false;  // every contact four times, a little apart, on one plane
  bool gaps = false;       // b_n > 0 for some
};

/// Adds a block with mass m and the diagonal inertia given, velocity (v, w).
inline int add_block(complementarity::FrictionProblem& p, double m, const Vec3& inertia, const Vec3& v,
                     const Vec3& w) {
  const double diagonal[6] = {m, m, m, inertia.x, inertia.y, inertia.z};
  for (int i = 0; i < 6; ++i)
    for (int k = 0; k < 6; ++k) {
      p.A.push_back(i == k ? diagonal[i] : 0);
      p.A_inverse.push_back(i == k ? 1 / diagonal[i] : 0);
    }
  for (int k = 0; k < 3; ++k) p.v_free.push_back(v[k]);
  for (int k = 0; k < 3; ++k) p.v_free.push_back(w[k]);
  return p.block_count() - 1;
}

/// A contact of blocks a and b (-1 = none) with arms from their centres and the normal from a to b.
inline complementarity::ContactRows contact_between(int a, const Vec3& arm_a, int b, const Vec3& arm_b,
                                                    const Vec3& n, double mu) {
  complementarity::ContactRows c;
  c.block[0] = a, c.block[1] = b;
  c.mu = mu;
  Vec3 direction[3] = {n, {}, {}};
  tangents(n, direction[1], direction[2]);
  for (int side = 0; side < 2; ++side) {
    if (c.block[side] < 0) continue;
    const double sign = side == 0 ? -1 : 1;
    for (int row = 0; row < 3; ++row) {
      const Vec3 turn = cross(side == 0 ? arm_a : arm_b, direction[row]);
      for (int k = 0; k < 3; ++k) {
        c.G[side][row * 6 + k] = sign * direction[row][k];
        c.G[side][row * 6 + 3 + k] = sign * turn[k];
      }
    }
  }
  return c;
}

inline void close_island(complementarity::FrictionProblem& p) {
  const bool first = p.islands.empty();
  p.islands.push_back({first ? 0 : p.islands.back().block_end, p.block_count(),
                       first ? 0 : p.islands.back().contact_end, int(p.contacts.size())});
}

/// Appends one island.
inline void add_random_island(Random& random, const ProblemSize& size, complementarity::FrictionProblem& p) {
  const int first = p.block_count();
  for (int i = 0; i < size.blocks; ++i) {
    const double m = std::exp(random.between(-1, 1));
    const Vec3 inertia{m * random.between(0.05, 0.2), m * random.between(0.05, 0.2),
                       m * random.between(0.05, 0.2)};
    add_block(p, m, inertia, random.vector(0.5) + Vec3{0, 0, -1}, random.vector(0.5));
  }
  for (int i = 0; i < size.contacts; ++i) {
    // the first contacts hold every block to the ground, the others join any two
    int b = first + i % size.blocks, a = -1;
    if (i >= size.blocks && size.blocks > 1) {
      do a = first + random.below(size.blocks);
      while (a == b);
    }
    const Vec3 n = normalized(random.vector(0.4) + Vec3{0, 0, 1});
    const Vec3 arm_b = random.vector(0.3) - 0.3 * n, arm_a = random.vector(0.3) + 0.3 * n;
    const double mu = size.mu * random.unit();
    const double gap = size.gaps && random.unit() < 0.5 ? random.between(0, 1) : 0;
    Vec3 t1, t2;
    tangents(n, t1, t2);
    for (int k = 0; k < (size.redundant ? 4 : 1); ++k) {
      const Vec3 shift = size.redundant ? (0.1 * (k % 2)) * t1 + (0.1 * (k / 2)) * t2 : Vec3{};
      p.contacts.push_back(contact_between(a, arm_a + shift, b, arm_b + shift, n, mu));
      p.contacts.back().b[0] = gap;
      if (i < size.equalities) {
        p.contacts.back().kind = complementarity::RowKind::equality;
        p.contacts.back().b[0] = 0;
      }
    }
  }
  close_island(p);
}

inline complementarity::FrictionProblem random_problem(Random& random, const ProblemSize& size) {
  complementarity::FrictionProblem p;
  add_random_island(random, size, p);
  return p;
}

}  // namespace stiction::test

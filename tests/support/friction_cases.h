// Frictional contact problems in local and global form for tests.
#pragma once

#include <vector>

#include "stiction/complementarity/friction/cones.h"
#include "stiction/complementarity/friction/problems.h"
#include "support/random.h"

namespace stiction::test {

using namespace complementarity;

inline SparseRows sparse(int rows, int columns, const std::vector<double>& dense) {
  SparseRows m{rows, columns, {0}, {}, {}};
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j)
      if (const double x = dense[std::size_t(i * columns + j)]; x != 0) {
        m.column.push_back(j);
        m.value.push_back(x);
      }
    m.start.push_back(int(m.column.size()));
  }
  return m;
}

/// One contact with W = inverse_mass times 1.
inline LocalFriction one_mass(double inverse_mass, double mu, const std::vector<double>& b) {
  const int d = int(b.size());
  std::vector<double> W(std::size_t(d * d), 0.0);
  for (int i = 0; i < d; ++i) W[std::size_t(i * d + i)] = inverse_mass;
  LocalFriction p;
  p.laws.rows = d, p.laws.mu = {mu};
  p.W = sparse(d, d, W), p.b = b;
  return p;
}

/// Any law, 2 to 6 rows, friction 0 to 1.5.
inline ContactCone random_cone(Random& random) {
  const int rows = 2 + random.below(5);
  const FrictionLaw law = random.below(2) ? FrictionLaw::discs : FrictionLaw::ellipsoid;
  ContactCone k;
  k.first = first_disc(law, rows), k.second = second_disc(law, rows);
  k.mu[0] = random.below(8) ? random.between(0, 1.5) : 0.0;
  k.mu[1] = k.second && random.below(8) ? random.between(0, 1.5) : 0.0;
  return k;
}

inline void fill_laws(Random& random, int rows, FrictionLaw law, int contacts, double mu, FrictionLaws& out) {
  out.rows = rows, out.law = law;
  for (int i = 0; i < contacts; ++i) {
    out.mu.push_back(random.below(10) ? random.between(0, mu) : 0.0);
    if (law == FrictionLaw::discs) out.mu_rolling.push_back(random.below(10) ? random.between(0, mu) : 0.0);
  }
  if (law == FrictionLaw::ellipsoid && random.below(2))
    for (int i = 0; i < contacts * (rows - 1); ++i) out.weights.push_back(random.between(0.3, 2));
}

/// Bodies of six coordinates with masses of their own, contacts of random rows between two of them (or one
/// and the ground); with more coordinates than contact rows W has full rank.
inline GlobalFriction random_global(Random& random, int rows, FrictionLaw law, int bodies, int contacts,
                                    double mu = 0.6) {
  const int n = 6 * bodies, m = rows * contacts;
  std::vector<double> M(std::size_t(n * n), 0.0), H(std::size_t(n * m), 0.0);
  for (int body = 0; body < bodies; ++body) {
    double root[36];
    for (double& x : root) x = random.between(-0.4, 0.4);
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) {
        double sum = i == j ? 1.0 : 0.0;
        for (int k = 0; k < 6; ++k) sum += root[i * 6 + k] * root[j * 6 + k];
        M[std::size_t((6 * body + i) * n + 6 * body + j)] = sum;
      }
  }
  for (int c = 0; c < contacts; ++c) {
    const int a = c % bodies, b = random.below(bodies);
    for (int row = 0; row < rows; ++row)
      for (int k = 0; k < 6; ++k) {
        H[std::size_t((6 * a + k) * m + c * rows + row)] = (k == row ? 1.0 : 0.0) + random.between(-0.3, 0.3);
        if (b != a) H[std::size_t((6 * b + k) * m + c * rows + row)] = -random.between(-0.5, 0.5);
      }
  }
  GlobalFriction p;
  fill_laws(random, rows, law, contacts, mu, p.laws);
  p.M = sparse(n, n, M), p.H = sparse(n, m, H);
  for (int i = 0; i < n; ++i) p.f.push_back(random.between(-1, 1) - (i % 6 == 0 ? 1.0 : 0.0));
  for (int i = 0; i < m; ++i) p.b.push_back(random.between(-0.2, 0.2));
  return p;
}

}  // namespace stiction::test

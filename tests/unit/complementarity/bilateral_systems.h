// Constraint systems for tests: random graphs, chains, hubs, doors; dense matrices to compare with.
#pragma once

#include <cmath>
#include <random>
#include <vector>

#include "stiction/complementarity/bilateral/system.h"

namespace stiction::complementarity::bilateral::testing {

using Random = std::mt19937_64;

inline double between(Random& random, double low, double high) {
  return low + (high - low) * (double(random() >> 11) * 0x1p-53);
}

/// A^-1 of a body: mass and three moments of inertia, not turned.
inline void add_body(ConstraintSystem& p, double mass, double ix, double iy, double iz) {
  const double d[6] = {1 / mass, 1 / mass, 1 / mass, 1 / ix, 1 / iy, 1 / iz};
  const std::size_t at = p.A_inverse.size();
  p.A_inverse.resize(at + 36, 0.0);
  for (std::size_t k = 0; k < 6; ++k) p.A_inverse[at + 7 * k] = d[k];
}

/// Row: velocity of the point at arm r from the centre, along e (sign for the side).
inline void point_row(JointRows& j, int side, int row, double sign, const double r[3], const double e[3]) {
  double* g = j.G[side] + row * width;
  for (int k = 0; k < 3; ++k) g[k] = sign * e[k];
  g[3] = sign * (r[1] * e[2] - r[2] * e[1]), g[4] = sign * (r[2] * e[0] - r[0] * e[2]);
  g[5] = sign * (r[0] * e[1] - r[1] * e[0]);
}
/// The first three rows: the points at these arms move alike.
inline void ball_rows(JointRows& j, const double ra[3], const double rb[3]) {
  for (int k = 0; k < 3; ++k) {
    double e[3] = {};
    e[k] = 1;
    if (j.block[0] >= 0) point_row(j, 0, k, -1, ra, e);
    if (j.block[1] >= 0) point_row(j, 1, k, 1, rb, e);
  }
}
/// Row: spins about axis k are alike.
inline void turn_row(JointRows& j, int row, int k) {
  if (j.block[0] >= 0) j.G[0][row * width + 3 + k] = -1;
  if (j.block[1] >= 0) j.G[1][row * width + 3 + k] = 1;
}

/// A chain of links along x with ball joints, a kick of gravity along it and across it as right-hand side.
inline ConstraintSystem chain(int links, double last_mass = 0.1) {
  ConstraintSystem p;
  const double length = 0.1, half = 0.5 * length;
  for (int i = 0; i < links; ++i) {
    const double m = i + 1 == links ? last_mass : 0.1;
    add_body(p, m, m * 1e-4, m * length * length / 12, m * length * length / 12);
  }
  const double left[3] = {-half, 0, 0}, right[3] = {half, 0, 0};
  for (int i = 0; i < links; ++i) {
    JointRows& j = p.add(i - 1, i, 3);
    ball_rows(j, right, left);
    if (i == 0) j.rhs[0] = j.rhs[2] = 0.0981;  // the first alone feels that the world does not fall
  }
  return p;
}

/// `arms` bodies on one hub, with ball joints; the hub itself is free.
inline ConstraintSystem hub(int arms, Random& random) {
  ConstraintSystem p;
  add_body(p, 5, 0.4, 0.5, 0.6);
  for (int i = 0; i < arms; ++i) {
    const double m = between(random, 0.1, 1);
    add_body(p, m, 0.01 * m, 0.02 * m, 0.03 * m);
    JointRows& j = p.add(0, i + 1, 3);
    double a[3], b[3];
    for (int k = 0; k < 3; ++k)
      a[k] = between(random, -1, 1), b[k] = between(random, -0.2, 0.2), j.rhs[k] = between(random, -1, 1);
    ball_rows(j, a, b);
  }
  return p;
}

/// A door (body 0) on `hinges` hinges along z at its edge; a push as right-hand side.
inline ConstraintSystem door(int hinges) {
  ConstraintSystem p;
  add_body(p, 20, 7, 2, 8.5);
  const double u[6] = {0.1, -0.3, -0.0981, 0.2, 0.05, 0.4};  // free velocity
  for (int i = 0; i < hinges; ++i) {
    JointRows& j = p.add(-1, 0, 5);
    const double none[3] = {}, arm[3] = {-0.4, 0, 0.9 - 0.9 * i};
    ball_rows(j, none, arm);
    turn_row(j, 3, 0), turn_row(j, 4, 1);
    for (int r = 0; r < 5; ++r)
      for (int c = 0; c < width; ++c) j.rhs[r] -= j.G[1][r * width + c] * u[c];
  }
  return p;
}

/// Random joints of 1 to 6 random rows between random blocks; blocks with full symmetric inverses. The rows
/// stay independent as long as there are clearly fewer than coordinates.
inline ConstraintSystem random_system(Random& random, int blocks, int joints) {
  ConstraintSystem p;
  for (int b = 0; b < blocks; ++b) {
    double F[36];
    for (double& f : F) f = between(random, -1, 1);
    for (int i = 0; i < 6; ++i)
      for (int k = 0; k < 6; ++k) {
        double sum = i == k ? 0.2 : 0;
        for (int q = 0; q < 6; ++q) sum += F[6 * i + q] * F[6 * k + q];
        p.A_inverse.push_back(sum);
      }
  }
  for (int i = 0; i < joints; ++i) {
    const int b = int(random() % std::uint64_t(blocks));
    int a = int(random() % std::uint64_t(blocks + 1)) - 1;
    if (a == b) a = -1;
    JointRows& j = p.add(a, b, 1 + int(random() % 3));
    for (int r = 0; r < j.count; ++r) {
      j.rhs[r] = between(random, -1, 1);
      j.sigma[r] = random() % 4 == 0 ? between(random, 0, 0.1) : 0;
      for (int c = 0; c < width; ++c) {
        if (a >= 0) j.G[0][r * width + c] = between(random, -1, 1);
        j.G[1][r * width + c] = between(random, -1, 1);
      }
    }
  }
  return p;
}

/// S = G A^-1 G^T + Sigma and rhs, dense.
struct Dense {
  std::size_t n = 0;
  std::vector<double> S, rhs;
};
inline Dense dense(const ConstraintSystem& p) {
  Dense d{std::size_t(p.rows), std::vector<double>(std::size_t(p.rows * p.rows)), {}};
  std::vector<double> e(d.n, 0.0), u;
  for (std::size_t i = 0; i < d.n; ++i) {
    e[i] = 1;
    velocity_change(p, e, u);
    e[i] = 0;
    for (const JointRows& j : p.joints)
      for (int r = 0; r < j.count; ++r) {
        const auto row = std::size_t(j.row + r);
        double sum = row == i ? j.sigma[r] : 0;
        for (int side = 0; side < 2; ++side)
          if (j.block[side] >= 0)
            for (int c = 0; c < width; ++c)
              sum += j.G[side][r * width + c] * u[std::size_t(j.block[side] * width + c)];
        d.S[row * d.n + i] = sum;
      }
  }
  for (const JointRows& j : p.joints)
    for (int r = 0; r < j.count; ++r) d.rhs.push_back(j.rhs[r]);
  return d;
}

/// Eigenvalues and vectors (columns of V) of a symmetric matrix by Jacobi's rotations.
inline std::vector<double> eigen(std::size_t n, std::vector<double> a, std::vector<double>& V) {
  V.assign(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i) V[i * n + i] = 1;
  for (int sweep = 0; sweep < 60; ++sweep) {
    double off = 0;
    for (std::size_t p = 0; p < n; ++p)
      for (std::size_t q = p + 1; q < n; ++q) {
        const double g = a[p * n + q];
        off += g * g;
        if (g == 0) continue;
        const double theta = (a[q * n + q] - a[p * n + p]) / (2 * g);
        const double t = (theta >= 0 ? 1 : -1) / (std::fabs(theta) + std::sqrt(theta * theta + 1));
        const double c = 1 / std::sqrt(t * t + 1), s = t * c;
        for (std::size_t k = 0; k < n; ++k) {
          const double x = a[k * n + p], y = a[k * n + q];
          a[k * n + p] = c * x - s * y, a[k * n + q] = s * x + c * y;
        }
        for (std::size_t k = 0; k < n; ++k) {
          const double x = a[p * n + k], y = a[q * n + k];
          a[p * n + k] = c * x - s * y, a[q * n + k] = s * x + c * y;
        }
        for (std::size_t k = 0; k < n; ++k) {
          const double x = V[k * n + p], y = V[k * n + q];
          V[k * n + p] = c * x - s * y, V[k * n + q] = s * x + c * y;
        }
      }
    if (off < 1e-300) break;
  }
  std::vector<double> values;
  for (std::size_t i = 0; i < n; ++i) values.push_back(a[i * n + i]);
  return values;
}

/// The solution of least norm among those of least residual, in the weights S_ii; and the rank.
struct Pseudo {
  std::vector<double> lambda;
  int rank = 0;
};
inline Pseudo pseudo_solution(const ConstraintSystem& p, double tolerance = 1e-11) {
  Dense d = dense(p);
  std::vector<double> unit(d.n), V;
  for (std::size_t i = 0; i < d.n; ++i) unit[i] = d.S[i * d.n + i] > 0 ? 1 / std::sqrt(d.S[i * d.n + i]) : 0;
  for (std::size_t i = 0; i < d.n; ++i)
    for (std::size_t k = 0; k < d.n; ++k) d.S[i * d.n + k] *= unit[i] * unit[k];
  const std::vector<double> values = eigen(d.n, d.S, V);
  Pseudo out{std::vector<double>(d.n, 0.0), 0};
  for (std::size_t k = 0; k < d.n; ++k) {
    if (values[k] <= tolerance) continue;
    ++out.rank;
    double part = 0;
    for (std::size_t i = 0; i < d.n; ++i) part += V[i * d.n + k] * unit[i] * d.rhs[i];
    for (std::size_t i = 0; i < d.n; ++i) out.lambda[i] += unit[i] * V[i * d.n + k] * part / values[k];
  }
  return out;
}

}  // namespace stiction::complementarity::bilateral::testing

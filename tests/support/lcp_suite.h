// Linear complementarity problems for tests and benchmarks: random ones of known classes, and contact.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "stiction/complementarity/linear/contact_lcp.h"
#include "stiction/complementarity/linear/problems.h"
#include "stiction/math/vec3.h"
#include "support/random.h"

namespace stiction::test {

using complementarity::Lcp;
using complementarity::MixedLcp;
using complementarity::PolyhedralContacts;

/// What the residual of a solver that sums in plain doubles may be off by: 4 eps max_i sum_j |M_ij z_j| over
/// 1 + |q|.
template <class Problem>
double round_off(const Problem& p, const std::vector<double>& z) {
  const auto n = std::size_t(p.n);
  double worst = 0, scale = 0;
  for (std::size_t i = 0; i < n; ++i) {
    double sum = std::fabs(p.q[i]);
    for (std::size_t j = 0; j < n; ++j) sum += std::fabs(p.M[i * n + j] * z[j]);
    worst = std::fmax(worst, sum), scale = std::fmax(scale, std::fabs(p.q[i]));
  }
  return 4 * 2.3e-16 * worst / (1 + scale);
}

// ---- random classes -----------------------------------------------------------------------------------

/// A A^T with A n x rank, entries in [-1, 1): symmetric, positive definite for rank >= n, else semidefinite.
inline std::vector<double> gram_matrix(Random& random, int n, int rank) {
  const auto size = std::size_t(n), width = std::size_t(rank);
  std::vector<double> A(size * width), M(size * size);
  for (double& x : A) x = random.between(-1, 1);
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < width; ++k) sum += A[i * width + k] * A[j * width + k];
      M[i * size + j] = M[j * size + i] = sum;
    }
  return M;
}

/// q = w - M z for a random complementary pair: the problem has a solution. share: how many indices have
/// z = w = 0 (degenerate), the rest is divided evenly.
inline std::vector<double> solvable_q(Random& random, int n, const std::vector<double>& M, double share) {
  const auto size = std::size_t(n);
  std::vector<double> z(size, 0), q(size, 0);
  for (std::size_t i = 0; i < size; ++i) {
    const double which = random.unit(), value = random.between(0.1, 1);
    if (which < 0.5 * (1 - share)) z[i] = value;
    if (which >= 0.5 * (1 + share)) q[i] = value;
  }
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = 0; j < size; ++j) q[i] -= M[i * size + j] * z[j];
  return q;
}

inline Lcp random_spd(Random& random, int n) {
  Lcp p{n, gram_matrix(random, n, n + 2), std::vector<double>(std::size_t(n))};
  for (double& x : p.q) x = random.between(-1, 1);
  return p;
}
inline Lcp random_psd(Random& random, int n, double degenerate) {
  Lcp p{n, gram_matrix(random, n, (n + 1) / 2), {}};
  p.q = solvable_q(random, n, p.M, degenerate);
  return p;
}
/// Positive semidefinite plus skew-symmetric: copositive-plus, unsymmetric.
inline Lcp random_monotone(Random& random, int n, double degenerate) {
  Lcp p{n, gram_matrix(random, n, (n + 1) / 2), {}};
  const auto size = std::size_t(n);
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const double x = random.between(-2, 2);
      p.M[i * size + j] += x, p.M[j * size + i] -= x;
    }
  p.q = solvable_q(random, n, p.M, degenerate);
  return p;
}
/// Nonnegative with a positive diagonal: strictly copositive, not monotone.
inline Lcp random_copositive(Random& random, int n) {
  Lcp p{n, std::vector<double>(std::size_t(n) * std::size_t(n)), std::vector<double>(std::size_t(n))};
  for (double& x : p.M) x = random.unit();
  for (double& x : p.q) x = random.between(-1, 1);
  return p;
}
/// A P-matrix that is not positive definite: triangular with positive diagonal, large entries, rows and
/// columns permuted alike.
inline Lcp random_p(Random& random, int n) {
  Lcp p{n, std::vector<double>(std::size_t(n) * std::size_t(n), 0), std::vector<double>(std::size_t(n))};
  std::vector<std::size_t> order(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  for (std::size_t i = order.size(); i-- > 1;)
    std::swap(order[i], order[std::size_t(random.below(int(i) + 1))]);
  for (std::size_t i = 0; i < order.size(); ++i) {
    p.M[order[i] * order.size() + order[i]] = random.between(0.5, 2);
    for (std::size_t j = 0; j < i; ++j)
      p.M[order[i] * order.size() + order[j]] = random.between(-3, 3) / double(n);
  }
  for (double& x : p.q) x = random.between(-1, 1);
  return p;
}

// ---- contact ------------------------------------------------------------------------------------------

/// Bodies with six coordinates each (linear, angular), contacts with a fan of k directions.
class ContactScene {
 public:
  explicit ContactScene(int directions) : directions_(directions) {}

  int add_body(double mass, Vec3 inertia, Vec3 velocity, Vec3 spin = {0, 0, 0}) {
    mass_.push_back(mass), inertia_.push_back(inertia), velocity_.push_back(velocity), spin_.push_back(spin);
    return int(mass_.size()) - 1;
  }
  /// Body b is pushed along `normal`, body a (-1: the ground) against it; arms from the centres to the point.
  void add_contact(int a, int b, Vec3 arm_a, Vec3 arm_b, Vec3 normal, double mu, double bias = 0) {
    contacts_.push_back({a, b, arm_a, arm_b, normalized(normal), mu, bias});
  }
  PolyhedralContacts build() const {
    PolyhedralContacts p;
    p.coordinates = 6 * int(mass_.size());
    p.contacts = int(contacts_.size()), p.directions = directions_;
    const auto width = std::size_t(p.coordinates);
    p.inverse_mass.assign(width * width, 0);
    for (std::size_t i = 0; i < mass_.size(); ++i) {
      const double diagonal[6] = {mass_[i], mass_[i], mass_[i], inertia_[i].x, inertia_[i].y, inertia_[i].z};
      const double v[6] = {velocity_[i].x, velocity_[i].y, velocity_[i].z,
                           spin_[i].x,     spin_[i].y,     spin_[i].z};
      for (std::size_t k = 0; k < 6; ++k) {
        p.inverse_mass[(6 * i + k) * width + 6 * i + k] = 1 / diagonal[k];
        p.v_free.push_back(v[k]);
      }
    }
    const auto fan = complementarity::direction_fan(directions_);
    for (const Contact& c : contacts_) {
      const Vec3 seed = std::fabs(c.normal.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
      const Vec3 t1 = normalized(cross(c.normal, seed)), t2 = cross(c.normal, t1);
      add_row(c, c.normal, width, p.normals);
      for (const auto& [cosine, sine] : fan) add_row(c, cosine * t1 + sine * t2, width, p.tangents);
      p.friction.push_back(c.mu), p.bias.push_back(c.bias);
    }
    return p;
  }

 private:
  struct Contact {
    int a, b;
    Vec3 arm_a, arm_b, normal;
    double mu, bias;
  };
  static void add_row(const Contact& c, Vec3 d, std::size_t width, std::vector<double>& rows) {
    const std::size_t begin = rows.size();
    rows.resize(begin + width, 0);
    const auto put = [&](int body, Vec3 arm, double sign) {
      if (body < 0) return;
      double* x = rows.data() + begin + 6 * std::size_t(body);
      const Vec3 turn = cross(arm, d);
      const double values[6] = {d.x, d.y, d.z, turn.x, turn.y, turn.z};
      for (int k = 0; k < 6; ++k) x[k] += sign * values[k];
    };
    put(c.a, c.arm_a, -1), put(c.b, c.arm_b, 1);
  }
  int directions_;
  std::vector<double> mass_;
  std::vector<Vec3> inertia_, velocity_, spin_;
  std::vector<Contact> contacts_;
};

inline constexpr double gravity_step = 9.82 * 0.01;  // [m/s] g = 9.82 m/s2, h = 0.01 s

/// Boxes of 1 m, four contacts per face. The top box slides with `slip`; masses alternate between 1 and
/// `ratio`.
inline PolyhedralContacts box_stack(int boxes, int directions, double mu, double slip, double ratio = 1) {
  ContactScene scene(directions);
  for (int i = 0; i < boxes; ++i) {
    const double mass = i % 2 == 0 ? 1 : ratio;
    scene.add_body(mass, (mass / 6) * Vec3{1, 1, 1}, {i == boxes - 1 ? slip : 0, 0, -gravity_step});
    for (const double x : {-0.5, 0.5})
      for (const double y : {-0.5, 0.5})
        scene.add_contact(i - 1, i, {x, y, 0.5}, {x, y, -0.5}, {0, 0, 1}, mu);
  }
  return scene.build();
}

/// Stewart and Trinkle's balls: the first rolls into a line of touching ones on a table. 2 balls - 1
/// contacts.
inline PolyhedralContacts ball_line(int balls, int directions, double mu) {
  constexpr double r = 0.1, inertia = 0.4 * r * r;
  ContactScene scene(directions);
  for (int i = 0; i < balls; ++i) {
    const Vec3 velocity = i == 0 ? Vec3{15.0 / 14, 1.0 / 14, -gravity_step} : Vec3{0, 0, -gravity_step};
    scene.add_body(1, inertia * Vec3{1, 1, 1}, velocity,
                   i == 0 ? Vec3{-5.0 / 7, 75.0 / 7, 0} : Vec3{0, 0, 0});
    scene.add_contact(-1, i, {0, 0, 0}, {0, 0, -r}, {0, 0, 1}, mu);
    const Vec3 u = i == 1 ? normalized(Vec3{1, -0.15, 0}) : Vec3{1, 0, 0};
    if (i > 0) scene.add_contact(i - 1, i, r * u, -r * u, u, mu, i > 1 ? 1e-5 / 0.01 : 0);
  }
  return scene.build();
}

/// A heap: balls with random velocities, each touching up to three earlier ones or the table in random
/// directions.
inline PolyhedralContacts random_heap(Random& random, int contacts, int directions) {
  ContactScene scene(directions);
  int bodies = 0;
  for (int made = 0; made < contacts;) {
    const double mass = random.between(0.2, 5);
    const Vec3 velocity = random.vector(1) - Vec3{0, 0, 1}, spin = random.vector(1);
    const int b = scene.add_body(mass, (0.4 * mass) * Vec3{1, 1, 1}, velocity, spin);
    for (int k = 0; k < 3 && made < contacts; ++k, ++made) {
      const int a = random.below(bodies + 1) - 1;
      const Vec3 normal = a < 0 ? Vec3{0, 0, 1} : normalized(random.vector(1) + Vec3{0, 0, 1.2});
      const double mu = random.between(0, 1), open = random.below(2), bias = open * random.unit();
      scene.add_contact(a, b, normal, -1.0 * normal, normal, mu, bias);
    }
    ++bodies;
  }
  return scene.build();
}

/// Normal impulses only: 0 <= c _|_ N'W N c + N'v_free + b >= 0. The inverse mass of these scenes is
/// diagonal.
inline Lcp frictionless(const PolyhedralContacts& p) {
  const auto n = std::size_t(p.contacts), width = std::size_t(p.coordinates);
  Lcp out{p.contacts, std::vector<double>(n * n), p.bias};
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t r = 0; r < width; ++r) {
      const double entry = p.normals[i * width + r];
      if (entry == 0) continue;
      out.q[i] += entry * p.v_free[r];
      for (std::size_t j = 0; j < n; ++j)
        out.M[i * n + j] += entry * p.inverse_mass[r * width + r] * p.normals[j * width + r];
    }
  return out;
}

/// The same contacts as Cline and Pai write them, with the velocities as free unknowns:
/// mass v - N c - D beta = mass v_free, and the complementarity rows with v in them.
inline MixedLcp with_velocities(const PolyhedralContacts& p) {
  const auto width = std::size_t(p.coordinates), contacts = std::size_t(p.contacts);
  const auto k = std::size_t(p.directions);
  const std::size_t n = width + contacts * (k + 2);
  MixedLcp out{int(n), p.coordinates, std::vector<double>(n * n, 0), std::vector<double>(n, 0)};
  for (std::size_t i = 0; i < width; ++i) {  // the inverse mass of these scenes is diagonal
    const double mass = 1 / p.inverse_mass[i * width + i];
    out.M[i * n + i] = mass, out.q[i] = -mass * p.v_free[i];
  }
  for (std::size_t i = 0; i < contacts * (k + 1); ++i) {
    const double* g =
        i < contacts ? p.normals.data() + i * width : p.tangents.data() + (i - contacts) * width;
    for (std::size_t r = 0; r < width; ++r)
      out.M[r * n + width + i] = -g[r], out.M[(width + i) * n + r] = g[r];
    if (i < contacts) out.q[width + i] = p.bias[i];
  }
  for (std::size_t j = 0; j < contacts; ++j) {
    const std::size_t lambda = width + contacts * (k + 1) + j;
    out.M[lambda * n + width + j] = p.friction[j];
    for (std::size_t e = 0; e < k; ++e) {
      const std::size_t beta = width + contacts + j * k + e;
      out.M[beta * n + lambda] = 1, out.M[lambda * n + beta] = -1;
    }
  }
  return out;
}

}  // namespace stiction::test

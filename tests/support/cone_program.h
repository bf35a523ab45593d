// Can friction hold a structure at rest? A second-order cone program, solved by a barrier method that shares
// nothing with the engine's solvers but the contact points:
//
//     maximise t  with  A r = -w,   mu (r_n - t) >= |r_t| for every contact,   t <= 1
//
// w: weights, A r: forces and moments of the contact forces r on the bodies, all over the weight of the whole
// and its size. The structure can stand where t >= 0 and cannot where t < 0. With c = r_n - t in place of r_n
// the barrier's Hessian is one 3 x 3 block a contact, and a Newton step takes one dense system of the size of
// A's rows. The optimum lies within (2 contacts + 1) / tau of the t that the barrier of weight tau gives.
#pragma once

#include <array>
#include <cmath>
#include <vector>

#include "stiction/world/world.h"
#include "support/dense.h"

namespace stiction::test {

struct Equilibrium {
  double margin = 0;  // [-] t, of the weight
  double bound = 0;   // [-] no t is larger
  bool stands() const { return margin >= 0; }
  bool decided() const { return margin >= 0 || bound < 0; }
};

class ConeProgram {
 public:
  /// The contacts that `w` has now; all of them with the coefficient `mu`.
  ConeProgram(const World& w, double mu) : mu_(mu) {
    const Model& m = w.model();
    std::vector<int> row(m.mass.size(), -1);
    double weight = 0, size = 0;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (m.body_kind[i] != dynamic) continue;
      row[i] = rows_, rows_ += 6;
      weight += m.mass[i] * norm(m.gravity), size = std::fmax(size, m.size[i]);
    }
    load_.assign(std::size_t(rows_), 0);
    for (std::size_t i = 0; i < row.size(); ++i)
      if (row[i] >= 0) put(load_, row[i], m.mass[i] / weight * m.gravity);
    for (const Contact& c : w.contacts()) add(w, c, row, size);
    std::vector<double> all(std::size_t(rows_), 0);
    for (std::size_t k = 0; k < column_.size(); k += 3) add_to(all, column_[k], 1);
    column_.push_back(all);  // of t
  }

  Equilibrium solve() {
    start();
    Equilibrium e;
    for (double tau = 1; tau < 1e11; tau *= 8) {
      for (int i = 0; i < 50 && newton(tau) > 1e-8; ++i) {
      }
      e = {x_.back(), x_.back() + double(x_.size()) / tau};  // 2 a contact and 1, at most x_.size()
      if (e.decided()) break;
    }
    return e;
  }

 private:
  using Vector = std::vector<double>;
  using Block = std::array<std::array<double, 3>, 3>;

  double mu_;
  int rows_ = 0;
  std::vector<Vector> column_;  // of A, in the axes n, t1, t2 of each contact; last that of t
  Vector load_, x_;             // (c, r_t) of each contact, and t

  static void put(Vector& v, int at, const Vec3& a) {
    for (int k = 0; k < 3; ++k) v[std::size_t(at + k)] = a[k];
  }
  static void add_to(Vector& v, const Vector& other, double factor) {
    for (std::size_t k = 0; k < v.size(); ++k) v[k] += factor * other[k];
  }
  static double product(const Vector& a, const Vector& b) {
    double sum = 0;
    for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
    return sum;
  }

  void add(const World& w, const Contact& c, const std::vector<int>& row, double size) {
    const Vec3 t1 = normalized(cross(c.normal, std::fabs(c.normal.y) < 0.5 ? Vec3{0, 1, 0} : Vec3{1, 0, 0}));
    for (const Vec3& axis : {c.normal, t1, cross(c.normal, t1)}) {
      Vector column(std::size_t(rows_), 0);
      for (const auto& [body, sign] : {std::pair{c.key.a, -1.0}, std::pair{c.key.b, 1.0}})
        if (const int at = row[std::size_t(body)]; at >= 0) {
          put(column, at, sign * axis);
          put(column, at + 3, sign / size * cross(c.point - w.state().position[std::size_t(body)], axis));
        }
      column_.push_back(column);
    }
  }

  /// x with A x = -w of the least size, but for t: that is so low that all contacts are inside their cones.
  void start() {
    const std::size_t forces = column_.size() - 1;
    Dense square(rows_);
    for (std::size_t k = 0; k < forces; ++k) add_square(square, column_[k], column_[k]);
    const Vector y = square.solve(load_);
    x_.assign(column_.size(), 0);
    for (std::size_t k = 0; k < forces; ++k) x_[k] = -product(column_[k], y);
    double& t = x_.back();
    for (std::size_t k = 0; k < forces; k += 3)
      t = std::fmin(t, x_[k] - std::hypot(x_[k + 1], x_[k + 2]) / mu_);
    t -= 1;
    for (std::size_t k = 0; k < forces; k += 3) x_[k] -= t;
  }

  void add_square(Dense& square, const Vector& a, const Vector& b) const {
    for (int i = 0; i < rows_; ++i)
      if (a[std::size_t(i)] != 0)
        for (int j = 0; j < rows_; ++j) square(i, j) += a[std::size_t(i)] * b[std::size_t(j)];
  }

  double inside(const Vector& x, std::size_t k) const {
    return x[k] > 0 ? mu_ * mu_ * x[k] * x[k] - x[k + 1] * x[k + 1] - x[k + 2] * x[k + 2] : -1;
  }
  /// The barrier; infinite outside.
  double value(const Vector& x, double tau) const {
    const double room = 1 - x.back();
    double sum = room > 0 ? -tau * x.back() - std::log(room) : INFINITY;
    for (std::size_t k = 0; k + 1 < x.size(); k += 3) {
      const double q = inside(x, k);
      sum += q > 0 ? -std::log(q) : INFINITY;
    }
    return sum;
  }

  /// Inverse of the Hessian of -log(q) at contact k: q/2 D + x x^T, with D = -diag(1/mu^2, -1, -1).
  Block inverse_hessian(std::size_t k) const {
    const double q = inside(x_, k), diagonal[3] = {-1 / (mu_ * mu_), 1, 1};
    Block b{};
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) b[i][j] = x_[k + i] * x_[k + j];
      b[i][i] += 0.5 * q * diagonal[i];
    }
    return b;
  }
  Vector by_inverse(const std::vector<Block>& blocks, double last, const Vector& v) const {
    Vector out(v.size(), 0);
    for (std::size_t k = 0; k + 1 < v.size(); k += 3)
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) out[k + i] += blocks[k / 3][i][j] * v[k + j];
    out.back() = last * v.back();
    return out;
  }

  Vector gradient(double tau) const {
    Vector g(x_.size(), 0);
    for (std::size_t k = 0; k + 1 < x_.size(); k += 3) {
      const double q = inside(x_, k);
      g[k] = -2 * mu_ * mu_ * x_[k] / q, g[k + 1] = 2 * x_[k + 1] / q, g[k + 2] = 2 * x_[k + 2] / q;
    }
    g.back() = -tau + 1 / (1 - x_.back());
    return g;
  }

  /// One step of Newton's method on the barrier within A x = -w; returns its decrement.
  double newton(double tau) {
    std::vector<Block> blocks;
    for (std::size_t k = 0; k + 1 < x_.size(); k += 3) blocks.push_back(inverse_hessian(k));
    const double room = 1 - x_.back(), last = room * room;
    const Vector g = gradient(tau), ig = by_inverse(blocks, last, g);
    Dense schur(rows_);
    Vector right = load_;  // A x + w, which is round-off, minus A H^-1 g
    for (std::size_t k = 0; k < x_.size(); ++k) {
      add_to(right, column_[k], x_[k] - ig[k]);
      Vector weighted(std::size_t(rows_), 0);
      const std::size_t first = k - k % 3;
      if (k + 1 == x_.size())
        add_to(weighted, column_[k], last);
      else
        for (std::size_t j = 0; j < 3; ++j) add_to(weighted, column_[first + j], blocks[k / 3][k % 3][j]);
      add_square(schur, column_[k], weighted);
    }
    const Vector y = schur.solve(right);
    Vector pull = g;
    for (std::size_t k = 0; k < x_.size(); ++k) pull[k] += product(column_[k], y);
    const Vector way = by_inverse(blocks, last, pull);  // against the step
    const double decrement = product(way, g), before = value(x_, tau);
    Vector next = x_;
    for (double length = 1; length > 1e-12; length *= 0.5) {
      for (std::size_t k = 0; k < x_.size(); ++k) next[k] = x_[k] - length * way[k];
      if (value(next, tau) <= before - 0.1 * length * std::fmax(0.0, decrement)) {
        x_ = next;
        return decrement;
      }
    }
    return 0;
  }
};

/// The least coefficient of friction that can hold the structure, to `width`, between two that cannot and
/// can.
inline double critical_friction(const World& w, double low, double high, double width) {
  while (high - low > width) {
    const double middle = 0.5 * (low + high);
    (ConeProgram(w, middle).solve().stands() ? high : low) = middle;
  }
  return 0.5 * (low + high);
}

}  // namespace stiction::test

// Mechanisms in as many coordinates q as they have freedoms, for comparison: poses of all bodies are given as
// functions of q in closed form, and d'Alembert's principle gives
//     sum_b J_b^T (M_b a_b + (0, w x I w) - f_b) = 0,      J_b = d(velocity, spin)/d(dq/dt)
// integrated by Runge-Kutta 4. Time derivatives of the closed forms are carried along exactly (jets: value,
// first and second derivative). No constraint, no multiplier: shares no code with the engine.
#pragma once

#include <array>
#include <cmath>
#include <functional>
#include <vector>

#include "stiction/model/scene.h"
#include "support/run.h"

namespace stiction::test {

/// A number that changes with time: value, first and second derivative.
struct Jet {
  double x = 0, v = 0, a = 0;
  Jet() = default;
  Jet(double x_, double v_ = 0, double a_ = 0) : x(x_), v(v_), a(a_) {}
};
inline Jet operator+(const Jet& p, const Jet& q) { return {p.x + q.x, p.v + q.v, p.a + q.a}; }
inline Jet operator-(const Jet& p, const Jet& q) { return {p.x - q.x, p.v - q.v, p.a - q.a}; }
inline Jet operator*(const Jet& p, const Jet& q) {
  return {p.x * q.x, p.v * q.x + p.x * q.v, p.a * q.x + 2 * p.v * q.v + p.x * q.a};
}
/// f(p), with f and its derivatives at p.x.
inline Jet chain(const Jet& p, double f, double f1, double f2) {
  return {f, f1 * p.v, f1 * p.a + f2 * p.v * p.v};
}
inline Jet sqrt(const Jet& p) {
  const double r = std::sqrt(p.x);
  return chain(p, r, 0.5 / r, -0.25 / (r * p.x));
}
inline Jet inverse(const Jet& p) { return chain(p, 1 / p.x, -1 / (p.x * p.x), 2 / (p.x * p.x * p.x)); }
inline Jet sin(const Jet& p) { return chain(p, std::sin(p.x), std::cos(p.x), -std::sin(p.x)); }
inline Jet cos(const Jet& p) { return chain(p, std::cos(p.x), -std::sin(p.x), -std::cos(p.x)); }

struct Jet3 {
  Jet x, y, z;
  Jet3() = default;
  Jet3(const Jet& x_, const Jet& y_, const Jet& z_) : x(x_), y(y_), z(z_) {}
  Jet3(const Vec3& p) : x(p.x), y(p.y), z(p.z) {}
  Vec3 value() const { return {x.x, y.x, z.x}; }
  Vec3 rate() const { return {x.v, y.v, z.v}; }
  Vec3 acceleration() const { return {x.a, y.a, z.a}; }
};
inline Jet3 operator+(const Jet3& p, const Jet3& q) { return {p.x + q.x, p.y + q.y, p.z + q.z}; }
inline Jet3 operator-(const Jet3& p, const Jet3& q) { return {p.x - q.x, p.y - q.y, p.z - q.z}; }
inline Jet3 operator*(const Jet& s, const Jet3& p) { return {s * p.x, s * p.y, s * p.z}; }
inline Jet dot(const Jet3& p, const Jet3& q) { return p.x * q.x + p.y * q.y + p.z * q.z; }
inline Jet3 cross(const Jet3& p, const Jet3& q) {
  return {p.y * q.z - p.z * q.y, p.z * q.x - p.x * q.z, p.x * q.y - p.y * q.x};
}
inline Jet3 unit(const Jet3& p) { return inverse(sqrt(dot(p, p))) * p; }

/// A body: place of its centre of mass, and its three axes in world axes.
struct JetPose {
  Jet3 place;
  std::array<Jet3, 3> axis;

  Jet3 point(const Vec3& p) const {
    return place + Jet(p.x) * axis[0] + Jet(p.y) * axis[1] + Jet(p.z) * axis[2];
  }
  /// w = sum over axes of (e_j'.e_k) e_i, and its derivative.
  Vec3 spin() const { return turning(false); }
  Vec3 angular_acceleration() const { return turning(true); }

 private:
  Vec3 turning(bool derivative) const {
    Vec3 out;
    for (std::size_t i = 0; i < 3; ++i) {
      const Jet3 &e = axis[i], &f = axis[(i + 1) % 3], &g = axis[(i + 2) % 3];
      const double s = stiction::dot(f.rate(), g.value());
      if (!derivative)
        out += s * e.value();
      else
        out += (stiction::dot(f.acceleration(), g.value()) + stiction::dot(f.rate(), g.rate())) * e.value() +
               s * e.rate();
    }
    return out;
  }
};
/// A frame that turns about y: its x along (x, 0, z), of unit length.
inline std::array<Jet3, 3> frame_in_plane(const Jet3& x) {
  return {x, Jet3(Vec3{0, 1, 0}), cross(x, Jet3(Vec3{0, 1, 0}))};
}

inline Quat orientation_of(const JetPose& p) {
  const Vec3 e[3] = {p.axis[0].value(), p.axis[1].value(), p.axis[2].value()};
  // of four ways to divide, that by the largest
  const double t[4] = {1 + e[0].x + e[1].y + e[2].z, 1 + e[0].x - e[1].y - e[2].z,
                       1 - e[0].x + e[1].y - e[2].z, 1 - e[0].x - e[1].y + e[2].z};
  const double a = e[1].z - e[2].y, b = e[2].x - e[0].z, c = e[0].y - e[1].x;
  const double u = e[0].y + e[1].x, v = e[2].x + e[0].z, w = e[1].z + e[2].y;
  const auto best = std::size_t(std::max_element(t, t + 4) - t);
  const Quat q = best == 0   ? Quat{t[0], a, b, c}
                 : best == 1 ? Quat{a, t[1], u, v}
                 : best == 2 ? Quat{b, u, t[2], w}
                             : Quat{c, v, w, t[3]};
  return normalized(q);
}

/// A force at a point that moves with the mechanism.
struct PointForce {
  Jet3 at;
  Vec3 force;
};

template <std::size_t n>
struct ReducedMotion {
  using Numbers = std::array<double, n>;
  using Jets = std::array<Jet, n>;
  std::function<std::vector<JetPose>(const Jets&)> poses;
  std::function<std::vector<PointForce>(const Jets&)> forces = [](const Jets&) {
    return std::vector<PointForce>{};
  };
  std::vector<double> mass{};   // [kg]
  std::vector<Vec3> inertia{};  // [kg m^2] body axes
  Vec3 gravity{0, 0, -9.81};    // [m/s^2]

  static Jets jets(const Numbers& q, const Numbers& rate) {
    Jets out;
    for (std::size_t i = 0; i < n; ++i) out[i] = Jet(q[i], rate[i]);
    return out;
  }

  Numbers acceleration(const Numbers& q, const Numbers& rate) const {
    const std::vector<JetPose> bias = poses(jets(q, rate));
    const std::vector<PointForce> pushes = forces(jets(q, rate));
    std::array<std::vector<JetPose>, n> column;
    std::array<std::vector<PointForce>, n> moved;
    for (std::size_t k = 0; k < n; ++k) {
      Numbers one{};
      one[k] = 1;
      column[k] = poses(jets(q, one)), moved[k] = forces(jets(q, one));
    }
    double A[n][n + 1] = {};
    for (std::size_t b = 0; b < bias.size(); ++b) {
      const auto turned = [&](const Vec3& w) {  // I w
        Vec3 out;
        const double I[3] = {inertia[b].x, inertia[b].y, inertia[b].z};
        for (std::size_t i = 0; i < 3; ++i) {
          const Vec3 e = bias[b].axis[i].value();
          out += I[i] * stiction::dot(e, w) * e;
        }
        return out;
      };
      const Vec3 w = bias[b].spin();
      const Vec3 force = mass[b] * (gravity - bias[b].place.acceleration());
      const Vec3 torque = -(turned(bias[b].angular_acceleration()) + stiction::cross(w, turned(w)));
      for (std::size_t k = 0; k < n; ++k) {
        const Vec3 v = column[k][b].place.rate(), s = column[k][b].spin();
        A[k][n] += stiction::dot(v, force) + stiction::dot(s, torque);
        for (std::size_t l = 0; l < n; ++l)
          A[k][l] += mass[b] * stiction::dot(v, column[l][b].place.rate()) +
                     stiction::dot(turned(s), column[l][b].spin());
      }
    }
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t i = 0; i < pushes.size(); ++i)
        A[k][n] += stiction::dot(moved[k][i].at.rate(), pushes[i].force);
    return solved(A);
  }

  /// q and its rate after `count` steps of Runge-Kutta 4.
  void run(Numbers& q, Numbers& rate, double h, int count) const {
    const auto plus = [](const Numbers& x, double s, const Numbers& y) {
      Numbers out;
      for (std::size_t i = 0; i < n; ++i) out[i] = x[i] + s * y[i];
      return out;
    };
    for (int i = 0; i < count; ++i) {
      const Numbers a1 = acceleration(q, rate), v2 = plus(rate, h / 2, a1);
      const Numbers a2 = acceleration(plus(q, h / 2, rate), v2), v3 = plus(rate, h / 2, a2);
      const Numbers a3 = acceleration(plus(q, h / 2, v2), v3), v4 = plus(rate, h, a3);
      const Numbers a4 = acceleration(plus(q, h, v3), v4);
      for (std::size_t k = 0; k < n; ++k) {
        q[k] += h / 6 * (rate[k] + 2 * v2[k] + 2 * v3[k] + v4[k]);
        rate[k] += h / 6 * (a1[k] + 2 * a2[k] + 2 * a3[k] + a4[k]);
      }
    }
  }

  /// Bodies of the scene, in the order of poses(): put where q says, moving as its rate says.
  void place(Scene& scene, const Numbers& q, const Numbers& rate) const {
    const std::vector<JetPose> at = poses(jets(q, rate));
    for (std::size_t b = 0; b < at.size(); ++b) {
      BodyDescription& d = scene.bodies[b].value;
      d.position = at[b].place.value(), d.orientation = orientation_of(at[b]);
      d.velocity = at[b].place.rate(), d.spin = at[b].spin();
    }
  }
  void take_masses(const Scene& scene) {
    const World world = world_of(scene);
    for (std::size_t b = 0; b < scene.bodies.size(); ++b)
      mass.push_back(world.model().mass[b]), inertia.push_back(world.model().inertia[b]);
  }

 private:
  /// By elimination: the matrix is symmetric and positive definite.
  static Numbers solved(double A[n][n + 1]) {
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t i = k + 1; i < n; ++i) {
        const double f = A[i][k] / A[k][k];
        for (std::size_t j = k; j <= n; ++j) A[i][j] -= f * A[k][j];
      }
    Numbers out{};
    for (std::size_t k = n; k-- > 0;) {
      double sum = A[k][n];
      for (std::size_t j = k + 1; j < n; ++j) sum -= A[k][j] * out[j];
      out[k] = sum / A[k][k];
    }
    return out;
  }
};

}  // namespace stiction::test

// A planar impact by brute force, from M, J and u alone: steps of normal impulse under Coulomb's local law,
// bisected where something happens, doubled where nothing does. Shares no code with stiction/impact.
#pragma once

#include <cmath>
#include <vector>

namespace stiction::test {

/// M x = b by Gauss elimination with pivots; M row-major n x n.
inline std::vector<double> gauss(std::vector<double> M, std::vector<double> b) {
  const std::size_t n = b.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i)
      if (std::fabs(M[i * n + k]) > std::fabs(M[pivot * n + k])) pivot = i;
    for (std::size_t j = 0; j < n; ++j) std::swap(M[k * n + j], M[pivot * n + j]);
    std::swap(b[k], b[pivot]);
    for (std::size_t i = k + 1; i < n; ++i) {
      const double f = M[i * n + k] / M[k * n + k];
      for (std::size_t j = k; j < n; ++j) M[i * n + j] -= f * M[k * n + j];
      b[i] -= f * b[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) b[k] -= M[k * n + j] * b[j];
    b[k] /= M[k * n + k];
  }
  return b;
}

inline double product(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

struct Marching {
  std::vector<double> M, tangent, normal,
      u;  // M row-major; rows of J; generalised velocity, changed in place
  double friction_static = 0, friction_kinetic = 0, restitution = 0;
  double pn = 0, pt = 0, stored = 0, released = 0;

  void run() {
    const std::vector<double> Lt = gauss(M, tangent), Ln = gauss(M, normal);
    const double v0 = product(normal, u);
    const double tiny = 1e-14 * (std::fabs(v0) + std::fabs(product(tangent, u)));
    const double first = 0.03 * std::fabs(v0) / product(normal, Ln);
    const double need = -product(tangent, Ln) / product(tangent, Lt);
    double dp = first;
    bool compression = true, at_rest = std::fabs(product(tangent, u)) <= tiny;
    std::vector<double> next(u.size());
    while (true) {
      const double vt = product(tangent, u), vn = product(normal, u);
      double c = vt > 0 ? -friction_kinetic : friction_kinetic, work = 0;
      const bool stick = at_rest && std::fabs(need) <= friction_static;
      if (at_rest) c = stick ? need : std::copysign(friction_kinetic, need);
      bool turns = false, opens = false, ends = false;
      const auto step = [&](double size) {
        for (std::size_t i = 0; i < u.size(); ++i) next[i] = u[i] + size * (Ln[i] + c * Lt[i]);
        const double vn1 = product(normal, next);
        work = 0.5 * size * (vn + vn1);  // v_n is linear in p_n
        turns = !at_rest && vt * product(tangent, next) <= 0;
        opens = compression && vn1 > 0;
        ends = !compression && released + work > restitution * restitution * stored;
        return turns || opens || ends;
      };
      if (step(dp)) {
        double low = 0;
        for (int i = 0; i < 60; ++i) {
          const double middle = 0.5 * (low + dp);
          (step(middle) ? dp : low) = middle;
        }
        step(dp);
      }
      u = next, pn += dp, pt += c * dp;
      (compression ? stored : released) += compression ? -work : work;
      if (ends || (opens && restitution == 0)) return;
      if (opens) compression = false;
      at_rest = turns || stick;
      dp = turns || opens ? first : 2 * dp;
    }
  }
};

}  // namespace stiction::test

#include "stiction/impact/detail/expansion.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "stiction/complementarity/local_solver.h"
#include "stiction/impact/detail/plane.h"

namespace stiction::impact::detail {
namespace {

constexpr int max_sweeps = 20000;

/// One contact: W and b of its own, the others' impulses in b.
void expand_one(const std::array<double, 9>& W, const std::array<double, 3>& b, double mu, double given,
                double r[3]) {
  std::array<double, 3> shifted = b;
  for (std::size_t i = 0; i < 3; ++i) shifted[i] -= W[3 * i] * given;
  complementarity::solve_one_contact(W.data(), shifted.data(), mu, r);
  r[0] -= given;
  if (r[0] >= 0) return;
  r[0] = 0;
  const Sym2 tt{W[4], W[5], W[8]};
  const Vec2 slip{-b[1], -b[2]};
  Vec2 t = tt.solve(slip);
  if (const double most = mu * given; !(length(t) <= most))
    t = most > 0 ? solve_on_circle(tt, slip, most) : Vec2{};
  r[1] = t.x, r[2] = t.y;
}

}  // namespace

bool expand(std::span<const double> W, std::span<const double> b, std::span<const double> mu,
            std::span<const double> given, double tolerance, std::span<double> r) {
  const std::size_t rows = r.size();
  double size = 0;
  for (const double c : given) size = std::max(size, c);
  for (int sweep = 0; sweep < max_sweeps; ++sweep) {
    double change = 0;
    for (std::size_t k = 0; k < rows; k += 3) {
      std::array<double, 9> own{};
      std::array<double, 3> rest{};
      for (std::size_t i = 0; i < 3; ++i) {
        const double* row = W.data() + (k + i) * rows;
        rest[i] = b[k + i];
        for (std::size_t j = 0; j < rows; ++j)
          if (j < k || j >= k + 3) rest[i] += row[j] * r[j];
        for (std::size_t j = 0; j < 3; ++j) own[3 * i + j] = row[k + j];
      }
      double next[3];
      expand_one(own, rest, mu[k / 3], given[k / 3], next);
      for (std::size_t i = 0; i < 3; ++i) {
        change = std::max(change, std::fabs(next[i] - r[k + i]));
        r[k + i] = next[i], size = std::max(size, std::fabs(next[i]));
      }
    }
    if (change <= tolerance * size) return true;
  }
  return false;
}

}  // namespace stiction::impact::detail

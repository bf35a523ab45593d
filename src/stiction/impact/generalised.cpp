#include "stiction/impact/generalised.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stiction::impact {
namespace {

/// L of M = L L^T into the lower triangle of L; false where M is not positive definite.
bool factorise(std::span<const double> M, std::size_t n, double* L) {
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = M[i * n + j];
      for (std::size_t k = 0; k < j; ++k) sum -= L[i * n + k] * L[j * n + k];
      if (i != j) {
        L[i * n + j] = sum / L[j * n + j];
      } else if (sum > 0) {
        L[i * n + i] = std::sqrt(sum);
      } else {
        return false;
      }
    }
  return true;
}

/// x = L^-1 b
void solve_lower(const double* L, std::span<const double> b, double* x) {
  const std::size_t n = b.size();
  for (std::size_t i = 0; i < n; ++i) {
    double sum = b[i];
    for (std::size_t k = 0; k < i; ++k) sum -= L[i * n + k] * x[k];
    x[i] = sum / L[i * n + i];
  }
}

/// x = L^-T x
void solve_upper(const double* L, std::span<double> x) {
  const std::size_t n = x.size();
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) x[i] -= L[k * n + i] * x[k];
    x[i] /= L[i * n + i];
  }
}

double dot(const double* a, const double* b, std::size_t n) {
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

/// J u, and 0 where that is round-off.
double slip_of(std::span<const double> row, std::span<const double> u) {
  double sum = 0, size = 0;
  for (std::size_t i = 0; i < u.size(); ++i) sum += row[i] * u[i], size += std::fabs(row[i] * u[i]);
  return std::fabs(sum) <= 4 * std::numeric_limits<double>::epsilon() * size ? 0 : sum;
}

}  // namespace

Outcome solve(const PlanarContact& contact, const Coefficients& coefficients, std::span<double> after,
              std::span<double> scratch) {
  const std::size_t n = contact.velocity.size();
  STICTION_ASSERT(contact.M.size() == n * n && contact.normal.size() == n && contact.tangent.size() == n);
  STICTION_ASSERT(after.size() == n && scratch.size() >= scratch_of(n));
  double *L = scratch.data(), *a = L + n * n, *b = a + n;  // a, b: L^-1 of the rows
  std::copy(contact.velocity.begin(), contact.velocity.end(), after.begin());
  if (!factorise(contact.M, n, L)) {
    Outcome refused;
    refused.status = Status::bad_input;
    return refused;
  }
  solve_lower(L, contact.normal, a);
  solve_lower(L, contact.tangent, b);
  const Outcome out = solve(PlanarImpact{dot(a, a, n), dot(a, b, n), dot(b, b, n),
                                         dot(contact.normal.data(), contact.velocity.data(), n),
                                         slip_of(contact.tangent, contact.velocity), coefficients});
  if (out.status != Status::done) return out;
  for (std::size_t i = 0; i < n; ++i) a[i] = out.impulse.x * a[i] + out.impulse.y * b[i];
  solve_upper(L, {a, n});
  for (std::size_t i = 0; i < n; ++i) after[i] += a[i];
  return out;
}

}  // namespace stiction::impact

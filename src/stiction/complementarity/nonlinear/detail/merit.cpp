#include "stiction/complementarity/nonlinear/detail/merit.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stiction::complementarity::detail {
namespace {

const double kink_slope = 1 - 1 / std::sqrt(2.0);

struct Phi {
  double value, slope_a, slope_b;
};

// sqrt(a^2 + b^2) without overflow of the squares.
double length(double a, double b) {
  const double big = std::fmax(std::fabs(a), std::fabs(b)), small = std::fmin(std::fabs(a), std::fabs(b));
  if (big == 0 || big == std::numeric_limits<double>::infinity()) return big;
  const double ratio = small / big;
  return big * std::sqrt(1 + ratio * ratio);
}

// 1 - a / c for c = sqrt(a^2 + b^2), without cancellation.
double slope(double a, double b, double c) { return a > 0 ? (b / c) * (b / (c + a)) : 1 - a / c; }

// phi(a, b) and its slopes. For a + b > 0 the form 2 a b / (a + b + sqrt(a^2 + b^2)) has no cancellation.
Phi fischer_burmeister(double a, double b) {
  const double c = length(a, b);
  if (c == 0) return {0, kink_slope, kink_slope};
  const double value = a + b > 0 ? 2 * a * (b / (a + b + c)) : a + b - c;
  return {value, slope(a, b, c), slope(b, a, c)};
}

// Triplets into columns: sorted by row, then by column, which leaves rows ascending; the same place adds up.
void compress(const std::vector<Triplet>& entries, int size, std::vector<int>& count, std::vector<int>& place,
              SparseColumns& out) {
  const auto n = std::size_t(size);
  place.resize(entries.size());
  count.assign(n + 1, 0);
  for (const Triplet& t : entries) ++count[std::size_t(t.row) + 1];
  for (std::size_t i = 0; i < n; ++i) count[i + 1] += count[i];
  for (std::size_t k = 0; k < entries.size(); ++k)
    place[std::size_t(count[std::size_t(entries[k].row)]++)] = int(k);
  count.assign(n + 1, 0);
  for (const Triplet& t : entries) ++count[std::size_t(t.column) + 1];
  for (std::size_t i = 0; i < n; ++i) count[i + 1] += count[i];
  out.n = size;
  out.start.assign(count.begin(), count.end());
  out.row.resize(entries.size());
  out.value.resize(entries.size());
  for (const int k : place) {
    const Triplet& t = entries[std::size_t(k)];
    const auto slot = std::size_t(count[std::size_t(t.column)]++);
    out.row[slot] = t.row;
    out.value[slot] = t.value;
  }
  std::size_t kept = 0, begin = 0;
  for (std::size_t j = 0; j < n; ++j) {
    const auto end = std::size_t(out.start[j + 1]);
    out.start[j] = int(kept);
    for (std::size_t k = begin; k < end; ++k) {
      if (k > begin && out.row[kept - 1] == out.row[k])
        out.value[kept - 1] += out.value[k];
      else
        out.row[kept] = out.row[k], out.value[kept] = out.value[k], ++kept;
    }
    begin = end;
  }
  out.start[n] = int(kept);
  out.row.resize(kept);
  out.value.resize(kept);
}

}  // namespace

void McpForm::phi_and_slopes(const McpPoint& at, std::size_t i, double& value, double& slope_x,
                             double& slope_f) const {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const double low = p_.lower[i], high = p_.upper[i], x = at.x[i], f = at.f[i];
  if (low == high) {
    value = x - low, slope_x = 1, slope_f = 0;
  } else if (low == -infinity && high == infinity) {
    value = f, slope_x = 0, slope_f = 1;
  } else if (high == infinity) {
    const Phi lower = fischer_burmeister(x - low, f);
    value = lower.value, slope_x = lower.slope_a, slope_f = lower.slope_b;
  } else {
    const Phi upper = fischer_burmeister(high - x, -f);
    value = -upper.value, slope_x = upper.slope_a, slope_f = upper.slope_b;
    if (low == -infinity) return;
    const Phi both = fischer_burmeister(x - low, value);
    value = both.value;
    slope_x = both.slope_a + both.slope_b * slope_x;
    slope_f = both.slope_b * slope_f;
  }
}

bool McpForm::evaluate(McpPoint& at) {
  const std::size_t n = at.x.size();
  for (std::size_t i = 0; i < n; ++i) at.x[i] = std::fmin(std::fmax(at.x[i], p_.lower[i]), p_.upper[i]);
  at.f.assign(n, std::numeric_limits<double>::quiet_NaN());
  at.phi.resize(n);
  ++report_.evaluations;
  p_.function(at.x, at.f);
  at.merit = 0, at.residual = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (!std::isfinite(at.f[i])) return false;
    double slope_x = 0, slope_f = 0;
    phi_and_slopes(at, i, at.phi[i], slope_x, slope_f);
    at.merit += 0.5 * at.phi[i] * at.phi[i];
    const double room = at.f[i] > 0 ? at.x[i] - p_.lower[i] : p_.upper[i] - at.x[i];
    at.residual = std::fmax(at.residual, std::fmin(std::fabs(at.f[i]), room));
  }
  return std::isfinite(at.merit);
}

bool McpForm::evaluate_jacobian(const McpPoint& at) {
  ++report_.jacobians;
  entries_.clear();
  p_.jacobian(at.x, entries_);
  for (const Triplet& t : entries_)
    if (!std::isfinite(t.value) || t.row < 0 || t.row >= p_.n || t.column < 0 || t.column >= p_.n)
      return false;
  for (int i = 0; i < p_.n; ++i) entries_.push_back({i, i, 0});
  compress(entries_, p_.n, count_, place_, jacobian_);
  return std::all_of(jacobian_.value.begin(), jacobian_.value.end(),
                     [](double v) { return std::isfinite(v); });
}

void McpForm::linearise(const McpPoint& at, std::vector<double>& gradient) {
  const std::size_t n = at.x.size();
  h_ = jacobian_;
  std::vector<double> slope_x(n), slope_f(n);
  for (std::size_t i = 0; i < n; ++i) {
    double value = 0;
    phi_and_slopes(at, i, value, slope_x[i], slope_f[i]);
  }
  for (std::size_t j = 0; j < n; ++j)
    for (int k = h_.start[j]; k < h_.start[j + 1]; ++k) {
      const auto i = std::size_t(h_.row[std::size_t(k)]);
      double& value = h_.value[std::size_t(k)];
      value = slope_f[i] * value + (i == j ? slope_x[i] : 0);
    }
  multiply_transposed(h_, at.phi, gradient);
}

void multiply(const SparseColumns& a, const std::vector<double>& x, std::vector<double>& y) {
  y.assign(std::size_t(a.n), 0);
  for (std::size_t j = 0; j < y.size(); ++j)
    for (auto k = std::size_t(a.start[j]); k < std::size_t(a.start[j + 1]); ++k)
      y[std::size_t(a.row[k])] += a.value[k] * x[j];
}

void multiply_transposed(const SparseColumns& a, const std::vector<double>& x, std::vector<double>& y) {
  y.assign(std::size_t(a.n), 0);
  for (std::size_t j = 0; j < y.size(); ++j)
    for (auto k = std::size_t(a.start[j]); k < std::size_t(a.start[j + 1]); ++k)
      y[j] += a.value[k] * x[std::size_t(a.row[k])];
}

}  // namespace stiction::complementarity::detail

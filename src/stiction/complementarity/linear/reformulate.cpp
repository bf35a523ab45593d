#include "stiction/complementarity/linear/reformulate.h"

#include <cmath>
#include <limits>
#include <utility>

#include "stiction/complementarity/linear/detail/dense.h"

namespace stiction::complementarity {
namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();
}

BoxedLcp as_boxed(const Lcp& p) {
  const auto n = std::size_t(p.n);
  return {p.n, p.M, p.q, std::vector<double>(n, 0), std::vector<double>(n, infinity)};
}

BoxedLcp as_boxed(const MixedLcp& p) {
  BoxedLcp out = as_boxed(Lcp{p.n, p.M, p.q});
  for (int i = 0; i < p.free; ++i) out.lower[std::size_t(i)] = -infinity;
  return out;
}

std::optional<Elimination> eliminate_free(const MixedLcp& p) {
  const auto n = std::size_t(p.n), f = std::size_t(p.free), m = n - f;
  Elimination out;
  out.free = p.free;
  std::vector<double> A(f * f), inverse(f * f);
  for (std::size_t i = 0; i < f; ++i)
    for (std::size_t j = 0; j < f; ++j) A[i * f + j] = p.M[i * n + j];
  detail::Lu lu;
  if (f > 0 && !lu.factor(f, A, 1e-14)) return std::nullopt;
  std::vector<double> column(f);
  out.slope.assign(f * m, 0), out.offset.assign(f, 0);
  for (std::size_t j = 0; j <= m; ++j) {  // columns of C, then a
    for (std::size_t i = 0; i < f; ++i) column[i] = j < m ? p.M[i * n + f + j] : p.q[i];
    if (f > 0) lu.solve(column.data());
    for (std::size_t i = 0; i < f; ++i) (j < m ? out.slope[i * m + j] : out.offset[i]) = -column[i];
  }
  out.reduced.n = int(m);
  out.reduced.M.assign(m * m, 0), out.reduced.q.assign(m, 0);
  for (std::size_t i = 0; i < m; ++i) {
    const double* row = p.M.data() + (f + i) * n;
    for (std::size_t j = 0; j < m; ++j) out.reduced.M[i * m + j] = row[f + j];
    out.reduced.q[i] = p.q[f + i];
    for (std::size_t k = 0; k < f; ++k) {
      if (row[k] == 0) continue;
      detail::add_scaled(m, row[k], out.slope.data() + k * m, out.reduced.M.data() + i * m);
      out.reduced.q[i] += row[k] * out.offset[k];
    }
  }
  return out;
}

std::vector<double> Elimination::recover(const std::vector<double>& v) const {
  std::vector<double> z(offset);
  for (std::size_t i = 0; i < std::size_t(free); ++i)
    z[i] += detail::dot(v.size(), slope.data() + i * v.size(), v.data());
  z.insert(z.end(), v.begin(), v.end());
  return z;
}

MixedForm as_mixed(const BoxedLcp& p) {
  const auto n = std::size_t(p.n);
  MixedForm out;
  out.n = p.n;
  const auto add = [&](std::size_t i, double sign, double offset) {
    out.source.push_back(int(i)), out.sign.push_back(sign), out.offset.push_back(offset);
  };
  for (std::size_t i = 0; i < n; ++i)
    if (std::isinf(p.lower[i]) && std::isinf(p.upper[i])) add(i, 1, 0);
  out.problem.free = int(out.source.size());
  std::vector<std::size_t> two_sided;  // positions of unknowns that need a multiplier
  for (std::size_t i = 0; i < n; ++i) {
    const bool low = !std::isinf(p.lower[i]), high = !std::isinf(p.upper[i]);
    if (low && high) two_sided.push_back(out.source.size());
    if (low)
      add(i, 1, p.lower[i]);
    else if (high)
      add(i, -1, p.upper[i]);
  }
  const std::size_t size = n + two_sided.size();
  out.problem.n = int(size);
  out.problem.M.assign(size * size, 0), out.problem.q.assign(size, 0);
  for (std::size_t r = 0; r < n; ++r) {
    const double* row = p.M.data() + std::size_t(out.source[r]) * n;
    double q = p.q[std::size_t(out.source[r])];
    for (std::size_t c = 0; c < n; ++c) {
      const double entry = row[std::size_t(out.source[c])];
      out.problem.M[r * size + c] = out.sign[r] * entry * out.sign[c];
      q += entry * out.offset[c];
    }
    out.problem.q[r] = out.sign[r] * q;
  }
  for (std::size_t k = 0; k < two_sided.size(); ++k) {
    const std::size_t position = two_sided[k], multiplier = n + k;
    const auto i = std::size_t(out.source[position]);
    out.problem.M[position * size + multiplier] = 1;
    out.problem.M[multiplier * size + position] = -1;
    out.problem.q[multiplier] = p.upper[i] - p.lower[i];
    out.source.push_back(-1), out.sign.push_back(0), out.offset.push_back(0);
  }
  return out;
}

std::vector<double> MixedForm::recover(const std::vector<double>& y) const {
  std::vector<double> z(std::size_t(n), 0);
  for (std::size_t k = 0; k < source.size(); ++k)
    if (source[k] >= 0) z[std::size_t(source[k])] = offset[k] + sign[k] * y[k];
  return z;
}

std::optional<LcpForm> as_lcp(const BoxedLcp& p) {
  LcpForm out;
  out.mixed = as_mixed(p);
  std::optional<Elimination> elimination = eliminate_free(out.mixed.problem);
  if (!elimination) return std::nullopt;
  out.elimination = std::move(*elimination);
  return out;
}

}  // namespace stiction::complementarity

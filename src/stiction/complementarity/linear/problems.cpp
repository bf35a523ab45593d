#include "stiction/complementarity/linear/problems.h"

#include "stiction/complementarity/detail/faults.h"

namespace stiction::complementarity {
namespace {

using detail::check_finite;
using detail::check_size;
using detail::Faults;

// n, M and q, which all three kinds have. False: the sizes do not fit.
bool check_common(int n, const std::vector<double>& M, const std::vector<double>& q, Faults& faults) {
  if (n <= 0) {
    faults.push_back(n == 0 ? "n: the problem is empty" : "n: is negative");
    return false;
  }
  const auto size = std::size_t(n);
  check_size(M.size(), "M", size * size, faults);
  check_size(q.size(), "q", size, faults);
  check_finite(M, "M", faults, M.size() == size * size ? n : 0);
  check_finite(q, "q", faults);
  return faults.empty();
}

}  // namespace

std::vector<std::string> validate(const Lcp& p) {
  Faults faults;
  check_common(p.n, p.M, p.q, faults);
  return faults;
}

std::vector<std::string> validate(const MixedLcp& p) {
  Faults faults;
  check_common(p.n, p.M, p.q, faults);
  if (p.free < 0 || p.free > p.n)
    faults.push_back("free: is " + std::to_string(p.free) +
                     ", must be between 0 and n = " + std::to_string(p.n));
  return faults;
}

std::vector<std::string> validate(const BoxedLcp& p) {
  Faults faults;
  check_common(p.n, p.M, p.q, faults);
  if (p.n <= 0) return faults;
  const auto size = std::size_t(p.n);
  check_size(p.lower.size(), "lower", size, faults);
  check_size(p.upper.size(), "upper", size, faults);
  if (p.lower.size() == size && p.upper.size() == size) detail::check_bounds(p.lower, p.upper, faults);
  return faults;
}

}  // namespace stiction::complementarity

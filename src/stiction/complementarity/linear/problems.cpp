#include "stiction/complementarity/linear/problems.h"

#include <cmath>

namespace stiction::complementarity {
namespace {

using Faults = std::vector<std::string>;

// The first entry that is not finite is named, with how many there are.
void check_finite(const std::vector<double>& values, const std::string& field, int columns, Faults& faults) {
  std::size_t first = values.size(), count = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i]) && ++count == 1) first = i;
  if (count == 0) return;
  std::string where = "[" + std::to_string(first) + "]";
  if (columns > 0) {
    const auto width = std::size_t(columns);
    where = "[" + std::to_string(first / width) + "][" + std::to_string(first % width) + "]";
  }
  faults.push_back(field + where + " is not finite" +
                   (count > 1 ? " (" + std::to_string(count) + " such entries)" : std::string()));
}

void check_size(std::size_t size, const std::string& field, std::size_t wanted, Faults& faults) {
  if (size != wanted)
    faults.push_back(field + ": has " + std::to_string(size) + " entries, needs " + std::to_string(wanted));
}

// n, M and q, which all three kinds have. False: the sizes do not fit.
bool check_common(int n, const std::vector<double>& M, const std::vector<double>& q, Faults& faults) {
  if (n <= 0) {
    faults.push_back(n == 0 ? "n: the problem is empty" : "n: is negative");
    return false;
  }
  const auto size = std::size_t(n);
  check_size(M.size(), "M", size * size, faults);
  check_size(q.size(), "q", size, faults);
  check_finite(M, "M", M.size() == size * size ? n : 0, faults);
  check_finite(q, "q", 0, faults);
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
  if (p.lower.size() != size || p.upper.size() != size) return faults;
  for (std::size_t i = 0; i < size; ++i) {
    const double low = p.lower[i], high = p.upper[i];
    const std::string where = "[" + std::to_string(i) + "]";
    if (std::isnan(low) || (std::isinf(low) && low > 0))
      faults.push_back("lower" + where + " must be finite or -infinity");
    else if (std::isnan(high) || (std::isinf(high) && high < 0))
      faults.push_back("upper" + where + " must be finite or +infinity");
    else if (low > high)
      faults.push_back("lower" + where + " is above upper" + where);
  }
  return faults;
}

}  // namespace stiction::complementarity

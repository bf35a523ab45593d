// What validate() says of problems: lines that name a field and its entry.
#pragma once

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

namespace stiction::complementarity::detail {

using Faults = std::vector<std::string>;

/// "field[i]".
inline std::string at(const std::string& field, std::size_t i) {
  return field + "[" + std::to_string(i) + "]";
}

inline void check_size(std::size_t size, const std::string& field, std::size_t wanted, Faults& faults) {
  if (size != wanted)
    faults.push_back(field + ": has " + std::to_string(size) + " entries, needs " + std::to_string(wanted));
}

/// Names the first entry for which `good` is false, and says how many there are. columns > 0: a matrix by
/// rows.
template <class Good>
void check_each(const std::vector<double>& values, const std::string& field, const char* must, Faults& faults,
                const Good& good, int columns = 0) {
  bool fine = true;
  for (const double x : values) fine &= good(x);
  if (fine) return;
  std::size_t first = 0, count = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!good(values[i]) && ++count == 1) first = i;
  const auto width = std::size_t(columns);
  faults.push_back((columns > 0 ? at(at(field, first / width), first % width) : at(field, first)) +
                   " must be " + must +
                   (count > 1 ? " (" + std::to_string(count) + " such entries)" : std::string()));
}

inline void check_finite(const std::vector<double>& values, const std::string& field, Faults& faults,
                         int columns = 0) {
  check_each(
      values, field, "finite", faults, [](double x) { return std::isfinite(x); }, columns);
}

/// Bounds of equal length: finite or infinite the right way round, and in order.
inline void check_bounds(const std::vector<double>& lower, const std::vector<double>& upper, Faults& faults) {
  for (std::size_t i = 0; i < lower.size(); ++i) {
    const double low = lower[i], high = upper[i];
    if (!(low < HUGE_VAL)) faults.push_back(at("lower", i) + " must be finite or -infinity");
    if (!(high > -HUGE_VAL)) faults.push_back(at("upper", i) + " must be finite or +infinity");
    if (low > high) faults.push_back(at("lower", i) + " is above " + at("upper", i));
  }
}

}  // namespace stiction::complementarity::detail

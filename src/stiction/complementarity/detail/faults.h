// What validate() says of problems: lines that name a field and its entry.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace stiction::complementarity::detail {

using Faults = std::vector<std::string>;

/// "field[i]".
inline std::string at(const char* field, std::size_t i) {
  return std::string(field) + "[" + std::to_string(i) + "]";
}

inline void check_size(std::size_t size, const std::string& field, std::size_t wanted, Faults& faults) {
  if (size != wanted)
    faults.push_back(field + ": has " + std::to_string(size) + " entries, needs " + std::to_string(wanted));
}

}  // namespace stiction::complementarity::detail

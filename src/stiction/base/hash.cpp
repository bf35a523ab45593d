#include "stiction/base/hash.h"

#include <ostream>

namespace stiction {

std::string hex(std::uint64_t hash) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string out(16, '0');
  for (int i = 15; i >= 0; --i, hash >>= 4) out[std::size_t(i)] = digits[hash & 15u];
  return out;
}

std::string to_text(StateHash hash) { return hex(hash.value); }
std::ostream& operator<<(std::ostream& out, StateHash hash) { return out << hex(hash.value); }

}  // namespace stiction

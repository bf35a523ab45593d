// The bits of a value as another type of the same size.
#pragma once

#include <type_traits>

namespace stiction {

/// std::bit_cast, which some standard libraries do not have yet although their compilers do.
template <class To, class From>
constexpr To bit_cast(const From& from) {
  static_assert(sizeof(To) == sizeof(From));
  static_assert(std::is_trivially_copyable_v<To> && std::is_trivially_copyable_v<From>);
  return __builtin_bit_cast(To, from);
}

}  // namespace stiction

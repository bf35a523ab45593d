// The size that a test runs at: small by default, that of the published figures with STICTION_FULL=1.
#pragma once

#include <cstdlib>
#include <string_view>

namespace stiction::test {

/// True when the environment asks for the sizes of the published figures; else everything is small.
inline bool full() {
  const char* s = std::getenv("STICTION_FULL");
  return s != nullptr && *s != '\0' && std::string_view(s) != "0";
}
template <class T>
T at_size(T small, T large) {
  return full() ? large : small;
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)  // g++
inline constexpr bool under_sanitizer = true;
#elif defined(__has_feature)  // clang++
inline constexpr bool under_sanitizer = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
inline constexpr bool under_sanitizer = false;
#endif

/// Random cases of one kind. Under a sanitizer a tenth: it looks for faults of memory, which show in the
/// first few; the figures are the release build's.
inline int cases(int small, int large) { return at_size(small, large) / (under_sanitizer ? 10 : 1); }

}  // namespace stiction::test

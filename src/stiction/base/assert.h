// Our own bugs stop the program at once; user input and numerics never come through here (see result.h).
#pragma once

namespace stiction {
[[noreturn]] void assertion_failed(const char* condition, const char* file, int line);
}

#define STICTION_ASSERT(condition) \
  ((condition) ? void(0) : ::stiction::assertion_failed(#condition, __FILE__, __LINE__))

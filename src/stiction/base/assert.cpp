#include "stiction/base/assert.h"

#include <cstdio>
#include <cstdlib>

namespace stiction {

void assertion_failed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "stiction: bug: '%s' does not hold at %s:%d. Please report it.\n", condition, file,
               line);
  std::exit(3);  // exit status 3 = our bug (docs/commands.md)
}

}  // namespace stiction

#include "stiction/base/result.h"

#include <cstdio>
#include <cstdlib>

namespace stiction {

std::string Mistake::text() const {
  std::string out;
  if (!file.empty()) {
    out += file;
    if (line > 0) out += ":" + std::to_string(line);
    if (line > 0 && column > 0) out += ":" + std::to_string(column);
    out += ": ";
  }
  if (!path.empty()) out += path + ": ";
  return out + message;
}

void print_and_exit(const std::vector<Mistake>& mistakes) {
  for (const Mistake& m : mistakes) std::fprintf(stderr, "%s\n", m.text().c_str());
  std::exit(2);
}

}  // namespace stiction

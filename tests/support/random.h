// Numbers that are the same on every machine (splitmix64), for tests on random cases.
#pragma once

#include <cmath>
#include <cstdint>

#include "stiction/math/vec3.h"

namespace stiction::test {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }
  double unit() { return double(bits() >> 11) * 0x1p-53; }  // [0, 1)
  double between(double low, double high) { return low + (high - low) * unit(); }
  int below(int n) { return int(bits() % std::uint64_t(n)); }
  Vec3 vector(double size) {
    const double x = between(-size, size), y = between(-size, size);
    return {x, y, between(-size, size)};
  }
  Quat rotation() {
    Quat q;
    do {
      const double w = between(-1, 1), x = between(-1, 1), y = between(-1, 1);
      q = {w, x, y, between(-1, 1)};
    } while (norm2(q) < 0.01 || norm2(q) > 1);
    return normalized(q);
  }

 private:
  std::uint64_t state_;
};

}  // namespace stiction::test

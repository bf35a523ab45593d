// Runs of the examples: worlds that must build, and what is read off between steps.
#pragma once

#include <cmath>

#include "stiction/base/assert.h"
#include "stiction/world/world.h"

namespace stiction::reproduce {

inline World world_of(const Scene& scene, double step, Method method) {
  Result<World> world = build(scene, {.step = step, .method = method});
  STICTION_ASSERT(world);  // the examples are ours
  return std::move(world).value();
}

/// Makes `count` steps and calls look() after each; stops at a refused one.
template <class Look>
void run(World& world, long count, const Look& look) {
  for (long i = 0; i < count; ++i) {
    if (world.step().status == StepReport::Status::refused) return;
    look();
  }
}
inline void run(World& world, long count) {
  run(world, count, [] {});
}

/// A quantity and its rate at both ends of a step: the cubic through them.
struct Cubic {
  double y0 = 0, v0 = 0, y1 = 0, v1 = 0, h = 1;
  /// Value at the part s in [0, 1] of the step.
  double at(double s) const {
    const double r = 1 - s;
    return r * r * (1 + 2 * s) * y0 + s * s * (3 - 2 * s) * y1 + h * s * r * (r * v0 - s * v1);
  }
  /// The part where it is zero; y0 and y1 have different signs.
  double zero() const {
    double low = 0, high = 1;
    for (int i = 0; i < 60; ++i) {
      const double s = 0.5 * (low + high);
      ((at(s) > 0) == (y0 > 0) ? low : high) = s;
    }
    return 0.5 * (low + high);
  }
};

/// Least-squares slope of y over 0, 1, 2, ...
class LineFit {
 public:
  void add(double y) {
    const double x = count_++;
    x_ += x, y_ += y, xx_ += static_cast<long double>(x) * x, xy_ += static_cast<long double>(x) * y;
  }
  double slope() const { return double((count_ * xy_ - x_ * y_) / (count_ * xx_ - x_ * x_)); }
  double count() const { return count_; }

 private:
  double count_ = 0;
  long double x_ = 0, y_ = 0, xx_ = 0, xy_ = 0;
};

}  // namespace stiction::reproduce

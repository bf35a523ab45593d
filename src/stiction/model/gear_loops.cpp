// Coordinates c that gears join, c1 + ratio c2 = const, change together: dc = k ds, with one s for each group
// of them. Each gear joins two groups, or closes a loop: then dc1/dc2 is known already, k1/k2.
#include "stiction/model/gear_loops.h"

#include <cmath>
#include <map>
#include <utility>

namespace stiction {
namespace {

constexpr double round_off = 1e-12;  // [-] of the product of ratios round a loop

using Coordinate = std::pair<std::string, int>;  // of a joint

/// A ratio that may be far beyond what a double holds: a train of hundreds of gears.
struct Ratio {
  double fraction = 1;
  int exponent = 0;  // times 2^exponent

  static Ratio of(double x, int exponent = 0) {
    int more = 0;
    const double fraction = std::frexp(x, &more);
    return {fraction, exponent + more};
  }
  Ratio operator*(const Ratio& b) const { return of(fraction * b.fraction, exponent + b.exponent); }
  Ratio operator/(const Ratio& b) const { return of(fraction / b.fraction, exponent - b.exponent); }
  double value() const { return std::ldexp(fraction, exponent); }
};

/// A tree for each group, with the first coordinate at its root.
class Groups {
 public:
  struct Member {
    int root;
    Ratio k;  // dc over that of the root
  };
  Member of(const Coordinate& c) {
    const auto [at, is_new] = number_.try_emplace(c, int(parent_.size()));
    if (is_new) parent_.push_back({at->second, {}});
    return to_root(at->second);
  }
  /// dc1 = change dc2 from now on.
  void join(const Member& one, const Member& two, double change) {
    parent_[std::size_t(two.root)] = {one.root, one.k / (Ratio::of(change) * two.k)};
  }

 private:
  /// Halves the way to the root as it goes.
  Member to_root(int i) {
    Member way{i, {}};
    while (parent_[std::size_t(way.root)].root != way.root) {
      Member& up = parent_[std::size_t(way.root)];
      if (const Member& next = parent_[std::size_t(up.root)]; next.root != up.root)
        up = {next.root, up.k * next.k};
      way = {up.root, way.k * up.k};
    }
    return way;
  }

  std::map<Coordinate, int> number_;
  std::vector<Member> parent_;
};

}  // namespace

std::vector<GearLoop> gear_loops(const Scene& scene) {
  std::vector<GearLoop> out;
  Groups groups;
  for (std::size_t j = 0; j < scene.joints.size(); ++j) {
    const auto* gear = std::get_if<GearJoint>(&scene.joints[j].value);
    if (gear == nullptr || gear->ratio == 0 || !std::isfinite(gear->ratio)) continue;
    const Coordinate first{gear->first, gear->first_coordinate},
        second{gear->second, gear->second_coordinate};
    if (first == second) continue;
    const Groups::Member one = groups.of(first), two = groups.of(second);
    if (one.root != two.root) {
      groups.join(one, two, -gear->ratio);
      continue;
    }
    const double ratio = -(one.k / two.k).value();
    out.push_back({int(j), ratio, std::fabs(ratio - gear->ratio) <= round_off * std::fabs(gear->ratio)});
  }
  return out;
}

}  // namespace stiction

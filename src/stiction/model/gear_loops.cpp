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

struct Groups {
  struct Member {
    Coordinate leader;
    double k = 1;  // [-] dc over that of the leader
  };
  std::map<Coordinate, Member> member;

  Member& of(const Coordinate& c) { return member.try_emplace(c, Member{c, 1}).first->second; }
  /// dc1 = change dc2 from now on.
  void join(const Member& one, const Member& two, double change) {
    const Coordinate from = two.leader, to = one.leader;
    const double k = one.k / (change * two.k);
    for (auto& [c, m] : member)
      if (m.leader == from) m.leader = to, m.k *= k;
  }
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
    if (one.leader != two.leader) {
      groups.join(one, two, -gear->ratio);
      continue;
    }
    const double ratio = -one.k / two.k;
    out.push_back({int(j), ratio, std::fabs(ratio - gear->ratio) <= round_off * std::fabs(gear->ratio)});
  }
  return out;
}

}  // namespace stiction

// Centres are put into the cells of a grid whose cells are wider than what counts as one place, so that
// places that a centre may share lie in at most eight cells around it: the time is in proportion to the
// number of bodies. A set is what is in one place with its first body. When it fails: centres that stand in a
// row, each near the next, may be counted in two sets.
#include "stiction/model/coincidence.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace stiction {
namespace {

constexpr double one_place = 1e-6;       // [-] of the size of the smallest body that moves
constexpr std::size_t most_named = 3;    // bodies of a place, in words
constexpr std::size_t most_told = 8;     // places, in words
constexpr std::size_t most_kinds = 200;  // in one place that are compared with each other

using NamedBody = Named<BodyDescription>;
using Cell = std::array<double, 3>;

bool is_there(const BodyDescription& b) { return b.collides && kind(b.shape) != ShapeKind::none; }
bool moves(const BodyDescription& b) { return b.kind == dynamic; }

/// [m] within which two centres are in one place; 0 where nothing moves.
double place_size(const std::vector<NamedBody>& bodies) {
  double least = 0;
  for (const NamedBody& b : bodies) {
    if (!is_there(b.value) || !moves(b.value)) continue;
    const double size = size_of(b.value.shape);
    if (size > 0 && (least == 0 || size < least)) least = size;
  }
  return one_place * least;
}

/// Sets of bodies with shapes whose centres are in one place, each in the order of the scene.
std::vector<std::vector<std::size_t>> places(const std::vector<NamedBody>& bodies) {
  std::vector<std::vector<std::size_t>> sets;
  const double near = place_size(bodies);
  if (near == 0) return sets;
  const auto cell_of = [&](const Vec3& p) {
    return Cell{std::floor(p.x / (4 * near)), std::floor(p.y / (4 * near)), std::floor(p.z / (4 * near))};
  };
  std::map<Cell, std::vector<std::size_t>> at;  // sets by the cell of their first body
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const BodyDescription& b = bodies[i].value;
    if (!is_there(b) || kind(b.shape) == ShapeKind::half_space) continue;
    const auto find = [&]() -> std::vector<std::size_t>* {
      const Cell low = cell_of(b.position - Vec3{near, near, near});
      const Cell high = cell_of(b.position + Vec3{near, near, near});
      for (const double x : {low[0], high[0]})
        for (const double y : {low[1], high[1]})
          for (const double z : {low[2], high[2]})
            if (const auto found = at.find({x, y, z}); found != at.end())
              for (const std::size_t set : found->second)
                if (norm(bodies[sets[set].front()].value.position - b.position) <= near) return &sets[set];
      return nullptr;
    };
    if (std::vector<std::size_t>* const set = find()) {
      set->push_back(i);
    } else {
      at[cell_of(b.position)].push_back(sets.size());
      sets.push_back({i});
    }
  }
  return sets;
}

/// `"ball.0", "ball.1", "ball.2" and 97 more`
std::string names(const std::vector<NamedBody>& bodies, const std::vector<std::size_t>& set) {
  std::string out;
  const std::size_t named = std::min(set.size(), most_named);
  for (std::size_t k = 0; k < named; ++k)
    out += (k == 0 ? "\"" : k + 1 == set.size() ? " and \"" : ", \"") + bodies[set[k]].name + "\"";
  return named < set.size() ? out + " and " + std::to_string(set.size() - named) + " more" : out;
}

/// Those of a place that move, but the ones of the largest group: bodies of one group never touch.
std::size_t that_may_touch(const std::vector<NamedBody>& bodies, const std::vector<std::size_t>& movers) {
  std::map<std::string, std::size_t> groups;
  std::size_t largest = 0;
  for (const std::size_t i : movers)
    if (const std::string& group = bodies[i].value.group; !group.empty())
      largest = std::max(largest, ++groups[group]);
  return movers.size() - (largest > 1 ? largest - 1 : 0);
}

bool same_shape(const BodyDescription& a, const BodyDescription& b) {
  const auto alike = [](double x, double y) { return std::fabs(x - y) <= one_place * std::fabs(x); };
  if (kind(a.shape) != kind(b.shape) || !alike(size_of(a.shape), size_of(b.shape)) ||
      !alike(bounding_radius(a.shape), bounding_radius(b.shape)))
    return false;
  const Quat p = normalized(a.orientation), q = normalized(b.orientation);
  return kind(a.shape) == ShapeKind::sphere ||
         std::fabs(p.w * q.w + p.x * q.x + p.y * q.y + p.z * q.z) >= 1 - one_place;
}

/// Of one place, sets that lie in each other: each body with the first that it may touch and has the shape
/// of.
std::vector<std::vector<std::size_t>> doubles_of(const Model& m, const std::vector<std::size_t>& place) {
  const auto& bodies = m.scene.bodies;
  std::vector<std::vector<std::size_t>> out;
  for (const std::size_t i : place) {
    const auto lies_in = [&](const std::vector<std::size_t>& set) {
      const BodyDescription &a = bodies[set.front()].value, &b = bodies[i].value;
      return (moves(a) || moves(b)) && !m.share_group(int(set.front()), int(i)) &&
             !m.joined(int(set.front()), int(i)) && same_shape(a, b);
    };
    const auto found = std::find_if(out.begin(), out.end(), lies_in);
    if (found != out.end())
      found->push_back(i);
    else if (out.size() < most_kinds)
      out.push_back({i});
  }
  std::erase_if(out, [](const std::vector<std::size_t>& set) { return set.size() == 1; });
  return out;
}

}  // namespace

std::vector<Mistake> crowded_places(const Scene& scene) {
  std::vector<Mistake> mistakes;
  for (std::vector<std::size_t>& place : places(scene.bodies)) {
    if (place.size() <= std::size_t(most_in_one_place)) continue;
    std::erase_if(place, [&](std::size_t i) { return !moves(scene.bodies[i].value); });
    const std::size_t count = that_may_touch(scene.bodies, place);
    if (count <= std::size_t(most_in_one_place)) continue;
    mistakes.push_back({{},
                        0,
                        0,
                        "bodies." + scene.bodies[place.front()].name,
                        std::to_string(count) + " bodies that move are in one place: " +
                            names(scene.bodies, place) + ". At most " + std::to_string(most_in_one_place) +
                            " may be; move them apart (`offset` of `repeat`), or put them into one `group`, "
                            "whose bodies never touch"});
  }
  return mistakes;
}

std::vector<std::string> coincidence_warnings(const Model& m) {
  std::vector<std::string> lines;
  std::size_t more = 0;
  for (const std::vector<std::size_t>& place : places(m.scene.bodies))
    for (const std::vector<std::size_t>& set : doubles_of(m, place)) {
      if (lines.size() == most_told) {
        ++more;
        continue;
      }
      lines.push_back(std::to_string(set.size()) + " bodies of the same shape are in the same place: " +
                      names(m.scene.bodies, set) + "; they will be pushed apart");
    }
  if (more > 0) lines.push_back("and " + std::to_string(more) + " more places where bodies coincide");
  return lines;
}

}  // namespace stiction

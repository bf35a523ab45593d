// Bodies in one place: an entry given twice, or repeated without an offset.
#pragma once

#include <string>
#include <vector>

#include "stiction/model/model.h"

namespace stiction {

/// [-] bodies that move and may touch each other with their centres in one place. More cannot be meant, and
/// their contacts grow with the square of their number: a step of 100 balls takes a second, of 200 fifteen,
/// of 400 six minutes.
inline constexpr int most_in_one_place = 100;

/// A mistake for each place that has more.
std::vector<Mistake> crowded_places(const Scene& scene);

/// In words: bodies that may touch each other and are at the same place with the same shape, turned alike.
std::vector<std::string> coincidence_warnings(const Model& m);

}  // namespace stiction

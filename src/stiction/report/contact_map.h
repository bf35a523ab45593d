// Where the bodies of a scene touch: points of contact as discs whose area is the normal force, with the
// friction as lines, seen along the direction in which the points spread least (a pile on a floor from above,
// a wall from its front); and the pairs of bodies that press hardest, as a table.
#pragma once

#include <string>

#include "stiction/record/recording.h"

namespace stiction {

struct MapSettings {
  double width = 480, height = 330;  // [px] of the view box
  bool standalone = true;            // carries its own colours for light and dark; false: the page has them
  std::string id = "map";            // prefix of the ids inside; unique within a page
};

bool has_force(const Recording& recording, std::size_t frame);  // some contact carries one
std::string contact_map_svg(const Recording& recording, std::size_t frame, const MapSettings& settings);
/// Markup: pairs of bodies with their forces at that frame, the strongest first.
std::string contact_table(const Recording& recording, std::size_t frame);
/// Colours of the map: light, then dark by media query.
std::string contact_map_style();

}  // namespace stiction

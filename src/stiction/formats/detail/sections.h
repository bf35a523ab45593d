// What the files of the grammar share: sections that others point to, and ranges.
#pragma once

#include "stiction/formats/grammar.h"

namespace stiction::formats {

using Form = Section::Form;

inline constexpr Range positive{.low = 0, .low_open = true};
inline constexpr Range not_negative{.low = 0};
inline constexpr Range at_least_one{.low = 1};
inline constexpr Range share{.low = 0, .high = 1};
inline constexpr Range either_way{.low = -1, .high = 1};

extern const Section repeat_section, shape_section, half_space_section, orientation_section;
extern const Section compound_part_section, mesh_section, heightfield_section, intersection_section;
/// intersection_section and what it points to, in the order of the documentation.
const std::vector<const Section*>& intersection_sections();
extern const Section surface_section, surface_pair_section;
extern const Section joint_section, gear_section, rolling_section, knife_edge_section, pfaffian_section;
/// joint_section and what it points to, in the order of the documentation.
const std::vector<const Section*>& joint_sections();
extern const Section force_section;
/// force_section and what it points to, in the order of the documentation.
const std::vector<const Section*>& force_sections();

}  // namespace stiction::formats

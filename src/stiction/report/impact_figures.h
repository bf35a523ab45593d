// Pictures of one impact: its path in the plane of velocities, its energies over the normal impulse.
#pragma once

#include <span>

#include "stiction/impact/impact.h"
#include "stiction/report/figure.h"

namespace stiction {

/// Points between those of a path, `per_piece` to each; velocities go straight from one to the next and the
/// works with their squares, as they do along the pieces of a closed form.
std::vector<impact::Event> refined(std::span<const impact::Event> path, int per_piece);

/// Slip across, normal velocity up, with the lines v_t = 0 and v_n = 0 and dots where something happens.
Figure impact_path(std::span<const impact::Event> path, const std::string& name, const std::string& title);
/// The two components of slip.
Figure impact_slip(std::span<const impact::Event> path, const std::string& name, const std::string& title);
/// Work of the normal impulse and of friction, and their sum, over p_n.
Figure impact_energies(std::span<const impact::Event> path, const std::string& name,
                       const std::string& title);

}  // namespace stiction

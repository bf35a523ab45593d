// The passes of the dynamics over a range of links, for those who run several of them over a chunk of links
// that is in the cache before they go on. Scratch has its size already; links before `begin` are done.
#pragma once

#include "stiction/dynamics/tree/kinematics.h"

namespace stiction::tree::detail {

void fit(const Forest& f, Kinematics& k);
void pass_positions(const Forest& f, const Parameters& p, std::span<const double> q, std::size_t begin,
                    std::size_t end, Kinematics& k);
void pass_velocities(const Forest& f, std::span<const double> v, std::size_t begin, std::size_t end,
                     Kinematics& k);
void pass_biases(const Parameters& p, const Kinematics& k, std::span<const SpatialForce> external,
                 std::size_t begin, std::size_t end, std::span<SpatialForce> out);
/// out = sum of J_i^T wrench_i over whole trees; each wrench becomes the one that passes through its joint.
void gather(const Forest& f, const Kinematics& k, std::size_t begin, std::size_t end,
            std::span<SpatialForce> wrench, std::span<double> out);

}  // namespace stiction::tree::detail

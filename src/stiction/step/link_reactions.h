// What the joints of trees do to their links over a step. See link_reactions.cpp.
#pragma once

#include "stiction/step/workspace.h"

namespace stiction::step {

/// [m] Where the joint of a link is, from the pose of its body.
inline Vec3 joint_point(const Model& m, std::size_t link, const Vec3& position, const Quat& orientation) {
  return position - rotate(orientation, m.trees.centre[link]);
}

/// Which point of a joint's way through the step torques are about: that of the start, as kicks and contacts
/// have their levers, or the middle, as stages have. Links of trees that flow always have the middle.
enum class Pivot : unsigned char { start, middle };
/// The change of each link's momentum from the State to `end` -> w.trees.through.
void begin_link_balance(const Model& m, const State& x, const Motions& end, Pivot pivot, Workspace& w);
/// Something other than a joint gave a link an impulse [N s] at `place` [m], and an angular one beside it.
inline void take_from_balance(std::size_t link, const Vec3& place, const Vec3& impulse, const Vec3& angular,
                              TreeWorkspace& t) {
  t.through[link] -= SpatialForce{angular + cross(place - t.pivot[link], impulse), impulse};
}
/// What is left of the links and of all that hangs on them is what went through their joints: as force and
/// torque over the step h.
void end_link_balance(const Model& m, double h, Workspace& w);

}  // namespace stiction::step

// What laws of joints are about: coordinates, their gradients and rates, and the bodies that take part. A
// gear adds up two coordinates, its parts. See law_coordinates.cpp.
#pragma once

#include <cmath>

#include "stiction/step/mechanisms.h"

namespace stiction::step {

/// Calls act(law of the model, factor) for each part of law k.
template <class Act>
void for_parts(const Model& m, std::size_t k, const Act& act) {
  act(k, 1.0);
  if (m.laws[k].partner >= 0) act(std::size_t(m.laws[k].partner), m.laws[k].ratio);
}
/// Calls act(body) for the bodies of all parts: of a tree's coordinate the one that moves by it.
template <class Act>
void for_bodies(const Model& m, std::size_t k, const Act& act) {
  for_parts(m, k, [&](std::size_t p, double) {
    const ModelLaw& law = m.laws[p];
    if (law.of_tree()) return act(m.trees.body[std::size_t(law.link)]);
    if (law.a >= 0) act(law.a);
    if (law.b >= 0) act(law.b);
  });
}

/// One part: a row between two bodies, with the angle that it follows. Velocity laws have the value 0.
double part_value(const Model& m, const ModelLaw& law, const constraints::Row& row,
                  const constraints::Pose& a, const constraints::Pose& b);
constraints::Jacobian part_gradient(const Model& m, const ModelLaw& law, const constraints::Row& row,
                                    const constraints::Pose& a, const constraints::Pose& b);
/// Over a way: the discrete gradient, or that of the middle where there is none.
constraints::Jacobian part_mean_gradient(const Model& m, const ModelLaw& law, const constraints::Row& row,
                                         const constraints::Pose& a0, const constraints::Pose& b0,
                                         const constraints::Pose& a1, const constraints::Pose& b1);

/// What the rounding of a coordinate is taken from, beside the value itself.
struct LawValue {
  double value = 0;  // [m, rad] of c, or the sum of a gear
  double size = 0;   // [m, rad] of its parts
};
/// row_of(law): the row of a part, with the angle that it follows.
template <class Arrays, class RowOf>
LawValue value_with(const Model& m, std::size_t k, const RowOf& row_of, const Arrays& q) {
  LawValue sum;
  for_parts(m, k, [&](std::size_t p, double factor) {
    const ModelLaw& law = m.laws[p];
    const double part =
        factor * (law.of_tree() ? q.joint_position[std::size_t(law.place)]
                                : part_value(m, law, row_of(p), pose_of(q, law.a), pose_of(q, law.b)));
    sum.value += part, sum.size += std::fabs(part);
  });
  return sum;
}
template <class Arrays>
LawValue value_at(const Model& m, std::size_t k, const std::vector<LawWork>& laws, const Arrays& q) {
  return value_with(
      m, k, [&](std::size_t p) -> const constraints::Row& { return laws[p].row; }, q);
}
/// G v of the coordinate, with the gradients of `laws`.
template <class Arrays>
double rate_of(const Model& m, std::size_t k, const std::vector<LawWork>& laws, const Arrays& q) {
  double sum = 0;
  for_parts(m, k, [&](std::size_t p, double factor) {
    const ModelLaw& law = m.laws[p];
    sum += factor * (law.of_tree() ? q.joint_velocity[std::size_t(law.dof)]
                                   : dot(laws[p].gradient, twist_of(q, law.a), twist_of(q, law.b)));
  });
  return sum;
}
/// What the direction of r is along the coordinate.
inline double sign_of(const ModelLaw& law) { return law.kind == ModelLaw::Kind::upper ? -1.0 : 1.0; }
/// The generalised impulse of a law along its coordinate [N s, N m s].
inline double impulse_along(const ModelLaw& law, const LawWork& own) { return sign_of(law) * own.impulse; }
/// Calls act(body, impulse and torque on it) for both sides of the parts that are between bodies.
template <class Act>
void for_sides(const Model& m, std::size_t k, const std::vector<LawWork>& laws, const Act& act) {
  const double along = impulse_along(m.laws[k], laws[k]);
  for_parts(m, k, [&](std::size_t p, double factor) {
    const ModelLaw& law = m.laws[p];
    if (law.of_tree()) return;
    const constraints::Jacobian g = (factor * along) * laws[p].gradient;
    if (law.a >= 0) act(law.a, g.a);
    if (law.b >= 0) act(law.b, g.b);
  });
}

}  // namespace stiction::step

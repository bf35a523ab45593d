// The rank of G, and which rows it could do without, by the factorisation of G W G^T
// (complementarity/bilateral): W = M^-1 of free bodies, G the Jacobian of all rows at the poses of x. Which
// of several rows that say the same is named depends on the order of elimination. When it fails: directions
// less than 1e-6 apart count as the same, and a mechanism in a dead point, where rows are dependent for a
// moment only, is reported too. Rows that give way repeat nothing, and broken joints have none: they are left
// out.
#include "stiction/step/redundancy.h"

#include <algorithm>
#include <cmath>

#include "stiction/base/text.h"
#include "stiction/constraints/joint_rows.h"
#include "stiction/model/gear_loops.h"
#include "stiction/step/held_joints.h"
#include "stiction/step/mechanisms.h"
#include "stiction/step/workspace.h"

namespace stiction::step {

std::vector<RedundantJoint> redundant_joints(const Model& m, const State& x) {
  std::vector<RedundantJoint> out;
  if (m.mechanisms.empty()) return out;
  Workspace w;
  Motions q;
  q.position = x.position, q.orientation = x.orientation;
  HeldWork& held = w.held;
  const HeldJoints all = held_joints(m, x, w);
  std::vector<HeldJoint> joints;
  std::vector<constraints::Row> rows;
  std::vector<RedundantJoint> from;  // per joint of `joints`: which it is, and its rows
  w.joint_broken = x.joint_broken;
  for (std::size_t j = 0; j < m.mechanisms.constraint.size(); ++j) {
    const ModelConstraint& c = m.mechanisms.constraint[j];
    HeldJoint one = all.joint[j];
    RedundantJoint place{c.joint, false, {}};
    one.row_begin = int(rows.size());
    for (std::size_t r = 0; r < rows_of(m, c, w).size(); ++r)
      if (!is_soft(m, c, r))
        rows.push_back(all.row[std::size_t(c.row_begin) + r]), place.rows.push_back(int(r));
    one.row_end = int(rows.size());
    if (one.row_end > one.row_begin) joints.push_back(one), from.push_back(std::move(place));
  }
  load_joints(m, {joints, rows}, q, x.alive, held, Freedom::whole);
  complementarity::bilateral::solve(held.system, {}, held.memory, held.lambda, held.report);
  for (const complementarity::bilateral::RowPlace& r : held.report.redundant) {
    const RedundantJoint& place = from[std::size_t(r.joint)];
    if (out.empty() || out.back().joint != place.joint) out.push_back({place.joint, false, {}});
    out.back().rows.push_back(place.rows[std::size_t(r.row)]);
  }
  return out;
}

namespace {

constexpr const char* not_determined = "how they share their load is not determined by rigid bodies";

std::string in_words(const Model& m, const RedundantJoint& found) {
  const auto& joint = m.scene.joints[std::size_t(found.joint)];
  if (std::holds_alternative<GearJoint>(joint.value))
    return "gear '" + joint.name + "' repeats what other joints hold; " + not_determined;
  const auto* constraint = std::get_if<ConstraintJoint>(&joint.value);
  if (constraint == nullptr)
    return "joint '" + joint.name + "': " + std::to_string(found.rows.size()) +
           " of its rows of velocities repeat what other joints hold; " + not_determined;
  std::string rows;
  for (const int r : found.rows)
    rows += (rows.empty() ? "" : ", ") + std::string(constraints::row_name(constraint->kind, r));
  return "joint '" + joint.name + "': " + std::to_string(found.rows.size()) + " of its " +
         std::to_string(constraints::row_count(constraint->kind)) + " rows (" + rows +
         ") repeat what other joints hold; " + not_determined +
         (found.on_links ? ": where coordinates of a tree hold it, they bear all" : "");
}

}  // namespace

std::vector<std::string> redundancy_warnings(const Model& m, const State& x) {
  constexpr std::size_t most_named = 8;
  std::vector<std::string> out;
  std::size_t more = 0;
  const auto name = [&](std::string words) {
    if (out.size() < most_named)
      out.push_back(std::move(words));
    else
      ++more;
  };
  for (const RedundantJoint& found : redundant_joints(m, x)) name(in_words(m, found));
  const std::vector<RedundantJoint> laws = redundant_laws(m, x);
  for (const RedundantJoint& found : laws) name(in_words(m, found));
  for (const GearLoop& loop : gear_loops(m.scene)) {
    const auto same = [&](const RedundantJoint& found) { return found.joint == loop.joint; };
    if (loop.fits && std::none_of(laws.begin(), laws.end(), same)) name(in_words(m, {loop.joint, false, {}}));
  }
  if (more > 0) out.push_back(std::to_string(more) + " more joints repeat what others hold");
  return out;
}

std::vector<std::string> assembly_warnings(const Model& m, const State& start) {
  constexpr double noticed = 1e-9;  // [-] of the size, or of the speed
  std::vector<std::string> out;
  double farthest = 0, fastest = 0;  // [m], [m/s]
  int moved = -1, changed = -1;
  for (const int body : m.mechanisms.body) {
    const auto i = std::size_t(body);
    const BodyDescription& b = m.scene.bodies[i].value;
    const double size = extent_of(m, i), speed = norm(b.velocity) + size * norm(b.spin);
    const Quat turn = start.orientation[i] * conjugate(b.orientation);
    const double way = norm(start.position[i] - b.position) +
                       size * std::sqrt(turn.x * turn.x + turn.y * turn.y + turn.z * turn.z);
    const double change = norm(start.velocity[i] - b.velocity) + size * norm(start.spin[i] - b.spin);
    if (way > std::fmax(farthest, noticed * size)) farthest = way, moved = body;
    if (change > std::fmax(fastest, noticed * speed)) fastest = change, changed = body;
  }
  const auto name = [&](int body) { return "\"" + m.body_name[std::size_t(body)] + "\""; };
  if (moved >= 0)
    out.push_back("joints do not meet where the scene puts bodies: they were pulled together, " +
                  name(moved) + " farthest, by " + number_text(farthest) + " m");
  if (changed >= 0)
    out.push_back(
        "joints do not allow the velocities that the scene gives: they were changed to the nearest, those "
        "of " +
        name(changed) + " most, by " + number_text(fastest) + " m/s");
  return out;
}

}  // namespace stiction::step

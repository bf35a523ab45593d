// The rank of G, and which rows it could do without, by the factorisation of G W G^T
// (complementarity/bilateral): W = M^-1 of free bodies, G the Jacobian of all rows at the poses of x. Which
// of several rows that say the same is named depends on the order of elimination. When it fails: directions
// less than 1e-6 apart count as the same, and a mechanism in a dead point, where rows are dependent for a
// moment only, is reported too.
#include "stiction/step/redundancy.h"

#include <algorithm>

#include "stiction/constraints/joint_rows.h"
#include "stiction/step/held_joints.h"
#include "stiction/step/workspace.h"

namespace stiction::step {

std::vector<RedundantJoint> redundant_joints(const Model& m, const State& x) {
  std::vector<RedundantJoint> out;
  if (m.mechanisms.empty()) return out;
  Workspace w;
  Motions q;
  q.position = x.position, q.orientation = x.orientation;
  HeldWork& held = w.held;
  load_joints(m, held_joints(m, x, w), q, x.alive, held, Freedom::whole);
  complementarity::bilateral::solve(held.system, {}, held.memory, held.lambda, held.report);
  for (const complementarity::bilateral::RowPlace& r : held.report.redundant) {
    if (out.empty() || out.back().constraint != r.joint) out.push_back({r.joint, {}});
    out.back().rows.push_back(r.row);
  }
  return out;
}

std::vector<std::string> redundancy_warnings(const Model& m, const State& x) {
  constexpr std::size_t most_named = 8;
  std::vector<std::string> out;
  const std::vector<RedundantJoint> found = redundant_joints(m, x);
  for (std::size_t i = 0; i < std::min(found.size(), most_named); ++i) {
    const ModelConstraint& c = m.mechanisms.constraint[std::size_t(found[i].constraint)];
    const auto& joint = m.scene.joints[std::size_t(c.joint)];
    const constraints::Kind kind = std::get<ConstraintJoint>(joint.value).kind;
    std::string rows;
    for (const int r : found[i].rows)
      rows += (rows.empty() ? "" : ", ") + std::string(constraints::row_name(kind, r));
    out.push_back(
        "joint '" + joint.name + "': " + std::to_string(found[i].rows.size()) + " of its " +
        std::to_string(c.row_end - c.row_begin) + " rows (" + rows +
        ") repeat what other joints hold; how they share their load is not determined by rigid bodies");
  }
  if (found.size() > most_named)
    out.push_back(std::to_string(found.size() - most_named) + " more joints repeat what others hold");
  return out;
}

}  // namespace stiction::step

// What laws of joints do: impulses on bodies and links, works and momenta.
//
// The work of a gear, or of what rolls, is its impulse r times the mean of its rates at both ends of the
// step: none where it held in the step before, and what closing takes where it did not. What r does beyond
// that with the mean velocities of the books is the step's doing.
#include "stiction/step/joint_laws.h"
#include "stiction/step/link_reactions.h"
#include "stiction/step/stages.h"

namespace stiction::step {
namespace {

using constraints::Twist;

Cause cause_of(const ModelLaw& law, const LawWork& own) {
  if (law.binds()) return Cause::joint;
  if (law.kind == ModelLaw::Kind::motor) return Cause::motor;
  if (law.kind == ModelLaw::Kind::friction) return Cause::friction;
  return own.touched ? Cause::contact : Cause::impact;
}

/// What an impulse on a link does with the mean velocities of the books, and its momenta -> w.entries.
double book_on_link(const Model& m, int link, const Twist& p, Cause cause, Workspace& w) {
  const tree::Kinematics& pose = w.trees.pose;
  tree_row(m, link, p, pose, w.trees.rows);
  const tree::TreeRange& tree = range_of(m, link);
  double work = 0;
  for (std::size_t d = 0; d < w.trees.rows.size(); ++d)
    work += 0.5 * w.trees.rows[d] * w.trees.sum[std::size_t(tree.v_begin) + d];
  const auto root = std::size_t(tree.link_begin);
  const Vec3 lever =
      w.trees.start.pose[root].position + tree::centre_of_mass(pose, link) - pose.pose[root].position;
  w.entries.book(cause, p.linear, cross(lever, p.linear) + p.angular);
  return work;
}

/// The same for a law as a whole.
double book_sides(const Model& m, const State& x, const Motions& end, std::size_t k, Cause cause,
                  Workspace& w) {
  Entries& e = w.entries;
  double work = 0;
  for_parts(m, k, [&](std::size_t p, double factor) {
    if (m.laws[p].of_tree())
      work += 0.5 * factor * impulse_along(m.laws[k], w.laws[k]) * w.trees.sum[std::size_t(m.laws[p].dof)];
  });
  for_sides(m, k, w.laws, [&](int body, const Twist& p) {
    const auto i = std::size_t(body);
    if (m.mobility[i] == Mobility::none) {
      if (m.body_kind[i] != kinematic) return;
      e.book(Cause::kinematic, -dot(p, twist_of(end, body)));
      work += dot(p, twist_of(end, body));
      return;
    }
    if (const int link = m.link[i]; link >= 0) {
      work += book_on_link(m, link, p, cause, w);
      return;
    }
    work += dot(p, mean_motion(m, x, end, i, w));
    e.book(cause, p.linear,
           cross(x.position[i], p.linear) + (m.mobility[i] != Mobility::particle ? p.angular : Vec3{}));
  });
  return work;
}

/// What a law is meant to do: motors give and friction takes force times way; what gears and rolling take is
/// above. Limits and rows on links stop: theirs is what the impulse takes.
double meant_work(const Model& m, const Motions& end, std::size_t k, double work, const Workspace& w) {
  const ModelLaw& law = m.laws[k];
  if (law.is_limit() || law.of_constraint()) return work;
  const LawWork& own = w.laws[k];
  const double r = impulse_along(law, own);
  const double rate =
      law.holds() ? (value_at(m, k, w.laws, end).value - own.start) / own.h : rate_of(m, k, w.laws, end);
  const double kept = law.kind == ModelLaw::Kind::slip ? -law.bound : 0.0;  // what it held in the step before
  return law.binds() ? 0.5 * r * ((own.touched ? kept : own.rate) + rate) : r * rate;
}

}  // namespace

void subtract_laws(const Model& m, Workspace& w) {
  TreeWorkspace& t = w.trees;
  for (std::size_t k = 0; k < m.laws.size(); ++k) {
    if (!w.laws[k].in_problem) continue;
    for_sides(m, k, w.laws, [&](int body, const Twist& p) {
      const int link = m.link[std::size_t(body)];
      if (link < 0) return;
      const auto root = std::size_t(range_of(m, link).link_begin);
      const Vec3 arm = tree::centre_of_mass(t.pose, link) - t.pose.pose[root].position;
      t.reaction[std::size_t(m.trees.forest.tree_of[std::size_t(link)])] -=
          SpatialForce{cross(arm, p.linear) + p.angular, p.linear};
      take_from_balance(std::size_t(link), t.start.pose[root].position + arm, p.linear, p.angular, t);
    });
  }
}

void add_law_impulses(const Model& m, Workspace& w) {
  for (std::size_t k = 0; k < m.laws.size(); ++k) {
    if (!w.laws[k].in_problem) continue;
    for_sides(m, k, w.laws, [&](int body, const Twist& p) {
      w.total_impulse[std::size_t(body)] += p.linear, w.total_torque[std::size_t(body)] += p.angular;
    });
  }
}

void book_laws(const Model& m, const State& x, const Motions& end, Workspace& w) {
  for (std::size_t k = 0; k < m.laws.size(); ++k) {
    const LawWork& own = w.laws[k];
    if (!own.in_problem || own.impulse == 0) continue;
    const Cause cause = cause_of(m.laws[k], own);
    const double work = book_sides(m, x, end, k, cause, w), way = meant_work(m, end, k, work, w);
    w.entries.book(cause, way);
    if (way != work) w.entries.book(Cause::numerics, work - way);
  }
}

}  // namespace stiction::step

// The books of impacts. With M (v+ - v) = G^T p + J^T l, p of contacts and l of joints,
//
//     T(v+) - T(v) = sum of p.(u + u+)/2 + sum of l (rate + rate+)/2
//
// exactly. A contact's normal part is `impact`, its tangential one `friction`; one contact alone may know
// the work of its path of slip instead. Momentum, each by its own formula:
//
//     contacts      p at their points
//     joints        l J of the rows of each constraint, on both of its bodies
//     planes        the impulse along the normal and the torque across it: minus what contacts and joints
//     give
//                   there, plus the angular momentum that the inertia turns out of the normal
//     trees         what contacts leave of the change of a tree's momentum went through the joint of its
//     root,
//                   which bears nothing along its coordinates but what their armature takes: only the part
//                   across them is booked
//
// so that a body that moved otherwise than its impulses say is an imbalance. Symbols: stages.h.
#include "stiction/step/impact_books.h"

#include <cmath>

#include "stiction/step/link_reactions.h"
#include "stiction/step/mechanisms.h"

namespace stiction::step {
namespace {

struct Books {
  const Model& m;
  const State& x;
  Workspace& w;

  void give(std::size_t i, const Vec3& impulse, const Vec3& torque) const {
    w.total_impulse[i] += impulse, w.total_torque[i] += torque;
  }

  Vec3 mean_velocity(const WorkContact& c, bool second) const {
    const auto i = std::size_t(second ? c.point.key.b : c.point.key.a);
    const Vec3 after = w.next.velocity[i] + cross(w.next.spin[i], c.arm[second]);
    return 0.5 * (velocity_before(m, x, c, second, w) + after);
  }

  void contact(const WorkContact& c, double friction) const {
    Entries& e = w.entries;
    const Vec3 mean[2] = {mean_velocity(c, false), mean_velocity(c, true)};
    const Vec3 normal = dot(c.point.normal, c.impulse) * c.point.normal, tangential = c.impulse - normal;
    const double slip = dot(tangential, mean[1] - mean[0] + c.belt);
    const double rubbed = std::isnan(friction) ? slip : friction;
    e.book(Cause::impact, dot(normal, mean[1] - mean[0]) + (slip - rubbed));
    e.book(Cause::friction, rubbed);
    if (c.belt != Vec3{}) e.book(Cause::surface, -dot(tangential, c.belt));
    const bool inner = can_move(m, c.point.key.a) && can_move(m, c.point.key.b);
    for (const bool second : {false, true}) {
      const auto i = std::size_t(second ? c.point.key.b : c.point.key.a);
      const double sign = second ? 1 : -1;
      if (m.mobility[i] == Mobility::none) {
        e.book(Cause::kinematic, -sign * dot(c.impulse, mean[second]));
        continue;
      }
      const Vec3 arm = m.mobility[i] == Mobility::particle ? Vec3{} : c.arm[second];
      const Vec3 place = x.position[i] + arm;
      e.book(inner ? Cause::numerics : Cause::impact, sign * normal, cross(place, sign * normal));
      e.book(inner ? Cause::numerics : Cause::friction, sign * tangential, cross(place, sign * tangential));
      give(i, sign * c.impulse, cross(arm, sign * c.impulse));
      if (m.link[i] >= 0) take_from_balance(std::size_t(m.link[i]), place, sign * c.impulse, {}, w.trees);
    }
  }

  /// Joints of linkages keep their rates, which a method may leave a little off 0, and so do work.
  void constraint(const ModelConstraint& c) const {
    for (int r = c.row_begin; r < c.row_begin + int(rows_of(m, c, w).size()); ++r) {
      const double l = w.joint_impulse[std::size_t(r)];
      w.entries.book(Cause::joint, -w.joint_right[std::size_t(r)] * l);
      for (const bool second : {false, true}) {
        const int body = second ? c.b : c.a;
        if (body < 0 || !can_move(m, body)) continue;
        const auto i = std::size_t(body);
        const constraints::Jacobian& g = w.joint_gradient[std::size_t(r)];
        const constraints::Twist& of = second ? g.b : g.a;
        const Vec3 P = l * of.linear, T = m.mobility[i] == Mobility::particle ? Vec3{} : l * of.angular;
        w.entries.book(Cause::joint, P, cross(x.position[i], P) + T);
        give(i, P, T);
      }
    }
  }
  void constraints() const {
    for (const ModelConstraint& c : m.mechanisms.constraint) {
      const int body = c.a >= 0 && m.mechanisms.linkage_of[std::size_t(c.a)] >= 0 ? c.a : c.b;
      const int l = linkage_of(m, body), island = w.island_of_body[std::size_t(body)];
      if (l < 0 || w.linkages[std::size_t(l)].block < 0 || island < 0) continue;
      if (w.impacts.hit_islands[std::size_t(island)]) constraint(c);
    }
  }

  SpatialForce plane(std::size_t i) const {
    const Vec3& n = m.plane_normal[i];
    const Vec3 reaction = -dot(n, w.total_impulse[i]) * n;
    const Vec3 turn =
        world_inertia(m.inertia[i], x.orientation[i]) * (w.next.spin[i] - x.spin[i]) - w.total_torque[i];
    const Vec3 torque = turn - dot(n, turn) * n;
    w.entries.book(Cause::joint, reaction, cross(x.position[i], reaction) + torque);
    return {reaction, torque};
  }

  /// `root`: a link that hangs on the world; what went through its joint.
  void root(std::size_t root, SpatialForce through) const {
    const tree::Forest& f = m.trees.forest;
    const tree::Kinematics& k = w.trees.base;
    const Vec3 arm = k.pose[root].position - w.trees.pivot[root];
    for (int d = f.v_begin[root]; d < f.v_begin[root + 1]; ++d) {
      const auto at = std::size_t(d);
      SpatialMotion s = tree::column(f, k, at);
      s.linear -= cross(s.angular, arm);  // of the point that torques are about
      const double taken =
          m.trees.parameters.armature[at] * (w.next.joint_velocity[at] - x.joint_velocity[at]);
      const double more = dot(s.angular, through.torque) + dot(s.linear, through.force) + taken;
      const double share = more / (dot(s.angular, s.angular) + dot(s.linear, s.linear));
      through -= SpatialForce{share * s.angular, share * s.linear};
    }
    w.entries.book(Cause::joint, through.force, through.torque + cross(w.trees.pivot[root], through.force));
  }
};

}  // namespace

void book_impacts(const Model& m, const State& x, double h, std::span<const double> friction_work,
                  Workspace& w) {
  const auto n = std::size_t(m.body_count());
  const Books books{m, x, w};
  w.entries = {};
  w.total_impulse.assign(n, {}), w.total_torque.assign(n, {});
  if (!m.trees.empty()) begin_link_balance(m, x, w.next, Pivot::middle, w);
  for (std::size_t k = 0; k < w.contacts.size(); ++k)
    if (w.contacts[k].in_problem && w.contacts[k].impulse != Vec3{})
      books.contact(w.contacts[k], friction_work.empty() ? std::nan("") : friction_work[k]);
  if (!m.mechanisms.empty()) books.constraints();
  w.plane_impulse.resize(m.planes.size());
  for (std::size_t k = 0; k < m.planes.size(); ++k)
    w.plane_impulse[k] = books.plane(std::size_t(m.planes[k].body));
  if (!m.trees.empty()) {
    end_link_balance(m, h, w);
    for (std::size_t i = 0; i < w.trees.through.size(); ++i)
      if (m.trees.forest.parent[i] < 0)
        books.root(i, {h * w.trees.through[i].torque, h * w.trees.through[i].force});
  }
  w.books.resize((n + book_chunk - 1) / book_chunk);
  w.totals = totals_at(m, x, books_of(m, x, w.next, 0.0, w), w.next, w);
}

}  // namespace stiction::step

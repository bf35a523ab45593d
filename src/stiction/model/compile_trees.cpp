// From joints of a scene to the forest of a model.
//
// A scene gives bodies and joints in world coordinates, with every joint neutral. With the joint of body i at
// the point a_i, its body at x_i, turned by R_i, and p the parent of i:
//     joint frame in the frame of p:   R_p^T (a_i - a_p),  R_p^T R_i        (world: a_i, R_i)
//     in the frame of the link:        centre of mass R_i^T (x_i - a_i),  axes R_i^T e
// A free root has its joint frame at the world's origin, so that its coordinates are its pose.
//
// Links are the bodies of coordinate joints and those that such bodies hang on. A body on a planar joint that
// nothing hangs on is none: it has block coordinates of its own (Mobility::planar).
#include "stiction/model/detail/compile_trees.h"

#include <algorithm>

#include "stiction/base/assert.h"
#include "stiction/model/detail/checker.h"

namespace stiction {
namespace detail {
namespace {

using tree::JointKind;

struct Planned {
  int body = -1, parent = -1, base = -1;  // body indices; parent -1 = the world, or the static body `base`
  int joint = -1;                         // of the scene; -1 = free
  CoordinateJoint description{};
};

/// The links by body index.
std::map<int, Planned> plan(const Scene& scene, const Model& m) {
  std::map<int, Planned> links;
  const auto link = [&](int body) -> Planned& {
    Planned& p = links[body];
    if (p.body < 0) p.body = body, p.description.kind = JointKind::free;
    return p;
  };
  for (std::size_t j = 0; j < scene.joints.size(); ++j) {
    const auto* joint = std::get_if<CoordinateJoint>(&scene.joints[j].value);
    if (joint == nullptr) continue;
    const int parent = joint->parent.empty() ? -1 : m.find_body(joint->parent);
    const bool moves = parent >= 0 && m.body_kind[std::size_t(parent)] == dynamic;
    if (moves) link(parent);
    Planned& p = link(m.find_body(joint->body));
    p.joint = int(j), p.description = *joint;
    (moves ? p.parent : p.base) = parent;
  }
  for (std::size_t j = 0; j < scene.joints.size(); ++j) {
    const auto* planar = std::get_if<PlanarJoint>(&scene.joints[j].value);
    const auto found = planar == nullptr ? links.end() : links.find(m.find_body(planar->body));
    if (found == links.end()) continue;
    found->second.joint = int(j);
    found->second.description = {.kind = JointKind::planar, .body = planar->body, .axis = planar->normal};
  }
  return links;
}

std::vector<double> per_dof(const std::vector<double>& list, JointKind kind) {
  if (list.size() == 1) return std::vector<double>(std::size_t(tree::dof_count(kind)), list[0]);
  return list;
}

tree::Link link_of(const Planned& p, const std::map<int, Planned>& links, const Scene& scene,
                   const Model& m) {
  const auto body = [&](int i) -> const BodyDescription& { return m.scene.bodies[std::size_t(i)].value; };
  const auto point = [&](const Planned& l) { return l.description.at.value_or(body(l.body).position); };
  const CoordinateJoint& d = p.description;
  const BodyDescription& own = body(p.body);
  tree::Link out;
  out.name = scene.bodies[std::size_t(p.body)].name;
  out.joint = d.kind;
  out.mass = m.mass[std::size_t(p.body)];
  out.inertia = Mat3::diagonal(m.inertia[std::size_t(p.body)]);
  if (d.kind == JointKind::free) return out;
  const Vec3 at = point(p);
  out.centre = rotate_back(own.orientation, own.position - at);
  out.axis = rotate_back(own.orientation, normalized(d.axis));
  if (norm(d.second_axis) > 0) {  // at right angles within what validate() lets pass: exactly so from here
    const Vec3 n = normalized(d.axis);
    out.second_axis = rotate_back(own.orientation, normalized(d.second_axis - dot(d.second_axis, n) * n));
    out.second_axis -= dot(out.second_axis, out.axis) * out.axis;
  }
  out.pitch = d.pitch;
  out.position = at, out.orientation = own.orientation;
  if (p.parent >= 0) {
    const Planned& parent = links.at(p.parent);
    const Quat& turn = body(p.parent).orientation;
    out.position = rotate_back(turn, at - point(parent));
    out.orientation = normalized(conjugate(turn) * own.orientation);
  }
  out.stiffness = per_dof(d.stiffness, d.kind), out.damping = per_dof(d.damping, d.kind), out.rest = d.rest;
  return out;
}

void add_force(const Planned& p, int link, ModelTrees& t) {
  if (p.description.force.empty()) return;
  ModelJointForce out{link, p.description.time, {}};
  for (const std::vector<double>& row : p.description.force)
    out.force.insert(out.force.end(), row.begin(), row.end());
  t.forces.push_back(std::move(out));
}

/// Coordinates of the start; velocities of free and planar roots from their bodies'.
void set_start(const std::vector<Planned>& planned, const Scene& scene, ModelTrees& t) {
  const tree::Forest& f = t.forest;
  std::vector<double>&q = t.start_position, &v = t.start_velocity;
  q.resize(std::size_t(f.q_count())), v.assign(std::size_t(f.v_count()), 0);
  tree::set_neutral(f, q);
  for (std::size_t i = 0; i < planned.size(); ++i) {
    const CoordinateJoint& d = planned[i].description;
    std::copy(d.position.begin(), d.position.end(), q.begin() + f.q_begin[i]);
    std::copy(d.velocity.begin(), d.velocity.end(), v.begin() + f.v_begin[i]);
    if (d.kind != JointKind::free) continue;
    const BodyDescription& b = scene.bodies[std::size_t(planned[i].body)].value;
    const double pose[7] = {b.position.x,    b.position.y,    b.position.z,   b.orientation.w,
                            b.orientation.x, b.orientation.y, b.orientation.z};
    std::copy(pose, pose + 7, q.begin() + f.q_begin[i]);
  }
  tree::normalise(f, q);
  tree::Kinematics k;
  tree::update_positions(f, t.parameters, q, k);
  for (std::size_t i = 0; i < planned.size(); ++i) {
    const bool by_body = planned[i].description.kind == JointKind::free ||
                         (planned[i].joint >= 0 && std::holds_alternative<PlanarJoint>(
                                                       scene.joints[std::size_t(planned[i].joint)].value));
    if (!by_body) continue;
    const BodyDescription& b = scene.bodies[std::size_t(planned[i].body)].value;
    for (auto d = std::size_t(f.v_begin[i]); d < std::size_t(f.v_begin[i + 1]); ++d)
      v[d] = dot(k.axis[d], f.dof[d] == tree::DofKind::linear ? b.velocity : b.spin);
  }
}

}  // namespace

void compile_trees(const Scene& scene, Model& m) {
  const std::map<int, Planned> links = plan(scene, m);
  m.link.assign(std::size_t(m.body_count()), -1), m.base.assign(std::size_t(m.body_count()), -1);
  if (links.empty()) return;
  ModelTrees& t = m.trees;
  tree::Description description;
  std::map<int, int> given;
  for (const auto& [body, p] : links) given.emplace(body, int(given.size()));
  std::vector<const Planned*> in_order;
  for (const auto& [body, p] : links) {
    description.links.push_back(link_of(p, links, scene, m));
    description.links.back().parent = p.parent < 0 ? -1 : given.at(p.parent);
    in_order.push_back(&p);
  }
  Result<tree::Compiled> made = tree::compile(description);
  STICTION_ASSERT(made);
  t.forest = std::move(made.value().forest), t.parameters = std::move(made.value().parameters);
  std::vector<Planned> planned;
  t.link_of_joint.assign(scene.joints.size(), -1);
  for (std::size_t i = 0; i < in_order.size(); ++i) {
    const auto from = std::size_t(t.forest.given[i]);
    const Planned& p = *in_order[from];
    planned.push_back(p);
    t.body.push_back(p.body), t.joint.push_back(p.joint);
    if (p.joint >= 0) t.link_of_joint[std::size_t(p.joint)] = int(i);
    t.centre.push_back(description.links[from].centre);
    const bool welded = p.description.kind == JointKind::fixed && t.forest.parent[i] >= 0;
    t.rigid.push_back(welded ? t.rigid[std::size_t(t.forest.parent[i])] : int(i));
    const auto body = std::size_t(p.body);
    m.link[body] = int(i), m.base[body] = p.base, m.mobility[body] = Mobility::link;
    m.plane_normal[body] = {};
    add_force(p, int(i), t);
  }
  set_start(planned, m.scene, t);
  tree::Kinematics k;
  tree::update_positions(t.forest, t.parameters, t.start_position, k);
  for (std::size_t i = 0; i < t.body.size(); ++i) {
    Quat turn;
    place_link(t, k, i, m.start_position[std::size_t(t.body[i])], turn);
  }
}

std::vector<Mistake> check_links(const Scene& scene) {
  std::vector<Mistake> mistakes;
  const bool any = std::any_of(scene.joints.begin(), scene.joints.end(), [](const auto& j) {
    return std::holds_alternative<CoordinateJoint>(j.value);
  });
  if (!any) return mistakes;
  constexpr double slack = 1e-9;  // [-] of the speed: velocities typed with ten digits
  const Model m = compiled(scene, 0);
  tree::Kinematics k;
  tree::update_positions(m.trees.forest, m.trees.parameters, m.trees.start_position, k);
  tree::update_velocities(m.trees.forest, m.trees.start_velocity, k);
  for (std::size_t i = 0; i < m.trees.body.size(); ++i) {
    const auto body = std::size_t(m.trees.body[i]);
    const BodyDescription& b = scene.bodies[body].value;
    Vec3 velocity, spin;
    move_link(k, i, velocity, spin);
    const auto compare = [&](const char* key, const Vec3& found, const Vec3& follows, const char* unit) {
      if (found == Vec3{} || norm(found - follows) <= slack * norm(found)) return;
      const std::string joint = scene.joints[std::size_t(m.trees.joint[i])].name;
      mistakes.push_back({{},
                          0,
                          0,
                          "bodies." + m.body_name[body] + key,
                          "found " + vec_text(found) + unit + ", but the joint \"" + joint + "\" gives it " +
                              vec_text(follows) + ": say how the joint starts instead (initial." + joint +
                              ".joint_velocity)"});
    };
    if (m.trees.joint[i] < 0) continue;  // a free root: its own
    compare(".velocity", b.velocity, velocity, " m/s");
    compare(".spin", b.spin, spin, " rad/s");
  }
  return mistakes;
}

}  // namespace detail

void place_link(const ModelTrees& t, const tree::Kinematics& k, std::size_t link, Vec3& position,
                Quat& orientation) {
  const Mat3 turn = tree::link_turn(t.parameters, k, int(link));
  position = k.pose[link].position + turn * t.centre[link];
  orientation = normalized(quaternion_of(turn));
}

void move_link(const tree::Kinematics& k, std::size_t link, Vec3& velocity, Vec3& spin) {
  const RigidInertia& i = k.inertia[link];
  const SpatialMotion at_centre = moved(k.velocity[link], i.moment / i.mass);
  velocity = at_centre.linear, spin = at_centre.angular;
}

bool Model::joined(int body_a, int body_b) const {
  if (const int a = mechanisms.mechanism_of[std::size_t(body_a)],
      b = mechanisms.mechanism_of[std::size_t(body_b)];
      a >= 0 || b >= 0) {
    const std::pair pair{std::min(body_a, body_b), std::max(body_a, body_b)};
    if (std::binary_search(mechanisms.pair.begin(), mechanisms.pair.end(), pair)) return true;
  }
  if (std::binary_search(tied.begin(), tied.end(),
                         std::pair{std::min(body_a, body_b), std::max(body_a, body_b)}))
    return true;
  if (trees.empty()) return false;
  const int a = link[std::size_t(body_a)], b = link[std::size_t(body_b)];
  if (a < 0 && b < 0) return false;
  const auto rigid = [&](int i) { return trees.rigid[std::size_t(i)]; };
  if (a < 0 || b < 0) {  // a link and what its rigid part hangs on
    const int root = trees.body[std::size_t(rigid(a < 0 ? b : a))];
    return base[std::size_t(root)] == (a < 0 ? body_a : body_b);
  }
  const auto above = [&](int i) {
    const int parent = trees.forest.parent[std::size_t(rigid(i))];
    return parent < 0 ? -1 : rigid(parent);
  };
  return rigid(a) == rigid(b) || above(a) == rigid(b) || above(b) == rigid(a);
}

}  // namespace stiction

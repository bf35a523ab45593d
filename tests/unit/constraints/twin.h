// Two bodies on a coordinate joint (a free link and one that hangs on it), and what the same joint is as a
// constraint.
#pragma once

#include <string>
#include <vector>

#include "support/tree_state.h"
#include "unit/constraints/fixture.h"

namespace stiction::constraints {

struct TwinKind {
  Kind kind;
  tree::JointKind coordinate;
};
inline constexpr TwinKind twin_kinds[] = {
    {Kind::hinge, tree::JointKind::revolute}, {Kind::prismatic, tree::JointKind::prismatic},
    {Kind::lock, tree::JointKind::fixed},     {Kind::cylindrical, tree::JointKind::cylindrical},
    {Kind::screw, tree::JointKind::screw},    {Kind::universal, tree::JointKind::universal},
    {Kind::planar, tree::JointKind::planar},  {Kind::ball, tree::JointKind::spherical},
};
inline constexpr int twin_kind_count = 8;

struct Twin {
  tree::Link links[2];
  Quat engine{};  // axes of the joint in the second link
  Frame frame_a{}, frame_b{};
  double pitch = 0;
  test::TreeState tree;
  std::size_t own_q, own_v;  // where the joint's coordinates start

  /// Random frames, masses, places and velocities.
  Twin(const TwinKind& kinds, test::Random& random) : Twin(kinds, random, make(kinds, random)) {}

  Pose pose(int body) const {
    const auto& p = tree.k().pose[std::size_t(body)];
    const Quat turn =
        body == 0 ? quaternion_of(p.turn) : normalized(quaternion_of(p.turn) * conjugate(engine));
    return {p.position + rotate(turn, links[body].centre), turn};
  }
  Twist velocity(int body) const {
    const SpatialMotion& m = tree.k().velocity[std::size_t(body)];
    const Vec3 arm = pose(body).position - tree.k().pose[std::size_t(body)].position;
    return {m.linear + cross(m.angular, arm), m.angular};
  }

 private:
  Twin(const TwinKind& kinds, test::Random& random, const std::pair<tree::Link, tree::Link>& made)
      : links{made.first, made.second}, tree({.gravity = {}, .links = {made.first, made.second}}) {
    const bool has_axis = kinds.kind != Kind::ball && kinds.kind != Kind::lock;
    if (has_axis) engine = frame_axes(kinds.kind, links[1].axis, links[1].second_axis);
    frame_a = {links[1].position - links[0].centre, normalized(links[1].orientation * engine)};
    frame_b = {-links[1].centre, engine};
    pitch = links[1].pitch;
    own_q = std::size_t(tree.f().q_begin[1]), own_v = std::size_t(tree.f().v_begin[1]);
    tree::RandomStream stream{random.bits()};
    tree::set_random(tree::JointKind::free, stream, std::span(tree.q).first(own_q));
    tree::set_random(kinds.coordinate, stream, std::span(tree.q).subspan(own_q));
    for (double& x : tree.v) x = random.between(-1, 1);
    tree.move();
  }
  static std::pair<tree::Link, tree::Link> make(const TwinKind& kinds, test::Random& random) {
    tree::Link a, b;
    a.name = "a", a.joint = tree::JointKind::free, a.centre = random.vector(0.3);
    b.name = "b", b.parent = 0, b.joint = kinds.coordinate;
    b.position = random.vector(1), b.orientation = random.rotation(), b.centre = random.vector(0.5);
    b.axis = random.vector(1);
    const Vec3 other = random.vector(1);
    if (other.x > 0 && (kinds.kind == Kind::universal || kinds.kind == Kind::planar))
      b.second_axis = cross(b.axis, other);
    if (kinds.kind == Kind::screw) b.pitch = random.between(-0.5, 0.5);
    for (tree::Link* link : {&a, &b}) {
      link->mass = random.between(1, 2);
      const double x = random.between(0.1, 0.2), y = random.between(0.1, 0.2);
      link->inertia = Mat3::diagonal({x, y, random.between(0.1, 0.2)});
    }
    return {a, b};
  }
};

}  // namespace stiction::constraints

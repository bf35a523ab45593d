// A tree as a MuJoCo model (MJCF), and its states in MuJoCo's conventions.
//
// MuJoCo: free joint: position and quaternion of the body in the world; velocity of its origin in world axes,
// angular velocity in body axes. Ball joint: quaternion against the parent, angular velocity in body axes.
// Ours: angular velocities in the axes of the joint frame on the parent's side. There is no screw joint in
// MuJoCo, and free joints stand on the world only.
#pragma once

#include <string>
#include <vector>

#include "stiction/base/assert.h"
#include "stiction/base/text.h"
#include "stiction/dynamics/tree/kinematics.h"

namespace stiction::test {

class Mjcf {
 public:
  explicit Mjcf(const tree::Description& d) : d_(d) {
    text_ = "<mujoco><compiler angle=\"radian\" inertiafromgeom=\"false\" coordinate=\"local\"/>";
    text_ +=
        "<option gravity=\"" + words(d.gravity) + "\"><flag contact=\"disable\" constraint=\"disable\"/>";
    text_ += "</option><worldbody>";
    for (std::size_t i = 0; i < d.links.size(); ++i)
      if (d.links[i].parent < 0) body(i);
    text_ += "</worldbody></mujoco>";
  }
  const std::string& text() const { return text_; }

 private:
  static std::string words(const Vec3& v) {
    return number_text(v.x) + " " + number_text(v.y) + " " + number_text(v.z);
  }
  static std::string words(const Quat& q) { return number_text(q.w) + " " + words(Vec3{q.x, q.y, q.z}); }
  void joint(const char* type, const Vec3& axis) {
    text_ += std::string("<joint type=\"") + type + "\" pos=\"0 0 0\" axis=\"" + words(axis) + "\"/>";
  }
  void joints(const tree::Link& l) {
    using tree::JointKind;
    const Vec3 n = normalized(l.axis);
    Vec3 a, b;
    tangents(n, a, b);
    if (norm2(l.second_axis) > 0) a = normalized(l.second_axis), b = cross(n, a);
    switch (l.joint) {
      case JointKind::fixed:
        return;
      case JointKind::revolute:
        return joint("hinge", n);
      case JointKind::prismatic:
        return joint("slide", n);
      case JointKind::cylindrical:
        return joint("slide", n), joint("hinge", n);
      case JointKind::universal:
        return joint("hinge", n), joint("hinge", a);
      case JointKind::planar:
        return joint("slide", a), joint("slide", b), joint("hinge", n);
      case JointKind::spherical:
        return joint("ball", n);
      case JointKind::free:
        text_ += "<freejoint/>";
        return;
      case JointKind::screw:
        STICTION_ASSERT(!"MuJoCo has no screw joint");
        return;
    }
  }
  void body(std::size_t i) {
    const tree::Link& l = d_.links[i];
    const Mat3& I = l.inertia;
    text_ += "<body pos=\"" + words(l.position) + "\" quat=\"" + words(normalized(l.orientation)) + "\">";
    joints(l);
    text_ += "<inertial pos=\"" + words(l.centre) + "\" mass=\"" + number_text(l.mass) + "\" ";
    if (I(0, 1) == 0 && I(0, 2) == 0 && I(1, 2) == 0) {
      text_ += "diaginertia=\"" + words(Vec3{I(0, 0), I(1, 1), I(2, 2)}) + "\"/>";
    } else {
      text_ += "fullinertia=\"" + words(Vec3{I(0, 0), I(1, 1), I(2, 2)}) + " " +
               words(Vec3{I(0, 1), I(0, 2), I(1, 2)}) + "\"/>";
    }
    for (std::size_t j = 0; j < d_.links.size(); ++j)
      if (d_.links[j].parent == int(i)) body(j);
    text_ += "</body>";
  }
  const tree::Description& d_;
  std::string text_;
};

/// The links in MuJoCo's order, branch by branch.
inline std::vector<int> mujoco_order(const tree::Forest& f) {
  std::vector<int> order, stack;
  const auto push = [&](int parent) {
    for (int i = f.link_count(); i-- > 0;)
      if (f.parent[std::size_t(i)] == parent) stack.push_back(i);
  };
  push(-1);
  while (!stack.empty()) {
    order.push_back(stack.back());
    stack.pop_back();
    push(order.back());
  }
  return order;
}

/// Our q as MuJoCo's qpos; `k` after update_positions(q).
inline std::vector<double> mujoco_positions(const tree::Compiled& c, const tree::Kinematics& k,
                                            std::span<const double> q) {
  std::vector<double> out;
  for (const int link : mujoco_order(c.forest)) {
    const auto i = std::size_t(link);
    if (c.forest.joint[i] == tree::JointKind::free) {
      const Vec3& p = k.pose[i].position;
      const Quat turn = quaternion_of(tree::link_turn(c.parameters, k, link));
      out.insert(out.end(), {p.x, p.y, p.z, turn.w, turn.x, turn.y, turn.z});
    } else {
      out.insert(out.end(), q.begin() + c.forest.q_begin[i], q.begin() + c.forest.q_begin[i + 1]);
    }
  }
  return out;
}

/// Our v (or dv/dt: the turning frames add w x w = 0) as MuJoCo's qvel (qacc).
inline std::vector<double> mujoco_velocities(const tree::Compiled& c, const tree::Kinematics& k,
                                             std::span<const double> v) {
  std::vector<double> out;
  for (const int link : mujoco_order(c.forest)) {
    const auto i = std::size_t(link), at = std::size_t(c.forest.v_begin[i]);
    const tree::JointKind kind = c.forest.joint[i];
    const Mat3 turn = tree::link_turn(c.parameters, k, link);
    const auto world = [&](std::size_t first) {
      return v[first] * k.axis[first] + v[first + 1] * k.axis[first + 1] + v[first + 2] * k.axis[first + 2];
    };
    const auto put = [&](const Vec3& x) { out.insert(out.end(), {x.x, x.y, x.z}); };
    if (kind == tree::JointKind::spherical) {
      put(transposed_times(turn, world(at)));
    } else if (kind == tree::JointKind::free) {
      put(world(at));
      put(transposed_times(turn, world(at + 3)));
    } else {
      out.insert(out.end(), v.begin() + c.forest.v_begin[i], v.begin() + c.forest.v_begin[i + 1]);
    }
  }
  return out;
}

}  // namespace stiction::test
